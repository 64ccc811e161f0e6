//! The logic of SMT-LIB that a script needs.

use value::Sort;

use crate::{Op, Term, Terms, Theory};

/// What the terms seen so far need.
#[derive(Default)]
pub(crate) struct Logic {
    seen: Vec<bool>,
    integers: bool,
    reals: bool,
    nonlinear: bool,
    bit_vectors: bool,
    arrays: bool,
    /// Something that no standard logic has: enumerations, conversions between integers and bit-vectors.
    others: bool,
}

impl Logic {
    /// Looks at a term and everything in it.
    pub(crate) fn note(&mut self, terms: &Terms, root: Term) {
        self.seen.resize(terms.len().max(self.seen.len()), false);
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if std::mem::replace(&mut self.seen[term.index()], true) {
                continue;
            }
            self.note_sort(terms.sort(term));
            let op = terms.op(term);
            self.others |= op.theory() == Theory::Conversion;
            let variables = terms.args(term).iter().filter(|arg| terms.value(**arg).is_none()).count();
            self.nonlinear |= match op {
                Op::Mul => 1 < variables,
                Op::Div | Op::Mod | Op::Divide => terms.value(terms.args(term)[1]).is_none(),
                _ => false,
            };
            open.extend(terms.args(term));
        }
    }

    fn note_sort(&mut self, sort: &Sort) {
        match sort {
            Sort::Bool => {}
            Sort::Int => self.integers = true,
            Sort::Real => self.reals = true,
            Sort::BitVec(_) => self.bit_vectors = true,
            Sort::Enum(_) => self.others = true,
            Sort::Array(parts) => {
                self.arrays = true;
                self.note_sort(&parts.0);
                self.note_sort(&parts.1);
            }
        }
    }

    /// The least logic with a name that has all of it; `ALL` where there is none.
    pub(crate) fn name(&self) -> String {
        let arithmetic = match (self.integers, self.reals) {
            (false, false) => "",
            (true, false) => "IA",
            (false, true) => "RA",
            (true, true) => "IRA",
        };
        if self.others || self.bit_vectors && !arithmetic.is_empty() {
            return "ALL".to_owned();
        }
        let order = if self.nonlinear { "N" } else { "L" };
        match (self.arrays, self.bit_vectors, arithmetic) {
            (false, false, "") => "QF_UF".to_owned(),
            (true, false, "") => "QF_AX".to_owned(),
            (false, true, _) => "QF_BV".to_owned(),
            (true, true, _) => "QF_ABV".to_owned(),
            (false, false, arithmetic) => format!("QF_{order}{arithmetic}"),
            (true, false, arithmetic) => format!("QF_A{order}{arithmetic}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(facts: &dyn Fn(&mut Terms) -> Vec<Term>) -> String {
        let mut terms = Terms::new();
        let facts = facts(&mut terms);
        let mut logic = Logic::default();
        facts.into_iter().for_each(|fact| logic.note(&terms, fact));
        logic.name()
    }

    #[test]
    fn the_least_logic_is_named() {
        let product = |terms: &mut Terms, sort: &Sort, constant: bool| {
            let x = terms.symbol("x", sort);
            let y = if constant { terms.int(3) } else { terms.symbol("y", sort) };
            let product = terms.app(Op::Mul, &[x, y]);
            vec![terms.app(Op::Lt, &[product, x])]
        };
        assert_eq!(name(&|terms| vec![terms.symbol("a", &Sort::Bool)]), "QF_UF");
        assert_eq!(name(&|terms| product(terms, &Sort::Int, true)), "QF_LIA");
        assert_eq!(name(&|terms| product(terms, &Sort::Int, false)), "QF_NIA");
        assert_eq!(name(&|terms| product(terms, &Sort::Real, false)), "QF_NRA");
        let bits = |terms: &mut Terms| {
            let v = terms.symbol("v", &Sort::BitVec(8));
            terms.app(Op::BvUlt, &[v, v])
        };
        assert_eq!(name(&|terms| vec![bits(terms)]), "QF_BV");
        assert_eq!(name(&|terms| [vec![bits(terms)], product(terms, &Sort::Int, true)].concat()), "ALL");
    }
}
