//! What suites are worth: faults planted in a unit, and how many of them the tests find that are drawn by default.
#![allow(clippy::print_stderr, reason = "a test that is skipped says so, and figures are for people")]

use std::path::Path;
use std::process::{Command, Output};

/// Faults in `corpus/c/strength/link.c`: what stands there, and what stands there instead. They are of the kinds that programmers make:
/// borders, operators, constants, and statements that are missing. Their author knew tests of the unit, so what is found guards against
/// regression and is not an independent measure.
const FAULTS: &[(&str, &str)] = &[
    ("if (ring->count == SIZE) {", "if (ring->count == SIZE - 1) {"),
    ("    ++dropped;\n", ""),
    ("(ring->head + ring->count) % SIZE] = byte;", "(ring->head + ring->count + 1) % SIZE] = byte;"),
    ("(ring->head + ring->count) % SIZE] = byte;", "(ring->count) % SIZE] = byte;"),
    ("  ++ring->count;\n", ""),
    ("  *byte = ring->data[ring->head];", "  *byte = ring->data[0];"),
    ("ring->head = (ring->head + 1) % SIZE;", "ring->head = ring->head + 1;"),
    ("  --ring->count;\n", "  ring->count -= 2;\n"),
    ("  if (ring->count == 0)\n    return 0;", "  if (ring->count <= 1)\n    return 0;"),
    ("  ring->head = 0;\n  ring->count = 0;\n", "  ring->count = 0;\n"),
    ("  dropped = 0;\n", ""),
    ("  parser->state = WAITING;\n", ""),
    ("    if (byte == 0x7e)", "    if (byte >= 0x7e)"),
    ("byte == 0 || byte > MOST", "byte == 0 || byte >= MOST"),
    ("    parser->length = byte;\n    parser->filled = 0;\n", "    parser->length = byte;\n"),
    ("      complain(1, byte);\n", "      complain(2, byte);\n"),
    ("    if (parser->filled >= MOST) {", "    if (parser->filled > MOST) {"),
    ("    parser->sum += byte;\n", "    parser->sum = byte;\n"),
    ("    parser->sum += byte;\n", "    parser->sum ^= byte;\n"),
    ("    if (parser->filled >= parser->length)", "    if (parser->filled > parser->length)"),
    ("      ++frames;\n", ""),
    ("deliver(parser->payload, parser->length);", "deliver(parser->payload, parser->filled);"),
    ("deliver(parser->payload, parser->length);", "deliver(parser->payload + 1, parser->length);"),
    ("    } else {\n      complain(2, byte);\n    }", "    }"),
    ("  while (taken < 3 &&", "  while (taken < 4 &&"),
    ("    parser_feed(parser, byte);\n    ++taken;", "    ++taken;"),
    ("uint8_t *byte)\n{\n  if (ring->head >= SIZE ||", "uint8_t *byte)\n{\n  if (ring->head > SIZE ||"),
    ("  return taken;", "  return 3;"),
];

const FUNCTIONS: &[&str] = &["ring_put", "ring_get", "ring_clear", "parser_reset", "parser_feed", "parser_drain"];

fn specimen(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_specimen"));
    command.args(arguments).current_dir(folder).output().expect("specimen runs")
}

/// The faults that the tests of the functions do not find.
fn survivors(more: &[&str]) -> Vec<usize> {
    let unit = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/strength/link.c");
    let text = std::fs::read_to_string(unit).expect("the unit is there");
    let desk = tempfile::tempdir().expect("a folder");
    std::fs::write(desk.path().join("link.c"), &text).expect("the unit can be written");
    for function in FUNCTIONS {
        let drawn = [&["generate", "link.c", "--function", function, "--out", function, "--execute"], more].concat();
        let output = specimen(&drawn, desk.path());
        assert!(output.status.success(), "{function}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let is_found = |fault: &(&str, &str)| {
        assert_eq!(text.matches(fault.0).count(), 1, "a fault has one place: {}", fault.0);
        std::fs::write(desk.path().join("link.c"), text.replace(fault.0, fault.1)).expect("the unit can be written");
        FUNCTIONS.iter().any(|function| {
            let suite = format!("{function}/suite.json");
            let output = specimen(&["test", &suite, "--execute", "--source", "link.c"], desk.path());
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 1)), "{fault:?}: {said}");
            // A test that cannot be run does not find anything.
            output.status.code() == Some(1) && said.contains("error: test ")
        })
    };
    (0..FAULTS.len()).filter(|at| !is_found(&FAULTS[*at])).collect()
}

#[test]
fn tests_drawn_by_default_find_three_quarters_of_planted_faults() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    let left = survivors(&[]);
    let found = FAULTS.len() - left.len();
    eprintln!(
        "{found} of {} faults are found; not: {:?}",
        FAULTS.len(),
        left.iter().map(|at| FAULTS[*at]).collect::<Vec<_>>()
    );
    assert!(3 * FAULTS.len() <= 4 * found, "{found} of {} faults are found", FAULTS.len());
}
