//! LTL₃ and RV-LTL: what remains to be satisfied after the trace, and whether anything can satisfy or violate it.

use rustc_hash::FxHashMap;

use super::cells::{Cell, CellId, Root};
use super::monitor::Monitor;
use super::satisfiability::is_satisfiable;
use super::value::Verdict;
use crate::eval::LastNext;
use omega::{Binary, Formula, Formulas, Node, Unary};

impl Monitor {
    /// LTL₃: true if every infinite continuation satisfies the property, false if none does, inconclusive if both kinds exist.
    /// `None` where the automata are too large to tell.
    pub fn three_valued_verdicts(&mut self) -> Vec<Option<Verdict>> {
        self.absorb();
        let mut formulas = self.cells.formulas.clone();
        let residuals = self.residuals(&mut formulas);
        residuals.into_iter().map(|residual| three_valued(&mut formulas, residual)).collect()
    }

    /// RV-LTL: LTL₃, and FLTL where that is inconclusive.
    pub fn four_valued_verdicts(&mut self) -> Vec<Option<Verdict>> {
        let finite = self.finite_verdicts(LastNext::Strong);
        let exact = self.three_valued_verdicts();
        let refine = |(exact, finite): (Option<Verdict>, Verdict)| match (exact?, finite) {
            (Verdict::Inconclusive, Verdict::True) => Some(Verdict::PresumablyTrue),
            (Verdict::Inconclusive, Verdict::False) => Some(Verdict::PresumablyFalse),
            (exact, _) => Some(exact),
        };
        exact.into_iter().zip(finite).map(refine).collect()
    }

    /// For every property, the formula that a continuation must satisfy.
    fn residuals(&self, formulas: &mut Formulas) -> Vec<Formula> {
        let mut builder = Builder { formulas, joined: FxHashMap::default() };
        let mut next: Vec<Formula> = self.cells.texts.clone();
        let mut row = next.clone();
        for column in (0..self.columns.len()).rev() {
            for id in 0..self.cells.len() {
                row[id] = match self.decision(column, id as CellId) {
                    Some(value) => builder.formulas.constant(value),
                    None => builder.residual(self.cells.cells[id], id, &row, &next),
                };
            }
            std::mem::swap(&mut next, &mut row);
        }
        let mut of_root = |root: &Root| match root {
            Root::Constant(value) => builder.formulas.constant(*value),
            Root::Cell(cell) => next[*cell as usize],
        };
        self.cells.roots.iter().map(&mut of_root).collect()
    }
}

fn three_valued(formulas: &mut Formulas, residual: Formula) -> Option<Verdict> {
    if let Node::Constant(value) = formulas.node(residual) {
        return Some(Verdict::of(value));
    }
    let negated = formulas.not(residual);
    match (is_satisfiable(formulas, residual), is_satisfiable(formulas, negated)) {
        (Some(false), _) => Some(Verdict::False),
        (_, Some(false)) => Some(Verdict::True),
        (Some(true), Some(true)) => Some(Verdict::Inconclusive),
        (None, _) | (_, None) => None,
    }
}

/// Builds conjunctions and disjunctions without repetitions.
struct Builder<'a> {
    formulas: &'a mut Formulas,
    joined: FxHashMap<(Binary, Formula, Formula), Formula>,
}

impl Builder<'_> {
    fn residual(&mut self, cell: Cell, id: usize, row: &[Formula], next: &[Formula]) -> Formula {
        let at = |id: CellId| row[id as usize];
        match cell {
            Cell::Atom(_) => unreachable!("propositions are decided in every step"),
            Cell::Not(argument) => self.not(at(argument)),
            Cell::And(left, right) => self.join(Binary::And, at(left), at(right)),
            Cell::Or(left, right) => self.join(Binary::Or, at(left), at(right)),
            Cell::Implies(left, right) => {
                let left = self.not(at(left));
                self.join(Binary::Or, left, at(right))
            }
            Cell::Next { argument, .. } => next[argument as usize],
            Cell::Finally(argument) => self.join(Binary::Or, at(argument), next[id]),
            Cell::Globally(argument) => self.join(Binary::And, at(argument), next[id]),
            Cell::Until { left, right, .. } => {
                let waits = self.join(Binary::And, at(left), next[id]);
                self.join(Binary::Or, at(right), waits)
            }
            Cell::Release { left, right, .. } => {
                let freed = self.join(Binary::Or, at(left), next[id]);
                self.join(Binary::And, at(right), freed)
            }
        }
    }

    fn not(&mut self, formula: Formula) -> Formula {
        match self.formulas.node(formula) {
            Node::Constant(value) => self.formulas.constant(!value),
            Node::Unary(Unary::Not, argument) => argument,
            Node::Unary(..) | Node::Binary(..) | Node::Atom(_) => self.formulas.not(formula),
        }
    }

    /// A conjunction or disjunction of all parts, each once, in the order of the arena.
    fn join(&mut self, operator: Binary, left: Formula, right: Formula) -> Formula {
        if let Some(&joined) = self.joined.get(&(operator, left, right)) {
            return joined;
        }
        let neutral = operator == Binary::And;
        let mut parts = Vec::new();
        let mut open = vec![left, right];
        while let Some(formula) = open.pop() {
            match self.formulas.node(formula) {
                Node::Binary(found, left, right) if found == operator => open.extend([left, right]),
                Node::Constant(value) if value == neutral => {}
                Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => parts.push(formula),
            }
        }
        parts.sort_unstable();
        parts.dedup();
        let absorbing = parts.iter().copied().find(|part| matches!(self.formulas.node(*part), Node::Constant(_)));
        let joined = match (absorbing, parts.split_first()) {
            (Some(constant), _) => constant,
            (None, None) => self.formulas.constant(neutral),
            (None, Some((first, others))) => {
                others.iter().fold(*first, |joined, part| self.formulas.binary(operator, *part, joined))
            }
        };
        self.joined.insert((operator, left, right), joined);
        joined
    }
}
