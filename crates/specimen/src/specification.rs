//! A specification as the verbs use it: read, checked, and ready to make goals of.

use std::path::{Path, PathBuf};

use boolean::Spec;
use boolean::goals::{GoalOptions, Goals};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use source::{Rejection, Source};
use testcase::{Interface, Port, SourceRecord, Suite, fingerprint};
use value::Sort;

use crate::args::{Conditions, CriterionArguments, ReadingArguments};
use crate::failure::Failure;
use crate::input;
use crate::language::Language;
use crate::output::Output;

/// A checked specification with its text.
pub(crate) struct Specification {
    pub(crate) language: Language,
    pub(crate) source: Source,
    pub(crate) record: SourceRecord,
    pub(crate) spec: Spec,
}

impl Specification {
    /// Reads a file, and shows what there is to say about it.
    pub(crate) fn read(output: &Output, path: &Path, reading: &ReadingArguments) -> Result<Specification, Failure> {
        let language = match reading.lang {
            Some(language) => language,
            None => {
                // A file that is not there is a better complaint than a language that is not known.
                if path.is_dir() || !path.exists() {
                    input::read(path)?;
                }
                Language::of(path)?
            }
        };
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        if let Some(rejection) = Rejection::by_length(&path.display().to_string(), length) {
            output.diagnostics(&rejection.source, std::slice::from_ref(&rejection.diagnostic));
            return Err(Failure::Shown);
        }
        let bytes = input::read(path)?;
        Specification::from_bytes(output, &path.display().to_string(), bytes, language, reading.decision.as_deref())
    }

    /// Takes the bytes of a file called `name`.
    pub(crate) fn from_bytes(
        output: &Output,
        name: &str,
        bytes: Vec<u8>,
        language: Language,
        decision: Option<&str>,
    ) -> Result<Specification, Failure> {
        let record = SourceRecord { file: input::file_name(Path::new(name)), sha256: fingerprint(&bytes) };
        let source = Source::from_bytes(name, bytes).map_err(|rejection| {
            output.diagnostics(&rejection.source, std::slice::from_ref(&rejection.diagnostic));
            Failure::Shown
        })?;
        let loaded = match decision {
            None => boolean::load(&source, language.dialect()),
            Some(name) => boolean::load_decision(&source, language.dialect(), name),
        };
        match loaded {
            Ok((spec, warnings)) => {
                output.diagnostics(&source, &warnings);
                Ok(Specification { language, source, record, spec })
            }
            Err(errors) => {
                output.diagnostics(&source, &errors);
                Err(Failure::Shown)
            }
        }
    }

    /// Reads the source of a suite: the file given, or the one beside the suite.
    pub(crate) fn of_suite(
        output: &Output,
        suite: &Suite,
        beside: &Path,
        given: Option<&PathBuf>,
    ) -> Result<Specification, Failure> {
        let path = given.cloned().unwrap_or_else(|| beside.with_file_name(&suite.source.file));
        if given.is_none() && !path.is_file() {
            return Err(Failure::Environment(format!(
                "the source {} is not beside the suite; name it with --source",
                suite.source.file
            )));
        }
        let text = |name: &str| suite.options.get(name).and_then(Json::as_str).map(str::to_owned);
        let lang = text("language").map(|name| Language::from_name(&name)).transpose().map_err(Failure::Rejected)?;
        let bytes = input::read(&path)?;
        if fingerprint(&bytes) != suite.source.sha256 {
            return Err(Failure::Rejected(format!("{} is not the source the suite was drawn from", path.display())));
        }
        let language = lang.map_or_else(|| Language::of(&path), Ok)?;
        Specification::from_bytes(output, &path.display().to_string(), bytes, language, text("decision").as_deref())
    }

    /// The position of the decision to take: the last.
    pub(crate) fn decision(&self) -> usize {
        self.spec.decisions.len() - 1
    }

    /// What a criterion asks for.
    pub(crate) fn goals(&self, output: &Output, criterion: &CriterionArguments) -> Result<Goals, Failure> {
        let options = GoalOptions { mode: criterion.conditions.into(), boundary: criterion.boundary };
        boolean::goals::goals(&self.source, &self.spec, self.decision(), criterion.criterion, options).map_err(
            |errors| {
                output.diagnostics(&self.source, &errors);
                Failure::Shown
            },
        )
    }

    /// The inputs and outputs of the decision.
    pub(crate) fn interface(&self) -> Interface {
        let inputs = self.spec.variables.iter().map(|variable| Port::new(variable.name.as_str(), &variable.sort));
        let name = self.spec.decisions[self.decision()].name.as_str();
        Interface { inputs: inputs.collect(), outputs: vec![Port::new(name, &Sort::Bool)] }
    }

    /// The options that shape goals and tests, as a suite writes them down.
    pub(crate) fn options(&self, criterion: &CriterionArguments) -> IndexMap<String, Json> {
        let conditions = match criterion.conditions {
            Conditions::Occurrence => "occurrence",
            Conditions::Variable => "variable",
        };
        let decision = &self.spec.decisions[self.decision()].name;
        IndexMap::from([
            ("language".to_owned(), json!(self.language.name())),
            ("decision".to_owned(), json!(decision)),
            ("conditions".to_owned(), json!(conditions)),
            ("boundary".to_owned(), json!(criterion.boundary)),
        ])
    }
}

/// What a suite was asked for, from its criterion and options.
pub(crate) fn criterion_of(suite: &Suite) -> Result<CriterionArguments, Failure> {
    let criterion = boolean::goals::Criterion::from_name(&suite.criterion)
        .ok_or_else(|| Failure::Rejected(format!("the suite has the unknown criterion `{}`", suite.criterion)))?;
    let conditions = match suite.options.get("conditions").and_then(Json::as_str) {
        Some("variable") => Conditions::Variable,
        Some("occurrence") | None => Conditions::Occurrence,
        Some(other) => return Err(Failure::Rejected(format!("the suite has the unknown conditions `{other}`"))),
    };
    let boundary = suite.options.get("boundary").and_then(Json::as_bool).unwrap_or(false);
    Ok(CriterionArguments { criterion, conditions, boundary })
}
