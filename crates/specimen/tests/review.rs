//! The workbench, used in a real browser as a person would use it.
//!
//! Needs Chromium and its driver; where they are missing the tests say that they are skipped, or fail if
//! `SPECIMEN_REQUIRE_TOOLS` is set.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use browser::Browser;
use serde_json::{Value as Json, json};

use crate::browser;

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

    fn host(&self) -> &str {
        self.url.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect("a host")
    }

    /// What the page asks for: status and JSON.
    fn post(&self, verb: &str, body: &Json) -> (u16, Json) {
        let (host, body) = (self.host(), body.to_string());
        let mut stream = TcpStream::connect(host).expect("it listens");
        let path = format!("{}api/{verb}", self.token_path());
        write!(stream, "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n{body}", body.len())
            .expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("answered");
        let status = text.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
        let (_, body) = text.split_once("\r\n\r\n").expect("a body");
        (status, serde_json::from_str(body).expect("JSON"))
    }

    /// What comes back for raw bytes.
    fn raw(&self, bytes: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).expect("it listens");
        stream.write_all(bytes.as_bytes()).expect("sent");
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        text
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
fn hostile_requests_are_refused_and_the_program_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("p.specimen"), project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(folder.path());
    let (host, inside) = (workbench.host().to_owned(), workbench.token_path());
    // Without the token nothing is even looked at; with it, no room is made for what is only announced.
    let huge = "Content-Length: 18446744073709551615";
    assert!(workbench.raw(&format!("POST / HTTP/1.1\r\n{huge}\r\n\r\n")).starts_with("HTTP/1.1 403"));
    assert!(workbench.raw(&format!("POST /x HTTP/1.1\r\nHost: {host}\r\n{huge}\r\n\r\n")).starts_with("HTTP/1.1 404"));
    for length in ["18446744073709551615", "1000000000", "99999999999999999999999"] {
        let said = workbench
            .raw(&format!("POST {inside}api/change HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\r\n"));
        assert!(said.starts_with("HTTP/1.1 413"), "{said}");
    }
    assert!(workbench.raw("GET\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(workbench.raw(&format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(20_000))).starts_with("HTTP/1.1 431"));
    // Connections that say nothing do not keep others out for good.
    let idle: Vec<TcpStream> = (0..40).map(|_| TcpStream::connect(&host).expect("it listens")).collect();
    assert_eq!(workbench.ask(&format!("{inside}api/projects"), "").0, 200);
    drop(idle);
}

#[test]
fn answers_given_while_tests_are_drawn_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hiring.specimen");
    std::fs::write(&path, project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(&path);
    let file = json!("hiring.specimen");
    let draw = || workbench.post("draw", &json!({ "file": file }));
    let state = || {
        let (_, body) = workbench.ask(&format!("{}api/project?file=hiring.specimen", workbench.token_path()), "");
        serde_json::from_str::<Json>(&body).expect("JSON")
    };
    draw();
    while state()["drawing"] == true {}
    let test = state()["tests"][0]["id"].clone();
    // Searches end, and store what they have, while answers come in.
    for number in 0..60 {
        if number % 3 == 0 {
            draw();
        }
        let answer = json!({ "file": file, "person": format!("p{number}"), "test": test, "allowed": number % 2 == 0 });
        let (status, said) = workbench.post("answer", &answer);
        assert_eq!(status, 200, "{said}");
        let (status, said) = workbench.post("change", &json!({ "file": file, "notes": format!("note {number}") }));
        assert_eq!(status, 200, "{said}");
    }
    while state()["drawing"] == true {}
    let kept = kept(&path);
    assert_eq!(kept["answers"].as_object().map(serde_json::Map::len), Some(60), "every acknowledged answer is there");
    assert_eq!(kept["notes"], "note 59");
    // A project that is removed while tests are drawn stays so.
    draw();
    assert_eq!(workbench.post("remove", &json!({ "file": file })).0, 200);
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(!path.exists());
}

#[test]
fn a_folder_has_one_workbench_and_a_change_knows_what_it_replaces() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hiring.specimen");
    std::fs::write(&path, project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(&path);
    let second = Command::new(env!("CARGO_BIN_EXE_specimen")).args(["review", "--no-open"]).arg(&path).output();
    let second = second.expect("the program starts");
    assert_eq!(second.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another workbench has"));

    let change = |title: &str, was: &str| {
        workbench.post("change", &json!({ "file": "hiring.specimen", "title": title, "was": { "title": was } }))
    };
    assert_eq!(change("First", "Hiring").0, 200);
    let (status, said) = change("Second", "Hiring");
    assert_eq!(status, 409);
    assert!(said["error"].as_str().is_some_and(|words| words.contains("First")), "{said}");
    assert_eq!(kept(&path)["title"], "First");
    assert_eq!(change("Second", "First").0, 200);

    // The address survives: a page that is open goes on after a restart.
    let url = workbench.url.clone();
    drop(workbench);
    assert_eq!(Workbench::start(&path).url, url);
}

#[test]
fn a_typed_text_is_what_is_read_and_pointless_formulas_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let c = json!({ "schema": "specimen-project/1", "title": "C", "language": "c" });
    std::fs::write(folder.path().join("c.specimen"), c.to_string()).expect("written");
    let signals = json!({ "schema": "specimen-project/1", "title": "S", "language": "stl" });
    std::fs::write(folder.path().join("s.specimen"), signals.to_string()).expect("written");
    let workbench = Workbench::start(folder.path());
    let said = |language: &str, text: &str| {
        workbench.post("check", &json!({ "language": language, "specification": text })).1["diagnostics"].to_string()
    };
    assert!(!said("c", "int f(int x) { return x > 3; }\n").contains("\"error\""));
    assert!(said("c", "int f(int x) { return x > ; }\n").contains("\"error\""));
    assert!(said("stl", "F[0,42](vel > 133.7 -> G[0,11] vel > 133.7)").contains("stl-tautology"));
    assert!(said("stl", "x > 3 & x < 2").contains("stl-contradiction"));
    let text = "requirement \"Stay below five.\";\nG[0,3] x < 5\n";
    let (status, state) = workbench.post("change", &json!({ "file": "s.specimen", "specification": text }));
    assert_eq!((status, &state["requirement"]), (200, &json!("Stay below five.")));
}

#[test]
fn what_is_typed_survives_other_changes_other_tabs_and_a_killed_program() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hiring.specimen");
    std::fs::write(&path, project(POLICY).to_string()).expect("written");
    let mut workbench = Workbench::start(&path);
    browser.visit(&workbench.url);
    browser.wait_for("#specification");
    let typed = "const area = document.getElementById('specification'); area.value = 'decision half'; \
                 area.dispatchEvent(new Event('input'));";
    browser.run(typed);
    let edit = |name: &str, text: &str| {
        format!(
            "const field = document.getElementById('{name}'); field.value = {}; field.dispatchEvent(new Event('change'));",
            json!(text)
        )
    };
    let specification = "return document.getElementById('specification').value";
    for (name, text) in [("title", "Hiring people"), ("notes", "Ask Ada."), ("requirement", "Hire whoever is over 30.")]
    {
        browser.run(&edit(name, text));
        let mut tries = 0;
        while kept(&path)[name] != text && tries < 200 {
            std::thread::sleep(std::time::Duration::from_millis(20));
            tries += 1;
        }
        assert_eq!(kept(&path)[name], text);
        assert_eq!(browser.run(specification), json!("decision half"), "after {name}");
    }
    assert_eq!(browser.text("h1"), "Hiring people");

    // Another tab was faster: nothing is overwritten, and both texts can be seen.
    let other = json!({ "file": "hiring.specimen", "notes": "Ask Grace." });
    assert_eq!(workbench.post("change", &other).0, 200);
    browser.run(&edit("notes", "Ask Alan."));
    browser.wait_until("return document.querySelector('#alerts').innerText.includes('Ask Grace.')");
    assert_eq!(kept(&path)["notes"], "Ask Grace.");
    assert_eq!(browser.run("return document.getElementById('notes').value"), json!("Ask Alan."));
    browser.run(&edit("notes", "Ask Alan."));
    browser.wait_until("return document.querySelector('#alerts').innerText === ''");

    // The program is killed and started again: the page that is open goes on.
    drop(workbench);
    browser.run(&edit("notes", "Ask everybody."));
    browser.wait_until("return document.querySelector('#alerts').innerText.includes('does not answer')");
    workbench = Workbench::start(&path);
    browser.run(&edit("notes", "Ask everybody."));
    browser.wait_until("return document.querySelector('#alerts').innerText === ''");
    assert_eq!(browser.run(specification), json!("decision half"));
    let mut tries = 0;
    while kept(&path)["notes"] != "Ask everybody." && tries < 200 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        tries += 1;
    }
    assert_eq!(kept(&path)["notes"], "Ask everybody.");
    drop(workbench);
}

