//! A second opinion: which obligations a test meets, asked of the solver with the test's inputs fixed, beside what the
//! interpreter says.

use std::collections::HashSet;

use smt::{Answer, Term};
use testcase::{Inputs, ObligationId};

use crate::SearchError;
use crate::backend::Backend;
use crate::lane::Lane;
use crate::subject::{Bound, Finding, Subject};

/// What the comparison came to. Contradictions are errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CrossCheck {
    /// Pairs of a test and an obligation on which both agree.
    pub agreed: usize,
    /// Pairs that the solver could not decide, or for which it changed inputs that it does not fix.
    pub undecided: usize,
    /// Tests that go beyond what the solver follows, from 0.
    pub beyond: Vec<usize>,
}

/// Asks the solver what each test meets, and compares; about the problem as it is [posed](crate::Outcome::posed). None where there is
/// no problem for a solver.
///
/// # Errors
/// When interpreter and solver contradict each other, or the solver fails.
pub fn cross_check(
    subject: &dyn Subject,
    backend: &Backend,
    posed: Option<Bound>,
    tests: &[Inputs],
) -> Result<Option<CrossCheck>, SearchError> {
    let Some((encodes, bound)) = subject.abilities().encodes.zip(posed) else { return Ok(None) };
    let Some(mut lane) = Lane::new(encodes, backend, bound)? else { return Ok(None) };
    let mut result = CrossCheck::default();
    for (number, inputs) in tests.iter().enumerate() {
        let met = met_by(subject, inputs);
        let mut same = lane.problem.same_as(&mut lane.terms, inputs);
        same.extend(lane.problem.followed());
        if !matches!(lane.ask(&same)?, Answer::Sat(_)) {
            result.beyond.push(number);
            continue;
        }
        for obligation in (0..subject.obligation_count() as u32).map(ObligationId) {
            if backend.is_over() {
                return Ok(Some(result));
            }
            let parts = lane.parts(obligation);
            let assumptions: Vec<Term> = same.iter().chain(&parts).copied().collect();
            match (lane.ask(&assumptions)?, met.contains(&obligation)) {
                (Answer::Sat(_), true) | (Answer::Unsat { .. }, false) => result.agreed += 1,
                (Answer::Unknown(_), _) => result.undecided += 1,
                (Answer::Unsat { .. }, true) => {
                    return Err(contradiction(inputs, obligation, "the interpreter", "the solver"));
                }
                (Answer::Sat(model), false) => {
                    // Not every input can be fixed: what the solver means is run.
                    let meant = match lane.decode(&model, vec![obligation]) {
                        Finding::Inputs { inputs, .. } => inputs,
                        Finding::Closed(..) | Finding::Finished(_) => Vec::new(),
                    };
                    if !meant.iter().any(|inputs| met_by(subject, inputs).contains(&obligation)) && meant.len() == 1 {
                        return Err(contradiction(inputs, obligation, "the solver", "the interpreter"));
                    }
                    result.undecided += 1;
                }
            }
        }
    }
    Ok(Some(result))
}

fn met_by(subject: &dyn Subject, inputs: &Inputs) -> HashSet<ObligationId> {
    subject.replay().run(inputs).met.into_iter().collect()
}

fn contradiction(inputs: &Inputs, obligation: ObligationId, who: &str, other: &str) -> SearchError {
    let inputs = inputs.to_json();
    SearchError::Disagreement(format!(
        "{who} says that {inputs} meets obligation {}, {other} that it does not",
        obligation.0
    ))
}
