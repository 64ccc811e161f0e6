//! A run: what streams remember, and one step after the other.

use std::sync::Arc;

use crate::core::StreamId;
use crate::place::Origin;
use crate::value::{Failure, Value};

use super::compile::{Program, Step};
use super::evaluate::{Arguments, Machine};
use super::{Observer, Unobserved};

/// How deeply functions may call each other unless something else is asked for.
const CALL_DEPTH: u32 = 500;

/// A run of a program.
#[derive(Debug)]
pub struct Monitor<'a, O = Unobserved> {
    program: &'a Program,
    /// The events of the present time.
    present: Vec<Option<Value>>,
    /// The latest values before the present time.
    past: Vec<Option<Value>>,
    /// The streams that have an event at the present time.
    touched: Vec<u32>,
    /// The steps still to be made at the present time, one bit each.
    called: Vec<u64>,
    /// When each timer runs out.
    timers: Vec<Option<i64>>,
    /// The same before the latest step, kept for observers.
    timers_before: Vec<Option<i64>>,
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
            present: vec![None; program.streams],
            past: vec![None; program.streams],
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
    pub fn event(&self, stream: StreamId) -> Option<&Value> {
        self.present[stream.0 as usize].as_ref()
    }

    /// The latest value of a stream before the time of the latest step, for streams that some other stream looks back at.
    pub fn remembered(&self, stream: StreamId) -> Option<&Value> {
        self.past[stream.0 as usize].as_ref()
    }

    /// When the next timer runs out.
    pub fn next_timer(&self) -> Option<i64> {
        self.timers.iter().flatten().copied().min()
    }

    /// When a timer was to run out before the latest step; delays have the timers in the order in which streams are computed.
    /// Known in observed runs only.
    pub(crate) fn timer_before(&self, timer: u32) -> Option<i64> {
        self.timers_before[timer as usize]
    }

    /// Begins the step of a later time; events are given with [`Monitor::provide`] and the step ends with [`Monitor::finish`].
    pub fn begin(&mut self, time: i64) {
        for stream in self.touched.drain(..) {
            let stream = stream as usize;
            let event = self.present[stream].take();
            if self.program.remembered[stream] {
                self.past[stream] = event;
            }
        }
        self.time = Some(time);
    }

    /// Gives an input its event; whether it had none at this time.
    pub fn provide(&mut self, input: usize, value: Value) -> bool {
        let stream = self.program.inputs[input];
        let is_first = self.present[stream as usize].replace(value).is_none();
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
            if self.timers[index] == Some(time) {
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
                let (stream, event) = self.compute(&program.steps[word * 64 + bit as usize], time);
                if event.is_some() {
                    self.present[stream as usize] = event;
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
        for step in &program.calls_for[stream as usize] {
            self.call(*step);
        }
    }

    #[inline]
    fn compute(&mut self, step: &Step, time: i64) -> (u32, Option<Value>) {
        let present = &self.present;
        match step {
            Step::Constant { stream, trigger, value } => {
                (*stream, present[*trigger as usize].is_some().then(|| value.clone()))
            }
            Step::Last { stream, value, trigger } => {
                let event = present[*trigger as usize].as_ref().and_then(|_| self.past[*value as usize].clone());
                (*stream, event)
            }
            Step::Merge { stream, of } => {
                (*stream, of.iter().find_map(|stream| present[*stream as usize].as_ref()).cloned())
            }
            Step::Lift { stream, arguments, code } => {
                let mut machine =
                    Machine { program: self.program, observer: &mut self.observer, depth: self.call_depth };
                (*stream, machine.run_lifted(*code, Arguments::Events { present, streams: arguments }))
            }
            Step::SignalLift { stream, arguments, code } => {
                let known =
                    |argument: &u32| present[*argument as usize].is_some() || self.past[*argument as usize].is_some();
                if !arguments.iter().all(known) {
                    return (*stream, None);
                }
                let mut machine =
                    Machine { program: self.program, observer: &mut self.observer, depth: self.call_depth };
                let arguments = Arguments::Signals { present, past: &self.past, streams: arguments };
                (*stream, Some(machine.run(*code, arguments)))
            }
            Step::Time { stream, of } => (*stream, present[*of as usize].as_ref().map(|_| Value::Int(time))),
            Step::Delay { stream, timer } => {
                (*stream, (self.timers[*timer as usize] == Some(time)).then_some(Value::Unit))
            }
            Step::Unit { stream } => (*stream, (time == 0).then_some(Value::Unit)),
            Step::DefaultFrom { stream, value, default, state } => {
                let first = !self.defaulted[*state as usize];
                let event = match &present[*value as usize] {
                    Some(value) => Some(value.clone()),
                    None if first => present[*default as usize].clone(),
                    None => None,
                };
                self.defaulted[*state as usize] |= event.is_some();
                (*stream, event)
            }
        }
    }

    fn set_timers(&mut self, time: i64) -> Result<(), Fault> {
        for (index, timer) in self.program.timers.iter().enumerate() {
            let fired = self.timers[index] == Some(time);
            if !fired && self.present[timer.resets as usize].is_none() {
                continue;
            }
            self.timers[index] = match &self.present[timer.delays as usize] {
                None => None,
                Some(Value::Int(amount)) if *amount > 0 => time.checked_add(*amount),
                // Past the largest time a run can reach.
                Some(Value::Big(amount)) if **amount > dashu_int::IBig::ZERO => None,
                Some(Value::Failure(failure)) => return Err(Fault { time, failure: failure.clone() }),
                Some(other) => return Err(wrong_delay(other, time, timer.origin)),
            };
        }
        Ok(())
    }
}

fn wrong_delay(amount: &Value, time: i64, origin: Origin) -> Fault {
    let message = format!("A delay must be positive, not {}", crate::show::Shown(amount));
    Fault { time, failure: Arc::new(Failure { message, origin }) }
}
