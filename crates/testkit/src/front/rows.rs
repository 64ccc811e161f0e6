//! The languages, each with a small specification and every option that shapes how it is read.

use super::hard;

/// A language in the conformance suite.
pub struct Row {
    /// What it is called.
    pub language: &'static str,
    /// The files, by name.
    pub files: &'static [(&'static str, &'static str)],
    /// The main file.
    pub main: &'static str,
    /// Options that shape reading, goals or tests.
    pub options: &'static [&'static str],
    /// Those of them that take a value and can be left out, each of which the record must remember.
    pub shaping: &'static [&'static str],
    /// Options of other languages.
    pub foreign: &'static [&'static str],
    /// A specification whose search takes longer than anybody waits.
    pub slow: Slow,
    /// A specification with an expression in a given number of parentheses.
    pub nested: fn(usize) -> String,
    /// How deep expressions may be nested, as the book says.
    pub depth: usize,
}

/// A specification whose search takes long.
pub struct Slow {
    /// Its text.
    pub text: fn() -> String,
    /// The options of `generate`.
    pub options: &'static [&'static str],
}

/// Every language.
pub fn rows() -> Vec<Row> {
    vec![
        Row {
            language: "boolean",
            files: &[("policy.bool", POLICY)],
            main: "policy.bool",
            options: &[
                "--decision",
                "invite",
                "--criterion",
                "condition-decision",
                "--conditions",
                "variable",
                "--seed",
                "3",
            ],
            shaping: &["--decision", "--criterion", "--conditions", "--seed"],
            foreign: &[
                "--engine explicit",
                "--unwind 3",
                "--ticks 3",
                "--keep a",
                "--mutation-step 1",
                "--parameter n=1",
            ],
            slow: Slow { text: hard::decision, options: &["--criterion", "unique-cause-mcdc"] },
            nested: hard::nested_decision,
            depth: 100_000,
        },
        Row {
            language: "smt-lib",
            files: &[("two.smt2", TWO)],
            main: "two.smt2",
            options: &[],
            shaping: &[],
            foreign: &["--query x", "--generalize"],
            slow: Slow { text: hard::script, options: &["--criterion", "unique-cause-mcdc"] },
            nested: hard::nested_script,
            depth: 100_000,
        },
        Row {
            language: "action systems",
            files: &[("events.pl", EVENTS), ("wrong/first.pl", FIRST), ("wrong/second.pl", SECOND)],
            main: "events.pl",
            options: &["--mutants", "wrong", "--states", "1000"],
            shaping: &["--mutants", "--states"],
            foreign: &["--unwind 3", "--boundary", "--strategy hard", "--set a=1"],
            slow: Slow { text: hard::model, options: &["--engine", "explicit"] },
            nested: hard::nested_model,
            depth: 200,
        },
        Row {
            language: "signal temporal logic",
            files: &[("stay.stl", STAY)],
            main: "stay.stl",
            options: &["--decision", "fast", "--mutation-step", "2", "--criterion", "mutation"],
            shaping: &["--decision", "--mutation-step"],
            foreign: &["--boundary", "--conditions variable", "--library", "--link x.c"],
            slow: Slow { text: hard::signals, options: &[] },
            nested: hard::nested_signals,
            depth: 100_000,
        },
        Row {
            language: "TeSSLa",
            files: &[("main.tessla", MAIN), ("lib/above.tessla", ABOVE)],
            main: "main.tessla",
            options: &["--time-unit", "ms", "--bound", "4"],
            shaping: &["--bound"],
            foreign: &["--boundary", "--operators all", "--states 3", "--query x"],
            slow: Slow { text: hard::streams, options: &["--bound", "6"] },
            nested: hard::nested_streams,
            depth: 1_500,
        },
        Row {
            language: "linear temporal logic",
            files: &[("echo.ltl", ECHO), ("sides.part", SIDES), ("echo.circuit", CIRCUIT)],
            main: "echo.ltl",
            options: &["--partition", "sides.part", "--criterion", "stuck-at", "--reference", "echo.circuit"],
            shaping: &["--criterion", "--reference"],
            foreign: &["--boundary", "--conflicts 3", "--strategy soft", "--parameter n=1"],
            slow: Slow { text: hard::arbiter, options: &["--criterion", "stuck-at"] },
            nested: hard::nested_formula,
            depth: 100_000,
        },
        Row {
            language: "TLSF",
            files: &[("k.tlsf", K)],
            main: "k.tlsf",
            options: &["--parameter", "n=2", "--criterion", "stuck-at"],
            shaping: &["--parameter"],
            foreign: &["--partition x", "--unwind 3"],
            slow: Slow { text: hard::tlsf_arbiter, options: &["--criterion", "stuck-at"] },
            nested: hard::nested_tlsf,
            depth: 100_000,
        },
        Row {
            language: "C",
            files: &[
                ("src/a.c", A),
                ("src/own.h", "int limit(int x);\n"),
                ("other/b.c", B),
                ("include/shared.h", "#define LEAST 3\n"),
                ("goals.fql", "cover edges(@BASICBLOCKENTRY)\n"),
            ],
            main: "src/a.c",
            options: &[
                "--function",
                "f",
                "--link",
                "other/b.c",
                "-I",
                "include",
                "-D",
                "MOST=9",
                "--query-file",
                "goals.fql",
            ],
            shaping: &["--function", "--query-file"],
            foreign: &["--boundary", "--bound 3", "--strategy hard", "--mutants x", "--generalize"],
            slow: Slow { text: hard::hash, options: &["--function", "f"] },
            nested: hard::nested_program,
            depth: 2_000,
        },
    ]
}

