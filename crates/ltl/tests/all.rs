//! The tests of linear temporal logic: one program, a module for each subject.

mod automata;
mod case_studies;
mod corpus;
mod exports;
mod formulas;
mod implementations;
mod reference;
mod runs;
mod theorems;
mod verdicts;
