//! The tests of the search of Boolean decisions: one program, a module for each subject.

mod boolean;
mod border;
mod guards;
