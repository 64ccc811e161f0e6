//! The judge of tests: the interpreter runs them, a meter says which goals they cover.

use c::interp::{Ending, InputRecord, InputValue, Inputs as Source, Interpreter, Observer, Outcome};
use fql::automaton::Moment;
use fql::follow::{Follower, Listener};
use fql::graph::EdgeId;
use fql::mcdc::McdcMeter;
use fql::meter::Meter;
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use testcase::{Inputs, ObligationId, TestCase};

use super::document;
use super::{CSubject, Target};
use crate::subject::{Replay, Replayed, Witness};

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
    Mcdc(McdcMeter<'a>),
}

/// What one run showed.
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    pub(super) met: Vec<ObligationId>,
    /// Why it is no test, if it is none.
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
            Target::Mcdc(mcdc) => Counter::Mcdc(McdcMeter::new(&subject.graph.graph, mcdc)),
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
        let (outcome, met, passes) = self.measured(inputs);
        let objection = objection(self.subject, &outcome.ending)
            .or_else(|| (!passes).then(|| "the run does not match the passing clause".to_owned()));
        Seen { outcome, met: if objection.is_none() { met } else { Vec::new() }, objection }
    }

    /// What a run does up to its end or to the undefined behaviour that ends it; none of what it meets if the passing clause does
    /// not match.
    pub(super) fn observe_undefined(&mut self, inputs: &mut dyn Source) -> (Outcome, Vec<ObligationId>) {
        let (outcome, met, passes) = self.measured(inputs);
        let met = if passes { met } else { Vec::new() };
        (outcome, met)
    }

    fn measured(&mut self, inputs: &mut dyn Source) -> (Outcome, Vec<ObligationId>, bool) {
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut self.follower);
        let mut passes = true;
        let met = match &mut self.follower.listener {
            Counter::Query(meter) => {
                let run = meter.finish();
                passes = run.passes;
                let numbers = meter.goals_of(run, self.subject.obligations.max(1) * 4);
                numbers.into_iter().map(|number| ObligationId(number as u32)).collect()
            }
            Counter::Mcdc(meter) => meter.finish(),
        };
        (outcome, met, passes)
    }
}

/// Why a run that ended like this is no test.
pub(super) fn objection(subject: &CSubject, ending: &Ending) -> Option<String> {
    let program = &subject.translation.program;
    let place = |edge: &c::program::EdgeId| {
        let location = program.edge(*edge).notes.location;
        location.map_or(String::new(), |location| format!(" at {}", program.place_text(location)))
    };
    match ending {
        Ending::Returned(_) | Ending::Exited(_) | Ending::Aborted => None,
        Ending::AssertionFailed(edge) => Some(format!("an assertion fails{}", place(edge))),
        Ending::Excluded(edge) => Some(format!("an assumption does not hold{}", place(edge))),
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
        let seen = self.observe(&mut document::recorded(&values));
        let number = self.tests;
        self.tests += 1;
        let mut met = Vec::new();
        for &obligation in &seen.met {
            self.witnesses.push(Witness { obligation, tests: vec![number] });
            if !std::mem::replace(&mut self.met[obligation.0 as usize], true) {
                met.push(obligation);
            }
        }
        let test = TestCase { inputs: inputs.clone(), expected: expected(&seen.outcome), notes: notes(&seen.outcome) };
        Replayed { test, met, objection: seen.objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        self.witnesses.clone()
    }
}

pub(super) fn expected(outcome: &Outcome) -> IndexMap<String, Json> {
    let mut expected = IndexMap::new();
    match &outcome.ending {
        Ending::Returned(Some(InputValue::Integer(number))) => {
            let small = i64::try_from(*number).ok().filter(|number| number.unsigned_abs() <= 1 << 53);
            expected.insert("returns".into(), small.map_or_else(|| json!(number.to_string()), |number| json!(number)));
        }
        Ending::Returned(Some(value)) => {
            expected.insert("returns".into(), json!(value.to_string()));
        }
        Ending::Exited(status) => {
            expected.insert("exits".into(), json!(status));
        }
        Ending::Aborted => {
            expected.insert("aborts".into(), json!(true));
        }
        _ => {}
    }
    if !outcome.output.is_empty() {
        expected.insert("prints".into(), json!(String::from_utf8_lossy(&outcome.output)));
    }
    expected
}

pub(super) fn notes(outcome: &Outcome) -> IndexMap<String, Json> {
    IndexMap::from([("steps".to_owned(), json!(outcome.steps))])
}

impl Listener for Counter<'_> {
    fn begin(&mut self, first: Moment) {
        match self {
            Counter::Query(meter) => Listener::begin(&mut **meter, first),
            Counter::Mcdc(meter) => Listener::begin(meter, first),
        }
    }

    fn step(&mut self, edge: EdgeId, after: Moment) {
        match self {
            Counter::Query(meter) => Listener::step(&mut **meter, edge, after),
            Counter::Mcdc(meter) => Listener::step(meter, edge, after),
        }
    }

    fn back(&mut self, also: Moment) {
        match self {
            Counter::Query(meter) => Listener::back(&mut **meter, also),
            Counter::Mcdc(meter) => Listener::back(meter, also),
        }
    }

    fn called_back(&mut self, also: Moment) {
        match self {
            Counter::Query(meter) => Listener::called_back(&mut **meter, also),
            Counter::Mcdc(meter) => Listener::called_back(meter, also),
        }
    }

    fn left_to_library(&mut self) {
        match self {
            Counter::Query(meter) => Listener::left_to_library(&mut **meter),
            Counter::Mcdc(meter) => Listener::left_to_library(meter),
        }
    }
}

/// What a run asked for, by name.
pub(super) fn asked(records: &[InputRecord]) -> Vec<(String, InputValue)> {
    records.iter().map(|record| (record.name.clone(), record.value)).collect()
}
