//! From files to a program.

use std::path::{Path, PathBuf};

use source::{Diagnostic, LineColumn, Source, Span};

use crate::lower::{Predicate, Predicates, Shape, link, lower};
use crate::model::DataModel;
use crate::preprocess::Preprocessor;
use crate::program::{Program, ScopeId};
use crate::prune::prune;
use crate::text::Text;
use crate::token::Names;
use crate::{ast, codes};

/// How programs are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The machine.
    pub model: DataModel,
    /// How files are preprocessed.
    pub preprocessor: Preprocessor,
    /// How the automaton is shaped.
    pub shape: Shape,
    /// Whether functions of the C library that are not defined are taken from ours.
    pub library: bool,
}

impl Default for Options {
    fn default() -> Options {
        let (model, preprocessor) = (DataModel::default(), Preprocessor::default());
        Options { model, preprocessor, shape: Shape::default(), library: true }
    }
}

/// A program with what is needed to speak about it.
#[derive(Clone, Debug)]
pub struct Translation {
    /// The program.
    pub program: Program,
    /// What is questionable about it.
    pub warnings: Vec<Finding>,
    text: Text,
    names: Names,
    predicates: Predicates,
}

/// Something to say about one of the user's files.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The file, or as much of it as is known.
    pub source: Source,
    /// What to say, at a place of that file.
    pub diagnostic: Diagnostic,
    /// The file and line.
    pub place: (String, u32),
}

/// The stack of the thread that reads programs: what nests as deep as allowed fits into it. Only what is used is taken.
const STACK: usize = 1 << 30;

/// Reads, checks and lowers the files of a program; `.i` files are already preprocessed.
///
/// # Errors
/// What is wrong with them.
pub fn load(files: &[PathBuf], options: &Options) -> Result<Translation, Vec<Finding>> {
    let mut units = Vec::new();
    for file in files {
        units.push((file.display().to_string(), preprocess(file, options)?));
    }
    translate(units, options)
}

/// Checks and lowers preprocessed files, each with its name.
///
/// # Errors
/// What is wrong with them.
pub fn load_units(units: Vec<(String, String)>, options: &Options) -> Result<Translation, Vec<Finding>> {
    translate(units, options)
}

/// Checks and lowers preprocessed text, as a file called `name`.
///
/// # Errors
/// What is wrong with it.
pub fn load_text(name: &str, text: &str, options: &Options) -> Result<Translation, Vec<Finding>> {
    translate(vec![(name.to_owned(), text.to_owned())], options)
}

/// The preprocessed text of a file; a `.i` file is one already.
///
/// # Errors
/// What the preprocessor says, or why the file cannot be read.
pub fn preprocess(file: &Path, options: &Options) -> Result<String, Vec<Finding>> {
    let name = file.display().to_string();
    let failed = |message: String| {
        let missing = message.contains("No such file") || message.contains("file not found");
        let mut diagnostic = Diagnostic::error(&codes::PREPROCESSOR, Span::default(), message);
        if missing {
            diagnostic = diagnostic.help("`-I FOLDER` names a folder of headers; `-D NAME=VALUE` sets a macro.");
        }
        vec![Finding { source: Source::new(name.as_str(), ""), diagnostic, place: (name.clone(), 0) }]
    };
    let ready = file.extension().is_some_and(|extension| extension == "i");
    let bytes = if ready {
        std::fs::read(file).map_err(|error| failed(format!("cannot read {name}: {error}")))?
    } else {
        options.preprocessor.run(file, &options.model).map_err(failed)?
    };
    if u32::try_from(bytes.len()).is_err() {
        return Err(failed("the preprocessed text is 4 GiB or larger".to_owned()));
    }
    Ok(text_of(&bytes))
}

/// Old sources hold Latin-1 in comments and strings. A byte that is not text becomes a character that no text has.
fn text_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(RAW + u32::from(*byte))));
    }
    text.replace('\0', "\u{fffd}")
}

/// The first of 256 characters at the end of the private planes that stand for single bytes.
const RAW: u32 = 0x10_fe00;

/// The byte that a character stands for, if it stands for one that was no text.
pub(crate) fn raw_byte(character: char) -> Option<u8> {
    u32::from(character).checked_sub(RAW).and_then(|byte| u8::try_from(byte).ok())
}

