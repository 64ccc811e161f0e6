//! The server of the workbench: on this machine only, for whoever knows the address.
//!
//! The address holds a token nobody can guess, and a request must name this server as its host and, if a page of some other
//! origin made it, is refused. So no other page in the same browser can read or change anything.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use serde_json::{Value as Json, json};
use tiny_http::{Header, Method, Request, Response, Server};

use super::desk::{self, Desk, Refusal};
use super::manual::manual;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Form, Output};

/// Larger requests are refused.
const LARGEST_REQUEST: u64 = 8 << 20;

/// Requests answered at the same time.
const WORKERS: usize = 4;

const PAGE: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/review.css");
const SCRIPT: &str = include_str!("page/review.js");

/// What every answer says besides: nothing is loaded from elsewhere, nothing is kept, nobody frames it.
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
    let server = Server::http(("127.0.0.1", port))
        .map_err(|error| Failure::Environment(format!("cannot listen on 127.0.0.1:{port}: {error}")))?;
    let port = server.server_addr().to_ip().map_or(port, |address| address.port());
    let door = Arc::new(Door { token: token()?, port, desk: Desk::new(&folder) });
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
    let server = Arc::new(server);
    let workers = (0..WORKERS).map(|_| {
        let (server, door) = (server.clone(), door.clone());
        thread::spawn(move || {
            while let Ok(request) = server.recv() {
                door.answer(request);
            }
        })
    });
    for worker in workers.collect::<Vec<_>>() {
        let _ = worker.join();
    }
    Ok(Exit::Done)
}

/// Who may come in, and to what.
struct Door {
    token: String,
    port: u16,
    desk: Desk,
}

/// An answer: status, kind, text.
type Answer = (u16, &'static str, String);

impl Door {
    fn answer(&self, mut request: Request) {
        let (status, kind, text) = self.reply(&mut request);
        let mut response = Response::from_string(text).with_status_code(status);
        let headers = HEADERS.iter().copied().chain([("Content-Type", kind)]);
        for (name, value) in headers {
            if let Ok(header) = Header::from_bytes(name, value) {
                response.add_header(header);
            }
        }
        // Whoever asked may be gone; there is nobody to tell.
        let _ = request.respond(response);
    }

    fn reply(&self, request: &mut Request) -> Answer {
        if !self.is_for_us(request) {
            return (403, "text/plain; charset=utf-8", "this address is not for you".to_owned());
        }
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let inside = path.strip_prefix('/').and_then(|rest| rest.strip_prefix(self.token.as_str()));
        let Some(inside) = inside.and_then(|rest| rest.strip_prefix('/')) else {
            return (404, "text/plain; charset=utf-8", "there is nothing here".to_owned());
        };
        match (request.method(), inside) {
            (Method::Get, "") => (200, "text/html; charset=utf-8", PAGE.to_owned()),
            (Method::Get, "review.css") => (200, "text/css; charset=utf-8", STYLE.to_owned()),
            (Method::Get, "review.js") => (200, "text/javascript; charset=utf-8", SCRIPT.to_owned()),
            (Method::Get, "api/projects") => as_json(self.desk.projects()),
            (Method::Get, "api/project") => {
                as_json(self.desk.state(&decoded(query.strip_prefix("file=").unwrap_or(""))))
            }
            (Method::Get, "api/manual") => {
                let page = manual(&decoded(query.strip_prefix("language=").unwrap_or("")));
                as_json(page.map(|page| json!({ "page": page })).ok_or((404, "there is no such language".to_owned())))
            }
            (Method::Post, verb) => match verb.strip_prefix("api/") {
                Some(verb) => {
                    let verb = verb.to_owned();
                    as_json(body(request).and_then(|body| self.act(&verb, &body)))
                }
                None => (404, "text/plain; charset=utf-8", "there is nothing here".to_owned()),
            },
            _ => (404, "text/plain; charset=utf-8", "there is nothing here".to_owned()),
        }
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
    fn is_for_us(&self, request: &Request) -> bool {
        let header = |name: &'static str| {
            let found = request.headers().iter().find(|header| header.field.equiv(name));
            found.map(|header| header.value.as_str().to_owned())
        };
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = header("Host").is_some_and(|host| ours.contains(&host));
        let origin = header("Origin").is_none_or(|origin| ours.iter().any(|ours| origin == format!("http://{ours}")));
        host && origin
    }
}

fn as_json(result: Result<Json, Refusal>) -> Answer {
    match result {
        Ok(json) => (200, "application/json", json.to_string()),
        Err((status, words)) => (status, "application/json", json!({ "error": words }).to_string()),
    }
}

/// The JSON of a request.
fn body(request: &mut Request) -> Result<Json, Refusal> {
    let mut bytes = Vec::new();
    let read = request.as_reader().take(LARGEST_REQUEST + 1).read_to_end(&mut bytes);
    read.map_err(|error| (400, error.to_string()))?;
    if LARGEST_REQUEST < bytes.len() as u64 {
        return Err((413, "the request is too large".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| (400, format!("the request is not JSON: {error}")))
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
    getrandom::fill(&mut bytes).map_err(|error| Failure::Environment(format!("there is no randomness: {error}")))?;
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
