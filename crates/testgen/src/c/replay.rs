//! The judge of tests: the interpreter runs them, a meter says which goals they cover.

use c::interp::{Ending, Inputs as Source, InputRecord, InputValue, Interpreter, Machine, Observer, Outcome};
use c::program::{EdgeId, Operation};
use fql::automaton::Moment;
use fql::graph::NodeId;
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
    meter: Counter<'a>,
    met: Vec<bool>,
    witnesses: Vec<Witness>,
    tests: u32,
}

/// What counts goals.
enum Counter<'a> {
    Query(Box<Meter<'a>>),
    Mcdc(McdcMeter<'a>),
}

/// A run as meters see it.
struct Watcher<'r, 'a> {
    subject: &'a CSubject,
    meter: &'r mut Counter<'a>,
    depth: usize,
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
        let meter = match &subject.target {
            Target::Query(spec) => Counter::Query(Box::new(Meter::new(spec))),
            Target::Mcdc(mcdc) => Counter::Mcdc(McdcMeter::new(&subject.graph.graph, mcdc)),
        };
        CReplay {
            interpreter: Interpreter::new(&subject.translation.program, subject.interpreter_settings()),
            meter,
            met: vec![false; subject.obligations],
            witnesses: Vec::new(),
            tests: 0,
            subject,
        }
    }

    /// Runs inputs from wherever they come.
    pub(super) fn observe(&mut self, inputs: &mut dyn Source) -> Seen {
        let mut watcher = Watcher { subject: self.subject, meter: &mut self.meter, depth: 1 };
        let outcome = self.interpreter.run(self.subject.settings.entry, inputs, &mut watcher);
        let mut passes = true;
        let met = match &mut self.meter {
            Counter::Query(meter) => {
                let run = meter.finish();
                passes = run.passes;
                let numbers = meter.goals_of(run, self.subject.obligations.max(1) * 4);
                numbers.into_iter().map(|number| ObligationId(number as u32)).collect()
            }
            Counter::Mcdc(meter) => meter.finish(),
        };
        let objection = objection(self.subject, &outcome.ending)
            .or_else(|| (!passes).then(|| "the run does not match the passing clause".to_owned()));
        Seen { outcome, met: if objection.is_none() { met } else { Vec::new() }, objection }
    }
}

/// Why a run that ended like this is no test.
fn objection(subject: &CSubject, ending: &Ending) -> Option<String> {
    let program = &subject.translation.program;
    let place = |edge: &EdgeId| {
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

fn expected(outcome: &Outcome) -> IndexMap<String, Json> {
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

fn notes(outcome: &Outcome) -> IndexMap<String, Json> {
    IndexMap::from([("steps".to_owned(), json!(outcome.steps))])
}

impl Watcher<'_, '_> {
    /// The moment when control is at a node.
    fn moment(&self, node: c::program::NodeId, machine: &mut Machine<'_>) -> Moment {
        let node = NodeId(node.0);
        Moment { nodes: vec![node], truths: self.truths(node, machine) }
    }

    fn truths(&self, node: NodeId, machine: &mut Machine<'_>) -> Vec<bool> {
        let watched = &self.subject.watched;
        let truth = |number: u32| match watched.at(number, node) {
            Some(predicate) => machine.holds(predicate).unwrap_or(false),
            None => true,
        };
        (0..watched.len() as u32).map(truth).collect()
    }
}

impl Observer for Watcher<'_, '_> {
    fn begun(&mut self, machine: &mut Machine<'_>) {
        let program = &self.subject.translation.program;
        let Some(body) = &program.function(self.subject.settings.entry).body else { return };
        let first = self.moment(body.entry, machine);
        self.depth = machine.depth();
        match self.meter {
            Counter::Query(meter) => meter.begin(first),
            Counter::Mcdc(meter) => meter.begin(),
        }
    }

    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        let program = &self.subject.translation.program;
        let found = program.edge(edge);
        let entered = self.depth < machine.depth() && matches!(found.operation, Operation::Call { .. });
        let callee = if entered { machine.current_function() } else { None };
        self.depth = machine.depth();
        let body = callee.and_then(|callee| program.function(callee).body.as_ref());
        let node = body.map_or(found.to, |body| body.entry);
        let after = self.moment(node, machine);
        let letter = self.subject.graph.edge(edge, callee);
        match self.meter {
            Counter::Query(meter) => meter.step(letter, after),
            Counter::Mcdc(meter) => meter.step(letter, &after),
        }
    }

    fn returned(&mut self, call: Option<EdgeId>, machine: &mut Machine<'_>) {
        self.depth = machine.depth();
        let Some(edge) = call else { return };
        let node = NodeId(self.subject.translation.program.edge(edge).to.0);
        let truths = self.truths(node, machine);
        match self.meter {
            Counter::Query(meter) => meter.amend(|moment| {
                moment.nodes.push(node);
                for (known, truth) in moment.truths.iter_mut().zip(truths) {
                    *known |= truth;
                }
            }),
            Counter::Mcdc(meter) => meter.left(1),
        }
    }
}

/// What a run asked for, by name.
pub(super) fn asked(records: &[InputRecord]) -> Vec<(String, InputValue)> {
    records.iter().map(|record| (record.name.clone(), record.value)).collect()
}
