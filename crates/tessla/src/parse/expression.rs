//! Expressions.

use std::sync::Arc;

use dashu_int::IBig;

use crate::ast::{Argument, Expr, ExprKind, Name, TextPart};
use crate::lex::{Part, Token};
use crate::place::Place;

use super::{DEPTH, Fault, Parsed, Parser};

/// Infix operators by strength, the weakest first, with the names of their functions.
const INFIX: &[&[(&str, &str)]] = &[
    &[("||", "or")],
    &[("&&", "and")],
    &[
        ("==", "eq"),
        ("!=", "neq"),
        ("<", "lt"),
        (">", "gt"),
        ("<=", "leq"),
        (">=", "geq"),
        ("<.", "flt"),
        (">.", "fgt"),
        ("<=.", "fleq"),
        (">=.", "fgeq"),
    ],
    &[("|", "bitor"), ("^", "bitxor")],
    &[("&", "bitand")],
    &[("<<", "leftshift"), (">>", "rightshift")],
    &[("+", "add"), ("-", "sub"), ("+.", "fadd"), ("-.", "fsub")],
    &[("*", "mul"), ("/", "div"), ("%", "mod"), ("*.", "fmul"), ("/.", "fdiv")],
];

const PREFIX: &[(&str, &str)] = &[("!", "not"), ("~", "bitflip"), ("-", "negate"), ("-.", "fnegate")];

impl Parser {
    pub(crate) fn expression(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        let place = self.here();
        let expr = if self.depth > DEPTH { self.too_deep(place) } else { self.expression_inner() };
        self.depth -= 1;
        expr
    }

    fn expression_inner(&mut self) -> Parsed<Expr> {
        match self.token() {
            Token::Keyword("if") => self.conditional(false),
            Token::Keyword("static") => self.conditional(true),
            Token::Keyword("fun") => self.lambda(),
            Token::Sign("(") if self.is_lambda() => self.lambda(),
            _ => self.infix(0),
        }
    }

    fn make(&mut self, kind: ExprKind, place: Place, depth: u32) -> Parsed<Expr> {
        if depth > DEPTH {
            return self.too_deep(place);
        }
        Ok(Expr { kind, place, depth })
    }

    fn conditional(&mut self, is_static: bool) -> Parsed<Expr> {
        let start = self.advance();
        if is_static && self.accept_keyword("if").is_none() {
            return self.unexpected("`if`");
        }
        self.skip_newlines();
        let condition = self.expression()?;
        if !self.reaches_keyword("then") {
            return self.unexpected("`then`");
        }
        self.advance();
        self.skip_newlines();
        let then = self.expression()?;
        if !self.reaches_keyword("else") {
            return self.unexpected("`else`");
        }
        self.advance();
        self.skip_newlines();
        let otherwise = self.expression()?;
        let depth = 1 + condition.depth.max(then.depth).max(otherwise.depth);
        let place = self.since(start);
        self.make(ExprKind::If { is_static, parts: Box::new([condition, then, otherwise]) }, place, depth)
    }

    /// Whether the bracket here closes before `=>`.
    fn is_lambda(&self) -> bool {
        let close = self.closing[self.at];
        close != usize::MAX && self.words.get(close + 1).is_some_and(|word| word.token == Token::Sign("=>"))
    }

    fn lambda(&mut self) -> Parsed<Expr> {
        let start = self.here();
        self.accept_keyword("fun");
        self.expect("(")?;
        let parameters = self.listed(")", Parser::parameter)?;
        self.expect("=>")?;
        self.skip_newlines();
        let body = self.expression()?;
        let depth = body.depth + 1;
        let place = self.since(start);
        self.make(ExprKind::Lambda(parameters, Arc::new(body)), place, depth)
    }

