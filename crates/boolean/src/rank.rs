//! Ranks: which arguments an operator takes, and the sort of its value.
//!
//! Expressions are kept in a narrow form: only `and`, `or`, `distinct`, `+` and `*` take more than their least number of
//! arguments. Chains such as `(< a b c)` are taken apart before they come here.

use value::Sort;

use crate::Operator;

/// The largest width of a bit-vector.
pub(crate) const WIDEST: u32 = 1 << 16;

/// How many arguments an operator takes: the least number, and whether more are fine.
pub(crate) fn arity(operator: Operator) -> (usize, bool) {
    use Operator as O;
    match operator {
        O::And | O::Or | O::Distinct | O::Add | O::Mul => (2, true),
        O::Not
        | O::Neg
        | O::Abs
        | O::Divisible
        | O::ToReal
        | O::ToInt
        | O::IsInt
        | O::Extract
        | O::BvNot
        | O::BvNeg
        | O::Repeat
        | O::ZeroExtend
        | O::SignExtend
        | O::RotateLeft
        | O::RotateRight
        | O::ConstArray
        | O::BvToNat
        | O::IntToBv => (1, false),
        O::Ite | O::Store => (3, false),
        O::Xor | O::Implies | O::Eq | O::Sub | O::Div | O::Mod | O::Divide | O::Lt | O::Le | O::Gt | O::Ge => {
            (2, false)
        }
        O::Concat | O::BvAnd | O::BvOr | O::BvXor | O::BvNand | O::BvNor | O::BvXnor | O::BvComp => (2, false),
        O::BvAdd | O::BvSub | O::BvMul | O::BvUdiv | O::BvUrem | O::BvSdiv | O::BvSrem | O::BvSmod => (2, false),
        O::BvShl | O::BvLshr | O::BvAshr => (2, false),
        O::BvUlt | O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge | O::Select => (2, false),
    }
}

/// How many numerals an operator takes besides its arguments.
pub(crate) fn index_count(operator: Operator) -> usize {
    use Operator as O;
    match operator {
        O::Extract => 2,
        O::Divisible | O::Repeat | O::ZeroExtend | O::SignExtend | O::RotateLeft | O::RotateRight | O::IntToBv => 1,
        _ => 0,
    }
}

/// The sort of an application, or what the operator needs, as the end of a sentence: "`bvadd` needs …".
pub(crate) fn rank(operator: Operator, indices: [u32; 2], args: &[&Sort]) -> Result<Sort, &'static str> {
    use Operator as O;
    let all = |wanted: &Sort| args.iter().all(|sort| *sort == wanted);
    let alike = || all(args[0]);
    let width = |index: usize| match args[index] {
        Sort::BitVec(width) => Some(*width),
        _ => None,
    };
    let vectors = || width(0).is_some() && alike();
    let numbers = || args[0].is_numeric() && alike();
    let give = |fits: bool, sort: Sort, needs: &'static str| if fits { Ok(sort) } else { Err(needs) };
    let wide = |bits: Option<u32>, needs: &'static str| match bits {
        Some(bits) if 0 < bits && bits <= WIDEST => Ok(Sort::BitVec(bits)),
        _ => Err(needs),
    };
    match operator {
        O::Not | O::And | O::Or | O::Xor | O::Implies => give(all(&Sort::Bool), Sort::Bool, "truth values"),
        O::Eq | O::Distinct => give(alike(), Sort::Bool, "arguments of one sort"),
        O::Ite => {
            let fits = *args[0] == Sort::Bool && args[1] == args[2];
            give(fits, args[1].clone(), "a truth value and two arguments of one sort")
        }
        O::Neg | O::Add | O::Sub | O::Mul => give(numbers(), args[0].clone(), "numbers"),
        O::Div | O::Mod | O::Abs => give(all(&Sort::Int), Sort::Int, "integers"),
        O::Divide => give(all(&Sort::Real), Sort::Real, "reals"),
        O::Lt | O::Le | O::Gt | O::Ge => give(numbers(), Sort::Bool, "numbers"),
        O::Divisible => give(all(&Sort::Int) && 0 < indices[0], Sort::Bool, "a positive numeral and an integer"),
        O::ToReal => give(all(&Sort::Int), Sort::Real, "an integer"),
        O::ToInt => give(all(&Sort::Real), Sort::Int, "a real"),
        O::IsInt => give(all(&Sort::Real), Sort::Bool, "a real"),
        O::Concat => {
            let sum = width(0).zip(width(1)).and_then(|(high, low)| high.checked_add(low));
            wide(sum, "two bit-vectors, together not wider than 65536")
        }
        O::Extract => {
            let [high, low] = indices;
            let fits = width(0).is_some_and(|width| low <= high && high < width);
            let bits = fits.then(|| high - low + 1);
            wide(bits, "a high and a low bit, and a bit-vector that has them")
        }
        O::BvComp => give(vectors(), Sort::BitVec(1), "bit-vectors of one width"),
        O::BvNot | O::BvNeg | O::RotateLeft | O::RotateRight => give(vectors(), args[0].clone(), "a bit-vector"),
        O::BvAnd | O::BvOr | O::BvXor | O::BvNand | O::BvNor | O::BvXnor | O::BvAdd | O::BvSub | O::BvMul => {
            give(vectors(), args[0].clone(), "bit-vectors of one width")
        }
        O::BvUdiv | O::BvUrem | O::BvSdiv | O::BvSrem | O::BvSmod | O::BvShl | O::BvLshr | O::BvAshr => {
            give(vectors(), args[0].clone(), "bit-vectors of one width")
        }
        O::Repeat => {
            let bits = width(0).and_then(|width| width.checked_mul(indices[0]));
            wide(bits, "a numeral from 1 and a bit-vector, together not wider than 65536")
        }
        O::ZeroExtend | O::SignExtend => {
            let bits = width(0).and_then(|width| width.checked_add(indices[0]));
            wide(bits, "a numeral and a bit-vector, together not wider than 65536")
        }
        O::BvUlt | O::BvUle | O::BvUgt | O::BvUge | O::BvSlt | O::BvSle | O::BvSgt | O::BvSge => {
            give(vectors(), Sort::Bool, "bit-vectors of one width")
        }
        O::Select => match args[0] {
            Sort::Array(parts) if parts.0 == *args[1] => Ok(parts.1.clone()),
            _ => Err("an array and an index of its index sort"),
        },
        O::Store => match args[0] {
            Sort::Array(parts) if parts.0 == *args[1] && parts.1 == *args[2] => Ok(args[0].clone()),
            _ => Err("an array, an index and an element of its sorts"),
        },
        O::ConstArray => Err("to know the sort of the array"),
        O::BvToNat => give(width(0).is_some(), Sort::Int, "a bit-vector"),
        O::IntToBv => {
            let bits = all(&Sort::Int).then_some(indices[0]);
            wide(bits, "a width from 1 to 65536 and an integer")
        }
    }
}
