//! Evaluation of value functions. Failures are values that travel on; only what needs them fails.

use crate::arithmetic::{apply, binary, unary};
use crate::core::{FunctionId, NodeId};
use crate::operator::Operator;
use crate::value::Value;

use super::Observer;
use super::cell::Cells;
use super::compile::{Code, Instruction, Program};

/// Where the parameters of a function are.
#[derive(Clone, Copy)]
pub(super) enum Arguments<'a> {
    /// Streams at one time, in place of options.
    Events { present: &'a Cells, streams: &'a [u32] },
    /// Streams at one time with what they remember.
    Signals { present: &'a Cells, past: &'a Cells, streams: &'a [u32] },
    /// Values.
    Values(&'a [Value]),
}

impl Arguments<'_> {
    fn get(self, index: u32) -> Option<Value> {
        match self {
            Arguments::Events { present, streams } => present.value(streams[index as usize]),
            Arguments::Signals { present, past, streams } => {
                let stream = streams[index as usize];
                present.value(stream).or_else(|| past.value(stream))
            }
            Arguments::Values(values) => Some(values[index as usize].clone()),
        }
    }

    fn is_none(self, index: u32) -> bool {
        match self {
            Arguments::Events { present, streams } => !present.is_event(streams[index as usize]),
            Arguments::Signals { .. } | Arguments::Values(_) => false,
        }
    }
}

/// Evaluates functions of one program.
pub(super) struct Machine<'a, O> {
    pub(super) program: &'a Program,
    pub(super) observer: &'a mut O,
    /// How deeply functions may call each other.
    pub(super) depth: u32,
}

struct Frame<'a> {
    code: &'a Code,
    arguments: Arguments<'a>,
    memo: Vec<Option<Value>>,
}

