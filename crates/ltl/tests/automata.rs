//! Automata and the judge of machines against the meaning of formulas on words.

use ltl::{Judgement, Lasso, Letter, Machine, Move, State, Target, holds_on_lasso, parse_formula, verify};
use omega::automaton::{Buchi, Limits, translate};
use omega::deterministic::{Acceptance, Deterministic, determinise};
use omega::{AtomId, Formula, Formulas};
use proptest::prelude::*;
use source::Source;

fn read(formulas: &mut Formulas, text: &str) -> Formula {
    parse_formula(&Source::new("formula", text), formulas).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

fn formula_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![Just("a"), Just("b"), Just("c")].prop_map(str::to_owned);
    leaf.prop_recursive(4, 14, 2, |inner| {
        prop_oneof![
            (prop_oneof![Just("!"), Just("X"), Just("F"), Just("G"), Just("G F"), Just("F G")], inner.clone())
                .prop_map(|(operator, inner)| format!("{operator} ({inner})")),
            (
                inner.clone(),
                prop_oneof![Just("&"), Just("|"), Just("->"), Just("<->"), Just("U"), Just("R"), Just("W"), Just("M")],
                inner
            )
                .prop_map(|(left, operator, right)| format!("({left}) {operator} ({right})")),
        ]
    })
}

fn atoms(formulas: &mut Formulas) -> [AtomId; 3] {
    ["a", "b", "c"].map(|name| formulas.atom_id(name))
}

fn letter(atoms: [AtomId; 3], code: u8) -> Letter {
    Letter::of(atoms.into_iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1).map(|(_, atom)| atom))
}

/// The machine that does exactly one word.
fn one_word(atoms: [AtomId; 3], prefix: &[u8], cycle: &[u8]) -> Machine {
    let codes = [prefix, cycle].concat();
    let count = codes.len();
    let state = |(place, code): (usize, &u8)| {
        let sets = atoms.into_iter().enumerate().map(|(bit, atom)| (atom, code >> bit & 1 == 1)).collect();
        let target = if place + 1 < count { place + 1 } else { prefix.len() };
        State { moves: vec![Move { guard: Vec::new(), sets, target }] }
    };
    let states = codes.iter().enumerate().map(state).collect();
    Machine { kind: Target::Moore, reads: Vec::new(), sets: atoms.to_vec(), states }
}

/// Whether a plain automaton accepts a word, by search in the product with the lasso.
fn accepts(automaton: &Buchi, lasso: &Lasso) -> bool {
    let letters: Vec<&Letter> = lasso.prefix.iter().chain(&lasso.cycle).collect();
    let next = |place: usize| if place + 1 < letters.len() { place + 1 } else { lasso.prefix.len() };
    let successors = |(place, state): (usize, usize)| -> Vec<(usize, usize)> {
        let holds = |variable: u32| letters[place].holds(automaton.atoms[variable as usize]);
        let edges = automaton.edges[state].iter().filter(|(guard, _)| automaton.bdds.value(*guard, holds));
        edges.map(|(_, target)| (next(place), *target)).collect()
    };
    let reachable = |from: Vec<(usize, usize)>| {
        let mut seen = std::collections::BTreeSet::new();
        let mut open = from;
        while let Some(node) = open.pop() {
            if seen.insert(node) {
                open.extend(successors(node));
            }
        }
        seen
    };
    let all = reachable(vec![(0, 0)]);
    all.into_iter().any(|node| automaton.accepting[node.1] && reachable(successors(node)).contains(&node))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn automata_accept_exactly_the_words_of_a_formula(
        text in formula_text(),
        words in proptest::collection::vec((proptest::collection::vec(0_u8..8, 0..3), proptest::collection::vec(0_u8..8, 1..4)), 6),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let atoms = atoms(&mut formulas);
        let automaton = translate(&mut formulas, formula, Limits::default()).expect("within the limits");
        let empty = automaton.is_empty_language();
        let plain = automaton.degeneralise().expect("within the limits");
        for (prefix, cycle) in words {
            let lasso = Lasso {
                prefix: prefix.iter().map(|code| letter(atoms, *code)).collect(),
                cycle: cycle.iter().map(|code| letter(atoms, *code)).collect(),
            };
            let value = holds_on_lasso(&formulas, formula, &lasso);
            prop_assert_eq!(accepts(&plain, &lasso), value);
            prop_assert!(!(empty && value));
            let judgement = verify(&mut formulas, &one_word(atoms, &prefix, &cycle), formula, Limits::default());
            match judgement {
                Judgement::Satisfied => prop_assert!(value),
                Judgement::Violated(found) => {
                    prop_assert!(!value);
                    prop_assert!(!holds_on_lasso(&formulas, formula, &found));
                }
                Judgement::Unknown => prop_assert!(false, "within the limits"),
            }
        }
    }

    #[test]
    fn a_violation_is_a_word_that_violates(text in formula_text()) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let _ = atoms(&mut formulas);
        let free = Machine {
            kind: Target::Moore,
            reads: Vec::new(),
            sets: Vec::new(),
            states: vec![State { moves: vec![Move { guard: Vec::new(), sets: Vec::new(), target: 0 }] }],
        };
        let negated = formulas.not(formula);
        match verify(&mut formulas, &free, formula, Limits::default()) {
            Judgement::Violated(lasso) => prop_assert!(!holds_on_lasso(&formulas, formula, &lasso)),
            Judgement::Satisfied => {
                let automaton = translate(&mut formulas, negated, Limits::default()).expect("within the limits");
                prop_assert!(automaton.is_empty_language());
            }
            Judgement::Unknown => prop_assert!(false, "within the limits"),
        }
    }
}

