//! JSON lines: an object with a time and values for each sample. Objects inside are looked into: `{"engine": {"rpm": 3}}` has the
//! column `engine.rpm`, and `rpm` where that is clear.

use serde_json::Value as Json;
use source::Span;
use value::RBig;

use super::{Kind, Problem, Recorded, Sample, missing};

/// The names of the time, where none is given.
const TIMES: [&str; 5] = ["time", "t", "Time", "timestamp", "Timestamp"];

/// The values of some columns. A line need not have all of them.
pub(crate) fn read_json_lines(text: &str, wanted: &[String], time_column: Option<&str>) -> Result<Recorded, Problem> {
    let mut recorded = Recorded::default();
    let mut seen: Vec<String> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = Span::new(start, start + line.trim_end().len());
        start += line.len();
        if line.trim().is_empty() {
            continue;
        }
        let json: Json = serde_json::from_str(line)
            .map_err(|error| Problem::new(Kind::Syntax, span, format!("this is not JSON: {error}")))?;
        let mut fields = Vec::new();
        flatten("", &json, &mut fields);
        let is_time = |name: &str| time_column.map_or_else(|| TIMES.contains(&name), |column| column == name);
        let Some(time) = fields.iter().find(|(name, _)| is_time(name)) else {
            let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            return Err(missing(time_column.unwrap_or("time"), &known, span));
        };
        let time = text_of(time.1).and_then(|text| stl::read_number(&text));
        let time = time.ok_or_else(|| Problem::new(Kind::Value, span, "the time is not a number"))?;
        if recorded.end.as_ref().is_some_and(|end: &RBig| time < *end) {
            return Err(Problem::new(Kind::Time, span, "the time lies before the one above"));
        }
        recorded.end = Some(time.clone());
        for (column, name) in wanted.iter().enumerate() {
            let suffix = format!(".{name}");
            let exact = fields.iter().find(|(known, _)| known == name);
            let found = exact.or_else(|| fields.iter().find(|(known, _)| known.ends_with(&suffix)));
            if let Some((_, value)) = found.filter(|(_, value)| !value.is_null()) {
                recorded.samples.push(Sample { time: time.clone(), column, text: text_of(value), span });
            }
        }
        for (name, _) in fields {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
    }
    let unseen = |column: &usize| !recorded.samples.iter().any(|sample| sample.column == *column);
    match (0..wanted.len()).find(unseen) {
        Some(column) => {
            let known: Vec<&str> = seen.iter().map(String::as_str).collect();
            Err(missing(&wanted[column], &known, Span::new(0, text.lines().next().map_or(0, str::len))))
        }
        None => Ok(recorded),
    }
}

fn text_of(json: &Json) -> Option<String> {
    match json {
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Number(_) => Some(json.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// The values of an object and of the objects in it; the parser limits how deep they nest.
fn flatten<'j>(prefix: &str, json: &'j Json, fields: &mut Vec<(String, &'j Json)>) {
    for (name, value) in json.as_object().into_iter().flatten() {
        let name = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            Json::Object(_) => flatten(&name, value, fields),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) | Json::Array(_) => {
                fields.push((name, value))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_values_have_names_of_their_own() {
        let text = "{\"t\": 0.5, \"engine\": {\"rpm\": 800}, \"on\": true}\n{\"t\": 1, \"on\": false}\n";
        let wanted = ["rpm".to_owned(), "on".to_owned()];
        let recorded = read_json_lines(text, &wanted, None).expect("JSON lines");
        let shown: Vec<(String, usize, Option<String>)> = (recorded.samples.into_iter())
            .map(|sample| (value::write_number(&sample.time), sample.column, sample.text))
            .collect();
        let at = |time: &str, column, text: &str| (time.to_owned(), column, Some(text.to_owned()));
        assert_eq!(shown, [at("0.5", 0, "800"), at("0.5", 1, "true"), at("1", 1, "false")]);
        let problem = read_json_lines(text, &["speed".to_owned()], None).expect_err("no such column");
        assert_eq!(problem.kind, Kind::Column);
        assert!(read_json_lines("{\"t\": 1}\n{\"t\": 0}\n", &[], None).is_err());
    }
}
