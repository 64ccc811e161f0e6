//! Inputs drawn at random: small numbers, the ends of types, and the constants of the program.

use std::collections::HashSet;

use c::expr::ExprKind;
use c::interp::{Blind, InputValue, Inputs as Source, RandomInputs, RecordedInputs, Request};
use testcase::Inputs;

use super::CSubject;
use super::document::of_records;
use super::replay::CReplay;

/// At most this many constants are drawn from.
const MOST_CONSTANTS: usize = 256;

/// Edges taken by all runs that draw inputs together: programs that run long are attacked less often.
const MOST_STEPS: u64 = 800_000;

/// What a run costs besides the edges it takes, in edges.
const RUN_COST: u64 = 1_000;

/// Random inputs for a program.
pub(super) struct Drawing {
    constants: Vec<i128>,
    seed: u64,
    number: u64,
    /// The most elements of an object for a pointer.
    elements: u64,
}

/// Answers requests with random values.
struct Drawn<'a> {
    constants: &'a [i128],
    random: RandomInputs,
    state: u64,
}

impl Drawing {
    pub(super) fn new(subject: &CSubject, seed: u64) -> Drawing {
        let program = &subject.translation.program;
        let mut constants: Vec<i128> = Vec::new();
        for expr in &program.exprs {
            if let ExprKind::Integer(number) = expr.kind
                && MOST_CONSTANTS > constants.len()
                && !constants.contains(&number)
            {
                constants.push(number);
            }
        }
        Drawing { constants, seed, number: 0, elements: subject.settings.elements }
    }

    /// The constants of the program.
    pub(super) fn constants(&self) -> &[i128] {
        &self.constants
    }

    /// The inputs of one more run, handed to whoever runs them.
    pub(super) fn next<T>(&mut self, run: impl FnOnce(&mut dyn Source) -> T) -> T {
        let number = self.number;
        self.number += 1;
        if number == 0 {
            // The simplest inputs of all.
            return run(&mut RecordedInputs::default());
        }
        let seed = self.seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(number);
        let mut drawn = Drawn { constants: &self.constants, random: RandomInputs::new(seed), state: seed };
        drawn.random.elements = self.elements;
        run(&mut drawn)
    }
}

impl Drawn<'_> {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    }
}

impl Source for Drawn<'_> {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        if let Some(integer) = request.types.integer(request.ty)
            && !self.constants.is_empty()
            && self.next() % 5 < 2
        {
            let place = (self.next() % self.constants.len() as u64) as usize;
            let near = (self.next() % 3) as i128 - 1;
            let number = self.constants[place].saturating_add(near);
            let truth = matches!(request.types.kind(request.ty), c::types::Type::Bool);
            if integer.holds(number) && (!truth || (0..2).contains(&number)) {
                return Some(InputValue::Integer(number));
            }
        }
        self.random.value(request)
    }
}

/// Random inputs, each as the run that uses them asks for them.
pub(super) fn draw(subject: &CSubject, seed: u64, count: usize) -> Vec<Inputs> {
    let replay = CReplay::new(subject);
    let mut drawing = Drawing::new(subject, seed.wrapping_add(7));
    let mut rounds = subject.rounds();
    let mut inputs = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    let mut steps = 0;
    for _ in 0..count {
        if MOST_STEPS < steps {
            break;
        }
        let outcome = match &mut rounds {
            None => drawing.next(|source| replay.scout(source, &mut Blind)),
            Some(rounds) => drawing.next(|source| replay.scout(source, rounds)),
        };
        steps += outcome.steps + RUN_COST;
        if rounds.as_mut().is_some_and(|rounds| rounds.finish(outcome.steps).is_some()) {
            continue;
        }
        // Programs with few inputs are given the same ones again and again.
        let drawn = of_records(&outcome.inputs);
        if known.insert(drawn.to_json().to_string()) {
            inputs.push(drawn);
        }
    }
    inputs
}
