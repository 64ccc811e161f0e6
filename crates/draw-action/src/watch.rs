//! A system as a tester sees it, by the interpreter alone: the states it may be in, given what was seen.

use std::collections::{BTreeMap, BTreeSet};

use action::OutOfFuel;
use action::interp::Interpreter;
use action::spec::{ActionKind, Spec};
use action::trace::{Label, Step};

use super::silence::{Own, silent_around};
use super::verdict::Seen;

/// States a system may be in.
pub(super) type States = BTreeSet<Vec<i64>>;

/// What becomes of a state that refuses an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The system was not in it: so a model is followed.
    Excluded,
    /// The system stays in it: so an implementation is followed, which takes any input.
    Ignored,
}

/// Which states take an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taking {
    /// Every state the system may be in.
    All,
    /// Some of them.
    Some,
    /// None.
    None,
}

/// The states a system may be in, internal steps included.
#[derive(Clone)]
pub(super) struct Watch<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    states: States,
}

/// Who decides about a label.
pub(super) fn kind(spec: &Spec, label: &Label) -> ActionKind {
    let kind = |name: &str| spec.action_named(name).map(|action| spec.actions()[action].kind);
    match label.0.first().and_then(|event| kind(&event.action)) {
        Some(ActionKind::Controllable) => ActionKind::Controllable,
        _ if label.0.iter().all(|event| kind(&event.action) == Some(ActionKind::Internal)) => ActionKind::Internal,
        _ => ActionKind::Observable,
    }
}

impl<'a> Watch<'a> {
    /// A system at its beginning.
    pub(super) fn new(spec: &'a Spec, interpreter: Interpreter) -> Watch<'a> {
        let states = States::from([spec.initial().to_vec()]);
        let mut watch = Watch { spec, interpreter, states };
        watch.close();
        watch
    }

    pub(super) fn states(&self) -> &States {
        &self.states
    }

    /// Adds what internal steps lead to.
    fn close(&mut self) {
        let mut open: Vec<Vec<i64>> = self.states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for post in self.own(&state).internal {
                if self.states.insert(post.clone()) {
                    open.push(post);
                }
            }
        }
    }

    /// Sees something happen.
    ///
    /// # Errors
    /// That it cannot happen, in words.
    pub(super) fn see(&mut self, seen: &Seen, refusal: Refusal) -> Result<(), String> {
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
    pub(super) fn after(&mut self, label: &Label, refusal: Refusal) -> Result<States, String> {
        let stays = refusal == Refusal::Ignored && kind(self.spec, label) == ActionKind::Controllable;
        let mut next = States::new();
        for state in &self.states {
            let after = self.interpreter.after(state, label).map_err(too_many)?;
            if after.is_empty() && stays {
                next.insert(state.clone());
            }
            next.extend(after);
        }
        Ok(next)
    }

    /// Which states take an input.
    pub(super) fn taking(&mut self, label: &Label) -> Taking {
        let takes = |state: &&Vec<i64>| self.interpreter.after(state, label).is_ok_and(|after| !after.is_empty());
        match self.states.iter().filter(takes).count() {
            0 => Taking::None,
            count if count == self.states.len() => Taking::All,
            _ => Taking::Some,
        }
    }

    /// The states in which nothing comes by itself.
    pub(super) fn silent(&mut self) -> States {
        let mut silent = States::new();
        for state in self.states.clone() {
            let own = |state: &Vec<i64>| -> Result<Own<Vec<i64>>, OutOfFuel> { Ok(self.own(state)) };
            if !silent.contains(&state)
                && let Ok(Some(around)) = silent_around(&state, own)
            {
                silent.extend(around);
            }
        }
        silent
    }

    /// The outputs that may come, each with the number of labels it stands for.
    pub(super) fn outputs(&mut self) -> BTreeMap<Label, u64> {
        self.output_steps().into_iter().map(|(step, weight)| (step.label, weight)).collect()
    }

    /// The steps that put something out.
    pub(super) fn output_steps(&mut self) -> Vec<(Step, u64)> {
        let states = self.states.clone();
        let all = states.iter().flat_map(|state| self.interpreter.own_steps(state).unwrap_or_default());
        let steps: Vec<(Step, u64)> = all.collect();
        steps.into_iter().filter(|(step, _)| kind(self.spec, &step.label) == ActionKind::Observable).collect()
    }

    /// The inputs that every state takes. Of values that behave alike only the lowest appears.
    pub(super) fn specified_inputs(&mut self) -> BTreeSet<Label> {
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
    pub(super) fn closed(&self, states: States) -> States {
        let mut later = Watch { states, ..self.clone() };
        later.close();
        later.states
    }

    fn own(&mut self, state: &[i64]) -> Own<Vec<i64>> {
        let mut own = Own { internal: Vec::new(), puts_out: false };
        for (step, _) in self.interpreter.own_steps(state).unwrap_or_default() {
            match kind(self.spec, &step.label) {
                ActionKind::Internal => own.internal.push(step.post),
                ActionKind::Observable => own.puts_out = true,
                ActionKind::Controllable => {}
            }
        }
        own
    }
}

fn too_many(_: OutOfFuel) -> String {
    "too many ways".to_owned()
}
