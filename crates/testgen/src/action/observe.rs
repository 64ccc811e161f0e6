//! What a tester may see along a test: the outputs the model allows at each point.

use std::collections::{BTreeMap, BTreeSet};

use action::interp::Interpreter;
use action::spec::{ActionKind, Spec};
use action::trace::Label;
use serde_json::{Value as Json, json};

use super::document::Trial;
use super::verdict::Seen;

/// Beyond this many parameter values of one output they are written as an interval.
const MOST_VALUES: u64 = 64;

/// Where a test ends.
pub(super) struct End {
    /// The states the model may be in, as people read them.
    pub(super) states: Vec<String>,
    /// What the model may do next, or, where the test gives an input, where that may lead.
    pub(super) allowed: Vec<String>,
}

/// The states a system may be in, internal steps included.
struct Watch<'a> {
    spec: &'a Spec,
    interpreter: Interpreter,
    states: BTreeSet<Vec<i64>>,
}

/// Where a test ends; or why it is impossible.
pub(super) fn end_of(spec: &Spec, interpreter: &Interpreter, trial: &Trial) -> Result<End, String> {
    let mut watch = Watch::new(spec, interpreter);
    for seen in &trial.trace {
        watch.see(seen)?;
    }
    let shown = |states: &BTreeSet<Vec<i64>>| states.iter().map(|state| spec.show_state(state)).collect();
    let states = shown(&watch.states);
    let allowed = match &trial.then {
        None => watch.outputs(),
        Some(input) => {
            let mut after = BTreeSet::new();
            for state in &watch.states.clone() {
                after.extend(watch.interpreter.after(state, input).map_err(|_| "too many ways".to_owned())?);
            }
            shown(&after)
        }
    };
    Ok(End { states, allowed })
}

/// For each point of a test what it does and which outputs are allowed there; the last point is its end.
pub(super) fn allowed_points(spec: &Spec, interpreter: &Interpreter, trial: &Trial) -> Vec<Json> {
    let mut watch = Watch::new(spec, interpreter);
    let mut points = Vec::new();
    for seen in &trial.trace {
        let allowed = watch.outputs();
        let numbers = |state: &[i64]| state.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        // Whoever cannot see states follows labels alone, so what is allowed must be so after these labels.
        let (kind, label, state, seen) = match seen {
            Seen::Silence => ("silence", String::new(), String::new(), Seen::Silence),
            Seen::Step(step) => {
                let label = step.label.clone();
                (kind_name(spec, &label), label.to_string(), numbers(&step.post), Seen::Observed(label))
            }
            Seen::Observed(label) => {
                (kind_name(spec, label), label.to_string(), String::new(), Seen::Observed(label.clone()))
            }
        };
        let possible = watch.see(&seen).is_ok();
        let states: Vec<String> = watch.states.iter().map(|state| numbers(state)).collect();
        let steps = BTreeMap::from([(label.clone(), states)]);
        points.push(json!({ "kind": kind, "label": label, "allowed": allowed, "steps": steps, "state": state }));
        if !possible {
            return points;
        }
    }
    let allowed = watch.outputs();
    let steps = watch.steps(trial.then.as_ref());
    points.push(match &trial.then {
        None => json!({ "kind": "watch", "label": "", "allowed": allowed, "steps": steps }),
        Some(input) => {
            let after = watch.after_input(input);
            json!({ "kind": "try", "label": input.to_string(), "allowed": allowed, "after": after, "steps": steps })
        }
    });
    points
}

/// What is needed to read the states of a test: the variables, their first values, and the names of values that have one.
pub(super) fn state_notes(spec: &Spec) -> Vec<(String, Json)> {
    let numbers: Vec<String> = spec.initial().iter().map(i64::to_string).collect();
    let names: BTreeMap<&str, BTreeMap<String, &str>> = spec
        .slots()
        .iter()
        .filter(|slot| !slot.labels.is_empty())
        .map(|slot| {
            let values = (slot.low..).map(|value| value.to_string());
            (slot.name.as_str(), values.zip(slot.labels.iter().map(String::as_str)).collect())
        })
        .collect();
    let mut notes = vec![
        ("variables".to_owned(), json!(spec.slots().iter().map(|slot| &slot.name).collect::<Vec<_>>())),
        ("initial".to_owned(), json!(numbers.join(" "))),
    ];
    if !names.is_empty() {
        notes.push(("names".to_owned(), json!(names)));
    }
    notes
}

fn kind_name(spec: &Spec, label: &Label) -> &'static str {
    match kind(spec, label) {
        ActionKind::Controllable => "input",
        ActionKind::Observable => "output",
        ActionKind::Internal => "internal",
    }
}

fn kind(spec: &Spec, label: &Label) -> ActionKind {
    let kind = |name: &str| spec.action_named(name).map(|action| spec.actions()[action].kind);
    match label.0.first().and_then(|event| kind(&event.action)) {
        Some(ActionKind::Controllable) => ActionKind::Controllable,
        _ if label.0.iter().all(|event| kind(&event.action) == Some(ActionKind::Internal)) => ActionKind::Internal,
        _ => ActionKind::Observable,
    }
}

