//! Random terms for the built-in solver, the evaluator and installed solvers: any two that disagree are a bug.
//!
//! The built-in solver meets every problem afresh; its verdict is compared with those of outside processes, and with
//! that of another built-in solver, which serve many problems each: a problem is a scope, in part of assumptions. Models
//! are evaluated, and cores must suffice.

use std::process::ExitCode;
use std::time::Duration;

use smt::{
    Answer, Checked, Interrupt, Limits, ProcessSolver, Query, Scope, Solver, SolverError, SolverProgram, Term, Terms,
    Theories, Wanted, found, print_script,
};
use smt_sat::SatSolver;
use testkit::{Choices, Pool};

/// So many problems share the terms, and so the symbols, of one arena.
const SHARED: u64 = 20;

/// The theories of the problems, in turn.
const MIXES: &[Theories] = &[
    Theories { bit_vectors: true, arrays: true, enumerations: true, ..NOTHING },
    Theories { integers: true, nonlinear: true, ..NOTHING },
    Theories { reals: true, enumerations: true, ..NOTHING },
    Theories { bit_vectors: true, ..NOTHING },
    Theories { integers: true, arrays: true, ..NOTHING },
    Theories { integers: true, reals: true, nonlinear: true, bit_vectors: true, arrays: true, enumerations: true },
];

const NOTHING: Theories = Theories {
    integers: false,
    reals: false,
    nonlinear: false,
    bit_vectors: false,
    arrays: false,
    enumerations: false,
};

/// A solver for many problems, and how many of its answers were compared.
struct Peer {
    name: &'static str,
    solver: Checked<Box<dyn Solver>>,
    compared: u64,
}

/// `fuzz-terms [COUNT [SEED]]`.
pub(crate) fn run(words: &[&str]) -> ExitCode {
    let number = |place: usize, default: u64| words.get(place).map_or(Some(default), |word| word.parse().ok());
    let (Some(count), Some(seed)) = (number(0, 100_000), number(1, 0)) else {
        println!("usage: fuzz-terms [COUNT [SEED]]");
        return ExitCode::from(2);
    };
    let programs: Vec<&SolverProgram> = found().iter().filter_map(|found| SolverProgram::named(found.name)).collect();
    let names: Vec<&str> = programs.iter().map(|program| program.name).chain(["itself in scopes"]).collect();
    println!("built-in solver against {} over {count} problems from seed {seed}", names.join(", "));
    let mut tally = Tally { problems: 0, decided: 0, compared: vec![0; names.len()] };
    let mut disagreements = 0u64;
    while tally.problems < count {
        let mut terms = Terms::new();
        let mut peers: Vec<Peer> = Vec::new();
        for (place, &name) in names.iter().enumerate() {
            let solver: Box<dyn Solver> = match programs.get(place).map(|program| ProcessSolver::new(program)) {
                Some(Ok(process)) => Box::new(process),
                Some(Err(error)) => {
                    println!("{error}");
                    return ExitCode::FAILURE;
                }
                None => Box::new(SatSolver::new()),
            };
            peers.push(Peer { name, solver: Checked::new(solver), compared: 0 });
        }
        for _ in 0..SHARED.min(count - tally.problems) {
            if let Err(report) = compare(seed + tally.problems, &mut terms, &mut peers, &mut tally.decided) {
                println!("{report}\n");
                disagreements += 1;
            }
            tally.problems += 1;
        }
        for (total, peer) in tally.compared.iter_mut().zip(&peers) {
            *total += peer.compared;
        }
        if tally.problems.is_multiple_of(SHARED * 100) && tally.problems < count {
            tally.print(&names, disagreements);
        }
    }
    tally.print(&names, disagreements);
    if disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What the comparison came to so far.
struct Tally {
    problems: u64,
    decided: u64,
    compared: Vec<u64>,
}

impl Tally {
    fn print(&self, names: &[&str], disagreements: u64) {
        let compared: Vec<String> =
            names.iter().zip(&self.compared).map(|(name, count)| format!("{name} {count}")).collect();
        println!(
            "{} problems, {} decided by the built-in solver, of these by {}; {disagreements} disagreements",
            self.problems,
            self.decided,
            compared.join(", ")
        );
    }
}

/// Puts the problem of this seed to everyone; the report where two disagree.
fn compare(case: u64, terms: &mut Terms, peers: &mut [Peer], decided: &mut u64) -> Result<(), String> {
    let mut choices = Choices::seeded(case, 80 + 40 * (case % 5) as usize);
    let mix = MIXES[case as usize % MIXES.len()];
    let facts = Pool::grow(terms, mix, &mut choices).facts(1 + case as usize / 7 % 6);
    let terms = &*terms;
    let report = |who: &str, what: &str| format!("seed {case}: {who}: {what}\n{}", print_script(terms, &facts));
    let ours = verdict(&mut Checked::new(SatSolver::new()), terms, &facts, &[]);
    let Some(ours) = ours.map_err(|error| report("built-in", &error))? else { return Ok(()) };
    *decided += 1;
    let spoken = |satisfiable: bool| if satisfiable { "satisfiable" } else { "unsatisfiable" };
    let (asserted, assumed) = facts.split_at(facts.len() / (1 + case as usize % 3));
    for peer in peers {
        match scoped_verdict(&mut peer.solver, terms, asserted, assumed) {
            Ok(Some(theirs)) if theirs != ours => {
                let what = format!("{}, the built-in solver: {}", spoken(theirs), spoken(ours));
                return Err(report(peer.name, &what));
            }
            Ok(theirs) => peer.compared += u64::from(theirs.is_some()),
            Err(error) => return Err(report(peer.name, &error)),
        }
    }
    Ok(())
}

/// The verdict on facts and assumptions in a scope of their own.
fn scoped_verdict(
    solver: &mut dyn Solver,
    terms: &Terms,
    facts: &[Term],
    assumptions: &[Term],
) -> Result<Option<bool>, String> {
    solver.push().map_err(|error| error.to_string())?;
    let verdict = verdict(solver, terms, facts, assumptions);
    solver.pop().map_err(|error| error.to_string())?;
    verdict
}

/// Whether facts and assumptions are satisfiable; none where the solver does not say.
fn verdict(
    solver: &mut dyn Solver,
    terms: &Terms,
    facts: &[Term],
    assumptions: &[Term],
) -> Result<Option<bool>, String> {
    let wanted = Wanted { model: true, core: true };
    let limits = Limits { conflicts: Some(20_000), time: Some(Duration::from_secs(1)) };
    let ask = |solver: &mut dyn Solver, assumptions: &[Term]| {
        solver.check(terms, Query { assumptions, wanted, limits, interrupt: Interrupt::new() })
    };
    let taken = facts.iter().try_for_each(|&fact| solver.assert(terms, fact));
    let answer = taken.and_then(|()| ask(solver, assumptions));
    if let Ok(Answer::Unsat { core, .. }) = &answer
        && core.len() < assumptions.len()
        && let Ok(Answer::Sat(_)) = ask(solver, core)
    {
        return Err(format!("its core of {} does not suffice", core.len()));
    }
    match answer {
        Ok(Answer::Sat(_)) => Ok(Some(true)),
        Ok(Answer::Unsat { scope: Scope::All, .. }) => Ok(Some(false)),
        Ok(Answer::Unsat { .. } | Answer::Unknown(_)) => Ok(None),
        Err(SolverError::Unsupported { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
