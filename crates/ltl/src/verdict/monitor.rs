//! The monitor: reads a trace step by step, and can say at any time what it thinks of some properties.
//!
//! It keeps *columns*, one for each step that can still matter. A column knows which cells are decided and how, and the longest
//! waits that were seen before its step. Pairs are kept in absolute time (the step in which something is seen), so that a column can
//! be left out without changing its neighbours; [`super::settle`] leaves out all that cannot matter any more.

use super::cells::{Cell, CellId, Cells, Root};
use super::count::{Count, Pair};
use super::expect::Expectation;
use super::rules::{Divergence, Rules};
use super::settle::{Reach, reaches};
use omega::{AtomId, Formula, Formulas};

/// The longest waits seen: steps plus one, zero for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Longest {
    pub(super) satisfied: u64,
    pub(super) violated: u64,
}

/// The longest waits for every cell.
pub(super) type Experience = Box<[Longest]>;

/// A step that can still matter.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// The step, from 1.
    pub(super) position: u64,
    /// Which experience precedes it.
    pub(super) experience: u32,
    /// For cells that steps left out before this one wait for with it: the oldest of these steps.
    pub(super) since: Vec<(CellId, u64)>,
}

/// A monitor of some properties.
#[derive(Clone, Debug)]
pub struct Monitor {
    pub(super) cells: Cells,
    pub(super) reaches: Vec<Reach>,
    /// Whether columns may be left out.
    settles: bool,
    /// Whether steps are still looked at once every property is decided.
    learns: bool,
    /// Which waits are expected.
    pub(super) expectation: Expectation,
    /// How parts decide.
    pub(super) rules: Rules,
    pub(super) length: u64,
    pub(super) columns: Vec<Column>,
    /// For every column, a bit for every cell.
    pub(super) decided: Vec<u64>,
    pub(super) truth: Vec<u64>,
    pub(super) words: usize,
    atom_mask: Vec<u64>,
    /// The columns that went through a pass already.
    absorbed: usize,
    /// How many columns there may be before the next pass.
    limit: usize,
    pub(super) experiences: Vec<Experience>,
    /// The last of `experiences`: that of the next step.
    pub(super) total: Vec<Longest>,
    seen_true: Vec<u64>,
    seen_false: Vec<u64>,
    /// For every property, once it is decided: how, and in which step.
    pub(super) decisions: Vec<Option<(bool, u64)>>,
    /// For every column and the end, the pair of every cell in absolute time; made by a pass.
    pub(super) pairs: Vec<Pair>,
}

/// The fewest columns worth a pass.
const LEAST: usize = 512;

impl Monitor {
    /// A monitor whose memory does not grow with the length of the trace, as long as what is open does not.
    pub fn new(formulas: &Formulas, properties: &[Formula]) -> Monitor {
        Monitor::with(Cells::new(formulas, properties), true, false)
    }

    /// The same, but it goes on when every property is decided, so that its [`Monitor::history`] is that of the whole trace.
    pub fn learning(formulas: &Formulas, properties: &[Formula]) -> Monitor {
        Monitor::with(Cells::new(formulas, properties), true, true)
    }

    /// A monitor that keeps every step, for tables.
    pub fn keeping_all(formulas: &Formulas, properties: &[Formula]) -> Monitor {
        Monitor::with(Cells::new(formulas, properties), false, true)
    }

    /// The same, with another expectation than the longest wait that was seen.
    pub fn expecting(formulas: &Formulas, properties: &[Formula], expectation: Expectation) -> Monitor {
        Monitor { expectation, ..Monitor::keeping_all(formulas, properties) }
    }

    /// The same by other rules than the usual ones. Every step is kept: what may be left out is known for the usual rules only.
    ///
    /// # Panics
    /// If steps were read already.
    #[must_use]
    pub fn diverging(mut self, divergences: &[Divergence]) -> Monitor {
        assert!(self.length == 0, "rules come before the first step");
        self.rules = Rules::with(divergences);
        if self.rules != Rules::default() {
            self.settles = false;
            self.learns = true;
        }
        self
    }

