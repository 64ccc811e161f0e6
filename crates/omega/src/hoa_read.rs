//! Reads automata in the Hanoi omega-automata format: version 1, one initial state, labels on edges, generalised Büchi
//! acceptance. What is known of the format but not handled is said, not skipped.

use crate::automaton::{Automaton, Edge};
use crate::bdd::{Bdd, Bdds};
use crate::formulas::Formulas;

/// Reads an automaton; its propositions become atoms of `formulas`.
///
/// # Errors
/// What is wrong with the text, or not supported, in words.
pub fn from_hoa(text: &str, formulas: &mut Formulas) -> Result<Automaton, String> {
    let words = words(text)?;
    let mut reader = Reader { words: &words, place: 0 };
    if reader.next() != Some("HOA:") || reader.next() != Some("v1") {
        return Err("an automaton begins with `HOA: v1`".to_owned());
    }
    let (mut states, mut start, mut marks) = (None, None, None);
    let mut atoms = Vec::new();
    loop {
        let item = reader.next().ok_or("the body is missing")?;
        match item {
            "--BODY--" => break,
            "States:" => states = Some(reader.number()?),
            "Start:" => {
                if start.replace(reader.number()?).is_some() || reader.peek() == Some("&") {
                    return Err("one initial state is supported".to_owned());
                }
            }
            "AP:" => {
                let count = reader.number()?;
                for _ in 0..count {
                    let name =
                        reader.next().and_then(|word| word.strip_prefix('"')).ok_or("a proposition is quoted")?;
                    let name = name.replace("\\\"", "\"");
                    atoms.push(formulas.atom_id(&name));
                }
            }
            "Acceptance:" => {
                let count = reader.number()?;
                let mut condition = Vec::new();
                while let Some(word) = reader.peek().filter(|word| !word.ends_with(':') && *word != "--BODY--") {
                    condition.push(word);
                    reader.place += 1;
                }
                let wanted: Vec<String> = (0..count).map(|mark| format!("Inf({mark})")).collect();
                let wanted = if count == 0 { "t".to_owned() } else { wanted.join("&") };
                let given: String = condition.concat().replace(['(', ')'], "");
                if given != wanted.replace(['(', ')'], "") {
                    return Err(format!(
                        "the acceptance `{}` is not a generalised Büchi condition",
                        condition.join(" ")
                    ));
                }
                marks = Some(u32::try_from(count).ok().filter(|count| *count <= 64).ok_or("at most 64 marks")?);
            }
            other if other.ends_with(':') => {
                if other.starts_with(|c: char| c.is_ascii_uppercase()) {
                    return Err(format!("the header item `{other}` is not supported"));
                }
                while reader.peek().is_some_and(|word| !word.ends_with(':') && word != "--BODY--") {
                    reader.place += 1;
                }
            }
            other => return Err(format!("a header item is expected, `{other}` is found")),
        }
    }
    let marks = marks.ok_or("`Acceptance:` is missing")?;
    let mut bdds = Bdds::new(1 << 24, None);
    let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); states.unwrap_or(0)];
    let mut current: Option<(usize, u64)> = None;
    loop {
        match reader.next().ok_or("`--END--` is missing")? {
            "--END--" => break,
            "State:" => {
                if reader.peek() == Some("[") {
                    return Err("labels of states are not supported".to_owned());
                }
                let state = reader.number()?;
                if reader.peek().is_some_and(|word| word.starts_with('"')) {
                    reader.place += 1;
                }
                current = Some((state, reader.marks(marks)?));
                if edges.len() <= state {
                    if 1_000_000 < state {
                        return Err(format!("the number of state {state} is too large"));
                    }
                    edges.resize(state + 1, Vec::new());
                }
            }
            "[" => {
                let guard = reader.label(&mut bdds, atoms.len() as u32)?;
                let target = reader.number()?;
                let (state, own) = current.ok_or("an edge stands before the first state")?;
                let marks = reader.marks(marks)? | own;
                edges[state].push(Edge { guard, marks, target });
            }
            other => return Err(format!("a state or an edge with a label is expected, `{other}` is found")),
        }
    }
    bdds.sound(()).ok_or("the labels are too large")?;
    let count = edges.len();
    if edges.iter().flatten().any(|edge| count <= edge.target) || count == 0 {
        return Err("an edge leads to a state that is not there".to_owned());
    }
    // State 0 is initial.
    let start = start.ok_or("`Start:` is missing")?;
    if count <= start {
        return Err("the initial state is not there".to_owned());
    }
    let swap = |state: usize| match state {
        0 => start,
        state if state == start => 0,
        state => state,
    };
    edges.swap(0, start);
    for edge in edges.iter_mut().flatten() {
        edge.target = swap(edge.target);
    }
    Ok(Automaton { bdds, atoms, marks, edges })
}

