//! Which option is for which language: one table, and the check of a command line against it.

use std::path::PathBuf;

use clap::ArgMatches;
use clap::parser::ValueSource;
use search::Strategy;

use crate::language::Language;

use Language::{Action, Bool, C, Ltl, Preprocessed, Prolog, Smtlib, Stl, Tessla, Tlsf};

/// Languages with their name for people.
type Family = (&'static str, &'static [Language]);

const BOOLEAN: Family = ("Boolean decisions", &[Bool, Smtlib]);
const ACTIONS: Family = ("action systems", &[Action, Prolog]);
const SIGNALS: Family = ("signal temporal logic", &[Stl]);
const STREAMS: Family = ("TeSSLa", &[Tessla]);
const LINEAR: Family = ("linear temporal logic", &[Ltl, Tlsf]);
const PROGRAMS: Family = ("C programs", &[C, Preprocessed]);
const FAMILIES: &[Family] = &[BOOLEAN, ACTIONS, SIGNALS, STREAMS, LINEAR, PROGRAMS];

/// The options that are not for every language. The first row that names a verb, or no verb, and the option counts.
#[rustfmt::skip]
const TABLE: &[(Option<&str>, &[&str], &[Family])] = &[
    // How a specification is read.
    (None, &["decision"], &[BOOLEAN, SIGNALS]),
    (None, &["time_unit", "ticks", "reject_undeclared_inputs"], &[STREAMS]),
    (None, &["partition"], &[("linear temporal logic (.ltl)", &[Ltl])]),
    (None, &["parameter"], &[("TLSF", &[Tlsf])]),
    (None, &["function", "link", "include", "define", "no_library", "blocks"], &[PROGRAMS]),
    (None, &["machine", "big-endian", "little-endian", "unsigned-char", "no-arch"], &[PROGRAMS]),
    // What `check` says.
    (Some("check"), &["core"], &[STREAMS]),
    (Some("check"), &["realizable", "timeout", "memory", "out"], &[LINEAR]),
    // What is asked for.
    (Some("mutants"), &["operators"], &[ACTIONS, SIGNALS, LINEAR]),
    (None, &["operators"], &[ACTIONS, SIGNALS]),
    (None, &["mutation_step", "over_temporal", "distinguish", "horizon"], &[SIGNALS]),
    (None, &["conditions", "boundary", "border_values"], &[BOOLEAN]),
    (None, &["library", "closed_delays"], &[STREAMS]),
    (None, &["memory"], &[ACTIONS, LINEAR, PROGRAMS]),
    (None, &["mutants", "second_order", "engine", "control", "states", "results"], &[ACTIONS]),
    (None, &["generalize", "strategies", "keep", "guarantees", "reference", "symmetric"], &[LINEAR]),
    (None, &["query", "query_file", "property", "unwind", "unwindset", "unwinding_assertions", "partial_loops"], &[PROGRAMS]),
    (None, &["depth", "use_instrumentation", "no_assert", "no_assumptions", "pointer_depth"], &[PROGRAMS]),
    (None, &["elements", "no_zero_init", "abstract", "execute", "no_random"], &[PROGRAMS]),
    (None, &["calls", "undefined", "wrap"], &[PROGRAMS]),
    // How the search goes about it.
    (None, &["bound"], &[ACTIONS, SIGNALS, STREAMS, LINEAR]),
    (None, &["conflicts", "smt2_out"], &[BOOLEAN, ACTIONS, SIGNALS, STREAMS, PROGRAMS]),
    // How it is run.
    (None, &["set"], &[BOOLEAN, PROGRAMS]),
    (None, &["oracle"], &[SIGNALS]),
    (None, &["graph"], &[ACTIONS]),
    (None, &["abort_at", "stop_on", "until", "grid", "values"], &[STREAMS]),
    (None, &["semantics", "table", "sweep", "history", "expect", "counting", "clock", "trace_format"], &[LINEAR]),
    (None, &["against", "step_timeout", "log", "source"], &[LINEAR]),
    (None, &["implementation", "steps", "random", "free", "input_seed"], &[LINEAR]),
    (Some("mutants"), &["suite", "faulty_steps", "goal_timeout", "matrix"], &[LINEAR]),
];

