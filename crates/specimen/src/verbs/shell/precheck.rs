//! What is checked before the first query to a program: that no assertion fails, and that no execution needs more than the bounds.

use fql::output::{PlainOptions, plain};
use front::c::{CModel, suite_tests, without};
use front::failure::Failure;
use front::language::Language;
use front::specification::Specification;
use testcase::{GoalRecord, Status, Suite};

use super::Shell;
use crate::drawing::{self, Start};

/// What the macro `assert` calls where an assertion fails, in one library or another.
const FAILING: &[&str] = &["__assert_fail", "__assert", "__assert_func", "__assert_rtn", "_assert"];

impl Shell<'_> {
    /// Checks a program once for every choice of settings that matters.
    pub(super) fn precheck(&mut self) -> Result<(), Failure> {
        let session = &self.session;
        let settings = (&session.entry, session.unwind, session.zero_init, &session.abstracted);
        let key = format!("{:?} {settings:?}", self.files);
        if self.arguments.no_precheck || self.files.is_empty() || self.checked.as_ref() == Some(&key) {
            return Ok(());
        }
        self.checked = Some(key);
        // What is wrong with the program is said by the query that follows.
        let checked = self.check_assertions().and_then(|()| self.check_bounds());
        match checked {
            Err(failure @ (Failure::Bug(_) | Failure::WrongSolver(..) | Failure::Closed)) => Err(failure),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Looks for runs in which an assertion fails.
    fn check_assertions(&self) -> Result<(), Failure> {
        if self.arguments.no_assert {
            return Ok(());
        }
        let mut reading = self.reading();
        reading.open_assertions = true;
        let (_, model) = self.translated(&self.output.silent(), &reading)?;
        let program = &model.translation.program;
        let called = FAILING.iter().filter(|name| program.function_named(name).is_some());
        let calls: Vec<String> = called.map(|name| format!("@CALL({name})")).collect();
        if calls.is_empty() {
            return Ok(());
        }
        let suite = self.drawn(&reading, &format!("cover {}", calls.join(" + ")), false)?;
        let count = |status: Status| suite.goals.iter().filter(|goal| goal.status == status).count();
        if suite.goals.is_empty() {
            return Ok(());
        }
        for goal in suite.goals.iter().filter(|goal| goal.status == Status::Covered) {
            self.status(&format!("Assertion violated: {}", place(goal)));
            self.status(&self.shown(&model, &suite, goal)?);
        }
        let (failing, proved) = (count(Status::Covered), count(Status::Infeasible));
        let open = suite.goals.len() - failing - proved;
        let open = if open == 0 { String::new() } else { format!(", {open} not refuted within bounds") };
        self.status(&format!("Assertions: {failing} violated, {proved} proved{open}"));
        Ok(())
    }

    /// Looks for executions that need more than the bounds that the user gave.
    fn check_bounds(&self) -> Result<(), Failure> {
        let own = self.arguments;
        let bounded = self.session.unwind.or(own.unwind).is_some() || !own.unwindset.is_empty();
        if !bounded || own.partial_loops || own.no_unwinding_assertions || own.unwinding_assertions {
            return Ok(());
        }
        let suite = self.drawn(&self.reading(), &format!("cover @ENTRY({})", self.session.entry), true)?;
        for reason in
            suite.goals.iter().filter(|goal| goal.status == Status::Unknown).filter_map(|goal| goal.reason.as_ref())
        {
            self.status(&format!("Unwinding assertion violated: {reason}"));
        }
        Ok(())
    }

    /// The suite for a query of our own, drawn without a word.
    fn drawn(
        &self,
        reading: &crate::args::CReadingArguments,
        query: &str,
        unwinding_assertions: bool,
    ) -> Result<Suite, Failure> {
        let (reader, model) = self.translated(&self.output.silent(), reading)?;
        let record = reader.main();
        let specification = Specification { language: Language::C, record, reader, model: Box::new(model) };
        let mut criterion = self.criterion(query);
        criterion.c.unwinding_assertions |= unwinding_assertions;
        criterion.c.partial_loops &= !unwinding_assertions;
        let asked = specification.asked(&criterion)?;
        let options = drawing::options(&self.arguments.search, &specification);
        Ok(drawing::draw(&self.output.silent(), Start::anew(&specification, &asked, options))?.suite)
    }

    /// The first test of a goal, as suites are shown.
    fn shown(&self, model: &CModel, suite: &Suite, goal: &GoalRecord) -> Result<String, Failure> {
        let mut tests = without(suite_tests(model, suite)?, true, true);
        let first = suite.tests.iter().position(|test| goal.tests.first() == Some(&test.id)).unwrap_or(0);
        tests.tests = tests.tests.drain(..).skip(first).take(1).collect();
        let text = plain(&[tests], PlainOptions::default());
        let lines: Vec<&str> = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(str::trim).collect();
        Ok(lines.join(" "))
    }
}

/// Where an assertion stands; the text behind the place is the library's.
fn place(goal: &GoalRecord) -> String {
    goal.label.split_once(' ').map_or(goal.label.as_str(), |(place, _)| place).to_owned()
}
