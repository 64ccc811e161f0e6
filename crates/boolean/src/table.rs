//! Tables of tests: a header of variable names, then one test a line, fields separated by commas.

use serde_json::Value as Json;
use source::{Diagnostic, Source, Span};
use testcase::export::unguarded;
use value::{Sort, Value, from_json, from_text, to_json};

use crate::interp::Assignment;
use crate::operators::sort_text;
use crate::parse::ERROR_LIMIT;
use crate::{Spec, codes};
use source::nearest;

/// The tests of a table, in order. Columns that are not variables of the specification are ignored.
///
/// # Errors
/// When a variable has no column or two, a line has not as many fields as the header, or a field is not a value of
/// its variable's sort.
pub fn read_table(source: &Source, spec: &Spec) -> Result<Vec<Assignment>, Vec<Diagnostic>> {
    let records = records(source)?;
    let Some((header, rows)) = records.split_first() else {
        let message = "the table is empty; it begins with a line of variable names";
        return Err(vec![Diagnostic::error(&codes::TABLE, Span::new(0, 0), message)]);
    };
    let columns = columns(header, spec)?;
    let mut errors = Vec::new();
    let mut tests = Vec::new();
    for row in rows {
        if ERROR_LIMIT <= errors.len() {
            break;
        }
        if row.len() != header.len() {
            let message = format!("this line has {} fields, the header {}", row.len(), header.len());
            errors.push(Diagnostic::error(&codes::TABLE, row[0].span.join(row[row.len() - 1].span), message));
            continue;
        }
        let mut test = Vec::with_capacity(columns.len());
        for (variable, &column) in spec.variables.iter().zip(&columns) {
            match value(&variable.sort, unguarded(row[column].text.trim())) {
                Some(value) => test.push(value),
                None => {
                    let text = row[column].text.trim();
                    let message = format!(
                        "`{text}` is not a value of `{}`, which is of sort {}",
                        variable.name,
                        sort_text(&variable.sort)
                    );
                    errors.push(Diagnostic::error(&codes::TABLE, row[column].span, message));
                }
            }
        }
        tests.push(test);
    }
    errors.truncate(ERROR_LIMIT);
    if errors.is_empty() { Ok(tests) } else { Err(errors) }
}

/// The table of tests: what [`read_table`] reads.
pub fn write_table(spec: &Spec, tests: &[Assignment]) -> String {
    let mut text = String::new();
    let names: Vec<String> = spec.variables.iter().map(|variable| quoted(&variable.name)).collect();
    text.push_str(&names.join(","));
    text.push('\n');
    for test in tests {
        let fields: Vec<String> = test.iter().map(|value| quoted(&field(value))).collect();
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// Arrays are written as JSON, everything else as people write it.
fn field(value: &Value) -> String {
    match value {
        Value::Array(_) => to_json(value).to_string(),
        Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::BitVec(_) | Value::Enum(_) => value.to_string(),
    }
}

fn value(sort: &Sort, text: &str) -> Option<Value> {
    match sort {
        Sort::Array(_) => from_json(sort, &serde_json::from_str::<Json>(text).ok()?).ok(),
        Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Enum(_) => from_text(sort, text).ok(),
    }
}

fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && !text.contains([',', '"', '\n', '\r']) && text.trim() == text;
    if plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

/// The column of every variable.
fn columns(header: &[Field], spec: &Spec) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut columns = Vec::new();
    for variable in &spec.variables {
        let mut named = (0..header.len()).filter(|&column| unguarded(header[column].text.trim()) == variable.name);
        match (named.next(), named.next()) {
            (Some(column), None) => columns.push(column),
            (Some(_), Some(second)) => {
                let message = format!("two columns are called `{}`", variable.name);
                errors.push(Diagnostic::error(&codes::TABLE, header[second].span, message));
            }
            (None, _) => {
                let span = header[0].span.join(header[header.len() - 1].span);
                let message = format!("missing column for the input `{}`", variable.name);
                let error = Diagnostic::error(&codes::TABLE, span, message);
                errors.push(match nearest(&variable.name, header.iter().map(|field| field.text.trim())) {
                    Some(near) => error.help(format!("Is it the column `{near}`?")),
                    None => error,
                });
            }
        }
    }
    errors.truncate(ERROR_LIMIT);
    if errors.is_empty() { Ok(columns) } else { Err(errors) }
}

struct Field {
    text: String,
    span: Span,
}

/// Whether a text is a number with a decimal comma.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    text.split_once(',').is_some_and(|(whole, part)| digits(whole) && digits(part))
}

/// The lines of a table that are not blank, as fields. A field in quotes may hold commas, line breaks and doubled quotes.
fn records(source: &Source) -> Result<Vec<Vec<Field>>, Vec<Diagnostic>> {
    let text = source.text();
    let bytes = text.as_bytes();
    let mut records = Vec::new();
    let mut record = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    // Spreadsheets in countries with a decimal comma separate fields by semicolons.
    let head = text.lines().next().unwrap_or_default();
    let separator = if head.contains(';') && !head.contains(',') { ';' } else { ',' };
    loop {
        let start = at;
        let mut field = String::new();
        let blanks = bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if bytes.get(at + blanks) == Some(&b'"') {
            let open = at + blanks;
            at = open + 1;
            loop {
                let Some(length) = text[at..].find('"') else {
                    let error =
                        Diagnostic::error(&codes::TABLE, Span::new(open, open + 1), "this quote is never closed");
                    return Err(vec![error]);
                };
                field.push_str(&text[at..at + length]);
                at += length + 1;
                if bytes.get(at) != Some(&b'"') {
                    break;
                }
                field.push('"');
                at += 1;
            }
        }
        let length = text[at..].find([separator, '\n']).unwrap_or(text.len() - at);
        field.push_str(text[at..at + length].trim_end_matches('\r'));
        at += length;
        if separator == ';' && is_decimal(field.trim()) {
            field = field.replace(',', ".");
        }
        record.push(Field { text: field, span: Span::new(start, at) });
        match bytes.get(at) {
            Some(&byte) if char::from(byte) == separator => at += 1,
            end => {
                if 1 < record.len() || !record[0].text.trim().is_empty() {
                    records.push(std::mem::take(&mut record));
                }
                record.clear();
                if end.is_none() {
                    return Ok(records);
                }
                at += 1;
            }
        }
    }
}