#[test]
fn sizes_of_well_known_formulas() {
    let check = |text: &str, states: usize| {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, text);
        let plain = translate(&mut formulas, formula, Limits::default())
            .expect("within the limits")
            .degeneralise()
            .expect("within the limits");
        assert_eq!(plain.edges.len(), states, "{text}");
    };
    check("G a", 1);
    check("F a", 2);
    check("G F a", 2);
    check("F G a", 2);
    check("G (r -> F g)", 2);
    check("a U b", 2);
}

/// Whether a deterministic automaton accepts a word.
fn accepts_deterministically(automaton: &Deterministic, lasso: &Lasso) -> bool {
    let (mut state, mut marks) = (0, Vec::new());
    let rounds = automaton.edges.len() + 1;
    let word = lasso.prefix.iter().chain(std::iter::repeat_n(&lasso.cycle, 2 * rounds).flatten());
    for letter in word {
        let holds = |variable: u32| letter.holds(automaton.atoms[variable as usize]);
        let mut fitting = automaton.edges[state].iter().filter(|(guard, ..)| automaton.bdds.value(*guard, holds));
        let (_, mark, target) = *fitting.next().expect("nothing is left out");
        assert!(fitting.next().is_none(), "guards are disjoint");
        marks.push(mark);
        state = target;
    }
    let late = &marks[lasso.prefix.len() + rounds * lasso.cycle.len()..];
    match automaton.acceptance {
        Acceptance::Never => marks.iter().all(|mark| !mark),
        Acceptance::Once => marks.iter().any(|mark| *mark),
        Acceptance::Repeatedly => late.iter().any(|mark| *mark),
        Acceptance::Finitely => late.iter().all(|mark| !mark),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn deterministic_automata_accept_exactly_the_words_of_a_formula(
        text in formula_text(),
        words in proptest::collection::vec((proptest::collection::vec(0_u8..8, 0..3), proptest::collection::vec(0_u8..8, 1..4)), 6),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let atoms = atoms(&mut formulas);
        let limits = Limits { states: 500, ..Limits::default() };
        if let Some(automaton) = determinise(&mut formulas, formula, limits) {
            for (prefix, cycle) in words {
                let lasso = Lasso {
                    prefix: prefix.iter().map(|code| letter(atoms, *code)).collect(),
                    cycle: cycle.iter().map(|code| letter(atoms, *code)).collect(),
                };
                let value = holds_on_lasso(&formulas, formula, &lasso);
                prop_assert_eq!(accepts_deterministically(&automaton, &lasso), value);
            }
        }
    }
}

#[test]
fn formulas_of_the_simpler_classes_are_determinised() {
    let check = |text: &str, acceptance: Acceptance, states: usize| {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, text);
        let automaton = determinise(&mut formulas, formula, Limits::default()).expect("it is of a simple class");
        assert_eq!((automaton.acceptance, automaton.edges.len()), (acceptance, states), "{text}");
    };
    check("G a", Acceptance::Never, 2);
    check("G (a -> X b)", Acceptance::Never, 3);
    check("a U b", Acceptance::Once, 3);
    check("G (r -> F g)", Acceptance::Repeatedly, 2);
    check("F G a", Acceptance::Finitely, 1);
    check("G (p -> G (q -> F r))", Acceptance::Repeatedly, 3);
    check("F (p & F (q & G !r))", Acceptance::Finitely, 3);
}

#[test]
fn automata_are_written_for_other_tools() {
    let mut formulas = Formulas::new();
    let formula = read(&mut formulas, "G (r -> F g)");
    let automaton = translate(&mut formulas, formula, Limits::default()).expect("within the limits");
    let text = automaton.to_hoa(&formulas).expect("its labels are short");
    let head = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"r\" \"g\"\nAcceptance: 1 Inf(0)\n";
    assert!(text.starts_with(head) && text.ends_with("--END--\n"), "{text}");
    assert!(automaton.to_dot(&formulas).is_some_and(|dot| dot.starts_with("digraph automaton {")));
}

