//! Inputs that a model leaves open: states that wait for the tester and do not take them.
//!
//! After such an input the model says nothing about a system, so no test gives it there.

use std::collections::BTreeMap;

use action::Spec;
use action::spec::ActionKind;
use action::trace::Step;

use super::limits::{Limits, Stopped};
use super::space::Space;

/// An input, and the waiting states that do not take it with any argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenInput {
    /// The action.
    pub action: String,
    /// The states, in the order of their distance from the initial one.
    pub states: Vec<Vec<i64>>,
    /// A shortest way to the first of them.
    pub trace: Vec<Step>,
}

/// What a model leaves open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenInputs {
    /// The reachable states in which nothing happens without the tester.
    pub waiting: usize,
    /// The inputs that some of them do not take, in order of definition.
    pub inputs: Vec<OpenInput>,
}

/// Looks for the inputs that waiting states of a space do not take.
///
/// # Errors
/// When the run must stop, or a state has too many ways.
pub fn open_inputs(spec: &Spec, space: &Space, limits: &Limits) -> Result<OpenInputs, Stopped> {
    let shape = space.program().shape();
    let actions = spec.actions();
    let numbers: BTreeMap<i64, usize> =
        (0..actions.len()).map(|one| (shape.action(&actions[one]) as i64, one)).collect();
    let mut machine = limits.machine();
    let mut found = OpenInputs::default();
    let mut refused: Vec<Vec<usize>> = vec![Vec::new(); actions.len()];
    for number in 0..space.expanded() {
        let (mut waits, mut taken) = (true, vec![false; actions.len()]);
        machine.refuel(limits.ways);
        let went = machine.steps(space.program(), &space.state_at(number), &mut |step| {
            let action = numbers[&(step.label[0] - 1)];
            waits = actions[action].kind == ActionKind::Controllable;
            taken[action] = true;
            waits
        });
        went.map_err(|_| limits.stopped())?;
        if !waits {
            continue;
        }
        found.waiting += 1;
        let inputs = (0..actions.len()).filter(|action| actions[*action].kind == ActionKind::Controllable);
        inputs.filter(|action| !taken[*action]).for_each(|action| refused[action].push(number));
    }
    for (action, states) in refused.into_iter().enumerate() {
        if let Some(first) = states.first() {
            let trace = space.trace(*first);
            let states = states.iter().map(|number| space.state_at(*number)).collect();
            found.inputs.push(OpenInput { action: actions[action].name.clone(), states, trace });
        }
    }
    Ok(found)
}
