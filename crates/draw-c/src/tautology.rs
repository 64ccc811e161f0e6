//! Whether a small Boolean term is always true: by its truth table.

use rustc_hash::FxHashMap;
use smt::{Op, Term, Terms};

/// A truth table over eight propositions.
type Table = [u64; 4];

/// The most propositions, and the most connectives that are looked at.
const PROPOSITIONS: usize = 8;
const CONNECTIVES: usize = 64;

/// Whether a term is true whatever its propositions are; false if it is too large to tell.
pub(super) fn is_tautology(terms: &Terms, term: Term) -> bool {
    let mut tables = Tables { terms, known: FxHashMap::default(), comparisons: FxHashMap::default(), propositions: 0 };
    tables.of(term, 0).is_some_and(|table| table == [u64::MAX; 4])
}

struct Tables<'a> {
    terms: &'a Terms,
    known: FxHashMap<Term, Table>,
    comparisons: FxHashMap<(Op, Term, Term), Table>,
    propositions: usize,
}

impl Tables<'_> {
    /// The table of a term. The depth is that of the connectives, which are few.
    fn of(&mut self, term: Term, depth: usize) -> Option<Table> {
        if let Some(table) = self.known.get(&term) {
            return Some(*table);
        }
        if CONNECTIVES < self.known.len() || CONNECTIVES < depth {
            return None;
        }
        let (op, value) = (self.terms.op(term), self.terms.value(term).cloned());
        let mut join = |start: Table, join: fn(u64, u64) -> u64| {
            let arguments = self.terms.args(term).to_vec();
            arguments.into_iter().try_fold(start, |table, argument| {
                let other = self.of(argument, depth + 1)?;
                Some(std::array::from_fn(|word| join(table[word], other[word])))
            })
        };
        let table = match op {
            Op::And => join([u64::MAX; 4], |left, right| left & right)?,
            Op::Or => join([0; 4], |left, right| left | right)?,
            Op::Not => join([u64::MAX; 4], |left, right| left & !right)?,
            // The opposite of a comparison is a comparison too.
            Op::BvSlt | Op::BvUlt => self.less(term, op, false, false)?,
            Op::BvSgt => self.less(term, Op::BvSlt, true, false)?,
            Op::BvUgt => self.less(term, Op::BvUlt, true, false)?,
            Op::BvSge => self.less(term, Op::BvSlt, false, true)?,
            Op::BvUge => self.less(term, Op::BvUlt, false, true)?,
            Op::BvSle => self.less(term, Op::BvSlt, true, true)?,
            Op::BvUle => self.less(term, Op::BvUlt, true, true)?,
            _ => match value {
                Some(value::Value::Bool(truth)) => [if truth { u64::MAX } else { 0 }; 4],
                _ => self.proposition()?,
            },
        };
        self.known.insert(term, table);
        Some(table)
    }

    /// The table of a comparison, as "less" of its arguments, perhaps swapped, or the opposite of that.
    fn less(&mut self, term: Term, op: Op, swapped: bool, opposite: bool) -> Option<Table> {
        let &[left, right] = self.terms.args(term) else { return self.proposition() };
        let key = if swapped { (op, right, left) } else { (op, left, right) };
        let table = match self.comparisons.get(&key) {
            Some(table) => *table,
            None => {
                let table = self.proposition()?;
                self.comparisons.insert(key, table);
                table
            }
        };
        Some(if opposite { table.map(|word| !word) } else { table })
    }

    /// The table of one more proposition.
    fn proposition(&mut self) -> Option<Table> {
        let place = self.propositions;
        self.propositions += 1;
        (place < PROPOSITIONS).then(|| {
            std::array::from_fn(|word| {
                let bits = (0..64).filter(|bit| (64 * word + bit) >> place & 1 == 1);
                bits.fold(0, |table, bit| table | 1 << bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use value::Sort;

    use super::*;

    #[test]
    fn branches_that_meet_again_are_all_there_was() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, &Sort::Bool));
        let [not_a, not_b] = [a, b].map(|term| terms.not(term));
        let both = terms.and(&[a, b]);
        let one = terms.and(&[a, not_b]);
        let neither = terms.or(&[one, not_a]);
        let all = terms.or(&[both, neither]);
        assert!(is_tautology(&terms, all));
        let some = terms.or(&[both, one, c]);
        assert!(!is_tautology(&terms, some));
        let truth = terms.bool(true);
        assert!(is_tautology(&terms, truth) && !is_tautology(&terms, a));
        let many: Vec<Term> = (0..9).map(|number| terms.symbol(&format!("p{number}"), &Sort::Bool)).collect();
        let mut many_or_not = many.clone();
        many_or_not.push(terms.not(many[0]));
        let too_large = terms.or(&many_or_not);
        assert!(terms.op(too_large) != Op::Or || !is_tautology(&terms, too_large));
    }
}
