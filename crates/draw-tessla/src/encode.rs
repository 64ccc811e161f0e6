//! Obligations of a specification as terms over its grid.

use smt::{Model, Op, Term, Terms};
use tessla::core::{Definition, FunctionId, NodeId, NodeKind, Quantor, Spec, StreamId};
use tessla::goals::Goals;
use tessla::obligation::{Merged, Obligation, Shown, Site, Timing, merged_by};
use tessla::trace::Event;
use tessla::{Operator, record};
use testcase::{Inputs, ObligationId};

use super::datum::{Datum, truth};
use super::document::Trace;
use super::function::Applied;
use super::grid::{Grid, Size, shape};
use super::limits::Limits;
use super::visible::{Visible, shown};
use super::{GridOptions, gate};
use search::{Completeness, Part, Problem, Reason};

/// The order of times and the timers.
pub(super) const TIMES: Reason = Reason(0);
/// Nothing undefined is evaluated.
pub(super) const DEFINED: Reason = Reason(1);
/// No timer is left running.
pub(super) const CLOSED: Reason = Reason(2);
/// What the obligation itself asks for.
pub(super) const WANTED: Reason = Reason(3);
/// Runs have an end of time.
pub(super) const REACHED: Reason = Reason(4);
/// Collections have few elements, and calls do not go deep.
pub(super) const ROOM: Reason = Reason(5);
/// The first assertion; the others follow.
pub(super) const ASSERTIONS: u32 = 6;

/// The search problem of a specification.
pub(crate) struct TesslaProblem<'a> {
    spec: &'a Spec,
    goals: &'a Goals,
    grid: Grid,
    facts: Vec<Part>,
    /// For each slot, whether something undefined is evaluated at an earlier one.
    broken: Vec<Term>,
    /// What would have been, where some goal asks for it.
    visible: Option<Visible>,
}

