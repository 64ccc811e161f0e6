//! The command line.

pub(crate) mod parse;
mod project;

use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, ArgMatches, Args, Parser, Subcommand, ValueEnum};
use front::by_language;
use front::language::Language;
use front::output::Form;
use search::{Effort, Shard, SolverChoice, Strategy};

use crate::terminal::Colour;

pub(crate) use front::options::{
    BlockRule, ByLanguage, CReadingArguments, CheckArguments, CouplingArguments, CriterionArguments, EvaluateArguments,
    ExecuteArguments, HarnessArguments, MachineArguments, ReadingArguments, RunArguments, SpecArguments,
};
use front::options::{seconds, solver, strategy};
pub(crate) use project::{
    FarmArguments, InitArguments, PlanArguments, ProjectArguments, ProjectVerb, StatusArguments, WorkArguments,
};

/// Draws test cases from formal specifications.
#[derive(Debug, Parser)]
#[command(name = "specimen", version, max_term_width = 100, after_help = AFTER_HELP)]
#[command(disable_help_flag = true, disable_help_subcommand = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    #[command(flatten)]
    pub(crate) common: CommonArguments,
}

const AFTER_HELP: &str = "\
Exit codes: 0 every goal covered or proved infeasible, 1 some goal left open, 2 usage,
3 input rejected, 4 environment, 70 a bug in specimen. For `test`: 0 every test passed, 1 not.";

/// What every verb understands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CommonArguments {
    /// The form of the output
    #[arg(long, global = true, value_enum, default_value_t = Form::Human, value_name = "FORM")]
    pub(crate) format: Form,
    /// When to use colours; auto also obeys NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = Colour::Auto, value_name = "WHEN")]
    pub(crate) color: Colour,
    /// Say nothing on standard error but errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Show more
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
    /// Print help; after a file, with the options of its language
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    pub(crate) help: Option<bool>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// A short tour over bundled examples
    Demo(DemoArguments),
    /// Parse and type-check specifications
    Check(CheckArguments),
    /// List the goals of a criterion, without searching
    Goals(GoalsArguments),
    /// List the mutants of a specification
    Mutants(MutantsArguments),
    /// Draw a suite of tests
    Generate(GenerateArguments),
    /// Run a specification on given inputs
    Run(RunArguments),
    /// Judge a saved suite again; needs no solver
    Replay(ReplayArguments),
    /// Try a saved suite on a system under test
    Test(TestArguments),
    /// Tell how many planted faults a saved suite finds
    Assess(AssessArguments),
    /// Tell which goals given tests cover
    Measure(MeasureArguments),
    /// Tell whether tests drawn from wrong formalisations show that they are wrong
    Evaluate(EvaluateArguments),
    /// Tell which conditions of a decision depend on each other
    Coupling(CouplingArguments),
    /// Write a model as an SMT-LIB script of its steps
    Translate(TranslateArguments),
    /// Join the suites of the shards of a run
    Merge(MergeArguments),
    /// Answer FQL queries about C programs, one after the other
    Shell(ShellArguments),
    /// Convert a suite to another format
    Export(ExportArguments),
    /// Judge tests in the browser: the workbench
    Review(ReviewArguments),
    /// Write a project file for the specifications and programs of this folder
    Init(InitArguments),
    /// Tell what is covered, open, stale and excluded in a project
    Status(StatusArguments),
    /// Cut the work of a project into tasks for a job engine
    Plan(PlanArguments),
    /// Carry out a task of a plan
    Work(WorkArguments),
    /// Hand the tasks of a plan to a job engine: local, dask, slurm, parallel, github or gitlab
    Farm(FarmArguments),
    /// A verb for a whole project
    #[command(hide = true)]
    Project(ProjectArguments),
    /// List the solvers found
    Solvers,
    /// Explain a diagnostic code, or list them all
    Explain(ExplainArguments),
    /// Print the help of a verb, or the options of a language
    Help(HelpArguments),
}

impl Verb {
    /// Takes the options of these languages from a command line that was made for them.
    fn take(&mut self, languages: &[Language], matches: &ArgMatches) -> Result<(), clap::Error> {
        match self {
            Verb::Check(arguments) => arguments.take(languages, matches),
            Verb::Goals(arguments) => arguments.take(languages, matches),
            Verb::Mutants(arguments) => arguments.take(languages, matches),
            Verb::Generate(arguments) => arguments.take(languages, matches),
            Verb::Run(arguments) => arguments.take(languages, matches),
            Verb::Measure(arguments) => arguments.take(languages, matches),
            Verb::Evaluate(arguments) => arguments.take(languages, matches),
            Verb::Coupling(arguments) => arguments.take(languages, matches),
            Verb::Translate(arguments) => arguments.take(languages, matches),
            Verb::Shell(arguments) => arguments.take(languages, matches),
            Verb::Demo(_)
            | Verb::Replay(_)
            | Verb::Assess(_)
            | Verb::Test(_)
            | Verb::Merge(_)
            | Verb::Export(_)
            | Verb::Review(_)
            | Verb::Init(_)
            | Verb::Status(_)
            | Verb::Plan(_)
            | Verb::Work(_)
            | Verb::Farm(_)
            | Verb::Project(_)
            | Verb::Solvers
            | Verb::Explain(_)
            | Verb::Help(_) => Ok(()),
        }
    }

