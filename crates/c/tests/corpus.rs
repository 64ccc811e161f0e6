//! Runs the cases of `corpus/c`: `accept` shows the automaton, `reject` what is wrong, `run` what happens. A case is a C file and an
//! `.expected` file; `UPDATE_EXPECT=1` writes the latter. Directives of runs stand in comments at the top: `entry: NAME`,
//! `input: NAME = VALUE`, `assertions`, `strict` (uninitialised reads are undefined), `steps: N`.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fmt::Write;
use std::path::{Path, PathBuf};

use c::interp::{Ending, Interpreter, Path as Taken, RecordedInputs, Settings};
use c::program::{EdgeId, FunctionId, Program};
use c::{Finding, Options, codes};
use expect_test::expect_file;

fn cases(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c").join(kind);
    let entries = std::fs::read_dir(folder).expect("the corpus is there").map(|entry| entry.expect("an entry").path());
    let mut paths: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "c" || extension == "i")).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn has_compiler() -> bool {
    let found = std::process::Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: cc is not installed");
    }
    found
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn listed(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings {
        let (file, line) = &finding.place;
        // What the preprocessor says is not ours to fix in a test.
        let message =
            if finding.diagnostic.code.id == codes::PREPROCESSOR.id { "…" } else { &finding.diagnostic.message };
        let place = finding.source.slice(finding.diagnostic.labels[0].span);
        let shown = place.lines().next().unwrap_or("");
        let shown: String = shown.chars().take(60).collect();
        let _ = writeln!(text, "{}:{line}: {}: {message}\n    {shown}", name(file), finding.diagnostic.code.id);
    }
    text
}

fn in_case(program: &Program, function: FunctionId, case: &Path) -> bool {
    let file = &program.files[program.function(function).location.file.0 as usize];
    program.function(function).body.is_some() && name(file) == case.file_name().expect("a file").to_string_lossy()
}

fn counts(program: &Program, edges: impl Iterator<Item = EdgeId> + Clone) -> String {
    let count = |test: &dyn Fn(EdgeId) -> bool| edges.clone().filter(|edge| test(*edge)).count();
    let notes = |edge: EdgeId| &program.edge(edge).notes;
    format!(
        "edges {}, blocks {}, loose blocks {}, condition edges {}, decision edges {}",
        count(&|_| true),
        count(&|edge| notes(edge).block_entry),
        count(&|edge| notes(edge).loose_block_entry),
        count(&|edge| notes(edge).condition.is_some()),
        count(&|edge| notes(edge).outcome.is_some()),
    )
}

#[test]
fn accepted_programs_have_their_automata() {
    if !has_compiler() {
        return;
    }
    for case in cases("accept") {
        let translation = c::load(std::slice::from_ref(&case), &Options::default());
        let translation = translation.unwrap_or_else(|findings| panic!("{}: {}", case.display(), listed(&findings)));
        let program = &translation.program;
        let own: Vec<FunctionId> = (0..program.functions.len() as u32)
            .map(FunctionId)
            .filter(|function| in_case(program, *function, &case))
            .collect();
        let edges: Vec<EdgeId> = own
            .iter()
            .flat_map(|function| {
                program.function(*function).body.as_ref().expect("has a body").edges.clone().map(EdgeId)
            })
            .collect();
        let mut text = format!("{}\n{}", counts(program, edges.iter().copied()), listed(&translation.warnings));
        for function in own {
            text.push_str(&program.show_function(function));
        }
        expect_file![format!("{}.expected", case.display())].assert_eq(&text);
    }
}

#[test]
fn rejected_programs_are_told_why() {
    if !has_compiler() {
        return;
    }
    for case in cases("reject") {
        let findings = match c::load(std::slice::from_ref(&case), &Options::default()) {
            Err(findings) => findings,
            Ok(translation) => panic!("{} is accepted: {}", case.display(), listed(&translation.warnings)),
        };
        for finding in &findings {
            let shown = source::render(&finding.source, &finding.diagnostic, source::Style::Plain);
            assert!(!shown.is_empty());
        }
        expect_file![format!("{}.expected", case.display())].assert_eq(&listed(&findings));
    }
}

