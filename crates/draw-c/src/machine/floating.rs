//! Floating numbers.

use c::expr::BinaryOp;
use c::interp::Fault;
use c::types::{Type, TypeId};

use super::{Dead, Machine};
use crate::float::{DOUBLE, Format, SINGLE};
use crate::state::State;
use crate::value::Value;

impl Machine<'_> {
    fn format(&self, ty: TypeId) -> Option<Format> {
        match self.program.types.kind(ty) {
            Type::Float => Some(SINGLE),
            Type::Double => Some(DOUBLE),
            _ => None,
        }
    }

    pub(super) fn float_constant(&mut self, state: &State, ty: TypeId, number: f64) -> Result<Value, Dead> {
        match self.program.types.kind(ty) {
            Type::Float => Ok(Value::Bits(self.cells.build.bits(32, i128::from((number as f32).to_bits())))),
            Type::Double => Ok(Value::Bits(self.cells.build.bits(64, i128::from(number.to_bits())))),
            _ => self.not_followed(state, "`long double` is used"),
        }
    }

    pub(super) fn floating(
        &mut self,
        state: &State,
        operator: BinaryOp,
        ty: TypeId,
        left: &Value,
        right: &Value,
        result: TypeId,
    ) -> Result<Value, Dead> {
        let Some(format) = self.format(ty) else { return self.not_followed(state, "`long double` is used") };
        let (left, right) = (self.integer(state, left)?, self.integer(state, right)?);
        let build = &mut self.cells.build;
        let truth = match operator {
            BinaryOp::Add => return Ok(Value::Bits(build.float_add(format, left, right))),
            BinaryOp::Subtract => return Ok(Value::Bits(build.float_subtract(format, left, right))),
            BinaryOp::Multiply => return Ok(Value::Bits(build.float_multiply(format, left, right))),
            BinaryOp::Divide => return Ok(Value::Bits(build.float_divide(format, left, right))),
            BinaryOp::Equal => build.float_equal(format, left, right),
            BinaryOp::Unequal => {
                let equal = build.float_equal(format, left, right);
                build.not(equal)
            }
            BinaryOp::Less => build.float_less(format, left, right),
            BinaryOp::Greater => build.float_less(format, right, left),
            BinaryOp::LessEqual | BinaryOp::GreaterEqual => {
                let (low, high) = if operator == BinaryOp::LessEqual { (left, right) } else { (right, left) };
                let less = build.float_less(format, low, high);
                let equal = build.float_equal(format, low, high);
                build.or(less, equal)
            }
            BinaryOp::Remainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => return self.not_followed(state, "an operator that floating numbers do not have"),
        };
        Ok(self.truth_value(truth, result))
    }

    pub(super) fn made_floating(
        &mut self,
        state: &State,
        from: TypeId,
        to: TypeId,
        value: &Value,
    ) -> Result<Value, Dead> {
        let Some(format) = self.format(to) else { return self.not_followed(state, "`long double` is used") };
        let bits = self.integer(state, value)?;
        if let Some(integer) = self.program.types.integer(from) {
            return Ok(Value::Bits(self.cells.build.float_from_integer(format, bits, integer.signed)));
        }
        let Some(old) = self.format(from) else { return self.not_followed(state, "`long double` is used") };
        Ok(Value::Bits(self.cells.build.float_convert(old, format, bits)))
    }

    pub(super) fn cut_to_integer(
        &mut self,
        state: &State,
        from: TypeId,
        to: TypeId,
        value: &Value,
    ) -> Result<Value, Dead> {
        let (Some(format), Some(integer)) = (self.format(from), self.program.types.integer(to)) else {
            return self.not_followed(state, "`long double` is used");
        };
        let bits = self.integer(state, value)?;
        let (number, fits) = self.cells.build.float_to_integer(format, bits, integer.bits, integer.signed);
        self.defined(state, fits, Fault::FloatToInteger)?;
        Ok(Value::Bits(number))
    }
}
