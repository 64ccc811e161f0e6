//! A test as a picture: one chart for each signal over a common axis of time, thresholds as dashed lines.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use testcase::TestRecord;
use testcase::export::escape;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 16.0;
const REAL_HEIGHT: f64 = 120.0;
const BOOL_HEIGHT: f64 = 46.0;
/// Above each chart, for its name.
const GAP: f64 = 26.0;

/// The test in lines: each signal with its points.
pub(super) fn as_text(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let width = signals.keys().map(|name| name.chars().count()).max()?;
    let mut text = String::new();
    for (name, points) in signals {
        let point = |point: &Json| -> Option<String> {
            let word = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
            Some(match point.as_array()?.as_slice() {
                [time, at, after] if at == after => format!("{}: {}", word(time), word(at)),
                [time, at, after] => format!("{}: {}, then {}", word(time), word(at), word(after)),
                [time, value] => format!("{}: {}", word(time), word(value)),
                _ => return None,
            })
        };
        let points: Option<Vec<String>> = points.as_array()?.iter().map(point).collect();
        let gap = " ".repeat(width - name.chars().count());
        let _ = writeln!(text, "{name}{gap}  {}", points?.join("  "));
    }
    if let Some(verdict) = verdict(test) {
        let _ = writeln!(text, "{verdict}");
    }
    Some(text)
}

/// The test as an SVG picture.
pub(super) fn as_svg(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let end = number(test.inputs.get("end")?)?;
    let end = if end <= 0.0 { 1.0 } else { end };
    let mut charts = Vec::new();
    for (name, points) in signals {
        charts.push(Chart::read(name, points, test.notes.get("thresholds"))?);
    }
    let total: f64 = charts.iter().map(|chart| chart.height() + GAP).sum::<f64>() + 26.0;
    let verdict = verdict(test).unwrap_or_default();
    let mut svg = format!(
        "<figure class=\"signals\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" width=\"{WIDTH}\" \
         role=\"img\" aria-label=\"{} {verdict}\" style=\"max-width:100%;height:auto\" font-family=\"system-ui,sans-serif\" \
         font-size=\"12\" fill=\"currentColor\">\n",
        escape(&test.id)
    );
    let mut top = GAP - 4.0;
    for chart in &charts {
        chart.draw(&mut svg, top, end);
        top += chart.height() + GAP;
    }
    axis(&mut svg, top - GAP + 7.0, end);
    let caption = if verdict.is_empty() { String::new() } else { format!("<figcaption>{verdict}</figcaption>") };
    let _ = write!(svg, "</svg>{caption}</figure>");
    Some(svg)
}

/// What the formula says of the test, unless that is hidden.
fn verdict(test: &TestRecord) -> Option<&'static str> {
    let holds = test.expected.get("holds")?.as_bool()?;
    Some(if holds { "satisfies the formula" } else { "violates the formula" })
}

enum Kind {
    Real { points: Vec<(f64, f64)>, thresholds: Vec<(f64, String)> },
    Bool(Vec<(f64, bool, bool)>),
}

struct Chart<'a> {
    name: &'a str,
    kind: Kind,
}

impl<'a> Chart<'a> {
    fn read(name: &'a str, points: &Json, thresholds: Option<&Json>) -> Option<Chart<'a>> {
        let points = points.as_array()?;
        let is_bool = points.first()?.as_array()?.len() == 3;
        let kind = if is_bool {
            let step =
                |point: &Json| Some((number(point.get(0)?)?, point.get(1)?.as_bool()?, point.get(2)?.as_bool()?));
            Kind::Bool(points.iter().map(step).collect::<Option<_>>()?)
        } else {
            let point = |point: &Json| Some((number(point.get(0)?)?, number(point.get(1)?)?));
            let empty = Map::new();
            let all = thresholds.and_then(Json::as_object).unwrap_or(&empty);
            let own = all.get(name).and_then(Json::as_array).into_iter().flatten();
            let threshold = |json: &Json| Some((number(json)?, json.as_str().unwrap_or_default().to_owned()));
            Kind::Real {
                points: points.iter().map(point).collect::<Option<_>>()?,
                thresholds: own.filter_map(threshold).collect(),
            }
        };
        Some(Chart { name, kind })
    }

    fn height(&self) -> f64 {
        match self.kind {
            Kind::Real { .. } => REAL_HEIGHT,
            Kind::Bool(_) => BOOL_HEIGHT,
        }
    }

    fn draw(&self, svg: &mut String, top: f64, end: f64) {
        let bottom = top + self.height();
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"currentColor\" stroke-opacity=\".25\"/>\
             <text x=\"{LEFT}\" y=\"{:.1}\" font-weight=\"600\">{}</text>",
            WIDTH - LEFT - RIGHT,
            self.height(),
            top - 7.0,
            escape(self.name)
        );
        match &self.kind {
            Kind::Real { points, thresholds } => real(svg, points, thresholds, top, bottom, end),
            Kind::Bool(steps) => steps_line(svg, steps, top, bottom, end),
        }
    }
}

