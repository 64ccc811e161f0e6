//! C: symbolic execution of programs towards the goals of queries.
