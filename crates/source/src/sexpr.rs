//! S-expressions as SMT-LIB writes them: text to an arena of nodes with spans, without recursion.
//!
//! ```
//! let text = "(assert (= x #x0f)) ; a comment";
//! let read = source::SExprs::read(text).unwrap();
//! let assert = read.roots()[0];
//! let [command, equation] = read.list(assert).unwrap() else { panic!() };
//! assert_eq!(read.symbol(text, *command), Some("assert"));
//! assert_eq!(&text[read.span(*equation).range()], "(= x #x0f)");
//! ```

use std::fmt;

use crate::Span;

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SExprKind {
    /// `abc`, `<=`, `bvadd`.
    Symbol,
    /// `|any text|`; its span has the bars.
    QuotedSymbol,
    /// `:named`; its span has the colon.
    Keyword,
    /// `12`.
    Numeral,
    /// `1.25`.
    Decimal,
    /// `#x0F`.
    Hex,
    /// `#b01`.
    Binary,
    /// `"text"`; its span has the quotes.
    String,
    /// `( … )`.
    List,
}

/// The id of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SExpr(u32);

/// The nodes of one text.
#[derive(Clone, Debug, Default)]
pub struct SExprs {
    nodes: Vec<Node>,
    /// The children of lists, each list's together.
    children: Vec<SExpr>,
    roots: Vec<SExpr>,
}

#[derive(Clone, Debug)]
struct Node {
    kind: SExprKind,
    span: Span,
    /// Where the children of a list are.
    first: u32,
    count: u32,
}

/// Text that is not a sequence of s-expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SExprError {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
}

impl SExprs {
    /// Reads a whole text.
    ///
    /// # Errors
    /// On the first place that is not a s-expression.
    pub fn read(text: &str) -> Result<SExprs, SExprError> {
        if u32::try_from(text.len()).is_err() {
            let message = "the text is longer than 4 GiB".to_owned();
            return Err(SExprError { span: Span::new(0, 0), message });
        }
        let mut reader = Reader { text: text.as_bytes(), at: 0, read: SExprs::default(), items: vec![], open: vec![] };
        reader.run()?;
        Ok(reader.read)
    }

    /// The expressions that stand in no list, in order.
    pub fn roots(&self) -> &[SExpr] {
        &self.roots
    }

    /// What a node is.
    pub fn kind(&self, node: SExpr) -> SExprKind {
        self.nodes[node.0 as usize].kind
    }

    /// Where a node stands.
    pub fn span(&self, node: SExpr) -> Span {
        self.nodes[node.0 as usize].span
    }

    /// The items of a list; nothing for an atom.
    pub fn list(&self, node: SExpr) -> Option<&[SExpr]> {
        let node = &self.nodes[node.0 as usize];
        let (first, count) = (node.first as usize, node.count as usize);
        (node.kind == SExprKind::List).then(|| &self.children[first..first + count])
    }

    /// The text of a node as written in `text`, which is the text it was read from.
    pub fn text<'a>(&self, text: &'a str, node: SExpr) -> &'a str {
        &text[self.span(node).range()]
    }

    /// The name of a symbol, without the bars of a quoted one; nothing for other nodes.
    pub fn symbol<'a>(&self, text: &'a str, node: SExpr) -> Option<&'a str> {
        let written = self.text(text, node);
        match self.kind(node) {
            SExprKind::Symbol => Some(written),
            SExprKind::QuotedSymbol => Some(&written[1..written.len() - 1]),
            SExprKind::Keyword
            | SExprKind::Numeral
            | SExprKind::Decimal
            | SExprKind::Hex
            | SExprKind::Binary
            | SExprKind::String
            | SExprKind::List => None,
        }
    }
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    read: SExprs,
    /// The items of all open lists, innermost last.
    items: Vec<SExpr>,
    /// The open lists: where the parenthesis stands, and where the list's items start.
    open: Vec<(usize, usize)>,
}

