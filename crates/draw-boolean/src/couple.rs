//! Coupling between conditions: which combinations of values two conditions can have.

use boolean::{Decision, ExprId, Spec};
use smt::{Answer, Evaluator, Model, Scope, Solver, Term, Terms};

use super::copy::Copy;
use super::encode::assumptions;
use search::Backend;
use search::SearchError;

/// How two conditions depend on each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coupling {
    /// The first condition, as an atom of the specification.
    pub first: ExprId,
    /// The second.
    pub second: ExprId,
    /// How they depend on each other.
    pub kind: CouplingKind,
}

/// How two conditions depend on each other. Combinations are (first, second).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CouplingKind {
    /// All four combinations can occur.
    Independent,
    /// Flipping one always flips the other: they are equal, or opposite.
    Strong {
        /// Whether they are equal and not opposite.
        equal: bool,
    },
    /// Some combination cannot occur.
    Weak {
        /// The combinations that cannot.
        impossible: Vec<(bool, bool)>,
    },
    /// One of them is constant, so nothing can be said about flipping it.
    Constant,
    /// Not decided, with the reason.
    Unknown(String),
}

const COMBINATIONS: [(bool, bool); 4] = [(false, false), (false, true), (true, false), (true, true)];

/// The coupling of every two distinct conditions of a decision, in the order of the text.
///
/// # Errors
/// When a solver fails.
pub fn couplings(spec: &Spec, decision: &Decision, backend: &Backend) -> Result<Vec<Coupling>, SearchError> {
    let mut analysis = Analysis::new(spec, decision, backend)?;
    let mut couplings = Vec::new();
    for second in 1..analysis.atoms.len() {
        for first in 0..second {
            let kind = analysis.kind(first, second, backend)?;
            couplings.push(Coupling { first: analysis.atoms[first].0, second: analysis.atoms[second].0, kind });
        }
    }
    couplings.sort_by_key(|coupling| {
        let place = |atom| analysis.atoms.iter().position(|&(other, _)| other == atom);
        (place(coupling.first), place(coupling.second))
    });
    Ok(couplings)
}

struct Analysis {
    terms: Terms,
    solver: Box<dyn Solver>,
    /// The distinct conditions with their terms.
    atoms: Vec<(ExprId, Term)>,
    /// The values of all conditions in every model seen: most questions are answered by an old model.
    seen: Vec<Vec<bool>>,
}

impl Analysis {
    fn new(spec: &Spec, decision: &Decision, backend: &Backend) -> Result<Analysis, SearchError> {
        let mut terms = Terms::new();
        let copy = Copy::new(&mut terms, spec, decision, 0);
        let mut solver = backend.solver()?;
        for fact in assumptions(spec, &copy) {
            solver.assert(&terms, fact.term)?;
        }
        let mut atoms: Vec<(ExprId, Term)> = Vec::new();
        for condition in &decision.conditions {
            if !atoms.iter().any(|&(atom, _)| atom == condition.atom) {
                atoms.push((condition.atom, copy.expr(condition.atom)));
            }
        }
        Ok(Analysis { terms, solver, atoms, seen: Vec::new() })
    }

    fn kind(&mut self, first: usize, second: usize, backend: &Backend) -> Result<CouplingKind, SearchError> {
        let mut impossible = Vec::new();
        for (left, right) in COMBINATIONS {
            if self.seen.iter().any(|values| values[first] == left && values[second] == right) {
                continue;
            }
            let literals = [self.literal(first, left), self.literal(second, right)];
            match self.solver.check(&self.terms, backend.query(&literals))? {
                Answer::Sat(model) => self.remember(&model),
                Answer::Unsat { scope: Scope::All, .. } => impossible.push((left, right)),
                Answer::Unsat { scope: Scope::Width(width), .. } => {
                    return Ok(CouplingKind::Unknown(format!("decided only for integers of up to {width} bits")));
                }
                Answer::Unknown(reason) => return Ok(CouplingKind::Unknown(reason.to_string())),
            }
        }
        Ok(match impossible.as_slice() {
            [] => CouplingKind::Independent,
            [(false, false), (true, true)] => CouplingKind::Strong { equal: false },
            [(false, true), (true, false)] => CouplingKind::Strong { equal: true },
            [_] => CouplingKind::Weak { impossible },
            _ => CouplingKind::Constant,
        })
    }

    fn literal(&mut self, atom: usize, value: bool) -> Term {
        let term = self.atoms[atom].1;
        if value { term } else { self.terms.not(term) }
    }

    fn remember(&mut self, model: &Model) {
        let mut evaluator = Evaluator::new(&self.terms, model);
        let values = self.atoms.iter().map(|&(_, term)| evaluator.holds(term)).collect();
        self.seen.push(values);
    }
}
