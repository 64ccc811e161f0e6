//! The built-in solver beside installed ones, on families of generated problems. Every solver gets the same facts and is
//! started anew; the time of a process is part of its figure.

use std::time::Duration;

use smt::{Answer, Limits, ProcessSolver, Query, Solver, SolverProgram, Term, Terms, Wanted};
use smt_sat::SatSolver;
use testkit::problems::{FAMILIES, Problem};

use crate::table::{Table, ratio, seconds, timed};

const PEERS: &[&str] = &["z3", "bitwuzla", "yices", "cvc5"];
const LIMIT: Duration = Duration::from_secs(10);

pub(crate) fn measure() -> Vec<Table> {
    let mut columns = vec!["ours"];
    PEERS.iter().for_each(|peer| columns.extend([*peer, "ratio"]));
    let mut table = Table::new("Solvers: time to an answer; ratio above 1 means ours is faster", &columns);
    for &(_, build, sizes) in FAMILIES {
        for &size in sizes {
            let mut terms = Terms::new();
            let problem = build(&mut terms, size);
            let (answer, ours) = timed(|| solve(&mut SatSolver::new(), &terms, &problem.facts));
            let mut cells = vec![cell(answer, ours, &problem)];
            for peer in PEERS {
                cells.extend(peer_cells(peer, &terms, &problem, ours));
            }
            // The run takes minutes: whoever watches, or stops it, has the rows so far.
            eprintln!("{}: {}", problem.name, cells.join(", "));
            table.row(problem.name.clone(), cells);
        }
    }
    vec![table]
}

fn peer_cells(peer: &str, terms: &Terms, problem: &Problem, ours: Duration) -> [String; 2] {
    let solve = || {
        let program = SolverProgram::named(peer)?;
        let mut solver = ProcessSolver::new(program).ok()?;
        Some(solve(&mut solver, terms, &problem.facts))
    };
    match timed(solve) {
        (Some(answer @ Some(_)), time) => [cell(answer, time, problem), ratio(time, ours)],
        (Some(None), time) if LIMIT <= time => [format!("> {}", seconds(LIMIT)), format!("> {}", ratio(LIMIT, ours))],
        _ => ["-".into(), "-".into()],
    }
}

fn cell(answer: Option<bool>, time: Duration, problem: &Problem) -> String {
    match answer {
        Some(answer) if answer == problem.satisfiable => seconds(time),
        Some(_) => "WRONG".into(),
        None => "-".into(),
    }
}

/// Whether the facts are satisfiable; none where the solver does not say in time.
fn solve(solver: &mut dyn Solver, terms: &Terms, facts: &[Term]) -> Option<bool> {
    facts.iter().try_for_each(|&fact| solver.assert(terms, fact)).ok()?;
    let limits = Limits { conflicts: None, time: Some(LIMIT) };
    match solver.check(terms, Query { wanted: Wanted { model: true, core: false }, limits, ..Query::default() }).ok()? {
        Answer::Sat(_) => Some(true),
        Answer::Unsat { .. } => Some(false),
        Answer::Unknown(_) => None,
    }
}