impl Reader<'_> {
    fn run(&mut self) -> Result<(), SExprError> {
        while let Some(&byte) = self.text.get(self.at) {
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => self.skip_while(|byte| byte != b'\n'),
                b'(' => {
                    self.at += 1;
                    self.open.push((start, self.items.len()));
                }
                b')' => self.close()?,
                b'"' => self.string()?,
                b'|' => self.quoted()?,
                b':' => {
                    self.at += 1;
                    self.skip_while(is_symbol_byte);
                    self.atom(start, SExprKind::Keyword);
                }
                b'#' => self.pattern()?,
                b'0'..=b'9' => self.number()?,
                byte if is_symbol_byte(byte) => {
                    self.skip_while(is_symbol_byte);
                    self.atom(start, SExprKind::Symbol);
                }
                _ => return Err(self.bad_character()),
            }
        }
        match self.open.last() {
            Some(&(start, _)) => Err(error(start, start + 1, "this parenthesis is never closed")),
            None => Ok(()),
        }
    }

    fn close(&mut self) -> Result<(), SExprError> {
        let Some((start, items)) = self.open.pop() else {
            return Err(error(self.at, self.at + 1, "this parenthesis closes nothing"));
        };
        self.at += 1;
        let first = self.read.children.len() as u32;
        let count = (self.items.len() - items) as u32;
        self.read.children.extend(self.items.drain(items..));
        self.push(Node { kind: SExprKind::List, span: Span::new(start, self.at), first, count });
        Ok(())
    }

    fn string(&mut self) -> Result<(), SExprError> {
        let start = self.at;
        loop {
            self.at += 1;
            self.skip_while(|byte| byte != b'"');
            if self.at == self.text.len() {
                return Err(error(start, start + 1, "this string never ends"));
            }
            self.at += 1;
            if self.text.get(self.at) != Some(&b'"') {
                self.atom(start, SExprKind::String);
                return Ok(());
            }
        }
    }

    fn quoted(&mut self) -> Result<(), SExprError> {
        let start = self.at;
        self.at += 1;
        self.skip_while(|byte| byte != b'|');
        if self.at == self.text.len() {
            return Err(error(start, start + 1, "this quoted symbol never ends"));
        }
        self.at += 1;
        self.atom(start, SExprKind::QuotedSymbol);
        Ok(())
    }

    fn pattern(&mut self) -> Result<(), SExprError> {
        let start = self.at;
        let (kind, is_digit): (_, fn(u8) -> bool) = match self.text.get(start + 1) {
            Some(b'x') => (SExprKind::Hex, |byte| byte.is_ascii_hexdigit()),
            Some(b'b') => (SExprKind::Binary, |byte| byte == b'0' || byte == b'1'),
            _ => return Err(error(start, start + 1, "`#` starts a bit pattern: `#x` or `#b`")),
        };
        self.at += 2;
        self.skip_while(is_digit);
        if self.at == start + 2 || self.text.get(self.at).is_some_and(|&byte| is_symbol_byte(byte)) {
            self.skip_while(is_symbol_byte);
            return Err(error(start, self.at, "a bit pattern is `#x` and hexadecimal or `#b` and binary digits"));
        }
        self.atom(start, kind);
        Ok(())
    }

    fn number(&mut self) -> Result<(), SExprError> {
        let start = self.at;
        let mut kind = SExprKind::Numeral;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.text.get(self.at) == Some(&b'.') && self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
            kind = SExprKind::Decimal;
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if self.text.get(self.at).is_some_and(|&byte| is_symbol_byte(byte)) {
            self.skip_while(is_symbol_byte);
            return Err(error(start, self.at, "a symbol does not start with a digit"));
        }
        self.atom(start, kind);
        Ok(())
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.text.get(self.at).is_some_and(|&byte| wanted(byte)) {
            self.at += 1;
        }
    }

    fn atom(&mut self, start: usize, kind: SExprKind) {
        self.push(Node { kind, span: Span::new(start, self.at), first: 0, count: 0 });
    }

    fn push(&mut self, node: Node) {
        let id = SExpr(self.read.nodes.len() as u32);
        self.read.nodes.push(node);
        if self.open.is_empty() {
            self.read.roots.push(id);
        } else {
            self.items.push(id);
        }
    }

    fn bad_character(&self) -> SExprError {
        let mut end = self.at + 1;
        while self.text.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end += 1;
        }
        let said = String::from_utf8_lossy(&self.text[self.at..end]);
        error(self.at, end, format!("`{}` is not a character of an s-expression", said.escape_debug()))
    }
}

fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

fn error(start: usize, end: usize, message: impl Into<String>) -> SExprError {
    SExprError { span: Span::new(start, end), message: message.into() }
}

impl fmt::Display for SExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SExprError {}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every node with its kind, children before parents.
    fn dump(text: &str) -> String {
        match SExprs::read(text) {
            Ok(read) => {
                read.nodes.iter().map(|node| format!("{:?} {}\n", node.kind, &text[node.span.range()])).collect()
            }
            Err(error) => format!("{}..{} {}", error.span.start, error.span.end, error.message),
        }
    }

    #[test]
    fn every_kind_of_node() {
        assert_eq!(
            dump("(a |b c| :k 1 1.5 #xFf #b01 \"s\"\"t\") ; end\n<="),
            "Symbol a\nQuotedSymbol |b c|\nKeyword :k\nNumeral 1\nDecimal 1.5\nHex #xFf\nBinary #b01\nString \"s\"\"t\"\n\
             List (a |b c| :k 1 1.5 #xFf #b01 \"s\"\"t\")\nSymbol <=\n"
        );
    }

    #[test]
    fn errors_point_at_the_culprit() {
        for (text, expected) in [
            ("(a (b)", "0..1 this parenthesis is never closed"),
            ("a)", "1..2 this parenthesis closes nothing"),
            ("\"abc", "0..1 this string never ends"),
            ("|abc", "0..1 this quoted symbol never ends"),
            ("a \0", "2..3 `\\0` is not a character of an s-expression"),
            ("é", "0..2 `é` is not a character of an s-expression"),
            ("#y", "0..1 `#` starts a bit pattern: `#x` or `#b`"),
            ("#b012", "0..5 a bit pattern is `#x` and hexadecimal or `#b` and binary digits"),
            ("1a", "0..2 a symbol does not start with a digit"),
        ] {
            assert_eq!(dump(text), expected, "{text:?}");
        }
    }

    #[test]
    fn lists_know_their_items() {
        let text = "(f (g x) () y)";
        let read = SExprs::read(text).unwrap();
        let items = read.list(read.roots()[0]).unwrap();
        let texts: Vec<_> = items.iter().map(|&item| read.text(text, item)).collect();
        assert_eq!(texts, ["f", "(g x)", "()", "y"]);
        assert_eq!(read.list(items[2]), Some(&[][..]));
        assert_eq!(read.list(items[0]), None);
        let quoted = SExprs::read("|a b|").unwrap();
        assert_eq!(quoted.symbol("|a b|", quoted.roots()[0]), Some("a b"));
    }

    #[test]
    fn a_million_parentheses_need_no_stack() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert_eq!(SExprs::read(&text).unwrap().roots().len(), 1);
    }
}
