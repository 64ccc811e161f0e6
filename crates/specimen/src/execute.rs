//! Runs the tests of a C suite for real: built by the system's compiler, in a folder of their own, with limits.
//!
//! Nothing here happens unless the user asks for it. A test gets processor time, memory, file sizes, processes and a wall clock, and all tests
//! together a time; it reads nothing from standard input, and its folder is removed behind it. Where the kernel has Landlock it can write to that
//! folder only. It is still a program that reads what the user may read.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use fql::output::harness::Frame;
use front::c::harness;
use front::failure::Failure;
use front::output::Output;
use front::reader::SOURCES;
use front::specification::Specification;
use front::words::counted;
use process::{Ending, Group};
use testcase::{Role, Suite};

use crate::folder::{self, OutFolder};
use crate::interrupt;

/// The processor time of a test in seconds, its memory and the largest file in kilobytes. Processes are counted for the whole user: enough for a
/// desktop, and an end to those that multiply (not all shells know that limit).
const LIMITS: &str = "ulimit -t 10; ulimit -v 4194304; ulimit -f 65536; ulimit -c 0; ulimit -u 8192 2>/dev/null || ulimit -p 8192 2>/dev/null || :";

/// The longest that a test may take, and the longest that the compiler may.
const PATIENCE: Duration = Duration::from_secs(20);
const COMPILER_PATIENCE: Duration = Duration::from_secs(300);

/// The longest that all tests may take together; those that are left then are not run.
const WHOLE_PATIENCE: Duration = Duration::from_secs(1200);

/// What makes compilers count branches, also in programs that end without a word.
const COUNTING: &str = "--coverage -O0 -DSPECIMEN_COVERAGE -Wl,--wrap=_exit,--wrap=_Exit";

/// What became of the tests.
pub(crate) struct Executed {
    /// The tests that did something else than expected, and what.
    pub(crate) failed: Vec<(String, String)>,
    /// The tests that could not be run, and why.
    pub(crate) left_out: Vec<(String, String)>,
    /// How many were run.
    pub(crate) count: usize,
    /// Where the compiled program did something else than the interpreter says; none if nobody counted.
    pub(crate) differences: Option<Vec<String>>,
    /// What is to be said about a source that has changed since the suite was drawn.
    changed: Option<String>,
}

/// Builds and runs every test of a suite.
pub(crate) fn execute(suite: &Suite, source: (&Path, &str)) -> Result<Executed, Failure> {
    if suite.language != "c" {
        return Err(Failure::Usage("only tests of C programs can be executed".to_owned()));
    }
    let harness = harness(suite, source.0, source.1, Frame::Make)?;
    let mut executed = Executed {
        failed: Vec::new(),
        left_out: harness.left_out,
        count: harness.numbers.len(),
        differences: None,
        changed: harness.changed.then(|| changed(source.0, &harness.new)),
    };
    if harness.numbers.is_empty() {
        return Ok(executed);
    }
    // A search that was interrupted still has its tests executed; Ctrl-C from now on is about these.
    interrupt::on_ctrl_c();
    let folder = temporary()?;
    folder::write_files(folder.path(), &harness.files)?;
    // Stubs that take the place of functions of the library would serve those who count, too.
    let counts = build(folder.path(), &harness.parts, !suite.options.contains_key("no-library"))?;
    let begun = Instant::now();
    for number in harness.numbers {
        let test = &suite.tests[number - 1];
        if WHOLE_PATIENCE < begun.elapsed() {
            executed.count -= 1;
            let reason = format!("the tests before it took {} s", WHOLE_PATIENCE.as_secs());
            executed.left_out.push((test.id.clone(), reason));
            continue;
        }
        match run_one(folder.path(), number, expected_status(test))? {
            None => {}
            Some(Problem::Failed(problem)) => executed.failed.push((test.id.clone(), problem)),
            Some(Problem::Cannot(reason)) => {
                executed.count -= 1;
                executed.left_out.push((test.id.clone(), reason));
            }
        }
    }
    // What is counted is compared with runs of all tests on the program that they were drawn from.
    if counts && executed.left_out.is_empty() && executed.changed.is_none() {
        executed.differences = Some(differences(folder.path(), suite, source)?);
    }
    Ok(executed)
}

