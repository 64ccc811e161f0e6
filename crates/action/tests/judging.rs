//! The judge of tests against a reference that is written straight from the definitions, over the naive interpreter.

use std::collections::BTreeSet;

use action::finding::{Seen, kind};
use action::judge::{Followed, Machines, Original, Rival};
use action::mutate::{OperatorSet, mutants};
use action::spec::ActionKind;
use action::trace::{Label, Step};
use action::trial::Trial;
use action::{Notation, Revision, Spec, load};
use proptest::prelude::*;
use source::Source;
use testkit::actions::model;

use crate::naive;

type States = BTreeSet<Vec<i64>>;

/// A system as the naive interpreter knows it.
struct Naive<'a>(&'a Spec);

impl Naive<'_> {
    fn steps(&self, state: &[i64]) -> BTreeSet<Step> {
        naive::steps(self.0.model(), state)
    }

    fn of_kind(&self, state: &[i64], wanted: ActionKind) -> Vec<Step> {
        self.steps(state).into_iter().filter(|step| kind(self.0, &step.label) == wanted).collect()
    }

    fn closed(&self, mut states: States) -> States {
        loop {
            let more: States = states
                .iter()
                .flat_map(|state| self.of_kind(state, ActionKind::Internal))
                .map(|step| step.post)
                .filter(|post| !states.contains(post))
                .collect();
            if more.is_empty() {
                return states;
            }
            states.extend(more);
        }
    }

    /// Whether nothing comes from a state, however long one waits, and the system can always come back to it.
    fn is_silent(&self, state: &Vec<i64>) -> bool {
        let around = self.closed(States::from([state.clone()]));
        around.iter().all(|other| {
            self.of_kind(other, ActionKind::Observable).is_empty()
                && self.closed(States::from([other.clone()])).contains(state)
        })
    }

    fn silent(&self, states: &States) -> States {
        states.iter().filter(|state| self.is_silent(state)).cloned().collect()
    }

    fn outputs(&self, states: &States) -> BTreeSet<Label> {
        let steps = states.iter().flat_map(|state| self.of_kind(state, ActionKind::Observable));
        steps.map(|step| step.label).collect()
    }

    fn posts(&self, state: &[i64], label: &Label) -> States {
        self.steps(state).into_iter().filter(|step| step.label == *label).map(|step| step.post).collect()
    }
}

/// Whether the mutant may put out, somewhere along the labels, what the model may not.
fn tells(spec: &Spec, mutant: &Spec, seen: &[Seen]) -> bool {
    let (model, other) = (Naive(spec), Naive(mutant));
    let mut ours = model.closed(States::from([spec.initial().to_vec()]));
    let mut theirs = other.closed(States::from([mutant.initial().to_vec()]));
    for position in 0..=seen.len() {
        let quiet = !other.silent(&theirs).is_empty() && model.silent(&ours).is_empty();
        if quiet || !other.outputs(&theirs).is_subset(&model.outputs(&ours)) {
            return true;
        }
        match seen.get(position) {
            None => break,
            Some(Seen::Silence) => (ours, theirs) = (model.silent(&ours), other.silent(&theirs)),
            Some(Seen::Observed(label) | Seen::Step(Step { label, .. })) => {
                let is_input = kind(spec, label) == ActionKind::Controllable;
                if is_input && ours.iter().any(|state| model.posts(state, label).is_empty()) {
                    return false;
                }
                let stays = |state: &Vec<i64>| is_input && other.posts(state, label).is_empty();
                let mut next: States = theirs.iter().filter(|state| stays(state)).cloned().collect();
                next.extend(theirs.iter().flat_map(|state| other.posts(state, label)));
                ours = model.closed(ours.iter().flat_map(|state| model.posts(state, label)).collect());
                theirs = other.closed(next);
            }
        }
        if ours.is_empty() || theirs.is_empty() {
            return false;
        }
    }
    false
}

/// A random model whose actions are inputs, outputs or internal at random.
fn random_model(choices: &mut testkit::Choices, kinds: u64) -> Option<Spec> {
    let text = model(choices);
    let mut lines: Vec<&str> = text.lines().collect();
    lines.retain(|line| !line.starts_with("input ") && !line.starts_with("internal "));
    let mut declared = String::new();
    for (number, rest) in lines.iter().filter_map(|line| line.strip_prefix("action ")).enumerate() {
        let name = rest.split([' ', '(']).next().unwrap_or_default();
        match (kinds >> (2 * (number % 32))) % 4 {
            0 => declared.push_str(&format!("input {name};\n")),
            1 => declared.push_str(&format!("internal {name};\n")),
            _ => {}
        }
    }
    let place = text.find("\ndo ")? + 1;
    let (head, body) = text.split_at(place);
    let head: Vec<&str> =
        head.lines().filter(|line| !line.starts_with("input ") && !line.starts_with("internal ")).collect();
    let text = format!("{}\n{declared}{body}", head.join("\n"));
    load(&Source::new("random.as", text), Notation::Native).ok().map(|(spec, _)| spec)
}

/// A random trace of the model, with its states.
fn random_trace(spec: &Spec, mut seed: u64) -> Vec<Step> {
    let mut state = spec.initial().to_vec();
    let mut trace = Vec::new();
    for _ in 0..3 {
        let steps: Vec<Step> = Naive(spec).steps(&state).into_iter().collect();
        if steps.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let step = steps[(seed >> 33) as usize % steps.len()].clone();
        state.clone_from(&step.post);
        trace.push(step);
    }
    trace
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_judge_agrees_with_the_definitions(
        mut choices in testkit::choices(300),
        kinds in any::<u64>(),
        seed in any::<u64>(),
    ) {
        let Some(spec) = random_model(&mut choices, kinds) else { return Ok(()) };
        let original = Original::new(&spec);
        let revision = Revision::of(&spec);
        let all = mutants(&spec, &OperatorSet::all(), Notation::Native);
        let trace = random_trace(&spec, seed);
        let labels: Vec<Seen> = trace.iter().map(|step| step.label.clone()).filter(|label| kind(&spec, label) != ActionKind::Internal).map(Seen::Observed).collect();
        let trial = Trial { trace: labels.clone(), then: None };
        let followed = Followed::new(&original, &trial, &mut Machines::default()).expect("few ways");
        let mut machines = Machines::default();
        let stride = all.len().div_ceil(4).max(1);
        for mutant in all.iter().step_by(stride) {
            let Some(other) = mutant.spec(&revision) else { continue };
            let Some(rival) = Rival::new(&original, &spec, &other) else { continue };
            let told = followed.tells(&rival, &mut machines).expect("few ways");
            prop_assert_eq!(told, tells(&spec, &other, &labels), "{} along {:?}", mutant.describe(), labels);
            let mut state = spec.initial().to_vec();
            for step in &trace {
                let ours = Naive(&spec).steps(&state);
                let wrong: Vec<Step> = Naive(&other).steps(&state).into_iter().filter(|step| !ours.contains(step)).collect();
                let own = wrong.iter().any(|step| kind(&spec, &step.label) != ActionKind::Controllable);
                prop_assert_eq!(rival.errs_by_itself(&mut machines, &state).expect("few ways"), own);
                let given = wrong.iter().any(|wrong| wrong.label == step.label);
                prop_assert_eq!(rival.errs_with(&mut machines, &state, &step.label).expect("few ways"), given);
                state.clone_from(&step.post);
            }
        }
    }
}
