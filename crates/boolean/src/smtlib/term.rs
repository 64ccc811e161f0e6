//! Terms of SMT-LIB scripts, read with an explicit stack of what is still to do. What is applied to arguments is in
//! `apply.rs`.

use rustc_hash::FxHashMap;
use source::{Diagnostic, SExpr, SExprKind, Span};
use value::{BitVec, Sort, UBig, Value};

use super::{Fault, Script, Symbol, fault, syntax, unsupported};
use crate::build::ShapeId;
use crate::number::{Number, read_number};
use crate::operators::arguments;
use crate::rank::WIDEST;
use crate::unfold::NODE_LIMIT;
use crate::{Operator, codes};
use source::nearest;

/// What is still to do, the next last.
enum Task<'a> {
    Read(SExpr),
    /// Apply to the last so many results.
    Apply(Head, usize, Span),
    /// Bind the last results to these names, then read the body.
    Bind(Vec<&'a str>, SExpr),
    /// Forget the innermost binding of these names.
    Forget(Vec<&'a str>),
    /// Name the last result.
    Name(SExpr, Span),
    /// Leave the body of a function.
    Return(usize, Vec<ShapeId>),
}

/// What is applied.
pub(super) enum Head {
    Operator(Operator, [u32; 2]),
    /// `((_ is v) x)`.
    Is(Value),
    ConstArray(Sort),
    Function(usize),
}

/// The names that are visible in a body besides the global ones.
#[derive(Default)]
pub(super) struct Frame<'a> {
    pub(super) local: FxHashMap<&'a str, Vec<ShapeId>>,
    /// Places at which a parameter stands; none outside functions.
    pub(super) replaced: Option<Vec<(Span, ShapeId)>>,
    pub(super) params: FxHashMap<&'a str, ShapeId>,
}

pub(super) struct Machine<'a> {
    tasks: Vec<Task<'a>>,
    pub(super) results: Vec<ShapeId>,
    pub(super) frames: Vec<Frame<'a>>,
}

impl<'a> Script<'a> {
    /// Reads a term outside any function.
    pub(super) fn term(&mut self, root: SExpr) -> Result<ShapeId, Fault> {
        let mut machine =
            Machine { tasks: vec![Task::Read(root)], results: Vec::new(), frames: vec![Frame::default()] };
        self.run(&mut machine)
    }

    /// Reads the body of a function for given arguments.
    pub(super) fn call_directly(&mut self, function: usize, args: Vec<ShapeId>) -> Result<ShapeId, Fault> {
        let mut machine = Machine { tasks: Vec::new(), results: Vec::new(), frames: Vec::new() };
        self.enter(&mut machine, function, args);
        self.run(&mut machine)
    }

    fn run(&mut self, machine: &mut Machine<'a>) -> Result<ShapeId, Fault> {
        while let Some(task) = machine.tasks.pop() {
            match task {
                Task::Read(node) => self.read_term(machine, node)?,
                Task::Apply(head, count, span) => {
                    let args = machine.results.split_off(machine.results.len() - count);
                    self.apply(machine, head, args, span)?;
                }
                Task::Bind(names, body) => {
                    let values = machine.results.split_off(machine.results.len() - names.len());
                    let frame = machine.frames.last_mut().expect("a body is being read");
                    for (name, value) in names.iter().zip(values) {
                        frame.local.entry(name).or_default().push(value);
                    }
                    machine.tasks.push(Task::Forget(names));
                    machine.tasks.push(Task::Read(body));
                }
                Task::Forget(names) => {
                    let frame = machine.frames.last_mut().expect("a body is being read");
                    for name in names {
                        frame.local.get_mut(name).and_then(Vec::pop);
                    }
                }
                Task::Name(node, span) => {
                    let shape = *machine.results.last().expect("a named term was read");
                    if machine.frames.len() == 1 && machine.frames[0].replaced.is_none() {
                        let name = self.claim(node)?;
                        self.name_shape(name, shape, span);
                    }
                }
                Task::Return(function, args) => {
                    machine.frames.pop();
                    let result = machine.results.pop().expect("a body has a value");
                    let described = &self.functions[function];
                    let (sort, span) = (described.result.clone(), self.read.span(described.body));
                    let result = self.fitting(result, &sort, span)?;
                    self.calls.insert((function, args), result);
                    machine.results.push(result);
                }
            }
        }
        Ok(machine.results.pop().expect("a term has a value"))
    }

