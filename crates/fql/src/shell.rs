//! The commands of the FQL shell: reading them, and the settings they change.
//!
//! A line is a comment, a control command, a macro definition or a query. Keywords are case-insensitive. Loading files and
//! answering queries is up to whoever runs the shell: [`Session::interpret`] says what is to be done.

use source::{Diagnostic, Span};

use crate::ast::Query;
use crate::codes::COMMAND;
use crate::macros::Macros;
use crate::parse::parse;

/// The prompt.
pub const PROMPT: &str = "FShell2> ";

/// The grammar of everything the shell accepts.
pub const HELP: &str = "\
Commands:
  HELP                                    this text
  QUIT | EXIT                             leave
  ADD SOURCECODE [-D name[='value']] 'f'  load a C file; the macros are defined for this file only
  SHOW FILENAMES                          the loaded files
  SHOW SOURCECODE 'f' | SHOW SOURCECODE ALL
                                          the text with line numbers
  SHOW LOOPS                              the loops, as --unwindset names them
  SHOW SETTINGS                           entry function, limits, abstracted functions, macros
  SET ENTRY f                             runs start in function f
  SET LIMIT COUNT k                       at most k test cases per query
  SET NO_ZERO_INIT                        globals without initialiser are inputs
  SET ABSTRACT f                          forget the body of f: its result becomes an input
  SET MULTIPLE_COVERAGE k                 k disjoint suites per query
  SET UNWIND k                            bound of all loops and recursions

Macros:
  #define name text | #define name(a, b) text | #undef name

