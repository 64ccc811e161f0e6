//! Random programs: what the search finds must run as it says, and what it calls impossible is attacked.

use std::fmt::Write;

use c::DataModel;
use draw_c::Encoding;
use search::{Backend, Options};
use testcase::GoalStatus;

/// Programs per run.
const PROGRAMS: u64 = 40;

#[test]
fn search_and_interpreter_agree_on_random_programs() {
    let mut statuses = [0usize; 4];
    for seed in 0..PROGRAMS {
        let text = Writer::new(seed).program();
        let case = super::case(&text, "f");
        let options = Options {
            attacks: 200,
            goal_conflicts: Some(5_000),
            minimize: false,
            seed,
            timeout: Some(std::time::Duration::from_secs(20)),
            ..Options::default()
        };
        let (_, outcome) = match case.run("cover ID", options) {
            Ok(found) => found,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        };
        for status in &outcome.statuses {
            statuses[match status {
                GoalStatus::Covered => 0,
                GoalStatus::Infeasible(_) => 1,
                GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } => 2,
                GoalStatus::Unknown(_) => 3,
            }] += 1;
        }
    }
    let [covered, infeasible, bounded, unknown] = statuses;
    assert!(1_000 < covered && 0 < infeasible && unknown * 10 < covered, "{statuses:?} {bounded}");
}

/// What the interpreter says a test covers, the solver says too when the inputs of the test are fixed, and nothing more.
#[test]
fn the_solver_agrees_on_what_tests_cover() {
    let mut agreed = 0;
    for seed in 400..410 {
        let text = Writer::new(seed).program();
        let options = Options { attacks: 0, goal_conflicts: Some(5_000), minimize: false, seed, ..Options::default() };
        let (subject, outcome) = match super::case(&text, "f").run("cover @CONDITIONEDGE", options.clone()) {
            Ok(found) => found,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        };
        let tests: Vec<_> = outcome.tests.iter().map(|test| test.test().inputs.clone()).collect();
        match search::cross_check(&subject, &Backend::new(&options), outcome.posed, &tests) {
            Ok(checked) => agreed += checked.expect("programs have a problem for the solver").agreed,
            Err(error) => panic!("seed {seed}: {error}\n{text}"),
        }
    }
    assert!(500 < agreed, "{agreed}");
}

/// The same on machines with other widths, another order of bytes, and characters without sign.
#[test]
fn search_and_interpreter_agree_on_other_machines() {
    let big = DataModel { big_endian: true, ..DataModel::ILP32 };
    let unsigned = DataModel { signed_char: false, ..DataModel::LLP64 };
    let mut covered = 0;
    for (seed, model) in (300..).zip([DataModel::LP32, big, unsigned, DataModel::ILP64].into_iter().cycle().take(16)) {
        let text = Writer::new(seed).program();
        let case = super::Case { model, ..super::case(&text, "f") };
        let options =
            Options { attacks: 200, goal_conflicts: Some(5_000), minimize: false, seed, ..Options::default() };
        match case.run("cover ID", options) {
            Ok((_, outcome)) => {
                covered += outcome.statuses.iter().filter(|status| **status == GoalStatus::Covered).count();
            }
            Err(error) => panic!("seed {seed}, {model:?}: {error}\n{text}"),
        }
    }
    assert!(300 < covered, "{covered}");
}

#[test]
fn both_encodings_find_the_same_goals_possible() {
    let queries =
        ["cover @CONDITIONEDGE", "cover @CONDITIONEDGE passing ^NOT(@CALL(twice))*$", "cover @DEF(x)->@USE(x)"];
    let mut compared = 0;
    for seed in 100..112 {
        let text = Writer::new(seed).program();
        let query = queries[seed as usize % queries.len()];
        let [one, other] = [Encoding::Native, Encoding::Instrumented].map(|encoding| {
            let case = super::Case { encoding, unwind: Some(2), ..super::case(&text, "f") };
            let options = Options { attacks: 0, minimize: false, goal_conflicts: Some(5_000), ..Options::default() };
            match case.run(query, options) {
                Ok((_, outcome)) => outcome.statuses,
                Err(error) => panic!("seed {seed}: {error}\n{text}"),
            }
        });
        assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            // Which memory is not followed depends on what else there is in the program.
            let unknown = |status: &GoalStatus| match status {
                GoalStatus::Unknown(_) => true,
                GoalStatus::InfeasibleUpTo(bound) => bound.contains("not followed"),
                GoalStatus::Covered | GoalStatus::Infeasible(_) | GoalStatus::OnlyUndefined { .. } => false,
            };
            if unknown(one) || unknown(other) {
                continue;
            }
            compared += 1;
            // Only the first knows which goals an execution can still meet that is not followed to its end: it may prove more.
            let covered = |status: &GoalStatus| *status == GoalStatus::Covered;
            assert_eq!(covered(one), covered(other), "seed {seed}: {one:?} {other:?}\n{text}");
            let proved = |status: &GoalStatus| matches!(status, GoalStatus::Infeasible(_));
            assert!(proved(one) || !proved(other), "seed {seed}: {one:?} {other:?}\n{text}");
        }
    }
    assert!(100 < compared, "{compared}");
}

