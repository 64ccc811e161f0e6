//! The grid against the interpreter, on given and on random specifications.

use smt::{Evaluator, Model};
use source::Source;
use tessla::interp::{Monitor, Program};
use tessla::trace::Event;
use tessla::value::Value;

use super::super::collection::Kind;
use super::super::limits::Limits;
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
    "in r: Events[Unit]\nin s: Events[Bool]\ndef one = delay(const(3, r), r)\n\
     def two: Events[Unit] = delay(merge(const(5, s), const(2, two)), merge(const((), s), one))\n\
     def n = count(two)\nout n > 3\nout n\nout filter(s, n < 6 && count(one) + 1 != 2)",
    "in x: Events[Int]\nin l: Events[List[Int]]\nin r: Events[Unit]\n\
     def all: Events[List[Int]] = default(if List.size(last(all, x)) > 3 then List.tail(List.append(last(all, x), x)) else List.append(last(all, x), x), List.empty[Int])\n\
     def front = List.init(List.prepend(x, l))\ndef first = if List.size(l) > 0 then List.get(l, 0) else 0 - 1\n\
     def put = if List.size(l) > 1 then List.set(l, 1, x) else l\nout all\nout front\nout first\nout put\nout all == l\nout front == put",
    "in x: Events[Int]\nin s: Events[Set[Int]]\nin m: Events[Map[Int, Bool]]\n\
     def seen: Events[Set[Int]] = default(Set.add(last(seen, x), x % 4), Set.empty[Int])\n\
     def counts: Events[Map[Int, Int]] = default(Map.add(last(counts, x), x % 3, x), Map.empty[Int, Int])\n\
     def fewer = Set.remove(seen, x)\ndef one = Set.union(s, fewer)\ndef two = Set.intersection(s, seen)\ndef three = Set.minus(seen, s)\n\
     def value = if Map.contains(m, x) then Map.get(m, x) else false\ndef keys = Map.keys(counts)\ndef gone = Map.remove(m, x)\n\
     out seen\nout fewer\nout one\nout two\nout three\nout value\nout keys\nout gone\nout Set.size(one) + Map.size(gone)\nout Set.contains(s, x)\n\
     out one == seen\nout gone == m\nout counts",
    "in x: Events[Int]\nin l: Events[List[Int]]\nin m: Events[Map[Int, Int]]\nin s: Events[Set[Int]]\n\
     def sum(l: List[Int], i: Int): Int = if i >= List.size(l) then 0 else List.get(l, i) + sum(l, i + 1)\n\
     def power(x: Int, n: Int): Int = if n <= 0 then 1 else if n % 2 == 0 then power(x * x, n / 2) else x * power(x, n - 1)\n\
     def larger(l: List[Int], x: Int): List[Int] = List.fold(l, List.empty[Int], (a: List[Int], e: Int) => if e > x then List.append(a, e) else a)\n\
     out slift1(l, (l: List[Int]) => sum(l, 0))\nout slift1(x, (x: Int) => power(x, x % 5)) as p\n\
     out slift(l, x, larger) as g\nout slift1(m, (m: Map[Int, Int]) => Map.fold(m, 0, (a: Int, k: Int, v: Int) => a * 2 + k - v)) as f\n\
     out slift1(s, (s: Set[Int]) => Set.fold(s, 0, (a: Int, e: Int) => a * 3 + e)) as h",
    "in x: Events[Int]\nin y: Events[Int]\nout x & y as a\nout x | y as o\nout x ^ y as e\nout ~x as n\nout x << 3 as l\nout x >> 2 as r\n\
     out x << y as w\nout x >> y as v\nout 1 << x as b",
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
            Type::List(of) => {
                let count = self.roll(5);
                Value::List((0..count).map(|_| self.value(of)).collect::<Vec<_>>().into())
            }
            Type::Set(of) => {
                let count = self.roll(5);
                Value::Set(std::sync::Arc::new((0..count).map(|_| self.value(of)).collect()))
            }
            Type::Map(key, of) => {
                let count = self.roll(5);
                let entries = (0..count).map(|_| (self.value(key), self.value(of))).collect();
                Value::Map(std::sync::Arc::new(entries))
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
        (Datum::Items(kind, items), given) => {
            let given: Vec<Vec<Value>> = match given {
                Value::List(items) => items.iter().map(|item| vec![item.clone()]).collect(),
                Value::Set(items) => items.iter().map(|item| vec![item.clone()]).collect(),
                Value::Map(entries) => entries.iter().map(|(key, value)| vec![key.clone(), value.clone()]).collect(),
                other => panic!("{other:?} is not a collection"),
            };
            for (place, item) in items.iter().enumerate() {
                model.insert(item.present, value::Value::Bool(place < given.len()));
                match (given.get(place).map(Vec::as_slice), kind) {
                    (Some([key, value]), _) => {
                        set(model, texts, item.value.pair().0, key);
                        set(model, texts, item.value.pair().1, value);
                    }
                    (Some([value]), _) => set(model, texts, &item.value, value),
                    _ => {}
                }
            }
        }
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
        (Shape::Items(_, element, _), Datum::Items(kind, items)) => {
            let mut values = Vec::new();
            for item in items {
                if evaluator.holds(item.present) {
                    values.push(get(evaluator, element, texts, &item.value));
                }
            }
            match kind {
                Kind::List => Value::List(values.into()),
                Kind::Set => Value::Set(std::sync::Arc::new(values.into_iter().collect())),
                Kind::Map => {
                    let pair = |value: Value| match value {
                        Value::Object(object) => (object.values[0].clone(), object.values[1].clone()),
                        other => panic!("{other:?} is not a pair"),
                    };
                    Value::Map(std::sync::Arc::new(values.into_iter().map(pair).collect()))
                }
            }
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

/// What random streams use.
const GIVEN: &str = "in a: Events[Int]\nin b: Events[Bool]\nin c: Events[Option[Int]]\nin d: Events[(Int, Bool)]\nin u: Events[Unit]\n\
    in l: Events[List[Int]]\nin s: Events[Set[Int]]\nin m: Events[Map[Int, Int]]\n\
    def elements(s: Set[Int]): List[Int] = Set.fold(s, List.empty[Int], (d: List[Int], e: Int) => List.append(d, e))\n\
    def greater(l: List[Int], x: Int): List[Int] = List.fold(l, List.empty[Int], (d: List[Int], e: Int) => if e > x then List.append(d, e) else d)\n\
    def from(l: List[Int], i: Int): Int = if i < List.size(l) then List.get(l, i) + from(l, i + 1) else 0\n\
    def total(l: List[Int]): Int = from(l, 0)\n\
    def turn(l: List[Int], d: List[Int]): List[Int] = if List.size(l) == 0 then d else turn(List.tail(l), List.prepend(List.get(l, 0), d))\n\
    def backwards(l: List[Int]): List[Int] = turn(l, List.empty[Int])\n\
    def fromOption(x: Option[Int]): Int = if isNone(x) then 7 else getSome(x)\n\
    def fromPair(x: (Int, Bool)): Int = if x._2 && x._1 > 0 then x._1 else 0 - x._1\n\
    def positive(x: Int): Int = if x > 0 then x % 5 + 1 else 1\n\
    def maybe(x: Int, y: Bool): Option[Int] = if y then Some(x) else None[Int]\n\
    def both(x: Int, y: Bool): (Int, Bool) = (x, !y)\n\
    def later(x: Option[Int], y: Option[Int]): Option[Int] = if isNone(x) then y else if isSome(y) && getSome(x) > getSome(y) then None[Int] else x\n";

impl Dice {
    /// A random stream of integers as text.
    fn integers(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["a", "slift1(c, fromOption)", "slift1(d, fromPair)", "const(3, u)"][self.roll(4) as usize].into();
        }
        let one = self.integers(depth - 1);
        let below = depth - 1;
        match self.roll(18) {
            16 => format!("slift1({}, total)", self.lists(below)),
            17 => format!("Map.getOrElse(m, {one}, 4)"),
            0 => format!("last({one}, {})", self.integers(below)),
            1 => format!("merge({one}, {})", self.integers(below)),
            2 => format!("({one} + {})", self.integers(below)),
            3 => format!("({one} * 2 - {} / 3)", self.integers(below)),
            4 => format!("(if {} then {one} else {})", self.truths(below), self.integers(below)),
            5 => format!("defaultFrom({one}, {})", self.integers(below)),
            6 => format!("lift({one}, {}, later)", self.integers(below)),
            7 => format!("time({one})"),
            8 => format!("default({one}, {})", self.roll(9)),
            9 => format!("filter({one}, {})", self.truths(below)),
            10 => format!("count({one})"),
            11 => format!("resetCount({one}, u)"),
            12 => format!("sum({one})"),
            13 => format!("const(1, delay(const({}, {one}), merge(const((), {one}), u)))", 1 + self.roll(4)),
            14 => format!("const(2, delay(slift1({one}, positive), {}))", self.integers(below)),
            _ => format!("slift1({}, fromOption) % 4", self.options(below)),
        }
    }

    /// A random stream of lists of integers as text.
    fn lists(&mut self, depth: u32) -> String {
        if depth == 0 {
            return ["l", "slift1(s, elements)", "Map.keys(m)"][self.roll(3) as usize].into();
        }
        let one = self.lists(depth - 1);
        let below = depth - 1;
        match self.roll(8) {
            0 => format!("List.append({one}, {})", self.integers(below)),
            1 => format!("List.prepend({}, {one})", self.integers(below)),
            2 => format!("List.init({one})"),
            3 => format!("last({one}, {})", self.integers(below)),
            4 => format!("merge({one}, {})", self.lists(below)),
            5 => format!("slift({one}, {}, greater)", self.integers(below)),
            6 => format!("(if {} then {one} else {})", self.truths(below), self.lists(below)),
            _ => format!("slift1({one}, backwards)"),
        }
    }

    fn truths(&mut self, depth: u32) -> String {
        if depth == 0 {
            return "b".into();
        }
        let below = depth - 1;
        match self.roll(6) {
            0 => format!("({} < {})", self.integers(below), self.integers(below)),
            1 => format!("({} == {})", self.integers(below), self.integers(below)),
            2 => format!("({} && !{})", self.truths(below), self.truths(below)),
            3 => format!("({} == last(c, u))", self.options(below)),
            4 => format!("({} == last(d, a))", self.pairs(below)),
            _ => format!("merge({}, b)", self.truths(below)),
        }
    }

    fn options(&mut self, depth: u32) -> String {
        match self.roll(3) {
            0 if depth > 0 => format!("slift({}, {}, maybe)", self.integers(depth - 1), self.truths(depth - 1)),
            1 if depth > 0 => format!("last({}, {})", self.options(depth - 1), self.integers(depth - 1)),
            _ => "c".into(),
        }
    }

    fn pairs(&mut self, depth: u32) -> String {
        match self.roll(2) {
            0 if depth > 0 => format!("slift({}, {}, both)", self.integers(depth - 1), self.truths(depth - 1)),
            _ => "d".into(),
        }
    }

    /// A random specification: a stream that depends on its own past, a timer that sets itself again, and others.
    fn specification(&mut self) -> String {
        let (one, two, three) = (self.integers(2), self.integers(2), self.truths(2));
        let (four, five) = (self.lists(2), self.lists(2));
        format!(
            "{GIVEN}out {four} as lists\nout {four} == {five} as same\ndef past: Events[Int] = default(last(past, {one}) + {}, 0)\n\
             def again: Events[Unit] = delay(merge(slift1(a, positive), const(2, again)), const((), {two}))\n\
             out past\nout again\nout {} as z\nout {three} as t\nout {} as p\n",
            self.integers(1),
            self.integers(3),
            self.pairs(2),
        )
    }
}

/// A value in which numbers beyond a ceiling are not told apart.
fn at_most_beyond(value: Value, ceiling: &value::IBig) -> Value {
    match value {
        Value::Some(inner) => Value::some(at_most_beyond((*inner).clone(), ceiling)),
        other => match other.as_integer() {
            Some(number) => Value::integer(number.min(ceiling + value::IBig::ONE)),
            None => other,
        },
    }
}

/// Compares the grid of every slot with a run; the number of cells compared.
fn compare(text: &str, dice: &mut Dice, runs: usize) -> u64 {
    let spec = spec(text);
    assert_eq!(super::super::unsupported(&spec), [], "{text}");
    let mut compared = 0;
    for _ in 0..runs {
        let events = dice.events(&spec);
        let Some(steps) = run(&spec, &events) else { continue };
        // What keeps within the room is in the grid; what does not may be left out of it.
        let room = Room { places: 4 + dice.roll(5) as usize, depth: 4 + dice.roll(5) as usize };
        let end = events.last().map_or(0, |event| event.time);
        if !Limits::of(&spec).hold(&tessla::extent::extent(&spec, &events, end), room) {
            continue;
        }
        let mut terms = Terms::new();
        let grid = Grid::new(&mut terms, &spec, Size { slots: steps.len(), room }, &[]);
        let has_room = grid.has_room(&mut terms);
        let mut model = Model::new();
        let moments: Vec<i64> = steps.iter().map(|(time, _)| *time).collect();
        for (term, number) in grid.clock.at(&moments) {
            if terms.value(term).is_none() {
                model.insert(term, value::Value::Int(number.into()));
            }
        }
        for (slot, (time, _)) in steps.iter().enumerate() {
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
        assert!(has_room.is_none_or(|fact| evaluator.holds(fact)), "{text}\n{events:?}");
        for (slot, (time, present)) in steps.iter().enumerate() {
            for (id, stream) in spec.streams() {
                let cell = grid.cell(id, slot);
                let found = evaluator
                    .holds(cell.event)
                    .then(|| get(&mut evaluator, &shape(&stream.element, grid.room.places), &grid.texts, &cell.datum));
                let expected = present[id.0 as usize].clone();
                let expected = match &grid.ceilings.streams[id.0 as usize] {
                    Some(ceiling) => expected.map(|value| at_most_beyond(value, ceiling)),
                    None => expected,
                };
                let found = match &grid.ceilings.streams[id.0 as usize] {
                    Some(ceiling) => found.map(|value| at_most_beyond(value, ceiling)),
                    None => found,
                };
                assert_eq!(found, expected, "{:?} at {time}\n{text}\n{events:?}", stream.name);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn every_run_of_the_interpreter_is_a_grid() {
    let compared: u64 = SPECS.iter().zip(0..).map(|(text, seed)| compare(text, &mut Dice(seed), 40)).sum();
    assert!(10_000 < compared, "{compared}");
}

#[test]
fn every_run_of_a_random_specification_is_a_grid() {
    let mut compared = 0;
    for seed in 0..60 {
        let mut dice = Dice(seed);
        let text = dice.specification();
        compared += compare(&text, &mut dice, 6);
    }
    assert!(10_000 < compared, "{compared}");
}
