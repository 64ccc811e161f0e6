//! SMT-LIB 2.6 text to terms.
//!
//! Definitions are expanded, declarations follow `push` and `pop`, and numerals stand for reals where a real is
//! needed. Division by zero means what it means in our terms. Reading is not recursive in the text.

mod apply;
mod command;
mod environment;
mod sort;
mod term;

use std::fmt;
use std::sync::Arc;

use source::{SExpr, SExprError, SExprs, Span};
use value::{EnumSort, EnumValue, Sort, Value};

use crate::{Model, Term, Terms};
use environment::{Environment, SortMeaning};

/// What a script says, command by command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The commands and where they stand. Definitions are expanded and leave no command.
    pub commands: Vec<(Span, Command)>,
}

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `set-logic`.
    Logic(String),
    /// `declare-const`, or `declare-fun` without parameters.
    Declare(Term),
    /// `assert`.
    Assert(Term),
    /// `push`, this many times.
    Push(u32),
    /// `pop`, this many times.
    Pop(u32),
    /// `check-sat`, `check-sat-assuming`.
    Check {
        /// The literals assumed.
        assumptions: Vec<Term>,
    },
    /// `get-value`.
    Values(Vec<Term>),
    /// `exit`; what follows is not read.
    Exit,
    /// A command that changes no meaning, such as `set-info` or `get-model`.
    Other(String),
}

/// Text that is not a script, or a script with a construct we do not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

/// Reads a script.
///
/// # Errors
/// On the first thing that is wrong or not supported.
pub fn read_script(terms: &mut Terms, text: &str) -> Result<Script, ReadError> {
    let read = SExprs::read(text)?;
    command::Reader::new(terms, text, &read).script()
}

/// Reads one expression in which the given names may occur.
///
/// # Errors
/// When it is not an expression of the operators and names we know.
pub fn read_term(terms: &mut Terms, text: &str, names: &[(&str, Term)]) -> Result<Term, ReadError> {
    let read = SExprs::read(text)?;
    let &[root] = read.roots() else {
        return Err(ReadError { span: Span::new(0, text.len()), message: "one expression is expected".to_owned() });
    };
    let mut environment = Environment::default();
    for (name, term) in names {
        environment.bind_term(name, *term);
    }
    term::read(&mut term::Context { terms, text, read: &read, environment: &mut environment }, root)
}

/// Reads values as solvers print them.
pub(crate) struct ValueReader {
    terms: Terms,
    environment: Environment,
}

impl ValueReader {
    /// A reader that knows no enumerations yet.
    pub(crate) fn new() -> ValueReader {
        ValueReader { terms: Terms::new(), environment: Environment::default() }
    }

    /// Adds an enumeration under the names the solver knows it and its variants by.
    pub(crate) fn enumeration(&mut self, sort: &Arc<EnumSort>, name: &str, variants: &[Arc<str>]) {
        self.environment.bind_sort(bare(name), SortMeaning::Sort(Sort::Enum(sort.clone())));
        for (index, variant) in variants.iter().enumerate() {
            let value = Value::Enum(EnumValue { sort: sort.clone(), index: index as u32 });
            self.environment.bind_term(bare(variant), self.terms.constant(value));
        }
    }

    /// Reads a value of a known sort.
    pub(crate) fn read(&mut self, text: &str, read: &SExprs, node: SExpr, sort: &Sort) -> Result<Value, ReadError> {
        let terms = &mut self.terms;
        let mut context = term::Context { terms, text, read, environment: &mut self.environment };
        let term = term::read(&mut context, node)?;
        let term = apply::coerced(&mut self.terms, term, sort);
        let value = crate::eval(&self.terms, &Model::new(), term);
        if value.sort() == *sort {
            Ok(value)
        } else {
            Err(ReadError { span: read.span(node), message: format!("a value of sort {sort} is expected") })
        }
    }
}

fn bare(name: &str) -> &str {
    name.trim_matches('|')
}

impl Script {
    /// The assertions that are in force at the end of the script.
    pub fn assertions(&self) -> Vec<Term> {
        let (mut live, mut scopes) = (Vec::new(), Vec::new());
        for (_, command) in &self.commands {
            match command {
                Command::Assert(fact) => live.push(*fact),
                Command::Push(count) => (0..*count).for_each(|_| scopes.push(live.len())),
                Command::Pop(count) => (0..*count).for_each(|_| live.truncate(scopes.pop().unwrap_or(0))),
                Command::Logic(_)
                | Command::Declare(_)
                | Command::Check { .. }
                | Command::Values(_)
                | Command::Exit
                | Command::Other(_) => {}
            }
        }
        live
    }
}

impl From<SExprError> for ReadError {
    fn from(error: SExprError) -> ReadError {
        ReadError { span: error.span, message: error.message }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests;
