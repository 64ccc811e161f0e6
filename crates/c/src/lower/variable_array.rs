//! Arrays of variable length and `alloca`: memory that is taken when control comes by. The array becomes a pointer to its first
//! element, and its size is kept beside it for `sizeof`.

use source::Span;

use super::{Checked, Lowerer, Symbol};
use crate::ast::{self, Declarator, Derived};
use crate::codes;
use crate::expr::{BinaryOp, ExprId};
use crate::program::{Callee, Operation, Storage, VariableId};
use crate::token::Name;
use crate::types::TypeId;

impl Lowerer<'_> {
    /// The length, if a declarator makes an array whose length is not constant, or one of rows whose length is not.
    pub(super) fn variable_length<'d>(&mut self, declarator: &'d Declarator) -> Checked<Option<&'d ast::Expr>> {
        let Some((Derived::Array { length: Some(length), .. }, inner)) = declarator.derived.split_last() else {
            return Ok(None);
        };
        let varies = self.varies(length)? || self.row_length(inner)?.is_some();
        Ok(varies.then_some(&**length))
    }

    /// Whether the length of an array is not constant.
    fn varies(&mut self, length: &ast::Expr) -> Checked<bool> {
        let value = self.unevaluated(|lowerer| lowerer.rvalue(length))?;
        self.require_integer(value, length.span)?;
        Ok(self.constant(value).is_none())
    }

    /// The length of the rows of an array, if it is not constant.
    fn row_length<'d>(&mut self, inner: &'d [Derived]) -> Checked<Option<&'d ast::Expr>> {
        let Some(Derived::Array { length: Some(length), .. }) = inner.last() else { return Ok(None) };
        Ok(self.varies(length)?.then_some(&**length))
    }

    /// Declares an array of variable length.
    pub(super) fn declare_variable_array(
        &mut self,
        name: Name,
        base: TypeId,
        declarator: &Declarator,
        length: &ast::Expr,
    ) -> Checked<()> {
        let span = declarator.span;
        let inner = &declarator.derived[..declarator.derived.len() - 1];
        let row = self.row_length(inner)?;
        let inner = if row.is_some() { &inner[..inner.len() - 1] } else { inner };
        let element = self.derived_type(base, inner, span)?;
        let Some(bytes) = self.types().size(element) else {
            return self.error(&codes::TYPE, span, "the elements of an array have an incomplete type");
        };
        let size_type = self.types().size_type();
        let count = self.kept_length(length, span)?;
        let mut bytes = self.int(i128::from(bytes), size_type);
        let mut columns = None;
        if let Some(row) = row {
            let kept = self.kept_length(row, span)?;
            let length = self.load_variable(kept);
            // A row has a length of its own, which must be positive.
            self.built_in_memory("__builtin_variable array", vec![length, bytes], span);
            let length = self.load_variable(kept);
            bytes = self.binary_operator(BinaryOp::Multiply, length, bytes, span)?;
            columns = Some(kept);
        }
        let rows = self.load_variable(count);
        let memory = self.built_in_memory("__builtin_variable array", vec![rows, bytes], span);
        let rows = self.load_variable(count);
        let size = self.binary_operator(BinaryOp::Multiply, rows, bytes, span)?;
        let place = self.variable_place(count);
        self.assign(place, size, span);
        let pointer = self.program.types.pointer(element);
        let memory = self.convert(memory, pointer);
        let text = self.name(name).to_owned();
        let location = self.location(span);
        let variable = self.new_variable(&text, pointer, Storage::Local, location);
        self.bind(name, variable, span)?;
        self.variable_arrays.insert(variable, count);
        self.variable_rows.extend(columns.map(|columns| (variable, columns)));
        let place = self.variable_place(variable);
        self.assign(place, memory, span);
        Ok(())
    }

    /// A temporary that keeps a length as it is now.
    fn kept_length(&mut self, length: &ast::Expr, span: Span) -> Checked<VariableId> {
        let size_type = self.types().size_type();
        let count = self.rvalue(length)?;
        let count = self.convert(count, size_type);
        let kept = self.temporary(size_type, span);
        let place = self.variable_place(kept);
        self.assign(place, count, span);
        Ok(kept)
    }

    /// The array of rows of variable length that an expression names, with the variable that holds the length of its rows.
    fn array_of_rows(&self, operand: &ast::Expr) -> Option<(VariableId, VariableId)> {
        let ast::ExprKind::Name(name) = operand.kind else { return None };
        let Some(Symbol::Variable(variable)) = self.find(name) else { return None };
        Some((variable, *self.variable_rows.get(&variable)?))
    }

    /// A row of such an array: a pointer to its first element. None if an expression is not one.
    pub(super) fn row(&mut self, array: &ast::Expr, index: &ast::Expr) -> Option<Checked<ExprId>> {
        let (array, columns) = self.array_of_rows(array)?;
        Some(self.row_of(array, columns, index))
    }

    fn row_of(&mut self, array: VariableId, columns: VariableId, index: &ast::Expr) -> Checked<ExprId> {
        let value = self.rvalue(index)?;
        self.require_integer(value, index.span)?;
        let difference = self.types().difference_type();
        let value = self.convert(value, difference);
        let columns = self.load_variable(columns);
        let columns = self.convert(columns, difference);
        let distance = self.binary_operator(BinaryOp::Multiply, value, columns, index.span)?;
        let pointer = self.load_variable(array);
        self.offset(pointer, distance, false, index.span)
    }

    /// Whether a variable is such an array: only its rows can be used.
    pub(super) fn has_variable_rows(&self, variable: VariableId) -> bool {
        self.variable_rows.contains_key(&variable)
    }

    /// The size of an array of variable length, if an expression names one.
    pub(super) fn variable_size(&mut self, operand: &ast::Expr) -> Option<ExprId> {
        if let ast::ExprKind::Index(array, _) = &operand.kind {
            let (array, columns) = self.array_of_rows(array)?;
            let element = self.types().target(self.program.variable(array).ty)?;
            let (bytes, size_type) = (self.types().size(element)?, self.types().size_type());
            let (columns, bytes) = (self.load_variable(columns), self.int(i128::from(bytes), size_type));
            return self.binary_operator(BinaryOp::Multiply, columns, bytes, operand.span).ok();
        }
        let ast::ExprKind::Name(name) = operand.kind else { return None };
        let Some(Symbol::Variable(variable)) = self.find(name) else { return None };
        let kept = self.variable_arrays.get(&variable).copied()?;
        Some(self.load_variable(kept))
    }

    /// Memory that lives as long as the function, as `alloca` gives it.
    pub(super) fn stack_memory(&mut self, size: ExprId, span: Span) -> ExprId {
        let size_type = self.types().size_type();
        let size = self.convert(size, size_type);
        self.built_in_memory("__builtin_alloca", vec![size], span)
    }

    /// Memory that a function gives which compilers build in.
    fn built_in_memory(&mut self, function: &str, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let function = self.builtin_function(function, span).expect("its type is known");
        let pointer = self.program.types.pointer(TypeId::VOID);
        let result = self.temporary(pointer, span);
        let place = Some(self.variable_place(result));
        let callee = Callee::Function(function);
        self.emit(Operation::Call { callee, arguments, result: place }, span);
        self.load_variable(result)
    }
}
