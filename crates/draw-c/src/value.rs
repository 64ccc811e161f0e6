//! Symbolic values: bit patterns, pointers with what they may point to, and copies of structures.

use std::rc::Rc;

use smt::Term;

use super::build::Build;
use super::layout::Cell;

/// An object or a function, by its number; 0 is what the null pointer points to, and integers made into pointers.
pub(super) type ObjectId = u32;

/// The number behind the null pointer.
pub(super) const NULL: ObjectId = 0;

/// What stands for objects that an input may point to and that were not built: who looks there is cut.
pub(super) const ELSEWHERE: ObjectId = 1;

/// Bits of the term that names an object.
pub(super) const BASE_BITS: u32 = 32;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// What the object held before anything was written: an input of the program, made on demand.
    Initial,
    /// A bit pattern: an integer or a floating number.
    Bits(Term),
    /// A pointer.
    Pointer(Pointer),
    /// A structure or union: its cells in order.
    Record(Rc<Vec<(Cell, Value)>>),
    /// Something that is not followed; who reads it is cut.
    Unknown,
}

/// A pointer: an object and a byte within it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pointer {
    /// The object's number, of [`BASE_BITS`] bits.
    pub(super) base: Term,
    /// The byte, of the width of pointers.
    pub(super) offset: Term,
    /// The objects it may point to, sorted; [`NULL`] included where it may be null.
    pub(super) targets: Rc<[ObjectId]>,
}

impl Build<'_> {
    /// The pointer to a byte of an object.
    pub(super) fn pointer(&mut self, object: ObjectId, offset: Term) -> Pointer {
        Pointer { base: self.bits(BASE_BITS, i128::from(object)), offset, targets: Rc::new([object]) }
    }

    /// Whether a pointer points to an object.
    pub(super) fn points_to(&mut self, pointer: &Pointer, object: ObjectId) -> Term {
        let number = self.bits(BASE_BITS, i128::from(object));
        self.eq(pointer.base, number)
    }

    /// Whether a pointer is not null.
    pub(super) fn not_null(&mut self, pointer: &Pointer) -> Term {
        let null = self.points_to(pointer, NULL);
        let somewhere = self.not(null);
        let away = self.non_zero(pointer.offset);
        self.or(somewhere, away)
    }

    /// Whether two pointers are equal.
    pub(super) fn same_pointer(&mut self, left: &Pointer, right: &Pointer) -> Term {
        let (bases, offsets) = (self.eq(left.base, right.base), self.eq(left.offset, right.offset));
        self.and(bases, offsets)
    }

    /// A bit pattern read as a pointer: the null pointer, or an integer that points to nothing.
    pub(super) fn pointer_from_bits(&mut self, bits: Term, width: u32) -> Pointer {
        let offset = self.resize(bits, width, false);
        self.pointer(NULL, offset)
    }

    /// `then` where the condition holds, `otherwise` elsewhere. Values that were never written must have been made
    /// into symbols before.
    pub(super) fn choose(&mut self, condition: Term, then: &Value, otherwise: &Value) -> Value {
        if then == otherwise || self.is_true(condition) {
            return then.clone();
        }
        if self.is_false(condition) {
            return otherwise.clone();
        }
        match (then, otherwise) {
            (Value::Bits(left), Value::Bits(right)) if self.width(*left) == self.width(*right) => {
                Value::Bits(self.ite(condition, *left, *right))
            }
            (Value::Pointer(left), Value::Pointer(right)) => {
                Value::Pointer(self.choose_pointer(condition, left, right))
            }
            (Value::Bits(bits), Value::Pointer(pointer)) if self.width(*bits) == self.width(pointer.offset) => {
                let left = self.pointer_from_bits(*bits, self.width(pointer.offset));
                Value::Pointer(self.choose_pointer(condition, &left, pointer))
            }
            (Value::Pointer(pointer), Value::Bits(bits)) if self.width(*bits) == self.width(pointer.offset) => {
                let right = self.pointer_from_bits(*bits, self.width(pointer.offset));
                Value::Pointer(self.choose_pointer(condition, pointer, &right))
            }
            (Value::Record(left), Value::Record(right)) if same_cells(left, right) => {
                let pairs = left.iter().zip(right.iter());
                let cells = pairs.map(|((cell, left), (_, right))| (*cell, self.choose(condition, left, right)));
                Value::Record(Rc::new(cells.collect()))
            }
            _ => Value::Unknown,
        }
    }

    fn choose_pointer(&mut self, condition: Term, left: &Pointer, right: &Pointer) -> Pointer {
        let mut targets: Vec<ObjectId> = left.targets.iter().chain(right.targets.iter()).copied().collect();
        targets.sort_unstable();
        targets.dedup();
        Pointer {
            base: self.ite(condition, left.base, right.base),
            offset: self.ite(condition, left.offset, right.offset),
            targets: targets.into(),
        }
    }
}

fn same_cells(left: &[(Cell, Value)], right: &[(Cell, Value)]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|((left, _), (right, _))| left == right)
}
