//! Searches before their turn: with several jobs the faults that come next are searched beside the one whose turn it is.
//!
//! The search for one fault at one frequency begins with nothing but the specification, so it comes to the same whenever it is done:
//! what was found ahead is what would have been found in time, and the number of jobs changes no byte. What turns out not to be
//! needed is forgotten.

use std::collections::BTreeMap;
use std::time::Instant;

use ltl::meter::Wanted;
use ltl::{Frequency, Machine};
use omega::work::StopSignal;
use testcase::ObligationId;

use super::synthesis::{Settled, Sought, Synthesis};

/// What was searched ahead.
#[derive(Default)]
pub(super) struct Ahead {
    /// The obligations that are open.
    pub(super) open: Vec<ObligationId>,
    /// What was found, by obligation and by whether only something better was looked for.
    found: BTreeMap<(ObligationId, bool), Searched>,
}

/// What a search came to.
struct Searched {
    sought: Sought,
    settled: Option<Settled>,
    /// Systems that satisfy the specification, found on the way.
    systems: Vec<Machine>,
}

/// What a thread needs of its stack, as much as the first one has.
const STACK: usize = 8 << 20;

impl Synthesis<'_> {
    /// Searches for the first strategy of a fault at a frequency, and beside it for those that come next.
    pub(super) fn searched(&mut self, obligation: ObligationId, better: bool) -> Sought {
        let searched = match self.ahead.found.remove(&(obligation, better)) {
            Some(searched) => searched,
            None if self.jobs < 2 => self.alone(obligation, better),
            None => self.together(obligation, better),
        };
        self.systems.extend(searched.systems);
        if let Some(settled) = searched.settled {
            self.settled.insert(obligation.0 as usize, settled);
        }
        searched.sought
    }

    fn alone(&self, obligation: ObligationId, better: bool) -> Searched {
        let mut own = self.anew();
        let demand = &self.subject.demands[obligation.0 as usize].demand;
        let sought = own.search(obligation, demand, 0, better, &[]);
        Searched { sought, settled: own.settled.remove(&(obligation.0 as usize)), systems: own.systems }
    }

    fn together(&mut self, obligation: ObligationId, better: bool) -> Searched {
        let next = self.next(obligation);
        let this: &Synthesis<'_> = self;
        let (own, others) = std::thread::scope(|scope| {
            let threads: Vec<_> = next
                .into_iter()
                .filter_map(|(other, better)| {
                    let work = move || Some(((other, better), this.unless_hidden(other, better)?));
                    std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
                })
                .collect();
            let own = this.alone(obligation, better);
            let others: Vec<_> = threads.into_iter().filter_map(|thread| thread.join().ok().flatten()).collect();
            (own, others)
        });
        // A search that was stopped found nothing.
        if !self.is_over() {
            self.ahead.found.extend(others);
        }
        own
    }

    fn is_over(&self) -> bool {
        self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// A search in a thread of its own, unless a system is known that hides the fault.
    fn unless_hidden(&self, obligation: ObligationId, better: bool) -> Option<Searched> {
        let (interrupt, end) = (self.interrupt.clone(), self.deadline);
        let signal = StopSignal::when(move || interrupt.is_raised() || end.is_some_and(|end| end <= Instant::now()));
        let demand = &self.subject.demands[obligation.0 as usize].demand;
        let mut known = self.anew();
        known.systems.clone_from(&self.systems);
        let sides = known.sides(demand);
        let searched = match known.hidden(demand, &sides) {
            Some(_) => None,
            None => Some(self.alone(obligation, better)),
        };
        drop(signal);
        searched
    }

    /// What comes next, for other faults: the weakest open frequency of each, but not the first one of faults that are exposed already,
    /// since that is mostly refuted by a system that is known.
    fn next(&self, obligation: ObligationId) -> Vec<(ObligationId, bool)> {
        let mut open = self.ahead.open.clone();
        open.sort_unstable();
        let mut seen = vec![self.subject.demands[obligation.0 as usize].fault];
        let mut found = Vec::new();
        for other in open {
            let Wanted { fault, rank, demand, .. } = &self.subject.demands[other.0 as usize];
            let better = self.exposed[*fault];
            let is_first = better && demand.frequency == Some(Frequency::Once);
            let has_twin = self.subject.symmetric.get(*fault).is_some();
            if seen.contains(fault) || *rank != 0 || has_twin || is_first {
                continue;
            }
            seen.push(*fault);
            if !self.ahead.found.contains_key(&(other, better)) {
                found.push((other, better));
            }
            if self.jobs - 1 <= found.len() {
                break;
            }
        }
        found
    }
}
