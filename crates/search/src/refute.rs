//! Attacks on claims of infeasibility: concrete random runs, judged by the interpreter alone.
//!
//! Replay catches an encoding that allows too much. An encoding that allows too little would pass silently and declare
//! feasible goals impossible; this is the guard against it.

use testcase::{GoalStatus, Inputs, ObligationId};

use crate::abilities::{attacks, is_within};
use crate::backend::Backend;
use crate::status::Ledger;
use crate::subject::Subject;
use crate::{Options, SearchError};

/// At most this many obligations are looked at in all runs together: the attack on a huge specification has fewer runs.
const MOST_WORK: usize = 20_000_000;

/// At least this many runs are made.
const FEWEST_RUNS: usize = 20;

/// Runs random inputs against every claim. Returns inputs that meet an obligation which was only left open or only
/// claimed up to a bound.
///
/// # Errors
/// When a run meets an obligation that was declared impossible.
pub(crate) fn attack(
    subject: &dyn Subject,
    backend: &Backend,
    ledger: &Ledger,
    options: &Options,
) -> Result<Vec<Inputs>, SearchError> {
    let settled =
        || subject.goals().iter().filter(|goal| matches!(ledger.settled(goal), Some(GoalStatus::Infeasible(_))));
    // When the time is over, nothing is looked for that was left open; what was claimed is attacked all the same.
    let over = backend.is_over();
    let is_claim = |status: &GoalStatus| match status {
        GoalStatus::Covered => false,
        GoalStatus::Unknown(_) => !over,
        GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } => true,
    };
    let claimed = ledger.closed().any(|(_, status)| is_claim(status)) || settled().next().is_some();
    if !claimed || options.attacks == 0 {
        return Ok(Vec::new());
    }
    let mut replay = subject.replay();
    let mut shown = Ledger::new(subject.obligation_count());
    let mut earlier: Vec<Inputs> = Vec::new();
    let mut found: Vec<Inputs> = Vec::new();
    let affordable = if over { FEWEST_RUNS } else { affordable_runs(subject) };
    let mut claims: Vec<ObligationId> = ledger
        .closed()
        .filter(|(_, status)| is_claim(status))
        .map(|(obligation, _)| obligation)
        .chain(settled().flat_map(|goal| goal.alternatives.iter().flatten().copied()))
        .collect();
    claims.sort_unstable();
    claims.dedup();
    for inputs in attacks(subject, options.seed, options.attacks.min(affordable), &claims, options.bound) {
        let replayed = replay.attack(&inputs);
        let met = if replayed.objection.is_none() { replayed.met } else { Vec::new() };
        for obligation in met {
            shown.close(obligation, GoalStatus::Covered);
            match ledger.get(obligation) {
                Some(GoalStatus::Infeasible(reason)) => return Err(refuted(subject, obligation, reason, &inputs)),
                Some(GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_)) => {
                    let witnesses = replay.witnesses();
                    let witness = witnesses.iter().find(|witness| witness.obligation == obligation);
                    let tests = witness.map(|witness| witness.tests.as_slice()).unwrap_or_default();
                    let together: Vec<&Inputs> =
                        tests.iter().map(|&test| earlier.get(test as usize).unwrap_or(&inputs)).collect();
                    // What lies beyond the bound does not contradict a claim within it.
                    if together.iter().all(|inputs| is_within(subject, inputs, options.bound)) {
                        found.extend(together.into_iter().cloned());
                    }
                }
                Some(GoalStatus::Covered) | None => {}
            }
        }
        earlier.push(inputs);
    }
    match settled().find(|goal| shown.met_alternative(goal).is_some()) {
        Some(goal) => Err(SearchError::Disagreement(format!(
            "{} was declared impossible by an earlier run, but random runs show it",
            goal.key
        ))),
        None => Ok(found),
    }
}

/// How many runs an attack may have.
pub(crate) fn affordable_runs(subject: &dyn Subject) -> usize {
    (MOST_WORK / subject.obligation_count().max(1)).max(FEWEST_RUNS)
}

fn refuted(subject: &dyn Subject, obligation: ObligationId, reason: &str, inputs: &Inputs) -> SearchError {
    let names = |goal: &&testcase::Goal| goal.alternatives.iter().flatten().any(|&named| named == obligation);
    let goal = subject.goals().iter().find(names).map_or("an outcome", |goal| goal.key.as_str());
    SearchError::Disagreement(format!(
        "{goal} was declared impossible ({reason}), but a random run shows it: {}",
        inputs.to_json()
    ))
}
