//! Leaves out the columns that cannot matter any more, so that memory follows what is open and not the length of the trace.
//!
//! A column may go if three things hold whatever comes.
//! *Its pairs stay those of the next column*: what is not decided in it is equal there by the laws of distributive lattices, as
//! `F a` is to the next `F a` where `a` is known to be false.
//! *Its waits are remembered*: the next column knows since when they last.
//! *Its verdicts are not missed*: what the column before reads from it, it only reads from the next itself; or it stands between two
//! columns that are like it but for their age, with one question of age to answer for each cell that is read, so that it answers as
//! one of them does.

use rustc_hash::FxHashMap;

use super::cells::{Cell, CellId, Cells, Root};
use super::count::Count;
use super::monitor::{Longest, Monitor};

/// Which parts of the pair of an undecided cell are finite.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    may: Sides,
    must: Sides,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sides {
    satisfied: bool,
    violated: bool,
}

impl Sides {
    const BOTH: Sides = Sides { satisfied: true, violated: true };

    fn swapped(self) -> Sides {
        Sides { satisfied: self.violated, violated: self.satisfied }
    }

    fn or(self, other: Sides) -> Sides {
        Sides { satisfied: self.satisfied || other.satisfied, violated: self.violated || other.violated }
    }

    fn and(self, other: Sides) -> Sides {
        Sides { satisfied: self.satisfied && other.satisfied, violated: self.violated && other.violated }
    }
}

/// What can be said of every cell before any trace.
pub(super) fn reaches(cells: &Cells) -> Vec<Reach> {
    let mut reaches: Vec<Reach> = Vec::with_capacity(cells.len());
    for (id, cell) in cells.cells.iter().enumerate() {
        let at = |id: CellId| reaches[id as usize];
        let end = |id: usize| Sides {
            satisfied: cells.end[id].satisfied < Count::INFINITE,
            violated: cells.end[id].violated < Count::INFINITE,
        };
        let both = |left: Reach, right: Reach| Reach { may: left.may.or(right.may), must: left.must.and(right.must) };
        let swapped = |reach: Reach| Reach { may: reach.may.swapped(), must: reach.must.swapped() };
        let fixed_point = |left: CellId, right: CellId| {
            let parts = both(at(left), at(right));
            Reach { may: parts.may.or(end(id)), must: parts.must.and(end(id)) }
        };
        let reach = match *cell {
            // Never undecided in a column.
            Cell::Atom(_) => Reach { may: Sides::default(), must: Sides::BOTH },
            Cell::Not(argument) => swapped(at(argument)),
            Cell::And(left, right) | Cell::Or(left, right) => both(at(left), at(right)),
            Cell::Implies(left, right) => both(swapped(at(left)), at(right)),
            Cell::Next { argument, .. } if id < argument as usize => Reach { may: Sides::BOTH, must: Sides::default() },
            Cell::Next { argument, .. } => {
                let inner = at(argument);
                Reach { may: inner.may.or(end(argument as usize)), must: inner.must.and(end(argument as usize)) }
            }
            Cell::Finally(argument) => {
                let ends = end(argument as usize).satisfied;
                Reach {
                    may: Sides { satisfied: at(argument).may.satisfied || ends, violated: false },
                    must: Sides { satisfied: ends, violated: false },
                }
            }
            Cell::Globally(argument) => {
                let ends = end(argument as usize).violated;
                Reach {
                    may: Sides { satisfied: false, violated: at(argument).may.violated || ends },
                    must: Sides { satisfied: false, violated: ends },
                }
            }
            Cell::Until { left, right, .. } | Cell::Release { left, right, .. } => fixed_point(left, right),
        };
        reaches.push(reach);
    }
    reaches
}

impl Reach {
    /// How many questions of age the pair may raise.
    fn questions(self) -> u32 {
        u32::from(self.may.satisfied) + u32::from(self.may.violated)
    }

    /// Whether experience answers for the formula, now and later, so that its parts are not asked.
    fn is_answered(self, longest: Longest) -> bool {
        let by_satisfaction = self.must.satisfied && !self.may.violated && 0 < longest.satisfied;
        let by_violation = self.must.violated && !self.may.satisfied && 0 < longest.violated;
        by_satisfaction || by_violation
    }
}

