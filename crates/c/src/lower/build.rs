//! Makes expressions and places, folding constants.

use source::Span;

use super::Lowerer;
use crate::expr::{Base, Expr, ExprId, ExprKind, Place, PlaceId, Step};
use crate::program::{Operation, Storage, VariableId};
use crate::types::{Type, TypeId, Types};

/// An expression that is lowered: something that has a place, or only a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lowered {
    /// An lvalue.
    Place(PlaceId),
    /// A value. Of a structure it is [`ExprKind::Load`].
    Value(ExprId),
    /// A function.
    Function(crate::program::FunctionId),
}

impl Lowerer<'_> {
    pub(super) fn types(&self) -> &Types {
        &self.program.types
    }

    pub(super) fn push(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.exprs.push(Expr { kind, ty: ty.unqualified() });
        ExprId(self.program.exprs.len() as u32 - 1)
    }

    pub(super) fn push_place(&mut self, place: Place) -> PlaceId {
        self.program.places.push(place);
        PlaceId(self.program.places.len() as u32 - 1)
    }

    pub(super) fn int(&mut self, value: i128, ty: TypeId) -> ExprId {
        self.push(ExprKind::Integer(value), ty)
    }

    /// A value of type `void`.
    pub(super) fn nothing(&mut self) -> ExprId {
        self.push(ExprKind::Integer(0), TypeId::VOID)
    }

    pub(super) fn ty(&self, expr: ExprId) -> TypeId {
        self.program.expr(expr).ty
    }

    /// The value of an integer constant.
    pub(super) fn constant(&self, expr: ExprId) -> Option<i128> {
        let expr = self.program.expr(expr);
        match expr.kind {
            ExprKind::Integer(value) if self.types().is_integer(expr.ty) => Some(value),
            _ => None,
        }
    }

    /// Whether it is non-zero, if that is known.
    pub(super) fn constant_truth(&self, expr: ExprId) -> Option<bool> {
        let expr = self.program.expr(expr);
        match expr.kind {
            ExprKind::Integer(value) if expr.ty != TypeId::VOID => Some(value != 0),
            ExprKind::Float(value) => Some(value != 0.0),
            ExprKind::Extended(bits) => Some(!crate::extended::is_zero(bits)),
            ExprKind::Function(_) => Some(true),
            // The address of a variable is never null.
            ExprKind::Address(place) if matches!(self.program.place(place).base, Base::Variable(_)) => Some(true),
            _ => None,
        }
    }

    pub(super) fn is_null_constant(&self, expr: ExprId) -> bool {
        let expr = self.program.expr(expr);
        let void_pointer = self.types().target(expr.ty) == Some(TypeId::VOID);
        matches!(expr.kind, ExprKind::Integer(0)) && (self.types().is_integer(expr.ty) || void_pointer)
    }

    pub(super) fn variable_place(&mut self, variable: VariableId) -> PlaceId {
        let ty = self.program.variable(variable).ty;
        self.push_place(Place { base: Base::Variable(variable), steps: Vec::new(), ty, bits: None })
    }

    pub(super) fn load_variable(&mut self, variable: VariableId) -> ExprId {
        let place = self.variable_place(variable);
        self.load(place)
    }

    /// The value at a place; of an array the address of its first element.
    pub(super) fn load(&mut self, place: PlaceId) -> ExprId {
        let ty = self.program.place(place).ty;
        match *self.types().kind(ty) {
            Type::Array { element, .. } => {
                let pointer = self.program.types.pointer(element.qualified_like(ty));
                self.push(ExprKind::Address(place), pointer)
            }
            Type::VariableArray { element, .. } => self.first_of_variable(place, element.qualified_like(ty)),
            Type::Function { .. } => {
                let pointer = self.program.types.pointer(ty);
                match self.program.place(place).base {
                    Base::Pointer(pointer) => pointer,
                    Base::Variable(_) => self.push(ExprKind::Address(place), pointer),
                }
            }
            _ => match self.flat_place(place) {
                Some(flat) => {
                    let value = self.push(ExprKind::Load(flat), self.program.place(flat).ty);
                    self.convert(value, ty)
                }
                None => self.push(ExprKind::Load(place), ty),
            },
        }
    }

    /// The value of something lowered, arrays and functions being addresses.
    pub(super) fn value(&mut self, lowered: Lowered) -> ExprId {
        match lowered {
            Lowered::Place(place) => self.load(place),
            Lowered::Value(value) => value,
            Lowered::Function(function) => {
                let ty = self.program.function(function).ty;
                let pointer = self.program.types.pointer(ty);
                self.push(ExprKind::Function(function), pointer)
            }
        }
    }

    /// What a pointer points to, plus an index into it.
    pub(super) fn dereference(&mut self, pointer: ExprId, target: TypeId) -> PlaceId {
        match self.program.expr(pointer).kind.clone() {
            _ if matches!(self.types().kind(target), Type::VariableArray { .. }) => {}
            ExprKind::Address(inner) => {
                let place = self.program.place(inner).clone();
                if place.ty.unqualified() == target.unqualified() {
                    return inner;
                }
                if let Type::Array { element, .. } = *self.types().kind(place.ty)
                    && element.unqualified() == target.unqualified()
                {
                    let zero = self.int(0, TypeId::INT);
                    return self.element(inner, zero);
                }
            }
            ExprKind::Offset { pointer: base, index, stride, negative: false } => {
                let place = self.dereference(base, target);
                let last = self.program.place(place);
                // An element of an array plus an index is another element of it, but only from its first on.
                if let ExprKind::Address(inner) = self.program.expr(base).kind
                    && let Type::Array { element, .. } = *self.types().kind(self.program.place(inner).ty)
                    && element.unqualified() == target.unqualified()
                {
                    return self.element(inner, index);
                }
                if last.steps.is_empty()
                    && matches!(last.base, Base::Pointer(_))
                    && last.ty.unqualified() == target.unqualified()
                {
                    let steps = vec![Step::Index { index, stride, length: None }];
                    return self.push_place(Place { base: Base::Pointer(base), steps, ty: target, bits: None });
                }
            }
            _ => {}
        }
        self.push_place(Place { base: Base::Pointer(pointer), steps: Vec::new(), ty: target, bits: None })
    }

    /// An element of an array at a place.
    pub(super) fn element(&mut self, array: PlaceId, index: ExprId) -> PlaceId {
        let mut place = self.program.place(array).clone();
        let Type::Array { element, length } = *self.types().kind(place.ty) else {
            unreachable!("only arrays have elements");
        };
        let stride = self.types().size(element).unwrap_or(0);
        place.steps.push(Step::Index { index, stride, length });
        place.ty = element.qualified_like(place.ty);
        self.push_place(place)
    }

    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> VariableId {
        let name = format!("${}", self.program.variables.len());
        let location = self.location(span);
        self.new_variable(name, ty.unqualified(), Storage::Temporary, location)
    }

    pub(super) fn emit(&mut self, operation: Operation, span: Span) {
        let location = self.location(span);
        self.graph.emit(operation, location, span);
    }

    pub(super) fn assign(&mut self, place: PlaceId, value: ExprId, span: Span) {
        self.emit(Operation::Assign { place, value }, span);
    }

    /// Keeps a value in a temporary variable.
    pub(super) fn saved(&mut self, value: ExprId, span: Span) -> ExprId {
        if matches!(
            self.program.expr(value).kind,
            ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_)
        ) {
            return value;
        }
        let variable = self.temporary(self.ty(value), span);
        let place = self.variable_place(variable);
        self.assign(place, value, span);
        self.load_variable(variable)
    }

    /// Lowers something that is not evaluated, for its type.
    pub(super) fn unevaluated<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.graph.begin_scratch();
        let result = lower(self);
        self.graph.end_scratch(mark);
        result
    }
}
