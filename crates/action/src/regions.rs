//! Which values of a parameter behave alike.
//!
//! A parameter that is only compared, never stored or calculated with, matters by its order among the values it is
//! compared with. One representative of each region between those values then stands for all of it, in the model and in
//! every mutant whose own values are taken into account, so that a parameter with a million values costs no more than
//! one with ten.

use std::collections::BTreeSet;

use crate::ast::ArithmeticOp;
use crate::shape::Shape;
use crate::spec::{ActionSpec, Actual, Block, Command, Condition, Invocation, Number, Spec};

/// Other sides of a comparison with more values than this make every value of the parameter count.
const MOST_CUTS: i128 = 256;
/// Every value of an interval counts whose ends are less than this apart.
const SMALL: i64 = 4;

/// How each parameter of each action, in the order of the shape, is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    uses: Vec<Vec<Use>>,
}

/// How a parameter is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Use {
    /// Values that behave like no other.
    cuts: BTreeSet<i64>,
    /// Whether every value counts.
    every: bool,
}

/// The values a binder runs through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// All of an interval.
    All(i64, i64),
    /// Representatives, each with the number of values it stands for.
    Chosen(Vec<(i64, u64)>),
}

impl Regions {
    /// The regions that hold in all of these models.
    pub fn of(specs: &[&Spec], shape: &Shape) -> Regions {
        let mut regions = Regions { uses: vec![vec![Use::default(); shape.arity]; shape.actions.len()] };
        for spec in specs {
            (0..spec.actions().len()).for_each(|action| regions.add(spec, shape, action));
            regions.calls(spec, spec.body(), shape, false);
        }
        regions
    }

    /// Whether these regions hold in a model too that differs from theirs in some actions alone.
    pub fn hold_in(&self, spec: &Spec, shape: &Shape, changed: &[usize]) -> bool {
        changed.iter().all(|&action| {
            let number = shape.action(&spec.actions()[action]);
            self.uses[number].iter().all(|one| one.every) || {
                let mut uses = self.uses[number].clone();
                walk(spec, action, &mut uses);
                uses == self.uses[number]
            }
        })
    }

    fn add(&mut self, spec: &Spec, shape: &Shape, action: usize) {
        walk(spec, action, &mut self.uses[shape.action(&spec.actions()[action])]);
    }

    /// Calls cut too: at constants and at the ends of intervals. Within sequences and priorities, and where a binder is
    /// used twice, every value counts.
    fn calls(&mut self, spec: &Spec, block: &Block, shape: &Shape, every: bool) {
        match block {
            Block::Call(call) => {
                let uses = &mut self.uses[shape.action(&spec.actions()[call.action])];
                for (position, argument) in call.arguments.iter().enumerate() {
                    uses[position].every |= every || repeated(call, argument);
                    match argument {
                        Actual::Constant(number) => {
                            uses[position].cuts.insert(*number);
                        }
                        Actual::Binder(binder) => {
                            let (low, high) = call.binders[*binder];
                            uses[position].cuts.extend([low - 1, low, high, high + 1]);
                            // What a small interval tells apart, a larger one of a mutant tells apart, too.
                            if high - low < SMALL {
                                uses[position].cuts.extend(low..=high);
                            }
                        }
                    }
                }
            }
            Block::Sequence(parts) | Block::Priority(parts) => {
                parts.iter().for_each(|part| self.calls(spec, part, shape, true));
            }
            Block::Choice(parts) => {
                parts.iter().for_each(|part| self.calls(spec, part, shape, every));
            }
        }
    }

    /// The values of a binder of a call.
    pub(crate) fn values(&self, action: usize, call: &Invocation, binder: usize) -> Values {
        let (low, high) = call.binders[binder];
        let used = |argument: &Actual| *argument == Actual::Binder(binder);
        let uses: Vec<&Use> = call
            .arguments
            .iter()
            .zip(&self.uses[action])
            .filter(|(argument, _)| used(argument))
            .map(|(_, one)| one)
            .collect();
        if uses.iter().any(|one| one.every) || high - low < SMALL {
            return Values::All(low, high);
        }
        let cuts: BTreeSet<i64> = uses.iter().flat_map(|one| one.cuts.range(low..=high).copied()).collect();
        let mut chosen = Vec::new();
        let mut next = low;
        for cut in cuts {
            if next < cut {
                chosen.push((next, (cut - next) as u64));
            }
            chosen.push((cut, 1));
            next = cut + 1;
        }
        if next <= high {
            chosen.push((next, (high - next + 1) as u64));
        }
        Values::Chosen(chosen)
    }
}

fn repeated(call: &Invocation, argument: &Actual) -> bool {
    matches!(argument, Actual::Binder(_)) && 1 < call.arguments.iter().filter(|other| *other == argument).count()
}

type Bounds = (i128, i128);

/// Takes into account how an action uses its parameters.
fn walk(spec: &Spec, action: usize, uses: &mut [Use]) {
    let ActionSpec { parameters, guard, body, .. } = &*spec.actions()[action];
    if parameters.is_empty() {
        return;
    }
    let mut walk = Walk { spec, assigned: BTreeSet::new(), uses, parameters: parameter_bounds(spec, action) };
    walk.collect(body);
    walk.condition(guard);
    walk.command(body);
}

