//! What tests of C programs expect, for people.

use indexmap::IndexMap;
use serde_json::Value as Json;

/// What a test expects, line by line.
pub(super) fn shown(expected: &IndexMap<String, Json>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, value) in expected {
        match (name.as_str(), value) {
            ("after", Json::Object(parts)) => {
                lines.extend(parts.iter().map(|(part, value)| format!("  afterwards {part} = {}\n", plain(value))));
            }
            ("calls", Json::Array(calls)) => {
                lines.extend(calls.iter().map(|call| format!("  calls {}\n", called(call))))
            }
            ("writes", Json::Array(writes)) => {
                lines.extend(writes.iter().map(|write| format!("  writes {}\n", written(write))));
            }
            _ => lines.push(format!("  {name} {value}\n")),
        }
    }
    if lines.is_empty() && !expected.is_empty() {
        lines.push("  no change is seen\n".to_owned());
    }
    lines
}

fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// What is written to a device.
fn written(write: &Json) -> String {
    match write.as_array().map(Vec::as_slice) {
        Some([name, value]) => format!("{} = {}", plain(name), plain(value)),
        _ => plain(write),
    }
}

/// A call as C writes it; what pointers point to stands behind them.
fn called(call: &Json) -> String {
    let Some((name, arguments)) = call.as_array().and_then(|call| call.split_first()) else { return plain(call) };
    let argument = |argument: &Json| match argument {
        Json::Object(parts) => {
            let pointer = parts.get("pointer").map(plain).unwrap_or_default();
            let behind = parts.iter().filter(|(part, _)| *part != "pointer");
            let behind: Vec<String> = behind.map(|(part, value)| format!("{part} = {}", plain(value))).collect();
            format!("{pointer} {{ {} }}", behind.join(", "))
        }
        other => plain(other),
    };
    let arguments: Vec<String> = arguments.iter().map(argument).collect();
    format!("{}({})", plain(name), arguments.join(", "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn lines(expected: &Json) -> Vec<String> {
        shown(&expected.as_object().into_iter().flatten().map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    #[test]
    fn expectations_are_shown_as_c_writes_them() {
        let expected = json!({
            "returns": 3,
            "after": { "q[0].head": 1, "q[0].last": "&q[0].data[2]", "free": null },
            "calls": [["send", 17, { "pointer": "object", "[0]": 72 }], ["flush"]],
            "writes": [["*(unsigned int *)0x40020008", 3], "…"],
        });
        assert_eq!(
            lines(&expected),
            [
                "  returns 3\n",
                "  afterwards q[0].head = 1\n",
                "  afterwards q[0].last = &q[0].data[2]\n",
                "  afterwards free = null\n",
                "  calls send(17, object { [0] = 72 })\n",
                "  calls flush()\n",
                "  writes *(unsigned int *)0x40020008 = 3\n",
                "  writes …\n",
            ]
        );
    }

    #[test]
    fn that_nothing_happens_is_an_expectation() {
        assert_eq!(lines(&json!({ "after": {}, "calls": [], "writes": [] })), ["  no change is seen\n"]);
        assert!(lines(&json!({})).is_empty());
    }
}
