//! Action systems for the verbs.

mod chart;
mod converse;
mod describe;
mod entries;
mod run;
mod show;

use std::cell::RefCell;
use std::path::PathBuf;
use std::sync::Arc;

use action::coverage::{Criterion, targets};
use action::score::Score;
use action::{Notation, Spec};
use draw_action::{ActionSubject, CoverageSubject, Limits, Relation, SourceStrategy, Trial, Way, known_label};
use search::Subject;
use serde_json::{Value as Json, json};
use source::{Code, Source};
use testcase::export::Viewer;
use testcase::{Inputs, Suite, TestRecord};

use super::{Asked, Description, ExportedFile, FrontEnd, Model, Mutant, one_of};
use crate::adapter::Converse;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::{Fault, Syntax};
use crate::options::recorded::written;
use crate::options::{ActionArguments, CheckArguments, CriterionArguments, ReadingArguments, RunArguments};
use crate::output::Output;
use crate::reader::Reader;
use crate::words::counted;

/// Action systems in one of their notations.
pub(crate) struct ActionFront(pub(crate) Notation);

/// A model of a reactive system.
struct ActionModel {
    reader: Arc<Reader>,
    source: Source,
    notation: Notation,
    spec: Spec,
    /// Where the table of results goes: no part of what is asked for.
    results: RefCell<Option<PathBuf>>,
}

impl FrontEnd for ActionFront {
    fn family(&self) -> &'static str {
        "action"
    }

    fn title(&self) -> &'static str {
        "action systems"
    }

    fn criteria(&self) -> (Vec<&'static str>, &'static str) {
        (criteria().collect(), "refinement")
    }

    fn budgets(&self) -> &'static [search::Budget] {
        draw_action::effort::BUDGETS
    }

    fn faults(&self) -> Option<&'static Syntax> {
        Some(match self.0 {
            Notation::Native => &Syntax::ACTION,
            Notation::Prolog => return None,
        })
    }

    fn codes(&self) -> &'static [&'static Code] {
        action::codes::CODES
    }

    fn converse(&self) -> Option<Converse> {
        Some(converse::converse)
    }

    fn load(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        _reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        let spec = output.checked(&source, action::load(&source, self.0))?;
        Ok(Box::new(ActionModel {
            reader: reader.clone(),
            source,
            notation: self.0,
            spec,
            results: RefCell::new(None),
        }))
    }

    fn show(&self, test: &TestRecord) -> Option<String> {
        Some(show::show(test))
    }

    fn viewer(&self) -> Option<Viewer> {
        Some(chart::as_svg)
    }

    fn are_mistakes(&self, criterion: &str) -> bool {
        relation(criterion).is_some()
    }

    fn remark(&self, suite: &Suite) -> Option<String> {
        relation(&suite.criterion).map(|_| Score::of(suite).to_string())
    }

    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        action::export::FORMATS
    }

    /// Programs see labels and not states, and are to find any mistake.
    fn asked_for(&self, format: &str, given: &CriterionArguments) -> Option<CriterionArguments> {
        let mut wanted = given.clone();
        wanted.criterion.get_or_insert_with(|| "ioco".to_owned());
        let is_usual = given.action.operators.is_empty() && given.action.mutants.is_none();
        if is_usual && wanted.criterion.as_deref().and_then(relation).is_some() {
            wanted.action.operators = vec!["all".to_owned()];
        }
        EXECUTABLE.contains(&format).then_some(wanted)
    }

    fn export(&self, suite: &Suite, format: &str, _source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        let files = action::export::export(suite, format)
            .ok_or_else(|| one_of("format", format, action::export::FORMATS.iter().map(|(name, _)| *name)))?;
        Ok(files.into_iter().map(|(name, text)| ExportedFile { name, text }).collect())
    }

    fn files(&self, suite: &Suite) -> Vec<ExportedFile> {
        let wanted = ["results", "traces"].into_iter().filter_map(|format| action::export::export(suite, format));
        wanted.flatten().map(|(name, text)| ExportedFile { name, text }).collect()
    }
}

/// The formats that are programs.
const EXECUTABLE: [&str; 2] = ["pytest", "c"];

/// The relation a criterion stands for.
fn relation(criterion: &str) -> Option<Relation> {
    match criterion {
        "refinement" => Some(Relation::Refinement),
        "ioco" => Some(Relation::Ioco),
        _ => None,
    }
}

/// The names of all criteria.
fn criteria() -> impl Iterator<Item = &'static str> {
    ["refinement", "ioco"].into_iter().chain(Criterion::ALL.iter().map(|criterion| criterion.name()))
}

/// The coverage criterion of a name.
fn coverage(name: &str) -> Option<Criterion> {
    Criterion::ALL.iter().copied().find(|criterion| criterion.name() == name)
}

const ENGINES: &[(&str, Way)] = &[
    ("explicit", Way::Explicit),
    ("bounded", Way::Bounded),
    ("strategy-0", Way::Source(SourceStrategy::Initial)),
    ("strategy-1", Way::Source(SourceStrategy::One)),
    ("strategy-2", Way::Source(SourceStrategy::Two)),
    ("strategy-3", Way::Source(SourceStrategy::Three)),
];

fn engine(name: &str) -> Result<Way, Failure> {
    let found = ENGINES.iter().find(|(known, _)| *known == name);
    found.map(|(_, way)| *way).ok_or_else(|| one_of("engine", name, ENGINES.iter().map(|(name, _)| *name)))
}