fn changed(source: &Path, new: &[String]) -> String {
    let zero = match new {
        [] => String::new(),
        names => format!("; no test has a value for {}: zero", names.join(", ")),
    };
    format!("{} has changed since the suite was drawn: its tests run on what it is now{zero}", source.display())
}

/// Where the compiled program did something else than the interpreter says, as gcov counted it.
fn differences(folder: &Path, suite: &Suite, source: (&Path, &str)) -> Result<Vec<String>, Failure> {
    let counted = front::c::counted(suite, source)?;
    let mut found = Vec::new();
    let cannot = |error: std::io::Error| Failure::Environment(format!("cannot read what gcov counted: {error}"));
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        // A file of which nothing was executed has no counts.
        if !path.to_string_lossy().ends_with(".mod.c") || !path.with_extension("gcda").is_file() {
            continue;
        }
        let log = folder.join("gcov.json");
        let mut command = Command::new("gcov");
        command.args(["--json-format", "--stdout", "-b"]).arg(&path).current_dir(folder);
        ended(command, &log, COMPILER_PATIENCE)?;
        let said = fs::read_to_string(&log).unwrap_or_default();
        for report in said.lines().filter_map(|line| serde_json::from_str(line).ok()) {
            found.extend(counted.differences(&report));
        }
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The same for a suite that was drawn just now. Further files of the program and headers stand beside a copy of the source, since
/// their own places are nobody's business but the reader's.
pub(crate) fn of_run(suite: &Suite, specification: &Specification, file: &Path) -> Result<Executed, Failure> {
    let text = specification.model.source().text();
    let elsewhere = suite.options.contains_key("include") || suite.others.iter().any(|other| other.role == Role::Link);
    if !elsewhere {
        return execute(suite, (file, text));
    }
    let copies = temporary()?;
    OutFolder::at(copies.path()).write_sources(&specification.reader)?;
    execute(suite, (&copies.path().join(SOURCES).join(&suite.source.file), text))
}

/// Says what became of the tests; whether all did what they should.
pub(crate) fn report(output: &Output, executed: &Executed) -> bool {
    if let Some(changed) = &executed.changed {
        output.warn(changed);
    }
    for (test, reason) in &executed.left_out {
        output.warn(&format!("test {test} is not run: {reason}"));
    }
    for (test, problem) in &executed.failed {
        output.complain(&format!("test {test} {problem}"));
    }
    let differences = executed.differences.as_deref().unwrap_or_default();
    for difference in differences {
        output.complain(&format!("the compiled program differs at {difference}"));
    }
    let right = executed.count - executed.failed.len();
    let branches = match &executed.differences {
        Some(differences) if differences.is_empty() && executed.failed.is_empty() => ", branch by branch",
        Some(_) | None => "",
    };
    let left_out = match executed.left_out.len() {
        0 => String::new(),
        left_out => format!("; {} not run", counted(left_out, "test")),
    };
    let tests = counted(executed.count, "test");
    output.talk(&format!("executed: {right} of {tests} did what the interpreter says{branches}{left_out}"));
    executed.failed.is_empty() && executed.left_out.is_empty() && differences.is_empty()
}

fn temporary() -> Result<tempfile::TempDir, Failure> {
    tempfile::Builder::new().prefix("specimen-").tempdir().map_err(|error| {
        let place = std::env::temp_dir();
        Failure::Environment(format!("cannot make a folder for the tests in {}: {error}", place.display()))
    })
}

/// Builds the tests; whether what they do is counted.
fn build(folder: &Path, parts: &[String], counting: bool) -> Result<bool, Failure> {
    let counting = counting && Command::new("gcov").arg("--version").output().is_ok();
    let flags: Vec<&str> = COUNTING.split_whitespace().collect();
    if counting && built(folder, parts, &flags).is_ok() {
        return Ok(true);
    }
    built(folder, parts, &[]).map(|()| false)
}

/// Compiles every part and links them. The compiler gets its arguments as they are: neither make nor a shell reads them.
fn built(folder: &Path, parts: &[String], more: &[&str]) -> Result<(), Failure> {
    let mut objects = Vec::new();
    for part in parts.iter().map(String::as_str).chain(["tester"]) {
        let (own, object, file) = (format!("@{part}.flags"), format!("{part}.o"), format!("{part}.c"));
        compile(folder, &[more, &[&own, "-w", "-c", "-o", &object, &file]].concat())?;
        objects.push(object);
    }
    let mut arguments = [more, &["@tester.flags", "-o", "tester"]].concat();
    arguments.extend(objects.iter().map(String::as_str));
    arguments.push("-lm");
    compile(folder, &arguments)
}

/// Runs the compiler: the variable `CC`, as make understands it, or `cc`.
fn compile(folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let named = std::env::var("CC").ok().filter(|name| !name.trim().is_empty()).unwrap_or_else(|| "cc".to_owned());
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words).args(arguments).current_dir(folder);
    let log = folder.join("build.log");
    if ended(command, &log, COMPILER_PATIENCE)? != Some(0) {
        let said = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
        let line =
            said.lines().find(|line| line.contains("error")).or(said.lines().next()).unwrap_or("no reason given");
        return Err(Failure::Environment(format!("the tests cannot be built: {line}")));
    }
    Ok(())
}

