//! A test as a picture: one line of events for each stream, inputs above outputs, over a common axis of time.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use testcase::TestRecord;
use testcase::export::escape;

use super::show::{self, Streams};

const LANE: f64 = 34.0;
const TOP: f64 = 8.0;
const CHARACTER: f64 = 6.6;
const NARROWEST: f64 = 26.0;
/// Longer values are cut; the whole value is the tip of the event.
const LONGEST: usize = 14;
/// A picture to scale is at most this many times as wide as its narrowest gap.
const MOST_UNITS: i64 = 48;

/// The test as an SVG picture.
pub(super) fn as_svg(test: &TestRecord) -> Option<String> {
    let (inputs, outputs) = (show::inputs(test), show::outputs(test));
    let fault = show::fault(test);
    let end = test.inputs.get("end")?.as_i64()?;
    let lanes: Vec<Lane<'_>> = lanes(&inputs, "input").chain(lanes(&outputs, "output")).collect();
    let mut times: Vec<i64> = lanes.iter().flat_map(|lane| lane.events.iter().map(|(time, _)| *time)).collect();
    times.extend(fault.as_ref().map(|(time, _)| *time));
    times.extend([0, end]);
    times.sort_unstable();
    times.dedup();
    let left = lanes.iter().map(|lane| lane.name.chars().count()).max().unwrap_or(4) as f64 * 7.4 + 22.0;
    let axis = Axis::new(&lanes, &times, left);
    let bottom = TOP + LANE * lanes.len() as f64;
    let (width, height) = (axis.right() + NARROWEST, bottom + 30.0);
    let mut svg = format!(
        "<figure class=\"timeline\" style=\"overflow-x:auto;margin:0\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"events of {}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" fill=\"currentColor\">\n",
        escape(&test.id)
    );
    axis.draw(&mut svg, &times, bottom);
    for (number, lane) in lanes.iter().enumerate() {
        lane.draw(&mut svg, &axis, TOP + LANE * (number as f64 + 0.5));
    }
    if let Some((time, message)) = fault {
        let x = axis.across(time);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom:.1}\" stroke=\"#b91c1c\" stroke-width=\"2\"><title>{}</title></line>",
            escape(&message)
        );
    }
    let scale = if axis.to_scale { "" } else { "<figcaption>times are not to scale</figcaption>" };
    let _ = write!(svg, "</svg>{scale}</figure>");
    Some(svg)
}

/// One stream.
struct Lane<'a> {
    name: &'a str,
    kind: &'static str,
    events: &'a [(i64, Option<String>)],
}

fn lanes<'a>(streams: &'a Streams, kind: &'static str) -> impl Iterator<Item = Lane<'a>> {
    streams.iter().map(move |(name, events)| Lane { name, kind, events })
}

impl Lane<'_> {
    fn draw(&self, svg: &mut String, axis: &Axis, y: f64) {
        let colour = if self.kind == "input" { "#2563eb" } else { "#15803d" };
        let _ = writeln!(
            svg,
            "<text x=\"6\" y=\"{:.1}\" font-weight=\"600\" fill=\"{colour}\">{}<title>{}</title></text>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" stroke-opacity=\".3\"/>",
            y + 4.0,
            escape(self.name),
            self.kind,
            axis.left,
            axis.right() + NARROWEST / 2.0
        );
        for (time, value) in self.events {
            let x = axis.across(*time);
            let Some(value) = value else {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {:.1} l6 6 l-6 6 l-6 -6 z\" fill=\"{colour}\"><title>{time}: {}</title></path>",
                    y - 6.0,
                    escape(self.name)
                );
                continue;
            };
            let shown = cut(value);
            let width = wide(&shown);
            let _ = writeln!(
                svg,
                "<g><title>{time}: {} = {}</title><rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"20\" rx=\"9\" \
                 fill=\"Canvas\" stroke=\"{colour}\" stroke-width=\"1.5\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text></g>",
                escape(self.name),
                escape(value),
                x - width / 2.0,
                y - 10.0,
                y + 4.0,
                escape(&shown)
            );
        }
    }
}

/// Where times are.
struct Axis {
    left: f64,
    places: BTreeMap<i64, f64>,
    to_scale: bool,
}

impl Axis {
    fn new(lanes: &[Lane<'_>], times: &[i64], left: f64) -> Axis {
        let widest = |time: i64| {
            let values = lanes.iter().flat_map(|lane| lane.events).filter(|(at, _)| *at == time);
            let bubble = values.filter_map(|(_, value)| value.as_deref()).map(|value| wide(&cut(value)));
            bubble.fold(wide(&time.to_string()), f64::max)
        };
        let (first, last) = (times[0], times[times.len() - 1]);
        let smallest = times.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let to_scale = (last - first) / smallest.max(1) <= MOST_UNITS;
        let mut places = BTreeMap::new();
        if to_scale {
            let unit =
                times.windows(2).map(|pair| (widest(pair[0]) + widest(pair[1])) / 2.0 / (pair[1] - pair[0]) as f64);
            let unit = unit.fold(6.0, f64::max);
            let start = left + widest(first) / 2.0;
            places.extend(times.iter().map(|time| (*time, start + (time - first) as f64 * unit)));
        } else {
            let mut at = left;
            for time in times {
                places.insert(*time, at + widest(*time) / 2.0);
                at += widest(*time);
            }
        }
        Axis { left, places, to_scale }
    }

    fn across(&self, time: i64) -> f64 {
        self.places.get(&time).copied().unwrap_or(self.left)
    }

    fn right(&self) -> f64 {
        self.places.values().copied().fold(self.left, f64::max)
    }

    fn draw(&self, svg: &mut String, times: &[i64], bottom: f64) {
        for time in times {
            let x = self.across(*time);
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-opacity=\".14\"/>\
                 <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill-opacity=\".75\">{time}</text>",
                bottom + 6.0,
                bottom + 20.0
            );
        }
    }
}

fn wide(text: &str) -> f64 {
    (text.chars().count() as f64 * CHARACTER + 14.0).max(NARROWEST)
}

fn cut(value: &str) -> String {
    if value.chars().count() <= LONGEST {
        return value.to_owned();
    }
    let mut short: String = value.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}
