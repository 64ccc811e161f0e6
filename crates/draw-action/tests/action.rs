//! Action systems: the published figures, and verdicts as an explicit oracle gives them.

use std::collections::BTreeMap;
use std::path::Path;

use action::mutate::{Mutant, OperatorSet, mutants};
use action::trace::{Event, Label};
use action::{Notation, Revision, Spec, load, print};
use draw_action::{
    Back, CampaignOptions, Difference, Examined, Limits, Proof, Relation, SourceStrategy, Space, Verdict, bounded,
    examine, graph, paths, strategy,
};
use proptest::prelude::*;
use search::{Backend, Options};
use source::Source;

fn example(file: &str) -> Spec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action").join(file);
    read(&std::fs::read_to_string(path).expect("the example is there"), file)
}

fn read(text: &str, file: &str) -> Spec {
    let notation = Notation::from_extension(file.rsplit('.').next().unwrap_or("")).expect("a notation");
    let loaded = load(&Source::new(file, text), notation);
    loaded.unwrap_or_else(|errors| panic!("{file}: {errors:?}")).0
}

fn limits(depth: Option<u64>) -> Limits {
    Limits { depth, ..Limits::default() }
}

fn campaign(spec: &Spec, all: &[Mutant], relation: Relation, depth: Option<u64>, jobs: usize) -> Vec<Examined> {
    let revision = Revision::of(spec);
    let make = |index: usize| all[index].spec(&revision).ok_or_else(|| "no model".to_owned());
    let options = CampaignOptions { relation, limits: limits(depth), jobs };
    examine(spec, all.len(), &make, &options).expect("every finding is confirmed").examined
}

/// Figures of an independent explicit-state interpreter: states, pairs, labelled steps, depth.
#[test]
fn state_spaces_have_the_published_sizes() {
    let check = |file: &str, expected: (usize, u64, u64, usize)| {
        let space = Space::explore(&example(file), &limits(None));
        let steps = space.count_steps();
        assert_eq!((space.len(), steps.pairs, steps.labelled, space.depth()), expected, "{file}");
        assert_eq!(space.stopped(), None);
    };
    check("car_alarm.pl", (21, 33, 33, 13));
    check("car_alarm.as", (21, 33, 33, 13));
    check("car_alarm_10.pl", (21, 33, 33, 13));
    check("car_alarm_100.pl", (21, 33, 33, 13));
    check("car_alarm_1000.pl", (21, 33, 33, 13));
    check("car_alarm_bool_pin.pl", (21, 39, 40, 8));
    check("car_alarm_pin.pl", (21, 39, 7026, 8));
    check("rocket.pl", (4, 5, 5, 2));
    check("triangle.pl", (193, 192, 192, 3));
}

/// The thesis counts the states expanded under a depth bound: 4^3 + 1 and 31^3 + 1.
#[test]
fn triangles_have_the_published_sizes() {
    let check = |file: &str, expanded: usize, found: usize| {
        let space = Space::explore(&example(file), &limits(Some(2)));
        assert_eq!((space.expanded(), space.len()), (expanded, found), "{file}");
        assert!(space.memory() <= 32 * found + 65536, "{} bytes for {found} states", space.memory());
    };
    check("triangle.pl", 65, 129);
    check("triangle_10.pl", 29_792, 59_583);
}

/// Numbers of mutants, of killed ones by operator, and depths of the first difference, as the explicit oracle gives them.
#[test]
fn verdicts_are_those_of_the_explicit_oracle() {
    type Histogram<'a> = &'a [(usize, usize)];
    let check = |file: &str, made: &[(&str, usize)], killed: &[(&str, usize)], depths: Histogram<'_>| {
        let spec = example(file);
        let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
        let examined = campaign(&spec, &all, Relation::Refinement, None, 2);
        let mut counts: [BTreeMap<&str, usize>; 2] = Default::default();
        let mut histogram: BTreeMap<usize, usize> = BTreeMap::new();
        for (mutant, examined) in all.iter().zip(&examined) {
            let operator = mutant.operators[0].name();
            *counts[0].entry(operator).or_default() += 1;
            match &examined.verdict {
                Verdict::Killed(kill) => {
                    *counts[1].entry(operator).or_default() += 1;
                    *histogram.entry(kill.trace.len()).or_default() += 1;
                }
                Verdict::Conforms(claim) if claim.depth().is_none() => {}
                other => panic!("{}: {other:?}", mutant.id),
            }
        }
        assert_eq!(counts[0], made.iter().copied().collect(), "{file}");
        assert_eq!(counts[1], killed.iter().copied().collect(), "{file}");
        assert_eq!(histogram, depths.iter().copied().collect(), "{file}");
    };
    let alarm: Histogram<'_> =
        &[(0, 50), (1, 12), (2, 8), (3, 7), (4, 9), (5, 15), (6, 2), (7, 12), (8, 9), (9, 10), (10, 17), (13, 5)];
    for file in ["car_alarm.pl", "car_alarm.as", "car_alarm_1000.pl"] {
        check(
            file,
            &[("guard-true", 28), ("equality", 58), ("increment", 95), ("identity", 1)],
            &[("guard-true", 28), ("equality", 47), ("increment", 81)],
            alarm,
        );
    }
    check(
        "car_alarm_bool_pin.pl",
        &[("guard-true", 34), ("equality", 69), ("increment", 116), ("identity", 1)],
        &[("guard-true", 34), ("equality", 58), ("increment", 99)],
        &[(0, 67), (1, 32), (2, 20), (3, 16), (4, 25), (5, 26), (8, 5)],
    );
    check(
        "triangle.pl",
        &[("guard-true", 12), ("equality", 18), ("increment", 18), ("identity", 1)],
        &[("guard-true", 12), ("equality", 15), ("increment", 14)],
        &[(0, 4), (1, 19), (2, 16), (3, 2)],
    );
    check(
        "rocket.pl",
        &[("guard-true", 7), ("equality", 12), ("increment", 30), ("identity", 1)],
        &[("guard-true", 5), ("equality", 5), ("increment", 10)],
        &[(0, 12), (1, 5), (2, 3)],
    );
}