fn translate(units: Vec<(String, String)>, options: &Options) -> Result<Translation, Vec<Finding>> {
    source::with_room(STACK, || translate_here(units, options))
}

fn translate_here(units: Vec<(String, String)>, options: &Options) -> Result<Translation, Vec<Finding>> {
    let mut text = Text::default();
    let parts: Vec<Span> = units.iter().map(|(name, unit)| text.add(name, unit)).collect();
    drop(units);
    let mut names = Names::default();
    let mut diagnostics = Vec::new();
    let mut trees: Vec<ast::Unit> = Vec::new();
    for part in parts {
        let tokens = crate::lex(text.text(), part, &mut names, &mut diagnostics);
        match crate::parse(text.text(), &tokens) {
            Ok(mut unit) => {
                prune(&mut unit, &tokens, &text);
                trees.push(unit);
            }
            Err(error) => diagnostics.push(*error),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics.iter().map(|diagnostic| finding(&text, diagnostic)).collect());
    }
    match lower(&text, &mut names, &trees, options.model, options.shape) {
        Ok((mut program, warnings, predicates)) => {
            if options.library {
                link(&mut program, &mut text, &mut names, &predicates);
            }
            let outside = crate::outside::warning(&program).filter(|_| options.library);
            let warnings = warnings.iter().chain(&outside).map(|diagnostic| finding(&text, diagnostic)).collect();
            Ok(Translation { program, warnings, text, names, predicates })
        }
        Err(diagnostics) => Err(diagnostics.iter().map(|diagnostic| finding(&text, diagnostic)).collect()),
    }
}

/// A diagnostic about preprocessed text as one about the user's file.
fn finding(text: &Text, diagnostic: &Diagnostic) -> Finding {
    let span = diagnostic.labels[0].span;
    let location = text.location(span.start);
    let name = text.files()[location.file.0 as usize].clone();
    let original = std::fs::read(&name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let source = match original {
        Ok(original) => Source::new(name.as_str(), original),
        // Without the file the lines before it are empty.
        Err(_) => {
            let line = text.line_at(span.start);
            Source::new(
                name.as_str(),
                format!("{}{line}\n", "\n".repeat(location.line.saturating_sub(1).min(1 << 20) as usize)),
            )
        }
    };
    let words = text.slice(span);
    let place = place_in(&source, LineColumn { line: location.line, column: location.column }, words);
    let mut diagnostic = diagnostic.clone();
    diagnostic.labels.truncate(1);
    diagnostic.labels[0].span = place;
    Finding { source, diagnostic, place: (name, location.line) }
}

/// Where some words stand in a line of a file: at their column, or elsewhere in the line, or the whole line.
fn place_in(source: &Source, at: LineColumn, words: &str) -> Span {
    if at.line == 0 || at.line > source.line_count() {
        return Span::default();
    }
    let line = source.line(at.line);
    let content = source.slice(line);
    let words = words.lines().next().unwrap_or("").trim_end();
    let column = at.column.saturating_sub(1) as usize;
    let found = if content.get(column..).is_some_and(|rest| rest.starts_with(words)) {
        Some(column)
    } else {
        content.find(words)
    };
    match found {
        Some(start) if !words.is_empty() => {
            Span::new(line.start as usize + start, line.start as usize + start + words.len())
        }
        _ => {
            let trimmed = content.trim();
            let start = line.start as usize + content.find(trimmed).unwrap_or(0);
            Span::new(start, start + trimmed.len())
        }
    }
}

impl Translation {
    /// The preprocessed text of a span.
    pub fn slice(&self, span: Span) -> &str {
        self.text.slice(span)
    }

    /// Compiles a state predicate, a C expression, for the names visible in a scope. The program gets a function for it.
    ///
    /// # Errors
    /// When it is not an expression, names something unknown there, or has no truth value. Places count within the predicate.
    pub fn predicate(&mut self, scope: ScopeId, predicate: &str) -> Result<Predicate, Box<Diagnostic>> {
        self.predicates.compile(&mut self.program, &mut self.text, &mut self.names, scope, predicate)
    }
}
