//! Measurements, each beside a peer in the same run; and long random comparisons of solvers.
//!
//! `cargo xtask bench [terms|solvers|decisions|signals|traces]` and `cargo xtask fuzz-terms [COUNT [SEED]]` start this program in
//! release mode. Nothing here is a test: a slow machine must not fail one.

#![expect(clippy::print_stdout, reason = "the tables are the product")]
#![expect(clippy::print_stderr, reason = "rows are shown while the others are measured")]

mod decisions;
mod fuzz;
mod signals;
mod solvers;
mod table;
mod terms;
mod traces;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [] => {
            let tables =
                [terms::measure(), solvers::measure(), decisions::measure(), signals::measure(), traces::measure()];
            tables.iter().flatten().for_each(|table| println!("{table}"));
            ExitCode::SUCCESS
        }
        ["terms"] => show(&terms::measure()),
        ["solvers"] => show(&solvers::measure()),
        ["decisions"] => show(&decisions::measure()),
        ["signals"] => show(&signals::measure()),
        ["traces"] => show(&traces::measure()),
        ["fuzz-terms", rest @ ..] => fuzz::run(rest),
        _ => {
            println!("usage: bench [terms|solvers|decisions|signals|traces] | fuzz-terms [COUNT [SEED]]");
            ExitCode::from(2)
        }
    }
}

fn show(tables: &[table::Table]) -> ExitCode {
    tables.iter().for_each(|table| println!("{table}"));
    ExitCode::SUCCESS
}
