//! Where a formula stands in the hierarchy of Manna and Pnueli, as its syntax shows it: a formula may be equivalent to one of a
//! lower class.

use crate::formulas::{Binary, Formula, Formulas, Node, Unary};

/// The classes, each within those of its second column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A violation shows in a finite trace.
    Safety,
    /// Satisfaction shows in a finite trace; also called co-safety.
    Guarantee,
    /// A Boolean combination of both: every trace can be continued to one that decides.
    Obligation,
    /// Something happens again and again.
    Recurrence,
    /// Something holds from some step on.
    Persistence,
    /// A Boolean combination of these.
    Reactivity,
}

impl Class {
    /// The name in the literature.
    pub fn name(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::Guarantee => "guarantee",
            Class::Obligation => "obligation",
            Class::Recurrence => "recurrence",
            Class::Persistence => "persistence",
            Class::Reactivity => "reactivity",
        }
    }

    /// Whether every finite trace can be continued to one that decides a formula of this class.
    pub fn is_monitorable(self) -> bool {
        match self {
            Class::Safety | Class::Guarantee | Class::Obligation => true,
            Class::Recurrence | Class::Persistence | Class::Reactivity => false,
        }
    }
}

/// The classes a formula is in.
#[derive(Clone, Copy, Debug)]
struct Classes {
    safety: bool,
    guarantee: bool,
    obligation: bool,
    recurrence: bool,
    persistence: bool,
}

impl Classes {
    const ALL: Classes =
        Classes { safety: true, guarantee: true, obligation: true, recurrence: true, persistence: true };

    fn negated(self) -> Classes {
        Classes {
            safety: self.guarantee,
            guarantee: self.safety,
            obligation: self.obligation,
            recurrence: self.persistence,
            persistence: self.recurrence,
        }
    }

    fn both(self, other: Classes) -> Classes {
        Classes {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
            recurrence: self.recurrence && other.recurrence,
            persistence: self.persistence && other.persistence,
        }
    }

    /// `self U other`.
    fn until(self, other: Classes) -> Classes {
        Classes {
            safety: false,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.guarantee,
            recurrence: self.recurrence && other.guarantee,
            persistence: self.persistence && other.persistence,
        }
    }

    /// `self R other`, the dual.
    fn release(self, other: Classes) -> Classes {
        self.negated().until(other.negated()).negated()
    }

    /// With what the lower classes are in.
    fn closed(self) -> Classes {
        let obligation = self.obligation || self.safety || self.guarantee;
        Classes {
            obligation,
            recurrence: self.recurrence || obligation,
            persistence: self.persistence || obligation,
            ..self
        }
    }
}

impl Formulas {
    /// The lowest class that the syntax of a formula shows.
    pub fn class(&self, formula: Formula) -> Class {
        let parts = self.reachable([formula]);
        let mut classes: Vec<Classes> = Vec::with_capacity(parts.len());
        for &part in &parts {
            let of = |argument: Formula| {
                classes[parts.binary_search(&argument).expect("arguments come before what they are in")]
            };
            let found = match self.node(part) {
                Node::Constant(_) | Node::Atom(_) => Classes::ALL,
                Node::Unary(Unary::Not, argument) => of(argument).negated(),
                Node::Unary(Unary::Next, argument) => of(argument),
                Node::Unary(Unary::Finally, argument) => Classes::ALL.until(of(argument)),
                Node::Unary(Unary::Globally, argument) => Classes::ALL.release(of(argument)),
                Node::Binary(Binary::And | Binary::Or, left, right) => of(left).both(of(right)),
                Node::Binary(Binary::Implies, left, right) => of(left).negated().both(of(right)),
                Node::Binary(Binary::Iff | Binary::Xor, left, right) => {
                    let both = of(left).both(of(right));
                    both.both(both.negated())
                }
                Node::Binary(Binary::Until, left, right) => of(left).until(of(right)),
                Node::Binary(Binary::Release, left, right) => of(left).release(of(right)),
                Node::Binary(Binary::WeakUntil, left, right) => of(right).release(of(left).both(of(right))),
                Node::Binary(Binary::StrongRelease, left, right) => of(right).until(of(left).both(of(right))),
            };
            classes.push(found.closed());
        }
        let last = classes[classes.len() - 1];
        match last {
            Classes { safety: true, .. } => Class::Safety,
            Classes { guarantee: true, .. } => Class::Guarantee,
            Classes { obligation: true, .. } => Class::Obligation,
            Classes { recurrence: true, .. } => Class::Recurrence,
            Classes { persistence: true, .. } => Class::Persistence,
            _ => Class::Reactivity,
        }
    }

    /// Disjunctions of `F` under a `G`: the counting semantics looks at the shortest of their waits, which hides the others.
    pub fn hiding(&self, formula: Formula) -> Vec<Formula> {
        let eventually = |part: Formula| matches!(self.node(part), Node::Unary(Unary::Finally, _));
        let parts = self.reachable([formula]).into_iter();
        let under = parts.filter_map(|part| match self.node(part) {
            Node::Unary(Unary::Globally, argument) => Some((part, argument)),
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => None,
        });
        under
            .filter(|(_, argument)| match self.node(*argument) {
                Node::Binary(Binary::Or, left, right) => eventually(left) && eventually(right),
                Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => false,
            })
            .map(|(part, _)| part)
            .collect()
    }
}
