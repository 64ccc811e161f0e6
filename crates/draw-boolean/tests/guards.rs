//! What happens when an encoding is wrong: the judge and the random attack must notice, each what the other cannot.

use indexmap::IndexMap;
use search::{
    Abilities, Backend, Bound, Completeness, Encodes, Options, Outcome, Part, Problem, Reason, Replay, Replayed,
    SearchError, Searcher, Session, Subject, Witness,
};
use serde_json::json;
use smt::{Model, Term, Terms};
use testcase::{Goal, GoalStatus, Inputs, ObligationId, TestCase};
use value::{BitVec, Sort, UBig, Value};

/// What is wrong with the encoding.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// Nothing.
    None,
    /// Inputs are read one too high.
    WrongInputs,
    /// Five is excluded, and that is claimed for good.
    TooStrict,
    /// Five is excluded, and that is claimed up to a bound.
    TooStrictUpToABound,
}

/// One input from 0 to 7; a goal for each value.
struct Octal {
    fault: Fault,
    goals: Vec<Goal>,
}

impl Octal {
    fn new(fault: Fault) -> Octal {
        let goal =
            |number: u32| Goal::new(format!("x={number}"), String::new(), None, vec![vec![ObligationId(number)]]);
        Octal { fault, goals: (0..8).map(goal).collect() }
    }
}

fn inputs(number: u32) -> Inputs {
    Inputs::Assignment(IndexMap::from([("x".to_owned(), Value::int(number % 8))]))
}

fn number(inputs: &Inputs) -> u32 {
    let Inputs::Assignment(values) = inputs else { panic!("assignments only") };
    values["x"].to_string().parse().expect("a small number")
}

impl Subject for Octal {
    fn goals(&self) -> &[Goal] {
        &self.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.len()
    }

    fn searcher<'s>(&'s self, _backend: &'s Backend, _options: &Options) -> Result<Searcher<'s>, SearchError> {
        Ok(Searcher::Terms(self))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(OctalReplay { seen: Vec::new() })
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        (0..count as u32).map(|step| inputs(step + seed as u32)).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities { encodes: Some(self), ..Abilities::default() }
    }
}

impl Encodes for Octal {
    fn encode(&self, terms: &mut Terms, _bound: Bound) -> Option<Box<dyn Problem + '_>> {
        let x = terms.symbol("x", &Sort::BitVec(3));
        let five = constant(terms, 5);
        let is_five = terms.eq(x, five);
        let facts = match self.fault {
            Fault::None | Fault::WrongInputs => Vec::new(),
            Fault::TooStrict | Fault::TooStrictUpToABound => {
                vec![Part { term: terms.not(is_five), reason: Reason(0) }]
            }
        };
        Some(Box::new(OctalProblem { fault: self.fault, x, facts }))
    }

    fn explain(&self, _obligation: ObligationId, _core: &[Reason]) -> String {
        "excluded".into()
    }
}

struct OctalProblem {
    fault: Fault,
    x: Term,
    facts: Vec<Part>,
}

impl Problem for OctalProblem {
    fn facts(&self) -> &[Part] {
        &self.facts
    }

    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part> {
        let wanted = constant(terms, obligation.0);
        vec![Part { term: terms.eq(self.x, wanted), reason: Reason(1) }]
    }

    fn decode(&self, terms: &Terms, model: &Model, _obligation: Option<ObligationId>) -> Vec<Inputs> {
        let Value::BitVec(bits) = model.value(terms, self.x) else { panic!("x is a bit-vector") };
        let number: u32 = bits.bits().to_string().parse().expect("three bits");
        vec![inputs(number + u32::from(self.fault == Fault::WrongInputs))]
    }

    fn same_as(&mut self, _terms: &mut Terms, _inputs: &Inputs) -> Vec<Term> {
        Vec::new()
    }

    fn completeness(&self) -> Completeness {
        match self.fault {
            Fault::TooStrictUpToABound => Completeness::UpTo("within one step".into()),
            _ => Completeness::Complete,
        }
    }
}

struct OctalReplay {
    seen: Vec<u32>,
}

