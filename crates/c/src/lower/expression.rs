//! Expressions: to pure ones, side effects as edges before them.

use rustc_hash::FxHashMap;
use source::Span;

use super::build::Lowered;
use super::{Checked, Lowerer, Symbol, fold};
use crate::ast::{self, CharacterWidth, Expr, ExprKind, IntegerLiteral, Unary};
use crate::codes;
use crate::expr::{BinaryOp, ExprId, ExprKind as Pure, PlaceId, Step, UnaryOp};
use crate::program::{Storage, VariableId};
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    /// The value of an expression; arrays and functions become addresses.
    pub(super) fn rvalue(&mut self, expr: &Expr) -> Checked<ExprId> {
        let lowered = self.lower(expr)?;
        let value = self.value(lowered);
        if self.types().size(self.ty(value)).is_none() && self.ty(value) != TypeId::VOID {
            let message = format!("`{}` is an incomplete type", self.types().show(self.ty(value)));
            return self.error(&codes::TYPE, expr.span, message);
        }
        Ok(value)
    }

    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, expr: &Expr) -> Checked<()> {
        if let Some(condition) = self.as_assertion(expr) {
            return self.assertion(expr.span, condition);
        }
        match &expr.kind {
            ExprKind::Step { operand, up, .. } => self.step(expr.span, operand, *up).map(|_| ()),
            ExprKind::Assign(operator, left, right) => self.assignment(expr.span, *operator, left, right).map(|_| ()),
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.effect(right)
            }
            ExprKind::Cast(name, operand) => {
                let ty = self.type_name(name)?;
                if ty.unqualified() == TypeId::VOID { self.effect(operand) } else { self.lower(expr).map(|_| ()) }
            }
            ExprKind::Call(function, arguments) => self.call(expr.span, function, arguments, true).map(|_| ()),
            _ => self.lower(expr).map(|_| ()),
        }
    }

    /// The place of an lvalue.
    pub(super) fn place(&mut self, expr: &Expr) -> Checked<PlaceId> {
        match self.lower(expr)? {
            Lowered::Place(place) => Ok(place),
            Lowered::Value(_) | Lowered::Function(_) => {
                self.error(&codes::TYPE, expr.span, "this has no place in memory")
            }
        }
    }

    /// The type of an expression that is not evaluated, arrays not being addresses.
    pub(super) fn type_of(&mut self, expr: &Expr) -> Checked<TypeId> {
        self.unevaluated(|lowerer| {
            Ok(match lowerer.lower(expr)? {
                Lowered::Place(place) => lowerer.program.place(place).ty,
                Lowered::Value(value) => lowerer.ty(value),
                Lowered::Function(function) => lowerer.program.function(function).ty,
            })
        })
    }

    pub(super) fn lower(&mut self, expr: &Expr) -> Checked<Lowered> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => self.named(*name, span),
            ExprKind::Integer(literal) => self.integer_literal(*literal, span).map(Lowered::Value),
            ExprKind::Float(value, basic) => {
                let ty = if *basic == ast::Basic::Float { TypeId::FLOAT } else { TypeId::DOUBLE };
                Ok(Lowered::Value(self.push(Pure::Float(*value), ty)))
            }
            ExprKind::Extended(bits) => Ok(Lowered::Value(self.push(Pure::Extended(*bits), TypeId::LONG_DOUBLE))),
            ExprKind::Character(value, width) => {
                let ty = self.character_type(*width);
                let ty = if *width == CharacterWidth::Plain { TypeId::INT } else { ty };
                let value = if *width == CharacterWidth::Plain
                    && !self.types().model().signed_char
                    && (-128..0).contains(value)
                {
                    *value + 256
                } else {
                    *value
                };
                Ok(Lowered::Value(self.int(value, ty)))
            }
            ExprKind::Text(units, width) => {
                let element = self.character_type(*width);
                let literal = self.string_literal(element, units, span);
                Ok(Lowered::Place(self.variable_place(literal)))
            }
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, span),
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = self.operands(left, right)?;
                self.binary_operator(*operator, left, right, span).map(Lowered::Value)
            }
            ExprKind::Logical(..) => self.logical(expr),
            ExprKind::Assign(operator, left, right) => {
                let place = self.assignment(span, *operator, left, right)?;
                Ok(Lowered::Value(self.load(place)))
            }
            ExprKind::Step { operand, up, prefix } => self.step_value(span, operand, *up, *prefix).map(Lowered::Value),
            ExprKind::Conditional(test, then, otherwise) => self.conditional(expr, test, then.as_deref(), otherwise),
            ExprKind::Comma(left, right) => {
                self.effect(left)?;
                self.rvalue(right).map(Lowered::Value)
            }
            ExprKind::Call(function, arguments) => self.call(span, function, arguments, false),
            ExprKind::Index(left, right) => self.index(span, left, right),
            ExprKind::Member(base, name, arrow) => self.member(span, base, *name, *arrow),
            ExprKind::Cast(name, operand) => self.cast(span, name, operand),
            ExprKind::Compound(name, initialiser) => self.compound_literal(span, name, initialiser),
            ExprKind::SizeofExpr(operand) => {
                let place = self.unevaluated(|lowerer| lowerer.lower(operand))?;
                if let Lowered::Place(place) = place
                    && self.program.place(place).bits.is_some()
                {
                    return self.error(&codes::TYPE, span, "a bit-field has no size in bytes");
                }
                let mut ty = self.type_of(operand)?;
                // An operand of variable length is evaluated.
                if let Type::VariableArray { .. } = self.types().kind(ty)
                    && let Lowered::Place(place) = self.lower(operand)?
                {
                    ty = self.program.place(place).ty;
                }
                self.size_of(ty, span)
            }
            ExprKind::SizeofType(name) => {
                let ty = self.type_name(name)?;
                self.size_of(ty, span)
            }
            ExprKind::AlignofExpr(operand) => {
                let ty = self.type_of(operand)?;
                self.align_of(ty)
            }
            ExprKind::AlignofType(name) => {
                let ty = self.type_name(name)?;
                self.align_of(ty)
            }
            ExprKind::Generic(chosen, cases) => self.generic(span, chosen, cases),
            ExprKind::Block(block) => self.statement_expression(block),
            ExprKind::Offsetof(name, path) => self.offset_of(span, name, path),
            ExprKind::VaArg(list, name) => self.va_arg(span, list, name),
            ExprKind::TypesCompatible(left, right) => {
                let (left, right) = (self.type_name(left)?, self.type_name(right)?);
                let same = self.types().compatible(left.unqualified(), right.unqualified());
                Ok(Lowered::Value(self.int(i128::from(same), TypeId::INT)))
            }
            ExprKind::Choose(test, then, otherwise) => {
                let value = self.constant_expr(test)?;
                self.lower(if value != 0 { then } else { otherwise })
            }
            ExprKind::LabelAddress(_) => self.unsupported(span, "addresses of labels are not supported"),
        }
    }

    fn named(&mut self, name: crate::token::Name, span: Span) -> Checked<Lowered> {
        match self.find(name) {
            Some(Symbol::Variable(variable)) => Ok(Lowered::Place(self.declared_place(variable))),
            Some(Symbol::Function(function)) => Ok(Lowered::Function(function)),
            Some(Symbol::Constant(constant)) => Ok(Lowered::Value(constant)),
            Some(Symbol::Typedef(_)) => {
                let message = format!("`{}` is a type", self.name(name));
                self.error(&codes::TYPE, span, message)
            }
            None => {
                let text = self.name(name).to_owned();
                if let (true, Some(current)) =
                    (matches!(text.as_str(), "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__"), self.current)
                {
                    let units: Vec<u32> = self.program.function(current).name.bytes().map(u32::from).collect();
                    let literal = self.string_literal(TypeId::CHAR, &units, span);
                    return Ok(Lowered::Place(self.variable_place(literal)));
                }
                if let Some(function) = self.builtin_function(&text, span) {
                    return Ok(Lowered::Function(function));
                }
                let error = source::Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("`{text}` is not declared"));
                Err(Box::new(error.help(format!(
                    "Declare `{text}`, or include the header that does; macros are given as `-D {text}=…`."
                ))))
            }
        }
    }

    fn integer_literal(&mut self, literal: IntegerLiteral, span: Span) -> Checked<ExprId> {
        let signed = [TypeId::INT, TypeId::LONG, TypeId::LLONG];
        let unsigned = [TypeId::UINT, TypeId::ULONG, TypeId::ULLONG];
        for rank in usize::from(literal.longs)..3 {
            let fits = |lowerer: &Self, ty: TypeId| {
                let integer = lowerer.types().integer(ty).expect("an integer type");
                literal.value <= integer.max() as u128
            };
            if !literal.unsigned && fits(self, signed[rank]) {
                return Ok(self.int(literal.value as i128, signed[rank]));
            }
            if (literal.unsigned || !literal.decimal) && fits(self, unsigned[rank]) {
                return Ok(self.int(literal.value as i128, unsigned[rank]));
            }
        }
        if literal.value <= u128::from(u64::MAX) {
            return Ok(self.int(literal.value as i128, TypeId::ULLONG));
        }
        self.error(&codes::CONSTANT, span, "this number is too large for every integer type")
    }

    fn character_type(&self, width: CharacterWidth) -> TypeId {
        match width {
            CharacterWidth::Plain => TypeId::CHAR,
            CharacterWidth::Wide => TypeId::INT,
            CharacterWidth::Utf16 => TypeId::USHORT,
            CharacterWidth::Utf32 => TypeId::UINT,
        }
    }

    /// The variable of a string literal; equal ones are the same.
    pub(super) fn string_literal(&mut self, element: TypeId, units: &[u32], span: Span) -> VariableId {
        let key = (element, units.to_vec());
        if let Some(known) = self.literals.get(&key) {
            return *known;
        }
        let ty = self.program.types.array(element, Some(units.len() as u64 + 1));
        let shown: String = units.iter().map(|unit| char::from_u32(*unit).unwrap_or('?')).collect();
        let location = self.location(span);
        let variable = self.new_variable(format!("{shown:?}"), ty, Storage::Static, location);
        let stride = self.types().size(element).expect("characters have a size");
        let integer = self.types().integer(element).expect("characters are integers");
        let mut items = Vec::new();
        for (index, unit) in units.iter().enumerate().filter(|(_, unit)| **unit != 0) {
            let value = self.int(integer.wrap(i128::from(*unit)), element);
            items.push(crate::program::InitialItem { offset: index as u64 * stride, ty: element, bits: None, value });
        }
        self.program.variables[variable.0 as usize].initial = Some(crate::program::Initial { items });
        self.literals.insert(key, variable);
        variable
    }

    /// Two operands, the first kept safe from what the second does.
    pub(super) fn operands(&mut self, left: &Expr, right: &Expr) -> Checked<(ExprId, ExprId)> {
        let mut first = self.rvalue(left)?;
        if stores(left) && changes(right) {
            first = self.saved(first, left.span);
        }
        let second = self.rvalue(right)?;
        Ok((first, second))
    }

    fn unary(&mut self, operator: Unary, operand: &Expr, span: Span) -> Checked<Lowered> {
        match operator {
            Unary::Plus => {
                let value = self.rvalue(operand)?;
                if !self.types().is_arithmetic(self.ty(value)) {
                    return self.error(&codes::TYPE, span, "`+` takes a number");
                }
                Ok(Lowered::Value(self.promote(value)))
            }
            Unary::Negate | Unary::Complement => {
                let value = self.rvalue(operand)?;
                let operator = if operator == Unary::Negate { UnaryOp::Negate } else { UnaryOp::Complement };
                self.unary_operator(operator, value, span).map(Lowered::Value)
            }
            Unary::Not => {
                let value = self.rvalue(operand)?;
                self.is_zero(value, span).map(Lowered::Value)
            }
            Unary::Dereference => {
                let pointer = match self.lower(operand)? {
                    Lowered::Function(function) => return Ok(Lowered::Function(function)),
                    other => self.value(other),
                };
                let Some(target) = self.types().target(self.ty(pointer)) else {
                    let message = format!("`{}` is not a pointer", self.types().show(self.ty(pointer)));
                    return self.error(&codes::TYPE, span, message);
                };
                Ok(Lowered::Place(self.dereference(pointer, target)))
            }
            Unary::Address => match self.lower(operand)? {
                Lowered::Place(place) => self.address(place, span).map(Lowered::Value),
                function @ Lowered::Function(_) => Ok(Lowered::Value(self.value(function))),
                Lowered::Value(_) => self.error(&codes::TYPE, span, "this has no address"),
            },
            Unary::Real | Unary::Imag => self.unsupported(span, "complex numbers are not supported"),
        }
    }

    fn address(&mut self, place: PlaceId, span: Span) -> Checked<ExprId> {
        let found = self.program.place(place).clone();
        if found.bits.is_some() {
            return self.error(&codes::TYPE, span, "a bit-field has no address");
        }
        let ty = self.program.types.pointer(found.ty);
        // `&*p` is `p`, and `&p[i]` is `p + i`: nothing is read.
        if let crate::expr::Base::Pointer(pointer) = found.base {
            let mut at = pointer;
            let plain = match found.steps.as_slice() {
                [] => true,
                [Step::Index { index, .. }]
                    if self.types().target(self.ty(pointer)).map(TypeId::unqualified)
                        == Some(found.ty.unqualified()) =>
                {
                    at = self.offset(pointer, *index, false, span)?;
                    true
                }
                _ => false,
            };
            if plain {
                return Ok(self.convert(at, ty));
            }
        }
        // A constant address such as `&((struct s *)0)->member`.
        if let crate::expr::Base::Pointer(pointer) = found.base
            && let Pure::Integer(base) = self.program.expr(pointer).kind
        {
            let mut bytes = Some(base);
            for step in &found.steps {
                bytes = match step {
                    Step::Field { offset, .. } => bytes.map(|bytes| bytes + i128::from(*offset)),
                    Step::Index { index, stride, .. } => {
                        let index = self.constant(*index);
                        bytes.zip(index).map(|(bytes, index)| bytes + index * i128::from(*stride))
                    }
                };
            }
            if let Some(bytes) = bytes {
                return Ok(self.push(Pure::Integer(bytes), ty));
            }
        }
        Ok(self.push(Pure::Address(place), ty))
    }

    fn require_assignable(&self, place: PlaceId, span: Span) -> Checked<()> {
        let ty = self.program.place(place).ty;
        if ty.is_const() {
            return self.error(&codes::TYPE, span, "this is `const` and cannot be assigned");
        }
        match self.types().kind(ty) {
            Type::Array { .. } | Type::VariableArray { .. } | Type::Function { .. } | Type::Void => {
                let message = format!("`{}` cannot be assigned", self.types().show(ty));
                self.error(&codes::TYPE, span, message)
            }
            _ => Ok(()),
        }
    }

    /// An assignment; returns the place for its value.
    fn assignment(&mut self, span: Span, operator: Option<BinaryOp>, left: &Expr, right: &Expr) -> Checked<PlaceId> {
        let place = self.place(left)?;
        self.require_assignable(place, left.span)?;
        let place = if stores(left) && changes(right) { self.fixed(place, span)? } else { place };
        let right_value = self.rvalue(right)?;
        let ty = self.program.place(place).ty;
        let value = match operator {
            None => right_value,
            Some(operator) => {
                let old = self.load(place);
                self.binary_operator(operator, old, right_value, span)?
            }
        };
        let value = self.convert_for(value, ty, right.span, "assignment")?;
        self.assign(place, value, span);
        Ok(place)
    }

    /// The place with its pointer and indices kept safe from what follows.
    fn fixed(&mut self, place: PlaceId, span: Span) -> Checked<PlaceId> {
        let mut found = self.program.place(place).clone();
        if let crate::expr::Base::Pointer(pointer) = found.base {
            found.base = crate::expr::Base::Pointer(self.saved(pointer, span));
        }
        for step in &mut found.steps {
            if let Step::Index { index, .. } = step {
                *index = self.saved(*index, span);
            }
        }
        Ok(self.push_place(found))
    }

    /// Adds or subtracts one; returns the place.
    fn step(&mut self, span: Span, operand: &Expr, up: bool) -> Checked<PlaceId> {
        let place = self.place(operand)?;
        self.stepped(place, span, up)?;
        Ok(place)
    }

    fn stepped(&mut self, place: PlaceId, span: Span, up: bool) -> Checked<()> {
        self.require_assignable(place, span)?;
        let old = self.load(place);
        self.require_scalar(old, span)?;
        let one = self.int(1, TypeId::INT);
        let operator = if up { BinaryOp::Add } else { BinaryOp::Subtract };
        let new = self.binary_operator(operator, old, one, span)?;
        let ty = self.program.place(place).ty;
        let new = self.convert(new, ty);
        self.assign(place, new, span);
        Ok(())
    }

    fn step_value(&mut self, span: Span, operand: &Expr, up: bool, prefix: bool) -> Checked<ExprId> {
        if prefix {
            let place = self.step(span, operand, up)?;
            return Ok(self.load(place));
        }
        let place = self.place(operand)?;
        let old = self.load(place);
        let saved = self.saved(old, span);
        self.stepped(place, span, up)?;
        Ok(saved)
    }

    fn index(&mut self, span: Span, left: &Expr, right: &Expr) -> Checked<Lowered> {
        let base = self.lower(left)?;
        if let Lowered::Place(place) = base
            && let Type::Array { element, .. } = *self.types().kind(self.program.place(place).ty)
        {
            let place = if stores(left) && changes(right) { self.fixed(place, span)? } else { place };
            let index = self.rvalue(right)?;
            self.require_integer(index, right.span)?;
            if self.types().size(element).is_none() {
                return self.error(&codes::TYPE, span, "the elements have no known size");
            }
            let index = self.promote(index);
            return Ok(Lowered::Place(self.element(place, index)));
        }
        let mut first = self.value(base);
        if stores(left) && changes(right) {
            first = self.saved(first, left.span);
        }
        let second = self.rvalue(right)?;
        let (pointer, index) = if self.types().is_pointer(self.ty(first)) { (first, second) } else { (second, first) };
        let Some(target) = self.types().target(self.ty(pointer)) else {
            return self.error(&codes::TYPE, span, "neither side of `[]` is an array or a pointer");
        };
        self.require_integer(index, right.span)?;
        let moved = self.offset(pointer, index, false, span)?;
        Ok(Lowered::Place(self.dereference(moved, target)))
    }

    pub(super) fn require_integer(&self, value: ExprId, span: Span) -> Checked<()> {
        if self.types().is_integer(self.ty(value)) {
            return Ok(());
        }
        let message = format!("an integer should be here, not `{}`", self.types().show(self.ty(value)));
        self.error(&codes::TYPE, span, message)
    }

    fn member(&mut self, span: Span, base: &Expr, name: crate::token::Name, arrow: bool) -> Checked<Lowered> {
        let (place, lvalue) = if arrow {
            let pointer = self.rvalue(base)?;
            let Some(target) = self.types().target(self.ty(pointer)) else {
                let message = format!("`{}` is not a pointer", self.types().show(self.ty(pointer)));
                return self.error(&codes::TYPE, base.span, message);
            };
            (self.dereference(pointer, target), true)
        } else {
            match self.lower(base)? {
                Lowered::Place(place) => (place, true),
                Lowered::Value(value) => match self.program.expr(value).kind {
                    Pure::Load(place) => (place, false),
                    _ => return self.error(&codes::TYPE, base.span, "this has no members"),
                },
                Lowered::Function(_) => return self.error(&codes::TYPE, base.span, "a function has no members"),
            }
        };
        let member = self.member_place(place, name, span)?;
        if lvalue {
            return Ok(Lowered::Place(member));
        }
        Ok(Lowered::Value(self.load(member)))
    }

    /// A member of the structure or union at a place, those of unnamed members included.
    fn member_place(&mut self, place: PlaceId, name: crate::token::Name, span: Span) -> Checked<PlaceId> {
        let ty = self.program.place(place).ty;
        let text = self.name(name).to_owned();
        let Type::Record(record) = *self.types().kind(ty) else {
            let message = format!("`{}` has no members", self.types().show(ty));
            return self.error(&codes::TYPE, span, message);
        };
        let Some(path) = self.field_path(record, &text) else {
            let known = self.types().record(record).layout.is_some();
            let what = if known { "has no member" } else { "is incomplete and has no member" };
            let message = format!("`{}` {what} `{text}`", self.types().show(ty));
            return self.error(&codes::UNKNOWN_NAME, span, message);
        };
        let mut found = self.program.place(place).clone();
        for (record, field) in path {
            let layout = self.types().record(record).layout.as_ref().expect("fields have a layout");
            let member = layout.fields[field as usize].clone();
            found.steps.push(Step::Field { record, field, offset: member.offset });
            found.ty = member.ty.qualified_like(found.ty);
            found.bits = member.bits;
        }
        Ok(self.push_place(found))
    }

    fn cast(&mut self, span: Span, name: &ast::TypeName, operand: &Expr) -> Checked<Lowered> {
        let ty = self.type_name(name)?.unqualified();
        if ty == TypeId::VOID {
            self.effect(operand)?;
            return Ok(Lowered::Value(self.nothing()));
        }
        let value = self.rvalue(operand)?;
        let from = self.ty(value);
        if from == ty {
            // A bit-field that is cast to its declared type is not a bit-field any more: it is not promoted as one.
            let field =
                matches!(self.program.expr(value).kind, Pure::Load(place) if self.program.place(place).bits.is_some());
            return Ok(Lowered::Value(if field { self.push(Pure::Convert(value), ty) } else { value }));
        }
        let types = self.types();
        let fits = types.is_scalar(from)
            && types.is_scalar(ty)
            && !(types.is_pointer(from) && types.is_floating(ty) || types.is_floating(from) && types.is_pointer(ty));
        if !fits {
            // GNU C: a value becomes a union with a member of its type.
            if let Some(lowered) = self.cast_to_union(value, ty, span) {
                return Ok(lowered);
            }
            let message = format!("`{}` cannot be cast to `{}`", self.types().show(from), self.types().show(ty));
            return self.error(&codes::TYPE, span, message);
        }
        Ok(Lowered::Value(self.convert(value, ty)))
    }

    fn cast_to_union(&mut self, value: ExprId, ty: TypeId, span: Span) -> Option<Lowered> {
        let Type::Record(id) = *self.types().kind(ty) else { return None };
        let record = self.types().record(id);
        let layout = record.layout.as_ref().filter(|_| record.union)?;
        let from = self.ty(value);
        layout.fields.iter().find(|field| field.ty.unqualified() == from)?;
        let variable = self.temporary(ty, span);
        let place =
            crate::expr::Place { base: crate::expr::Base::Variable(variable), steps: Vec::new(), ty: from, bits: None };
        let place = self.push_place(place);
        self.assign(place, value, span);
        Some(Lowered::Value(self.load_variable(variable)))
    }

    fn size_of(&mut self, ty: TypeId, span: Span) -> Checked<Lowered> {
        if let Some(size) = self.variable_size(ty, span) {
            return size.map(Lowered::Value);
        }
        let size = match self.types().kind(ty) {
            Type::Void | Type::Function { .. } => Some(1),
            _ => self.types().size(ty),
        };
        let Some(size) = size else {
            let message = format!("`{}` has no known size", self.types().show(ty));
            return self.error(&codes::TYPE, span, message);
        };
        let ty = self.types().size_type();
        Ok(Lowered::Value(self.int(i128::from(size), ty)))
    }

    fn align_of(&mut self, ty: TypeId) -> Checked<Lowered> {
        let alignment = self.types().alignment(ty);
        let ty = self.types().size_type();
        Ok(Lowered::Value(self.int(i128::from(alignment), ty)))
    }

    fn generic(&mut self, span: Span, chosen: &Expr, cases: &[(Option<ast::TypeName>, Expr)]) -> Checked<Lowered> {
        let value = self.unevaluated(|lowerer| lowerer.rvalue(chosen))?;
        let ty = self.ty(value);
        let mut default = None;
        for (name, result) in cases {
            match name {
                None => default = Some(result),
                Some(name) => {
                    let candidate = self.type_name(name)?;
                    if candidate == candidate.unqualified() && self.types().compatible(candidate, ty) {
                        return self.lower(result);
                    }
                }
            }
        }
        match default {
            Some(result) => self.lower(result),
            None => {
                let message = format!("no case fits `{}`", self.types().show(ty));
                self.error(&codes::TYPE, span, message)
            }
        }
    }

    fn offset_of(&mut self, span: Span, name: &ast::TypeName, path: &[ast::Designator]) -> Checked<Lowered> {
        let ty = self.type_name(name)?;
        let pointer = self.program.types.pointer(ty);
        let null = self.push(Pure::Integer(0), pointer);
        let mut place = self.dereference(null, ty);
        for designator in path {
            place = match designator {
                ast::Designator::Field(field, span) => self.member_place(place, *field, *span)?,
                ast::Designator::Index(index, _) => {
                    let index_value = self.rvalue(index)?;
                    self.require_integer(index_value, index.span)?;
                    if !matches!(self.types().kind(self.program.place(place).ty), Type::Array { .. }) {
                        return self.error(&codes::TYPE, span, "this is not an array");
                    }
                    self.element(place, index_value)
                }
            };
        }
        let steps = self.program.place(place).steps.clone();
        let size = self.types().size_type();
        let mut total = self.int(0, size);
        for step in steps {
            let bytes = match step {
                Step::Field { offset, .. } => self.int(i128::from(offset), size),
                Step::Index { index, stride, .. } => {
                    let stride = self.int(i128::from(stride), size);
                    self.binary_operator(BinaryOp::Multiply, index, stride, span)?
                }
            };
            total = self.binary_operator(BinaryOp::Add, total, bytes, span)?;
        }
        Ok(Lowered::Value(self.convert(total, size)))
    }

    /// The value of an integer constant expression.
    pub(super) fn constant_expr(&mut self, expr: &Expr) -> Checked<i128> {
        let before = self.graph.edges.len();
        let value = self.rvalue(expr)?;
        let same = before == self.graph.edges.len();
        match self.constant(value).or_else(|| self.shifted_constant(value)) {
            Some(constant) if same => Ok(constant),
            _ => {
                self.graph.edges.truncate(before);
                self.error(&codes::CONSTANT, expr.span, "this is not an integer constant")
            }
        }
    }
}

