//! The grid: every stream at every slot, as terms over the solver's choices.
//!
//! A trace of at most `n` moments is a grid of `n` slots with increasing times. The solver chooses the times and which
//! inputs have which events; every other cell is a term over earlier cells, so no equations have to be solved. What a
//! cell without an event holds means nothing.

use smt::{Op, Term, Terms};
use tessla::core::{Definition, FunctionId, NodeId, NodeKind, Spec, StreamId};
use value::Sort;

use super::Room;
use super::ceiling::Ceilings;
use super::clock::Clock;
use super::datum::{Datum, Shape, Texts};
use super::function::{Applied, Context, apply};
use super::gate;

/// A stream at a slot.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Whether there is an event.
    pub(super) event: Term,
    /// Its value.
    pub(super) datum: Datum,
}

/// The state of a timer before a slot.
#[derive(Clone, Debug)]
pub(super) struct Timer {
    /// Whether it is running.
    pub(super) running: Term,
    /// When it runs out, as the clock tells it.
    pub(super) shown: Term,
}

/// The grid of a specification.
pub(super) struct Grid {
    /// The texts of the specification.
    pub(super) texts: Texts,
    /// The times of the slots.
    pub(super) clock: Clock,
    /// How large values may be, and how deep calls.
    pub(super) room: Room,
    /// Up to where numbers are told apart.
    pub(super) ceilings: Ceilings,
    /// Whether the first slot is the first moment of a trace.
    begins: bool,
    /// The streams at each slot, by position.
    pub(super) cells: Vec<Vec<Cell>>,
    /// The latest value of each stream before each slot, if there was one; made for every stream whose past counts.
    pub(super) pasts: Vec<Vec<Option<Cell>>>,
    /// The timer of each delay before each slot.
    pub(super) timers: Vec<Vec<Option<Timer>>>,
    /// The function of each lift at each slot.
    pub(super) applied: Vec<Vec<Option<Applied>>>,
    /// Where conditionals are turned, for each slot.
    turns: Vec<SlotTurns>,
    /// What holds of every grid that shows a trace.
    pub(super) facts: Vec<Term>,
}

/// How large a grid is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    /// The moments in time, at least one.
    pub(super) slots: usize,
    /// How large values may be, and how deep calls.
    pub(super) room: Room,
}

/// The conditionals that are turned at a slot, by function.
pub(super) type SlotTurns = Vec<Vec<(NodeId, Term)>>;

impl Grid {
    /// The grid with `slots` slots, at least one, in which the values of some streams are exact.
    pub(super) fn new(terms: &mut Terms, spec: &Spec, size: Size, exact: &[StreamId]) -> Grid {
        Grid::turned(terms, spec, size, exact, Vec::new())
    }

    /// The grid of the same inputs at the same times in which conditionals take the branch they do not choose: for each slot
    /// and function, where and when.
    pub(super) fn turned(
        terms: &mut Terms,
        spec: &Spec,
        size: Size,
        exact: &[StreamId],
        turns: Vec<SlotTurns>,
    ) -> Grid {
        let mut grid = Grid { turns, ..Grid::empty(spec, size, exact) };
        let remembered = remembered(spec);
        for slot in 0..size.slots {
            grid.clock.tick(terms, spec, &mut grid.facts);
            grid.add_pasts(terms, spec, slot, &remembered);
            grid.add_timers(terms, spec, slot);
            grid.add_cells(terms, spec, slot);
        }
        grid
    }

    /// One moment of any trace that is not its first: nothing is known of its past but which streams have had an event.
    pub(super) fn moment(terms: &mut Terms, spec: &Spec, had_events: &[bool]) -> Grid {
        let mut grid = Grid { begins: false, ..Grid::empty(spec, Size { slots: 1, room: Room::default() }, &[]) };
        grid.clock.tick_at_some_time(terms, &mut grid.facts);
        let (mut pasts, mut timers) = (Vec::with_capacity(spec.streams.len()), Vec::with_capacity(spec.streams.len()));
        for ((id, stream), remembered) in spec.streams().zip(remembered(spec)) {
            let name = id.0;
            pasts.push(remembered.then(|| {
                let known = had_events[id.0 as usize];
                let event =
                    if known { terms.bool(true) } else { terms.symbol(&format!("whether {name} was"), &Sort::Bool) };
                Cell {
                    event,
                    datum: shape(&stream.element, grid.room.places).free(
                        terms,
                        &format!("past of {name}"),
                        &mut grid.facts,
                    ),
                }
            }));
            timers.push(matches!(stream.definition, Definition::Delay { .. }).then(|| {
                let running = terms.symbol(&format!("timer of {name}?"), &Sort::Bool);
                let before = terms.symbol(&format!("timer of {name}"), &Sort::Int);
                let (shown, in_time) = grid.clock.pass(terms, 0, before);
                let stopped = gate::not(terms, running);
                grid.facts.push(gate::or(terms, &[stopped, in_time]));
                Timer { running, shown }
            }));
        }
        grid.pasts.push(pasts);
        grid.timers.push(timers);
        grid.add_cells(terms, spec, 0);
        grid
    }

