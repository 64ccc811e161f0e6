//! Scopes, assumptions, cores, budgets, and terms that are deep.

#![allow(clippy::unwrap_used, reason = "the functions beside the tests belong to them")]

use std::time::{Duration, Instant};

use smt::{
    Answer, Evaluator, Interrupt, Limits, Model, Op, Query, Scope, Solver, SolverError, Term, Terms, Unknown, Wanted,
};
use smt_sat::{SatSolver, Widths, supports};
use testkit::problems::sorting_networks_agree;
use value::{BitVec, RBig, Sort, UBig, Value};

const BOTH: Wanted = Wanted { model: true, core: true };

fn ask(solver: &mut SatSolver, terms: &Terms, assumptions: &[Term]) -> Answer {
    solver.check(terms, Query { assumptions, wanted: BOTH, ..Query::default() }).unwrap()
}

fn solve(terms: &Terms, facts: &[Term]) -> Answer {
    let mut solver = SatSolver::new();
    facts.iter().for_each(|&fact| solver.assert(terms, fact).unwrap());
    let answer = ask(&mut solver, terms, &[]);
    if let Answer::Sat(model) = &answer {
        let mut evaluator = Evaluator::new(terms, model);
        assert!(facts.iter().all(|&fact| evaluator.holds(fact)), "{model:?}");
    }
    answer
}

fn is_sat(answer: &Answer) -> bool {
    matches!(answer, Answer::Sat(_))
}

fn refuted(answer: Answer) -> (Vec<Term>, Scope) {
    match answer {
        Answer::Unsat { core, scope } => (core, scope),
        other => panic!("not refuted: {other:?}"),
    }
}

/// Reads SMT-LIB and expects an answer: `sat`, `unsat`, or `unsat at N`.
fn check(script: &str, expect: &str) {
    let mut terms = Terms::new();
    let facts = facts(&mut terms, script);
    let said = match solve(&terms, &facts) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat { scope: Scope::All, .. } => "unsat".to_owned(),
        Answer::Unsat { scope: Scope::Width(width), .. } => format!("unsat at {width}"),
        Answer::Unknown(reason) => format!("unknown: {reason}"),
    };
    assert_eq!(said, expect, "{script}");
}

fn facts(terms: &mut Terms, script: &str) -> Vec<Term> {
    let script = smt::read_script(terms, script).unwrap();
    let asserted = script.commands.iter().filter_map(|(_, command)| match command {
        smt::Command::Assert(fact) => Some(*fact),
        _ => None,
    });
    asserted.collect()
}

#[test]
fn scopes_open_and_close() {
    let mut terms = Terms::new();
    let (p, q) = (terms.symbol("p", &Sort::Bool), terms.symbol("q", &Sort::Bool));
    let (either, not_p, not_q) = (terms.or(&[p, q]), terms.not(p), terms.not(q));
    let mut solver = SatSolver::new();
    solver.assert(&terms, either).unwrap();
    solver.push().unwrap();
    solver.assert(&terms, not_p).unwrap();
    assert!(is_sat(&ask(&mut solver, &terms, &[])));
    solver.push().unwrap();
    solver.assert(&terms, not_q).unwrap();
    assert_eq!(refuted(ask(&mut solver, &terms, &[])), (vec![], Scope::All));
    solver.pop().unwrap();
    assert!(is_sat(&ask(&mut solver, &terms, &[])));
    assert_eq!(refuted(ask(&mut solver, &terms, &[p])).0, [p]);
    solver.pop().unwrap();
    assert!(is_sat(&ask(&mut solver, &terms, &[p, not_q])));
    assert!(is_sat(&ask(&mut solver, &terms, &[not_p, q])));
}

