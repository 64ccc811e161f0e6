//! Action systems: traces that tell mutants from their model.