/// What a column reads of the next.
struct Reads {
    /// Cells `F` and `G`.
    chains: Vec<CellId>,
    /// What is read in later steps for the sake of an `X`.
    later: Vec<(u64, CellId)>,
    /// The last of these steps.
    until: u64,
    /// A bit for every cell of the column that takes part.
    parts: Vec<u64>,
}

impl Monitor {
    /// Leaves out columns. Everything must be absorbed.
    pub(super) fn settle(&mut self) {
        let columns = self.columns.len();
        if columns < 3 {
            return;
        }
        let same = self.same_as_next();
        let roots = self.cells.roots.iter().filter_map(|root| match root {
            Root::Cell(cell) => Some(*cell),
            Root::Constant(_) => None,
        });
        let roots: Vec<CellId> = roots.collect();
        let mut reads = self.reads(0, &roots);
        let mut kept = vec![0];
        let mut waits = Waits::default();
        let mut standings = Standings::default();
        for column in 1..columns - 1 {
            let before = kept[kept.len() - 1];
            if self.may_go(before, column, &same, &reads, &mut standings) {
                waits.take(self, column);
                continue;
            }
            let position = self.columns[column].position;
            let here = reads.later.iter().filter(|(step, _)| *step == position).map(|(_, id)| *id);
            let needed: Vec<CellId> = reads.chains.iter().copied().chain(here).collect();
            let mut after = self.reads(column, &needed);
            after.later.extend(reads.later.iter().filter(|(step, _)| position < *step));
            after.until = after.until.max(reads.until);
            reads = after;
            waits.give(&mut self.columns[column].since);
            kept.push(column);
        }
        waits.give(&mut self.columns[columns - 1].since);
        kept.push(columns - 1);
        self.keep(&kept);
    }

    /// For every column, the undecided cells that stay equal to those of the next column.
    fn same_as_next(&self) -> Vec<u64> {
        let (columns, words) = (self.columns.len(), self.words);
        let mut same = vec![0; columns * words];
        for column in (0..columns - 1).rev() {
            for word in 0..words {
                let here = column * words + word;
                // Cells that are undecided in both.
                let in_word = (self.cells.len() - word * 64).min(64);
                let mut open = !(self.decided[here] | self.decided[here + words]) & (u64::MAX >> (64 - in_word));
                while open != 0 {
                    let bit = open.trailing_zeros();
                    open &= open - 1;
                    let id = (word * 64) as CellId + bit;
                    same[here] |= u64::from(self.is_same(column, id, &same)) << bit;
                }
            }
        }
        same
    }

    fn is_same(&self, column: usize, id: CellId, same: &[u64]) -> bool {
        let marked = |column: usize, id: CellId| same[column * self.words + id as usize / 64] >> (id % 64) & 1 == 1;
        let known = |id: CellId| self.decision(column, id).is_some();
        let equal = |id: CellId| {
            let here = self.decision(column, id);
            marked(column, id) || here.is_some() && here == self.decision(column + 1, id)
        };
        match self.cells.cells[id as usize] {
            Cell::Atom(_) => unreachable!("propositions are decided in every step"),
            Cell::Not(argument) => equal(argument),
            Cell::And(left, right) | Cell::Or(left, right) | Cell::Implies(left, right) => equal(left) && equal(right),
            Cell::Next { argument, .. } => marked(column + 1, argument),
            Cell::Finally(argument) | Cell::Globally(argument) => known(argument) || equal(argument),
            Cell::Until { left, right, .. } | Cell::Release { left, right, .. } => {
                known(left) && known(right) || equal(left) && equal(right)
            }
        }
    }

