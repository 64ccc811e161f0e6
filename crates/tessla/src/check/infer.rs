//! The types of expressions.

use std::rc::Rc;
use std::sync::Arc;

use crate::ast::{Expr, ExprKind, Name, TextPart};
use crate::codes::{TIME_UNIT, TYPE_MISMATCH, UNKNOWN_NAME};
use crate::operator::Operator;
use crate::place::Place;
use crate::report::Report;
use crate::time::TimeUnit;
use crate::typed::{Choice, Kind, Typed, VariableId};
use crate::types::{FunctionType, Type, tuple_member};
use crate::value::Value;

use super::Checker;
use super::scope::{ScopeId, State};
use super::type_expr::substitute;

impl Checker<'_> {
    /// The checked form of an expression; whatever is wrong with it is reported.
    pub(super) fn infer(&mut self, expr: &Expr, scope: ScopeId) -> Rc<Typed> {
        let place = expr.place;
        let made = |kind: Kind, of: Type| Rc::new(Typed { kind, of, place });
        match &expr.kind {
            ExprKind::Int(number, unit) => {
                let number = match unit {
                    None => number.clone(),
                    Some(unit) => number * self.factor(unit),
                };
                made(Kind::Constant(Value::integer(number)), Type::Int)
            }
            ExprKind::Float(number) => made(Kind::Constant(Value::Float(*number)), Type::Float),
            ExprKind::Bool(value) => made(Kind::Constant(Value::Bool(*value)), Type::Bool),
            ExprKind::Text(parts) => self.text(parts, place, scope),
            ExprKind::Root => self.rejected_module(place),
            ExprKind::Name(name) => match self.lookup(name, scope) {
                Some(id) => self.variable(id, place),
                None => {
                    self.unknown_variable(name, place, scope);
                    self.wrong(place)
                }
            },
            ExprKind::Tuple(elements) => {
                let named = elements.iter().enumerate();
                let members = named.map(|(index, element)| (tuple_member(index), self.infer(element, scope)));
                let members: Vec<_> = members.collect();
                self.object(members, place)
            }
            ExprKind::Object(members) => self.object_literal(members, place, scope),
            ExprKind::Block(definitions, body) => {
                let owner = self.new_owner();
                let inner = self.new_scope(Some(scope), owner);
                let ids: Vec<VariableId> =
                    definitions.iter().map(|syntax| self.add_definition(inner, syntax)).collect();
                for id in ids {
                    self.check_definition(id);
                }
                let body = self.infer(body, inner);
                let of = body.of.clone();
                made(Kind::Block { owner, body }, of)
            }
            ExprKind::Call { function, generics, arguments } => {
                self.call(function, generics, arguments.as_deref(), place, scope)
            }
            ExprKind::Member(object, name) => self.member(object, name, place, scope),
            ExprKind::Unary(function, operand) => {
                let operand = self.infer(operand, scope);
                self.operator(operator_named(function), vec![operand], place)
            }
            ExprKind::Binary("and", left, right) => {
                let operands = vec![self.infer(left, scope), self.infer(right, scope)];
                self.choice(Choice::And, operands, place)
            }
            ExprKind::Binary("or", left, right) => {
                let operands = vec![self.infer(left, scope), self.infer(right, scope)];
                self.choice(Choice::Or, operands, place)
            }
            ExprKind::Binary(function, left, right) => {
                let operands = vec![self.infer(left, scope), self.infer(right, scope)];
                self.operator(operator_named(function), operands, place)
            }
            ExprKind::If { is_static, parts } => {
                let parts: Vec<Rc<Typed>> = parts.iter().map(|part| self.infer(part, scope)).collect();
                if *is_static { self.static_if(parts, place) } else { self.choice(Choice::If, parts, place) }
            }
            ExprKind::Lambda(parameters, body) => {
                let owner = self.new_owner();
                let inner = self.new_scope(Some(scope), owner);
                let parameters = self.parameters(parameters, inner);
                let body = self.infer(body, inner);
                let function = FunctionType {
                    generics: Vec::new(),
                    parameters: parameters.iter().map(|(_, of)| of.clone()).collect(),
                    result: body.of.clone(),
                    liftable: false,
                };
                made(Kind::Lambda { owner, parameters, body }, Type::Function(Arc::new(function)))
            }
        }
    }

    pub(super) fn wrong(&mut self, place: Place) -> Rc<Typed> {
        Rc::new(Typed { kind: Kind::Wrong, of: Type::Wrong, place })
    }

    fn rejected_module(&mut self, place: Place) -> Rc<Typed> {
        self.report(&TYPE_MISMATCH, place, "Type mismatch: Expected a value, found a module");
        self.wrong(place)
    }

    /// How many of the base unit a unit is.
    fn factor(&mut self, unit: &Name) -> dashu_int::IBig {
        let one = dashu_int::IBig::from(1);
        let Some(known) = TimeUnit::from_name(&unit.text) else {
            let names: Vec<&str> = TimeUnit::ALL.iter().map(|unit| unit.name()).collect();
            let message = format!("Unknown time unit: {}. Allowed time units: {}", unit.text, names.join(", "));
            self.report(&TIME_UNIT, unit.place, message);
            return one;
        };
        let Some(base) = self.unit else {
            let message = "Use of time units is only allowed when a base time unit is set for the data";
            let help = format!("Say in which unit the times of traces are, such as `--time-unit {}`.", unit.text);
            self.reports.push(Report::error(&TIME_UNIT, unit.place, message).help(help));
            return one;
        };
        match known.in_units_of(base) {
            Some(factor) => factor,
            None => {
                self.report(&TIME_UNIT, unit.place, format!("Cannot convert from {known} to {base}"));
                one
            }
        }
    }

    /// A use of a variable; generic definitions that are not functions get unknown types.
    pub(super) fn variable(&mut self, id: VariableId, place: Place) -> Rc<Typed> {
        if matches!(self.entry(id).state, State::Module(_)) {
            return self.rejected_module(place);
        }
        let scheme = self.type_of(id);
        let bindings = self.instantiate_at(&scheme.generics, place);
        let of = substitute(&scheme.of, &bindings);
        let generics = bindings.into_iter().map(|(_, of)| of).collect();
        Rc::new(Typed { kind: Kind::Variable(id, generics), of, place })
    }

    /// The variable an expression names, directly or in a module.
    pub(super) fn named_variable(&mut self, expr: &Expr, scope: ScopeId) -> Option<VariableId> {
        match &expr.kind {
            ExprKind::Name(name) => self.lookup(name, scope),
            ExprKind::Member(object, name) => {
                let inner = self.module(object, scope)?;
                match &object.kind {
                    ExprKind::Root => self.lookup(&name.text, inner),
                    _ => self.scopes[inner.0].values.get(&name.text).copied(),
                }
            }
            _ => None,
        }
    }

    /// The module an expression names.
    fn module(&mut self, expr: &Expr, scope: ScopeId) -> Option<ScopeId> {
        if matches!(expr.kind, ExprKind::Root) {
            return Some(self.root_of(scope));
        }
        let id = self.named_variable(expr, scope)?;
        match self.entry(id).state {
            State::Module(inner) => Some(inner),
            State::Input(..) | State::Parameter(_) | State::Definition(_) => None,
        }
    }

    fn member(&mut self, object: &Expr, name: &Name, place: Place, scope: ScopeId) -> Rc<Typed> {
        if let Some(inner) = self.module(object, scope) {
            let found = match &object.kind {
                ExprKind::Root => self.lookup(&name.text, inner),
                _ => self.scopes[inner.0].values.get(&name.text).copied(),
            };
            return match found {
                Some(id) => self.variable(id, place),
                None => {
                    self.unknown_variable(&name.text, name.place, inner);
                    self.wrong(place)
                }
            };
        }
        let typed = self.infer(object, scope);
        let of = self.shallow(&typed.of);
        let (object, lifted) = match &of {
            Type::Events(element) => (self.shallow(element), true),
            other => (other.clone(), false),
        };
        let found = match &object {
            Type::Wrong => return self.wrong(place),
            Type::Object(members) => members.member(&name.text).cloned(),
            _ => None,
        };
        let Some(found) = found else {
            let object = self.resolved(&object);
            if matches!(object, Type::Object(_)) {
                let message = format!("Object of type {object} does not have a member named {}", name.text);
                self.report(&UNKNOWN_NAME, name.place, message);
            } else {
                self.mismatch(typed.place, "object type", &object);
            }
            return self.wrong(place);
        };
        let found = if lifted { Type::events(found) } else { found };
        Rc::new(Typed { kind: Kind::Member(typed, name.text.clone()), of: found, place })
    }

    fn object_literal(&mut self, members: &[(Name, Expr)], place: Place, scope: ScopeId) -> Rc<Typed> {
        let mut typed: Vec<(Arc<str>, Rc<Typed>)> = Vec::new();
        for (name, value) in members {
            let value = self.infer(value, scope);
            if typed.iter().any(|(known, _)| *known == name.text) {
                let message = format!("Multiple definitions of {} in same scope", name.text);
                self.report(&crate::codes::DUPLICATE_NAME, name.place, message);
                continue;
            }
            typed.push((name.text.clone(), value));
        }
        self.object(typed, place)
    }

    fn object(&mut self, members: Vec<(Arc<str>, Rc<Typed>)>, place: Place) -> Rc<Typed> {
        let of = Type::object(members.iter().map(|(name, value)| (name.clone(), value.of.clone())).collect());
        Rc::new(Typed { kind: Kind::Object(members), of, place })
    }

    fn text(&mut self, parts: &[TextPart], place: Place, scope: ScopeId) -> Rc<Typed> {
        let mut whole: Option<Rc<Typed>> = None;
        for part in parts {
            let piece = match part {
                TextPart::Text(text) => constant_text(text, place),
                TextPart::Value(value, format) => {
                    let value = self.infer(value, scope);
                    match format {
                        None => self.operator(Operator::ToString, vec![value], place),
                        Some(format) => self.formatted(format, value, place),
                    }
                }
            };
            whole = Some(match whole {
                None => piece,
                Some(before) => self.operator(Operator::Concat, vec![before, piece], place),
            });
        }
        whole.unwrap_or_else(|| constant_text("", place))
    }

    /// A value in a format whose letter says which type it is for.
    fn formatted(&mut self, format: &str, value: Rc<Typed>, place: Place) -> Rc<Typed> {
        let wanted = match format.chars().last() {
            Some('s' | 'S') => self.new_meta(),
            Some('b') => Type::Bool,
            Some('d' | 'x' | 'X' | 'o') => Type::Int,
            Some('e' | 'E' | 'f' | 'g' | 'G') => Type::Float,
            _ => {
                let message = format!("The format {format} ends in none of s, S, b, d, x, X, o, e, E, f, g and G");
                self.report(&crate::codes::SYNTAX, value.place, message);
                Type::Wrong
            }
        };
        // What is wrong with a format is so for all values of its type.
        let sample = match &wanted {
            Type::Bool => Some(Value::Bool(true)),
            Type::Int => Some(Value::Int(0)),
            Type::Float => Some(Value::Float(0.0)),
            Type::Meta(_) => Some(Value::string("")),
            _ => None,
        };
        if let Some(Err(problem)) = sample.map(|sample| crate::format::format_value(format, &sample)) {
            let problem = problem.rsplit(": ").next().unwrap_or_default();
            let message = format!("The format {format} cannot be used: {problem}");
            self.report(&crate::codes::SYNTAX, value.place, message);
        }
        let expected = [Type::String, wanted];
        let operands = vec![constant_text(format, place), value];
        let (arguments, lifted) = self.lifted_arguments(operands, &expected, true);
        let of = if lifted.is_empty() { Type::String } else { Type::events(Type::String) };
        Rc::new(Typed { kind: Kind::Operator { operator: Operator::Format, arguments, lifted }, of, place })
    }

    /// A conditional whose condition is known before the run; its branches may be of any type.
    fn static_if(&mut self, parts: Vec<Rc<Typed>>, place: Place) -> Rc<Typed> {
        let condition = self.coerced(parts[0].clone(), &Type::Bool);
        let (then, otherwise) = self.joined(parts[1].clone(), parts[2].clone());
        let of = then.of.clone();
        let arguments = vec![condition, then, otherwise];
        Rc::new(Typed { kind: Kind::Choice { choice: Choice::If, arguments, lifted: Vec::new() }, of, place })
    }

    /// Two branches made to have one type.
    fn joined(&mut self, then: Rc<Typed>, otherwise: Rc<Typed>) -> (Rc<Typed>, Rc<Typed>) {
        let is_stream = |of: &Type| matches!(of, Type::Events(_));
        if is_stream(&self.shallow(&otherwise.of)) && !is_stream(&self.shallow(&then.of)) {
            let then = self.coerced(then, &otherwise.of);
            return (then, otherwise);
        }
        let otherwise = self.coerced(otherwise, &then.of);
        (then, otherwise)
    }

    /// A connective or conditional, lifted where an operand is a stream.
    pub(super) fn choice(&mut self, choice: Choice, operands: Vec<Rc<Typed>>, place: Place) -> Rc<Typed> {
        let (expected, result) = match choice {
            Choice::And | Choice::Or => (vec![Type::Bool, Type::Bool], Type::Bool),
            Choice::If => {
                let branch = self.new_meta();
                (vec![Type::Bool, branch.clone(), branch.clone()], branch)
            }
        };
        let (arguments, lifted) = self.lifted_arguments(operands, &expected, true);
        let rejected = choice == Choice::If && arguments[1..].iter().any(|branch| branch.of == Type::Wrong);
        let result = if rejected { Type::Wrong } else { result };
        let of = if lifted.is_empty() { result } else { Type::events(result) };
        Rc::new(Typed { kind: Kind::Choice { choice, arguments, lifted }, of, place })
    }

    /// An operator, lifted where an operand is a stream.
    pub(super) fn operator(&mut self, operator: Operator, operands: Vec<Rc<Typed>>, place: Place) -> Rc<Typed> {
        let (expected, result) = self.signature(operator);
        let (arguments, lifted) = self.lifted_arguments(operands, &expected, true);
        let of = if lifted.is_empty() { result } else { Type::events(result) };
        Rc::new(Typed { kind: Kind::Operator { operator, arguments, lifted }, of, place })
    }

    /// The types of the operators with a sign of their own, and of those that strings use.
    fn signature(&mut self, operator: Operator) -> (Vec<Type>, Type) {
        use Operator as O;
        match operator {
            O::Not => (vec![Type::Bool], Type::Bool),
            O::Negate | O::BitNot => (vec![Type::Int], Type::Int),
            O::FloatNegate => (vec![Type::Float], Type::Float),
            O::Equal | O::NotEqual => {
                let any = self.new_meta();
                (vec![any.clone(), any], Type::Bool)
            }
            O::Less | O::LessEqual | O::Greater | O::GreaterEqual => (vec![Type::Int, Type::Int], Type::Bool),
            O::FloatLess | O::FloatLessEqual | O::FloatGreater | O::FloatGreaterEqual => {
                (vec![Type::Float, Type::Float], Type::Bool)
            }
            O::FloatAdd | O::FloatSubtract | O::FloatMultiply | O::FloatDivide => {
                (vec![Type::Float, Type::Float], Type::Float)
            }
            O::ToString => (vec![self.new_meta()], Type::String),
            O::Format => (vec![Type::String, self.new_meta()], Type::String),
            O::Concat => (vec![Type::String, Type::String], Type::String),
            _ => (vec![Type::Int, Type::Int], Type::Int),
        }
    }
}

fn constant_text(text: &str, place: Place) -> Rc<Typed> {
    Rc::new(Typed { kind: Kind::Constant(Value::string(text)), of: Type::String, place })
}

fn operator_named(name: &str) -> Operator {
    Operator::from_name(name).expect("the parser writes names of operators")
}
