//! What a tester may see along a test: the outputs the model allows at each point.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use crate::finding::{Seen, kind};
use crate::interp::Interpreter;
use crate::machine::OutOfFuel;
use crate::spec::{ActionKind, Spec};
use crate::trace::Label;
use crate::trial::{SILENCE, Trial};
use crate::watch::{Refusal, States, Taking, Unfollowed, Watch};

/// Choices that may be gone through to find out what is allowed along a test: a test of a model whose labels lead to tens of
/// thousands of states would take hours otherwise.
const MOST_CHOICES: u64 = 1_000_000;
/// Beyond this many parameter values of one output they are written as an interval.
const MOST_VALUES: u64 = 64;

/// Where a test ends.
pub struct End {
    /// The states the model may be in, as people read them.
    pub states: Vec<String>,
    /// What the model may do next, or, where the test gives an input, where that may lead.
    pub allowed: Vec<String>,
}

/// Where a test ends.
///
/// # Errors
/// Why it is impossible.
pub fn end_of(spec: &Spec, interpreter: &Interpreter, trial: &Trial) -> Result<End, String> {
    reached(spec, interpreter, trial).map_err(|why| why.to_string())
}

fn reached(spec: &Spec, interpreter: &Interpreter, trial: &Trial) -> Result<End, Unfollowed> {
    let mut watch = Watch::new(spec, interpreter.clone())?;
    for seen in &trial.trace {
        watch.see(seen, Refusal::Excluded)?;
    }
    let shown = |states: &States| states.iter().map(|state| spec.show_state(state)).collect();
    let states = shown(watch.states());
    let allowed = match &trial.then {
        None => outputs(&mut watch)?,
        Some(input) => shown(&watch.after(input, Refusal::Excluded)?),
    };
    Ok(End { states, allowed })
}

/// For each point of a test what it does and which outputs are allowed there; the last point is its end. Whoever cannot see
/// states follows labels alone, so what is allowed must be so after these labels; and internal steps that a trace names may
/// have happened or not. Where the states are too many to be followed, the last point is of the kind `open`: what is allowed there
/// is not known, so a test that comes there cannot fail.
pub fn allowed_points(spec: &Spec, interpreter: &Interpreter, trial: &Trial) -> Vec<Json> {
    let mut points = Vec::new();
    if points_along(spec, interpreter, trial, &mut points).is_err() {
        points.push(open());
    }
    points
}

fn points_along(
    spec: &Spec,
    interpreter: &Interpreter,
    trial: &Trial,
    points: &mut Vec<Json>,
) -> Result<(), OutOfFuel> {
    let mut watch = Watch::new(spec, interpreter.clone())?.within(MOST_CHOICES);
    for seen in &trial.trace {
        watch.has_more()?;
        let allowed = outputs(&mut watch)?;
        let waits = watch.silent()?.len() == watch.states().len();
        let (label, state) = match seen {
            Seen::Silence => (None, String::new()),
            Seen::Step(step) => (Some(&step.label), numbers(&step.post)),
            Seen::Observed(label) => (Some(label), String::new()),
        };
        let is = |wanted: ActionKind| label.is_some_and(|label| kind(spec, label) == wanted);
        let refusable = match label.filter(|_| is(ActionKind::Controllable)) {
            Some(label) => watch.taking(label)? == Taking::Some,
            None => false,
        };
        let seen = label.map_or(Seen::Silence, |label| Seen::Observed(label.clone()));
        let possible = is(ActionKind::Internal) || watch.can(&seen, Refusal::Excluded)?;
        let text = label.map(Label::to_string).unwrap_or_default();
        let states: Vec<String> = watch.states().iter().map(|state| numbers(state)).collect();
        let steps = BTreeMap::from([(text.clone(), states)]);
        let name = label.map_or("silence", |label| kind_name(spec, label));
        let point = json!({ "kind": name, "label": text, "allowed": allowed, "steps": steps, "state": state });
        points.push(marked(point, refusable, waits && is(ActionKind::Controllable)));
        if !possible {
            return Ok(());
        }
    }
    watch.has_more()?;
    let allowed = outputs(&mut watch)?;
    points.push(match &trial.then {
        None => json!({ "kind": "watch", "label": "", "allowed": allowed, "steps": output_states(&mut watch)? }),
        Some(input) => {
            let refusable = watch.taking(input)? == Taking::Some;
            let waits = watch.silent()?.len() == watch.states().len();
            let states = watch.after(input, Refusal::Excluded)?;
            let states = watch.closed(states)?;
            let states: Vec<String> = states.iter().map(|state| numbers(state)).collect();
            let steps = BTreeMap::from([(input.to_string(), states)]);
            // What the model may do after the input; nothing where it refuses it.
            let possible = watch.can(&Seen::Observed(input.clone()), Refusal::Excluded)?;
            let after = if possible { outputs(&mut watch)? } else { Vec::new() };
            let name = input.to_string();
            let point = json!({ "kind": "try", "label": name, "allowed": allowed, "after": after, "steps": steps });
            marked(point, refusable, waits)
        }
    });
    Ok(())
}

/// Where nobody can say any more what is allowed.
fn open() -> Json {
    json!({ "kind": "open", "label": "", "allowed": [], "steps": {} })
}

/// Marks an input that the model may take or refuse: a system that refuses it has not shown anything. And one before which the
/// model does nothing by itself: there a test waits to see that the system does nothing either, so that what it shows does not
/// depend on who is quicker. Elsewhere to wait would be to choose another way.
fn marked(mut point: Json, refusable: bool, waits: bool) -> Json {
    if refusable {
        point["refusable"] = json!(true);
    }
    if waits {
        point["waits"] = json!(true);
    }
    point
}

fn numbers(state: &[i64]) -> String {
    state.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")
}

/// What is needed to read the states of a test: the variables, their first values, and the names of values that have one.
pub fn state_notes(spec: &Spec) -> Vec<(String, Json)> {
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

/// The outputs a system may make; `(silence)` where it may wait for an input.
fn outputs(watch: &mut Watch<'_>) -> Result<Vec<String>, OutOfFuel> {
    let outputs = watch.outputs()?;
    let mut texts: Vec<String> = outputs.iter().flat_map(|(label, weight)| written(label, *weight)).collect();
    if !watch.silent()?.is_empty() {
        texts.push(SILENCE.to_owned());
    }
    Ok(texts)
}

/// The states that an output may lead to, by its label. The present states stand for silence.
fn output_states(watch: &mut Watch<'_>) -> Result<BTreeMap<String, Vec<String>>, OutOfFuel> {
    let mut steps: BTreeMap<String, States> = BTreeMap::from([(SILENCE.to_owned(), watch.states().clone())]);
    steps.extend(watch.output_states()?.into_iter().map(|(label, states)| (label.to_string(), states)));
    let mut texts = |states: States| -> Result<Vec<String>, OutOfFuel> {
        Ok(watch.closed(states)?.iter().map(|state| numbers(state)).collect())
    };
    steps.into_iter().map(|(label, states)| Ok((label, texts(states)?))).collect()
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
