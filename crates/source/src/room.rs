//! Room for deep recursion: a thread with a large stack.

use std::fmt;
use std::panic::{panic_any, resume_unwind};
use std::thread::{Builder, scope};

/// The system does not give the room. [`with_room`] panics with it: it is nobody's mistake in a text, and the end of the program says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRoom {
    stack: usize,
    detail: String,
}

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.stack >> 20;
        write!(f, "a thread with {size} MiB of address space for its stack cannot be started: {}", self.detail)
    }
}

/// Runs something on a stack of its own, with a given size in bytes. A stack takes memory only as far as it is used.
///
/// # Panics
/// With [`NoRoom`] when the system refuses the stack, and with the panic of `work`.
pub fn with_room<T: Send>(stack: usize, work: impl FnOnce() -> T + Send) -> T {
    scope(|scope| match Builder::new().stack_size(stack).spawn_scoped(scope, work) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(error) => panic_any(NoRoom { stack, detail: error.to_string() }),
    })
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    #[test]
    fn work_has_room_and_a_stack_that_nobody_can_have_is_told() {
        fn depth(left: usize) -> usize {
            let room = std::hint::black_box([left; 128]);
            if left == 0 { room[0] } else { 1 + depth(left - 1) }
        }
        assert_eq!(with_room(1 << 28, || depth(50_000)), 50_000);
        let refused = catch_unwind(|| with_room(1 << 60, || 0)).expect_err("more than there is");
        let room = refused.downcast_ref::<NoRoom>().expect("it says what there is not");
        assert!(room.to_string().contains("cannot be started"), "{room}");
    }
}
