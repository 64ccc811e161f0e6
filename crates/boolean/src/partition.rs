//! Equivalence classes of a numeric variable: the pieces of its domain on which no comparison with a constant changes.

use std::fmt;

use value::{IBig, RBig, Sort, Value};

use crate::{Assumption, Decision, ExprId, ExprKind, Operator, Spec, VariableId};

/// A cut of the number line: just below a number, or just above it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cut {
    number: RBig,
    above: bool,
}

/// A piece of a domain without gaps. An absent end is infinite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// The lower end, and whether it belongs to the class.
    pub low: Option<(RBig, bool)>,
    /// The upper end, and whether it belongs to the class.
    pub high: Option<(RBig, bool)>,
}

/// The classes of one variable, in ascending order; together they are its domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The variable.
    pub variable: VariableId,
    /// Its classes.
    pub classes: Vec<Class>,
}

/// The partition of every integer and real variable that a condition of the decision compares with a constant.
pub fn partitions(spec: &Spec, decision: usize) -> Vec<Partition> {
    let decision = &spec.decisions[decision];
    let all = (0..spec.variables.len() as u32).map(VariableId);
    all.filter_map(|variable| partition(spec, decision, variable)).collect()
}

impl Class {
    /// Whether a number belongs to the class.
    pub fn contains(&self, value: &Value) -> bool {
        let number = match value {
            Value::Int(number) => RBig::from(number.clone()),
            Value::Real(number) => number.clone(),
            Value::Bool(_) | Value::BitVec(_) | Value::Enum(_) | Value::Array(_) => return false,
        };
        let above = self.low.as_ref().is_none_or(|(low, closed)| *low < number || *closed && *low == number);
        let below = self.high.as_ref().is_none_or(|(high, closed)| number < *high || *closed && *high == number);
        above && below
    }
}

/// Prints `[22, 120]`, `(-∞, 21]`, `(0, 1/2)`.
impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.low {
            None => f.write_str("(-∞")?,
            Some((low, closed)) => write!(f, "{}{low}", if *closed { '[' } else { '(' })?,
        }
        f.write_str(", ")?;
        match &self.high {
            None => f.write_str("∞)"),
            Some((high, closed)) => write!(f, "{high}{}", if *closed { ']' } else { ')' }),
        }
    }
}

fn partition(spec: &Spec, decision: &Decision, variable: VariableId) -> Option<Partition> {
    let described = &spec.variables[variable.0 as usize];
    let integers = described.sort == Sort::Int;
    let mut cuts = Vec::new();
    for condition in &decision.conditions {
        cuts_of(spec, condition.atom, variable, &mut cuts);
    }
    if cuts.is_empty() {
        return None;
    }
    if integers {
        cuts.iter_mut().for_each(to_integer);
    }
    cuts.sort();
    cuts.dedup();
    let (low, high) = match &described.range {
        Some((low, high)) => (Some(Cut::at(low.clone(), false)), Some(Cut::at(high.clone(), true))),
        None => declared_ends(spec, variable),
    };
    cuts.retain(|cut| low.as_ref().is_none_or(|low| low < cut) && high.as_ref().is_none_or(|high| cut < high));
    let mut classes = Vec::new();
    let mut below = low;
    for cut in cuts {
        classes.push(class(below.as_ref(), Some(&cut), integers));
        below = Some(cut);
    }
    classes.push(class(below.as_ref(), high.as_ref(), integers));
    Some(Partition { variable, classes })
}

/// The ends of a declared range of reals: the assumption `low <= x && x <= high`.
fn declared_ends(spec: &Spec, variable: VariableId) -> (Option<Cut>, Option<Cut>) {
    let arguments = |id: ExprId, wanted: Operator| match &spec.expr(id).kind {
        ExprKind::Apply { operator, args, .. } if *operator == wanted => <[ExprId; 2]>::try_from(&args[..]).ok(),
        ExprKind::Apply { .. } | ExprKind::Literal(_) | ExprKind::Variable(_) => None,
    };
    let is_variable = |id: ExprId| spec.expr(id).kind == ExprKind::Variable(variable);
    let number = |id: ExprId| match &spec.expr(id).kind {
        ExprKind::Literal(Value::Real(number)) => Some(number.clone()),
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Apply { .. } => None,
    };
    let ends = |assumption: &Assumption| {
        let [above, below] = arguments(assumption.expr, Operator::And)?;
        let ([low, first], [second, high]) = (arguments(above, Operator::Le)?, arguments(below, Operator::Le)?);
        let (low, high) = (number(low)?, number(high)?);
        (is_variable(first) && is_variable(second)).then_some((low, high))
    };
    match spec.assumptions.iter().find_map(ends) {
        Some((low, high)) => (Some(Cut { number: low, above: false }), Some(Cut { number: high, above: true })),
        None => (None, None),
    }
}

impl Cut {
    fn at(number: IBig, above: bool) -> Cut {
        Cut { number: RBig::from(number), above }
    }
}

fn class(low: Option<&Cut>, high: Option<&Cut>, integers: bool) -> Class {
    // Cuts of integers all lie just below a number, except the upper end of a range.
    let low = low.map(|cut| (cut.number.clone(), !cut.above));
    let high = high.map(|cut| match (integers, cut.above) {
        (true, false) => (cut.number.clone() - RBig::ONE, true),
        (_, above) => (cut.number.clone(), above),
    });
    Class { low, high }
}

/// Moves a cut of the integers to just below the next integer.
fn to_integer(cut: &mut Cut) {
    let whole = cut.number.floor();
    let next = RBig::from(whole.clone()) + RBig::ONE;
    let exact = RBig::from(whole) == cut.number;
    if !exact || cut.above {
        *cut = Cut { number: next, above: false };
    }
}

/// The cuts of a comparison between the variable alone and a number.
fn cuts_of(spec: &Spec, atom: ExprId, variable: VariableId, cuts: &mut Vec<Cut>) {
    let ExprKind::Apply { operator, args, .. } = &spec.expr(atom).kind else { return };
    let [left, right] = args[..] else { return };
    let is_variable = |id: ExprId| spec.expr(id).kind == ExprKind::Variable(variable);
    let number = |id: ExprId| match &spec.expr(id).kind {
        ExprKind::Literal(Value::Int(number)) => Some(RBig::from(number.clone())),
        ExprKind::Literal(Value::Real(number)) => Some(number.clone()),
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Apply { .. } => None,
    };
    let (number, swapped) = match (is_variable(left), number(right), number(left), is_variable(right)) {
        (true, Some(number), ..) => (number, false),
        (_, _, Some(number), true) => (number, true),
        _ => return,
    };
    let mut cut = |above: bool| cuts.push(Cut { number: number.clone(), above });
    match (operator, swapped) {
        (Operator::Lt | Operator::Ge, false) | (Operator::Gt | Operator::Le, true) => cut(false),
        (Operator::Le | Operator::Gt, false) | (Operator::Ge | Operator::Lt, true) => cut(true),
        (Operator::Eq | Operator::Distinct, _) => {
            cut(false);
            cut(true);
        }
        _ => {}
    }
}