    fn with(cells: Cells, settles: bool, learns: bool) -> Monitor {
        let words = cells.len().div_ceil(64);
        let mut atom_mask = vec![0; words];
        for (id, cell) in cells.cells.iter().enumerate() {
            if matches!(cell, Cell::Atom(_)) {
                atom_mask[id / 64] |= 1 << (id % 64);
            }
        }
        let decisions = cells.roots.iter().map(|root| match root {
            Root::Constant(value) => Some((*value, 0)),
            Root::Cell(_) => None,
        });
        Monitor {
            reaches: reaches(&cells),
            settles,
            learns,
            expectation: Expectation::Longest,
            rules: Rules::default(),
            length: 0,
            columns: Vec::new(),
            decided: Vec::new(),
            truth: Vec::new(),
            words,
            absorbed: 0,
            limit: LEAST,
            experiences: vec![vec![Longest::default(); cells.len()].into()],
            total: vec![Longest::default(); cells.len()],
            seen_true: vec![0; words],
            seen_false: vec![0; words],
            decisions: decisions.collect(),
            pairs: Vec::new(),
            atom_mask,
            cells,
        }
    }

    /// The propositions that a letter gives values to, in its order.
    pub fn atoms(&self) -> &[AtomId] {
        &self.cells.atoms
    }

    /// The number of steps read.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The number of steps that are kept.
    pub fn kept(&self) -> usize {
        self.columns.len()
    }

    /// Reads a step: a value for every proposition of [`Monitor::atoms`].
    pub fn push(&mut self, letter: &[bool]) {
        self.length += 1;
        if !self.learns && self.is_decided() {
            return;
        }
        let start = self.truth.len();
        self.decided.extend_from_slice(&self.atom_mask);
        self.truth.resize(start + self.words, 0);
        for word in 0..self.words {
            let mut atoms = self.atom_mask[word];
            let mut truth = 0;
            while atoms != 0 {
                let bit = atoms.trailing_zeros();
                let Cell::Atom(place) = self.cells.cells[word * 64 + bit as usize] else {
                    unreachable!("the mask holds atoms only")
                };
                truth |= u64::from(letter[place as usize]) << bit;
                atoms &= atoms - 1;
            }
            self.truth[start + word] = truth;
            self.seen_true[word] |= truth;
            self.seen_false[word] |= self.atom_mask[word] & !truth;
        }
        let experience = (self.experiences.len() - 1) as u32;
        self.columns.push(Column { position: self.length, experience, since: Vec::new() });
        if self.settles && self.limit <= self.columns.len() {
            self.absorb();
            self.limit = LEAST.max(2 * self.columns.len());
        }
    }

    /// Whether every property is known to be decided, so that no further step changes a verdict. What the last few hundred steps
    /// decided is known after the next verdict.
    pub fn is_decided(&self) -> bool {
        self.decisions.iter().all(Option::is_some)
    }

    /// Brings all that is known up to date.
    pub(super) fn absorb(&mut self) {
        self.count();
        self.learn();
        if self.settles {
            self.settle();
        }
        self.absorbed = self.columns.len();
        if self.expectation != Expectation::Longest {
            self.expect();
        }
    }

