//! The tests of the program: one program, a module for each subject.

mod action;
mod book;
mod browser;
mod cli;
mod conformance;
mod harness;
mod project;
mod review;
mod signals;
mod solvers;
mod streams;
mod strength;
