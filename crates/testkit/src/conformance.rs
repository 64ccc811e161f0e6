//! The conformance suite: what every back end must do.
//!
//! Models are judged by evaluation, claims of unsatisfiability by random models, and every theory a back end claims to
//! decide is tried with the table in [`cases`].

mod cases;

use std::time::{Duration, Instant};

use smt::{
    Answer, Evaluator, Interrupt, Limits, Model, Op, Query, Scope, Solver, SolverError, Term, Terms, Unknown, Wanted,
    print_term,
};
use value::Sort;

use crate::terms::{Choices, Pool, random_model};

/// Runs the whole suite; every test gets a solver of its own from `make`.
///
/// # Panics
/// When the solver does something it must not, with a message that says what.
pub fn conformance(make: &mut dyn FnMut() -> Box<dyn Solver>) {
    for test in [
        nothing_is_satisfiable,
        models_satisfy_the_facts,
        contradictions_are_unsatisfiable,
        assumptions_do_not_persist,
        cores_are_enough,
        assumptions_may_be_any_terms,
        scopes_end_with_their_facts,
        facts_may_come_between_checks,
        time_limits_are_kept,
        interrupts_are_heard,
    ] {
        test(&mut *make());
    }
    cases::run(make);
    random_problems(make, 60);
}

const EVERYTHING: Wanted = Wanted { model: true, core: true };

fn limits() -> Limits {
    Limits { time: Some(Duration::from_secs(30)), conflicts: None }
}

fn ask(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> Answer {
    let query = Query { assumptions, wanted: EVERYTHING, limits: limits(), interrupt: Interrupt::new() };
    solver.check(terms, query).unwrap_or_else(|error| panic!("{} failed: {error}", solver.name()))
}

/// The model of a problem that has one; it is checked.
fn satisfied(solver: &mut dyn Solver, terms: &Terms, facts: &[Term], assumptions: &[Term]) -> Model {
    match ask(solver, terms, assumptions) {
        Answer::Sat(model) => {
            judge(solver.name(), terms, &model, facts.iter().chain(assumptions));
            model
        }
        other => {
            let printed: Vec<_> = facts.iter().chain(assumptions).map(|&fact| print_term(terms, fact)).collect();
            panic!("{} must find a model of {}, not {other:?}", solver.name(), printed.join(" "))
        }
    }
}

fn judge<'a>(name: &str, terms: &Terms, model: &Model, facts: impl Iterator<Item = &'a Term>) {
    let mut evaluator = Evaluator::new(terms, model);
    for &fact in facts {
        assert!(evaluator.holds(fact), "{name}: the model {model:?} violates {}", print_term(terms, fact));
    }
}

/// The core of a problem that has no model.
fn refuted(solver: &mut dyn Solver, terms: &Terms, assumptions: &[Term]) -> Vec<Term> {
    match ask(solver, terms, assumptions) {
        Answer::Unsat { core, .. } => {
            let foreign = core.iter().find(|part| !assumptions.contains(part));
            assert_eq!(foreign, None, "{}: the core is a part of the assumptions", solver.name());
            core
        }
        other => panic!("{} must refute this, not say {other:?}", solver.name()),
    }
}

fn assert_all(solver: &mut dyn Solver, terms: &Terms, facts: &[Term]) {
    for &fact in facts {
        solver.assert(terms, fact).unwrap_or_else(|error| panic!("{} failed: {error}", solver.name()));
    }
}

fn done<T>(result: Result<T, SolverError>) -> T {
    result.unwrap_or_else(|error| panic!("the solver failed: {error}"))
}

fn symbols(terms: &mut Terms, count: usize) -> Vec<Term> {
    (0..count).map(|place| terms.symbol(&format!("p{place}"), &Sort::Bool)).collect()
}

fn nothing_is_satisfiable(solver: &mut dyn Solver) {
    let terms = Terms::new();
    satisfied(solver, &terms, &[], &[]);
    let truth = terms.bool(true);
    assert_all(solver, &terms, &[truth]);
    satisfied(solver, &terms, &[truth], &[]);
}

fn models_satisfy_the_facts(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 6);
    let facts: Vec<Term> = p.windows(2).map(|pair| terms.xor(pair[0], pair[1])).collect();
    assert_all(solver, &terms, &facts);
    let model = satisfied(solver, &terms, &facts, &[p[3]]);
    assert!(p.iter().all(|&symbol| model.get(symbol).is_some()), "{}: every symbol has a value", solver.name());
    let not = terms.not(p[3]);
    satisfied(solver, &terms, &facts, &[not]);
}

