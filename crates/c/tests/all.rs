//! The tests of the C front end: one program, a module for each subject.

mod corpus;
mod differential;
mod effects;
mod generator;
mod junk;
mod library;
mod machines;
mod predicates;
