//! A mutant beside its model: what each of them does, in labels that both share.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Machines;
use crate::compile::Program;
use crate::machine::{Machine, OutOfFuel};
use crate::regions::Regions;
use crate::shape::Shape;
use crate::spec::{ActionKind, Block, Spec};
use crate::trace::Label;

/// A model, compiled once for all its mutants that have the same labels.
#[derive(Clone, Debug)]
pub struct Original {
    pub(super) program: Arc<Program>,
    pub(super) kinds: Arc<[ActionKind]>,
    pub(super) initial: Arc<[i64]>,
    /// The alternatives that call each action.
    callers: Vec<Vec<usize>>,
    shape: Shape,
    regions: Regions,
}

/// A mutant, compiled to be compared with its model.
#[derive(Debug)]
pub struct Rival {
    pub(super) original: Arc<Program>,
    /// Who decides about each action, in the model and in the mutant.
    pub(super) kinds: (Arc<[ActionKind]>, Arc<[ActionKind]>),
    pub(super) initial: Arc<[i64]>,
    begins_elsewhere: bool,
    /// The alternatives of the mutant that are not the model's at the same place.
    changed: Program,
    places: Vec<usize>,
    count: usize,
    /// All alternatives of the mutant, put together when they are first needed.
    whole: OnceLock<Program>,
}

impl Original {
    /// What the model alone contributes.
    pub fn new(spec: &Spec) -> Original {
        let shape = Shape::of(&[spec]);
        let regions = Regions::of(&[spec], &shape);
        let mut callers = vec![Vec::new(); spec.actions().len()];
        for (place, alternative) in spec.alternatives().iter().enumerate() {
            alternative.calls().iter().for_each(|call| callers[call.action].push(place));
        }
        Original {
            callers,
            program: Arc::new(Program::new(spec, &shape, &regions)),
            kinds: kinds(spec, &shape),
            initial: spec.initial().into(),
            shape,
            regions,
        }
    }
}

impl Rival {
    /// A mutant of a model; none where it has other variables.
    pub fn new(model: &Original, spec: &Spec, mutant: &Spec) -> Option<Rival> {
        let names = |spec: &Spec| spec.slots().iter().map(|slot| slot.name.clone()).collect::<Vec<_>>();
        if !std::ptr::eq(spec.slots(), mutant.slots()) && names(spec) != names(mutant) {
            return None;
        }
        let shared = shares_labels(model, spec, mutant);
        let (original, regions) = if shared {
            (model.program.clone(), model.regions.clone())
        } else {
            let shape = Shape::of(&[spec, mutant]);
            let regions = Regions::of(&[spec, mutant], &shape);
            (Arc::new(Program::new(spec, &shape, &regions)), regions)
        };
        let blocks = mutant.alternatives();
        let is_changed = |place: &usize| {
            let same = |model: &Block| is_same(spec, model, mutant, &blocks[*place]);
            !same_types(spec, mutant) || !spec.alternatives().get(*place).is_some_and(same)
        };
        let places: Vec<usize> = if spec.shares_all_but_actions(mutant) {
            let replaced = spec.actions().replaced(mutant.actions());
            let touched = replaced.into_iter().flat_map(|action| &model.callers[action]).copied();
            touched.collect::<BTreeSet<usize>>().into_iter().filter(is_changed).collect()
        } else {
            (0..blocks.len()).filter(is_changed).collect()
        };
        let kinds = match shared {
            true => (model.kinds.clone(), model.kinds.clone()),
            false => (kinds(spec, original.shape()), kinds(mutant, original.shape())),
        };
        Some(Rival {
            changed: original.of_mutant(spec, mutant, &regions, &places),
            places,
            count: blocks.len(),
            begins_elsewhere: !spec.begins_alike(mutant),
            initial: mutant.initial_state(),
            kinds,
            original,
            whole: OnceLock::new(),
        })
    }

    /// The slots on which it depends what it does otherwise in a state; ascending.
    pub fn depends_on(&self) -> BTreeSet<u32> {
        self.changed.relevant_beside(&self.original)
    }

    /// The names of the actions with which a label begins that it may do something else with.
    pub fn first_actions(&self) -> BTreeSet<&str> {
        self.changed.first_actions().map(|action| self.shape().actions[action].0.as_str()).collect()
    }

    /// Whether it begins in another state than the model.
    pub fn begins_elsewhere(&self) -> bool {
        self.begins_elsewhere
    }

