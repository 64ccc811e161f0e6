//! Sets of small numbers, one bit each.

/// A set of numbers below a limit fixed when it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `limit`.
    pub fn new(limit: usize) -> BitSet {
        BitSet { words: vec![0; limit.div_ceil(64)] }
    }

    /// All numbers below `limit`.
    pub fn full(limit: usize) -> BitSet {
        let mut set = BitSet::new(limit);
        for number in 0..limit {
            set.insert(number as u32);
        }
        set
    }

    /// Adds a number; says whether it is new.
    pub fn insert(&mut self, number: u32) -> bool {
        let word = &mut self.words[number as usize / 64];
        let old = *word;
        *word |= 1 << (number % 64);
        old != *word
    }

    /// Takes a number out.
    pub fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
    }

    /// Whether the number is in the set.
    pub fn contains(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// How many numbers are in it.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(at as u32 * 64 + bit)
            })
        })
    }

    /// What is in either; both have the same limit.
    #[must_use]
    pub fn union(&self, other: &BitSet) -> BitSet {
        self.zip(other, |left, right| left | right)
    }

    /// What is in both; both have the same limit.
    #[must_use]
    pub fn intersection(&self, other: &BitSet) -> BitSet {
        self.zip(other, |left, right| left & right)
    }

    /// What is in this set and not in the other; both have the same limit.
    #[must_use]
    pub fn difference(&self, other: &BitSet) -> BitSet {
        self.zip(other, |left, right| left & !right)
    }

    /// Whether everything in this set is in the other.
    pub fn is_subset(&self, other: &BitSet) -> bool {
        self.words.iter().zip(&other.words).all(|(left, right)| left & !right == 0)
    }

    fn zip(&self, other: &BitSet, operation: impl Fn(u64, u64) -> u64) -> BitSet {
        debug_assert_eq!(self.words.len(), other.words.len(), "sets of one limit");
        BitSet { words: self.words.iter().zip(&other.words).map(|(&left, &right)| operation(left, right)).collect() }
    }
}

impl Extend<u32> for BitSet {
    fn extend<T: IntoIterator<Item = u32>>(&mut self, numbers: T) {
        for number in numbers {
            self.insert(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let mut left = BitSet::new(130);
        left.extend([0, 64, 129]);
        let mut right = BitSet::new(130);
        right.extend([64, 65]);
        let list = |set: &BitSet| set.iter().collect::<Vec<_>>();
        assert_eq!(list(&left.union(&right)), [0, 64, 65, 129]);
        assert_eq!(list(&left.intersection(&right)), [64]);
        assert_eq!(list(&left.difference(&right)), [0, 129]);
        assert_eq!((left.len(), BitSet::full(130).len(), left.contains(500)), (3, 130, false));
        assert!(left.is_subset(&BitSet::full(130)) && !left.is_subset(&right));
    }
}
