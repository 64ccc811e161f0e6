//! The interpreter: what a model can do from a state, and where a trace leads.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use crate::compile::{Program, first_actions};
use crate::machine::{Found, Machine, OutOfFuel};
use crate::regions::Regions;
use crate::shape::Shape;
use crate::spec::{ActionKind, Block, Spec};
use crate::trace::{Label, Step};

/// The choices one question may take.
const FUEL: u64 = 200_000_000;
/// What this many states do by themselves is remembered.
const MOST_REMEMBERED: usize = 100_000;

/// An interpreter of one model.
#[derive(Clone, Debug)]
pub struct Interpreter {
    program: Arc<Program>,
    /// The actions of the shape that the system decides about.
    own: Arc<[bool]>,
    /// Who decides about each action of the shape.
    kinds: Arc<[ActionKind]>,
    /// What states met before do by themselves: tests meet the first states of a model again and again.
    remembered: Arc<Mutex<BTreeMap<Vec<i64>, Arc<Own>>>>,
    machine: Machine,
    /// The choices one question may take.
    fuel: u64,
    initial: Arc<[i64]>,
}

/// What a state does without the tester.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Own {
    /// The states after its internal steps.
    pub internal: BTreeSet<Vec<i64>>,
    /// What it may put out, each label with the number of labels it stands for.
    pub outputs: BTreeMap<Label, u64>,
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

    /// An interpreter that knows the steps alone that begin with some actions.
    pub fn of_actions(spec: &Spec, names: &BTreeSet<&str>) -> Interpreter {
        let is_it = |action: usize| names.contains(spec.actions()[action].name.as_str());
        let wanted = |block: &Block| first_actions(block).into_iter().any(is_it);
        let shape = Shape::of(&[spec]);
        Interpreter::of_alternatives(spec, &shape, &Regions::of(&[spec], &shape), &wanted)
    }

    fn of_alternatives(spec: &Spec, shape: &Shape, regions: &Regions, wanted: &dyn Fn(&Block) -> bool) -> Interpreter {
        let mut own = vec![false; shape.actions.len()];
        let mut kinds = vec![ActionKind::Observable; shape.actions.len()];
        for action in spec.actions() {
            own[shape.action(action)] = action.kind != ActionKind::Controllable;
            kinds[shape.action(action)] = action.kind;
        }
        Interpreter {
            program: Arc::new(Program::of(spec, shape, regions, wanted)),
            own: own.into(),
            kinds: kinds.into(),
            remembered: Arc::default(),
            machine: Machine::default(),
            fuel: FUEL,
            initial: spec.initial().into(),
        }
    }

    /// The same with this many choices for each question.
    #[must_use]
    pub fn within(self, fuel: u64) -> Interpreter {
        Interpreter { fuel, ..self }
    }

    /// The same, which leaves a question that takes long without an answer when `stop` says so.
    #[must_use]
    pub fn stopping(self, stop: Arc<dyn Fn() -> bool + Send + Sync>) -> Interpreter {
        Interpreter { machine: self.machine.stopping(stop), ..self }
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
        self.machine.refuel(self.fuel);
        steps_of(&self.program, &mut self.machine, state)
    }

    /// The choices gone through so far: a measure of its work.
    pub fn work(&self) -> u64 {
        self.machine.work()
    }

    /// Whether anything happens that nobody sees.
    pub fn has_internal(&self) -> bool {
        self.kinds.contains(&ActionKind::Internal)
    }

    /// What a state does without the tester.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn own(&mut self, state: &[i64]) -> Result<Arc<Own>, OutOfFuel> {
        let memory = self.remembered.clone();
        let remembered = || memory.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = remembered().get(state).cloned() {
            return Ok(known);
        }
        let mut own = Own::default();
        self.each_own_step(state, &mut |kind, label, found| match kind {
            ActionKind::Internal if !own.internal.contains(found.post) => {
                own.internal.insert(found.post.to_vec());
            }
            ActionKind::Observable => {
                own.outputs.insert(label.clone(), found.weight);
            }
            ActionKind::Internal | ActionKind::Controllable => {}
        })?;
        let own = Arc::new(own);
        let mut all = remembered();
        if MOST_REMEMBERED <= all.len() {
            all.clear();
        }
        all.insert(state.to_vec(), own.clone());
        Ok(own)
    }

    /// Adds the states after each output of a state.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn outputs_from(
        &mut self,
        state: &[i64],
        after: &mut BTreeMap<Label, BTreeSet<Vec<i64>>>,
    ) -> Result<(), OutOfFuel> {
        self.each_own_step(state, &mut |kind, label, found| {
            if kind == ActionKind::Observable {
                let states = after.entry(label.clone()).or_default();
                if !states.contains(found.post) {
                    states.insert(found.post.to_vec());
                }
            }
        })
    }

    /// Goes through the steps whose first action is not the tester's; those with the same label come mostly together.
    fn each_own_step(
        &mut self,
        state: &[i64],
        visit: &mut dyn FnMut(ActionKind, &Label, Found<'_>),
    ) -> Result<(), OutOfFuel> {
        let Interpreter { program, own, kinds, machine, fuel, .. } = self;
        let mut last: Option<(Vec<i64>, ActionKind, Label)> = None;
        machine.refuel(*fuel);
        machine.steps_beginning(program, state, own, &mut |found| {
            if last.as_ref().is_none_or(|(numbers, _, _)| numbers != found.label) {
                let kind = label_kind(kinds, program.shape().stride(), found.label);
                last = Some((found.label.to_vec(), kind, program.shape().decode(found.label)));
            }
            let (_, kind, label) = last.as_ref().expect("just set");
            visit(*kind, label, found);
            true
        })
    }

    /// The states a label leads to; none where it is impossible.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn after(&mut self, state: &[i64], label: &Label) -> Result<BTreeSet<Vec<i64>>, OutOfFuel> {
        let mut states = BTreeSet::new();
        let Some(numbers) = self.program.shape().encode(label) else { return Ok(states) };
        self.machine.refuel(self.fuel);
        self.machine.after(&self.program, state, &numbers, &mut |post| {
            states.insert(post.to_vec());
            true
        })?;
        Ok(states)
    }

    /// Whether a label leads anywhere.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn takes(&mut self, state: &[i64], label: &Label) -> Result<bool, OutOfFuel> {
        let Some(numbers) = self.program.shape().encode(label) else { return Ok(false) };
        let mut leads = false;
        self.machine.refuel(self.fuel);
        self.machine.after(&self.program, state, &numbers, &mut |_| {
            leads = true;
            false
        })?;
        Ok(leads)
    }

    /// Whether a step is possible.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn allows(&mut self, state: &[i64], step: &Step) -> Result<bool, OutOfFuel> {
        let Some(numbers) = self.program.shape().encode(&step.label) else { return Ok(false) };
        self.machine.refuel(self.fuel);
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

/// Who decides about a label: its first event, and what is internal throughout is seen by nobody.
fn label_kind(kinds: &[ActionKind], stride: usize, label: &[i64]) -> ActionKind {
    let events = label.chunks(stride).filter(|event| event[0] != 0);
    let all: Vec<ActionKind> = events.map(|event| kinds[event[0] as usize - 1]).collect();
    match all.first() {
        Some(ActionKind::Controllable) => ActionKind::Controllable,
        Some(_) if all.iter().all(|kind| *kind == ActionKind::Internal) => ActionKind::Internal,
        _ => ActionKind::Observable,
    }
}

/// The steps from a state.
fn steps_of(program: &Program, machine: &mut Machine, state: &[i64]) -> Result<Vec<(Step, u64)>, OutOfFuel> {
    let mut steps = BTreeSet::new();
    machine.steps(program, state, &mut |found| {
        let label = program.shape().decode(found.label);
        steps.insert((Step { label, post: found.post.to_vec() }, found.weight));
        true
    })?;
    Ok(steps.into_iter().collect())
}
