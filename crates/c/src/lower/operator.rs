//! Operators on lowered operands.

use source::Span;

use super::fold::{self, Extended, Floating};
use super::{Checked, Lowerer};
use crate::codes;
use crate::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::extended;
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    pub(super) fn unary_operator(&mut self, operator: UnaryOp, operand: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.ty(operand);
        let fits =
            if operator == UnaryOp::Complement { self.types().is_integer(ty) } else { self.types().is_arithmetic(ty) };
        if !fits {
            let message = format!("this operator does not take `{}`", self.types().show(ty));
            return self.error(&codes::TYPE, span, message);
        }
        let width = self.field_width(operand);
        let operand = self.promote(operand);
        let ty = self.ty(operand);
        let folded = match self.program.expr(operand).kind {
            ExprKind::Integer(value) => {
                let integer = self.types().integer(ty).expect("integer constants have integer types");
                fold::unary(operator, integer, value).map(ExprKind::Integer)
            }
            ExprKind::Float(value) => Some(ExprKind::Float(-value)),
            ExprKind::Extended(bits) => Some(ExprKind::Extended(extended::negate(bits))),
            _ => None,
        };
        let value = self.push(folded.unwrap_or(ExprKind::Unary(operator, operand)), ty);
        match width {
            Some(width) => self.cut_to(value, width, span),
            None => Ok(value),
        }
    }

    pub(super) fn binary_operator(
        &mut self,
        operator: BinaryOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Checked<ExprId> {
        use BinaryOp::*;
        let (a, b) = (self.ty(left), self.ty(right));
        let pointers = (self.types().is_pointer(a), self.types().is_pointer(b));
        match operator {
            Add if pointers == (true, false) && self.types().is_integer(b) => self.offset(left, right, false, span),
            Add if pointers == (false, true) && self.types().is_integer(a) => self.offset(right, left, false, span),
            Subtract if pointers == (true, false) && self.types().is_integer(b) => self.offset(left, right, true, span),
            Subtract if pointers == (true, true) => self.difference(left, right, span),
            Equal | Unequal | Less | LessEqual | Greater | GreaterEqual if pointers.0 || pointers.1 => {
                self.compare_pointers(operator, left, right, span)
            }
            ShiftLeft | ShiftRight => self.shift(operator, left, right, span),
            Add | Subtract | Multiply | Divide | Equal | Unequal | Less | LessEqual | Greater | GreaterEqual => {
                if !self.types().is_arithmetic(a) || !self.types().is_arithmetic(b) {
                    return self.misfit(a, b, span);
                }
                self.arithmetic(operator, left, right, span)
            }
            Remainder | And | Or | Xor => {
                if !self.types().is_integer(a) || !self.types().is_integer(b) {
                    return self.misfit(a, b, span);
                }
                self.arithmetic(operator, left, right, span)
            }
        }
    }

    fn misfit<T>(&self, left: TypeId, right: TypeId, span: Span) -> Checked<T> {
        let message =
            format!("this operator does not take `{}` and `{}`", self.types().show(left), self.types().show(right));
        self.error(&codes::TYPE, span, message)
    }

    fn arithmetic(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let width = self.common_field_width(left, right).filter(|_| !operator.compares());
        let (left, right, ty) = self.balance(left, right, span)?;
        let result = if operator.compares() { TypeId::INT } else { ty };
        let folded = match (&self.program.expr(left).kind, &self.program.expr(right).kind) {
            (ExprKind::Integer(a), ExprKind::Integer(b)) => {
                let integer = self.types().integer(ty).expect("integer constants have integer types");
                fold::integer(operator, integer, *a, *b).map(ExprKind::Integer)
            }
            (ExprKind::Float(a), ExprKind::Float(b)) => match fold::floating(operator, ty == TypeId::FLOAT, *a, *b) {
                Some(Floating::Number(number)) => Some(ExprKind::Float(number)),
                Some(Floating::Truth(truth)) => Some(ExprKind::Integer(i128::from(truth))),
                None => None,
            },
            (ExprKind::Extended(a), ExprKind::Extended(b)) => match fold::extended(operator, *a, *b) {
                Some(Extended::Number(number)) => Some(ExprKind::Extended(number)),
                Some(Extended::Truth(truth)) => Some(ExprKind::Integer(i128::from(truth))),
                None => None,
            },
            _ => None,
        };
        let value = self.push(folded.unwrap_or(ExprKind::Binary(operator, left, right)), result);
        match width {
            Some(width) => self.cut_to(value, width, span),
            None => Ok(value),
        }
    }

    fn shift(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        if !self.types().is_integer(a) || !self.types().is_integer(b) {
            return self.misfit(a, b, span);
        }
        let width = self.field_width(left);
        let (left, right) = (self.promote(left), self.promote(right));
        let ty = self.ty(left);
        let integer = self.types().integer(ty).expect("checked above");
        let folded = match (self.constant(left), self.constant(right)) {
            (Some(a), Some(b)) => fold::integer(operator, integer, a, b),
            _ => None,
        };
        let value = self.push(folded.map_or(ExprKind::Binary(operator, left, right), ExprKind::Integer), ty);
        match width {
            Some(width) => self.cut_to(value, width, span),
            None => Ok(value),
        }
    }

    /// Bytes of what a pointer points to; `void` and functions count as one byte, as in GNU C.
    pub(super) fn stride(&self, pointer: TypeId, span: Span) -> Checked<u64> {
        let target = self.types().target(pointer).expect("a pointer");
        match self.types().kind(target) {
            Type::Void | Type::Function { .. } => Ok(1),
            _ => match self.types().size(target) {
                Some(size) => Ok(size),
                None => {
                    let message = format!("`{}` has no known size", self.types().show(target));
                    self.error(&codes::TYPE, span, message)
                }
            },
        }
    }

    pub(super) fn offset(&mut self, pointer: ExprId, index: ExprId, negative: bool, span: Span) -> Checked<ExprId> {
        if let Some(moved) = self.variable_offset(pointer, index, negative, span) {
            return moved;
        }
        let ty = self.ty(pointer);
        let stride = self.stride(ty, span)?;
        let index = self.promote(index);
        if self.constant(index) == Some(0) {
            return Ok(pointer);
        }
        // A number used as a pointer, as in `(char *)0 + 4`.
        if let (ExprKind::Integer(base), Some(count)) = (&self.program.expr(pointer).kind, self.constant(index)) {
            let bytes = count.wrapping_mul(i128::from(stride));
            let moved = if negative { base.wrapping_sub(bytes) } else { base.wrapping_add(bytes) };
            let bits = u32::from(self.types().model().pointer) * 8;
            let moved = crate::types::Integer { bits, signed: false }.wrap(moved);
            return Ok(self.push(ExprKind::Integer(moved), ty));
        }
        Ok(self.push(ExprKind::Offset { pointer, index, stride, negative }, ty))
    }

    fn difference(&mut self, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        let (to_a, to_b) = (self.types().target(a).expect("a pointer"), self.types().target(b).expect("a pointer"));
        if !self.types().compatible(to_a, to_b) {
            return self.misfit(a, b, span);
        }
        if let Some(difference) = self.variable_difference(left, right, span) {
            return difference;
        }
        let stride = self.stride(a, span)?;
        if stride == 0 {
            return self.error(&codes::TYPE, span, "pointers to objects of no size have no difference");
        }
        let ty = self.types().difference_type();
        if let (ExprKind::Integer(a), ExprKind::Integer(b)) =
            (&self.program.expr(left).kind, &self.program.expr(right).kind)
        {
            let value = (a - b) / i128::from(stride);
            return Ok(self.int(value, ty));
        }
        Ok(self.push(ExprKind::Difference { left, right, stride }, ty))
    }

    fn compare_pointers(&mut self, operator: BinaryOp, left: ExprId, right: ExprId, span: Span) -> Checked<ExprId> {
        let (a, b) = (self.ty(left), self.ty(right));
        let ordinary = matches!(operator, BinaryOp::Equal | BinaryOp::Unequal);
        let ty = match (self.types().target(a), self.types().target(b)) {
            (Some(to_a), Some(to_b)) => {
                let void = to_a.unqualified() == TypeId::VOID || to_b.unqualified() == TypeId::VOID;
                if !void && !self.types().compatible(to_a.unqualified(), to_b.unqualified()) {
                    let message = format!("`{}` is compared with `{}`", self.types().show(a), self.types().show(b));
                    self.warn(&codes::CONVERSION, span, message);
                }
                a
            }
            (Some(_), None) if self.types().is_integer(b) => a,
            (None, Some(_)) if self.types().is_integer(a) => b,
            _ => return self.misfit(a, b, span),
        };
        let mixed = self.types().is_integer(a) || self.types().is_integer(b);
        if mixed && !(self.is_null_constant(left) || self.is_null_constant(right)) {
            self.warn(&codes::CONVERSION, span, "a pointer is compared with an integer");
        }
        let (left, right) = (self.convert(left, ty), self.convert(right, ty));
        let (x, y) = (self.program.expr(left).kind.clone(), self.program.expr(right).kind.clone());
        if let (ExprKind::Integer(x), ExprKind::Integer(y)) = (x, y)
            && ordinary
        {
            return Ok(self.int(i128::from((x == y) == (operator == BinaryOp::Equal)), TypeId::INT));
        }
        if ordinary
            && let (Some(true), Some(false)) | (Some(false), Some(true)) =
                (self.constant_truth(left), self.constant_truth(right))
        {
            return Ok(self.int(i128::from(operator == BinaryOp::Unequal), TypeId::INT));
        }
        Ok(self.push(ExprKind::Binary(operator, left, right), TypeId::INT))
    }

    /// Whether a scalar is zero, as an `int`.
    pub(super) fn is_zero(&mut self, operand: ExprId, span: Span) -> Checked<ExprId> {
        if let Some(truth) = self.constant_truth(operand) {
            return Ok(self.int(i128::from(!truth), TypeId::INT));
        }
        self.require_scalar(operand, span)?;
        let zero = self.zero_like(operand);
        Ok(self.push(ExprKind::Binary(BinaryOp::Equal, zero.0, zero.1), TypeId::INT))
    }

    /// The operand, promoted, and a zero of its type.
    fn zero_like(&mut self, operand: ExprId) -> (ExprId, ExprId) {
        let operand = if self.types().is_integer(self.ty(operand)) { self.promote(operand) } else { operand };
        let ty = self.ty(operand);
        let zero = if ty == TypeId::LONG_DOUBLE {
            self.push(ExprKind::Extended(0), ty)
        } else if self.types().is_floating(ty) {
            self.push(ExprKind::Float(0.0), ty)
        } else {
            self.int(0, ty)
        };
        (operand, zero)
    }

    pub(super) fn require_scalar(&self, operand: ExprId, span: Span) -> Checked<()> {
        let ty = self.ty(operand);
        if self.types().is_scalar(ty) {
            return Ok(());
        }
        let message = format!("a number or a pointer should be here, not `{}`", self.types().show(ty));
        self.error(&codes::TYPE, span, message)
    }
}
