//! Input-output conformance: after every trace of the model, what the mutant may put out, silence included, the model may too.
//!
//! States are not seen, only labels, so both sides are followed as sets of states. Inputs that a mutant refuses leave it
//! where it is: implementations take any input. Internal actions are not seen at all.

use std::collections::{BTreeMap, BTreeSet};

use action::spec::{ActionKind, Spec};
use action::trace::{Label, Step};
use action::{Machine, Program, Regions, Shape};
use rustc_hash::FxHashMap;

use super::document::Trial;
use super::limits::{Limits, Stopped};
use super::pair::Pair;
use super::verdict::{Difference, Equivalence, Kill, Seen, Verdict};

/// Follows model and mutant side by side through every trace of the model.
pub(super) fn ioco(spec: &Spec, mutant: &Spec, limits: &Limits) -> Verdict {
    match Pair::new(spec, mutant) {
        Ok(pair) if pair.is_same() => return Verdict::Equivalent(Equivalence::Syntactic),
        Ok(_) => {}
        Err(why) => return Verdict::Unsupported(why.0),
    }
    let shape = Shape::of(&[spec, mutant]);
    let regions = Regions::of(&[spec, mutant], &shape);
    let mut search = Search {
        original: Side::new(spec, &shape, &regions, limits),
        mutant: Side::new(mutant, &shape, &regions, limits),
        nodes: Vec::new(),
        known: FxHashMap::default(),
    };
    match search.run(limits) {
        Ok(Some(kill)) => Verdict::Killed(kill),
        Ok(None) => Verdict::Equivalent(Equivalence::Exhausted { states: search.nodes.len() }),
        Err(Stopped::Depth(depth)) => Verdict::ConformsUpTo(depth),
        Err(stopped) => Verdict::Unknown(stopped.to_string()),
    }
}

/// Whether a test tells a mutant from the model: somewhere along it the mutant may put out what the model may not.
pub(super) fn shows(spec: &Spec, mutant: &Spec, trial: &Trial, limits: &Limits) -> bool {
    if Pair::new(spec, mutant).map_or(true, |pair| pair.is_same()) {
        return false;
    }
    let shape = Shape::of(&[spec, mutant]);
    let regions = Regions::of(&[spec, mutant], &shape);
    let mut original = Side::new(spec, &shape, &regions, limits);
    let mut other = Side::new(mutant, &shape, &regions, limits);
    followed(&mut original, &mut other, trial).unwrap_or(false)
}

fn followed(original: &mut Side, mutant: &mut Side, trial: &Trial) -> Result<bool, Stopped> {
    let (mut left, mut right) = (original.begin()?, mutant.begin()?);
    let last = trial.then.iter().cloned().map(Seen::Observed);
    for seen in trial.trace.iter().cloned().map(Some).chain(last.map(Some)).chain([None]) {
        let allowed = original.outputs(&left)?;
        if mutant.outputs(&right)?.iter().any(|output| !allowed.contains(output)) {
            return Ok(true);
        }
        (left, right) = match seen {
            None => return Ok(false),
            Some(Seen::Silence) => (original.silent(&left)?, mutant.silent(&right)?),
            Some(Seen::Step(Step { label, .. }) | Seen::Observed(label)) => match original.kind(&label) {
                ActionKind::Controllable => (original.reach(&left, &label)?, mutant.reach_input(&right, &label)?),
                ActionKind::Observable | ActionKind::Internal => {
                    (original.reach(&left, &label)?, mutant.reach(&right, &label)?)
                }
            },
        };
        if left.is_empty() || right.is_empty() {
            return Ok(false);
        }
    }
    Ok(false)
}

/// A set of states, ascending, by number.
type Set = Vec<u32>;

struct Node {
    sets: (Set, Set),
    parent: usize,
    seen: Option<Seen>,
    depth: u64,
}

struct Search {
    original: Side,
    mutant: Side,
    nodes: Vec<Node>,
    known: FxHashMap<(Set, Set), ()>,
}

