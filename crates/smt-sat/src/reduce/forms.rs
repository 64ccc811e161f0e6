//! Real arithmetic as linear forms, and comparisons of them as thresholds.
//!
//! A real term is a linear form over *variables* (symbols, reads, choices between such, and integers), or one of
//! several under conditions. A comparison is decidable here when, after moving everything to one side, there remains
//! nothing, one variable (`2*x + 1 < 5` is `x < 2`), the difference of two (`x - y < 0` is `x < y`), or only integers.

use std::collections::BTreeMap;

use smt::{Op, Term, Terms};
use value::{IBig, RBig, Sort, Value};

use super::Reason;
use super::build::{build, not};

/// How many conditional cases, or variables in one form, are followed.
const MOST: usize = 32;

/// A real: one linear form for each of some conditions, exactly one of which holds.
pub(super) struct Form {
    cases: Vec<(Term, Linear)>,
}

#[derive(Clone)]
struct Linear {
    /// Variables of our arena, reals or integers, with coefficients that are not zero.
    parts: BTreeMap<Term, RBig>,
    constant: RBig,
}

impl Form {
    pub(super) fn constant(arena: &Terms, number: RBig) -> Form {
        Form { cases: vec![(arena.bool(true), Linear { parts: BTreeMap::new(), constant: number })] }
    }

    pub(super) fn variable(arena: &Terms, variable: Term) -> Form {
        let linear = match arena.value(variable) {
            Some(Value::Int(number)) => Linear { parts: BTreeMap::new(), constant: RBig::from(number.clone()) },
            _ => Linear { parts: BTreeMap::from([(variable, RBig::ONE)]), constant: RBig::ZERO },
        };
        Form { cases: vec![(arena.bool(true), linear)] }
    }

    /// The form as a real term, if it is a variable, a constant, or a choice between such.
    pub(super) fn plain(&self, arena: &mut Terms) -> Option<Term> {
        let mut result = None;
        for (condition, linear) in self.cases.iter().rev() {
            let term = linear.plain(arena)?;
            result = Some(match result {
                None => term,
                Some(rest) => build(arena, Op::Ite, [0, 0], &[*condition, term, rest]),
            });
        }
        result
    }
}

impl Linear {
    fn plain(&self, arena: &mut Terms) -> Option<Term> {
        match self.parts.iter().next() {
            None => Some(arena.constant(Value::Real(self.constant.clone()))),
            Some((&variable, scale)) => {
                let alone = self.parts.len() == 1 && *scale == RBig::ONE && self.constant == RBig::ZERO;
                (alone && *arena.sort(variable) == Sort::Real).then_some(variable)
            }
        }
    }

    fn as_constant(&self) -> Option<&RBig> {
        self.parts.is_empty().then_some(&self.constant)
    }

    fn scaled(&self, factor: &RBig) -> Linear {
        if *factor == RBig::ZERO {
            return Linear { parts: BTreeMap::new(), constant: RBig::ZERO };
        }
        let parts = self.parts.iter().map(|(&variable, scale)| (variable, scale * factor)).collect();
        Linear { parts, constant: &self.constant * factor }
    }

    fn plus(&self, other: &Linear) -> Linear {
        let mut sum = self.clone();
        sum.constant += &other.constant;
        for (&variable, scale) in &other.parts {
            let total = sum.parts.remove(&variable).unwrap_or(RBig::ZERO) + scale;
            if total != RBig::ZERO {
                sum.parts.insert(variable, total);
            }
        }
        sum
    }

    fn minus(&self, other: &Linear) -> Linear {
        self.plus(&other.scaled(&RBig::from(-1)))
    }

    /// Whether all variables are integers.
    fn is_over_integers(&self, arena: &Terms) -> bool {
        self.parts.keys().all(|&variable| *arena.sort(variable) == Sort::Int)
    }

    /// The form times the least positive integer that makes it integral, and that integer. For forms over integers.
    fn integral(&self) -> (BTreeMap<Term, IBig>, IBig, IBig) {
        let denominator = |number: &RBig| IBig::from(number.denominator().clone());
        let mut common = denominator(&self.constant);
        for scale in self.parts.values() {
            let next = denominator(scale);
            let gcd = dashu_int::ops::Gcd::gcd(&common, &next);
            common = common * next / IBig::from(gcd);
        }
        let times = |number: &RBig| (number * &common).numerator().clone();
        let parts = self.parts.iter().map(|(&variable, scale)| (variable, times(scale))).collect();
        (parts, times(&self.constant), common)
    }
}

