//! Coverage predicates: which clause is the cause of the verdict, and which does not matter.
//!
//! *Unique first cause*: a signal on which one clause alone, at the first moment that counts, makes the formula true (`+`) or
//! false (`-`). The literature's rules re-evaluate the whole window at a later moment; the exact variant stays within the window,
//! and its predicates imply the verdict. *Inactive clauses*: a signal on which a clause changes and the verdict does not.

use value::RBig;

use crate::mutate::MOST;
use crate::spec::Spec;
use crate::store::{Formula, Node, Store, Window};

/// A predicate with the place of the clause it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// The predicate.
    pub formula: Formula,
    /// The place of the clause in the tree of the formula.
    pub clause: u32,
}

/// Predicates for both verdicts.
#[derive(Clone, Debug, Default)]
struct Causes {
    /// Why it is true.
    positive: Vec<Predicate>,
    /// Why it is false.
    negative: Vec<Predicate>,
}

/// Unique first causes of truth and of falsity, without duplicates; none if there are too many.
pub fn first_causes(spec: &mut Spec, exact: bool) -> Option<(Vec<Predicate>, Vec<Predicate>)> {
    let mut causes: Vec<Causes> = Vec::with_capacity(spec.occurrences.len());
    let mut total = 0;
    for place in 0..spec.occurrences.len() {
        let occurrence = &spec.occurrences[place];
        let node = spec.store.node(occurrence.formula).clone();
        let args = occurrence.args.clone();
        let formula = occurrence.formula;
        let mut rules = Rules { store: &mut spec.store, exact };
        let made = match node {
            Node::Constant(_) => Causes::default(),
            // What lies back is looked at as a whole.
            Node::Signal(_) | Node::Compare(_) | Node::Once(..) | Node::Historically(..) | Node::Since(..) => {
                let negated = rules.store.not(formula);
                let clause = |formula| vec![Predicate { formula, clause: place as u32 }];
                Causes { positive: clause(formula), negative: clause(negated) }
            }
            Node::Not(_) => flipped(&causes[args[0] as usize]),
            Node::And(x, y) => rules.and([x, y], &causes[args[0] as usize], &causes[args[1] as usize]),
            Node::Or(x, y) => rules.or([x, y], &causes[args[0] as usize], &causes[args[1] as usize]),
            Node::Implies(x, y) => {
                let not_x = rules.store.not(x);
                rules.or([not_x, y], &flipped(&causes[args[0] as usize]), &causes[args[1] as usize])
            }
            Node::Next(time, _) => rules.next(&time, &causes[args[0] as usize]),
            Node::Finally(window, x) => rules.finally(&window, x, &causes[args[0] as usize]),
            Node::Globally(window, x) => {
                let not_x = rules.store.not(x);
                flipped(&rules.finally(&window, not_x, &flipped(&causes[args[0] as usize])))
            }
            Node::Until(window, x, y) => {
                rules.until(&window, [x, y], &causes[args[0] as usize], &causes[args[1] as usize])
            }
            Node::Release(window, x, y) => {
                let (not_x, not_y) = (rules.store.not(x), rules.store.not(y));
                let (first, second) = (flipped(&causes[args[0] as usize]), flipped(&causes[args[1] as usize]));
                flipped(&rules.until(&window, [not_x, not_y], &first, &second))
            }
        };
        total += made.positive.len() + made.negative.len();
        if 10 * MOST < total {
            return None;
        }
        causes.push(made);
    }
    let Causes { positive, negative } = causes.pop()?;
    Some((distinct(positive), distinct(negative)))
}

