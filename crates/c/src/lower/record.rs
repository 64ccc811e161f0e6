//! The layout of structures and unions, as the System V interface lays them out.

use super::{Checked, Lowerer};
use crate::ast::{Attributes, MemberDeclaration};
use crate::codes;
use crate::types::{BitField, Field, Integer, Layout, RecordId, Type, TypeId};

/// Where the next member goes.
struct Cursor {
    union: bool,
    packed: bool,
    /// The most that members are aligned to.
    limit: Option<u64>,
    /// Bits used so far.
    bits: u64,
    /// Bits of the largest member, for unions.
    largest: u64,
    alignment: u64,
    fields: Vec<Field>,
}

impl Cursor {
    fn align(&mut self, bytes: u64) {
        self.bits = self.bits.next_multiple_of(8 * bytes);
    }

    fn advance(&mut self, bits: u64) {
        if self.union {
            self.largest = self.largest.max(bits);
        } else {
            self.bits = self.bits.saturating_add(bits);
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn lay_out(
        &mut self,
        id: RecordId,
        members: &[MemberDeclaration],
        attributes: &Attributes,
    ) -> Checked<()> {
        let union = self.types().record(id).union;
        let limit = self.text.pack(self.types().record(id).span.start);
        let mut cursor =
            Cursor { union, packed: attributes.packed, limit, bits: 0, largest: 0, alignment: 1, fields: Vec::new() };
        for (index, declaration) in members.iter().enumerate() {
            if let Some(assertion) = &declaration.assertion {
                self.static_assertion(assertion)?;
                continue;
            }
            let base = self.specified_type(&declaration.specifiers, declaration.members.is_empty())?;
            if declaration.members.is_empty() {
                // A structure or union without a name: its members are ours.
                if self.types().is_record(base) {
                    let wanted = self.alignment(&declaration.specifiers.attributes)?;
                    self.add_field(&mut cursor, None, base, wanted, false, declaration.specifiers.span)?;
                }
                continue;
            }
            for member in &declaration.members {
                let ty = self.declared_type(base, &member.declarator)?;
                let span = member.declarator.span;
                let name = member.declarator.name.map(|(name, _)| self.name(name).to_owned());
                let own = self.alignment(&member.declarator.attributes)?;
                let wanted = own.max(self.alignment(&declaration.specifiers.attributes)?);
                let packed = member.declarator.attributes.packed
                    || declaration.specifiers.attributes.packed && !self.types().is_record(base);
                match &member.width {
                    Some(width) => {
                        let bits = self.constant_expr(width)?;
                        self.add_bits(&mut cursor, name, ty, bits, packed, span)?;
                    }
                    None => {
                        let last = index + 1 == members.len();
                        let flexible =
                            matches!(self.types().kind(ty), Type::Array { length: None, .. }) && (last || union);
                        let ty = match *self.types().kind(ty) {
                            // A flexible member takes no room.
                            Type::Array { element, length: None } if flexible => {
                                self.program.types.array(element, Some(0))
                            }
                            _ => ty,
                        };
                        self.add_field(&mut cursor, name, ty, wanted, packed, span)?;
                    }
                }
            }
        }
        self.check_names(&cursor.fields, id)?;
        let wanted = self.alignment(attributes)?.unwrap_or(1);
        let alignment = cursor.alignment.max(wanted);
        let bits = if union { cursor.largest } else { cursor.bits };
        let size = bits.div_ceil(8).next_multiple_of(alignment);
        self.program.types.record_mut(id).layout = Some(Layout { fields: cursor.fields, size, alignment });
        Ok(())
    }

    fn add_field(
        &mut self,
        cursor: &mut Cursor,
        name: Option<String>,
        ty: TypeId,
        wanted: Option<u64>,
        packed: bool,
        span: source::Span,
    ) -> Checked<()> {
        let Some(size) = self.types().size(ty) else {
            let message = format!("a member has the incomplete type `{}`", self.types().show(ty));
            return self.error(&codes::TYPE, span, message);
        };
        let natural = if cursor.packed || packed { 1 } else { self.types().alignment(ty) };
        let natural = cursor.limit.map_or(natural, |limit| natural.min(limit));
        let alignment = wanted.map_or(natural, |wanted| wanted.max(natural));
        cursor.alignment = cursor.alignment.max(alignment);
        if !cursor.union {
            cursor.align(alignment);
        }
        let offset = if cursor.union { 0 } else { cursor.bits / 8 };
        cursor.fields.push(Field { name, ty, offset, bits: None });
        cursor.advance(8 * size);
        if cursor.bits > 8 << 47 {
            return self.error(&codes::TYPE, span, "the structure is too large");
        }
        Ok(())
    }

    fn add_bits(
        &mut self,
        cursor: &mut Cursor,
        name: Option<String>,
        ty: TypeId,
        width: i128,
        packed: bool,
        span: source::Span,
    ) -> Checked<()> {
        let Some(integer) = self.types().integer(ty) else {
            return self.error(&codes::TYPE, span, "a bit-field has an integer type");
        };
        let alignment = self.types().alignment(ty);
        let most = if *self.types().kind(ty) == Type::Bool { 1 } else { integer.bits };
        let Some(width) = u32::try_from(width).ok().filter(|width| *width <= most && (*width > 0 || name.is_none()))
        else {
            let message = format!("the width of a bit-field of type `{}` is from 1 to {most}", self.types().show(ty));
            return self.error(&codes::CONSTANT, span, message);
        };
        let unit = u64::from(integer.bits);
        // Under `#pragma pack` a field spans no more pieces of that alignment than its type has.
        let piece = cursor.limit.map_or(unit, |limit| unit.min(8 * limit));
        if width == 0 {
            if !cursor.union {
                cursor.bits = cursor.bits.next_multiple_of(piece);
            }
            return Ok(());
        }
        let tight = cursor.packed || packed;
        let start = if cursor.union { 0 } else { cursor.bits };
        let spans = (start % piece + u64::from(width)).div_ceil(piece);
        let start = if !tight && unit / piece < spans { start.next_multiple_of(piece) } else { start };
        let storage = if tight { start / 8 * 8 } else { start / piece * piece };
        let shift = (start - storage) as u32;
        let (ty, integer) =
            if tight || piece < unit { self.narrowest(ty, integer, shift + width) } else { (ty, integer) };
        // A packed field may go on behind the unit of its type: its bits are those of the bytes that follow each other.
        let big_endian = self.types().model().big_endian;
        if shift + width > integer.bits && big_endian {
            return self.unsupported(span, "a packed bit-field that crosses its storage unit is not supported");
        }
        let shift = if big_endian { integer.bits - shift - width } else { shift };
        if name.is_some() {
            cursor.alignment = cursor.alignment.max(if tight { 1 } else { alignment.min(piece / 8) });
            cursor.fields.push(Field { name, ty, offset: storage / 8, bits: Some(BitField { shift, width }) });
        }
        if cursor.union {
            cursor.largest = cursor.largest.max(u64::from(width));
        } else {
            cursor.bits = start + u64::from(width);
        }
        Ok(())
    }

    /// The narrowest type of the same sign that holds a packed field: a wider one may reach beyond the structure.
    fn narrowest(&self, ty: TypeId, integer: Integer, bits: u32) -> (TypeId, Integer) {
        if !matches!(self.types().kind(ty), Type::Integer(_)) {
            return (ty, integer);
        }
        let types = match integer.signed {
            true => [TypeId::SCHAR, TypeId::SHORT, TypeId::INT, TypeId::LLONG],
            false => [TypeId::UCHAR, TypeId::USHORT, TypeId::UINT, TypeId::ULLONG],
        };
        let fits =
            |ty: &TypeId| self.types().integer(*ty).is_some_and(|own| bits <= own.bits && own.bits <= integer.bits);
        match types.into_iter().find(fits) {
            Some(found) => (found, self.types().integer(found).unwrap_or(integer)),
            None => (ty, integer),
        }
    }

    fn check_names(&self, fields: &[Field], id: RecordId) -> Checked<()> {
        let mut seen: rustc_hash::FxHashSet<&str> = rustc_hash::FxHashSet::default();
        for name in fields.iter().filter_map(|field| field.name.as_deref()) {
            if !seen.insert(name) {
                let span = self.types().record(id).span;
                return self.error(&codes::DUPLICATE, span, format!("the member `{name}` is declared twice"));
            }
        }
        Ok(())
    }

    /// The steps from a structure to a member with a name, through unnamed members.
    pub(super) fn field_path(&self, record: RecordId, name: &str) -> Option<Vec<(RecordId, u32)>> {
        let layout = self.types().record(record).layout.as_ref()?;
        for (index, field) in layout.fields.iter().enumerate() {
            if field.name.as_deref() == Some(name) {
                return Some(vec![(record, index as u32)]);
            }
            if field.name.is_none()
                && let Type::Record(inner) = *self.types().kind(field.ty)
                && let Some(path) = self.field_path(inner, name)
            {
                return Some(std::iter::once((record, index as u32)).chain(path).collect());
            }
        }
        None
    }
}
