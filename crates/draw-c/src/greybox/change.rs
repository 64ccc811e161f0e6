//! How inputs are changed: so that comparisons turn, and at random.

use std::hash::{Hash, Hasher};

use c::Program;
use c::interp::{FunctionName, InputValue, Inputs as Source, Request};
use c::types::{Type, TypeId};
use random::SplitMix;
use rustc_hash::{FxHashSet, FxHasher};

use super::Given;
use super::scout::Comparison;
use crate::CSubject;

/// At most this many changes turn the comparisons of one run.
const MOST_TURNS: usize = 1_500;

/// Inputs beyond this many places are not looked at for one comparison.
const MOST_PLACES: usize = 64;

/// At most this many words of the program are written into inputs, and how long they may be.
const MOST_WORDS: usize = 64;
const LONGEST_WORD: usize = 16;

/// As many values at most are changed to the same one.
const LONGEST_RUN: usize = 8;

pub(super) struct Changes {
    constants: Vec<i128>,
    /// The texts that stand in the program.
    words: Vec<Vec<u8>>,
    elements: u64,
    random: SplitMix,
    tried: FxHashSet<u64>,
}

/// Answers with zero and null.
pub(super) struct Simplest;

impl Changes {
    pub(super) fn new(subject: &CSubject, constants: Vec<i128>, seed: u64) -> Changes {
        let elements = subject.settings.elements.max(1);
        let words = words(&subject.translation.program);
        Changes {
            constants,
            words,
            elements,
            random: SplitMix::new(seed ^ 0x5851_f42d_4c95_7f2d),
            tried: FxHashSet::default(),
        }
    }

    fn next(&mut self) -> u64 {
        self.random.bits()
    }

    /// A number below a bound, the late ones more often.
    pub(super) fn pick(&mut self, count: usize) -> usize {
        let (one, other) = (self.below(count), self.below(count));
        if self.next().is_multiple_of(2) { one.max(other) } else { one }
    }