impl Lowerer<'_> {
    /// A constant with `1 << 31` in it: where a constant must stand, compilers take the bits that are left.
    pub(super) fn shifted_constant(&self, value: ExprId) -> Option<i128> {
        // Operands come before what is made of them.
        let mut order = vec![value];
        let mut at = 0;
        while let Some(&next) = order.get(at) {
            match &self.program.expr(next).kind {
                Pure::Integer(_) => {}
                Pure::Convert(operand) | Pure::Unary(_, operand) => order.push(*operand),
                Pure::Binary(_, left, right) => order.extend([*left, *right]),
                _ => return None,
            }
            at += 1;
            if MOST_CONSTANT < order.len() {
                return None;
            }
        }
        let mut known: FxHashMap<ExprId, i128> = FxHashMap::default();
        for &one in order.iter().rev() {
            let expr = self.program.expr(one);
            let ty = self.types().integer(expr.ty)?;
            let of = |operand: &ExprId| known.get(operand).copied();
            let number = match &expr.kind {
                Pure::Integer(number) => *number,
                Pure::Convert(operand) => ty.wrap(of(operand)?),
                Pure::Unary(operator, operand) => fold::unary(*operator, ty, of(operand)?)?,
                Pure::Binary(BinaryOp::ShiftLeft, left, right) => {
                    let count = u32::try_from(of(right)?).ok().filter(|count| *count < ty.bits)?;
                    ty.wrap(of(left)?.wrapping_shl(count))
                }
                Pure::Binary(operator, left, right) => {
                    let operands = self.types().integer(self.ty(*left))?;
                    fold::integer(*operator, operands, of(left)?, of(right)?)?
                }
                _ => return None,
            };
            known.insert(one, number);
        }
        known.get(&value).copied()
    }
}

