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
    #![proptest_config(ProptestConfig::with_cases(300))]

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
    fn any_words_in_any_nesting_are_read_or_refused(choices in choices(300)) {
        for command in commands(choices) {
            let text = format!("{DECLARATIONS}{command}");
            let mut terms = Terms::new();
            match read_script(&mut terms, &text) {
                Ok(script) => prop_assert!(!print_script(&terms, &script.assertions()).is_empty()),
                Err(error) => prop_assert!(text.get(error.span.range()).is_some(), "{}", text),
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[()|;\"#:a-z0-9 _.!-]{0,60}") {
        let mut terms = Terms::new();
        if let Err(error) = read_script(&mut terms, &text) {
            prop_assert!(text.get(error.span.range()).is_some());
        }
    }
}

const DECLARATIONS: &str =
    "(declare-const x Int)(declare-const y Real)(declare-const p Bool)(declare-const b (_ BitVec 8))
    (declare-const a (Array Int Int))(declare-datatypes ((Color 0)) (((red)(green))))(declare-const c Color)\n";

/// Commands made of the words of SMT-LIB in some order.
fn commands(mut choices: Choices) -> Vec<String> {
    const WORDS: &[&str] = &[
        "x",
        "y",
        "p",
        "b",
        "a",
        "c",
        "0",
        "1",
        "2",
        "8",
        "4294967295",
        "99999999999999999999",
        "1.5",
        "#b1",
        "#x0f",
        "true",
        "let",
        "_",
        "as",
        "!",
        ":named",
        "const",
        "is",
        "ite",
        "not",
        "and",
        "or",
        "xor",
        "=>",
        "=",
        "distinct",
        "-",
        "+",
        "*",
        "/",
        "div",
        "mod",
        "abs",
        "<",
        "to_real",
        "to_int",
        "concat",
        "extract",
        "bvadd",
        "bvudiv",
        "repeat",
        "zero_extend",
        "rotate_left",
        "bvult",
        "select",
        "store",
        "bv2nat",
        "int2bv",
        "divisible",
        "bv7",
        "Int",
        "Bool",
        "Real",
        "BitVec",
        "Array",
        "red",
        "Color",
        "forall",
        "match",
        "f",
        "\"s\"",
        "|q r|",
        "()",
    ];
    const HEADS: &[&str] = &[
        "(assert ",
        "(assert (",
        "(assert (= ",
        "(assert ((_ ",
        "(assert (let ((",
        "(define-fun f ((x Int)) Int (",
        "(push ",
        "(pop ",
        "(declare-const z (",
        "(define-sort S (X) (",
        "(get-value ((",
        "(check-sat-assuming (",
        "(declare-datatype D (",
        "(assert (select a (",
        "(assert (= b (",
        "(assert (! ",
    ];
    let mut commands = Vec::new();
    while !choices.is_spent() {
        let head = *choices.pick(HEADS);
        let mut text = String::from(head);
        let mut depth = head.matches('(').count() - head.matches(')').count();
        while 0 < depth && !choices.is_spent() {
            match choices.below(8) {
                0 | 1 => {
                    text.push(')');
                    depth -= 1;
                }
                2 => {
                    text.push('(');
                    depth += 1;
                }
                _ => {
                    text.push_str(choices.pick::<&str>(WORDS));
                    text.push(' ');
                }
            }
        }
        text.extend(std::iter::repeat_n(')', depth));
        commands.push(text);
    }
    commands
}
