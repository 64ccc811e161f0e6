//! What names mean at a point of a script.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use source::SExpr;
use value::Sort;

use crate::{Term, Terms};

/// The meanings of names, with scopes.
#[derive(Default)]
pub(super) struct Environment {
    terms: Scoped<Meaning>,
    sorts: Scoped<SortMeaning>,
    pub(super) named: Vec<(Box<str>, Term)>,
}

/// What a name of a term means.
#[derive(Clone)]
pub(super) enum Meaning {
    /// A constant, a variable bound by `let`, or a definition without parameters.
    Term(Term),
    /// A definition with parameters: symbols to be replaced in the body.
    Macro {
        /// The parameters.
        parameters: std::rc::Rc<[Term]>,
        /// The body.
        body: Term,
    },
}

/// What a name of a sort means.
#[derive(Clone)]
pub(super) enum SortMeaning {
    /// A sort.
    Sort(Sort),
    /// A `define-sort` with parameters.
    Macro {
        /// The parameters.
        parameters: std::rc::Rc<[Box<str>]>,
        /// The body.
        body: SExpr,
    },
}

struct Scoped<T> {
    meanings: HashMap<Box<str>, Vec<T>, FxBuildHasher>,
    /// The names bound, in order.
    trail: Vec<Box<str>>,
    scopes: Vec<usize>,
}

impl<T> Default for Scoped<T> {
    fn default() -> Self {
        Scoped { meanings: HashMap::default(), trail: Vec::new(), scopes: Vec::new() }
    }
}

impl<T> Scoped<T> {
    fn get(&self, name: &str) -> Option<&T> {
        self.meanings.get(name)?.last()
    }

    fn bind(&mut self, name: &str, meaning: T) {
        self.trail.push(name.into());
        self.meanings.entry(name.into()).or_default().push(meaning);
    }

    fn unbind(&mut self, count: usize) {
        for name in self.trail.drain(self.trail.len() - count..) {
            self.meanings.get_mut(&name).and_then(Vec::pop).expect("what is on the trail is bound");
        }
    }

    fn pop(&mut self) {
        if let Some(start) = self.scopes.pop() {
            self.unbind(self.trail.len() - start);
        }
    }
}

impl Environment {
    pub(super) fn term(&self, name: &str) -> Option<&Meaning> {
        self.terms.get(name)
    }

    pub(super) fn sort(&self, name: &str) -> Option<&SortMeaning> {
        self.sorts.get(name)
    }

    pub(super) fn bind(&mut self, name: &str, meaning: Meaning) {
        self.terms.bind(name, meaning);
    }

    pub(super) fn bind_term(&mut self, name: &str, term: Term) {
        self.terms.bind(name, Meaning::Term(term));
    }

    pub(super) fn bind_sort(&mut self, name: &str, meaning: SortMeaning) {
        self.sorts.bind(name, meaning);
    }

    /// Forgets the `count` names of terms bound last.
    pub(super) fn unbind(&mut self, count: usize) {
        self.terms.unbind(count);
    }

    pub(super) fn push(&mut self) {
        self.terms.scopes.push(self.terms.trail.len());
        self.sorts.scopes.push(self.sorts.trail.len());
    }

    pub(super) fn pop(&mut self) {
        self.terms.pop();
        self.sorts.pop();
    }

    pub(super) fn depth(&self) -> usize {
        self.terms.scopes.len()
    }
}

/// The body of a macro with its arguments put in.
pub(super) fn expand(terms: &mut Terms, parameters: &[Term], body: Term, args: &[Term]) -> Term {
    let pairs: Vec<_> = parameters.iter().copied().zip(args.iter().copied()).collect();
    crate::substitute(terms, body, &pairs)
}
