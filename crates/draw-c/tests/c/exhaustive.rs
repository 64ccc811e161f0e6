//! Random programs with few inputs, all of which are run by the system's compiler: what is covered must happen there, and what is
//! called impossible must not.
//!
//! Every block of a program calls `hit` with a number of its own. The compiled program forks for each pair of inputs, since an
//! assertion or an error call may end it. `SPECIMEN_EXHAUSTIVE` says how many programs are tried, `SPECIMEN_SEED` where to begin.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use search::Options;
use testcase::GoalStatus;

/// So many programs from any seed say how much is left open.
const ENOUGH: u64 = 100;

/// Each of two inputs has so many values.
const VALUES: u32 = 8;

/// How claims begin that hold for one call of a function with static variables.
pub(super) const ONE_CALL: &str = "in one call from the initial state";

#[test]
fn claims_about_random_programs_agree_with_all_inputs() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    let (first, count) = (super::number("SPECIMEN_SEED", 1), super::number("SPECIMEN_EXHAUSTIVE", 12));
    let mut counts = [0usize; 4];
    for seed in first..first + count {
        let small = Small::new(seed).program();
        let seen = compiled(&small.text, small.hits);
        let options = Options { attacks: 50, seed, minimize: false, ..Options::default() };
        // Both ways to find tests: by the solver alone, and with runs.
        let case = super::Case { hybrid: seed.is_multiple_of(2), most_calls: 1, ..super::case(&small.text, "f") };
        let (subject, outcome) = match case.run("cover @CALL(hit)", options) {
            Ok(found) => found,
            Err(error) => panic!("seed {seed}: {error}\n{}", small.text),
        };
        for (goal, status) in search::Subject::goals(&subject).iter().zip(&outcome.statuses) {
            let line = goal.location.as_ref().expect("calls have places").line;
            let text = small.text.lines().nth(line as usize - 1).expect("the line is there");
            let hit = text.split("hit(").nth(1).and_then(|rest| rest.split(')').next()?.parse::<usize>().ok());
            let happens = seen[hit.expect("the line calls hit")];
            let agrees = match status {
                GoalStatus::Covered => happens,
                GoalStatus::Infeasible(_) => !happens,
                // Every input is tried in a process of its own: there is one call.
                GoalStatus::InfeasibleUpTo(terms) if terms.starts_with(ONE_CALL) => !happens,
                _ => true,
            };
            assert!(agrees, "seed {seed}: {} is {status:?}, compiled {happens}\n{}", goal.label, small.text);
            counts[match status {
                GoalStatus::Covered => 0,
                GoalStatus::Infeasible(_) => 1,
                GoalStatus::InfeasibleUpTo(terms) if terms.starts_with(ONE_CALL) => 1,
                GoalStatus::InfeasibleUpTo(_) => 2,
                _ => 3,
            }] += 1;
        }
    }
    let [covered, infeasible, ..] = counts;
    assert!(0 < covered && 0 < infeasible, "{counts:?}");
    // Memory that is not followed and recursion beyond the bounds may leave some open; a few programs from anywhere say nothing.
    let enough = ENOUGH <= count || std::env::var_os("SPECIMEN_SEED").is_none();
    assert!(!enough || (counts[2] + counts[3]) * 3 <= covered + infeasible, "too much is left open: {counts:?}");
    eprintln!(
        "{count} programs from seed {first}: {covered} goals covered, {infeasible} infeasible, {} left",
        counts[2] + counts[3]
    );
}