    /// What is read of the next column for the sake of these cells, now or later.
    fn reads(&self, column: usize, cells: &[CellId]) -> Reads {
        let mut reads = Reads { chains: Vec::new(), later: Vec::new(), until: 0, parts: vec![0; self.words] };
        let mut needed = vec![0_u64; self.words];
        let mut mark = |needed: &mut [u64], id: CellId| {
            needed[id as usize / 64] |= 1 << (id % 64);
            reads.parts[id as usize / 64] |= 1 << (id % 64);
        };
        cells.iter().for_each(|&id| mark(&mut needed, id));
        for word in (0..self.words).rev() {
            loop {
                let open = needed[word] & !self.decided[column * self.words + word];
                if open == 0 {
                    break;
                }
                let bit = 63 - open.leading_zeros();
                needed[word] &= !(1 << bit);
                let id = (word * 64) as CellId + bit;
                if self.reaches[id as usize].is_answered(self.experience(column, id)) {
                    continue;
                }
                match self.cells.cells[id as usize] {
                    Cell::Atom(_) => {}
                    Cell::Not(argument) => mark(&mut needed, argument),
                    Cell::And(left, right) | Cell::Or(left, right) | Cell::Implies(left, right) => {
                        mark(&mut needed, left);
                        mark(&mut needed, right);
                    }
                    Cell::Next { inner, count, .. } => {
                        let step = self.columns[column].position + u64::from(count);
                        reads.later.push((step, inner));
                        reads.until = reads.until.max(step);
                    }
                    Cell::Finally(argument) | Cell::Globally(argument) => {
                        reads.chains.push(id);
                        mark(&mut needed, argument);
                    }
                    Cell::Until { left, right, next } | Cell::Release { left, right, next } => {
                        mark(&mut needed, left);
                        mark(&mut needed, right);
                        mark(&mut needed, next);
                    }
                }
            }
        }
        reads
    }

    /// Whether a column may be left out; `before` is the last that is kept before it.
    fn may_go(&self, before: usize, column: usize, same: &[u64], reads: &Reads, standings: &mut Standings) -> bool {
        if self.columns[column].position <= reads.until {
            return false;
        }
        for word in 0..self.words {
            let here = column * self.words + word;
            let in_word = (self.cells.len() - word * 64).min(64);
            let all = u64::MAX >> (64 - in_word);
            if (self.decided[here] | same[here]) & all != all {
                return false;
            }
            // A fixed point that waits in the column before must not lose the value it waits with.
            let mut gone = !self.decided[before * self.words + word] & self.decided[here] & all;
            while gone != 0 {
                let id = word * 64 + gone.trailing_zeros() as usize;
                gone &= gone - 1;
                if matches!(self.cells.cells[id], Cell::Until { .. } | Cell::Release { .. }) {
                    return false;
                }
            }
        }
        reads.chains.iter().all(|&id| {
            self.passes_on(column, id)
                || standings.of(self, column, id).is_some_and(|parts| {
                    self.is_alike(before, column, same, parts) && self.is_alike(column, column + 1, same, parts)
                })
        })
    }

    /// Whether a cell `F` or `G` of the column is what the next column says.
    fn passes_on(&self, column: usize, id: CellId) -> bool {
        match self.cells.cells[id as usize] {
            Cell::Finally(argument) | Cell::Globally(argument) => {
                self.decision(column, id).is_none() && self.decision(column, argument).is_some()
            }
            Cell::Atom(_)
            | Cell::Not(_)
            | Cell::And(..)
            | Cell::Or(..)
            | Cell::Implies(..)
            | Cell::Next { .. }
            | Cell::Until { .. }
            | Cell::Release { .. } => unreachable!("chains are F and G"),
        }
    }

    /// Whether these cells are decided alike in two columns; and where they are not decided, equal and of the same experience.
    fn is_alike(&self, one: usize, other: usize, same: &[u64], parts: &[u64]) -> bool {
        (0..self.words).all(|word| {
            let (here, there) = (one * self.words + word, other * self.words + word);
            let differs = (self.decided[here] ^ self.decided[there]) | (self.truth[here] ^ self.truth[there]);
            let open = !self.decided[here] & !same[here];
            (differs | open) & parts[word] == 0
        }) && self.equal_experience(one, other, parts)
    }

    /// Whether the undecided among these cells have the same experience in two columns.
    fn equal_experience(&self, one: usize, other: usize, parts: &[u64]) -> bool {
        if self.columns[one].experience == self.columns[other].experience {
            return true;
        }
        let is_part = |id: CellId| parts[id as usize / 64] >> (id % 64) & 1 == 1;
        (0..self.cells.len() as CellId)
            .filter(|&id| is_part(id))
            .all(|id| self.decision(one, id).is_some() || self.experience(one, id) == self.experience(other, id))
    }

