//! TeSSLa: the cases of `corpus/tessla/generate`, and properties over random specifications.
//!
//! A case says in comments at the top what is drawn: `draw: STRATEGY [closed] [show] [ticks=N] [places=N] BOUNDS`, with further assertions behind
//! `|`. `draw: size BOUNDS` counts the symbols of the search problem. "Bergmann 2019" is G. Bergmann, "Test-case generation for
//! Stream-based specification languages" (Luebeck, 2019); figures are its own where its errata leave them, or follow from its
//! definitions.

use std::fmt::Write;

use draw_tessla::document::Trace;
use draw_tessla::{Room, TesslaSubject, unsupported};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;
use search::{Attacks, Backend, Bound, Options, Outcome, Session, SolverChoice, Strategy, Subject};
use serde_json::Value as Json;
use source::Source;
use tessla::core::Spec;
use tessla::extent::extent;
use tessla::goals::{Criterion, GoalOptions, goals};
use testcase::{GoalStatus, Inputs, Minimality, ObligationId};

const DECODER: &str = include_str!("../../../examples/tessla/decoder.tessla");
const FILTER: &str = "in x: Events[Int]\nin cond: Events[Bool]\ndef c = merge(cond, last(cond, x))\n\
    def keep(e: Option[Int], k: Option[Bool]): Option[Int] =\n\
    if isNone(k) then None[Int] else if getSome(k) then e else None[Int]\ndef z = lift(x, c, keep)\nout z\n";

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
    /// How many elements collections have at most.
    places: usize,
}

fn asked(strategy: Strategy, bound: u32) -> Asked {
    Asked { criterion: Criterion::Decision, strategy, bound, closed: false, ticks: 1, attacks: 0, places: 5 }
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
        // Claims stay as they are, and are attacked below.
        attacks: 0,
        // A random specification may be as hard as it likes; then goals stay open.
        goal_conflicts: Some(50_000),
        ..Options::default()
    };
    let room = Room { places: asked.places, ..Room::default() };
    let subject =
        TesslaSubject::new(&spec, goals(&spec, asked.criterion, GoalOptions::default()), asked.closed).with_room(room);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the solver is built in");
    while session.pull().unwrap_or_else(|error| panic!("{text}: {error}")).is_some() {}
    let outcome = session.finish().unwrap_or_else(|error| panic!("{text}: {error}"));
    // A bound is a promise, whoever found a test.
    for test in &outcome.tests {
        let inputs = &test.test().inputs;
        assert!(subject.is_within(inputs, Bound(asked.bound)), "{text}: {} at {}", inputs.to_json(), asked.bound);
    }
    refute(&spec, &subject, &outcome, asked);
    Drawn { keys: subject.goals().iter().map(|goal| goal.key.clone()).collect(), outcome }
}

/// Looks for random runs within all limits, in which nothing undefined is evaluated, that show what was called impossible there: a run
/// takes back such claims without a word when it finds one.
fn refute(spec: &Spec, subject: &TesslaSubject<'_>, outcome: &Outcome, asked: Asked) {
    let is_claim = |status: &GoalStatus| matches!(status, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_));
    let claimed: Vec<ObligationId> = (outcome.statuses.iter().zip(subject.goals()))
        .filter(|(status, _)| is_claim(status))
        .flat_map(|(_, goal)| goal.alternatives.iter().flatten().copied())
        .collect();
    if claimed.is_empty() || asked.attacks == 0 {
        return;
    }
    for inputs in subject.attacks(77, asked.attacks, &claimed, Bound(asked.bound)) {
        let Inputs::Document(json) = &inputs else { panic!("tests are traces") };
        let trace = Trace::from_json(spec, json).expect("a trace of this specification");
        if !subject.is_within(&inputs, Bound(asked.bound)) || extent(spec, &trace.events, trace.end).undefined {
            continue;
        }
        let replayed = subject.replay().run(&inputs);
        let refuted = replayed.met.iter().find(|obligation| claimed.contains(obligation));
        assert!(replayed.objection.is_some() || refuted.is_none(), "{refuted:?} is shown by {json}");
    }
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

