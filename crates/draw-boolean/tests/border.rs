//! Values on the border: they change nothing that a suite claims, and they find comparisons that are off by one.
//!
//! The faults are planted by a generator of this file, before any test is looked at; the search knows nothing of it.

use std::collections::BTreeSet;

use boolean::border::to_the_border;
use boolean::goals::{ConditionMode, Criterion, GoalOptions, goals};
use boolean::interp::{Assignment, run};
use boolean::meter::Meter;
use boolean::{Dialect, Spec, load};
use draw_boolean::BooleanSubject;
use proptest::prelude::*;
use search::{Backend, Options, Outcome, Session, Subject};
use source::Source;
use testcase::Inputs;
use testkit::decisions::decision;
use value::Value;

/// A kind of guards: how many variables they have, and the highest of their values; the lowest is 0.
#[derive(Clone, Copy)]
struct Kind {
    variables: usize,
    highest: i64,
}

const NAMES: [&str; 5] = ["a", "b", "c", "e", "f"];

fn read(text: &str) -> Spec {
    load(&Source::new("guard.bool", text), Dialect::Bool).unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).0
}

fn draw(text: &str, criterion: Criterion, small: bool) -> Outcome {
    let spec = &read(text);
    let source = Source::new("guard.bool", text);
    let asked = GoalOptions { mode: ConditionMode::Occurrence, boundary: false };
    let goals = goals(&source, spec, spec.decisions.len() - 1, criterion, asked).expect("few goals");
    let subject = BooleanSubject::new(spec, spec.decisions.len() - 1, goals);
    let subject = if small { subject.with_small_values() } else { subject };
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject as &dyn Subject, &backend, options).expect("built in");
    while session.pull().expect("no disagreement").is_some() {}
    session.finish().expect("no disagreement")
}

fn assignments(outcome: &Outcome) -> Vec<Assignment> {
    let values = |inputs: &Inputs| match inputs {
        Inputs::Assignment(values) => values.values().cloned().collect(),
        Inputs::Document(_) => panic!("assignments only"),
    };
    outcome.tests.iter().map(|test| values(&test.test().inputs)).collect()
}

/// A guard over a few integers: its text with `#` in the place of each constant, and the constants.
struct Guard {
    kind: Kind,
    pattern: String,
    constants: Vec<i64>,
}

struct Random(u64);

impl Random {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

impl Guard {
    fn random(random: &mut Random, kind: Kind) -> Guard {
        let mut guard = Guard { kind, pattern: String::new(), constants: Vec::new() };
        let count = 3 + random.below(6);
        guard.pattern = guard.part(random, count);
        guard
    }

    fn part(&mut self, random: &mut Random, count: u64) -> String {
        if count == 1 {
            let variable = NAMES[random.below(self.kind.variables as u64) as usize];
            let other = NAMES[random.below(self.kind.variables as u64) as usize];
            let operator = ["<", "<=", ">", ">=", "==", "!="][random.below(6) as usize];
            self.constants.push(1 + random.below(self.kind.highest as u64 - 1) as i64);
            return match random.below(4) {
                0 if variable != other => {
                    *self.constants.last_mut().expect("just pushed") %= 5;
                    format!("{variable} {operator} {other} + #")
                }
                _ => format!("{variable} {operator} #"),
            };
        }
        let left = 1 + random.below(count - 1);
        let connective = ["&&", "||"][random.below(2) as usize];
        let (one, two) = (self.part(random, left), self.part(random, count - left));
        format!("({one} {connective} {two})")
    }

    fn text(&self, constants: &[i64]) -> String {
        let mut parts = self.pattern.split('#');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for (constant, part) in constants.iter().zip(parts) {
            text.push_str(&format!("{constant}{part}"));
        }
        let inputs: String = NAMES[..self.kind.variables]
            .iter()
            .map(|name| format!("input {name}: int in 0..{};\n", self.kind.highest))
            .collect();
        format!("{inputs}decision d = {text};\n")
    }

