//! A pytest module: the tests as parameters of one test function.

use std::fmt::Write as _;

use serde_json::Value as Json;
use value::{Sort, Value};

use super::name::{Rules, Scope, camel, comment, stem};
use super::table::value_of;
use super::{ExportError, Extras, Format};
use crate::{Port, Suite, TestRecord};

static RULES: Rules = Rules {
    keywords: "False None True and as assert async await break class continue def del elif else except finally for \
               from global if import in is lambda nonlocal not or pass raise return try while with yield Enum \
               Fraction TESTS pytest",
};

/// The enumerations: the sort and the name of its class.
type Enums = Vec<(Sort, String)>;

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let mut scope = Scope::new(&RULES);
    let name = scope.name(stem(&suite.source.file));
    let mut enums = Enums::new();
    let ports = |suite: &Suite| suite.interface.clone().unwrap_or_default();
    let interface = ports(suite);
    for port in interface.inputs.iter().chain(&interface.outputs) {
        declare(port, &mut scope, &mut enums);
    }
    let mut text = format!(
        "\"\"\"{} tests of {} ({}), drawn by specimen. Generated: do not edit.\n\n\
         Define the fixture `subject` in conftest.py: a function from a dict of inputs to a dict of outputs.\n\"\"\"\n\n\
         from enum import Enum\nfrom fractions import Fraction\n\nimport pytest\n\n",
        suite.tests.len(),
        comment(&suite.source.file).replace('"', " "),
        comment(&suite.criterion).replace('"', " "),
    );
    for (sort, class) in &enums {
        let Sort::Enum(definition) = sort else { continue };
        let members: Vec<String> = definition.variants.iter().map(|variant| quoted(variant)).collect();
        let pairs = members.iter().map(|member| format!("({member}, {member})")).collect::<Vec<_>>().join(", ");
        let _ = writeln!(text, "{class} = Enum({}, [{pairs}])", quoted(class));
    }
    text.push_str("\nTESTS = [\n");
    for test in &suite.tests {
        let inputs = match (&suite.interface, &test.inputs) {
            (Some(interface), _) => dict(&interface.inputs, test, |name| test.inputs.get(name), &enums)?,
            (None, document) => plain(document),
        };
        let expected = match &suite.interface {
            Some(interface) => dict(&interface.outputs, test, |name| test.expected.get(name), &enums)?,
            None => plain(&Json::Object(test.expected.clone().into_iter().collect())),
        };
        let _ = writeln!(text, "    pytest.param({inputs}, {expected}, id={}),", quoted(&test.id));
    }
    let _ = writeln!(
        text,
        "]\n\n\n@pytest.mark.parametrize((\"inputs\", \"expected\"), TESTS)\n\
         def test_{name}(subject, inputs, expected):\n    assert subject(inputs) == expected"
    );
    Ok(text)
}

fn declare(port: &Port, scope: &mut Scope, enums: &mut Enums) {
    if let Some(sort @ Sort::Enum(_)) = port.sort()
        && !enums.iter().any(|(known, _)| *known == sort)
    {
        let class = scope.name(&camel(&port.sort));
        enums.push((sort, class));
    }
}

fn dict<'j>(
    ports: &[Port],
    test: &TestRecord,
    lookup: impl Fn(&str) -> Option<&'j Json>,
    enums: &Enums,
) -> Result<String, ExportError> {
    let mut parts = Vec::new();
    for port in ports {
        let json = lookup(&port.name);
        let literal = match (port.sort(), json) {
            // Arrays stay what they are in the suite: a default and entries.
            (None, Some(json)) => plain(json),
            _ => literal(&value_of(port, json, test, Format::Pytest)?, enums),
        };
        parts.push(format!("{}: {literal}", quoted(&port.name)));
    }
    Ok(format!("{{{}}}", parts.join(", ")))
}

fn literal(value: &Value, enums: &Enums) -> String {
    match value {
        Value::Bool(truth) => plain(&Json::Bool(*truth)),
        Value::Int(number) => number.to_string(),
        Value::Real(number) => format!("Fraction({}, {})", number.numerator(), number.denominator()),
        Value::BitVec(bits) => format!("0x{}", bits.bits().in_radix(16)),
        Value::Enum(variant) => {
            let (_, class) =
                enums.iter().find(|(sort, _)| *sort == value.sort()).expect("every enumeration of a port was declared");
            format!("{class}({})", quoted(variant.name()))
        }
        Value::Array(_) => plain(&value::to_json(value)),
    }
}

/// A JSON value as a Python literal.
fn plain(json: &Json) -> String {
    match json {
        Json::Null => "None".to_owned(),
        Json::Bool(true) => "True".to_owned(),
        Json::Bool(false) => "False".to_owned(),
        Json::Number(number) => number.to_string(),
        Json::String(text) => quoted(text),
        Json::Array(items) => format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", ")),
        Json::Object(map) => {
            let pairs = map.iter().map(|(name, value)| format!("{}: {}", quoted(name), plain(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
        }
    }
}

/// A Python string literal.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                literal.push('\\');
                literal.push(character);
            }
            ' '..='~' => literal.push(character),
            other => {
                let _ = write!(literal, "\\U{:08x}", other as u32);
            }
        }
    }
    literal.push('"');
    literal
}
