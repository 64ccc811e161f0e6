//! Functions of truth values, small integers and units as straight code over words.
//!
//! The code gives up where a number leaves 64 bits or an operation is undefined; the function is then evaluated in the general way,
//! which decides. Runs with observers never come here, so that the two can be compared.

use crate::core::{Function, NodeId, NodeKind};
use crate::operator::Operator;
use crate::types::Type;
use crate::value::Value;

use super::cell::{Cell, Kind};

/// Longer code is not made: shared nodes are computed at every use.
const LONGEST: usize = 256;
/// Deeper functions are evaluated in the general way.
const DEEPEST: u32 = 64;
const REGISTERS: usize = 16;

/// The code of one function.
#[derive(Clone, Debug)]
pub(super) struct QuickCode(Vec<Quick>);

/// That the general way must be taken.
#[derive(Debug)]
pub(super) struct GivesUp;

#[derive(Clone, Copy, Debug)]
enum Quick {
    Constant {
        to: u8,
        word: i64,
    },
    /// The value of a stream that has one.
    Load {
        to: u8,
        stream: u32,
    },
    IsAbsent {
        to: u8,
        stream: u32,
    },
    Not {
        to: u8,
    },
    Negate {
        to: u8,
    },
    Binary {
        by: By,
        to: u8,
    },
    /// The same with a constant on the right.
    With {
        by: By,
        to: u8,
        word: i64,
    },
    Jump(u32),
    JumpUnless {
        register: u8,
        target: u32,
    },
    JumpIf {
        register: u8,
        target: u32,
    },
    /// Jumps where a stream has a value.
    JumpUnlessAbsent {
        stream: u32,
        target: u32,
    },
    Give(Kind),
    GiveStream(u32),
}

/// Operators on two words.
#[derive(Clone, Copy, Debug)]
enum By {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl QuickCode {
    /// The code of a function that is applied to streams, if all its values are small.
    pub(super) fn new(function: &Function, streams: &[u32], lifted: bool) -> Option<QuickCode> {
        let mut writer = Writer { function, streams, lifted, code: Vec::new() };
        if lifted {
            writer.event(function.root, DEEPEST)?;
        } else {
            let kind = kind_of(function.result())?;
            writer.value(function.root, 0, DEEPEST)?;
            writer.code.push(Quick::Give(kind));
        }
        Some(QuickCode(writer.code))
    }

    /// Runs the code on the cells of the streams.
    #[inline]
    pub(super) fn run(&self, cell_of: impl Fn(u32) -> Cell) -> Result<Cell, GivesUp> {
        let mut words = [0_i64; REGISTERS];
        let mut at = 0;
        loop {
            let quick = self.0[at];
            at += 1;
            match quick {
                Quick::Constant { to, word } => words[register(to)] = word,
                Quick::Load { to, stream } => {
                    let cell = cell_of(stream);
                    if matches!(cell.kind, Kind::Nothing | Kind::Other) {
                        return Err(GivesUp);
                    }
                    words[register(to)] = cell.word;
                }
                Quick::IsAbsent { to, stream } => {
                    words[register(to)] = i64::from(!cell_of(stream).is_event());
                }
                Quick::Not { to } => words[register(to)] ^= 1,
                Quick::Negate { to } => {
                    words[register(to)] = words[register(to)].checked_neg().ok_or(GivesUp)?;
                }
                Quick::Binary { by, to } => {
                    words[register(to)] = by.apply(words[register(to)], words[register(to + 1)]).ok_or(GivesUp)?;
                }
                Quick::With { by, to, word } => {
                    words[register(to)] = by.apply(words[register(to)], word).ok_or(GivesUp)?;
                }
                Quick::Jump(target) => at = target as usize,
                Quick::JumpUnless { register: condition, target } => {
                    if words[register(condition)] == 0 {
                        at = target as usize;
                    }
                }
                Quick::JumpIf { register: condition, target } => {
                    if words[register(condition)] != 0 {
                        at = target as usize;
                    }
                }
                Quick::JumpUnlessAbsent { stream, target } => {
                    if cell_of(stream).is_event() {
                        at = target as usize;
                    }
                }
                Quick::Give(kind) => return Ok(Cell { kind, word: words[0] }),
                Quick::GiveStream(stream) => {
                    let cell = cell_of(stream);
                    return if cell.kind == Kind::Other { Err(GivesUp) } else { Ok(cell) };
                }
            }
        }
    }
}

/// A register within bounds that the compiler sees.
#[inline]
fn register(number: u8) -> usize {
    usize::from(number) % REGISTERS
}

impl By {
    fn of(operator: Operator) -> Option<By> {
        Some(match operator {
            Operator::Add => By::Add,
            Operator::Subtract => By::Subtract,
            Operator::Multiply => By::Multiply,
            Operator::Divide => By::Divide,
            Operator::Modulo => By::Modulo,
            Operator::BitAnd => By::And,
            Operator::BitOr => By::Or,
            Operator::BitXor => By::Xor,
            Operator::Equal => By::Equal,
            Operator::NotEqual => By::NotEqual,
            Operator::Less => By::Less,
            Operator::LessEqual => By::LessEqual,
            Operator::Greater => By::Greater,
            Operator::GreaterEqual => By::GreaterEqual,
            _ => return None,
        })
    }

