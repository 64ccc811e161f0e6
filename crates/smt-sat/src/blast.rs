//! From the reduced terms to gates: the second pass. Truth values, bit-vectors and enumerations become words of
//! signals here; comparisons of numbers become free signals that [`crate::int`] and [`crate::rank`] give a meaning.

use smt::{Op, Term, Terms, Unknown};
use value::{BitVec, EnumValue, Sort, UBig, Value};

use crate::bits::{self, Fill, Word};
use crate::gate::{Gates, Signal};
use crate::int::Integers;
use crate::rank::Ranks;
use crate::sat::{Budget, Sat};

/// How many terms are blasted between looks at the budget.
const PATIENCE: usize = 256;

/// What is said when there would be more gates than there may be.
pub const NO_ROOM: &str = "the formula takes more memory than it may";

/// The second pass, with all it has seen.
pub(crate) struct Blaster {
    pub(crate) gates: Gates,
    pub(crate) words: Words,
    pub(crate) integers: Integers,
    pub(crate) ranks: Ranks,
    /// The symbols blasted that are neither integers nor reals.
    symbols: Vec<Term>,
    /// At most about so many gates are made.
    pub(crate) room: usize,
}

/// The signals of the terms that are not numbers.
#[derive(Default)]
pub(crate) struct Words {
    /// For every term one more than the place of its first signal, or zero.
    places: Vec<u32>,
    signals: Word,
}

impl Words {
    /// The signals of a blasted term, the least significant first.
    pub(crate) fn get(&self, arena: &Terms, term: Term) -> &[Signal] {
        let start = self.places[term.index()] as usize - 1;
        &self.signals[start..start + width(arena.sort(term))]
    }

    /// The signal of a blasted truth value.
    pub(crate) fn signal(&self, term: Term) -> Signal {
        self.signals[self.places[term.index()] as usize - 1]
    }

    fn has(&self, term: Term) -> bool {
        self.places[term.index()] != 0
    }

    fn set(&mut self, term: Term, word: &[Signal]) {
        self.places[term.index()] = u32::try_from(self.signals.len() + 1).expect("fewer than 2^32 signals");
        self.signals.extend_from_slice(word);
    }
}

/// The number of signals of a sort; numbers have their own encodings.
fn width(sort: &Sort) -> usize {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => *width as usize,
        Sort::Enum(sort) => (usize::BITS - (sort.variants.len() - 1).leading_zeros()) as usize,
        Sort::Int | Sort::Real | Sort::Array(_) => 0,
    }
}

impl Blaster {
    pub(crate) fn over(sat: Sat) -> Blaster {
        Blaster {
            gates: Gates::over(sat),
            words: Words::default(),
            integers: Integers::default(),
            ranks: Ranks::default(),
            symbols: Vec::new(),
            room: usize::MAX,
        }
    }

