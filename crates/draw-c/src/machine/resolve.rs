//! Values as they are for the executions of one state: what its guard decides need not be chosen once more.
//!
//! Where executions meet, a value is a choice between those of both ways. After a branch that tells the ways apart again, as behind
//! a test of what a function returned, only one of them is left.

use rustc_hash::FxHashMap;
use smt::{Op, Term};

use super::Machine;
use crate::state::{Guard, State};
use crate::value::{ObjectId, Pointer, Value};

/// At most this many literals of a guard are known.
const MOST_LITERALS: usize = 512;

/// How deep connectives are looked into.
const DEPTH: usize = 6;

/// Choices that are looked at in the base of a pointer.
const MOST_CHOICES: usize = 64;

/// What a guard says about terms.
#[derive(Default)]
pub(super) struct Known {
    guard: Option<Guard>,
    literals: FxHashMap<Term, bool>,
}

impl Machine<'_> {
    /// A value, as it is for the executions of a state.
    pub(super) fn resolved(&mut self, state: &State, value: Value) -> Value {
        match value {
            Value::Bits(bits) => Value::Bits(self.resolve(state, bits)),
            Value::Pointer(pointer) => {
                let base = self.resolve(state, pointer.base);
                let offset = self.resolve(state, pointer.offset);
                let targets = if base == pointer.base { pointer.targets } else { self.targets_of(base, &pointer) };
                Value::Pointer(Pointer { base, offset, targets })
            }
            Value::Initial | Value::Record(_) | Value::Unknown => value,
        }
    }

    /// The objects that are left of those a pointer may point to.
    fn targets_of(&self, base: Term, pointer: &Pointer) -> std::rc::Rc<[ObjectId]> {
        let build = &self.cells.build;
        let (mut open, mut found, mut choices) = (vec![base], Vec::new(), 0);
        while let Some(term) = open.pop() {
            if build.terms.op(term) == Op::Ite && choices < MOST_CHOICES {
                choices += 1;
                open.extend(&build.terms.args(term)[1..]);
                continue;
            }
            match build.constant(term) {
                Some(number) => found.push(number as ObjectId),
                None => return pointer.targets.clone(),
            }
        }
        pointer.targets.iter().copied().filter(|target| found.contains(target)).collect()
    }

    /// What is left of choices that the guard of a state decides.
    fn resolve(&mut self, state: &State, mut term: Term) -> Term {
        if self.cells.build.terms.op(term) != Op::Ite {
            return term;
        }
        self.learn(&state.guard);
        while let (Op::Ite, &[condition, then, otherwise]) =
            (self.cells.build.terms.op(term), self.cells.build.terms.args(term))
        {
            match self.decided(condition, DEPTH) {
                Some(true) => term = then,
                Some(false) => term = otherwise,
                None => break,
            }
        }
        term
    }

    /// Takes note of the literals of a guard.
    fn learn(&mut self, guard: &Guard) {
        if self.known.guard.as_ref().is_some_and(|known| known.is(guard)) {
            return;
        }
        let terms = &*self.cells.build.terms;
        let literals = &mut self.known.literals;
        literals.clear();
        let mut open: Vec<(Term, bool)> = guard.conjuncts().map(|(condition, _)| (condition, true)).collect();
        while let Some((term, truth)) = open.pop() {
            if MOST_LITERALS <= literals.len() {
                break;
            }
            literals.insert(term, truth);
            match (terms.op(term), truth) {
                (Op::Not, _) => open.extend(terms.args(term).iter().map(|&inner| (inner, !truth))),
                (Op::And, true) | (Op::Or, false) => {
                    open.extend(terms.args(term).iter().map(|&inner| (inner, truth)));
                }
                _ => {}
            }
        }
        self.known.guard = Some(guard.clone());
    }

    /// Whether the literals decide a condition. The depth is limited.
    fn decided(&self, condition: Term, depth: usize) -> Option<bool> {
        let terms = &*self.cells.build.terms;
        if let Some(truth) = self.known.literals.get(&condition) {
            return Some(*truth);
        }
        let depth = depth.checked_sub(1)?;
        let args = terms.args(condition);
        match terms.op(condition) {
            Op::Not => self.decided(args[0], depth).map(|truth| !truth),
            op @ (Op::And | Op::Or) => {
                let absorbing = op == Op::Or;
                let mut all = true;
                for &arg in args {
                    match self.decided(arg, depth) {
                        Some(truth) if truth == absorbing => return Some(absorbing),
                        Some(_) => {}
                        None => all = false,
                    }
                }
                all.then_some(!absorbing)
            }
            _ => None,
        }
    }
}
