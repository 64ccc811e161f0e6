//! The options of languages, and the arguments of verbs that a language understands itself.
//!
//! One struct a language for the command line, the project file and the suite: what shapes goals or tests is written to the suite as
//! `recorded` says, and read back.

mod action;
mod boolean;
pub mod by_language;
mod c;
pub mod languages;
mod log;
mod ltl;
mod machine;
pub mod recorded;
mod stl;
mod tessla;
mod trace;

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use search::{SolverChoice, Strategy};
use testcase::Suite;

pub use action::{ActionArguments, ActionCheckArguments, ActionRunArguments};
pub use boolean::{BooleanCriterionArguments, BooleanReadingArguments, BorderValues, Conditions};
pub use by_language::ByLanguage;
pub use c::{BlockRule, CCriterionArguments, CReadingArguments, ExecuteArguments, UndefinedRule};
pub use log::LogArguments;
pub use ltl::{
    DriveArguments, FreeInputs, HarnessArguments, ParameterArguments, PartitionArguments, RealizabilityArguments,
    StrategyArguments,
};
pub use machine::MachineArguments;
pub use stl::{StlCriterionArguments, StlReadingArguments, StlRunArguments};
pub use tessla::{TesslaCheckArguments, TesslaCriterionArguments, TesslaReadingArguments};
pub use trace::{AutomatonForm, StreamArguments, TraceArguments, TraceForm, UnknownValues};

use crate::by_language;
use crate::failure::{Failure, INVALID_SUITE};
use crate::language::Language;

/// A specification.
#[derive(Clone, Debug, Args)]
pub struct SpecArguments {
    /// The specification
    pub file: PathBuf,
    /// How it is read.
    #[command(flatten)]
    pub reading: ReadingArguments,
}

by_language!(SpecArguments { [reading] });

/// How a specification is read. Options of languages that a command line is not about are as usual.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct ReadingArguments {
    /// The language, as its extension names it; by default told by the extension
    #[arg(long, value_name = "NAME", value_parser = Language::from_name)]
    pub lang: Option<Language>,
    /// For Boolean decisions.
    #[arg(skip)]
    pub boolean: BooleanReadingArguments,
    /// For signal temporal logic.
    #[arg(skip)]
    pub stl: StlReadingArguments,
    /// For stream specifications.
    #[arg(skip)]
    pub tessla: TesslaReadingArguments,
    /// For linear temporal logic.
    #[arg(skip)]
    pub ltl: PartitionArguments,
    /// For linear temporal logic in the format of the synthesis competition.
    #[arg(skip)]
    pub tlsf: ParameterArguments,
    /// For C programs.
    #[arg(skip)]
    pub c: CReadingArguments,
}

by_language!(ReadingArguments {
    boolean: Bool | Smtlib;
    stl: Stl;
    tessla: Tessla;
    ltl: Ltl;
    tlsf: Tlsf;
    c: C | Preprocessed;
});

/// What is asked for.
#[derive(Clone, Debug, Default, PartialEq, Args)]
pub struct CriterionArguments {
    /// The coverage criterion; `specimen help LANGUAGE` lists those of a language
    #[arg(long, value_name = "NAME")]
    pub criterion: Option<String>,
    /// For Boolean decisions.
    #[arg(skip)]
    pub boolean: BooleanCriterionArguments,
    /// For action systems.
    #[arg(skip)]
    pub action: ActionArguments,
    /// For signal temporal logic.
    #[arg(skip)]
    pub stl: StlCriterionArguments,
    /// For stream specifications.
    #[arg(skip)]
    pub tessla: TesslaCriterionArguments,
    /// For linear temporal logic.
    #[arg(skip)]
    pub ltl: StrategyArguments,
    /// For C programs.
    #[arg(skip)]
    pub c: CCriterionArguments,
}

by_language!(CriterionArguments {
    boolean: Bool | Smtlib;
    action: Action | Prolog;
    stl: Stl;
    tessla: Tessla;
    ltl: Ltl | Tlsf;
    c: C | Preprocessed;
});

impl CriterionArguments {
    /// The memory that a search may use, in mebibytes.
    pub fn memory(&self) -> Option<u64> {
        self.action.memory.or(self.ltl.memory).or(self.c.memory)
    }

    /// The memory that the whole program may use, in mebibytes, in languages whose search does not count its own.
    pub fn program_memory(&self) -> Option<u64> {
        self.stl.memory.or(self.tessla.memory)
    }
}

/// What is to be checked.
#[derive(Debug, Default, Args)]
pub struct CheckArguments {
    /// The specifications
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How it is read.
    #[command(flatten)]
    pub reading: ReadingArguments,
    /// For action systems.
    #[arg(skip)]
    pub action: ActionCheckArguments,
    /// For stream specifications.
    #[arg(skip)]
    pub tessla: TesslaCheckArguments,
    /// For linear temporal logic.
    #[arg(skip)]
    pub ltl: RealizabilityArguments,
}

impl CheckArguments {
    /// For one file.
    pub fn of(file: &str, reading: ReadingArguments) -> CheckArguments {
        CheckArguments { files: vec![PathBuf::from(file)], reading, ..CheckArguments::default() }
    }
}

by_language!(CheckArguments {
    [reading]
    action: Action | Prolog;
    tessla: Tessla;
    ltl: Ltl | Tlsf;
});

