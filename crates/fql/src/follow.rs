//! Runs of C programs as meters see them: steps, and what is known about the moments between.

use c::interp::{Ending, Machine, Observer};

use crate::automaton::Moment;
use crate::graph::{EdgeId, NodeId};
use crate::mcdc::McdcMeter;
use crate::meter::Meter;
use crate::predicates::Predicates;
use crate::program::ProgramGraph;

/// Follows a run.
pub trait Listener {
    /// The run begins.
    fn begin(&mut self, first: Moment);
    /// A step was taken.
    fn step(&mut self, edge: EdgeId, after: Moment);
    /// A function was left without a step: control is at this moment's nodes too, and its truths hold as well.
    fn back(&mut self, also: Moment);
    /// The C library called a function of the program: control is at this moment's nodes too.
    fn called_back(&mut self, also: Moment) {
        self.back(also);
    }
    /// A function that the C library called was left.
    fn left_to_library(&mut self) {}
    /// So many functions of the program were left at once, by `longjmp`: control is at this moment's nodes too.
    fn jumped(&mut self, _left: usize, also: Moment) {
        self.back(also);
    }
}

impl Listener for Meter<'_> {
    fn begin(&mut self, first: Moment) {
        Meter::begin(self, first);
    }

    fn step(&mut self, edge: EdgeId, after: Moment) {
        Meter::step(self, edge, after);
    }

    fn back(&mut self, also: Moment) {
        self.amend(|moment| moment.merge(&also));
    }
}

impl Listener for McdcMeter<'_> {
    fn begin(&mut self, _first: Moment) {
        McdcMeter::begin(self);
    }

    fn step(&mut self, edge: EdgeId, after: Moment) {
        McdcMeter::step(self, edge, &after);
    }

    fn back(&mut self, _also: Moment) {
        self.left(1);
    }

    fn called_back(&mut self, _also: Moment) {
        self.entered();
    }

    fn left_to_library(&mut self) {
        self.left(1);
    }

    fn jumped(&mut self, left: usize, _also: Moment) {
        self.left(left);
    }
}

/// Keeps a run: one moment more than edges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorder {
    /// The moments.
    pub moments: Vec<Moment>,
    /// The edges between them.
    pub edges: Vec<EdgeId>,
}

impl Listener for Recorder {
    fn begin(&mut self, first: Moment) {
        self.moments = vec![first];
        self.edges.clear();
    }

    fn step(&mut self, edge: EdgeId, after: Moment) {
        self.edges.push(edge);
        self.moments.push(after);
    }

    fn back(&mut self, also: Moment) {
        if let Some(last) = self.moments.last_mut() {
            last.merge(&also);
        }
    }
}

impl Moment {
    /// Adds the nodes and truths of another part of the same moment.
    pub fn merge(&mut self, also: &Moment) {
        self.nodes.extend(&also.nodes);
        for (truth, other) in self.truths.iter_mut().zip(&also.truths) {
            *truth |= other;
        }
    }
}

/// Tells a listener what the interpreter does.
pub struct Follower<'a, L> {
    program: &'a c::Program,
    graph: &'a ProgramGraph,
    predicates: &'a Predicates,
    depth: usize,
    /// The depths of functions of the C library that are being executed.
    library: Vec<usize>,
    /// The listener.
    pub listener: L,
}

impl<'a, L: Listener> Follower<'a, L> {
    /// A follower of runs of a program whose predicates are compiled.
    pub fn new(program: &'a c::Program, graph: &'a ProgramGraph, predicates: &'a Predicates, listener: L) -> Self {
        Follower { program, graph, predicates, depth: 0, library: Vec::new(), listener }
    }

    fn moment(&self, node: NodeId, machine: &mut Machine<'_>) -> Moment {
        let mut truths = Vec::with_capacity(self.predicates.len());
        for predicate in 0..self.predicates.len() as u32 {
            // What means nothing here is arbitrary, and may be taken to hold; what cannot be evaluated does not hold.
            truths.push(match self.predicates.at(predicate, node) {
                None => true,
                Some(compiled) => machine.holds(compiled).unwrap_or(false),
            });
        }
        Moment { nodes: vec![node], truths }
    }

    fn entry(&self, machine: &Machine<'_>) -> Option<NodeId> {
        let function = machine.current_function()?;
        self.program.function(function).body.as_ref().map(|body| NodeId(body.entry.0))
    }
}

impl<L: Listener> Observer for Follower<'_, L> {
    fn begun(&mut self, machine: &mut Machine<'_>) {
        self.depth = machine.depth();
        self.library.clear();
        if let Some(node) = self.entry(machine) {
            let first = self.moment(node, machine);
            self.listener.begin(first);
        }
    }

    fn begun_again(&mut self, machine: &mut Machine<'_>) {
        self.depth = machine.depth();
        if let Some(node) = self.entry(machine) {
            let also = self.moment(node, machine);
            self.listener.back(also);
        }
    }

    fn taken(&mut self, edge: c::program::EdgeId, machine: &mut Machine<'_>) {
        let deeper = self.depth < machine.depth();
        self.depth = machine.depth();
        let library = deeper && machine.current_function().is_some_and(|one| self.program.is_library_function(one));
        if library {
            self.library.push(self.depth);
        }
        let entered = deeper && !library;
        if self.program.is_library(edge) {
            // A function that the library calls is entered without a step of the program.
            if entered && let Some(node) = self.entry(machine) {
                let also = self.moment(node, machine);
                self.listener.called_back(also);
            }
            return;
        }
        let own = NodeId(self.program.edge(edge).to.0);
        let node = if entered { self.entry(machine).unwrap_or(own) } else { own };
        let callee = if entered { machine.current_function() } else { None };
        let after = self.moment(node, machine);
        self.listener.step(self.graph.edge(edge, callee), after);
    }

    fn returned(&mut self, call: Option<c::program::EdgeId>, machine: &mut Machine<'_>) {
        self.depth = machine.depth();
        if self.library.last().is_some_and(|&depth| self.depth < depth) {
            self.library.pop();
            return;
        }
        if call.is_some_and(|call| self.program.is_library(call)) {
            self.listener.left_to_library();
            return;
        }
        if let Some(call) = call {
            let also = self.moment(NodeId(self.program.edge(call).to.0), machine);
            self.listener.back(also);
        }
    }

    fn jumped(&mut self, call: c::program::EdgeId, machine: &mut Machine<'_>) {
        let depth = machine.depth();
        let library = self.library.len();
        self.library.retain(|inner| *inner <= depth);
        let left = (self.depth - depth).saturating_sub(library - self.library.len());
        self.depth = depth;
        let also = self.moment(NodeId(self.program.edge(call).to.0), machine);
        self.listener.jumped(left, also);
    }
}

/// Whether a run that ended so is a test: it came to an end of its own, by `exit`, `abort` or a failed assertion if need be.
pub fn is_complete(ending: &Ending) -> bool {
    match ending {
        Ending::Returned(_)
        | Ending::Exited(_)
        | Ending::Aborted
        | Ending::AssertionFailed(_)
        | Ending::Stopped { .. } => true,
        Ending::Excluded(_)
        | Ending::Unmodelled { .. }
        | Ending::Undefined { .. }
        | Ending::GivenUp(_)
        | Ending::Unsupported { .. }
        | Ending::EndOfInputs { .. }
        | Ending::NoInput(_) => false,
    }
}
