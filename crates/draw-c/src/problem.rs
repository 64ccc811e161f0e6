//! The search problem of a program at a bound.

use c::program::EdgeId;
use fql::automaton::{Automaton, Sets};
use smt::{Model, Simplifier, Term, Terms};
use testcase::{Inputs, ObligationId};

use super::build::Build;
use super::copies::{Copies, Unrolling};
use super::document::{of_model, same};
use super::machine::{Executed, Machine};
use super::network::{Acceptance, Network};
use super::range::Ranges;
use super::reach::Continuations;
use super::taken::Taken;
use super::trace::Trace;
use super::{CSubject, Encoding};
use search::Backend;
use search::{Bound, Completeness, Part, Problem, Reason};

/// What the numbers of reasons mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The goal itself.
    Goal,
    /// Executions beyond the bounds are not followed.
    Cut,
    /// The passing clause.
    Passing,
    /// Something about the inputs themselves.
    Inputs,
    /// What an edge computes must be defined, or is assumed.
    Defined(EdgeId),
    /// A side of a branch is taken.
    Taken(EdgeId),
}

impl Why {
    pub(super) fn reason(self) -> Reason {
        Reason(match self {
            Why::Goal => 0,
            Why::Cut => 1,
            Why::Passing => 2,
            Why::Inputs => 3,
            Why::Defined(edge) => 4 + 2 * edge.0,
            Why::Taken(edge) => 5 + 2 * edge.0,
        })
    }

    pub(super) fn of(reason: Reason) -> Why {
        match reason.0 {
            0 => Why::Goal,
            1 => Why::Cut,
            2 => Why::Passing,
            3 => Why::Inputs,
            number if number % 2 == 0 => Why::Defined(EdgeId((number - 4) / 2)),
            number => Why::Taken(EdgeId((number - 5) / 2)),
        }
    }
}

/// A program unrolled to a bound, with the goals of a query.
pub(super) struct CProblem<'a> {
    subject: &'a CSubject,
    pub(super) executed: Executed,
    simplifier: Simplifier,
    ranges: Ranges,
    network: Network,
    /// The same, for executions that are cut where a bound ends them.
    beginnings: Network,
    /// When edges are taken, once someone asked.
    taken: Option<Taken>,
    /// Where edges are in the unrolled program, once someone asked.
    unrolling: Option<Unrolling>,
    facts: Vec<Part>,
    /// When an execution is not followed to its end.
    cut: Term,
    /// The same, by what such executions may still do.
    continuations: Continuations,
    /// When an execution is followed to its end, but for bounds, and can be had as a test.
    real: Term,
    /// The same, for executions whose beginnings count.
    begun: Term,
    /// When no bound ends an execution.
    within: Term,
    /// The passing clause.
    passing: Option<Term>,
    /// Whether no run at all passes, however long it is.
    nothing_passes: bool,
}

impl<'a> CProblem<'a> {
    pub(super) fn new(terms: &mut Terms, subject: &'a CSubject, bound: Bound, clock: Option<&Backend>) -> CProblem<'a> {
        CProblem::unrolled(terms, subject, bound, clock, (false, false), subject.settings.calls)
    }

    /// A problem in which executions with undefined behaviour count, as executions that are not followed behind it, or executions
    /// that begin in another state or meet a world that changes memory, or both.
    pub(super) fn beyond_tests(
        terms: &mut Terms,
        subject: &'a CSubject,
        bound: Bound,
        clock: Option<&Backend>,
        (tolerant, relaxed): (bool, bool),
    ) -> CProblem<'a> {
        CProblem::unrolled(terms, subject, bound, clock, (tolerant, relaxed), subject.settings.calls)
    }

