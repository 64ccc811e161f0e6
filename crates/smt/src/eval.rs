//! The meaning of terms: what a term is worth under a model. This is the judge of every solver, so it is plain.
//!
//! Arrays are kept in one canonical form each (see [`canonical`]), so that equal maps are equal data.

mod arithmetic;
mod array;
mod bitvector;
mod chain;

use value::{Sort, Value};

pub use array::canonical;

use crate::{Model, Op, Term, Terms, Theory};

/// The value of `root` under `model`. Symbols without a value have the default of their sort.
pub fn eval(terms: &Terms, model: &Model, root: Term) -> Value {
    Evaluator::new(terms, model).eval(root).clone()
}

/// Evaluates many roots under one model; a shared subterm is evaluated once.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    /// For every term of the arena one more than the place of its value, or zero.
    places: Vec<u32>,
    values: Vec<Value>,
    open: Vec<Term>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator that has seen nothing yet.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator { terms, model, places: vec![0; terms.len()], values: Vec::new(), open: Vec::new() }
    }

    /// The value of `root`. Only its cone is visited, without recursion.
    pub fn eval(&mut self, root: Term) -> &Value {
        self.open.push(root);
        while let Some(&term) = self.open.last() {
            if self.is_known(term) {
                self.open.pop();
                continue;
            }
            let before = self.open.len();
            if self.has_chain(term) {
                self.open_chain(term);
            } else {
                self.open_unknown(self.terms.args(term));
            }
            if self.open.len() == before {
                self.open.pop();
                let value = self.step(term);
                self.values.push(value);
                self.places[term.index()] = self.values.len() as u32;
            }
        }
        self.known(root)
    }

    /// Whether a Boolean term is true.
    pub fn holds(&mut self, root: Term) -> bool {
        *self.eval(root) == Value::Bool(true)
    }

    fn step(&self, term: Term) -> Value {
        if self.has_chain(term) {
            return self.follow(term);
        }
        match self.terms.op(term) {
            Op::Constant => canonical(self.terms.value(term).expect("a constant has a value")),
            Op::Symbol => canonical(&self.model.value(self.terms, term)),
            op => {
                let (indices, sort) = (self.terms.indices(term), self.terms.sort(term));
                match *self.terms.args(term) {
                    [first] => apply(op, indices, sort, &[self.known(first)]),
                    [first, second] => apply(op, indices, sort, &[self.known(first), self.known(second)]),
                    ref args => {
                        let args: Vec<&Value> = args.iter().map(|&arg| self.known(arg)).collect();
                        apply(op, indices, sort, &args)
                    }
                }
            }
        }
    }

    fn open_unknown(&mut self, wanted: &[Term]) {
        let (places, open) = (&self.places, &mut self.open);
        open.extend(wanted.iter().filter(|term| places[term.index()] == 0));
    }

    fn is_known(&self, term: Term) -> bool {
        self.places[term.index()] != 0
    }

    fn known(&self, term: Term) -> &Value {
        &self.values[self.places[term.index()] as usize - 1]
    }
}

/// The value of an application of sort `sort` to canonical values.
pub(crate) fn apply(op: Op, indices: [u32; 2], sort: &Sort, args: &[&Value]) -> Value {
    match op.theory() {
        Theory::Core => core(op, args),
        Theory::Arithmetic => arithmetic::apply(op, indices, args),
        Theory::BitVectors | Theory::Conversion => bitvector::apply(op, indices, args),
        Theory::Arrays => array::apply(op, sort, args),
    }
}

fn core(op: Op, args: &[&Value]) -> Value {
    let mut truths = args.iter().map(|arg| truth(arg));
    Value::Bool(match op {
        Op::Not => !truth(args[0]),
        Op::And => truths.all(|truth| truth),
        Op::Or => truths.any(|truth| truth),
        Op::Xor => truth(args[0]) != truth(args[1]),
        Op::Implies => !truth(args[0]) || truth(args[1]),
        Op::Eq => args[0] == args[1],
        Op::Distinct => {
            let mut sorted = args.to_vec();
            sorted.sort_unstable();
            sorted.windows(2).all(|pair| pair[0] != pair[1])
        }
        Op::Ite => return if truth(args[0]) { args[1].clone() } else { args[2].clone() },
        other => unreachable!("`{}` is not an application of the core theory", other.name()),
    })
}

fn truth(value: &Value) -> bool {
    value.as_bool().expect("terms are well-sorted: a truth value")
}

#[cfg(test)]
mod tests;
