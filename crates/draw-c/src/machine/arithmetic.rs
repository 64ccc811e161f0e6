//! Operators on numbers and pointers, with C's rules about what is undefined.

use crate::Undefined;
use c::expr::BinaryOp;
use c::interp::Fault;
use c::types::{Integer, TypeId};
use smt::{Op, Term};

use super::{Dead, Machine};
use crate::range::{Range, signed_bits};
use crate::state::State;
use crate::value::{ELSEWHERE, NULL, Pointer, Value};

impl Machine<'_> {
    pub(super) fn binary(
        &mut self,
        state: &State,
        operator: BinaryOp,
        (left_type, left): (TypeId, &Value),
        (right_type, right): (TypeId, &Value),
        result: TypeId,
    ) -> Result<Value, Dead> {
        if self.program.types.is_pointer(left_type) || self.program.types.is_pointer(right_type) {
            let (left, right) = (self.as_pointer(state, left)?, self.as_pointer(state, right)?);
            let truth = self.compare_pointers(state, operator, &left, &right)?;
            return Ok(self.truth_value(truth, result));
        }
        if self.is_floating(left_type) {
            return self.floating(state, operator, left_type, left, right, result);
        }
        let (left, right) = (self.integer(state, left)?, self.integer(state, right)?);
        let Some(integer) = self.program.types.integer(left_type) else {
            return self.not_followed(state, "an operator on something that is not a number");
        };
        if operator.compares() {
            let truth = self.compare(operator, integer.signed, left, right);
            return Ok(self.truth_value(truth, result));
        }
        Ok(Value::Bits(match operator {
            BinaryOp::Add | BinaryOp::Subtract => self.sum(state, operator, integer, left, right)?,
            BinaryOp::Multiply => self.product(state, integer, left, right)?,
            BinaryOp::Divide | BinaryOp::Remainder => self.quotient(state, operator, integer, left, right)?,
            BinaryOp::ShiftLeft | BinaryOp::ShiftRight => {
                let amount = self.program.types.integer(right_type).unwrap_or(integer);
                self.shift(state, operator, integer, left, (amount, right))?
            }
            BinaryOp::And => self.cells.build.app(Op::BvAnd, &[left, right]),
            BinaryOp::Or => self.cells.build.app(Op::BvOr, &[left, right]),
            BinaryOp::Xor => self.cells.build.app(Op::BvXor, &[left, right]),
            BinaryOp::Equal
            | BinaryOp::Unequal
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => unreachable!("comparisons were handled"),
        }))
    }

    pub(super) fn truth_value(&mut self, truth: Term, ty: TypeId) -> Value {
        let bits = self.program.types.integer(ty).map_or(32, |integer| integer.bits);
        Value::Bits(self.cells.build.truth_bits(truth, bits))
    }

    fn compare(&mut self, operator: BinaryOp, signed: bool, left: Term, right: Term) -> Term {
        let build = &mut self.cells.build;
        match (operator, signed) {
            (BinaryOp::Equal, _) => build.eq(left, right),
            (BinaryOp::Unequal, _) => {
                let equal = build.eq(left, right);
                build.not(equal)
            }
            (BinaryOp::Less, true) => build.app(Op::BvSlt, &[left, right]),
            (BinaryOp::Less, false) => build.app(Op::BvUlt, &[left, right]),
            (BinaryOp::LessEqual, true) => build.app(Op::BvSle, &[left, right]),
            (BinaryOp::LessEqual, false) => build.app(Op::BvUle, &[left, right]),
            (BinaryOp::Greater, true) => build.app(Op::BvSgt, &[left, right]),
            (BinaryOp::Greater, false) => build.app(Op::BvUgt, &[left, right]),
            (BinaryOp::GreaterEqual, true) => build.app(Op::BvSge, &[left, right]),
            (BinaryOp::GreaterEqual, false) => build.app(Op::BvUge, &[left, right]),
            _ => unreachable!("only comparisons compare"),
        }
    }

    /// Pointers into different objects are unequal and have no order.
    fn compare_pointers(
        &mut self,
        state: &State,
        operator: BinaryOp,
        left: &Pointer,
        right: &Pointer,
    ) -> Result<Term, Dead> {
        // Whether something that was not built is shared with another object is not known.
        for (one, other) in [(left, right), (right, left)] {
            if one.targets.contains(&ELSEWHERE) && other.targets.iter().any(|&target| target != NULL) {
                let away = self.cells.build.points_to(one, ELSEWHERE);
                let null = self.cells.build.points_to(other, NULL);
                let somewhere = self.cells.build.not(null);
                let unknown = self.cells.build.and(away, somewhere);
                self.unsupported(state, unknown, "pointers that are inputs are compared")?;
            }
        }
        let same = self.cells.build.same_pointer(left, right);
        match operator {
            BinaryOp::Equal => return Ok(same),
            BinaryOp::Unequal => return Ok(self.cells.build.not(same)),
            _ => {}
        }
        let one = self.cells.build.eq(left.base, right.base);
        self.defined(state, one, Fault::DifferentObjects)?;
        if !operator.compares() {
            return self.not_followed(state, "arithmetic on two pointers");
        }
        // A pointer before its object has a negative offset.
        Ok(self.compare(operator, true, left.offset, right.offset))
    }

    fn sum(
        &mut self,
        state: &State,
        operator: BinaryOp,
        integer: Integer,
        left: Term,
        right: Term,
    ) -> Result<Term, Dead> {
        let op = if operator == BinaryOp::Add { Op::BvAdd } else { Op::BvSub };
        let result = self.cells.build.app(op, &[left, right]);
        let ranges = self.cells.build.range(left).zip(self.cells.build.range(right));
        let fits = ranges.is_some_and(|(left, right)| {
            let (signed, _) = if operator == BinaryOp::Add { left.plus(right) } else { left.minus(right) };
            Range::fits(signed, integer.bits)
        });
        if integer.signed && !fits {
            // Overflow shows in the signs: adding, both operands differ from the result.
            let top = integer.bits - 1;
            let build = &mut self.cells.build;
            let signs = [left, right, result].map(|term| build.bit(term, top));
            let same = build.eq(signs[0], signs[1]);
            let changed = build.eq(signs[0], signs[2]);
            let changed = build.not(changed);
            let prone = if operator == BinaryOp::Add { same } else { build.not(same) };
            let overflow = build.and(prone, changed);
            let fine = build.not(overflow);
            self.fits_or_wraps(state, fine, Fault::SignedOverflow)?;
        }
        Ok(result)
    }

    fn product(&mut self, state: &State, integer: Integer, left: Term, right: Term) -> Result<Term, Dead> {
        let build = &mut self.cells.build;
        let ranges = build.range(left).zip(build.range(right));
        let product = ranges.map(|(left, right)| left.times(right));
        if !integer.signed || product.is_some_and(|product| Range::fits(product, integer.bits)) {
            return Ok(build.product(left, right));
        }
        let constants = (build.signed_constant(left), build.signed_constant(right));
        let bits = integer.bits;
        // The wide product tells overflow; its lower half is the result.
        let (factor, wide_bits) = match constants {
            (Some(number), None) | (None, Some(number)) => {
                (Some(number), bits + 128 - number.unsigned_abs().leading_zeros() + 1)
            }
            _ => {
                let needed = product.map(|[least, most]| signed_bits(least).max(signed_bits(most)));
                (None, needed.unwrap_or(2 * bits))
            }
        };
        if factor == Some(0) {
            return Ok(build.bits(bits, 0));
        }
        let (wide_left, wide_right) = (build.resize(left, wide_bits, true), build.resize(right, wide_bits, true));
        let wide = build.app(Op::BvMul, &[wide_left, wide_right]);
        let result = build.extract(wide, bits - 1, 0);
        let back = build.resize(result, wide_bits, true);
        let fine = build.eq(back, wide);
        self.fits_or_wraps(state, fine, Fault::SignedOverflow)?;
        Ok(result)
    }

    fn quotient(
        &mut self,
        state: &State,
        operator: BinaryOp,
        integer: Integer,
        left: Term,
        right: Term,
    ) -> Result<Term, Dead> {
        let divides = self.cells.build.non_zero(right);
        self.defined(state, divides, Fault::DivisionByZero)?;
        if integer.signed {
            let smallest = self.cells.build.bits(integer.bits, integer.min());
            let minus_one = self.cells.build.bits(integer.bits, -1);
            let left_smallest = self.cells.build.eq(left, smallest);
            let right_minus_one = self.cells.build.eq(right, minus_one);
            let overflow = self.cells.build.and(left_smallest, right_minus_one);
            let fine = self.cells.build.not(overflow);
            self.defined(state, fine, Fault::SignedOverflow)?;
        }
        let op = match (operator == BinaryOp::Divide, integer.signed) {
            (true, true) => Op::BvSdiv,
            (true, false) => Op::BvUdiv,
            (false, true) => Op::BvSrem,
            (false, false) => Op::BvUrem,
        };
        Ok(self.cells.build.quotient(op, left, right))
    }

    fn shift(
        &mut self,
        state: &State,
        operator: BinaryOp,
        integer: Integer,
        left: Term,
        (amount_type, amount): (Integer, Term),
    ) -> Result<Term, Dead> {
        let bits = integer.bits;
        let wide_bits = bits.max(amount_type.bits);
        let wide = self.cells.build.resize(amount, wide_bits, amount_type.signed);
        let limit = self.cells.build.bits(wide_bits, i128::from(bits));
        let small = self.cells.build.app(Op::BvUlt, &[wide, limit]);
        // Machines look at the lowest bits of the count only.
        let goes_on = self.settings.undefined == Undefined::GoOn;
        if !goes_on {
            self.defined(state, small, Fault::Shift)?;
        }
        let mut amount = self.cells.build.resize(wide, bits, false);
        if goes_on {
            let mask = self.cells.build.bits(bits, i128::from(bits - 1));
            amount = self.cells.build.app(Op::BvAnd, &[amount, mask]);
        }
        if operator == BinaryOp::ShiftRight {
            let op = if integer.signed { Op::BvAshr } else { Op::BvLshr };
            return Ok(self.cells.build.app(op, &[left, amount]));
        }
        let result = self.cells.build.app(Op::BvShl, &[left, amount]);
        let ranges = self.cells.build.range(left).zip(self.cells.build.range(amount));
        let fits = ranges.is_some_and(|(left, amount)| {
            let most = i128::from(left.most) << amount.high.min(63);
            0 <= left.least && Range::fits([0, most], bits)
        });
        if integer.signed && !fits {
            // The value must not be negative, and no bit may be lost.
            let negative = self.cells.build.bit(left, bits - 1);
            let back = self.cells.build.app(Op::BvAshr, &[result, amount]);
            let kept = self.cells.build.eq(back, left);
            let positive = self.cells.build.not(negative);
            let fine = self.cells.build.and(positive, kept);
            self.fits_or_wraps(state, fine, Fault::Shift)?;
        }
        Ok(result)
    }
}
