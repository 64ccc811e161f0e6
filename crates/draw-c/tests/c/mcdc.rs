//! MC/DC on hard decisions, against brute force: every program of `corpus/c/mcdc` has a few Boolean inputs, all of which are run.
//! A goal is covered exactly if some of these runs cover it together, and infeasible exactly if not.

use std::path::{Path, PathBuf};

use search::{Options, Subject};
use serde_json::{Value as Json, json};
use testcase::{Goal, GoalStatus, Inputs};

use super::case;

/// The names of the parameters of `f`.
fn parameters(text: &str) -> Vec<String> {
    let head = text.split_once(" f(").and_then(|(_, rest)| rest.split_once(')')).expect("a function f").0;
    head.split(',').filter_map(|part| part.split_whitespace().last()).map(str::to_owned).collect()
}

/// Which goals can be covered at all, by all runs there are.
fn feasible(subject: &dyn Subject, names: &[String]) -> Vec<bool> {
    let mut replay = subject.replay();
    let mut met = vec![false; subject.obligation_count()];
    for bits in 0u32..1 << names.len() {
        let values = names.iter().enumerate().map(|(at, name)| (name.clone(), json!(bits >> at & 1)));
        let replayed = replay.run(&Inputs::Document(Json::Object(values.collect())));
        assert_eq!(replayed.objection, None);
        replayed.met.iter().for_each(|obligation| met[obligation.0 as usize] = true);
    }
    let possible = |goal: &Goal| goal.alternatives.iter().any(|all| all.iter().all(|one| met[one.0 as usize]));
    subject.goals().iter().map(possible).collect()
}

fn answer(path: &Path) -> String {
    let text = std::fs::read_to_string(path).expect("the program is there");
    let case = case(&text, "f");
    let (subject, outcome) = case.run("mcdc", Options { attacks: 100, ..Options::default() }).expect("a suite");
    let possible = feasible(&subject, &parameters(&text));
    let mut lines = vec![format!("{} tests", outcome.tests.len())];
    for ((goal, status), possible) in subject.goals().iter().zip(&outcome.statuses).zip(possible) {
        match status {
            GoalStatus::Covered => {
                assert!(possible, "{}: {} is covered, but no run does that", path.display(), goal.label)
            }
            GoalStatus::Infeasible(_) => {
                assert!(!possible, "{}: {} is possible, but was declared infeasible", path.display(), goal.label);
            }
            GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_) => {
                panic!("{}: {} is {status:?}", path.display(), goal.label);
            }
        }
        lines.push(format!("{}: {}", goal.label, status.name()));
    }
    lines.join("\n") + "\n"
}

#[test]
fn claims_about_hard_decisions_agree_with_all_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/c/mcdc");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("there is a corpus")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    assert!(8 <= files.len(), "the corpus was found");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    for file in files {
        let expected = file.with_extension("c.expected");
        let found = answer(&file);
        if update {
            std::fs::write(&expected, &found).expect("the corpus can be written");
        }
        let written = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, written, "{}", file.display());
    }
}
