//! The second encoding: a monitor beside the program, whose state is a variable that is guessed at every step.
//!
//! This is what instrumentation of the program comes to (Tautschnig's thesis, section 6.5 and algorithm 6.1): at every point
//! of the unrolled program there is one bit-vector for the state, every step taken must be a step of the automaton, and at
//! the end the state must be accepting. It shares only the tests on moments with [`super::network`], which follows all
//! readings at once instead; both must find the same goals possible.

use fql::automaton::{Automaton, Sets};
use smt::Term;
use value::Sort;

use super::build::Build;
use super::network::Network;
use super::trace::{Step, Trace};

impl Network {
    /// When an execution comes to its end and the monitor has guessed a reading that the automaton accepts.
    pub(super) fn guessed(&mut self, build: &mut Build<'_>, trace: &Trace, sets: &Sets, automaton: &Automaton) -> Term {
        if automaton.states == 0 || trace.points.is_empty() {
            return build.truth(false);
        }
        let monitor = Monitor::new(build, trace, automaton);
        let mut parts = Vec::new();
        for (at, point) in trace.points.iter().enumerate() {
            if point.steps.is_empty() {
                let first = monitor.is_in(build, at, Automaton::INITIAL);
                parts.push(build.implies(point.guard, first));
            }
            for step in &point.steps {
                let from = trace.points[step.from.0 as usize].guard;
                let taken = build.and(from, step.condition);
                let follows = self.follows(build, trace, sets, automaton, &monitor, step, at);
                parts.push(build.implies(taken, follows));
            }
        }
        let mut accepted = Vec::new();
        for &end in &trace.ends {
            for accept in &automaton.accepting {
                let guard = self.guard(build, trace, sets, &accept.guard, end);
                let state = monitor.is_in(build, end.0 as usize, accept.state);
                accepted.push(build.all(&[trace.points[end.0 as usize].guard, state, guard]));
            }
        }
        parts.push(build.any(&accepted));
        build.all(&parts)
    }

    /// Whether the monitor's states before and after a step belong together.
    #[expect(clippy::too_many_arguments, reason = "a step has two ends in two automata")]
    fn follows(
        &mut self,
        build: &mut Build<'_>,
        trace: &Trace,
        sets: &Sets,
        automaton: &Automaton,
        monitor: &Monitor,
        step: &Step,
        at: usize,
    ) -> Term {
        let before = step.from.0 as usize;
        if step.edge.is_none() {
            return build.eq(monitor.states[before], monitor.states[at]);
        }
        let mut choices = Vec::new();
        for taken in automaton.steps.iter().filter(|taken| sets.edge_set(taken.edges).contains(step.letter)) {
            let guard = self.guard(build, trace, sets, &taken.guard, step.from);
            let (from, to) = (monitor.is_in(build, before, taken.from), monitor.is_in(build, at, taken.to));
            choices.push(build.all(&[guard, from, to]));
        }
        build.any(&choices)
    }
}

/// The states of a monitor, by point.
struct Monitor {
    width: u32,
    states: Vec<Term>,
}

impl Monitor {
    fn new(build: &mut Build<'_>, trace: &Trace, automaton: &Automaton) -> Monitor {
        let width = (u32::BITS - (automaton.states - 1).leading_zeros()).max(1);
        let states = trace.points.iter().map(|_| build.terms.fresh("monitor", &Sort::BitVec(width))).collect();
        Monitor { width, states }
    }

    fn is_in(&self, build: &mut Build<'_>, at: usize, state: u32) -> Term {
        let number = build.bits(self.width, i128::from(state));
        build.eq(self.states[at], number)
    }
}