    /// The options that a verb has for a language.
    pub(crate) fn options(verb: &str, language: Language) -> Vec<clap::Arg> {
        match verb {
            "check" => CheckArguments::options(language),
            "goals" => GoalsArguments::options(language),
            "mutants" => MutantsArguments::options(language),
            "generate" => GenerateArguments::options(language),
            "run" => RunArguments::options(language),
            "measure" => MeasureArguments::options(language),
            "evaluate" => EvaluateArguments::options(language),
            "coupling" => CouplingArguments::options(language),
            "translate" => TranslateArguments::options(language),
            "shell" => ShellArguments::options(language),
            _ => Vec::new(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// Keep the files and reports of the tour in this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) copy: Option<PathBuf>,
    /// Replace files of that folder that are there already and hold something else
    #[arg(long, requires = "copy")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GoalsArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArguments,
    #[command(flatten)]
    pub(crate) criterion: CriterionArguments,
}

by_language!(GoalsArguments { [spec, criterion] });

#[derive(Debug, Args)]
pub(crate) struct MutantsArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArguments,
    #[command(flatten)]
    pub(crate) criterion: CriterionArguments,
    #[arg(skip)]
    pub(crate) harness: HarnessArguments,
    /// Write each mutant to a file of its own in this folder, which is new or empty
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

by_language!(MutantsArguments {
    [spec, criterion]
    harness: Ltl | Tlsf;
});

#[derive(Clone, Debug, Args)]
pub(crate) struct GenerateArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArguments,
    #[command(flatten)]
    pub(crate) criterion: CriterionArguments,
    /// Start from the tests of this table or suite, and add what is missing
    #[arg(long, value_name = "TESTS")]
    pub(crate) augment: Vec<PathBuf>,
    /// Draw one further test for every line of standard input, until nothing is left to cover
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Draw the whole suite at once: the default, and the opposite of --interactive
    #[arg(long = "generateAll", visible_alias = "generate-all", conflicts_with = "interactive")]
    pub(crate) generate_all: bool,
    /// Write suite.json, report.html and tests.csv to this folder; a partial suite in it is continued
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Write the suite to the folder of --out in these formats of `export`, too; for programs that test action systems, the
    /// usual criterion is then ioco with all operators
    #[arg(long, value_name = "FORMATS", value_delimiter = ',', requires = "out")]
    pub(crate) to: Vec<String>,
    /// Replace the suite in the folder of --out, even one that was drawn from something else
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    #[arg(skip)]
    pub(crate) c: ExecuteArguments,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
}

by_language!(GenerateArguments {
    [spec, criterion, search]
    c: C | Preprocessed;
});

/// How the search goes about it.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct SearchArguments {
    /// How queries are posed; `specimen help LANGUAGE` lists the strategies of a language
    #[arg(long, value_name = "NAME", value_parser = strategy)]
    pub(crate) strategy: Option<Strategy>,
    /// Stop after this many tests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Give up on a goal after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) goal_timeout: Option<Duration>,
    /// Threads; the suite does not depend on their number. No effect on LTL and C
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// How much work goes into a search before something is left open or a suite not made smaller: quick, normal, thorough, or N
    /// times the usual; counted in work, not in seconds, and the same on every machine
    #[arg(long, value_name = "EFFORT", default_value_t = Effort::NORMAL, value_parser = effort)]
    pub(crate) effort: Effort,
    /// The solver: auto, built-in, one that `specimen solvers` lists, or several of them, separated by commas: they
    /// work at the same time, and of those with an answer the first in the list counts
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = solver)]
    pub(crate) solver: SolverChoice,
    /// Any other solver: a command for the shell that starts a program which reads SMT-LIB 2 from its standard input
    #[arg(long, value_name = "COMMAND", conflicts_with = "solver")]
    pub(crate) solver_command: Option<String>,
    /// Whether the suite is reduced at the end
    #[arg(long, value_enum, default_value_t = Minimize::Auto, value_name = "WHEN")]
    pub(crate) minimize: Minimize,
    /// Search for one part of the goals only: part I of N, from 1/N to N/N; join the parts with `specimen merge`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
    /// Ask the solver, too, what each test covers, and compare that with what the interpreter says
    #[arg(long)]
    pub(crate) sat_coverage_check: bool,
    #[arg(skip)]
    pub(crate) steps: BoundArguments,
    #[arg(skip)]
    pub(crate) queries: QueryArguments,
}

