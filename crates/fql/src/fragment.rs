//! Patterns to automata with empty moves, in the way of Thompson; and from there to automata without.

use rustc_hash::{FxHashMap, FxHashSet};
use source::Diagnostic;

use crate::ast::Bound;
use crate::automaton::{Accept, Automaton, Emission, Guard, SetId, Sets, Step};
use crate::codes::TOO_LARGE;
use crate::evaluate::Evaluator;
use crate::graph::Graph;
use crate::normal::{Normal, Pattern, PatternId, TransformerId};
use crate::paths::{PathAutomaton, paths};

/// The most moves of a fragment.
const MOST_MOVES: usize = 4_000_000;
/// The most ways in which tests may be combined between two steps.
const MOST_GUARDS: usize = 50_000;
/// Larger automata are not reduced.
const REDUCED: u32 = 300;

/// What a move reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    Empty,
    Edges(SetId),
    Nodes(SetId),
    Predicate(u32),
    /// A quoted pattern, only in fragments of the cover clause.
    Quote(u32),
    /// Nothing, but a quoted pattern ends here.
    Quoted(u32),
}

/// A move of a fragment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub(crate) from: u32,
    pub(crate) label: Label,
    pub(crate) to: u32,
    /// Whether what is read is a letter of the goal.
    pub(crate) emits: bool,
}

/// An automaton with empty moves, one start and one end.
#[derive(Clone, Debug)]
pub(crate) struct Fragment {
    pub(crate) states: u32,
    pub(crate) moves: Vec<Move>,
}

impl Fragment {
    pub(crate) const START: u32 = 0;
    pub(crate) const END: u32 = 1;

    pub(crate) fn new() -> Fragment {
        Fragment { states: 2, moves: Vec::new() }
    }

    pub(crate) fn state(&mut self) -> u32 {
        self.states += 1;
        self.states - 1
    }

    pub(crate) fn add(&mut self, from: u32, label: Label, to: u32, emits: bool) {
        self.moves.push(Move { from, label, to, emits });
    }

    /// Puts a copy of another fragment between two states.
    pub(crate) fn insert(&mut self, from: u32, other: &Fragment, to: u32) {
        let base = self.states;
        self.states += other.states;
        self.add(from, Label::Empty, base + Fragment::START, false);
        self.add(base + Fragment::END, Label::Empty, to, false);
        self.moves.extend(other.moves.iter().map(|old| Move { from: base + old.from, to: base + old.to, ..*old }));
    }
}

