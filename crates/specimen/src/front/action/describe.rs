//! What `check` says about a model.

use action::Spec;
use action::spec::ActionKind;
use draw_action::{Limits, OpenInput, OpenInputs, Space, open_inputs};
use serde_json::{Map, Value as Json, json};

use crate::exit::Exit;
use crate::front::Description;
use crate::output::Output;
use crate::present::counted;

/// More states than this are not counted for `check`.
const MOST_STATES: usize = 1_000_000;
/// More states than this are not listed for one input.
const MOST_LISTED: usize = 1_000;

pub(super) fn describe(output: &Output, spec: &Spec) -> Description {
    let kinds = |kind: ActionKind| spec.actions().iter().filter(|action| action.kind == kind).count();
    let with_parameters = spec.actions().iter().filter(|action| !action.parameters.is_empty()).count();
    let mut text = format!(
        "ok, {}, {}: {} controllable, {} observable, {} internal, {} with parameters\n",
        counted(spec.variables().len(), "variable"),
        counted(spec.actions().len(), "action"),
        kinds(ActionKind::Controllable),
        kinds(ActionKind::Observable),
        kinds(ActionKind::Internal),
        with_parameters,
    );
    let mut json = Map::from_iter([
        ("variables".to_owned(), json!(spec.variables().len())),
        ("actions".to_owned(), json!(spec.actions().len())),
        ("controllable".to_owned(), json!(kinds(ActionKind::Controllable))),
        ("internal".to_owned(), json!(kinds(ActionKind::Internal))),
        ("parametrised".to_owned(), json!(with_parameters)),
    ]);
    if output.verbose {
        let limits = Limits { states: MOST_STATES, depth: spec.depth(), ..Limits::default() };
        let space = Space::explore(spec, &limits);
        let steps = space.count_steps();
        let stopped = space.stopped().map(|stopped| format!("; {stopped}")).unwrap_or_default();
        text.push_str(&format!(
            "{} to a depth of {}, {} of a state and a successor, {} with labels{stopped}\n",
            counted(space.len(), "reachable state"),
            space.depth(),
            counted(steps.pairs as usize, "pair"),
            counted(steps.labelled as usize, "step"),
        ));
        json.insert("states".to_owned(), json!(space.len()));
        json.insert("depth".to_owned(), json!(space.depth()));
        json.insert("pairs".to_owned(), json!(steps.pairs));
        json.insert("steps".to_owned(), json!(steps.labelled));
        json.insert("complete".to_owned(), json!(space.stopped().is_none()));
        if let Ok(open) = open_inputs(spec, &space, &limits) {
            text.push_str(&left_open(spec, &open));
            let list: Vec<Json> = open.inputs.iter().map(|input| open_in(spec, input)).collect();
            json.insert("waiting".to_owned(), json!(open.waiting));
            json.insert("open inputs".to_owned(), json!(list));
        }
    }
    Description { text, json, exit: Exit::Done }
}

/// The inputs that waiting states do not take, a line each: after them the model says nothing.
fn left_open(spec: &Spec, open: &OpenInputs) -> String {
    let line = |input: &OpenInput| {
        let trace: Vec<String> = input.trace.iter().map(|step| step.label.to_string()).collect();
        let first = match trace.as_slice() {
            [] => "at the beginning".to_owned(),
            trace => format!("after {}", trace.join(", ")),
        };
        let state = input.states.first().map(|state| spec.show_state(state)).unwrap_or_default();
        format!("  {} in {} of {}: first {first} ({state})\n", input.action, input.states.len(), open.waiting)
    };
    if open.inputs.is_empty() {
        return String::new();
    }
    let head = format!("inputs left open where the model waits, in {}:\n", counted(open.waiting, "state"));
    open.inputs.iter().map(line).fold(head, |text, line| text + &line)
}

fn open_in(spec: &Spec, input: &OpenInput) -> Json {
    let states: Vec<String> = input.states.iter().take(MOST_LISTED).map(|state| spec.show_state(state)).collect();
    json!({ "input": input.action, "count": input.states.len(), "states": states })
}
