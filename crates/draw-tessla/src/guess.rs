//! Random traces that meet obligations: found with the interpreter alone, before a solver is asked and against its claims.

use tessla::meter::Meter;
use tessla::sample::Sampler;
use testcase::ObligationId;

use super::TesslaSubject;
use super::document::Trace;
use super::effort::{GUESSED_STREAMS, usual};

/// At least this many runs are made.
const FEWEST: usize = 10;

/// A trace that meets something.
pub(super) struct Guess {
    pub(super) trace: Trace,
    /// What it meets.
    pub(super) met: Vec<ObligationId>,
    /// How many outputs have an event.
    pub(super) shown: usize,
}

/// Runs random traces of a specification.
pub(super) struct Guesser<'a> {
    subject: &'a TesslaSubject<'a>,
    meter: Meter<'a>,
    sampler: Sampler<'a>,
}

impl<'a> Guesser<'a> {
    pub(super) fn new(subject: &'a TesslaSubject<'a>) -> Guesser<'a> {
        let meter = Meter::new(subject.spec, &subject.goals);
        Guesser { subject, meter, sampler: Sampler::new(subject.spec) }
    }

    /// How many of so many runs of so many moments are made.
    pub(super) fn affordable(&self, count: usize, moments: usize) -> usize {
        // Whether an output shows a decision takes a run for every time at which it is made.
        let count = if self.subject.asks_what_would_have_been() { count / 16 } else { count };
        count.min((usual(GUESSED_STREAMS) / (self.subject.spec.streams.len().max(1) * moments.max(1))).max(FEWEST))
    }

    /// The traces, one for each seed, that are allowed, have at most `most` moments, in which there is room for everything, and meet some of the obligations; and which.
    pub(super) fn meeting(
        &self,
        obligations: &[ObligationId],
        seeds: impl Iterator<Item = u64>,
        moments: usize,
        most: usize,
    ) -> Vec<Guess> {
        let mut wanted = vec![false; self.subject.goals.obligations.len()];
        obligations.iter().for_each(|obligation| wanted[obligation.0 as usize] = true);
        let (closed, undefined) = (self.subject.closed_delays, self.subject.asks_for_undefined());
        let mut found = Vec::new();
        for seed in seeds {
            let (events, end) = self.sampler.trace(seed, moments);
            let Some(probe) = self.meter.probe_within(&events, end, &wanted, most) else { continue };
            if (probe.fails && !undefined) || (probe.pending && closed) {
                continue;
            }
            let met: Vec<ObligationId> =
                obligations.iter().copied().filter(|obligation| probe.hits[obligation.0 as usize]).collect();
            let trace = Trace { events, end };
            if !met.is_empty() && (most == usize::MAX || self.subject.has_room(&trace)) {
                let shown = probe.shown.iter().filter(|shown| **shown).count();
                found.push(Guess { trace, met, shown });
            }
        }
        found
    }
}

/// Few of the traces that meet all that any of them meets: again and again the one that meets most of what is left, of several one in
/// which as many outputs as possible show something, of these the shortest.
pub(super) fn fewest(mut traces: Vec<Guess>) -> Vec<Trace> {
    let mut chosen = Vec::new();
    let worth = |guess: &Guess| (guess.met.len(), guess.shown, std::cmp::Reverse(guess.trace.events.len()));
    while let Some(best) = (0..traces.len()).max_by_key(|&index| (worth(&traces[index]), std::cmp::Reverse(index))) {
        let Guess { trace, met, .. } = traces.swap_remove(best);
        chosen.push(trace);
        for other in &mut traces {
            other.met.retain(|obligation| !met.contains(obligation));
        }
        traces.retain(|other| !other.met.is_empty());
    }
    chosen
}
