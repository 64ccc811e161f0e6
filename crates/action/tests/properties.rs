//! Two readers, two printers and two interpreters that must agree on random models.

use std::collections::BTreeSet;

use action::interp::Interpreter;
use action::mutate::{OperatorSet, mutants, second_order};
use action::trace::Step;
use action::{Notation, Regions, Revision, Shape, Spec, check, load, parse, print};
use proptest::prelude::*;
use source::Source;
use testkit::actions::model;
use testkit::choices;

use crate::naive;

fn read(text: &str) -> Spec {
    load(&Source::new("random.as", text), Notation::Native).unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).0
}

/// Every step with every parameter value, by asking the machine for each label the naive interpreter knows and comparing
/// representatives the other way.
fn check_state(spec: &Spec, interpreter: &mut Interpreter, state: &[i64]) -> BTreeSet<Vec<i64>> {
    let expected: BTreeSet<Step> = naive::steps(spec.model(), state);
    let found = interpreter.steps(state).expect("fuel");
    for (step, _) in &found {
        assert!(expected.contains(step), "{} -> {:?} from {state:?} is not a step", step.label, step.post);
    }
    for step in &expected {
        let posts = interpreter.after(state, &step.label).expect("fuel");
        assert!(posts.contains(&step.post), "{} -> {:?} from {state:?} is missing", step.label, step.post);
        assert!(interpreter.allows(state, step).expect("fuel"));
        for post in posts {
            assert!(expected.contains(&Step { label: step.label.clone(), post }));
        }
    }
    let weights: u64 = found.iter().map(|(_, weight)| weight).sum();
    assert_eq!(weights, expected.len() as u64, "representatives stand for all steps from {state:?}");
    expected.into_iter().map(|step| step.post).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_machine_agrees_with_a_naive_interpreter(mut choices in choices(300)) {
        // Some divide by zero whatever happens.
        let Ok((spec, _)) = load(&Source::new("random.as", model(&mut choices)), Notation::Native) else { return Ok(()) };
        let mut interpreter = Interpreter::new(&spec);
        let mut open = vec![spec.initial().to_vec()];
        let mut known = BTreeSet::new();
        while let Some(state) = open.pop() {
            if known.len() < 40 && known.insert(state.clone()) {
                open.extend(check_state(&spec, &mut interpreter, &state));
            }
        }
    }

    /// The change is seen in the syntax tree alone, and the whole mutant is checked anew: the same model, or none.
    #[test]
    fn a_revised_model_is_the_one_a_whole_check_gives(mut choices in choices(300)) {
        let Ok((spec, _)) = load(&Source::new("random.as", model(&mut choices)), Notation::Native) else { return Ok(()) };
        let revision = Revision::of(&spec);
        let first = mutants(&spec, &OperatorSet::all(), Notation::Native);
        let second = second_order(&first, 40);
        for mutant in first.iter().chain(&second) {
            let whole = check(mutant.model(spec.model())).ok().map(|(spec, _)| spec);
            prop_assert_eq!(mutant.is_model(&revision), whole.is_some());
            prop_assert_eq!(mutant.spec(&revision), whole);
        }
    }

    #[test]
    fn printed_models_read_back_the_same(mut choices in choices(300)) {
        let text = model(&mut choices);
        let first = parse(&Source::new("random.as", text), Notation::Native).expect("well formed");
        for notation in [Notation::Native, Notation::Prolog] {
            let printed = print(&first, notation);
            let again = parse(&Source::new("printed", printed.as_str()), notation)
                .unwrap_or_else(|errors| panic!("{printed}\n{errors:?}"));
            prop_assert_eq!(print(&again, notation), printed.clone());
            // Types may move behind the variables, nothing else changes.
            prop_assert_eq!(&again, &first, "{}", printed);
        }
    }

    #[test]
    fn any_bytes_are_read_or_rejected(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let source = Source::new("junk", String::from_utf8_lossy(&bytes).into_owned());
        for notation in [Notation::Native, Notation::Prolog] {
            if let Err(errors) = load(&source, notation) {
                prop_assert!(!errors.is_empty());
            }
        }
        let _ = action::trace::read_labels(&source);
    }

    #[test]
    fn damaged_models_are_read_or_rejected(mut choices in choices(300), cut in 0usize..1000, with in 0usize..12) {
        let mut text = print(&parse(&Source::new("a", model(&mut choices)), Notation::Native).expect("ok"), Notation::Prolog);
        let cut = cut % text.len();
        text.replace_range(cut..=cut, ["", "(", ")", "'", ".", "[", ",", ";", "#", ":", "9", "x"][with]);
        let _ = load(&Source::new("damaged", text), Notation::Prolog);
    }
}