#[test]
fn cores_name_assumptions_even_if_they_fold_to_false() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", &Sort::BitVec(4));
    let (p, q) = (terms.symbol("p", &Sort::Bool), terms.symbol("q", &Sort::Bool));
    let less = terms.app(Op::BvUlt, &[x, x]);
    let not_p = terms.not(p);
    let mut solver = SatSolver::new();
    assert_eq!(refuted(ask(&mut solver, &terms, &[q, less])).0, [less]);
    let falsity = terms.bool(false);
    assert_eq!(refuted(ask(&mut solver, &terms, &[q, falsity])).0, [falsity]);
    let (core, _) = refuted(ask(&mut solver, &terms, &[p, q, p, not_p, not_p]));
    assert!(core.contains(&p) && core.contains(&not_p) && core.len() == 2, "{core:?}");
    solver.assert(&terms, not_p).unwrap();
    assert_eq!(refuted(ask(&mut solver, &terms, &[q, p, p])).0, [p]);
    assert!(is_sat(&ask(&mut solver, &terms, &[q, q])));
}

#[test]
fn a_contradiction_of_the_facts_needs_no_assumption() {
    let mut terms = Terms::new();
    let p = terms.symbol("p", &Sort::Bool);
    let not_p = terms.not(p);
    let mut solver = SatSolver::new();
    solver.assert(&terms, p).unwrap();
    solver.assert(&terms, not_p).unwrap();
    assert_eq!(refuted(ask(&mut solver, &terms, &[p])), (vec![], Scope::All));
}

#[test]
fn integers_that_are_bounded_or_linear_are_decided_for_all() {
    check("(declare-const x Int)(assert (and (<= 0 x) (<= x 100) (> (* x x) 10000)))", "unsat");
    check("(declare-const x Int)(declare-const y Int)(assert (< x y))(assert (< y x))", "unsat");
    check("(declare-const x Int)(declare-const y Int)(assert (= (* 2 x) (+ (* 2 y) 1)))", "unsat");
    check("(declare-const x Int)(declare-const y Int)(assert (< x (- y 1000)))(assert (< y x))", "unsat");
    check("(declare-const x Int)(assert (= (* x x) 2))", "unsat at 64");
    check("(declare-const x Int)(assert (> x 123456789012345678901234567890))", "sat");
    check("(declare-const x Int)(assert (= (mod x 10) 11))", "unsat");
    check("(declare-const x Int)(assert (= (abs x) (- 1)))", "unsat");
    check("(declare-const x Int)(declare-const y Int)(assert (> (* x y) 1000000))(assert (< x y 2000))", "sat");
}

#[test]
fn a_difference_needs_room_that_the_bound_gives() {
    // A chain of differences of 100 that no width below 11 bits holds.
    let mut script = String::new();
    for i in 0..10 {
        script += &format!("(declare-const x{i} Int)");
    }
    for i in 0..9 {
        script += &format!("(assert (>= (- x{} x{i}) 100))", i + 1);
    }
    check(&script, "sat");
    script += "(assert (< (- x9 x0) 900))";
    check(&script, "unsat");
}

#[test]
fn overflow_at_a_narrow_width_hides_no_model() {
    let mut script = String::from("(declare-const x Int)(assert (= x 3))(declare-const y Int)(assert (= y (* x");
    script += &" x".repeat(38);
    script += ")))(assert (> y 0))";
    check(&script, "sat");
}

#[test]
fn popped_facts_leave_no_bounds_behind() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", &Sort::Int);
    let (one, ten, many) = (terms.int(1), terms.int(10), terms.int(1_000_000));
    let (small, positive) = (terms.app(Op::Le, &[x, ten]), terms.app(Op::Ge, &[x, one]));
    let large = terms.app(Op::Gt, &[x, many]);
    let mut solver = SatSolver::new();
    solver.push().unwrap();
    solver.assert(&terms, small).unwrap();
    solver.assert(&terms, positive).unwrap();
    assert_eq!(refuted(ask(&mut solver, &terms, &[large])), (vec![large], Scope::All));
    solver.pop().unwrap();
    assert!(is_sat(&ask(&mut solver, &terms, &[large])));
    assert!(is_sat(&ask(&mut solver, &terms, &[positive])));
}

