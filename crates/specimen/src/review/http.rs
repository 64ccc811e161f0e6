//! As much of HTTP as the workbench needs, with limits on everything: nothing is read, kept or waited for without one.
//!
//! One request for each connection. The head is read first; whoever answers decides on it alone whether the body is read at all, and
//! a body that is announced too large is refused before any room is made for it.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at the same time; more are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// A head with more bytes is refused.
const LARGEST_HEAD: usize = 16 << 10;
/// A body with more bytes is refused.
const LARGEST_BODY: u64 = 8 << 20;
/// How long a head may take to arrive.
const PATIENCE_HEAD: Duration = Duration::from_secs(5);
/// How long a body may take, and how long the other side may take to read an answer.
const PATIENCE_BODY: Duration = Duration::from_secs(20);
/// The stack of a thread: specifications are checked in it.
const STACK: usize = 16 << 20;

/// The head of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The method as it was written: `GET`, `POST` or another.
    pub(super) method: String,
    /// The path with its query.
    pub(super) target: String,
    headers: Vec<(String, String)>,
}

/// An answer: status, kind, text.
pub(super) type Answer = (u16, &'static str, String);

/// What answers requests.
pub(super) trait Service: Send + Sync + 'static {
    /// What the head alone decides: a refusal, or an answer that needs no body; none if the body is wanted.
    fn at_the_door(&self, head: &Head) -> Option<Answer>;
    /// What the whole request gets.
    fn reply(&self, head: &Head, body: &[u8]) -> Answer;
    /// Headers that every answer has.
    fn headers(&self) -> &'static [(&'static str, &'static str)];
}

impl Head {
    /// The value of a header; none if it is missing or there are several.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        let first = found.next()?;
        found.next().is_none().then_some(first.1.as_str())
    }

    /// Whether a header is there, once or more often.
    pub(super) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
    }

    /// Reads the lines of a head.
    fn parse(text: &str) -> Option<Head> {
        let mut lines = text.split("\r\n");
        let mut words = lines.next()?.split(' ');
        let (method, target, version) = (words.next()?, words.next()?, words.next()?);
        if words.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return None;
        }
        let header = |line: &str| {
            let (name, value) = line.split_once(':')?;
            let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
            plain.then(|| (name.to_owned(), value.trim().to_owned()))
        };
        let headers = lines.filter(|line| !line.is_empty()).map(header).collect::<Option<Vec<_>>>()?;
        Some(Head { method: method.to_owned(), target: target.to_owned(), headers })
    }

    /// How long the body is, or the status with which the request is refused.
    fn length(&self) -> Result<usize, u16> {
        if self.has("Transfer-Encoding") {
            return Err(411);
        }
        if !self.has("Content-Length") {
            return Ok(0);
        }
        let text = self
            .header("Content-Length")
            .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
            .ok_or(400u16)?;
        match text.parse::<u64>() {
            Ok(length) if length <= LARGEST_BODY => Ok(length as usize),
            // Digits only, so what is not a number here is too large for one.
            Ok(_) | Err(_) if !text.is_empty() => Err(413),
            _ => Err(400),
        }
    }
}

/// Answers requests for ever.
pub(super) fn serve(listener: &TcpListener, service: &Arc<impl Service>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // Mostly too many open files: some will be closed soon.
            thread::sleep(Duration::from_millis(50));
            continue;
        };
        let place = Place(open.clone());
        if MOST_CONNECTIONS <= open.fetch_add(1, Ordering::SeqCst) {
            continue;
        }
        let service = service.clone();
        let served = thread::Builder::new().stack_size(STACK).spawn(move || {
            let _place = place;
            // The client may be gone; there is nobody to tell.
            let _ = answer(stream, &*service);
        });
        drop(served);
    }
}

