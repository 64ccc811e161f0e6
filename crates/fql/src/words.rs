//! Sets of words over numbered letters, shared and hash-consed: equal sets are one set.
//!
//! A set is a map from last letters to the sets of what may stand before them. Maps are Patricia trees, so that adding a
//! letter to every word of a set is one new node and a union touches only what differs. This is what lets a meter follow
//! all goals of a large product at once.

use rustc_hash::FxHashMap;

/// A set of words, among those of [`WordSets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WordSet(u32);

/// A map from letters to sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Map(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum MapNode {
    Empty,
    Leaf {
        symbol: u32,
        words: WordSet,
    },
    /// The letters agree above `bit`; those without it are on the left.
    Branch {
        prefix: u32,
        bit: u32,
        left: Map,
        right: Map,
    },
}

/// A store of sets of words.
#[derive(Clone, Debug)]
pub struct WordSets {
    sets: Vec<(bool, Map)>,
    set_ids: FxHashMap<(bool, Map), WordSet>,
    maps: Vec<MapNode>,
    map_ids: FxHashMap<MapNode, Map>,
    unions: FxHashMap<(u32, u32), u32>,
    set_unions: FxHashMap<(u32, u32), u32>,
}

/// The memory of unions is emptied when it grows beyond this.
const MOST_REMEMBERED: usize = 2_000_000;

impl Default for WordSets {
    fn default() -> WordSets {
        let mut store = WordSets {
            sets: Vec::new(),
            set_ids: FxHashMap::default(),
            maps: Vec::new(),
            map_ids: FxHashMap::default(),
            unions: FxHashMap::default(),
            set_unions: FxHashMap::default(),
        };
        let nothing = store.map(MapNode::Empty);
        store.set(false, nothing);
        store.set(true, nothing);
        store
    }
}

/// What is left of a union.
enum Task {
    Sets(WordSet, WordSet),
    Maps(Map, Map),
    /// Makes the union of two sets from that of their maps.
    EndSets(WordSet, WordSet),
    EndLeaf(Map, Map, u32),
    EndBranch(Map, Map, u32, u32),
    /// One side of a branch is kept.
    EndSide {
        pair: (Map, Map),
        prefix: u32,
        bit: u32,
        kept: Map,
        kept_left: bool,
    },
}

impl WordSets {
    /// The set without a word.
    pub const NONE: WordSet = WordSet(0);
    /// The set of the empty word.
    pub const EMPTY_WORD: WordSet = WordSet(1);

    /// Every word of a set with a letter behind it.
    pub fn append(&mut self, words: WordSet, symbol: u32) -> WordSet {
        if words == WordSets::NONE {
            return words;
        }
        let map = self.map(MapNode::Leaf { symbol, words });
        self.set(false, map)
    }

    /// The words of both sets.
    pub fn union(&mut self, one: WordSet, other: WordSet) -> WordSet {
        if one == other || other == WordSets::NONE {
            return one;
        }
        if one == WordSets::NONE {
            return other;
        }
        if MOST_REMEMBERED < self.unions.len() + self.set_unions.len() {
            self.unions.clear();
            self.set_unions.clear();
        }
        let mut tasks = vec![Task::Sets(one, other)];
        let mut done: Vec<u32> = Vec::new();
        while let Some(task) = tasks.pop() {
            self.work(task, &mut tasks, &mut done);
        }
        WordSet(done.pop().expect("the union is done"))
    }

    fn work(&mut self, task: Task, tasks: &mut Vec<Task>, done: &mut Vec<u32>) {
        let take = |done: &mut Vec<u32>| done.pop().expect("parts are done first");
        match task {
            Task::Sets(one, other) => {
                if one == other || other == WordSets::NONE {
                    done.push(one.0);
                } else if one == WordSets::NONE {
                    done.push(other.0);
                } else if let Some(known) = self.set_unions.get(&ordered(one.0, other.0)) {
                    done.push(*known);
                } else {
                    tasks.push(Task::EndSets(one, other));
                    tasks.push(Task::Maps(self.sets[one.0 as usize].1, self.sets[other.0 as usize].1));
                }
            }
            Task::EndSets(one, other) => {
                let map = Map(take(done));
                let empty = self.sets[one.0 as usize].0 || self.sets[other.0 as usize].0;
                let set = self.set(empty, map);
                self.set_unions.insert(ordered(one.0, other.0), set.0);
                done.push(set.0);
            }
            Task::Maps(one, other) => self.work_maps(one, other, tasks, done),
            Task::EndLeaf(one, other, symbol) => {
                let words = WordSet(take(done));
                let map = self.map(MapNode::Leaf { symbol, words });
                self.end(one, other, map, done);
            }
            Task::EndBranch(one, other, prefix, bit) => {
                let right = Map(take(done));
                let left = Map(take(done));
                let map = self.map(MapNode::Branch { prefix, bit, left, right });
                self.end(one, other, map, done);
            }
            Task::EndSide { pair, prefix, bit, kept, kept_left } => {
                let made = Map(take(done));
                let (left, right) = if kept_left { (kept, made) } else { (made, kept) };
                let map = self.map(MapNode::Branch { prefix, bit, left, right });
                self.end(pair.0, pair.1, map, done);
            }
        }
    }

