//! The conformance suite of front ends: what every language promises.
//!
//! A language is a [`Row`]: a small specification with every option that shapes how it is read. A promise is a function over rows that
//! drives the program as people do. A new language gets all promises by adding its row.

mod hard;
mod lies;
mod limits;
mod rows;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

pub use rows::{Row, Slow, rows};

use lies::{all_impossible, lies};

/// A promise: its name, and what tries it. The error says how it is broken.
pub type Promise = (&'static str, fn(&Trial<'_>) -> Result<(), String>);

/// Every promise.
pub const PROMISES: &[Promise] = &[
    ("the same command gives the same bytes", same_bytes),
    ("the same bytes at other --jobs", same_bytes_at_other_jobs),
    ("a run that was cut and continued finds what a whole one does", continued_is_whole),
    ("a run that was cut and continued gives the bytes of a whole one", continued_bytes),
    ("shards, merged, cover what a whole run covers, with no more tests", shards_cover_the_whole),
    ("shards merged in two steps give what they give merged at once", merged_as_a_tree),
    ("the merge of one suite changes nothing", merge_of_one),
    ("a folder replays elsewhere", replays_elsewhere),
    ("a suite holds no path", holds_no_path),
    ("lies are refused", lies_are_refused),
    ("a suite of nothing but false claims is refused", false_claims_are_refused),
    ("an option that shapes reading is never forgotten", options_are_compared),
    ("a source that has changed takes claims with it", changes_are_noticed),
    ("foreign options are refused", foreign_options),
    ("suites follow the schema", follows_the_schema),
    ("a run that is told to end does, and leaves a suite", limits::ends_when_told),
    ("a run ends when its time is over, and leaves a suite", limits::ends_in_time),
    ("a run that was killed and continued gives the bytes of a whole one", limits::killed_is_continued),
    ("the same bytes on a busy machine", limits::same_bytes_under_load),
    ("expressions may be nested as deep as the book says, and deeper ones are refused", limits::nests_as_documented),
];

/// A row with the program that is tried and the schema of suites.
pub struct Trial<'a> {
    /// The language.
    pub row: &'a Row,
    /// The program.
    pub program: &'a Path,
    /// Says what is wrong with a suite by the published schema.
    pub schema: &'a (dyn Fn(&Json) -> Vec<String> + Sync),
}

/// A folder with the files of a row, in which the program runs.
struct Desk<'a> {
    trial: &'a Trial<'a>,
    folder: tempfile::TempDir,
}

