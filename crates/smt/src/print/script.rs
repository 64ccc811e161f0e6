//! Scripts: declarations on demand, and a definition for every subterm that is shared or deep.

use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use value::{EnumSort, Sort, Value};

use super::body::write_body;
use super::names::{Enumeration, Names};
use super::value::{append, write_sort};
use crate::{Op, Term, Terms};

/// Solvers read expressions recursively, so deeper ones are cut into definitions.
const DEEPEST: u32 = 50;

/// The script that asserts `facts` and asks whether they are satisfiable.
pub fn print_script(terms: &Terms, facts: &[Term]) -> String {
    let mut out = String::from("(set-logic ALL)\n");
    let mut writer = ScriptWriter::new();
    for &fact in facts {
        writer.assert(terms, fact, &mut out);
    }
    out.push_str("(check-sat)\n");
    out
}

/// Writes terms into a growing script and remembers what the script has declared and defined so far.
pub struct ScriptWriter {
    naming: Naming,
    /// What the scopes declared, so that the end of a scope forgets it.
    log: Vec<Entry>,
    scopes: Vec<usize>,
    /// Boolean constants that stand for assumptions which are not literals.
    proxies: HashMap<Term, Arc<str>, FxBuildHasher>,
}

/// What has a name in the script at this point.
pub(super) struct Naming {
    pub(super) names: Names,
    states: Vec<State>,
    enumerations: Vec<Arc<EnumSort>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    /// Written before, as a part of something.
    Seen,
    /// Declared, if it is a symbol; otherwise defined.
    Named,
}

enum Entry {
    Term(Term),
    Enumeration,
    Proxy(Term),
}

impl Naming {
    fn new(names: Names) -> Naming {
        Naming { names, states: Vec::new(), enumerations: Vec::new() }
    }

    /// The name that stands for a term, if it has been defined.
    pub(super) fn name(&mut self, term: Term) -> Option<Arc<str>> {
        (self.state(term) == State::Named && !self.names.is_symbol(term)).then(|| self.names.definition(term))
    }

    fn state(&self, term: Term) -> State {
        self.states.get(term.index()).copied().unwrap_or(State::New)
    }

    fn set(&mut self, term: Term, state: State) {
        if self.states.len() <= term.index() {
            self.states.resize(term.index() + 1, State::New);
        }
        self.states[term.index()] = state;
    }
}

impl Default for ScriptWriter {
    fn default() -> Self {
        ScriptWriter::new()
    }
}

impl ScriptWriter {
    /// A writer at the start of a script, with names as close to the terms' as possible.
    pub fn new() -> ScriptWriter {
        ScriptWriter::with_names(Names::plain())
    }

    pub(crate) fn with_names(names: Names) -> ScriptWriter {
        ScriptWriter { naming: Naming::new(names), log: Vec::new(), scopes: Vec::new(), proxies: HashMap::default() }
    }

    pub(crate) fn names(&mut self) -> &mut Names {
        &mut self.naming.names
    }

    /// The symbols that are declared at this point, in order of declaration.
    pub(crate) fn declared(&self, terms: &Terms) -> Vec<Term> {
        let symbol = |entry: &Entry| match entry {
            Entry::Term(term) if terms.op(*term) == Op::Symbol => Some(*term),
            Entry::Term(_) | Entry::Enumeration | Entry::Proxy(_) => None,
        };
        self.log.iter().filter_map(symbol).collect()
    }

    /// The enumerations that are declared at this point, with their names.
    pub(crate) fn enumerations(&mut self) -> Vec<(Arc<EnumSort>, Enumeration)> {
        let Naming { names, enumerations, .. } = &mut self.naming;
        enumerations.iter().map(|sort| (sort.clone(), names.enumeration(sort))).collect()
    }

    /// Writes an assertion, after the declarations it needs.
    pub fn assert(&mut self, terms: &Terms, fact: Term, out: &mut String) {
        let text = self.expression(terms, fact, out);
        append(out, format_args!("(assert {text})\n"));
    }

    /// Writes what an assumption needs, and returns the literal that stands for it: `check-sat-assuming` takes no
    /// other terms.
    pub fn literal(&mut self, terms: &Terms, assumption: Term, out: &mut String) -> String {
        let (inner, negated) = match terms.op(assumption) {
            Op::Not => (terms.args(assumption)[0], true),
            _ => (assumption, false),
        };
        if terms.op(inner) == Op::Symbol {
            let name = self.expression(terms, inner, out);
            return if negated { format!("(not {name})") } else { name };
        }
        if let Some(proxy) = self.proxies.get(&assumption) {
            return proxy.to_string();
        }
        let expression = self.expression(terms, assumption, out);
        let proxy = self.naming.names.fresh("$assumed");
        append(out, format_args!("(declare-const {proxy} Bool)\n(assert (=> {proxy} {expression}))\n"));
        self.proxies.insert(assumption, proxy.clone());
        self.log.push(Entry::Proxy(assumption));
        proxy.to_string()
    }

