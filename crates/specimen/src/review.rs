//! The workbench: a person judges drawn tests in the browser.
//!
//! A [`project`] is one file: a requirement in words, a specification, the tests drawn from it, and the answers of the people
//! who looked at them. [`judge`] compares answers with the specification. [`desk`] does what the page asks for and
//! saves after every change; [`manual`] has the pages of the book; [`server`] lets only the page ask.

mod desk;
mod folder;
mod http;
mod judge;
mod manual;
mod project;
mod server;

pub(crate) use server::serve;
