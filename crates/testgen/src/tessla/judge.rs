//! The judge of traces: the interpreter and the meter, with no term in sight.

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use tessla::core::Spec;
use tessla::meter::{Measured, Meter};
use testcase::{Inputs, TestCase};

use super::document::{Trace, to_json};
use crate::{Replay, Replayed, Witness};

/// Runs traces and measures what they cover.
pub(super) struct Judge<'a> {
    spec: &'a Spec,
    meter: Meter<'a>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(spec: &'a Spec, goals: &'a tessla::goals::Goals) -> Judge<'a> {
        Judge { spec, meter: Meter::new(spec, goals) }
    }

    fn expected(&self, measured: &Measured) -> IndexMap<String, Json> {
        let mut expected = IndexMap::new();
        for (position, output) in (1..).zip(&self.spec.outputs) {
            let events: Vec<Json> =
                measured.run.events(output.stream).map(|(time, value)| json!([time, to_json(value)])).collect();
            let name = output.name.clone().unwrap_or_else(|| format!("print {position}"));
            let entry = expected.entry(name).or_insert_with(|| Json::Array(Vec::new()));
            if let Json::Array(known) = entry {
                known.extend(events);
            }
        }
        expected
    }
}

impl Replay for Judge<'_> {
    fn run(&mut self, inputs: &Inputs) -> Replayed {
        let Inputs::Document(document) = inputs else { unreachable!("the tests of a specification are traces") };
        let trace = Trace::from_json(self.spec, document).expect("traces are read before they are run");
        let measured = self.meter.add(&trace.events, trace.end);
        let mut notes = IndexMap::new();
        if let Some(fault) = &measured.run.fault {
            notes.insert("undefined".to_owned(), json!({ "time": fault.time, "what": fault.failure.message }));
        }
        let objection = (!measured.violated.is_empty()).then(|| {
            let texts = measured.violated.iter().map(|position| {
                self.spec
                    .files
                    .slice(self.spec.assertions[*position].origin.place)
                    .trim_start_matches('#')
                    .trim()
                    .to_owned()
            });
            format!("the trace violates: {}", texts.collect::<Vec<_>>().join("; "))
        });
        let test = TestCase { inputs: inputs.clone(), expected: self.expected(&measured), notes };
        Replayed { test, met: measured.met, objection }
    }

    fn witnesses(&self) -> Vec<Witness> {
        self.meter.witnesses().map(|(obligation, test)| Witness { obligation, tests: vec![test] }).collect()
    }
}
