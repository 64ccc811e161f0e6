//! The tests of the search of C programs: one program, a module for each subject.

mod c;
mod programs;
