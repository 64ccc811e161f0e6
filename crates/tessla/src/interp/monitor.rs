//! A run: what streams remember, and one step after the other.

use std::sync::Arc;

use crate::core::StreamId;
use crate::place::Origin;
use crate::value::{Failure, Value};

use super::cell::{Cell, Cells, Kind};
use super::compile::{Program, Step};
use super::evaluate::{Arguments, Machine};
use super::quick::QuickCode;
use super::{Observer, Unobserved};

/// How deeply functions may call each other unless something else is asked for.
const CALL_DEPTH: u32 = 500;

/// A run of a program.
#[derive(Debug)]
pub struct Monitor<'a, O = Unobserved> {
    program: &'a Program,
    /// The events of the present time.
    present: Cells,
    /// The latest values before the present time.
    past: Cells,
    /// The streams that have an event at the present time.
    touched: Vec<u32>,
    /// The steps still to be made at the present time, one bit each.
    called: Vec<u64>,
    /// When each timer runs out; the end may lie behind the last time a run can reach.
    timers: Vec<Option<i128>>,
    /// The same before the latest step, kept for observers.
    timers_before: Vec<Option<i128>>,
    defaulted: Vec<bool>,
    time: Option<i64>,
    call_depth: u32,
    observer: O,
}

/// Why a run cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// When.
    pub time: i64,
    /// What failed.
    pub failure: Arc<Failure>,
}

impl<'a> Monitor<'a, Unobserved> {
    /// A run that nobody observes.
    pub fn new(program: &'a Program) -> Monitor<'a, Unobserved> {
        Monitor::observed(program, Unobserved)
    }
}

impl<'a, O: Observer> Monitor<'a, O> {
    /// A run with an observer.
    pub fn observed(program: &'a Program, observer: O) -> Monitor<'a, O> {
        Monitor {
            program,
            present: Cells::new(program.streams),
            past: Cells::new(program.streams),
            touched: Vec::with_capacity(program.streams),
            called: vec![0; program.steps.len().div_ceil(64)],
            timers: vec![None; program.timers.len()],
            timers_before: vec![None; program.timers.len()],
            defaulted: vec![false; program.defaults],
            time: None,
            call_depth: CALL_DEPTH,
            observer,
        }
    }

    /// The same with another limit on how deeply functions may call each other. The caller provides the stack.
    pub fn with_call_depth(mut self, depth: u32) -> Monitor<'a, O> {
        self.call_depth = depth;
        self
    }

    /// The observer.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// The observer, at the end of a run.
    pub fn into_observer(self) -> O {
        self.observer
    }

    /// The observer, to be changed.
    pub fn observer_mut(&mut self) -> &mut O {
        &mut self.observer
    }

    /// The time of the latest step.
    pub fn time(&self) -> Option<i64> {
        self.time
    }

    /// The event of a stream at the time of the latest step.
    pub fn event(&self, stream: StreamId) -> Option<Value> {
        self.present.value(stream.0)
    }

    /// Whether a stream has an event at the time of the latest step.
    pub fn has_event(&self, stream: StreamId) -> bool {
        self.present.is_event(stream.0)
    }

    /// The undefined operation that is the event of a stream at the time of the latest step, if it is one.
    pub fn failure(&self, stream: StreamId) -> Option<&Arc<Failure>> {
        match (self.present.cell(stream.0).kind, self.present.other(stream.0)) {
            (Kind::Other, Value::Failure(failure)) => Some(failure),
            _ => None,
        }
    }

    /// The same as a cell; the value of one of kind [`Kind::Other`] is beside it.
    pub(crate) fn cell(&self, stream: StreamId) -> (Cell, &Value) {
        (self.present.cell(stream.0), self.present.other(stream.0))
    }

    /// Whether a stream had an event before the time of the latest step, for streams that some other stream looks back at.
    pub fn is_remembered(&self, stream: StreamId) -> bool {
        self.past.is_event(stream.0)
    }

    /// Whether some stream has an event at the time of the latest step.
    pub fn has_events(&self) -> bool {
        !self.touched.is_empty()
    }

