//! Random programs as people write them, run with all their inputs by the system's compiler with sanitisers: every run of the
//! interpreter must print and end as the compiled one, what is covered must happen there, and what is called impossible must not.
//!
//! `SPECIMEN_WIDE` says how many programs are tried, `SPECIMEN_SEED` where to begin; `SPECIMEN_KEEP` names a folder that gets them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use c::interp::{Blind, Ending, InputValue, Interpreter, Limit, RecordedInputs, Settings};
use search::Options;
use testcase::GoalStatus;

use super::writer::{Writer, Written};

/// Programs per run of the tests.
const PROGRAMS: u64 = 16;

/// The inputs.
const FIRST: std::ops::Range<i32> = -8..8;
const SECOND: std::ops::Range<i32> = 0..8;

/// The status with which `stop` ends a compiled program.
const STOPPED: i32 = 97;

/// How runs end that go on for ever.
const ENDLESS: &str = "endless";

/// What begins the line behind the output of a run.
const MARK: &str = "\u{1}\u{1}#!";

/// What a compiled program did.
struct Seen {
    /// How each run ended, behind what it printed.
    runs: BTreeMap<(i32, i32), String>,
    /// The places that runs without undefined behaviour came to.
    clean: Vec<bool>,
    /// The places that runs came to before anything undefined happened.
    any: Vec<bool>,
}

#[test]
fn runs_and_claims_of_wide_programs_are_those_of_compiled_ones() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    let (first, count) = (super::number("SPECIMEN_SEED", 1), super::number("SPECIMEN_WIDE", PROGRAMS));
    let keep = std::env::var_os("SPECIMEN_KEEP");
    let (mut counts, mut runs, mut undefined, mut wrong) = ([0usize; 5], 0, 0, BTreeSet::new());
    for seed in first..first + count {
        let written = Writer::new(seed).program();
        if let Some(folder) = &keep {
            std::fs::write(Path::new(folder).join(format!("wide-{seed}.c")), &written.text).expect("written");
        }
        let seen = compiled(&written);
        runs += seen.runs.len();
        undefined += seen.runs.values().filter(|end| end.ends_with("undefined")).count();
        let mut differs = |what: String| {
            eprintln!("seed {seed}: {what}");
            wrong.insert(seed);
        };
        if let Some(what) = differing_run(&written, &seen) {
            differs(what);
        }
        match claims(seed, &written, &seen) {
            Ok(found) => counts.iter_mut().zip(found).for_each(|(all, found)| *all += found),
            Err(what) => differs(what),
        }
    }
    assert!(wrong.is_empty(), "{} of {count} programs differ: {wrong:?}", wrong.len());
    let [covered, infeasible, bounded, only_undefined, unknown] = counts;
    assert!(count < PROGRAMS || (0 < covered && 0 < infeasible), "{counts:?}");
    assert!(count < PROGRAMS || (bounded + unknown) * 3 <= covered + infeasible, "too much is left open: {counts:?}");
    eprintln!(
        "{count} programs from seed {first}: {runs} runs, {undefined} of them undefined; {covered} goals covered, \
         {infeasible} infeasible, {bounded} up to a bound, {only_undefined} only with undefined behaviour, {unknown} unknown"
    );
}

