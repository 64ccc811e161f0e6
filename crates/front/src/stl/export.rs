//! Suites of signals in formats of their own: pictures, tables, waveforms, a program that checks them.

use std::fmt::Write as _;

use serde_json::Value as Json;
use testcase::{Suite, TestRecord};

use super::{chart, python};
use crate::failure::Failure;
use crate::front_end::ExportedFile;

/// The formats: name and description.
pub(super) const FORMATS: &[(&str, &str)] = &[
    ("svg", "a picture of each test"),
    ("signals", "a table (CSV) of each test, with a line for every point"),
    ("vcd", "a waveform (VCD) of each test"),
    ("python", "a Python program that judges the signals anew, with RTAMT where that is installed"),
];

/// The files of a format: one for each test, or a program for all.
pub(super) fn export(suite: &Suite, format: &str, source: Option<&str>) -> Result<Vec<ExportedFile>, Failure> {
    let (extension, write): (&str, fn(&TestRecord) -> Option<String>) = match format {
        "svg" => ("svg", picture),
        "signals" => ("csv", table),
        "vcd" => ("vcd", waveform),
        "python" => return python::export(suite, source),
        _ => return Err(Failure::Usage(format!("unknown format `{format}` for this language"))),
    };
    let file = |test: &TestRecord| {
        let broken = || Failure::Rejected(format!("the test {} holds no signals", test.id));
        Ok(ExportedFile { name: format!("{}.{extension}", test.id), text: write(test).ok_or_else(broken)? })
    };
    suite.tests.iter().map(file).collect()
}

/// The picture alone, as a file of its own.
fn picture(test: &TestRecord) -> Option<String> {
    let figure = chart::as_svg(test)?;
    let (start, end) = (figure.find("<svg")?, figure.find("</svg>")? + "</svg>".len());
    Some(format!("{}\n", &figure[start..end]))
}

/// The times at which some signal has a point, with their texts, increasing.
fn instants(test: &TestRecord) -> Option<Vec<(f64, String)>> {
    let word = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    let end = test.inputs.get("end")?;
    let mut times = vec![(chart::number(end)?, word(end))];
    for points in test.inputs.get("signals")?.as_object()?.values() {
        for point in points.as_array()? {
            let time = point.get(0)?;
            times.push((chart::number(time)?, word(time)));
        }
    }
    times.sort_by(|left, right| left.0.total_cmp(&right.0));
    times.dedup_by(|left, right| left.0 == right.0);
    Some(times)
}

/// The value of a signal from a time on: between points of a real signal, on the line.
fn value(points: &[Json], time: f64) -> Option<Json> {
    let mut before: Option<&Json> = None;
    for point in points {
        let at = chart::number(point.get(0)?)?;
        if time < at {
            let from = before?;
            if point.as_array()?.len() == 3 {
                return from.get(2).cloned();
            }
            let (start, low, high) =
                (chart::number(from.get(0)?)?, chart::number(from.get(1)?)?, chart::number(point.get(1)?)?);
            return Some(Json::from(low + (time - start) / (at - start) * (high - low)));
        }
        if time == at {
            return Some(point.get(if point.as_array()?.len() == 3 { 2 } else { 1 })?.clone());
        }
        before = Some(point);
    }
    let last = before?.as_array()?;
    last.last().cloned()
}

fn table(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let names: Vec<&str> = signals.keys().map(String::as_str).collect();
    let mut text = format!("time,{}\n", names.join(","));
    for (time, word) in instants(test)? {
        text.push_str(&word);
        for points in signals.values() {
            let value = value(points.as_array()?, time)?;
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let _ = write!(text, ",{value}");
        }
        text.push('\n');
    }
    Some(text)
}

/// Value changes, in thousandths of the unit of time; one step more at the end, so that viewers show the last values.
fn waveform(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let mut text = String::from("$timescale 1 ms $end\n$scope module signals $end\n");
    let code = |place: usize| char::from_u32(33 + place as u32 % 90).unwrap_or('!').to_string().repeat(1 + place / 90);
    for (place, (name, points)) in signals.iter().enumerate() {
        let is_bool = points.get(0)?.as_array()?.len() == 3;
        let kind = if is_bool { "wire 1" } else { "real 64" };
        let _ = writeln!(text, "$var {kind} {} {name} $end", code(place));
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    let mut last = 0;
    for (time, _) in instants(test)? {
        last = (time * 1000.0).round() as u64;
        let _ = writeln!(text, "#{last}");
        for (place, points) in signals.values().enumerate() {
            match value(points.as_array()?, time)? {
                Json::Bool(truth) => {
                    let _ = writeln!(text, "{}{}", u8::from(truth), code(place));
                }
                other => {
                    let _ = writeln!(text, "r{} {}", chart::number(&other)?, code(place));
                }
            }
        }
    }
    let _ = writeln!(text, "#{}", last + 1);
    Some(text)
}
