//! What the thesis proves of its semantics, and what holds between the semantics, on random and on all short traces.

use ltl::verdict::{Monitor, Polarity, Semantics, Verdict, polarities};
use ltl::{Lasso, Letter, holds_on_lasso, parse_formula};
use omega::{Formula, Formulas};
use proptest::prelude::*;
use source::Source;

fn read(formulas: &mut Formulas, text: &str) -> Formula {
    parse_formula(&Source::new("formula", text), formulas).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

fn bit(name: &str) -> usize {
    ["a", "b"].iter().position(|known| *known == name).expect("a or b")
}

/// A monitor of some formulas that has read a trace of letters over `a` and `b`.
fn monitor(formulas: &Formulas, properties: &[Formula], codes: &[u8], keeps: bool) -> Monitor {
    let mut monitor = match keeps {
        true => Monitor::keeping_all(formulas, properties),
        false => Monitor::new(formulas, properties),
    };
    let places: Vec<usize> = monitor.atoms().iter().map(|&atom| bit(formulas.atom_name(atom))).collect();
    for code in codes {
        monitor.push(&places.iter().map(|place| code >> place & 1 == 1).collect::<Vec<bool>>());
    }
    monitor
}

fn formula_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b")].prop_map(str::to_owned);
    leaf.prop_recursive(4, 10, 2, |inner| {
        prop_oneof![
            (prop_oneof![Just("!"), Just("X"), Just("F"), Just("G")], inner.clone())
                .prop_map(|(operator, inner)| format!("{operator} ({inner})")),
            (inner.clone(), prop_oneof![Just("&"), Just("|"), Just("->"), Just("U"), Just("R"), Just("W")], inner)
                .prop_map(|(left, operator, right)| format!("({left}) {operator} ({right})")),
        ]
    })
}

fn trace() -> impl Strategy<Value = Vec<u8>> {
    proptest::collection::vec(0_u8..4, 0..7)
}

/// LTL₃ as far as short lassos tell: whether some continuation satisfies the formula, and whether some violates it.
fn seen_by_lassos(formulas: &Formulas, formula: Formula, codes: &[u8]) -> (bool, bool) {
    let atoms = formulas.atoms_of([formula]);
    let letter =
        |code: u8| Letter::of(atoms.iter().copied().filter(|&atom| code >> bit(formulas.atom_name(atom)) & 1 == 1));
    let (mut satisfied, mut violated) = (false, false);
    for prefix in 0..3_u32 {
        for cycle in 1..3_u32 {
            for number in 0..4_u32.pow(prefix + cycle) {
                let code = |place: u32| letter((number / 4_u32.pow(place) % 4) as u8);
                let beginning = codes.iter().map(|&code| letter(code)).chain((0..prefix).map(code));
                let lasso = Lasso { prefix: beginning.collect(), cycle: (prefix..prefix + cycle).map(code).collect() };
                match holds_on_lasso(formulas, formula, &lasso) {
                    true => satisfied = true,
                    false => violated = true,
                }
                if satisfied && violated {
                    return (true, true);
                }
            }
        }
    }
    (satisfied, violated)
}

/// Everything that holds between the semantics on one trace.
fn relations(text: &str, codes: &[u8]) -> Result<(), TestCaseError> {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, text);
    let mut monitor = monitor(&formulas, &[formula], codes, false);
    let mut judge = |semantics| monitor.judge(semantics)[0].expect("small formulas have small automata");
    let (counting, mu, exact) = (judge(Semantics::Counting), judge(Semantics::Mu), judge(Semantics::ThreeValued));
    // Theorem 20.
    prop_assert_eq!(counting.is_final(), mu.is_final(), "{}", text);
    if counting.is_final() {
        prop_assert_eq!(counting, mu, "{}", text);
    }
    // μ is part of LTL₃.
    if mu.is_final() {
        prop_assert_eq!(mu, exact, "{}", text);
    }
    let (finite, four) = (judge(Semantics::Finite), judge(Semantics::FourValued));
    if exact.is_final() {
        prop_assert_eq!(four, exact, "{}", text);
    } else if !codes.is_empty() {
        prop_assert_eq!(four, Verdict::presumably(finite == Verdict::True), "{}", text);
    }
    // The strong view implies the finite one, that the weak one.
    prop_assert!(judge(Semantics::Strong) <= judge(Semantics::Weak));
    if !codes.is_empty() {
        prop_assert!(judge(Semantics::Strong) <= finite && finite <= judge(Semantics::Weak), "{}", text);
    }
    let (satisfied, violated) = seen_by_lassos(&formulas, formula, codes);
    prop_assert!(!(satisfied && exact == Verdict::False), "{} {:?}", text, codes);
    prop_assert!(!(violated && exact == Verdict::True), "{} {:?}", text, codes);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn semantics_agree_where_they_must(text in formula_text(), codes in trace()) {
        relations(&text, &codes)?;
    }

    /// e(φ) = ¬e(¬φ).
    #[test]
    fn negation_mirrors_the_verdict(text in formula_text(), codes in trace()) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let negated = formulas.not(formula);
        let verdicts = monitor(&formulas, &[formula, negated], &codes, false).verdicts();
        prop_assert_eq!(verdicts[0], !verdicts[1], "{}", text);
    }

    /// Lemma 15: the shape of pairs.
    #[test]
    fn pairs_have_their_shape(text in formula_text(), codes in trace()) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let length = codes.len() as u64;
        for row in monitor(&formulas, &[formula], &codes, true).table() {
            for (position, (pair, verdict)) in (1..).zip(&row.entries) {
                let rest = length.checked_sub(position);
                let early = |count: ltl::verdict::Count| count.number().is_some_and(|number| Some(number) <= rest);
                let fits = match (pair.decided(), verdict) {
                    (Some(true), Verdict::True) => early(pair.satisfied),
                    (Some(false), Verdict::False) => early(pair.violated),
                    (None, Verdict::PresumablyFalse | Verdict::Inconclusive | Verdict::PresumablyTrue) => {
                        !early(pair.satisfied) && !early(pair.violated)
                    }
                    _ => false,
                };
                prop_assert!(fits, "{}: {} {} at {}", row.formula, pair, verdict, position);
            }
        }
    }

    /// Theorem 23: on a trace that is more true the pair is more true; true is kept upwards and false downwards.
    #[test]
    fn more_true_traces_have_more_true_pairs(
        text in formula_text(),
        codes in proptest::collection::vec(0_u8..4, 1..7),
        changes in proptest::collection::vec(0_u8..4, 7),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let mut raised = codes.clone();
        for (atom, polarity) in polarities(&formulas, formula) {
            let mask = 1 << bit(formulas.atom_name(atom));
            for (code, change) in raised.iter_mut().zip(&changes) {
                match polarity {
                    Polarity::Positive => *code |= change & mask,
                    Polarity::Negative => *code &= !(change & mask),
                    Polarity::Mixed => {}
                }
            }
        }
        let at_first = |codes: &[u8]| {
            let shown = ltl::print(&formulas, formula);
            let rows = monitor(&formulas, &[formula], codes, true).table();
            rows.iter().find(|row| row.formula == shown).map(|row| row.entries[0])
        };
        if let (Some((below, low)), Some((above, high))) = (at_first(&codes), at_first(&raised)) {
            prop_assert!(below.at_most(above), "{}: {} {}", text, below, above);
            prop_assert!(low != Verdict::True || high == Verdict::True);
            prop_assert!(high != Verdict::False || low == Verdict::False);
        }
    }
}

