//! Refinement: every step the mutant can make from a reachable state of the model, the model can make too.

use action::trace::Step;
use action::{Machine, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::{Limits, Stopped};
use super::pair::Pair;
use super::space::Space;
use super::verdict::{Proof, Verdict};
use action::finding::{Difference, Kill, Seen};

/// States looked at between two looks at the clock.
const STATES_PER_LOOK: usize = 64;
/// From this many states after one label on, those of the model are listed.
const MANY: u32 = 16;

/// Looks at every reachable state for a step that only the mutant can make; the first one found has a shortest trace. Where
/// there is none, looks for one that only the model can make: a mutant without any is equivalent, one with some does less.
pub(super) fn refine(space: &Space, pair: &Pair, limits: &Limits) -> Verdict {
    if pair.is_same() {
        return Verdict::conforms(Proof::Syntactic);
    }
    if !pair.same_start {
        let difference = Difference::Initial(pair.initial.to_vec());
        return Verdict::Killed(Kill { trace: Vec::new(), state: None, difference, differences: 1 });
    }
    match one_way(space, (&pair.changed, &pair.original), limits) {
        // Both do the same in the states before, so each of them reaches the states the other does.
        forth @ Verdict::Conforms(_) => forth.with_back(one_way(space, (&pair.removed, pair.mutant()), limits)),
        forth => forth,
    }
}

/// Whether the steps of one program are steps of another one in every reachable state.
fn one_way(space: &Space, (own, other): (&Program, &Program), limits: &Limits) -> Verdict {
    if own.is_empty() {
        return Verdict::conforms(Proof::EveryState);
    }
    match first_unsafe(space, (own, other), limits) {
        Ok(Some(kill)) => Verdict::Killed(kill),
        Ok(None) => Verdict::of_nothing(space.stopped(), space.len()),
        Err(stopped) => Verdict::Unknown(stopped.to_string()),
    }
}

fn first_unsafe(space: &Space, (own, other): (&Program, &Program), limits: &Limits) -> Result<Option<Kill>, Stopped> {
    let mut look = Look::new(limits);
    let mut state = space.state_at(0);
    // States that agree on what matters to these steps are all safe or all unsafe: the first of them is looked at.
    let slots: Vec<u32> = own.relevant_beside(other).into_iter().collect();
    let chosen = space.representatives(&slots, limits)?;
    for count in 0..chosen.as_ref().map_or(space.len(), |chosen| chosen.len()) {
        let number = chosen.as_ref().map_or(count, |chosen| chosen[count] as usize);
        if count.is_multiple_of(STATES_PER_LOOK)
            && let Some(stopped) = limits.spent()
        {
            return Err(stopped);
        }
        space.state(number, &mut state);
        if look.is_unsafe((own, other), &state)? {
            let (step, differences) = look.bad_steps((own, other), &state)?;
            return Ok(Some(Kill {
                trace: space.trace(number).into_iter().map(Seen::Step).collect(),
                state: Some(state),
                difference: Difference::Step(step),
                differences,
            }));
        }
    }
    Ok(None)
}

/// Looks for steps that only a mutant can make; it keeps its machines between looks.
pub(super) struct Look {
    mutant: Machine,
    original: Machine,
    limits: Limits,
    /// How often the model was asked for each label in the state at hand.
    asked: FxHashMap<Vec<i64>, u32>,
    /// Where the model's labels lead from there, for those that lead to many states.
    posts: FxHashSet<(Vec<i64>, Vec<i64>)>,
}

impl Look {
    pub(super) fn new(limits: &Limits) -> Look {
        Look {
            mutant: limits.machine(),
            original: limits.machine(),
            limits: limits.clone(),
            asked: FxHashMap::default(),
            posts: FxHashSet::default(),
        }
    }

    /// Whether there is a step from a state that only the first of two programs can make.
    pub(super) fn is_unsafe(&mut self, (own, other): (&Program, &Program), state: &[i64]) -> Result<bool, Stopped> {
        let Look { mutant, original, limits, asked, posts } = self;
        let (mut found, mut spent) = (false, false);
        asked.clear();
        mutant.refuel(limits.ways);
        let went = mutant.steps(own, state, &mut |step| {
            original.refuel(limits.ways);
            let count = match asked.get_mut(step.label) {
                Some(count) => count,
                None => asked.entry(step.label.to_vec()).or_insert(0),
            };
            *count += 1;
            // Where a label leads to many states, those that the model knows are listed once.
            let allowed = if *count < MANY {
                original.allows(other, state, step.label, step.post)
            } else {
                let listed = if *count == MANY {
                    posts.retain(|(label, _)| label != step.label);
                    original.after(other, state, step.label, &mut |post| {
                        posts.insert((step.label.to_vec(), post.to_vec()));
                        true
                    })
                } else {
                    Ok(())
                };
                listed.map(|()| posts.contains(&(step.label.to_vec(), step.post.to_vec())))
            };
            match allowed {
                Ok(allowed) => found = !allowed,
                Err(_) => spent = true,
            }
            !found && !spent
        });
        posts.clear();
        if spent || went.is_err() { Err(limits.stopped()) } else { Ok(found) }
    }

    /// The least of the steps that only the first of two programs can make from an unsafe state, and how many they are, all
    /// parameter values counted.
    pub(super) fn bad_steps(
        &mut self,
        (own, other): (&Program, &Program),
        state: &[i64],
    ) -> Result<(Step, u64), Stopped> {
        let Look { mutant, original, limits, .. } = self;
        let shape = own.shape();
        let width = shape.width();
        let stride = width + state.len() + 1;
        let mut rows: Vec<i64> = Vec::new();
        let mut spent = false;
        mutant.refuel(limits.ways);
        let went = mutant.steps(own, state, &mut |step| {
            original.refuel(limits.ways);
            match original.allows(other, state, step.label, step.post) {
                Ok(true) => {}
                Ok(false) => {
                    rows.extend_from_slice(step.label);
                    rows.extend_from_slice(step.post);
                    rows.push(i64::try_from(step.weight).unwrap_or(i64::MAX));
                }
                Err(_) => spent = true,
            }
            !spent
        });
        if spent || went.is_err() {
            return Err(limits.stopped());
        }
        let mut steps: Vec<&[i64]> = rows.chunks(stride).collect();
        steps.sort_unstable();
        steps.dedup_by_key(|row| &row[..stride - 1]);
        let differences = steps.iter().fold(0u64, |sum, row| sum.saturating_add(row[stride - 1] as u64));
        let decode = |row: &&[i64]| Step { label: shape.decode(&row[..width]), post: row[width..stride - 1].to_vec() };
        let least = steps.iter().map(decode).min().expect("the state is unsafe");
        Ok((least, differences))
    }
}