impl<'a> Desk<'a> {
    fn new(trial: &'a Trial<'a>) -> Desk<'a> {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in trial.row.files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
            fs::write(path, text).expect("written");
        }
        Desk { trial, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn specimen(&self, arguments: &[&str]) -> Output {
        // Paths are absolute here, so that one that gets into a suite is seen.
        let place = |word: &&str| {
            let (option, value) = word.split_once('=').map_or((None, *word), |(option, value)| (Some(option), value));
            let path = self.path(value);
            let is_path = !value.is_empty() && !value.starts_with('-') && (path.exists() || value.starts_with("out"));
            match option {
                None if is_path => path.display().to_string(),
                _ => (*word).to_owned(),
            }
        };
        let words: Vec<String> = arguments.iter().map(place).collect();
        Command::new(self.trial.program).args(words).current_dir(self.folder.path()).output().expect("it starts")
    }

    /// Draws a suite with all options of the row and these.
    fn generate(&self, more: &[&str]) -> Output {
        let mut words = vec!["generate", self.trial.row.main];
        words.extend(self.trial.row.options.iter().chain(more));
        self.specimen(&words)
    }

    /// The suite that the program prints.
    fn suite(&self, more: &[&str]) -> Result<Json, String> {
        let output = self.generate(&[&["--format", "json"], more].concat());
        json(&output)
    }

    fn read(&self, name: &str) -> Result<Json, String> {
        let text = fs::read_to_string(self.path(name)).map_err(|error| format!("{name}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }
}

fn said(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    format!("exit {:?}: {}", output.status.code(), error.trim())
}

/// What a verb prints, if it did not fail.
fn json(output: &Output) -> Result<Json, String> {
    if !matches!(output.status.code(), Some(0 | 1)) {
        return Err(said(output));
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("{error}; {}", said(output)))
}

/// A suite without what is not part of the comparison.
fn plain(mut suite: Json) -> Json {
    suite.as_object_mut().expect("a suite is an object").shift_remove("provenance");
    suite
}

/// The goals with their statuses.
fn statuses(suite: &Json) -> Vec<(String, String)> {
    let text = |goal: &Json, field: &str| goal[field].as_str().unwrap_or_default().to_owned();
    let goals = suite["goals"].as_array().into_iter().flatten();
    goals.map(|goal| (text(goal, "id"), text(goal, "status"))).collect()
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, left: &T, right: &T) -> Result<(), String> {
    if left == right { Ok(()) } else { Err(format!("{what}:\n  {left:?}\n  {right:?}")) }
}

fn exits(output: &Output, code: i32) -> Result<(), String> {
    if output.status.code() == Some(code) { Ok(()) } else { Err(format!("exit {code} was expected; {}", said(output))) }
}

fn same_bytes(trial: &Trial<'_>) -> Result<(), String> {
    let (one, other) = (Desk::new(trial), Desk::new(trial));
    let (first, second) = (one.generate(&["--format", "json"]), other.generate(&["--format", "json"]));
    json(&first)?;
    if first.stdout == second.stdout { Ok(()) } else { Err("the bytes differ in two folders".to_owned()) }
}

fn same_bytes_at_other_jobs(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    same("suites", &plain(desk.suite(&["--jobs", "1"])?), &plain(desk.suite(&["--jobs", "3"])?))
}

fn continued_is_whole(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let whole = desk.suite(&[])?;
    desk.generate(&["--limit", "1", "--out", "out"]);
    if desk.read("out/suite.json")?["complete"] == Json::Bool(true) && 1 < whole["tests"].as_array().map_or(0, Vec::len)
    {
        return Err("a run that was cut says that it is complete".to_owned());
    }
    let continued = desk.suite(&["--out", "out"])?;
    same("statuses", &statuses(&whole), &statuses(&continued))
}

fn continued_bytes(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let whole = plain(desk.suite(&[])?);
    desk.generate(&["--limit", "1", "--out", "out"]);
    same("suites", &whole, &plain(desk.suite(&["--out", "out"])?))
}

fn shards_cover_the_whole(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let whole = desk.suite(&[])?;
    for part in ["1", "2"] {
        let output = desk.generate(&["--shard", &format!("{part}/2"), "--out", &format!("out{part}")]);
        if !matches!(output.status.code(), Some(0 | 1)) {
            return Err(format!("shard {part}/2: {}", said(&output)));
        }
    }
    let alone = desk.specimen(&["merge", "out1/suite.json"]);
    if !String::from_utf8_lossy(&alone.stderr).contains("2/2") {
        return Err(format!("a missing shard is not named: {}", said(&alone)));
    }
    let merged = json(&desk.specimen(&["merge", "out1/suite.json", "out2/suite.json", "--format", "json"]))?;
    same("statuses", &statuses(&whole), &statuses(&merged))?;
    let count = |suite: &Json| suite["tests"].as_array().map_or(0, Vec::len);
    if count(&whole) < count(&merged) {
        return Err(format!("{} tests in place of {}", count(&merged), count(&whole)));
    }
    Ok(())
}

fn merged_as_a_tree(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    for part in ["1", "2", "3", "4"] {
        desk.generate(&["--shard", &format!("{part}/4"), "--out", &format!("out{part}")]);
    }
    desk.specimen(&["merge", "out4/suite.json", "out2/suite.json", "--out", "out-half"]);
    let half = desk.specimen(&["merge", "out-half/suite.json", "out3/suite.json", "--out", "out-most"]);
    if !String::from_utf8_lossy(&half.stderr).contains("1/4") {
        return Err(format!("the missing shard is not named: {}", said(&half)));
    }
    let replayed = desk.specimen(&["replay", "out-most/suite.json"]);
    if !matches!(replayed.status.code(), Some(0 | 1)) {
        return Err(format!("what was merged of three shards: {}", said(&replayed)));
    }
    let merge = |suites: &[&str]| json(&desk.specimen(&[&["merge"], suites, &["--format", "json"]].concat()));
    let tree = merge(&["out-most/suite.json", "out1/suite.json"])?;
    let flat = merge(&["out4/suite.json", "out2/suite.json", "out3/suite.json", "out1/suite.json"])?;
    same("statuses", &statuses(&flat), &statuses(&tree))?;
    same("suites", &plain(flat), &plain(tree))
}

fn merge_of_one(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    desk.generate(&["--out", "out"]);
    let whole = plain(desk.read("out/suite.json")?);
    let merged = plain(json(&desk.specimen(&["merge", "out/suite.json", "--format", "json"]))?);
    for field in whole.as_object().into_iter().flat_map(|suite| suite.keys()) {
        same(field, &whole[field], &merged[field])?;
    }
    same("suites", &whole, &merged)
}

/// Moves the folder of a suite away from everything it was made from.
fn elsewhere(desk: &Desk<'_>) -> tempfile::TempDir {
    let elsewhere = tempfile::tempdir().expect("a folder");
    fs::rename(desk.path("out"), elsewhere.path().join("moved")).expect("the folder can be moved");
    for (name, _) in desk.trial.row.files {
        let _ = fs::remove_file(desk.path(name));
    }
    elsewhere
}

fn at(trial: &Trial<'_>, folder: &Path, arguments: &[&str]) -> Output {
    Command::new(trial.program).args(arguments).current_dir(folder).output().expect("it starts")
}

fn replays_elsewhere(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    let drawn = desk.generate(&["--out", "out"]);
    let elsewhere = elsewhere(&desk);
    let replayed = at(trial, elsewhere.path(), &["replay", "moved/suite.json"]);
    exits(&replayed, drawn.status.code().unwrap_or(-1))?;
    let merged = at(trial, elsewhere.path(), &["merge", "moved/suite.json", "--out", "again"]);
    exits(&merged, drawn.status.code().unwrap_or(-1))?;
    let replayed = at(trial, elsewhere.path(), &["replay", "again/suite.json"]);
    exits(&replayed, drawn.status.code().unwrap_or(-1))
}

fn holds_no_path(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    desk.generate(&["--out", "out"]);
    let folder = desk.folder.path().file_name().expect("a folder has a name").to_string_lossy().into_owned();
    let mut open = vec![desk.path("out")];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).expect("readable").map(|entry| entry.expect("readable").path()));
        } else if String::from_utf8_lossy(&fs::read(&path).expect("readable")).contains(&folder) {
            return Err(format!("{} holds the path of the folder", path.display()));
        }
    }
    Ok(())
}

