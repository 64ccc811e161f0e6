//! Formulas: reading, printing, normal forms and their meaning on words.

use ltl::{Lasso, LastNext, Letter, holds_on_lasso, holds_on_word, parse_formula};
use omega::deterministic::{is_guarantee, is_safety};
use omega::normal::normal_form;
use omega::simplify::simplify;
use omega::{Class, Formula, Formulas, nnf};
use proptest::prelude::*;
use source::Source;

fn read(formulas: &mut Formulas, text: &str) -> Formula {
    parse_formula(&Source::new("formula", text), formulas).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

fn check(text: &str, printed: &str) {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, text);
    assert_eq!(ltl::print(&formulas, formula), printed, "{text}");
    assert_eq!(read(&mut formulas, printed), formula, "{printed}");
}

#[test]
fn spellings_of_many_tools_are_read() {
    check("a && b || !c -> d <-> e", "a & b | !c -> d <-> e");
    check("a → (b ∧ ¬c) ⊕ ⊤", "a -> b & !c xor true");
    check("[] (r -> <> g)", "G (r -> F g)");
    check("□(r → ◇g)", "G (r -> F g)");
    check("a U b U c", "a U (b U c)");
    check("(a U b) U c", "(a U b) U c");
    check("a R b W c M d", "a R (b W (c M d))");
    check("X[3] a", "X X X a");
    check("F[1:3] a", "X (a | X (a | X a))");
    check("G[0:1] a", "a & X a");
    check("F[2:$] a", "X X F a");
    check("next_e[1:2](a)", "X (a | X a)");
    check("always req -> eventually! ack", "G (req -> F ack)");
    check("never a & b", "G !(a & b)");
    check("a until! b", "a U b");
    check("a until b", "a W b");
    check("a until_ b", "a W (a & b)");
    check("a before! b", "!b U (a & !b)");
    check("next![2] a", "X X a");
    check("hready=1 * G(start=0 + busy=1)", "hready & G (!start | busy)");
    check("o' <-> X \"strange name\"", "o' <-> X \"strange name\"");
    check("a -> b -> c", "a -> (b -> c)");
    check("(a -> b) -> c", "(a -> b) -> c");
    check("G F a & b", "G F a & b");
}

#[test]
fn nesting_has_no_limit() {
    let depth = 100_000;
    let texts = [
        format!("{}a{}", "(".repeat(depth), ")".repeat(depth)),
        format!("{}a", "!".repeat(depth)),
        format!("{}a", "X ".repeat(depth)),
        format!("{}a{}", "(b U ".repeat(depth), ")".repeat(depth)),
        format!("{}a{}", "G(b | F(c & ".repeat(depth), "))".repeat(depth)),
        format!("{}a{}", "(b <-> ".repeat(1000), ")".repeat(1000)),
        format!("{}a", "b & ".repeat(depth)),
        format!("{}a", "always ".repeat(depth)),
    ];
    let word = Lasso { prefix: Vec::new(), cycle: vec![Letter::default()] };
    for text in texts {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let printed = ltl::print(&formulas, formula);
        assert_eq!(read(&mut formulas, &printed), formula);
        let normal = nnf(&mut formulas, formula, true);
        let small = simplify(&mut formulas, formula);
        let value = holds_on_lasso(&formulas, formula, &word);
        assert_eq!(holds_on_lasso(&formulas, normal, &word), !value);
        assert_eq!(holds_on_lasso(&formulas, small, &word), value);
    }
}

/// A random formula over `a`, `b` and `c`, as text.
fn formula_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b"), Just("c"), Just("true"), Just("false")].prop_map(str::to_owned);
    leaf.prop_recursive(5, 24, 2, |inner| {
        prop_oneof![
            (prop_oneof![Just("!"), Just("X"), Just("F"), Just("G"), Just("G F"), Just("F G")], inner.clone())
                .prop_map(|(operator, inner)| format!("{operator} ({inner})")),
            (
                inner.clone(),
                prop_oneof![
                    Just("&"),
                    Just("|"),
                    Just("->"),
                    Just("<->"),
                    Just("xor"),
                    Just("U"),
                    Just("R"),
                    Just("W"),
                    Just("M")
                ],
                inner
            )
                .prop_map(|(left, operator, right)| format!("({left}) {operator} ({right})")),
        ]
    })
}