/// A line `draw:` of a case.
struct Line<'a> {
    strategy: &'a str,
    closed: bool,
    show: bool,
    ticks: u32,
    places: usize,
    bounds: Vec<u32>,
    assertions: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn read(text: &'a str) -> Line<'a> {
        let mut parts = text.split('|').map(str::trim);
        let mut words = parts.next().expect("a strategy").split_whitespace();
        let strategy = words.next().expect("a strategy");
        let mut line = Line {
            strategy,
            closed: false,
            show: false,
            ticks: 1,
            places: 5,
            bounds: Vec::new(),
            assertions: parts.collect(),
        };
        for word in words {
            match word {
                "closed" => line.closed = true,
                "show" => line.show = true,
                _ => match word.split_once('=') {
                    Some(("ticks", ticks)) => line.ticks = ticks.parse().expect("a number"),
                    Some(("places", places)) => line.places = places.parse().expect("a number"),
                    _ => line.bounds = word.split(',').map(|bound| bound.parse().expect("a number")).collect(),
                },
            }
        }
        assert!(!line.bounds.is_empty(), "{text}");
        line
    }

    /// What is found at each bound, in words.
    fn report(&self, text: &str, into: &mut String) {
        let mut text = text.to_owned();
        self.assertions.iter().for_each(|assertion| text += &format!("# assert {assertion}\n"));
        for &bound in &self.bounds {
            let _ = write!(into, "{} at {bound}: ", self.strategy);
            if self.strategy == "size" {
                let spec = load(&text);
                let goals = goals(&spec, Criterion::Decision, GoalOptions::default());
                let (symbols, _) = TesslaSubject::new(&spec, goals, self.closed).size(Bound(bound));
                let _ = writeln!(into, "{symbols} symbols");
                continue;
            }
            let strategy = Strategy::from_name(self.strategy).expect("a strategy");
            let drawn = draw(
                &text,
                Asked { closed: self.closed, ticks: self.ticks, places: self.places, ..asked(strategy, bound) },
            );
            let count = drawn.outcome.tests.len();
            if strategy == Strategy::Simple && count == 0 {
                assert!(contradicts(&text, bound, self.closed));
                into.push_str("a contradiction\n");
                continue;
            }
            let covered = drawn.with("covered").len();
            let _ = write!(into, "{covered} of {} covered, {count} tests", drawn.keys.len());
            let minimality = match drawn.outcome.minimality {
                Minimality::Proved | Minimality::ProvedWithinBound if count > 1 => " (as few as there can be)",
                _ => "",
            };
            into.push_str(minimality);
            for (status, words) in [("infeasible", "never"), ("infeasible_up_to", "not within the bound")] {
                let found = drawn.with(status);
                if !found.is_empty() {
                    let _ = write!(into, ", {words}: {}", found.join(" "));
                }
            }
            into.push('\n');
            if self.show {
                drawn.inputs().iter().for_each(|inputs| {
                    let _ = writeln!(into, "    {inputs}");
                });
            }
        }
    }
}

/// The text of a case with the files it includes in their places.
fn with_includes(case: &testkit::corpus::Case) -> String {
    let folder = case.path.parent().expect("a folder");
    let line = |line: &str| match line.strip_prefix("include \"").and_then(|path| path.strip_suffix('"')) {
        Some(path) => std::fs::read_to_string(folder.join(path)).expect("the included file is there"),
        None => format!("{line}\n"),
    };
    case.source.text().lines().map(line).collect()
}

