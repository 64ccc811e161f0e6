//! Scopes: which names are defined where.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::ast::{self, Name, Statement};
use crate::codes::{DUPLICATE_NAME, TYPE_MISMATCH, UNKNOWN_NAME};
use crate::place::Place;
use crate::report::Report;
use crate::typed::{CheckedDefinition, OwnerId, Variable, VariableId, VariableKind};
use crate::types::{Type, TypeParameter};

use super::Checker;
use source::nearest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScopeId(pub(super) usize);

pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
    pub(super) owner: OwnerId,
    pub(super) values: FxHashMap<Arc<str>, VariableId>,
    pub(super) types: FxHashMap<Arc<str>, TypeEntry>,
    /// The variables in the order of the text.
    pub(super) order: Vec<VariableId>,
    /// Modules all of whose members are visible here.
    pub(super) imports: Vec<ScopeId>,
    /// Modules whose members are known where nothing else has their name.
    late_imports: Vec<ScopeId>,
    /// Modules all of whose types are types of this one.
    pub(super) type_exports: Vec<ScopeId>,
}

/// An import as written.
#[derive(Clone, Copy)]
struct Import<'s> {
    path: &'s [Name],
    wildcard: bool,
    export: bool,
}

#[derive(Clone)]
pub(super) enum TypeEntry {
    Alias(Arc<ast::TypeDefinition>, ScopeId),
    Parameter(TypeParameter),
}

/// A variable while it is being checked.
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) place: Place,
    pub(super) owner: OwnerId,
    pub(super) state: State,
}

pub(super) enum State {
    Input(Type, Place),
    Parameter(Type),
    Module(ScopeId),
    Definition(DefinitionState),
}

/// A definition while it is being checked.
pub(super) struct DefinitionState {
    pub(super) syntax: Arc<ast::Definition>,
    pub(super) scope: ScopeId,
    pub(super) header: Option<Rc<super::define::Header>>,
    /// The type, once it is known.
    pub(super) scheme: Option<Scheme>,
    pub(super) running: bool,
    pub(super) checked: Option<Rc<CheckedDefinition>>,
}

/// The type of a variable. The type parameters of functions are in the type itself.
#[derive(Clone)]
pub(super) struct Scheme {
    pub(super) generics: Vec<TypeParameter>,
    pub(super) of: Type,
}

impl Entry {
    pub(super) fn into_variable(self) -> Variable {
        let kind = match self.state {
            State::Input(of, place) => VariableKind::Input(of, place),
            State::Parameter(of) => VariableKind::Parameter(of),
            State::Module(_) => VariableKind::Module,
            State::Definition(definition) => VariableKind::Definition(definition.checked),
        };
        Variable { name: self.name, owner: self.owner, kind }
    }
}