/// Turns patterns of one query into fragments.
pub(crate) struct Builder<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) normal: &'a Normal,
    pub(crate) evaluator: Evaluator<'a>,
    pub(crate) sets: Sets,
    /// The quoted patterns met so far.
    pub(crate) quotes: Vec<PatternId>,
    paths: FxHashMap<(TransformerId, u32), PathAutomaton>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(graph: &'a Graph, normal: &'a Normal) -> Builder<'a> {
        Builder {
            graph,
            normal,
            evaluator: Evaluator::new(graph, normal),
            sets: Sets::default(),
            quotes: Vec::new(),
            paths: FxHashMap::default(),
        }
    }

    /// The fragment of a pattern; its letters are emitted if it belongs to the cover clause.
    pub(crate) fn fragment(&mut self, root: PatternId, emits: bool) -> Result<Fragment, Box<Diagnostic>> {
        let mut fragment = Fragment::new();
        let mut tasks = vec![(root, Fragment::START, Fragment::END)];
        while let Some((id, from, to)) = tasks.pop() {
            match self.normal.pattern(id) {
                Pattern::Sum(left, right) => tasks.extend([(right, from, to), (left, from, to)]),
                Pattern::Concat(left, right) => {
                    let middle = fragment.state();
                    tasks.extend([(right, middle, to), (left, from, middle)]);
                }
                Pattern::Star(inner) => star(&mut fragment, &mut tasks, inner, from, to),
                Pattern::Repeat(inner, bound) => repeat(&mut fragment, &mut tasks, inner, bound, from, to),
                Pattern::Quote(inner) => {
                    let at = self.quotes.iter().position(|known| *known == inner).unwrap_or_else(|| {
                        self.quotes.push(inner);
                        self.quotes.len() - 1
                    });
                    fragment.add(from, Label::Quote(at as u32), to, emits);
                }
                Pattern::Predicate(predicate) => fragment.add(from, Label::Predicate(predicate), to, emits),
                Pattern::Nodes(filter) => {
                    let found = self.evaluator.evaluate(filter)?;
                    let set = self.sets.nodes(found.nodes);
                    fragment.add(from, Label::Nodes(set), to, emits);
                }
                Pattern::Edges(filter) => {
                    let found = self.evaluator.evaluate(filter)?;
                    let set = self.sets.edges(found.edges);
                    fragment.add(from, Label::Edges(set), to, emits);
                }
                Pattern::Paths(filter, bound) => self.add_paths(&mut fragment, filter, bound, (from, to), emits)?,
            }
            if MOST_MOVES < fragment.moves.len() + tasks.len() {
                return Err(self.too_large("the automaton of the query has more than 4,000,000 moves"));
            }
        }
        Ok(fragment)
    }

    fn add_paths(
        &mut self,
        fragment: &mut Fragment,
        filter: TransformerId,
        bound: u32,
        (from, to): (u32, u32),
        emits: bool,
    ) -> Result<(), Box<Diagnostic>> {
        let target = self.evaluator.evaluate(filter)?;
        if !self.paths.contains_key(&(filter, bound)) {
            let Some(found) = paths(self.graph, &target, bound) else {
                let text = self.normal.filter_text(filter);
                let message = format!("there are too many paths in {text} that pass every node at most {bound} times");
                let span = self.normal.place(filter);
                let help = "Name a smaller part of the program or a smaller bound.";
                return Err(Diagnostic::error(&TOO_LARGE, span, message).help(help).into());
            };
            self.paths.insert((filter, bound), found);
        }
        let automaton = &self.paths[&(filter, bound)];
        let base = fragment.states;
        fragment.states += automaton.states;
        for state in &automaton.initial {
            fragment.add(from, Label::Empty, base + state, false);
        }
        for state in &automaton.accepting {
            fragment.add(base + state, Label::Empty, to, false);
        }
        for (source, edge, target) in &automaton.moves {
            let mut set = self.graph.no_edges();
            set.insert(edge.0);
            let set = self.sets.edges(set);
            fragment.add(base + source, Label::Edges(set), base + target, emits);
        }
        Ok(())
    }

    fn too_large(&self, message: &str) -> Box<Diagnostic> {
        let help = "Lower the repetitions, or name a smaller part of the program.";
        Diagnostic::error(&TOO_LARGE, source::Span::default(), message).help(help).into()
    }

    /// The fragment with quoted patterns in full.
    pub(crate) fn unquote(&mut self, fragment: &Fragment) -> Result<Fragment, Box<Diagnostic>> {
        let mut inner: Vec<Option<Fragment>> = vec![None; self.quotes.len()];
        let mut whole = Fragment { states: fragment.states, moves: Vec::new() };
        for old in &fragment.moves {
            match old.label {
                Label::Quote(quote) => {
                    let place = &mut inner[quote as usize];
                    if place.is_none() {
                        *place = Some(self.fragment(self.quotes[quote as usize], false)?);
                    }
                    let behind = whole.state();
                    whole.insert(old.from, place.as_ref().expect("just made"), behind);
                    whole.add(behind, Label::Quoted(quote), old.to, old.emits);
                }
                Label::Empty | Label::Edges(_) | Label::Nodes(_) | Label::Predicate(_) | Label::Quoted(_) => {
                    whole.moves.push(*old);
                }
            }
            if MOST_MOVES < whole.moves.len() {
                return Err(self.too_large("the automaton of the query has more than 4,000,000 moves"));
            }
        }
        Ok(whole)
    }
}

type Tasks = Vec<(PatternId, u32, u32)>;

