//! Values in traces: literals, and the operators that lines for many times use.

use std::sync::Arc;

use dashu_int::IBig;

use crate::arithmetic::apply;
use crate::lex::{Part, Token, Word};
use crate::operator::Operator;
use crate::place::Origin;
use crate::show::Shown;
use crate::types::{Type, tuple_member};
use crate::value::{Value, ValueMap, ValueSet};

/// How deeply values may be nested.
const DEPTH: u32 = 500;

/// Infix operators by strength, the weakest first.
const INFIX: &[&[(&str, Operator)]] = &[
    &[
        ("==", Operator::Equal),
        ("!=", Operator::NotEqual),
        ("<", Operator::Less),
        (">", Operator::Greater),
        ("<=", Operator::LessEqual),
        (">=", Operator::GreaterEqual),
    ],
    &[("|", Operator::BitOr), ("^", Operator::BitXor)],
    &[("&", Operator::BitAnd)],
    &[("<<", Operator::ShiftLeft), (">>", Operator::ShiftRight)],
    &[("+", Operator::Add), ("-", Operator::Subtract)],
    &[("*", Operator::Multiply), ("/", Operator::Divide), ("%", Operator::Modulo)],
];

/// The value that some words write.
pub(super) fn read(words: &[Word], time: Option<(&str, i64)>) -> Result<Value, String> {
    let mut reader = Reader { words, at: 0, time, depth: 0 };
    let value = reader.expression()?;
    if *reader.token() != Token::End {
        return Err("something follows the value".into());
    }
    match value {
        Value::Failure(failure) => Err(failure.message.clone()),
        value => Ok(value),
    }
}

struct Reader<'a> {
    words: &'a [Word],
    at: usize,
    time: Option<(&'a str, i64)>,
    depth: u32,
}

impl Reader<'_> {
    fn token(&self) -> &Token {
        &self.words[self.at].token
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.token(), Token::Sign(found) if *found == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.accept(sign) { Ok(()) } else { Err(format!("expected `{sign}` in the value")) }
    }

    fn keyword(&mut self, word: &str) -> Result<(), String> {
        if matches!(self.token(), Token::Keyword(found) if *found == word) {
            self.at += 1;
            return Ok(());
        }
        Err(format!("expected `{word}` in the value"))
    }

    fn expression(&mut self) -> Result<Value, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("the value is nested too deeply".into());
        }
        let value = if matches!(self.token(), Token::Keyword("if")) { self.conditional() } else { self.disjunction() };
        self.depth -= 1;
        value
    }

    fn conditional(&mut self) -> Result<Value, String> {
        self.at += 1;
        let condition = self.expression()?;
        self.keyword("then")?;
        let then = self.expression()?;
        self.keyword("else")?;
        let otherwise = self.expression()?;
        match condition {
            Value::Bool(true) => Ok(then),
            Value::Bool(false) => Ok(otherwise),
            other => Err(format!("{} is not a condition", Shown(&other))),
        }
    }

    fn disjunction(&mut self) -> Result<Value, String> {
        let mut value = self.conjunction()?;
        while self.accept("||") {
            let right = self.conjunction()?;
            value = both(&value, &right, |left, right| left || right)?;
        }
        Ok(value)
    }

    fn conjunction(&mut self) -> Result<Value, String> {
        let mut value = self.infix(0)?;
        while self.accept("&&") {
            let right = self.infix(0)?;
            value = both(&value, &right, |left, right| left && right)?;
        }
        Ok(value)
    }

    fn infix(&mut self, strength: usize) -> Result<Value, String> {
        let Some(row) = INFIX.get(strength) else { return self.prefix() };
        let mut value = self.infix(strength + 1)?;
        loop {
            let Token::Sign(sign) = self.token() else { return Ok(value) };
            let Some((_, operator)) = row.iter().find(|(written, _)| written == sign) else { return Ok(value) };
            self.at += 1;
            let right = self.infix(strength + 1)?;
            value = apply(*operator, &[value, right], Origin::default());
        }
    }

    fn prefix(&mut self) -> Result<Value, String> {
        let mut signs = Vec::new();
        while let Token::Sign(sign @ ("-" | "!" | "~")) = self.token() {
            signs.push(*sign);
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            let operator = match (sign, &value) {
                ("!", _) => Operator::Not,
                ("~", _) => Operator::BitNot,
                (_, Value::Float(_)) => Operator::FloatNegate,
                _ => Operator::Negate,
            };
            value = apply(operator, &[value], Origin::default());
        }
        Ok(value)
    }

    fn primary(&mut self) -> Result<Value, String> {
        let token = self.token().clone();
        self.at += usize::from(token != Token::End);
        match token {
            Token::Int(digits, radix) => {
                Ok(Value::integer(IBig::from_str_radix(&digits, radix).map_err(|_| "a malformed number".to_owned())?))
            }
            Token::Float(number) => Ok(Value::Float(number)),
            Token::Keyword("true") => Ok(Value::Bool(true)),
            Token::Keyword("false") => Ok(Value::Bool(false)),
            Token::Text { parts, .. } => text(&parts),
            Token::Sign("(") => self.tuple(),
            Token::Sign("{" | "${") => self.object(),
            Token::Name(name) => self.named(&name),
            Token::Wrong(problem) => Err(problem.into()),
            Token::End => Err("a value is missing".into()),
            Token::Sign(_) | Token::Keyword(_) | Token::Newline => Err("expected a value".into()),
        }
    }

    fn named(&mut self, name: &str) -> Result<Value, String> {
        match name {
            "None" => Ok(Value::None),
            "Some" => {
                self.expect("(")?;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(Value::some(inner))
            }
            "List" => {
                self.expect("(")?;
                Ok(Value::List(Arc::new(self.listed(")", Reader::expression)?)))
            }
            "Set" => {
                self.expect("(")?;
                let items = self.listed(")", Reader::expression)?;
                Ok(Value::Set(Arc::new(items.into_iter().collect::<ValueSet>())))
            }
            "Map" => {
                self.expect("(")?;
                let entries = self.listed(")", |reader| {
                    let key = reader.expression()?;
                    reader.expect("->")?;
                    Ok((key, reader.expression()?))
                })?;
                Ok(Value::Map(Arc::new(entries.into_iter().collect::<ValueMap>())))
            }
            _ => match self.time {
                Some((known, time)) if known == name => Ok(Value::Int(time)),
                _ => Err(format!("Unknown identifier in traces: {name}")),
            },
        }
    }

    fn listed<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let mut items = Vec::new();
        loop {
            if self.accept(close) {
                return Ok(items);
            }
            items.push(item(self)?);
            if !self.accept(",") {
                self.expect(close)?;
                return Ok(items);
            }
        }
    }

    fn tuple(&mut self) -> Result<Value, String> {
        let mut comma = false;
        let mut values = Vec::new();
        while !self.accept(")") {
            values.push(self.expression()?);
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
            comma = true;
        }
        if values.len() == 1 && !comma {
            return Ok(values.remove(0));
        }
        Ok(Value::object((0..values.len()).map(tuple_member).collect(), values))
    }

    /// Members are written with `=`, or all of them with `:`.
    fn object(&mut self) -> Result<Value, String> {
        let mut sign = None;
        let members = self.listed("}", |reader| {
            let Token::Name(name) = reader.token().clone() else { return Err("expected the name of a member".into()) };
            reader.at += 1;
            let written = if matches!(reader.token(), Token::Sign(":")) { ":" } else { "=" };
            reader.expect(sign.get_or_insert(written))?;
            Ok((name, reader.expression()?))
        })?;
        let (names, values): (Vec<Arc<str>>, Vec<Value>) = members.into_iter().unzip();
        Ok(Value::object(names.into(), values))
    }
}

