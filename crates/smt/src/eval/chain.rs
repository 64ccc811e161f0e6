//! Chains of writes: an array written step by step is read without building the steps in between.
//!
//! Every step would be a map of its own, so a thousand writes would take a million entries.

use std::collections::BTreeMap;
use std::sync::Arc;

use value::{ArrayValue, Sort, Value};

use super::{Evaluator, array, truth};
use crate::{Op, Term};

/// The writes from an array down to one that is not the result of a write, the latest first.
struct Chain {
    /// Indices and elements.
    writes: Vec<(Term, Term)>,
    /// What was written to; or a condition that must be known to go on.
    base: Result<Term, Term>,
}

impl Evaluator<'_> {
    /// Whether a term is evaluated by following a chain.
    pub(super) fn has_chain(&self, term: Term) -> bool {
        match self.terms.op(term) {
            Op::Select | Op::Store => true,
            Op::Ite => matches!(self.terms.sort(term), Sort::Array(_)),
            _ => false,
        }
    }

    /// Opens the terms that must be known before [`follow`](Self::follow) can be called; none if it can.
    pub(super) fn open_chain(&mut self, term: Term) {
        let before = self.open.len();
        let is_read = self.terms.op(term) == Op::Select;
        let args = self.terms.args(term);
        let chain = self.chain(if is_read { args[0] } else { term });
        let mut needed = vec![match chain.base {
            Ok(base) => base,
            Err(condition) => condition,
        }];
        needed.extend(chain.writes.iter().map(|write| write.0));
        if is_read {
            needed.push(args[1]);
        } else {
            needed.extend(chain.writes.iter().map(|write| write.1));
        }
        self.open_unknown(&needed);
        if is_read && self.open.len() == before {
            let written = self.written(&chain, args[1]);
            self.open_unknown(written.as_slice());
        }
    }

    /// The value of a term for which [`open_chain`](Self::open_chain) opens nothing.
    pub(super) fn follow(&self, term: Term) -> Value {
        let args = self.terms.args(term);
        if self.terms.op(term) == Op::Select {
            let chain = self.chain(args[0]);
            let base = chain.base.expect("every condition is known");
            return match self.written(&chain, args[1]) {
                Some(element) => self.known(element).clone(),
                None => array::of(self.known(base)).get(self.known(args[1])).clone(),
            };
        }
        let chain = self.chain(term);
        let base = self.known(chain.base.expect("every condition is known"));
        if chain.writes.is_empty() {
            return base.clone();
        }
        let base = array::of(base);
        let mut entries: BTreeMap<Value, Value> = base.entries().clone();
        for &(index, element) in chain.writes.iter().rev() {
            entries.insert(self.known(index).clone(), self.known(element).clone());
        }
        let (index, element) = (base.index_sort().clone(), base.element_sort().clone());
        let written = ArrayValue::new(index, element, base.default().clone(), entries);
        Value::Array(Arc::new(array::with_common_default(written)))
    }

    fn chain(&self, mut array: Term) -> Chain {
        let mut writes = Vec::new();
        while !self.is_known(array) {
            match (self.terms.op(array), self.terms.args(array)) {
                (Op::Store, &[inner, index, element]) => {
                    writes.push((index, element));
                    array = inner;
                }
                (Op::Ite, &[condition, _, _]) if !self.is_known(condition) => {
                    return Chain { writes, base: Err(condition) };
                }
                (Op::Ite, &[condition, then, otherwise]) => {
                    array = if truth(self.known(condition)) { then } else { otherwise };
                }
                _ => break,
            }
        }
        Chain { writes, base: Ok(array) }
    }

    /// The element of the latest write at `index`.
    fn written(&self, chain: &Chain, index: Term) -> Option<Term> {
        let index = self.known(index);
        chain.writes.iter().find(|write| self.known(write.0) == index).map(|write| write.1)
    }
}
