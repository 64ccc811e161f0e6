//! The program driven as people drive it: every file of `corpus/cli` is a session.
//!
//! A case is a text of these lines, run in a folder of its own that holds `examples`:
//!
//! - `# …` says what it is about; `# needs the solver cvc5` that it is skipped where this solver is not installed.
//! - `file NAME` starts a file; its lines follow, each after two spaces; `\xNN` in them is a byte. `sparse NAME BYTES` is
//!   a file of zeros.
//! - `$ specimen …` runs the program; `NAME=VALUE` before it sets a variable of the environment, and quotes group words.
//! - `> …` is a line of its standard output, `! …` of its standard error, `= N` its exit code if it is not 0.
//!   The time at the end of the line of statistics is `… s`.
//!
//! `UPDATE_EXPECT=1` writes what the program says into the cases; `SPECIMEN_CASES=help` plays only those with `help` in their name.
//! The cases of `corpus/first-mistakes` are the same without `examples`.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn sessions_go_as_written() {
    let cases = cases("corpus/cli");
    assert!(20 <= cases.len() || is_chosen(), "the corpus was found");
    compare(&cases, |written| play(written, true));
}

/// What a newcomer types first and gets wrong: each message says what to type in its place.
#[test]
fn first_mistakes_are_answered_with_help() {
    let cases = cases("corpus/first-mistakes");
    assert!(!cases.is_empty() || is_chosen(), "the corpus was found");
    compare(&cases, |written| {
        let found = play(written, false);
        let answers = ["help:", "tip:", "it is one of", "` is for ", "say it with"];
        assert!(answers.iter().any(|answer| found.contains(answer)), "nothing says what to type:\n{found}");
        assert!(found.contains("\n= 3") || found.contains("\n= 2"), "the mistake is not refused:\n{found}");
        found
    });
}

/// Whether only some cases are asked for: `SPECIMEN_CASES=help` plays those with `help` in their name.
fn is_chosen() -> bool {
    std::env::var_os("SPECIMEN_CASES").is_some()
}

/// The cases in a folder, in the order of their names.
fn cases(folder: &str) -> Vec<PathBuf> {
    let chosen = std::env::var("SPECIMEN_CASES").unwrap_or_default();
    let mut cases: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .expect("there is a corpus")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "case"))
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().contains(&chosen)))
        .collect();
    cases.sort();
    cases
}

/// Compares cases with what the program says now, or writes that into them. Each has a folder of its own, so several are played at once.
fn compare(cases: &[PathBuf], play: impl Fn(&str) -> String + Sync) {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(path) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let written = fs::read_to_string(path).expect("a case is text");
            let mut needed = written.lines().filter_map(|line| line.strip_prefix("# needs the solver "));
            if needed.any(|solver| testkit::installed(solver).is_none()) {
                continue;
            }
            let found = play(&written);
            if found != written {
                if update {
                    fs::write(path, &found).expect("the corpus can be written");
                }
                wrong.lock().expect("nobody failed").push(complaint(path, &found));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().expect("nobody failed");
    wrong.sort();
    assert!(wrong.is_empty() || update, "{}", wrong.join("\n"));
}

/// What a case says now, how to play it alone, and how to accept what it says.
fn complaint(path: &Path, found: &str) -> String {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let alone = format!("SPECIMEN_CASES={name} cargo test -p specimen cli");
    format!("{}\n--- alone: {alone}\n--- to accept: UPDATE_EXPECT=1 {alone}\n--- found ---\n{found}", path.display())
}

/// Plays a case and returns it with what the program says now.
fn play(case: &str, with_examples: bool) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    if with_examples {
        copy_folder(&root().join("examples"), &folder.path().join("examples"));
    }
    let mut found = String::new();
    let mut file: Option<PathBuf> = None;
    for line in case.lines() {
        if line.starts_with(['>', '!', '=']) {
            continue;
        }
        found.push_str(line);
        found.push('\n');
        if let Some(text) = line.strip_prefix("  ") {
            let path = file.as_ref().expect("lines of a file follow its name");
            let mut open = fs::OpenOptions::new().append(true).open(path).expect("the file was made");
            open.write_all(&unescaped(text)).expect("the file can be written");
            continue;
        }
        if let Some(name) = line.strip_prefix("file ") {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("the folder can be made");
            fs::write(&path, "").expect("the folder can be written");
            file = Some(path);
        } else if let Some(rest) = line.strip_prefix("sparse ") {
            let (name, length) = rest.split_once(' ').expect("a name and a length");
            let made = fs::File::create(folder.path().join(name)).expect("the folder can be written");
            made.set_len(length.parse().expect("a length")).expect("a sparse file");
        } else if let Some(command) = line.strip_prefix("$ ") {
            found.push_str(&run(folder.path(), command));
        }
    }
    found
}