/// The first run of the interpreter that does something else than the compiled program.
fn differing_run(written: &Written, seen: &Seen) -> Option<String> {
    let translation = match c::load_text("test.c", &written.text, &c::Options::default()) {
        Ok(translation) => translation,
        Err(findings) => return Some(format!("rejected: {:?}", findings[0].diagnostic)),
    };
    let program = &translation.program;
    let interpreter = Interpreter::new(program, Settings::default());
    let entry = program.function_named("f").expect("there is f");
    for ((a, b), theirs) in &seen.runs {
        let mut inputs = RecordedInputs::default();
        inputs.push("a", InputValue::Integer((*a).into()));
        inputs.push("b", InputValue::Integer((*b).into()));
        let outcome = interpreter.run(entry, &mut inputs, &mut Blind);
        let place = |edge| program.edge(edge).notes.location.map_or(0, |location| location.line);
        let (end, detail) = match outcome.ending {
            Ending::Returned(Some(InputValue::Integer(value))) => (format!("returned {value}"), String::new()),
            Ending::Exited(status) => (format!("exited {}", status & 255), String::new()),
            Ending::Stopped { .. } => (format!("exited {STOPPED}"), String::new()),
            Ending::Aborted => ("aborted".to_owned(), String::new()),
            Ending::GivenUp(Limit::Steps) => (ENDLESS.to_owned(), String::new()),
            Ending::Undefined { fault, edge } => {
                ("undefined".to_owned(), format!("{} in line {}", fault.text(), place(edge)))
            }
            other => (format!("{other:?}"), String::new()),
        };
        let printed = String::from_utf8_lossy(&outcome.output).into_owned();
        let ours = format!("{printed}{end}");
        // Runs that go on for ever are ended at different times: what one has printed by then, the other has begun with.
        let beginning = theirs.strip_suffix(ENDLESS).filter(|_| end == ENDLESS);
        let both_endless = beginning.is_some_and(|theirs| theirs.starts_with(&printed) || printed.starts_with(theirs));
        if ours != *theirs && !both_endless && !(end == "undefined" && theirs.ends_with("undefined")) {
            return Some(format!("f({a}, {b}) does\n{ours} {detail}\nand compiled\n{theirs}"));
        }
    }
    None
}

/// How many goals are covered, infeasible, so up to a bound, met only with undefined behaviour, and unknown.
fn claims(seed: u64, written: &Written, seen: &Seen) -> Result<[usize; 5], String> {
    let options = Options { attacks: 50, seed, minimize: false, goal_conflicts: Some(5_000), ..Options::default() };
    // Both ways to find tests: by the solver alone, and with runs.
    let case = super::Case { hybrid: seed.is_multiple_of(2), most_calls: 1, ..super::case(&written.text, "f") };
    let (subject, outcome) = case.run("cover @CALL(hit)", options).map_err(|error| error.to_string())?;
    let mut counts = [0; 5];
    for (goal, status) in search::Subject::goals(&subject).iter().zip(&outcome.statuses) {
        let line = goal.location.as_ref().expect("calls have places").line;
        let text = written.text.lines().nth(line as usize - 1).expect("the line is there");
        let hit = text.split("hit(").nth(1).and_then(|rest| rest.split(')').next()?.parse::<usize>().ok());
        let hit = hit.expect("the line calls hit");
        let (agrees, kind) = match status {
            GoalStatus::Covered => (seen.clean[hit], 0),
            GoalStatus::Infeasible(_) => (!seen.any[hit], 1),
            // Every input is tried in a process of its own: there is one call.
            GoalStatus::InfeasibleUpTo(terms) if terms.starts_with(super::exhaustive::ONE_CALL) => (!seen.any[hit], 1),
            GoalStatus::InfeasibleUpTo(_) => (true, 2),
            GoalStatus::OnlyUndefined { .. } => (!seen.clean[hit], 3),
            GoalStatus::Unknown(_) => (true, 4),
        };
        if !agrees {
            let (clean, any) = (seen.clean[hit], seen.any[hit]);
            return Err(format!(
                "hit({hit}) is {status:?}; compiled: {clean}, with undefined behaviour behind it: {any}"
            ));
        }
        counts[kind] += 1;
    }
    Ok(counts)
}