    fn empty(spec: &Spec, size: Size, exact: &[StreamId]) -> Grid {
        let Size { slots, room } = size;
        Grid {
            room,
            texts: texts(spec),
            turns: Vec::new(),
            clock: Clock::of(spec),
            ceilings: Ceilings::of(spec, exact),
            begins: true,
            cells: Vec::with_capacity(slots),
            pasts: Vec::with_capacity(slots),
            timers: Vec::with_capacity(slots),
            applied: Vec::with_capacity(slots),
            facts: Vec::new(),
        }
    }

    /// All applications of functions at a slot, called ones included.
    pub(super) fn applications(&self, slot: usize) -> impl Iterator<Item = &Applied> {
        self.applied[slot].iter().flatten().flat_map(Applied::all)
    }

    /// That there is room for everything; none where there always is.
    pub(super) fn has_room(&self, terms: &mut Terms) -> Option<Term> {
        let overflows: Vec<Term> = (0..self.slots())
            .flat_map(|slot| self.applications(slot))
            .flat_map(|applied| applied.overflows.iter().copied())
            .collect();
        if overflows.is_empty() {
            return None;
        }
        let overflow = gate::or(terms, &overflows);
        Some(gate::not(terms, overflow))
    }

    /// How large it is.
    pub(super) fn size(&self) -> Size {
        Size { slots: self.slots(), room: self.room }
    }

    /// The number of slots.
    pub(super) fn slots(&self) -> usize {
        self.clock.slots()
    }

    /// A stream at a slot.
    pub(super) fn cell(&self, stream: StreamId, slot: usize) -> &Cell {
        &self.cells[slot][stream.0 as usize]
    }

    /// Whether a timer runs out at a slot.
    pub(super) fn fires(&self, stream: StreamId, slot: usize) -> Term {
        self.cell(stream, slot).event
    }

    /// Whether some stream has an event at a slot: what others have comes from inputs, timers and the beginning.
    pub(super) fn happens(&self, terms: &mut Terms, spec: &Spec, slot: usize) -> Term {
        let is_source = |definition: &Definition| {
            matches!(definition, Definition::Input(_) | Definition::Unit | Definition::Delay { .. })
        };
        let sources = spec.streams().filter(|(_, stream)| is_source(&stream.definition));
        let events: Vec<Term> = sources.map(|(id, _)| self.cell(id, slot).event).collect();
        gate::or(terms, &events)
    }

    /// Whether a timer can still run out after the last slot.
    pub(super) fn is_pending(&self, terms: &mut Terms, spec: &Spec, delay: StreamId) -> Term {
        let slot = self.slots() - 1;
        self.timer_after(terms, spec, delay, slot).running
    }

    /// What each remembered stream held last before a slot.
    fn add_pasts(&mut self, terms: &mut Terms, spec: &Spec, slot: usize, remembered: &[bool]) {
        let mut pasts = Vec::with_capacity(spec.streams.len());
        for (id, stream) in spec.streams() {
            let index = id.0 as usize;
            pasts.push(remembered[index].then(|| match slot.checked_sub(1) {
                None => Cell { event: terms.bool(false), datum: shape(&stream.element, self.room.places).any(terms) },
                Some(before) => {
                    let past = self.pasts[before][index].as_ref().expect("remembered at every slot");
                    latest(terms, &self.cells[before][index], past)
                }
            }));
        }
        self.pasts.push(pasts);
    }

    /// The timers before a slot; none may have run out unseen.
    fn add_timers(&mut self, terms: &mut Terms, spec: &Spec, slot: usize) {
        let mut timers = Vec::with_capacity(spec.streams.len());
        for (id, stream) in spec.streams() {
            timers.push(match (&stream.definition, slot.checked_sub(1)) {
                (Definition::Delay { .. }, None) => Some(Timer { running: terms.bool(false), shown: terms.int(0) }),
                (Definition::Delay { .. }, Some(before)) => {
                    let timer = self.timer_after(terms, spec, id, before);
                    let (shown, in_time) = self.clock.pass(terms, slot, timer.shown);
                    let stopped = gate::not(terms, timer.running);
                    if gate::truth(terms, stopped) != Some(true) {
                        self.facts.push(gate::or(terms, &[stopped, in_time]));
                    }
                    Some(Timer { shown, ..timer })
                }
                _ => None,
            });
        }
        self.timers.push(timers);
    }

