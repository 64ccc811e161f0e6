//! A system as a tester sees it, by the interpreter alone: the states it may be in, given what was seen.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::finding::{Seen, kind};
use crate::interp::{Interpreter, Own};
use crate::machine::OutOfFuel;
use crate::spec::{ActionKind, Spec};
use crate::trace::Label;

/// States a system may be in.
pub type States = BTreeSet<Vec<i64>>;

/// What becomes of a state that refuses an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The system was not in it: so a model is followed.
    Excluded,
    /// The system stays in it: so an implementation is followed, which takes any input.
    Ignored,
}

/// Which states take an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taking {
    /// Every state the system may be in.
    All,
    /// Some of them.
    Some,
    /// None.
    None,
}

/// The states a system may be in, internal steps included.
#[derive(Clone)]
pub struct Watch<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    states: States,
    /// Where states are so many that to follow a label from all of them takes more choices than this, it is not followed.
    most: u64,
}

impl<'a> Watch<'a> {
    /// A system at its beginning.
    pub fn new(spec: &'a Spec, interpreter: Interpreter) -> Watch<'a> {
        let states = States::from([spec.initial().to_vec()]);
        let mut watch = Watch { spec, interpreter, states, most: u64::MAX };
        watch.close();
        watch
    }

    /// The same, which follows no label from so many states that it takes more than this many choices in all.
    #[must_use]
    pub fn within(self, choices: u64) -> Watch<'a> {
        Watch { most: self.interpreter.work().saturating_add(choices), ..self }
    }

    /// Whether it has gone through more choices than it may.
    pub fn is_spent(&self) -> bool {
        self.most < self.interpreter.work()
    }

    /// The choices gone through so far: a measure of the work it took.
    pub fn work(&self) -> u64 {
        self.interpreter.work()
    }

    /// The states the system may be in.
    pub fn states(&self) -> &States {
        &self.states
    }

    /// Adds what internal steps lead to.
    fn close(&mut self) {
        let states = std::mem::take(&mut self.states);
        self.states = self.closed(states);
    }

    /// Sees something happen.
    ///
    /// # Errors
    /// That it cannot happen, in words.
    pub fn see(&mut self, seen: &Seen, refusal: Refusal) -> Result<(), String> {
        let next = match seen {
            Seen::Silence => self.silent(),
            Seen::Observed(label) => self.after(label, refusal)?,
            Seen::Step(step) => {
                let states = self.states.clone();
                let leads = states.iter().any(|state| self.interpreter.allows(state, step) == Ok(true));
                if leads { States::from([step.post.clone()]) } else { States::new() }
            }
        };
        if next.is_empty() {
            return Err(format!("the model cannot do `{seen}`"));
        }
        self.states = next;
        self.close();
        Ok(())
    }

    /// The states right after a label.
    ///
    /// # Errors
    /// That there are too many ways, in words.
    pub fn after(&mut self, label: &Label, refusal: Refusal) -> Result<States, String> {
        let stays = refusal == Refusal::Ignored && kind(self.spec, label) == ActionKind::Controllable;
        let mut next = States::new();
        for state in &self.states {
            if self.most < self.interpreter.work() {
                return Err(too_many(OutOfFuel));
            }
            let after = self.interpreter.after(state, label).map_err(too_many)?;
            if after.is_empty() && stays {
                next.insert(state.clone());
            }
            next.extend(after);
        }
        Ok(next)
    }

    /// Which states take an input.
    pub fn taking(&mut self, label: &Label) -> Taking {
        let takes = |state: &&Vec<i64>| self.interpreter.takes(state, label).unwrap_or(false);
        match self.states.iter().filter(takes).count() {
            0 => Taking::None,
            count if count == self.states.len() => Taking::All,
            _ => Taking::Some,
        }
    }

    /// The states in which nothing comes by itself, however long one waits. A system that ticks inside and says nothing
    /// cannot be told from one that waits, so a state is silent, too, if its internal steps only go round among states
    /// without outputs.
    pub fn silent(&mut self) -> States {
        let states = self.states.clone();
        states.into_iter().filter(|state| self.is_silent(state)).collect()
    }

    fn is_silent(&mut self, state: &[i64]) -> bool {
        if !self.own(state).outputs.is_empty() {
            return false;
        }
        let around = self.closed(States::from([state.to_vec()]));
        if around.iter().any(|other| !self.own(other).outputs.is_empty()) {
            return false;
        }
        // Everything it comes to must lead back to it.
        let mut back = States::from([state.to_vec()]);
        loop {
            let leads = |other: &&Vec<i64>| self.own(other).internal.iter().any(|post| back.contains(post));
            let more: Vec<Vec<i64>> = around.difference(&back).filter(leads).cloned().collect();
            if more.is_empty() {
                return back.len() == around.len();
            }
            back.extend(more);
        }
    }

    /// The outputs that may come, each with the number of labels it stands for.
    pub fn outputs(&mut self) -> BTreeMap<Label, u64> {
        let states = self.states.clone();
        let own: Vec<Arc<Own>> = states.iter().map(|state| self.own(state)).collect();
        own.iter().flat_map(|own| &own.outputs).map(|(label, weight)| (label.clone(), *weight)).collect()
    }

    /// The outputs that may come, each with the states right after it.
    pub fn output_states(&mut self) -> BTreeMap<Label, States> {
        let mut after = BTreeMap::new();
        for state in &self.states {
            // What takes too many ways to find out is not said.
            let _ = self.interpreter.outputs_from(state, &mut after);
        }
        after
    }

    /// The inputs that every state takes. Of values that behave alike only the lowest appears.
    pub fn specified_inputs(&mut self) -> BTreeSet<Label> {
        let mut all: Option<BTreeSet<Label>> = None;
        for state in &self.states {
            let steps = self.interpreter.steps(state).unwrap_or_default();
            let inputs = steps.into_iter().map(|(step, _)| step.label);
            let inputs: BTreeSet<Label> =
                inputs.filter(|label| kind(self.spec, label) == ActionKind::Controllable).collect();
            all = Some(all.map_or(inputs.clone(), |all| all.intersection(&inputs).cloned().collect()));
        }
        all.unwrap_or_default()
    }

    /// What internal steps lead to from these states, themselves included.
    pub fn closed(&mut self, mut states: States) -> States {
        if !self.interpreter.has_internal() {
            return states;
        }
        let mut open: Vec<Vec<i64>> = states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for post in &self.own(&state).internal {
                if states.insert(post.clone()) {
                    open.push(post.clone());
                }
            }
        }
        states
    }

    fn own(&mut self, state: &[i64]) -> Arc<Own> {
        self.interpreter.own(state).unwrap_or_default()
    }
}

fn too_many(_: OutOfFuel) -> String {
    "too many ways".to_owned()
}