/// Runs a compiled program with all inputs, each in a process of its own.
fn compiled(written: &Written) -> Seen {
    let folder = tempfile::tempdir().expect("a folder");
    let (program, file) = (folder.path().join("program"), folder.path().join("program.c"));
    let driver = format!(
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <sys/mman.h>\n#include <sys/wait.h>\n\
         enum {{ HITS = {hits} }};\nstatic unsigned char *now, clean[HITS], any[HITS];\n\
         volatile unsigned port; volatile unsigned char ports[2];\nvoid hit(int at) {{ now[at] = 1; }}\nvoid stop(int why) {{ _exit({STOPPED}); }}\n\
         int main(void) {{\n  int a, b, at, status, undefined;\n  setvbuf(stdout, NULL, _IONBF, 0);\n\
         now = mmap(0, HITS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);\n\
         for (a = {}; a < {}; a++) for (b = {}; b < {}; b++) {{\n    fflush(stdout);\n\
         if (fork() == 0) {{ alarm(10); int value = f(a, b); printf(\"{MARK}returned %d\", value); _exit(0); }}\n\
         wait(&status); undefined = 0;\n\
         if (WIFSIGNALED(status) && WTERMSIG(status) == 6) printf(\"{MARK}aborted\");\n\
         else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) printf(\"{MARK}{ENDLESS}\");\n\
         else if (WIFSIGNALED(status)) {{ undefined = 1; printf(\"{MARK}undefined\"); }}\n\
         else if (WEXITSTATUS(status)) printf(\"{MARK}exited %d\", WEXITSTATUS(status));\n\
         printf(\"{MARK}%d {MARK}%d {MARK}\", a, b);\n\
         for (at = 0; at < HITS; at++) {{ any[at] |= now[at]; if (!undefined) clean[at] |= now[at]; now[at] = 0; }} }}\n\
         for (at = 0; at < HITS; at++) putchar(clean[at] ? '2' : any[at] ? '1' : '0');\n  return 0;\n}}\n",
        FIRST.start,
        FIRST.end,
        SECOND.start,
        SECOND.end,
        hits = written.hits,
    );
    std::fs::write(&file, format!("{}{driver}", written.text)).expect("written");
    let sanitisers = ["-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"];
    let made = Command::new("cc")
        .args(["-w", "-O0", "-fno-builtin", sanitisers[0], sanitisers[1], "-o"])
        .args([program.as_path(), file.as_path()])
        .output()
        .expect("cc runs");
    assert!(made.status.success(), "{}\n{}", String::from_utf8_lossy(&made.stderr), written.text);
    let output = Command::new(&program).output().expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let mut parts: Vec<&str> = said.split(MARK).collect();
    let letters = parts.pop().expect("the hits").as_bytes().to_owned();
    assert_eq!(letters.len(), written.hits);
    let runs = parts.chunks(4).map(|run| {
        let [printed, end, a, b] = run else { panic!("{run:?}") };
        let number = |text: &str| text.trim().parse::<i32>().expect("a number");
        ((number(a), number(b)), format!("{printed}{end}"))
    });
    Seen {
        runs: runs.collect(),
        clean: letters.iter().map(|letter| *letter == b'2').collect(),
        any: letters.iter().map(|letter| *letter != b'0').collect(),
    }
}

/// The referee traps what it is there to see: of each kind, as many runs end as the program says.
#[test]
fn the_referee_traps_undefined_behaviour() {
    if !Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: cc is not installed");
        return;
    }
    let all = FIRST.len() * SECOND.len();
    for (statement, wanted) in [
        ("return 2147483647 + (a > 5) * b;", 2 * 7),
        ("return 1 << (b == 3 ? 32 : 1);", 16),
        ("return 7 / a;", 8),
        ("return table[b];", 16 * 3),
        ("return box.name[b];", 16 * 2),
        ("return grid[0][b & 3];", 16 * 2),
        ("struct outer *o = boxes; return o->list[b].x;", 16 * 5),
        ("struct ring *r = &ring; return r->samples[b & 7];", 16 * 4),
        ("struct ring *r = &ring; return r->tail.pair[b >> 2];", 0),
        ("return &grid[0][b & 3] == grid[1];", 0),
        ("return &grid[0][b] != grid[1];", 16 * 4),
        ("return *(b == 4 ? (int *)0 : &grid[0][0]);", 16),
    ] {
        let text =
            format!("{}int f(int a, int b) {{ if (a < 0 && b > 7) hit(0);\n{statement} }}\n", super::writer::HEAD);
        let seen = compiled(&Written { text, hits: 1 });
        let trapped = seen.runs.values().filter(|end| end.ends_with("undefined")).count();
        assert_eq!((seen.runs.len(), trapped), (all, wanted), "{statement}");
        assert!(!seen.any[0], "{statement}");
    }
}
