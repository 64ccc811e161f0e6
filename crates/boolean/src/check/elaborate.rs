//! Expressions: names replaced by what they stand for, sorts checked, definitions with parameters instantiated.
//!
//! The nodes of a body come arguments first, so a body is one loop. A call of a definition with parameters opens a frame
//! on an explicit stack; equal calls share their result, which keeps nested definitions from multiplying here.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use source::{Diagnostic, Source, Span};
use value::{EnumValue, Sort, Value};

use super::Errors;
use super::declare::{Names, Symbol};
use crate::VariableId;
use crate::ast::{Ast, Body, Node, NodeId, NodeKind};
use crate::build::{Builder, ShapeId, Structure};
use crate::codes;
use crate::number::{Number, read_number};
use crate::operators::{Applied, apply_binary, apply_call, apply_unary, arguments, is_function, sort_text};
use crate::unfold::{NODE_LIMIT, on_one_line};

/// The longest text put in place of a parameter, in characters.
const ARGUMENT_TEXT: usize = 60;

/// The longest expression whose parameters are replaced in its text, in bytes.
pub(crate) const RETOLD_BYTES: u32 = 400;

pub(super) struct Elaborator<'a> {
    pub(super) source: &'a Source,
    pub(super) names: &'a Names<'a>,
    pub(super) builder: Builder,
    ast: &'a Ast,
    /// The definitions that refer to themselves; reported already.
    cyclic: Vec<bool>,
    /// The definitions without parameters that are elaborated; none where an error was reported.
    values: Vec<Option<ShapeId>>,
    /// Calls that are elaborated.
    calls: FxHashMap<(usize, Vec<ShapeId>), Option<ShapeId>>,
    /// Nodes elaborated in frames of calls.
    unfolded: usize,
}

/// A body under elaboration.
struct Frame<'a> {
    body: Body,
    /// The next node.
    next: u32,
    /// The call this is the body of.
    call: Option<(usize, Vec<ShapeId>)>,
    params: FxHashMap<&'a str, ShapeId>,
    /// Places at which a parameter stands, in the order of the text.
    replaced: Vec<(Span, ShapeId)>,
    results: Vec<Option<ShapeId>>,
}

/// What one node needs.
enum Step {
    Done(Option<ShapeId>),
    Call(usize, Vec<ShapeId>),
}

