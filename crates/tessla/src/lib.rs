//! TeSSLa stream specifications: parser, type checker, flat core, streaming interpreter, coverage goals and meter.
//!
//! Nothing here knows a solver.

mod arithmetic;
mod assertion;
pub mod ast;
mod check;
pub mod codes;
pub mod core;
mod expand;
pub mod extent;
pub mod files;
mod format;
pub mod goals;
pub mod interp;
mod lex;
pub mod listing;
mod load;
pub mod meter;
pub mod obligation;
pub mod operator;
mod parse;
pub mod place;
pub mod record;
mod report;
pub mod run;
pub mod sample;
pub mod show;
mod ticks;
pub mod time;
pub mod trace;
mod typed;
pub mod types;
pub mod value;

pub use files::Files;
pub use load::{Loaded, Options, Resolver, load, load_alone, with_room};
pub use operator::Operator;
pub use parse::parse;
pub use report::Report;