    /// A timer after a slot: set or stopped by a reset or by its own end, otherwise as before.
    fn timer_after(&self, terms: &mut Terms, spec: &Spec, delay: StreamId, slot: usize) -> Timer {
        let Definition::Delay { delays, resets } = spec.stream(delay).definition else {
            unreachable!("only delays have timers")
        };
        let timer = self.timers[slot][delay.0 as usize].as_ref().expect("every delay has a timer");
        let (amount, reset) = (self.cell(delays, slot), self.cell(resets, slot));
        let set = gate::or(terms, &[reset.event, self.fires(delay, slot)]);
        let end = self.clock.set(terms, slot, amount.datum.scalar());
        Timer {
            running: gate::choose(terms, set, amount.event, timer.running),
            shown: gate::choose(terms, set, end, timer.shown),
        }
    }

    fn add_cells(&mut self, terms: &mut Terms, spec: &Spec, slot: usize) {
        let places = self.room.places;
        let nothing = |terms: &mut Terms, id: StreamId| Cell {
            event: terms.bool(false),
            datum: shape(&spec.stream(id).element, places).any(terms),
        };
        let blank = (0..spec.streams.len() as u32).map(|id| nothing(terms, StreamId(id))).collect();
        self.cells.push(blank);
        self.applied.push(vec![None; spec.streams.len()]);
        for &id in &spec.order {
            let cell = match &spec.stream(id).definition {
                Definition::Input(_) => self.input(terms, spec, id, slot),
                Definition::Nil => continue,
                Definition::Unit => {
                    Cell { event: terms.bool(slot == 0 && self.begins), datum: Datum::Object(Vec::new()) }
                }
                Definition::Time(of) => {
                    Cell { event: self.cell(*of, slot).event, datum: Datum::Scalar(self.clock.time(slot)) }
                }
                Definition::Last { value, trigger } => {
                    let past = self.past(*value, slot).clone();
                    let event = gate::and(terms, &[self.cell(*trigger, slot).event, past.event]);
                    Cell { event, datum: past.datum }
                }
                Definition::Delay { .. } => {
                    let timer = self.timers[slot][id.0 as usize].as_ref().expect("every delay has a timer");
                    let now = self.clock.is_end(terms, slot, timer.shown);
                    Cell { event: gate::and(terms, &[timer.running, now]), datum: Datum::Object(Vec::new()) }
                }
                Definition::Merge(streams) => self.merge(terms, streams, slot),
                Definition::Lift { .. } | Definition::SignalLift { .. } => self.lift(terms, spec, id, slot),
                Definition::DefaultFrom { value, default } => {
                    let (now, other) = (self.cell(*value, slot).clone(), self.cell(*default, slot).clone());
                    let seen = [self.past(*value, slot).event, self.past(*default, slot).event];
                    let seen = gate::or(terms, &seen);
                    let unseen = gate::not(terms, seen);
                    let other = Cell { event: gate::and(terms, &[other.event, unseen]), datum: other.datum };
                    latest(terms, &now, &other)
                }
            };
            self.cells[slot][id.0 as usize] = cell;
        }
        self.positive_delays(terms, spec, slot);
    }

    fn input(&mut self, terms: &mut Terms, spec: &Spec, id: StreamId, slot: usize) -> Cell {
        let stream = spec.stream(id);
        let name = stream.name.as_deref().expect("inputs have names");
        let event = terms.symbol(&format!("{name}? {slot}"), &Sort::Bool);
        let datum = shape(&stream.element, self.room.places).free(terms, &format!("{name} {slot}"), &mut self.facts);
        Cell { event, datum }
    }

    /// The first of the streams that has an event.
    fn merge(&self, terms: &mut Terms, streams: &[StreamId], slot: usize) -> Cell {
        let (last, others) = streams.split_last().expect("a merge has streams");
        others
            .iter()
            .rev()
            .fold(self.cell(*last, slot).clone(), |rest, &stream| latest(terms, self.cell(stream, slot), &rest))
    }