#[test]
fn programs_run() {
    if !has_compiler() {
        return;
    }
    for case in cases("run") {
        let text = String::from_utf8_lossy(&std::fs::read(&case).expect("readable")).into_owned();
        let (mut entry, mut settings, mut inputs) = ("main".to_owned(), Settings::default(), RecordedInputs::default());
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            match line.split_once(':') {
                Some(("entry", name)) => entry = name.trim().to_owned(),
                Some(("steps", count)) => settings.steps = count.trim().parse().expect("a number"),
                Some(("input", pair)) => {
                    let (name, value) = pair.split_once(" = ").expect("NAME = VALUE");
                    inputs.push(name.trim(), value.parse().expect("a value"));
                }
                _ if line == "no assertions" => settings.assertions = false,
                _ if line == "strict" => settings.uninitialised_inputs = false,
                _ => {}
            }
        }
        let translation = c::load(std::slice::from_ref(&case), &Options::default());
        let translation = translation.unwrap_or_else(|findings| panic!("{}: {}", case.display(), listed(&findings)));
        let program = &translation.program;
        let function = program.function_named(&entry).expect("the entry is there");
        let mut path = Taken::default();
        let outcome = Interpreter::new(program, settings).run(function, &mut inputs, &mut path);
        // What is wrong with the way back from a call is not a step that was not taken.
        let back = matches!(outcome.ending, Ending::Undefined { edge, .. } if path.edges.contains(&edge)
            && matches!(program.edge(edge).operation, c::program::Operation::Call { .. }));
        let open = stopped(&outcome.ending) && !back;
        assert_eq!(path.edges.len() as u64 + u64::from(open), outcome.steps, "{}", case.display());
        for pair in path.edges.windows(2) {
            let (first, second) = (program.edge(pair[0]), program.edge(pair[1]));
            let same = program.node(first.from).function == program.node(second.from).function;
            let joined =
                first.to == second.from || !same || matches!(first.operation, c::program::Operation::Call { .. });
            let left = program.node(first.to).out.is_empty();
            assert!(joined || left, "{}: the path is broken", case.display());
        }
        let mut shown = String::from_utf8_lossy(&outcome.output).into_owned();
        let at = |edge: EdgeId| program.edge(edge).notes.location.map_or(0, |location| location.line);
        let _ = match &outcome.ending {
            Ending::Returned(None) => writeln!(shown, "returned"),
            Ending::Returned(Some(value)) => writeln!(shown, "returned {value}"),
            Ending::Undefined { fault, edge } => writeln!(shown, "line {}: {}", at(*edge), fault.text()),
            Ending::AssertionFailed(edge) => writeln!(shown, "line {}: assertion failed", at(*edge)),
            Ending::Stopped { edge, .. } => writeln!(shown, "line {}: stopped", at(*edge)),
            Ending::Unmodelled { function, edge } => {
                writeln!(shown, "line {}: unsupported: `{}` has no model", at(*edge), program.function(*function).name)
            }
            Ending::Excluded(edge) => writeln!(shown, "line {}: excluded", at(*edge)),
            Ending::Unsupported { what, edge } => writeln!(shown, "line {}: unsupported: {what}", at(*edge)),
            Ending::EndOfInputs { name, .. } => writeln!(shown, "no more inputs: {name}"),
            Ending::NoInput(what) => writeln!(shown, "no input: {what}"),
            other @ (Ending::Exited(_) | Ending::Aborted | Ending::GivenUp(_)) => writeln!(shown, "{other:?}"),
        };
        for record in &outcome.inputs {
            let _ = writeln!(shown, "{} {} = {}", program.types.show(record.ty), record.name, record.value);
        }
        expect_file![format!("{}.expected", case.display())].assert_eq(&shown);
    }
}

/// Whether the last step was begun but not taken.
fn stopped(ending: &Ending) -> bool {
    match ending {
        // A call that exits is a step that was taken.
        Ending::Returned(_) | Ending::Exited(_) | Ending::Aborted | Ending::Stopped { .. } => false,
        Ending::Undefined { .. }
        | Ending::Unmodelled { .. }
        | Ending::AssertionFailed(_)
        | Ending::Excluded(_)
        | Ending::GivenUp(_)
        | Ending::Unsupported { .. }
        | Ending::EndOfInputs { .. }
        | Ending::NoInput(_) => true,
    }
}
