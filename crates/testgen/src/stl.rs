//! STL: signals that separate a formula from its mutants.
