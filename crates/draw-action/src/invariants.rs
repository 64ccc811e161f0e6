//! Invariants: whether they hold in every reachable state, and a shortest way to where one does not.

use action::Spec;
use action::coverage::holds;
use action::trace::Step;

use super::limits::{Limits, Stopped};
use super::space::Space;

/// States looked at between two looks at the clock.
const STATES_PER_LOOK: usize = 1 << 14;

/// What was found out about an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its name.
    pub name: String,
    /// Where it does not hold.
    pub broken: Option<Broken>,
}

/// A state in which an invariant does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The state.
    pub state: Vec<i64>,
    /// Whether the invariant has no value there: a division by zero, or an index outside of an array.
    pub undefined: bool,
    /// A shortest way to it.
    pub trace: Vec<Step>,
}

/// Looks at every invariant in every state of a space, in the order of their distance.
///
/// # Errors
/// When the run must stop.
pub fn invariants(spec: &Spec, space: &Space, limits: &Limits) -> Result<Vec<Checked>, Stopped> {
    let named = |(name, _): &(String, _)| Checked { name: name.clone(), broken: None };
    let mut checked: Vec<Checked> = spec.invariants().iter().map(named).collect();
    let mut state = space.state_at(0);
    for number in 0..space.len() {
        if number.is_multiple_of(STATES_PER_LOOK) {
            limits.spent().map_or(Ok(()), Err)?;
        }
        space.state(number, &mut state);
        for (one, (_, condition)) in checked.iter_mut().zip(spec.invariants()).filter(|(one, _)| one.broken.is_none()) {
            let truth = holds(condition, &state);
            if truth != Some(true) {
                let (state, trace) = (state.clone(), space.trace(number));
                one.broken = Some(Broken { state, undefined: truth.is_none(), trace });
            }
        }
    }
    Ok(checked)
}
