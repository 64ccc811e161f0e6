//! Lies that a suite can tell: each a change of one statement, with the counts kept in order so that only a judge can notice.

use serde_json::{Value as Json, json};

/// What a lie is about, and how it is told; none where the suite offers no place for it.
type Lie = (&'static str, fn(&mut Json) -> Option<()>);

/// Every lie that fits a suite, with what it is about.
pub(super) fn lies(suite: &Json) -> Vec<(&'static str, Json)> {
    let all: &[Lie] = &[
        ("an expected value", expected),
        ("a note", note),
        ("a status", status),
        ("a goal's description", |suite| alter(&mut suite["goals"][0]["label"])),
        ("a goal's place", place),
        ("the tests of a goal", tests_of_a_goal),
        ("a goal left out of what a test covers", covers_less),
        ("a goal added to what a test covers", covers_more),
        ("the language", |suite| alter(&mut suite["language"])),
        ("the inputs and outputs", interface),
    ];
    let told = |(what, lie): &Lie| {
        let mut told = suite.clone();
        lie(&mut told).map(|()| (*what, told))
    };
    all.iter().filter_map(told).collect()
}

/// A suite without tests that calls every goal impossible, where some are covered.
pub(super) fn all_impossible(suite: &Json) -> Option<Json> {
    let mut suite = suite.clone();
    suite["goals"].as_array_mut()?.iter_mut().find(covered)?;
    for goal in suite["goals"].as_array_mut()? {
        let goal = goal.as_object_mut()?;
        goal.insert("status".to_owned(), json!("infeasible"));
        goal.insert("reason".to_owned(), json!("nothing does that"));
        goal.insert("tests".to_owned(), json!([]));
        goal.remove("witness");
    }
    suite["tests"] = json!([]);
    count(&mut suite);
    Some(suite)
}

fn alter(text: &mut Json) -> Option<()> {
    *text = json!(format!("{}, or so", text.as_str()?));
    Some(())
}

fn expected(suite: &mut Json) -> Option<()> {
    let (_, value) = suite["tests"][0]["expected"].as_object_mut()?.iter_mut().next()?;
    *value = match value {
        Json::Bool(value) => json!(!*value),
        _ => json!("a lie"),
    };
    Some(())
}

fn note(suite: &mut Json) -> Option<()> {
    suite["tests"][0].as_object_mut()?.insert("notes".to_owned(), json!({ "remark": "a lie" }));
    Some(())
}

fn covered(goal: &&mut Json) -> bool {
    goal["status"] == "covered"
}

/// Counts goals and tests anew.
fn count(suite: &mut Json) {
    let goals = suite["goals"].as_array().cloned().unwrap_or_default();
    for status in ["covered", "infeasible", "infeasible_up_to", "only_undefined", "unknown"] {
        let found = goals.iter().filter(|goal| goal["status"] == status).count();
        if suite["summary"].get(status).is_some() || 0 < found {
            suite["summary"][status] = json!(found);
        }
    }
    suite["summary"]["tests"] = json!(suite["tests"].as_array().map_or(0, Vec::len));
}

fn status(suite: &mut Json) -> Option<()> {
    let goal = suite["goals"].as_array_mut()?.iter_mut().find(covered)?;
    goal["status"] = json!("infeasible");
    goal["tests"] = json!([]);
    count(suite);
    Some(())
}

fn place(suite: &mut Json) -> Option<()> {
    let goal = suite["goals"].as_array_mut()?.iter_mut().find(|goal| goal["location"].is_object())?;
    goal["location"]["line"] = json!(goal["location"]["line"].as_u64()? + 1);
    Some(())
}

fn tests_of_a_goal(suite: &mut Json) -> Option<()> {
    suite["goals"].as_array_mut()?.iter_mut().find(covered)?["tests"] = json!([]);
    Some(())
}

fn covers_less(suite: &mut Json) -> Option<()> {
    let test = suite["tests"].as_array_mut()?.iter_mut().find(|test| test["covers"][0].is_string())?;
    test["covers"].as_array_mut()?.remove(0);
    Some(())
}

fn covers_more(suite: &mut Json) -> Option<()> {
    let goals = suite["goals"].as_array().cloned()?;
    for test in suite["tests"].as_array_mut()? {
        let covers = test["covers"].as_array_mut()?;
        if let Some(goal) = goals.iter().find(|goal| !covers.contains(&goal["id"])) {
            covers.push(goal["id"].clone());
            return Some(());
        }
    }
    None
}

fn interface(suite: &mut Json) -> Option<()> {
    let inputs = suite.get_mut("interface")?.get_mut("inputs")?.as_array_mut()?;
    inputs.pop().map(|_| ())
}