/// With a depth of 8 the mutants whose difference lies deeper conform up to 8, and nothing more is claimed.
#[test]
fn a_depth_bound_is_no_proof() {
    let spec = example("car_alarm.pl");
    let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
    let examined = campaign(&spec, &all, Relation::Refinement, Some(8), 1);
    let count = |wanted: fn(&Verdict) -> bool| examined.iter().filter(|one| wanted(&one.verdict)).count();
    assert_eq!(count(|verdict| matches!(verdict, Verdict::Killed(_))), 124);
    assert_eq!(count(|verdict| verdict.name() == "equivalent"), 1);
    let up_to = |verdict: &Verdict| verdict.conformance().is_some_and(|claim| claim.depth() == Some(8));
    assert_eq!(examined.iter().filter(|one| up_to(&one.verdict)).count(), 182 - 124 - 1);
    assert_eq!(Space::explore(&spec, &limits(Some(8))).len(), 12);
}

/// Changes the text of the car alarm and describes what is found: state, trace, first bad step, number of bad steps.
fn changed(from: &str, to: &str) -> Option<(String, usize, String, u64)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action/car_alarm.pl");
    let text = std::fs::read_to_string(path).expect("the example is there");
    assert!(text.contains(from), "{from}");
    let (spec, mutant) = (read(&text, "a.pl"), read(&text.replacen(from, to, 1), "m.pl"));
    let options = CampaignOptions { relation: Relation::Refinement, limits: limits(None), jobs: 1 };
    let campaign = examine(&spec, 1, &|_| Ok(mutant.clone()), &options).expect("confirmed");
    let kill = campaign.examined[0].verdict.kill()?.clone();
    let Difference::Step(bad) = &kill.difference else { panic!("a step") };
    let digits = |state: &[i64]| state.iter().map(i64::to_string).collect::<String>();
    let state = digits(kill.state.as_ref().expect("a state"));
    Some((state, kill.trace.len(), format!("{}->{}", bad.label, digits(&bad.post)), kill.differences))
}

#[test]
fn selected_mutants_of_the_car_alarm() {
    let check = |from: &str, to: &str, expected: Option<(&str, usize, &str, u64)>| {
        let expected = expected.map(|(state, depth, bad, count)| (state.to_owned(), depth, bad.to_owned(), count));
        assert_eq!(changed(from, to), expected, "{from}");
    };
    check("seconds #= 20", "seconds #= 30", Some(("300000", 2, "after(30)->410000", 1)));
    check("seconds #= 20", "seconds #= 21", Some(("300000", 2, "after(21)->410000", 1)));
    check("seconds #= 270", "seconds #\\= 270", Some(("600000", 10, "after(0)->700110", 270)));
    check("(arming #= 1)", "(true)", Some(("000000", 0, "armedOn->000000", 1)));
    check(
        "(place #= 5) => (place := 0, lamps",
        "(place #= 5) => (place := 1, lamps",
        Some(("500000", 8, "unlock->100110", 1)),
    );
    // There is a second difference at the same depth, 600001; ours comes first in the order of the do-od block.
    check("(horn := 0, hush := 0)", "(horn := 0, hush := 1)", Some(("000110", 9, "soundOff->000101", 1)));
    check("'flashOn'  :: (place #= 5", "'flashOn'  :: (place #\\= 5", Some(("000110", 9, "flashOn->000010", 1)));
    check(
        "disarming #= 0 #/\\ lamps #= 1",
        "disarming #= 1 #/\\ lamps #= 1",
        Some(("501110", 5, "flashOn->501010", 1)),
    );
    check("(place := 4, arming := 1)", "(place := 4, arming := 0)", Some(("700000", 13, "close->400000", 1)));
    check("'flashOn'  :: (place #= 5", "'flashOn'  :: (place #= 6", None);
    check("'flashOn'  :: (place #= 5", "'flashOn'  :: (false #/\\ place #= 5", None);
    check("(place #= 3) => (place := 2)", "(place #= 3 #/\\ false) => (place := 2)", None);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let spec = example("car_alarm_bool_pin.pl");
    let all = mutants(&spec, &OperatorSet::all(), Notation::Prolog);
    let verdicts = |jobs: usize| -> Vec<Verdict> {
        campaign(&spec, &all, Relation::Refinement, None, jobs).into_iter().map(|one| one.verdict).collect()
    };
    assert_eq!(verdicts(1), verdicts(3));
}

