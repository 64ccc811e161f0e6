//! `specimen demo`: a short tour in which bundled programs are found to be wrong.
//!
//! The tour writes its files to a folder and runs this program in it, so that every command works as it is shown.

use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use front::ExportedFile;
use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use process::{Ending, Group};
use serde_json::json;

use crate::args::DemoArguments;
use crate::{folder, interrupt};

/// The longest that a command of the tour may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The files of the tour, below its folder.
macro_rules! files {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../../../../examples/first-steps/", $name)))),*] };
}

const FILES: &[(&str, &str)] = files! {
    "guard/refund.bool" "guard/refund.py" "guard/by-hand.csv"
    "login/login.as" "login/server.py" "login/adapter.py"
    "arbiter/arbiter.ltl" "arbiter/bus.vcd"
    "unit/level.c"
    "drive/follow.stl" "drive/drive.csv"
    "pump/pump.tessla" "pump/pump.py"
};

/// A stop of the tour.
struct Stop {
    words: &'static str,
    /// Commands, and how many lines of what each says are shown from its beginning and from its end.
    commands: &'static [(&'static str, usize, usize)],
}

const STOPS: &[Stop] = &[
    Stop {
        words: "A rule, and a shop that implements it. Somebody wrote six tests by hand; they cover the rule, and the shop\n\
                passes them. Tests drawn from the rule lie on its borders, and the shop is one minute off.",
        commands: &[
            ("specimen generate guard/refund.bool --out guard/tests", 10, 0),
            ("specimen test guard/tests/suite.json --against 'python3 guard/refund.py'", 5, 0),
        ],
    },
    Stop {
        words: "A login server, and a model of it. The server locks one wrong password too late; the trace says so.",
        commands: &[
            ("specimen generate login/login.as --criterion ioco --out login/tests --quiet", 0, 3),
            ("specimen test login/tests/suite.json --against 'python3 login/adapter.py'", 2, 1),
        ],
    },
    Stop {
        words: "A dump of a simulated arbiter. No finite trace proves that a request is never served, but one of them\n\
                waits 400 cycles, and none before took more than two.",
        commands: &[("specimen run arbiter/arbiter.ltl arbiter/bus.vcd --clock clk", 7, 0)],
    },
    Stop {
        words: "A C function. The branch that \"cannot happen\" happens in t2: a check of `now` is missing. Another is reached\n\
                by an overflow only.",
        commands: &[("specimen generate unit/level.c --out unit/tests", 13, 6)],
    },
];

pub(crate) fn run(output: &Output, arguments: &DemoArguments) -> Result<Exit, Failure> {
    let files: Vec<ExportedFile> =
        FILES.iter().map(|(name, text)| ExportedFile { name: (*name).to_owned(), text: (*text).to_owned() }).collect();
    match &arguments.copy {
        Some(kept) => {
            folder::export_files(kept, &files, arguments.force)?;
            tour(output, kept, true)
        }
        None => {
            let cannot =
                |error: std::io::Error| Failure::Environment(format!("cannot make a folder for the tour: {error}"));
            let passing = tempfile::Builder::new().prefix("specimen-demo-").tempdir().map_err(cannot)?;
            folder::export_files(passing.path(), &files, false)?;
            tour(output, passing.path(), false)
        }
    }
}

fn tour(output: &Output, place: &Path, kept: bool) -> Result<Exit, Failure> {
    interrupt::on_ctrl_c();
    let mut said = Vec::new();
    for (number, stop) in (1..).zip(STOPS) {
        narrate(output, &format!("{number}. {}\n\n", stop.words))?;
        for (command, head, tail) in stop.commands {
            narrate(output, &format!("$ {command}\n"))?;
            let (text, exit) = carried_out(place, command)?;
            narrate(output, &(excerpt(&text, *head, *tail) + "\n"))?;
            said.push(json!({ "command": command, "exit": exit, "said": text }));
        }
    }
    match output.form {
        Form::Json => output.product(&format!("{:#}\n", json!({ "commands": said })))?,
        Form::Human if kept => output.product(&format!(
            "The files and the reports (guard/tests/report.html and others) are in {}; the commands work there.\n",
            place.display()
        ))?,
        Form::Human => output.product(
            "`specimen demo --copy FOLDER` keeps the files and the reports for the browser (tests/report.html), so that you can\n\
             repair what is wrong and run the commands again. `specimen --help` lists the verbs.\n",
        )?,
    }
    Ok(Exit::Done)
}

/// Words and excerpts; a program that reads the whole does not want them.
fn narrate(output: &Output, words: &str) -> Result<(), Failure> {
    match output.form {
        Form::Human => output.product(words),
        Form::Json => Ok(()),
    }
}

/// What a command of the tour says, and its exit code.
fn carried_out(place: &Path, command: &str) -> Result<(String, i32), Failure> {
    let cannot = |error: std::io::Error| Failure::Environment(format!("cannot run `{command}`: {error}"));
    let mut said = tempfile::tempfile().map_err(cannot)?;
    let mut child = Command::new(std::env::current_exe().map_err(cannot)?);
    child.args(words(command).into_iter().skip(1)).current_dir(place).stdin(Stdio::null());
    child.stdout(said.try_clone().map_err(cannot)?).stderr(said.try_clone().map_err(cannot)?);
    let interrupt = interrupt::current();
    let group = Group::spawn(&mut child).map_err(cannot)?;
    let exit = match group.finish(PATIENCE, || interrupt.is_raised()) {
        Ending::Exited(status) => status.code().unwrap_or(-1),
        Ending::Late => return Err(Failure::Environment(format!("`{command}` did not end"))),
        Ending::Interrupted => return Err(Failure::Environment("interrupted".to_owned())),
    };
    let mut text = String::new();
    said.rewind().and_then(|()| said.read_to_string(&mut text)).map_err(cannot)?;
    Ok((text, exit))
}

/// The words of a command; what stands in single quotes is one word.
fn words(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            found.push(part.to_owned());
        } else {
            found.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    found
}

/// The first and the last lines of a text.
fn excerpt(text: &str, head: usize, tail: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let tail = tail.min(lines.len());
    let head = head.min(lines.len() - tail);
    let mut shown = lines[..head].to_vec();
    if head + tail < lines.len() && 0 < head && 0 < tail {
        shown.push("…");
    }
    shown.extend(&lines[lines.len() - tail..]);
    shown.into_iter().map(|line| format!("   {line}").trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_show_both_ends() {
        assert_eq!(excerpt("a\nb\nc\nd\n", 1, 1), "   a\n   …\n   d\n");
        assert_eq!(excerpt("a\nb\n", 1, 1), "   a\n   b\n");
        assert_eq!(excerpt("a\nb\n", 0, 1), "   b\n");
        assert_eq!(excerpt("", 3, 3), "");
    }

    #[test]
    fn quoted_words_stay_together() {
        assert_eq!(words("a b 'c d' e"), ["a", "b", "c d", "e"]);
    }
}