    /// When the next timer runs out, if a run can reach that time.
    pub fn next_timer(&self) -> Option<i64> {
        self.timers.iter().flatten().filter_map(|end| i64::try_from(*end).ok()).min()
    }

    /// Whether a timer is running, however late it runs out.
    pub fn has_timer(&self) -> bool {
        self.timers.iter().any(Option::is_some)
    }

    /// Whether a timer was running before the latest step; delays have the timers in the order in which streams are computed.
    /// Known in observed runs only.
    pub(crate) fn was_running(&self, timer: u32) -> bool {
        self.timers_before[timer as usize].is_some()
    }

    /// Begins the step of a later time; events are given with [`Monitor::provide`] and the step ends with [`Monitor::finish`].
    pub fn begin(&mut self, time: i64) {
        for stream in self.touched.drain(..) {
            let is_remembered = self.program.remembered[stream as usize];
            self.present.take(stream, is_remembered.then_some(&mut self.past));
        }
        self.time = Some(time);
    }

    /// Gives an input its event; whether it had none at this time.
    pub fn provide(&mut self, input: usize, value: Value) -> bool {
        let stream = self.program.inputs[input];
        let is_first = !self.present.is_event(stream);
        self.present.set(stream, value);
        if is_first {
            self.touched.push(stream);
            self.call_for(stream);
        }
        is_first
    }

    /// Computes all streams of the present time and sets the timers.
    ///
    /// # Errors
    /// When a delay is not positive or failed to be computed. Failures in other streams are their values.
    pub fn finish(&mut self) -> Result<(), Fault> {
        let time = self.time.expect("a step has begun");
        let program = self.program;
        if O::ACTIVE {
            self.observer.step(time);
        }
        for (index, timer) in program.timers.iter().enumerate() {
            if self.timers[index] == Some(i128::from(time)) {
                self.call(timer.step);
            }
        }
        if time == 0 {
            program.at_zero.iter().for_each(|step| self.call(*step));
        }
        // Steps call for later ones only, so that one pass over the bits makes them all.
        for word in 0..self.called.len() {
            while self.called[word] != 0 {
                let bit = self.called[word].trailing_zeros();
                self.called[word] &= self.called[word] - 1;
                let (stream, is_event) = self.compute(&program.steps[word * 64 + bit as usize], time);
                if is_event {
                    self.touched.push(stream);
                    self.call_for(stream);
                }
            }
        }
        if O::ACTIVE {
            self.timers_before.clone_from(&self.timers);
        }
        self.set_timers(time)
    }

    /// Makes a whole step.
    ///
    /// # Errors
    /// As [`Monitor::finish`].
    pub fn step(&mut self, time: i64, events: &[(usize, Value)]) -> Result<(), Fault> {
        self.begin(time);
        for (input, value) in events {
            self.provide(*input, value.clone());
        }
        self.finish()
    }

    fn call(&mut self, step: u32) {
        self.called[step as usize / 64] |= 1 << (step % 64);
    }

    #[inline]
    fn call_for(&mut self, stream: u32) {
        let program = self.program;
        if let Some(first) = self.called.first_mut() {
            *first |= program.calls_first[stream as usize];
        }
        for (word, bits) in &program.calls_for[stream as usize] {
            self.called[*word as usize] |= bits;
        }
    }

