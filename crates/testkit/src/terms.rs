//! Random well-sorted terms and models, grown from a sequence of choices so that failures shrink.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;
use random::SplitMix;
use smt::{Model, Op, SortId, Term, Terms, Theories};
use value::{ArrayValue, BitVec, EnumValue, IBig, RBig, Sort, UBig, Value};

/// A finite sequence of choices. Where it ends, every further choice is the first one, so a shorter sequence makes a
/// smaller term.
#[derive(Clone, Debug)]
pub struct Choices {
    bytes: Vec<u8>,
    at: usize,
}

impl Choices {
    /// The choices these bytes make.
    pub fn new(bytes: Vec<u8>) -> Choices {
        Choices { bytes, at: 0 }
    }

    /// `count` choices drawn from a seed.
    pub fn seeded(seed: u64, count: usize) -> Choices {
        let mut random = SplitMix::new(seed);
        Choices::new((0..count).map(|_| (random.bits() >> 56) as u8).collect())
    }

    /// Whether all choices were made.
    pub fn is_spent(&self) -> bool {
        self.bytes.len() <= self.at
    }

    /// A number below `count`, which is positive.
    pub fn below(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte as usize % count
    }

    /// One of the items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Sequences of up to `most` choices, for `proptest`.
pub fn choices(most: usize) -> impl Strategy<Value = Choices> {
    proptest::collection::vec(any::<u8>(), 0..most).prop_map(Choices::new)
}

/// Every theory there is.
pub const ALL_THEORIES: Theories =
    Theories { integers: true, reals: true, nonlinear: true, bit_vectors: true, arrays: true, enumerations: true };

/// Terms by sort, arguments before what is made of them.
pub struct Pool {
    theories: Theories,
    by_sort: BTreeMap<SortId, Vec<Term>>,
}

impl Pool {
    /// Grows terms of these theories until the choices are spent.
    pub fn grow(terms: &mut Terms, theories: Theories, choices: &mut Choices) -> Pool {
        Pool::themed(terms, theories, &sorts(theories), Op::ALL, choices)
    }

    /// Grows terms from symbols of a few sorts by a few operators, so that these meet often.
    pub fn themed(terms: &mut Terms, theories: Theories, sorts: &[Sort], ops: &[Op], choices: &mut Choices) -> Pool {
        let mut pool = Pool { theories, by_sort: BTreeMap::new() };
        for sort in sorts {
            let id = terms.intern_sort(sort);
            let names = if *sort == Sort::Bool { ["p", "q"] } else { ["x", "y"] };
            for name in names {
                let symbol = terms.symbol(&format!("{name}.{}", id.index()), sort);
                pool.by_sort.entry(id).or_default().push(symbol);
            }
            let constant = terms.constant(random_value(choices, sort));
            pool.by_sort.entry(id).or_default().push(constant);
        }
        while !choices.is_spent() {
            let op = *choices.pick(ops);
            if let Some(term) = pool.application(terms, choices, op) {
                let known = pool.by_sort.entry(terms.sort_id(term)).or_default();
                known.push(term);
            }
        }
        pool
    }

