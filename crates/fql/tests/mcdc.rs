//! MC/DC on programs: short-circuit and mixed operators, `?:`, `switch`, loop guards, recursion inside a condition.

use std::collections::BTreeMap;

use c::interp::{InputValue, Interpreter, RecordedInputs, Settings};
use fql::follow::{Follower, is_complete};
use fql::mcdc::{Mcdc, McdcMeter};
use fql::predicates::Predicates;
use fql::program::{Blocks, ProgramGraph};
use testcase::ObligationId;

/// Which goals runs cover: `label: yes` or `no`; and how often each evaluation was seen, by its words.
fn measure(text: &str, entry: &str, runs: &[&[(&str, i128)]]) -> (Vec<String>, BTreeMap<String, usize>) {
    let program = c::load_text("test.c", text, &c::Options::default()).expect("a correct program");
    let function = program.program.function_named(entry).expect("the entry");
    let graph = ProgramGraph::new(&program, function, Blocks::Strict);
    let mcdc = Mcdc::new(&graph.graph).expect("small decisions");
    let interpreter = Interpreter::new(&program.program, Settings::default());
    let predicates = Predicates::default();
    let mut meter = McdcMeter::new(&graph.graph, &mcdc);
    let mut seen = BTreeMap::new();
    for run in runs {
        let mut inputs = RecordedInputs::default();
        for (name, value) in *run {
            inputs.push(*name, InputValue::Integer(*value));
        }
        let mut follower = Follower::new(&program.program, &graph, &predicates, meter.clone());
        let outcome = interpreter.run(function, &mut inputs, &mut follower);
        assert!(is_complete(&outcome.ending), "{:?}", outcome.ending);
        meter = follower.listener;
        for obligation in meter.finish() {
            *seen.entry(mcdc.describe(&graph.graph, obligation)).or_default() += 1;
        }
    }
    let covered = meter.covered();
    let lines = mcdc
        .goals
        .iter()
        .zip(covered)
        .map(|(goal, covered)| format!("{}: {}", goal.label, if covered { "yes" } else { "no" }));
    (lines.collect(), seen)
}

fn all(names: &[&'static str]) -> Vec<Vec<(&'static str, i128)>> {
    (0..1u32 << names.len())
        .map(|bits| names.iter().enumerate().map(|(at, name)| (*name, i128::from(bits >> at & 1))).collect())
        .collect()
}

fn slices<'a>(runs: &'a [Vec<(&'a str, i128)>]) -> Vec<&'a [(&'a str, i128)]> {
    runs.iter().map(Vec::as_slice).collect()
}

#[test]
fn short_circuit_operators_leave_conditions_out() {
    let text = "int f(int a, int b, int c) { if ((a && b) || c) return 1; return 0; }";
    let runs = all(&["a", "b", "c"]);
    let (goals, seen) = measure(text, "f", &slices(&runs));
    assert_eq!(
        goals,
        ["`a` decides `(a && b) || c`: yes", "`b` decides `(a && b) || c`: yes", "`c` decides `(a && b) || c`: yes"]
    );
    let words: Vec<&str> = seen.keys().map(String::as_str).collect();
    assert_eq!(
        words,
        [
            "a=false c=false gives false",
            "a=false c=true gives true",
            "a=true b=false c=false gives false",
            "a=true b=false c=true gives true",
            "a=true b=true gives true",
        ]
    );
    // Four tests are enough, and without (1,1,0) neither a nor b is shown.
    let four: Vec<&[(&str, i128)]> = vec![
        &[("a", 1), ("b", 1), ("c", 0)],
        &[("a", 0), ("b", 1), ("c", 0)],
        &[("a", 1), ("b", 0), ("c", 0)],
        &[("a", 1), ("b", 0), ("c", 1)],
    ];
    assert!(measure(text, "f", &four).0.iter().all(|line| line.ends_with("yes")));
    let (goals, _) = measure(text, "f", &four[1..]);
    assert_eq!(goals.iter().filter(|line| line.ends_with("no")).count(), 2);
}

#[test]
fn bitwise_operators_make_no_conditions() {
    let text = "int f(int a, int b, int c) { if ((a & b) && !(c | a)) return 1; return 0; }";
    let runs = all(&["a", "b", "c"]);
    let (goals, _) = measure(text, "f", &slices(&runs));
    // The second condition is never false once the first holds.
    assert_eq!(goals, ["`(a & b)` decides `(a & b) && !(c | a)`: no", "`(c | a)` decides `(a & b) && !(c | a)`: no"]);
}

#[test]
fn conditional_expressions_assignments_and_loop_guards_are_decisions() {
    let text = "int f(int a, int b, int n) {\n  int both = a && b;\n  int i = 0;\n  while (i < n && i != 3)\n    i = i + 1;\n  \
                return both ? i : -1;\n}";
    let runs: Vec<&[(&str, i128)]> =
        vec![&[("a", 1), ("b", 1), ("n", 5)], &[("a", 1), ("b", 0), ("n", 0)], &[("a", 0), ("b", 0), ("n", 1)]];
    let (goals, seen) = measure(text, "f", &runs);
    assert_eq!(
        goals,
        [
            "`a` decides `a && b`: yes",
            "`b` decides `a && b`: yes",
            "`i < n` decides `i < n && i != 3`: yes",
            "`i != 3` decides `i < n && i != 3`: yes",
            "`both` decides `both`: yes",
        ]
    );
    assert_eq!(seen["i < n=true i != 3=true gives true"], 2);
}

#[test]
fn the_choice_of_a_switch_has_no_goals() {
    let text = "int f(int a, int b) { switch (a) { case 1: return b; case 2: return 2; default: return a > 0 || b; } }";
    let runs: Vec<&[(&str, i128)]> = vec![&[("a", 5), ("b", 0)], &[("a", 0), ("b", 0)], &[("a", 0), ("b", 1)]];
    let (goals, _) = measure(text, "f", &runs);
    assert_eq!(goals, ["`a > 0` decides `a > 0 || b`: yes", "`b` decides `a > 0 || b`: yes"]);
}

#[test]
fn a_decision_that_is_evaluated_within_itself_is_followed_per_call() {
    let text = "int f(int n) { if (n > 0 && f(n - 1)) return 0; return 1; }";
    let (goals, seen) = measure(text, "f", &[&[("n", 2)]]);
    // f(0): first condition false; f(1): both true; f(2): the second false.
    let words: Vec<(&str, usize)> = seen.iter().map(|(words, count)| (words.as_str(), *count)).collect();
    assert_eq!(words.len(), 3, "{words:?}");
    assert!(goals.iter().all(|line| line.ends_with("yes")), "{goals:?}");
}

#[test]
fn obligations_are_queries() {
    let text = "int f(int a, int b) { if (a || b) return 1; return 0; }";
    let program = c::load_text("test.c", text, &c::Options::default()).expect("a correct program");
    let function = program.program.function_named("f").expect("the entry");
    let graph = ProgramGraph::new(&program, function, Blocks::Strict).graph;
    let mcdc = Mcdc::new(&graph).expect("small");
    for at in 0..mcdc.obligations.len() as u32 {
        let query = fql::parse(&mcdc.query(&graph, ObligationId(at))).expect("a query");
        let (spec, warnings) = fql::evaluate(&query, &graph).expect("known edges");
        assert_eq!((spec.goals.count(), warnings.len()), (Some(1), 0));
    }
    let all = fql::parse(&mcdc.all_evaluations(&graph).expect("decisions")).expect("a query");
    let (spec, _) = fql::evaluate(&all, &graph).expect("known edges");
    assert_eq!(spec.goals.count(), Some(3));
}
