//! From the tree of a specification to the checked tree: names resolved, types inferred and checked, lifting written out.

mod annotate;
mod call;
mod define;
mod infer;
mod scope;
mod type_expr;
mod unify;

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use source::{Code, Severity};

use crate::ast::{Expr, Statement};
use crate::codes::{DUPLICATE_OUTPUT, MISSING_TYPE, TYPE_MISMATCH};
use crate::core::Quantor;
use crate::files::Files;
use crate::place::Place;
use crate::report::Report;
use crate::time::TimeUnit;
use crate::typed::{Checked, CheckedOutput, Conversion, OwnerId, Typed, VariableId, VariableKind};
use crate::types::Type;

pub(crate) use type_expr::map_type;
pub(crate) use unify::resolve_metas;

use scope::{Scope, ScopeId, State};

/// An assertion as written.
pub(crate) struct WrittenAssertion {
    pub(crate) quantor: Quantor,
    pub(crate) expr: Expr,
    pub(crate) place: Place,
}

/// Checks a specification: the statements of the standard library and those of the user's files.
pub(crate) fn check(
    files: &Files,
    unit: Option<TimeUnit>,
    library: &[Statement],
    user: &[Statement],
    assertions: &[WrittenAssertion],
) -> (Checked, Vec<Report>) {
    let mut checker = Checker::new(files, unit);
    let library_scope = checker.new_scope(None, OwnerId::TOP);
    checker.declare(library, library_scope);
    let user_scope = checker.new_scope(Some(library_scope), OwnerId::TOP);
    checker.user_root = Some(user_scope);
    checker.declare(user, user_scope);
    checker.check_definitions();
    checker.annotations(library, user, user_scope);
    checker.outputs(user, user_scope);
    checker.assertions(assertions, user_scope);
    checker.finish()
}

struct Checker<'a> {
    files: &'a Files,
    unit: Option<TimeUnit>,
    scopes: Vec<Scope>,
    variables: Vec<scope::Entry>,
    metas: Vec<Option<Type>>,
    owners: u32,
    type_parameters: u32,
    user_root: Option<ScopeId>,
    definitions: Vec<VariableId>,
    inputs: Vec<VariableId>,
    outputs: Vec<CheckedOutput>,
    output_names: FxHashMap<String, Place>,
    checked_assertions: Vec<(Quantor, Rc<Typed>, Place)>,
    alias_depth: u32,
    /// The type arguments of the user's calls that inference has to find.
    awaited: Vec<Awaited>,
    reports: Vec<Report>,
}

/// A type argument that is not written down.
struct Awaited {
    parameter: Arc<str>,
    of: Type,
    place: Place,
}