    pub(super) fn enter(&mut self, machine: &mut Machine<'a>, function: usize, args: Vec<ShapeId>) {
        let described = &self.functions[function];
        let params: FxHashMap<&'a str, ShapeId> =
            described.params.iter().zip(&args).map(|((name, _), arg)| (*name, *arg)).collect();
        machine.frames.push(Frame { local: FxHashMap::default(), replaced: Some(Vec::new()), params });
        let body = described.body;
        machine.tasks.push(Task::Return(function, args));
        machine.tasks.push(Task::Read(body));
    }

    fn read_term(&mut self, machine: &mut Machine<'a>, node: SExpr) -> Result<(), Fault> {
        let span = self.read.span(node);
        if machine.frames.last().is_some_and(|frame| frame.replaced.is_some()) {
            self.unfolded += 1;
            if self.unfolded == NODE_LIMIT {
                let message = "the functions unfold to too many terms";
                return fault(Diagnostic::error(&codes::TOO_LARGE, span, message));
            }
            if NODE_LIMIT < self.unfolded {
                return Err(None);
            }
        }
        let literal = match self.read.kind(node) {
            SExprKind::List => return self.read_list(machine, node),
            SExprKind::Symbol | SExprKind::QuotedSymbol => {
                let shape = self.symbol_term(machine, node)?;
                machine.results.push(shape);
                return Ok(());
            }
            SExprKind::Numeral | SExprKind::Decimal => match read_number(self.read.text(self.text, node)) {
                Some(Number::Integer(number)) => Value::Int(number),
                Some(Number::Decimal(number)) => Value::Real(number),
                None => return syntax(span, "this is not a number"),
            },
            SExprKind::Hex => self.pattern(node, 16, 4)?,
            SExprKind::Binary => self.pattern(node, 2, 1)?,
            SExprKind::Keyword => return syntax(span, "expected a term, found a keyword"),
            SExprKind::String => return unsupported(span, "strings"),
        };
        machine.results.push(self.builder.literal(literal, span));
        Ok(())
    }

    fn pattern(&self, node: SExpr, radix: u32, bits: usize) -> Result<Value, Fault> {
        let digits = &self.read.text(self.text, node)[2..];
        let width = u32::try_from(digits.len() * bits).ok().filter(|width| *width <= WIDEST);
        match (width, UBig::from_str_radix(digits, radix)) {
            (Some(width), Ok(pattern)) => Ok(Value::BitVec(BitVec::new(width, pattern))),
            _ => {
                let message = format!("a bit-vector has at most {WIDEST} bits");
                fault(Diagnostic::error(&codes::BAD_NUMBER, self.read.span(node), message))
            }
        }
    }

    fn symbol_term(&mut self, machine: &mut Machine<'a>, node: SExpr) -> Result<ShapeId, Fault> {
        let span = self.read.span(node);
        let name = self.name(node)?;
        let frame = machine.frames.last_mut().expect("a body is being read");
        if let Some(&shape) = frame.local.get(name).and_then(|bound| bound.last()) {
            return Ok(shape);
        }
        if let Some(&shape) = frame.params.get(name) {
            frame.replaced.get_or_insert_default().push((span, shape));
            return Ok(shape);
        }
        match self.symbols.get(name) {
            Some(Symbol::Variable(id)) => {
                let sort = &self.variables[id.0 as usize].sort;
                Ok(self.builder.variable(*id, sort, span))
            }
            Some(Symbol::Shape(shape)) => Ok(*shape),
            Some(Symbol::Variant(value)) => Ok(self.builder.literal(value.clone(), span)),
            Some(Symbol::Function(function)) => {
                let message = format!("`{name}` takes {}", arguments(self.functions[*function].params.len()));
                fault(Diagnostic::error(&codes::ARITY, span, message))
            }
            Some(Symbol::Broken) => Err(None),
            None if name == "true" || name == "false" => Ok(self.builder.literal(Value::Bool(name == "true"), span)),
            None => fault(self.unknown(name, span)),
        }
    }