    fn work_maps(&mut self, one: Map, other: Map, tasks: &mut Vec<Task>, done: &mut Vec<u32>) {
        if one == other {
            return done.push(one.0);
        }
        if let Some(known) = self.unions.get(&ordered(one.0, other.0)) {
            return done.push(*known);
        }
        let (left_node, right_node) = (self.maps[one.0 as usize], self.maps[other.0 as usize]);
        match (left_node, right_node) {
            (MapNode::Empty, _) => done.push(other.0),
            (_, MapNode::Empty) => done.push(one.0),
            (MapNode::Leaf { symbol, words }, MapNode::Leaf { symbol: also, words: more }) if symbol == also => {
                tasks.push(Task::EndLeaf(one, other, symbol));
                tasks.push(Task::Sets(words, more));
            }
            _ => {
                let ((prefix, bit), (also, other_bit)) = (span(left_node), span(right_node));
                if bit == other_bit && prefix == also {
                    let (MapNode::Branch { left: a, right: b, .. }, MapNode::Branch { left: c, right: d, .. }) =
                        (left_node, right_node)
                    else {
                        unreachable!("leaves of one letter are done above");
                    };
                    tasks.push(Task::EndBranch(one, other, prefix, bit));
                    tasks.push(Task::Maps(b, d));
                    tasks.push(Task::Maps(a, c));
                } else if other_bit < bit && above(also, bit) == prefix {
                    self.unite_with_side((one, other), left_node, other, also, tasks);
                } else if bit < other_bit && above(prefix, other_bit) == also {
                    self.unite_with_side((one, other), right_node, one, prefix, tasks);
                } else {
                    let map = self.join(one, prefix, other, also);
                    self.end(one, other, map, done);
                }
            }
        }
    }

    /// Unites a map with the side of a branch to which its letters belong.
    fn unite_with_side(&mut self, pair: (Map, Map), branch: MapNode, inner: Map, letters: u32, tasks: &mut Vec<Task>) {
        let MapNode::Branch { prefix, bit, left, right } = branch else {
            unreachable!("only branches span several letters");
        };
        let goes_right = letters & bit != 0;
        let (changed, kept) = if goes_right { (right, left) } else { (left, right) };
        tasks.push(Task::EndSide { pair, prefix, bit, kept, kept_left: goes_right });
        tasks.push(Task::Maps(changed, inner));
    }

    /// A branch over two maps whose letters part at some bit.
    fn join(&mut self, one: Map, prefix: u32, other: Map, also: u32) -> Map {
        let bit = 1 << (31 - (prefix ^ also).leading_zeros());
        let (left, right) = if prefix & bit == 0 { (one, other) } else { (other, one) };
        self.map(MapNode::Branch { prefix: above(prefix, bit), bit, left, right })
    }

    fn end(&mut self, one: Map, other: Map, map: Map, done: &mut Vec<u32>) {
        self.unions.insert(ordered(one.0, other.0), map.0);
        done.push(map.0);
    }

    fn set(&mut self, empty: bool, map: Map) -> WordSet {
        let fresh = WordSet(self.sets.len() as u32);
        let id = *self.set_ids.entry((empty, map)).or_insert(fresh);
        if id == fresh {
            self.sets.push((empty, map));
        }
        id
    }

    fn map(&mut self, node: MapNode) -> Map {
        let fresh = Map(self.maps.len() as u32);
        let id = *self.map_ids.entry(node).or_insert(fresh);
        if id == fresh {
            self.maps.push(node);
        }
        id
    }