fn contradictions_are_unsatisfiable(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 2);
    let facts = [terms.implies(p[0], p[1]), p[0], terms.not(p[1])];
    assert_all(solver, &terms, &facts);
    assert_eq!(refuted(solver, &terms, &[]), []);
    refuted(solver, &terms, &[p[0]]);
}

fn assumptions_do_not_persist(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 2);
    let fact = terms.or(&p);
    let not: Vec<Term> = p.iter().map(|&p| terms.not(p)).collect();
    assert_all(solver, &terms, &[fact]);
    satisfied(solver, &terms, &[fact], &[not[0]]);
    refuted(solver, &terms, &not);
    satisfied(solver, &terms, &[fact], &[not[1]]);
    satisfied(solver, &terms, &[fact], &p);
}

fn cores_are_enough(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 8);
    let fact = terms.implies(p[2], p[5]);
    let not = terms.not(p[5]);
    assert_all(solver, &terms, &[fact]);
    let assumptions = [p[0], p[1], p[2], p[3], not, p[6], p[7]];
    let core = refuted(solver, &terms, &assumptions);
    if solver.capabilities().cores {
        assert!(core.contains(&p[2]) && core.contains(&not), "{}: both culprits are in the core", solver.name());
        refuted(solver, &terms, &core);
    }
    satisfied(solver, &terms, &[fact], &[p[0], p[1], p[2], p[3]]);
}

fn assumptions_may_be_any_terms(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 3);
    let (yes, no) = (terms.bool(true), terms.bool(false));
    let both = terms.and(&[p[0], p[1]]);
    let neither = terms.app(Op::Distinct, &[both, p[2]]);
    let twice = terms.not(p[0]);
    let twice = terms.not(twice);
    assert_all(solver, &terms, &[p[0]]);
    satisfied(solver, &terms, &[p[0]], &[yes, both, neither, both, twice]);
    refuted(solver, &terms, &[p[1], no]);
    let not_both = terms.not(both);
    let core = refuted(solver, &terms, &[p[2], not_both, p[1], p[1]]);
    if solver.capabilities().cores {
        assert!(core.contains(&not_both), "{}: the culprit is in the core", solver.name());
    }
    refuted(solver, &terms, &[p[2], terms.bool(true), neither, both]);
    satisfied(solver, &terms, &[p[0]], &[neither]);
}

fn scopes_end_with_their_facts(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 3);
    let not = terms.not(p[0]);
    assert_all(solver, &terms, &[p[0]]);
    done(solver.push());
    assert_all(solver, &terms, &[p[1]]);
    done(solver.push());
    assert_all(solver, &terms, &[not]);
    refuted(solver, &terms, &[p[2]]);
    done(solver.pop());
    let model = satisfied(solver, &terms, &[p[0], p[1]], &[p[2]]);
    assert!(model.get(p[1]).is_some());
    done(solver.pop());
    let away = terms.not(p[1]);
    satisfied(solver, &terms, &[p[0]], &[away]);
    assert_all(solver, &terms, &[p[1]]);
    refuted(solver, &terms, &[away]);
}

fn facts_may_come_between_checks(solver: &mut dyn Solver) {
    if !solver.capabilities().incremental {
        return;
    }
    let mut terms = Terms::new();
    let p = symbols(&mut terms, 20);
    let mut facts = Vec::new();
    for pair in p.windows(2) {
        let fact = terms.implies(pair[0], pair[1]);
        facts.push(fact);
        assert_all(solver, &terms, &[fact]);
        satisfied(solver, &terms, &facts, &[p[0]]);
        let not = terms.not(pair[1]);
        refuted(solver, &terms, &[p[0], not]);
    }
}

/// A problem no solver decides quickly: more pigeons than holes.
fn pigeons(terms: &mut Terms, holes: usize) -> Vec<Term> {
    let mut at = Vec::new();
    for pigeon in 0..=holes {
        at.push((0..holes).map(|hole| terms.symbol(&format!("in{pigeon}.{hole}"), &Sort::Bool)).collect::<Vec<_>>());
    }
    let mut facts: Vec<Term> = at.iter().map(|holes| terms.or(holes)).collect();
    for (place, first) in at.iter().enumerate() {
        for second in &at[place + 1..] {
            for (&left, &right) in first.iter().zip(second) {
                let both = terms.and(&[left, right]);
                facts.push(terms.not(both));
            }
        }
    }
    facts
}

