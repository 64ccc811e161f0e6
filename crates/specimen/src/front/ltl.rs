//! Linear temporal logic for the verbs.

mod describe;
mod run;
mod traces;
mod verdicts;

use ltl::{Dialect, Spec};
use serde_json::Value as Json;
use source::{Code, Source};
use testcase::Inputs;
use testgen::Subject;

use super::{Asked, Description, FrontEnd, Model};
use crate::args::{CheckArguments, CriterionArguments, ReadingArguments, RunArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::present::counted;

/// Specifications in one of their written forms.
pub(crate) struct LtlFront(pub(crate) Dialect);

/// A specification.
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

    fn load(&self, output: &Output, source: Source, _reading: &ReadingArguments) -> Result<Box<dyn Model>, Failure> {
        match ltl::load(&source, self.0) {
            Ok((spec, warnings)) => {
                output.diagnostics(&source, &warnings);
                Ok(Box::new(LtlModel { source, spec }))
            }
            Err(errors) => Err(output.rejected(&source, &errors)),
        }
    }
}

impl Model for LtlModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, _arguments: &CheckArguments) -> Result<Description, Failure> {
        Ok(describe::describe(output, &self.spec))
    }

    fn asked(&self, _arguments: &CriterionArguments) -> Result<Asked, Failure> {
        Err(no_suites())
    }

    fn subject<'a>(&'a self, _output: &Output, _asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        Err(no_suites())
    }

    fn read_inputs(&self, _json: &Json) -> Result<Inputs, String> {
        Err("there are no suites of LTL specifications".to_owned())
    }

    fn read_tests(&self, _output: &Output, _file: &Source) -> Result<Vec<Inputs>, Failure> {
        Err(no_suites())
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(self, output, arguments)
    }

    fn size(&self) -> String {
        let properties = self.spec.assumptions.len() + self.spec.guarantees.len();
        format!("{}, {}", counted(self.spec.signals.len(), "signal"), counted(properties, "formula"))
    }
}

fn no_suites() -> Failure {
    Failure::Usage("LTL specifications have no criteria of coverage; `run` judges traces".to_owned())
}
