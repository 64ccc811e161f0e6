//! The arguments of verbs about projects and plans.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::seconds;

#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Replace the project file that is there
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArguments {
    /// Accept every goal that is open now: write them to the baseline of the project
    #[arg(long)]
    pub(crate) accept: bool,
}

/// What is done for each unit of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProjectVerb {
    /// Draw the suites that are not up to date.
    Generate,
    /// Parse and check every file.
    Check,
    /// Judge every suite again.
    Replay,
}

#[derive(Debug, Args)]
pub(crate) struct ProjectArguments {
    /// What is done for each unit
    pub(crate) verb: ProjectVerb,
    /// Only units whose names fit this pattern
    #[arg(long, value_name = "PATTERN")]
    pub(crate) only: Option<String>,
    /// Units at a time; by default as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) timeout: Option<Duration>,
    /// Also search units that are up to date, from the start
    #[arg(long)]
    pub(crate) force: bool,
}

impl ProjectArguments {
    /// How many units at a time.
    pub(crate) fn jobs(&self) -> usize {
        jobs(self.jobs)
    }
}

/// A number of jobs, or that of the processors.
fn jobs(given: Option<u16>) -> usize {
    given.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

#[derive(Debug, Args)]
pub(crate) struct PlanArguments {
    /// The folder of the plan, which is new or empty
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// Cut the goals of each unit into this many parts; by default by their number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub(crate) shards: Option<u32>,
    /// Only units whose names fit this pattern
    #[arg(long, value_name = "PATTERN")]
    pub(crate) only: Option<String>,
    /// Also units that are up to date
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WorkArguments {
    /// The folder of the plan
    pub(crate) plan: PathBuf,
    /// The number of the task, from 1; without one, every task that is not done
    pub(crate) task: Option<usize>,
    /// Tasks at a time; by default as many as there are processors
    #[arg(long, value_name = "N", conflicts_with = "task", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: Option<u16>,
}

impl WorkArguments {
    /// How many tasks at a time.
    pub(crate) fn jobs(&self) -> usize {
        jobs(self.jobs)
    }
}

#[derive(Debug, Args)]
pub(crate) struct FarmArguments {
    /// The folder of the plan
    pub(crate) plan: PathBuf,
    /// The job engine: local, dask, slurm (external programs `specimen-farm-…`), or parallel, github, gitlab, which print what those
    /// engines are to run
    #[arg(long, value_name = "ENGINE", default_value = "local")]
    pub(crate) engine: String,
    /// Further arguments for the engine
    #[arg(last = true)]
    pub(crate) rest: Vec<String>,
}
