//! Strategies as programs: C, Rust, Python and Verilog.
//!
//! A strategy sets its signals before it reads, so every program has two operations: what is set now, and a step on what was
//! read. The programs can be run by themselves: they print what they set as a line of 0 and 1, read a line of what they read,
//! and so on until the input ends; signals stand in the order of the comment at the top. What a strategy leaves free is 0.

use std::fmt::Write;

use crate::machine::Machine;
use omega::{AtomId, Formulas};

/// A programming language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// Rust.
    Rust,
    /// Python 3.
    Python,
    /// Verilog 2001.
    Verilog,
}

impl Language {
    /// The languages by name, with the extension of their files.
    pub const ALL: [(&'static str, Language, &'static str); 4] = [
        ("c", Language::C, "c"),
        ("rust", Language::Rust, "rs"),
        ("python", Language::Python, "py"),
        ("verilog", Language::Verilog, "v"),
    ];
}

/// A strategy as a program called `name`.
pub fn program(machine: &Machine, formulas: &Formulas, name: &str, language: Language) -> String {
    let names = Names::new(machine, formulas);
    let name = identifier(name);
    match language {
        Language::C => c(machine, &names, &name),
        Language::Rust => rust(machine, &names),
        Language::Python => python(machine, &names),
        Language::Verilog => verilog(machine, &names, &name),
    }
}

/// Identifiers that are good in every language, all different.
struct Names {
    by_atom: Vec<(AtomId, String)>,
    heading: String,
}

fn identifier(text: &str) -> String {
    let mut word: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if !word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        word.insert(0, 's');
    }
    word
}

impl Names {
    fn new(machine: &Machine, formulas: &Formulas) -> Names {
        let mut by_atom: Vec<(AtomId, String)> = Vec::new();
        for &atom in machine.sets.iter().chain(&machine.reads) {
            let plain = identifier(formulas.atom_name(atom));
            // No word of any of the languages ends like this.
            let mut word = format!("{plain}_");
            let mut number = 2;
            while by_atom.iter().any(|(_, other)| *other == word) {
                word = format!("{plain}_{number}_");
                number += 1;
            }
            by_atom.push((atom, word));
        }
        let list = |atoms: &[AtomId]| -> String {
            let words: Vec<&str> = atoms.iter().map(|atom| formulas.atom_name(*atom)).collect();
            words.join(" ").replace(['\n', '\r'], " ").replace("*/", "* /")
        };
        let mut heading = format!("sets: {}; reads: {}", list(&machine.sets), list(&machine.reads));
        for state in 0..machine.states.len() {
            let set = machine.sets_in(state);
            let free: Vec<AtomId> =
                machine.sets.iter().copied().filter(|atom| !set.iter().any(|(own, _)| own == atom)).collect();
            if !free.is_empty() {
                heading += &format!("; free in state {state}, and 0 here: {}", list(&free));
            }
        }
        Names { by_atom, heading }
    }

    fn of(&self, atom: AtomId) -> &str {
        &self.by_atom.iter().find(|(other, _)| *other == atom).expect("every signal has a name").1
    }
}

/// What a state sets: a value for every signal, false where it is free.
fn values(machine: &Machine, state: usize) -> Vec<bool> {
    let literals = machine.sets_in(state);
    machine.sets.iter().map(|atom| literals.contains(&(*atom, true))).collect()
}

/// The guard of a move as an expression; `not` and `and` are the words of the language.
fn guard(literals: &[(AtomId, bool)], signal: impl Fn(AtomId) -> String, not: &str, and: &str, always: &str) -> String {
    let words: Vec<String> =
        literals.iter().map(|&(atom, value)| format!("{}{}", if value { "" } else { not }, signal(atom))).collect();
    if words.is_empty() { always.to_owned() } else { words.join(and) }
}

