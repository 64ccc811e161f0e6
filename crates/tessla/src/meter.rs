//! Measures which obligations given traces meet, by running them: the judge of every suite.

mod border;
mod turned;
mod watch;

use testcase::{GoalId, ObligationId};

use crate::core::{Definition, Spec, StreamId};
use crate::goals::Goals;
use crate::interp::{Monitor, Program};
use crate::obligation::{Merged, Obligation, Shown, Timing, merged_by};
use crate::record::{Claims, Run, record, walk};
use crate::trace::Event;

pub use border::Borders;
use border::Ruler;
use turned::Turned;
use watch::{Table, Watch};

/// Measures traces of one specification as they are added.
#[derive(Debug)]
pub struct Meter<'a> {
    spec: &'a Spec,
    goals: &'a Goals,
    program: Program,
    table: Table,
    patterns: Vec<(ObligationId, Obligation)>,
    /// The timer of each delay, by stream.
    timers: Vec<Option<u32>>,
    /// What each stream merges, by stream, where goals are about merges.
    merges: Vec<Option<Vec<StreamId>>>,
    witnesses: Vec<Vec<u32>>,
    count: u32,
}

/// What a trace does and what it meets.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The run.
    pub run: Run,
    /// The obligations that this trace meets.
    pub meets: Vec<ObligationId>,
    /// Those of them that no earlier trace met.
    pub met: Vec<ObligationId>,
    /// The assertions that the run violates, by position.
    pub violated: Vec<usize>,
    /// Whether a timer is still running at the end.
    pub pending: bool,
}

/// What a trace meets, without its run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// For each obligation, whether the trace meets it.
    pub hits: Vec<bool>,
    /// Whether an undefined operation ends the run.
    pub fails: bool,
    /// Whether a timer is still running at the end.
    pub pending: bool,
    /// How many moments the run has: times at which some stream has an event.
    pub moments: usize,
    /// For each output, whether it has an event.
    pub shown: Vec<bool>,
}

impl<'a> Meter<'a> {
    /// Measures traces against goals, which must be of this specification.
    pub fn new(spec: &'a Spec, goals: &'a Goals) -> Meter<'a> {
        let is_pattern = |obligation: &Obligation| match obligation {
            Obligation::Last { .. } | Obligation::Delay { .. } | Obligation::Merge { .. } => true,
            Obligation::Output { .. } => true,
            Obligation::Assertions
            | Obligation::Branch { .. }
            | Obligation::Condition { .. }
            | Obligation::Active { .. }
            | Obligation::Visible { .. }
            | Obligation::Undefined { .. } => false,
        };
        let numbered =
            goals.obligations.iter().enumerate().map(|(index, obligation)| (ObligationId(index as u32), *obligation));
        let mut timers = vec![None; spec.streams.len()];
        let delays = spec.order.iter().filter(|id| matches!(spec.stream(**id).definition, Definition::Delay { .. }));
        for (position, id) in delays.enumerate() {
            timers[id.0 as usize] = Some(position as u32);
        }
        let mut merges = vec![None; spec.streams.len()];
        for obligation in &goals.obligations {
            if let Obligation::Merge { stream, .. } = obligation {
                merges[stream.0 as usize] = merged_by(spec, *stream);
            }
        }
        Meter {
            spec,
            goals,
            program: Program::new(spec),
            table: Table::new(spec, goals),
            patterns: numbered.filter(|(_, obligation)| is_pattern(obligation)).collect(),
            timers,
            merges,
            witnesses: vec![Vec::new(); goals.obligations.len()],
            count: 0,
        }
    }

    /// Runs a trace, whose events are in the order of time, up to an end. A run that an undefined operation ends meets what it
    /// met before and at that time; one that violates an assertion meets nothing.
    pub fn add(&mut self, events: &[Event], end: i64) -> Measured {
        let test = self.count;
        self.count += 1;
        let mut hits = vec![false; self.goals.obligations.len()];
        let watch = Watch::new(&self.table, self.goals.obligations.len());
        let mut monitor = Monitor::observed(&self.program, watch);
        let (spec, patterns, timers, merges) = (self.spec, &self.patterns, &self.timers, &self.merges);
        let run = record(spec, &mut monitor, events, end, |monitor| {
            for (id, obligation) in patterns {
                hits[id.0 as usize] = hits[id.0 as usize] || shows(spec, monitor, timers, merges, obligation);
            }
        });
        for (index, obligation) in self.goals.obligations.iter().enumerate() {
            hits[index] |= matches!(obligation, Obligation::Assertions);
        }
        if self.asks_what_would_have_been() {
            self.turned().look(events, end, &mut hits, &vec![true; self.goals.obligations.len()]);
        }
        let pending = monitor.has_timer();
        let watched = monitor.observer().hits();
        let violated = run.violated(spec);
        let mut meets = Vec::new();
        let mut met = Vec::new();
        for index in 0..hits.len() {
            if !(hits[index] || watched[index]) || !violated.is_empty() {
                continue;
            }
            let id = ObligationId(index as u32);
            meets.push(id);
            if self.witnesses[index].is_empty() {
                met.push(id);
            }
            self.witnesses[index].push(test);
        }
        Measured { run, meets, met, violated, pending }
    }

    /// What a trace would meet of what is wanted, were it added; none if it violates an assertion.
    pub fn probe(&self, events: &[Event], end: i64, wanted: &[bool]) -> Option<Probe> {
        self.probe_within(events, end, wanted, usize::MAX)
    }

    /// The same of a run with a limited number of moments; none if it has more.
    pub fn probe_within(&self, events: &[Event], end: i64, wanted: &[bool], moments: usize) -> Option<Probe> {
        let spec = self.spec;
        let (mut passed, mut shown) = (0, vec![false; spec.outputs.len()]);
        let watch = Watch::new(&self.table, self.goals.obligations.len());
        let mut monitor = Monitor::observed(&self.program, watch);
        let mut hits = vec![false; self.goals.obligations.len()];
        let mut claims = Claims::new(spec);
        let fault = walk(spec, &mut monitor, events, end, |monitor| {
            for (id, obligation) in &self.patterns {
                hits[id.0 as usize] =
                    hits[id.0 as usize] || shows(spec, monitor, &self.timers, &self.merges, obligation);
            }
            for (output, shown) in spec.outputs.iter().zip(&mut shown) {
                *shown |= monitor.has_event(output.stream);
            }
            claims.look(|stream| monitor.event(stream));
            // A step in which nothing happens is not a moment: runs begin at 0, whether something happens there or not.
            passed += usize::from(monitor.has_events());
            passed <= moments
        });
        if moments < passed || !claims.hold() {
            return None;
        }
        for (index, obligation) in self.goals.obligations.iter().enumerate() {
            hits[index] |= monitor.observer().hits()[index] || matches!(obligation, Obligation::Assertions);
        }
        if self.asks_what_would_have_been() {
            self.turned().look(events, end, &mut hits, wanted);
        }
        Some(Probe { hits, fails: fault.is_some(), pending: monitor.has_timer(), moments: passed, shown })
    }

    /// What a trace decides, and how close to their borders its comparisons are decided.
    pub fn borders(&self, events: &[Event], end: i64) -> Borders {
        let (spec, mut shown) = (self.spec, Vec::new());
        let mut monitor = Monitor::observed(&self.program, Ruler::new(spec));
        walk(spec, &mut monitor, events, end, |monitor| {
            let outputs = spec.outputs.iter().zip(0..);
            shown.extend(outputs.map(|(output, number)| (u32::MAX, number, monitor.has_event(output.stream))));
            true
        });
        let mut borders = monitor.observer().borders.clone();
        borders.course.extend(shown);
        borders
    }

    fn asks_what_would_have_been(&self) -> bool {
        self.goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Visible { .. }))
    }

    fn turned(&self) -> Turned<'_> {
        Turned { spec: self.spec, program: &self.program, obligations: &self.goals.obligations }
    }

    /// Whether the traces so far meet an obligation.
    pub fn is_met(&self, obligation: ObligationId) -> bool {
        !self.witnesses[obligation.0 as usize].is_empty()
    }

    /// Whether the traces so far cover a goal.
    pub fn is_covered(&self, goal: GoalId) -> bool {
        let alternatives = &self.goals.goals[goal.0 as usize].alternatives;
        alternatives.iter().any(|all| all.iter().all(|&obligation| self.is_met(obligation)))
    }

    /// The traces that meet each obligation, by the order in which they were added.
    pub fn witnesses(&self) -> impl Iterator<Item = (ObligationId, u32)> {
        let each = self.witnesses.iter().enumerate();
        each.flat_map(|(index, tests)| tests.iter().map(move |test| (ObligationId(index as u32), *test)))
    }
}

