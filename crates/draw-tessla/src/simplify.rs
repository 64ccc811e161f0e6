//! Readable tests: fewer events, earlier times, smaller values, as long as a trace meets what it met and shows what it showed. Found
//! with the interpreter alone.

use std::sync::Arc;

use tessla::meter::{Meter, Probe};
use tessla::trace::Event;
use tessla::value::{Object, Value};
use value::IBig;

use super::TesslaSubject;
use super::document::Trace;
use super::effort::{CHANGED_STREAMS, CHANGES, usual};

/// Numbers that tell inputs apart are at most this large.
const MOST_DISTINCT: i64 = 5;

/// A trace is changed this often in any case.
const FEWEST_TRIES: usize = 20;

/// A trace like the given one, simpler where that can be had.
pub(super) fn simplest(subject: &TesslaSubject<'_>, trace: Trace) -> Trace {
    let meter = &Meter::new(subject.spec, &subject.goals);
    let all = vec![true; subject.goals.obligations.len()];
    let Some(wanted) = meter.probe(&trace.events, trace.end, &all) else { return trace };
    let work = subject.spec.streams.len().max(1) * trace.events.len().max(1);
    let tries = usual(CHANGES).min((usual(CHANGED_STREAMS) / work).max(FEWEST_TRIES));
    let mut search = Search { subject, meter, wanted, best: trace, tries };
    search.drop_events();
    search.tighten();
    search.shrink_values();
    search.tell_apart();
    search.best
}

struct Search<'a> {
    subject: &'a TesslaSubject<'a>,
    meter: &'a Meter<'a>,
    wanted: Probe,
    best: Trace,
    tries: usize,
}

impl Search<'_> {
    /// Takes a trace if it meets all that is wanted.
    fn accept(&mut self, trace: Trace) -> bool {
        if self.tries == 0 || trace == self.best {
            return false;
        }
        self.tries -= 1;
        // A timer that nothing resets may fire more often: a simpler trace has no more moments.
        let Probe { hits, moments, .. } = &self.wanted;
        let Some(probe) = self.meter.probe_within(&trace.events, trace.end, hits, *moments) else { return false };
        let meets = self.wanted.hits.iter().zip(&probe.hits).all(|(wanted, met)| *met || !wanted);
        // What could be seen is worth looking at: no output that showed something falls silent.
        let visible = self.wanted.shown.iter().zip(&probe.shown).all(|(wanted, shown)| *shown || !wanted);
        let sound = (self.wanted.fails || !probe.fails) && !(self.subject.closed_delays && probe.pending);
        // Without an event that empties a collection it may become too large.
        let fits = meets && visible && sound && self.subject.has_room(&trace);
        if fits {
            self.best = trace;
        }
        fits
    }

    /// Leaves out events: half of them, then quarters, down to single ones.
    fn drop_events(&mut self) {
        let mut size = self.best.events.len().div_ceil(2);
        while size > 0 && self.tries > 0 {
            let mut end = self.best.events.len();
            while end > 0 && self.tries > 0 {
                let start = end.saturating_sub(size);
                let mut events = self.best.events.clone();
                events.drain(start..end);
                let end_of_run = self.best.end;
                self.accept(Trace { events, end: end_of_run });
                end = start;
            }
            size = if size == 1 { 0 } else { size.div_ceil(2) };
        }
    }

    /// Makes the gaps between times, before the first and after the last one, as short as they may be.
    fn tighten(&mut self) {
        let count = gaps(&self.best).len();
        let close: Vec<i64> = (0..count).map(|gap| least(gap, count)).collect();
        if self.accept(with_gaps(&self.best, &close)) {
            return;
        }
        for gap in 0..count {
            let (mut low, mut high) = (least(gap, count), gaps(&self.best)[gap]);
            while low < high {
                let middle = low + (high - low) / 2;
                let mut wanted = gaps(&self.best);
                // Most gaps can be as short as possible or not be changed at all: ask for that first.
                let target = if low == least(gap, count) { low } else { middle };
                wanted[gap] = target;
                if self.accept(with_gaps(&self.best, &wanted)) {
                    high = target;
                } else {
                    low = target + 1;
                }
            }
        }
    }

    fn shrink_values(&mut self) {
        for index in 0..self.best.events.len() {
            while let Some(smaller) =
                simpler(&self.best.events[index].value).into_iter().find(|value| self.accept(self.with(index, value)))
            {
                debug_assert_eq!(self.best.events[index].value, smaller);
            }
        }
    }

    /// Gives different inputs different numbers, so that one can see where a value comes from.
    fn tell_apart(&mut self) {
        for index in 0..self.best.events.len() {
            let event = &self.best.events[index];
            let is_shared = |other: &Event| other.input != event.input && other.value == event.value;
            if !matches!(event.value, Value::Int(_)) || !self.best.events[..index].iter().any(is_shared) {
                continue;
            }
            let used: Vec<&Value> = self.best.events.iter().map(|event| &event.value).collect();
            let fresh = (1..=MOST_DISTINCT).map(Value::Int).filter(|value| !used.contains(&value));
            for value in fresh.collect::<Vec<_>>() {
                if self.accept(self.with(index, &value)) {
                    break;
                }
            }
        }
    }

    fn with(&self, index: usize, value: &Value) -> Trace {
        let mut trace = self.best.clone();
        trace.events[index].value = value.clone();
        trace
    }
}

