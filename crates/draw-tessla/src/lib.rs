//! TeSSLa specifications as a [`Subject`].

mod border;
mod ceiling;
mod clock;
mod collection;
mod datum;
pub mod document;
pub mod effort;
mod encode;
mod function;
mod gate;
mod grid;
mod guess;
mod integer;
mod limits;
mod moment;
mod simplify;
mod supported;
mod visible;

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use smt::{Answer, Terms};
use tessla::core::Spec;
use tessla::extent::extent;
use tessla::goals::Goals;
use tessla::meter::Meter;
use tessla::obligation::Obligation;
use tessla::sample::random_trace;
use testcase::{Goal, Inputs, ObligationId, TestCase};

pub use supported::{Unsupported, unsupported};

use document::Trace;
use guess::Guesser;
use limits::Limits;
use search::{Abilities, Attacks, Encodes, Guesses, Simplifies};
use search::{Backend, Budget, Options, SearchError};
use search::{Bound, Problem, Reason, Replay, Replayed, Searcher, Subject, Witness};

/// How the grid is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridOptions {
    /// The number of moments in time, at least one.
    pub slots: usize,
    /// Whether every timer must have run out at the end.
    pub closed_delays: bool,
    /// How large values may be, and how deep calls.
    pub room: Room,
}

/// What the search looks at: runs with larger collections or deeper calls are left out, and its claims say so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// How many elements a list, set or map has at most, at least one.
    pub places: usize,
    /// How deeply recursive functions and folds call each other at most.
    pub depth: usize,
}

impl Default for Room {
    fn default() -> Room {
        Room { places: 5, depth: 8 }
    }
}

/// A specification with the goals of a criterion. Everything in it must be [supported](unsupported).
pub struct TesslaSubject<'a> {
    spec: &'a Spec,
    goals: Goals,
    closed_delays: bool,
    /// How many moments random traces have.
    moments: usize,
    room: Room,
    limits: Limits,
    /// Whether numbers of tests stay as small as they are found.
    small: bool,
}

impl<'a> TesslaSubject<'a> {
    /// A specification, with goals made for it.
    pub fn new(spec: &'a Spec, goals: Goals, closed_delays: bool) -> TesslaSubject<'a> {
        let (room, limits) = (Room::default(), Limits::of(spec));
        TesslaSubject { spec, goals, closed_delays, moments: 24, room, limits, small: false }.with_room(room)
    }

    /// The same with collections of at most so many elements, or as many as the specification writes down, and calls that go so deep, or
    /// as deep as is affordable.
    pub fn with_room(self, room: Room) -> TesslaSubject<'a> {
        TesslaSubject { room: limits::affordable(self.spec, room), ..self }
    }

    /// The same with small numbers in tests; otherwise they lie on the borders of comparisons.
    pub fn with_small_values(self) -> TesslaSubject<'a> {
        TesslaSubject { small: true, ..self }
    }

    /// Whether there is room for the run of a trace.
    fn has_room(&self, trace: &Trace) -> bool {
        self.limits.are_none() || self.limits.hold(&extent(self.spec, &trace.events, trace.end), self.room)
    }

    fn asks_for_undefined(&self) -> bool {
        self.goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Undefined { .. }))
    }

    fn asks_what_would_have_been(&self) -> bool {
        self.goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Visible { .. }))
    }

    fn problem(&self, terms: &mut Terms, bound: Bound) -> encode::TesslaProblem<'_> {
        let options =
            GridOptions { slots: bound.0.max(1) as usize, closed_delays: self.closed_delays, room: self.room };
        encode::TesslaProblem::new(terms, self.spec, &self.goals, options)
    }

    /// Whether no trace within the bound satisfies the assertions: then nothing can be drawn, whatever the goals.
    ///
    /// # Errors
    /// When a solver fails.
    pub fn is_contradictory(&self, backend: &Backend, bound: Bound) -> Result<bool, SearchError> {
        if self.spec.assertions.is_empty() {
            return Ok(false);
        }
        let mut terms = Terms::new();
        let problem = self.problem(&mut terms, bound);
        let mut solver = backend.solver()?;
        for fact in problem.facts() {
            solver.assert(&terms, fact.term)?;
        }
        Ok(matches!(solver.check(&terms, backend.query(&[]))?, Answer::Unsat { .. }))
    }

    /// The number of variables and of other terms of the grid at a bound.
    pub fn size(&self, bound: Bound) -> (usize, usize) {
        let mut terms = Terms::new();
        let mut problem = self.problem(&mut terms, bound);
        for obligation in 0..self.goals.obligations.len() as u32 {
            problem.require(&mut terms, ObligationId(obligation));
        }
        encode::size(&terms)
    }
}

