//! The judge against definitions written a second time, from the formulas alone.

use boolean::goals::{ConditionMode, Criterion, GoalOptions, Goals, goals};
use boolean::interp::decides;
use boolean::meter::Meter;
use boolean::obligation::{ConditionId, Obligation};
use boolean::{Dialect, Spec, load, parse, print};
use formula::LeafId;
use proptest::prelude::*;
use source::Source;
use testcase::ObligationId;
use value::Value;

/// A decision as the definitions see it: leaves are numbered from left to right.
#[derive(Clone, Debug)]
enum Tree {
    Leaf(usize),
    Not(Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
    Choice(Box<Tree>, Box<Tree>, Box<Tree>),
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Leaf(variable) => NAMES[*variable].to_owned(),
            Tree::Not(arg) => format!("!({})", arg.text()),
            Tree::Binary(sign, left, right) => format!("({}) {sign} ({})", left.text(), right.text()),
            Tree::Choice(condition, then, other) => {
                format!("({}) ? ({}) : ({})", condition.text(), then.text(), other.text())
            }
        }
    }

    /// The variable of every leaf.
    fn leaves(&self) -> Vec<usize> {
        match self {
            Tree::Leaf(variable) => vec![*variable],
            Tree::Not(arg) => arg.leaves(),
            Tree::Binary(_, left, right) => [left.leaves(), right.leaves()].concat(),
            Tree::Choice(condition, then, other) => [condition.leaves(), then.leaves(), other.leaves()].concat(),
        }
    }

    /// The value where leaves have the given values; takes them from the front.
    fn eval(&self, leaves: &mut std::slice::Iter<'_, bool>) -> bool {
        match self {
            Tree::Leaf(_) => *leaves.next().expect("a value for every leaf"),
            Tree::Not(arg) => !arg.eval(leaves),
            Tree::Binary(sign, left, right) => {
                let (left, right) = (left.eval(leaves), right.eval(leaves));
                match *sign {
                    "&&" => left && right,
                    "||" => left || right,
                    "^" | "!=" => left != right,
                    "->" => !left || right,
                    "<->" | "==" => left == right,
                    other => unreachable!("no sign {other}"),
                }
            }
            Tree::Choice(condition, then, other) => {
                let (condition, then, other) = (condition.eval(leaves), then.eval(leaves), other.eval(leaves));
                if condition { then } else { other }
            }
        }
    }
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = (0..NAMES.len()).prop_map(Tree::Leaf);
    leaf.prop_recursive(4, 8, 3, |inner| {
        let sign = prop::sample::select(vec!["&&", "||", "&&", "||", "^", "->", "<->", "==", "!="]);
        prop_oneof![
            1 => inner.clone().prop_map(|arg| Tree::Not(Box::new(arg))),
            6 => (sign, inner.clone(), inner.clone())
                .prop_map(|(sign, left, right)| Tree::Binary(sign, Box::new(left), Box::new(right))),
            1 => (inner.clone(), inner.clone(), inner)
                .prop_map(|(condition, then, other)| Tree::Choice(Box::new(condition), Box::new(then), Box::new(other))),
        ]
    })
}

/// A disjunction of conjunctions of literals.
fn dnf() -> impl Strategy<Value = Vec<Vec<(usize, bool)>>> {
    let literal = (0..4usize, any::<bool>());
    prop::collection::vec(prop::collection::vec(literal, 1..4), 1..4)
}

/// Rows of a truth table over the five names.
fn rows() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0u8..32, 0..24)
}

fn specification(text: &str) -> (Source, Spec) {
    let source = Source::new("random.bool", format!("input a, b, c, d, e: bool; decision f = {text};"));
    let (spec, _) = load(&source, Dialect::Bool).expect("the text is well formed");
    (source, spec)
}

fn row_values(row: u8) -> [bool; 5] {
    std::array::from_fn(|place| row >> place & 1 == 1)
}

fn assignment(row: u8) -> Vec<Value> {
    row_values(row).map(Value::Bool).to_vec()
}

/// The definitions, on one decision and one set of tests.
struct Definitions<'a> {
    tree: &'a Tree,
    variables: Vec<usize>,
    goals: &'a Goals,
}

