//! Random action systems, as texts, small enough for a test to go through all their states.

use std::fmt::Write;

use crate::Choices;

/// A random model in the notation of `.as` files: variables `x`, `y`, `z` from 0 to 3, sometimes an array, two to four
/// actions with up to two parameters.
pub fn model(choices: &mut Choices) -> String {
    let mut text = String::from("type T = 0..3;\ntype S = -1..1;\n");
    let array = choices.below(3) == 0;
    if array {
        text.push_str("type A = array 0..1 of T;\nvar c: A = [0, 1];\n");
    }
    text.push_str("var x, y: T = 0;\nvar z: S = 0;\n");
    let mut writer = Writer { choices, array, parameters: 0, local: false };
    let actions = 2 + writer.choices.below(3);
    let mut arities = Vec::new();
    for action in 0..actions {
        writer.parameters = if writer.choices.below(2) == 0 { 0 } else { 1 + writer.choices.below(2) };
        arities.push(writer.parameters);
        let names = ["", "(p)", "(p, q)"][writer.parameters];
        let guard = writer.condition(2);
        let body = writer.block(3);
        writeln!(text, "action a{action}{names} when {guard} {body}").expect("writing to a string never fails");
    }
    writer.choices.below(2).eq(&0).then(|| text.push_str("input a0;\n"));
    if writer.choices.below(4) == 0 {
        text.push_str("internal a1;\n");
    }
    let calls: Vec<String> = arities.iter().enumerate().map(|(action, arity)| writer.call(action, *arity)).collect();
    let mut joined = calls[0].clone();
    for call in &calls[1..] {
        let sign = match writer.choices.below(8) {
            0 => ">>",
            1 => ";",
            _ => "[]",
        };
        joined = format!("({joined}) {sign} {call}");
    }
    let extra = writer.choices.below(actions);
    let again = writer.call(extra, arities[extra]);
    writeln!(text, "do {joined} [] {again} od").expect("writing to a string never fails");
    text
}

struct Writer<'a> {
    choices: &'a mut Choices,
    array: bool,
    parameters: usize,
    /// Whether the local name `l` is known.
    local: bool,
}

impl Writer<'_> {
    fn call(&mut self, action: usize, arity: usize) -> String {
        let argument = |writer: &mut Self, name: &str| match writer.choices.below(4) {
            0 => (writer.choices.below(4).to_string(), None),
            1 => (name.to_owned(), Some(format!("{name}: S"))),
            _ => (name.to_owned(), Some(format!("{name}: T"))),
        };
        let mut arguments = Vec::new();
        let mut binders = Vec::new();
        for name in ["P", "Q"].iter().take(arity) {
            let (text, binder) = argument(self, name);
            arguments.push(text);
            binders.extend(binder);
        }
        let arguments = if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) };
        let binders = if binders.is_empty() { String::new() } else { format!(" for {}", binders.join(", ")) };
        format!("a{action}{arguments}{binders}")
    }

    fn block(&mut self, depth: usize) -> String {
        let statements: Vec<String> = (0..1 + self.choices.below(2)).map(|_| self.statement(depth)).collect();
        format!("{{ {} }}", statements.join("; "))
    }

    fn statement(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.assignment();
        }
        match self.choices.below(10) {
            8 => self.at_once(),
            9 if !self.local => {
                self.local = true;
                let text = match self.choices.below(2) {
                    0 => format!("any l: S {}", self.block(depth - 1)),
                    _ => format!("any l: T where {} {}", self.condition(1), self.block(depth - 1)),
                };
                self.local = false;
                text
            }
            0 => "skip".to_owned(),
            1 => format!("when {} {}", self.condition(1), self.block(depth - 1)),
            2 | 3 => format!("choose {} or {}", self.block(depth - 1), self.block(depth - 1)),
            4 => format!("try {} else {}", self.block(depth - 1), self.block(depth - 1)),
            _ => self.assignment(),
        }
    }

    /// Two assignments at once, to different variables.
    fn at_once(&mut self) -> String {
        let (one, two) = *self.choices.pick(&[("x", "y"), ("y", "z"), ("z", "x")]);
        let two =
            if self.array && self.choices.below(2) == 0 { format!("c[{}]", self.number(1)) } else { two.to_owned() };
        format!("{one}, {two} := {}, {}", self.number(1), self.number(1))
    }

    fn assignment(&mut self) -> String {
        if self.array && self.choices.below(3) == 0 {
            return format!("c[{}] := {}", self.number(1), self.number(1));
        }
        let target = *self.choices.pick(&["x", "y", "z"]);
        format!("{target} := {}", self.number(2))
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.choices.below(3) == 0 {
            let sign = *self.choices.pick(&["=", "!=", "<", "<=", ">", ">="]);
            return format!("{} {sign} {}", self.number(1), self.number(1));
        }
        let left = self.condition(depth - 1);
        if self.choices.below(6) == 0 {
            return format!("not ({left})");
        }
        let sign = *self.choices.pick(&["and", "and", "or", "or", "xor", "->", "<-", "<->"]);
        format!("({left}) {sign} ({})", self.condition(depth - 1))
    }

    fn number(&mut self, depth: usize) -> String {
        let leaf = depth == 0 || self.choices.below(2) == 0;
        if leaf && self.local && self.choices.below(3) == 0 {
            return "l".to_owned();
        }
        if leaf {
            let names: &[&str] = &["x", "y", "z", "0", "1", "2", "3", "p", "q"];
            let count = 7 + self.parameters;
            let name = names[..count][self.choices.below(count)];
            return name.to_owned();
        }
        match self.choices.below(10) {
            0 => format!("-({})", self.number(depth - 1)),
            1 => format!("abs({})", self.number(depth - 1)),
            2 if self.array => format!("c[{}]", self.number(depth - 1)),
            3 => format!("min({}, {})", self.number(depth - 1), self.number(depth - 1)),
            4 => format!("max({}, {})", self.number(depth - 1), self.number(depth - 1)),
            // A divisor that is always zero is rejected; one that may be zero is not.
            5 => format!("({}) / (y - 1)", self.number(depth - 1)),
            6 => format!("({}) mod (z + 1)", self.number(depth - 1)),
            _ => {
                let sign = *self.choices.pick(&["+", "-", "*"]);
                format!("({}) {sign} ({})", self.number(depth - 1), self.number(depth - 1))
            }
        }
    }
}