/// The shortest a gap may be: the first time and the end may follow at once.
fn least(gap: usize, count: usize) -> i64 {
    i64::from(gap != 0 && gap + 1 != count)
}

/// The first time, the distances between the times, and the distance from the last one to the end.
fn gaps(trace: &Trace) -> Vec<i64> {
    let mut gaps = Vec::new();
    let mut before = None;
    for Event { time, .. } in &trace.events {
        match before {
            Some(before) if before == *time => continue,
            Some(before) => gaps.push(time - before),
            None => gaps.push(*time),
        }
        before = Some(*time);
    }
    gaps.push(trace.end - before.unwrap_or(0));
    gaps
}

/// The same events with other gaps.
fn with_gaps(trace: &Trace, gaps: &[i64]) -> Trace {
    let mut events = Vec::with_capacity(trace.events.len());
    let (mut before, mut now) = (None, 0);
    let mut next = gaps.iter();
    for event in &trace.events {
        if before != Some(event.time) {
            before = Some(event.time);
            now += next.next().expect("there is a gap before every time");
        }
        events.push(Event { time: now, ..event.clone() });
    }
    Trace { events, end: now + next.next().expect("there is a gap before the end") }
}

/// Values that are simpler, the simplest first.
fn simpler(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(_) | Value::Big(_) => {
            let number = value.as_integer().expect("it is an integer");
            let size = |number: &IBig| if *number < IBig::ZERO { -number.clone() } else { number.clone() };
            let half = &number / IBig::from(2);
            let next = if number > IBig::ZERO { &number - IBig::from(1) } else { &number + IBig::from(1) };
            let opposite = -number.clone();
            let mut found: Vec<IBig> = vec![IBig::ZERO, IBig::from(1), half, next];
            found.retain(|candidate| size(candidate) < size(&number));
            if number < IBig::ZERO {
                found.insert(0, opposite);
            }
            found.dedup();
            found.into_iter().map(Value::integer).collect()
        }
        Value::Some(inner) => simpler(inner).into_iter().map(Value::some).collect(),
        Value::Object(object) => {
            let member = |index: usize| {
                simpler(&object.values[index]).into_iter().map(move |value| {
                    let mut values = object.values.clone();
                    values[index] = value;
                    Value::Object(Arc::new(Object { names: object.names.clone(), values }))
                })
            };
            (0..object.values.len()).flat_map(member).collect()
        }
        Value::List(items) if !items.is_empty() => {
            let shorter = [0, items.len() - 1].map(|count| Value::List(Arc::new(items[..count].to_vec())));
            let element = |index: usize| {
                simpler(&items[index]).into_iter().map(move |value| {
                    let mut items = items.to_vec();
                    items[index] = value;
                    Value::List(Arc::new(items))
                })
            };
            shorter.into_iter().chain((0..items.len()).flat_map(element)).collect()
        }
        Value::Set(items) => {
            let without = |index: usize| {
                let mut items = (**items).clone();
                items.shift_remove_index(index);
                Value::Set(Arc::new(items))
            };
            let with = |(index, value): (usize, Value)| {
                let items = items.iter().enumerate().map(|(place, item)| if place == index { &value } else { item });
                Value::Set(Arc::new(items.cloned().collect()))
            };
            let elements = items.iter().enumerate();
            let changed = elements.flat_map(|(index, item)| simpler(item).into_iter().map(move |value| (index, value)));
            (0..items.len()).map(without).chain(changed.map(with)).collect()
        }
        Value::Map(entries) => {
            let without = |index: usize| {
                let mut entries = (**entries).clone();
                entries.shift_remove_index(index);
                Value::Map(Arc::new(entries))
            };
            let with = |(index, value): (usize, Value)| {
                let mut entries = (**entries).clone();
                entries[index] = value;
                Value::Map(Arc::new(entries))
            };
            let values = entries.values().enumerate();
            let changed = values.flat_map(|(index, item)| simpler(item).into_iter().map(move |value| (index, value)));
            (0..entries.len()).map(without).chain(changed.map(with)).collect()
        }
        Value::Bool(_) | Value::Float(_) | Value::String(_) | Value::Unit | Value::None => Vec::new(),
        Value::List(_) | Value::Failure(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_taken_apart_and_put_together() {
        let event = |time, input| Event { time, input, value: Value::Unit };
        let trace = Trace { events: vec![event(3, 0), event(3, 1), event(10, 0)], end: 12 };
        assert_eq!(gaps(&trace), [3, 7, 2]);
        assert_eq!(with_gaps(&trace, &gaps(&trace)), trace);
        let close = with_gaps(&trace, &[0, 1, 0]);
        assert_eq!(close.events.iter().map(|event| event.time).collect::<Vec<_>>(), [0, 0, 1]);
        assert_eq!(gaps(&Trace { events: Vec::new(), end: 5 }), [5]);
    }

    #[test]
    fn numbers_become_smaller() {
        let texts = |value: Value| simpler(&value).iter().map(tessla::show::plain_text).collect::<Vec<_>>();
        assert_eq!(texts(Value::Int(7)), ["0", "1", "3", "6"]);
        assert_eq!(texts(Value::Int(-1)), ["1", "0"]);
        assert_eq!(texts(Value::some(Value::Int(1))), ["Some(0)"]);
        assert!(simpler(&Value::Int(0)).is_empty());
    }
}
