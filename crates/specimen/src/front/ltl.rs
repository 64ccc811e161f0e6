//! Linear temporal logic for the verbs: realizability, test strategies against faults, and verdicts on traces.

mod describe;
mod run;
mod show;
mod traces;
mod verdicts;

use indexmap::IndexMap;
use ltl::faults::{Selection, faults};
use ltl::{Dialect, Machine, Spec};
use serde_json::Value as Json;
use source::{Code, Source};
use testcase::{Inputs, Suite, TestRecord};
use testgen::Subject;
use testgen::ltl::{StrategySubject, USUAL_BOUND};

use super::{Asked, Description, ExportedFile, FrontEnd, Model, one_of};
use crate::args::{CheckArguments, CriterionArguments, ReadingArguments, RunArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input;
use crate::output::Output;
use crate::present::counted;

/// Linear temporal logic in one of its written forms.
pub(crate) struct LtlFront(pub(crate) Dialect);

struct LtlModel {
    source: Source,
    spec: Spec,
}

impl FrontEnd for LtlFront {
    fn family(&self) -> &'static str {
        "ltl"
    }

    fn codes(&self) -> &'static [&'static Code] {
        ltl::CODES
    }

    fn load(&self, output: &Output, source: Source, reading: &ReadingArguments) -> Result<Box<dyn Model>, Failure> {
        let loaded = match (&reading.partition, self.0) {
            (Some(path), Dialect::Ltl) => {
                let name = path.display().to_string();
                let partition = Source::from_bytes(&name, input::read(path)?)
                    .map_err(|rejection| output.rejected(&rejection.source, &[rejection.diagnostic]))?;
                ltl::load_with_partition(&source, &partition)
            }
            (None, Dialect::Ltl) => ltl::load(&source, self.0),
            (_, Dialect::Tlsf) => ltl::load_with_parameters(&source, &reading.parameter),
        };
        match loaded {
            Ok((spec, warnings)) => {
                output.diagnostics(&source, &warnings);
                Ok(Box::new(LtlModel { source, spec }))
            }
            Err(errors) => Err(output.rejected(&source, &errors)),
        }
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        show::strategy(&test.inputs)
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[("dot", "the strategies as graphs for Graphviz")]
    }

    fn export(&self, suite: &Suite, format: &str, _source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        if format != "dot" {
            return Err(Failure::Usage(format!("there is no format `{format}` for this language")));
        }
        Ok(self.files(suite))
    }

    fn files(&self, suite: &Suite) -> Vec<ExportedFile> {
        let file = |test: &TestRecord| {
            let mut formulas = ltl::Formulas::new();
            let machine = Machine::from_json(&test.inputs, &mut formulas).ok()?;
            Some(ExportedFile { name: format!("{}.dot", test.id), text: machine.to_dot(&formulas) })
        };
        suite.tests.iter().filter_map(file).collect()
    }
}

fn selection(name: &str) -> Result<Selection, Failure> {
    let found = Selection::NAMES.iter().find(|(other, _)| *other == name);
    found
        .map(|(_, selection)| *selection)
        .ok_or_else(|| one_of("criterion", name, Selection::NAMES.iter().map(|(name, _)| *name)))
}

impl Model for LtlModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, _output: &Output, arguments: &CheckArguments) -> Result<Description, Failure> {
        describe::describe(&self.spec, arguments)
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let name = arguments.criterion.as_deref().unwrap_or("declared");
        selection(name)?;
        Ok(Asked { criterion: name.to_owned(), options: IndexMap::new() })
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        let mut spec = self.spec.clone();
        let faults =
            faults(&mut spec, selection(&asked.criterion)?).map_err(|errors| output.rejected(&self.source, &errors))?;
        Ok(Box::new(StrategySubject::new(&self.source, spec, faults)))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        let mut formulas = self.spec.formulas.clone();
        Machine::from_json(json, &mut formulas)?;
        Ok(Inputs::Document(json.clone()))
    }

    fn read_tests(&self, _output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let rejected = |error: String| Failure::Rejected(format!("{}: {error}", file.name()));
        let json: Json = serde_json::from_str(file.text()).map_err(|error| rejected(error.to_string()))?;
        Ok(vec![self.read_inputs(&json).map_err(rejected)?])
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(self, output, arguments)
    }

    fn size(&self) -> String {
        let formulas = self.spec.formulas.reachable([self.spec.requirement]).len();
        format!("{}, {}", counted(self.spec.signals.len(), "signal"), counted(formulas, "subformula"))
    }

    fn bound(&self) -> Option<u32> {
        Some(USUAL_BOUND)
    }
}
