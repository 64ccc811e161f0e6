//! The compact form that is executed: postfix operations for expressions, one instruction per edge.

use std::collections::BTreeSet;

use crate::expr::BinaryOp;
use crate::program::{EdgeId, FunctionId, NodeId, VariableId};
use crate::types::{Integer, TypeId};

use super::models::Model;

/// What a scalar is for the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Integer(Integer),
    Bool,
    Float,
    Double,
    /// `long double`, in so many bytes.
    Extended(u8),
    /// A pointer of so many bytes.
    Pointer(u8),
    /// A type that is not computed with.
    Other,
}

impl Scalar {
    pub(super) fn size(self) -> usize {
        match self {
            Scalar::Integer(integer) => integer.bits as usize / 8,
            Scalar::Bool => 1,
            Scalar::Float => 4,
            Scalar::Double => 8,
            Scalar::Extended(bytes) => usize::from(bytes),
            Scalar::Pointer(bytes) => usize::from(bytes),
            Scalar::Other => 0,
        }
    }
}

/// A postfix operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// A constant.
    Constant(u32),
    /// A small constant.
    Small(i32),
    /// A register of the frame.
    Slot(u32),
    /// The address of a memory variable of the frame.
    Frame(u32),
    /// The address of a static variable.
    Static(u32),
    /// Loads a scalar from an address.
    Load(Scalar, TypeId),
    /// Loads a scalar that the world may have changed since it was read or written.
    Reload(Scalar, TypeId),
    /// Loads a scalar from a fixed address, where only the world is.
    World(TypeId),
    /// Loads a bit-field from an address.
    LoadBits {
        integer: Integer,
        shift: u8,
        width: u8,
        ty: TypeId,
    },
    /// Adds a constant to an address.
    Advance(i64),
    /// Asks whether an index is one of the places of an array.
    Within {
        places: u64,
    },
    /// Adds an index times a stride to an address.
    Index {
        stride: i64,
    },
    /// The same for a pointer that nothing is accessed through yet: from null nothing but null is reached.
    Step {
        stride: i64,
    },
    Negate(Scalar),
    Complement(Integer),
    /// Arithmetic on integers of at most 64 bits.
    Integer(BinaryOp, Integer),
    /// Arithmetic on integers of 128 bits.
    Wide(BinaryOp, Integer),
    Floating(BinaryOp, bool),
    /// Arithmetic in `long double`.
    Extended(BinaryOp),
    Pointers(BinaryOp),
    Difference {
        stride: i64,
    },
    Convert(Scalar, Scalar),
}

/// A range of postfix operations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub start: u32,
    pub end: u32,
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    /// The world: nothing that is written there comes back. Of a whole scalar it is known what is written.
    World {
        address: Range,
        written: Option<TypeId>,
    },
    /// A variable that stands for a device: what is written to it is seen.
    Device {
        address: Range,
        scalar: Scalar,
        ty: TypeId,
    },
    Slot(u32),
    Memory {
        address: Range,
        scalar: Scalar,
    },
    Bits {
        address: Range,
        integer: Integer,
        shift: u8,
        width: u8,
    },
    /// A structure or union.
    Bytes {
        address: Range,
    },
}

/// An argument of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Argument {
    /// The value, or the address of a structure.
    pub value: Range,
    pub scalar: Scalar,
    pub ty: TypeId,
    /// The size of a structure; 0 for a scalar.
    pub size: u64,
}

/// A stored part of an initialised object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub offset: u64,
    pub value: Range,
    pub scalar: Scalar,
    pub bits: Option<(Integer, u8, u8)>,
    /// The size of a structure; 0 for a scalar.
    pub size: u64,
}

/// What an edge does.
#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Skip,
    Assign {
        value: Range,
        target: Target,
    },
    /// Copies a structure; the value is its address.
    Copy {
        value: Range,
        target: Range,
        size: u64,
        ty: TypeId,
    },
    Initialise {
        place: Location,
        size: u64,
        items: Vec<Item>,
    },
    Call {
        callee: Called,
        arguments: Vec<Argument>,
        result: Option<(Target, TypeId)>,
    },
    Return {
        value: Option<Argument>,
    },
    Assert(Range),
    Restrict(Range),
}

/// What is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Called {
    Function(FunctionId),
    Pointer(Range, TypeId),
}

/// Where a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Location {
    /// A register of its function's frame.
    Slot(u32),
    /// A memory object of its function's frame.
    Frame(u32),
    /// A static object.
    Static(u32),
}

/// What happens at a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum AtNode {
    End,
    One(EdgeId),
    Branch { condition: Range, scalar: Scalar, yes: EdgeId, no: EdgeId },
}

/// A function that can be entered.
#[derive(Clone, Debug)]
pub(super) struct Entered {
    pub entry: NodeId,
    pub slots: u32,
    /// The variable of each slot.
    pub slot_variables: Vec<VariableId>,
    /// Memory objects: their variables and sizes.
    pub objects: Vec<(VariableId, u64)>,
    /// Where the parameters go.
    pub parameters: Vec<Location>,
    pub result: Option<Scalar>,
    pub is_main: bool,
}

/// A static object before the run.
#[derive(Clone, Debug)]
pub(super) struct StaticObject {
    pub variable: VariableId,
    pub size: u64,
    /// Whether it starts with a value; otherwise it is an input.
    pub known: bool,
    pub constant: bool,
    pub items: Vec<Item>,
}

/// A program ready to run.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub ops: Vec<Op>,
    pub constants: Vec<i128>,
    pub instructions: Vec<Instruction>,
    pub targets: Vec<NodeId>,
    /// Whether an edge lets variables be born.
    pub births: Vec<Vec<Location>>,
    pub nodes: Vec<AtNode>,
    pub functions: Vec<Option<Entered>>,
    pub models: Vec<Option<Model>>,
    /// Whether some call uses what a function returns.
    pub results_used: Vec<bool>,
    pub statics: Vec<StaticObject>,
    pub places: Vec<Location>,
    /// The variables that stand for devices.
    pub devices: BTreeSet<VariableId>,
    /// Whether there are devices, or memory at fixed addresses.
    pub has_devices: bool,
}
