//! The options of Boolean decisions.

use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

/// How a file of decisions is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Boolean decisions")]
pub struct BooleanReadingArguments {
    /// The decision to take; by default the last one of the file
    #[arg(long, value_name = "NAME")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
}

/// What is asked of a decision.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
#[command(next_help_heading = "Boolean decisions")]
pub struct BooleanCriterionArguments {
    /// What counts as a condition: every occurrence on its own, or all occurrences of an atom together
    #[arg(long, value_enum, default_value_t = Conditions::Occurrence, value_name = "WHICH")]
    pub conditions: Conditions,
    /// Where the values of tests lie: on the border of every comparison that decides, or as small as possible
    #[arg(long, value_enum, default_value_t = BorderValues::Border, value_name = "WHERE")]
    #[serde(skip_serializing_if = "BorderValues::is_border")]
    pub values: BorderValues,
    /// Also ask for tests on and next to the boundary of every comparison
    #[arg(long)]
    pub boundary: bool,
}

/// What counts as a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Conditions {
    /// Every occurrence.
    #[default]
    Occurrence,
    /// Every atom.
    Variable,
}

/// Where the values of tests lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BorderValues {
    /// As close to the border as the truth of the comparison allows.
    #[default]
    Border,
    /// The simplest ones.
    Small,
}

impl BorderValues {
    /// Whether a suite need not say it.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
    pub(super) fn is_border(&self) -> bool {
        *self == BorderValues::Border
    }
}
