//! The options of signal temporal logic.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::LogArguments;
use super::recorded::is_false;

/// How a formula is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Signal temporal logic")]
pub struct StlReadingArguments {
    /// A definition of the file to take in place of its formula
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// How far operators without an upper bound look ahead, so that tests can be drawn for them
    #[arg(long, value_name = "TIME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub horizon: Option<String>,
    /// All numbers keep their values up to the next sample, in place of straight lines, so that tests may jump
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub hold: bool,
    /// The unit of the times in tables and JSON lines: h, min, s, ms, us or ns [default: that of the formula]
    #[arg(long, value_name = "UNIT")]
    #[serde(skip)]
    pub time_unit: Option<String>,
    /// Which columns of a recording are which
    #[command(flatten)]
    #[serde(skip)]
    pub log: LogArguments,
}

/// What is asked of a formula.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Signal temporal logic")]
pub struct StlCriterionArguments {
    /// The mutation operators, separated by commas, or the set `published`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<String>,
    /// By how much mutants move the bounds of windows, and how wide the windows are that they insert; by default one in the last
    /// place in which a bound is written, and the greatest number that divides all bounds
    #[arg(long, value_name = "TIME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation_step: Option<String>,
    /// Mutants also move brackets over temporal operators: `p -> G q` becomes `G(p -> q)`
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub over_temporal: bool,
    /// Tell coverage predicates apart from the formula, instead of satisfying them
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub distinguish: bool,
    /// End the run with what it has found when the program uses more than this many mebibytes
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(skip)]
    pub memory: Option<u64>,
}

/// How a formula is run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Signal temporal logic")]
pub struct StlRunArguments {
    /// A formula that answers in place of a person; tells where it judges otherwise
    #[arg(long, value_name = "FILE")]
    pub oracle: Option<PathBuf>,
    /// Judge every definition of the file too, each as a requirement of its own, in one table
    #[arg(long, conflicts_with_all = ["oracle", "decision"])]
    pub definitions: bool,
    /// Say of each signal when every part of the formula holds, and what decides the verdict: the first moment and its values
    #[arg(long, conflicts_with = "oracle")]
    pub explain: bool,
    /// Write a page (HTML) with the signals plotted, what fails marked, and the parts of the formula over time
    #[arg(long, value_name = "FILE", conflicts_with = "oracle")]
    pub report: Option<PathBuf>,
    /// Write the verdicts as JUnit XML
    #[arg(long, value_name = "FILE", conflicts_with = "oracle")]
    pub junit: Option<PathBuf>,
}
