//! Verdicts on finite traces: the monitor against the definitions, written down once more as plainly as possible.

use ltl::parse_formula;
use ltl::verdict::{Divergence, Expectation, Monitor, Semantics, Verdict};
use omega::{Formula, Formulas};
use proptest::prelude::*;
use reference::{Reference, Tree};
use source::Source;

use crate::reference;

fn read(formulas: &mut Formulas, text: &str) -> Formula {
    parse_formula(&Source::new("formula", text), formulas).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

/// Letters over `a`, `b`, `c` from the bits of numbers, in the order of a monitor's atoms.
fn letters(monitor: &Monitor, formulas: &Formulas, codes: &[u8]) -> Vec<Vec<bool>> {
    let bit = |name: &str| ["a", "b", "c"].iter().position(|known| *known == name).expect("a, b or c");
    let value = |code: &u8, name: &str| code >> bit(name) & 1 == 1;
    let letter = |code: &u8| monitor.atoms().iter().map(|&atom| value(code, formulas.atom_name(atom))).collect();
    codes.iter().map(letter).collect()
}

/// A random formula over `a`, `b` and `c`, as text.
fn formula_text(depth: u32, size: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(str::to_owned);
    leaf.prop_recursive(depth, size, 2, |inner| {
        prop_oneof![
            (
                prop_oneof![Just("!"), Just("X"), Just("F"), Just("G"), Just("G F"), Just("F G"), Just("X X")],
                inner.clone()
            )
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

/// Compares everything the monitors say of a trace with the reference.
fn compare(text: &str, codes: &[u8]) -> Result<(), TestCaseError> {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, text);
    let tree = Tree::of(&formulas, formula);
    let mut keeping = Monitor::keeping_all(&formulas, &[formula]);
    let mut settling = Monitor::new(&formulas, &[formula]);
    let letters = letters(&keeping, &formulas, codes);
    for letter in &letters {
        keeping.push(letter);
    }
    let reference = Reference::new(&tree, codes);
    let table = keeping.table();
    let root = ltl::print(&formulas, formula);
    if let Some(row) = table.iter().find(|row| row.formula == root) {
        for (position, (pair, verdict)) in (1..).zip(&row.entries) {
            prop_assert_eq!(pair.to_string(), reference.pair(&tree, position), "{} at {}", text, position);
            prop_assert_eq!(verdict.rank(), reference.rank(&tree, position), "{} at {}", text, position);
        }
    }
    for (length, letter) in (1..).zip(&letters) {
        settling.push(letter);
        let reference = Reference::new(&tree, &codes[..length]);
        prop_assert_eq!(settling.verdicts()[0].rank(), reference.rank(&tree, 1), "{} after {}", text, length);
        prop_assert_eq!(settling.plain_verdicts()[0].rank(), 2 * reference.mu(&tree, 1), "mu of {}", text);
        for (semantics, value) in [
            (Semantics::Finite, reference.finite(&tree, 1, false)),
            (Semantics::FiniteWeak, reference.finite(&tree, 1, true)),
            (Semantics::Weak, reference.view(&tree, 1, false)),
            (Semantics::Strong, reference.view(&tree, 1, true)),
        ] {
            prop_assert_eq!(settling.judge(semantics), vec![Some(Verdict::of(value))], "{} {:?}", text, semantics);
        }
        let explanation = &settling.explanations()[0];
        prop_assert_eq!(explanation.verdict.rank(), reference.rank(&tree, 1));
    }
    Ok(())
}

/// How many random cases; more where PROPTEST_CASES says so.
fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn monitors_say_what_the_definitions_say(
        text in formula_text(4, 12),
        codes in proptest::collection::vec(0_u8..8, 0..9),
    ) {
        compare(&text, &codes)?;
    }

    /// Every cell of the table and every verdict by the rules as printed, one by one, and both.
    #[test]
    fn divergent_rules_are_what_they_are_called(
        text in formula_text(4, 12),
        codes in proptest::collection::vec(0_u8..8, 0..9),
        which in 0_usize..3,
    ) {
        let divergences = [&Divergence::ALL[..1], &Divergence::ALL[1..], &Divergence::ALL[..]][which];
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let tree = Tree::of(&formulas, formula);
        let mut monitor = Monitor::new(&formulas, &[formula]).diverging(divergences);
        for letter in letters(&monitor, &formulas, &codes) {
            monitor.push(&letter);
        }
        let reference = Reference::diverging(&codes, divergences);
        let root = ltl::print(&formulas, formula);
        if let Some(row) = monitor.table().iter().find(|row| row.formula == root) {
            for (position, (pair, verdict)) in (1..).zip(&row.entries) {
                prop_assert_eq!(pair.to_string(), reference.pair(&tree, position), "{} at {}", text, position);
                prop_assert_eq!(verdict.rank(), reference.rank(&tree, position), "{} at {}", text, position);
            }
        }
        prop_assert_eq!(monitor.verdicts()[0].rank(), reference.rank(&tree, 1), "{}", text);
        prop_assert_eq!(monitor.explanations()[0].verdict, monitor.verdicts()[0]);
    }

    /// Few different letters and long traces: many steps can be left out.
    #[test]
    fn leaving_out_steps_changes_nothing(
        text in formula_text(4, 10),
        codes in proptest::collection::vec(prop_oneof![Just(0_u8), Just(0), Just(1), Just(3), Just(6), Just(7)], 10..24),
    ) {
        compare(&text, &codes)?;
    }

    /// Properties as people write them, on long traces of a few repeated blocks; steps are left out at random times.
    #[test]
    fn leaving_out_steps_changes_nothing_on_long_traces(
        texts in proptest::collection::vec(pattern(), 1..3),
        blocks in proptest::collection::vec((proptest::collection::vec(0_u8..8, 1..4), 1_usize..12), 1..7),
        times in proptest::collection::vec(0_u8..4, 1..9),
    ) {
        let mut formulas = Formulas::new();
        let properties: Vec<Formula> = texts.iter().map(|text| read(&mut formulas, text)).collect();
        let mut keeping = Monitor::keeping_all(&formulas, &properties);
        let mut settling = Monitor::new(&formulas, &properties);
        let codes: Vec<u8> = blocks.iter().flat_map(|(block, count)| block.repeat(*count)).collect();
        let letters = letters(&keeping, &formulas, &codes);
        for (letter, time) in letters.iter().zip(times.iter().cycle()) {
            keeping.push(letter);
            settling.push(letter);
            if *time == 0 {
                prop_assert_eq!(settling.verdicts(), keeping.verdicts(), "{:?} after {}", texts, settling.length());
            }
        }
        for &semantics in Semantics::ALL {
            prop_assert_eq!(settling.judge(semantics), keeping.judge(semantics), "{:?} {:?}", texts, semantics);
        }
        for (settled, kept) in settling.explanations().iter().zip(keeping.explanations()) {
            prop_assert_eq!(settled.verdict, kept.verdict);
            prop_assert_eq!(settled.excess(), kept.excess(), "{:?}: {} {}", texts, settled, kept);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(500)))]

    /// Expectations that come to the longest wait say what the definitions say.
    #[test]
    fn the_longest_wait_is_a_special_expectation(
        text in formula_text(4, 12),
        codes in proptest::collection::vec(0_u8..8, 0..12),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let tree = Tree::of(&formulas, formula);
        for expectation in [Expectation::Quantile(1.0), Expectation::Recent(100)] {
            let mut monitor = Monitor::expecting(&formulas, &[formula], expectation);
            let letters = letters(&monitor, &formulas, &codes);
            for (length, letter) in (1..).zip(&letters) {
                monitor.push(letter);
                let known = Reference::new(&tree, &codes[..length]).rank(&tree, 1);
                prop_assert_eq!(monitor.verdicts()[0].rank(), known, "{} {:?} after {}", text, expectation, length);
            }
        }
    }
}

/// One long wait does not excuse all others where the median counts, and the waits of a mode that is over are forgotten.
#[test]
fn expectations_differ_on_waits_that_differ() {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, "G (a -> F b)");
    // Answers after 9 steps, then five times after one step; then a wait of five.
    let mut codes = vec![1];
    codes.extend([0; 8]);
    codes.push(2);
    codes.extend([1, 2].repeat(5));
    codes.extend([1, 0, 0, 0, 0]);
    let verdict = |expectation: Expectation| {
        let mut monitor = Monitor::expecting(&formulas, &[formula], expectation);
        for letter in letters(&monitor, &formulas, &codes) {
            monitor.push(&letter);
        }
        let explanation = monitor.explanations().remove(0);
        (explanation.verdict, explanation.to_string())
    };
    assert_eq!(verdict(Expectation::Longest).0, Verdict::PresumablyTrue);
    assert_eq!(verdict(Expectation::Quantile(1.0)).0, Verdict::PresumablyTrue);
    for expectation in ["quantile:0.5", "recent:3", "spread:0.5"] {
        let (verdict, words) = verdict(expectation.parse().expect("an expectation"));
        assert_eq!(verdict, Verdict::PresumablyFalse, "{expectation}: {words}");
        assert!(words.contains("waited 5, expected 1 at most") || expectation == "spread:0.5", "{words}");
    }
    for wrong in ["", "longer", "quantile:2", "quantile:x", "recent:0", "spread:-1", "spread:inf"] {
        assert!(wrong.parse::<Expectation>().is_err(), "{wrong}");
    }
}

/// A property of the kinds that people write.
fn pattern() -> impl Strategy<Value = String> {
    let state = || {
        prop_oneof![
            Just("a"),
            Just("b"),
            Just("c"),
            Just("!a"),
            Just("(a & b)"),
            Just("(a | c)"),
            Just("X b"),
            Just("F c")
        ]
    };
    let template = prop_oneof![
        Just("G (0 -> F 1)"),
        Just("G F 0"),
        Just("F G 0"),
        Just("G (0 -> X 1)"),
        Just("0 U 1"),
        Just("G (0 -> (0 U 1))"),
        Just("F (0 & X 1)"),
        Just("G (0 -> X F 1)"),
        Just("0 W 1"),
        Just("G (0 -> (1 R 0))"),
        Just("G (F 0 | G 1)"),
        Just("F 0"),
        Just("G 0"),
        Just("G (0 -> X X 1)"),
        Just("G (F 0 | F 1)"),
        Just("F G 0 | F G 1"),
        Just("G (0 -> F G 1)"),
        Just("G (0 -> G F 1)"),
        Just("F (G 0 & F 1)"),
    ];
    let filled = (template, state(), state())
        .prop_map(|(template, first, second)| template.replace('0', first).replace('1', second));
    let pair = (filled, prop_oneof![Just("&"), Just("|"), Just("->"), Just("<->"), Just("U")], any::<bool>());
    pair.prop_flat_map(move |(left, operator, alone)| {
        let right = (Just(left), Just(operator), Just(alone), state());
        right.prop_map(|(left, operator, alone, right)| match alone {
            true => left,
            false => format!("({left}) {operator} (G F {right})"),
        })
    })
}
