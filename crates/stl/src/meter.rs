//! Which obligations signals meet, judged by the exact monitor.

use testcase::ObligationId;

use crate::goals::{Goals, Obligation};
use crate::interp::verdicts;
use crate::signal::Trace;
use crate::spec::Spec;
use crate::store::Formula;

/// Runs signals one after the other.
#[derive(Clone, Debug)]
pub struct Meter<'a> {
    spec: &'a Spec,
    goals: &'a Goals,
    /// The formula under test, then that of each obligation.
    roots: Vec<Formula>,
    /// For each obligation, the tests that meet it.
    met: Vec<Vec<u32>>,
    count: u32,
}

/// What a signal shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The verdict of the formula.
    pub holds: bool,
    /// All obligations it meets.
    pub meets: Vec<ObligationId>,
    /// Those that no signal before met.
    pub new: Vec<ObligationId>,
}

impl<'a> Meter<'a> {
    /// A meter that has seen nothing.
    pub fn new(spec: &'a Spec, goals: &'a Goals) -> Meter<'a> {
        let roots = std::iter::once(spec.formula).chain(goals.formulas()).collect();
        Meter { spec, goals, roots, met: vec![Vec::new(); goals.obligations.len()], count: 0 }
    }

    /// What a signal shows, without remembering it.
    pub fn look(&self, trace: &Trace) -> (bool, Vec<ObligationId>) {
        let verdicts = verdicts(&self.spec.store, trace, &self.roots);
        let holds = verdicts[0];
        let met = |place: usize| match self.goals.obligations[place] {
            Obligation::Differ(_) => verdicts[place + 1] != holds,
            Obligation::Hold { verdict, .. } => verdicts[place + 1] && verdict.is_none_or(|verdict| verdict == holds),
        };
        let meets = (0..self.goals.obligations.len()).filter(|&place| met(place));
        (holds, meets.map(|place| ObligationId(place as u32)).collect())
    }

    /// Adds a signal.
    pub fn add(&mut self, trace: &Trace) -> Measured {
        let (holds, meets) = self.look(trace);
        let new = meets.iter().copied().filter(|id| self.met[id.0 as usize].is_empty()).collect();
        for id in &meets {
            self.met[id.0 as usize].push(self.count);
        }
        self.count += 1;
        Measured { holds, meets, new }
    }

    /// For each obligation, the signals that meet it, by number from 0.
    pub fn witnesses(&self) -> &[Vec<u32>] {
        &self.met
    }
}
