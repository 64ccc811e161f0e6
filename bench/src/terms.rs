//! How fast terms are built, and how much memory they take.

use smt::{Op, Term, Terms};
use value::{Sort, UBig};

use crate::table::{Table, seconds, timed};

const COUNT: usize = 10_000_000;

pub(crate) fn measure() -> Vec<Table> {
    let mut table = Table::new(
        "Terms: building and memory (wanted: 5 M nodes/s, 40 bytes)",
        &["nodes", "time", "M nodes/s", "bytes/node"],
    );
    for (name, build) in [
        ("distinct bit-vector sums", sums as fn(&mut Terms)),
        ("conjunctions and negations", conjunctions),
        ("repeated terms, all found again", repetitions),
    ] {
        let mut terms = Terms::new();
        let ((), time) = timed(|| build(&mut terms));
        let rate = COUNT as f64 / time.as_secs_f64() / 1e6;
        let bytes = if terms.len() < COUNT / 2 {
            "-".into()
        } else {
            format!("{:.1}", terms.memory() as f64 / terms.len() as f64)
        };
        table.row(name, vec![COUNT.to_string(), seconds(time), format!("{rate:.1}"), bytes]);
    }
    vec![table]
}

fn start(terms: &mut Terms) -> (Term, Term) {
    let sort = Sort::BitVec(32);
    let one = terms.constant(value::Value::BitVec(value::BitVec::new(32, UBig::ONE)));
    (terms.symbol("x", &sort), one)
}

fn sums(terms: &mut Terms) {
    let (mut sum, one) = start(terms);
    for _ in 0..COUNT {
        sum = terms.app(Op::BvAdd, &[sum, one]);
    }
}

fn conjunctions(terms: &mut Terms) {
    let symbol = terms.symbol("p", &Sort::Bool);
    let mut formula = symbol;
    for _ in 0..COUNT / 2 {
        let negated = terms.not(formula);
        formula = terms.and(&[symbol, negated]);
    }
}

fn repetitions(terms: &mut Terms) {
    let (x, one) = start(terms);
    let small: Vec<Term> = (0..1000u32)
        .map(|number| terms.constant(value::Value::BitVec(value::BitVec::new(32, UBig::from(number)))))
        .collect();
    let mut last = one;
    for index in 0..COUNT {
        last = terms.app(Op::BvAdd, &[x, small[index % small.len()]]);
    }
    assert_eq!(terms.op(last), Op::BvAdd);
}
