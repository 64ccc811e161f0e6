//! Solvers as processes that speak SMT-LIB.
//!
//! What was said is kept, so that a program that was stopped or has died is started again for the next query and
//! told everything that still holds.

mod child;
mod program;
mod response;
mod support;

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Instant;

use source::{SExpr, SExprs};

use crate::print::Names;
use crate::read::ValueReader;
use crate::{
    Answer, Capabilities, Model, Query, Scope, ScriptWriter, Solver, SolverError, SortId, Term, Terms, Unknown,
};
use child::{Conversation, Silence};
pub use program::{Found, PROGRAMS, SolverProgram, found};
use support::Support;

/// So many values are asked for at a time.
const BATCH: usize = 500;

/// A solver in a process of its own.
pub struct ProcessSolver {
    program: SolverProgram,
    path: PathBuf,
    arguments: Vec<String>,
    writer: ScriptWriter,
    support: Support,
    /// What was said in every open scope, the outermost first.
    transcript: Vec<String>,
    /// What the running program was not told yet.
    pending: String,
    conversation: Option<Conversation>,
    /// Whether the running program was told how much it may work.
    limited: bool,
}

/// What stops a query.
enum Stop {
    Answer(Unknown),
    Error(SolverError),
}

impl ProcessSolver {
    /// The program, wherever it is installed. It is started by the first query.
    ///
    /// # Errors
    /// [`SolverError::Missing`] if it is not installed.
    pub fn new(program: &SolverProgram) -> Result<ProcessSolver, SolverError> {
        Ok(ProcessSolver::at(program, program.locate()?))
    }

    /// The program at a given place.
    pub fn at(program: &SolverProgram, path: PathBuf) -> ProcessSolver {
        ProcessSolver {
            program: program.clone(),
            path,
            arguments: program.args.iter().map(|argument| (*argument).to_owned()).collect(),
            writer: ScriptWriter::with_names(Names::prefixed()),
            support: Support::default(),
            transcript: vec![String::new()],
            pending: String::new(),
            conversation: None,
            limited: false,
        }
    }

    /// Whatever a command of the shell starts: any program that reads SMT-LIB from its standard input and answers on its output.
    pub fn command(command: &str) -> ProcessSolver {
        let arguments = vec!["-c".to_owned(), command.to_owned()];
        ProcessSolver { arguments, ..ProcessSolver::at(&program::COMMAND, PathBuf::from("/bin/sh")) }
    }

    fn say(&mut self, text: &str) {
        self.transcript.last_mut().expect("the outermost scope is never closed").push_str(text);
        self.pending.push_str(text);
    }

    fn supported(&mut self, terms: &Terms, term: Term) -> Result<(), SolverError> {
        match self.support.lack(terms, &self.program, term) {
            Some(what) => Err(SolverError::Unsupported { solver: self.program.name.to_owned(), what }),
            None => Ok(()),
        }
    }

    /// The literal that stands for an assumption.
    fn literal(&mut self, terms: &Terms, assumption: Term) -> String {
        let mut text = String::new();
        let literal = self.writer.literal(terms, assumption, &mut text);
        self.say(&text);
        literal
    }

    /// Starts the program if it is not running, and tells it what it does not know.
    fn update(&mut self) -> Result<&mut Conversation, Stop> {
        if self.conversation.is_none() {
            let started = Conversation::start(&self.path, &self.arguments);
            let conversation = started.map_err(|error| Stop::Error(self.not_started(&error)))?;
            let mut text = self.program.options.join("\n") + "\n";
            for (depth, said) in self.transcript.iter().enumerate() {
                text.push_str(if depth == 0 { "" } else { "(push 1)\n" });
                text.push_str(said);
            }
            conversation.say(text);
            self.pending.clear();
            self.conversation = Some(conversation);
        }
        let conversation = self.conversation.as_mut().expect("it was just started");
        if !self.pending.is_empty() {
            conversation.say(std::mem::take(&mut self.pending));
        }
        Ok(conversation)
    }

