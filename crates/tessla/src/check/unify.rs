//! Whether types agree, and how an expression of one type is made to fit another.

use std::rc::Rc;
use std::sync::Arc;

use crate::typed::{Conversion, Kind, Typed};
use crate::types::{FunctionType, ObjectType, Type};

use super::Checker;
use super::type_expr::{map_type, substitute};

impl Checker<'_> {
    pub(super) fn new_meta(&mut self) -> Type {
        self.metas.push(None);
        Type::Meta(self.metas.len() as u32 - 1)
    }

    /// The type with everything inference found so far put in, at the top only.
    pub(super) fn shallow(&self, of: &Type) -> Type {
        let mut at = of.clone();
        while let Type::Meta(id) = at {
            match &self.metas[id as usize] {
                Some(found) => at = found.clone(),
                None => break,
            }
        }
        at
    }

    /// The type with everything inference found so far put in.
    pub(super) fn resolved(&self, of: &Type) -> Type {
        resolve_metas(&self.metas, of)
    }

    /// Types for the type parameters of something generic, to be found.
    pub(super) fn instantiate(&mut self, generics: &[crate::types::TypeParameter]) -> Vec<(u32, Type)> {
        generics.iter().map(|generic| (generic.id, self.new_meta())).collect()
    }

    /// The same for something that is written at a place: if it is the user's, the types must be found in the end.
    pub(super) fn instantiate_at(
        &mut self,
        generics: &[crate::types::TypeParameter],
        place: crate::place::Place,
    ) -> Vec<(u32, Type)> {
        let bindings = self.instantiate(generics);
        if !self.files.is_library(place.file) {
            let awaited = generics.iter().zip(&bindings);
            self.awaited.extend(awaited.map(|(generic, (_, of))| super::Awaited {
                parameter: generic.name.clone(),
                of: of.clone(),
                place,
            }));
        }
        bindings
    }

    /// Makes two value types equal; whether they can be.
    pub(super) fn unify(&mut self, left: &Type, right: &Type) -> bool {
        let (left, right) = (self.shallow(left), self.shallow(right));
        match (&left, &right) {
            (Type::Wrong, _) | (_, Type::Wrong) => true,
            (Type::Meta(one), Type::Meta(other)) if one == other => true,
            (Type::Meta(id), other) | (other, Type::Meta(id)) => {
                let other = self.resolved(other);
                if !other.is_value() || mentions(&other, *id) {
                    return false;
                }
                self.metas[*id as usize] = Some(other);
                true
            }
            (Type::Int, Type::Int) | (Type::Bool, Type::Bool) => true,
            (Type::Float, Type::Float) | (Type::String, Type::String) => true,
            (Type::Parameter(one), Type::Parameter(other)) => one.id == other.id,
            (Type::Option(one), Type::Option(other))
            | (Type::List(one), Type::List(other))
            | (Type::Set(one), Type::Set(other))
            | (Type::Events(one), Type::Events(other)) => self.unify(one, other),
            (Type::Map(key, value), Type::Map(other_key, other_value)) => {
                self.unify(key, other_key) && self.unify(value, other_value)
            }
            (Type::Opaque(name, arguments), Type::Opaque(other, others)) => {
                name == other && arguments.len() == others.len() && self.unify_all(arguments, others)
            }
            (Type::Object(one), Type::Object(other)) => self.unify_objects(one, other),
            (Type::Function(one), Type::Function(other)) => {
                one.parameters.len() == other.parameters.len()
                    && self.unify_all(&one.parameters, &other.parameters)
                    && self.unify(&one.result, &other.result)
            }
            _ => false,
        }
    }

    fn unify_all(&mut self, left: &[Type], right: &[Type]) -> bool {
        left.iter().zip(right).all(|(one, other)| self.unify(one, other))
    }

    fn unify_objects(&mut self, one: &Arc<ObjectType>, other: &Arc<ObjectType>) -> bool {
        one.open == other.open
            && one.members.len() == other.members.len()
            && one.members.iter().all(|(name, of)| match other.member(name) {
                Some(found) => self.unify(of, &found.clone()),
                None => false,
            })
    }

    /// How something of one type fits where another is expected, if it does.
    pub(super) fn fit(&mut self, found: &Type, expected: &Type) -> Option<Conversion> {
        let (found, expected) = (self.shallow(found), self.shallow(expected));
        match (&found, &expected) {
            (Type::Wrong, _) | (_, Type::Wrong) => Some(Conversion::Keep),
            (Type::Events(element), Type::Events(wanted)) => self.unify(element, wanted).then_some(Conversion::Keep),
            (Type::Function(found), Type::Function(expected)) => self.fit_function(found, expected),
            (Type::Object(found), Type::Object(expected)) => self.fit_object(found, expected),
            (value, Type::Events(wanted)) if value.is_value() => {
                self.fit(value, wanted)?.is_keep().then_some(Conversion::ToStream)
            }
            _ => self.unify(&found, &expected).then_some(Conversion::Keep),
        }
    }

    fn fit_object(&mut self, found: &Arc<ObjectType>, expected: &Arc<ObjectType>) -> Option<Conversion> {
        if !expected.open && (found.open || found.members.len() != expected.members.len()) {
            return None;
        }
        let mut conversions = Vec::new();
        for (name, wanted) in &expected.members {
            let of = found.member(name)?.clone();
            conversions.push((name.clone(), self.fit(&of, wanted)?));
        }
        let members = Conversion::Members(conversions);
        Some(if members.is_keep() { Conversion::Keep } else { members })
    }

    fn fit_function(&mut self, found: &Arc<FunctionType>, expected: &Arc<FunctionType>) -> Option<Conversion> {
        if found.parameters.len() != expected.parameters.len() {
            return None;
        }
        let bindings = self.instantiate(&found.generics);
        let mut parameters: Vec<Type> = found.parameters.iter().map(|of| substitute(of, &bindings)).collect();
        let mut result = substitute(&found.result, &bindings);
        let is_stream = |checker: &Self, of: &Type| matches!(checker.shallow(of), Type::Events(_));
        let lifts = found.liftable
            && parameters
                .iter()
                .zip(&expected.parameters)
                .any(|(own, wanted)| !is_stream(self, own) && is_stream(self, wanted));
        if lifts {
            parameters = parameters.into_iter().map(|of| if of.is_value() { Type::events(of) } else { of }).collect();
            result = Type::events(result);
        }
        for (own, given) in parameters.iter().zip(&expected.parameters) {
            if !self.fit(given, own)?.is_keep() {
                return None;
            }
        }
        if !self.fit(&result, &expected.result)?.is_keep() {
            return None;
        }
        Some(if lifts { Conversion::Lift } else { Conversion::Keep })
    }

    /// An expression made to fit a type; a mismatch is reported at its place.
    pub(super) fn coerced(&mut self, typed: Rc<Typed>, expected: &Type) -> Rc<Typed> {
        match self.fit(&typed.of, expected) {
            Some(conversion) => self.converted_to(typed, conversion, expected),
            None => {
                let wanted = self.expectation(expected, &typed.of);
                self.mismatch(typed.place, &wanted, &typed.of);
                Rc::new(Typed { kind: Kind::Wrong, of: Type::Wrong, place: typed.place })
            }
        }
    }

    /// What to call an expected type in a message: an unknown one takes any value.
    pub(super) fn expectation(&self, expected: &Type, found: &Type) -> String {
        let expected = self.resolved(expected);
        if matches!(expected, Type::Meta(_)) && !self.resolved(found).is_value() {
            return "value type".into();
        }
        expected.to_string()
    }

    pub(super) fn converted(&mut self, typed: Rc<Typed>, conversion: Conversion) -> Rc<Typed> {
        let of = match conversion {
            Conversion::ToStream => Type::events(typed.of.clone()),
            Conversion::Keep | Conversion::Lift | Conversion::Members(_) => typed.of.clone(),
        };
        self.converted_to(typed, conversion, &of)
    }

    fn converted_to(&mut self, typed: Rc<Typed>, conversion: Conversion, of: &Type) -> Rc<Typed> {
        if conversion.is_keep() {
            return typed;
        }
        let place = typed.place;
        Rc::new(Typed { kind: Kind::Convert(typed, conversion), of: of.clone(), place })
    }
}

/// A type with what inference found put in.
pub(crate) fn resolve_metas(metas: &[Option<Type>], of: &Type) -> Type {
    map_type(of, &|leaf| match leaf {
        Type::Meta(id) => metas[*id as usize].as_ref().map(|found| resolve_metas(metas, found)),
        _ => None,
    })
}

fn mentions(of: &Type, id: u32) -> bool {
    let found = std::cell::Cell::new(false);
    map_type(of, &|leaf| {
        if matches!(leaf, Type::Meta(other) if *other == id) {
            found.set(true);
        }
        None
    });
    found.get()
}
