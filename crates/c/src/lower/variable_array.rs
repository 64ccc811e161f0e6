//! Arrays of variable length and `alloca`: memory that is taken when control comes by. The array becomes a pointer to its first
//! element, and its size is kept beside it for `sizeof`.

use source::Span;

use super::{Checked, Lowerer, Symbol};
use crate::ast::{self, Declarator, Derived};
use crate::codes;
use crate::expr::{BinaryOp, ExprId};
use crate::program::{Callee, Operation, Storage};
use crate::token::Name;
use crate::types::TypeId;

impl Lowerer<'_> {
    /// The length, if a declarator makes an array whose length is not constant.
    pub(super) fn variable_length<'d>(&mut self, declarator: &'d Declarator) -> Checked<Option<&'d ast::Expr>> {
        let Some(Derived::Array { length: Some(length), .. }) = declarator.derived.last() else { return Ok(None) };
        let value = self.unevaluated(|lowerer| lowerer.rvalue(length))?;
        self.require_integer(value, length.span)?;
        Ok(self.constant(value).is_none().then_some(&**length))
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
        let element = self.derived_type(base, inner, span)?;
        let Some(bytes) = self.types().size(element) else {
            return self.error(&codes::TYPE, span, "the elements of an array have an incomplete type");
        };
        let size_type = self.types().size_type();
        let count = self.rvalue(length)?;
        let count = self.convert(count, size_type);
        let kept = self.temporary(size_type, span);
        let place = self.variable_place(kept);
        self.assign(place, count, span);
        let bytes = self.int(i128::from(bytes), size_type);
        let count = self.load_variable(kept);
        let memory = self.built_in_memory("__builtin_variable array", vec![count, bytes], span);
        let count = self.load_variable(kept);
        let size = self.binary_operator(BinaryOp::Multiply, count, bytes, span)?;
        let place = self.variable_place(kept);
        self.assign(place, size, span);
        let pointer = self.program.types.pointer(element);
        let memory = self.convert(memory, pointer);
        let text = self.name(name).to_owned();
        let location = self.location(span);
        let variable = self.new_variable(&text, pointer, Storage::Local, location);
        self.bind(name, variable, span)?;
        self.variable_arrays.insert(variable, kept);
        let place = self.variable_place(variable);
        self.assign(place, memory, span);
        Ok(())
    }

    /// The size of an array of variable length, if an expression names one.
    pub(super) fn variable_size(&mut self, operand: &ast::Expr) -> Option<ExprId> {
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
