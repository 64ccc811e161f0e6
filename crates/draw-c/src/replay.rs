//! The judge of tests: the interpreter runs them, a meter says which goals they cover.

use c::Program;
use c::interp::{Ending, InputRecord, InputValue, Inputs as Source, Interpreter, Limit, Observer, Outcome};
use fql::automaton::Moment;
use fql::follow::{Follower, Listener};
use fql::graph::EdgeId;
use fql::mcdc::McdcMeter;
use fql::meter::Meter;
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use testcase::{Inputs, ObligationId, TestCase};

use super::bounds::Both;
use super::document;
use super::seen::expected;
use super::{CSubject, Target};
use search::{Replay, Replayed, Witness};

/// A run that is given up is the beginning of a test only if so many inputs suffice.
const MOST_INPUTS: usize = 256;

/// Runs tests of a program one after the other.
pub(super) struct CReplay<'a> {
    subject: &'a CSubject,
    interpreter: Interpreter<'a>,
    follower: Follower<'a, Counter<'a>>,
    met: Vec<bool>,
    witnesses: Vec<Witness>,
    tests: u32,
}

/// What counts goals.
enum Counter<'a> {
    Query(Box<Meter<'a>>),
    /// The second part looks at the passing clause.
    Mcdc(McdcMeter<'a>, Option<Box<Meter<'a>>>),
}

/// What one run showed.
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    pub(super) met: Vec<ObligationId>,
    /// Why it is not a test, if it is none.
    pub(super) objection: Option<String>,
}

impl<'a> CReplay<'a> {
    pub(super) fn new(subject: &'a CSubject) -> CReplay<'a> {
        CReplay::with(subject, subject.interpreter())
    }

    /// A judge of runs that go on behind undefined arithmetic.
    pub(super) fn tolerant(subject: &'a CSubject) -> CReplay<'a> {
        CReplay::with(subject, subject.tolerant_interpreter())
    }

    fn with(subject: &'a CSubject, interpreter: Interpreter<'a>) -> CReplay<'a> {
        let meter = match &subject.target {
            Target::Query(spec) => Counter::Query(Box::new(Meter::new(spec))),
            Target::Mcdc(mcdc, passing) => {
                let passing = passing.as_ref().map(|spec| Box::new(Meter::new(spec)));
                Counter::Mcdc(McdcMeter::new(&subject.graph.graph, mcdc), passing)
            }
        };
        let program = &subject.translation.program;
        CReplay {
            interpreter,
            follower: Follower::new(program, &subject.graph, &subject.watched, meter),
            met: vec![false; subject.obligations],
            witnesses: Vec::new(),
            tests: 0,
            subject,
        }
    }

    /// Runs inputs without judging them.
    pub(super) fn scout<O: Observer>(&self, inputs: &mut dyn Source, observer: &mut O) -> Outcome {
        self.interpreter.run(self.subject.settings.entry, inputs, observer)
    }

    /// Runs inputs from wherever they come.
    pub(super) fn observe(&mut self, inputs: &mut dyn Source) -> Seen {
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut self.follower);
        self.seen(outcome, None)
    }

    /// The same for inputs that were found by running: the bounds that the user gave hold for them too.
    pub(super) fn bounded(&mut self, inputs: &mut dyn Source) -> Seen {
        let Some(mut rounds) = self.subject.rounds() else {
            return self.observe(inputs);
        };
        let mut both = Both(&mut self.follower, &mut rounds);
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut both);
        let passed = rounds.finish(outcome.steps);
        self.seen(outcome, passed)
    }

    /// The same, with someone who looks on.
    pub(super) fn traced<O: Observer>(&mut self, inputs: &mut dyn Source, observer: &mut O) -> Seen {
        let entry = self.subject.settings.entry;
        // Predicates that are evaluated on the way are not what the run compares: the one who looks on comes first.
        let mut both = Both(observer, &mut self.follower);
        let Some(mut rounds) = self.subject.rounds() else {
            let outcome = self.interpreter.run(entry, inputs, &mut both);
            return self.seen(outcome, None);
        };
        let outcome = self.interpreter.run(entry, inputs, &mut Both(&mut both, &mut rounds));
        let passed = rounds.finish(outcome.steps);
        self.seen(outcome, passed)
    }

    /// What a run does up to its end or to the undefined behaviour that ends it; none of what it meets if the passing clause does
    /// not match, or if it passes a bound that the user gave.
    pub(super) fn observe_undefined(&mut self, inputs: &mut dyn Source) -> (Outcome, Vec<ObligationId>) {
        let entry = self.subject.settings.entry;
        let (outcome, passed) = match self.subject.rounds() {
            None => (self.interpreter.run(entry, inputs, &mut self.follower), None),
            Some(mut rounds) => {
                let outcome = self.interpreter.run(entry, inputs, &mut Both(&mut self.follower, &mut rounds));
                let passed = rounds.finish(outcome.steps);
                (outcome, passed)
            }
        };
        let (met, passes) = self.measured();
        let met = if passes && passed.is_none() { met } else { Vec::new() };
        (outcome, met)
    }

    fn seen(&mut self, outcome: Outcome, passed: Option<String>) -> Seen {
        let (met, passes) = self.measured();
        let objection = objection(self.subject, &outcome)
            .or(passed)
            .or_else(|| (!passes).then(|| "the run does not match the passing clause".to_owned()));
        Seen { outcome, met: if objection.is_none() { met } else { Vec::new() }, objection }
    }

    /// What the last run met, and whether the passing clause matches.
    fn measured(&mut self) -> (Vec<ObligationId>, bool) {
        match &mut self.follower.listener {
            Counter::Query(meter) => {
                let run = meter.finish();
                let numbers = meter.goals_of(run, self.subject.obligations.max(1) * 4);
                (numbers.into_iter().map(|number| ObligationId(number as u32)).collect(), run.passes)
            }
            Counter::Mcdc(meter, passing) => {
                let passes = passing.as_mut().is_none_or(|passing| passing.finish().passes);
                (meter.finish(), passes)
            }
        }
    }
}