    /// The command that asks whether the facts and these literals can hold.
    pub fn question(literals: &[String]) -> String {
        match literals.is_empty() {
            true => "(check-sat)".to_owned(),
            false => format!("(check-sat-assuming ({}))", literals.join(" ")),
        }
    }

    /// Opens a scope.
    pub fn push(&mut self, out: &mut String) {
        self.scopes.push(self.log.len());
        out.push_str("(push 1)\n");
    }

    /// Closes the innermost scope and forgets what it declared; nothing if there is none.
    pub fn pop(&mut self, out: &mut String) {
        let Some(start) = self.scopes.pop() else { return };
        for entry in self.log.drain(start..) {
            match entry {
                Entry::Term(term) => self.naming.set(term, State::Seen),
                Entry::Enumeration => drop(self.naming.enumerations.pop()),
                Entry::Proxy(term) => drop(self.proxies.remove(&term)),
            }
        }
        out.push_str("(pop 1)\n");
    }

    /// Writes the declarations and definitions that `root` needs, and returns the expression that stands for it.
    pub fn expression(&mut self, terms: &Terms, root: Term, out: &mut String) -> String {
        for (term, plan) in plan(terms, &self.naming, root, DEEPEST) {
            self.sort(terms.sort(term), out);
            match plan {
                Plan::Leaf => self.leaf(terms, term, out),
                Plan::Inline => self.naming.set(term, State::Seen),
                Plan::Define => {
                    append(out, format_args!("(define-fun {} () ", self.naming.names.definition(term)));
                    write_sort(out, &mut self.naming.names, terms.sort(term));
                    out.push(' ');
                    write_body(out, terms, &mut self.naming, term);
                    out.push_str(")\n");
                    self.name(term);
                }
            }
        }
        match self.naming.name(root) {
            Some(name) => name.to_string(),
            None => {
                let mut text = String::new();
                write_body(&mut text, terms, &mut self.naming, root);
                text
            }
        }
    }

    fn name(&mut self, term: Term) {
        self.naming.set(term, State::Named);
        self.log.push(Entry::Term(term));
    }

    fn leaf(&mut self, terms: &Terms, term: Term, out: &mut String) {
        if terms.op(term) != Op::Symbol {
            return self.naming.set(term, State::Seen);
        }
        append(out, format_args!("(declare-const {} ", self.naming.names.symbol(terms, term)));
        write_sort(out, &mut self.naming.names, terms.sort(term));
        out.push_str(")\n");
        self.name(term);
    }

    /// Declares the enumerations in a sort.
    fn sort(&mut self, sort: &Sort, out: &mut String) {
        match sort {
            Sort::Array(parts) => {
                self.sort(&parts.0, out);
                self.sort(&parts.1, out);
            }
            Sort::Enum(sort) if !self.naming.enumerations.contains(sort) => {
                let names = self.naming.names.enumeration(sort);
                append(out, format_args!("(declare-datatypes (({} 0)) ((", names.name));
                names.variants.iter().for_each(|variant| append(out, format_args!("({variant})")));
                out.push_str(")))\n");
                self.naming.enumerations.push(sort.clone());
                self.log.push(Entry::Enumeration);
            }
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Enum(_) => {}
        }
    }
}

