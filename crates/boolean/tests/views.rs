//! Random inputs, equivalence classes and couplings.

use boolean::couple::{Coupling, Couplings};
use boolean::interp::run;
use boolean::partition::partitions;
use boolean::sample::Sampler;
use boolean::{Dialect, Spec, load};
use formula::LeafId;
use source::Source;
use value::Value;

fn specification(text: &str) -> Spec {
    load(&Source::new("view.bool", text), Dialect::Bool).expect("well formed").0
}

const NUMBERS: &str = "type T = { p, q, r };
    input x: int in -5..60; input y: int; input z: real; input v: u8; input t: T; input m: array[int] of bool;
    decision d = x > 21 && 40 != x && y <= -3 && z < 2.5 && 1 <= z && v == 200 && t == r && m[y] && y == x + 1;";

#[test]
fn random_inputs_fit_their_sorts_and_ranges_and_repeat() {
    let spec = specification(NUMBERS);
    let (mut sampler, mut again, mut other) = (Sampler::new(&spec, 3), Sampler::new(&spec, 3), Sampler::new(&spec, 4));
    let mut differs = false;
    for _ in 0..2000 {
        let test = sampler.draw();
        assert_eq!(test, again.draw());
        differs |= test != other.draw();
        for (variable, value) in spec.variables.iter().zip(&test) {
            assert_eq!(value.sort(), variable.sort);
            if let (Some((low, high)), Value::Int(number)) = (&variable.range, value) {
                assert!(low <= number && number <= high, "{number} is outside the range of {}", variable.name);
            }
        }
        assert!(run(&spec, 0, &test).violated.is_empty());
    }
    assert!(differs);
}

#[test]
fn random_inputs_reach_both_values_of_every_condition() {
    let spec = specification(NUMBERS);
    let mut sampler = Sampler::new(&spec, 1);
    let runs: Vec<_> = (0..2000).map(|_| run(&spec, 0, &sampler.draw())).collect();
    for condition in 0..spec.decisions[0].conditions.len() {
        assert!(runs.iter().any(|run| run.conditions[condition]), "condition {condition} is never true");
        assert!(runs.iter().any(|run| !run.conditions[condition]), "condition {condition} is never false");
    }
}

#[test]
fn conditions_on_one_variable_are_constant_on_its_classes() {
    let spec = specification(
        "input x: int in -5..60; input z: real; decision d = x > 21 && 40 != x && x <= 3 && z < 2.5 && 1 <= z && z != 2;",
    );
    let mut sampler = Sampler::new(&spec, 9);
    let tests: Vec<Vec<Value>> = (0..300).map(|_| sampler.draw()).collect();
    for partition in partitions(&spec, 0) {
        let index = partition.variable.0 as usize;
        let class_of = |test: &[Value]| {
            let holding: Vec<usize> =
                (0..partition.classes.len()).filter(|&class| partition.classes[class].contains(&test[index])).collect();
            assert_eq!(holding.len(), 1, "every value is in exactly one class");
            holding[0]
        };
        for left in &tests {
            for right in tests.iter().filter(|right| class_of(right) == class_of(left)) {
                let mut moved = left.clone();
                moved[index] = right[index].clone();
                assert_eq!(run(&spec, 0, left).conditions, run(&spec, 0, &moved).conditions);
            }
        }
    }
}

#[test]
fn couplings_are_seen_in_the_text() {
    let spec = specification(
        "input a, b: int; input c: bool; decision d = a > 5 && a <= 5 && 5 < a && a > 5 && a < 9 && b < a && c;",
    );
    let couplings = Couplings::new(&spec, 0);
    let between = |left, right| couplings.between(LeafId(left), LeafId(right));
    assert_eq!(between(0, 1), Some(Coupling::Complement));
    assert_eq!(between(1, 2), Some(Coupling::Complement));
    assert_eq!(between(0, 2), Some(Coupling::SharedVariables));
    assert_eq!(between(0, 3), Some(Coupling::SameAtom));
    assert_eq!(between(0, 4), Some(Coupling::SharedVariables));
    assert_eq!(between(4, 5), Some(Coupling::SharedVariables));
    assert_eq!(between(5, 6), None);
    assert_eq!(couplings.pairs().count(), 15);
}
