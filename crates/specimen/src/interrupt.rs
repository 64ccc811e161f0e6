//! Ctrl-C, and the signals that ask a program to end: the first ends the search with what it has, the second ends the program.

use std::sync::{Mutex, PoisonError};

use smt::Interrupt;

use crate::terminal::say;

/// The search that Ctrl-C ends. A session has one after the other.
static CURRENT: Mutex<Option<Interrupt>> = Mutex::new(None);

/// The interrupt that Ctrl-C raises now; one is made where there is none.
pub(crate) fn current() -> Interrupt {
    let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner).clone();
    current.unwrap_or_else(on_ctrl_c)
}

/// An interrupt that Ctrl-C raises.
pub(crate) fn on_ctrl_c() -> Interrupt {
    let interrupt = Interrupt::new();
    *CURRENT.lock().unwrap_or_else(PoisonError::into_inner) = Some(interrupt.clone());
    // Where no handler can be installed, Ctrl-C ends the program at once, which is safe: files are replaced whole. There is one
    // already after the first search.
    let _ = ctrlc::set_handler(|| {
        let current = CURRENT.lock().unwrap_or_else(PoisonError::into_inner);
        match current.as_ref() {
            Some(interrupt) if !interrupt.is_raised() => {
                interrupt.raise();
                say("interrupted: finishing with what was found (press Ctrl-C again to end at once)");
            }
            Some(_) | None => std::process::exit(130),
        }
    });
    interrupt
}
