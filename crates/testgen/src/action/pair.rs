//! A model and a mutant of it, made comparable: one numbering of labels, and code for what differs.

use std::sync::Arc;

use action::spec::{ActionKind, Block};
use action::{Program, Regions, Shape, Spec};

/// What is the same for all mutants of a model that change neither labels nor the regions of parameters.
#[derive(Clone)]
pub struct Base {
    shape: Shape,
    regions: Regions,
    program: Arc<Program>,
    kinds: Vec<ActionKind>,
    initial: Vec<i64>,
}

/// A model and a mutant.
pub struct Pair {
    /// The code of the model.
    pub original: Arc<Program>,
    /// The code of the mutant.
    pub mutant: Program,
    /// Of that code, the alternatives of the mutant that are not alternatives of the model.
    pub changed: Program,
    /// The alternatives of the model that are not alternatives of the mutant.
    pub removed: Program,
    /// Whether both begin in the same state.
    pub same_start: bool,
    /// Whether the types of all variables are the same.
    pub same_types: bool,
    /// Whether every action is controllable, observable or internal in both alike.
    pub same_kinds: bool,
    /// The state the mutant begins in.
    pub initial: Vec<i64>,
    /// Who decides about each action of the shape, in the model and in the mutant.
    pub kinds: (Vec<ActionKind>, Vec<ActionKind>),
}

/// Why a mutant cannot be compared with the model, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

impl Base {
    /// What the model alone contributes.
    pub fn new(spec: &Spec) -> Base {
        let shape = Shape::of(&[spec]);
        let regions = Regions::of(&[spec], &shape);
        let program = Arc::new(Program::new(spec, &shape, &regions));
        Base { kinds: kinds(spec, &shape), initial: spec.initial().to_vec(), shape, regions, program }
    }

    /// The code of the model.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Who decides about each action of the model.
    pub fn kinds(&self) -> &[ActionKind] {
        &self.kinds
    }

    /// The state the model begins in.
    pub fn initial(&self) -> &[i64] {
        &self.initial
    }
}

impl Pair {
    /// Makes a model and a mutant comparable.
    ///
    /// # Errors
    /// When they do not have the same variables.
    pub fn new(original: &Spec, mutant: &Spec) -> Result<Pair, Unsupported> {
        Pair::over(&Base::new(original), original, mutant)
    }

    /// The same, sharing with other pairs what is the same.
    ///
    /// # Errors
    /// When they do not have the same variables.
    pub fn over(base: &Base, original: &Spec, mutant: &Spec) -> Result<Pair, Unsupported> {
        let names = |spec: &Spec| -> Vec<String> { spec.slots().iter().map(|slot| slot.name.clone()).collect() };
        if names(original) != names(mutant) {
            return Err(Unsupported("the mutant has other state variables than the model".to_owned()));
        }
        let shape = Shape::of(&[original, mutant]);
        let regions = Regions::of(&[original, mutant], &shape);
        let bounds =
            |spec: &Spec| -> Vec<(i64, i64)> { spec.slots().iter().map(|slot| (slot.low, slot.high)).collect() };
        let same_types = bounds(original) == bounds(mutant);
        let base_fits = shape == base.shape && regions == base.regions;
        let program = if base_fits { base.program.clone() } else { Arc::new(Program::new(original, &shape, &regions)) };
        let ours = original.alternatives();
        let is_ours = |index: usize, block: &Block| -> Option<usize> {
            let same = |one: &usize| ours.get(*one).is_some_and(|other| same(original, other, mutant, block));
            // An alternative that stayed mostly stayed where it was.
            if same_types { Some(index).filter(same).or_else(|| (0..ours.len()).find(same)) } else { None }
        };
        let found: Vec<Option<usize>> =
            mutant.alternatives().iter().enumerate().map(|(index, block)| is_ours(index, block)).collect();
        let code = Program::sharing(mutant, &regions, &program, &|index, _| found[index]);
        let kinds = (kinds(original, &shape), kinds(mutant, &shape));
        Ok(Pair {
            changed: code.only(&|index| found[index].is_none()),
            removed: program.only(&|index| !found.contains(&Some(index))),
            mutant: code,
            original: program,
            same_start: original.initial() == mutant.initial(),
            same_types,
            same_kinds: kinds.0 == kinds.1,
            initial: mutant.initial().to_vec(),
            kinds,
        })
    }

    /// The layout of the labels of both.
    pub fn shape(&self) -> &Shape {
        self.original.shape()
    }

    /// Whether an alternative of the mutant is none of the model; all are where the types of variables differ.
    pub fn is_changed(original: &Spec, mutant: &Spec, block: &Block) -> bool {
        let same_types = original
            .slots()
            .iter()
            .zip(mutant.slots())
            .all(|(left, right)| left.low == right.low && left.high == right.high);
        !same_types || !original.alternatives().iter().any(|other| same(original, other, mutant, block))
    }

    /// Whether the two say the same.
    pub fn is_same(&self) -> bool {
        let same = self.same_start && self.same_types && self.same_kinds;
        same && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Who decides about each action of a shape; actions that a model does not have are its own.
fn kinds(spec: &Spec, shape: &Shape) -> Vec<ActionKind> {
    let kind = |(name, _): &(String, usize)| {
        spec.action_named(name).map_or(ActionKind::Observable, |action| spec.actions()[action].kind)
    };
    shape.actions.iter().map(kind).collect()
}

/// Whether two alternatives call the same actions in the same way.
fn same(original: &Spec, left: &Block, mutant: &Spec, right: &Block) -> bool {
    let all = |left: &[Block], right: &[Block]| {
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(original, left, mutant, right))
    };
    match (left, right) {
        (Block::Call(left), Block::Call(right)) => {
            left.binders == right.binders
                && left.arguments == right.arguments
                && original.actions()[left.action] == mutant.actions()[right.action]
        }
        (Block::Sequence(left), Block::Sequence(right))
        | (Block::Choice(left), Block::Choice(right))
        | (Block::Priority(left), Block::Priority(right)) => all(left, right),
        _ => false,
    }
}
