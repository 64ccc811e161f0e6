//! TeSSLa stream specifications: parser, type checker, flat core, streaming interpreter, coverage goals and meter.
//!
//! Nothing here knows a solver.

pub mod core;
pub mod files;
pub mod operator;
pub mod place;
pub mod types;
pub mod value;

pub use files::Files;
pub use operator::Operator;
