//! Applications in SMT-LIB scripts: what stands first in a list, and what it makes of its arguments.

use std::rc::Rc;

use source::{Diagnostic, SExpr, Span};
use value::{RBig, Sort, Value};

use super::term::{Frame, Head, Machine};
use super::{Fault, Script, Symbol, fault, syntax};
use crate::build::{Misfit, ShapeId, Structure};
use crate::check::RETOLD_BYTES;
use crate::operators::{arguments, misfit_diagnostic};
use crate::rank::index_count;
use crate::unfold::on_one_line;
use crate::{Operator, codes};

impl<'a> Script<'a> {
    pub(super) fn head(&mut self, machine: &Machine<'a>, node: SExpr, count: usize) -> Result<Head, Fault> {
        let span = self.read.span(node);
        if let Some(name) = self.read.symbol(self.text, node) {
            let frame = machine.frames.last().expect("a body is being read");
            if frame.local.get(name).is_some_and(|bound| !bound.is_empty()) || frame.params.contains_key(name) {
                let message = format!("`{name}` is not a function");
                return fault(Diagnostic::error(&codes::ARITY, span, message));
            }
            return match self.symbols.get(name) {
                Some(Symbol::Function(function)) => Ok(Head::Function(*function)),
                Some(Symbol::Broken) => Err(None),
                Some(Symbol::Variable(_) | Symbol::Shape(_) | Symbol::Variant(_)) => {
                    let message = format!("`{name}` is not a function");
                    fault(Diagnostic::error(&codes::ARITY, span, message))
                }
                None => match operator(name, count) {
                    Some(operator) if index_count(operator) == 0 => Ok(Head::Operator(operator, [0, 0])),
                    Some(_) => syntax(span, &format!("`{name}` needs its numerals: `(_ {name} …)`")),
                    None => fault(self.unknown(name, span)),
                },
            };
        }
        let parts = self.read.list(node).unwrap_or_default();
        match parts {
            [as_word, constant, sort]
                if self.read.text(self.text, *as_word) == "as" && self.read.text(self.text, *constant) == "const" =>
            {
                Ok(Head::ConstArray(self.sort(*sort)?))
            }
            [underscore, is_word, variant]
                if self.read.text(self.text, *underscore) == "_" && self.read.text(self.text, *is_word) == "is" =>
            {
                match self.symbols.get(self.name(*variant)?) {
                    Some(Symbol::Variant(value)) => Ok(Head::Is(value.clone())),
                    _ => syntax(self.read.span(*variant), "expected a value of an enumeration"),
                }
            }
            [underscore, name, numerals @ ..] if self.read.text(self.text, *underscore) == "_" => {
                self.indexed(*name, numerals, count, span)
            }
            _ => syntax(span, "expected the name of a function"),
        }
    }

    fn indexed(&self, name: SExpr, numerals: &[SExpr], count: usize, span: Span) -> Result<Head, Fault> {
        let name = self.name(name)?;
        let found = operator(name, count).filter(|&found| 0 < index_count(found));
        let Some(found) = found else {
            return fault(self.unknown(name, span));
        };
        let mut indices = [0, 0];
        if numerals.len() != index_count(found) {
            return syntax(span, &format!("`{name}` takes {} numerals", index_count(found)));
        }
        for (index, &numeral) in indices.iter_mut().zip(numerals) {
            match self.read.text(self.text, numeral).parse() {
                Ok(number) => *index = number,
                Err(_) => {
                    let message = "expected a numeral below 2^32";
                    return fault(Diagnostic::error(&codes::BAD_NUMBER, self.read.span(numeral), message));
                }
            }
        }
        Ok(Head::Operator(found, indices))
    }

    pub(super) fn apply(
        &mut self,
        machine: &mut Machine<'a>,
        head: Head,
        args: Vec<ShapeId>,
        span: Span,
    ) -> Result<(), Fault> {
        let shape = match head {
            Head::Function(function) => return self.apply_function(machine, function, args, span),
            Head::ConstArray(sort) => {
                let [element] = args[..] else {
                    return syntax(span, "a constant array takes one element");
                };
                let built = self.builder.const_array(&sort, element, span);
                built.map_err(|misfit| self.misfit("const", misfit, &args, span))?
            }
            Head::Is(value) => {
                let variant = self.builder.literal(value, span);
                let args = [args, vec![variant]].concat();
                let built = self.builder.apply(Operator::Eq, [0, 0], &args, span);
                built.map_err(|misfit| self.misfit("is", misfit, &args, span))?
            }
            Head::Operator(operator, indices) => self.apply_operator(operator, indices, args, span)?,
        };
        self.retell(machine.frames.last().expect("a body is being read"), shape, span);
        machine.results.push(shape);
        Ok(())
    }

