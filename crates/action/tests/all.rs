//! The tests of action systems: one program, a module for each subject.

mod corpus;
mod judging;
mod naive;
mod notation;
mod properties;
mod sugar;
mod watching;
