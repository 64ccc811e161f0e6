//! Test strategies and realizability: the examples of Röck's thesis (2018), chapter 4, and small games.

use draw_ltl::{Allowance, Answer, StrategySubject, realizable};
use ltl::faults::{Selection, faults};
use ltl::{Dialect, FaultKind, Machine, load};
use search::{Backend, Options, Session, Subject};
use source::Source;
use testcase::{GoalStatus, Inputs};

fn subject(text: &str, selection: Selection) -> StrategySubject {
    let source = Source::new("test.ltl", text);
    let (mut spec, _) = load(&source, Dialect::Ltl).expect("well formed");
    let faults = faults(&mut spec, selection).expect("the faults are well formed");
    StrategySubject::new(&source, spec, faults)
}

/// What an engine finds out about an obligation; on the way it may find strategies for others.
fn asked(engine: &mut dyn search::Engine, obligation: testcase::ObligationId) -> Vec<search::Finding> {
    loop {
        let findings = engine.round(&[obligation]).expect("it works");
        let elsewhere = |finding: &search::Finding| matches!(finding, search::Finding::Inputs { targets, .. } if !targets.contains(&obligation));
        if !findings.iter().any(elsewhere) {
            return findings;
        }
    }
}

fn engine<'a>(subject: &'a StrategySubject, backend: &'a Backend, options: &Options) -> Box<dyn search::Engine + 'a> {
    match subject.searcher(backend, options).expect("it begins") {
        search::Searcher::Engine(engine) => engine,
        search::Searcher::Terms(_) => panic!("strategies are not found by solvers"),
    }
}

/// For every fault the lowest frequency at which a confirmed strategy exposes it, and the strategy's states.
fn best(text: &str, selection: Selection) -> Vec<(String, String)> {
    let subject = subject(text, selection);
    let goal_timeout = Some(std::time::Duration::from_secs(20));
    let options = Options { minimize: false, goal_timeout, ..Options::default() };
    let backend = Backend::new(&options);
    let mut engine = engine(&subject, &backend, &options);
    let mut judge = subject.replay();
    let mut found = Vec::new();
    for goal in subject.goals() {
        let mut result = "none".to_owned();
        'goal: for (frequency, alternative) in ["F", "GF", "FG", "G"].iter().zip(&goal.alternatives) {
            for finding in asked(&mut *engine, alternative[0]) {
                match finding {
                    search::Finding::Inputs { inputs, .. } => {
                        let replayed = judge.run(&inputs[0]);
                        assert_eq!(replayed.objection, None);
                        assert!(
                            replayed.met.contains(&alternative[0])
                                || judge.witnesses().iter().any(|w| w.obligation == alternative[0]),
                            "the judge confirms {} at {frequency}",
                            goal.key
                        );
                        result = format!("{frequency} {}", replayed.test.notes["states"]);
                        break 'goal;
                    }
                    search::Finding::Closed(_, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_)) => {}
                    other => result = format!("{other:?}"),
                }
            }
        }
        found.push((goal.key.clone(), result));
    }
    found
}

fn check(text: &str, selection: Selection, expected: &[(&str, &str)]) {
    let found = best(text, selection);
    let found: Vec<(&str, &str)> = found.iter().map(|(key, result)| (key.as_str(), result.as_str())).collect();
    assert_eq!(found, expected);
}

#[test]
fn strategies_for_the_traffic_light_are_as_good_as_they_can_be() {
    let text = include_str!("../../../examples/ltl/traffic-light.ltl");
    check(
        text,
        Selection::All,
        &[
            ("h/stuck-at-0", "FG 1"),
            ("f/stuck-at-0", "FG 1"),
            ("p/stuck-at-0", "FG 2"),
            ("h/stuck-at-1", "FG 1"),
            ("f/stuck-at-1", "FG 1"),
            ("p/stuck-at-1", "GF 1"),
            ("h/bit-flip", "FG 1"),
            ("f/bit-flip", "FG 1"),
            ("p/bit-flip", "GF 1"),
        ],
    );
}