fn letters(formulas: &mut Formulas, codes: &[u8]) -> Vec<Letter> {
    let atoms = ["a", "b", "c"].map(|name| formulas.atom_id(name));
    let letter = |code: &u8| {
        Letter::of(atoms.into_iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1).map(|(_, atom)| atom))
    };
    codes.iter().map(letter).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn normal_forms_keep_the_meaning(
        text in formula_text(),
        prefix in proptest::collection::vec(0_u8..8, 0..4),
        cycle in proptest::collection::vec(0_u8..8, 1..4),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let lasso = Lasso { prefix: letters(&mut formulas, &prefix), cycle: letters(&mut formulas, &cycle) };
        let value = holds_on_lasso(&formulas, formula, &lasso);
        let normal = nnf(&mut formulas, formula, false);
        prop_assert_eq!(holds_on_lasso(&formulas, normal, &lasso), value);
        let negated = nnf(&mut formulas, formula, true);
        prop_assert_eq!(holds_on_lasso(&formulas, negated, &lasso), !value);
        let small = simplify(&mut formulas, formula);
        prop_assert_eq!(holds_on_lasso(&formulas, small, &lasso), value, "{}", ltl::print(&formulas, small));
        if let Some(split) = normal_form(&mut formulas, formula) {
            prop_assert_eq!(holds_on_lasso(&formulas, split, &lasso), value, "{}", ltl::print(&formulas, split));
        }
        let printed = ltl::print(&formulas, formula);
        prop_assert_eq!(read(&mut formulas, &printed), formula);
        // A cycle written twice is the same word.
        let twice = Lasso { prefix: [lasso.prefix.clone(), lasso.cycle.clone()].concat(), cycle: [lasso.cycle.clone(), lasso.cycle.clone()].concat() };
        prop_assert_eq!(holds_on_lasso(&formulas, formula, &twice), value);
    }
}

#[test]
fn finite_words_end() {
    let mut formulas = Formulas::new();
    let word = letters(&mut formulas, &[1, 1, 2]);
    let mut check = |text: &str, strong: bool, weak: bool| {
        let formula = read(&mut formulas, text);
        assert_eq!(holds_on_word(&formulas, formula, &word, LastNext::Strong), strong, "{text}");
        assert_eq!(holds_on_word(&formulas, formula, &word, LastNext::Weak), weak, "{text}");
    };
    check("a U b", true, true);
    check("F c", false, false);
    check("G (a | b)", true, true);
    check("X X b", true, true);
    check("X X X b", false, true);
    check("G X a", false, false);
    check("G (a -> X (a | b))", true, true);
    check("G (b -> X a)", false, true);
}

/// The hierarchy of Manna and Pnueli; the examples of each class are the usual ones.
#[test]
fn formulas_stand_in_the_hierarchy() {
    for (text, class) in [
        ("G !(a & b)", Class::Safety),
        ("a W b", Class::Safety),
        ("G (a -> X b)", Class::Safety),
        ("F a", Class::Guarantee),
        ("!(a R b)", Class::Guarantee),
        ("F a -> F b", Class::Obligation),
        ("G a | F b", Class::Obligation),
        ("(G a) U (F b)", Class::Obligation),
        ("G F a", Class::Recurrence),
        ("G (a -> F b)", Class::Recurrence),
        ("F G a", Class::Persistence),
        ("F G a | F G !a", Class::Persistence),
        ("G F a -> G F b", Class::Reactivity),
        ("G F a <-> b", Class::Reactivity),
    ] {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, text);
        assert_eq!(formulas.class(formula), class, "{text}");
    }
}

proptest! {
    /// Safety and guarantee formulas are those whose negation normal form has operators of one kind only.
    #[test]
    fn classes_agree_with_normal_forms(text in formula_text()) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let class = formulas.class(formula);
        let normal = nnf(&mut formulas, formula, false);
        let (safety, guarantee) = (is_safety(&formulas, normal), is_guarantee(&formulas, normal));
        prop_assert_eq!(class == Class::Safety, safety, "{}", text);
        prop_assert_eq!(class == Class::Guarantee, guarantee && !safety, "{}", text);
    }
}
