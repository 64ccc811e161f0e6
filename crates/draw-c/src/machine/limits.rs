//! What executions must satisfy to be tests, and where the machine does not follow them further.

use c::interp::Fault;
use c::program::NodeId;
use smt::Term;

use super::super::settings::Undefined;
use super::super::state::State;
use super::super::trace::Cut;
use super::{Dead, Machine, OVER, Purpose};

impl Machine<'_> {
    /// Tests must satisfy this condition wherever the state is reached.
    pub(super) fn demand(&mut self, state: &State, condition: Term) -> Result<(), Dead> {
        if self.cells.build.is_true(condition) {
            return Ok(());
        }
        if self.cells.clock.is_late() {
            // The condition may speak of contents that mean nothing: no fact may come of it.
            return self.not_followed(state, OVER);
        }
        let fact = self.cells.build.implies(state.guard.term(), condition);
        if let Some(quiet) = &mut self.quiet {
            quiet.push(fact);
            return if self.cells.build.is_false(condition) { Err(Dead) } else { Ok(()) };
        }
        if !self.cells.build.is_true(fact) {
            self.facts.push((fact, self.edge));
        }
        if self.cells.build.is_false(condition) { Err(Dead) } else { Ok(()) }
    }

    /// What an execution does is undefined unless this condition holds. Such executions are not tests, or, where the machine looks
    /// beyond, are not followed further.
    pub(super) fn defined(&mut self, state: &State, condition: Term, fault: Fault) -> Result<(), Dead> {
        if self.cells.build.is_true(condition) {
            return Ok(());
        }
        if !self.tolerant || self.quiet.is_some() {
            self.undefined = true;
            return self.demand(state, condition);
        }
        let fails = self.cells.build.not(condition);
        let guard = self.cells.build.and(state.guard.term(), fails);
        let place = self.edge.and_then(|edge| self.program.edge(edge).notes.location);
        let place = place.map_or(String::new(), |place| format!(" ({})", self.program.place_text(place)));
        let at = self.edge.map(|edge| self.program.edge(edge).from);
        self.cut(guard, format!("{}{place}", fault.text()), false, at);
        if let Some(cut) = self.trace.cuts.last_mut().filter(|cut| cut.guard == guard) {
            cut.undefined = Some(self.edge);
        }
        if self.cells.build.is_false(condition) { Err(Dead) } else { Ok(()) }
    }

    /// As [`Machine::defined`], for what compilers define if they are asked to.
    pub(super) fn fits_or_wraps(&mut self, state: &State, condition: Term, fault: Fault) -> Result<(), Dead> {
        match self.settings.wrap || self.settings.undefined == Undefined::GoOn {
            true => Ok(()),
            false => self.defined(state, condition, fault),
        }
    }

    /// Executions that are not followed further; they would go on at a node.
    pub(super) fn cut(&mut self, guard: Term, reason: String, bound: bool, at: Option<NodeId>) {
        if self.cells.build.is_false(guard) {
            return;
        }
        if let Some(quiet) = &mut self.quiet {
            let never = self.cells.build.not(guard);
            quiet.push(never);
            return;
        }
        let nodes = at.map_or(Vec::new(), |at| self.continuation(at));
        self.trace.cuts.push(Cut { guard, reason, bound, nodes, begins: false, undefined: None });
    }

    /// A node, and the nodes behind the calls that wait.
    pub(super) fn continuation(&self, at: NodeId) -> Vec<NodeId> {
        let mut nodes = vec![at];
        for activation in &self.activations {
            match activation.purpose {
                Purpose::Call(edge) => nodes.push(self.program.edge(edge).to),
                Purpose::Entry | Purpose::Predicate => {}
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// What is not supported under a condition: those executions are cut, the others go on.
    pub(super) fn unsupported(&mut self, state: &State, condition: Term, what: &str) -> Result<(), Dead> {
        if self.cells.build.is_false(condition) {
            return Ok(());
        }
        let place = self.edge.and_then(|edge| self.program.edge(edge).notes.location);
        let place = place.map_or(String::new(), |place| format!(" ({})", self.program.place_text(place)));
        let guard = self.cells.build.and(state.guard.term(), condition);
        let at = self.edge.map(|edge| self.program.edge(edge).from);
        self.cut(guard, format!("{what}{place}"), false, at);
        let condition_holds = self.cells.build.is_true(condition);
        if condition_holds { Err(Dead) } else { Ok(()) }
    }
}
