//! The goals of a query: the words of its cover clause, counted and numbered without being listed.
//!
//! The words form a finite language, kept as an acyclic deterministic automaton whose arcs carry sets of letters. Their
//! number is found by adding and multiplying, and the n-th word by dividing, so that a sixfold product of blocks costs no more
//! than its six factors.

use std::sync::Arc as Shared;

use rustc_hash::FxHashMap;

use crate::automaton::Sets;
use crate::fragment::{Fragment, Label};
use crate::graph::{EdgeId, NodeId};

/// A letter of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Letter {
    /// A step.
    Edge(EdgeId),
    /// Control at a node.
    Node(NodeId),
    /// A predicate, among those of the query.
    Predicate(u32),
    /// A quoted pattern, among those of the query.
    Quote(u32),
}

/// The letters as numbers: edges first, then nodes, predicates and quoted patterns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alphabet {
    edges: u32,
    nodes: u32,
    predicates: u32,
}

impl Alphabet {
    pub(crate) fn new(edges: usize, nodes: usize, predicates: usize) -> Alphabet {
        Alphabet { edges: edges as u32, nodes: nodes as u32, predicates: predicates as u32 }
    }

    /// The number of a letter.
    pub fn symbol(&self, letter: Letter) -> u32 {
        match letter {
            Letter::Edge(edge) => edge.0,
            Letter::Node(node) => self.edges + node.0,
            Letter::Predicate(predicate) => self.edges + self.nodes + predicate,
            Letter::Quote(quote) => self.edges + self.nodes + self.predicates + quote,
        }
    }

    /// The letter of a number.
    pub fn letter(&self, symbol: u32) -> Letter {
        let node = symbol.wrapping_sub(self.edges);
        let predicate = node.wrapping_sub(self.nodes);
        if symbol < self.edges {
            Letter::Edge(EdgeId(symbol))
        } else if node < self.nodes {
            Letter::Node(NodeId(node))
        } else if predicate < self.predicates {
            Letter::Predicate(predicate)
        } else {
            Letter::Quote(predicate - self.predicates)
        }
    }
}

/// The goals of a query on a program.
#[derive(Clone, Debug)]
pub struct Goals {
    alphabet: Alphabet,
    states: Vec<State>,
    derivations: Option<u128>,
}

#[derive(Clone, Debug)]
struct State {
    accepting: bool,
    arcs: Vec<Arc>,
    /// The number of words from here; none if it does not fit.
    count: Option<u128>,
}

#[derive(Clone, Debug)]
struct Arc {
    symbols: Shared<[u32]>,
    to: u32,
}

/// The most states.
const MOST: usize = 4_000_000;

impl Goals {
    /// The words of a fragment of the cover clause; none if there are too many states.
    pub(crate) fn new(fragment: &Fragment, sets: &Sets, alphabet: Alphabet) -> Option<Goals> {
        let mut nondeterministic = Nondeterministic::new(fragment, sets, alphabet);
        let derivations = nondeterministic.derivations();
        let states = nondeterministic.determinise()?;
        let mut goals = Goals { alphabet, states, derivations };
        goals.count_words();
        Some(goals)
    }

    /// The number of goals; none if it is 2 to the 128 or more.
    pub fn count(&self) -> Option<u128> {
        self.states[0].count
    }

    /// The number of goals if those that several parts of the query ask for count several times, as FShell counts them.
    pub fn count_with_repetitions(&self) -> Option<u128> {
        self.derivations
    }

    /// The letters as numbers.
    pub fn alphabet(&self) -> Alphabet {
        self.alphabet
    }

