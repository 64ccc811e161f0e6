//! The reduction of a suite: construct, select, merge, and prove what can be proved about its size.

use smt_sat::sat::Budget;
use testcase::{Goal, GoalId, GoalStatus, Inputs, Minimality, ObligationId, Pursuit};

use crate::abilities::{Abilities, Encodes, simplified};
use crate::backend::Backend;
use crate::bound::needs_as_many;
use crate::effort::SELECTION;
use crate::lane::{ConflictBudget, Lane};
use crate::merge::{merge_tests, packed};
use crate::minimize::{Requirement, Witnesses, minimize};
use crate::session::free_obligations;
use crate::status::Ledger;
use crate::subject::{Bound, Completeness, Subject, Witness};
use crate::{Confirmed, SearchError};

/// Suites of more tests are not packed anew.
const MOST_REPACKED: usize = 8;

/// Fewer inputs that cover the same goals and meet the same free obligations, and what is known about their number. Solvers are asked
/// about the problem that is posed, if one is.
pub(crate) fn reduced(
    subject: &dyn Subject,
    backend: &Backend,
    posed: Option<Bound>,
    ledger: &Ledger,
    mut pool: Vec<Inputs>,
) -> Result<(Vec<Inputs>, Minimality), SearchError> {
    if pool.is_empty() {
        // What no test covers takes no test.
        return Ok((pool, Minimality::Proved));
    }
    let goals = subject.goals().iter().zip(0u32..);
    let covered = goals.filter(|(goal, _)| ledger.goal(goal) == Some(GoalStatus::Covered));
    let covered: Vec<GoalId> = covered.map(|(_, number)| GoalId(number)).collect();
    let Abilities { constructs, encodes, .. } = subject.abilities();
    // Nobody waits for simpler tests once the run is to end.
    let simple = |inputs: Inputs| if backend.is_over() { inputs } else { simplified(subject, inputs) };
    let simple = |inputs: Vec<Inputs>| inputs.into_iter().map(simple).collect::<Vec<_>>();
    if let Some(constructs) = constructs
        && let Some(smallest) = constructs.smallest(&covered, backend)?
    {
        let inputs = simple(smallest.inputs);
        if smallest.minimality == Minimality::Proved {
            return Ok((inputs, Minimality::Proved));
        }
        pool.extend(inputs);
    }
    let cut = |inputs: Vec<Inputs>| Ok((inputs, Minimality::NotProved));
    if backend.is_over() {
        return cut(pool);
    }
    let mut exhaustive = false;
    if let Some(constructs) = constructs
        && let Some(behaviours) = constructs.behaviours(backend)?
    {
        pool.extend(simple(behaviours.inputs));
        exhaustive = behaviours.all;
    }
    let (mut selected, mut proved) = select(subject, backend, ledger, &pool)?;
    if exhaustive && proved {
        return Ok((selected, Minimality::Proved));
    }
    if selected.len() == 1 {
        // What needs a test needs one.
        return Ok((selected, Minimality::Proved));
    }
    if backend.is_over() {
        return cut(selected);
    }
    let among_found = |proved| if proved { Minimality::ProvedAmongFound } else { Minimality::NotProved };
    let Some((encodes, bound)) = encodes.zip(posed) else { return Ok((selected, among_found(proved))) };
    let Some(mut lane) = Lane::new(encodes, backend, bound)? else { return Ok((selected, among_found(proved))) };
    lane.budget = reduction_budget(encodes, backend);
    // Where it can be told at once that no smaller suite exists, none is looked for.
    let mut told = !exhaustive && needs_as_many(subject, &mut lane, ledger, &selected, false)?;
    if !exhaustive && !told {
        // Not all behaviours are known: a test that was not found may do the work of two. What a second look would make smaller is
        // made smaller now: the reduction of a suite that was reduced changes nothing.
        loop {
            let before = selected.len();
            pool.extend(merge_tests(subject, &mut lane, ledger, selected)?);
            (selected, proved) = select(subject, backend, ledger, &pool)?;
            if before <= selected.len() || selected.len() <= 1 || backend.is_over() {
                break;
            }
        }
    }
    if backend.is_over() {
        return cut(selected);
    }
    let left = std::mem::replace(&mut lane.budget, reduction_budget(encodes, backend));
    told = told || needs_as_many(subject, &mut lane, ledger, &selected, true)?;
    // Executions that are unrolled can be made to do more at once; other tests rarely. Where no smaller suite exists, none is tried.
    let unrolled = matches!(lane.problem.completeness(), Completeness::UpTo(_));
    if !exhaustive && !told && unrolled && (3..=MOST_REPACKED).contains(&selected.len()) {
        let before = selected.len();
        lane.budget = left;
        pool.extend(packed(subject, &mut lane, ledger, &selected)?);
        (selected, proved) = select(subject, backend, ledger, &pool)?;
        if backend.is_over() {
            return cut(selected);
        }
        lane.budget = reduction_budget(encodes, backend);
        told = selected.len() < before && needs_as_many(subject, &mut lane, ledger, &selected, true)?;
    }
    let minimality = match (told, lane.problem.completeness()) {
        (false, _) => among_found(proved),
        (true, Completeness::Complete) => Minimality::Proved,
        (true, Completeness::UpTo(_)) if selected.len() <= 1 => Minimality::Proved,
        (true, Completeness::UpTo(_)) => Minimality::ProvedWithinBound,
    };
    Ok((selected, minimality))
}