    /// Fills in the pairs, from the end to the beginning (definition 14).
    pub(super) fn count(&mut self) {
        let width = self.cells.len();
        let columns = self.columns.len();
        self.pairs.resize((columns + 1) * width, Pair::holds(Count::ZERO));
        for (pair, end) in self.pairs[columns * width..].iter_mut().zip(&self.cells.end) {
            *pair = end.later(self.length + 1);
        }
        for column in (0..columns).rev() {
            let (head, tail) = self.pairs.split_at_mut((column + 1) * width);
            let (row, next) = (&mut head[column * width..], &tail[..width]);
            let words = column * self.words..(column + 1) * self.words;
            let (decided, truth) = (&self.decided[words.clone()], &self.truth[words]);
            // What was decided before this pass was decided before everything that is decided in it.
            let known = if column < self.absorbed { Count::ZERO } else { Count::steps(self.columns[column].position) };
            for (id, cell) in self.cells.cells.iter().enumerate() {
                row[id] = if decided[id / 64] >> (id % 64) & 1 == 0 {
                    pair_of(*cell, id, row, next)
                } else if truth[id / 64] >> (id % 64) & 1 == 1 {
                    Pair::holds(known)
                } else {
                    Pair::fails(known)
                };
            }
        }
    }

    /// The pairs in absolute time, with the steps in which things were seen.
    pub(super) fn exact_pairs(&mut self) -> Vec<Pair> {
        let atoms = self.atom_mask.repeat(self.columns.len());
        let decided = std::mem::replace(&mut self.decided, atoms);
        let absorbed = std::mem::take(&mut self.absorbed);
        self.count();
        (self.decided, self.absorbed) = (decided, absorbed);
        std::mem::take(&mut self.pairs)
    }

    /// Notes what is newly decided, and hands the waits on to later steps.
    fn learn(&mut self) {
        let width = self.cells.len();
        let mut found = vec![Longest::default(); width];
        let (mut version, mut last) = (0_u32, (u32::MAX, 0_u32, 0_u32));
        for column in 0..self.columns.len() {
            let position = self.columns[column].position;
            if 0 < version {
                let old = self.columns[column].experience;
                if (last.0, last.1) != (old, version) {
                    last = (old, version, self.joined(old, &found));
                }
                self.columns[column].experience = last.2;
            }
            for word in 0..self.words {
                let place = column * self.words + word;
                let in_word = (width - word * 64).min(64);
                let mut open = !self.decided[place] & (u64::MAX >> (64 - in_word));
                while open != 0 {
                    let bit = open.trailing_zeros() as usize;
                    open &= open - 1;
                    let id = word * 64 + bit;
                    let pair = self.pairs[column * width + id];
                    let Some(value) = pair.decided() else { continue };
                    self.decided[place] |= 1 << bit;
                    self.truth[place] |= u64::from(value) << bit;
                    let known = if value { pair.satisfied } else { pair.violated };
                    let known = known.number().expect("what is decided was seen in some step");
                    let since = self.columns[column].since_of(id as CellId);
                    let wait = known - since + 1;
                    let before = &self.experiences[self.columns[column].experience as usize][id];
                    let (before, found, total) = if value {
                        (before.satisfied, &mut found[id].satisfied, &mut self.total[id].satisfied)
                    } else {
                        (before.violated, &mut found[id].violated, &mut self.total[id].violated)
                    };
                    *total = wait.max(*total);
                    if before < wait && *found < wait {
                        *found = wait;
                        version += 1;
                    }
                    if column == 0 && position == 1 {
                        for (root, decision) in self.cells.roots.iter().zip(&mut self.decisions) {
                            if *root == Root::Cell(id as CellId) {
                                *decision = Some((value, known));
                            }
                        }
                    }
                }
            }
        }
        self.learn_atoms();
        if *self.experiences[self.experiences.len() - 1] != *self.total {
            self.experiences.push(self.total.clone().into());
        }
        self.forget();
    }

    /// Propositions are seen at once.
    fn learn_atoms(&mut self) {
        for (id, total) in self.total.iter_mut().enumerate() {
            let bit = |mask: &[u64]| mask[id / 64] >> (id % 64) & 1;
            total.satisfied = total.satisfied.max(bit(&self.seen_true));
            total.violated = total.violated.max(bit(&self.seen_false));
        }
        for number in 0..self.decisions.len() {
            if let Root::Cell(cell) = self.cells.roots[number] {
                self.decisions[number] = self.decisions[number].or_else(|| self.decision_of_atom(cell as usize));
            }
        }
    }

