//! State predicates: C expressions evaluated at a place of a program.
//!
//! A predicate becomes a function of its own, `_Bool $predicate0(…)`, whose parameters are the local variables it
//! mentions. Whoever evaluates it calls the function with their values.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use super::graph::Graph;
use super::{Checked, Lowerer, ScopeTable, Shape, Symbol};
use crate::codes;
use crate::program::{FunctionId, Operation, Program, ScopeId, Storage, VariableId};
use crate::text::Text;
use crate::token::{Name, Names};
use crate::types::{Type, TypeId};

/// What is needed to read predicates over a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predicates {
    ordinary: Vec<(Name, Symbol)>,
    tags: Vec<(Name, TypeId)>,
    pub(super) linked: Vec<(Name, Symbol)>,
}

/// A predicate that is ready to be called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The function that computes it.
    pub function: FunctionId,
    /// The local variables whose values it takes, in the order of its parameters. Of an array it takes the address of the
    /// first element.
    pub arguments: Vec<VariableId>,
}

impl Predicates {
    pub(super) fn new(lowerer: &Lowerer<'_>) -> Predicates {
        let sorted = |table: &FxHashMap<Name, Symbol>| {
            let mut list: Vec<(Name, Symbol)> = table.iter().map(|(name, symbol)| (*name, *symbol)).collect();
            list.sort_by_key(|(name, _)| *name);
            list
        };
        let scope = &lowerer.last_file_scope;
        let mut tags: Vec<(Name, TypeId)> = scope.tags.iter().map(|(name, ty)| (*name, *ty)).collect();
        tags.sort();
        Predicates { ordinary: sorted(&scope.ordinary), tags, linked: sorted(&lowerer.linked) }
    }

    /// Compiles the text of an expression for the names visible in `scope`.
    ///
    /// # Errors
    /// When it is not an expression, names something unknown there, or has no truth value.
    pub(crate) fn compile(
        &self,
        program: &mut Program,
        text: &mut Text,
        names: &mut Names,
        scope: ScopeId,
        predicate: &str,
    ) -> Result<Predicate, Box<Diagnostic>> {
        let part = text.add("predicate", predicate);
        let mut diagnostics = Vec::new();
        let tokens = crate::lex(text.text(), part, names, &mut diagnostics);
        if let Some(diagnostic) = diagnostics.into_iter().next() {
            return Err(Box::new(shifted(diagnostic, part)));
        }
        let types: Vec<Name> = self
            .ordinary
            .iter()
            .filter(|(_, symbol)| matches!(symbol, Symbol::Typedef(_)))
            .map(|(name, _)| *name)
            .collect();
        let parsed = crate::parse_expression(text.text(), &tokens, &types);
        let expr = parsed.map_err(|error| Box::new(shifted(*error, part)))?;
        let model = *program.types.model();
        let taken = std::mem::replace(program, Program::empty(model));
        let shape = Shape::default();
        let mut lowerer = Lowerer::new(text, names, model, shape);
        lowerer.program = taken;
        lowerer.program.files = text.files().to_vec();
        lowerer.program.system_files = text.system_files().to_vec();
        lowerer.linked = self.linked.iter().copied().collect();
        let file = ScopeTable {
            ordinary: self.ordinary.iter().copied().collect(),
            tags: self.tags.iter().copied().collect(),
            id: Some(ScopeId(0)),
        };
        lowerer.scopes.push(file);
        let lowered = lowerer.predicate(scope, &expr, part);
        let first = lowerer.diagnostics.drain(..).find(|diagnostic| diagnostic.severity == source::Severity::Error);
        *program = lowerer.program;
        match (lowered, first) {
            (Ok(_), Some(error)) => Err(Box::new(shifted(error, part))),
            (Err(error), _) => Err(Box::new(shifted(*error, part))),
            (Ok(predicate), None) => Ok(predicate),
        }
    }
}

/// The diagnostic with places counted within the predicate's own text.
fn shifted(mut diagnostic: Diagnostic, part: Span) -> Diagnostic {
    for label in &mut diagnostic.labels {
        let within = |offset: u32| offset.clamp(part.start, part.end) - part.start;
        label.span = Span { start: within(label.span.start), end: within(label.span.end) };
    }
    diagnostic
}

