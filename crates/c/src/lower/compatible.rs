//! Which types are the same for C.

use crate::types::{RecordId, Type, TypeId, Types};

/// Structures and unions that are being compared: met again they are taken as the same, since types are cyclic.
type Assumed = rustc_hash::FxHashSet<(RecordId, RecordId)>;

/// How deep pointers and functions are followed between structures.
const DEPTH: u32 = 4000;

impl Types {
    /// Whether two types are compatible, their own qualifiers aside.
    pub fn compatible(&self, left: TypeId, right: TypeId) -> bool {
        self.compatible_to(left, right, DEPTH, &mut Assumed::default())
    }

    fn compatible_to(&self, left: TypeId, right: TypeId, depth: u32, assumed: &mut Assumed) -> bool {
        if left.unqualified() == right.unqualified() || depth == 0 {
            return true;
        }
        if let (Type::Record(a), Type::Record(b)) = (self.kind(left), self.kind(right))
            && !assumed.insert((*a, *b))
        {
            return true;
        }
        let mut below = |left: TypeId, right: TypeId| self.compatible_to(left, right, depth - 1, assumed);
        match (self.kind(left), self.kind(right)) {
            (Type::Pointer(left), Type::Pointer(right)) => {
                left.is_const() == right.is_const() && left.is_volatile() == right.is_volatile() && below(*left, *right)
            }
            (Type::Array { element: left, length: a }, Type::Array { element: right, length: b }) => {
                (a.is_none() || b.is_none() || a == b) && below(*left, *right)
            }
            (
                Type::Array { element: left, .. } | Type::VariableArray { element: left, .. },
                Type::Array { element: right, .. } | Type::VariableArray { element: right, .. },
            ) => below(*left, *right),
            (
                Type::Function { result: left, parameters: a, variadic: more, prototyped: known },
                Type::Function { result: right, parameters: b, variadic: also, prototyped: too },
            ) => {
                if !below(*left, *right) {
                    return false;
                }
                let unknown = !known || !too;
                unknown
                    || a.len() == b.len() && more == also && a.iter().zip(b).all(|(left, right)| below(*left, *right))
            }
            (Type::Enum(id), Type::Integer(_)) => below(self.enumeration(*id).underlying, right),
            (Type::Integer(_), Type::Enum(id)) => below(left, self.enumeration(*id).underlying),
            (Type::Enum(a), Type::Enum(b)) => {
                let (a, b) = (self.enumeration(*a), self.enumeration(*b));
                a.tag == b.tag && a.values == b.values
            }
            // The same structure declared in two units.
            (Type::Record(a), Type::Record(b)) => {
                let (a, b) = (self.record(*a), self.record(*b));
                if a.union != b.union || a.tag != b.tag {
                    return false;
                }
                match (&a.layout, &b.layout) {
                    (Some(a), Some(b)) => {
                        a.size == b.size
                            && a.fields.len() == b.fields.len()
                            && a.fields.iter().zip(&b.fields).all(|(a, b)| {
                                a.name == b.name && a.offset == b.offset && a.bits == b.bits && below(a.ty, b.ty)
                            })
                    }
                    _ => a.tag.is_some(),
                }
            }
            _ => false,
        }
    }

    /// The type that says what both say, of compatible types.
    pub(crate) fn composite(&self, left: TypeId, right: TypeId) -> TypeId {
        match (self.kind(left), self.kind(right)) {
            (Type::Array { length: None, .. }, Type::Array { length: Some(_), .. }) => right,
            (Type::Function { prototyped: false, .. }, Type::Function { prototyped: true, .. }) => right,
            _ => left,
        }
    }
}
