//! `specimen shell`: FQL queries one after the other, as FShell answers them.

mod disjoint;
mod lines;
mod messages;
mod precheck;
mod statistics;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use fql::output::{PlainOptions, plain, xml};
use fql::shell::{Action, Session, numbered};
use front::c::{CModel, from_files, suite_tests, translation_of, without};
use front::exit::Exit;
use front::failure::Failure;
use front::input;
use front::language::Language;
use front::output::Output;
use front::reader::Reader;
use front::specification::Specification;
use lines::{Lines, Names};
use messages::Messages;
use search::Statistics;
use source::Source;
use testcase::{Role, Status, Suite};

use crate::args::{CReadingArguments, CriterionArguments, ShellArguments};
use crate::drawing::{self, Start};
use crate::product;

/// As many goals without a test are shown.
const MOST_SHOWN: usize = 20;

pub(crate) fn run(output: &Output, arguments: &ShellArguments) -> Result<Exit, Failure> {
    let (said, messages) = Messages::new(output, arguments);
    let mut shell = Shell {
        output: &said,
        messages,
        arguments,
        session: Session { entry: arguments.function.clone().unwrap_or("main".into()), ..Session::default() },
        files: Vec::new(),
        checked: None,
    };
    for file in &arguments.files {
        let loaded = shell.load(file, &[]);
        shell.messages.flush(shell.output)?;
        loaded?;
    }
    if arguments.no_internal_coverage_check {
        shell.output.warn("--no-internal-coverage-check is ignored: tests are always judged by the interpreter");
        shell.messages.flush(shell.output)?;
    }
    if arguments.show_loop_ids {
        shell.show_loops()?;
    }
    if arguments.show_goto_functions {
        shell.show_functions()?;
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
    messages: Messages,
    arguments: &'a ShellArguments,
    session: Session,
    /// The loaded files, with the macros that were given for each.
    files: Vec<(PathBuf, Vec<String>)>,
    /// The program and the settings for which assertions were checked last.
    checked: Option<String>,
}

impl Shell<'_> {
    fn interact(&mut self) -> Result<(), Failure> {
        let mut lines = Lines::open(self.output);
        lines.know(self.names());
        while let Some(line) = lines.next()? {
            let loaded = self.files.len();
            if !self.line(&line)? {
                break;
            }
            if self.files.len() != loaded {
                lines.know(self.names());
            }
        }
        lines.close(self.output)
    }

    /// The names that can be completed.
    fn names(&self) -> Names {
        let silent = self.output.silent();
        let mut reading = self.reading();
        reading.function = None;
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let Some(translation) = translation_of(&silent, &paths, &reading) else { return Names::default() };
        let program = &translation.program;
        let sorted = |mut names: Vec<String>| {
            names.sort();
            names.dedup();
            names
        };
        let functions = program.functions.iter().filter(|one| one.body.is_some()).map(|one| one.name.clone()).collect();
        let labels = program.edges.iter().flat_map(|edge| edge.notes.labels.clone()).collect();
        let variables = program.variables.iter().map(|variable| variable.name.clone()).collect();
        Names { functions: sorted(functions), labels: sorted(labels), variables: sorted(variables) }
    }

    /// Obeys a line; says whether to go on. What is wrong with a line is said, and the session goes on.
    fn line(&mut self, line: &str) -> Result<bool, Failure> {
        let done = self.obey(line);
        self.messages.flush(self.output)?;
        done
    }

    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
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
            Action::ShowLoops => self.show_loops(),
            Action::Query { text, .. } => self.query(&text),
        };
        match done {
            Ok(()) | Err(Failure::Shown | Failure::PointlessShown) => Ok(true),
            Err(
                failure @ (Failure::Usage(_)
                | Failure::Rejected(_)
                | Failure::Refused(..)
                | Failure::Environment(_)
                | Failure::Pointless(..)),
            ) => {
                self.output.complain_of(&failure);
                Ok(true)
            }
            Err(failure @ (Failure::Bug(_) | Failure::WrongSolver(..) | Failure::Closed)) => Err(failure),
        }
    }

    fn reading(&self) -> CReadingArguments {
        let file_defines =
            self.files.iter().flat_map(|(file, defines)| defines.iter().map(move |one| (file.clone(), one.clone())));
        CReadingArguments {
            function: Some(self.session.entry.clone()),
            include: self.arguments.include.clone(),
            define: self.arguments.define.clone(),
            file_defines: file_defines.collect(),
            machine: self.arguments.machine.clone(),
            no_library: self.arguments.no_library,
            no_assert: self.arguments.no_assert,
            blocks: self.arguments.blocks,
            link: Vec::new(),
            open_assertions: false,
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
        reading.function = None;
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        match translation_of(self.output, &paths, &reading) {
            Some(translation) => {
                translation.warnings.iter().for_each(|one| {
                    self.output.diagnostics(&one.source, std::slice::from_ref(&one.diagnostic));
                });
                Ok(())
            }
            None => {
                self.files.pop();
                Err(Failure::Shown)
            }
        }
    }

    fn translated(&self, output: &Output, reading: &CReadingArguments) -> Result<(Arc<Reader>, CModel), Failure> {
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let Some(first) = paths.first() else {
            return Err(Failure::Rejected("no program is loaded: ADD SOURCECODE 'file.c' first".to_owned()));
        };
        let source = Source::new(first.display().to_string(), input::read_text(first)?);
        let (reader, _) = Reader::on_disk(first)?;
        for path in &paths[1..] {
            reader.read(Role::Link, path)?;
        }
        let model = from_files(&reader, output, source, &paths, reading)?;
        Ok((reader, model))
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

    /// What a query asks for under the settings of the session.
    fn criterion(&self, text: &str) -> CriterionArguments {
        let mut criterion = CriterionArguments::default();
        criterion.c.query = Some(text.to_owned());
        criterion.c.unwind = self.session.unwind.or(self.arguments.unwind);
        criterion.c.no_zero_init = !self.session.zero_init;
        criterion.c.r#abstract = self.session.abstracted.clone();
        criterion.c.no_assumptions = self.arguments.no_assumptions;
        criterion.c.unwindset = self.arguments.unwindset.clone();
        criterion.c.depth = self.arguments.depth;
        criterion.c.unwinding_assertions = self.arguments.unwinding_assertions;
        criterion.c.partial_loops = self.arguments.partial_loops;
        criterion.c.use_instrumentation = self.arguments.use_instrumentation;
        criterion
    }

    /// Draws the suites for a query and shows them.
    fn query(&mut self, text: &str) -> Result<(), Failure> {
        self.precheck()?;
        let reading = self.reading();
        let (reader, model) = self.translated(self.output, &reading)?;
        if self.arguments.show_test_goals {
            self.output.product(&model.show_goals(self.output, text)?)?;
        }
        let record = reader.main();
        let specification = Specification { language: Language::C, record, reader, model: Box::new(model) };
        let criterion = self.criterion(text);
        let asked = specification.asked(&criterion)?;
        let mut options = drawing::options(&self.arguments.search, &specification);
        let limit = self.session.limit.map(|limit| limit as usize).or(options.limit);
        let began = Instant::now();
        let mut suites: Vec<Suite> = Vec::new();
        for round in 0..self.session.multiple_coverage {
            options.seed = self.arguments.search.seed + u64::from(round);
            // Tests that an earlier suite has do not count.
            let earlier: usize = suites.iter().map(|suite| suite.tests.len()).sum();
            options.limit = limit.map(|limit| limit + earlier);
            let start = Start::anew(&specification, &asked, options.clone());
            let drawn = drawing::draw(self.output, start)?;
            let suite = disjoint::without_earlier(
                self.output,
                &specification,
                &asked,
                &drawn.suite,
                &suites,
                (options.seed, limit),
            )?;
            self.summary(&suite, &drawn.statistics);
            suites.push(suite);
        }
        if self.arguments.statistics || 8 <= self.verbosity() {
            statistics::of_process(began.elapsed()).iter().for_each(|line| self.status(line));
        }
        let (_, model) = self.translated(self.output, &reading)?;
        let tests = suites.iter().map(|suite| suite_tests(&model, suite)).collect::<Result<Vec<_>, _>>()?;
        let (calls, globals) = (self.arguments.tco_called_functions, self.arguments.tco_assign_globals);
        let tests = tests.into_iter().map(|tests| without(tests, !calls, !globals)).collect::<Vec<_>>();
        let options = PlainOptions { locations: self.arguments.tco_location, calls, globals };
        let text = if self.arguments.xml_ui { xml(&tests) } else { plain(&tests, options) };
        match &self.arguments.outfile {
            Some(file) => append(file, &text),
            None => self.output.product(&text),
        }
    }

    fn verbosity(&self) -> u8 {
        self.arguments.verbosity.unwrap_or(6)
    }

    /// Says how a query went.
    fn status(&self, line: &str) {
        self.messages.status(self.output, line);
    }

    fn summary(&self, suite: &Suite, took: &Statistics) {
        let statistics = self.arguments.statistics || 8 <= self.verbosity();
        if !statistics && self.verbosity() < 6 {
            return;
        }
        let lines = statistics::of_suite(suite, took);
        for line in lines.iter().take(if statistics { lines.len() } else { 3 }) {
            self.status(line);
        }
        if let Some(unlisted) = product::unlisted(suite) {
            self.status(&unlisted);
        }
        for goal in suite.goals.iter().filter(|goal| goal.status != Status::Covered).take(MOST_SHOWN) {
            let reason = goal.reason.as_deref().unwrap_or("no reason is known");
            self.status(&format!("Unsatisfied test goal {}: {}; {}: {reason}", goal.id, goal.label, goal.status));
        }
        if let Some(more) =
            suite.goals.iter().filter(|goal| goal.status != Status::Covered).count().checked_sub(MOST_SHOWN + 1)
        {
            self.status(&format!("and {} more", more + 1));
        }
        let limit = self.arguments.search.limit.map(|limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let limit = self.session.limit.map(|limit| limit as usize).or(limit);
        match limit {
            _ if suite.complete => {}
            Some(limit) if limit <= suite.tests.len() => {
                self.status(&format!("Stopped after computing {limit} test cases as requested"));
            }
            Some(_) | None => self.status("The search did not come to its end"),
        }
    }

    /// The loops of the program, as SET UNWIND and --unwindset name them.
    fn show_loops(&self) -> Result<(), Failure> {
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let Some(translation) = translation_of(self.output, &paths, &self.reading()) else {
            return Err(Failure::Rejected("no program is loaded: ADD SOURCECODE 'file.c' first".to_owned()));
        };
        let program = &translation.program;
        let line = |one: &c::program::Loop| format!("{} {}\n", one.name, program.place_text(one.location));
        self.output.product(&program.loops.iter().map(line).collect::<String>())
    }
}

impl Shell<'_> {
    /// The functions of the program as they are executed.
    fn show_functions(&self) -> Result<(), Failure> {
        let paths: Vec<PathBuf> = self.files.iter().map(|(file, _)| file.clone()).collect();
        let Some(translation) = translation_of(self.output, &paths, &self.reading()) else {
            return Err(Failure::Rejected("no program is loaded: name its files".to_owned()));
        };
        let program = &translation.program;
        let defined = (0..program.functions.len() as u32).map(c::program::FunctionId);
        let defined = defined.filter(|id| program.function(*id).body.is_some() && !program.is_library_function(*id));
        let defined = defined.filter(|id| !program.function(*id).name.starts_with('$'));
        self.output.product(&defined.map(|id| program.show_function(id)).collect::<String>())
    }
}

fn append(file: &Path, text: &str) -> Result<(), Failure> {
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened
        .and_then(|mut opened| opened.write_all(text.as_bytes()))
        .map_err(|error| input::cannot("write to", file, &error))
}
