//! The definitions of the thesis as recursive functions, for small formulas and traces: slow, and independent of the monitor.

use std::cell::RefCell;
use std::collections::HashMap;

use ltl::verdict::Divergence;
use omega::{Binary, Formula, Formulas, Node, Unary};

/// A formula over the thesis's primitives: propositions, `!`, `|`, `X`, `F`, `U`, and truth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tree {
    True,
    Atom(u8),
    Not(Box<Tree>),
    Or(Box<Tree>, Box<Tree>),
    Next(Box<Tree>),
    Finally(Box<Tree>),
    Until(Box<Tree>, Box<Tree>),
}

use Tree::{Atom, Finally, Next, Not, Or, True, Until};

fn not(tree: Tree) -> Tree {
    match tree {
        Not(inner) => *inner,
        other => Not(Box::new(other)),
    }
}

fn or(left: Tree, right: Tree) -> Tree {
    Or(Box::new(left), Box::new(right))
}

fn and(left: Tree, right: Tree) -> Tree {
    not(or(not(left), not(right)))
}

impl Tree {
    /// A formula in primitives; `a`, `b`, `c` are bits 0, 1, 2 of a letter.
    pub(crate) fn of(formulas: &Formulas, formula: Formula) -> Tree {
        let tree = |formula| Tree::of(formulas, formula);
        match formulas.node(formula) {
            Node::Constant(true) => True,
            Node::Constant(false) => not(True),
            Node::Atom(atom) => Atom(formulas.atom_name(atom).as_bytes()[0] - b'a'),
            Node::Unary(operator, argument) => match operator {
                Unary::Not => not(tree(argument)),
                Unary::Next => Next(Box::new(tree(argument))),
                Unary::Finally => Finally(Box::new(tree(argument))),
                Unary::Globally => not(Finally(Box::new(not(tree(argument))))),
            },
            Node::Binary(operator, left, right) => {
                let (left, right) = (tree(left), tree(right));
                let until = |left: Tree, right: Tree| Until(Box::new(left), Box::new(right));
                let implies = |left: Tree, right: Tree| or(not(left), right);
                let iff = |left: Tree, right: Tree| and(implies(left.clone(), right.clone()), implies(right, left));
                match operator {
                    Binary::And => and(left, right),
                    Binary::Or => or(left, right),
                    Binary::Implies => implies(left, right),
                    Binary::Iff => iff(left, right),
                    Binary::Xor => not(iff(left, right)),
                    Binary::Until => until(left, right),
                    Binary::Release => not(until(not(left), not(right))),
                    Binary::WeakUntil => or(until(left.clone(), right), not(Finally(Box::new(not(left))))),
                    Binary::StrongRelease => until(right.clone(), and(left, right)),
                }
            }
        }
    }
}

const INFINITE: u32 = 1_000_000;
const NEVER: u32 = 1_000_001;

type Table<T> = RefCell<HashMap<(Tree, usize), T>>;

/// The semantics on one trace.
pub(crate) struct Reference {
    trace: Vec<u8>,
    divergences: Vec<Divergence>,
    pairs: Table<(u32, u32)>,
    ranks: Table<i8>,
}

impl Reference {
    pub(crate) fn new(_tree: &Tree, trace: &[u8]) -> Reference {
        Reference {
            trace: trace.to_vec(),
            divergences: Vec::new(),
            pairs: RefCell::default(),
            ranks: RefCell::default(),
        }
    }

    /// The same with the rules as they are printed, or X one by one.
    pub(crate) fn diverging(trace: &[u8], divergences: &[Divergence]) -> Reference {
        Reference { divergences: divergences.to_vec(), ..Reference::new(&True, trace) }
    }

    /// The pair as text.
    pub(crate) fn pair(&self, tree: &Tree, position: usize) -> String {
        let show = |count| match count {
            INFINITE => "∞".to_owned(),
            NEVER => "-".to_owned(),
            number => number.to_string(),
        };
        let (satisfied, violated) = self.d(tree, position);
        format!("({},{})", show(satisfied), show(violated))
    }

    /// d, definition 14.
    pub(crate) fn d(&self, tree: &Tree, position: usize) -> (u32, u32) {
        let position = position.min(self.trace.len() + 1);
        if let Some(known) = self.pairs.borrow().get(&(tree.clone(), position)) {
            return *known;
        }
        let inside = position <= self.trace.len();
        let later = |(s, f): (u32, u32)| {
            let add = |count: u32| if count < INFINITE { count + 1 } else { count };
            (add(s), add(f))
        };
        let join = |left: (u32, u32), right: (u32, u32)| (left.0.min(right.0), left.1.max(right.1));
        let meet = |left: (u32, u32), right: (u32, u32)| (left.0.max(right.0), left.1.min(right.1));
        let next = || if inside { later(self.d(tree, position + 1)) } else { (NEVER, INFINITE) };
        let pair = match tree {
            True => (0, NEVER),
            Atom(_) if !inside => (0, 0),
            Atom(bit) if self.trace[position - 1] >> bit & 1 == 1 => (0, NEVER),
            Atom(_) => (NEVER, 0),
            Not(argument) => {
                let (s, f) = self.d(argument, position);
                (f, s)
            }
            Or(left, right) => join(self.d(left, position), self.d(right, position)),
            Next(argument) => later(self.d(argument, position + 1)),
            Finally(argument) => join(self.d(argument, position), next()),
            Until(left, right) => join(self.d(right, position), meet(self.d(left, position), next())),
        };
        self.pairs.borrow_mut().insert((tree.clone(), position), pair);
        pair
    }

