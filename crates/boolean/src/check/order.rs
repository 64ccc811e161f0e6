//! The order in which definitions can be elaborated: what one refers to comes before it.

use source::{Diagnostic, Source};

use super::Errors;
use super::declare::{Names, Symbol};
use crate::ast::{Ast, NodeKind};
use crate::codes;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    Open,
    Done,
}

/// The definitions that can be elaborated, in order, and which definitions cannot.
pub(super) struct Order {
    /// Every definition after those it refers to.
    pub(super) sequence: Vec<usize>,
    /// Whether a definition is on a cycle; at least one definition of every cycle is marked.
    pub(super) cyclic: Vec<bool>,
}

/// Orders definitions, and reports cycles.
pub(super) fn order(ast: &Ast, names: &Names<'_>, source: &Source, errors: &mut Errors) -> Order {
    let mut cyclic = vec![false; names.definitions.len()];
    let mut marks = vec![Mark::New; names.definitions.len()];
    let mut order = Vec::new();
    for start in 0..names.definitions.len() {
        if marks[start] != Mark::New {
            continue;
        }
        marks[start] = Mark::Open;
        let mut path = vec![(start, references(ast, names, source, start))];
        while let Some((definition, references)) = path.last_mut() {
            let definition = *definition;
            match references.pop() {
                None => {
                    marks[definition] = Mark::Done;
                    order.push(definition);
                    path.pop();
                }
                Some(next) => match marks[next] {
                    Mark::Done => {}
                    Mark::New => {
                        marks[next] = Mark::Open;
                        path.push((next, self::references(ast, names, source, next)));
                    }
                    Mark::Open => {
                        let cycle = path.iter().map(|(on_path, _)| *on_path).skip_while(|&on_path| on_path != next);
                        let cycle: Vec<usize> = cycle.collect();
                        cycle.iter().for_each(|&member| cyclic[member] = true);
                        errors.push(report(names, source, &cycle));
                    }
                },
            }
        }
    }
    Order { sequence: order, cyclic }
}

/// The definitions a definition refers to, the last first.
fn references(ast: &Ast, names: &Names<'_>, source: &Source, definition: usize) -> Vec<usize> {
    let definition = &names.definitions[definition];
    let mut found = Vec::new();
    for node in &ast.nodes[definition.body.first as usize..=definition.body.root.0 as usize] {
        let name = match node.kind {
            NodeKind::Name => source.slice(node.span),
            NodeKind::Call { name, .. } => source.slice(name),
            _ => continue,
        };
        if definition.params.iter().any(|(param, _)| source.slice(*param) == name) {
            continue;
        }
        if let Some(Symbol::Definition(other)) = names.symbol(name) {
            found.push(*other);
        }
    }
    found.reverse();
    found
}

fn report(names: &Names<'_>, source: &Source, cycle: &[usize]) -> Diagnostic {
    let first = &names.definitions[cycle[0]];
    let name = first.name_text(source);
    let span = first.name.unwrap_or(first.body.span);
    let mut error = Diagnostic::error(&codes::CYCLIC_DEFINITION, span, format!("`{name}` is defined by itself"));
    for &other in cycle.iter().skip(1).take(8) {
        let other = &names.definitions[other];
        error = error.also(other.name.unwrap_or(other.body.span), "by way of this definition");
    }
    error.help("Definitions are abbreviations and cannot be recursive.")
}
