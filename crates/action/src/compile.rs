//! From a checked model to code for the machine: one piece for each alternative of the do-od block.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::ast::{ArithmeticOp, Comparison, Connective};
use crate::regions::{Regions, Values};
use crate::relevance::{Touch, relevant};
use crate::shape::Shape;
use crate::spec::{Actual, Block, Command, Condition, Invocation, Number, Spec};

/// Code for the machine.
#[derive(Clone, Debug)]
pub struct Program {
    /// One piece for each alternative that was compiled; mutants share those of the model.
    pub(crate) pieces: Vec<Arc<Piece>>,
    /// The lowest and highest value of each slot.
    pub(crate) domains: Arc<[(i64, i64)]>,
    /// The layout of labels.
    pub(crate) shape: Arc<Shape>,
    /// The numbers the machine keeps: state, label, count of events, weight, locals.
    pub(crate) cells: usize,
    /// The actions of the shape with the pieces that can begin with them, ascending.
    begins: Vec<(u32, u32)>,
}

/// The code of one alternative.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) code: Vec<Instruction>,
    pub(crate) binders: Vec<Binder>,
    /// Whether a way that does not lead to a wanted label may be left early. Not so where priorities count what could
    /// have happened.
    pub(crate) guided: bool,
    /// The actions of the shape it can begin with.
    pub(crate) first: Vec<usize>,
    /// What its steps do with slots.
    touch: Touch,
}

/// A variable that runs through values.
#[derive(Clone, Debug)]
pub(crate) struct Binder {
    pub(crate) cell: u32,
    pub(crate) values: Values,
    pub(crate) low: i64,
    pub(crate) high: i64,
    /// The first argument it is used as.
    pub(crate) position: Option<usize>,
}

/// An instruction. Numbers live on a stack; truth values are 0 and 1. To *fail* is to go back to the last open choice.
#[derive(Clone, Debug)]
pub(crate) enum Instruction {
    Push(i64),
    Load(u32),
    /// Replaces an index by the cell; fails outside the array.
    Element {
        first: u32,
        low: i64,
        length: u32,
    },
    Arithmetic(ArithmeticOp),
    Negate,
    Absolute,
    Compare(Comparison),
    Not,
    Xor,
    /// Jumps where the top is false and keeps it; drops it otherwise.
    IfFalse(u32),
    /// Jumps where the top is true and keeps it; drops it otherwise.
    IfTrue(u32),
    /// Fails where the top is false.
    Require,
    /// Fails where the comparison of a cell with a constant is false.
    RequireCell {
        cell: u32,
        comparison: Comparison,
        constant: i64,
    },
    Store(u32),
    StoreConstant {
        cell: u32,
        constant: i64,
    },
    /// Stores the top at the index below it; fails outside the array.
    StoreElement {
        first: u32,
        low: i64,
        length: u32,
    },
    /// Goes on here, and later there.
    Fork(u32),
    Jump(u32),
    /// Goes on once for each value of a binder.
    Bind(u32),
    /// Adds an event to the label.
    Event {
        action: i64,
        arguments: Vec<Operand>,
    },
    /// Goes on here; there only if nothing here reaches the matching `Tried`.
    Try {
        register: u32,
        otherwise: u32,
    },
    Tried {
        register: u32,
    },
    /// Choices come together here: who comes with the same cells as someone before goes no further.
    Join,
    /// Nothing assigns these slots any more: a way that leads to another state than the wanted one is left.
    Settled(Vec<u32>),
    /// Fails.
    Fail,
    /// A step is complete.
    Accept,
}

/// A constant or a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    Constant(i64),
    Cell(u32),
}

impl Program {
    /// The code of a model.
    pub fn new(spec: &Spec, shape: &Shape, regions: &Regions) -> Program {
        Program::of(spec, shape, regions, &|_| true)
    }

    /// The code of those alternatives of a model that `wanted` accepts.
    pub fn of(spec: &Spec, shape: &Shape, regions: &Regions, wanted: &dyn Fn(&Block) -> bool) -> Program {
        let mut program = Program::empty(spec, Arc::new(shape.clone()));
        for block in spec.alternatives().iter().filter(|block| wanted(block)) {
            program.compile(spec, regions, block);
        }
        program
    }

