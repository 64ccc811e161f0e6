//! From the user's terms to a smaller language: the first of two passes.
//!
//! The solver keeps an arena of its own. There, arrays are gone (see [`arrays`]), real arithmetic is gone (only
//! comparisons of variables and constants remain, see [`forms`]), and of the comparisons of numbers only `=` and `<=`
//! are left. What cannot be said in that language is reported here, before anything is solved.

mod arrays;
mod build;
mod forms;
mod polynomial;

use std::sync::Arc;

use dashu_int::ops::BitTest;
use smt::{Evaluator, Model, Op, Term, Terms};
use value::{Sort, Value};

use arrays::{ArrayId, Arrays};
use build::build;
use forms::Form;

pub(crate) use arrays::ArraySymbol;

/// Why a term cannot be taken, as the end of "the solver does not decide …".
pub(crate) type Reason = String;

/// The widest bit-vector.
const WIDEST: u32 = 1 << 16;
/// The widest bit-vector that is multiplied or divided.
const WIDEST_PRODUCT: u32 = 1 << 11;
/// The widest integer constant.
const WIDEST_INTEGER: usize = 1 << 10;

/// The first pass, with all it has seen.
pub(crate) struct Reducer {
    pub(crate) arena: Terms,
    done: Vec<Option<Reduced>>,
    arrays: Arrays,
    /// Facts about the fresh symbols of the arena; they hold for good.
    axioms: Vec<Term>,
    /// The symbols seen: the user's, and what became of it.
    symbols: Vec<(Term, Meaning)>,
}

/// What a symbol of the user became.
#[derive(Clone, Copy)]
pub(crate) enum Meaning {
    /// A symbol of our arena.
    Symbol(Term),
    /// An array, known by what is read from it.
    Array(ArrayId),
}

#[derive(Clone)]
enum Reduced {
    Term(Term),
    Real(Arc<Form>),
    Array(ArrayId),
}

impl Reducer {
    pub(crate) fn new() -> Reducer {
        Reducer {
            arena: Terms::new(),
            done: Vec::new(),
            arrays: Arrays::default(),
            axioms: Vec::new(),
            symbols: Vec::new(),
        }
    }

    /// The term of our arena that stands for a Boolean term of the user's.
    pub(crate) fn reduce(&mut self, terms: &Terms, root: Term) -> Result<Term, Reason> {
        self.done.resize_with(self.done.len().max(terms.len()), || None);
        let mut open = vec![root];
        while let Some(&term) = open.last() {
            if self.done[term.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(terms.args(term).iter().filter(|arg| self.done[arg.index()].is_none()));
            if open.len() == before {
                open.pop();
                let reduced = self.step(terms, term)?;
                self.done[term.index()] = Some(reduced);
            }
        }
        self.arrays.close(&mut self.arena, &mut self.axioms)?;
        Ok(self.term(root))
    }

    /// The axioms since the last call.
    pub(crate) fn take_axioms(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.axioms)
    }

    /// The symbols seen so far.
    pub(crate) fn symbols(&self) -> &[(Term, Meaning)] {
        &self.symbols
    }

    /// What is known of an array symbol.
    pub(crate) fn array(&self, id: ArrayId) -> &ArraySymbol {
        self.arrays.symbol(id)
    }

    /// Adds axioms about the reads that a model breaks, the array symbols being known only by some of them. Whether there
    /// were any.
    pub(crate) fn refine(&mut self, model: &Model) -> bool {
        let mut evaluator = Evaluator::new(&self.arena, model);
        let mut found = Vec::new();
        for &(_, meaning) in &self.symbols {
            if let Meaning::Array(id) = meaning
                && self.array(id).has_unrelated_reads()
            {
                let broken = self.array(id).broken(&mut evaluator);
                found.extend((!broken.is_empty()).then_some((id, broken)));
            }
        }
        for (id, pairs) in &found {
            self.arrays.relate(&mut self.arena, &mut self.axioms, *id, pairs);
        }
        !found.is_empty()
    }

    /// Whether [`Reducer::refine`] may find something.
    pub(crate) fn may_refine(&self) -> bool {
        let has = |meaning| matches!(meaning, Meaning::Array(id) if self.array(id).has_unrelated_reads());
        self.symbols.iter().any(|&(_, meaning)| has(meaning))
    }

