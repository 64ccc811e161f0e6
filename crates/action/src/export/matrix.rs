//! The killed-by matrix: one mutant in each row, one test in each column.

use std::collections::BTreeSet;

use testcase::Suite;

use super::{cell, strings};
use crate::score::{Fate, Score};

pub(super) fn write(suite: &Suite) -> String {
    let kills: Vec<BTreeSet<String>> =
        suite.tests.iter().map(|test| strings(test.notes.get("kills")).into_iter().collect()).collect();
    let mut text = String::from("mutant,verdict,killed by");
    suite.tests.iter().for_each(|test| text.push_str(&format!(",{}", cell(&test.id))));
    text.push('\n');
    for goal in &suite.goals {
        let marks: Vec<bool> = kills.iter().map(|killed| killed.contains(&goal.id)).collect();
        let count = marks.iter().filter(|mark| **mark).count();
        text.push_str(&format!("{},{},{count}", cell(&goal.id), Fate::of(goal).name()));
        marks.iter().for_each(|mark| text.push_str(if *mark { ",x" } else { "," }));
        text.push('\n');
    }
    text.push_str("kills,,");
    kills.iter().for_each(|killed| text.push_str(&format!(",{}", killed.len())));
    text.push('\n');
    text.push_str(&format!("{}\n", cell(&Score::of(suite).to_string())));
    text
}
