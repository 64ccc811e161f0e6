//! A normal form for any formula: a Boolean combination of `G F p`, `F G q` and formulas without a strong operator under
//! a weak one, with `p` a guarantee and `q` a safety formula. Each of these has a deterministic automaton.
//!
//! The rewriting is that of Esparza, Rubio and Sickert, "A simple rewrite system for the normalization of linear temporal
//! logic" (2023). Strong operators are `F U M`, weak ones `G W R`.

use crate::formulas::{Binary, Formula, Formulas, Node, Unary};
use crate::simplify::simplify;

/// How deeply formulas may be nested, and how many steps the rewriting may take.
const DEEPEST: u32 = 100;
const MOST_STEPS: u32 = 4000;

/// The normal form of a formula; none if it would become too large.
pub fn normal_form(formulas: &mut Formulas, root: Formula) -> Option<Formula> {
    let root = simplify(formulas, root);
    let mut rewriting = Rewriting { formulas, steps: 0, depth: 0 };
    let flat = rewriting.flatten(root)?;
    rewriting.pull(flat)
}

struct Rewriting<'a> {
    formulas: &'a mut Formulas,
    steps: u32,
    depth: u32,
}

impl Rewriting<'_> {
    fn step(&mut self) -> Option<()> {
        self.steps += 1;
        (self.steps < MOST_STEPS).then_some(())
    }

    fn small(&mut self, formula: Formula) -> Formula {
        simplify(self.formulas, formula)
    }

    /// Whether a formula is `G F p` or `F G p`: what holds of it now holds of it always.
    fn is_limit(&self, formula: Formula) -> bool {
        match self.formulas.node(formula) {
            Node::Unary(Unary::Globally, inner) => {
                matches!(self.formulas.node(inner), Node::Unary(Unary::Finally, _))
            }
            Node::Unary(Unary::Finally, inner) => {
                matches!(self.formulas.node(inner), Node::Unary(Unary::Globally, _))
            }
            Node::Constant(_) | Node::Atom(_) | Node::Unary(..) | Node::Binary(..) => false,
        }
    }

    /// The subformulas that are not inside a limit, parents first, limits themselves included.
    fn visible(&self, root: Formula) -> Vec<Formula> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![root];
        while let Some(formula) = open.pop() {
            if seen.insert(formula) {
                found.push(formula);
                if !self.is_limit(formula) {
                    open.extend(self.formulas.arguments(formula));
                }
            }
        }
        found
    }

    fn is_strong(&self, formula: Formula) -> bool {
        !self.is_limit(formula)
            && matches!(
                self.formulas.node(formula),
                Node::Unary(Unary::Finally, _) | Node::Binary(Binary::Until | Binary::StrongRelease, ..)
            )
    }

    fn is_weak(&self, formula: Formula) -> bool {
        !self.is_limit(formula)
            && matches!(
                self.formulas.node(formula),
                Node::Unary(Unary::Globally, _) | Node::Binary(Binary::Release | Binary::WeakUntil, ..)
            )
    }

    /// A formula with one subformula replaced outside of limits.
    fn replace(&mut self, root: Formula, from: Formula, to: Formula) -> Formula {
        let mut visible = self.visible(root);
        visible.sort_unstable();
        let mut new: rustc_hash::FxHashMap<Formula, Formula> = rustc_hash::FxHashMap::default();
        for formula in visible {
            let rebuilt = if formula == from {
                to
            } else if self.is_limit(formula) {
                formula
            } else {
                match self.formulas.node(formula) {
                    Node::Constant(_) | Node::Atom(_) => formula,
                    Node::Unary(operator, argument) => self.formulas.unary(operator, new[&argument]),
                    Node::Binary(operator, left, right) => self.formulas.binary(operator, new[&left], new[&right]),
                }
            };
            new.insert(formula, rebuilt);
        }
        new[&root]
    }

    /// A topmost strong subformula that is not inside a limit.
    fn strong_inside(&self, root: Formula) -> Option<Formula> {
        self.visible(root).into_iter().find(|formula| self.is_strong(*formula))
    }

    /// The promise of a strong formula, and its weak counterpart.
    fn weaken(&mut self, strong: Formula) -> (Formula, Formula) {
        match self.formulas.node(strong) {
            Node::Unary(_, argument) => (argument, self.formulas.constant(true)),
            Node::Binary(Binary::Until, left, right) => (right, self.formulas.binary(Binary::WeakUntil, left, right)),
            Node::Binary(_, left, right) => {
                let both = self.formulas.binary(Binary::And, left, right);
                (both, self.formulas.binary(Binary::Release, left, right))
            }
            Node::Constant(_) | Node::Atom(_) => unreachable!("a strong formula has a strong operator"),
        }
    }

    /// An equivalent formula without a strong operator under a weak one, limits aside; their insides are flat too.
    fn flatten(&mut self, formula: Formula) -> Option<Formula> {
        self.step()?;
        self.depth += 1;
        if DEEPEST < self.depth {
            return None;
        }
        let result = self.flatten_node(formula)?;
        self.depth -= 1;
        Some(self.small(result))
    }

    fn flatten_node(&mut self, formula: Formula) -> Option<Formula> {
        if self.is_limit(formula) {
            return self.limit(formula);
        }
        match self.formulas.node(formula) {
            Node::Constant(_) | Node::Atom(_) | Node::Unary(Unary::Not, _) => Some(formula),
            Node::Unary(Unary::Globally, argument) => {
                let argument = self.flatten(argument)?;
                let nothing = self.formulas.constant(false);
                self.weak_until(argument, nothing)
            }
            Node::Unary(operator, argument) => {
                let argument = self.flatten(argument)?;
                Some(self.formulas.unary(operator, argument))
            }
            Node::Binary(Binary::WeakUntil, left, right) => {
                let (left, right) = (self.flatten(left)?, self.flatten(right)?);
                self.weak_until(left, right)
            }
            Node::Binary(Binary::Release, left, right) => {
                let (left, right) = (self.flatten(left)?, self.flatten(right)?);
                let both = self.formulas.binary(Binary::And, left, right);
                let both = self.small(both);
                self.weak_until(right, both)
            }
            Node::Binary(operator, left, right) => {
                let (left, right) = (self.flatten(left)?, self.flatten(right)?);
                Some(self.formulas.binary(operator, left, right))
            }
        }
    }

    /// `left W right` of flat formulas, flat.
    fn weak_until(&mut self, left: Formula, right: Formula) -> Option<Formula> {
        self.step()?;
        if self.strong_inside(right).is_some() {
            // a W b = a U b | G a
            let until = self.formulas.binary(Binary::Until, left, right);
            let nothing = self.formulas.constant(false);
            let always = self.weak_until(left, nothing)?;
            return Some(self.formulas.binary(Binary::Or, until, always));
        }
        let Some(strong) = self.strong_inside(left) else {
            return Some(self.formulas.binary(Binary::WeakUntil, left, right));
        };
        let (promise, weak) = self.weaken(strong);
        // Either the promise is kept for ever, and the strong formula may as well be weak …
        let again = self.formulas.unary(Unary::Finally, promise);
        let again = self.formulas.unary(Unary::Globally, again);
        let again = self.flatten(again)?;
        let weakened = self.replace(left, strong, weak);
        let weakened = self.flatten(weakened)?;
        let first = self.weak_until(weakened, right)?;
        let first = self.formulas.binary(Binary::And, again, first);
        // … or it is broken for ever from some step on.
        let falsum = self.formulas.constant(false);
        let broken = self.replace(left, strong, falsum);
        let broken = self.flatten(broken)?;
        let broken = self.weak_until(broken, falsum)?;
        let end = self.formulas.binary(Binary::Or, right, broken);
        let second = self.formulas.binary(Binary::Until, left, end);
        Some(self.formulas.binary(Binary::Or, first, second))
    }

    /// A limit as a Boolean combination of limits of guarantees under `G F` and of safety formulas under `F G`.
    fn limit(&mut self, formula: Formula) -> Option<Formula> {
        self.step()?;
        let (outer, inner) = match self.formulas.node(formula) {
            Node::Unary(outer, middle) => match self.formulas.node(middle) {
                Node::Unary(_, inner) => (outer, inner),
                Node::Constant(_) | Node::Atom(_) | Node::Binary(..) => return Some(formula),
            },
            Node::Constant(_) | Node::Atom(_) | Node::Binary(..) => return Some(formula),
        };
        let visible = self.visible(inner);
        if let Some(&nested) = visible.iter().find(|part| self.is_limit(**part)) {
            let (yes, no) = self.cases(formula, inner, outer, nested)?;
            return Some(self.formulas.binary(Binary::Or, yes, no));
        }
        let (yes, no) = if outer == Unary::Globally {
            let Some(&weak) = visible.iter().find(|part| self.is_weak(**part)) else { return Some(formula) };
            let (kept, strong) = self.strengthen(weak);
            // G F f[a W b] = G F f[a U b] | F G a & G F f[true]
            let strengthened = self.replace(inner, weak, strong);
            let first = self.limit_of(Unary::Globally, Unary::Finally, strengthened)?;
            let always = self.limit_of(Unary::Finally, Unary::Globally, kept)?;
            let verum = self.formulas.constant(true);
            let given = self.replace(inner, weak, verum);
            let given = self.limit_of(Unary::Globally, Unary::Finally, given)?;
            (first, self.formulas.binary(Binary::And, always, given))
        } else {
            let Some(&strong) = visible.iter().find(|part| self.is_strong(**part)) else { return Some(formula) };
            let (promise, weak) = self.weaken(strong);
            // F G f[a U b] = G F b & F G f[a W b] | F G f[false]
            let again = self.limit_of(Unary::Globally, Unary::Finally, promise)?;
            let weakened = self.replace(inner, strong, weak);
            let weakened = self.limit_of(Unary::Finally, Unary::Globally, weakened)?;
            let falsum = self.formulas.constant(false);
            let broken = self.replace(inner, strong, falsum);
            let broken = self.limit_of(Unary::Finally, Unary::Globally, broken)?;
            (self.formulas.binary(Binary::And, again, weakened), broken)
        };
        Some(self.formulas.binary(Binary::Or, yes, no))
    }

    fn limit_of(&mut self, outer: Unary, inner: Unary, formula: Formula) -> Option<Formula> {
        let formula = self.formulas.unary(inner, formula);
        let formula = self.formulas.unary(outer, formula);
        let formula = self.small(formula);
        self.flatten(formula)
    }

    /// What a weak formula does if it is never released, and its strong counterpart.
    fn strengthen(&mut self, weak: Formula) -> (Formula, Formula) {
        match self.formulas.node(weak) {
            Node::Unary(_, argument) => (argument, self.formulas.constant(false)),
            Node::Binary(Binary::WeakUntil, left, right) => (left, self.formulas.binary(Binary::Until, left, right)),
            Node::Binary(_, left, right) => (right, self.formulas.binary(Binary::StrongRelease, left, right)),
            Node::Constant(_) | Node::Atom(_) => unreachable!("a weak formula has a weak operator"),
        }
    }

    /// A limit inside a limit is true or false for ever.
    fn cases(&mut self, formula: Formula, inner: Formula, outer: Unary, nested: Formula) -> Option<(Formula, Formula)> {
        let middle = if outer == Unary::Globally { Unary::Finally } else { Unary::Globally };
        debug_assert!(self.is_limit(formula), "only limits are split here");
        let verum = self.formulas.constant(true);
        let given = self.replace(inner, nested, verum);
        let given = self.limit_of(outer, middle, given)?;
        let own = self.flatten(nested)?;
        let yes = self.formulas.binary(Binary::And, own, given);
        let falsum = self.formulas.constant(false);
        let refused = self.replace(inner, nested, falsum);
        let no = self.limit_of(outer, middle, refused)?;
        Some((yes, no))
    }

    /// Pulls limits out of temporal operators: whether one holds is the same in every step.
    fn pull(&mut self, formula: Formula) -> Option<Formula> {
        self.step()?;
        self.depth += 1;
        if DEEPEST < self.depth {
            return None;
        }
        let result = match self.formulas.node(formula) {
            _ if self.is_limit(formula) => formula,
            Node::Constant(_) | Node::Atom(_) | Node::Unary(Unary::Not, _) => formula,
            Node::Binary(operator @ (Binary::And | Binary::Or), left, right) => {
                let (left, right) = (self.pull(left)?, self.pull(right)?);
                self.formulas.binary(operator, left, right)
            }
            Node::Unary(..) | Node::Binary(..) => {
                let nested = self.visible(formula).into_iter().find(|part| self.is_limit(*part));
                match nested {
                    None => formula,
                    Some(nested) => {
                        let verum = self.formulas.constant(true);
                        let given = self.replace(formula, nested, verum);
                        let given = self.small(given);
                        let given = self.pull(given)?;
                        let falsum = self.formulas.constant(false);
                        let refused = self.replace(formula, nested, falsum);
                        let refused = self.small(refused);
                        let refused = self.pull(refused)?;
                        let yes = self.formulas.binary(Binary::And, nested, given);
                        self.formulas.binary(Binary::Or, yes, refused)
                    }
                }
            }
        };
        self.depth -= 1;
        Some(self.small(result))
    }
}
