//! Reads the text of a TLSF file. Operators, prefixes and parentheses nest without limit; calls, sets and binders up to
//! [`DEEPEST`].

use logos::Logos;
use source::{Diagnostic, LexError, Source, Span};

use super::ast::{Ast, Big, Declaration, Definition, Enumeration, Expr, ExprId, Infix, Prefix, Section};
use super::lex::Token;
use crate::codes;
use crate::spec::Target;

/// A word with its place; an error where no word can be read.
type Word = (Result<Token, LexError>, Span);

/// How deeply calls, sets and binders may be nested.
const DEEPEST: u32 = 200;

pub(crate) fn parse(source: &Source) -> Result<Ast, Diagnostic> {
    let lexer = Token::lexer(source.text()).spanned();
    let mut words: Vec<Word> = lexer.map(|(token, range)| (token, Span::from(range))).collect();
    let end = source.text().len();
    words.push((Ok(Token::End), Span::new(end, end)));
    let ast = Ast {
        exprs: Vec::new(),
        semantics: Target::Mealy,
        strict: false,
        target: Target::Mealy,
        parameters: Vec::new(),
        definitions: Vec::new(),
        enumerations: Vec::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        sections: Vec::new(),
    };
    let mut parser = Parser { source, words, place: 0, depth: 0, ast };
    parser.file()?;
    Ok(parser.ast)
}

struct Parser<'a> {
    source: &'a Source,
    words: Vec<Word>,
    place: usize,
    depth: u32,
    ast: Ast,
}

enum Pending {
    Open(Span),
    Prefix(Prefix, Span),
    Repeat(Prefix, ExprId, Span),
    Big(Big, Vec<ExprId>, Span),
    Infix(Infix),
}

