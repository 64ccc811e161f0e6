//! From trees to the control-flow automaton: names are resolved, types checked and side effects become edges, in one pass.
//!
//! An expression is lowered to a pure, typed one, and what must happen before it is emitted as edges. Constants are
//! folded on the way, so that a constant expression is one whose lowering gives a constant and emits nothing.

mod assembly;
mod atomic;
mod build;
mod call;
mod compatible;
mod condition;
mod convert;
mod declaration;
mod expression;
mod finish;
mod fold;
mod graph;
mod initial;
mod operator;
mod predicate;
mod record;
mod specifier;
mod standard;
mod statement;
mod variable_array;
mod wide_field;

use rustc_hash::{FxHashMap, FxHashSet};
use source::{Diagnostic, Span};

use crate::ast;
use crate::codes;
use crate::expr::ExprId;
use crate::model::DataModel;
use crate::program::{
    Callee, Function, FunctionId, Location, Operation, Program, Scope, ScopeId, Storage, Variable, VariableId,
};
use crate::text::Text;
use crate::token::{Name, Names};
use crate::types::{Type, TypeId};

pub(crate) use predicate::Predicates;
pub use predicate::{Predicate, is_unknown_name};
pub(crate) use standard::link;

use graph::Graph;

/// How the automaton is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Whether skip edges are inserted so that every basic block and every decision outcome has one edge of its own.
    /// Without them a block that is a bare conditional begins with both sides of it.
    pub inserted_skips: bool,
    /// Whether assertions are what the header of the library makes of them: a branch, and a call where it fails. Otherwise each is one
    /// edge, which only runs pass in which it holds.
    pub open_assertions: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { inserted_skips: true, open_assertions: false }
    }
}

type Error = Box<Diagnostic>;
type Checked<T> = Result<T, Error>;

/// What a name means.
#[derive(Clone, Copy, Debug)]
enum Symbol {
    Variable(VariableId),
    Function(FunctionId),
    Typedef(TypeId),
    Constant(ExprId),
}

#[derive(Default)]
struct ScopeTable {
    ordinary: FxHashMap<Name, Symbol>,
    tags: FxHashMap<Name, TypeId>,
    id: Option<ScopeId>,
}

/// What is known while lowering.
pub(crate) struct Lowerer<'a> {
    text: &'a Text,
    names: &'a mut Names,
    shape: Shape,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    scopes: Vec<ScopeTable>,
    /// Names with external linkage, across units.
    linked: FxHashMap<Name, Symbol>,
    /// The functions that some unit defines for all, and those that this unit defines for itself, wherever in the text.
    defined: (FxHashSet<Name>, FxHashSet<Name>),
    graph: Graph,
    literals: FxHashMap<(TypeId, Vec<u32>), VariableId>,
    /// The function that is lowered.
    current: Option<FunctionId>,
    frame: Vec<VariableId>,
    /// The types with which variables were declared that stand for arrays of variable length, or for pointers to such.
    declared_types: FxHashMap<VariableId, TypeId>,
    /// The names of the parameters of the prototypes that are lowered, and whether one is.
    prototype: Vec<Name>,
    in_prototype: bool,
    /// Typedef names and constants per unit, for predicates.
    last_file_scope: ScopeTable,
    /// The widths of values that are computed in the width of a bit-field.
    field_widths: FxHashMap<ExprId, u32>,
    /// Vectors and complex numbers.
    opaque: FxHashSet<TypeId>,
    /// What the function that is lowered holds and we do not support; what else is wrong with it may follow from that.
    beyond: Option<String>,
    /// Names of the system's headers for widths that no type of the data model has.
    absent: FxHashMap<Name, u32>,
}

/// As many errors are shown.
const MOST_ERRORS: usize = 20;

