//! The state of executions at one place: under which guard they are there, and what memory holds.

use std::rc::Rc;

use c::program::EdgeId;
use smt::Term;

use super::object::{Cells, Object};
use super::tautology::is_tautology;
use super::value::{ObjectId, Value};

/// The condition under which executions are somewhere: the branches taken, outermost first.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    path: Rc<Vec<Choice>>,
    always: Term,
}

/// One conjunct of a guard, and the conjunction up to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Choice {
    condition: Term,
    all: Term,
    /// The edge it belongs to; none for what came out of a merge.
    edge: Option<EdgeId>,
}

impl Guard {
    /// Every execution.
    pub(super) fn always(cells: &Cells<'_>) -> Guard {
        Guard { path: Rc::default(), always: cells.build.truth(true) }
    }

    /// The guard as one term.
    pub(super) fn term(&self) -> Term {
        self.path.last().map_or(self.always, |choice| choice.all)
    }

    /// Those executions for which a condition holds besides; none if there are none.
    pub(super) fn with(&self, cells: &mut Cells<'_>, condition: Term, edge: Option<EdgeId>) -> Option<Guard> {
        if cells.build.is_true(condition) || self.path.iter().any(|choice| choice.condition == condition) {
            return Some(self.clone());
        }
        let opposite = cells.build.not(condition);
        if cells.build.is_false(condition) || self.path.iter().any(|choice| choice.condition == opposite) {
            return None;
        }
        let all = cells.build.and(self.term(), condition);
        if cells.build.is_false(all) {
            return None;
        }
        let mut path = (*self.path).clone();
        path.push(Choice { condition, all, edge });
        Some(Guard { path: Rc::new(path), always: self.always })
    }

    /// The conjuncts with the edges they belong to.
    pub(super) fn conjuncts(&self) -> impl Iterator<Item = (Term, Option<EdgeId>)> + '_ {
        self.path.iter().map(|choice| (choice.condition, choice.edge))
    }

    /// The number of conjuncts.
    pub(super) fn len(&self) -> usize {
        self.path.len()
    }

    /// Whether both are one and the same.
    pub(super) fn is(&self, other: &Guard) -> bool {
        Rc::ptr_eq(&self.path, &other.path)
    }

    /// Whether the branches taken are the same.
    pub(super) fn same(&self, other: &Guard) -> bool {
        self.path == other.path
    }

    /// The number of conjuncts that two guards begin with together.
    fn common(&self, other: &Guard) -> usize {
        self.path.iter().zip(other.path.iter()).take_while(|(left, right)| left == right).count()
    }

    /// Executions of one guard or the other, and what either adds to what they have in common. Where all sides of a branch meet
    /// again, it is as if there had been none.
    fn either(&self, cells: &mut Cells<'_>, other: &Guard) -> (Guard, Term, Term) {
        let common = self.common(other);
        let (here, there) = (self.rest(cells, common), other.rest(cells, common));
        let either = cells.build.or(here, there);
        let prefix = Guard { path: Rc::new(self.path[..common].to_vec()), always: self.always };
        let guard = match is_tautology(cells.build.terms, either) {
            true => prefix,
            false => prefix.with(cells, either, None).unwrap_or(prefix),
        };
        (guard, here, there)
    }

    /// Whether these guards together are one that is given.
    pub(super) fn together(cells: &mut Cells<'_>, mut guards: Vec<Guard>, whole: &Guard) -> bool {
        guards.sort_by(|left, right| left.path.cmp(&right.path));
        while 1 < guards.len() {
            // Those that have most in common are sides of the last branch.
            let pair = (1..guards.len()).max_by_key(|&at| guards[at - 1].common(&guards[at]));
            let at = pair.expect("there are two");
            let right = guards.remove(at);
            guards[at - 1] = guards[at - 1].either(cells, &right).0;
        }
        guards.first().is_some_and(|only| only.same(whole))
    }

    fn rest(&self, cells: &mut Cells<'_>, from: usize) -> Term {
        let conditions: Vec<Term> = self.path[from..].iter().map(|choice| choice.condition).collect();
        cells.build.all(&conditions)
    }
}

/// The variables of one activation of a function.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// The number of its first object; the others follow.
    pub(super) first: ObjectId,
    /// Its objects, in the order of the function's frame.
    pub(super) objects: Vec<Rc<Object>>,
    /// What it returns, once it has.
    pub(super) result: Option<Value>,
    /// Which executions have returned a value.
    pub(super) returned: Term,
}

