//! The tests of the search of LTL: one program, a module for each subject.

mod budgets;
mod ltl;
mod ltl_faults;