/// Whether the step just made shows a pattern of a stream operator.
fn shows(
    spec: &Spec,
    monitor: &Monitor<'_, Watch<'_>>,
    timers: &[Option<u32>],
    merges: &[Option<Vec<StreamId>>],
    obligation: &Obligation,
) -> bool {
    let present = |id: StreamId| monitor.has_event(id);
    match obligation {
        Obligation::Last { stream, remembered } => match spec.stream(*stream).definition {
            Definition::Last { value, trigger } => present(trigger) && monitor.is_remembered(value) == *remembered,
            _ => false,
        },
        Obligation::Delay { stream, what } => {
            let Definition::Delay { delays, resets } = spec.stream(*stream).definition else { return false };
            let was_running = timers[stream.0 as usize].is_some_and(|timer| monitor.was_running(timer));
            let fired = present(*stream);
            match what {
                Timing::Fired => fired,
                Timing::Reset => was_running && !fired && present(resets),
                Timing::Rearmed => fired && present(delays),
            }
        }
        Obligation::Merge { stream, from } => {
            let Some(streams) = merges[stream.0 as usize].as_ref() else { return false };
            let mut there = streams.iter().enumerate().filter(|(_, id)| present(**id));
            match (from, there.next(), there.next()) {
                (Merged::Several, Some(_), Some(_)) => true,
                (Merged::Only(wanted), Some((first, _)), None) => *wanted as usize == first,
                _ => false,
            }
        }
        Obligation::Output { stream, shown } => match shown {
            Shown::Truth(wanted) => monitor.event(*stream).and_then(|value| value.as_bool()) == Some(*wanted),
            Shown::Event => present(*stream) && monitor.failure(*stream).is_none(),
            Shown::Nothing => monitor.has_events() && !present(*stream),
        },
        Obligation::Assertions
        | Obligation::Branch { .. }
        | Obligation::Condition { .. }
        | Obligation::Active { .. }
        | Obligation::Visible { .. }
        | Obligation::Undefined { .. } => false,
    }
}
