//! The budgets of the search for tests of models.

search::budgets! {
    /// The states that an exploration visits, unless the user names a number.
    STATES "the states of a model" States 20_000_000;
    /// The ways from one state that are gone through.
    WAYS "the ways from one state" Steps 100_000_000;
}
