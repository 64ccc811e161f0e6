//! Reads formulas: operators by precedence, on explicit stacks, so that nesting has no limit.
//!
//! From loosest to tightest: `always never`, `<->`, `->`, `xor`, `|`, `&`, the binary temporal operators, the unary ones.
//! `->`, `<->` and the temporal operators associate to the right.

use source::{Diagnostic, Source, Span};

use crate::codes;
use crate::lex::{Token, Word, words};
use crate::print::level;
use omega::{Binary, Formula, Formulas, Unary};

/// Reads one formula that fills the whole text.
///
/// # Errors
/// What is wrong with the text.
pub fn parse_formula(source: &Source, formulas: &mut Formulas) -> Result<Formula, Diagnostic> {
    let mut reader = Reader::new(source);
    let formula = reader.formula(formulas)?;
    match reader.token()? {
        Token::End => Ok(formula),
        _ => Err(reader.unexpected("an operator or the end of the formula")),
    }
}

/// A reader over the words of a text.
pub(crate) struct Reader<'a> {
    pub(crate) source: &'a Source,
    words: Vec<Word>,
    place: usize,
    /// How many nodes repeated operators may still make.
    budget: u64,
}

/// The most nodes that repeated operators such as `X[1000]` make in one text.
const REPEATED: u64 = 4_000_000;

#[derive(Clone, Copy)]
enum Prefix {
    Unary(Unary),
    Never,
    Always,
    /// `weak_next f` is `!X !f`: where a trace ends it holds, and where words have no end it is `X f`.
    WeakNext,
    /// `X[n]`
    Power(u32),
    /// `F[m:n]`, `next_e[m:n]`; without an end `F[m:$]`.
    Some(u32, Option<u32>),
    /// `G[m:n]`, `next_a[m:n]`.
    All(u32, Option<u32>),
}

#[derive(Clone, Copy)]
enum Infix {
    Plain(Binary),
    /// `until_` and, strong, `until!_`: the last step of the left side is the step of the right side.
    UntilOverlapping(bool),
    /// `before` (strong?, overlapping?).
    Before(bool, bool),
}

enum Pending {
    Open(Span),
    Prefix(Prefix),
    Infix(Infix),
}

const UNARY_LEVEL: u8 = 7;

impl<'a> Reader<'a> {
    pub(crate) fn new(source: &'a Source) -> Reader<'a> {
        let mut words: Vec<Word> = words(source.text()).collect();
        let end = source.text().len();
        words.push((Ok(Token::End), Span::new(end, end)));
        Reader { source, words, place: 0, budget: REPEATED }
    }

    /// The word at hand.
    pub(crate) fn token(&self) -> Result<Token, Diagnostic> {
        let (word, span) = self.words[self.place];
        word.map_err(|error| error.report(&codes::SYNTAX, self.source, span))
    }

    /// The word after the one at hand, if it can be read.
    pub(crate) fn following(&self) -> Option<Token> {
        self.words.get(self.place + 1).and_then(|(word, _)| word.ok())
    }

    /// The place of the word at hand.
    pub(crate) fn span(&self) -> Span {
        self.words[self.place].1
    }

    /// The text of the word at hand.
    pub(crate) fn text(&self) -> &'a str {
        self.source.slice(self.span())
    }

    /// The place of the word before the one at hand.
    pub(crate) fn last_span(&self) -> Span {
        self.words[self.place.saturating_sub(1)].1
    }

    pub(crate) fn advance(&mut self) {
        self.place = (self.place + 1).min(self.words.len() - 1);
    }

    /// Goes past a word, if it is the one at hand.
    pub(crate) fn accept(&mut self, token: Token) -> bool {
        let found = self.words[self.place].0 == Ok(token);
        if found {
            self.advance();
        }
        found
    }

    pub(crate) fn expect(&mut self, token: Token, words: &str) -> Result<Span, Diagnostic> {
        let span = self.span();
        if self.token()? == token {
            self.advance();
            Ok(span)
        } else {
            Err(self.unexpected(words))
        }
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let found = match self.words[self.place].0 {
            Ok(Token::End) => "the end of the text".to_owned(),
            _ => format!("`{}`", self.text()),
        };
        let error = Diagnostic::error(&codes::SYNTAX, self.span(), format!("{wanted} is expected, {found} is found"));
        match self.advice(wanted) {
            Some(help) => error.help(help),
            None => error,
        }
    }