impl Definitions<'_> {
    fn leaves(&self, row: u8) -> Vec<bool> {
        self.variables.iter().map(|&variable| row_values(row)[variable]).collect()
    }

    fn outcome(&self, row: u8) -> bool {
        self.tree.eval(&mut self.leaves(row).iter())
    }

    fn condition(&self, condition: ConditionId, row: u8) -> bool {
        self.leaves(row)[self.goals.conditions[condition.0 as usize].leaves[0].0 as usize]
    }

    /// det(c, φ, t).
    fn det(&self, condition: ConditionId, row: u8) -> bool {
        let mut leaves = self.leaves(row);
        for leaf in &self.goals.conditions[condition.0 as usize].leaves {
            leaves[leaf.0 as usize] ^= true;
        }
        self.tree.eval(&mut leaves.iter()) != self.outcome(row)
    }

    fn others_equal(&self, condition: ConditionId, left: u8, right: u8) -> bool {
        let all = (0..self.goals.conditions.len() as u32).map(ConditionId).filter(|&other| other != condition);
        all.into_iter().all(|other| self.condition(other, left) == self.condition(other, right))
    }

    fn holds(&self, term: usize, row: u8) -> bool {
        let term = &self.goals.terms[term];
        term.iter().all(|literal| self.condition(literal.condition, row) == literal.positive)
    }

    fn unique_true(&self, term: u32, row: u8) -> bool {
        (0..self.goals.terms.len()).all(|other| self.holds(other, row) == (other == term as usize))
    }

    fn near_false(&self, term: u32, literal: u32, row: u8) -> bool {
        let literals = self.goals.terms[term as usize].iter().enumerate();
        let as_wanted = literals.into_iter().all(|(place, wanted)| {
            let holds = self.condition(wanted.condition, row) == wanted.positive;
            holds == (place != literal as usize)
        });
        as_wanted && !self.outcome(row)
    }

    fn free(&self, free: Option<(ConditionId, bool)>, row: u8) -> bool {
        free.is_none_or(|(condition, value)| self.condition(condition, row) == value)
    }

    fn met(&self, obligation: &Obligation, rows: &[u8]) -> bool {
        let one = |holds: &dyn Fn(u8) -> bool| rows.iter().any(|&row| holds(row));
        let two =
            |holds: &dyn Fn(u8, u8) -> bool| rows.iter().any(|&left| rows.iter().any(|&right| holds(left, right)));
        match obligation {
            Obligation::Outcome { outcome } => one(&|t| self.outcome(t) == *outcome),
            Obligation::Condition { condition, value } => one(&|t| self.condition(*condition, t) == *value),
            Obligation::Vector { values } => {
                one(&|t| (0..values.len()).all(|index| self.condition(ConditionId(index as u32), t) == values[index]))
            }
            Obligation::Active { condition, value, outcome } => one(&|t| {
                self.condition(*condition, t) == *value
                    && self.det(*condition, t)
                    && outcome.is_none_or(|outcome| self.outcome(t) == outcome)
            }),
            Obligation::UniqueCause { condition } => two(&|t, u| {
                self.condition(*condition, t)
                    && !self.condition(*condition, u)
                    && self.det(*condition, t)
                    && self.det(*condition, u)
                    && self.others_equal(*condition, t, u)
            }),
            Obligation::UniqueTrue { term, free } => one(&|t| self.unique_true(*term, t) && self.free(*free, t)),
            Obligation::NearFalse { term, literal, free } => {
                one(&|t| self.near_false(*term, *literal, t) && self.free(*free, t))
            }
            Obligation::NeighbourPair { term, literal } => two(&|t, u| {
                let condition = self.goals.terms[*term as usize][*literal as usize].condition;
                self.unique_true(*term, t)
                    && self.near_false(*term, *literal, u)
                    && self.condition(condition, t) != self.condition(condition, u)
                    && self.others_equal(condition, t, u)
            }),
            Obligation::Boundary { .. } => unreachable!("no numbers here"),
        }
    }
}

