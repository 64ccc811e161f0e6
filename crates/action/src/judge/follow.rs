//! Tests followed through mutants by what can be seen of them: the sets of states that model and mutant may be in.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Machines, Original, Rival};
use crate::compile::Program;
use crate::finding::Seen;
use crate::machine::{Machine, OutOfFuel};
use crate::spec::ActionKind;
use crate::trace::{Label, Step};
use crate::trial::Trial;

/// States a system may be in.
type States = BTreeSet<Vec<i64>>;

/// A test as the model follows it.
pub struct Followed {
    seen: Vec<Seen>,
    /// The states the model may be in before each part of the test, and at its end; and whether it may be silent there.
    points: Vec<(States, bool)>,
}

/// One system, with what it needs to be followed.
struct Side<'a> {
    program: &'a Program,
    kinds: &'a [ActionKind],
    own: Vec<bool>,
    machine: &'a mut Machine,
    /// The choices it may take, those of before included.
    most: u64,
    fuel: u64,
    /// What states met before do by themselves.
    known: BTreeMap<Vec<i64>, Rc<Own>>,
    /// The last question where a label leads, with its answer: tests like to repeat themselves.
    last: Option<(States, Vec<i64>, States)>,
}

/// What a state does by itself.
struct Own {
    internal: States,
    outputs: BTreeSet<Vec<i64>>,
}

