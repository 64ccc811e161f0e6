//! `specimen demo`: a short tour over bundled examples.

use boolean::goals::Criterion;
use testcase::Suite;
use testgen::Options;

use crate::args::{Conditions, CriterionArguments};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::Language;
use crate::output::{Form, Output};
use crate::search::{self, Start};
use crate::specification::Specification;
use crate::{interrupt, present};

/// A stop of the tour.
struct Stop {
    words: &'static str,
    file: &'static str,
    text: &'static str,
    criterion: Criterion,
    conditions: Conditions,
    decision: Option<&'static str>,
    /// Whether every test is shown, or the counts only.
    whole: bool,
}

const STOPS: &[Stop] = &[
    Stop {
        words: "A policy: every condition must be shown to matter (masking MC/DC).",
        file: "policy.bool",
        text: include_str!("../../../../examples/boolean/policy.bool"),
        criterion: Criterion::MaskingMcdc,
        conditions: Conditions::Occurrence,
        decision: None,
        whole: true,
    },
    Stop {
        words: "A decision of the TCAS II collision avoidance system, unique-cause MC/DC: one test more than conditions.",
        file: "tcas2.bool",
        text: include_str!("../../../../examples/boolean/tcas2.bool"),
        criterion: Criterion::UniqueCauseMcdc,
        conditions: Conditions::Variable,
        decision: Some("D4"),
        whole: true,
    },
    Stop {
        words: "The Java Card firewall, 62 conditions: what unique-cause MC/DC cannot ask for is proved, with the reason.",
        file: "firewall.bool",
        text: include_str!("../../../../examples/boolean/firewall.bool"),
        criterion: Criterion::UniqueCauseMcdc,
        conditions: Conditions::Occurrence,
        decision: None,
        whole: false,
    },
    Stop {
        words: "The same with masking MC/DC.",
        file: "firewall.bool",
        text: include_str!("../../../../examples/boolean/firewall.bool"),
        criterion: Criterion::MaskingMcdc,
        conditions: Conditions::Occurrence,
        decision: None,
        whole: false,
    },
];

/// How many reasons are shown where not everything is.
const REASONS: usize = 3;

pub(crate) fn run(output: &Output) -> Result<Exit, Failure> {
    let interrupt = interrupt::on_ctrl_c();
    let mut exit = Exit::Done;
    for (number, stop) in (1..).zip(STOPS) {
        narrate(output, &format!("{number}. {}\n   $ {}\n\n", stop.words, command(stop)))?;
        let bytes = stop.text.as_bytes().to_vec();
        let specification = Specification::from_bytes(output, stop.file, bytes, Language::Bool, stop.decision)?;
        let criterion = CriterionArguments { criterion: stop.criterion, conditions: stop.conditions, boundary: false };
        let start = Start {
            specification: &specification,
            criterion: &criterion,
            options: Options { interrupt: interrupt.clone(), ..Options::default() },
            given: Vec::new(),
            tests: Vec::new(),
            known: Vec::new(),
            folder: None,
            search: true,
        };
        let suite = search::draw(output, start)?.suite;
        if stop.whole || output.form == Form::Json {
            present::suite(output, &suite)?;
        } else {
            output.product(&digest(output, &suite))?;
        }
        narrate(output, "\n")?;
        if present::exit(&suite, None) != Exit::Done {
            exit = Exit::Open;
        }
    }
    narrate(
        output,
        "`specimen generate FILE --out FOLDER` also writes a report for the browser; `specimen --help` lists the verbs.\n",
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
fn command(stop: &Stop) -> String {
    let mut text = format!("specimen generate examples/boolean/{} --criterion {}", stop.file, stop.criterion.name());
    if stop.conditions == Conditions::Variable {
        text.push_str(" --conditions variable");
    }
    if let Some(decision) = stop.decision {
        text.push_str(&format!(" --decision {decision}"));
    }
    text
}

/// A few reasons, and the counts.
fn digest(output: &Output, suite: &Suite) -> String {
    let mut text = String::new();
    let without: Vec<_> =
        suite.goals.iter().filter_map(|goal| goal.reason.as_ref().map(|reason| (goal, reason))).collect();
    for (goal, reason) in without.iter().take(REASONS) {
        text.push_str(&format!("{} {}: {reason}\n", goal.id, goal.status));
    }
    if REASONS < without.len() {
        text.push_str(&format!("… and {} more\n\n", without.len() - REASONS));
    }
    text + &present::counts(output, suite)
}
