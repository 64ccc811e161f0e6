//! Integers of growing width.
//!
//! A comparison of integers (and every other operator from integers to something else) is a free signal. For a width
//! `w` it gets a meaning: every integer symbol is a word of at most `w` bits in two's complement, what is computed
//! from symbols is exact (words grow as their intervals do), and the free signal equals the comparison of the words,
//! all under the *guard* of the width. Words share their low bits over the widths, so an adder at the next width
//! contains the one before it.
//!
//! Intermediate results are exact up to `2 * w + 16` bits. Beyond that they are cut, and the comparison is bound to its
//! words only if nothing overflowed; that nothing does is a second assumption, about the comparisons in question.
//!
//! So a contradiction that needs neither assumption holds for all integers. One that needs them holds for integers of
//! `w` bits, and for all only if [`bound`] says that `w` bits are enough.

pub(crate) mod bound;
mod number;

use rustc_hash::FxHashMap;
use smt::{Op, Term, Terms, Unknown};
use value::{IBig, Value};

use crate::bits::{self, Word};
use crate::blast::Words;
use crate::gate::{Gates, Signal};
use crate::sat::Budget;
use bound::Interval;
use number::Number;

/// All atoms over integers and what they mean at the widths tried so far.
#[derive(Default)]
pub(crate) struct Integers {
    atoms: Vec<Atom>,
    /// The inputs of each symbol, as many as the greatest width so far needs.
    leaves: FxHashMap<Term, Word>,
    symbols: Vec<Term>,
    /// What the permanent facts say about symbols.
    intervals: FxHashMap<Term, Interval>,
    generations: Vec<Generation>,
    /// The bits that the widest constant needs.
    constant_width: usize,
    /// The generation of the last model.
    current: usize,
}

struct Atom {
    term: Term,
    signals: Word,
}

struct Generation {
    width: usize,
    guard: Signal,
    /// How many atoms are defined.
    defined: usize,
    numbers: FxHashMap<Term, Number>,
    /// The atoms that can overflow, and when they do.
    overflows: Vec<(Term, Signal)>,
}

impl Integers {
    /// Takes note of an integer term that stands below an atom.
    pub(crate) fn saw(&mut self, arena: &Terms, term: Term) {
        match (arena.op(term), arena.value(term)) {
            (Op::Symbol, _) => self.symbols.push(term),
            (_, Some(Value::Int(number))) => {
                self.constant_width = self.constant_width.max(number::signed_width(number));
            }
            _ => {}
        }
    }

    /// Takes an atom whose value is `signals`.
    pub(crate) fn add_atom(&mut self, term: Term, signals: &[Signal]) {
        self.atoms.push(Atom { term, signals: signals.to_vec() });
    }

