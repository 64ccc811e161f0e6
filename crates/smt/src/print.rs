//! Terms as SMT-LIB text.
//!
//! Shared subterms are written once, so that the text is as small as the term, and nothing here is recursive in the
//! term. Division by zero is total in Specimen and open in SMT-LIB, so a division whose divisor may be zero is
//! written with its case distinction, `(ite (= y 0) 0 (div x y))`; the reader takes that back as one division.

mod body;
mod logic;
mod names;
mod script;
mod value;

use ::value::{Sort, Value};

use crate::{Term, Terms};

pub(crate) use logic::Logic;
pub(crate) use names::Names;
pub use script::{ScriptWriter, print_script};

/// The least logic of SMT-LIB with a name that has all these facts; `ALL` where there is none.
pub fn logic_of(terms: &Terms, facts: &[Term]) -> String {
    let mut logic = Logic::default();
    facts.iter().for_each(|fact| logic.note(terms, *fact));
    logic.name()
}

/// One term as one expression; shared subterms are bound by `let`.
pub fn print_term(terms: &Terms, root: Term) -> String {
    script::with_lets(terms, root)
}

/// A value as an expression.
pub fn print_value(value: &Value) -> String {
    let mut out = String::new();
    value::write_value(&mut out, &mut Names::plain(), value);
    out
}

/// A sort.
pub fn print_sort(sort: &Sort) -> String {
    let mut out = String::new();
    value::write_sort(&mut out, &mut Names::plain(), sort);
    out
}
