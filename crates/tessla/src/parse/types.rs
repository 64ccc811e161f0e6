//! Types.

use crate::ast::{Name, TypeExpr, TypeKind};
use crate::lex::Token;

use super::{DEPTH, Parsed, Parser};

impl Parser {
    pub(super) fn type_expr(&mut self) -> Parsed<TypeExpr> {
        self.depth += 1;
        if self.depth > DEPTH {
            let place = self.here();
            return self.too_deep(place);
        }
        let of = self.type_inner();
        self.depth -= 1;
        of
    }

    fn type_inner(&mut self) -> Parsed<TypeExpr> {
        let start = self.here();
        // How arguments are evaluated is written before types in newer specifications; evaluation is on demand here.
        let is_mode = matches!(self.token(), Token::Name(name) if matches!(&**name, "strict" | "lazy"));
        if is_mode && matches!(self.token_after(1), Token::Name(_) | Token::Sign("(" | "{" | "${")) {
            self.advance();
        }
        let kind = match self.token() {
            Token::Sign("(") => self.tuple_or_function()?,
            Token::Sign("{" | "${") => self.object_type()?,
            Token::Name(_) => self.named_type()?,
            _ => return self.unexpected("a type"),
        };
        Ok(TypeExpr { kind, place: self.since(start) })
    }

    fn tuple_or_function(&mut self) -> Parsed<TypeKind> {
        self.advance();
        let mut types = self.listed(")", Parser::type_expr)?;
        if self.accept("=>").is_some() {
            self.skip_newlines();
            return Ok(TypeKind::Function(types, Box::new(self.type_expr()?)));
        }
        match types.len() {
            1 => Ok(types.remove(0).kind),
            _ => Ok(TypeKind::Tuple(types)),
        }
    }

    fn object_type(&mut self) -> Parsed<TypeKind> {
        if self.is_sign("${") {
            let place = self.here();
            self.deprecated(place, "Use of '${' for objects is deprecated, use '{' instead");
        }
        self.advance();
        let mut open = false;
        let members = self.listed("}", |parser| {
            if parser.accept("..").is_some() {
                open = true;
                return Ok(None);
            }
            parser.member_type().map(Some)
        })?;
        Ok(TypeKind::Object(members.into_iter().flatten().collect(), open))
    }

    fn member_type(&mut self) -> Parsed<(Name, TypeExpr)> {
        let name = self.name()?;
        self.expect(":")?;
        self.skip_newlines();
        Ok((name, self.type_expr()?))
    }

    fn named_type(&mut self) -> Parsed<TypeKind> {
        let mut path = vec![self.name()?];
        while self.accept(".").is_some() {
            path.push(self.name()?);
        }
        let arguments = if self.accept("[").is_some() { self.listed("]", Parser::type_expr)? } else { Vec::new() };
        Ok(TypeKind::Named(path, arguments))
    }
}
