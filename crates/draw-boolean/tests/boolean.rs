//! Generated suites against the definitions, by brute force over every assignment of small random decisions.
//!
//! The definitions below are written once more, from the source's formulas, and share nothing with the crates they
//! judge but the evaluation of a formula.

use boolean::goals::{ConditionMode, Criterion, GoalOptions, goals};
use boolean::interp::run;
use boolean::{Dialect, Spec, load};
use draw_boolean::BooleanSubject;
use proptest::prelude::*;
use search::{Backend, Options, Outcome, Session, Strategy as SearchStrategy, Subject};
use source::Source;
use testcase::{GoalStatus, Inputs, Minimality};
use testkit::Choices;
use testkit::decisions::{assignments, decision};
use value::Value;

/// One allowed assignment: its condition values and outcome.
#[derive(Clone, Debug)]
struct Point {
    conditions: Vec<bool>,
    outcome: bool,
}

/// The conditions as groups of leaves that flip together.
fn groups(spec: &Spec, mode: ConditionMode) -> Vec<Vec<usize>> {
    let conditions = &spec.decisions[0].conditions;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for leaf in 0..conditions.len() {
        let same = |group: &&mut Vec<usize>| {
            mode == ConditionMode::Variable && conditions[group[0]].atom == conditions[leaf].atom
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(leaf),
            None => groups.push(vec![leaf]),
        }
    }
    groups
}

fn points(spec: &Spec) -> Vec<Point> {
    let values = assignments().map(|(booleans, integers)| -> Vec<Value> {
        booleans.into_iter().map(Value::Bool).chain(integers.into_iter().map(Value::int)).collect()
    });
    let runs = values.map(|values| run(spec, 0, &values)).filter(|run| run.violated.is_empty());
    runs.map(|run| Point { conditions: run.conditions, outcome: run.outcome }).collect()
}

fn decides(spec: &Spec, point: &Point, group: &[usize]) -> bool {
    let mut flipped = point.conditions.clone();
    group.iter().for_each(|&leaf| flipped[leaf] = !flipped[leaf]);
    spec.decisions[0].formula.eval(&flipped) != point.outcome
}

/// Whether some of the points together show condition `index` as the criterion asks.
fn shown(spec: &Spec, points: &[Point], groups: &[Vec<usize>], index: usize, criterion: Criterion) -> bool {
    let group = &groups[index];
    let active = |value: bool| -> Vec<&Point> {
        points.iter().filter(|point| point.conditions[group[0]] == value && decides(spec, point, group)).collect()
    };
    let (high, low) = (active(true), active(false));
    let others_same = |left: &Point, right: &Point| {
        let others = groups.iter().enumerate().filter(|(other, _)| *other != index);
        others.into_iter().all(|(_, other)| left.conditions[other[0]] == right.conditions[other[0]])
    };
    let pair =
        |related: &dyn Fn(&Point, &Point) -> bool| high.iter().any(|left| low.iter().any(|right| related(left, right)));
    match criterion {
        Criterion::MaskingMcdc | Criterion::Gacc => pair(&|_, _| true),
        Criterion::Cacc => pair(&|left, right| left.outcome != right.outcome),
        Criterion::UniqueCauseMcdc | Criterion::Racc => pair(&others_same),
        Criterion::UniqueCauseMaskingMcdc => pair(&|_, _| true),
        other => unreachable!("{other:?} is not about one condition each"),
    }
}

fn generate(subject: &BooleanSubject<'_>, options: Options) -> Outcome {
    let backend = Backend::new(&options);
    let mut session = Session::new(subject, &backend, options).expect("the built-in solver is always there");
    while session.pull().expect("the search agrees with the interpreter").is_some() {}
    session.finish().expect("the search agrees with the interpreter")
}

fn test_points(spec: &Spec, outcome: &Outcome) -> Vec<Point> {
    let point = |inputs: &Inputs| {
        let Inputs::Assignment(values) = inputs else { panic!("the tests of a decision are assignments") };
        let values: Vec<Value> = values.values().cloned().collect();
        let run = run(spec, 0, &values);
        assert!(run.violated.is_empty(), "a test violates an assumption");
        Point { conditions: run.conditions, outcome: run.outcome }
    };
    outcome.tests.iter().map(|test| point(&test.test().inputs)).collect()
}