    /// What to type in place of what other languages write.
    fn advice(&self, wanted: &str) -> Option<&'static str> {
        let before = self.place.checked_sub(1).map_or("", |place| self.source.slice(self.words[place].1));
        match (before, self.text()) {
            ("|", "->" | "=>" | "=") => {
                Some("`a |-> b` of SystemVerilog is `a -> b`, `a |=> b` is `a -> X b`, `##1 a` is `X a`.")
            }
            ("O" | "H" | "S" | "Y" | "once" | "historically" | "since", _) => Some(
                "There are no operators of the past: say it the other way round, `G (a -> X b)` for `G (b -> Y a)`, or give what was seen as a signal.",
            ),
            (_, ":") => Some(
                "Signals are true or false, `input r;`; what is compared elsewhere is given as a signal of its own.",
            ),
            _ if wanted == "0 or 1" => Some("`a == 1` compares with a value; two signals are compared by `a <-> b`."),
            _ if wanted.contains("`;`") => Some("Every declaration and every property ends with `;`."),
            _ => None,
        }
    }

    pub(crate) fn number(&mut self) -> Result<u32, Diagnostic> {
        let span = self.expect(Token::Number, "a number")?;
        let text = self.source.slice(span);
        text.parse().map_err(|_| Diagnostic::error(&codes::BAD_NUMBER, span, format!("{text} is too large")))
    }

    /// A formula; ends at the first word that does not belong to it.
    pub(crate) fn formula(&mut self, formulas: &mut Formulas) -> Result<Formula, Diagnostic> {
        let mut operands: Vec<Formula> = Vec::new();
        let mut pending: Vec<Pending> = Vec::new();
        let mut opened = 0_usize;
        loop {
            opened += self.operand(formulas, &mut operands, &mut pending)?;
            loop {
                let token = self.token()?;
                if token == Token::Equals {
                    self.equals(formulas, &mut operands)?;
                    continue;
                }
                if token == Token::Close && 0 < opened {
                    opened -= 1;
                    self.advance();
                    reduce(formulas, &mut operands, &mut pending, 0, false);
                    pending.pop();
                    continue;
                }
                break;
            }
            let Some(infix) = infix(self.token()?) else { break };
            self.advance();
            let (own, right) = infix_level(infix);
            reduce(formulas, &mut operands, &mut pending, own, right);
            pending.push(Pending::Infix(infix));
        }
        reduce(formulas, &mut operands, &mut pending, 0, false);
        if let Some(Pending::Open(span)) = pending.last() {
            return Err(self.unexpected("an operator or `)`").also(*span, "opened here"));
        }
        Ok(operands.pop().expect("an operand was read"))
    }

    /// Prefixes, opening parentheses (their number is returned) and one atom or constant.
    fn operand(
        &mut self,
        formulas: &mut Formulas,
        operands: &mut Vec<Formula>,
        pending: &mut Vec<Pending>,
    ) -> Result<usize, Diagnostic> {
        let mut opened = 0;
        loop {
            let span = self.span();
            let token = self.token()?;
            match token {
                Token::Open => {
                    pending.push(Pending::Open(span));
                    opened += 1;
                    self.advance();
                }
                Token::Not => {
                    pending.push(Pending::Prefix(Prefix::Unary(Unary::Not)));
                    self.advance();
                }
                Token::Never => {
                    pending.push(Pending::Prefix(Prefix::Never));
                    self.advance();
                }
                Token::Always => {
                    pending.push(Pending::Prefix(Prefix::Always));
                    self.advance();
                }
                Token::WeakNext => {
                    pending.push(Pending::Prefix(Prefix::WeakNext));
                    self.advance();
                }
                Token::Next | Token::Finally | Token::Globally | Token::NextAll | Token::NextSome => {
                    self.advance();
                    let prefix = self.temporal_prefix(token)?;
                    pending.push(Pending::Prefix(prefix));
                }
                Token::True | Token::False => {
                    operands.push(formulas.constant(token == Token::True));
                    self.advance();
                    return Ok(opened);
                }
                Token::Number if matches!(self.text(), "0" | "1") => {
                    operands.push(formulas.constant(self.text() == "1"));
                    self.advance();
                    return Ok(opened);
                }
                Token::Name => {
                    operands.push(formulas.atom(self.text()));
                    self.advance();
                    return Ok(opened);
                }
                Token::Quoted => {
                    let text = self.text();
                    if text.len() <= 2 {
                        return Err(Diagnostic::error(&codes::SYNTAX, span, "a name is empty"));
                    }
                    operands.push(formulas.atom(&text[1..text.len() - 1]));
                    self.advance();
                    return Ok(opened);
                }
                _ => return Err(self.unexpected("a formula")),
            }
        }
    }

    fn temporal_prefix(&mut self, token: Token) -> Result<Prefix, Diagnostic> {
        let ranged = self.token()? == Token::OpenBracket;
        if !ranged {
            return match token {
                Token::Finally => Ok(Prefix::Unary(Unary::Finally)),
                Token::Globally => Ok(Prefix::Unary(Unary::Globally)),
                Token::NextAll | Token::NextSome => Err(self.unexpected("`[`")),
                _ => Ok(Prefix::Unary(Unary::Next)),
            };
        }
        let start = self.span();
        self.advance();
        if token == Token::Next && self.accept(Token::Not) {
            self.expect(Token::CloseBracket, "`]`")?;
            return Ok(Prefix::Unary(Unary::Next));
        }
        let low = self.number()?;
        let several = self.accept(Token::Colon) || self.accept(Token::Range) || self.accept(Token::Comma);
        let high = match several {
            false => Some(low),
            true if self.accept(Token::Dollar) || self.token()? == Token::CloseBracket => None,
            true => Some(self.number()?),
        };
        self.expect(Token::CloseBracket, "`]`")?;
        let span = start.join(self.last_span());
        if high.is_some_and(|high| high < low) {
            return Err(Diagnostic::error(&codes::BAD_NUMBER, span, "the range ends before it begins"));
        }
        let nodes = 2 * u64::from(high.unwrap_or(low)) + 2;
        if self.budget < nodes {
            return Err(Diagnostic::error(&codes::TOO_LARGE, span, "the operator is repeated too often"));
        }
        self.budget -= nodes;
        Ok(match token {
            // One number alone: `F[n]` is within n steps, `X[n]` and `next[n]` are in n steps.
            Token::Next if !several => Prefix::Power(low),
            Token::Finally if !several => Prefix::Some(0, Some(low)),
            Token::Globally if !several => Prefix::All(0, Some(low)),
            Token::Globally | Token::NextAll => Prefix::All(low, high),
            _ => Prefix::Some(low, high),
        })
    }

    /// `= 0` or `= 1` behind an atom, as Acacia writes literals.
    fn equals(&mut self, formulas: &mut Formulas, operands: &mut [Formula]) -> Result<(), Diagnostic> {
        self.advance();
        let span = self.expect(Token::Number, "0 or 1")?;
        let last = operands.last_mut().expect("an operand was read");
        match self.source.slice(span) {
            "1" => Ok(()),
            "0" => {
                *last = formulas.not(*last);
                Ok(())
            }
            _ => Err(Diagnostic::error(&codes::BAD_NUMBER, span, "a signal is 0 or 1")),
        }
    }
}

