//! Layers over a solver that says what it is told to say.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use value::{Sort, Value};

use super::*;
use crate::{
    Answer, Capabilities, Interrupt, Limits, Model, Query, Scope, Solver, SolverError, Terms, Theories, Unknown, Wanted,
};

/// Gives its answers in order, each after a delay that an interrupt cuts short.
struct Fake {
    answers: VecDeque<Result<Answer, SolverError>>,
    delay: Duration,
    refuses: bool,
    asked: Arc<Mutex<Vec<(Limits, Wanted)>>>,
    capabilities: Capabilities,
}

fn fake(answers: impl IntoIterator<Item = Answer>) -> Fake {
    let theories =
        Theories { integers: true, reals: true, nonlinear: true, bit_vectors: true, arrays: true, enumerations: true };
    Fake {
        answers: answers.into_iter().map(Ok).collect(),
        delay: Duration::ZERO,
        refuses: false,
        asked: Arc::default(),
        capabilities: Capabilities { theories, cores: true, incremental: true },
    }
}

impl Solver for Fake {
    fn name(&self) -> &str {
        "fake"
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn assert(&mut self, _: &Terms, _: Term) -> Result<(), SolverError> {
        match self.refuses {
            true => Err(SolverError::Unsupported { solver: "fake".to_owned(), what: "anything".to_owned() }),
            false => Ok(()),
        }
    }

    fn push(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        Ok(())
    }

    fn check(&mut self, _: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        self.asked.lock().unwrap().push((query.limits, query.wanted));
        let start = Instant::now();
        while start.elapsed() < self.delay {
            if query.interrupt.is_raised() {
                return Ok(Answer::Unknown(Unknown::Interrupted));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.answers.pop_front().expect("the test says how often it asks")
    }
}

fn unsat(core: &[Term], scope: Scope) -> Answer {
    Answer::Unsat { core: core.to_vec(), scope }
}

/// Two Boolean symbols and a model for them.
fn two(first: bool, second: bool) -> (Terms, [Term; 2], Model) {
    let mut terms = Terms::new();
    let symbols = ["p", "q"].map(|name| terms.symbol(name, &Sort::Bool));
    let mut model = Model::new();
    model.insert(symbols[0], Value::Bool(first));
    model.insert(symbols[1], Value::Bool(second));
    (terms, symbols, model)
}

#[test]
fn checked_lets_good_models_through_and_stops_wrong_ones() {
    let (terms, [p, q], model) = two(true, false);
    let mut solver =
        Checked::new(fake([Answer::Sat(model.clone()), Answer::Sat(model.clone()), Answer::Sat(model.clone())]));
    let wanted = Wanted { model: true, core: false };
    solver.assert(&terms, p).unwrap();
    assert_eq!(solver.check(&terms, Query { wanted, ..Query::default() }), Ok(Answer::Sat(model)));
    let stopped = |answer: Result<Answer, SolverError>| match answer {
        Err(SolverError::WrongModel { solver, violated, script }) => {
            assert_eq!((solver.as_str(), violated.as_str()), ("fake", "q"));
            script
        }
        other => panic!("a wrong model is let through: {other:?}"),
    };
    let script = stopped(solver.check(&terms, Query { assumptions: &[q], ..Query::default() }));
    expect_test::expect![[r#"
        (set-option :produce-models true)
        (set-logic QF_UF)
        (declare-const p Bool)
        (assert p)
        (declare-const q Bool)
        (check-sat-assuming (q))
    "#]]
    .assert_eq(&script);
    solver.push().unwrap();
    solver.assert(&terms, q).unwrap();
    stopped(solver.check(&terms, Query::default()));
}

#[test]
fn checked_stops_a_contradiction_between_no_facts() {
    let (terms, [p, _], _) = two(true, true);
    let mut solver = Checked::new(fake([unsat(&[], Scope::All), unsat(&[], Scope::All), unsat(&[], Scope::All)]));
    let core = Wanted { model: false, core: true };
    let assumed = [p];
    let query = || Query { assumptions: &assumed, wanted: core, ..Query::default() };
    assert!(matches!(solver.check(&terms, query()), Err(SolverError::Garbage { .. })));
    assert!(matches!(solver.check(&terms, Query::default()), Err(SolverError::Garbage { .. })));
    solver.assert(&terms, p).unwrap();
    assert_eq!(solver.check(&terms, query()), Ok(unsat(&[], Scope::All)));
}

#[test]
fn checked_forgets_the_facts_of_closed_scopes_and_asks_for_models_itself() {
    let (terms, [_, q], model) = two(true, false);
    let inner = fake([Answer::Sat(model)]);
    let asked = inner.asked.clone();
    let mut solver = Checked::new(inner);
    solver.push().unwrap();
    solver.assert(&terms, q).unwrap();
    solver.pop().unwrap();
    assert_eq!(solver.check(&terms, Query::default()), Ok(Answer::Sat(Model::new())));
    assert!(asked.lock().unwrap()[0].1.model);
}

#[test]
fn checked_stops_values_of_another_sort_and_foreign_cores() {
    let (terms, [p, q], mut model) = two(true, true);
    model.insert(p, Value::int(1));
    let mut solver = Checked::new(fake([Answer::Sat(model), unsat(&[p], Scope::All), unsat(&[q], Scope::All)]));
    assert!(matches!(solver.check(&terms, Query::default()), Err(SolverError::WrongModel { .. })));
    let assumed = [q];
    let query = || Query { assumptions: &assumed, ..Query::default() };
    assert!(matches!(solver.check(&terms, query()), Err(SolverError::Garbage { .. })));
    assert_eq!(solver.check(&terms, query()), Ok(unsat(&[q], Scope::All)));
}

#[test]
fn limited_takes_the_lower_limit() {
    let inner = fake([unsat(&[], Scope::All), unsat(&[], Scope::All)]);
    let asked = inner.asked.clone();
    let second = Duration::from_secs(1);
    let mut solver = Limited::new(inner, Limits { conflicts: Some(10), time: Some(second) });
    solver.check(&Terms::new(), Query::default()).unwrap();
    let limits = Limits { conflicts: Some(5), time: Some(2 * second) };
    solver.check(&Terms::new(), Query { limits, ..Query::default() }).unwrap();
    let asked: Vec<Limits> = asked.lock().unwrap().iter().map(|(limits, _)| *limits).collect();
    let expected = |conflicts| Limits { conflicts: Some(conflicts), time: Some(second) };
    assert_eq!(asked, [expected(10), expected(5)]);
}

#[test]
fn recorded_writes_a_script_that_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("talk.smt2");
    let (mut terms, [p, q], model) = two(true, false);
    let both = terms.and(&[p, q]);
    let unknown = Answer::Unknown(Unknown::Incomplete("two\nlines".to_owned()));
    let inner = fake([Answer::Sat(model), unsat(&[], Scope::All), unknown]);
    let mut solver = Recorded::new(inner, &path).unwrap();
    solver.assert(&terms, p).unwrap();
    solver.check(&terms, Query::default()).unwrap();
    solver.push().unwrap();
    let not = terms.not(q);
    solver.check(&terms, Query { assumptions: &[not, both], ..Query::default() }).unwrap();
    solver.pop().unwrap();
    solver.check(&terms, Query { assumptions: &[both], ..Query::default() }).unwrap();
    solver.assert(&terms, q).unwrap();
    drop(solver);
    let text = std::fs::read_to_string(&path).unwrap();
    expect_test::expect![[r#"
        (set-option :produce-models true)
        (set-logic QF_UF       )
        (declare-const p Bool)
        (assert p)
        (check-sat) ; sat
        (push 1)
        (declare-const q Bool)
        (declare-const $assumed Bool)
        (assert (=> $assumed (and p q)))
        (check-sat-assuming ((not q) $assumed)) ; unsat
        (pop 1)
        (declare-const q Bool)
        (define-fun $4 () Bool (and p q))
        (declare-const $assumed!1 Bool)
        (assert (=> $assumed!1 $4))
        (check-sat-assuming ($assumed!1)) ; unknown: the solver gave up: two lines
        (assert q)
    "#]]
    .assert_eq(&text);
    let mut again = Terms::new();
    assert_eq!(crate::read_script(&mut again, &text).unwrap().assertions().len(), 3);
}

#[test]
fn recorded_says_where_it_cannot_write() {
    let path = std::path::Path::new("/nonexistent/talk.smt2");
    assert!(matches!(Recorded::new(fake([]), path), Err(SolverError::Record { .. })));
}

fn race(members: Vec<Fake>) -> Raced {
    Raced::new(members.into_iter().map(|member| Box::new(member) as Box<dyn Solver>).collect())
}

fn slow(mut member: Fake) -> Fake {
    member.delay = Duration::from_secs(60);
    member
}

#[test]
fn the_earliest_member_with_a_definite_answer_ends_the_race() {
    let start = Instant::now();
    let gives_up = fake([Answer::Unknown(Unknown::Incomplete("no".to_owned()))]);
    let mut solver = race(vec![gives_up, fake([unsat(&[], Scope::All)]), slow(fake([]))]);
    assert_eq!(solver.check(&Terms::new(), Query::default()), Ok(unsat(&[], Scope::All)));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn which_answer_counts_does_not_depend_on_who_is_quicker() {
    let (terms, [p, _], model) = two(true, true);
    let other = two(true, false).2;
    let mut late = fake([Answer::Sat(model.clone())]);
    late.delay = Duration::from_millis(200);
    let mut solver = race(vec![late, fake([Answer::Sat(other)])]);
    solver.assert(&terms, p).unwrap();
    assert_eq!(solver.check(&terms, Query::default()), Ok(Answer::Sat(model)));
}

#[test]
fn an_interrupt_ends_the_race() {
    let interrupt = Interrupt::new();
    interrupt.raise();
    let mut solver = race(vec![slow(fake([])), slow(fake([]))]);
    let answer = solver.check(&Terms::new(), Query { interrupt, ..Query::default() });
    assert_eq!(answer, Ok(Answer::Unknown(Unknown::Interrupted)));
}

#[test]
fn a_theorem_beats_a_claim_for_some_width_and_contradictions_are_errors() {
    let narrow = || fake([unsat(&[], Scope::Width(8))]);
    let check = |members| race(members).check(&Terms::new(), Query::default());
    assert_eq!(check(vec![narrow(), fake([unsat(&[], Scope::All)])]), Ok(unsat(&[], Scope::All)));
    assert_eq!(check(vec![narrow(), narrow()]), Ok(unsat(&[], Scope::Width(8))));
    let sat = || fake([Answer::Sat(Model::new())]);
    assert_eq!(check(vec![narrow(), sat()]), Ok(Answer::Sat(Model::new())));
    let contradiction = check(vec![sat(), fake([unsat(&[], Scope::All)])]);
    assert!(matches!(contradiction, Err(SolverError::Garbage { .. })), "{contradiction:?}");
}

#[test]
fn a_member_that_refuses_a_fact_sits_out_until_its_scope_ends() {
    let (terms, [p, _], model) = two(true, true);
    let mut refuses = fake([unsat(&[], Scope::All)]);
    refuses.refuses = true;
    let mut solver = race(vec![refuses, fake([Answer::Sat(model.clone()), Answer::Unknown(Unknown::Time)])]);
    solver.push().unwrap();
    solver.assert(&terms, p).unwrap();
    assert_eq!(solver.check(&terms, Query::default()), Ok(Answer::Sat(model)));
    solver.pop().unwrap();
    assert_eq!(solver.check(&terms, Query::default()), Ok(unsat(&[], Scope::All)));
    let mut alone = fake([]);
    alone.refuses = true;
    let mut solver = race(vec![alone]);
    assert!(matches!(solver.assert(&terms, p), Err(SolverError::Unsupported { .. })));
}
