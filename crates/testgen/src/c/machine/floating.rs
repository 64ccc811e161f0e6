//! Floating numbers.

use c::expr::BinaryOp;
use c::types::{Type, TypeId};

use super::{Dead, Machine};
use crate::c::state::State;
use crate::c::value::Value;

impl Machine<'_> {
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
        _operator: BinaryOp,
        _ty: TypeId,
        _left: &Value,
        _right: &Value,
        _result: TypeId,
    ) -> Result<Value, Dead> {
        self.not_followed(state, "floating numbers are computed with")
    }

    pub(super) fn to_floating(
        &mut self,
        state: &State,
        _from: TypeId,
        _to: TypeId,
        _value: &Value,
    ) -> Result<Value, Dead> {
        self.not_followed(state, "a number is made a floating number")
    }

    pub(super) fn from_floating(
        &mut self,
        state: &State,
        _from: TypeId,
        _to: TypeId,
        _value: &Value,
    ) -> Result<Value, Dead> {
        self.not_followed(state, "a floating number is made an integer")
    }
}
