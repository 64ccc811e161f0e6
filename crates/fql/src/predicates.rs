//! The predicates of a query, compiled for every place of a program.
//!
//! The names of a predicate mean what they mean at a place. Where one means nothing the predicate is *arbitrary* there: it may be
//! taken to hold, and constrains nothing.

use c::Predicate;
use c::expr::{Base, PlaceId};
use c::program::{FunctionId, Operation, ScopeId, Storage};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::codes::{PREDICATE, UNRESOLVED_PREDICATE};
use crate::graph::NodeId;
use crate::spec::Spec;

/// The compiled predicates of a query.
#[derive(Clone, Debug, Default)]
pub struct Predicates {
    /// Per node: the scope, as a position in the tables.
    scopes: Vec<u32>,
    /// Per predicate and scope.
    tables: Vec<Vec<Option<Predicate>>>,
}

impl Predicates {
    /// Compiles the predicates of a query. The program gets functions for them; its other parts keep their numbers.
    ///
    /// # Errors
    /// When a predicate is no C expression that can be evaluated. Predicates that are arbitrary everywhere are warnings.
    pub fn compile(
        translation: &mut c::Translation,
        spec: &Spec,
        nodes: usize,
    ) -> Result<(Predicates, Vec<Diagnostic>), Box<Diagnostic>> {
        let mut positions: FxHashMap<ScopeId, u32> = FxHashMap::default();
        let mut distinct: Vec<ScopeId> = Vec::new();
        let scopes = translation.program.nodes[..nodes]
            .iter()
            .map(|node| {
                *positions.entry(node.scope).or_insert_with(|| {
                    distinct.push(node.scope);
                    distinct.len() as u32 - 1
                })
            })
            .collect();
        let mut predicates = Predicates { scopes, tables: Vec::new() };
        let mut warnings = Vec::new();
        for (text, span) in &spec.normal.predicates {
            let table = compile_one(translation, text, *span, &distinct)?;
            if table.iter().all(Option::is_none) {
                let message = format!("the names of {{{text}}} are known at no place of the program");
                warnings.push(
                    Diagnostic::warning(&UNRESOLVED_PREDICATE, *span, message)
                        .help("The predicate is arbitrary everywhere, so it constrains nothing."),
                );
            }
            predicates.tables.push(table);
        }
        Ok((predicates, warnings))
    }

    /// A predicate at a node; none if it is arbitrary there.
    pub fn at(&self, predicate: u32, node: NodeId) -> Option<&Predicate> {
        let scope = *self.scopes.get(node.0 as usize)?;
        self.tables[predicate as usize][scope as usize].as_ref()
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Whether the query has no predicate.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }
}

/// Compiles a predicate for all scopes; once for those in which its names mean the same.
fn compile_one(
    translation: &mut c::Translation,
    text: &str,
    span: Span,
    scopes: &[ScopeId],
) -> Result<Vec<Option<Predicate>>, Box<Diagnostic>> {
    let names = names(text);
    let mut known: FxHashMap<Vec<Option<c::program::VariableId>>, Option<Predicate>> = FxHashMap::default();
    let mut table = Vec::with_capacity(scopes.len());
    for scope in scopes {
        let meaning: Vec<_> = names.iter().map(|name| translation.program.variable_named(*scope, name)).collect();
        if let Some(found) = known.get(&meaning) {
            table.push(found.clone());
            continue;
        }
        let compiled = match translation.predicate(*scope, text) {
            Ok(predicate) if changes(&translation.program, predicate.function) => {
                let message = format!("the predicate {{{text}}} changes what it looks at");
                let help = "A predicate looks at the state of the program; it assigns nothing.";
                return Err(Diagnostic::error(&PREDICATE, span, message).help(help).into());
            }
            Ok(predicate) => Some(predicate),
            Err(error) if c::is_unknown_name(&error) => None,
            Err(error) => return Err(Box::new(wrong(&error, text, span))),
        };
        known.insert(meaning, compiled.clone());
        table.push(compiled);
    }
    Ok(table)
}

/// Whether a function assigns anything but its temporaries.
fn changes(program: &c::Program, function: FunctionId) -> bool {
    let Some(body) = &program.function(function).body else { return false };
    let foreign = |place: PlaceId| match program.place(place).base {
        Base::Variable(variable) => program.variable(variable).storage != Storage::Temporary,
        Base::Pointer(_) => true,
    };
    let assigns = |edge: u32| match &program.edges[edge as usize].operation {
        Operation::Assign { place, .. } => foreign(*place),
        Operation::Call { result, .. } => result.is_some_and(foreign),
        Operation::Skip
        | Operation::Initialise { .. }
        | Operation::Assume { .. }
        | Operation::Return { .. }
        | Operation::Assert { .. }
        | Operation::Restrict { .. } => false,
    };
    body.edges.clone().any(assigns)
}

fn wrong(error: &Diagnostic, text: &str, span: Span) -> Diagnostic {
    let message = format!("the predicate {{{text}}} cannot be evaluated: {}", error.message);
    let mut diagnostic = Diagnostic::error(&PREDICATE, span, message);
    diagnostic.help = error.help.clone();
    diagnostic
}

/// The names in the text of an expression.
fn names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut word = String::new();
    for character in text.chars().chain([' ']) {
        if character.is_ascii_alphanumeric() || character == '_' {
            word.push(character);
            continue;
        }
        let name = std::mem::take(&mut word);
        if name.starts_with(|c: char| !c.is_ascii_digit()) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
