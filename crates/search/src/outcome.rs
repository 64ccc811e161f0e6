//! The end of a search: which tests stay, and what is known about every goal.

use std::collections::HashSet;
use std::ops::Add;
use std::time::{Duration, Instant};

use smt::Answer;
use testcase::{
    Goal, GoalId, GoalRecord, GoalStatus, Inputs, Method, Minimality, ObligationId, SCHEMA, SourceRecord, Status,
    Suite, Summary, TestRecord,
};

use crate::backend::Backend;
use crate::reduce::{judge, reduced, reduced_around};
use crate::session::free_obligations;
use crate::status::Ledger;
use crate::subject::{Bound, Subject, Witness};
use crate::{Confirmed, Options, SearchError, abilities};

/// What a search found out.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The tests, each confirmed.
    pub tests: Vec<Confirmed>,
    /// What is known about each goal.
    pub statuses: Vec<GoalStatus>,
    /// In what manner each covered goal is covered, and why in no better one, where that differs.
    pub manners: Vec<Option<String>>,
    /// For each goal what shows that it cannot be covered, or not better.
    pub evidence: Vec<Vec<serde_json::Value>>,
    /// For each covered goal, tests that cover it together, by number.
    pub coverage: Vec<Vec<u32>>,
    /// For each test, the goals it helps to cover.
    pub covers: Vec<Vec<GoalId>>,
    /// What is known about obligations that no goal names and no test meets.
    pub unmet: Vec<(ObligationId, GoalStatus)>,
    /// What is known about the number of tests.
    pub minimality: Minimality,
    /// Whether the search is complete.
    pub complete: bool,
    /// Counts of what it took.
    pub statistics: Statistics,
    /// The bound at which the problem for solvers, if there is one, speaks of these tests; none if it does not.
    pub posed: Option<Bound>,
}

/// Counts of what a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Queries answered SAT.
    pub sat: usize,
    /// Queries answered UNSAT.
    pub unsat: usize,
    /// Queries not decided.
    pub unknown: usize,
    /// Tests found before the suite was reduced.
    pub found: usize,
    /// The variables of the problems, where the solver knows.
    pub variables: u64,
    /// The clauses.
    pub clauses: u64,
    /// What the solver took.
    pub solving: Duration,
}

/// What a session leaves behind.
pub(crate) struct Found {
    pub(crate) ledger: Ledger,
    pub(crate) tests: Vec<Confirmed>,
    /// How many of the tests, from the first, stay in any case.
    pub(crate) kept: usize,
    pub(crate) complete: bool,
    pub(crate) statistics: Statistics,
    /// What shows that obligations cannot be met.
    pub(crate) evidence: Vec<(ObligationId, serde_json::Value)>,
    /// The bound at which the problem for solvers speaks of these tests.
    pub(crate) posed: Option<Bound>,
    /// Whether the tests are handed out: then they are made simpler.
    pub(crate) last: bool,
    /// Whether the tests were handed out before: then only new ones are.
    pub(crate) concluded: bool,
}

impl Statistics {
    /// Counts an answer of a solver.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat { .. } => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }

    /// All queries.
    pub fn queries(&self) -> usize {
        self.sat + self.unsat + self.unknown
    }
}

impl Add for Statistics {
    type Output = Statistics;

    fn add(self, other: Statistics) -> Statistics {
        Statistics {
            sat: self.sat + other.sat,
            unsat: self.unsat + other.unsat,
            unknown: self.unknown + other.unknown,
            found: self.found + other.found,
            variables: self.variables + other.variables,
            clauses: self.clauses + other.clauses,
            solving: self.solving + other.solving,
        }
    }
}

