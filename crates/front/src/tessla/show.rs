//! Tests for people: the lines of the trace beside the lines of the outputs.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value as Json;
use testcase::TestRecord;

/// What the undefined operation that ends a run is called among the outputs.
const UNDEFINED: &str = "undefined";

/// Events by stream: time and value, which units have none of.
pub(super) type Streams = Vec<(String, Vec<(i64, Option<String>)>)>;

/// The streams of the inputs.
pub(super) fn inputs(test: &TestRecord) -> Streams {
    streams_of(test.inputs["events"].as_object().into_iter().flatten())
}

/// The streams of the outputs, those without an event too.
pub(super) fn outputs(test: &TestRecord) -> Streams {
    streams_of(test.expected.iter().filter(|(name, _)| *name != UNDEFINED))
}

/// When and why the run ends early, if it does.
pub(super) fn fault(test: &TestRecord) -> Option<(i64, String)> {
    let fault = test.expected.get(UNDEFINED)?;
    Some((fault[0].as_i64()?, fault[1].as_str()?.to_owned()))
}

fn streams_of<'a>(streams: impl Iterator<Item = (&'a String, &'a Json)>) -> Streams {
    let event = |event: &Json| {
        let value = Some(&event[1]).filter(|value| !value.is_null()).map(literal);
        (event[0].as_i64().unwrap_or(0), value)
    };
    let events = |events: &Json| events.as_array().into_iter().flatten().map(event).collect();
    streams.map(|(name, list)| (name.clone(), events(list))).collect()
}

/// The trace of a test, as the interpreter reads it.
pub(super) fn trace(test: &TestRecord) -> String {
    let mut text = String::new();
    for (time, lines) in lines_of(&inputs(test)) {
        for line in lines {
            let _ = writeln!(text, "{time}: {line}");
        }
    }
    let last = inputs(test).iter().flat_map(|(_, events)| events).map(|(time, _)| *time).max().unwrap_or(0);
    if let Some(end) = test.inputs["end"].as_i64().filter(|end| last < *end) {
        let _ = writeln!(text, "-- up to {end}: specimen run --until {end}");
    }
    text
}

/// Inputs and outputs side by side, one time below the other.
pub(super) fn show(test: &TestRecord) -> String {
    let (inputs, outputs) = (lines_of(&inputs(test)), lines_of(&outputs(test)));
    let mut times: Vec<i64> = inputs.keys().chain(outputs.keys()).copied().collect();
    times.sort_unstable();
    times.dedup();
    let width = inputs.values().flatten().map(|line| line.chars().count()).max().unwrap_or(0).max(6);
    let time_width = times.iter().map(|time| time.to_string().len()).max().unwrap_or(1);
    let mut text = format!("  {:>time_width$}  {:<width$}  outputs\n", "", "inputs");
    for time in times {
        let none = Vec::new();
        let (left, right) = (inputs.get(&time).unwrap_or(&none), outputs.get(&time).unwrap_or(&none));
        for row in 0..left.len().max(right.len()) {
            let shown = if row == 0 { time.to_string() } else { String::new() };
            let cell = |lines: &Vec<String>| lines.get(row).cloned().unwrap_or_default();
            let line = format!("  {shown:>time_width$}  {:<width$}  {}", cell(left), cell(right));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    if let Some((time, message)) = fault(test) {
        let _ = writeln!(text, "  ends at {time}: {message}");
    }
    text
}

/// The events of streams by time, each as `name = value`.
fn lines_of(streams: &Streams) -> BTreeMap<i64, Vec<String>> {
    let mut lines: BTreeMap<i64, Vec<String>> = BTreeMap::new();
    for (name, events) in streams {
        for (time, value) in events {
            let line = match value {
                None => name.clone(),
                Some(value) => format!("{name} = {value}"),
            };
            lines.entry(*time).or_default().push(line);
        }
    }
    lines
}

/// A value as a trace writes it.
fn literal(value: &Json) -> String {
    match value {
        Json::Null => "()".to_owned(),
        Json::Array(items) => format!("List({})", items.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Json::Object(members) if members.len() == 1 && members.contains_key("none") => "None".to_owned(),
        Json::Object(members) if members.len() == 1 && members.get("integer").is_some_and(Json::is_string) => {
            members["integer"].as_str().unwrap_or_default().to_owned()
        }
        Json::Object(members) if members.len() == 1 && members.get("set").is_some_and(Json::is_array) => {
            let items = members["set"].as_array().into_iter().flatten();
            format!("Set({})", items.map(literal).collect::<Vec<_>>().join(", "))
        }
        Json::Object(members) if members.len() == 1 && members.get("map").is_some_and(Json::is_array) => {
            let pairs = members["map"].as_array().into_iter().flatten();
            let pairs: Vec<String> =
                pairs.map(|pair| format!("{} -> {}", literal(&pair[0]), literal(&pair[1]))).collect();
            format!("Map({})", pairs.join(", "))
        }
        Json::Object(members) => match members.get("some") {
            Some(inner) if members.len() == 1 => format!("Some({})", literal(inner)),
            _ => {
                let members: Vec<String> =
                    members.iter().map(|(name, value)| format!("{name} = {}", literal(value))).collect();
                format!("{{{}}}", members.join(", "))
            }
        },
        other => other.to_string(),
    }
}