    /// The code of some alternatives of a mutant of the model that this is the code of. Both have the same slots, and
    /// this was compiled for the same shape and regions.
    #[must_use]
    pub fn of_mutant(&self, model: &Spec, mutant: &Spec, regions: &Regions, alternatives: &[usize]) -> Program {
        let mut program = if std::ptr::eq(model.slots(), mutant.slots()) {
            self.bare()
        } else {
            Program::empty(mutant, self.shape.clone())
        };
        if program.domains == self.domains {
            program.domains = self.domains.clone();
        }
        program.cells = self.cells;
        alternatives.iter().for_each(|&index| program.compile(mutant, regions, &mutant.alternatives()[index]));
        program
    }

    /// Some of the alternatives, by number.
    #[must_use]
    pub fn only(&self, wanted: &[usize]) -> Program {
        let mut program = self.bare();
        wanted.iter().for_each(|&index| program.add(self.pieces[index].clone()));
        program
    }

    /// Alternatives of this code, by number, and for each `None` the next one of `changed`.
    #[must_use]
    pub fn assembled(&self, order: impl Iterator<Item = Option<usize>>, changed: &Program) -> Program {
        let mut program = changed.bare();
        let mut next = changed.pieces.iter();
        for kept in order {
            match kept {
                Some(index) => program.add(self.pieces[index].clone()),
                None => program.add(next.next().expect("every changed alternative was compiled").clone()),
            }
        }
        program
    }

    /// The same without any alternative.
    fn bare(&self) -> Program {
        let (domains, shape) = (self.domains.clone(), self.shape.clone());
        Program { pieces: Vec::new(), domains, shape, cells: self.cells, begins: Vec::new() }
    }

    fn empty(spec: &Spec, shape: Arc<Shape>) -> Program {
        Program {
            pieces: Vec::new(),
            domains: spec.slots().iter().map(|slot| (slot.low, slot.high)).collect(),
            cells: spec.slots().len() + shape.width() + 2,
            begins: Vec::new(),
            shape,
        }
    }

    fn compile(&mut self, spec: &Spec, regions: &Regions, block: &Block) {
        let shape = self.shape.clone();
        let mut compiler = Compiler {
            spec,
            shape: &shape,
            regions,
            code: Vec::new(),
            binders: Vec::new(),
            next_cell: spec.slots().len() + shape.width() + 2,
            call: Vec::new(),
            ahead: Ahead::default(),
            tries: 0,
        };
        compiler.block(block);
        compiler.code.push(Instruction::Accept);
        self.cells = self.cells.max(compiler.next_cell);
        let mut first: Vec<usize> =
            first_actions(block).into_iter().map(|action| shape.action(&spec.actions()[action])).collect();
        first.sort_unstable();
        first.dedup();
        let guided = !has_priority(block);
        let touch = Touch::of(spec, block);
        self.add(Arc::new(Piece { code: compiler.code, binders: compiler.binders, guided, first, touch }));
    }

    fn add(&mut self, piece: Arc<Piece>) {
        for action in &piece.first {
            let entry = (*action as u32, self.pieces.len() as u32);
            self.begins.insert(self.begins.partition_point(|other| *other < entry), entry);
        }
        self.pieces.push(piece);
    }

    /// The pieces that can begin with an action of the shape.
    pub(crate) fn beginning(&self, action: usize) -> impl Iterator<Item = &Piece> {
        let from = self.begins.partition_point(|(other, _)| (*other as usize) < action);
        let same = self.begins[from..].iter().take_while(move |(other, _)| *other as usize == action);
        same.map(|(_, piece)| &*self.pieces[*piece as usize])
    }

    /// The slots on which it depends whether all of this code makes the same steps as all of another one.
    pub fn relevant_against(&self, other: &Program) -> BTreeSet<u32> {
        if self.domains != other.domains {
            return (0..self.slots() as u32).collect();
        }
        relevant(self.pieces.iter().chain(&other.pieces).map(|piece| &piece.touch))
    }

