//! Values that find more faults on the same ways through a program: comparisons are decided as closely as the way allows, and what
//! no comparison looks at is neither zero nor alike.
//!
//! Everything is found by running. A value is taken only if the run takes the same edges in the same order and meets the same
//! obligations, so goals, truth values and what is claimed about the number of tests stay as they are.

use std::collections::BTreeSet;
use std::hash::Hasher;

use c::Program;
use c::expr::ExprKind;
use c::interp::{InputRecord, InputValue, Machine, Observer};
use c::program::{EdgeId, Operation};
use c::types::{IntegerKind, Type};
use rustc_hash::FxHasher;
use testcase::{Inputs, ObligationId};

use super::CSubject;
use super::document::{document, values};
use super::replay::{CReplay, asked};

/// Runs spent on one test, and the edges taken by them together.
const MOST_RUNS: usize = 400;
const MOST_STEPS: u64 = 2_000_000;

/// The same for all tests of a suite.
const ALL_RUNS: usize = 20_000;
const ALL_STEPS: u64 = 20_000_000;

/// At most this many comparisons of a run are moved to their borders.
const MOST_COMPARISONS: usize = 24;

/// The tests of a suite with such values, but for those that must stay, and for all that are left once it is late.
pub(super) fn sharpen(subject: &CSubject, tests: Vec<Inputs>, stays: &[bool], late: &dyn Fn() -> bool) -> Vec<Inputs> {
    let mut replay = CReplay::new(subject);
    let mut seen: BTreeSet<String> = tests.iter().map(|inputs| inputs.to_json().to_string()).collect();
    let mut sharpened = Vec::with_capacity(tests.len());
    let (mut runs, mut steps) = (0, 0);
    for (at, inputs) in tests.into_iter().enumerate() {
        let stays = stays.get(at).copied().unwrap_or(false) || ALL_RUNS <= runs || ALL_STEPS <= steps;
        let work = if stays { None } else { Sharpening::new(subject, &mut replay, &inputs, late) };
        let found = work.map(|mut work| {
            work.move_to_borders();
            work.fill();
            runs += work.runs;
            steps += work.steps;
            document(asked(&work.records))
        });
        // Two tests on one way that differ in values only stay two.
        sharpened.push(match found {
            Some(found) if seen.insert(found.to_json().to_string()) => found,
            Some(_) | None => inputs,
        });
    }
    sharpened
}

/// The way of a run, and what it compared.
struct Way<'a> {
    program: &'a Program,
    edges: FxHasher,
    /// Integers that were compared, with the place.
    compared: Vec<(EdgeId, i128, i128)>,
}

impl<'a> Way<'a> {
    fn new(program: &'a Program) -> Way<'a> {
        Way { program, edges: FxHasher::default(), compared: Vec::new() }
    }

    /// How far the comparisons are from their borders, all together.
    fn distance(&self) -> u64 {
        let bits = |(_, left, right): &(EdgeId, i128, i128)| u64::from(128 - left.abs_diff(*right).leading_zeros());
        self.compared.iter().map(bits).sum()
    }
}

impl Observer for Way<'_> {
    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        self.edges.write_u32(edge.0);
        let Operation::Assume { condition, .. } = &self.program.edge(edge).operation else { return };
        if let ExprKind::Binary(operator, left, _) = &self.program.expr(*condition).kind
            && operator.compares()
            && self.program.types.is_integer(self.program.expr(*left).ty)
        {
            let (left, right) = machine.compared();
            self.compared.push((edge, left, right));
        }
    }

    fn returned(&mut self, call: Option<EdgeId>, _: &mut Machine<'_>) {
        self.edges.write_u32(call.map_or(u32::MAX, |call| call.0));
    }

    fn jumped(&mut self, call: EdgeId, _: &mut Machine<'_>) {
        self.edges.write_u32(call.0);
    }
}

/// The work on one test.
struct Sharpening<'s, 'a> {
    subject: &'a CSubject,
    replay: &'s mut CReplay<'a>,
    late: &'s dyn Fn() -> bool,
    /// What every run must show.
    edges: u64,
    met: Vec<ObligationId>,
    ending: std::mem::Discriminant<c::interp::Ending>,
    /// The best so far.
    records: Vec<InputRecord>,
    compared: Vec<(EdgeId, i128, i128)>,
    distance: u64,
    runs: usize,
    steps: u64,
}

impl<'s, 'a> Sharpening<'s, 'a> {
    /// Begins with a test; none if it is not one.
    fn new(
        subject: &'a CSubject,
        replay: &'s mut CReplay<'a>,
        inputs: &Inputs,
        late: &'s dyn Fn() -> bool,
    ) -> Option<Sharpening<'s, 'a>> {
        if late() {
            return None;
        }
        let given = values(inputs).ok()?;
        let mut way = Way::new(&subject.translation.program);
        let seen = replay.traced(&mut subject.recorded(&given), &mut way);
        if seen.objection.is_some() {
            return None;
        }
        Some(Sharpening {
            subject,
            replay,
            late,
            edges: way.edges.finish(),
            met: seen.met,
            ending: std::mem::discriminant(&seen.outcome.ending),
            steps: seen.outcome.steps,
            records: seen.outcome.inputs,
            distance: way.distance(),
            compared: way.compared,
            runs: 1,
        })
    }