#[test]
fn strategies_for_the_small_examples() {
    check(include_str!("../../../examples/ltl/go.ltl"), Selection::Declared, &[("o/bit-flip", "F 1")]);
    check(include_str!("../../../examples/ltl/example8.ltl"), Selection::Declared, &[("o/bit-flip", "GF 1")]);
    check(include_str!("../../../examples/ltl/example9.ltl"), Selection::Declared, &[("o/stuck-at-0", "GF 2")]);
    check(
        include_str!("../../../examples/ltl/arbiter.ltl"),
        Selection::StuckAt,
        &[("g1/stuck-at-0", "FG 1"), ("g2/stuck-at-0", "FG 1"), ("g1/stuck-at-1", "FG 1"), ("g2/stuck-at-1", "FG 1")],
    );
    check(
        include_str!("../../../examples/ltl/both-faults.ltl"),
        Selection::Declared,
        &[("g1+g2/silent", "F 1"), ("refuses", "F 1")],
    );
}

#[test]
fn a_session_confirms_strategies() {
    let subject = subject(include_str!("../../../examples/ltl/arbiter.ltl"), Selection::StuckAt);
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("it begins");
    while session.pull().expect("it goes on").is_some() {}
    let outcome = session.finish().expect("it ends");
    assert!(outcome.statuses.iter().all(|status| *status == GoalStatus::Covered), "{:?}", outcome.statuses);
}

/// For every fault of the traffic light the frequencies at which a strategy exposes it.
fn matrix(text: &str) -> Vec<String> {
    let subject = subject(include_str!("../../../examples/ltl/traffic-light.ltl"), Selection::All);
    let document = serde_json::from_str(text).expect("it is JSON");
    let replayed = subject.replay().run(&Inputs::Document(document));
    assert_eq!(replayed.objection, None);
    let mut rows = Vec::new();
    for goal in subject.goals() {
        let names = ["F", "GF", "FG", "G"].iter().zip(&goal.alternatives);
        let met: Vec<&str> =
            names.filter(|(_, alternative)| replayed.met.contains(&alternative[0])).map(|(name, _)| *name).collect();
        rows.push(format!("{}: {}", goal.key, met.join(" ")));
    }
    rows
}

#[test]
fn the_judge_knows_the_strategies_of_the_thesis() {
    // The second strategy of section 4.1: no car until the farm road is red, then a car until it is green.
    let second = r#"{"kind": "moore", "reads": ["h", "f", "p"], "sets": ["c"], "states": [
        {"moves": [{"when": {"f": true}, "set": {"c": false}, "next": 0}, {"when": {"f": false}, "set": {"c": false}, "next": 1}]},
        {"moves": [{"when": {"f": false}, "set": {"c": true}, "next": 1}, {"when": {"f": true}, "set": {"c": true}, "next": 0}]}]}"#;
    let first = r#"{"kind": "moore", "reads": ["h", "f", "p"], "sets": ["c"], "states": [
        {"moves": [{"when": {"f": true}, "set": {"c": false}, "next": 0}, {"when": {"f": false}, "set": {"c": false}, "next": 1}]},
        {"moves": [{"when": {"f": false}, "set": {"c": true}, "next": 1}, {"when": {"f": true}, "set": {"c": true}, "next": 2}]},
        {"moves": [{"when": {}, "set": {"c": false}, "next": 2}]}]}"#;
    assert_eq!(
        matrix(second),
        [
            "h/stuck-at-0: FG G",
            "f/stuck-at-0: FG G",
            "p/stuck-at-0: FG G",
            "h/stuck-at-1: FG G",
            "f/stuck-at-1: FG G",
            "p/stuck-at-1: FG G",
            "h/bit-flip: FG G",
            "f/bit-flip: FG G",
            "p/bit-flip: GF FG G"
        ]
    );
    assert_eq!(
        matrix(first),
        [
            "h/stuck-at-0: FG G",
            "f/stuck-at-0: G",
            "p/stuck-at-0: G",
            "h/stuck-at-1: G",
            "f/stuck-at-1: FG G",
            "p/stuck-at-1: GF FG G",
            "h/bit-flip: G",
            "f/bit-flip: FG G",
            "p/bit-flip: GF FG G"
        ]
    );
}

