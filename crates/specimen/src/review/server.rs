//! The server of the workbench: on this machine only, for those who know the address.
//!
//! The address holds a token nobody can guess, and a request must name this server as its host and, if a page of some other
//! origin made it, is refused. So no other page in the same browser can read or change anything.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use front::exit::Exit;
use front::failure::Failure;
use front::output::{Form, Output};
use serde_json::{Value as Json, json};

use super::desk::{self, Desk, Refusal};
use super::folder::{Address, Held};
use super::http::{self, Answer, Head, Service};
use super::manual::manual;

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/review.css");
const SCRIPT: &str = include_str!("page/review.js");

/// What every answer says in its head: nothing is loaded from elsewhere, nothing is kept, nobody frames it.
const HEADERS: &[(&str, &str)] = &[
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cache-Control", "no-store"),
];

/// Serves the projects of a folder until the program is ended.
pub(crate) fn serve(output: &Output, path: &Path, port: u16, open: bool) -> Result<Exit, Failure> {
    let (folder, file) = desk::opened(path)?;
    let (mut held, last) = Held::take(&folder)?;
    let listener = listen(port, last.as_ref())?;
    let port = listener.local_addr().map_or(port, |address| address.port());
    // Who knew the address before knows it still: open pages go on after a restart.
    let token = last.map_or_else(token, |last| Ok(last.token))?;
    held.remember(&Address { token: token.clone(), port });
    let door = Arc::new(Door { token, port, desk: Desk::new(&folder) });
    let place = file.map(|file| format!("#{file}")).unwrap_or_default();
    let url = format!("http://127.0.0.1:{port}/{}/{place}", door.token);
    match output.form {
        Form::Human => output
            .product(&format!("the workbench is at {url}\nend it with Ctrl-C; every change is saved at once\n"))?,
        Form::Json => output.product(&format!("{}\n", json!({ "url": url })))?,
    }
    if open {
        open_browser(&url);
    }
    http::serve(&listener, &door);
    Ok(Exit::Done)
}

/// Listens on the port that was asked for; otherwise on that of the last time, or on a free one.
fn listen(port: u16, last: Option<&Address>) -> Result<TcpListener, Failure> {
    if port == 0
        && let Some(last) = last
        && let Ok(listener) = TcpListener::bind(("127.0.0.1", last.port))
    {
        return Ok(listener);
    }
    TcpListener::bind(("127.0.0.1", port))
        .map_err(|error| Failure::Environment(format!("cannot listen on 127.0.0.1:{port}: {error}")))
}

/// Who may come in, and to what.
struct Door {
    token: String,
    port: u16,
    desk: Desk,
}

impl Service for Door {
    fn at_the_door(&self, head: &Head) -> Option<Answer> {
        if !self.is_for_us(head) {
            return Some((403, "text/plain; charset=utf-8", "this address is not for you".to_owned()));
        }
        let nothing = (404, "text/plain; charset=utf-8", "there is nothing here".to_owned());
        let Some((inside, query)) = self.inside(head) else { return Some(nothing) };
        let answer = match (head.method.as_str(), inside) {
            ("GET", "") => (200, "text/html; charset=utf-8", PAGE.to_owned()),
            ("GET", "review.css") => (200, "text/css; charset=utf-8", STYLE.to_owned()),
            ("GET", "review.js") => (200, "text/javascript; charset=utf-8", SCRIPT.to_owned()),
            ("GET", "api/projects") => as_json(self.desk.projects()),
            ("GET", "api/project") => as_json(self.desk.state(&decoded(query.strip_prefix("file=").unwrap_or("")))),
            ("GET", "api/manual") => {
                let page = manual(&decoded(query.strip_prefix("language=").unwrap_or("")));
                as_json(page.map(|page| json!({ "page": page })).ok_or((404, "unknown language".to_owned())))
            }
            ("POST", verb) if verb.starts_with("api/") => return None,
            _ => nothing,
        };
        Some(answer)
    }

    fn reply(&self, head: &Head, body: &[u8]) -> Answer {
        let verb = self.inside(head).and_then(|(inside, _)| inside.strip_prefix("api/")).unwrap_or_default();
        let body = serde_json::from_slice(body).map_err(|error| (400, format!("the request is not JSON: {error}")));
        as_json(body.and_then(|body| self.act(verb, &body)))
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        HEADERS
    }
}

impl Door {
    /// The path behind the token, and the query.
    fn inside<'h>(&self, head: &'h Head) -> Option<(&'h str, &'h str)> {
        let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
        let inside = path.strip_prefix('/')?.strip_prefix(self.token.as_str())?.strip_prefix('/')?;
        Some((inside, query))
    }

    fn act(&self, verb: &str, body: &Json) -> Result<Json, Refusal> {
        let text = |name: &str| body[name].as_str().unwrap_or_default();
        match verb {
            "create" => self.desk.create(text("title"), text("language")),
            "check" => self.desk.check(text("language"), text("specification")),
            "change" => self.desk.change(text("file"), body),
            "answer" => self.desk.answer(text("file"), text("person"), text("test"), body["allowed"].as_bool()),
            "draw" => self.desk.draw(text("file")),
            "remove" => self.desk.remove(text("file")),
            "stop" => {
                self.desk.stop(text("file"));
                self.desk.state(text("file"))
            }
            _ => Err((404, "there is nothing here".to_owned())),
        }
    }

    /// Whether a request names this server, and no page of another origin made it.
    fn is_for_us(&self, head: &Head) -> bool {
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = head.header("Host").is_some_and(|host| ours.iter().any(|ours| host == ours));
        let origin = match head.has("Origin") {
            true => {
                head.header("Origin").is_some_and(|origin| ours.iter().any(|ours| origin == format!("http://{ours}")))
            }
            false => true,
        };
        host && origin
    }
}

fn as_json(result: Result<Json, Refusal>) -> Answer {
    match result {
        Ok(json) => (200, "application/json", json.to_string()),
        Err((status, words)) => (status, "application/json", json!({ "error": words }).to_string()),
    }
}

/// A text in which `%20` is a space.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                plain.push(byte);
                at += 3;
            }
            None => {
                plain.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

/// 128 random bits.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|error| Failure::Environment(format!("the system has no source of randomness: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Asks the system for a browser. Where there is none, the address is on the terminal.
fn open_browser(url: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let _ = Command::new(opener).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_addresses_are_decoded() {
        for (written, meant) in [("a%20b.specimen", "a b.specimen"), ("%C3%BC", "ü"), ("%zz%4", "%zz%4"), ("", "")] {
            assert_eq!(decoded(written), meant);
        }
    }

    #[test]
    fn tokens_differ_and_are_long() {
        let (one, other) = (token().expect("random"), token().expect("random"));
        assert_eq!(one.len(), 32);
        assert_ne!(one, other);
    }
}
