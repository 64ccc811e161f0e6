//! Suites of traces in formats of their own: traces, pictures, tables, waveforms, grids.

use std::fmt::Write as _;
use std::path::Path;

use draw_tessla::document::Trace;
use source::Source;
use tessla::core::Spec;
use tessla::interp::{Monitor, Program};
use tessla::record::record;
use testcase::{Suite, TestRecord};

use super::show;
use super::{grid, timeline};
use crate::failure::Failure;
use crate::front_end::ExportedFile;
use crate::options::ReadingArguments;
use crate::reader::Reader;

/// The formats: name and description.
pub(super) const FORMATS: &[(&str, &str)] = &[
    ("trace", "one trace file per test, as the interpreter reads it"),
    ("svg", "a picture of each test: events over time"),
    ("events", "a table (CSV) of each test, with a line for every event"),
    ("vcd", "a waveform (VCD) of each test"),
    ("grid", "every named stream of each test, inner ones too: times across, streams down"),
];

/// The files of a format, one for each test.
pub(super) fn export(suite: &Suite, format: &str, source: Option<(&Path, &str)>) -> Result<Vec<ExportedFile>, Failure> {
    if format == "grid" {
        return grids(suite, source);
    }
    let (extension, write): (&str, fn(&TestRecord) -> Option<String>) = match format {
        "trace" => ("input", |test| Some(show::trace(test))),
        "svg" => ("svg", picture),
        "events" => ("csv", |test| Some(table(test))),
        "vcd" => ("vcd", |test| Some(waveform(test))),
        other => return Err(super::one_of("format", other, FORMATS.iter().map(|(name, _)| *name))),
    };
    let file = |test: &TestRecord| {
        let broken = || Failure::Rejected(format!("the test {} holds no trace", test.id));
        Ok(ExportedFile { name: format!("{}.{extension}", test.id), text: write(test).ok_or_else(broken)? })
    };
    suite.tests.iter().map(file).collect()
}

fn grids(suite: &Suite, source: Option<(&Path, &str)>) -> Result<Vec<ExportedFile>, Failure> {
    let missing = || {
        Failure::Usage("a grid needs the specification, which is not beside the suite: name it with --source".into())
    };
    let (path, text) = source.ok_or_else(missing)?;
    let reading = ReadingArguments::of_suite(suite)?.tessla;
    let unit = reading.time_unit.and_then(|name| tessla::time::TimeUnit::from_name(&name));
    let ticks = reading.ticks;
    // Files that it includes are looked for beside it.
    let source = Source::new(path.display().to_string(), text);
    let (reader, _, _) = Reader::of_suite(suite, &path.with_file_name("suite.json"), Some(path))?;
    let loaded = tessla::load(source, &|path| super::included(&reader, path), tessla::Options { unit, ticks });
    let Some(spec) = loaded.spec else {
        let reason = loaded.reports.first().map_or_else(String::new, |report| report.diagnostic.message.clone());
        return Err(Failure::Rejected(format!(
            "{} cannot be read: {reason}; name the specification beside its other files with --source",
            path.display()
        )));
    };
    let file = |test: &TestRecord| {
        let trace = Trace::from_json(&spec, &test.inputs).map_err(Failure::Rejected)?;
        Ok(ExportedFile { name: format!("{}.grid", test.id), text: grid_of(&spec, &trace) })
    };
    suite.tests.iter().map(file).collect()
}

/// The grid of a run.
fn grid_of(spec: &Spec, trace: &Trace) -> String {
    let program = Program::new(spec);
    let mut grid = grid::Grid::new(spec, false);
    let mut monitor = Monitor::observed(&program, grid::Inside::default());
    record(spec, &mut monitor, &trace.events, trace.end, |monitor| grid.add(monitor));
    grid.to_text()
}

