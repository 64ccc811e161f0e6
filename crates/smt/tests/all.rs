//! The tests of terms and solver processes: one program, a module for each subject.

mod eval_against_solvers;
mod processes;
mod read_print;
mod simplify;
