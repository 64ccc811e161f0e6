//! Values as JSON: exact in both directions, numbers where JSON numbers are exact and strings elsewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::{ArrayValue, IBig, Sort, Value, from_text};

/// The largest integer up to which every integer is exact in a double, 2^53.
const EXACT: i64 = 1 << 53;

/// The value as JSON. Integers beyond 2^53, rationals and bit patterns are strings.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => Json::Bool(*truth),
        Value::Int(number) => integer_to_json(number),
        Value::Real(number) if number.denominator().is_one() => integer_to_json(number.numerator()),
        Value::Real(_) | Value::BitVec(_) | Value::Enum(_) => Json::String(value.to_string()),
        Value::Array(array) => {
            let pairs = array.entries().iter().map(|(k, v)| Json::Array(vec![to_json(k), to_json(v)]));
            serde_json::json!({ "default": to_json(array.default()), "entries": pairs.collect::<Vec<_>>() })
        }
    }
}

/// The value of sort `sort` that `json` writes.
///
/// # Errors
/// When `json` does not write a value of that sort.
pub fn from_json(sort: &Sort, json: &Json) -> Result<Value, JsonError> {
    let wrong = || JsonError { sort: sort.clone(), json: json.to_string() };
    match (sort, json) {
        (Sort::Bool, Json::Bool(truth)) => Ok(Value::Bool(*truth)),
        (Sort::Array(parts), Json::Object(map)) => {
            let default = from_json(&parts.1, map.get("default").ok_or_else(wrong)?)?;
            let mut entries = BTreeMap::new();
            for pair in map.get("entries").and_then(Json::as_array).ok_or_else(wrong)? {
                let [index, element] = pair.as_array().map(Vec::as_slice).ok_or_else(wrong)? else {
                    return Err(wrong());
                };
                entries.insert(from_json(&parts.0, index)?, from_json(&parts.1, element)?);
            }
            Ok(Value::Array(Arc::new(ArrayValue::new(parts.0.clone(), parts.1.clone(), default, entries))))
        }
        (Sort::Int | Sort::Real, Json::Number(number)) => from_text(sort, &number.to_string()).map_err(|_| wrong()),
        (_, Json::String(text)) => from_text(sort, text).map_err(|_| wrong()),
        _ => Err(wrong()),
    }
}

fn integer_to_json(number: &IBig) -> Json {
    match i64::try_from(number) {
        Ok(small) if (-EXACT..=EXACT).contains(&small) => Json::from(small),
        _ => Json::String(number.to_string()),
    }
}

/// JSON that writes no value of the wanted sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError {
    sort: Sort,
    json: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a value of sort {}", self.json, self.sort)
    }
}

impl std::error::Error for JsonError {}