fn both(left: &Value, right: &Value, combine: fn(bool, bool) -> bool) -> Result<Value, String> {
    match (left.as_bool(), right.as_bool()) {
        (Some(left), Some(right)) => Ok(Value::Bool(combine(left, right))),
        _ => Err("expected truth values".into()),
    }
}

fn text(parts: &[Part]) -> Result<Value, String> {
    let mut whole = String::new();
    for part in parts {
        match part {
            Part::Text(text) => whole.push_str(text),
            Part::Format(format, _) => whole.push_str(format),
            Part::Value { .. } => return Err("values inside strings are not supported in traces".into()),
        }
    }
    Ok(Value::string(whole))
}

/// Whether a value has a type.
pub(super) fn conforms(value: &Value, of: &Type) -> bool {
    match (value, of) {
        (Value::Int(_) | Value::Big(_), Type::Int) => true,
        (Value::Bool(_), Type::Bool) | (Value::Float(_), Type::Float) | (Value::String(_), Type::String) => true,
        (Value::None, Type::Option(_)) => true,
        (Value::Some(inner), Type::Option(of)) => conforms(inner, of),
        (Value::Unit, Type::Object(object)) => object.members.is_empty(),
        (Value::Object(object), Type::Object(wanted)) => {
            let count = object.values.len();
            (count == wanted.members.len() || (wanted.open && count > wanted.members.len()))
                && wanted
                    .members
                    .iter()
                    .all(|(name, of)| object.member(name).is_some_and(|member| conforms(member, of)))
        }
        (Value::List(items), Type::List(of)) => items.iter().all(|item| conforms(item, of)),
        (Value::Set(items), Type::Set(of)) => items.iter().all(|item| conforms(item, of)),
        (Value::Map(entries), Type::Map(key, value)) => {
            entries.iter().all(|(one, other)| conforms(one, key) && conforms(other, value))
        }
        _ => false,
    }
}

/// The type of a value as far as it shows.
pub(super) fn type_text(value: &Value) -> String {
    match value {
        Value::Int(_) | Value::Big(_) => "Int".into(),
        Value::Bool(_) => "Bool".into(),
        Value::Float(_) => "Float".into(),
        Value::String(_) => "String".into(),
        Value::Unit => "()".into(),
        Value::None | Value::Some(_) => "Option[?]".into(),
        Value::List(_) => "List[?]".into(),
        Value::Set(_) => "Set[?]".into(),
        Value::Map(_) => "Map[?, ?]".into(),
        Value::Object(object) if object.is_tuple() => {
            format!("({})", vec!["?"; object.values.len()].join(", "))
        }
        Value::Object(object) => {
            let members: Vec<String> = object.names.iter().map(|name| format!("{name}: ?")).collect();
            format!("{{{}}}", members.join(", "))
        }
        Value::Failure(_) => "?".into(),
    }
}