impl<'a> TesslaProblem<'a> {
    pub(crate) fn new(terms: &mut Terms, spec: &'a Spec, goals: &'a Goals, options: GridOptions) -> Self {
        let visible = goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Visible { .. }));
        let exact = if visible { shown(spec) } else { Vec::new() };
        let grid = Grid::new(terms, spec, Size { slots: options.slots, room: options.room }, &exact);
        let mut problem = TesslaProblem::over(terms, spec, goals, grid);
        if options.closed_delays {
            for (id, stream) in spec.streams() {
                if matches!(stream.definition, Definition::Delay { .. }) {
                    let pending = problem.grid.is_pending(terms, spec, id);
                    problem.facts.push(Part { term: gate::not(terms, pending), reason: CLOSED });
                }
            }
        }
        for (assertion, number) in spec.assertions.iter().zip(ASSERTIONS..) {
            let term = asserted(terms, &problem.grid, assertion.quantor, assertion.stream);
            problem.facts.push(Part { term, reason: Reason(number) });
        }
        problem.visible = Visible::new(terms, spec, goals, &problem.grid);
        let others = problem.visible.iter().flat_map(|visible| &visible.facts);
        problem.facts.extend(others.map(|&term| Part { term, reason: TIMES }));
        problem
    }

    /// A grid, and that nothing undefined is evaluated in it.
    pub(super) fn over(terms: &mut Terms, spec: &'a Spec, goals: &'a Goals, grid: Grid) -> Self {
        // One fact: explanations need not tell them apart.
        let mut facts = vec![Part { term: terms.and(&grid.facts), reason: TIMES }];
        let broken = broken(terms, &grid);
        let undefined = goals.obligations.iter().any(|obligation| matches!(obligation, Obligation::Undefined { .. }));
        if let Some(&all) = broken.last().filter(|_| !undefined) {
            facts.push(Part { term: gate::not(terms, all), reason: DEFINED });
        }
        if let Some(room) = grid.has_room(terms) {
            facts.push(Part { term: room, reason: ROOM });
        }
        TesslaProblem { spec, goals, grid, facts, broken, visible: None }
    }

    /// Whether something undefined is evaluated at any slot.
    pub(super) fn undefined(&self) -> Option<Term> {
        self.broken.last().copied()
    }

    /// Whether an obligation is met at a slot.
    fn at(&self, terms: &mut Terms, obligation: &Obligation, slot: usize) -> Term {
        match *obligation {
            Obligation::Assertions => terms.bool(true),
            Obligation::Branch { site, outcome } => {
                let NodeKind::If { condition, .. } = self.spec.function(site.function).node(site.node).kind else {
                    unreachable!("a branch belongs to a conditional")
                };
                self.in_some(terms, site.function, slot, |terms, applied| {
                    evaluated(terms, applied, site.node, condition, outcome)
                })
            }
            Obligation::Condition { site, value } => self.in_some(terms, site.function, slot, |terms, applied| {
                evaluated(terms, applied, site.node, site.node, value)
            }),
            Obligation::Active { decision, condition, value } => {
                self.in_some(terms, decision.function, slot, |terms, applied| {
                    let reached = evaluated(terms, applied, condition, condition, value);
                    let active = self.active(terms, decision, condition, applied);
                    gate::and(terms, &[applied.reached[decision.node.0 as usize], reached, active])
                })
            }
            Obligation::Visible { site, outcome } => {
                let evaluated = self.at(terms, &Obligation::Branch { site, outcome }, slot);
                let visible = self.visible.as_ref().expect("some goal asks for it");
                let turned = visible.at(terms, site, slot);
                gate::and(terms, &[evaluated, turned])
            }
            Obligation::Undefined { site } => self.only_undefined(terms, site, slot),
            Obligation::Last { stream, remembered } => {
                let Definition::Last { value, trigger } = self.spec.stream(stream).definition else {
                    unreachable!("the obligation is about a `last`")
                };
                let past = self.grid.pasts[slot][value.0 as usize].as_ref().expect("its past counts").event;
                let past = if remembered { past } else { gate::not(terms, past) };
                gate::and(terms, &[self.grid.cell(trigger, slot).event, past])
            }
            Obligation::Delay { stream, what } => self.timing(terms, stream, what, slot),
            Obligation::Merge { stream, from } => self.merged(terms, stream, from, slot),
            Obligation::Output { stream, shown } => self.shown(terms, stream, shown, slot),
        }
    }

    /// Whether something holds of some application of a function at a slot.
    fn in_some(
        &self,
        terms: &mut Terms,
        function: FunctionId,
        slot: usize,
        mut holds: impl FnMut(&mut Terms, &Applied) -> Term,
    ) -> Term {
        let applications = self.grid.applications(slot).filter(|applied| applied.function == function);
        let each: Vec<Term> = applications.map(|applied| holds(terms, applied)).collect();
        gate::or(terms, &each)
    }

    /// Whether nothing that is evaluated masks a condition of a decision, from the decision down.
    fn active(&self, terms: &mut Terms, decision: Site, condition: NodeId, applied: &Applied) -> Term {
        let function = self.spec.function(decision.function);
        let mut ways: Vec<Vec<Term>> = vec![Vec::new(); decision.node.0 as usize + 1];
        ways[decision.node.0 as usize].push(terms.bool(true));
        for index in (condition.0 as usize..=decision.node.0 as usize).rev() {
            let here = gate::or(terms, &std::mem::take(&mut ways[index]));
            if index == condition.0 as usize {
                return here;
            }
            if gate::truth(terms, here) == Some(false) {
                continue;
            }
            let value = |node: NodeId| applied.values[node.0 as usize].scalar();
            match &function.nodes[index].kind {
                NodeKind::Apply(Operator::Not, operands) => ways[operands[0].0 as usize].push(here),
                NodeKind::And(left, right) => {
                    let (first, second) = (value(*left), value(*right));
                    let fails = gate::not(terms, first);
                    let unmasked = gate::or(terms, &[fails, second]);
                    ways[left.0 as usize].push(gate::and(terms, &[here, unmasked]));
                    ways[right.0 as usize].push(gate::and(terms, &[here, first]));
                }
                NodeKind::Or(left, right) => {
                    let (first, second) = (value(*left), value(*right));
                    let (fails, unheeded) = (gate::not(terms, first), gate::not(terms, second));
                    let unmasked = gate::or(terms, &[first, unheeded]);
                    ways[left.0 as usize].push(gate::and(terms, &[here, unmasked]));
                    ways[right.0 as usize].push(gate::and(terms, &[here, fails]));
                }
                _ => {}
            }
        }
        terms.bool(false)
    }

    /// Whether an operator is the first thing undefined, and the only one at its slot.
    fn only_undefined(&self, terms: &mut Terms, site: Site, slot: usize) -> Term {
        let (mut here, mut others) = (vec![], vec![]);
        if slot != 0 {
            others.push(self.broken[slot - 1]);
        }
        for applied in self.grid.applications(slot) {
            for (node, happens) in &applied.undefined {
                let this = applied.function == site.function && *node == site.node;
                if this { &mut here } else { &mut others }.push(*happens);
            }
        }
        let here = gate::or(terms, &here);
        let other = gate::or(terms, &others);
        let alone = gate::not(terms, other);
        gate::and(terms, &[here, alone])
    }

    fn timing(&self, terms: &mut Terms, stream: StreamId, what: Timing, slot: usize) -> Term {
        let Definition::Delay { delays, resets } = self.spec.stream(stream).definition else {
            unreachable!("the obligation is about a `delay`")
        };
        let fires = self.grid.fires(stream, slot);
        match what {
            Timing::Fired => fires,
            Timing::Rearmed => gate::and(terms, &[fires, self.grid.cell(delays, slot).event]),
            Timing::Reset => {
                let timer = self.grid.timers[slot][stream.0 as usize].as_ref().expect("every delay has a timer");
                let quiet = gate::not(terms, fires);
                gate::and(terms, &[timer.running, quiet, self.grid.cell(resets, slot).event])
            }
        }
    }

    fn merged(&self, terms: &mut Terms, stream: StreamId, from: Merged, slot: usize) -> Term {
        let streams = merged_by(self.spec, stream).expect("the obligation is about a merge");
        let events: Vec<Term> = streams.iter().map(|&stream| self.grid.cell(stream, slot).event).collect();
        match from {
            Merged::Only(position) => {
                let others = events.iter().enumerate().filter(|(index, _)| *index != position as usize);
                let mut parts: Vec<Term> = others.map(|(_, &event)| gate::not(terms, event)).collect();
                parts.push(events[position as usize]);
                gate::and(terms, &parts)
            }
            Merged::Several => {
                let mut pairs = Vec::new();
                for (index, &first) in events.iter().enumerate() {
                    for &second in &events[index + 1..] {
                        pairs.push(gate::and(terms, &[first, second]));
                    }
                }
                gate::or(terms, &pairs)
            }
        }
    }

    /// Whether an output shows something at a slot.
    fn shown(&self, terms: &mut Terms, stream: StreamId, shown: Shown, slot: usize) -> Term {
        let cell = self.grid.cell(stream, slot);
        match shown {
            Shown::Event => cell.event,
            Shown::Truth(truth) => {
                let value = cell.datum.scalar();
                let value = if truth { value } else { gate::not(terms, value) };
                gate::and(terms, &[cell.event, value])
            }
            Shown::Nothing => {
                let (happens, quiet) = (self.grid.happens(terms, self.spec, slot), gate::not(terms, cell.event));
                gate::and(terms, &[happens, quiet])
            }
        }
    }

    fn trace(&self, terms: &Terms, model: &Model) -> Trace {
        let times = self.grid.clock.read(terms, model);
        let mut events = Vec::new();
        for (slot, &time) in times.iter().enumerate() {
            for (input, &id) in self.spec.inputs.iter().enumerate() {
                let cell = self.grid.cell(id, slot);
                if truth(terms, model, cell.event) {
                    let shape = shape(&self.spec.stream(id).element, self.grid.room.places);
                    let value = shape.read(terms, model, &self.grid.texts, &cell.datum);
                    events.push(Event { time, input, value });
                }
            }
        }
        Trace { events, end: *times.last().expect("a grid has slots") }
    }
}

