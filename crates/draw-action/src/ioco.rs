//! Input-output conformance: after every specified trace of the model, what the mutant may put out, silence included, the
//! model may too.
//!
//! States are not seen, only labels, so both sides are followed as sets of states. A trace is specified when every state the
//! model may be in takes each of its inputs: where one refuses an input, the model says nothing about what comes after it
//! (this is *uioco*). Inputs that a mutant refuses leave it where it is: implementations take any input. Internal actions
//! are not seen at all. As long as both are in the same set, and none of its states does anything else in the mutant, the
//! model's own exploration tells how it goes on.

use action::Machine;
use action::spec::ActionKind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::labels::Labels;
use super::limits::{Limits, Stopped};
use super::moves::{Input, Moves, Set, View, closed};
use super::pair::Pair;
use super::suspension::{BEYOND, SILENCE, Suspension};
use super::verdict::{Back, Conformance, Proof, Verdict};
use action::finding::{Difference, Kill, Seen};

/// Whether the mutant conforms to the model: both are followed side by side through every trace of the model.
pub(super) fn ioco(model: &Suspension, pair: &Pair, limits: &Limits) -> Verdict {
    between(model, pair, ORIGINAL, limits)
}

/// Whether the model conforms to the mutant: the same question with both exchanged.
pub(super) fn ioco_back(model: &Suspension, pair: &Pair, limits: &Limits) -> Verdict {
    between(model, pair, MUTANT, limits)
}

/// Follows both through every trace of the one that says what is allowed.
fn between(model: &Suspension, pair: &Pair, allowing: usize, limits: &Limits) -> Verdict {
    if pair.is_same() {
        return Verdict::conforms(Proof::Syntactic);
    }
    let mut search = Search {
        model,
        pair,
        limits,
        labels: Labels::new(pair.shape()),
        known: FxHashMap::default(),
        states: Vec::new(),
        sides: [FxHashMap::default(), FxHashMap::default()],
        machine: limits.machine(),
        differs: vec![None; model.store.len()],
        relevant: pair.changed.relevant_against(&pair.removed).into_iter().collect(),
        alike: FxHashMap::default(),
        rows: (Vec::new(), Vec::new()),
        places: Vec::new(),
        same: vec![false; model.len()],
        split: FxHashSet::default(),
        is_apart: false,
        allowing,
        cut: None,
    };
    match search.run() {
        Ok(Some(kill)) => Verdict::Killed(kill),
        Ok(None) => search.conforming(Proof::Exhausted { states: search.places.len() }),
        Err(Stopped::Depth(depth)) => search.conforming(Proof::UpTo(depth)),
        Err(stopped) => Verdict::Unknown(stopped.to_string()),
    }
}

/// Where both are.
#[derive(Clone, Debug)]
enum Node {
    /// In the same set of states, one of the model's own exploration.
    Same(u32),
    /// In these sets.
    Split(Set, Set),
}

/// What led somewhere.
#[derive(Clone, Copy, Debug)]
enum Via {
    Begin,
    Silence,
    /// A label of the model's exploration.
    Model(u32),
    /// A label of this search.
    Local(u32),
}

struct Place {
    node: Node,
    parent: u32,
    via: Via,
    depth: u64,
}

const ORIGINAL: usize = 0;
const MUTANT: usize = 1;