    /// Whether there are atoms at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.atoms.is_empty()
    }

    /// The bits that the widest constant needs.
    pub(crate) fn constant_width(&self) -> usize {
        self.constant_width
    }

    /// Takes a bound that holds for good.
    pub(crate) fn restrict(&mut self, symbol: Term, interval: &Interval) {
        self.intervals.entry(symbol).or_default().intersect(interval);
    }

    /// Gives every atom its meaning at a width. Returns the guards to assume: that of the width, then the negations of
    /// the others; and the atoms that can overflow.
    pub(crate) fn define(
        &mut self,
        gates: &mut Gates,
        arena: &Terms,
        outer: &Words,
        width: usize,
        budget: &Budget,
    ) -> Result<Guards, Unknown> {
        let place = match self.generations.iter().position(|generation| generation.width == width) {
            Some(place) => place,
            None => {
                let guard = gates.input();
                self.generations.push(Generation {
                    width,
                    guard,
                    defined: 0,
                    numbers: FxHashMap::default(),
                    overflows: Vec::new(),
                });
                self.generations.len() - 1
            }
        };
        self.current = place;
        while self.generations[place].defined < self.atoms.len() {
            self.define_atom(gates, arena, outer, place, budget)?;
        }
        let others = self.generations.iter().filter(|generation| generation.width != width);
        Ok(Guards {
            guard: self.generations[place].guard,
            others: others.map(|generation| !generation.guard).collect(),
            overflows: self.generations[place].overflows.clone(),
        })
    }

    fn define_atom(
        &mut self,
        gates: &mut Gates,
        arena: &Terms,
        outer: &Words,
        place: usize,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        let generation = &mut self.generations[place];
        let atom = &self.atoms[generation.defined];
        for &arg in arena.args(atom.term) {
            let leaves = Leaves { words: &mut self.leaves, intervals: &self.intervals };
            generation.encode(gates, arena, outer, leaves, arg, budget)?;
        }
        let numbers: Vec<&Number> = arena.args(atom.term).iter().map(|arg| &generation.numbers[arg]).collect();
        let meaning = match (arena.op(atom.term), &*numbers) {
            (Op::Eq, [left, right]) => vec![left.equal(gates, right)],
            (Op::Le, [left, right]) => vec![!right.less(gates, left)],
            (Op::IntToBv, [only]) => bits::sign_extend(&only.word, atom.signals.len()),
            (other, _) => unreachable!("the first pass leaves no atoms `{}` of integers", other.name()),
        };
        let overflows: Word = numbers.iter().map(|number| number.overflow).collect();
        let overflow = gates.any(&overflows);
        let guard = generation.guard;
        for (&signal, &bit) in atom.signals.iter().zip(&meaning) {
            gates.clause(&[!guard, overflow, !signal, bit]);
            gates.clause(&[!guard, overflow, signal, !bit]);
        }
        if overflow != Signal::FALSE {
            generation.overflows.push((atom.term, overflow));
        }
        generation.defined += 1;
        Ok(())
    }

    /// The values of the symbols in the current model, at the width defined last.
    pub(crate) fn values(&self, gates: &mut Gates) -> Vec<(Term, Value)> {
        let Some(generation) = self.generations.get(self.current) else { return Vec::new() };
        let encoded = self.symbols.iter().filter_map(|symbol| Some((*symbol, generation.numbers.get(symbol)?)));
        encoded.map(|(symbol, number)| (symbol, Value::Int(number.value(gates)))).collect()
    }
}

/// What to assume at a width.
pub(crate) struct Guards {
    pub(crate) guard: Signal,
    /// The guards of all other widths, negated.
    pub(crate) others: Vec<Signal>,
    pub(crate) overflows: Vec<(Term, Signal)>,
}

struct Leaves<'a> {
    words: &'a mut FxHashMap<Term, Word>,
    intervals: &'a FxHashMap<Term, Interval>,
}

impl Leaves<'_> {
    /// The word of a symbol at a width: its lowest bits, made as needed, and preferably zero.
    fn number(&mut self, gates: &mut Gates, symbol: Term, width: usize) -> Number {
        let (low, high) = self.interval(symbol, width);
        let word = self.words.entry(symbol).or_default();
        let needed = number::width_of(&low, &high);
        while word.len() < needed {
            word.push(gates.digit());
        }
        Number { word: word[..needed].to_vec(), low, high, overflow: Signal::FALSE }
    }

    fn interval(&self, symbol: Term, width: usize) -> (IBig, IBig) {
        let high = (IBig::ONE << (width - 1)) - IBig::ONE;
        let low = -(IBig::ONE << (width - 1));
        let known = self.intervals.get(&symbol);
        let low_known = known.and_then(|interval| interval.low.clone()).unwrap_or_else(|| low.clone());
        let high_known = known.and_then(|interval| interval.high.clone()).unwrap_or_else(|| high.clone());
        let inside = (low.clone().max(low_known), high.clone().min(high_known));
        if inside.0 <= inside.1 { inside } else { (low, high) }
    }
}

