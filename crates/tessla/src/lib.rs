//! TeSSLa stream specifications: parser, type checker, flat core, streaming interpreter, coverage goals and meter.
//!
//! Nothing here knows a solver.
