//! Substitution of terms for terms.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::{Term, Terms};

/// `root` with every key of `replacements` replaced by its value, all at once. Only the cone of `root` is visited.
pub fn substitute(terms: &mut Terms, root: Term, replacements: &[(Term, Term)]) -> Term {
    let mut done: HashMap<Term, Term, FxBuildHasher> = replacements.iter().copied().collect();
    let mut open = vec![root];
    let mut args = Vec::new();
    while let Some(&term) = open.last() {
        if done.contains_key(&term) {
            open.pop();
            continue;
        }
        let before = open.len();
        open.extend(terms.args(term).iter().filter(|arg| !done.contains_key(*arg)));
        if open.len() == before {
            open.pop();
            args.clear();
            args.extend(terms.args(term).iter().map(|arg| done[arg]));
            let changed = args != terms.args(term);
            let result = if changed { terms.indexed(terms.op(term), terms.indices(term), &args) } else { term };
            done.insert(term, result);
        }
    }
    done[&root]
}
