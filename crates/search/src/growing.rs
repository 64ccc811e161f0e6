//! Growing bounds: executions of few steps are asked for first, longer ones only for what these do not show.
//!
//! A sweep asks at every bound for any of the open obligations, and at the last bound for each of them. Every question of a sweep has
//! its share of work, counted in conflicts, and a question that is too hard for its share waits for the next sweep, which grants four
//! times as much. So neither a hard bound nor a hard obligation keeps the others waiting, and all work together is at most a small
//! multiple of what the best way to ask would have taken. Asking for any obligation at the last bound may take as much as asking for each.
//!
//! Step by step means: what was found stays, and the next question is how it can go on. Only where it cannot, a new test is begun.

use std::collections::VecDeque;

use smt::{Answer, Scope, Term};
use testcase::{GoalStatus, Inputs, ObligationId};

use crate::abilities::Encodes;
use crate::backend::Backend;
use crate::lane::Lane;
use crate::subject::{Bound, Finding};
use crate::{Budget, SearchError, Statistics};

/// The conflicts that a question may take in the first sweep.
const FIRST_SHARE: u64 = 1_000;

/// Before a refutation for integers of limited size is believed to be all there is, the question may take this many conflicts.
const WIDE_SHARE: u64 = 16_000;

/// By how much a share grows from one sweep to the next.
const GROWTH: u64 = 4;

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
    /// The conflicts that a question of this sweep may take; none before the first.
    share: u64,
    /// What is left of this sweep.
    sweep: VecDeque<Question>,
    /// Below this place, no bound shows anything that is open.
    from: usize,
    /// The bound below it, in words.
    refuted: Option<String>,
    /// Where tests are made step by step: what the next one begins with, and the place of the bound it goes on to.
    steps: Option<Option<Begun>>,
}

/// A question of a sweep.
#[derive(Clone, Copy)]
enum Question {
    /// For any open obligation at a bound.
    Any(usize),
    /// For one obligation at the last bound.
    One(ObligationId),
}

