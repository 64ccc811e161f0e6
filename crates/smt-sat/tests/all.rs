//! The tests of the built-in solver: one program, a module for each subject.

mod conformance;
mod corpus;
mod differential;
mod environment;
mod incremental;
mod operators;