fn lies_are_refused(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    desk.generate(&["--out", "out"]);
    let suite = desk.read("out/suite.json")?;
    let replay = || desk.specimen(&["replay", "out/suite.json"]);
    let write = |suite: &Json| fs::write(desk.path("out/suite.json"), suite.to_string()).expect("written");
    if suite["tests"].as_array().is_none_or(Vec::is_empty) {
        return Err(format!("the suite has no test to lie about; {}", suite["summary"]));
    }
    for (what, lie) in lies(&suite) {
        write(&lie);
        exits(&replay(), 3).map_err(|error| format!("{what}: {error}"))?;
    }
    write(&suite);
    for file in suite["sources"].as_array().into_iter().flatten() {
        let path = desk.path("out/sources").join(file["name"].as_str().ok_or("a source has a name")?);
        let before = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        fs::write(&path, [&before[..], b" "].concat()).expect("written");
        exits(&replay(), 3).map_err(|error| format!("a byte of {}: {error}", path.display()))?;
        fs::write(&path, before).expect("written");
    }
    Ok(())
}

fn false_claims_are_refused(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    desk.generate(&["--out", "out"]);
    let lie = all_impossible(&desk.read("out/suite.json")?).ok_or("the suite covers nothing")?;
    fs::write(desk.path("out/suite.json"), lie.to_string()).expect("written");
    exits(&desk.specimen(&["replay", "out/suite.json"]), 3)
}

fn options_are_compared(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    desk.generate(&["--limit", "1", "--out", "out"]);
    for without in trial.row.shaping {
        let mut words = vec!["generate", trial.row.main, "--out", "out"];
        let mut options = trial.row.options.iter().copied();
        while let Some(option) = options.next() {
            if option == *without {
                options.next();
            } else {
                words.push(option);
            }
        }
        let output = desk.specimen(&words);
        let word = without.trim_start_matches('-').split('-').next().unwrap_or_default();
        let named = String::from_utf8_lossy(&output.stderr).contains(word);
        // Without the option the specification may be none.
        if output.status.code() != Some(3) && (output.status.code() != Some(4) || !named) {
            return Err(format!("without {without}: {}", said(&output)));
        }
    }
    Ok(())
}

fn changes_are_noticed(trial: &Trial<'_>) -> Result<(), String> {
    for (name, _) in trial.row.files {
        let desk = Desk::new(trial);
        desk.generate(&["--limit", "1", "--out", "out"]);
        let before = fs::read_to_string(desk.path(name)).expect("readable");
        fs::write(desk.path(name), format!("{before}\n")).expect("written");
        let output = desk.generate(&["--out", "out"]);
        let said_so = String::from_utf8_lossy(&output.stderr).contains("updating the suite");
        if !said_so || !matches!(output.status.code(), Some(0 | 1)) {
            return Err(format!("{name} has changed: {}", said(&output)));
        }
        same(name, &statuses(&desk.suite(&[])?), &statuses(&desk.read("out/suite.json")?))?;
    }
    Ok(())
}

fn foreign_options(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    for option in trial.row.foreign {
        let words: Vec<&str> = option.split(' ').collect();
        for verb in ["goals", "generate"] {
            let output = desk.specimen(&[&[verb, trial.row.main], &words[..]].concat());
            exits(&output, 2).map_err(|error| format!("{verb} {option}: {error}"))?;
        }
    }
    Ok(())
}

fn follows_the_schema(trial: &Trial<'_>) -> Result<(), String> {
    let desk = Desk::new(trial);
    for more in [&[][..], &["--limit", "1"], &["--shard", "1/2"]] {
        let wrong = (trial.schema)(&desk.suite(more)?);
        same("the schema", &wrong, &Vec::new())?;
    }
    Ok(())
}