/// The choice between two forms.
pub(super) fn choose(arena: &mut Terms, condition: Term, then: &Form, otherwise: &Form) -> Result<Form, Reason> {
    if let (Some(then), Some(otherwise)) = (then.plain(arena), otherwise.plain(arena)) {
        let chosen = build(arena, Op::Ite, [0, 0], &[condition, then, otherwise]);
        return Ok(match arena.value(chosen) {
            Some(Value::Real(number)) => Form::constant(arena, number.clone()),
            _ => Form::variable(arena, chosen),
        });
    }
    let other = not(arena, condition);
    let mut cases = Vec::new();
    for (side, form) in [(condition, then), (other, otherwise)] {
        for (inner, linear) in &form.cases {
            cases.push((build(arena, Op::And, [0, 0], &[side, *inner]), linear.clone()));
        }
    }
    limited(cases)
}

/// The form of an arithmetic operator over reals.
pub(super) fn arithmetic(arena: &mut Terms, op: Op, args: &[std::sync::Arc<Form>]) -> Result<Form, Reason> {
    let minus_one = RBig::from(-1);
    match (op, args) {
        (Op::Neg, [only]) => {
            Ok(Form { cases: only.cases.iter().map(|(c, linear)| (*c, linear.scaled(&minus_one))).collect() })
        }
        (_, [first, rest @ ..]) => {
            let mut result = Form { cases: first.cases.clone() };
            for next in rest {
                result = combine(arena, &result, next, |left, right| apply(op, left, right))?;
            }
            Ok(result)
        }
        (_, []) => unreachable!("arithmetic has arguments"),
    }
}

fn apply(op: Op, left: &Linear, right: &Linear) -> Result<Linear, Reason> {
    match op {
        Op::Add => Ok(left.plus(right)),
        Op::Sub => Ok(left.minus(right)),
        Op::Mul => match (left.as_constant(), right.as_constant()) {
            (Some(factor), _) => Ok(right.scaled(factor)),
            (_, Some(factor)) => Ok(left.scaled(factor)),
            (None, None) => Err("products of real variables".to_owned()),
        },
        Op::Divide => match right.as_constant() {
            Some(divisor) if *divisor == RBig::ZERO => Ok(left.scaled(&RBig::ZERO)),
            Some(divisor) => Ok(left.scaled(&(RBig::ONE / divisor))),
            None => Err("division by a real variable".to_owned()),
        },
        other => Err(format!("`{}` of reals", other.name())),
    }
}

fn combine(
    arena: &mut Terms,
    left: &Form,
    right: &Form,
    apply: impl Fn(&Linear, &Linear) -> Result<Linear, Reason>,
) -> Result<Form, Reason> {
    let mut cases = Vec::new();
    for (left_condition, left) in &left.cases {
        for (right_condition, right) in &right.cases {
            let condition = build(arena, Op::And, [0, 0], &[*left_condition, *right_condition]);
            cases.push((condition, apply(left, right)?));
        }
        if MOST < cases.len() {
            break;
        }
    }
    limited(cases)
}

fn limited(cases: Vec<(Term, Linear)>) -> Result<Form, Reason> {
    if MOST < cases.len() || cases.iter().any(|(_, linear)| MOST < linear.parts.len()) {
        return Err("real arithmetic with this many cases or variables".to_owned());
    }
    Ok(Form { cases })
}

/// A comparison of two forms, by `=`, `<`, `<=`, `>` or `>=`.
pub(super) fn compare(arena: &mut Terms, op: Op, left: &Form, right: &Form) -> Result<Term, Reason> {
    let difference = combine(arena, left, right, |left, right| Ok(left.minus(right)))?;
    over_cases(arena, &difference, |arena, linear| {
        if linear.is_over_integers(arena) { Ok(against_zero(arena, op, linear)) } else { order(arena, op, linear) }
    })
}

