//! Reads tests of C programs: FShell's plain form, lines of settings, tables, and test cases of Test-Comp.

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::Event;
use serde_json::Value as Json;

/// A test that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenTest {
    /// Values by name, in order; a name may occur several times.
    Named(Vec<(String, String)>),
    /// Values in the order in which functions without a body return them.
    Sequence(Vec<String>),
    /// The inputs as a suite has them.
    Document(Json),
}

/// The tests in a text, or what is wrong and in which line.
///
/// # Errors
/// When a line is none of the forms.
pub fn read(text: &str) -> Result<Vec<GivenTest>, (usize, String)> {
    if text.trim_start().starts_with('<') {
        return Ok(test_case(text)?.map(GivenTest::Sequence).into_iter().collect());
    }
    if text.lines().any(|line| line.trim_end() == "IN:") {
        return Ok(plain(text));
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    match first {
        Some(head) if !head.contains('=') => table(text),
        Some(_) | None => settings(text),
    }
}

/// A table: names in the first row, a test in each further one. An empty cell is not a value; columns of what tests cover or what
/// is expected, as our own tables have them, are left out.
fn table(text: &str) -> Result<Vec<GivenTest>, (usize, String)> {
    let mut rows =
        csv::ReaderBuilder::new().comment(Some(b'#')).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let unreadable = |error: csv::Error| (error.position().map_or(1, |at| at.line() as usize), error.to_string());
    let names = rows.headers().map_err(unreadable)?.clone();
    let is_input = |name: &str| {
        let is_told = matches!(name, "test" | "covers" | "returns" | "exits" | "aborts" | "stops" | "cut" | "prints");
        !is_told && name != "steps" && !name.starts_with("expected ")
    };
    let mut tests = Vec::new();
    for row in rows.records() {
        let values = row.map_err(unreadable)?;
        if values.len() != names.len() {
            let line = values.position().map_or(1, |at| at.line() as usize);
            return Err((line, format!("{} cells where the head has {}", values.len(), names.len())));
        }
        // Where tests have little in common, our own tables have one column for all inputs.
        let whole = names.iter().position(|name| name == "inputs").map(|at| &values[at]);
        if let Some(Ok(document)) = whole.map(serde_json::from_str) {
            tests.push(GivenTest::Document(document));
            continue;
        }
        let pairs = names.iter().zip(&values).filter(|(name, value)| is_input(name) && !value.is_empty());
        let mut test = Vec::new();
        for (name, value) in pairs {
            // Several values of one name, in order: [1, 2].
            match value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
                Some(list) => test.extend(list.split(',').map(|one| (name.to_owned(), one.trim().to_owned()))),
                None => test.push((name.to_owned(), value.to_owned())),
            }
        }
        tests.push(GivenTest::Named(test));
    }
    Ok(tests)
}

/// The values of a test case of Test-Comp: none where the document is another one, such as the description of a suite.
fn test_case(text: &str) -> Result<Option<Vec<String>>, (usize, String)> {
    let mut reader = Reader::from_str(text);
    let mut is_test = false;
    let mut values = Vec::new();
    let mut value: Option<String> = None;
    loop {
        let event = reader.read_event().map_err(|error| (line(text, reader.error_position()), error.to_string()))?;
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "testcase" => is_test = true,
                "input" => value = Some(String::new()),
                _ => {}
            },
            Event::Empty(tag) if tag.local_name().as_ref() == "testcase" => is_test = true,
            Event::Empty(tag) if tag.local_name().as_ref() == "input" => values.push(String::new()),
            Event::Text(part) => value.iter_mut().for_each(|value| value.push_str(&part.xml10_content())),
            Event::CData(part) => value.iter_mut().for_each(|value| value.push_str(&part.xml10_content())),
            Event::GeneralRef(name) => {
                let known = match name.resolve_char_ref() {
                    Ok(Some(character)) => Some(character.to_string()),
                    Ok(None) | Err(_) => resolve_predefined_entity(&name.xml10_content()).map(str::to_owned),
                };
                let at = line(text, reader.buffer_position());
                let known = known.ok_or_else(|| (at, format!("`&{};` is not known", name.xml10_content())))?;
                value.iter_mut().for_each(|value| value.push_str(&known));
            }
            Event::End(tag) if tag.local_name().as_ref() == "input" => {
                values.extend(value.take().map(|value| value.trim().to_owned()));
            }
            Event::Eof if value.is_some() => {
                return Err((line(text, text.len() as u64), "`<input>` is not closed".into()));
            }
            Event::Eof => return Ok(is_test.then_some(values)),
            _ => {}
        }
    }
}

/// The line of a place in a text, counted from 1.
fn line(text: &str, at: u64) -> usize {
    let at = usize::try_from(at).unwrap_or(text.len()).min(text.len());
    1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
}