    /// How many questions of age a cell may raise in a column, at most.
    fn questions(&self, column: usize, cell: CellId) -> u32 {
        let mut questions = vec![0_u32; self.cells.len()];
        for id in 0..=cell as usize {
            if self.decision(column, id as CellId).is_some() {
                continue;
            }
            let of = |id: CellId| questions[id as usize];
            let parts = match self.cells.cells[id] {
                Cell::Atom(_) | Cell::Next { .. } => 0,
                Cell::Not(argument) | Cell::Finally(argument) | Cell::Globally(argument) => of(argument),
                Cell::And(left, right) | Cell::Or(left, right) | Cell::Implies(left, right) => {
                    of(left).saturating_add(of(right))
                }
                Cell::Until { left, right, next } | Cell::Release { left, right, next } => {
                    of(left).saturating_add(of(right)).saturating_add(of(next))
                }
            };
            let reach = self.reaches[id];
            let own = reach.questions();
            questions[id] = if own == 0 {
                parts
            } else if reach.is_answered(self.experience(column, id as CellId)) {
                own
            } else if own == 1 && (reach.must.satisfied || reach.must.violated) {
                // Either experience answers, or the parts do.
                own.max(parts)
            } else {
                own.saturating_add(parts)
            };
        }
        questions[cell as usize]
    }

    /// Keeps these columns only.
    fn keep(&mut self, kept: &[usize]) {
        let words = self.words;
        for (new, &old) in kept.iter().enumerate() {
            self.columns.swap(new, old);
            self.decided.copy_within(old * words..(old + 1) * words, new * words);
            self.truth.copy_within(old * words..(old + 1) * words, new * words);
        }
        self.columns.truncate(kept.len());
        self.decided.truncate(kept.len() * words);
        self.truth.truncate(kept.len() * words);
    }
}

/// For a cell of a column: what it reads, if that is in the column itself and raises at most one question of age. Columns that are
/// like the one before and the one after in all of that may go. It depends on what is decided and on experience alone, and few of
/// these are different.
#[derive(Default)]
struct Standings {
    known: FxHashMap<Box<[u64]>, Option<Vec<u64>>>,
    key: Vec<u64>,
}

impl Standings {
    fn of(&mut self, monitor: &Monitor, column: usize, id: CellId) -> Option<&[u64]> {
        let words = monitor.words;
        self.key.clear();
        self.key.extend_from_slice(&monitor.decided[column * words..(column + 1) * words]);
        self.key.extend([u64::from(monitor.columns[column].experience), u64::from(id)]);
        if !self.known.contains_key(&*self.key) {
            let reads = monitor.reads(column, &[id]);
            let stands = reads.until == 0 && monitor.questions(column, id) <= 1;
            self.known.insert(self.key.as_slice().into(), stands.then_some(reads.parts));
        }
        self.known[&*self.key].as_deref()
    }
}

/// Since when the columns that were just left out wait, on the way to the next that is kept.
#[derive(Default)]
struct Waits {
    since: Vec<(CellId, u64)>,
    spare: Vec<(CellId, u64)>,
}

impl Waits {
    /// Takes over the waits of a column that is left out.
    fn take(&mut self, monitor: &Monitor, column: usize) {
        std::mem::swap(&mut self.since, &mut self.spare);
        self.since.clear();
        let mut older = self.spare.iter().peekable();
        for word in 0..monitor.words {
            let in_word = (monitor.cells.len() - word * 64).min(64);
            let mut open = !monitor.decided[column * monitor.words + word] & (u64::MAX >> (64 - in_word));
            while open != 0 {
                let id = (word * 64) as CellId + open.trailing_zeros();
                open &= open - 1;
                while older.next_if(|(cell, _)| *cell < id).is_some() {}
                let since = match older.next_if(|(cell, _)| *cell == id) {
                    Some((_, since)) => *since,
                    None => monitor.columns[column].since_of(id),
                };
                self.since.push((id, since));
            }
        }
    }

    /// Gives the waits to a column that is kept, whose own are younger.
    fn give(&mut self, own: &mut Vec<(CellId, u64)>) {
        if self.since.is_empty() {
            return;
        }
        own.retain(|(id, _)| self.since.binary_search_by_key(id, |entry| entry.0).is_err());
        own.append(&mut self.since);
        own.sort_unstable();
        own.shrink_to_fit();
    }
}
