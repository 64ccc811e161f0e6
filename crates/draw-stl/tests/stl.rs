//! STL: complete suites for the case studies, and properties over random formulas.

#[path = "../../stl/tests/random/mod.rs"]
mod random;

use std::path::Path;

use draw_stl::{StlSubject, precheck};
use proptest::prelude::*;
use random::Random;
use search::{Backend, Options, Outcome, Session, SolverChoice, Subject};
use source::Source;
use stl::goals::{Criterion, GoalOptions};
use stl::mutate::MutationOptions;
use stl::sample::Sampler;
use stl::signal::{from_json, to_json};
use testcase::{GoalStatus, Inputs};

fn built_in() -> Options {
    Options { solver: SolverChoice::BuiltIn, attacks: 200, ..Options::default() }
}

fn draw(text: &str, criterion: Criterion, options: Options) -> (StlSubject, Outcome) {
    draw_goals(text, criterion, &GoalOptions::default(), options)
}

fn draw_goals(text: &str, criterion: Criterion, goals: &GoalOptions, options: Options) -> (StlSubject, Outcome) {
    let source = Source::new("x.stl", text);
    let (spec, _) = stl::load(&source).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let subject = StlSubject::new(&source, &spec, criterion, goals).expect("testable");
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the solver is built in");
    while session.pull().unwrap_or_else(|error| panic!("{text}: {error}")).is_some() {}
    let outcome = session.finish().unwrap_or_else(|error| panic!("{text}: {error}"));
    (subject, outcome)
}

/// Killed, proved equivalent, open.
fn totals(outcome: &Outcome) -> (usize, usize, usize) {
    let count = |wanted: &str| outcome.statuses.iter().filter(|status| status.name() == wanted).count();
    (count("covered"), count("infeasible"), count("infeasible_up_to") + count("unknown"))
}

/// Checks the mutants as they were published.
#[track_caller]
fn check(text: &str, expected: (usize, usize, usize), most_tests: usize) {
    let published = GoalOptions { mutation: MutationOptions::published(), distinguish: false };
    let (_, outcome) = draw_goals(text, Criterion::Mutation, &published, built_in());
    assert_eq!(totals(&outcome), expected, "{text}");
    assert!(outcome.tests.len() <= most_tests, "{text}: {} tests", outcome.tests.len());
}

#[test]
fn every_mutant_of_the_requirements_is_killed() {
    check("F[0,30](G[0,20] v > 100)", (22, 0, 0), 7);
    check("G[0,40](F[0,10] v > 100)", (22, 0, 0), 6);
    check("(F[0,40] v > 100) -> (G[0,30] w > 3000)", (44, 0, 0), 13);
    check("F[0,40]((v > 80) -> (G[0,30] w > 4000))", (41, 0, 0), 13);
    check("G[0,40]((v < 100) & (w < 4000))", (33, 0, 0), 10);
    check("(a U[0,1] b) & F[1,2](x > 3)", (53, 0, 0), 14);
}

#[test]
fn windows_off_by_one_and_thresholds_off_by_one_are_told_apart_by_default() {
    for text in ["G[0,20] speed < 120", "F[0,30](G[0,20] v > 100)", "G[0,4](a -> F[0,1.5] x > 2.5)"] {
        let (subject, outcome) = draw(text, Criterion::Mutation, built_in());
        assert_eq!(totals(&outcome), (outcome.statuses.len(), 0, 0), "{text}");
        assert!(subject.goals().iter().any(|goal| goal.label.starts_with("cro: ")), "{text}");
    }
    for near in ["G[0,19] speed < 120", "G[0,21] speed < 120", "G[1,20] speed < 120", "G[0,20] speed < 121"] {
        assert!(exposes("G[0,20] speed < 120", near), "{near}");
    }
}

/// Differences of signals, and sums that depend on each other: the built-in solver alone, every mutant killed or proved.
#[test]
fn sums_of_signals_need_no_solver_for_reals() {
    for text in [
        "G[0,10](active -> F[0,5] (v - s <= 3 & s - v <= 3))",
        "G[0,2](x + 2*y > 1 -> F[0,1] x < 0)",
        "G[0,1](x > 1 & y > 2 -> x + y < 5)",
    ] {
        let (_, outcome) = draw(text, Criterion::Mutation, built_in());
        let (covered, infeasible, open) = totals(&outcome);
        assert_eq!(covered + infeasible, outcome.statuses.len(), "{text}: {open} open");
        assert!(0 < covered, "{text}");
    }
    assert_eq!(warnings("x > 1 & y > 2 -> x + y > 3"), ["stl-tautology"]);
    assert_eq!(warnings("x > 1 & y > 2 & x + y < 3"), ["stl-contradiction"]);
    assert_eq!(warnings("a - b < 1 & b - c < 1 & c - a < -2"), ["stl-contradiction"]);
    assert_eq!(warnings("a - b < 1 & b - c < 1 & c - a < -1"), [""; 0]);
}