    /// Every version with one constant off by one.
    fn faulty(&self) -> Vec<Spec> {
        let version = |place: usize, by: i64| {
            let mut constants = self.constants.clone();
            constants[place] += by;
            read(&self.text(&constants))
        };
        (0..self.constants.len()).flat_map(|place| [version(place, 1), version(place, -1)]).collect()
    }
}

fn differs(spec: &Spec, faulty: &Spec, values: &[Value]) -> bool {
    run(spec, 0, values).outcome != run(faulty, 0, values).outcome
}

/// Every assignment.
fn everything(kind: Kind) -> Vec<Assignment> {
    let mut all: Vec<Assignment> = vec![Vec::new()];
    for _ in 0..kind.variables {
        let longer = |values: Assignment| {
            (0..=kind.highest).map(move |value| [values.clone(), vec![Value::int(value)]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// What suites are worth, for some random guards.
#[derive(Debug, Default)]
struct Worth {
    tests: usize,
    /// Faults that some assignment shows.
    faults: usize,
    /// Those that an assignment shows under which all conditions have the values they have in some test.
    reachable: usize,
    border: usize,
    small: usize,
}

fn worth(kind: Kind, seed: u64) -> Worth {
    let mut random = Random(seed);
    let all = everything(kind);
    let mut worth = Worth::default();
    for _ in 0..40 {
        let guard = Guard::random(&mut random, kind);
        let text = guard.text(&guard.constants);
        let spec = read(&text);
        let on_border = assignments(&draw(&text, Criterion::MaskingMcdc, false));
        let simple = assignments(&draw(&text, Criterion::MaskingMcdc, true));
        assert_eq!(on_border.len(), simple.len(), "{text}");
        worth.tests += on_border.len();
        let conditions: BTreeSet<Vec<bool>> = on_border.iter().map(|values| run(&spec, 0, values).conditions).collect();
        for faulty in guard.faulty() {
            let shows: Vec<&Assignment> = all.iter().filter(|values| differs(&spec, &faulty, values)).collect();
            let near = |values: &&Assignment| conditions.contains(&run(&spec, 0, values).conditions);
            worth.faults += usize::from(!shows.is_empty());
            worth.reachable += usize::from(shows.into_iter().any(|values| near(&values)));
            worth.border += usize::from(on_border.iter().any(|values| differs(&spec, &faulty, values)));
            worth.small += usize::from(simple.iter().any(|values| differs(&spec, &faulty, values)));
        }
    }
    worth
}

#[test]
fn off_by_one_faults_are_found_with_no_more_tests() {
    let worth = worth(Kind { variables: 5, highest: 4 }, 19);
    println!("{worth:?}");
    assert!(worth.reachable * 99 <= worth.border * 100, "{worth:?}");
    assert!(worth.faults * 95 <= worth.border * 100, "{worth:?}");
    assert!(worth.small * 12 < worth.border * 10, "{worth:?}");
}

#[test]
fn off_by_one_faults_are_found_where_conditions_share_variables() {
    let worth = worth(Kind { variables: 3, highest: 12 }, 19);
    println!("{worth:?}");
    assert!(worth.reachable * 94 <= worth.border * 100, "{worth:?}");
    assert!(worth.faults * 91 <= worth.border * 100, "{worth:?}");
    assert!(worth.small * 12 < worth.border * 10, "{worth:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever tests there are: conditions, outcome and assumptions stay as they were, and so does all that is met.
    #[test]
    fn moving_values_changes_no_truth_value_and_no_coverage(mut choices in testkit::choices(200), seed in any::<u64>()) {
        let text = decision(&mut choices, 6);
        let spec = read(&text);
        let number = spec.decisions.len() - 1;
        let mut sampler = boolean::sample::Sampler::new(&spec, seed);
        let tests: Vec<Assignment> = (0..12).map(|_| sampler.draw()).collect();
        let moved = to_the_border(&spec, number, tests.clone(), &[true]);
        prop_assert_eq!(&moved[0], &tests[0], "a test that stays does not move");
        for (before, after) in tests.iter().zip(&moved) {
            prop_assert_eq!(run(&spec, number, before), run(&spec, number, after));
        }
        for criterion in [Criterion::MaskingMcdc, Criterion::UniqueCauseMcdc, Criterion::MultipleCondition] {
            let asked = GoalOptions { mode: ConditionMode::Occurrence, boundary: false };
            let Ok(goals) = goals(&Source::new("random.bool", &text), &spec, number, criterion, asked) else { continue };
            let met = |tests: &[Assignment]| {
                let mut meter = Meter::new(&spec, number, &goals);
                tests.iter().for_each(|values| { meter.add(values); });
                meter.witnesses()
            };
            prop_assert_eq!(met(&tests), met(&moved));
        }
    }

    /// A whole suite claims the same, with as many tests and with the same word on its size.
    #[test]
    fn a_suite_on_the_border_is_as_small_as_one_of_small_values(mut choices in testkit::choices(120)) {
        let text = decision(&mut choices, 6);
        let (border, small) = (draw(&text, Criterion::MaskingMcdc, false), draw(&text, Criterion::MaskingMcdc, true));
        prop_assert_eq!(&border.statuses, &small.statuses);
        prop_assert_eq!(border.tests.len(), small.tests.len());
        prop_assert_eq!(border.minimality, small.minimality);
    }
}

#[test]
fn bit_vectors_are_moved_to_the_border_signed_and_unsigned() {
    let values = |text: &str| -> BTreeSet<String> {
        let outcome = draw(text, Criterion::MaskingMcdc, false);
        assignments(&outcome).iter().map(|values| values[0].to_string()).collect()
    };
    let both = |one: &str, two: &str| BTreeSet::from([one.to_owned(), two.to_owned()]);
    assert_eq!(values("input x: u8;\ndecision d = x > 100;\n"), both("#x64", "#x65"));
    assert_eq!(values("input x: u8;\ndecision d = bvslt(x, 0);\n"), both("#x00", "#xff"));
}

#[test]
fn values_stay_valid_where_nothing_is_negative() {
    let outcome = draw("input port: int;\ndecision d = port != 0 && port < 1024;\n", Criterion::MaskingMcdc, false);
    let zero = Value::int(0);
    assert!(assignments(&outcome).iter().all(|values| zero <= values[0]), "{:?}", assignments(&outcome));
}