fn star(fragment: &mut Fragment, tasks: &mut Tasks, inner: PatternId, from: u32, to: u32) {
    let hub = fragment.state();
    fragment.add(from, Label::Empty, hub, false);
    fragment.add(hub, Label::Empty, to, false);
    tasks.push((inner, hub, hub));
}

fn repeat(fragment: &mut Fragment, tasks: &mut Tasks, inner: PatternId, bound: Bound, from: u32, to: u32) {
    let (count, optional) = match bound {
        Bound::Exactly(count) | Bound::AtLeast(count) => (count, false),
        Bound::AtMost(count) => (count, true),
    };
    let mut at = from;
    for _ in 0..count {
        let next = fragment.state();
        if optional {
            fragment.add(at, Label::Empty, to, false);
        }
        tasks.push((inner, at, next));
        at = next;
    }
    match bound {
        Bound::AtLeast(_) => star(fragment, tasks, inner, at, to),
        Bound::Exactly(_) | Bound::AtMost(_) => fragment.add(at, Label::Empty, to, false),
    }
}

/// The automaton without empty moves that accepts and emits the same; none if tests combine in too many ways.
pub(crate) fn eliminate(fragment: &Fragment, sets: &Sets) -> Result<Automaton, Box<Diagnostic>> {
    let mut out: Vec<Vec<u32>> = vec![Vec::new(); fragment.states as usize];
    for (at, one) in fragment.moves.iter().enumerate() {
        let dead = match one.label {
            Label::Edges(set) => sets.edge_set(set).is_empty(),
            Label::Nodes(set) => sets.node_set(set).is_empty(),
            Label::Empty | Label::Predicate(_) | Label::Quote(_) | Label::Quoted(_) => false,
        };
        if !dead {
            out[one.from as usize].push(at as u32);
        }
    }
    let mut ids: FxHashMap<u32, u32> = FxHashMap::default();
    ids.insert(Fragment::START, Automaton::INITIAL);
    let mut open = vec![Fragment::START];
    let (mut steps, mut accepting) = (Vec::new(), Vec::new());
    while let Some(state) = open.pop() {
        let from = ids[&state];
        for (guard, emits, reached) in closure(fragment, &out, state)? {
            if reached == Fragment::END {
                accepting.push(Accept { state: from, guard: guard.clone(), emits: emits.clone() });
            }
            for at in &out[reached as usize] {
                let one = fragment.moves[*at as usize];
                if let Label::Edges(edges) = one.label {
                    let fresh = ids.len() as u32;
                    let to = *ids.entry(one.to).or_insert_with(|| {
                        open.push(one.to);
                        fresh
                    });
                    let (guard, before) = (guard.clone(), emits.clone());
                    steps.push(Step { from, guard, before, edges, emits_edge: one.emits, to });
                }
            }
        }
    }
    Ok(reduce(trim(ids.len() as u32, steps, accepting)))
}

type Reached = (Guard, Vec<Emission>, u32);

/// Where one can get from a state without a step, with the tests passed and the letters emitted on the way.
fn closure(fragment: &Fragment, out: &[Vec<u32>], state: u32) -> Result<Vec<Reached>, Box<Diagnostic>> {
    let start: Reached = (Guard::default(), Vec::new(), state);
    let mut seen: FxHashSet<Reached> = FxHashSet::default();
    seen.insert(start.clone());
    let mut found = vec![start];
    let mut at = 0;
    while at < found.len() {
        let (guard, emits, here) = found[at].clone();
        at += 1;
        for index in &out[here as usize] {
            let one = fragment.moves[*index as usize];
            let (mut guard, mut emits) = (guard.clone(), emits.clone());
            match one.label {
                Label::Edges(_) | Label::Quote(_) => continue,
                Label::Empty => {}
                Label::Quoted(quote) => {
                    if one.emits {
                        emits.push(Emission::Quote(quote));
                    }
                }
                Label::Nodes(set) => {
                    insert(&mut guard.nodes, set);
                    if one.emits {
                        emits.push(Emission::Node(set));
                    }
                }
                Label::Predicate(predicate) => {
                    insert(&mut guard.predicates, predicate);
                    if one.emits {
                        emits.push(Emission::Predicate(predicate));
                    }
                }
            }
            let next = (guard, emits, one.to);
            if seen.insert(next.clone()) {
                found.push(next);
            }
            if MOST_GUARDS < found.len() {
                let message = "predicates and nodes can be combined in more than 50,000 ways between two steps";
                return Err(Diagnostic::error(&TOO_LARGE, source::Span::default(), message).into());
            }
        }
    }
    Ok(weakest(found))
}

