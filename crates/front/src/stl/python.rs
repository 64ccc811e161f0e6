//! A suite as a Python program that checks it: with an exact evaluator of its own, and with RTAMT where that is installed.

use std::fmt::Write as _;

use serde_json::Value as Json;
use source::Source;
use stl::signal::SignalValue;
use stl::store::{Formula, Node, Window};
use stl::{Spec, write_number};
use testcase::{Suite, TestRecord};
use value::RBig;

use crate::failure::Failure;
use crate::front_end::ExportedFile;
use crate::options::StlReadingArguments;
use crate::options::recorded::read;

const PROGRAM: &str = include_str!("python/check.py");

/// The program for a suite that was drawn from a source.
pub(super) fn export(suite: &Suite, source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
    let text = source.ok_or_else(|| {
        Failure::Environment(format!("the source {} is needed; name it with --source", suite.source.file))
    })?;
    let source = Source::new(suite.source.file.clone(), text);
    let loaded = match suite.options.get("decision").and_then(Json::as_str) {
        Some(name) => stl::load_definition(&source, name),
        None => stl::load(&source),
    };
    let (spec, _) = loaded.map_err(|errors| Failure::Rejected(errors[0].message.clone()))?;
    let reading: StlReadingArguments = read(&suite.options)?;
    let spec = super::as_read(spec, &reading)?;
    let nodes = nodes(&spec).ok_or_else(|| {
        Failure::Rejected("an operator without an upper bound cannot be checked in Python".to_owned())
    })?;
    let mut tests = String::from("[\n");
    for test in &suite.tests {
        let line = record(&spec, test);
        let line = line.ok_or_else(|| Failure::Rejected(format!("the test {} holds no signals", test.id)))?;
        let _ = writeln!(tests, "    {line},");
    }
    tests.push(']');
    let program = PROGRAM.replace("@NODES@", &nodes).replace("@TESTS@", &tests);
    let stem = suite.source.file.rsplit_once('.').map_or(suite.source.file.as_str(), |(stem, _)| stem);
    let stem: String = stem.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    Ok(vec![ExportedFile { name: format!("test_{stem}.py"), text: program }])
}

/// The parts of the formula, operands first; none where one has no upper bound.
fn nodes(spec: &Spec) -> Option<String> {
    let below = spec.store.below(&[spec.formula]);
    let place = |formula: &Formula| below.binary_search(formula).expect("operands are among those below").to_string();
    let mut text = String::from("[\n");
    for &formula in &below {
        let node = spec.store.node(formula);
        let plain = |kind: &str| {
            let operands: Vec<String> = node.args().iter().map(place).collect();
            format!("({kind:?}, [{}])", operands.join(", "))
        };
        let timed = |kind: &str, window: &Window| {
            let operands: Vec<String> = node.args().iter().map(place).collect();
            let (lower, upper) = (write_number(&window.lower), write_number(window.upper.as_ref()?));
            Some(format!("({kind:?}, [{lower:?}, {upper:?}], [{}])", operands.join(", ")))
        };
        let back = |kind: &str, window: &Window| {
            let operands: Vec<String> = node.args().iter().map(place).collect();
            let upper = window.upper.as_ref().map_or_else(|| "inf".to_owned(), write_number);
            format!("({kind:?}, [{:?}, {upper:?}], [{}])", write_number(&window.lower), operands.join(", "))
        };
        // A JSON string is a Python string.
        let name = |signal: &stl::store::SignalId| Json::from(spec.signals[signal.0 as usize].name.as_str());
        let line = match node {
            Node::Constant(truth) => format!("(\"constant\", {})", if *truth { "True" } else { "False" }),
            Node::Signal(signal) => format!("(\"signal\", {})", name(signal)),
            Node::Compare(comparison) => {
                let form: Vec<String> = comparison
                    .form
                    .iter()
                    .map(|(factor, signal)| format!("{}: {:?}", name(signal), write_number(factor)))
                    .collect();
                let bound = write_number(&comparison.bound);
                format!("(\"compare\", {{{}}}, {:?}, {bound:?})", form.join(", "), comparison.relation.text())
            }
            Node::Not(_) => plain("not"),
            Node::And(..) => plain("and"),
            Node::Or(..) => plain("or"),
            Node::Implies(..) => plain("implies"),
            Node::Next(time, arg) => format!("(\"next\", [{:?}], [{}])", write_number(time), place(arg)),
            Node::Finally(window, _) => timed("finally", window)?,
            Node::Globally(window, _) => timed("globally", window)?,
            Node::Until(window, ..) => timed("until", window)?,
            Node::Release(window, ..) => timed("release", window)?,
            Node::Once(window, _) => back("once", window),
            Node::Historically(window, _) => back("historically", window),
            Node::Since(window, ..) => back("since", window),
        };
        let _ = writeln!(text, "    {line},");
    }
    text.push(']');
    Some(text)
}

/// A test as Python has it; the values of enumerations are their numbers, and each is a step.
fn record(spec: &Spec, test: &TestRecord) -> Option<String> {
    let mut signals: Vec<String> = Vec::new();
    let trace = stl::signal::from_json(spec, &test.inputs).ok()?;
    for (place, (name, points)) in test.inputs.get("signals")?.as_object()?.iter().enumerate() {
        if let value @ SignalValue::Named(_) = &trace.signals[spec.signal(name).map_or(place, |id| id.0 as usize)] {
            let point = |(time, value): &(RBig, RBig)| format!("({:?}, {:?})", write_number(time), write_number(value));
            let points: Vec<String> = value.polyline()?.iter().map(point).collect();
            signals.push(format!("{}: [{}]", Json::from(name.as_str()), points.join(", ")));
            continue;
        }
        let word = |json: &Json| {
            Some(match json {
                Json::Bool(true) => "True".to_owned(),
                Json::Bool(false) => "False".to_owned(),
                Json::String(_) => json.to_string(),
                Json::Number(number) => format!("\"{number}\""),
                Json::Null | Json::Array(_) | Json::Object(_) => return None,
            })
        };
        let point = |point: &Json| {
            let words: Option<Vec<String>> = point.as_array()?.iter().map(word).collect();
            Some(format!("({})", words?.join(", ")))
        };
        let points: Option<Vec<String>> = points.as_array()?.iter().map(point).collect();
        signals.push(format!("{}: [{}]", Json::from(name.as_str()), points?.join(", ")));
    }
    let holds = if test.expected.get("holds")?.as_bool()? { "True" } else { "False" };
    Some(format!("({}, {{{}}}, {holds})", Json::from(test.id.as_str()), signals.join(", ")))
}
