//! Growing bounds: executions of few steps are asked for first, longer ones only for what these do not show.
//!
//! One question is about all open obligations at once, so that none waits for another; where it is too hard, each obligation has its
//! turn, with the same effort for all, and more effort in every further turn.
//!
//! Step by step means: what was found stays, and the next question is how it can go on. Only where it cannot, a new test is begun.

use smt::{Answer, Term};
use testcase::{GoalStatus, Inputs, ObligationId};

use crate::abilities::Encodes;
use crate::backend::Backend;
use crate::lane::Lane;
use crate::subject::{Bound, Finding};
use crate::{Budget, SearchError, Statistics};

/// The conflicts that a question may take at first.
const FIRST_EFFORT: u64 = 20_000;

/// A search over growing bounds.
pub(crate) struct Growing<'a> {
    subject: &'a dyn Encodes,
    /// What one goal may spend.
    budget: Budget,
    backend: &'a Backend,
    /// The bounds, the one asked for last.
    bounds: Vec<u32>,
    /// The problem at each bound; made when it is needed.
    lanes: Vec<Option<Lane<'a>>>,
    /// Which bound is asked next.
    at: usize,
    /// Whether tests are made step by step, and what the next one begins with.
    steps: Option<Prefix>,
    /// The conflicts that one obligation may take in this turn, and those that have had theirs.
    effort: u64,
    waiting: Vec<ObligationId>,
    /// Within which bound all that is open has been shown not to be.
    refuted: Option<String>,
}

/// What a test begins with: nothing yet, or what was found.
#[derive(Default)]
struct Prefix(Option<Inputs>);

impl<'a> Growing<'a> {
    /// A search up to a bound of at least one.
    pub(crate) fn new(
        subject: &'a dyn Encodes,
        backend: &'a Backend,
        budget: Budget,
        bound: Bound,
        by_steps: bool,
    ) -> Growing<'a> {
        let bounds = bounds_up_to(bound.0.max(1));
        let lanes = bounds.iter().map(|_| None).collect();
        let steps = by_steps.then(Prefix::default);
        Growing {
            subject,
            budget,
            backend,
            bounds,
            lanes,
            at: 0,
            steps,
            effort: FIRST_EFFORT,
            waiting: Vec::new(),
            refuted: None,
        }
    }

    /// Asks until something is known about some of the open obligations, which are not empty.
    pub(crate) fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        while !self.backend.is_over() {
            let last = self.at + 1 == self.bounds.len();
            let begun = self.steps.as_ref().and_then(|prefix| prefix.0.clone());
            let Some(lane) = self.lane()? else {
                return Ok(vec![Finding::Finished("this has no search".into())]);
            };
            let same: Vec<Term> = match &begun {
                Some(inputs) => lane.problem.same_as(&mut lane.terms, inputs),
                None => Vec::new(),
            };
            match lane.some_of(open, &same, Some(FIRST_EFFORT))? {
                Answer::Sat(model) => {
                    let targets = lane.holding(&model, open);
                    let found = lane.decode(&model, targets);
                    self.go_on(&found);
                    return Ok(vec![found]);
                }
                Answer::Unsat { .. } | Answer::Unknown(_) if begun.is_some() && last => self.begin_anew(),
                answer @ (Answer::Unsat { .. } | Answer::Unknown(_)) if !last => {
                    if let (Answer::Unsat { .. }, None) = (&answer, &begun) {
                        self.refuted = Some(lane.within(&answer));
                    }
                    self.at += 1;
                }
                answer @ Answer::Unsat { .. } => {
                    return open.iter().map(|&obligation| lane.close(obligation, &answer)).collect();
                }
                Answer::Unknown(_) => return self.turn(open),
            }
        }
        Ok(Vec::new())
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.lanes.iter().flatten().fold(Statistics::default(), |sum, lane| sum + lane.statistics)
    }

    fn lane(&mut self) -> Result<Option<&mut Lane<'a>>, SearchError> {
        let place = &mut self.lanes[self.at];
        if place.is_none() {
            *place = Lane::new(self.subject, self.backend, Bound(self.bounds[self.at]))?;
        }
        Ok(place.as_mut())
    }

    /// Keeps what was found as the beginning of what is asked for next.
    fn go_on(&mut self, found: &Finding) {
        if let (Some(prefix), Finding::Inputs { inputs, .. }) = (&mut self.steps, found) {
            prefix.0 = inputs.first().cloned();
            if self.at + 1 == self.bounds.len() {
                self.begin_anew();
            } else {
                self.at += 1;
            }
        }
    }

    fn begin_anew(&mut self) {
        self.at = 0;
        if let Some(prefix) = &mut self.steps {
            prefix.0 = None;
        }
    }

    /// Gives the next obligation its turn, at the bound that was asked for.
    fn turn(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        while !self.backend.is_over() {
            self.waiting.retain(|obligation| open.contains(obligation));
            if self.waiting.len() == open.len() {
                self.waiting.clear();
                self.effort = self.effort.saturating_mul(2);
            }
            let Some(&target) = open.iter().find(|obligation| !self.waiting.contains(obligation)) else { break };
            let budget = self.budget.within(self.backend.effort);
            let most = self.backend.query(&[]).limits.conflicts;
            let effort = if most.is_none() { self.effort.min(budget) } else { self.effort };
            let Some(lane) = self.lane()? else { break };
            let parts = lane.parts(target);
            match lane.ask_within(&parts, Some(effort))? {
                Answer::Sat(model) => {
                    let targets = lane.holding(&model, open);
                    return Ok(vec![lane.decode(&model, targets)]);
                }
                // More effort than the user grants one goal is not made.
                Answer::Unknown(smt::Unknown::Conflicts) if most.is_some_and(|most| effort < most) => {
                    self.waiting.push(target);
                }
                Answer::Unknown(smt::Unknown::Conflicts) if most.is_none() && effort < budget => {
                    self.waiting.push(target);
                }
                Answer::Unknown(smt::Unknown::Conflicts) if most.is_none() => {
                    let spent = self.budget.spent(self.backend.effort);
                    let reason = match &self.refuted {
                        Some(within) => format!("{spent}; {within} no test shows it"),
                        None => spent,
                    };
                    return Ok(vec![Finding::Closed(target, GoalStatus::Unknown(reason))]);
                }
                answer => return Ok(vec![lane.close(target, &answer)?]),
            }
        }
        Ok(Vec::new())
    }
}

/// Bounds that grow by half, up to one.
fn bounds_up_to(bound: u32) -> Vec<u32> {
    let mut bounds = Vec::new();
    let mut next = 1_u32;
    // A bound little below the last one would only ask everything twice.
    while u64::from(next) * 5 < u64::from(bound) * 4 {
        bounds.push(next);
        next = (next + 1).max(next.saturating_add(next / 2));
    }
    bounds.push(bound);
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow_and_end_with_the_one_asked_for() {
        assert_eq!(bounds_up_to(1), [1]);
        assert_eq!(bounds_up_to(2), [1, 2]);
        assert_eq!(bounds_up_to(5), [1, 2, 3, 5]);
        assert_eq!(bounds_up_to(20), [1, 2, 3, 4, 6, 9, 13, 20]);
    }
}
