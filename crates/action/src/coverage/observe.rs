//! What happens in a state: the guards that are evaluated, with their conditions, and the guards on the way of each step.

use std::collections::BTreeSet;

use super::What;
use crate::ast::{ArithmeticOp, Connective};
use crate::regions::{Regions, Values};
use crate::shape::Shape;
use crate::spec::{Actual, Block, Command, Condition, Invocation, Number, Spec};
use crate::trace::{Event, Label, Step};

/// More values of one binder than this are not gone through.
const MOST_VALUES: i64 = 100_000;

/// Watches a model.
#[derive(Debug)]
pub struct Observer<'a> {
    spec: &'a Spec,
    shape: Shape,
    regions: Regions,
    /// The number of the first guard of each action.
    first_guards: Vec<usize>,
}

/// What can be seen in one state.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Conditions of guards that were evaluated, with their values, where they decide.
    pub deciding: BTreeSet<What>,
    /// The steps from the state.
    pub walked: Vec<Walked>,
}

/// A step with the guards on its way.
#[derive(Clone, Debug)]
pub struct Walked {
    /// The step.
    pub step: Step,
    /// The guards.
    pub guards: Vec<usize>,
}

#[derive(Clone)]
struct Way {
    state: Vec<i64>,
    events: Vec<Event>,
    guards: Vec<usize>,
}

