//! A checked model: names resolved to slots and numbers, nothing left that can fail but a division or an index.

use std::sync::Arc;

use crate::ast::{ArithmeticOp, Comparison, Connective, Model};
use crate::patched::Patched;

/// A checked model. Only [`crate::check`] and a [`crate::Revision`] make one; what a revision leaves as it was is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    pub(crate) model: Model,
    pub(crate) depth: Option<u64>,
    pub(crate) variables: Arc<[Variable]>,
    pub(crate) slots: Arc<[Slot]>,
    pub(crate) initial: Arc<[i64]>,
    pub(crate) actions: Patched<ActionSpec>,
    /// The names and conditions of the invariants.
    pub(crate) invariants: Arc<[(String, Condition)]>,
    pub(crate) body: Arc<Block>,
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its first slot.
    pub first: usize,
    /// For an array its first index and the number of its cells.
    pub array: Option<(i64, usize)>,
}

/// A place for one number of the state: a variable, or a cell of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The variable's name, with the index of a cell.
    pub name: String,
    /// The lowest value.
    pub low: i64,
    /// The highest value.
    pub high: i64,
    /// Names of the values from the lowest on; may be empty.
    pub labels: Vec<String>,
}

/// Who decides that an action happens, and who sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ActionKind {
    /// The tester makes it happen.
    Controllable,
    /// The system makes it happen, the tester sees it.
    Observable,
    /// The system makes it happen and nobody sees it.
    Internal,
}

/// A resolved action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSpec {
    /// Its label.
    pub name: String,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// Who decides.
    pub kind: ActionKind,
    /// When it can happen.
    pub guard: Condition,
    /// What it does.
    pub body: Command,
}

/// A number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A constant.
    Constant(i64),
    /// The value of a slot.
    Slot(usize),
    /// The value of a parameter.
    Parameter(usize),
    /// A cell; undefined where the index is none of the array's.
    Element {
        /// The slot of the first cell.
        first: usize,
        /// The index of the first cell.
        low: i64,
        /// The number of cells.
        length: usize,
        /// The index.
        index: Box<Number>,
    },
    /// The other sign.
    Negate(Box<Number>),
    /// Without the sign.
    Absolute(Box<Number>),
    /// Arithmetic; divisions by zero are undefined.
    Arithmetic(ArithmeticOp, Box<Number>, Box<Number>),
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A constant.
    Truth(bool),
    /// Negation.
    Not(Box<Condition>),
    /// A comparison.
    Compare(Comparison, Number, Number),
    /// A connective.
    Connect(Connective, Vec<Condition>),
}

/// A resolved statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Nothing changes.
    Skip,
    /// A slot gets a value.
    Assign(usize, Number),
    /// A cell gets a value.
    AssignElement {
        /// The slot of the first cell.
        first: usize,
        /// The index of the first cell.
        low: i64,
        /// The number of cells.
        length: usize,
        /// The index.
        index: Number,
        /// The value.
        value: Number,
    },
    /// Assignments that happen at once: all of them read the values before.
    Together(Vec<Command>),
    /// A local parameter, the next one behind those at hand, with any of these values.
    Any {
        /// The lowest value.
        low: i64,
        /// The highest value.
        high: i64,
        /// What is done with it.
        body: Box<Command>,
    },
    /// One after the other.
    Sequence(Vec<Command>),
    /// Any one of them.
    Choice(Vec<Command>),
    /// The first that can run to its end.
    Priority(Vec<Command>),
    /// Only if the condition holds.
    Guarded(Condition, Box<Command>),
}

/// The resolved do-od block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// One action.
    Call(Invocation),
    /// Several, as one step.
    Sequence(Vec<Block>),
    /// Any one of them.
    Choice(Vec<Block>),
    /// The first that can run to its end.
    Priority(Vec<Block>),
}

/// A resolved call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invocation {
    /// The action's number.
    pub action: usize,
    /// The lowest and highest value of each binder.
    pub binders: Vec<(i64, i64)>,
    /// The arguments.
    pub arguments: Vec<Actual>,
}

/// An argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actual {
    /// A number.
    Constant(i64),
    /// The value of a binder.
    Binder(usize),
}

impl Spec {
    /// The syntax tree it was made from.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The search depth the model asks for.
    pub fn depth(&self) -> Option<u64> {
        self.depth
    }

    /// The state variables, in order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The slots of the state, in order.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// The initial state.
    pub fn initial(&self) -> &[i64] {
        &self.initial
    }

    /// The initial state, shared.
    pub fn initial_state(&self) -> Arc<[i64]> {
        self.initial.clone()
    }

    /// Whether another model begins in the same state.
    pub fn begins_alike(&self, other: &Spec) -> bool {
        Arc::ptr_eq(&self.initial, &other.initial) || self.initial == other.initial
    }

    /// The actions, in order of definition.
    pub fn actions(&self) -> &Patched<ActionSpec> {
        &self.actions
    }

    /// What holds in every reachable state: names and conditions, in order.
    pub fn invariants(&self) -> &[(String, Condition)] {
        &self.invariants
    }

    /// The do-od block.
    pub fn body(&self) -> &Block {
        &self.body
    }

    /// The alternatives of the do-od block at its top level.
    pub fn alternatives(&self) -> &[Block] {
        match &*self.body {
            Block::Choice(parts) => parts,
            Block::Call(_) | Block::Sequence(_) | Block::Priority(_) => std::slice::from_ref(&*self.body),
        }
    }

    /// Whether another model was made from this one by replacing actions and nothing else.
    pub fn shares_all_but_actions(&self, other: &Spec) -> bool {
        let parts = Arc::ptr_eq(&self.slots, &other.slots) && Arc::ptr_eq(&self.initial, &other.initial);
        parts && Arc::ptr_eq(&self.body, &other.body) && self.actions.len() == other.actions.len()
    }

    /// The number of the action called `name`.
    pub fn action_named(&self, name: &str) -> Option<usize> {
        self.actions.iter().position(|action| action.name == name)
    }
}

impl Block {
    /// Every call in it, in order.
    pub fn calls(&self) -> Vec<&Invocation> {
        match self {
            Block::Call(call) => vec![call],
            Block::Sequence(parts) | Block::Choice(parts) | Block::Priority(parts) => {
                parts.iter().flat_map(Block::calls).collect()
            }
        }
    }

    /// The most actions one step of it can consist of.
    pub fn longest(&self) -> usize {
        match self {
            Block::Call(_) => 1,
            Block::Sequence(parts) => parts.iter().map(Block::longest).sum(),
            Block::Choice(parts) | Block::Priority(parts) => parts.iter().map(Block::longest).max().unwrap_or(0),
        }
    }
}

impl Slot {
    /// A value as people read it.
    pub fn show(&self, value: i64) -> String {
        let place = usize::try_from(value.wrapping_sub(self.low)).ok();
        place.and_then(|place| self.labels.get(place)).cloned().unwrap_or_else(|| value.to_string())
    }
}