impl<O: Observer> Machine<'_, O> {
    /// The result of a function.
    pub(super) fn run(&mut self, code: u32, arguments: Arguments<'_>) -> Value {
        self.observer.enter(FunctionId(code));
        let mut frame = self.frame(code, arguments);
        let value = self.evaluate(frame.code.root, &mut frame);
        self.observer.leave();
        value
    }

    /// The result of a lifted function: an event or none.
    pub(super) fn run_lifted(&mut self, code: u32, arguments: Arguments<'_>) -> Option<Value> {
        self.observer.enter(FunctionId(code));
        let mut frame = self.frame(code, arguments);
        let value = self.event(frame.code.root, &mut frame);
        self.observer.leave();
        value
    }

    fn frame<'b>(&self, code: u32, arguments: Arguments<'b>) -> Frame<'b>
    where
        Self: 'b,
    {
        let code = self.code(code);
        let memo = if code.memos == 0 { Vec::new() } else { vec![None; code.memos] };
        Frame { code, arguments, memo }
    }

    fn code<'b>(&self, code: u32) -> &'b Code
    where
        Self: 'b,
    {
        &self.program.codes[code as usize]
    }

    /// The value of an option node as an event, without making the option.
    fn event(&mut self, node: u32, frame: &mut Frame<'_>) -> Option<Value> {
        let event = match &frame.code.instructions[node as usize] {
            _ if frame.code.memos != 0 && frame.code.memo[node as usize].is_some() => None,
            Instruction::Constant(Value::None) => Some(None),
            Instruction::OptionParameter(index) => Some(frame.arguments.get(*index)),
            Instruction::Unary(Operator::Some, inner) => Some(Some(self.evaluate(*inner, frame))),
            Instruction::If(condition, then, otherwise) => {
                return match self.decide(node, *condition, frame) {
                    Ok(true) => self.event(*then, frame),
                    Ok(false) => self.event(*otherwise, frame),
                    Err(failure) => Some(failure),
                };
            }
            _ => None,
        };
        if let Some(event) = event {
            return event;
        }
        match self.evaluate(node, frame) {
            Value::None => None,
            Value::Some(inner) => Some((*inner).clone()),
            failure => Some(failure),
        }
    }

    fn evaluate(&mut self, node: u32, frame: &mut Frame<'_>) -> Value {
        let slot = if frame.code.memos == 0 { None } else { frame.code.memo[node as usize] };
        if let Some(slot) = slot
            && let Some(known) = &frame.memo[slot as usize]
        {
            return known.clone();
        }
        let value = self.compute(node, frame);
        if O::ACTIVE {
            self.observer.node(NodeId(node), &value);
        }
        if let Some(slot) = slot {
            frame.memo[slot as usize] = Some(value.clone());
        }
        value
    }

    /// The outcome of the condition of a conditional, or its failure.
    fn decide(&mut self, node: u32, condition: u32, frame: &mut Frame<'_>) -> Result<bool, Value> {
        match self.evaluate(condition, frame) {
            Value::Bool(outcome) => {
                if O::ACTIVE {
                    self.observer.decide(NodeId(node), outcome);
                    return Ok(self.observer.turn(NodeId(node), outcome));
                }
                Ok(outcome)
            }
            failure => Err(failure),
        }
    }

    fn compute(&mut self, node: u32, frame: &mut Frame<'_>) -> Value {
        let code = frame.code;
        let origin = || code.origins[node as usize];
        match &code.instructions[node as usize] {
            Instruction::Constant(value) => value.clone(),
            Instruction::Parameter(index) => frame.arguments.get(*index).unwrap_or(Value::Unit),
            Instruction::OptionParameter(index) => frame.arguments.get(*index).map_or(Value::None, Value::some),
            Instruction::IsNoneParameter(index) => Value::Bool(frame.arguments.is_none(*index)),
            Instruction::GetSomeParameter(index) => match frame.arguments.get(*index) {
                Some(value) => value,
                None => unary(Operator::GetSome, &Value::None, origin()),
            },
            Instruction::If(condition, then, otherwise) => match self.decide(node, *condition, frame) {
                Ok(true) => self.evaluate(*then, frame),
                Ok(false) => self.evaluate(*otherwise, frame),
                Err(failure) => failure,
            },
            Instruction::And(left, right) => match self.evaluate(*left, frame) {
                Value::Bool(true) => self.evaluate(*right, frame),
                other => other,
            },
            Instruction::Or(left, right) => match self.evaluate(*left, frame) {
                Value::Bool(false) => self.evaluate(*right, frame),
                other => other,
            },
            Instruction::Unary(operator, operand) => {
                let operand = self.evaluate(*operand, frame);
                if operand.is_failure() { operand } else { unary(*operator, &operand, origin()) }
            }
            Instruction::Binary(operator, left, right) => {
                let left = self.evaluate(*left, frame);
                if left.is_failure() {
                    return left;
                }
                let right = self.evaluate(*right, frame);
                if let (Value::Int(left), Value::Int(right)) = (&left, &right)
                    && let Some(value) = quick(*operator, *left, *right)
                {
                    return value;
                }
                if right.is_failure() { right } else { binary(*operator, &left, &right, origin()) }
            }
            Instruction::Apply(operator, operands) => {
                let operands = self.evaluate_all(operands, frame);
                apply(*operator, &operands, origin())
            }
            Instruction::Object(names, members) => {
                let values = self.evaluate_all(members, frame);
                match values.iter().find(|value| value.is_failure()) {
                    Some(failure) => failure.clone(),
                    None => Value::object(names.clone(), values),
                }
            }
            Instruction::Member(object, name) => match self.evaluate(*object, frame) {
                Value::Object(object) => object.member(name).cloned().unwrap_or(Value::Unit),
                other => other,
            },
            Instruction::Call(called, operands) => {
                let operands = self.evaluate_all(operands, frame);
                self.call(*called, &operands, origin())
            }
            Instruction::Fold { collection, start, code, captures } => {
                let collection = self.evaluate(*collection, frame);
                let start = self.evaluate(*start, frame);
                let captures = self.evaluate_all(captures, frame);
                self.fold(&collection, start, *code, &captures, origin())
            }
        }
    }

    fn evaluate_all(&mut self, nodes: &[u32], frame: &mut Frame<'_>) -> Vec<Value> {
        nodes.iter().map(|node| self.evaluate(*node, frame)).collect()
    }

    fn call(&mut self, code: u32, operands: &[Value], origin: crate::place::Origin) -> Value {
        if self.depth == 0 {
            return Value::failure("The recursion is too deep", origin);
        }
        self.depth -= 1;
        let value = self.run(code, Arguments::Values(operands));
        self.depth += 1;
        value
    }

    fn fold(
        &mut self,
        collection: &Value,
        start: Value,
        code: u32,
        captures: &[Value],
        origin: crate::place::Origin,
    ) -> Value {
        let mut accumulator = start;
        let apply = |machine: &mut Self, items: &[&Value], accumulator: Value| {
            let mut operands = vec![accumulator];
            operands.extend(items.iter().map(|item| (*item).clone()));
            operands.extend_from_slice(captures);
            machine.call(code, &operands, origin)
        };
        match collection {
            Value::List(items) => {
                for item in items.iter() {
                    accumulator = apply(self, &[item], accumulator);
                }
            }
            Value::Set(items) => {
                for item in items.iter() {
                    accumulator = apply(self, &[item], accumulator);
                }
            }
            Value::Map(entries) => {
                for (key, value) in entries.iter() {
                    accumulator = apply(self, &[key, value], accumulator);
                }
            }
            failure => return failure.clone(),
        }
        accumulator
    }
}

/// The operators that most specifications use most, on small integers.
#[inline]
fn quick(operator: Operator, left: i64, right: i64) -> Option<Value> {
    Some(match operator {
        Operator::Add => Value::Int(left.checked_add(right)?),
        Operator::Subtract => Value::Int(left.checked_sub(right)?),
        Operator::Equal => Value::Bool(left == right),
        Operator::NotEqual => Value::Bool(left != right),
        Operator::Less => Value::Bool(left < right),
        Operator::LessEqual => Value::Bool(left <= right),
        Operator::Greater => Value::Bool(left > right),
        Operator::GreaterEqual => Value::Bool(left >= right),
        _ => return None,
    })
}
