//! Random terms for the built-in solver, the evaluator and installed solvers: any two that disagree are a bug.

use std::process::ExitCode;

use smt::{
    Answer, Checked, Found, Limits, ProcessSolver, Query, Scope, Solver, SolverError, SolverProgram, Term, Terms,
    Theories, Wanted, found, print_script,
};
use smt_sat::SatSolver;
use testkit::{Choices, Pool};

const EVERYTHING: Theories =
    Theories { integers: true, reals: true, nonlinear: true, bit_vectors: true, arrays: true, enumerations: true };

/// `fuzz-terms [COUNT [SEED]]`.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    let number = |place: usize, default: u64| words.get(place).map_or(Some(default), |word| word.parse().ok());
    let (Some(count), Some(seed)) = (number(0, 100_000), number(1, 0)) else {
        println!("usage: fuzz-terms [COUNT [SEED]]");
        return ExitCode::from(2);
    };
    let names: Vec<&str> = found().iter().map(|Found { name, .. }| *name).collect();
    println!("built-in solver against {} over {count} problems from seed {seed}", names.join(", "));
    let mut decided = 0u64;
    for case in seed..seed + count {
        match compare(case, &names) {
            Ok(true) => decided += 1,
            Ok(false) => {}
            Err(report) => {
                println!("{report}");
                return ExitCode::FAILURE;
            }
        }
        if (case - seed) % 10_000 == 9_999 {
            println!("{} problems, {decided} decided by the built-in solver, no disagreement", case - seed + 1);
        }
    }
    println!("{count} problems, {decided} decided by the built-in solver, no disagreement");
    ExitCode::SUCCESS
}

/// Whether the built-in solver decided the problem of this seed; the report where another disagrees.
fn compare(case: u64, names: &[&str]) -> Result<bool, String> {
    let mut terms = Terms::new();
    let mut choices = Choices::seeded(case, 160);
    let facts = Pool::grow(&mut terms, EVERYTHING, &mut choices).facts(4);
    let report =
        |who: &str, what: &str| format!("seed {case}: {who} {what}\n{}(check-sat)", print_script(&terms, &facts));
    let ours =
        verdict(&mut Checked::new(SatSolver::new()), &terms, &facts).map_err(|error| report("built-in", &error))?;
    let Some(ours) = ours else { return Ok(false) };
    for name in names {
        let Some(program) = SolverProgram::named(name) else { continue };
        let Ok(solver) = ProcessSolver::new(program) else { continue };
        match verdict(&mut Checked::new(solver), &terms, &facts) {
            Ok(Some(theirs)) if theirs != ours => {
                return Err(report(name, &format!("says {theirs}, the built-in solver {ours} (true: satisfiable)")));
            }
            Ok(_) => {}
            Err(error) => return Err(report(name, &error)),
        }
    }
    Ok(true)
}

/// Whether the facts are satisfiable; none where the solver does not say.
fn verdict(solver: &mut dyn Solver, terms: &Terms, facts: &[Term]) -> Result<Option<bool>, String> {
    let ask = |solver: &mut dyn Solver| {
        facts.iter().try_for_each(|&fact| solver.assert(terms, fact))?;
        let limits = Limits { conflicts: Some(20_000), time: Some(std::time::Duration::from_secs(5)) };
        solver.check(terms, Query { wanted: Wanted { model: true, core: false }, limits, ..Query::default() })
    };
    match ask(solver) {
        Ok(Answer::Sat(_)) => Ok(Some(true)),
        Ok(Answer::Unsat { scope: Scope::All, .. }) => Ok(Some(false)),
        Ok(Answer::Unsat { .. } | Answer::Unknown(_)) => Ok(None),
        Err(SolverError::Unsupported { .. } | SolverError::Garbage { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
