//! The budgets of the search for tests of formulas.

search::budgets! {
    /// Larger grids are not made finer.
    GRID "the grid of times" Points 4_000;
    /// The times at which signals change where a grid of all times is long.
    CHOSEN_TIMES "the chosen times of a signal" Points 250;
    /// What is written down about formulas at chosen times.
    CHOSEN_TERMS "formulas at chosen times" Nodes 400_000;
}