    /// Nothing where the result is undefined or too large.
    #[inline]
    fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            By::Add => left.checked_add(right),
            By::Subtract => left.checked_sub(right),
            By::Multiply => left.checked_mul(right),
            By::Divide => left.checked_div(right),
            By::Modulo => left.checked_rem(right),
            By::And => Some(left & right),
            By::Or => Some(left | right),
            By::Xor => Some(left ^ right),
            By::Equal => Some(i64::from(left == right)),
            By::NotEqual => Some(i64::from(left != right)),
            By::Less => Some(i64::from(left < right)),
            By::LessEqual => Some(i64::from(left <= right)),
            By::Greater => Some(i64::from(left > right)),
            By::GreaterEqual => Some(i64::from(left >= right)),
        }
    }
}

/// The kind of the cells of a type, if its values are small.
fn kind_of(of: &Type) -> Option<Kind> {
    match of {
        Type::Bool => Some(Kind::Bool),
        Type::Int => Some(Kind::Int),
        Type::Object(_) if of.is_unit() => Some(Kind::Unit),
        Type::Object(_) | Type::Float | Type::String | Type::Option(_) => None,
        Type::List(_) | Type::Set(_) | Type::Map(..) | Type::Opaque(..) => None,
        Type::Events(_) | Type::Function(_) | Type::Parameter(_) | Type::Meta(_) | Type::Wrong => None,
    }
}

struct Writer<'a> {
    function: &'a Function,
    /// The arguments.
    streams: &'a [u32],
    lifted: bool,
    code: Vec<Quick>,
}