impl Checker<'_> {
    pub(super) fn new_scope(&mut self, parent: Option<ScopeId>, owner: OwnerId) -> ScopeId {
        self.scopes.push(Scope {
            parent,
            owner,
            values: FxHashMap::default(),
            types: FxHashMap::default(),
            order: Vec::new(),
            imports: Vec::new(),
            late_imports: Vec::new(),
            type_exports: Vec::new(),
        });
        ScopeId(self.scopes.len() - 1)
    }

    pub(super) fn entry(&self, id: VariableId) -> &Entry {
        &self.variables[id.0 as usize]
    }

    pub(super) fn entry_mut(&mut self, id: VariableId) -> &mut Entry {
        &mut self.variables[id.0 as usize]
    }

    /// Makes a variable known in a scope; `_` stays anonymous.
    pub(super) fn add(&mut self, scope: ScopeId, name: &Name, state: State) -> VariableId {
        let owner = self.scopes[scope.0].owner;
        let id = VariableId(self.variables.len() as u32);
        self.variables.push(Entry { name: name.text.clone(), place: name.place, owner, state });
        if &*name.text == "_" {
            return id;
        }
        if let Some(previous) = self.scopes[scope.0].values.get(&name.text).copied() {
            let place = self.entry(previous).place;
            self.defined_twice(name, place);
            return id;
        }
        self.scopes[scope.0].values.insert(name.text.clone(), id);
        self.scopes[scope.0].order.push(id);
        id
    }

    fn defined_twice(&mut self, name: &Name, previous: Place) {
        let previously = self.files.extent(previous);
        let message =
            format!("Multiple definitions of {} in same scope (previous definition at {previously})", name.text);
        let report = Report::error(&DUPLICATE_NAME, name.place, message);
        self.reports.push(report.also(self.files, previous, "previous definition"));
    }

    pub(super) fn add_definition(&mut self, scope: ScopeId, syntax: &Arc<ast::Definition>) -> VariableId {
        let state = DefinitionState {
            syntax: syntax.clone(),
            scope,
            header: None,
            scheme: None,
            running: false,
            checked: None,
        };
        self.add(scope, &syntax.name, State::Definition(state))
    }

    /// Declares the statements of files.
    pub(super) fn declare(&mut self, statements: &[Statement], scope: ScopeId) {
        let mut imports = Vec::new();
        self.declare_names(statements, scope, &mut imports);
        for (import, scope) in imports {
            self.import(import, scope);
        }
        for statement in statements {
            if let Statement::Input { name, of, place, .. } = statement {
                self.input(name, of, *place, scope);
            }
        }
    }

    /// Declares the names of a file or module and of the modules in it; imports are found on the way.
    fn declare_names<'s>(
        &mut self,
        statements: &'s [Statement],
        scope: ScopeId,
        imports: &mut Vec<(Import<'s>, ScopeId)>,
    ) {
        for statement in statements {
            match statement {
                Statement::Definition(definition) => {
                    let id = self.add_definition(scope, definition);
                    self.definitions.push(id);
                }
                Statement::Type(definition) => self.add_type(scope, definition),
                Statement::Module { name, statements } => {
                    let inner = self.new_scope(Some(scope), OwnerId::TOP);
                    self.add(scope, name, State::Module(inner));
                    self.declare_names(statements, inner, imports);
                }
                Statement::Import { path, wildcard, export } => {
                    imports.push((Import { path, wildcard: *wildcard, export: *export }, scope));
                }
                Statement::Annotation { .. }
                | Statement::Input { .. }
                | Statement::Output { .. }
                | Statement::OutputAll(_)
                | Statement::Print(_)
                | Statement::Include { .. } => {}
            }
        }
    }

    fn add_type(&mut self, scope: ScopeId, definition: &Arc<ast::TypeDefinition>) {
        let name = &definition.name;
        if let Some(TypeEntry::Alias(previous, _)) = self.scopes[scope.0].types.get(&name.text) {
            let place = previous.name.place;
            self.defined_twice(name, place);
            return;
        }
        self.scopes[scope.0].types.insert(name.text.clone(), TypeEntry::Alias(definition.clone(), scope));
    }

    fn input(&mut self, name: &Name, of: &ast::TypeExpr, place: Place, scope: ScopeId) {
        let resolved = self.type_expr(of, scope);
        let element = match resolved {
            Type::Events(element) => (*element).clone(),
            Type::Wrong => Type::Wrong,
            other => {
                let message = format!("Type mismatch: Expected stream type, found {other}");
                let help = format!("An input is a stream: `in {}: Events[{other}]`.", name.text);
                self.reports.push(Report::error(&TYPE_MISMATCH, of.place, message).help(help));
                Type::Wrong
            }
        };
        let id = self.add(scope, name, State::Input(element, place));
        self.inputs.push(id);
    }

    fn import(&mut self, import: Import<'_>, scope: ScopeId) {
        let Import { path, wildcard, export } = import;
        let (modules, last) = if wildcard { (path, None) } else { (&path[..path.len() - 1], path.last()) };
        let mut at = None;
        for name in modules {
            let found = match at {
                None => self.lookup(&name.text, scope),
                Some(ScopeId(module)) => self.scopes[module].values.get(&name.text).copied(),
            };
            match found.map(|id| &self.entry(id).state) {
                Some(State::Module(inner)) => at = Some(*inner),
                _ => return self.report(&UNKNOWN_NAME, name.place, format!("Undefined module {}", name.text)),
            }
        }
        match (at, last) {
            (Some(module), None) if export => self.export_all(module, scope),
            (Some(module), None) => self.scopes[scope.0].imports.push(module),
            (None, Some(name)) => match self.lookup(&name.text, scope).map(|id| &self.entry(id).state) {
                Some(State::Module(inner)) => self.import_module(*inner, export, scope),
                Some(_) => {}
                None => self.report(&UNKNOWN_NAME, name.place, format!("Undefined module {}", name.text)),
            },
            (Some(ScopeId(module)), Some(name)) => {
                let value = self.scopes[module].values.get(&name.text).copied();
                if let Some(State::Module(inner)) = value.map(|id| &self.entry(id).state) {
                    self.import_module(*inner, export, scope);
                }
                let of = self.scopes[module].types.get(&name.text).cloned();
                if value.is_none() && of.is_none() {
                    self.report(&UNKNOWN_NAME, name.place, format!("Undefined variable {}", name.text));
                }
                if let Some(id) = value {
                    self.import_value(name, id, scope);
                }
                if let Some(of) = of {
                    self.scopes[scope.0].types.insert(name.text.clone(), of);
                }
            }
            (None, None) => {}
        }
    }

    /// Makes all members of a module known. Those of the library's modules bear names such as `fold` and `map`, which others bear as
    /// well: they are found only where no other name is.
    fn import_module(&mut self, module: ScopeId, export: bool, scope: ScopeId) {
        if export {
            self.export_all(module, scope);
        } else if Some(self.root_of(module)) == self.user_root {
            self.scopes[scope.0].imports.push(module);
        } else {
            self.scopes[scope.0].late_imports.push(module);
        }
    }

    fn import_value(&mut self, name: &Name, id: VariableId, scope: ScopeId) {
        match self.scopes[scope.0].values.insert(name.text.clone(), id) {
            Some(previous) if previous != id => {
                let place = self.entry(previous).place;
                self.defined_twice(name, place);
            }
            Some(_) | None => {}
        }
    }

    /// Makes all members of a module members of another; what that one defines itself stays.
    fn export_all(&mut self, module: ScopeId, scope: ScopeId) {
        let values: Vec<VariableId> = self.scopes[module.0].order.clone();
        for id in values {
            let name = self.entry(id).name.clone();
            self.scopes[scope.0].values.entry(name).or_insert(id);
        }
        self.scopes[scope.0].imports.push(module);
        self.scopes[scope.0].type_exports.push(module);
    }

    /// The variable a name means in a scope.
    pub(super) fn lookup(&self, name: &str, scope: ScopeId) -> Option<VariableId> {
        let mut at = Some(scope);
        while let Some(ScopeId(index)) = at {
            let scope = &self.scopes[index];
            let imported = || scope.imports.iter().find_map(|module| self.scopes[module.0].values.get(name));
            if let Some(id) = scope.values.get(name).or_else(imported) {
                return Some(*id);
            }
            at = scope.parent;
        }
        let mut at = Some(scope);
        while let Some(ScopeId(index)) = at {
            let scope = &self.scopes[index];
            let imported = scope.late_imports.iter().find_map(|module| self.scopes[module.0].values.get(name));
            if imported.is_some() {
                return imported.copied();
            }
            at = scope.parent;
        }
        None
    }

    /// The type a name means in a scope.
    pub(super) fn lookup_type(&self, name: &str, scope: ScopeId) -> Option<TypeEntry> {
        let mut at = Some(scope);
        while let Some(ScopeId(index)) = at {
            let scope = &self.scopes[index];
            let imported = || scope.imports.iter().find_map(|module| self.scopes[module.0].types.get(name));
            if let Some(entry) = scope.types.get(name).or_else(imported) {
                return Some(entry.clone());
            }
            at = scope.parent;
        }
        None
    }

    /// The type that is a member of a module.
    pub(super) fn member_type(&self, name: &str, module: ScopeId) -> Option<TypeEntry> {
        let scope = &self.scopes[module.0];
        let exported = || scope.type_exports.iter().find_map(|module| self.scopes[module.0].types.get(name));
        scope.types.get(name).or_else(exported).cloned()
    }

    /// The outermost scope of the file a scope is in: the user's or the library's.
    pub(super) fn root_of(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while let Some(parent) = self.scopes[at.0].parent {
            if Some(at) == self.user_root {
                break;
            }
            at = parent;
        }
        at
    }

    pub(super) fn unknown_variable(&mut self, name: &str, place: Place, scope: ScopeId) {
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut at = Some(scope);
        while let Some(ScopeId(index)) = at {
            names.extend(self.scopes[index].order.iter().map(|id| self.entry(*id).name.clone()));
            at = self.scopes[index].parent;
        }
        let mut report = Report::error(&UNKNOWN_NAME, place, format!("Undefined variable {name}"));
        report = report.help(match nearest(name, names.iter().map(|name| &**name)) {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("Define it, `def {name} = …`, or declare an input, `in {name}: Events[Int]`."),
        });
        self.reports.push(report);
    }
}
