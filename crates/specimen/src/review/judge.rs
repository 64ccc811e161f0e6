//! What answers mean: where they contradict the specification, what they have shown, and which mistake they point to.
//!
//! A goal is a mistake the specification could have, and a test that covers it tells the mistaken specification from the
//! one at hand. So every mistake has a verdict of its own on every test: the specification's, turned around where the
//! test covers the goal.

use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use testcase::{GoalRecord, Status, Suite, TestRecord};

/// At most this many mistakes are suggested.
const SUGGESTIONS: usize = 5;

/// The answers of one person.
pub(crate) type Answers = IndexMap<String, bool>;

/// The verdict of the specification on a test: the first of its expected outputs that is true or false.
pub(crate) fn verdict(test: &TestRecord) -> Option<bool> {
    test.expected.values().find_map(Json::as_bool)
}

/// A test as a person sees it who is to judge it without being told.
pub(crate) fn without_verdict(test: &TestRecord) -> TestRecord {
    let mut blind = test.clone();
    let told = blind.expected.iter().position(|(_, value)| value.is_boolean());
    if let Some(told) = told {
        blind.expected.shift_remove_index(told);
    }
    blind
}

/// The tests on which a person and the specification differ.
pub(crate) fn conflicts<'a>(suite: &'a Suite, answers: &Answers) -> Vec<&'a TestRecord> {
    let differs = |test: &&TestRecord| match (answers.get(&test.id), verdict(test)) {
        (Some(answer), Some(verdict)) => *answer != verdict,
        _ => false,
    };
    suite.tests.iter().filter(differs).collect()
}

/// How many mistakes the answers have ruled out, and how many can be.
pub(crate) fn coverage(suite: &Suite, answers: &Answers) -> (usize, usize) {
    let agreed: Vec<&TestRecord> = suite
        .tests
        .iter()
        .filter(|test| verdict(test).is_some() && answers.get(&test.id).copied() == verdict(test))
        .collect();
    let ruled_out = |id: &String| agreed.iter().any(|test| test.covers.contains(id));
    let possible = suite.goals.iter().filter(|goal| goal.status != Status::Infeasible);
    let (shown, all) = possible.fold((0, 0), |(shown, all), goal| (shown + usize::from(ruled_out(&goal.id)), all + 1));
    (shown, all)
}

/// The mistakes that fit the answers better than the specification does, best first.
pub(crate) fn suggestions(suite: &Suite, answers: &Answers) -> Vec<Json> {
    let mismatches = |goal: Option<&str>| {
        let differs = |test: &&TestRecord| {
            let (Some(answer), Some(verdict)) = (answers.get(&test.id), verdict(test)) else { return false };
            let turned = goal.is_some_and(|goal| test.covers.iter().any(|covered| covered == goal));
            *answer != (verdict ^ turned)
        };
        suite.tests.iter().filter(differs).count()
    };
    let ours = mismatches(None);
    if ours == 0 {
        return Vec::new();
    }
    let mut fitting: Vec<(usize, &GoalRecord)> = suite
        .goals
        .iter()
        .map(|goal| (mismatches(Some(&goal.id)), goal))
        .filter(|(theirs, _)| *theirs < ours)
        .collect();
    fitting.sort_by_key(|(theirs, _)| *theirs);
    fitting
        .iter()
        .take(SUGGESTIONS)
        .map(|(theirs, goal)| json!({ "goal": goal.id, "hint": hint(goal), "label": goal.label, "location": goal.location, "mismatches": theirs, "ours": ours }))
        .collect()
}

/// What answers suggest that fit a mistake better than the specification, in plain words.
fn hint(goal: &GoalRecord) -> String {
    // A label may begin with the name of what made the mistake.
    let words = match goal.label.split_once(": ") {
        Some((maker, rest)) if maker.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b',') => rest,
        _ => &goal.label,
    };
    let place = goal
        .location
        .as_ref()
        .map_or_else(String::new, |place| format!(", at line {}, position {}", place.line, place.column));
    match words.split_once(" stands where the formula has ") {
        Some((better, ours)) => format!("Your answers fit {better} better than {ours}{place}."),
        None => format!("Your answers fit better if {words}{place}."),
    }
}

