//! Tests followed through mutants by what can be seen of them: the sets of states that model and mutant may be in.

use std::collections::BTreeSet;

use action::spec::ActionKind;
use action::trace::{Label, Step};
use action::{Machine, Program};
use rayon::prelude::*;

use super::document::Trial;
use super::labels::kind;
use super::limits::{Limits, Stopped};
use super::pair::{Base, Pair};
use super::silence::{self, silent_around};
use super::subject::ActionSubject;
use super::verdict::Seen;

/// States a system may be in.
type States = BTreeSet<Vec<i64>>;

/// A test as the model follows it.
pub(super) struct Followed<'a> {
    seen: Vec<Seen>,
    /// The states the model may be in before each part of the test, and at its end; and whether it may be silent there.
    points: Vec<(States, bool)>,
    limits: &'a Limits,
}

/// One system, with what it needs to be followed.
struct Side<'a> {
    program: &'a Program,
    kinds: &'a [ActionKind],
    own: Vec<bool>,
    machine: &'a mut Machine,
    ways: u64,
}

/// What a state does by itself.
struct Own {
    internal: States,
    outputs: BTreeSet<Vec<i64>>,
}

impl<'a> Followed<'a> {
    /// Follows a test through the model.
    pub(super) fn new(base: &Base, trial: &Trial, limits: &'a Limits) -> Result<Followed<'a>, String> {
        let seen: Vec<Seen> =
            trial.trace.iter().cloned().chain(trial.then.iter().cloned().map(Seen::Observed)).collect();
        let mut machine = Machine::default();
        let mut side = Side::new(base.program(), base.kinds(), &mut machine, limits);
        let points = side.points(base.initial(), &seen).map_err(|stopped| stopped.to_string())?;
        Ok(Followed { seen, points, limits })
    }

    /// The mutants that the test tells from the model, ascending.
    pub(super) fn shown(&self, subject: &ActionSubject<'_>) -> Vec<u32> {
        let tells = |machines: &mut (Machine, Machine), mutant: u32| {
            let pair = subject.pair(mutant as usize).filter(|pair| !pair.is_same())?;
            self.tells(pair, machines).unwrap_or(false).then_some(mutant)
        };
        let all = 0..subject.entries.len() as u32;
        all.into_par_iter().map_init(Default::default, tells).flatten().collect()
    }

    /// Whether somewhere along the test the mutant may put out what the model may not.
    fn tells(&self, pair: &Pair, machines: &mut (Machine, Machine)) -> Result<bool, Stopped> {
        let mut mutant = Side::new(pair.mutant(), &pair.kinds.1, &mut machines.0, self.limits);
        let model = &mut machines.1;
        let mut states = mutant.closed(States::from([pair.initial.clone()]))?;
        for (position, (allowing, may_be_silent)) in self.points.iter().enumerate() {
            if !may_be_silent && !mutant.silent(&states)?.is_empty() {
                return Ok(true);
            }
            for state in &states {
                for label in &mutant.own(state)?.outputs {
                    if !allows(model, &pair.original, allowing, label, self.limits)? {
                        return Ok(true);
                    }
                }
            }
            let Some(seen) = self.seen.get(position) else { break };
            let label = match seen {
                Seen::Silence => None,
                Seen::Step(Step { label, .. }) | Seen::Observed(label) => pair.shape().encode(label),
            };
            let is_input =
                |label: &[i64]| kind(&pair.kinds.0, pair.shape().stride(), label) == ActionKind::Controllable;
            let stubborn = label.as_deref().is_some_and(is_input);
            states = mutant.after(&states, label.as_deref(), stubborn)?;
            if states.is_empty() {
                return Ok(false);
            }
        }
        Ok(false)
    }
}

/// Whether a label is possible in one of some states.
fn allows(
    machine: &mut Machine,
    program: &Program,
    states: &States,
    label: &[i64],
    limits: &Limits,
) -> Result<bool, Stopped> {
    for state in states {
        let mut possible = false;
        machine.refuel(limits.ways);
        let went = machine.after(program, state, label, &mut |_| {
            possible = true;
            false
        });
        went.map_err(|_| Stopped::Ways(limits.ways))?;
        if possible {
            return Ok(true);
        }
    }
    Ok(false)
}

impl<'a> Side<'a> {
    fn new(program: &'a Program, kinds: &'a [ActionKind], machine: &'a mut Machine, limits: &Limits) -> Side<'a> {
        let own = kinds.iter().map(|kind| *kind != ActionKind::Controllable).collect();
        Side { program, kinds, own, machine, ways: limits.ways }
    }

    fn own(&mut self, state: &[i64]) -> Result<Own, Stopped> {
        let stride = self.program.shape().stride();
        let mut own = Own { internal: States::new(), outputs: BTreeSet::new() };
        let kinds = self.kinds;
        self.machine.refuel(self.ways);
        let went = self.machine.steps_beginning(self.program, state, &self.own, &mut |step| {
            match kind(kinds, stride, step.label) {
                ActionKind::Internal => {
                    own.internal.insert(step.post.to_vec());
                }
                ActionKind::Observable => {
                    own.outputs.insert(step.label.to_vec());
                }
                ActionKind::Controllable => {}
            }
            true
        });
        went.map_err(|_| Stopped::Ways(self.ways))?;
        Ok(own)
    }

    /// Adds what internal steps lead to.
    fn closed(&mut self, mut states: States) -> Result<States, Stopped> {
        if !self.kinds.contains(&ActionKind::Internal) {
            return Ok(states);
        }
        let mut open: Vec<Vec<i64>> = states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for post in self.own(&state)?.internal {
                if states.insert(post.clone()) {
                    open.push(post);
                }
            }
        }
        Ok(states)
    }