    /// The slots that an alternative may read before it assigns them, and those that it may assign.
    pub fn touched(&self, alternative: usize) -> (&[u32], &[u32]) {
        let touch = &self.pieces[alternative].touch;
        (&touch.read, &touch.written)
    }

    /// The actions of the shape with which its alternatives can begin.
    pub fn first_actions(&self) -> impl Iterator<Item = usize> {
        self.pieces.iter().flat_map(|piece| piece.first.iter().copied())
    }

    /// The slots on which it depends whether every step of this code from a state is a step of another one. Both have the
    /// same labels. Where types differ, every slot counts.
    pub fn relevant_beside(&self, other: &Program) -> BTreeSet<u32> {
        if self.domains != other.domains {
            return (0..self.slots() as u32).collect();
        }
        let actions: BTreeSet<usize> = self.pieces.iter().flat_map(|piece| piece.first.iter().copied()).collect();
        let beside: Vec<&Piece> = actions.iter().flat_map(|action| other.beginning(*action)).collect();
        relevant(self.pieces.iter().map(|piece| &**piece).chain(beside.iter().copied()).map(|piece| &piece.touch))
    }

    /// Whether it is without any code at all.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The layout of labels.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of slots of a state.
    pub fn slots(&self) -> usize {
        self.domains.len()
    }
}

fn has_priority(block: &Block) -> bool {
    match block {
        Block::Call(_) => false,
        Block::Priority(_) => true,
        Block::Sequence(parts) | Block::Choice(parts) => parts.iter().any(has_priority),
    }
}

/// The actions a step of the block can begin with.
pub(crate) fn first_actions(block: &Block) -> Vec<usize> {
    match block {
        Block::Call(call) => vec![call.action],
        Block::Sequence(parts) => parts.first().map(first_actions).unwrap_or_default(),
        Block::Choice(parts) | Block::Priority(parts) => parts.iter().flat_map(first_actions).collect(),
    }
}

/// The parts of a conjunction.
fn conjuncts(condition: &Condition) -> Vec<&Condition> {
    match condition {
        Condition::Connect(Connective::And, parts) => parts.iter().flat_map(conjuncts).collect(),
        Condition::Truth(_) | Condition::Not(_) | Condition::Compare(..) | Condition::Connect(..) => vec![condition],
    }
}

/// The binder an argument is.
fn binder_of(call: &Invocation, parameter: usize) -> Option<usize> {
    match call.arguments[parameter] {
        Actual::Constant(_) => None,
        Actual::Binder(binder) => Some(binder),
    }
}

/// The parameters a condition speaks of.
fn parameters(condition: &Condition) -> Vec<usize> {
    match condition {
        Condition::Truth(_) => Vec::new(),
        Condition::Not(inner) => parameters(inner),
        Condition::Compare(_, left, right) => [number_parameters(left), number_parameters(right)].concat(),
        Condition::Connect(_, parts) => parts.iter().flat_map(parameters).collect(),
    }
}

fn number_parameters(number: &Number) -> Vec<usize> {
    match number {
        Number::Constant(_) | Number::Slot(_) => Vec::new(),
        Number::Parameter(parameter) => vec![*parameter],
        Number::Element { index: inner, .. } | Number::Negate(inner) | Number::Absolute(inner) => {
            number_parameters(inner)
        }
        Number::Arithmetic(_, left, right) => [number_parameters(left), number_parameters(right)].concat(),
    }
}

struct Compiler<'a> {
    spec: &'a Spec,
    shape: &'a Shape,
    regions: &'a Regions,
    code: Vec<Instruction>,
    binders: Vec<Binder>,
    next_cell: usize,
    /// The arguments of the call at hand.
    call: Vec<Operand>,
    /// What follows the command at hand.
    ahead: Ahead,
    /// The attempts the command at hand is part of.
    tries: usize,
}

/// What a part of a step does, as far as ways through what comes before it are concerned.
#[derive(Clone, Debug, Default)]
struct Ahead {
    /// The slots it may assign.
    assigned: BTreeSet<usize>,
    /// Whether it has a choice.
    chooses: bool,
}

