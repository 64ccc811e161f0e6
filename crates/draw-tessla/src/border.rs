//! Values on the border: numbers of a test are moved until comparisons are decided as closely as their outcomes allow, while
//! everything that is decided stays as it was. Found with the interpreter alone.

use std::collections::BTreeSet;

use tessla::core::{FunctionId, NodeId};
use tessla::meter::{Borders, Meter, Probe};
use tessla::value::Value;
use value::IBig;

use super::TesslaSubject;
use super::document::Trace;
use super::effort::{MOVED_STREAMS, MOVES, usual};

/// A comparison with an outcome.
type Side = (FunctionId, NodeId, bool);

/// How good a test is: the comparisons on the border that no test before it has there, all that are, and how close the others come.
type Worth = (usize, usize, std::cmp::Reverse<IBig>);

/// The tests of a suite with numbers on the borders of comparisons, but for those that must stay.
pub(super) fn to_the_border(subject: &TesslaSubject<'_>, tests: Vec<Trace>, stays: &[bool]) -> Vec<Trace> {
    let meter = Meter::new(subject.spec, &subject.goals);
    let mut done: BTreeSet<Side> = BTreeSet::new();
    let mut moved = Vec::with_capacity(tests.len());
    for (trace, stays) in tests.into_iter().zip(stays) {
        let (trace, borders) = match *stays {
            true => (trace.clone(), meter.borders(&trace.events, trace.end)),
            false => Mover::new(subject, &meter, &done, trace).moved(),
        };
        done.extend(on_the_border(&borders));
        moved.push(trace);
    }
    moved
}

fn on_the_border(borders: &Borders) -> impl Iterator<Item = Side> + '_ {
    borders.distances.iter().filter(|(_, distance)| **distance == IBig::ZERO).map(|(side, _)| *side)
}

struct Mover<'a> {
    subject: &'a TesslaSubject<'a>,
    meter: &'a Meter<'a>,
    /// What earlier tests have on the border.
    done: &'a BTreeSet<Side>,
    /// What must stay as it is.
    wanted: Option<Probe>,
    best: Trace,
    borders: Borders,
    tries: usize,
}

impl<'a> Mover<'a> {
    fn new(subject: &'a TesslaSubject<'a>, meter: &'a Meter<'a>, done: &'a BTreeSet<Side>, trace: Trace) -> Mover<'a> {
        let all = vec![true; subject.goals.obligations.len()];
        let work = subject.spec.streams.len().max(1) * trace.events.len().max(1);
        let tries = usual(MOVES).min(usual(MOVED_STREAMS) / work);
        let wanted = meter.probe(&trace.events, trace.end, &all);
        let borders = meter.borders(&trace.events, trace.end);
        Mover { subject, meter, done, wanted, best: trace, borders, tries }
    }

    fn moved(mut self) -> (Trace, Borders) {
        while self.improve() {}
        (self.best, self.borders)
    }

    fn worth(&self, borders: &Borders) -> Worth {
        let here: Vec<Side> = on_the_border(borders).collect();
        let new = here.iter().filter(|side| !self.done.contains(side)).count();
        let apart = borders.distances.values().fold(IBig::ZERO, |sum, distance| sum + distance);
        (new, here.len(), std::cmp::Reverse(apart))
    }

    /// Moves the first number that can be moved to good effect by one of the distances to a border: alone, or together with another
    /// number of the same time, which goes the same way or the other.
    fn improve(&mut self) -> bool {
        let distances: BTreeSet<IBig> =
            self.borders.distances.values().filter(|distance| **distance != IBig::ZERO).cloned().collect();
        let steps: Vec<IBig> = distances.into_iter().flat_map(|distance| [distance.clone(), -distance]).collect();
        let events = &self.best.events;
        let numbers: Vec<(usize, i64)> = (0..events.len())
            .filter(|&index| events[index].value.as_integer().is_some())
            .map(|index| (index, events[index].time))
            .collect();
        for &(index, _) in &numbers {
            if steps.iter().any(|step| self.accept(&[(index, step.clone())])) {
                return true;
            }
        }
        for (place, &(index, time)) in numbers.iter().enumerate() {
            for &(other, _) in numbers[place + 1..].iter().take_while(|(_, later)| *later == time) {
                for step in &steps {
                    let ways = [-step.clone(), step.clone()];
                    if ways.into_iter().any(|way| self.accept(&[(index, step.clone()), (other, way)])) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Moves numbers of events, if everything is decided as before and more of it on the border.
    fn accept(&mut self, moves: &[(usize, IBig)]) -> bool {
        let Some(wanted) = self.wanted.as_ref().filter(|_| 0 < self.tries) else { return false };
        self.tries -= 1;
        let mut trace = self.best.clone();
        for (index, by) in moves {
            let event = &mut trace.events[*index];
            event.value = event.value.as_integer().map_or(Value::Unit, |number| Value::integer(number + by));
        }
        let borders = self.meter.borders(&trace.events, trace.end);
        let fits = borders.course == self.borders.course
            && self.worth(&self.borders) < self.worth(&borders)
            && self.meter.probe_within(&trace.events, trace.end, &wanted.hits, wanted.moments).as_ref() == Some(wanted)
            && self.subject.has_room(&trace);
        if fits {
            (self.best, self.borders) = (trace, borders);
        }
        fits
    }
}