/// The plain form: `IN:` begins a test, other sections end it.
fn plain(text: &str) -> Vec<GivenTest> {
    let mut tests: Vec<Vec<(String, String)>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        let words = line.trim();
        if words == "IN:" {
            tests.push(Vec::new());
            inside = true;
            continue;
        }
        if words.ends_with(':') {
            inside = false;
        }
        if !inside || words.is_empty() || words.starts_with("ENTRY ") {
            continue;
        }
        if let (Some((head, value)), Some(test)) = (split(words), tests.last_mut()) {
            test.push((head, value));
        }
    }
    tests.into_iter().map(GivenTest::Named).collect()
}

/// `int x@[file bar.c line 1]=7` or `x=7`: the name and the value.
fn split(words: &str) -> Option<(String, String)> {
    let (head, value) = match words.split_once("@[") {
        Some((head, rest)) => (head.rsplit(' ').next()?, rest.split_once("]=")?.1),
        None => words.split_once('=')?,
    };
    Some((head.trim().to_owned(), value.trim().to_owned()))
}

/// One test per line: `x=1, y=2`; `#` starts a comment.
fn settings(text: &str) -> Result<Vec<GivenTest>, (usize, String)> {
    let mut tests = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let words = line.split('#').next().unwrap_or_default().trim();
        if words.is_empty() {
            continue;
        }
        let mut test = Vec::new();
        for part in words.split(',') {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| (number + 1, format!("expected NAME=VALUE, found `{}`", part.trim())))?;
            test.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        tests.push(GivenTest::Named(test));
    }
    Ok(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(pairs: &[(&str, &str)]) -> GivenTest {
        GivenTest::Named(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn all_forms_are_read() {
        let plain = "Test Suite 0:\nIN:\n  ENTRY foo(x,y)@[file bar.c line 1]\n  int x@[file bar.c line 1]=3\n  y=-7\n\nIN:\n  x=1\n\
                     Function calls:\n  f()@[file bar.c line 2]=1\n";
        assert_eq!(read(plain), Ok(vec![named(&[("x", "3"), ("y", "-7")]), named(&[("x", "1")])]));
        assert_eq!(
            read("# two\nx=1, A[0]=2\n\ny = null\n"),
            Ok(vec![named(&[("x", "1"), ("A[0]", "2")]), named(&[("y", "null")])])
        );
        assert_eq!(
            read("test,x,\"f()\",covers\nt1,1,\"[2, -3]\",g1 g2\nt2,,5,\n"),
            Ok(vec![named(&[("x", "1"), ("f()", "2"), ("f()", "-3")]), named(&[("f()", "5")])])
        );
        assert_eq!(
            read("test,inputs,expected cut,covers\nt1,\"{\"\"f()\"\":[1,7]}\",inputs,g1\n"),
            Ok(vec![GivenTest::Document(serde_json::json!({ "f()": [1, 7] }))])
        );
        assert_eq!(read("test,x,expected aborts,expected stops\nt1,2,true,\n"), Ok(vec![named(&[("x", "2")])]));
        assert_eq!(read("x,y\n1\n"), Err((2, "1 cells where the head has 2".into())));
        assert_eq!(read("x=1\nnonsense\n"), Err((2, "expected NAME=VALUE, found `nonsense`".into())));
        let xml = "<?xml version=\"1.0\"?><testcase>\n<input>1</input><input type=\"int\">-2</input></testcase>";
        assert_eq!(read(xml), Ok(vec![GivenTest::Sequence(vec!["1".into(), "-2".into()])]));
        assert_eq!(read("<test-metadata/>"), Ok(Vec::new()));
        let quoted = "test,x,note\nt1,2,\"two\nlines\"\nt2,3,one\n";
        assert_eq!(read(quoted).map(|tests| tests.len()), Ok(2));
    }

    #[test]
    fn test_cases_are_read_as_xml() {
        let sequence = |values: &[&str]| Ok(vec![GivenTest::Sequence(values.iter().map(|&v| v.to_owned()).collect())]);
        let xml = |inner: &str| read(&format!("<testcase>{inner}</testcase>"));
        assert_eq!(xml("<!-- <input>1</input> --><input>2</input>"), sequence(&["2"]));
        assert_eq!(
            xml("<input><![CDATA[<3>]]></input><input variable='a>b'>&#x34; &amp; &#53;</input>"),
            sequence(&["<3>", "4 & 5"])
        );
        assert_eq!(xml("<input/><inputs>9</inputs>"), sequence(&[""]));
        assert_eq!(read("<!-- <testcase> --><metadata/>"), Ok(Vec::new()));
        assert_eq!(xml("\n<input>&what;</input>"), Err((2, "`&what;` is not known".into())));
        assert!(matches!(xml("<input>1"), Err((1, _))));
        assert!(matches!(read("<testcase><input>1"), Err((1, _))));
    }
}
