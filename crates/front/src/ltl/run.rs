//! `specimen run` for a specification: the verdicts of traces.

use anstyle::AnsiColor;
use ltl::Spec;
use ltl::verdict::{Divergence, Expectation, Explanation, History, Monitor, Reason, Semantics, Verdict, Wait};
use omega::Formula;
use omega::automaton::{Limits, translate};
use serde_json::{Value as Json, json};

use super::LtlModel;
use super::traces::{Times, feed};
use super::verdicts::{Judged, Outcome, judged};
use crate::columns::Table;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::front_end::one_of;
use crate::options::{AutomatonForm, RunArguments, TraceArguments};
use crate::output::{Form, Output};

pub(super) fn run(model: &LtlModel, output: &Output, arguments: &RunArguments) -> Result<Exit, Failure> {
    if let Some(form) = arguments.traces.automaton {
        return automaton(&model.spec, output, arguments, form);
    }
    if arguments.tests.is_empty() {
        return Err(Failure::Usage("there is nothing to run: name a trace, or `-` for standard input".to_owned()));
    }
    let spec = &model.spec;
    let properties = judged(spec);
    let formulas: Vec<Formula> = properties.iter().map(|property| property.formula).collect();
    let traces = &arguments.traces;
    let semantics = semantics(traces)?;
    if !traces.counting.is_empty() && !semantics.contains(&Semantics::Counting) {
        return Err(Failure::Usage("--counting is about the counting semantics".to_owned()));
    }
    let history = history(output, spec, &formulas, traces)?;
    let mut outcomes = Vec::new();
    for path in &arguments.tests {
        let mut monitor = match traces.expect {
            Expectation::Longest if traces.table => Monitor::keeping_all(&spec.formulas, &formulas),
            Expectation::Longest => Monitor::new(&spec.formulas, &formulas),
            other => Monitor::expecting(&spec.formulas, &formulas, other),
        }
        .diverging(&traces.counting);
        if let Some(history) = &history {
            monitor.start_from(history);
        }
        let mut sweep = Vec::new();
        let times = feed(output, spec, path, traces, &mut monitor, |monitor| {
            if traces.sweep {
                sweep.push(monitor.judge(semantics[0])[0]);
            }
        })?;
        let outcome = Outcome::new(path.display().to_string(), &mut monitor, &semantics, times);
        let rows = if traces.table { monitor.table() } else { Vec::new() };
        match output.form {
            Form::Human => {
                if traces.sweep {
                    output.product(&swept(&sweep))?;
                }
                if traces.table {
                    output.product(&tabled(&rows, monitor.length()))?;
                }
                if arguments.tests.len() == 1 {
                    output.product(&shown(output, &properties, &outcome, &traces.counting))?;
                }
            }
            Form::Json => {
                let mut json = as_json(spec, &properties, &outcome);
                if !traces.counting.is_empty() {
                    json["rules"] = traces.counting.iter().map(|rule| json!(rule.name())).collect();
                }
                if traces.sweep {
                    json["sweep"] = sweep.iter().map(|verdict| json!(name(*verdict))).collect();
                }
                if traces.table {
                    json["table"] = rows.iter().map(row_as_json).collect();
                }
                output.product(&format!("{json}\n"))?;
            }
        }
        outcomes.push(outcome);
    }
    if 1 < outcomes.len() && output.form == Form::Human {
        output.product(&ranked(output, &properties, &outcomes, &traces.counting))?;
    }
    let is_good = |outcome: &Outcome| matches!(outcome.overall(), Some(Verdict::True | Verdict::PresumablyTrue));
    Ok(if outcomes.iter().all(is_good) { Exit::Done } else { Exit::Open })
}

/// The automaton of the specification.
fn automaton(spec: &Spec, output: &Output, arguments: &RunArguments, form: AutomatonForm) -> Result<Exit, Failure> {
    if !arguments.tests.is_empty() {
        return Err(Failure::Usage("--automaton writes an automaton, and reads no trace".to_owned()));
    }
    let mut formulas = spec.formulas.clone();
    let automaton = translate(&mut formulas, spec.requirement, Limits::default());
    let text = automaton.and_then(|automaton| match form {
        AutomatonForm::Hoa => automaton.to_hoa(&formulas),
        AutomatonForm::Dot => automaton.to_dot(&formulas),
    });
    let Some(text) = text else {
        return Err(Failure::Rejected("the automaton of the specification is too large to be written".to_owned()));
    };
    output.product(&text)?;
    Ok(Exit::Done)
}

