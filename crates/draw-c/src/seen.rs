//! What a test of a program expects: how the run ends, and all that a caller sees of it.

use c::Program;
use c::interp::{Effects, Ending, InputValue, Limit, Observed, Outcome, Passed, StubCall};
use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};

use super::document::to_json;

/// What stands at the end of a list that is not complete.
const MORE: &str = "…";

/// What is expected of a run that went like this.
pub(super) fn expected(program: &Program, outcome: &Outcome, effects: &Effects) -> IndexMap<String, Json> {
    let mut expected = IndexMap::new();
    expected.extend(ending(program, &outcome.ending, effects).map(|(name, value)| (name.to_owned(), value)));
    if !outcome.output.is_empty() {
        expected.insert("prints".into(), json!(String::from_utf8_lossy(&outcome.output)));
    }
    if effects.watches || !effects.changes.is_empty() {
        let changes = effects.changes.iter().map(|(name, seen)| (name.clone(), observed(seen)));
        let more = effects.more_changes.then(|| (MORE.to_owned(), json!(true)));
        expected.insert("after".into(), Json::Object(changes.chain(more).collect()));
    }
    if (0u32..).zip(&program.functions).any(|(at, _)| program.is_watched(c::program::FunctionId(at))) {
        let calls = effects.calls.iter().map(|call| one_call(program, call));
        expected.insert("calls".into(), calls.chain(effects.more_calls.then(|| json!(MORE))).collect());
    }
    if let Some(writes) = &effects.writes {
        let writes = writes.iter().map(|(name, seen)| json!([name, observed(seen)]));
        expected.insert("writes".into(), writes.chain(effects.more_writes.then(|| json!(MORE))).collect());
    }
    expected
}

fn ending(program: &Program, ending: &Ending, effects: &Effects) -> Option<(&'static str, Json)> {
    Some(match ending {
        Ending::Returned(Some(InputValue::Integer(number))) => {
            let small = i64::try_from(*number).ok().filter(|number| number.unsigned_abs() <= 1 << 53);
            ("returns", small.map_or_else(|| json!(number.to_string()), |number| json!(number)))
        }
        Ending::Returned(Some(value)) => {
            let pointer = effects.result.as_ref().map(observed);
            ("returns", pointer.unwrap_or_else(|| json!(value.to_string())))
        }
        Ending::Exited(status) => ("exits", json!(status)),
        Ending::Aborted | Ending::AssertionFailed(_) => ("aborts", json!(true)),
        Ending::Stopped { function, .. } | Ending::Unmodelled { function, .. } => {
            ("stops", json!(program.function(*function).name))
        }
        Ending::Excluded(_) => ("stops", json!("an assumption")),
        Ending::EndOfInputs { .. } => ("cut", json!("inputs")),
        Ending::GivenUp(Limit::Steps) => ("cut", json!("steps")),
        Ending::Returned(None)
        | Ending::Undefined { .. }
        | Ending::GivenUp(Limit::Memory | Limit::Calls)
        | Ending::Unsupported { .. }
        | Ending::NoInput(_) => return None,
    })
}

/// What is seen in a part of memory: a number, `null`, `"&NAME"` for what has a name, `"object"` for what has none.
fn observed(seen: &Observed) -> Json {
    match seen {
        Observed::Value(InputValue::Object(_)) => json!("object"),
        Observed::Value(value) => to_json(*value),
        Observed::Address(name) => json!(format!("&{name}")),
        Observed::Freed => json!("freed"),
    }
}

/// A call: the function, and what it is called with.
fn one_call(program: &Program, call: &StubCall) -> Json {
    let name = json!(program.function(call.function).name);
    std::iter::once(name).chain(call.arguments.iter().map(argument)).collect()
}

fn argument(passed: &Passed) -> Json {
    let value = passed.value.as_ref().map_or_else(|| json!(MORE), observed);
    if passed.behind.is_empty() {
        return value;
    }
    let behind = passed.behind.iter().map(|(name, seen)| (name.clone(), observed(seen)));
    Json::Object(std::iter::once(("pointer".to_owned(), value)).chain(behind).collect::<Map<String, Json>>())
}
