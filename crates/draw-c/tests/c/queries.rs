//! Random queries on random programs with few inputs, all of which are run and measured: what a suite covers some of these runs cover, and
//! what is called infeasible none does.
//!
//! `SPECIMEN_QUERIES` says how many are tried, `SPECIMEN_SEED` where to begin.

use draw_c::{CSubject, Encoding};
use random::SplitMix;
use search::{Options, Subject};
use serde_json::json;
use testcase::{Goal, GoalStatus, Inputs};

use super::exhaustive::{ONE_CALL, Small};

/// Queries per run of the tests, and the most goals of one.
const QUERIES: u64 = 30;
const MOST_GOALS: usize = 80;

/// Each of two inputs has so many values.
const VALUES: u32 = 8;

#[test]
fn claims_about_random_queries_agree_with_all_runs() {
    let (first, count) = (super::number("SPECIMEN_SEED", 1), super::number("SPECIMEN_QUERIES", QUERIES));
    let (mut counts, mut asked) = ([0usize; 3], 0);
    for seed in first..first + count {
        let text = Small::new(seed).program().text;
        let query = Asked(SplitMix::new(seed ^ 0x51)).query(text.lines().count() as u64);
        let encoding = if seed.is_multiple_of(5) { Encoding::Instrumented } else { Encoding::Native };
        let case = super::Case { hybrid: seed.is_multiple_of(2), most_calls: 1, encoding, ..super::case(&text, "f") };
        // What finds nothing in the program is not a query about it.
        let Some(subject) = case.possible_subject(&query).filter(|subject| subject.goals().len() <= MOST_GOALS) else {
            continue;
        };
        asked += 1;
        let feasible = feasible(&subject);
        let options =
            Options { attacks: 50, seed, minimize: false, goal_conflicts: Some(20_000), ..Options::default() };
        let (_, outcome) = match case.run(&query, options) {
            Ok(found) => found,
            Err(error) => panic!("seed {seed}: {query}: {error}\n{text}"),
        };
        for ((goal, status), feasible) in subject.goals().iter().zip(&outcome.statuses).zip(feasible) {
            let (agrees, kind) = match status {
                GoalStatus::Covered => (feasible, 0),
                GoalStatus::Infeasible(_) => (!feasible, 1),
                // Every run is one call.
                GoalStatus::InfeasibleUpTo(terms) if terms.starts_with(ONE_CALL) => (!feasible, 1),
                GoalStatus::InfeasibleUpTo(_) | GoalStatus::OnlyUndefined { .. } | GoalStatus::Unknown(_) => (true, 2),
            };
            assert!(agrees, "seed {seed}: {query}: {} is {status:?}, runs: {feasible}\n{text}", goal.label);
            counts[kind] += 1;
        }
    }
    let [covered, infeasible, left] = counts;
    assert!(count < QUERIES || (0 < covered && 0 < infeasible && count <= 2 * asked), "{counts:?} of {asked} queries");
    eprintln!("{asked} queries from seed {first}: {covered} goals covered, {infeasible} infeasible, {left} left");
}

/// Which goals some of all runs cover.
fn feasible(subject: &CSubject) -> Vec<bool> {
    let mut replay = subject.replay();
    let mut met = vec![false; subject.obligation_count()];
    for (a, b) in (0..VALUES).flat_map(|a| (0..VALUES).map(move |b| (a, b))) {
        let replayed = replay.run(&Inputs::Document(json!({ "a": a, "b": b })));
        if replayed.objection.is_none() {
            replayed.met.iter().for_each(|obligation| met[obligation.0 as usize] = true);
        }
    }
    let possible = |goal: &Goal| goal.alternatives.iter().any(|all| all.iter().all(|one| met[one.0 as usize]));
    subject.goals().iter().map(possible).collect()
}

/// Writes queries about the programs.
struct Asked(SplitMix);

impl Asked {
    fn query(&mut self, lines: u64) -> String {
        let (one, other, third) = (self.filter(lines), self.filter(lines), self.simple(lines));
        let covered = match self.0.below(9) {
            0 | 1 => one,
            2 => format!("{one} -> {other}"),
            3 => format!("{one}.\"NOT({third})*\".{other}"),
            4 => format!("{one}.{{g > {}}}.\"ID*\".{other}", self.0.below(6)),
            5 => format!("{one} + {other}"),
            6 => format!("NODES({third})"),
            7 => format!("PATHS(@FUNC(note), {})", 1 + self.0.below(2)),
            _ => format!("\"{third}.ID*.{third}\""),
        };
        let within = ["", "", "in @FUNC(f) ", "in @FUNC(f) | @FUNC(note) "][self.0.below(4) as usize];
        let passing = match self.0.below(6) {
            0 => format!(" passing ^NOT({third})*$"),
            1 => format!(" passing {third}.NOT({})*.{third}", self.simple(lines)),
            2 => format!(" passing ^(NOT({third})*.{third})>=2"),
            3 => format!(" passing ^ID*.{{g <= {}}}.ID*$", self.0.below(9)),
            _ => String::new(),
        };
        format!("{within}cover {covered}{passing}")
    }

    fn filter(&mut self, lines: u64) -> String {
        let (one, other) = (self.simple(lines), self.simple(lines));
        match self.0.below(6) {
            0 => format!("({one} & NOT({other}))"),
            1 => format!("({one} | {other})"),
            2 => format!("({one} & @FUNC(f))"),
            _ => one,
        }
    }

    fn simple(&mut self, lines: u64) -> String {
        let line = 10 + self.0.below(lines.saturating_sub(10).max(1));
        match self.0.below(14) {
            0 | 1 => "@BASICBLOCKENTRY".to_owned(),
            2 => "@CONDITIONEDGE".to_owned(),
            3 => "@DECISIONEDGE".to_owned(),
            4 | 5 => "@CALL(hit)".to_owned(),
            6 => "@ENTRY(note)".to_owned(),
            7 => "@EXIT(f)".to_owned(),
            8 => "@DEF(g)".to_owned(),
            9 => "@USE(g)".to_owned(),
            10 => "@STMTTYPE(if)".to_owned(),
            11 => "@CALL(note)".to_owned(),
            _ => format!("@{line}"),
        }
    }
}