impl Search {
    fn run(&mut self, limits: &Limits) -> Result<Option<Kill>, Stopped> {
        let begin = (self.original.begin()?, self.mutant.begin()?);
        self.add(begin, 0, None, 0);
        let mut next = 0;
        let mut cut = None;
        while next < self.nodes.len() {
            if let Some(stopped) = limits.spent() {
                return Err(stopped);
            }
            if limits.states < self.nodes.len() {
                return Err(Stopped::States(limits.states));
            }
            if limits.memory < self.nodes.len().saturating_mul(128) {
                return Err(Stopped::Memory(limits.memory));
            }
            let (left, right) = self.nodes[next].sets.clone();
            let allowed = self.original.outputs(&left)?;
            let offered = self.mutant.outputs(&right)?;
            let extra: Vec<&Option<Label>> = offered.iter().filter(|output| !allowed.contains(*output)).collect();
            if !extra.is_empty() {
                return Ok(Some(self.kill(next, &extra)));
            }
            let depth = self.nodes[next].depth;
            for label in allowed.iter().filter(|output| offered.contains(*output)) {
                let sets = match label {
                    Some(label) => (self.original.after(&left, label)?, self.mutant.after(&right, label)?),
                    None => (self.original.silent(&left)?, self.mutant.silent(&right)?),
                };
                let seen = label.clone().map_or(Seen::Silence, Seen::Observed);
                self.follow(sets, next, seen, depth, limits, &mut cut);
            }
            for label in self.original.inputs(&left)? {
                let sets = (self.original.after(&left, &label)?, self.mutant.after_input(&right, &label)?);
                self.follow(sets, next, Seen::Observed(label), depth, limits, &mut cut);
            }
            next += 1;
        }
        cut.map_or(Ok(None), Err)
    }

    fn follow(
        &mut self,
        sets: (Set, Set),
        parent: usize,
        seen: Seen,
        depth: u64,
        limits: &Limits,
        cut: &mut Option<Stopped>,
    ) {
        if self.known.contains_key(&sets) {
            return;
        }
        if limits.depth == Some(depth) {
            *cut = Some(Stopped::Depth(depth));
        } else {
            self.add(sets, parent, Some(seen), depth + 1);
        }
    }

    fn add(&mut self, sets: (Set, Set), parent: usize, seen: Option<Seen>, depth: u64) {
        self.known.insert(sets.clone(), ());
        self.nodes.push(Node { sets, parent, seen, depth });
    }

    fn kill(&self, node: usize, extra: &[&Option<Label>]) -> Kill {
        let mut trace = Vec::new();
        let mut at = node;
        while let Some(seen) = &self.nodes[at].seen {
            trace.push(seen.clone());
            at = self.nodes[at].parent;
        }
        trace.reverse();
        let difference = extra[0].clone().map_or(Difference::Silence, Difference::Observed);
        Kill { trace, state: None, difference, differences: extra.len() as u64 }
    }
}

/// One of the two systems, with the steps of every state seen so far.
struct Side {
    program: Program,
    machine: Machine,
    kinds: BTreeMap<String, ActionKind>,
    initial: Vec<i64>,
    ways: u64,
    numbers: FxHashMap<Vec<i64>, u32>,
    states: Vec<Vec<i64>>,
    steps: Vec<Option<Steps>>,
}

/// The steps from one state.
#[derive(Clone, Default)]
struct Steps {
    internal: BTreeSet<u32>,
    outputs: BTreeMap<Label, BTreeSet<u32>>,
    inputs: BTreeMap<Label, BTreeSet<u32>>,
}

impl Side {
    fn new(spec: &Spec, shape: &Shape, regions: &Regions, limits: &Limits) -> Side {
        Side {
            program: Program::new(spec, shape, regions),
            machine: Machine::default(),
            kinds: spec.actions().iter().map(|action| (action.name.clone(), action.kind)).collect(),
            initial: spec.initial().to_vec(),
            ways: limits.ways,
            numbers: FxHashMap::default(),
            states: Vec::new(),
            steps: Vec::new(),
        }
    }

    fn number(&mut self, state: &[i64]) -> u32 {
        if let Some(number) = self.numbers.get(state) {
            return *number;
        }
        let number = self.states.len() as u32;
        self.numbers.insert(state.to_vec(), number);
        self.states.push(state.to_vec());
        self.steps.push(None);
        number
    }

    fn begin(&mut self) -> Result<Set, Stopped> {
        let initial = self.number(&self.initial.clone());
        self.closed(BTreeSet::from([initial]))
    }

    fn steps(&mut self, state: u32) -> Result<Steps, Stopped> {
        if let Some(steps) = &self.steps[state as usize] {
            return Ok(steps.clone());
        }
        let mut found: Vec<(Label, Vec<i64>)> = Vec::new();
        self.machine.refuel(self.ways);
        let (program, from) = (&self.program, &self.states[state as usize]);
        let went = self.machine.steps(program, from, &mut |step| {
            found.push((program.shape().decode(step.label), step.post.to_vec()));
            true
        });
        went.map_err(|_| Stopped::Ways(self.ways))?;
        let mut steps = Steps::default();
        for (label, post) in found {
            let post = self.number(&post);
            match self.kind(&label) {
                ActionKind::Internal => {
                    steps.internal.insert(post);
                }
                ActionKind::Observable => {
                    steps.outputs.entry(label).or_default().insert(post);
                }
                ActionKind::Controllable => {
                    steps.inputs.entry(label).or_default().insert(post);
                }
            }
        }
        self.steps[state as usize] = Some(steps.clone());
        Ok(steps)
    }