/// A connection that is counted while it is open.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn answer(mut stream: TcpStream, service: &impl Service) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE_BODY))?;
    let deadline = Instant::now() + PATIENCE_HEAD;
    let plain = |status: u16, words: &str| (status, "text/plain; charset=utf-8", words.to_owned());
    let (head, early) = match read_head(&mut stream, deadline)? {
        Ok(read) => read,
        Err(status) => return write(&mut stream, service, &plain(status, "this is not a request")),
    };
    if let Some(answer) = service.at_the_door(&head) {
        return write(&mut stream, service, &answer);
    }
    let length = match head.length() {
        Ok(length) => length,
        Err(413) => return write(&mut stream, service, &plain(413, "the request is too large")),
        Err(status) => return write(&mut stream, service, &plain(status, "the length of the request is not told")),
    };
    if head.header("Expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = early;
    body.truncate(length);
    let deadline = Instant::now() + PATIENCE_BODY;
    let mut part = [0; 8 << 10];
    while body.len() < length {
        let wanted = part.len().min(length - body.len());
        match read_some(&mut stream, &mut part[..wanted], deadline)? {
            0 => return Ok(()),
            count => body.extend_from_slice(&part[..count]),
        }
    }
    let answer = service.reply(&head, &body);
    write(&mut stream, service, &answer)
}

/// The head, and what came behind it; or the status of a refusal.
fn read_head(stream: &mut TcpStream, deadline: Instant) -> io::Result<Result<(Head, Vec<u8>), u16>> {
    let mut bytes: Vec<u8> = Vec::new();
    let mut part = [0; 4 << 10];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = std::str::from_utf8(&bytes[..end]).ok().and_then(Head::parse);
            return Ok(head.map(|head| (head, bytes.split_off(end + 4))).ok_or(400));
        }
        if LARGEST_HEAD <= bytes.len() {
            return Ok(Err(431));
        }
        match read_some(stream, &mut part, deadline)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&part[..count]),
        }
    }
}

/// Reads what is there, or waits for it up to a point of time.
fn read_some(stream: &mut TcpStream, into: &mut [u8], deadline: Instant) -> io::Result<usize> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    stream.set_read_timeout(Some(left))?;
    stream.read(into)
}

fn write(stream: &mut TcpStream, service: &impl Service, (status, kind, text): &Answer) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status} {}\r\nConnection: close\r\nContent-Type: {kind}\r\n", reason(*status));
    head += &format!("Content-Length: {}\r\n", text.len());
    for (name, value) in service.headers() {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    stream.write_all(head.as_bytes())?;
    stream.write_all(text.as_bytes())?;
    stream.flush()?;
    // What the other side is still sending is read and forgotten for a moment: closing at once would reset the connection and
    // could take the answer with it.
    stream.shutdown(std::net::Shutdown::Write)?;
    let deadline = Instant::now() + Duration::from_millis(500);
    let mut rest = [0; 8 << 10];
    let mut left = 64;
    while 0 < left && matches!(read_some(stream, &mut rest, deadline), Ok(count) if 0 < count) {
        left -= 1;
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(text: &str) -> Option<Head> {
        Head::parse(text)
    }

    #[test]
    fn heads_are_read_strictly() {
        let read = head("GET /a?b HTTP/1.1\r\nHost: x\r\nOrigin:http://x\r\n").expect("a head");
        assert_eq!((read.method.as_str(), read.target.as_str()), ("GET", "/a?b"));
        assert_eq!((read.header("host"), read.header("ORIGIN"), read.header("y")), (Some("x"), Some("http://x"), None));
        for text in
            ["", "GET", "GET /", "GET / HTTP/2", "GET / HTTP/1.1 x", "GET http://x/ HTTP/1.1", "GET / HTTP/1.1\r\nx"]
        {
            assert_eq!(head(text), None, "{text}");
        }
        // Two hosts are not host.
        assert_eq!(head("GET / HTTP/1.1\r\nHost: x\r\nHost: y").expect("a head").header("Host"), None);
    }

    #[test]
    fn lengths_are_limited_before_anything_is_read() {
        let length = |headers: &str| head(&format!("POST / HTTP/1.1\r\n{headers}")).expect("a head").length();
        assert_eq!(length(""), Ok(0));
        assert_eq!(length("Content-Length: 12"), Ok(12));
        assert_eq!(length("Content-Length: 18446744073709551615"), Err(413));
        assert_eq!(length("Content-Length: 99999999999999999999999999"), Err(413));
        assert_eq!(length("Content-Length: 8388609"), Err(413));
        for wrong in ["-1", "+1", "1x", "", "1, 1"] {
            assert_eq!(length(&format!("Content-Length: {wrong}")), Err(400), "{wrong}");
        }
        assert_eq!(length("Content-Length: 1\r\nContent-Length: 2"), Err(400));
        assert_eq!(length("Transfer-Encoding: chunked"), Err(411));
    }
}