struct Search<'a> {
    model: &'a Suspension,
    pair: &'a Pair,
    limits: &'a Limits,
    labels: Labels,
    /// States that are none of the model's, with numbers behind those of the model's.
    known: FxHashMap<Box<[i64]>, u32>,
    states: Vec<Box<[i64]>>,
    /// The moves of states, in the model and in the mutant.
    sides: [FxHashMap<u32, Moves>; 2],
    machine: Machine,
    /// Whether the mutant does anything else in a state of the model's, as far as that is known.
    differs: Vec<Option<bool>>,
    /// The slots on which that depends, and the answers by their values.
    relevant: Vec<u32>,
    alike: FxHashMap<Box<[i64]>, bool>,
    rows: (Vec<i64>, Vec<i64>),
    places: Vec<Place>,
    same: Vec<bool>,
    split: FxHashSet<(Set, Set)>,
    /// Whether the mutant did something else somewhere.
    is_apart: bool,
    /// The side that says what is allowed.
    allowing: usize,
    cut: Option<Stopped>,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Option<Kill>, Stopped> {
        if self.model.len() == 0 {
            return Err(self.model.stopped.unwrap_or(Stopped::Interrupted));
        }
        let begin = self.begin()?;
        self.add(begin, 0, Via::Begin, 0);
        let mut next = 0;
        while next < self.places.len() {
            self.spent(next)?;
            let depth = self.places[next].depth;
            let same = match &self.places[next].node {
                Node::Same(set) => Some(*set),
                Node::Split(..) => None,
            };
            let agreed = match same {
                Some(set) if self.agrees(set)? => Some(self.model.edges(set)),
                Some(_) | None => None,
            };
            match agreed {
                Some(Some(edges)) => {
                    for &(label, target) in edges {
                        let via = if label == SILENCE { Via::Silence } else { Via::Model(label) };
                        if target == BEYOND {
                            self.cut = Some(Stopped::Depth(depth));
                        } else {
                            self.follow(Node::Same(target), next, via, depth);
                        }
                    }
                }
                // The model's own exploration ended before it came to this set.
                Some(None) => return Err(self.model.stopped.unwrap_or(Stopped::Interrupted)),
                None => {
                    self.is_apart = true;
                    if let Some(kill) = self.side_by_side(next, depth)? {
                        return Ok(Some(kill));
                    }
                }
            }
            next += 1;
        }
        self.cut.map_or(Ok(None), Err)
    }

    /// The verdict on a mutant that conforms. One that did the same wherever it was looked at is equivalent, too.
    fn conforming(&self, proof: Proof) -> Verdict {
        let back = Back::Unknown("the other direction was not looked at".to_owned());
        let back = if self.is_apart { back } else { Back::Equal(proof) };
        Verdict::Conforms(Conformance { proof, back })
    }

    fn begin(&mut self) -> Result<Node, Stopped> {
        let model = self.model.set(0).clone();
        let initial = self.number(&self.pair.initial.clone());
        let mutant = self.closed(MUTANT, vec![initial])?;
        Ok(self.node(model, mutant))
    }

    fn spent(&self, number: usize) -> Result<(), Stopped> {
        if self.limits.states < self.places.len() {
            return Err(Stopped::States(self.limits.states));
        }
        if self.limits.memory < self.places.len().saturating_mul(64) + self.split.len().saturating_mul(128) {
            return Err(Stopped::Memory(self.limits.memory));
        }
        if number.is_multiple_of(64) { self.limits.spent().map_or(Ok(()), Err) } else { Ok(()) }
    }

    fn node(&self, model: Set, mutant: Set) -> Node {
        match self.model.find(&model) {
            Some(set) if model == mutant => Node::Same(set),
            _ => Node::Split(model, mutant),
        }
    }

    fn follow(&mut self, node: Node, parent: usize, via: Via, depth: u64) {
        let known = match &node {
            Node::Same(set) => self.same[*set as usize],
            Node::Split(model, mutant) => self.split.contains(&(model.clone(), mutant.clone())),
        };
        if known {
            return;
        }
        if self.limits.depth == Some(depth) {
            self.cut = Some(Stopped::Depth(depth));
        } else {
            self.add(node, parent, via, depth + 1);
        }
    }

    fn add(&mut self, node: Node, parent: usize, via: Via, depth: u64) {
        match &node {
            Node::Same(set) => self.same[*set as usize] = true,
            Node::Split(model, mutant) => {
                self.split.insert((model.clone(), mutant.clone()));
            }
        }
        self.places.push(Place { node, parent: parent as u32, via, depth });
    }

    /// Whether the mutant does in a set of states, and in those that internal steps may lead to next, what the model does.
    fn agrees(&mut self, set: u32) -> Result<bool, Stopped> {
        if !self.pair.same_kinds || !self.pair.same_types || self.any_differs(set)? {
            return Ok(false);
        }
        let internal = |kinds: &[ActionKind]| kinds.contains(&ActionKind::Internal);
        if internal(&self.pair.kinds.0) {
            // Where internal steps of the mutant differ, the next set is another one.
            for &(_, target) in self.model.edges(set).unwrap_or_default() {
                if target != BEYOND && self.any_differs(target)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn any_differs(&mut self, set: u32) -> Result<bool, Stopped> {
        for &state in self.model.set(set) {
            if self.differs(state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the alternatives that are not the same in both make other steps from a state.
    fn differs(&mut self, state: u32) -> Result<bool, Stopped> {
        if let Some(known) = self.differs[state as usize] {
            return Ok(known);
        }
        let mut values = vec![0; self.pair.initial.len()];
        self.model.store.state(state as usize, &mut values);
        let key: Box<[i64]> = self.relevant.iter().map(|slot| values[*slot as usize]).collect();
        let found = match self.alike.get(&key) {
            Some(found) => *found,
            None => {
                let found = self.differs_from(&values)?;
                self.alike.insert(key, found);
                found
            }
        };
        self.differs[state as usize] = Some(found);
        Ok(found)
    }

    fn differs_from(&mut self, values: &[i64]) -> Result<bool, Stopped> {
        let (changed, removed) = (&mut self.rows.0, &mut self.rows.1);
        changed.clear();
        removed.clear();
        for (program, rows) in [(&self.pair.changed, &mut *changed), (&self.pair.removed, &mut *removed)] {
            self.machine.refuel(self.limits.ways);
            let went = self.machine.steps(program, values, &mut |step| {
                rows.extend_from_slice(step.label);
                rows.extend_from_slice(step.post);
                true
            });
            went.map_err(|_| self.limits.stopped())?;
        }
        let stride = self.pair.shape().width() + values.len();
        let ordered = |rows: &[i64]| {
            let mut steps: Vec<Vec<i64>> = rows.chunks(stride).map(<[i64]>::to_vec).collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        // Mostly they come in the same order.
        Ok(changed != removed && ordered(changed) != ordered(removed))
    }

    fn number(&mut self, state: &[i64]) -> u32 {
        number(self.model, &mut self.known, &mut self.states, state)
    }

    /// Makes sure that the moves of a state of one side are known.
    fn expand(&mut self, side: usize, state: u32) -> Result<(), Stopped> {
        if self.sides[side].contains_key(&state) {
            return Ok(());
        }
        let values: Box<[i64]> = match (state as usize).checked_sub(self.model.store.len()) {
            Some(own) => self.states[own].clone(),
            None => {
                let mut values = vec![0; self.pair.initial.len()];
                self.model.store.state(state as usize, &mut values);
                values.into_boxed_slice()
            }
        };
        let (program, kinds) = match side {
            ORIGINAL => (&*self.pair.original, &self.pair.kinds.0),
            _ => (self.pair.mutant(), &self.pair.kinds.1),
        };
        let (model, known, states) = (self.model, &mut self.known, &mut self.states);
        let give = &mut |post: &[i64]| number(model, known, states, post);
        let limits = self.limits;
        let moves = Moves::of(&mut self.machine, program, kinds, limits, &values, &mut self.labels, give)?;
        self.sides[side].insert(state, moves);
        Ok(())
    }

    fn closed(&mut self, side: usize, states: Vec<u32>) -> Result<Set, Stopped> {
        closed(states, |state, next| {
            self.expand(side, state)?;
            next.extend_from_slice(&self.sides[side][&state].internal);
            Ok(())
        })
    }

    fn view(&mut self, side: usize, set: &Set) -> Result<View, Stopped> {
        for &state in set {
            self.expand(side, state)?;
        }
        Ok(View::of(&self.labels, set, |state| &self.sides[side][&state]))
    }

    /// Compares what both may put out, and follows what both can do. Here the model is the one that says what is allowed.
    fn side_by_side(&mut self, place: usize, depth: u64) -> Result<Option<Kill>, Stopped> {
        let (left, right) = match &self.places[place].node {
            Node::Same(set) => (self.model.set(*set).clone(), self.model.set(*set).clone()),
            Node::Split(model, mutant) => (model.clone(), mutant.clone()),
        };
        let (above, below) = if self.allowing == ORIGINAL { (left, right) } else { (right, left) };
        let model = self.view(self.allowing, &above)?;
        let other = self.view(1 - self.allowing, &below)?;
        let allowed: FxHashMap<u32, usize> =
            model.outputs.iter().enumerate().map(|(index, (label, _))| (*label, index)).collect();
        let silence = !other.silent.is_empty() && model.silent.is_empty();
        let extra: Vec<u32> =
            other.outputs.iter().map(|(label, _)| *label).filter(|label| !allowed.contains_key(label)).collect();
        if silence || !extra.is_empty() {
            let difference = match extra.first() {
                Some(label) if !silence => Difference::Observed(self.labels.decode(*label)),
                _ => Difference::Silence,
            };
            let differences = extra.len() as u64 + u64::from(silence);
            return Ok(Some(Kill { trace: self.trace(place), state: None, difference, differences }));
        }
        if !model.silent.is_empty() && !other.silent.is_empty() {
            let node = self.between_sets(model.silent.clone().into_boxed_slice(), other.silent.into_boxed_slice());
            self.follow(node, place, Via::Silence, depth);
        }
        for (label, posts) in other.outputs {
            let after = model.outputs[allowed[&label]].1.clone();
            self.follow_both(place, label, after, posts, depth)?;
        }
        let taken: FxHashMap<u32, &Input> = other.inputs.iter().map(|input| (input.label, input)).collect();
        for (label, posts) in model.specified() {
            let mut after = taken.get(&label).map(|input| input.posts.clone()).unwrap_or_default();
            let takers = taken.get(&label).map(|input| input.takers.as_slice()).unwrap_or_default();
            after.extend(below.iter().filter(|state| takers.binary_search(state).is_err()));
            self.follow_both(place, label, posts, after, depth)?;
        }
        Ok(None)
    }

    /// The node of a set of the side that says what is allowed, and one of the other side.
    fn between_sets(&self, above: Set, below: Set) -> Node {
        if self.allowing == ORIGINAL { self.node(above, below) } else { self.node(below, above) }
    }

    /// Goes on with the states of both after a label.
    fn follow_both(
        &mut self,
        place: usize,
        label: u32,
        above: Vec<u32>,
        below: Vec<u32>,
        depth: u64,
    ) -> Result<(), Stopped> {
        let sets = (self.closed(self.allowing, above)?, self.closed(1 - self.allowing, below)?);
        let node = self.between_sets(sets.0, sets.1);
        self.follow(node, place, Via::Local(label), depth);
        Ok(())
    }

    fn trace(&self, place: usize) -> Vec<Seen> {
        let mut trace = Vec::new();
        let mut at = place;
        loop {
            trace.push(match self.places[at].via {
                Via::Begin => break,
                Via::Silence => Seen::Silence,
                Via::Model(label) => Seen::Observed(self.model.labels.decode(label)),
                Via::Local(label) => Seen::Observed(self.labels.decode(label)),
            });
            at = self.places[at].parent as usize;
        }
        trace.reverse();
        trace
    }
}

/// The number of a state: the model's where it has one.
fn number(
    model: &Suspension,
    known: &mut FxHashMap<Box<[i64]>, u32>,
    states: &mut Vec<Box<[i64]>>,
    state: &[i64],
) -> u32 {
    if let Some(number) = model.store.lookup(state) {
        return number;
    }
    if let Some(number) = known.get(state) {
        return *number;
    }
    let number = (model.store.len() + states.len()) as u32;
    known.insert(state.into(), number);
    states.push(state.into());
    number
}
