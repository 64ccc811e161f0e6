//! Invariants of random models, judged by a plain interpreter on the syntax tree that walks breadth first.

#[path = "../../action/tests/naive/mod.rs"]
mod naive;

use std::collections::{BTreeMap, VecDeque};

use action::{Notation, load};
use draw_action::{Limits, Space, invariants};
use proptest::prelude::*;
use source::Source;
use testkit::actions::model;
use testkit::choices;

/// More states than this are not walked through by the plain interpreter.
const MOST_STATES: usize = 300;

/// Conditions over the variables of a model, some of which hold everywhere and some nowhere.
fn conditions(names: &[String], numbers: &[i64]) -> Vec<String> {
    let mut all = vec!["true".to_owned()];
    for (place, name) in names.iter().enumerate() {
        let number = numbers[place % numbers.len()];
        let other = &names[(place + 1) % names.len()];
        all.push(format!("{name} != {number}"));
        all.push(format!("{name} <= {other} + {number} or {other} = {number}"));
        all.push(format!("6 / ({name} - {number}) != 2"));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn an_invariant_is_broken_where_a_plain_walk_finds_it_broken(
        mut choices in choices(300),
        numbers in proptest::collection::vec(0i64..4, 3),
    ) {
        let text = model(&mut choices);
        let Ok((plain, _)) = load(&Source::new("random.as", text.as_str()), Notation::Native) else { return Ok(()) };
        let names: Vec<String> = plain.slots().iter().map(|slot| slot.name.clone()).collect();
        // Shortest distances, by the plain interpreter.
        let mut distance: BTreeMap<Vec<i64>, usize> = BTreeMap::from([(plain.initial().to_vec(), 0)]);
        let mut open = VecDeque::from([plain.initial().to_vec()]);
        while let Some(state) = open.pop_front() {
            let next = distance[&state] + 1;
            for step in naive::steps(plain.model(), &state) {
                if !distance.contains_key(&step.post) {
                    distance.insert(step.post.clone(), next);
                    open.push_back(step.post);
                }
            }
            if MOST_STATES < distance.len() {
                return Ok(());
            }
        }
        let conditions = conditions(&names, &numbers);
        let declared: String = conditions.iter().enumerate().map(|(number, one)| format!("invariant i{number}: {one};\n")).collect();
        let whole = format!("{declared}{text}");
        let loaded = load(&Source::new("random.as", whole.as_str()), Notation::Native);
        let (spec, _) = loaded.unwrap_or_else(|errors| panic!("{whole}\n{errors:?}"));
        let limits = Limits::default();
        let space = Space::explore(&spec, &limits);
        prop_assert_eq!(space.len(), distance.len(), "{}", whole);
        let checked = invariants(&spec, &space, &limits).expect("there is time");
        prop_assert_eq!(checked.len(), conditions.len());
        for (number, one) in checked.iter().enumerate() {
            let condition = &spec.model().invariants[number].condition;
            let truth = |state: &[i64]| naive::condition(condition, &names, state);
            let nearest = distance.iter().filter(|(state, _)| truth(state) != Some(true)).map(|(_, steps)| *steps).min();
            prop_assert_eq!(one.broken.as_ref().map(|broken| broken.trace.len()), nearest, "{} in\n{}", conditions[number], whole);
            let Some(broken) = &one.broken else { continue };
            prop_assert_eq!(broken.undefined, truth(&broken.state).is_none());
            prop_assert_ne!(truth(&broken.state), Some(true));
            // The way to it is one of the model.
            let mut state = spec.initial().to_vec();
            for step in &broken.trace {
                prop_assert!(naive::steps(spec.model(), &state).contains(step));
                state.clone_from(&step.post);
            }
            prop_assert_eq!(&state, &broken.state);
        }
    }
}
