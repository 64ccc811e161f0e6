//! Signal temporal logic for the verbs.

mod chart;
mod evaluate;
mod export;
mod log;
mod oracle;
mod python;
mod report;
mod run;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use draw_stl::{StlSubject, precheck};
use search::{Backend, Options, SearchError, Subject};
use serde_json::{Map, Value as Json, json};
use source::{Code, Source};
use stl::goals::{Criterion, GoalOptions};
use stl::mutate::{MutationOptions, Operator, Steps, mutants, sizes};
use stl::signal::{from_json, to_json};
use stl::{Spec, horizon, print, read_number, write_number};
use testcase::export::Viewer;
use testcase::{Inputs, Suite, TestRecord};
use value::RBig;

use super::{Asked, Description, ExportedFile, FrontEnd, Model, Mutant, one_of};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::Syntax;
use crate::options::recorded::written;
use crate::options::{
    CheckArguments, CriterionArguments, EvaluateArguments, ReadingArguments, RunArguments, StlCriterionArguments,
    StlReadingArguments,
};
use crate::output::Output;
use crate::reader::Reader;
use crate::words::counted;

/// How long `check` looks for a signal that satisfies the formula and one that violates it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Signal temporal logic.
pub(crate) struct StlFront;

/// A file with a formula.
struct StlModel {
    source: Source,
    spec: Spec,
    reading: StlReadingArguments,
}

impl FrontEnd for StlFront {
    fn family(&self) -> &'static str {
        "stl"
    }

    fn title(&self) -> &'static str {
        "signal temporal logic"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (Criterion::ALL.iter().map(|criterion| criterion.name()).collect(), Criterion::Mutation.name())
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_stl::effort::BUDGETS
    }

    fn faults(&self) -> Option<&'static Syntax> {
        Some(&Syntax::STL)
    }

    fn codes(&self) -> &'static [&'static Code] {
        stl::codes::CODES
    }

    fn load(
        &self,
        _reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        let loaded = match &reading.stl.decision {
            None => stl::load(&source),
            Some(name) => stl::load_definition(&source, name),
        };
        let spec = as_read(output.checked(&source, loaded)?, &reading.stl)?;
        Ok(Box::new(StlModel { source, spec, reading: reading.stl.clone() }))
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        chart::as_text(test)
    }

    fn viewer(&self) -> Option<Viewer> {
        Some(chart::as_svg)
    }

    fn are_mistakes(&self, criterion: &str) -> bool {
        criterion == Criterion::Mutation.name()
    }

    fn evaluate(&self, output: &Output, list: &Source, arguments: &EvaluateArguments) -> Result<Exit, Failure> {
        let goals = GoalOptions { mutation: mutation_options(&arguments.criterion.stl)?, distinguish: false };
        let search = || Options { strategy: arguments.strategy, ..Options::default() };
        evaluate::evaluate(output, list, &goals, search)
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        export::FORMATS
    }

    fn export(&self, suite: &Suite, format: &str, source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        export::export(suite, format, source)
    }
}

