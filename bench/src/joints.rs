//! What ties the engines together, measured on the program as people run it: shards and merge beside a whole run, how soon a run ends when
//! it is told to, and plans on one and two workers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use testkit::front::rows;

use crate::table::{Table, busy, seconds, timed};

/// Into how many parts a run is cut.
const SHARDS: usize = 8;

/// How long a slow run goes on before it is told to end.
const BEFORE: Duration = Duration::from_secs(3);

pub(crate) fn measure() -> Vec<Table> {
    let Some(program) = program() else {
        eprintln!("joints: build the program first: cargo build --release");
        return Vec::new();
    };
    vec![shards(&program), endings(&program)]
}

/// The release build of the program, which is beside this one.
fn program() -> Option<PathBuf> {
    let path = std::env::current_exe().ok()?.with_file_name("specimen");
    path.is_file().then_some(path)
}

/// The largest examples of languages that finish; those of TeSSLa are all too small to be cut.
fn inputs() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("examples/boolean/firewall.bool", vec!["--criterion", "unique-cause-mcdc"]),
        ("examples/action/car_alarm.as", vec!["--criterion", "ioco", "--operators", "all"]),
        ("examples/stl/requirement6.stl", vec![]),
        ("examples/ltl/fdir.ltl", vec!["--criterion", "stuck-at"]),
        ("examples/c/ranking.c", vec!["--criterion", "mcdc"]),
    ]
}

fn run(program: &Path, words: &[&str]) {
    let _ = Command::new(program).args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

fn shards(program: &Path) -> Table {
    let columns = ["whole", "slowest shard", "merge", "shard + merge of whole", "tests whole", "tests merged"];
    let mut table =
        Table::new("Eight shards: processor time of the slowest and of the merge, beside the whole", &columns);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (file, options) in inputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = root.join(file).display().to_string();
        let place = |name: &str| folder.path().join(name).display().to_string();
        let generate = |more: &[&str]| run(program, &[&["generate", path.as_str()], &options[..], more].concat());
        let ((), whole) = busy(|| generate(&["--out", &place("whole")]));
        let mut slowest = Duration::ZERO;
        let mut suites = Vec::new();
        for part in 1..=SHARDS {
            let out = place(&part.to_string());
            let ((), took) = busy(|| generate(&["--shard", &format!("{part}/{SHARDS}"), "--out", &out]));
            slowest = slowest.max(took);
            suites.push(format!("{out}/suite.json"));
        }
        let merged = place("merged");
        let words: Vec<&str> =
            ["merge", "--out", &merged].into_iter().chain(suites.iter().map(String::as_str)).collect();
        let ((), merge) = busy(|| run(program, &words));
        let part = 100.0 * (slowest + merge).as_secs_f64() / whole.as_secs_f64().max(0.01);
        let name = file.rsplit('/').next().unwrap_or(file);
        let counts = [tests(&place("whole")), tests(&merged)];
        let [before, after] = counts.map(|count| count.map_or_else(|| "-".to_owned(), |count| count.to_string()));
        eprintln!("{name}: whole {}, slowest {}, merge {}", seconds(whole), seconds(slowest), seconds(merge));
        table.row(name, vec![seconds(whole), seconds(slowest), seconds(merge), format!("{part:.0} %"), before, after]);
    }
    table
}

/// The tests of the suite in a folder.
fn tests(folder: &str) -> Option<u64> {
    let text = fs::read_to_string(Path::new(folder).join("suite.json")).ok()?;
    serde_json::from_str::<serde_json::Value>(&text).ok()?["summary"]["tests"].as_u64()
}

fn endings(program: &Path) -> Table {
    let columns = ["after SIGTERM", "beyond --timeout 3"];
    let mut table = Table::new("How long a slow search takes to end, suite written (promised: 2 s + 5 %)", &columns);
    for row in rows() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = format!("slow.{}", row.main.rsplit('.').next().unwrap_or_default());
        fs::write(folder.path().join(&file), (row.slow.text)()).expect("a file");
        let start = |out: &str, more: &[&str]| {
            Command::new(program)
                .args(["generate", &file, "--out", out])
                .args(row.slow.options)
                .args(more)
                .current_dir(folder.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("it starts")
        };
        let mut child = start("told", &[]);
        thread::sleep(BEFORE);
        let over = child.try_wait().ok().flatten().is_some();
        let told = Instant::now();
        let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        let _ = child.wait();
        let told = if over { "ended before".to_owned() } else { seconds(told.elapsed()) };
        let (_, whole) = timed(|| start("timed", &["--timeout", "3"]).wait());
        eprintln!("{}: {told}", row.language);
        table.row(row.language, vec![told, seconds(whole.saturating_sub(BEFORE))]);
    }
    table
}

/// How many units the project of the farm has.
const UNITS: usize = 100;

/// A plan of two hundred tasks on one and on two workers.
pub(crate) fn farm() -> Vec<Table> {
    let Some(program) = program() else {
        eprintln!("farm: build the program first: cargo build --release");
        return Vec::new();
    };
    let columns = ["tasks", "wall time", "a task", "efficiency", "merge"];
    let mut table =
        Table::new("A plan on this machine: two tasks for each of 100 decisions of 24 conditions", &columns);
    let mut alone = None;
    for workers in [1, 2] {
        let folder = tempfile::tempdir().expect("a folder");
        project(folder.path());
        let specimen = |words: &[&str]| {
            let run = Command::new(&program).args(words).current_dir(folder.path()).output().expect("it starts");
            assert!(matches!(run.status.code(), Some(0 | 1)), "{}", String::from_utf8_lossy(&run.stderr));
        };
        specimen(&["plan", "--out", "plan", "--shards", "2"]);
        let ((), took) = timed(|| specimen(&["work", "plan", "--jobs", &workers.to_string()]));
        let ((), merge) = timed(|| specimen(&["merge", "plan"]));
        let tasks = 2 * UNITS;
        let alone = *alone.get_or_insert(took);
        let efficiency = 100.0 * alone.as_secs_f64() / (took.as_secs_f64() * f64::from(workers));
        let each = took / tasks as u32 * workers as u32;
        let cells = vec![tasks.to_string(), seconds(took), seconds(each), format!("{efficiency:.0} %"), seconds(merge)];
        table.row(if workers == 1 { "1 worker".to_owned() } else { format!("{workers} workers") }, cells);
    }
    vec![table]
}

/// A project of decisions that differ.
fn project(folder: &Path) {
    fs::write(folder.join("specimen.toml"), "[[units]]\nfiles = ['*.bool']\n").expect("a file");
    for number in 0..UNITS {
        let inputs: String = (0..16).map(|input| format!("input a{input}: bool;\n")).collect();
        let term =
            |place: usize| format!("(a{} && !a{} && a{})", place, (place * 3 + number) % 16, (place * 5 + 7) % 16);
        let terms: Vec<String> = (0..8).map(term).collect();
        let text = format!("{inputs}decision d = {};\n", terms.join(" || "));
        fs::write(folder.join(format!("unit{number:03}.bool")), text).expect("a file");
    }
}
