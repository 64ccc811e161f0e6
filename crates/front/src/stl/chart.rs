//! Signals as a picture: one chart for each over a common axis of time, thresholds as dashed lines; below them, when the parts of a
//! formula hold.

mod draw;

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use testcase::TestRecord;
use testcase::export::escape;

use draw::Chart;

const WIDTH: f64 = 720.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 16.0;
/// Above each chart, for its name.
const GAP: f64 = 26.0;
/// The height of a row that shows when something holds, its name included.
const ROW: f64 = 30.0;

/// The test in lines: each signal with its points.
pub(super) fn as_text(test: &TestRecord) -> Option<String> {
    let signals = test.inputs.get("signals")?.as_object()?;
    let width = signals.keys().map(|name| name.chars().count()).max()?;
    let mut text = String::new();
    for (name, points) in signals {
        let points = points_text(points.as_array()?)?;
        let gap = " ".repeat(width - name.chars().count());
        let _ = writeln!(text, "{name}{gap}  {}", points.join("  "));
    }
    if let Some(verdict) = verdict(test) {
        let _ = writeln!(text, "{verdict}");
    }
    Some(text)
}

/// The points of a signal in words; two at one time are a jump.
fn points_text(points: &[Json]) -> Option<Vec<String>> {
    let word = |json: &Json| json.as_str().map_or_else(|| json.to_string(), str::to_owned);
    let mut texts: Vec<String> = Vec::new();
    let mut before: Option<&Json> = None;
    for point in points {
        let text = match point.as_array()?.as_slice() {
            [time, at, after] if at == after => format!("{}: {}", word(time), word(at)),
            [time, at, after] => format!("{}: {}, then {}", word(time), word(at), word(after)),
            [time, value] if before == Some(time) => {
                let jump = texts.last_mut()?;
                let _ = write!(jump, ", then {}", word(value));
                continue;
            }
            [time, value] => format!("{}: {}", word(time), word(value)),
            _ => return None,
        };
        before = point.get(0);
        texts.push(text);
    }
    Some(texts)
}

/// The test as an SVG picture.
pub(super) fn as_svg(test: &TestRecord) -> Option<String> {
    let verdict = verdict(test).unwrap_or_default();
    let picture = Picture {
        label: format!("{} {verdict}", test.id),
        caption: verdict.to_owned(),
        thresholds: test.notes.get("thresholds"),
        ..Picture::of(&test.inputs)?
    };
    picture.figure()
}

/// What the formula says of the test, unless that is hidden.
fn verdict(test: &TestRecord) -> Option<&'static str> {
    let holds = test.expected.get("holds")?.as_bool()?;
    Some(if holds { "satisfies the formula" } else { "violates the formula" })
}

/// A stretch of time.
pub(super) type Stretch = (f64, f64);

/// What a picture shows.
pub(super) struct Picture<'a> {
    /// What those hear who do not see it.
    pub(super) label: String,
    pub(super) caption: String,
    pub(super) signals: &'a Map<String, Json>,
    pub(super) end: f64,
    /// What time zero is called.
    pub(super) origin: f64,
    pub(super) thresholds: Option<&'a Json>,
    /// Stretches that are marked as wrong.
    pub(super) marks: Vec<Stretch>,
    /// Rows below the signals.
    pub(super) rows: Vec<BarRow>,
}

/// When something holds and fails; what is neither is not known.
pub(super) struct BarRow {
    pub(super) name: String,
    pub(super) holds: Vec<Stretch>,
    pub(super) fails: Vec<Stretch>,
}

impl<'a> Picture<'a> {
    /// The signals of a document, and nothing else.
    pub(super) fn of(document: &'a Json) -> Option<Picture<'a>> {
        let end = number(document.get("end")?)?;
        Some(Picture {
            label: String::new(),
            caption: String::new(),
            signals: document.get("signals")?.as_object()?,
            end: if end <= 0.0 { 1.0 } else { end },
            origin: 0.0,
            thresholds: None,
            marks: Vec::new(),
            rows: Vec::new(),
        })
    }

    /// The picture as part of a page.
    pub(super) fn figure(&self) -> Option<String> {
        let mut charts = Vec::new();
        for (name, points) in self.signals {
            charts.push(Chart::read(name, points, self.thresholds)?);
        }
        let heights = charts.iter().map(|chart| chart.height() + GAP).sum::<f64>();
        let total = heights + 26.0 + ROW * self.rows.len() as f64;
        let mut svg = format!(
            "<figure class=\"signals\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total}\" width=\"{WIDTH}\" \
             role=\"img\" aria-label=\"{}\" style=\"max-width:100%;height:auto\" font-family=\"system-ui,sans-serif\" \
             font-size=\"12\" fill=\"currentColor\">\n",
            escape(&self.label)
        );
        for (from, to) in &self.marks {
            let (left, right) = (draw::across(*from, self.end), draw::across(*to, self.end));
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"8\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#dc2626\" fill-opacity=\".16\"/>",
                (right - left).max(2.0),
                total - 36.0
            );
        }
        let mut top = GAP - 4.0;
        for chart in &charts {
            chart.draw(&mut svg, top, self.end);
            top += chart.height() + GAP;
        }
        for row in &self.rows {
            draw::row(&mut svg, row, top - 14.0, self.end);
            top += ROW;
        }
        draw::axis(&mut svg, top - GAP + 7.0, self.end, self.origin);
        let caption = match self.caption.as_str() {
            "" => String::new(),
            caption => format!("<figcaption>{}</figcaption>", escape(caption)),
        };
        let _ = write!(svg, "</svg>{caption}</figure>");
        Some(svg)
    }
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