/// The meter and the definitions agree on every obligation, and on when it is first met.
fn agree(tree: &Tree, criterion: Criterion, mode: ConditionMode, rows: &[u8]) {
    let (source, spec) = specification(&tree.text());
    let options = GoalOptions { mode, boundary: false };
    let goals = goals(&source, &spec, 0, criterion, options).expect("the criterion is defined");
    let definitions = Definitions { tree, variables: tree.leaves(), goals: &goals };
    let mut meter = Meter::new(&spec, 0, &goals);
    let mut brief = Meter::brief(&spec, 0, &goals);
    for (count, &row) in rows.iter().enumerate() {
        let measured = meter.add(&assignment(row));
        assert_eq!(brief.add(&assignment(row)), measured);
        assert_eq!(measured.run.outcome, definitions.outcome(row));
        let newly = |obligation: &Obligation| {
            definitions.met(obligation, &rows[..=count]) && !definitions.met(obligation, &rows[..count])
        };
        let expected: Vec<ObligationId> = (0..goals.obligations.len())
            .filter(|&index| newly(&goals.obligations[index]))
            .map(|index| ObligationId(index as u32))
            .collect();
        assert_eq!(measured.met, expected, "{criterion} of {}", tree.text());
    }
    let met = (0..goals.obligations.len() as u32).filter(|&index| meter.is_met(ObligationId(index))).count();
    assert_eq!(brief.witnesses().len(), met);
    for witness in meter.witnesses().into_iter().chain(brief.witnesses()) {
        let tests: Vec<u8> = witness.tests.iter().map(|&test| rows[test as usize]).collect();
        let obligation = &goals.obligations[witness.obligation.0 as usize];
        assert!(definitions.met(obligation, &tests), "a witness meets its obligation");
        let smaller = (0..tests.len()).any(|left_out| {
            let rest: Vec<u8> = (0..tests.len()).filter(|&place| place != left_out).map(|place| tests[place]).collect();
            definitions.met(obligation, &rest)
        });
        assert!(!smaller, "a witness is as small as can be");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_meter_follows_the_definitions(tree in tree(), rows in rows(), variable in any::<bool>()) {
        let mode = if variable { ConditionMode::Variable } else { ConditionMode::Occurrence };
        prop_assume!(tree.leaves().len() <= 10);
        for &criterion in Criterion::ALL {
            if criterion != Criterion::Mumcut {
                agree(&tree, criterion, mode, &rows);
            }
        }
    }

    #[test]
    fn the_meter_follows_the_definition_of_mumcut(terms in dnf(), rows in rows()) {
        let literal = |&(variable, positive): &(usize, bool)| {
            let leaf = Tree::Leaf(variable);
            if positive { leaf } else { Tree::Not(Box::new(leaf)) }
        };
        let join = |sign: &'static str| move |left, right| Tree::Binary(sign, Box::new(left), Box::new(right));
        let term = |term: &Vec<(usize, bool)>| term.iter().map(literal).reduce(join("&&")).expect("a literal");
        let tree = terms.iter().map(term).reduce(join("||")).expect("a term");
        agree(&tree, Criterion::Mumcut, ConditionMode::Variable, &rows);
    }

    #[test]
    fn one_pass_finds_the_deciding_conditions(tree in tree(), row in 0u8..32) {
        let (_, spec) = specification(&tree.text());
        let decision = &spec.decisions[0];
        let values: Vec<bool> = tree.leaves().iter().map(|&variable| row_values(row)[variable]).collect();
        let marks = decision.formula.deciding(&values);
        for (leaf, mark) in marks.into_iter().enumerate() {
            prop_assert_eq!(mark, decides(decision, &values, &[LeafId(leaf as u32)]));
        }
    }

    #[test]
    fn what_is_printed_reads_as_the_same_tree(text in "(a|b|!|-|\\(|\\)| && | \\|\\| | -> | <-> | == | < | \\+ | \\* | \\? | : |f\\(|,|\\[|\\]|1|2\\.5|E\\.x){1,40}") {
        let source = Source::new("random.bool", format!("decision d = {text};"));
        if let Ok(ast) = parse(&source) {
            let printed = Source::new("printed.bool", print(&source, &ast));
            let again = parse(&printed).expect("what is printed can be read");
            prop_assert_eq!(print(&printed, &again), printed.text());
            prop_assert_eq!(skeleton(&source, &ast), skeleton(&printed, &again));
        }
    }

    #[test]
    fn whole_decisions_survive_printing(tree in tree()) {
        let source = Source::new("random.bool", format!("input a: bool; decision d = {};", tree.text()));
        let ast = parse(&source).expect("the text is well formed");
        let printed = Source::new("printed.bool", print(&source, &ast));
        let again = parse(&printed).expect("what is printed can be read");
        prop_assert_eq!(skeleton(&source, &ast), skeleton(&printed, &again));
    }

    #[test]
    fn junk_is_rejected_in_peace(text in any::<String>()) {
        let source = Source::new("junk", text);
        let _ = load(&source, Dialect::Bool).map_err(|errors| assert!(!errors.is_empty()));
        let _ = load(&source, Dialect::Smtlib).map_err(|errors| assert!(!errors.is_empty()));
    }

    #[test]
    fn shuffled_words_are_rejected_in_peace(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)) {
        let source = Source::new("junk.bool", words.join(" "));
        if let Err(errors) = load(&source, Dialect::Bool) {
            prop_assert!((1..=20).contains(&errors.len()));
            for error in &errors {
                prop_assert!(error.labels.iter().all(|label| label.span.end as usize <= source.text().len()));
            }
        }
    }

    #[test]
    fn shuffled_smtlib_is_rejected_in_peace(words in prop::collection::vec(prop::sample::select(SMT_WORDS.to_vec()), 0..40)) {
        let open = words.iter().filter(|word| word.starts_with('(')).count();
        let closed = words.iter().filter(|word| **word == ")").count();
        let text = format!("(declare-const a Bool)(declare-const x Int) {} {}", words.join(" "), ")".repeat(open.saturating_sub(closed)));
        let _ = load(&Source::new("junk.smt2", text), Dialect::Smtlib).map_err(|errors| assert!(!errors.is_empty()));
    }
}

