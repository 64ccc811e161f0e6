//! From the core to a program over slots.

use std::sync::Arc;

use crate::core::{Definition, Function, NodeKind, Spec, StreamId};
use crate::operator::Operator;
use crate::place::Origin;
use crate::types::Type;
use crate::value::Value;

use super::cell::Cell;
use super::quick::QuickCode;

/// A compiled specification.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) codes: Vec<Code>,
    pub(super) timers: Vec<Timer>,
    pub(super) streams: usize,
    /// Whether the latest value of each stream is remembered.
    pub(super) remembered: Vec<bool>,
    pub(super) inputs: Vec<u32>,
    pub(super) defaults: usize,
    /// For each stream, the steps that an event of it calls for, as bits; they come after its own. Those of the first 64 steps.
    pub(super) calls_first: Vec<u64>,
    /// The others, each with the number of the word of bits.
    pub(super) calls_for: Vec<Box<[(u32, u64)]>>,
    /// The steps of time 0.
    pub(super) at_zero: Vec<u32>,
}

/// How one stream is computed at one time.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Unit {
        stream: u32,
    },
    Time {
        stream: u32,
        of: u32,
    },
    Last {
        stream: u32,
        value: u32,
        trigger: u32,
    },
    Delay {
        stream: u32,
        timer: u32,
    },
    Merge {
        stream: u32,
        of: Box<[u32]>,
    },
    /// A merge of two streams.
    Either {
        stream: u32,
        first: u32,
        second: u32,
    },
    DefaultFrom {
        stream: u32,
        value: u32,
        default: u32,
        state: u32,
    },
    /// A function of options.
    Lift {
        stream: u32,
        arguments: Box<[u32]>,
        code: u32,
        /// The same for small values.
        quick: Option<QuickCode>,
    },
    /// A function of latest values.
    SignalLift {
        stream: u32,
        arguments: Box<[u32]>,
        code: u32,
        /// The same for small values.
        quick: Option<QuickCode>,
    },
    /// A small constant at every event of a stream.
    Constant {
        stream: u32,
        trigger: u32,
        cell: Cell,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    pub(super) delays: u32,
    pub(super) resets: u32,
    /// The step of the delay.
    pub(super) step: u32,
    pub(super) origin: Origin,
}

/// A compiled function. Instructions have the numbers of the nodes they were made from.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    pub(super) origins: Vec<Origin>,
    /// Where the value of a node that is used more than once is kept.
    pub(super) memo: Vec<Option<u32>>,
    pub(super) memos: usize,
    pub(super) root: u32,
}

#[derive(Clone, Debug)]
pub(super) enum Instruction {
    Constant(Value),
    Parameter(u32),
    /// A parameter of a lifted function as an option.
    OptionParameter(u32),
    IsNoneParameter(u32),
    GetSomeParameter(u32),
    If(u32, u32, u32),
    And(u32, u32),
    Or(u32, u32),
    Unary(Operator, u32),
    Binary(Operator, u32, u32),
    Apply(Operator, Box<[u32]>),
    Object(Arc<[Arc<str>]>, Box<[u32]>),
    Member(u32, Arc<str>),
    Call(u32, Box<[u32]>),
    Fold {
        collection: u32,
        start: u32,
        code: u32,
        captures: Box<[u32]>,
    },
}

impl Program {
    /// Compiles a specification.
    pub fn new(spec: &Spec) -> Program {
        let mut lifted = vec![false; spec.functions.len()];
        let mut remembered = vec![false; spec.streams.len()];
        for stream in &spec.streams {
            match &stream.definition {
                Definition::Lift { function, .. } => lifted[function.0 as usize] = true,
                Definition::Last { value, .. } => remembered[value.0 as usize] = true,
                Definition::SignalLift { arguments, .. } if arguments.len() > 1 => {
                    arguments.iter().for_each(|argument| remembered[argument.0 as usize] = true);
                }
                _ => {}
            }
        }
        let codes = spec.functions.iter().zip(lifted).map(|(function, lifted)| Code::new(function, lifted)).collect();
        let mut program = Program {
            steps: Vec::new(),
            codes,
            timers: Vec::new(),
            streams: spec.streams.len(),
            remembered,
            inputs: spec.inputs.iter().map(|input| input.0).collect(),
            defaults: 0,
            calls_first: Vec::new(),
            calls_for: Vec::new(),
            at_zero: Vec::new(),
        };
        for id in &spec.order {
            program.add(*id, spec);
        }
        program.connect();
        program
    }

    /// Finds out which steps the events of each stream call for.
    fn connect(&mut self) {
        let mut calls_for: Vec<Vec<(u32, u64)>> = vec![Vec::new(); self.streams];
        for (index, step) in (0_u32..).zip(&self.steps) {
            let causes: &[u32] = match step {
                Step::Unit { .. } => {
                    self.at_zero.push(index);
                    &[]
                }
                Step::Delay { timer, .. } => {
                    self.timers[*timer as usize].step = index;
                    &[]
                }
                Step::Time { of, .. } => std::slice::from_ref(of),
                Step::Last { trigger, .. } | Step::Constant { trigger, .. } => std::slice::from_ref(trigger),
                Step::DefaultFrom { value, default, .. } => &[*value, *default],
                Step::Merge { of, .. } => of,
                Step::Either { first, second, .. } => &[*first, *second],
                Step::Lift { arguments, .. } | Step::SignalLift { arguments, .. } => arguments,
            };
            for cause in causes {
                let called = &mut calls_for[*cause as usize];
                let (word, bit) = (index / 64, 1 << (index % 64));
                match called.last_mut() {
                    Some((last, bits)) if *last == word => *bits |= bit,
                    _ => called.push((word, bit)),
                }
            }
        }
        for mut called in calls_for {
            let is_first = called.first().is_some_and(|(word, _)| *word == 0);
            self.calls_first.push(if is_first { called.remove(0).1 } else { 0 });
            self.calls_for.push(called.into_boxed_slice());
        }
    }