fn c(machine: &Machine, names: &Names, name: &str) -> String {
    let fields = |atoms: &[AtomId]| -> String {
        if atoms.is_empty() {
            return "    int nothing_;\n".to_owned();
        }
        atoms.iter().map(|atom| format!("    int {};\n", names.of(*atom))).collect()
    };
    let mut text = format!(
        "/* A test strategy. {} */\n#include <stdio.h>\n\nstruct {name}_sets {{\n{}}};\nstruct {name}_reads {{\n{}}};\n\n",
        names.heading,
        fields(&machine.sets),
        fields(&machine.reads)
    );
    let _ = writeln!(
        text,
        "/* What is set in a state; the first state is 0. */\nvoid {name}_set(int state, struct {name}_sets *sets) {{"
    );
    text += "    (void)sets;\n    switch (state) {\n";
    for state in 0..machine.states.len() {
        let _ = write!(text, "    case {state}:");
        for (atom, value) in machine.sets.iter().zip(values(machine, state)) {
            let _ = write!(text, " sets->{} = {};", names.of(*atom), u8::from(value));
        }
        text += " break;\n";
    }
    text += "    }\n}\n\n";
    let _ = writeln!(
        text,
        "/* The next state. */\nint {name}_next(int state, const struct {name}_reads *reads) {{\n    (void)reads;\n    switch (state) {{"
    );
    for (number, state) in machine.states.iter().enumerate() {
        let _ = writeln!(text, "    case {number}:");
        for taken in &state.moves {
            let guard = guard(&taken.guard, |atom| format!("reads->{}", names.of(atom)), "!", " && ", "1");
            let _ = writeln!(text, "        if ({guard}) return {};", taken.target);
        }
        text += "        break;\n";
    }
    text += "    }\n    return state;\n}\n\n";
    let _ = writeln!(
        text,
        "#ifndef NO_MAIN\nint main(void) {{\n    char line[4096];\n    int state = 0;\n    struct {name}_sets sets = {{0}};\n    struct {name}_reads reads = {{0}};\n    for (;;) {{\n        {name}_set(state, &sets);"
    );
    for atom in &machine.sets {
        let _ = writeln!(text, "        putchar('0' + sets.{});", names.of(*atom));
    }
    text +=
        "        putchar('\\n');\n        fflush(stdout);\n        if (!fgets(line, sizeof line, stdin)) return 0;\n";
    for (place, atom) in machine.reads.iter().enumerate() {
        let _ = writeln!(text, "        reads.{} = line[{place}] == '1';", names.of(*atom));
    }
    let _ = writeln!(text, "        state = {name}_next(state, &reads);\n    }}\n}}\n#endif");
    text
}

fn rust(machine: &Machine, names: &Names) -> String {
    let (sets, reads) = (machine.sets.len(), machine.reads.len());
    let mut text = format!(
        "//! A test strategy. {}\n\n/// What is set in a state; the first state is 0.\npub fn set(state: usize) -> [bool; {sets}] {{\n    match state {{\n",
        names.heading
    );
    for state in 0..machine.states.len() {
        let row: Vec<String> = values(machine, state).iter().map(bool::to_string).collect();
        let _ = writeln!(text, "        {state} => [{}],", row.join(", "));
    }
    let _ = write!(
        text,
        "        _ => [false; {sets}],\n    }}\n}}\n\n/// The next state.\npub fn next(state: usize, reads: [bool; {reads}]) -> usize {{\n    let [{}] = reads;\n    match state {{\n",
        machine.reads.iter().map(|atom| names.of(*atom)).collect::<Vec<_>>().join(", ")
    );
    for (number, state) in machine.states.iter().enumerate() {
        for taken in &state.moves {
            let guard = guard(&taken.guard, |atom| names.of(atom).to_owned(), "!", " && ", "true");
            let _ = writeln!(text, "        {number} if {guard} => {},", taken.target);
        }
    }
    let _ = write!(
        text,
        "        other => other,\n    }}\n}}\n\n#[allow(dead_code)]\nfn main() {{\n    let mut state = 0;\n    loop {{\n        let line: String = set(state).iter().map(|value| if *value {{ '1' }} else {{ '0' }}).collect();\n        println!(\"{{line}}\");\n        let mut line = String::new();\n        if std::io::stdin().read_line(&mut line).unwrap_or(0) == 0 {{\n            return;\n        }}\n        let mut reads = [false; {reads}];\n        for (value, sign) in reads.iter_mut().zip(line.bytes()) {{\n            *value = sign == b'1';\n        }}\n        state = next(state, reads);\n    }}\n}}\n"
    );
    // Names in the style of the language would need rules of their own.
    text.replacen("\n\n", "\n#![allow(non_snake_case, unused_variables)]\n\n", 1)
}

