//! The short forms of the native notation against what they stand for, both written by a generator that knows nothing of the
//! parser: definitions, quantifiers, sums, records, machines, constants, assignments at once, local choice.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use action::interp::Interpreter;
use action::trace::Step;
use action::{Notation, Spec, load};
use proptest::prelude::*;
use source::Source;
use testkit::{Choices, choices};

/// A model in two ways: with short forms, and with every one of them written out by hand.
struct Twice {
    short: String,
    long: String,
}

/// A condition in two ways, over cells 0 to `last` of `level` and the fields of a record `box`.
fn condition(choices: &mut Choices, last: i64, here: &str, depth: usize) -> (String, String) {
    let number = choices.below(3);
    let pick = if depth == 0 { choices.below(3) } else { choices.below(7) };
    match pick {
        0 => (format!("box.size > {number}"), format!("'box.size' > {number}")),
        1 => (format!("level[{here}] != {number}"), format!("level[{here}] != {number}")),
        2 => ("full".to_owned(), "('box.size' = 3 or 'box.open' = 1)".to_owned()),
        3 | 4 => {
            let (word, joint) = if pick == 3 { ("forall", " and ") } else { ("exists", " or ") };
            let name = format!("q{depth}");
            let parts: Vec<String> = (0..=last).map(|cell| format!("level[{cell}] <= {number}")).collect();
            (format!("({word} {name}: 0..LAST | level[{name}] <= {number})"), format!("({})", parts.join(joint)))
        }
        5 => {
            let parts: Vec<String> = (0..=last).map(|cell| format!("(level[{cell}] + {cell})")).collect();
            (
                format!("(sum q{depth}: 0..LAST | level[q{depth}] + q{depth}) < near({number})"),
                format!("({}) < (({number} + 2) * 2)", parts.join(" + ")),
            )
        }
        _ => {
            let (left, right) = (condition(choices, last, here, depth - 1), condition(choices, last, here, depth - 1));
            let joint = ["and", "or", "->"][choices.below(3)];
            (format!("({} {joint} {})", left.0, right.0), format!("({} {joint} {})", left.1, right.1))
        }
    }
}

fn twice(choices: &mut Choices) -> Twice {
    let last = 1 + choices.below(2) as i64;
    let here = choices.below(last as usize + 1).to_string();
    let (shut, guard) = (condition(choices, last, &here, 2), condition(choices, last, "d", 2));
    let (inner, amount) = (condition(choices, last, &here, 1), choices.below(3));
    let mut short = String::new();
    let _ = write!(
        short,
        "const LAST = {last};\n\
         type Level = 0..3; type Flag = 0..1; type Cells = array 0..LAST of Level;\n\
         type Box = record {{ size: Level, open: Flag }};\n\
         var level: Cells = 0; var box: Box = [{amount}, 0];\n\
         let full = box.size = LAST - LAST + 3 or box.open; let near(n) = (n + 2) * 2;\n\
         machine Door(d: 0..LAST) {{\n  var mode: Flag = 0;\n\
           action opens when mode = 0 and {} {{ mode := 1; level[d] := (level[d] + 1) mod 4 }}\n\
           action shuts when mode and mode[0] = 1 {{ mode := 0 }}\n}}\n\
         action swap when {} {{ box.size, level[{here}] := level[{here}], box.size }}\n\
         action fill {{ any l: Level where l != box.size and {} {{ box.size := l; box.open := 1 - box.open }} }}\n\
         do Door [] swap [] fill od\n",
        guard.0, shut.0, inner.0
    );
    let mut long = String::new();
    let _ = write!(
        long,
        "type Level = 0..3; type Flag = 0..1; type Cells = array 0..{last} of Level;\n\
         type Door = 0..{last}; type Modes = array 0..{last} of Flag;\n\
         var level: Cells = 0; var 'box.size': Level = {amount}; var 'box.open': Flag = 0; var mode: Modes = 0;\n\
         action opens(d) when mode[d] = 0 and {} {{ mode[d] := 1; level[d] := (level[d] + 1) mod 4 }}\n\
         action shuts(d) when mode[d] = 1 and mode[0] = 1 {{ mode[d] := 0 }}\n\
         action swap when {} {{ 'box.size', level[{here}] := level[{here}], 'box.size' }}\n\
         action fill {{ choose {} }}\n\
         do opens(D) for D: Door [] shuts(D) for D: Door [] swap [] fill od\n",
        guard.1,
        shut.1,
        (0..=3)
            .map(|l| format!(
                "{{ when {l} != 'box.size' and {} {{ 'box.size' := {l}; 'box.open' := 1 - 'box.open' }} }}",
                inner.1
            ))
            .collect::<Vec<_>>()
            .join(" or ")
    );
    Twice { short, long }
}

fn read(text: &str) -> Spec {
    load(&Source::new("twice.as", text), Notation::Native).unwrap_or_else(|errors| panic!("{text}\n{errors:?}")).0
}

/// The values of the variables by name, whatever their order.
type Named = BTreeSet<(String, i64)>;

fn named(spec: &Spec, state: &[i64]) -> Named {
    let name = |slot: &action::spec::Slot| slot.name.clone();
    spec.slots().iter().map(name).zip(state.iter().copied()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn short_forms_mean_what_they_stand_for(mut choices in choices(60)) {
        let Twice { short, long } = twice(&mut choices);
        let (one, two) = (read(&short), read(&long));
        let (mut first, mut second) = (Interpreter::new(&one), Interpreter::new(&two));
        let mut open = vec![(one.initial().to_vec(), two.initial().to_vec())];
        let mut known = BTreeSet::new();
        while let Some((left, right)) = open.pop() {
            prop_assert_eq!(named(&one, &left), named(&two, &right), "{}\n{}", short, long);
            if 60 < known.len() || !known.insert(left.clone()) {
                continue;
            }
            let (ours, theirs) = (first.steps(&left).expect("few ways"), second.steps(&right).expect("few ways"));
            let shown = |spec: &Spec, steps: &[(Step, u64)]| -> BTreeSet<(String, Named, u64)> {
                steps.iter().map(|(step, weight)| (step.label.to_string(), named(spec, &step.post), *weight)).collect()
            };
            prop_assert_eq!(shown(&one, &ours), shown(&two, &theirs), "from {:?}\n{}\n{}", left, short, long);
            for (step, _) in &ours {
                let wanted = (step.label.to_string(), named(&one, &step.post));
                let other = theirs.iter().find(|(other, _)| (other.label.to_string(), named(&two, &other.post)) == wanted);
                open.push((step.post.clone(), other.expect("the same steps").0.post.clone()));
            }
        }
    }
}