#[test]
fn a_broken_project_is_named_and_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.specimen");
    std::fs::write(&path, "{ not json").expect("written");
    let workbench = Workbench::start(folder.path());
    let (status, body) = workbench.ask(&format!("{}api/projects", workbench.token_path()), "");
    assert_eq!(status, 200);
    assert!(body.contains("it is not a project"), "{body}");
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

/// What a person would mean by the requirement: higher than five from second 1 to second 3, not only once.
const VELOCITY: &str = "F[1,3] velocity > 5";

fn kept(path: &Path) -> Json {
    serde_json::from_slice(&std::fs::read(path).expect("saved")).expect("a project")
}

/// Answers every test of a project as a person; the closure turns the formula's verdict into the answer.
fn answer_all(browser: &mut Browser, path: &Path, name: &str, answer: impl Fn(&Json, bool) -> bool) {
    browser.wait_until("return document.querySelector('#begin') !== null && !document.querySelector('#draw').disabled");
    browser.type_into("#person", name);
    browser.click("#begin");
    let project = kept(path);
    let tests = project["suite"]["tests"].as_array().expect("tests");
    for (number, test) in tests.iter().enumerate() {
        let heading = format!("return document.querySelector('h1').textContent.startsWith('Test {} of')", number + 1);
        browser.wait_until(&heading);
        let right = test["expected"]["holds"].as_bool().expect("a verdict");
        let said = answer(test, right);
        browser.press(if said { "y" } else { "n" });
        if said != right {
            // A contradiction stops here until the person goes on.
            browser.wait_for("#conflict");
            if number + 1 < tests.len() {
                browser.click("#onward");
            }
        }
    }
    browser.wait_for("#finished");
}