impl<'a> Watch<'a> {
    fn new(spec: &'a Spec, interpreter: &Interpreter) -> Watch<'a> {
        let states = BTreeSet::from([spec.initial().to_vec()]);
        let mut watch = Watch { spec, interpreter: interpreter.clone(), states };
        watch.close();
        watch
    }

    /// Adds what internal steps lead to.
    fn close(&mut self) {
        let mut open: Vec<Vec<i64>> = self.states.iter().cloned().collect();
        while let Some(state) = open.pop() {
            for (step, _) in self.interpreter.own_steps(&state).unwrap_or_default() {
                if kind(self.spec, &step.label) == ActionKind::Internal && self.states.insert(step.post.clone()) {
                    open.push(step.post);
                }
            }
        }
    }

    fn see(&mut self, seen: &Seen) -> Result<(), String> {
        let mut next = BTreeSet::new();
        for state in self.states.clone() {
            match seen {
                Seen::Silence => {
                    if self.own_steps(&state).is_empty() {
                        next.insert(state);
                    }
                }
                Seen::Observed(label) => {
                    next.extend(self.interpreter.after(&state, label).map_err(|_| "too many ways".to_owned())?);
                }
                Seen::Step(step) => {
                    if self.interpreter.allows(&state, step) == Ok(true) {
                        next.insert(step.post.clone());
                    }
                }
            }
        }
        if next.is_empty() {
            return Err(format!("the model cannot do `{seen}`"));
        }
        self.states = next;
        self.close();
        Ok(())
    }

    /// The steps a state makes by itself, with the numbers of labels they stand for.
    fn own_steps(&mut self, state: &[i64]) -> Vec<(Label, u64)> {
        let steps = self.interpreter.own_steps(state).unwrap_or_default();
        let own = steps.into_iter().filter(|(step, _)| kind(self.spec, &step.label) != ActionKind::Controllable);
        own.map(|(step, weight)| (step.label, weight)).collect()
    }

    /// The outputs the model may make; `(silence)` where it may wait for an input.
    fn outputs(&mut self) -> Vec<String> {
        let mut outputs: BTreeMap<Label, u64> = BTreeMap::new();
        let mut silent = false;
        for state in self.states.clone() {
            let own = self.own_steps(&state);
            silent |= own.is_empty();
            outputs.extend(own.into_iter().filter(|(label, _)| kind(self.spec, label) == ActionKind::Observable));
        }
        let mut texts: Vec<String> = outputs.iter().flat_map(|(label, weight)| written(label, *weight)).collect();
        if silent {
            texts.push("(silence)".to_owned());
        }
        texts
    }

    /// The states that one more step may lead to, by its label: the input given, or any output. The present states stand
    /// for silence.
    fn steps(&mut self, input: Option<&Label>) -> BTreeMap<String, Vec<String>> {
        let numbers = |state: &[i64]| state.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        let mut steps: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for state in self.states.clone() {
            match input {
                Some(input) => {
                    let after = self.interpreter.after(&state, input).unwrap_or_default();
                    steps.entry(input.to_string()).or_default().extend(after.iter().map(|state| numbers(state)));
                }
                None => {
                    for (step, _) in self.interpreter.own_steps(&state).unwrap_or_default() {
                        if kind(self.spec, &step.label) == ActionKind::Observable {
                            steps.entry(step.label.to_string()).or_default().insert(numbers(&step.post));
                        }
                    }
                    steps.entry("(silence)".to_owned()).or_default().insert(numbers(&state));
                }
            }
        }
        steps.into_iter().map(|(label, states)| (label, states.into_iter().collect())).collect()
    }

    /// What the model may do after an input; empty where it refuses it.
    fn after_input(&mut self, input: &Label) -> Vec<String> {
        let mut later = Watch { spec: self.spec, interpreter: self.interpreter.clone(), states: self.states.clone() };
        match later.see(&Seen::Observed(input.clone())) {
            Ok(()) => later.outputs(),
            Err(_) => Vec::new(),
        }
    }
}

/// An output with the values it stands for: each of them, or an interval such as `level(0..100)`.
fn written(label: &Label, weight: u64) -> Vec<String> {
    if weight == 1 {
        return vec![label.to_string()];
    }
    // Values that behave alike are neighbours of a single parameter, except where several parameters vary at once.
    match label.0.as_slice() {
        [event] if event.arguments.len() == 1 => {
            let low = event.arguments[0];
            let high = low + weight as i64 - 1;
            if weight <= MOST_VALUES {
                let one = |value: i64| {
                    let mut label = label.clone();
                    label.0[0].arguments[0] = value;
                    label.to_string()
                };
                (low..=high).map(one).collect()
            } else {
                vec![format!("{}({low}..{high})", event.action)]
            }
        }
        // Any arguments: a test that meets this cannot fail here.
        _ => label.0.iter().map(|event| format!("{}(*)", event.action)).collect(),
    }
}