/// Which numbers are hit for some inputs.
fn compiled(text: &str, hits: usize) -> Vec<bool> {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, file) = (folder.path().join("program"), folder.path().join("program.c"));
    let driver = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/mman.h>\n#include <sys/wait.h>\n\
         static unsigned char *seen;\nvoid hit(int at) {{ seen[at] = 1; }}\nvoid fail(int why) {{ _exit(why); }}\n\
         void assert(int holds) {{ if (!holds) _exit(6); }}\n\
         int main(void) {{\n  seen = mmap(0, {hits} + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n\
         for (int a = 0; a < {VALUES}; a++) for (int b = 0; b < {VALUES}; b++) {{\n\
         if (fork() == 0) {{ f(a, b); _exit(0); }}\n int status; wait(&status); if (WIFSIGNALED(status)) return 1; if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return 1; }}\n\
         for (int at = 0; at < {hits}; at++) putchar(seen[at] ? '1' : '0');\n  return 0;\n}}\n"
    );
    std::fs::write(&file, format!("{text}{driver}")).expect("written");
    let sanitisers = "-fsanitize=undefined,address";
    let made = Command::new("cc")
        .args(["-w", "-O1", "-fno-builtin", sanitisers, "-fno-sanitize-recover=all", "-o"])
        .args([program.as_path(), file.as_path()])
        .output()
        .expect("cc runs");
    assert!(made.status.success(), "{}\n{text}", String::from_utf8_lossy(&made.stderr));
    let output = Command::new(Path::new(&program)).env("ASAN_OPTIONS", "detect_leaks=0").output().expect("it runs");
    assert!(output.status.success(), "undefined behaviour: {}\n{text}", String::from_utf8_lossy(&output.stderr));
    output.stdout.iter().map(|letter| *letter == b'1').collect()
}

/// A program, and how many places of it call `hit`.
pub(super) struct Written {
    pub(super) text: String,
    hits: usize,
}

/// Writes programs of unsigned numbers, in which nothing is undefined.
pub(super) struct Small {
    state: u64,
    text: String,
    hits: usize,
    names: usize,
    depth: u32,
}

