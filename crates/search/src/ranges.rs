//! Facts that keep numbers within bounds, and arithmetic that cannot do without them.
//!
//! An explanation is made smaller by leaving facts out. Products of unknown numbers without bounds are another world:
//! nobody can decide them in general, so facts that bound a number stay where there are such products.

use smt::{Op, Term, Terms};
use value::Sort;

/// Those of some facts that must not be left out of a question about these terms.
pub fn pinned(terms: &Terms, facts: impl Iterator<Item = Term>) -> Vec<Term> {
    if is_linear(terms) { Vec::new() } else { facts.filter(|&fact| is_range(terms, fact)).collect() }
}

/// Whether no term multiplies or divides by an unknown number.
fn is_linear(terms: &Terms) -> bool {
    (0..terms.len()).map(|index| terms.at(index)).all(|term| {
        let unknown = |argument: &Term| terms.value(*argument).is_none();
        match terms.op(term) {
            Op::Mul => terms.args(term).iter().filter(|argument| unknown(argument)).count() < 2,
            Op::Div | Op::Mod | Op::Divide => terms.args(term).iter().skip(1).all(|argument| !unknown(argument)),
            _ => true,
        }
    })
}

/// Whether a fact compares numbers that are symbols with constants, and says nothing else.
fn is_range(terms: &Terms, fact: Term) -> bool {
    let mut open = vec![fact];
    while let Some(term) = open.pop() {
        let is_end = |argument: &Term| terms.value(*argument).is_some() || terms.op(*argument) == Op::Symbol;
        match terms.op(term) {
            Op::And => open.extend(terms.args(term)),
            Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Eq => {
                let args = terms.args(term);
                let numbers = args.iter().all(|&argument| matches!(terms.sort(argument), Sort::Int | Sort::Real));
                if !numbers || !args.iter().all(is_end) || !args.iter().any(|&argument| terms.value(argument).is_some())
                {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