struct Reader<'a> {
    words: &'a [String],
    place: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.place).map(String::as_str)
    }

    fn next(&mut self) -> Option<&'a str> {
        self.place += 1;
        self.words.get(self.place - 1).map(String::as_str)
    }

    fn number(&mut self) -> Result<usize, String> {
        let word = self.next().ok_or("a number is missing")?;
        word.parse().map_err(|_| format!("a number is expected, `{word}` is found"))
    }

    fn marks(&mut self, count: u32) -> Result<u64, String> {
        let mut marks = 0;
        if self.peek() == Some("{") {
            self.place += 1;
            while self.peek() != Some("}") {
                let mark = self.number()?;
                if count as usize <= mark {
                    return Err(format!("unknown mark {mark}"));
                }
                marks |= 1 << mark;
            }
            self.place += 1;
        }
        Ok(marks)
    }

    /// A label: `!`, `&`, `|`, parentheses, `t`, `f` and numbers of propositions, up to `]`.
    fn label(&mut self, bdds: &mut Bdds, count: u32) -> Result<Bdd, String> {
        // Values and the operators that wait for them: `|` binds loosest.
        let mut values: Vec<Bdd> = Vec::new();
        let mut waiting: Vec<&str> = Vec::new();
        let mut wants_value = true;
        loop {
            let word = self.next().ok_or("a label is not closed")?;
            if wants_value {
                match word {
                    "!" | "(" => {
                        waiting.push(word);
                        continue;
                    }
                    "t" => values.push(Bdd::TRUE),
                    "f" => values.push(Bdd::FALSE),
                    number => {
                        let place: u32 =
                            number.parse().map_err(|_| format!("`{number}` in a label is not supported"))?;
                        if count <= place {
                            return Err(format!("unknown proposition {place}"));
                        }
                        values.push(bdds.variable(place));
                    }
                }
                wants_value = false;
                apply(bdds, &mut values, &mut waiting, "!");
                continue;
            }
            match word {
                "&" => {
                    apply(bdds, &mut values, &mut waiting, "&");
                    waiting.push("&");
                    wants_value = true;
                }
                "|" => {
                    apply(bdds, &mut values, &mut waiting, "|");
                    waiting.push("|");
                    wants_value = true;
                }
                ")" => {
                    apply(bdds, &mut values, &mut waiting, "|");
                    if waiting.pop() != Some("(") {
                        return Err("a parenthesis is not opened".to_owned());
                    }
                    apply(bdds, &mut values, &mut waiting, "!");
                }
                "]" => {
                    apply(bdds, &mut values, &mut waiting, "|");
                    if !waiting.is_empty() {
                        return Err("a parenthesis is not closed".to_owned());
                    }
                    return Ok(values.pop().expect("a value was read"));
                }
                other => return Err(format!("an operator is expected in a label, `{other}` is found")),
            }
        }
    }
}

/// Applies waiting operators that bind at least as tightly as the given one.
fn apply(bdds: &mut Bdds, values: &mut Vec<Bdd>, waiting: &mut Vec<&str>, loosest: &str) {
    let level = |word: &str| match word {
        "!" => 3,
        "&" => 2,
        "|" => 1,
        _ => 0,
    };
    while let Some(&word) = waiting.last() {
        if level(word) < level(loosest) || level(word) == 0 {
            return;
        }
        waiting.pop();
        let right = values.pop().expect("an operator has its values");
        let result = match word {
            "!" => bdds.not(right),
            "&" => {
                let left = values.pop().expect("an operator has its values");
                bdds.and(left, right)
            }
            _ => {
                let left = values.pop().expect("an operator has its values");
                bdds.or(left, right)
            }
        };
        values.push(result);
    }
}

/// The words of the format; texts keep their opening quote.
fn words(text: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            sign if sign.is_whitespace() => {}
            '"' => {
                let mut word = "\"".to_owned();
                loop {
                    match signs.next().ok_or("a text is not closed")? {
                        '"' => break,
                        '\\' => word.extend(signs.next()),
                        sign => word.push(sign),
                    }
                }
                found.push(word);
            }
            '/' if signs.peek() == Some(&'*') => {
                let mut last = ' ';
                loop {
                    let sign = signs.next().ok_or("a comment is not closed")?;
                    if last == '*' && sign == '/' {
                        break;
                    }
                    last = sign;
                }
            }
            '[' | ']' | '{' | '}' | '(' | ')' | '!' | '&' | '|' => found.push(sign.to_string()),
            sign => {
                let mut word = sign.to_string();
                while let Some(&next) = signs.peek() {
                    if next.is_whitespace() || "[]{}()!&|\"".contains(next) {
                        break;
                    }
                    word.push(next);
                    signs.next();
                }
                found.push(word);
            }
        }
    }
    Ok(found)
}
