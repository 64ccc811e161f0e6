//! What of a program can be seen from outside: which functions are only declared, which variables have a name, which bytes a meaning.

use std::collections::{BTreeSet, HashMap};

use super::code::Scalar;
use super::effects::MOST_BYTES;
use super::path;
use crate::program::{FunctionId, Program, Storage, Variable, VariableId};
use crate::types::{Type, TypeId};

impl Program {
    /// Whether calls of a function can be seen from outside: the program declares it, and neither it nor a library defines it.
    pub fn is_stub(&self, function: FunctionId) -> bool {
        let found = self.function(function);
        if found.body.is_some() || super::has_model(&found.name) {
            return false;
        }
        let known = matches!(
            found.name.as_str(),
            "assert" | "__CPROVER_assert" | "__CPROVER_assume" | "__VERIFIER_assume" | "__builtin_assume"
        );
        !known && !self.is_of_the_system(found.location)
    }

    /// Whether calls of a function are a part of what a program does: it is a stub that returns, and not only a source of inputs.
    pub fn is_watched(&self, function: FunctionId) -> bool {
        let found = self.function(function);
        let source = ["__VERIFIER_nondet", "nondet_"].iter().any(|prefix| found.name.starts_with(prefix));
        !source && !found.noreturn && self.is_stub(function)
    }

    /// Whether a place is in a header of the system.
    pub fn is_of_the_system(&self, location: crate::program::Location) -> bool {
        let at = location.file.0 as usize;
        let file = self.files.get(at).map(String::as_str).unwrap_or_default();
        self.system_files.get(at) == Some(&true)
            || file.is_empty()
            || file.starts_with('<')
            || file.starts_with("/usr/")
    }

    /// The variables of static storage that can be named outside of functions, and may change. Of several with one name none is.
    pub fn visible_variables(&self) -> BTreeSet<VariableId> {
        let is_named =
            |variable: &Variable| matches!(variable.storage, Storage::Global { .. }) && variable.function.is_none();
        let mut count: HashMap<&str, u32> = HashMap::new();
        for variable in self.variables.iter().filter(|variable| is_named(variable)) {
            *count.entry(&variable.name).or_default() += 1;
        }
        let visible = |variable: &Variable| {
            let changes =
                !variable.ty.is_const() && !variable.ty.is_volatile() && !variable.name.starts_with(['"', '$']);
            is_named(variable)
                && changes
                && count[variable.name.as_str()] == 1
                && !self.belongs_to_library(variable.ty)
                && !self.is_of_the_system(variable.location)
        };
        let numbered = (0u32..).map(VariableId).zip(&self.variables);
        numbered.filter(|(_, variable)| visible(variable)).map(|(id, _)| id).collect()
    }

    /// Whether objects of a type hold what only the library looks at: a structure in it has a name that is reserved.
    pub fn belongs_to_library(&self, ty: TypeId) -> bool {
        let mut pending = vec![ty];
        while let Some(ty) = pending.pop() {
            match self.types.kind(ty) {
                Type::Array { element, .. } => pending.push(*element),
                Type::Record(id) => {
                    let record = self.types.record(*id);
                    let is_reserved = |tag: &String| {
                        tag.strip_prefix('_')
                            .is_some_and(|rest| rest.starts_with(|c: char| c == '_' || c.is_uppercase()))
                    };
                    if record.tag.as_ref().is_some_and(is_reserved) {
                        return true;
                    }
                    pending.extend(record.layout.iter().flat_map(|layout| &layout.fields).map(|field| field.ty));
                }
                Type::VaList => return true,
                Type::Void
                | Type::Bool
                | Type::Float
                | Type::Double
                | Type::LongDouble
                | Type::Integer(_)
                | Type::Enum(_)
                | Type::Pointer(_)
                | Type::VariableArray { .. }
                | Type::Function { .. } => {}
            }
        }
        false
    }

    /// The bytes of a type that have a meaning: where they begin, how many there are, and how C goes on behind a variable of the
    /// type. Elements of arrays are one; padding has none, and of a union the first member stands for all.
    pub fn parts_of(&self, ty: TypeId) -> Vec<(u64, u64, String)> {
        let size = self.types.size(ty).unwrap_or(0).min(MOST_BYTES);
        let mut parts: Vec<(u64, u64, String)> = Vec::new();
        for (offset, leaf) in path::leaves(self, ty, 0..size) {
            let scalar = super::compile::scalar(&self.types, leaf);
            if matches!(scalar, Scalar::Other | Scalar::Extended(_)) {
                continue;
            }
            let name = path::name_of(self, "", ty, offset, leaf);
            let array =
                name.strip_suffix(']').and_then(|name| name.rsplit_once('[')).map(|(array, _)| array.to_owned());
            match (parts.last_mut(), array) {
                (Some((from, length, last)), Some(array)) if *from + *length == offset && *last == array => {
                    *length += scalar.size() as u64;
                }
                (_, array) => parts.push((offset, scalar.size() as u64, array.unwrap_or(name))),
            }
        }
        parts
    }

    /// How many elements of an object are compared, if it has so many of this size.
    pub fn compared_elements(count: u64, stride: u64) -> u64 {
        count.min(MOST_BYTES / stride.max(1)).max(1).min(count)
    }
}
