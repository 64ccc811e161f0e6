//! Expressions: values, and what must hold for them to be defined.

use c::expr::{Base, ExprId, ExprKind, PlaceId, Step as PlaceStep, UnaryOp};
use c::interp::Fault;
use c::program::VariableId;
use c::types::{Type, TypeId};
use rustc_hash::FxHashMap;
use smt::{Op, Term};

use super::{Dead, Machine};
use crate::object::Offset;
use crate::settings::Undefined;
use crate::state::State;
use crate::value::{NULL, Pointer, Value};

/// The values of the expressions below one that is being evaluated.
pub(super) type Values = FxHashMap<ExprId, Value>;

impl Machine<'_> {
    /// The value of an expression.
    pub(super) fn evaluate(&mut self, state: &State, root: ExprId) -> Result<Value, Dead> {
        let mut values = self.operands(state, &[root])?;
        Ok(values.remove(&root).expect("the root was evaluated"))
    }

    /// The values of expressions and of everything below them. Children have smaller numbers than their parents.
    pub(super) fn operands(&mut self, state: &State, roots: &[ExprId]) -> Result<Values, Dead> {
        let mut needed: Vec<ExprId> = Vec::new();
        let mut open: Vec<ExprId> = roots.to_vec();
        while let Some(id) = open.pop() {
            needed.push(id);
            match &self.program.expr(id).kind {
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => {}
                ExprKind::Load(place) | ExprKind::Address(place) => self.program.operands_of_place(*place, &mut open),
                ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => open.push(*operand),
                ExprKind::Binary(_, left, right) | ExprKind::Difference { left, right, .. } => {
                    open.extend([*left, *right]);
                }
                ExprKind::Offset { pointer, index, .. } => open.extend([*pointer, *index]),
            }
        }
        needed.sort_unstable();
        needed.dedup();
        let mut values = Values::default();
        for id in needed {
            let value = self.value(state, id, &values)?;
            values.insert(id, value);
        }
        Ok(values)
    }

    /// Whether a scalar expression is not zero.
    pub(super) fn truth(&mut self, state: &State, expression: ExprId) -> Result<Term, Dead> {
        let ty = self.program.expr(expression).ty;
        let value = self.evaluate(state, expression)?;
        self.is_non_zero(state, ty, &value)
    }

    /// The value of a variable as it is passed to a function: of an array the address of its first element.
    pub(super) fn passed(&mut self, state: &State, variable: VariableId) -> Result<Value, Dead> {
        let ty = self.program.variable(variable).ty;
        let object = self.variable_object(state, variable);
        let offset = Offset::at(&mut self.cells, 0);
        let pointer = self.cells.build.pointer(object, offset.term);
        match self.program.types.kind(ty) {
            Type::Array { .. } => Ok(Value::Pointer(pointer)),
            _ => self.load(state, &pointer, offset, ty, None, ty),
        }
    }

    fn is_non_zero(&mut self, state: &State, ty: TypeId, value: &Value) -> Result<Term, Dead> {
        match value {
            Value::Bits(bits) if self.is_floating(ty) => {
                // Both zeros are zero: everything but the sign.
                let magnitude = self.cells.build.extract(*bits, self.cells.build.width(*bits) - 2, 0);
                Ok(self.cells.build.non_zero(magnitude))
            }
            Value::Bits(bits) => Ok(self.cells.build.non_zero(*bits)),
            Value::Pointer(pointer) => Ok(self.cells.build.not_null(pointer)),
            Value::Initial | Value::Record(_) | Value::Unknown => {
                self.not_followed(state, "a value that is not followed is used")
            }
        }
    }

    /// Cuts all executions of a state.
    pub(super) fn not_followed<T>(&mut self, state: &State, what: &str) -> Result<T, Dead> {
        let always = self.cells.build.truth(true);
        let _ = self.unsupported(state, always, what);
        Err(Dead)
    }

    fn value(&mut self, state: &State, id: ExprId, values: &Values) -> Result<Value, Dead> {
        let expression = self.program.expr(id);
        let ty = expression.ty;
        match &expression.kind {
            ExprKind::Integer(number) => Ok(self.constant(ty, *number)),
            ExprKind::Float(number) => self.float_constant(state, ty, *number),
            ExprKind::Extended(_) => self.not_followed(state, "`long double` is used"),
            ExprKind::Load(place) => self.load_place(state, *place, values),
            ExprKind::Address(place) => {
                let (pointer, offset) = self.locate(state, *place, values, true)?;
                let found = self.program.place(*place);
                if let (Base::Pointer(_), Some(&PlaceStep::Index { index, stride, .. })) =
                    (found.base, found.steps.first())
                {
                    let ty = self.program.expr(index).ty;
                    let distance = self.distance(state, ty, &values[&index], stride)?;
                    self.not_from_null(state, &pointer, distance)?;
                }
                Ok(Value::Pointer(Pointer { offset: offset.term, ..pointer }))
            }
            ExprKind::Function(function) => {
                let object = self.functions[function];
                let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
                Ok(Value::Pointer(self.cells.build.pointer(object, zero)))
            }
            ExprKind::Unary(operator, operand) => self.unary(state, *operator, ty, &values[operand]),
            ExprKind::Binary(operator, left, right) => {
                let (left_type, right_type) = (self.program.expr(*left).ty, self.program.expr(*right).ty);
                self.binary(state, *operator, (left_type, &values[left]), (right_type, &values[right]), ty)
            }
            ExprKind::Offset { pointer, index, stride, negative } => {
                let index_type = self.program.expr(*index).ty;
                self.moved(state, &values[pointer], (index_type, &values[index]), *stride, *negative)
            }
            ExprKind::Difference { left, right, stride } => {
                self.difference(state, &values[left], &values[right], *stride, ty)
            }
            ExprKind::Convert(operand) => {
                let from = self.program.expr(*operand).ty;
                self.convert(state, from, ty, &values[operand])
            }
        }
    }

    /// A constant of an integer type, or a pointer made from one.
    pub(super) fn constant(&mut self, ty: TypeId, number: i128) -> Value {
        match self.program.types.integer(ty) {
            Some(integer) => Value::Bits(self.cells.build.bits(integer.bits, number)),
            None => {
                let offset = self.cells.build.bits(self.cells.pointer_bits, number);
                Value::Pointer(self.cells.build.pointer(NULL, offset))
            }
        }
    }

    /// The bits of an integer value.
    pub(super) fn integer(&mut self, state: &State, value: &Value) -> Result<Term, Dead> {
        match value {
            Value::Bits(bits) => Ok(*bits),
            _ => self.not_followed(state, "a pointer is used as a number"),
        }
    }

    /// A value as a pointer.
    pub(super) fn as_pointer(&mut self, state: &State, value: &Value) -> Result<Pointer, Dead> {
        match value {
            Value::Pointer(pointer) => Ok(pointer.clone()),
            Value::Bits(bits) => Ok(self.cells.build.pointer_from_bits(*bits, self.cells.pointer_bits)),
            _ => self.not_followed(state, "a pointer that is not followed is used"),
        }
    }

    fn unary(&mut self, state: &State, operator: UnaryOp, ty: TypeId, operand: &Value) -> Result<Value, Dead> {
        let bits = self.integer(state, operand)?;
        if self.is_floating(ty) {
            return match operator {
                UnaryOp::Negate => {
                    let width = self.cells.build.width(bits);
                    let sign = self.cells.build.bits(width, 1i128 << (width - 1));
                    Ok(Value::Bits(self.cells.build.app(Op::BvXor, &[bits, sign])))
                }
                UnaryOp::Complement => self.not_followed(state, "the complement of a floating number"),
            };
        }
        match operator {
            UnaryOp::Complement => Ok(Value::Bits(self.cells.build.app(Op::BvNot, &[bits]))),
            UnaryOp::Negate => {
                if self.program.types.integer(ty).is_some_and(|integer| integer.signed) {
                    let width = self.cells.build.width(bits);
                    let smallest = self.cells.build.bits(width, i128::MIN >> (128 - width));
                    let overflow = self.cells.build.eq(bits, smallest);
                    let fine = self.cells.build.not(overflow);
                    self.fits_or_wraps(state, fine, Fault::SignedOverflow)?;
                }
                Ok(Value::Bits(self.cells.build.app(Op::BvNeg, &[bits])))
            }
        }
    }

    /// `pointer + index` or `pointer - index`. Only access through it is checked, and that null is not moved.
    fn moved(
        &mut self,
        state: &State,
        pointer: &Value,
        (index_type, index): (TypeId, &Value),
        stride: u64,
        negative: bool,
    ) -> Result<Value, Dead> {
        let pointer = self.as_pointer(state, pointer)?;
        let distance = self.distance(state, index_type, index, stride)?;
        self.not_from_null(state, &pointer, distance)?;
        let op = if negative { Op::BvSub } else { Op::BvAdd };
        let offset = self.cells.build.app(op, &[pointer.offset, distance]);
        Ok(Value::Pointer(Pointer { offset, ..pointer }))
    }

    /// From null nothing but null is reached.
    fn not_from_null(&mut self, state: &State, pointer: &Pointer, distance: Term) -> Result<(), Dead> {
        if self.cells.build.signed_constant(distance) == Some(0) {
            return Ok(());
        }
        let somewhere = self.cells.build.not_null(pointer);
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        let stays = self.cells.build.eq(distance, zero);
        let fine = self.cells.build.or(somewhere, stays);
        self.defined(state, fine, Fault::NullArithmetic)
    }

    /// An index is one of the places of its array. Runs that go on behind undefined behaviour go on here too, within the object.
    fn within(&mut self, state: &State, (ty, index): (TypeId, &Value), places: u64) -> Result<(), Dead> {
        if self.settings.undefined == Undefined::GoOn {
            return Ok(());
        }
        let bits = self.integer(state, index)?;
        let signed = self.program.types.integer(ty).is_some_and(|integer| integer.signed);
        let width = self.cells.pointer_bits.max(self.cells.build.width(bits));
        if i128::MAX >> (128 - width) < i128::from(places) {
            return Ok(());
        }
        // A negative index is a large number without a sign.
        let build = &mut self.cells.build;
        let wide = build.resize(bits, width, signed);
        let end = build.bits(width, i128::from(places));
        let fine = build.app(Op::BvUlt, &[wide, end]);
        self.defined(state, fine, Fault::OutOfBounds)
    }

    /// `index * stride` in the width of pointers.
    pub(super) fn distance(
        &mut self,
        state: &State,
        index_type: TypeId,
        index: &Value,
        stride: u64,
    ) -> Result<Term, Dead> {
        let bits = self.integer(state, index)?;
        let signed = self.program.types.integer(index_type).is_some_and(|integer| integer.signed);
        let width = self.cells.pointer_bits;
        let wide = self.cells.build.resize(bits, width, signed);
        if stride == 1 {
            return Ok(wide);
        }
        let most = self.program.types.integer(index_type).map_or(width, |integer| integer.bits);
        let room = 64 - (stride.max(1) - 1).leading_zeros() + 1;
        if width < most + room && room < width && self.cells.build.constant(wide).is_none() {
            // So far away there is nothing, and the product must not come back from there.
            let low = self.cells.build.extract(wide, width - 1 - room, 0);
            let back = self.cells.build.resize(low, width, true);
            let near = self.cells.build.eq(back, wide);
            self.defined(state, near, Fault::OutOfBounds)?;
        }
        if stride.is_power_of_two() && stride.trailing_zeros() < width {
            let low = stride.trailing_zeros();
            let kept = self.cells.build.extract(wide, width - 1 - low, 0);
            let zeros = self.cells.build.bits(low, 0);
            return Ok(self.cells.build.concat(kept, zeros));
        }
        let factor = self.cells.build.bits(width, i128::from(stride));
        Ok(self.cells.build.product(wide, factor))
    }

    fn difference(
        &mut self,
        state: &State,
        left: &Value,
        right: &Value,
        stride: u64,
        ty: TypeId,
    ) -> Result<Value, Dead> {
        let (left, right) = (self.as_pointer(state, left)?, self.as_pointer(state, right)?);
        let same = self.cells.build.eq(left.base, right.base);
        self.defined(state, same, Fault::DifferentObjects)?;
        let width = self.cells.pointer_bits;
        let bytes = self.cells.build.app(Op::BvSub, &[left.offset, right.offset]);
        let divisor = self.cells.build.bits(width, i128::from(stride.max(1)));
        let count = self.cells.build.quotient(Op::BvSdiv, bytes, divisor);
        let bits = self.program.types.integer(ty).map_or(width, |integer| integer.bits);
        Ok(Value::Bits(self.cells.build.resize(count, bits, true)))
    }

    fn convert(&mut self, state: &State, from: TypeId, to: TypeId, value: &Value) -> Result<Value, Dead> {
        let types = &self.program.types;
        let pointer_bits = self.cells.pointer_bits;
        match types.kind(to) {
            Type::Void => Ok(Value::Unknown),
            Type::Bool => {
                let truth = self.is_non_zero(state, from, value)?;
                Ok(Value::Bits(self.cells.build.truth_bits(truth, 8)))
            }
            Type::Pointer(_) => match value {
                Value::Bits(bits) => {
                    let signed = types.integer(from).is_some_and(|integer| integer.signed);
                    let offset = self.cells.build.resize(*bits, pointer_bits, signed);
                    Ok(Value::Pointer(self.cells.build.pointer(NULL, offset)))
                }
                other => Ok(other.clone()),
            },
            Type::Float | Type::Double | Type::LongDouble => self.made_floating(state, from, to, value),
            Type::Integer(_) | Type::Enum(_) => {
                let bits = types.integer(to).map_or(pointer_bits, |integer| integer.bits);
                if self.is_floating(from) {
                    return self.cut_to_integer(state, from, to, value);
                }
                match value {
                    Value::Pointer(pointer) => {
                        // Only null, and integers that were made pointers, have a number we know.
                        let null = self.cells.build.points_to(pointer, NULL);
                        let elsewhere = self.cells.build.not(null);
                        self.unsupported(state, elsewhere, "the number of an address is used")?;
                        Ok(Value::Bits(self.cells.build.resize(pointer.offset, bits, false)))
                    }
                    other => {
                        let number = self.integer(state, other)?;
                        let signed = types.integer(from).is_some_and(|integer| integer.signed);
                        Ok(Value::Bits(self.cells.build.resize(number, bits, signed)))
                    }
                }
            }
            Type::VaList
            | Type::Array { .. }
            | Type::VariableArray { .. }
            | Type::Function { .. }
            | Type::Record(_) => self.not_followed(state, "a conversion that is not followed"),
        }
    }

    /// Where a place is: a pointer to the object, and the byte in it. Whether it is there is asked by whoever reads or
    /// writes it, but that indices stay within their arrays is asked here; where a place is only pointed to, one may stand just behind.
    pub(super) fn locate(
        &mut self,
        state: &State,
        place: PlaceId,
        values: &Values,
        pointed: bool,
    ) -> Result<(Pointer, Offset), Dead> {
        let place = self.program.place(place);
        let width = self.cells.pointer_bits;
        let pointer = match place.base {
            Base::Variable(variable) => {
                let object = self.variable_object(state, variable);
                let zero = self.cells.build.bits(width, 0);
                self.cells.build.pointer(object, zero)
            }
            Base::Pointer(expression) => self.as_pointer(state, &values[&expression])?,
        };
        // Nothing is known of a pointer's place unless it is a number.
        let known = self.cells.build.signed_constant(pointer.offset);
        let (mut modulus, mut residue) = known.map_or((1, 0), |byte| (0u64, byte));
        let mut offset = pointer.offset;
        for (at, step) in place.steps.iter().enumerate() {
            let distance = match *step {
                PlaceStep::Field { offset, .. } => {
                    residue += i128::from(offset);
                    self.cells.build.bits(width, i128::from(offset))
                }
                PlaceStep::Index { index, stride, .. } => {
                    let ty = self.program.expr(index).ty;
                    let value = &values[&index];
                    if let Some(places) = self.program.places_of_index(place, at, pointed) {
                        self.within(state, (ty, value), places)?;
                    }
                    let distance = self.distance(state, ty, value, stride)?;
                    match self.cells.build.signed_constant(distance) {
                        Some(bytes) => residue += bytes,
                        None => modulus = gcd(modulus, stride),
                    }
                    distance
                }
            };
            offset = self.cells.build.app(Op::BvAdd, &[offset, distance]);
        }
        let modulus = modulus.max(1);
        let residue = residue.rem_euclid(i128::from(modulus)) as u64;
        Ok((pointer, Offset { term: offset, modulus, residue }))
    }
}

fn gcd(mut left: u64, mut right: u64) -> u64 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