impl ActionModel {
    fn limits(&self, own: &ActionArguments) -> Limits {
        let number = |value: Option<u64>| value.and_then(|value| usize::try_from(value).ok());
        let usual = Limits::default();
        Limits {
            states: number(own.states).unwrap_or(usual.states),
            memory: number(own.memory).map_or(usual.memory, |mebibytes| mebibytes.saturating_mul(1 << 20)),
            ..usual
        }
    }
}

impl ActionModel {
    /// What is asked of mutants: an engine, and where they come from.
    fn of_mutants(&self, given: ActionArguments) -> Result<ActionArguments, Failure> {
        let name = given.engine.as_deref().unwrap_or("explicit").to_owned();
        engine(&name)?;
        let (mutants, operators) = match &given.mutants {
            Some(folder) => (Some(entries::opened(&self.reader, folder)?.0.into()), Vec::new()),
            None if given.operators.is_empty() => (None, vec!["classic".to_owned()]),
            None => (None, given.operators.clone()),
        };
        if mutants.is_none() {
            entries::operators(&operators.join(","))?;
        }
        Ok(ActionArguments { control: None, engine: Some(name), mutants, operators, ..given })
    }
}

impl Model for ActionModel {
    fn translated(&self) -> Result<String, Failure> {
        draw_action::translate(&self.spec, &Limits::default())
            .map_err(|why| Failure::Usage(format!("the model is too large to be written as a script: {why}")))
    }

    fn source(&self) -> &Source {
        &self.source
    }

    fn describe(&self, output: &Output, arguments: &CheckArguments) -> Result<Description, Failure> {
        Ok(describe::describe(output, &self.spec, arguments.action.invariant))
    }

    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure> {
        let criterion = arguments.criterion.as_deref().unwrap_or("refinement");
        let given = arguments.action.clone();
        let own = if coverage(criterion).is_some() {
            let ActionArguments { control, states, memory, .. } = given;
            ActionArguments { control, states, memory, ..ActionArguments::default() }
        } else if relation(criterion).is_some() {
            self.results.replace(given.results.clone());
            self.of_mutants(given)?
        } else {
            return Err(one_of("criterion", criterion, criteria()));
        };
        Ok(Asked::new(criterion, written(&own)))
    }

    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure> {
        let own: ActionArguments = asked.read()?;
        if let Some(criterion) = coverage(&asked.criterion) {
            let targets = targets(&self.spec, criterion, own.control.as_deref()).map_err(Failure::Rejected)?;
            let place = |span| entries::location(&self.source, span);
            return Ok(Box::new(CoverageSubject::new(&self.spec, targets, self.limits(&own), &place)));
        }
        let relation = relation(&asked.criterion).ok_or_else(|| one_of("criterion", &asked.criterion, criteria()))?;
        let way = engine(own.engine.as_deref().unwrap_or("explicit"))?;
        let entries = entries::entries(output, &self.reader, (&self.source, &self.spec), self.notation, &own)?;
        let rows = entries::rows(&entries);
        let subject = ActionSubject::new(&self.spec, entries, relation, way, self.limits(&own));
        Ok(match self.results.borrow().clone() {
            Some(path) => Box::new(subject.reporting(entries::report(output.clone(), path, rows, &self.spec))),
            None => Box::new(subject),
        })
    }

    fn read_inputs(&self, json: &Json) -> Result<Inputs, String> {
        Trial::from_json(&self.spec, json).map(|trial| Inputs::Document(trial.to_json()))
    }

    fn read_tests(&self, output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure> {
        let labels = action::trace::read_labels(file).map_err(|errors| output.rejected(file, &errors))?;
        let mut trace = Vec::new();
        for (label, span) in labels {
            let known = known_label(&self.spec, &label.to_string());
            known.map_err(|problem| {
                let error = source::Diagnostic::error(&action::codes::TRACE, span, problem);
                output.rejected(file, &[error])
            })?;
            trace.push(json!(label.to_string()));
        }
        Ok(vec![Inputs::Document(json!({ "trace": trace }))])
    }

    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
        run::run(self, output, arguments)
    }

    fn size(&self) -> String {
        format!(
            "{}, {}",
            counted(self.spec.variables().len(), "variable"),
            counted(self.spec.actions().len(), "action")
        )
    }

    fn bound(&self) -> Option<u32> {
        self.spec.depth().map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))
    }

    /// A system may choose among what the model allows: only the judge knows whether a test tells two systems apart.
    fn rivals<'a>(&'a self, asked: &Asked, faults: &[Fault]) -> Result<Option<Box<dyn Subject + 'a>>, Failure> {
        let own: ActionArguments = asked.read()?;
        let relation = relation(&asked.criterion).unwrap_or(Relation::Ioco);
        let entries = entries::of_texts(&self.source, &self.spec, self.notation, faults);
        Ok(Some(Box::new(ActionSubject::new(&self.spec, entries, relation, Way::Explicit, self.limits(&own)))))
    }

    fn comment(&self) -> &'static str {
        match self.notation {
            Notation::Native => "//",
            Notation::Prolog => "%",
        }
    }

    fn mutants(&self, arguments: &CriterionArguments) -> Result<Vec<Mutant>, Failure> {
        entries::listed(&self.source, &self.spec, self.notation, &self.asked(arguments)?.read()?)
    }
}
