//! From types as written to types.

use std::sync::Arc;

use source::nearest;

use crate::ast::{self, Name, TypeExpr, TypeKind};
use crate::codes::{ARITY, RECURSION, TYPE_MISMATCH, UNKNOWN_NAME};
use crate::place::Place;
use crate::report::Report;
use crate::types::{FunctionType, ObjectType, Type, TypeParameter};

use super::Checker;
use super::scope::{ScopeId, State, TypeEntry};

/// How many type definitions may stand for each other.
const ALIAS_DEPTH: u32 = 200;

impl Checker<'_> {
    pub(super) fn type_expr(&mut self, expr: &TypeExpr, scope: ScopeId) -> Type {
        match &expr.kind {
            TypeKind::Named(path, arguments) => self.named(path, arguments, expr.place, scope),
            TypeKind::Function(parameters, result) => {
                let parameters = parameters.iter().map(|parameter| self.type_expr(parameter, scope)).collect();
                let result = self.type_expr(result, scope);
                Type::Function(Arc::new(FunctionType { generics: Vec::new(), parameters, result, liftable: false }))
            }
            TypeKind::Object(members, open) => {
                let members = members.iter().map(|(name, of)| (name.text.clone(), self.type_expr(of, scope))).collect();
                Type::Object(Arc::new(ObjectType { members, open: *open }))
            }
            TypeKind::Tuple(elements) => {
                Type::tuple(elements.iter().map(|element| self.type_expr(element, scope)).collect())
            }
        }
    }

    fn named(&mut self, path: &[Name], arguments: &[TypeExpr], place: Place, scope: ScopeId) -> Type {
        let arguments: Vec<(Type, Place)> =
            arguments.iter().map(|argument| (self.type_expr(argument, scope), argument.place)).collect();
        let name = path.last().expect("a path has a name");
        let entry = match self.type_scope(path, scope) {
            Some((inner, true)) => self.lookup_type(&name.text, inner),
            Some((inner, false)) => self.member_type(&name.text, inner),
            None => return Type::Wrong,
        };
        match entry {
            Some(TypeEntry::Parameter(parameter)) => {
                self.type_arity(name, 0, arguments.len());
                Type::Parameter(parameter)
            }
            Some(TypeEntry::Alias(definition, home)) => self.alias(&definition, home, name, arguments, place),
            None => {
                let known = ["Int", "Float", "Bool", "String", "Unit", "Events", "Option", "List", "Set", "Map"];
                let wanted = name.text.to_ascii_lowercase();
                let same = known.into_iter().find(|known| {
                    let other = known.to_ascii_lowercase();
                    wanted == other || wanted.starts_with(&other) || wanted == "double" && *known == "Float"
                });
                let report = Report::error(&UNKNOWN_NAME, name.place, format!("Unknown type: {}", name.text));
                self.reports.push(match same.or_else(|| nearest(&name.text, known.into_iter())) {
                    Some(near) => report.help(format!("Did you mean `{near}`?")),
                    None => report.help("Types are Int, Float, Bool, String, Unit, Events[…], Option[…], List[…], Set[…] and Map[…, …]."),
                });
                Type::Wrong
            }
        }
    }

    /// The scope in which the last name of a path is looked up, and whether outer scopes count.
    fn type_scope(&mut self, path: &[Name], scope: ScopeId) -> Option<(ScopeId, bool)> {
        let mut at = (scope, true);
        for name in &path[..path.len() - 1] {
            let found =
                if at.1 { self.lookup(&name.text, at.0) } else { self.scopes[at.0.0].values.get(&name.text).copied() };
            match found.map(|id| &self.entry(id).state) {
                Some(State::Module(inner)) => at = (*inner, false),
                _ => {
                    self.report(&UNKNOWN_NAME, name.place, format!("Undefined module {}", name.text));
                    return None;
                }
            }
        }
        Some(at)
    }

    fn type_arity(&mut self, name: &Name, expected: usize, actual: usize) -> bool {
        if expected != actual {
            let message =
                format!("Wrong number of type arguments for {}. Expected: {expected}, actual: {actual}", name.text);
            self.report(&ARITY, name.place, message);
        }
        expected == actual
    }

    fn alias(
        &mut self,
        definition: &Arc<ast::TypeDefinition>,
        home: ScopeId,
        name: &Name,
        arguments: Vec<(Type, Place)>,
        place: Place,
    ) -> Type {
        if !self.type_arity(name, definition.generics.len(), arguments.len()) {
            return Type::Wrong;
        }
        match &definition.body {
            Err(builtin) => self.builtin(builtin, arguments),
            Ok(body) => {
                if self.alias_depth > ALIAS_DEPTH {
                    self.report(&RECURSION, place, format!("The type {} is defined by itself", name.text));
                    return Type::Wrong;
                }
                self.alias_depth += 1;
                let inner = self.new_scope(Some(home), self.scopes[home.0].owner);
                let mut bindings = Vec::new();
                for (generic, (argument, _)) in definition.generics.iter().zip(arguments) {
                    let parameter = self.new_type_parameter(&generic.text);
                    bindings.push((parameter.id, argument));
                    self.scopes[inner.0].types.insert(generic.text.clone(), TypeEntry::Parameter(parameter));
                }
                let of = self.type_expr(body, inner);
                self.alias_depth -= 1;
                substitute(&of, &bindings)
            }
        }
    }

    fn builtin(&mut self, name: &str, mut arguments: Vec<(Type, Place)>) -> Type {
        let mut next = || arguments.remove(0);
        match name {
            "Int" => Type::Int,
            "Bool" => Type::Bool,
            "Float" => Type::Float,
            "String" => Type::String,
            "Events" => {
                let (element, place) = next();
                if matches!(element, Type::Events(_)) {
                    self.report(&TYPE_MISMATCH, place, "Streams may not contain other streams");
                    return Type::Wrong;
                }
                if !element.is_value() {
                    self.mismatch(place, "value type", &element);
                    return Type::Wrong;
                }
                Type::events(element)
            }
            "Option" => Type::Option(Arc::new(next().0)),
            "List" => Type::List(Arc::new(next().0)),
            "Set" => Type::Set(Arc::new(next().0)),
            "Map" => {
                let key = next().0;
                Type::Map(Arc::new(key), Arc::new(next().0))
            }
            other => Type::Opaque(other.into(), arguments.into_iter().map(|(of, _)| of).collect()),
        }
    }

    pub(super) fn new_type_parameter(&mut self, name: &Arc<str>) -> TypeParameter {
        self.type_parameters += 1;
        TypeParameter { id: self.type_parameters, name: name.clone() }
    }
}

