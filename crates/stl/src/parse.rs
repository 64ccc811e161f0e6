//! Reads an `.stl` file into its syntax tree, by operator precedence with an explicit stack: nesting has no limit.
//!
//! From tight to loose: `! G F N O H`, `U S`, `R`, `&`, `|`, `->`, `<-> xor`; infix operators associate to the left.

mod arithmetic;

use source::{Diagnostic, Source, Span};

use crate::ast::{Ast, Bounds, Expr, ExprId, ExprKind, Infix, Item, ItemKind, Prefix, Product, Sum};
use crate::codes;
use crate::lex::{Token, words};
use crate::store::Relation;

/// The syntax tree of a text.
///
/// # Errors
/// What is wrong with the text.
pub fn parse(source: &Source) -> Result<Ast, Vec<Diagnostic>> {
    let mut parser = Parser { source, words: words(source.text()), next: 0, ast: Ast::default() };
    match parser.file() {
        Ok(()) => Ok(parser.ast),
        Err(error) => Err(vec![*error]),
    }
}

type Parsed<T> = Result<T, Box<Diagnostic>>;

struct Parser<'a> {
    source: &'a Source,
    words: Vec<(Token, Span)>,
    next: usize,
    ast: Ast,
}

/// What waits for an operand.
enum Waiting {
    Bracket(Span),
    Prefix(Prefix, Span),
    Infix(Infix, ExprId),
}

/// A function of sums that stands on the left of a comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extremum {
    Absolute,
    Least,
    Greatest,
}

impl Extremum {
    fn named(name: &str) -> Option<Extremum> {
        match name {
            "abs" => Some(Extremum::Absolute),
            "min" => Some(Extremum::Least),
            "max" => Some(Extremum::Greatest),
            _ => None,
        }
    }
}

