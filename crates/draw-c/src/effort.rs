//! The budgets of the search for tests of C programs.

search::budgets! {
    /// Steps of runs before the solver is asked at all, for each edge of the program.
    STEPS_PER_EDGE "runs before the solver is asked, for each edge" Steps 4_000;
    /// The fewest and the most of them.
    FEWEST_STEPS "the fewest runs before the solver is asked" Steps 100_000;
    MOST_STEPS "all runs before the solver is asked" Steps 2_000_000;
    /// Steps of runs before the solver is asked about a problem, for each of its terms.
    STEPS_PER_TERM "runs before each question, for each term" Steps 30;
    /// One question, unless the bound is the last.
    QUESTION "one question within a bound that grows" Conflicts 5_000;
    /// Whether a sequence of calls covers what one call does not.
    SEQUENCE "one question about a sequence of calls" Conflicts 20_000;
    /// Executions with undefined behaviour.
    UNDEFINED "one question about undefined behaviour" Conflicts 20_000;
    /// Two tests in one: a question, and all of them together.
    REDUCTION "one test in the place of two" Conflicts 300;
    ALL_REDUCTION "all tests in the place of others" Conflicts 4_000;
}
