//! Leaves out functions of the system's headers that a program does not use: nobody wants to cover them.

use rustc_hash::FxHashSet;

use crate::ast::{FunctionDefinition, Item, Unit};
use crate::text::Text;
use crate::token::{Name, Token, TokenKind};

/// Removes the functions that are defined in headers of the system and named neither by the program nor by those of them
/// that it names.
pub(crate) fn prune(unit: &mut Unit, tokens: &[Token], text: &Text) {
    let is_candidate = |item: &Item| match item {
        Item::Function(function) => {
            (function.specifiers.is_static || function.specifiers.is_inline)
                && text.in_system_header(function.declarator.span.start)
        }
        Item::Declaration(_) => false,
    };
    if !unit.items.iter().any(is_candidate) {
        return;
    }
    let mut used: FxHashSet<Name> =
        tokens.iter().filter(|token| !text.in_system_header(token.span.start)).filter_map(name).collect();
    // A function is defined before it is used in a header: from the last to the first, users come first.
    let mut kept: Vec<bool> = unit.items.iter().map(|item| !is_candidate(item)).collect();
    for (place, item) in unit.items.iter().enumerate().rev() {
        let Item::Function(function) = item else { continue };
        if !text.in_system_header(function.declarator.span.start) {
            continue;
        }
        kept[place] |= function.declarator.name.is_some_and(|(name, _)| used.contains(&name));
        if kept[place] {
            used.extend(body(function, tokens).iter().filter_map(name));
        }
    }
    let mut kept = kept.into_iter();
    unit.items.retain(|_| kept.next().unwrap_or(true));
}

/// The tokens of a function's body.
fn body<'t>(function: &FunctionDefinition, tokens: &'t [Token]) -> &'t [Token] {
    let span = function.body.span;
    let start = tokens.partition_point(|token| token.span.start < span.start);
    let end = tokens.partition_point(|token| token.span.start < span.end);
    &tokens[start..end]
}

fn name(token: &Token) -> Option<Name> {
    match token.kind {
        TokenKind::Name(name) => Some(name),
        TokenKind::Word(_)
        | TokenKind::Sign(_)
        | TokenKind::Number
        | TokenKind::Character
        | TokenKind::Text
        | TokenKind::End => None,
    }
}
