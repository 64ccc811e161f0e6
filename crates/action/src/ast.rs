//! The syntax tree of a model, the same for both notations; names are unresolved.
//!
//! Lists of parts (sequences, choices, conjunctions) have at least two parts. Trees are at most [`NESTING`] deep: the
//! parsers see to it, and so everything that walks them may recurse.

use std::sync::Arc;

use source::Span;

use crate::patched::Patched;

/// The deepest nesting of parentheses, blocks and operators that is read.
pub const NESTING: usize = 200;

/// A place in the text. All places are equal, so that trees compare by what they say.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

impl Eq for At {}

/// A name with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

/// A model. Mutants share the parts that they do not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    /// How deep a search goes, where the model says so.
    pub depth: Option<u64>,
    /// The types, in order of declaration.
    pub types: Arc<Vec<TypeDeclaration>>,
    /// The state variables, in the order of the state vector.
    pub variables: Arc<Vec<VariableDeclaration>>,
    /// The labels of controllable actions.
    pub inputs: Arc<Vec<Name>>,
    /// The labels of internal actions.
    pub internals: Arc<Vec<Name>>,
    /// The actions, in order of definition.
    pub actions: Patched<Action>,
    /// What holds in every reachable state.
    pub invariants: Arc<Vec<Invariant>>,
    /// The do-od block; none only where an error was reported.
    pub body: Option<Arc<Loop>>,
}

/// A condition that holds in every reachable state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// The condition.
    pub condition: Expr,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: TypeKind,
}

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// The integers from `low` to `high`; the first ones may have names of their own.
    Interval {
        /// The lowest value.
        low: i64,
        /// The highest value.
        high: i64,
        /// Names for `low`, `low + 1`, …; empty or one for each value.
        labels: Vec<Name>,
    },
    /// Cells numbered from `low` to `high`.
    Array {
        /// The first index.
        low: i64,
        /// The last index.
        high: i64,
        /// The type of each cell, an interval.
        element: Name,
    },
}

/// A state variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: Name,
    /// Its value in the initial state.
    pub initial: Initial,
}

/// An initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Initial {
    /// A number; for an array, the value of every cell.
    Number(i64, At),
    /// A named value.
    Label(Name),
    /// The cells of an array.
    List(Vec<Initial>, At),
}

/// An action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its label.
    pub name: Name,
    /// Its formal parameters.
    pub parameters: Vec<Name>,
    /// When it can happen.
    pub guard: Expr,
    /// What it does.
    pub body: Stmt,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Nothing changes.
    Skip(At),
    /// A variable, or a cell of an array, gets a value.
    Assign {
        /// The variable.
        target: Name,
        /// The cell.
        index: Option<Expr>,
        /// The value.
        value: Expr,
    },
    /// Assignments that happen at once: all of them read the values before. Of two to the same cell the last one counts.
    Together(Vec<Stmt>),
    /// A local name for any value of a type.
    Any {
        /// The name.
        name: Name,
        /// The type, an interval.
        kind: Name,
        /// What is done with it.
        body: Box<Stmt>,
    },
    /// One after the other.
    Sequence(Vec<Stmt>),
    /// Any one of them.
    Choice(Vec<Stmt>),
    /// The first of them that can run to its end.
    Priority(Vec<Stmt>),
    /// Only if the guard holds.
    Guarded {
        /// The guard.
        guard: Expr,
        /// What it guards.
        body: Box<Stmt>,
    },
}

/// The do-od block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loop {
    /// One action happens.
    Call(Call),
    /// Several, as one atomic step.
    Sequence(Vec<Loop>),
    /// Any one of them.
    Choice(Vec<Loop>),
    /// The first of them that can run to its end.
    Priority(Vec<Loop>),
}

/// A call of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Variables that range over types.
    pub binders: Vec<(Name, Name)>,
    /// The action.
    pub action: Name,
    /// Its arguments.
    pub arguments: Vec<Argument>,
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A number.
    Number(i64, At),
    /// A binder, or a named value.
    Name(Name),
}

/// An expression, of numbers or of truth values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub at: At,
}

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// A number.
    Number(i64),
    /// A variable, a parameter or a named value.
    Name(String),
    /// A cell of an array.
    Element(Name, Box<Expr>),
    /// A number with the other sign.
    Negate(Box<Expr>),
    /// A number without its sign.
    Absolute(Box<Expr>),
    /// Arithmetic on two numbers.
    Arithmetic(ArithmeticOp, Box<Expr>, Box<Expr>),
    /// A truth value.
    Truth(bool),
    /// Negation.
    Not(Box<Expr>),
    /// A comparison of two numbers.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// A conjunction, a disjunction and so on: two parts for implications, two or more otherwise.
    Connect(Connective, Vec<Expr>),
}

macro_rules! operators {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $prolog:literal $native:literal $words:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $(#[doc = $words] $variant,)* }

        impl $name {
            /// Every operator.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// The sign in the Prolog notation.
            pub fn prolog(self) -> &'static str { match self { $($name::$variant => $prolog,)* } }

            /// The sign in the native notation.
            pub fn native(self) -> &'static str { match self { $($name::$variant => $native,)* } }
        }
    };
}

operators! {
    /// Arithmetic on two integers.
    ArithmeticOp {
        Add "+" "+" "Sum.";
        Subtract "-" "-" "Difference.";
        Multiply "*" "*" "Product.";
        Divide "/" "/" "Quotient; the remainder is never negative. Undefined for zero.";
        Modulo "mod" "mod" "The remainder of that quotient, never negative. Undefined for zero.";
        Minimum "min" "min" "The smaller one.";
        Maximum "max" "max" "The larger one.";
    }
}

operators! {
    /// A comparison of two integers.
    Comparison {
        Equal "#=" "=" "Equal.";
        Different "#\\=" "!=" "Different.";
        Less "#<" "<" "Less.";
        AtMost "#=<" "<=" "Less or equal.";
        Greater "#>" ">" "Greater.";
        AtLeast "#>=" ">=" "Greater or equal.";
    }
}

operators! {
    /// A connective.
    Connective {
        And "#/\\" "and" "Conjunction, from left to right up to the first false part.";
        Or "#\\/" "or" "Disjunction, from left to right up to the first true part.";
        Xor "#\\" "xor" "An odd number of parts.";
        Implies "#=>" "->" "The first implies the second.";
        ImpliedBy "#<=" "<-" "The second implies the first.";
        Iff "#<=>" "<->" "Both or neither.";
    }
}

impl Comparison {
    /// Whether it holds between two numbers.
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Different => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

impl Name {
    /// A name at a place.
    pub fn new(text: impl Into<String>, span: Span) -> Name {
        Name { text: text.into(), at: At(span) }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.at.0
    }
}

impl Expr {
    /// An expression at a place.
    pub fn new(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, at: At(span) }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        self.at.0
    }

    /// Whether it is `true`, which is what an action without a guard has.
    pub fn is_true(&self) -> bool {
        self.kind == ExprKind::Truth(true)
    }
}

impl Model {
    /// The action called `name`.
    pub fn action(&self, name: &str) -> Option<&Action> {
        self.actions.iter().find(|action| action.name.text == name).map(Arc::as_ref)
    }
}
