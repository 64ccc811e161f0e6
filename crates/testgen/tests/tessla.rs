//! TeSSLa: the acceptance figures of the literature, and properties over random specifications.
//!
//! Figures without a name are those of G. Bergmann, "Automatic test case generation for TeSSLa specifications via SMT solving"
//! (Luebeck, 2019), chapters 3 and 5, where its errata leave them, or follow from its definitions.

use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use serde_json::Value as Json;
use source::Source;
use tessla::core::Spec;
use tessla::goals::{Criterion, GoalOptions, goals};
use testcase::{GoalStatus, Inputs, Minimality};
use testgen::tessla::{TesslaSubject, unsupported};
use testgen::{Backend, Bound, Options, Outcome, Session, SolverChoice, Strategy, Subject};

const DECODER: &str = include_str!("../../../examples/tessla/decoder.tessla");
const QUADRATIC: &str = include_str!("../../../examples/tessla/quadratic.tessla");

const FILTER: &str = "in x: Events[Int]\nin cond: Events[Bool]\ndef c = merge(cond, last(cond, x))\n\
    def keep(e: Option[Int], k: Option[Bool]): Option[Int] =\n\
    if isNone(k) then None[Int] else if getSome(k) then e else None[Int]\ndef z = lift(x, c, keep)\nout z\n";

const MERGE: &str = "def either(p: Events[Int], q: Events[Int]): Events[Int] = {\n\
    def pick(x: Option[Int], y: Option[Int]): Option[Int] = if isNone(x) then y else x\nlift(p, q, pick)\n}\n";

const COUNTER: &str = "in x: Events[Unit]\n\
    def either[T](p: Events[T], q: Events[T]): Events[T] = lift(p, q, (a: Option[T], b: Option[T]) => if isNone(a) then b else a)\n\
    def counter: Events[Int] = either(last(counter, x) + 1, 0)\nout counter\n";

fn load(text: &str) -> Spec {
    load_in_ticks(text, 1)
}

fn load_in_ticks(text: &str, ticks: u32) -> Spec {
    let options = tessla::Options { ticks: std::num::NonZeroU32::new(ticks), ..tessla::Options::default() };
    let loaded = tessla::load_alone(Source::new("x.tessla", text), options);
    loaded.spec.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports))
}

/// What is asked for.
#[derive(Clone, Copy)]
struct Asked {
    criterion: Criterion,
    strategy: Strategy,
    bound: u32,
    closed: bool,
    /// How many times there are to a unit.
    ticks: u32,
    /// Random runs against claims; those within a bound may fall, since random runs are longer.
    attacks: usize,
}

fn asked(strategy: Strategy, bound: u32) -> Asked {
    Asked { criterion: Criterion::Decision, strategy, bound, closed: false, ticks: 1, attacks: 0 }
}

struct Drawn {
    keys: Vec<String>,
    outcome: Outcome,
}

impl Drawn {
    fn with(&self, status: &str) -> Vec<&str> {
        let pairs = self.keys.iter().zip(&self.outcome.statuses);
        pairs.filter(|(_, found)| found.name() == status).map(|(key, _)| key.as_str()).collect()
    }

    fn inputs(&self) -> Vec<&Json> {
        fn json(inputs: &Inputs) -> &Json {
            match inputs {
                Inputs::Document(json) => json,
                _ => panic!("tests are traces"),
            }
        }
        self.outcome.tests.iter().map(|test| json(&test.test().inputs)).collect()
    }
}

fn draw(text: &str, asked: Asked) -> Drawn {
    let spec = load_in_ticks(text, asked.ticks);
    assert_eq!(unsupported(&spec), [], "{text}");
    let options = Options {
        strategy: asked.strategy,
        bound: Bound(asked.bound),
        solver: SolverChoice::BuiltIn,
        attacks: asked.attacks,
        ..Options::default()
    };
    let subject = TesslaSubject::new(&spec, goals(&spec, asked.criterion, GoalOptions::default()), asked.closed);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the solver is built in");
    while session.pull().unwrap_or_else(|error| panic!("{text}: {error}")).is_some() {}
    let outcome = session.finish().unwrap_or_else(|error| panic!("{text}: {error}"));
    Drawn { keys: subject.goals().iter().map(|goal| goal.key.clone()).collect(), outcome }
}

