//! The tests of Boolean decisions: one program, a module for each subject.

mod arithmetic;
mod corpus;
mod criteria;
mod examples;
mod limits;
mod properties;
mod views;
