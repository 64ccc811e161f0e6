//! Inputs of type `char` as text: characters and strings as C writes them.

use std::collections::BTreeMap;

use c::Program;
use c::interp::{InputRecord, InputValue};
use c::types::{IntegerKind, Type};
use indexmap::IndexMap;
use serde_json::{Map, Value as Json};

/// What the inputs of type `char` say: by name, `'q'` or, where a name is asked for several times, `"quit"`; and under `NAME[]`
/// the elements of an array from its first on. Nothing where no input is a character.
pub(super) fn texts(program: &Program, records: &[InputRecord]) -> Option<Json> {
    let mut named: IndexMap<&str, Vec<u8>> = IndexMap::new();
    let mut arrays: IndexMap<&str, BTreeMap<u64, u8>> = IndexMap::new();
    for record in records {
        let is_char = matches!(program.types.kind(record.ty), Type::Integer(IntegerKind::Char));
        let InputValue::Integer(value) = record.value else { continue };
        if !is_char {
            continue;
        }
        let byte = value as u8;
        named.entry(&record.name).or_default().push(byte);
        if let Some((array, index)) = element(&record.name) {
            arrays.entry(array).or_default().insert(index, byte);
        }
    }
    let mut texts = Map::new();
    for (name, bytes) in named {
        let text = if let [byte] = bytes[..] { character(byte) } else { string(&bytes) };
        texts.insert(name.to_owned(), Json::String(text));
    }
    for (array, elements) in arrays {
        let from_first = (0u64..).zip(&elements).take_while(|(at, (index, _))| at == *index);
        let bytes: Vec<u8> = from_first.map(|(_, (_, byte))| *byte).collect();
        if bytes.len() == elements.len() {
            texts.insert(format!("{array}[]"), Json::String(string(&bytes)));
        }
    }
    (!texts.is_empty()).then_some(Json::Object(texts))
}

/// The array and the index, if a name ends with one.
fn element(name: &str) -> Option<(&str, u64)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

fn character(byte: u8) -> String {
    format!("'{}'", escaped(byte, b'\'', None))
}

/// A string; zeros at its end are those that every string ends with.
fn string(bytes: &[u8]) -> String {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let one = |(at, byte): (usize, &u8)| escaped(*byte, b'"', bytes[..end].get(at + 1).copied());
    format!("\"{}\"", bytes[..end].iter().enumerate().map(one).collect::<String>())
}

/// A byte within quotes; what follows it must not become a part of it.
fn escaped(byte: u8, quote: u8, next: Option<u8>) -> String {
    match byte {
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\r' => "\\r".into(),
        b'\\' => "\\\\".into(),
        0 if !next.is_some_and(|next| next.is_ascii_digit()) => "\\0".into(),
        _ if byte == quote => format!("\\{}", char::from(byte)),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_as_c_writes_them() {
        assert_eq!(string(b"[n\0\0"), "\"[n\"");
        assert_eq!(string(b"a\0b\x001\"\\\x1b\n"), "\"a\\0b\\0001\\\"\\\\\\033\\n\"");
        assert_eq!(string(b"\0\0"), "\"\"");
        assert_eq!(character(b'\''), "'\\''");
        assert_eq!(character(0), "'\\0'");
        assert_eq!(character(0xe9), "'\\351'");
        assert_eq!(element("s[0].name[12]"), Some(("s[0].name", 12)));
        assert_eq!(element("s[0].name"), None);
    }
}
