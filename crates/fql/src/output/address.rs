//! Inputs that C has no name for: bytes of a number, storage units of bit-fields, what a pointer to `void` points to.

use c::Program;
use c::interp::InputRecord;
use c::types::{Type, TypeId};

/// An expression that can be assigned to, with `@` for the variable; empty where the input's name is one.
pub(super) fn raw(program: &Program, variable: Option<TypeId>, record: &InputRecord) -> String {
    let Some(ty) = variable else { return String::new() };
    match walk(program, ty, &record.own_name()) {
        Some((address, true)) => format!("*({} *)({address})", program.types.show(record.ty.unqualified())),
        Some((_, false)) | None => String::new(),
    }
}

/// The address of a part of a variable, in bytes, and whether its name is not one that C takes.
fn walk(program: &Program, ty: TypeId, name: &str) -> Option<(String, bool)> {
    let types = &program.types;
    let mut rest = &name[name.find(['.', '[', '@'])?..];
    let (mut base, mut offset, mut odd, mut ty) = ("(char *)&@".to_owned(), 0u64, false, ty);
    while let Some(sign) = rest.chars().next() {
        let inner = &rest[1..];
        match (sign, types.kind(ty)) {
            ('[', kind) => {
                let (number, behind) = inner.split_once(']')?;
                let number: u64 = number.parse().ok()?;
                let element = match kind {
                    Type::Array { element, .. } => *element,
                    Type::Pointer(target) => {
                        base = format!("*(char **)({base} + {offset})");
                        offset = 0;
                        *target
                    }
                    _ => return None,
                };
                odd |= matches!(types.kind(element), Type::Void);
                ty = if matches!(types.kind(element), Type::Void) { TypeId::UCHAR } else { element };
                offset += number * types.size(ty)?;
                rest = behind;
            }
            ('.', Type::Record(_)) => {
                let end = inner.find(['.', '[', '@']).unwrap_or(inner.len());
                let (at, member, is_bits) = member(program, ty, &inner[..end])?;
                offset += at;
                odd |= is_bits;
                ty = member;
                rest = &inner[end..];
            }
            ('@', _) => {
                offset += inner.parse::<u64>().ok()?;
                odd = true;
                rest = "";
            }
            _ => return None,
        }
    }
    Some((format!("{base} + {offset}"), odd))
}

/// A member of a record, or of a record in it that has no name: its place, its type, and whether it is a bit-field.
pub(super) fn member(program: &Program, ty: TypeId, name: &str) -> Option<(u64, TypeId, bool)> {
    let mut pending = vec![(0u64, ty)];
    while let Some((offset, ty)) = pending.pop() {
        let Type::Record(id) = program.types.kind(ty) else { continue };
        for field in &program.types.record(*id).layout.as_ref()?.fields {
            match &field.name {
                Some(own) if own == name => return Some((offset + field.offset, field.ty, field.bits.is_some())),
                Some(_) => {}
                None => pending.push((offset + field.offset, field.ty)),
            }
        }
    }
    None
}
