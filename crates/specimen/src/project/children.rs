//! Runs of this program by itself: each unit is searched by a process of its own, so that what goes wrong in one ends no other.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use front::failure::Failure;
use process::Group;
use smt::Interrupt;

/// How long a process may take to write down what it has, once it was asked to end.
const FAREWELL: Duration = Duration::from_secs(5);

/// How often a process is looked at.
const GLANCE: Duration = Duration::from_millis(5);

/// Runs of this program, several at a time.
pub(crate) struct Children {
    program: PathBuf,
    jobs: usize,
    interrupt: Interrupt,
    deadline: Option<Instant>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    /// Its exit code; none if it was ended.
    pub(crate) exit: Option<i32>,
    /// What it printed.
    pub(crate) product: String,
    /// What it said.
    pub(crate) said: String,
}

impl Children {
    /// So many at a time, until somebody interrupts or the time is over.
    pub(crate) fn new(jobs: usize, interrupt: Interrupt, timeout: Option<Duration>) -> Result<Children, Failure> {
        let program = std::env::current_exe()
            .map_err(|error| Failure::Environment(format!("cannot find this program to run it again: {error}")))?;
        Ok(Children { program, jobs, interrupt, deadline: timeout.map(|timeout| Instant::now() + timeout) })
    }

    /// Whether no further run is to be started.
    pub(crate) fn is_over(&self) -> bool {
        self.interrupt.is_raised() || self.deadline.is_some_and(|deadline| deadline <= Instant::now())
    }

    /// Does something for each item, several at a time and in order; `done` hears of each when it has ended.
    pub(crate) fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        work: impl Fn(&T) -> R + Sync,
        done: impl Fn(&T, R) + Sync,
    ) {
        let next = AtomicUsize::new(0);
        let one_at_a_time = Mutex::new(());
        let worker = || {
            while !self.is_over() {
                let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                let result = work(item);
                let _turn = one_at_a_time.lock();
                done(item, result);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.min(items.len()).max(1) {
                scope.spawn(worker);
            }
        });
    }

    /// Does something for each item, several at a time: the results in the order of the items; none for those that were not begun
    /// when the time was over.
    pub(crate) fn all<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<Option<R>> {
        let places: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let numbers: Vec<usize> = (0..items.len()).collect();
        let keep = |number: &usize, result: R| *places[*number].lock().expect("no worker panics") = Some(result);
        self.each(&numbers, |number| work(&items[*number]), keep);
        places.into_iter().map(|place| place.into_inner().expect("no worker panics")).collect()
    }

    /// Runs this program in a folder.
    pub(crate) fn run(&self, folder: &Path, words: &[String]) -> Result<Ended, Failure> {
        let failed = |error: std::io::Error| Failure::Environment(format!("cannot run this program again: {error}"));
        let files = tempfile::tempdir().map_err(failed)?;
        let (product, said) = (files.path().join("product"), files.path().join("said"));
        let mut command = Command::new(&self.program);
        command.arg("--color=never").args(words).current_dir(folder).stdin(Stdio::null());
        command.stdout(File::create(&product).map_err(failed)?).stderr(File::create(&said).map_err(failed)?);
        let mut group = Group::spawn(&mut command).map_err(failed)?;
        let mut asked: Option<Instant> = None;
        let status = loop {
            match (group.status(), asked) {
                (Some(status), _) => break Some(status),
                (None, Some(when)) if FAREWELL < when.elapsed() => break None,
                (None, None) if self.is_over() => {
                    group.ask_to_end();
                    asked = Some(Instant::now());
                }
                (None, _) => std::thread::sleep(GLANCE),
            }
        };
        drop(group);
        let text = |path: &Path| std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok(Ended {
            exit: status.and_then(|status| status.code()),
            product: text(&product).map_err(failed)?,
            said: text(&said).map_err(failed)?,
        })
    }
}

impl Ended {
    /// The line with the counts of goals among what was printed.
    pub(crate) fn counts(&self) -> Option<&str> {
        self.product.lines().rfind(|line| line.contains(" goal") && line.contains(": "))
    }

    /// What was wrong, in a line: the first error that was said.
    pub(crate) fn message(&self) -> String {
        let error = self.said.lines().find(|line| line.starts_with("error") || line.starts_with("specimen has a bug"));
        match (error, self.exit) {
            (Some(line), _) => after_code(line).to_owned(),
            (None, Some(code)) => format!("it ended with exit code {code}"),
            (None, None) => "it was ended by a signal".to_owned(),
        }
    }
}

/// What a line says after `error: ` or `error[code]: `.
fn after_code(line: &str) -> &str {
    match line.strip_prefix("error") {
        Some(rest) => rest.split_once(": ").map_or(line, |(_, said)| said),
        None => line,
    }
}