impl Parser<'_> {
    fn file(&mut self) -> Parsed<()> {
        loop {
            if let Some(kind) = self.item_word() {
                self.item(kind)?;
            } else if self.ahead(1) == Token::Define {
                if self.named_formula()? {
                    return Ok(());
                }
            } else {
                break;
            }
        }
        if self.token() == Token::End {
            let message = "the formula is missing";
            return Err(Box::new(Diagnostic::error(&codes::EMPTY, self.span(), message)));
        }
        let formula = self.formula()?;
        self.ast.formula = Some(formula);
        if self.token() == Token::Semicolon {
            self.bump();
        }
        match self.token() {
            Token::End => Ok(()),
            _ => self.fail("an operator or the end of the file"),
        }
    }

    /// The word that starts an item, if one does: these words may also name signals.
    fn item_word(&self) -> Option<&'static str> {
        let (word, after) = (self.source.slice(self.span()), self.ahead(1));
        let known = ["title", "requirement", "unit", "step", "enum", "param", "let"];
        let known = known.into_iter().find(|known| *known == word)?;
        if after == Token::Define {
            return None;
        }
        let wanted = if matches!(known, "title" | "requirement") { Token::Text } else { Token::Name };
        let keyword = matches!(after, Token::Globally | Token::Finally | Token::Next | Token::Until | Token::Release);
        (after == wanted || wanted == Token::Name && keyword && self.ahead(2) == Token::Define).then_some(known)
    }

    fn item(&mut self, word: &str) -> Parsed<()> {
        self.bump();
        let (token, name) = (self.token(), self.span());
        if !matches!(token, Token::Name | Token::Text) {
            return Err(self.keyword(name));
        }
        self.bump();
        let text = || self.source.slice(name).trim_matches('"').to_owned();
        let kind = match word {
            "title" => ItemKind::Title(text()),
            "requirement" => ItemKind::Requirement(text()),
            "unit" => ItemKind::Unit,
            "step" => ItemKind::Steps(self.names(name)?),
            "enum" => {
                self.expect(Token::Define, "`=` and the values, as in `{off, on}`")?;
                self.expect(Token::OpenBrace, "`{` and the values")?;
                let first = self.expect(Token::Name, "the name of a value")?;
                let values = self.names(first)?;
                self.expect(Token::CloseBrace, "`}`")?;
                ItemKind::Enumeration(values)
            }
            "param" => {
                self.expect(Token::Define, "`=` and the parameter's value")?;
                ItemKind::Parameter(self.sum()?)
            }
            _ => {
                self.expect(Token::Define, "`=` and the formula it stands for")?;
                ItemKind::Definition(self.formula()?)
            }
        };
        self.expect(Token::Semicolon, "`;`")?;
        self.ast.items.push(Item { name, kind });
        Ok(())
    }

    /// Further names behind a first one, separated by commas.
    fn names(&mut self, first: Span) -> Parsed<Vec<Span>> {
        let mut names = vec![first];
        while self.token() == Token::Comma {
            self.bump();
            names.push(self.expect(Token::Name, "a name")?);
        }
        Ok(names)
    }

    /// `name = formula`, as other tools write definitions; the last one of a file is what is specified. Says whether it was the last.
    fn named_formula(&mut self) -> Parsed<bool> {
        let name = self.span();
        let token = self.token();
        self.bump();
        let sign = self.bump();
        match token {
            Token::Name => {}
            Token::Globally | Token::Finally | Token::Next | Token::Until | Token::Release => {
                return Err(self.keyword(name));
            }
            _ => return Err(self.no_comparison(sign)),
        }
        let lone = matches!(self.ahead(1), Token::Semicolon | Token::End);
        let formula = match self.token() {
            Token::Name | Token::Number if lone => return Err(self.no_comparison(sign)),
            _ => self.formula()?,
        };
        self.ast.items.push(Item { name, kind: ItemKind::Definition(formula) });
        if self.token() == Token::Semicolon {
            self.bump();
        } else if self.token() != Token::End {
            return self.fail("an operator, `;` or the end of the file");
        }
        if self.token() != Token::End {
            return Ok(false);
        }
        self.ast.formula = Some(self.push(ExprKind::Name, name));
        Ok(true)
    }

    /// Complains about a `=` where a comparison is meant.
    fn no_comparison(&self, sign: Span) -> Box<Diagnostic> {
        let message = "`=` does not compare";
        let help = "Write `==` to compare. `name = formula;` before the formula defines a name.";
        Box::new(Diagnostic::error(&codes::SYNTAX, sign, message).help(help))
    }

    fn formula(&mut self) -> Parsed<ExprId> {
        let mut stack: Vec<Waiting> = Vec::new();
        loop {
            let Some(mut operand) = self.operand(&mut stack)? else { continue };
            loop {
                operand = self.apply_prefixes(&mut stack, operand);
                if self.token() != Token::Close {
                    break;
                }
                operand = self.reduce(&mut stack, operand, 0);
                let Some(Waiting::Bracket(open)) = stack.pop() else {
                    let message = "this bracket closes nothing";
                    return Err(Box::new(Diagnostic::error(&codes::SYNTAX, self.span(), message)));
                };
                let close = self.bump();
                self.ast.exprs[operand.0 as usize].span = open.join(close);
            }
            let Some(infix) = self.infix()? else {
                let operand = self.reduce(&mut stack, operand, 0);
                return match stack.pop() {
                    None => Ok(operand),
                    Some(Waiting::Bracket(open)) => Err(self.unclosed(open)),
                    Some(Waiting::Prefix(..) | Waiting::Infix(..)) => unreachable!("reduced above"),
                };
            };
            operand = self.reduce(&mut stack, operand, precedence(&infix));
            stack.push(Waiting::Infix(infix, operand));
        }
    }

    /// Reads an operand, or what comes before one.
    fn operand(&mut self, stack: &mut Vec<Waiting>) -> Parsed<Option<ExprId>> {
        let span = self.span();
        let prefix = match self.token() {
            Token::Not => {
                self.bump();
                Prefix::Not
            }
            operator @ (Token::Globally | Token::Finally | Token::Once | Token::Historically) => {
                self.bump();
                self.refuse_as_name(span)?;
                let bounds = self.window(span)?;
                match operator {
                    Token::Globally => Prefix::Globally(bounds),
                    Token::Once => Prefix::Once(bounds),
                    Token::Historically => Prefix::Historically(bounds),
                    _ => Prefix::Finally(bounds),
                }
            }
            Token::Next => {
                self.bump();
                self.refuse_as_name(span)?;
                self.expect(Token::OpenBracket, "`[`, the time step of `N`, and `]`")?;
                let time = self.sum()?;
                self.expect(Token::CloseBracket, "`]`: `N` takes one number")?;
                Prefix::Next(time)
            }
            Token::Name if self.ahead(1) == Token::OpenBracket && self.edge(span).is_some() => {
                let edge = self.edge(span).expect("it was looked up");
                self.bump();
                self.bump();
                let time = self.sum()?;
                self.expect(Token::CloseBracket, "`]`: `prev`, `rise` and `fall` take one number")?;
                edge(time)
            }
            Token::Until | Token::Release | Token::Since => return Err(self.keyword(span)),
            Token::Open if !self.starts_vector() => {
                stack.push(Waiting::Bracket(self.bump()));
                return Ok(None);
            }
            Token::True | Token::False => {
                let truth = self.token() == Token::True;
                self.bump();
                return Ok(Some(self.push(ExprKind::Constant(truth), span)));
            }
            Token::Open | Token::Number | Token::Name | Token::Minus | Token::Plus => {
                return self.proposition().map(Some);
            }
            Token::Or => return Err(self.no_bars(span)),
            _ => return self.fail("a formula"),
        };
        stack.push(Waiting::Prefix(prefix, span));
        Ok(None)
    }

    /// The operator that compares now with so long ago, if a name is one.
    fn edge(&self, name: Span) -> Option<fn(Sum) -> Prefix> {
        match self.source.slice(name) {
            "prev" => Some(Prefix::Previous),
            "rise" => Some(Prefix::Rise),
            "fall" => Some(Prefix::Fall),
            _ => None,
        }
    }

    /// A Boolean signal, a definition or a comparison.
    fn proposition(&mut self) -> Parsed<ExprId> {
        if self.token() == Token::Name
            && self.ahead(1) == Token::Open
            && let Some(extremum) = Extremum::named(self.source.slice(self.span()))
        {
            return self.extremum(extremum);
        }
        let left = self.linear()?;
        let Some(relation) = self.relation() else {
            return match (self.token(), left.as_name()) {
                (Token::Define, _) => Err(self.no_comparison(self.span())),
                (Token::Open, Some(name)) => Err(self.no_function(name)),
                (Token::OpenBracket, Some(name)) => Err(self.no_operator(name)),
                (_, Some(name)) => Ok(self.push(ExprKind::Name, name)),
                (_, None) => self.fail("a comparison such as `<=`"),
            };
        };
        self.bump();
        let right = self.linear()?;
        match (self.token(), right.products.last().and_then(|product| product.factors.last())) {
            (Token::Define, _) => return Err(self.no_comparison(self.span())),
            (Token::Open, Some(factor)) if factor.number.is_none() => return Err(self.no_function(factor.span)),
            _ => {}
        }
        if self.relation().is_some() {
            let message = "comparisons cannot be chained";
            let help = "Write `0 < x & x < 5`.";
            return Err(Box::new(Diagnostic::error(&codes::SYNTAX, self.span(), message).help(help)));
        }
        let span = left.span.join(right.span);
        Ok(self.push(ExprKind::Compare(left, relation, right), span))
    }

    /// `max(v, s) <= 3`: all sums are below; above, one of them is. With `min` it is the other way round, and `abs(v)` is `max(v, -v)`.
    fn extremum(&mut self, extremum: Extremum) -> Parsed<ExprId> {
        let name = self.bump();
        self.bump();
        let mut sums = vec![self.sum()?];
        while self.token() == Token::Comma && extremum != Extremum::Absolute {
            self.bump();
            sums.push(self.sum()?);
        }
        self.expect(Token::Close, "`)`")?;
        if extremum == Extremum::Absolute {
            let turned = |product: &Product| Product { negative: !product.negative, ..product.clone() };
            let opposite = sums[0].products.iter().map(turned).collect();
            sums.push(Sum { products: opposite, span: sums[0].span });
        }
        let joined = match (self.relation(), extremum) {
            (Some(Relation::Less | Relation::AtMost), Extremum::Absolute | Extremum::Greatest)
            | (Some(Relation::Greater | Relation::AtLeast), Extremum::Least) => Infix::And,
            (Some(Relation::Greater | Relation::AtLeast), Extremum::Absolute | Extremum::Greatest)
            | (Some(Relation::Less | Relation::AtMost), Extremum::Least) => Infix::Or,
            (Some(Relation::Equal | Relation::NotEqual) | None, _) => return Err(self.no_function(name)),
        };
        let relation = self.relation().expect("it was read");
        self.bump();
        let right = self.linear()?;
        let span = name.join(right.span);
        let mut whole: Option<ExprId> = None;
        for sum in sums {
            let one = self.push(ExprKind::Compare(sum, relation, right.clone()), span);
            whole = Some(match whole {
                Some(before) => self.push(ExprKind::Infix(joined.clone(), before, one), span),
                None => one,
            });
        }
        Ok(whole.expect("there is at least one sum"))
    }

    fn infix(&mut self) -> Parsed<Option<Infix>> {
        let span = self.span();
        Ok(Some(match self.token() {
            Token::And => {
                self.bump();
                Infix::And
            }
            Token::Or => {
                self.bump();
                Infix::Or
            }
            Token::Implies => {
                self.bump();
                Infix::Implies
            }
            Token::Iff => {
                self.bump();
                Infix::Iff
            }
            Token::Xor => {
                self.bump();
                Infix::Xor
            }
            operator @ (Token::Until | Token::Release | Token::Since) => {
                self.bump();
                let bounds = self.window(span)?;
                match operator {
                    Token::Until => Infix::Until(bounds),
                    Token::Since => Infix::Since(bounds),
                    _ => Infix::Release(bounds),
                }
            }
            _ => return Ok(None),
        }))
    }

    fn apply_prefixes(&mut self, stack: &mut Vec<Waiting>, mut operand: ExprId) -> ExprId {
        while matches!(stack.last(), Some(Waiting::Prefix(..))) {
            if let Some(Waiting::Prefix(prefix, start)) = stack.pop() {
                let span = start.join(self.ast.exprs[operand.0 as usize].span);
                operand = self.push(ExprKind::Prefix(prefix, operand), span);
            }
        }
        operand
    }

    /// Applies the waiting infix operators that bind at least as tightly as `least`.
    fn reduce(&mut self, stack: &mut Vec<Waiting>, mut right: ExprId, least: u8) -> ExprId {
        while matches!(stack.last(), Some(Waiting::Infix(infix, _)) if least <= precedence(infix)) {
            if let Some(Waiting::Infix(infix, left)) = stack.pop() {
                let span = self.ast.exprs[left.0 as usize].span.join(self.ast.exprs[right.0 as usize].span);
                self.note_mixing(&infix, left, right, span);
                right = self.push(ExprKind::Infix(infix, left, right), span);
            }
        }
        right
    }

    /// Remembers chains that are read differently elsewhere: an unbracketed temporal operand, or `->` after `->`.
    fn note_mixing(&mut self, infix: &Infix, left: ExprId, right: ExprId, span: Span) {
        let bare = |id: ExprId| {
            let expr = &self.ast.exprs[id.0 as usize];
            !self.source.slice(expr.span).starts_with('(') || !self.source.slice(expr.span).ends_with(')')
        };
        let temporal = |id: ExprId| {
            matches!(
                &self.ast.exprs[id.0 as usize].kind,
                ExprKind::Infix(Infix::Until(_) | Infix::Release(_) | Infix::Since(_), ..)
            )
        };
        let implication =
            |id: ExprId| matches!(&self.ast.exprs[id.0 as usize].kind, ExprKind::Infix(Infix::Implies, ..));
        let mixed = match infix {
            Infix::Implies => bare(left) && (implication(left) || temporal(left)) || bare(right) && temporal(right),
            Infix::And
            | Infix::Or
            | Infix::Iff
            | Infix::Xor
            | Infix::Until(_)
            | Infix::Release(_)
            | Infix::Since(_) => bare(left) && temporal(left) || bare(right) && temporal(right),
        };
        if mixed {
            self.ast.mixed.push(span);
        } else if matches!(infix, Infix::Implies) && bare(left) {
            let narrow = match &self.ast.exprs[left.0 as usize].kind {
                ExprKind::Prefix(
                    Prefix::Globally(bounds)
                    | Prefix::Finally(bounds)
                    | Prefix::Once(bounds)
                    | Prefix::Historically(bounds),
                    arg,
                ) => Some((bounds.span, *arg)).filter(|(_, arg)| bare(*arg)),
                _ => None,
            };
            if let Some((window, _)) = narrow {
                let operator = self.ast.exprs[left.0 as usize].span;
                self.ast.narrow.push((Span { end: window.end, ..operator }, span));
            }
        }
    }

    fn window(&mut self, operator: Span) -> Parsed<Bounds> {
        if self.token() != Token::OpenBracket {
            return Ok(Bounds { bounds: None, span: operator });
        }
        let open = self.bump();
        let lower = self.sum()?;
        if !matches!(self.token(), Token::Comma | Token::Colon) {
            return self.fail("`,` and the upper bound").map_err(|error: Box<Diagnostic>| {
                Box::new(error.help("A window is written `[0,10]` or `[0:10]`, the lower bound first."))
            });
        }
        self.bump();
        let upper = if self.source.slice(self.span()) == "inf" {
            self.bump();
            None
        } else {
            Some(self.sum()?)
        };
        let close = self.expect(Token::CloseBracket, "`]`")?;
        Ok(Bounds { bounds: Some((lower, upper)), span: open.join(close) })
    }
}

