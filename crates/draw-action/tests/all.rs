//! The tests of the search of action systems: one program, a module for each subject.

mod action;
mod adaptive;
mod invariants;
mod translate;