/// Lowers units to one program.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn lower(
    text: &Text,
    names: &mut Names,
    units: &[ast::Unit],
    model: DataModel,
    shape: Shape,
) -> Result<(Program, Vec<Diagnostic>, Predicates), Vec<Diagnostic>> {
    let mut lowerer = Lowerer::new(text, names, model, shape);
    for unit in units {
        lowerer.defined.0.extend(definitions(unit, false));
    }
    for unit in units {
        lowerer.defined.1 = definitions(unit, true).collect();
        lowerer.unit(unit);
    }
    lowerer.resolve_pointer_calls();
    lowerer.define_streams();
    let failed = lowerer.diagnostics.iter().any(|diagnostic| diagnostic.severity == source::Severity::Error);
    if failed {
        lowerer.diagnostics.retain(|diagnostic| diagnostic.severity == source::Severity::Error);
        lowerer.diagnostics.truncate(MOST_ERRORS);
        return Err(lowerer.diagnostics);
    }
    let predicates = Predicates::new(&lowerer);
    Ok((lowerer.program, lowerer.diagnostics, predicates))
}

/// The names of the functions that a unit defines, for itself or for all units.
fn definitions(unit: &ast::Unit, internal: bool) -> impl Iterator<Item = Name> + '_ {
    unit.items.iter().filter_map(move |item| match item {
        ast::Item::Function(function) if function.specifiers.is_static == internal => {
            function.declarator.name.map(|(name, _)| name)
        }
        ast::Item::Function(_) | ast::Item::Declaration(_) => None,
    })
}

impl<'a> Lowerer<'a> {
    /// Whether the program defines a function of this name, here or further on. What it defines means nothing else.
    fn is_defined(&self, name: Name) -> bool {
        self.defined.0.contains(&name) || self.defined.1.contains(&name)
    }

