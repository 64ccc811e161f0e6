//! A small regular expression matcher for the texts of edges: literals, `.`, classes, groups, `|`, `*`, `+`, `?`, `^`, `$`.
//!
//! Matching simulates all threads at once, so that no expression takes more than its length times that of the text.

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Regexp {
    program: Vec<Instruction>,
}

#[derive(Clone, Debug)]
enum Instruction {
    Any,
    Class(Vec<(char, char)>, bool),
    Start,
    End,
    Fork(usize, usize),
    Jump(usize),
    Accept,
}

/// The longest program.
const LONGEST: usize = 20_000;

impl Regexp {
    /// Reads an expression.
    pub(crate) fn new(text: &str) -> Result<Regexp, String> {
        let mut reader = Reader { rest: text.chars().collect(), at: 0, depth: 0 };
        let mut program = reader.alternatives()?;
        if reader.at < reader.rest.len() {
            return Err("`)` closes nothing".into());
        }
        program.push(Instruction::Accept);
        if LONGEST < program.len() {
            return Err("it is too long".into());
        }
        Ok(Regexp { program })
    }

    /// Whether some part of the text matches.
    pub(crate) fn occurs_in(&self, text: &str) -> bool {
        let characters: Vec<char> = text.chars().collect();
        let mut active: Vec<usize> = Vec::new();
        for at in 0..=characters.len() {
            let mut seen = vec![false; self.program.len()];
            let mut threads: Vec<usize> = std::mem::take(&mut active);
            threads.push(0);
            let mut next = Vec::new();
            while let Some(here) = threads.pop() {
                if std::mem::replace(&mut seen[here], true) {
                    continue;
                }
                let consumes = |found: bool, next: &mut Vec<usize>| {
                    if found && at < characters.len() {
                        next.push(here + 1);
                    }
                };
                match &self.program[here] {
                    Instruction::Accept => return true,
                    Instruction::Jump(to) => threads.push(*to),
                    Instruction::Fork(one, other) => threads.extend([*one, *other]),
                    Instruction::Start if at == 0 => threads.push(here + 1),
                    Instruction::End if at == characters.len() => threads.push(here + 1),
                    Instruction::Start | Instruction::End => {}
                    Instruction::Any => consumes(true, &mut next),
                    Instruction::Class(ranges, inside) => {
                        let found = characters
                            .get(at)
                            .is_some_and(|c| ranges.iter().any(|(low, high)| (low..=high).contains(&c)) == *inside);
                        consumes(found, &mut next);
                    }
                }
            }
            active = next;
        }
        false
    }
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    depth: u32,
}

impl Reader {
    fn alternatives(&mut self) -> Result<Vec<Instruction>, String> {
        let mut left = self.sequence()?;
        while self.accept('|') {
            let right = self.sequence()?;
            let mut both = vec![Instruction::Fork(1, left.len() + 2)];
            let end = left.len() + right.len() + 2;
            both.extend(shifted(left, 1));
            both.push(Instruction::Jump(end));
            let at = both.len();
            both.extend(shifted(right, at));
            left = both;
        }
        Ok(left)
    }

    fn sequence(&mut self) -> Result<Vec<Instruction>, String> {
        let mut whole = Vec::new();
        while let Some(next) = self.rest.get(self.at).copied() {
            if next == '|' || next == ')' {
                break;
            }
            let item = self.item()?;
            let at = whole.len();
            whole.extend(shifted(item, at));
            if LONGEST < whole.len() {
                return Err("it is too long".into());
            }
        }
        Ok(whole)
    }

    fn item(&mut self) -> Result<Vec<Instruction>, String> {
        let mut item = self.atom()?;
        while let Some(sign @ ('*' | '+' | '?')) = self.rest.get(self.at).copied() {
            self.at += 1;
            let length = item.len();
            item = match sign {
                '?' => std::iter::once(Instruction::Fork(1, length + 1)).chain(shifted(item, 1)).collect(),
                '*' => {
                    let head = std::iter::once(Instruction::Fork(1, length + 2));
                    head.chain(shifted(item, 1)).chain([Instruction::Jump(0)]).collect()
                }
                _ => item.into_iter().chain([Instruction::Fork(0, length + 1)]).collect(),
            };
        }
        Ok(item)
    }

