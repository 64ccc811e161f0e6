//! Proofs that no signal meets an obligation, whatever it does inside cells.
//!
//! For each cell and formula there are two truth values: it holds at *some* time of the cell, and at *all* times. What follows for
//! every signal is a fact (straight ones are continuous, others keep their values for a while); what does not is left open. So the facts allow too much, never too little, and where they
//! contradict an obligation it is impossible: a theorem.

mod abrupt;
mod layers;
mod propositions;

use rustc_hash::FxHashMap;
use smt::{Answer, Solver, Term, Terms};
use stl::Spec;
use stl::goals::Obligation;
use stl::store::{Formula, Node, Window};
use value::Sort;

use super::grid::{Grid, is_cell, sliding};
use layers::Layers;
use propositions::Propositions;
use search::{Backend, SearchError};

/// What is known of a formula at an index: of a point, both are the same.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Truth {
    /// It holds at some time.
    some: Term,
    /// It holds at all times.
    all: Term,
}

/// A solver with facts about all signals.
pub(super) struct Prover<'a> {
    spec: &'a Spec,
    grid: Grid,
    terms: Terms,
    solver: Box<dyn Solver>,
    propositions: Propositions,
    layers: Layers,
    made: FxHashMap<(Formula, usize), Truth>,
    facts: Vec<Term>,
}

