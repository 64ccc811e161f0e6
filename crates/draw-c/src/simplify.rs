//! Smaller and rounder inputs with the same coverage, found by running them.

use c::interp::InputValue;
use testcase::{Inputs, ObligationId};

use super::CSubject;
use super::document::{document, values};
use super::replay::{CReplay, Seen, asked, is_whole};

/// Runs spent on one test.
const MOST_RUNS: usize = 200;

/// Edges taken by all these runs together.
const MOST_STEPS: u64 = 2_000_000;

/// Simpler inputs that meet at least the same obligations.
pub(super) fn simplify(subject: &CSubject, inputs: Inputs) -> Inputs {
    let Ok(given) = values(&inputs) else { return inputs };
    let mut replay = CReplay::new(subject);
    let first = replay.bounded(&mut subject.recorded(&given));
    if first.objection.is_some() {
        return inputs;
    }
    let wanted = first.met.clone();
    let mut steps = first.outcome.steps;
    let mut best = asked(&first.outcome.inputs);
    let mut runs = 0;
    if !is_whole(&first.outcome.ending) && subject.is_reactive() {
        best.truncate(shortest(subject, &mut replay, &best, &wanted));
        shorten(subject, &mut replay, &mut best, &wanted);
    }
    let mut at = 0;
    while at < best.len() {
        for simpler in candidates(best[at].1) {
            if MOST_RUNS <= runs || MOST_STEPS <= steps {
                return document(best);
            }
            runs += 1;
            let mut trial = best.clone();
            trial[at].1 = simpler;
            let seen = replay.bounded(&mut subject.recorded(&trial));
            steps += seen.outcome.steps;
            if meets(&seen, &wanted) {
                best = asked(&seen.outcome.inputs);
                break;
            }
        }
        at += 1;
    }
    document(best)
}

/// How many of the inputs suffice to meet some obligations on the way.
fn shortest(
    subject: &CSubject,
    replay: &mut CReplay<'_>,
    inputs: &[(String, InputValue)],
    wanted: &[ObligationId],
) -> usize {
    let (mut least, mut most) = (0, inputs.len());
    while least < most {
        let middle = (least + most) / 2;
        let seen = replay.bounded(&mut subject.recorded(&inputs[..middle]));
        if meets(&seen, wanted) { most = middle } else { least = middle + 1 }
    }
    most
}

/// Leaves out inputs that are not needed to meet some obligations on the way, many at once first.
fn shorten(
    subject: &CSubject,
    replay: &mut CReplay<'_>,
    inputs: &mut Vec<(String, InputValue)>,
    wanted: &[ObligationId],
) {
    let mut size = inputs.len() / 2;
    while 0 < size {
        let mut at = 0;
        while at + size <= inputs.len() {
            let mut fewer = inputs.clone();
            fewer.drain(at..at + size);
            match meets(&replay.bounded(&mut subject.recorded(&fewer)), wanted) {
                true => *inputs = fewer,
                false => at += size,
            }
        }
        size /= 2;
    }
}

fn meets(seen: &Seen, wanted: &[ObligationId]) -> bool {
    seen.objection.is_none() && wanted.iter().all(|obligation| seen.met.contains(obligation))
}

/// Simpler values, the simplest first.
pub(super) fn candidates(value: InputValue) -> Vec<InputValue> {
    match value {
        InputValue::Integer(number) => {
            let mut found = vec![0, 1, -1, 2, 3, 10, -2, 48, 65, 97, 100];
            let mut part = number / 2;
            while 10 < part.abs() {
                found.push(round(part));
                part /= 8;
            }
            found.push(round(number));
            found.retain(|simpler| simpler.abs() < number.abs());
            found.dedup();
            found.into_iter().map(InputValue::Integer).collect()
        }
        InputValue::Float(number) => {
            let mut found = vec![0.0, 1.0, -1.0, 0.5, 2.0, 10.0, number.trunc(), (number * 8.0).trunc() / 8.0];
            found.retain(|simpler| *simpler != number && (number.is_nan() || simpler.abs() <= number.abs()));
            found.into_iter().map(InputValue::Float).collect()
        }
        InputValue::Null => Vec::new(),
        InputValue::Function(_) => vec![InputValue::Null],
        InputValue::Object(count) => {
            let smaller = [1, 2, 3, 4].into_iter().filter(|fewer| *fewer < count).map(InputValue::Object);
            std::iter::once(InputValue::Null).chain(smaller).collect()
        }
    }
}

/// The number with one significant digit.
fn round(number: i128) -> i128 {
    let mut unit = 1;
    while 10 <= number.unsigned_abs() / unit {
        unit *= 10;
    }
    number / unit as i128 * unit as i128
}
