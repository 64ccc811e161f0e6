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

/// The value of a signal from a time on, or just before it: between points of a real signal, on the line.
fn value(points: &[Json], time: f64, before: bool) -> Option<Json> {
    let mut last: Option<&Json> = None;
    for (place, point) in points.iter().enumerate() {
        let at = chart::number(point.get(0)?)?;
        let whole = point.as_array()?;
        if time < at {
            let from = last?;
            if whole.len() == 3 {
                return from.get(2).cloned();
            }
            let (Some(low), Some(high)) = (chart::number(from.get(1)?), chart::number(point.get(1)?)) else {
                // A value of an enumeration is kept.
                return from.get(1).cloned();
            };
            let start = chart::number(from.get(0)?)?;
            return Some(Json::from(low + (time - start) / (at - start) * (high - low)));
        }
        // Two points at one time are a jump: the first is the value before it.
        let jumps = points.get(place + 1).and_then(|next| next.get(0)) == point.get(0);
        if time == at && (before || !jumps) {
            return Some(whole.get(if whole.len() == 3 { 2 } else { 1 })?.clone());
        }
        last = Some(point);
    }
    last?.as_array()?.last().cloned()
}

/// Whether a signal has two points at a time.
fn jumps(points: &Json, time: f64) -> bool {
    let at = |point: &&Json| point.get(0).and_then(chart::number) == Some(time);
    1 < points.as_array().into_iter().flatten().filter(at).count()
}

fn table(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let names: Vec<&str> = signals.keys().map(String::as_str).collect();
    let mut text = format!("time,{}\n", names.join(","));
    for (time, word) in instants(test)? {
        let jump = signals.values().any(|points| jumps(points, time));
        for before in if jump { &[true, false][..] } else { &[false] } {
            text.push_str(&word);
            for points in signals.values() {
                let value = value(points.as_array()?, time, *before)?;
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                let _ = write!(text, ",{value}");
            }
            text.push('\n');
        }
    }
    Some(text)
}

/// Value changes, in thousandths of the unit of time; one step more at the end, so that viewers show the last values.
fn waveform(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let mut text = String::from("$timescale 1 ms $end\n$scope module signals $end\n");
    let code = |place: usize| char::from_u32(33 + place as u32 % 90).unwrap_or('!').to_string().repeat(1 + place / 90);
    for (place, (name, points)) in signals.iter().enumerate() {
        let first = points.get(0)?.as_array()?;
        let kind = match first.len() {
            3 => "wire 1",
            _ if chart::number(first.get(1)?).is_none() => "string 1",
            _ => "real 64",
        };
        let _ = writeln!(text, "$var {kind} {} {name} $end", code(place));
    }
    text.push_str("$upscope $end\n$enddefinitions $end\n");
    let mut last = 0;
    for (time, _) in instants(test)? {
        last = (time * 1000.0).round() as u64;
        let _ = writeln!(text, "#{last}");
        for (place, points) in signals.values().enumerate() {
            match value(points.as_array()?, time, false)? {
                Json::Bool(truth) => {
                    let _ = writeln!(text, "{}{}", u8::from(truth), code(place));
                }
                other => {
                    let _ = match chart::number(&other) {
                        Some(number) => writeln!(text, "r{number} {}", code(place)),
                        None => writeln!(text, "s{} {}", other.as_str()?, code(place)),
                    };
                }
            }
        }
    }
    let _ = writeln!(text, "#{}", last + 1);
    Some(text)
}