    fn not_started(&self, error: &std::io::Error) -> SolverError {
        let path = self.path.display().to_string();
        match error.kind() {
            ErrorKind::NotFound => SolverError::Missing { program: path, hint: self.program.install_hint.to_owned() },
            _ => {
                let detail = format!("{path} cannot be started: {error}");
                SolverError::Died { solver: self.program.name.to_owned(), detail }
            }
        }
    }

    fn ask(&mut self, question: String, query: &Query<'_>, deadline: Option<Instant>) -> Result<String, Stop> {
        let solver = self.program.name.to_owned();
        let conversation = self.update()?;
        conversation.say(question + "\n");
        loop {
            match conversation.hear(deadline, &query.interrupt) {
                Ok(said) if said == "success" => {}
                Ok(said) => return Ok(said),
                Err(Silence::Time) => return Err(Stop::Answer(Unknown::Time)),
                Err(Silence::Interrupted) => return Err(Stop::Answer(Unknown::Interrupted)),
                Err(Silence::Died(detail)) => return Err(Stop::Error(SolverError::Died { solver, detail })),
                Err(Silence::Endless) => return Err(self.garbage("a response without an end")),
            }
        }
    }

    /// How much the program may work on the next question, in its own count; nothing if that does not change, or if it has none.
    fn limit(&mut self, query: &Query<'_>) -> String {
        let limited = std::mem::replace(&mut self.limited, query.limits.conflicts.is_some());
        match (self.program.work, query.limits.conflicts) {
            (Some(unit), Some(conflicts)) => {
                let most = conflicts.max(1).saturating_mul(unit).min(u32::MAX.into());
                format!("(set-option :reproducible-resource-limit {most})\n")
            }
            // Zero stands for no limit.
            (Some(_), None) if limited => "(set-option :reproducible-resource-limit 0)\n".to_owned(),
            (Some(_) | None, _) => String::new(),
        }
    }