impl Ahead {
    fn add_command(&mut self, command: &Command) {
        match command {
            Command::Skip => {}
            Command::Assign(slot, _) => {
                self.assigned.insert(*slot);
            }
            Command::AssignElement { first, length, .. } => self.assigned.extend(*first..*first + *length),
            Command::Together(parts) | Command::Sequence(parts) => {
                parts.iter().for_each(|part| self.add_command(part));
            }
            Command::Any { body, .. } => {
                self.chooses = true;
                self.add_command(body);
            }
            Command::Choice(parts) | Command::Priority(parts) => {
                self.chooses |= 1 < parts.len();
                parts.iter().for_each(|part| self.add_command(part));
            }
            Command::Guarded(_, body) => self.add_command(body),
        }
    }

    fn add_block(&mut self, spec: &Spec, block: &Block) {
        match block {
            Block::Call(call) => self.add_command(&spec.actions()[call.action].body),
            Block::Sequence(parts) => parts.iter().for_each(|part| self.add_block(spec, part)),
            Block::Choice(parts) | Block::Priority(parts) => {
                self.chooses |= 1 < parts.len();
                parts.iter().for_each(|part| self.add_block(spec, part));
            }
        }
    }
}

impl Compiler<'_> {
    fn cell(&mut self) -> u32 {
        self.next_cell += 1;
        (self.next_cell - 1) as u32
    }

    fn here(&self) -> u32 {
        self.code.len() as u32
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.code.push(instruction);
        self.code.len() - 1
    }

    /// Lets the jump at `place` lead here.
    fn land(&mut self, place: usize) {
        let here = self.here();
        match &mut self.code[place] {
            Instruction::Fork(target)
            | Instruction::Jump(target)
            | Instruction::IfFalse(target)
            | Instruction::IfTrue(target)
            | Instruction::Try { otherwise: target, .. } => *target = here,
            other => unreachable!("{other:?} is not a jump"),
        }
    }

    fn block(&mut self, block: &Block) {
        match block {
            Block::Call(call) => self.invoke(call),
            Block::Sequence(parts) => {
                let spec = self.spec;
                self.sequence(parts, Compiler::block, &|ahead, part| ahead.add_block(spec, part));
            }
            Block::Choice(parts) => self.choice(parts, Compiler::block),
            Block::Priority(parts) => self.priority(parts, Compiler::block),
        }
    }

    /// One part after the other. After choices, ways that came to the same are one, and ways that have already missed the wanted
    /// state are left: without that, choices in sequence would multiply.
    fn sequence<T>(&mut self, parts: &[T], part: fn(&mut Self, &T), add: &dyn Fn(&mut Ahead, &T)) {
        let outer = self.ahead.clone();
        let mut behind: Vec<Ahead> = vec![outer.clone()];
        for one in parts.iter().skip(1).rev() {
            let mut ahead = behind[behind.len() - 1].clone();
            add(&mut ahead, one);
            behind.push(ahead);
        }
        for (one, ahead) in parts.iter().zip(behind.into_iter().rev()) {
            self.ahead = ahead;
            part(self, one);
            if !self.ahead.chooses {
                continue;
            }
            let mut own = Ahead::default();
            add(&mut own, one);
            let settled: Vec<u32> = own.assigned.difference(&self.ahead.assigned).map(|slot| *slot as u32).collect();
            if self.tries == 0 && !settled.is_empty() {
                self.emit(Instruction::Settled(settled));
            }
            if own.chooses {
                self.emit(Instruction::Join);
            }
        }
        self.ahead = outer;
    }

    fn choice<T>(&mut self, parts: &[T], part: fn(&mut Self, &T)) {
        let mut ends = Vec::new();
        for (index, one) in parts.iter().enumerate() {
            if index + 1 == parts.len() {
                part(self, one);
            } else {
                let fork = self.emit(Instruction::Fork(0));
                part(self, one);
                ends.push(self.emit(Instruction::Jump(0)));
                self.land(fork);
            }
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn priority<T>(&mut self, parts: &[T], part: fn(&mut Self, &T)) {
        let mut ends = Vec::new();
        for (index, one) in parts.iter().enumerate() {
            if index + 1 == parts.len() {
                part(self, one);
            } else {
                let register = self.cell();
                let attempt = self.emit(Instruction::Try { register, otherwise: 0 });
                self.tries += 1;
                part(self, one);
                self.tries -= 1;
                self.emit(Instruction::Tried { register });
                ends.push(self.emit(Instruction::Jump(0)));
                self.land(attempt);
            }
        }
        ends.into_iter().for_each(|end| self.land(end));
    }

    fn invoke(&mut self, call: &Invocation) {
        let action = &self.spec.actions()[call.action];
        let number = self.shape.action(action);
        let first_cell = self.next_cell as u32;
        self.next_cell += call.binders.len();
        self.call = call
            .arguments
            .iter()
            .map(|argument| match argument {
                Actual::Constant(number) => Operand::Constant(*number),
                Actual::Binder(binder) => Operand::Cell(first_cell + *binder as u32),
            })
            .collect();
        // A part of the guard is required as soon as the binders it speaks of have values.
        let parts = conjuncts(&action.guard);
        let level =
            |part: &Condition| parameters(part).into_iter().filter_map(|parameter| binder_of(call, parameter)).max();
        parts.iter().filter(|part| level(part).is_none()).for_each(|part| self.require(part));
        for (binder, &(low, high)) in call.binders.iter().enumerate() {
            let position = call.arguments.iter().position(|argument| *argument == Actual::Binder(binder));
            let values = self.regions.values(number, call, binder);
            self.binders.push(Binder { cell: first_cell + binder as u32, values, low, high, position });
            self.emit(Instruction::Bind(self.binders.len() as u32 - 1));
            parts.iter().filter(|part| level(part) == Some(binder)).for_each(|part| self.require(part));
        }
        self.emit(Instruction::Event { action: number as i64 + 1, arguments: self.call.clone() });
        self.command(&action.body);
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Skip => {}
            Command::Assign(slot, Number::Constant(constant)) => {
                self.emit(Instruction::StoreConstant { cell: *slot as u32, constant: *constant });
            }
            Command::Assign(slot, value) => {
                self.number(value);
                self.emit(Instruction::Store(*slot as u32));
            }
            Command::AssignElement { first, low, length, index, value } => {
                self.number(index);
                self.number(value);
                self.emit(Instruction::StoreElement { first: *first as u32, low: *low, length: *length as u32 });
            }
            Command::Sequence(parts) => {
                self.sequence(parts, Compiler::command, &|ahead, part| ahead.add_command(part));
            }
            Command::Together(parts) => self.together(parts),
            Command::Any { low, high, body } => self.any((*low, *high), body),
            Command::Choice(parts) => self.choice(parts, Compiler::command),
            Command::Priority(parts) => self.priority(parts, Compiler::command),
            Command::Guarded(guard, body) => {
                self.require(guard);
                self.command(body);
            }
        }
    }

    /// All indices and values are on the stack before the first of them is stored; the last assignment is stored last.
    fn together(&mut self, parts: &[Command]) {
        for part in parts.iter().rev() {
            match part {
                Command::Assign(_, value) => self.number(value),
                Command::AssignElement { index, value, .. } => {
                    self.number(index);
                    self.number(value);
                }
                other => unreachable!("{other:?} is not an assignment"),
            }
        }
        for part in parts {
            match part {
                Command::Assign(slot, _) => {
                    self.emit(Instruction::Store(*slot as u32));
                }
                Command::AssignElement { first, low, length, .. } => {
                    let (first, length) = (*first as u32, *length as u32);
                    self.emit(Instruction::StoreElement { first, low: *low, length });
                }
                other => unreachable!("{other:?} is not an assignment"),
            }
        }
    }

    /// A local parameter that runs through its values. Afterwards its cell says nothing, so that ways can join.
    fn any(&mut self, (low, high): (i64, i64), body: &Command) {
        let cell = self.cell();
        let binder = Binder { cell, values: Values::All(low, high), low, high, position: None };
        self.binders.push(binder);
        let index = self.binders.len() as u32 - 1;
        self.emit(Instruction::Bind(index));
        self.call.push(Operand::Cell(cell));
        self.command(body);
        self.call.pop();
        self.emit(Instruction::StoreConstant { cell, constant: 0 });
    }

    /// Fails unless the condition holds. A conjunction is required part by part.
    fn require(&mut self, condition: &Condition) {
        match condition {
            Condition::Truth(true) => {}
            Condition::Truth(false) => {
                self.emit(Instruction::Fail);
            }
            Condition::Connect(Connective::And, parts) => parts.iter().for_each(|part| self.require(part)),
            Condition::Compare(comparison, left, Number::Constant(constant)) if self.plain(left).is_some() => {
                let cell = self.plain(left).expect("just looked at");
                self.emit(Instruction::RequireCell { cell, comparison: *comparison, constant: *constant });
            }
            other => {
                self.condition(other);
                self.emit(Instruction::Require);
            }
        }
    }

    /// The cell a number is, if it is just one.
    fn plain(&self, number: &Number) -> Option<u32> {
        match number {
            Number::Slot(slot) => Some(*slot as u32),
            Number::Parameter(parameter) => match self.call[*parameter] {
                Operand::Cell(cell) => Some(cell),
                Operand::Constant(_) => None,
            },
            Number::Constant(_)
            | Number::Element { .. }
            | Number::Negate(_)
            | Number::Absolute(_)
            | Number::Arithmetic(..) => None,
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Truth(truth) => {
                self.emit(Instruction::Push(i64::from(*truth)));
            }
            Condition::Not(inner) => {
                self.condition(inner);
                self.emit(Instruction::Not);
            }
            Condition::Compare(comparison, left, right) => {
                self.number(left);
                self.number(right);
                self.emit(Instruction::Compare(*comparison));
            }
            Condition::Connect(connective, parts) => self.connect(*connective, parts),
        }
    }

    fn connect(&mut self, connective: Connective, parts: &[Condition]) {
        match connective {
            Connective::And | Connective::Or => {
                let mut jumps = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    self.condition(part);
                    if index + 1 < parts.len() {
                        let and = connective == Connective::And;
                        jumps.push(self.emit(if and { Instruction::IfFalse(0) } else { Instruction::IfTrue(0) }));
                    }
                }
                jumps.into_iter().for_each(|jump| self.land(jump));
            }
            Connective::Xor => {
                for (index, part) in parts.iter().enumerate() {
                    self.condition(part);
                    if 0 < index {
                        self.emit(Instruction::Xor);
                    }
                }
            }
            Connective::Implies => {
                self.condition(&parts[0]);
                self.emit(Instruction::Not);
                let jump = self.emit(Instruction::IfTrue(0));
                self.condition(&parts[1]);
                self.land(jump);
            }
            Connective::ImpliedBy => {
                self.condition(&parts[0]);
                let jump = self.emit(Instruction::IfTrue(0));
                self.condition(&parts[1]);
                self.emit(Instruction::Not);
                self.land(jump);
            }
            Connective::Iff => {
                self.condition(&parts[0]);
                self.condition(&parts[1]);
                self.emit(Instruction::Xor);
                self.emit(Instruction::Not);
            }
        }
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Constant(constant) => {
                self.emit(Instruction::Push(*constant));
            }
            Number::Slot(slot) => {
                self.emit(Instruction::Load(*slot as u32));
            }
            Number::Parameter(parameter) => {
                let operand = self.call[*parameter];
                self.emit(match operand {
                    Operand::Constant(constant) => Instruction::Push(constant),
                    Operand::Cell(cell) => Instruction::Load(cell),
                });
            }
            Number::Element { first, low, length, index } => {
                self.number(index);
                self.emit(Instruction::Element { first: *first as u32, low: *low, length: *length as u32 });
            }
            Number::Negate(inner) => {
                self.number(inner);
                self.emit(Instruction::Negate);
            }
            Number::Absolute(inner) => {
                self.number(inner);
                self.emit(Instruction::Absolute);
            }
            Number::Arithmetic(operator, left, right) => {
                self.number(left);
                self.number(right);
                self.emit(Instruction::Arithmetic(*operator));
            }
        }
    }
}
