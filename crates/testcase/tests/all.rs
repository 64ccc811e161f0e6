//! The tests of suites: one program, a module for each subject.

mod exports;
mod schema;
