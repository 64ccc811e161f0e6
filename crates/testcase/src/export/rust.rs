//! A Rust module: types for inputs and expected outputs, a table of tests, and a function that runs it.

use std::fmt::Write as _;

use value::{IBig, Sort, Value};

use super::name::{Rules, Scope, camel, comment};
use super::table::{typed, value_of};
use super::{ExportError, Extras, Format};
use crate::{Port, Suite, TestRecord};

static RULES: Rules = Rules {
    keywords: "Self abstract as async await become box break const continue crate do dyn else enum extern false \
               final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self \
               static struct super trait true try type typeof union unsafe unsized use virtual where while yield",
};

/// The enumerations: the sort, its type, its variants.
type Enums = Vec<(Sort, String, Vec<String>)>;

/// The fields of a struct: the port, the name, the type.
type Fields<'a> = Vec<(&'a Port, String, String)>;

const DERIVES: &str = "#[derive(Clone, Copy, Debug, PartialEq, Eq)]";

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let (inputs, outputs) = typed(suite, Format::Rust)?;
    let mut types = Scope::new(&RULES);
    for taken in ["Inputs", "Expected", "Rational", "TESTS"] {
        types.name(taken);
    }
    let mut enums = Enums::new();
    let inputs = fields(inputs, &mut types, &mut enums)?;
    let outputs = fields(outputs, &mut types, &mut enums)?;
    let mut text = format!(
        "//! {} tests of {} ({}), drawn by specimen. Generated: do not edit.\n//!\n\
         //! Call [`check`] from a test with a function that runs what is tested.\n\n\
         #![allow(dead_code, non_camel_case_types, non_snake_case)]\n\n",
        suite.tests.len(),
        comment(&suite.source.file),
        comment(&suite.criterion),
    );
    if inputs.iter().chain(&outputs).any(|(port, _, _)| port.sort == "Real") {
        let _ = writeln!(
            text,
            "/// An exact number, in lowest terms.\n{DERIVES}\npub struct Rational {{\n    pub numerator: i128,\n    \
             pub denominator: i128,\n}}\n"
        );
    }
    for (sort, name, variants) in &enums {
        let _ = writeln!(text, "/// {}\n{DERIVES}", comment(&sort.to_string()));
        let _ = writeln!(text, "pub enum {name} {{\n    {},\n}}\n", variants.join(",\n    "));
    }
    write_struct(&mut text, "Inputs", "What a test sets.", &inputs);
    write_struct(&mut text, "Expected", "What a test expects.", &outputs);
    text.push_str(
        "/// The tests: name, inputs, expected outputs.\npub const TESTS: &[(&str, Inputs, Expected)] = &[\n",
    );
    for test in &suite.tests {
        let input = expression("Inputs", &inputs, test, |name| test.inputs.get(name), &enums)?;
        let output = expression("Expected", &outputs, test, |name| test.expected.get(name), &enums)?;
        let _ = writeln!(text, "    ({:?}, {input}, {output}),", test.id);
    }
    text.push_str(
        "];\n\n/// Runs every test and fails with the names of those whose outputs differ.\n\
         pub fn check(subject: impl Fn(&Inputs) -> Expected) {\n    let mut failures = Vec::new();\n    \
         for (name, inputs, expected) in TESTS {\n        let found = subject(inputs);\n        \
         if found != *expected {\n            failures.push(format!(\"{name}: {inputs:?} gives {found:?}, expected {expected:?}\"));\n        \
         }\n    }\n    assert!(failures.is_empty(), \"{}\", failures.join(\"\\n\"));\n}\n",
    );
    Ok(text)
}

fn fields<'a>(ports: &'a [Port], types: &mut Scope, enums: &mut Enums) -> Result<Fields<'a>, ExportError> {
    let mut scope = Scope::new(&RULES);
    ports.iter().map(|port| Ok((port, scope.name(&port.name), type_of(port, types, enums)?))).collect()
}

fn type_of(port: &Port, types: &mut Scope, enums: &mut Enums) -> Result<String, ExportError> {
    let sort = port.sort().ok_or_else(|| error(format!("`{}` has the sort {}", port.name, port.sort)))?;
    Ok(match &sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "i128".to_owned(),
        Sort::Real => "Rational".to_owned(),
        Sort::BitVec(1..=8) => "u8".to_owned(),
        Sort::BitVec(9..=16) => "u16".to_owned(),
        Sort::BitVec(17..=32) => "u32".to_owned(),
        Sort::BitVec(33..=64) => "u64".to_owned(),
        Sort::BitVec(65..=128) => "u128".to_owned(),
        Sort::BitVec(width) => return Err(error(format!("`{}` is {width} bits wide, Rust has 128", port.name))),
        Sort::Array(_) => return Err(error(format!("`{}` has the sort {}", port.name, port.sort))),
        Sort::Enum(definition) => {
            if let Some((_, name, _)) = enums.iter().find(|(known, _, _)| *known == sort) {
                return Ok(name.clone());
            }
            let name = types.name(&camel(&definition.name));
            let mut scope = Scope::new(&RULES);
            let variants = definition.variants.iter().map(|variant| scope.name(variant)).collect();
            enums.push((sort.clone(), name.clone(), variants));
            name
        }
    })
}

fn write_struct(text: &mut String, name: &str, words: &str, fields: &Fields<'_>) {
    let _ = writeln!(text, "/// {words}\n{DERIVES}\npub struct {name} {{");
    for (port, field, field_type) in fields {
        let _ = writeln!(text, "    /// `{}`\n    pub {field}: {field_type},", comment(&port.name));
    }
    text.push_str("}\n\n");
}

fn expression<'j>(
    name: &str,
    fields: &Fields<'_>,
    test: &TestRecord,
    lookup: impl Fn(&str) -> Option<&'j serde_json::Value>,
    enums: &Enums,
) -> Result<String, ExportError> {
    let mut parts = Vec::new();
    for (port, field, _) in fields {
        let value = value_of(port, lookup(&port.name), test, Format::Rust)?;
        let literal = literal(&value, enums)
            .map_err(|problem| error(format!("in the test {}, `{}` is {value}: {problem}", test.id, port.name)))?;
        parts.push(format!("{field}: {literal}"));
    }
    Ok(if parts.is_empty() { format!("{name} {{}}") } else { format!("{name} {{ {} }}", parts.join(", ")) })
}

fn literal(value: &Value, enums: &Enums) -> Result<String, String> {
    match value {
        Value::Bool(truth) => Ok(truth.to_string()),
        Value::Int(number) => integer(number),
        Value::Real(number) => {
            let denominator = integer(&number.denominator().clone().into())?;
            Ok(format!("Rational {{ numerator: {}, denominator: {denominator} }}", integer(number.numerator())?))
        }
        Value::BitVec(bits) => Ok(format!("0x{}", bits.bits().in_radix(16))),
        Value::Enum(variant) => {
            let found = enums.iter().find(|(sort, _, _)| *sort == value.sort());
            let (_, name, variants) = found.expect("every enumeration of a port was declared");
            Ok(format!("{name}::{}", variants[variant.index as usize]))
        }
        Value::Array(_) => Err("Rust has no such constant".to_owned()),
    }
}

fn integer(number: &IBig) -> Result<String, String> {
    i128::try_from(number).map(|fits| fits.to_string()).map_err(|_| "it does not fit 128 bits".to_owned())
}

fn error(problem: String) -> ExportError {
    ExportError { format: Format::Rust, problem }
}
