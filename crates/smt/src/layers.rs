//! Layers: solvers over solvers.

mod anew;
mod checked;
mod limited;
mod raced;
mod recorded;

pub use anew::{Anew, MakeSolver};
pub use checked::Checked;
pub use limited::Limited;
pub use raced::Raced;
pub use recorded::Recorded;

use crate::Term;

/// The facts that hold, by scope.
#[derive(Default)]
struct Facts {
    facts: Vec<Term>,
    scopes: Vec<usize>,
}

impl Facts {
    fn push(&mut self) {
        self.scopes.push(self.facts.len());
    }

    fn pop(&mut self) {
        if let Some(start) = self.scopes.pop() {
            self.facts.truncate(start);
        }
    }
}

#[cfg(test)]
mod tests;
