//! Whether any infinite word satisfies a formula: a few words are tried, then a tableau is searched for a cycle that postpones
//! nothing for ever.
//!
//! A node of the tableau is a set of formulas that must hold from some step on. An edge is one way of meeting them in this step; it
//! carries the `U`, `F` and `M` that it postpones. The formula is satisfiable if some reachable strongly connected component has, for
//! each of these, an edge that does not postpone it.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::eval::{Lasso, Letter, holds_on_lasso};
use omega::nnf;
use omega::simplify::simplify;
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// The most nodes and edges of a tableau.
const NODES: usize = 20_000;
const EDGES: usize = 200_000;
/// The most branches that are worked out for one tableau.
const BRANCHES: usize = 300_000;
/// The largest formula a tableau is made of.
const LARGEST: usize = 4_000;
/// How many words are tried before a tableau is made.
const WORDS: u64 = 64;

/// Whether the formula is satisfiable; `None` where the tableau becomes too large.
pub(super) fn is_satisfiable(formulas: &mut Formulas, formula: Formula) -> Option<bool> {
    let small = simplify(formulas, formula);
    if let Node::Constant(value) = formulas.node(small) {
        return Some(value);
    }
    if some_word_satisfies(formulas, small) {
        return Some(true);
    }
    let normal = nnf(formulas, small, false);
    if LARGEST < formulas.reachable([normal]).len() {
        return None;
    }
    Tableau::new(formulas, normal).map(|tableau| tableau.has_good_cycle())
}

/// Tries words: constant ones, then random ones, always the same.
fn some_word_satisfies(formulas: &Formulas, formula: Formula) -> bool {
    let atoms = formulas.atoms_of([formula]);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    (0..WORDS).any(|number| {
        let mut letter = |fill: Option<bool>| -> Letter {
            Letter::of(atoms.iter().copied().filter(|_| fill.unwrap_or_else(|| random() % 2 == 0)))
        };
        let lasso = match number {
            0 | 1 => Lasso { prefix: Vec::new(), cycle: vec![letter(Some(number == 1))] },
            _ => Lasso {
                prefix: (0..number % 5).map(|_| letter(None)).collect(),
                cycle: (0..=number % 4).map(|_| letter(None)).collect(),
            },
        };
        holds_on_lasso(formulas, formula, &lasso)
    })
}

struct Edge {
    target: usize,
    postponed: Vec<Formula>,
}

struct Tableau {
    edges: Vec<Vec<Edge>>,
}

/// One way of meeting a set of formulas in one step, as far as it is worked out.
#[derive(Clone, Default)]
struct Branch {
    open: Vec<Formula>,
    done: Vec<Formula>,
    literals: Vec<(AtomId, bool)>,
    next: Vec<Formula>,
    postponed: Vec<Formula>,
}

impl Tableau {
    /// The tableau of a formula in negation normal form, unless it is too large.
    fn new(formulas: &Formulas, root: Formula) -> Option<Tableau> {
        let mut numbers: FxHashMap<Vec<Formula>, usize> = FxHashMap::default();
        let mut sets = vec![vec![root]];
        numbers.insert(vec![root], 0);
        let mut edges: Vec<Vec<Edge>> = Vec::new();
        let (mut count, mut branches) = (0, BRANCHES);
        while edges.len() < sets.len() {
            let mut outgoing = Vec::new();
            for (next, postponed) in expand(formulas, &sets[edges.len()], &mut branches)? {
                let target = *numbers.entry(next).or_insert_with_key(|next| {
                    sets.push(next.clone());
                    sets.len() - 1
                });
                outgoing.push(Edge { target, postponed });
            }
            count += outgoing.len();
            edges.push(outgoing);
            if NODES < sets.len() || EDGES < count {
                return None;
            }
        }
        Some(Tableau { edges })
    }

    fn has_good_cycle(&self) -> bool {
        let components = self.components();
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        for (node, &component) in components.iter().enumerate() {
            members[component].push(node);
        }
        members.iter().any(|members| self.is_good(members, &components))
    }

    /// Whether edges inside a component postpone nothing all the time.
    fn is_good(&self, members: &[usize], components: &[usize]) -> bool {
        let mut always: Option<Vec<Formula>> = None;
        for &node in members {
            for edge in self.edges[node].iter().filter(|edge| components[edge.target] == components[node]) {
                match &mut always {
                    None => always = Some(edge.postponed.clone()),
                    Some(always) => always.retain(|formula| edge.postponed.contains(formula)),
                }
            }
        }
        always.is_some_and(|always| always.is_empty())
    }