    /// Blasts everything below `root`, or stops when the budget is spent; what is done stays done.
    pub(crate) fn blast(&mut self, arena: &Terms, root: Term, budget: &Budget) -> Result<(), Unknown> {
        self.words.places.resize(arena.len(), 0);
        let mut open = vec![root];
        let mut steps = 0;
        while let Some(&term) = open.last() {
            if self.words.has(term) {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(arena.args(term).iter().filter(|&&arg| !self.words.has(arg)));
            if open.len() == before {
                open.pop();
                if self.room < self.gates.count() {
                    return Err(Unknown::Incomplete(NO_ROOM.into()));
                }
                let word = self.step(arena, term);
                self.words.set(term, &word);
                steps += 1;
                if steps % PATIENCE == 0
                    && let Some(reason) = budget.spent()
                {
                    return Err(reason);
                }
            }
        }
        Ok(())
    }

    /// The values of the symbols blasted, in the current model of the SAT solver.
    pub(crate) fn values(&mut self, arena: &Terms) -> Vec<(Term, Value)> {
        let mut values = Vec::with_capacity(self.symbols.len());
        for index in 0..self.symbols.len() {
            let symbol = self.symbols[index];
            let mut bits = UBig::ZERO;
            for (place, &signal) in self.words.get(arena, symbol).iter().enumerate() {
                if self.gates.value(signal) {
                    bits.set_bit(place);
                }
            }
            values.push((symbol, decode(arena.sort(symbol), bits)));
        }
        values.extend(self.integers.values(&mut self.gates));
        values.extend(self.ranks.values(&mut self.gates));
        values
    }

    fn step(&mut self, arena: &Terms, term: Term) -> Word {
        let args = arena.args(term);
        match arena.sort(term) {
            Sort::Int => {
                self.integers.saw(arena, term);
                return Vec::new();
            }
            Sort::Real => {
                self.ranks.saw(arena, term);
                return Vec::new();
            }
            Sort::Bool | Sort::BitVec(_) | Sort::Enum(_) => {}
            Sort::Array(_) => unreachable!("the first pass leaves no arrays"),
        }
        match (arena.op(term), args.first().map(|&arg| arena.sort(arg))) {
            (Op::Symbol, _) => self.symbol(arena, term),
            (Op::Constant, _) => constant(arena.value(term).expect("a constant has a value")),
            (_, Some(Sort::Int)) => {
                let word = bits::inputs(&mut self.gates, width(arena.sort(term)));
                self.integers.add_atom(term, &word);
                word
            }
            (_, Some(Sort::Real)) => {
                let truth = self.gates.input();
                self.ranks.add_atom(arena, term, truth);
                vec![truth]
            }
            _ => {
                let words: Vec<&[Signal]> = args.iter().map(|&arg| self.words.get(arena, arg)).collect();
                apply(&mut self.gates, arena.op(term), arena.indices(term), &words)
            }
        }
    }

    fn symbol(&mut self, arena: &Terms, term: Term) -> Word {
        let sort = arena.sort(term);
        let word: Word = match sort {
            Sort::Bool => vec![self.gates.input()],
            _ => (0..width(sort)).map(|_| self.gates.digit()).collect(),
        };
        if let Sort::Enum(sort) = sort
            && !sort.variants.len().is_power_of_two()
        {
            let last = bits::constant(word.len(), &UBig::from(sort.variants.len() - 1));
            let beyond = bits::unsigned_less(&mut self.gates, &last, &word);
            self.gates.clause(&[!beyond]);
        }
        self.symbols.push(term);
        word
    }
}

fn constant(value: &Value) -> Word {
    match value {
        Value::Bool(truth) => vec![Signal::constant(*truth)],
        Value::BitVec(pattern) => bits::constant(pattern.width() as usize, pattern.bits()),
        Value::Enum(variant) => bits::constant(width(&value.sort()), &UBig::from(variant.index)),
        Value::Int(_) | Value::Real(_) | Value::Array(_) => unreachable!("numbers have their own encodings"),
    }
}

fn decode(sort: &Sort, pattern: UBig) -> Value {
    match sort {
        Sort::Bool => Value::Bool(pattern != UBig::ZERO),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(*width, pattern)),
        Sort::Enum(sort) => {
            let index = u32::try_from(pattern).expect("the range of an enumeration is a clause");
            Value::Enum(EnumValue { sort: sort.clone(), index })
        }
        Sort::Int | Sort::Real | Sort::Array(_) => unreachable!("numbers have their own encodings"),
    }
}

