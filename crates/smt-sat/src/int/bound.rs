//! How many bits are enough: small-model theorems for integers.
//!
//! Take a model of the facts and assumptions. Keep all its truth values, bit-vectors and enumerations, the truth of
//! every comparison of integers, and the branch of every integer if-then-else. What is left for the integer symbols is
//! a conjunction of constraints, and any other solution of it is again a model. Three arguments give a small one.
//!
//! 1. *Bounded symbols.* If facts of the form `c <= x` and `x <= c` bound every symbol, all models are small.
//! 2. *Differences.* If every constraint is `x - y <= c` or `x <= c` (an equality is two of them; of a disequality we
//!    keep the side that holds), let `n` be the number of variables and `C` the greatest `|c|`. Read `x - y <= c` as an
//!    edge from `y` to `x` of length `c`, `x <= c` as an edge from an extra node `0`. A solution exists, so there is no
//!    negative cycle. Let `d(v)` be the least length of any path that ends in `v`, the empty one included. Such a path
//!    need not visit a node twice, so it has at most `n` edges and `-n*C <= d(v) <= 0`. Then `x = d(x) - d(0)` is a
//!    solution with `|x| <= n*C`. (This is the range that Bryant, Lahiri and Seshia, CAV 2002, give for separation
//!    logic, up to sharper counting.)
//! 3. *Linear constraints.* Papadimitriou, "On the complexity of integer programming", J. ACM 28(4), 1981: if
//!    `A x = b` has a solution in the natural numbers, where `A` has `m` rows and `n` columns and all entries of `A` and
//!    `b` are at most `a` in absolute value, then it has one with all `x` at most `n * (m*a)^(2m+1)`. A symbol is the
//!    difference of two naturals and an inequality has a slack, so `v` variables are `n = 2v + m` columns.
//!
//! Terms that are not linear become variables with constraints: an if-then-else equals one of its branches; `abs` its
//! argument or the negation, whose sign is kept; a quotient and a remainder by a constant are `t = k*q + r` with
//! `0 <= r < |k|`; `bv2nat` equals a constant below two to the width, `int2bv` is a quotient by a power of two. Counting
//! constraints that are not all present at once only raises the bound. With a product of variables, or a division by
//! one, nothing is bounded unless the first argument applies.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smt::{Op, Term, Terms};
use value::{IBig, Sort, Value};

use super::number::{signed_width, width_of};

/// Bounds larger than this many bits are of no use.
const WIDEST: usize = 512;
/// Formulas with more integer terms are not analysed.
const MOST_TERMS: usize = 20_000;
/// Linear forms with more variables are not analysed.
const MOST_PARTS: usize = 64;

/// What unit facts say about a symbol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) low: Option<IBig>,
    pub(crate) high: Option<IBig>,
}

impl Interval {
    pub(crate) fn intersect(&mut self, other: &Interval) {
        if let Some(low) = &other.low {
            self.low = Some(self.low.take().map_or_else(|| low.clone(), |known| known.max(low.clone())));
        }
        if let Some(high) = &other.high {
            self.high = Some(self.high.take().map_or_else(|| high.clone(), |known| known.min(high.clone())));
        }
    }
}

/// The bounds that a fact states, through conjunctions.
pub(crate) fn stated(arena: &Terms, fact: Term) -> Vec<(Term, Interval)> {
    let mut open = vec![fact];
    let mut found = Vec::new();
    while let Some(term) = open.pop() {
        match arena.op(term) {
            Op::And => open.extend(arena.args(term)),
            Op::Not => found.extend(comparison(arena, arena.args(term)[0], true)),
            _ => found.extend(comparison(arena, term, false)),
        }
    }
    found
}

fn comparison(arena: &Terms, term: Term, negated: bool) -> Option<(Term, Interval)> {
    let &[left, right] = arena.args(term) else { return None };
    let number = |side: Term| match arena.value(side) {
        Some(Value::Int(number)) => Some(number.clone()),
        _ => None,
    };
    let is_symbol = |side: Term| arena.op(side) == Op::Symbol && *arena.sort(side) == Sort::Int;
    let (low, high) = (|low| Interval { low: Some(low), high: None }, |high| Interval { low: None, high: Some(high) });
    match (arena.op(term), negated) {
        (Op::Le, false) if is_symbol(left) => Some((left, high(number(right)?))),
        (Op::Le, false) if is_symbol(right) => Some((right, low(number(left)?))),
        (Op::Le, true) if is_symbol(left) => Some((left, low(number(right)? + IBig::ONE))),
        (Op::Le, true) if is_symbol(right) => Some((right, high(number(left)? - IBig::ONE))),
        (Op::Eq, false) => {
            let (symbol, other) = if is_symbol(left) { (left, right) } else { (right, left) };
            let value = number(other).filter(|_| is_symbol(symbol))?;
            Some((symbol, Interval { low: Some(value.clone()), high: Some(value) }))
        }
        _ => None,
    }
}