    /// The last letters of a set, ascending, with the sets before them.
    fn entries(&self, words: WordSet) -> Vec<(u32, WordSet)> {
        let mut found = Vec::new();
        let mut open = vec![self.sets[words.0 as usize].1];
        while let Some(map) = open.pop() {
            match self.maps[map.0 as usize] {
                MapNode::Empty => {}
                MapNode::Leaf { symbol, words } => found.push((symbol, words)),
                MapNode::Branch { left, right, .. } => open.extend([right, left]),
            }
        }
        found
    }

    /// The number of words; none if it does not fit.
    pub fn count(&self, words: WordSet) -> Option<u128> {
        let mut known: FxHashMap<WordSet, Option<u128>> = FxHashMap::default();
        let mut tasks = vec![words];
        while let Some(&set) = tasks.last() {
            if known.contains_key(&set) {
                tasks.pop();
                continue;
            }
            let entries = self.entries(set);
            let open: Vec<WordSet> =
                entries.iter().map(|entry| entry.1).filter(|before| !known.contains_key(before)).collect();
            if !open.is_empty() {
                tasks.extend(open);
                continue;
            }
            let own = u128::from(self.sets[set.0 as usize].0);
            let sum = entries.iter().try_fold(own, |sum, (_, before)| sum.checked_add(known[before]?));
            known.insert(set, sum);
            tasks.pop();
        }
        known[&words]
    }

    /// Whether a word is in a set.
    pub fn contains(&self, words: WordSet, word: &[u32]) -> bool {
        let mut at = words;
        for symbol in word.iter().rev() {
            let mut map = self.sets[at.0 as usize].1;
            at = loop {
                match self.maps[map.0 as usize] {
                    MapNode::Empty => return false,
                    MapNode::Leaf { symbol: found, words } if found == *symbol => break words,
                    MapNode::Leaf { .. } => return false,
                    MapNode::Branch { bit, left, right, .. } => map = if symbol & bit == 0 { left } else { right },
                }
            };
        }
        self.sets[at.0 as usize].0
    }

    /// The words of a set, as many as asked for, in no particular but always the same order.
    pub fn list(&self, words: WordSet, most: usize) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let mut open: Vec<(WordSet, Vec<u32>)> = vec![(words, Vec::new())];
        while let Some((set, behind)) = open.pop() {
            if found.len() == most {
                break;
            }
            if self.sets[set.0 as usize].0 {
                found.push(behind.iter().rev().copied().collect());
            }
            for (symbol, before) in self.entries(set).into_iter().rev() {
                let mut longer = behind.clone();
                longer.push(symbol);
                open.push((before, longer));
            }
        }
        found
    }
}

fn ordered(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

/// The part of a letter above a bit.
fn above(symbol: u32, bit: u32) -> u32 {
    symbol & !(bit | (bit - 1))
}

/// The letters a map spans: what they share, and the highest bit in which they differ, 0 for one letter.
fn span(node: MapNode) -> (u32, u32) {
    match node {
        MapNode::Empty => (0, 0),
        MapNode::Leaf { symbol, .. } => (symbol, 0),
        MapNode::Branch { prefix, bit, .. } => (prefix, bit),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sets_of_words_behave_like_sets(words in prop::collection::vec(prop::collection::vec(0u32..40, 0..4), 0..60), split in 0usize..60) {
            let mut store = WordSets::default();
            let mut build = |words: &[Vec<u32>]| {
                words.iter().fold(WordSets::NONE, |set, word| {
                    let one = word.iter().fold(WordSets::EMPTY_WORD, |set, symbol| store.append(set, *symbol));
                    store.union(set, one)
                })
            };
            let split = split.min(words.len());
            let (left, right) = (build(&words[..split]), build(&words[split..]));
            let mut reversed: Vec<Vec<u32>> = words.clone();
            reversed.reverse();
            let whole = build(&reversed);
            prop_assert_eq!(store.union(left, right), whole);
            let expected: BTreeSet<Vec<u32>> = words.iter().cloned().collect();
            prop_assert_eq!(store.count(whole), Some(expected.len() as u128));
            let listed: BTreeSet<Vec<u32>> = store.list(whole, usize::MAX).into_iter().collect();
            prop_assert_eq!(&listed, &expected);
            for word in &words {
                prop_assert!(store.contains(whole, word));
                let mut other = word.clone();
                other.push(41);
                prop_assert!(!store.contains(whole, &other));
            }
        }
    }
}