#[test]
fn input_output_conformance_catches_what_is_missing() {
    let spec = example("car_alarm.pl");
    let all = mutants(&spec, &OperatorSet::all(), Notation::Prolog);
    let refinement = campaign(&spec, &all, Relation::Refinement, None, 2);
    let ioco = campaign(&spec, &all, Relation::Ioco, None, 2);
    let caught = |(one, other): &(&Examined, &Examined)| one.verdict.kill().is_none() && other.verdict.kill().is_some();
    let only_ioco = refinement.iter().zip(&ioco).filter(caught).count();
    assert!(100 < only_ioco, "{only_ioco}");
    let identity = all.iter().position(|mutant| mutant.id == "identity").expect("the identity is one");
    assert_eq!(proof(&ioco[identity].verdict), Some(Proof::Syntactic));
    let silent = ioco.iter().filter_map(|one| one.verdict.kill()).filter(|kill| kill.difference == Difference::Silence);
    assert!(silent.count() > 0, "an output that is missing shows as silence");
}

/// A random model with its mutants by all operators, at most `most`.
fn random(choices: &mut testkit::Choices, most: usize) -> Option<(Spec, Vec<Result<Spec, String>>)> {
    let text = testkit::actions::model(choices);
    // Some divide by zero whatever happens.
    let spec = load(&Source::new("random.as", text), Notation::Native).ok()?.0;
    let all = mutants(&spec, &OperatorSet::all(), Notation::Native);
    let stride = all.len().div_ceil(most).max(1);
    let revision = Revision::of(&spec);
    let made = all.iter().step_by(stride).map(|mutant| mutant.spec(&revision).ok_or_else(|| "none".to_owned()));
    let made = made.collect();
    Some((spec, made))
}

/// What the claim that a mutant conforms rests on.
fn proof(verdict: &Verdict) -> Option<Proof> {
    verdict.conformance().map(|claim| claim.proof)
}

/// Verdicts without their traces, and without the other direction: a killed mutant by the depth of its difference.
fn outline(verdicts: &[Verdict], depth: bool) -> Vec<String> {
    let one = |verdict: &Verdict| match verdict {
        Verdict::Killed(kill) if depth => format!("killed at {}", kill.trace.len()),
        Verdict::Conforms(claim) => match claim.proof {
            Proof::UpTo(depth) => format!("conforms up to {depth}"),
            Proof::Syntactic | Proof::EveryState | Proof::Exhausted { .. } | Proof::Induction(_) => {
                "conforms".to_owned()
            }
        },
        other => other.name().to_owned(),
    };
    verdicts.iter().map(one).collect()
}

fn explicit(spec: &Spec, made: &[Result<Spec, String>], depth: Option<u64>) -> Vec<Verdict> {
    let options = CampaignOptions { relation: Relation::Refinement, limits: limits(depth), jobs: 1 };
    let campaign = examine(spec, made.len(), &|index| made[index].clone(), &options).expect("confirmed");
    campaign.examined.into_iter().map(|one| one.verdict).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn bounded_search_agrees_with_the_explicit_one(mut choices in testkit::choices(200)) {
        let Some((spec, made)) = random(&mut choices, 12) else { return Ok(()) };
        let backend = Backend::new(&Options::default());
        let symbolic = bounded(&spec, &made, 40, &backend, &limits(None)).expect("solved");
        prop_assert_eq!(outline(&symbolic, true), outline(&explicit(&spec, &made, None), true));
    }

    /// A mutant that shares what it does not change is compared by its changed actions alone; one that was read from a file,
    /// by all it says. Both ways the same verdicts, traces included.
    #[test]
    fn shared_parts_make_no_difference(mut choices in testkit::choices(200)) {
        let Some((spec, made)) = random(&mut choices, 30) else { return Ok(()) };
        let text = |mutant: &Spec| print(mutant.model(), Notation::Native);
        let foreign: Vec<Result<Spec, String>> =
            made.iter().flatten().map(|mutant| Ok(read(&text(mutant), "mutant.as"))).collect();
        for relation in [Relation::Refinement, Relation::Ioco] {
            let options = CampaignOptions { relation, limits: limits(None), jobs: 1 };
            let verdicts = |all: &[Result<Spec, String>]| -> Vec<Verdict> {
                let campaign = examine(&spec, all.len(), &|index| all[index].clone(), &options).expect("confirmed");
                campaign.examined.into_iter().map(|one| one.verdict).collect()
            };
            prop_assert_eq!(verdicts(&made), verdicts(&foreign));
        }
    }

    #[test]
    fn the_three_strategies_agree(mut choices in testkit::choices(120), depth in 0u64..3) {
        let Some((spec, made)) = random(&mut choices, 6) else { return Ok(()) };
        let backend = Backend::new(&Options::default());
        let expected = explicit(&spec, &made, Some(depth));
        for (which, shortest) in [
            (SourceStrategy::Initial, true),
            (SourceStrategy::One, true),
            (SourceStrategy::Two, true),
            (SourceStrategy::Three, false),
        ] {
            let (verdicts, _) = strategy(which, &spec, &made, Some(depth), &backend, &limits(None)).expect("solved");
            for (found, expected) in verdicts.iter().zip(&expected) {
                // "No state tells them apart" is stronger than what a bounded exploration can say.
                let proved = proof(found) == Some(Proof::EveryState);
                if !(proved && expected.kill().is_none()) {
                    let (found, expected) = (std::slice::from_ref(found), std::slice::from_ref(expected));
                    prop_assert_eq!(outline(found, shortest), outline(expected, shortest));
                }
            }
        }
    }
}