by_language!(SearchArguments {
    steps: Action | Prolog | Stl | Tessla | Ltl | Tlsf;
    queries: Bool | Smtlib | Action | Prolog | Stl | Tessla | C | Preprocessed;
});

impl SearchArguments {
    /// Who answers.
    pub(crate) fn chosen_solver(&self) -> SolverChoice {
        self.solver_command.clone().map_or_else(|| self.solver.clone(), SolverChoice::Command)
    }
}

/// How far the executions of languages with steps go.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct BoundArguments {
    /// How far executions are unrolled, in the steps of the language
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) bound: Option<u32>,
}

/// What becomes of queries to the solver.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct QueryArguments {
    /// Give up on a query after this many conflicts; unlike seconds, the same on every machine
    #[arg(long, value_name = "N")]
    pub(crate) conflicts: Option<u64>,
    /// Write the conversations with the solver to this folder, as SMT-LIB scripts
    #[arg(long, value_name = "FOLDER")]
    pub(crate) smt2_out: Option<PathBuf>,
    /// Ask every question of a new solver, which knows nothing of those before
    #[arg(long)]
    pub(crate) no_incremental: bool,
}

/// Whether the suite is reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Minimize {
    /// To the smallest suite that can be found, and proved to be one where possible.
    Auto,
    /// Not at all.
    Off,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The suite
    pub(crate) suite: PathBuf,
    /// The specification; otherwise looked for beside the suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Prove again what is said to be impossible; this needs the search
    #[arg(long)]
    pub(crate) prove: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AssessArguments {
    /// The suite
    pub(crate) suite: PathBuf,
    /// The specification; otherwise looked for beside the suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Take the files of this folder as the faults: each is the specification or program with a mistake
    #[arg(long, value_name = "FOLDER")]
    pub(crate) variants: Option<PathBuf>,
    /// Random runs against each fault that no test finds
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(crate) runs: usize,
    /// The seed of the random runs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    /// The suite
    pub(crate) suite: PathBuf,
    /// The command, for the shell: it reads a line of JSON for each test, or for each step where a test has several, and answers
    /// each with a line; the book's page on adapters says which
    #[arg(long, value_name = "COMMAND", required_unless_present = "execute", conflicts_with = "execute")]
    pub(crate) against: Option<String>,
    /// C: build the tests with the system's compiler and run them, in a folder of their own and with limits
    #[arg(long)]
    pub(crate) execute: bool,
    /// The source of the suite, where it is needed; otherwise the file beside the suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Write what became of the tests to this file, as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Wait this many seconds for each answer
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) test_timeout: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArguments,
    /// Tables (CSV) or suites (JSON) of tests
    #[arg(required = true)]
    pub(crate) tests: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) criterion: CriterionArguments,
    /// Find out which goals are feasible, and print the part of them that is covered
    #[arg(long)]
    pub(crate) feasible: bool,
    /// Stop after this many seconds to find out which goals are feasible
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "feasible")]
    pub(crate) timeout: Option<Duration>,
}

by_language!(MeasureArguments { [spec, criterion] });

#[derive(Debug, Args)]
pub(crate) struct TranslateArguments {
    #[command(flatten)]
    pub(crate) spec: SpecArguments,
}

by_language!(TranslateArguments { [spec] });

