//! Linear temporal logic: parsers, automata, games on machines, fault models and verdicts on finite traces.
//!
//! Nothing here knows a solver.
