//! What compiled tests did, as gcov counted it, beside what the interpreter says they do.
//!
//! Lines and branches of both are compared where both have them. A compiler may have fewer branches than there are conditions, or
//! more; then only lines are compared.

use std::collections::BTreeMap;
use std::path::Path;

use c::interp::{Ending, Interpreter, Machine, Observer};
use c::program::{EdgeId, Operation, Program, StatementKind};
use serde_json::Value as Json;
use testcase::Suite;

use super::export;
use crate::failure::Failure;
use crate::options::ReadingArguments;

/// What the tests of a suite do together, line by line.
pub struct Counted {
    lines: BTreeMap<(String, u32), Line>,
    /// Whether compiled tests do all of it as often, and nothing else: tests that go on for ever are stopped later.
    exact: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line {
    /// How often what stands there was done.
    count: u64,
    /// How often each side of a branch was taken.
    sides: Vec<u64>,
    /// Whether branches of a `?:` stand beside others: where a side of it is constant, compilers do not test its value once more.
    mixed: bool,
    /// Whether something jumps there: compilers may take the jumps of other lines for the same one.
    jumps: bool,
}

/// Runs the tests of a suite with the interpreter.
pub fn counted(suite: &Suite, source: (&Path, &str)) -> Result<Counted, Failure> {
    let reading = ReadingArguments::of_suite(suite)?.c;
    let model = export::model(&export::reader(suite, source.0)?, source.0, source.1, &reading)?;
    let program = &model.translation.program;
    let interpreter = Interpreter::new(program, export::settings(&model, suite)?);
    let nothing = vec![0; program.edges.len()];
    let mut taken = Taken { counts: nothing.clone(), ended: nothing };
    for test in &suite.tests {
        let outcome = interpreter.run(model.entry, &mut export::recorded(test)?, &mut taken);
        // What ends a run was begun, and counts as executed for a compiler.
        if let Ending::AssertionFailed(edge)
        | Ending::Excluded(edge)
        | Ending::EndOfInputs { edge, .. }
        | Ending::Unmodelled { edge, .. } = outcome.ending
        {
            taken.ended[edge.0 as usize] += 1;
        }
    }
    let exact = !suite.tests.iter().any(|test| test.expected.get("cut").is_some_and(|cut| cut == "steps"));
    Ok(Counted { lines: lines(program, &taken), exact })
}

/// Counts edges.
struct Taken {
    counts: Vec<u64>,
    /// How often a run ended before an edge was taken.
    ended: Vec<u64>,
}

impl Observer for Taken {
    fn taken(&mut self, edge: EdgeId, _: &mut Machine<'_>) {
        self.counts[edge.0 as usize] += 1;
    }
}

fn lines(program: &Program, taken: &Taken) -> BTreeMap<(String, u32), Line> {
    let mut lines: BTreeMap<(String, u32), Line> = BTreeMap::new();
    for (edge, (&count, &ended)) in program.edges.iter().zip(taken.counts.iter().zip(&taken.ended)) {
        let Some(location) = edge.notes.location.filter(|location| location.line != 0) else { continue };
        // Which case of a `switch` is chosen is not a branch of its line for a compiler.
        // A jump or an empty statement need not be anything in the compiled program.
        let nothing = edge.notes.inserted || edge.operation == Operation::Skip;
        let jumps = [StatementKind::Break, StatementKind::Continue, StatementKind::Goto];
        let jumps = jumps.into_iter().any(|kind| edge.notes.kinds.contains(kind));
        let file = base(&program.files[location.file.0 as usize]);
        if jumps && let Some(line) = lines.get_mut(&(file.clone(), location.line)) {
            line.jumps = true;
        }
        if nothing || edge.notes.kinds.contains(StatementKind::Switch) {
            continue;
        }
        let line = lines.entry((file, location.line)).or_default();
        line.count = line.count.saturating_add(count).saturating_add(ended);
        if let Operation::Assume { .. } = edge.operation {
            line.sides.push(count);
            line.mixed |= edge.notes.kinds.contains(StatementKind::Conditional);
        }
    }
    // One `?:` alone has two sides.
    lines.values_mut().for_each(|line| line.mixed &= 2 < line.sides.len());
    lines
}

impl Counted {
    /// Where compiled tests did something else, in words.
    pub fn differences(&self, gcov: &Json) -> Vec<String> {
        let mut found = Vec::new();
        for (place, native) in native_lines(gcov) {
            let Some(ours) = self.lines.get(&place) else { continue };
            let (file, line) = place;
            let said = match (self.agrees_on_lines(ours, &native), self.agrees_on_sides(ours, &native)) {
                (false, _) if ours.count == 0 => "was executed, and should not be".to_owned(),
                (false, _) => "was not executed, and should be".to_owned(),
                (true, false) => {
                    let [native, ours] = [&native.sides, &ours.sides].map(|sides| shown(sides));
                    format!("the sides of branches were taken {native} times, and should be {ours} times")
                }
                (true, true) => continue,
            };
            found.push(format!("{file}:{line}: {said}"));
        }
        found
    }