/// The values each parameter of an action can have, over all its calls.
fn parameter_bounds(spec: &Spec, action: usize) -> Vec<Bounds> {
    let mut bounds: Vec<Option<Bounds>> = vec![None; spec.actions()[action].parameters.len()];
    if bounds.is_empty() {
        return Vec::new();
    }
    for call in spec.body().calls().into_iter().filter(|call| call.action == action) {
        for (argument, known) in call.arguments.iter().zip(&mut bounds) {
            let (low, high) = match argument {
                Actual::Constant(number) => (i128::from(*number), i128::from(*number)),
                Actual::Binder(binder) => (i128::from(call.binders[*binder].0), i128::from(call.binders[*binder].1)),
            };
            *known = Some(known.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
        }
    }
    bounds.into_iter().map(|known| known.unwrap_or((0, 0))).collect()
}

struct Walk<'a> {
    spec: &'a Spec,
    /// Slots the action assigns: their values within it are not bounded by their types.
    assigned: BTreeSet<usize>,
    uses: &'a mut [Use],
    parameters: Vec<Bounds>,
}

impl Walk<'_> {
    fn collect(&mut self, command: &Command) {
        match command {
            Command::Skip => {}
            Command::Assign(slot, _) => {
                self.assigned.insert(*slot);
            }
            Command::AssignElement { first, length, .. } => self.assigned.extend(*first..*first + *length),
            Command::Together(parts) | Command::Sequence(parts) | Command::Choice(parts) | Command::Priority(parts) => {
                parts.iter().for_each(|part| self.collect(part));
            }
            Command::Guarded(_, body) | Command::Any { body, .. } => self.collect(body),
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Skip => {}
            Command::Assign(_, value) => self.every(value),
            Command::AssignElement { index, value, .. } => {
                self.every(index);
                self.every(value);
            }
            Command::Together(parts) | Command::Sequence(parts) | Command::Choice(parts) | Command::Priority(parts) => {
                parts.iter().for_each(|part| self.command(part));
            }
            Command::Any { body, .. } => self.command(body),
            Command::Guarded(guard, body) => {
                self.condition(guard);
                self.command(body);
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Truth(_) => {}
            Condition::Not(inner) => self.condition(inner),
            Condition::Connect(_, parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::Compare(_, left, right) => match (left, right) {
                (Number::Parameter(parameter), other) | (other, Number::Parameter(parameter)) => {
                    self.compared(*parameter, other);
                    self.every(other);
                }
                (left, right) => {
                    self.every(left);
                    self.every(right);
                }
            },
        }
    }

    /// A parameter compared with something: each value of the other side is a cut.
    fn compared(&mut self, parameter: usize, other: &Number) {
        let bounds = self.bounds(other);
        // A local name is none of the label's parameters.
        let Some(used) = self.uses.get_mut(parameter).filter(|_| parameter < self.parameters.len()) else { return };
        match bounds {
            Some((low, high)) if high - low < MOST_CUTS => {
                let fits = |value: i128| i64::try_from(value).ok();
                used.cuts.extend((low..=high).filter_map(fits));
            }
            _ => used.every = true,
        }
    }

    /// Parameters within a calculation: every value counts.
    fn every(&mut self, number: &Number) {
        match number {
            Number::Constant(_) | Number::Slot(_) => {}
            Number::Parameter(parameter) if *parameter < self.parameters.len() => self.uses[*parameter].every = true,
            Number::Parameter(_) => {}
            Number::Element { index: inner, .. } | Number::Negate(inner) | Number::Absolute(inner) => self.every(inner),
            Number::Arithmetic(_, left, right) => {
                self.every(left);
                self.every(right);
            }
        }
    }

    /// The values a number can have; none where they are not known.
    fn bounds(&self, number: &Number) -> Option<Bounds> {
        let domain = |slot: usize| {
            let known = !self.assigned.contains(&slot);
            known.then(|| (i128::from(self.spec.slots()[slot].low), i128::from(self.spec.slots()[slot].high)))
        };
        match number {
            Number::Constant(number) => Some((i128::from(*number), i128::from(*number))),
            Number::Slot(slot) => domain(*slot),
            Number::Parameter(parameter) => self.parameters.get(*parameter).copied(),
            Number::Element { first, .. } => domain(*first),
            Number::Negate(inner) => self.bounds(inner).map(|(low, high)| (-high, -low)),
            Number::Arithmetic(ArithmeticOp::Add, left, right) => {
                let (left, right) = (self.bounds(left)?, self.bounds(right)?);
                Some((left.0 + right.0, left.1 + right.1))
            }
            Number::Arithmetic(ArithmeticOp::Subtract, left, right) => {
                let (left, right) = (self.bounds(left)?, self.bounds(right)?);
                Some((left.0 - right.1, left.1 - right.0))
            }
            Number::Absolute(_) | Number::Arithmetic(..) => None,
        }
    }
}
