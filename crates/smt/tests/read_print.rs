//! The reader and the printer are each other's inverse.

use proptest::prelude::*;
use smt::{Model, Terms, eval, print_script, print_term, read_script};
use testkit::terms::{ALL_THEORIES, Choices, Pool, choices, random_model};

/// The model with its symbols looked up by name in another arena.
fn carried(terms: &Terms, model: &Model, other: &mut Terms) -> Model {
    let mut result = Model::new();
    for (symbol, value) in model.iter() {
        let name = terms.name(symbol).expect("models give values to symbols").to_owned();
        result.insert(other.symbol(&name, terms.sort(symbol)), value.clone());
    }
    result
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_printed_script_reads_back_as_the_same_terms(choices in choices(400), values in choices(100)) {
        let (mut choices, mut values): (Choices, Choices) = (choices, values);
        let mut terms = Terms::new();
        let facts = Pool::grow(&mut terms, ALL_THEORIES, &mut choices).facts(5);
        let text = print_script(&terms, &facts);
        let mut again = Terms::new();
        let script = read_script(&mut again, &text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let read = script.assertions();
        prop_assert_eq!(read.len(), facts.len());
        let model = random_model(&terms, &mut values);
        let carried = carried(&terms, &model, &mut again);
        for (&fact, &read) in facts.iter().zip(&read) {
            prop_assert_eq!(eval(&terms, &model, fact), eval(&again, &carried, read), "{}", print_term(&terms, fact));
        }
        let second = print_script(&again, &read);
        let script = read_script(&mut again, &second).expect("what was printed is read");
        prop_assert_eq!(script.assertions(), read);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[()|;\"#:a-z0-9 _.!-]{0,60}") {
        let mut terms = Terms::new();
        if let Err(error) = read_script(&mut terms, &text) {
            prop_assert!(text.get(error.span.range()).is_some());
        }
    }
}
