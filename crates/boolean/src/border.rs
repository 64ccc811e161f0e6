//! Values on the border: wherever a comparison decides the outcome of a test, its sides are brought as close to each other as
//! the comparison's truth allows.
//!
//! A comparison that is off by one is wrong on its border only, and shows there only where it decides. So the values of a
//! test are moved, while every condition keeps its truth value: what a test covers stays as it is. The tests of a suite are
//! looked at together, because a variable cannot be on two borders at once, and because `==` and `!=` have a neighbour on
//! each side.

mod exchange;

use std::collections::{BTreeMap, BTreeSet};

use value::{BitVec, IBig, RBig, Sort, UBig, Value};

use crate::interp::{Assignment, Interpreter, Run, Values};
use crate::{Decision, ExprId, ExprKind, Operator, Spec};

/// At most this many expressions are evaluated while values are moved; later tests stay as they are then.
const MOST_WORK: u64 = 60_000_000;
/// Values tried beside the one that would be exactly on the border.
const NEIGHBOURS: i64 = 6;
/// At most this many variables move together.
const MOST_HELD: usize = 3;
/// Values tried for a variable that moves because another one did.
const MOST_REPAIRS: usize = 3;

/// Moves the tests of a suite to the border, but for those that `stay`.
pub fn to_the_border(spec: &Spec, decision: usize, tests: Vec<Assignment>, stays: &[bool]) -> Vec<Assignment> {
    let Some(mut mover) = Mover::new(spec, decision) else { return tests };
    let mut moved = tests;
    for (test, values) in moved.iter_mut().enumerate() {
        if !stays.get(test).copied().unwrap_or(false) {
            mover.approach(values, &BTreeSet::new());
        }
        mover.note(test, values);
    }
    for (test, values) in moved.iter_mut().enumerate() {
        if !stays.get(test).copied().unwrap_or(false) {
            mover.fill(test, values);
        }
    }
    moved
}

/// Exchanges tests of a suite that is on the border for others that show more of it, but for those that `stay`: as many tests,
/// with other truth values of conditions. `keeps` says whether tests cover what these do; asking it costs `cost` evaluations.
pub fn exchanged(
    spec: &Spec,
    decision: usize,
    mut tests: Vec<Assignment>,
    stays: &[bool],
    keeps: &dyn Fn(&[Assignment]) -> bool,
    cost: u64,
) -> Vec<Assignment> {
    let Some(mut mover) = Mover::new(spec, decision) else { return tests };
    for (test, values) in tests.iter().enumerate() {
        mover.note(test, values);
    }
    let may = |test: usize| !stays.get(test).copied().unwrap_or(false);
    exchange::exchange(&mut mover, &mut tests, &may, keeps, cost);
    tests
}

/// How the values of a sort are read as numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Integer,
    Real,
    Unsigned,
    Signed,
}

/// A comparison of two numbers, or of two bit-vectors, among the conditions.
struct Comparison {
    /// The condition, by leaf of the formula.
    leaf: usize,
    /// The comparison of the numbers that are read.
    operator: Operator,
    left: ExprId,
    right: ExprId,
    reading: Reading,
    /// The variables it speaks of that have such values.
    variables: Vec<usize>,
}

/// A side of a border: the leaf of the comparison, and the sign of left minus right there.
type Place = (usize, i8);

struct Mover<'a> {
    spec: &'a Spec,
    decision: &'a Decision,
    interpreter: Interpreter<'a>,
    comparisons: Vec<Comparison>,
    /// The smallest difference of reals that counts.
    precision: RBig,
    has_negatives: bool,
    /// The tests that show each place exactly.
    shown: BTreeMap<Place, BTreeSet<usize>>,
    work: u64,
    cost: u64,
}

impl Comparison {
    fn all(spec: &Spec, decision: &Decision) -> Vec<Comparison> {
        let one = |(leaf, condition): (usize, &crate::Condition)| {
            let ExprKind::Apply { operator, args, .. } = &spec.expr(condition.atom).kind else { return None };
            let [left, right] = args[..] else { return None };
            let (operator, reading) = read_as(*operator, &spec.expr(left).sort)?;
            let variables = numeric_variables(spec, condition.atom);
            (!variables.is_empty()).then_some(Comparison { leaf, operator, left, right, reading, variables })
        };
        decision.conditions.iter().enumerate().filter_map(one).collect()
    }

    /// The signs that left minus right may have on the border where the comparison has this truth value.
    fn signs(&self, truth: bool) -> &'static [i8] {
        match (self.operator, truth) {
            (Operator::Lt, true) | (Operator::Ge, false) => &[-1],
            (Operator::Gt, true) | (Operator::Le, false) => &[1],
            (Operator::Eq, false) | (Operator::Distinct, true) => &[-1, 1],
            _ => &[0],
        }
    }

    /// Left minus right.
    fn difference(&self, values: &Values) -> RBig {
        number(values.get(self.left), self.reading) - number(values.get(self.right), self.reading)
    }
}

