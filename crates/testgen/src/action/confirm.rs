//! The judge: replays a finding with the interpreter alone.

use std::collections::BTreeSet;

use action::interp::Interpreter;
use action::spec::{ActionKind, Spec};
use action::trace::{Label, Step};
use action::{Regions, Shape};

use super::verdict::{Difference, Kill, Seen};

/// Why a finding is wrong, if it is: its trace must be possible in the model, its difference in the mutant alone.
pub(super) fn objection(spec: &Spec, original: &Interpreter, mutant: &Spec, kill: &Kill) -> Option<String> {
    let steps: Option<Vec<&Step>> = kill
        .trace
        .iter()
        .map(|seen| match seen {
            Seen::Step(step) => Some(step),
            Seen::Observed(_) | Seen::Silence => None,
        })
        .collect();
    match (&kill.difference, steps) {
        (Difference::Initial(state), _) => {
            let shown = state == mutant.initial() && state != spec.initial();
            (!shown).then(|| "the initial states are the same".to_owned())
        }
        (Difference::Step(bad), Some(steps)) => step_objection(spec, original.clone(), mutant, &steps, bad),
        _ => labels_objection(spec, mutant, kill),
    }
}

fn step_objection(
    spec: &Spec,
    mut original: Interpreter,
    mutant: &Spec,
    steps: &[&Step],
    bad: &Step,
) -> Option<String> {
    let begins = bad.label.0.first().map_or("", |event| event.action.as_str());
    let mut other = Interpreter::of_action(mutant, begins);
    let mut state = original.initial().to_vec();
    for step in steps {
        if original.allows(&state, step) != Ok(true) {
            return Some(format!("the model cannot do `{}` from {}", step.label, spec.show_state(&state)));
        }
        state = step.post.clone();
    }
    if original.allows(&state, bad) != Ok(false) {
        return Some(format!("the model can do `{}` itself", bad.label));
    }
    if other.allows(&state, bad) != Ok(true) {
        return Some(format!("the mutant cannot do `{}`", bad.label));
    }
    None
}

/// Follows labels through sets of states.
fn labels_objection(spec: &Spec, mutant: &Spec, kill: &Kill) -> Option<String> {
    let mut original = Watcher::new(spec, &[spec, mutant]);
    let mut other = Watcher::new(mutant, &[spec, mutant]);
    for seen in &kill.trace {
        if !original.see(seen, false) {
            return Some(format!("the model cannot do `{seen}`"));
        }
        if !other.see(seen, true) {
            return Some(format!("the mutant cannot do `{seen}`"));
        }
    }
    let last = match &kill.difference {
        Difference::Observed(label) => Seen::Observed(label.clone()),
        Difference::Silence => Seen::Silence,
        Difference::Initial(_) | Difference::Step(_) => return Some("a step ends a trace of labels".to_owned()),
    };
    if original.see(&last, false) {
        return Some("the model can do the same".to_owned());
    }
    if !other.see(&last, false) {
        return Some("the mutant cannot do it either".to_owned());
    }
    None
}

/// The states a system may be in, given what was seen.
pub(super) struct Watcher<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    states: BTreeSet<Vec<i64>>,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(spec: &'a Spec, all: &[&Spec]) -> Watcher<'a> {
        let shape = Shape::of(all);
        let interpreter = Interpreter::with_shape(spec, &shape, &Regions::of(all, &shape));
        let states = BTreeSet::from([spec.initial().to_vec()]);
        let mut watcher = Watcher { spec, interpreter, states };
        watcher.close();
        watcher
    }

    /// Sees something happen; whether that was possible. Where `stubborn`, inputs that a state refuses leave it as it is.
    pub(super) fn see(&mut self, seen: &Seen, stubborn: bool) -> bool {
        let mut next = BTreeSet::new();
        for state in self.states.clone() {
            match seen {
                Seen::Silence => {
                    if self.labels(&state, |kind| kind != ActionKind::Controllable).is_empty() {
                        next.insert(state);
                    }
                }
                Seen::Step(Step { label, .. }) | Seen::Observed(label) => {
                    let after = self.interpreter.after(&state, label).unwrap_or_default();
                    if after.is_empty() && stubborn && self.kind(label) == ActionKind::Controllable {
                        next.insert(state);
                    }
                    next.extend(after);
                }
            }
        }
        self.states = next;
        self.close();
        !self.states.is_empty()
    }

    fn close(&mut self) {
        let mut open: Vec<Vec<i64>> = self.states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (step, _) in self.interpreter.own_steps(&state).unwrap_or_default() {
                if self.kind(&step.label) == ActionKind::Internal && self.states.insert(step.post.clone()) {
                    open.push(step.post);
                }
            }
        }
    }

    fn labels(&mut self, state: &[i64], wanted: fn(ActionKind) -> bool) -> BTreeSet<Label> {
        let steps = self.interpreter.own_steps(state).unwrap_or_default();
        steps.into_iter().map(|(step, _)| step.label).filter(|label| wanted(self.kind(label))).collect()
    }

    pub(super) fn kind(&self, label: &Label) -> ActionKind {
        let kind = |name: &str| self.spec.action_named(name).map(|action| self.spec.actions()[action].kind);
        match label.0.first().and_then(|event| kind(&event.action)) {
            Some(ActionKind::Controllable) => ActionKind::Controllable,
            _ if label.0.iter().all(|event| kind(&event.action) == Some(ActionKind::Internal)) => ActionKind::Internal,
            _ => ActionKind::Observable,
        }
    }
}