/// Runs that learn from runs, and the solver beside them: every goal is answered as the solver alone answers it, and every test is
/// one that the interpreter has confirmed.
#[test]
fn runs_and_solver_together_find_what_the_solver_finds() {
    let mut compared = 0;
    for seed in 200..210 {
        let text = Writer::new(seed).program();
        let [alone, both] = [false, true].map(|hybrid| {
            let case = super::Case { hybrid, ..super::case(&text, "f") };
            let options =
                Options { attacks: 100, goal_conflicts: Some(5_000), minimize: false, seed, ..Options::default() };
            match case.run("cover @CONDITIONEDGE", options) {
                Ok((_, outcome)) => outcome.statuses,
                Err(error) => panic!("seed {seed}: {error}\n{text}"),
            }
        });
        assert_eq!(alone.len(), both.len());
        for (alone, both) in alone.iter().zip(&both) {
            let agree = match (alone, both) {
                (GoalStatus::Unknown(_), _) | (_, GoalStatus::Unknown(_)) => continue,
                // Runs are longer than what the solver follows.
                (GoalStatus::InfeasibleUpTo(_), GoalStatus::Covered) => true,
                (alone, both) => std::mem::discriminant(alone) == std::mem::discriminant(both),
            };
            compared += 1;
            assert!(agree, "seed {seed}: {alone:?} by the solver, {both:?} with runs\n{text}");
        }
    }
    assert!(100 < compared, "{compared}");
}

/// Writes a program that uses what C offers on a small scale.
struct Writer {
    state: u64,
    text: String,
    depth: u32,
    loops: u32,
    jumps: u32,
}

