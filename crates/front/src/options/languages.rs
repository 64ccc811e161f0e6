//! What the search of a language honours: its strategies, and whether threads help it.

use clap::ArgMatches;
use search::Strategy;

use crate::language::Language;

/// The strategies for languages whose executions do not grow step by step.
const WITHOUT_STEPS: &[Strategy] = &[
    Strategy::Simple,
    Strategy::Hard,
    Strategy::Soft,
    Strategy::Iterative,
    Strategy::Each,
    Strategy::Groupwise,
    Strategy::Incremental,
];

/// The strategies that change anything, for families that do not understand all of them.
const STRATEGIES: &[(&str, &[Strategy])] = &[
    ("boolean", WITHOUT_STEPS),
    ("stl", WITHOUT_STEPS),
    ("action", &[Strategy::Each]),
    ("ltl", &[Strategy::Each]),
    ("c", &[Strategy::Each, Strategy::Iterative, Strategy::Groupwise, Strategy::Incremental]),
];

/// Families for which threads change nothing.
const SINGLE: &[&str] = &["c"];

/// The strategies of a language.
pub fn strategies(language: Language) -> &'static [Strategy] {
    let family = language.front().family();
    STRATEGIES.iter().find(|(name, _)| *name == family).map_or(Strategy::ALL, |(_, strategies)| *strategies)
}

/// Refuses a strategy that the search of a language does not honour; says what has no effect.
pub fn check(verb: &str, matches: &ArgMatches, language: Language) -> Result<Vec<String>, String> {
    let title = language.front().title();
    let known = strategies(language);
    if verb != "evaluate"
        && let Ok(Some(&strategy)) = matches.try_get_one::<Strategy>("strategy")
        && !known.contains(&strategy)
    {
        let names: Vec<&str> = known.iter().map(|strategy| strategy.name()).collect();
        let strategy = strategy.name();
        return Err(format!("`--strategy {strategy}` is not for {title}, where it is one of: {}", names.join(", ")));
    }
    let jobs = matches.try_get_one::<u16>("jobs").ok().flatten().copied().unwrap_or(1);
    Ok(if 1 < jobs && SINGLE.contains(&language.front().family()) {
        vec![format!("`--jobs` has no effect on {title}")]
    } else {
        Vec::new()
    })
}
