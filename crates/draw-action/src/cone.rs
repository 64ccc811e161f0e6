//! Cones: of a model with very many alternatives the few on which it depends whether a mutant shows, explored by themselves.
//!
//! What a mutant does otherwise depends on a few slots. The alternatives that write them are a first cone, those that write what
//! these read a larger one. A way through a cone is a way of the model, so a difference behind it is one. A cone to which nothing
//! outside writes is *closed*: what the model can make of its slots, the cone alone can, so where the whole of it shows no
//! difference, there is none.

use std::collections::BTreeSet;

use action::finding::{Difference, Kill, Seen};
use action::trace::Step;
use action::{Machine, Program, Spec};
use rustc_hash::FxHashSet;

use super::limits::{Limits, Stopped};
use super::pair::{Base, Pair};
use super::refine::Look;
use super::verdict::{Back, Conformance, Proof, Verdict};

/// Models with fewer alternatives are explored as a whole: that gives shortest traces.
pub(super) const FEWEST_ALTERNATIVES: usize = 100;
/// Values of the slots that matter that are gone through, reachable or not.
const MOST_VALUES: u64 = 4_096;
/// The largest cone.
const MOST_ALTERNATIVES: usize = 200;
/// The states of a cone.
const MOST_STATES: usize = 2_000;
/// How often a cone is made larger.
const MOST_HOPS: usize = 4;

/// The cones of a model.
pub(super) struct Cones<'a> {
    spec: &'a Spec,
    base: &'a Base,
    limits: Limits,
    depth: u64,
    /// The alternatives that write each slot.
    writers: Vec<Vec<usize>>,
    look: Look,
    machine: Machine,
    /// The cones around the slots asked for last: mutants of one action come one after the other.
    last: (BTreeSet<u32>, Vec<Cone>),
}

/// Some alternatives with the states they lead to.
struct Cone {
    alternatives: BTreeSet<usize>,
    states: Vec<Vec<i64>>,
    /// From which state each was reached, and by which step.
    parents: Vec<Option<(usize, Step)>>,
    /// Whether nothing outside writes to what matters in it.
    is_closed: bool,
    /// Whether all its states are here.
    is_whole: bool,
}

impl Cone {
    fn trace(&self, mut at: usize) -> Vec<Seen> {
        let mut steps = Vec::new();
        while let Some((before, step)) = &self.parents[at] {
            steps.push(Seen::Step(step.clone()));
            at = *before;
        }
        steps.reverse();
        steps
    }
}

/// What is known about steps of one program that are to be steps of another.
enum Found {
    /// A reachable state from which one is not.
    Kill(Kill),
    /// All of them are.
    None(Proof),
    Open,
}

