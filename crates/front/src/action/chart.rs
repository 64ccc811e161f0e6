//! A test as a sequence chart: what the tester gives, what the system does, and the states along the way.

use std::fmt::Write as _;

use serde_json::Value as Json;
use testcase::TestRecord;
use testcase::export::escape;

const ROW: f64 = 34.0;
const HEAD: f64 = 26.0;
const TESTER: f64 = 44.0;
const CHARACTER: f64 = 6.8;
const GIVEN: &str = "#2563eb";
const SEEN: &str = "#15803d";

/// The test as an SVG picture; none where the suite does not say what happens at each point.
pub(super) fn as_svg(test: &TestRecord) -> Option<String> {
    let points = test.notes.get("points")?.as_array()?;
    let variables: Vec<&str> = test.notes.get("variables").map(texts).unwrap_or_default();
    let mut state: Vec<&str> = test.notes.get("initial").map(words).unwrap_or_default();
    let mut rows = Vec::new();
    for point in points {
        let next = point.get("state").map(words).unwrap_or_default();
        rows.push(Row::of(point, &changes(&variables, test.notes.get("names"), &state, &next))?);
        if !next.is_empty() {
            state = next;
        }
    }
    let longest = rows.iter().map(|row| row.label.chars().count()).max().unwrap_or(0);
    let system = TESTER + (longest as f64 * CHARACTER + 60.0).max(180.0);
    let widest = rows.iter().map(|row| row.beside.chars().count()).max().unwrap_or(0);
    let (width, height) = (system + 40.0 + widest as f64 * CHARACTER, HEAD + ROW * rows.len() as f64 + 14.0);
    let mut svg = format!(
        "<figure class=\"sequence\" style=\"overflow-x:auto;margin:0\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} \
         {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"steps of {}\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\" fill=\"currentColor\">\n",
        escape(&test.id)
    );
    for (x, name) in [(TESTER, "tester"), (system, "system")] {
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"14\" text-anchor=\"middle\" font-weight=\"600\">{name}</text><line x1=\"{x:.1}\" x2=\"{x:.1}\" \
             y1=\"20\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-opacity=\".35\"/>",
            height - 6.0
        );
    }
    for (number, row) in rows.iter().enumerate() {
        row.draw(&mut svg, system, HEAD + ROW * (number as f64 + 0.75));
    }
    svg.push_str("</svg></figure>");
    Some(svg)
}

/// Who acts at a point of a test.
#[derive(Clone, Copy, PartialEq)]
enum Actor {
    Tester,
    System,
    Nobody,
}

struct Row {
    actor: Actor,
    label: String,
    /// Whether this is what the test is about rather than the way there.
    is_last: bool,
    beside: String,
}

impl Row {
    fn of(point: &Json, changes: &str) -> Option<Row> {
        let label = point.get("label")?.as_str()?.to_owned();
        let allowed = |key: &str| point.get(key).map(texts).unwrap_or_default().join(", ");
        let or_nothing = |list: String| if list.is_empty() { "nothing".to_owned() } else { list };
        let row = |actor, label, is_last, beside| Some(Row { actor, label, is_last, beside });
        match point.get("kind")?.as_str()? {
            "input" => row(Actor::Tester, label, false, changes.to_owned()),
            "output" => row(Actor::System, label, false, changes.to_owned()),
            "silence" => row(Actor::Nobody, "silence".to_owned(), false, String::new()),
            "internal" => row(Actor::Nobody, format!("{label} (not seen)"), false, changes.to_owned()),
            "open" => row(Actor::Nobody, "not followed further".to_owned(), true, "too many states".to_owned()),
            "try" => {
                let taken = point.get("steps").and_then(|steps| steps.get(&label)).and_then(Json::as_array);
                let beside = match taken {
                    Some(states) if states.is_empty() => "the model refuses this input".to_owned(),
                    _ => format!("then allowed: {}", or_nothing(allowed("after"))),
                };
                row(Actor::Tester, label, true, beside)
            }
            _ => row(Actor::Nobody, "watch".to_owned(), true, format!("allowed: {}", or_nothing(allowed("allowed")))),
        }
    }

    fn draw(&self, svg: &mut String, system: f64, y: f64) {
        let (from, to, colour) = match self.actor {
            Actor::Tester => (TESTER, system, GIVEN),
            Actor::System => (system, TESTER, SEEN),
            Actor::Nobody => (system, system, SEEN),
        };
        if self.actor == Actor::Nobody {
            let _ = writeln!(svg, "<circle cx=\"{system:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"/>");
        } else {
            let dash = if self.is_last { " stroke-dasharray=\"6 4\"" } else { "" };
            let back = if from < to { -8.0 } else { 8.0 };
            let _ = writeln!(
                svg,
                "<line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"1.6\"{dash}/>\
                 <path d=\"M{to:.1} {y:.1} l{back} -4.5 l0 9 z\" fill=\"{colour}\"/>"
            );
        }
        let weight = if self.is_last { " font-weight=\"600\"" } else { "" };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\"{weight}>{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill-opacity=\".75\">{}</text>",
            (TESTER + system) / 2.0,
            y - 5.0,
            escape(&self.label),
            system + 16.0,
            y + 4.0,
            escape(&self.beside)
        );
    }
}

/// The variables whose values change, with their new values, by name where they have one.
fn changes(variables: &[&str], names: Option<&Json>, before: &[&str], after: &[&str]) -> String {
    let changed = variables.iter().zip(before.iter().zip(after)).filter(|(_, (before, after))| before != after);
    let called = |variable: &str, value: &str| {
        let name = names.and_then(|names| names.get(variable)?.get(value)?.as_str());
        name.unwrap_or(value).to_owned()
    };
    changed.map(|(name, (_, value))| format!("{name} = {}", called(name, value))).collect::<Vec<_>>().join(", ")
}

fn words(text: &Json) -> Vec<&str> {
    text.as_str().unwrap_or_default().split_whitespace().collect()
}

fn texts(list: &Json) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Json::as_str).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use testcase::TestRecord;

    #[test]
    fn a_chart_names_what_is_given_and_what_changes() {
        let test: TestRecord = serde_json::from_value(json!({
            "id": "t1", "inputs": {}, "expected": {}, "covers": [],
            "notes": {
                "variables": ["place", "arming"], "initial": "0 0", "names": { "place": { "0": "Open", "1": "Closed" } },
                "points": [
                    { "kind": "input", "label": "close<1>", "state": "1 0", "allowed": [], "steps": {} },
                    { "kind": "output", "label": "armed", "state": "1 1", "allowed": [], "steps": {} },
                    { "kind": "try", "label": "open", "after": [], "allowed": [], "steps": { "open": [] } }
                ]
            }
        }))
        .expect("a test");
        let svg = super::as_svg(&test).expect("a picture");
        for part in ["close&lt;1&gt;", "place = Closed", "arming = 1", "armed", "the model refuses this input"] {
            assert!(svg.contains(part), "{part} in {svg}");
        }
    }
}