impl Problem for TesslaProblem<'_> {
    fn facts(&self) -> &[Part] {
        &self.facts
    }

    fn require(&mut self, terms: &mut Terms, obligation: ObligationId) -> Vec<Part> {
        let obligation = self.goals.obligations[obligation.0 as usize];
        let each: Vec<Term> = (0..self.grid.slots()).map(|slot| self.at(terms, &obligation, slot)).collect();
        vec![Part { term: gate::or(terms, &each), reason: WANTED }]
    }

    fn lacking(&mut self, terms: &mut Terms, model: &Model) -> Vec<Part> {
        // Numbers of 64 bits in every problem would cost all specifications what very few need.
        let Some(limit) = self.grid.clock.limit(terms, model) else { return Vec::new() };
        let limit = Part { term: limit, reason: REACHED };
        self.facts.push(limit);
        vec![limit]
    }

    fn decode(&self, terms: &Terms, model: &Model, _obligation: Option<ObligationId>) -> Vec<Inputs> {
        vec![Inputs::Document(self.trace(terms, model).to_json(self.spec))]
    }

    fn same_as(&mut self, terms: &mut Terms, inputs: &Inputs) -> Vec<Term> {
        let Inputs::Document(json) = inputs else { return Vec::new() };
        let Ok(trace) = Trace::from_json(self.spec, json) else { return Vec::new() };
        let program = tessla::interp::Program::new(self.spec);
        let mut monitor = tessla::interp::Monitor::new(&program);
        let run = record::record(self.spec, &mut monitor, &trace.events, trace.end, |_| {});
        let moments: Vec<i64> = run.steps.iter().map(|step| step.time).collect();
        let mut same = Vec::new();
        for (term, number) in self.grid.clock.at(&moments) {
            let number = terms.int(number);
            same.push(gate::equal(terms, term, number));
        }
        for (slot, step) in run.steps.iter().enumerate().take(self.grid.slots()) {
            for &id in &self.spec.inputs {
                let cell = self.grid.cell(id, slot);
                let Some((_, value)) = step.events.iter().find(|(stream, _)| *stream == id) else {
                    same.push(gate::not(terms, cell.event));
                    continue;
                };
                same.push(cell.event);
                // A text that the specification does not name is any of those.
                let shape = shape(&self.spec.stream(id).element, self.grid.room.places);
                if self.grid.texts.knows(value) && shape.holds(value) {
                    let value = shape.constant(terms, &self.grid.texts, value);
                    same.push(Datum::equal(terms, &cell.datum, &value));
                }
            }
        }
        same
    }

    fn completeness(&self) -> Completeness {
        let mut bound = format!("with up to {} moments in time", self.grid.slots());
        let limits = Limits::of(self.spec);
        if !limits.are_none() {
            bound += &format!(", {}", limits.describe(self.grid.room));
        }
        Completeness::UpTo(bound)
    }
}