/// What is said of verdicts that do not follow the usual rules.
fn by_other_rules(divergences: &[Divergence]) -> String {
    let names: Vec<&str> = divergences.iter().map(|divergence| divergence.name()).collect();
    if names.is_empty() { String::new() } else { format!(", counted by other rules ({})", names.join(", ")) }
}

fn semantics(arguments: &TraceArguments) -> Result<Vec<Semantics>, Failure> {
    match arguments.semantics.as_str() {
        "all" => Ok(Semantics::ALL.to_vec()),
        given => match Semantics::from_name(given) {
            Some(semantics) => Ok(vec![semantics]),
            None => {
                let names = Semantics::ALL.iter().map(|semantics| semantics.name()).chain(["all"]);
                Err(one_of("semantics", given, names))
            }
        },
    }
}

/// What earlier traces taught.
fn history(
    output: &Output,
    spec: &Spec,
    formulas: &[Formula],
    arguments: &TraceArguments,
) -> Result<Option<History>, Failure> {
    let mut joined: Option<History> = None;
    for path in &arguments.history {
        let mut monitor = Monitor::learning(&spec.formulas, formulas);
        feed(output, spec, path, arguments, &mut monitor, |_| {})?;
        let history = monitor.history();
        match &mut joined {
            None => joined = Some(history),
            Some(joined) => joined.join(&history),
        }
    }
    Ok(joined)
}

/// The name of a verdict that may not be known.
fn name(verdict: Option<Verdict>) -> &'static str {
    verdict.map_or("unknown", Verdict::name)
}

fn painted(output: &Output, verdict: Option<Verdict>) -> String {
    let colour = match verdict {
        Some(Verdict::True | Verdict::PresumablyTrue) => AnsiColor::Green,
        Some(Verdict::False | Verdict::PresumablyFalse) => AnsiColor::Red,
        Some(Verdict::Inconclusive) | None => AnsiColor::Yellow,
    };
    output.paint(name(verdict), colour)
}

/// The verdicts on one trace, for people.
fn shown(output: &Output, properties: &[Judged], outcome: &Outcome, rules: &[Divergence]) -> String {
    let steps = crate::words::counted(usize::try_from(outcome.steps).unwrap_or(usize::MAX), "step");
    let rules = by_other_rules(rules);
    let mut text = format!("{}: {} after {steps}{rules}\n\n", outcome.trace, painted(output, outcome.overall()));
    let mut head = vec!["property"];
    head.extend(outcome.verdicts.iter().map(
        |(semantics, _)| {
            if outcome.verdicts.len() == 1 { "verdict" } else { semantics.name() }
        },
    ));
    let explains = outcome.verdicts.len() == 1 && !outcome.explanations.is_empty();
    if explains {
        head.push("why");
    }
    let mut table = Table::new(&head);
    for (number, property) in properties.iter().enumerate() {
        let mut row = vec![property.name.clone()];
        row.extend(outcome.verdicts.iter().map(|(_, verdicts)| name(verdicts[number]).to_owned()));
        if explains {
            row.push(explained(&outcome.explanations[number], &outcome.times));
        }
        table.row(row);
    }
    text.push_str(&table.to_text(0));
    text
}

/// The step that a reason is about.
fn step(reason: &Reason) -> Option<u64> {
    match reason {
        Reason::Constant => None,
        Reason::Seen { step } => Some(*step),
        Reason::Open { since, .. } | Reason::NoExperience { since } => Some(*since),
    }
}

/// An explanation for people, in which long formulas are cut.
fn explained(explanation: &Explanation, times: &Times) -> String {
    const LONGEST: usize = 60;
    let mut explanation = explanation.clone();
    if let Some((end, _)) = explanation.formula.char_indices().nth(LONGEST) {
        explanation.formula.truncate(end);
        explanation.formula.push('…');
    }
    let time = step(&explanation.reason).and_then(|step| Some(format!("; step {step} is at {}", times.of(step)?)));
    format!("{explanation}{}", time.unwrap_or_default())
}