    /// A joint step is an input if its first event is; the rest of it is then the system's prompt reaction.
    fn kind(&self, label: &Label) -> ActionKind {
        let kind = |event: &action::trace::Event| self.kinds.get(&event.action).copied();
        match label.0.first().and_then(kind) {
            Some(ActionKind::Controllable) => ActionKind::Controllable,
            _ if label.0.iter().all(|event| kind(event) == Some(ActionKind::Internal)) => ActionKind::Internal,
            _ => ActionKind::Observable,
        }
    }

    /// The states with all that internal steps lead to.
    fn closed(&mut self, states: BTreeSet<u32>) -> Result<Set, Stopped> {
        let mut all = states.clone();
        let mut open: Vec<u32> = states.into_iter().collect();
        while let Some(state) = open.pop() {
            for post in self.steps(state)?.internal {
                if all.insert(post) {
                    open.push(post);
                }
            }
        }
        Ok(all.into_iter().collect())
    }

    /// What may be put out; none stands for silence.
    fn outputs(&mut self, states: &Set) -> Result<BTreeSet<Option<Label>>, Stopped> {
        let mut outputs = BTreeSet::new();
        for &state in states {
            let steps = self.steps(state)?;
            if steps.outputs.is_empty() && steps.internal.is_empty() {
                outputs.insert(None);
            }
            outputs.extend(steps.outputs.into_keys().map(Some));
        }
        Ok(outputs)
    }

    fn inputs(&mut self, states: &Set) -> Result<BTreeSet<Label>, Stopped> {
        let mut inputs = BTreeSet::new();
        for &state in states {
            inputs.extend(self.steps(state)?.inputs.into_keys());
        }
        Ok(inputs)
    }

    fn after(&mut self, states: &Set, label: &Label) -> Result<Set, Stopped> {
        let mut posts = BTreeSet::new();
        for &state in states {
            let steps = self.steps(state)?;
            posts.extend(steps.outputs.get(label).or_else(|| steps.inputs.get(label)).into_iter().flatten());
        }
        self.closed(posts)
    }

    /// As `after`; states that refuse the input stay.
    fn after_input(&mut self, states: &Set, label: &Label) -> Result<Set, Stopped> {
        let mut posts = BTreeSet::new();
        for &state in states {
            match self.steps(state)?.inputs.get(label) {
                Some(after) => posts.extend(after),
                None => {
                    posts.insert(state);
                }
            }
        }
        self.closed(posts)
    }

    /// As `after`, for any label, not only for those that stand for others.
    fn reach(&mut self, states: &Set, label: &Label) -> Result<Set, Stopped> {
        let posts = self.posts(states, label)?.into_values().flatten().collect();
        self.closed(posts)
    }

    /// As `after_input`, for any label.
    fn reach_input(&mut self, states: &Set, label: &Label) -> Result<Set, Stopped> {
        let posts = self.posts(states, label)?;
        let stays =
            |(state, posts): (u32, BTreeSet<u32>)| if posts.is_empty() { BTreeSet::from([state]) } else { posts };
        self.closed(posts.into_iter().flat_map(stays).collect())
    }

    fn posts(&mut self, states: &Set, label: &Label) -> Result<BTreeMap<u32, BTreeSet<u32>>, Stopped> {
        let mut all = BTreeMap::new();
        let numbers = self.program.shape().encode(label);
        for &state in states {
            let mut found: Vec<Vec<i64>> = Vec::new();
            if let Some(numbers) = &numbers {
                self.machine.refuel(self.ways);
                let (program, from) = (&self.program, &self.states[state as usize]);
                let went = self.machine.after(program, from, numbers, &mut |post| {
                    found.push(post.to_vec());
                    true
                });
                went.map_err(|_| Stopped::Ways(self.ways))?;
            }
            let posts = found.iter().map(|post| self.number(post)).collect();
            all.insert(state, posts);
        }
        Ok(all)
    }

    /// The states in which nothing happens by itself.
    fn silent(&mut self, states: &Set) -> Result<Set, Stopped> {
        let mut silent = Vec::new();
        for &state in states {
            let steps = self.steps(state)?;
            if steps.outputs.is_empty() && steps.internal.is_empty() {
                silent.push(state);
            }
        }
        Ok(silent)
    }
}
