//! What `check` says about a model.

use action::Spec;
use action::spec::ActionKind;
use draw_action::{Limits, Space};
use serde_json::{Map, json};

use crate::exit::Exit;
use crate::front::Description;
use crate::output::Output;
use crate::present::counted;

/// More states than this are not counted for `check`.
const MOST_STATES: usize = 1_000_000;

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
        let space = Space::explore(spec, &Limits { states: MOST_STATES, depth: spec.depth(), ..Limits::default() });
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
    }
    Description { text, json, exit: Exit::Done }
}