    /// Whether it makes a step by itself from a state that the model cannot make.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn errs_by_itself(&self, machines: &mut Machines, state: &[i64]) -> Result<bool, OutOfFuel> {
        if self.places.is_empty() {
            return Ok(false);
        }
        let Machines { mutant, model, fuel } = machines;
        let mut known = Known::new(&self.original, state, (model, *fuel));
        let (mut wrong, mut spent) = (false, false);
        mutant.refuel(*fuel);
        mutant.steps(&self.changed, state, &mut |step| {
            if self.kinds.0[step.label[0] as usize - 1] == ActionKind::Controllable {
                return true;
            }
            match known.allows(step.label, step.post) {
                Ok(allowed) => wrong = !allowed,
                Err(OutOfFuel) => spent = true,
            }
            !wrong && !spent
        })?;
        if spent { Err(OutOfFuel) } else { Ok(wrong) }
    }

    /// Whether a label leads it from a state to another one than the model.
    ///
    /// # Errors
    /// When there are too many ways to go through.
    pub fn errs_with(&self, machines: &mut Machines, state: &[i64], label: &Label) -> Result<bool, OutOfFuel> {
        let Some(label) = self.shape().encode(label) else { return Ok(false) };
        let Machines { mutant, model, fuel } = machines;
        let mut known = Known::new(&self.original, state, (model, *fuel));
        let (mut wrong, mut spent) = (false, false);
        mutant.refuel(*fuel);
        mutant.after(&self.changed, state, &label, &mut |post| {
            match known.allows(&label, post) {
                Ok(allowed) => wrong = !allowed,
                Err(OutOfFuel) => spent = true,
            }
            !wrong && !spent
        })?;
        if spent { Err(OutOfFuel) } else { Ok(wrong) }
    }

    /// The layout of the labels of both.
    pub(super) fn shape(&self) -> &Shape {
        self.original.shape()
    }

    /// The whole mutant.
    pub(super) fn whole(&self) -> &Program {
        let kept = |place: usize| (!self.places.contains(&place)).then_some(place);
        self.whole.get_or_init(|| self.original.assembled((0..self.count).map(kept), &self.changed))
    }
}

/// From this many states after one label on, those of the model are listed.
const MANY: usize = 16;

/// What the model can do in one state, as far as it was asked.
struct Known<'a> {
    program: &'a Program,
    state: &'a [i64],
    machine: &'a mut Machine,
    fuel: u64,
    /// How often it was asked for each label.
    asked: FxHashMap<Vec<i64>, usize>,
    /// The states after labels that were asked for often.
    listed: FxHashMap<Vec<i64>, FxHashSet<Vec<i64>>>,
}

impl<'a> Known<'a> {
    fn new(program: &'a Program, state: &'a [i64], (machine, fuel): (&'a mut Machine, u64)) -> Known<'a> {
        Known { program, state, machine, fuel, asked: FxHashMap::default(), listed: FxHashMap::default() }
    }

    /// Whether a label can lead the model to a state. One that leads to many is followed to all of them at once.
    fn allows(&mut self, label: &[i64], post: &[i64]) -> Result<bool, OutOfFuel> {
        if let Some(posts) = self.listed.get(label) {
            return Ok(posts.contains(post));
        }
        let asked = self.asked.entry(label.to_vec()).or_insert(0);
        *asked += 1;
        self.machine.refuel(self.fuel);
        if *asked < MANY {
            return self.machine.allows(self.program, self.state, label, post);
        }
        let mut posts = FxHashSet::default();
        self.machine.after(self.program, self.state, label, &mut |post| {
            posts.insert(post.to_vec());
            true
        })?;
        let allowed = posts.contains(post);
        self.listed.insert(label.to_vec(), posts);
        Ok(allowed)
    }
}

/// Whether a mutant has the model's labels, and the same values of parameters behave alike in both.
fn shares_labels(model: &Original, spec: &Spec, mutant: &Spec) -> bool {
    if !spec.shares_all_but_actions(mutant) {
        let shape = Shape::of(&[spec, mutant]);
        return shape == model.shape
            && Regions::of(&[spec, mutant], &shape) == model.regions
            && kinds(spec, &shape) == kinds(mutant, &shape);
    }
    let changed = spec.actions().replaced(mutant.actions());
    let same_label = |number: &usize| {
        let (one, two) = (&spec.actions()[*number], &mutant.actions()[*number]);
        one.name == two.name && one.parameters.len() == two.parameters.len() && one.kind == two.kind
    };
    changed.iter().all(same_label) && model.regions.hold_in(mutant, &model.shape, &changed)
}

/// Who decides about each action of a shape; actions that a model does not have are its own.
fn kinds(spec: &Spec, shape: &Shape) -> Arc<[ActionKind]> {
    let mut kinds = vec![ActionKind::Observable; shape.actions.len()];
    spec.actions().iter().for_each(|action| kinds[shape.action(action)] = action.kind);
    kinds.into()
}

/// Whether every variable has the same values in both.
fn same_types(spec: &Spec, mutant: &Spec) -> bool {
    let bounds = |spec: &Spec| spec.slots().iter().map(|slot| (slot.low, slot.high)).collect::<Vec<_>>();
    std::ptr::eq(spec.slots(), mutant.slots()) || bounds(spec) == bounds(mutant)
}

/// Whether two alternatives are written alike and call actions that are written alike.
fn is_same(spec: &Spec, ours: &Block, mutant: &Spec, theirs: &Block) -> bool {
    let (calls, others) = (ours.calls(), theirs.calls());
    let alike = calls.len() == others.len()
        && calls.iter().zip(&others).all(|(one, two)| {
            let (left, right) = (&spec.actions()[one.action], &mutant.actions()[two.action]);
            Arc::ptr_eq(left, right) || left == right
        });
    alike && has_same_form(ours, theirs)
}

fn has_same_form(left: &Block, right: &Block) -> bool {
    match (left, right) {
        (Block::Call(left), Block::Call(right)) => left.binders == right.binders && left.arguments == right.arguments,
        (Block::Sequence(left), Block::Sequence(right))
        | (Block::Choice(left), Block::Choice(right))
        | (Block::Priority(left), Block::Priority(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| has_same_form(left, right))
        }
        _ => false,
    }
}
