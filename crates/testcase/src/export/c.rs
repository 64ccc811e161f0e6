//! A C11 header: a struct for inputs, one for expected outputs, and a table of tests.

use std::fmt::Write as _;

use value::{IBig, Sort, Value};

use super::name::{Rules, Scope, comment, stem};
use super::table::{typed, value_of};
use super::{ExportError, Extras, Format};
use crate::{Port, Suite, TestRecord};

static RULES: Rules = Rules {
    keywords: "alignas alignof asm auto bool break case catch char class const constexpr continue default delete do \
               double else enum errno explicit export extern false float for friend goto if inline int linux long \
               main mutable namespace new nullptr operator private protected public register restrict return short \
               signed sizeof static struct switch template this throw true try typedef typename typeof union unix \
               unsigned using virtual void volatile while NULL EOF",
};

/// The columns of one of the two structs.
struct Fields<'a> {
    ports: Vec<(&'a Port, String, String)>,
}

/// The enumerations declared so far: the sort, its tag, its enumerators.
type Enums = Vec<(Sort, String, Vec<String>)>;

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    let (inputs, outputs) = typed(suite, Format::C)?;
    let mut global = Scope::new(&RULES);
    let prefix = global.name(stem(&suite.source.file));
    let mut enums = Enums::new();
    let inputs = fields(inputs, &prefix, &mut global, &mut enums)?;
    let outputs = fields(outputs, &prefix, &mut global, &mut enums)?;
    let guard = format!("{}_TESTS_H", prefix.to_ascii_uppercase());
    let mut text = format!(
        "/* {} tests of {} ({}), drawn by specimen. Generated: do not edit. */\n#ifndef {guard}\n#define {guard}\n\n\
         #include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n",
        suite.tests.len(),
        comment(&suite.source.file),
        comment(&suite.criterion),
    );
    if [&inputs, &outputs].iter().any(|fields| fields.ports.iter().any(|(port, _, _)| port.sort == "Real")) {
        let _ = writeln!(text, "struct {prefix}_rational {{ int64_t numerator; int64_t denominator; }};\n");
    }
    for (_, tag, enumerators) in &enums {
        let _ = writeln!(text, "enum {tag} {{ {} }};\n", enumerators.join(", "));
    }
    write_struct(&mut text, &format!("{prefix}_inputs"), &inputs);
    write_struct(&mut text, &format!("{prefix}_expected"), &outputs);
    let _ = writeln!(
        text,
        "struct {prefix}_test {{\n    const char *id;\n    struct {prefix}_inputs inputs;\n    \
         struct {prefix}_expected expected;\n}};\n"
    );
    write_table(&mut text, suite, &prefix, [&inputs, &outputs], &enums)?;
    let _ = writeln!(text, "\n#endif /* {guard} */");
    Ok(text)
}

fn fields<'a>(
    ports: &'a [Port],
    prefix: &str,
    global: &mut Scope,
    enums: &mut Enums,
) -> Result<Fields<'a>, ExportError> {
    let mut scope = Scope::new(&RULES);
    let mut named = Vec::new();
    for port in ports {
        let field_type = type_of(port, prefix, global, enums)?;
        named.push((port, scope.name(&port.name), field_type));
    }
    Ok(Fields { ports: named })
}

fn type_of(port: &Port, prefix: &str, global: &mut Scope, enums: &mut Enums) -> Result<String, ExportError> {
    let sort = port.sort().ok_or_else(|| error(format!("`{}` has the sort {}", port.name, port.sort)))?;
    Ok(match &sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int64_t".to_owned(),
        Sort::Real => format!("struct {prefix}_rational"),
        Sort::BitVec(1..=8) => "uint8_t".to_owned(),
        Sort::BitVec(9..=16) => "uint16_t".to_owned(),
        Sort::BitVec(17..=32) => "uint32_t".to_owned(),
        Sort::BitVec(33..=64) => "uint64_t".to_owned(),
        Sort::BitVec(width) => return Err(error(format!("`{}` is {width} bits wide, C has 64", port.name))),
        Sort::Array(_) => return Err(error(format!("`{}` has the sort {}", port.name, port.sort))),
        Sort::Enum(_) => format!("enum {}", enum_tag(&sort, prefix, global, enums)),
    })
}

