//! The tests of signal temporal logic: one program, a module for each subject.

mod corpus;
mod limits;
mod properties;
mod random;
mod rtamt;
