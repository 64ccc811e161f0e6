//! Types.

use std::fmt;
use std::sync::Arc;

/// A type. After checking only value types are left in the core: no `Events`, functions, variables or unknowns.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// Integers of any size.
    Int,
    /// Truth values.
    Bool,
    /// IEEE double precision.
    Float,
    /// Text.
    String,
    /// A value or nothing.
    Option(Arc<Type>),
    /// A list.
    List(Arc<Type>),
    /// A set.
    Set(Arc<Type>),
    /// A map from keys to values.
    Map(Arc<Type>, Arc<Type>),
    /// An object or tuple; the unit type is the one without members.
    Object(Arc<ObjectType>),
    /// A stream of events.
    Events(Arc<Type>),
    /// A function or macro.
    Function(Arc<FunctionType>),
    /// A type parameter.
    Parameter(TypeParameter),
    /// A type that inference is to find.
    Meta(u32),
    /// A type only its maker knows: `extern` with a name that is not ours.
    Opaque(Arc<str>, Vec<Type>),
    /// What a rejected expression has; agrees with everything, so that one mistake is reported once.
    Wrong,
}

/// The members of an object type, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectType {
    /// Names and types.
    pub members: Vec<(Arc<str>, Type)>,
    /// Whether there may be further members (`..`).
    pub open: bool,
}

/// The type of a function or macro.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionType {
    /// Its type parameters.
    pub generics: Vec<TypeParameter>,
    /// The types of the parameters.
    pub parameters: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// Whether it may be applied to streams in place of values.
    pub liftable: bool,
}

/// A type parameter; the number tells apart parameters of the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeParameter {
    /// The number.
    pub id: u32,
    /// The name in the text.
    pub name: Arc<str>,
}

impl Type {
    /// The type `()`.
    pub fn unit() -> Type {
        Type::Object(Arc::default())
    }

    /// Streams of a type.
    pub fn events(element: Type) -> Type {
        Type::Events(Arc::new(element))
    }

    /// Options of a type.
    pub fn option(inner: Type) -> Type {
        Type::Option(Arc::new(inner))
    }

    /// A closed object type.
    pub fn object(members: Vec<(Arc<str>, Type)>) -> Type {
        Type::Object(Arc::new(ObjectType { members, open: false }))
    }

    /// The tuple of some types.
    pub fn tuple(elements: Vec<Type>) -> Type {
        Type::object(elements.into_iter().enumerate().map(|(index, of)| (tuple_member(index), of)).collect())
    }

    /// Whether values of it exist at run time: neither a stream nor a function nor an object that holds one.
    pub fn is_value(&self) -> bool {
        match self {
            Type::Events(_) | Type::Function(_) => false,
            Type::Object(object) => object.members.iter().all(|(_, of)| of.is_value()),
            Type::Option(inner) | Type::List(inner) | Type::Set(inner) => inner.is_value(),
            Type::Map(key, value) => key.is_value() && value.is_value(),
            Type::Int | Type::Bool | Type::Float | Type::String => true,
            Type::Parameter(_) | Type::Meta(_) | Type::Opaque(..) | Type::Wrong => true,
        }
    }

    /// Whether it is the type `()`.
    pub fn is_unit(&self) -> bool {
        matches!(self, Type::Object(object) if object.members.is_empty() && !object.open)
    }
}

impl ObjectType {
    /// The type of a member.
    pub fn member(&self, name: &str) -> Option<&Type> {
        self.members.iter().find(|(member, _)| &**member == name).map(|(_, of)| of)
    }

    /// Whether the members are those of a tuple.
    pub fn is_tuple(&self) -> bool {
        !self.open && are_tuple_members(self.members.iter().map(|(name, _)| &**name))
    }
}

/// The name of a tuple's member, counted from 0.
pub fn tuple_member(index: usize) -> Arc<str> {
    format!("_{}", index + 1).into()
}

/// Whether some names are those of a tuple's members, in any order.
pub(crate) fn are_tuple_members<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> bool {
    let count = names.len();
    let mut seen = vec![false; count];
    for name in names {
        match name.strip_prefix('_').and_then(|number| number.parse::<usize>().ok()) {
            Some(number) if (1..=count).contains(&number) => seen[number - 1] = true,
            Some(_) | None => return false,
        }
    }
    seen.into_iter().all(|is_seen| is_seen)
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Int => f.write_str("Int"),
            Type::Bool => f.write_str("Bool"),
            Type::Float => f.write_str("Float"),
            Type::String => f.write_str("String"),
            Type::Option(inner) => write!(f, "Option[{inner}]"),
            Type::List(inner) => write!(f, "List[{inner}]"),
            Type::Set(inner) => write!(f, "Set[{inner}]"),
            Type::Map(key, value) => write!(f, "Map[{key}, {value}]"),
            Type::Events(element) => write!(f, "Events[{element}]"),
            Type::Object(object) => write!(f, "{object}"),
            Type::Function(function) => write!(f, "{function}"),
            Type::Parameter(parameter) => f.write_str(&parameter.name),
            Type::Meta(_) | Type::Wrong => f.write_str("?"),
            Type::Opaque(name, arguments) if arguments.is_empty() => f.write_str(name),
            Type::Opaque(name, arguments) => write!(f, "{name}[{}]", Listed(arguments)),
        }
    }
}

impl fmt::Display for ObjectType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_tuple() && self.members.len() != 1 {
            let types: Vec<Type> = (0..self.members.len())
                .map(|index| self.member(&tuple_member(index)).expect("a tuple has its members").clone())
                .collect();
            return write!(f, "({})", Listed(&types));
        }
        let mut parts: Vec<String> = self.members.iter().map(|(name, of)| format!("{name}: {of}")).collect();
        if self.open {
            parts.push("..".into());
        }
        write!(f, "{{{}}}", parts.join(", "))
    }
}

impl fmt::Display for FunctionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let generics: Vec<&str> = self.generics.iter().map(|generic| &*generic.name).collect();
        write!(f, "[{}]({}) => {}", generics.join(", "), Listed(&self.parameters), self.result)
    }
}

struct Listed<'a>(&'a [Type]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, of) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{of}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_as_in_the_language() {
        let pair = Type::tuple(vec![Type::Int, Type::events(Type::unit())]);
        assert_eq!(pair.to_string(), "(Int, Events[()])");
        let open = ObjectType { members: vec![("x".into(), Type::Int)], open: true };
        assert_eq!(Type::Object(Arc::new(open)).to_string(), "{x: Int, ..}");
        let function =
            FunctionType { generics: vec![], parameters: vec![Type::Int], result: Type::String, liftable: false };
        assert_eq!(Type::Function(Arc::new(function)).to_string(), "[](Int) => String");
        assert!(!pair.is_value() && Type::unit().is_unit());
    }
}