/// Whether the assertions of a specification contradict each other up to a bound.
fn contradicts(text: &str, bound: u32, closed: bool) -> bool {
    let drawn = draw(text, Asked { closed, ..asked(Strategy::Simple, bound) });
    let spec = load(text);
    let subject = TesslaSubject::new(&spec, goals(&spec, Criterion::Decision, GoalOptions::default()), closed);
    let options = Options { solver: SolverChoice::BuiltIn, ..Options::default() };
    let claimed = subject.is_contradictory(&Backend::new(&options), Bound(bound)).expect("the solver answers");
    assert_eq!(claimed, drawn.outcome.tests.is_empty(), "{text}");
    claimed
}

#[test]
fn every_goal_of_the_decoder_has_its_smallest_bound() {
    // The smallest number of moments for each goal; the condition of the filter is never absent.
    let smallest = [
        ("d1=true", 10),
        ("d1=false", 2),
        ("d2=true", 5),
        ("d2=false", 2),
        ("d3=true", 8),
        ("d3=false", 2),
        ("d4=true", 2),
        ("d4=false", 5),
        ("d5=true", u32::MAX),
        ("d5=false", 1),
        ("d6=true", 1),
        ("d6=false", 2),
        ("d7=true", 2),
        ("d7=false", 2),
        ("d8=true", 2),
        ("d8=false", 2),
    ];
    for bound in [1, 2, 4, 5, 7, 8, 9, 10] {
        let drawn = draw(DECODER, asked(Strategy::Iterative, bound));
        let expected: Vec<&str> = smallest.iter().filter(|(_, least)| *least <= bound).map(|(key, _)| *key).collect();
        assert_eq!(drawn.with("covered"), expected, "at {bound}");
        assert_eq!(drawn.with("infeasible_up_to").len(), 16 - expected.len());
    }
}

#[test]
fn one_test_of_the_decoder_needs_twenty_two_moments() {
    let drawn = draw(DECODER, asked(Strategy::Incremental, 22));
    assert_eq!((drawn.with("covered").len(), drawn.outcome.tests.len()), (15, 1));
    let fewer = draw(DECODER, asked(Strategy::Incremental, 21));
    assert_eq!((fewer.with("covered").len(), fewer.outcome.tests.len()), (15, 2));
    assert_eq!(fewer.outcome.minimality, Minimality::ProvedWithinBound);
}

#[test]
fn two_tests_of_the_decoder_need_twelve_moments() {
    let drawn = draw(DECODER, asked(Strategy::Incremental, 12));
    assert_eq!((drawn.with("covered").len(), drawn.outcome.tests.len()), (15, 2));
    let fewer = draw(DECODER, asked(Strategy::Incremental, 11));
    assert_eq!(fewer.with("covered").len(), 15);
    assert!(2 < fewer.outcome.tests.len());
}

#[test]
fn the_decoder_has_no_test_with_every_branch_and_closed_timers_cost_nothing() {
    let hard = draw(DECODER, asked(Strategy::Hard, 20));
    assert!(hard.outcome.tests.is_empty());
    for bound in [12, 20] {
        let closed = draw(DECODER, Asked { closed: true, ..asked(Strategy::Iterative, bound) });
        assert_eq!(closed.with("covered").len(), 15, "at {bound}");
    }
}

#[test]
fn hard_needs_three_moments_for_the_filter_and_two_for_the_merge() {
    let tests = |text: &str, bound| draw(text, asked(Strategy::Hard, bound)).outcome.tests.len();
    assert_eq!((tests(FILTER, 1), tests(FILTER, 2), tests(FILTER, 3)), (0, 0, 1));
    let merge = format!("in a: Events[Int]\nin b: Events[Int]\n{MERGE}out either(a, b) as z\n");
    assert_eq!((tests(&merge, 1), tests(&merge, 2)), (0, 1));
}

