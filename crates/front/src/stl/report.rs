//! The verdicts of a run as a page with the signals plotted, and as JUnit XML.

use std::fmt::Write as _;

use serde_json::{Map, Value as Json};
use stl::explain::{Explanation, lines};
use stl::interp::{Verdict, known_parts};
use stl::levels::Levels;
use stl::signal::to_json;
use stl::store::{Formula, SignalId};
use stl::times::Times;
use stl::{Shape, Spec, print, write_number};
use testcase::export::{escape, xml};
use value::{RBig, Sort};

use super::chart::{BarRow, Picture, Stretch};
use super::run::{Judged, Row, verdict_text};

/// Parts of a formula beyond this many are left out of a picture.
const MOST_ROWS: usize = 24;

/// A part of a formula, and when it holds for sure and may hold.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) holds: Times<RBig>,
    may: Times<RBig>,
}

/// A signal with what is known about it and why.
pub(super) struct Case<'a> {
    pub(super) spec: &'a Spec,
    pub(super) judged: &'a Judged,
    pub(super) row: &'a Row,
    pub(super) explanation: Explanation,
}

impl<'a> Case<'a> {
    pub(super) fn new(spec: &'a Spec, judged: &'a Judged, row: &'a Row) -> Case<'a> {
        Case { spec, judged, row, explanation: Explanation::of(spec, &row.trace, &row.origin) }
    }

    /// What decides the verdict, in lines; nothing where it is open.
    pub(super) fn reasons(&self) -> Vec<String> {
        match self.judged.verdict {
            Verdict::Undecided => Vec::new(),
            Verdict::Decided(_) | Verdict::Presumed(_) => lines(self.spec, &self.explanation.steps, &self.row.origin),
        }
    }

    /// The parts of the formula, the whole first, with the times at which they hold and those at which they may.
    pub(super) fn parts(&self) -> Vec<Part> {
        let (store, formula, trace) = (&self.spec.store, self.spec.formula, &self.row.trace);
        let known = match self.row.goes_on {
            true => known_parts(store, trace, formula),
            false => {
                let whole = |(part, times): &(Formula, Times<RBig>)| (*part, times.clone(), times.clone());
                self.explanation.parts.iter().map(whole).collect()
            }
        };
        let part = |(part, holds, may): (Formula, Times<RBig>, Times<RBig>)| Part {
            name: print(self.spec, part),
            holds: holds.up_to(&trace.end),
            may: may.up_to(&trace.end),
        };
        known.into_iter().rev().map(part).collect()
    }

    /// The stretch around the moment that decides the verdict, in which the same part is as wrong.
    fn marks(&self, end: f64) -> Vec<Stretch> {
        let Some(cause) = self.explanation.cause(self.spec).filter(|_| !self.is_good()) else { return Vec::new() };
        // The largest part that is decided at that moment, but not the whole.
        let wrong = self.explanation.steps.iter().skip(1).find(|step| step.moment == cause.moment).unwrap_or(cause);
        let Some((_, times)) = self.explanation.parts.iter().find(|part| part.0 == wrong.formula) else {
            return Vec::new();
        };
        let times = if wrong.truth { times.clone() } else { times.clone().complement() };
        let at = double(&wrong.moment.at);
        stretches(&times, end).into_iter().filter(|(from, to)| *from <= at && at <= *to).take(1).collect()
    }

    fn figure(&self) -> Option<String> {
        let document = to_json(self.spec, &self.row.trace);
        let thresholds = thresholds(self.spec);
        let end = double(&self.row.trace.end);
        let row = |part: Part| BarRow {
            holds: stretches(&part.holds, end),
            fails: stretches(&part.may.complement().up_to(&self.row.trace.end), end),
            name: part.name,
        };
        let picture = Picture {
            label: format!("{} {}", self.judged.name, verdict_text(self.judged.verdict)),
            thresholds: Some(&thresholds),
            origin: double(&self.row.origin),
            marks: self.marks(end),
            rows: self.parts().into_iter().take(MOST_ROWS).map(row).collect(),
            ..Picture::of(&document)?
        };
        picture.figure()
    }

    fn is_good(&self) -> bool {
        self.judged.is_good()
    }
}

fn double(number: &RBig) -> f64 {
    number.to_f64().value()
}

/// A set of times as stretches of a picture that ends at a time.
fn stretches(times: &Times<RBig>, end: f64) -> Vec<Stretch> {
    let stretch =
        |ends: &[stl::times::Cut<RBig>]| (double(&ends[0].at), ends.get(1).map_or(end, |cut| double(&cut.at)).min(end));
    times.cuts.chunks(2).map(stretch).filter(|(from, _)| *from <= end).collect()
}

/// The numbers that each signal is compared with.
fn thresholds(spec: &Spec) -> Json {
    let mut all = Map::new();
    for (place, signal) in spec.signals.iter().enumerate() {
        if signal.sort == Sort::Real && !matches!(signal.shape, Shape::Named(_)) {
            let levels = Levels::of(&spec.store, &[spec.formula], SignalId(place as u32));
            let numbers = levels.thresholds.iter().map(|number| Json::String(write_number(number))).collect();
            all.insert(signal.name.clone(), Json::Array(numbers));
        }
    }
    Json::Object(all)
}

const STYLE: &str = "\
:root{color-scheme:light dark}\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2.5rem}\
table{border-collapse:collapse}th,td{text-align:left;padding:.25rem .75rem .25rem 0;vertical-align:top}\
th{border-bottom:1px solid currentColor}\
pre,code{font-family:ui-monospace,monospace;font-size:.85rem}pre{white-space:pre-wrap;padding:.6rem;border-left:3px solid #94a3b8}\
figure{margin:1rem 0;overflow-x:auto}\
.good{color:#15803d;font-weight:600}.bad{color:#dc2626;font-weight:600}\
@media (prefers-color-scheme:dark){body{background:#0f172a;color:#e2e8f0}.good{color:#4ade80}.bad{color:#f87171}}";

/// The page: all verdicts, then each signal with the reasons, a picture and the parts of the formula.
pub(super) fn page(title: &str, requirement: Option<&str>, cases: &[&Case<'_>]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{0}</title><style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escape(title)
    );
    if let Some(requirement) = requirement {
        let _ = writeln!(page, "<p>{}</p>", escape(requirement));
    }
    page += "<table><tr><th>requirement</th><th>signal</th><th>verdict</th></tr>\n";
    for (number, case) in cases.iter().enumerate() {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td><a href=\"#c{number}\">{}</a></td><td class=\"{}\">{}</td></tr>",
            escape(case.judged.of.as_deref().unwrap_or("the formula")),
            escape(&case.judged.name),
            if case.is_good() { "good" } else { "bad" },
            verdict_text(case.judged.verdict)
        );
    }
    page += "</table>\n";
    for (number, case) in cases.iter().enumerate() {
        let of = case.judged.of.as_ref().map(|of| format!("{of}, ")).unwrap_or_default();
        let _ = writeln!(
            page,
            "<h2 id=\"c{number}\">{}{}: <span class=\"{}\">{}</span></h2>\n<p><code>{}</code></p>",
            escape(&of),
            escape(&case.judged.name),
            if case.is_good() { "good" } else { "bad" },
            verdict_text(case.judged.verdict),
            escape(&print(case.spec, case.spec.formula))
        );
        let reasons = case.reasons();
        if !reasons.is_empty() {
            let _ = writeln!(page, "<pre>{}</pre>", escape(&reasons.join("\n")));
        }
        page += &case.figure().unwrap_or_default();
    }
    page + "</body></html>\n"
}