/// What executions look like at one place.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// Under which condition they are here.
    pub(super) guard: Guard,
    /// Objects that live as long as the program, in chunks.
    pub(super) globals: Vec<Rc<Vec<Rc<Object>>>>,
    /// The activations, outermost first.
    pub(super) frames: Vec<Rc<Frame>>,
    /// Objects from `malloc`, and those built for pointers of the entry function.
    pub(super) heap: Rc<Vec<Option<Rc<Object>>>>,
}

/// Global objects are kept in chunks of this many.
pub(super) const CHUNK: usize = 32;

impl State {
    /// Merges states at one place into one. Their guards exclude each other.
    pub(super) fn merged(cells: &mut Cells<'_>, first_heap: &[ObjectId], mut states: Vec<State>) -> Option<State> {
        states.sort_by(|left, right| left.guard.path.cmp(&right.guard.path));
        let mut stack: Vec<State> = Vec::new();
        for state in states {
            let shared = stack.last().map_or(0, |top| top.guard.common(&state.guard));
            while let [.., below, top] = stack.as_slice()
                && shared <= below.guard.common(&top.guard)
            {
                fold(cells, first_heap, &mut stack);
            }
            stack.push(state);
        }
        while 1 < stack.len() {
            fold(cells, first_heap, &mut stack);
        }
        stack.pop()
    }

    fn merge(cells: &mut Cells<'_>, heap_ids: &[ObjectId], left: State, right: State) -> State {
        cells.initials.sides = Some((left.guard.term(), right.guard.term()));
        let (guard, here, there) = left.guard.either(cells, &right.guard);
        let opposite = cells.build.not(there);
        // Both say which one it is; a single literal is the better term.
        let condition = if left.guard.path.len() <= right.guard.path.len() { here } else { opposite };
        let mut globals = left.globals;
        for (at, (mine, other)) in globals.iter_mut().zip(&right.globals).enumerate() {
            if !Rc::ptr_eq(mine, other) {
                let first = super::machine::FIRST_GLOBAL + (at * CHUNK) as ObjectId;
                let mine: &mut Vec<Rc<Object>> = Rc::make_mut(mine);
                merge_objects(cells, condition, first, mine, other);
            }
        }
        let mut frames = left.frames;
        for (mine, other) in frames.iter_mut().zip(&right.frames) {
            if !Rc::ptr_eq(mine, other) {
                let frame = Rc::make_mut(mine);
                merge_objects(cells, condition, frame.first, &mut frame.objects, &other.objects);
                frame.returned = cells.build.ite(condition, frame.returned, other.returned);
                frame.result = match (&frame.result, &other.result) {
                    (Some(one), Some(other)) => Some(cells.build.choose(condition, one, other)),
                    (one, other) => one.clone().or_else(|| other.clone()),
                };
            }
        }
        let mut heap = left.heap;
        if !Rc::ptr_eq(&heap, &right.heap) {
            let mine = Rc::make_mut(&mut heap);
            mine.resize(mine.len().max(right.heap.len()), None);
            for (at, other) in right.heap.iter().enumerate() {
                mine[at] = match (mine[at].take(), other) {
                    (Some(one), Some(other)) if !Rc::ptr_eq(&one, other) => {
                        Some(Rc::new(cells.choose(heap_ids[at], condition, &one, other)))
                    }
                    // Where it was not made, nothing points to it.
                    (one, other) => one.or_else(|| other.clone()),
                };
            }
        }
        State { guard, globals, frames, heap }
    }
}

fn fold(cells: &mut Cells<'_>, heap_ids: &[ObjectId], stack: &mut Vec<State>) {
    let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else { return };
    stack.push(State::merge(cells, heap_ids, left, right));
}

fn merge_objects(
    cells: &mut Cells<'_>,
    condition: Term,
    first: ObjectId,
    mine: &mut [Rc<Object>],
    other: &[Rc<Object>],
) {
    for (at, (mine, other)) in mine.iter_mut().zip(other).enumerate() {
        if !Rc::ptr_eq(mine, other) {
            *mine = Rc::new(cells.choose(first + at as ObjectId, condition, mine, other));
        }
    }
}