#[test]
fn a_core_keeps_the_assumptions_that_made_the_width_enough() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", &Sort::Int), terms.symbol("y", &Sort::Int));
    let [zero, two, thousand] = [0, 2, 1000].map(|number| terms.int(number));
    let product = terms.app(Op::Mul, &[thousand, y]);
    let (equal, large) = (terms.eq(x, product), terms.app(Op::Ge, &[y, two]));
    let mut assumptions = vec![equal, large];
    for symbol in [x, y] {
        assumptions.push(terms.app(Op::Le, &[zero, symbol]));
        assumptions.push(terms.app(Op::Le, &[symbol, thousand]));
    }
    let mut solver = SatSolver::new();
    let (core, scope) = refuted(ask(&mut solver, &terms, &assumptions));
    assert_eq!(scope, Scope::All);
    let mut again = SatSolver::new();
    core.iter().for_each(|&fact| again.assert(&terms, fact).unwrap());
    assert_eq!(refuted(ask(&mut again, &terms, &[])), (vec![], Scope::All));
}

#[test]
fn small_numbers_come_first() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", &Sort::Int), terms.symbol("y", &Sort::Int));
    let sum = terms.app(Op::Add, &[x, y]);
    let three = terms.int(3);
    let more = terms.app(Op::Gt, &[sum, three]);
    let Answer::Sat(model) = solve(&terms, &[more]) else { panic!("satisfiable") };
    let Value::Int(x) = model.value(&terms, x) else { panic!("an integer") };
    assert!((-128..=127).contains(&i64::try_from(x).unwrap()));
}

#[test]
fn reals_are_thresholds() {
    let real = "(declare-const x Real)(declare-const y Real)(declare-const z Real)";
    check(&format!("{real}(assert (< 1.0 x y z 1.5))"), "sat");
    check(&format!("{real}(assert (< x y z x))"), "unsat");
    check(&format!("{real}(assert (< (+ (* 2.0 x) 1.0) 5.0))(assert (>= x 2.0))"), "unsat");
    check(&format!("{real}(assert (< (- x y) 0.0))(assert (= x y))"), "unsat");
    check(&format!("{real}(assert (> (ite (> x 0.0) x (- x)) 3.0))(assert (< x 0.0))"), "sat");
    check(&format!("{real}(assert (> (ite (> x 0.0) x (- x)) 3.0))(assert (< (- 2.0) x 2.0))"), "unsat");
    check("(declare-const i Int)(assert (< 1.5 (to_real i) 1.9))", "unsat");
    check("(declare-const i Int)(assert (< 1.5 (/ (to_real i) 2.0) 2.5))", "sat");
}

#[test]
fn real_arithmetic_is_refused_and_not_guessed() {
    let mut terms = Terms::new();
    let script = "(declare-const x Real)(declare-const y Real)(assert (< (+ x y) 1.0))(assert (< (* x y) 1.0))";
    for fact in facts(&mut terms, script) {
        assert!(supports(&terms, &[fact]).is_err());
        let error = SatSolver::new().assert(&terms, fact).unwrap_err();
        assert!(matches!(error, SolverError::Unsupported { .. }), "{error}");
    }
}

#[test]
fn arrays_are_extensional() {
    let array = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const i Int)";
    check(&format!("{array}(assert (= a (store b i 3)))(assert (distinct (select a i) 3))"), "unsat");
    check(&format!("{array}(assert (distinct a b))(assert (= (store a i 0) (store b i 0)))"), "sat");
    check(&format!("{array}(assert (distinct a b))(assert (= a (store b i (select b i))))"), "unsat");
    check(&format!("{array}(assert (= a ((as const (Array Int Int)) 1)))(assert (= (select a i) 2))"), "unsat");
    let small = "(declare-const a (Array (_ BitVec 1) Bool))";
    check(
        &format!(
            "{small}(assert (select a #b0))(assert (select a #b1))(assert (distinct a ((as const (Array (_ BitVec 1) Bool)) true)))"
        ),
        "unsat",
    );
}

