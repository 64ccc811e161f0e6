//! Suites for people: on a terminal, in a few lines.

use std::fmt::Write as _;

use anstyle::AnsiColor;
use front::columns::Table;
use front::exit::Exit;
use front::failure::Failure;
use front::language;
use front::output::{Form, Output};
use front::words::counted;
use search::{ELSEWHERE, Shard};
use serde_json::Value as Json;
use testcase::{GoalRecord, Minimality, Status, Suite, TestRecord};

use crate::product;

/// More covered goals than this are counted, not named.
const MOST_NAMED: usize = 200;

/// Wider tables become lists.
const WIDEST: usize = 150;

/// Shows a suite in the form asked for.
pub(crate) fn suite(output: &Output, suite: &Suite) -> Result<(), Failure> {
    match output.form {
        Form::Json => output.product(&suite.to_json_string()),
        Form::Human => output.product(&text(output, suite)),
    }
}

/// Shows a suite whose tests have been shown.
pub(crate) fn rest(output: &Output, suite: &Suite) -> Result<(), Failure> {
    let shown = Suite { tests: Vec::new(), ..suite.clone() };
    self::suite(output, if output.form == Form::Json { suite } else { &shown })
}

/// Shows one test of a suite, as soon as it is there.
pub(crate) fn test(output: &Output, suite: &Suite, number: usize) -> Result<(), Failure> {
    let Some(test) = suite.tests.get(number) else { return Ok(()) };
    if output.form == Form::Json {
        return output.product(&format!("{}\n", serde_json::json!(test)));
    }
    let alone = Suite { tests: vec![test.clone()], ..suite.clone() };
    output.product(&format!("{}\n", tests(&alone)))
}

/// The exit code a suite calls for; of a shard, only its own goals count.
pub(crate) fn exit(suite: &Suite, shard: Option<Shard>) -> Exit {
    let is_ours = |goal: &&GoalRecord| shard.is_none() || goal.reason.as_deref() != Some(ELSEWHERE);
    let mut ours = suite.goals.iter().filter(is_ours);
    let is_open = |goal: &GoalRecord| goal.status.is_open();
    let open = ours.any(is_open) || (product::unlisted(suite).is_some() && suite.summary.has_open_goals());
    if open { Exit::Open } else { Exit::Done }
}

fn text(output: &Output, suite: &Suite) -> String {
    let mut text = String::new();
    let decision = suite.options.get("decision").and_then(Json::as_str);
    let decision = decision.map(|decision| format!(" of {decision}")).unwrap_or_default();
    let _ = writeln!(text, "{}\n", output.bold(&format!("{}: {}{decision}", suite.source.file, suite.criterion)));
    if !suite.tests.is_empty() {
        let _ = writeln!(text, "{}", tests(suite));
    }
    if output.verbose {
        let _ = writeln!(text, "{}", goals(&suite.goals));
    }
    let manners = manners(&suite.goals, output.verbose);
    if !manners.is_empty() {
        let _ = writeln!(text, "{}\n{manners}", output.paint("covered", AnsiColor::Green));
    }
    for (status, title, colour) in [
        (Status::Infeasible, "infeasible", AnsiColor::Blue),
        (Status::InfeasibleUpTo, "infeasible up to a bound", AnsiColor::Magenta),
        (Status::OnlyUndefined, "only with undefined behaviour", AnsiColor::Red),
        (Status::Unknown, "open", AnsiColor::Yellow),
    ] {
        let some: Vec<&GoalRecord> = suite.goals.iter().filter(|goal| goal.status == status).collect();
        if !some.is_empty() {
            let _ = writeln!(text, "{}\n{}", output.paint(title, colour), reasons(&some));
        }
    }
    text.push_str(&counts(output, suite));
    text
}

/// The counts, and what is known about the number of tests.
pub(crate) fn counts(output: &Output, suite: &Suite) -> String {
    let summary = &suite.summary;
    let mut parts = vec![format!("{} covered", summary.covered)];
    for (count, words) in [
        (summary.infeasible, "infeasible"),
        (summary.infeasible_up_to, "infeasible up to a bound"),
        (summary.only_undefined, "only with undefined behaviour"),
        (summary.unknown, "open"),
    ] {
        if 0 < count {
            parts.push(format!("{count} {words}"));
        }
    }
    let minimality = match suite.minimality {
        _ if !suite.complete => "",
        // That nothing is smaller than nothing is not worth a proof.
        _ if summary.tests == 0 => "",
        Minimality::Proved => " (no smaller suite exists: proved)",
        Minimality::ProvedWithinBound => " (no smaller suite exists within the bound: proved)",
        Minimality::ProvedAmongFound => " (no smaller selection of the tests found exists: proved)",
        Minimality::NotProved => "",
    };
    let colour = if summary.has_open_goals() { AnsiColor::Yellow } else { AnsiColor::Green };
    let goals = output.paint(&counted(summary.goals, "goal"), colour);
    let mut text = format!("{goals}: {}\n{}{minimality}\n", parts.join(", "), counted(summary.tests, "test"));
    if let Some(remark) = language::front_of(&suite.language).and_then(|front| front.remark(suite)) {
        text.push_str(&remark);
        text.push('\n');
    }
    if let Some(unlisted) = product::unlisted(suite) {
        text.push_str(&unlisted);
        text.push('\n');
    }
    if !suite.complete {
        text.push_str("the run did not come to its end\n");
    }
    text
}

