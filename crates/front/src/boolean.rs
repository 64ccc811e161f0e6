//! Boolean decisions for the verbs.

mod coupling;
mod describe;
mod run;

use std::sync::Arc;

use boolean::goals::{ConditionMode, Criterion, GoalOptions};
use boolean::interp::Assignment;
use boolean::{Dialect, Spec, Variable};
use draw_boolean::{BooleanSubject, precheck};
use indexmap::IndexMap;
use search::{Backend, Subject};
use serde_json::Value as Json;
use smt::Interrupt;
use source::{Code, Severity, Source};
use testcase::{Inputs, Interface, Port};
use value::{Sort, Value};

use super::{Asked, Description, FrontEnd, Model, one_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::Syntax;
use crate::options::recorded::written;
use crate::options::{
    BooleanCriterionArguments, BooleanReadingArguments, BorderValues, CheckArguments, Conditions, CouplingArguments,
    CriterionArguments, ReadingArguments, RunArguments,
};
use crate::output::Output;
use crate::reader::Reader;
use crate::words::counted;

/// Boolean decisions in one of their written forms.
pub(crate) struct BooleanFront(pub(crate) Dialect);

/// A file of decisions, one of which is looked at.
struct BooleanModel {
    source: Source,
    spec: Spec,
}

impl FrontEnd for BooleanFront {
    fn family(&self) -> &'static str {
        "boolean"
    }

    fn title(&self) -> &'static str {
        "Boolean decisions"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (Criterion::ALL.iter().map(|criterion| criterion.name()).collect(), Criterion::MaskingMcdc.name())
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_boolean::effort::BUDGETS
    }

    fn faults(&self) -> Option<&'static Syntax> {
        Some(match self.0 {
            Dialect::Bool => &Syntax::BOOLEAN,
            Dialect::Smtlib => &Syntax::SMTLIB,
        })
    }

    fn codes(&self) -> &'static [&'static Code] {
        boolean::codes::CODES
    }

    fn load(
        &self,
        _reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        let loaded = match &reading.boolean.decision {
            None => boolean::load(&source, self.0),
            Some(name) => boolean::load_decision(&source, self.0, name),
        };
        let spec = output.checked(&source, loaded)?;
        Ok(Box::new(BooleanModel { source, spec }))
    }
}

impl BooleanModel {
    /// The position of the decision to take: the last.
    fn number(&self) -> usize {
        self.spec.decisions.len() - 1
    }

    fn decision(&self) -> &boolean::Decision {
        &self.spec.decisions[self.number()]
    }

    fn inputs(&self, values: Assignment) -> Inputs {
        let names = self.spec.variables.iter().map(|variable| variable.name.clone());
        Inputs::Assignment(names.zip(values).collect::<IndexMap<String, Value>>())
    }
}

impl Model for BooleanModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, _arguments: &CheckArguments) -> Result<Description, Failure> {
        Ok(describe::describe(output, &self.spec))
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let name = arguments.criterion.as_deref().unwrap_or(Criterion::MaskingMcdc.name());
        let criterion = criterion(name)?;
        let mut options = written(&BooleanReadingArguments { decision: Some(self.decision().name.to_string()) });
        options.extend(written(&arguments.boolean));
        Ok(Asked::new(criterion.name(), options))
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        let own: BooleanCriterionArguments = asked.read()?;
        let mode = match own.conditions {
            Conditions::Variable => ConditionMode::Variable,
            Conditions::Occurrence => ConditionMode::Occurrence,
        };
        let options = GoalOptions { mode, boundary: own.boundary };
        let goals =
            boolean::goals::goals(&self.source, &self.spec, self.number(), criterion(&asked.criterion)?, options)
                .map_err(|errors| output.rejected(&self.source, &errors))?;
        let subject = BooleanSubject::new(&self.spec, self.number(), goals);
        Ok(Box::new(match own.values {
            BorderValues::Small => subject.with_small_values(),
            BorderValues::Border => subject,
        }))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        let object = json.as_object().ok_or("the inputs of a test are an object")?;
        let known = |name: &String| self.spec.variables.iter().any(|variable| variable.name == *name);
        if let Some(name) = object.keys().find(|name| !known(name)) {
            return Err(format!("the specification has no input `{name}`"));
        }
        let read = |variable: &Variable| {
            let json =
                object.get(&variable.name).ok_or_else(|| format!("no value is given for `{}`", variable.name))?;
            value::from_json(&variable.sort, json).map_err(|error| format!("`{}`: {error}", variable.name))
        };
        Ok(self.inputs(self.spec.variables.iter().map(read).collect::<Result<_, _>>()?))
    }

    fn read_tests(&self, output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let rows = boolean::table::read_table(file, &self.spec).map_err(|errors| output.rejected(file, &errors))?;
        Ok(rows.into_iter().map(|values| self.inputs(values)).collect())
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(self, output, arguments)
    }

    fn size(&self) -> String {
        let decision = self.decision();
        format!(
            "{}, {}, {}",
            counted(decision.formula.len(), "node"),
            counted(decision.conditions.len(), "condition"),
            counted(decision.atom_count(), "atom")
        )
    }

    fn precheck(&self, output: &Output, backend: &Backend) -> Result<(), Failure> {
        let objections = precheck(&self.spec, self.number(), backend)?;
        output.diagnostics(&self.source, &objections);
        if objections.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(Failure::Shown);
        }
        Ok(())
    }

    fn interface(&self) -> Option<Interface> {
        let inputs = self.spec.variables.iter().map(|variable| Port::new(variable.name.as_str(), &variable.sort));
        let outputs = vec![Port::new(self.decision().name.as_str(), &Sort::Bool)];
        Some(Interface { inputs: inputs.collect(), outputs })
    }

    fn unmet(&self, reason: &str) -> String {
        format!("the suite does not show both outcomes of the decision: {reason}")
    }

    fn coupling(&self, output: &Output, arguments: &CouplingArguments, interrupt: Interrupt) -> Result<Exit, Failure> {
        coupling::run(self, output, arguments, interrupt)
    }
}

fn criterion(name: &str) -> Result<Criterion, Failure> {
    Criterion::from_name(name)
        .ok_or_else(|| one_of("criterion", name, Criterion::ALL.iter().map(|criterion| criterion.name())))
}
