//! Refinement: every step the mutant can make from a reachable state of the model, the model can make too.

use std::collections::BTreeMap;

use action::trace::Step;
use action::{Machine, Spec};

use super::limits::{Limits, Stopped};
use super::pair::{Base, Pair};
use super::space::Space;
use super::verdict::{Difference, Equivalence, Kill, Seen, Verdict};

/// Looks at every reachable state for a step that only the mutant can make; the first one found has a shortest trace.
pub(super) fn refine(spec: &Spec, base: &Base, space: &Space, mutant: &Spec, limits: &Limits) -> Verdict {
    let pair = match Pair::over(base, spec, mutant) {
        Ok(pair) => pair,
        Err(why) => return Verdict::Unsupported(why.0),
    };
    if pair.is_same() {
        return Verdict::Equivalent(Equivalence::Syntactic);
    }
    if !pair.same_start {
        let difference = Difference::Initial(mutant.initial().to_vec());
        return Verdict::Killed(Kill { trace: Vec::new(), state: None, difference, differences: 1 });
    }
    match first_unsafe(space, &pair, limits) {
        Ok(Some((number, bad))) => Verdict::Killed(kill(space, number, bad)),
        Ok(None) => Verdict::of_nothing(space.stopped(), space.len()),
        Err(stopped) => Verdict::Unknown(stopped.to_string()),
    }
}

/// The steps that only the mutant can make from a state, with the number of labels each stands for.
type Bad = BTreeMap<Step, u64>;

fn first_unsafe(space: &Space, pair: &Pair, limits: &Limits) -> Result<Option<(usize, Bad)>, Stopped> {
    let mut machines = (Machine::default(), Machine::default());
    let mut state = space.state_at(0);
    for number in 0..space.len() {
        if number.is_multiple_of(1024)
            && let Some(stopped) = limits.spent()
        {
            return Err(stopped);
        }
        space.state(number, &mut state);
        let bad = unsafe_steps(pair, &mut machines, &state, limits)?;
        if !bad.is_empty() {
            return Ok(Some((number, bad)));
        }
    }
    Ok(None)
}

/// The steps from a state that only the mutant can make.
pub(super) fn unsafe_steps(
    pair: &Pair,
    machines: &mut (Machine, Machine),
    state: &[i64],
    limits: &Limits,
) -> Result<Bad, Stopped> {
    let mut bad = Bad::new();
    let (mutant, original) = machines;
    mutant.refuel(limits.ways);
    let mut spent = false;
    let went = mutant.steps(&pair.changed, state, &mut |found| {
        original.refuel(limits.ways);
        match original.allows(&pair.original, state, found.label, found.post) {
            Ok(true) => {}
            Ok(false) => {
                bad.insert(Step { label: pair.shape.decode(found.label), post: found.post.to_vec() }, found.weight);
            }
            Err(_) => spent = true,
        }
        !spent
    });
    if spent || went.is_err() { Err(Stopped::Ways(limits.ways)) } else { Ok(bad) }
}

fn kill(space: &Space, number: usize, bad: Bad) -> Kill {
    let differences = bad.values().sum();
    let (step, _) = bad.into_iter().next().expect("there is a step only the mutant can make");
    Kill {
        trace: space.trace(number).into_iter().map(Seen::Step).collect(),
        state: Some(space.state_at(number)),
        difference: Difference::Step(step),
        differences,
    }
}
