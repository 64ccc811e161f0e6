//! `specimen init`: a project file for what is in a folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use front::exit::Exit;
use front::failure::Failure;
use front::input::cannot;
use front::language::Language;
use front::output::Output;
use front::words::counted;
use testcase::write_atomically;

use crate::args::InitArguments;
use project::MANIFEST;

/// Folders of more entries are not looked through to the end.
const MOST_ENTRIES: usize = 100_000;

/// Folders that hold what tools make.
const MADE: &[&str] = &["target", "build", "node_modules", "specimen-out"];

/// Where compile databases are.
const DATABASES: &[&str] = &["compile_commands.json", "build/compile_commands.json"];

pub(crate) fn run(output: &Output, arguments: &InitArguments) -> Result<Exit, Failure> {
    let path = Path::new(MANIFEST);
    if path.exists() && !arguments.force {
        return Err(Failure::Environment(format!("{MANIFEST} is there already; --force replaces it")));
    }
    let found = files()?;
    write_atomically(path, &manifest(&found)).map_err(|error| cannot("write", path, &error))?;
    let count: usize = found.values().map(Vec::len).sum();
    if count == 0 {
        output
            .warn("no specification and no program was found below this folder: name files in the sets of the project");
    }
    output.product(&format!(
        "wrote {MANIFEST} for {}; `specimen generate` draws their suites, `specimen status` tells how they stand\n",
        counted(count, "file")
    ))?;
    Ok(Exit::Done)
}

/// The files of known languages, by extension.
fn files() -> Result<BTreeMap<&'static str, Vec<String>>, Failure> {
    let mut found: BTreeMap<&'static str, Vec<String>> = BTreeMap::new();
    let mut open = vec![PathBuf::from(".")];
    let mut seen = 0;
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| cannot("read", &folder, &error))?;
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            seen += 1;
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if MOST_ENTRIES < seen || name.is_empty() || name.starts_with('.') || path.is_symlink() {
                continue;
            }
            if path.is_dir() && !MADE.contains(&name) {
                open.push(path);
            } else if let Some(language) = path.is_file().then(|| Language::of(&path).ok()).flatten() {
                let file = path.strip_prefix(".").unwrap_or(&path).to_string_lossy().into_owned();
                found.entry(language.extension()).or_default().push(file);
            }
        }
    }
    Ok(found)
}

/// The project file, with remarks.
fn manifest(found: &BTreeMap<&'static str, Vec<String>>) -> String {
    let mut text = String::from(
        "# What `specimen generate` draws tests from. The book's page on projects explains every key.\n\n\
         [project]\n\
         # name = \"…\"                        # in reports; by default the name of the folder\n\
         out = \"specimen-out\"              # suites and reports, one folder for each unit\n\
         baseline = \"specimen.baseline\"    # open goals that are accepted: `specimen status --accept` writes them\n",
    );
    let database = DATABASES.iter().find(|name| Path::new(name).is_file());
    for (extension, files) in found {
        text.push_str("\n[[units]]\n");
        match database.filter(|_| *extension == "c") {
            Some(name) => {
                let _ = writeln!(text, "database = {name:?}    # C files with their flags");
            }
            None => {
                let patterns: Vec<String> =
                    patterns(extension, files).iter().map(|pattern| format!("{pattern:?}")).collect();
                let _ = writeln!(text, "files = [{}]", patterns.join(", "));
            }
        }
        if ["c", "i"].contains(extension) {
            text.push_str("functions = \"all\"                 # or \"main\", or a list of names\n");
        }
        text.push_str("# requirements = [\"REQ-1\"]         # what the tests stand for, in reports\n");
        text.push_str("# export = [\"junit\"]               # formats that are written beside each suite\n");
        let (_, usual) =
            Language::from_name(extension).map_or((Vec::new(), ""), |language| language.front().criteria());
        let _ =
            writeln!(text, "# [units.options]                  # options of `specimen generate`, by their long names");
        let _ = writeln!(text, "# criterion = {usual:?}");
    }
    text.push_str(
        "\n# [[exclude]]\n# unit = \"*\"                        # a pattern of units\n\
         # goal = \"decision `x > 3` is true\" # a pattern of goals, by the names that `specimen status` prints; without one: the whole unit\n\
         # reason = \"…\"                      # why, in every report\n",
    );
    text
}

/// Patterns that find these files: by folder where they are in few, all over otherwise.
fn patterns(extension: &str, files: &[String]) -> Vec<String> {
    let folders: BTreeMap<&str, usize> = files.iter().fold(BTreeMap::new(), |mut folders, file| {
        *folders.entry(file.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
        folders
    });
    match folders.len() {
        0..=4 => folders
            .keys()
            .map(|folder| if folder.is_empty() { format!("*.{extension}") } else { format!("{folder}/*.{extension}") })
            .collect(),
        _ => vec![format!("**/*.{extension}")],
    }
}
