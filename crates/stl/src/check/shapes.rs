//! How signals go on between samples: steps and enumerations.

use source::{Diagnostic, Span};
use value::{RBig, Sort};

use super::{Checked, Checker};
use crate::ast::{ItemKind, Sum};
use crate::codes;
use crate::spec::Shape;
use crate::store::{Comparison, Relation};

impl<'a> Checker<'a> {
    /// Takes what the file says about the shapes of signals.
    pub(super) fn declare_shapes(&mut self) -> Checked<()> {
        for item in &self.ast.items {
            let declared: Vec<(Span, Shape)> = match &item.kind {
                ItemKind::Steps(names) => names.iter().map(|&name| (name, Shape::Steps)).collect(),
                ItemKind::Enumeration(values) => vec![(item.name, self.enumeration(values)?)],
                ItemKind::Title(_)
                | ItemKind::Requirement(_)
                | ItemKind::Unit
                | ItemKind::Parameter(_)
                | ItemKind::Definition(_) => Vec::new(),
            };
            for (place, shape) in declared {
                let name = self.source.slice(place);
                let first = self.names.get(name).map(|named| named.span);
                let first = first.or_else(|| self.shapes.insert(name, (shape, place)).map(|(_, first)| first));
                if let Some(first) = first {
                    return Err(twice(name, place, first));
                }
            }
        }
        Ok(())
    }

    fn enumeration(&self, values: &[Span]) -> Checked<Shape> {
        for (place, value) in values.iter().enumerate() {
            let name = self.source.slice(*value);
            if let Some(first) = values[..place].iter().find(|first| self.source.slice(**first) == name) {
                return Err(twice(name, *value, *first));
            }
        }
        Ok(Shape::Named(values.iter().map(|value| self.source.slice(*value).to_owned()).collect()))
    }

    /// The names of the values of an enumeration that a sum consists of.
    fn enumerated(&self, sum: &Sum) -> Option<(Span, Vec<String>)> {
        let place = sum.as_name()?;
        match self.shapes.get(self.source.slice(place)) {
            Some((Shape::Named(names), _)) => Some((place, names.clone())),
            _ => None,
        }
    }

    /// `mode == on`, if one side is an enumeration.
    pub(super) fn named_comparison(
        &mut self,
        left: &Sum,
        relation: Relation,
        right: &Sum,
    ) -> Checked<Option<Comparison>> {
        let ((place, names), value) = match (self.enumerated(left), self.enumerated(right)) {
            (Some(found), _) => (found, right),
            (None, Some(found)) => (found, left),
            (None, None) => return Ok(None),
        };
        if !matches!(relation, Relation::Equal | Relation::NotEqual) {
            let message = "the values of an enumeration have no order";
            let error = Diagnostic::error(&codes::SORT_CONFLICT, left.span.join(right.span), message);
            return Err(Box::new(error.help("Compare them with `==` and `!=`.")));
        }
        let name = value.as_name().map(|span| self.source.slice(span));
        let Some(number) = name.and_then(|name| names.iter().position(|known| known == name)) else {
            let message = format!("this is no value of `{}`", self.source.slice(place));
            let error = Diagnostic::error(&codes::UNKNOWN_VALUE, value.span, message);
            return Err(Box::new(error.help(format!("Its values are {}.", names.join(", ")))));
        };
        let signal = self.signal(place, &Sort::Real)?;
        Ok(Some(Comparison { form: vec![(RBig::ONE, signal)], relation, bound: RBig::from(number) }))
    }

    /// Complains about an enumeration among numbers.
    pub(super) fn refuse_enumeration(&self, place: Span) -> Checked<()> {
        match self.shapes.get(self.source.slice(place)) {
            Some((Shape::Named(names), declared)) => {
                let message = format!("`{}` is an enumeration and cannot be computed with", self.source.slice(place));
                let error = Diagnostic::error(&codes::SORT_CONFLICT, place, message).also(*declared, "declared here");
                Err(Box::new(error.help(format!(
                    "Compare it with one of its values: `{} == {}`.",
                    self.source.slice(place),
                    names[0]
                ))))
            }
            _ => Ok(()),
        }
    }
}

fn twice(name: &str, place: Span, first: Span) -> Box<Diagnostic> {
    let message = format!("`{name}` is declared twice");
    Box::new(Diagnostic::error(&codes::DUPLICATE_NAME, place, message).also(first, "the first time"))
}