    fn step(&mut self, terms: &Terms, term: Term) -> Result<Reduced, Reason> {
        let (op, sort, args) = (terms.op(term), terms.sort(term), terms.args(term));
        self.check_width(terms, term)?;
        match op {
            Op::Symbol => return self.symbol(terms, term),
            Op::Constant => {
                let value = terms.value(term).expect("a constant has a value");
                return self.constant(value);
            }
            _ => {}
        }
        match sort {
            Sort::Array(_) => return self.array_step(terms, term).map(Reduced::Array),
            Sort::Real if op != Op::Select => {
                return self.real_step(terms, term).map(|form| Reduced::Real(Arc::new(form)));
            }
            _ => {}
        }
        let first = args.first().map(|&arg| terms.sort(arg).clone());
        let reduced = match (op, first) {
            (Op::Select, _) => {
                let index = self.plain(args[1])?;
                let array = self.array_id(args[0]);
                let read = self.arrays.read(&mut self.arena, &mut self.axioms, array, index);
                return Ok(self.plain_result(read));
            }
            (Op::Eq, _) => self.equal(args[0], args[1])?,
            (Op::Distinct, _) => self.distinct(args)?,
            (Op::Lt | Op::Le | Op::Gt | Op::Ge, Some(Sort::Real)) => {
                let (left, right) = (self.form(args[0]), self.form(args[1]));
                forms::compare(&mut self.arena, op, &left, &right)?
            }
            (Op::ToInt, _) => {
                let form = self.form(args[0]);
                forms::floor(&mut self.arena, &form)?
            }
            (Op::IsInt, _) => {
                let form = self.form(args[0]);
                forms::is_integer(&mut self.arena, &form)?
            }
            _ => {
                let args: Vec<Term> = args.iter().map(|&arg| self.term(arg)).collect();
                build(&mut self.arena, op, terms.indices(term), &args)
            }
        };
        Ok(Reduced::Term(reduced))
    }

    fn check_width(&self, terms: &Terms, term: Term) -> Result<(), Reason> {
        let op = terms.op(term);
        let widest = match op {
            Op::BvMul | Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => WIDEST_PRODUCT,
            _ => WIDEST,
        };
        match terms.width(term) {
            Some(width) if widest < width => Err(format!("`{}` of {width} bits", display_op(op))),
            _ => Ok(()),
        }
    }

    fn symbol(&mut self, terms: &Terms, term: Term) -> Result<Reduced, Reason> {
        let name = terms.name(term).expect("a symbol has a name");
        let sort = terms.sort(term);
        if let Sort::Array(parts) = sort {
            let id = self.arrays.new_symbol(&parts.0, &parts.1)?;
            self.symbols.push((term, Meaning::Array(id)));
            return Ok(Reduced::Array(id));
        }
        let symbol = self.arena.symbol(name, sort);
        self.symbols.push((term, Meaning::Symbol(symbol)));
        Ok(self.plain_result(symbol))
    }

    fn constant(&mut self, value: &Value) -> Result<Reduced, Reason> {
        Ok(match value {
            Value::Array(array) => {
                let default = self.arena.constant(array.default().clone());
                let mut id = self.arrays.constant(array.index_sort(), array.element_sort(), default)?;
                for (index, element) in array.entries() {
                    let (index, element) = (self.arena.constant(index.clone()), self.arena.constant(element.clone()));
                    id = self.arrays.store(id, index, element);
                }
                Reduced::Array(id)
            }
            Value::Real(number) => Reduced::Real(Arc::new(Form::constant(&self.arena, number.clone()))),
            Value::Int(number) if WIDEST_INTEGER < number.bit_len() => {
                return Err(format!("integers of {} bits", number.bit_len()));
            }
            Value::Bool(_) | Value::Int(_) | Value::BitVec(_) | Value::Enum(_) => {
                Reduced::Term(self.arena.constant(value.clone()))
            }
        })
    }