impl Replay for OctalReplay {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let number = number(inputs);
        let met = if self.seen.contains(&number) { Vec::new() } else { vec![ObligationId(number)] };
        self.seen.push(number);
        let expected = IndexMap::from([("x".to_owned(), json!(number))]);
        Replayed { test: TestCase { inputs: inputs.clone(), expected, notes: IndexMap::new() }, met, objection: None }
    }

    fn witnesses(&self) -> Vec<Witness> {
        let tests = self.seen.iter().zip(0u32..);
        tests.map(|(&number, test)| Witness { obligation: ObligationId(number), tests: vec![test] }).collect()
    }
}

fn constant(terms: &mut Terms, number: u32) -> Term {
    terms.constant(Value::BitVec(BitVec::new(3, UBig::from(number))))
}

fn generate(fault: Fault, options: Options) -> Result<Outcome, SearchError> {
    let subject = Octal::new(fault);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options)?;
    while session.pull()?.is_some() {}
    session.finish()
}

#[track_caller]
fn disagreement(result: Result<Outcome, SearchError>, words: &str) {
    match result {
        Err(SearchError::Disagreement(text)) => assert!(text.contains(words), "{text}"),
        other => panic!("no disagreement: {other:?}"),
    }
}

#[test]
fn an_honest_encoding_covers_everything_with_one_test_each() {
    let outcome = generate(Fault::None, Options::default()).expect("nothing is wrong");
    assert!(outcome.statuses.iter().all(|status| *status == GoalStatus::Covered));
    assert_eq!(outcome.tests.len(), 8);
    assert_eq!(outcome.minimality, testcase::Minimality::Proved);
}

#[test]
fn a_test_that_does_not_show_what_the_solver_says_is_never_kept() {
    disagreement(generate(Fault::WrongInputs, Options::default()), "does not meet it when run");
}

#[test]
fn a_false_claim_of_infeasibility_falls_to_a_random_run() {
    disagreement(generate(Fault::TooStrict, Options::default()), "a random run shows it");
}

#[test]
fn without_the_attack_a_false_claim_would_go_unnoticed() {
    let outcome = generate(Fault::TooStrict, Options { attacks: 0, ..Options::default() }).expect("nobody looks");
    assert_eq!(outcome.statuses[5], GoalStatus::Infeasible("excluded".into()));
}

#[test]
fn a_bounded_claim_that_a_random_run_refutes_becomes_a_test() {
    let outcome = generate(Fault::TooStrictUpToABound, Options::default()).expect("bounded claims may fall");
    assert_eq!(outcome.statuses[5], GoalStatus::Covered);
    let unseen = generate(Fault::TooStrictUpToABound, Options { attacks: 0, ..Options::default() }).expect("no attack");
    assert_eq!(unseen.statuses[5], GoalStatus::InfeasibleUpTo("within one step: excluded".into()));
}

#[test]
fn shards_meet_their_own_goals_only() {
    let shard = Some(search::Shard { index: 1, count: 2 });
    let outcome = generate(Fault::None, Options { shard, ..Options::default() }).expect("nothing is wrong");
    let covered: Vec<usize> = (0..8).filter(|&goal| outcome.statuses[goal] == GoalStatus::Covered).collect();
    assert_eq!(covered, [1, 3, 5, 7]);
    assert_eq!(outcome.statuses[0], GoalStatus::Unknown("it belongs to another shard".into()));
    assert!(outcome.complete);
}

#[test]
fn a_limit_leaves_the_rest_open() {
    let outcome = generate(Fault::None, Options { limit: Some(3), ..Options::default() }).expect("nothing is wrong");
    assert_eq!(outcome.tests.len(), 3);
    assert!(!outcome.complete);
    assert_eq!(outcome.statuses[7], GoalStatus::Unknown("the limit of tests was reached".into()));
}

#[test]
fn kept_tests_stay_although_others_cover_the_same() {
    let (subject, options) = (Octal::new(Fault::None), Options::default());
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the built-in solver is always there");
    session.keep_tests(&[inputs(3), inputs(6)]).expect("allowed inputs");
    while session.pull().expect("nothing is wrong").is_some() {}
    let outcome = session.finish().expect("nothing is wrong");
    assert_eq!(outcome.tests.len(), 8);
    assert_eq!(outcome.tests[..2].iter().map(|test| number(&test.test().inputs)).collect::<Vec<_>>(), [3, 6]);
}
