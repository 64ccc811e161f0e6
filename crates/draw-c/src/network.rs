//! Automata over the unrolled program: which executions they accept, as a term.
//!
//! At every point of the unrolled program there is one term per state of the automaton: executions that are here, and
//! whose steps so far can be read so that the automaton is in that state. This follows all readings at once, so no
//! variable has to be guessed, and what several goals share is shared by their terms.

use fql::automaton::{Automaton, Guard, SetId, Sets};
use fql::bits::BitSet;
use rustc_hash::FxHashMap;
use smt::Term;

use super::build::Build;
use super::trace::{Point, PointId, Trace};

/// What is known about the points of one unrolled program.
#[derive(Default)]
pub(super) struct Network {
    /// Whether control is at a node of a set, or a predicate holds, at the moment of a point.
    moments: FxHashMap<(u32, Test), Term>,
    /// When an execution comes to an end.
    ends: Option<Term>,
    /// Whether executions that a bound cuts come to an end there.
    with_stops: bool,
}

/// A test on a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Test {
    Nodes(SetId),
    Predicate(u32),
}

/// When an automaton accepts executions.
pub(super) struct Acceptance {
    /// An execution comes to its end and is accepted.
    pub(super) term: Term,
    /// If everything is accepted that was accepted once: when that has happened, and the edges that make it happen.
    pub(super) entered: Option<(Term, BitSet)>,
}

/// The executions in a state of the automaton at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Here {
    None,
    /// Every execution that comes here.
    All,
    Some(Term),
}

impl Network {
    /// For executions that come to an end where a bound cuts them.
    pub(super) fn of_beginnings() -> Network {
        Network { with_stops: true, ..Network::default() }
    }

    /// When an execution comes to its end within the bounds.
    pub(super) fn ends(&mut self, build: &mut Build<'_>, trace: &Trace) -> Term {
        if let Some(ends) = self.ends {
            return ends;
        }
        let guards: Vec<Term> = self.ending(trace).iter().map(|end| trace.points[end.0 as usize].guard).collect();
        let ends = build.any(&guards);
        self.ends = Some(ends);
        ends
    }

    /// Where executions end.
    fn ending(&self, trace: &Trace) -> Vec<PointId> {
        let stops = trace.stops.iter().filter(|_| self.with_stops);
        trace.ends.iter().chain(stops).copied().collect()
    }

    /// When an execution comes to its end and the automaton accepts it.
    pub(super) fn accepted(
        &mut self,
        build: &mut Build<'_>,
        trace: &Trace,
        sets: &Sets,
        automaton: &Automaton,
        edges: usize,
    ) -> Acceptance {
        if automaton.states == 0 || trace.points.is_empty() {
            return Acceptance { term: build.truth(false), entered: None };
        }
        let absorbing = absorbing(automaton, sets, edges);
        let mut absorbed: Vec<Term> = Vec::new();
        let mut rows: Vec<Vec<Here>> = Vec::with_capacity(trace.points.len());
        for (at, point) in trace.points.iter().enumerate() {
            let mut row = vec![Here::None; automaton.states as usize];
            if point.steps.is_empty() {
                row[Automaton::INITIAL as usize] = Here::All;
            } else {
                row = self.row(build, trace, sets, automaton, &rows, point);
            }
            for state in 0..automaton.states as usize {
                if absorbing[state] && row[state] != Here::None {
                    let here = term(row[state], trace.points[at].guard);
                    absorbed.extend(here);
                    row[state] = Here::None;
                }
            }
            rows.push(row);
        }
        let mut accepted = Vec::new();
        let entered = build.any(&absorbed);
        if !absorbed.is_empty() {
            let ends = self.ends(build, trace);
            accepted.push(build.and(entered, ends));
        }
        for end in self.ending(trace) {
            let point = &trace.points[end.0 as usize];
            for accept in &automaton.accepting {
                if let Some(here) = term(rows[end.0 as usize][accept.state as usize], point.guard) {
                    let guard = self.guard(build, trace, sets, &accept.guard, end);
                    accepted.push(build.and(here, guard));
                }
            }
        }
        let letters = entering(automaton, sets, edges, &absorbing);
        Acceptance { term: build.any(&accepted), entered: letters.map(|letters| (entered, letters)) }
    }

    /// The states at a point, from those at its predecessors.
    fn row(
        &mut self,
        build: &mut Build<'_>,
        trace: &Trace,
        sets: &Sets,
        automaton: &Automaton,
        rows: &[Vec<Here>],
        point: &Point,
    ) -> Vec<Here> {
        let states = automaton.states as usize;
        // For each state the number of steps that bring everything, and what the others bring.
        let mut whole = vec![0usize; states];
        let mut parts: Vec<Vec<Term>> = vec![Vec::new(); states];
        for step in &point.steps {
            let before = &rows[step.from.0 as usize];
            let from = &trace.points[step.from.0 as usize];
            let mut brings: Vec<Here> = vec![Here::None; states];
            match step.edge {
                None => brings.clone_from(before),
                Some(_) => {
                    for state in (0..automaton.states).filter(|state| before[*state as usize] != Here::None) {
                        for taken in automaton.steps_from(state) {
                            if !sets.edge_set(taken.edges).contains(step.letter) {
                                continue;
                            }
                            let mut here = before[state as usize];
                            if !taken.guard.is_trivial() {
                                let guard = self.guard(build, trace, sets, &taken.guard, step.from);
                                here = restricted(build, here, from.guard, guard);
                            }
                            let target = &mut brings[taken.to as usize];
                            *target = united(build, *target, here);
                        }
                    }
                }
            }
            for (state, brought) in brings.into_iter().enumerate() {
                match brought {
                    Here::None => {}
                    Here::All => {
                        whole[state] += 1;
                        parts[state].push(build.and(from.guard, step.condition));
                    }
                    Here::Some(here) => parts[state].push(build.and(here, step.condition)),
                }
            }
        }
        let steps = point.steps.len();
        let mut row = Vec::with_capacity(states);
        for (whole, parts) in whole.into_iter().zip(parts) {
            row.push(match parts.len() {
                0 => Here::None,
                _ if whole == steps => Here::All,
                _ => {
                    let term = build.any(&parts);
                    if build.is_false(term) { Here::None } else { Here::Some(term) }
                }
            });
        }
        row
    }