/// Several traces, the most suspicious first.
fn ranked(output: &Output, properties: &[Judged], outcomes: &[Outcome], rules: &[Divergence]) -> String {
    let mut order: Vec<&Outcome> = outcomes.iter().collect();
    order.sort_by_key(|outcome| outcome.rank());
    let mut table = Table::new(&["trace", "steps", "verdict", "property", "why"]);
    for outcome in &order {
        let worst = outcome.worst();
        let why = outcome.explanations.get(worst);
        let why = why.map(|explanation| explained(explanation, &outcome.times)).unwrap_or_default();
        table.row(vec![
            outcome.trace.clone(),
            outcome.steps.to_string(),
            name(outcome.overall()).to_owned(),
            properties[worst].name.clone(),
            why,
        ]);
    }
    let counts: Vec<String> = (Verdict::ALL.iter().map(|verdict| Some(*verdict)).chain([None]))
        .map(|verdict| (verdict, outcomes.iter().filter(|outcome| outcome.overall() == verdict).count()))
        .filter(|(_, count)| 0 < *count)
        .map(|(verdict, count)| format!("{count} {}", painted(output, verdict)))
        .collect();
    let rules = by_other_rules(rules);
    format!("{}\n{} traces{rules}: {}\n", table.to_text(0), outcomes.len(), counts.join(", "))
}

/// The verdict after every step.
fn swept(sweep: &[Option<Verdict>]) -> String {
    let mut table = Table::new(&["step", "verdict"]);
    for (step, verdict) in (1..).zip(sweep) {
        table.row(vec![format!("{step}"), name(*verdict).to_owned()]);
    }
    format!("{}\n", table.to_text(0))
}

/// The pair and the verdict of every subformula in every step.
fn tabled(rows: &[ltl::verdict::Row], length: u64) -> String {
    let mut head = vec!["formula".to_owned()];
    head.extend((1..=length).map(|step| format!("{step}")));
    head.push("end".to_owned());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let mut table = Table::new(&head);
    for row in rows {
        let entries = row.entries.iter().map(|(pair, verdict)| format!("{pair}{}", verdict.symbol()));
        table.row([row.formula.clone()].into_iter().chain(entries).collect());
    }
    format!("{}\n", table.to_text(0))
}

fn as_json(spec: &Spec, properties: &[Judged], outcome: &Outcome) -> Json {
    let property = |number: usize| {
        let Judged { name: title, kind, formula } = &properties[number];
        let verdicts: serde_json::Map<String, Json> = (outcome.verdicts.iter())
            .map(|(semantics, verdicts)| (semantics.name().to_owned(), json!(name(verdicts[number]))))
            .collect();
        let mut json = json!({ "name": title, "kind": kind, "formula": ltl::print(&spec.formulas, *formula), "verdicts": verdicts });
        if let Some(explanation) = outcome.explanations.get(number) {
            json["why"] = reason_as_json(&explanation.formula, &explanation.reason);
            if let Some(time) = step(&explanation.reason).and_then(|step| outcome.times.of(step)) {
                json["why"]["time"] = json!(time);
            }
        }
        json
    };
    let properties: Vec<Json> = (0..properties.len()).map(property).collect();
    json!({
        "trace": outcome.trace,
        "steps": outcome.steps,
        "verdict": name(outcome.overall()),
        "properties": properties,
    })
}

fn reason_as_json(formula: &str, reason: &Reason) -> Json {
    let wait = |wait: &Option<Wait>| match wait {
        Some(Wait { waited, longest }) => json!({ "waited": waited, "longest_seen": longest }),
        None => Json::Null,
    };
    match reason {
        Reason::Constant => json!({ "reason": "constant" }),
        Reason::Seen { step } => json!({ "reason": "seen", "step": step }),
        Reason::Open { since, satisfaction, violation } => json!({
            "reason": "pending",
            "formula": formula,
            "since": since,
            "satisfaction": wait(satisfaction),
            "violation": wait(violation),
        }),
        Reason::NoExperience { since } => json!({ "reason": "no experience", "formula": formula, "since": since }),
    }
}

fn row_as_json(row: &ltl::verdict::Row) -> Json {
    let entry = |(pair, verdict): &(ltl::verdict::Pair, Verdict)| {
        json!({
            "satisfied": pair.satisfied.to_string(),
            "violated": pair.violated.to_string(),
            "verdict": verdict.name(),
        })
    };
    json!({ "formula": row.formula, "entries": row.entries.iter().map(entry).collect::<Vec<Json>>() })
}