/// The disjunction, over the cases, of the condition and what holds in it.
fn over_cases(
    arena: &mut Terms,
    form: &Form,
    mut holds: impl FnMut(&mut Terms, &Linear) -> Result<Term, Reason>,
) -> Result<Term, Reason> {
    let mut parts = Vec::new();
    for (condition, linear) in &form.cases {
        let inside = holds(arena, linear)?;
        parts.push(build(arena, Op::And, [0, 0], &[*condition, inside]));
    }
    Ok(build(arena, Op::Or, [0, 0], &parts))
}

/// `linear op 0`, where all variables are integers.
fn against_zero(arena: &mut Terms, op: Op, linear: &Linear) -> Term {
    let (parts, constant, _) = linear.integral();
    let sum = integer_sum(arena, &parts, &IBig::ZERO);
    let bound = arena.int(-constant);
    build(arena, op, [0, 0], &[sum, bound])
}

fn integer_sum(arena: &mut Terms, parts: &BTreeMap<Term, IBig>, constant: &IBig) -> Term {
    let mut summands: Vec<Term> = Vec::new();
    for (&variable, scale) in parts {
        summands.push(if *scale == IBig::ONE {
            variable
        } else {
            let scale = arena.int(scale.clone());
            arena.app(Op::Mul, &[scale, variable])
        });
    }
    if *constant != IBig::ZERO || summands.is_empty() {
        summands.push(arena.int(constant.clone()));
    }
    if summands.len() == 1 { summands[0] } else { arena.app(Op::Add, &summands) }
}

/// `linear op 0`, where it is one real variable, or the difference of two.
fn order(arena: &mut Terms, op: Op, linear: &Linear) -> Result<Term, Reason> {
    let parts: Vec<(Term, &RBig)> = linear.parts.iter().map(|(&variable, scale)| (variable, scale)).collect();
    if parts.iter().any(|&(variable, _)| *arena.sort(variable) == Sort::Int) {
        return Err("integers and real variables in one comparison".to_owned());
    }
    let (left, right, scale) = match *parts {
        [(variable, scale)] => {
            let threshold = -(&linear.constant / scale);
            (variable, arena.constant(Value::Real(threshold)), scale)
        }
        [(left, scale), (right, other)] if linear.constant == RBig::ZERO && *scale == -other => (left, right, scale),
        _ => return Err("sums of several real variables".to_owned()),
    };
    let (left, right) = if *scale < RBig::ZERO { (right, left) } else { (left, right) };
    Ok(build(arena, op, [0, 0], &[left, right]))
}

/// The largest integer not above the form.
pub(super) fn floor(arena: &mut Terms, form: &Form) -> Result<Term, Reason> {
    let mut result = None;
    for (condition, linear) in form.cases.iter().rev() {
        let value = floor_of(arena, linear)?;
        result = Some(match result {
            None => value,
            Some(rest) => build(arena, Op::Ite, [0, 0], &[*condition, value, rest]),
        });
    }
    Ok(result.expect("a form has at least one case"))
}

fn floor_of(arena: &mut Terms, linear: &Linear) -> Result<Term, Reason> {
    let (sum, divisor) = integer_fraction(arena, linear)?;
    // With a positive divisor the quotient of `div` is the floor.
    Ok(if arena.value(divisor) == Some(&Value::Int(IBig::ONE)) { sum } else { arena.app(Op::Div, &[sum, divisor]) })
}

/// Whether the form is an integer.
pub(super) fn is_integer(arena: &mut Terms, form: &Form) -> Result<Term, Reason> {
    over_cases(arena, form, |arena, linear| {
        let (sum, divisor) = integer_fraction(arena, linear)?;
        let rest = arena.app(Op::Mod, &[sum, divisor]);
        let zero = arena.int(0);
        Ok(build(arena, Op::Eq, [0, 0], &[rest, zero]))
    })
}

fn integer_fraction(arena: &mut Terms, linear: &Linear) -> Result<(Term, Term), Reason> {
    if !linear.is_over_integers(arena) {
        return Err("rounding of real variables".to_owned());
    }
    let (parts, constant, common) = linear.integral();
    Ok((integer_sum(arena, &parts, &constant), arena.int(common)))
}
