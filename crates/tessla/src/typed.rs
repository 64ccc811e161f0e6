//! The checked tree: names resolved to variables, implicit conversions and lifting written out, a type on every node.

use std::rc::Rc;
use std::sync::Arc;

use crate::operator::Operator;
use crate::place::Place;
use crate::types::{Type, TypeParameter};
use crate::value::Value;

/// A definition, parameter, input or module, by its position in [`Checked::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct VariableId(pub(crate) u32);

/// What a variable lives in: the top level, a block, or a function with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct OwnerId(pub(crate) u32);

impl OwnerId {
    pub(crate) const TOP: OwnerId = OwnerId(0);
}

/// A checked specification.
pub(crate) struct Checked {
    pub(crate) variables: Vec<Variable>,
    /// What inference found for each unknown type.
    pub(crate) metas: Vec<Option<Type>>,
    /// The definitions of the user's files at the top level and in modules.
    pub(crate) definitions: Vec<VariableId>,
    pub(crate) inputs: Vec<VariableId>,
    pub(crate) outputs: Vec<CheckedOutput>,
    pub(crate) assertions: Vec<(crate::core::Quantor, Rc<Typed>, Place)>,
}

pub(crate) struct CheckedOutput {
    /// None for `print`.
    pub(crate) name: Option<String>,
    /// A stream.
    pub(crate) value: Rc<Typed>,
    pub(crate) place: Place,
}

pub(crate) struct Variable {
    pub(crate) name: Arc<str>,
    pub(crate) owner: OwnerId,
    pub(crate) kind: VariableKind,
}

pub(crate) enum VariableKind {
    /// An input stream with the type of its elements.
    Input(Type, Place),
    /// A parameter with its type.
    Parameter(Type),
    Module,
    Definition(Option<Rc<CheckedDefinition>>),
}

/// A checked definition.
pub(crate) struct CheckedDefinition {
    pub(crate) generics: Vec<TypeParameter>,
    /// The parameters of a function, with their types.
    pub(crate) parameters: Option<Vec<(VariableId, Type)>>,
    /// The owner of the parameters.
    pub(crate) owner: OwnerId,
    pub(crate) result: Type,
    pub(crate) body: CheckedBody,
}

pub(crate) enum CheckedBody {
    Expression(Rc<Typed>),
    Extern(Arc<str>, Place),
}

/// A checked expression.
pub(crate) struct Typed {
    pub(crate) kind: Kind,
    pub(crate) of: Type,
    pub(crate) place: Place,
}

pub(crate) enum Kind {
    Constant(Value),
    /// A variable, with the types of a generic definition that is not a function.
    Variable(VariableId, Vec<Type>),
    Call {
        function: Rc<Typed>,
        /// The types of the function's type parameters.
        generics: Vec<Type>,
        arguments: Vec<Rc<Typed>>,
        /// Which arguments are streams in place of values; empty for an ordinary call.
        lifted: Vec<bool>,
    },
    Operator {
        operator: Operator,
        arguments: Vec<Rc<Typed>>,
        lifted: Vec<bool>,
    },
    /// A conditional or connective.
    Choice {
        choice: Choice,
        arguments: Vec<Rc<Typed>>,
        lifted: Vec<bool>,
    },
    Lambda {
        owner: OwnerId,
        parameters: Vec<(VariableId, Type)>,
        body: Rc<Typed>,
    },
    Block {
        owner: OwnerId,
        body: Rc<Typed>,
    },
    Object(Vec<(Arc<str>, Rc<Typed>)>),
    Member(Rc<Typed>, Arc<str>),
    /// An expression, converted.
    Convert(Rc<Typed>, Conversion),
    /// What was rejected.
    Wrong,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Choice {
    If,
    And,
    Or,
}

/// How an expression is made to fit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Conversion {
    /// As it is.
    Keep,
    /// A value to a stream with one event at time 0.
    ToStream,
    /// A liftable function to one on streams.
    Lift,
    /// Member by member.
    Members(Vec<(Arc<str>, Conversion)>),
}

impl Conversion {
    pub(crate) fn is_keep(&self) -> bool {
        match self {
            Conversion::Keep => true,
            Conversion::ToStream | Conversion::Lift => false,
            Conversion::Members(members) => members.iter().all(|(_, conversion)| conversion.is_keep()),
        }
    }
}