impl<'a> Cones<'a> {
    pub(super) fn new(spec: &'a Spec, base: &'a Base, depth: u64, limits: &Limits) -> Cones<'a> {
        let mut writers = vec![Vec::new(); spec.slots().len()];
        for alternative in 0..spec.alternatives().len() {
            base.program().touched(alternative).1.iter().for_each(|slot| writers[*slot as usize].push(alternative));
        }
        Cones {
            spec,
            base,
            limits: limits.clone(),
            depth,
            writers,
            look: Look::new(limits),
            machine: limits.machine(),
            last: (BTreeSet::new(), Vec::new()),
        }
    }

    /// The verdict on a mutant as far as its cones tell.
    pub(super) fn examine(&mut self, pair: &Pair) -> Result<Option<Verdict>, Stopped> {
        if pair.is_same() {
            return Ok(Some(Verdict::conforms(Proof::Syntactic)));
        }
        if !pair.same_start {
            let difference = Difference::Initial(pair.initial.to_vec());
            return Ok(Some(Verdict::Killed(Kill { trace: Vec::new(), state: None, difference, differences: 1 })));
        }
        if !pair.same_types || !pair.same_kinds {
            return Ok(None);
        }
        Ok(match self.one_way(&pair.changed, &pair.original)? {
            Found::Kill(kill) => Some(Verdict::Killed(kill)),
            Found::Open => None,
            Found::None(proof) => {
                let back = match self.one_way(&pair.removed, pair.mutant())? {
                    Found::Kill(kill) => Back::Less(Box::new(kill)),
                    Found::None(proof) => Back::Equal(proof),
                    Found::Open => Back::Unknown("the states around the change do not tell".to_owned()),
                };
                Some(Verdict::Conforms(Conformance { proof, back }))
            }
        })
    }

    /// Whether the steps of one program are steps of another one in every reachable state.
    fn one_way(&mut self, own: &Program, other: &Program) -> Result<Found, Stopped> {
        let slots = own.relevant_beside(other);
        if own.is_empty() || self.holds_everywhere((own, other), &slots)? {
            return Ok(Found::None(Proof::EveryState));
        }
        for hop in 0..MOST_HOPS {
            self.reach(&slots, hop)?;
            let Some(cone) = self.last.1.get(hop) else { return Ok(Found::Open) };
            for (number, state) in cone.states.iter().enumerate() {
                self.limits.spent().map_or(Ok(()), Err)?;
                if self.look.is_unsafe((own, other), state)? {
                    let (step, differences) = self.look.bad_steps((own, other), state)?;
                    return Ok(Found::Kill(Kill {
                        trace: cone.trace(number),
                        state: Some(state.clone()),
                        difference: Difference::Step(step),
                        differences,
                    }));
                }
            }
            if cone.is_closed && cone.is_whole {
                return Ok(Found::None(Proof::Exhausted { states: cone.states.len() }));
            }
        }
        Ok(Found::Open)
    }

    /// Whether there is no difference for any values of the slots that matter. Not known where they have too many.
    fn holds_everywhere(&mut self, programs: (&Program, &Program), slots: &BTreeSet<u32>) -> Result<bool, Stopped> {
        let domains: Vec<(usize, i64, i64)> = slots
            .iter()
            .map(|&slot| (slot as usize, self.spec.slots()[slot as usize].low, self.spec.slots()[slot as usize].high))
            .collect();
        let sizes = domains.iter().map(|(_, low, high)| high.abs_diff(*low).saturating_add(1));
        if MOST_VALUES < sizes.fold(1u64, u64::saturating_mul) {
            return Ok(false);
        }
        let mut state = self.base.initial().to_vec();
        domains.iter().for_each(|(slot, low, _)| state[*slot] = *low);
        loop {
            if self.look.is_unsafe(programs, &state)? {
                return Ok(false);
            }
            // The next values, as a number with a digit for each slot grows by one.
            let Some((slot, _, _)) = domains.iter().find(|(slot, low, high)| {
                let is_last = state[*slot] == *high;
                if is_last {
                    state[*slot] = *low;
                }
                !is_last
            }) else {
                return Ok(true);
            };
            state[*slot] += 1;
        }
    }

    /// Makes the cones around some slots up to a number of hops; fewer where they would be too large.
    fn reach(&mut self, slots: &BTreeSet<u32>, hops: usize) -> Result<(), Stopped> {
        if self.last.0 != *slots {
            self.last = (slots.clone(), Vec::new());
        }
        while self.last.1.len() <= hops {
            let mut matter = slots.clone();
            let mut known = BTreeSet::new();
            if let Some(last) = self.last.1.last() {
                if last.is_closed {
                    return Ok(());
                }
                known.clone_from(&last.alternatives);
                known.iter().for_each(|&alternative| matter.extend(self.base.program().touched(alternative).0));
            }
            let writers = matter.iter().flat_map(|slot| &self.writers[*slot as usize]).copied();
            let alternatives: BTreeSet<usize> = writers.chain(known).collect();
            if MOST_ALTERNATIVES < alternatives.len() {
                return Ok(());
            }
            let cone = self.explore(alternatives, &matter)?;
            self.last.1.push(cone);
        }
        Ok(())
    }

    fn explore(&mut self, alternatives: BTreeSet<usize>, matter: &BTreeSet<u32>) -> Result<Cone, Stopped> {
        let list: Vec<usize> = alternatives.iter().copied().collect();
        let program = self.base.program().only(&list);
        let read: BTreeSet<u32> = list.iter().flat_map(|one| self.base.program().touched(*one).0).copied().collect();
        let foreign = |slot: &u32| self.writers[*slot as usize].iter().any(|writer| !alternatives.contains(writer));
        let is_closed = !matter.iter().chain(&read).any(foreign);
        let initial = self.base.initial().to_vec();
        let mut known: FxHashSet<Vec<i64>> = FxHashSet::from_iter([initial.clone()]);
        let mut cone = Cone { alternatives, states: vec![initial], parents: vec![None], is_closed, is_whole: true };
        let (mut next, mut depth) = (0, 0);
        while next < cone.states.len() && cone.is_whole {
            let level_end = cone.states.len();
            while next < level_end {
                self.limits.spent().map_or(Ok(()), Err)?;
                let state = cone.states[next].clone();
                let Cone { states, parents, is_whole, .. } = &mut cone;
                self.machine.refuel(self.limits.ways);
                let went = self.machine.steps(&program, &state, &mut |found| {
                    if known.contains(found.post) {
                        return true;
                    }
                    if depth == self.depth || states.len() == MOST_STATES {
                        *is_whole = false;
                        return false;
                    }
                    known.insert(found.post.to_vec());
                    states.push(found.post.to_vec());
                    let label = program.shape().decode(found.label);
                    parents.push(Some((next, Step { label, post: found.post.to_vec() })));
                    true
                });
                went.map_err(|_| self.limits.stopped())?;
                next += 1;
            }
            depth += 1;
        }
        Ok(cone)
    }
}
