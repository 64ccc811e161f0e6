//! Conversions: promotions, the usual arithmetic conversions, and what assignments allow.

use source::Span;

use super::{Checked, Lowerer};
use crate::codes;
use crate::expr::{ExprId, ExprKind};
use crate::extended;
use crate::types::{Integer, IntegerKind, Type, TypeId};

impl Lowerer<'_> {
    /// The expression converted to a type; both are scalars or the same.
    pub(super) fn convert(&mut self, expr: ExprId, ty: TypeId) -> ExprId {
        let ty = ty.unqualified();
        let from = self.ty(expr);
        if from == ty || ty == TypeId::VOID || self.types().is_record(ty) {
            return expr;
        }
        let to_integer = self.types().integer(ty);
        let kind = self.program.expr(expr).kind.clone();
        if *self.types().kind(ty) == Type::Bool {
            return match self.constant_truth(expr) {
                Some(truth) => self.int(i128::from(truth), ty),
                None => self.push(ExprKind::Convert(expr), ty),
            };
        }
        match (kind, to_integer) {
            (ExprKind::Integer(value), Some(to)) => self.int(to.wrap(value), ty),
            (ExprKind::Integer(value), None) if self.types().is_pointer(ty) => {
                let bits = u32::from(self.types().model().pointer) * 8;
                self.int(Integer { bits, signed: false }.wrap(value), ty)
            }
            (ExprKind::Integer(value), None) if ty == TypeId::LONG_DOUBLE => {
                let unsigned = self.types().integer(from).is_some_and(|integer| !integer.signed);
                let negative = value < 0 && !unsigned;
                let magnitude = if negative { value.unsigned_abs() } else { value as u128 };
                self.push(ExprKind::Extended(extended::from_integer(negative, magnitude)), ty)
            }
            (ExprKind::Integer(value), None) if self.types().is_integer(from) => {
                let wide = self.types().integer(from) == Some(Integer { bits: 128, signed: false });
                let single = ty == TypeId::FLOAT;
                let number = match (wide, single) {
                    (true, true) => f64::from(value as u128 as f32),
                    (true, false) => value as u128 as f64,
                    (false, true) => f64::from(value as f32),
                    (false, false) => value as f64,
                };
                self.push(ExprKind::Float(number), ty)
            }
            (ExprKind::Float(value), None) if ty == TypeId::LONG_DOUBLE => {
                self.push(ExprKind::Extended(extended::from_double(value)), ty)
            }
            (ExprKind::Extended(bits), None) if ty == TypeId::DOUBLE => {
                self.push(ExprKind::Float(extended::to_double(bits)), ty)
            }
            (ExprKind::Extended(bits), None) if ty == TypeId::FLOAT => {
                self.push(ExprKind::Float(f64::from(extended::to_single(bits))), ty)
            }
            (ExprKind::Float(value), None) if self.types().is_floating(ty) => {
                let number = if ty == TypeId::FLOAT { f64::from(value as f32) } else { value };
                self.push(ExprKind::Float(number), ty)
            }
            (ExprKind::Float(value), Some(to))
                if value.is_finite() && value.abs() < 1e30 && to.holds(value.trunc() as i128) =>
            {
                self.int(value.trunc() as i128, ty)
            }
            // A pointer seen as one to another type is the same pointer.
            (ExprKind::Function(function), None) if self.types().is_pointer(ty) => {
                self.push(ExprKind::Function(function), ty)
            }
            _ => self.push(ExprKind::Convert(expr), ty),
        }
    }

    /// The type after the integer promotions.
    pub(super) fn promoted(&self, expr: ExprId) -> TypeId {
        let int = self.types().width(IntegerKind::Int);
        if let ExprKind::Load(place) = self.program.expr(expr).kind
            && let Some(bits) = self.program.place(place).bits
            && bits.width < int.bits
        {
            return TypeId::INT;
        }
        self.promoted_type(self.ty(expr))
    }

    pub(super) fn promoted_type(&self, ty: TypeId) -> TypeId {
        let int = self.types().width(IntegerKind::Int);
        let ty = match self.types().kind(ty) {
            Type::Enum(id) => self.types().enumeration(*id).underlying,
            _ => ty.unqualified(),
        };
        let Some(integer) = self.types().integer(ty) else {
            return ty;
        };
        match self.types().kind(ty) {
            Type::Integer(kind) if *kind >= IntegerKind::Int => ty,
            _ if integer.bits < int.bits || integer.signed => TypeId::INT,
            _ => TypeId::UINT,
        }
    }

    pub(super) fn promote(&mut self, expr: ExprId) -> ExprId {
        let ty = self.promoted(expr);
        self.convert(expr, ty)
    }

    /// The common type of two arithmetic operands.
    pub(super) fn common_type(&self, left: ExprId, right: ExprId) -> TypeId {
        for floating in [TypeId::LONG_DOUBLE, TypeId::DOUBLE, TypeId::FLOAT] {
            if self.ty(left) == floating || self.ty(right) == floating {
                return floating;
            }
        }
        let (one, other) = (self.promoted(left), self.promoted(right));
        // Where bit-fields have types of their own width, the wider operand decides.
        if self.field_width(left).is_some() || self.field_width(right).is_some() {
            let bits = |ty: TypeId| self.types().integer(ty).map_or(0, |integer| integer.bits);
            let of = |expr: ExprId, ty: TypeId| self.field_width(expr).unwrap_or_else(|| bits(ty));
            match of(left, one).cmp(&of(right, other)) {
                std::cmp::Ordering::Greater => return one,
                std::cmp::Ordering::Less => return other,
                std::cmp::Ordering::Equal => {}
            }
        }
        self.common_integer(one, other)
    }

    fn common_integer(&self, left: TypeId, right: TypeId) -> TypeId {
        let (Type::Integer(a), Type::Integer(b)) = (self.types().kind(left).clone(), self.types().kind(right).clone())
        else {
            return left;
        };
        if a == b {
            return left;
        }
        let (wide_a, wide_b) = (self.types().width(a), self.types().width(b));
        if wide_a.signed == wide_b.signed {
            return if a > b { left } else { right };
        }
        let (unsigned, unsigned_width, signed, signed_width) = if wide_a.signed {
            ((b, right), wide_b, (a, left), wide_a)
        } else {
            ((a, left), wide_a, (b, right), wide_b)
        };
        if rank(unsigned.0) >= rank(signed.0) {
            unsigned.1
        } else if signed_width.bits > unsigned_width.bits {
            signed.1
        } else {
            match signed.0 {
                IntegerKind::Long => TypeId::ULONG,
                IntegerKind::LLong => TypeId::ULLONG,
                IntegerKind::Int128 => TypeId::UINT128,
                _ => TypeId::UINT,
            }
        }
    }

    /// Both operands in their common type.
    pub(super) fn balance(&mut self, left: ExprId, right: ExprId, span: Span) -> Checked<(ExprId, ExprId, TypeId)> {
        let ty = self.common_type(left, right);
        let width = self.common_field_width(left, right);
        let (mut left, mut right) = (self.convert(left, ty), self.convert(right, ty));
        if let Some(width) = width {
            (left, right) = (self.cut_to(left, width, span)?, self.cut_to(right, width, span)?);
        }
        Ok((left, right, ty))
    }

    /// Converts as an assignment to a type does, and says what is questionable.
    pub(super) fn convert_for(&mut self, expr: ExprId, ty: TypeId, span: Span, what: &str) -> Checked<ExprId> {
        let to = ty.unqualified();
        let from = self.ty(expr);
        if from == to {
            return Ok(expr);
        }
        let types = self.types();
        let mut warning = None;
        let fits = match (types.kind(from), types.kind(to)) {
            _ if types.is_arithmetic(from) && types.is_arithmetic(to) => true,
            (Type::Pointer(_), Type::Bool) => true,
            (Type::Pointer(a), Type::Pointer(b)) => {
                let (a, b) = (*a, *b);
                let void = a.unqualified() == TypeId::VOID || b.unqualified() == TypeId::VOID;
                if self.is_null_constant(expr) {
                } else if !void && !types.compatible(a.unqualified(), b.unqualified()) && !self.same_width(a, b) {
                    warning = Some(format!("{what}: `{}` becomes `{}`", types.show(from), types.show(to)));
                } else if a.is_const() && !b.is_const() {
                    warning =
                        Some(format!("{what}: `const` is lost, `{}` becomes `{}`", types.show(from), types.show(to)));
                }
                true
            }
            (_, Type::Pointer(_)) if types.is_integer(from) => {
                if !self.is_null_constant(expr) {
                    warning = Some(format!(
                        "{what}: the integer of type `{}` becomes `{}`",
                        types.show(from),
                        types.show(to)
                    ));
                }
                true
            }
            (Type::Pointer(_), _) if types.is_integer(to) => {
                warning =
                    Some(format!("{what}: the pointer of type `{}` becomes `{}`", types.show(from), types.show(to)));
                true
            }
            (Type::Record(_), Type::Record(_)) => types.compatible(from, to),
            (Type::VaList, Type::VaList) => true,
            _ => false,
        };
        if !fits {
            if let Some(member) = self.transparent_member(expr, to) {
                return Ok(member);
            }
            let message = format!("{what}: `{}` does not become `{}`", self.types().show(from), self.types().show(to));
            return self.error(&codes::TYPE, span, message);
        }
        if let Some(message) = warning {
            self.warn(&codes::CONVERSION, span, message);
        }
        Ok(self.convert(expr, to))
    }

    /// Pointers to characters of either sign, which compilers convert with a warning that few heed.
    fn same_width(&self, left: TypeId, right: TypeId) -> bool {
        let (left, right) = (self.types().integer(left), self.types().integer(right));
        left.is_some() && left.map(|left| left.bits) == right.map(|right| right.bits)
    }

    /// A pointer passed for a union declared transparent, as for `wait` and `bind`.
    fn transparent_member(&mut self, expr: ExprId, to: TypeId) -> Option<ExprId> {
        let Type::Record(id) = *self.types().kind(to) else { return None };
        let record = self.types().record(id);
        let (true, Some(layout)) = (record.union && self.types().is_pointer(self.ty(expr)), &record.layout) else {
            return None;
        };
        let pointers = layout.fields.iter().all(|field| self.types().is_pointer(field.ty));
        let size = layout.size;
        if !pointers || size != u64::from(self.types().model().pointer) {
            return None;
        }
        let span = Span::default();
        let variable = self.temporary(to, span);
        let ty = self.ty(expr);
        let place =
            crate::expr::Place { base: crate::expr::Base::Variable(variable), steps: Vec::new(), ty, bits: None };
        let place = self.push_place(place);
        self.assign(place, expr, span);
        Some(self.load_variable(variable))
    }
}

/// The rank: signed and unsigned types have the same.
fn rank(kind: IntegerKind) -> u8 {
    match kind {
        IntegerKind::Char | IntegerKind::SChar | IntegerKind::UChar => 0,
        IntegerKind::Short | IntegerKind::UShort => 1,
        IntegerKind::Int | IntegerKind::UInt => 2,
        IntegerKind::Long | IntegerKind::ULong => 3,
        IntegerKind::LLong | IntegerKind::ULLong => 4,
        IntegerKind::Int128 | IntegerKind::UInt128 => 5,
    }
}