    /// Operators of at least a strength. One frame serves all strengths: the stack grows only with the text's own nesting.
    fn infix(&mut self, weakest: usize) -> Parsed<Expr> {
        let first = self.prefix()?;
        let mut operands = vec![first];
        let mut operators: Vec<(usize, &'static str)> = Vec::new();
        while let Some((strength, function)) = self.infix_operator(weakest) {
            self.advance();
            self.skip_newlines();
            self.reduce(&mut operands, &mut operators, strength)?;
            operators.push((strength, function));
            // A conditional or function as right operand takes all that follows.
            let right = match self.token() {
                Token::Keyword("if" | "static" | "fun") => self.expression()?,
                Token::Sign("(") if self.is_lambda() => self.expression()?,
                _ => self.prefix()?,
            };
            operands.push(right);
        }
        self.reduce(&mut operands, &mut operators, 0)?;
        Ok(operands.pop().expect("one operand is left"))
    }

    fn infix_operator(&self, weakest: usize) -> Option<(usize, &'static str)> {
        let Token::Sign(sign) = self.token() else { return None };
        let strengths = INFIX.iter().enumerate().skip(weakest);
        let mut found = strengths.flat_map(|(strength, row)| row.iter().map(move |entry| (strength, entry)));
        found.find(|(_, (written, _))| written == sign).map(|(strength, (_, function))| (strength, *function))
    }

    fn reduce(
        &mut self,
        operands: &mut Vec<Expr>,
        operators: &mut Vec<(usize, &'static str)>,
        least: usize,
    ) -> Parsed<()> {
        while operators.last().is_some_and(|(strength, _)| *strength >= least) {
            let (_, function) = operators.pop().expect("there is a last one");
            let right = operands.pop().expect("an operator has two operands");
            let left = operands.pop().expect("an operator has two operands");
            let depth = 1 + left.depth.max(right.depth);
            let place = left.place.join(right.place);
            let made = self.make(ExprKind::Binary(function, Box::new(left), Box::new(right)), place, depth)?;
            operands.push(made);
        }
        Ok(())
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let mut prefixes = Vec::new();
        while let Token::Sign(sign) = self.token() {
            let Some((_, function)) = PREFIX.iter().find(|(written, _)| written == sign) else { break };
            let place = self.advance();
            self.skip_newlines();
            prefixes.push((*function, place));
        }
        let mut expr = match self.token() {
            Token::Keyword("if" | "static") if !prefixes.is_empty() => self.expression()?,
            _ => self.postfix()?,
        };
        for (function, place) in prefixes.into_iter().rev() {
            let depth = expr.depth + 1;
            let place = place.join(expr.place);
            expr = self.make(ExprKind::Unary(function, Box::new(expr)), place, depth)?;
        }
        Ok(expr)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut expr = self.primary()?;
        loop {
            let start = expr.place;
            let mut depth = expr.depth + 1;
            let kind = match self.token() {
                Token::Sign(".") => {
                    self.advance();
                    self.skip_newlines();
                    ExprKind::Member(Box::new(expr), self.name()?)
                }
                Token::Sign("[") => {
                    self.advance();
                    let generics = self.listed("]", Parser::type_expr)?;
                    let arguments = if self.accept("(").is_some() { Some(self.arguments()?) } else { None };
                    depth = depth.max(1 + deepest(arguments.as_deref()));
                    ExprKind::Call { function: Box::new(expr), generics, arguments }
                }
                Token::Sign("(") => {
                    self.advance();
                    let arguments = Some(self.arguments()?);
                    depth = depth.max(1 + deepest(arguments.as_deref()));
                    ExprKind::Call { function: Box::new(expr), generics: Vec::new(), arguments }
                }
                _ => return Ok(expr),
            };
            let place = self.since(start);
            expr = self.make(kind, place, depth)?;
        }
    }

    /// Arguments up to the closing bracket, which is read.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        self.listed(")", |parser| {
            let mut name = None;
            if let (Token::Name(text), Token::Sign("=")) = (parser.token().clone(), parser.token_after(1)) {
                name = Some(Name { text, place: parser.advance() });
                parser.advance();
                parser.skip_newlines();
            }
            Ok(Argument { name, value: parser.expression()? })
        })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let kind = match self.token().clone() {
            Token::Name(name) if &*name == "__root__" => ExprKind::Root,
            Token::Name(name) => ExprKind::Name(name),
            Token::Keyword("true") => ExprKind::Bool(true),
            Token::Keyword("false") => ExprKind::Bool(false),
            Token::Float(number) => ExprKind::Float(number),
            Token::Int(digits, radix) => return self.integer(&digits, radix),
            Token::Text { parts, .. } => return self.text(parts),
            Token::Sign("(") => return self.tuple(),
            Token::Sign("{" | "${") => return self.braces(),
            _ => return self.unexpected("an expression"),
        };
        self.advance();
        self.make(kind, start, 1)
    }

    fn integer(&mut self, digits: &str, radix: u32) -> Parsed<Expr> {
        let start = self.advance();
        let number = IBig::from_str_radix(digits, radix).expect("the lexer reads digits only");
        let mut unit = None;
        if let Token::Name(text) = self.token().clone() {
            unit = Some(Name { text, place: self.advance() });
        }
        let place = self.since(start);
        self.make(ExprKind::Int(number, unit), place, 1)
    }

    fn text(&mut self, parts: Vec<Part>) -> Parsed<Expr> {
        let start = self.advance();
        let mut read = Vec::new();
        let mut depth = 1;
        for part in parts {
            read.push(match part {
                Part::Text(text) => TextPart::Text(text),
                Part::Format(format, _) if format == "%%" => TextPart::Text("%".into()),
                Part::Format(format, _) if format == "%n" => TextPart::Text("\n".into()),
                Part::Format(_, span) => {
                    let place = self.place(span);
                    return self.fault(&crate::codes::SYNTAX, place, "a format must follow a value in a string");
                }
                Part::Value { words, format } => {
                    let value = self.embedded(words)?;
                    depth = depth.max(value.depth + 1);
                    TextPart::Value(value, format.map(|(format, _)| format))
                }
            });
        }
        self.make(ExprKind::Text(read), start, depth)
    }

    fn embedded(&mut self, words: Vec<crate::lex::Word>) -> Parsed<Expr> {
        let mut parser = self.nested(words);
        let value = parser.expression();
        let value = match value {
            Ok(value) if parser.is_end() => Ok(value),
            Ok(_) => parser.unexpected("`}`"),
            Err(Fault) => Err(Fault),
        };
        self.reports.append(&mut parser.reports);
        value
    }

    fn tuple(&mut self) -> Parsed<Expr> {
        let start = self.advance();
        let mut comma = false;
        let mut elements = Vec::new();
        loop {
            self.skip_newlines();
            if self.accept(")").is_some() {
                break;
            }
            elements.push(self.expression()?);
            self.skip_newlines();
            match self.accept(",") {
                Some(_) => comma = true,
                None => {
                    self.expect(")")?;
                    break;
                }
            }
        }
        let place = self.since(start);
        if elements.len() == 1 && !comma {
            let mut inner = elements.remove(0);
            inner.place = place;
            return Ok(inner);
        }
        let depth = 1 + elements.iter().map(|element| element.depth).max().unwrap_or(0);
        self.make(ExprKind::Tuple(elements), place, depth)
    }

    fn braces(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let dollar = self.is_sign("${");
        if dollar {
            self.deprecated(start, "Use of '${' for objects is deprecated, use '{' instead");
        }
        self.advance();
        self.skip_newlines();
        if !dollar && (self.begins_definition() || self.is_sign("@")) {
            return self.block(start);
        }
        let is_member = matches!(self.token_after(1), Token::Sign("=" | ":" | "," | "}") | Token::Newline);
        if self.is_sign("}") || (matches!(self.token(), Token::Name(_)) && is_member) {
            return self.object(start);
        }
        self.block(start)
    }

    fn object(&mut self, start: Place) -> Parsed<Expr> {
        let members = self.listed("}", |parser| {
            let name = parser.name()?;
            if parser.accept("=").is_none() && parser.accept(":").is_none() {
                let value = Expr { kind: ExprKind::Name(name.text.clone()), place: name.place, depth: 1 };
                return Ok((name, value));
            }
            parser.skip_newlines();
            Ok((name, parser.expression()?))
        })?;
        let depth = 1 + members.iter().map(|(_, value)| value.depth).max().unwrap_or(0);
        let place = self.since(start);
        self.make(ExprKind::Object(members), place, depth)
    }

    fn block(&mut self, start: Place) -> Parsed<Expr> {
        let definitions = self.local_definitions()?;
        if let Some(place) = self.accept_keyword("return") {
            self.deprecated(place, "The keyword 'return' is deprecated");
        }
        let result = self.expression()?;
        self.skip_newlines();
        self.expect("}")?;
        let depth = result.depth + 1;
        let place = self.since(start);
        self.make(ExprKind::Block(definitions, Box::new(result)), place, depth)
    }
}

fn deepest(arguments: Option<&[Argument]>) -> u32 {
    arguments.unwrap_or_default().iter().map(|argument| argument.value.depth).max().unwrap_or(0)
}