/// A test to be continued.
#[derive(Clone)]
struct Begun {
    inputs: Inputs,
    at: usize,
}

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
        Growing {
            subject,
            budget,
            backend,
            bounds,
            lanes,
            share: 0,
            sweep: VecDeque::new(),
            from: 0,
            refuted: None,
            steps: by_steps.then_some(None),
        }
    }

    /// Asks until something is known about some of the open obligations, which are not empty.
    pub(crate) fn round(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        while !self.backend.is_over() {
            let findings = match self.steps.clone().flatten() {
                Some(begun) => self.go_on(begun, open)?,
                None => match self.next(open) {
                    Question::Any(at) => self.any(at, open)?,
                    Question::One(target) => self.one(target, open)?,
                },
            };
            if !findings.is_empty() {
                return Ok(findings);
            }
        }
        Ok(Vec::new())
    }

    pub(crate) fn statistics(&self) -> Statistics {
        self.lanes.iter().flatten().fold(Statistics::default(), |sum, lane| sum + lane.statistics)
    }

    /// The next question, of a new sweep if this one is over.
    fn next(&mut self, open: &[ObligationId]) -> Question {
        loop {
            match self.sweep.pop_front() {
                Some(Question::One(target)) if !open.contains(&target) => {}
                Some(Question::Any(at)) if at < self.from => {}
                Some(question) => return question,
                None => {
                    self.share = if self.share == 0 { FIRST_SHARE } else { self.share.saturating_mul(GROWTH) };
                    self.share = self.share.min(self.most());
                    self.sweep.extend((self.from..self.bounds.len()).map(Question::Any));
                    self.sweep.extend(open.iter().copied().map(Question::One));
                }
            }
        }
    }

    /// The most conflicts for one obligation.
    fn most(&self) -> u64 {
        self.backend.query(&[]).limits.conflicts.unwrap_or_else(|| self.budget.within(self.backend.effort)).max(1)
    }

    /// Asks for any open obligation at a bound.
    fn any(&mut self, at: usize, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let last = at + 1 == self.bounds.len();
        let share = if last { self.share.saturating_mul(open.len() as u64) } else { self.share };
        let Some(lane) = self.lane(at)? else { return Ok(vec![Finding::Finished("this has no search".into())]) };
        let answer = match last {
            true => widened(share, |conflicts| lane.some_of(open, &[], Some(conflicts)))?,
            false => lane.some_of(open, &[], Some(share))?,
        };
        match answer {
            Answer::Sat(model) => {
                let targets = lane.holding(&model, open);
                let found = lane.decode(&model, targets);
                // There may be more where this came from.
                self.sweep.push_front(Question::Any(at));
                self.begin(&found, at);
                Ok(vec![found])
            }
            answer @ Answer::Unsat { .. } if last => {
                open.iter().map(|&obligation| lane.close(obligation, &answer)).collect()
            }
            answer @ Answer::Unsat { .. } => {
                self.refuted = Some(lane.within(&answer));
                self.from = self.from.max(at + 1);
                Ok(Vec::new())
            }
            Answer::Unknown(_) => Ok(Vec::new()),
        }
    }

    /// Asks for one obligation at the last bound.
    fn one(&mut self, target: ObligationId, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let (share, spent) = (self.share, self.most() <= self.share);
        let granted = self.backend.query(&[]).limits.conflicts.is_some();
        let reason = self.exhausted();
        let Some(lane) = self.lane(self.bounds.len() - 1)? else { return Ok(Vec::new()) };
        let parts = lane.parts(target);
        Ok(match widened(share, |conflicts| lane.ask_within(&parts, Some(conflicts)))? {
            Answer::Sat(model) => {
                let targets = lane.holding(&model, open);
                vec![lane.decode(&model, targets)]
            }
            Answer::Unknown(smt::Unknown::Conflicts) if !spent => Vec::new(),
            Answer::Unknown(smt::Unknown::Conflicts) if !granted => {
                vec![Finding::Closed(target, GoalStatus::Unknown(reason))]
            }
            answer => vec![lane.close(target, &answer)?],
        })
    }

    /// Why an obligation stays open on which all that it may cost was spent.
    fn exhausted(&self) -> String {
        let spent = self.budget.spent(self.backend.effort);
        self.refuted.iter().fold(spent, |spent, within| format!("{spent}; {within} no test shows it"))
    }

    /// Asks how a test can go on so that it shows more.
    fn go_on(&mut self, begun: Begun, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let (at, share) = (begun.at, self.share);
        if at == self.bounds.len() {
            self.steps = Some(None);
            return Ok(Vec::new());
        }
        let Some(lane) = self.lane(at)? else { return Ok(Vec::new()) };
        let same: Vec<Term> = lane.problem.same_as(&mut lane.terms, &begun.inputs);
        match lane.some_of(open, &same, Some(share))? {
            Answer::Sat(model) => {
                let targets = lane.holding(&model, open);
                let found = lane.decode(&model, targets);
                self.begin(&found, at);
                Ok(vec![found])
            }
            Answer::Unsat { .. } | Answer::Unknown(_) => {
                self.steps = Some(Some(Begun { at: at + 1, ..begun }));
                Ok(Vec::new())
            }
        }
    }

    /// Where tests are made step by step, keeps what was found at a bound as the beginning of what is asked for next.
    fn begin(&mut self, found: &Finding, at: usize) {
        if let (Some(begun), Finding::Inputs { inputs, .. }) = (&mut self.steps, found) {
            *begun = inputs.first().map(|inputs| Begun { inputs: inputs.clone(), at: at + 1 });
        }
    }

    fn lane(&mut self, at: usize) -> Result<Option<&mut Lane<'a>>, SearchError> {
        let place = &mut self.lanes[at];
        if place.is_none() {
            *place = Lane::new(self.subject, self.backend, Bound(self.bounds[at]))?;
        }
        Ok(place.as_mut())
    }
}

/// The answer to a question with a limit on conflicts; where it is a refutation for integers of limited size, it is asked once
/// more with the effort that another solver may need to do without that limit.
fn widened(share: u64, mut ask: impl FnMut(u64) -> Result<Answer, SearchError>) -> Result<Answer, SearchError> {
    match ask(share)? {
        narrow @ Answer::Unsat { scope: Scope::Width(_), .. } if share < WIDE_SHARE => Ok(match ask(WIDE_SHARE)? {
            Answer::Unknown(_) => narrow,
            wide => wide,
        }),
        answer => Ok(answer),
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
