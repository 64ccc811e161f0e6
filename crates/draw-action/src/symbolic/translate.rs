//! A model as an SMT-LIB script: one step, from the variables to the variables with `_post`, with its label in `trace`.

use std::fmt::Write as _;

use action::Shape;
use action::spec::{Actual, Spec};
use smt::{ScriptWriter, Term, Terms, logic_of};
use value::Sort;

use super::encode::{Encoder, Unmade, within};
use crate::limits::Limits;

/// The script of a model's steps. Every model of it is a step from some state within the types, reachable or not.
///
/// # Errors
/// Why the model is too large to be written so.
pub fn translate(spec: &Spec, limits: &Limits) -> Result<String, String> {
    let mut terms = Terms::new();
    let shape = Shape::of(&[spec]);
    let slots = |terms: &mut Terms, suffix: &str| -> Vec<Term> {
        let name = |slot: &action::spec::Slot| format!("{}{suffix}", slot.name);
        spec.slots().iter().map(|slot| terms.symbol(&name(slot), &Sort::Int)).collect()
    };
    let (pre, post) = (slots(&mut terms, ""), slots(&mut terms, "_post"));
    let label: Vec<Term> = (0..shape.width()).map(|cell| terms.symbol(&label_name(&shape, cell), &Sort::Int)).collect();
    let mut writer = ScriptWriter::new();
    let mut out = String::new();
    out.push_str("; the label: the number of the action, then its arguments\n");
    for (number, (action, _)) in shape.actions.iter().enumerate() {
        let _ = writeln!(out, ";   {} {}", number + 1, action.replace(['\n', '\r'], " "));
    }
    let hull = arguments(spec);
    for (cell, term) in label.iter().enumerate() {
        let is_action = cell % shape.stride() == 0;
        let (low, high) = if is_action { (0, shape.actions.len() as i64) } else { hull };
        let fact = within(&mut terms, *term, low, high);
        writer.assert(&terms, fact, &mut out);
    }
    out.push_str("; the variables before and after the step\n");
    for (slot, (before, after)) in spec.slots().iter().zip(pre.iter().zip(&post)) {
        for term in [before, after] {
            let fact = within(&mut terms, *term, slot.low, slot.high);
            writer.assert(&terms, fact, &mut out);
        }
    }
    out.push_str("; the actions\n");
    let encoder = Encoder { spec, shape: &shape, limits };
    let step = encoder.step(&mut terms, &pre, &label, &post, None).map_err(|unmade| match unmade {
        Unmade::TooLarge(why) => why,
        Unmade::Stopped(stopped) => stopped.to_string(),
    })?;
    writer.assert(&terms, step, &mut out);
    let logic = logic_of(&terms, &[step]);
    Ok(format!("; one step of an action system\n(set-logic {logic})\n{out}(check-sat)\n(get-model)\n"))
}

/// `trace` for the first action of a step and `trace_0`, `trace_1` for its arguments; `trace.2` for its second action.
fn label_name(shape: &Shape, cell: usize) -> String {
    let (event, place) = (cell / shape.stride(), cell % shape.stride());
    let event = if event == 0 { "trace".to_owned() } else { format!("trace.{}", event + 1) };
    if place == 0 { event } else { format!("{event}_{}", place - 1) }
}

/// The least and the greatest argument of any call; 0 stands where there is none.
fn arguments(spec: &Spec) -> (i64, i64) {
    let mut hull = (0, 0);
    for call in spec.body().calls() {
        for argument in &call.arguments {
            let (low, high) = match argument {
                Actual::Constant(number) => (*number, *number),
                Actual::Binder(binder) => call.binders[*binder],
            };
            hull = (hull.0.min(low), hull.1.max(high));
        }
    }
    hull
}
