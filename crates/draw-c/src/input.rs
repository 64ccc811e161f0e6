//! The inputs of a program: arguments, what pointers among them point to, and what undefined functions return.

use c::expr::PlaceId;
use c::program::{EdgeId, FunctionId};
use c::types::TypeId;
use smt::Term;

use super::value::ObjectId;

/// An input that executions ask for, in the order in which they do.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// Who asks.
    pub(super) kind: InputKind,
    /// Which executions ask.
    pub(super) guard: Term,
    /// What they are given.
    pub(super) given: Given,
}

/// Who asks for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InputKind {
    /// The entry function, for its n-th argument, in a call from 0.
    Argument(usize, u32),
    /// A call of a function without a body, for its result.
    Result {
        /// The function.
        function: FunctionId,
        /// The call.
        edge: EdgeId,
    },
    /// A read of memory that the world can change.
    World(PlaceId),
}

/// The value of an input.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// A number.
    Scalar {
        /// Its symbol.
        symbol: Term,
        /// Its type.
        ty: TypeId,
    },
    /// A pointer to an object built for it.
    Pointer {
        /// 0 if it is null.
        choice: Term,
        /// What it points to.
        behind: Box<Behind>,
    },
    /// A pointer to something that is not built: null, or nothing is known of it.
    Deep {
        /// 0 if it is null.
        choice: Term,
    },
    /// A structure or union, held in an object of its own.
    Record(Box<Behind>),
}

/// An object built for an input.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// The object. Its numbers are initial values.
    pub(super) object: ObjectId,
    /// The type of an element.
    pub(super) element: TypeId,
    /// The number of elements.
    pub(super) count: u64,
    /// The pointers in it, by their first byte.
    pub(super) pointers: Vec<(u64, Given)>,
}
