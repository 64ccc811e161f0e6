//! The workbench, used in a real browser as a person would use it.
//!
//! Needs Chromium and its driver; where they are missing the tests say that they are skipped, or fail if
//! `SPECIMEN_REQUIRE_TOOLS` is set.

mod browser;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use browser::Browser;
use serde_json::{Value as Json, json};

/// The running program, ended with the test.
struct Workbench {
    child: Child,
    url: String,
}

impl Workbench {
    fn start(path: &Path) -> Workbench {
        let mut child = Command::new(env!("CARGO_BIN_EXE_specimen"))
            .args(["review", "--no-open", "--format", "json"])
            .arg(path)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("it says where it is");
        let said: Json = serde_json::from_str(&line).expect("JSON");
        Workbench { child, url: said["url"].as_str().expect("an address").to_owned() }
    }

    /// A request with headers of our own: status and body.
    fn ask(&self, path: &str, headers: &str) -> (u16, String) {
        let host = self.url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("a host");
        let mut stream = TcpStream::connect(host).expect("it listens");
        let headers = if headers.contains("Host:") { headers.to_owned() } else { format!("Host: {host}\r\n{headers}") };
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("answered");
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        (status, text.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned()))
    }

    fn token_path(&self) -> String {
        let rest = self.url.strip_prefix("http://").expect("an address");
        let (_, path) = rest.split_once('/').expect("a path");
        format!("/{}", path.split('#').next().expect("before the place"))
    }
}

impl Drop for Workbench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn project(specification: &str) -> Json {
    json!({
        "schema": "specimen-project/1",
        "title": "Hiring",
        "requirement": "Hire whoever is over 30 and has experience or the skill.",
        "language": "bool",
        "specification": specification,
    })
}

const POLICY: &str =
    "input age: int; input experience, skill: bool;\ndecision hire = age > 30 && (experience || skill);\n";

#[test]
fn strangers_stay_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.specimen"), project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(folder.path());
    let inside = format!("{}api/projects", workbench.token_path());
    assert_eq!(workbench.ask(&inside, "").0, 200);
    assert_eq!(workbench.ask("/", "").0, 404);
    assert_eq!(workbench.ask("/0123456789abcdef0123456789abcdef/api/projects", "").0, 404);
    assert_eq!(workbench.ask(&inside, "Origin: http://example.com\r\n").0, 403);
    assert_eq!(workbench.ask(&inside, "Host: example.com\r\n").0, 403);
    assert_eq!(workbench.ask(&format!("{}api/project?file=..%2Fp.specimen", workbench.token_path()), "").0, 400);
}

#[test]
fn a_broken_project_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.specimen");
    std::fs::write(&path, "{ not json").expect("written");
    let workbench = Workbench::start(folder.path());
    let (status, body) = workbench.ask(&format!("{}api/projects", workbench.token_path()), "");
    assert_eq!(status, 200);
    assert!(body.contains("it is no project"), "{body}");
    assert_eq!(std::fs::read_to_string(&path).expect("there"), "{ not json");
}

#[test]
fn a_session_with_one_mistake_ends_in_a_conflict() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hiring.specimen");
    std::fs::write(&path, project("").to_string()).expect("written");
    let workbench = Workbench::start(&path);
    browser.visit(&workbench.url);
    browser.wait_for("#specification");

    // A mistake while typing is shown at once and cannot be saved.
    browser.type_into("#specification", "decision hire = ag > 30;");
    browser.wait_for("#diagnostics li.error");
    assert!(browser.text("#diagnostics").contains("ag"));
    assert!(browser.is_disabled("#save"));
    browser.type_into("#specification", POLICY);
    browser.wait_until("return !document.querySelector('#save').disabled");
    browser.click("#save");
    browser.wait_until("return !document.querySelector('#draw').disabled");
    browser.click("#draw");
    browser.wait_for("#begin");
    browser.type_into("#person", "Ada");
    browser.click("#begin");
    browser.wait_for("#allowed");

    // Every answer right but the last.
    let kept: Json = serde_json::from_slice(&std::fs::read(&path).expect("saved")).expect("a project");
    let tests = kept["suite"]["tests"].as_array().expect("tests").clone();
    for (number, test) in tests.iter().enumerate() {
        browser.wait_until(&format!(
            "return document.querySelector('h1').textContent.startsWith('Test {} of')",
            number + 1
        ));
        let right = test["expected"]["hire"].as_bool().expect("a verdict");
        let said = if number + 1 == tests.len() { !right } else { right };
        browser.press(if said { "y" } else { "n" });
    }
    browser.wait_for("#conflict");
    assert!(browser.text("#conflict").contains("contradict"));
    browser.screenshot("workbench-conflict");
    let kept: Json = serde_json::from_slice(&std::fs::read(&path).expect("saved")).expect("a project");
    assert_eq!(kept["answers"]["Ada"].as_object().map(serde_json::Map::len), Some(tests.len()));

    // Results are hidden until asked for.
    browser.visit(&workbench.url);
    browser.wait_for("#toggle");
    assert!(!browser.is_there("#results"));
    browser.click("#toggle");
    browser.wait_for("#results");
    assert!(browser.is_there("#results td.no"));
    browser.screenshot("workbench-project");
}
