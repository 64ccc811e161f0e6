//! Arrays of variable length and `alloca`: memory that is taken when control comes by.
//!
//! The type of such an array names a temporary that holds how many *plain* elements it has, those of the first dimension from the right
//! that has no variable length; it is computed where control comes by the type. Everything else is arithmetic on pointers to plain
//! elements: the array itself is a variable that points to the first of them, and steps over its rows are multiplied out.

use source::Span;

use super::{Checked, Lowerer, expression};
use crate::ast;
use crate::codes;
use crate::expr::{Base, BinaryOp, ExprId, ExprKind, Place, PlaceId};
use crate::program::{Callee, Operation, Storage, VariableId};
use crate::token::Name;
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    /// The type of an array whose length, or that of its elements, is not constant.
    pub(super) fn variable_array_type(&mut self, element: TypeId, length: &ast::Expr) -> Checked<TypeId> {
        let span = length.span;
        let size_type = self.types().size_type();
        let value = self.rvalue(length)?;
        self.require_integer(value, span)?;
        let value = self.convert(value, size_type);
        let value = self.saved(value, span);
        self.built_in_call("__builtin_array length", vec![value], None, span);
        // No array is larger than half of the address space: the product of its lengths must not overflow there.
        let count = match self.plain_count(element) {
            Some(inner) => {
                let difference = self.types().difference_type();
                let (length, inner) = (self.convert(value, difference), self.convert(inner, difference));
                let count = self.binary_operator(BinaryOp::Multiply, length, inner, span)?;
                self.convert(count, size_type)
            }
            None => value,
        };
        let kept = self.temporary(size_type, span);
        let place = self.variable_place(kept);
        self.assign(place, count, span);
        Ok(self.program.types.intern(Type::VariableArray { element, count: Some(kept) }))
    }

    /// The array type that a prototype makes with a length that is one of its parameters: nothing is computed there.
    pub(super) fn length_of_prototype(&self, length: &ast::Expr) -> bool {
        expression::any(
            length,
            &|part| matches!(part.kind, ast::ExprKind::Name(name) if self.prototype.contains(&name)),
        )
    }

    /// How many plain elements an array of variable length has; none if a type is not one.
    fn plain_count(&mut self, ty: TypeId) -> Option<ExprId> {
        let Type::VariableArray { count, .. } = *self.types().kind(ty) else { return None };
        let count = count.expect("only prototypes leave lengths out, and no expression has their types");
        Some(self.load_variable(count))
    }

    /// The size of an array of variable length, if a type is one.
    pub(super) fn variable_size(&mut self, ty: TypeId, span: Span) -> Option<Checked<ExprId>> {
        let count = self.plain_count(ty)?;
        let (bytes, size_type) = (self.types().size(self.types().plain_element(ty))?, self.types().size_type());
        let bytes = self.int(i128::from(bytes), size_type);
        Some(self.binary_operator(BinaryOp::Multiply, count, bytes, span))
    }

    /// Declares an array of variable length.
    pub(super) fn declare_variable_array(&mut self, name: Name, ty: TypeId, span: Span) -> Checked<()> {
        let plain = self.types().plain_element(ty);
        let Some(bytes) = self.types().size(plain) else {
            return self.error(&codes::TYPE, span, "the elements of an array have an incomplete type");
        };
        let size_type = self.types().size_type();
        let bytes = self.int(i128::from(bytes), size_type);
        let count = self.plain_count(ty).expect("the caller saw an array of variable length");
        let memory = self.built_in_memory("__builtin_variable array", vec![count, bytes], span);
        let pointer = self.program.types.pointer(plain);
        let memory = self.convert(memory, pointer);
        let text = self.name(name).to_owned();
        let location = self.location(span);
        let variable = self.new_variable(&text, pointer, Storage::Local, location);
        self.bind(name, variable, span)?;
        self.declared_types.insert(variable, ty);
        let place = self.variable_place(variable);
        self.assign(place, memory, span);
        Ok(())
    }

    /// The type of the variable that holds a parameter: rows of variable length are laid out one behind the other.
    pub(super) fn flat_type(&mut self, ty: TypeId) -> TypeId {
        let Some(target) = self.types().target(ty) else { return ty };
        if !matches!(self.types().kind(target), Type::VariableArray { .. }) {
            return ty;
        }
        let plain = self.types().plain_element(target).qualified_like(target);
        self.program.types.pointer(plain).qualified_like(ty)
    }

    /// The place that a variable names, with the type that it was declared with.
    pub(super) fn declared_place(&mut self, variable: VariableId) -> PlaceId {
        let Some(&ty) = self.declared_types.get(&variable) else { return self.variable_place(variable) };
        if let Type::VariableArray { .. } = self.types().kind(ty) {
            let first = self.load_variable(variable);
            let whole = self.program.types.pointer(ty);
            let pointer = self.convert(first, whole);
            return self.push_place(Place { base: Base::Pointer(pointer), steps: Vec::new(), ty, bits: None });
        }
        self.push_place(Place { base: Base::Variable(variable), steps: Vec::new(), ty, bits: None })
    }

    /// The place of a parameter that was declared as a pointer to rows of variable length, as the variable that it is.
    pub(super) fn flat_place(&mut self, place: PlaceId) -> Option<PlaceId> {
        let Place { base: Base::Variable(variable), ref steps, .. } = *self.program.place(place) else { return None };
        let is_row_pointer = steps.is_empty() && self.declared_types.contains_key(&variable);
        let flat = self.program.variable(variable).ty;
        (is_row_pointer && self.program.place(place).ty != flat).then(|| self.variable_place(variable))
    }

    /// The address of the first element of such an array.
    pub(super) fn first_of_variable(&mut self, place: PlaceId, element: TypeId) -> ExprId {
        let pointer = self.program.types.pointer(element);
        match self.program.place(place).base {
            Base::Pointer(at) => match self.program.expr(at).kind {
                ExprKind::Convert(inner) if self.ty(inner) == pointer => inner,
                _ => self.convert(at, pointer),
            },
            Base::Variable(_) => self.push(ExprKind::Address(place), pointer),
        }
    }

    /// A pointer to arrays of variable length, moved by so many of them; none if it is another pointer.
    pub(super) fn variable_offset(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        negative: bool,
        span: Span,
    ) -> Option<Checked<ExprId>> {
        let ty = self.ty(pointer);
        let target = self.types().target(ty)?;
        let count = self.plain_count(target)?;
        Some(self.moved_over(pointer, (index, count), negative, span))
    }

    fn moved_over(
        &mut self,
        pointer: ExprId,
        (index, count): (ExprId, ExprId),
        negative: bool,
        span: Span,
    ) -> Checked<ExprId> {
        let ty = self.ty(pointer);
        let flat = self.flat_type(ty);
        let difference = self.types().difference_type();
        let (index, count) = (self.convert(index, difference), self.convert(count, difference));
        let distance = self.binary_operator(BinaryOp::Multiply, index, count, span)?;
        let first = self.convert(pointer, flat);
        let moved = self.offset(first, distance, negative, span)?;
        Ok(self.convert(moved, ty))
    }

    /// The difference of two pointers to arrays of variable length; none if they are other pointers.
    pub(super) fn variable_difference(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<Checked<ExprId>> {
        let target = self.types().target(self.ty(left))?;
        let count = self.plain_count(target)?;
        let flat = self.flat_type(self.ty(left));
        let (left, right) = (self.convert(left, flat), self.convert(right, flat));
        let between = self.binary_operator(BinaryOp::Subtract, left, right, span);
        let difference = self.types().difference_type();
        let count = self.convert(count, difference);
        Some(between.and_then(|between| self.binary_operator(BinaryOp::Divide, between, count, span)))
    }

    /// Memory that lives as long as the function, as `alloca` gives it.
    pub(super) fn stack_memory(&mut self, size: ExprId, span: Span) -> ExprId {
        let size_type = self.types().size_type();
        let size = self.convert(size, size_type);
        self.built_in_memory("__builtin_alloca", vec![size], span)
    }

    /// Memory that a function gives which compilers build in.
    fn built_in_memory(&mut self, function: &str, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let pointer = self.program.types.pointer(TypeId::VOID);
        let result = self.temporary(pointer, span);
        let place = self.variable_place(result);
        self.built_in_call(function, arguments, Some(place), span);
        self.load_variable(result)
    }

    fn built_in_call(&mut self, function: &str, arguments: Vec<ExprId>, result: Option<PlaceId>, span: Span) {
        let function = self.builtin_function(function, span).expect("its type is known");
        let callee = Callee::Function(function);
        self.emit(Operation::Call { callee, arguments, result }, span);
    }
}
