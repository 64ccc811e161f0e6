//! The budgets of the search for tests of decisions.

search::budgets! {
    /// The assumptions that contradict each other: one question about one of them.
    BLAME "the contradiction among assumptions" Conflicts 20_000;
    /// A suite of one test more than conditions, built as a whole.
    SMALLEST "the smallest suite as a whole" Conflicts 100_000;
}
