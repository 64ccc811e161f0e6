//! The options of runs of strategies and of their mutants.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

use super::by_language::usual;
use super::recorded::{is_false, object};
use super::{parameter, seconds};

/// How a formula is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Linear temporal logic")]
pub struct PartitionArguments {
    /// The file that says which signals are inputs and outputs, where the specification does not
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partition: Option<PathBuf>,
}

/// How a file in the format of the synthesis competition is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Linear temporal logic")]
pub struct ParameterArguments {
    /// Another value for a parameter of the specification
    #[arg(long, value_name = "NAME=NUMBER", value_parser = parameter)]
    #[serde(with = "object", skip_serializing_if = "Vec::is_empty")]
    pub parameter: Vec<(String, i64)>,
}

/// What `check` looks for.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Linear temporal logic")]
pub struct RealizabilityArguments {
    /// Say whether a system can satisfy the specification against every environment
    #[arg(long)]
    pub realizable: bool,
    /// Give up on realizability after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Give up on realizability when decision diagrams take this many megabytes
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..))]
    pub memory: Option<u64>,
    /// Write the machine that proves the answer to this folder, as JSON, for Graphviz, and as a circuit in the AIGER format
    #[arg(long, value_name = "FOLDER")]
    pub out: Option<PathBuf>,
}

/// How strategies are run.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies")]
pub struct StepArguments {
    /// An implementation to run strategies on: a circuit (.circuit, or .aag and .aig of AIGER) or a machine (.json)
    #[arg(long, value_name = "FILE")]
    pub implementation: Option<PathBuf>,
    /// The steps of a run
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = clap::value_parser!(u64).range(1..))]
    pub steps: u64,
    /// This many further runs with random inputs
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub random: u32,
    /// Inputs that a strategy leaves free
    #[arg(long, value_enum, value_name = "HOW", default_value_t = FreeInputs::Random)]
    pub free: FreeInputs,
    /// The seed of random inputs
    #[arg(long = "input-seed", value_name = "N", default_value_t = 0)]
    pub input_seed: u64,
}

/// Which strategies are asked for. The fields stand in the order in which a suite holds them.
#[derive(Clone, Debug, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Strategies")]
pub struct StrategyArguments {
    /// Leave inputs free where that costs nothing
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub generalize: bool,
    /// This many strategies for each fault, each of which does what those before it do not
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=64))]
    #[serde(skip_serializing_if = "is_one")]
    pub strategies: u16,
    /// A system that satisfies the specification, a circuit or a machine: frequencies at which it hides a fault are not searched
    #[arg(long, value_name = "FILE")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference: Option<PathBuf>,
    /// Only these guarantees of the specification, separated by commas, with all assumptions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub guarantees: Vec<String>,
    /// Signals that can be exchanged without changing the specification, as in 'on1=on2,mode1=mode2'; checked, and strategies are
    /// then searched for one of them only
    #[arg(long, value_name = "PAIRS")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symmetric: Vec<String>,
    /// Use at most this many mebibytes for decision diagrams
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// What every run of a strategy must satisfy as well, as in 'G !reset': keeps degenerate strategies out
    #[arg(long, value_name = "FORMULA")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
fn is_one(number: &u16) -> bool {
    *number == 1
}

impl Default for StrategyArguments {
    fn default() -> StrategyArguments {
        usual()
    }
}

/// Runs against a command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies")]
pub struct DriveArguments {
    /// Drive this command with the strategies: it reads one step a line, {"step": …, "inputs": …}, and answers each with an
    /// object of outputs
    #[arg(long, value_name = "COMMAND")]
    pub against: Option<String>,
    /// Wait this many seconds for the answer of each step
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub step_timeout: Duration,
    /// Write the trace of every run to this folder
    #[arg(long, value_name = "FOLDER")]
    pub log: Option<PathBuf>,
    /// The specification of a suite of strategies; otherwise looked for beside the suite
    #[arg(long, value_name = "FILE")]
    pub source: Option<PathBuf>,
    /// How far it is driven.
    #[command(flatten)]
    pub steps: StepArguments,
}

impl Default for DriveArguments {
    fn default() -> DriveArguments {
        usual()
    }
}

/// Runs on mutants of an implementation.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Strategies")]
pub struct HarnessArguments {
    /// How a circuit is changed, separated by commas: forced-0, forced-1, negated, source
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub operators: Vec<String>,
    /// The strategies to run on the mutants of the implementation; drawn from the specification otherwise
    #[arg(long, value_name = "SUITE")]
    pub suite: Vec<PathBuf>,
    /// Mistakes show in these steps only, counted from 1
    #[arg(long, value_name = "STEPS", value_delimiter = ',')]
    pub faulty_steps: Vec<u64>,
    /// Give up on a fault and a frequency after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub goal_timeout: Option<Duration>,
    /// Show which strategy notices which mutant
    #[arg(long)]
    pub matrix: bool,
    /// How far it is driven.
    #[command(flatten)]
    pub steps: StepArguments,
}

impl Default for HarnessArguments {
    fn default() -> HarnessArguments {
        usual()
    }
}

/// How inputs are chosen that a strategy leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FreeInputs {
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
