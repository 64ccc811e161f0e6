//! Readable values: the simplest ones under which every condition keeps its value, found by running the decision.

use std::collections::BTreeSet;

use boolean::interp::{Assignment, Interpreter, Run};
use boolean::{ExprKind, Spec};
use value::{BitVec, EnumValue, IBig, RBig, Sort, UBig, Value};

/// At most this many values are tried for a variable.
const MOST_CANDIDATES: usize = 48;

/// Replaces each value by a simple one that changes no condition, and no assumption, variable by variable.
pub(crate) fn simplify(spec: &Spec, interpreter: &Interpreter<'_>, mut values: Assignment) -> Assignment {
    let wanted = interpreter.run(&values);
    let same = |run: &Run| run.conditions == wanted.conditions && run.violated == wanted.violated;
    let constants = Constants::of(spec);
    // What one variable allows may depend on another: twice around settles most of it.
    for place in (0..spec.variables.len()).chain(0..spec.variables.len()) {
        let sort = &spec.variables[place].sort;
        if !first_that_keeps(&mut values, place, constants.candidates(sort), |values| same(&interpreter.run(values))) {
            towards_zero(&mut values, place, |values| same(&interpreter.run(values)));
        }
    }
    values
}

/// Takes the first candidate that is simpler and keeps the behaviour; whether there is one, or none is needed.
fn first_that_keeps(
    values: &mut Assignment,
    place: usize,
    candidates: Vec<Value>,
    keeps: impl Fn(&Assignment) -> bool,
) -> bool {
    for candidate in candidates {
        if simplicity(&values[place]) <= simplicity(&candidate) {
            return simplicity(&values[place]) == simplicity(&candidate);
        }
        let old = std::mem::replace(&mut values[place], candidate);
        if keeps(values) {
            return true;
        }
        values[place] = old;
    }
    false
}

/// Brings an integer as near to zero as halving the distance shows possible.
fn towards_zero(values: &mut Assignment, place: usize, keeps: impl Fn(&Assignment) -> bool) {
    let Value::Int(number) = values[place].clone() else { return };
    let with_magnitude =
        |size: UBig| Value::Int(if number < IBig::ZERO { -IBig::from(size) } else { IBig::from(size) });
    // The behaviour is the same at `high`, and was not at `low` or is not known to be there.
    let (mut low, mut high) = (UBig::ZERO, magnitude(&number));
    while &low + UBig::ONE < high {
        let middle = (&low + &high) >> 1;
        values[place] = with_magnitude(middle.clone());
        if keeps(values) {
            high = middle;
        } else {
            low = middle;
        }
    }
    values[place] = with_magnitude(high);
}

/// The numbers a specification mentions.
struct Constants {
    integers: BTreeSet<IBig>,
    reals: BTreeSet<RBig>,
    patterns: BTreeSet<UBig>,
}

impl Constants {
    fn of(spec: &Spec) -> Constants {
        let mut constants = Constants { integers: BTreeSet::new(), reals: BTreeSet::new(), patterns: BTreeSet::new() };
        for expr in &spec.exprs {
            match &expr.kind {
                ExprKind::Literal(Value::Int(number)) => {
                    constants.integers.extend([number - IBig::ONE, number.clone(), number + IBig::ONE]);
                }
                ExprKind::Literal(Value::Real(number)) => {
                    constants.reals.extend([number - RBig::ONE, number.clone(), number + RBig::ONE]);
                }
                ExprKind::Literal(Value::BitVec(pattern)) => {
                    constants.patterns.extend([pattern.bits().clone(), pattern.bits() + UBig::ONE]);
                    if !pattern.bits().is_zero() {
                        constants.patterns.insert(pattern.bits() - UBig::ONE);
                    }
                }
                ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Apply { .. } => {}
            }
        }
        constants.integers.extend([IBig::ZERO, IBig::ONE, IBig::NEG_ONE, IBig::from(2)]);
        constants.reals.extend([RBig::ZERO, RBig::ONE, RBig::NEG_ONE, RBig::from(2u8)]);
        constants.patterns.extend([UBig::ZERO, UBig::ONE, UBig::from(2u8)]);
        constants
    }

    /// Values worth trying, the simplest first.
    fn candidates(&self, sort: &Sort) -> Vec<Value> {
        let mut candidates: Vec<Value> = match sort {
            Sort::Bool => vec![Value::Bool(false)],
            Sort::Int => self.integers.iter().cloned().map(Value::Int).collect(),
            Sort::Real => self.reals.iter().cloned().map(Value::Real).collect(),
            Sort::BitVec(width) => {
                let fitting = self.patterns.iter().filter(|bits| **bits < UBig::ONE << *width as usize);
                fitting.map(|bits| Value::BitVec(BitVec::new(*width, bits.clone()))).collect()
            }
            Sort::Enum(sort) => {
                let indices = 0..sort.variants.len().min(MOST_CANDIDATES) as u32;
                indices.map(|index| Value::Enum(EnumValue { sort: sort.clone(), index })).collect()
            }
            Sort::Array(_) => vec![Value::default_of(sort)],
        };
        candidates.sort_by_cached_key(simplicity);
        candidates.truncate(MOST_CANDIDATES);
        candidates
    }
}

/// How hard a value is to read: its magnitude; integers before fractions, positive before negative.
fn simplicity(value: &Value) -> (UBig, UBig, bool) {
    let plain = |size: UBig| (UBig::ONE, size, false);
    match value {
        Value::Bool(truth) => plain(UBig::from(u8::from(*truth))),
        Value::Int(number) => (UBig::ONE, magnitude(number), *number < IBig::ZERO),
        Value::Real(number) => (number.denominator().clone(), magnitude(number.numerator()), *number < RBig::ZERO),
        Value::BitVec(pattern) => plain(pattern.bits().clone()),
        Value::Enum(variant) => plain(UBig::from(variant.index)),
        Value::Array(array) => plain(UBig::from(array.entries().len())),
    }
}

fn magnitude(number: &IBig) -> UBig {
    number.clone().into_parts().1
}