#[test]
fn what_is_drawn_for_the_corpus() {
    for case in testkit::corpus::cases("tessla/generate", &["tessla"]) {
        let text = with_includes(&case);
        let mut found = String::new();
        for line in case.source.text().lines().filter_map(|line| line.strip_prefix("# draw: ")) {
            let _ = writeln!(found, "# {line}");
            Line::read(line).report(&text, &mut found);
        }
        case.expect(&found);
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
fn colours_that_follow_closely_do_not_follow_slowly() {
    let light = "in s: Events[Int]\nout s\n# assert all s >= 0 && s <= 2\n";
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
fn a_hard_proof_at_a_small_bound_does_not_keep_goals_waiting() {
    // That two moments show too little is hard to prove for all integers; three moments show it.
    let spec = load(include_str!("../../../corpus/tessla/generate/timing-priorities-in-a-word.tessla"));
    let subject = TesslaSubject::new(&spec, goals(&spec, Criterion::All, GoalOptions::default()), false);
    let options = Options {
        strategy: Strategy::Growing,
        bound: Bound(6),
        solver: SolverChoice::Auto,
        timeout: Some(std::time::Duration::from_secs(100)),
        attacks: 0,
        ..Options::default()
    };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("a solver is built in");
    while session.pull().expect("nothing fails").is_some() {}
    let outcome = session.finish().expect("nothing fails");
    let is_open = |status: &&GoalStatus| matches!(status, GoalStatus::Unknown(_));
    assert_eq!(outcome.statuses.iter().filter(is_open).count(), 0);
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
        strategy in prop_oneof![Just(Strategy::Iterative), Just(Strategy::Growing), Just(Strategy::Incremental)],
    ) {
        let text = format!("{INPUTS}out {stream} as z\n");
        let drawn = draw(&text, Asked { criterion, attacks: 200, ..asked(strategy, bound) });
        prop_assert_eq!(drawn.with("unknown"), Vec::<&str>::new(), "{}", text);
    }
}

/// A stream of lists of integers over the inputs a: Int, l: List[Int], s: Set[Int], m: Map[Int, Int].
fn lists() -> impl proptest::strategy::Strategy<Value = String> {
    let leaf = prop_oneof![Just("l".to_owned()), Just("so".to_owned()), Just("slift1(m, keysOf)".to_owned())];
    leaf.prop_recursive(3, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.clone().prop_map(|of| format!("List.append({of}, a)")),
            inner.clone().prop_map(|of| format!("List.prepend(a, {of})")),
            inner.clone().prop_map(|of| format!("List.init({of})")),
            inner.clone().prop_map(|of| format!("slift1({of}, rest)")),
            inner.clone().prop_map(|of| format!("slift({of}, a, greater)")),
            two.clone().prop_map(|(one, two)| format!("merge({one}, last({two}, a))")),
            two.prop_map(|(one, two)| format!("(if {one} == {two} then {one} else l)")),
        ]
    })
}

/// A truth about such lists, and about sets and maps.
fn truths_of_collections() -> impl proptest::strategy::Strategy<Value = String> {
    prop_oneof![
        (lists(), 0..5).prop_map(|(of, size)| format!("List.size({of}) > {size}")),
        (lists(), 0..5).prop_map(|(of, sum)| format!("slift1({of}, total) == {sum}")),
        lists().prop_map(|of| format!("slift({of}, s, inside)")),
        lists().prop_map(|of| format!("Set.contains(Set.union(seen, Set.minus(s, seen)), slift1({of}, total))")),
        lists().prop_map(|of| format!("slift({of}, m, valued)")),
        (lists(), lists()).prop_map(|(one, two)| format!("{one} == {two}")),
    ]
}

const COLLECTIONS: &str = "in a: Events[Int]\nin l: Events[List[Int]]\nin s: Events[Set[Int]]\nin m: Events[Map[Int, Int]]\n\
    def so: Events[List[Int]] = default(List.append(last(so, a), a), List.empty[Int])\n\
    def seen: Events[Set[Int]] = default(Set.remove(Set.add(last(seen, a), a), 2), Set.empty[Int])\n\
    def keysOf(m: Map[Int, Int]): List[Int] = Map.keys(Map.remove(m, 1))\n\
    def rest(l: List[Int]): List[Int] = if List.size(l) > 0 then List.tail(l) else l\n\
    def greater(l: List[Int], x: Int): List[Int] = List.fold(l, List.empty[Int], (d: List[Int], e: Int) => if e > x then List.append(d, e) else d)\n\
    def from(l: List[Int], i: Int): Int = if i < List.size(l) then List.get(l, i) + from(l, i + 1) else 0\n\
    def total(l: List[Int]): Int = from(l, 0)\n\
    def inside(l: List[Int], s: Set[Int]): Bool = List.fold(l, true, (all: Bool, e: Int) => all && Set.contains(s, e))\n\
    def valued(l: List[Int], m: Map[Int, Int]): Bool = Map.fold(m, false, (some: Bool, k: Int, v: Int) => some || v == List.size(l) && k > 0)\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// As above, with lists, sets, maps, folds and recursion.
    #[test]
    fn search_and_interpreter_agree_on_collections(
        one in truths_of_collections(),
        bound in 1_u32..4,
        places in 1_usize..5,
        criterion in prop_oneof![Just(Criterion::All), Just(Criterion::Observable)],
        strategy in prop_oneof![Just(Strategy::Iterative), Just(Strategy::Growing)],
    ) {
        let text = format!("{COLLECTIONS}out if {one} then 1 else 2 as z\n");
        let drawn = draw(&text, Asked { criterion, attacks: 200, places, ..asked(strategy, bound) });
        prop_assert!(drawn.with("unknown").len() < drawn.keys.len(), "{}", text);
    }
}

