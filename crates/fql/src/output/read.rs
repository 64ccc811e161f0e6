//! Reads tests of C programs: FShell's plain form, lines of settings, tables, and test cases of Test-Comp.

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
        return Ok(if text.contains("<testcase") { vec![GivenTest::Sequence(test_case(text))] } else { Vec::new() });
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
    let mut rows = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    let Some((_, head)) = rows.next() else { return Ok(Vec::new()) };
    let names = cells(head);
    let is_input = |name: &str| {
        let is_told = matches!(name, "test" | "covers" | "returns" | "exits" | "aborts" | "stops" | "cut" | "prints");
        !is_told && name != "steps" && !name.starts_with("expected ")
    };
    let mut tests = Vec::new();
    for (number, line) in rows {
        let values = cells(line);
        if values.len() != names.len() {
            return Err((number, format!("{} cells where the head has {}", values.len(), names.len())));
        }
        // Where tests have little in common, our own tables have one column for all inputs.
        let whole = names.iter().position(|name| name == "inputs").map(|at| &values[at]);
        if let Some(Ok(document)) = whole.map(|text| serde_json::from_str(text)) {
            tests.push(GivenTest::Document(document));
            continue;
        }
        let pairs = names.iter().zip(values).filter(|(name, value)| is_input(name) && !value.is_empty());
        let mut test = Vec::new();
        for (name, value) in pairs {
            // Several values of one name, in order: [1, 2].
            match value.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')) {
                Some(list) => test.extend(list.split(',').map(|one| (name.clone(), one.trim().to_owned()))),
                None => test.push((name.clone(), value)),
            }
        }
        tests.push(GivenTest::Named(test));
    }
    Ok(tests)
}

/// The cells of a row; quotes may stand around one, and two of them within it are one.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.trim_end().chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' if quoted && characters.next_if_eq(&'"').is_some() => {
                cells.last_mut().expect("there is always a cell").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            _ => cells.last_mut().expect("there is always a cell").push(character),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The values of a test case of Test-Comp.
fn test_case(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find("<input") {
        let Some(open) = rest[start..].find('>') else { break };
        let inner = &rest[start + open + 1..];
        let Some(end) = inner.find("</input>") else { break };
        values.push(inner[..end].trim().replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"));
        rest = &inner[end..];
    }
    values
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
    }
}