const POLICY: &str = "input age: int in 0..120;\ninput exp: int in 0..60;\n\
    decision other = age > 3;\ndecision invite = age > 21 && (exp >= 3 || age > 60);\ndecision last = exp > 5;\n";

const TWO: &str = "(declare-const a Bool)\n(declare-const x Int)\n(assert (or a (> x 3)))\n(assert (< x 10))\n";

const EVENTS: &str = "searchDepth(10).\nvar([x], bool).\nvar([y], bool).\nstate_def([x, y]).\ninit([0, 0]).\ninput([]).\n\
    as :- methods(none),\n actions('event1' :: (y #< 1) => (x := 1), 'event2' :: (x #< 1) => (y := 1)),\n \
    dood('event1' ; 'event2'),\n qdes(none).\ntype(bool, X) :- X in 0..1, labeling([],[X]).\n";

const FIRST: &str = "searchDepth(10).\nvar([x], bool).\nvar([y], bool).\nstate_def([x, y]).\ninit([0, 0]).\ninput([]).\n\
    as :- methods(none),\n actions('event1' :: (y #=< 1) => (x := 1), 'event2' :: (x #< 1) => (y := 1)),\n \
    dood('event1' ; 'event2'),\n qdes(none).\ntype(bool, X) :- X in 0..1, labeling([],[X]).\n";

const SECOND: &str = "searchDepth(10).\nvar([x], bool).\nvar([y], bool).\nstate_def([x, y]).\ninit([0, 0]).\ninput([]).\n\
    as :- methods(none),\n actions('event1' :: (y #< 1) => (x := 1), 'event2' :: (x #=< 1) => (y := 1)),\n \
    dood('event1' ; 'event2'),\n qdes(none).\ntype(bool, X) :- X in 0..1, labeling([],[X]).\n";

const STAY: &str = "let fast = F[0,4] v > 100;\nlet slow = G[0,2] v < 10;\nfast -> !slow\n";

const MAIN: &str = "include \"lib/above.tessla\"\n\nin x: Events[Int]\n\ndef high = above(x)\n\nout high\n";

const ABOVE: &str = "def above(v: Events[Int]): Events[Bool] = v > 12 && v < 70\n";

const ECHO: &str = "G ((i <-> X !i) -> X o)\n";

const SIDES: &str = ".inputs i\n.outputs o\n";

const CIRCUIT: &str = "input i;\noutput o;\nregister was = false, running = false;\nlet o = running & (i xor was);\n\
    next was = i;\nnext running = true;\n";

const K: &str = "INFO { TITLE: \"k\" DESCRIPTION: \"k\" SEMANTICS: Mealy TARGET: Mealy }\n\
    GLOBAL { PARAMETERS { n = 1; } }\n\
    MAIN { INPUTS { s; r; } OUTPUTS { g; h; }\n  \
    GUARANTEES { &&[2 <= i <= n] G ((s && X (!s)) -> X X g); G (r <-> X h); } }\n";

const A: &str = "#include <stdlib.h>\n#include <shared.h>\n#include \"own.h\"\n\n\
    int f(int x)\n{\n  if (abs(x) < LEAST)\n    return 0;\n  if (limit(x))\n    return 1;\n  return 2;\n}\n";

const B: &str = "int limit(int x)\n{\n  return x > MOST && x < MOST + 5;\n}\n";