/// A stream of units over the inputs u, v: Unit and b: Bool, with timers and counters: nothing in it looks at times.
fn timers() -> impl proptest::strategy::Strategy<Value = String> {
    let leaf = prop_oneof![Just("u".to_owned()), Just("v".to_owned()), Just("unitIf(b)".to_owned())];
    leaf.prop_recursive(3, 8, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            (two.clone(), 1..5).prop_map(|((set, reset), amount)| format!("delay(const({amount}, {set}), {reset})")),
            two.clone().prop_map(|(left, right)| format!("merge({left}, {right})")),
            (two.clone(), 0..4).prop_map(|((of, by), most)| format!("filter({of}, count({by}) <= {most})")),
            two.prop_map(|(of, by)| format!("const((), last(count({of}), {by}))")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// As above, where times are gaps and counters stop at their ceilings.
    #[test]
    fn search_and_interpreter_agree_on_timers_and_counters(
        one in timers(),
        two in timers(),
        most in 0..5,
        bound in 1_u32..8,
        closed in any::<bool>(),
        strategy in prop_oneof![Just(Strategy::Iterative), Just(Strategy::Growing), Just(Strategy::Incremental)],
    ) {
        let text = format!(
            "in u: Events[Unit]\nin v: Events[Unit]\nin b: Events[Bool]\ndef x = {one}\ndef y = {two}\n\
             out if count(x) > {most} then 1 else if 2 == count(y) then 2 else 3 as z\n"
        );
        let asked = Asked { criterion: Criterion::All, attacks: 200, closed, ..asked(strategy, bound) };
        let drawn = draw(&text, asked);
        prop_assert_eq!(drawn.with("unknown"), Vec::<&str>::new(), "{}", text);
    }
}

/// A specification with two comparisons, whose numbers and relations a seed chooses; the numbers are given.
fn guarded(seed: u64, [a, b, c]: [i64; 3]) -> String {
    let relation = |at: u64| ["<", "<=", ">", ">="][(seed >> (8 * at)) as usize % 4];
    format!(
        "in x: Events[Int]\nin y: Events[Int]\nout if x {} {a} && x + y {} {b} then 1 else 2 as z\n\
         out count(filter(x, y {} {c})) as n\n",
        relation(0),
        relation(1),
        relation(2)
    )
}

/// How many of the specifications with one number off by one a suite tells from the right one.
fn told_apart(seed: u64, numbers: [i64; 3], small: bool) -> (usize, usize) {
    let text = guarded(seed, numbers);
    let spec = load(&text);
    let subject = TesslaSubject::new(&spec, goals(&spec, Criterion::Mcdc, GoalOptions::default()), false);
    let subject = if small { subject.with_small_values() } else { subject };
    let options =
        Options { strategy: Strategy::Growing, bound: Bound(4), solver: SolverChoice::BuiltIn, ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("the solver is built in");
    while session.pull().expect("nothing fails").is_some() {}
    let outcome = session.finish().expect("nothing fails");
    assert!(outcome.statuses.iter().all(|status| !matches!(status, GoalStatus::Unknown(_))), "{text}");
    let mut told = 0;
    for (place, by) in [(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)] {
        let mut other = numbers;
        other[place] += by;
        let other = load(&guarded(seed, other));
        let other = TesslaSubject::new(&other, goals(&other, Criterion::Mcdc, GoalOptions::default()), false);
        told += usize::from(outcome.tests.iter().any(|test| {
            let expected = &test.test().expected;
            other.replay().run(&test.test().inputs).test.expected != *expected
        }));
    }
    (told, outcome.tests.len())
}

#[test]
fn numbers_lie_on_the_borders_of_comparisons() {
    let (mut border, mut small, mut sizes) = (0, 0, [0, 0]);
    for round in 0..20_u64 {
        let seed = round.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 7;
        let numbers = [11, 29, 47].map(|by| (seed / by % 81) as i64 - 40);
        let (one, other) = (told_apart(seed, numbers, false), told_apart(seed, numbers, true));
        border += one.0;
        small += other.0;
        sizes = [sizes[0] + one.1, sizes[1] + other.1];
    }
    assert_eq!(sizes[0], sizes[1], "the number of tests stays as it is");
    // One number off by one is told twice as often as with small numbers: 60 and 30 of 120.
    assert!(2 * small <= border && 55 <= border, "{border} and {small} of 120");
}