impl Writer<'_> {
    /// Code that leaves the value of a node in a register; registers after it may be used.
    fn value(&mut self, id: NodeId, to: u8, depth: u32) -> Option<()> {
        if depth == 0 || self.code.len() > LONGEST || usize::from(to) + 1 >= REGISTERS {
            return None;
        }
        let (function, depth) = (self.function, depth - 1);
        let node = function.node(id);
        kind_of(&node.sort)?;
        match &node.kind {
            NodeKind::Constant(value) => {
                let word = Cell::small(value)?.word;
                self.code.push(Quick::Constant { to, word });
            }
            NodeKind::Parameter(parameter) if !self.lifted => {
                let stream = self.streams[*parameter as usize];
                self.code.push(Quick::Load { to, stream });
            }
            NodeKind::If { condition, then, otherwise } => {
                let branch = self.branch(*condition, to, depth)?;
                self.value(*then, to, depth)?;
                let jump = self.code.len();
                self.code.push(Quick::Jump(0));
                self.land(branch);
                self.value(*otherwise, to, depth)?;
                self.land(jump);
            }
            NodeKind::And(left, right) => {
                self.value(*left, to, depth)?;
                let jump = self.code.len();
                self.code.push(Quick::JumpUnless { register: to, target: 0 });
                self.value(*right, to, depth)?;
                self.land(jump);
            }
            NodeKind::Or(left, right) => {
                self.value(*left, to, depth)?;
                let jump = self.code.len();
                self.code.push(Quick::JumpIf { register: to, target: 0 });
                self.value(*right, to, depth)?;
                self.land(jump);
            }
            NodeKind::Apply(operator, operands) => match (operator, operands.as_slice()) {
                (Operator::IsNone, [operand]) => {
                    let stream = self.option(*operand)?;
                    self.code.push(Quick::IsAbsent { to, stream });
                }
                (Operator::GetSome, [operand]) => {
                    let stream = self.option(*operand)?;
                    self.code.push(Quick::Load { to, stream });
                }
                (Operator::Not, [operand]) => {
                    self.value(*operand, to, depth)?;
                    self.code.push(Quick::Not { to });
                }
                (Operator::Negate, [operand]) => {
                    self.value(*operand, to, depth)?;
                    self.code.push(Quick::Negate { to });
                }
                (operator, [left, right]) => {
                    let by = By::of(*operator)?;
                    self.value(*left, to, depth)?;
                    if let NodeKind::Constant(value) = &function.node(*right).kind {
                        let word = Cell::small(value)?.word;
                        self.code.push(Quick::With { by, to, word });
                    } else {
                        self.value(*right, to + 1, depth)?;
                        self.code.push(Quick::Binary { by, to });
                    }
                }
                _ => return None,
            },
            NodeKind::Object(_) => self.code.push(Quick::Constant { to, word: 0 }),
            NodeKind::Parameter(_) | NodeKind::Member(..) | NodeKind::Call(..) | NodeKind::Fold { .. } => return None,
        }
        Some(())
    }

    /// Code that ends with the event a node stands for, or none.
    fn event(&mut self, id: NodeId, depth: u32) -> Option<()> {
        if depth == 0 || self.code.len() > LONGEST {
            return None;
        }
        let function = self.function;
        match &function.node(id).kind {
            NodeKind::Constant(Value::None) => self.code.push(Quick::Give(Kind::Nothing)),
            NodeKind::Constant(Value::Some(value)) => {
                let cell = Cell::small(value)?;
                self.code.push(Quick::Constant { to: 0, word: cell.word });
                self.code.push(Quick::Give(cell.kind));
            }
            NodeKind::Parameter(parameter) => {
                let stream = self.streams[*parameter as usize];
                self.code.push(Quick::GiveStream(stream));
            }
            NodeKind::If { condition, then, otherwise } => {
                let branch = self.branch(*condition, 0, depth - 1)?;
                self.event(*then, depth - 1)?;
                self.land(branch);
                self.event(*otherwise, depth - 1)?;
            }
            NodeKind::Apply(Operator::Some, operands) => {
                let kind = kind_of(&function.node(operands[0]).sort)?;
                self.value(operands[0], 0, depth - 1)?;
                self.code.push(Quick::Give(kind));
            }
            NodeKind::Constant(_) | NodeKind::And(..) | NodeKind::Or(..) | NodeKind::Apply(..) => return None,
            NodeKind::Object(_) | NodeKind::Member(..) | NodeKind::Call(..) | NodeKind::Fold { .. } => return None,
        }
        Some(())
    }

    /// Code that goes on where a condition holds; the jump that is taken otherwise has no target yet.
    fn branch(&mut self, condition: NodeId, to: u8, depth: u32) -> Option<usize> {
        if let NodeKind::Apply(Operator::IsNone, operands) = &self.function.node(condition).kind {
            let stream = self.option(operands[0])?;
            self.code.push(Quick::JumpUnlessAbsent { stream, target: 0 });
        } else {
            self.value(condition, to, depth)?;
            self.code.push(Quick::JumpUnless { register: to, target: 0 });
        }
        Some(self.code.len() - 1)
    }

    /// The stream whose event a node of an option is.
    fn option(&self, node: NodeId) -> Option<u32> {
        match self.function.node(node).kind {
            NodeKind::Parameter(parameter) if self.lifted => Some(self.streams[parameter as usize]),
            _ => None,
        }
    }

    /// Gives a jump the end of the code as its target.
    fn land(&mut self, jump: usize) {
        let end = self.code.len() as u32;
        match &mut self.code[jump] {
            Quick::Jump(target)
            | Quick::JumpUnless { target, .. }
            | Quick::JumpIf { target, .. }
            | Quick::JumpUnlessAbsent { target, .. } => *target = end,
            other => unreachable!("{other:?} has no target"),
        }
    }
}