    fn new(text: &'a Text, names: &'a mut Names, model: DataModel, shape: Shape) -> Lowerer<'a> {
        let program = Program {
            files: text.files().to_vec(),
            system_files: text.system_files().to_vec(),
            ..Program::empty(model)
        };
        Lowerer {
            text,
            names,
            shape,
            program,
            diagnostics: Vec::new(),
            scopes: Vec::new(),
            linked: FxHashMap::default(),
            defined: Default::default(),
            graph: Graph::default(),
            literals: FxHashMap::default(),
            current: None,
            frame: Vec::new(),
            declared_types: FxHashMap::default(),
            prototype: Vec::new(),
            in_prototype: false,
            last_file_scope: ScopeTable::default(),
            field_widths: FxHashMap::default(),
            opaque: FxHashSet::default(),
            beyond: None,
            absent: FxHashMap::default(),
        }
    }

    fn unit(&mut self, unit: &ast::Unit) {
        self.scopes.push(ScopeTable { id: Some(ScopeId(0)), ..ScopeTable::default() });
        self.graph = Graph::default();
        for item in &unit.items {
            let lowered = match item {
                ast::Item::Declaration(declaration) => self.declaration(declaration),
                ast::Item::Function(function) => self.function(function),
            };
            self.note(lowered);
            if self.diagnostics.len() > 10 * MOST_ERRORS {
                break;
            }
        }
        let scope = self.scopes.pop().expect("the file's scope");
        self.last_file_scope.ordinary.extend(scope.ordinary);
        self.last_file_scope.tags.extend(scope.tags);
    }

    /// The standard streams are not inputs: the functions that read them are.
    fn define_streams(&mut self) {
        for variable in &mut self.program.variables {
            if matches!(variable.storage, Storage::Global { defined: false })
                && matches!(variable.name.as_str(), "stdin" | "stdout" | "stderr")
            {
                variable.storage = Storage::Global { defined: true };
            }
        }
    }

    /// Keeps what is wrong. Within a function, what is not supported ends the runs that come there, not the reading of the file.
    fn note(&mut self, result: Checked<()>) {
        let Err(error) = result else { return };
        let unsupported = error.code.id == codes::UNSUPPORTED.id;
        if self.current.is_none() || (!unsupported && self.beyond.is_none()) {
            self.diagnostics.push(*error);
            return;
        }
        if unsupported {
            self.beyond_us(&error.message);
        }
        let what = self.beyond.clone().unwrap_or_default();
        self.end_here(&what, error.labels[0].span);
    }

    /// Remembers that the function that is lowered holds something that we do not support.
    fn beyond_us(&mut self, what: &str) {
        if self.current.is_some() && self.beyond.is_none() {
            self.beyond = Some(what.to_owned());
        }
    }

    /// Runs that come here end, and say what is not supported. What follows in the text is part of the program all the same.
    fn end_here(&mut self, what: &str, span: Span) {
        // A condition may have been left half way.
        self.graph.decision = None;
        let name = format!("{}{what}", crate::library::UNSUPPORTED);
        let interned = self.names.intern(&name);
        let function = match self.linked.get(&interned) {
            Some(Symbol::Function(known)) => *known,
            _ => {
                let kind =
                    Type::Function { result: TypeId::VOID, parameters: Vec::new(), variadic: false, prototyped: true };
                let ty = self.program.types.intern(kind);
                let location = self.location(span);
                let function = self.new_function(&name, ty, location, false);
                self.linked.insert(interned, Symbol::Function(function));
                function
            }
        };
        let callee = Callee::Function(function);
        self.emit(Operation::Call { callee, arguments: Vec::new(), result: None }, span);
    }

    fn error<T>(&self, code: &'static source::Code, span: Span, message: impl Into<String>) -> Checked<T> {
        Err(Box::new(Diagnostic::error(code, span, message)))
    }

    fn unsupported<T>(&self, span: Span, message: impl Into<String>) -> Checked<T> {
        self.error(&codes::UNSUPPORTED, span, message)
    }

    fn warn(&mut self, code: &'static source::Code, span: Span, message: impl Into<String>) {
        if !self.text.in_system_header(span.start) && !self.graph.is_scratch() {
            self.diagnostics.push(Diagnostic::warning(code, span, message));
        }
    }

    fn location(&self, span: Span) -> Location {
        self.text.location(span.start)
    }

    fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    fn at_file_scope(&self) -> bool {
        self.scopes.len() == 1
    }

    fn find(&self, name: Name) -> Option<Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.ordinary.get(&name)).copied()
    }

    fn scope(&mut self) -> &mut ScopeTable {
        self.scopes.last_mut().expect("there is a scope")
    }

    fn scope_id(&self) -> ScopeId {
        self.scopes.iter().rev().find_map(|scope| scope.id).unwrap_or(ScopeId(0))
    }

    fn open_scope(&mut self) {
        let parent = self.scope_id();
        self.program.scopes.push(Scope { parent: Some(parent), names: Vec::new() });
        let id = ScopeId(self.program.scopes.len() as u32 - 1);
        self.scopes.push(ScopeTable { id: Some(id), ..ScopeTable::default() });
        self.graph.scope = id;
    }

    fn close_scope(&mut self) {
        self.scopes.pop();
        self.graph.scope = self.scope_id();
    }

    /// Makes a variable visible where predicates look for it.
    fn show_variable(&mut self, name: &str, variable: VariableId) {
        let scope = self.scope_id();
        self.program.scopes[scope.0 as usize].names.push((name.to_owned(), variable));
    }

    fn new_variable(
        &mut self,
        name: impl Into<String>,
        ty: TypeId,
        storage: Storage,
        location: Location,
    ) -> VariableId {
        let id = VariableId(self.program.variables.len() as u32);
        let function = self.current;
        self.program.variables.push(Variable {
            name: name.into(),
            ty,
            storage,
            function,
            location,
            initial: None,
            address_taken: false,
            external: false,
            behind: 0,
        });
        if !storage.is_static() {
            self.frame.push(id);
        }
        id
    }

    fn new_function(&mut self, name: &str, ty: TypeId, location: Location, internal: bool) -> FunctionId {
        let id = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            location,
            internal,
            body: None,
            address_taken: false,
            noreturn: false,
        });
        id
    }
}