#[test]
fn the_sample_project_has_the_published_equivalents() {
    check("F[0,30](vel > 100 -> (G[0,20] vel > 100))", (18, 21, 0), 6);
}

fn warnings(text: &str) -> Vec<&'static str> {
    let source = Source::new("x.stl", text);
    let (spec, _) = stl::load(&source).expect("well formed");
    let warnings = precheck(&source, &spec, &Backend::new(&built_in())).expect("the solver is built in");
    warnings.iter().map(|warning| warning.code.id).collect()
}

#[test]
fn formulas_that_demand_nothing_or_too_much_are_told() {
    assert_eq!(warnings("F[0,42]((vel > 133.7) -> (G[0,11](vel > 133.7)))"), ["stl-tautology"]);
    assert_eq!(warnings("F[0,42](G[0,11](vel > 133.7))"), [""; 0]);
    assert_eq!(warnings("(x <= 3) U[1,2] (x >= 5)"), ["stl-contradiction"]);
    assert_eq!(warnings("(x == 3) U[1,1] (x > 4)"), ["stl-contradiction"]);
    assert_eq!(warnings("(G[0,1](x != 3)) & x < 3 & N[1](x > 3)"), ["stl-contradiction"]);
    assert_eq!(warnings("b U[4,3] c"), ["stl-contradiction"]);
    assert_eq!(warnings("G[4,3] b"), ["stl-tautology"]);
    // Nested operators of one kind are one.
    assert_eq!(warnings(&format!("{} x > 3", "G[0,1] ".repeat(3_000))), [""; 0]);
    // Needs a grid of half the step.
    assert_eq!(warnings("x > 0 & (F[0,1](x < 0)) & N[1](x > 0)"), [""; 0]);
    assert_eq!(warnings("(vel > 42) U[1,2] (vel <= 42)"), [""; 0]);
}

/// Signals with steps do what no straight one can, and the other way round.
#[test]
fn jumps_are_drawn_where_signals_have_steps() {
    let verdict = |text: &str| totals(&draw(text, Criterion::Outcome, built_in()).1);
    assert_eq!(verdict("(x <= 3) U[1,2] (x >= 5)"), (1, 1, 0));
    assert_eq!(verdict("step x; (x <= 3) U[1,2] (x >= 5)"), (2, 0, 0));
    // A straight signal passes 4 on its way; one with steps need not.
    let passes = "(x < 3 & F[0,1] x > 5) -> F[0,1] x == 4";
    assert_eq!(verdict(passes), (1, 1, 0));
    assert_eq!(verdict(&format!("step x; {passes}")), (2, 0, 0));
    // A signal with steps keeps its value for a while.
    assert_eq!(verdict("step x; !(x == 1 & G[0,1] !(x == 1))"), (1, 1, 0));
    // An enumeration has no values but its own.
    assert_eq!(verdict("enum m = {u, v, w}; G[0,2] (m == u | m == v | m == w)"), (1, 1, 0));
    assert_eq!(verdict("enum m = {u, v}; F[0,2] (m == u) -> G[0,2] (m != v)"), (2, 0, 0));
}

/// Equivalences that rest on what truth values can be together at one instant of a cell.
#[test]
fn what_no_instant_shows_is_proved() {
    let picc = |text: &str| totals(&draw(text, Criterion::Inactive, built_in()).1);
    assert_eq!(picc("F[0,30](G[0,20] v > 100)"), (1, 1, 0));
    assert_eq!(picc("F[0,42]((vel > 133.7) -> (G[0,11] vel > 133.7))").2, 0);
    assert_eq!(picc("G[0,40](v < 100 & w < 4000)").2, 0);
    let always = |text: &str| totals(&draw(text, Criterion::Outcome, built_in()).1);
    for text in [
        "G[0,6] ((G[0,2] p) -> p)",
        "G[0,6] (p -> F[0,2] p)",
        "G[0,6] ((p U[0,2] q) -> (p | q))",
        "G[0,6] ((p U[1,2] q) -> p)",
        "G[0,6] (q -> (p R[0,2] q) | !p)",
        "G[0,6] ((H[0,2] p) -> O[0,3] p)",
        "G[0,6] ((p S[0,2] q) -> (p | q))",
        "G[0,6] (x < 3 | x > 5 | (x >= 3 & x <= 5))",
        "G[0,9] ((((x < 3 & F[0,1] y > 4) | x > 5) & F[0,1] (x < 3)) -> ((x < 3 & F[0,1] y > 4) | (x > 5 & F[0,1] (x < 3))))",
    ] {
        assert_eq!(always(text), (1, 1, 0), "{text}");
    }
}

