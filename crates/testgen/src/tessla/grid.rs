//! The grid: every stream at every slot, as terms over the solver's choices.
//!
//! A trace of at most `n` moments is a grid of `n` slots with increasing times. The solver chooses the times and which
//! inputs have which events; every other cell is a term over earlier cells, so there are no equations to solve. What a
//! cell without an event holds means nothing.

use smt::{Op, Term, Terms};
use tessla::core::{Definition, FunctionId, NodeId, NodeKind, Spec, StreamId};
use value::Sort;

use super::datum::{Datum, Shape, Texts};
use super::function::{Applied, apply};
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
    /// When it runs out.
    pub(super) at: Term,
}

/// The grid of a specification.
pub(super) struct Grid {
    /// The texts of the specification.
    pub(super) texts: Texts,
    /// The times of the slots.
    pub(super) times: Vec<Term>,
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

/// The conditionals that are turned at a slot, by function.
pub(super) type SlotTurns = Vec<Vec<(NodeId, Term)>>;

impl Grid {
    /// The grid with `slots` slots, at least one.
    pub(super) fn new(terms: &mut Terms, spec: &Spec, slots: usize) -> Grid {
        Grid::turned(terms, spec, slots, Vec::new())
    }

    /// The grid of the same inputs at the same times in which conditionals take the branch they do not choose: for each slot
    /// and function, where and when.
    pub(super) fn turned(terms: &mut Terms, spec: &Spec, slots: usize, turns: Vec<SlotTurns>) -> Grid {
        let mut grid = Grid {
            texts: texts(spec),
            turns,
            times: Vec::with_capacity(slots),
            cells: Vec::with_capacity(slots),
            pasts: Vec::with_capacity(slots),
            timers: Vec::with_capacity(slots),
            applied: Vec::with_capacity(slots),
            facts: Vec::new(),
        };
        let remembered = remembered(spec);
        for slot in 0..slots {
            grid.add_time(terms, spec, slot);
            grid.add_pasts(terms, spec, slot, &remembered);
            grid.add_timers(terms, spec, slot);
            grid.add_cells(terms, spec, slot);
        }
        grid
    }

    /// The number of slots.
    pub(super) fn slots(&self) -> usize {
        self.times.len()
    }

    /// A stream at a slot.
    pub(super) fn cell(&self, stream: StreamId, slot: usize) -> &Cell {
        &self.cells[slot][stream.0 as usize]
    }

    /// Whether a timer runs out at a slot.
    pub(super) fn fires(&self, stream: StreamId, slot: usize) -> Term {
        self.cell(stream, slot).event
    }

    /// Whether a timer can still run out after the last slot.
    pub(super) fn is_pending(&self, terms: &mut Terms, spec: &Spec, delay: StreamId) -> Term {
        let slot = self.slots() - 1;
        self.timer_after(terms, spec, delay, slot).running
    }

    fn add_time(&mut self, terms: &mut Terms, spec: &Spec, slot: usize) {
        let time = terms.symbol(&format!("time {slot}"), &Sort::Int);
        let zero = terms.int(0);
        let fact = match self.times.last() {
            Some(&earlier) => terms.app(Op::Lt, &[earlier, time]),
            None if spec.streams.iter().any(|stream| stream.definition == Definition::Unit) => terms.eq(time, zero),
            None => terms.app(Op::Le, &[zero, time]),
        };
        self.facts.push(fact);
        self.times.push(time);
    }

