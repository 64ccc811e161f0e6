//! `specimen evaluate` for formulas: do the tests drawn from wrong formalisations show that they are wrong?

use std::collections::BTreeSet;

use draw_stl::{StlSubject, precheck};
use search::{Backend, Options, Session, Subject};
use serde_json::json;
use source::Source;
use stl::goals::{Criterion, GoalOptions};
use stl::interp::holds;
use stl::print;
use stl::signal::from_json;
use testcase::Inputs;

use super::oracle;
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};

/// A formalisation of a requirement, and what its own tests tell.
struct Answer {
    /// As it is printed, with what is meant.
    text: String,
    mutants: usize,
    tests: usize,
    /// Whether it means something else than what is meant.
    faulty: bool,
    /// Whether some test is judged otherwise by what is meant.
    detected: bool,
}

/// Evaluates a list: on each line what is meant, a tab, and what somebody wrote.
pub(super) fn evaluate(
    output: &Output,
    list: &Source,
    goals: &GoalOptions,
    search: impl Fn() -> Options,
) -> Result<Exit, Failure> {
    let mut answers = Vec::new();
    for (number, line) in list.text().lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((meant, written)) = line.split_once('\t') else {
            let words =
                format!("{}, line {}: what is meant, a tab, and what was written are needed", list.name(), number + 1);
            return Err(Failure::Rejected(words));
        };
        let named = |what: &str, text: &str| Source::new(format!("{}, line {}, {what}", list.name(), number + 1), text);
        let sources = [named("what is meant", meant), named("what was written", written)];
        answers.push(answer(output, &sources, goals, &search)?);
    }
    if answers.is_empty() {
        return Err(Failure::Rejected(format!("{} holds no formalisations", list.name())));
    }
    output.product(&shown(output, &answers))?;
    let missed = answers.iter().any(|answer| answer.faulty && !answer.detected);
    Ok(if missed { Exit::Open } else { Exit::Done })
}

fn answer(
    output: &Output,
    [meant, written]: &[Source; 2],
    goals: &GoalOptions,
    search: impl Fn() -> Options,
) -> Result<Answer, Failure> {
    let (oracle, _) = stl::load(meant).map_err(|errors| output.rejected(meant, &errors))?;
    let (spec, _) = stl::load(written).map_err(|errors| output.rejected(written, &errors))?;
    let subject = StlSubject::new(written, &spec, Criterion::Mutation, goals)
        .map_err(|errors| output.rejected(written, &errors))?;
    let backend = Backend::new(&search());
    let mut session = Session::new(&subject, &backend, search())?;
    while session.pull()?.is_some() {}
    let outcome = session.finish()?;
    let free = oracle::free_signals(&spec, &oracle).map_err(Failure::Rejected)?;
    let mut detected = false;
    for test in &outcome.tests {
        let Inputs::Document(document) = &test.test().inputs else {
            unreachable!("the tests of a formula are signals")
        };
        let own = holds(&spec.store, &from_json(&spec, document).map_err(Failure::Rejected)?, spec.formula);
        let given = oracle::restricted(&oracle, document.clone());
        detected |= oracle::answer(&oracle, given, &free, own).map_err(Failure::Rejected)? != own;
    }
    Ok(Answer {
        text: format!("{} for {}", print(&spec, spec.formula), print(&oracle, oracle.formula)),
        mutants: subject.goals().len(),
        tests: outcome.tests.len(),
        faulty: detected || !means_the_same(meant, written, &backend)?,
        detected,
    })
}

/// Whether two formulas are proved to mean the same.
fn means_the_same(meant: &Source, written: &Source, backend: &Backend) -> Result<bool, Failure> {
    let (one, other) = (meant.text(), written.text());
    let both = Source::new("both", format!("(({one}) -> ({other})) & (({other}) -> ({one}))"));
    match stl::load(&both) {
        Ok((spec, _)) => {
            let warnings = precheck(&both, &spec, backend)?;
            Ok(warnings.iter().any(|warning| warning.code.id == stl::codes::TAUTOLOGY.id))
        }
        // A signal with two sorts: they speak of different things.
        Err(_) => Ok(false),
    }
}

fn shown(output: &Output, answers: &[Answer]) -> String {
    let count = |wanted: &dyn Fn(&Answer) -> bool| {
        let chosen = answers.iter().filter(|answer| wanted(answer));
        let unique: BTreeSet<&str> = chosen.clone().map(|answer| answer.text.as_str()).collect();
        (chosen.count(), unique.len())
    };
    let rows = [
        ("formalisations", count(&|_| true)),
        ("faulty", count(&|answer| answer.faulty)),
        ("faulty detected", count(&|answer| answer.faulty && answer.detected)),
    ];
    let spread = |of: &dyn Fn(&Answer) -> usize| {
        let all: Vec<usize> = answers.iter().map(of).collect();
        let (sum, half) = (all.iter().sum::<usize>(), all.len() / 2);
        (all.iter().min().copied().unwrap_or(0), (sum + half) / all.len(), all.iter().max().copied().unwrap_or(0))
    };
    let spreads = [
        ("mutants per formalisation", spread(&|answer| answer.mutants)),
        ("tests per formalisation", spread(&|answer| answer.tests)),
    ];
    let missed: Vec<&str> =
        answers.iter().filter(|answer| answer.faulty && !answer.detected).map(|answer| answer.text.as_str()).collect();
    if output.form == Form::Json {
        let counts: serde_json::Map<_, _> = rows
            .iter()
            .map(|(name, (total, unique))| ((*name).to_owned(), json!({ "total": total, "unique": unique })))
            .collect();
        let spreads: serde_json::Map<_, _> = spreads
            .iter()
            .map(|(name, (min, avg, max))| ((*name).to_owned(), json!({ "min": min, "avg": avg, "max": max })))
            .collect();
        return format!("{:#}\n", json!({ "counts": counts, "spreads": spreads, "missed": missed }));
    }
    let mut table = Table::new(&["", "total", "unique"]);
    for (name, (total, unique)) in rows {
        table.row(vec![name.to_owned(), total.to_string(), unique.to_string()]);
    }
    let mut text = table.to_text(0) + "\n";
    let mut table = Table::new(&["", "min", "avg", "max"]);
    for (name, (min, avg, max)) in spreads {
        table.row(vec![name.to_owned(), min.to_string(), avg.to_string(), max.to_string()]);
    }
    text += &table.to_text(0);
    for missed in missed {
        text += &format!("not detected: {missed}\n");
    }
    text
}