impl Subject for TesslaSubject<'_> {
    fn goals(&self) -> &[Goal] {
        &self.goals.goals
    }

    fn obligation_count(&self) -> usize {
        self.goals.obligations.len()
    }

    fn searcher<'s>(&'s self, _backend: &'s Backend, _options: &Options) -> Result<Searcher<'s>, SearchError> {
        Ok(Searcher::Terms(self))
    }

    fn replay(&self) -> Box<dyn Replay + '_> {
        Box::new(TesslaReplay { subject: self, meter: Meter::new(self.spec, &self.goals) })
    }

    fn random_inputs(&self, seed: u64, count: usize, _bound: Bound) -> Vec<Inputs> {
        let draw = |number: usize| {
            let seed = attack_seed(seed, number);
            let (events, end) = random_trace(self.spec, seed, self.moments);
            Inputs::Document(Trace { events, end }.to_json(self.spec))
        };
        // Whether an output shows a decision takes a run for every time at which it is made.
        let count = if self.asks_what_would_have_been() { count / 16 } else { count };
        (0..count).map(draw).collect()
    }

    fn abilities(&self) -> Abilities<'_> {
        Abilities {
            encodes: Some(self),
            attacks: Some(self),
            guesses: Some(self),
            simplifies: Some(self),
            ..Abilities::default()
        }
    }
}

impl Attacks for TesslaSubject<'_> {
    fn attacks(&self, seed: u64, count: usize, claimed: &[ObligationId], bound: Bound) -> Vec<Inputs> {
        let guesser = Guesser::new(self);
        // Claims for the bound are attacked within it, other claims with longer runs too.
        let within = (bound.0.max(1) as usize).min(self.moments);
        let half = guesser.affordable(count, self.moments) / 2;
        let mut traces = guesser.meeting(claimed, attack_seeds(seed, half), within, bound.0.max(1) as usize);
        traces.extend(guesser.meeting(claimed, attack_seeds(!seed, half), self.moments, usize::MAX));
        traces.into_iter().map(|guess| Inputs::Document(guess.trace.to_json(self.spec))).collect()
    }

    fn is_within(&self, inputs: &Inputs, bound: Bound) -> bool {
        let Inputs::Document(json) = inputs else { return true };
        let Ok(trace) = Trace::from_json(self.spec, json) else { return true };
        let extent = extent(self.spec, &trace.events, trace.end);
        extent.moments <= bound.0.max(1) as usize && self.limits.hold(&extent, self.room)
    }
}

impl Guesses for TesslaSubject<'_> {
    fn guesses(&self, open: &[ObligationId], seed: u64, bound: Bound) -> Vec<Inputs> {
        let slots = bound.0.max(1) as usize;
        let guesser = Guesser::new(self);
        let seeds = attack_seeds(!seed, guesser.affordable(effort::usual(effort::GUESSES), slots));
        let traces = guesser.meeting(open, seeds, slots, slots);
        guess::fewest(traces).into_iter().map(|trace| Inputs::Document(trace.to_json(self.spec))).collect()
    }

    fn impossible(&self, open: &[ObligationId], backend: &Backend) -> Result<Vec<(ObligationId, String)>, SearchError> {
        let impossible = moment::impossible(self.spec, &self.goals, open, backend)?;
        Ok(impossible.into_iter().map(|obligation| (obligation, moment::REASON.to_owned())).collect())
    }
}

impl Simplifies for TesslaSubject<'_> {
    fn simplify(&self, inputs: Inputs) -> Inputs {
        let Inputs::Document(json) = &inputs else { return inputs };
        let Ok(trace) = Trace::from_json(self.spec, json) else { return inputs };
        Inputs::Document(simplify::simplest(self, trace).to_json(self.spec))
    }

    fn sharpen(&self, tests: Vec<Inputs>, stays: &[bool], _: &dyn Fn() -> bool) -> Vec<Inputs> {
        // What would have been takes too many runs to be looked at again and again.
        if self.small || self.asks_what_would_have_been() {
            return tests;
        }
        let read = |inputs: &Inputs| match inputs {
            Inputs::Document(json) => Trace::from_json(self.spec, json).ok(),
            Inputs::Assignment(_) => None,
        };
        match tests.iter().map(read).collect::<Option<Vec<Trace>>>() {
            Some(traces) => {
                let moved = border::to_the_border(self, traces, stays);
                moved.iter().map(|trace| Inputs::Document(trace.to_json(self.spec))).collect()
            }
            None => tests,
        }
    }
}

