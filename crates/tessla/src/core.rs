//! The flat core: what a specification is once macros, closures, modules and implicit lifting are gone.
//!
//! A [`Spec`] is a list of stream equations over few operators, and a list of value functions that `Lift` and
//! `SignalLift` apply. Every stream and every node of a function has its type and its [`Origin`]: the expression in the text and
//! the calls through which it was reached, so two instances of one macro are told apart.
//!
//! What holds of every `Spec`, so that later phases need not look:
//! - every cycle of equations passes through the `value` of a `Last` or the `delays` of a `Delay`; [`Spec::order`] lists the
//!   streams so that each comes after what it needs at the same time;
//! - nodes of a function stand after their operands;
//! - element types, parameter types and node types are value types: no `Events`, no functions, no type variables.

use std::collections::BTreeMap;

use crate::files::Files;
use crate::operator::Operator;
use crate::place::{FileId, Origin, PathId, Step};
use crate::types::Type;
use crate::value::Value;

/// A stream, by its position in [`Spec::streams`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u32);

/// A value function, by its position in [`Spec::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A node of a value function, by its position in [`Function::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An expanded specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The texts the places refer to.
    pub files: Files,
    /// The equations.
    pub streams: Vec<Stream>,
    /// The inputs, in order of declaration, used or not.
    pub inputs: Vec<StreamId>,
    /// What is printed, in order of declaration.
    pub outputs: Vec<Output>,
    /// The value functions.
    pub functions: Vec<Function>,
    /// The streams in an order in which they can be computed at one time. The `value` of a `Last` and both arguments of a
    /// `Delay` may come later: only their past counts.
    pub order: Vec<StreamId>,
    /// The tree of calls; the first entry is the root and means nothing.
    pub steps: Vec<Step>,
    /// The streams that calls give which stand in the user's text, in the order in which they were expanded.
    pub results: Vec<CallResult>,
    /// The comments `# assert QUANTOR EXPRESSION` of the specification.
    pub assertions: Vec<Assertion>,
}

/// The stream that a call gives.
#[derive(Clone, Copy, Debug)]
pub struct CallResult {
    /// The stream.
    pub stream: StreamId,
    /// The call.
    pub call: Origin,
}

/// A stream and its equation.
#[derive(Clone, Debug)]
pub struct Stream {
    /// The equation.
    pub definition: Definition,
    /// The type of the values of its events.
    pub element: Type,
    /// The name of the definition or input it was made for, where it has one.
    pub name: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
}

/// The right side of an equation. `s(t)` is the value of the event of `s` at time `t`, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Definition {
    /// Given from outside: the position in [`Spec::inputs`].
    Input(u32),
    /// No event, ever.
    Nil,
    /// One event `()` at time 0.
    Unit,
    /// The time of each event.
    Time(StreamId),
    /// At each event of the trigger: the value of the latest event of `value` strictly before, if there is one.
    Last {
        /// Whose past values are shown.
        value: StreamId,
        /// When they are shown.
        trigger: StreamId,
    },
    /// One timer. At each event of `resets` and whenever it fires, the timer is set to now plus the value of `delays` if that has an
    /// event now, and switched off otherwise. An event `()` when the timer runs out.
    Delay {
        /// How long to wait, positive.
        delays: StreamId,
        /// What sets or switches off the timer.
        resets: StreamId,
    },
    /// The value of the first of the streams that has an event.
    Merge(Vec<StreamId>),
    /// When any argument has an event: the function of all arguments as options. An event where the result is `Some`.
    Lift {
        /// The streams.
        arguments: Vec<StreamId>,
        /// Takes `Option`s of the element types, gives an `Option`.
        function: FunctionId,
    },
    /// When any argument has an event and every argument has had one, now or before: the function of their latest values.
    SignalLift {
        /// The streams.
        arguments: Vec<StreamId>,
        /// Takes the element types, gives the element type.
        function: FunctionId,
    },
    /// The events of `value`, and the first event of `default` if it comes before every event of `value`.
    DefaultFrom {
        /// The stream.
        value: StreamId,
        /// Where its first event may come from.
        default: StreamId,
    },
}

/// Something to be printed.
#[derive(Clone, Debug)]
pub struct Output {
    /// The stream.
    pub stream: StreamId,
    /// Its name in the output; none for `print`, whose lines are the values alone.
    pub name: Option<String>,
    /// Where it is declared.
    pub origin: Origin,
}

/// A value function: a graph of nodes, operands first.
#[derive(Clone, Debug)]
pub struct Function {
    /// The types of the parameters.
    pub parameters: Vec<Type>,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The node that is the result.
    pub root: NodeId,
    /// The name of the definition, where it has one.
    pub name: Option<String>,
    /// Whether it calls itself, directly or through others. Such a function appears only in [`NodeKind::Call`].
    pub recursive: bool,
}

/// A node of a value function.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it computes.
    pub kind: NodeKind,
    /// The type of the result.
    pub sort: Type,
    /// Where it comes from.
    pub origin: Origin,
}

