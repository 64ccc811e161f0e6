//! Tests of C programs in files: FShell's plain form, lines of settings, test cases of Test-Comp.

use c::interp::{
    Blind, InputRecord, InputValue, Inputs as Answers, Interpreter, Origin, RecordedInputs, Request, Settings,
};
use fql::output::read::{GivenTest, read as read_tests};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use source::Source;
use testcase::Inputs;

use super::CModel;
use crate::failure::{Failure, INVALID_TESTS};

/// The tests of a file.
pub(super) fn read(model: &CModel, file: &Source) -> Result<Vec<Inputs>, Failure> {
    let tests = read_tests(file.text())
        .map_err(|(line, problem)| Failure::Refused(&INVALID_TESTS, format!("{}:{line}: {problem}", file.name())))?;
    tests
        .into_iter()
        .map(|test| {
            given(model, test)
                .map_err(|problem| Failure::Refused(&INVALID_TESTS, format!("{}: {problem}", file.name())))
        })
        .collect()
}

fn given(model: &CModel, test: GivenTest) -> Result<Inputs, String> {
    match test {
        GivenTest::Named(pairs) => {
            let values = pairs.into_iter().map(|(name, text)| Ok((name, text.parse::<InputValue>()?)));
            Ok(document(values.collect::<Result<Vec<_>, String>>()?))
        }
        GivenTest::Document(inputs) => Ok(Inputs::Document(inputs)),
        GivenTest::Sequence(texts) => {
            let values = texts.iter().map(|text| text.parse::<InputValue>()).collect::<Result<Vec<_>, _>>()?;
            let mut answers = Sequence { values: values.into_iter(), rest: RecordedInputs::default() };
            let interpreter = Interpreter::new(&model.translation.program, Settings::default());
            let outcome = interpreter.run(model.entry, &mut answers, &mut Blind);
            Ok(of_records(&outcome.inputs))
        }
    }
}

/// The inputs that a run asked for, as a test.
pub(super) fn of_records(records: &[InputRecord]) -> Inputs {
    document(records.iter().map(|record| (record.name.clone(), record.value)).collect())
}

/// Values by name as a test.
pub(super) fn document(values: Vec<(String, InputValue)>) -> Inputs {
    let mut names: IndexMap<String, Vec<Json>> = IndexMap::new();
    for (name, value) in values {
        names.entry(name).or_default().push(to_json(value));
    }
    let one = |(name, mut list): (String, Vec<Json>)| match list.len() {
        1 => (name, list.remove(0)),
        _ => (name, Json::Array(list)),
    };
    Inputs::Document(Json::Object(names.into_iter().map(one).collect()))
}

fn to_json(value: InputValue) -> Json {
    match value {
        InputValue::Null => Json::Null,
        InputValue::Integer(number) if number.unsigned_abs() <= 1 << 53 => json!(number as i64),
        InputValue::Integer(_) | InputValue::Float(_) | InputValue::Object(_) | InputValue::Function(_) => {
            json!(value.to_string())
        }
    }
}

/// Answers calls of functions without a body one after the other, and everything else with zero.
struct Sequence {
    values: std::vec::IntoIter<InputValue>,
    rest: RecordedInputs,
}

impl Answers for Sequence {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        if !matches!(request.origin, Origin::Result(_)) {
            return self.rest.value(request);
        }
        match self.values.next() {
            Some(value) => {
                let mut one = RecordedInputs::default();
                one.push(request.name, value);
                one.value(request)
            }
            None => self.rest.value(request),
        }
    }
}