/// The picture alone, as a file of its own.
fn picture(test: &TestRecord) -> Option<String> {
    let figure = timeline::as_svg(test)?;
    let (start, end) = (figure.find("<svg")?, figure.find("</svg>")? + "</svg>".len());
    Some(format!("{}\n", figure[start..end].replace("fill=\"Canvas\"", "fill=\"white\"")))
}

fn table(test: &TestRecord) -> String {
    let (inputs, outputs) = (show::inputs(test), show::outputs(test));
    let mut text = "time,direction,stream,value\n".to_owned();
    let mut lines: Vec<(i64, usize, String)> = Vec::new();
    for (order, (kind, streams)) in [("input", &inputs), ("output", &outputs)].into_iter().enumerate() {
        for (name, events) in streams {
            for (time, value) in events {
                let value = quoted(value.as_deref().unwrap_or("()"));
                lines.push((*time, order, format!("{time},{kind},{},{value}\n", quoted(name))));
            }
        }
    }
    lines.sort_by_key(|(time, order, _)| (*time, *order));
    text.extend(lines.into_iter().map(|(_, _, line)| line));
    text
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Value changes. Every stream has a variable that changes with each of its events, and one that keeps the latest value.
fn waveform(test: &TestRecord) -> String {
    let (inputs, outputs) = (show::inputs(test), show::outputs(test));
    let mut text = format!("$comment {} $end\n$timescale 1 ns $end\n", test.id);
    let mut changes: Vec<(i64, usize, String)> = Vec::new();
    let mut number = 0;
    for (scope, streams) in [("inputs", &inputs), ("outputs", &outputs)] {
        let _ = writeln!(text, "$scope module {scope} $end");
        for (name, events) in streams {
            declare(&mut text, &mut changes, &mut number, name, events);
        }
        text.push_str("$upscope $end\n");
    }
    text.push_str("$enddefinitions $end\n");
    changes.sort_by_key(|(time, order, _)| (*time, *order));
    let mut now = None;
    for (time, _, change) in &changes {
        if now != Some(*time) {
            now = Some(*time);
            let _ = writeln!(text, "#{time}");
        }
        let _ = writeln!(text, "{change}");
    }
    let end = test.inputs.get("end").and_then(serde_json::Value::as_i64).unwrap_or(0);
    let _ = writeln!(text, "#{}", end.max(now.unwrap_or(0)) + 1);
    text
}

fn declare(
    text: &mut String,
    changes: &mut Vec<(i64, usize, String)>,
    number: &mut usize,
    name: &str,
    events: &[(i64, Option<String>)],
) {
    let name: String = name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    let mut id = || {
        *number += 1;
        (*number, format!("v{number}"))
    };
    let (order, event) = id();
    let has_values = events.iter().any(|(_, value)| value.is_some());
    let suffix = if has_values { "_event" } else { "" };
    let _ = writeln!(text, "$var event 1 {event} {name}{suffix} $end");
    changes.extend(events.iter().map(|(time, _)| (*time, order, format!("1{event}"))));
    if !has_values {
        return;
    }
    let (order, latest) = id();
    let values = || events.iter().map(|(time, value)| (*time, value.as_deref().unwrap_or("()")));
    let change: fn(&str, &str) -> String = if values().all(|(_, value)| matches!(value, "true" | "false")) {
        let _ = writeln!(text, "$var wire 1 {latest} {name} $end");
        |value, id| format!("{}{id}", u8::from(value == "true"))
    } else if values().all(|(_, value)| value.parse::<i64>().is_ok()) {
        let _ = writeln!(text, "$var integer 64 {latest} {name} $end");
        |value, id| format!("b{:b} {id}", value.parse::<i64>().unwrap_or(0))
    } else {
        let _ = writeln!(text, "$var string 1 {latest} {name} $end");
        |value, id| format!("s{} {id}", value.replace(char::is_whitespace, "_"))
    };
    changes.extend(values().map(|(time, value)| (time, order, change(value, &latest))));
}
