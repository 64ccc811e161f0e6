//! The search problem on one grid.

use smt::{Model, Term, Terms};
use stl::goals::Obligation;
use stl::signal::Trace;
use testcase::{Inputs, ObligationId};

use super::StlSubject;
use super::atoms::Atoms;
use super::encode::Encoder;
use super::grid::Grid;
use search::{Completeness, Part, Problem, Reason};

/// Signals on the points and cells of a grid.
pub(super) struct StlProblem<'a> {
    subject: &'a StlSubject,
    encoder: Encoder<'a>,
    facts: Vec<Part>,
}

impl<'a> StlProblem<'a> {
    /// The problem on the grid whose step is halved `level` times.
    pub(super) fn new(terms: &mut Terms, subject: &'a StlSubject, level: u32) -> StlProblem<'a> {
        let formulas = subject.formulas();
        let grid = Grid::new(&subject.spec, &formulas, level);
        let atoms = Atoms::new(terms, &subject.spec, &formulas, &grid);
        let facts = atoms.facts(terms).into_iter().map(|term| Part { term, reason: Reason(0) }).collect();
        StlProblem { subject, encoder: Encoder::new(&subject.spec, grid, atoms), facts }
    }

    /// What UNSAT means, in words.
    pub(super) fn scope(&self) -> String {
        let step = stl::write_number(&self.encoder.grid.step);
        format!("signals whose propositions change at multiples of {step} only")
    }

    /// That an obligation is surely met, with this verdict of the formula if one is named.
    pub(super) fn wanted(&mut self, terms: &mut Terms, obligation: ObligationId, kind: Option<bool>) -> Term {
        let formula = self.subject.spec.formula;
        match self.subject.goals.obligations[obligation.0 as usize] {
            Obligation::Differ(mutant) => {
                let mut differ = |truth: bool| {
                    let own = self.encoder.surely(terms, formula, truth);
                    let other = self.encoder.surely(terms, mutant, !truth);
                    terms.and(&[own, other])
                };
                match kind {
                    Some(kind) => differ(kind),
                    None => {
                        let (positive, negative) = (differ(true), differ(false));
                        terms.or(&[positive, negative])
                    }
                }
            }
            Obligation::Hold { predicate, verdict } => {
                let mut parts = vec![self.encoder.surely(terms, predicate, true)];
                parts.extend(verdict.map(|verdict| self.encoder.surely(terms, formula, verdict)));
                terms.and(&parts)
            }
        }
    }
}

impl StlProblem<'_> {
    /// The signal that a model shows.
    pub(super) fn trace(&self, terms: &Terms, model: &Model) -> Trace {
        self.encoder.atoms.decode(terms, model, &self.encoder.grid)
    }
}

impl Problem for StlProblem<'_> {
    fn facts(&self) -> &[Part] {
        &self.facts
    }

    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part> {
        vec![Part { term: self.wanted(terms, obligation, None), reason: Reason(1) }]
    }

    fn decode(&self, terms: &Terms, model: &Model, _obligation: Option<ObligationId>) -> Vec<Inputs> {
        vec![self.subject.inputs(&self.trace(terms, model).tidy())]
    }

    fn same_as(&mut self, terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
        match self.subject.trace(inputs) {
            Ok(trace) => self.encoder.atoms.same_as(terms, &trace, &self.encoder.grid),
            Err(_) => Vec::new(),
        }
    }

    fn completeness(&self) -> Completeness {
        Completeness::UpTo(self.scope())
    }
}