/// One expression with nested `let`s.
pub(super) fn with_lets(terms: &Terms, root: Term) -> String {
    let mut naming = Naming::new(Names::plain());
    let (mut out, mut open) = (String::new(), 0);
    for (term, plan) in plan(terms, &naming, root, u32::MAX) {
        if plan == Plan::Define && term != root {
            append(&mut out, format_args!("(let (({} ", naming.names.definition(term)));
            write_body(&mut out, terms, &mut naming, term);
            out.push_str(")) ");
            naming.set(term, State::Named);
            open += 1;
        }
    }
    write_body(&mut out, terms, &mut naming, root);
    out.extend(std::iter::repeat_n(')', open));
    out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Plan {
    Leaf,
    Inline,
    Define,
}

/// What to do with every term of the cone of `root` that has no name yet, arguments first.
fn plan(terms: &Terms, naming: &Naming, root: Term, deepest: u32) -> Vec<(Term, Plan)> {
    let mut order = Vec::new();
    let mut uses: HashMap<Term, u32, FxBuildHasher> = HashMap::default();
    let mut open = vec![(root, false)];
    while let Some((term, done)) = open.pop() {
        if done {
            order.push(term);
            continue;
        }
        let count = uses.entry(term).or_insert(0);
        *count += 1;
        if 1 < *count || naming.state(term) == State::Named {
            continue;
        }
        if naming.state(term) == State::Seen {
            *count += 1;
        }
        open.push((term, true));
        open.extend(terms.args(term).iter().map(|&arg| (arg, false)));
        if may_divide_by_zero(terms, term) {
            open.extend(terms.args(term).iter().map(|&arg| (arg, false)));
        }
    }
    let mut heights: HashMap<Term, u32, FxBuildHasher> = HashMap::default();
    let mut decide = |term: Term| {
        if terms.args(term).is_empty() {
            return (term, Plan::Leaf);
        }
        let height = terms.args(term).iter().filter_map(|arg| heights.get(arg)).max().map_or(1, |most| most + 1);
        if 1 < uses[&term] || deepest <= height {
            return (term, Plan::Define);
        }
        heights.insert(term, height);
        (term, Plan::Inline)
    };
    order.into_iter().map(&mut decide).collect()
}

/// Whether a term is a division or remainder whose divisor is not a constant other than zero.
pub(super) fn may_divide_by_zero(terms: &Terms, term: Term) -> bool {
    match terms.op(term) {
        Op::Div | Op::Mod | Op::Divide => match terms.value(terms.args(term)[1]) {
            Some(Value::Int(number)) => number.is_zero(),
            Some(Value::Real(number)) => number.is_zero(),
            _ => true,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print_term;
    use value::RBig;

    #[test]
    fn a_script_declares_and_defines_before_use() {
        let mut terms = Terms::new();
        let color = Sort::enumeration("Color", vec!["red".into(), "dark green".into()]);
        let x = terms.symbol("select", &Sort::Int);
        let y = terms.symbol("a b", &Sort::Int);
        let hue = terms.symbol("hue", &color);
        let green = value::from_text(&color, "dark green").unwrap();
        let green = terms.constant(green);
        let is_green = terms.eq(hue, green);
        let quotient = terms.app(Op::Div, &[x, y]);
        let square = terms.app(Op::Mul, &[quotient, quotient]);
        let limit = terms.int(-3);
        let below = terms.app(Op::Lt, &[square, limit]);
        expect_test::expect![[r#"
            (set-logic ALL)
            (declare-datatypes ((Color 0)) (((red)(|dark green|))))
            (declare-const hue Color)
            (assert (= hue |dark green|))
            (declare-const |a b| Int)
            (declare-const select!1 Int)
            (define-fun $7 () Int (ite (= |a b| 0) 0 (div select!1 |a b|)))
            (assert (< (* $7 $7) (- 3)))
            (check-sat)
        "#]]
        .assert_eq(&print_script(&terms, &[is_green, below]));
        assert_eq!(
            print_term(&terms, below),
            "(let (($7 (ite (= |a b| 0) 0 (div select!1 |a b|)))) (< (* $7 $7) (- 3)))"
        );
    }

    #[test]
    fn constants_and_indexed_operators() {
        let mut terms = Terms::new();
        let sort = Sort::array(Sort::BitVec(4), Sort::Real);
        let third = terms.constant(Value::Real(RBig::from_parts((-1).into(), 3u8.into())));
        let array_sort = terms.intern_sort(&sort);
        let constant = terms.indexed(Op::ConstArray, [array_sort.index() as u32, 0], &[third]);
        assert_eq!(print_term(&terms, constant), "((as const (Array (_ BitVec 4) Real)) (- (/ 1.0 3.0)))");
        let bits = terms.symbol("x", &Sort::BitVec(8));
        let low = terms.indexed(Op::Extract, [3, 0], &[bits]);
        let wide = terms.indexed(Op::SignExtend, [4, 0], &[low]);
        assert_eq!(print_term(&terms, wide), "((_ sign_extend 4) ((_ extract 3 0) x))");
    }

    #[test]
    fn a_closed_scope_takes_its_declarations_along() {
        let mut terms = Terms::new();
        let p = terms.symbol("p", &Sort::Bool);
        let (mut writer, mut out) = (ScriptWriter::new(), String::new());
        writer.push(&mut out);
        writer.assert(&terms, p, &mut out);
        writer.pop(&mut out);
        writer.assert(&terms, p, &mut out);
        assert_eq!(out, "(push 1)\n(declare-const p Bool)\n(assert p)\n(pop 1)\n(declare-const p Bool)\n(assert p)\n");
    }

    #[test]
    fn deep_terms_are_cut_into_definitions() {
        let mut terms = Terms::new();
        let mut term = terms.symbol("p", &Sort::Bool);
        for _ in 0..100_000 {
            term = terms.not(term);
        }
        let script = print_script(&terms, &[term]);
        assert!(script.len() < 2_000_000);
        let deepest = script.lines().map(|line| line.matches('(').count()).max();
        assert!(deepest < Some(60), "{deepest:?}");
        assert_eq!(print_term(&terms, term).matches("not").count(), 100_000);
    }
}
