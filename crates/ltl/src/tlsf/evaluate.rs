//! Unfolds TLSF expressions to values and formulas.
//!
//! The operators of one formula are a loop over a stack; only calls, big operators and other values recurse, up to
//! [`DEEPEST`].

use std::collections::{BTreeMap, BTreeSet};

use source::{Diagnostic, Span};

use super::ast::{Ast, Big, Definition, Expr, ExprId, Infix, Prefix};
use super::value::Value;
use crate::codes;
use crate::parse::repeated;
use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};
use source::nearest;

/// How deeply calls and big operators may be nested.
const DEEPEST: u32 = 120;

/// How many expressions one file may unfold to.
const MOST_STEPS: u64 = 5_000_000;

pub(crate) struct Evaluator<'a> {
    pub(crate) ast: &'a Ast,
    pub(crate) formulas: Formulas,
    pub(crate) globals: BTreeMap<String, Value>,
    pub(crate) definitions: BTreeMap<String, &'a Definition>,
    pub(crate) locals: Vec<(String, Value)>,
    pub(crate) depth: u32,
    pub(crate) steps: u64,
}

impl Evaluator<'_> {
    pub(crate) fn span(&self, expr: ExprId) -> Span {
        self.ast.exprs[expr.0 as usize].1
    }

    fn mismatch(&self, expr: ExprId, wanted: &str, found: &Value) -> Diagnostic {
        let message = format!("{wanted} is expected, {} is found", found.kind());
        Diagnostic::error(&codes::TYPE_MISMATCH, self.span(expr), message)
    }

    pub(crate) fn number(&mut self, expr: ExprId) -> Result<i64, Diagnostic> {
        match self.value(expr)? {
            Value::Number(number) => Ok(number),
            other => Err(self.mismatch(expr, "a number", &other)),
        }
    }

    fn set(&mut self, expr: ExprId) -> Result<BTreeSet<Value>, Diagnostic> {
        match self.value(expr)? {
            Value::Set(set) => Ok(set),
            other => Err(self.mismatch(expr, "a set", &other)),
        }
    }

    /// Whether a guard holds; guards do not depend on signals.
    fn truth(&mut self, expr: ExprId) -> Result<bool, Diagnostic> {
        let formula = self.formula(expr)?;
        match self.formulas.node(formula) {
            Node::Constant(value) => Ok(value),
            Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => {
                let message = "a guard is expected, a formula over signals is found";
                Err(Diagnostic::error(&codes::TYPE_MISMATCH, self.span(expr), message))
            }
        }
    }

    pub(crate) fn step(&mut self, expr: ExprId) -> Result<(), Diagnostic> {
        self.steps += 1;
        if MOST_STEPS < self.steps {
            let message = "the definitions unfold to too many expressions";
            return Err(Diagnostic::error(&codes::TOO_LARGE, self.span(expr), message));
        }
        Ok(())
    }

    /// The formula of an expression.
    pub(crate) fn formula(&mut self, root: ExprId) -> Result<Formula, Diagnostic> {
        enum Work {
            Visit(ExprId),
            Unary(Unary),
            Binary(Binary),
        }
        let mut work = vec![Work::Visit(root)];
        let mut done: Vec<Formula> = Vec::new();
        while let Some(item) = work.pop() {
            match item {
                Work::Unary(operator) => {
                    let argument = done.pop().expect("an operator has its operands");
                    let formula = self.fold_unary(operator, argument);
                    done.push(formula);
                }
                Work::Binary(operator) => {
                    let right = done.pop().expect("an operator has its operands");
                    let left = done.pop().expect("an operator has its operands");
                    let formula = self.fold_binary(operator, left, right);
                    done.push(formula);
                }
                Work::Visit(expr) => {
                    self.step(expr)?;
                    match &self.ast.exprs[expr.0 as usize].0 {
                        Expr::Prefix(prefix, argument) if unary(*prefix).is_some() => {
                            work.push(Work::Unary(unary(*prefix).expect("it was asked")));
                            work.push(Work::Visit(*argument));
                        }
                        Expr::Infix(infix, left, right) if binary(*infix).is_some() => {
                            work.push(Work::Binary(binary(*infix).expect("it was asked")));
                            work.push(Work::Visit(*right));
                            work.push(Work::Visit(*left));
                        }
                        _ => match self.value(expr)? {
                            Value::Formula(formula) => done.push(formula),
                            other => return Err(self.mismatch(expr, "a formula", &other)),
                        },
                    }
                }
            }
        }
        Ok(done.pop().expect("the root has a formula"))
    }

    /// Truth constants are folded, so that guards become constants.
    fn fold_unary(&mut self, operator: Unary, argument: Formula) -> Formula {
        match (operator, self.formulas.node(argument)) {
            (Unary::Not, Node::Constant(value)) => self.formulas.constant(!value),
            (_, Node::Constant(_)) => argument,
            (_, Node::Atom(_) | Node::Unary(..) | Node::Binary(..)) => self.formulas.unary(operator, argument),
        }
    }

    pub(crate) fn fold_binary(&mut self, operator: Binary, left: Formula, right: Formula) -> Formula {
        let constants = (self.formulas.node(left), self.formulas.node(right));
        match (operator, constants) {
            (Binary::And, (Node::Constant(true), _)) | (Binary::Or, (Node::Constant(false), _)) => right,
            (Binary::And, (_, Node::Constant(true))) | (Binary::Or, (_, Node::Constant(false))) => left,
            (Binary::And, (Node::Constant(false), _)) | (Binary::Or, (Node::Constant(true), _)) => left,
            (Binary::And, (_, Node::Constant(false))) | (Binary::Or, (_, Node::Constant(true))) => right,
            (Binary::Implies | Binary::Iff, (Node::Constant(true), _)) => right,
            (Binary::Implies, (Node::Constant(false), _)) => self.formulas.constant(true),
            (Binary::Iff, (Node::Constant(false), _)) => self.fold_unary(Unary::Not, right),
            _ => self.formulas.binary(operator, left, right),
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: ExprId) -> Result<Value, Diagnostic> {
        self.step(expr)?;
        self.depth += 1;
        if DEEPEST < self.depth {
            return Err(Diagnostic::error(&codes::TOO_DEEP, self.span(expr), "definitions are nested too deeply"));
        }
        let value = self.compute(expr)?;
        self.depth -= 1;
        Ok(value)
    }

    fn compute(&mut self, expr: ExprId) -> Result<Value, Diagnostic> {
        let ast = self.ast;
        match &ast.exprs[expr.0 as usize].0 {
            Expr::Number(number) => Ok(Value::Number(*number)),
            Expr::Truth(value) => Ok(Value::Formula(self.formulas.constant(*value))),
            Expr::Otherwise => Ok(Value::Formula(self.formulas.constant(true))),
            Expr::Wild => Err(Diagnostic::error(&codes::SYNTAX, self.span(expr), "`_` stands in patterns only")),
            Expr::Name(name) => self.named(name, expr),
            Expr::Call(name, arguments) => self.call(name, arguments, expr),
            Expr::Index(name, index) => self.index(name, *index, expr),
            Expr::Set(members) => {
                let members: Result<BTreeSet<Value>, Diagnostic> =
                    members.iter().map(|member| self.value(*member)).collect();
                Ok(Value::Set(members?))
            }
            Expr::Range(first, second, last) => self.range(*first, *second, *last, expr),
            Expr::Prefix(Prefix::Size, argument) => Ok(Value::Number(self.set(*argument)?.len() as i64)),
            Expr::Prefix(Prefix::SizeOf, argument) => match self.value(*argument)? {
                Value::Bus(bits) => Ok(Value::Number(bits.len() as i64)),
                other => Err(self.mismatch(*argument, "a bus", &other)),
            },
            Expr::Prefix(end @ (Prefix::Min | Prefix::Max), argument) => {
                let set = self.set(*argument)?;
                let found = if *end == Prefix::Min { set.first() } else { set.last() };
                found.cloned().ok_or_else(|| {
                    Diagnostic::error(&codes::OUT_OF_RANGE, self.span(expr), "an empty set has no members")
                })
            }
            Expr::Prefix(Prefix::Not | Prefix::Next | Prefix::Finally | Prefix::Globally, _) => {
                Ok(Value::Formula(self.formula(expr)?))
            }
            Expr::Repeat(operator, bounds, body) => self.repeat(*operator, *bounds, *body),
            Expr::Big(operator, binders, body) => self.big(*operator, binders, *body, expr),
            Expr::Infix(operator, left, right) => self.infix(*operator, *left, *right, expr),
        }
    }

    fn named(&mut self, name: &str, expr: ExprId) -> Result<Value, Diagnostic> {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| local == name) {
            return Ok(value.clone());
        }
        if let Some(value) = self.globals.get(name) {
            return Ok(value.clone());
        }
        if self.definitions.contains_key(name) {
            let value = self.call(name, &[], expr)?;
            self.globals.insert(name.to_owned(), value.clone());
            return Ok(value);
        }
        let error = Diagnostic::error(&codes::UNKNOWN_NAME, self.span(expr), format!("`{name}` is not declared"));
        let names = self.globals.keys().chain(self.definitions.keys()).map(String::as_str);
        Err(match nearest(name, names) {
            Some(near) => error.help(format!("Is `{near}` meant?")),
            None => error,
        })
    }

    fn call(&mut self, name: &str, arguments: &[ExprId], expr: ExprId) -> Result<Value, Diagnostic> {
        let Some(definition) = self.definitions.get(name).copied() else { return self.named(name, expr) };
        if definition.parameters.len() != arguments.len() {
            let wanted = definition.parameters.len();
            let message = format!("`{name}` takes {wanted} arguments, {} are given", arguments.len());
            return Err(Diagnostic::error(&codes::ARITY, self.span(expr), message));
        }
        let mut locals = Vec::new();
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            locals.push((parameter.clone(), self.value(*argument)?));
        }
        let outer = std::mem::replace(&mut self.locals, locals);
        let result = self.cases(&definition.cases);
        self.locals = outer;
        result?.ok_or_else(|| {
            let message = format!("no case of `{name}` applies");
            Diagnostic::error(&codes::NO_MATCH, self.span(expr), message).also(definition.span, "defined here")
        })
    }

    /// The value of the first case that applies.
    fn cases(&mut self, cases: &[ExprId]) -> Result<Option<Value>, Diagnostic> {
        for case in cases {
            let Expr::Infix(Infix::Colon, guard, value) = self.ast.exprs[case.0 as usize].0 else {
                return self.value(*case).map(Some);
            };
            let outer = self.locals.len();
            if self.guard(guard)? {
                return self.value(value).map(Some);
            }
            self.locals.truncate(outer);
        }
        Ok(None)
    }

    /// Whether a guard holds; a pattern that matches leaves its names behind.
    fn guard(&mut self, guard: ExprId) -> Result<bool, Diagnostic> {
        match self.ast.exprs[guard.0 as usize].0 {
            Expr::Infix(Infix::Matches, subject, pattern) => {
                let formula = self.formula(subject)?;
                self.matches(formula, pattern)
            }
            _ => self.truth(guard),
        }
    }

    fn index(&mut self, name: &str, index: ExprId, expr: ExprId) -> Result<Value, Diagnostic> {
        let bits = match self.named(name, expr)? {
            Value::Bus(bits) => bits,
            other => return Err(self.mismatch(expr, "a bus", &other)),
        };
        let place = self.number(index)?;
        let bit = usize::try_from(place).ok().and_then(|place| bits.get(place));
        let bit = *bit.ok_or_else(|| {
            let message = format!("`{name}` has the bits 0 to {}, not {place}", bits.len() as i64 - 1);
            Diagnostic::error(&codes::OUT_OF_RANGE, self.span(expr), message)
        })?;
        Ok(Value::Formula(self.formulas.add(Node::Atom(bit))))
    }

    fn range(&mut self, first: ExprId, second: ExprId, last: ExprId, expr: ExprId) -> Result<Value, Diagnostic> {
        let (first, second, last) = (self.number(first)?, self.number(second)?, self.number(last)?);
        let step = i128::from(second) - i128::from(first);
        let too_many = step == 0 || 1_000_000 < (i128::from(last) - i128::from(first)) / step;
        if too_many {
            return Err(Diagnostic::error(
                &codes::TOO_LARGE,
                self.span(expr),
                "the range has no end or too many members",
            ));
        }
        let mut members = BTreeSet::new();
        let mut member = i128::from(first);
        while (0 < step && member <= i128::from(last)) || (step < 0 && i128::from(last) <= member) {
            members.insert(Value::Number(member as i64));
            member += step;
        }
        Ok(Value::Set(members))
    }

    fn repeat(&mut self, operator: Prefix, bounds: ExprId, body: ExprId) -> Result<Value, Diagnostic> {
        let (low, high) = match self.ast.exprs[bounds.0 as usize].0 {
            Expr::Infix(Infix::Colon, low, high) => (self.number(low)?, self.number(high)?),
            _ if operator == Prefix::Next => {
                let count = self.number(bounds)?;
                (count, count)
            }
            _ => {
                let message = "a range such as `1:3` is expected";
                return Err(Diagnostic::error(&codes::SYNTAX, self.span(bounds), message));
            }
        };
        let span = self.span(bounds);
        let narrow = |number: i64| {
            let error = || Diagnostic::error(&codes::BAD_NUMBER, span, format!("{number} is not a number of steps"));
            u32::try_from(number).ok().filter(|count| *count <= 1_000_000).ok_or_else(error)
        };
        let (low, high) = (narrow(low)?, narrow(high)?);
        if high < low {
            return Err(Diagnostic::error(&codes::BAD_NUMBER, span, "the range ends before it begins"));
        }
        self.steps += u64::from(high);
        self.step(body)?;
        let body = self.formula(body)?;
        Ok(Value::Formula(match operator {
            Prefix::Finally => repeated(&mut self.formulas, Binary::Or, Unary::Finally, low, Some(high), body),
            Prefix::Globally => repeated(&mut self.formulas, Binary::And, Unary::Globally, low, Some(high), body),
            Prefix::Next | Prefix::Not | Prefix::Size | Prefix::SizeOf | Prefix::Min | Prefix::Max => {
                self.formulas.next(low, body)
            }
        }))
    }

    fn big(&mut self, operator: Big, binders: &[ExprId], body: ExprId, expr: ExprId) -> Result<Value, Diagnostic> {
        let mut values = Vec::new();
        self.bind(binders, body, &mut values)?;
        let wrong = |evaluator: &Self, value: &Value| evaluator.mismatch(body, "another kind of value", value);
        match operator {
            Big::And | Big::Or => {
                let join = if operator == Big::And { Binary::And } else { Binary::Or };
                let mut result = self.formulas.constant(operator == Big::And);
                for value in values {
                    let Value::Formula(formula) = value else { return Err(self.mismatch(body, "a formula", &value)) };
                    result = self.fold_binary(join, result, formula);
                }
                Ok(Value::Formula(result))
            }
            Big::Sum | Big::Product => {
                let mut result: i64 = i64::from(operator == Big::Product);
                for value in values {
                    let Value::Number(number) = value else { return Err(wrong(self, &value)) };
                    let next =
                        if operator == Big::Sum { result.checked_add(number) } else { result.checked_mul(number) };
                    result = next.ok_or_else(|| self.overflow(expr))?;
                }
                Ok(Value::Number(result))
            }
            Big::Cup | Big::Cap => {
                let mut result: Option<BTreeSet<Value>> = None;
                for value in values {
                    let Value::Set(set) = value else { return Err(wrong(self, &value)) };
                    result = Some(match result {
                        None => set,
                        Some(left) if operator == Big::Cup => left.union(&set).cloned().collect(),
                        Some(left) => left.intersection(&set).cloned().collect(),
                    });
                }
                match result {
                    None if operator == Big::Cap => {
                        let message = "the intersection of no sets is undefined";
                        Err(Diagnostic::error(&codes::OUT_OF_RANGE, self.span(expr), message))
                    }
                    _ => Ok(Value::Set(result.unwrap_or_default())),
                }
            }
        }
    }

    /// The values of a body for every choice of its binders; later binders see earlier ones.
    fn bind(&mut self, binders: &[ExprId], body: ExprId, values: &mut Vec<Value>) -> Result<(), Diagnostic> {
        let Some((binder, rest)) = binders.split_first() else {
            values.push(self.value(body)?);
            return Ok(());
        };
        let (name, members) = self.members(*binder)?;
        for member in members {
            self.step(*binder)?;
            self.locals.push((name.clone(), member));
            let bound = self.bind(rest, body, values);
            self.locals.pop();
            bound?;
        }
        Ok(())
    }

    /// `name IN set` or `low <= name < high`.
    fn members(&mut self, binder: ExprId) -> Result<(String, Vec<Value>), Diagnostic> {
        let ast = self.ast;
        let kind = |expr: ExprId| &ast.exprs[expr.0 as usize].0;
        match kind(binder) {
            Expr::Infix(Infix::In, name, set) => {
                if let Expr::Name(name) = kind(*name) {
                    return Ok((name.clone(), self.set(*set)?.into_iter().collect()));
                }
            }
            Expr::Infix(above @ (Infix::Less | Infix::AtMost), inner, high) => {
                if let Expr::Infix(below @ (Infix::Less | Infix::AtMost), low, name) = kind(*inner)
                    && let Expr::Name(name) = kind(*name)
                {
                    let low = self.number(*low)?.saturating_add(i64::from(*below == Infix::Less));
                    let high = self.number(*high)?.saturating_sub(i64::from(*above == Infix::Less));
                    if 1_000_000 < i128::from(high) - i128::from(low) {
                        let message = "the range has too many members";
                        return Err(Diagnostic::error(&codes::TOO_LARGE, self.span(binder), message));
                    }
                    return Ok((name.clone(), (low..=high).map(Value::Number).collect()));
                }
            }
            _ => {}
        }
        let message = "`name IN set` or `low <= name < high` is expected";
        Err(Diagnostic::error(&codes::SYNTAX, self.span(binder), message))
    }

    fn overflow(&self, expr: ExprId) -> Diagnostic {
        Diagnostic::error(&codes::BAD_NUMBER, self.span(expr), "the number is too large")
    }

    fn infix(&mut self, operator: Infix, left: ExprId, right: ExprId, expr: ExprId) -> Result<Value, Diagnostic> {
        match operator {
            Infix::And | Infix::Or | Infix::Implies | Infix::Iff | Infix::Until | Infix::Release | Infix::WeakUntil => {
                Ok(Value::Formula(self.formula(expr)?))
            }
            Infix::Colon => Err(Diagnostic::error(&codes::SYNTAX, self.span(expr), "`:` is out of place")),
            Infix::Matches => {
                let formula = self.formula(left)?;
                let outer = self.locals.len();
                let matched = self.matches(formula, right)?;
                self.locals.truncate(outer);
                Ok(Value::Formula(self.formulas.constant(matched)))
            }
            Infix::Equal | Infix::NotEqual => {
                let equal = self.equal(left, right)?;
                let formula = if operator == Infix::Equal { equal } else { self.fold_unary(Unary::Not, equal) };
                Ok(Value::Formula(formula))
            }
            Infix::In => {
                let member = self.value(left)?;
                let found = self.set(right)?.contains(&member);
                Ok(Value::Formula(self.formulas.constant(found)))
            }
            Infix::Greater | Infix::AtLeast | Infix::Less | Infix::AtMost => {
                let (left, right) = (self.number(left)?, self.number(right)?);
                let holds = match operator {
                    Infix::Greater => right < left,
                    Infix::AtLeast => right <= left,
                    Infix::Less => left < right,
                    _ => left <= right,
                };
                Ok(Value::Formula(self.formulas.constant(holds)))
            }
            Infix::SetMinus | Infix::Cap | Infix::Cup => {
                let (left, right) = (self.set(left)?, self.set(right)?);
                Ok(Value::Set(match operator {
                    Infix::SetMinus => left.difference(&right).cloned().collect(),
                    Infix::Cap => left.intersection(&right).cloned().collect(),
                    _ => left.union(&right).cloned().collect(),
                }))
            }
            Infix::Times | Infix::Divide | Infix::Modulo | Infix::Plus | Infix::Minus => {
                let (left, divisor) = (self.number(left)?, self.number(right)?);
                if divisor == 0 && matches!(operator, Infix::Divide | Infix::Modulo) {
                    return Err(Diagnostic::error(
                        &codes::OUT_OF_RANGE,
                        self.span(expr),
                        "there is a division by zero",
                    ));
                }
                let result = match operator {
                    Infix::Times => left.checked_mul(divisor),
                    Infix::Divide => left.checked_div_euclid(divisor),
                    Infix::Modulo => left.checked_rem_euclid(divisor),
                    Infix::Plus => left.checked_add(divisor),
                    _ => left.checked_sub(divisor),
                };
                result.map(Value::Number).ok_or_else(|| self.overflow(expr))
            }
        }
    }

    /// Equality: of numbers and sets now, of buses and enumeration values as a formula.
    fn equal(&mut self, left: ExprId, right: ExprId) -> Result<Formula, Diagnostic> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        match (first, second) {
            (Value::Bus(bits), Value::Constant(patterns)) | (Value::Constant(patterns), Value::Bus(bits)) => {
                self.bus_is(&bits, &patterns, right)
            }
            (Value::Bus(first), Value::Bus(second)) if first.len() == second.len() => {
                let mut result = self.formulas.constant(true);
                for (left, right) in first.iter().zip(&second) {
                    let (left, right) = (self.formulas.add(Node::Atom(*left)), self.formulas.add(Node::Atom(*right)));
                    let same = self.formulas.binary(Binary::Iff, left, right);
                    result = self.fold_binary(Binary::And, result, same);
                }
                Ok(result)
            }
            (Value::Number(left), Value::Number(right)) => Ok(self.formulas.constant(left == right)),
            (Value::Set(left), Value::Set(right)) => Ok(self.formulas.constant(left == right)),
            (Value::Constant(left), Value::Constant(right)) => Ok(self.formulas.constant(left == right)),
            (Value::Formula(left), Value::Formula(right)) => Ok(self.fold_binary(Binary::Iff, left, right)),
            (_, found) => Err(self.mismatch(right, "a value of the same kind and width", &found)),
        }
    }

    fn bus_is(&mut self, bits: &[AtomId], patterns: &[String], place: ExprId) -> Result<Formula, Diagnostic> {
        let mut any = self.formulas.constant(false);
        for pattern in patterns {
            if pattern.len() != bits.len() {
                let message = format!("the bus has {} bits, the value has {}", bits.len(), pattern.len());
                return Err(Diagnostic::error(&codes::TYPE_MISMATCH, self.span(place), message));
            }
            let mut all = self.formulas.constant(true);
            for (bit, wanted) in bits.iter().zip(pattern.bytes()) {
                let atom = self.formulas.add(Node::Atom(*bit));
                let literal = match wanted {
                    b'1' => atom,
                    b'0' => self.formulas.not(atom),
                    _ => continue,
                };
                all = self.fold_binary(Binary::And, all, literal);
            }
            any = self.fold_binary(Binary::Or, any, all);
        }
        Ok(any)
    }
}

