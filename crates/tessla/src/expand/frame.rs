//! What expressions evaluate to during expansion, and the frames in which names have their meaning.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::core::{NodeId, StreamId};
use crate::place::Place;
use crate::typed::{CheckedDefinition, OwnerId, Typed, VariableId};
use crate::types::Type;
use crate::value::Value;

use super::Context;

/// What an expression evaluates to.
#[derive(Clone)]
pub(super) enum Val {
    /// A value known before the run.
    Value(Value),
    /// A value that depends on events: a node of a function under construction.
    Node(NodeRef),
    Stream(StreamId),
    /// An object whose members are evaluated on demand.
    Object(Rc<Vec<(Arc<str>, Member)>>),
    Closure(Rc<Closure>),
    /// A liftable function, to be applied to streams.
    Lifted(Rc<Closure>),
}

/// A node of one of the functions under construction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct NodeRef {
    pub(super) builder: usize,
    pub(super) node: NodeId,
}

/// A member of an object.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) state: Rc<RefCell<MemberState>>,
}

pub(super) enum MemberState {
    Waiting(Rc<Typed>, Rc<Frame>),
    Running,
    Done(Val),
}

/// A function with its surroundings.
pub(super) struct Closure {
    pub(super) code: Code,
    pub(super) env: Rc<Frame>,
}

pub(super) enum Code {
    /// A definition, with types already given to its type parameters.
    Definition(VariableId, Rc<CheckedDefinition>, Vec<Type>),
    Lambda {
        owner: OwnerId,
        parameters: Vec<(VariableId, Type)>,
        body: Rc<Typed>,
    },
}

/// An argument of a call.
#[derive(Clone)]
pub(super) enum Argument {
    Waiting(Rc<Typed>, Rc<Frame>),
    Ready(Val, Type),
}

/// The meaning of the variables of one block or call.
pub(super) struct Frame {
    pub(super) owner: OwnerId,
    pub(super) parent: Option<Rc<Frame>>,
    pub(super) types: Vec<(u32, Type)>,
    pub(super) context: Context,
    pub(super) slots: RefCell<FxHashMap<VariableId, Slot>>,
}

pub(super) enum Slot {
    /// An argument that was not needed yet.
    Waiting(Rc<Typed>, Rc<Frame>),
    Running {
        placeholder: Option<StreamId>,
        body: Place,
    },
    Done(Val),
    /// Evaluation stopped; the report is made.
    Stopped,
}

impl Frame {
    pub(super) fn new(
        owner: OwnerId,
        parent: Option<Rc<Frame>>,
        types: Vec<(u32, Type)>,
        context: Context,
    ) -> Rc<Frame> {
        Rc::new(Frame { owner, parent, types, context, slots: RefCell::default() })
    }

    pub(super) fn set(&self, variable: VariableId, val: Val) {
        self.slots.borrow_mut().insert(variable, Slot::Done(val));
    }

    pub(super) fn put(&self, variable: VariableId, argument: Argument) {
        let slot = match argument {
            Argument::Waiting(expr, env) => Slot::Waiting(expr, env),
            Argument::Ready(val, _) => Slot::Done(val),
        };
        self.slots.borrow_mut().insert(variable, slot);
    }
}

/// The frame that holds the variables of an owner.
pub(super) fn frame_of(env: &Rc<Frame>, owner: OwnerId) -> Rc<Frame> {
    let mut at = env;
    while at.owner != owner {
        match &at.parent {
            Some(parent) => at = parent,
            // What belongs to the top level is in the outermost frame.
            None => break,
        }
    }
    at.clone()
}

impl Member {
    pub(super) fn done(val: Val) -> Member {
        Member { state: Rc::new(RefCell::new(MemberState::Done(val))) }
    }

    pub(super) fn waiting(expr: Rc<Typed>, env: Rc<Frame>) -> Member {
        Member { state: Rc::new(RefCell::new(MemberState::Waiting(expr, env))) }
    }
}
