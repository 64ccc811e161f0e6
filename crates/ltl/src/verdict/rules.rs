//! Rules of the counting semantics as they are printed or might be read, where the thesis's own tables demand others. They are
//! for comparison only: with the printed rule of `U` an open formula can be called false.

use std::fmt;
use std::str::FromStr;

/// A rule that differs from the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Divergence {
    /// `a U b` is judged by `b` in the place of `a`, as definition 19 is printed; what is left of the rule is the verdict of `b`.
    /// `a R b` likewise.
    PrintedUntil,
    /// `X X a` is judged by `X a` in the next step, one `X` after the other, in place of `a` two steps later.
    StepwiseNext,
}

impl Divergence {
    /// All of them.
    pub const ALL: [Divergence; 2] = [Divergence::PrintedUntil, Divergence::StepwiseNext];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Divergence::PrintedUntil => "printed-until",
            Divergence::StepwiseNext => "stepwise-next",
        }
    }
}

impl fmt::Display for Divergence {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

impl FromStr for Divergence {
    type Err = String;

    fn from_str(text: &str) -> Result<Divergence, String> {
        let found = Divergence::ALL.into_iter().find(|divergence| divergence.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of {}, {}", Divergence::ALL[0], Divergence::ALL[1]))
    }
}

/// The rules by which the parts of a formula decide; the usual ones unless told otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) printed_until: bool,
    pub(super) stepwise_next: bool,
}

impl Rules {
    pub(super) fn with(divergences: &[Divergence]) -> Rules {
        let has = |divergence| divergences.contains(&divergence);
        Rules { printed_until: has(Divergence::PrintedUntil), stepwise_next: has(Divergence::StepwiseNext) }
    }
}
