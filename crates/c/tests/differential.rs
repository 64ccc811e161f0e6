//! Random programs against the system's compiler: the same output, and undefined behaviour where its sanitiser sees some.

#![allow(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::path::Path;
use std::process::Command;

use c::interp::{Blind, Ending, Interpreter, RecordedInputs, Settings};
use c::program::FunctionId;

use crate::generator;

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: cc is not installed");
    }
    found
}

/// What is written down for a program whose assertion failed.
const ABORTED: &[u8] = b"aborted";

/// What the real program printed, or none if the sanitiser stopped it.
fn compiled(folder: &Path, file: &Path) -> Option<Vec<u8>> {
    let program = folder.join("program");
    let sanitisers = "-fsanitize=undefined,float-cast-overflow";
    let status = Command::new("cc")
        .args(["-w", "-O0", sanitisers, "-fno-sanitize-recover=all", "-o"])
        .arg(&program)
        .arg(file)
        .output()
        .expect("cc runs");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    let output = Command::new(&program).output().expect("the program runs");
    if String::from_utf8_lossy(&output.stderr).contains("Assertion") {
        return Some(ABORTED.to_vec());
    }
    if output.status.success() { Some(output.stdout) } else { None }
}

/// What the interpreter printed, or none if it met undefined behaviour.
fn interpreted(file: &Path, entry: &str) -> Option<Vec<u8>> {
    let translation = match c::load(&[file.to_owned()], &c::Options::default()) {
        Ok(translation) => translation,
        Err(findings) => panic!(
            "{}: {:?}",
            file.display(),
            findings.iter().map(|finding| (&finding.place, &finding.diagnostic.message)).collect::<Vec<_>>()
        ),
    };
    let main: FunctionId = translation.program.function_named(entry).expect("main");
    let interpreter = Interpreter::new(&translation.program, Settings::default());
    let mut inputs = RecordedInputs::default();
    inputs.strict = true;
    let outcome = interpreter.run(main, &mut inputs, &mut Blind);
    match outcome.ending {
        Ending::Returned(_) | Ending::Exited(0) => Some(outcome.output),
        Ending::AssertionFailed(_) => Some(ABORTED.to_vec()),
        Ending::Undefined { .. } => None,
        other => panic!("{}: {other:?}", file.display()),
    }
}

#[test]
fn random_programs_print_what_compiled_ones_print() {
    if !has_compiler() {
        return;
    }
    let count: u64 = std::env::var("SPECIMEN_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(10);
    let first: u64 = std::env::var("SPECIMEN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let (mut defined, mut narrowed) = (0, 0);
    for seed in first..first + count {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(format!("random{seed}.c"));
        std::fs::write(&file, generator::program(seed)).expect("written");
        let (ours, theirs) = (interpreted(&file, "main"), compiled(folder.path(), &file));
        let text = |output: &Option<Vec<u8>>| {
            output.as_ref().map_or("undefined".to_owned(), |output| String::from_utf8_lossy(output).into_owned())
        };
        // The compiler narrows some computations before its sanitiser sees them, so it may miss an overflow.
        let missed = ours.is_none() && theirs.is_some();
        narrowed += usize::from(missed);
        if ours != theirs && !missed {
            let kept = std::env::temp_dir().join(format!("random{seed}.c"));
            std::fs::copy(&file, &kept).expect("kept");
            panic!("seed {seed}, {}: ours\n{}\ntheirs\n{}", kept.display(), text(&ours), text(&theirs));
        }
        defined += usize::from(ours.is_some());
    }
    assert!(narrowed * 5 <= count as usize, "the compiler saw too few overflows: {narrowed} of {count}");
    assert!(defined * 4 >= count as usize, "too few programs are defined: {defined} of {count}");
}

#[test]
fn layouts_are_the_compilers() {
    if !has_compiler() {
        return;
    }
    let count: u64 = std::env::var("SPECIMEN_LAYOUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(4);
    for seed in 0..count {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(format!("layout{seed}.c"));
        std::fs::write(&file, generator::layouts(seed)).expect("written");
        let text = |output: Option<Vec<u8>>| String::from_utf8_lossy(&output.expect("defined")).into_owned();
        let (ours, theirs) = (text(interpreted(&file, "main")), text(compiled(folder.path(), &file)));
        let source = std::fs::read_to_string(&file).expect("readable");
        for (ours, theirs) in ours.lines().zip(theirs.lines()) {
            let tag = theirs.split([' ', '.']).take(2).collect::<Vec<_>>().join(" ");
            let line = source.lines().find(|line| line.starts_with(&format!("{tag} {{"))).unwrap_or("");
            assert_eq!(ours, theirs, "seed {seed}: {line}");
        }
        assert_eq!(ours, theirs);
    }
}

/// Each expression becomes `enum { … }` in one unit and `printf` in the other: ours must be constant and equal.
#[test]
fn constant_expressions_have_the_compilers_values() {
    if !has_compiler() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let header = "struct s { signed char a; unsigned b : 5; int c : 11; long d; unsigned short e[3]; unsigned long f : 30; };\n\
                  enum e { ZERO, ONE, MINUS = -3, BIG = 70000 };\n";
    // Only those the compiler itself takes as constants; it refuses overflows.
    let mut kept = Vec::new();
    for seed in 0..160u64 {
        let expression = generator::constant(seed);
        let text = format!(
            "{header}static const long long a = (long long)({expression});\n_Static_assert(((long long)({expression})) == ((long long)({expression})), \"\");\n"
        );
        match c::load_text("one.c", &text, &c::Options::default()) {
            Ok(_) => kept.push(expression),
            Err(findings) => assert!(
                findings.iter().all(|finding| finding.diagnostic.code.id == "c-constant"),
                "{expression}: {}",
                findings[0].diagnostic.message
            ),
        }
    }
    assert!(kept.len() > 80, "{}", kept.len());
    let mut text = format!("#include <stdio.h>\n{header}int main(void) {{\n");
    for expression in &kept {
        text.push_str(&format!(
            "  {{ static const long long a = (long long)({expression}); printf(\"%lld\\n\", a); }}\n"
        ));
    }
    text.push_str("  return 0;\n}\n");
    let file = folder.path().join("all.c");
    std::fs::write(&file, text).expect("written");
    let (ours, theirs) = (interpreted(&file, "main"), compiled(folder.path(), &file));
    assert_eq!(
        ours.map(|text| String::from_utf8_lossy(&text).into_owned()),
        theirs.map(|text| String::from_utf8_lossy(&text).into_owned())
    );
}
