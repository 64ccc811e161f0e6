//! Definitions: names for conditions and numbers, with or without parameters. They are replaced where they are used.

use std::collections::BTreeSet;

use source::{Diagnostic, Span, nearest};

use super::lex::Token;
use super::{Parsed, Parser};
use crate::ast::{Expr, ExprKind, NESTING, Name, TypeKind};
use crate::codes;
use crate::prolog::too_deep;

/// An expression with more parts than this is not made by replacing names.
const MOST_PARTS: usize = 100_000;

/// A definition.
pub(super) struct Definition {
    pub(super) name: Name,
    parameters: Vec<Name>,
    body: Expr,
}

impl Parser<'_> {
    /// `let busy(i) = mode[i] != idle;`
    pub(super) fn definition(&mut self) -> Parsed<()> {
        self.bump();
        let name = self.name("the name of a definition")?;
        if let Some(first) = self.definitions.iter().find(|known| known.name.text == name.text) {
            let message = format!("a second definition of `{}`", name.text);
            let error = Diagnostic::error(&codes::DUPLICATE_NAME, name.span(), message);
            return Err(error.also(first.name.span(), "the first one"));
        }
        let mut parameters = Vec::new();
        if self.accept(Token::Open) {
            parameters = self.names()?;
            self.expect(Token::Close, "`,` or `)`")?;
        }
        self.expect(Token::Equal, "`=` and an expression")?;
        let body = self.expression(0)?;
        self.definitions.push(Definition { name, parameters, body });
        self.end_of_item()
    }

    /// What a definition says for these arguments; none if no definition has that name.
    pub(super) fn defined(&self, name: &Name, arguments: &[Expr], span: Span) -> Option<Parsed<Expr>> {
        let definition = self.definitions.iter().find(|known| known.name.text == name.text)?;
        let wanted = definition.parameters.len();
        if arguments.len() != wanted {
            let message = format!("`{}` has {wanted} parameters, here are {} arguments", name.text, arguments.len());
            let error = Diagnostic::error(&codes::ARITY, span, message);
            return Some(Err(error.also(definition.name.span(), "the definition")));
        }
        let by = |name: &str| {
            let place = definition.parameters.iter().position(|parameter| parameter.text == name)?;
            Some(arguments[place].clone())
        };
        Some(replaced(&definition.body, &by, span))
    }

    /// What definitions and flags speak of is declared somewhere: nothing depends on where they are used.
    pub(super) fn definitions_are_closed(&self) -> Result<(), Diagnostic> {
        let variables = self.model.variables.iter().map(|variable| &variable.name.text);
        let labels = self.model.types.iter().flat_map(|declared| match &declared.kind {
            TypeKind::Interval { labels, .. } => labels.as_slice(),
            TypeKind::Array { .. } => &[],
        });
        let known: BTreeSet<&str> = variables.chain(labels.map(|label| &label.text)).map(String::as_str).collect();
        for definition in &self.definitions {
            if known.contains(definition.name.text.as_str()) {
                let message = format!("`{}` has a meaning already", definition.name.text);
                return Err(Diagnostic::error(&codes::DUPLICATE_NAME, definition.name.span(), message));
            }
            let mut free = Vec::new();
            free_names(&definition.body, &mut free);
            let is_parameter = |name: &str| definition.parameters.iter().any(|parameter| parameter.text == name);
            if let Some((name, span)) = free.iter().find(|(name, _)| !known.contains(name) && !is_parameter(name)) {
                let message = format!("`{name}` is not declared");
                let error = Diagnostic::error(&codes::UNKNOWN_NAME, *span, message);
                return Err(match nearest(name, known.iter().copied()) {
                    Some(near) => error.help(format!("Do you mean `{near}`?")),
                    None => error.help("A definition speaks of variables, values and its own parameters."),
                });
            }
        }
        Ok(())
    }

    /// A variable that stands alone as a condition has the values 0 and 1 and no other.
    pub(super) fn flags_are_flags(&self) -> Result<(), Diagnostic> {
        for flag in &self.flags {
            let Some(variable) = self.model.variables.iter().find(|variable| variable.name.text == flag.text) else {
                continue;
            };
            let kind = |name: &str| self.model.types.iter().find(|declared| declared.name.text == name);
            let mut found = kind(&variable.kind.text).map(|declared| &declared.kind);
            if let Some(TypeKind::Array { element, .. }) = found {
                found = kind(&element.text).map(|declared| &declared.kind);
            }
            if let Some(TypeKind::Interval { low, high, .. }) = found
                && (*low < 0 || 1 < *high)
            {
                let message = format!("`{}` is a number from {low} to {high}, a condition is needed here", flag.text);
                let error = Diagnostic::error(&codes::KIND, flag.span(), message);
                return Err(error.help("Compare it with something, as in `x = 1`."));
            }
        }
        Ok(())
    }
}