/// The count of the thesis' third strategy on our car alarm: 1 + 21 + 33 for the states, 1 + 1 and one for each mutant.
#[test]
fn the_third_strategy_asserts_as_little_as_the_thesis_says() {
    let spec = example("car_alarm.pl");
    let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
    let revision = Revision::of(&spec);
    let made: Vec<Result<Spec, String>> =
        all.iter().map(|mutant| mutant.spec(&revision).ok_or_else(|| "none".to_owned())).collect();
    let backend = Backend::new(&Options::default());
    let (verdicts, assertions) =
        strategy(SourceStrategy::Three, &spec, &made, Some(30), &backend, &limits(None)).expect("solved");
    assert_eq!(assertions.count, 238);
    assert_eq!(verdicts.iter().filter(|verdict| verdict.kill().is_some()).count(), 156);
}

/// Strategies 1, 2 and 3 of the thesis, the unrolled search, and the explicit one over the shipped models: the same verdicts, and the same
/// depths where the shortest trace is looked for.
#[test]
fn the_three_strategies_agree_on_the_shipped_models() {
    let backend = Backend::new(&Options::default());
    let models: &[(&str, u64, usize)] = &[
        ("car_alarm.pl", 13, 1),
        ("car_alarm.as", 13, 4),
        ("car_alarm_100.pl", 13, 6),
        ("car_alarm_1000.pl", 13, 4),
        ("car_alarm_bool_pin.pl", 8, 2),
        ("car_alarm_pin.pl", 8, 6),
        ("rocket.pl", 4, 1),
        ("triangle.pl", 3, 12),
        ("ring_3.as", 6, 4),
        ("units/choice.pl", 3, 1),
        ("units/sequence.pl", 3, 1),
        ("units/label.pl", 3, 1),
        ("units/parameter.pl", 3, 1),
        ("units/constants.pl", 3, 1),
        ("units/events.pl", 3, 1),
    ];
    let depths = |verdicts: &[Verdict]| -> Vec<Option<usize>> {
        verdicts.iter().map(|verdict| verdict.kill().map(|kill| kill.trace.len())).collect()
    };
    for &(file, depth, every) in models {
        let spec = example(file);
        let notation = Notation::from_extension(file.rsplit('.').next().unwrap_or("")).expect("a notation");
        let all = mutants(&spec, &OperatorSet::classic(), notation);
        let revision = Revision::of(&spec);
        let made: Vec<Result<Spec, String>> =
            all.iter().step_by(every).map(|mutant| mutant.spec(&revision).ok_or_else(|| "none".to_owned())).collect();
        let expected = explicit(&spec, &made, Some(depth));
        assert!(!made.is_empty(), "{file}");
        let unrolled = bounded(&spec, &made, depth, &backend, &limits(None)).expect("solved");
        assert_eq!(depths(&unrolled), depths(&expected), "{file} unrolled");
        for (which, shortest) in
            [(SourceStrategy::One, true), (SourceStrategy::Two, true), (SourceStrategy::Three, false)]
        {
            let (verdicts, _) = strategy(which, &spec, &made, Some(depth), &backend, &limits(None)).expect("solved");
            for (place, (found, expected)) in verdicts.iter().zip(&expected).enumerate() {
                // "No state tells them apart" is stronger than what a bounded exploration can say, and so is a finished space.
                if found.kill().is_none() && expected.kill().is_none() {
                    continue;
                }
                let (found, expected) = (std::slice::from_ref(found), std::slice::from_ref(expected));
                let mutant = &all[place * every].id;
                assert_eq!(outline(found, shortest), outline(expected, shortest), "{file} {mutant} {which:?}");
            }
        }
    }
}

/// A difference at exactly the depth bound is found, whichever state of that depth comes first.
#[test]
fn a_difference_at_the_depth_bound_is_found() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action/car_alarm.pl");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let (from, to) = ("(place #= 2) => (place := 3", "(place #= 2) => (place := 4");
    assert!(text.contains(from), "closing the locked car");
    let spec = read(&text, "a.pl");
    let made = [Ok(read(&text.replacen(from, to, 1), "m.pl"))];
    let mut found = vec![explicit(&spec, &made, Some(1)).remove(0)];
    let backend = Backend::new(&Options::default());
    for which in [SourceStrategy::Initial, SourceStrategy::One, SourceStrategy::Two, SourceStrategy::Three] {
        found.push(strategy(which, &spec, &made, Some(1), &backend, &limits(None)).expect("solved").0.remove(0));
    }
    for verdict in found {
        let kill = verdict.kill().expect("killed").clone();
        let trace: Vec<String> = kill.trace.iter().map(ToString::to_string).collect();
        let Difference::Step(step) = &kill.difference else { panic!("a step") };
        assert_eq!((trace, step.label.to_string(), step.post[0]), (vec!["lock".to_owned()], "close".to_owned(), 4));
    }
}

/// The unit models of the thesis and the mutants beside them.
#[test]
fn unit_models_have_the_expected_verdicts() {
    let check = |model: &str, mutant: &str, expected: &str| {
        let spec = example(&format!("units/{model}.pl"));
        let other = example(&format!("units/{model}-mutants/{mutant}.pl"));
        let made = [Ok(other)];
        let verdict = explicit(&spec, &made, None).remove(0);
        let text = match &verdict {
            Verdict::Killed(kill) => {
                let Difference::Step(step) = &kill.difference else { panic!("a step") };
                let trace: Vec<String> = kill.trace.iter().map(ToString::to_string).collect();
                format!("[{}] {} -> {:?}", trace.join(" "), step.label, step.post)
            }
            other => other.name().to_owned(),
        };
        assert_eq!(text, expected, "{model} {mutant}");
        let symbolic = bounded(&spec, &made, 20, &Backend::new(&Options::default()), &limits(None)).expect("solved");
        assert_eq!(outline(&symbolic, false), outline(std::slice::from_ref(&verdict), false));
    };
    check("choice", "two-or-three", "[] choose -> [3]");
    check("sequence", "twice", "equivalent");
    check("label", "other-label", "[] b -> [1]");
    check("parameter", "constant", "refines");
    check("parameter", "boundary", "[] f(0) -> [0]");
    check("constants", "three", "[] f(3) -> [3]");
    check("events", "boundary", "[event1] event2 -> [1, 1]");
}