impl Parser<'_> {
    fn token(&self) -> Result<Token, Diagnostic> {
        let (token, span) = self.words[self.place];
        token.map_err(|error| error.report(&codes::SYNTAX, self.source, span))
    }

    fn peek(&self, ahead: usize) -> Option<Token> {
        self.words.get(self.place + ahead).and_then(|(token, _)| token.ok())
    }

    fn span(&self) -> Span {
        self.words[self.place].1
    }

    fn text(&self) -> &str {
        self.source.slice(self.span())
    }

    fn advance(&mut self) {
        self.place = (self.place + 1).min(self.words.len() - 1);
    }

    fn accept(&mut self, token: Token) -> bool {
        let found = self.words[self.place].0 == Ok(token);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: Token, wanted: &str) -> Result<(), Diagnostic> {
        self.token()?;
        if self.accept(token) { Ok(()) } else { Err(self.unexpected(wanted)) }
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.words[self.place].0 {
            Ok(Token::End) => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        Diagnostic::error(&codes::SYNTAX, self.span(), format!("{wanted} is expected, {found} is found"))
    }

    fn name(&mut self) -> Result<(String, Span), Diagnostic> {
        if self.token()? != Token::Name {
            return Err(self.unexpected("a name"));
        }
        let found = (self.text().to_owned(), self.span());
        self.advance();
        Ok(found)
    }

    fn file(&mut self) -> Result<(), Diagnostic> {
        while self.token()? != Token::End {
            let (word, span) = self.name()?;
            self.expect(Token::OpenBrace, "`{`")?;
            match word.as_str() {
                "INFO" => self.info()?,
                "GLOBAL" => self.global()?,
                "MAIN" => self.main()?,
                _ => {
                    let message = format!("INFO, GLOBAL or MAIN is expected, `{word}` is found");
                    return Err(Diagnostic::error(&codes::SYNTAX, span, message));
                }
            }
        }
        if self.ast.sections.iter().all(|(_, formulas)| formulas.is_empty()) {
            let end = self.source.text().len();
            return Err(Diagnostic::error(&codes::EMPTY, Span::new(0, end.min(1)), "this file holds no formula"));
        }
        Ok(())
    }

    fn info(&mut self) -> Result<(), Diagnostic> {
        while !self.accept(Token::CloseBrace) {
            let (key, _) = self.name()?;
            self.expect(Token::Colon, "`:`")?;
            let mut semantics: Option<Target> = None;
            let mut strict = false;
            loop {
                let text = self.text().to_owned();
                match self.token()? {
                    Token::Quoted => self.advance(),
                    Token::Name if self.peek(1) != Some(Token::Colon) => {
                        match text.as_str() {
                            "Mealy" | "mealy" => semantics = Some(Target::Mealy),
                            "Moore" | "moore" => semantics = Some(Target::Moore),
                            "Strict" | "strict" => strict = true,
                            "Finite" | "finite" if key == "SEMANTICS" => {
                                let message = "finite semantics is not supported";
                                return Err(Diagnostic::error(&codes::UNSUPPORTED, self.span(), message));
                            }
                            _ => {}
                        }
                        self.advance();
                    }
                    Token::Comma | Token::Semicolon | Token::Number => self.advance(),
                    _ => break,
                }
            }
            match key.as_str() {
                "SEMANTICS" => {
                    self.ast.semantics = semantics.unwrap_or(Target::Mealy);
                    self.ast.strict = strict;
                }
                "TARGET" => self.ast.target = semantics.unwrap_or(Target::Mealy),
                _ => {}
            }
        }
        Ok(())
    }

    fn global(&mut self) -> Result<(), Diagnostic> {
        while !self.accept(Token::CloseBrace) {
            let (word, span) = self.name()?;
            self.expect(Token::OpenBrace, "`{`")?;
            let parameters = match word.as_str() {
                "PARAMETERS" => true,
                "DEFINITIONS" => false,
                _ => {
                    let message = format!("PARAMETERS or DEFINITIONS is expected, `{word}` is found");
                    return Err(Diagnostic::error(&codes::SYNTAX, span, message));
                }
            };
            while !self.accept(Token::CloseBrace) {
                if self.accept(Token::Enum) {
                    self.enumeration()?;
                    continue;
                }
                let definition = self.definition()?;
                if parameters {
                    self.ast.parameters.push(definition);
                } else {
                    self.ast.definitions.push(definition);
                }
            }
        }
        Ok(())
    }

    fn enumeration(&mut self) -> Result<(), Diagnostic> {
        let (name, span) = self.name()?;
        self.expect(Token::Is, "`=`")?;
        let mut values = Vec::new();
        while !self.accept(Token::Semicolon) {
            let (value, _) = self.name()?;
            self.expect(Token::Colon, "`:`")?;
            let mut patterns = vec![String::new()];
            loop {
                match self.token()? {
                    Token::Number | Token::Times => {
                        let text = self.text().to_owned();
                        patterns.last_mut().expect("there is one").push_str(&text);
                    }
                    Token::Comma => patterns.push(String::new()),
                    _ => break,
                }
                self.advance();
            }
            let width = patterns[0].len();
            let fits = |pattern: &String| pattern.len() == width && pattern.bytes().all(|bit| b"01*".contains(&bit));
            if width == 0 || !patterns.iter().all(fits) {
                return Err(self.unexpected("patterns of one width, of 0, 1 and *,"));
            }
            values.push((value, patterns));
        }
        let widths = values.iter().map(|(_, patterns)| patterns[0].len());
        if values.is_empty() || widths.clone().min() != widths.max() {
            return Err(Diagnostic::error(&codes::SYNTAX, span, format!("`{name}` needs values of one width")));
        }
        self.ast.enumerations.push(Enumeration { name, span, values });
        Ok(())
    }

    fn definition(&mut self) -> Result<Definition, Diagnostic> {
        let (name, span) = self.name()?;
        let mut parameters = Vec::new();
        if self.accept(Token::Open) {
            loop {
                parameters.push(self.name()?.0);
                if !self.accept(Token::Comma) {
                    break;
                }
            }
            self.expect(Token::Close, "`)`")?;
        }
        self.expect(Token::Is, "`=`")?;
        let mut cases = Vec::new();
        while !self.accept(Token::Semicolon) {
            cases.push(self.expr()?);
        }
        Ok(Definition { name, span, parameters, cases })
    }

    fn main(&mut self) -> Result<(), Diagnostic> {
        while !self.accept(Token::CloseBrace) {
            let (word, span) = self.name()?;
            self.expect(Token::OpenBrace, "`{`")?;
            let section = match word.as_str() {
                "INPUTS" | "OUTPUTS" => {
                    let declarations = self.declarations()?;
                    let side = if word == "INPUTS" { &mut self.ast.inputs } else { &mut self.ast.outputs };
                    side.extend(declarations);
                    continue;
                }
                "INITIALLY" => Section::Initially,
                "PRESET" => Section::Preset,
                "REQUIRE" | "REQUIREMENTS" => Section::Require,
                "ASSERT" | "INVARIANTS" => Section::Assert,
                "ASSUME" | "ASSUMPTIONS" => Section::Assume,
                "GUARANTEE" | "GUARANTEES" => Section::Guarantee,
                _ => return Err(Diagnostic::error(&codes::SYNTAX, span, format!("`{word}` is not a section"))),
            };
            let mut formulas = Vec::new();
            while !self.accept(Token::CloseBrace) {
                if self.accept(Token::Semicolon) {
                    continue;
                }
                formulas.push(self.expr()?);
                if self.token()? != Token::CloseBrace {
                    self.expect(Token::Semicolon, "an operator or `;`")?;
                }
            }
            self.ast.sections.push((section, formulas));
        }
        Ok(())
    }

    fn declarations(&mut self) -> Result<Vec<Declaration>, Diagnostic> {
        let mut found = Vec::new();
        while !self.accept(Token::CloseBrace) {
            if self.accept(Token::Semicolon) || self.accept(Token::Comma) {
                continue;
            }
            let (first, place) = self.name()?;
            if self.token()? == Token::Name {
                let (name, span) = self.name()?;
                found.push(Declaration { name, span, width: None, enumeration: Some((first, place)) });
                continue;
            }
            let width = if self.accept(Token::OpenBracket) {
                let width = self.expr()?;
                self.expect(Token::CloseBracket, "`]`")?;
                Some(width)
            } else {
                None
            };
            found.push(Declaration { name: first, span: place, width, enumeration: None });
        }
        Ok(found)
    }

    fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        self.ast.exprs.push((expr, span));
        ExprId(u32::try_from(self.ast.exprs.len() - 1).expect("fewer than 2^32 expressions"))
    }

    fn place_of(&self, expr: ExprId) -> Span {
        self.ast.exprs[expr.0 as usize].1
    }

    /// An expression; ends at the first word that does not belong to it.
    fn expr(&mut self) -> Result<ExprId, Diagnostic> {
        self.depth += 1;
        if DEEPEST < self.depth {
            return Err(Diagnostic::error(
                &codes::TOO_DEEP,
                self.span(),
                "calls, sets and binders are nested too deeply",
            ));
        }
        let mut operands: Vec<ExprId> = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        let mut opened = 0_usize;
        loop {
            opened += self.operand(&mut operands, &mut pending)?;
            while 0 < opened && self.token()? == Token::Close {
                let end = self.span();
                self.advance();
                opened -= 1;
                self.reduce(&mut operands, &mut pending, 0, false);
                let Some(Pending::Open(start)) = pending.pop() else { unreachable!("parentheses are counted") };
                let inner = *operands.last().expect("an operand was read");
                self.ast.exprs[inner.0 as usize].1 = start.join(end);
            }
            // `&&[` begins an operand of its own.
            if self.peek(1) == Some(Token::OpenBracket) && big(self.token()?).is_some() {
                break;
            }
            let Some(infix) = infix(self.token()?) else { break };
            self.advance();
            let (own, right) = infix_level(infix);
            self.reduce(&mut operands, &mut pending, own, right);
            pending.push(Pending::Infix(infix));
        }
        self.reduce(&mut operands, &mut pending, 0, false);
        if let Some(Pending::Open(span)) = pending.last() {
            return Err(self.unexpected("an operator or `)`").also(*span, "opened here"));
        }
        self.depth -= 1;
        Ok(operands.pop().expect("an operand was read"))
    }

    fn operand(&mut self, operands: &mut Vec<ExprId>, pending: &mut Vec<Pending>) -> Result<usize, Diagnostic> {
        let mut opened = 0;
        loop {
            let (token, span) = (self.token()?, self.span());
            if self.peek(1) == Some(Token::OpenBracket) && token != Token::Name {
                self.advance();
                self.advance();
                if let Some(operator) = temporal(token) {
                    let bounds = self.expr()?;
                    self.expect(Token::CloseBracket, "`]`")?;
                    pending.push(Pending::Repeat(operator, bounds, span));
                    continue;
                }
                let Some(operator) = big(token) else {
                    return Err(Diagnostic::error(&codes::SYNTAX, span, "this cannot stand before `[`"));
                };
                let binders = self.list(Token::CloseBracket, "`]`")?;
                pending.push(Pending::Big(operator, binders, span));
                continue;
            }
            match token {
                Token::Open => {
                    pending.push(Pending::Open(span));
                    opened += 1;
                    self.advance();
                }
                Token::Not | Token::Next | Token::Finally | Token::Globally => {
                    pending.push(Pending::Prefix(temporal(token).unwrap_or(Prefix::Not), span));
                    self.advance();
                }
                Token::Size | Token::SizeOf | Token::Min | Token::Max => {
                    let operator = match token {
                        Token::Size => Prefix::Size,
                        Token::SizeOf => Prefix::SizeOf,
                        Token::Min => Prefix::Min,
                        _ => Prefix::Max,
                    };
                    pending.push(Pending::Prefix(operator, span));
                    self.advance();
                }
                Token::Past => {
                    let message = "past operators are not supported";
                    return Err(Diagnostic::error(&codes::UNSUPPORTED, span, message));
                }
                _ => {
                    let operand = self.primary(token, span)?;
                    operands.push(operand);
                    return Ok(opened);
                }
            }
        }
    }

    fn primary(&mut self, token: Token, span: Span) -> Result<ExprId, Diagnostic> {
        let expr =
            match token {
                Token::True | Token::False => Expr::Truth(token == Token::True),
                Token::Wild => Expr::Wild,
                Token::Otherwise => Expr::Otherwise,
                Token::Number => Expr::Number(self.text().parse().map_err(|_| {
                    Diagnostic::error(&codes::BAD_NUMBER, span, format!("{} is too large", self.text()))
                })?),
                Token::Bar => {
                    self.advance();
                    let inner = self.expr()?;
                    self.expect(Token::Bar, "`|`")?;
                    return Ok(self.add(Expr::Prefix(Prefix::Size, inner), span));
                }
                Token::OpenBrace => {
                    self.advance();
                    return self.set(span);
                }
                Token::Name => {
                    let name = self.text().to_owned();
                    self.advance();
                    if self.accept(Token::Open) {
                        let arguments = self.list(Token::Close, "`)`")?;
                        return Ok(self.add(Expr::Call(name, arguments), span));
                    }
                    if self.accept(Token::OpenBracket) {
                        let index = self.expr()?;
                        self.expect(Token::CloseBracket, "`]`")?;
                        return Ok(self.add(Expr::Index(name, index), span));
                    }
                    return Ok(self.add(Expr::Name(name), span));
                }
                _ => return Err(self.unexpected("an expression")),
            };
        self.advance();
        Ok(self.add(expr, span))
    }

    fn set(&mut self, span: Span) -> Result<ExprId, Diagnostic> {
        if self.accept(Token::CloseBrace) {
            return Ok(self.add(Expr::Set(Vec::new()), span));
        }
        let mut members = vec![self.expr()?];
        while self.accept(Token::Comma) {
            members.push(self.expr()?);
        }
        if let ([first, second], true) = (members.as_slice(), self.accept(Token::Dots)) {
            let (first, second) = (*first, *second);
            let last = self.expr()?;
            self.expect(Token::CloseBrace, "`}`")?;
            return Ok(self.add(Expr::Range(first, second, last), span));
        }
        self.expect(Token::CloseBrace, "`}`")?;
        Ok(self.add(Expr::Set(members), span))
    }

    fn list(&mut self, end: Token, wanted: &str) -> Result<Vec<ExprId>, Diagnostic> {
        let mut found = Vec::new();
        while !self.accept(end) {
            found.push(self.expr()?);
            if !self.accept(Token::Comma) {
                self.expect(end, wanted)?;
                break;
            }
        }
        Ok(found)
    }

    fn reduce(&mut self, operands: &mut Vec<ExprId>, pending: &mut Vec<Pending>, limit: u8, right: bool) {
        while let Some(last) = pending.last() {
            let own = match last {
                Pending::Open(_) => return,
                Pending::Prefix(operator, _) => prefix_level(*operator),
                Pending::Repeat(..) => 10,
                Pending::Big(operator, ..) => big_level(*operator),
                Pending::Infix(infix) => infix_level(*infix).0,
            };
            if own < limit || (own == limit && right) {
                return;
            }
            let operand = operands.pop().expect("an operator has its operands");
            let place = self.place_of(operand);
            let result = match pending.pop().expect("there is a last one") {
                Pending::Open(_) => unreachable!("parentheses end the loop"),
                Pending::Prefix(operator, span) => self.add(Expr::Prefix(operator, operand), span.join(place)),
                Pending::Repeat(operator, bounds, span) => {
                    self.add(Expr::Repeat(operator, bounds, operand), span.join(place))
                }
                Pending::Big(operator, binders, span) => {
                    self.add(Expr::Big(operator, binders, operand), span.join(place))
                }
                Pending::Infix(infix) => {
                    let left = operands.pop().expect("an operator has its operands");
                    let span = self.place_of(left).join(place);
                    self.add(Expr::Infix(infix, left, operand), span)
                }
            };
            operands.push(result);
        }
    }
}

