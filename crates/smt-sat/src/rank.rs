//! Reals as ranks: the finite order of the constants, and room for the variables between them.
//!
//! After the first pass reals are only compared: `=` and `<=` between variables, constants and choices of such. What
//! matters of an assignment is then how the `n` variables lie among the `k` constants and among each other. A rank is
//! a number below `k + (k + 1) * n`: every constant has one, and every gap between neighbouring constants, below the
//! first and above the last has `n`. An assignment of reals gives ranks in the same order, since at most `n` different
//! values lie in a gap; ranks give reals in the same order, since the reals are dense and without ends. So this is
//! complete. If no two variables are compared, one rank per gap does.
//!
//! New constants or variables make a new generation of ranks. The comparisons keep their signals; a guard per
//! generation says which ranks define them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use smt::{Op, Term, Terms, Unknown};
use value::{IBig, RBig, UBig, Value};

use crate::bits::{self, Word};
use crate::blast::Words;
use crate::gate::{Gates, Signal};
use crate::sat::Budget;

/// All real comparisons, and their present generation of ranks.
#[derive(Default)]
pub(crate) struct Ranks {
    atoms: Vec<(Term, Signal)>,
    variables: Vec<Term>,
    constants: BTreeSet<RBig>,
    /// Whether any two variables are compared.
    relational: bool,
    generation: Option<Generation>,
}

struct Generation {
    guard: Signal,
    thresholds: Vec<RBig>,
    slots: usize,
    relational: bool,
    variables: usize,
    /// How many atoms are defined.
    defined: usize,
    words: FxHashMap<Term, Word>,
}

impl Ranks {
    /// Takes note of a real term that stands below a comparison.
    pub(crate) fn saw(&mut self, arena: &Terms, term: Term) {
        match (arena.op(term), arena.value(term)) {
            (Op::Symbol, _) => self.variables.push(term),
            (_, Some(Value::Real(number))) => {
                self.constants.insert(number.clone());
            }
            _ => {}
        }
    }

    /// Takes a comparison, whose truth is `signal`.
    pub(crate) fn add_atom(&mut self, arena: &Terms, term: Term, signal: Signal) {
        self.atoms.push((term, signal));
        self.relational |= arena.args(term).iter().all(|&arg| arena.value(arg).is_none());
    }

    /// Gives every comparison its meaning, under the guard returned.
    pub(crate) fn define(
        &mut self,
        gates: &mut Gates,
        arena: &Terms,
        outer: &Words,
        budget: &Budget,
    ) -> Result<Option<Signal>, Unknown> {
        if self.atoms.is_empty() {
            return Ok(None);
        }
        let fits = self.generation.as_ref().is_some_and(|generation| {
            generation.thresholds.len() == self.constants.len()
                && generation.relational == self.relational
                && (!self.relational || generation.variables == self.variables.len())
        });
        if !fits {
            if let Some(old) = self.generation.take() {
                gates.clause(&[!old.guard]);
            }
            self.generation = Some(self.new_generation(gates));
        }
        let generation = self.generation.as_mut().expect("there is one now");
        while let Some(&(atom, signal)) = self.atoms.get(generation.defined) {
            if let Some(reason) = budget.spent() {
                return Err(reason);
            }
            let truth = generation.compare(gates, arena, outer, atom);
            gates.clause(&[!generation.guard, !signal, truth]);
            gates.clause(&[!generation.guard, signal, !truth]);
            generation.defined += 1;
        }
        Ok(Some(generation.guard))
    }

    fn new_generation(&self, gates: &mut Gates) -> Generation {
        Generation {
            guard: gates.input(),
            thresholds: self.constants.iter().cloned().collect(),
            slots: if self.relational { self.variables.len().max(1) } else { 1 },
            relational: self.relational,
            variables: self.variables.len(),
            defined: 0,
            words: FxHashMap::default(),
        }
    }

    /// The values of the variables in the current model: thresholds, or simple numbers well inside the gaps.
    pub(crate) fn values(&self, gates: &mut Gates) -> Vec<(Term, Value)> {
        let Some(generation) = &self.generation else { return Vec::new() };
        let mut ranks = Vec::new();
        let mut gaps: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &variable in &self.variables {
            if let Some(word) = generation.words.get(&variable) {
                let rank = generation.rank(gates, word);
                ranks.push((variable, rank));
                if rank % (generation.slots + 1) != generation.slots {
                    gaps.entry(rank / (generation.slots + 1)).or_default().insert(rank);
                }
            }
        }
        let mut numbers: BTreeMap<usize, RBig> = BTreeMap::new();
        for (gap, used) in gaps {
            let low = gap.checked_sub(1).map(|below| &generation.thresholds[below]);
            let inside = spread(low, generation.thresholds.get(gap), used.len());
            numbers.extend(used.into_iter().zip(inside));
        }
        let number = |rank: usize| match numbers.get(&rank) {
            Some(number) => number.clone(),
            None => generation.thresholds[rank / (generation.slots + 1)].clone(),
        };
        ranks.into_iter().map(|(variable, rank)| (variable, Value::Real(number(rank)))).collect()
    }
}

