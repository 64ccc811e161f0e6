//! Lists of which mutants change a part or two and share the rest, so that a mutant costs what it changes and not what its model holds.

use std::ops::Index;
use std::sync::Arc;

/// A list, shared with others, with some parts replaced.
#[derive(Debug)]
pub struct Patched<T> {
    base: Arc<Vec<Arc<T>>>,
    /// The parts that are replaced, by number. There are few of them.
    patches: Vec<(usize, Arc<T>)>,
}

impl<T> Patched<T> {
    /// The number of parts.
    pub fn len(&self) -> usize {
        self.base.len()
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    /// The parts, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<T>> + ExactSizeIterator + Clone {
        (0..self.len()).map(|number| &self[number])
    }

    /// Puts a part in the place of the one with this number.
    pub fn set(&mut self, number: usize, part: Arc<T>) {
        match self.patches.iter_mut().find(|(other, _)| *other == number) {
            Some((_, old)) => *old = part,
            None => self.patches.push((number, part)),
        }
    }

    /// Adds a part at the end. For lists that nobody shares yet.
    pub(crate) fn push(&mut self, part: Arc<T>) {
        Arc::make_mut(&mut self.base).push(part);
    }

    /// The numbers of the parts that are not the very same ones as in another list of the same length, ascending.
    pub fn replaced(&self, other: &Patched<T>) -> Vec<usize> {
        let is_other = |number: &usize| !Arc::ptr_eq(&self[*number], &other[*number]);
        if !Arc::ptr_eq(&self.base, &other.base) {
            return (0..self.len().min(other.len())).filter(is_other).collect();
        }
        let patched = self.patches.iter().chain(&other.patches).map(|(number, _)| *number);
        let mut numbers: Vec<usize> = patched.filter(is_other).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

impl<T> Index<usize> for Patched<T> {
    type Output = Arc<T>;

    fn index(&self, number: usize) -> &Arc<T> {
        let patch = self.patches.iter().find(|(other, _)| *other == number);
        patch.map_or_else(|| &self.base[number], |(_, part)| part)
    }
}

impl<T> Clone for Patched<T> {
    fn clone(&self) -> Patched<T> {
        Patched { base: self.base.clone(), patches: self.patches.clone() }
    }
}

impl<T> Default for Patched<T> {
    fn default() -> Patched<T> {
        Patched { base: Arc::default(), patches: Vec::new() }
    }
}

impl<T: PartialEq> PartialEq for Patched<T> {
    fn eq(&self, other: &Patched<T>) -> bool {
        self.len() == other.len() && self.replaced(other).into_iter().all(|number| self[number] == other[number])
    }
}

impl<T: Eq> Eq for Patched<T> {}

impl<T> FromIterator<Arc<T>> for Patched<T> {
    fn from_iter<I: IntoIterator<Item = Arc<T>>>(parts: I) -> Patched<T> {
        Patched { base: Arc::new(parts.into_iter().collect()), patches: Vec::new() }
    }
}

impl<'a, T> IntoIterator for &'a Patched<T> {
    type Item = &'a Arc<T>;
    type IntoIter = Box<dyn Iterator<Item = &'a Arc<T>> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(parts: &[u32]) -> Patched<u32> {
        parts.iter().copied().map(Arc::new).collect()
    }

    #[test]
    fn a_replaced_part_is_seen_by_its_list_alone() {
        let base = list(&[1, 2, 3]);
        let mut other = base.clone();
        other.set(1, Arc::new(7));
        other.set(1, Arc::new(8));
        assert_eq!(other.iter().map(|part| **part).collect::<Vec<_>>(), [1, 8, 3]);
        assert_eq!(base.iter().map(|part| **part).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(base.replaced(&other), [1]);
        assert_eq!(list(&[1, 8, 4]).replaced(&other), [0, 1, 2], "other lists share no part, alike or not");
    }

    #[test]
    fn lists_are_equal_by_what_they_hold() {
        let base = list(&[1, 2]);
        let mut other = base.clone();
        other.set(0, Arc::new(1));
        assert_eq!(base, other);
        assert_eq!(list(&[1, 2]), other);
        other.set(1, Arc::new(3));
        assert_ne!(base, other);
        assert_ne!(base, list(&[1]));
    }
}
