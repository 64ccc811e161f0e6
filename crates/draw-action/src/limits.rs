//! When an exploration stops before its end.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use action::Machine;
use search::Effort;
use smt::Interrupt;

use super::effort::{STATES, WAYS};

/// When an exploration stops.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most states.
    pub states: usize,
    /// The longest traces.
    pub depth: Option<u64>,
    /// The most bytes for states.
    pub memory: usize,
    /// The most ways from one state that are gone through.
    pub ways: u64,
    /// The end of the run.
    pub deadline: Option<Instant>,
    /// Ends the run from outside.
    pub interrupt: Interrupt,
}

/// Why an exploration stopped before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// Longer traces were not wanted.
    Depth(u64),
    /// There are more states.
    States(usize),
    /// More bytes are needed.
    Memory(usize),
    /// One state has too many ways to go.
    Ways(u64),
    /// The time is over.
    Time,
    /// Someone ended the run.
    Interrupted,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            states: STATES.count(Effort::NORMAL),
            depth: None,
            memory: 4 << 30,
            ways: WAYS.within(Effort::NORMAL),
            deadline: None,
            interrupt: Interrupt::new(),
        }
    }
}

impl Limits {
    /// The limits at an effort: what the user has set stays.
    pub(super) fn within(&self, effort: Effort) -> Limits {
        let usual = Limits::default();
        Limits {
            states: if self.states == usual.states { STATES.count(effort) } else { self.states },
            ways: if self.ways == usual.ways { WAYS.within(effort) } else { self.ways },
            ..self.clone()
        }
    }

    /// A machine that stops when the run must.
    pub(super) fn machine(&self) -> Machine {
        let (deadline, interrupt) = (self.deadline, self.interrupt.clone());
        let stop = move || interrupt.is_raised() || deadline.is_some_and(|deadline| deadline <= Instant::now());
        Machine::default().stopping(Arc::new(stop))
    }

    /// Why such a machine stopped.
    pub(super) fn stopped(&self) -> Stopped {
        self.spent().unwrap_or(Stopped::Ways(self.ways))
    }

    /// Why the run must stop now, if it must.
    pub fn spent(&self) -> Option<Stopped> {
        if self.interrupt.is_raised() {
            Some(Stopped::Interrupted)
        } else if self.deadline.is_some_and(|deadline| deadline <= Instant::now()) {
            Some(Stopped::Time)
        } else {
            None
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stopped::Depth(depth) => write!(f, "traces of more than {depth} steps were not looked at"),
            Stopped::States(states) => write!(f, "the limit of {states} states was reached"),
            Stopped::Memory(bytes) => write!(f, "the limit of {bytes} bytes was reached"),
            Stopped::Ways(ways) => write!(f, "a state has more than {ways} ways to go on"),
            Stopped::Time => f.write_str("the time limit was reached"),
            Stopped::Interrupted => f.write_str("the run was interrupted"),
        }
    }
}