fn time_limits_are_kept(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let facts = pigeons(&mut terms, 14);
    let easy = terms.symbol("easy", &Sort::Bool);
    done(solver.push());
    assert_all(solver, &terms, &facts);
    let start = Instant::now();
    let limits = Limits { time: Some(Duration::from_millis(300)), conflicts: None };
    let answer = done(solver.check(&terms, Query { limits, ..Query::default() }));
    assert!(start.elapsed() < Duration::from_secs(10), "{}: the time limit passed long ago", solver.name());
    assert!(matches!(answer, Answer::Unknown(Unknown::Time) | Answer::Unsat { .. }), "{answer:?}");
    done(solver.pop());
    satisfied(solver, &terms, &[], &[easy]);
}

fn interrupts_are_heard(solver: &mut dyn Solver) {
    let mut terms = Terms::new();
    let facts = pigeons(&mut terms, 14);
    done(solver.push());
    assert_all(solver, &terms, &facts);
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let start = Instant::now();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        raised.raise();
    });
    let query = Query { interrupt: interrupt.clone(), limits: limits(), ..Query::default() };
    let answer = done(solver.check(&terms, query));
    thread.join().expect("the other thread only raises the interrupt");
    assert!(start.elapsed() < Duration::from_secs(10), "{}: it was interrupted long ago", solver.name());
    assert!(matches!(answer, Answer::Unknown(Unknown::Interrupted) | Answer::Unsat { .. }), "{answer:?}");
    let again = done(solver.check(&terms, Query { interrupt, limits: limits(), ..Query::default() }));
    assert!(matches!(again, Answer::Unknown(Unknown::Interrupted) | Answer::Unsat { .. }), "{again:?}");
    done(solver.pop());
    satisfied(solver, &terms, &[], &[]);
}

/// Random problems of the theories the solver claims. Models are evaluated; refutations are attacked with random
/// models. Every second problem has a model by construction.
fn random_problems(make: &mut dyn FnMut() -> Box<dyn Solver>, count: u64) {
    let mut decided = 0;
    for seed in 0..count {
        let mut solver = make();
        let mut terms = Terms::new();
        let pool = Pool::grow(&mut terms, solver.capabilities().theories, &mut Choices::seeded(seed, 150));
        let mut facts = pool.facts(6);
        let planted = random_model(&terms, &mut Choices::seeded(seed + 1_000_000, 200));
        if seed % 2 == 0 {
            facts = satisfied_by(&mut terms, &planted, &facts);
        }
        let taken: Result<(), SolverError> = facts.iter().try_for_each(|&fact| solver.assert(&terms, fact));
        let limits = Limits { time: Some(Duration::from_secs(2)), conflicts: None };
        let query = Query { wanted: EVERYTHING, limits, ..Query::default() };
        match taken.and_then(|()| solver.check(&terms, query)) {
            Err(SolverError::Unsupported { .. }) | Ok(Answer::Unknown(_)) => {}
            Ok(Answer::Unsat { scope: Scope::Width(_), .. }) => decided += 1,
            Err(error) => panic!("{}, seed {seed}: {error}", solver.name()),
            Ok(Answer::Sat(model)) => {
                decided += 1;
                judge(solver.name(), &terms, &model, facts.iter());
            }
            Ok(Answer::Unsat { scope: Scope::All, .. }) => {
                decided += 1;
                attack(solver.name(), &terms, &planted, &facts);
                for attempt in 0..30 {
                    let model = random_model(&terms, &mut Choices::seeded(1000 * seed + attempt, 200));
                    attack(solver.name(), &terms, &model, &facts);
                }
            }
        }
    }
    assert!(count / 2 <= decided, "only {decided} of {count} random problems were decided");
}

/// The facts, each negated if it does not hold in the model.
fn satisfied_by(terms: &mut Terms, model: &Model, facts: &[Term]) -> Vec<Term> {
    let holds: Vec<bool> = {
        let mut evaluator = Evaluator::new(terms, model);
        facts.iter().map(|&fact| evaluator.holds(fact)).collect()
    };
    facts.iter().zip(holds).map(|(&fact, holds)| if holds { fact } else { terms.not(fact) }).collect()
}

fn attack(name: &str, terms: &Terms, model: &Model, facts: &[Term]) {
    let mut evaluator = Evaluator::new(terms, model);
    let survives = facts.iter().all(|&fact| evaluator.holds(fact));
    let printed = || facts.iter().map(|&fact| print_term(terms, fact)).collect::<Vec<_>>().join(" ");
    assert!(!survives, "{name} refuted {}, which holds in {model:?}", printed());
}