/// Rocket mutants of the thesis: a constant argument, one branch for two, and an unreachable difference all conform.
#[test]
fn rocket_mutants_conform() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action/rocket.pl");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let spec = read(&text, "rocket.pl");
    let mutants = [
        text.replace(
            "[A:coordinate, B:coordinate] : 'course_correction'(A, B)",
            "[B:coordinate] : 'course_correction'(1, B)",
        ),
        text.replace(
            "=> (integrity := 0 ; integrity := 1),\n  'integrity",
            "=> (integrity := 1 ; integrity := 1),\n  'integrity",
        ),
        text.replacen("engine #= 0", "engine #= 1", 1),
    ];
    let made: Vec<Result<Spec, String>> = mutants.iter().map(|mutant| Ok(read(mutant, "mutant.pl"))).collect();
    assert!(mutants.iter().all(|mutant| *mutant != text));
    for verdict in explicit(&spec, &made, None) {
        assert!(proof(&verdict).is_some(), "{verdict:?}");
    }
    let symbolic = bounded(&spec, &made, 20, &Backend::new(&Options::default()), &limits(None)).expect("solved");
    assert_eq!(proof(&symbolic[0]), Some(Proof::EveryState));
    assert_eq!(proof(&symbolic[1]), Some(Proof::EveryState));
    assert!(proof(&symbolic[2]).is_some_and(|proof| !matches!(proof, Proof::UpTo(_))), "{:?}", symbolic[2]);
}

/// The ring has 3 K 2^(K-1) states.
#[test]
fn rings_have_the_states_their_size_says() {
    for (file, size) in [("ring_3.as", 3usize), ("ring_6.as", 6)] {
        let space = Space::explore(&example(file), &limits(None));
        assert_eq!(space.len(), (3 * size) << (size - 1));
    }
}

/// A limit ends an exploration with "unknown", never with a claim.
#[test]
fn limits_are_no_proofs() {
    let spec = example("car_alarm.pl");
    let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
    let revision = Revision::of(&spec);
    let make = |index: usize| all[index].spec(&revision).ok_or_else(|| "none".to_owned());
    for limits in [
        Limits { states: 5, ..Limits::default() },
        Limits { memory: 1, ..Limits::default() },
        Limits { deadline: Some(std::time::Instant::now()), ..Limits::default() },
        Limits { ways: 0, ..Limits::default() },
    ] {
        let options = CampaignOptions { relation: Relation::Refinement, limits: limits.clone(), jobs: 1 };
        for one in examine(&spec, all.len(), &make, &options).expect("confirmed").examined {
            let claimed = proof(&one.verdict).is_some_and(|proof| proof != Proof::Syntactic);
            assert!(!claimed, "{:?} under {limits:?}", one.verdict);
        }
    }
}

/// A subject's suite: how many goals are covered and how many are proved impossible.
fn drawn(subject: &dyn search::Subject) -> (usize, usize) {
    let options = Options::default();
    let backend = Backend::new(&options);
    let mut session = search::Session::new(subject, &backend, options).expect("a session");
    while session.pull().expect("no disagreement").is_some() {}
    let outcome = session.finish().expect("no disagreement");
    let count =
        |wanted: fn(&testcase::GoalStatus) -> bool| outcome.statuses.iter().filter(|status| wanted(status)).count();
    (
        count(|status| matches!(status, testcase::GoalStatus::Covered)),
        count(|status| matches!(status, testcase::GoalStatus::Infeasible(_))),
    )
}

/// Goals of guarded models are covered or proved unreachable; the counts are those of the models' own structure.
#[test]
fn guarded_models_are_covered() {
    use action::coverage::{Criterion, targets};
    let check = |file: &str, criterion: Criterion, expected: (usize, usize)| {
        let spec = example(file);
        let targets = targets(&spec, criterion, None).expect("goals");
        let place = |_| testcase::Location { line: 1, column: 1, text: String::new() };
        let subject = draw_action::CoverageSubject::new(&spec, targets, limits(None), &place);
        assert_eq!(drawn(&subject), expected, "{file} {}", criterion.name());
    };
    check("car_alarm.as", Criterion::Action, (11, 0));
    check("car_alarm.as", Criterion::Node, (8, 0));
    check("car_alarm.as", Criterion::Edge, (28, 0));
    // course_correction and integrity_check of the rocket are never enabled: their own guards and the two within.
    check("rocket.pl", Criterion::Action, (3, 2));
    check("rocket.pl", Criterion::Edge, (3, 4));
    check("block_cache.as", Criterion::Action, (8, 0));
    check("block_cache.as", Criterion::Node, (6, 0));
}

/// The whole way from mutants to a reduced suite, with both relations.
#[test]
fn suites_kill_what_can_be_killed() {
    use draw_action::{ActionSubject, Entry, Origin, Way};
    let spec = example("car_alarm.pl");
    let subject = |relation: Relation, way: Way| {
        let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
        let entry = |mutant: Mutant| Entry {
            id: mutant.id.clone(),
            label: mutant.describe(),
            location: None,
            action: mutant.action().to_owned(),
            origin: Origin::Made(mutant),
        };
        ActionSubject::new(&spec, all.into_iter().map(entry).collect(), relation, way, limits(None))
    };
    assert_eq!(drawn(&subject(Relation::Refinement, Way::Explicit)), (156, 26));
    let (killed, conforming) = drawn(&subject(Relation::Ioco, Way::Explicit));
    assert_eq!(killed + conforming, 182);
}

