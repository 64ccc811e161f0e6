//! Attributes: GNU's, C23's and Microsoft's. Those that change types or layouts are kept, the others skipped.

use super::{Parsed, Parser};
use crate::ast::{Alignment, Attributes, Opaque};
use crate::token::{Sign, TokenKind, Word};

impl Parser<'_> {
    /// Reads attributes, assembler names and `__extension__`, as many as there are.
    pub(super) fn attributes(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        loop {
            match self.kind() {
                TokenKind::Word(Word::Attribute) => self.gnu_attribute(attributes)?,
                TokenKind::Word(Word::Extension) => {
                    self.advance();
                }
                TokenKind::Word(Word::Declspec) => {
                    self.advance();
                    let start = self.span();
                    self.balanced()?;
                    attributes.noreturn |= self.text[self.since(start).range()].contains("noreturn");
                }
                TokenKind::Name(_) if self.is_calling_convention() => {
                    self.advance();
                }
                TokenKind::Sign(Sign::OpenBracket) if self.kind_ahead(1) == TokenKind::Sign(Sign::OpenBracket) => {
                    self.balanced()?
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether a word of Microsoft's compilers for how a function is called stands here, and not the name of something.
    fn is_calling_convention(&self) -> bool {
        let text = self.text[self.span().range()].trim_start_matches('_');
        let is_word = matches!(text, "cdecl" | "stdcall" | "fastcall" | "thiscall" | "vectorcall" | "pascal");
        let is_name = matches!(
            self.kind_ahead(1),
            TokenKind::Sign(Sign::Semicolon | Sign::Comma | Sign::Assign | Sign::CloseParen | Sign::OpenBracket)
        );
        is_word && self.text[self.span().range()].starts_with('_') && !is_name
    }

    /// `asm("name")` behind a declarator.
    pub(super) fn assembler_name(&mut self) -> Parsed<()> {
        if self.take_word(Word::Asm) { self.balanced() } else { Ok(()) }
    }

    /// Skips from an opening bracket to the one that closes it.
    pub(super) fn balanced(&mut self) -> Parsed<()> {
        let mut open = 0u32;
        loop {
            match self.kind() {
                TokenKind::Sign(Sign::OpenParen | Sign::OpenBracket | Sign::OpenBrace) => open += 1,
                TokenKind::Sign(Sign::CloseParen | Sign::CloseBracket | Sign::CloseBrace) if open > 0 => open -= 1,
                TokenKind::End => return Err(self.unexpected("a closing bracket")),
                _ if open == 0 => return Err(self.unexpected("`(`")),
                _ => {}
            }
            self.advance();
            if open == 0 {
                return Ok(());
            }
        }
    }

    fn gnu_attribute(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        self.advance();
        self.expect(Sign::OpenParen)?;
        self.expect(Sign::OpenParen)?;
        while !self.is(Sign::CloseParen) {
            if self.take(Sign::Comma) {
                continue;
            }
            let token = self.advance();
            if token.kind == TokenKind::End {
                return Err(self.unexpected("`)`"));
            }
            let text = &self.text[token.span.range()];
            let plain = text.strip_prefix("__").and_then(|text| text.strip_suffix("__")).unwrap_or(text);
            match plain {
                "packed" => attributes.packed = true,
                "noreturn" => attributes.noreturn = true,
                "transparent_union" => attributes.transparent_union = true,
                "vector_size" if self.take(Sign::OpenParen) => {
                    let bytes = self.assignment()?;
                    self.expect(Sign::CloseParen)?;
                    attributes.opaque = Some(Opaque::Vector(Box::new(bytes)));
                    continue;
                }
                "aligned" => {
                    if self.take(Sign::OpenParen) {
                        let bytes = self.assignment()?;
                        self.expect(Sign::CloseParen)?;
                        attributes.aligned.push(Some(Alignment::Bytes(Box::new(bytes))));
                    } else {
                        attributes.aligned.push(None);
                    }
                    continue;
                }
                "mode" if self.is(Sign::OpenParen) => {
                    self.advance();
                    attributes.mode = Some(self.expect_name()?.0);
                    self.expect(Sign::CloseParen)?;
                    continue;
                }
                _ => {}
            }
            if self.is(Sign::OpenParen) {
                self.balanced()?;
            }
        }
        self.expect(Sign::CloseParen)?;
        self.expect(Sign::CloseParen)?;
        Ok(())
    }
}
