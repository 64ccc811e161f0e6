//! Hostile clients of the workbench: it stays alive, answers those who behave, and its memory stays flat.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::{Bench, Row};

/// How many idle connections are held at once.
const IDLE: usize = 500;

pub(super) fn run(bench: &Bench<'_>) -> Result<Vec<Row>, String> {
    let folder = bench.scratch.join("workbench");
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let mut child = Command::new(bench.program)
        .arg("review")
        .arg(folder.join("bench.specimen"))
        .arg("--no-open")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let address = address(&mut child);
    let rows = match &address {
        Some(address) => attacked(bench, address, child.id()),
        None => Err("the workbench says no address".to_owned()),
    };
    let _ = child.kill();
    let _ = child.wait();
    rows
}

/// Host, port and path that the workbench prints.
fn address(child: &mut Child) -> Option<(String, String)> {
    let streams: [Option<Box<dyn Read + Send>>; 2] = [
        child.stdout.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
        child.stderr.take().map(|stream| Box::new(stream) as Box<dyn Read + Send>),
    ];
    let (said, lines) = std::sync::mpsc::channel();
    for stream in streams.into_iter().flatten() {
        let said = said.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let _ = said.send(line);
            }
        });
    }
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(20)) {
        if let Some((_, rest)) = line.split_once("http://") {
            let whole = rest.split_whitespace().next()?;
            // What follows `#` is for the browser alone.
            let whole = whole.split('#').next()?;
            let (host, path) = whole.split_once('/').unwrap_or((whole, ""));
            return Some((host.to_owned(), format!("/{path}")));
        }
    }
    None
}

fn attacked(bench: &Bench<'_>, (host, path): &(String, String), process: u32) -> Result<Vec<Row>, String> {
    let before = memory(process);
    let long = "a".repeat(100_000);
    let requests = [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\n".to_owned(),
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n".to_owned(),
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nx".to_owned(),
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"),
        format!("GET / HTTP/1.1\r\nHost: x\r\n{}\r\n", "X: y\r\n".repeat(20_000)),
        "GET /../../../../etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n".to_owned(),
        "GET / HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n".to_owned(),
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET".to_owned(),
    ];
    let mut wrong = Vec::new();
    for _ in 0..bench.rounds {
        for request in &requests {
            let Ok(mut stream) = TcpStream::connect(host) else {
                wrong.push("no connection".to_owned());
                continue;
            };
            let _ = stream.set_read_timeout(Some(Duration::from_millis(300)));
            let _ = stream.write_all(request.as_bytes());
            let mut answer = [0; 2048];
            let got = stream.read(&mut answer).unwrap_or(0);
            let text = String::from_utf8_lossy(&answer[..got]);
            if text.starts_with("HTTP/1.1 200") && text.contains("root:") {
                wrong.push("a file of the system was served".to_owned());
            }
        }
    }
    let tried = bench.rounds * requests.len();
    wrong.extend(answers(host, path).err());
    let mut rows = vec![Row { part: "HTTP", what: "hostile requests, then a decent one".to_owned(), tried, wrong }];
    let mut held = Vec::new();
    let mut wrong = Vec::new();
    for _ in 0..IDLE {
        held.extend(TcpStream::connect(host).ok());
    }
    std::thread::sleep(Duration::from_secs(1));
    let threads = fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count);
    if 100 < threads {
        wrong.push(format!("{threads} threads"));
    }
    drop(held);
    wrong.extend(answers(host, path).err());
    let after = memory(process);
    if before + 50_000 < after {
        wrong.push(format!("memory grew from {before} to {after} kB"));
    }
    rows.push(Row {
        part: "HTTP",
        what: format!("{IDLE} idle connections, then a decent request; memory"),
        tried: 1,
        wrong,
    });
    Ok(rows)
}

/// Whether a client that behaves is served, after some patience with those who do not.
fn answers(host: &str, path: &str) -> Result<(), String> {
    for _ in 0..30 {
        if let Ok(mut stream) = TcpStream::connect(host) {
            let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
            let _ = write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
            let mut answer = [0; 32];
            let got = stream.read(&mut answer).unwrap_or(0);
            if answer[..got].starts_with(b"HTTP/1.1 200") {
                return Ok(());
            }
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    Err("a decent request is not answered".to_owned())
}

/// The memory of a process in kilobytes, as Linux tells it.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}
