//! Questions a decision must answer before a search makes sense: can anything happen, and does anything depend on it?

use boolean::{Decision, Spec, codes};
use smt::{Answer, Scope, Solver, Term, Terms};
use source::Diagnostic;

use super::copy::Copy;
use super::effort::BLAME;
use search::Backend;
use search::SearchError;
use search::pinned;

/// What is wrong with a decision as a whole: its assumptions contradict each other, which is an error; or it is constant, which
/// is a finding: goals that need another outcome are infeasible.
///
/// # Errors
/// When a solver fails.
pub fn precheck(spec: &Spec, decision: usize, backend: &Backend) -> Result<Vec<Diagnostic>, SearchError> {
    let decision = &spec.decisions[decision];
    let mut terms = Terms::new();
    let copy = Copy::new(&mut terms, spec, decision, 0);
    let assumptions: Vec<Term> = spec.assumptions.iter().map(|assumption| copy.expr(assumption.expr)).collect();
    let mut solver = backend.solver()?;
    if let Some(core) = contradiction(&terms, &mut *solver, backend, &assumptions)? {
        return Ok(vec![contradictory(spec, &core)]);
    }
    for outcome in [true, false] {
        let wanted = if outcome { copy.outcome() } else { terms.not(copy.outcome()) };
        let mut query = assumptions.clone();
        query.push(wanted);
        if let Some(core) = contradiction(&terms, &mut *solver, backend, &query)? {
            let blamed = core.into_iter().filter(|&place| place < assumptions.len()).collect::<Vec<_>>();
            return Ok(vec![constant(spec, decision, !outcome, &blamed)]);
        }
    }
    Ok(Vec::new())
}

/// Which of the terms contradict each other, by position: a minimal set, if they do.
fn contradiction(
    terms: &Terms,
    solver: &mut dyn Solver,
    backend: &Backend,
    all: &[Term],
) -> Result<Option<Vec<usize>>, SearchError> {
    let Answer::Unsat { core, scope: Scope::All } = solver.check(terms, backend.query(all))? else { return Ok(None) };
    let pinned = pinned(terms, all.iter().copied());
    let stays = |place: usize| pinned.contains(&all[place]);
    let mut places: Vec<usize> = (0..all.len()).filter(|&place| core.contains(&all[place]) || stays(place)).collect();
    let mut kept = 0;
    while kept < places.len() {
        if stays(places[kept]) {
            kept += 1;
            continue;
        }
        let mut fewer = places.clone();
        fewer.remove(kept);
        let assumed: Vec<Term> = fewer.iter().map(|&place| all[place]).collect();
        let mut query = backend.query(&assumed);
        query.limits.conflicts = query.limits.conflicts.into_iter().chain([BLAME.within(backend.effort)]).min();
        match solver.check(terms, query)? {
            Answer::Unsat { scope: Scope::All, .. } => places = fewer,
            Answer::Unsat { .. } | Answer::Sat(_) | Answer::Unknown(_) => kept += 1,
        }
    }
    Ok(Some(places))
}

fn contradictory(spec: &Spec, core: &[usize]) -> Diagnostic {
    let first = &spec.assumptions[core[0]];
    let message = "the assumptions contradict each other, so no input can be tested";
    let mut diagnostic = Diagnostic::error(&codes::CONTRADICTORY_ASSUMPTIONS, first.span, message);
    diagnostic = diagnostic.label(if core.len() == 1 { "never holds" } else { "cannot hold" });
    for &place in &core[1..] {
        diagnostic = diagnostic.also(spec.assumptions[place].span, "together with this");
    }
    diagnostic.help("remove or weaken one of them")
}

fn constant(spec: &Spec, decision: &Decision, value: bool, blamed: &[usize]) -> Diagnostic {
    let message = format!("the decision `{}` is always {value}, so no condition can matter", decision.name);
    let mut diagnostic = Diagnostic::warning(&codes::CONSTANT_DECISION, decision.span, message);
    diagnostic = diagnostic.label(format!("always {value}"));
    for &place in blamed {
        diagnostic = diagnostic.also(spec.assumptions[place].span, "under this assumption");
    }
    diagnostic
}