impl Small {
    pub(super) fn new(seed: u64) -> Small {
        Small {
            state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ 0x5eed,
            text: String::new(),
            hits: 0,
            names: 0,
            depth: 0,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 31)) % bound
    }

    pub(super) fn program(mut self) -> Written {
        self.text.push_str(
            "void hit(int); void fail(int) __attribute__((noreturn)); void assert(int);\n\
             struct pair { unsigned char left; unsigned right : 5; unsigned short more[2]; };\n\
             union mix { unsigned word; unsigned char bytes[4]; };\n\
             static unsigned g, kept[4] = {1, 2, 5, 9}; static struct pair held = {3, 4, {5, 6}};\n\
             static void note(unsigned what) {\n  if (what == 5) {\n",
        );
        self.hit();
        self.text.push_str("    g += 3;\n  } else g ^= what & 3;\n}\n");
        self.text.push_str("static void check(int holds, int why) {\n  if (!holds) {\n");
        self.hit();
        self.text
            .push_str("    fail(why);\n  }\n}\nstatic unsigned down(unsigned n) {\n  if (n == 0)\n    return 1;\n");
        self.hit();
        self.text.push_str(
            "  return n + down(n - 1);\n}\nstatic unsigned once(unsigned n) { static unsigned last = 2; unsigned old = last; last = n & 7; return old; }\n\
             static unsigned same(unsigned n) { return n; }\n\
             unsigned f(unsigned char a, unsigned char b) {\n  a &= 7; b &= 7;\n\
             unsigned x = a, y = 1; unsigned char c = b; union mix m; unsigned *p = &x; unsigned (*call)(unsigned) = same; m.word = 0x10203u;\n",
        );
        for _ in 0..5 + self.below(4) {
            self.statement();
        }
        self.hit();
        self.text.push_str("  return x + y;\n}\n");
        Written { text: self.text, hits: self.hits }
    }

    fn hit(&mut self) {
        let _ = writeln!(self.text, "hit({});", self.hits);
        self.hits += 1;
    }

    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn name(&mut self) -> usize {
        self.names += 1;
        self.names
    }

    fn block(&mut self) {
        self.depth += 1;
        self.hit();
        for _ in 0..1 + self.below(2) {
            self.statement();
        }
        self.depth -= 1;
    }

    fn statement(&mut self) {
        let choice = if 2 < self.depth { self.below(9) } else { self.below(14) };
        let (value, more, n) = (self.value(2), self.value(1), self.name());
        match choice {
            0 | 1 => {
                let target = self.target();
                self.line(&format!("{target} = {value};"));
            }
            2 => self.line(&format!("note({value} & 7); unsigned k{n}; k{n} = {more}; x ^= k{n};")),
            3 => self.line(&format!(
                "{{ unsigned s{n} = {value}; {{ unsigned x = s{n}; y += x; {{ unsigned char y = 3; g ^= y; }} }} }}"
            )),
            4 => self.line("{ void *any = p; y ^= *(unsigned *)any; p = any == (void *)&x ? &y : &x; }"),
            5 => match self.below(3) {
                0 => self.line(&format!("assert(({value}) % 11 != 7);")),
                1 => self.line(&format!("check(({value}) % 13 != 4, 9);")),
                _ => self.line(&format!("x += once({value}) + down(({more}) & 3);")),
            },
            6 => self.line(&format!("m.word ^= {value}; y += m.bytes[({more}) & 3];")),
            7 => self.line(&format!(
                "{{ struct pair t = held; t.right += {value}; t.more[({more}) & 1]++; held = t; x ^= t.right; }}"
            )),
            8 => self.line(&format!("call = ({value}) & 1 ? same : down; y ^= call(({more}) & 3);")),
            9 | 10 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) {{"));
                self.block();
                if self.below(2) == 0 {
                    self.line("} else {");
                    self.block();
                }
                self.line("}");
            }
            11 => {
                let condition = self.condition();
                self.line(&format!("for (unsigned i{n} = 0; i{n} < 3 && ({condition}); i{n}++) {{"));
                self.block();
                let condition = self.condition();
                let jump = ["break", "continue"][self.below(2) as usize];
                self.line(&format!("if ({condition}) {jump};"));
                self.block();
                self.line("}");
            }
            12 => {
                let condition = self.condition();
                self.line(&format!("if ({condition}) goto past{n};"));
                self.line(&format!("{{ unsigned h = {value}; if (h > 3) goto past{n}; y = h;"));
                self.block();
                self.line(&format!("}} past{n}:;"));
            }
            _ => {
                self.line(&format!("switch (({value}) & 3) {{\ncase 0:"));
                self.block();
                self.line("break;\ncase 2:");
                self.block();
                self.line("default:");
                self.block();
                self.line("}");
            }
        }
    }

    fn target(&mut self) -> String {
        ["x", "y", "c", "g", "*p", "kept[a & 3]", "held.left", "held.more[1]"][self.below(8) as usize].to_owned()
    }

    fn value(&mut self, depth: u32) -> String {
        if depth == 0 || self.below(4) == 0 {
            let names = ["a", "b", "x", "y", "c", "g", "*p", "kept[b & 3]", "held.left", "held.right", "m.bytes[1]"];
            return match self.below(4) {
                0 => format!("{}u", self.below(12)),
                _ => names[self.below(names.len() as u64) as usize].to_owned(),
            };
        }
        let (left, right) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(8) {
            0 | 1 => format!("({left} + 0u + {right})"),
            2 => format!("({left} + 0u - {right})"),
            3 => format!("({left} ^ {right})"),
            4 => format!("({left} & {right})"),
            5 => format!("({left} * 3u % 16u)"),
            6 => format!("({left} >> ({right} & 3))"),
            _ => format!("({left} < {right} ? {left} : {right} & 7)"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.value(1), self.value(0));
        let operator = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        match self.below(4) {
            0 => format!("{left} {operator} {right} && {} > 4", self.value(1)),
            1 => format!("{left} {operator} {right} || !({})", self.value(0)),
            _ => format!("{left} {operator} {right}"),
        }
    }
}
