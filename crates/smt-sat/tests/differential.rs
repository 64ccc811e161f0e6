//! Random terms of all theories: models are evaluated, contradictions are attacked with random models, and both are put
//! to the other solvers that are installed.

#![allow(clippy::unwrap_used, reason = "the functions beside the tests belong to them")]

use std::time::Duration;

use proptest::prelude::*;
use smt::{
    Answer, Checked, Evaluator, Limits, Model, Op, ProcessSolver, Query, Scope, Solver, SolverError, Term, Terms,
    Theories, Wanted, print_script,
};
use smt_sat::{SatSolver, supports};
use testkit::terms::{ALL_THEORIES, Choices, Pool, choices, random_model};
use value::{BitVec, EnumValue, Sort, UBig, Value};

const NOTHING: Theories = Theories {
    integers: false,
    reals: false,
    nonlinear: false,
    bit_vectors: false,
    arrays: false,
    enumerations: false,
};

/// What the rounds came to.
#[derive(Debug, Default)]
struct Tally {
    sat: usize,
    unsat: usize,
    unsat_at_width: usize,
    unsupported: usize,
    unknown: usize,
}

/// Another solver, as one process for many problems, and how often it decided what we had decided.
struct Peer {
    name: &'static str,
    solver: Checked<ProcessSolver>,
    decided: usize,
}

/// The other solvers that are installed.
fn peers() -> Vec<Peer> {
    let start = |&name: &&'static str| {
        let solver = ProcessSolver::new(testkit::installed(name)?).expect("it was located");
        Some(Peer { name, solver: Checked::new(solver), decided: 0 })
    };
    ["z3", "cvc5", "yices"].iter().filter_map(start).collect()
}

/// Every problem is a scope of the peers, and all problems are terms of one arena.
fn rounds(theories: Theories, seeds: std::ops::Range<u64>, size: usize, most_facts: usize) -> Tally {
    let mut tally = Tally::default();
    let mut terms = Terms::new();
    let mut peers = peers();
    for seed in seeds {
        let choices = Choices::seeded(seed, size);
        round(&mut terms, theories, choices, seed, 1 + seed as usize % most_facts, &mut peers, &mut tally);
    }
    for peer in &peers {
        assert!(0 < peer.decided, "{} decided nothing", peer.name);
    }
    tally
}