/// A type with its type parameters replaced.
pub(crate) fn substitute(of: &Type, bindings: &[(u32, Type)]) -> Type {
    map_type(of, &|leaf| match leaf {
        Type::Parameter(parameter) => {
            bindings.iter().find(|(id, _)| *id == parameter.id).map(|(_, argument)| argument.clone())
        }
        _ => None,
    })
}

/// A type with its parameters and unknowns replaced where the function has something better.
pub(crate) fn map_type(of: &Type, replace: &dyn Fn(&Type) -> Option<Type>) -> Type {
    let inner = |of: &Arc<Type>| Arc::new(map_type(of, replace));
    match of {
        Type::Parameter(_) | Type::Meta(_) => replace(of).unwrap_or_else(|| of.clone()),
        Type::Int | Type::Bool | Type::Float | Type::String | Type::Wrong => of.clone(),
        Type::Option(of) => Type::Option(inner(of)),
        Type::List(of) => Type::List(inner(of)),
        Type::Set(of) => Type::Set(inner(of)),
        Type::Events(of) => Type::Events(inner(of)),
        Type::Map(key, value) => Type::Map(inner(key), inner(value)),
        Type::Opaque(name, arguments) => {
            Type::Opaque(name.clone(), arguments.iter().map(|argument| map_type(argument, replace)).collect())
        }
        Type::Object(object) => {
            let members = object.members.iter().map(|(name, of)| (name.clone(), map_type(of, replace))).collect();
            Type::Object(Arc::new(ObjectType { members, open: object.open }))
        }
        Type::Function(function) => Type::Function(Arc::new(FunctionType {
            generics: function.generics.clone(),
            parameters: function.parameters.iter().map(|parameter| map_type(parameter, replace)).collect(),
            result: map_type(&function.result, replace),
            liftable: function.liftable,
        })),
    }
}