/// An expression with names replaced, at a place where it stands for something else.
pub(super) fn replaced(root: &Expr, by: &dyn Fn(&str) -> Option<Expr>, span: Span) -> Parsed<Expr> {
    replace(root, by, &mut 0, 0, span)
}

fn replace(
    root: &Expr,
    by: &dyn Fn(&str) -> Option<Expr>,
    parts: &mut usize,
    depth: usize,
    span: Span,
) -> Parsed<Expr> {
    *parts += 1;
    if NESTING < depth {
        return Err(too_deep(span));
    }
    let mut inner = |one: &Expr| replace(one, by, parts, depth + 1, span);
    let mut boxed = |one: &Expr| inner(one).map(Box::new);
    let kind = match &root.kind {
        ExprKind::Name(name) => match by(name) {
            Some(new) => {
                *parts += size(&new);
                return if *parts <= MOST_PARTS { Ok(new) } else { Err(too_large(span)) };
            }
            None => root.kind.clone(),
        },
        ExprKind::Number(_) | ExprKind::Truth(_) => root.kind.clone(),
        ExprKind::Element(name, index) => ExprKind::Element(name.clone(), boxed(index)?),
        ExprKind::Negate(one) => ExprKind::Negate(boxed(one)?),
        ExprKind::Absolute(one) => ExprKind::Absolute(boxed(one)?),
        ExprKind::Not(one) => ExprKind::Not(boxed(one)?),
        ExprKind::Arithmetic(operator, left, right) => ExprKind::Arithmetic(*operator, boxed(left)?, boxed(right)?),
        ExprKind::Compare(comparison, left, right) => ExprKind::Compare(*comparison, boxed(left)?, boxed(right)?),
        ExprKind::Connect(connective, all) => {
            ExprKind::Connect(*connective, all.iter().map(inner).collect::<Result<_, _>>()?)
        }
    };
    if *parts <= MOST_PARTS { Ok(Expr { kind, at: root.at }) } else { Err(too_large(span)) }
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(&codes::NESTED, span, format!("this stands for more than {MOST_PARTS} parts"))
}

/// The number of parts of an expression.
fn size(root: &Expr) -> usize {
    let (mut count, mut open) = (0, vec![root]);
    while let Some(one) = open.pop() {
        count += 1;
        match &one.kind {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Truth(_) => {}
            ExprKind::Element(_, inner)
            | ExprKind::Negate(inner)
            | ExprKind::Absolute(inner)
            | ExprKind::Not(inner) => {
                open.push(inner);
            }
            ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => open.extend([&**left, right]),
            ExprKind::Connect(_, parts) => open.extend(parts),
        }
    }
    count
}

/// The names of an expression, with their places.
fn free_names<'e>(root: &'e Expr, found: &mut Vec<(&'e str, Span)>) {
    let mut open = vec![root];
    while let Some(one) = open.pop() {
        match &one.kind {
            ExprKind::Name(name) => found.push((name, one.span())),
            ExprKind::Element(name, inner) => {
                found.push((&name.text, name.span()));
                open.push(inner);
            }
            ExprKind::Number(_) | ExprKind::Truth(_) => {}
            ExprKind::Negate(inner) | ExprKind::Absolute(inner) | ExprKind::Not(inner) => open.push(inner),
            ExprKind::Arithmetic(_, left, right) | ExprKind::Compare(_, left, right) => open.extend([&**left, right]),
            ExprKind::Connect(_, parts) => open.extend(parts),
        }
    }
}
