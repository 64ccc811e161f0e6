//! The budgets of the search for tests of formulas.

search::budgets! {
    /// Larger grids are not made finer.
    GRID "the grid of times" Points 4_000;
}
