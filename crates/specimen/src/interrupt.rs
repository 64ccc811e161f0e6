//! Ctrl-C: the first ends the search with what it has, the second ends the program.

use smt::Interrupt;

use crate::output::say;

/// An interrupt that Ctrl-C raises.
pub(crate) fn on_ctrl_c() -> Interrupt {
    let interrupt = Interrupt::new();
    let raised = interrupt.clone();
    // Where no handler can be installed, Ctrl-C ends the program at once, which is safe: files are replaced whole.
    let _ = ctrlc::set_handler(move || {
        if raised.is_raised() {
            std::process::exit(130);
        }
        raised.raise();
        say("interrupted: finishing with what was found (press Ctrl-C again to end at once)");
    });
    interrupt
}
