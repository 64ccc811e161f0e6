//! Tests of action systems as documents: a trace of the model, and what to do at its end.

use serde_json::{Value as Json, json};

use crate::finding::{Difference, Kill, Seen};
use crate::spec::Spec;
use crate::trace::{Label, Step, read_label};

/// A test: follow the trace, then give the input if there is one, and watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The trace.
    pub trace: Vec<Seen>,
    /// The input at its end.
    pub then: Option<Label>,
}

/// How a document writes that nothing happens.
pub(crate) const SILENCE: &str = "(silence)";

impl Trial {
    /// The test that shows a finding.
    pub fn of(kill: &Kill, is_input: &dyn Fn(&Label) -> bool) -> Trial {
        let last = match &kill.difference {
            Difference::Step(step) => Some(&step.label),
            Difference::Observed(label) => Some(label),
            Difference::Initial(_) | Difference::Silence => None,
        };
        Trial { trace: kill.trace.clone(), then: last.filter(|label| is_input(label)).cloned() }
    }

    /// The document.
    pub fn to_json(&self) -> Json {
        let label = |seen: &Seen| match seen {
            Seen::Silence => SILENCE.to_owned(),
            Seen::Step(_) | Seen::Observed(_) => seen.to_string(),
        };
        let mut document = serde_json::Map::new();
        document.insert("trace".to_owned(), json!(self.trace.iter().map(label).collect::<Vec<_>>()));
        let states: Vec<String> = self
            .trace
            .iter()
            .filter_map(|seen| match seen {
                Seen::Step(step) => Some(step.post.iter().map(i64::to_string).collect::<Vec<_>>().join(" ")),
                Seen::Observed(_) | Seen::Silence => None,
            })
            .collect();
        if !states.is_empty() {
            document.insert("states".to_owned(), json!(states));
        }
        if let Some(then) = &self.then {
            document.insert("then".to_owned(), json!(then.to_string()));
        }
        Json::Object(document)
    }

    /// The test a document writes.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(spec: &Spec, json: &Json) -> Result<Trial, String> {
        let object = json.as_object().ok_or("a test is an object with a `trace`")?;
        if let Some(name) = object.keys().find(|name| !["trace", "states", "then"].contains(&name.as_str())) {
            return Err(format!("a test has no field `{name}`"));
        }
        let labels = texts(object.get("trace").ok_or("a test has a `trace`")?)?;
        let states = object.get("states").map(texts).transpose()?;
        if states.as_ref().is_some_and(|states| states.len() != labels.len()) {
            return Err("there are not as many states as labels".to_owned());
        }
        let mut trace = Vec::new();
        for (index, text) in labels.iter().enumerate() {
            trace.push(match (*text, &states) {
                (SILENCE, None) => Seen::Silence,
                (text, None) => Seen::Observed(known_label(spec, text)?),
                (text, Some(states)) => {
                    Seen::Step(Step { label: known_label(spec, text)?, post: state(spec, states[index])? })
                }
            });
        }
        let then = match object.get("then") {
            None => None,
            Some(Json::String(text)) => Some(known_label(spec, text)?),
            Some(_) => return Err("`then` is a label".to_owned()),
        };
        Ok(Trial { trace, then })
    }
}

fn texts(json: &Json) -> Result<Vec<&str>, String> {
    let list = json.as_array().ok_or("a list of texts is needed")?;
    list.iter().map(|item| item.as_str().ok_or_else(|| "a list of texts is needed".to_owned())).collect()
}

/// A label of the model.
///
/// # Errors
/// Why the text is none.
pub fn known_label(spec: &Spec, text: &str) -> Result<Label, String> {
    let label = read_label(text).ok_or_else(|| format!("`{text}` is not a label"))?;
    for event in &label.0 {
        let action = spec.action_named(&event.action).ok_or_else(|| format!("unknown action `{}`", event.action))?;
        let wanted = spec.actions()[action].parameters.len();
        if event.arguments.len() != wanted {
            return Err(format!("`{event}` has {} arguments, the action {wanted} parameters", event.arguments.len()));
        }
    }
    Ok(label)
}

fn state(spec: &Spec, text: &str) -> Result<Vec<i64>, String> {
    let wrong = || format!("`{text}` is not a state: {} numbers are needed", spec.slots().len());
    let numbers: Vec<i64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().map_err(|_| wrong())?;
    if numbers.len() == spec.slots().len() { Ok(numbers) } else { Err(wrong()) }
}
