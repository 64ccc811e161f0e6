//! Numbers out of models.

use smt::{Model, Term, Terms};
use value::Value;

use search::SearchError;

/// The values of symbols in a model.
pub(super) fn numbers(terms: &Terms, model: &Model, symbols: &[Term]) -> Result<Vec<i64>, SearchError> {
    symbols.iter().map(|symbol| number(&model.value(terms, *symbol))).collect()
}

fn number(value: &Value) -> Result<i64, SearchError> {
    let found = match value {
        Value::Int(number) => i64::try_from(number).ok(),
        _ => None,
    };
    found.ok_or_else(|| SearchError::Disagreement(format!("a solver gave {value} for a bounded integer")))
}
