//! The options of runs of strategies and of their mutants.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seconds;

/// How strategies are run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies (LTL)")]
pub(crate) struct StepArguments {
    /// An implementation to run strategies on: a circuit (.circuit) or a machine (.json)
    #[arg(long, value_name = "FILE")]
    pub(crate) implementation: Option<PathBuf>,
    /// The steps of a run
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: u64,
    /// Runs with random inputs besides
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) random: u32,
    /// Inputs that a strategy leaves free
    #[arg(long, value_enum, value_name = "HOW", default_value_t = FreeInputs::Random)]
    pub(crate) free: FreeInputs,
    /// The seed of random inputs
    #[arg(long = "input-seed", value_name = "N", default_value_t = 0)]
    pub(crate) input_seed: u64,
}

/// Which strategies are asked for.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies (LTL)")]
pub(crate) struct StrategyArguments {
    /// Leave inputs free where that costs nothing
    #[arg(long)]
    pub(crate) generalize: bool,
    /// This many strategies for each fault, each of which does what those before it do not
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) strategies: u16,
    /// What every run of a strategy must satisfy besides, as in 'G !reset': keeps degenerate strategies out
    #[arg(long, value_name = "FORMULA")]
    pub(crate) keep: Option<String>,

    /// Only these guarantees of the specification, separated by commas, with all assumptions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) guarantees: Vec<String>,
    /// A system that satisfies the specification, a circuit or a machine: frequencies at which it hides a fault are not searched
    #[arg(long, value_name = "FILE")]
    pub(crate) reference: Option<PathBuf>,

    /// Signals that can be exchanged without changing the specification, as in 'on1=on2,mode1=mode2'; checked, and strategies are
    /// then searched for one of them only
    #[arg(long, value_name = "PAIRS")]
    pub(crate) symmetric: Vec<String>,
}

impl Default for StrategyArguments {
    fn default() -> StrategyArguments {
        StrategyArguments {
            generalize: false,
            strategies: 1,
            keep: None,
            guarantees: Vec::new(),
            symmetric: Vec::new(),
            reference: None,
        }
    }
}

/// Runs against a command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies (LTL)")]
pub(crate) struct DriveArguments {
    /// Drive this command with the strategies: it reads one step a line, {"step": …, "inputs": …}, and answers each with an
    /// object of outputs
    #[arg(long, value_name = "COMMAND")]
    pub(crate) against: Option<String>,
    /// Wait this many seconds for the answer of each step
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(crate) step_timeout: Duration,
    /// Write the trace of every run to this folder
    #[arg(long, value_name = "FOLDER")]
    pub(crate) log: Option<PathBuf>,
    /// The specification of a suite of strategies; otherwise looked for beside the suite
    #[arg(long, value_name = "FILE")]
    pub(crate) source: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) steps: StepArguments,
}

/// Runs on mutants of an implementation.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies (LTL)")]
pub(crate) struct HarnessArguments {
    /// The strategies to run on the mutants of the implementation; drawn from the specification otherwise
    #[arg(long, value_name = "SUITE")]
    pub(crate) suite: Vec<PathBuf>,
    /// Mistakes show in these steps only, counted from 1
    #[arg(long, value_name = "STEPS", value_delimiter = ',')]
    pub(crate) faulty_steps: Vec<u64>,
    /// Give up on a fault and a frequency after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) goal_timeout: Option<Duration>,
    /// Show which strategy notices which mutant
    #[arg(long)]
    pub(crate) matrix: bool,
    #[command(flatten)]
    pub(crate) steps: StepArguments,
}

/// How inputs are chosen that a strategy leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FreeInputs {
    /// At random
    Random,
    /// False
    Low,
    /// True
    High,
    /// All values in turn
    RoundRobin,
    /// Values that were not yet set in the same situation come first
    Coverage,
}