fn precedence(infix: &Infix) -> u8 {
    match infix {
        Infix::Iff | Infix::Xor => 1,
        Infix::Implies => 2,
        Infix::Or => 3,
        Infix::And => 4,
        Infix::Release(_) => 5,
        Infix::Until(_) | Infix::Since(_) => 6,
    }
}

/// Words and complaints.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.words[self.next].0
    }

    fn span(&self) -> Span {
        self.words[self.next].1
    }

    fn ahead(&self, count: usize) -> Token {
        self.words.get(self.next + count).map_or(Token::End, |word| word.0)
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        self.next = (self.next + 1).min(self.words.len() - 1);
        span
    }

    fn expect(&mut self, token: Token, expected: &str) -> Parsed<Span> {
        if self.token() == token { Ok(self.bump()) } else { self.fail(expected) }
    }

    fn push(&mut self, kind: ExprKind, span: Span) -> ExprId {
        let id = u32::try_from(self.ast.exprs.len()).expect("a text shorter than 4 GiB has fewer expressions");
        self.ast.exprs.push(Expr { kind, span });
        ExprId(id)
    }

    fn fail<T>(&self, expected: &str) -> Parsed<T> {
        let text = self.source.slice(self.span());
        let short: String = text.chars().take(24).collect();
        let found = match self.token() {
            Token::End => "the end of the file".to_owned(),
            Token::Stray => format!("`{}`, which starts no word", short.escape_debug()),
            _ if short.len() < text.len() => format!("`{short}…`"),
            _ => format!("`{short}`"),
        };
        let message = format!("expected {expected}, found {found}");
        Err(Box::new(Diagnostic::error(&codes::SYNTAX, self.span(), message)))
    }

    /// Complains about `abs(v)` and the like.
    fn no_function(&self, name: Span) -> Box<Diagnostic> {
        let word = self.source.slice(name);
        let message = format!("`{word}` is not a function: comparisons are sums of signals");
        let help = match word {
            "abs" => {
                "`abs(v) <= 3`, with one of `<`, `<=`, `>` and `>=` right behind the bracket, is understood; write others as comparisons of `v`."
            }
            "prev" | "rise" | "fall" => {
                "Say over which time: `rise[0.1] p` is true where `p` holds and did not 0.1 ago; `fall` and `prev` are written the same way."
            }
            "min" | "max" => {
                "`max(v, w) <= 3`, with one of `<`, `<=`, `>` and `>=` right behind the bracket, is understood, and `min` too; write others as \
                 comparisons of `v` and `w`."
            }
            _ => {
                "Compute the value outside and give it as a signal of its own; between a signal and a bracket an operator is needed."
            }
        };
        Box::new(Diagnostic::error(&codes::NOT_LINEAR, name, message).help(help))
    }

    /// Complains about `X[0,2] p` and the like.
    fn no_operator(&self, name: Span) -> Box<Diagnostic> {
        let message = format!("`{}` is not an operator with a window", self.source.slice(name));
        let help = "The operators are `G`, `F`, `N`, `U` and `R`, or `always`, `eventually`, `until` and `release`, which look ahead, \
                    and `O`, `H` and `S`, or `once`, `historically` and `since`, which look back.";
        Box::new(Diagnostic::error(&codes::SYNTAX, name, message).help(help))
    }

    /// Complains about `|v - s|`.
    fn no_bars(&self, span: Span) -> Box<Diagnostic> {
        let message = "`|` means `or` and needs a formula on its left";
        let help = "For `|v - s| <= 3` write `v - s <= 3 & s - v <= 3`.";
        Box::new(Diagnostic::error(&codes::SYNTAX, span, message).help(help))
    }

    fn unclosed(&self, open: Span) -> Box<Diagnostic> {
        match self.fail::<()>("`)` or an operator") {
            Err(error) => Box::new(error.also(open, "this bracket is open")),
            Ok(()) => unreachable!("fail fails"),
        }
    }

    fn keyword(&self, span: Span) -> Box<Diagnostic> {
        let name = self.source.slice(span);
        let message = format!("`{name}` is a temporal operator and cannot name a signal");
        Box::new(Diagnostic::error(&codes::KEYWORD, span, message).help(format!("Rename it, for instance `{name}1`.")))
    }

    /// Complains when the operator just read stands where a signal would.
    fn refuse_as_name(&self, operator: Span) -> Parsed<()> {
        match self.token() {
            Token::Eq
            | Token::Define
            | Token::Ne
            | Token::Lt
            | Token::Le
            | Token::Gt
            | Token::Ge
            | Token::And
            | Token::Or
            | Token::Implies
            | Token::Close
            | Token::Semicolon
            | Token::End => Err(self.keyword(operator)),
            _ => Ok(()),
        }
    }
}
