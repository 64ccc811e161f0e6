//! The machine that runs compiled models: it goes through every way a step can be made, with an explicit stack.
//!
//! No arithmetic here can overflow: the check of a model bounds every expression.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::ast::ArithmeticOp;
use crate::compile::{Instruction, Operand, Piece, Program};
use crate::regions::Values;

/// A machine; it keeps its memory between runs.
#[derive(Clone, Debug)]
pub struct Machine {
    cells: Vec<i64>,
    stack: Vec<i64>,
    points: Vec<Point>,
    saved: Vec<i64>,
    /// The cells, with the place behind them, that came to where choices join.
    joined: FxHashSet<Vec<i64>>,
    fuel: u64,
    /// All choices gone back to so far.
    choices: u64,
    /// Those since it was last refuelled.
    since: u64,
    stop: Option<Stop>,
}

/// Asked now and then whether to stop before the fuel is spent.
#[derive(Clone)]
struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

/// Choices between two questions whether to stop.
const CHOICES_PER_LOOK: u64 = 1 << 14;

/// A step as the machine finds it.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The label, laid out as the shape says.
    pub label: &'a [i64],
    /// The state after the step.
    pub post: &'a [i64],
    /// How many labels this one stands for.
    pub weight: u64,
}

/// The machine was stopped before it had gone through every way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfFuel;

/// Where to go back to, with the cells as they were.
#[derive(Clone, Copy, Debug)]
enum Point {
    /// Go on at this place.
    Resume(u32),
    /// Give the binder at this place its next value.
    Bind { place: u32, next: u64 },
    /// Go on at this place unless something came through.
    Try { otherwise: u32, through: bool },
}

/// What to look for.
#[derive(Clone, Copy)]
struct Target<'a> {
    label: &'a [i64],
    post: Option<&'a [i64]>,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine {
            cells: Vec::new(),
            stack: Vec::new(),
            points: Vec::new(),
            saved: Vec::new(),
            joined: FxHashSet::default(),
            fuel: u64::MAX,
            choices: 0,
            since: 0,
            stop: None,
        }
    }
}

impl Machine {
    /// The same machine, which stops as if its fuel were spent when `stop` says so.
    #[must_use]
    pub fn stopping(self, stop: Arc<dyn Fn() -> bool + Send + Sync>) -> Machine {
        Machine { stop: Some(Stop(stop)), ..self }
    }

    /// All choices it has gone back to so far: a measure of its work.
    pub fn work(&self) -> u64 {
        self.choices
    }

    /// Allows this many choices and no more. A question that takes few of them is answered whoever wants to stop.
    pub fn refuel(&mut self, fuel: u64) {
        self.fuel = fuel;
        self.since = 0;
    }

