//! Who made a suite: version, solver, preprocessor, and the command line without folders.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::builder::ValueParser;
use clap::{ArgMatches, Command};
use front::input;
use front::reader::Reader;
use search::SolverChoice;
use testcase::Provenance;

/// The program and its version.
pub(crate) const VERSION: &str = concat!("specimen ", env!("CARGO_PKG_VERSION"));

/// The command line of this run, files without their folders.
static COMMAND: OnceLock<Vec<String>> = OnceLock::new();

/// Keeps the command line in mind.
pub(crate) fn note(command: &Command, matches: &ArgMatches, words: &[OsString]) {
    let _ = COMMAND.set(without_folders(command, matches, words));
}

/// Who makes a suite now: the solver that was chosen, and the one that helped out.
pub(crate) fn of(choice: &SolverChoice, helper: Option<&str>, reader: &Reader) -> Provenance {
    let built_in = || format!("built-in {}", env!("CARGO_PKG_VERSION"));
    let installed = |name: &str| {
        let found = smt::SolverProgram::named(name).and_then(smt::SolverProgram::said_version);
        found.unwrap_or_else(|| format!("{name}, version unknown"))
    };
    let one = |choice: &SolverChoice| match (choice, helper) {
        (SolverChoice::Program(name), _) => installed(name),
        (SolverChoice::BuiltIn, _) | (SolverChoice::Auto, None) => built_in(),
        (SolverChoice::Auto, Some(helper)) => format!("{}, {}", built_in(), installed(helper)),
        (SolverChoice::Command(_), _) => "what --solver-command names".to_owned(),
        (SolverChoice::Portfolio(_), _) => "several solvers".to_owned(),
    };
    let solver = match choice {
        SolverChoice::Portfolio(members) => members.iter().map(one).collect::<Vec<_>>().join(" | "),
        choice => one(choice),
    };
    Provenance {
        version: VERSION.to_owned(),
        solver,
        preprocessor: reader.preprocessor(),
        command: COMMAND.get().cloned().unwrap_or_default(),
    }
}

/// The words of a command line, with the names of files in place of their paths.
fn without_folders(command: &Command, matches: &ArgMatches, words: &[OsString]) -> Vec<String> {
    let mut paths: HashSet<OsString> = HashSet::new();
    let (mut command, mut matches) = (command, matches);
    loop {
        for argument in command.get_arguments().filter(|argument| is_path(argument.get_value_parser())) {
            if let Ok(Some(values)) = matches.try_get_raw(argument.get_id().as_str()) {
                paths.extend(values.map(OsString::from));
            }
        }
        let Some((name, inner)) = matches.subcommand() else { break };
        let Some(verb) = command.find_subcommand(name) else { break };
        (command, matches) = (verb, inner);
    }
    let plain = |word: &OsString| -> String {
        if paths.contains(word) {
            return input::file_name(Path::new(word));
        }
        let text = word.to_string_lossy();
        match text.split_once('=') {
            Some((option, value)) if paths.contains(&OsString::from(value)) => {
                format!("{option}={}", input::file_name(Path::new(value)))
            }
            // -Ifolder
            _ => match text.get(..2).filter(|short| short.starts_with('-') && *short != "--") {
                Some(short) if paths.contains(&OsString::from(&text[2..])) => {
                    format!("{short}{}", input::file_name(Path::new(&text[2..])))
                }
                _ => text.into_owned(),
            },
        }
    };
    let program = words.first().map(|word| input::file_name(Path::new(word)));
    program.into_iter().chain(words.iter().skip(1).map(plain)).collect()
}

fn is_path(parser: &ValueParser) -> bool {
    parser.type_id() == clap::value_parser!(PathBuf).type_id()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse;

    #[test]
    fn paths_lose_their_folders_and_nothing_else_does() {
        let words: Vec<OsString> = [
            "/opt/bin/specimen",
            "generate",
            "/home/me/a.c",
            "--link=/home/me/b.c",
            "-I/home/me/inc",
            "-I",
            "x/y",
            "--query",
            "cover @FILE('/a/b.c')",
            "--out",
            "/tmp/o/",
        ]
        .iter()
        .map(OsString::from)
        .collect();
        let Ok(parsed) = parse::parse(&words) else { panic!("a command line") };
        assert_eq!(
            without_folders(&parsed.command, &parsed.matches, &words),
            [
                "specimen",
                "generate",
                "a.c",
                "--link=b.c",
                "-Iinc",
                "-I",
                "y",
                "--query",
                "cover @FILE('/a/b.c')",
                "--out",
                "o",
            ]
        );
    }
}