impl Outcome {
    /// Reduces the suite and judges it once more from the start.
    pub(crate) fn new(
        subject: &dyn Subject,
        backend: &Backend,
        options: &Options,
        found: Found,
        open_reason: String,
    ) -> Result<Outcome, SearchError> {
        let Found { ledger, tests, kept, complete, mut statistics, evidence, posed, last, concluded } = found;
        statistics.found = tests.len();
        let pool: Vec<Inputs> = tests.iter().map(|test| test.test().inputs.clone()).collect();
        let (inputs, minimality) = match options.minimize {
            true if 0 < kept => reduced_around(subject, backend, &ledger, &pool, kept)?,
            true => reduced(subject, backend, posed, &ledger, pool)?,
            false => (pool, Minimality::NotProved),
        };
        let old: HashSet<String> = if concluded {
            tests.iter().map(|test| test.test().inputs.to_json().to_string()).collect()
        } else {
            HashSet::new()
        };
        // An interrupted reduction gives what there is; the run can be continued.
        let complete = complete && !(options.minimize && backend.interrupt.is_raised());
        let inputs = if last { polished(subject, backend, inputs, kept, &old) } else { inputs };
        // What a cut run covers is a matter of where it was cut: nothing is claimed about the number of its tests.
        let minimality = if complete { minimality } else { Minimality::NotProved };
        let goals = subject.goals();
        let (tests, witnesses) = judge(subject, &inputs)?;
        let first = first_witnesses(&witnesses, subject.obligation_count());
        let mut final_ledger = ledger.clone();
        for (obligation, _) in ledger.closed().filter(|(_, status)| **status == GoalStatus::Covered) {
            if first[obligation.0 as usize].is_none() {
                final_ledger.close(obligation, GoalStatus::Unknown("met only by tests that were not needed".into()));
            }
        }
        for (place, witness) in first.iter().enumerate() {
            let obligation = ObligationId(place as u32);
            if witness.is_some() && matches!(ledger.get(obligation), None | Some(GoalStatus::Unknown(_))) {
                final_ledger.close(obligation, GoalStatus::Covered);
            }
        }
        let status = |goal: &Goal| {
            let status = final_ledger.goal(goal).unwrap_or_else(|| GoalStatus::Unknown(open_reason.clone()));
            match ledger.goal(goal) {
                Some(GoalStatus::Covered) if status != GoalStatus::Covered => Err(SearchError::Disagreement(format!(
                    "{} was covered before the suite was reduced, and is not any more",
                    goal.key
                ))),
                _ => Ok(by_manner(subject, &final_ledger, goal, status)),
            }
        };
        let statuses = goals.iter().map(status).collect::<Result<Vec<_>, _>>()?;
        let numbered = goals.iter().zip(&statuses).filter(|(_, status)| **status == GoalStatus::Covered);
        let covered: HashSet<&str> = numbered.map(|(goal, _)| goal.key.as_str()).collect();
        let free = free_obligations(goals, subject.obligation_count()).into_iter();
        let unmet = free.filter_map(|obligation| match final_ledger.get(obligation) {
            Some(GoalStatus::Covered) => None,
            Some(status) => Some((obligation, status.clone())),
            None => Some((obligation, GoalStatus::Unknown(open_reason.clone()))),
        });
        Ok(Outcome {
            unmet: unmet.collect(),
            manners: goals.iter().map(|goal| manner(subject, &final_ledger, goal)).collect(),
            evidence: goals.iter().map(|goal| of_goal(&evidence, goal)).collect(),
            coverage: goals.iter().map(|goal| coverage(&final_ledger, goal, &first)).collect(),
            covers: covers(goals, |goal| covered.contains(goal.key.as_str()), &witnesses, tests.len()),
            tests,
            statuses,
            minimality,
            complete,
            statistics,
            posed,
        })
    }