    fn apply_operator(
        &mut self,
        operator: Operator,
        indices: [u32; 2],
        mut args: Vec<ShapeId>,
        span: Span,
    ) -> Result<ShapeId, Fault> {
        use Operator as O;
        match (operator, &args[..]) {
            (O::And | O::Or | O::Add | O::Mul | O::Xor, [single]) => return Ok(*single),
            (O::Neg, [single]) => {
                let negated = match self.builder.literal_value(*single) {
                    Some(Value::Int(number)) => Some(Value::Int(-number.clone())),
                    Some(Value::Real(number)) => Some(Value::Real(-number.clone())),
                    _ => None,
                };
                if let Some(negated) = negated {
                    return Ok(self.builder.literal(negated, span));
                }
            }
            _ => {}
        }
        let mixed = match operator {
            O::Eq | O::Distinct | O::Add | O::Sub | O::Mul | O::Lt | O::Le | O::Gt | O::Ge => &mut args[..],
            O::Ite if args.len() == 3 => &mut args[1..],
            O::Divide => {
                for arg in &mut args {
                    *arg = self.builder.coerce(*arg, &Sort::Real, false).unwrap_or(*arg);
                }
                &mut []
            }
            _ => &mut [],
        };
        let unified = self.builder.unify(mixed, false);
        if let Some(quotient) = self.literal_quotient(operator, &args) {
            return Ok(self.builder.literal(Value::Real(quotient), span));
        }
        let built = unified.and_then(|()| self.builder.apply(operator, indices, &args, span));
        built.map_err(|misfit| self.misfit(operator.name(), misfit, &args, span))
    }

    /// `(/ 1 3)` is how SMT-LIB writes a rational number.
    fn literal_quotient(&self, operator: Operator, args: &[ShapeId]) -> Option<RBig> {
        let [left, right] = args[..] else { return None };
        match (operator, self.builder.literal_value(left), self.builder.literal_value(right)) {
            (Operator::Divide, Some(Value::Real(left)), Some(Value::Real(right))) if *right != RBig::ZERO => {
                Some(left / right)
            }
            _ => None,
        }
    }

    fn apply_function(
        &mut self,
        machine: &mut Machine<'a>,
        function: usize,
        args: Vec<ShapeId>,
        span: Span,
    ) -> Result<(), Fault> {
        let params: Vec<Sort> = self.functions[function].params.iter().map(|(_, sort)| sort.clone()).collect();
        if params.len() != args.len() {
            let message = format!("this function takes {}, not {}", arguments(params.len()), args.len());
            return fault(Diagnostic::error(&codes::ARITY, span, message));
        }
        let mut fitting = Vec::with_capacity(args.len());
        for (arg, sort) in args.into_iter().zip(&params) {
            let at = self.builder.shape(arg).span;
            fitting.push(self.fitting(arg, sort, at)?);
        }
        match self.calls.get(&(function, fitting.clone())) {
            Some(&result) => machine.results.push(result),
            None => self.enter(machine, function, fitting),
        }
        Ok(())
    }

    fn misfit(&self, name: &str, misfit: Misfit, args: &[ShapeId], span: Span) -> Fault {
        Some(Box::new(misfit_diagnostic(&self.builder, name, misfit, args, span, Sort::to_string)))
    }

    /// Gives what is not a connective in the body of a function a text in which the parameters are replaced.
    fn retell(&mut self, frame: &Frame<'a>, result: ShapeId, span: Span) {
        let Some(replaced) = &frame.replaced else { return };
        let shape = self.builder.shape(result);
        let long = RETOLD_BYTES < span.end - span.start;
        if long || !matches!(shape.structure, Structure::Atom) || shape.text.is_some() || shape.span != span {
            return;
        }
        let inside: Vec<(Span, ShapeId)> =
            replaced.iter().rev().take_while(|(place, _)| span.start <= place.start).copied().collect();
        if inside.is_empty() {
            return;
        }
        let mut text = String::new();
        let mut from = span.start;
        for (place, arg) in inside.into_iter().rev() {
            text.push_str(self.source.slice(Span { start: from, end: place.start }));
            let argument = self.builder.shape(arg);
            match &argument.text {
                Some(argument) => text.push_str(argument),
                None => text.push_str(&on_one_line(self.source.slice(argument.span))),
            }
            from = place.end;
        }
        text.push_str(self.source.slice(Span { start: from, end: span.end }));
        self.builder.retold(result, Rc::from(on_one_line(&text)));
    }
}

/// The operator of a name; `-` is negation or subtraction by its number of arguments.
fn operator(name: &str, count: usize) -> Option<Operator> {
    let name = match name {
        "-" if count == 1 => return Some(Operator::Neg),
        "-" => return Some(Operator::Sub),
        "implies" => "=>",
        "ubv_to_int" => "bv2nat",
        "int_to_bv" => "int2bv",
        other => other,
    };
    let callable = |operator: &&Operator| operator.name() == name && **operator != Operator::ConstArray;
    Operator::ALL.iter().find(callable).copied()
}
