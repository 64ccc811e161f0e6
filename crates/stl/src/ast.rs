//! The syntax tree: names unresolved, a place on every node, children before their parents.

use source::Span;
use value::RBig;

use crate::store::Relation;

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Ast {
    /// What stands before the formula, in order.
    pub items: Vec<Item>,
    /// All expressions; the operands of one stand before it.
    pub exprs: Vec<Expr>,
    /// The formula.
    pub formula: Option<ExprId>,
    /// Chains that other tools read differently.
    pub mixed: Vec<Span>,
    /// Implications whose left side begins with a temporal operator without brackets: the operator with its window, and the whole.
    pub narrow: Vec<(Span, Span)>,
}

/// The place of an expression in [`Ast::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// Something before the formula.
#[derive(Clone, Debug)]
pub struct Item {
    /// The name, for parameters and definitions.
    pub name: Span,
    /// What it is.
    pub kind: ItemKind,
}

/// The kinds of items.
#[derive(Clone, Debug)]
pub enum ItemKind {
    /// `title "…";`
    Title(String),
    /// `requirement "…";`
    Requirement(String),
    /// `unit ms;`
    Unit,
    /// `step x, y;`: the places of the names
    Steps(Vec<Span>),
    /// `enum mode = {off, on};`: the places of the values
    Enumeration(Vec<Span>),
    /// `param T = 30;`
    Parameter(Sum),
    /// `let fast = v > 100;`
    Definition(ExprId),
}

/// An expression with its place.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true` or `false`.
    Constant(bool),
    /// A Boolean signal or a definition.
    Name,
    /// A comparison of two sums.
    Compare(Sum, Relation, Sum),
    /// A prefix operator.
    Prefix(Prefix, ExprId),
    /// An infix operator.
    Infix(Infix, ExprId, ExprId),
}

/// Prefix operators.
#[derive(Clone, Debug)]
pub enum Prefix {
    /// `!`
    Not,
    /// `N[a]`
    Next(Sum),
    /// `F[a,b]`
    Finally(Bounds),
    /// `G[a,b]`
    Globally(Bounds),
    /// `O[a,b]`
    Once(Bounds),
    /// `H[a,b]`
    Historically(Bounds),
    /// `prev[a]`: so long ago.
    Previous(Sum),
    /// `rise[a]`: now, but not so long ago.
    Rise(Sum),
    /// `fall[a]`: so long ago, but not now.
    Fall(Sum),
}

/// Infix operators.
#[derive(Clone, Debug)]
pub enum Infix {
    /// `&`
    And,
    /// `|`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `xor`
    Xor,
    /// `U[a,b]`
    Until(Bounds),
    /// `R[a,b]`
    Release(Bounds),
    /// `S[a,b]`
    Since(Bounds),
}

/// A window as written: none means unbounded.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The lower bound and, unless it is infinite, the upper one.
    pub bounds: Option<(Sum, Option<Sum>)>,
    /// Where it stands.
    pub span: Span,
}

/// A sum of products.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    /// The products.
    pub products: Vec<Product>,
    /// Where it stands.
    pub span: Span,
}

/// A product of factors.
#[derive(Clone, Debug)]
pub struct Product {
    /// Whether it is subtracted.
    pub negative: bool,
    /// The factors.
    pub factors: Vec<Factor>,
}

/// A factor.
#[derive(Clone, Debug)]
pub struct Factor {
    /// A number; a signal or parameter if none.
    pub number: Option<RBig>,
    /// Whether it divides.
    pub divides: bool,
    /// Where it stands.
    pub span: Span,
}

impl Sum {
    /// The place of the name this sum consists of, if it is nothing else.
    pub fn as_name(&self) -> Option<Span> {
        match self.products.as_slice() {
            [Product { negative: false, factors }] => match factors.as_slice() {
                [Factor { number: None, divides: false, span }] => Some(*span),
                _ => None,
            },
            _ => None,
        }
    }
}