impl<'a> Prover<'a> {
    pub(super) fn new(spec: &'a Spec, formulas: &[Formula], backend: &Backend) -> Result<Prover<'a>, SearchError> {
        let grid = Grid::new(spec, formulas, 0);
        let mut terms = Terms::new();
        let mut facts = Vec::new();
        let propositions = Propositions::new(&mut terms, &mut facts, spec, formulas, &grid);
        let solver = backend.solver()?;
        Ok(Prover {
            spec,
            grid,
            terms,
            solver,
            propositions,
            layers: Layers::default(),
            made: FxHashMap::default(),
            facts,
        })
    }

    /// Asks whether an obligation may be met.
    pub(super) fn refute(
        &mut self,
        formula: Formula,
        obligation: &Obligation,
        backend: &Backend,
    ) -> Result<Answer, SearchError> {
        let own = self.at_start(formula);
        let wanted = match *obligation {
            Obligation::Differ(mutant) => {
                let other = self.at_start(mutant);
                vec![self.terms.xor(own, other)]
            }
            Obligation::Hold { predicate, verdict } => {
                let mut parts = vec![self.at_start(predicate)];
                parts.extend(verdict.map(|verdict| if verdict { own } else { self.terms.not(own) }));
                parts
            }
        };
        for fact in std::mem::take(&mut self.facts) {
            self.solver.assert(&self.terms, fact)?;
        }
        Ok(self.solver.check(&self.terms, backend.query(&wanted))?)
    }

    fn at_start(&mut self, formula: Formula) -> Term {
        let below = self.spec.store.below(&[formula]);
        let mut needs: FxHashMap<Formula, (usize, usize)> = FxHashMap::default();
        needs.insert(formula, (0, 0));
        for &formula in below.iter().rev() {
            let Some(&(first, last)) = needs.get(&formula) else { continue };
            let node = self.spec.store.node(formula);
            if let Some(window) = node.window().filter(|_| node.is_past()) {
                if !window.is_empty() {
                    let (lower, upper) = self.grid.past_bounds(window, last);
                    let from = first.saturating_sub(upper);
                    let args = node.args();
                    let (&goal, others) = args.split_last().expect("a temporal operator has operands");
                    let mut need = |arg: Formula, to: usize| {
                        let need = needs.entry(arg).or_insert((from, to));
                        *need = (need.0.min(from), need.1.max(to));
                    };
                    others.iter().for_each(|&arg| need(arg, last));
                    if lower <= last {
                        need(goal, last - lower);
                    }
                }
                continue;
            }
            let reach = match node {
                Node::Next(time, _) => (self.grid.length(time), self.grid.length(time)),
                _ => match node.window() {
                    Some(window) if window.is_empty() => continue,
                    Some(window) => (0, self.grid.bounds(window).1),
                    None => (0, 0),
                },
            };
            for arg in node.args() {
                let need = needs.entry(arg).or_insert((first + reach.0, last + reach.1));
                *need = (need.0.min(first + reach.0), need.1.max(last + reach.1));
            }
        }
        for formula in below {
            let Some(&(first, last)) = needs.get(&formula) else { continue };
            if (first..=last).all(|index| self.made.contains_key(&(formula, index))) {
                continue;
            }
            let row = self.row(formula, first, last);
            for (index, truth) in (first..=last).zip(row) {
                self.made.entry((formula, index)).or_insert(truth);
            }
        }
        self.made[&(formula, 0)].all
    }

    fn row(&mut self, formula: Formula, first: usize, last: usize) -> Vec<Truth> {
        let get = |prover: &Self, arg: Formula, index: usize| prover.made[&(arg, index)];
        let node = self.spec.store.node(formula).clone();
        match &node {
            Node::Constant(truth) => {
                let truth = self.terms.bool(*truth);
                vec![Truth { some: truth, all: truth }; last - first + 1]
            }
            Node::Signal(_) | Node::Compare(_) => {
                let Prover { propositions, terms, facts, .. } = self;
                (first..=last).map(|index| propositions.truth(terms, facts, &node, index)).collect()
            }
            Node::Not(arg) => (first..=last).map(|index| self.not(get(self, *arg, index))).collect(),
            Node::And(left, right) | Node::Or(left, right) | Node::Implies(left, right) => (first..=last)
                .map(|index| {
                    if is_cell(index)
                        && let Some(truth) = self.combined(formula, index)
                    {
                        return truth;
                    }
                    let (left, right) = (get(self, *left, index), get(self, *right, index));
                    match node {
                        Node::And(..) => self.and(left, right),
                        Node::Or(..) => self.or(left, right),
                        _ => {
                            let not_left = self.not(left);
                            self.or(not_left, right)
                        }
                    }
                })
                .collect(),
            Node::Next(time, arg) => {
                let by = self.grid.length(time);
                (first..=last).map(|index| get(self, *arg, index + by)).collect()
            }
            Node::Finally(window, arg) => {
                if window.is_empty() {
                    return self.constant(false, first, last);
                }
                let inner = |prover: &Self, index| get(prover, *arg, index);
                self.finally(self.grid.bounds(window), first, last, inner)
            }
            Node::Globally(window, arg) => {
                if window.is_empty() {
                    return self.constant(true, first, last);
                }
                let negated = self.negated(*arg, first, last, window);
                let row = self.finally(self.grid.bounds(window), first, last, |_, index| negated[index - first]);
                row.into_iter().map(|truth| self.not(truth)).collect()
            }
            Node::Until(window, left, right) => {
                if window.is_empty() {
                    return self.constant(false, first, last);
                }
                if abrupt::is_abrupt(self.spec, (*left, true), (*right, true)) {
                    let now = |prover: &Self, index: usize| get(prover, *right, index);
                    return self.only_now(window, first, last, now);
                }
                let end = last + self.grid.bounds(window).1;
                let x: Vec<Truth> = (first..=end).map(|index| get(self, *left, index)).collect();
                let y: Vec<Truth> = (first..=end).map(|index| get(self, *right, index)).collect();
                self.until(self.grid.bounds(window), first, last, &x, &y)
            }
            Node::Once(window, _) | Node::Historically(window, _) | Node::Since(window, ..) => {
                let dual = matches!(node, Node::Historically(..));
                if window.is_empty() {
                    return self.constant(dual, first, last);
                }
                self.back(&node, window, first, last)
            }
            Node::Release(window, left, right) => {
                if window.is_empty() {
                    return self.constant(true, first, last);
                }
                let (x, y) = (self.negated(*left, first, last, window), self.negated(*right, first, last, window));
                let row = match abrupt::is_abrupt(self.spec, (*left, false), (*right, false)) {
                    true => self.only_now(window, first, last, |_, index| y[index - first]),
                    false => self.until(self.grid.bounds(window), first, last, &x, &y),
                };
                row.into_iter().map(|truth| self.not(truth)).collect()
            }
        }
    }

    /// An operator that looks back is one that looks ahead while time runs backwards; before time zero nothing holds.
    fn back(&mut self, node: &Node, window: &Window, first: usize, last: usize) -> Vec<Truth> {
        let dual = matches!(node, Node::Historically(..));
        let bounds = self.grid.past_bounds(window, last);
        // An even number, so that points stay points.
        let turn = last.next_multiple_of(2);
        let (from, to) = (turn - last, turn - first);
        let nothing = Truth { some: self.terms.bool(false), all: self.terms.bool(false) };
        let mut sides: Vec<Vec<Truth>> = Vec::new();
        let args = node.args();
        for (place, &arg) in args.iter().enumerate() {
            // What comes later than the window is never looked at.
            let least = if place + 1 == args.len() { bounds.0 } else { 0 };
            let mut side = Vec::with_capacity(to + bounds.1 + 1 - from);
            for index in from..=to + bounds.1 {
                let seen = turn.checked_sub(index).filter(|at| at + least <= last);
                side.push(match seen.map(|index| self.made[&(arg, index)]) {
                    Some(truth) if dual => self.not(truth),
                    Some(truth) => truth,
                    None => nothing,
                });
            }
            sides.push(side);
        }
        let mut row = match sides.as_slice() {
            [x, y] => self.until(bounds, from, to, x, y),
            [only] => self.finally(bounds, from, to, |_, index| only[index - from]),
            _ => unreachable!("a temporal operator has one operand or two"),
        };
        row.reverse();
        if dual { row.into_iter().map(|truth| self.not(truth)).collect() } else { row }
    }

    fn constant(&self, truth: bool, first: usize, last: usize) -> Vec<Truth> {
        let truth = self.terms.bool(truth);
        vec![Truth { some: truth, all: truth }; last - first + 1]
    }

    /// The negation of a formula from `first` to the end of the last window.
    fn negated(&mut self, arg: Formula, first: usize, last: usize, window: &Window) -> Vec<Truth> {
        if window.is_empty() {
            return Vec::new();
        }
        let end = last + self.grid.bounds(window).1;
        let row: Vec<Truth> = (first..=end).map(|index| self.made[&(arg, index)]).collect();
        row.into_iter().map(|truth| self.not(truth)).collect()
    }

    fn not(&mut self, truth: Truth) -> Truth {
        if truth.some == truth.all {
            let negated = self.terms.not(truth.all);
            return Truth { some: negated, all: negated };
        }
        Truth { some: self.terms.not(truth.all), all: self.terms.not(truth.some) }
    }

    fn and(&mut self, left: Truth, right: Truth) -> Truth {
        let all = self.terms.and(&[left.all, right.all]);
        if left.some == left.all || right.some == right.all {
            // One side does not change here.
            return Truth { some: self.terms.and(&[left.some, right.some]), all };
        }
        let most = self.terms.and(&[left.some, right.some]);
        let (first, second) = (self.terms.and(&[left.all, right.some]), self.terms.and(&[left.some, right.all]));
        let least = self.terms.or(&[first, second]);
        Truth { some: self.between(least, most), all }
    }

    fn or(&mut self, left: Truth, right: Truth) -> Truth {
        let (left, right) = (self.not(left), self.not(right));
        let neither = self.and(left, right);
        self.not(neither)
    }

    /// A truth value of which only bounds are known: implied by `least`, implying `most`.
    fn between(&mut self, least: Term, most: Term) -> Term {
        if least == most {
            return least;
        }
        let open = self.terms.fresh("open", &Sort::Bool);
        let (lower, upper) = (self.terms.implies(least, open), self.terms.implies(open, most));
        self.facts.extend([lower, upper]);
        open
    }

    fn finally(
        &mut self,
        (lower, upper): (usize, usize),
        first: usize,
        last: usize,
        inner: impl Fn(&Self, usize) -> Truth,
    ) -> Vec<Truth> {
        let entries: Vec<Truth> = (first..=last + upper)
            .map(|index| match index < first + lower {
                // Never looked at.
                true => Truth { some: self.terms.bool(false), all: self.terms.bool(false) },
                false => inner(self, index),
            })
            .collect();
        let at = |index: usize| entries[index - first];
        let terms = &mut self.terms;
        let some = sliding(
            first + lower..=last + lower,
            upper - lower + 1,
            |index| at(index).some,
            |left, right| terms.or(&[left, right]),
        );
        // What lies between the cells at the ends of a cell's window is seen from every time of it.
        let core = match upper - lower {
            0 => Vec::new(),
            width => sliding(
                first + lower + 1..=last + lower + 1,
                width - 1,
                |index| entries[(index - first).min(entries.len() - 1)].some,
                |left, right| terms.or(&[left, right]),
            ),
        };
        let mut row = Vec::new();
        for index in first..=last {
            let some = some[index - first];
            if !is_cell(index) {
                row.push(Truth { some, all: some });
                continue;
            }
            if lower == upper {
                row.push(at(index + lower));
                continue;
            }
            let least = self.terms.or(&[core[index - first], at(index + lower).all, at(index + upper).all]);
            row.push(Truth { some, all: self.between(least, some) });
        }
        row
    }

    /// Until from `first` to `last`; the operands are given from `first` on.
    fn until(
        &mut self,
        (lower, upper): (usize, usize),
        first: usize,
        last: usize,
        x: &[Truth],
        y: &[Truth],
    ) -> Vec<Truth> {
        let waits = self.waits(first, last + upper, x, y);
        let y = y.to_vec();
        let within = self.finally((lower, upper), first, last, move |_, index| y[index - first]);
        let mut row = Vec::new();
        for index in first..=last {
            let reached = self.and(within[index - first], waits[index + lower - first]);
            row.push(match self.before(index, lower, first, x) {
                Some(before) => self.and(before, reached),
                None => reached,
            });
        }
        row
    }

    /// Until, where waiting is of no use.
    fn only_now(&self, window: &Window, first: usize, last: usize, goal: impl Fn(&Self, usize) -> Truth) -> Vec<Truth> {
        match window.lower.is_zero() {
            true => (first..=last).map(|index| goal(self, index)).collect(),
            false => self.constant(false, first, last),
        }
    }

    /// The first part until the second, at the latest at `end`.
    fn waits(&mut self, first: usize, end: usize, x: &[Truth], y: &[Truth]) -> Vec<Truth> {
        let never = self.terms.bool(false);
        let mut waits = vec![Truth { some: never, all: never }; end - first + 3];
        for index in (first..=end).rev() {
            let (hold, goal) = (x[index - first], y[index - first]);
            let truth = if is_cell(index) {
                let next = waits[index + 1 - first].all;
                let (sure, perhaps) = (self.terms.and(&[hold.all, next]), self.terms.and(&[hold.some, next]));
                let (least, most) = (self.terms.or(&[goal.some, sure]), self.terms.or(&[goal.some, perhaps]));
                let some = self.between(least, most);
                let least = self.terms.or(&[goal.all, sure]);
                let most = self.terms.or(&[goal.all, hold.some]);
                let most = self.terms.and(&[some, most]);
                Truth { some, all: self.between(least, most) }
            } else if index == end {
                goal
            } else {
                let (cell, cell_goal) = (x[index + 1 - first], y[index + 1 - first]);
                let next = waits[index + 2 - first].all;
                let reached = self.terms.or(&[cell_goal.some, next]);
                let least = self.terms.and(&[cell.all, reached]);
                let through = self.terms.and(&[cell.all, next]);
                let most = self.terms.or(&[cell_goal.some, through]);
                let most = self.terms.and(&[cell.some, most]);
                let waited = self.between(least, most);
                let waited = self.terms.and(&[hold.all, waited]);
                let now = self.terms.or(&[goal.all, waited]);
                Truth { some: now, all: now }
            };
            waits[index - first] = truth;
        }
        waits
    }

    /// The first part from `index` up to the start of the window.
    fn before(&mut self, index: usize, lower: usize, first: usize, x: &[Truth]) -> Option<Truth> {
        if lower == 0 {
            return None;
        }
        let last = if is_cell(index) { index + lower } else { index + lower - 1 };
        let whole: Vec<Term> = (index..=last).map(|place| x[place - first].all).collect();
        let all = self.terms.and(&whole);
        if !is_cell(index) {
            return Some(Truth { some: all, all });
        }
        let mut inner: Vec<Term> = (index + 1..last).map(|place| x[place - first].all).collect();
        inner.extend([x[index - first].some, x[last - first].some]);
        let most = self.terms.and(&inner);
        Some(Truth { some: self.between(all, most), all })
    }
}
