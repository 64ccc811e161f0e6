//! What was found out about each mutant, one in each row, and a row of sums.

use serde_json::Value as Json;
use testcase::Suite;

use super::{cell, strings};
use crate::score::{Fate, Score};

pub(super) fn write(suite: &Suite) -> String {
    let mut text = String::from("mutant,change,verdict,test,state,trace,then,depth,reason\n");
    for goal in &suite.goals {
        let test = goal.tests.first().and_then(|id| suite.tests.iter().find(|test| test.id == *id));
        let trace = test.map(|test| strings(test.inputs.get("trace"))).unwrap_or_default();
        let end = test.map(|test| strings(test.expected.get("end")).join(" | ")).unwrap_or_default();
        let then = test.and_then(|test| test.inputs.get("then")).and_then(Json::as_str).unwrap_or_default();
        let depth = test.map(|_| trace.len().to_string()).unwrap_or_default();
        let cells = [
            goal.id.as_str(),
            &goal.label,
            Fate::of(goal).name(),
            goal.tests.first().map(String::as_str).unwrap_or_default(),
            &end,
            &trace.join(" "),
            then,
            &depth,
            goal.reason.as_deref().unwrap_or_default(),
        ];
        text.push_str(&cells.map(cell).join(","));
        text.push('\n');
    }
    let summary = &suite.summary;
    let score = Score::of(suite);
    let sums = format!(
        "{} mutants,{} killed,{} equivalent,{} refining,{} up to the bound,{} unknown,{} tests,{},\n",
        score.mutants,
        score.killed,
        score.equivalent,
        score.refines,
        summary.infeasible_up_to,
        score.unknown,
        summary.tests,
        score.words()
    );
    text + &sums
}
