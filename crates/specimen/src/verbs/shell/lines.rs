//! The lines of a session: from a terminal with editing, history and completion, or plainly from a pipe.

use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

use fql::shell::{PROMPT, completions};
use front::failure::Failure;
use front::output::Output;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// The number of lines that the history keeps.
const HISTORY: usize = 200;

/// Where lines come from.
pub(super) enum Lines {
    /// A terminal.
    Terminal(Box<Editor<Suggesting, FileHistory>>),
    /// A pipe or a file.
    Plain,
}

/// What can be completed: keywords, names of files, and the names of the loaded program.
#[derive(Default)]
pub(super) struct Suggesting {
    files: FilenameCompleter,
    /// The names of the program.
    pub(super) names: Names,
}

/// The names of a program, each list in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) functions: Vec<String>,
    pub(super) labels: Vec<String>,
    pub(super) variables: Vec<String>,
}

impl Lines {
    pub(super) fn open(output: &Output) -> Lines {
        if !std::io::stdin().is_terminal() {
            return Lines::Plain;
        }
        let config = Config::builder()
            .max_history_size(HISTORY)
            .map(|builder| builder.completion_type(CompletionType::List).auto_add_history(true).build());
        let editor = config.and_then(Editor::<Suggesting, FileHistory>::with_config);
        match editor {
            Ok(mut editor) => {
                editor.set_helper(Some(Suggesting::default()));
                if let Some(place) = history_file() {
                    // There is none before the first session.
                    let _ = editor.load_history(&place);
                }
                Lines::Terminal(Box::new(editor))
            }
            Err(error) => {
                output.warn(&format!("the terminal cannot be edited on ({error}); lines are read plainly"));
                Lines::Plain
            }
        }
    }

    /// The next line; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<String>, Failure> {
        match self {
            Lines::Terminal(editor) => loop {
                match editor.readline(PROMPT) {
                    Ok(line) => return Ok(Some(line)),
                    // Ctrl-C gives up the line, not the session.
                    Err(ReadlineError::Interrupted) => {}
                    Err(ReadlineError::Eof) => return Ok(None),
                    Err(error) => return Err(Failure::Environment(format!("cannot read the terminal: {error}"))),
                }
            },
            Lines::Plain => {
                let mut line = String::new();
                match std::io::stdin().lock().read_line(&mut line) {
                    Ok(0) => Ok(None),
                    Ok(_) => Ok(Some(line)),
                    Err(error) => Err(Failure::Environment(format!("cannot read standard input: {error}"))),
                }
            }
        }
    }

    /// Tells which names can be completed.
    pub(super) fn know(&mut self, names: Names) {
        if let Lines::Terminal(editor) = self
            && let Some(helper) = editor.helper_mut()
        {
            helper.names = names;
        }
    }

    /// Ends the session: the history is saved.
    pub(super) fn close(self, output: &Output) -> Result<(), Failure> {
        let Lines::Terminal(mut editor) = self else { return Ok(()) };
        output.product("Bye.\n")?;
        if let Some(place) = history_file()
            && let Err(error) = editor.save_history(&place)
        {
            output.warn(&format!("cannot write the history to {}: {error}", place.display()));
        }
        Ok(())
    }
}

fn history_file() -> Option<PathBuf> {
    std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".specimen_history"))
}

impl Suggesting {
    /// Where the word to complete starts in a line, and what it can become.
    fn suggest(&self, line: &str) -> (usize, Vec<String>) {
        let start = line.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '@' || c == '#'));
        let start = start.map_or(0, |at| at + line[at..].chars().next().map_or(0, char::len_utf8));
        let word = &line[start..];
        let upper = line[..start].to_ascii_uppercase();
        let before = upper.trim_end();
        let ends = |endings: &[&str]| endings.iter().any(|ending| before.ends_with(ending));
        let names = if ends(&["@FUNC(", "@CALL(", "@ENTRY(", "@EXIT(", "SET ENTRY", "SET ABSTRACT"]) {
            Some(&self.names.functions)
        } else if ends(&["@LABEL("]) {
            Some(&self.names.labels)
        } else if ends(&["@DEF(", "@USE("]) {
            Some(&self.names.variables)
        } else {
            None
        };
        if let Some(names) = names {
            return (start, names.iter().filter(|name| name.starts_with(word)).cloned().collect());
        }
        // Commands have several words: the line as a whole may be the beginning of one.
        let whole = completions(line.trim_start());
        if !whole.is_empty() {
            return (line.len() - line.trim_start().len(), whole.into_iter().map(str::to_owned).collect());
        }
        (start, completions(word).into_iter().map(str::to_owned).collect())
    }
}

impl Completer for Suggesting {
    type Candidate = Pair;

    fn complete(&self, line: &str, place: usize, context: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let before = &line[..place];
        // Inside single quotes stands the name of a file.
        if before.matches('\'').count() % 2 == 1 {
            return self.files.complete(line, place, context);
        }
        let (start, found) = self.suggest(before);
        Ok((start, found.into_iter().map(|text| Pair { display: text.clone(), replacement: text }).collect()))
    }
}

impl Hinter for Suggesting {
    type Hint = String;
}

impl Highlighter for Suggesting {}

impl Validator for Suggesting {}

impl Helper for Suggesting {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_and_the_names_of_the_program_are_completed() {
        let mut suggesting = Suggesting::default();
        suggesting.names.functions = vec!["eval".into(), "exchange".into(), "main".into()];
        suggesting.names.variables = vec!["left".into()];
        let check = |line: &str, start: usize, expected: &[&str]| {
            let (at, found) = suggesting.suggest(line);
            assert_eq!(
                (at, found.iter().map(String::as_str).collect::<Vec<_>>()),
                (start, expected.to_vec()),
                "{line}"
            );
        };
        check("cover @CALL(e", 12, &["eval", "exchange"]);
        check("set entry m", 10, &["main"]);
        check("cover @def(l", 11, &["left"]);
        check("cover @cond", 6, &["@CONDITIONEDGE", "@CONDITIONGRAPH"]);
        check("set e", 0, &["SET ENTRY "]);
        check("cover @ID pas", 10, &["passing "]);
        check("cover ü @BAS", 9, &["@BASICBLOCKENTRY"]);
        check("", 0, &[]);
    }
}