#[test]
fn values_of_enumerations_are_confused_and_told_apart() {
    let text = "enum mode = {off, standby, active}; step v; G[0,4] (mode == active -> F[0,1] v > 3)";
    let (subject, outcome) = draw(text, Criterion::Mutation, built_in());
    let words: Vec<&str> = subject.goals().iter().map(|goal| goal.label.as_str()).collect();
    assert!(
        words.iter().any(|words| words.contains("`mode == standby` stands where the formula has `mode == active`"))
    );
    assert!(!words.iter().any(|words| words.contains("mode >") || words.contains("mode <")), "{words:?}");
    let (_, _, open) = totals(&outcome);
    assert_eq!(open, 0);
}

#[test]
fn coverage_predicates_are_met_or_told_to_be_impossible() {
    let (subject, outcome) = draw("G[0,2] a", Criterion::Inactive, built_in());
    let statuses: Vec<(&str, &str)> = subject
        .goals()
        .iter()
        .zip(&outcome.statuses)
        .map(|(goal, status)| (goal.key.as_str(), status.name()))
        .collect();
    assert_eq!(statuses, [("i1", "covered"), ("i2", "infeasible")]);
    let (_, outcome) = draw("(a U[0,1] b) & (F[1,2] c)", Criterion::FirstCause, built_in());
    assert_eq!(totals(&outcome), (6, 0, 0));
    let (_, outcome) = draw("(a U[0,1] b) & (F[1,2] c)", Criterion::FirstCauseExact, built_in());
    assert_eq!(totals(&outcome), (6, 0, 0));
    let (_, outcome) = draw("(a U[0,1] b) & (F[1,2] c)", Criterion::Inactive, built_in());
    assert_eq!(totals(&outcome), (6, 0, 0));
}

/// Whether some test of the candidate's suite is judged otherwise by the formula that is meant.
fn exposes(candidate: &str, meant: &str) -> bool {
    let (_, outcome) = draw(candidate, Criterion::Mutation, built_in());
    let (oracle, _) = stl::load(&Source::new("meant.stl", meant)).expect("well formed");
    outcome.tests.iter().any(|test| {
        let Inputs::Document(document) = &test.test().inputs else { unreachable!("signals are documents") };
        let trace = from_json(&oracle, document).expect("the same signals");
        test.test().expected["holds"] != stl::interp::holds(&oracle.store, &trace, oracle.formula)
    })
}

#[test]
fn wrong_candidates_are_exposed_by_their_own_tests() {
    assert!(!exposes("G[1,3] velocity > 5", "G[1,3] velocity > 5"));
    let survey = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/stl/survey.txt");
    let survey = std::fs::read_to_string(survey).expect("an example");
    let wrong: Vec<(&str, &str)> =
        survey.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    assert_eq!(wrong.len(), 26, "as many as the thesis found");
    let missed = wrong.iter().filter(|(meant, candidate)| !exposes(candidate, meant)).map(|(_, candidate)| *candidate);
    let missed: Vec<&str> = missed.collect();
    assert!(missed.is_empty(), "{missed:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    /// A session confirms every test with the exact monitor and attacks its claims with random signals; a disagreement is an
    /// error. Besides, claims are attacked here with signals of other seeds.
    #[test]
    fn random_formulas_have_confirmed_tests_and_unrefuted_claims(seed: u64) {
        let text = Random(seed).file(2 + seed % 2);
        let (subject, outcome) = draw(&text, Criterion::Mutation, Options { minimize: false, ..built_in() });
        let proved: Vec<usize> = (0..outcome.statuses.len())
            .filter(|&place| matches!(outcome.statuses[place], GoalStatus::Infeasible(_)))
            .collect();
        let spec = subject.spec();
        let formulas = subject.goals_of().formulas();
        // Every test as it is stored: its verdict and each kill it claims, neither more nor fewer, are those of the exact monitor.
        for (test, claimed) in outcome.tests.iter().zip(&outcome.covers) {
            let Inputs::Document(document) = &test.test().inputs else { unreachable!("signals are documents") };
            let trace = from_json(spec, document).expect("a signal of this formula");
            let holds = stl::interp::holds(&spec.store, &trace, spec.formula);
            prop_assert_eq!(test.test().expected["holds"].as_bool(), Some(holds), "{} on {}", text, document);
            let verdicts = stl::interp::verdicts(&spec.store, &trace, &formulas);
            let killed: Vec<usize> = (0..verdicts.len()).filter(|&place| verdicts[place] != holds).collect();
            let mut claimed: Vec<usize> = claimed.iter().map(|goal| goal.0 as usize).collect();
            claimed.sort_unstable();
            prop_assert_eq!(claimed, killed, "{} on {}", text, document);
        }
        let mut sampler = Sampler::new(spec, &formulas, seed ^ 77);
        for _ in 0..60 {
            let trace = sampler.draw();
            let verdicts = stl::interp::verdicts(&spec.store, &trace, &formulas);
            let holds = stl::interp::holds(&spec.store, &trace, spec.formula);
            for &place in &proved {
                prop_assert_eq!(verdicts[place], holds, "{} {} on {}", text,
                    stl::print(spec, formulas[place]), to_json(spec, &trace));
            }
        }
    }
}
