//! The syntax tree of a TLSF file: expressions in an arena, children before parents, names unresolved.

use source::Span;

use crate::spec::Target;

/// An expression in its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ExprId(pub(crate) u32);

/// An operator with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prefix {
    Not,
    Next,
    Finally,
    Globally,
    Size,
    SizeOf,
    Min,
    Max,
}

/// An operator with two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Infix {
    Times,
    Divide,
    Modulo,
    Plus,
    Minus,
    SetMinus,
    Cap,
    Cup,
    Equal,
    NotEqual,
    Greater,
    AtLeast,
    Less,
    AtMost,
    In,
    And,
    Or,
    Implies,
    Iff,
    WeakUntil,
    Until,
    Release,
    Matches,
    Colon,
}

/// An operator over all values of its binders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Big {
    And,
    Or,
    Sum,
    Product,
    Cup,
    Cap,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub(crate) enum Expr {
    Number(i64),
    Truth(bool),
    Wild,
    Otherwise,
    Name(String),
    Call(String, Vec<ExprId>),
    Index(String, ExprId),
    Set(Vec<ExprId>),
    /// `{first, second .. last}`
    Range(ExprId, ExprId, ExprId),
    Prefix(Prefix, ExprId),
    /// `X[n]`, `F[m:n]`, `G[m:n]`: operator, bounds, body.
    Repeat(Prefix, ExprId, ExprId),
    Big(Big, Vec<ExprId>, ExprId),
    Infix(Infix, ExprId, ExprId),
}

/// `name(parameters) = cases;`
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) parameters: Vec<String>,
    pub(crate) cases: Vec<ExprId>,
}

/// `enum name = value: pattern, pattern …`
#[derive(Clone, Debug)]
pub(crate) struct Enumeration {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) values: Vec<(String, Vec<String>)>,
}

/// A signal, a bus, or a bus of an enumeration.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) width: Option<ExprId>,
    pub(crate) enumeration: Option<(String, Span)>,
}

/// A section of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Initially,
    Preset,
    Require,
    Assert,
    Assume,
    Guarantee,
}

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Ast {
    pub(crate) exprs: Vec<(Expr, Span)>,
    pub(crate) semantics: Target,
    pub(crate) strict: bool,
    pub(crate) target: Target,
    pub(crate) parameters: Vec<Definition>,
    pub(crate) definitions: Vec<Definition>,
    pub(crate) enumerations: Vec<Enumeration>,
    pub(crate) inputs: Vec<Declaration>,
    pub(crate) outputs: Vec<Declaration>,
    pub(crate) sections: Vec<(Section, Vec<ExprId>)>,
}
