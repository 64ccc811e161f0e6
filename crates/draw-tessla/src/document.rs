//! A trace as the JSON of a suite: for each input its events as `[time, value]`, and the time up to which the run goes.
//!
//! Integers and truth values are themselves, integers too large for other programs are
//! `{"integer": "…"}`, the unit value is `null`, `None` is
//! `{"none": null}`, `Some(v)` is `{"some": v}`, objects are objects, lists are lists, sets are `{"set": […]}`, and maps are
//! `{"map": […]}` with pairs in them.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};
use tessla::core::Spec;
use tessla::trace::Event;
use tessla::types::Type;
use tessla::value::{Value, ValueMap, ValueSet};
use value::IBig;

/// Integers beyond this are written as texts: programs that read JSON as floating-point numbers would round them.
const LARGEST_NUMBER: i64 = 1 << 53;

/// The events of the inputs, in the order of time, and the end of the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The events.
    pub events: Vec<Event>,
    /// The run goes on up to this time: timers run out.
    pub end: i64,
}

impl Trace {
    /// The trace as JSON.
    pub fn to_json(&self, spec: &Spec) -> Json {
        let mut streams: IndexMap<&str, Vec<Json>> = IndexMap::new();
        for (position, id) in spec.inputs.iter().enumerate() {
            let of_input = self.events.iter().filter(|event| event.input == position);
            let events: Vec<Json> = of_input.map(|event| json!([event.time, to_json(&event.value)])).collect();
            if !events.is_empty() {
                streams.insert(spec.stream(*id).name.as_deref().unwrap_or_default(), events);
            }
        }
        json!({ "events": streams, "end": self.end })
    }

    /// The trace that JSON writes.
    ///
    /// # Errors
    /// When it is none, or none of this specification.
    pub fn from_json(spec: &Spec, json: &Json) -> Result<Trace, String> {
        let streams = json["events"].as_object().ok_or("a trace has `events`")?;
        let mut events = Vec::new();
        for (name, list) in streams {
            let position = spec.inputs.iter().position(|id| spec.stream(*id).name.as_deref() == Some(name));
            let position = position.ok_or_else(|| format!("the specification has no input `{name}`"))?;
            let element = &spec.stream(spec.inputs[position]).element;
            for event in list.as_array().ok_or_else(|| format!("the events of `{name}` are a list"))? {
                let time = event[0].as_i64().filter(|time| 0 <= *time);
                let time = time.ok_or_else(|| format!("an event of `{name}` is [time, value]"))?;
                let value =
                    from_json(element, &event[1]).map_err(|problem| format!("`{name}` at {time}: {problem}"))?;
                events.push(Event { time, input: position, value });
            }
        }
        events.sort_by_key(|event| (event.time, event.input));
        if let Some(twice) =
            events.windows(2).find(|pair| (pair[0].time, pair[0].input) == (pair[1].time, pair[1].input))
        {
            return Err(format!("an input has two events at {}", twice[0].time));
        }
        let last = events.last().map_or(0, |event| event.time);
        let end = json.get("end").map_or(Some(last), Json::as_i64).ok_or("the end of a trace is a time")?;
        Ok(Trace { events, end: end.max(last) })
    }
}

/// A value as JSON.
pub fn to_json(value: &Value) -> Json {
    match value {
        Value::Bool(truth) => json!(truth),
        Value::Int(number) if (-LARGEST_NUMBER..=LARGEST_NUMBER).contains(number) => json!(number),
        Value::Int(number) => json!({ "integer": number.to_string() }),
        Value::Big(number) => json!({ "integer": number.to_string() }),
        Value::Float(number) => {
            serde_json::Number::from_f64(*number).map_or_else(|| json!(number.to_string()), Json::Number)
        }
        Value::String(text) => json!(&**text),
        Value::Unit => Json::Null,
        Value::None => json!({ "none": null }),
        Value::Some(inner) => json!({ "some": to_json(inner) }),
        Value::Object(object) => {
            let members = object.names.iter().zip(&object.values);
            Json::Object(members.map(|(name, value)| (name.to_string(), to_json(value))).collect::<Map<_, _>>())
        }
        Value::List(elements) => elements.iter().map(to_json).collect(),
        Value::Set(elements) => json!({ "set": elements.iter().map(to_json).collect::<Vec<_>>() }),
        Value::Map(entries) => {
            let pairs: Vec<Json> = entries.iter().map(|(key, value)| json!([to_json(key), to_json(value)])).collect();
            json!({ "map": pairs })
        }
        Value::Failure(failure) => json!({ "undefined": failure.message }),
    }
}

/// The value of a type that JSON writes.
fn from_json(of: &Type, json: &Json) -> Result<Value, String> {
    let wrong = || format!("{json} is not a value of type {of}");
    match of {
        Type::Bool => json.as_bool().map(Value::Bool).ok_or_else(wrong),
        Type::Int => match json {
            Json::Number(number) => number.as_i64().map(Value::Int).ok_or_else(wrong),
            Json::String(text) => text.parse::<IBig>().map(Value::integer).map_err(|_| wrong()),
            Json::Object(members) => {
                let text = members.get("integer").and_then(Json::as_str).ok_or_else(wrong)?;
                text.parse::<IBig>().map(Value::integer).map_err(|_| wrong())
            }
            _ => Err(wrong()),
        },
        Type::Float => json.as_f64().map(Value::Float).ok_or_else(wrong),
        Type::String => json.as_str().map(Value::string).ok_or_else(wrong),
        Type::Option(inner) => match json {
            Json::Object(members) if members.contains_key("none") => Ok(Value::None),
            _ => from_json(inner, json.get("some").ok_or_else(wrong)?).map(Value::some),
        },
        Type::Object(object) if object.members.is_empty() => {
            if json.is_null() {
                Ok(Value::Unit)
            } else {
                Err(wrong())
            }
        }
        Type::Object(object) => {
            let names: Vec<Arc<str>> = object.members.iter().map(|(name, _)| name.clone()).collect();
            let member = |(name, of): &(Arc<str>, Type)| from_json(of, json.get(&**name).ok_or_else(wrong)?);
            let values = object.members.iter().map(member).collect::<Result<_, _>>()?;
            Ok(Value::object(names.into(), values))
        }
        Type::List(of) => Ok(Value::List(Arc::new(elements(of, json)?))),
        Type::Set(of) => {
            Ok(Value::Set(Arc::new(elements(of, json.get("set").unwrap_or(json))?.into_iter().collect::<ValueSet>())))
        }
        Type::Map(key, value) => {
            let pairs = json.get("map").unwrap_or(json).as_array().ok_or_else(wrong)?;
            let pair = |pair: &Json| Ok((from_json(key, &pair[0])?, from_json(value, &pair[1])?));
            let entries = pairs.iter().map(pair).collect::<Result<ValueMap, String>>()?;
            Ok(Value::Map(Arc::new(entries)))
        }
        Type::Events(_) | Type::Function(_) | Type::Parameter(_) => Err(wrong()),
        Type::Meta(_) | Type::Opaque(..) | Type::Wrong => Err(wrong()),
    }
}

fn elements(of: &Type, json: &Json) -> Result<Vec<Value>, String> {
    let elements = json.as_array().ok_or_else(|| format!("{json} is not a list of values of type {of}"))?;
    elements.iter().map(|element| from_json(of, element)).collect()
}