impl Lowerer<'_> {
    fn predicate(&mut self, scope: ScopeId, expr: &crate::ast::Expr, part: Span) -> Checked<Predicate> {
        let number = self.program.functions.iter().filter(|function| function.name.starts_with("$predicate")).count();
        let unknown = self.program.types.intern(Type::Function {
            result: TypeId::BOOL,
            parameters: Vec::new(),
            variadic: false,
            prototyped: true,
        });
        let location = self.location(part);
        let function = self.new_function(&format!("$predicate{number}"), unknown, location, true);
        self.current = Some(function);
        self.frame = Vec::new();
        self.open_scope();
        let own = self.scope_id();
        self.graph = Graph::begin(own);
        let arguments = self.capture(scope, expr);
        let value = self.rvalue(expr)?;
        self.require_scalar(value, expr.span)?;
        let value = self.convert(value, TypeId::BOOL);
        let (at, exit) = (self.graph.at, self.graph.exit);
        self.graph.edge(at, exit, Operation::Return { value: Some(value) }, location, expr.span);
        self.graph.at = self.graph.node();
        self.close_scope();
        let types: Vec<TypeId> = self.frame[..arguments.len()]
            .iter()
            .map(|variable| self.program.variable(*variable).ty.unqualified())
            .collect();
        let ty = self.program.types.intern(Type::Function {
            result: TypeId::BOOL,
            parameters: types,
            variadic: false,
            prototyped: true,
        });
        self.program.functions[function.0 as usize].ty = ty;
        self.finish_function(function, own);
        self.resolve_pointer_calls();
        self.current = None;
        Ok(Predicate { function, arguments })
    }

    /// Makes parameters of the local variables that an expression mentions.
    fn capture(&mut self, scope: ScopeId, expr: &crate::ast::Expr) -> Vec<VariableId> {
        let mut names = Vec::new();
        mentioned(expr, &mut names);
        let mut captured = Vec::new();
        for name in names {
            let text = self.name(name).to_owned();
            let Some(variable) = self.program.variable_named(scope, &text) else { continue };
            let found = self.program.variable(variable).clone();
            if found.storage.is_static() {
                self.scope().ordinary.insert(name, Symbol::Variable(variable));
                continue;
            }
            if captured.contains(&variable) {
                continue;
            }
            let array =
                if let Type::Array { element, .. } = *self.types().kind(found.ty) { Some(element) } else { None };
            let ty = match array {
                Some(element) => self.program.types.pointer(element),
                None => found.ty,
            };
            let parameter = self.new_variable(text, ty, Storage::Parameter(captured.len() as u32), found.location);
            captured.push(variable);
            self.scope().ordinary.insert(name, Symbol::Variable(parameter));
        }
        captured
    }
}

/// The names in an expression, in order.
fn mentioned(expr: &crate::ast::Expr, names: &mut Vec<Name>) {
    use crate::ast::ExprKind::*;
    match &expr.kind {
        Name(name) => names.push(*name),
        Unary(_, operand)
        | Cast(_, operand)
        | Member(operand, ..)
        | Step { operand, .. }
        | SizeofExpr(operand)
        | AlignofExpr(operand) => {
            mentioned(operand, names);
        }
        Binary(_, left, right)
        | Logical(_, left, right)
        | Assign(_, left, right)
        | Comma(left, right)
        | Index(left, right) => {
            mentioned(left, names);
            mentioned(right, names);
        }
        Conditional(test, then, otherwise) => {
            mentioned(test, names);
            if let Some(then) = then {
                mentioned(then, names);
            }
            mentioned(otherwise, names);
        }
        Call(function, arguments) => {
            mentioned(function, names);
            arguments.iter().for_each(|argument| mentioned(argument, names));
        }
        Generic(_, cases) => cases.iter().for_each(|(_, value)| mentioned(value, names)),
        Choose(test, then, otherwise) => [test, then, otherwise].into_iter().for_each(|part| mentioned(part, names)),
        VaArg(list, _) => mentioned(list, names),
        Integer(_) | Float(..) | Extended(_) | Character(..) | Text(..) | Compound(..) | SizeofType(_)
        | AlignofType(_) | Block(_) | Offsetof(..) | TypesCompatible(..) | LabelAddress(_) => {}
    }
}

/// The code of what is wrong with a predicate that names something unknown: callers may treat it as a free value.
pub fn is_unknown_name(diagnostic: &Diagnostic) -> bool {
    diagnostic.code.id == codes::UNKNOWN_NAME.id
}
