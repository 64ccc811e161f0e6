//! Negation normal form: negations stand before propositions only; implications, equivalences and `xor` are gone.

use rustc_hash::FxHashMap;

use crate::formulas::{Binary, Formula, Formulas, Node, Unary};

/// The negation normal form of a formula, of its negation if `negated`.
pub fn nnf(formulas: &mut Formulas, root: Formula, negated: bool) -> Formula {
    let mut forms: FxHashMap<(Formula, bool), Formula> = FxHashMap::default();
    let mut open = vec![(root, negated)];
    while let Some(&(formula, negated)) = open.last() {
        if forms.contains_key(&(formula, negated)) {
            open.pop();
            continue;
        }
        let node = formulas.node(formula);
        let missing: Vec<(Formula, bool)> =
            needed(node, negated).into_iter().flatten().filter(|need| !forms.contains_key(need)).collect();
        if missing.is_empty() {
            let form = build(formulas, node, negated, &forms);
            forms.insert((formula, negated), form);
            open.pop();
        } else {
            open.extend(missing);
        }
    }
    forms[&(root, negated)]
}

/// The forms that a node is built from.
fn needed(node: Node, negated: bool) -> [Option<(Formula, bool)>; 4] {
    match node {
        Node::Constant(_) | Node::Atom(_) => [None; 4],
        Node::Unary(Unary::Not, argument) => [Some((argument, !negated)), None, None, None],
        Node::Unary(_, argument) => [Some((argument, negated)), None, None, None],
        Node::Binary(Binary::Implies, left, right) => [Some((left, !negated)), Some((right, negated)), None, None],
        Node::Binary(Binary::Iff | Binary::Xor, left, right) => {
            [Some((left, false)), Some((left, true)), Some((right, false)), Some((right, true))]
        }
        Node::Binary(_, left, right) => [Some((left, negated)), Some((right, negated)), None, None],
    }
}

fn build(formulas: &mut Formulas, node: Node, negated: bool, forms: &FxHashMap<(Formula, bool), Formula>) -> Formula {
    match node {
        Node::Constant(value) => formulas.constant(value != negated),
        Node::Atom(_) => {
            let atom = formulas.add(node);
            if negated { formulas.not(atom) } else { atom }
        }
        Node::Unary(Unary::Not, argument) => forms[&(argument, !negated)],
        Node::Unary(operator, argument) => {
            let operator = if negated { dual_unary(operator) } else { operator };
            formulas.unary(operator, forms[&(argument, negated)])
        }
        Node::Binary(Binary::Implies, left, right) => {
            let operator = if negated { Binary::And } else { Binary::Or };
            formulas.binary(operator, forms[&(left, !negated)], forms[&(right, negated)])
        }
        Node::Binary(operator @ (Binary::Iff | Binary::Xor), left, right) => {
            let same = (operator == Binary::Iff) != negated;
            let first = formulas.binary(Binary::And, forms[&(left, false)], forms[&(right, !same)]);
            let second = formulas.binary(Binary::And, forms[&(left, true)], forms[&(right, same)]);
            formulas.binary(Binary::Or, first, second)
        }
        Node::Binary(operator, left, right) => {
            let operator = if negated { dual_binary(operator) } else { operator };
            formulas.binary(operator, forms[&(left, negated)], forms[&(right, negated)])
        }
    }
}

fn dual_unary(operator: Unary) -> Unary {
    match operator {
        Unary::Not => Unary::Not,
        Unary::Next => Unary::Next,
        Unary::Finally => Unary::Globally,
        Unary::Globally => Unary::Finally,
    }
}

fn dual_binary(operator: Binary) -> Binary {
    match operator {
        Binary::And => Binary::Or,
        Binary::Or => Binary::And,
        Binary::Until => Binary::Release,
        Binary::Release => Binary::Until,
        Binary::WeakUntil => Binary::StrongRelease,
        Binary::StrongRelease => Binary::WeakUntil,
        Binary::Implies | Binary::Iff | Binary::Xor => unreachable!("these have rows of their own"),
    }
}
