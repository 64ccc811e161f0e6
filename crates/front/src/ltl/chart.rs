//! A strategy as a picture: its states one below the other, with what each sets, and where the answers lead.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ltl::Machine;
use omega::Formulas;
use testcase::TestRecord;
use testcase::export::escape;

use super::show;

const LEFT: f64 = 30.0;
const LINE: f64 = 22.0;
const GAP: f64 = 16.0;
const LANE: f64 = 13.0;
/// How far below the top of a state wires come in.
const ENTRY: f64 = 5.0;
const CHARACTER: f64 = 6.8;
const SETS: &str = "#2563eb";
const ANSWER: &str = "#15803d";
/// Strategies with more states are shown in words.
const MOST_STATES: usize = 40;

/// The strategy as an SVG picture, or in words where it is large.
pub(super) fn as_svg(test: &TestRecord) -> Option<String> {
    let mut formulas = Formulas::new();
    let machine = Machine::from_json(&test.inputs, &mut formulas).ok()?;
    if MOST_STATES < machine.states.len() {
        return show::strategy(test).map(|text| format!("<pre>{}</pre>", escape(&text)));
    }
    Some(Picture::of(&machine, &formulas).draw(&test.id))
}

/// A state with the place it is drawn at.
struct Row {
    sets: String,
    top: f64,
    height: f64,
}

/// Where the answers of a state lead.
struct Wire {
    from: usize,
    to: usize,
    answers: String,
    y: f64,
    /// Which of the lanes on the right it takes.
    lane: usize,
}

struct Picture {
    rows: Vec<Row>,
    wires: Vec<Wire>,
}

impl Picture {
    fn of(machine: &Machine, formulas: &Formulas) -> Picture {
        let (mut rows, mut wires) = (Vec::new(), Vec::new());
        let mut top = 8.0;
        for (number, state) in machine.states.iter().enumerate() {
            let mut answers: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            for taken in &state.moves {
                answers.entry(taken.target).or_default().push(show::guard(formulas, &taken.guard));
            }
            let height = LINE * answers.len().max(1) as f64 + 14.0;
            for (place, (to, answers)) in answers.into_iter().enumerate() {
                let y = top + ENTRY + 5.0 + LINE * (place as f64 + 0.75);
                wires.push(Wire { from: number, to, answers: answers.join(" or "), y, lane: 0 });
            }
            rows.push(Row { sets: show::literals(formulas, machine.sets_in(number), " "), top, height });
            top += height + GAP;
        }
        let mut picture = Picture { rows, wires };
        picture.choose_lanes();
        picture
    }

    /// Gives every wire the first lane in which no other one is in its way; wires to the same state may share one.
    fn choose_lanes(&mut self) {
        let mut taken: Vec<Vec<(f64, f64, usize)>> = Vec::new();
        for wire in &mut self.wires {
            let target = self.rows[wire.to].top + ENTRY;
            let (low, high) = (wire.y.min(target), wire.y.max(target));
            let is_free = |lane: &Vec<(f64, f64, usize)>| {
                lane.iter().all(|(from, till, to)| *to == wire.to || *till < low || high < *from)
            };
            wire.lane = taken.iter().position(is_free).unwrap_or_else(|| {
                taken.push(Vec::new());
                taken.len() - 1
            });
            taken[wire.lane].push((low, high, wire.to));
        }
    }

    fn draw(&self, name: &str) -> String {
        let widest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f64 * CHARACTER;
        let box_width = widest(&mut self.rows.iter().map(|row| row.sets.chars().count() + 5)).max(70.0) + 16.0;
        let right = LEFT + box_width;
        let lanes = right + widest(&mut self.wires.iter().map(|wire| wire.answers.chars().count())) + 24.0;
        let width = lanes + LANE * (self.wires.iter().map(|wire| wire.lane).max().unwrap_or(0) as f64 + 1.0) + 8.0;
        let height = self.rows.last().map_or(0.0, |row| row.top + row.height) + 8.0;
        let mut svg = format!(
            "<figure class=\"strategy\" style=\"overflow-x:auto;margin:0\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \
             {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" aria-label=\"states of {}\" \
             font-family=\"system-ui,sans-serif\" font-size=\"12\" fill=\"currentColor\">\n",
            escape(name)
        );
        for wire in &self.wires {
            let (lane, target) = (lanes + LANE * wire.lane as f64, self.rows[wire.to].top + ENTRY);
            let dash = if wire.to == wire.from { " stroke-dasharray=\"3 3\"" } else { "" };
            let _ = writeln!(
                svg,
                "<path d=\"M{right:.1} {:.1} H{lane:.1} V{target:.1} H{:.1}\" fill=\"none\" stroke=\"{ANSWER}\" stroke-opacity=\".7\" \
                 stroke-linejoin=\"round\"{dash}/><path d=\"M{right:.1} {target:.1} l8 -4 l0 8 z\" fill=\"{ANSWER}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                wire.y,
                right + 6.0,
                right + 12.0,
                wire.y - 4.0,
                escape(&wire.answers)
            );
        }
        for (number, row) in self.rows.iter().enumerate() {
            let middle = row.top + row.height / 2.0;
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{:.1}\" width=\"{box_width:.1}\" height=\"{:.1}\" rx=\"7\" fill=\"{SETS}\" fill-opacity=\".1\" \
                 stroke=\"{SETS}\"/><text x=\"{:.1}\" y=\"{:.1}\" font-weight=\"600\">{number}</text>\
                 <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{SETS}\">{}</text>",
                row.top,
                row.height,
                LEFT + 8.0,
                middle + 4.0,
                LEFT + 34.0,
                middle + 4.0,
                escape(&row.sets)
            );
            if number == 0 {
                let _ = writeln!(
                    svg,
                    "<path d=\"M4 {middle:.1} H{:.1}\" stroke=\"currentColor\"/><path d=\"M{LEFT} {middle:.1} l-8 -4 l0 8 z\"/>",
                    LEFT - 6.0
                );
            }
        }
        svg.push_str("</svg></figure>");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::Picture;
    use ltl::Machine;
    use omega::Formulas;
    use serde_json::json;

    #[test]
    fn wires_to_different_states_do_not_share_a_lane_where_they_meet() {
        let to = |next: usize, value: bool| json!({ "when": { "h": value }, "set": { "c": true }, "next": next });
        let states: Vec<_> =
            (0..4).map(|state| json!({ "moves": [to((state + 1) % 4, true), to((state + 2) % 4, false)] })).collect();
        let machine = json!({
            "schema": "specimen-machine/1", "kind": "moore", "reads": ["h"], "sets": ["c"], "initial": 0, "states": states
        });
        let mut formulas = Formulas::new();
        let machine = Machine::from_json(&machine, &mut formulas).expect("a machine");
        let picture = Picture::of(&machine, &formulas);
        assert_eq!(picture.wires.len(), 8);
        for (place, left) in picture.wires.iter().enumerate() {
            for right in &picture.wires[place + 1..] {
                let span = |wire: &super::Wire| {
                    let target = picture.rows[wire.to].top + super::ENTRY;
                    (wire.y.min(target), wire.y.max(target))
                };
                let apart = span(left).1 < span(right).0 || span(right).1 < span(left).0;
                assert!(left.lane != right.lane || left.to == right.to || apart);
            }
        }
        assert!(picture.draw("t1").contains("aria-label=\"states of t1\""));
    }
}
