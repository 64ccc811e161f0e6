//! A browser without a window, driven through the WebDriver protocol.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value as Json, json};

/// Nothing on the page takes longer.
const PATIENCE: Duration = Duration::from_secs(90);

/// A page is there by then, or asked for again.
const PAGE_LOAD: Duration = Duration::from_secs(25);

/// A browser, ended with the test.
pub(crate) struct Browser {
    driver: Child,
    port: u16,
    session: String,
    profile: tempfile::TempDir,
}

impl Browser {
    /// Starts a browser; none without driver.
    pub(crate) fn start() -> Option<Browser> {
        let found = Command::new("chromedriver").arg("--version").output().is_ok_and(|output| output.status.success());
        if !found {
            assert!(std::env::var_os("SPECIMEN_REQUIRE_TOOLS").is_none(), "chromedriver is required");
            #[expect(clippy::print_stderr, reason = "whoever reads the log should know")]
            {
                eprintln!("skipped: chromedriver is not installed");
            }
            return None;
        }
        let port = TcpListener::bind(("127.0.0.1", 0)).and_then(|free| free.local_addr()).expect("a port").port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the driver starts");
        let profile = tempfile::tempdir().expect("a folder");
        let mut browser = Browser { driver, port, session: String::new(), profile };
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "the driver does not listen");
            sleep(Duration::from_millis(50));
        }
        let profile = format!("--user-data-dir={}", browser.profile.path().display());
        let arguments = [
            "--headless",
            "--no-sandbox",
            "--disable-background-networking",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--window-size=1200,1000",
            &profile,
        ];
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "goog:chromeOptions": { "args": arguments },
            "timeouts": { "pageLoad": PAGE_LOAD.as_millis() as u64 },
        } } });
        let answer = browser.send("POST", "/session", &wanted);
        browser.session = answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}")).to_owned();
        Some(browser)
    }

    pub(crate) fn visit(&mut self, url: &str) {
        // The same page with another place after '#' is not a new page: leave it first.
        self.command("url", &json!({ "url": "about:blank" }));
        // A busy machine may keep the browser from finishing a page: it is asked for again.
        let path = format!("/session/{}/url", self.session);
        for _ in 0..3 {
            match self.ask("POST", &path, &json!({ "url": url })) {
                Ok(_) => return,
                Err(problem) => assert_eq!(problem["error"], "timeout", "{url}: {problem}"),
            }
        }
        panic!("{url} does not load");
    }

    /// Runs a script on the page.
    pub(crate) fn run(&mut self, script: &str) -> Json {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until a script returns true.
    pub(crate) fn wait_until(&mut self, script: &str) {
        let began = Instant::now();
        while self.run(script) != json!(true) {
            let page = self.run("return document.body.innerText");
            assert!(began.elapsed() < PATIENCE, "waited in vain for `{script}`; the page says:\n{page}");
            sleep(Duration::from_millis(50));
        }
    }

    pub(crate) fn wait_for(&mut self, selector: &str) {
        self.wait_until(&format!("return document.querySelector({}) !== null", json!(selector)));
    }

    pub(crate) fn is_there(&mut self, selector: &str) -> bool {
        self.run(&format!("return document.querySelector({}) !== null", json!(selector))) == json!(true)
    }

    pub(crate) fn is_disabled(&mut self, selector: &str) -> bool {
        self.run(&format!("return document.querySelector({}).disabled", json!(selector))) == json!(true)
    }

    pub(crate) fn text(&mut self, selector: &str) -> String {
        let text = self.run(&format!("return document.querySelector({}).innerText", json!(selector)));
        text.as_str().unwrap_or_default().to_owned()
    }

    pub(crate) fn click(&mut self, selector: &str) {
        let element = self.element(selector);
        self.command(&format!("element/{element}/click"), &json!({}));
    }

    /// Replaces what is in a field by typing.
    pub(crate) fn type_into(&mut self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.command(&format!("element/{element}/clear"), &json!({}));
        self.command(&format!("element/{element}/value"), &json!({ "text": text }));
    }

    /// Presses a key, wherever the page has its focus.
    pub(crate) fn press(&mut self, key: &str) {
        let keys = json!([{ "type": "keyDown", "value": key }, { "type": "keyUp", "value": key }]);
        self.command("actions", &json!({ "actions": [{ "type": "key", "id": "keys", "actions": keys }] }));
    }

    /// Shows the page as in a dark room, or in a light one.
    pub(crate) fn in_the_dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        let body = json!({ "cmd": "Emulation.setEmulatedMedia", "params": { "features": features } });
        self.command("goog/cdp/execute", &body);
    }

    /// Keeps a picture of the page for people to look at.
    pub(crate) fn screenshot(&mut self, name: &str) {
        let answer = self.send("GET", &format!("/session/{}/screenshot", self.session), &Json::Null);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let bytes = decoded(answer.as_str().expect("a picture"));
        assert!(1_000 < bytes.len(), "the page is not empty");
        fs::write(folder.join(format!("{name}.png")), bytes).expect("the picture is written");
    }

    fn element(&mut self, selector: &str) -> String {
        let answer = self.command("element", &json!({ "using": "css selector", "value": selector }));
        let id = answer.as_object().and_then(|object| object.values().next()).and_then(Json::as_str);
        id.unwrap_or_else(|| panic!("there is no `{selector}`: {answer}")).to_owned()
    }

    fn command(&mut self, path: &str, body: &Json) -> Json {
        self.send("POST", &format!("/session/{}/{path}", self.session), body)
    }

    /// One request to the driver; the value of its answer.
    fn send(&mut self, method: &str, path: &str, body: &Json) -> Json {
        self.ask(method, path, body).unwrap_or_else(|problem| panic!("{path}: {problem}"))
    }

    /// The same, where the driver may refuse.
    fn ask(&mut self, method: &str, path: &str, body: &Json) -> Result<Json, Json> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the driver listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}",
            self.port
        )
        .expect("sent");
        // The driver keeps the connection: the length says where the answer ends.
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("answered");
            let line = line.trim_end().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
        }
        let mut bytes = vec![0; length];
        reader.read_exact(&mut bytes).expect("answered");
        let text = String::from_utf8_lossy(&bytes);
        let answer: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"));
        let value = answer["value"].clone();
        if value.get("error").is_none() { Ok(value) } else { Err(value) }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            let _ = self.send("DELETE", &format!("/session/{}", self.session), &Json::Null);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Base 64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for value in text.bytes().filter_map(digit) {
        bits = bits << 6 | u32::from(value);
        count += 6;
        if 8 <= count {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    bytes
}