    /// The suite as it is written down; the caller adds what only it knows: names, criterion, options.
    pub fn to_suite(&self, goals: &[Goal], language: &str, source: SourceRecord) -> Suite {
        let test_id = |number: &u32| format!("t{}", number + 1);
        let goal_records = goals.iter().enumerate().map(|(index, goal)| GoalRecord {
            id: goal.key.clone(),
            label: goal.label.clone(),
            location: goal.location.clone(),
            status: self.statuses[index].status(),
            reason: self.statuses[index].reason().map(str::to_owned).or_else(|| self.manners[index].clone()),
            witness: self.statuses[index].witness().map(Inputs::to_json),
            tests: self.coverage[index].iter().map(test_id).collect(),
            evidence: self.evidence[index].clone(),
        });
        let test_records = self.tests.iter().enumerate().map(|(index, confirmed)| TestRecord {
            id: test_id(&(index as u32)),
            inputs: confirmed.test().inputs.to_json(),
            expected: confirmed.test().expected.clone(),
            notes: confirmed.test().notes.clone(),
            covers: self.covers[index].iter().map(|goal| goals[goal.0 as usize].key.clone()).collect(),
        });
        let count = |wanted: Status| self.statuses.iter().filter(|status| status.status() == wanted).count();
        Suite {
            schema: SCHEMA.into(),
            language: language.into(),
            source,
            others: Vec::new(),
            provenance: None,
            interface: None,
            criterion: String::new(),
            options: Default::default(),
            strategy: Method::Unnamed,
            bound: None,
            complete: self.complete,
            minimality: self.minimality,
            goals: goal_records.collect(),
            tests: test_records.collect(),
            summary: Summary {
                goals: goals.len(),
                covered: count(Status::Covered),
                infeasible: count(Status::Infeasible),
                infeasible_up_to: count(Status::InfeasibleUpTo),
                only_undefined: count(Status::OnlyUndefined),
                unknown: count(Status::Unknown),
                tests: self.tests.len(),
            },
        }
    }
}

/// How long tests are made simpler after the time of the run is over.
const OVERTIME: Duration = Duration::from_secs(1);

/// The tests of a suite made simpler, but for the first few and for old ones; those that become the same are one.
fn polished(
    subject: &dyn Subject,
    backend: &Backend,
    inputs: Vec<Inputs>,
    kept: usize,
    old: &HashSet<String>,
) -> Vec<Inputs> {
    let simplifies = subject.abilities().simplifies;
    let polish = |inputs: Inputs| match simplifies {
        Some(simplifies) => simplifies.polish(inputs),
        None => inputs,
    };
    let end = backend.deadline.map(|deadline| deadline.max(Instant::now()) + OVERTIME);
    let late = || backend.interrupt.is_raised() || end.is_some_and(|end| end <= Instant::now());
    let mut seen: HashSet<String> = HashSet::new();
    let mut found = Vec::with_capacity(inputs.len());
    let mut staying = Vec::with_capacity(inputs.len());
    for (at, inputs) in inputs.into_iter().enumerate() {
        let stays = at < kept || late() || old.contains(&inputs.to_json().to_string());
        let inputs = if stays { inputs } else { polish(inputs) };
        if seen.insert(inputs.to_json().to_string()) || at < kept {
            found.push(inputs);
            staying.push(stays);
        }
    }
    match simplifies.filter(|_| !backend.interrupt.is_raised()) {
        Some(simplifies) => simplifies.sharpen(found, &staying, &late),
        None => found,
    }
}

/// The first witness of each obligation.
fn first_witnesses(witnesses: &[Witness], obligations: usize) -> Vec<Option<&Witness>> {
    let mut first = vec![None; obligations];
    for witness in witnesses.iter().rev() {
        first[witness.obligation.0 as usize] = Some(witness);
    }
    first
}

/// Tests that cover a goal together: the first witness of each obligation of the alternative that counts.
fn coverage(ledger: &Ledger, goal: &Goal, first: &[Option<&Witness>]) -> Vec<u32> {
    let mut tests: Vec<u32> = Vec::new();
    for &obligation in ledger.met_alternative(goal).unwrap_or_default() {
        let witness = first[obligation.0 as usize];
        tests.extend(witness.map(|witness| witness.tests.as_slice()).unwrap_or_default());
    }
    tests.sort_unstable();
    tests.dedup();
    tests
}

