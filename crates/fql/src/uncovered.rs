//! The runs that cover a goal nobody has covered yet, as one automaton.
//!
//! The goals of a product are never listed. What is covered is a set of words, kept as a tree whose equal branches are shared; the
//! coverage automaton is followed together with the goals and with that tree, and a run is accepted if the word it emits is a
//! goal that is not in the tree. Where everything behind a word is covered already, the automaton has no state.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::automaton::{Accept, Automaton, Emission, Guard, SetId, Step};
use crate::bits::BitSet;
use crate::codes::TOO_LARGE;
use crate::goals::Letter;
use crate::graph::NodeId;
use crate::spec::Spec;

/// The most states of the automaton.
const MOST_STATES: usize = 20_000;

/// Covered words, read from their first letter.
struct Covered {
    nodes: Vec<Node>,
    ids: FxHashMap<(bool, Vec<(u32, u32)>), u32>,
    root: u32,
}

struct Node {
    ends: bool,
    arcs: Vec<(u32, u32)>,
    count: u128,
}

/// A node that may still get arcs: the letter that leads to it, whether a word ends here, its arcs.
type Unfinished = (u32, bool, Vec<(u32, u32)>);

impl Covered {
    fn new(mut words: Vec<Vec<u32>>) -> Covered {
        words.sort_unstable();
        words.dedup();
        let mut covered = Covered { nodes: Vec::new(), ids: FxHashMap::default(), root: 0 };
        let mut open: Vec<Unfinished> = vec![(0, false, Vec::new())];
        for word in words {
            let shared = open[1..].iter().zip(&word).take_while(|(node, symbol)| node.0 == **symbol).count();
            while shared + 1 < open.len() {
                covered.close_last(&mut open);
            }
            open.extend(word[shared..].iter().map(|symbol| (*symbol, false, Vec::new())));
            open.last_mut().expect("the root stays").1 = true;
        }
        while 1 < open.len() {
            covered.close_last(&mut open);
        }
        let (_, ends, arcs) = open.pop().expect("the root stays");
        covered.root = covered.node(ends, arcs);
        covered
    }

    fn close_last(&mut self, open: &mut Vec<Unfinished>) {
        let (symbol, ends, arcs) = open.pop().expect("only nodes below the root are closed");
        let id = self.node(ends, arcs);
        open.last_mut().expect("the root stays").2.push((symbol, id));
    }

    fn node(&mut self, ends: bool, arcs: Vec<(u32, u32)>) -> u32 {
        let fresh = self.nodes.len() as u32;
        let id = *self.ids.entry((ends, arcs.clone())).or_insert(fresh);
        if id == fresh {
            let behind: u128 = arcs.iter().map(|(_, to)| self.nodes[*to as usize].count).sum();
            self.nodes.push(Node { ends, arcs, count: u128::from(ends) + behind });
        }
        id
    }

    fn after(&self, node: u32, symbol: u32) -> Option<u32> {
        let arcs = &self.nodes[node as usize].arcs;
        arcs.binary_search_by_key(&symbol, |arc| arc.0).ok().map(|at| arcs[at].1)
    }
}

/// What the word emitted so far can still become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Word {
    /// No covered word begins like this.
    New,
    /// Covered words begin like this, and goals that are not covered too: the state of the goals and that of what is covered.
    Begun(u32, u32),
}

/// The automaton under construction.
struct Product<'a> {
    spec: &'a mut Spec,
    covered: Covered,
    ids: FxHashMap<(u32, Word), u32>,
    open: Vec<(u32, Word)>,
}

