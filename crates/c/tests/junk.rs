//! Damaged programs: whatever the text is, there is an answer and no panic.

use c::Options;
use c::interp::{Blind, Interpreter, RandomInputs, Settings};
use generator::Random;

use crate::generator;

/// Texts to start from, without directives.
fn seeds() -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c");
    let mut paths = Vec::new();
    for kind in ["accept", "run", "reject"] {
        let entries = std::fs::read_dir(folder.join(kind)).expect("the corpus is there");
        paths.extend(
            entries
                .map(|entry| entry.expect("an entry").path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "c")),
        );
    }
    paths.sort();
    let text = |path: &std::path::PathBuf| {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
        text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect::<String>()
    };
    paths.iter().map(text).filter(|text: &String| text.len() < 5000).collect()
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ";",
    ",",
    "*",
    "&",
    "int",
    "struct s",
    "union",
    "enum e {",
    "typedef",
    "static",
    "sizeof",
    "...",
    "->",
    ".",
    "=",
    "?:",
    ":",
    "0x",
    "1e",
    "'",
    "\"",
    "/*",
    "# 9 \"x.c\"\n",
    "case 1:",
    "default:",
    "goto x;",
    "x:",
    "break;",
    "-1",
    "18446744073709551616",
    "_Generic(",
    "__attribute__((",
    "\\",
    "\u{e9}",
    "({",
    "})",
    "&&",
    "||",
    "if (",
    "else",
    "while (1)",
    "for (;;)",
    "switch (1) {",
    "void",
    "char",
    "long double",
    "asm(\"\")",
    "return",
    "const",
    "int (*f)(int)",
    "unsigned a : 3;",
];

fn damaged(text: &str, random: &mut Random) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(characters.len().max(1));
        match random.below(4) {
            0 => {
                let end = (at + random.below(12)).min(characters.len());
                characters.drain(at.min(end)..end);
            }
            1 => {
                let piece = PIECES[random.below(PIECES.len())];
                let spaced: Vec<char> = format!(" {piece} ").chars().collect();
                characters.splice(at..at, spaced);
            }
            2 => {
                let end = (at + random.below(40)).min(characters.len());
                let copy: Vec<char> = characters[at.min(end)..end].to_vec();
                characters.splice(at..at, copy);
            }
            _ => {
                let other = random.below(characters.len().max(1));
                if !characters.is_empty() {
                    characters.swap(at, other);
                }
            }
        }
        if characters.is_empty() {
            characters.push(';');
        }
    }
    characters.into_iter().collect()
}

#[test]
fn damaged_programs_get_an_answer() {
    let count: u64 = std::env::var("SPECIMEN_JUNK").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let seeds = seeds();
    let mut random = Random(7);
    let (mut accepted, mut rejected) = (0, 0);
    for _ in 0..count {
        let text = damaged(&seeds[random.below(seeds.len())], &mut random);
        match c::load_text("junk.c", &text, &Options::default()) {
            Err(findings) => {
                rejected += 1;
                assert!(!findings.is_empty());
                for finding in findings {
                    let _ = source::render(&finding.source, &finding.diagnostic, source::Style::Plain);
                }
            }
            Ok(translation) => {
                accepted += 1;
                let program = &translation.program;
                let settings = Settings { steps: 2000, calls: 50, memory: 1 << 22, ..Settings::default() };
                let interpreter = Interpreter::new(program, settings);
                for (index, function) in program.functions.iter().enumerate() {
                    let id = c::program::FunctionId(index as u32);
                    let _ = program.show_function(id);
                    if function.body.is_some() {
                        interpreter.run(id, &mut RandomInputs::new(random.next()), &mut Blind);
                    }
                }
            }
        }
    }
    assert!(accepted > count / 20 && rejected > count / 20, "{accepted} accepted, {rejected} rejected");
}

