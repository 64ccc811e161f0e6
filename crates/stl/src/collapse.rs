//! Nested operators of one kind as one: `G[0,1] G[0,2] p` looks at the same times as `G[0,3] p`.

use std::collections::BTreeMap;

use value::RBig;

use crate::store::{Formula, Node, Store, Window};

/// Formulas that mean the same, in which no `G` stands right above a `G`, no `F` above an `F`, and no `N` beside either.
pub fn collapsed(store: &mut Store, roots: &[Formula]) -> Vec<Formula> {
    let mut images: BTreeMap<Formula, Formula> = BTreeMap::new();
    for formula in store.below(roots) {
        let node = store.node(formula);
        let args: Vec<Formula> = node.args().iter().map(|arg| images[arg]).collect();
        let node = node.with_args(&args);
        let node = joined(store, &node).unwrap_or(node);
        images.insert(formula, store.add(node));
    }
    roots.iter().map(|root| images[root]).collect()
}

/// The operator joined with the one below it, if they are of one kind.
fn joined(store: &Store, node: &Node) -> Option<Node> {
    let (outer, arg) = match node {
        Node::Next(time, arg) => (Window::new(time.clone(), time.clone()), *arg),
        Node::Finally(window, arg) | Node::Globally(window, arg) => (window.clone(), *arg),
        _ => return None,
    };
    let (inner, below) = match store.node(arg) {
        Node::Next(time, below) => (Window::new(time.clone(), time.clone()), *below),
        Node::Finally(window, below) | Node::Globally(window, below) => (window.clone(), *below),
        _ => return None,
    };
    if outer.is_empty() || inner.is_empty() {
        return None;
    }
    let upper: Option<RBig> = outer.upper.zip(inner.upper).map(|(outer, inner)| outer + inner);
    let window = Window { lower: outer.lower + inner.lower, upper };
    match (node, store.node(arg)) {
        (Node::Next(..), Node::Next(..)) => Some(Node::Next(window.lower, below)),
        (Node::Globally(..), Node::Globally(..) | Node::Next(..)) | (Node::Next(..), Node::Globally(..)) => {
            Some(Node::Globally(window, below))
        }
        (Node::Finally(..), Node::Finally(..) | Node::Next(..)) | (Node::Next(..), Node::Finally(..)) => {
            Some(Node::Finally(window, below))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_one_kind_become_one() {
        for (text, expected) in [
            ("G[0,1] G[1,2] p", "G[1,3] p"),
            ("N[1] F[0,2] N[3] p", "F[4,6] p"),
            ("G[0,1] F[0,1] p", "G[0,1] F[0,1] p"),
            ("G[0,1] G p & F[1,2] F[3,1] q", "G p & F[1,2] F[3,1] q"),
            ("!(N[1] N[2] p)", "!N[3] p"),
        ] {
            let (mut spec, _) = crate::load(&source::Source::new("test.stl", text)).expect("well formed");
            let image = collapsed(&mut spec.store, &[spec.formula])[0];
            assert_eq!(crate::print(&spec, image), expected, "{text}");
        }
    }
}