/// The options that every language understands.
#[cfg(test)]
const COMMON: &[&str] = &[
    "lang",
    "file",
    "files",
    "criterion",
    "tests",
    "augment",
    "interactive",
    "generate_all",
    "out",
    "force",
    "strategy",
    "limit",
    "timeout",
    "goal_timeout",
    "jobs",
    "seed",
    "solver",
    "minimize",
    "shard",
    "sat_coverage_check",
    "feasible",
    "format",
    "color",
    "quiet",
    "verbose",
    "help",
];

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

/// The strategies that change anything, for languages that do not understand all of them.
const STRATEGIES: &[(Family, &[Strategy])] = &[
    (BOOLEAN, WITHOUT_STEPS),
    (SIGNALS, WITHOUT_STEPS),
    (ACTIONS, &[Strategy::Each]),
    (LINEAR, &[Strategy::Each]),
    (PROGRAMS, &[Strategy::Each, Strategy::Iterative, Strategy::Groupwise, Strategy::Incremental]),
];

/// Languages for which threads change nothing.
const SINGLE: &[Family] = &[LINEAR, PROGRAMS];

/// The languages of an option, if it is not for all.
fn families(verb: &str, option: &str) -> Option<&'static [Family]> {
    let is_machine = c::DataModel::NAMES.iter().any(|(name, _)| *name == option);
    let option = if is_machine { "machine" } else { option };
    let row = TABLE.iter().find(|(only, options, _)| only.is_none_or(|only| only == verb) && options.contains(&option));
    row.map(|(_, _, families)| *families)
}

/// Refuses options that are not for the language of the file; says what has no effect.
pub(crate) fn check(matches: &ArgMatches) -> Result<Vec<String>, String> {
    let Some((verb, matches)) = matches.subcommand() else { return Ok(Vec::new()) };
    let languages = languages(matches);
    let given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let Some(&first) = languages.first() else { return Ok(Vec::new()) };
    for id in matches.ids().map(clap::Id::as_str).filter(|id| matches.try_contains_id(id).is_ok() && given(id)) {
        let Some(families) = families(verb, id) else { continue };
        if !languages.iter().any(|language| families.iter().any(|(_, known)| known.contains(language))) {
            let names: Vec<&str> = families.iter().map(|(name, _)| *name).collect();
            return Err(format!("`--{}` is for {}, not for {}", id.replace('_', "-"), listed(&names), family(first)));
        }
    }
    if let Ok(Some(&strategy)) = matches.try_get_one::<Strategy>("strategy")
        && let Some((_, known)) = STRATEGIES.iter().find(|((_, languages), _)| languages.contains(&first))
        && !known.contains(&strategy)
    {
        let names: Vec<&str> = known.iter().map(|strategy| strategy.name()).collect();
        let (strategy, family) = (strategy.name(), family(first));
        return Err(format!(
            "`--strategy {strategy}` is not for {family}, which are searched by: {}",
            names.join(", ")
        ));
    }
    let jobs = matches.try_get_one::<u16>("jobs").ok().flatten().copied().unwrap_or(1);
    let single = SINGLE.iter().any(|(_, known)| known.contains(&first));
    Ok(if 1 < jobs && single && given("jobs") {
        vec![format!("`--jobs` has no effect on {}", family(first))]
    } else {
        Vec::new()
    })
}

/// The languages of the files of a command line, as far as they are known.
fn languages(matches: &ArgMatches) -> Vec<Language> {
    if let Ok(Some(&language)) = matches.try_get_one::<Language>("lang") {
        return vec![language];
    }
    let files = |id: &str| matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
    files("file").chain(files("files")).filter_map(|path| Language::of(path).ok()).collect()
}

fn family(language: Language) -> &'static str {
    let found = FAMILIES.iter().find(|(_, languages)| languages.contains(&language));
    found.map_or("this language", |(name, _)| *name)
}

