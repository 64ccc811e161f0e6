//! MC/DC of random decisions, measured by LLVM on all inputs: a condition that a suite shows to decide, LLVM must have seen decide, and
//! one that is called infeasible it must not have.
//!
//! Every decision stands on a line of its own. `SPECIMEN_MCDC` says how many programs are tried, `SPECIMEN_SEED` where to begin. Without a
//! clang that measures MC/DC (19 or later) nothing is tried, and the test says so.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use random::SplitMix;
use search::{Options, Subject};
use serde_json::Value as Json;
use testcase::GoalStatus;

/// Programs per run of the tests.
const PROGRAMS: u64 = 8;

/// Each of two inputs has so many values.
const VALUES: u32 = 8;

/// The tools of one version of LLVM.
struct Tools {
    compiler: String,
    merger: String,
    reader: String,
}

impl Tools {
    fn found() -> Option<Tools> {
        ["-21", "-20", "-19", ""].iter().find_map(|version| {
            let tool = |name: &str| format!("{name}{version}");
            let tools = Tools { compiler: tool("clang"), merger: tool("llvm-profdata"), reader: tool("llvm-cov") };
            let folder = tempfile::tempdir().ok()?;
            let file = folder.path().join("empty.c");
            std::fs::write(&file, "int main(void) { return 0; }\n").ok()?;
            tools.measured(&file, folder.path()).map(|_| tools)
        })
    }

    /// Which conditions decide in the runs of a program, by the line of their decision; none if a tool is missing or too old.
    fn measured(&self, file: &Path, folder: &Path) -> Option<BTreeMap<u64, Vec<bool>>> {
        let (program, raw, merged) = (folder.join("program"), folder.join("raw"), folder.join("merged"));
        let succeeds = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
        let mut compiler = Command::new(&self.compiler);
        compiler.args(["-w", "-O0", "-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-o"]);
        let mut runner = Command::new(&program);
        let mut merger = Command::new(&self.merger);
        let done = succeeds(compiler.arg(&program).arg(file))
            && succeeds(runner.env("LLVM_PROFILE_FILE", &raw))
            && succeeds(merger.args(["merge", "-o"]).arg(&merged).arg(&raw));
        if !done {
            return None;
        }
        let output = Command::new(&self.reader).args(["export", "-instr-profile"]).arg(&merged).arg(&program).output();
        let said: Json = serde_json::from_slice(&output.ok()?.stdout).ok()?;
        let mut found = BTreeMap::new();
        for record in said["data"][0]["files"][0]["mcdc_records"].as_array().into_iter().flatten() {
            let conditions = record.as_array().and_then(|parts| parts.last()?.as_array());
            let shown = conditions.expect("a record ends with its conditions").iter();
            found.insert(record[0].as_u64().expect("a line"), shown.map(|one| one == &Json::Bool(true)).collect());
        }
        Some(found)
    }
}