    /// The goal with a number, counted from 0.
    pub fn get(&self, mut index: u128) -> Option<Vec<Letter>> {
        if self.count().is_some_and(|count| count <= index) {
            return None;
        }
        let mut word = Vec::new();
        let mut state = &self.states[0];
        'letters: loop {
            if state.accepting {
                if index == 0 {
                    return Some(word);
                }
                index -= 1;
            }
            for arc in &state.arcs {
                let target = &self.states[arc.to as usize];
                let each = target.count?;
                let all = each.checked_mul(arc.symbols.len() as u128)?;
                if index < all {
                    word.push(self.alphabet.letter(arc.symbols[(index / each) as usize]));
                    index %= each;
                    state = target;
                    continue 'letters;
                }
                index -= all;
            }
            return None;
        }
    }

    /// The number of a goal.
    pub fn index(&self, word: &[Letter]) -> Option<u128> {
        let mut index = 0u128;
        let mut state = &self.states[0];
        for letter in word {
            let symbol = self.alphabet.symbol(*letter);
            index += u128::from(state.accepting);
            let mut next = None;
            for arc in &state.arcs {
                let target = &self.states[arc.to as usize];
                match arc.symbols.binary_search(&symbol) {
                    Ok(at) => {
                        index = index.checked_add(target.count?.checked_mul(at as u128)?)?;
                        next = Some(target);
                        break;
                    }
                    Err(_) => index = index.checked_add(target.count?.checked_mul(arc.symbols.len() as u128)?)?,
                }
            }
            state = next?;
        }
        state.accepting.then_some(index)
    }

    /// The state of the goals behind one more letter; state 0 is the beginning.
    pub(crate) fn after(&self, state: u32, symbol: u32) -> Option<u32> {
        let arcs = &self.states[state as usize].arcs;
        arcs.iter().find(|arc| arc.symbols.binary_search(&symbol).is_ok()).map(|arc| arc.to)
    }

    /// The number of ways to go on from a state; none if it does not fit.
    pub(crate) fn count_from(&self, state: u32) -> Option<u128> {
        self.states[state as usize].count
    }

    /// Whether a goal ends in a state.
    pub(crate) fn ends_in(&self, state: u32) -> bool {
        self.states[state as usize].accepting
    }

    /// The goals in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec<Letter>> + '_ {
        let count = self.count().unwrap_or(u128::MAX);
        (0..count).map_while(|index| self.get(index))
    }

    /// Fills in the number of words from every state, ends first.
    fn count_words(&mut self) {
        let mut done = vec![false; self.states.len()];
        let mut tasks = vec![(0u32, false)];
        while let Some((state, ready)) = tasks.pop() {
            if done[state as usize] {
                continue;
            }
            if !ready {
                tasks.push((state, true));
                let open = self.states[state as usize].arcs.iter().map(|arc| arc.to).filter(|to| !done[*to as usize]);
                tasks.extend(open.map(|to| (to, false)));
                continue;
            }
            let mut count = Some(u128::from(self.states[state as usize].accepting));
            for arc in &self.states[state as usize].arcs {
                let each = self.states[arc.to as usize].count;
                let all = each.and_then(|each| each.checked_mul(arc.symbols.len() as u128));
                count = count.zip(all).and_then(|(count, all)| count.checked_add(all));
            }
            self.states[state as usize].count = count;
            done[state as usize] = true;
        }
    }
}

/// The fragment seen as an automaton over letters.
struct Nondeterministic<'a> {
    fragment: &'a Fragment,
    out: Vec<Vec<u32>>,
    symbols: Vec<Shared<[u32]>>,
}

impl<'a> Nondeterministic<'a> {
    fn new(fragment: &'a Fragment, sets: &Sets, alphabet: Alphabet) -> Self {
        let mut known: FxHashMap<Label, Shared<[u32]>> = FxHashMap::default();
        let mut out: Vec<Vec<u32>> = vec![Vec::new(); fragment.states as usize];
        let mut symbols: Vec<Shared<[u32]>> = Vec::with_capacity(fragment.moves.len());
        for (at, one) in fragment.moves.iter().enumerate() {
            let list = known.entry(one.label).or_insert_with(|| match one.label {
                Label::Empty | Label::Quoted(_) => Shared::new([]),
                Label::Edges(set) => sets.edge_set(set).iter().collect(),
                Label::Nodes(set) => {
                    sets.node_set(set).iter().map(|node| alphabet.symbol(Letter::Node(NodeId(node)))).collect()
                }
                Label::Predicate(predicate) => Shared::new([alphabet.symbol(Letter::Predicate(predicate))]),
                Label::Quote(quote) => Shared::new([alphabet.symbol(Letter::Quote(quote))]),
            });
            symbols.push(Shared::clone(list));
            out[one.from as usize].push(at as u32);
        }
        Nondeterministic { fragment, out, symbols }
    }

    fn is_empty_move(&self, at: u32) -> bool {
        match self.fragment.moves[at as usize].label {
            Label::Empty | Label::Quoted(_) => true,
            Label::Edges(_) | Label::Nodes(_) | Label::Predicate(_) | Label::Quote(_) => false,
        }
    }