impl<'a> Checker<'a> {
    fn new(files: &'a Files, unit: Option<TimeUnit>) -> Checker<'a> {
        Checker {
            files,
            unit,
            scopes: Vec::new(),
            variables: Vec::new(),
            metas: Vec::new(),
            owners: 1,
            type_parameters: 0,
            user_root: None,
            definitions: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            output_names: FxHashMap::default(),
            checked_assertions: Vec::new(),
            alias_depth: 0,
            awaited: Vec::new(),
            reports: Vec::new(),
        }
    }

    fn report(&mut self, code: &'static Code, place: Place, message: impl Into<String>) {
        self.reports.push(Report::error(code, place, message));
    }

    fn mismatch(&mut self, place: Place, expected: &str, found: &Type) {
        let found = self.resolved(found);
        let report = Report::error(&TYPE_MISMATCH, place, format!("Type mismatch: Expected {expected}, found {found}"));
        let found = found.to_string();
        let is = |text: &str, name: &str| text == name || text == format!("Events[{name}]");
        self.reports.push(match () {
            () if is(expected, "Int") && is(&found, "Float") => {
                report.help("Operators on Float have a dot: `+.`, `-.`, `*.`, `/.`, `<.`, `<=.`, `>.`, `>=.`.")
            }
            () if is(expected, "Float") && is(&found, "Int") => {
                report.help("Write `1.0` for a number, and `intToFloat(x)` for what is computed.")
            }
            () if is(expected, "Bool") => report.help("Compare it, as in `x == 1`."),
            () if expected == "object type" => {
                report.help("Only objects have members; a function is applied as `f(x)`.")
            }
            () => report,
        });
    }

    fn new_owner(&mut self) -> OwnerId {
        self.owners += 1;
        OwnerId(self.owners)
    }

    fn outputs(&mut self, statements: &[Statement], scope: ScopeId) {
        for statement in statements {
            match statement {
                // What `@raw` marks is printed as `print` prints it: the values alone.
                Statement::Output { value, annotations, .. }
                    if annotations.iter().any(|annotation| &*annotation.name.text == "raw") =>
                {
                    self.output(None, value, scope);
                }
                Statement::Output { value, name, .. } => {
                    let place = name.as_ref().map_or(value.place, |name| name.place);
                    let shown =
                        name.as_ref().map_or_else(|| self.files.slice(value.place), |name| &*name.text).to_owned();
                    self.output(Some((shown, place)), value, scope);
                }
                Statement::Print(value) => self.output(None, value, scope),
                Statement::OutputAll(place) => self.output_all(*place, scope),
                Statement::Module { .. }
                | Statement::Definition(_)
                | Statement::Type(_)
                | Statement::Import { .. }
                | Statement::Annotation { .. }
                | Statement::Input { .. }
                | Statement::Include { .. } => {}
            }
        }
    }

    fn output(&mut self, name: Option<(String, Place)>, value: &Expr, scope: ScopeId) {
        let typed = self.infer(value, scope);
        let of = self.resolved(&typed.of);
        let is_stream = matches!(of, Type::Events(_));
        if !is_stream && !of.is_value() {
            self.mismatch(value.place, "stream or value type", &of);
            return;
        }
        if let Some((name, place)) = &name {
            self.name_output(name, *place);
        }
        let conversion = if is_stream { Conversion::Keep } else { Conversion::ToStream };
        let typed = self.converted(typed, conversion);
        self.outputs.push(CheckedOutput { name: name.map(|(name, _)| name), value: typed, place: value.place });
    }

    fn name_output(&mut self, name: &str, place: Place) {
        match self.output_names.get(name) {
            None => {
                self.output_names.insert(name.to_owned(), place);
            }
            Some(previous) => {
                let message =
                    format!("Conflicting out declaration (previous declaration at {})", self.files.extent(*previous));
                self.reports.push(Report::warning(&DUPLICATE_OUTPUT, place, message));
            }
        }
    }

    /// `out *`: every stream of the top level under its name.
    fn output_all(&mut self, place: Place, scope: ScopeId) {
        let mut all: Vec<(VariableId, Arc<str>)> =
            self.scopes[scope.0].order.iter().map(|id| (*id, self.entry(*id).name.clone())).collect();
        all.dedup();
        for (id, name) in all {
            if matches!(self.entry(id).state, State::Module(_)) {
                continue;
            }
            let scheme = self.type_of(id);
            let of = self.resolved(&scheme.of);
            if !scheme.generics.is_empty() || !matches!(of, Type::Events(_)) {
                continue;
            }
            let value = Rc::new(Typed { kind: crate::typed::Kind::Variable(id, Vec::new()), of, place });
            self.outputs.push(CheckedOutput { name: Some(name.to_string()), value, place });
        }
    }

    fn assertions(&mut self, assertions: &[WrittenAssertion], scope: ScopeId) {
        for assertion in assertions {
            let typed = self.infer(&assertion.expr, scope);
            let of = self.resolved(&typed.of);
            let (conversion, element) = match &of {
                Type::Events(element) => (Conversion::Keep, (**element).clone()),
                other if other.is_value() => (Conversion::ToStream, other.clone()),
                other => {
                    self.mismatch(assertion.expr.place, "stream or value type", &other.clone());
                    continue;
                }
            };
            let needs_bool = matches!(assertion.quantor, Quantor::Exists | Quantor::All);
            if needs_bool && !matches!(element, Type::Bool | Type::Wrong) {
                self.mismatch(assertion.expr.place, "Events[Bool]", &of);
                continue;
            }
            let typed = self.converted(typed, conversion);
            self.checked_assertions.push((assertion.quantor, typed, assertion.place));
        }
    }

    /// Reports the type arguments that nothing tells.
    fn check_awaited(&mut self) {
        if self.reports.iter().any(|report| report.diagnostic.severity == Severity::Error) {
            return;
        }
        for Awaited { parameter, of, place } in std::mem::take(&mut self.awaited) {
            if !matches!(self.resolved(&of), Type::Meta(_)) {
                continue;
            }
            let text = self.files.slice(place).to_owned();
            let message = format!("The type argument {parameter} of {text} cannot be inferred");
            let help = format!("Write it down, as in `{text}[Int]`.");
            self.reports.push(Report::error(&MISSING_TYPE, place, message).help(help));
        }
    }

    fn finish(mut self) -> (Checked, Vec<Report>) {
        self.check_awaited();
        let variables = std::mem::take(&mut self.variables);
        let variables = variables.into_iter().map(scope::Entry::into_variable).collect();
        let checked = Checked {
            variables,
            metas: self.metas,
            definitions: self.definitions,
            inputs: self.inputs,
            outputs: self.outputs,
            assertions: self.checked_assertions,
        };
        (checked, self.reports)
    }
}

impl Checked {
    pub(crate) fn definition(&self, id: VariableId) -> Option<&Rc<crate::typed::CheckedDefinition>> {
        match &self.variables[id.0 as usize].kind {
            VariableKind::Definition(definition) => definition.as_ref(),
            VariableKind::Input(..) | VariableKind::Parameter(_) | VariableKind::Module => None,
        }
    }
}
