//! Random walks through a model, to attack claims that a mutant conforms.

use std::collections::BTreeMap;
use std::sync::Arc;

use action::Spec;
use action::interp::Interpreter;
use action::trace::{Label, Step};
use random::SplitMix;

use super::subject::is_input;
use action::OutOfFuel;
use action::finding::Relation;
use action::finding::Seen;
use action::trial::Trial;
use action::watch::{Refusal, Watch};

/// At most this many walks are made.
const MOST_WALKS: usize = 48;
/// Walks end when the interpreter has gone through this many choices, all walks and all mutants that follow them together:
/// an attack is to cost less than the search whose claims it attacks.
const MOST_WORK: u64 = 4_000_000;
/// Walks are at most this long.
pub(super) const LONGEST: u64 = 40;

/// Random traces of a model, each with a random input at its end where there is one.
pub(super) fn walks(
    spec: &Spec,
    relation: Relation,
    seed: u64,
    count: usize,
    longest: u64,
    followers: usize,
) -> Vec<Trial> {
    let mut random = SplitMix::new(seed);
    let mut interpreter = Interpreter::new(spec).within(MOST_WORK);
    let mut known = BTreeMap::new();
    let longest = longest.min(LONGEST);
    let mut trials = Vec::new();
    let most = MOST_WORK / followers.max(1) as u64;
    let mut spent = 0;
    while trials.len() < count.min(MOST_WALKS) && spent < most {
        trials.push(match relation {
            Relation::Refinement => {
                walk(spec, (&mut interpreter, &mut known), &mut random, longest, (most, &mut spent))
            }
            Relation::Ioco => stroll(spec, &interpreter, &mut random, longest, (most, &mut spent)),
        });
    }
    trials
}

/// The steps of states met before, with the choices it took to find them: walks meet the first ones again and again. Whoever
/// follows a walk with a mutant makes these choices once more, so they count each time.
type Known = BTreeMap<Vec<i64>, (Arc<Vec<Step>>, u64)>;

fn walk(
    spec: &Spec,
    (interpreter, known): (&mut Interpreter, &mut Known),
    random: &mut SplitMix,
    longest: u64,
    (most, spent): (u64, &mut u64),
) -> Trial {
    let mut state = spec.initial().to_vec();
    let mut trace = Vec::new();
    let mut last: Arc<Vec<Step>> = Arc::default();
    for _ in 0..=longest {
        let (next, work) = steps(interpreter, known, &state);
        last = next;
        *spent += work;
        if last.is_empty() || trace.len() as u64 == longest || most < *spent {
            break;
        }
        let step = last[random.index(last.len())].clone();
        state.clone_from(&step.post);
        trace.push(Seen::Step(step));
    }
    let inputs: Vec<&Step> = last.iter().filter(|step| is_input(spec, &step.label)).collect();
    let then = (!inputs.is_empty()).then(|| inputs[random.index(inputs.len())].label.clone());
    Trial { trace, then }
}

/// A trace of what can be seen: outputs, silence, and inputs where every state takes them.
fn stroll(
    spec: &Spec,
    interpreter: &Interpreter,
    random: &mut SplitMix,
    longest: u64,
    (most, spent): (u64, &mut u64),
) -> Trial {
    let most = most - *spent;
    let mut trace = Vec::new();
    let Ok(mut watch) = Watch::new(spec, interpreter.clone()).map(|watch| watch.within(most)) else {
        return Trial { trace, then: None };
    };
    for _ in 0..longest {
        let Ok(mut next) = doings(&mut watch, trace.last() == Some(&Seen::Silence)) else { break };
        if next.is_empty() {
            break;
        }
        let before = watch.clone();
        let seen = next.swap_remove(random.index(next.len()));
        if watch.see(&seen, Refusal::Excluded).is_err() {
            break;
        }
        // What is too much work for the model alone is so for each of its mutants.
        if most < watch.work() {
            watch = before;
            break;
        }
        trace.push(seen);
    }
    *spent += watch.work();
    let inputs: Vec<Label> = watch.specified_inputs().unwrap_or_default().into_iter().collect();
    let then = (!inputs.is_empty()).then(|| inputs[random.index(inputs.len())].clone());
    Trial { trace, then }
}

/// What may happen next where a test may go on. Silence after silence shows nothing new.
fn doings(watch: &mut Watch<'_>, was_silent: bool) -> Result<Vec<Seen>, OutOfFuel> {
    let inputs = watch.specified_inputs()?;
    let mut next: Vec<Seen> = watch.outputs()?.into_keys().chain(inputs).map(Seen::Observed).collect();
    if !was_silent && !watch.silent()?.is_empty() {
        next.push(Seen::Silence);
    }
    Ok(next)
}

fn steps(interpreter: &mut Interpreter, known: &mut Known, state: &[i64]) -> (Arc<Vec<Step>>, u64) {
    if let Some(known) = known.get(state) {
        return known.clone();
    }
    let before = interpreter.work();
    let found = interpreter.steps(state).unwrap_or_default();
    let steps: Arc<Vec<Step>> = Arc::new(found.into_iter().map(|(step, _)| step).collect());
    let found = (steps, interpreter.work() - before);
    known.insert(state.to_vec(), found.clone());
    found
}