impl<'a> Elaborator<'a> {
    pub(super) fn new(source: &'a Source, ast: &'a Ast, names: &'a Names<'a>, cyclic: Vec<bool>) -> Elaborator<'a> {
        let count = names.definitions.len();
        Elaborator {
            source,
            ast,
            names,
            builder: Builder::default(),
            cyclic,
            values: vec![None; count],
            calls: FxHashMap::default(),
            unfolded: 0,
        }
    }

    /// Elaborates a definition; one with parameters is tried with plain arguments, so that its errors are found even
    /// where nothing calls it.
    pub(super) fn define(&mut self, definition: usize, errors: &mut Errors) {
        if self.cyclic[definition] || errors.is_full() {
            return;
        }
        let names = self.names;
        let described = &names.definitions[definition];
        if described.params.is_empty() {
            self.values[definition] = self.body(described.body, errors);
            return;
        }
        let mut args = Vec::new();
        for (span, sort) in &described.params {
            let Some(sort) = sort else { return };
            args.push(self.builder.literal(Value::default_of(sort), *span));
        }
        self.run(self.call_frame(definition, args), errors);
    }

    pub(super) fn value_of(&self, definition: usize) -> Option<ShapeId> {
        self.values[definition]
    }

    /// Elaborates a body outside any call.
    pub(super) fn body(&mut self, body: Body, errors: &mut Errors) -> Option<ShapeId> {
        self.run(
            Frame {
                body,
                next: body.first,
                call: None,
                params: FxHashMap::default(),
                replaced: Vec::new(),
                results: Vec::new(),
            },
            errors,
        )
    }

    fn call_frame(&self, definition: usize, args: Vec<ShapeId>) -> Frame<'a> {
        let described = &self.names.definitions[definition];
        let params = described.params.iter().zip(&args).map(|((name, _), arg)| (self.source.slice(*name), *arg));
        Frame {
            body: described.body,
            next: described.body.first,
            params: params.collect(),
            call: Some((definition, args)),
            replaced: Vec::new(),
            results: Vec::new(),
        }
    }

    fn run(&mut self, frame: Frame<'a>, errors: &mut Errors) -> Option<ShapeId> {
        let mut frames = vec![frame];
        loop {
            let frame = frames.last_mut().expect("the first frame returns");
            if frame.body.root.0 < frame.next {
                let result = frame.results.pop().expect("a body has a root");
                if let Some(call) = frame.call.take() {
                    self.calls.insert(call, result);
                }
                frames.pop();
                if frames.is_empty() {
                    return result;
                }
                continue;
            }
            let id = NodeId(frame.next);
            match self.step(frame, self.ast.node(id), errors) {
                Step::Done(result) => {
                    self.retell(frame, result);
                    frame.results.push(result);
                    frame.next += 1;
                }
                Step::Call(definition, args) => {
                    frames.push(self.call_frame(definition, args));
                }
            }
        }
    }

    fn step(&mut self, frame: &mut Frame<'a>, node: Node, errors: &mut Errors) -> Step {
        if frame.call.is_some() {
            self.unfolded += 1;
            if self.unfolded == NODE_LIMIT {
                let message = "the definitions unfold to too many expressions";
                errors.push(Diagnostic::error(&codes::TOO_LARGE, node.span, message));
            }
            if NODE_LIMIT <= self.unfolded {
                return Step::Done(None);
            }
        }
        let first = frame.body.first;
        let result = |id: NodeId| frame.results[(id.0 - first) as usize];
        let applied = match node.kind {
            NodeKind::Truth(truth) => return Step::Done(Some(self.builder.literal(Value::Bool(truth), node.span))),
            NodeKind::Number => return Step::Done(self.number(node.span, errors)),
            NodeKind::Name => return Step::Done(self.name(frame, node.span, errors)),
            NodeKind::Qualified { sort, variant } => return Step::Done(self.qualified(sort, variant, errors)),
            NodeKind::Unary(unary, arg) => {
                let Some(arg) = result(arg) else { return Step::Done(None) };
                apply_unary(&mut self.builder, unary, arg, node.span)
            }
            NodeKind::Binary(binary, left, right) => {
                let (Some(left), Some(right)) = (result(left), result(right)) else { return Step::Done(None) };
                apply_binary(&mut self.builder, binary, left, right, node.span)
            }
            NodeKind::Conditional(condition, then, other) => {
                let (Some(condition), Some(then), Some(other)) = (result(condition), result(then), result(other))
                else {
                    return Step::Done(None);
                };
                apply_call(&mut self.builder, "ite", &[condition, then, other], node.span)
            }
            NodeKind::Index(array, index) => {
                let (Some(array), Some(index)) = (result(array), result(index)) else { return Step::Done(None) };
                apply_call(&mut self.builder, "select", &[array, index], node.span)
            }
            NodeKind::Call { name, start, end } => {
                let mut args = Vec::with_capacity((end - start) as usize);
                for &arg in self.ast.call_args(start, end) {
                    let Some(arg) = result(arg) else { return Step::Done(None) };
                    args.push(arg);
                }
                match self.call(name, args, node.span, errors) {
                    Called::Built(applied) => applied,
                    Called::Step(step) => return step,
                }
            }
        };
        match applied {
            Ok(shape) => Step::Done(Some(shape)),
            Err(diagnostic) => {
                errors.push(*diagnostic);
                Step::Done(None)
            }
        }
    }

    fn number(&mut self, span: Span, errors: &mut Errors) -> Option<ShapeId> {
        match read_number(self.source.slice(span)) {
            Some(Number::Integer(number)) => Some(self.builder.literal(Value::Int(number), span)),
            Some(Number::Decimal(number)) => Some(self.builder.literal(Value::Real(number), span)),
            None => {
                let text = on_one_line(self.source.slice(span));
                let plain = text.trim_end_matches(['f', 'F', 'l', 'L', 'u', 'U']);
                let help = match read_number(plain) {
                    Some(_) => format!("Numbers have no suffix: write `{plain}`."),
                    None => "Numbers are written like `60`, `60.5` or `0xff`.".to_owned(),
                };
                errors
                    .push(Diagnostic::error(&codes::BAD_NUMBER, span, format!("`{text}` is not a number")).help(help));
                None
            }
        }
    }

    fn name(&mut self, frame: &mut Frame<'a>, span: Span, errors: &mut Errors) -> Option<ShapeId> {
        let name = self.source.slice(span);
        if let Some(&param) = frame.params.get(name) {
            frame.replaced.push((span, param));
            return Some(param);
        }
        match self.names.symbol(name) {
            Some(Symbol::Variable(index)) => {
                let sort = &self.names.variables[*index].sort;
                Some(self.builder.variable(VariableId(*index as u32), sort, span))
            }
            Some(Symbol::Definition(index)) => {
                let definition = &self.names.definitions[*index];
                if definition.params.is_empty() {
                    return self.values[*index];
                }
                let message = format!("`{name}` takes {}", arguments(definition.params.len()));
                errors.push(Diagnostic::error(&codes::ARITY, span, message));
                None
            }
            Some(Symbol::Variant(sorts)) => match sorts.as_slice() {
                [sort] => self.variant(&sort.clone(), name, span),
                _ => {
                    let message = format!("`{name}` is a value of several enumerations");
                    let help = sorts.iter().map(|sort| format!("`{sort}.{name}`")).collect::<Vec<_>>().join(" or ");
                    let error = Diagnostic::error(&codes::AMBIGUOUS_NAME, span, message);
                    errors.push(error.help(format!("Write {help}.")));
                    None
                }
            },
            Some(Symbol::Broken) => None,
            None => {
                errors.push(self.names.unknown(name, span, false));
                None
            }
        }
    }

    fn qualified(&mut self, sort: Span, variant: Span, errors: &mut Errors) -> Option<ShapeId> {
        let (sort_name, name) = (self.source.slice(sort), self.source.slice(variant));
        let Some(sort) = self.names.sorts.get(sort_name) else {
            let message = format!("unknown enumeration `{sort_name}`");
            errors.push(Diagnostic::error(&codes::UNKNOWN_SORT, sort, message));
            return None;
        };
        let shape = self.variant(&sort.clone(), name, variant);
        if shape.is_none() {
            let message = format!("the enumeration `{sort_name}` has no value `{name}`");
            errors.push(Diagnostic::error(&codes::UNKNOWN_NAME, variant, message));
        }
        shape
    }

    fn variant(&mut self, sort: &Sort, name: &str, span: Span) -> Option<ShapeId> {
        let Sort::Enum(sort) = sort else { return None };
        let index = sort.position(name)?;
        Some(self.builder.literal(Value::Enum(EnumValue { sort: sort.clone(), index }), span))
    }

    fn call(&mut self, name: Span, args: Vec<ShapeId>, span: Span, errors: &mut Errors) -> Called {
        let text = self.source.slice(name);
        let definition = match self.names.symbol(text) {
            Some(Symbol::Definition(definition)) => *definition,
            None if is_function(text) => return Called::Built(apply_call(&mut self.builder, text, &args, span)),
            None => {
                errors.push(self.names.unknown(text, name, true));
                return Called::Step(Step::Done(None));
            }
            Some(Symbol::Broken) => return Called::Step(Step::Done(None)),
            Some(Symbol::Variable(_) | Symbol::Variant(_)) => {
                let message = format!("`{text}` is not a function and takes no arguments");
                errors.push(Diagnostic::error(&codes::ARITY, name, message));
                return Called::Step(Step::Done(None));
            }
        };
        if self.cyclic[definition] {
            return Called::Step(Step::Done(None));
        }
        let described = &self.names.definitions[definition];
        if described.params.len() != args.len() {
            let message = format!("`{text}` takes {}, not {}", arguments(described.params.len()), args.len());
            errors.push(Diagnostic::error(&codes::ARITY, span, message));
            return Called::Step(Step::Done(None));
        }
        let mut fitting = Vec::with_capacity(args.len());
        for (arg, (param, sort)) in args.into_iter().zip(&described.params) {
            let Some(sort) = sort else { return Called::Step(Step::Done(None)) };
            match self.builder.coerce(arg, sort, true) {
                Ok(arg) => fitting.push(arg),
                Err(_) => {
                    let (given, param) = (sort_text(self.builder.sort(arg)), self.source.slice(*param));
                    let sort = sort_text(sort);
                    let message = format!("`{param}` of `{text}` is of sort {sort}, but this is of sort {given}");
                    let at = self.builder.shape(arg).span;
                    errors.push(Diagnostic::error(&codes::SORT_MISMATCH, at, message));
                    return Called::Step(Step::Done(None));
                }
            }
        }
        match self.calls.get(&(definition, fitting.clone())) {
            Some(result) => Called::Step(Step::Done(*result)),
            None => Called::Step(Step::Call(definition, fitting)),
        }
    }

    /// Gives what is not a connective in the body of a call a text in which the parameters are replaced.
    fn retell(&mut self, frame: &Frame<'a>, result: Option<ShapeId>) {
        let (Some(result), Some(_)) = (result, &frame.call) else { return };
        let shape = self.builder.shape(result);
        let span = shape.span;
        let long = RETOLD_BYTES < span.end - span.start;
        if long || !matches!(shape.structure, Structure::Atom) || shape.text.is_some() {
            return;
        }
        let inside = frame.replaced.iter().rev().take_while(|(place, _)| span.start <= place.start);
        let inside: Vec<(Span, ShapeId)> = inside.filter(|(place, _)| place.end <= span.end).copied().collect();
        let within = frame.body.span.start <= span.start && span.end <= frame.body.span.end;
        if inside.is_empty() || !within {
            return;
        }
        let mut text = String::new();
        let mut from = span.start;
        for (place, arg) in inside.into_iter().rev() {
            text.push_str(self.source.slice(Span { start: from, end: place.start }));
            text.push_str(&self.argument_text(arg));
            from = place.end;
        }
        text.push_str(self.source.slice(Span { start: from, end: span.end }));
        self.builder.retold(result, Rc::from(on_one_line(&text)));
    }

    /// The text of an argument, in parentheses unless it is one word.
    fn argument_text(&self, arg: ShapeId) -> String {
        let shape = self.builder.shape(arg);
        let text = match &shape.text {
            Some(text) => text.to_string(),
            None => on_one_line(self.source.slice(shape.span)),
        };
        let short: String = text.chars().take(ARGUMENT_TEXT).collect();
        let short = if short.len() < text.len() { format!("{short}…") } else { short };
        let word = short.chars().all(|character| character.is_alphanumeric() || "_.'-".contains(character));
        if word { short } else { format!("({short})") }
    }
}

enum Called {
    Built(Applied),
    Step(Step),
}
