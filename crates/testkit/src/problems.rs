//! Families of solver problems with a size, for benchmarks and tests. Every builder returns facts to solve together.

use smt::{Op, Term, Terms};
use value::{BitVec, Sort, UBig, Value};

/// A problem and its answer.
pub struct Problem {
    /// What the problem is called.
    pub name: String,
    /// The facts.
    pub facts: Vec<Term>,
    /// Whether there is a model.
    pub satisfiable: bool,
}

/// A family of problems: its name, the builder, the sizes worth measuring.
pub type Family = (&'static str, fn(&mut Terms, u32) -> Problem, &'static [u32]);

/// The families, with sizes that take a good solver between milliseconds and some seconds.
pub const FAMILIES: &[Family] = &[
    ("multiplier", multiplier_commutes, &[6, 7, 8]),
    ("distributive", multiplication_distributes, &[4, 5, 6]),
    ("factoring", factoring, &[24, 28, 32, 36]),
    ("sorting", sorting_networks_agree, &[4, 5, 6]),
    ("collatz", collatz, &[10, 20, 30]),
    ("division", division_identity, &[6, 8, 10]),
    ("popcount", population_counts_agree, &[8, 16, 32]),
    ("bubble", bubble_sort_sorts, &[3, 4, 5]),
    ("counter", integer_counter, &[30, 60, 122]),
];

fn constant(terms: &mut Terms, width: u32, bits: u64) -> Term {
    terms.constant(Value::BitVec(BitVec::new(width, UBig::from(bits))))
}

/// Two multipliers built differently, one as an operator and one as a sum of rows, differ at no input of `width` bits.
pub fn multiplier_commutes(terms: &mut Terms, width: u32) -> Problem {
    let sort = Sort::BitVec(width);
    let (x, y) = (terms.symbol("x", &sort), terms.symbol("y", &sort));
    let product = terms.app(Op::BvMul, &[x, y]);
    let mut sum = constant(terms, width, 0);
    for bit in 0..width {
        let chosen = terms.indexed(Op::Extract, [bit, bit], &[x]);
        let one = constant(terms, 1, 1);
        let set = terms.eq(chosen, one);
        let amount = constant(terms, width, u64::from(bit));
        let shifted = terms.app(Op::BvShl, &[y, amount]);
        let zero = constant(terms, width, 0);
        let row = terms.ite(set, shifted, zero);
        sum = terms.app(Op::BvAdd, &[row, sum]);
    }
    // The rows run over the other factor than a multiplier that runs over its second argument.
    let differ = terms.app(Op::Distinct, &[product, sum]);
    Problem { name: format!("multiplier {width}"), facts: vec![differ], satisfiable: false }
}

/// `x * (y + z) = x * y + x * z`.
pub fn multiplication_distributes(terms: &mut Terms, width: u32) -> Problem {
    let sort = Sort::BitVec(width);
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.symbol(name, &sort));
    let sum = terms.app(Op::BvAdd, &[y, z]);
    let left = terms.app(Op::BvMul, &[x, sum]);
    let (xy, xz) = (terms.app(Op::BvMul, &[x, y]), terms.app(Op::BvMul, &[x, z]));
    let right = terms.app(Op::BvAdd, &[xy, xz]);
    let differ = terms.app(Op::Distinct, &[left, right]);
    Problem { name: format!("distributive {width}"), facts: vec![differ], satisfiable: false }
}

/// Two factors, neither of them 1, of the product of two primes; `width` is that of the product.
pub fn factoring(terms: &mut Terms, width: u32) -> Problem {
    let half = width / 2;
    let product = largest_prime_below((1 << half) / 7 * 6) * largest_prime_below((1 << half) / 11 * 9);
    let sort = Sort::BitVec(half);
    let (x, y) = (terms.symbol("x", &sort), terms.symbol("y", &sort));
    let wide = [x, y].map(|factor| terms.indexed(Op::ZeroExtend, [width - half, 0], &[factor]));
    let multiplied = terms.app(Op::BvMul, &wide);
    let product = constant(terms, width, product);
    let equal = terms.eq(multiplied, product);
    let one = constant(terms, half, 1);
    let proper = [x, y].map(|factor| terms.app(Op::BvUgt, &[factor, one]));
    let ordered = terms.app(Op::BvUle, &[x, y]);
    Problem { name: format!("factoring {width}"), facts: vec![equal, proper[0], proper[1], ordered], satisfiable: true }
}

