//! The unrolled program: a graph without cycles that every execution within the bounds is a path of.

use c::program::{EdgeId, FunctionId, NodeId};
use smt::Term;

/// A place in the unrolled program, among the nodes of the trace. Predecessors stand before successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PointId(pub u32);

/// The unrolled program.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Whether there were more steps than are followed.
    pub exhausted: bool,
    /// Its places.
    pub points: Vec<Point>,
    /// Where executions end.
    pub ends: Vec<PointId>,
    /// Where executions are not followed further because of a bound or a function of the library: what they did before counts if they
    /// can be cut there.
    pub stops: Vec<PointId>,
    /// Where executions are not followed further.
    pub cuts: Vec<Cut>,
    /// Executions that are followed but that no test can bring about.
    pub unreal: Vec<Cut>,
    /// Loops that were left after their last round although their conditions may say otherwise.
    pub left: Vec<String>,
}

/// A place of the unrolled program.
#[derive(Clone, Debug)]
pub struct Point {
    /// The node of the program.
    pub node: NodeId,
    /// When executions come here.
    pub guard: Term,
    /// The guard in parts, each with the edge it belongs to; empty if there are too many.
    pub path: Vec<(Term, Option<EdgeId>)>,
    /// The steps that lead here; none at the beginning.
    pub steps: Vec<Step>,
    /// Whether each predicate that is watched holds here.
    pub predicates: Vec<Term>,
}

/// A step of the unrolled program.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Where it starts.
    pub from: PointId,
    /// The edge of the program; none for the way back from a function.
    pub edge: Option<EdgeId>,
    /// The edge as queries number it.
    pub letter: u32,
    /// The function it calls, if it is a call.
    pub callee: Option<FunctionId>,
    /// When an execution that is there takes this step.
    pub condition: Term,
}

/// Executions that are not followed further.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Which ones.
    pub guard: Term,
    /// Why, in words.
    pub reason: String,
    /// Whether a larger bound would follow them.
    pub bound: bool,
    /// Whether runs may show what they did before.
    pub begins: bool,
    /// Of executions in which something undefined happens, the edge where it does.
    pub undefined: Option<Option<EdgeId>>,
    /// Where they would go on, and where the functions that wait for them would; empty if that is not known.
    pub nodes: Vec<NodeId>,
}