    /// Whether a guard holds at the moment of a point.
    pub(super) fn guard(
        &mut self,
        build: &mut Build<'_>,
        trace: &Trace,
        sets: &Sets,
        guard: &Guard,
        point: PointId,
    ) -> Term {
        let mut parts = Vec::new();
        for &set in &guard.nodes {
            parts.push(self.moment(build, trace, sets, Test::Nodes(set), point));
        }
        for &predicate in &guard.predicates {
            parts.push(self.moment(build, trace, sets, Test::Predicate(predicate), point));
        }
        build.all(&parts)
    }

    /// Whether a test holds at one of the places where control is at the moment of a point: the point itself, and, right
    /// after a function has returned, its end.
    fn moment(&mut self, build: &mut Build<'_>, trace: &Trace, sets: &Sets, test: Test, root: PointId) -> Term {
        let mut open = vec![root];
        while let Some(&at) = open.last() {
            if self.moments.contains_key(&(at.0, test)) {
                open.pop();
                continue;
            }
            let point = &trace.points[at.0 as usize];
            let back = || point.steps.iter().filter(|step| step.edge.is_none()).map(|step| step.from);
            let before = open.len();
            open.extend(back().filter(|from| !self.moments.contains_key(&(from.0, test))));
            if before < open.len() {
                continue;
            }
            open.pop();
            let own = match test {
                Test::Nodes(set) => build.truth(sets.node_set(set).contains(point.node.0)),
                Test::Predicate(number) => point.predicates[number as usize],
            };
            let mut parts = vec![own];
            for from in back() {
                let earlier = self.moments[&(from.0, test)];
                parts.push(build.and(trace.points[from.0 as usize].guard, earlier));
            }
            let holds = build.any(&parts);
            self.moments.insert((at.0, test), holds);
        }
        self.moments[&(root.0, test)]
    }
}

fn term(here: Here, guard: Term) -> Option<Term> {
    match here {
        Here::None => None,
        Here::All => Some(guard),
        Here::Some(term) => Some(term),
    }
}

fn restricted(build: &mut Build<'_>, here: Here, at: Term, guard: Term) -> Here {
    if build.is_true(guard) {
        return here;
    }
    match term(here, at) {
        Some(here) if !build.is_false(guard) => Here::Some(build.and(here, guard)),
        _ => Here::None,
    }
}

fn united(build: &mut Build<'_>, one: Here, other: Here) -> Here {
    match (one, other) {
        (Here::None, here) | (here, Here::None) => here,
        (Here::All, _) | (_, Here::All) => Here::All,
        (Here::Some(one), Here::Some(other)) => Here::Some(build.or(one, other)),
    }
}

/// The edges that lead to a state from which everything is accepted; none if something is accepted in other states.
fn entering(automaton: &Automaton, sets: &Sets, edges: usize, absorbing: &[bool]) -> Option<BitSet> {
    if !automaton.accepting.iter().all(|accept| absorbing[accept.state as usize]) {
        return None;
    }
    let mut letters = BitSet::new(edges);
    for state in (0..automaton.states).filter(|state| !absorbing[*state as usize]) {
        for step in automaton.steps_from(state).iter().filter(|step| absorbing[step.to as usize]) {
            letters = letters.union(sets.edge_set(step.edges));
        }
    }
    Some(letters)
}

/// The states from which everything is accepted: they accept at any time, and every edge leads to such a state.
pub(super) fn absorbing(automaton: &Automaton, sets: &Sets, edges: usize) -> Vec<bool> {
    let mut absorbing = vec![false; automaton.states as usize];
    for accept in automaton.accepting.iter().filter(|accept| accept.guard.is_trivial()) {
        absorbing[accept.state as usize] = true;
    }
    loop {
        let mut changed = false;
        for state in 0..automaton.states {
            if !absorbing[state as usize] {
                continue;
            }
            let free = automaton.steps_from(state).iter();
            let mut read: Vec<&fql::bits::BitSet> = free
                .filter(|step| step.guard.is_trivial() && absorbing[step.to as usize])
                .map(|step| sets.edge_set(step.edges))
                .collect();
            read.dedup();
            let all = match read.as_slice() {
                [] => edges == 0,
                [one] => one.len() == edges,
                several => {
                    let union = several[1..].iter().fold(several[0].clone(), |all, set| all.union(set));
                    union.len() == edges
                }
            };
            if !all {
                absorbing[state as usize] = false;
                changed = true;
            }
        }
        if !changed {
            return absorbing;
        }
    }
}
