//! The tests of FQL: one program, a module for each subject.

mod brute_force;
mod corpus;
mod limits;
mod mcdc;
mod output;
mod table;
