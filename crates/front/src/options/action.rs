//! The options of action systems.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::recorded::joined;

/// What is asked of action systems.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Action systems")]
pub struct ActionArguments {
    /// The control variable of `--criterion node`; by default the first one
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<String>,
    /// How mutants are examined: explicit, bounded, strategy-0, strategy-1, strategy-2,
    /// strategy-3
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// Take the models in this folder as mutants
    #[arg(long, value_name = "FOLDER")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutants: Option<PathBuf>,
    /// The mutation operators, separated by commas, or one of the sets `classic` and `all`
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    #[serde(with = "joined", skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<String>,
    /// Add up to this many mutants with two changes
    #[arg(long, value_name = "N", conflicts_with = "mutants")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second_order: Option<u64>,
    /// Explore at most this many states
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Use at most this many mebibytes for states
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Write a table of what was found out about each mutant, with times
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    pub results: Option<PathBuf>,
}

/// How an action system is checked.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Action systems")]
pub struct ActionCheckArguments {
    /// Look at the invariants of the model in every reachable state, up to its depth
    #[arg(long)]
    pub invariant: bool,
}

/// How an action system is run.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Action systems")]
pub struct ActionRunArguments {
    /// Write the reachable states as a graph for Graphviz; the ways of given tests are marked
    #[arg(long, value_name = "FILE")]
    pub graph: Option<PathBuf>,
}