    fn garbage(&self, said: &str) -> Stop {
        let shown: String = said.chars().take(300).collect();
        Stop::Error(SolverError::Garbage { solver: self.program.name.to_owned(), said: shown })
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Result<Answer, Stop> {
        let deadline = query.limits.time.map(|time| Instant::now() + time);
        let literals: Vec<String> = query.assumptions.iter().map(|&term| self.literal(terms, term)).collect();
        let question = self.limit(query) + &ScriptWriter::question(&literals);
        match self.ask(question, query, deadline)?.as_str() {
            "sat" if query.wanted.model => self.model(terms, query, deadline),
            "sat" => Ok(Answer::Sat(Model::new())),
            "unsat" => {
                let wanted = query.wanted.core && !literals.is_empty();
                let core = match wanted && self.program.capabilities.cores {
                    true => self.core(&literals, query, deadline)?,
                    false if wanted => query.assumptions.to_vec(),
                    false => Vec::new(),
                };
                Ok(Answer::Unsat { core, scope: Scope::All })
            }
            "unknown" => {
                let reason = self.ask("(get-info :reason-unknown)".to_owned(), query, deadline)?;
                if reason.starts_with("(error") {
                    // Bitwuzla does not know the question, and ends over it; the next query starts it again.
                    self.conversation = None;
                    return Ok(Answer::Unknown(Unknown::Incomplete("it does not say why".to_owned())));
                }
                let reason = reason.trim_start_matches("(:reason-unknown").trim_end_matches(')').trim();
                if query.limits.conflicts.is_some() && reason.to_lowercase().contains("resource") {
                    return Ok(Answer::Unknown(Unknown::Conflicts));
                }
                Ok(Answer::Unknown(Unknown::Incomplete(reason.trim_matches('"').to_owned())))
            }
            said if self.program.gives_up.iter().any(|words| said.contains(words)) => {
                // The error may have ended the program; the next query starts it again.
                self.conversation = None;
                let reason = said.trim_start_matches("(error").trim_end_matches(')').trim().trim_matches('"');
                Ok(Answer::Unknown(Unknown::Incomplete(reason.to_owned())))
            }
            said => Err(self.garbage(said)),
        }
    }

    fn model(&mut self, terms: &Terms, query: &Query<'_>, deadline: Option<Instant>) -> Result<Answer, Stop> {
        let mut model = Model::new();
        let mut values = ValueReader::new();
        for (sort, names) in self.writer.enumerations() {
            values.enumeration(&sort, &names.name, &names.variants);
        }
        for batch in self.writer.declared(terms).chunks(BATCH) {
            let names: Vec<_> = batch.iter().map(|&symbol| self.writer.names().symbol(terms, symbol)).collect();
            let said = self.ask(format!("(get-value ({}))", names.join(" ")), query, deadline)?;
            let Ok(read) = SExprs::read(&said) else { return Err(self.garbage(&said)) };
            let pairs = read.roots().first().and_then(|&root| read.list(root)).unwrap_or_default();
            let value_of = |pair: SExpr| match read.list(pair) {
                Some(&[_, value]) => Some(value),
                _ => None,
            };
            let found: Option<Vec<SExpr>> = pairs.iter().map(|&pair| value_of(pair)).collect();
            let Some(found) = found.filter(|found| found.len() == batch.len()) else {
                return Err(self.garbage(&said));
            };
            for (&symbol, node) in batch.iter().zip(found) {
                match values.read(&said, &read, node, terms.sort(symbol)) {
                    Ok(value) => model.insert(symbol, value),
                    Err(_) => {
                        let text: String = read.text(&said, node).chars().take(200).collect();
                        return Ok(Answer::Unknown(Unknown::Incomplete(format!("we do not read its value `{text}`"))));
                    }
                }
            }
        }
        Ok(Answer::Sat(model))
    }

    fn core(&mut self, literals: &[String], query: &Query<'_>, deadline: Option<Instant>) -> Result<Vec<Term>, Stop> {
        let said = self.ask("(get-unsat-assumptions)".to_owned(), query, deadline)?;
        let read = SExprs::read(&said).ok();
        let root = read.as_ref().and_then(|read| read.roots().first().and_then(|&root| read.list(root)));
        let (Some(read), Some(items)) = (&read, root) else { return Err(self.garbage(&said)) };
        let mut core = Vec::new();
        for &item in items {
            let spoken = spelled(&said, read, item);
            let place = literals.iter().position(|literal| spelled_text(literal) == spoken);
            let Some(place) = place else { return Err(self.garbage(&said)) };
            core.push(query.assumptions[place]);
        }
        core.sort_unstable();
        core.dedup();
        Ok(core)
    }
}

/// A literal without the freedom of spacing and quotes: its name, and whether it is negated.
fn spelled(text: &str, read: &SExprs, item: SExpr) -> Option<(String, bool)> {
    if let Some(name) = read.symbol(text, item) {
        return Some((name.to_owned(), false));
    }
    match read.list(item) {
        Some(&[not, name]) if read.text(text, not) == "not" => Some((read.symbol(text, name)?.to_owned(), true)),
        _ => None,
    }
}

fn spelled_text(text: &str) -> Option<(String, bool)> {
    let read = SExprs::read(text).ok()?;
    spelled(text, &read, *read.roots().first()?)
}

impl Solver for ProcessSolver {
    fn name(&self) -> &str {
        self.program.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.program.capabilities
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        assert_eq!(terms.sort_id(fact), SortId::BOOL, "facts are truth values");
        self.supported(terms, fact)?;
        let mut text = String::new();
        self.writer.assert(terms, fact, &mut text);
        self.say(&text);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.transcript.push(String::new());
        self.writer.push(&mut self.pending);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        if self.transcript.len() == 1 {
            return Ok(());
        }
        self.transcript.pop();
        self.writer.pop(&mut self.pending);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        for &assumption in query.assumptions {
            self.supported(terms, assumption)?;
        }
        let result = self.answer(terms, &query);
        if result.is_err() {
            // The conversation is out of step; the next query starts a new one.
            self.conversation = None;
        }
        match result {
            Ok(answer) => Ok(answer),
            Err(Stop::Answer(reason)) => Ok(Answer::Unknown(reason)),
            Err(Stop::Error(error)) => Err(error),
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