    fn add(&mut self, id: StreamId, spec: &Spec) {
        let stream = id.0;
        let slots = |streams: &[StreamId]| streams.iter().map(|stream| stream.0).collect::<Box<[u32]>>();
        let step = match &spec.stream(id).definition {
            Definition::Input(_) | Definition::Nil => return,
            Definition::Unit => Step::Unit { stream },
            Definition::Time(of) => Step::Time { stream, of: of.0 },
            Definition::Last { value, trigger } => Step::Last { stream, value: value.0, trigger: trigger.0 },
            Definition::Delay { delays, resets } => {
                let origin = spec.stream(id).origin;
                self.timers.push(Timer { delays: delays.0, resets: resets.0, step: 0, origin });
                Step::Delay { stream, timer: self.timers.len() as u32 - 1 }
            }
            Definition::Merge(of) => match of.as_slice() {
                [first, second] => Step::Either { stream, first: first.0, second: second.0 },
                _ => Step::Merge { stream, of: slots(of) },
            },
            Definition::DefaultFrom { value, default } => {
                self.defaults += 1;
                let state = self.defaults as u32 - 1;
                Step::DefaultFrom { stream, value: value.0, default: default.0, state }
            }
            Definition::Lift { arguments, function } => {
                let arguments = slots(arguments);
                let quick = QuickCode::new(spec.function(*function), &arguments, true);
                Step::Lift { stream, arguments, code: function.0, quick }
            }
            Definition::SignalLift { arguments, function } => {
                let code = &self.codes[function.0 as usize];
                let constant = match &code.instructions[code.root as usize] {
                    Instruction::Constant(value) => Cell::small(value),
                    _ => None,
                };
                match (constant, arguments.as_slice()) {
                    (Some(cell), [trigger]) => Step::Constant { stream, trigger: trigger.0, cell },
                    _ => {
                        let arguments = slots(arguments);
                        let quick = QuickCode::new(spec.function(*function), &arguments, false);
                        Step::SignalLift { stream, arguments, code: function.0, quick }
                    }
                }
            }
        };
        self.steps.push(step);
    }
}

impl Code {
    fn new(function: &Function, lifted: bool) -> Code {
        let mut uses = vec![0_u32; function.nodes.len()];
        for node in &function.nodes {
            node.kind.operands().iter().for_each(|operand| uses[operand.0 as usize] += 1);
        }
        let mut memos = 0;
        let mut memo = vec![None; function.nodes.len()];
        for (index, node) in function.nodes.iter().enumerate() {
            let trivial = matches!(node.kind, NodeKind::Constant(_) | NodeKind::Parameter(_));
            if uses[index] > 1 && !trivial {
                memo[index] = Some(memos);
                memos += 1;
            }
        }
        Code {
            instructions: function
                .nodes
                .iter()
                .map(|node| instruction(function, &node.kind, &node.sort, lifted))
                .collect(),
            origins: function.nodes.iter().map(|node| node.origin).collect(),
            memo,
            memos: memos as usize,
            root: function.root.0,
        }
    }
}

fn instruction(function: &Function, kind: &NodeKind, sort: &Type, lifted: bool) -> Instruction {
    let list = |nodes: &[crate::core::NodeId]| nodes.iter().map(|node| node.0).collect::<Box<[u32]>>();
    match kind {
        NodeKind::Constant(value) => Instruction::Constant(value.clone()),
        NodeKind::Parameter(index) if lifted => Instruction::OptionParameter(*index),
        NodeKind::Parameter(index) => Instruction::Parameter(*index),
        NodeKind::If { condition, then, otherwise } => Instruction::If(condition.0, then.0, otherwise.0),
        NodeKind::And(left, right) => Instruction::And(left.0, right.0),
        NodeKind::Or(left, right) => Instruction::Or(left.0, right.0),
        NodeKind::Apply(operator, operands) => match (operands.as_slice(), operator) {
            ([operand], Operator::IsNone | Operator::GetSome) if lifted => match &function.node(*operand).kind {
                NodeKind::Parameter(index) if *operator == Operator::IsNone => Instruction::IsNoneParameter(*index),
                NodeKind::Parameter(index) => Instruction::GetSomeParameter(*index),
                _ => Instruction::Unary(*operator, operand.0),
            },
            ([operand], _) => Instruction::Unary(*operator, operand.0),
            ([left, right], _) => Instruction::Binary(*operator, left.0, right.0),
            (operands, _) => Instruction::Apply(*operator, list(operands)),
        },
        NodeKind::Object(members) => {
            let names = match sort {
                Type::Object(object) => object.members.iter().map(|(name, _)| name.clone()).collect(),
                _ => Arc::from([]),
            };
            Instruction::Object(names, list(members))
        }
        NodeKind::Member(object, name) => Instruction::Member(object.0, name.as_str().into()),
        NodeKind::Call(function, operands) => Instruction::Call(function.0, list(operands)),
        NodeKind::Fold { collection, start, function, captures } => {
            Instruction::Fold { collection: collection.0, start: start.0, code: function.0, captures: list(captures) }
        }
    }
}
