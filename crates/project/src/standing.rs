//! How a unit stands: its goals, without those that are excluded or accepted as open.

use std::collections::BTreeSet;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};
use testcase::{Status, Suite};

use crate::manifest::Manifest;
use crate::names::stable_names;
use crate::unit::Unit;

/// Whether a suite speaks of the unit as it is now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Health {
    /// It does.
    Fresh,
    /// Something has changed since, or the search was cut.
    Stale,
    /// There is none.
    Missing,
    /// The unit could not be searched.
    Failed,
    /// It is not to be searched.
    Excluded,
}

impl Health {
    /// In a word, for tables.
    pub fn word(self) -> &'static str {
        match self {
            Health::Fresh => "up to date",
            Health::Stale => "stale",
            Health::Missing => "not searched",
            Health::Failed => "failed",
            Health::Excluded => "excluded",
        }
    }
}

/// Counts of goals and tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// All goals that are not excluded.
    pub goals: usize,
    /// Goals covered.
    pub covered: usize,
    /// Goals proved impossible.
    pub infeasible: usize,
    /// Of those left open, goals that are impossible up to a bound.
    pub infeasible_up_to: usize,
    /// Of those left open, goals that only executions with undefined behaviour cover.
    pub only_undefined: usize,
    /// Goals left open: neither covered nor proved impossible.
    pub open: usize,
    /// Those of them that are accepted.
    pub accepted: usize,
    /// Goals that are excluded.
    pub excluded: usize,
    /// Tests.
    pub tests: usize,
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        Counts {
            goals: self.goals + other.goals,
            covered: self.covered + other.covered,
            infeasible: self.infeasible + other.infeasible,
            infeasible_up_to: self.infeasible_up_to + other.infeasible_up_to,
            only_undefined: self.only_undefined + other.only_undefined,
            open: self.open + other.open,
            accepted: self.accepted + other.accepted,
            excluded: self.excluded + other.excluded,
            tests: self.tests + other.tests,
        }
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Counts>>(all: I) -> Counts {
        all.fold(Counts::default(), Counts::add)
    }
}

impl Counts {
    /// The part of the goals that are covered or proved impossible, in percent; all of them where there is none.
    pub fn percent(&self) -> f64 {
        match self.goals {
            0 => 100.0,
            goals => 100.0 * (self.covered + self.infeasible) as f64 / goals as f64,
        }
    }
}

/// How a unit stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Its name.
    pub unit: String,
    /// Its file.
    pub file: String,
    /// Whether its suite is up to date.
    pub health: Health,
    /// Why, where that is not plain: a message, or the reason of an exclusion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The requirements that it stands for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// Its goals and tests.
    pub counts: Counts,
    /// Open goals that are not accepted, by stable name, with their reasons.
    pub open: Vec<(String, String)>,
    /// Open goals that are accepted.
    pub accepted: Vec<String>,
    /// Excluded goals, with the reasons of the exclusions.
    pub excluded: Vec<(String, String)>,
}

impl Standing {
    /// Whether nothing is left to do.
    pub fn is_settled(&self) -> bool {
        matches!(self.health, Health::Fresh | Health::Excluded) && self.counts.open == self.counts.accepted
    }
}

/// Whether a unit is not to be searched.
pub fn is_unit_excluded(manifest: &Manifest, unit: &Unit) -> bool {
    unit_excluded(manifest, &unit.name).is_some()
}

/// The reason why units of this name are not searched, if they are not.
fn unit_excluded<'a>(manifest: &'a Manifest, unit: &str) -> Option<&'a str> {
    let whole = manifest.exclude.iter().filter(|one| one.goal.is_none());
    whole.filter(|one| fits(one.unit.get_ref(), unit)).map(|one| one.reason.get_ref().as_str()).next()
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern == name || glob::Pattern::new(pattern).is_ok_and(|pattern| pattern.matches(name))
}

/// How a unit stands. The baseline holds the names of accepted goals, as `unit<tab>goal`.
pub fn standing(
    unit: &Unit,
    health: Health,
    message: Option<&str>,
    suite: Option<&Suite>,
    manifest: &Manifest,
    baseline: &BTreeSet<String>,
) -> Standing {
    let set = manifest.sets.get(unit.set);
    let not_searched = unit_excluded(manifest, &unit.name);
    let mut standing = Standing {
        unit: unit.name.clone(),
        file: unit.file.clone(),
        health: if not_searched.is_some() { Health::Excluded } else { health },
        reason: not_searched.or(message).map(str::to_owned),
        requirements: set.map(|set| set.requirements.clone()).unwrap_or_default(),
        counts: Counts::default(),
        open: Vec::new(),
        accepted: Vec::new(),
        excluded: Vec::new(),
    };
    let Some(suite) = suite.filter(|_| not_searched.is_none()) else { return standing };
    standing.counts.tests = suite.tests.len();
    for (goal, name) in suite.goals.iter().zip(stable_names(&suite.goals)) {
        let exclusion = manifest.exclude.iter().find(|one| {
            one.goal.as_ref().is_some_and(|goal| fits(goal.get_ref(), &name)) && fits(one.unit.get_ref(), &unit.name)
        });
        if let Some(exclusion) = exclusion {
            standing.counts.excluded += 1;
            standing.excluded.push((name, exclusion.reason.get_ref().clone()));
            continue;
        }
        standing.counts.goals += 1;
        match goal.status {
            Status::Covered => standing.counts.covered += 1,
            Status::Infeasible => standing.counts.infeasible += 1,
            status @ (Status::InfeasibleUpTo | Status::OnlyUndefined | Status::Unknown) => {
                standing.counts.infeasible_up_to += usize::from(status == Status::InfeasibleUpTo);
                standing.counts.only_undefined += usize::from(status == Status::OnlyUndefined);
                standing.counts.open += 1;
                if baseline.contains(&format!("{}\t{name}", unit.name)) {
                    standing.counts.accepted += 1;
                    standing.accepted.push(name);
                } else {
                    let reason = goal.reason.as_deref().unwrap_or_default();
                    let limited = status == Status::InfeasibleUpTo;
                    let reason = if limited { format!("impossible up to: {reason}") } else { reason.to_owned() };
                    standing.open.push((name, reason));
                }
            }
        }
    }
    standing
}
