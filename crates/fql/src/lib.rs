//! FQL queries: grammar, filters, target graphs, trace automata, goals and meters over C programs.
//!
//! Nothing here knows a solver.