/// A Moore machine that reads `a` and sets `b`; `c` is free. For each state: what it sets, and where it goes on `!a` and `a`.
fn branching(atoms: [AtomId; 3], rows: &[(bool, usize, usize)]) -> Machine {
    let state = |&(value, low, high): &(bool, usize, usize)| {
        let taken = |holds: bool, target: usize| Move {
            guard: vec![(atoms[0], holds)],
            sets: vec![(atoms[1], value)],
            target: target % rows.len(),
        };
        State { moves: vec![taken(false, low), taken(true, high)] }
    };
    let states = rows.iter().map(state).collect();
    Machine { kind: Target::Moore, reads: vec![atoms[0]], sets: vec![atoms[1]], states }
}

/// The infinite word of a machine whose free signals repeat: the run closes when a state comes back at the start of a round.
fn word_of(machine: &Machine, atoms: [AtomId; 3], round: &[u8]) -> Lasso {
    let (mut state, mut letters, mut starts) = (0, Vec::new(), Vec::new());
    loop {
        if let Some(place) = starts.iter().position(|other| *other == state) {
            let cycle = letters.split_off(place * round.len());
            return Lasso { prefix: letters, cycle };
        }
        starts.push(state);
        for code in round {
            let mut letter = letter(atoms, *code & 5);
            for &(atom, value) in machine.sets_in(state) {
                letter.set(atom, value);
            }
            state = machine.step(state, &letter).target;
            letters.push(letter);
        }
    }
}

/// Whether a word is one that a machine allows.
fn allows(machine: &Machine, lasso: &Lasso) -> bool {
    let mut state = 0;
    let rounds = std::iter::repeat_n(&lasso.cycle, machine.states.len() + 1).flatten();
    lasso.prefix.iter().chain(rounds).all(|letter| {
        let taken = machine.step(state, letter);
        state = taken.target;
        taken.sets.iter().all(|(atom, value)| letter.holds(*atom) == *value)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    // The judge shares the unfolding of formulas with the automata; the meaning of formulas on words shares nothing.
    #[test]
    fn the_judge_of_machines_agrees_with_the_words_of_machines(
        text in formula_text(),
        rows in proptest::collection::vec((any::<bool>(), 0_usize..3, 0_usize..3), 1..4),
        words in proptest::collection::vec(proptest::collection::vec(0_u8..8, 1..5), 8),
    ) {
        let mut formulas = Formulas::new();
        let formula = read(&mut formulas, &text);
        let atoms = atoms(&mut formulas);
        let machine = branching(atoms, &rows);
        match verify(&mut formulas, &machine, formula, Limits::default()) {
            Judgement::Satisfied => {
                for round in words {
                    let word = word_of(&machine, atoms, &round);
                    prop_assert!(allows(&machine, &word));
                    prop_assert!(holds_on_lasso(&formulas, formula, &word));
                }
            }
            Judgement::Violated(word) => {
                prop_assert!(!holds_on_lasso(&formulas, formula, &word));
                prop_assert!(allows(&machine, &word));
            }
            Judgement::Unknown => prop_assert!(false, "within the limits"),
        }
    }
}

/// A budget that ends in the middle of an operation makes no automaton, and never another one.
#[test]
fn automata_within_a_budget_are_those_without_one() {
    let texts = [
        "G (a -> F (b & X c))",
        "(a U b) & G F c & F G (a -> b)",
        "G ((a & X b) -> X X (c | a)) & (c W b)",
        "F (a & X (b U c)) | G (a <-> X b)",
        "G F (a & b) ",
        "F G (a | X !c)",
    ];
    for text in texts {
        let mut formulas = Formulas::new();
        let formula = parse_formula(&Source::new("formula", text), &mut formulas).expect("well formed");
        let free = Limits::default();
        let whole = translate(&mut formulas, formula, free).expect("within the limits");
        let plain = |formulas: &mut Formulas, limits: Limits| translate(formulas, formula, limits)?.degeneralise();
        let whole_plain = plain(&mut formulas, free).expect("within the limits");
        let whole_deterministic = determinise(&mut formulas, formula, free);
        let mut made = 0;
        for nodes in 2..2_000 {
            let limits = Limits { nodes, ..free };
            if let Some(automaton) = translate(&mut formulas, formula, limits) {
                assert_eq!(automaton.to_hoa(&formulas), whole.to_hoa(&formulas), "{text}, {nodes} nodes");
                made += 1;
            }
            if let Some(automaton) = plain(&mut formulas, limits) {
                assert_eq!(automaton.edges, whole_plain.edges, "{text}, {nodes} nodes");
                assert_eq!(automaton.accepting, whole_plain.accepting, "{text}, {nodes} nodes");
            }
            if let (Some(automaton), Some(whole)) = (determinise(&mut formulas, formula, limits), &whole_deterministic)
                && automaton.acceptance == whole.acceptance
            {
                // Where one way is too long, another may do; it wants the marks otherwise.
                assert_eq!(automaton.edges, whole.edges, "{text}, {nodes} nodes");
            }
        }
        assert!((1..1_998).contains(&made), "{text}: {made} of the budgets are enough");
    }
}