    /// A problem in which the entry function is called so often.
    pub(super) fn of_calls(
        terms: &mut Terms,
        subject: &'a CSubject,
        bound: Bound,
        clock: Option<&Backend>,
        calls: u32,
    ) -> CProblem<'a> {
        CProblem::unrolled(terms, subject, bound, clock, (false, false), calls)
    }

    fn unrolled(
        terms: &mut Terms,
        subject: &'a CSubject,
        bound: Bound,
        clock: Option<&Backend>,
        (tolerant, relaxed): (bool, bool),
        calls: u32,
    ) -> CProblem<'a> {
        let (mut simplifier, mut ranges) = (Simplifier::new(), Ranges::default());
        let program = &subject.translation.program;
        let tools = (&mut simplifier, &mut ranges);
        let mut machine =
            Machine::new(terms, tools, program, &subject.settings, &subject.watched, bound.0.max(1), clock);
        machine.calls = calls;
        machine.tolerant = tolerant;
        machine.relaxed = relaxed.then(|| subject.changing.clone());
        let mut executed = machine.run();
        subject.number_steps(&mut executed.trace);
        let mut build = Build { terms, simplifier: &mut simplifier, ranges: &mut ranges };
        let cuts: Vec<Term> = executed.trace.cuts.iter().map(|cut| cut.guard).collect();
        let cut = build.any(&cuts);
        let others = executed.trace.cuts.iter().filter(|cut| !cut.bound);
        let unreal: Vec<Term> = executed.trace.unreal.iter().chain(others.clone()).map(|cut| cut.guard).collect();
        let unreal = build.any(&unreal);
        let real = build.not(unreal);
        let others = others.filter(|cut| !cut.begins);
        let unreal: Vec<Term> = executed.trace.unreal.iter().chain(others).map(|cut| cut.guard).collect();
        let unreal = build.any(&unreal);
        let begun = build.not(unreal);
        let beyond = beyond(&mut build, &executed.trace);
        let within = build.not(beyond);
        let continuations = Continuations::new(&mut build, subject, &executed.trace);
        let part = |&(term, edge): &(Term, Option<EdgeId>)| Part {
            term,
            reason: edge.map_or(Why::Inputs, Why::Defined).reason(),
        };
        let facts = executed.facts.iter().map(part).collect();
        let mut network = Network::default();
        let passing =
            subject.passing().map(|target| accepted(&mut network, &mut build, &executed.trace, subject, target).term);
        CProblem {
            subject,
            executed,
            simplifier,
            ranges,
            network,
            beginnings: Network::of_beginnings(),
            taken: None,
            unrolling: None,
            facts,
            cut,
            continuations,
            real,
            begun,
            within,
            passing,
            nothing_passes: subject.passing().is_some_and(|(automaton, sets)| is_empty(automaton, sets)),
        }
    }

    /// A condition that only executions which are followed to their end need to satisfy.
    fn unless_cut(&mut self, terms: &mut Terms, term: Term, why: Why) -> Part {
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        Part { term: build.or(term, self.cut), reason: why.reason() }
    }

    /// The passing clause; who is not followed to the end may match it later, unless nothing does.
    fn passed(&mut self, terms: &mut Terms, passing: Term) -> Part {
        match self.nothing_passes {
            true => Part { term: terms.bool(false), reason: Why::Passing.reason() },
            false => self.unless_cut(terms, passing, Why::Passing),
        }
    }

    /// When an execution meets an obligation, or may meet it behind the place where it is cut.
    fn meets(&mut self, terms: &mut Terms, obligation: ObligationId) -> Option<Part> {
        let subject = self.subject;
        match subject.plain_edge(obligation).filter(|_| subject.settings.encoding == Encoding::Native) {
            Some(letter) => {
                let trace = &self.executed.trace;
                let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
                let ends = self.network.ends(&mut build, trace);
                let taken = self.taken.get_or_insert_with(|| Taken::new(&mut build, trace, subject.edge_count()));
                let acceptance = taken.accepted(&mut build, letter, ends);
                Some(self.unless_later(terms, acceptance))
            }
            None => subject.with_automaton(obligation, |automaton, sets| self.goal(terms, sets, automaton)),
        }
    }

    /// When the beginning of an execution meets an obligation, whether it comes to an end or a bound cuts it.
    fn begins(&mut self, terms: &mut Terms, obligation: ObligationId) -> Option<Term> {
        let subject = self.subject;
        let trace = &self.executed.trace;
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        if let Some(letter) = subject.plain_edge(obligation) {
            let ends = self.beginnings.ends(&mut build, trace);
            let taken = self.taken.get_or_insert_with(|| Taken::new(&mut build, trace, subject.edge_count()));
            return Some(taken.accepted(&mut build, letter, ends).term);
        }
        let network = &mut self.beginnings;
        let edges = subject.edge_count();
        subject.with_automaton(obligation, |automaton, sets| {
            network.accepted(&mut build, trace, sets, automaton, edges).term
        })
    }

    /// When an automaton accepts an execution, or may accept it behind the place where it is cut.
    fn goal(&mut self, terms: &mut Terms, sets: &Sets, automaton: &Automaton) -> Part {
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let acceptance = accepted(&mut self.network, &mut build, &self.executed.trace, self.subject, (automaton, sets));
        self.unless_later(terms, acceptance)
    }

    /// When an execution is accepted, or may be later.
    fn unless_later(&mut self, terms: &mut Terms, Acceptance { term, entered }: Acceptance) -> Part {
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let cut = match entered {
            None => self.cut,
            Some((entered, letters)) => {
                let earlier = build.and(self.cut, entered);
                let later = self.continuations.taking(&mut build, &letters);
                build.or(earlier, later)
            }
        };
        Part { term: build.or(term, cut), reason: Why::Goal.reason() }
    }

    /// When an execution takes the only edge that an obligation asks for, whatever it does later; none without such an edge.
    pub(super) fn touches(&mut self, terms: &mut Terms, obligation: ObligationId) -> Option<Term> {
        let letter = self.subject.only_edge(obligation)?;
        let trace = &self.executed.trace;
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let edges = self.subject.edge_count();
        let taken = self.taken.get_or_insert_with(|| Taken::new(&mut build, trace, edges));
        let ends = build.truth(true);
        Some(taken.accepted(&mut build, letter, ends).term)
    }

    /// When an execution is cut for no other reason than undefined behaviour.
    pub(super) fn followed_but_undefined(&mut self, terms: &mut Terms) -> Term {
        let trace = &self.executed.trace;
        let others: Vec<Term> =
            trace.cuts.iter().filter(|cut| cut.undefined.is_none()).chain(&trace.unreal).map(|cut| cut.guard).collect();
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let others = build.any(&others);
        build.not(others)
    }

    /// When nothing undefined happens at an edge.
    pub(super) fn defined_at(&mut self, terms: &mut Terms, edge: EdgeId) -> Term {
        let at = |cut: &&super::trace::Cut| cut.undefined == Some(Some(edge));
        let guards: Vec<Term> = self.executed.trace.cuts.iter().filter(at).map(|cut| cut.guard).collect();
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let some = build.any(&guards);
        build.not(some)
    }

    /// When a bound ends an execution.
    pub(super) fn beyond(&mut self, terms: &mut Terms) -> Term {
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        beyond(&mut build, &self.executed.trace)
    }

    /// What a run that an automaton accepts must satisfy. The last parts are those of [`UNCUT`].
    pub(super) fn parts(&mut self, terms: &mut Terms, sets: &Sets, automaton: &Automaton) -> Vec<Term> {
        let mut parts = vec![self.goal(terms, sets, automaton).term];
        if let Some(passing) = self.passing {
            parts.push(self.passed(terms, passing).term);
        }
        parts.extend([self.real, self.within]);
        parts
    }

    /// Why executions are not followed or cannot be had, whatever the bound; otherwise empty.
    pub(super) fn hindrances(&self) -> String {
        let trace = &self.executed.trace;
        reasons(trace.unreal.iter().chain(trace.cuts.iter().filter(|cut| !cut.bound)).map(|cut| &cut.reason))
    }

    /// Where edges are in the unrolled program.
    fn unrolling(&mut self) -> &Unrolling {
        let (trace, subject) = (&self.executed.trace, self.subject);
        let nodes = subject.translation.program.nodes.len();
        self.unrolling.get_or_insert_with(|| Unrolling::new(trace, subject.edge_count(), nodes))
    }

    /// The edge with a number, if executions come to where it starts and none takes it.
    fn refused(&mut self, letter: u32) -> Option<EdgeId> {
        let from = self.subject.translation.program.edges.get(letter as usize)?.from;
        let unrolling = self.unrolling();
        (unrolling.is_reached(from) && unrolling.of(letter) == Copies::Never).then_some(EdgeId(letter))
    }

    /// The conjuncts under which the only copy of an edge is taken; none if there are several or none.
    fn only_path(&mut self, letter: u32) -> Option<Vec<(Term, Option<EdgeId>)>> {
        let Copies::Once(point, step) = self.unrolling().of(letter) else { return None };
        let points = &self.executed.trace.points;
        let step = points[point.0 as usize].steps[step as usize];
        let from = &points[step.from.0 as usize];
        if from.path.is_empty() && from.guard.index() != 1 {
            return None;
        }
        let mut path = from.path.clone();
        path.push((step.condition, step.edge));
        Some(path)
    }
}