fn largest_prime_below(bound: u64) -> u64 {
    let is_prime = |number: &u64| (2..*number).take_while(|d| d * d <= *number).all(|d| !number.is_multiple_of(d));
    (2..bound).rev().find(is_prime).expect("there is a prime from 2 on")
}

/// Bubble sort and odd-even transposition sort of `count` bytes agree.
pub fn sorting_networks_agree(terms: &mut Terms, count: u32) -> Problem {
    let inputs: Vec<Term> = (0..count).map(|i| terms.symbol(&format!("x{i}"), &Sort::BitVec(8))).collect();
    let mut bubble = inputs.clone();
    for end in (1..bubble.len()).rev() {
        for place in 0..end {
            exchange(terms, &mut bubble, place);
        }
    }
    let mut transposed = inputs;
    for round in 0..transposed.len() {
        for place in (round % 2..transposed.len() - 1).step_by(2) {
            exchange(terms, &mut transposed, place);
        }
    }
    let differ: Vec<Term> = bubble.iter().zip(&transposed).map(|(&a, &b)| terms.app(Op::Distinct, &[a, b])).collect();
    let differ = terms.or(&differ);
    Problem { name: format!("sorting {count}"), facts: vec![differ], satisfiable: false }
}

fn exchange(terms: &mut Terms, values: &mut [Term], place: usize) {
    let (low, high) = (values[place], values[place + 1]);
    let ordered = terms.app(Op::BvUle, &[low, high]);
    values[place] = terms.ite(ordered, low, high);
    values[place + 1] = terms.ite(ordered, high, low);
}

/// A number of 32 bits that reaches 1 in exactly `steps` Collatz steps, not before.
pub fn collatz(terms: &mut Terms, steps: u32) -> Problem {
    let sort = Sort::BitVec(32);
    let [zero, one, three] = [0, 1, 3].map(|number| constant(terms, 32, number));
    let mut value = terms.symbol("start", &sort);
    let limit = constant(terms, 32, 1 << 24);
    let mut facts = Vec::new();
    for _ in 0..steps {
        facts.push(terms.app(Op::Distinct, &[value, one]));
        facts.push(terms.app(Op::BvUlt, &[value, limit]));
        let low = terms.indexed(Op::Extract, [0, 0], &[value]);
        let bit = constant(terms, 1, 0);
        let even = terms.eq(low, bit);
        let half = terms.app(Op::BvLshr, &[value, one]);
        let triple = terms.app(Op::BvMul, &[three, value]);
        let odd = terms.app(Op::BvAdd, &[triple, one]);
        value = terms.ite(even, half, odd);
    }
    facts.push(terms.eq(value, one));
    facts.push(terms.app(Op::Distinct, &[value, zero]));
    Problem { name: format!("collatz {steps}"), facts, satisfiable: true }
}

/// `(x / y) * y + x % y = x` for all `y` but zero.
pub fn division_identity(terms: &mut Terms, width: u32) -> Problem {
    let sort = Sort::BitVec(width);
    let (x, y) = (terms.symbol("x", &sort), terms.symbol("y", &sort));
    let zero = constant(terms, width, 0);
    let nonzero = terms.app(Op::Distinct, &[y, zero]);
    let (quotient, rest) = (terms.app(Op::BvUdiv, &[x, y]), terms.app(Op::BvUrem, &[x, y]));
    let product = terms.app(Op::BvMul, &[quotient, y]);
    let sum = terms.app(Op::BvAdd, &[product, rest]);
    let differ = terms.app(Op::Distinct, &[sum, x]);
    Problem { name: format!("division {width}"), facts: vec![nonzero, differ], satisfiable: false }
}