/// The comparison of numbers that an operator is for a sort, and how values are read for it.
fn read_as(operator: Operator, sort: &Sort) -> Option<(Operator, Reading)> {
    let reading = match (operator, sort) {
        (Operator::BvSlt | Operator::BvSle | Operator::BvSgt | Operator::BvSge, _) => Reading::Signed,
        (_, Sort::Int) => Reading::Integer,
        (_, Sort::Real) => Reading::Real,
        (_, Sort::BitVec(_)) => Reading::Unsigned,
        (_, Sort::Bool | Sort::Enum(_) | Sort::Array(_)) => return None,
    };
    let operator = match operator {
        Operator::Lt | Operator::BvUlt | Operator::BvSlt => Operator::Lt,
        Operator::Le | Operator::BvUle | Operator::BvSle => Operator::Le,
        Operator::Gt | Operator::BvUgt | Operator::BvSgt => Operator::Gt,
        Operator::Ge | Operator::BvUge | Operator::BvSge => Operator::Ge,
        Operator::Eq | Operator::Distinct => operator,
        _ => return None,
    };
    Some((operator, reading))
}

impl<'a> Mover<'a> {
    /// None where a decision compares nothing.
    fn new(spec: &'a Spec, decision: usize) -> Option<Mover<'a>> {
        let comparisons = Comparison::all(spec, &spec.decisions[decision]);
        (!comparisons.is_empty()).then(|| Mover {
            spec,
            decision: &spec.decisions[decision],
            interpreter: Interpreter::new(spec, decision),
            comparisons,
            precision: precision(spec),
            has_negatives: has_negatives(spec),
            shown: BTreeMap::new(),
            work: 0,
            cost: spec.exprs.len() as u64 + 1,
        })
    }

    fn run(&mut self, values: &Assignment) -> (Run, Values) {
        self.work += self.cost;
        self.interpreter.run_with_values(values)
    }

    /// Left minus right at a place of the border.
    fn wanted(&self, comparison: usize, sign: i8) -> RBig {
        let is_real = self.comparisons[comparison].reading == Reading::Real;
        let unit = if is_real { self.precision.clone() } else { RBig::ONE };
        unit * RBig::from(IBig::from(sign))
    }

    /// The places of the border that a test may show, by comparison: those of the comparisons that decide.
    fn places(&self, run: &Run) -> Vec<(usize, &'static [i8])> {
        let deciding = self.decision.formula.deciding(&run.conditions);
        let place = |(number, comparison): (usize, &Comparison)| {
            deciding[comparison.leaf].then(|| (number, comparison.signs(run.conditions[comparison.leaf])))
        };
        self.comparisons.iter().enumerate().filter_map(place).collect()
    }

    /// Notes what a test shows.
    fn note(&mut self, test: usize, values: &Assignment) {
        self.shown.values_mut().for_each(|tests| {
            tests.remove(&test);
        });
        for (number, sign) in self.places_shown(values).unwrap_or_default() {
            self.shown.entry((self.comparisons[number].leaf, sign)).or_default().insert(test);
        }
    }

    /// The comparisons that values show exactly on the border, and where; none where values violate an assumption.
    fn places_shown(&mut self, values: &Assignment) -> Option<Vec<(usize, i8)>> {
        let (run, found) = self.run(values);
        let mut shown = Vec::new();
        for (number, signs) in self.places(&run) {
            let difference = self.comparisons[number].difference(&found);
            shown.extend(
                signs.iter().filter(|sign| difference == self.wanted(number, **sign)).map(|sign| (number, *sign)),
            );
        }
        run.violated.is_empty().then_some(shown)
    }

    fn is_shown(&self, comparison: usize, sign: i8) -> bool {
        self.shown.get(&(self.comparisons[comparison].leaf, sign)).is_some_and(|tests| !tests.is_empty())
    }

    /// Brings every comparison that decides to the border, those first that no test shows there yet. The comparisons in
    /// `fixed` do not move away from it.
    fn approach(&mut self, values: &mut Assignment, fixed: &BTreeSet<usize>) {
        let (run, found) = self.run(values);
        let mut order: Vec<(bool, usize, Vec<i8>)> = Vec::new();
        for (number, signs) in self.places(&run) {
            let mut signs = signs.to_vec();
            // The neighbour that is missing, then the one on the side where the values are.
            let near = |sign: &i8| (found_sign(&self.comparisons[number].difference(&found)) - sign).abs();
            signs.sort_by_key(|sign| (self.is_shown(number, *sign), near(sign)));
            order.push((signs.iter().all(|sign| self.is_shown(number, *sign)), number, signs));
        }
        // What is next to an equality shows less than a border with one side: where it holds, it shows most.
        order.sort_by_key(|(all_shown, number, signs)| (*all_shown, signs.len(), *number));
        let mut kept = fixed.clone();
        for (_, number, signs) in order {
            for sign in signs {
                if self.bring(values, &run, number, sign, &kept) {
                    break;
                }
            }
            kept.insert(number);
        }
    }

    /// Tries to show places that no test shows, without losing any that this test alone shows.
    fn fill(&mut self, test: usize, values: &mut Assignment) {
        let (run, _) = self.run(values);
        for (number, signs) in self.places(&run) {
            for &sign in signs {
                if self.is_shown(number, sign) || MOST_WORK < self.work {
                    continue;
                }
                let only = |other: &usize| {
                    let leaf = self.comparisons[*other].leaf;
                    let alone = |tests: &BTreeSet<usize>| tests.len() == 1 && tests.contains(&test);
                    [-1, 0, 1].into_iter().any(|sign| self.shown.get(&(leaf, sign)).is_some_and(alone))
                };
                let fixed: BTreeSet<usize> = (0..self.comparisons.len()).filter(only).collect();
                let mut tried = values.clone();
                if self.bring(&mut tried, &run, number, sign, &fixed) {
                    let mut fixed = fixed;
                    fixed.insert(number);
                    self.approach(&mut tried, &fixed);
                    *values = tried;
                    self.note(test, values);
                }
            }
        }
    }

    /// Brings one comparison to a place of the border, or closer to it. Whether it is there.
    fn bring(
        &mut self,
        values: &mut Assignment,
        wanted: &Run,
        number: usize,
        sign: i8,
        kept: &BTreeSet<usize>,
    ) -> bool {
        let goal = self.wanted(number, sign);
        let (_, before) = self.run(values);
        let limits: Vec<(usize, RBig)> =
            kept.iter().map(|&other| (other, size(&self.comparisons[other].difference(&before)))).collect();
        let mut best = self.comparisons[number].difference(&before) - &goal;
        for variable in self.comparisons[number].variables.clone() {
            if best == RBig::ZERO || MOST_WORK < self.work {
                break;
            }
            for candidate in self.candidates(values, variable, number, &goal) {
                let mut tried = values.clone();
                tried[variable] = candidate;
                if !self.repair(&mut tried, wanted, &mut vec![variable]) {
                    continue;
                }
                let (_, found) = self.run(&tried);
                let distance = self.comparisons[number].difference(&found) - &goal;
                let stays =
                    |(other, limit): &(usize, RBig)| size(&self.comparisons[*other].difference(&found)) <= *limit;
                if size(&distance) < size(&best) && limits.iter().all(stays) {
                    best = distance;
                    *values = tried;
                    break;
                }
            }
        }
        best == RBig::ZERO
    }

    /// Moves other variables than those that are `held` until every condition has the value it should have; whether that was
    /// possible. A comparison that lost its value gets it back on its border.
    fn repair(&mut self, values: &mut Assignment, wanted: &Run, held: &mut Vec<usize>) -> bool {
        let (run, _) = self.run(values);
        if run.conditions == wanted.conditions {
            return run.violated == wanted.violated;
        }
        let lost = |comparison: &Comparison| run.conditions[comparison.leaf] != wanted.conditions[comparison.leaf];
        let broken = self.comparisons.iter().position(lost);
        let Some(number) = broken.filter(|_| held.len() < MOST_HELD && self.work <= MOST_WORK) else { return false };
        let comparison = &self.comparisons[number];
        let signs = comparison.signs(wanted.conditions[comparison.leaf]);
        for variable in comparison.variables.clone() {
            if held.contains(&variable) {
                continue;
            }
            for &sign in signs {
                let goal = self.wanted(number, sign);
                for candidate in self.candidates(values, variable, number, &goal).into_iter().take(MOST_REPAIRS) {
                    let mut tried = values.clone();
                    tried[variable] = candidate;
                    held.push(variable);
                    let repaired = self.repair(&mut tried, wanted, held);
                    held.pop();
                    if repaired {
                        *values = tried;
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Values of a variable that bring a comparison near its goal, the best first: where the difference grows evenly with the
    /// variable, the goal is found in one step.
    fn candidates(&mut self, values: &Assignment, variable: usize, number: usize, goal: &RBig) -> Vec<Value> {
        let now = number_of(&values[variable]);
        let unit = match values[variable] {
            Value::Real(_) => self.precision.clone(),
            _ => RBig::ONE,
        };
        let with = |number: &RBig| match &values[variable] {
            Value::Real(_) => Value::Real(number.clone()),
            Value::BitVec(bits) => Value::BitVec(pattern(bits.width(), &number.floor())),
            _ => Value::Int(number.floor()),
        };
        // Where nothing is negative in the specification, a negative value is hardly what a system takes.
        let free = self.has_negatives || now < RBig::ZERO;
        let fits = |candidate: &RBig| free || RBig::ZERO <= *candidate;
        let mut beside = values.clone();
        beside[variable] = with(&(&now + &unit));
        let (_, found) = self.run(values);
        let here = self.comparisons[number].difference(&found);
        let (_, found) = self.run(&beside);
        let slope = (self.comparisons[number].difference(&found) - &here) / &unit;
        if slope == RBig::ZERO {
            return Vec::new();
        }
        let exact = &now + (goal - &here) / slope;
        let back = if exact < now { unit.clone() } else { -unit.clone() };
        let start = if matches!(values[variable], Value::Real(_)) { exact.clone() } else { RBig::from(exact.floor()) };
        let near = (-1..NEIGHBOURS).map(|steps| &start + &back * RBig::from(IBig::from(steps)));
        let mut all: Vec<RBig> = near.collect();
        // Halfway, if nothing near the border will do.
        let mut rest = &start - &now;
        for _ in 0..8 {
            rest /= RBig::from(2u8);
            all.push(&now + &rest);
        }
        all.sort_by_key(|candidate| size(&(candidate - &exact)));
        all.dedup();
        let other = all.into_iter().filter(|candidate| *candidate != now && fits(candidate));
        other.map(|candidate| with(&candidate)).collect()
    }
}

fn size(number: &RBig) -> RBig {
    if *number < RBig::ZERO { -number.clone() } else { number.clone() }
}

fn found_sign(number: &RBig) -> i8 {
    match number.cmp(&RBig::ZERO) {
        std::cmp::Ordering::Less => -1,
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
    }
}

/// A value as a number; bit-vectors are read as unsigned.
fn number_of(value: &Value) -> RBig {
    number(value, Reading::Unsigned)
}

fn number(value: &Value, reading: Reading) -> RBig {
    match value {
        Value::Int(number) => RBig::from(number.clone()),
        Value::Real(number) => number.clone(),
        Value::BitVec(bits) => {
            let unsigned = IBig::from(bits.bits().clone());
            let negative = reading == Reading::Signed && bits.bit(bits.width() - 1);
            RBig::from(if negative { unsigned - (IBig::ONE << bits.width() as usize) } else { unsigned })
        }
        Value::Bool(_) | Value::Enum(_) | Value::Array(_) => RBig::ZERO,
    }
}

/// The bits of a number, as many as there are: larger numbers and negative ones wrap around.
fn pattern(width: u32, number: &IBig) -> BitVec {
    let size = BitVec::new(width, number.clone().into_parts().1);
    if *number < IBig::ZERO { BitVec::new(width, (UBig::ONE << width as usize) - size.bits()) } else { size }
}

/// Whether a specification speaks of negative numbers.
fn has_negatives(spec: &Spec) -> bool {
    spec.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Literal(Value::Int(number)) => *number < IBig::ZERO,
        ExprKind::Literal(Value::Real(number)) => *number < RBig::ZERO,
        ExprKind::Apply { operator, .. } => *operator == Operator::Neg,
        ExprKind::Literal(_) | ExprKind::Variable(_) => false,
    })
}

/// One in the last decimal place in which a real number is written in the specification; one where none has any.
fn precision(spec: &Spec) -> RBig {
    let mut unit = RBig::ONE;
    for expr in &spec.exprs {
        let ExprKind::Literal(Value::Real(number)) = &expr.kind else { continue };
        for _ in 0..9 {
            if (number / &unit).denominator() == &UBig::ONE {
                break;
            }
            unit /= RBig::from(10u8);
        }
    }
    unit
}

/// The variables of numbers and of bit-vectors in an expression.
fn numeric_variables(spec: &Spec, root: ExprId) -> Vec<usize> {
    let mut open = vec![root];
    let mut seen = BTreeSet::new();
    let mut variables = BTreeSet::new();
    while let Some(expr) = open.pop() {
        if !seen.insert(expr) {
            continue;
        }
        match &spec.expr(expr).kind {
            ExprKind::Variable(variable)
                if matches!(spec.expr(expr).sort, Sort::Int | Sort::Real | Sort::BitVec(_)) =>
            {
                variables.insert(variable.0 as usize);
            }
            ExprKind::Variable(_) | ExprKind::Literal(_) => {}
            ExprKind::Apply { args, .. } => open.extend(args),
        }
    }
    variables.into_iter().collect()
}