fn tests(suite: &Suite) -> String {
    let front = language::front_of(&suite.language);
    let shown: Option<Vec<String>> = suite
        .tests
        .iter()
        .map(|test| front.and_then(|front| front.show(test)).map(|text| titled(test, &text)))
        .collect();
    if let Some(shown) = shown {
        return shown.join("\n");
    }
    let (inputs, outputs) = names(suite);
    let mut head = vec!["test"];
    head.extend(inputs.iter().map(String::as_str));
    head.extend(outputs.iter().map(String::as_str));
    head.push("covers");
    let mut table = Table::new(&head);
    for test in &suite.tests {
        let mut row = vec![test.id.clone()];
        row.extend(inputs.iter().map(|name| cell(test.inputs.get(name))));
        row.extend(outputs.iter().map(|name| cell(test.expected.get(name))));
        row.push(test.covers.join(" "));
        table.row(row);
    }
    if table.width() <= WIDEST {
        return table.to_text(0);
    }
    suite.tests.iter().map(|test| as_list(test, &inputs, &outputs)).collect()
}

/// A test in lines of its own, as its language shows it.
fn titled(test: &TestRecord, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("    {line}\n")).collect();
    let covers = match test.covers.len() {
        many if MOST_NAMED < many => counted(many, "goal"),
        _ => test.covers.join(" "),
    };
    format!("{}: covers {covers}\n{lines}", test.id)
}

/// A test in a line of its own, for specifications with many inputs.
fn as_list(test: &TestRecord, inputs: &[String], outputs: &[String]) -> String {
    let pairs = |names: &[String], value: &dyn Fn(&str) -> String| -> String {
        names.iter().map(|name| format!("{name}={}", value(name))).collect::<Vec<_>>().join(" ")
    };
    format!(
        "{}: {} -> {}\n    covers {}\n",
        test.id,
        pairs(inputs, &|name| cell(test.inputs.get(name))),
        pairs(outputs, &|name| cell(test.expected.get(name))),
        test.covers.join(" ")
    )
}

fn names(suite: &Suite) -> (Vec<String>, Vec<String>) {
    let interface = suite.interface.clone().unwrap_or_default();
    let names = |ports: Vec<testcase::Port>| ports.into_iter().map(|port| port.name).collect();
    (names(interface.inputs), names(interface.outputs))
}

/// A value as a table shows it.
pub(crate) fn cell(json: Option<&Json>) -> String {
    match json {
        None => String::new(),
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

fn goals(goals: &[GoalRecord]) -> String {
    let mut table = Table::new(&["goal", "place", "status", "tests", "what"]);
    for goal in goals {
        let tests = goal.tests.join(" ");
        table.row(vec![goal.id.clone(), place(goal), goal.status.words(), tests, goal.label.clone()]);
    }
    table.to_text(0)
}

/// In what manner goals are covered, where that differs; and why in no better one, if that is wanted.
fn manners(goals: &[GoalRecord], whole: bool) -> String {
    let mut text = String::new();
    for goal in goals.iter().filter(|goal| goal.status == Status::Covered) {
        if let Some(manner) = &goal.reason {
            let short = manner.split("; ").next().unwrap_or(manner);
            let _ = writeln!(text, "  {}: {}", goal.id, if whole { manner } else { short });
        }
    }
    text
}

fn reasons(goals: &[&GoalRecord]) -> String {
    let mut text = String::new();
    for goal in goals {
        let reason = goal.reason.as_deref().unwrap_or("no reason is known");
        let _ = writeln!(text, "  {} ({}) {}\n      {reason}", goal.id, place(goal), goal.label);
    }
    text
}

/// Where a goal is in the source.
pub(crate) fn place(goal: &GoalRecord) -> String {
    goal.location.as_ref().map_or_else(|| "-".to_owned(), |place| format!("{}:{}", place.line, place.column))
}