/// What is wrong with a test.
enum Problem {
    /// It did something else than expected.
    Failed(String),
    /// The harness found that it cannot make the program do what the test is about.
    Cannot(String),
}

fn expected_status(test: &testcase::TestRecord) -> i64 {
    let number = |name: &str| test.expected.get(name).and_then(serde_json::Value::as_i64);
    match (test.expected.contains_key("aborts"), number("exits")) {
        (true, _) => 128 + 6,
        (false, Some(status)) => status & 0xff,
        (false, None) if ["stops", "cut"].iter().any(|how| test.expected.contains_key(*how)) => fql::output::STOPPED,
        (false, None) => 0,
    }
}

/// Runs one test; what is wrong with it, if something is.
fn run_one(folder: &Path, number: usize, status: i64) -> Result<Option<Problem>, Failure> {
    let log = folder.join("test.log");
    let mut command = Command::new("sh");
    let script = format!("{LIMITS}; sh ./run_test.sh ./tester {number} {status}");
    command.args(["-c", &script]).current_dir(folder).env("TMPDIR", folder);
    Ok(match confined(command, &log, folder)? {
        Some(0) => None,
        Some(_) => {
            let said = String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
            if let Some(reason) =
                said.lines().find_map(|line| line.strip_prefix(&format!("test {number} cannot be run: ")))
            {
                return Ok(Some(Problem::Cannot(reason.to_owned())));
            }
            let words: Vec<&str> = said
                .lines()
                .map(|line| line.trim_start_matches(&format!("test {number}")).trim_start_matches(": ").trim())
                .collect();
            Some(Problem::Failed(if words.is_empty() { "failed".to_owned() } else { words.join("; ") }))
        }
        None => Some(Problem::Failed(format!("did not end within {} s", PATIENCE.as_secs()))),
    })
}

fn cannot(error: std::io::Error) -> Failure {
    Failure::Environment(format!("cannot run the tests: {error}"))
}

/// The output of a command goes to a file.
fn logged(command: &mut Command, log: &Path) -> Result<(), Failure> {
    let file = File::create(log).map_err(cannot)?;
    let also = file.try_clone().map_err(cannot)?;
    command.stdin(Stdio::null()).stdout(file).stderr(also);
    Ok(())
}

/// Runs a command with its output in a file; the status, or none if it had to be ended.
fn ended(mut command: Command, log: &Path, patience: Duration) -> Result<Option<i32>, Failure> {
    logged(&mut command, log)?;
    finished(Group::spawn(&mut command).map_err(cannot)?, patience)
}

/// The same for a test: it may write to its folder only, where the system can hold it to that.
fn confined(mut command: Command, log: &Path, folder: &Path) -> Result<Option<i32>, Failure> {
    logged(&mut command, log)?;
    let (group, _) = Group::spawn_confined(&mut command, folder).map_err(cannot)?;
    finished(group, PATIENCE)
}

fn finished(group: Group, patience: Duration) -> Result<Option<i32>, Failure> {
    let interrupt = interrupt::current();
    match group.finish(patience, || interrupt.is_raised()) {
        Ending::Exited(status) => Ok(Some(status.code().unwrap_or(-1))),
        Ending::Late => Ok(None),
        Ending::Interrupted => Err(Failure::Environment("interrupted while tests were executed".to_owned())),
    }
}
