//! The book and the README show what the program says: every session in them is run.
//!
//! A session is a fenced block (`console` or `text`) that begins with `$ `. Its commands are run by the shell, page by page,
//! in a folder that holds `examples`; what they print, on standard output and then on standard error, follows them. `cd` holds
//! for the commands behind it, up to the next one.
//! A page with `<!-- needs z3 -->` is skipped where this solver is not installed.
//! `UPDATE_EXPECT=1` writes what the program says into the pages.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn pages_show_what_the_program_says() {
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs/book"))
        .expect("there is a book")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.push(root().join("README.md"));
    pages.sort();
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let (mut commands, mut wrong) = (0, Vec::new());
    for page in pages {
        let written = fs::read_to_string(&page).expect("a page is text");
        let mut needed = written.lines().filter_map(|line| line.strip_prefix("<!-- needs ")?.strip_suffix(" -->"));
        if needed.any(|solver| testkit::installed(solver).is_none()) {
            continue;
        }
        let (found, ran) = played(&written);
        commands += ran;
        if found != written {
            if update {
                fs::write(&page, &found).expect("the book can be written");
            }
            let differs = written.lines().zip(found.lines()).find(|(written, found)| written != found);
            wrong.push(format!("{}: {differs:?}", page.display()));
        }
    }
    assert!(10 <= commands, "the book shows sessions");
    assert!(wrong.is_empty() || update, "{}", wrong.join("\n"));
}

/// A page with what its commands say now, and how many there were.
fn played(page: &str) -> (String, usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let copied = Command::new("cp").arg("-R").arg(root().join("examples")).arg(folder.path()).status();
    assert!(copied.expect("cp starts").success());
    let (mut found, mut commands) = (String::new(), 0);
    let mut place = folder.path().to_owned();
    let (mut in_session, mut fence_opened) = (false, false);
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            in_session = false;
            fence_opened = matches!(line, "```console" | "```text");
        } else if fence_opened {
            in_session = line.starts_with("$ ");
            fence_opened = false;
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_session) {
            // Readers stay where they went.
            if let Some(there) = command.strip_prefix("cd ").filter(|there| !there.contains(' ')) {
                place = folder.path().join(there);
                assert!(place.is_dir(), "{command}");
                found.push_str(&format!("{line}\n"));
                continue;
            }
            found.push_str(&format!("{line}\n{}", said(&place, command)));
            commands += 1;
        } else if !in_session || line.is_empty() && lines.peek().is_some_and(|next| next.starts_with("$ ")) {
            found.push_str(&format!("{line}\n"));
        }
    }
    (found, commands)
}

fn said(folder: &Path, command: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_specimen")).parent().expect("it is in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().expect("the shell starts");
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}