/// What a node computes. Branches of `If` and right operands of `And` and `Or` are evaluated on demand only.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// A value.
    Constant(Value),
    /// A parameter, by position.
    Parameter(u32),
    /// A decision.
    If {
        /// The condition.
        condition: NodeId,
        /// The result when it is true.
        then: NodeId,
        /// The result when it is false.
        otherwise: NodeId,
    },
    /// Both; the right operand only when the left is true.
    And(NodeId, NodeId),
    /// One or the other; the right operand only when the left is false.
    Or(NodeId, NodeId),
    /// A strict built-in operator.
    Apply(Operator, Vec<NodeId>),
    /// An object or tuple: the members in the order of the node's type, which is a closed object type.
    Object(Vec<NodeId>),
    /// A member of an object.
    Member(NodeId, String),
    /// A call of a function that could not be inlined because it is recursive.
    Call(FunctionId, Vec<NodeId>),
    /// A fold over a list, set or map: `function(accumulator, [key,] element, captures…)`.
    Fold {
        /// The list, set or map.
        collection: NodeId,
        /// The first accumulator.
        start: NodeId,
        /// What is applied.
        function: FunctionId,
        /// Further arguments of every application.
        captures: Vec<NodeId>,
    },
}

/// A constraint on generated tests, from a comment.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What is claimed of the stream.
    pub quantor: Quantor,
    /// The stream; its elements are Boolean for `Exists` and `All`.
    pub stream: StreamId,
    /// Where the comment stands.
    pub origin: Origin,
}

/// How an assertion speaks about a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantor {
    /// At least one event.
    Some,
    /// No event.
    Empty,
    /// At least one event with value true.
    Exists,
    /// No event with value false.
    All,
}

impl Spec {
    /// The stream with this id.
    pub fn stream(&self, id: StreamId) -> &Stream {
        &self.streams[id.0 as usize]
    }

    /// The function with this id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The streams as `(id, stream)`.
    pub fn streams(&self) -> impl Iterator<Item = (StreamId, &Stream)> {
        self.streams.iter().enumerate().map(|(index, stream)| (StreamId(index as u32), stream))
    }

    /// The input streams by name.
    pub fn input_names(&self) -> BTreeMap<&str, StreamId> {
        let name = |&id: &StreamId| (self.stream(id).name.as_deref().expect("inputs have names"), id);
        self.inputs.iter().map(name).collect()
    }

    /// Whether something stands in the user's files, not in the standard library.
    pub fn is_user(&self, origin: Origin) -> bool {
        !self.files.is_library(origin.place.file)
    }

    /// The calls that lead to an instance, outermost first.
    pub fn path(&self, origin: Origin) -> Vec<&Step> {
        let mut steps = Vec::new();
        let mut at = origin.path;
        while at != PathId::ROOT {
            let step = &self.steps[at.0 as usize];
            steps.push(step);
            at = step.parent;
        }
        steps.reverse();
        steps
    }

    /// The main file.
    pub fn main_file(&self) -> FileId {
        self.files.main()
    }
}

impl Definition {
    /// The streams whose events at the same time are needed.
    pub fn strict_dependencies(&self) -> Vec<StreamId> {
        match self {
            Definition::Input(_) | Definition::Nil | Definition::Unit | Definition::Delay { .. } => Vec::new(),
            Definition::Time(stream) => vec![*stream],
            Definition::Last { trigger, .. } => vec![*trigger],
            Definition::Merge(streams) => streams.clone(),
            Definition::Lift { arguments, .. } | Definition::SignalLift { arguments, .. } => arguments.clone(),
            Definition::DefaultFrom { value, default } => vec![*value, *default],
        }
    }

    /// All streams it mentions.
    pub fn dependencies(&self) -> Vec<StreamId> {
        match self {
            Definition::Last { value, trigger } => vec![*value, *trigger],
            Definition::Delay { delays, resets } => vec![*delays, *resets],
            Definition::Input(_)
            | Definition::Nil
            | Definition::Unit
            | Definition::Time(_)
            | Definition::Merge(_)
            | Definition::Lift { .. }
            | Definition::SignalLift { .. }
            | Definition::DefaultFrom { .. } => self.strict_dependencies(),
        }
    }
}

impl Function {
    /// The node with this id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The type of the result.
    pub fn result(&self) -> &Type {
        &self.node(self.root).sort
    }
}

impl NodeKind {
    /// The operands.
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            NodeKind::Constant(_) | NodeKind::Parameter(_) => Vec::new(),
            NodeKind::If { condition, then, otherwise } => vec![*condition, *then, *otherwise],
            NodeKind::And(left, right) | NodeKind::Or(left, right) => vec![*left, *right],
            NodeKind::Apply(_, operands) | NodeKind::Object(operands) | NodeKind::Call(_, operands) => operands.clone(),
            NodeKind::Member(object, _) => vec![*object],
            NodeKind::Fold { collection, start, captures, .. } => {
                let mut operands = vec![*collection, *start];
                operands.extend(captures);
                operands
            }
        }
    }
}