#[test]
fn a_session_over_signals_finds_the_wrong_operator() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("velocity.specimen");
    let project = json!({
        "schema": "specimen-project/1",
        "title": "Velocity",
        "requirement": "The velocity is higher than 5 km/h from second 1 to second 3.",
        "language": "stl",
    });
    std::fs::write(&path, project.to_string()).expect("written");
    let mut workbench = Workbench::start(&path);
    browser.visit(&workbench.url);
    browser.wait_for("#specification");

    // Errors are shown while typing, with their place; the project stays as it is.
    for (text, code) in
        [("F[1,3] velocity >", "found the end"), ("F[-1,3] velocity > 5", "negative"), ("(1,2)^T (x) > 3", "2")]
    {
        browser.type_into("#specification", text);
        browser.wait_until(&format!(
            "const said = document.querySelector('#diagnostics li.error'); return said !== null && said.innerText.includes({})",
            json!(code)
        ));
        assert!(browser.is_disabled("#save"), "{text}");
    }
    assert!(!browser.text("#main").contains("null"), "nothing is shown that is not there");
    browser.screenshot("stl-typing");
    assert!(kept(&path)["specification"].as_str().is_none_or(str::is_empty));
    browser.type_into("#specification", VELOCITY);
    browser.wait_until("return !document.querySelector('#save').disabled");
    browser.click("#save");
    browser.wait_until("return !document.querySelector('#draw').disabled");
    browser.click("#draw");

    // Grace makes one mistake: the conflict is seen at once, with what would explain it.
    answer_all(&mut browser, &path, "Grace", |test, right| if test["id"] == "t1" { !right } else { right });
    browser.visit(&format!("{}/Grace/t1", workbench.url));
    browser.wait_for("#hints li");
    let said = browser.text("#conflict");
    assert!(said.contains("the answers of Grace contradict the specification"), "{said}");
    assert!(said.contains("Your answers fit") && said.contains("agrees with every answer so far"), "{said}");

    // Ada answers as the requirement means it, which is what one of the mutants says: the hint names it.
    let goals = kept(&path)["suite"]["goals"].clone();
    let is_meant = |goal: &&Json| goal["label"].as_str().is_some_and(|label| label.contains("`G[1,3]` stands where"));
    let meant = goals.as_array().expect("goals").iter().find(is_meant).expect("a mutant")["id"].clone();
    let exposes = |test: &Json| test["covers"].as_array().expect("goals").contains(&meant);
    browser.visit(&workbench.url);
    answer_all(&mut browser, &path, "Ada", |test, right| right != exposes(test));
    browser.visit(&format!("{}/Ada/t1", workbench.url));
    browser.wait_for("#conflict");
    let said = browser.text("#conflict");
    assert!(said.contains("Your answers fit G[1,3] better than F[1,3], at line 1, position 1."), "{said}");
    assert!(said.contains("possible mistakes would explain the answer to t1"), "{said}");
    browser.run("document.querySelector('details.culprits').open = true");
    assert!(browser.text("#conflict").contains("stands where the formula has"), "the culprits are named");
    assert!(browser.is_there(".picture svg polyline"), "the signal is drawn");
    browser.screenshot("stl-conflict-light");
    browser.in_the_dark(true);
    browser.screenshot("stl-conflict-dark");
    browser.in_the_dark(false);

    // Alan answers as the formula does. What everybody said is hidden until somebody asks.
    browser.visit(&workbench.url);
    answer_all(&mut browser, &path, "Alan", |_, right| right);
    browser.visit(&workbench.url);
    browser.wait_for("#toggle");
    assert!(!browser.is_there("#results"));
    browser.click("#toggle");
    browser.wait_for("#results");
    let table = browser.text("#results");
    let known = ["Ada", "Grace", "Alan", "100 %", "conflict"];
    assert!(known.iter().all(|word| table.contains(word)), "{table}");
    let wrong = browser.run(
        "return [...document.querySelectorAll('#results tbody tr')].map(row => row.querySelectorAll('td.no').length)",
    );
    let tests = kept(&path)["suite"]["tests"].clone();
    let exposing = tests.as_array().expect("tests").iter().filter(|test| exposes(test)).count();
    assert_eq!(wrong, json!([0, 1, exposing, 0]), "the formula, Grace, Ada, Alan");
    browser.run("document.querySelector('#toggle').scrollIntoView()");
    browser.screenshot("stl-results-light");
    browser.in_the_dark(true);
    browser.screenshot("stl-results-dark");
    browser.in_the_dark(false);

    // The program dies: the page says so, and nothing is lost.
    let before = kept(&path);
    drop(workbench);
    browser.click("#toggle");
    browser.wait_until("return document.querySelector('#alerts').innerText.includes('does not answer')");
    workbench = Workbench::start(&path);
    assert_eq!(kept(&path), before);
    browser.visit(&workbench.url);
    browser.wait_for("#toggle");

    // The formula is changed: the answers stay with their tests, and those are judged anew.
    browser.type_into("#specification", "G[1,3] velocity > 5");
    browser.wait_until("return !document.querySelector('#save').disabled");
    browser.click("#save");
    browser.wait_until("return document.querySelector('#save').disabled && document.querySelector('#toggle') !== null");
    let after = kept(&path);
    assert_eq!(after["answers"], before["answers"]);
    assert_eq!(after["specification"], "G[1,3] velocity > 5");
    assert_eq!(before["suite"]["tests"][0]["expected"]["holds"], true);
    assert_eq!(
        after["suite"]["tests"][0]["expected"]["holds"], false,
        "the first signal does not satisfy the new formula"
    );
    assert_eq!(after["suite"]["tests"][0]["inputs"], before["suite"]["tests"][0]["inputs"]);

    // A page of another origin changes nothing, and learns nothing.
    let address = workbench.url.split('#').next().expect("an address").to_owned();
    browser.visit("data:text/html,elsewhere");
    let asked = browser.run(&format!(
        "return fetch({}, {{ method: 'POST', body: '{{\"file\":\"velocity.specimen\",\"title\":\"stolen\"}}' }}).then(answer => answer.status).catch(() => 'refused')",
        json!(format!("{address}api/change"))
    ));
    assert_eq!(asked, json!("refused"));
    assert_eq!(kept(&path), after);
}