fn python(machine: &Machine, names: &Names) -> String {
    let mut text =
        format!("\"\"\"A test strategy. {}\"\"\"\nimport sys\n\nSETS = [\n", names.heading.replace(['\\', '"'], "'"));
    for state in 0..machine.states.len() {
        let row: Vec<&str> = values(machine, state).iter().map(|value| if *value { "1" } else { "0" }).collect();
        let _ = writeln!(text, "    ({}{}),", row.join(", "), if row.len() == 1 { "," } else { "" });
    }
    text += "]\n\n\ndef next_state(state, reads):\n    \"\"\"The next state; the first state is 0, and SETS says what is set in each.\"\"\"\n";
    if !machine.reads.is_empty() {
        let list: Vec<&str> = machine.reads.iter().map(|atom| names.of(*atom)).collect();
        let _ = writeln!(text, "    {}{} = reads", list.join(", "), if list.len() == 1 { "," } else { "" });
    }
    for (number, state) in machine.states.iter().enumerate() {
        let _ = writeln!(text, "    if state == {number}:");
        for taken in &state.moves {
            let guard = guard(&taken.guard, |atom| names.of(atom).to_owned(), "not ", " and ", "True");
            let _ = writeln!(text, "        if {guard}:\n            return {}", taken.target);
        }
    }
    let _ = write!(
        text,
        "    return state\n\n\nif __name__ == \"__main__\":\n    state = 0\n    while True:\n        print(\"\".join(map(str, SETS[state])), flush=True)\n        line = sys.stdin.readline()\n        if not line:\n            break\n        state = next_state(state, [sign == \"1\" for sign in line.rstrip(\"\\n\")[:{0}].ljust({0}, \"0\")])\n",
        machine.reads.len()
    );
    text
}

fn verilog(machine: &Machine, names: &Names, name: &str) -> String {
    let bits = (usize::BITS - machine.states.len().saturating_sub(1).leading_zeros()).max(1);
    let ports: Vec<String> = machine
        .reads
        .iter()
        .map(|atom| format!("    input wire {}", names.of(*atom)))
        .chain(machine.sets.iter().map(|atom| format!("    output reg {}", names.of(*atom))))
        .collect();
    let mut text = format!(
        "// A test strategy. {}\nmodule {name} (\n    input wire clock,\n    input wire reset,\n{}\n);\n    reg [{}:0] state;\n\n    always @* begin\n",
        names.heading,
        ports.join(",\n"),
        bits - 1
    );
    for atom in &machine.sets {
        let _ = writeln!(text, "        {} = 1'b0;", names.of(*atom));
    }
    text += "        case (state)\n";
    for state in 0..machine.states.len() {
        let _ = write!(text, "            {bits}'d{state}: begin");
        for (atom, value) in machine.sets.iter().zip(values(machine, state)) {
            let _ = write!(text, " {} = 1'b{};", names.of(*atom), u8::from(value));
        }
        text += " end\n";
    }
    text += "            default: ;\n        endcase\n    end\n\n    always @(posedge clock)\n        if (reset) state <= 0;\n        else case (state)\n";
    for (number, state) in machine.states.iter().enumerate() {
        let _ = writeln!(text, "            {bits}'d{number}: begin");
        for (place, taken) in state.moves.iter().enumerate() {
            let guard = guard(&taken.guard, |atom| names.of(atom).to_owned(), "!", " && ", "1'b1");
            let word = if place == 0 { "if" } else { "else if" };
            let _ = writeln!(text, "                {word} ({guard}) state <= {bits}'d{};", taken.target);
        }
        text += "            end\n";
    }
    text += "            default: state <= 0;\n        endcase\nendmodule\n";
    text
}