/// Input-output conformance by its definition: sets of states side by side, breadth first. The depth of the first
/// difference, if there is one; nothing where there are too many sets.
fn conformance_by_definition(spec: &Spec, mutant: &Spec) -> Option<Option<usize>> {
    use action::interp::Interpreter;
    use action::spec::ActionKind;
    use action::trace::Label;
    use action::{Regions, Shape};
    use std::collections::BTreeSet;
    type States = BTreeSet<Vec<i64>>;
    type Steps = Vec<(Option<Label>, ActionKind, Vec<i64>)>;

    struct Side<'a> {
        spec: &'a Spec,
        interpreter: Interpreter,
    }
    impl Side<'_> {
        /// The steps of a state; a silent one stays where it is, without a label.
        fn steps(&mut self, state: &[i64]) -> Steps {
            let mut steps = self.moves(state);
            let around = self.closed(States::from([state.to_vec()]));
            let speaks = |side: &mut Self, state: &Vec<i64>| {
                side.moves(state).iter().any(|(_, kind, _)| *kind == ActionKind::Observable)
            };
            let returns = |side: &mut Self, from: &Vec<i64>| side.closed(States::from([from.clone()])).contains(state);
            if around.iter().all(|other| !speaks(self, other) && returns(self, other)) {
                steps.push((None, ActionKind::Observable, state.to_vec()));
            }
            steps
        }

        fn moves(&mut self, state: &[i64]) -> Steps {
            let kind = |name: &str| self.spec.actions()[self.spec.action_named(name).expect("known")].kind;
            let mut steps: Steps = Vec::new();
            for (step, _) in self.interpreter.steps(state).expect("few ways") {
                let kinds: Vec<ActionKind> = step.label.0.iter().map(|event| kind(&event.action)).collect();
                let kind = match kinds[0] {
                    ActionKind::Controllable => ActionKind::Controllable,
                    _ if kinds.iter().all(|kind| *kind == ActionKind::Internal) => ActionKind::Internal,
                    _ => ActionKind::Observable,
                };
                steps.push((Some(step.label), kind, step.post));
            }
            steps
        }

        fn closed(&mut self, mut states: States) -> States {
            loop {
                let all: Steps = states.iter().flat_map(|state| self.moves(state)).collect();
                let next = all.into_iter().filter(|(_, kind, _)| *kind == ActionKind::Internal);
                let before = states.len();
                states.extend(next.map(|(_, _, post)| post));
                if states.len() == before {
                    return states;
                }
            }
        }

        fn seen(&mut self, states: &States, wanted: ActionKind) -> BTreeSet<Option<Label>> {
            let all: Steps = states.iter().flat_map(|state| self.steps(state)).collect();
            all.into_iter().filter(|(_, kind, _)| *kind == wanted).map(|(label, _, _)| label).collect()
        }

        fn after(&mut self, states: &States, label: &Option<Label>, stubborn: bool) -> States {
            let mut next = States::new();
            for state in states {
                let posts: Vec<Vec<i64>> = self
                    .steps(state)
                    .into_iter()
                    .filter(|(seen, _, _)| seen == label)
                    .map(|(_, _, post)| post)
                    .collect();
                if posts.is_empty() && stubborn {
                    next.insert(state.clone());
                }
                next.extend(posts);
            }
            self.closed(next)
        }
    }

    let shape = Shape::of(&[spec, mutant]);
    let regions = Regions::of(&[spec, mutant], &shape);
    let side = |spec: &'_ Spec| Interpreter::with_shape(spec, &shape, &regions);
    let mut left = Side { spec, interpreter: side(spec) };
    let mut right = Side { spec: mutant, interpreter: side(mutant) };
    let begin =
        (left.closed(States::from([spec.initial().to_vec()])), right.closed(States::from([mutant.initial().to_vec()])));
    let mut known = BTreeSet::from([begin.clone()]);
    let mut level = vec![begin];
    for depth in 0.. {
        let mut next = Vec::new();
        for (ours, theirs) in &level {
            let allowed = left.seen(ours, ActionKind::Observable);
            let offered = right.seen(theirs, ActionKind::Observable);
            if !offered.is_subset(&allowed) {
                return Some(Some(depth));
            }
            let mut inputs = left.seen(ours, ActionKind::Controllable);
            inputs.retain(|label| ours.iter().all(|state| left.steps(state).iter().any(|(seen, _, _)| seen == label)));
            for (label, stubborn) in
                offered.iter().map(|label| (label, false)).chain(inputs.iter().map(|label| (label, true)))
            {
                let pair = (left.after(ours, label, false), right.after(theirs, label, stubborn));
                if known.insert(pair.clone()) {
                    next.push(pair);
                }
            }
            if 400 < known.len() {
                return None;
            }
        }
        if next.is_empty() {
            return Some(None);
        }
        level = next;
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The search beside the model's own exploration says what the definition says.
    #[test]
    fn input_output_conformance_is_what_its_definition_says(mut choices in testkit::choices(200)) {
        let Some((spec, made)) = random(&mut choices, 8) else { return Ok(()) };
        let options = CampaignOptions { relation: Relation::Ioco, limits: limits(None), jobs: 1 };
        let campaign = examine(&spec, made.len(), &|index| made[index].clone(), &options).expect("confirmed");
        for (mutant, one) in made.iter().zip(&campaign.examined) {
            let Ok(mutant) = mutant else { continue };
            let Some(expected) = conformance_by_definition(&spec, mutant) else { continue };
            let found = match &one.verdict {
                Verdict::Killed(kill) => Some(kill.trace.len()),
                Verdict::Conforms(_) => None,
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(found, expected);
        }
    }
}

/// A mutant that leaves out a whole alternative conforms as a refinement, but an output is missing.
#[test]
fn a_missing_alternative_is_seen_by_its_silence() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action/car_alarm.as");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let mutant = text.replacen("[] armedOn ", "", 1);
    assert_ne!(mutant, text);
    let (spec, mutant) = (read(&text, "a.as"), read(&mutant, "m.as"));
    let verdict = |relation: Relation| {
        let options = CampaignOptions { relation, limits: limits(None), jobs: 1 };
        let campaign = examine(&spec, 1, &|_| Ok(mutant.clone()), &options).expect("confirmed");
        campaign.examined[0].verdict.clone()
    };
    assert_eq!(proof(&verdict(Relation::Refinement)), Some(Proof::EveryState));
    assert_eq!(verdict(Relation::Refinement).name(), "refines");
    let kill = verdict(Relation::Ioco).kill().expect("killed").clone();
    assert_eq!(kill.difference, Difference::Silence);
    assert_eq!(kill.trace.last().map(ToString::to_string).as_deref(), Some("after(20)"));
}

