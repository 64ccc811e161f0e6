//! By how much numbers are mutated: people slip in the last place they write, and by a whole step of the formula.

use dashu_int::ops::BitTest;
use value::{RBig, UBig};

use super::MutationOptions;
use crate::spec::Spec;
use crate::store::{Formula, Node};

/// Mutants that move bounds by less than this share of the horizon are not made: tests would get too long.
const MOST_STEPS: u32 = 600;

/// How bounds of windows are moved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    /// By one in the last place in which a bound is written, by one at most; and by the step of the formula.
    #[default]
    Written,
    /// By the step of the formula: the greatest number that divides all bounds.
    Divisor,
    /// By a given time.
    Exactly(RBig),
}

/// The sizes of the changes for one formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// By how much bounds are moved and how wide inserted windows are, the smallest first.
    pub times: Vec<RBig>,
    /// One in the last place in which a bound is written, where mutants of that size would make tests too long.
    pub left_out: Option<RBig>,
    /// What a threshold of zero is moved by: one in the last place of the finest threshold.
    pub finest: RBig,
}

/// By how much the numbers of a formula are mutated.
pub fn sizes(spec: &Spec, options: &MutationOptions) -> Sizes {
    let below = spec.store.below(&[spec.formula]);
    let finest = below.iter().filter_map(|&formula| match spec.store.node(formula) {
        Node::Compare(comparison) if !comparison.bound.is_zero() => Some(last_place(&comparison.bound)),
        _ => None,
    });
    let finest = finest.min().unwrap_or(RBig::ONE);
    let divisor = spec.step();
    match &options.steps {
        Steps::Exactly(step) => Sizes { times: vec![step.clone()], left_out: None, finest },
        Steps::Divisor => Sizes { times: vec![divisor], left_out: None, finest },
        Steps::Written => {
            let unit = unit(spec, &below);
            let horizon = crate::horizon(&spec.store, &[spec.formula]);
            // Where the last place is too fine for the horizon, the next one that is not is taken.
            let mut affordable = unit.clone();
            while affordable < divisor && &affordable * RBig::from(MOST_STEPS) < horizon {
                affordable *= RBig::from(10);
            }
            let left_out = (unit < affordable).then(|| unit.clone());
            let fine = Some(affordable).filter(|affordable| *affordable < divisor);
            Sizes { times: fine.into_iter().chain([divisor]).collect(), left_out, finest }
        }
    }
}

/// One in the last place in which any bound is written, one at most.
fn unit(spec: &Spec, below: &[Formula]) -> RBig {
    let bounds = below.iter().flat_map(|&formula| spec.store.node(formula).bounds());
    bounds.map(last_place).min().unwrap_or(RBig::ONE)
}

/// One in the last decimal place that a number needs, one at most; of other fractions, one over the denominator.
pub(super) fn last_place(number: &RBig) -> RBig {
    let mut scale = UBig::ONE;
    // A denominator of twos and fives divides a power of ten not much longer than itself.
    for _ in 0..=number.denominator().bit_len() {
        if (&scale % number.denominator()) == UBig::ZERO {
            return RBig::from_parts(1.into(), scale);
        }
        scale *= UBig::from(10u8);
    }
    RBig::from_parts(1.into(), number.denominator().clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes_of(text: &str) -> Vec<String> {
        let (spec, _) = crate::load(&source::Source::new("test.stl", text)).expect("well formed");
        let sizes = sizes(&spec, &MutationOptions::default());
        sizes.times.iter().chain(&sizes.left_out).map(crate::write_number).collect()
    }

    #[test]
    fn slips_are_as_large_as_the_last_place_and_as_the_step() {
        assert_eq!(sizes_of("G[0,20] x < 120"), ["1", "20"]);
        assert_eq!(sizes_of("G[0,2.5] x < 120"), ["0.1", "2.5"]);
        assert_eq!(sizes_of("G[0,3] F[0,2] x < 120"), ["1"]);
        assert_eq!(sizes_of("N[1/3] x < 120"), ["1/3"]);
        // A day in seconds: off by a hundred, and that one second was too fine is said.
        assert_eq!(sizes_of("G[0,86400] x < 120"), ["1000", "86400", "1"]);
    }

    #[test]
    fn last_places_are_those_written() {
        for (number, place) in [("120", "1"), ("133.7", "0.1"), ("0.05", "0.01"), ("1/3", "1/3"), ("1/8", "0.001")] {
            let number = crate::read_number(number).expect("a number");
            assert_eq!(crate::write_number(&last_place(&number)), place);
        }
    }
}