/// Predicates for inactive clauses, without duplicates; none if there are too many.
pub fn inactive_clauses(spec: &mut Spec) -> Option<Vec<Predicate>> {
    let mut inactive: Vec<Vec<Predicate>> = Vec::with_capacity(spec.occurrences.len());
    let mut total = 0;
    for place in 0..spec.occurrences.len() {
        let occurrence = &spec.occurrences[place];
        let node = spec.store.node(occurrence.formula).clone();
        let args = occurrence.args.clone();
        let formula = occurrence.formula;
        let below = |operand: usize| inactive[args[operand] as usize].as_slice();
        let mut rules = Rules { store: &mut spec.store, exact: false };
        let made: Vec<Predicate> = match node {
            Node::Constant(_) => Vec::new(),
            Node::Signal(_) | Node::Compare(_) | Node::Once(..) | Node::Historically(..) | Node::Since(..) => {
                let negated = rules.store.not(formula);
                [formula, negated].map(|formula| Predicate { formula, clause: place as u32 }).into()
            }
            Node::Not(_) => below(0).to_vec(),
            Node::And(x, y) => rules.inactive_beside([x, y], [true, true], below(0), below(1)),
            Node::Or(x, y) => rules.inactive_beside([x, y], [false, false], below(0), below(1)),
            Node::Implies(x, y) => rules.inactive_beside([x, y], [true, false], below(0), below(1)),
            Node::Next(time, _) => rules.each(below(0), |store, x| store.add(Node::Next(time.clone(), x))),
            Node::Globally(window, x) => rules.each(below(0), |store, clause| {
                let always = store.add(Node::Globally(window.clone(), x));
                let then = conjunction(store, clause, always);
                store.add(Node::Until(window.clone(), x, then))
            }),
            Node::Finally(window, x) => rules.each(below(0), |store, clause| {
                let not_x = store.not(x);
                let again = store.add(Node::Finally(window.clone(), x));
                let still = store.add(Node::Or(x, again));
                let then = conjunction(store, clause, still);
                store.add(Node::Until(window.clone(), not_x, then))
            }),
            Node::Until(window, x, y) => rules.inactive_until(&window, [x, y], below(0), below(1)),
            Node::Release(window, x, y) => {
                let negated = [rules.store.not(x), rules.store.not(y)];
                rules.inactive_until(&window, negated, below(0), below(1))
            }
        };
        total += made.len();
        if 10 * MOST < total {
            return None;
        }
        inactive.push(made);
    }
    inactive.pop().map(distinct)
}

struct Rules<'a> {
    store: &'a mut Store,
    exact: bool,
}

