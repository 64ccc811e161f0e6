//! The built-in solver: terms to gates to clauses, and CaDiCaL to decide them.
//!
//! Two passes: the first (`reduce`) removes arrays and real arithmetic, the second (`blast`) turns what is left into
//! gates. Integers are tried at growing widths (`int`), reals are ranks among the constants they are compared with
//! (`rank`). A construct that is not decided is reported as unsupported; an answer is never guessed.
//!
//! [`memory`] says what happens when the system gives no more memory. [`sat`] offers the SAT solver by itself.

mod bits;
mod blast;
mod gate;
mod int;
pub mod memory;
mod rank;
mod reduce;
pub mod sat;
mod solver;
mod totalizer;

pub use blast::NO_ROOM;
pub use solver::{SatSolver, Widths, supports};
