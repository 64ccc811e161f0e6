//! Formulas of linear temporal logic: a hash-consed arena in which children stand before their parents.
//!
//! Every pass over formulas is a loop over [`Formulas::reachable`]; nothing recurses, so nesting has no limit.

use std::fmt;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A formula in its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

/// An atomic proposition: its number in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AtomId(pub u32);

/// An operator with one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: in the next step.
    Next,
    /// `F`: now or some time.
    Finally,
    /// `G`: now and always.
    Globally,
}

/// An operator with two arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binary {
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
    /// `U`: the right side some time, the left side until then.
    Until,
    /// `R`: the right side up to and including the first step with the left side, or always.
    Release,
    /// `W`: as `U`, or the left side always.
    WeakUntil,
    /// `M`: as `R`, and the left side some time.
    StrongRelease,
}

/// What a formula is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A truth constant.
    Constant(bool),
    /// An atomic proposition.
    Atom(AtomId),
    /// An operator with one argument.
    Unary(Unary, Formula),
    /// An operator with two arguments.
    Binary(Binary, Formula, Formula),
}

/// An arena of formulas over named atoms.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: IndexSet<Node, FxBuildHasher>,
    atoms: IndexMap<String, (), FxBuildHasher>,
}

impl Formula {
    /// The number of the formula in its arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Formulas {
    /// An empty arena.
    pub fn new() -> Formulas {
        Formulas::default()
    }

    /// The formula of a node; equal nodes are the same formula.
    pub fn add(&mut self, node: Node) -> Formula {
        let (index, _) = self.nodes.insert_full(node);
        Formula(u32::try_from(index).expect("fewer than 2^32 formulas"))
    }

    /// What a formula is made of.
    pub fn node(&self, formula: Formula) -> Node {
        self.nodes[formula.index()]
    }

    /// The number of formulas in the arena.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the arena holds no formula.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The atom of a name, new if need be.
    pub fn atom_id(&mut self, name: &str) -> AtomId {
        let index = match self.atoms.get_index_of(name) {
            Some(index) => index,
            None => self.atoms.insert_full(name.to_owned(), ()).0,
        };
        AtomId(u32::try_from(index).expect("fewer than 2^32 atoms"))
    }

    /// The atom of a name, if there is one.
    pub fn find_atom(&self, name: &str) -> Option<AtomId> {
        self.atoms.get_index_of(name).map(|index| AtomId(index as u32))
    }

    /// The name of an atom.
    pub fn atom_name(&self, atom: AtomId) -> &str {
        self.atoms.get_index(atom.0 as usize).expect("atoms come from this arena").0
    }

    /// The number of atoms.
    pub fn atom_count(&self) -> usize {
        self.atoms.len()
    }

    /// The proposition of a name.
    pub fn atom(&mut self, name: &str) -> Formula {
        let id = self.atom_id(name);
        self.add(Node::Atom(id))
    }

    /// A truth constant.
    pub fn constant(&mut self, value: bool) -> Formula {
        self.add(Node::Constant(value))
    }

    /// An operator applied to one argument, as it is.
    pub fn unary(&mut self, operator: Unary, argument: Formula) -> Formula {
        self.add(Node::Unary(operator, argument))
    }

    /// An operator applied to two arguments, as it is.
    pub fn binary(&mut self, operator: Binary, left: Formula, right: Formula) -> Formula {
        self.add(Node::Binary(operator, left, right))
    }

    /// The negation, as it is.
    pub fn not(&mut self, argument: Formula) -> Formula {
        self.unary(Unary::Not, argument)
    }

    /// The conjunction of all; `true` of none.
    pub fn all(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut formulas = formulas.into_iter();
        let Some(first) = formulas.next() else { return self.constant(true) };
        formulas.fold(first, |left, right| self.binary(Binary::And, left, right))
    }

    /// The disjunction of all; `false` of none.
    pub fn any(&mut self, formulas: impl IntoIterator<Item = Formula>) -> Formula {
        let mut formulas = formulas.into_iter();
        let Some(first) = formulas.next() else { return self.constant(false) };
        formulas.fold(first, |left, right| self.binary(Binary::Or, left, right))
    }