/// A width that is enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Enough {
    pub(crate) width: usize,
    /// Whether it is so only because some assumptions bound symbols. The other arguments hold for every subset of the
    /// assumptions, since fewer constraints have no larger bound.
    pub(crate) by_assumptions: bool,
}

/// A width at which, if there is any model of the facts and assumptions, there is one whose symbols fit; or nothing if
/// none is known.
pub(crate) fn enough(arena: &Terms, facts: &[Term], assumed: &[Term]) -> Option<Enough> {
    let roots = [facts, assumed].concat();
    let cone = Cone::new(arena, &roots);
    let plain = |width| Enough { width, by_assumptions: false };
    let by_facts = bounded(arena, facts, &cone).map(plain);
    let by_assumptions = || bounded(arena, &roots, &cone).map(|width| Enough { width, by_assumptions: true });
    by_facts.or_else(by_assumptions).or_else(|| linear(arena, &cone).map(plain))
}

/// The integer terms and the atoms over them below some roots, arguments first.
struct Cone {
    integers: Vec<Term>,
    atoms: Vec<Term>,
}

impl Cone {
    fn new(arena: &Terms, roots: &[Term]) -> Cone {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                open.extend(arena.args(term));
            }
        }
        let mut all: Vec<Term> = seen.into_iter().collect();
        all.sort_unstable();
        let is_integer = |term: Term| *arena.sort(term) == Sort::Int;
        let is_atom = |term: Term| !is_integer(term) && arena.args(term).iter().any(|&arg| is_integer(arg));
        Cone {
            integers: all.iter().copied().filter(|&term| is_integer(term)).collect(),
            atoms: all.iter().copied().filter(|&term| is_atom(term)).collect(),
        }
    }
}

/// The first argument.
fn bounded(arena: &Terms, roots: &[Term], cone: &Cone) -> Option<usize> {
    let mut intervals: FxHashMap<Term, Interval> = FxHashMap::default();
    for &root in roots {
        for (symbol, interval) in stated(arena, root) {
            intervals.entry(symbol).or_default().intersect(&interval);
        }
    }
    let symbols = cone.integers.iter().filter(|&&term| arena.op(term) == Op::Symbol);
    symbols.map(|symbol| intervals.get(symbol)?.width()).try_fold(1, |most, width| Some(most.max(width?)))
}

impl Interval {
    fn width(&self) -> Option<usize> {
        Some(width_of(self.low.as_ref()?, self.high.as_ref()?))
    }
}

/// The second and the third argument.
fn linear(arena: &Terms, cone: &Cone) -> Option<usize> {
    if MOST_TERMS < cone.integers.len() + cone.atoms.len() {
        return None;
    }
    let mut system = System::default();
    for &term in &cone.integers {
        let form = system.form(arena, term)?;
        if MOST_PARTS < form.parts.len() {
            return None;
        }
        system.forms.insert(term, form);
    }
    for &atom in &cone.atoms {
        system.atom(arena, atom)?;
    }
    let bound = system.bound()?;
    let width = signed_width(&bound) + 1;
    (width <= WIDEST).then_some(width)
}

#[derive(Clone, Default)]
struct Form {
    /// Coefficients, none of which is zero.
    parts: BTreeMap<usize, IBig>,
    constant: IBig,
}

/// Constraints, of which only the counts and sizes are kept.
#[derive(Default)]
struct System {
    forms: FxHashMap<Term, Form>,
    variables: usize,
    rows: usize,
    /// The greatest absolute value of a coefficient, and of a constant, with one added where a side may be negated.
    coefficient: IBig,
    constant: IBig,
    /// Whether some row is not a difference.
    general: bool,
}

impl Form {
    fn variable(number: usize) -> Form {
        Form { parts: BTreeMap::from([(number, IBig::ONE)]), constant: IBig::ZERO }
    }

    fn plus(&self, other: &Form, factor: &IBig) -> Form {
        let mut sum = self.clone();
        sum.constant += &other.constant * factor;
        for (&variable, scale) in &other.parts {
            let total = sum.parts.remove(&variable).unwrap_or(IBig::ZERO) + scale * factor;
            if total != IBig::ZERO {
                sum.parts.insert(variable, total);
            }
        }
        sum
    }

    fn is_difference(&self) -> bool {
        let scales: Vec<&IBig> = self.parts.values().collect();
        let unit = |scale: &IBig| *scale == IBig::ONE || *scale == IBig::NEG_ONE;
        match *scales {
            [] => true,
            [only] => unit(only),
            [left, right] => unit(left) && *left == -right,
            _ => false,
        }
    }
}

impl System {
    fn fresh(&mut self) -> Form {
        self.variables += 1;
        Form::variable(self.variables - 1)
    }

