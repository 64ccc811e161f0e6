//! Declarations, declarators and the types in them.

use source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::{
    Alignment, Attributes, Basic, Declaration, Declarator, Derived, Designator, EnumSpecifier, FunctionDefinition,
    InitDeclarator, Initialiser, InitialiserItem, Item, Member, MemberDeclaration, Opaque, Parameter, Parameters,
    RecordSpecifier, Specifiers, TypeName, TypeSpecifier,
};
use crate::codes;
use crate::token::{Name, Sign, TokenKind, Word};

/// How often the words of a basic type occur.
#[derive(Default)]
struct Words {
    base: Option<Word>,
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
}

impl Words {
    fn any(&self) -> bool {
        self.base.is_some() || self.signed + self.unsigned + self.short + self.long > 0
    }

    /// Whether more than a sign was said.
    fn sized(&self) -> bool {
        self.base.is_some() || self.short + self.long > 0
    }

    fn basic(&self) -> Option<Basic> {
        let unsigned = self.unsigned > 0;
        if unsigned && self.signed > 0
            || self.unsigned > 1
            || self.signed > 1
            || self.short > 1
            || self.short > 0 && self.long > 0
        {
            return None;
        }
        let either = |signed: Basic, other: Basic| Some(if unsigned { other } else { signed });
        let bare = self.signed + self.unsigned + self.short + self.long == 0;
        match (self.base, self.short, self.long) {
            (None | Some(Word::Int), 1, 0) => either(Basic::Short, Basic::UShort),
            (None | Some(Word::Int), 0, 0) => either(Basic::Int, Basic::UInt),
            (None | Some(Word::Int), 0, 1) => either(Basic::Long, Basic::ULong),
            (None | Some(Word::Int), 0, 2) => either(Basic::LLong, Basic::ULLong),
            (Some(Word::Char), 0, 0) if self.signed > 0 => Some(Basic::SChar),
            (Some(Word::Char), 0, 0) => either(Basic::Char, Basic::UChar),
            (Some(Word::Int128), 0, 0) => either(Basic::Int128, Basic::UInt128),
            (Some(Word::UInt128), 0, 0) if bare => Some(Basic::UInt128),
            (Some(Word::Double), 0, 1) if self.signed + self.unsigned == 0 => Some(Basic::LongDouble),
            (Some(Word::Double), 0, 0) if bare => Some(Basic::Double),
            (Some(Word::Float), 0, 0) if bare => Some(Basic::Float),
            (Some(Word::Float128), 0, 0) if bare => Some(Basic::LongDouble),
            (Some(Word::Void), 0, 0) if bare => Some(Basic::Void),
            (Some(Word::Bool), 0, 0) if bare => Some(Basic::Bool),
            (Some(Word::VaList), 0, 0) if bare => Some(Basic::VaList),
            _ => None,
        }
    }
}