impl Product<'_> {
    /// What a letter makes of a word; none if nothing uncovered begins like that.
    fn after(&self, word: Word, symbol: u32) -> Option<Word> {
        let Word::Begun(goals, covered) = word else { return Some(word) };
        let goals = self.spec.goals.after(goals, symbol)?;
        match self.covered.after(covered, symbol) {
            None => Some(Word::New),
            Some(covered) => self.alive(Word::Begun(goals, covered)),
        }
    }

    fn alive(&self, word: Word) -> Option<Word> {
        let Word::Begun(goals, covered) = word else { return Some(word) };
        let all = self.spec.goals.count_from(goals);
        (all != Some(self.covered.nodes[covered as usize].count)).then_some(word)
    }

    /// What emissions make of a word, each with the guard under which they happen.
    fn emitted(&mut self, word: Word, guard: &Guard, emissions: &[Emission]) -> Vec<(Guard, Word)> {
        let alphabet = self.spec.goals.alphabet();
        let mut ways = vec![(guard.clone(), word)];
        for emission in emissions {
            let mut next = Vec::new();
            for (guard, word) in ways {
                match emission {
                    Emission::Predicate(predicate) => {
                        let after = self.after(word, alphabet.symbol(Letter::Predicate(*predicate)));
                        next.extend(after.map(|after| (guard, after)));
                    }
                    Emission::Quote(quote) => {
                        let after = self.after(word, alphabet.symbol(Letter::Quote(*quote)));
                        next.extend(after.map(|after| (guard, after)));
                    }
                    Emission::Node(set) => {
                        let symbol = |node: u32| alphabet.symbol(Letter::Node(NodeId(node)));
                        let members: Vec<u32> = self.spec.sets.node_set(*set).iter().collect();
                        for (after, nodes) in self.grouped(word, &members, symbol) {
                            let mut narrowed = guard.clone();
                            let nodes = bits(self.spec.node_count(), &nodes);
                            narrowed.nodes.push(self.spec.sets.nodes(nodes));
                            next.push((narrowed, after));
                        }
                    }
                }
            }
            ways = next;
        }
        ways
    }

    /// The members of a set by what their letters make of a word.
    fn grouped(&self, word: Word, members: &[u32], symbol: impl Fn(u32) -> u32) -> BTreeMap<Word, Vec<u32>> {
        let mut groups: BTreeMap<Word, Vec<u32>> = BTreeMap::new();
        for &member in members {
            if let Some(after) = self.after(word, symbol(member)) {
                groups.entry(after).or_default().push(member);
            }
        }
        groups
    }

    fn state(&mut self, coverage: u32, word: Word) -> u32 {
        let fresh = self.ids.len() as u32;
        let id = *self.ids.entry((coverage, word)).or_insert(fresh);
        if id == fresh {
            self.open.push((coverage, word));
        }
        id
    }

    fn steps(&mut self, from: u32, coverage: u32, word: Word, steps: &mut Vec<Step>) {
        let alphabet = self.spec.goals.alphabet();
        for step in self.spec.coverage.steps_from(coverage).to_vec() {
            for (guard, word) in self.emitted(word, &step.guard, &step.before) {
                let mut add = |product: &mut Self, edges: SetId, word: Word| {
                    let to = product.state(step.to, word);
                    let guard = guard.clone();
                    steps.push(Step { from, guard, before: Vec::new(), edges, emits_edge: false, to });
                };
                if !step.emits_edge || word == Word::New {
                    add(self, step.edges, word);
                    continue;
                }
                let members: Vec<u32> = self.spec.sets.edge_set(step.edges).iter().collect();
                let symbol = |edge: u32| alphabet.symbol(Letter::Edge(crate::graph::EdgeId(edge)));
                for (word, edges) in self.grouped(word, &members, symbol) {
                    let edges = bits(self.spec.edge_count(), &edges);
                    let edges = self.spec.sets.edges(edges);
                    add(self, edges, word);
                }
            }
        }
    }

    fn accepts(&mut self, state: u32, coverage: u32, word: Word, accepting: &mut Vec<Accept>) {
        for accept in self.spec.coverage.accepts_in(coverage).to_vec() {
            for (guard, word) in self.emitted(word, &accept.guard, &accept.emits) {
                let is_new = match word {
                    Word::New => true,
                    Word::Begun(goals, covered) => {
                        self.spec.goals.ends_in(goals) && !self.covered.nodes[covered as usize].ends
                    }
                };
                if is_new {
                    accepting.push(Accept { state, guard, emits: Vec::new() });
                }
            }
        }
    }
}

fn bits(limit: usize, members: &[u32]) -> BitSet {
    let mut set = BitSet::new(limit);
    set.extend(members.iter().copied());
    set
}

impl Spec {
    /// The automaton of the runs that cover a goal which is not among these words, the passing clause aside. It has no state
    /// if every goal is among them.
    ///
    /// # Errors
    /// When it would be too large.
    pub fn uncovered(&mut self, words: Vec<Vec<u32>>) -> Result<Automaton, Box<Diagnostic>> {
        let covered = Covered::new(words);
        let root = covered.root;
        let mut product = Product { spec: self, covered, ids: FxHashMap::default(), open: Vec::new() };
        if product.spec.coverage.states == 0 {
            return Ok(Automaton::new(0, Vec::new(), Vec::new()));
        }
        let start =
            if words_are_none(&product.covered) { Some(Word::New) } else { product.alive(Word::Begun(0, root)) };
        let Some(start) = start else { return Ok(Automaton::new(0, Vec::new(), Vec::new())) };
        product.state(Automaton::INITIAL, start);
        let (mut steps, mut accepting) = (Vec::new(), Vec::new());
        let mut at = 0;
        while at < product.open.len() {
            let (coverage, word) = product.open[at];
            product.steps(at as u32, coverage, word, &mut steps);
            product.accepts(at as u32, coverage, word, &mut accepting);
            at += 1;
            if MOST_STATES < product.open.len() {
                let message = "what is covered so far is too varied to ask for the rest at once";
                return Err(Diagnostic::error(&TOO_LARGE, Span::new(0, 0), message).into());
            }
        }
        Ok(Automaton::new(product.open.len() as u32, steps, accepting))
    }
}

fn words_are_none(covered: &Covered) -> bool {
    covered.nodes[covered.root as usize].count == 0
}
