//! The two pictures of the book's page "How it works", drawn from the blocks of ARCHITECTURE.md that say the same in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::codegen::read;

/// Where the pictures are.
pub(crate) const FLOW: &str = "docs/book/flow.svg";
pub(crate) const CRATES: &str = "docs/book/crates.svg";

/// Colours for both kinds of screens; a picture in a page follows the page.
const STYLE: &str = "<style>\
    text{font:15px system-ui,sans-serif;fill:#1c2733}.small{font-size:12.5px;fill:#4a5866}.name{font-weight:600}\
    rect{stroke-width:1.5}.trusted{fill:#e7f3ea;stroke:#2f7d4a}.search{fill:#fdf0df;stroke:#b36b00}.rim{fill:#e8eefa;stroke:#3b5fa8}\
    path{fill:none;stroke:#7b8794;stroke-width:1.3}.head{fill:#7b8794;stroke:none}.ground{fill:#ffffff;stroke:none}\
    @media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#a9b6c2}.trusted{fill:#17301f;stroke:#57b378}\
    .search{fill:#38280f;stroke:#dd9a3c}.rim{fill:#1a2540;stroke:#7fa0e8}path{stroke:#6b7783}.head{fill:#6b7783}.ground{fill:#12181f}}\
    </style>";

/// Both pictures, each with its place.
pub(crate) fn drawn() -> Result<[(&'static str, String); 2], String> {
    let text = read("ARCHITECTURE.md")?;
    Ok([(FLOW, flow(&block(&text, "flow")?)?), (CRATES, crates(&block(&text, "graph")?))])
}

/// The lines of a fenced block.
fn block(text: &str, name: &str) -> Result<Vec<String>, String> {
    let found = text.split(&format!("```{name}\n")).nth(1).and_then(|rest| rest.split("```").next());
    let found = found.ok_or_else(|| format!("ARCHITECTURE.md has no block ```{name}"))?;
    Ok(found.lines().map(str::to_owned).collect())
}

fn picture(width: usize, height: usize, title: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">\n{STYLE}\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
    )
}

/// What a box is for: how it is coloured.
fn is_class(name: &str) -> bool {
    ["trusted", "search", "rim"].contains(&name)
}

/// The way of the data: one box a line, `half | name | what it is`, from top to bottom; the halves stand side by side.
fn flow(lines: &[String]) -> Result<String, String> {
    const WIDTH: usize = 640;
    const BOX: usize = 400;
    const STEP: usize = 84;
    let mut body = String::new();
    let mut earlier: Option<(usize, usize)> = None;
    for (row, line) in lines.iter().enumerate() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [half, name, what] = cells[..] else { return Err(format!("ARCHITECTURE.md: not a step: `{line}`")) };
        if !is_class(half) {
            return Err(format!("ARCHITECTURE.md: there is no half `{half}`"));
        }
        let (x, y) = (if half == "search" { WIDTH - BOX - 12 } else { 12 }, 12 + row * STEP);
        let middle = x + BOX / 2;
        if let Some((from, bottom)) = earlier {
            let turn = (bottom + y) / 2;
            let _ = writeln!(body, "<path d=\"M{from} {bottom}V{turn}H{middle}V{}\"/>", y - 7);
            let _ = writeln!(body, "<path class=\"head\" d=\"M{middle} {y}l-5 -8h10z\"/>");
        }
        let _ = writeln!(body, "<rect class=\"{half}\" x=\"{x}\" y=\"{y}\" width=\"{BOX}\" height=\"56\" rx=\"6\"/>");
        let _ = writeln!(body, "<text class=\"name\" x=\"{}\" y=\"{}\">{}</text>", x + 14, y + 23, escaped(name));
        let _ = writeln!(body, "<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>", x + 14, y + 43, escaped(what));
        earlier = Some((middle, y + 56));
    }
    Ok(picture(WIDTH, lines.len() * STEP - STEP + 80, "The way from a file to a suite", &body))
}

/// The crates of the program, users above what they use; an arrow that others imply is left out.
fn crates(lines: &[String]) -> String {
    const CELL: usize = 128;
    const STEP: usize = 92;
    let uses: BTreeMap<&str, BTreeSet<&str>> = lines
        .iter()
        .filter_map(|line| line.split_once("->"))
        .map(|(name, used)| (name.trim(), used.split_whitespace().collect()))
        .filter(|(name, _)| !["bench", "testkit", "xtask"].contains(name))
        .collect();
    let levels = levels(&uses);
    let height = levels.values().max().copied().unwrap_or(0) + 1;
    let rows: Vec<Vec<&str>> = (0..height)
        .map(|level| uses.keys().copied().filter(|name| levels.get(name) == Some(&level)).collect())
        .collect();
    let width = rows.iter().map(Vec::len).max().unwrap_or(1) * CELL + 16;
    let place = |name: &str| {
        let level = levels.get(name).copied().unwrap_or(0);
        let column = rows[level].iter().position(|other| *other == name).unwrap_or(0);
        let x = (width - rows[level].len() * CELL) / 2 + column * CELL + 6;
        (x, 12 + (height - 1 - level) * STEP)
    };
    let mut body = String::new();
    for (name, used) in &uses {
        for other in used.iter().filter(|other| !used.iter().any(|via| reaches(&uses, via, other))) {
            let ((x, y), (to_x, to_y)) = (place(name), place(other));
            let (x, to_x, y) = (x + 58, to_x + 58, y + 34);
            let bend = (to_y - y) / 2;
            let _ = writeln!(body, "<path d=\"M{x} {y}C{x} {} {to_x} {} {to_x} {to_y}\"/>", y + bend, to_y - bend);
        }
    }
    for name in uses.keys() {
        let (x, y) = place(name);
        let class = match *name {
            "front" | "project" | "specimen" => "rim",
            name if name.starts_with("draw-") || name.starts_with("smt") || name == "search" => "search",
            _ => "trusted",
        };
        let _ = writeln!(body, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"116\" height=\"34\" rx=\"6\"/>");
        let _ = writeln!(body, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{name}</text>", x + 58, y + 22);
    }
    picture(width, height * STEP - STEP + 58, "The crates, users above what they use", &body)
}

/// How many crates stand on top of each other below each, at most.
fn levels<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeMap<&'a str, usize> {
    let mut levels: BTreeMap<&str, usize> = uses.keys().map(|name| (*name, 0)).collect();
    // There is no circle of crates: as many rounds as there are crates are enough.
    for _ in 0..uses.len() {
        for (name, used) in uses {
            let above = used.iter().filter_map(|other| levels.get(other)).max().map_or(0, |level| level + 1);
            levels.insert(name, above);
        }
    }
    levels
}

/// Whether a crate uses another, directly or not, and is not that crate.
fn reaches(uses: &BTreeMap<&str, BTreeSet<&str>>, from: &str, to: &str) -> bool {
    let mut open: Vec<&str> = uses.get(from).into_iter().flatten().copied().collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    while let Some(name) = open.pop() {
        if seen.insert(name) {
            open.extend(uses.get(name).into_iter().flatten().copied());
        }
    }
    seen.contains(to)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
