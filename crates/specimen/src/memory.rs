//! The memory of the whole program, watched from outside: a search that takes too much ends with what it has found.
//!
//! It covers what a search cannot count itself: the SAT solver, terms, the standard library. Only Linux tells how much that is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, sleep};
use std::time::Duration;

use smt::Interrupt;

/// How often the memory is looked at. A search takes at most some hundred megabytes a second.
const GLANCE: Duration = Duration::from_millis(10);

/// A watch over a search. It ends when this is dropped.
pub(crate) struct Watch {
    exceeded: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Watch {
    /// Raises the interrupt as soon as the program uses more than this many mebibytes.
    pub(crate) fn new(mebibytes: u64, interrupt: Interrupt) -> Watch {
        let watch = Watch { exceeded: Arc::default(), over: Arc::default() };
        let (exceeded, over) = (watch.exceeded.clone(), watch.over.clone());
        let watched = move || {
            while !over.load(Ordering::Relaxed) {
                if resident().is_some_and(|kibibytes| mebibytes.saturating_mul(1 << 10) < kibibytes) {
                    exceeded.store(true, Ordering::Relaxed);
                    interrupt.raise();
                    return;
                }
                sleep(GLANCE);
            }
        };
        // Where no thread can be had, memory is short, and what the system says when there is none left is all there is.
        let _ = Builder::new().stack_size(1 << 16).spawn(watched);
        watch
    }

    /// Whether the search was ended.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.exceeded.load(Ordering::Relaxed)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}

/// What the program uses, in kibibytes.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_uses_more_than_it_may_is_interrupted() {
        let (high, low) = (Interrupt::new(), Interrupt::new());
        let (roomy, tight) = (Watch::new(1 << 20, high.clone()), Watch::new(1, low.clone()));
        while !low.is_raised() {
            sleep(GLANCE);
        }
        assert!(tight.is_exceeded() && !roomy.is_exceeded() && !high.is_raised());
    }
}
