//! Polarity (definition 21): under how many negations a proposition stands, as far as that is even or odd.

use rustc_hash::FxHashSet;

use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// How a proposition occurs in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// Under an even number of negations everywhere: making it true more often makes the formula more true.
    Positive,
    /// Under an odd number everywhere.
    Negative,
    /// Both.
    Mixed,
}

/// The polarity of every proposition of a formula, in the order of their numbers.
pub fn polarities(formulas: &Formulas, root: Formula) -> Vec<(AtomId, Polarity)> {
    let mut seen: FxHashSet<(Formula, bool)> = FxHashSet::default();
    let mut found: Vec<(AtomId, bool)> = Vec::new();
    let mut open = vec![(root, true)];
    while let Some((formula, positive)) = open.pop() {
        if !seen.insert((formula, positive)) {
            continue;
        }
        match formulas.node(formula) {
            Node::Constant(_) => {}
            Node::Atom(atom) => found.push((atom, positive)),
            Node::Unary(Unary::Not, argument) => open.push((argument, !positive)),
            Node::Unary(Unary::Next | Unary::Finally | Unary::Globally, argument) => open.push((argument, positive)),
            Node::Binary(Binary::Implies, left, right) => open.extend([(left, !positive), (right, positive)]),
            Node::Binary(Binary::Iff | Binary::Xor, left, right) => {
                open.extend([(left, true), (left, false), (right, true), (right, false)]);
            }
            Node::Binary(
                Binary::And | Binary::Or | Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease,
                left,
                right,
            ) => open.extend([(left, positive), (right, positive)]),
        }
    }
    let of = |atom: AtomId| {
        let occurs = |positive: bool| found.contains(&(atom, positive));
        match (occurs(true), occurs(false)) {
            (true, true) => Polarity::Mixed,
            (false, true) => Polarity::Negative,
            (true, false) | (false, false) => Polarity::Positive,
        }
    };
    formulas.atoms_of([root]).into_iter().map(|atom| (atom, of(atom))).collect()
}
