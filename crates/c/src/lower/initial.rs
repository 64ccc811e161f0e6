//! Initialisers: designated, nested, with and without braces, from strings.

use source::Span;

use super::build::Lowered;
use super::{Checked, Lowerer};
use crate::ast::{self, CharacterWidth, Designator, Expr, ExprKind, Initialiser, InitialiserItem};
use crate::codes;
use crate::expr::{Base, ExprId, ExprKind as Pure, Step};
use crate::program::{Initial, InitialItem, Operation, Storage, VariableId};
use crate::types::{BitField, Type, TypeId};

/// A part of the object that is initialised.
#[derive(Clone, Copy, Debug)]
struct Part {
    offset: u64,
    ty: TypeId,
    bits: Option<BitField>,
    /// Whether a flexible member at its end may be given elements: it is a static variable or the last part of one.
    flexible: bool,
}

/// The items of a list, read one after the other.
struct Items<'e> {
    items: &'e [InitialiserItem],
    at: usize,
    /// How often the first designator's range still repeats.
    level: u32,
}

impl Lowerer<'_> {
    pub(super) fn initialise_static(&mut self, variable: VariableId, initialiser: &Initialiser) -> Checked<()> {
        let before = self.graph.edges.len();
        let ty = self.program.variable(variable).ty;
        let (ty, mut items) = self.initialiser(ty, initialiser, true)?;
        if before != self.graph.edges.len() {
            self.graph.edges.truncate(before);
            return self.error(
                &codes::CONSTANT,
                span_of(initialiser),
                "the initialiser of a static variable must be constant",
            );
        }
        for item in &mut items {
            if self.constant(item.value).is_none()
                && let Some(constant) = self.shifted_constant(item.value)
            {
                item.value = self.int(constant, self.ty(item.value));
            }
            if !self.is_static_constant(item.value) {
                return self.error(
                    &codes::CONSTANT,
                    span_of(initialiser),
                    "the initialiser of a static variable must be constant",
                );
            }
        }
        let ends = items.iter().map(|item| item.offset + self.types().size(item.ty).unwrap_or(0));
        let behind = ends.max().unwrap_or(0).saturating_sub(self.types().size(ty).unwrap_or(0));
        let found = &mut self.program.variables[variable.0 as usize];
        found.ty = ty.qualified_like(found.ty);
        found.initial = Some(Initial { items });
        found.behind = behind;
        Ok(())
    }

    /// Whether a value is known before the program starts: a constant, or an address plus a constant.
    fn is_static_constant(&self, value: ExprId) -> bool {
        let mut pending = vec![value];
        while let Some(value) = pending.pop() {
            match &self.program.expr(value).kind {
                Pure::Integer(_) | Pure::Float(_) | Pure::Extended(_) | Pure::Function(_) => {}
                Pure::Address(place) => {
                    let place = self.program.place(*place);
                    match place.base {
                        Base::Variable(variable) if self.program.variable(variable).storage.is_static() => {}
                        Base::Variable(_) => return false,
                        Base::Pointer(pointer) => pending.push(pointer),
                    }
                    pending.extend(place.steps.iter().filter_map(|step| match step {
                        Step::Index { index, .. } => Some(*index),
                        Step::Field { .. } => None,
                    }));
                }
                // A constant object copied as a whole, as in `struct s x = (struct s){1}`.
                Pure::Load(place) => match self.program.place(*place).base {
                    Base::Variable(variable) => {
                        let variable = self.program.variable(variable);
                        if !(variable.storage == Storage::Static && self.types().is_record(variable.ty)) {
                            return false;
                        }
                    }
                    Base::Pointer(_) => return false,
                },
                Pure::Convert(operand) | Pure::Unary(_, operand) => pending.push(*operand),
                Pure::Offset { pointer, index, .. } => pending.extend([*pointer, *index]),
                Pure::Difference { left, right, .. } | Pure::Binary(_, left, right) => pending.extend([*left, *right]),
            }
        }
        true
    }

    pub(super) fn initialise_local(
        &mut self,
        variable: VariableId,
        initialiser: &Initialiser,
        span: Span,
    ) -> Checked<()> {
        let ty = self.program.variable(variable).ty;
        if let Initialiser::Expr(expr) = initialiser
            && !matches!(self.types().kind(ty), Type::Array { .. })
        {
            let value = self.rvalue(expr)?;
            let value = self.convert_for(value, ty, expr.span, "initialiser")?;
            let place = self.variable_place(variable);
            self.assign(place, value, span);
            return Ok(());
        }
        let (ty, items) = self.initialiser(ty, initialiser, false)?;
        let found = &mut self.program.variables[variable.0 as usize];
        found.ty = ty.qualified_like(found.ty);
        if let ([item], true) = (items.as_slice(), self.types().is_scalar(ty)) {
            let value = item.value;
            let place = self.variable_place(variable);
            self.assign(place, value, span);
            return Ok(());
        }
        self.emit(Operation::Initialise { variable, initial: Initial { items } }, span);
        Ok(())
    }

    /// What is stored where, and the type with its length known.
    fn initialiser(
        &mut self,
        ty: TypeId,
        initialiser: &Initialiser,
        flexible: bool,
    ) -> Checked<(TypeId, Vec<InitialItem>)> {
        let mut items = Vec::new();
        let flexible = flexible && self.types().is_record(ty);
        let whole = Part { offset: 0, ty, bits: None, flexible };
        let length = match initialiser {
            Initialiser::Expr(expr) => self.initialise_from_expr(whole, expr, &mut items)?,
            Initialiser::List(list, span) => self.initialise_from_list(whole, list, *span, &mut items)?,
        };
        let ty = match *self.types().kind(ty) {
            Type::Array { element, length: None } => self.program.types.array(element, Some(length)),
            _ => ty,
        };
        if self.types().size(ty).is_none() {
            let message = format!("`{}` is an incomplete type", self.types().show(ty));
            return self.error(&codes::TYPE, span_of(initialiser), message);
        }
        // Later items win; a stable order keeps overlapping ones right.
        Ok((ty, items))
    }

    /// Initialises from one expression. Returns the length of an array.
    fn initialise_from_expr(&mut self, part: Part, expr: &Expr, items: &mut Vec<InitialItem>) -> Checked<u64> {
        if let Type::Array { element, length } = *self.types().kind(part.ty) {
            if let Some((units, stride)) = self.string_for(element, expr) {
                return self.initialise_from_string(part, length, &units, stride, expr.span, items);
            }
            if let ExprKind::Compound(name, inner) = &expr.kind {
                // GNU C: an array from a compound literal of its type.
                let ty = self.type_name(name)?;
                if self.types().compatible(ty, part.ty) {
                    let (ty, found) = self.initialiser(ty, inner, false)?;
                    items.extend(
                        found.into_iter().map(|item| InitialItem { offset: item.offset + part.offset, ..item }),
                    );
                    return Ok(match self.types().kind(ty) {
                        Type::Array { length, .. } => length.unwrap_or(0),
                        _ => 0,
                    });
                }
            }
            return self.error(&codes::TYPE, expr.span, "an array is initialised with a list in braces or a string");
        }
        let value = self.rvalue(expr)?;
        let value = self.convert_for(value, part.ty, expr.span, "initialiser")?;
        items.push(InitialItem { offset: part.offset, ty: part.ty.unqualified(), bits: part.bits, value });
        Ok(0)
    }

    /// The characters, if the expression is a string for an array of such elements.
    fn string_for(&self, element: TypeId, expr: &Expr) -> Option<(Vec<u32>, u64)> {
        let ExprKind::Text(units, width) = &expr.kind else { return None };
        let wanted = match width {
            CharacterWidth::Plain => 1,
            CharacterWidth::Utf16 => 2,
            CharacterWidth::Wide | CharacterWidth::Utf32 => 4,
        };
        let integer = self.types().integer(element)?;
        (integer.bits == 8 * wanted).then(|| (units.clone(), u64::from(wanted)))
    }

    fn initialise_from_string(
        &mut self,
        part: Part,
        length: Option<u64>,
        units: &[u32],
        stride: u64,
        span: Span,
        items: &mut Vec<InitialItem>,
    ) -> Checked<u64> {
        let Type::Array { element, .. } = *self.types().kind(part.ty) else { unreachable!("the caller checked") };
        let count = units.len() as u64;
        if length.is_some_and(|length| length < count) {
            return self.error(&codes::TYPE, span, "the string is longer than the array");
        }
        let integer = self.types().integer(element).expect("characters are integers");
        for index in 0..length.unwrap_or(count + 1).min(count + 1) {
            let unit = units.get(index as usize).copied().unwrap_or(0);
            let value = self.int(integer.wrap(i128::from(unit)), element);
            items.push(InitialItem {
                offset: part.offset + index * stride,
                ty: element.unqualified(),
                bits: None,
                value,
            });
        }
        Ok(count + 1)
    }

    fn initialise_from_list(
        &mut self,
        part: Part,
        list: &[InitialiserItem],
        span: Span,
        items: &mut Vec<InitialItem>,
    ) -> Checked<u64> {
        match self.types().kind(part.ty).clone() {
            Type::Array { element, .. } => {
                if let [InitialiserItem { designators, value: Initialiser::Expr(expr), .. }] = list
                    && designators.is_empty()
                    && self.string_for(element, expr).is_some()
                {
                    return self.initialise_from_expr(part, expr, items);
                }
            }
            Type::Record(_) => {}
            _ => {
                return match list {
                    [] => {
                        let value = self.zero_of(part.ty, span)?;
                        items.push(InitialItem {
                            offset: part.offset,
                            ty: part.ty.unqualified(),
                            bits: part.bits,
                            value,
                        });
                        Ok(0)
                    }
                    [first, ..] => match &first.value {
                        Initialiser::Expr(expr) => self.initialise_from_expr(part, expr, items),
                        Initialiser::List(inner, span) => self.initialise_from_list(part, inner, *span, items),
                    },
                };
            }
        }
        let mut source = Items { items: list, at: 0, level: 0 };
        let length = self.fill(part, &mut source, true, items)?;
        if source.at < list.len() {
            return self.error(&codes::TYPE, list[source.at].span, "there are more initialisers than parts");
        }
        Ok(length)
    }

    fn zero_of(&mut self, ty: TypeId, span: Span) -> Checked<ExprId> {
        if self.types().is_floating(ty) {
            return Ok(self.push(Pure::Float(0.0), ty));
        }
        let zero = self.int(0, TypeId::INT);
        self.convert_for(zero, ty, span, "initialiser")
    }

    /// The n-th part of an array, structure or union; none behind the last.
    fn part(&self, of: Part, index: u64) -> Option<Part> {
        match self.types().kind(of.ty) {
            Type::Array { element, length } => {
                if length.is_some_and(|length| index >= length) && !(of.flexible && *length == Some(0)) {
                    return None;
                }
                let offset = of.offset + index.checked_mul(self.types().size(*element)?)?;
                Some(Part { offset, ty: *element, bits: None, flexible: false })
            }
            Type::Record(id) => {
                let record = self.types().record(*id);
                if record.union && index > 0 {
                    return None;
                }
                self.field_part(of, index as usize)
            }
            _ => None,
        }
    }

    fn field_part(&self, of: Part, index: usize) -> Option<Part> {
        let Type::Record(id) = self.types().kind(of.ty) else { return None };
        let fields = &self.types().record(*id).layout.as_ref()?.fields;
        let field = fields.get(index)?;
        let flexible = of.flexible && index + 1 == fields.len();
        Some(Part { offset: of.offset + field.offset, ty: field.ty, bits: field.bits, flexible })
    }

    /// Fills a part from the items. `braced` says whether the braces around the items are those of this part: then
    /// designators are its own, and it must take all items. Returns the length of an array.
    fn fill(&mut self, part: Part, source: &mut Items<'_>, braced: bool, items: &mut Vec<InitialItem>) -> Checked<u64> {
        source.level += 1;
        if source.level > 200 {
            return self.error(&codes::NESTING, Span::default(), "the initialiser nests too deeply");
        }
        let mut next = 0u64;
        let mut length = 0u64;
        while let Some(item) = source.items.get(source.at) {
            if !item.designators.is_empty() {
                if !braced {
                    break;
                }
                source.at += 1;
                next = self.designated(part, item, source, items)?;
                length = length.max(next);
                continue;
            }
            let Some(inner) = self.part(part, next) else { break };
            self.fill_part(inner, source, items)?;
            next += 1;
            length = length.max(next);
        }
        source.level -= 1;
        Ok(length)
    }

    /// Fills a part from the next item, or from several if it is an aggregate without braces of its own.
    fn fill_part(&mut self, part: Part, source: &mut Items<'_>, items: &mut Vec<InitialItem>) -> Checked<()> {
        let item = &source.items[source.at];
        match &item.value {
            Initialiser::List(inner, span) => {
                source.at += 1;
                self.initialise_from_list(part, inner, *span, items)?;
            }
            Initialiser::Expr(expr) => {
                let aggregate = match self.types().kind(part.ty).clone() {
                    Type::Array { element, .. } => {
                        self.string_for(element, expr).is_none() && !matches!(expr.kind, ExprKind::Compound(..))
                    }
                    Type::Record(_) => {
                        let ty = self.unevaluated(|lowerer| lowerer.rvalue(expr).map(|value| lowerer.ty(value)))?;
                        !self.types().compatible(ty, part.ty)
                    }
                    _ => false,
                };
                if aggregate {
                    let before = source.at;
                    self.fill(part, source, false, items)?;
                    if source.at == before {
                        return self.error(&codes::TYPE, expr.span, "nothing here can be initialised with this");
                    }
                } else {
                    source.at += 1;
                    self.initialise_from_expr(part, expr, items)?;
                }
            }
        }
        Ok(())
    }

    /// An item with designators; what follows it goes on behind it. Returns the index that follows in `part`.
    fn designated(
        &mut self,
        part: Part,
        item: &InitialiserItem,
        source: &mut Items<'_>,
        items: &mut Vec<InitialItem>,
    ) -> Checked<u64> {
        let ranges = self.resolve(part, &item.designators[0], item.span)?;
        let (first, last, through) = ranges;
        for index in first..=last {
            let mut target = match through.as_deref() {
                Some(path) => {
                    let mut target = part;
                    for (_, field) in path {
                        target = self.field_part(target, *field as usize).expect("the path leads to a field");
                    }
                    target
                }
                None => match self.part(part, index) {
                    Some(target) => target,
                    None => return self.error(&codes::TYPE, item.span, "the index is behind the end of the array"),
                },
            };
            for designator in &item.designators[1..] {
                let (inner, _, through) = self.resolve(target, designator, item.span)?;
                target = match through {
                    Some(path) => {
                        let mut found = target;
                        for (_, field) in &path {
                            found = self.field_part(found, *field as usize).expect("the path leads to a field");
                        }
                        found
                    }
                    None => match self.part(target, inner) {
                        Some(found) => found,
                        None => return self.error(&codes::TYPE, item.span, "the index is behind the end of the array"),
                    },
                };
            }
            match &item.value {
                Initialiser::List(list, span) => {
                    self.initialise_from_list(target, list, *span, items)?;
                }
                Initialiser::Expr(_) if index == last => {
                    // The item may begin an aggregate without braces, which goes on with the items that follow.
                    source.at -= 1;
                    self.fill_part(target, source, items)?;
                }
                Initialiser::Expr(expr) => {
                    self.initialise_from_expr(target, expr, items)?;
                }
            }
        }
        Ok(last + 1)
    }

    /// The indices a designator names, or the path to a member.
    #[allow(clippy::type_complexity, reason = "used in one place")]
    fn resolve(
        &mut self,
        part: Part,
        designator: &Designator,
        span: Span,
    ) -> Checked<(u64, u64, Option<Vec<(crate::types::RecordId, u32)>>)> {
        match (designator, self.types().kind(part.ty).clone()) {
            (Designator::Field(name, span), Type::Record(id)) => {
                let text = self.name(*name).to_owned();
                match self.field_path(id, &text) {
                    Some(path) => {
                        let first = u64::from(path[0].1);
                        Ok((first, first, Some(path)))
                    }
                    None => self.error(&codes::UNKNOWN_NAME, *span, format!("unknown member `{text}`")),
                }
            }
            (Designator::Index(first, last), Type::Array { .. }) => {
                let low = self.constant_expr(first)?;
                let high = match last {
                    Some(last) => self.constant_expr(last)?,
                    None => low,
                };
                match (u64::try_from(low), u64::try_from(high)) {
                    (Ok(low), Ok(high)) if low <= high && high - low < 1 << 24 => Ok((low, high, None)),
                    _ => self.error(&codes::CONSTANT, span, "this index is negative or the range too large"),
                }
            }
            _ => self.error(&codes::TYPE, span, "the designator does not fit the type"),
        }
    }

    /// `(type){ … }`: a variable without a name.
    pub(super) fn compound_literal(
        &mut self,
        span: Span,
        name: &ast::TypeName,
        initialiser: &Initialiser,
    ) -> Checked<Lowered> {
        let ty = self.type_name(name)?;
        let storage = if self.current.is_none() { Storage::Static } else { Storage::Local };
        let location = self.location(span);
        let text = format!("$literal{}", self.program.variables.len());
        let variable = self.new_variable(text, ty, storage, location);
        if storage == Storage::Static {
            self.initialise_static(variable, initialiser)?;
        } else {
            self.initialise_local(variable, initialiser, span)?;
        }
        Ok(Lowered::Place(self.variable_place(variable)))
    }
}

fn span_of(initialiser: &Initialiser) -> Span {
    match initialiser {
        Initialiser::Expr(expr) => expr.span,
        Initialiser::List(_, span) => *span,
    }
}