    fn is_over(&self) -> bool {
        MOST_RUNS <= self.runs || MOST_STEPS <= self.steps || (self.late)()
    }

    /// Runs the test with another value for one of its inputs; whether it goes the same way, and how far it is from the borders.
    fn try_value(&mut self, at: usize, value: InputValue) -> Option<Trial> {
        if self.is_over() {
            return None;
        }
        let mut trial = asked(&self.records);
        trial[at].1 = value;
        let mut way = Way::new(&self.subject.translation.program);
        let seen = self.replay.traced(&mut self.subject.recorded(&trial), &mut way);
        self.runs += 1;
        self.steps += seen.outcome.steps;
        let same = seen.objection.is_none()
            && way.edges.finish() == self.edges
            && std::mem::discriminant(&seen.outcome.ending) == self.ending
            && seen.met == self.met;
        let given = seen.outcome.inputs.get(at).is_some_and(|record| record.value == value);
        (same && given).then(|| Trial {
            records: seen.outcome.inputs,
            distance: way.distance(),
            compared: way.compared,
        })
    }

    fn take(&mut self, trial: Trial) {
        self.records = trial.records;
        self.distance = trial.distance;
        self.compared = trial.compared;
    }

    /// Moves integers so that comparisons are decided by as little as possible.
    fn move_to_borders(&mut self) {
        let mut at = 0;
        while at < self.records.len() {
            let integer = self.subject.translation.program.types.integer(self.records[at].ty);
            if let (InputValue::Integer(number), Some(integer)) = (self.records[at].value, integer) {
                for value in self.borders(number).into_iter().filter(|value| integer.holds(*value)) {
                    match self.try_value(at, InputValue::Integer(value)) {
                        Some(trial) if trial.distance < self.distance => self.take(trial),
                        Some(_) | None => {}
                    }
                }
            }
            at += 1;
        }
    }

    /// Values at which comparisons are on their borders, if they grow or fall with a number.
    fn borders(&self, number: i128) -> Vec<i128> {
        let mut places = BTreeSet::new();
        let mut found = Vec::new();
        for (edge, left, right) in &self.compared {
            let gap = right.saturating_sub(*left);
            if gap.unsigned_abs() <= 1 || MOST_COMPARISONS <= places.len() || !places.insert((edge.0, gap)) {
                continue;
            }
            for step in [gap, gap.saturating_neg()] {
                let border = number.saturating_add(step);
                found.extend([border, border.saturating_sub(step.signum()), border.saturating_add(step.signum())]);
            }
        }
        found.retain(|value| *value != number);
        found
    }

    /// Gives values that can be told apart to inputs that no comparison depends on.
    fn fill(&mut self) {
        let mut used: BTreeSet<i128> = BTreeSet::new();
        let mut at = 0;
        while at < self.records.len() {
            for value in self.fillings(at, used.len() as i128) {
                let Some(trial) = self.try_value(at, value) else { continue };
                // What a comparison looks at stays where it is.
                if trial.compared == self.compared {
                    self.take(trial);
                    break;
                }
            }
            if let InputValue::Integer(number) = self.records[at].value {
                used.insert(number);
            }
            at += 1;
        }
    }

    /// Values for an input that nobody may have meant by chance, those that show most first; none where the input is a pointer.
    fn fillings(&self, at: usize, turn: i128) -> Vec<InputValue> {
        let types = &self.subject.translation.program.types;
        let record = &self.records[at];
        let is_letter = matches!(types.kind(record.ty), Type::Integer(IntegerKind::Char));
        match (record.value, types.kind(record.ty)) {
            (InputValue::Integer(_), Type::Bool) => vec![InputValue::Integer(1)],
            (InputValue::Integer(_), Type::Enum(_)) => Vec::new(),
            (InputValue::Integer(_), _) if is_letter => vec![InputValue::Integer(97 + turn % 26)],
            (InputValue::Integer(_), _) => {
                let Some(integer) = types.integer(record.ty) else { return Vec::new() };
                let bases = [5_000_000_001, 70_001, 1_001, 17, 3, 1];
                let fits = |base: &i128| integer.holds(base + turn);
                bases.into_iter().filter(fits).map(|base| InputValue::Integer(base + turn)).collect()
            }
            (InputValue::Float(_), _) => vec![InputValue::Float(1.5 + turn as f64)],
            (InputValue::Null | InputValue::Object(_) | InputValue::Function(_), _) => Vec::new(),
        }
    }
}

/// A run with another value.
struct Trial {
    records: Vec<InputRecord>,
    compared: Vec<(EdgeId, i128, i128)>,
    distance: u64,
}