#[derive(Debug, Args)]
pub(crate) struct MergeArguments {
    /// The suites; or the folder of a plan
    #[arg(required = true)]
    pub(crate) suites: Vec<PathBuf>,
    /// The specification; otherwise looked for beside the first suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Write suite.json, report.html and tests.csv to this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The suite
    pub(crate) suite: PathBuf,
    /// The format: json, csv, markdown, junit, html, c, pytest, rust, or one of the language's own
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: String,
    /// Write to this folder; needed for formats of several files
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// The specification, for reports that show it; otherwise looked for beside the suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    /// Replace files of that folder that are there already and hold something else
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReviewArguments {
    /// A project (.specimen, made if it is not there), or a folder of projects
    pub(crate) path: PathBuf,
    /// The port on this machine; a free one otherwise
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(crate) port: u16,
    /// Do not open the browser, only say the address
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShellArguments {
    /// The files of the program; more can be added in the shell
    pub(crate) files: Vec<PathBuf>,
    /// Obey the lines of this file instead of the keyboard
    #[arg(long, value_name = "FILE")]
    pub(crate) query_file: Option<PathBuf>,
    /// The function to test
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// A folder of headers
    #[arg(short = 'I', long, value_name = "FOLDER")]
    pub(crate) include: Vec<PathBuf>,
    /// A macro of the preprocessor
    #[arg(short = 'D', long, value_name = "NAME[=TEXT]")]
    pub(crate) define: Vec<String>,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
    /// Do not model the C library: what its functions return is an input
    #[arg(long)]
    pub(crate) no_library: bool,
    /// What @BASICBLOCKENTRY finds: one edge per block, or what FShell took for block entries
    #[arg(long, value_enum, value_name = "RULE")]
    pub(crate) blocks: Option<BlockRule>,
    /// Unroll loops, recursion and backward jumps at most N times
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unwind: Option<u32>,
    /// The bound of single loops, as LOOP:N; SHOW LOOPS lists the loops
    #[arg(long, value_name = "LOOP:N", value_delimiter = ',')]
    pub(crate) unwindset: Vec<String>,
    /// Assertions that fail end the program: what is done anyway
    #[arg(long, conflicts_with = "no_assert")]
    pub(crate) enable_assert: bool,
    /// Define NDEBUG: assertions do nothing
    #[arg(long)]
    pub(crate) no_assert: bool,
    /// Ignore __CPROVER_assume
    #[arg(long)]
    pub(crate) no_assumptions: bool,
    /// Unroll at most N steps of the program
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) depth: Option<u32>,
    /// Search for nothing if some execution needs more than the bounds
    #[arg(long, conflicts_with_all = ["partial_loops", "no_unwinding_assertions"])]
    pub(crate) unwinding_assertions: bool,
    /// Leave out executions that need more than the bounds: what is done anyway
    #[arg(long)]
    pub(crate) no_unwinding_assertions: bool,
    /// Leave loops after their last round even if their conditions still hold; only executions that the program really has become tests
    #[arg(long)]
    pub(crate) partial_loops: bool,
    /// Encode goals by a monitor beside the program; slower, for comparison
    #[arg(long)]
    pub(crate) use_instrumentation: bool,
    /// Do not look for failing assertions, and for executions beyond the bounds, before the first query
    #[arg(long)]
    pub(crate) no_precheck: bool,
    /// Of no effect, with a warning: what a test covers is always judged by the interpreter
    #[arg(long)]
    pub(crate) no_internal_coverage_check: bool,
    /// Show the functions as control-flow automata, and go on
    #[arg(long)]
    pub(crate) show_goto_functions: bool,
    /// Show the loops as --unwindset names them, and go on
    #[arg(long, visible_alias = "show-loops")]
    pub(crate) show_loop_ids: bool,
    /// Show the entry function, and type and place of every input
    #[arg(long)]
    pub(crate) tco_location: bool,
    /// Show the functions that every test calls
    #[arg(long)]
    pub(crate) tco_called_functions: bool,
    /// Show what every test assigns to global variables
    #[arg(long)]
    pub(crate) tco_assign_globals: bool,
    /// Show the goals of every query
    #[arg(long)]
    pub(crate) show_test_goals: bool,
    /// Show what every query took
    #[arg(long)]
    pub(crate) statistics: bool,
    /// How much to say, 0 to 9: from 6 on a summary of every query, from 8 on statistics
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..10))]
    pub(crate) verbosity: Option<u8>,
    /// Show suites as XML
    #[arg(long)]
    pub(crate) xml_ui: bool,
    /// Append suites to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) outfile: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
}

by_language!(ShellArguments { [search] });

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The code, such as bool-syntax
    pub(crate) code: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct HelpArguments {
    /// A verb, or a language as its extension names it
    pub(crate) topic: Option<String>,
}

fn effort(text: &str) -> Result<Effort, String> {
    Effort::from_name(text).ok_or_else(|| "it is quick, normal, thorough, or a number of times the usual".to_owned())
}

/// Reads `I/N` with 1 ≤ I ≤ N.
fn shard(text: &str) -> Result<Shard, String> {
    let wrong = || "the part and the number of parts are needed, as in 1/4".to_owned();
    let (part, count) = text.split_once('/').ok_or_else(wrong)?;
    let (part, count): (u32, u32) = (part.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?);
    if part == 0 || count < part {
        return Err("parts are counted from 1 to the number of parts".to_owned());
    }
    Ok(Shard { index: part - 1, count })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
        for verb in Arguments::command().get_subcommands() {
            for language in Language::ALL {
                parse::command(verb.get_name(), &[*language]).debug_assert();
            }
            parse::command(verb.get_name(), Language::ALL).debug_assert();
        }
    }

    #[test]
    fn shards_are_counted_from_one() {
        assert_eq!(shard("2/3"), Ok(Shard { index: 1, count: 3 }));
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/99999999999"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