/// The tag of an enumeration, declared on first use. Enumerators share one scope in C and carry the tag.
fn enum_tag(sort: &Sort, prefix: &str, global: &mut Scope, enums: &mut Enums) -> String {
    if let Some((_, tag, _)) = enums.iter().find(|(known, _, _)| known == sort) {
        return tag.clone();
    }
    let Sort::Enum(definition) = sort else { unreachable!("only enumerations have a tag") };
    let tag = global.name(&format!("{prefix}_{}", definition.name));
    let enumerators = definition.variants.iter().map(|variant| global.name(&format!("{tag}_{variant}"))).collect();
    enums.push((sort.clone(), tag.clone(), enumerators));
    tag
}

fn write_struct(text: &mut String, tag: &str, fields: &Fields<'_>) {
    let _ = writeln!(text, "struct {tag} {{");
    for (port, name, field_type) in &fields.ports {
        let remark = if *name == port.name { String::new() } else { format!(" /* {} */", comment(&port.name)) };
        let _ = writeln!(text, "    {field_type} {name};{remark}");
    }
    if fields.ports.is_empty() {
        text.push_str("    char unused; /* C has no empty structs */\n");
    }
    text.push_str("};\n\n");
}

fn write_table(
    text: &mut String,
    suite: &Suite,
    prefix: &str,
    [inputs, outputs]: [&Fields<'_>; 2],
    enums: &Enums,
) -> Result<(), ExportError> {
    let length = suite.tests.len();
    let _ = writeln!(text, "enum {{ {prefix}_test_count = {length} }};\n");
    let _ = writeln!(text, "static const struct {prefix}_test {prefix}_tests[{}] = {{", length.max(1));
    for test in &suite.tests {
        let input = initialiser(inputs, test, |name| test.inputs.get(name), enums)?;
        let output = initialiser(outputs, test, |name| test.expected.get(name), enums)?;
        let _ = writeln!(text, "    {{ .id = {}, .inputs = {input}, .expected = {output} }},", quoted(&test.id));
    }
    if suite.tests.is_empty() {
        text.push_str("    { .id = \"\" }, /* C has no empty arrays */\n");
    }
    text.push_str("};\n");
    Ok(())
}

fn initialiser<'j>(
    fields: &Fields<'_>,
    test: &TestRecord,
    lookup: impl Fn(&str) -> Option<&'j serde_json::Value>,
    enums: &Enums,
) -> Result<String, ExportError> {
    let mut parts = Vec::new();
    for (port, name, _) in &fields.ports {
        let value = value_of(port, lookup(&port.name), test, Format::C)?;
        let literal = literal(&value, enums)
            .map_err(|problem| error(format!("in the test {}, `{}` is {value}: {problem}", test.id, port.name)))?;
        parts.push(format!(".{name} = {literal}"));
    }
    Ok(if parts.is_empty() { "{ 0 }".to_owned() } else { format!("{{ {} }}", parts.join(", ")) })
}

fn literal(value: &Value, enums: &Enums) -> Result<String, String> {
    match value {
        Value::Bool(truth) => Ok(truth.to_string()),
        Value::Int(number) => integer(number),
        Value::Real(number) => {
            let denominator = integer(&number.denominator().clone().into())?;
            Ok(format!("{{ {}, {denominator} }}", integer(number.numerator())?))
        }
        Value::BitVec(bits) => Ok(format!("UINT64_C(0x{})", bits.bits().in_radix(16))),
        Value::Enum(variant) => {
            let found = enums.iter().find(|(sort, _, _)| *sort == value.sort());
            let (_, _, enumerators) = found.expect("every enumeration of a port was declared");
            Ok(enumerators[variant.index as usize].clone())
        }
        Value::Array(_) => Err("C has no such constant".to_owned()),
    }
}

fn integer(number: &IBig) -> Result<String, String> {
    match i64::try_from(number) {
        Ok(i64::MIN) => Ok("INT64_MIN".to_owned()),
        Ok(small) if i32::try_from(small).is_ok() => Ok(small.to_string()),
        Ok(small) => Ok(format!("INT64_C({small})")),
        Err(_) => Err("it does not fit 64 bits".to_owned()),
    }
}

/// A C string literal in plain ASCII.
fn quoted(text: &str) -> String {
    let mut literal = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b' ' | b'_' | b'-' | b'.' | b'=' => literal.push(byte as char),
            other => {
                let _ = write!(literal, "\\{other:03o}");
            }
        }
    }
    literal.push('"');
    literal
}

fn error(problem: String) -> ExportError {
    ExportError { format: Format::C, problem }
}
