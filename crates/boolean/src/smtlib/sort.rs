//! Sorts and enumerations of SMT-LIB scripts.

use source::{Diagnostic, SExpr, Span};
use value::{EnumValue, Sort, Value};

use super::{Fault, Script, Symbol, fault, syntax, unsupported};
use crate::codes;
use crate::rank::WIDEST;
use source::nearest;

/// The deepest nesting of sorts.
const DEPTH: usize = 32;

impl Script<'_> {
    pub(super) fn sort(&self, node: SExpr) -> Result<Sort, Fault> {
        self.sort_at(node, 0)
    }

    fn sort_at(&self, node: SExpr, depth: usize) -> Result<Sort, Fault> {
        let span = self.read.span(node);
        if DEPTH < depth {
            return fault(Diagnostic::error(&codes::TOO_DEEP, span, "this sort is nested too deeply"));
        }
        if let Some(name) = self.read.symbol(self.text, node) {
            return self.named_sort(name, span);
        }
        let parts = self.read.list(node).unwrap_or_default();
        let head = parts.first().and_then(|&head| self.read.symbol(self.text, head));
        match (head, parts) {
            (Some("_"), [_, kind, width]) if self.read.symbol(self.text, *kind) == Some("BitVec") => {
                match self.read.text(self.text, *width).parse::<u32>() {
                    Ok(bits) if (1..=WIDEST).contains(&bits) => Ok(Sort::BitVec(bits)),
                    _ => {
                        let message = format!("the width of a bit-vector must be a number from 1 to {WIDEST}");
                        fault(Diagnostic::error(&codes::BAD_NUMBER, self.read.span(*width), message))
                    }
                }
            }
            (Some("Array"), [_, index, element]) => {
                let index_sort = self.sort_at(*index, depth + 1)?;
                if matches!(index_sort, Sort::Array(_)) {
                    return unsupported(self.read.span(*index), "arrays indexed by arrays");
                }
                Ok(Sort::array(index_sort, self.sort_at(*element, depth + 1)?))
            }
            _ => {
                let message = "this sort is not known";
                fault(Diagnostic::error(&codes::UNKNOWN_SORT, span, message))
            }
        }
    }

    fn named_sort(&self, name: &str, span: Span) -> Result<Sort, Fault> {
        match name {
            "Bool" => Ok(Sort::Bool),
            "Int" => Ok(Sort::Int),
            "Real" => Ok(Sort::Real),
            _ => match self.sorts.get(name) {
                Some(sort) => Ok(sort.clone()),
                None => {
                    let error = Diagnostic::error(&codes::UNKNOWN_SORT, span, format!("unknown sort `{name}`"));
                    let near = nearest(name, ["Bool", "Int", "Real", "Array"].into_iter());
                    fault(match near {
                        Some(near) => error.help(format!("Did you mean `{near}`?")),
                        None => error,
                    })
                }
            },
        }
    }

    pub(super) fn define_sort(&mut self, name: SExpr, params: SExpr, sort: SExpr) -> Result<(), Fault> {
        if self.read.list(params).is_none_or(|params| !params.is_empty()) {
            return unsupported(self.read.span(params), "sorts with parameters");
        }
        let sort = self.sort(sort)?;
        let text = self.claim_sort(name)?;
        self.sorts.insert(text, sort);
        Ok(())
    }

    /// `(declare-datatype N ((a) (b)))`.
    pub(super) fn datatype(&mut self, name: SExpr, constructors: SExpr) -> Result<(), Fault> {
        let Some(constructors) = self.read.list(constructors) else {
            return syntax(self.read.span(constructors), "expected a list of constructors");
        };
        self.enumeration(name, constructors)
    }

    /// `(declare-datatypes ((N 0)) (((a) (b))))`, or the older `(declare-datatypes () ((N a b)))`.
    pub(super) fn datatypes(&mut self, names: SExpr, bodies: SExpr) -> Result<(), Fault> {
        let lists = (self.read.list(names), self.read.list(bodies));
        let (Some(names), Some(bodies)) = lists else {
            return syntax(self.read.span(names), "expected a list of sorts and a list of their constructors");
        };
        if names.is_empty() {
            for &body in bodies {
                match self.read.list(body) {
                    Some([name, constructors @ ..]) => self.enumeration(*name, constructors)?,
                    _ => return syntax(self.read.span(body), "expected a name and its constructors"),
                }
            }
            return Ok(());
        }
        if names.len() != bodies.len() {
            return syntax(self.read.span(bodies[0]), "there are not as many lists of constructors as sorts");
        }
        for (&name, &body) in names.iter().zip(bodies) {
            match self.read.list(name) {
                Some([name, arity]) if self.read.text(self.text, *arity) == "0" => self.datatype(*name, body)?,
                _ => return unsupported(self.read.span(name), "data types with parameters"),
            }
        }
        Ok(())
    }

    fn enumeration(&mut self, name: SExpr, constructors: &[SExpr]) -> Result<(), Fault> {
        let mut variants: Vec<SExpr> = Vec::new();
        for &constructor in constructors {
            match self.read.list(constructor) {
                None => variants.push(constructor),
                Some([variant]) => variants.push(*variant),
                Some(_) => {
                    return unsupported(self.read.span(constructor), "data types that are not enumerations");
                }
            }
        }
        if variants.is_empty() {
            return syntax(self.read.span(name), "an enumeration has at least one value");
        }
        let sort_name = self.claim_sort(name)?;
        let mut names = Vec::new();
        for &variant in &variants {
            names.push(self.claim(variant)?);
        }
        let sort = Sort::enumeration(sort_name, names.iter().map(|&name| name.to_owned()).collect());
        let Sort::Enum(shared) = &sort else { unreachable!("an enumeration was just made") };
        for (index, name) in names.into_iter().enumerate() {
            let value = Value::Enum(EnumValue { sort: shared.clone(), index: index as u32 });
            self.symbols.insert(name, Symbol::Variant(value));
        }
        self.sorts.insert(sort_name, sort);
        Ok(())
    }
}

impl<'a> Script<'a> {
    fn claim_sort(&mut self, node: SExpr) -> Result<&'a str, Fault> {
        let name = self.name(node)?;
        if self.sorts.contains_key(name) || ["Bool", "Int", "Real", "Array"].contains(&name) {
            let message = format!("the sort `{name}` is declared twice");
            return fault(Diagnostic::error(&codes::DUPLICATE_NAME, self.read.span(node), message));
        }
        Ok(name)
    }
}
