//! The options of C programs.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use testcase::Suite;

use super::MachineArguments;

/// How a C program is read.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "C programs")]
pub(crate) struct CReadingArguments {
    /// The function to test; main, or the only one, otherwise
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Further files of the program
    #[arg(long, value_name = "FILE")]
    pub(crate) link: Vec<PathBuf>,
    /// A folder of headers
    #[arg(short = 'I', long, value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
    /// A macro of the preprocessor
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]")]
    pub(crate) define: Vec<String>,
    /// Macros for single files.
    #[arg(skip)]
    pub(crate) file_defines: Vec<(PathBuf, String)>,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
    /// Do not model the C library: what its functions return is an input
    #[arg(long)]
    pub(crate) no_library: bool,
    /// Define NDEBUG: assertions do nothing, in runs, in the search and in harnesses. Where one fails, a run ends otherwise
    #[arg(long)]
    pub(crate) no_assert: bool,
    /// What @BASICBLOCKENTRY finds: one edge per block, or what FShell took for block entries
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) blocks: Option<BlockRule>,
}

/// What counts as the entry of a basic block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BlockRule {
    /// One edge per block.
    #[default]
    Strict,
    /// First edges of functions, edges behind joins, both sides of branches.
    Loose,
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
    pub(crate) fn defines(&self) -> Vec<String> {
        self.machine.defines().iter().map(|define| (*define).to_owned()).chain(self.define.iter().cloned()).collect()
    }

    /// What a suite writes down of this: further files by their names in the record of sources, folders of headers by their own.
    pub(crate) fn options(&self, linked: Vec<String>) -> IndexMap<String, Json> {
        let mut options = IndexMap::new();
        if self.blocks == Some(BlockRule::Loose) {
            options.insert("blocks".to_owned(), json!("loose"));
        }
        options.extend(self.machine.options());
        for (key, flag) in [("no-library", self.no_library), ("no-assert", self.no_assert)] {
            if flag {
                options.insert(key.to_owned(), json!(true));
            }
        }
        let folders = self.include.iter().map(|path| crate::input::file_name(path)).collect();
        for (key, list) in [("link", linked), ("include", folders), ("define", self.define.clone())] {
            if !list.is_empty() {
                options.insert(key.to_owned(), json!(list));
            }
        }
        options
    }

    /// How the program of a suite was read.
    pub(super) fn of_suite(suite: &Suite) -> CReadingArguments {
        let text = |name: &str| suite.options.get(name).and_then(Json::as_str).map(str::to_owned);
        let list = |name: &str| {
            let items = suite.options.get(name).and_then(Json::as_array).into_iter().flatten();
            items.filter_map(Json::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let flag = |name: &str| suite.options.get(name).and_then(Json::as_bool).unwrap_or(false);
        let paths = |name: &str| list(name).into_iter().map(PathBuf::from).collect();
        CReadingArguments {
            function: text("function"),
            link: paths("link"),
            include: paths("include"),
            define: list("define"),
            file_defines: Vec::new(),
            machine: MachineArguments::of_suite(suite),
            no_library: flag("no-library"),
            no_assert: flag("no-assert"),
            blocks: text("blocks").map(|_| BlockRule::Loose),
        }
    }
}

/// What becomes of executions with undefined behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum UndefinedRule {
    /// They are not tests, but goals that only they meet are reported with one of them
    Report,
    /// They do not count: goals that only they meet are infeasible
    Stop,
    /// Behind undefined arithmetic they go on as the compiled program does, and are tests
    GoOn,
}

/// What is asked of a C program.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "C programs")]
pub(crate) struct CCriterionArguments {
    /// An FQL query, such as 'cover @BASICBLOCKENTRY'
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["criterion", "query_file", "property"])]
    pub(crate) query: Option<String>,
    /// A file with one FQL query, and macros before it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["criterion", "property"])]
    pub(crate) query_file: Option<PathBuf>,
    /// A property file of Test-Comp
    #[arg(long, value_name = "FILE", conflicts_with = "criterion")]
    pub(crate) property: Option<PathBuf>,
    /// Loops, recursions and backward jumps at most so often; otherwise found out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unwind: Option<u32>,
    /// The bound of single loops, as LOOP:N; `check -v` lists the loops
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',')]
    pub(crate) unwindset: Vec<String>,
    /// Search for nothing if some execution needs more than the bounds
    #[arg(long, requires = "unwind", conflicts_with = "partial_loops")]
    pub(crate) unwinding_assertions: bool,
    /// Leave loops after their last round, whatever their conditions say; only what really happens so becomes a test
    #[arg(long, requires = "unwind")]
    pub(crate) partial_loops: bool,
    /// At most so many steps of the program while it is unrolled
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Encode goals by a monitor beside the program; slower, for comparison
    #[arg(long)]
    pub(crate) use_instrumentation: bool,
    /// Ignore __CPROVER_assume
    #[arg(long)]
    pub(crate) no_assumptions: bool,
    /// Call the function so often in every test, with what is static kept between the calls
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) calls: Option<u32>,
    /// What becomes of executions with undefined behaviour
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) undefined: Option<UndefinedRule>,
    /// Signed arithmetic wraps around, as compilers do it with -fwrapv
    #[arg(long)]
    pub(crate) wrap: bool,
    /// How deep objects are built for the pointers that the function gets
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=8))]
    pub(crate) pointer_depth: Option<u32>,
    /// The elements of an object built for a pointer to a number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) elements: Option<u32>,
    /// Globals without an initialiser are inputs
    #[arg(long)]
    pub(crate) no_zero_init: bool,
    /// Ask the solver at once: do not look for tests by running the program first
    #[arg(long)]
    pub(crate) no_random: bool,
    /// Forget the body of a function: its results are inputs
    #[arg(long, value_name = "FUNCTION")]
    pub(crate) r#abstract: Vec<String>,
}
