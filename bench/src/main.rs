//! Measurements, each beside a peer in the same run; and long random comparisons of solvers.
//!
//! `cargo xtask bench [TOPIC …]` and `cargo xtask fuzz-terms [COUNT [SEED]]` start this program in release mode. Nothing here
//! is a test: a slow machine must not fail one.

#![expect(clippy::print_stdout, reason = "the tables are the product")]
#![expect(clippy::print_stderr, reason = "rows are shown while the others are measured")]

mod decisions;
mod fuzz;
mod joints;
mod models;
mod programs;
mod signals;
mod solvers;
mod strategies;
mod strength;
mod table;
mod terms;
mod traces;
mod versions;

use std::process::ExitCode;

use table::Table;

/// The name of what can be measured, and who measures it.
pub(crate) type Topic = (&'static str, fn() -> Vec<Table>);

const TOPICS: &[Topic] = &[
    ("terms", terms::measure),
    ("solvers", solvers::measure),
    ("decisions", decisions::measure),
    ("traces", traces::measure),
    ("signals", signals::measure),
    ("strategies", strategies::measure),
    ("strength", strength::measure),
    ("models", models::measure),
    ("programs", programs::measure),
    ("joints", joints::measure),
    ("farm", joints::farm),
    ("versions", versions::measure),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["fuzz-terms", rest @ ..] = words.as_slice() {
        return fuzz::run(rest);
    }
    let topics = || TOPICS.iter().chain(programs::PARTS);
    let known = |word: &&str| topics().any(|(name, _)| name == word);
    if !words.iter().all(known) {
        let names: Vec<&str> = topics().map(|(name, _)| *name).collect();
        println!("usage: bench [TOPIC …] | fuzz-terms [COUNT [SEED]]; topics: {}", names.join(", "));
        return ExitCode::from(2);
    }
    for (at, (name, measure)) in topics().enumerate() {
        let usual = words.is_empty() && at < TOPICS.len();
        if usual || words.contains(name) {
            measure().iter().for_each(|table| println!("{table}"));
        }
    }
    ExitCode::SUCCESS
}
