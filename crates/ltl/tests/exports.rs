//! Strategies as programs and as automata: every form behaves as the machine does.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use ltl::code::{Language, program};
use ltl::{Letter, Machine, parse_formula};
use omega::automaton::{Limits, translate};
use omega::{AtomId, Formulas, from_hoa};
use source::Source;

/// The strategy of the traffic light that finds a camera stuck at 0, with odd names and an input it leaves free.
fn strategy(formulas: &mut Formulas) -> Machine {
    let json = serde_json::json!({
        "kind": "moore", "reads": ["h", "f", "while"], "sets": ["c", "a.b"],
        "states": [
            { "moves": [
                { "when": { "f": true }, "set": { "c": false, "a.b": true }, "next": 0 },
                { "when": { "f": false, "while": true }, "set": { "c": false, "a.b": true }, "next": 2 },
                { "when": { "f": false, "while": false }, "set": { "c": false, "a.b": true }, "next": 1 },
            ] },
            { "moves": [
                { "when": { "f": true, "h": false }, "set": { "c": true }, "next": 0 },
                { "when": { "f": true, "h": true }, "set": { "c": true }, "next": 2 },
                { "when": { "f": false }, "set": { "c": true }, "next": 1 },
            ] },
            { "moves": [{ "when": {}, "set": { "c": false, "a.b": false }, "next": 1 }] },
        ],
    });
    Machine::from_json(&json, formulas).expect("a machine")
}

/// Letters to read, the same in every run.
fn letters(count: usize) -> Vec<u32> {
    let mut state = 7_u32;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state >> 20
        })
        .collect()
}

/// What the machine sets, line by line.
fn expected(machine: &Machine, read: &[u32]) -> String {
    let (mut state, mut text) = (0, String::new());
    for place in 0..=read.len() {
        let sets = machine.sets_in(state);
        text.extend(machine.sets.iter().map(|atom| if sets.contains(&(*atom, true)) { '1' } else { '0' }));
        text.push('\n');
        if let Some(code) = read.get(place) {
            let held = machine.reads.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1);
            let held: Vec<AtomId> = held.map(|(_, atom)| *atom).collect();
            state = machine.step(state, &Letter::of(held)).target;
        }
    }
    text
}

fn said(mut command: Command, read: &[u32], width: usize) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut text = String::new();
    for code in read {
        text.extend((0..width).map(|bit| if code >> bit & 1 == 1 { '1' } else { '0' }));
        text.push('\n');
    }
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8(output.stdout).expect("text")
}

fn compiled(compiler: &str, arguments: &[&str], source: &Path, folder: &Path) -> Option<Command> {
    let target = folder.join("strategy-program");
    let made = Command::new(compiler).args(arguments).arg(source).arg("-o").arg(&target).output();
    // A compiler that is not installed proves nothing, one that refuses does.
    let made = made.ok()?;
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    Some(Command::new(target))
}

#[test]
fn programs_do_what_the_machine_does() {
    let mut formulas = Formulas::new();
    let machine = strategy(&mut formulas);
    let read = letters(200);
    let expected = expected(&machine, &read);
    let mut ran = 0;
    for (name, language, extension) in Language::ALL {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path().join(format!("t1.{extension}"));
        std::fs::write(&source, program(&machine, &formulas, "t1", language)).expect("written");
        let command = match language {
            Language::C => compiled("gcc", &["-std=c99", "-Wall", "-Wextra", "-Werror"], &source, folder.path()),
            Language::Rust => compiled("rustc", &["--edition", "2021", "-D", "warnings"], &source, folder.path()),
            Language::Python => {
                let mut command = Command::new("python3");
                command.arg(&source);
                Command::new("python3").arg("--version").output().ok().map(|_| command)
            }
            Language::Verilog => simulated(&machine, &source, folder.path(), &read),
        };
        let Some(command) = command else { continue };
        ran += 1;
        assert_eq!(said(command, &read, machine.reads.len()), expected, "{name}");
    }
    assert!(0 < ran, "no compiler was found at all");
}