/// Counting bits one by one, and by clearing the lowest one again and again, gives the same.
pub fn population_counts_agree(terms: &mut Terms, width: u32) -> Problem {
    let x = terms.symbol("x", &Sort::BitVec(width));
    let [zero, one] = [0, 1].map(|number| constant(terms, width, number));
    let (mut by_bit, mut cleared, mut by_clearing) = (zero, x, zero);
    for bit in 0..width {
        let low = terms.indexed(Op::Extract, [bit, bit], &[x]);
        let digit = if width == 1 { low } else { terms.indexed(Op::ZeroExtend, [width - 1, 0], &[low]) };
        by_bit = terms.app(Op::BvAdd, &[by_bit, digit]);
        let done = terms.eq(cleared, zero);
        let below = terms.app(Op::BvSub, &[cleared, one]);
        let next = terms.app(Op::BvAnd, &[cleared, below]);
        let more = terms.app(Op::BvAdd, &[by_clearing, one]);
        by_clearing = terms.ite(done, by_clearing, more);
        cleared = terms.ite(done, cleared, next);
    }
    let differ = terms.app(Op::Distinct, &[by_bit, by_clearing]);
    Problem { name: format!("popcount {width}"), facts: vec![differ], satisfiable: false }
}

/// Bubble sort of an array of `count` bytes, by reads and writes at constant places, leaves it in order and keeps the
/// element at a free place somewhere.
pub fn bubble_sort_sorts(terms: &mut Terms, count: u32) -> Problem {
    let (index, element) = (Sort::BitVec(32), Sort::BitVec(8));
    let start = terms.symbol("memory", &Sort::array(index.clone(), element));
    let base = terms.symbol("base", &index);
    let places: Vec<Term> = (0..count)
        .map(|offset| {
            let offset = constant(terms, 32, u64::from(offset));
            terms.app(Op::BvAdd, &[base, offset])
        })
        .collect();
    let mut memory = start;
    for end in (1..places.len()).rev() {
        for pair in places[..=end].windows(2) {
            let [low, high] = [pair[0], pair[1]].map(|place| terms.app(Op::Select, &[memory, place]));
            let ordered = terms.app(Op::BvUle, &[low, high]);
            let (first, second) = (terms.ite(ordered, low, high), terms.ite(ordered, high, low));
            memory = terms.app(Op::Store, &[memory, pair[0], first]);
            memory = terms.app(Op::Store, &[memory, pair[1], second]);
        }
    }
    let sorted: Vec<Term> = places.iter().map(|&place| terms.app(Op::Select, &[memory, place])).collect();
    let mut wrong: Vec<Term> = sorted.windows(2).map(|pair| terms.app(Op::BvUgt, &[pair[0], pair[1]])).collect();
    let free = terms.symbol("free", &Sort::BitVec(32));
    let inside: Vec<Term> = places.iter().map(|&place| terms.eq(place, free)).collect();
    let inside = terms.or(&inside);
    let original = terms.app(Op::Select, &[start, free]);
    let mut lost: Vec<Term> = sorted.iter().map(|&kept| terms.app(Op::Distinct, &[kept, original])).collect();
    lost.push(inside);
    wrong.push(terms.and(&lost));
    let wrong = terms.or(&wrong);
    Problem { name: format!("bubble {count}"), facts: vec![wrong], satisfiable: false }
}

/// An integer counter that goes up by 1, or back by 3 on a free switch, reaches 10 at the last of `steps` steps without
/// ever being negative.
pub fn integer_counter(terms: &mut Terms, steps: u32) -> Problem {
    let [zero, one, three, ten] = [0, 1, 3, 10].map(|number| terms.int(number));
    let mut value = zero;
    let mut facts = Vec::new();
    for step in 0..steps {
        let back = terms.symbol(&format!("back{step}"), &Sort::Bool);
        let (up, down) = (terms.app(Op::Add, &[value, one]), terms.app(Op::Sub, &[value, three]));
        let next = terms.ite(back, down, up);
        value = terms.symbol(&format!("value{step}"), &Sort::Int);
        facts.push(terms.eq(value, next));
        facts.push(terms.app(Op::Ge, &[value, zero]));
    }
    facts.push(terms.eq(value, ten));
    // Every step back costs four: 10 is reached exactly if the steps and 10 agree modulo 4.
    Problem { name: format!("counter {steps}"), facts, satisfiable: 10 <= steps && (steps - 10).is_multiple_of(4) }
}