    /// Every step from a state, the same one possibly several times; `visit` answers whether to go on.
    ///
    /// # Errors
    /// When the fuel is spent.
    pub fn steps(
        &mut self,
        program: &Program,
        pre: &[i64],
        visit: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<(), OutOfFuel> {
        for piece in &program.pieces {
            if !self.run(program, piece, pre, None, visit)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// As `steps`, only through alternatives that can begin with one of these actions of the shape.
    ///
    /// # Errors
    /// When the fuel is spent.
    pub fn steps_beginning(
        &mut self,
        program: &Program,
        pre: &[i64],
        actions: &[bool],
        visit: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<(), OutOfFuel> {
        let wanted = |piece: &&std::sync::Arc<Piece>| piece.first.iter().any(|&action| actions[action]);
        for piece in program.pieces.iter().filter(wanted) {
            if !self.run(program, piece, pre, None, visit)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Every state a step with this label leads to; `visit` answers whether to go on.
    ///
    /// # Errors
    /// When the fuel is spent.
    pub fn after(
        &mut self,
        program: &Program,
        pre: &[i64],
        label: &[i64],
        visit: &mut dyn FnMut(&[i64]) -> bool,
    ) -> Result<(), OutOfFuel> {
        let target = Target { label, post: None };
        self.towards(program, pre, target, &mut |found| visit(found.post))
    }

    /// Whether a step with this label can lead to this state.
    ///
    /// # Errors
    /// When the fuel is spent.
    pub fn allows(&mut self, program: &Program, pre: &[i64], label: &[i64], post: &[i64]) -> Result<bool, OutOfFuel> {
        let mut reached = false;
        let target = Target { label, post: Some(post) };
        self.towards(program, pre, target, &mut |_| {
            reached = true;
            false
        })?;
        Ok(reached)
    }

    fn towards(
        &mut self,
        program: &Program,
        pre: &[i64],
        target: Target<'_>,
        visit: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<(), OutOfFuel> {
        let Ok(action) = usize::try_from(target.label[0] - 1) else { return Ok(()) };
        for piece in program.beginning(action) {
            if !self.run(program, piece, pre, Some(target), visit)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Runs one piece; whether to go on with the next.
    fn run(
        &mut self,
        program: &Program,
        piece: &Piece,
        pre: &[i64],
        target: Option<Target<'_>>,
        visit: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<bool, OutOfFuel> {
        let slots = program.slots();
        let width = program.shape.width();
        let (count, weight) = (slots + width, slots + width + 1);
        self.cells.clear();
        self.cells.extend_from_slice(pre);
        self.cells.resize(program.cells, 0);
        self.cells[weight] = 1;
        self.points.clear();
        self.saved.clear();
        self.stack.clear();
        self.joined.clear();
        let mut place = 0usize;
        loop {
            let going = self.advance(program, piece, &mut place, target.filter(|_| piece.guided), count, weight);
            if going == Going::Accepted {
                let fits = self.cells[..slots]
                    .iter()
                    .zip(&*program.domains)
                    .all(|(value, (low, high))| low <= value && value <= high);
                let wanted = target.is_none_or(|target| {
                    self.cells[slots..count] == *target.label
                        && target.post.is_none_or(|post| self.cells[..slots] == *post)
                });
                if fits && wanted {
                    let found = Found {
                        label: &self.cells[slots..count],
                        post: &self.cells[..slots],
                        weight: self.cells[weight] as u64,
                    };
                    if !visit(found) {
                        return Ok(false);
                    }
                }
            }
            match self.back(piece, weight)? {
                Some(next) => place = next,
                None => return Ok(true),
            }
        }
    }

    /// Runs until a step is complete or the way is closed.
    fn advance(
        &mut self,
        program: &Program,
        piece: &Piece,
        place: &mut usize,
        target: Option<Target<'_>>,
        count: usize,
        weight: usize,
    ) -> Going {
        let stride = program.shape.stride();
        let slots = program.slots();
        loop {
            let at = *place;
            *place += 1;
            match &piece.code[at] {
                Instruction::Push(number) => self.stack.push(*number),
                Instruction::Load(cell) => self.stack.push(self.cells[*cell as usize]),
                Instruction::Element { first, low, length } => {
                    let Some(cell) = element(self.pop(), *first, *low, *length) else { return Going::Failed };
                    self.stack.push(self.cells[cell]);
                }
                Instruction::Arithmetic(operator) => {
                    let right = self.pop();
                    let left = self.pop();
                    let Some(result) = arithmetic(*operator, left, right) else { return Going::Failed };
                    self.stack.push(result);
                }
                Instruction::Negate => {
                    let number = self.pop();
                    self.stack.push(-number);
                }
                Instruction::Absolute => {
                    let number = self.pop();
                    self.stack.push(number.abs());
                }
                Instruction::Compare(comparison) => {
                    let right = self.pop();
                    let left = self.pop();
                    self.stack.push(i64::from(comparison.holds(left, right)));
                }
                Instruction::Not => {
                    let truth = self.pop();
                    self.stack.push(1 - truth);
                }
                Instruction::Xor => {
                    let right = self.pop();
                    let left = self.pop();
                    self.stack.push(left ^ right);
                }
                Instruction::IfFalse(there) => self.jump_if(0, *there, place),
                Instruction::IfTrue(there) => self.jump_if(1, *there, place),
                Instruction::Require => {
                    if self.pop() == 0 {
                        return Going::Failed;
                    }
                }
                Instruction::RequireCell { cell, comparison, constant } => {
                    if !comparison.holds(self.cells[*cell as usize], *constant) {
                        return Going::Failed;
                    }
                }
                Instruction::Store(cell) => self.cells[*cell as usize] = self.pop(),
                Instruction::StoreConstant { cell, constant } => self.cells[*cell as usize] = *constant,
                Instruction::StoreElement { first, low, length } => {
                    let value = self.pop();
                    let Some(cell) = element(self.pop(), *first, *low, *length) else { return Going::Failed };
                    self.cells[cell] = value;
                }
                Instruction::Fork(there) => self.push(Point::Resume(*there)),
                Instruction::Jump(there) => *place = *there as usize,
                Instruction::Bind(index) => {
                    let binder = &piece.binders[*index as usize];
                    let forced = target.and_then(|target| {
                        let event = self.cells[count] as usize;
                        Some(target.label.get(event * stride + 1 + binder.position?).copied().unwrap_or(i64::MAX))
                    });
                    match forced {
                        Some(value) if binder.low <= value && value <= binder.high => {
                            self.cells[binder.cell as usize] = value;
                        }
                        Some(_) => return Going::Failed,
                        None => {
                            let (value, stands_for) = value(&binder.values, 0).expect("a binder has a value");
                            self.push(Point::Bind { place: at as u32, next: 1 });
                            self.cells[binder.cell as usize] = value;
                            self.cells[weight] = self.cells[weight].saturating_mul(stands_for as i64);
                        }
                    }
                }
                Instruction::Event { action, arguments } => {
                    let begin = slots + self.cells[count] as usize * stride;
                    self.cells[begin] = *action;
                    for (argument, operand) in arguments.iter().enumerate() {
                        self.cells[begin + 1 + argument] = match operand {
                            Operand::Constant(number) => *number,
                            Operand::Cell(cell) => self.cells[*cell as usize],
                        };
                    }
                    self.cells[count] += 1;
                    if let Some(target) = target
                        && self.cells[begin..begin + stride] != target.label[begin - slots..begin - slots + stride]
                    {
                        return Going::Failed;
                    }
                }
                Instruction::Try { register, otherwise } => {
                    // What was joined before this attempt says nothing about what comes through now.
                    self.joined.clear();
                    self.cells[*register as usize] = self.points.len() as i64;
                    self.push(Point::Try { otherwise: *otherwise, through: false });
                }
                Instruction::Tried { register } => {
                    let point = self.cells[*register as usize] as usize;
                    if let Point::Try { through, .. } = &mut self.points[point] {
                        *through = true;
                    }
                }
                Instruction::Join => {
                    let mut key = self.cells.clone();
                    key.push(at as i64);
                    if !self.joined.insert(key) {
                        return Going::Failed;
                    }
                }
                Instruction::Settled(settled) => {
                    let misses =
                        |post: &[i64]| settled.iter().any(|&slot| self.cells[slot as usize] != post[slot as usize]);
                    if target.and_then(|target| target.post).is_some_and(misses) {
                        return Going::Failed;
                    }
                }
                Instruction::Fail => return Going::Failed,
                Instruction::Accept => return Going::Accepted,
            }
        }
    }

    /// Goes back to the last open choice; where to go on.
    fn back(&mut self, piece: &Piece, weight: usize) -> Result<Option<usize>, OutOfFuel> {
        let size = self.cells.len();
        self.stack.clear();
        while let Some(point) = self.points.pop() {
            self.fuel = self.fuel.checked_sub(1).ok_or(OutOfFuel)?;
            self.choices += 1;
            self.since += 1;
            if self.since.is_multiple_of(CHOICES_PER_LOOK) && self.stop.as_ref().is_some_and(|stop| stop.0()) {
                return Err(OutOfFuel);
            }
            let from = self.saved.len() - size;
            self.cells.copy_from_slice(&self.saved[from..]);
            match point {
                Point::Resume(place) => {
                    self.saved.truncate(from);
                    return Ok(Some(place as usize));
                }
                Point::Try { otherwise, through } => {
                    self.saved.truncate(from);
                    if !through {
                        return Ok(Some(otherwise as usize));
                    }
                }
                Point::Bind { place, next } => {
                    let Instruction::Bind(index) = &piece.code[place as usize] else {
                        unreachable!("the point was made by a binder");
                    };
                    let binder = &piece.binders[*index as usize];
                    match value(&binder.values, next) {
                        Some((value, stands_for)) => {
                            self.points.push(Point::Bind { place, next: next + 1 });
                            self.cells[binder.cell as usize] = value;
                            self.cells[weight] = self.cells[weight].saturating_mul(stands_for as i64);
                            return Ok(Some(place as usize + 1));
                        }
                        None => self.saved.truncate(from),
                    }
                }
            }
        }
        Ok(None)
    }

    fn push(&mut self, point: Point) {
        self.points.push(point);
        self.saved.extend_from_slice(&self.cells);
    }

    fn pop(&mut self) -> i64 {
        self.stack.pop().expect("compiled code pushes before it pops")
    }

    fn jump_if(&mut self, truth: i64, there: u32, place: &mut usize) {
        if self.stack.last() == Some(&truth) {
            *place = there as usize;
        } else {
            self.stack.pop();
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Going {
    Accepted,
    Failed,
}

/// The value number `index` of a binder, and how many values it stands for.
fn value(values: &Values, index: u64) -> Option<(i64, u64)> {
    match values {
        Values::All(low, high) => {
            let value = low.checked_add(i64::try_from(index).ok()?)?;
            (value <= *high).then_some((value, 1))
        }
        Values::Chosen(chosen) => chosen.get(usize::try_from(index).ok()?).copied(),
    }
}

fn element(index: i64, first: u32, low: i64, length: u32) -> Option<usize> {
    let offset = index.checked_sub(low)?;
    (0 <= offset && offset < i64::from(length)).then(|| first as usize + offset as usize)
}

/// None for a division by zero.
fn arithmetic(operator: ArithmeticOp, left: i64, right: i64) -> Option<i64> {
    Some(match operator {
        ArithmeticOp::Add => left + right,
        ArithmeticOp::Subtract => left - right,
        ArithmeticOp::Multiply => left * right,
        ArithmeticOp::Divide => left.checked_div_euclid(right)?,
        ArithmeticOp::Modulo => left.checked_rem_euclid(right)?,
        ArithmeticOp::Minimum => left.min(right),
        ArithmeticOp::Maximum => left.max(right),
    })
}