Queries (keywords in any case, // starts a comment):
  Query    ::= [ 'in' T ] 'cover' Anchored(C) [ 'passing' Anchored(P) ]
  Anchored ::= X | '^' X | X '$' | '^' X '$'
  C        ::= C '+' C | C '.' C | C '->' C | '(' C ')' | N | S | '\"' P '\"' | C '==' k | C '<=' k
  P        ::= P '+' P | P '.' P | P '->' P | '(' P ')' | N | S | P '*' | P '==' k | P '<=' k | P '>=' k
  N        ::= T | 'NODES(' T ')' | 'EDGES(' T ')' | 'PATHS(' T ',' k ')'
  T        ::= F | 'ID' | T '|' T | T '&' T | '(' T ')' | 'NOT(' T ')' | 'SETMINUS(' T ',' T ')' | 'COMPOSE(' T ',' T ')'
  F        ::= '@BASICBLOCKENTRY' | '@CONDITIONEDGE' | '@CONDITIONGRAPH' | '@DECISIONEDGE' | '@CALLS'
             | '@FILE(' 'name' ')' | '@LINE(' n ')' | '@' n | '@COLUMN(' n ')' | '@FUNC(' f ')' | '@ENTRY(' f ')' | '@EXIT(' f ')'
             | '@CALL(' f ')' | '@LABEL(' l ')' | '@DEF(' v ')' | '@USE(' v ')' | '@STMTTYPE(' kind {',' kind} ')'
             | '@EXPR(' 'text' ')' | '@REGEXP(' 'expression' ')' | '@EDGE(' n {',' n} ')' | '@NODE(' n {',' n} ')'
  S        ::= '{' C-expression '}'
  kind     ::= if | for | while | do | switch | ?: | assert | return | goto | break | continue | expr | decl | bool
";

/// What a line asks for.
#[derive(Clone, Debug)]
pub enum Action {
    /// Nothing more: a comment, a setting or a macro.
    Nothing,
    /// To show a text.
    Show(String),
    /// To leave.
    Quit,
    /// To load a file, with macros of the preprocessor.
    Load {
        /// The file.
        file: String,
        /// The macros, as `name` or `name=value`.
        defines: Vec<String>,
    },
    /// To list the loaded files.
    ShowFilenames,
    /// To list the loops, as bounds name them.
    ShowLoops,
    /// To show a file, or all.
    ShowSource(Option<String>),
    /// To answer a query. The text is that of the line with macros replaced.
    Query {
        /// The text.
        text: String,
        /// The query.
        query: Box<Query>,
    },
}

/// What the commands of a session have set.
#[derive(Clone, Debug)]
pub struct Session {
    /// Where runs start.
    pub entry: String,
    /// The most test cases per query.
    pub limit: Option<u32>,
    /// Whether globals without initialiser are zero rather than inputs.
    pub zero_init: bool,
    /// The functions whose bodies are forgotten.
    pub abstracted: Vec<String>,
    /// The number of disjoint suites per query.
    pub multiple_coverage: u32,
    /// The bound of loops and recursions.
    pub unwind: Option<u32>,
    /// The macros.
    pub macros: Macros,
}

impl Default for Session {
    fn default() -> Session {
        Session {
            entry: "main".into(),
            limit: None,
            zero_init: true,
            abstracted: Vec::new(),
            multiple_coverage: 1,
            unwind: None,
            macros: Macros::default(),
        }
    }
}

impl Session {
    /// Obeys a line as far as settings go, and says what else is to be done.
    ///
    /// # Errors
    /// When the line is not understood; the session goes on.
    pub fn interpret(&mut self, line: &str) -> Result<Action, Box<Diagnostic>> {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("//") {
            return Ok(Action::Nothing);
        }
        if Macros::is_directive(line) {
            return self.macros.directive(line).map(|()| Action::Nothing);
        }
        let words = words(line);
        match words.first().map(|word| word.text.to_ascii_uppercase()).as_deref() {
            Some("HELP" | "QUIT" | "EXIT" | "ADD" | "SHOW" | "SET") => self.command(line, &words),
            _ => {
                let expanded = self.macros.expand(line)?;
                let query = parse(&expanded.text).map_err(|error| Box::new(expanded.relocate(*error)))?;
                Ok(Action::Query { text: expanded.text.trim().to_owned(), query: Box::new(query) })
            }
        }
    }

    fn command(&mut self, line: &str, words: &[Word]) -> Result<Action, Box<Diagnostic>> {
        let upper: Vec<String> = words.iter().take(3).map(|word| word.text.to_ascii_uppercase()).collect();
        let keys: Vec<&str> = upper.iter().map(String::as_str).collect();
        let whole = Span::new(0, line.trim_end().len());
        let wrong =
            |message: &str| Box::new(Diagnostic::error(&COMMAND, whole, message).help("HELP lists all commands."));
        let one = |at: usize, what: &str| match words.get(at) {
            Some(word) if words.len() == at + 1 => Ok(word),
            _ => Err(wrong(&format!("expected {what}"))),
        };
        match keys[..] {
            ["HELP", ..] => Ok(Action::Show(HELP.into())),
            ["QUIT" | "EXIT"] => Ok(Action::Quit),
            ["ADD", "SOURCECODE", ..] => add(&words[2..]).map_err(|message| wrong(&message)),
            ["SHOW", "FILENAMES"] => Ok(Action::ShowFilenames),
            ["SHOW", "LOOPS"] => Ok(Action::ShowLoops),
            ["SHOW", "SETTINGS"] => Ok(Action::Show(self.settings())),
            ["SHOW", "SOURCECODE", ..] => {
                let word = one(2, "the name of a file in single quotes, or ALL")?;
                match (word.quoted, keys[2]) {
                    (true, _) => Ok(Action::ShowSource(Some(word.text.clone()))),
                    (false, "ALL") => Ok(Action::ShowSource(None)),
                    _ => Err(wrong("expected the name of a file in single quotes, or ALL")),
                }
            }
            ["SET", "NO_ZERO_INIT"] => {
                self.zero_init = false;
                Ok(Action::Nothing)
            }
            ["SET", "ENTRY", ..] => {
                self.entry = one(2, "the name of a function")?.text.clone();
                Ok(Action::Nothing)
            }
            ["SET", "ABSTRACT", ..] => {
                let name = one(2, "the name of a function")?.text.clone();
                if !self.abstracted.contains(&name) {
                    self.abstracted.push(name);
                }
                Ok(Action::Nothing)
            }
            ["SET", "LIMIT", "COUNT"] => {
                self.limit = Some(number(one(3, "a number")?).map_err(|message| wrong(&message))?);
                Ok(Action::Nothing)
            }
            ["SET", "UNWIND", ..] => {
                self.unwind = Some(number(one(2, "a number")?).map_err(|message| wrong(&message))?);
                Ok(Action::Nothing)
            }
            ["SET", "MULTIPLE_COVERAGE", ..] => {
                self.multiple_coverage = number(one(2, "a number")?).map_err(|message| wrong(&message))?;
                Ok(Action::Nothing)
            }
            ["SET", ..] => {
                Err(wrong("expected SET ENTRY, LIMIT COUNT, NO_ZERO_INIT, ABSTRACT, MULTIPLE_COVERAGE or UNWIND"))
            }
            ["SHOW", ..] => Err(wrong("expected SHOW FILENAMES, SOURCECODE, LOOPS or SETTINGS")),
            ["ADD", ..] => Err(wrong("expected ADD SOURCECODE")),
            _ => Err(wrong("this command takes no arguments")),
        }
    }

    fn settings(&self) -> String {
        let mut lines = vec![format!("entry {}", self.entry)];
        lines.push(self.limit.map_or("no limit of test cases".into(), |limit| format!("at most {limit} test cases")));
        lines.push(if self.zero_init { "globals start as zero".into() } else { "globals are inputs".to_owned() });
        lines.push(format!("{} suites per query", self.multiple_coverage));
        lines.push(self.unwind.map_or("no bound of loops".into(), |bound| format!("loops up to {bound} times")));
        lines.extend(self.abstracted.iter().map(|name| format!("abstract {name}")));
        lines.extend(self.macros.lines());
        lines.join("\n") + "\n"
    }
}

/// A text with line numbers, as SHOW SOURCECODE shows it.
pub fn numbered(text: &str) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{}\t {line}\n", at + 1)).collect()
}

