//! The evaluator and outside solvers agree on the value of random terms under random models.

use std::time::Duration;

use smt::{Answer, Evaluator, Limits, Op, Query, Solver, SolverError, Term, Terms, Theories};
use testkit::terms::{ALL_THEORIES, Choices, Pool, random_model};

const NOTHING: Theories = Theories {
    integers: false,
    reals: false,
    nonlinear: false,
    bit_vectors: false,
    arrays: false,
    enumerations: false,
};

/// Fixes every symbol to its value in the model and asserts that some term has another value than we say.
fn agree(name: &str, theories: Theories, seeds: std::ops::Range<u64>) {
    let Some(program) = testkit::installed(name) else { return };
    let mut solver = testkit::start(program);
    let mut decided = 0;
    let count = seeds.end - seeds.start;
    let mut terms = Terms::new();
    for seed in seeds {
        let mut choices = Choices::seeded(seed, 250);
        let pool = Pool::grow(&mut terms, theories, &mut choices);
        let symbols: Vec<Term> = pool.all().filter(|&term| terms.op(term) == Op::Symbol).collect();
        let model = random_model(&terms, &mut Choices::seeded(seed + 1_000_000, 300));
        let values = {
            let mut evaluator = Evaluator::new(&terms, &model);
            pool.all().map(|term| (term, evaluator.eval(term).clone())).collect::<Vec<_>>()
        };
        solver.push().expect("the solver is there");
        let mut fixed = Vec::new();
        let mut differences = Vec::new();
        for (term, value) in values {
            let constant = terms.constant(value);
            let equation = terms.eq(term, constant);
            if symbols.contains(&term) { fixed.push(equation) } else { differences.push(terms.not(equation)) }
        }
        let other = terms.or(&differences);
        let taken = fixed.iter().chain([&other]).try_for_each(|&fact| solver.assert(&terms, fact));
        let limits = Limits { time: Some(Duration::from_secs(5)), conflicts: None };
        match taken.and_then(|()| solver.check(&terms, Query { limits, ..Query::default() })) {
            Ok(Answer::Unsat { .. }) => decided += 1,
            Ok(Answer::Unknown(_)) | Err(SolverError::Unsupported { .. }) => {}
            Ok(Answer::Sat(_)) => {
                let culprit = differences.iter().find(|&&difference| {
                    solver.push().expect("the solver is there");
                    solver.assert(&terms, difference).expect("it was taken before");
                    let answer = solver.check(&terms, Query::default()).expect("the solver answers");
                    solver.pop().expect("the solver is there");
                    matches!(answer, Answer::Sat(_))
                });
                let shown = culprit.map(|&term| smt::print_term(&terms, term));
                panic!("{name}, seed {seed}: {shown:?} under {model:?}");
            }
            Err(error) => panic!("{name}, seed {seed}: {error}"),
        }
        solver.pop().expect("the solver is there");
    }
    assert!(count / 3 <= decided, "{name} decided only {decided} of {count}");
}

fn count() -> u64 {
    std::env::var("SPECIMEN_EVAL_SEEDS").ok().and_then(|count| count.parse().ok()).unwrap_or(40)
}

#[test]
fn z3() {
    agree("z3", ALL_THEORIES, 0..count());
}

#[test]
fn cvc5() {
    agree("cvc5", ALL_THEORIES, 0..count());
}

#[test]
fn yices() {
    // Its arrays have no constants, so models cannot be written down.
    let theories = Theories { nonlinear: false, enumerations: false, arrays: false, ..ALL_THEORIES };
    agree("yices", theories, 0..count());
}

#[test]
fn bitwuzla() {
    // It gives up on equations between arrays and constant ones, so models cannot be written down.
    agree("bitwuzla", Theories { bit_vectors: true, ..NOTHING }, 0..count());
}
