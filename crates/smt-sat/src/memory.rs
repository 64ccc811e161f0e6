//! What happens when the system gives no more memory: somebody is told, and the program ends in order, not by an abort.
//!
//! An allocation that fails cannot be handled where it fails. The program says once what is to be done then ([`on_exhaustion`]); both
//! our allocations and those of the C++ code of the SAT solver come here.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is done when memory is exhausted. It must not allocate, and must not return.
type Handler = fn() -> !;

static HANDLER: OnceLock<Handler> = OnceLock::new();

/// Whether the handler runs: what it allocates all the same is not handled again.
static HANDLING: AtomicBool = AtomicBool::new(false);

/// The allocator of the system, with an end in order.
struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Says what is done when memory is exhausted. Only the first call counts; without one, an allocation that fails aborts, as usual.
pub fn on_exhaustion(handler: Handler) {
    if HANDLER.set(handler).is_ok() {
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        // SAFETY: the function of the C++ standard takes a function without arguments, which may end the program.
        unsafe {
            set_new_handler(Some(exhausted_in_cpp));
        }
    }
}

fn exhausted() {
    if let Some(handler) = HANDLER.get()
        && !HANDLING.swap(true, Ordering::SeqCst)
    {
        handler();
    }
}

/// Called by `operator new`, which tries again when this returns.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
extern "C" fn exhausted_in_cpp() {
    exhausted();
    std::process::abort();
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
unsafe extern "C" {
    /// `std::set_new_handler`, in the names of the C++ runtime that the solver is linked with.
    #[link_name = "_ZSt15set_new_handlerPFvvE"]
    fn set_new_handler(handler: Option<extern "C" fn()>) -> Option<extern "C" fn()>;
}

/// Hands on what was allocated; the handler is called where that is nothing.
fn checked(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        exhausted();
    }
    pointer
}

// SAFETY: every call is handed to the allocator of the system as it is.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the system's.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.realloc(pointer, layout, size) })
    }
}