impl Parser<'_> {
    /// Whether a type, a storage class or a qualifier stands `ahead` tokens from here.
    pub(super) fn starts_type(&self, ahead: usize) -> bool {
        match self.kind_ahead(ahead) {
            TokenKind::Name(name) => self.is_type_name(name) || self.microsoft_integer(ahead, name).is_some(),
            TokenKind::Word(Word::Extension) => self.starts_type(ahead + 1),
            TokenKind::Word(word) => match word {
                Word::Auto
                | Word::Char
                | Word::Const
                | Word::Double
                | Word::Enum
                | Word::Extern
                | Word::Float
                | Word::Inline => true,
                Word::Int
                | Word::Long
                | Word::Register
                | Word::Restrict
                | Word::Short
                | Word::Signed
                | Word::Static => true,
                Word::Struct
                | Word::Typedef
                | Word::Union
                | Word::Unsigned
                | Word::Void
                | Word::Volatile
                | Word::Alignas => true,
                Word::Atomic | Word::Bool | Word::Complex | Word::Imaginary | Word::Noreturn | Word::ThreadLocal => {
                    true
                }
                Word::Attribute
                | Word::Typeof
                | Word::AutoType
                | Word::Int128
                | Word::UInt128
                | Word::Float128
                | Word::Float16 => true,
                Word::VaList | Word::BitInt | Word::Declspec => true,
                Word::Break
                | Word::Case
                | Word::Continue
                | Word::Default
                | Word::Do
                | Word::Else
                | Word::For
                | Word::Goto => false,
                Word::If | Word::Return | Word::Sizeof | Word::Switch | Word::While | Word::Alignof | Word::Generic => {
                    false
                }
                Word::StaticAssert
                | Word::Asm
                | Word::Extension
                | Word::VaArg
                | Word::Offsetof
                | Word::TypesCompatible => false,
                Word::ChooseExpr | Word::Label | Word::Real | Word::Imag => false,
            },
            TokenKind::Sign(_) | TokenKind::Number | TokenKind::Character | TokenKind::Text | TokenKind::End => false,
        }
    }

    /// A declaration or function at file scope; none for assembler.
    pub(super) fn item(&mut self) -> Parsed<Option<Item>> {
        if self.take_word(Word::Asm) {
            self.balanced()?;
            self.expect(Sign::Semicolon)?;
            return Ok(None);
        }
        let start = self.span();
        if self.kind() == TokenKind::Word(Word::StaticAssert) {
            return Ok(Some(Item::Declaration(self.static_assertion()?)));
        }
        let specifiers = self.specifiers()?;
        if self.take(Sign::Semicolon) {
            return Ok(Some(Item::Declaration(Declaration {
                specifiers,
                declarators: Vec::new(),
                assertion: None,
                span: self.since(start),
            })));
        }
        let declarator = self.declarator()?;
        let function = matches!(declarator.derived.last(), Some(Derived::Function(_)));
        if function && (self.is(Sign::OpenBrace) || self.starts_type(0) && !self.is(Sign::Assign)) {
            return Ok(Some(Item::Function(Box::new(self.function(specifiers, declarator)?))));
        }
        Ok(Some(Item::Declaration(self.declarators(start, specifiers, declarator)?)))
    }

    fn function(&mut self, specifiers: Specifiers, declarator: Declarator) -> Parsed<FunctionDefinition> {
        if let Some((name, _)) = declarator.name {
            self.declare(name, false);
        }
        self.scopes.push(rustc_hash::FxHashMap::default());
        if let Some(Derived::Function(parameters)) = declarator.derived.last() {
            let typed = parameters.list.iter().filter_map(|parameter| parameter.declarator.name);
            let names: Vec<Name> = typed.chain(parameters.names.iter().copied()).map(|(name, _)| name).collect();
            for name in names {
                self.declare(name, false);
            }
        }
        let mut old_parameters = Vec::new();
        while !self.is(Sign::OpenBrace) {
            if self.kind() == TokenKind::End {
                return Err(self.unexpected("`{`"));
            }
            old_parameters.push(self.declaration()?);
        }
        let body = self.nested(Self::block_in_scope)?;
        self.scopes.pop();
        Ok(FunctionDefinition { specifiers, declarator, old_parameters, body })
    }

    fn static_assertion(&mut self) -> Parsed<Declaration> {
        let start = self.advance().span;
        self.expect(Sign::OpenParen)?;
        let condition = self.conditional()?;
        if self.take(Sign::Comma) {
            self.string()?;
        }
        self.expect(Sign::CloseParen)?;
        self.expect(Sign::Semicolon)?;
        let span = self.since(start);
        Ok(Declaration { specifiers: nothing(span), declarators: Vec::new(), assertion: Some(condition), span })
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        if self.kind() == TokenKind::Word(Word::StaticAssert) {
            return self.static_assertion();
        }
        let specifiers = self.specifiers()?;
        if self.take(Sign::Semicolon) {
            return Ok(Declaration { specifiers, declarators: Vec::new(), assertion: None, span: self.since(start) });
        }
        let first = self.declarator()?;
        self.declarators(start, specifiers, first)
    }

    fn declarators(&mut self, start: Span, specifiers: Specifiers, first: Declarator) -> Parsed<Declaration> {
        let mut declarators = Vec::new();
        let mut declarator = first;
        loop {
            if let Some((name, _)) = declarator.name {
                self.declare(name, specifiers.is_typedef);
            }
            let initialiser = if self.take(Sign::Assign) { Some(self.initialiser()?) } else { None };
            declarators.push(InitDeclarator { declarator, initialiser });
            if !self.take(Sign::Comma) {
                break;
            }
            declarator = self.declarator()?;
        }
        if self.is(Sign::OpenBrace)
            && matches!(declarators.last().and_then(|last| last.declarator.derived.last()), Some(Derived::Function(_)))
        {
            return Err(self.unsupported(self.span(), "functions within functions are"));
        }
        self.expect(Sign::Semicolon)?;
        Ok(Declaration { specifiers, declarators, assertion: None, span: self.since(start) })
    }

    pub(super) fn specifiers(&mut self) -> Parsed<Specifiers> {
        let start = self.span();
        let mut found = nothing(start);
        let mut words = Words::default();
        loop {
            self.attributes(&mut found.attributes)?;
            let span = self.span();
            let settled = !matches!(found.ty, TypeSpecifier::Missing) || words.any();
            let word = match self.kind() {
                TokenKind::Word(word) => word,
                TokenKind::Name(name) if !settled && self.is_type_name(name) => {
                    self.advance();
                    found.ty = TypeSpecifier::Name(name);
                    continue;
                }
                // `__int64` and its like, unless it is the name that is declared.
                TokenKind::Name(name) if self.microsoft_integer(0, name).is_some() && !words.sized() => {
                    let (base, short, long) = self.microsoft_integer(0, name).expect("just seen");
                    self.advance();
                    (words.base, words.short, words.long) = (Some(base), short, long);
                    continue;
                }
                _ => break,
            };
            match word {
                Word::Typedef => found.is_typedef = true,
                Word::Extern => found.is_extern = true,
                Word::Static => found.is_static = true,
                Word::ThreadLocal => found.is_thread_local = true,
                Word::Inline => found.is_inline = true,
                Word::Noreturn => found.attributes.noreturn = true,
                Word::Auto | Word::Register | Word::Restrict => {}
                Word::Const => found.is_const = true,
                Word::Volatile => found.is_volatile = true,
                Word::Signed => words.signed += 1,
                Word::Unsigned => words.unsigned += 1,
                Word::Short => words.short += 1,
                Word::Long => words.long = words.long.saturating_add(1),
                Word::Char
                | Word::Int
                | Word::Float
                | Word::Double
                | Word::Void
                | Word::Bool
                | Word::Int128
                | Word::UInt128
                | Word::Float128
                | Word::VaList => {
                    if words.base.replace(word).is_some() {
                        return Err(self.unexpected("a name"));
                    }
                }
                Word::Complex | Word::Imaginary => found.attributes.opaque = Some(Opaque::Complex),
                Word::Float16 => return Err(self.unsupported(span, "floating types of 16 bits are")),
                Word::BitInt => return Err(self.unsupported(span, "`_BitInt` is")),
                Word::Alignas => {
                    self.advance();
                    self.expect(Sign::OpenParen)?;
                    let alignment = if self.starts_type(0) {
                        Alignment::Type(Box::new(self.type_name()?))
                    } else {
                        Alignment::Bytes(Box::new(self.conditional()?))
                    };
                    self.expect(Sign::CloseParen)?;
                    found.attributes.aligned.push(Some(alignment));
                    continue;
                }
                Word::Atomic => {
                    self.advance();
                    if self.take(Sign::OpenParen) {
                        let name = self.type_name()?;
                        self.expect(Sign::CloseParen)?;
                        found.ty = TypeSpecifier::TypeofType(Box::new(name));
                    }
                    continue;
                }
                Word::Struct | Word::Union => {
                    found.ty = TypeSpecifier::Record(Box::new(self.nested(Self::record)?));
                    continue;
                }
                Word::Enum => {
                    found.ty = TypeSpecifier::Enum(Box::new(self.enumeration()?));
                    continue;
                }
                Word::AutoType => found.ty = TypeSpecifier::Auto,
                Word::Typeof => {
                    self.advance();
                    self.expect(Sign::OpenParen)?;
                    found.ty = if self.starts_type(0) {
                        TypeSpecifier::TypeofType(Box::new(self.nested(Self::type_name)?))
                    } else {
                        TypeSpecifier::TypeofExpr(Box::new(self.expression()?))
                    };
                    self.expect(Sign::CloseParen)?;
                    continue;
                }
                _ => break,
            }
            self.advance();
        }
        found.span = self.since(start);
        if matches!(found.attributes.opaque, Some(Opaque::Complex)) && !words.any() {
            words.base = Some(Word::Double);
        }
        if words.any() {
            let basic = words.basic().filter(|_| matches!(found.ty, TypeSpecifier::Missing));
            let Some(basic) = basic else {
                return Err(Box::new(Diagnostic::error(&codes::SYNTAX, found.span, "these words make no type")));
            };
            found.ty = TypeSpecifier::Basic(basic);
        }
        let classes = found.is_const
            || found.is_volatile
            || found.is_static
            || found.is_extern
            || found.is_typedef
            || found.is_inline;
        if matches!(found.ty, TypeSpecifier::Missing) && !classes && !self.missing_type_is_int() {
            return Err(self.unexpected("a declaration"));
        }
        Ok(found)
    }

    /// Whether `main() {` or `x[3];` follows: before 1999 the type could be left out.
    fn missing_type_is_int(&self) -> bool {
        matches!(self.kind(), TokenKind::Name(_)) && self.kind_ahead(1) == TokenKind::Sign(Sign::OpenParen)
    }

    fn record(&mut self) -> Parsed<RecordSpecifier> {
        let start = self.span();
        let union = self.advance().kind == TokenKind::Word(Word::Union);
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if let TokenKind::Name(name) = self.kind() {
            self.advance();
            Some(name)
        } else {
            None
        };
        let members = if self.take(Sign::OpenBrace) { Some(self.members()?) } else { None };
        if members.is_some() {
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(RecordSpecifier { union, tag, members, attributes, span: self.since(start) })
    }

    fn members(&mut self) -> Parsed<Vec<MemberDeclaration>> {
        let mut all = Vec::new();
        while !self.take(Sign::CloseBrace) {
            if self.take(Sign::Semicolon) {
                continue;
            }
            if self.kind() == TokenKind::Word(Word::StaticAssert) {
                let assertion = self.static_assertion()?;
                all.push(MemberDeclaration {
                    specifiers: assertion.specifiers,
                    members: Vec::new(),
                    assertion: assertion.assertion,
                });
                continue;
            }
            let specifiers = self.specifiers()?;
            let mut members = Vec::new();
            while !self.is(Sign::Semicolon) {
                let mut declarator = self.declarator()?;
                let width = if self.take(Sign::Colon) { Some(self.conditional()?) } else { None };
                self.attributes(&mut declarator.attributes)?;
                members.push(Member { declarator, width });
                if !self.take(Sign::Comma) {
                    break;
                }
            }
            if !self.is(Sign::CloseBrace) {
                self.expect(Sign::Semicolon)?;
            }
            all.push(MemberDeclaration { specifiers, members, assertion: None });
        }
        Ok(all)
    }

    fn enumeration(&mut self) -> Parsed<EnumSpecifier> {
        let start = self.advance().span;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if let TokenKind::Name(name) = self.kind() {
            self.advance();
            Some(name)
        } else {
            None
        };
        let mut values = None;
        if self.take(Sign::OpenBrace) {
            let mut list = Vec::new();
            while !self.take(Sign::CloseBrace) {
                let (name, span) = self.expect_name()?;
                self.attributes(&mut Attributes::default())?;
                let value = if self.take(Sign::Assign) { Some(self.conditional()?) } else { None };
                self.declare(name, false);
                list.push((name, span, value));
                if !self.take(Sign::Comma) {
                    self.expect(Sign::CloseBrace)?;
                    break;
                }
            }
            values = Some(list);
            self.attributes(&mut attributes)?;
        } else if tag.is_none() {
            return Err(self.unexpected("a tag or `{`"));
        }
        Ok(EnumSpecifier { tag, values, attributes, span: self.since(start) })
    }

    pub(super) fn type_name(&mut self) -> Parsed<TypeName> {
        let start = self.span();
        let specifiers = self.specifiers()?;
        let declarator = self.declarator()?;
        if let Some((_, span)) = declarator.name {
            return Err(Box::new(Diagnostic::error(&codes::SYNTAX, span, "a type has no name here")));
        }
        Ok(TypeName { specifiers, declarator, span: self.since(start) })
    }

    /// A declarator, with a name or without.
    pub(super) fn declarator(&mut self) -> Parsed<Declarator> {
        let start = self.span();
        let mut attributes = Attributes::default();
        let mut derived = Vec::new();
        let name = self.nested(|parser| parser.declarator_into(&mut derived, &mut attributes))?;
        self.assembler_name()?;
        self.attributes(&mut attributes)?;
        self.assembler_name()?;
        self.attributes(&mut attributes)?;
        Ok(Declarator { name, derived, attributes, span: self.since(start) })
    }

    fn declarator_into(
        &mut self,
        derived: &mut Vec<Derived>,
        attributes: &mut Attributes,
    ) -> Parsed<Option<(Name, Span)>> {
        self.attributes(attributes)?;
        while self.take(Sign::Star) {
            let (mut is_const, mut is_volatile) = (false, false);
            loop {
                self.attributes(attributes)?;
                if self.take_word(Word::Const) {
                    is_const = true;
                } else if self.take_word(Word::Volatile) {
                    is_volatile = true;
                } else if !self.take_word(Word::Restrict) && !self.take_word(Word::Atomic) {
                    break;
                }
            }
            derived.push(Derived::Pointer { is_const, is_volatile });
        }
        self.attributes(attributes)?;
        let mut inner = Vec::new();
        let mut name = None;
        if let TokenKind::Name(found) = self.kind() {
            name = Some((found, self.advance().span));
        } else if self.is(Sign::OpenParen) && self.parenthesised_declarator() {
            self.advance();
            name = self.nested(|parser| parser.declarator_into(&mut inner, attributes))?;
            self.expect(Sign::CloseParen)?;
        }
        self.attributes(attributes)?;
        let mut suffixes = Vec::new();
        loop {
            if self.is(Sign::OpenBracket) && self.kind_ahead(1) != TokenKind::Sign(Sign::OpenBracket) {
                suffixes.push(self.array_suffix()?);
            } else if self.is(Sign::OpenParen) {
                suffixes.push(Derived::Function(self.parameters()?));
            } else {
                break;
            }
            self.attributes(attributes)?;
        }
        derived.extend(suffixes.into_iter().rev());
        derived.extend(inner);
        if derived.len() as u32 > super::NESTING {
            return Err(self.too_deep(self.span()));
        }
        Ok(name)
    }

    /// Whether `(` opens a declarator and not a list of parameters.
    fn parenthesised_declarator(&self) -> bool {
        match self.kind_ahead(1) {
            TokenKind::Sign(Sign::Star | Sign::OpenParen | Sign::OpenBracket) => true,
            TokenKind::Word(Word::Attribute) => true,
            TokenKind::Name(name) => !self.is_type_name(name),
            _ => false,
        }
    }

    fn array_suffix(&mut self) -> Parsed<Derived> {
        let start = self.advance().span;
        while matches!(self.kind(), TokenKind::Word(Word::Static | Word::Const | Word::Volatile | Word::Restrict)) {
            self.advance();
        }
        let star = self.is(Sign::Star) && self.kind_ahead(1) == TokenKind::Sign(Sign::CloseBracket);
        if star {
            self.advance();
        }
        let length = if self.is(Sign::CloseBracket) { None } else { Some(Box::new(self.assignment()?)) };
        self.expect(Sign::CloseBracket)?;
        Ok(Derived::Array { length, span: self.since(start) })
    }

    fn parameters(&mut self) -> Parsed<Parameters> {
        self.advance();
        let mut found = Parameters { list: Vec::new(), names: Vec::new(), variadic: false, prototyped: false };
        if self.take(Sign::CloseParen) {
            return Ok(found);
        }
        if matches!(self.kind(), TokenKind::Name(name) if !self.is_type_name(name)) {
            loop {
                found.names.push(self.expect_name()?);
                if !self.take(Sign::Comma) {
                    self.expect(Sign::CloseParen)?;
                    return Ok(found);
                }
            }
        }
        found.prototyped = true;
        self.scopes.push(rustc_hash::FxHashMap::default());
        let read = self.nested(|parser| parser.parameter_list(&mut found));
        self.scopes.pop();
        read?;
        Ok(found)
    }

    fn parameter_list(&mut self, found: &mut Parameters) -> Parsed<()> {
        loop {
            if self.take(Sign::Ellipsis) {
                found.variadic = true;
                self.expect(Sign::CloseParen)?;
                return Ok(());
            }
            let specifiers = self.specifiers()?;
            let declarator = self.declarator()?;
            if let Some((name, _)) = declarator.name {
                self.declare(name, false);
            }
            found.list.push(Parameter { specifiers, declarator });
            if !self.take(Sign::Comma) {
                self.expect(Sign::CloseParen)?;
                return Ok(());
            }
        }
    }

    pub(super) fn initialiser(&mut self) -> Parsed<Initialiser> {
        if !self.is(Sign::OpenBrace) {
            return Ok(Initialiser::Expr(self.assignment()?));
        }
        self.nested(|parser| {
            let start = parser.advance().span;
            let mut items = Vec::new();
            while !parser.take(Sign::CloseBrace) {
                let start = parser.span();
                let designators = parser.designators()?;
                let value = parser.initialiser()?;
                items.push(InitialiserItem { designators, value, span: parser.since(start) });
                if !parser.take(Sign::Comma) {
                    parser.expect(Sign::CloseBrace)?;
                    break;
                }
            }
            Ok(Initialiser::List(items, parser.since(start)))
        })
    }

    fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut designators = Vec::new();
        if let TokenKind::Name(name) = self.kind()
            && self.kind_ahead(1) == TokenKind::Sign(Sign::Colon)
        {
            let span = self.advance().span;
            self.advance();
            return Ok(vec![Designator::Field(name, span)]);
        }
        loop {
            if self.take(Sign::Dot) {
                let (name, span) = self.expect_name()?;
                designators.push(Designator::Field(name, span));
            } else if self.take(Sign::OpenBracket) {
                let first = self.conditional()?;
                let last = if self.take(Sign::Ellipsis) { Some(self.conditional()?) } else { None };
                self.expect(Sign::CloseBracket)?;
                designators.push(Designator::Index(first, last));
            } else {
                break;
            }
        }
        if !designators.is_empty() {
            // GNU C of old allowed `[3] value`.
            self.take(Sign::Assign);
        }
        Ok(designators)
    }
}

fn nothing(span: Span) -> Specifiers {
    Specifiers {
        is_typedef: false,
        is_extern: false,
        is_static: false,
        is_thread_local: false,
        is_inline: false,
        is_const: false,
        is_volatile: false,
        ty: TypeSpecifier::Missing,
        attributes: Attributes::default(),
        span,
    }
}