/// Whether a node is evaluated while a truth value in the same function is `value`.
fn evaluated(terms: &mut Terms, applied: &Applied, node: NodeId, of: NodeId, value: bool) -> Term {
    let truth = applied.values[of.0 as usize].scalar();
    let truth = if value { truth } else { gate::not(terms, truth) };
    gate::and(terms, &[applied.reached[node.0 as usize], truth])
}

/// For each slot, whether something undefined is evaluated there or before.
pub(super) fn broken(terms: &mut Terms, grid: &Grid) -> Vec<Term> {
    let mut before = terms.bool(false);
    let mut broken = Vec::with_capacity(grid.slots());
    for slot in 0..grid.slots() {
        let mut here: Vec<Term> =
            grid.applications(slot).flat_map(|applied| &applied.undefined).map(|(_, happens)| *happens).collect();
        here.push(before);
        before = gate::or(terms, &here);
        broken.push(before);
    }
    broken
}

/// What an assertion says about a stream of the grid.
fn asserted(terms: &mut Terms, grid: &Grid, quantor: Quantor, stream: StreamId) -> Term {
    let mut each = Vec::with_capacity(grid.slots());
    for slot in 0..grid.slots() {
        let cell = grid.cell(stream, slot);
        let event = cell.event;
        each.push(match quantor {
            Quantor::Some => event,
            Quantor::Empty => gate::not(terms, event),
            Quantor::Exists => gate::and(terms, &[event, cell.datum.scalar()]),
            Quantor::All => {
                let none = gate::not(terms, event);
                gate::or(terms, &[none, cell.datum.scalar()])
            }
        });
    }
    match quantor {
        Quantor::Some | Quantor::Exists => gate::or(terms, &each),
        Quantor::Empty | Quantor::All => gate::and(terms, &each),
    }
}

/// The variables and operators of the grid, for whoever wants to know how it grows.
pub(crate) fn size(terms: &Terms) -> (usize, usize) {
    let symbols = (0..terms.len()).filter(|&index| terms.op(terms.at(index)) == Op::Symbol).count();
    (symbols, terms.len() - symbols)
}
