//! Binary decision diagrams: Boolean functions over numbered variables, equal functions being the same node.
//!
//! Recursion goes from variable to variable, so its depth is the number of variables, which callers limit. A manager
//! that has used up its budget returns any constant for everything. That is never taken back, and nothing leaves the manager from
//! then on: [`Bdds::cubes`] and [`Bdds::some_cube`] have no answer, and whoever makes something of functions in another way hands
//! it out through [`Bdds::sound`].

use std::hash::{Hash, Hasher};

use rustc_hash::FxHashMap;

use crate::memory::Held;
use crate::work::{self, Deadline};

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bdd(u32);

/// How many results are remembered at first and at most, as powers of two.
const FIRST_CACHE: u32 = 10;
const LAST_CACHE: u32 = 22;

/// The most variables a manager takes.
pub const MOST_VARIABLES: u32 = 4000;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    None,
    And,
    Or,
    Xor,
    Choose,
    Exists,
    Forall,
    AndExists,
    Cofactor,
}

/// What was computed of which arguments.
type Key = (Operation, Bdd, Bdd, Bdd);

/// Results that may be forgotten: one for each hash value.
struct Cache {
    entries: Vec<(Key, Bdd)>,
}

impl Cache {
    fn new(bits: u32) -> Cache {
        Cache { entries: vec![((Operation::None, Bdd::FALSE, Bdd::FALSE, Bdd::FALSE), Bdd::FALSE); 1 << bits] }
    }

    fn place(&self, key: &Key) -> usize {
        let mut hasher = rustc_hash::FxHasher::default();
        key.hash(&mut hasher);
        // The high bits of this hash are the good ones.
        (hasher.finish() >> 20) as usize & (self.entries.len() - 1)
    }

    fn get(&self, key: &Key) -> Option<Bdd> {
        let (known, result) = &self.entries[self.place(key)];
        (known == key).then_some(*result)
    }

    fn insert(&mut self, key: Key, result: Bdd) {
        let place = self.place(&key);
        self.entries[place] = (key, result);
    }
}

/// How many steps are done between two looks at the budget.
const STEPS_PER_CHECK: u64 = 4096;

/// A manager: all functions and what has been computed of them.
pub struct Bdds {
    nodes: Vec<Node>,
    unique: FxHashMap<Node, Bdd>,
    cache: Cache,
    limit: usize,
    deadline: Option<Deadline>,
    exhausted: bool,
    /// Steps that are not counted as spent yet.
    steps: u64,
    held: Held,
}

impl Bdd {
    /// The function that is always false.
    pub const FALSE: Bdd = Bdd(0);
    /// The function that is always true.
    pub const TRUE: Bdd = Bdd(1);

    /// Whether it is a constant.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl Bdds {
    /// A manager that gives up after `limit` nodes or at `deadline`.
    pub fn new(limit: usize, deadline: Option<Deadline>) -> Bdds {
        let end = Node { variable: u32::MAX, low: Bdd::FALSE, high: Bdd::FALSE };
        Bdds {
            nodes: vec![end, Node { low: Bdd::TRUE, high: Bdd::TRUE, ..end }],
            unique: FxHashMap::default(),
            cache: Cache::new(FIRST_CACHE),
            limit,
            deadline,
            exhausted: false,
            steps: 0,
            held: Held::default(),
        }
    }

    /// Whether the budget is used up; then no result since means anything.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Something that was made of functions; none if the budget was used up by then, since it may be wrong.
    pub fn sound<T>(&self, made: T) -> Option<T> {
        (!self.exhausted).then_some(made)
    }

    /// Whether the budget is used up by now. Functions that are known already are made without a look at it.
    pub fn is_late(&mut self) -> bool {
        work::spend(1 + std::mem::take(&mut self.steps));
        self.exhausted |= work::is_stopped() || self.deadline.is_some_and(Deadline::is_over);
        self.exhausted
    }

    /// Sets another deadline. What was exhausted before stays so.
    pub fn allow_until(&mut self, deadline: Option<Deadline>) {
        self.deadline = deadline;
    }