pub(crate) fn unary(prefix: Prefix) -> Option<Unary> {
    match prefix {
        Prefix::Not => Some(Unary::Not),
        Prefix::Next => Some(Unary::Next),
        Prefix::Finally => Some(Unary::Finally),
        Prefix::Globally => Some(Unary::Globally),
        Prefix::Size | Prefix::SizeOf | Prefix::Min | Prefix::Max => None,
    }
}

pub(crate) fn binary(infix: Infix) -> Option<Binary> {
    match infix {
        Infix::And => Some(Binary::And),
        Infix::Or => Some(Binary::Or),
        Infix::Implies => Some(Binary::Implies),
        Infix::Iff => Some(Binary::Iff),
        Infix::Until => Some(Binary::Until),
        Infix::Release => Some(Binary::Release),
        Infix::WeakUntil => Some(Binary::WeakUntil),
        Infix::Times
        | Infix::Divide
        | Infix::Modulo
        | Infix::Plus
        | Infix::Minus
        | Infix::SetMinus
        | Infix::Cap
        | Infix::Cup
        | Infix::Equal
        | Infix::NotEqual
        | Infix::Greater
        | Infix::AtLeast
        | Infix::Less
        | Infix::AtMost
        | Infix::In
        | Infix::Matches
        | Infix::Colon => None,
    }
}