/// The verdicts as JUnit XML: what is false fails, what is open is skipped.
pub(super) fn junit(file: &str, judged: &[Judged], reasons: &[Vec<String>]) -> String {
    let failed = judged.iter().filter(|one| one.is_violated()).count();
    let open = judged.iter().filter(|one| !one.is_violated() && !one.is_good()).count();
    let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{open}\"", judged.len());
    let name = xml::escape(file);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"specimen\" {counts}>\n  <testsuite name=\"{name}\" {counts}>\n"
    );
    for (place, one) in judged.iter().enumerate() {
        let of = one.of.as_deref().unwrap_or("the formula");
        let _ =
            write!(text, "    <testcase classname=\"{name}.{}\" name=\"{}\"", xml::escape(of), xml::escape(&one.name));
        let words = verdict_text(one.verdict);
        if one.is_good() {
            text += "/>\n";
        } else if one.is_violated() {
            let why = reasons.get(place).map(|reasons| reasons.join("\n")).unwrap_or_default();
            let _ = writeln!(text, "><failure message=\"{words}\">{}</failure></testcase>", xml::escape(&why));
        } else {
            let _ = writeln!(text, "><skipped message=\"{words}\"/></testcase>");
        }
    }
    text + "  </testsuite>\n</testsuites>\n"
}