/// Thesis, section 4.1: constant inputs, and the third and fourth strategy, which do one more step before the second.
#[test]
fn the_judge_knows_constants_and_longer_strategies() {
    let constant = |value: bool| {
        format!(
            r#"{{"kind": "moore", "reads": ["h", "f", "p"], "sets": ["c"], "states": [
            {{"moves": [{{"when": {{}}, "set": {{"c": {value}}}, "next": 0}}]}}]}}"#
        )
    };
    let delayed = |first: &str| {
        format!(
            r#"{{"kind": "moore", "reads": ["h", "f", "p"], "sets": ["c"], "states": [
            {{"moves": [{{"when": {{}}, "set": {{{first}}}, "next": 1}}]}},
            {{"moves": [{{"when": {{"f": true}}, "set": {{"c": false}}, "next": 1}}, {{"when": {{"f": false}}, "set": {{"c": false}}, "next": 2}}]}},
            {{"moves": [{{"when": {{"f": false}}, "set": {{"c": true}}, "next": 2}}, {{"when": {{"f": true}}, "set": {{"c": true}}, "next": 1}}]}}]}}"#
        )
    };
    let row = |frequencies: [&str; 9]| -> Vec<String> {
        let kinds = ["stuck-at-0", "stuck-at-1", "bit-flip"];
        let keys = kinds.iter().flat_map(|kind| ["h", "f", "p"].map(|output| format!("{output}/{kind}")));
        keys.zip(frequencies).map(|(key, met)| format!("{key}: {met}")).collect()
    };
    assert_eq!(matrix(&constant(false)), row(["FG G", "", "", "", "FG G", "GF FG G", "", "FG G", "GF FG G"]));
    assert_eq!(matrix(&constant(true)), row(["", "FG G", "", "FG G", "", "GF FG G", "FG G", "", "GF FG G"]));
    let second = row(["FG G", "FG G", "FG G", "FG G", "FG G", "FG G", "FG G", "FG G", "GF FG G"]);
    assert_eq!(matrix(&delayed(r#""c": false"#)), second);
    assert_eq!(matrix(&delayed("")), second);
}

fn answer(text: &str) -> Answer {
    let (mut spec, _) = load(&Source::new("test.ltl", text), Dialect::Ltl).expect("well formed");
    realizable(&mut spec, Allowance::default())
}

#[test]
fn realizability_of_small_specifications() {
    let check = |text: &str, expected: bool| match answer(text) {
        Answer::Realizable(machine) => assert!(expected, "{text}: {}", machine.states.len()),
        Answer::Unrealizable(machine) => assert!(!expected, "{text}: {}", machine.states.len()),
        Answer::Unkept { reason, .. } | Answer::Unknown(reason) | Answer::Disagreement(reason) => {
            panic!("{text}: {reason}")
        }
    };
    check("input a; output b; G (a <-> b)", true);
    check("input a; output b; target moore; G (a <-> b)", false);
    check("input a; output b; G (b <-> X a)", false);
    check("input a; output b; G (X b <-> a)", true);
    check("input a; output b; G F a <-> G F b", true);
    check("input a; output b; target moore; (F G a | G F !a) -> G F b", true);
    check("input a; output b; G (a -> F b) & G (b -> X !b) & G (b -> a)", false);
    check("input a; output b; F G b <-> G a", true);
    check("input a; output b; G (a -> F (b W a)) & G F !b", true);
    check("input a; output b; G F (b & X b & X X !b) & G (a -> !b)", false);
    check("input a; output b; assume G F !a; G F b & G (a -> !b)", true);
}

/// Specifications after the families of the synthesis competition, each with its answer; every answer is a machine that
/// the judge has confirmed.
/// Whatever the board remembers, a signal depends on little of it: 281 states were read off choice by choice.
#[test]
fn the_controller_of_the_satellite_is_small() {
    let Answer::Realizable(machine) = answer(include_str!("../../../examples/ltl/fdir.ltl")) else {
        panic!("it can be implemented")
    };
    assert!(machine.states.len() <= 8, "{} states", machine.states.len());
}

#[test]
fn families_of_the_competition_are_answered() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/ltl/realizable");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "tlsf"));
    paths.sort();
    assert!(12 <= paths.len());
    for path in paths {
        let read = |path: &std::path::Path| std::fs::read_to_string(path).expect("the case is there");
        let (mut spec, _) = load(&Source::new("case.tlsf", read(&path)), Dialect::Tlsf).expect("well formed");
        let found = match realizable(&mut spec, Allowance::default()) {
            Answer::Realizable(_) => "realizable".to_owned(),
            Answer::Unrealizable(_) => "unrealizable".to_owned(),
            Answer::Unkept { reason, .. } | Answer::Unknown(reason) | Answer::Disagreement(reason) => reason,
        };
        assert_eq!(found, read(&path.with_extension("tlsf.expected")).trim(), "{}", path.display());
    }
}

#[test]
fn machines_survive_json() {
    let Answer::Realizable(machine) = answer("input a; output b; G (X b <-> a)") else { panic!("it is realizable") };
    let mut formulas = omega::Formulas::new();
    formulas.atom_id("a");
    formulas.atom_id("b");
    let json = machine.to_json(&formulas);
    assert_eq!(Machine::from_json(&json, &mut formulas).expect("what is written can be read"), machine);
}

fn drawn(subject: &StrategySubject, bound: u32) -> (Vec<Machine>, Vec<GoalStatus>) {
    let options = Options { minimize: false, bound: search::Bound(bound), ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(subject, &backend, options).expect("it begins");
    while session.pull().expect("it goes on").is_some() {}
    let outcome = session.finish().expect("it ends");
    let machines = outcome.tests.iter().map(|test| {
        let Inputs::Document(json) = &test.test().inputs else { panic!("a strategy is a document") };
        Machine::from_json(json, &mut omega::Formulas::new()).expect("a machine")
    });
    (machines.collect(), outcome.statuses)
}

/// One fault of a shipped case study: the lowest frequency of those named, and the strategy's states.
fn case_study(text: &str, fault: &str) -> (String, usize) {
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("fault ")).collect();
    let subject = subject(&format!("{}\nfault {fault};", kept.join("\n")), Selection::Declared);
    let goal_timeout = Some(std::time::Duration::from_secs(120));
    let options = Options { minimize: false, goal_timeout, ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("it begins");
    while session.pull().expect("it goes on").is_some() {}
    let outcome = session.finish().expect("it ends");
    let test = outcome.tests.first().unwrap_or_else(|| panic!("{fault}: {:?}", outcome.statuses)).test();
    let exposes = test.notes["exposes"].as_object().and_then(|exposes| exposes.values().next());
    let frequency = exposes.and_then(|frequency| frequency.as_str()).unwrap_or("-").to_owned();
    (frequency, test.notes["states"].as_u64().unwrap_or(0) as usize)
}

/// Thesis, table 4.10, prints `GF` with four states; few of the guarantees suffice for a better one.
#[test]
fn a_strategy_for_the_satellite_is_better_than_that_of_table_4_10() {
    let fdir = include_str!("../../../examples/ltl/fdir.ltl");
    assert_eq!(case_study(fdir, "stuck_at_1 on on1 at F"), ("F".to_owned(), 1));
}

/// Thesis, example 9: of two states there are exactly four strategies, none of them inside another.
#[test]
fn example_9_has_four_strategies_of_two_states() {
    let text = include_str!("../../../examples/ltl/example9.ltl").replace("on o;", "on o at GF;");
    let source = Source::new("test.ltl", text.as_str());
    let (mut spec, _) = load(&source, Dialect::Ltl).expect("well formed");
    let faults = faults(&mut spec, Selection::Declared).expect("the faults are well formed");
    let subject = StrategySubject::several(&source, spec, faults, 5);
    let (machines, statuses) = drawn(&subject, 2);
    assert_eq!(machines.len(), 4, "{statuses:?}");
    assert!(matches!(statuses[4], GoalStatus::InfeasibleUpTo(_)), "{statuses:?}");
    for (place, machine) in machines.iter().enumerate() {
        assert_eq!(machine.states.len(), 2);
        assert!(machines[..place].iter().all(|other| !machine.is_inside(other)));
    }
}

/// Thesis, section 4.2.3: of the strategy for a grant that never comes, only its own request is needed.
#[test]
fn a_general_strategy_leaves_the_other_request_free() {
    let text = format!("{}\nfault stuck_at_0 on g1;", include_str!("../../../examples/ltl/arbiter.ltl"));
    let subject = subject(&text, Selection::Declared).generalised();
    let (machines, _) = drawn(&subject, 2);
    assert_eq!(machines.len(), 1);
    assert_eq!(machines[0].sets_in(0).len(), 1, "{:?}", machines[0]);
}

/// The arbiter of the AMBA bus with some faults.
fn arbiter_alone(faulty: &str) -> StrategySubject {
    subject(&format!("{}\n{faulty}", include_str!("../../../examples/ltl/amba.ltl")), Selection::Declared)
}

/// The same, and the circuit that is shipped as a known system.
fn arbiter(faulty: &str) -> StrategySubject {
    let text = include_str!("../../../examples/ltl/amba.ltl");
    let source = Source::new("amba.ltl", format!("{text}\n{faulty}"));
    let (mut spec, _) = load(&source, Dialect::Ltl).expect("well formed");
    let faults = faults(&mut spec, Selection::Declared).expect("the faults are well formed");
    let circuit = Source::new("amba.circuit", include_str!("../../../examples/ltl/amba.circuit"));
    let circuit = ltl::circuit::Circuit::parse(&circuit, &mut spec.formulas).expect("the circuit is well formed");
    let system = circuit.to_machine(&spec.formulas).expect("the circuit is small").to_json(&spec.formulas);
    StrategySubject::new(&source, spec, faults).knowing(system)
}

/// Thesis, table 4.8, the whole specification: these frequencies took 4,800 to 9,900 s there, with two states; the flips
/// had no result after six days.
#[test]
fn strategies_for_the_arbiter_are_as_good_as_those_of_table_4_8() {
    let subject = arbiter(
        "fault stuck_at_0 on hgrant0 at GF; fault stuck_at_1 on hmaster, hgrant1, hmastlock, locked at GF;
         fault flip on hmaster, hmastlock at GF; fault stuck_at_0 on start, decide at FG;",
    );
    let (machines, statuses) = drawn(&subject, 1);
    assert!(statuses.iter().all(|status| *status == GoalStatus::Covered), "{statuses:?}");
    assert!(machines.iter().all(|machine| machine.states.len() == 1));
}

/// Table 4.8 prints F for these faults; the specification as printed leaves the first step free, so a correct arbiter that
/// begins with the other master has the fault and never shows it.
#[test]
fn a_known_system_hides_faults_of_the_first_step() {
    let subject = arbiter("fault stuck_at_0 on hgrant0 at F; fault stuck_at_1 on hmaster, hgrant1, hmastlock at F;");
    let (machines, statuses) = drawn(&subject, 1);
    assert_eq!(machines.len(), 0);
    for status in statuses {
        let GoalStatus::InfeasibleUpTo(words) = status else { panic!("{status:?}") };
        assert!(words.contains("has the fault and never shows it"), "{words}");
    }
}

/// Where no system is known one is synthesised, and begins with the fault.
#[test]
fn a_system_is_synthesised_that_hides_faults_of_the_first_step() {
    let subject = arbiter_alone("fault stuck_at_1 on hgrant0, locked at F;");
    let (machines, statuses) = drawn(&subject, 1);
    assert_eq!(machines.len(), 0);
    for status in statuses {
        let GoalStatus::InfeasibleUpTo(words) = status else { panic!("{status:?}") };
        assert!(words.contains("has the fault and never shows it"), "{words}");
    }
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    let texts = [
        include_str!("../../../examples/ltl/traffic-light.ltl"),
        include_str!("../../../examples/ltl/arbiter.ltl"),
        "input a, b; output x, y; G (X x <-> a); G (b -> F y);",
    ];
    for text in texts {
        let subject = subject(text, Selection::All);
        let suite = |jobs: usize| {
            let options = Options { jobs, ..Options::default() };
            let backend = Backend::new(&options);
            let mut session = Session::new(&subject, &backend, options).expect("it begins");
            while session.pull().expect("it goes on").is_some() {}
            let source = testcase::SourceRecord { file: String::new(), sha256: String::new() };
            session
                .finish()
                .expect("it ends")
                .to_suite(search::Subject::goals(&subject), "ltl", source)
                .to_json_string()
        };
        let alone = suite(1);
        assert_eq!(suite(2), alone, "{text}");
        assert_eq!(suite(5), alone, "{text}");
    }
}

/// The original specification of the arbiter says how it begins; then the same faults are exposed even if they show only
/// once, as table 4.8 says, by strategies of one state in place of two.
#[test]
fn faults_that_show_once_are_exposed_where_the_first_step_is_known() {
    let subject = arbiter(
        "guarantee G11: hgrant0 & !hgrant1 & !hmaster & !hmastlock & !locked;
         fault stuck_at_0 on hgrant0 at F; fault stuck_at_1 on hmaster, hgrant1, hmastlock at F;",
    );
    let (machines, statuses) = drawn(&subject, 1);
    assert!(statuses.iter().all(|status| *status == GoalStatus::Covered), "{statuses:?}");
    assert!(machines.iter().all(|machine| machine.states.len() == 1));
}

/// Where no system satisfies the specification, or none can have the fault, every machine would be a strategy: none is shown.
#[test]
fn vacuous_demands_are_infeasible() {
    let text = "input a; output b; G (b <-> a); fault absent: (b & !b) on b;";
    let (machines, statuses) = drawn(&subject(text, Selection::Declared), 2);
    assert_eq!(machines.len(), 0);
    let [GoalStatus::Infeasible(words)] = statuses.as_slice() else { panic!("{statuses:?}") };
    assert!(words.contains("no system can have this fault"), "{words}");
}

#[test]
fn an_unrealizable_specification_is_no_subject() {
    let subject = subject("input a; output b; G (b <-> X a); fault stuck_at_0 on b;", Selection::Declared);
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("it begins");
    let Err(search::SearchError::Pointless { proof, .. }) = session.pull() else { panic!("there is nothing to test") };
    assert_eq!(proof["kind"], "moore", "the environment sets its signals first");
}

/// A system that does not satisfy the specification is not believed.
#[test]
fn a_system_that_is_wrong_is_not_believed() {
    let text = format!("{}\nfault stuck_at_0 on g1 at FG;", include_str!("../../../examples/ltl/arbiter.ltl"));
    let silent = r#"{"kind": "mealy", "reads": ["r1", "r2"], "sets": ["g1", "g2"], "states": [
        {"moves": [{"when": {}, "set": {"g1": false, "g2": false}, "next": 0}]}]}"#;
    let subject = subject(&text, Selection::Declared).knowing(serde_json::from_str(silent).expect("it is JSON"));
    let (machines, statuses) = drawn(&subject, 2);
    assert_eq!(machines.len(), 1, "{statuses:?}");
}

