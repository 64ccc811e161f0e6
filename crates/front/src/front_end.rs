//! What a language must offer to the verbs: a [`FrontEnd`] reads its files, a [`Model`] is a checked specification.
//!
//! The verbs know no language. A new one is a module beside this one, a row in `language.rs`, and its options in `options`.

use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use draw_c::CSubject;
use search::{Backend, Budget, Strategy, Subject};
use serde_json::{Map, Value as Json};
use smt::Interrupt;
use source::{Code, Source};
use testcase::export::Viewer;
use testcase::{Inputs, Interface, Suite, TestRecord};

use crate::adapter::{Converse, Told};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::faults::{Fault, Syntax};
use crate::options::recorded::{self, Recorded};
use crate::options::{
    CheckArguments, CouplingArguments, CriterionArguments, EvaluateArguments, HarnessArguments, ReadingArguments,
    RunArguments,
};
use crate::output::Output;
use crate::reader::Reader;

/// A language.
pub trait FrontEnd: Sync {
    /// What suites call it.
    fn family(&self) -> &'static str;

    /// What people call it, in a sentence: "an option for …".
    fn title(&self) -> &'static str;

    /// The names of its criteria, and the one that is taken if none is named.
    fn criteria(&self) -> (Vec<&'static str>, &'static str);

    /// Its diagnostics.
    fn codes(&self) -> &'static [&'static Code];

    /// What its search may spend at the usual effort, beside what every search may.
    fn budgets(&self) -> &'static [Budget] {
        &[]
    }

    /// Parses and checks. What there is to say about the text has been said when this returns.
    /// Other files than the source are opened by the reader only.
    fn load(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure>;

    /// The same for a changed text of a file that was loaded before.
    fn load_changed(
        &self,
        reader: &Arc<Reader>,
        output: &Output,
        source: Source,
        reading: &ReadingArguments,
    ) -> Result<Box<dyn Model>, Failure> {
        self.load(reader, output, source, reading)
    }

    /// A test for people, where a row of a table does not do: lines, each ended.
    fn show(&self, _test: &TestRecord) -> Option<String> {
        None
    }

    /// What draws a test in the report.
    fn viewer(&self) -> Option<Viewer> {
        None
    }

    /// Whether the goals of a criterion are mistakes the specification could have, each ruled out by a single test.
    fn are_mistakes(&self, _criterion: &str) -> bool {
        false
    }

    /// What is to be said about a suite in addition to its counts, in one line.
    fn remark(&self, _suite: &Suite) -> Option<String> {
        None
    }

    /// The formats of `export` in addition to those that every suite has: name and description.
    fn formats(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What is asked for where the suite is for a format and the user names no criterion: none means the usual.
    fn asked_for(&self, _format: &str, _given: &CriterionArguments) -> Option<CriterionArguments> {
        None
    }

    /// A suite in one of its formats.
    fn export(&self, _suite: &Suite, format: &str, _source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
        Err(Failure::Usage(format!("unknown format `{format}` for this language")))
    }

    /// The same, with the place where the source was read: other files may stand beside it.
    fn export_from(
        &self,
        _output: &Output,
        suite: &Suite,
        format: &str,
        source: Option<(&Path, &str)>,
    ) -> Result<Vec<ExportedFile>, Failure> {
        self.export(suite, format, source.map(|(_, text)| text))
    }

    /// What begins a comment in the files of a format, if they may stand one after the other.
    fn comment_in(&self, _format: &str) -> Option<&'static str> {
        None
    }

    /// Whether tests drawn from wrong formalisations of a list show that they are wrong.
    fn evaluate(&self, _output: &Output, _list: &Source, _arguments: &EvaluateArguments) -> Result<Exit, Failure> {
        Err(Failure::Usage("`evaluate` is about formulas of signal temporal logic".to_owned()))
    }

    /// What faults planted in its texts look like; none where tests say nothing about texts.
    fn faults(&self) -> Option<&'static Syntax> {
        None
    }

    /// What carries out a test on a system under test, where a test is more than one question.
    fn converse(&self) -> Option<Converse> {
        None
    }

    /// Whether tests are strategies, with which [`Model::drive`] drives a system.
    fn is_driven(&self) -> bool {
        false
    }

    /// What `generate --out` writes in addition to the suite and its report.
    fn files(&self, _suite: &Suite) -> Vec<ExportedFile> {
        Vec::new()
    }
}

/// A file that an export consists of.
pub struct ExportedFile {
    /// Its name, which may hold a folder.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A checked specification.
pub trait Model {
    /// Its text.
    fn source(&self) -> &Source;

    /// What `check` says about it.
    fn describe(&self, output: &Output, arguments: &CheckArguments) -> Result<Description, Failure>;

    /// What the arguments ask for, as a suite writes it down.
    fn asked(&self, arguments: &CriterionArguments) -> Result<Asked, Failure>;

    /// The goals of a criterion, with the means to search and to judge.
    fn subject<'a>(&'a self, output: &Output, asked: &Asked) -> Result<Box<dyn Subject + 'a>, Failure>;

    /// The goals, where they are a product that is too large to be listed; none elsewhere. Only queries about C programs have such.
    fn product(&self, _output: &Output, _asked: &Asked) -> Result<Option<CSubject>, Failure> {
        Ok(None)
    }

    /// The inputs that a suite's JSON writes.
    fn read_inputs(&self, json: &Json) -> Result<Inputs, String>;

    /// The tests in a file of the language's own: a table, a trace.
    fn read_tests(&self, output: &Output, file: &Source) -> Result<Vec<Inputs>, Failure>;

