//! Conversations as files that any SMT-LIB solver can replay.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::print::Logic;
use crate::{Answer, Capabilities, Query, ScriptWriter, Solver, SolverError, Term, Terms};

/// A solver whose conversation is written to an `.smt2` file. The answers stand there as comments.
pub struct Recorded<S> {
    inner: S,
    path: PathBuf,
    file: File,
    writer: ScriptWriter,
    logic: Logic,
    pending: String,
}

impl<S: Solver> Recorded<S> {
    /// Writes what `inner`, which has no facts yet, is told to a new file at `path`.
    ///
    /// # Errors
    /// [`SolverError::Record`] when the file cannot be written.
    pub fn new(inner: S, path: &Path) -> Result<Recorded<S>, SolverError> {
        let file = File::create(path).map_err(|error| record_error(path, &error))?;
        let pending = format!("{MODELS}{}\n", set_logic("ALL"));
        let (writer, logic) = (ScriptWriter::new(), Logic::default());
        Ok(Recorded { inner, path: path.to_owned(), file, writer, logic, pending })
    }

    fn flush(&mut self) -> Result<(), SolverError> {
        let written = self.file.write_all(self.pending.as_bytes());
        self.pending.clear();
        written.map_err(|error| record_error(&self.path, &error))
    }
}

fn record_error(path: &Path, error: &std::io::Error) -> SolverError {
    SolverError::Record { path: path.to_owned(), detail: error.to_string() }
}

impl<S> Drop for Recorded<S> {
    fn drop(&mut self) {
        // Facts after the last query; there is nobody left to tell when they cannot be written.
        let _ = self.file.write_all(self.pending.as_bytes());
        // Only now is it known what the script needs. Until here it says `ALL`, so that one that was cut can be read, too.
        let logic = set_logic(&self.logic.name());
        let _ =
            self.file.seek(SeekFrom::Start(MODELS.len() as u64)).and_then(|_| self.file.write_all(logic.as_bytes()));
    }
}

impl<S: Solver> Solver for Recorded<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> &Capabilities {
        self.inner.capabilities()
    }

    fn assert(&mut self, terms: &Terms, fact: Term) -> Result<(), SolverError> {
        self.inner.assert(terms, fact)?;
        self.logic.note(terms, fact);
        self.writer.assert(terms, fact, &mut self.pending);
        Ok(())
    }

    fn size(&self) -> Option<(u64, u64)> {
        self.inner.size()
    }

    fn push(&mut self) -> Result<(), SolverError> {
        self.inner.push()?;
        self.writer.push(&mut self.pending);
        Ok(())
    }

    fn pop(&mut self) -> Result<(), SolverError> {
        self.inner.pop()?;
        self.writer.pop(&mut self.pending);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, query: Query<'_>) -> Result<Answer, SolverError> {
        let mut literals = Vec::new();
        for &assumption in query.assumptions {
            self.logic.note(terms, assumption);
            literals.push(self.writer.literal(terms, assumption, &mut self.pending));
        }
        self.pending.push_str(&ScriptWriter::question(&literals));
        // The question is on disk before it is asked: a query that never returns is the one to look at.
        self.flush()?;
        let result = self.inner.check(terms, query);
        self.pending = match &result {
            Ok(Answer::Sat(_)) => " ; sat\n".to_owned(),
            Ok(Answer::Unsat { .. }) => " ; unsat\n".to_owned(),
            Ok(Answer::Unknown(reason)) => comment(&format!("unknown: {reason}")),
            Err(error) => comment(&format!("failed: {error}")),
        };
        self.flush()?;
        result
    }
}

/// The first line of a script: options come before the logic.
const MODELS: &str = "(set-option :produce-models true)\n";

/// The second line, of the same length for every logic, so that it can be written again.
fn set_logic(name: &str) -> String {
    format!("(set-logic {name:12})")
}

fn comment(text: &str) -> String {
    format!(" ; {}\n", text.replace(['\n', '\r'], " "))
}
