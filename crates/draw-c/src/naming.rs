//! How C would write a part of an object: the names under which the interpreter asks for inputs.

use c::Program;
use c::types::{Field, Type, TypeId};

/// The name of the scalar of a type at an offset of an object called `name`.
pub(super) fn name_of(program: &Program, name: &str, ty: TypeId, offset: u64, leaf: TypeId) -> String {
    let types = &program.types;
    let mut text = name.to_owned();
    let (mut ty, mut rest) = (ty, offset);
    loop {
        match types.kind(ty) {
            Type::Array { element, .. } => {
                let stride = types.size(*element).unwrap_or(0);
                if stride == 0 {
                    break;
                }
                text.push_str(&format!("[{}]", rest / stride));
                rest %= stride;
                ty = *element;
            }
            Type::Record(id) => {
                let Some(layout) = &types.record(*id).layout else { break };
                let holds =
                    |field: &&Field| field.offset <= rest && rest < field.offset + types.size(field.ty).unwrap_or(0);
                let fits = |field: &&Field| field.ty.unqualified() == leaf && field.offset == rest;
                let holding = || layout.fields.iter().filter(holds);
                let Some(field) = holding().find(fits).or_else(|| holding().next()) else { break };
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
    if 0 < rest || types.size(ty) != types.size(leaf) {
        text.push_str(&format!("@{rest}"));
    }
    text
}

/// The scalar type of `size` bytes at an offset of a type; of a union its largest member. None if no such scalar exists.
pub(super) fn leaf_at(program: &Program, ty: TypeId, offset: u64, size: u64) -> Option<TypeId> {
    let types = &program.types;
    let (mut ty, mut rest) = (ty, offset);
    loop {
        match types.kind(ty) {
            Type::Array { element, .. } => {
                let stride = types.size(*element).filter(|stride| 0 < *stride)?;
                rest %= stride;
                ty = *element;
            }
            Type::Record(id) => {
                let record = types.record(*id);
                let fields = &record.layout.as_ref()?.fields;
                let field = if record.union {
                    fields.iter().max_by_key(|field| types.size(field.ty).unwrap_or(0))?
                } else {
                    let holds = |field: &&Field| {
                        field.offset <= rest && rest < field.offset + types.size(field.ty).unwrap_or(0)
                    };
                    fields.iter().find(holds)?
                };
                rest -= field.offset;
                ty = field.ty;
            }
            _ => return (rest == 0 && types.size(ty) == Some(size)).then(|| ty.unqualified()),
        }
    }
}