/// The word of an operator whose arguments are words.
fn apply(gates: &mut Gates, op: Op, indices: [u32; 2], args: &[&[Signal]]) -> Word {
    let one = |index: usize| args[index][0];
    let index = indices[0] as usize;
    match op {
        Op::Not => vec![!one(0)],
        Op::And => {
            let signals: Word = args.iter().map(|arg| arg[0]).collect();
            vec![gates.all(&signals)]
        }
        Op::Or => {
            let signals: Word = args.iter().map(|arg| arg[0]).collect();
            vec![gates.any(&signals)]
        }
        Op::Xor => vec![gates.xor(one(0), one(1))],
        Op::Implies => vec![gates.or(!one(0), one(1))],
        Op::Eq | Op::BvComp => vec![bits::equal(gates, args[0], args[1])],
        Op::Distinct => {
            let mut different = Vec::new();
            for (place, left) in args.iter().enumerate() {
                for right in &args[place + 1..] {
                    different.push(!bits::equal(gates, left, right));
                }
            }
            vec![gates.all(&different)]
        }
        Op::Ite => bits::choose(gates, one(0), args[1], args[2]),
        Op::Concat => [args[1], args[0]].concat(),
        Op::Extract => args[0][indices[1] as usize..=index].to_vec(),
        Op::BvNot => bits::not(args[0]),
        Op::BvNeg => bits::negate(gates, args[0]),
        Op::BvAnd => bits::zip(gates, args[0], args[1], Gates::and),
        Op::BvOr => bits::zip(gates, args[0], args[1], Gates::or),
        Op::BvXor => bits::zip(gates, args[0], args[1], Gates::xor),
        Op::BvNand => bits::not(&bits::zip(gates, args[0], args[1], Gates::and)),
        Op::BvNor => bits::not(&bits::zip(gates, args[0], args[1], Gates::or)),
        Op::BvXnor => bits::zip(gates, args[0], args[1], Gates::iff),
        Op::BvAdd => bits::add(gates, args[0], args[1], Signal::FALSE),
        Op::BvSub => bits::subtract(gates, args[0], args[1]),
        Op::BvMul => bits::multiply(gates, args[0], args[1]),
        Op::BvUdiv => bits::unsigned_divide(gates, args[0], args[1]).0,
        Op::BvUrem => bits::unsigned_divide(gates, args[0], args[1]).1,
        Op::BvSdiv => bits::signed_quotient(gates, args[0], args[1]),
        Op::BvSrem => bits::signed_remainder(gates, args[0], args[1]),
        Op::BvSmod => bits::signed_modulo(gates, args[0], args[1]),
        Op::BvShl => bits::shift_left(gates, args[0], args[1]),
        Op::BvLshr => bits::shift_right(gates, args[0], args[1], Fill::Zero),
        Op::BvAshr => bits::shift_right(gates, args[0], args[1], Fill::Sign),
        Op::Repeat => args[0].repeat(index),
        Op::ZeroExtend => bits::zero_extend(args[0], args[0].len() + index),
        Op::SignExtend => bits::sign_extend(args[0], args[0].len() + index),
        Op::RotateLeft => rotated(args[0], args[0].len() - index % args[0].len()),
        Op::RotateRight => rotated(args[0], index % args[0].len()),
        Op::BvUlt => vec![bits::unsigned_less(gates, args[0], args[1])],
        Op::BvUle => vec![!bits::unsigned_less(gates, args[1], args[0])],
        Op::BvUgt => vec![bits::unsigned_less(gates, args[1], args[0])],
        Op::BvUge => vec![!bits::unsigned_less(gates, args[0], args[1])],
        Op::BvSlt => vec![bits::signed_less(gates, args[0], args[1])],
        Op::BvSle => vec![!bits::signed_less(gates, args[1], args[0])],
        Op::BvSgt => vec![bits::signed_less(gates, args[1], args[0])],
        Op::BvSge => vec![!bits::signed_less(gates, args[0], args[1])],
        Op::Constant | Op::Symbol => unreachable!("leaves are not applications"),
        Op::Neg
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Mod
        | Op::Abs
        | Op::Divide
        | Op::Lt
        | Op::Le
        | Op::Gt
        | Op::Ge
        | Op::Divisible
        | Op::ToReal
        | Op::ToInt
        | Op::IsInt
        | Op::BvToNat
        | Op::IntToBv => unreachable!("numbers have their own encodings"),
        Op::Select | Op::Store | Op::ConstArray => unreachable!("the first pass leaves no arrays"),
    }
}

/// The word rotated to the right.
fn rotated(word: &[Signal], distance: usize) -> Word {
    let mut rotated = word.to_vec();
    rotated.rotate_left(distance);
    rotated
}