impl Model for StlModel {
    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, _arguments: &CheckArguments) -> Result<Description, Failure> {
        let backend = Backend::new(&Options { timeout: Some(PATIENCE), ..Options::default() });
        if !self.spec.store.is_unbounded(self.spec.formula) {
            match precheck(&self.source, &self.spec, &backend) {
                Ok(warnings) => output.diagnostics(&self.source, &warnings),
                // Sums of signals need a solver that may not be installed; the formula is well formed all the same.
                Err(SearchError::Solver(_)) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let mut spec = self.spec.clone();
        let mutants = mutants(&mut spec, &MutationOptions::default()).map(|mutants| mutants.len());
        let step = write_number(&spec.step());
        let length = write_number(&horizon(&spec.store, &[spec.formula]));
        let count = mutants.map_or_else(|| "too many mutants".to_owned(), |count| counted(count, "mutant"));
        let signals = counted(spec.signals.len(), "signal");
        let mut text = format!("ok, {signals}, step {step}, horizon {length}, {count}\n");
        text += &format!("  {}\n", extent(&spec, &MutationOptions::default()));
        if output.verbose {
            for signal in &spec.signals {
                text += &format!("  {}: {}\n", signal.name, signal.sort);
            }
            text += &format!("  {}\n", print(&spec, spec.formula));
        }
        let names: Map<String, Json> =
            spec.signals.iter().map(|signal| (signal.name.clone(), json!(signal.sort.to_string()))).collect();
        let json = Map::from_iter([
            ("formula".to_owned(), json!(print(&spec, spec.formula))),
            ("signals".to_owned(), Json::Object(names)),
            ("step".to_owned(), json!(step)),
            ("horizon".to_owned(), json!(length)),
            ("mutants".to_owned(), json!(mutants)),
            ("mutated".to_owned(), json!(extent(&spec, &MutationOptions::default()))),
        ]);
        Ok(Description { text, json, exit: Exit::Done })
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let name = arguments.criterion.as_deref().unwrap_or(Criterion::Mutation.name());
        let own = match criterion(name)? {
            Criterion::Mutation => arguments.stl.clone(),
            // Only mutants are made by operators.
            _ => StlCriterionArguments { distinguish: arguments.stl.distinguish, ..StlCriterionArguments::default() },
        };
        mutation_options(&own)?;
        let mut options = written(&self.reading);
        options.extend(written(&own));
        Ok(Asked::new(name, options))
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        let own: StlCriterionArguments = asked.read()?;
        let options = GoalOptions { mutation: mutation_options(&own)?, distinguish: own.distinguish };
        let subject = StlSubject::unchecked(&self.source, &self.spec, criterion(&asked.criterion)?, &options)
            .map_err(|errors| output.rejected(&self.source, &errors))?;
        Ok(Box::new(subject))
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        let trace = from_json(&self.spec, json)?;
        Ok(Inputs::Document(to_json(&self.spec, &trace)))
    }

    fn read_tests(&self, output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let recording = log::read_source(output, &self.spec, &self.reading, file)?;
        Ok(vec![Inputs::Document(to_json(&self.spec, &recording.trace))])
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(self, output, arguments)
    }

    fn requirement(&self) -> Option<&str> {
        self.spec.requirement.as_deref()
    }

    fn extent(&self, asked: &Asked) -> Option<String> {
        let mutation = criterion(&asked.criterion).is_ok_and(|criterion| criterion == Criterion::Mutation);
        let options = asked.read().and_then(|own| mutation_options(&own)).ok().filter(|_| mutation)?;
        Some(extent(&self.spec, &options))
    }

    fn size(&self) -> String {
        let length = horizon(&self.spec.store, &[self.spec.formula]);
        format!(
            "{}, {}, {} steps of {}",
            counted(self.spec.occurrences.len(), "node"),
            counted(self.spec.signals.len(), "signal"),
            write_number(&(length / self.spec.step())),
            write_number(&self.spec.step())
        )
    }

    fn precheck(&self, output: &Output, backend: &Backend) -> Result<(), Failure> {
        let options = GoalOptions::default();
        if let Err(errors) = StlSubject::new(&self.source, &self.spec, Criterion::Mutation, &options) {
            return Err(output.rejected(&self.source, &errors));
        }
        output.diagnostics(&self.source, &precheck(&self.source, &self.spec, backend)?);
        Ok(())
    }

    fn mutants(&self, arguments: &CriterionArguments) -> Result<Vec<Mutant>, Failure> {
        let mut spec = self.spec.clone();
        let goal_options = GoalOptions { mutation: mutation_options(&arguments.stl)?, distinguish: false };
        let goals = stl::goals::goals(&self.source, &mut spec, Criterion::Mutation, &goal_options)
            .map_err(|errors| Failure::Rejected(errors[0].message.clone()))?;
        let mutant = |(goal, mutant): (&testcase::Goal, &stl::mutate::Mutant)| Mutant {
            name: goal.key.clone(),
            operator: mutant.operators.iter().map(|operator| operator.name()).collect::<Vec<_>>().join(","),
            location: goal.location.clone(),
            words: mutant.description.clone(),
            text: print(&spec, mutant.formula),
        };
        Ok(goals.goals.iter().zip(&goals.mutants).map(mutant).collect())
    }
}

/// A specification as the options say that it is read.
fn as_read(spec: Spec, reading: &StlReadingArguments) -> Result<Spec, Failure> {
    let spec = if reading.hold { spec.stepping() } else { spec };
    match &reading.horizon {
        Some(horizon) => Ok(spec.bounded(&time(horizon)?)),
        None => Ok(spec),
    }
}

fn criterion(name: &str) -> Result<Criterion, Failure> {
    Criterion::from_name(name)
        .ok_or_else(|| one_of("criterion", name, Criterion::ALL.iter().map(|criterion| criterion.name())))
}

fn operator(name: &str) -> Result<Operator, Failure> {
    Operator::from_name(name)
        .ok_or_else(|| one_of("mutation operator", name, Operator::ALL.iter().map(|operator| operator.name())))
}

/// A time above zero.
fn time(text: &str) -> Result<RBig, Failure> {
    let time = read_number(text).filter(|time| RBig::ZERO < *time);
    time.ok_or_else(|| Failure::Usage(format!("`{text}` is not a time above zero, such as 0.5 or 1/3")))
}

/// The operators with these names; one name stands for those that were published.
fn operators(names: &[String]) -> Result<MutationOptions, Failure> {
    let mut options = MutationOptions { operators: Vec::new(), ..MutationOptions::default() };
    for name in names {
        if name == MutationOptions::PUBLISHED {
            if names.len() != 1 {
                return Err(Failure::Usage(format!("`{name}` is a whole set of operators and stands alone")));
            }
            return Ok(MutationOptions::published());
        }
        options.operators.push(operator(name)?);
    }
    Ok(options)
}

/// How mutants are made.
fn mutation_options(own: &StlCriterionArguments) -> Result<MutationOptions, Failure> {
    let mut options = if own.operators.is_empty() { MutationOptions::default() } else { operators(&own.operators)? };
    if let Some(step) = &own.mutation_step {
        options.steps = Steps::Exactly(time(step)?);
    }
    options.shift_over_temporal = own.over_temporal;
    Ok(options)
}

/// What mutants do and do not change, in words.
fn extent(spec: &Spec, options: &MutationOptions) -> String {
    let sizes = sizes(spec, options);
    let times: Vec<String> = sizes.times.iter().map(write_number).collect();
    let mut text = format!("bounds of windows are moved by {}", times.join(" and "));
    if let Some(left_out) = &sizes.left_out {
        text += &format!(", not by {}: tests would be too long (`--mutation-step`)", write_number(left_out));
    }
    text += match options.operators.contains(&Operator::ThresholdReplacement) {
        true => "; thresholds by one in their last place",
        false => "; thresholds are not mutated",
    };
    text + "; coefficients are not mutated, nor is more than one place at a time"
}
