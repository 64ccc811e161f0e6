//! Queries as they are written: a tree in an arena, children before parents, a place for every node.

use source::Span;

use crate::graph::Kind;

/// A node of a query, among [`Query::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A query: `in scope cover … passing …`.
#[derive(Clone, Debug)]
pub struct Query {
    /// Patterns and filters.
    pub nodes: Vec<Node>,
    /// The filter behind `in`.
    pub scope: Option<ExprId>,
    /// What to cover.
    pub cover: Clause,
    /// What every run must look like.
    pub passing: Option<Clause>,
}

/// A pattern with its anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The pattern.
    pub pattern: ExprId,
    /// Whether `^` ties it to the start of a run.
    pub at_start: bool,
    /// Whether `$` ties it to the end of a run.
    pub at_end: bool,
}

/// A node and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Its place.
    pub span: Span,
}

/// What a node of a query is. The first group are patterns, the second filters; a filter is a pattern too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// `a + b`.
    Sum(ExprId, ExprId),
    /// `a . b`.
    Concat(ExprId, ExprId),
    /// `a -> b`.
    Arrow(ExprId, ExprId),
    /// `a*`.
    Star(ExprId),
    /// `a == k`, `a <= k`, `a >= k`.
    Repeat(ExprId, Bound),
    /// `"a"`.
    Quote(ExprId),
    /// `{x > 0}`, without the braces.
    Predicate(String),
    /// `NODES(t)`.
    Nodes(ExprId),
    /// `EDGES(t)`.
    Edges(ExprId),
    /// `PATHS(t, k)`.
    Paths(ExprId, u32),
    /// `@NAME(…)`.
    Filter(Filter),
    /// `ID`.
    Identity,
    /// `COMPOSE(a, b)`: `a` within what `b` finds.
    Compose(ExprId, ExprId),
    /// `a | b`.
    Union(ExprId, ExprId),
    /// `a & b`.
    Intersection(ExprId, ExprId),
    /// `SETMINUS(a, b)`.
    Minus(ExprId, ExprId),
    /// `NOT(a)`.
    Not(ExprId),
}

/// How often something is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    /// `== k`.
    Exactly(u32),
    /// `<= k`.
    AtMost(u32),
    /// `>= k`.
    AtLeast(u32),
}

/// A filter function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Filter {
    /// `@BASICBLOCKENTRY`.
    BasicBlockEntry,
    /// `@CONDITIONEDGE`.
    ConditionEdge,
    /// `@CONDITIONGRAPH`.
    ConditionGraph,
    /// `@DECISIONEDGE`.
    DecisionEdge,
    /// `@CALLS`: every call.
    Calls,
    /// `@FILE('name')`.
    File(String),
    /// `@LINE(n)` or `@n`.
    Line(u32),
    /// `@COLUMN(n)`.
    Column(u32),
    /// `@FUNC(f)`.
    Func(String),
    /// `@ENTRY(f)`.
    Entry(String),
    /// `@EXIT(f)`.
    Exit(String),
    /// `@CALL(f)`.
    Call(String),
    /// `@LABEL(l)`.
    Label(String),
    /// `@DEF(v)`.
    Def(String),
    /// `@USE(v)`.
    Use(String),
    /// `@STMTTYPE(kinds)`.
    StatementType(Vec<Kind>),
    /// `@EXPR('text')`: edges with this source text, white space aside.
    Expression(String),
    /// `@REGEXP('expression')`: edges in whose source text the regular expression occurs.
    Regexp(String),
    /// `@EDGE(n, …)`: edges by their numbers, as `specimen goals` shows them.
    Edge(Vec<u32>),
    /// `@NODE(n, …)`: nodes by their numbers, without edges.
    Node(Vec<u32>),
}

impl Query {
    /// A node.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// What a node is.
    pub fn kind(&self, id: ExprId) -> &NodeKind {
        &self.nodes[id.0 as usize].kind
    }

    /// Whether two queries are the same but for the places.
    pub fn same(&self, other: &Query) -> bool {
        let clause = |clause: Clause| (clause.at_start, clause.at_end);
        let kinds = |query: &Query| query.nodes.iter().map(|node| node.kind.clone()).collect::<Vec<_>>();
        self.scope == other.scope
            && clause(self.cover) == clause(other.cover)
            && self.passing.map(clause) == other.passing.map(clause)
            && kinds(self) == kinds(other)
    }
}

impl NodeKind {
    /// Whether it is a filter.
    pub fn is_filter(&self) -> bool {
        match self {
            NodeKind::Filter(_)
            | NodeKind::Identity
            | NodeKind::Compose(..)
            | NodeKind::Union(..)
            | NodeKind::Intersection(..)
            | NodeKind::Minus(..)
            | NodeKind::Not(_) => true,
            NodeKind::Sum(..)
            | NodeKind::Concat(..)
            | NodeKind::Arrow(..)
            | NodeKind::Star(_)
            | NodeKind::Repeat(..)
            | NodeKind::Quote(_)
            | NodeKind::Predicate(_)
            | NodeKind::Nodes(_)
            | NodeKind::Edges(_)
            | NodeKind::Paths(..) => false,
        }
    }
}