    /// When the budget ends.
    pub fn deadline(&self) -> Option<Deadline> {
        self.deadline
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the constants are always there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The topmost variable of a function that is not constant.
    pub fn top(&self, function: Bdd) -> u32 {
        self.nodes[function.0 as usize].variable
    }

    /// The function for the topmost variable false, and for it true.
    pub fn branches(&self, function: Bdd) -> (Bdd, Bdd) {
        let node = self.nodes[function.0 as usize];
        (node.low, node.high)
    }

    fn make(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        self.steps += 1;
        if self.steps == STEPS_PER_CHECK {
            self.is_late();
        }
        let node = Node { variable, low, high };
        if let Some(&found) = self.unique.get(&node) {
            return found;
        }
        self.exhausted = self.exhausted || self.limit <= self.nodes.len() || !self.held.add(1);
        if self.exhausted {
            return Bdd::FALSE;
        }
        let new = Bdd(u32::try_from(self.nodes.len()).expect("the limit is below 2^32"));
        self.nodes.push(node);
        self.unique.insert(node, new);
        if self.cache.entries.len() < self.nodes.len() && self.cache.entries.len() < 1 << LAST_CACHE {
            self.cache = Cache::new(self.cache.entries.len().trailing_zeros() + 2);
        }
        new
    }

    /// A variable.
    pub fn variable(&mut self, variable: u32) -> Bdd {
        self.make(variable, Bdd::FALSE, Bdd::TRUE)
    }

    /// A variable or its negation.
    pub fn literal(&mut self, variable: u32, value: bool) -> Bdd {
        if value { self.variable(variable) } else { self.make(variable, Bdd::TRUE, Bdd::FALSE) }
    }

    /// The conjunction of literals.
    pub fn cube(&mut self, literals: &[(u32, bool)]) -> Bdd {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        sorted.iter().rev().fold(Bdd::TRUE, |rest, &(variable, value)| {
            if value { self.make(variable, Bdd::FALSE, rest) } else { self.make(variable, rest, Bdd::FALSE) }
        })
    }

    /// Conjunction.
    pub fn and(&mut self, left: Bdd, right: Bdd) -> Bdd {
        if left == Bdd::FALSE || right == Bdd::FALSE || self.exhausted {
            return Bdd::FALSE;
        }
        if left == Bdd::TRUE || left == right {
            return right;
        }
        if right == Bdd::TRUE {
            return left;
        }
        let (left, right) = (left.min(right), left.max(right));
        let key = (Operation::And, left, right, Bdd::FALSE);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let (variable, (left_low, left_high), (right_low, right_high)) = self.split(left, right);
        let low = self.and(left_low, right_low);
        let high = self.and(left_high, right_high);
        let result = self.make(variable, low, high);
        self.cache.insert(key, result);
        result
    }

    fn split(&self, left: Bdd, right: Bdd) -> (u32, (Bdd, Bdd), (Bdd, Bdd)) {
        let variable = self.top(left).min(self.top(right));
        (variable, self.at(left, variable), self.at(right, variable))
    }

    fn at(&self, function: Bdd, variable: u32) -> (Bdd, Bdd) {
        if self.top(function) == variable { self.branches(function) } else { (function, function) }
    }

    /// Exclusive or.
    pub fn xor(&mut self, left: Bdd, right: Bdd) -> Bdd {
        if self.exhausted || left == right {
            return Bdd::FALSE;
        }
        if left == Bdd::FALSE {
            return right;
        }
        if right == Bdd::FALSE {
            return left;
        }
        let (left, right) = (left.min(right), left.max(right));
        let key = (Operation::Xor, left, right, Bdd::FALSE);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let (variable, (left_low, left_high), (right_low, right_high)) = self.split(left, right);
        let low = self.xor(left_low, right_low);
        let high = self.xor(left_high, right_high);
        let result = self.make(variable, low, high);
        self.cache.insert(key, result);
        result
    }

    /// Negation.
    pub fn not(&mut self, function: Bdd) -> Bdd {
        self.xor(function, Bdd::TRUE)
    }

    /// Disjunction.
    pub fn or(&mut self, left: Bdd, right: Bdd) -> Bdd {
        if left == Bdd::TRUE || right == Bdd::TRUE || self.exhausted {
            return Bdd::TRUE;
        }
        if left == Bdd::FALSE || left == right {
            return right;
        }
        if right == Bdd::FALSE {
            return left;
        }
        let (left, right) = (left.min(right), left.max(right));
        let key = (Operation::Or, left, right, Bdd::FALSE);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let (variable, (left_low, left_high), (right_low, right_high)) = self.split(left, right);
        let low = self.or(left_low, right_low);
        let high = self.or(left_high, right_high);
        let result = self.make(variable, low, high);
        self.cache.insert(key, result);
        result
    }

    /// `left` and not `right`.
    pub fn minus(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.choose(right, Bdd::FALSE, left)
    }

    /// `left` implies `right`.
    pub fn implies(&mut self, left: Bdd, right: Bdd) -> Bdd {
        self.choose(left, right, Bdd::TRUE)
    }

    /// If `test` then `yes` else `no`.
    pub fn choose(&mut self, test: Bdd, yes: Bdd, no: Bdd) -> Bdd {
        if test == Bdd::TRUE || yes == no || self.exhausted {
            return yes;
        }
        if test == Bdd::FALSE {
            return no;
        }
        if (yes, no) == (Bdd::TRUE, Bdd::FALSE) {
            return test;
        }
        if no == Bdd::FALSE || no == test {
            return self.and(test, yes);
        }
        if yes == Bdd::TRUE || yes == test {
            return self.or(test, no);
        }
        let key = (Operation::Choose, test, yes, no);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let variable = self.top(test).min(self.top(yes)).min(self.top(no));
        let ((test_low, test_high), (yes_low, yes_high), (no_low, no_high)) =
            (self.at(test, variable), self.at(yes, variable), self.at(no, variable));
        let low = self.choose(test_low, yes_low, no_low);
        let high = self.choose(test_high, yes_high, no_high);
        let result = self.make(variable, low, high);
        self.cache.insert(key, result);
        result
    }

    /// Whether some values of the variables of the positive cube `variables` make the function true.
    pub fn exists(&mut self, function: Bdd, variables: Bdd) -> Bdd {
        self.quantified(Operation::Exists, function, variables)
    }

    /// Whether all values of the variables of the positive cube `variables` make the function true.
    pub fn forall(&mut self, function: Bdd, variables: Bdd) -> Bdd {
        self.quantified(Operation::Forall, function, variables)
    }

    fn quantified(&mut self, quantifier: Operation, function: Bdd, variables: Bdd) -> Bdd {
        if function.is_constant() || variables == Bdd::TRUE || self.exhausted {
            return function;
        }
        let variables = self.skip(variables, self.top(function));
        if variables == Bdd::TRUE {
            return function;
        }
        let key = (quantifier, function, variables, Bdd::FALSE);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let variable = self.top(function);
        let (low, high) = self.branches(function);
        let some = quantifier == Operation::Exists;
        let result = if self.top(variables) == variable {
            let rest = self.branches(variables).1;
            let low = self.quantified(quantifier, low, rest);
            let enough = if some { Bdd::TRUE } else { Bdd::FALSE };
            if low == enough {
                enough
            } else {
                let high = self.quantified(quantifier, high, rest);
                if some { self.or(low, high) } else { self.and(low, high) }
            }
        } else {
            let low = self.quantified(quantifier, low, variables);
            let high = self.quantified(quantifier, high, variables);
            self.make(variable, low, high)
        };
        self.cache.insert(key, result);
        result
    }

    /// Leaves out the variables of a positive cube that stand above `variable`.
    fn skip(&self, mut variables: Bdd, variable: u32) -> Bdd {
        while variables != Bdd::TRUE && self.top(variables) < variable {
            variables = self.branches(variables).1;
        }
        variables
    }

    /// `exists(left & right)` in one pass.
    pub fn and_exists(&mut self, left: Bdd, right: Bdd, variables: Bdd) -> Bdd {
        if left == Bdd::FALSE || right == Bdd::FALSE || self.exhausted {
            return Bdd::FALSE;
        }
        if left == Bdd::TRUE || left == right {
            return self.exists(right, variables);
        }
        if right == Bdd::TRUE {
            return self.exists(left, variables);
        }
        let (left, right) = (left.min(right), left.max(right));
        let (variable, (left_low, left_high), (right_low, right_high)) = self.split(left, right);
        let variables = self.skip(variables, variable);
        if variables == Bdd::TRUE {
            return self.and(left, right);
        }
        let key = (Operation::AndExists, left, right, variables);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let result = if self.top(variables) == variable {
            let rest = self.branches(variables).1;
            let low = self.and_exists(left_low, right_low, rest);
            if low == Bdd::TRUE {
                Bdd::TRUE
            } else {
                let high = self.and_exists(left_high, right_high, rest);
                self.or(low, high)
            }
        } else {
            let low = self.and_exists(left_low, right_low, variables);
            let high = self.and_exists(left_high, right_high, variables);
            self.make(variable, low, high)
        };
        self.cache.insert(key, result);
        result
    }

    /// The function with the variables of a cube fixed.
    pub fn cofactor(&mut self, function: Bdd, cube: Bdd) -> Bdd {
        if function.is_constant() || cube == Bdd::TRUE || cube == Bdd::FALSE {
            return function;
        }
        let (variable, own) = (self.top(cube), self.top(function));
        let (cube_low, cube_high) = self.branches(cube);
        let rest = if cube_low == Bdd::FALSE { cube_high } else { cube_low };
        if variable < own {
            return self.cofactor(function, rest);
        }
        let key = (Operation::Cofactor, function, cube, Bdd::FALSE);
        if let Some(found) = self.cache.get(&key) {
            return found;
        }
        let (low, high) = self.branches(function);
        let result = if variable == own {
            self.cofactor(if cube_low == Bdd::FALSE { high } else { low }, rest)
        } else {
            let low = self.cofactor(low, cube);
            let high = self.cofactor(high, cube);
            self.make(own, low, high)
        };
        self.cache.insert(key, result);
        result
    }

    /// The function with functions in the place of variables; `images` says which, for variables that are replaced.
    pub fn compose(&mut self, function: Bdd, images: &FxHashMap<u32, Bdd>) -> Bdd {
        let mut done = FxHashMap::default();
        self.compose_with(function, images, &mut done)
    }

    fn compose_with(&mut self, function: Bdd, images: &FxHashMap<u32, Bdd>, done: &mut FxHashMap<Bdd, Bdd>) -> Bdd {
        if function.is_constant() || self.exhausted {
            return function;
        }
        if let Some(&found) = done.get(&function) {
            return found;
        }
        let variable = self.top(function);
        let (low, high) = self.branches(function);
        let low = self.compose_with(low, images, done);
        let high = self.compose_with(high, images, done);
        let test = match images.get(&variable) {
            Some(&image) => image,
            None => self.variable(variable),
        };
        let result = self.choose(test, high, low);
        done.insert(function, result);
        result
    }

    /// The variables a function depends on, in order.
    pub fn support(&self, function: Bdd) -> Vec<u32> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut variables = Vec::new();
        let mut open = vec![function];
        while let Some(function) = open.pop() {
            if !function.is_constant() && seen.insert(function) {
                variables.push(self.top(function));
                let (low, high) = self.branches(function);
                open.extend([low, high]);
            }
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    /// The value under an assignment.
    pub fn value(&self, mut function: Bdd, assignment: impl Fn(u32) -> bool) -> bool {
        while !function.is_constant() {
            let (low, high) = self.branches(function);
            function = if assignment(self.top(function)) { high } else { low };
        }
        function == Bdd::TRUE
    }

    /// Some literals that make the function true, `false` preferred; none if it is false, or the budget is used up.
    pub fn some_cube(&self, mut function: Bdd) -> Option<Vec<(u32, bool)>> {
        let mut literals = Vec::new();
        if function == Bdd::FALSE || self.exhausted {
            return None;
        }
        while !function.is_constant() {
            let (low, high) = self.branches(function);
            let value = low == Bdd::FALSE;
            literals.push((self.top(function), value));
            function = if value { high } else { low };
        }
        Some(literals)
    }

    /// Disjoint cubes that together are the function, at most `most` of them; none if there are more, or the budget is used up.
    pub fn cubes(&self, function: Bdd, most: usize) -> Option<Vec<Vec<(u32, bool)>>> {
        self.sound(())?;
        let mut found = Vec::new();
        let mut open = vec![(function, Vec::new())];
        while let Some((function, literals)) = open.pop() {
            if function == Bdd::FALSE {
                continue;
            }
            if function == Bdd::TRUE {
                if found.len() == most {
                    return None;
                }
                found.push(literals);
                continue;
            }
            let (low, high) = self.branches(function);
            let variable = self.top(function);
            for (branch, value) in [(high, true), (low, false)] {
                let mut longer = literals.clone();
                longer.push((variable, value));
                open.push((branch, longer));
            }
        }
        Some(found)
    }
}
