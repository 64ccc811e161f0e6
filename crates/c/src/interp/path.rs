//! How C would write a part of an object.

use crate::program::Program;
use crate::types::{Type, TypeId};

/// The scalar parts of a type within a range, with their offsets, in order. Padding has none.
pub(super) fn leaves(program: &Program, ty: TypeId, range: std::ops::Range<u64>) -> Vec<(u64, TypeId)> {
    let mut found = Vec::new();
    let mut pending = vec![(0u64, ty)];
    while let Some((offset, ty)) = pending.pop() {
        let size = program.types.size(ty).unwrap_or(0);
        if offset >= range.end || offset + size <= range.start {
            continue;
        }
        match program.types.kind(ty) {
            Type::Array { element, length } => {
                let stride = program.types.size(*element).unwrap_or(0);
                if stride == 0 {
                    continue;
                }
                let first = range.start.saturating_sub(offset) / stride;
                let last = range.end.saturating_sub(offset).div_ceil(stride).min(length.unwrap_or(0));
                pending.extend((first..last).rev().map(|index| (offset + index * stride, *element)));
            }
            Type::Record(id) => {
                let record = program.types.record(*id);
                let Some(layout) = &record.layout else { continue };
                // Of a union the first member stands for all; what lies behind it is bytes.
                let count = if record.union { 1 } else { layout.fields.len() };
                let mut covered = None;
                for field in layout.fields[..count.min(layout.fields.len())].iter().rev() {
                    if field.bits.is_some() {
                        // Bit-fields share storage units: one leaf for each unit.
                        if covered == Some(field.offset) {
                            continue;
                        }
                        covered = Some(field.offset);
                    }
                    pending.push((offset + field.offset, field.ty));
                }
            }
            _ => found.push((offset, ty.unqualified())),
        }
    }
    found
}

/// The name of the scalar at an offset of an object called `name`.
pub(super) fn name_of(program: &Program, name: &str, ty: TypeId, offset: u64, leaf: TypeId) -> String {
    let mut text = name.to_owned();
    let (mut ty, mut rest) = (ty, offset);
    loop {
        match program.types.kind(ty) {
            Type::Array { element, .. } => {
                let stride = program.types.size(*element).unwrap_or(0);
                if stride == 0 {
                    break;
                }
                text.push_str(&format!("[{}]", rest / stride));
                rest %= stride;
                ty = *element;
            }
            Type::Record(id) => {
                let Some(layout) = &program.types.record(*id).layout else { break };
                let holds = |field: &&crate::types::Field| {
                    let size = program.types.size(field.ty).unwrap_or(0);
                    field.offset <= rest && rest < field.offset + size
                };
                let fits = |field: &&crate::types::Field| field.ty.unqualified() == leaf && field.offset == rest;
                let Some(field) =
                    layout.fields.iter().filter(holds).find(fits).or_else(|| layout.fields.iter().find(holds))
                else {
                    break;
                };
                if let Some(name) = &field.name {
                    text.push('.');
                    text.push_str(name);
                }
                rest -= field.offset;
                ty = field.ty;
            }
            _ => break,
        }
    }
    if rest > 0 || program.types.size(ty) != program.types.size(leaf) {
        text.push_str(&format!("@{rest}"));
    }
    text
}
