//! A system under test behind a command: one test a line in, one answer a line out.

use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use process::Group;
use serde_json::Value as Json;
use testcase::TestRecord;

use crate::failure::Failure;

/// Longer answers are not answers.
const LONGEST_ANSWER: u64 = 1 << 20;

/// More lines than this that nobody asked for are not counted.
const UNASKED: usize = 1000;

/// A running command.
pub struct Adapter {
    group: Group,
    questions: Option<Sender<String>>,
    answers: Receiver<Vec<u8>>,
}

/// Why the answer is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Silence {
    /// The command ended; the text says how.
    Ended(String),
    /// The shell did not find the command, or could not run it.
    NotFound,
    /// It did not answer in time.
    Late(Duration),
    /// It wrote what is not a line of text.
    Garbage(String),
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::Ended(how) => write!(f, "the command ended without an answer ({how})"),
            Silence::NotFound => write!(f, "the shell could not run the command any more"),
            Silence::Late(patience) => write!(
                f,
                "no answer within {} s; an adapter must flush its output after every line",
                patience.as_secs_f64()
            ),
            Silence::Garbage(what) => write!(f, "the answer is {what}"),
        }
    }
}

/// What a test that is more than one question says of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The system does what it should.
    Pass,
    /// It does not; in words.
    Fail(String),
    /// The system went another way that the specification allows, too.
    Inconclusive(String),
    /// No answer came, or none that can be understood.
    Trouble(String),
}

/// Why a conversation ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hush {
    /// The adapter cannot do what it is asked.
    Invalid(String),
    /// No answer came, or none that can be understood.
    Trouble(String),
}

/// Asks the system under test and waits for its answer.
pub type Ask<'a> = dyn FnMut(&Json) -> Result<Json, Hush> + 'a;

/// Carries out a test by asking; what came of it, and what was given and seen.
pub type Converse = fn(&TestRecord, &mut Ask<'_>) -> Result<(Told, Vec<String>), Hush>;

impl Adapter {
    /// Starts a command through the shell.
    pub fn start(command: &str) -> Result<Adapter, Failure> {
        let mut process = Command::new("sh");
        process.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let cannot = |error| Failure::Environment(format!("cannot start sh: {error}"));
        let mut group = Group::spawn(&mut process).map_err(cannot)?;
        let child = group.child();
        let stdin = child.stdin.take().expect("standard input is piped");
        let stdout = child.stdout.take().expect("standard output is piped");
        let (questions, asked) = channel();
        let (answered, answers) = sync_channel(16);
        // Threads of their own: neither a full pipe nor an empty one holds the clock up.
        thread::spawn(move || write_lines(stdin, &asked));
        thread::spawn(move || read_lines(BufReader::new(stdout), &answered));
        Ok(Adapter { group, questions: Some(questions), answers })
    }

    /// Asks one line and waits for the answer.
    pub fn ask(&mut self, question: String, patience: Duration) -> Result<String, Silence> {
        if let Some(questions) = &self.questions {
            // A command that has ended is noticed when its answer does not come.
            let _ = questions.send(question);
        }
        match self.answers.recv_timeout(patience) {
            Ok(bytes) if bytes.len() as u64 == LONGEST_ANSWER => {
                Err(Silence::Garbage(format!("a line of {LONGEST_ANSWER} bytes or more")))
            }
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| Silence::Garbage("a line that is not UTF-8".to_owned())),
            Err(RecvTimeoutError::Timeout) => Err(Silence::Late(patience)),
            Err(RecvTimeoutError::Disconnected) => Err(match self.group.wait(Duration::from_secs(1)) {
                Some(status) if matches!(status.code(), Some(126 | 127)) => Silence::NotFound,
                Some(status) => Silence::Ended(status.to_string()),
                None => Silence::Ended("it closed its output".to_owned()),
            }),
        }
    }

    /// Whether a line waits that nobody asked for.
    pub fn has_spoken(&self) -> bool {
        self.answers.try_recv().is_ok()
    }

    /// Closes the input and waits for the end: how many lines came that nobody asked for.
    pub fn finish(mut self, patience: Duration) -> usize {
        self.questions = None;
        let end = Instant::now() + patience;
        let mut unasked = 0;
        while unasked < UNASKED && self.answers.recv_timeout(end.saturating_duration_since(Instant::now())).is_ok() {
            unasked += 1;
        }
        self.group.wait(end.saturating_duration_since(Instant::now()));
        unasked
    }
}

fn write_lines(mut stdin: ChildStdin, asked: &Receiver<String>) {
    for mut line in asked {
        line.push('\n');
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(mut stdout: impl BufRead, answered: &SyncSender<Vec<u8>>) {
    loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(LONGEST_ANSWER).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if answered.send(line).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(20);

    fn ask(command: &str, patience: Duration) -> Result<String, Silence> {
        Adapter::start(command).expect("there is a shell").ask("{}".to_owned(), patience)
    }

    #[test]
    fn each_way_not_to_answer_is_told_apart() {
        assert_eq!(ask("while read line; do echo true; done", PATIENCE), Ok("true\n".to_owned()));
        assert_eq!(ask("no-such-command-anywhere 2>/dev/null", PATIENCE), Err(Silence::NotFound));
        assert_eq!(ask("exit 3", PATIENCE), Err(Silence::Ended("exit status: 3".to_owned())));
        let short = Duration::from_millis(300);
        assert_eq!(ask("sleep 60; echo true", short), Err(Silence::Late(short)));
        assert!(matches!(ask("printf '\\377\\n'; sleep 60", PATIENCE), Err(Silence::Garbage(_))));
        assert!(matches!(ask("head -c 3000000 /dev/zero; sleep 60", PATIENCE), Err(Silence::Garbage(_))));
    }

    #[test]
    fn lines_nobody_asked_for_are_counted() {
        let mut adapter = Adapter::start("read line; echo true; echo false; echo false").expect("there is a shell");
        assert!(adapter.ask("{}".to_owned(), PATIENCE).is_ok());
        assert_eq!(adapter.finish(PATIENCE), 2);
    }
}
