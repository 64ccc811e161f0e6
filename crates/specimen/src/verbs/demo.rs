//! `specimen demo`: a short tour over bundled examples.

use std::path::Path;

use front::ExportedFile;
use front::exit::Exit;
use front::failure::Failure;
use front::input::file_name;
use front::language::Language;
use front::output::{Form, Output};
use front::specification::Specification;
use front::words::counted;
use search::Options;
use serde_json::json;
use testcase::{Status, Suite};

use crate::args::{DemoArguments, GenerateArguments, Verb, parse};
use crate::drawing::{self, Start};
use crate::folder;
use crate::{interrupt, present};

/// A stop of the tour: a bundled file, and what `generate` is asked for.
struct Stop {
    words: &'static str,
    file: &'static str,
    text: &'static str,
    arguments: &'static str,
    /// Whether every test is shown, or the counts only.
    whole: bool,
}

macro_rules! stop {
    ($words:literal $file:literal $arguments:literal $whole:literal) => {
        Stop {
            words: $words,
            file: $file,
            text: include_str!(concat!("../../../../", $file)),
            arguments: $arguments,
            whole: $whole,
        }
    };
}

const STOPS: &[Stop] = &[
    stop!("A policy: every condition must be shown to matter (masking MC/DC)."
        "examples/boolean/policy.bool" "--criterion masking-mcdc" true),
    stop!("A decision of the TCAS II collision avoidance system, unique-cause MC/DC: one test more than conditions."
        "examples/boolean/tcas2.bool" "--criterion unique-cause-mcdc --conditions variable --decision D4" true),
    stop!("The Java Card firewall, 62 conditions: what unique-cause MC/DC cannot ask for is proved, with the reason."
        "examples/boolean/firewall.bool" "--criterion unique-cause-mcdc" false),
    stop!("The same with masking MC/DC." "examples/boolean/firewall.bool" "--criterion masking-mcdc" false),
    stop!("A car alarm: tests that tell it from 182 models with a small mistake each, or a proof that nothing can."
        "examples/action/car_alarm.as" "--criterion refinement" false),
    stop!("A requirement on signals: each test tells the formula apart from some of its near misses."
        "examples/stl/requirement2.stl" "--criterion mutation" true),
    stop!("A decoder of pulses, as streams: one trace that takes every decision both ways, but for one that none can take."
        "examples/tessla/decoder.tessla" "--bound 22 --strategy incremental" true),
    stop!("A traffic light known only by its temporal specification: strategies that expose faults in every implementation."
        "examples/ltl/traffic-light.ltl" "" false),
    stop!("A C function: every branch, with inputs that run." "examples/c/triangle.c" "--criterion branch" true),
];

/// How many reasons are shown where not everything is.
const REASONS: usize = 3;

pub(crate) fn run(output: &Output, arguments: &DemoArguments) -> Result<Exit, Failure> {
    match &arguments.copy {
        Some(folder) => copy(output, folder, arguments.force),
        None => tour(output),
    }
}

/// Writes the examples to a folder, and shows the commands that work on them from here.
fn copy(output: &Output, folder: &Path, force: bool) -> Result<Exit, Failure> {
    let mut files: Vec<ExportedFile> = Vec::new();
    for stop in STOPS {
        let name = file_name(Path::new(stop.file));
        if files.iter().all(|file| file.name != name) {
            files.push(ExportedFile { name, text: stop.text.to_owned() });
        }
    }
    folder::export_files(folder, &files, force)?;
    let copied = |stop: &Stop| folder.join(file_name(Path::new(stop.file))).display().to_string();
    let text = match output.form {
        Form::Human => {
            let stops = (1..).zip(STOPS);
            let commands = stops.map(|(number, stop)| {
                format!("\n{number}. {}\n   $ {}\n", stop.words, command(stop, &quoted(&copied(stop))))
            });
            let head = format!("{} written to {}; to try:\n", counted(files.len(), "file"), folder.display());
            std::iter::once(head).chain(commands).collect()
        }
        Form::Json => {
            let list: Vec<_> = STOPS
                .iter()
                .map(|stop| json!({ "file": copied(stop), "words": stop.words, "arguments": stop.arguments }))
                .collect();
            format!("{:#}\n", json!({ "commands": list }))
        }
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-+".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

fn tour(output: &Output) -> Result<Exit, Failure> {
    let interrupt = interrupt::on_ctrl_c();
    let mut exit = Exit::Done;
    for (number, stop) in (1..).zip(STOPS) {
        narrate(output, &format!("{number}. {}\n   $ {}\n\n", stop.words, command(stop, stop.file)))?;
        let arguments = parsed(stop)?;
        let bytes = stop.text.as_bytes().to_vec();
        let language = Language::of(stop.file.as_ref())?;
        let specification = Specification::from_bytes(output, stop.file, bytes, language, &arguments.spec.reading)?;
        let asked = specification.asked(&arguments.criterion)?;
        let options = Options { interrupt: interrupt.clone(), ..drawing::options(&arguments.search, &specification) };
        let start = Start::anew(&specification, &asked, options);
        let suite = drawing::draw(output, start)?.suite;
        if stop.whole || output.form == Form::Json {
            present::suite(output, &suite)?;
        } else {
            output.product(&digest(output, &suite))?;
        }
        narrate(output, "\n")?;
        // What is shown to be infeasible up to the bound of the tour is what the tour is to show.
        if 0 < suite.summary.unknown {
            exit = Exit::Open;
        }
    }
    narrate(
        output,
        "`specimen generate FILE --out FOLDER` also writes a report for the browser; `specimen --help` lists the verbs.\n\
         `specimen demo --copy FOLDER` writes these examples to a folder, for commands that work anywhere.\n",
    )?;
    Ok(exit)
}

/// Words between the suites; a program that reads the suites does not want them.
fn narrate(output: &Output, words: &str) -> Result<(), Failure> {
    match output.form {
        Form::Human => output.product(words),
        Form::Json => Ok(()),
    }
}

/// The command that does the same.
fn command(stop: &Stop, file: &str) -> String {
    format!("specimen generate {file} {}", stop.arguments).trim_end().to_owned()
}

/// The arguments of a stop.
fn parsed(stop: &Stop) -> Result<GenerateArguments, Failure> {
    match parse::parse_text(&command(stop, stop.file)) {
        Some(Verb::Generate(arguments)) => Ok(arguments),
        Some(_) | None => Err(Failure::Bug(format!("the tour asks for `{}`", command(stop, stop.file)))),
    }
}

/// A few reasons, and the counts.
fn digest(output: &Output, suite: &Suite) -> String {
    let mut text = String::new();
    let uncovered = suite.goals.iter().filter(|goal| goal.status != Status::Covered);
    let without: Vec<_> = uncovered.filter_map(|goal| goal.reason.as_ref().map(|reason| (goal, reason))).collect();
    for (goal, reason) in without.iter().take(REASONS) {
        text.push_str(&format!("{} {}: {reason}\n", goal.id, goal.status));
    }
    if REASONS < without.len() {
        text.push_str(&format!("… and {} more\n\n", without.len() - REASONS));
    }
    text + &present::counts(output, suite)
}