/// What a command says, as lines of a case.
fn run(folder: &Path, command: &str) -> String {
    let words = words(command);
    let start = words.iter().position(|word| word == "specimen").expect("a command runs specimen");
    let mut process = Command::new(env!("CARGO_BIN_EXE_specimen"));
    process.current_dir(folder).args(&words[start + 1..]).env_remove("NO_COLOR").env("SPECIMEN_Z3", "/nowhere/z3");
    for setting in &words[..start] {
        let (name, value) = setting.split_once('=').expect("NAME=VALUE");
        process.env(name, value);
    }
    let output = process.output().expect("the program starts");
    let mut said = String::new();
    for (sign, bytes) in [('>', &output.stdout), ('!', &output.stderr)] {
        for line in String::from_utf8_lossy(bytes).replace('\u{1b}', "<ESC>").lines() {
            let line = match line.rsplit_once(" kept; ") {
                Some((before, _)) => format!("{before} kept; … s"),
                None => line.to_owned(),
            };
            said.push_str(format!("{sign} {line}").trim_end());
            said.push('\n');
        }
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => said.push_str(&format!("= {code}\n")),
        None => said.push_str("= killed\n"),
    }
    said
}

fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut parts = text.split("\\x");
    bytes.extend(parts.next().unwrap_or_default().bytes());
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits"));
        bytes.extend(part[2..].bytes());
    }
    bytes.push(b'\n');
    bytes
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder can be made");
    for entry in fs::read_dir(from).expect("there are examples") {
        let path = entry.expect("readable").path();
        let target = to.join(path.file_name().expect("it has a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("it can be copied");
        }
    }
}

