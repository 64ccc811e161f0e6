//! The mutation score of a suite: what its goals say about mutants, counted.

use std::fmt;

use testcase::{GoalRecord, Status, Suite};

/// The word with which the reason of a goal begins whose mutant is equivalent to the model: each conforms to the other.
pub const EQUIVALENT: &str = "equivalent";
/// The same for a mutant that conforms and does less than the model.
pub const REFINES: &str = "refines";
/// The same for a mutant that conforms, where nobody knows whether it does less.
pub const CONFORMS: &str = "conforms";

/// What is known about a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// A test kills it.
    Killed,
    /// It conforms to the model, and the model to it.
    Equivalent(Extent),
    /// It conforms and does less.
    Refines(Extent),
    /// It conforms; whether it does less is not known.
    Conforms(Extent),
    /// Nothing.
    Unknown,
}

/// How far a claim reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// It is proved.
    Proved,
    /// It holds for all traces up to the search depth.
    UpToDepth,
}

impl Fate {
    /// What a goal of a suite says about its mutant.
    pub fn of(goal: &GoalRecord) -> Fate {
        let extent = match goal.status {
            Status::Covered => return Fate::Killed,
            Status::Infeasible => Extent::Proved,
            Status::InfeasibleUpTo => Extent::UpToDepth,
            Status::OnlyUndefined | Status::Unknown => return Fate::Unknown,
        };
        let reason = goal.reason.as_deref().unwrap_or_default();
        match reason.split([' ', ':']).next().unwrap_or_default() {
            EQUIVALENT => Fate::Equivalent(extent),
            REFINES => Fate::Refines(extent),
            _ => Fate::Conforms(extent),
        }
    }

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Fate::Killed => "killed",
            Fate::Equivalent(Extent::Proved) => "equivalent",
            Fate::Equivalent(Extent::UpToDepth) => "equivalent up to the depth",
            Fate::Refines(Extent::Proved) => "refines",
            Fate::Refines(Extent::UpToDepth) => "refines up to the depth",
            Fate::Conforms(Extent::Proved) => "conforms",
            Fate::Conforms(Extent::UpToDepth) => "conforms up to the depth",
            Fate::Unknown => "unknown",
        }
    }
}

/// The mutants of a suite, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// All of them.
    pub mutants: usize,
    /// Killed by a test.
    pub killed: usize,
    /// Proved to be equivalent.
    pub equivalent: usize,
    /// Proved to conform and to do less, or to do less and to conform up to the depth.
    pub refines: usize,
    /// Equivalent up to the depth.
    pub equivalent_up_to: usize,
    /// Conforming, where nothing more is known.
    pub conforms: usize,
    /// Left open.
    pub unknown: usize,
}

impl Score {
    /// The score of a suite whose goals are mutants.
    pub fn of(suite: &Suite) -> Score {
        let mut score = Score::default();
        for goal in &suite.goals {
            score.mutants += 1;
            *match Fate::of(goal) {
                Fate::Killed => &mut score.killed,
                Fate::Equivalent(Extent::Proved) => &mut score.equivalent,
                Fate::Equivalent(Extent::UpToDepth) => &mut score.equivalent_up_to,
                Fate::Refines(_) => &mut score.refines,
                Fate::Conforms(_) => &mut score.conforms,
                Fate::Unknown => &mut score.unknown,
            } += 1;
        }
        score
    }

    /// The mutants that count: all but those proved to be equivalent.
    pub fn counted(&self) -> usize {
        self.mutants - self.equivalent
    }

    /// Killed mutants per cent of those that are not equivalent; none where all are.
    pub fn percent(&self) -> Option<f64> {
        let counted = self.counted();
        (0 < counted).then(|| 100.0 * self.killed as f64 / counted as f64)
    }

    /// Whether more may be equivalent than is proved, so that the score may be higher.
    pub fn is_lower_bound(&self) -> bool {
        0 < self.equivalent_up_to + self.conforms + self.unknown
    }

    /// The score in words.
    pub fn words(&self) -> String {
        match self.percent() {
            None => "no mutation score: every mutant is equivalent".to_owned(),
            Some(percent) => {
                let bound = if self.is_lower_bound() { "at least " } else { "" };
                format!("mutation score {bound}{percent:.1} %")
            }
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words())?;
        if self.percent().is_some() {
            write!(f, ": {} killed of {} that are not equivalent", self.killed, self.counted())?;
        }
        let others = [
            (self.equivalent, "equivalent"),
            (self.equivalent_up_to, "equivalent up to the depth"),
            (self.refines, "only refining"),
            (self.conforms, "conforming"),
            (self.unknown, "open"),
        ];
        let others: Vec<String> =
            others.iter().filter(|(count, _)| 0 < *count).map(|(count, words)| format!("{count} {words}")).collect();
        if others.is_empty() { Ok(()) } else { write!(f, " ({})", others.join(", ")) }
    }
}
