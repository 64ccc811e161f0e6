//! Saved scripts with their answers: the first line of each says `; expect: sat`, `unsat`, or `unsat at WIDTH`. A bug
//! that is found leaves its script here, named as a sentence.

#![allow(clippy::unwrap_used, reason = "the functions beside the tests belong to them")]

use smt::{Answer, Command, Evaluator, Query, Scope, Solver, Term, Terms, Wanted, read_script};
use smt_sat::SatSolver;

fn answer(text: &str) -> String {
    let mut terms = Terms::new();
    let script = read_script(&mut terms, text).unwrap();
    let asserted = script.commands.iter().filter_map(|(_, command)| match command {
        Command::Assert(fact) => Some(*fact),
        _ => None,
    });
    let facts: Vec<Term> = asserted.collect();
    let mut solver = SatSolver::new();
    facts.iter().for_each(|&fact| solver.assert(&terms, fact).unwrap());
    let wanted = Wanted { model: true, core: false };
    match solver.check(&terms, Query { wanted, ..Query::default() }).unwrap() {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new(&terms, &model);
            assert!(facts.iter().all(|&fact| evaluator.holds(fact)), "a wrong model for\n{text}");
            "sat".to_owned()
        }
        Answer::Unsat { scope: Scope::All, .. } => "unsat".to_owned(),
        Answer::Unsat { scope: Scope::Width(width), .. } => format!("unsat at {width}"),
        Answer::Unknown(reason) => reason.to_string(),
    }
}

#[test]
fn saved_scripts_have_their_answers() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().next().and_then(|line| line.strip_prefix("; expect: ")).unwrap();
        assert_eq!(answer(&text), expected, "{}", path.display());
        count += 1;
    }
    assert!(5 <= count);
}
