//! The judge of findings: replays a trace and the difference at its end with the interpreter alone.

use crate::finding::{Difference, Kill, Seen, kind};
use crate::interp::Interpreter;
use crate::regions::Regions;
use crate::shape::Shape;
use crate::spec::{ActionKind, Spec};
use crate::trace::Step;
use crate::watch::{Refusal, Taking, Watch};

/// Why a finding is wrong, if it is: its trace must be possible in the model, its difference in the mutant alone.
pub fn objection(spec: &Spec, original: &Interpreter, mutant: &Spec, kill: &Kill) -> Option<String> {
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
    let shape = Shape::of(&[spec, mutant]);
    let regions = Regions::of(&[spec, mutant], &shape);
    let mut original = Watch::new(spec, Interpreter::with_shape(spec, &shape, &regions));
    let mut other = Watch::new(mutant, Interpreter::with_shape(mutant, &shape, &regions));
    for seen in &kill.trace {
        if let Seen::Observed(label) = seen
            && kind(spec, label) == ActionKind::Controllable
            && original.taking(label) != Taking::All
        {
            return Some(format!("the model may refuse `{label}`, and says nothing about what comes after it"));
        }
        if original.see(seen, Refusal::Excluded).is_err() {
            return Some(format!("the model cannot do `{seen}`"));
        }
        if other.see(seen, Refusal::Ignored).is_err() {
            return Some(format!("the mutant cannot do `{seen}`"));
        }
    }
    let last = match &kill.difference {
        Difference::Observed(label) => Seen::Observed(label.clone()),
        Difference::Silence => Seen::Silence,
        Difference::Initial(_) | Difference::Step(_) => return Some("a step ends a trace of labels".to_owned()),
    };
    if original.see(&last, Refusal::Excluded).is_ok() {
        return Some("the model can do the same".to_owned());
    }
    if other.see(&last, Refusal::Excluded).is_err() {
        return Some("the mutant cannot do it either".to_owned());
    }
    None
}