    /// Makes a step; the stream it is for, and whether that has an event.
    #[inline]
    fn compute(&mut self, step: &Step, time: i64) -> (u32, bool) {
        match step {
            Step::Constant { stream, trigger, cell } => {
                let is_event = self.present.is_event(*trigger);
                if is_event {
                    self.present.set_small(*stream, *cell);
                }
                (*stream, is_event)
            }
            Step::Last { stream, value, trigger } => {
                let is_event = self.present.is_event(*trigger) && self.present.copy_from(&self.past, *value, *stream);
                (*stream, is_event)
            }
            Step::Merge { stream, of } => {
                let first = of.iter().find(|argument| self.present.is_event(**argument));
                (*stream, first.is_some_and(|first| self.present.copy(*first, *stream)))
            }
            Step::Either { stream, first, second } => {
                let from = if self.present.is_event(*first) { *first } else { *second };
                (*stream, self.present.copy(from, *stream))
            }
            Step::Lift { stream, arguments, code, quick } => (*stream, self.lift(*stream, arguments, *code, quick)),
            Step::SignalLift { stream, arguments, code, quick } => {
                (*stream, self.signal_lift(*stream, arguments, *code, quick))
            }
            Step::Time { stream, of } => {
                let is_event = self.present.is_event(*of);
                if is_event {
                    self.present.set_small(*stream, Cell::int(time));
                }
                (*stream, is_event)
            }
            Step::Delay { stream, timer } => {
                let fires = self.timers[*timer as usize] == Some(i128::from(time));
                if fires {
                    self.present.set_small(*stream, Cell::UNIT);
                }
                (*stream, fires)
            }
            Step::Unit { stream } => {
                if time == 0 {
                    self.present.set_small(*stream, Cell::UNIT);
                }
                (*stream, time == 0)
            }
            Step::DefaultFrom { stream, value, default, state } => {
                let is_first = !self.defaulted[*state as usize];
                let is_event = self.present.copy(*value, *stream) || (is_first && self.present.copy(*default, *stream));
                self.defaulted[*state as usize] |= is_event;
                (*stream, is_event)
            }
        }
    }

    #[inline]
    fn lift(&mut self, stream: u32, arguments: &[u32], code: u32, quick: &Option<QuickCode>) -> bool {
        let present = &self.present;
        if !O::ACTIVE
            && let Some(quick) = quick
            && let Ok(cell) = quick.run(|argument| present.cell(argument))
        {
            self.present.set_small(stream, cell);
            return cell.is_event();
        }
        let mut machine = Machine { program: self.program, observer: &mut self.observer, depth: self.call_depth };
        let event = machine.run_lifted(code, Arguments::Events { present, streams: arguments });
        let is_event = event.is_some();
        if let Some(value) = event {
            self.present.set(stream, value);
        }
        is_event
    }

    #[inline]
    fn signal_lift(&mut self, stream: u32, arguments: &[u32], code: u32, quick: &Option<QuickCode>) -> bool {
        let (present, past) = (&self.present, &self.past);
        if !arguments.iter().all(|argument| present.is_event(*argument) || past.is_event(*argument)) {
            return false;
        }
        let latest = |argument: u32| {
            let cell = present.cell(argument);
            if cell.kind == Kind::Nothing { past.cell(argument) } else { cell }
        };
        if !O::ACTIVE
            && let Some(quick) = quick
            && let Ok(cell) = quick.run(latest)
        {
            self.present.set_small(stream, cell);
            return true;
        }
        let mut machine = Machine { program: self.program, observer: &mut self.observer, depth: self.call_depth };
        let value = machine.run(code, Arguments::Signals { present, past, streams: arguments });
        self.present.set(stream, value);
        true
    }

    fn set_timers(&mut self, time: i64) -> Result<(), Fault> {
        for (index, timer) in self.program.timers.iter().enumerate() {
            let fired = self.timers[index] == Some(i128::from(time));
            if !fired && !self.present.is_event(timer.resets) {
                continue;
            }
            self.timers[index] = match self.present.value(timer.delays) {
                None => None,
                Some(Value::Int(amount)) if amount > 0 => Some(i128::from(time) + i128::from(amount)),
                // How far behind the last time of all does not matter.
                Some(Value::Big(amount)) if *amount > dashu_int::IBig::ZERO => Some(i128::MAX),
                Some(Value::Failure(failure)) => return Err(Fault { time, failure }),
                Some(other) => return Err(wrong_delay(&other, time, timer.origin)),
            };
        }
        Ok(())
    }
}

fn wrong_delay(amount: &Value, time: i64, origin: Origin) -> Fault {
    let message = format!("A delay must be positive, not {}", crate::show::Shown(amount));
    Fault { time, failure: Arc::new(Failure { message, origin }) }
}