fn temporal(token: Token) -> Option<Prefix> {
    match token {
        Token::Next => Some(Prefix::Next),
        Token::Finally => Some(Prefix::Finally),
        Token::Globally => Some(Prefix::Globally),
        _ => None,
    }
}

fn big(token: Token) -> Option<Big> {
    match token {
        Token::And => Some(Big::And),
        Token::Or => Some(Big::Or),
        Token::Plus => Some(Big::Sum),
        Token::Times => Some(Big::Product),
        Token::Cup => Some(Big::Cup),
        Token::Cap => Some(Big::Cap),
        _ => None,
    }
}

fn infix(token: Token) -> Option<Infix> {
    Some(match token {
        Token::Times => Infix::Times,
        Token::Divide => Infix::Divide,
        Token::Modulo => Infix::Modulo,
        Token::Plus => Infix::Plus,
        Token::Minus => Infix::Minus,
        Token::SetMinus => Infix::SetMinus,
        Token::Cap => Infix::Cap,
        Token::Cup => Infix::Cup,
        Token::Equal => Infix::Equal,
        Token::NotEqual => Infix::NotEqual,
        Token::Greater => Infix::Greater,
        Token::AtLeast => Infix::AtLeast,
        Token::Less => Infix::Less,
        Token::AtMost => Infix::AtMost,
        Token::In => Infix::In,
        Token::And => Infix::And,
        Token::Or => Infix::Or,
        Token::Implies => Infix::Implies,
        Token::Iff => Infix::Iff,
        Token::WeakUntil => Infix::WeakUntil,
        Token::Until => Infix::Until,
        Token::Release => Infix::Release,
        Token::Matches => Infix::Matches,
        Token::Colon => Infix::Colon,
        _ => return None,
    })
}