/// As [`reduced`], but the first `kept` inputs of the pool stay.
pub(crate) fn reduced_around(
    subject: &dyn Subject,
    backend: &Backend,
    ledger: &Ledger,
    pool: &[Inputs],
    kept: usize,
) -> Result<(Vec<Inputs>, Minimality), SearchError> {
    let (selected, proved) = select_with(subject, backend, ledger, pool, kept)?;
    let minimality = if proved { Minimality::ProvedAmongFound } else { Minimality::NotProved };
    Ok((selected, minimality))
}

/// The fewest tests of the pool, and whether that was proved.
fn select(
    subject: &dyn Subject,
    backend: &Backend,
    ledger: &Ledger,
    pool: &[Inputs],
) -> Result<(Vec<Inputs>, bool), SearchError> {
    select_with(subject, backend, ledger, pool, 0)
}

/// The conflicts of questions about merged tests, where they are counted.
fn reduction_budget(subject: &dyn Encodes, backend: &Backend) -> Option<ConflictBudget> {
    let budget = subject.reduction()?;
    Some(ConflictBudget { once: budget.once.within(backend.effort), left: budget.all.within(backend.effort) })
}

/// The fewest tests of the pool among which are the first `kept`.
fn select_with(
    subject: &dyn Subject,
    backend: &Backend,
    ledger: &Ledger,
    pool: &[Inputs],
    kept: usize,
) -> Result<(Vec<Inputs>, bool), SearchError> {
    let (_, witnesses) = judge(subject, pool)?;
    let mut requirements = requirements(subject, ledger, &witnesses);
    requirements.extend((0..kept as u32).map(|test| Requirement { alternatives: vec![vec![vec![vec![test]]]] }));
    let budget = Budget {
        conflicts: Some(SELECTION.within(backend.effort)),
        deadline: backend.deadline,
        interrupt: backend.interrupt.clone(),
    };
    let cover = minimize(pool.len(), &requirements, &budget);
    Ok((cover.tests.iter().map(|&test| pool[test as usize].clone()).collect(), cover.proved))
}

/// What the selection must keep: each covered goal, each met obligation that no goal names.
fn requirements(subject: &dyn Subject, ledger: &Ledger, witnesses: &[Witness]) -> Vec<Requirement> {
    let goals = subject.goals();
    let mut by_obligation: Vec<Witnesses> = vec![Vec::new(); subject.obligation_count()];
    for witness in witnesses {
        by_obligation[witness.obligation.0 as usize].push(witness.tests.clone());
    }
    let alternative = |obligations: &[ObligationId]| -> Vec<Witnesses> {
        obligations.iter().map(|obligation| by_obligation[obligation.0 as usize].clone()).collect()
    };
    let goal_requirement = |goal: &Goal| {
        let counted = ledger.met_alternative(goal)?;
        let met = |obligations: &&Vec<ObligationId>| obligations.iter().all(|&obligation| ledger.is_met(obligation));
        let alternatives = match goal.pursuit {
            Pursuit::InOrder | Pursuit::BestFirst => vec![alternative(counted)],
            Pursuit::OneByOne | Pursuit::AllAtOnce => {
                goal.alternatives.iter().filter(met).map(|obligations| alternative(obligations)).collect()
            }
        };
        Some(Requirement { alternatives })
    };
    let free = free_obligations(goals, subject.obligation_count());
    let free = free.into_iter().filter(|&obligation| ledger.is_met(obligation));
    let free = free.map(|obligation| Requirement { alternatives: vec![alternative(&[obligation])] });
    goals.iter().filter_map(goal_requirement).chain(free).collect()
}

/// Obligations that every suite with the same coverage has to meet: those without an alternative.
pub(crate) fn indispensable(subject: &dyn Subject, ledger: &Ledger) -> Vec<ObligationId> {
    let goals = subject.goals();
    let of_goal = |goal: &Goal| -> Vec<ObligationId> {
        let met = ledger.met_alternative(goal).unwrap_or_default();
        if goal.alternatives.len() == 1 { met.to_vec() } else { Vec::new() }
    };
    let free = free_obligations(goals, subject.obligation_count()).into_iter();
    let free = free.filter(|&obligation| ledger.is_met(obligation));
    let mut obligations: Vec<ObligationId> = goals.iter().flat_map(of_goal).chain(free).collect();
    obligations.sort_unstable();
    obligations.dedup();
    obligations
}

/// Runs inputs from the start.
pub(crate) fn judge(subject: &dyn Subject, inputs: &[Inputs]) -> Result<(Vec<Confirmed>, Vec<Witness>), SearchError> {
    let mut replay = subject.replay();
    let mut tests = Vec::new();
    for inputs in inputs {
        let (test, _) = Confirmed::by(&mut *replay, inputs).map_err(SearchError::Disagreement)?;
        tests.push(test);
    }
    Ok((tests, replay.witnesses()))
}