#[test]
fn conditions_that_decide_are_those_that_llvm_sees_decide() {
    let Some(tools) = Tools::found() else {
        eprintln!("skipped: no clang that measures MC/DC is installed");
        return;
    };
    let (first, count) = (super::number("SPECIMEN_SEED", 1), super::number("SPECIMEN_MCDC", PROGRAMS));
    let mut counts = [0usize; 4];
    for seed in first..first + count {
        let text = Decisions::new(seed).program();
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("program.c");
        let driver = format!(
            "int main(void) {{\n  for (int a = 0; a < {VALUES}; a++)\n    for (int b = 0; b < {VALUES}; b++)\n      f(a, b);\n  return 0;\n}}\n"
        );
        std::fs::write(&file, format!("{text}{driver}")).expect("written");
        let seen = tools.measured(&file, folder.path()).expect("the program is correct");
        let options = Options { attacks: 50, seed, minimize: false, ..Options::default() };
        let case = super::Case { hybrid: seed.is_multiple_of(2), most_calls: 1, ..super::case(&text, "f") };
        let (subject, outcome) = case.run("mcdc", options).expect("it ends");
        for (goal, status) in subject.goals().iter().zip(&outcome.statuses) {
            let line = goal.location.as_ref().expect("decisions have places").line;
            // LLVM does not measure decisions of one condition.
            let Some(conditions) = seen.get(&u64::from(line)) else {
                counts[3] += 1;
                continue;
            };
            let number = goal.key.split_once('c').and_then(|(_, number)| number.parse::<usize>().ok());
            let decides = conditions[number.expect("goals are numbered by condition") - 1];
            let (agrees, kind) = match status {
                GoalStatus::Covered => (decides, 0),
                GoalStatus::Infeasible(_) => (!decides, 1),
                GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_) => (true, 2),
            };
            assert!(agrees, "seed {seed}: {} ({}) is {status:?}, LLVM: {decides}\n{text}", goal.key, goal.label);
            counts[kind] += 1;
        }
    }
    let [covered, infeasible, left, single] = counts;
    assert!(0 < covered && (count < PROGRAMS || 0 < infeasible), "{counts:?}");
    assert!(count < PROGRAMS || left * 20 <= covered + infeasible, "too much is left open: {counts:?}");
    eprintln!(
        "{count} programs from seed {first}: {covered} conditions decide, {infeasible} cannot, {left} left; {single} LLVM does not measure"
    );
}

/// Writes programs of decisions over two small inputs, with conditions that depend on each other. LLVM loses some forms, and these are left
/// out: `?:` as a value, values in parentheses, and what is negated as a whole.
struct Decisions {
    random: SplitMix,
    text: String,
}

impl Decisions {
    fn new(seed: u64) -> Decisions {
        Decisions { random: SplitMix::new(seed ^ 0x3c3c), text: String::new() }
    }

    fn program(mut self) -> String {
        self.text.push_str("static int kept;\nstatic int g(int a, int b, int x, int y) {\n");
        self.statement();
        self.text.push_str(
            "return x + y;\n}\nint f(int a, int b) {\na &= 7; b &= 7; kept = 1;\nint x = a ^ b, y = a + b;\n",
        );
        for _ in 0..3 + self.random.below(3) {
            self.statement();
        }
        self.text.push_str("x += g(a, b, x & 7, y);\ny ^= g(b, a, y & 7, 3);\nreturn x + y;\n}\n");
        self.text
    }

    fn statement(&mut self) {
        let leaves = 2 + self.random.below(4);
        let (decision, step) = (self.tree(leaves), self.random.below(5));
        let decision = &decision[1..decision.len() - 1];
        let _ = match self.random.below(5) {
            0 => writeln!(self.text, "if ({decision})\nx += {step}; else y ^= {step};"),
            1 => writeln!(self.text, "x = {decision};"),
            2 => writeln!(self.text, "for (int i = 0; i < 2 && ({decision}); i++)\ny = (y + {step}) & 15;"),
            3 => writeln!(self.text, "while (kept < 3 && ({decision})) {{\nkept++; y = (y + {step}) & 7; }}"),
            _ => writeln!(self.text, "do {{ kept++; x = (x + 1) & 7; }} while\n(kept < 4 && ({decision}));"),
        };
    }

    /// A decision of so many conditions.
    fn tree(&mut self, leaves: u64) -> String {
        if leaves == 1 {
            return self.leaf();
        }
        let left = 1 + self.random.below(leaves - 1);
        let (one, other) = (self.tree(left), self.tree(leaves - left));
        let operator = ["&&", "||"][self.random.below(2) as usize];
        format!("({one} {operator} {other})")
    }

    fn leaf(&mut self) -> String {
        let name = ["a", "b", "x", "y"][self.random.below(4) as usize];
        let number = self.random.below(8);
        match self.random.below(6) {
            0 => format!("({name} & {})", 1 << (number % 3)),
            1 => format!("!{name}"),
            2 => format!("{name} == {number}"),
            3 => format!("{name} > b"),
            4 => format!("{name} + a < {}", number + 4),
            _ => format!("{name} > {number}"),
        }
    }
}