/// Leaves out what asks for more than another way to the same state with the same letters.
fn weakest(found: Vec<Reached>) -> Vec<Reached> {
    let mut by_goal: FxHashMap<(Vec<Emission>, u32), Vec<usize>> = FxHashMap::default();
    for (at, (_, emits, state)) in found.iter().enumerate() {
        by_goal.entry((emits.clone(), *state)).or_default().push(at);
    }
    let stronger = |at: usize| {
        let (guard, emits, state) = &found[at];
        let rivals = &by_goal[&(emits.clone(), *state)];
        rivals.len() != 1 && rivals.iter().any(|rival| *rival != at && found[*rival].0.is_weaker(guard))
    };
    (0..found.len()).filter(|at| !stronger(*at)).map(|at| found[at].clone()).collect()
}

fn insert<T: Ord + Copy>(sorted: &mut Vec<T>, item: T) {
    if let Err(at) = sorted.binary_search(&item) {
        sorted.insert(at, item);
    }
}

/// Leaves out states from which no end can be reached.
fn trim(states: u32, steps: Vec<Step>, accepting: Vec<Accept>) -> Automaton {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); states as usize];
    for step in &steps {
        before[step.to as usize].push(step.from);
    }
    let mut alive = vec![false; states as usize];
    let mut open: Vec<u32> = accepting.iter().map(|accept| accept.state).collect();
    while let Some(state) = open.pop() {
        if !std::mem::replace(&mut alive[state as usize], true) {
            open.extend(&before[state as usize]);
        }
    }
    let kept = |state: u32| state == Automaton::INITIAL || alive[state as usize];
    let mut names = vec![0; states as usize];
    let mut count = 0;
    for state in 0..states {
        if kept(state) {
            names[state as usize] = count;
            count += 1;
        }
    }
    let name = |state: u32| names[state as usize];
    let useful = |step: &Step| alive[step.from as usize] && alive[step.to as usize];
    let steps = steps.into_iter().filter(useful).map(|step| Step { from: name(step.from), to: name(step.to), ..step });
    let accepting = accepting.into_iter().map(|accept| Accept { state: name(accept.state), ..accept });
    Automaton::new(count, steps.collect(), accepting.collect())
}

/// Merges states that behave alike.
fn reduce(automaton: Automaton) -> Automaton {
    if REDUCED < automaton.states {
        return automaton;
    }
    let mut class: Vec<u32> = vec![0; automaton.states as usize];
    let mut count = 1;
    loop {
        let mut seen: FxHashMap<(u32, Vec<Step>, Vec<Accept>), u32> = FxHashMap::default();
        let mut next = Vec::with_capacity(class.len());
        for state in 0..automaton.states {
            let step = |step: &Step| Step { from: 0, to: class[step.to as usize], ..step.clone() };
            let mut steps: Vec<Step> = automaton.steps_from(state).iter().map(step).collect();
            steps.sort();
            steps.dedup();
            let accept = |accept: &Accept| Accept { state: 0, ..accept.clone() };
            let accepts = automaton.accepts_in(state).iter().map(accept).collect();
            let fresh = seen.len() as u32;
            next.push(*seen.entry((class[state as usize], steps, accepts)).or_insert(fresh));
        }
        let now = seen.len();
        class = next;
        if now == count {
            break;
        }
        count = now;
    }
    let name = |state: u32| class[state as usize];
    let steps = automaton.steps.iter().map(|step| Step { from: name(step.from), to: name(step.to), ..step.clone() });
    let accepting = automaton.accepting.iter().map(|accept| Accept { state: name(accept.state), ..accept.clone() });
    Automaton::new(count as u32, steps.collect(), accepting.collect())
}