#[test]
fn bytes_that_are_no_program_get_an_answer() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        ";",
        "\\",
        "'",
        "\"",
        "/*",
        "#",
        "# 1",
        "#line 4294967295 \"x\"\n int x = y;",
        "int",
        "int a[",
        "}",
        "\u{1f40c}",
        "0",
        "int x = 1e99999999;",
        "int a[99999999999999999999];",
        "struct s { struct s s; };",
        "int f() { return f; }",
        "enum { A = 9223372036854775807, B };",
        "int a[1 << 40]; int main() { return a[5]; }",
        "typedef int t; t t;",
        "int x = sizeof(struct unknown);",
        "void f(void) { f()()(); }",
        "union { int a; } u = { .b = 1 };",
        "int f(int a, int a) { return a; }",
        "char c[3] = \"abcdef\";",
        "int a[] = { [5 ... 3] = 1 };",
        "int x = ({ 1; });",
        "extern int a[]; int f(void) { return a[3]; }",
        "struct s; struct s *p; int f(void) { return *p; }",
        "int main(void) { switch (1) case 1: case 2: return 3; }",
        "int main(void) { L: L: return 0; }",
    ] {
        if let Ok(translation) = c::load_text("junk.c", text, &Options::default()) {
            let interpreter = Interpreter::new(&translation.program, Settings { steps: 100, ..Settings::default() });
            if let Some(main) = translation
                .program
                .function_named("main")
                .filter(|main| translation.program.function(*main).body.is_some())
            {
                interpreter.run(main, &mut RandomInputs::new(1), &mut Blind);
            }
        }
    }
}

/// Nearly as deep as allowed, and a hundred thousand deep: both get an answer on every path through the phases.
#[test]
fn deep_programs_get_an_answer() {
    let deep = |before: &str, open: &str, middle: &str, close: &str, after: &str, depth: usize| {
        format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth))
    };
    for depth in [3900, 100_000] {
        let texts = [
            deep("int f(int x) { return ", "(", "x", ")", "; }", depth),
            deep("int f(int x) { return ", "- ", "x", "", "; }", depth),
            deep("int f(int x) { return ", "!", "x", "", "; }", depth),
            deep("int f(int x) { return ", "(int)", "x", "", "; }", depth),
            deep("int f(int x) { return ", "x + ", "x", "", "; }", depth / 3),
            deep("int f(int x) { return ", "x && (", "x", ")", "; }", depth),
            deep("int f(int x) { return ", "x ? 1 : ", "x", "", "; }", depth / 3),
            deep("int f(int x) { return ", "x = ", "x", "", "; }", depth),
            deep("int f(int x) { return ", "f(", "x", ")", "; }", depth / 3),
            deep("int f(int x) { ", "{", ";", "}", " return x; }", depth),
            deep("int f(int x) { ", "if (x) ", ";", "", " return x; }", depth),
            deep("int f(int x) { ", "if (x) x++; else ", ";", "", " return x; }", depth / 3),
            deep("int f(int x) { ", "while (x) ", "x--;", "", " return x; }", depth / 3),
            deep("int f(int x) { return ", "({", "x;", "});", " }", depth),
            deep("int ", "*", "p", "", "; int f(void) { return p != 0; }", depth),
            deep("int ", "(", "p", ")", ";", depth),
            deep("int a", "[1]", "", "", "; int f(void) { return sizeof a; }", depth / 3),
            deep("", "struct { ", "int x;", "} m;", "", depth),
            deep("int x = ", "{", "1", "}", ";", depth),
            deep("int x = sizeof(", "int (*(", "", "))(void)", ");", depth),
        ];
        for (index, text) in texts.iter().enumerate() {
            if let Ok(translation) = c::load_text("deep.c", text, &Options::default()) {
                assert!(depth < 10_000, "case {index} is accepted {depth} deep");
                let interpreter =
                    Interpreter::new(&translation.program, Settings { steps: 2000, ..Settings::default() });
                if let Some(f) = translation.program.function_named("f") {
                    interpreter.run(f, &mut RandomInputs::new(3), &mut Blind);
                    let _ = translation.program.show_function(f);
                }
            }
        }
    }
}