    /// Counts the constraint that a form compares with zero in some way.
    fn row(&mut self, form: &Form) {
        self.rows += 1;
        self.general |= !form.is_difference();
        let size = |number: &IBig| number.clone().max(-number);
        for scale in form.parts.values() {
            self.coefficient = size(scale).max(self.coefficient.clone());
        }
        self.constant = (size(&form.constant) + IBig::ONE).max(self.constant.clone());
    }

    /// The form of an integer term whose arguments have theirs.
    fn form(&mut self, arena: &Terms, term: Term) -> Option<Form> {
        let args = arena.args(term);
        let arg = |system: &System, place: usize| system.forms[&args[place]].clone();
        match arena.op(term) {
            Op::Symbol => Some(self.fresh()),
            Op::Constant => match arena.value(term) {
                Some(Value::Int(number)) => Some(Form { parts: BTreeMap::new(), constant: number.clone() }),
                _ => None,
            },
            Op::Neg => Some(Form::default().plus(&arg(self, 0), &IBig::NEG_ONE)),
            Op::Add => Some(args[1..].iter().fold(arg(self, 0), |sum, next| sum.plus(&self.forms[next], &IBig::ONE))),
            Op::Sub => Some(arg(self, 0).plus(&arg(self, 1), &IBig::NEG_ONE)),
            Op::Mul => self.product(args),
            Op::Div | Op::Mod => self.division(arena.op(term), &arg(self, 0), &arg(self, 1)),
            Op::Abs => {
                let (result, inner) = (self.fresh(), arg(self, 0));
                self.row(&result.plus(&inner, &IBig::NEG_ONE));
                self.row(&result.plus(&inner, &IBig::ONE));
                self.row(&inner);
                Some(result)
            }
            Op::Ite => {
                let result = self.fresh();
                self.row(&result.plus(&arg(self, 1), &IBig::NEG_ONE));
                self.row(&result.plus(&arg(self, 2), &IBig::NEG_ONE));
                Some(result)
            }
            Op::BvToNat => {
                let width = arena.width(args[0])? as usize;
                let mut fixed = self.fresh();
                let result = fixed.clone();
                fixed.constant = (width < WIDEST).then(|| IBig::ONE << width)?;
                self.row(&fixed);
                Some(result)
            }
            _ => None,
        }
    }

    fn product(&self, args: &[Term]) -> Option<Form> {
        let mut factor = IBig::ONE;
        let mut result: Option<&Form> = None;
        for arg in args {
            let form = &self.forms[arg];
            match (form.parts.is_empty(), result) {
                (true, _) => factor *= &form.constant,
                (false, None) => result = Some(form),
                (false, Some(_)) => return None,
            }
        }
        Some(match result {
            None => Form { parts: BTreeMap::new(), constant: factor },
            Some(form) => Form::default().plus(form, &factor),
        })
    }

    fn division(&mut self, op: Op, dividend: &Form, divisor: &Form) -> Option<Form> {
        if !divisor.parts.is_empty() {
            return None;
        }
        if divisor.constant == IBig::ZERO {
            return Some(if op == Op::Div { Form::default() } else { dividend.clone() });
        }
        let (quotient, remainder) = (self.fresh(), self.fresh());
        let rest = dividend.plus(&quotient, &-&divisor.constant);
        self.row(&rest.plus(&remainder, &IBig::NEG_ONE));
        self.row(&remainder);
        self.row(&Form { constant: divisor.constant.clone(), ..remainder.clone() });
        Some(if op == Op::Div { quotient } else { remainder })
    }

    fn atom(&mut self, arena: &Terms, atom: Term) -> Option<()> {
        let args = arena.args(atom);
        match arena.op(atom) {
            Op::Eq | Op::Le => {
                let (left, right) = (&self.forms[&args[0]], &self.forms[&args[1]]);
                let difference = left.plus(right, &IBig::NEG_ONE);
                self.row(&difference);
            }
            Op::IntToBv => {
                let power = IBig::ONE << usize::try_from(arena.indices(atom)[0]).ok().filter(|&bits| bits < WIDEST)?;
                let quotient = self.fresh();
                let mut rest = self.forms[&args[0]].plus(&quotient, &-&power);
                rest.constant = rest.constant.clone().max(-&rest.constant) + power;
                self.row(&rest);
            }
            _ => return None,
        }
        Some(())
    }

    /// The greatest absolute value that a symbol needs.
    fn bound(&self) -> Option<IBig> {
        if self.rows == 0 {
            return Some(IBig::ZERO);
        }
        if !self.general {
            return Some(IBig::from(self.variables) * &self.constant);
        }
        let rows = self.rows;
        let base = IBig::from(rows) * self.coefficient.clone().max(self.constant.clone());
        let exponent = 2 * rows + 1;
        if WIDEST < exponent.checked_mul(signed_width(&base))? {
            return None;
        }
        Some(IBig::from(2 * self.variables + rows) * base.pow(exponent))
    }
}
