//! The strategies: what a lane asks next, given its open obligations. One function each.

use smt::{Answer, Term};
use testcase::{Inputs, ObligationId};
use value::Sort;

use crate::lane::Lane;
use crate::subject::Finding;
use crate::{SearchError, Strategy};

/// The soft strategy tries to add at most this many obligations to one test.
const SOFT_TRIES: usize = 64;

/// What a strategy remembers between rounds.
#[derive(Default)]
pub(crate) struct Memory {
    /// Iterative: one selector per obligation that has been offered.
    selectors: Vec<(ObligationId, Term)>,
    /// Iterative: the switch of the current disjunction.
    disjunction: Option<Term>,
    /// Groupwise: whether the obligations turned out not to partition the executions.
    no_partition: bool,
}

impl Lane<'_> {
    /// One round: asks what the strategy wants to know about the open obligations, which are not empty.
    pub(crate) fn round(
        &mut self,
        strategy: Strategy,
        open: &[ObligationId],
        last: Option<&Inputs>,
    ) -> Result<Vec<Finding>, SearchError> {
        match strategy {
            Strategy::Simple => self.simple(open),
            Strategy::Hard => self.hard(open),
            Strategy::Soft => self.soft(open),
            // Where there is nothing to grow, all that is open is asked for at once.
            Strategy::Iterative | Strategy::Growing => self.iterative(open),
            Strategy::Each => self.each(open[0]),
            Strategy::Groupwise if !self.strategy.no_partition => self.groupwise(open),
            Strategy::Groupwise => self.iterative(open),
            Strategy::Incremental => self.incremental(open[0], last),
        }
    }

    fn simple(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let finished = Finding::Finished("the simple strategy stops after one test".into());
        Ok(match self.ask(&[])? {
            Answer::Sat(model) => {
                let inputs = self.problem.decode(&self.terms, &model, None);
                vec![Finding::Inputs { targets: Vec::new(), inputs }, finished]
            }
            // Without any execution, no goal has one.
            answer @ Answer::Unsat { .. } => {
                return open.iter().map(|&obligation| self.close(obligation, &answer)).collect();
            }
            Answer::Unknown(reason) => vec![Finding::Finished(reason.to_string())],
        })
    }

    fn hard(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let all: Vec<Term> = open.iter().flat_map(|&obligation| self.parts(obligation)).collect();
        Ok(match self.ask(&all)? {
            Answer::Sat(model) => {
                vec![self.decode(&model, open.to_vec()), Finding::Finished("the hard strategy asks once".into())]
            }
            answer @ Answer::Unsat { .. } => self.apart(open, &answer)?,
            Answer::Unknown(reason) => vec![Finding::Finished(reason.to_string())],
        })
    }

    /// After the proof that no test meets all obligations at once: closes those that none meets, and says of the others that they
    /// cannot be had together.
    fn apart(&mut self, open: &[ObligationId], answer: &Answer) -> Result<Vec<Finding>, SearchError> {
        let within = match self.within(answer) {
            limits if limits.is_empty() => limits,
            limits => format!(" {limits}"),
        };
        let mut findings = Vec::new();
        for &obligation in open {
            let parts = self.parts(obligation);
            let answer = self.ask(&parts)?;
            if matches!(answer, Answer::Unsat { .. }) {
                findings.push(self.close(obligation, &answer)?);
            }
        }
        let reason = format!("no single test{within} covers all goals: proved; the hard strategy draws no others");
        findings.push(Finding::Finished(reason));
        Ok(findings)
    }

    fn each(&mut self, target: ObligationId) -> Result<Vec<Finding>, SearchError> {
        let parts = self.parts(target);
        Ok(vec![match self.ask(&parts)? {
            Answer::Sat(model) => self.decode(&model, vec![target]),
            answer => self.close(target, &answer)?,
        }])
    }

    fn soft(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        let mut kept = self.parts(open[0]);
        let mut model = match self.ask(&kept)? {
            Answer::Sat(model) => model,
            answer => return Ok(vec![self.close(open[0], &answer)?]),
        };
        let mut targets = vec![open[0]];
        let mut holding = self.holding(&model, open);
        for &other in open[1..].iter().take(SOFT_TRIES) {
            let mut more = kept.clone();
            more.extend(self.parts(other));
            if !holding.contains(&other) {
                let Answer::Sat(better) = self.ask(&more)? else { continue };
                model = better;
                holding = self.holding(&model, open);
            }
            kept = more;
            targets.push(other);
        }
        Ok(vec![self.decode(&model, targets)])
    }

    fn iterative(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        match self.some_of(open, &[], None)? {
            Answer::Sat(model) => {
                let targets = self.holding(&model, open);
                Ok(vec![self.decode(&model, targets)])
            }
            answer @ Answer::Unsat { .. } => open.iter().map(|&obligation| self.close(obligation, &answer)).collect(),
            Answer::Unknown(_) => {
                // The disjunction is too hard: one obligation at a time may still be easy.
                self.each(open[0])
            }
        }
    }

    /// Asks for any of the open obligations under assumptions, with a limit on conflicts.
    pub(crate) fn some_of(
        &mut self,
        open: &[ObligationId],
        assumed: &[Term],
        conflicts: Option<u64>,
    ) -> Result<Answer, SearchError> {
        let switch = self.offer(open)?;
        let closed = self.strategy.selectors.clone().into_iter().filter(|(obligation, _)| !open.contains(obligation));
        let mut assumptions: Vec<Term> = closed.map(|(_, selector)| self.terms.not(selector)).collect();
        assumptions.push(switch);
        assumptions.extend(assumed);
        self.ask_within(&assumptions, conflicts)
    }

    /// Makes sure that every open obligation has a selector, and returns the switch of "some selector holds".
    fn offer(&mut self, open: &[ObligationId]) -> Result<Term, SearchError> {
        let known = |lane: &Self, wanted| lane.strategy.selectors.iter().any(|&(obligation, _)| obligation == wanted);
        if let Some(switch) = self.strategy.disjunction
            && open.iter().all(|&obligation| known(self, obligation))
        {
            return Ok(switch);
        }
        for &obligation in open {
            if known(self, obligation) {
                continue;
            }
            let parts = self.parts(obligation);
            let selector = self.terms.fresh("selector", &Sort::Bool);
            let conjunction = self.terms.and(&parts);
            let chosen = self.terms.implies(selector, conjunction);
            self.solver.assert(&self.terms, chosen)?;
            self.strategy.selectors.push((obligation, selector));
        }
        let selectors: Vec<Term> = self.strategy.selectors.iter().map(|&(_, selector)| selector).collect();
        let switch = self.terms.fresh("switch", &Sort::Bool);
        let some = self.terms.or(&selectors);
        let offered = self.terms.implies(switch, some);
        self.solver.assert(&self.terms, offered)?;
        self.strategy.disjunction = Some(switch);
        Ok(switch)
    }

    fn groupwise(&mut self, open: &[ObligationId]) -> Result<Vec<Finding>, SearchError> {
        loop {
            let answer = self.ask(&[])?;
            let Answer::Sat(model) = answer else {
                return open.iter().map(|&obligation| self.close(obligation, &answer)).collect();
            };
            let Some(class) = self.problem.class_of(&self.terms, &model) else {
                self.strategy.no_partition = true;
                return self.iterative(open);
            };
            self.exclude(class)?;
            if open.contains(&class) {
                return Ok(vec![self.decode(&model, vec![class])]);
            }
        }
    }

    /// Excludes an obligation from all later models.
    fn exclude(&mut self, obligation: ObligationId) -> Result<(), SearchError> {
        let parts = self.parts(obligation);
        let met = self.terms.and(&parts);
        let excluded = self.terms.not(met);
        Ok(self.solver.assert(&self.terms, excluded)?)
    }

    fn incremental(&mut self, target: ObligationId, last: Option<&Inputs>) -> Result<Vec<Finding>, SearchError> {
        let parts = self.parts(target);
        let mut same = last.map(|inputs| self.problem.same_as(&mut self.terms, inputs)).unwrap_or_default();
        loop {
            let assumptions: Vec<Term> = parts.iter().chain(&same).copied().collect();
            match self.ask(&assumptions)? {
                Answer::Sat(model) => return Ok(vec![self.decode(&model, vec![target])]),
                Answer::Unsat { core, .. } if same.iter().any(|term| core.contains(term)) => {
                    same.retain(|term| !core.contains(term));
                }
                answer => return Ok(vec![self.close(target, &answer)?]),
            }
        }
    }
}