    /// The number of ways from start to end, letters counted.
    fn derivations(&self) -> Option<u128> {
        let mut ways: Vec<Option<Option<u128>>> = vec![None; self.fragment.states as usize];
        ways[Fragment::END as usize] = Some(Some(1));
        let mut tasks = vec![(Fragment::START, false)];
        while let Some((state, ready)) = tasks.pop() {
            if ways[state as usize].is_some() {
                continue;
            }
            if !ready {
                tasks.push((state, true));
                let targets = self.out[state as usize].iter().map(|at| self.fragment.moves[*at as usize].to);
                tasks.extend(targets.filter(|to| ways[*to as usize].is_none()).map(|to| (to, false)));
                continue;
            }
            let mut sum = Some(0u128);
            for at in &self.out[state as usize] {
                let factor = if self.is_empty_move(*at) { 1 } else { self.symbols[*at as usize].len() as u128 };
                let onward = ways[self.fragment.moves[*at as usize].to as usize].flatten();
                let onward = onward.and_then(|onward| onward.checked_mul(factor));
                sum = sum.zip(onward).and_then(|(sum, onward)| sum.checked_add(onward));
            }
            ways[state as usize] = Some(sum);
        }
        ways[Fragment::START as usize].flatten()
    }

    fn determinise(&mut self) -> Option<Vec<State>> {
        let mut ids: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut open: Vec<Vec<u32>> = Vec::new();
        let start = self.closure(&[Fragment::START]);
        ids.insert(start.clone(), 0);
        open.push(start);
        let mut states: Vec<State> = Vec::new();
        let mut at = 0;
        while at < open.len() {
            let here = std::mem::take(&mut open[at]);
            at += 1;
            let mut arcs = Vec::new();
            for (symbols, targets) in self.groups(&here) {
                let target = self.closure(&targets);
                let fresh = ids.len() as u32;
                let to = *ids.entry(target.clone()).or_insert_with(|| {
                    open.push(target);
                    fresh
                });
                arcs.push(Arc { symbols, to });
            }
            states.push(State { accepting: here.contains(&Fragment::END), arcs, count: None });
            if MOST < ids.len() {
                return None;
            }
        }
        Some(states)
    }

    /// The letters that can be read in a set of states, grouped by the states they lead to.
    fn groups(&self, states: &[u32]) -> Vec<(Shared<[u32]>, Vec<u32>)> {
        let moves = states.iter().flat_map(|state| &self.out[*state as usize]);
        let reading: Vec<u32> = moves.copied().filter(|at| !self.is_empty_move(*at)).collect();
        let to = |at: u32| self.fragment.moves[at as usize].to;
        if let [only] = reading[..] {
            let symbols = Shared::clone(&self.symbols[only as usize]);
            return if symbols.is_empty() { Vec::new() } else { vec![(symbols, vec![to(only)])] };
        }
        let mut targets: Vec<(u32, u32)> = Vec::new();
        for at in reading {
            targets.extend(self.symbols[at as usize].iter().map(|symbol| (*symbol, to(at))));
        }
        targets.sort_unstable();
        targets.dedup();
        let mut groups: indexmap::IndexMap<Vec<u32>, Vec<u32>> = indexmap::IndexMap::new();
        for one in targets.chunk_by(|left, right| left.0 == right.0) {
            groups.entry(one.iter().map(|pair| pair.1).collect()).or_default().push(one[0].0);
        }
        groups.into_iter().map(|(targets, symbols)| (symbols.into(), targets)).collect()
    }

    /// The states that read something, or are the end, and can be reached without a letter.
    fn closure(&self, states: &[u32]) -> Vec<u32> {
        let mut seen: rustc_hash::FxHashSet<u32> = states.iter().copied().collect();
        let mut open: Vec<u32> = states.to_vec();
        let mut found = Vec::new();
        while let Some(state) = open.pop() {
            let out = &self.out[state as usize];
            if state == Fragment::END || out.iter().any(|at| !self.is_empty_move(*at)) {
                found.push(state);
            }
            for at in out.iter().filter(|at| self.is_empty_move(**at)) {
                let to = self.fragment.moves[*at as usize].to;
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        found.sort_unstable();
        found
    }
}