    /// A number below a bound.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.random.index(bound)
    }

    /// Whether inputs were not tried before.
    pub(super) fn is_new(&mut self, values: &[Given]) -> bool {
        let mut hasher = FxHasher::default();
        for given in values {
            given.name.hash(&mut hasher);
            match given.value {
                InputValue::Integer(number) => hasher.write_i128(number),
                InputValue::Float(number) => hasher.write_u64(number.to_bits()),
                InputValue::Null => hasher.write_u8(1),
                InputValue::Object(count) => hasher.write_u64(count ^ (1 << 40)),
                InputValue::Function(name) => name.hash(&mut hasher),
            }
        }
        self.tried.insert(hasher.finish())
    }

    /// Changes of single values that may turn comparisons; with `far` also where no input stands on a side.
    pub(super) fn turned(
        &mut self,
        program: &Program,
        values: &[Given],
        log: &[Comparison],
        far: bool,
    ) -> Vec<(usize, InputValue)> {
        let mut found = Vec::new();
        let mut known: FxHashSet<(usize, i128)> = FxHashSet::default();
        let mut seen: FxHashSet<(u32, i128, i128)> = FxHashSet::default();
        for (place, given) in values.iter().enumerate().take(MOST_PLACES).filter(|_| far) {
            if program.function_target(given.ty).is_some() {
                let others = functions(program, given.ty).into_iter().filter(|other| *other != given.value);
                found.extend(others.map(|other| (place, other)));
                continue;
            }
            let other = match given.value {
                InputValue::Null => InputValue::Object(self.elements),
                InputValue::Object(_) | InputValue::Function(_) => InputValue::Null,
                InputValue::Integer(_) | InputValue::Float(_) => continue,
            };
            found.push((place, other));
        }
        for comparison in log {
            if MOST_TURNS < found.len() {
                break;
            }
            if !seen.insert((comparison.edge.0, comparison.left, comparison.right)) {
                continue;
            }
            let mut direct = false;
            for (place, given) in values.iter().enumerate() {
                let candidates = swapped(program, given, comparison);
                direct |= !candidates.is_empty();
                add(program, &mut found, &mut known, (place, given), candidates);
            }
            if !direct && far {
                for (place, given) in values.iter().enumerate().take(MOST_PLACES) {
                    add(program, &mut found, &mut known, (place, given), shifted(given, comparison));
                }
            }
        }
        found
    }

    /// Inputs changed at random, perhaps joined with others.
    pub(super) fn varied(
        &mut self,
        program: &Program,
        (one, changes): (&[Given], &[(usize, InputValue)]),
        other: &[Given],
    ) -> Vec<Given> {
        let mut values = one.to_vec();
        if !changes.is_empty() && self.next() % 8 < 5 {
            for _ in 0..2 + self.below(2) {
                let (place, value) = changes[self.below(changes.len())];
                values[place].value = value;
            }
            return values;
        }
        if self.next().is_multiple_of(6) {
            let place = self.below(values.len().min(other.len()));
            values.truncate(place);
            values.extend_from_slice(&other[place.min(other.len())..]);
        }
        for _ in 0..1 + self.below(4) {
            if values.is_empty() {
                break;
            }
            let place = self.below(values.len());
            match self.next() % 10 {
                0 => self.shift(&mut values, place, true),
                1 => self.shift(&mut values, place, false),
                2 => self.write(program, &mut values, place),
                3 => self.fill(&mut values, place),
                4 => {
                    let from = self.below(values.len());
                    let value = values[from].value;
                    if fits(program, values[place].ty, value) {
                        values[place].value = value;
                    }
                }
                _ => values[place].value = self.another(program, &values[place]),
            }
        }
        values
    }

    /// Writes a word of the program into values of one name.
    fn write(&mut self, program: &Program, values: &mut [Given], place: usize) {
        let number = self.below(self.words.len());
        let Some(word) = self.words.get(number).cloned() else { return };
        let name = values[place].name.clone();
        let same = values[place..].iter_mut().filter(|given| given.name == name);
        for (given, letter) in same.zip(word) {
            let value = InputValue::Integer(i128::from(letter));
            if fits(program, given.ty, value) {
                given.value = value;
            }
        }
    }

    /// Gives some values of one name the value of the first of them.
    fn fill(&mut self, values: &mut [Given], place: usize) {
        let first = values[place].clone();
        let count = 1 + self.below(LONGEST_RUN);
        for given in values[place..].iter_mut().filter(|given| given.name == first.name).take(count) {
            given.value = first.value;
        }
    }

    /// Moves the values of one name behind a place by one.
    fn shift(&mut self, values: &mut [Given], place: usize, later: bool) {
        let name = values[place].name.clone();
        let places: Vec<usize> = (place..values.len()).filter(|&at| values[at].name == name).collect();
        let old: Vec<InputValue> = places.iter().map(|&at| values[at].value).collect();
        for (number, &at) in places.iter().enumerate() {
            let from = if later { number.checked_sub(1) } else { Some(number + 1) };
            if let Some(value) = from.and_then(|from| old.get(from)) {
                values[at].value = *value;
            }
        }
    }

    fn another(&mut self, program: &Program, given: &Given) -> InputValue {
        if program.function_target(given.ty).is_some() {
            let functions = functions(program, given.ty);
            let place = self.below(functions.len());
            return functions.get(place).copied().unwrap_or(InputValue::Null);
        }
        match given.value {
            InputValue::Integer(number) => InputValue::Integer(self.integer(program, given.ty, number)),
            InputValue::Float(number) => InputValue::Float(match self.next() % 5 {
                0 => -number,
                1 => number + 1.0,
                2 => self.below(1_000) as f64 / 8.0,
                3 if !self.constants.is_empty() => {
                    let place = self.below(self.constants.len());
                    self.constants[place] as f64
                }
                _ => number * 2.0 - 0.5,
            }),
            InputValue::Null => InputValue::Object(1 + self.below(self.elements as usize) as u64),
            InputValue::Function(_) => InputValue::Null,
            InputValue::Object(_) if self.next().is_multiple_of(4) => InputValue::Null,
            InputValue::Object(_) => InputValue::Object(1 + self.below(self.elements as usize) as u64),
        }
    }

    fn integer(&mut self, program: &Program, ty: TypeId, number: i128) -> i128 {
        let Some(integer) = program.types.integer(ty) else { return number };
        if matches!(program.types.kind(ty), Type::Bool) {
            return i128::from(number == 0);
        }
        let constant = match self.constants.len() {
            0 => 0,
            count => {
                let place = self.below(count);
                self.constants[place]
            }
        };
        let new = match self.next() % 10 {
            0..=4 => constant,
            5 => constant.saturating_add(self.below(3) as i128 - 1),
            6 => number.saturating_add(self.below(9) as i128 - 4),
            7 => self.below(128) as i128,
            8 => number ^ (1 << self.below(integer.bits.min(64) as usize)),
            _ => i128::from(self.next()),
        };
        integer.wrap(new)
    }
}

/// The texts of string literals, without those that are written with escapes.
fn words(program: &Program) -> Vec<Vec<u8>> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    for variable in &program.variables {
        let text = variable.name.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        let plain = text.filter(|text| !text.is_empty() && text.len() <= LONGEST_WORD && !text.contains('\\'));
        if let Some(text) = plain
            && words.len() < MOST_WORDS
            && !words.iter().any(|word| word == text.as_bytes())
        {
            words.push(text.as_bytes().to_vec());
        }
    }
    words
}

