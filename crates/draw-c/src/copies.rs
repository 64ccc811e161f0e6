//! Where the edges of a program are in the unrolled one: how often, and for those that are there once, where.

use super::trace::{PointId, Trace};

/// How often an edge is in the unrolled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Copies {
    Never,
    /// The point that it leads to, and the step there.
    Once(PointId, u32),
    Often,
}

/// The copies of every edge, by its number in queries, and the nodes that executions come to.
pub(super) struct Unrolling {
    copies: Vec<Copies>,
    reached: Vec<bool>,
}

impl Unrolling {
    pub(super) fn new(trace: &Trace, edges: usize, nodes: usize) -> Unrolling {
        let (mut copies, mut reached) = (vec![Copies::Never; edges], vec![false; nodes]);
        for (at, point) in trace.points.iter().enumerate() {
            if let Some(reached) = reached.get_mut(point.node.0 as usize) {
                *reached = true;
            }
            for (number, step) in point.steps.iter().enumerate().filter(|(_, step)| step.edge.is_some()) {
                let Some(slot) = copies.get_mut(step.letter as usize) else { continue };
                *slot = match *slot {
                    Copies::Never => Copies::Once(PointId(at as u32), number as u32),
                    Copies::Once(..) | Copies::Often => Copies::Often,
                };
            }
        }
        Unrolling { copies, reached }
    }

    pub(super) fn of(&self, letter: u32) -> Copies {
        self.copies.get(letter as usize).copied().unwrap_or(Copies::Never)
    }

    /// Whether executions come to a node.
    pub(super) fn is_reached(&self, node: c::program::NodeId) -> bool {
        self.reached.get(node.0 as usize).copied().unwrap_or(false)
    }
}