/// Names with `and` before the last.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Arg, CommandFactory};

    use super::*;
    use crate::args::Arguments;

    /// The verbs that read a specification.
    const VERBS: &[&str] = &["check", "goals", "mutants", "generate", "run", "measure", "coupling"];

    /// Some value for each kind of option.
    const VALUES: &[&str] = &[
        "1",
        "a=1",
        "1/2",
        "x",
        "each",
        "strict",
        "low",
        "longest",
        "printed-until",
        "csv",
        "auto",
        "variable",
        "json",
        "report",
    ];

    fn options(verb: &str) -> Vec<Arg> {
        let mut command = Arguments::command();
        command.build();
        let verb = command.find_subcommand(verb).expect("a verb");
        verb.get_arguments().filter(|argument| argument.get_long().is_some()).cloned().collect()
    }

    /// A command line with one option, as clap reads it.
    fn parsed(verb: &str, file: &str, option: &Arg) -> Option<ArgMatches> {
        let long = format!("--{}", option.get_long()?);
        let takes_value = option.get_action().takes_values();
        let tries: Vec<Vec<&str>> = if takes_value {
            VALUES.iter().map(|value| vec![long.as_str(), *value]).collect()
        } else {
            vec![vec![long.as_str()]]
        };
        let more: &[&[&str]] = &[&[], &["--unwind", "1"], &["--out", "o"], &["--grid"], &["--feasible"]];
        tries.iter().flat_map(|words| more.iter().map(move |more| (words, more))).find_map(|(words, more)| {
            let mut line = vec!["specimen", verb, file];
            line.extend((verb == "measure").then_some("t.csv"));
            line.extend(words.iter().chain(more.iter()));
            Arguments::command().try_get_matches_from(line).ok()
        })
    }

    #[test]
    fn every_option_has_its_languages() {
        let mut unknown = Vec::new();
        for verb in VERBS {
            for option in options(verb) {
                let id = option.get_id().as_str();
                if families(verb, id).is_none() && !COMMON.contains(&id) {
                    unknown.push(format!("{verb} --{id}"));
                }
            }
        }
        assert!(unknown.is_empty(), "no row in the table of options: {}", unknown.join(", "));
    }

    #[test]
    fn every_foreign_option_is_refused_and_no_other() {
        let mut checked = 0;
        for verb in VERBS {
            for option in options(verb) {
                let id = option.get_id().as_str();
                if ["help", "lang", "strategy"].contains(&id) {
                    continue;
                }
                for language in Language::ALL {
                    let file = format!("a.{}", language.name());
                    let matches = parsed(verb, &file, &option).unwrap_or_else(|| panic!("`{verb} --{id}` has a value"));
                    let own = families(verb, id)
                        .is_none_or(|families| families.iter().any(|(_, known)| known.contains(language)));
                    // An option that asks for another one of C is C's, too.
                    assert_eq!(check(&matches).is_ok(), own, "{verb} {file} --{id}: {:?}", check(&matches));
                    checked += 1;
                }
            }
        }
        assert!(1_000 < checked, "{checked} combinations");
    }

    #[test]
    fn strategies_are_honoured_or_refused() {
        for (file, strategy, honoured) in [
            ("a.bool", "hard", true),
            ("a.bool", "growing", false),
            ("a.tessla", "growing", true),
            ("a.stl", "simple", true),
            ("a.tessla", "soft", true),
            ("a.as", "soft", false),
            ("a.as", "each", true),
            ("a.ltl", "iterative", false),
            ("a.c", "hard", false),
            ("a.i", "iterative", true),
        ] {
            let line = ["specimen", "generate", file, "--strategy", strategy];
            let matches = Arguments::command().try_get_matches_from(line).expect("a command line");
            assert_eq!(check(&matches).is_ok(), honoured, "{file} {strategy}");
        }
    }

    #[test]
    fn what_is_refused_is_said_with_its_languages() {
        let line = ["specimen", "generate", "a.bool", "--engine", "explicit"];
        let matches = Arguments::command().try_get_matches_from(line).expect("a command line");
        assert_eq!(check(&matches), Err("`--engine` is for action systems, not for Boolean decisions".to_owned()));
        let line = ["specimen", "generate", "a.ltl", "--jobs", "4"];
        let matches = Arguments::command().try_get_matches_from(line).expect("a command line");
        assert_eq!(check(&matches), Ok(vec!["`--jobs` has no effect on linear temporal logic".to_owned()]));
    }
}