impl Rules<'_> {
    fn each(&mut self, clauses: &[Predicate], mut rule: impl FnMut(&mut Store, Formula) -> Formula) -> Vec<Predicate> {
        let apply = |clause: &Predicate| Predicate { formula: rule(self.store, clause.formula), clause: clause.clause };
        clauses.iter().map(apply).collect()
    }

    fn and(&mut self, [x, y]: [Formula; 2], of_x: &Causes, of_y: &Causes) -> Causes {
        let mut both = |xs: &[Predicate], ys: &[Predicate]| {
            let mut made = self.each(xs, |store, clause| conjunction(store, clause, y));
            made.extend(self.each(ys, |store, clause| conjunction(store, x, clause)));
            distinct(made)
        };
        Causes { positive: both(&of_x.positive, &of_y.positive), negative: both(&of_x.negative, &of_y.negative) }
    }

    fn or(&mut self, [x, y]: [Formula; 2], of_x: &Causes, of_y: &Causes) -> Causes {
        let (not_x, not_y) = (self.store.not(x), self.store.not(y));
        self.and([not_x, not_y], of_x, of_y)
    }

    fn next(&mut self, time: &RBig, of_x: &Causes) -> Causes {
        let mut later =
            |clauses: &[Predicate]| self.each(clauses, |store, clause| store.add(Node::Next(time.clone(), clause)));
        Causes { positive: later(&of_x.positive), negative: later(&of_x.negative) }
    }

    fn finally(&mut self, window: &Window, x: Formula, of_x: &Causes) -> Causes {
        let not_x = self.store.not(x);
        let never = self.store.add(Node::Globally(window.clone(), not_x));
        let exact = self.exact;
        let first = |store: &mut Store, goal: Formula| match (&window.upper, exact) {
            // Wait for the window, then for the first cause within it.
            (Some(upper), true) if window.lower <= *upper => {
                let rest = Window::new(RBig::ZERO, upper - &window.lower);
                let within = store.add(Node::Until(rest, not_x, goal));
                if window.lower.is_zero() { within } else { store.add(Node::Next(window.lower.clone(), within)) }
            }
            _ => store.add(Node::Until(window.clone(), not_x, goal)),
        };
        let positive = self.each(&of_x.positive, first);
        let negative = self.each(&of_x.negative, |store, clause| {
            if exact {
                let some = store.add(Node::Finally(window.clone(), clause));
                return conjunction(store, never, some);
            }
            let goal = conjunction(store, clause, never);
            store.add(Node::Until(window.clone(), not_x, goal))
        });
        Causes { positive, negative }
    }

    fn until(&mut self, window: &Window, [x, y]: [Formula; 2], of_x: &Causes, of_y: &Causes) -> Causes {
        let not_y = self.store.not(y);
        let waiting = conjunction(self.store, x, not_y);
        let whole = self.store.add(Node::Until(window.clone(), x, y));
        let not_whole = self.store.not(whole);
        if self.exact {
            return self.until_exact(window, [x, y], [waiting, whole], of_x, of_y);
        }
        let wait = |store: &mut Store, goal: Formula| store.add(Node::Until(window.clone(), waiting, goal));
        let mut positive = self.each(&of_x.positive, |store, clause| {
            let here = conjunction(store, clause, not_y);
            let goal = conjunction(store, here, whole);
            wait(store, goal)
        });
        positive.extend(self.each(&of_y.positive, wait));
        let mut negative = self.each(&of_x.negative, |store, clause| {
            let goal = conjunction(store, clause, not_y);
            wait(store, goal)
        });
        negative.extend(self.each(&of_y.negative, |store, clause| {
            let goal = conjunction(store, clause, not_whole);
            wait(store, goal)
        }));
        Causes { positive, negative }
    }

    /// Conjunctions with the whole or its negation, so that the verdict is implied.
    fn until_exact(
        &mut self,
        window: &Window,
        [x, y]: [Formula; 2],
        [waiting, whole]: [Formula; 2],
        of_x: &Causes,
        of_y: &Causes,
    ) -> Causes {
        let not_y = self.store.not(y);
        let not_whole = self.store.not(whole);
        let from_now = Window { lower: RBig::ZERO, upper: window.upper.clone() };
        let mut positive = self.each(&of_x.positive, |store, clause| {
            let here = conjunction(store, clause, not_y);
            let wait = store.add(Node::Until(from_now.clone(), waiting, here));
            conjunction(store, whole, wait)
        });
        positive.extend(self.each(&of_y.positive, |store, clause| {
            let goal = conjunction(store, clause, y);
            store.add(Node::Until(window.clone(), x, goal))
        }));
        let mut negative = self.each(&of_x.negative, |store, clause| {
            let broken = store.add(Node::Until(from_now.clone(), x, clause));
            conjunction(store, not_whole, broken)
        });
        negative.extend(self.each(&of_y.negative, |store, clause| {
            let held = store.add(Node::Globally(from_now.clone(), x));
            let never = store.add(Node::Finally(window.clone(), clause));
            let quiet = conjunction(store, held, never);
            conjunction(store, not_whole, quiet)
        }));
        Causes { positive, negative }
    }

    /// One side changes while the other decides: for each side, whether the other one decides by being false.
    fn inactive_beside(
        &mut self,
        [x, y]: [Formula; 2],
        [x_false, y_false]: [bool; 2],
        of_x: &[Predicate],
        of_y: &[Predicate],
    ) -> Vec<Predicate> {
        let signed = |store: &mut Store, formula, negated| if negated { store.not(formula) } else { formula };
        let (x, y) = (signed(self.store, x, x_false), signed(self.store, y, y_false));
        let mut made = self.each(of_x, |store, clause| conjunction(store, clause, y));
        made.extend(self.each(of_y, |store, clause| conjunction(store, x, clause)));
        made
    }

    fn inactive_until(
        &mut self,
        window: &Window,
        [x, y]: [Formula; 2],
        of_x: &[Predicate],
        of_y: &[Predicate],
    ) -> Vec<Predicate> {
        let not_y = self.store.not(y);
        let waiting = conjunction(self.store, x, not_y);
        let whole = self.store.add(Node::Until(window.clone(), x, y));
        let still = self.store.add(Node::Or(y, whole));
        let rule = |store: &mut Store, clause: Formula| {
            let goal = conjunction(store, clause, still);
            store.add(Node::Until(window.clone(), waiting, goal))
        };
        let mut made = self.each(of_x, rule);
        made.extend(self.each(of_y, rule));
        made
    }
}

fn flipped(causes: &Causes) -> Causes {
    Causes { positive: causes.negative.clone(), negative: causes.positive.clone() }
}

fn distinct(predicates: Vec<Predicate>) -> Vec<Predicate> {
    let mut seen = std::collections::HashSet::new();
    predicates.into_iter().filter(|predicate| seen.insert(predicate.formula)).collect()
}

/// A conjunction, with `x & x = x`, `x & (x | y) = x` and `!x & (x | y) = !x & y`.
fn conjunction(store: &mut Store, left: Formula, right: Formula) -> Formula {
    if left == right {
        return left;
    }
    if let Node::Or(first, second) = *store.node(right) {
        if first == left {
            return left;
        }
        if store.not(first) == left {
            return store.and(left, second);
        }
    }
    store.and(left, right)
}
