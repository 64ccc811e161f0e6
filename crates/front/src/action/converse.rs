//! Tests of action systems on a system behind an adapter: what is asked line by line.

use action::dialogue::{System, Verdict, carry_out};
use serde_json::{Value as Json, json};
use testcase::TestRecord;

use crate::adapter::{Ask, Hush, Told};

/// A system that is asked what to do and what it did.
struct Asked<'a, 'b> {
    test: &'a str,
    ask: &'a mut Ask<'b>,
}

impl Asked<'_, '_> {
    fn not_understood(request: &str, answer: &Json, wanted: &str) -> Hush {
        Hush::Trouble(format!("the answer to `{request}` is {answer}, not {wanted}"))
    }
}

impl System for Asked<'_, '_> {
    type Trouble = Hush;

    fn reset(&mut self) -> Result<(), Hush> {
        match (self.ask)(&json!({ "do": "reset", "test": self.test }))? {
            Json::Bool(true) | Json::Null => Ok(()),
            Json::Bool(false) => Err(Hush::Invalid("the system cannot be reset".to_owned())),
            other => Err(Asked::not_understood("reset", &other, "true")),
        }
    }

    fn give(&mut self, label: &str) -> Result<Option<bool>, Hush> {
        match (self.ask)(&json!({ "do": "give", "input": label }))? {
            Json::Bool(taken) => Ok(Some(taken)),
            Json::Null => Ok(None),
            other => Err(Asked::not_understood("give", &other, "true, false or null")),
        }
    }

    fn watch(&mut self, wait: bool) -> Result<Option<String>, Hush> {
        match (self.ask)(&json!({ "do": "watch", "wait": wait }))? {
            Json::String(label) => Ok(Some(label)),
            Json::Null => Ok(None),
            other => Err(Asked::not_understood("watch", &other, "the name of an output or null")),
        }
    }

    fn state(&mut self) -> Result<Option<String>, Hush> {
        let wrong = |answer: &Json| Asked::not_understood("state", answer, "a list of numbers or null");
        match (self.ask)(&json!({ "do": "state" }))? {
            Json::Null => Ok(None),
            Json::Array(values) => {
                let one = |value: &Json| match value {
                    Json::Bool(value) => Ok(i64::from(*value)),
                    value => value.as_i64().ok_or_else(|| wrong(value)),
                };
                let values: Vec<String> =
                    values.iter().map(|value| one(value).map(|value| value.to_string())).collect::<Result<_, _>>()?;
                Ok(Some(values.join(" ")))
            }
            other => Err(wrong(&other)),
        }
    }
}

/// Carries out a test.
pub(super) fn converse(test: &TestRecord, ask: &mut Ask<'_>) -> Result<(Told, Vec<String>), Hush> {
    let dialogue = carry_out(test, &mut Asked { test: &test.id, ask })?;
    let told = match dialogue.verdict {
        Verdict::Pass => Told::Pass,
        Verdict::Fail(words) => Told::Fail(words),
        Verdict::Inconclusive(words) => Told::Inconclusive(words),
    };
    Ok((told, dialogue.trace))
}