    fn atom(&mut self) -> Result<Vec<Instruction>, String> {
        let next = self.rest[self.at];
        self.at += 1;
        let one = |c: char| Ok(vec![Instruction::Class(vec![(c, c)], true)]);
        match next {
            '.' => Ok(vec![Instruction::Any]),
            '^' => Ok(vec![Instruction::Start]),
            '$' => Ok(vec![Instruction::End]),
            '(' => {
                self.depth += 1;
                if 100 < self.depth {
                    return Err("it is nested too deeply".into());
                }
                let inner = self.alternatives()?;
                self.depth -= 1;
                if self.accept(')') { Ok(inner) } else { Err("`(` is never closed".into()) }
            }
            '[' => self.class(),
            '*' | '+' | '?' => Err(format!("`{next}` repeats nothing")),
            '\\' => {
                let escaped = self.rest.get(self.at).copied().ok_or("it ends in a backslash")?;
                self.at += 1;
                match escaped {
                    'd' => Ok(vec![Instruction::Class(vec![('0', '9')], true)]),
                    's' => Ok(vec![Instruction::Class(vec![(' ', ' '), ('\t', '\r')], true)]),
                    'w' => Ok(vec![Instruction::Class(vec![('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')], true)]),
                    'a'..='z' | 'A'..='Z' | '0'..='9' => Err(format!("`\\{escaped}` is not known")),
                    _ => one(escaped),
                }
            }
            _ => one(next),
        }
    }

    fn class(&mut self) -> Result<Vec<Instruction>, String> {
        let inside = !self.accept('^');
        let mut ranges = Vec::new();
        loop {
            let mut low = self.rest.get(self.at).copied().ok_or("`[` is never closed")?;
            self.at += 1;
            if low == ']' && !ranges.is_empty() {
                return Ok(vec![Instruction::Class(ranges, inside)]);
            }
            if low == '\\' {
                low = self.rest.get(self.at).copied().ok_or("`[` is never closed")?;
                self.at += 1;
            }
            let range = self.rest.get(self.at) == Some(&'-') && self.rest.get(self.at + 1).is_some_and(|c| *c != ']');
            let high = if range { self.rest[self.at + 1] } else { low };
            self.at += if range { 2 } else { 0 };
            ranges.push((low, high));
        }
    }

    fn accept(&mut self, c: char) -> bool {
        let found = self.rest.get(self.at) == Some(&c);
        self.at += usize::from(found);
        found
    }
}

fn shifted(program: Vec<Instruction>, by: usize) -> impl Iterator<Item = Instruction> {
    program.into_iter().map(move |instruction| match instruction {
        Instruction::Fork(one, other) => Instruction::Fork(one + by, other + by),
        Instruction::Jump(to) => Instruction::Jump(to + by),
        Instruction::Any | Instruction::Class(..) | Instruction::Start | Instruction::End | Instruction::Accept => {
            instruction
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_occur_where_they_should() {
        let check = |expression: &str, yes: &[&str], no: &[&str]| {
            let regexp = Regexp::new(expression).expect(expression);
            yes.iter().for_each(|text| assert!(regexp.occurs_in(text), "{expression} in {text}"));
            no.iter().for_each(|text| assert!(!regexp.occurs_in(text), "{expression} in {text}"));
        };
        check("ab*c", &["xxacx", "abbbc"], &["abb", "a"]);
        check("^(a|bc)+$", &["abca", "bc"], &["", "ab", "xa"]);
        check(r"\w+ = [^0-9]?;", &["x = ;", "y_1 = b;"], &["x = 1;"]);
        check("a.?[x\\-z]", &["a-", "abz"], &["a", "aby"]);
        check("", &["", "x"], &[]);
        check("(a*)*b", &[&("a".repeat(500) + "b")], &[&"a".repeat(500)]);
    }

    #[test]
    fn what_is_no_expression_is_said() {
        for (text, expected) in [
            ("(a", "`(` is never closed"),
            ("a)", "`)` closes nothing"),
            ("*", "`*` repeats nothing"),
            ("[a", "`[` is never closed"),
        ] {
            assert_eq!(Regexp::new(text).expect_err(text), expected);
        }
    }
}