const CRITERIA: [Criterion; 6] = [
    Criterion::MaskingMcdc,
    Criterion::UniqueCauseMcdc,
    Criterion::UniqueCauseMaskingMcdc,
    Criterion::Cacc,
    Criterion::Gacc,
    Criterion::Racc,
];

/// Checks one decision; how many goals are covered, and how many infeasible.
fn check(text: &str, criterion: Criterion, mode: ConditionMode, strategy: SearchStrategy) -> (usize, usize) {
    let source = Source::new("random.bool", text);
    let (spec, _) = load(&source, Dialect::Bool).expect("random decisions are well-formed");
    let goal_options = GoalOptions { mode, ..GoalOptions::default() };
    let goals = goals(&source, &spec, 0, criterion, goal_options).expect("the criterion applies");
    let subject = BooleanSubject::new(&spec, 0, goals);
    let outcome = generate(&subject, Options { strategy, attacks: 50, ..Options::default() });
    let (all, suite, groups) = (points(&spec), test_points(&spec, &outcome), groups(&spec, mode));
    for (index, status) in outcome.statuses.iter().enumerate() {
        let feasible = shown(&spec, &all, &groups, index, criterion);
        let key = &subject.goals()[index].key;
        match status {
            GoalStatus::Covered => {
                assert!(shown(&spec, &suite, &groups, index, criterion), "{key} is not shown\n{text}")
            }
            GoalStatus::Infeasible(reason) => assert!(!feasible, "{key} is feasible, not {reason}\n{text}"),
            other => panic!("{key} is left open: {other:?}\n{text}"),
        }
        assert_eq!(feasible, *status == GoalStatus::Covered, "{key}\n{text}");
    }
    let count = |name: &str| outcome.statuses.iter().filter(|status| status.name() == name).count();
    (count("covered"), count("infeasible"))
}

#[test]
fn random_decisions_have_feasible_and_infeasible_goals_for_every_criterion() {
    for criterion in CRITERIA {
        let (mut covered, mut infeasible) = (0, 0);
        for seed in 0..40 {
            let text = decision(&mut Choices::seeded(seed, 64), 8);
            let counts = check(&text, criterion, ConditionMode::Occurrence, SearchStrategy::Each);
            covered += counts.0;
            infeasible += counts.1;
        }
        assert!(20 < covered && 20 < infeasible, "{criterion:?}: {covered} covered, {infeasible} infeasible");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_200))]

    #[test]
    fn suites_cover_exactly_what_brute_force_finds_feasible(choices in testkit::choices(64), criterion in 0..6usize, variable in any::<bool>()) {
        let mut choices = choices;
        let text = decision(&mut choices, 8);
        let mode = if variable { ConditionMode::Variable } else { ConditionMode::Occurrence };
        check(&text, CRITERIA[criterion], mode, SearchStrategy::Each);
    }

    #[test]
    fn every_strategy_gives_the_same_verdicts(choices in testkit::choices(64), criterion in 0..6usize, strategy in 0..4usize) {
        let mut choices = choices;
        let text = decision(&mut choices, 6);
        let strategies =
            [SearchStrategy::Soft, SearchStrategy::Iterative, SearchStrategy::Groupwise, SearchStrategy::Incremental];
        check(&text, CRITERIA[criterion], ConditionMode::Occurrence, strategies[strategy]);
    }
}

#[test]
fn a_cut_run_claims_nothing_about_the_number_of_its_tests() {
    let source = Source::new("cut.bool", "input a, b, c: bool; decision d = a && (b || c);");
    let (spec, _) = load(&source, Dialect::Bool).expect("it is correct");
    let all = goals(&source, &spec, 0, Criterion::MaskingMcdc, GoalOptions::default()).expect("it has goals");
    let subject = BooleanSubject::new(&spec, 0, all);
    let whole = generate(&subject, Options::default());
    assert_eq!((whole.complete, whole.minimality), (true, Minimality::Proved));
    for limit in 1..4 {
        let cut = generate(&subject, Options { limit: Some(limit), ..Options::default() });
        assert_eq!((cut.complete, cut.minimality), (false, Minimality::NotProved), "{limit}");
    }
}

