//! Bit-fields wider than `int`: as gcc has it, such a field has a type of just its width, and arithmetic is done in that width.

use source::Span;

use super::{Checked, Lowerer};
use crate::expr::{BinaryOp, ExprId, ExprKind};
use crate::types::{IntegerKind, TypeId};

impl Lowerer<'_> {
    /// The width of a value that is computed in the width of a bit-field; none for all others.
    pub(super) fn field_width(&self, expr: ExprId) -> Option<u32> {
        if let Some(width) = self.field_widths.get(&expr) {
            return Some(*width);
        }
        let ExprKind::Load(place) = self.program.expr(expr).kind else { return None };
        let (bits, integer) = (self.program.place(place).bits?, self.types().integer(self.ty(expr))?);
        let wide = bits.width > self.types().width(IntegerKind::Int).bits && bits.width < integer.bits;
        wide.then_some(bits.width)
    }

    /// The width in which two operands are computed, if that is the width of a bit-field.
    pub(super) fn common_field_width(&self, left: ExprId, right: ExprId) -> Option<u32> {
        let width_of = |expr: ExprId| {
            let bits = self.types().integer(self.promoted(expr)).map(|integer| integer.bits);
            self.field_width(expr).or(bits)
        };
        let widest = width_of(left)?.max(width_of(right)?);
        let is_field = |expr: ExprId| self.field_width(expr) == Some(widest);
        (is_field(left) || is_field(right)).then_some(widest)
    }

    /// The lowest bits of a value, as a value of so many bits.
    pub(super) fn cut_to(&mut self, value: ExprId, width: u32, span: Span) -> Checked<ExprId> {
        let ty = self.ty(value);
        let Some(integer) = self.types().integer(ty).filter(|integer| width < integer.bits) else { return Ok(value) };
        let cut = if let Some(constant) = self.constant(value) {
            let own = crate::types::Integer { bits: width, signed: integer.signed };
            self.int(own.wrap(constant), ty)
        } else if integer.signed {
            let count = self.int(i128::from(integer.bits - width), TypeId::INT);
            let bits = self.convert(value, TypeId::ULLONG);
            let high = self.binary_operator(BinaryOp::ShiftLeft, bits, count, span)?;
            let high = self.convert(high, ty);
            self.binary_operator(BinaryOp::ShiftRight, high, count, span)?
        } else {
            let mask = self.int((1i128 << width) - 1, ty);
            self.binary_operator(BinaryOp::And, value, mask, span)?
        };
        self.field_widths.insert(cut, width);
        Ok(cut)
    }
}