impl Encodes for TesslaSubject<'_> {
    fn encode(&self, terms: &mut Terms, bound: Bound) -> Option<Box<dyn Problem + '_>> {
        Some(Box::new(self.problem(terms, bound)))
    }

    fn growth(&self) -> Option<Budget> {
        Some(effort::GOAL)
    }

    fn explain(&self, _obligation: ObligationId, core: &[Reason]) -> String {
        let mut against = Vec::new();
        for assertion in core.iter().filter_map(|reason| reason.0.checked_sub(encode::ASSERTIONS)) {
            let place = self.spec.assertions[assertion as usize].origin.place;
            against.push(format!("the assertion at {}", self.spec.files.describe(place)));
        }
        if core.contains(&encode::CLOSED) {
            against.push("that every timer has run out at the end".to_owned());
        }
        if core.contains(&encode::REACHED) {
            against.push("that times are below 2^63".to_owned());
        }
        if core.contains(&encode::ROOM) {
            against.push(self.limits.describe(self.room));
        }
        if core.contains(&encode::DEFINED) {
            against.push("that nothing undefined is evaluated".to_owned());
        }
        if !core.contains(&encode::WANTED) && against.iter().any(|what| what.starts_with("the assertion")) {
            return format!("the assertions contradict each other: no trace satisfies {}", against.join(" and "));
        }
        match against.as_slice() {
            [] => "no trace shows it".to_owned(),
            _ => format!("no trace shows it, given {}", against.join(", ")),
        }
    }
}

/// The seed of a random trace of a run.
fn attack_seed(seed: u64, number: usize) -> u64 {
    seed.wrapping_mul(0x1_0000).wrapping_add(number as u64)
}

fn attack_seeds(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    (0..count).map(move |number| attack_seed(seed, number))
}

/// The judge: the interpreter and the meter of the language crate.
struct TesslaReplay<'a> {
    subject: &'a TesslaSubject<'a>,
    meter: Meter<'a>,
}

impl Replay for TesslaReplay<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let spec = self.subject.spec;
        let Inputs::Document(json) = inputs else { unreachable!("the tests of a specification are traces") };
        let trace = match Trace::from_json(spec, json) {
            Ok(trace) => trace,
            Err(problem) => {
                let test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
                return Replayed { test, met: Vec::new(), objection: Some(problem) };
            }
        };
        let measured = self.meter.add(&trace.events, trace.end);
        let mut expected: IndexMap<String, Json> = IndexMap::new();
        for output in &spec.outputs {
            let events = measured.run.events(output.stream);
            let events: Vec<Json> = events.map(|(time, value)| json!([time, document::to_json(value)])).collect();
            expected.insert(output.name.clone().unwrap_or_else(|| "print".to_owned()), Json::Array(events));
        }
        let fault = measured.run.fault.as_ref();
        if let Some(fault) = fault {
            expected.insert("undefined".to_owned(), json!([fault.time, fault.failure.message]));
        }
        let violated = measured.violated.first().map(|&number| {
            let place = spec.assertions[number].origin.place;
            format!("they violate the assertion at {}", spec.files.describe(place))
        });
        let undefined = fault
            .filter(|_| !self.subject.asks_for_undefined())
            .map(|fault| format!("an undefined operation ends the run at {}: {}", fault.time, fault.failure.message));
        let running = (self.subject.closed_delays && measured.pending)
            .then(|| "a timer is still running at their end".to_owned());
        let test = TestCase { inputs: inputs.clone(), expected, notes: IndexMap::new() };
        Replayed { test, met: measured.met, objection: violated.or(undefined).or(running) }
    }

    fn witnesses(&self) -> Vec<Witness> {
        self.meter.witnesses().map(|(obligation, test)| Witness { obligation, tests: vec![test] }).collect()
    }
}
