//! Which goals runs cover: all goal automata simulated at once while a run goes on.

use crate::automaton::{Automaton, Emission, Moment};
use crate::goals::Letter;
use crate::graph::{EdgeId, NodeId};
use crate::spec::Spec;
use crate::words::{WordSet, WordSets};

/// Follows runs and collects the goals they cover.
#[derive(Clone, Debug)]
pub struct Meter<'a> {
    spec: &'a Spec,
    words: WordSets,
    covered: WordSet,
    /// The states the coverage automaton may be in, with the words emitted on the way.
    active: Vec<(u32, WordSet)>,
    next: Vec<WordSet>,
    passing: Vec<bool>,
    passes_everything: bool,
    moment: Moment,
}

/// What one run covers, the passing clause considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunCoverage {
    /// Whether the run matches the passing clause; otherwise it covers nothing.
    pub passes: bool,
    words: WordSet,
}

impl<'a> Meter<'a> {
    /// A meter for the goals of a query.
    pub fn new(spec: &'a Spec) -> Meter<'a> {
        Meter {
            spec,
            words: WordSets::default(),
            covered: WordSets::NONE,
            active: Vec::new(),
            next: vec![WordSets::NONE; spec.coverage.states as usize],
            passing: Vec::new(),
            passes_everything: spec.passes_everything(),
            moment: Moment::default(),
        }
    }

    /// Begins a run at its first moment.
    pub fn begin(&mut self, first: Moment) {
        self.active = vec![(Automaton::INITIAL, WordSets::EMPTY_WORD)];
        self.passing = vec![false; self.spec.passing.states as usize];
        if let Some(initial) = self.passing.first_mut() {
            *initial = true;
        }
        self.moment = first;
    }

    /// Takes a step to the next moment.
    pub fn step(&mut self, edge: EdgeId, after: Moment) {
        let spec = self.spec;
        let alphabet = spec.goals.alphabet();
        let mut reached: Vec<u32> = Vec::new();
        for (state, words) in std::mem::take(&mut self.active) {
            for step in spec.coverage.steps_from(state) {
                if !spec.sets.edge_set(step.edges).contains(edge.0) || !step.guard.holds(&spec.sets, &self.moment) {
                    continue;
                }
                let mut emitted = self.emit(words, &step.before);
                if step.emits_edge {
                    emitted = self.words.append(emitted, alphabet.symbol(Letter::Edge(edge)));
                }
                let place = &mut self.next[step.to as usize];
                if *place == WordSets::NONE {
                    reached.push(step.to);
                }
                *place = self.words.union(*place, emitted);
            }
        }
        self.active =
            reached.into_iter().map(|state| (state, std::mem::take(&mut self.next[state as usize]))).collect();
        if !self.passes_everything {
            self.passing = spec.passing.advance(&spec.sets, &self.passing, edge, &self.moment);
        }
        self.moment = after;
    }

    /// Replaces the current moment, for what comes to be known about it later: that a callee has returned.
    pub fn amend(&mut self, change: impl FnOnce(&mut Moment)) {
        change(&mut self.moment);
    }

    /// Ends the run; what it covers is added to what is covered.
    pub fn finish(&mut self) -> RunCoverage {
        let run = self.peek();
        self.covered = self.words.union(self.covered, run.words);
        self.active.clear();
        run
    }

    /// Adds what a run covers to what is covered; says whether that is more than before.
    pub fn add(&mut self, run: RunCoverage) -> bool {
        let before = self.covered;
        self.covered = self.words.union(self.covered, run.words);
        self.covered != before
    }

    /// Whether a run covers everything that another one covers.
    pub fn includes(&mut self, run: RunCoverage, other: RunCoverage) -> bool {
        run.passes && self.words.union(run.words, other.words) == run.words
    }

    /// What two runs cover together.
    pub fn together(&mut self, run: RunCoverage, other: RunCoverage) -> RunCoverage {
        RunCoverage { passes: true, words: self.words.union(run.words, other.words) }
    }

    /// What all runs cover so far, as words of numbered letters; at most as many as asked for.
    pub fn covered_words(&self, most: usize) -> Vec<Vec<u32>> {
        self.words.list(self.covered, most)
    }

    /// What the run would cover if it ended here.
    pub fn peek(&mut self) -> RunCoverage {
        let spec = self.spec;
        let passes = self.passes_everything || spec.passing.ends(&spec.sets, &self.passing, &self.moment);
        let mut words = WordSets::NONE;
        if passes {
            for (state, emitted) in self.active.clone() {
                for accept in spec.coverage.accepts_in(state) {
                    if accept.guard.holds(&spec.sets, &self.moment) {
                        let more = self.emit(emitted, &accept.emits);
                        words = self.words.union(words, more);
                    }
                }
            }
        }
        RunCoverage { passes, words }
    }

    fn emit(&mut self, mut words: WordSet, emissions: &[Emission]) -> WordSet {
        let alphabet = self.spec.goals.alphabet();
        for emission in emissions {
            words = match emission {
                Emission::Predicate(predicate) => {
                    self.words.append(words, alphabet.symbol(Letter::Predicate(*predicate)))
                }
                Emission::Quote(quote) => self.words.append(words, alphabet.symbol(Letter::Quote(*quote))),
                Emission::Node(set) => {
                    let set = self.spec.sets.node_set(*set);
                    let nodes: Vec<NodeId> =
                        self.moment.nodes.iter().copied().filter(|node| set.contains(node.0)).collect();
                    let mut all = WordSets::NONE;
                    for node in nodes {
                        let one = self.words.append(words, alphabet.symbol(Letter::Node(node)));
                        all = self.words.union(all, one);
                    }
                    all
                }
            };
        }
        words
    }

    /// The number of goals covered so far.
    pub fn covered_count(&self) -> Option<u128> {
        self.words.count(self.covered)
    }

    /// The number of goals a run covers.
    pub fn count(&self, run: RunCoverage) -> Option<u128> {
        self.words.count(run.words)
    }

    /// Whether a goal is covered so far.
    pub fn is_covered(&self, goal: &[Letter]) -> bool {
        self.contains(self.covered, goal)
    }

    /// Whether a run covers a goal.
    pub fn covers(&self, run: RunCoverage, goal: &[Letter]) -> bool {
        self.contains(run.words, goal)
    }

    fn contains(&self, words: WordSet, goal: &[Letter]) -> bool {
        let alphabet = self.spec.goals.alphabet();
        let symbols: Vec<u32> = goal.iter().map(|letter| alphabet.symbol(*letter)).collect();
        self.words.contains(words, &symbols)
    }

    /// The numbers of the goals a run covers, ascending; at most as many as asked for are looked at.
    pub fn goals_of(&self, run: RunCoverage, most: usize) -> Vec<u128> {
        self.numbers(run.words, most)
    }

    /// The numbers of the goals covered so far, ascending; at most as many as asked for are looked at.
    pub fn covered_goals(&self, most: usize) -> Vec<u128> {
        self.numbers(self.covered, most)
    }

    fn numbers(&self, words: WordSet, most: usize) -> Vec<u128> {
        let alphabet = self.spec.goals.alphabet();
        let number = |word: Vec<u32>| {
            let letters: Vec<Letter> = word.into_iter().map(|symbol| alphabet.letter(symbol)).collect();
            self.spec.goals.index(&letters)
        };
        let mut numbers: Vec<u128> = self.words.list(words, most).into_iter().filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The query that the meter is for.
    pub fn spec(&self) -> &'a Spec {
        self.spec
    }
}

impl Default for WordSet {
    fn default() -> WordSet {
        WordSets::NONE
    }
}
