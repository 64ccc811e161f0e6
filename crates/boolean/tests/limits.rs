//! Sizes and shapes that break careless programs.

use boolean::goals::{Criterion, GoalOptions, goals};
use boolean::interp::run;
use boolean::meter::Meter;
use boolean::{Dialect, Loaded, Spec, load, parse, print};
use source::Source;
use value::Value;

const DEEP: usize = 100_000;

fn read(dialect: Dialect, text: String) -> (Source, Loaded) {
    let source = Source::new("limit", text);
    let loaded = load(&source, dialect);
    (source, loaded)
}

fn accept(text: String) -> (Source, Spec) {
    let (source, loaded) = read(Dialect::Bool, text);
    let spec = loaded.expect("the text is well formed").0;
    (source, spec)
}

fn codes(dialect: Dialect, text: impl Into<String>) -> Vec<&'static str> {
    let errors = read(dialect, text.into()).1.expect_err("the text is rejected");
    errors.iter().map(|error| error.code.id).collect()
}

#[test]
fn a_hundred_thousand_parentheses() {
    let text = format!("input a, b: bool; decision d = {}a{} && b;", "(".repeat(DEEP), ")".repeat(DEEP));
    assert_eq!(accept(text).1.decisions[0].conditions.len(), 2);
}

#[test]
fn a_hundred_thousand_negations_evaluate_measure_and_print() {
    let text = format!("input a: bool; decision d = {}a;", "!".repeat(DEEP));
    let (source, spec) = accept(text);
    assert!(run(&spec, 0, &[Value::Bool(true)]).outcome);
    let goals = goals(&source, &spec, 0, Criterion::MaskingMcdc, GoalOptions::default()).expect("any shape");
    let mut meter = Meter::new(&spec, 0, &goals);
    assert_eq!(meter.add(&[Value::Bool(true)]).met.len(), 2);
    assert_eq!(meter.add(&[Value::Bool(false)]).met.len(), 2);
    let ast = parse(&source).expect("it was read before");
    assert!(DEEP < print(&source, &ast).len());
}

#[test]
fn a_hundred_thousand_nested_operators_conditionals_calls_and_terms() {
    let implications = format!("input a: bool; decision d = {}a;", "a -> (a || ".repeat(DEEP / 2) + &"a)".repeat(0));
    assert_eq!(codes(Dialect::Bool, implications), ["bool-syntax"]);
    let closed = format!("input a: bool; decision d = {}a{};", "a -> (a || ".repeat(DEEP), ")".repeat(DEEP));
    assert_eq!(accept(closed).1.decisions[0].conditions.len(), 2 * DEEP + 1);
    let conditionals = format!("input a: bool; decision d = {}a;", "a ? a : ".repeat(DEEP));
    assert_eq!(accept(conditionals).1.decisions[0].conditions.len(), 2 * DEEP + 1);
    let calls = format!("input x: int; decision d = {}x{} > 3;", "abs(".repeat(DEEP), ")".repeat(DEEP));
    assert!(run(&accept(calls).1, 0, &[Value::int(-7)]).outcome);
    let terms = format!("(declare-const a Bool)(assert {}a{})", "(not ".repeat(DEEP), ")".repeat(DEEP));
    let spec = read(Dialect::Smtlib, terms).1.expect("the script is well formed").0;
    assert_eq!(spec.decisions[0].conditions.len(), 1);
    let lets = format!("(declare-const a Bool)(assert {}a{})", "(let ((b a)) ".repeat(DEEP), ")".repeat(DEEP));
    assert!(read(Dialect::Smtlib, lets).1.is_ok());
}

#[test]
fn long_chains_of_definitions_in_any_order() {
    let mut text = String::from("input a: bool;\n");
    for number in (0..20_000).rev() {
        text += &format!("let d{} = d{number};\n", number + 1);
    }
    text += "let d0 = a; decision d = d20000;";
    assert_eq!(accept(text).1.decisions[0].conditions.len(), 1);
}