/// A strategy for one fault is not evidence about a fault that no system can have, though it satisfies its demand.
/// The strategy for the first fault exposes the second one as well, but only if it shows from some time on.
#[test]
fn a_fault_met_in_passing_is_still_looked_for_at_lower_frequencies() {
    let text = "input r;\noutput a, b;\nguarantee G (r -> a);\nguarantee G (!r -> b);\nguarantee G F b;\n";
    let subject = subject(text, Selection::Each(FaultKind::StuckAt0));
    let options = Options { goal_timeout: Some(std::time::Duration::from_secs(20)), ..Options::default() };
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options.clone()).expect("it begins");
    session.pull().expect("it goes on");
    assert_eq!(session.statuses(), [Some(GoalStatus::Covered), Some(GoalStatus::Covered)]);
    while session.pull().expect("it goes on").is_some() {}
    let outcome = session.finish().expect("it ends");
    assert_eq!(outcome.manners, [Some("F".to_owned()), Some("F".to_owned())]);
    assert_eq!(outcome.tests.len(), 2);
}

#[test]
fn vacuous_demands_are_not_met_in_passing() {
    for fault in ["(b & !b)", "(b & X !b)", "((b <-> b') & !(b <-> a))"] {
        let text = format!("input a; output b; G (b <-> a); fault stuck_at_0 on b; fault absent: {fault} on b at G;");
        let (machines, statuses) = drawn(&subject(&text, Selection::Declared), 2);
        assert_eq!(machines.len(), 1, "{fault}");
        let [GoalStatus::Covered, GoalStatus::Infeasible(words)] = statuses.as_slice() else { panic!("{statuses:?}") };
        assert_eq!(words, "no system can have this fault");
    }
}