/// A bench around the Verilog module that prints what it sets in every step.
fn simulated(machine: &Machine, source: &Path, folder: &Path, read: &[u32]) -> Option<Command> {
    Command::new("iverilog").arg("-V").output().ok()?;
    let reads = machine.reads.len();
    let mut bench = format!(
        "module bench; reg clock = 0, reset = 1; reg [{}:0] r; wire c, ab;\n t1 it (.clock(clock), .reset(reset), .h_(r[0]), .f_(r[1]), .while_(r[2]), .c_(c), .a_b_(ab));\n initial begin r = 0; #1 clock = 1; #1 clock = 0; reset = 0;\n",
        reads - 1
    );
    for code in read {
        bench += &format!(" r = {}; #1 $display(\"%b%b\", c, ab); clock = 1; #1 clock = 0;\n", code & 7);
    }
    bench += " #1 $display(\"%b%b\", c, ab); $finish; end endmodule\n";
    let path = folder.join("bench.v");
    std::fs::write(&path, bench).expect("written");
    let target = folder.join("simulation");
    let made = Command::new("iverilog").arg("-o").arg(&target).arg(source).arg(&path).output().expect("it starts");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut command = Command::new("vvp");
    command.arg(target);
    Some(command)
}

#[test]
fn automata_are_read_as_they_were_written() {
    for text in ["G (r -> F g)", "a U (b & X c)", "F G a | G F b", "true", "false", "(a <-> b) W (c xor d)"] {
        let mut formulas = Formulas::new();
        let formula = parse_formula(&Source::new("f", text), &mut formulas).expect("a formula");
        let automaton = translate(&mut formulas, formula, Limits::default()).expect("within the limits");
        let written = automaton.to_hoa(&formulas).expect("its labels are short");
        let again = from_hoa(&written, &mut formulas).unwrap_or_else(|error| panic!("{text}: {error}\n{written}"));
        assert_eq!(again.to_hoa(&formulas).as_ref(), Some(&written), "{text}");
    }
    let mut formulas = Formulas::new();
    let machine = strategy(&mut formulas);
    let automaton = from_hoa(&machine.to_hoa(&formulas), &mut formulas).expect("a machine is an automaton");
    assert_eq!((automaton.len(), automaton.marks), (3, 0));
    assert_eq!(automaton.edges.iter().map(Vec::len).sum::<usize>(), 7);
}

#[test]
fn automata_of_other_tools_are_read_or_refused() {
    let read = |text: &str| from_hoa(text, &mut Formulas::new()).map(|automaton| automaton.len());
    let head = "HOA: v1 name: \"G(a)\" tool: \"x\" \"1.0\" States: 2 Start: 1 AP: 1 \"a\" acc-name: Buchi";
    let body = "--BODY-- State: 1 \"first\" {0} [0 & (t | !0)] 1 [!0] 0 {0} State: 0 [t] 0 --END--";
    assert_eq!(read(&format!("{head} Acceptance: 1 Inf(0) {body}")), Ok(2));
    for (text, complaint) in [
        (format!("{head} Acceptance: 1 Fin(0) {body}"), "generalised Büchi"),
        (format!("{head} {body}"), "`Acceptance:` is missing"),
        (format!("{head} Acceptance: 1 Inf(0) --BODY-- State: 0 [1] 0 --END--"), "unknown proposition 1"),
        (format!("{head} Acceptance: 1 Inf(0) --BODY-- State: 0 [0 0 --END--"), "operator is expected"),
        (format!("{head} Acceptance: 1 Inf(0) --BODY-- State: 0 0 --END--"), "is expected"),
        (format!("{head} Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 7 --END--"), "not there"),
        (format!("{head} Acceptance: 1 Inf(0) --BODY-- State: 0 [t] 0"), "`--END--` is missing"),
        ("HOA: v2".to_owned(), "begins with"),
        (String::new(), "begins with"),
    ] {
        let found = read(&text).expect_err("it is wrong");
        assert!(found.contains(complaint), "{text}: {found}");
    }
}
