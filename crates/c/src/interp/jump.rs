//! `setjmp` and `longjmp`: back to an activation that still runs, without returning from those it called.
//!
//! Variables keep their values, as in programs compiled without optimisation; what the standard says about those that changed since
//! `setjmp` and are not volatile is that their values are indeterminate.

use super::machine::{Here, Machine, Run, Stop, Value};
use super::{Ending, Fault, Observer};
use crate::program::{EdgeId, NodeId};

/// Bytes of a buffer that say which place was saved in it.
const TOKEN: usize = 4;

/// A place that `setjmp` saved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Saved {
    /// The call of `setjmp`.
    edge: EdgeId,
    /// The activation that called it, and its number.
    depth: usize,
    number: u64,
}

impl Machine<'_> {
    /// Saves where control is.
    pub(super) fn set_jump(&mut self, here: Here, buffer: i128) -> Run<Value> {
        let (object, offset) = self.memory.check(buffer, TOKEN as u64)?;
        let number = self.frames[here.depth].number;
        self.saved.push(Saved { edge: self.edge, depth: here.depth, number });
        self.memory.write(object, offset, TOKEN, self.saved.len() as u128);
        Ok(Value::Scalar(0))
    }

    /// Goes to a place that was saved.
    pub(super) fn long_jump<T>(&mut self, buffer: i128, value: i128) -> Run<T> {
        let (object, offset) = self.memory.check(buffer, TOKEN as u64)?;
        let known = !self.memory.objects[object].known[offset..offset + TOKEN].contains(&false);
        let token = self.memory.read(object, offset, TOKEN) as usize;
        let saved = token.checked_sub(1).and_then(|at| self.saved.get(at)).filter(|_| known).copied();
        let lives = |saved: &Saved| self.frames.get(saved.depth).is_some_and(|frame| frame.number == saved.number);
        match saved.filter(lives) {
            Some(to) => Err(Stop::Jump { to, value: if value == 0 { 1 } else { value } }),
            None => Err(Fault::LibraryPrecondition.into()),
        }
    }

    /// Leaves the activations above the one that saved a place; where control goes on, and in which.
    pub(super) fn arrive<O: Observer>(&mut self, to: Saved, value: i128, observer: &mut O) -> Run<(NodeId, Here)> {
        let from = self.edge;
        observer.taken(from, self);
        while to.depth + 1 < self.frames.len() {
            self.pop_frame();
        }
        let Some(here) = self.frames.last().map(|frame| frame.here) else {
            return Err(Stop::Ending(Ending::Aborted));
        };
        self.edge = to.edge;
        self.result = Value::Scalar(value);
        self.store_result(here, to.edge)?;
        observer.jumped(to.edge, self);
        Ok((self.code.targets[to.edge.0 as usize], here))
    }

    /// Whether a place was saved by an activation from this depth on.
    pub(super) fn is_within(to: Saved, depth: usize) -> bool {
        depth <= to.depth
    }
}