impl Problem for CProblem<'_> {
    fn facts(&self) -> &[Part] {
        &self.facts
    }

    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part> {
        let mut parts = Vec::new();
        let subject = self.subject;
        match self.meets(terms, obligation) {
            None => parts.push(Part { term: terms.bool(false), reason: Why::Goal.reason() }),
            Some(mut goal) => {
                if goal.term == terms.bool(false)
                    && let Some(edge) = subject.only_edge(obligation).and_then(|letter| self.refused(letter))
                {
                    goal.reason = Why::Taken(edge).reason();
                }
                // The branches on the way to the only place say more than the goal as a whole.
                let path = subject.only_edge(obligation).and_then(|letter| self.only_path(letter));
                for (term, edge) in path.unwrap_or_default() {
                    if let Some(edge) = edge {
                        parts.push(self.unless_cut(terms, term, Why::Taken(edge)));
                    }
                }
                parts.push(goal);
            }
        }
        if let Some(passing) = self.passing {
            parts.push(self.passed(terms, passing));
        }
        parts.extend([self.real, self.within].map(|term| Part { term, reason: Why::Cut.reason() }));
        parts
    }

    fn require_beginning(&mut self, terms: &mut Terms, obligation: ObligationId, last: bool) -> Option<Vec<Part>> {
        let subject = self.subject;
        if subject.settings.encoding == Encoding::Instrumented || self.executed.trace.stops.is_empty() {
            return None;
        }
        let mut build = Build { terms, simplifier: &mut self.simplifier, ranges: &mut self.ranges };
        let ends = self.network.ends(&mut build, &self.executed.trace);
        if !last && !build.is_false(ends) {
            return None;
        }
        let passing = subject.passing().map(|(automaton, sets)| {
            let edges = subject.edge_count();
            self.beginnings.accepted(&mut build, &self.executed.trace, sets, automaton, edges).term
        });
        let goal = self.begins(terms, obligation)?;
        let part = |term: Term, why: Why| Part { term, reason: why.reason() };
        let mut parts = vec![part(goal, Why::Goal)];
        parts.extend(passing.map(|passing| part(passing, Why::Passing)));
        parts.push(part(self.begun, Why::Cut));
        Some(parts)
    }

    fn decode(&self, terms: &Terms, model: &Model, _obligation: Option<ObligationId>) -> Vec<Inputs> {
        let program = &self.subject.translation.program;
        vec![of_model(program, self.subject.settings.entry, terms, model, &self.executed)]
    }

    fn same_as(&mut self, terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
        let program = &self.subject.translation.program;
        same(program, self.subject.settings.entry, terms, inputs, &self.executed)
    }

    fn exclusive(&self, among: &[ObligationId]) -> Vec<(ObligationId, ObligationId)> {
        let edge = |&obligation: &ObligationId| Some((obligation, self.subject.only_edge(obligation)?));
        let wanted: Vec<(ObligationId, u32)> = among.iter().filter_map(edge).collect();
        super::exclude::exclusive(&self.executed.trace, &wanted)
    }

    fn followed(&self) -> Vec<Term> {
        vec![self.real, self.within]
    }

    fn completeness(&self) -> Completeness {
        let trace = &self.executed.trace;
        let all = trace.cuts.iter().chain(&trace.unreal).map(|cut| &cut.reason).chain(&trace.left);
        let reasons = reasons(all);
        match reasons.is_empty() {
            true => Completeness::Complete,
            false => Completeness::UpTo(format!("unless {reasons}")),
        }
    }
}

