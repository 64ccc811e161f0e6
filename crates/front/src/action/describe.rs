//! What `check` says about a model.

use action::Spec;
use action::spec::ActionKind;
use draw_action::{Checked, Limits, OpenInput, OpenInputs, Space, invariants, open_inputs};
use serde_json::{Map, Value as Json, json};

use crate::exit::Exit;
use crate::front_end::Description;
use crate::output::Output;
use crate::words::counted;

/// More states than this are not counted for `check`.
const MOST_STATES: usize = 1_000_000;
/// More states than this are not listed for one input.
const MOST_LISTED: usize = 1_000;

pub(super) fn describe(output: &Output, spec: &Spec, with_invariants: bool) -> Description {
    let mut exit = Exit::Done;
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
    if output.verbose || with_invariants {
        let limits = Limits { states: MOST_STATES, depth: spec.depth(), ..Limits::default() };
        let space = Space::explore(spec, &limits);
        if output.verbose {
            describe_states(spec, &space, &limits, &mut text, &mut json);
        }
        if with_invariants {
            exit = describe_invariants(spec, &space, &limits, &mut text, &mut json);
        }
    }
    Description { text, json, exit }
}

/// How many states and steps there are, and the inputs that they leave open.
fn describe_states(spec: &Spec, space: &Space, limits: &Limits, text: &mut String, json: &mut Map<String, Json>) {
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
    if let Ok(open) = open_inputs(spec, space, limits) {
        text.push_str(&left_open(spec, &open));
        let list: Vec<Json> = open.inputs.iter().map(|input| open_in(spec, input)).collect();
        json.insert("waiting".to_owned(), json!(open.waiting));
        json.insert("open inputs".to_owned(), json!(list));
    }
}

/// Which invariants hold: proved where all reachable states were looked at.
fn describe_invariants(
    spec: &Spec,
    space: &Space,
    limits: &Limits,
    text: &mut String,
    json: &mut Map<String, Json>,
) -> Exit {
    if spec.invariants().is_empty() {
        text.push_str("the model has no invariant\n");
        return Exit::Done;
    }
    let (mut exit, mut list) = (Exit::Done, Vec::new());
    let checked = match invariants(spec, space, limits) {
        Ok(checked) => checked,
        Err(stopped) => {
            text.push_str(&format!("the invariants are not decided: {stopped}\n"));
            return Exit::Open;
        }
    };
    for one in &checked {
        text.push_str(&invariant_line(spec, space, one));
        let broken = one.broken.as_ref().map(|broken| {
            let trace: Vec<String> = broken.trace.iter().map(|step| step.label.to_string()).collect();
            json!({ "state": spec.show_state(&broken.state), "trace": trace, "undefined": broken.undefined })
        });
        let holds = if space.stopped().is_none() { "holds" } else { "holds up to the bound" };
        let verdict = if one.broken.is_some() { "broken" } else { holds };
        list.push(json!({ "name": one.name, "verdict": verdict, "broken": broken }));
        if one.broken.is_some() || space.stopped().is_some() {
            exit = Exit::Open;
        }
    }
    json.insert("invariants".to_owned(), json!(list));
    exit
}

fn invariant_line(spec: &Spec, space: &Space, one: &Checked) -> String {
    match (&one.broken, space.stopped()) {
        (Some(broken), _) => {
            let what = if broken.undefined { "has no value" } else { "does not hold" };
            let trace: Vec<String> = broken.trace.iter().map(|step| step.label.to_string()).collect();
            let place = match trace.as_slice() {
                [] => "at the beginning".to_owned(),
                trace => format!("after {}", trace.join(", ")),
            };
            format!("invariant {} {what} {place}: {}\n", one.name, spec.show_state(&broken.state))
        }
        (None, None) => format!("invariant {} holds in all {}\n", one.name, counted(space.len(), "reachable state")),
        (None, Some(stopped)) => {
            format!("invariant {} holds in the {} looked at; {stopped}\n", one.name, counted(space.len(), "state"))
        }
    }
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
