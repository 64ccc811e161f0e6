//! `specimen shell`: FQL queries one after the other, as FShell answers them.

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use fql::output::{PlainOptions, plain, xml};
use fql::shell::{Action, PROMPT, Session, numbered};
use source::Source;
use testcase::{SourceRecord, Suite, fingerprint};

use crate::args::{CReadingArguments, CriterionArguments, ReadingArguments, ShellArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::front::c::{CModel, from_files, suite_tests, without_calls};
use crate::input;
use crate::language::Language;
use crate::output::Output;
use crate::search::{self, Start};
use crate::specification::Specification;

/// The history keeps so many lines.
const HISTORY: usize = 200;

pub(crate) fn run(output: &Output, arguments: &ShellArguments) -> Result<Exit, Failure> {
    let mut shell = Shell {
        output,
        arguments,
        session: Session { entry: arguments.function.clone().unwrap_or("main".into()), ..Session::default() },
        files: Vec::new(),
        history: Vec::new(),
    };
    for file in &arguments.files {
        shell.load(file, &[])?;
    }
    match &arguments.query_file {
        Some(file) => {
            let text = input::read_text(file)?;
            for line in text.lines() {
                if !shell.line(line)? {
                    break;
                }
            }
        }
        None => shell.interact()?,
    }
    Ok(Exit::Done)
}

struct Shell<'a> {
    output: &'a Output,
    arguments: &'a ShellArguments,
    session: Session,
    /// The loaded files, with the macros that were given for each.
    files: Vec<(PathBuf, Vec<String>)>,
    history: Vec<String>,
}