fn infix(token: Token) -> Option<Infix> {
    Some(match token {
        Token::And => Infix::Plain(Binary::And),
        Token::Or => Infix::Plain(Binary::Or),
        Token::Xor => Infix::Plain(Binary::Xor),
        Token::Implies => Infix::Plain(Binary::Implies),
        Token::Iff => Infix::Plain(Binary::Iff),
        Token::Until => Infix::Plain(Binary::Until),
        Token::Release => Infix::Plain(Binary::Release),
        Token::WeakUntil => Infix::Plain(Binary::WeakUntil),
        Token::StrongRelease => Infix::Plain(Binary::StrongRelease),
        Token::UntilOverlapping => Infix::UntilOverlapping(false),
        Token::StrongUntilOverlapping => Infix::UntilOverlapping(true),
        Token::Before => Infix::Before(false, false),
        Token::StrongBefore => Infix::Before(true, false),
        Token::BeforeOverlapping => Infix::Before(false, true),
        Token::StrongBeforeOverlapping => Infix::Before(true, true),
        _ => return None,
    })
}

/// The level, and whether the operator associates to the right.
fn infix_level(infix: Infix) -> (u8, bool) {
    match infix {
        Infix::Plain(operator) => {
            let left = matches!(operator, Binary::And | Binary::Or | Binary::Xor);
            (level(operator), !left)
        }
        Infix::UntilOverlapping(_) | Infix::Before(..) => (level(Binary::Until), true),
    }
}