    fn array_step(&mut self, terms: &Terms, term: Term) -> Result<ArrayId, Reason> {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Store => {
                let (index, element) = (self.plain(args[1])?, self.plain(args[2])?);
                Ok(self.arrays.store(self.array_id(args[0]), index, element))
            }
            Op::ConstArray => {
                let Sort::Array(parts) = terms.sort(term) else { unreachable!("a constant array is an array") };
                let element = self.plain(args[0])?;
                self.arrays.constant(&parts.0, &parts.1, element)
            }
            Op::Ite => {
                let condition = self.term(args[0]);
                Ok(self.arrays.choose(condition, self.array_id(args[1]), self.array_id(args[2])))
            }
            other => Err(format!("`{}` of an array", display_op(other))),
        }
    }

    fn real_step(&mut self, terms: &Terms, term: Term) -> Result<Form, Reason> {
        let args = terms.args(term);
        let arena = &mut self.arena;
        if terms.op(term) == Op::ToReal {
            let Some(Reduced::Term(integer)) = self.done[args[0].index()] else {
                unreachable!("an integer reduces to a term")
            };
            return Ok(Form::variable(arena, integer));
        }
        if terms.op(term) == Op::Ite {
            let condition = self.term(args[0]);
            let (then, otherwise) = (self.form(args[1]), self.form(args[2]));
            return forms::choose(&mut self.arena, condition, &then, &otherwise);
        }
        let args: Vec<Arc<Form>> = args.iter().map(|&arg| self.form(arg)).collect();
        forms::arithmetic(&mut self.arena, terms.op(term), &args)
    }

    fn equal(&mut self, left: Term, right: Term) -> Result<Term, Reason> {
        match (self.reduced(left), self.reduced(right)) {
            (Reduced::Real(left), Reduced::Real(right)) => forms::compare(&mut self.arena, Op::Eq, &left, &right),
            (Reduced::Array(left), Reduced::Array(right)) => {
                Ok(self.arrays.equal(&mut self.arena, &mut self.axioms, left, right))
            }
            (Reduced::Term(left), Reduced::Term(right)) => Ok(build(&mut self.arena, Op::Eq, [0, 0], &[left, right])),
            _ => unreachable!("the sides of an equality have one sort"),
        }
    }

    fn distinct(&mut self, args: &[Term]) -> Result<Term, Reason> {
        let mut parts = Vec::new();
        for (place, &left) in args.iter().enumerate() {
            for &right in &args[place + 1..] {
                let equal = self.equal(left, right)?;
                parts.push(build(&mut self.arena, Op::Not, [0, 0], &[equal]));
            }
        }
        Ok(build(&mut self.arena, Op::And, [0, 0], &parts))
    }

    /// A term of our arena as the result for one of the user's.
    fn plain_result(&self, term: Term) -> Reduced {
        match self.arena.sort(term) {
            Sort::Real => Reduced::Real(Arc::new(match self.arena.value(term) {
                Some(Value::Real(number)) => Form::constant(&self.arena, number.clone()),
                _ => Form::variable(&self.arena, term),
            })),
            _ => Reduced::Term(term),
        }
    }

    /// The term of our arena for a term of the user's that is not an array.
    fn plain(&mut self, term: Term) -> Result<Term, Reason> {
        match self.reduced(term) {
            Reduced::Term(term) => Ok(term),
            Reduced::Real(form) => form.plain(&mut self.arena).ok_or_else(|| "computed reals in arrays".to_owned()),
            Reduced::Array(_) => Err("arrays of arrays".to_owned()),
        }
    }

    fn reduced(&self, term: Term) -> Reduced {
        self.done[term.index()].clone().expect("arguments are reduced before their terms")
    }

    fn term(&self, term: Term) -> Term {
        match self.done[term.index()] {
            Some(Reduced::Term(term)) => term,
            _ => unreachable!("terms that are neither reals nor arrays reduce to terms"),
        }
    }

    fn form(&self, term: Term) -> Arc<Form> {
        match &self.done[term.index()] {
            Some(Reduced::Real(form)) => form.clone(),
            _ => unreachable!("reals reduce to forms"),
        }
    }

    fn array_id(&self, term: Term) -> ArrayId {
        match self.done[term.index()] {
            Some(Reduced::Array(id)) => id,
            _ => unreachable!("arrays reduce to arrays"),
        }
    }
}

fn display_op(op: Op) -> &'static str {
    match op {
        Op::Symbol => "symbol",
        Op::Constant => "constant",
        other => other.name(),
    }
}
