//! Simplification: smaller terms with the same value under every model.
//!
//! Every rule replaces one application by a known term, a constant, or one application to known terms and constants,
//! so the number of applications never grows, however terms are shared.

mod arithmetic;
mod array;
mod bitvector;
mod core;

use value::{Sort, Value};

use crate::eval::apply;
use crate::{Op, Term, Terms, Theory, canonical};

/// Simplifies terms of one arena and remembers the results.
#[derive(Default)]
pub struct Simplifier {
    /// For every term one more than the position of its simplification, or zero.
    memo: Vec<u32>,
}

/// An application whose arguments are simplified.
struct Node {
    op: Op,
    indices: [u32; 2],
    args: Vec<Term>,
}

/// What a rule turns an application into.
enum Step {
    /// A term that is already simplified.
    Is(Term),
    /// Another application, which may be simplified further.
    Becomes(Node),
}

impl Simplifier {
    /// A simplifier that has seen nothing yet.
    pub fn new() -> Simplifier {
        Simplifier::default()
    }

    /// The simplified form of `root`. Only what is new in its cone is visited, without recursion.
    pub fn simplify(&mut self, terms: &mut Terms, root: Term) -> Term {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.known(terms, term).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.args(term).iter().filter(|&&arg| self.known(terms, arg).is_none()));
            if open.len() == before {
                open.pop();
                let simple = self.rebuilt(terms, term);
                self.note(term, simple);
                self.note(simple, simple);
            }
        }
        self.known(terms, root).expect("the root was simplified")
    }

    fn known(&self, terms: &Terms, term: Term) -> Option<Term> {
        match self.memo.get(term.index()) {
            None | Some(0) => None,
            Some(&place) => Some(terms.at(place as usize - 1)),
        }
    }

    fn note(&mut self, term: Term, simple: Term) {
        if self.memo.len() <= term.index() {
            self.memo.resize(term.index() + 1, 0);
        }
        self.memo[term.index()] = simple.index() as u32 + 1;
    }

    fn rebuilt(&self, terms: &mut Terms, term: Term) -> Term {
        if terms.args(term).is_empty() {
            return term;
        }
        let args = terms.args(term).iter().map(|&arg| self.known(terms, arg).expect("arguments come first"));
        let mut node = Node { args: args.collect(), op: terms.op(term), indices: terms.indices(term) };
        loop {
            match step(terms, &node) {
                None => return terms.indexed(node.op, node.indices, &node.args),
                Some(Step::Is(simple)) => return simple,
                Some(Step::Becomes(next)) => node = next,
            }
        }
    }
}

fn step(terms: &mut Terms, node: &Node) -> Option<Step> {
    folded(terms, node).or_else(|| match node.op.theory() {
        Theory::Core => core::step(terms, node),
        Theory::Arithmetic => arithmetic::step(terms, node),
        Theory::BitVectors | Theory::Conversion => bitvector::step(terms, node),
        Theory::Arrays => array::step(terms, node),
    })
}

/// An application to constants only; arrays stay as they are written.
fn folded(terms: &mut Terms, node: &Node) -> Option<Step> {
    let values: Vec<Value> = node.args.iter().map(|&arg| terms.value(arg).map(canonical)).collect::<Option<_>>()?;
    let term = terms.indexed(node.op, node.indices, &node.args);
    if matches!(terms.sort(term), Sort::Array(_)) {
        return None;
    }
    let values: Vec<&Value> = values.iter().collect();
    let value = apply(node.op, node.indices, terms.sort(term), &values);
    Some(Step::Is(terms.constant(value)))
}

fn becomes(op: Op, args: &[Term]) -> Option<Step> {
    indexed(op, [0, 0], args)
}

fn indexed(op: Op, indices: [u32; 2], args: &[Term]) -> Option<Step> {
    Some(Step::Becomes(Node { op, indices, args: args.to_vec() }))
}

fn is(term: Term) -> Option<Step> {
    Some(Step::Is(term))
}

fn truth(terms: &Terms, truth: bool) -> Option<Step> {
    Some(Step::Is(terms.bool(truth)))
}

/// Whether both are constants, and not of the same value.
fn differ(terms: &Terms, left: Term, right: Term) -> bool {
    match (terms.value(left), terms.value(right)) {
        (Some(left), Some(right)) => canonical(left) != canonical(right),
        _ => false,
    }
}

/// The arguments of an application of `op`.
fn args_of(terms: &Terms, op: Op, term: Term) -> Option<&[Term]> {
    (terms.op(term) == op).then(|| terms.args(term))
}
