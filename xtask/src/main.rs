//! Project tasks: `cargo xtask ci` and what it is made of.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "tasks talk to the user")]

mod book;
mod ci;
mod codegen;
mod library;
mod pictures;
mod sweep;
mod sweep_c;
mod tidy;
mod tools;
#[cfg(unix)]
mod torture;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "\
usage: cargo xtask TASK

  ci          everything a change must pass: tools, format, lints, documentation, tests, tidy
  tools       install what the tests need into target/tools
  tidy        check the promises of the project: graph, first lines, diagnostics, corpus
  codegen     write the generated pages of the book
  book        build the book for the browser with mdBook, installing that if need be
  bench       measurements, beside peers [TOPIC …]
  sweep       draw tests from every specification for a few seconds each [PLACE …]
  sweep-c     random C programs against all their inputs and the compiler's output [COUNT [SEED]]
  torture     kills, signals, a full disk, little memory, bad solvers, hostile clients [ROUNDS]
  fuzz-terms  long random comparison of solvers [COUNT [SEED]]";

/// What a task may fail with: words for people.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["ci"] => ci::run(),
        ["tools"] => tools::install().map(|tools| tools.report()),
        ["tidy"] => tidy::run(),
        ["codegen"] => codegen::write(),
        ["book"] => book::build(),
        #[cfg(unix)]
        ["torture", rest @ ..] => torture::run(rest),
        ["sweep", places @ ..] => sweep::sweep(places),
        ["sweep-c", rest @ ..] => sweep_c::programs(rest),
        ["bench" | "fuzz-terms", ..] => measure(&words),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the program of measurements in release mode, with the solvers that `tools` has installed.
fn measure(words: &[&str]) -> Outcome {
    let mut command = cargo(&["run", "--release", "--quiet", "--package", "bench", "--"]);
    command.args(if words[0] == "bench" { &words[1..] } else { words });
    tools::show(&mut command);
    run(&mut command)
}

/// The root of the repository.
fn root() -> PathBuf {
    let parent = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    parent.expect("xtask is a folder of the repository").to_owned()
}

/// Where cargo builds.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The cargo that runs us.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Nothing here asks a question, and a caller may have no standard input to give.
    command.current_dir(root()).args(arguments).stdin(std::process::Stdio::null());
    command
}

/// Runs a command to its end; what it says is seen.
fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| format!("cannot start {command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} failed ({status})")) }
}
