//! Random functions that remember what happened, and functions that are given functions, against all that can be done with them: short
//! sequences of calls with all arguments, and all functions that fit, run by the system's compiler.
//!
//! `SPECIMEN_CALLS` says how many programs of each kind are tried, `SPECIMEN_SEED` where to begin.

use std::fmt::Write;
use std::process::Command;

use search::{Options, Subject};
use testcase::GoalStatus;

/// Programs of each kind per run of the tests.
const PROGRAMS: u64 = 6;

/// Sequences have at most so many calls.
const LONGEST: u32 = 4;

fn has_compiler() -> bool {
    let found = Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("skipped: cc is not installed");
    }
    found
}

struct Text {
    state: u64,
    text: String,
    hits: usize,
}

impl Text {
    fn new(seed: u64) -> Text {
        Text { state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0xca11_5eed, text: String::new(), hits: 0 }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn one(&mut self, from: &[&'static str]) -> &'static str {
        from[self.below(from.len() as u64) as usize]
    }

    fn hit(&mut self) {
        let _ = writeln!(self.text, "  hit({});", self.hits);
        self.hits += 1;
    }

    /// A function that remembers: its argument has four values.
    fn remembering(mut self) -> Text {
        self.text.push_str(
            "void hit(int);\nstatic unsigned char state, count; static unsigned last = 2, ring[3], at; struct { unsigned seen : 3; int low; } kept;\n\
             static const unsigned char *where; static const unsigned char marks[4] = { 1, 0, 3, 2 };\n\
             static void note(unsigned v) { static unsigned notes; notes += v & 1; if (notes > 2) {\n",
        );
        self.hit();
        self.text.push_str("  kept.low ^= 1; } }\nint f(unsigned a)\n{\n  a &= 3;\n");
        for _ in 0..3 + self.below(3) {
            self.step(0);
        }
        self.text.push_str("  last = a;\n  return (int)(state + last);\n}\n");
        self
    }

    fn value(&mut self) -> &'static str {
        self.one(&[
            "a",
            "state",
            "count",
            "last",
            "ring[a % 3]",
            "ring[at % 3]",
            "kept.seen",
            "1u",
            "2u",
            "3u",
            "(a + last) % 4",
            "marks[a]",
        ])
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.value(), self.value());
        let operator = self.one(&["==", "!=", "<", ">", "<=", ">="]);
        match self.below(5) {
            0 => format!("where && *where == {right}"),
            1 => format!("{left} {operator} {right} && {} == {}", self.value(), self.below(4)),
            2 => format!("kept.low == {}", self.below(4)),
            _ => format!("{left} {operator} {right}"),
        }
    }

    fn step(&mut self, depth: u32) {
        let (value, other) = (self.value(), self.value());
        let (condition, small) = (self.condition(), self.below(4));
        match self.below(if 1 < depth { 7 } else { 10 }) {
            0 => drop(writeln!(self.text, "  state = (unsigned char)({value}) % 5;")),
            1 => drop(writeln!(self.text, "  count += ({condition});")),
            2 => drop(writeln!(self.text, "  ring[at++ % 3] = {value};")),
            3 => drop(writeln!(self.text, "  kept.seen += {value} & 1; kept.low = (int)({other} & 3);")),
            4 => drop(writeln!(self.text, "  note({value});")),
            5 => drop(writeln!(
                self.text,
                "  {{ static unsigned own = 1; own = own * 2 % 8; if (own == {small}) count ^= 1; }}"
            )),
            6 => drop(writeln!(self.text, "  where = ({condition}) ? &marks[{value} % 4] : where;")),
            7 => {
                let _ = writeln!(
                    self.text,
                    "  switch (state) {{ case 0: if ({condition}) state = 1; break;\n  case 1: if (a == {small}) {{"
                );
                self.hit();
                let _ = writeln!(self.text, "  state = 2; }} else state = 0; break;\n  case 2: if (last == a) {{");
                self.hit();
                let _ = writeln!(self.text, "  state = 3; }} break;\n  default:");
                self.hit();
                self.text.push_str("  }\n");
            }
            _ => {
                let _ = writeln!(self.text, "  if ({condition}) {{");
                self.hit();
                self.step(depth + 1);
                self.text.push_str("  }\n");
            }
        }
    }

    /// A function that is given functions: its other argument has four values.
    fn given(mut self) -> Text {
        self.text.push_str(
            "void hit(int);\nstatic int up(int n) { return (n + 1) & 3; }\nint keep(int n) { return n; }\nvoid tell(int n) { if (n == 2)\n",
        );
        self.hit();
        self.text.push_str("}\nstruct ops { int (*first)(int); void (*say)(int); };\nint f(int a, int (*op)(int), void (*say)(int))\n{\n  a &= 3; int r = 1;\n");
        for _ in 0..3 + self.below(3) {
            let (value, compared) = (self.one(&["a", "r", "1", "(a ^ r)", "(a + 2) & 3"]), self.below(5));
            let condition = match self.below(7) {
                0 => "op".to_owned(),
                1 => format!("op && (op({value}) & 3) == {compared}"),
                2 => format!("op == {}", self.one(&["up", "keep", "0"])),
                3 => format!("say == tell || {value} == {compared}"),
                4 => format!("op && (r = op({value}) & 3) > a"),
                5 => format!("op && op != keep && (op(a) & 3) == ({value} & 3)"),
                _ => format!("r == {compared}"),
            };
            let _ = writeln!(self.text, "  if ({condition}) {{");
            self.hit();
            match self.below(4) {
                0 => drop(writeln!(self.text, "  if (say) say({value});")),
                1 => drop(writeln!(
                    self.text,
                    "  {{ struct ops all = {{ op, say }}; if (all.first) r = all.first({value}) & 3; }}"
                )),
                2 => drop(writeln!(self.text, "  r = (op ? op : up)({value}) & 3;")),
                _ => drop(writeln!(self.text, "  r ^= {value};")),
            }
            self.text.push_str("  }\n");
        }
        self.hit();
        self.text.push_str("  return r;\n}\n");
        self
    }

    /// What a compiled program says with a driver behind it, one character for each hit.
    fn compiled(&self, driver: &str) -> Vec<u8> {
        let folder = tempfile::tempdir().expect("a folder");
        let (program, file) = (folder.path().join("program"), folder.path().join("program.c"));
        let head = format!(
            "#include <stdio.h>\n#include <unistd.h>\n#include <sys/mman.h>\n#include <sys/wait.h>\nenum {{ HITS = {} }};\n\
             static unsigned char *seen; static int now;\n\
             void hit(int at) {{ if (!seen[at] || now < seen[at]) seen[at] = now; }}\n\
             static void made(void) {{ seen = mmap(0, HITS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); }}\n\
             static int told(void) {{ for (int at = 0; at < HITS; at++) putchar('0' + seen[at]); return 0; }}\n",
            self.hits
        );
        std::fs::write(&file, format!("{}{head}{driver}", self.text)).expect("written");
        let made = Command::new("cc").args(["-w", "-O0", "-o"]).args([&program, &file]).output().expect("cc runs");
        assert!(made.status.success(), "{}\n{}", String::from_utf8_lossy(&made.stderr), self.text);
        let said = Command::new(&program).output().expect("it runs").stdout;
        assert_eq!(said.len(), self.hits, "{}", self.text);
        said.iter().map(|letter| letter - b'0').collect()
    }

    /// The place that a goal is about.
    fn place(&self, line: u32) -> usize {
        let text = self.text.lines().nth(line as usize - 1).expect("the line is there");
        let hit = text.split("hit(").nth(1).and_then(|rest| rest.split(')').next()?.parse().ok());
        hit.expect("the line calls hit")
    }
}

/// Up to how many calls a claim goes.
fn calls_of(terms: &str) -> Option<u32> {
    let rest = terms.strip_prefix("in up to ").or_else(|| terms.strip_prefix("in "))?;
    let word = rest.split(' ').next()?;
    if word == "one" { Some(1) } else { word.parse().ok() }
}

#[test]
fn claims_about_sequences_agree_with_all_short_ones() {
    if !has_compiler() {
        return;
    }
    let driver = format!(
        "int main(void) {{\n  made();\n  for (int length = 1; length <= {LONGEST}; length++) for (int code = 0; code < 1 << 2 * length; code++) {{\n\
         if (fork() == 0) {{ for (now = 1; now <= length; now++) f(code >> 2 * (now - 1) & 3); _exit(0); }}\n wait(0); }}\n  return told();\n}}\n"
    );
    let (mut covered, mut later, mut limited) = (0, 0, 0);
    for seed in
        super::number("SPECIMEN_SEED", 1)..super::number("SPECIMEN_SEED", 1) + super::number("SPECIMEN_CALLS", PROGRAMS)
    {
        let text = Text::new(seed).remembering();
        let seen = text.compiled(&driver);
        let options = Options { attacks: 50, seed, minimize: false, goal_conflicts: Some(5_000), ..Options::default() };
        let case = super::Case { hybrid: seed.is_multiple_of(2), ..super::case(&text.text, "f") };
        let (subject, outcome) =
            case.run("cover @CALL(hit)", options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text.text));
        for (goal, status) in subject.goals().iter().zip(&outcome.statuses) {
            let first = seen[text.place(goal.location.as_ref().expect("calls have places").line)];
            let agrees = match status {
                GoalStatus::Covered => {
                    covered += 1;
                    later += usize::from(first != 1);
                    // A longer sequence may do it, too.
                    let longest = outcome.tests.iter().map(|test| calls(&test.test().inputs)).max().unwrap_or(1);
                    first != 0 || i64::from(LONGEST) < longest
                }
                GoalStatus::Infeasible(_) => first == 0,
                GoalStatus::InfeasibleUpTo(terms) => {
                    limited += 1;
                    calls_of(terms).is_none_or(|calls| first == 0 || calls < u32::from(first))
                }
                GoalStatus::OnlyUndefined { .. } => false,
                GoalStatus::Unknown(_) => true,
            };
            assert!(agrees, "seed {seed}: {} is {status:?}, compiled from {first} calls on\n{}", goal.label, text.text);
        }
    }
    assert!(0 < covered && 0 < later && 0 < limited, "{covered} {later} {limited}");
    eprintln!("{covered} goals covered, {later} of them by several calls, {limited} limited");
}

