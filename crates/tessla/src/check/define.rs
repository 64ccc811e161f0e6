//! Definitions: their headers, their types, their bodies.

use std::rc::Rc;
use std::sync::Arc;

use crate::ast::{self, Body};
use crate::codes::{MISSING_TYPE, TYPE_MISMATCH};
use crate::place::Place;
use crate::typed::{CheckedBody, CheckedDefinition, OwnerId, VariableId};
use crate::types::{FunctionType, Type, TypeParameter};

use super::Checker;
use super::scope::{DefinitionState, Scheme, ScopeId, State, TypeEntry};

/// What the header of a definition says.
pub(super) struct Header {
    pub(super) generics: Vec<TypeParameter>,
    pub(super) parameters: Option<Vec<(VariableId, Type)>>,
    pub(super) result: Option<Type>,
    pub(super) owner: OwnerId,
    /// The scope of the body.
    pub(super) inner: ScopeId,
}

impl Checker<'_> {
    /// Checks every definition declared so far at the top level and in modules.
    pub(super) fn check_definitions(&mut self) {
        for id in self.definitions.clone() {
            self.check_definition(id);
        }
        self.definitions.retain(|id| !self.files.is_library(self.variables[id.0 as usize].place.file));
    }

    fn definition_state(&mut self, id: VariableId) -> &mut DefinitionState {
        match &mut self.entry_mut(id).state {
            State::Definition(state) => state,
            State::Input(..) | State::Parameter(_) | State::Module(_) => panic!("only definitions are asked for"),
        }
    }

    /// The type of a variable.
    pub(super) fn type_of(&mut self, id: VariableId) -> Scheme {
        match &self.entry(id).state {
            State::Input(of, _) => Scheme { generics: Vec::new(), of: Type::events(of.clone()) },
            State::Parameter(of) => Scheme { generics: Vec::new(), of: of.clone() },
            State::Module(_) => Scheme { generics: Vec::new(), of: Type::Wrong },
            State::Definition(state) => match &state.scheme {
                Some(scheme) => scheme.clone(),
                None => self.definition_type(id),
            },
        }
    }

    fn definition_type(&mut self, id: VariableId) -> Scheme {
        let header = self.header(id);
        if let Some(result) = &header.result {
            let scheme = self.scheme(id, &header, result.clone());
            self.definition_state(id).scheme = Some(scheme.clone());
            return scheme;
        }
        if self.definition_state(id).running {
            let syntax = self.definition_state(id).syntax.clone();
            let message = format!("Recursive definition {} needs a type annotation", syntax.name.text);
            self.report(&MISSING_TYPE, syntax.header, message);
            let scheme = Scheme { generics: Vec::new(), of: Type::Wrong };
            self.definition_state(id).scheme = Some(scheme.clone());
            return scheme;
        }
        self.check_definition(id);
        self.definition_state(id).scheme.clone().expect("checking a definition finds its type")
    }

    fn scheme(&mut self, id: VariableId, header: &Header, result: Type) -> Scheme {
        let Some(parameters) = &header.parameters else {
            return Scheme { generics: header.generics.clone(), of: result };
        };
        let liftable = self.definition_state(id).syntax.liftable;
        let function = FunctionType {
            generics: header.generics.clone(),
            parameters: parameters.iter().map(|(_, of)| of.clone()).collect(),
            result,
            liftable,
        };
        Scheme { generics: Vec::new(), of: Type::Function(Arc::new(function)) }
    }

    fn header(&mut self, id: VariableId) -> Rc<Header> {
        let state = self.definition_state(id);
        if let Some(header) = &state.header {
            return header.clone();
        }
        let (syntax, scope) = (state.syntax.clone(), state.scope);
        let has_frame = syntax.parameters.is_some() || !syntax.generics.is_empty();
        let owner = if has_frame { self.new_owner() } else { self.scopes[scope.0].owner };
        let inner = self.new_scope(Some(scope), owner);
        let generics = self.generics(&syntax.generics, inner);
        let parameters = syntax.parameters.as_ref().map(|parameters| self.parameters(parameters, inner));
        let result = syntax.result.as_ref().map(|result| self.type_expr(result, inner));
        let header = Rc::new(Header { generics, parameters, result, owner, inner });
        self.definition_state(id).header = Some(header.clone());
        header
    }

    fn generics(&mut self, names: &[ast::Name], inner: ScopeId) -> Vec<TypeParameter> {
        let mut generics = Vec::new();
        for name in names {
            let parameter = self.new_type_parameter(&name.text);
            self.scopes[inner.0].types.insert(name.text.clone(), TypeEntry::Parameter(parameter.clone()));
            generics.push(parameter);
        }
        generics
    }

    pub(super) fn parameters(&mut self, parameters: &[ast::Parameter], inner: ScopeId) -> Vec<(VariableId, Type)> {
        let mut known = Vec::new();
        for parameter in parameters {
            let of = match &parameter.of {
                Some(of) => self.type_expr(of, inner),
                None => {
                    let message = format!("Parameter {} needs a type annotation", parameter.name.text);
                    self.report(&MISSING_TYPE, parameter.name.place, message);
                    Type::Wrong
                }
            };
            let id = self.add(inner, &parameter.name, State::Parameter(of.clone()));
            known.push((id, of));
        }
        known
    }

    /// Checks the body of a definition.
    pub(super) fn check_definition(&mut self, id: VariableId) {
        let state = self.definition_state(id);
        if state.checked.is_some() || state.running {
            return;
        }
        state.running = true;
        let syntax = state.syntax.clone();
        let header = self.header(id);
        let (body, found) = match &syntax.body {
            Body::Extern(name, place) => {
                (CheckedBody::Extern(name.clone(), *place), header.result.clone().unwrap_or(Type::Wrong))
            }
            Body::Expression(expr) => {
                let typed = self.infer(expr, header.inner);
                let of = self.resolved(&typed.of);
                match &header.result {
                    None => (CheckedBody::Expression(typed), of),
                    Some(expected) => {
                        let typed = self.fitted_body(id, &header, typed, expected, syntax.place);
                        (CheckedBody::Expression(typed), expected.clone())
                    }
                }
            }
        };
        if syntax.liftable {
            self.check_liftable(&syntax, &header, &found);
        }
        let scheme = self.scheme(id, &header, found.clone());
        let checked = CheckedDefinition {
            generics: header.generics.clone(),
            parameters: header.parameters.clone(),
            owner: header.owner,
            result: found,
            body,
        };
        let state = self.definition_state(id);
        state.running = false;
        state.checked = Some(Rc::new(checked));
        state.scheme.get_or_insert(scheme);
    }

    /// Only functions from values to values can be applied to streams in place of values.
    fn check_liftable(&mut self, syntax: &ast::Definition, header: &Header, result: &Type) {
        let name = &syntax.name;
        let Some(parameters) = &header.parameters else {
            self.report(&TYPE_MISMATCH, name.place, format!("{} is not a function and cannot be liftable", name.text));
            return;
        };
        let on_streams = |of: &Type| matches!(of, Type::Events(_));
        if on_streams(result) || parameters.iter().any(|(_, of)| on_streams(of)) {
            let message =
                format!("{} is liftable, but its type does not allow that: it takes or gives streams", name.text);
            self.report(&TYPE_MISMATCH, name.place, message);
        }
    }

    /// A body made to fit the type of the header. For functions a mismatch is one of the whole types.
    fn fitted_body(
        &mut self,
        id: VariableId,
        header: &Header,
        typed: Rc<crate::typed::Typed>,
        expected: &Type,
        place: Place,
    ) -> Rc<crate::typed::Typed> {
        if header.parameters.is_none() {
            return self.coerced(typed, expected);
        }
        let before = self.reports.len();
        let found = typed.of.clone();
        let fitted = self.coerced(typed, expected);
        if self.reports.len() > before {
            self.reports.truncate(before);
            let wanted = self.scheme(id, header, expected.clone()).of;
            let found = self.scheme(id, header, found).of;
            self.mismatch(place, &wanted.to_string(), &found);
        }
        fitted
    }
}