/// A constant of more parts is not looked into.
const MOST_CONSTANT: usize = 1000;

/// Whether evaluating an expression stores into something whose value it also is.
pub(super) fn stores(expr: &Expr) -> bool {
    any(expr, &|expr| matches!(expr.kind, ExprKind::Assign(..) | ExprKind::Step { prefix: true, .. }))
}

/// Whether evaluating an expression may change something.
pub(super) fn changes(expr: &Expr) -> bool {
    any(expr, &|expr| {
        matches!(expr.kind, ExprKind::Assign(..) | ExprKind::Step { .. } | ExprKind::Call(..) | ExprKind::Block(_))
    })
}

/// Whether a part of an expression that is evaluated has a property. Blocks count as having it only themselves.
pub(super) fn any(expr: &Expr, property: &dyn Fn(&Expr) -> bool) -> bool {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        if property(expr) {
            return true;
        }
        match &expr.kind {
            ExprKind::Unary(_, operand)
            | ExprKind::Cast(_, operand)
            | ExprKind::Member(operand, ..)
            | ExprKind::Step { operand, .. } => {
                pending.push(operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Logical(_, left, right)
            | ExprKind::Assign(_, left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Index(left, right) => pending.extend([&**left, &**right]),
            ExprKind::Conditional(test, then, otherwise) => {
                pending.extend([&**test, &**otherwise]);
                pending.extend(then.as_deref());
            }
            ExprKind::Call(function, arguments) => {
                pending.push(function);
                pending.extend(arguments);
            }
            ExprKind::Generic(_, cases) => pending.extend(cases.iter().map(|(_, value)| value)),
            ExprKind::Choose(_, then, otherwise) => pending.extend([&**then, &**otherwise]),
            ExprKind::VaArg(list, _) => pending.push(list),
            ExprKind::Name(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(..)
            | ExprKind::Extended(_)
            | ExprKind::Character(..)
            | ExprKind::Text(..)
            | ExprKind::Compound(..)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofType(_)
            | ExprKind::AlignofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Block(_)
            | ExprKind::Offsetof(..)
            | ExprKind::TypesCompatible(..)
            | ExprKind::LabelAddress(_) => {}
        }
    }
    false
}