#[test]
fn values_are_as_small_as_the_conditions_allow() {
    let source = Source::new("small.bool", "input m, n: int; decision d = m + 2 < 0 || m + n > 1000;");
    let (spec, _) = load(&source, Dialect::Bool).expect("a well-formed decision");
    let goals =
        goals(&source, &spec, 0, Criterion::MaskingMcdc, GoalOptions::default()).expect("the criterion applies");
    let outcome = generate(&BooleanSubject::new(&spec, 0, goals).with_small_values(), Options::default());
    let inputs: Vec<String> = outcome.tests.iter().map(|test| test.test().inputs.to_json().to_string()).collect();
    assert_eq!(inputs, [r#"{"m":-3,"n":0}"#, r#"{"m":0,"n":0}"#, r#"{"m":0,"n":1001}"#]);
}

/// The range of an input is not left out of an explanation where unknown numbers are multiplied: without it nobody could decide.
#[test]
fn products_of_small_inputs_are_decided_and_explained() {
    let text = "input x: int in 0..4; input y: int in 0..4; decision d = x > x * x || x * y > 16;";
    let source = Source::new("products.bool", text);
    let (spec, _) = load(&source, Dialect::Bool).expect("it is correct");
    let findings = draw_boolean::precheck(&spec, 0, &Backend::new(&Options::default())).expect("decided");
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, source::Severity::Warning);
    for criterion in [Criterion::MaskingMcdc, Criterion::UniqueCauseMcdc, Criterion::Condition] {
        let goals = goals(&source, &spec, 0, criterion, GoalOptions::default()).expect("the criterion applies");
        let outcome = generate(&BooleanSubject::new(&spec, 0, goals), Options::default());
        assert!(
            outcome.statuses.iter().all(|status| matches!(status, GoalStatus::Covered | GoalStatus::Infeasible(_)))
        );
        assert!(outcome.statuses.iter().any(|status| matches!(status, GoalStatus::Infeasible(_))), "{criterion:?}");
    }
}

/// A decision with one outcome is tested as far as that goes: what it makes impossible is said goal by goal.
#[test]
fn a_constant_decision_has_goals_that_are_covered_and_goals_that_are_impossible() {
    let source = Source::new("constant.bool", "input x, y: bool; decision d = x || !x || y;");
    let (spec, _) = load(&source, Dialect::Bool).expect("it is correct");
    let names = |criterion: Criterion| -> Vec<&'static str> {
        let goals = goals(&source, &spec, 0, criterion, GoalOptions::default()).expect("the criterion applies");
        let outcome = generate(&BooleanSubject::new(&spec, 0, goals), Options::default());
        outcome.statuses.iter().map(GoalStatus::name).collect()
    };
    assert!(names(Criterion::Condition).iter().all(|name| *name == "covered"));
    assert_eq!(names(Criterion::Decision), ["covered", "infeasible"]);
    assert!(names(Criterion::MaskingMcdc).iter().all(|name| *name == "infeasible"));
}

/// The parts of a sharded suite are not reduced: whoever merges them does that once for all.
#[test]
fn shards_are_not_reduced() {
    let source = Source::new("shard.bool", "input a, b, c, d: bool; decision z = (a || b) && (c || d);");
    let (spec, _) = load(&source, Dialect::Bool).expect("it is correct");
    let all = goals(&source, &spec, 0, Criterion::UniqueCauseMcdc, GoalOptions::default()).expect("it has goals");
    let subject = BooleanSubject::new(&spec, 0, all);
    let shard = search::Shard { index: 0, count: 2 };
    let part = generate(&subject, Options { shard: Some(shard), ..Options::default() });
    assert_eq!(part.minimality, Minimality::NotProved);
    assert_eq!(part.tests.len(), part.statistics.found);
}