    /// A formula under `count` nested `X`.
    pub fn next(&mut self, count: u32, formula: Formula) -> Formula {
        (0..count).fold(formula, |inner, _| self.unary(Unary::Next, inner))
    }

    /// The arguments of a formula, left to right.
    pub fn arguments(&self, formula: Formula) -> impl Iterator<Item = Formula> + use<> {
        let (left, right) = match self.node(formula) {
            Node::Constant(_) | Node::Atom(_) => (None, None),
            Node::Unary(_, argument) => (Some(argument), None),
            Node::Binary(_, left, right) => (Some(left), Some(right)),
        };
        left.into_iter().chain(right)
    }

    /// The subformulas of some formulas, each once, children before parents.
    pub fn reachable(&self, roots: impl IntoIterator<Item = Formula>) -> Vec<Formula> {
        let mut seen = IndexSet::<Formula, FxBuildHasher>::default();
        let mut open: Vec<Formula> = roots.into_iter().collect();
        while let Some(formula) = open.pop() {
            if seen.insert(formula) {
                open.extend(self.arguments(formula));
            }
        }
        let mut found: Vec<Formula> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The atoms of a formula, in the order of their numbers.
    pub fn atoms_of(&self, roots: impl IntoIterator<Item = Formula>) -> Vec<AtomId> {
        let reachable = self.reachable(roots);
        let mut atoms: Vec<AtomId> = reachable
            .into_iter()
            .filter_map(|formula| match self.node(formula) {
                Node::Atom(atom) => Some(atom),
                Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => None,
            })
            .collect();
        atoms.sort_unstable();
        atoms
    }

    /// Rebuilds a formula bottom-up: `rebuild` sees each node with its arguments already rebuilt.
    pub fn rewrite(&mut self, root: Formula, mut rebuild: impl FnMut(&mut Formulas, Node) -> Formula) -> Formula {
        let mut new: FxHashMap<Formula, Formula> = FxHashMap::default();
        for formula in self.reachable([root]) {
            let node = match self.node(formula) {
                node @ (Node::Constant(_) | Node::Atom(_)) => node,
                Node::Unary(operator, argument) => Node::Unary(operator, new[&argument]),
                Node::Binary(operator, left, right) => Node::Binary(operator, new[&left], new[&right]),
            };
            let rebuilt = rebuild(self, node);
            new.insert(formula, rebuilt);
        }
        new[&root]
    }

    /// A formula with formulas in the place of atoms.
    pub fn substitute(&mut self, root: Formula, replacements: &[(AtomId, Formula)]) -> Formula {
        self.rewrite(root, |formulas, node| match node {
            Node::Atom(atom) => match replacements.iter().find(|(replaced, _)| *replaced == atom) {
                Some((_, replacement)) => *replacement,
                None => formulas.add(node),
            },
            Node::Constant(_) | Node::Unary(..) | Node::Binary(..) => formulas.add(node),
        })
    }

    /// The conjuncts of a formula: its arguments under nested `&`, left to right, each once.
    pub fn conjuncts(&self, root: Formula) -> Vec<Formula> {
        let mut found = Vec::new();
        let mut seen = IndexSet::<Formula, FxBuildHasher>::default();
        let mut open = vec![root];
        while let Some(formula) = open.pop() {
            if !seen.insert(formula) {
                continue;
            }
            match self.node(formula) {
                Node::Binary(Binary::And, left, right) => open.extend([right, left]),
                Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => found.push(formula),
            }
        }
        found
    }
}

impl Unary {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Not => "!",
            Unary::Next => "X",
            Unary::Finally => "F",
            Unary::Globally => "G",
        }
    }
}

impl Binary {
    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            Binary::And => "&",
            Binary::Or => "|",
            Binary::Implies => "->",
            Binary::Iff => "<->",
            Binary::Xor => "xor",
            Binary::Until => "U",
            Binary::Release => "R",
            Binary::WeakUntil => "W",
            Binary::StrongRelease => "M",
        }
    }
}

impl fmt::Display for Unary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.symbol())
    }
}

impl fmt::Display for Binary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.symbol())
    }
}