impl Shell<'_> {
    fn interact(&mut self) -> Result<(), Failure> {
        let terminal = std::io::stdin().is_terminal();
        let place = history_file();
        if terminal && let Some(place) = &place {
            let text = std::fs::read_to_string(place).unwrap_or_default();
            self.history = text.lines().map(str::to_owned).collect();
        }
        let mut line = String::new();
        loop {
            if terminal {
                self.output.product(PROMPT)?;
            }
            line.clear();
            match std::io::stdin().lock().read_line(&mut line) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => return Err(Failure::Environment(format!("cannot read standard input: {error}"))),
            }
            if !line.trim().is_empty() {
                self.history.push(line.trim_end().to_owned());
            }
            if !self.line(&line)? {
                break;
            }
        }
        if terminal {
            self.output.product("Bye.\n")?;
            if let Some(place) = place {
                let first = self.history.len().saturating_sub(HISTORY);
                let text = self.history[first..].join("\n") + "\n";
                let saved = std::fs::File::create(&place).and_then(|mut file| file.write_all(text.as_bytes()));
                if let Err(error) = saved {
                    self.output.warn(&format!("cannot write the history to {}: {error}", place.display()));
                }
            }
        }
        Ok(())
    }

    /// Obeys a line; says whether to go on. What is wrong with a line is said, and the session goes on.
    fn line(&mut self, line: &str) -> Result<bool, Failure> {
        let action = match self.session.interpret(line) {
            Ok(action) => action,
            Err(error) => {
                self.output.diagnostics(&Source::new("query", line.trim_end()), std::slice::from_ref(&error));
                return Ok(true);
            }
        };
        let done = match action {
            Action::Nothing => Ok(()),
            Action::Quit => return Ok(false),
            Action::Show(text) => self.output.product(&text),
            Action::Load { file, defines } => self.load(Path::new(&file), &defines),
            Action::ShowFilenames => {
                let list: String = self.files.iter().map(|(file, _)| format!("{}\n", file.display())).collect();
                self.output.product(&list)
            }
            Action::ShowSource(file) => self.show(file.as_deref()),
            Action::Query { text, .. } => self.query(&text),
        };
        match done {
            Ok(()) | Err(Failure::Shown) => Ok(true),
            Err(failure @ (Failure::Usage(_) | Failure::Rejected(_) | Failure::Environment(_))) => {
                self.output.complain(&failure.to_string());
                Ok(true)
            }
            Err(failure @ (Failure::Bug(_) | Failure::Closed)) => Err(failure),
        }
    }

    fn reading(&self) -> ReadingArguments {
        let mut define = self.arguments.define.clone();
        define.extend(self.files.iter().flat_map(|(_, defines)| defines.clone()));
        ReadingArguments {
            lang: Some(Language::C),
            c: CReadingArguments {
                function: Some(self.session.entry.clone()),
                include: self.arguments.include.clone(),
                define,
                machine: self.arguments.machine.clone(),
                blocks: self.arguments.blocks,
                ..CReadingArguments::default()
            },
            ..ReadingArguments::default()
        }
    }

    /// Loads a file if the program with it is correct.
    fn load(&mut self, file: &Path, defines: &[String]) -> Result<(), Failure> {
        if self.files.iter().any(|(known, _)| known == file) {
            return Err(Failure::Rejected(format!("{} is loaded already", file.display())));
        }
        input::read(file)?;
        self.files.push((file.to_owned(), defines.to_vec()));
        // The entry may be in a file that is still to come.
        let mut reading = self.reading();
        reading.c.function = None;
        let checked = self.translated(&reading);
        match checked {
            Ok(_) => Ok(()),
            Err(Failure::Rejected(message)) if message.starts_with("there is no function") => Ok(()),
            Err(failure) => {
                self.files.pop();
                Err(failure)
            }
        }
    }

    fn translated(&self, reading: &ReadingArguments) -> Result<CModel, Failure> {
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let Some(first) = paths.first() else {
            return Err(Failure::Rejected("there is no program: ADD SOURCECODE 'file.c' first".to_owned()));
        };
        let source = Source::new(first.display().to_string(), input::read_text(first)?);
        from_files(self.output, source, &paths, reading)
    }

    fn show(&self, wanted: Option<&str>) -> Result<(), Failure> {
        let mut shown = false;
        for (file, _) in &self.files {
            if wanted.is_none_or(|wanted| file == Path::new(wanted)) {
                self.output.product(&numbered(&input::read_text(file)?))?;
                shown = true;
            }
        }
        match (shown, wanted) {
            (false, Some(wanted)) => Err(Failure::Rejected(format!("{wanted} is not loaded"))),
            _ => Ok(()),
        }
    }

    /// Draws the suites for a query and shows them.
    fn query(&mut self, text: &str) -> Result<(), Failure> {
        let reading = self.reading();
        let model = self.translated(&reading)?;
        if self.arguments.show_test_goals {
            self.output.product(&model.show_goals(self.output, text)?)?;
        }
        let first = self.files[0].0.clone();
        let record = SourceRecord { file: input::file_name(&first), sha256: fingerprint(&input::read(&first)?) };
        let specification = Specification { language: Language::C, record, model: Box::new(model) };
        let mut criterion = CriterionArguments::default();
        criterion.c.query = Some(text.to_owned());
        criterion.c.unwind = self.session.unwind.or(self.arguments.unwind);
        criterion.c.no_zero_init = !self.session.zero_init;
        criterion.c.r#abstract = self.session.abstracted.clone();
        criterion.c.enable_assert = self.arguments.enable_assert;
        let asked = specification.asked(&criterion)?;
        let mut options = search::options(&self.arguments.search);
        options.limit = self.session.limit.map(|limit| limit as usize).or(options.limit);
        let mut suites: Vec<Suite> = Vec::new();
        for round in 0..self.session.multiple_coverage {
            options.seed = self.arguments.search.seed + u64::from(round);
            let start = Start {
                specification: &specification,
                asked: &asked,
                options: options.clone(),
                given: Vec::new(),
                tests: Vec::new(),
                known: Vec::new(),
                folder: None,
                search: true,
                interactive: false,
            };
            let mut suite = search::draw(self.output, start)?.suite;
            let before: Vec<&serde_json::Value> =
                suites.iter().flat_map(|suite| &suite.tests).map(|test| &test.inputs).collect();
            suite.tests.retain(|test| !before.contains(&&test.inputs));
            self.summary(&suite);
            suites.push(suite);
        }
        let model = self.translated(&reading)?;
        let tests = suites.iter().map(|suite| suite_tests(&model, suite)).collect::<Result<Vec<_>, _>>()?;
        let calls = self.arguments.tco_called_functions;
        let tests = if calls { tests } else { tests.into_iter().map(without_calls).collect() };
        let options = PlainOptions { locations: self.arguments.tco_location, calls, ..PlainOptions::default() };
        let text = if self.arguments.xml_ui { xml(&tests) } else { plain(&tests, options) };
        match &self.arguments.outfile {
            Some(file) => append(file, &text),
            None => self.output.product(&text),
        }
    }

    fn summary(&self, suite: &Suite) {
        let open = suite.goals.iter().filter(|goal| goal.status != "covered").count();
        let lines = [
            format!("Possibly feasible test goals: {}", suite.goals.len()),
            format!("Test goals not fulfilled: {open}"),
            format!("Test cases: {}", suite.tests.len()),
        ];
        for line in lines {
            self.output.talk(&line);
        }
    }
}

fn append(file: &Path, text: &str) -> Result<(), Failure> {
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened
        .and_then(|mut opened| opened.write_all(text.as_bytes()))
        .map_err(|error| input::cannot("write to", file, &error))
}

fn history_file() -> Option<PathBuf> {
    std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".specimen_history"))
}