impl Followed {
    /// Follows a test through the model.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn new(model: &Original, trial: &Trial, machines: &mut Machines) -> Result<Followed, OutOfFuel> {
        let seen: Vec<Seen> =
            trial.trace.iter().cloned().chain(trial.then.iter().cloned().map(Seen::Observed)).collect();
        let machine = (&mut machines.model, machines.fuel);
        let points = Side::new(&model.program, &model.kinds, machine).points(&model.initial, &seen)?;
        Ok(Followed { seen, points })
    }

    /// Whether somewhere along the test the mutant may put out what the model may not.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn tells(&self, rival: &Rival, machines: &mut Machines) -> Result<bool, OutOfFuel> {
        let Machines { mutant, model, fuel } = machines;
        let most = model.work().saturating_add(*fuel);
        let mut mutant = Side::new(rival.whole(), &rival.kinds.1, (mutant, *fuel));
        let mut states = mutant.closed(States::from([rival.initial.to_vec()]))?;
        for (position, (allowing, may_be_silent)) in self.points.iter().enumerate() {
            if !may_be_silent && !mutant.silent(&states)?.is_empty() {
                return Ok(true);
            }
            for state in &states {
                if most < model.work() {
                    return Err(OutOfFuel);
                }
                for label in &mutant.own(state)?.outputs {
                    if !allows((model, *fuel), &rival.original, allowing, label)? {
                        return Ok(true);
                    }
                }
            }
            let Some(seen) = self.seen.get(position) else { break };
            let label = match seen {
                Seen::Silence => None,
                Seen::Step(Step { label, .. }) | Seen::Observed(label) => rival.shape().encode(label),
            };
            let is_input =
                |label: &[i64]| kind(&rival.kinds.0, rival.shape().stride(), label) == ActionKind::Controllable;
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
    (machine, fuel): (&mut Machine, u64),
    program: &Program,
    states: &States,
    label: &[i64],
) -> Result<bool, OutOfFuel> {
    for state in states {
        if is_possible((machine, fuel), program, state, label)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_possible(
    (machine, fuel): (&mut Machine, u64),
    program: &Program,
    state: &[i64],
    label: &[i64],
) -> Result<bool, OutOfFuel> {
    let mut possible = false;
    machine.refuel(fuel);
    machine.after(program, state, label, &mut |_| {
        possible = true;
        false
    })?;
    Ok(possible)
}

/// Who decides about a label: its first event does; where all of it is internal, nobody sees it.
fn kind(kinds: &[ActionKind], stride: usize, label: &[i64]) -> ActionKind {
    let decides = |action: i64| kinds[action as usize - 1];
    let internal = |event: &[i64]| event[0] == 0 || decides(event[0]) == ActionKind::Internal;
    if decides(label[0]) == ActionKind::Controllable {
        ActionKind::Controllable
    } else if label.chunks(stride).all(internal) {
        ActionKind::Internal
    } else {
        ActionKind::Observable
    }
}

impl<'a> Side<'a> {
    fn new(program: &'a Program, kinds: &'a [ActionKind], (machine, fuel): (&'a mut Machine, u64)) -> Side<'a> {
        let own = kinds.iter().map(|kind| *kind != ActionKind::Controllable).collect();
        let most = machine.work().saturating_add(fuel);
        Side { program, kinds, own, machine, most, fuel, known: BTreeMap::new(), last: None }
    }

    fn own(&mut self, state: &[i64]) -> Result<Rc<Own>, OutOfFuel> {
        if let Some(known) = self.known.get(state) {
            return Ok(known.clone());
        }
        if self.most < self.machine.work() {
            return Err(OutOfFuel);
        }
        let stride = self.program.shape().stride();
        let mut own = Own { internal: States::new(), outputs: BTreeSet::new() };
        let kinds = self.kinds;
        self.machine.refuel(self.fuel);
        self.machine.steps_beginning(self.program, state, &self.own, &mut |step| {
            match kind(kinds, stride, step.label) {
                ActionKind::Internal => {
                    own.internal.insert(step.post.to_vec());
                }
                ActionKind::Observable if !own.outputs.contains(step.label) => {
                    own.outputs.insert(step.label.to_vec());
                }
                ActionKind::Observable | ActionKind::Controllable => {}
            }
            true
        })?;
        let own = Rc::new(own);
        self.known.insert(state.to_vec(), own.clone());
        Ok(own)
    }

    /// Adds what internal steps lead to.
    fn closed(&mut self, mut states: States) -> Result<States, OutOfFuel> {
        if !self.kinds.contains(&ActionKind::Internal) {
            return Ok(states);
        }
        let mut open: Vec<Vec<i64>> = states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for post in &self.own(&state)?.internal {
                if states.insert(post.clone()) {
                    open.push(post.clone());
                }
            }
        }
        Ok(states)
    }

    /// Those of the states in which nothing comes by itself: there is no output, however internal steps go on, and whatever
    /// they lead to leads back.
    fn silent(&mut self, states: &States) -> Result<States, OutOfFuel> {
        let mut silent = States::new();
        for state in states {
            if self.is_silent(state)? {
                silent.insert(state.clone());
            }
        }
        Ok(silent)
    }

    fn is_silent(&mut self, state: &[i64]) -> Result<bool, OutOfFuel> {
        let first = self.own(state)?;
        if !first.outputs.is_empty() || first.internal.is_empty() {
            return Ok(first.outputs.is_empty());
        }
        let around = self.closed(States::from([state.to_vec()]))?;
        let mut steps = Vec::new();
        for other in &around {
            let own = self.own(other)?;
            if !own.outputs.is_empty() {
                return Ok(false);
            }
            steps.push((other, own));
        }
        let mut back = States::from([state.to_vec()]);
        loop {
            let before = back.len();
            let leads = |own: &Own| own.internal.iter().any(|post| back.contains(post));
            let more: Vec<Vec<i64>> =
                steps.iter().filter(|(_, own)| leads(own)).map(|(other, _)| (*other).clone()).collect();
            back.extend(more);
            if back.len() == before {
                return Ok(back.len() == around.len());
            }
        }
    }

    /// Whether every state takes an input.
    fn all_take(&mut self, states: &States, label: &[i64]) -> Result<bool, OutOfFuel> {
        for state in states {
            if self.most < self.machine.work() {
                return Err(OutOfFuel);
            }
            if !is_possible((self.machine, self.fuel), self.program, state, label)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The states after a label, or after silence; where `stubborn`, those that refuse the label stay.
    fn after(&mut self, states: &States, label: Option<&[i64]>, stubborn: bool) -> Result<States, OutOfFuel> {
        let Some(label) = label else { return self.silent(states) };
        if let Some((_, _, known)) = self.last.as_ref().filter(|(from, by, _)| from == states && by == label) {
            return Ok(known.clone());
        }
        let mut next = States::new();
        for state in states {
            let mut taken = false;
            if self.most < self.machine.work() {
                return Err(OutOfFuel);
            }
            self.machine.refuel(self.fuel);
            self.machine.after(self.program, state, label, &mut |post| {
                taken = true;
                if !next.contains(post) {
                    next.insert(post.to_vec());
                }
                true
            })?;
            if !taken && stubborn {
                next.insert(state.clone());
            }
        }
        let next = self.closed(next)?;
        self.last = Some((states.clone(), label.to_vec(), next.clone()));
        Ok(next)
    }

    /// The states before each part of a test and at its end, with whether they may be silent.
    fn points(&mut self, initial: &[i64], seen: &[Seen]) -> Result<Vec<(States, bool)>, OutOfFuel> {
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