/// How tightly an operator binds, and whether it associates to the right; as in the definition of TLSF, in which the
/// binary temporal operators bind loosest.
fn infix_level(infix: Infix) -> (u8, bool) {
    match infix {
        Infix::Times => (19, false),
        Infix::Divide | Infix::Modulo => (18, true),
        Infix::Plus | Infix::Minus => (17, false),
        Infix::SetMinus => (15, true),
        Infix::Cap => (14, false),
        Infix::Cup => (13, false),
        Infix::Equal | Infix::NotEqual | Infix::Greater | Infix::AtLeast | Infix::Less | Infix::AtMost => (12, false),
        Infix::In => (11, false),
        Infix::And => (9, false),
        Infix::Or => (8, false),
        Infix::Implies | Infix::Iff => (7, true),
        Infix::WeakUntil => (6, true),
        Infix::Until => (5, true),
        Infix::Release => (4, false),
        Infix::Matches => (3, false),
        Infix::Colon => (2, false),
    }
}

fn prefix_level(prefix: Prefix) -> u8 {
    match prefix {
        Prefix::Size | Prefix::SizeOf | Prefix::Min | Prefix::Max => 20,
        Prefix::Not | Prefix::Next | Prefix::Finally | Prefix::Globally => 10,
    }
}

fn big_level(big: Big) -> u8 {
    match big {
        Big::Sum | Big::Product => 20,
        Big::Cup | Big::Cap => 16,
        Big::And | Big::Or => 10,
    }
}