fn specimen(arguments: &[&str]) -> Command {
    let mut process = Command::new(env!("CARGO_BIN_EXE_specimen"));
    process.current_dir(root()).args(arguments);
    process
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut process = specimen(&["generate", "examples/boolean/firewall.bool", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(process.stdout.take());
    let mut said = String::new();
    process.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    assert_eq!((process.wait().expect("it ends").code(), said.as_str()), (Some(0), ""));
}

#[test]
fn the_same_run_gives_the_same_bytes_whatever_the_number_of_jobs() {
    let run = |jobs: &str| {
        let arguments = ["generate", "examples/boolean/firewall.bool", "--format", "json", "--jobs", jobs];
        let output = specimen(&arguments).output().expect("the program starts");
        assert!(output.status.success());
        let mut suite: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a suite");
        // The command line is another.
        suite.as_object_mut().expect("an object").shift_remove("provenance").expect("who made it");
        suite
    };
    let first = run("1");
    assert_eq!(first, run("1"));
    assert_eq!(first, run("3"));
}

#[test]
fn a_folder_of_somebody_else_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("thesis.txt"), "mine").expect("written");
    let path = folder.path().display().to_string();
    let output = specimen(&["generate", "examples/boolean/policy.bool", "--out", &path]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn shards_merge_to_what_one_run_covers() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut suites = Vec::new();
    for part in 1..=3 {
        let out = folder.path().join(part.to_string());
        let (shard, out_text) = (format!("{part}/3"), out.display().to_string());
        let arguments = ["generate", "examples/boolean/firewall.bool", "--shard", &shard, "--out", &out_text];
        assert!(specimen(&arguments).output().expect("it starts").status.success());
        suites.push(out.join("suite.json").display().to_string());
    }
    let mut arguments = vec!["merge", "--format", "json"];
    arguments.extend(suites.iter().map(String::as_str));
    let output = specimen(&arguments).output().expect("it starts");
    let suite: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a suite");
    assert_eq!((suite["summary"]["covered"].as_u64(), suite["complete"].as_bool()), (Some(62), Some(true)));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn deep_and_large_files_neither_crash_nor_hang() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = format!("input a: bool;\ndecision d = {}a{};\n", "!(".repeat(100_000), ")".repeat(100_000));
    let junk = "((((((((".repeat(500_000);
    let lets: String = (0..50_000).map(|number| format!("(let ((x{} (and b x{number}))) ", number + 1)).collect();
    let lets = format!("(declare-const x0 Bool)(declare-const b Bool)(assert {lets}x50000{})", ")".repeat(50_000));
    let long = format!("input a: bool;\ndecision d = a{};\n", " && a".repeat(20_000));
    for (name, text, code) in
        [("deep.bool", &deep, 0), ("junk.bool", &junk, 3), ("long.bool", &long, 0), ("lets.smt2", &lets, 0)]
    {
        let path = folder.path().join(name);
        fs::write(&path, text).expect("written");
        let output = specimen(&["check", &path.display().to_string()]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.len() < 20_000, "{name} is not repeated to its reader");
        let output = specimen(&["goals", &path.display().to_string()]).output().expect("it starts");
        assert_eq!(output.status.code(), Some(code), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

fn suite_schema() -> jsonschema::Validator {
    let schema =
        fs::read_to_string(root().join("docs/schema/specimen-suite-2.schema.json")).expect("there is a schema");
    let schema = serde_json::from_str(&schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is a schema")
}

#[test]
fn drawn_suites_follow_the_published_schema() {
    let schema = suite_schema();
    for arguments in [
        &["generate", "examples/boolean/policy.bool", "--criterion", "condition", "--boundary"][..],
        &["generate", "examples/boolean/firewall.bool", "--criterion", "unique-cause-mcdc"],
        &["generate", "examples/boolean/example5.smt2", "--limit", "1"],
        &["generate", "examples/boolean/firewall.bool", "--shard", "2/3"],
    ] {
        let output = specimen(arguments).args(["--format", "json"]).output().expect("it starts");
        let suite = serde_json::from_slice(&output.stdout).expect("a suite is JSON");
        let errors: Vec<String> = schema.iter_errors(&suite).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{arguments:?}");
    }
}

/// A search that takes minutes: the factors of a product of two large primes.
const HARD: &str = "input x, y: u64;\ninput a: bool;\nassume x < 4294967296 && y < 4294967296;\n\
    decision d = a && (x * y == 8670687648630721837 && x > 1 && y > x);\n";

#[test]
#[cfg(unix)]
fn an_interrupted_search_leaves_a_valid_partial_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("hard.bool"), folder.path().join("out"));
    fs::write(&file, HARD).expect("written");
    let (file, out_text) = (file.display().to_string(), out.display().to_string());
    let process = specimen(&["generate", &file, "--out", &out_text, "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // The folder is made just before the handler is installed.
    while !out.exists() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let signalled = Command::new("kill").args(["-INT", &process.id().to_string()]).status().expect("kill starts");
    assert!(signalled.success(), "the search was still running");
    let output = process.wait_with_output().expect("the program ends");
    assert_eq!(output.status.code(), Some(1));
    let suite: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a suite");
    assert_eq!((suite["complete"].as_bool(), suite["summary"]["unknown"].as_u64()), (Some(false), Some(4)));
    let saved = fs::read(out.join("suite.json")).expect("a suite was saved");
    assert_eq!(saved, output.stdout);
}

/// Many goals: every combination of thirteen conditions.
const MANY: &str = "input a, b, c, d, e, f, g, h, i, j, k, l, m: bool;\n\
    decision z = (a && b || c && d) && (e ^ f ^ g) || h && (i -> j) && k || l && m;\n";

#[test]
fn a_killed_run_leaves_a_valid_suite_and_can_be_continued() {
    let schema = suite_schema();
    let folder = tempfile::tempdir().expect("a folder");
    let (file, out) = (folder.path().join("many.bool"), folder.path().join("out"));
    fs::write(&file, MANY).expect("written");
    let (file, out_text) = (file.display().to_string(), out.display().to_string());
    let arguments =
        ["generate", &file, "--criterion", "mcc", "--minimize", "off", "--out", &out_text, "--format", "json"];
    let start = || specimen(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let read = || -> serde_json::Value {
        serde_json::from_slice(&fs::read(out.join("suite.json")).expect("there is a suite")).expect("it is JSON")
    };
    let mut covered = 0;
    for milliseconds in [0, 30, 300, 1500, 2600, 2600] {
        let mut process = start();
        while !out.join("suite.json").exists() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        process.kill().expect("it can be killed");
        process.wait().expect("it ends");
        let suite = read();
        let errors: Vec<String> = schema.iter_errors(&suite).map(|error| error.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "killed after {milliseconds} ms");
        let now = suite["summary"]["covered"].as_u64().expect("a count");
        assert!(covered <= now, "what was found is kept: {covered}, then {now}");
        covered = now;
        // What a run leaves when it is killed while it writes.
        fs::write(out.join(".suite.json.1-0.part"), "{").expect("written");
    }
    let output = specimen(&arguments).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let suite = read();
    assert_eq!((suite["complete"].as_bool(), suite["summary"]["covered"].as_u64()), (Some(true), Some(8192)));
    assert!(!out.join(".suite.json.1-0.part").exists());
    let replayed = specimen(&["replay", &out.join("suite.json").display().to_string()]).output().expect("it starts");
    assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stderr));
}

#[test]
fn a_search_out_of_time_ends_with_open_goals() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hard.bool");
    fs::write(&file, HARD).expect("written");
    let output = specimen(&["generate", &file.display().to_string(), "--timeout", "1"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("4 open"));
}
