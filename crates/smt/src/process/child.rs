//! A running solver: threads write and read its pipes, so that nobody waits for a program that does not answer.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use process::Group;

use super::response::Responses;
use crate::Interrupt;

/// A longer single response is not an answer.
const LONGEST: usize = 256 << 20;
/// How often the interrupt is looked at.
const PATIENCE: Duration = Duration::from_millis(10);
/// How much of what the program says on its error output is kept.
const TAIL: usize = 2_000;

/// A running program.
pub(super) struct Conversation {
    group: Group,
    input: Option<Sender<String>>,
    output: Receiver<Vec<u8>>,
    errors: Arc<Mutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    responses: Responses,
    ended: bool,
}

/// Why the response is missing.
pub(super) enum Silence {
    /// The deadline passed.
    Time,
    /// Someone raised the interrupt.
    Interrupted,
    /// The program ended: how, and what it said last.
    Died(String),
    /// The response does not end.
    Endless,
}

impl Conversation {
    pub(super) fn start(path: &Path, args: &[String]) -> std::io::Result<Conversation> {
        let mut command = Command::new(path);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::spawn(&mut command)?;
        let child = group.child();
        let mut stdin = child.stdin.take().expect("the input is a pipe");
        let stdout = child.stdout.take().expect("the output is a pipe");
        let stderr = child.stderr.take().expect("the error output is a pipe");
        let (input, texts) = channel::<String>();
        std::thread::spawn(move || {
            for text in texts {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let (sender, output) = channel();
        std::thread::spawn(move || pump(stdout, |chunk| sender.send(chunk.to_vec()).is_ok()));
        let errors = Arc::new(Mutex::new(Vec::new()));
        let kept = errors.clone();
        let listener = std::thread::spawn(move || pump(stderr, |chunk| keep_tail(&kept, chunk)));
        let (input, responses) = (Some(input), Responses::default());
        Ok(Conversation { group, input, output, errors, listener, responses, ended: false })
    }

    /// Sends commands; a program that is gone is noticed when it does not respond.
    pub(super) fn say(&self, text: String) {
        if let Some(input) = &self.input {
            // The writer ends only when the program is gone.
            let _ = input.send(text);
        }
    }

    /// The next expression the program says.
    pub(super) fn hear(&mut self, deadline: Option<Instant>, interrupt: &Interrupt) -> Result<String, Silence> {
        loop {
            if let Some(response) = self.responses.take(self.ended) {
                return Ok(response);
            }
            if self.ended {
                return Err(Silence::Died(self.obituary()));
            }
            if LONGEST < self.responses.len() {
                return Err(Silence::Endless);
            }
            if interrupt.is_raised() {
                return Err(Silence::Interrupted);
            }
            let left = deadline.map_or(PATIENCE, |deadline| deadline.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return Err(Silence::Time);
            }
            match self.output.recv_timeout(left.min(PATIENCE)) {
                Ok(chunk) => self.responses.extend(&chunk),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.ended = true,
            }
        }
    }

    /// How the program ended and what it said last. Its output is closed, so it is about to end if it has not.
    fn obituary(&mut self) -> String {
        let start = Instant::now();
        let status = self.group.wait(Duration::from_millis(200));
        let status = status.map_or_else(|| "it closed its output".to_owned(), |status| status.to_string());
        while !self.listener.is_finished() && start.elapsed() < Duration::from_millis(200) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let said = match self.errors.lock() {
            Ok(errors) => String::from_utf8_lossy(&errors).trim().to_owned(),
            Err(_) => String::new(),
        };
        let parts = [status, self.responses.rest(), said];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.input = None;
        self.group.end();
    }
}

fn pump(mut from: impl Read, mut to: impl FnMut(&[u8]) -> bool) {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match from.read(&mut buffer) {
            Ok(0) | Err(_) => return,
            Ok(length) if !to(&buffer[..length]) => return,
            Ok(_) => {}
        }
    }
}

fn keep_tail(kept: &Mutex<Vec<u8>>, chunk: &[u8]) -> bool {
    let Ok(mut kept) = kept.lock() else { return false };
    kept.extend_from_slice(chunk);
    let excess = kept.len().saturating_sub(TAIL);
    kept.drain(..excess);
    true
}