#[test]
fn many_reads_of_one_array_are_consistent() {
    // Forty reads at indices below 32 whose elements all differ: more holes than pigeons only if the array lies.
    let read = |count: usize| {
        let mut script = String::from("(declare-const a (Array (_ BitVec 16) (_ BitVec 8)))");
        for i in 0..count {
            script += &format!("(declare-const i{i} (_ BitVec 16))(assert (bvult i{i} #x0020))");
            script += &format!("(assert (= (select a i{i}) #x{i:02x}))");
        }
        script
    };
    check(&read(20), "sat");
    let twins = "(assert (= (bvadd i15 #x0001) (bvadd #x0001 i18)))";
    check(&format!("{}{twins}", read(20)), "unsat");
    let mut loose = String::from("(declare-const a (Array Int Int))");
    for i in 0..30 {
        loose += &format!("(declare-const i{i} Int)(assert (<= 0 i{i} 3))(assert (<= {} (select a i{i})))", i / 6);
    }
    check(&format!("{loose}(assert (= 12 (+ (select a 0) (select a 1) (select a 2))))"), "sat");
}

#[test]
fn new_reals_and_arrays_between_checks_are_taken_in() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", &Sort::Real), terms.symbol("y", &Sort::Real));
    let mut solver = SatSolver::new();
    let mut bound = terms.constant(Value::Real(RBig::ZERO));
    for step in 1..20 {
        let next = terms.constant(Value::Real(RBig::from(1) / RBig::from(step)));
        let (above, below) = (terms.app(Op::Lt, &[bound, x]), terms.app(Op::Lt, &[x, next]));
        solver.assert(&terms, below).unwrap();
        assert!(is_sat(&ask(&mut solver, &terms, &[above])), "step {step}");
        let less = terms.app(Op::Lt, &[y, x]);
        assert!(is_sat(&ask(&mut solver, &terms, &[less])));
        assert_eq!(refuted(ask(&mut solver, &terms, &[less, below, terms.bool(false)])).0, [terms.bool(false)]);
        bound = terms.constant(Value::Real(RBig::from(-step)));
    }
}

#[test]
fn budgets_end_the_search() {
    let mut terms = Terms::new();
    let hard = sorting_networks_agree(&mut terms, 9);
    let mut solver = SatSolver::new();
    hard.facts.iter().for_each(|&fact| solver.assert(&terms, fact).unwrap());
    let conflicts = Limits { conflicts: Some(100), time: None };
    let answer = solver.check(&terms, Query { limits: conflicts, ..Query::default() }).unwrap();
    assert_eq!(answer, Answer::Unknown(Unknown::Conflicts));
    let time = Limits { conflicts: None, time: Some(Duration::from_millis(100)) };
    let start = Instant::now();
    let answer = solver.check(&terms, Query { limits: time, ..Query::default() }).unwrap();
    assert_eq!(answer, Answer::Unknown(Unknown::Time));
    assert!(start.elapsed() < Duration::from_secs(5));
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        raised.raise();
    });
    let start = Instant::now();
    let answer = solver.check(&terms, Query { interrupt, ..Query::default() }).unwrap();
    thread.join().unwrap();
    assert_eq!(answer, Answer::Unknown(Unknown::Interrupted));
    assert!(start.elapsed() < Duration::from_secs(5));
    let x0 = terms.symbol("x0", &Sort::BitVec(8));
    let (easy, _) = (terms.eq(x0, x0), ());
    assert!(!matches!(
        solver.check(&terms, Query { assumptions: &[easy], limits: time, ..Query::default() }).unwrap(),
        Answer::Sat(_)
    ));
}

const DEPTH: usize = 100_000;

