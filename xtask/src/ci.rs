//! Everything a change must pass, in the order in which it fails soonest.

use std::time::Instant;

use crate::{Outcome, cargo, tidy, tools};

pub(crate) fn run() -> Outcome {
    run_step("format", || run_cargo(&["fmt", "--all", "--check"]))?;
    run_step("tidy", tidy::run)?;
    let tools = tools::install()?;
    tools.report();
    let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
    run_step("lints", || run_cargo(&lints))?;
    run_step("documentation", || {
        let mut command = cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
        crate::run(command.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    run_step("tests", || {
        let mut command = cargo(&["test", "--workspace", "--locked"]);
        tools.prepare(&mut command);
        crate::run(&mut command)
    })?;
    println!("everything passed");
    Ok(())
}

fn run_step(name: &str, step: impl FnOnce() -> Outcome) -> Outcome {
    println!("── {name}");
    let start = Instant::now();
    step().map_err(|problem| format!("{name}: {problem}"))?;
    println!("── {name}: ok, {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn run_cargo(arguments: &[&str]) -> Outcome {
    crate::run(&mut cargo(arguments))
}