impl Generation {
    fn encode(
        &mut self,
        gates: &mut Gates,
        arena: &Terms,
        outer: &Words,
        mut leaves: Leaves<'_>,
        root: Term,
        budget: &Budget,
    ) -> Result<(), Unknown> {
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.numbers.contains_key(&term) {
                open.pop();
                continue;
            }
            let before = open.len();
            let inner = integer_args(arena, term);
            open.extend(inner.iter().filter(|arg| !self.numbers.contains_key(arg)));
            if open.len() == before {
                open.pop();
                if let Some(reason) = budget.spent() {
                    return Err(reason);
                }
                let number = match arena.op(term) {
                    Op::Symbol => leaves.number(gates, term, self.width),
                    _ => self.step(gates, arena, outer, term),
                };
                self.numbers.insert(term, number);
            }
        }
        Ok(())
    }

    fn step(&self, gates: &mut Gates, arena: &Terms, outer: &Words, term: Term) -> Number {
        let args = arena.args(term);
        let number = |place: usize| &self.numbers[&args[place]];
        let widest = 2 * self.width + 16;
        let fold = |gates: &mut Gates, apply: fn(&mut Gates, &Number, &Number) -> Number| {
            args[1..]
                .iter()
                .fold(number(0).clone(), |left, right| apply(gates, &left, &self.numbers[right]).limited(gates, widest))
        };
        match arena.op(term) {
            Op::Constant => match arena.value(term) {
                Some(Value::Int(value)) => Number::constant(value),
                _ => unreachable!("an integer constant has an integer value"),
            },
            Op::Neg => Number::constant(&IBig::ZERO).minus(gates, number(0)).limited(gates, widest),
            Op::Add => fold(gates, |gates, left, right| left.plus(gates, right)),
            Op::Sub => fold(gates, |gates, left, right| left.minus(gates, right)),
            Op::Mul => fold(gates, |gates, left, right| left.times(gates, right)),
            Op::Div => number(0).divide(gates, number(1)).0.limited(gates, widest),
            Op::Mod => number(0).divide(gates, number(1)).1.limited(gates, widest),
            Op::Abs => number(0).magnitude(gates).limited(gates, widest),
            Op::Ite => {
                let then = number(1).clone().within(&known(arena, args[0], true, args[1]));
                let otherwise = number(2).clone().within(&known(arena, args[0], false, args[2]));
                Number::choose(gates, outer.signal(args[0]), &then, &otherwise)
            }
            Op::BvToNat => Number::natural(outer.get(arena, args[0])),
            other => unreachable!("the first pass leaves no integers by `{}`", other.name()),
        }
    }
}

/// What a condition, or its negation, says about an integer if it compares just that with a constant: `x` lies below 8 where
/// `if x <= 7 then x else 8` chooses it, and the choice needs no more bits than that.
fn known(arena: &Terms, mut condition: Term, mut holds: bool, about: Term) -> Interval {
    while arena.op(condition) == Op::Not {
        condition = arena.args(condition)[0];
        holds = !holds;
    }
    let mut interval = Interval::default();
    let (Op::Le, &[left, right]) = (arena.op(condition), arena.args(condition)) else { return interval };
    match (holds, arena.value(left), arena.value(right)) {
        (true, _, Some(Value::Int(most))) if left == about => interval.high = Some(most.clone()),
        (true, Some(Value::Int(least)), _) if right == about => interval.low = Some(least.clone()),
        (false, _, Some(Value::Int(less))) if left == about => interval.low = Some(less + IBig::ONE),
        (false, Some(Value::Int(more)), _) if right == about => interval.high = Some(more - IBig::ONE),
        _ => {}
    }
    interval
}

/// The arguments of an integer term that are integers.
fn integer_args(arena: &Terms, term: Term) -> &[Term] {
    match arena.op(term) {
        Op::Ite => &arena.args(term)[1..],
        Op::BvToNat => &[],
        _ => arena.args(term),
    }
}