/// What is not given is simple, or something the program knows.
impl Source for Changes {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        if let Some(integer) = request.types.integer(request.ty)
            && self.next().is_multiple_of(3)
            && !self.constants.is_empty()
        {
            let place = self.below(self.constants.len());
            let number = self.constants[place];
            let truth = matches!(request.types.kind(request.ty), Type::Bool);
            if integer.holds(number) && (!truth || (0..2).contains(&number)) {
                return Some(InputValue::Integer(number));
            }
        }
        if let Some(functions) = request.functions {
            let place = self.below(functions.len() + 1);
            return Some(functions.get(place).map_or(InputValue::Null, |name| InputValue::Function(*name)));
        }
        if request.types.is_pointer(request.ty) && !self.next().is_multiple_of(4) {
            return Some(InputValue::Object(self.elements));
        }
        Simplest.value(request)
    }
}

impl Source for Simplest {
    fn value(&mut self, request: &Request<'_>) -> Option<InputValue> {
        Some(if request.types.is_pointer(request.ty) {
            InputValue::Null
        } else if request.types.is_floating(request.ty) {
            InputValue::Float(0.0)
        } else {
            InputValue::Integer(0)
        })
    }
}

fn add(
    program: &Program,
    found: &mut Vec<(usize, InputValue)>,
    known: &mut FxHashSet<(usize, i128)>,
    (place, given): (usize, &Given),
    candidates: Vec<InputValue>,
) {
    for value in candidates {
        let key = match value {
            InputValue::Integer(number) => number,
            InputValue::Float(number) => i128::from(number.to_bits()) | 1 << 100,
            InputValue::Null | InputValue::Object(_) | InputValue::Function(_) => continue,
        };
        if value != given.value && fits(program, given.ty, value) && known.insert((place, key)) {
            found.push((place, value));
        }
    }
}

/// If the input stands on one side of a comparison, the other side and what lies next to it.
fn swapped(program: &Program, given: &Given, comparison: &Comparison) -> Vec<InputValue> {
    let Comparison { left, right, floating, .. } = *comparison;
    match given.value {
        InputValue::Integer(number) if !floating => {
            let Some(integer) = program.types.integer(given.ty) else { return Vec::new() };
            let target = if integer.wrap(left) == number {
                right
            } else if integer.wrap(right) == number {
                left
            } else {
                return Vec::new();
            };
            [target, target.saturating_add(1), target.saturating_sub(1)]
                .map(|number| InputValue::Integer(integer.wrap(number)))
                .to_vec()
        }
        InputValue::Float(number) if floating => {
            let (left, right) = (f64::from_bits(left as u64), f64::from_bits(right as u64));
            let target = if left == number {
                right
            } else if right == number {
                left
            } else {
                return Vec::new();
            };
            [target, target + 1.0, target - 1.0].map(InputValue::Float).to_vec()
        }
        InputValue::Integer(_)
        | InputValue::Float(_)
        | InputValue::Null
        | InputValue::Object(_)
        | InputValue::Function(_) => Vec::new(),
    }
}

/// The input moved by the difference of the two sides.
fn shifted(given: &Given, comparison: &Comparison) -> Vec<InputValue> {
    let Comparison { left, right, floating, .. } = *comparison;
    match given.value {
        InputValue::Integer(number) if !floating => {
            let difference = right.saturating_sub(left);
            [difference, difference.saturating_add(1), difference.saturating_sub(1), difference.saturating_neg()]
                .map(|by| InputValue::Integer(number.saturating_add(by)))
                .to_vec()
        }
        InputValue::Float(number) if floating => {
            let difference = f64::from_bits(right as u64) - f64::from_bits(left as u64);
            [difference, difference + 1.0, difference - 1.0, -difference]
                .map(|by| InputValue::Float(number + by))
                .to_vec()
        }
        InputValue::Integer(_)
        | InputValue::Float(_)
        | InputValue::Null
        | InputValue::Object(_)
        | InputValue::Function(_) => Vec::new(),
    }
}

fn fits(program: &Program, ty: TypeId, value: InputValue) -> bool {
    match value {
        InputValue::Integer(number) => {
            let truth = matches!(program.types.kind(ty), Type::Bool);
            program.types.integer(ty).is_some_and(|integer| integer.holds(number))
                && (!truth || (0..2).contains(&number))
        }
        InputValue::Float(_) => program.types.is_floating(ty),
        InputValue::Null => program.types.is_pointer(ty),
        InputValue::Object(_) => program.types.is_pointer(ty) && program.function_target(ty).is_none(),
        InputValue::Function(_) => functions(program, ty).contains(&value),
    }
}

/// What a pointer to functions may be: null, or a function that fits.
fn functions(program: &Program, ty: TypeId) -> Vec<InputValue> {
    let found = program.callable(ty).into_iter();
    let named = found.map(|id| InputValue::Function(FunctionName::new(&program.function(id).name)));
    std::iter::once(InputValue::Null).chain(named).collect()
}
