//! The options of action systems.

use std::path::PathBuf;

use clap::Args;

/// What is asked of action systems.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Action systems")]
pub(crate) struct ActionArguments {
    /// Take the models in this folder as mutants
    #[arg(long, value_name = "FOLDER")]
    pub(crate) mutants: Option<PathBuf>,
    /// Add up to this many mutants with two changes
    #[arg(long, value_name = "N", conflicts_with = "mutants")]
    pub(crate) second_order: Option<u64>,
    /// How mutants are examined: explicit, bounded, strategy-1, strategy-2, strategy-3
    #[arg(long, value_name = "NAME")]
    pub(crate) engine: Option<String>,
    /// The control variable of `--criterion node`; the first one otherwise
    #[arg(long, value_name = "NAME")]
    pub(crate) control: Option<String>,
    /// Explore at most this many states
    #[arg(long, value_name = "N")]
    pub(crate) states: Option<u64>,
    /// Write a table of what was found out about each mutant, with times
    #[arg(long, value_name = "FILE")]
    pub(crate) results: Option<PathBuf>,
}