impl Writer {
    fn new(seed: u64) -> Writer {
        Writer {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0xabcdef,
            text: String::new(),
            depth: 0,
            loops: 0,
            jumps: 0,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn program(mut self) -> String {
        self.text.push_str(
            "struct pair { int left; unsigned char right; short more[2]; };\n\
             union mix { unsigned word; unsigned char bytes[4]; };\n\
             int shared = 3; unsigned table[5] = {1, 7, 30, 4, 100}; struct pair kept;\n\
             int input(void); void *memcpy(void *, const void *, unsigned long); void *memset(void *, int, unsigned long);\n\
             void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *);\n\
             void fail(int) __attribute__((noreturn)); void note(int x) { if (x == 5) shared++; }\n\
             int twice(int x) { if (x > 1000) return 0; return x * 2; }\n\
             int pick(int *p, int i) { return i & 1 ? *p : p[0] + i; }\n",
        );
        self.text.push_str(
            "int f(int a, unsigned b, signed char c, unsigned short d) {\n\
             int x = 1, y = 0, i, j, k; unsigned u = 2; long long w = 5; int v[4] = {3, 1, 2}; struct pair s = {4, 5}; union mix m;\n\
             int (*call)(int) = twice; int *p = &x; double q = 1.5; m.word = b;\n",
        );
        let count = 4 + self.below(5);
        for _ in 0..count {
            self.statement();
        }
        self.text.push_str("return x + y;\n}\n");
        self.text
    }

    fn statement(&mut self) {
        self.depth += 1;
        let choice = if self.depth > 3 { self.below(8) } else { self.below(13) };
        // The last of the simple ones speaks of scopes and of the end of the program.
        let choice = match choice {
            7 if self.depth > 3 => 12,
            other => other,
        };
        match choice {
            0..=2 => {
                let (target, value) = (self.target(), self.value(2));
                let _ = writeln!(self.text, "{target} = {value};");
            }
            3 => {
                let operator = ["+=", "-=", "^=", "|=", "&=", "*="][self.below(6) as usize];
                let (target, value) = (self.target(), self.value(1));
                let _ = writeln!(self.text, "{target} {operator} {value};");
            }
            4 => {
                let value = self.value(1);
                let number = self.below(5);
                let _ = writeln!(self.text, "x = call({value}) + pick(p, {number});");
            }
            5 => {
                let name = ["&x", "&y", "&v[1]", "v", "&s.left"][self.below(5) as usize];
                let _ = writeln!(self.text, "p = {name};");
            }
            6 => {
                let value = self.value(1);
                let _ = match self.below(4) {
                    0 => writeln!(self.text, "memcpy(v, table, ({value}) & 15);"),
                    1 => writeln!(self.text, "memset((unsigned char *)v + (c & 3), {value}, d & 7);"),
                    2 => writeln!(
                        self.text,
                        "{{ short *r = malloc(4); r[1] = (short)({value}); r[0] = 1; r = realloc(r, 4 + (c & 6)); x += r[1] & 7; free(r); }}"
                    ),
                    _ => writeln!(self.text, "q = q * 0.5 + ({value}) % 16; kept = s; shared++;"),
                };
            }
            7..=9 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statement();
                self.statement();
                if self.below(2) == 0 {
                    self.text.push_str("} else {\n");
                    self.statement();
                }
                self.text.push_str("}\n");
            }
            10 => {
                let counter = ["i", "j", "k"][self.loops.min(2) as usize];
                if self.loops < 2 {
                    self.loops += 1;
                    let condition = match self.below(3) {
                        0 => format!("{counter} < (c & 3)"),
                        1 => format!("{counter} < 3"),
                        _ => format!("{counter} < 2 && x < 100"),
                    };
                    let _ = writeln!(self.text, "for ({counter} = 0; {condition}; {counter}++) {{");
                    self.statement();
                    if self.below(3) == 0 {
                        let condition = self.condition();
                        let jump = ["break", "continue"][self.below(2) as usize];
                        let _ = writeln!(self.text, "if ({condition}) {jump};");
                    }
                    self.statement();
                    self.text.push_str("}\n");
                    self.loops -= 1;
                }
            }
            12 => self.scopes(),
            _ => {
                let value = self.value(1);
                let _ = writeln!(self.text, "switch (({value}) & 3) {{\ncase 0:");
                self.statement();
                self.text.push_str("break;\ncase 2:\n");
                self.statement();
                self.text.push_str("default:\n");
                self.statement();
                self.text.push_str("}\n");
            }
        }
        self.depth -= 1;
    }

    /// Declarations behind calls, names that hide others, untyped pointers, jumps past declarations, and ends of the program.
    fn scopes(&mut self) {
        self.jumps += 1;
        let (number, value, more, condition) = (self.jumps, self.value(1), self.value(0), self.condition());
        let _ = match self.below(8) {
            0 => writeln!(self.text, "{{ note({value}); int k{number}; k{number} = {more}; x ^= k{number}; }}"),
            1 => writeln!(
                self.text,
                "{{ note({more}); short k{number}[2]; k{number}[1] = {value}; y += k{number}[1]; }}"
            ),
            2 => writeln!(self.text, "{{ int x = {value}; y ^= x; {{ unsigned char y = 3; u ^= y; }} }}"),
            3 => writeln!(self.text, "{{ void *z = p; w += *(int *)z; x ^= z == &y; }}"),
            4 => writeln!(
                self.text,
                "if ({condition}) goto past{number}; {{ int h = {value}; if (h > 3) goto past{number}; y = h; }} past{number}:;"
            ),
            5 => writeln!(self.text, "assert({value} != 8);"),
            6 => writeln!(self.text, "if ({value} == 60) fail(1);"),
            _ => writeln!(self.text, "__VERIFIER_assume({value} != 9);"),
        };
    }

    fn target(&mut self) -> String {
        ["x", "y", "u", "w", "v[2]", "s.left", "s.right", "*p", "m.bytes[1]", "table[3]", "kept.more[1]", "v[a & 3]"]
            [self.below(12) as usize]
            .to_owned()
    }

    fn value(&mut self, depth: u32) -> String {
        let leaf = depth == 0 || self.below(4) == 0;
        if leaf {
            let names = [
                "a",
                "b",
                "c",
                "d",
                "x",
                "y",
                "u",
                "(int)w",
                "v[1]",
                "s.left",
                "s.right",
                "*p",
                "m.bytes[2]",
                "shared",
                "table[d % 5]",
                "v[c & 3]",
                "kept.left",
                "(q > 1.25)",
                "m.word",
                "input()",
            ];
            return match self.below(4) {
                0 => ["0", "1", "-1", "7", "100", "255", "65535", "2147483647"][self.below(8) as usize].to_owned(),
                _ => names[self.below(names.len() as u64) as usize].to_owned(),
            };
        }
        let (left, right) = (self.value(depth - 1), self.value(depth - 1));
        match self.below(11) {
            0..=2 => format!("({left} + {right})"),
            3 | 4 => format!("({left} - {right})"),
            5 => format!("({left} ^ {right})"),
            6 => format!("({left} & {right})"),
            7 => format!("({left} >> ({right} & 7))"),
            8 => format!("({left} / (({right} & 15) + 1))"),
            9 => format!("(short)({left} | {right})"),
            _ => format!("({left} < {right} ? {left} : 3)"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.value(1), self.value(0));
        let operator = ["<", ">", "==", "!=", "<=", ">="][self.below(6) as usize];
        let simple = format!("{left} {operator} {right}");
        match self.below(4) {
            0 => {
                let more = self.value(1);
                format!("{simple} && {more} > 4")
            }
            1 => {
                let more = self.value(0);
                format!("{simple} || !({more})")
            }
            _ => simple,
        }
    }
}
