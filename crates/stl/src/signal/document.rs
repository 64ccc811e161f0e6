//! Traces as JSON documents: the inputs of a test.
//!
//! ```json
//! { "end": 50, "signals": { "v": [[0, 90], [10, "120.5"]], "gear4": [[0, false, true]] } }
//! ```
//! A point of a real signal is its time and value, and two points at one time are a jump; a step of a Boolean signal is its time, the
//! value at that time and the value after it; a value of an enumeration has its time and its name. Numbers that are not integers are strings, exact.

use serde_json::{Map, Value as Json};
use value::{RBig, Sort, Value};

use super::{SignalValue, Step, Trace};
use crate::number::{read_sample, write_number};
use crate::spec::{Shape, Signal, Spec};

/// The trace as a document.
pub fn to_json(spec: &Spec, trace: &Trace) -> Json {
    let mut signals = Map::new();
    for (signal, value) in spec.signals.iter().zip(&trace.signals) {
        let points: Vec<Json> = match value {
            SignalValue::Real(points) => {
                points.iter().map(|(time, value)| Json::Array(vec![number(time), number(value)])).collect()
            }
            SignalValue::Bool(steps) => {
                let step = |step: &Step| Json::Array(vec![number(&step.time), step.at.into(), step.after.into()]);
                steps.iter().map(step).collect()
            }
            SignalValue::Named(values) => {
                let Shape::Named(names) = &signal.shape else { unreachable!("a trace has the shapes of its signals") };
                let name = |value: &RBig| usize::try_from(value.numerator()).ok().and_then(|place| names.get(place));
                let word = |value: &RBig| name(value).expect("values are those of the enumeration").as_str().into();
                values.iter().map(|(time, value)| Json::Array(vec![number(time), word(value)])).collect()
            }
        };
        signals.insert(signal.name.clone(), Json::Array(points));
    }
    serde_json::json!({ "end": number(&trace.end), "signals": signals })
}

fn number(number: &RBig) -> Json {
    match number.denominator().is_one() {
        true => value::to_json(&Value::Real(number.clone())),
        false => Json::String(write_number(number)),
    }
}

/// The trace that a document writes.
///
/// # Errors
/// When the document is not a trace of these signals.
pub fn from_json(spec: &Spec, json: &Json) -> Result<Trace, String> {
    let object = json.as_object().ok_or("a test is an object with `end` and `signals`")?;
    let end = object.get("end").and_then(read_number).ok_or("`end` is not a number")?;
    let values = object.get("signals").and_then(Json::as_object).ok_or("`signals` is not an object")?;
    if let Some(name) = values.keys().find(|name| spec.signal(name).is_none()) {
        return Err(format!("the formula has no signal `{name}`"));
    }
    let mut signals = Vec::new();
    for signal in &spec.signals {
        let name = &signal.name;
        let points = values.get(name).ok_or_else(|| format!("the signal `{name}` is missing"))?;
        let points = points.as_array().ok_or_else(|| format!("the signal `{name}` is not a list"))?;
        let wrong = || format!("a point of the signal `{name}` is malformed");
        let value = match &signal.shape {
            _ if signal.sort == Sort::Bool => {
                SignalValue::Bool(points.iter().map(read_step).collect::<Option<_>>().ok_or_else(wrong)?)
            }
            Shape::Named(names) => {
                let read = |point: &Json| read_named(point, names);
                SignalValue::Named(points.iter().map(read).collect::<Option<_>>().ok_or_else(wrong)?)
            }
            Shape::Straight | Shape::Steps => {
                SignalValue::Real(points.iter().map(read_point).collect::<Option<_>>().ok_or_else(wrong)?)
            }
        };
        check_times(name, &value)?;
        check_steps(signal, &value)?;
        signals.push(value);
    }
    Ok(Trace { signals, end })
}

fn check_times(name: &str, value: &SignalValue) -> Result<(), String> {
    let times: Vec<&RBig> = value.times().collect();
    // Two points of a real signal may have one time, which is then a jump; there is none at the beginning.
    let jumps = matches!(value, SignalValue::Real(_));
    let increase = times.windows(2).all(|pair| pair[0] < pair[1] || jumps && pair[0] == pair[1])
        && times.windows(3).all(|three| three[0] < three[2])
        && times.get(1).is_none_or(|second| !second.is_zero());
    match times.first() {
        Some(first) if first.is_zero() && increase => Ok(()),
        Some(first) if first.is_zero() => Err(format!("the times of the signal `{name}` do not increase")),
        _ => Err(format!("the signal `{name}` does not start at time 0")),
    }
}

/// That a signal that keeps its values has no slope.
fn check_steps(signal: &Signal, value: &SignalValue) -> Result<(), String> {
    match value {
        SignalValue::Real(points) if signal.shape == Shape::Steps => {
            let level = |pair: &[(RBig, RBig)]| pair[0].0 == pair[1].0 || pair[0].1 == pair[1].1;
            match points.windows(2).all(level) {
                true => Ok(()),
                false => Err(format!("the signal `{}` has steps, but a slope is given", signal.name)),
            }
        }
        SignalValue::Real(_) | SignalValue::Bool(_) | SignalValue::Named(_) => Ok(()),
    }
}

fn read_named(json: &Json, names: &[String]) -> Option<(RBig, RBig)> {
    let [time, value] = json.as_array()?.as_slice() else { return None };
    let place = names.iter().position(|name| Some(name.as_str()) == value.as_str())?;
    Some((read_number(time)?, RBig::from(place)))
}

fn read_point(json: &Json) -> Option<(RBig, RBig)> {
    let [time, value] = json.as_array()?.as_slice() else { return None };
    Some((read_number(time)?, read_number(value)?))
}

fn read_step(json: &Json) -> Option<Step> {
    let [time, at, after] = json.as_array()?.as_slice() else { return None };
    Some(Step { time: read_number(time)?, at: at.as_bool()?, after: after.as_bool()? })
}

fn read_number(json: &Json) -> Option<RBig> {
    match json {
        Json::Number(number) => read_sample(&number.to_string()),
        Json::String(text) => read_sample(text),
        Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}