/// Whether a run came to an end of its own, and is not only the beginning of one.
pub(super) fn is_whole(ending: &Ending) -> bool {
    !matches!(ending, Ending::Unmodelled { .. } | Ending::Excluded(_) | Ending::EndOfInputs { .. } | Ending::GivenUp(_))
}

/// Why a run that ended like this is not a test.
pub(super) fn objection(subject: &CSubject, outcome: &Outcome) -> Option<String> {
    let program = &subject.translation.program;
    let place = |edge: &c::program::EdgeId| {
        let location = program.edge(*edge).notes.location;
        location.map_or(String::new(), |location| format!(" at {}", program.place_text(location)))
    };
    match &outcome.ending {
        Ending::Returned(_)
        | Ending::Exited(_)
        | Ending::Aborted
        | Ending::AssertionFailed(_)
        | Ending::Stopped { .. } => None,
        // A beginning is a test too: it shows what it meets.
        Ending::Unmodelled { .. } | Ending::Excluded(_) | Ending::EndOfInputs { .. } => None,
        Ending::GivenUp(Limit::Steps) if outcome.inputs.len() <= MOST_INPUTS => None,
        Ending::Undefined { fault, edge } => Some(format!("undefined behaviour{}: {}", place(edge), fault.text())),
        Ending::GivenUp(limit) => Some(format!("the run was given up: {limit:?}")),
        Ending::Unsupported { what, edge } => Some(format!("not supported{}: {what}", place(edge))),
        Ending::NoInput(what) => Some(what.clone()),
    }
}

impl Replay for CReplay<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let values = match document::values(inputs) {
            Ok(values) => values,
            Err(objection) => {
                let test = TestCase { inputs: inputs.clone(), expected: IndexMap::new(), notes: IndexMap::new() };
                return Replayed { test, met: Vec::new(), objection: Some(objection) };
            }
        };
        let entry = self.subject.settings.entry;
        let mut recorded = self.subject.recorded(&values);
        let (outcome, effects) = self.interpreter.watch(entry, &mut recorded, &mut self.follower);
        let seen = self.seen(outcome, None);
        let number = self.tests;
        self.tests += 1;
        let mut met = Vec::new();
        for &obligation in &seen.met {
            self.witnesses.push(Witness { obligation, tests: vec![number] });
            if !std::mem::replace(&mut self.met[obligation.0 as usize], true) {
                met.push(obligation);
            }
        }
        let program = &self.subject.translation.program;
        let test = TestCase {
            inputs: inputs.clone(),
            expected: expected(program, &seen.outcome, &effects),
            notes: notes(program, &seen.outcome),
        };
        Replayed { test, met, objection: seen.objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        self.witnesses.clone()
    }
}

pub(super) fn notes(program: &Program, outcome: &Outcome) -> IndexMap<String, Json> {
    let mut notes = IndexMap::from([("steps".to_owned(), json!(outcome.steps))]);
    if let Ending::AssertionFailed(edge) = &outcome.ending {
        let place = program.edge(*edge).notes.location.map(|location| program.place_text(location));
        notes.insert("assertion".to_owned(), json!(format!("fails at {}", place.unwrap_or_default())));
    }
    let texts = super::text::texts(program, &outcome.inputs);
    notes.extend(texts.map(|texts| (testcase::TEXT.to_owned(), texts)));
    notes
}

impl Listener for Counter<'_> {
    fn begin(&mut self, first: Moment) {
        match self {
            Counter::Query(meter) => Listener::begin(&mut **meter, first),
            Counter::Mcdc(meter, passing) => {
                Listener::begin(meter, first.clone());
                if let Some(passing) = passing {
                    Listener::begin(&mut **passing, first);
                }
            }
        }
    }

    fn step(&mut self, edge: EdgeId, after: Moment) {
        match self {
            Counter::Query(meter) => Listener::step(&mut **meter, edge, after),
            Counter::Mcdc(meter, passing) => {
                Listener::step(meter, edge, after.clone());
                if let Some(passing) = passing {
                    Listener::step(&mut **passing, edge, after);
                }
            }
        }
    }

    fn back(&mut self, also: Moment) {
        match self {
            Counter::Query(meter) => Listener::back(&mut **meter, also),
            Counter::Mcdc(meter, passing) => {
                Listener::back(meter, also.clone());
                if let Some(passing) = passing {
                    Listener::back(&mut **passing, also);
                }
            }
        }
    }

    fn called_back(&mut self, also: Moment) {
        match self {
            Counter::Query(meter) => Listener::called_back(&mut **meter, also),
            Counter::Mcdc(meter, passing) => {
                Listener::called_back(meter, also.clone());
                if let Some(passing) = passing {
                    Listener::called_back(&mut **passing, also);
                }
            }
        }
    }

    fn left_to_library(&mut self) {
        match self {
            Counter::Query(meter) => Listener::left_to_library(&mut **meter),
            Counter::Mcdc(meter, passing) => {
                Listener::left_to_library(meter);
                if let Some(passing) = passing {
                    Listener::left_to_library(&mut **passing);
                }
            }
        }
    }
}

/// What a run asked for, by name.
pub(super) fn asked(records: &[InputRecord]) -> Vec<(String, InputValue)> {
    records.iter().map(|record| (record.name.clone(), record.value)).collect()
}