const WORDS: &[&str] = &[
    "input",
    "let",
    "assume",
    "decision",
    "type",
    "a",
    "b",
    "x",
    "f",
    ":",
    ";",
    ";",
    ";",
    "=",
    "==",
    "bool",
    "int",
    "real",
    "u8",
    "in",
    "0..9",
    "1",
    "2.5",
    "(",
    ")",
    "&&",
    "||",
    "!",
    "-",
    "?",
    "{",
    "}",
    ",",
    "E",
    ".",
    "+",
    "<",
    "ite",
    "min",
    "[",
    "]",
    "input a: bool;",
    "input x: int;",
    "decision d = a;",
    "type E = { p, q };",
    "bitvec[8]",
    "array[int] of bool",
    "x < 3",
    "f(a)",
    "let f(y: bool) = y && a;",
    "/",
    "mod",
    "extract(3, 0, b)",
    "/*",
    "\0",
];

const SMT_WORDS: &[&str] = &[
    "(assert",
    "(and",
    "(or",
    "(not",
    "(let ((y",
    "(=",
    "(<",
    "a",
    "x",
    "y",
    ")",
    "))",
    "1",
    "2.5",
    "#x0f",
    "(_ bv3 8)",
    "(ite",
    "(- ",
    "(define-fun f ((z Int)) Bool",
    "(f",
    "z",
    "(! a :named n)",
    "(declare-const b Real)",
    "b",
    "true",
    "(xor",
    "(=>",
    "(distinct",
    "\"s\"",
    ":k",
    "(_ extract 3 0)",
    "(declare-datatype E ((p) (q)))",
    "p",
    "((_ is p)",
    "(bvadd",
    "(select",
    "((as const (Array Int Int)) 1)",
];

/// The tree without its places: kinds and arguments of all nodes, with the words of names and numbers.
fn skeleton(source: &Source, ast: &boolean::ast::Ast) -> Vec<String> {
    use boolean::ast::NodeKind as K;
    ast.nodes
        .iter()
        .map(|node| match node.kind {
            K::Name | K::Number => source.slice(node.span).to_owned(),
            K::Qualified { sort, variant } => format!("{}.{}", source.slice(sort), source.slice(variant)),
            K::Call { name, start, end } => {
                format!("{} {:?}", source.slice(name), ast.call_args(start, end))
            }
            kind @ (K::Truth(_) | K::Unary(..) | K::Binary(..) | K::Conditional(..) | K::Index(..)) => {
                format!("{kind:?}")
            }
        })
        .collect()
}