#[test]
fn a_stream_merged_with_itself_has_a_branch_that_is_never_taken() {
    let text = format!("in x: Events[Int]\n{MERGE}out either(x, x) as z\n");
    let drawn = draw(&text, asked(Strategy::Iterative, 6));
    assert_eq!((drawn.with("covered"), drawn.with("infeasible_up_to")), (vec!["d1=false"], vec!["d1=true"]));
    assert_eq!(drawn.outcome.tests.len(), 1);
    assert!(draw(&text, asked(Strategy::Hard, 6)).outcome.tests.is_empty());
}

#[test]
fn the_counter_counts() {
    assert_eq!(draw(COUNTER, asked(Strategy::Hard, 1)).outcome.tests.len(), 0);
    assert_eq!(draw(COUNTER, asked(Strategy::Hard, 2)).outcome.tests.len(), 1);
    let three = format!("{COUNTER}# assert exists counter == 3\n");
    assert!(contradicts(&three, 3, false));
    let drawn = draw(&three, asked(Strategy::Simple, 4));
    assert_eq!(drawn.inputs()[0].to_string(), r#"{"events":{"x":[[1,null],[2,null],[3,null]]},"end":3}"#);
    assert!(contradicts(&format!("{COUNTER}# assert all counter != 0\n"), 10, false));
}

#[test]
fn timers_that_must_have_run_out_make_a_difference() {
    let text = "in d: Events[Int]\ndef z = delay(d, d)\nout z\n# assert some d\n# assert empty z\n";
    for bound in [1, 3, 6] {
        assert!(!contradicts(text, bound, false), "open, at {bound}");
        assert!(contradicts(text, bound, true), "closed, at {bound}");
    }
}

#[test]
fn assertions_on_inputs_hold_in_every_test() {
    let text = format!("{FILTER}# assert all x >= 0\n# assert all x != 3\n");
    let drawn = draw(&text, asked(Strategy::Each, 5));
    assert_eq!(drawn.with("covered").len(), 5);
    for json in drawn.inputs() {
        for event in json["events"]["x"].as_array().into_iter().flatten() {
            assert!(event[1].as_i64().is_some_and(|value| 0 <= value && value != 3), "{json}");
        }
    }
}

#[test]
fn the_theorems_on_assertions_are_equivalences() {
    let streams = "in a: Events[Int]\nin b: Events[Bool]\nout a\ndef either = merge(const((), a), const((), b))\n\
                   def both = slift(a, b, (x: Int, y: Bool) => ())\n";
    let wrong = [
        "# assert empty either\n# assert some a\n",
        "# assert empty either\n# assert some b\n",
        "# assert some either\n# assert empty a\n# assert empty b\n",
        "# assert some both\n# assert empty a\n",
        "# assert some both\n# assert empty b\n",
        "# assert empty both\n# assert some a\n# assert some b\n",
        "# assert some a\n# assert empty a\n",
    ];
    for asserted in wrong {
        for bound in [1, 3, 5] {
            assert!(contradicts(&format!("{streams}{asserted}"), bound, false), "{asserted} at {bound}");
        }
    }
}

#[test]
fn only_the_roots_of_the_polynomial_are_found() {
    assert!(contradicts(QUADRATIC, 1, false));
    let drawn = draw(QUADRATIC, asked(Strategy::Simple, 5));
    let events = drawn.inputs()[0]["events"]["x"].as_array().expect("events").clone();
    let values: Vec<i64> = events.iter().map(|event| event[1].as_i64().expect("a number")).collect();
    assert!(2 <= values.len() && values.iter().all(|value| [4, -9].contains(value)), "{values:?}");
    assert!(values.windows(2).all(|pair| pair[0] != pair[1]), "{values:?}");
}

#[test]
fn division_is_towards_zero_and_never_by_zero() {
    let text = "in x: Events[Int]\nin y: Events[Int]\n\
        def safe(a: Option[Int], b: Option[Int]): Option[Int] =\n\
        if isNone(a) then None[Int] else if isNone(b) then None[Int] else if getSome(b) == 0 then None[Int] else Some(getSome(a) / getSome(b))\n\
        def z = lift(x, y, safe)\nout z\n# assert all x == -7\n";
    assert!(!contradicts(&format!("{text}# assert all y == 2\n# assert exists z == -3\n"), 2, false));
    assert!(contradicts(&format!("{text}# assert all y == 2\n# assert exists z == -4\n"), 2, false));
    assert!(contradicts(&format!("{text}# assert all y == 0\n# assert some z\n"), 3, false));
}

#[test]
fn a_light_needs_three_moments_for_three_colours() {
    let light = "in s: Events[Int]\nout s\n# assert all s >= 0 && s <= 2\n";
    for form in ["directly", "sequence"] {
        let text = format!("{light}# assert {form} s == 0, s == 1, s == 2\n");
        assert!(contradicts(&text, 2, false) && !contradicts(&text, 3, false), "{form}");
    }
    assert!(contradicts(&format!("{light}# assert never s == 1\n# assert sequence s == 0, s == 1\n"), 5, false));
    let close =
        format!("{light}# assert sequence s == 0, s == 1 within 3\n# assert all time(s) - last(time(s), s) > 3\n");
    assert!(contradicts(&close, 3, false));
}

#[test]
fn real_times_lie_between_whole_ones() {
    // A timer of one unit and an event strictly between its start and its end; two of them with a third.
    let text = "in r: Events[Unit]\nin x: Events[Unit]\ndef t = delay(const(1, r), r)\nout t\n\
                def inside = last(time(r), x) < time(x) && time(x) < last(time(r), x) + 1\n";
    let drawn = |asserted: &str, bound, ticks| {
        let text = format!("{text}# assert {asserted}\n");
        draw(&text, Asked { ticks, ..asked(Strategy::Simple, bound) }).outcome.tests.len()
    };
    assert_eq!((drawn("exists inside", 5, 1), drawn("exists inside", 5, 5)), (0, 1));
    let three = "exists count(filter(x, inside)) == 3 && count(r) == 1";
    assert_eq!((drawn(three, 5, 3), drawn(three, 5, 5)), (0, 1));
    // The thesis's experiment with real times: the same goals can be reached.
    let decoder = draw(DECODER, Asked { ticks: 20, ..asked(Strategy::Iterative, 20) });
    assert_eq!((decoder.with("covered").len(), decoder.with("infeasible_up_to")), (15, vec!["d5=true"]));
}

#[test]
fn answers_in_time_are_told_from_late_ones() {
    let text = "in ask: Events[Unit]\nin tell: Events[Unit]\nout ask\n# assert some ask\n\
                # assert response const(true, ask), const(true, tell) within 4\n";
    let unanswered = format!("{text}# assert empty tell\n");
    assert!(!contradicts(&unanswered, 4, false), "an answer may come after the end");
    assert!(contradicts(&unanswered, 4, true), "but not if every timer has run out");
    assert!(contradicts(&format!("{text}# assert all time(tell) - time(ask) > 4\n# assert some tell\n"), 4, false));
}

fn observable(text: &str, bound: u32) -> Drawn {
    draw(text, Asked { criterion: Criterion::Observable, ..asked(Strategy::Each, bound) })
}

#[test]
fn branches_without_a_visible_difference_are_told_apart() {
    let drawn = observable("in x: Events[Int]\nout if x > 0 then 1 else 2 as z\n", 3);
    assert_eq!(drawn.with("covered"), ["v1=true", "v1=false"]);
    let same = observable("in x: Events[Int]\nout if x > 0 then 1 else 1 as z\n", 3);
    assert_eq!(same.with("infeasible_up_to"), ["v1=true", "v1=false"]);
    // The decision counts events, but only a count above one is shown: one event is not enough.
    let later = "in x: Events[Int]\ndef n: Events[Int] = default(last(n, x) + (if x > 0 then 1 else 0), 0)\n\
                 out filter(n, n > 1) as z\n";
    assert_eq!(observable(later, 2).with("covered"), Vec::<&str>::new());
    assert_eq!(observable(later, 3).with("covered"), ["v1=true", "v1=false"]);
}

#[test]
fn the_decoder_shows_its_decisions() {
    let drawn = observable(DECODER, 5);
    let hidden = drawn.with("infeasible_up_to");
    assert!(drawn.with("covered").len() + hidden.len() == 16 && hidden.contains(&"v5=true"), "{hidden:?}");
}

#[test]
fn operations_are_undefined_where_that_is_asked_for() {
    let text = "in x: Events[Int]\nin y: Events[Int]\nout x / y as z\n";
    let drawn = draw(text, Asked { criterion: Criterion::Undefined, ..asked(Strategy::Each, 3) });
    assert_eq!(drawn.outcome.statuses, [GoalStatus::Covered]);
}

#[test]
fn tests_are_small() {
    let text = "in x: Events[Int]\nin y: Events[Int]\nout if x > 4 && y < -3 then x else y as z\n";
    let drawn = draw(text, asked(Strategy::Each, 20));
    for json in drawn.inputs() {
        for events in json["events"].as_object().expect("streams").values() {
            let events = events.as_array().expect("events");
            let is_small = |event: &Json| event[1].as_i64().is_some_and(|value| (-4..=5).contains(&value));
            assert!(events.len() <= 2 && events.iter().all(is_small), "{json}");
        }
        assert!(json["end"].as_i64().is_some_and(|end| end <= 1), "{json}");
    }
}

/// A stream of integers over the inputs a: Int, b: Bool, c: Option[Int], d: (Int, Bool), u: Unit.
fn integers() -> impl proptest::strategy::Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("a".to_owned()),
        Just("slift1(c, fromOption)".to_owned()),
        Just("slift1(d, fromPair)".to_owned()),
        Just("const(3, u)".to_owned()),
    ];
    leaf.prop_recursive(3, 10, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(value, trigger)| format!("last({value}, {trigger})")),
            two.clone().prop_map(|(left, right)| format!("merge({left}, {right})")),
            two.clone().prop_map(|(left, right)| format!("({left} + {right})")),
            two.clone().prop_map(|(left, right)| format!("(if {left} < {right} then {left} - 1 else {right})")),
            two.clone().prop_map(|(left, right)| format!("defaultFrom({left}, {right})")),
            two.prop_map(|(left, right)| format!("lift({left}, {right}, later)")),
            inner.clone().prop_map(|of| format!("time({of})")),
            inner.clone().prop_map(|of| format!("default({of}, 2)")),
            inner.clone().prop_map(|of| format!("filter({of}, b)")),
            inner.clone().prop_map(|of| format!("count({of})")),
            inner.clone().prop_map(|of| format!("resetCount({of}, u)")),
            inner.prop_map(|of| format!("const(1, delay(const(3, {of}), merge(const((), {of}), u)))")),
        ]
    })
}

const INPUTS: &str = "in a: Events[Int]\nin b: Events[Bool]\nin c: Events[Option[Int]]\nin d: Events[(Int, Bool)]\nin u: Events[Unit]\n\
    def fromOption(x: Option[Int]): Int = if isNone(x) then 7 else getSome(x)\n\
    def fromPair(x: (Int, Bool)): Int = if x._2 && x._1 > 0 then x._1 else 0 - x._1\n\
    def later(x: Option[Int], y: Option[Int]): Option[Int] = if isNone(x) then y else if isSome(y) && getSome(x) > getSome(y) then None[Int] else x\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Every test is judged by the interpreter, every claim that there is none is attacked with random runs: a wrong encoding ends
    /// in an error.
    #[test]
    fn search_and_interpreter_agree_on_random_specifications(
        stream in integers(),
        bound in 1_u32..6,
        criterion in prop_oneof![Just(Criterion::All), Just(Criterion::Observable)],
    ) {
        let text = format!("{INPUTS}out {stream} as z\n");
        let drawn = draw(&text, Asked { criterion, attacks: 200, ..asked(Strategy::Iterative, bound) });
        prop_assert_eq!(drawn.with("unknown"), Vec::<&str>::new(), "{}", text);
    }
}