    /// The number of the strongly connected component of every node (Tarjan's algorithm on an explicit stack).
    fn components(&self) -> Vec<usize> {
        let count = self.edges.len();
        let (mut index, mut low, mut component) = (vec![usize::MAX; count], vec![0; count], vec![usize::MAX; count]);
        let (mut stack, mut visited, mut found) = (Vec::new(), 0, 0);
        let mut path: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some(&mut (node, ref mut edge)) = path.last_mut() {
            if *edge == 0 && index[node] == usize::MAX {
                (index[node], low[node]) = (visited, visited);
                visited += 1;
                stack.push(node);
            }
            if let Some(next) = self.edges[node].get(*edge) {
                *edge += 1;
                if index[next.target] == usize::MAX {
                    path.push((next.target, 0));
                } else if component[next.target] == usize::MAX {
                    low[node] = low[node].min(index[next.target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
        }
        component
    }
}

/// What must hold in the next step, and what is postponed.
type Way = (Vec<Formula>, Vec<Formula>);

/// The ways of meeting a set of formulas in one step, unless more branches must be worked out than are left.
fn expand(formulas: &Formulas, set: &[Formula], left: &mut usize) -> Option<IndexSet<Way, FxBuildHasher>> {
    let mut found: IndexSet<Way, FxBuildHasher> = IndexSet::default();
    let mut branches = vec![Branch { open: set.to_vec(), ..Branch::default() }];
    while let Some(mut branch) = branches.pop() {
        *left = left.checked_sub(1)?;
        if branch.run(formulas, &mut branches) {
            branch.next.sort_unstable();
            branch.next.dedup();
            branch.postponed.sort_unstable();
            branch.postponed.dedup();
            found.insert((branch.next, branch.postponed));
        }
    }
    Some(found)
}

impl Branch {
    /// Works the branch out to its end; other ways are pushed. Whether it is consistent.
    fn run(&mut self, formulas: &Formulas, others: &mut Vec<Branch>) -> bool {
        while let Some(formula) = self.open.pop() {
            if self.done.contains(&formula) {
                continue;
            }
            self.done.push(formula);
            match formulas.node(formula) {
                Node::Constant(true) => {}
                Node::Constant(false) => return false,
                Node::Atom(atom) => {
                    if !self.literal(atom, true) {
                        return false;
                    }
                }
                Node::Unary(Unary::Not, argument) => {
                    let Node::Atom(atom) = formulas.node(argument) else {
                        unreachable!("in normal form, negations stand before propositions")
                    };
                    if !self.literal(atom, false) {
                        return false;
                    }
                }
                Node::Unary(Unary::Next, argument) => self.next.push(argument),
                Node::Unary(Unary::Finally, argument) => {
                    let mut later = self.clone();
                    later.wait(formula);
                    others.push(later);
                    self.open.push(argument);
                }
                Node::Unary(Unary::Globally, argument) => {
                    self.open.push(argument);
                    self.next.push(formula);
                }
                Node::Binary(operator, left, right) => self.binary(formula, operator, left, right, others),
            }
        }
        true
    }

    fn binary(&mut self, formula: Formula, operator: Binary, left: Formula, right: Formula, others: &mut Vec<Branch>) {
        let mut other = self.clone();
        match operator {
            Binary::And => return self.open.extend([left, right]),
            Binary::Or => {
                self.open.push(left);
                other.open.push(right);
            }
            Binary::Until => {
                self.open.push(right);
                other.open.push(left);
                other.wait(formula);
            }
            Binary::WeakUntil => {
                self.open.push(right);
                other.open.push(left);
                other.next.push(formula);
            }
            Binary::Release => {
                self.open.extend([left, right]);
                other.open.push(right);
                other.next.push(formula);
            }
            Binary::StrongRelease => {
                self.open.extend([left, right]);
                other.open.push(right);
                other.wait(formula);
            }
            Binary::Implies | Binary::Iff | Binary::Xor => unreachable!("in normal form, they are written out"),
        }
        others.push(other);
    }

    fn wait(&mut self, formula: Formula) {
        self.next.push(formula);
        self.postponed.push(formula);
    }

    fn literal(&mut self, atom: AtomId, value: bool) -> bool {
        match self.literals.iter().find(|(known, _)| *known == atom) {
            Some((_, known)) => *known == value,
            None => {
                self.literals.push((atom, value));
                true
            }
        }
    }
}