    /// The concrete interpreter on what the arguments name.
    fn run(&self, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure>;

    /// Drives a command with every strategy of a suite, where tests are strategies; waits so long for each step.
    fn drive(&self, _suite: &Suite, _command: &str, _patience: Duration) -> Result<Vec<Told>, Failure> {
        Err(Failure::Usage("tests of this language are no strategies".to_owned()))
    }

    /// How large it is, in words, for the line of statistics.
    fn size(&self) -> String;

    /// The requirement in words, where the text holds it.
    fn requirement(&self) -> Option<&str> {
        None
    }

    /// What the goals do and do not speak about, in words, where a reader could take them for more.
    fn extent(&self, _asked: &Asked) -> Option<String> {
        None
    }

    /// Looks for what makes a search pointless, and says so. Fails where it cannot go on.
    fn precheck(&self, _output: &Output, _backend: &Backend) -> Result<(), Failure> {
        Ok(())
    }

    /// Says why there is nothing to search for; what proves it becomes files.
    fn pointless(&self, output: &Output, reason: &str, _proof: &Json) -> Vec<ExportedFile> {
        output.complain(reason);
        Vec::new()
    }

    /// Its inputs and outputs, where a test is one value for each.
    fn interface(&self) -> Option<Interface> {
        None
    }

    /// How far executions are unrolled if the user does not say; none for languages without steps.
    fn bound(&self) -> Option<u32> {
        None
    }

    /// How queries are posed if the user does not say.
    fn strategy(&self) -> Strategy {
        Strategy::Each
    }

    /// What to say where a criterion asks for nothing, if that has not been said.
    fn nothing_asked(&self, _asked: &Asked) -> Option<String> {
        None
    }

    /// Whether the course of a search depends on what it found itself, so that only a search from the start gives the same suite.
    fn retraces(&self) -> bool {
        false
    }

    /// The functions that can be tested, where there are functions.
    fn functions(&self) -> Vec<String> {
        Vec::new()
    }

    /// What to say about tests that would pass for every implementation.
    fn indifferent(&self, _suite: &Suite) -> Option<String> {
        None
    }

    /// What it means that an obligation which no goal names is not met.
    fn unmet(&self, reason: &str) -> String {
        format!("the suite is not all that was asked for: {reason}")
    }

    /// What is missing for the open goals, in the words of the language; goals count as the subject lists them.
    fn missing(&self, _output: &Output, _asked: &Asked, _open: &[usize]) -> Result<Option<String>, Failure> {
        Ok(None)
    }

    /// Its mutants, where the language has them.
    fn mutants(&self, _arguments: &CriterionArguments) -> Result<Vec<Mutant>, Failure> {
        Err(Failure::Usage("specifications of this language have no mutants".to_owned()))
    }

    /// The lines of the main file that tests can come to, where some cannot be reached whatever the inputs are; none where all can.
    fn lines(&self, _asked: &Asked) -> Result<Option<Vec<RangeInclusive<u32>>>, Failure> {
        Ok(None)
    }

    /// Changed texts as goals that the judge of the language holds tests against, where one run of a changed text is not enough to tell:
    /// those that are valid, each with the name of its fault.
    fn rivals<'a>(&'a self, _asked: &Asked, _faults: &[Fault]) -> Result<Option<Box<dyn Subject + 'a>>, Failure> {
        Ok(None)
    }

    /// What begins a comment that ends with its line.
    fn comment(&self) -> &'static str {
        "//"
    }

    /// Runs strategies on the mutants of an implementation.
    fn harness(
        &self,
        _output: &Output,
        _criterion: &CriterionArguments,
        _arguments: &HarnessArguments,
    ) -> Result<Exit, Failure> {
        Err(Failure::Usage("--implementation is for specifications in linear temporal logic".to_owned()))
    }

    /// Which conditions of a decision depend on each other.
    fn coupling(
        &self,
        _output: &Output,
        _arguments: &CouplingArguments,
        _interrupt: Interrupt,
    ) -> Result<Exit, Failure> {
        Err(Failure::Usage("`coupling` is about the conditions of Boolean decisions".to_owned()))
    }

    /// The steps of a model as an SMT-LIB script.
    fn translated(&self) -> Result<String, Failure> {
        Err(Failure::Usage("`translate` is for action systems".to_owned()))
    }
}

/// What `check` says about a specification.
pub struct Description {
    /// For people; what follows the file's name and a colon.
    pub text: String,
    /// For programs.
    pub json: Map<String, Json>,
    /// How it ends.
    pub exit: Exit,
}

/// What is asked for: enough to make the same goals again.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The name of the criterion.
    pub criterion: String,
    /// The options that shape goals and tests, in a fixed order.
    pub options: Recorded,
}

/// A specification with a small mistake.
pub struct Mutant {
    /// Its name.
    pub name: String,
    /// The operator that made it.
    pub operator: String,
    /// Where the change is.
    pub location: Option<testcase::Location>,
    /// The change, in words.
    pub words: String,
    /// The changed specification or the changed part of it.
    pub text: String,
}

impl Asked {
    /// What a suite was asked for.
    pub fn of_suite(suite: &Suite) -> Asked {
        Asked { criterion: suite.criterion.clone(), options: suite.options.clone() }
    }

    /// What is asked for by a criterion with options.
    pub fn new(criterion: &str, options: Recorded) -> Asked {
        Asked { criterion: criterion.to_owned(), options }
    }

    /// The options of a language.
    pub fn read<T: serde::de::DeserializeOwned>(&self) -> Result<T, Failure> {
        recorded::read(&self.options)
    }

    /// An option that is a text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.options.get(name).and_then(Json::as_str)
    }
}

/// The name among `names`, or what to say.
pub fn one_of<'a>(what: &str, given: &str, names: impl Iterator<Item = &'a str>) -> Failure {
    Failure::Usage(format!("unknown {what} `{given}`; it is one of {}", names.collect::<Vec<_>>().join(", ")))
}