/// The keywords that complete what has been typed of a word.
pub fn completions(start: &str) -> Vec<&'static str> {
    const WORDS: [&str; 41] = [
        "HELP",
        "QUIT",
        "EXIT",
        "ADD SOURCECODE '",
        "SHOW FILENAMES",
        "SHOW SOURCECODE ",
        "SHOW SETTINGS",
        "SHOW LOOPS",
        "SET ENTRY ",
        "SET LIMIT COUNT ",
        "SET NO_ZERO_INIT",
        "SET ABSTRACT ",
        "SET MULTIPLE_COVERAGE ",
        "SET UNWIND ",
        "#define ",
        "cover ",
        "passing ",
        "in ",
        "ID",
        "NODES(",
        "EDGES(",
        "PATHS(",
        "NOT(",
        "SETMINUS(",
        "COMPOSE(",
        "@BASICBLOCKENTRY",
        "@CONDITIONEDGE",
        "@CONDITIONGRAPH",
        "@DECISIONEDGE",
        "@CALLS",
        "@FILE('",
        "@LINE(",
        "@COLUMN(",
        "@FUNC(",
        "@ENTRY(",
        "@EXIT(",
        "@CALL(",
        "@LABEL(",
        "@DEF(",
        "@USE(",
        "@STMTTYPE(",
    ];
    let matches = |word: &&&str| {
        start.len() <= word.len()
            && word.is_char_boundary(start.len())
            && word[..start.len()].eq_ignore_ascii_case(start)
    };
    if start.is_empty() { Vec::new() } else { WORDS.iter().filter(matches).copied().collect() }
}

/// A word of a command; text in single quotes is one word.
struct Word {
    text: String,
    quoted: bool,
}

fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (text, quoted, end) = match rest.strip_prefix('\'') {
            Some(inner) => match inner.find('\'') {
                Some(end) => (&inner[..end], true, end + 2),
                None => (inner, false, rest.len()),
            },
            None => {
                let mut inside = false;
                let ends = |c: char| {
                    inside ^= c == '\'';
                    c.is_whitespace() && !inside
                };
                let end = rest.find(ends).unwrap_or(rest.len());
                (&rest[..end], false, end)
            }
        };
        words.push(Word { text: text.to_owned(), quoted });
        rest = rest[end..].trim_start();
    }
    words
}

fn add(words: &[Word]) -> Result<Action, String> {
    let mut defines = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        match word.text.strip_prefix("-D") {
            Some(rest) if !word.quoted => {
                let text = if rest.is_empty() {
                    at += 1;
                    words.get(at).map(|word| word.text.as_str()).ok_or("expected a macro behind -D")?
                } else {
                    rest
                };
                defines.push(text.replace('\'', ""));
                at += 1;
            }
            _ => break,
        }
    }
    match &words[at.min(words.len())..] {
        [file] if file.quoted => Ok(Action::Load { file: file.text.clone(), defines }),
        _ => Err("expected the name of a file in single quotes".into()),
    }
}

fn number(word: &Word) -> Result<u32, String> {
    match word.text.parse() {
        Ok(0) => Err("the number must be at least 1".into()),
        Ok(number) => Ok(number),
        Err(_) => Err(format!("`{}` is not a number", word.text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_any_case() {
        let mut session = Session::default();
        let mut load = |line: &str| match session.interpret(line) {
            Ok(Action::Load { file, defines }) => format!("{file} {defines:?}"),
            Ok(other) => format!("{other:?}"),
            Err(error) => error.message,
        };
        assert_eq!(load("add sourcecode 'a b.c'"), "a b.c []");
        assert_eq!(load("ADD SourceCode -D X -DY='1 2' 'f.c'"), "f.c [\"X\", \"Y=1 2\"]");
        assert_eq!(load("add sourcecode f.c"), "expected the name of a file in single quotes");
        assert_eq!(load("set limit count 0"), "the number must be at least 1");
        assert_eq!(load("set entry"), "expected the name of a function");
        assert_eq!(load("quit now"), "this command takes no arguments");
        assert_eq!(load("// a comment"), "Nothing");
        assert_eq!(load("set entry foo"), "Nothing");
        assert_eq!(load("set no_zero_init"), "Nothing");
        assert_eq!((session.entry.as_str(), session.zero_init), ("foo", false));
    }

    #[test]
    fn queries_are_expanded_and_errors_leave_the_session_usable() {
        let mut session = Session::default();
        assert!(session.interpret("#define st(s) @STMTTYPE(s)").is_ok());
        let Ok(Action::Query { text, .. }) = session.interpret("cover st(if) + st(assert) + st(while)") else {
            panic!("a query");
        };
        assert_eq!(text, "cover @STMTTYPE(if) + @STMTTYPE(assert) + @STMTTYPE(while)");
        let error = session.interpret("cover st(if) + st(unless)").expect_err("no kind of statement");
        assert_eq!((error.code.id, error.labels[0].span), ("fql-syntax", Span::new(15, 25)));
        assert!(matches!(session.interpret("help"), Ok(Action::Show(_))));
    }

    #[test]
    fn words_are_completed() {
        assert_eq!(completions("@con"), ["@CONDITIONEDGE", "@CONDITIONGRAPH"]);
        assert_eq!(completions("set e"), ["SET ENTRY "]);
        assert!(completions("zzz").is_empty() && completions("").is_empty());
    }
}