/// What cannot happen in every step can happen in some: a glitch is a fault, if not a permanent one.
#[test]
fn a_glitch_is_possible_at_times() {
    for frequency in ["F", "GF"] {
        let text = format!("input a; output b; G (b <-> a); fault glitch: (b & X !b) on b at {frequency};");
        let (machines, statuses) = drawn(&subject(&text, Selection::Declared), 2);
        assert_eq!(statuses, [GoalStatus::Covered], "{frequency}");
        assert_eq!(machines.len(), 1);
    }
}

/// What is known about one of two outputs that can be exchanged is known about the other, and says so.
#[test]
fn symmetric_faults_are_searched_once() {
    let text = "input r1, r2; output g1, g2; G (X g1 <-> r1 & !r2); G (X g2 <-> r2 & !r1); symmetric r1 = r2, g1 = g2;";
    let subject = subject(text, Selection::Each(ltl::FaultKind::StuckAt0));
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut engine = engine(&subject, &backend, &options);
    let mut judge = subject.replay();
    let mut said = Vec::new();
    for obligation in 0..8 {
        for finding in asked(&mut *engine, testcase::ObligationId(obligation)) {
            match finding {
                search::Finding::Inputs { inputs, .. } => {
                    let notes = judge.run(&inputs[0]).test.notes;
                    let by = notes.get("by_symmetry").map(ToString::to_string).unwrap_or_default();
                    said.push(format!("{obligation} {} {by}", inputs[0].to_json()["states"][0]["moves"][0]["set"]));
                }
                search::Finding::Closed(_, GoalStatus::Infeasible(why)) => {
                    said.push(format!("{obligation} {}", why.contains("by symmetry with stuck-at-0 on g1")));
                }
                other => panic!("{other:?}"),
            }
        }
    }
    // The output of the first step is free, so a fault that shows once can be hidden there.
    let by = r#"{"stuck-at-0 on g2":"stuck-at-0 on g1"}"#;
    let (one, other) = (r#"{"r1":true,"r2":false}"#, r#"{"r1":false,"r2":true}"#);
    assert_eq!(said[0], "0 false");
    assert_eq!(said[4], "4 true");
    assert_eq!(said[1..4], [1, 2, 3].map(|obligation| format!("{obligation} {one} ")));
    assert_eq!(said[5], format!("5 {other} {by}"));
    assert_eq!(said.len(), 8);
}
