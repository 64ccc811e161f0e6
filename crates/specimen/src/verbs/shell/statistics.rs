//! What a query took: the lines that FShell's benchmark scripts look for.

use std::time::Duration;

use search::Statistics;
use testcase::Suite;

/// The lines about one suite.
pub(super) fn of_suite(suite: &Suite, took: &Statistics) -> Vec<String> {
    let open = suite.summary.goals - suite.summary.covered;
    vec![
        format!("Possibly feasible test goals: {}", suite.summary.goals),
        format!("Test goals not fulfilled: {open}"),
        format!("Test cases: {}", suite.tests.len()),
        format!("Test cases removed by minimization: {}", took.found.saturating_sub(suite.tests.len())),
        format!("Infeasible test goals: {}", suite.summary.infeasible),
        format!("Infeasible test goals up to a bound: {}", suite.summary.infeasible_up_to),
        format!("Test goals met only with undefined behaviour: {}", suite.summary.only_undefined),
        format!("Additional Boolean variables: {}", took.variables),
        format!("Additional clauses: {}", took.clauses),
        format!("Time spent in main SAT solver: {:.2} s", took.solving.as_secs_f64()),
    ]
}

/// The lines about the process.
pub(super) fn of_process(query: Duration) -> Vec<String> {
    let mut lines = vec![format!("Query time: {:.2} s", query.as_secs_f64())];
    if let Some(time) = processor_time() {
        lines.push(format!("Total CPU time: {time:.2} s"));
    }
    if let Some(memory) = peak_memory() {
        lines.push(format!("Peak memory usage: {memory} MB"));
    }
    lines
}

/// The processor time of this process in seconds, where the system tells.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name of the program, which may hold anything: user and system time are the 12th and 13th field.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// The most memory that this process had, in megabytes.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}