fn across(time: f64, end: f64) -> f64 {
    LEFT + (time / end).clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
}

fn real(svg: &mut String, points: &[(f64, f64)], thresholds: &[(f64, String)], top: f64, bottom: f64, end: f64) {
    let values = || points.iter().map(|point| point.1).chain(thresholds.iter().map(|threshold| threshold.0));
    let (mut low, mut high) = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
    if high - low <= 0.0 {
        (low, high) = (low - 1.0, high + 1.0);
    }
    let pad = (high - low) * 0.12;
    let (low, high) = (low - pad, high + pad);
    let up = |value: f64| bottom - (value - low) / (high - low) * (bottom - top);
    for (value, label) in thresholds {
        let y = up(*value);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#c2410c\" stroke-dasharray=\"5 4\" stroke-opacity=\".8\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#c2410c\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y + 4.0,
            escape(label)
        );
    }
    // The highest and the lowest value have a label where no threshold is in the way.
    let extremes =
        [f64::min, f64::max].map(|pick: fn(f64, f64) -> f64| points.iter().map(|point| point.1).reduce(pick));
    let mut labelled: Vec<f64> = thresholds.iter().map(|threshold| up(threshold.0)).collect();
    for value in extremes.into_iter().flatten() {
        let y = up(value);
        if labelled.iter().all(|other| 13.0 <= (other - y).abs()) {
            labelled.push(y);
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill-opacity=\".7\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                (value * 1e4).round() / 1e4
            );
        }
    }
    let mut line: Vec<String> =
        points.iter().map(|(time, value)| format!("{:.1},{:.1}", across(*time, end), up(*value))).collect();
    if let Some((_, value)) = points.last() {
        line.push(format!("{:.1},{:.1}", across(end, end), up(*value)));
    }
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#2563eb\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        line.join(" ")
    );
    for (time, value) in points {
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.6\" fill=\"#2563eb\"><title>{value} at {time}</title></circle>",
            across(*time, end),
            up(*value)
        );
    }
}

fn steps_line(svg: &mut String, steps: &[(f64, bool, bool)], top: f64, bottom: f64, end: f64) {
    let up = |truth: bool| if truth { top + 10.0 } else { bottom - 8.0 };
    for (truth, word) in [(true, "true"), (false, "false")] {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill-opacity=\".7\">{word}</text>",
            LEFT - 6.0,
            up(truth) + 4.0
        );
    }
    let mut before: Option<bool> = None;
    for (place, &(time, at, after)) in steps.iter().enumerate() {
        let x = across(time, end);
        let next = steps.get(place + 1).map_or(end, |step| step.0);
        if before.is_some_and(|before| before != after) {
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#2563eb\" stroke-opacity=\".35\"/>",
                up(true),
                up(false)
            );
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#2563eb\" stroke-width=\"2.5\"/>",
            across(next, end),
            y = up(after)
        );
        // Where the value at the instant is not that around it, a dot says so.
        if at != after || before.is_some_and(|before| before != at) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3.4\" fill=\"#2563eb\"><title>{at} at {time}</title></circle>",
                up(at)
            );
        }
        before = Some(after);
    }
}

fn axis(svg: &mut String, y: f64, end: f64) {
    let step = nice_step(end / 8.0);
    let mut tick = 0.0;
    while tick <= end + step * 1e-6 {
        let x = across(tick, end);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" stroke-opacity=\".5\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y - 5.0,
            y + 13.0,
            (tick * 1e6).round() / 1e6
        );
        tick += step;
    }
}

/// One, two or five times a power of ten, not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| least <= *step).unwrap_or(power * 10.0)
}

/// A number, which may be written as an exact fraction.
pub(super) fn number(json: &Json) -> Option<f64> {
    match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.split_once('/') {
            Some((over, under)) => Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?),
            None => text.parse().ok(),
        },
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
    .filter(|number: &f64| number.is_finite())
}
