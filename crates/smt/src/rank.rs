//! Ranks: which argument sorts an operator accepts, and the sort of the result.

use std::fmt;

use value::Sort;

use crate::terms::{SortId, Term, Terms};
use crate::{Arity, Op};

/// An application whose arguments do not fit the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortError {
    /// The operator.
    pub op: Op,
    /// What it needs, as the end of a sentence: "`bvadd` needs …".
    pub needs: &'static str,
    /// The sorts it was given.
    pub given: Vec<Sort>,
}

impl fmt::Display for SortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` needs {}, not", self.op.name(), self.needs)?;
        for sort in &self.given {
            write!(f, " {sort}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SortError {}

/// The sort of `op` applied to `args`.
pub(crate) fn rank(terms: &mut Terms, op: Op, indices: [u32; 2], args: &[Term]) -> Result<SortId, SortError> {
    let fail = |terms: &Terms, needs| {
        Err(SortError { op, needs, given: args.iter().map(|&arg| terms.sort(arg).clone()).collect() })
    };
    let fits = match op.arity() {
        Arity::Exactly(count) => args.len() == count as usize,
        Arity::AtLeast(count) => count as usize <= args.len(),
    };
    if !fits {
        return fail(terms, "another number of arguments");
    }
    let sort = |index: usize| terms.sort_id(args[index]);
    let all = |wanted: SortId| args.iter().all(|&arg| terms.sort_id(arg) == wanted);
    let width = |index: usize| terms.width(args[index]);
    match op {
        Op::Constant | Op::Symbol => fail(terms, "no application"),
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Implies => {
            if all(SortId::BOOL) {
                Ok(SortId::BOOL)
            } else {
                fail(terms, "truth values")
            }
        }
        Op::Eq | Op::Distinct => {
            if all(sort(0)) {
                Ok(SortId::BOOL)
            } else {
                fail(terms, "arguments of one sort")
            }
        }
        Op::Ite => {
            if sort(0) == SortId::BOOL && sort(1) == sort(2) {
                Ok(sort(1))
            } else {
                fail(terms, "a truth value and two arguments of one sort")
            }
        }
        Op::Neg | Op::Add | Op::Sub | Op::Mul => {
            if all(SortId::INT) || all(SortId::REAL) {
                Ok(sort(0))
            } else {
                fail(terms, "numbers of one sort")
            }
        }
        Op::Div | Op::Mod | Op::Abs => {
            if all(SortId::INT) {
                Ok(SortId::INT)
            } else {
                fail(terms, "integers")
            }
        }
        Op::Divide => {
            if all(SortId::REAL) {
                Ok(SortId::REAL)
            } else {
                fail(terms, "reals")
            }
        }
        Op::Lt | Op::Le | Op::Gt | Op::Ge => {
            if all(SortId::INT) || all(SortId::REAL) {
                Ok(SortId::BOOL)
            } else {
                fail(terms, "numbers of one sort")
            }
        }
        Op::Divisible => {
            if all(SortId::INT) && 0 < indices[0] {
                Ok(SortId::BOOL)
            } else {
                fail(terms, "an integer, and a positive index")
            }
        }
        Op::ToReal => {
            if all(SortId::INT) {
                Ok(SortId::REAL)
            } else {
                fail(terms, "an integer")
            }
        }
        Op::ToInt | Op::IsInt => {
            let result = if op == Op::ToInt { SortId::INT } else { SortId::BOOL };
            if all(SortId::REAL) { Ok(result) } else { fail(terms, "a real") }
        }
        Op::Concat => match (width(0), width(1)) {
            (Some(high), Some(low)) if high.checked_add(low).is_some() => Ok(terms.bit_vector_sort(high + low)),
            _ => fail(terms, "two bit-vectors"),
        },
        Op::Extract => match width(0) {
            Some(width) if indices[1] <= indices[0] && indices[0] < width => {
                Ok(terms.bit_vector_sort(indices[0] - indices[1] + 1))
            }
            _ => fail(terms, "a bit-vector that has these bits"),
        },
        Op::BvComp => {
            if width(0).is_some() && all(sort(0)) {
                Ok(terms.bit_vector_sort(1))
            } else {
                fail(terms, "bit-vectors of one width")
            }
        }
        Op::BvNot
        | Op::BvNeg
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvNand
        | Op::BvNor
        | Op::BvXnor
        | Op::BvAdd
        | Op::BvSub
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::RotateLeft
        | Op::RotateRight => {
            if width(0).is_some() && all(sort(0)) {
                Ok(sort(0))
            } else {
                fail(terms, "bit-vectors of one width")
            }
        }
        Op::Repeat => match width(0).and_then(|width| width.checked_mul(indices[0])) {
            Some(width) if 0 < width => Ok(terms.bit_vector_sort(width)),
            _ => fail(terms, "a bit-vector, and an index of at least 1"),
        },
        Op::ZeroExtend | Op::SignExtend => match width(0).and_then(|width| width.checked_add(indices[0])) {
            Some(width) => Ok(terms.bit_vector_sort(width)),
            None => fail(terms, "a bit-vector"),
        },
        Op::BvUlt | Op::BvUle | Op::BvUgt | Op::BvUge | Op::BvSlt | Op::BvSle | Op::BvSgt | Op::BvSge => {
            if width(0).is_some() && all(sort(0)) { Ok(SortId::BOOL) } else { fail(terms, "bit-vectors of one width") }
        }
        Op::Select => match terms.array_parts(sort(0)) {
            Some((index, element)) if index == sort(1) => Ok(element),
            _ => fail(terms, "an array and an index of its index sort"),
        },
        Op::Store => match terms.array_parts(sort(0)) {
            Some((index, element)) if index == sort(1) && element == sort(2) => Ok(sort(0)),
            _ => fail(terms, "an array, an index and an element of its sorts"),
        },
        Op::ConstArray => {
            let array = SortId::from_index(indices[0]);
            match terms.array_parts(array) {
                Some((_, element)) if element == sort(0) => Ok(array),
                _ => fail(terms, "an element of the array's sort"),
            }
        }
        Op::BvToNat => match width(0) {
            Some(_) => Ok(SortId::INT),
            None => fail(terms, "a bit-vector"),
        },
        Op::IntToBv => {
            if all(SortId::INT) && 0 < indices[0] {
                Ok(terms.bit_vector_sort(indices[0]))
            } else {
                fail(terms, "an integer, and a positive index")
            }
        }
    }
}
