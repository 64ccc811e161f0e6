//! The meaning of formulas on concrete words: infinite ones that repeat (lassos), and finite ones.

use rustc_hash::FxHashMap;

use omega::{AtomId, Binary, Formula, Formulas, Node, Unary};

/// The propositions that hold in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Letter(Vec<bool>);

/// An infinite word: a beginning, then a cycle for ever. The cycle is not empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The beginning.
    pub prefix: Vec<Letter>,
    /// What repeats.
    pub cycle: Vec<Letter>,
}

/// What `X` means in the last step of a finite word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastNext {
    /// There is a next step, so `X` is false in the last.
    Strong,
    /// If there is a next step, so `X` is true in the last.
    Weak,
}

impl Letter {
    /// The letter in which exactly these propositions hold.
    pub fn of(atoms: impl IntoIterator<Item = AtomId>) -> Letter {
        let mut letter = Letter::default();
        for atom in atoms {
            letter.set(atom, true);
        }
        letter
    }

    /// Whether a proposition holds.
    pub fn holds(&self, atom: AtomId) -> bool {
        self.0.get(atom.0 as usize).copied().unwrap_or(false)
    }

    /// Makes a proposition hold or not.
    pub fn set(&mut self, atom: AtomId, value: bool) {
        let index = atom.0 as usize;
        if self.0.len() <= index {
            if !value {
                return;
            }
            self.0.resize(index + 1, false);
        }
        self.0[index] = value;
        while self.0.last() == Some(&false) {
            self.0.pop();
        }
    }
}

/// Whether a formula holds at the beginning of an infinite word.
pub fn holds_on_lasso(formulas: &Formulas, root: Formula, lasso: &Lasso) -> bool {
    let letters: Vec<&Letter> = lasso.prefix.iter().chain(&lasso.cycle).collect();
    let back = lasso.prefix.len();
    let mut rows: FxHashMap<Formula, Vec<bool>> = FxHashMap::default();
    for formula in formulas.reachable([root]) {
        let row = row(
            formulas,
            formula,
            &letters,
            &rows,
            |values, start, step| {
                // Two rounds settle a fixed point on a cycle: the first sees every step, the second every obligation.
                let mut next = start;
                for _ in 0..2 {
                    for place in (back..values.len()).rev() {
                        next = step(place, next);
                        values[place] = next;
                    }
                }
                for place in (0..back).rev() {
                    next = step(place, values[place + 1]);
                    values[place] = next;
                }
            },
            |values, place| if place + 1 < values.len() { values[place + 1] } else { values[back] },
        );
        rows.insert(formula, row);
    }
    rows[&root][0]
}

/// Whether a formula holds at the beginning of a finite word that is not empty: what is promised must come true
/// before the end.
pub fn holds_on_word(formulas: &Formulas, root: Formula, word: &[Letter], last_next: LastNext) -> bool {
    let letters: Vec<&Letter> = word.iter().collect();
    let mut rows: FxHashMap<Formula, Vec<bool>> = FxHashMap::default();
    for formula in formulas.reachable([root]) {
        let row = row(
            formulas,
            formula,
            &letters,
            &rows,
            |values, start, step| {
                let mut next = start;
                for place in (0..values.len()).rev() {
                    next = step(place, next);
                    values[place] = next;
                }
            },
            |values, place| values.get(place + 1).copied().unwrap_or(last_next == LastNext::Weak),
        );
        rows.insert(formula, row);
    }
    rows[&root][0]
}

/// The values of a formula in every step. `fold` computes a fixed point backwards from a start value; `after` looks one
/// step on.
fn row(
    formulas: &Formulas,
    formula: Formula,
    letters: &[&Letter],
    rows: &FxHashMap<Formula, Vec<bool>>,
    fold: impl Fn(&mut [bool], bool, &dyn Fn(usize, bool) -> bool),
    after: impl Fn(&[bool], usize) -> bool,
) -> Vec<bool> {
    let places = 0..letters.len();
    let fixed = |start: bool, step: &dyn Fn(usize, bool) -> bool| {
        let mut values = vec![start; letters.len()];
        fold(&mut values, start, step);
        values
    };
    match formulas.node(formula) {
        Node::Constant(value) => vec![value; letters.len()],
        Node::Atom(atom) => letters.iter().map(|letter| letter.holds(atom)).collect(),
        Node::Unary(operator, argument) => {
            let inner = &rows[&argument];
            match operator {
                Unary::Not => inner.iter().map(|value| !value).collect(),
                Unary::Next => places.map(|place| after(inner, place)).collect(),
                Unary::Finally => fixed(false, &|place, next| inner[place] || next),
                Unary::Globally => fixed(true, &|place, next| inner[place] && next),
            }
        }
        Node::Binary(operator, left, right) => {
            let (left, right) = (&rows[&left], &rows[&right]);
            let both =
                |join: fn(bool, bool) -> bool| places.clone().map(|place| join(left[place], right[place])).collect();
            match operator {
                Binary::And => both(|left, right| left && right),
                Binary::Or => both(|left, right| left || right),
                Binary::Implies => both(|left, right| !left || right),
                Binary::Iff => both(|left, right| left == right),
                Binary::Xor => both(|left, right| left != right),
                Binary::Until => fixed(false, &|place, next| right[place] || (left[place] && next)),
                Binary::WeakUntil => fixed(true, &|place, next| right[place] || (left[place] && next)),
                Binary::Release => fixed(true, &|place, next| right[place] && (left[place] || next)),
                Binary::StrongRelease => fixed(false, &|place, next| right[place] && (left[place] || next)),
            }
        }
    }
}