#[test]
fn definitions_that_multiply_are_refused_not_unfolded() {
    let mut text = String::from("input a: bool; let d0 = a && a;");
    for number in 0..60 {
        text += &format!("let d{} = d{number} || d{number};", number + 1);
    }
    assert_eq!(codes(Dialect::Bool, text + "decision d = d60;"), ["bool-too-large"]);
    let mut text = String::from("input a: bool; let d0(x: bool, y: bool) = x && y;");
    for number in 0..60 {
        text += &format!("let d{}(x: bool, y: bool) = d{number}(x && y, y) || d{number}(x, !y);", number + 1);
    }
    assert_eq!(codes(Dialect::Bool, text + "decision d = d60(a, a);"), ["bool-too-large"]);
    let mut text = String::from("(declare-const a Bool)(define-fun d0 ((x Bool)) Bool (and x x))");
    for number in 0..60 {
        text += &format!("(define-fun d{} ((x Bool)) Bool (or (d{number} x) (d{number} (not x))))", number + 1);
    }
    assert_eq!(codes(Dialect::Smtlib, text + "(assert (d60 a))"), ["bool-too-large"]);
}

#[test]
fn numbers_of_a_thousand_digits_are_exact() {
    let digits = "9".repeat(1000);
    let (_, spec) = accept(format!("input x: int; decision d = x > {digits};"));
    let limit: value::IBig = digits.parse().expect("digits");
    assert!(!run(&spec, 0, &[Value::Int(limit.clone())]).outcome);
    assert!(run(&spec, 0, &[Value::Int(limit + 1)]).outcome);
}

#[test]
fn empty_binary_and_broken_texts() {
    assert_eq!(codes(Dialect::Bool, ""), ["bool-empty"]);
    assert_eq!(codes(Dialect::Bool, " // nothing\n"), ["bool-empty"]);
    assert_eq!(codes(Dialect::Smtlib, "; nothing"), ["bool-empty"]);
    assert_eq!(codes(Dialect::Bool, "input a: bool;\0\0\0 decision d = a;"), ["bool-syntax"]);
    assert_eq!(codes(Dialect::Bool, "/* input"), ["bool-syntax"]);
    assert!(codes(Dialect::Bool, "\u{1}\u{2}\u{7f}ELF\u{fffd}".repeat(400)).len() <= 20);
    assert_eq!(codes(Dialect::Bool, "q".repeat(100_000)), ["bool-syntax"]);
    assert_eq!(codes(Dialect::Bool, "decision d = ".to_owned() + &"a && ".repeat(1000) + "a;").len(), 20);
}

#[test]
fn a_line_of_a_hundred_thousand_conditions_has_its_goals_in_seconds() {
    let (source, spec) = accept(format!("input a, b: bool; decision d = a{};", " && b || a".repeat(DEEP)));
    let goals = goals(&source, &spec, 0, Criterion::MaskingMcdc, GoalOptions::default()).expect("any shape");
    let last = goals.goals.last().and_then(|goal| goal.location.clone()).expect("a place");
    assert_eq!((goals.goals.len(), last.line, last.column as usize), (2 * DEEP + 1, 1, 32 + 10 * DEEP));
    let mut meter = Meter::new(&spec, 0, &goals);
    meter.add(&[true, false].map(Value::Bool));
    meter.add(&[false, false].map(Value::Bool));
}

#[test]
fn five_megabytes_are_read() {
    let bytes = 5_000_000;
    let mut text = String::from("input a, b, c: bool; input x: int;\ndecision d = a");
    while text.len() < bytes {
        text += "\n  || a && !b && (c || x + 1 > 41)";
    }
    text += ";";
    let (_, spec) = accept(text);
    assert!(bytes / 10 < spec.decisions[0].conditions.len());
    assert!(
        run(&spec, 0, &[true, true, true].map(Value::Bool).into_iter().chain([Value::int(0)]).collect::<Vec<_>>())
            .outcome
    );
}