    fn lift(&mut self, terms: &mut Terms, spec: &Spec, id: StreamId, slot: usize) -> Cell {
        match &spec.stream(id).definition {
            Definition::Lift { arguments, function } => {
                let cells = || arguments.iter().map(|&argument| self.cell(argument, slot));
                let events: Vec<Term> = cells().map(|cell| cell.event).collect();
                let given: Vec<Datum> =
                    cells().map(|cell| Datum::Option(cell.event, Box::new(cell.datum.clone()))).collect();
                let trigger = gate::or(terms, &events);
                let applied = self.apply(terms, spec, *function, &given, trigger, slot);
                let root = &applied.values[spec.function(*function).root.0 as usize];
                let (some, datum) = root.option();
                let cell = Cell { event: gate::and(terms, &[trigger, some]), datum: datum.clone() };
                self.applied[slot][id.0 as usize] = Some(applied);
                cell
            }
            Definition::SignalLift { arguments, function } => {
                let events: Vec<Term> = arguments.iter().map(|&argument| self.cell(argument, slot).event).collect();
                let mut trigger = vec![gate::or(terms, &events)];
                let mut given = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    let signal = latest(terms, self.cell(argument, slot), self.past(argument, slot));
                    trigger.push(signal.event);
                    given.push(signal.datum);
                }
                let trigger = gate::and(terms, &trigger);
                let applied = self.apply(terms, spec, *function, &given, trigger, slot);
                let datum = applied.values[spec.function(*function).root.0 as usize].clone();
                self.applied[slot][id.0 as usize] = Some(applied);
                Cell { event: trigger, datum }
            }
            _ => unreachable!("only lifts apply functions"),
        }
    }

    fn apply(
        &self,
        terms: &mut Terms,
        spec: &Spec,
        function: FunctionId,
        given: &[Datum],
        trigger: Term,
        slot: usize,
    ) -> Applied {
        let context = Context {
            spec,
            texts: &self.texts,
            ceilings: &self.ceilings,
            turns: self.turns.get(slot),
            room: self.room,
        };
        apply(terms, &context, function, given, trigger)
    }

    fn past(&self, stream: StreamId, slot: usize) -> &Cell {
        self.pasts[slot][stream.0 as usize].as_ref().expect("`remembered` names every stream whose past counts")
    }

    /// A timer is never set to a time that is not in the future.
    fn positive_delays(&mut self, terms: &mut Terms, spec: &Spec, slot: usize) {
        for (id, stream) in spec.streams() {
            let Definition::Delay { delays, resets } = stream.definition else { continue };
            let set = gate::or(terms, &[self.cell(resets, slot).event, self.fires(id, slot)]);
            let amount = self.cell(delays, slot).clone();
            let zero = terms.int(0);
            let positive = terms.app(Op::Lt, &[zero, amount.datum.scalar()]);
            let happens = gate::and(terms, &[set, amount.event]);
            let idle = gate::not(terms, happens);
            self.facts.push(gate::or(terms, &[idle, positive]));
        }
    }
}

/// The first if it has an event, otherwise the second.
fn latest(terms: &mut Terms, first: &Cell, second: &Cell) -> Cell {
    let event = gate::or(terms, &[first.event, second.event]);
    let datum = match (gate::truth(terms, first.event), gate::truth(terms, second.event)) {
        (Some(false), _) => second.datum.clone(),
        (Some(true), _) | (None, Some(false)) => first.datum.clone(),
        (None, _) => Datum::choose(terms, first.event, &first.datum, &second.datum),
    };
    Cell { event, datum }
}

/// The streams whose past some other stream looks at.
fn remembered(spec: &Spec) -> Vec<bool> {
    let mut remembered = vec![false; spec.streams.len()];
    for stream in &spec.streams {
        match &stream.definition {
            Definition::Last { value, .. } => remembered[value.0 as usize] = true,
            Definition::SignalLift { arguments, .. } => {
                arguments.iter().for_each(|argument| remembered[argument.0 as usize] = true);
            }
            Definition::DefaultFrom { value, default } => {
                remembered[value.0 as usize] = true;
                remembered[default.0 as usize] = true;
            }
            Definition::Input(_)
            | Definition::Nil
            | Definition::Unit
            | Definition::Time(_)
            | Definition::Delay { .. }
            | Definition::Merge(_)
            | Definition::Lift { .. } => {}
        }
    }
    remembered
}

fn texts(spec: &Spec) -> Texts {
    let mut texts = Texts::default();
    for node in spec.functions.iter().flat_map(|function| &function.nodes) {
        if let NodeKind::Constant(value) = &node.kind {
            texts.add(value);
        }
    }
    texts
}

/// The shape of a type that `supported` has let pass.
pub(super) fn shape(of: &tessla::types::Type, places: usize) -> Shape {
    Shape::of(of, places).expect("`supported` has ruled other types out")
}

#[cfg(test)]
mod tests;