    /// The prediction of satisfaction, definition 18: 1, 0 or −1.
    fn prediction(&self, tree: &Tree, position: usize) -> i8 {
        let earlier = (1..position.min(self.trace.len() + 1)).map(|earlier| self.d(tree, earlier));
        let witnesses = earlier.filter(|(_, violated)| *violated == NEVER).map(|(satisfied, _)| satisfied);
        match witnesses.max() {
            None => 0,
            Some(longest) if self.d(tree, position).0 <= longest => 1,
            Some(_) => -1,
        }
    }

    /// e, definition 19, from −2 to 2.
    pub(crate) fn rank(&self, tree: &Tree, position: usize) -> i8 {
        let position = position.min(self.trace.len() + 1);
        if let Some(known) = self.ranks.borrow().get(&(tree.clone(), position)) {
            return *known;
        }
        let negated = not(tree.clone());
        let rank = match self.d(tree, position) {
            (_, NEVER) => 2,
            (NEVER, _) => -2,
            (INFINITE, INFINITE) => self.r(tree, position),
            (INFINITE, _) => match self.prediction(&negated, position) {
                0 => self.r(tree, position),
                prediction => -prediction,
            },
            (_, INFINITE) => match self.prediction(tree, position) {
                0 => self.r(tree, position),
                prediction => prediction,
            },
            (_, _) => match self.prediction(tree, position).cmp(&self.prediction(&negated, position)) {
                std::cmp::Ordering::Greater => 1,
                std::cmp::Ordering::Less => -1,
                std::cmp::Ordering::Equal => self.r(tree, position),
            },
        };
        self.ranks.borrow_mut().insert((tree.clone(), position), rank);
        rank
    }

    fn r(&self, tree: &Tree, position: usize) -> i8 {
        let inside = position <= self.trace.len();
        match tree {
            True => 2,
            Atom(_) => 0,
            Not(argument) => -self.rank(argument, position),
            Or(left, right) => self.rank(left, position).max(self.rank(right, position)),
            Next(argument) if self.divergences.contains(&Divergence::StepwiseNext) => self.rank(argument, position + 1),
            Next(argument) => {
                let (mut inner, mut count) = (argument, 1);
                while let Next(argument) = &**inner {
                    (inner, count) = (argument, count + 1);
                }
                self.rank(inner, position + count)
            }
            Finally(argument) if inside => self.rank(argument, position).max(self.rank(tree, position + 1)),
            Finally(argument) => self.rank(argument, position),
            Until(left, right) if inside => {
                let next = Next(Box::new(tree.clone()));
                let printed = self.divergences.contains(&Divergence::PrintedUntil);
                let left = if printed { right } else { left };
                self.rank(right, position).max(self.rank(left, position).min(self.rank(&next, position)))
            }
            Until(_, right) => self.rank(right, position),
        }
    }

    /// μ: 1, 0 or −1.
    pub(crate) fn mu(&self, tree: &Tree, position: usize) -> i8 {
        let inside = position <= self.trace.len();
        match tree {
            True => 1,
            Atom(_) if !inside => 0,
            Atom(bit) => {
                if self.trace[position - 1] >> bit & 1 == 1 {
                    1
                } else {
                    -1
                }
            }
            Not(argument) => -self.mu(argument, position),
            Or(left, right) => self.mu(left, position).max(self.mu(right, position)),
            Next(argument) => self.mu(argument, position + 1),
            Finally(argument) if inside => self.mu(argument, position).max(self.mu(tree, position + 1)),
            Finally(argument) => self.mu(argument, position),
            Until(left, right) if inside => {
                self.mu(right, position).max(self.mu(left, position).min(self.mu(tree, position + 1)))
            }
            Until(_, right) => self.mu(right, position),
        }
    }

    /// FLTL on a trace that is not empty.
    pub(crate) fn finite(&self, tree: &Tree, position: usize, weak_next: bool) -> bool {
        let value = |tree: &Tree, position: usize| self.finite(tree, position, weak_next);
        let mut rest = position..=self.trace.len();
        match tree {
            True => true,
            Atom(bit) => self.trace[position - 1] >> bit & 1 == 1,
            Not(argument) => !value(argument, position),
            Or(left, right) => value(left, position) || value(right, position),
            Next(argument) => {
                if position < self.trace.len() {
                    value(argument, position + 1)
                } else {
                    weak_next
                }
            }
            Finally(argument) => rest.any(|later| value(argument, later)),
            Until(left, right) => {
                rest.any(|later| value(right, later) && (position..later).all(|before| value(left, before)))
            }
        }
    }

    /// The weak and the strong view of Eisner and others: negation changes the view.
    pub(crate) fn view(&self, tree: &Tree, position: usize, strong: bool) -> bool {
        let value = |tree: &Tree, position: usize| self.view(tree, position, strong);
        let end = self.trace.len() + 1;
        match tree {
            True => true,
            Not(argument) => !self.view(argument, position, !strong),
            Atom(_) if end <= position => !strong,
            Atom(bit) => self.trace[position - 1] >> bit & 1 == 1,
            Or(left, right) => value(left, position) || value(right, position),
            Next(argument) => value(argument, (position + 1).min(end)),
            Finally(argument) => (position..=end).any(|later| value(argument, later)),
            Until(left, right) => {
                (position..=end).any(|later| value(right, later) && (position..later).all(|before| value(left, before)))
            }
        }
    }
}