#[test]
fn deep_truth_values_and_bit_vectors_are_no_problem() {
    let mut terms = Terms::new();
    let (p, q) = (terms.symbol("p", &Sort::Bool), terms.symbol("q", &Sort::Bool));
    let mut fact = p;
    for step in 0..DEPTH {
        fact = if step % 2 == 0 { terms.and(&[fact, q]) } else { terms.or(&[fact, p]) };
    }
    assert!(is_sat(&solve(&terms, &[fact])));
    let x = terms.symbol("x", &Sort::BitVec(4));
    let (one, wanted) =
        ([1u8, 7].map(UBig::from)).map(|bits| terms.constant(Value::BitVec(BitVec::new(4, bits)))).into();
    let mut sum = x;
    for _ in 0..DEPTH / 4 {
        let shifted = terms.app(Op::BvXor, &[sum, one]);
        sum = terms.app(Op::BvAdd, &[shifted, one]);
    }
    let equal = terms.eq(sum, wanted);
    assert!(is_sat(&solve(&terms, &[equal])));
}

#[test]
fn deep_numbers_are_no_problem() {
    let mut terms = Terms::new();
    let (x, p) = (terms.symbol("x", &Sort::Int), terms.symbol("p", &Sort::Bool));
    let one = terms.int(1);
    let mut sum = x;
    for step in 0..DEPTH {
        sum = if step % 2 == 0 { terms.app(Op::Add, &[sum, one]) } else { terms.app(Op::Sub, &[sum, one]) };
    }
    let equal = terms.eq(sum, one);
    assert!(is_sat(&solve(&terms, &[equal])));
    let mut real = terms.symbol("r", &Sort::Real);
    let limits = [1, 2].map(|number| terms.constant(Value::Real(RBig::from(number))));
    for step in 0..DEPTH {
        real = terms.ite(p, real, limits[step % 2]);
        let other = terms.not(p);
        real = terms.ite(other, real, limits[0]);
    }
    let less = terms.app(Op::Lt, &[real, limits[1]]);
    assert!(is_sat(&solve(&terms, &[less])));
}

#[test]
fn deep_arrays_are_no_problem() {
    let mut terms = Terms::new();
    let sort = Sort::array(Sort::BitVec(32), Sort::BitVec(8));
    let mut array = terms.symbol("a", &sort);
    let start = array;
    for step in 0..DEPTH as u64 {
        let (index, element) = (BitVec::new(32, UBig::from(step)), BitVec::new(8, UBig::from(step % 256)));
        let (index, element) = (terms.constant(Value::BitVec(index)), terms.constant(Value::BitVec(element)));
        array = terms.app(Op::Store, &[array, index, element]);
    }
    let place = terms.constant(Value::BitVec(BitVec::new(32, UBig::from(77u8))));
    let (read, old) = (terms.app(Op::Select, &[array, place]), terms.app(Op::Select, &[start, place]));
    let differ = terms.app(Op::Distinct, &[read, old]);
    let mut solver = SatSolver::new();
    solver.assert(&terms, differ).unwrap();
    let Answer::Sat(model) = ask(&mut solver, &terms, &[]) else { panic!("satisfiable") };
    let Value::Array(found) = model.value(&terms, start) else { panic!("an array") };
    assert_ne!(*found.get(terms.value(place).unwrap()), Value::BitVec(BitVec::new(8, UBig::from(77u8))));
}

#[test]
fn the_same_question_has_the_same_answer() {
    let models: Vec<Model> = (0..2)
        .map(|_| {
            let mut terms = Terms::new();
            let facts = facts(
                &mut terms,
                "(declare-const x Int)(declare-const y (_ BitVec 16))(assert (> (* x x) (bv2nat y)))(assert (bvugt (bvmul y y) #x1234))",
            );
            let Answer::Sat(model) = solve(&terms, &facts) else { panic!("satisfiable") };
            model
        })
        .collect();
    let shown: Vec<Vec<String>> =
        models.iter().map(|m| m.iter().map(|(_, value)| value.to_string()).collect()).collect();
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn widths_are_configurable() {
    let mut terms = Terms::new();
    let facts =
        facts(&mut terms, "(declare-const x Int)(declare-const y Int)(assert (= (* x y) 100000))(assert (> x y 200))");
    let mut solver = SatSolver::with_widths(Widths { first: 4, last: 8, last_complete: 8 });
    facts.iter().for_each(|&fact| solver.assert(&terms, fact).unwrap());
    assert!(is_sat(&ask(&mut solver, &terms, &[])));
}
