//! The options of runs on traces.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::by_language::usual;

/// What bounds a run on a trace.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Traces")]
pub struct StreamArguments {
    /// Stop after this many events of the trace
    #[arg(long, value_name = "N")]
    pub abort_at: Option<u64>,
    /// Stop after the first event of this output
    #[arg(long, value_name = "STREAM")]
    pub stop_on: Option<String>,
    /// Go on up to this time after the trace has ended: timers run out
    #[arg(long, value_name = "TIME")]
    pub until: Option<i64>,
    /// Show every named stream, inner ones too, as a grid: times across, streams down
    #[arg(long)]
    pub grid: bool,
    /// With --grid: the values inside lifted functions too, at the times at which they are evaluated
    #[arg(long, requires = "grid")]
    pub values: bool,
}

/// How traces are read and judged.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Traces")]
pub struct TraceArguments {
    /// The meaning of formulas on finite traces: counting, ltl3, rv-ltl, mu, fltl, fltl-weak, weak, strong, or all of them
    #[arg(long, value_name = "NAME", default_value = "counting")]
    pub semantics: String,
    /// Show every subformula in every step
    #[arg(long)]
    pub table: bool,
    /// Show the verdict after every step
    #[arg(long)]
    pub sweep: bool,
    /// Compare waits with those of this trace too
    #[arg(long, value_name = "TRACE")]
    pub history: Vec<PathBuf>,
    /// The wait that is still expected, given those that were seen to end: longest, quantile:PART, spread:DEVIATIONS, or recent:COUNT
    #[arg(long, value_name = "HOW", default_value = "longest", conflicts_with = "history")]
    pub expect: ltl::verdict::Expectation,
    /// Count by rules that differ from the usual ones, for comparison: printed-until (`a U b` as the thesis prints it) and
    /// stepwise-next (one X after the other)
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    pub counting: Vec<ltl::verdict::Divergence>,
    /// The signal of a value change dump whose rising edges are the steps
    #[arg(long, value_name = "NAME")]
    pub clock: Option<String>,
    /// The signal of a value change dump that is true while the system is reset, or false if written with `!`: such steps are none
    /// of the trace
    #[arg(long, value_name = "NAME")]
    pub reset: Option<String>,
    /// What values of a value change dump are that are unknown (x) or undriven (z)
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = UnknownValues::Error)]
    pub unknown: UnknownValues,
    /// Write the automaton of the specification in place of judging traces: one that accepts exactly what satisfies it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub automaton: Option<AutomatonForm>,
    /// The format of traces; otherwise told by the extension
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub trace_format: Option<TraceForm>,
}

impl Default for TraceArguments {
    fn default() -> TraceArguments {
        usual()
    }
}

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TraceForm {
    /// A table with a head of names
    Csv,
    /// A JSON object or array for every step
    Jsonl,
    /// A value change dump
    Vcd,
    /// A line `name: T--T` for every signal
    Waves,
}

/// What unknown values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UnknownValues {
    /// A reason to leave the step out
    Ignore,
    /// False
    False,
    /// A mistake in the trace
    Error,
}

/// A format of automata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AutomatonForm {
    /// The Hanoi format
    Hoa,
    /// A graph for Graphviz
    Dot,
}
