//! The options of C programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::MachineArguments;
use super::boolean::BorderValues;
use super::recorded::{Recorded, is_false, written};

/// How a C program is read. The fields stand in the order in which a suite holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "C programs: reading")]
pub struct CReadingArguments {
    /// The function to test; by default main, or the only one
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
    /// What @BASICBLOCKENTRY finds: one edge per block (strict), or what FShell took for block entries (loose)
    #[arg(long, value_enum, value_name = "RULE")]
    #[serde(skip_serializing_if = "BlockRule::is_usual")]
    pub blocks: Option<BlockRule>,
    /// The machine that the program is for.
    #[command(flatten)]
    #[serde(flatten)]
    pub machine: MachineArguments,
    /// Do not model the C library: what its functions return is an input
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub no_library: bool,
    /// Define NDEBUG: assertions do nothing, in runs, in the search and in harnesses. By default a run ends where one fails
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub no_assert: bool,
    /// Further files of the program
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub link: Vec<PathBuf>,
    /// A folder of headers
    #[arg(short = 'I', long, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<PathBuf>,
    /// A macro of the preprocessor
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub define: Vec<String>,
    /// Macros for single files.
    #[arg(skip)]
    #[serde(skip)]
    pub file_defines: Vec<(PathBuf, String)>,
    /// Whether assertions are branches, so that it can be asked where they fail.
    #[arg(skip)]
    #[serde(skip)]
    pub open_assertions: bool,
}

/// What counts as the entry of a basic block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BlockRule {
    /// One edge per block.
    #[default]
    Strict,
    /// First edges of functions, edges behind joins, both sides of branches.
    Loose,
}

impl BlockRule {
    fn is_usual(rule: &Option<BlockRule>) -> bool {
        rule.unwrap_or_default() == BlockRule::default()
    }
}

impl From<BlockRule> for fql::program::Blocks {
    fn from(rule: BlockRule) -> fql::program::Blocks {
        match rule {
            BlockRule::Strict => fql::program::Blocks::Strict,
            BlockRule::Loose => fql::program::Blocks::Loose,
        }
    }
}

impl CReadingArguments {
    /// The macros that the program is read with: those of the machine, then those of the user.
    pub fn defines(&self) -> Vec<String> {
        self.machine.defines().iter().map(|define| (*define).to_owned()).chain(self.define.iter().cloned()).collect()
    }

    /// What a suite writes down of this: further files by their names in the record of sources, folders of headers by their own.
    pub fn options(&self, linked: Vec<String>, function: &str) -> Recorded {
        let include = self.include.iter().map(|path| crate::input::file_name(path).into()).collect();
        let link = linked.into_iter().map(PathBuf::from).collect();
        let mut options = written(&CReadingArguments { function: None, link, include, ..self.clone() });
        options.insert("function".to_owned(), function.into());
        options
    }
}

/// What becomes of executions with undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UndefinedRule {
    /// They are not tests, but goals that only they meet are reported with one of them
    Report,
    /// They do not count: goals that only they meet are infeasible
    Stop,
    /// Behind undefined arithmetic they go on as the compiled program does, and are tests
    GoOn,
}

impl UndefinedRule {
    fn is_usual(rule: &Option<UndefinedRule>) -> bool {
        matches!(rule, None | Some(UndefinedRule::Report))
    }
}

/// What is asked of a C program. The fields stand in the order in which a suite holds them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "C programs: what to cover, and how far")]
pub struct CCriterionArguments {
    /// An FQL query, such as 'cover @BASICBLOCKENTRY'
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["criterion", "query_file", "property"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// A file with one FQL query, and macros before it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["criterion", "property"])]
    #[serde(skip)]
    pub query_file: Option<PathBuf>,
    /// A property file of Test-Comp
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    #[serde(skip)]
    pub property: Option<PathBuf>,
    /// With a criterion: only in this part of the program, an FQL filter such as '@FUNC(sort)'
    #[arg(long = "in", value_name = "FILTER", conflicts_with_all = ["query", "query_file", "property"])]
    #[serde(rename = "in", skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
    /// With a criterion: only by runs that match this FQL pattern
    #[arg(long, value_name = "PATTERN", conflicts_with_all = ["query", "query_file", "property"])]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub passing: Option<String>,
    /// Unroll loops, recursion and backward jumps at most N times (default: chosen automatically)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwind: Option<u32>,
    /// How deep objects are built for the pointers that the function gets
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=8))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer_depth: Option<u32>,
    /// The elements of an object built for a pointer to a number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elements: Option<u32>,
    /// Unroll at most N steps of the program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Call the function N times in every test, with what is static kept between the calls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[serde(skip_serializing_if = "one_call")]
    pub calls: Option<u32>,
    /// Search for nothing if some execution needs more than the bounds
    #[arg(long, requires = "unwind", conflicts_with = "partial_loops")]
    #[serde(skip_serializing_if = "is_false")]
    pub unwinding_assertions: bool,
    /// Leave loops after their last round even if their conditions still hold; only executions that the program really has become tests
    #[arg(long, requires = "unwind")]
    #[serde(skip_serializing_if = "is_false")]
    pub partial_loops: bool,
    /// Encode goals by a monitor beside the program; slower, for comparison
    #[arg(long)]
    #[serde(rename = "instrumentation", skip_serializing_if = "is_false")]
    pub use_instrumentation: bool,
    /// Ignore __CPROVER_assume
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub no_assumptions: bool,
    /// Signed arithmetic wraps around, as compilers do it with -fwrapv
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub wrap: bool,
    /// Globals without an initialiser are inputs
    #[arg(long)]
    #[serde(rename = "free-globals", skip_serializing_if = "is_false")]
    pub no_zero_init: bool,
    /// Ask the solver at once: do not look for tests by running the program first
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub no_random: bool,
    /// Executions with undefined behaviour: `report` goals that only they meet, with one of them; `stop`: they do not count; `go-on`:
    /// behind undefined arithmetic they go on as the compiled program does, and are tests
    #[arg(long, value_enum, value_name = "RULE")]
    #[serde(skip_serializing_if = "UndefinedRule::is_usual")]
    pub undefined: Option<UndefinedRule>,
    /// Which values tests have on their way through the program: those at which comparisons are just decided, and for inputs that
    /// nothing depends on such as can be told apart (border), or the simplest ones (small)
    #[arg(long, value_enum, default_value_t = BorderValues::Border, value_name = "WHERE")]
    #[serde(skip_serializing_if = "BorderValues::is_border")]
    pub values: BorderValues,
    /// Forget the body of a function: its results are inputs
    #[arg(long, value_name = "FUNCTION")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub r#abstract: Vec<String>,
    /// The bound of single loops, as LOOP:N; `check -v` lists the loops
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unwindset: Vec<String>,
    /// Use at most this many mebibytes for a formula (default: 3072)
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(skip)]
    pub memory: Option<u64>,
}

fn one_call(calls: &Option<u32>) -> bool {
    calls.is_none_or(|calls| calls <= 1)
}

/// What becomes of the tests of a C program.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "C programs: running tests")]
pub struct ExecuteArguments {
    /// Build the tests with the system's compiler and run them, in a folder of their own and with limits
    #[arg(long)]
    pub execute: bool,
    /// Test every function of the file, one after the other, each with a suite and a folder of its own
    #[arg(long, conflicts_with_all = ["function", "augment", "interactive"])]
    pub all_functions: bool,
}
