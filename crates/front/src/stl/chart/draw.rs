//! The charts of single signals, and rows that show when something holds.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use testcase::export::escape;

use super::{BarRow, LEFT, RIGHT, WIDTH, number};

const REAL_HEIGHT: f64 = 120.0;
const BOOL_HEIGHT: f64 = 46.0;
const NAMED_HEIGHT: f64 = 30.0;
/// Points are dots where there are not more than this.
const MOST_DOTS: usize = 150;

enum Kind {
    Real { points: Vec<(f64, f64)>, thresholds: Vec<(f64, String)> },
    Bool(Vec<(f64, bool, bool)>),
    Named(Vec<(f64, String)>),
}

/// The chart of one signal.
pub(super) struct Chart<'a> {
    name: &'a str,
    kind: Kind,
}

impl<'a> Chart<'a> {
    pub(super) fn read(name: &'a str, points: &Json, thresholds: Option<&Json>) -> Option<Chart<'a>> {
        let points = points.as_array()?;
        let first = points.first()?.as_array()?;
        let kind = if first.len() == 3 {
            let step =
                |point: &Json| Some((number(point.get(0)?)?, point.get(1)?.as_bool()?, point.get(2)?.as_bool()?));
            Kind::Bool(points.iter().map(step).collect::<Option<_>>()?)
        } else if number(first.get(1)?).is_none() {
            let value = |point: &Json| Some((number(point.get(0)?)?, point.get(1)?.as_str()?.to_owned()));
            let mut values: Vec<(f64, String)> = points.iter().map(value).collect::<Option<_>>()?;
            values.dedup_by(|next, before| next.1 == before.1);
            Kind::Named(values)
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

    pub(super) fn height(&self) -> f64 {
        match self.kind {
            Kind::Real { .. } => REAL_HEIGHT,
            Kind::Bool(_) => BOOL_HEIGHT,
            Kind::Named(_) => NAMED_HEIGHT,
        }
    }

    pub(super) fn draw(&self, svg: &mut String, top: f64, end: f64) {
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
            Kind::Named(values) => named(svg, values, top, bottom, end),
        }
    }
}

/// The values of an enumeration: a box with its name for each stretch, if the name has room there.
fn named(svg: &mut String, values: &[(f64, String)], top: f64, bottom: f64, end: f64) {
    for (place, (time, name)) in values.iter().enumerate() {
        let (left, right) = (across(*time, end), across(values.get(place + 1).map_or(end, |next| next.0), end));
        let _ = writeln!(
            svg,
            "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#2563eb\" fill-opacity=\".12\" \
             stroke=\"#2563eb\"><title>{} from {time} on</title></rect>",
            top + 5.0,
            (right - left).max(0.5),
            bottom - top - 10.0,
            escape(name)
        );
        if name.chars().count() as f64 * 7.0 + 6.0 <= right - left {
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0 + 4.0);
            let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{}</text>", escape(name));
        }
    }
}

/// When something holds: its name, and a bar for each stretch.
pub(super) fn row(svg: &mut String, row: &BarRow, top: f64, end: f64) {
    let shown: String = match row.name.chars().count() {
        0..=96 => row.name.clone(),
        _ => row.name.chars().take(95).chain(['…']).collect(),
    };
    let _ = writeln!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-family=\"ui-monospace,monospace\" font-size=\"11\">{}<title>{}</title></text>\
         <rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{:.1}\" height=\"8\" fill=\"currentColor\" fill-opacity=\".12\"/>",
        top + 10.0,
        escape(&shown),
        escape(&row.name),
        top + 15.0,
        WIDTH - LEFT - RIGHT
    );
    for (stretches, colour, word) in [(&row.holds, "#16a34a", "holds"), (&row.fails, "#f87171", "fails")] {
        for (from, to) in stretches {
            let (left, right) = (across(*from, end), across(*to, end));
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"8\" fill=\"{colour}\"><title>{word}</title></rect>",
                top + 15.0,
                (right - left).max(1.0)
            );
        }
    }
}

/// Of many points those that a picture can show: for each place across, the first, the least, the greatest and the last.
fn visible(points: &[(f64, f64)], end: f64) -> Vec<(f64, f64)> {
    if points.len() <= 4 * WIDTH as usize {
        return points.to_vec();
    }
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for stretch in points.chunk_by(|left, right| across(left.0, end).floor() == across(right.0, end).floor()) {
        let by_value = |left: &&(f64, f64), right: &&(f64, f64)| left.1.total_cmp(&right.1);
        let (least, greatest) = (stretch.iter().min_by(by_value), stretch.iter().max_by(by_value));
        let mut few: Vec<(f64, f64)> =
            [stretch.first(), least, greatest, stretch.last()].into_iter().flatten().copied().collect();
        few.sort_by(|left, right| left.0.total_cmp(&right.0));
        few.dedup();
        kept.extend(few);
    }
    kept
}

pub(super) fn across(time: f64, end: f64) -> f64 {
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
    let mut line: Vec<String> = visible(points, end)
        .iter()
        .map(|(time, value)| format!("{:.1},{:.1}", across(*time, end), up(*value)))
        .collect();
    if let Some((_, value)) = points.last() {
        line.push(format!("{:.1},{:.1}", across(end, end), up(*value)));
    }
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#2563eb\" stroke-width=\"2\" stroke-linejoin=\"round\"/>",
        line.join(" ")
    );
    for (time, value) in points.iter().filter(|_| points.len() <= MOST_DOTS) {
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

pub(super) fn axis(svg: &mut String, y: f64, end: f64, origin: f64) {
    let step = nice_step(end / 8.0);
    // Round numbers in the times that the signals have.
    let mut tick = (origin / step).ceil() * step - origin;
    while tick <= end + step * 1e-6 {
        let x = across(tick, end);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" stroke-opacity=\".5\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y - 5.0,
            y + 13.0,
            ((tick + origin) * 1e6).round() / 1e6
        );
        tick += step;
    }
}

/// One, two or five times a power of ten, not below `least`.
fn nice_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| least <= *step).unwrap_or(power * 10.0)
}