/// Applies what is pending and binds tighter than `limit`, down to the last open parenthesis.
fn reduce(formulas: &mut Formulas, operands: &mut Vec<Formula>, pending: &mut Vec<Pending>, limit: u8, right: bool) {
    while let Some(last) = pending.last() {
        let own = match last {
            Pending::Open(_) => return,
            Pending::Prefix(Prefix::Always | Prefix::Never) => 0,
            Pending::Prefix(_) => UNARY_LEVEL,
            Pending::Infix(infix) => infix_level(*infix).0,
        };
        if own < limit || (own == limit && right && 0 < limit) || (own == 0 && 0 < limit) {
            return;
        }
        let operand = operands.pop().expect("an operator has its operands");
        let result = match pending.pop().expect("there is a last one") {
            Pending::Open(_) => unreachable!("parentheses end the loop"),
            Pending::Prefix(prefix) => apply_prefix(formulas, prefix, operand),
            Pending::Infix(infix) => {
                let left = operands.pop().expect("an operator has its operands");
                apply_infix(formulas, infix, left, operand)
            }
        };
        operands.push(result);
    }
}

fn apply_prefix(formulas: &mut Formulas, prefix: Prefix, operand: Formula) -> Formula {
    match prefix {
        Prefix::Unary(operator) => formulas.unary(operator, operand),
        Prefix::Always => formulas.unary(Unary::Globally, operand),
        Prefix::Never => {
            let inner = formulas.not(operand);
            formulas.unary(Unary::Globally, inner)
        }
        Prefix::WeakNext => {
            let inner = formulas.not(operand);
            let next = formulas.unary(Unary::Next, inner);
            formulas.not(next)
        }
        Prefix::Power(count) => formulas.next(count, operand),
        Prefix::Some(low, high) => repeated(formulas, Binary::Or, Unary::Finally, low, high, operand),
        Prefix::All(low, high) => repeated(formulas, Binary::And, Unary::Globally, low, high, operand),
    }
}

/// `X^low (f | X (f | ... X f))`, or `X^low F f` without an end.
pub(crate) fn repeated(
    formulas: &mut Formulas,
    join: Binary,
    unbounded: Unary,
    low: u32,
    high: Option<u32>,
    operand: Formula,
) -> Formula {
    let inner = match high {
        None => formulas.unary(unbounded, operand),
        Some(high) => (low..high).fold(operand, |inner, _| {
            let later = formulas.unary(Unary::Next, inner);
            formulas.binary(join, operand, later)
        }),
    };
    formulas.next(low, inner)
}

fn apply_infix(formulas: &mut Formulas, infix: Infix, left: Formula, right: Formula) -> Formula {
    match infix {
        Infix::Plain(operator) => formulas.binary(operator, left, right),
        Infix::UntilOverlapping(strong) => {
            let both = formulas.binary(Binary::And, left, right);
            formulas.binary(if strong { Binary::Until } else { Binary::WeakUntil }, left, both)
        }
        Infix::Before(strong, overlapping) => {
            let wait = formulas.not(right);
            let event = if overlapping { left } else { formulas.binary(Binary::And, left, wait) };
            formulas.binary(if strong { Binary::Until } else { Binary::WeakUntil }, wait, event)
        }
    }
}