    /// What each remembered stream held last before a slot.
    fn add_pasts(&mut self, terms: &mut Terms, spec: &Spec, slot: usize, remembered: &[bool]) {
        let mut pasts = Vec::with_capacity(spec.streams.len());
        for (id, stream) in spec.streams() {
            let index = id.0 as usize;
            pasts.push(remembered[index].then(|| match slot.checked_sub(1) {
                None => Cell { event: terms.bool(false), datum: shape(&stream.element).any(terms) },
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
                (Definition::Delay { .. }, None) => Some(Timer { running: terms.bool(false), at: terms.int(0) }),
                (Definition::Delay { .. }, Some(before)) => Some(self.timer_after(terms, spec, id, before)),
                _ => None,
            });
        }
        for timer in timers.iter().flatten() {
            let stopped = gate::not(terms, timer.running);
            let in_time = terms.app(Op::Le, &[self.times[slot], timer.at]);
            let seen = gate::or(terms, &[stopped, in_time]);
            if gate::truth(terms, seen) != Some(true) {
                self.facts.push(seen);
            }
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
        let end = terms.app(Op::Add, &[self.times[slot], amount.datum.scalar()]);
        Timer {
            running: gate::choose(terms, set, amount.event, timer.running),
            at: gate::choose(terms, set, end, timer.at),
        }
    }

    fn add_cells(&mut self, terms: &mut Terms, spec: &Spec, slot: usize) {
        let nothing = |terms: &mut Terms, id: StreamId| Cell {
            event: terms.bool(false),
            datum: shape(&spec.stream(id).element).any(terms),
        };
        let blank = (0..spec.streams.len() as u32).map(|id| nothing(terms, StreamId(id))).collect();
        self.cells.push(blank);
        self.applied.push(vec![None; spec.streams.len()]);
        for &id in &spec.order {
            let cell = match &spec.stream(id).definition {
                Definition::Input(_) => self.input(terms, spec, id, slot),
                Definition::Nil => continue,
                Definition::Unit => Cell { event: terms.bool(slot == 0), datum: Datum::Object(Vec::new()) },
                Definition::Time(of) => {
                    Cell { event: self.cell(*of, slot).event, datum: Datum::Scalar(self.times[slot]) }
                }
                Definition::Last { value, trigger } => {
                    let past = self.past(*value, slot).clone();
                    let event = gate::and(terms, &[self.cell(*trigger, slot).event, past.event]);
                    Cell { event, datum: past.datum }
                }
                Definition::Delay { .. } => {
                    let timer = self.timers[slot][id.0 as usize].as_ref().expect("every delay has a timer");
                    let now = terms.eq(timer.at, self.times[slot]);
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
        let datum = shape(&stream.element).free(terms, &format!("{name} {slot}"), &mut self.facts);
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
                let applied =
                    apply(terms, &self.texts, spec.function(*function), &given, trigger, self.turns(*function, slot));
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
                let applied =
                    apply(terms, &self.texts, spec.function(*function), &given, trigger, self.turns(*function, slot));
                let datum = applied.values[spec.function(*function).root.0 as usize].clone();
                self.applied[slot][id.0 as usize] = Some(applied);
                Cell { event: trigger, datum }
            }
            _ => unreachable!("only lifts apply functions"),
        }
    }

    fn turns(&self, function: FunctionId, slot: usize) -> &[(NodeId, Term)] {
        self.turns.get(slot).map_or(&[], |turns| &turns[function.0 as usize])
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
pub(super) fn shape(of: &tessla::types::Type) -> Shape {
    Shape::of(of).expect("`supported` has ruled other types out")
}

#[cfg(test)]
mod tests {
    use smt::{Evaluator, Model};
    use source::Source;
    use tessla::interp::{Monitor, Program};
    use tessla::trace::Event;
    use tessla::value::Value;

    use super::*;

    /// Specifications that use every operator the encoding has.
    const SPECS: &[&str] = &[
        include_str!("../../../../examples/tessla/decoder.tessla"),
        "in x: Events[Int]\nin y: Events[Bool]\ndef p = prev(x)\ndef z = x * 2 - p % 3 + x / 2\ndef k = if y then z else -x\n\
         def c = count(filter(x, y))\ndef d = default(y, false)\nout z\nout k\nout c\nout d\nout time(x)",
        "in d: Events[Int]\nin r: Events[Unit]\ndef amount = filter(d, d > 0 && d < 6)\ndef z: Events[Unit] = delay(merge(amount, filter(const(2, z), time(z) < 30)), r)\nout z\n\
         def s = sum(amount)\nout s",
        "in a: Events[Option[Int]]\nin b: Events[(Int, Bool)]\ndef f(x: Option[Int], y: Option[(Int, Bool)]) =\n\
         if isNone(y) then None[Int] else if isNone(x) then Some(getSome(y)._1) else Some(getSome(x) + getSome(y)._1)\n\
         def g = slift(a, b, f2)\ndef f2(x: Option[Int], y: (Int, Bool)) = if y._2 && !isNone(x) then getSome(x) else y._1\n\
         def e = a == last(a, b)\nout g\nout e\nout b",
        "in s: Events[String]\nin t: Events[String]\ndef same = s == t || s == \"go\"\ndef w = if same then s else \"stop\"\nout same\nout w",
        "in a: Events[Int]\nin b: Events[Int]\ndef m = defaultFrom(a, b)\ndef n = merge3(a, b, const(3, a))\nout m\nout n\nout resetCount(a, b)",
    ];

    fn spec(text: &str) -> Spec {
        let loaded = tessla::load_alone(Source::new("test.tessla", text), tessla::Options::default());
        loaded.spec.unwrap_or_else(|| panic!("{text}\n{:?}", loaded.reports))
    }

    /// A generator of small numbers, good enough to shake a grid.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, sides: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % sides
        }

        fn value(&mut self, of: &tessla::types::Type) -> Value {
            use tessla::types::Type;
            match of {
                Type::Bool => Value::Bool(self.roll(2) == 0),
                Type::Int => Value::Int(self.roll(15) as i64 - 7),
                Type::String => Value::string(["go", "stop", "text 9"][self.roll(3) as usize]),
                Type::Option(inner) if self.roll(2) == 0 => Value::some(self.value(inner)),
                Type::Option(_) => Value::None,
                Type::Object(object) => {
                    let names: Vec<_> = object.members.iter().map(|(name, _)| name.clone()).collect();
                    Value::object(names.into(), object.members.iter().map(|(_, of)| self.value(of)).collect())
                }
                other => panic!("no inputs of type {other}"),
            }
        }

        fn events(&mut self, spec: &Spec) -> Vec<Event> {
            let mut events = Vec::new();
            let mut time = self.roll(3) as i64;
            for _ in 0..self.roll(12) {
                for (input, id) in spec.inputs.iter().enumerate() {
                    if self.roll(2) == 0 {
                        events.push(Event { time, input, value: self.value(&spec.stream(*id).element) });
                    }
                }
                time += 1 + self.roll(4) as i64;
            }
            events
        }
    }

    /// Sets the symbols of a datum to a value.
    fn set(model: &mut Model, texts: &Texts, datum: &Datum, value: &Value) {
        match (datum, value) {
            (Datum::Scalar(term), Value::Bool(truth)) => model.insert(*term, value::Value::Bool(*truth)),
            (Datum::Scalar(term), Value::String(text)) => {
                let number = if &**text == "text 9" { 9 } else { texts.number(text) };
                model.insert(*term, value::Value::Int(number.into()));
            }
            (Datum::Scalar(term), number) => {
                model.insert(*term, value::Value::Int(number.as_integer().expect("an integer")));
            }
            (Datum::Option(some, inner), given) => {
                model.insert(*some, value::Value::Bool(matches!(given, Value::Some(_))));
                if let Value::Some(value) = given {
                    set(model, texts, inner, value);
                }
            }
            (Datum::Object(members), Value::Object(object)) => {
                members.iter().zip(&object.values).for_each(|(member, value)| set(model, texts, member, value));
            }
            (Datum::Object(_), _) => {}
        }
    }

    /// The value of a datum.
    fn get(evaluator: &mut Evaluator<'_>, shape: &Shape, texts: &Texts, datum: &Datum) -> Value {
        match (shape, datum) {
            (Shape::Bool, Datum::Scalar(term)) => Value::Bool(evaluator.holds(*term)),
            (Shape::Int | Shape::Text, Datum::Scalar(term)) => {
                let value::Value::Int(number) = evaluator.eval(*term).clone() else { panic!("an integer") };
                if *shape == Shape::Int { Value::integer(number) } else { Value::string(texts.text(&number)) }
            }
            (Shape::Option(inner), Datum::Option(some, value)) => match evaluator.holds(*some) {
                true => Value::some(get(evaluator, inner, texts, value)),
                false => Value::None,
            },
            (Shape::Object(names, shapes), Datum::Object(members)) => {
                let values = shapes.iter().zip(members).map(|(shape, member)| get(evaluator, shape, texts, member));
                Value::object(names.clone(), values.collect())
            }
            _ => panic!("a datum has its shape"),
        }
    }

    /// The times of a run with what every stream has there; none where something is undefined.
    fn run(spec: &Spec, events: &[Event]) -> Option<Vec<(i64, Vec<Option<Value>>)>> {
        let program = Program::new(spec);
        let mut monitor = Monitor::new(&program);
        let mut times: std::collections::BTreeSet<i64> = events.iter().map(|event| event.time).collect();
        times.insert(0);
        let end = events.last().map_or(0, |event| event.time);
        let mut steps = Vec::new();
        while let Some(time) = times.pop_first() {
            monitor.begin(time);
            for event in events.iter().filter(|event| event.time == time) {
                monitor.provide(event.input, event.value.clone());
            }
            monitor.finish().ok()?;
            times.extend(monitor.next_timer().filter(|time| *time <= end));
            let present = spec.streams().map(|(id, _)| monitor.event(id)).collect::<Vec<_>>();
            if present.iter().flatten().any(Value::is_failure) {
                return None;
            }
            steps.push((time, present));
        }
        Some(steps)
    }

    #[test]
    fn every_run_of_the_interpreter_is_a_grid() {
        let mut compared = 0;
        for text in SPECS {
            let spec = spec(text);
            assert_eq!(super::super::unsupported(&spec), [], "{text}");
            let mut dice = Dice(compared);
            for _ in 0..40 {
                let events = dice.events(&spec);
                let Some(steps) = run(&spec, &events) else { continue };
                let mut terms = Terms::new();
                let grid = Grid::new(&mut terms, &spec, steps.len());
                let mut model = Model::new();
                for (slot, (time, _)) in steps.iter().enumerate() {
                    model.insert(grid.times[slot], value::Value::Int((*time).into()));
                    for (input, id) in spec.inputs.iter().enumerate() {
                        let cell = grid.cell(*id, slot);
                        let event = events.iter().find(|event| event.time == *time && event.input == input);
                        model.insert(cell.event, value::Value::Bool(event.is_some()));
                        if let Some(event) = event {
                            set(&mut model, &grid.texts, &cell.datum, &event.value);
                        }
                    }
                }
                let mut evaluator = Evaluator::new(&terms, &model);
                assert!(grid.facts.iter().all(|fact| evaluator.holds(*fact)), "{text}\n{events:?}");
                for (slot, (time, present)) in steps.iter().enumerate() {
                    for (id, stream) in spec.streams() {
                        let cell = grid.cell(id, slot);
                        let found = evaluator
                            .holds(cell.event)
                            .then(|| get(&mut evaluator, &shape(&stream.element), &grid.texts, &cell.datum));
                        assert_eq!(found, present[id.0 as usize], "{:?} at {time}\n{text}\n{events:?}", stream.name);
                        compared += 1;
                    }
                }
            }
        }
        assert!(10_000 < compared, "{compared}");
    }
}