/// When a bound ends an execution.
fn beyond(build: &mut Build<'_>, trace: &Trace) -> Term {
    let guards: Vec<Term> = trace.cuts.iter().filter(|cut| cut.bound).map(|cut| cut.guard).collect();
    build.any(&guards)
}

/// So many parts of an obligation come last and say that an execution is followed to its end and can be had, and that no
/// bound ends it. Who leaves both out asks about all executions, who leaves out the last about those that larger bounds follow.
pub(super) const UNCUT: usize = 2;

/// How many reasons, and places of each, are named.
const MOST_REASONS: usize = 3;

/// When an execution comes to its end and an automaton accepts it, in the encoding that is asked for.
fn accepted(
    network: &mut Network,
    build: &mut Build<'_>,
    trace: &Trace,
    subject: &CSubject,
    (automaton, sets): (&Automaton, &Sets),
) -> Acceptance {
    match subject.settings.encoding {
        Encoding::Native => network.accepted(build, trace, sets, automaton, subject.edge_count()),
        Encoding::Instrumented => Acceptance { term: network.guessed(build, trace, sets, automaton), entered: None },
    }
}

/// Whether an automaton accepts nothing, whatever is read.
fn is_empty(automaton: &Automaton, sets: &Sets) -> bool {
    let mut known = vec![false; automaton.states as usize];
    let mut open = vec![Automaton::INITIAL];
    while let Some(state) = open.pop() {
        let Some(seen) = known.get_mut(state as usize) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        if automaton.accepting.iter().any(|accept| accept.state == state) {
            return false;
        }
        let steps = automaton.steps_from(state).iter().filter(|step| !sets.edge_set(step.edges).is_empty());
        open.extend(steps.map(|step| step.to));
    }
    true
}

/// Why executions are not followed to their end, each reason once, the first few.
pub(super) fn reasons<'a>(all: impl Iterator<Item = &'a String>) -> String {
    // What, and at which places.
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for reason in all {
        let placed = reason.strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
        let (what, place) = placed.map_or((reason.as_str(), None), |(what, place)| (what, Some(place)));
        let at = found.iter().position(|(other, _)| *other == what).unwrap_or_else(|| {
            found.push((what, Vec::new()));
            found.len() - 1
        });
        let places = &mut found[at].1;
        if let Some(place) = place.filter(|place| !places.contains(place)) {
            places.push(place);
        }
    }
    let mut texts: Vec<String> = found.iter().take(MOST_REASONS).map(|(what, places)| told(what, places)).collect();
    if MOST_REASONS < found.len() {
        texts.push(format!("{} more", found.len() - MOST_REASONS));
    }
    texts.join(", or ")
}

/// A reason with the first of its places.
fn told(what: &str, places: &[&str]) -> String {
    let more = if MOST_REASONS < places.len() { ", …" } else { "" };
    match places {
        [] => what.to_owned(),
        places => format!("{what} ({}{more})", places[..places.len().min(MOST_REASONS)].join(", ")),
    }
}