#[cfg(test)]
mod tests {
    use testcase::{Method, Minimality, SCHEMA, SourceRecord, Strategy, Summary};

    use super::*;

    /// Three tests: t1 and t2 rule out g1, t2 and t3 rule out g2; g3 cannot be told apart.
    fn suite() -> Suite {
        let goal = |id: &str, status: Status| GoalRecord {
            id: id.to_owned(),
            label: format!("mistake {id}"),
            location: None,
            status,
            reason: None,
            witness: None,
            tests: Vec::new(),
            evidence: Vec::new(),
        };
        let test = |id: &str, verdict: bool, covers: &[&str]| TestRecord {
            id: id.to_owned(),
            inputs: json!({}),
            expected: IndexMap::from([("robustness".to_owned(), json!("3/2")), ("verdict".to_owned(), json!(verdict))]),
            notes: IndexMap::new(),
            covers: covers.iter().map(|&id| id.to_owned()).collect(),
        };
        Suite {
            schema: SCHEMA.to_owned(),
            language: "stl".to_owned(),
            source: SourceRecord { file: "a.stl".to_owned(), sha256: String::new() },
            others: Vec::new(),
            provenance: None,
            interface: None,
            criterion: "mutation".to_owned(),
            options: IndexMap::new(),
            strategy: Method::Search(Strategy::Each),
            bound: None,
            complete: true,
            minimality: Minimality::NotProved,
            goals: vec![goal("g1", Status::Covered), goal("g2", Status::Covered), goal("g3", Status::Infeasible)],
            tests: vec![test("t1", true, &["g1"]), test("t2", false, &["g1", "g2"]), test("t3", true, &["g2"])],
            summary: Summary::default(),
        }
    }

    fn answers(given: &[(&str, bool)]) -> Answers {
        given.iter().map(|(test, answer)| ((*test).to_owned(), *answer)).collect()
    }

    #[test]
    fn agreement_rules_mistakes_out() {
        let suite = suite();
        assert_eq!(coverage(&suite, &answers(&[])), (0, 2));
        assert_eq!(coverage(&suite, &answers(&[("t1", true)])), (1, 2));
        assert_eq!(coverage(&suite, &answers(&[("t1", true), ("t3", true)])), (2, 2));
        assert!(conflicts(&suite, &answers(&[("t1", true), ("t2", false)])).is_empty());
        assert!(suggestions(&suite, &answers(&[("t1", true)])).is_empty());
    }

    #[test]
    fn a_wrong_answer_points_to_the_mistake_that_fits() {
        let suite = suite();
        let given = answers(&[("t1", true), ("t2", true), ("t3", false)]);
        let ids: Vec<&str> = conflicts(&suite, &given).iter().map(|test| test.id.as_str()).collect();
        assert_eq!(ids, ["t2", "t3"]);
        let found = suggestions(&suite, &given);
        assert_eq!(found.iter().map(|goal| goal["goal"].as_str()).collect::<Vec<_>>(), [Some("g2")]);
        assert_eq!((&found[0]["mismatches"], &found[0]["ours"]), (&json!(0), &json!(2)));
    }

    #[test]
    fn hints_are_in_plain_words() {
        let goal = |label: &str| GoalRecord {
            id: "m1".to_owned(),
            label: label.to_owned(),
            location: Some(testcase::Location { line: 2, column: 7, text: "F[1,3]".to_owned() }),
            status: Status::Covered,
            reason: None,
            witness: None,
            tests: Vec::new(),
            evidence: Vec::new(),
        };
        assert_eq!(
            hint(&goal("tro: `G[1,3]` stands where the formula has `F[1,3]`")),
            "Your answers fit `G[1,3]` better than `F[1,3]`, at line 2, position 7."
        );
        assert_eq!(
            hint(&goal("mco,sto: `a` is left out")),
            "Your answers fit better if `a` is left out, at line 2, position 7."
        );
    }
}
