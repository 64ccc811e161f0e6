//! The promises of the project that no compiler checks.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use crate::{Outcome, cargo, codegen, library, pictures, root};

/// Longer files are split.
const LONGEST_FILE: usize = 900;
/// The README stays short.
const LONGEST_README: usize = 150;

/// Checks everything, and fails with all that was found.
pub(crate) fn run() -> Outcome {
    let mut problems = Vec::new();
    check_sources(&mut problems);
    check_tests(&mut problems);
    check_graph(&mut problems)?;
    check_pictures(&mut problems)?;
    check_diagnostics(&mut problems)?;
    check_command_line(&mut problems)?;
    if codegen::read(library::LIBRARY).unwrap_or_default() != library::page()? {
        problems.push(format!("{} is out of date: run `cargo xtask codegen`", library::LIBRARY));
    }
    check_book(&mut problems);
    let readme = fs::read_to_string(root().join("README.md")).unwrap_or_default();
    if LONGEST_README < readme.lines().count() {
        problems.push(format!("README.md has more than {LONGEST_README} lines"));
    }
    if problems.is_empty() { Ok(()) } else { Err(format!("\n  {}", problems.join("\n  "))) }
}

fn check_sources(problems: &mut Vec<String>) {
    let forbidden =
        [concat!("todo", "!("), concat!("dbg", "!("), concat!("unimplemented", "!("), concat!("#[ig", "nore")];
    for path in files(&["crates", "xtask", "bench"]).into_iter().filter(|path| has_extension(path, "rs")) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        if !text.starts_with("//! ") {
            problems.push(format!("{name}: the first line does not say what the file is for (`//! …`)"));
        }
        if LONGEST_FILE < text.lines().count() {
            problems.push(format!("{name}: longer than {LONGEST_FILE} lines"));
        }
        for word in forbidden.iter().filter(|word| text.contains(**word)) {
            problems.push(format!("{name}: `{word}`"));
        }
    }
}

/// The tests of a crate are one program, which is linked once; a file that is not a module of it would never run.
fn check_tests(problems: &mut Vec<String>) {
    for folder in folders(&root().join("crates")) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let all = fs::read_to_string(folder.join("tests/all.rs")).unwrap_or_default();
        let entries = fs::read_dir(folder.join("tests")).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut files: Vec<String> = entries
            .filter(|path| has_extension(path, "rs"))
            .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
            .filter(|stem| stem != "all")
            .collect();
        files.sort();
        if all.is_empty() {
            if 1 < files.len() {
                problems
                    .push(format!("crates/{name}/tests: several files, and no all.rs that makes one program of them"));
            }
            continue;
        }
        for file in files.iter().filter(|file| !all.lines().any(|line| line == format!("mod {file};"))) {
            problems.push(format!("crates/{name}/tests/all.rs: `mod {file};` is missing, so its tests never run"));
        }
    }
}

/// The folders in a folder, by name.
fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// Every page of the book is in its summary, or nobody would find it.
fn check_book(problems: &mut Vec<String>) {
    let summary = fs::read_to_string(root().join("docs/book/SUMMARY.md")).unwrap_or_default();
    for path in files(&["docs/book"]).into_iter().filter(|path| has_extension(path, "md")) {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name != "SUMMARY.md" && !summary.contains(&format!("({name})")) {
            problems.push(format!("docs/book/{name} is not in SUMMARY.md"));
        }
    }
}

/// The graph of crates in ARCHITECTURE.md is the one cargo sees, not counting what tests use.
fn check_graph(problems: &mut Vec<String>) -> Outcome {
    let text =
        fs::read_to_string(root().join("ARCHITECTURE.md")).map_err(|error| format!("ARCHITECTURE.md: {error}"))?;
    let block = text.split("```graph\n").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.ok_or("ARCHITECTURE.md has no block ```graph")?;
    let written: BTreeMap<String, Vec<String>> = block.lines().filter_map(edge).collect();
    let found = graph()?;
    for (name, uses) in &found {
        match written.get(name) {
            Some(said) if said == uses => {}
            _ => problems.push(format!("ARCHITECTURE.md: the graph should say `{name} -> {}`", uses.join(" "))),
        }
    }
    for name in written.keys().filter(|name| !found.contains_key(*name)) {
        problems.push(format!("ARCHITECTURE.md: there is no crate `{name}`"));
    }
    Ok(())
}

/// Reads `name -> used used`.
fn edge(line: &str) -> Option<(String, Vec<String>)> {
    let (name, uses) = line.split_once("->")?;
    let mut uses: Vec<String> = uses.split_whitespace().map(str::to_owned).collect();
    uses.sort();
    Some((name.trim().to_owned(), uses))
}

/// The crates of the workspace, each with those it uses.
fn graph() -> Result<BTreeMap<String, Vec<String>>, String> {
    let output =
        cargo(&["metadata", "--no-deps", "--format-version", "1"]).output().map_err(|error| error.to_string())?;
    let json: Json = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    let packages = json["packages"].as_array().ok_or("cargo metadata lists no packages")?;
    let name = |json: &Json| json["name"].as_str().unwrap_or_default().to_owned();
    let ours: Vec<String> = packages.iter().map(name).collect();
    let uses = |package: &Json| {
        let all = package["dependencies"].as_array().cloned().unwrap_or_default();
        let mut used: Vec<String> =
            all.iter().filter(|used| used["kind"].is_null()).map(name).filter(|used| ours.contains(used)).collect();
        used.sort();
        used
    };
    Ok(packages.iter().map(|package| (name(package), uses(package))).collect())
}

/// The pictures of the book show what ARCHITECTURE.md says.
fn check_pictures(problems: &mut Vec<String>) -> Outcome {
    for (name, picture) in pictures::drawn()? {
        if fs::read_to_string(root().join(name)).ok().as_deref() != Some(picture.as_str()) {
            problems.push(format!("{name} is out of date: run `cargo xtask codegen`"));
        }
    }
    Ok(())
}

/// Every diagnostic code is in the book, as generated, and in a case of the corpus.
fn check_diagnostics(problems: &mut Vec<String>) -> Outcome {
    let codes = codegen::codes()?;
    let page = fs::read_to_string(root().join(codegen::DIAGNOSTICS)).unwrap_or_default();
    if page != codegen::diagnostics(&codes) {
        problems.push(format!("{} is out of date: run `cargo xtask codegen`", codegen::DIAGNOSTICS));
    }
    let mut corpus: Vec<String> = Vec::new();
    for path in files(&["corpus"]) {
        corpus.push(path.display().to_string());
        corpus.push(String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned());
    }
    for code in codes.iter().filter(|code| !corpus.iter().any(|text| text.contains(&code.id))) {
        problems.push(format!("the diagnostic {} has no case in the corpus", code.id));
    }
    Ok(())
}

/// The tables of verbs, languages and options in the book are those of the program.
fn check_command_line(problems: &mut Vec<String>) -> Outcome {
    let page = codegen::read(codegen::COMMAND_LINE)?;
    if page != codegen::command_line(&page, &codegen::help()?)? {
        problems.push(format!("{} is out of date: run `cargo xtask codegen`", codegen::COMMAND_LINE));
    }
    Ok(())
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension == wanted)
}

/// Every file under these folders of the repository, in order.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root().join(folder)).collect();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let is_built = path.file_name().is_some_and(|name| name == "target");
            match path.is_dir() {
                true if !is_built => open.push(path),
                true => {}
                false => found.push(path),
            }
        }
    }
    found.sort();
    found
}
