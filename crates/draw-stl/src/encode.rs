//! Formulas on the grid: for each index, a term that says "surely true" and one that says "surely false".
//!
//! Both are sound for any continuous signal that a model is completed to. They need not be complementary: where a proposition
//! changes inside a cell, neither holds.

use rustc_hash::FxHashMap;
use smt::{Term, Terms};
use stl::Spec;
use stl::store::{Formula, Node, Window};

use super::atoms::Atoms;
use super::grid::{Grid, is_cell, sliding};

/// The terms made so far.
pub(super) struct Encoder<'a> {
    spec: &'a Spec,
    pub(super) grid: Grid,
    pub(super) atoms: Atoms,
    /// For each formula and sign, the term at each index.
    made: FxHashMap<(Formula, bool), Vec<Option<Term>>>,
}

/// The indices at which a formula is needed, surely true and surely false.
#[derive(Clone, Copy, Default)]
struct Needs {
    range: Option<(usize, usize)>,
    positive: bool,
    negative: bool,
}

impl<'a> Encoder<'a> {
    pub(super) fn new(spec: &'a Spec, grid: Grid, atoms: Atoms) -> Encoder<'a> {
        Encoder { spec, grid, atoms, made: FxHashMap::default() }
    }

    /// That a formula is surely true, or surely false, at time zero.
    pub(super) fn surely(&mut self, terms: &mut Terms, formula: Formula, truth: bool) -> Term {
        let below = self.spec.store.below(&[formula]);
        let needs = self.needs(&below, formula, truth);
        for &formula in &below {
            let need = needs[&formula];
            let Some((first, last)) = need.range else { continue };
            for sign in [true, false] {
                if if sign { need.positive } else { need.negative } {
                    self.make(terms, formula, sign, first, last);
                }
            }
        }
        self.at(formula, truth, 0)
    }

    fn at(&self, formula: Formula, truth: bool, index: usize) -> Term {
        self.made[&(formula, truth)][index].expect("operands are made first")
    }

    /// Where each subformula is needed, from the whole downwards.
    fn needs(&self, below: &[Formula], root: Formula, truth: bool) -> FxHashMap<Formula, Needs> {
        let mut needs: FxHashMap<Formula, Needs> = below.iter().map(|&formula| (formula, Needs::default())).collect();
        needs.insert(root, Needs { range: Some((0, 0)), positive: truth, negative: !truth });
        for &formula in below.iter().rev() {
            let need = needs[&formula];
            let Some((first, last)) = need.range else { continue };
            let mut ask_between = |arg: Formula, from: usize, to: usize, flipped: bool| {
                let asked = needs.get_mut(&arg).expect("operands are below");
                asked.range = Some(match asked.range {
                    None => (from, to),
                    Some((low, high)) => (low.min(from), high.max(to)),
                });
                let (positive, negative) =
                    if flipped { (need.negative, need.positive) } else { (need.positive, need.negative) };
                asked.positive |= positive;
                asked.negative |= negative;
            };
            if let Some(window) =
                self.spec.store.node(formula).window().filter(|_| self.spec.store.node(formula).is_past())
            {
                if !window.is_empty() {
                    let (lower, upper) = self.grid.past_bounds(window, last);
                    let from = first.saturating_sub(upper);
                    let args = self.spec.store.node(formula).args();
                    let (goal, before) = args.split_last().expect("a temporal operator has operands");
                    before.iter().for_each(|&arg| ask_between(arg, from, last, false));
                    if lower <= last {
                        ask_between(*goal, from, last - lower, false);
                    }
                }
                continue;
            }
            let mut ask = |arg: Formula, from: usize, to: usize, flipped: bool| {
                ask_between(arg, first + from, last + to, flipped);
            };
            match self.spec.store.node(formula) {
                Node::Constant(_) | Node::Signal(_) | Node::Compare(_) => {}
                Node::Not(arg) => ask(*arg, 0, 0, true),
                Node::And(left, right) | Node::Or(left, right) => {
                    ask(*left, 0, 0, false);
                    ask(*right, 0, 0, false);
                }
                Node::Implies(left, right) => {
                    ask(*left, 0, 0, true);
                    ask(*right, 0, 0, false);
                }
                Node::Next(time, arg) => {
                    let by = self.grid.length(time);
                    ask(*arg, by, by, false);
                }
                Node::Finally(window, arg) | Node::Globally(window, arg) => {
                    if !window.is_empty() {
                        let (lower, upper) = self.grid.bounds(window);
                        ask(*arg, lower, upper, false);
                    }
                }
                Node::Until(window, left, right) | Node::Release(window, left, right) => {
                    if !window.is_empty() {
                        let (lower, upper) = self.grid.bounds(window);
                        ask(*left, 0, upper, false);
                        ask(*right, lower, upper, false);
                    }
                }
                Node::Once(..) | Node::Historically(..) | Node::Since(..) => unreachable!("these look back"),
            }
        }
        needs
    }

    fn make(&mut self, terms: &mut Terms, formula: Formula, sign: bool, first: usize, last: usize) {
        let size = self.grid.last + 1;
        let done = self.made.entry((formula, sign)).or_insert_with(|| vec![None; size]);
        if (first..=last).all(|index| done[index].is_some()) {
            return;
        }
        let row = self.row(terms, formula, sign, first, last);
        let made = self.made.get_mut(&(formula, sign)).expect("inserted above");
        for (index, term) in (first..=last).zip(row) {
            made[index] = Some(term);
        }
    }

    /// The terms of a formula from `first` to `last`.
    fn row(&self, terms: &mut Terms, formula: Formula, sign: bool, first: usize, last: usize) -> Vec<Term> {
        let mut each = |term: &mut dyn FnMut(&mut Terms, usize) -> Term| -> Vec<Term> {
            (first..=last).map(|index| term(terms, index)).collect()
        };
        match self.spec.store.node(formula) {
            Node::Constant(truth) => each(&mut |terms, _| terms.bool(*truth == sign)),
            node @ (Node::Signal(_) | Node::Compare(_)) => {
                each(&mut |terms, index| self.atoms.literal(terms, node, index, sign))
            }
            Node::Not(arg) => each(&mut |_, index| self.at(*arg, !sign, index)),
            Node::And(left, right) => {
                each(&mut |terms, index| both(terms, sign, self.at(*left, sign, index), self.at(*right, sign, index)))
            }
            Node::Or(left, right) => {
                each(&mut |terms, index| both(terms, !sign, self.at(*left, sign, index), self.at(*right, sign, index)))
            }
            Node::Implies(left, right) => {
                each(&mut |terms, index| both(terms, !sign, self.at(*left, !sign, index), self.at(*right, sign, index)))
            }
            Node::Next(time, arg) => {
                let by = self.grid.length(time);
                each(&mut |_, index| self.at(*arg, sign, index + by))
            }
            Node::Finally(window, arg) => self.windowed(terms, *arg, window, sign, false, first, last),
            Node::Globally(window, arg) => self.windowed(terms, *arg, window, sign, true, first, last),
            Node::Once(window, arg) => self.back(terms, *arg, window, sign, false, first, last),
            Node::Historically(window, arg) => self.back(terms, *arg, window, sign, true, first, last),
            Node::Since(window, left, right) => self.since(terms, [*left, *right], window, sign, first, last),
            Node::Until(window, left, right) => self.until(terms, [*left, *right], window, [sign, sign], first, last),
            // `X R Y` is `!(!X U !Y)`: surely true when the inner until is surely false.
            Node::Release(window, left, right) => {
                self.until(terms, [*left, *right], window, [!sign, sign], first, last)
            }
        }
    }

    /// At some index, or at all indices of a window.
    #[expect(clippy::too_many_arguments, reason = "the shape of a window")]
    fn windowed(
        &self,
        terms: &mut Terms,
        arg: Formula,
        window: &Window,
        sign: bool,
        all: bool,
        first: usize,
        last: usize,
    ) -> Vec<Term> {
        if window.is_empty() {
            return vec![terms.bool(all == sign); last - first + 1];
        }
        let (lower, upper) = self.grid.bounds(window);
        let entry = |place: usize| self.at(arg, sign, place);
        sliding(first + lower..=last + lower, upper - lower + 1, entry, |left, right| {
            both(terms, all == sign, left, right)
        })
    }

    /// Until, as: the goal within the window; the first part before it; and from its start the first part until the goal. `truth`
    /// says which side is made; `literal` which terms of the operands are taken, so that release is the other one.
    fn until(
        &self,
        terms: &mut Terms,
        [left, right]: [Formula; 2],
        window: &Window,
        [truth, literal]: [bool; 2],
        first: usize,
        last: usize,
    ) -> Vec<Term> {
        if window.is_empty() {
            return vec![terms.bool(!truth); last - first + 1];
        }
        let x = |index: usize| self.at(left, literal, index);
        let y = |index: usize| self.at(right, literal, index);
        self.reached(terms, &x, &y, self.grid.bounds(window), truth, first, last)
    }

    /// At some index, or at all indices of a window that looks back. Before time zero there are none.
    #[expect(clippy::too_many_arguments, reason = "the shape of a window")]
    fn back(
        &self,
        terms: &mut Terms,
        arg: Formula,
        window: &Window,
        sign: bool,
        all: bool,
        first: usize,
        last: usize,
    ) -> Vec<Term> {
        let nothing = terms.bool(all == sign);
        if window.is_empty() {
            return vec![nothing; last - first + 1];
        }
        let (lower, upper) = self.grid.past_bounds(window, last);
        let entry = |place: usize| if place < upper { nothing } else { self.at(arg, sign, place - upper) };
        sliding(first..=last, upper - lower + 1, entry, |left, right| both(terms, all == sign, left, right))
    }

    /// Since is until while time runs backwards; before time zero nothing holds.
    fn since(
        &self,
        terms: &mut Terms,
        [left, right]: [Formula; 2],
        window: &Window,
        sign: bool,
        first: usize,
        last: usize,
    ) -> Vec<Term> {
        let nothing = terms.bool(!sign);
        if window.is_empty() {
            return vec![nothing; last - first + 1];
        }
        // An even number, so that points stay points.
        let turn = last.next_multiple_of(2);
        let mirrored = |arg: Formula, index: usize| match turn.checked_sub(index) {
            Some(index) => self.at(arg, sign, index),
            None => nothing,
        };
        let (x, y) = (|index: usize| mirrored(left, index), |index: usize| mirrored(right, index));
        let bounds = self.grid.past_bounds(window, last);
        let mut row = self.reached(terms, &x, &y, bounds, sign, turn - last, turn - first);
        row.reverse();
        row
    }

    #[expect(clippy::too_many_arguments, reason = "the shape of a window")]
    fn reached(
        &self,
        terms: &mut Terms,
        x: &impl Fn(usize) -> Term,
        y: &impl Fn(usize) -> Term,
        (lower, upper): (usize, usize),
        truth: bool,
        first: usize,
        last: usize,
    ) -> Vec<Term> {
        let within =
            sliding(first + lower..=last + lower, upper - lower + 1, y, |left, right| both(terms, !truth, left, right));
        // From the last index down: the goal now, or the first part now and on.
        let end = last + upper;
        let mut waits: Vec<Term> = vec![terms.bool(!truth); end + 2 - (first + lower)];
        for index in (first + lower..=end).rev() {
            let next = waits[index + 1 - first - lower];
            let mut on = both(terms, truth, x(index), next);
            if !is_cell(index) && index < end {
                on = both(terms, truth, x(index + 1), on);
            }
            waits[index - first - lower] = both(terms, !truth, y(index), on);
        }
        let mut row = Vec::with_capacity(last - first + 1);
        let before = self.before(terms, x, truth, lower, first, last);
        for index in first..=last {
            let reached = both(terms, truth, within[index - first], waits[index - first]);
            row.push(match &before {
                Some(before) => both(terms, truth, before[index - first], reached),
                None => reached,
            });
        }
        row
    }

    /// The first part from now up to the start of the window; a cell's time reaches into the cell at the start.
    fn before(
        &self,
        terms: &mut Terms,
        x: &impl Fn(usize) -> Term,
        truth: bool,
        lower: usize,
        first: usize,
        last: usize,
    ) -> Option<Vec<Term>> {
        if lower == 0 {
            return None;
        }
        let mut points = sliding(first..=last, lower, x, |left, right| both(terms, truth, left, right));
        for index in (first..=last).filter(|&index| is_cell(index)) {
            points[index - first] = both(terms, truth, points[index - first], x(index + lower));
        }
        Some(points)
    }
}

/// A conjunction, or a disjunction, of two terms, without the obvious.
fn both(terms: &mut Terms, and: bool, left: Term, right: Term) -> Term {
    let (neutral, absorbing) = (terms.bool(and), terms.bool(!and));
    if left == absorbing || right == absorbing {
        return absorbing;
    }
    if left == neutral || left == right {
        return right;
    }
    if right == neutral {
        return left;
    }
    if and { terms.and(&[left, right]) } else { terms.or(&[left, right]) }
}