    /// The terms of a sort, oldest first.
    pub fn of(&self, sort: SortId) -> &[Term] {
        self.by_sort.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// All terms.
    pub fn all(&self) -> impl Iterator<Item = Term> {
        self.by_sort.values().flatten().copied()
    }

    /// The last Boolean terms, at most this many: the largest ones.
    pub fn facts(&self, most: usize) -> Vec<Term> {
        self.of(SortId::BOOL).iter().rev().take(most).copied().collect()
    }

    fn any(&self, choices: &mut Choices) -> SortId {
        let sorts: Vec<_> = self.by_sort.keys().copied().collect();
        *choices.pick(&sorts)
    }

    /// A term of a sort, the recent ones more often.
    fn one(&self, choices: &mut Choices, sort: SortId) -> Option<Term> {
        let known = self.by_sort.get(&sort).filter(|known| !known.is_empty())?;
        let back = choices.below(known.len()).min(choices.below(known.len()));
        Some(known[known.len() - 1 - back])
    }

    fn several(&self, choices: &mut Choices, sort: SortId, count: usize) -> Option<Vec<Term>> {
        (0..count).map(|_| self.one(choices, sort)).collect()
    }

    fn where_sort(&self, terms: &Terms, choices: &mut Choices, fits: impl Fn(&Sort) -> bool) -> Option<SortId> {
        let sorts: Vec<_> = self.by_sort.keys().copied().filter(|&sort| fits(terms.sort_at(sort))).collect();
        (!sorts.is_empty()).then(|| *choices.pick(&sorts))
    }

    fn application(&mut self, terms: &mut Terms, choices: &mut Choices, op: Op) -> Option<Term> {
        let bits = |sort: &Sort| matches!(sort, Sort::BitVec(_));
        let number = |sort: &Sort| sort.is_numeric();
        let (indices, args) = match op {
            Op::Constant => {
                let sort = self.any(choices);
                let sort = terms.sort_at(sort).clone();
                return Some(terms.constant(random_value(choices, &sort)));
            }
            Op::Symbol => return None,
            Op::Not => ([0, 0], self.several(choices, SortId::BOOL, 1)?),
            Op::And | Op::Or => {
                let count = 2 + choices.below(4);
                ([0, 0], self.several(choices, SortId::BOOL, count)?)
            }
            Op::Xor | Op::Implies => ([0, 0], self.several(choices, SortId::BOOL, 2)?),
            Op::Eq => {
                let sort = self.any(choices);
                ([0, 0], self.several(choices, sort, 2)?)
            }
            Op::Distinct => {
                let (sort, count) = (self.any(choices), 2 + choices.below(3));
                ([0, 0], self.several(choices, sort, count)?)
            }
            Op::Ite => {
                let sort = self.any(choices);
                let mut args = self.several(choices, SortId::BOOL, 1)?;
                args.extend(self.several(choices, sort, 2)?);
                ([0, 0], args)
            }
            Op::Neg => {
                let sort = self.where_sort(terms, choices, number)?;
                ([0, 0], self.several(choices, sort, 1)?)
            }
            Op::Add => {
                let (sort, count) = (self.where_sort(terms, choices, number)?, 2 + choices.below(3));
                ([0, 0], self.several(choices, sort, count)?)
            }
            Op::Sub | Op::Lt | Op::Le | Op::Gt | Op::Ge => {
                let sort = self.where_sort(terms, choices, number)?;
                ([0, 0], self.several(choices, sort, 2)?)
            }
            Op::Mul => {
                let sort = self.where_sort(terms, choices, number)?;
                let mut args = self.several(choices, sort, 2)?;
                if !self.theories.nonlinear {
                    args[1] = terms.constant(random_value(choices, &terms.sort_at(sort).clone()));
                }
                ([0, 0], args)
            }
            Op::Div | Op::Mod | Op::Divide => {
                let sort = if op == Op::Divide { SortId::REAL } else { SortId::INT };
                let mut args = self.several(choices, sort, 2)?;
                if !self.theories.nonlinear {
                    let divisor = IBig::from(*choices.pick(&[2, 3, -2, 7, 1]));
                    let real = Value::Real(RBig::from(divisor.clone()));
                    args[1] = terms.constant(if op == Op::Divide { real } else { Value::Int(divisor) });
                }
                ([0, 0], args)
            }
            Op::Abs | Op::ToReal if op == Op::Abs || self.theories.reals => {
                ([0, 0], self.several(choices, SortId::INT, 1)?)
            }
            Op::Abs | Op::ToReal => return None,
            Op::Divisible => ([*choices.pick(&[2, 1, 3, 10]), 0], self.several(choices, SortId::INT, 1)?),
            Op::ToInt | Op::IsInt if !self.theories.integers => return None,
            Op::ToInt | Op::IsInt => ([0, 0], self.several(choices, SortId::REAL, 1)?),
            Op::BvNot | Op::BvNeg => {
                let sort = self.where_sort(terms, choices, bits)?;
                ([0, 0], self.several(choices, sort, 1)?)
            }
            Op::Concat => {
                let narrow = |sort: &Sort| matches!(sort, Sort::BitVec(width) if *width <= 8);
                let (high, low) = (self.where_sort(terms, choices, narrow)?, self.where_sort(terms, choices, narrow)?);
                ([0, 0], vec![self.one(choices, high)?, self.one(choices, low)?])
            }
            Op::Extract | Op::RotateLeft | Op::RotateRight => {
                let sort = self.where_sort(terms, choices, bits)?;
                let arg = self.one(choices, sort)?;
                let width = terms.width(arg).expect("a bit-vector has a width") as usize;
                let low = choices.below(width);
                let high = low + choices.below(width - low);
                (if op == Op::Extract { [high as u32, low as u32] } else { [2 * high as u32, 0] }, vec![arg])
            }
            Op::Repeat | Op::ZeroExtend | Op::SignExtend => {
                let narrow = |sort: &Sort| matches!(sort, Sort::BitVec(width) if *width <= 5);
                let sort = self.where_sort(terms, choices, narrow)?;
                ([1 + choices.below(3) as u32, 0], self.several(choices, sort, 1)?)
            }
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvNand
            | Op::BvNor
            | Op::BvXnor
            | Op::BvComp
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr
            | Op::BvUlt
            | Op::BvUle
            | Op::BvUgt
            | Op::BvUge
            | Op::BvSlt
            | Op::BvSle
            | Op::BvSgt
            | Op::BvSge => {
                let sort = self.where_sort(terms, choices, bits)?;
                ([0, 0], self.several(choices, sort, 2)?)
            }
            Op::Select | Op::Store | Op::ConstArray => {
                let array = self.where_sort(terms, choices, |sort| matches!(sort, Sort::Array(_)))?;
                let Sort::Array(parts) = terms.sort_at(array).clone() else { return None };
                let (index, element) = (terms.intern_sort(&parts.0), terms.intern_sort(&parts.1));
                match op {
                    Op::Select => ([0, 0], vec![self.one(choices, array)?, self.one(choices, index)?]),
                    Op::Store => {
                        let places = [array, index, element];
                        ([0, 0], places.iter().map(|&sort| self.one(choices, sort)).collect::<Option<_>>()?)
                    }
                    _ => ([array.index() as u32, 0], self.several(choices, element, 1)?),
                }
            }
            Op::BvToNat | Op::IntToBv if !self.theories.integers || !self.theories.nonlinear => return None,
            Op::BvToNat => {
                let sort = self.where_sort(terms, choices, bits)?;
                ([0, 0], self.several(choices, sort, 1)?)
            }
            Op::IntToBv if !self.theories.bit_vectors => return None,
            Op::IntToBv => ([1 + choices.below(8) as u32, 0], self.several(choices, SortId::INT, 1)?),
        };
        Some(terms.indexed(op, indices, &args))
    }
}

/// The sorts terms are grown from.
fn sorts(theories: Theories) -> Vec<Sort> {
    let color = || Sort::enumeration("Color", ["red", "green", "blue"].map(String::from).to_vec());
    let mut sorts = vec![Sort::Bool];
    sorts.extend(theories.integers.then_some(Sort::Int));
    sorts.extend(theories.reals.then_some(Sort::Real));
    if theories.bit_vectors {
        sorts.extend([1, 3, 4, 8].map(Sort::BitVec));
    }
    sorts.extend(theories.enumerations.then(color));
    if theories.arrays {
        sorts.extend(theories.integers.then(|| Sort::array(Sort::Int, Sort::Int)));
        sorts.extend(theories.bit_vectors.then(|| Sort::array(Sort::BitVec(3), Sort::BitVec(4))));
        sorts.extend(theories.bit_vectors.then(|| Sort::array(Sort::BitVec(1), Sort::Bool)));
        if theories.enumerations && theories.bit_vectors {
            sorts.push(Sort::array(color(), Sort::BitVec(3)));
        }
    }
    sorts
}

/// A value of a sort, small ones and corner cases preferred.
pub fn random_value(choices: &mut Choices, sort: &Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(choices.below(2) == 1),
        Sort::Int => Value::int(*choices.pick(&[0, 1, -1, 2, 3, -2, 5, -7, 10, 255, 256, -1000])),
        Sort::Real => {
            let numerator = *choices.pick(&[0, 1, -1, 2, 3, -5, 7, 100]);
            Value::Real(RBig::from_parts(IBig::from(numerator), UBig::from(*choices.pick(&[1u8, 2, 3, 10]))))
        }
        Sort::BitVec(width) => {
            let top = UBig::ONE << (*width as usize - 1);
            let bits = match choices.below(6) {
                0 => UBig::ZERO,
                1 => UBig::ONE,
                2 => UBig::ones(*width as usize),
                3 => top,
                4 => top - UBig::ONE,
                _ => (0..width.div_ceil(8)).fold(UBig::ZERO, |bits, _| (bits << 8) + UBig::from(choices.below(256))),
            };
            Value::BitVec(BitVec::new(*width, bits))
        }
        Sort::Enum(sort) => {
            let index = choices.below(sort.variants.len()) as u32;
            Value::Enum(EnumValue { sort: sort.clone(), index })
        }
        Sort::Array(parts) => {
            let default = random_value(choices, &parts.1);
            let count = choices.below(4);
            let entry = |_| (random_value(choices, &parts.0), random_value(choices, &parts.1));
            let entries = (0..count).map(entry).collect();
            Value::Array(Arc::new(ArrayValue::new(parts.0.clone(), parts.1.clone(), default, entries)))
        }
    }
}

/// A model with a value for every symbol of the arena.
pub fn random_model(terms: &Terms, choices: &mut Choices) -> Model {
    let mut model = Model::new();
    for term in (0..terms.len()).map(|index| terms.at(index)) {
        if terms.op(term) == Op::Symbol {
            model.insert(term, random_value(choices, terms.sort(term)));
        }
    }
    model
}
