//! Reads a specification in either of its written forms.

use source::{Diagnostic, Source, Span};

use crate::{Spec, check, codes, parse};

/// A written form of specifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dialect {
    /// `.bool`, our own.
    Bool,
    /// `.smt2`, SMT-LIB.
    Smtlib,
}

/// A specification and warnings about it, or what is wrong with it.
pub type Loaded = Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>>;

impl Dialect {
    /// The dialect of files with this extension, written without its dot.
    pub fn from_extension(extension: &str) -> Option<Dialect> {
        match extension {
            "bool" => Some(Dialect::Bool),
            "smt2" => Some(Dialect::Smtlib),
            _ => None,
        }
    }
}

/// Reads a specification. Its last decision is the default one.
///
/// # Errors
/// What is wrong with the text, at least one error.
pub fn load(source: &Source, dialect: Dialect) -> Loaded {
    match dialect {
        Dialect::Bool => check(source, &parse(source)?),
        Dialect::Smtlib => crate::smtlib::load(source, None),
    }
}

/// Reads a specification and makes the decision called `name` its last and so its default one. In an SMT-LIB file the
/// assertions that are not the decision are assumptions, so the choice must be known when the file is read.
///
/// # Errors
/// What is wrong with the text, at least one error; among others that no decision has that name.
pub fn load_decision(source: &Source, dialect: Dialect, name: &str) -> Loaded {
    match dialect {
        Dialect::Smtlib => crate::smtlib::load(source, Some(name)),
        Dialect::Bool => {
            let (mut spec, warnings) = load(source, dialect)?;
            let Some(index) = spec.decision_named(name) else {
                let names = spec.decisions.iter().map(|decision| decision.name.as_str());
                return Err(vec![unknown_decision(name, names)]);
            };
            let chosen = spec.decisions.remove(index);
            spec.decisions.push(chosen);
            Ok((spec, warnings))
        }
    }
}

/// "no decision is called …", with those there are.
pub(crate) fn unknown_decision<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Diagnostic {
    let mut names: Vec<&str> = names.collect();
    names.truncate(30);
    let listed = names.join("`, `");
    let error = Diagnostic::error(&codes::UNKNOWN_DECISION, Span::new(0, 0), format!("no decision is called `{name}`"));
    if names.is_empty() { error } else { error.help(format!("There are `{listed}`.")) }
}