impl Generation {
    fn count(&self) -> usize {
        self.thresholds.len() + (self.thresholds.len() + 1) * self.slots
    }

    fn width(&self) -> usize {
        (usize::BITS - (self.count() - 1).leading_zeros()).max(1) as usize
    }

    /// The rank of threshold number `place`: there is a gap before each.
    fn of_threshold(&self, place: usize) -> usize {
        (place + 1) * self.slots + place
    }

    fn rank(&self, gates: &mut Gates, word: &[Signal]) -> usize {
        word.iter().rev().fold(0, |rank, &signal| rank << 1 | usize::from(gates.value(signal)))
    }

    fn compare(&mut self, gates: &mut Gates, arena: &Terms, outer: &Words, atom: Term) -> Signal {
        let args = arena.args(atom);
        args.iter().for_each(|&arg| self.encode(gates, arena, outer, arg));
        let (left, right) = (&self.words[&args[0]], &self.words[&args[1]]);
        match arena.op(atom) {
            Op::Eq => bits::equal(gates, left, right),
            Op::Le => !bits::unsigned_less(gates, right, left),
            other => unreachable!("the first pass leaves no `{}` of reals", other.name()),
        }
    }

    fn encode(&mut self, gates: &mut Gates, arena: &Terms, outer: &Words, root: Term) {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.words.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            if arena.op(term) == Op::Ite {
                open.extend(arena.args(term)[1..].iter().filter(|arg| !self.words.contains_key(arg)));
            }
            if open.len() == before {
                open.pop();
                let word = self.step(gates, arena, outer, term);
                self.words.insert(term, word);
            }
        }
    }

    fn step(&self, gates: &mut Gates, arena: &Terms, outer: &Words, term: Term) -> Word {
        match (arena.op(term), arena.value(term)) {
            (_, Some(Value::Real(number))) => {
                let place = self.thresholds.binary_search(number).expect("constants are thresholds");
                bits::constant(self.width(), &UBig::from(self.of_threshold(place)))
            }
            (Op::Symbol, _) => {
                let word = bits::inputs(gates, self.width());
                let last = bits::constant(word.len(), &UBig::from(self.count() - 1));
                let beyond = bits::unsigned_less(gates, &last, &word);
                gates.clause(&[!beyond]);
                word
            }
            (Op::Ite, _) => {
                let args = arena.args(term);
                bits::choose(gates, outer.signal(args[0]), &self.words[&args[1]], &self.words[&args[2]])
            }
            (other, _) => unreachable!("the first pass leaves no `{}` of reals", other.name()),
        }
    }
}

/// `count` simple numbers in ascending order strictly between two bounds.
fn spread(low: Option<&RBig>, high: Option<&RBig>, count: usize) -> Vec<RBig> {
    let whole = |start: IBig| (0..count).map(|place| RBig::from(&start + IBig::from(place))).collect();
    let half = RBig::from_parts(IBig::ONE, UBig::from(2u8));
    let clear_of_zero = |bound: &RBig| half <= *bound || *bound <= -&half;
    let zero_inside = low.is_none_or(|low| *low < RBig::ZERO && clear_of_zero(low))
        && high.is_none_or(|high| RBig::ZERO < *high && clear_of_zero(high));
    match (low, high) {
        _ if zero_inside && count == 1 => vec![RBig::ZERO],
        (None, None) => whole(IBig::ZERO),
        (Some(low), None) => whole((low + half).floor() + IBig::ONE),
        (None, Some(high)) => whole((high - half).ceil() - IBig::from(count)),
        (Some(low), Some(high)) => between(low, high, count),
    }
}

/// Evenly spread, then rounded to the fewest decimals that keep them apart and inside.
fn between(low: &RBig, high: &RBig, count: usize) -> Vec<RBig> {
    let parts = RBig::from(count + 1);
    let distance = (high - low) / &parts;
    let mut scale = RBig::ONE;
    while distance < RBig::from(2) / &scale {
        scale *= RBig::from(10);
    }
    (1..=count)
        .map(|place| {
            let exact = low + &distance * RBig::from(place);
            RBig::from((exact * &scale).round()) / &scale
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(low: Option<&str>, high: Option<&str>, count: usize, expect: &str) {
        let parse = |text: &str| text.parse::<RBig>().unwrap();
        let numbers = spread(low.map(parse).as_ref(), high.map(parse).as_ref(), count);
        let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        assert_eq!(shown.join(" "), expect);
    }

    #[test]
    fn numbers_between_thresholds_are_simple() {
        check(None, None, 1, "0");
        check(None, None, 3, "0 1 2");
        check(Some("5"), None, 2, "6 7");
        check(Some("51/10"), None, 1, "6");
        check(None, Some("5"), 1, "0");
        check(None, Some("5"), 2, "3 4");
        check(None, Some("-5"), 1, "-6");
        check(Some("20"), Some("22"), 1, "21");
        check(Some("20"), Some("21"), 1, "41/2");
        check(Some("0"), Some("1/1000"), 1, "1/2000");
        check(Some("0"), Some("1"), 3, "3/10 1/2 4/5");
        check(Some("-1/4"), Some("1/4"), 1, "0");
    }
}