impl<'a> Observer<'a> {
    /// An observer of a model.
    pub fn new(spec: &'a Spec) -> Observer<'a> {
        let shape = Shape::of(&[spec]);
        let regions = Regions::of(&[spec], &shape);
        let mut next = 0;
        let mut first_guards = Vec::new();
        for action in spec.actions() {
            first_guards.push(next);
            next += 1 + guard_count(&action.body);
        }
        Observer { spec, shape, regions, first_guards }
    }

    /// What can be seen in a state. Of parameter values that behave alike only the lowest is looked at.
    pub fn observe(&self, state: &[i64]) -> Observation {
        let mut seen = Observation::default();
        let start = Way { state: state.to_vec(), events: Vec::new(), guards: Vec::new() };
        let inside = |way: &Way| {
            let mut slots = self.spec.slots().iter().zip(&way.state);
            slots.all(|(slot, value)| slot.low <= *value && *value <= slot.high)
        };
        for way in self.block(self.spec.body(), start, &mut seen).into_iter().filter(inside) {
            let step = Step { label: Label(way.events), post: way.state };
            seen.walked.push(Walked { step, guards: way.guards });
        }
        seen
    }

    fn block(&self, block: &Block, way: Way, seen: &mut Observation) -> Vec<Way> {
        match block {
            Block::Call(call) => self.call(call, way, seen),
            Block::Sequence(parts) => {
                let step = |ways: Vec<Way>, part: &Block| {
                    ways.into_iter().flat_map(|way| self.block(part, way, seen)).collect()
                };
                parts.iter().fold(vec![way], step)
            }
            Block::Choice(parts) => parts.iter().flat_map(|part| self.block(part, way.clone(), seen)).collect(),
            Block::Priority(parts) => {
                for part in parts {
                    let ways = self.block(part, way.clone(), seen);
                    if !ways.is_empty() {
                        return ways;
                    }
                }
                Vec::new()
            }
        }
    }

    fn call(&self, call: &Invocation, way: Way, seen: &mut Observation) -> Vec<Way> {
        let action = &self.spec.actions()[call.action];
        let number = self.shape.action(action);
        let mut combinations: Vec<Vec<i64>> = vec![Vec::new()];
        for binder in 0..call.binders.len() {
            let values: Vec<i64> = match self.regions.values(number, call, binder) {
                Values::All(low, high) => (low..=high.min(low.saturating_add(MOST_VALUES))).collect(),
                Values::Chosen(chosen) => chosen.into_iter().map(|(value, _)| value).collect(),
            };
            let extend = |chosen: Vec<i64>| {
                values.iter().map(move |value| [chosen.as_slice(), &[*value]].concat()).collect::<Vec<_>>()
            };
            combinations = combinations.into_iter().flat_map(extend).collect();
        }
        let mut ways = Vec::new();
        for values in combinations {
            let argument = |actual: &Actual| match actual {
                Actual::Constant(number) => *number,
                Actual::Binder(binder) => values[*binder],
            };
            let arguments: Vec<i64> = call.arguments.iter().map(argument).collect();
            let mut inner = way.clone();
            let guard = self.first_guards[call.action];
            if !evaluate(&action.guard, &arguments, guard, &mut inner, seen) {
                continue;
            }
            inner.events.push(Event { action: action.name.clone(), arguments: arguments.clone() });
            let mut next = guard + 1;
            ways.extend(command(&action.body, &arguments, inner, &mut next, seen));
        }
        ways
    }
}

fn guard_count(command: &Command) -> usize {
    match command {
        Command::Skip | Command::Assign(..) | Command::AssignElement { .. } | Command::Together(_) => 0,
        Command::Any { body, .. } => guard_count(body),
        Command::Sequence(parts) | Command::Choice(parts) | Command::Priority(parts) => {
            parts.iter().map(guard_count).sum()
        }
        Command::Guarded(_, body) => 1 + guard_count(body),
    }
}

/// Runs a command; `next` is the number of its first guard and afterwards that of the first one behind it.
fn command(root: &Command, parameters: &[i64], mut way: Way, next: &mut usize, seen: &mut Observation) -> Vec<Way> {
    match root {
        Command::Skip => vec![way],
        Command::Assign(..) | Command::AssignElement { .. } => match assigned(root, parameters, &way.state) {
            Some((slot, value)) => {
                way.state[slot] = value;
                vec![way]
            }
            None => Vec::new(),
        },
        Command::Together(parts) => {
            let all: Option<Vec<(usize, i64)>> =
                parts.iter().map(|part| assigned(part, parameters, &way.state)).collect();
            let Some(all) = all else { return Vec::new() };
            all.into_iter().for_each(|(slot, value)| way.state[slot] = value);
            vec![way]
        }
        Command::Any { low, high, body } => {
            let begin = *next;
            *next += guard_count(body);
            let with = |value: i64| command(body, &[parameters, &[value]].concat(), way.clone(), &mut { begin }, seen);
            (*low..=*high).flat_map(with).collect()
        }
        Command::Sequence(parts) => {
            let mut ways = vec![way];
            for part in parts {
                let begin = *next;
                let mut after = Vec::new();
                *next += guard_count(part);
                for way in ways {
                    let mut first = begin;
                    after.extend(command(part, parameters, way, &mut first, seen));
                }
                ways = after;
            }
            ways
        }
        Command::Choice(parts) => {
            let mut ways = Vec::new();
            for part in parts {
                let mut begin = *next;
                *next += guard_count(part);
                ways.extend(command(part, parameters, way.clone(), &mut begin, seen));
            }
            ways
        }
        Command::Priority(parts) => {
            let mut ways = Vec::new();
            for part in parts {
                let mut begin = *next;
                *next += guard_count(part);
                if ways.is_empty() {
                    ways = command(part, parameters, way.clone(), &mut begin, seen);
                }
            }
            ways
        }
        Command::Guarded(guard, body) => {
            let number = *next;
            *next += 1 + guard_count(body);
            if evaluate(guard, parameters, number, &mut way, seen) {
                command(body, parameters, way, &mut (number + 1), seen)
            } else {
                Vec::new()
            }
        }
    }
}

/// The slot that an assignment assigns, and its value; none where one of them is undefined.
fn assigned(root: &Command, parameters: &[i64], state: &[i64]) -> Option<(usize, i64)> {
    match root {
        Command::Assign(slot, value) => Some((*slot, number(value, parameters, state)?)),
        Command::AssignElement { first, low, length, index, value } => {
            let cell = cell(number(index, parameters, state)?, *first, *low, *length)?;
            Some((cell, number(value, parameters, state)?))
        }
        other => unreachable!("{other:?} is not an assignment"),
    }
}

/// Evaluates a guard, notes which conditions decide it, and adds it to the way if it holds.
fn evaluate(guard: &Condition, parameters: &[i64], number: usize, way: &mut Way, seen: &mut Observation) -> bool {
    let mut atoms = Vec::new();
    conditions(guard, parameters, &way.state, &mut atoms);
    let values: Option<Vec<bool>> = atoms.iter().copied().collect();
    let outcome = truth(guard, parameters, &way.state) == Some(true);
    if let Some(mut values) = values {
        for place in 0..values.len() {
            let original = values[place];
            let with = |values: &mut Vec<bool>, value: bool| {
                values[place] = value;
                formula(guard, &mut values.iter().copied())
            };
            if with(&mut values, true) != with(&mut values, false) {
                seen.deciding.insert(What::Condition(number, place, original));
            }
            values[place] = original;
        }
    }
    if outcome {
        way.guards.push(number);
    }
    outcome
}

/// The values of the conditions of a guard; none where one is undefined.
fn conditions(root: &Condition, parameters: &[i64], state: &[i64], atoms: &mut Vec<Option<bool>>) {
    match root {
        Condition::Truth(_) => {}
        Condition::Not(inner) => conditions(inner, parameters, state, atoms),
        Condition::Compare(..) => atoms.push(truth(root, parameters, state)),
        Condition::Connect(_, parts) => parts.iter().for_each(|part| conditions(part, parameters, state, atoms)),
    }
}

/// The guard over given values of its conditions.
fn formula(root: &Condition, atoms: &mut dyn Iterator<Item = bool>) -> bool {
    match root {
        Condition::Truth(truth) => *truth,
        Condition::Not(inner) => !formula(inner, atoms),
        Condition::Compare(..) => atoms.next().unwrap_or(false),
        Condition::Connect(connective, parts) => {
            let values: Vec<bool> = parts.iter().map(|part| formula(part, atoms)).collect();
            match connective {
                Connective::And => values.iter().all(|value| *value),
                Connective::Or => values.iter().any(|value| *value),
                Connective::Xor => values.iter().fold(false, |odd, value| odd != *value),
                Connective::Implies => !values[0] || values[1],
                Connective::ImpliedBy => values[0] || !values[1],
                Connective::Iff => values[0] == values[1],
            }
        }
    }
}

/// Whether a condition on a state holds; none where it is undefined.
pub fn holds(condition: &Condition, state: &[i64]) -> Option<bool> {
    truth(condition, &[], state)
}

/// The truth of a condition, from left to right; none where it is undefined.
fn truth(root: &Condition, parameters: &[i64], state: &[i64]) -> Option<bool> {
    let value = |condition: &Condition| truth(condition, parameters, state);
    Some(match root {
        Condition::Truth(truth) => *truth,
        Condition::Not(inner) => !value(inner)?,
        Condition::Compare(comparison, left, right) => {
            comparison.holds(number(left, parameters, state)?, number(right, parameters, state)?)
        }
        Condition::Connect(connective, parts) => match connective {
            Connective::And | Connective::Or => {
                let end = *connective == Connective::Or;
                for part in parts {
                    if value(part)? == end {
                        return Some(end);
                    }
                }
                !end
            }
            Connective::Xor => {
                let mut odd = false;
                for part in parts {
                    odd ^= value(part)?;
                }
                odd
            }
            Connective::Implies => !value(&parts[0])? || value(&parts[1])?,
            Connective::ImpliedBy => value(&parts[0])? || !value(&parts[1])?,
            Connective::Iff => value(&parts[0])? == value(&parts[1])?,
        },
    })
}

fn cell(index: i64, first: usize, low: i64, length: usize) -> Option<usize> {
    usize::try_from(index - low).ok().filter(|offset| *offset < length).map(|offset| first + offset)
}

/// The value of a number; none where it is undefined.
fn number(root: &Number, parameters: &[i64], state: &[i64]) -> Option<i64> {
    Some(match root {
        Number::Constant(number) => *number,
        Number::Slot(slot) => state[*slot],
        Number::Parameter(parameter) => parameters[*parameter],
        Number::Element { first, low, length, index } => {
            state[cell(number(index, parameters, state)?, *first, *low, *length)?]
        }
        Number::Negate(inner) => -number(inner, parameters, state)?,
        Number::Absolute(inner) => number(inner, parameters, state)?.abs(),
        Number::Arithmetic(operator, left, right) => {
            let (left, right) = (number(left, parameters, state)?, number(right, parameters, state)?);
            match operator {
                ArithmeticOp::Add => left + right,
                ArithmeticOp::Subtract => left - right,
                ArithmeticOp::Multiply => left * right,
                ArithmeticOp::Divide => left.checked_div_euclid(right)?,
                ArithmeticOp::Modulo => left.checked_rem_euclid(right)?,
                ArithmeticOp::Minimum => left.min(right),
                ArithmeticOp::Maximum => left.max(right),
            }
        }
    })
}
