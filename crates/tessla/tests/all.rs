//! The tests of TeSSLa: one program, a module for each subject.

mod corpus;
mod properties;
