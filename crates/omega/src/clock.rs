//! A clock that counts work. What is found within a budget must not depend on how fast a machine is or on who else uses it, so
//! budgets end at moments of this clock, which moves as the calling thread works. Whoever is asked by the user to end at a certain
//! time, or at once, ends all budgets of the thread by a [`Watch`].

use std::cell::{Cell, RefCell};
use std::ops::Add;
use std::time::{Duration, Instant};

/// A moment on the clock of the calling thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

/// The units of work that are counted as a second; about what a processor of today does.
const PER_SECOND: u64 = 10_000_000;

/// How many units pass between two looks at the watch.
const BETWEEN_LOOKS: u64 = 200_000;

/// Whether it is time to stop, as someone else sees it.
type Asked = Box<dyn Fn() -> bool>;

thread_local! {
    static DONE: Cell<u64> = const { Cell::new(0) };
    static LOOK: Cell<u64> = const { Cell::new(0) };
    static STOPPED: Cell<bool> = const { Cell::new(false) };
    static REAL: Cell<Option<Instant>> = const { Cell::new(None) };
    static WATCH: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

impl Moment {
    /// Now; the end of all time if the work shall stop.
    pub fn now() -> Moment {
        if is_stopped() {
            return Moment(u64::MAX);
        }
        match REAL.get() {
            Some(began) => Moment(units(began.elapsed())),
            None => Moment(DONE.get()),
        }
    }

    /// Some time after now.
    pub fn after(time: Duration) -> Moment {
        Moment::now() + time
    }

    /// Whether it has come.
    pub fn is_over(self) -> bool {
        self <= Moment::now()
    }

    /// The time until it comes.
    pub fn left(self) -> Duration {
        time(self.0.saturating_sub(Moment::now().0))
    }

    /// The time from an earlier moment.
    pub fn since(self, earlier: Moment) -> Duration {
        time(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Moment {
    type Output = Moment;

    fn add(self, time: Duration) -> Moment {
        Moment(self.0.saturating_add(units(time)))
    }
}

fn units(time: Duration) -> u64 {
    u64::try_from(time.as_nanos() * u128::from(PER_SECOND) / 1_000_000_000).unwrap_or(u64::MAX)
}

fn time(units: u64) -> Duration {
    Duration::from_secs(units / PER_SECOND) + Duration::from_nanos(units % PER_SECOND * (1_000_000_000 / PER_SECOND))
}

/// Says that some units of work were done: a unit is one step of an operation on decision diagrams.
pub fn did(work: u64) {
    let done = DONE.get().saturating_add(work);
    DONE.set(done);
    if LOOK.get() <= done {
        LOOK.set(done.saturating_add(BETWEEN_LOOKS));
        let stop = WATCH.with_borrow(|watch| watch.as_ref().is_some_and(|asked| asked()));
        STOPPED.set(STOPPED.get() || stop);
    }
}

/// Whether the work of the calling thread shall stop, whatever its budgets are.
pub fn is_stopped() -> bool {
    STOPPED.get()
}

/// As long as it lives, the work of the calling thread stops when someone asks for it.
#[must_use]
pub struct Watch(());

impl Watch {
    /// Asks again and again whether to stop.
    pub fn over(asked: impl Fn() -> bool + 'static) -> Watch {
        STOPPED.set(asked());
        LOOK.set(DONE.get().saturating_add(BETWEEN_LOOKS));
        WATCH.set(Some(Box::new(asked)));
        Watch(())
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        STOPPED.set(false);
        WATCH.set(None);
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
    fn the_clock_moves_with_work_alone() {
        let end = Moment::after(Duration::from_secs(1));
        assert_eq!(end.left(), Duration::from_secs(1));
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(end.left(), Duration::from_secs(1));
        did(PER_SECOND / 2);
        assert_eq!(end.left(), Duration::from_millis(500));
        did(PER_SECOND);
        assert!(end.is_over());
    }

    #[test]
    fn a_watch_ends_all_budgets_while_it_lives() {
        let end = Moment::after(Duration::from_secs(1000));
        let asked = std::rc::Rc::new(Cell::new(false));
        let seen = asked.clone();
        let watch = Watch::over(move || seen.get());
        did(BETWEEN_LOOKS);
        assert!(!end.is_over());
        asked.set(true);
        did(BETWEEN_LOOKS);
        assert!(end.is_over() && is_stopped());
        drop(watch);
        assert!(!end.is_over() && !is_stopped());
    }
}
