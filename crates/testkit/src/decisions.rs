//! Random Boolean decisions, as texts, over finite domains that a test can enumerate.

use std::fmt::Write;

use crate::Choices;

/// Boolean inputs are `a`, `b`, …; integer inputs are `x`, `y`, each from 0 to 3.
const BOOLEANS: usize = 4;
const INTEGERS: usize = 2;

/// A random decision with at most `conditions` conditions, in the notation of `.bool` files.
pub fn decision(choices: &mut Choices, conditions: usize) -> String {
    let mut text = String::from("input a, b, c, d: bool;\ninput x, y: int in 0..3;\n");
    if choices.below(4) == 0 {
        let mut budget = 2;
        let assumption = formula(choices, &mut budget, 2);
        writeln!(text, "assume a || x < 3 || {assumption};").expect("writing to a string never fails");
    }
    let mut budget = 1 + choices.below(conditions);
    let depth = 2 + choices.below(3);
    let formula = formula(choices, &mut budget, depth);
    writeln!(text, "decision d0 = {formula};").expect("writing to a string never fails");
    text
}

/// The number of assignments of the inputs of [`decision`], and the values of one of them: Booleans, then integers.
pub fn assignments() -> impl Iterator<Item = (Vec<bool>, Vec<i64>)> {
    (0..1usize << BOOLEANS).flat_map(|bits| {
        let booleans: Vec<bool> = (0..BOOLEANS).map(|place| bits >> place & 1 == 1).collect();
        (0..1usize << (2 * INTEGERS)).map(move |numbers| {
            let integers = (0..INTEGERS).map(|place| (numbers >> (2 * place) & 3) as i64).collect();
            (booleans.clone(), integers)
        })
    })
}

/// Spends at least one condition of the budget; recursion is bounded by `depth`.
fn formula(choices: &mut Choices, budget: &mut usize, depth: usize) -> String {
    if depth == 0 || *budget <= 1 || choices.below(5) == 0 {
        *budget = budget.saturating_sub(1);
        return atom(choices);
    }
    let mut next = |budget: &mut usize| formula(choices, budget, depth - 1);
    let (first, second) = (next(budget), next(budget));
    match choices.below(9) {
        0 | 1 => format!("({first} && {second})"),
        2 | 3 => format!("({first} || {second})"),
        4 => format!("!({first} && {second})"),
        5 => format!("({first} ^ {second})"),
        6 => format!("({first} -> {second})"),
        7 => format!("({first} <-> {second})"),
        _ => {
            let third = formula(choices, budget, depth - 1);
            format!("ite({first}, {second}, {third})")
        }
    }
}

fn atom(choices: &mut Choices) -> String {
    let boolean = |choices: &mut Choices| ["a", "b", "c", "d"][choices.below(BOOLEANS)];
    let integer = |choices: &mut Choices| ["x", "y"][choices.below(INTEGERS)];
    let relation = ["<", "<=", ">", ">=", "==", "!="][choices.below(6)];
    match choices.below(6) {
        0..=2 => boolean(choices).to_owned(),
        3 => format!("!{}", boolean(choices)),
        4 => format!("{} {relation} {}", integer(choices), choices.below(5)),
        _ => format!("x {relation} y + {}", choices.below(3)),
    }
}
