//! The interpreter: what a model can do from a state, and where a trace leads.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::compile::{Program, first_actions};
use crate::machine::{Found, Machine, OutOfFuel};
use crate::regions::Regions;
use crate::shape::Shape;
use crate::spec::{ActionKind, Block, Spec};
use crate::trace::{Label, Step};

/// The choices one question may take.
const FUEL: u64 = 200_000_000;

/// An interpreter of one model.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Arc<Program>,
    /// The actions of the shape that the system decides about.
    own: Arc<[bool]>,
    machine: Machine,
    initial: Arc<[i64]>,
}

/// Where a trace leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states after each label, from the initial one on; ascending. Shorter than the trace where it is impossible.
    pub states: Vec<BTreeSet<Vec<i64>>>,
    /// Whether the whole trace is possible.
    pub possible: bool,
}

impl Interpreter {
    /// An interpreter of a model.
    pub fn new(spec: &Spec) -> Interpreter {
        Interpreter::with_shape(spec, &Shape::of(&[spec]), &Regions::of(&[spec], &Shape::of(&[spec])))
    }

    /// An interpreter whose labels have a given shape, with parameters split into the given regions.
    pub fn with_shape(spec: &Spec, shape: &Shape, regions: &Regions) -> Interpreter {
        Interpreter::of_alternatives(spec, shape, regions, &|_| true)
    }

    /// An interpreter that knows the steps that begin with one action alone.
    pub fn of_action(spec: &Spec, name: &str) -> Interpreter {
        let is_it = |action: usize| spec.actions()[action].name == name;
        let wanted = |block: &Block| first_actions(block).into_iter().any(is_it);
        let shape = Shape::of(&[spec]);
        Interpreter::of_alternatives(spec, &shape, &Regions::of(&[spec], &shape), &wanted)
    }

    fn of_alternatives(spec: &Spec, shape: &Shape, regions: &Regions, wanted: &dyn Fn(&Block) -> bool) -> Interpreter {
        let mut own = vec![false; shape.actions.len()];
        for action in spec.actions() {
            own[shape.action(action)] = action.kind != ActionKind::Controllable;
        }
        let program = Arc::new(Program::of(spec, shape, regions, wanted));
        Interpreter { program, own: own.into(), machine: Machine::default(), initial: spec.initial().into() }
    }

    /// The initial state.
    pub fn initial(&self) -> &[i64] {
        &self.initial
    }

    /// The steps from a state, ascending. Of parameter values that behave alike only the lowest appears, with their
    /// number.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn steps(&mut self, state: &[i64]) -> Result<Vec<(Step, u64)>, OutOfFuel> {
        steps_of(&self.program, &mut self.machine, state, None)
    }

    /// Those of the steps that do not have to wait for the tester; some inputs may be among them.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn own_steps(&mut self, state: &[i64]) -> Result<Vec<(Step, u64)>, OutOfFuel> {
        steps_of(&self.program, &mut self.machine, state, Some(&self.own))
    }

    /// The states a label leads to; none where it is impossible.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn after(&mut self, state: &[i64], label: &Label) -> Result<BTreeSet<Vec<i64>>, OutOfFuel> {
        let mut states = BTreeSet::new();
        let Some(numbers) = self.program.shape().encode(label) else { return Ok(states) };
        self.machine.refuel(FUEL);
        self.machine.after(&self.program, state, &numbers, &mut |post| {
            states.insert(post.to_vec());
            true
        })?;
        Ok(states)
    }

    /// Whether a step is possible.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn allows(&mut self, state: &[i64], step: &Step) -> Result<bool, OutOfFuel> {
        let Some(numbers) = self.program.shape().encode(&step.label) else { return Ok(false) };
        self.machine.refuel(FUEL);
        self.machine.allows(&self.program, state, &numbers, &step.post)
    }

    /// Follows a trace of labels from the initial state, through every state it can lead to.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn run(&mut self, trace: &[Label]) -> Result<Run, OutOfFuel> {
        let mut states = vec![BTreeSet::from([self.initial.to_vec()])];
        for label in trace {
            let mut next = BTreeSet::new();
            for state in &states[states.len() - 1] {
                next.extend(self.after(state, label)?);
            }
            if next.is_empty() {
                return Ok(Run { states, possible: false });
            }
            states.push(next);
        }
        Ok(Run { states, possible: true })
    }
}

/// The steps from a state; where actions are named, only through alternatives that can begin with one of them.
fn steps_of(
    program: &Program,
    machine: &mut Machine,
    state: &[i64],
    actions: Option<&[bool]>,
) -> Result<Vec<(Step, u64)>, OutOfFuel> {
    let mut steps = BTreeSet::new();
    machine.refuel(FUEL);
    let mut visit = |found: Found<'_>| {
        let label = program.shape().decode(found.label);
        steps.insert((Step { label, post: found.post.to_vec() }, found.weight));
        true
    };
    match actions {
        Some(actions) => machine.steps_beginning(program, state, actions, &mut visit)?,
        None => machine.steps(program, state, &mut visit)?,
    }
    Ok(steps.into_iter().collect())
}
