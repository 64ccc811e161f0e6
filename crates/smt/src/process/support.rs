//! Which terms a solver does not decide.

use value::{Sort, Value};

use super::SolverProgram;
use crate::{Op, Term, Terms, Theories, Theory};

/// Remembers the terms it has looked at.
#[derive(Default)]
pub(super) struct Support {
    seen: Vec<bool>,
}

impl Support {
    /// What in the cone of `root` the program does not decide.
    pub(super) fn lack(&mut self, terms: &Terms, program: &SolverProgram, root: Term) -> Option<String> {
        let theories = &program.capabilities.theories;
        self.seen.resize(terms.len().max(self.seen.len()), false);
        let (mut open, mut visited) = (vec![root], Vec::new());
        while let Some(term) = open.pop() {
            if self.seen[term.index()] {
                continue;
            }
            if let Some(lack) = of_sort(theories, terms.sort(term)).or_else(|| of_operator(terms, program, term)) {
                visited.into_iter().for_each(|term: Term| self.seen[term.index()] = false);
                return Some(lack);
            }
            visited.push(term);
            self.seen[term.index()] = true;
            open.extend(terms.args(term));
        }
        None
    }
}

fn of_sort(theories: &Theories, sort: &Sort) -> Option<String> {
    let (supported, what) = match sort {
        Sort::Bool => return None,
        Sort::Int => (theories.integers, "integers"),
        Sort::Real => (theories.reals, "reals"),
        Sort::BitVec(_) => (theories.bit_vectors, "bit-vectors"),
        Sort::Enum(_) => (theories.enumerations, "enumerations"),
        Sort::Array(parts) if theories.arrays => {
            return of_sort(theories, &parts.0).or_else(|| of_sort(theories, &parts.1));
        }
        Sort::Array(_) => (false, "arrays"),
    };
    (!supported).then(|| what.to_owned())
}

fn of_operator(terms: &Terms, program: &SolverProgram, term: Term) -> Option<String> {
    let op = terms.op(term);
    let is_variable = |arg: &&Term| terms.value(**arg).is_none();
    let variables = || terms.args(term).iter().filter(is_variable).count();
    let nonlinear = match op {
        Op::Mul => 1 < variables(),
        Op::Div | Op::Mod | Op::Divide => terms.value(terms.args(term)[1]).is_none(),
        _ => false,
    };
    if nonlinear && !program.capabilities.theories.nonlinear {
        return Some("products and quotients of variables".to_owned());
    }
    let constant_array = matches!(terms.value(term), Some(Value::Array(_)));
    if program.gaps.contains(&op) || constant_array && program.gaps.contains(&Op::ConstArray) {
        let what = if op.theory() == Theory::Core { "constant arrays".to_owned() } else { format!("`{}`", op.name()) };
        return Some(what);
    }
    if program.constants_only.contains(&op) && 0 < variables() {
        return Some(format!("`{}` of something that is not a constant", op.name()));
    }
    None
}