/// What is to be run, on which tests.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// The specification.
    #[command(flatten)]
    pub spec: SpecArguments,
    /// Tables (CSV) or suites (JSON) of tests; traces (for LTL as CSV, JSON lines, VCD or waves; `-` is standard input); for LTL
    /// with --against or --implementation: strategies
    pub tests: Vec<PathBuf>,
    /// For Boolean decisions and C programs.
    #[arg(skip)]
    pub values: ValueArguments,
    /// For action systems.
    #[arg(skip)]
    pub action: ActionRunArguments,
    /// For signal temporal logic.
    #[arg(skip)]
    pub stl: StlRunArguments,
    /// For stream specifications.
    #[arg(skip)]
    pub tessla: StreamArguments,
    /// For linear temporal logic: traces.
    #[arg(skip)]
    pub traces: TraceArguments,
    /// For linear temporal logic: implementations.
    #[arg(skip)]
    pub drive: DriveArguments,
}

by_language!(RunArguments {
    [spec]
    values: Bool | Smtlib | C | Preprocessed;
    action: Action | Prolog;
    stl: Stl;
    tessla: Tessla;
    traces: Ltl | Tlsf;
    drive: Ltl | Tlsf;
});

/// Tests written on the command line.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tests")]
pub struct ValueArguments {
    /// One test, as NAME=VALUE,NAME=VALUE,…; inputs that are not named have their simplest value
    #[arg(long, value_name = "VALUES")]
    pub set: Vec<String>,
}

/// Which formalisations are to be judged.
#[derive(Debug, Args)]
pub struct EvaluateArguments {
    /// The list: on each line what is meant, a tab, and what somebody wrote; lines that begin with # are remarks
    pub list: PathBuf,
    /// The language of the formulas, as its extension names it
    #[arg(long, value_name = "NAME", value_parser = Language::from_name)]
    pub lang: Option<Language>,
    /// What is asked for.
    #[command(flatten)]
    pub criterion: CriterionArguments,
    /// How tests are searched
    #[arg(long, value_name = "NAME", default_value = "each", value_parser = strategy)]
    pub strategy: Strategy,
}

by_language!(EvaluateArguments { [criterion] });

/// Which decision is asked about.
#[derive(Debug, Args)]
pub struct CouplingArguments {
    /// The specification.
    #[command(flatten)]
    pub spec: SpecArguments,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// The solver: auto, built-in, or one that `specimen solvers` lists
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = solver)]
    pub solver: SolverChoice,
}

by_language!(CouplingArguments { [spec] });

impl ReadingArguments {
    /// How the source of a suite was read.
    pub fn of_suite(suite: &Suite) -> Result<ReadingArguments, Failure> {
        let own = &suite.options;
        let lang = own.get("language").and_then(serde_json::Value::as_str);
        let lang =
            lang.map(Language::from_name).transpose().map_err(|error| Failure::Refused(&INVALID_SUITE, error))?;
        let usual = ReadingArguments { lang, ..ReadingArguments::default() };
        Ok(match suite.language.as_str() {
            "boolean" => ReadingArguments { boolean: recorded::read(own)?, ..usual },
            "stl" => ReadingArguments { stl: recorded::read(own)?, ..usual },
            "tessla" => ReadingArguments { tessla: recorded::read(own)?, ..usual },
            "ltl" => ReadingArguments { ltl: recorded::read(own)?, tlsf: recorded::read(own)?, ..usual },
            "c" => ReadingArguments { c: recorded::read(own)?, ..usual },
            _ => usual,
        })
    }
}

/// `NAME=NUMBER`.
fn parameter(text: &str) -> Result<(String, i64), String> {
    let (name, number) = text.split_once('=').ok_or("a parameter is NAME=NUMBER")?;
    let number = number.trim().parse().map_err(|_| format!("{number} is not a number"))?;
    Ok((name.trim().to_owned(), number))
}

/// The strategy that is called so.
pub fn strategy(text: &str) -> Result<Strategy, String> {
    Strategy::from_name(text).ok_or_else(|| one_of(Strategy::ALL.iter().map(|strategy| strategy.name())))
}

/// What to say where a name is none of these.
pub fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    format!("it is one of {}", names.collect::<Vec<_>>().join(", "))
}

/// The solver that is called so.
pub fn solver(text: &str) -> Result<SolverChoice, String> {
    match text {
        "auto" => Ok(SolverChoice::Auto),
        "built-in" => Ok(SolverChoice::BuiltIn),
        name if smt::PROGRAMS.iter().any(|program| program.name == name) => Ok(SolverChoice::Program(name.to_owned())),
        several if several.contains(',') => {
            let members: Result<Vec<SolverChoice>, String> = several.split(',').map(solver).collect();
            Ok(SolverChoice::Portfolio(members?))
        }
        _ => {
            let names = smt::PROGRAMS.iter().map(|program| program.name);
            Err(one_of(["auto", "built-in"].into_iter().chain(names)))
        }
    }
}

/// A positive number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    if !(0.0 < number && number < 1e9) {
        return Err("a positive number of seconds is needed".to_owned());
    }
    Ok(Duration::from_secs_f64(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_positive() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["0", "-1", "NaN", "inf", "x", ""] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
