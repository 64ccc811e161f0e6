//! Searches before their turn: with several jobs the faults that come next are searched beside the one whose turn it is.
//!
//! Every search begins with nothing but the specification, so it comes to the same whenever it is done: what was found ahead is what
//! would have been found in time, and the number of jobs changes no byte. What turns out not to be needed is stopped and forgotten.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use ltl::Machine;
use omega::work::StopSignal;

use super::strategy_search::{Asked, Setting, Sought, StrategySearch};

/// A search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Task {
    /// For a small strategy of a fault at any frequency.
    Swift(usize),
    /// For the first strategy of a demand, which is at a place among all; and whether only something better is wanted.
    Whole(usize, bool),
}

/// What a search came to.
#[derive(Clone, Debug)]
pub(super) enum Result {
    /// A small strategy, and the place of its demand.
    Swift(Option<(usize, Machine)>),
    /// The answer for a demand.
    Whole(Sought),
}

impl Task {
    /// Does the search.
    fn done(self, setting: &Arc<Setting>) -> Result {
        let mut search = StrategySearch::new(setting);
        match self {
            Task::Swift(fault) => Result::Swift(search.swift(fault)),
            Task::Whole(place, better) => {
                let demand = &setting.demands[place].demand;
                Result::Whole(search.sought(&Asked { demand, better, excluded: &[], system: None }))
            }
        }
    }
}

/// What a thread needs of its stack, as much as the first one has.
const STACK: usize = 8 << 20;

/// Threads that search.
pub(super) struct Ahead {
    setting: Arc<Setting>,
    crew: Arc<Crew>,
    threads: Vec<JoinHandle<()>>,
}

#[derive(Default)]
struct Crew {
    board: Mutex<Board>,
    changed: Condvar,
}

/// What is to be done, what is being done, and what is done.
#[derive(Default)]
struct Board {
    /// The most urgent first.
    waiting: Vec<Task>,
    /// Each with a flag that stops it.
    running: BTreeMap<Task, Arc<AtomicBool>>,
    done: BTreeMap<Task, Result>,
    is_over: bool,
}

impl Board {
    fn is_new(&self, task: Task) -> bool {
        !self.running.contains_key(&task) && !self.done.contains_key(&task)
    }
}

impl Crew {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches until there is nothing more to do.
    fn work(&self, setting: &Arc<Setting>, end: Option<Instant>) {
        let mut board = self.board();
        while !board.is_over {
            if board.waiting.is_empty() {
                board = self.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let task = board.waiting.remove(0);
            let stopped = Arc::new(AtomicBool::new(false));
            board.running.insert(task, stopped.clone());
            drop(board);
            let (interrupt, seen) = (setting.interrupt.clone(), stopped.clone());
            // What is asked about vacuity is remembered for all, so that small searches are never stopped halfway.
            let small = matches!(task, Task::Swift(_));
            let signal = StopSignal::when(move || {
                let unwanted = !small && seen.load(Ordering::Relaxed);
                unwanted || interrupt.is_raised() || end.is_some_and(|end| end <= Instant::now())
            });
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| task.done(setting)));
            drop(signal);
            board = self.board();
            board.running.remove(&task);
            match result {
                Ok(result) if !stopped.load(Ordering::Relaxed) => {
                    board.done.insert(task, result);
                }
                // It was not wanted; if it is after all, it is done again, and fails again, where that is seen.
                Ok(_) | Err(_) => {}
            }
            self.changed.notify_all();
        }
    }
}

impl Ahead {
    /// So many threads; none if there is but one job.
    pub(super) fn new(setting: &Arc<Setting>, jobs: usize, end: Option<Instant>) -> Ahead {
        let crew = Arc::new(Crew::default());
        let count = if jobs < 2 { 0 } else { jobs };
        let threads = (0..count).filter_map(|_| {
            let (crew, setting) = (crew.clone(), setting.clone());
            std::thread::Builder::new().stack_size(STACK).spawn(move || crew.work(&setting, end)).ok()
        });
        Ahead { setting: setting.clone(), threads: threads.collect(), crew }
    }

    /// How many searches run at a time besides the one whose turn it is.
    pub(super) fn width(&self) -> usize {
        self.threads.len()
    }

    /// Says what is wanted next, the most urgent first, and what may still be wanted after that; everything else is stopped.
    pub(super) fn plan(&self, next: &[Task], useful: impl Fn(Task) -> bool) {
        if self.threads.is_empty() {
            return;
        }
        let mut board = self.crew.board();
        for (_, stopped) in board.running.iter().filter(|(task, _)| !useful(**task)) {
            stopped.store(true, Ordering::Relaxed);
        }
        board.done.retain(|task, _| useful(*task));
        board.waiting = next.iter().copied().filter(|task| board.is_new(*task)).collect();
        drop(board);
        self.crew.changed.notify_all();
    }

    /// What a search comes to: what was found ahead, or what is found now.
    pub(super) fn result(&self, task: Task) -> Result {
        let mut board = self.crew.board();
        loop {
            if let Some(result) = board.done.remove(&task) {
                return result;
            }
            let is_running = board.running.get(&task).is_some_and(|stopped| !stopped.load(Ordering::Relaxed));
            let is_next = board.waiting.contains(&task) && board.running.len() < self.threads.len();
            if !is_running && !is_next {
                break;
            }
            board = self.crew.changed.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
        board.waiting.retain(|other| *other != task);
        drop(board);
        task.done(&self.setting)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        let mut board = self.crew.board();
        board.is_over = true;
        board.waiting.clear();
        for stopped in board.running.values() {
            stopped.store(true, Ordering::Relaxed);
        }
        drop(board);
        self.crew.changed.notify_all();
        for thread in self.threads.drain(..) {
            // Whoever failed said so where it was asked.
            let _ = thread.join();
        }
    }
}