fn round(
    terms: &mut Terms,
    theories: Theories,
    mut choices: Choices,
    seed: u64,
    most_facts: usize,
    peers: &mut [Peer],
    tally: &mut Tally,
) {
    let pool = Pool::grow(terms, theories, &mut choices);
    let terms = &*terms;
    let facts: Vec<Term> =
        pool.facts(most_facts).into_iter().filter(|&fact| supports(terms, &[fact]).is_ok()).collect();
    let mut solver = SatSolver::new();
    for &fact in &facts {
        match solver.assert(terms, fact) {
            Ok(()) => {}
            Err(SolverError::Unsupported { .. }) => {
                tally.unsupported += 1;
                return;
            }
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    let wanted = Wanted { model: true, core: true };
    let mut query = Query { wanted, ..Query::default() };
    query.limits.conflicts = Some(5_000);
    let satisfiable = match solver.check(terms, query).unwrap() {
        Answer::Sat(model) => {
            tally.sat += 1;
            let mut evaluator = Evaluator::new(terms, &model);
            for &fact in &facts {
                assert!(evaluator.holds(fact), "seed {seed}: wrong model\n{}", print_script(terms, &facts));
            }
            true
        }
        Answer::Unsat { core, scope } => {
            assert!(core.is_empty());
            match scope {
                Scope::All => tally.unsat += 1,
                Scope::Width(_) => tally.unsat_at_width += 1,
            }
            attack(terms, &facts, seed);
            if scope != Scope::All {
                return;
            }
            false
        }
        Answer::Unknown(_) => {
            tally.unknown += 1;
            return;
        }
    };
    for peer in peers {
        compare(terms, &facts, satisfiable, peer, seed);
    }
}

/// Random models must not satisfy what was refuted.
fn attack(terms: &Terms, facts: &[Term], seed: u64) {
    let mut choices = Choices::seeded(!seed, 100_000);
    for _ in 0..50 {
        let model = random_model(terms, &mut choices);
        let mut evaluator = Evaluator::new(terms, &model);
        let holds = facts.iter().all(|&fact| evaluator.holds(fact));
        assert!(!holds, "seed {seed}: refuted, but there is a model\n{}", print_script(terms, facts));
    }
}

/// The other solver decides as we did, or does not decide. Its models are evaluated.
fn compare(terms: &Terms, facts: &[Term], satisfiable: bool, peer: &mut Peer, seed: u64) {
    let solver = &mut peer.solver;
    solver.push().unwrap();
    let taken = facts.iter().try_for_each(|&fact| solver.assert(terms, fact));
    let limits = Limits { time: Some(Duration::from_secs(1)), conflicts: None };
    let theirs = match taken.and_then(|()| solver.check(terms, Query { limits, ..Query::default() })) {
        Ok(Answer::Sat(_)) => Some(true),
        Ok(Answer::Unsat { .. }) => Some(false),
        Ok(Answer::Unknown(_)) | Err(SolverError::Unsupported { .. }) => None,
        Err(error) => panic!("seed {seed}: {error}\n{}", print_script(terms, facts)),
    };
    solver.pop().unwrap();
    if let Some(theirs) = theirs {
        peer.decided += 1;
        let name = peer.name;
        let script = || print_script(terms, facts);
        assert_eq!(theirs, satisfiable, "seed {seed}: is it satisfiable? {name} disagrees with us\n{}", script());
    }
}

#[test]
fn truth_values_and_bit_vectors_agree() {
    let tally = rounds(Theories { bit_vectors: true, enumerations: true, ..NOTHING }, 0..600, 400, 8);
    assert_eq!(tally.unsupported + tally.unsat_at_width, 0, "{tally:?}");
    assert!(100 < tally.sat && 50 < tally.unsat, "{tally:?}");
}

#[test]
fn integers_agree() {
    let tally = rounds(Theories { integers: true, ..NOTHING }, 0..150, 200, 6);
    assert_eq!(tally.unsupported, 0);
    assert!(30 < tally.sat && 20 < tally.unsat, "{tally:?}");
}

#[test]
fn arrays_agree() {
    let theories = Theories { bit_vectors: true, arrays: true, enumerations: true, ..NOTHING };
    let tally = rounds(theories, 0..600, 400, 8);
    assert_eq!(tally.unsat_at_width + tally.unsupported, 0);
    assert!(100 < tally.sat && 50 < tally.unsat, "{tally:?}");
}

#[test]
fn reals_agree() {
    let tally = rounds(Theories { reals: true, ..NOTHING }, 0..600, 150, 6);
    assert_eq!(tally.unsat_at_width, 0);
    assert!(100 < tally.sat && 20 < tally.unsat, "{tally:?}");
}

#[test]
fn integers_and_arrays_agree() {
    let tally = rounds(Theories { integers: true, arrays: true, ..NOTHING }, 0..150, 250, 6);
    assert!(30 < tally.sat && 20 < tally.unsat, "{tally:?}");
}

#[test]
fn all_theories_agree() {
    let tally = rounds(ALL_THEORIES, 0..150, 500, 8);
    assert!(30 < tally.sat && 20 < tally.unsat, "{tally:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_terms_agree(choices in choices(300), most_facts in 1usize..4) {
        round(&mut Terms::new(), ALL_THEORIES, choices, 0, most_facts, &mut [], &mut Tally::default());
    }
}

/// All values of a small sort.
fn values(sort: &Sort) -> Option<Vec<Value>> {
    match sort {
        Sort::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Sort::BitVec(width) if *width <= 4 => {
            Some((0..1u32 << width).map(|bits| Value::BitVec(BitVec::new(*width, UBig::from(bits)))).collect())
        }
        Sort::Enum(sort) => {
            let variant = |index| Value::Enum(EnumValue { sort: sort.clone(), index });
            Some((0..sort.variants.len() as u32).map(variant).collect())
        }
        Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Array(_) => None,
    }
}

/// With all symbols but a few small ones fixed by assumptions, trying all values of those must give the same answer.
/// The fixed ones include integers, reals and whole arrays. One solver answers many such questions.
fn exhaust(theories: Theories, seed: u64, size: usize) -> (usize, usize) {
    let mut choices = Choices::seeded(seed, size);
    let mut terms = Terms::new();
    let pool = Pool::grow(&mut terms, theories, &mut choices);
    let facts: Vec<Term> = pool.facts(2).into_iter().filter(|&fact| supports(&terms, &[fact]).is_ok()).collect();
    let symbols: Vec<Term> =
        (0..terms.len()).map(|index| terms.at(index)).filter(|&term| terms.op(term) == Op::Symbol).collect();
    let mut solver = SatSolver::new();
    facts.iter().for_each(|&fact| solver.assert(&terms, fact).unwrap());
    let mut choices = Choices::seeded(seed + 1, 10_000);
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..6 {
        let base = random_model(&terms, &mut choices);
        let mut free: Vec<Term> = Vec::new();
        let mut assumptions = Vec::new();
        for &symbol in &symbols {
            let small = values(&terms.sort(symbol).clone()).is_some();
            if small && free.len() < 3 && choices.below(3) == 0 {
                free.push(symbol);
                continue;
            }
            let constant = terms.constant(base.value(&terms, symbol));
            let fixed = terms.eq(symbol, constant);
            if supports(&terms, &[fixed]).is_err() {
                return (sat, unsat);
            }
            assumptions.push(fixed);
        }
        let expected = models(&terms, &base, &free).any(|model| {
            let mut evaluator = Evaluator::new(&terms, &model);
            facts.iter().all(|&fact| evaluator.holds(fact))
        });
        let wanted = Wanted { model: true, core: true };
        let query = Query { assumptions: &assumptions, wanted, ..Query::default() };
        let script = || print_script(&terms, &[&facts[..], &assumptions].concat());
        match solver.check(&terms, query).unwrap() {
            Answer::Sat(model) => {
                let mut evaluator = Evaluator::new(&terms, &model);
                let holds = facts.iter().chain(&assumptions).all(|&fact| evaluator.holds(fact));
                assert!(holds && expected, "seed {seed}: wrong model\n{}", script());
                sat += 1;
            }
            Answer::Unsat { .. } => {
                assert!(!expected, "seed {seed}: refuted, but there is a model\n{}", script());
                unsat += 1;
            }
            Answer::Unknown(reason) => panic!("seed {seed}: {reason}\n{}", script()),
        }
    }
    (sat, unsat)
}

/// The models that differ from `base` only in the free symbols.
fn models(terms: &Terms, base: &Model, free: &[Term]) -> impl Iterator<Item = Model> {
    let choices: Vec<(Term, Vec<Value>)> =
        free.iter().map(|&symbol| (symbol, values(terms.sort(symbol)).unwrap())).collect();
    let count: usize = choices.iter().map(|(_, values)| values.len()).product();
    let base = base.clone();
    (0..count).map(move |mut number| {
        let mut model = base.clone();
        for (symbol, values) in &choices {
            model.insert(*symbol, values[number % values.len()].clone());
            number /= values.len();
        }
        model
    })
}

#[test]
fn trying_all_values_agrees() {
    let finite = Theories { bit_vectors: true, enumerations: true, arrays: true, ..NOTHING };
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..150 {
        for theories in [finite, ALL_THEORIES, Theories { nonlinear: false, ..ALL_THEORIES }] {
            let (more_sat, more_unsat) = exhaust(theories, seed, 250);
            sat += more_sat;
            unsat += more_unsat;
        }
    }
    assert!(300 < sat && 300 < unsat);
}