/// For each test, the goals counted as covered that it is a witness for.
pub(crate) fn covers(
    goals: &[Goal],
    is_covered: impl Fn(&Goal) -> bool,
    witnesses: &[Witness],
    tests: usize,
) -> Vec<Vec<GoalId>> {
    let mut users: Vec<Vec<GoalId>> = Vec::new();
    for (index, goal) in goals.iter().enumerate().filter(|(_, goal)| is_covered(goal)) {
        for obligation in goal.alternatives.iter().flatten() {
            let place = obligation.0 as usize;
            if users.len() <= place {
                users.resize(place + 1, Vec::new());
            }
            users[place].push(GoalId(index as u32));
        }
    }
    let mut covers: Vec<Vec<GoalId>> = vec![Vec::new(); tests];
    for witness in witnesses {
        for &goal in users.get(witness.obligation.0 as usize).map(Vec::as_slice).unwrap_or_default() {
            for &test in &witness.tests {
                covers[test as usize].push(goal);
            }
        }
    }
    for goals in &mut covers {
        goals.sort_unstable();
        goals.dedup();
    }
    covers
}

/// What shows that alternatives of a goal cannot be met.
fn of_goal(evidence: &[(ObligationId, serde_json::Value)], goal: &Goal) -> Vec<serde_json::Value> {
    let named = goal.alternatives.iter().flatten();
    named
        .flat_map(|obligation| evidence.iter().filter(move |(other, _)| other == obligation))
        .map(|(_, shown)| shown.clone())
        .collect()
}

/// What is known about a goal that cannot be covered, with the reason of every manner where they differ.
fn by_manner(subject: &dyn Subject, ledger: &Ledger, goal: &Goal, status: GoalStatus) -> GoalStatus {
    if !matches!(status, GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_)) || goal.alternatives.len() < 2 {
        return status;
    }
    let mut groups: Vec<(Vec<&str>, String)> = Vec::new();
    for obligation in goal.alternatives.iter().filter_map(|alternative| alternative.first()) {
        let reason = match ledger.get(*obligation) {
            Some(GoalStatus::Infeasible(reason)) => reason.clone(),
            Some(GoalStatus::InfeasibleUpTo(bound)) => format!("up to {bound}"),
            Some(GoalStatus::Covered | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_)) | None => {
                return status;
            }
        };
        let Some(manner) = abilities::manner(subject, *obligation) else { return status };
        match groups.iter_mut().find(|(_, other)| *other == reason) {
            Some((manners, _)) => manners.push(manner),
            None => groups.push((vec![manner], reason)),
        }
    }
    if groups.len() < 2 {
        return status;
    }
    let reason = groups.iter().map(|(manners, reason)| format!("{}: {reason}", manners.join(", ")));
    let reason = reason.collect::<Vec<_>>().join("; ");
    match status {
        GoalStatus::Infeasible(_) => GoalStatus::Infeasible(reason),
        GoalStatus::InfeasibleUpTo(_) => GoalStatus::InfeasibleUpTo(reason),
        other @ (GoalStatus::Covered | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_)) => other,
    }
}

/// In what manner a covered goal is covered; which better ones are not refuted for good, and what is known about each.
fn manner(subject: &dyn Subject, ledger: &Ledger, goal: &Goal) -> Option<String> {
    let counted = ledger.met_alternative(goal)?;
    let mut open = String::new();
    let mut reasons = String::new();
    for alternative in goal.alternatives.iter().take_while(|alternative| alternative.as_slice() != counted) {
        let &obligation = alternative.first()?;
        let name = abilities::manner(subject, obligation).unwrap_or("shown");
        let reason = match ledger.get(obligation) {
            Some(GoalStatus::Infeasible(reason)) => format!("impossible: {reason}"),
            Some(GoalStatus::InfeasibleUpTo(bound)) => format!("impossible up to {bound}"),
            Some(GoalStatus::OnlyUndefined { reason, .. }) => format!("only with undefined behaviour: {reason}"),
            Some(GoalStatus::Unknown(reason)) => format!("open: {reason}"),
            Some(GoalStatus::Covered) | None => "open: not looked for".to_owned(),
        };
        match ledger.get(obligation) {
            Some(GoalStatus::Infeasible(_)) => {}
            Some(GoalStatus::InfeasibleUpTo(_)) => open.push_str(&format!(", {name} impossible up to a bound")),
            Some(GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_) | GoalStatus::Covered) | None => {
                open.push_str(&format!(", {name} open"))
            }
        }
        reasons.push_str(&format!("; {name} {reason}"));
    }
    let name = abilities::manner(subject, *counted.first()?)?;
    Some(format!("{name}{open}{reasons}"))
}