/// How often a test calls the function.
fn calls(inputs: &testcase::Inputs) -> i64 {
    inputs.to_json().get("@calls").and_then(serde_json::Value::as_i64).unwrap_or(1)
}

#[test]
fn claims_about_given_functions_agree_with_all_that_fit() {
    if !has_compiler() {
        return;
    }
    let driver = "static int told_value, turns; static int other(int n) { int v = turns++ ? told_value >> 2 : told_value; return v & 3; }\n\
         static void quiet(int n) {}\n\
         int main(void) {\n  int (*ops[])(int) = { 0, up, keep, other }; void (*says[])(int) = { 0, tell, quiet };\n  made(); now = 1;\n\
         for (int a = 0; a < 4; a++) for (int o = 0; o < 4; o++) for (int s = 0; s < 3; s++) for (told_value = 0; told_value < (o == 3 ? 16 : 1); told_value++) {\n\
         if (fork() == 0) { turns = 0; f(a, ops[o], says[s]); _exit(0); }\n wait(0); }\n  return told();\n}\n";
    let (mut covered, mut infeasible) = (0, 0);
    for seed in
        super::number("SPECIMEN_SEED", 1)..super::number("SPECIMEN_SEED", 1) + super::number("SPECIMEN_CALLS", PROGRAMS)
    {
        let text = Text::new(seed).given();
        let seen = text.compiled(driver);
        let options = Options { attacks: 50, seed, minimize: false, goal_conflicts: Some(5_000), ..Options::default() };
        let case = super::Case { hybrid: seed.is_multiple_of(2), ..super::case(&text.text, "f") };
        let (subject, outcome) =
            case.run("cover @CALL(hit)", options).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{}", text.text));
        for (goal, status) in subject.goals().iter().zip(&outcome.statuses) {
            let happens = seen[text.place(goal.location.as_ref().expect("calls have places").line)] != 0;
            let agrees = match status {
                // A function of the outside world may return other values later than these do.
                GoalStatus::Covered => {
                    covered += 1;
                    true
                }
                GoalStatus::Infeasible(_) | GoalStatus::OnlyUndefined { .. } => {
                    infeasible += 1;
                    !happens
                }
                GoalStatus::InfeasibleUpTo(terms) => {
                    infeasible += 1;
                    terms.contains("unless") || !happens
                }
                GoalStatus::Unknown(_) => true,
            };
            assert!(agrees, "seed {seed}: {} is {status:?}, compiled {happens}\n{}", goal.label, text.text);
        }
    }
    assert!(0 < covered && 0 < infeasible, "{covered} {infeasible}");
    eprintln!("{covered} goals covered, {infeasible} not");
}
