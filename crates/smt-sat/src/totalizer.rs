//! How many of some literals are true, in unary: the totalizer of Bailleux and Boufkhad (CP 2003).

use crate::sat::{Lit, Sat};

/// Counts true literals; one bound after the other can be assumed or added.
///
/// ```
/// use smt_sat::sat::{Budget, Outcome, Sat, Totalizer};
/// let mut sat = Sat::new();
/// let inputs: Vec<_> = (0..4).map(|_| sat.new_var()).collect();
/// let count = Totalizer::new(&mut sat, &inputs);
/// sat.add_clause(&inputs[..2]);
/// sat.add_clause(&inputs[2..]);
/// let at_most_one = count.at_most(1).expect("a bound below the number of inputs");
/// assert_eq!(sat.solve(&[at_most_one], &Budget::default()), Outcome::Unsat);
/// ```
pub struct Totalizer {
    /// Output `i` is true if more than `i` inputs are.
    outputs: Vec<Lit>,
}

impl Totalizer {
    /// Adds a counter over `inputs` to the solver.
    pub fn new(sat: &mut Sat, inputs: &[Lit]) -> Totalizer {
        let mut level: Vec<Vec<Lit>> = inputs.iter().map(|&lit| vec![lit]).collect();
        while 1 < level.len() {
            level = level.chunks(2).map(|pair| merge(sat, pair)).collect();
        }
        Totalizer { outputs: level.pop().unwrap_or_default() }
    }

    /// The literal that holds only if at most `bound` inputs do; none is needed if the inputs have run out than that.
    pub fn at_most(&self, bound: usize) -> Option<Lit> {
        self.outputs.get(bound).map(|&lit| !lit)
    }
}

/// The unary sum of one or two unary numbers. Only true inputs force outputs: upper bounds need no more.
fn merge(sat: &mut Sat, pair: &[Vec<Lit>]) -> Vec<Lit> {
    let [left, right] = pair else { return pair[0].clone() };
    let sum: Vec<Lit> = (0..left.len() + right.len()).map(|_| sat.new_var()).collect();
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            if i + j == 0 {
                continue;
            }
            let mut clause = vec![sum[i + j - 1]];
            clause.extend(i.checked_sub(1).map(|i| !left[i]));
            clause.extend(j.checked_sub(1).map(|j| !right[j]));
            sat.add_clause(&clause);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Budget, Outcome};

    #[test]
    fn a_bound_holds_exactly_for_the_inputs_it_allows() {
        for count in 0..=5usize {
            let mut sat = Sat::new();
            let inputs: Vec<Lit> = (0..count).map(|_| sat.new_var()).collect();
            let totalizer = Totalizer::new(&mut sat, &inputs);
            assert_eq!(totalizer.at_most(count), None);
            for bound in 0..count {
                for pattern in 0..1u32 << count {
                    let fixed =
                        inputs.iter().enumerate().map(|(i, &lit)| if pattern >> i & 1 == 1 { lit } else { !lit });
                    let assumptions: Vec<Lit> = fixed.chain(totalizer.at_most(bound)).collect();
                    let expected = if pattern.count_ones() as usize <= bound { Outcome::Sat } else { Outcome::Unsat };
                    assert_eq!(sat.solve(&assumptions, &Budget::default()), expected, "{count} {bound} {pattern:b}");
                }
            }
        }
    }
}