    /// Those of the states in which nothing comes by itself.
    fn silent(&mut self, states: &States) -> Result<States, Stopped> {
        let mut silent = States::new();
        for state in states {
            if !silent.contains(state)
                && let Some(around) = silent_around(state, |state| {
                    let own = self.own(state)?;
                    let internal = own.internal.into_iter().collect();
                    Ok(silence::Own { internal, puts_out: !own.outputs.is_empty() })
                })?
            {
                silent.extend(around);
            }
        }
        Ok(silent)
    }

    /// Whether every state takes an input.
    fn all_take(&mut self, states: &States, label: &[i64]) -> Result<bool, Stopped> {
        for state in states {
            let mut taken = false;
            self.machine.refuel(self.ways);
            let went = self.machine.after(self.program, state, label, &mut |_| {
                taken = true;
                false
            });
            went.map_err(|_| Stopped::Ways(self.ways))?;
            if !taken {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The states after a label, or after silence; where `stubborn`, those that refuse the label stay.
    fn after(&mut self, states: &States, label: Option<&[i64]>, stubborn: bool) -> Result<States, Stopped> {
        let Some(label) = label else { return self.silent(states) };
        let mut next = States::new();
        for state in states {
            let mut taken = false;
            self.machine.refuel(self.ways);
            let went = self.machine.after(self.program, state, label, &mut |post| {
                taken = true;
                next.insert(post.to_vec());
                true
            });
            went.map_err(|_| Stopped::Ways(self.ways))?;
            if !taken && stubborn {
                next.insert(state.clone());
            }
        }
        self.closed(next)
    }

    /// The states before each part of a test and at its end, with whether they may be silent.
    fn points(&mut self, initial: &[i64], seen: &[Seen]) -> Result<Vec<(States, bool)>, Stopped> {
        let mut states = self.closed(States::from([initial.to_vec()]))?;
        let stride = self.program.shape().stride();
        let mut points = Vec::new();
        for position in 0..=seen.len() {
            let silent = !self.silent(&states)?.is_empty();
            points.push((states.clone(), silent));
            let Some(seen) = seen.get(position) else { break };
            let label: Option<&Label> = match seen {
                Seen::Silence => None,
                Seen::Step(Step { label, .. }) | Seen::Observed(label) => Some(label),
            };
            let numbers = label.map(|label| self.program.shape().encode(label).unwrap_or_default());
            let is_input =
                |label: &Vec<i64>| !label.is_empty() && kind(self.kinds, stride, label) == ActionKind::Controllable;
            // Where a state of the model refuses what the test gives, there is nothing more to compare.
            if let Some(label) = numbers.as_ref().filter(|label| is_input(label))
                && !self.all_take(&states, label)?
            {
                break;
            }
            states = match &numbers {
                Some(numbers) if numbers.is_empty() => States::new(),
                _ => self.after(&states, numbers.as_deref(), false)?,
            };
            if states.is_empty() {
                break;
            }
        }
        Ok(points)
    }
}
