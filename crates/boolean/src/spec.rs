//! The checked form of a specification: typed, resolved, desugared. Later phases cannot fail on it.

use std::collections::BTreeSet;

use formula::Formula;
use source::Span;
use value::{IBig, Sort, Value};

use crate::Operator;

/// A checked specification.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The input variables, in order of declaration.
    pub variables: Vec<Variable>,
    /// Every expression, arguments before the expressions that use them, equal expressions shared.
    pub exprs: Vec<Expr>,
    /// The decisions, at least one.
    pub decisions: Vec<Decision>,
    /// What may be assumed of the inputs.
    pub assumptions: Vec<Assumption>,
}

/// The number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// The position of an expression in [`Spec::exprs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An input variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
    /// The declared range of an integer, both ends included; it is also among the assumptions.
    pub range: Option<(IBig, IBig)>,
    /// Its declaration.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expr {
    /// What it does.
    pub kind: ExprKind,
    /// The sort of its value.
    pub sort: Sort,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// The value of a variable.
    Variable(VariableId),
    /// A literal.
    Literal(Value),
    /// An operator over earlier expressions; `indices` are its numerals, as in `(_ extract 7 0)`.
    Apply {
        /// The operator.
        operator: Operator,
        /// Its numerals, zeros where it has none.
        indices: [u32; 2],
        /// Its arguments.
        args: Vec<ExprId>,
    },
}

/// A decision.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Its name.
    pub name: String,
    /// The whole of it as an expression of sort Bool.
    pub expr: ExprId,
    /// Its Boolean structure; leaf `i` is `conditions[i]`.
    pub formula: Formula,
    /// Its conditions: occurrences, in the order of the text.
    pub conditions: Vec<Condition>,
    /// Where it stands.
    pub span: Span,
}

impl Decision {
    /// How many different atoms the conditions are.
    pub fn atom_count(&self) -> usize {
        self.conditions.iter().map(|condition| condition.atom).collect::<BTreeSet<_>>().len()
    }
}

/// A condition: an occurrence of a Boolean expression that contains no connective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The expression; two occurrences of one atom have the same.
    pub atom: ExprId,
    /// Its text, as it stands in the source.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Something that may be assumed of the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Its name, or its text where it has none.
    pub label: String,
    /// The expression, of sort Bool.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
}

impl Spec {
    /// The position of the decision that is meant where none is named: the last.
    pub fn default_decision(&self) -> usize {
        self.decisions.len() - 1
    }

    /// The position of the decision called `name`.
    pub fn decision_named(&self, name: &str) -> Option<usize> {
        self.decisions.iter().position(|decision| decision.name == name)
    }

    /// The expression at a position.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }
}