#[test]
fn regions_do_not_hide_a_step() {
    let text = "type T = 0..1000000; type U = 0..9; var x: U = 0;
        action f(p) when p > 500 and (p != 70000 or x = 3) { x := 3 } do f(P) for P: T od";
    let spec = read(text);
    let shape = Shape::of(&[&spec]);
    let mut interpreter = Interpreter::with_shape(&spec, &shape, &Regions::of(&[&spec], &shape));
    let steps = interpreter.steps(&[0]).expect("fuel");
    assert_eq!(steps.iter().map(|(_, weight)| weight).sum::<u64>(), 1_000_000 - 500 - 1);
    let labels: Vec<String> = steps.iter().map(|(step, _)| step.label.to_string()).collect();
    assert_eq!(labels, ["f(501)", "f(70001)", "f(1000000)"]);
}

#[test]
fn deep_nesting_is_rejected_and_long_chains_are_not() {
    let code = |text: String, notation| match load(&Source::new("deep", text), notation) {
        Ok(_) => "accepted",
        Err(errors) => errors[0].code.id,
    };
    let native = |guard: String| format!("type T = 0..1; var x: T = 0; action a when {guard} {{ skip }} do a od");
    let deep = 100_000;
    assert_eq!(code(native("(".repeat(deep)), Notation::Native), "action-nested");
    assert_eq!(code(native(format!("{}x = 1", "not ".repeat(deep))), Notation::Native), "action-nested");
    assert_eq!(code(native(format!("x = 1{}", " + 1".repeat(deep))), Notation::Native), "action-nested");
    assert_eq!(code(native(format!("x = 1{}", " and x = 1".repeat(deep))), Notation::Native), "accepted");
    let prolog = |guard: String| {
        format!(
            "var([x], t). state_def([x]). init([0]). as :- methods(none), actions('a' :: ({guard}) => (skip)), \
                 dood('a'), qdes(none). type(t, X) :- X in 0..1."
        )
    };
    assert_eq!(code(prolog("(".repeat(deep)), Notation::Prolog), "action-nested");
    assert_eq!(code(prolog(format!("x #= 1{}", " #/\\ x #= 1".repeat(deep))), Notation::Prolog), "accepted");
    assert_eq!(code("[".repeat(deep), Notation::Prolog), "action-nested");
}

/// Choices in sequence do not multiply where they come to the same, nor where one state is asked for.
#[test]
fn choices_in_sequence_do_not_multiply() {
    use action::{Machine, Program};
    let program = |text: &str| {
        let spec = read(text);
        let shape = Shape::of(&[&spec]);
        let program = Program::new(&spec, &shape, &Regions::of(&[&spec], &shape));
        (spec, program)
    };
    let same = vec!["choose { x := 1 } or { x := 2 }"; 40].join("; ");
    let (spec, code) = program(&format!("type T = 0..2; var x: T = 0; action a {{ {same} }} do a od"));
    let mut machine = Machine::default();
    machine.refuel(1_000);
    let mut posts = Vec::new();
    let went = machine.steps(&code, spec.initial(), &mut |found| {
        posts.push(found.post.to_vec());
        true
    });
    assert_eq!(went, Ok(()));
    posts.sort();
    posts.dedup();
    assert_eq!(posts, [vec![1], vec![2]]);

    let names: Vec<String> = (0..40).map(|number| format!("x{number}")).collect();
    let each: Vec<String> = names.iter().map(|name| format!("choose {{ {name} := 1 }} or {{ {name} := 2 }}")).collect();
    let text = format!("type T = 0..2; var {}: T = 0; action a {{ {} }} do a od", names.join(", "), each.join("; "));
    let (spec, code) = program(&text);
    machine.refuel(1_000);
    let label = Interpreter::new(&read("type T = 0..2; var x: T = 0; action a { x := 1 } do a od")).steps(&[0]);
    let label = code.shape().encode(&label.expect("fuel")[0].0.label).expect("a label");
    let wanted: Vec<i64> = (0..40).map(|number| 1 + number % 2).collect();
    assert_eq!(machine.allows(&code, spec.initial(), &label, &wanted), Ok(true));
    assert_eq!(machine.allows(&code, spec.initial(), &label, &vec![0; 40]), Ok(false));
}

/// What a choice leads to within an attempt counts for that attempt alone.
#[test]
fn choices_within_an_attempt_are_gone_through_for_each_attempt() {
    let text = "type T = 0..5; var x, y: T = 0;
        action a { choose { x := 1 } or { x := 2 }; try { choose { y := 1 } or { y := 1 }; choose { y := 2 } or { y := 3 };
            when x = 2 { skip } } else { y := 4 }; choose { skip } or { x := 5 } }
        do a od";
    let spec = read(text);
    let steps = Interpreter::new(&spec).steps(spec.initial()).expect("fuel");
    let posts: Vec<Vec<i64>> = steps.into_iter().map(|(step, _)| step.post).collect();
    assert_eq!(posts, [vec![1, 4], vec![2, 2], vec![2, 3], vec![5, 2], vec![5, 3], vec![5, 4]]);
}
