//! What no moment of any trace shows: a proof by induction, whatever the number of moments.
//!
//! A moment is the first one or a later one. At the first nothing is past. Of the past of a later one it is known that streams which
//! have an event at every first moment have had one; everything else may be anything. What neither moment shows, none does.
//!
//! The interpreter goes on after something undefined, with failures in the place of values, and grids know no failures. So
//! nothing is claimed unless neither moment can evaluate anything undefined.

use smt::{Answer, Scope, Solver, Term, Terms};
use tessla::core::Spec;
use tessla::goals::Goals;
use tessla::obligation::Obligation;
use testcase::ObligationId;

use super::Room;
use super::effort::{MOMENT, MOMENT_OBLIGATIONS, MOMENT_STREAMS, usual};
use super::encode::{DEFINED, TesslaProblem};
use super::gate;
use super::grid::{Grid, Size};
use super::limits::Limits;
use search::Backend;
use search::Problem;
use search::SearchError;

/// The claim, in words.
pub(super) const REASON: &str = "no moment of any trace shows it";

/// The obligations that cannot be met at any moment of any trace.
pub(super) fn impossible(
    spec: &Spec,
    goals: &Goals,
    open: &[ObligationId],
    backend: &Backend,
) -> Result<Vec<ObligationId>, SearchError> {
    // What only a part is looked at of proves nothing for the whole.
    if usual(MOMENT_OBLIGATIONS) < open.len()
        || usual(MOMENT_STREAMS) < spec.streams.len()
        || !Limits::of(spec).are_none()
    {
        return Ok(Vec::new());
    }
    // Whether an output shows something cannot be told from one moment, nor whether a trace satisfies the assertions.
    let of_one_moment = |obligation: &ObligationId| match goals.obligations[obligation.0 as usize] {
        Obligation::Visible { .. } | Obligation::Assertions => false,
        Obligation::Branch { .. }
        | Obligation::Condition { .. }
        | Obligation::Active { .. }
        | Obligation::Undefined { .. }
        | Obligation::Last { .. }
        | Obligation::Delay { .. }
        | Obligation::Merge { .. }
        | Obligation::Output { .. } => true,
    };
    let mut left: Vec<ObligationId> = open.iter().copied().filter(of_one_moment).collect();
    if left.is_empty() {
        return Ok(left);
    }
    let mut terms = Terms::new();
    let first = Grid::new(&mut terms, spec, Size { slots: 1, room: Room::default() }, &[]);
    let had_events: Vec<bool> =
        first.cells[0].iter().map(|cell| gate::truth(&terms, cell.event) == Some(true)).collect();
    let first = TesslaProblem::over(&mut terms, spec, goals, first);
    never(&mut terms, first, &mut left, backend)?;
    if !left.is_empty() {
        let mut terms = Terms::new();
        let later = Grid::moment(&mut terms, spec, &had_events);
        let later = TesslaProblem::over(&mut terms, spec, goals, later);
        never(&mut terms, later, &mut left, backend)?;
    }
    Ok(left)
}

/// Keeps the obligations that the grid cannot meet, whatever the numbers in it.
fn never(
    terms: &mut Terms,
    mut problem: TesslaProblem<'_>,
    left: &mut Vec<ObligationId>,
    backend: &Backend,
) -> Result<(), SearchError> {
    let wanted: Vec<Term> = left
        .iter()
        .map(|&obligation| {
            let parts: Vec<Term> = problem.require(terms, obligation).iter().map(|part| part.term).collect();
            gate::and(terms, &parts)
        })
        .collect();
    if !is_defined(terms, &problem, backend)? {
        left.clear();
        return Ok(());
    }
    let mut solver = backend.solver()?;
    for fact in problem.facts() {
        solver.assert(terms, fact.term)?;
    }
    let mut never = Vec::with_capacity(left.len());
    for &term in &wanted {
        if gate::truth(terms, term) == Some(false) {
            never.push(true);
            continue;
        }
        let assumed = [term];
        let mut query = backend.query(&assumed);
        query.limits.conflicts = Some(query.limits.conflicts.map_or(MOMENT.amount, |most| most.min(MOMENT.amount)));
        let answer = if backend.is_over() { None } else { Some(solver.check(terms, query)?) };
        never.push(matches!(answer, Some(Answer::Unsat { scope: Scope::All, .. })));
    }
    let mut verdicts = never.into_iter();
    left.retain(|_| verdicts.next().expect("one for each"));
    Ok(())
}

/// Whether it is proved that nothing undefined is evaluated in a grid.
fn is_defined(terms: &mut Terms, problem: &TesslaProblem<'_>, backend: &Backend) -> Result<bool, SearchError> {
    let Some(undefined) = problem.undefined() else { return Ok(true) };
    if gate::truth(terms, undefined) == Some(false) {
        return Ok(true);
    }
    let mut solver = backend.solver()?;
    for fact in problem.facts().iter().filter(|fact| fact.reason != DEFINED) {
        solver.assert(terms, fact.term)?;
    }
    let assumed = [undefined];
    let mut query = backend.query(&assumed);
    query.limits.conflicts = Some(query.limits.conflicts.map_or(MOMENT.amount, |most| most.min(MOMENT.amount)));
    Ok(matches!(solver.check(terms, query)?, Answer::Unsat { scope: Scope::All, .. }))
}