/// The figures of the thesis' equation 1.1: of the 26 mutants of the car alarm that conform one is equivalent, the others do less.
#[test]
fn a_mutant_that_does_less_is_not_equivalent() {
    let check = |file: &str, expected: &[(&str, usize)]| {
        let spec = example(file);
        let all = mutants(&spec, &OperatorSet::classic(), Notation::Prolog);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in campaign(&spec, &all, Relation::Refinement, None, 1) {
            *counts.entry(one.verdict.name()).or_default() += 1;
        }
        assert_eq!(counts, expected.iter().copied().collect(), "{file}");
    };
    check("car_alarm.pl", &[("killed", 156), ("equivalent", 1), ("refines", 25)]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/action/rocket.pl");
    let text = std::fs::read_to_string(path).expect("the example is there");
    let without = text.replacen("; 'repair'", "", 1);
    assert_ne!(without, text);
    let spec = read(&text, "rocket.pl");
    let verdict = explicit(&spec, &[Ok(read(&without, "mutant.pl"))], None).remove(0);
    let Some(Back::Less(kill)) = verdict.conformance().map(|claim| &claim.back) else { panic!("{verdict:?}") };
    let Difference::Step(step) = &kill.difference else { panic!("a step") };
    assert_eq!(step.label.to_string(), "repair");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// A mutant is equivalent exactly when each of the two conforms to the other.
    #[test]
    fn equivalence_is_conformance_in_both_directions(mut choices in testkit::choices(200)) {
        let Some((spec, made)) = random(&mut choices, 12) else { return Ok(()) };
        for relation in [Relation::Refinement, Relation::Ioco] {
            let options = CampaignOptions { relation, limits: limits(None), jobs: 1 };
            let campaign = examine(&spec, made.len(), &|index| made[index].clone(), &options).expect("confirmed");
            for (mutant, one) in made.iter().zip(&campaign.examined) {
                let (Ok(mutant), Some(_)) = (mutant, one.verdict.conformance()) else { continue };
                let back = examine(mutant, 1, &|_| Ok(spec.clone()), &options).expect("confirmed");
                let expected = if back.examined[0].verdict.kill().is_some() { "refines" } else { "equivalent" };
                prop_assert_eq!(one.verdict.name(), expected);
            }
        }
    }
}

/// After an internal step the model itself refuses the input, so nothing is said about what comes after it.
#[test]
fn an_input_that_the_model_may_refuse_kills_nothing() {
    let spec = read(
        "depth 20; type S = 0..4; var x: S = 0; input i; internal t;
         action t when x = 0 { x := 1 }
         action i when x = 0 { choose { x := 2 } or { x := 3 } }
         action a when x = 2 or x = 3 { x := 4 }
         do t [] i [] a od",
        "may_refuse.as",
    );
    let all = mutants(&spec, &OperatorSet::from_names("branch,identity").expect("known"), Notation::Native);
    assert_eq!(all.len(), 3);
    for one in campaign(&spec, &all, Relation::Ioco, Some(20), 1) {
        assert_eq!(one.verdict.name(), "equivalent");
    }
}

/// The values of a small parameter are looked at one by one, those of a larger one by region: a mutant whose type is one larger
/// was said to refuse values in the middle of a region.
#[test]
fn a_mutant_with_a_larger_parameter_takes_what_the_model_takes() {
    let model = |highest: i64| {
        let text = format!(
            "type T = 0..{highest}; type B = 0..1; var x: B = 0; input go;
             action go(q) when x = 0 {{ x := 1 }} action done when x = 1 {{ x := 0 }}
             do go(Q) for Q: T [] done od"
        );
        read(&text, "model.as")
    };
    for (highest, other) in [(3, 4), (3, 40)] {
        let (spec, mutant) = (model(highest), model(other));
        let options = CampaignOptions { relation: Relation::Ioco, limits: limits(None), jobs: 1 };
        let campaign = examine(&spec, 1, &|_| Ok(mutant.clone()), &options).expect("confirmed");
        assert!(campaign.examined[0].verdict.conformance().is_some(), "{highest} and {other}");
    }
}

/// `x` is 1 in the initial state, where to leave out `x := 1` changes nothing: it shows where `x` is 0.
#[test]
fn a_slot_that_only_one_of_two_steps_assigns_matters() {
    let text = "depth 5; type B = 0..1; var x: B = 1; var z: B = 0; input i;
        action i { x := 0 } action a { x := 1 } action b { z := 1 - z } do i [] a [] b od";
    let spec = read(text, "kept.as");
    let all = mutants(&spec, &OperatorSet::all(), Notation::Native);
    let deleted = all.iter().position(|mutant| mutant.id == "delete.a.1").expect("the operator finds it");
    for relation in [Relation::Refinement, Relation::Ioco] {
        let examined = campaign(&spec, &all, relation, None, 1);
        let verdict = &examined[deleted].verdict;
        assert_eq!(matches!(verdict, Verdict::Killed(_)), relation == Relation::Refinement, "{relation:?} {verdict:?}");
    }
}

/// Machines that look at their neighbours: enough alternatives for cones, few enough states for all of them.
#[test]
fn cones_find_what_the_whole_model_shows() {
    use draw_action::{ActionSubject, Entry, Origin, Way};
    let machine = |one: usize| {
        let next = (one / 3) * 3 + (one + 1) % 3;
        format!(
            "action go{one} when m{one} = 0 {{ m{one} := 1 }} action at{one} when m{one} = 1 and m{next} = 0 {{ m{one} := 2 }}
             action to{one} when m{one} = 2 {{ m{one} := 0 }} action no{one} when m{one} = 1 and m{next} = 1 and m{one} = 2 {{ skip }}\n"
        )
    };
    let vars: String = (0..27).map(|one| format!("var m{one}: S = 0;\n")).collect();
    let calls: Vec<String> = (0..27).map(|one| format!("go{one} [] at{one} [] to{one} [] no{one}")).collect();
    let body: String = (0..27).map(machine).collect();
    let inputs: Vec<String> = (0..27).map(|one| format!("go{one}")).collect();
    let text =
        format!("depth 9; type S = 0..2; {vars} input {}; {body} do {} od", inputs.join(", "), calls.join(" [] "));
    // Three machines look at each other and at nobody else.
    let few = "depth 9; type S = 0..2; var m0: S = 0; var m1: S = 0; var m2: S = 0; input go0, go1, go2;".to_owned()
        + &(0..3).map(machine).collect::<String>()
        + &format!("do {} od", calls[..3].join(" [] "));
    let (large, small) = (read(&text, "large.as"), read(&few, "small.as"));
    let verdicts = |spec: &Spec| -> BTreeMap<String, &'static str> {
        let entry = |mutant: Mutant| Entry {
            id: mutant.id.clone(),
            label: mutant.describe(),
            location: None,
            action: mutant.action().to_owned(),
            origin: Origin::Made(mutant),
        };
        // To which variables another one can change depends on the number of machines.
        let all = mutants(spec, &OperatorSet::all(), Notation::Native);
        let entries: Vec<Entry> =
            all.into_iter().filter(|mutant| !mutant.id.starts_with("variable")).map(entry).collect();
        let names: Vec<String> = entries.iter().map(|entry| entry.id.clone()).collect();
        let subject = ActionSubject::new(spec, entries, Relation::Refinement, Way::Bounded, limits(None));
        let backend = Backend::new(&Options::default());
        let mut session = search::Session::new(&subject, &backend, Options::default()).expect("a session");
        while session.pull().expect("no disagreement").is_some() {}
        let outcome = session.finish().expect("no disagreement");
        let name = |status: &testcase::GoalStatus| match status {
            testcase::GoalStatus::Covered => "covered",
            testcase::GoalStatus::Infeasible(_) => "infeasible",
            _ => "open",
        };
        names.into_iter().zip(outcome.statuses.iter().map(name)).collect()
    };
    let (whole, cones) = (verdicts(&small), verdicts(&large));
    assert!(whole.values().any(|status| *status == "covered") && whole.values().any(|status| *status == "infeasible"));
    for (name, status) in whole {
        assert_eq!(cones.get(&name), Some(&status), "{name}");
    }
}

#[test]
fn the_ways_of_tests_are_marked_in_the_graph() {
    let spec = read("type B = 0..1; var x: B = 0; action a { x := 1 - x } action b { skip } do a [] b od", "model.as");
    let label = |name: &str| Label(vec![Event { action: name.to_owned(), arguments: Vec::new() }]);
    // The second step of the last test is impossible.
    let tests = [("t1", vec![label("a")]), ("t2", vec![label("a"), label("b")]), ("t3", vec![label("b"), label("c")])];
    let tests = tests.map(|(name, labels)| (name.to_owned(), labels));
    let text = graph(&spec, &limits(None), &paths(&spec, &tests)).expect("few states");
    let marked: Vec<String> = text
        .lines()
        .filter_map(|line| Some((line.split(" [").next()?.trim(), line.split("xlabel=\"").nth(1)?.split('"').next()?)))
        .map(|(arrow, tests)| format!("{arrow}: {tests}"))
        .collect();
    assert_eq!(marked, ["s0 -> s0: t3", "s0 -> s1: t1, t2", "s1 -> s1: t2"]);
    assert!(text.contains("s1 -> s0 [label=\"a\"];"), "{text}");
}