    pub(super) fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("`{name}` is not declared"));
        let operators = Operator::ALL.iter().map(|operator| operator.name());
        match nearest(name, self.spoken.iter().copied().chain(operators)) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None => error.help(format!("Declare it, for example `(declare-const {name} Bool)`.")),
        }
    }

    fn read_list(&mut self, machine: &mut Machine<'a>, node: SExpr) -> Result<(), Fault> {
        let span = self.read.span(node);
        let parts = self.read.list(node).unwrap_or_default();
        let Some((&head, rest)) = parts.split_first() else {
            return syntax(span, "expected a term, found an empty list");
        };
        match self.read.symbol(self.text, head) {
            Some("let") => return self.read_let(machine, rest, span),
            Some("!") => return self.read_annotated(machine, rest, span),
            Some("forall" | "exists") => return unsupported(span, "quantifiers"),
            Some("match") => return unsupported(span, "matches"),
            Some("_") => {
                let shape = self.indexed_literal(rest, span)?;
                machine.results.push(shape);
                return Ok(());
            }
            Some("as") if rest.len() == 2 => {
                // `(as v S)` says the sort of a value that has one already.
                let sort = self.sort(rest[1])?;
                let shape = self.symbol_term(machine, rest[0])?;
                let shape = self.fitting(shape, &sort, span)?;
                machine.results.push(shape);
                return Ok(());
            }
            Some(_) | None => {}
        }
        let head = self.head(machine, head, rest.len())?;
        machine.tasks.push(Task::Apply(head, rest.len(), span));
        machine.tasks.extend(rest.iter().rev().map(|&arg| Task::Read(arg)));
        Ok(())
    }

    fn read_let(&mut self, machine: &mut Machine<'a>, rest: &[SExpr], span: Span) -> Result<(), Fault> {
        let [bindings, body] = rest else {
            return syntax(span, "expected `(let ((x TERM) …) TERM)`");
        };
        let mut names = Vec::new();
        let mut values = Vec::new();
        for &binding in self.read.list(*bindings).unwrap_or_default() {
            let Some([name, value]) = self.read.list(binding) else {
                return syntax(self.read.span(binding), "expected a name and its term: `(x TERM)`");
            };
            names.push(self.name(*name)?);
            values.push(Task::Read(*value));
        }
        machine.tasks.push(Task::Bind(names, *body));
        machine.tasks.extend(values.into_iter().rev());
        Ok(())
    }

    /// `(! TERM :named n …)`; other attributes say nothing about the value.
    fn read_annotated(&mut self, machine: &mut Machine<'a>, rest: &[SExpr], span: Span) -> Result<(), Fault> {
        let Some((&term, attributes)) = rest.split_first() else {
            return syntax(span, "expected a term and its attributes");
        };
        for pair in attributes.windows(2) {
            if self.read.text(self.text, pair[0]) == ":named" {
                machine.tasks.push(Task::Name(pair[1], self.read.span(term)));
            }
        }
        machine.tasks.push(Task::Read(term));
        Ok(())
    }

    /// `(_ bv5 8)`.
    fn indexed_literal(&mut self, rest: &[SExpr], span: Span) -> Result<ShapeId, Fault> {
        let value = match rest {
            [name, width] => {
                let number = self.read.text(self.text, *name).strip_prefix("bv");
                let number = number.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
                let number = number.and_then(|digits| digits.parse::<UBig>().ok());
                let width = self.read.text(self.text, *width).parse::<u32>().ok();
                number.zip(width.filter(|width| (1..=WIDEST).contains(width)))
            }
            _ => None,
        };
        match value {
            Some((number, width)) => Ok(self.builder.literal(Value::BitVec(BitVec::new(width, number)), span)),
            None => {
                let message = "expected a bit-vector such as `(_ bv5 8)`";
                fault(Diagnostic::error(&codes::BAD_NUMBER, span, message))
            }
        }
    }
}
