//! Expressions of lowered programs: typed, without side effects, every conversion explicit.
//!
//! Calls, assignments, `&&`, `||`, `?:` and `,` are control flow and never occur here. An operator's operands have the
//! type it computes in; comparisons give `int` 0 or 1. Children stand before their parents in the arena.

use crate::program::{FunctionId, VariableId};
use crate::types::{BitField, RecordId, TypeId};

/// An expression, among [`crate::Program::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A place, among [`crate::Program::places`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// An expression with its type, which is never qualified.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The type of its value: a scalar; a structure or union only for [`ExprKind::Load`]; `void` for nothing.
    pub ty: TypeId,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer constant within the range of its type (the bit pattern for 128 unsigned bits), or a pointer made from
    /// one: 0 is the null pointer.
    Integer(i128),
    /// A floating constant of type `float` or `double`, already rounded to its type.
    Float(f64),
    /// A constant of type `long double`: its 80 bits.
    Extended(u128),
    /// The value stored at a place. For a structure or union the whole of it, as the source of a copy.
    Load(PlaceId),
    /// The address of a place that is not a bit-field.
    Address(PlaceId),
    /// The address of a function.
    Function(FunctionId),
    /// An operator with one operand.
    Unary(UnaryOp, ExprId),
    /// An operator with two operands of one type; of a shift the second is an integer of any type.
    Binary(BinaryOp, ExprId, ExprId),
    /// `pointer + index` or, if negative, `pointer - index`, in elements of `stride` bytes.
    Offset {
        /// The pointer; the result has its type.
        pointer: ExprId,
        /// How many elements.
        index: ExprId,
        /// Bytes of an element.
        stride: u64,
        /// Whether the index is subtracted.
        negative: bool,
    },
    /// `left - right` of two pointers into one object, in elements of `stride` bytes; a `ptrdiff_t`.
    Difference {
        /// The pointer from which is subtracted.
        left: ExprId,
        /// The pointer that is subtracted.
        right: ExprId,
        /// Bytes of an element.
        stride: u64,
    },
    /// The operand converted to the type of this expression: between integers, floating types and pointers. To `_Bool`
    /// it asks whether the operand differs from zero.
    Convert(ExprId),
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`.
    Negate,
    /// `~x`.
    Complement,
}

/// An operator with two operands. Comparisons give an `int`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `&`.
    And,
    /// `|`.
    Or,
    /// `^`.
    Xor,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
}

impl BinaryOp {
    /// Whether it compares and so gives an `int`.
    pub fn compares(self) -> bool {
        use BinaryOp::*;
        match self {
            Equal | Unequal | Less | LessEqual | Greater | GreaterEqual => true,
            Add | Subtract | Multiply | Divide | Remainder | ShiftLeft | ShiftRight | And | Or | Xor => false,
        }
    }
}

/// Something that can be read, assigned and have its address taken: a base, and steps into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Where it starts.
    pub base: Base,
    /// The steps from there, outermost first.
    pub steps: Vec<Step>,
    /// The type of what is there, with its qualifiers.
    pub ty: TypeId,
    /// The bits, if it is a bit-field; then `ty` is the type of its storage unit.
    pub bits: Option<BitField>,
}

/// Where a place starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Base {
    /// A variable.
    Variable(VariableId),
    /// What a pointer points to.
    Pointer(ExprId),
}

/// A step into an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A member of a structure or union.
    Field {
        /// The structure or union.
        record: RecordId,
        /// Which member, counted in its layout.
        field: u32,
        /// Its first byte.
        offset: u64,
    },
    /// An element: of an array, or, as the first step behind a pointer, `index` elements away from where it points.
    Index {
        /// Which element, of an integer type.
        index: ExprId,
        /// Bytes of an element.
        stride: u64,
        /// The number of elements, if it is an array of known length.
        length: Option<u64>,
    },
}