#[test]
fn a_broken_project_has_a_page_that_says_so() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.specimen");
    std::fs::write(&path, "{ \"schema\": \"specimen-project/9\" ").expect("written");
    std::fs::write(folder.path().join("hiring.specimen"), project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(folder.path());
    browser.visit(&workbench.url);
    browser.wait_for("ul.projects li");
    assert!(browser.text("ul.projects").contains("cannot be read"));
    assert!(browser.text("ul.projects").contains("Hiring"));
    browser.screenshot("workbench-folder");
    browser.visit(&format!("{}#broken.specimen", workbench.url));
    browser.wait_for("#broken");
    assert!(browser.text("#broken").contains("it is not a project"));
    browser.screenshot("workbench-broken");
    assert_eq!(std::fs::read_to_string(&path).expect("there"), "{ \"schema\": \"specimen-project/9\" ");
}

/// The book is at hand, what is typed is not lost by a click, and a project that is removed stays on the disk.
#[test]
fn the_book_is_at_hand_and_nothing_is_lost() {
    let Some(mut browser) = Browser::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hiring.specimen");
    std::fs::write(&path, project(POLICY).to_string()).expect("written");
    let workbench = Workbench::start(folder.path());

    browser.visit(&format!("{}#?stl", workbench.url));
    browser.wait_until("return document.querySelector('.manual h1') !== null");
    assert_eq!(browser.text(".manual h1"), "Signal temporal logic");
    assert!(browser.run("return document.querySelectorAll('.manual table tr').length").as_u64() > Some(10));
    assert_eq!(browser.run("return document.querySelector('.manual').innerText.includes('```')"), json!(false));
    browser.screenshot("workbench-manual");

    browser.visit(&format!("{}#hiring.specimen", workbench.url));
    browser.wait_for("#specification");
    let type_more = "const area = document.getElementById('specification'); area.value = 'decision late';
                     area.dispatchEvent(new Event('input'));";
    browser.run(type_more);
    let click_home = "window.asked = 0; window.confirm = () => { window.asked += 1; return false; };
                      document.getElementById('home').click();";
    browser.run(click_home);
    browser.wait_until("return window.asked === 1");
    browser.wait_until("return location.hash === '#hiring.specimen'");
    assert_eq!(browser.run("return document.getElementById('specification').value"), json!("decision late"));
    browser.run("window.confirm = () => true; document.getElementById('home').click();");
    browser.wait_for("ul.projects button");
    assert_eq!(kept(&path)["specification"], json!(POLICY));

    let before = std::fs::read_to_string(&path).expect("still there");
    browser.click("ul.projects button");
    browser.wait_until("return document.querySelector('ul.projects') === null");
    assert!(!path.exists());
    let aside = std::fs::read_to_string(folder.path().join("hiring.specimen.removed")).expect("kept");
    assert_eq!(aside, before);
}