#[test]
fn all_short_traces_satisfy_the_relations() {
    let texts = [
        "a",
        "X a",
        "F a",
        "G a",
        "a U b",
        "a R b",
        "a W b",
        "G F a",
        "F G a",
        "G (a -> F b)",
        "G (a -> X b)",
        "a & X F a",
        "F (a & X b)",
        "G (a -> X (!a U b))",
        "G F a -> G F b",
        "X X a | X !a",
        "F a & G (a -> X G !a)",
        "a | !a",
        "X (a & !a)",
        "(a U b) | G a",
        "G a | F !a",
        "F (a & !a)",
    ];
    for text in texts {
        for length in 0..4_u32 {
            for number in 0..4_u32.pow(length) {
                let codes: Vec<u8> = (0..length).map(|place| (number / 4_u32.pow(place) % 4) as u8).collect();
                relations(text, &codes).unwrap_or_else(|error| panic!("{text} {codes:?}: {error}"));
            }
        }
    }
}

/// The lassos are complete for these formulas: the exact verdict is what they show.
#[test]
fn exact_verdicts_are_what_short_lassos_show() {
    let texts =
        ["X a", "F a", "G a", "a U b", "G F a", "F G a", "G (a -> F b)", "G (a -> X b)", "G F a | F G !a", "a R b"];
    for text in texts {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, text);
        for number in 0..4_u32.pow(3) {
            let codes: Vec<u8> = (0..3).map(|place| (number / 4_u32.pow(place) % 4) as u8).collect();
            let expected = match seen_by_lassos(&formulas, formula, &codes) {
                (true, false) => Verdict::True,
                (false, true) => Verdict::False,
                (true, true) => Verdict::Inconclusive,
                (false, false) => unreachable!("a lasso satisfies or violates"),
            };
            let found = monitor(&formulas, &[formula], &codes, false).judge(Semantics::ThreeValued)[0];
            assert_eq!(found, Some(expected), "{text} {codes:?}");
        }
    }
}

/// Positions that settle are forgotten: memory follows what is open, not the length of the trace.
#[test]
fn memory_does_not_grow_with_the_trace() {
    let texts = [
        "G (a -> F b)",
        "G F a",
        "F G a",
        "G (a -> X b)",
        "F a",
        "G a",
        "G (a -> X X b)",
        "G (a -> F b) & G F a",
        "G F a -> G F b",
        "G (a -> X F b)",
        "F (a & X a & X X b)",
        "(G F a & F G b) | G (b -> F a)",
    ];
    for text in texts {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, text);
        for codes in [vec![0, 1, 0, 0, 2], vec![0, 1, 0], vec![2], vec![0], vec![3, 0, 2, 0, 1, 1, 0, 0]] {
            // First a response to learn from, then the same few letters for a long time.
            let start = [1, 0, 2, 3, 0, 2];
            let long: Vec<u8> = start.into_iter().chain(codes.iter().copied().cycle().take(20_000)).collect();
            let mut monitor = monitor(&formulas, &[formula], &long, false);
            let before = monitor.verdicts();
            assert!(monitor.kept() < 600, "{text} on {codes:?} keeps {} steps", monitor.kept());
            assert_eq!(before.len(), 1);
        }
    }
}
