//! The judge of findings: replays a trace and the difference at its end with the interpreter alone.

use std::collections::BTreeSet;

use crate::finding::{Difference, Kill, Seen, kind};
use crate::interp::Interpreter;
use crate::machine::OutOfFuel;
use crate::regions::Regions;
use crate::shape::Shape;
use crate::spec::{ActionKind, Spec};
use crate::trace::Step;
use crate::watch::{Refusal, Taking, Watch};

/// An interpreter of a model that knows as much of it as it takes to judge a finding: all of it, unless the finding is about steps.
pub fn interpreter_for(spec: &Spec, kill: &Kill) -> Interpreter {
    let mut steps: Vec<&Step> = Vec::new();
    for seen in &kill.trace {
        let Seen::Step(step) = seen else { return Interpreter::new(spec) };
        steps.push(step);
    }
    let Difference::Step(last) = &kill.difference else { return Interpreter::new(spec) };
    steps.push(last);
    let first = steps.into_iter().filter_map(|step| step.label.0.first());
    Interpreter::of_actions(spec, &first.map(|event| event.action.as_str()).collect())
}

/// Why a finding is wrong, if it is: its trace must be possible in the model, its difference in the mutant alone.
///
/// # Errors
/// When there are too many ways to go through: then nobody knows.
pub fn objection(spec: &Spec, original: &Interpreter, mutant: &Spec, kill: &Kill) -> Result<Option<String>, OutOfFuel> {
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
            Ok((!shown).then(|| "the initial states are the same".to_owned()))
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
) -> Result<Option<String>, OutOfFuel> {
    let begins = bad.label.0.first().map_or("", |event| event.action.as_str());
    let mut other = Interpreter::of_actions(mutant, &BTreeSet::from([begins]));
    let mut state = original.initial().to_vec();
    for step in steps {
        if !original.allows(&state, step)? {
            return Ok(Some(format!("the model cannot do `{}` from {}", step.label, spec.show_state(&state))));
        }
        state = step.post.clone();
    }
    if original.allows(&state, bad)? {
        return Ok(Some(format!("the model can do `{}` itself", bad.label)));
    }
    Ok((!other.allows(&state, bad)?).then(|| format!("the mutant cannot do `{}`", bad.label)))
}

/// Follows labels through sets of states.
fn labels_objection(spec: &Spec, mutant: &Spec, kill: &Kill) -> Result<Option<String>, OutOfFuel> {
    let shape = Shape::of(&[spec, mutant]);
    let regions = Regions::of(&[spec, mutant], &shape);
    let mut original = Watch::new(spec, Interpreter::with_shape(spec, &shape, &regions))?;
    let mut other = Watch::new(mutant, Interpreter::with_shape(mutant, &shape, &regions))?;
    for seen in &kill.trace {
        if let Seen::Observed(label) = seen
            && kind(spec, label) == ActionKind::Controllable
            && original.taking(label)? != Taking::All
        {
            return Ok(Some(format!("the model may refuse `{label}`, and says nothing about what comes after it")));
        }
        if !original.can(seen, Refusal::Excluded)? {
            return Ok(Some(format!("the model cannot do `{seen}`")));
        }
        if !other.can(seen, Refusal::Ignored)? {
            return Ok(Some(format!("the mutant cannot do `{seen}`")));
        }
    }
    let last = match &kill.difference {
        Difference::Observed(label) => Seen::Observed(label.clone()),
        Difference::Silence => Seen::Silence,
        Difference::Initial(_) | Difference::Step(_) => return Ok(Some("a step ends a trace of labels".to_owned())),
    };
    if original.can(&last, Refusal::Excluded)? {
        return Ok(Some("the model can do the same".to_owned()));
    }
    Ok((!other.can(&last, Refusal::Excluded)?).then(|| "the mutant cannot do it either".to_owned()))
}