    /// The value of a proposition in the first step.
    fn decision_of_atom(&self, id: usize) -> Option<(bool, u64)> {
        let first = self.columns.first().filter(|column| column.position == 1)?;
        let is_atom = matches!(self.cells.cells[id], Cell::Atom(_));
        is_atom.then(|| (self.truth[id / 64] >> (id % 64) & 1 == 1, first.position))
    }

    /// The number of an experience joined with what was found.
    fn joined(&mut self, old: u32, found: &[Longest]) -> u32 {
        let join = |(old, found): (&Longest, &Longest)| Longest {
            satisfied: old.satisfied.max(found.satisfied),
            violated: old.violated.max(found.violated),
        };
        let joined: Experience = self.experiences[old as usize].iter().zip(found).map(join).collect();
        if joined == self.experiences[old as usize] {
            return old;
        }
        self.experiences.push(joined);
        (self.experiences.len() - 1) as u32
    }

    /// Forgets the experiences that no column refers to, all but the last.
    fn forget(&mut self) {
        if self.experiences.len() <= 2 * self.columns.len() + 8 {
            return;
        }
        let mut new = vec![u32::MAX; self.experiences.len()];
        let mut kept: Vec<Experience> = Vec::new();
        let last = self.experiences.len() - 1;
        for column in &mut self.columns {
            let old = column.experience as usize;
            if new[old] == u32::MAX {
                new[old] = kept.len() as u32;
                kept.push(self.experiences[old].clone());
            }
            column.experience = new[old];
        }
        kept.push(self.experiences[last].clone());
        self.experiences = kept;
    }

    /// Whether a cell of a column is decided, and how.
    pub(super) fn decision(&self, column: usize, id: CellId) -> Option<bool> {
        let (place, bit) = (column * self.words + id as usize / 64, id % 64);
        (self.decided[place] >> bit & 1 == 1).then(|| self.truth[place] >> bit & 1 == 1)
    }

    /// Starts from the experience of other traces of the same properties.
    pub fn start_from(&mut self, history: &History) {
        assert!(self.length == 0, "history comes before the first step");
        assert!(history.0.len() == self.total.len(), "history is about the same properties");
        self.total.copy_from_slice(&history.0);
        self.experiences = vec![history.0.clone().into()];
    }

    /// The experience of the trace, for other traces.
    pub fn history(&mut self) -> History {
        self.absorb();
        History(self.total.clone())
    }
}

/// The experience of earlier traces.
#[derive(Clone, Debug)]
pub struct History(Vec<Longest>);

impl History {
    /// The longer waits of both.
    pub fn join(&mut self, other: &History) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            own.satisfied = own.satisfied.max(other.satisfied);
            own.violated = own.violated.max(other.violated);
        }
    }
}

impl Column {
    /// The oldest step that waits for a cell together with this one.
    pub(super) fn since_of(&self, id: CellId) -> u64 {
        self.since.iter().find(|(cell, _)| *cell == id).map_or(self.position, |(_, since)| *since)
    }
}

/// The pair of a cell from those of its column and of the next.
fn pair_of(cell: Cell, id: usize, row: &[Pair], next: &[Pair]) -> Pair {
    let at = |id: CellId| row[id as usize];
    match cell {
        Cell::Atom(_) => unreachable!("propositions are decided in every step"),
        Cell::Not(argument) => at(argument).swapped(),
        Cell::And(left, right) => at(left).and(at(right)),
        Cell::Or(left, right) => at(left).or(at(right)),
        Cell::Implies(left, right) => at(left).swapped().or(at(right)),
        Cell::Next { argument, .. } => next[argument as usize],
        Cell::Finally(argument) => at(argument).or(next[id]),
        Cell::Globally(argument) => at(argument).and(next[id]),
        Cell::Until { left, right, .. } => at(right).or(at(left).and(next[id])),
        Cell::Release { left, right, .. } => at(right).and(at(left).or(next[id])),
    }
}
