//! Work, counted: what is found within a budget must not depend on how fast a machine is or on who else uses it, so budgets end
//! after so many steps of the calling thread, whatever time these take. Whoever is asked by the user to end at a certain time, or
//! at once, ends all budgets of the thread by a [`StopSignal`].

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// The end of a budget, in steps of the calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(u64);

/// The steps that stand for a second where a user names seconds; about what a processor of today does.
const STEPS_PER_SECOND: u64 = 10_000_000;

/// How many steps are done between two questions whether to stop.
const STEPS_PER_QUESTION: u64 = 200_000;

/// Whether it is time to stop, as someone else sees it.
type Asked = Box<dyn Fn() -> bool>;

thread_local! {
    static SPENT: Cell<u64> = const { Cell::new(0) };
    static NEXT_QUESTION: Cell<u64> = const { Cell::new(0) };
    static STOPPED: Cell<bool> = const { Cell::new(false) };
    static REAL: Cell<Option<Instant>> = const { Cell::new(None) };
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

impl Deadline {
    /// The steps done so far; more than any budget if the work shall stop.
    pub fn now() -> Deadline {
        if is_stopped() {
            return Deadline(u64::MAX);
        }
        match REAL.get() {
            Some(began) => Deadline(steps_in(began.elapsed())),
            None => Deadline(SPENT.get()),
        }
    }

    /// After so many more steps.
    pub fn after(steps: u64) -> Deadline {
        Deadline(Deadline::now().0.saturating_add(steps))
    }

    /// Whether it has come.
    pub fn is_over(self) -> bool {
        self <= Deadline::now()
    }

    /// The steps until it comes.
    pub fn left(self) -> u64 {
        self.0.saturating_sub(Deadline::now().0)
    }

    /// The steps from an earlier one.
    pub fn since(self, earlier: Deadline) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}

/// The steps that stand for a time that a user names.
pub fn steps_in(time: Duration) -> u64 {
    u64::try_from(time.as_nanos() * u128::from(STEPS_PER_SECOND) / 1_000_000_000).unwrap_or(u64::MAX)
}

/// Says that some steps were done: one is about an operation on a node of decision diagrams.
pub fn spend(steps: u64) {
    let spent = SPENT.get().saturating_add(steps);
    SPENT.set(spent);
    if NEXT_QUESTION.get() <= spent {
        NEXT_QUESTION.set(spent.saturating_add(STEPS_PER_QUESTION));
        let stop = ASKED.with_borrow(|asked| asked.as_ref().is_some_and(|asked| asked()));
        STOPPED.set(STOPPED.get() || stop);
    }
}

/// The steps that the calling thread has done, whatever clock its budgets go by.
pub fn spent() -> u64 {
    SPENT.get()
}

/// Whether the work of the calling thread shall stop, whatever its budgets are.
pub fn is_stopped() -> bool {
    STOPPED.get()
}

/// As long as it lives, the work of the calling thread stops when someone asks for it.
#[must_use]
pub struct StopSignal(());

impl StopSignal {
    /// Asks again and again whether to stop.
    pub fn when(asked: impl Fn() -> bool + 'static) -> StopSignal {
        STOPPED.set(asked());
        NEXT_QUESTION.set(SPENT.get().saturating_add(STEPS_PER_QUESTION));
        ASKED.set(Some(Box::new(asked)));
        StopSignal(())
    }
}

impl Drop for StopSignal {
    fn drop(&mut self) {
        STOPPED.set(false);
        ASKED.set(None);
    }
}

/// Does something by the real clock: where all that matters is when the user wants an answer.
pub fn in_real_time<T>(work: impl FnOnce() -> T) -> T {
    let before = REAL.replace(Some(Instant::now()));
    let done = work();
    REAL.set(before);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_shrinks_with_work_alone() {
        let end = Deadline::after(1_000);
        assert_eq!(end.left(), 1_000);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(end.left(), 1_000);
        spend(400);
        assert_eq!(end.left(), 600);
        spend(1_000);
        assert!(end.is_over());
    }

    #[test]
    fn a_signal_ends_all_budgets_while_it_lives() {
        let end = Deadline::after(steps_in(Duration::from_secs(1_000)));
        let asked = std::rc::Rc::new(Cell::new(false));
        let seen = asked.clone();
        let signal = StopSignal::when(move || seen.get());
        spend(STEPS_PER_QUESTION);
        assert!(!end.is_over());
        asked.set(true);
        spend(STEPS_PER_QUESTION);
        assert!(end.is_over() && is_stopped());
        drop(signal);
        assert!(!end.is_over() && !is_stopped());
    }
}