    fn agrees_on_lines(&self, ours: &Line, native: &Line) -> bool {
        (ours.count != 0) == (native.count != 0) || ((!self.exact || ours.jumps) && ours.count == 0)
    }

    fn agrees_on_sides(&self, ours: &Line, native: &Line) -> bool {
        if ours.sides.len() != native.sides.len() || ours.mixed {
            return true;
        }
        let taken = |sides: &[u64]| sides.iter().filter(|count| **count != 0).count();
        match self.exact {
            true => sorted(&ours.sides) == sorted(&native.sides),
            false => taken(&ours.sides) <= taken(&native.sides),
        }
    }
}

/// The lines of a report of gcov; those that several functions share are one.
fn native_lines(gcov: &Json) -> BTreeMap<(String, u32), Line> {
    let list = |value: &Json, name: &str| value.get(name).and_then(Json::as_array).cloned().unwrap_or_default();
    let number = |value: &Json, name: &str| value.get(name).and_then(Json::as_u64).unwrap_or_default();
    let mut lines: BTreeMap<(String, u32), Line> = BTreeMap::new();
    for file in list(gcov, "files") {
        let name = base(file.get("file").and_then(Json::as_str).unwrap_or_default());
        for line in list(&file, "lines") {
            let into = lines.entry((name.clone(), number(&line, "line_number") as u32)).or_default();
            into.count = into.count.saturating_add(number(&line, "count"));
            into.sides.extend(list(&line, "branches").iter().map(|branch| number(branch, "count")));
        }
    }
    lines
}

fn sorted(sides: &[u64]) -> Vec<u64> {
    let mut sides = sides.to_vec();
    sides.sort_unstable();
    sides
}

fn shown(sides: &[u64]) -> String {
    sorted(sides).iter().map(u64::to_string).collect::<Vec<_>>().join(", ")
}

fn base(file: &str) -> String {
    file.rsplit('/').next().unwrap_or(file).to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(ours: Line, native: Json, exact: bool) -> Vec<String> {
        let counted = Counted { lines: BTreeMap::from([(("f.c".to_owned(), 3), ours)]), exact };
        counted.differences(&json!({ "files": [{ "file": "/tmp/f.c", "lines": [native] }] }))
    }

    #[test]
    fn lines_and_branches_are_compared_where_both_have_them() {
        let line = |count: u64, sides: &[u64]| Line { count, sides: sides.to_vec(), ..Line::default() };
        let native = |count: u64, sides: &[u64]| {
            let branches: Vec<Json> = sides.iter().map(|count| json!({ "count": count })).collect();
            json!({ "line_number": 3, "count": count, "branches": branches })
        };
        assert!(said(line(3, &[1, 2]), native(3, &[2, 1]), true).is_empty());
        assert_eq!(
            said(line(3, &[1, 2]), native(3, &[3, 0]), true),
            ["f.c:3: the sides of branches were taken 0, 3 times, and should be 1, 2 times"]
        );
        assert_eq!(said(line(0, &[]), native(1, &[]), true), ["f.c:3: was executed, and should not be"]);
        assert_eq!(said(line(1, &[]), native(0, &[]), true), ["f.c:3: was not executed, and should be"]);
        assert!(said(line(3, &[1, 2]), native(1, &[1]), true).is_empty());
        let mixed = Line { mixed: true, ..line(5, &[1, 4, 5, 0]) };
        assert!(said(mixed, native(5, &[1, 4, 4, 0]), true).is_empty());
        assert!(said(line(3, &[1, 2]), native(900, &[800, 100]), false).is_empty());
        assert_eq!(said(line(3, &[1, 2]), native(900, &[900, 0]), false).len(), 1);
    }
}
