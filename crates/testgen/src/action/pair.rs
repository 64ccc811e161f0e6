//! A model and a mutant of it, made comparable: one numbering of labels, and code for what differs.

use std::sync::Arc;

use action::spec::Block;
use action::{Program, Regions, Shape, Spec};

/// What is the same for all mutants of a model that change neither labels nor the regions of parameters.
#[derive(Clone)]
pub struct Base {
    shape: Shape,
    regions: Regions,
    program: Arc<Program>,
}

/// A model and a mutant.
pub struct Pair {
    /// The shape of the labels of both.
    pub shape: Shape,
    /// The code of the model.
    pub original: Arc<Program>,
    /// The code of those alternatives of the mutant that are not alternatives of the model.
    pub changed: Program,
    /// Whether both begin in the same state.
    pub same_start: bool,
    /// Whether the types of all variables are the same.
    pub same_types: bool,
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
        Base { shape, regions, program }
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
        let wanted = |block: &Block| {
            !same_types || !original.alternatives().iter().any(|other| same(original, other, mutant, block))
        };
        Ok(Pair {
            original: if shape == base.shape && regions == base.regions {
                base.program.clone()
            } else {
                Arc::new(Program::new(original, &shape, &regions))
            },
            changed: Program::of(mutant, &shape, &regions, &wanted),
            same_start: original.initial() == mutant.initial(),
            same_types,
            shape,
        })
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
        self.same_start && self.same_types && self.changed.is_empty()
    }
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
