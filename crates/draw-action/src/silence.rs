//! Silence: states from which no output comes by itself, however long one waits.

use std::collections::{BTreeMap, BTreeSet};

/// What a state does without the tester.
pub(super) struct Own<S> {
    /// The states after its internal steps.
    pub(super) internal: Vec<S>,
    /// Whether it may put something out.
    pub(super) puts_out: bool,
}

/// The states among which a silent system stays, if it is silent in this state. A state without outputs and internal steps
/// is silent, and so is one whose internal steps only go round among states without outputs: a system that ticks inside
/// and says nothing cannot be told from one that waits.
///
/// # Errors
/// What the question about a state's own steps ends with.
pub(super) fn silent_around<S: Ord + Clone, E>(
    state: &S,
    mut own: impl FnMut(&S) -> Result<Own<S>, E>,
) -> Result<Option<Vec<S>>, E> {
    let first = own(state)?;
    if first.puts_out {
        return Ok(None);
    }
    let mut before: BTreeMap<S, Vec<S>> = BTreeMap::from([(state.clone(), Vec::new())]);
    let mut open = vec![(state.clone(), first.internal)];
    while let Some((from, posts)) = open.pop() {
        for post in posts {
            if let Some(known) = before.get_mut(&post) {
                known.push(from.clone());
                continue;
            }
            let next = own(&post)?;
            if next.puts_out {
                return Ok(None);
            }
            before.insert(post.clone(), vec![from.clone()]);
            open.push((post, next.internal));
        }
    }
    // It stays where it is only if everything it comes to leads back.
    let mut back = BTreeSet::from([state.clone()]);
    let mut open = vec![state.clone()];
    while let Some(at) = open.pop() {
        for from in &before[&at] {
            if back.insert(from.clone()) {
                open.push(from.clone());
            }
        }
    }
    Ok((back.len() == before.len()).then(|| back.into_iter().collect()))
}
