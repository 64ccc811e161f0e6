//! The script of a model says what the interpreter does: every assignment of a small model is a step in both or in neither.

use std::collections::BTreeSet;

use action::interp::Interpreter;
use action::trace::{Event, Label, Step};
use action::{Notation, Spec, load};
use draw_action::{Limits, translate};
use smt::{Evaluator, Model, Term, Terms};
use source::Source;
use value::{IBig, Sort, Value};

fn read(text: &str) -> Spec {
    load(&Source::new("small.as", text), Notation::Native).unwrap_or_else(|errors| panic!("{errors:?}")).0
}

/// Every list of numbers within these intervals.
fn all(intervals: &[(i64, i64)]) -> Vec<Vec<i64>> {
    intervals.iter().fold(vec![Vec::new()], |lists, (low, high)| {
        lists
            .into_iter()
            .flat_map(|list| (*low..=*high).map(move |value| [list.clone(), vec![value]].concat()))
            .collect()
    })
}

#[test]
fn the_script_allows_exactly_the_steps_of_the_model() {
    let spec = read(
        "type T = 0..2; type C = array 0..1 of T; var x: T = 0; var c: C = 1; \
         action set(v, w) when v != x { choose { x := v } or { c[w] := v; x := (x + w) mod 3 } } \
         action drop when c[0] < c[1] { try { when x = 0 { skip } } else { x := 6 / x } } \
         do set(V, W) for V: T, W: T [] drop od",
    );
    let script = translate(&spec, &Limits::default()).expect("a small model");
    let mut terms = Terms::new();
    let read = smt::read_script(&mut terms, &script).expect("a script that can be read");
    let facts = read.assertions();
    let symbol = |terms: &mut Terms, name: &str| terms.symbol(name, &Sort::Int);
    let names = ["trace", "trace_0", "trace_1"].map(str::to_owned).into_iter();
    let slots: Vec<String> = spec.slots().iter().map(|slot| slot.name.clone()).collect();
    let after = slots.iter().map(|name| format!("{name}_post"));
    let symbols: Vec<Term> = names.chain(slots.clone()).chain(after).map(|name| symbol(&mut terms, &name)).collect();
    let mut interpreter = Interpreter::new(&spec);
    let mut found = 0;
    for pre in all(&[(0, 2); 3]) {
        let mut expected: BTreeSet<Step> = BTreeSet::new();
        for label in all(&[(1, 2), (0, 2), (0, 2)]) {
            let event = match label[0] {
                1 => Event { action: "set".to_owned(), arguments: label[1..].to_vec() },
                _ => Event { action: "drop".to_owned(), arguments: Vec::new() },
            };
            let label = Label(vec![event]);
            let posts = interpreter.after(&pre, &label).expect("few ways");
            expected.extend(posts.into_iter().map(|post| Step { label: label.clone(), post }));
        }
        let mut allowed = BTreeSet::new();
        for values in all(&[(0, 2), (0, 2), (0, 2), (0, 2), (0, 2), (0, 2)]) {
            let (label, post) = (&values[..3], &values[3..]);
            let mut model = Model::new();
            let numbers = label.iter().chain(&pre).chain(post);
            symbols
                .iter()
                .zip(numbers)
                .for_each(|(symbol, number)| model.insert(*symbol, Value::Int(IBig::from(*number))));
            let mut evaluator = Evaluator::new(&terms, &model);
            if facts.iter().all(|fact| evaluator.holds(*fact)) {
                let event = match label[0] {
                    1 => Event { action: "set".to_owned(), arguments: label[1..].to_vec() },
                    2 if label[1..] == [0, 0] => Event { action: "drop".to_owned(), arguments: Vec::new() },
                    _ => panic!("no such label: {label:?}"),
                };
                allowed.insert(Step { label: Label(vec![event]), post: post.to_vec() });
            }
        }
        assert_eq!(allowed, expected, "from {pre:?}");
        found += allowed.len();
    }
    assert!(40 < found, "the model does something: {found} steps");
}
