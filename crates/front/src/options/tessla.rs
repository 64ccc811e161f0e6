//! The options of TeSSLa.

use std::num::NonZeroU32;

use clap::Args;
use serde::{Deserialize, Serialize};

use super::BorderValues;
use super::recorded::is_false;

/// How a stream specification is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "TeSSLa")]
pub struct TesslaReadingArguments {
    /// The unit of times in traces, for specifications that use units: fs, ps, ns, us, ms, s, min, h, d
    #[arg(long, value_name = "UNIT")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_unit: Option<String>,
    /// How many times there are to a unit: times in traces are then parts of the specification's units. As many as the bound show
    /// everything that real times show
    #[arg(long, value_name = "N")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticks: Option<NonZeroU32>,
    /// Refuse traces with events of streams that the specification does not declare; by default such events only let time pass, with
    /// a warning
    #[arg(long)]
    #[serde(skip)]
    pub reject_undeclared_inputs: bool,
}

/// What is asked of a stream specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "TeSSLa")]
pub struct TesslaCriterionArguments {
    /// Count the code of the standard library too
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub library: bool,
    /// Every timer has run out at the end of a test
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub closed_delays: bool,
    /// Where the numbers of tests lie: on the border of every comparison that they decide, or as small as possible
    #[arg(long, value_enum, default_value_t = BorderValues::Border, value_name = "WHERE")]
    #[serde(skip_serializing_if = "BorderValues::is_border")]
    pub values: BorderValues,
    /// How many elements lists, sets and maps have at most in the search [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection_size: Option<u32>,
    /// How deeply recursive functions and folds call each other at most in the search [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_depth: Option<u32>,
    /// End the run with what it has found when the program uses more than this many mebibytes
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..))]
    #[serde(skip)]
    pub memory: Option<u64>,
}

/// What `check` shows.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "TeSSLa")]
pub struct TesslaCheckArguments {
    /// Show the equations and functions that are left once everything is expanded
    #[arg(long)]
    pub core: bool,
}
