//! Tests that are conversations: the language says what comes next, the adapter answers a line each time.

use std::time::Duration;

use front::adapter::{Adapter, Converse, Hush, Silence};
use serde_json::Value as Json;
use testcase::TestRecord;

use super::question::{invalid, shortened};
use super::{Attempt, Verdict};

/// Carries out a test.
pub(super) fn hold(
    converse: Converse,
    test: &TestRecord,
    adapter: &mut Adapter,
    timeout: Duration,
) -> Result<Attempt, Silence> {
    let mut silence = None;
    let mut ask = |request: &Json| -> Result<Json, Hush> {
        match adapter.ask(request.to_string(), timeout) {
            Ok(answer) => {
                let answer = answer.trim();
                match invalid(answer) {
                    Some(reason) => Err(Hush::Invalid(reason)),
                    None => serde_json::from_str(answer)
                        .map_err(|_| Hush::Trouble(format!("the answer is not understood: {}", shortened(answer)))),
                }
            }
            Err(why) => {
                let words = why.to_string();
                silence = Some(why);
                Err(Hush::Trouble(words))
            }
        }
    };
    match converse(test, &mut ask) {
        Ok((told, trace)) => Ok(Attempt::told(told, trace)),
        Err(Hush::Invalid(reason)) => Ok(Attempt::of(Verdict::Invalid(reason))),
        Err(Hush::Trouble(words)) => match silence {
            Some(silence) => Err(silence),
            None => Ok(Attempt::of(Verdict::Error(words))),
        },
    }
}
