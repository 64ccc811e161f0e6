//! The automaton of the function that is being lowered.
//!
//! Nodes that turn out to be the same place are united, so that joins cost no edges.

use crate::expr::ExprId;
use crate::program::{
    ConditionId, DecisionId, DecisionOutcome, Formula, Kinds, Location, Notes, Operation, ScopeId, StatementKind,
    VariableId,
};
use rustc_hash::FxHashMap;
use source::Span;

use crate::token::Name;

/// A node of this function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct LocalNode(pub u32);

#[derive(Debug)]
pub(super) struct LocalEdge {
    pub from: LocalNode,
    pub to: LocalNode,
    pub operation: Operation,
    pub notes: Notes,
    pub births: Vec<VariableId>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct LocalNodeInfo {
    /// The node it was united with.
    same: Option<LocalNode>,
    pub scope: Option<ScopeId>,
    pub labels: Vec<Name>,
    /// Whether later edges may still lead here, so that nothing may be put before its outgoing edges.
    pub target: bool,
}

#[derive(Debug)]
pub(super) struct LocalDecision {
    pub kind: StatementKind,
    pub entry: LocalNode,
    pub conditions: Vec<ConditionId>,
    pub outcomes: u32,
    pub formula: Option<Formula>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct LocalCondition {
    pub decision: DecisionId,
    pub node: LocalNode,
    pub span: Span,
}

impl LocalNodeInfo {
    /// The node it was united with.
    pub(super) fn same_as(&self) -> Option<LocalNode> {
        self.same
    }
}

/// A `goto` that waits for its label.
#[derive(Debug)]
pub(super) struct Label {
    pub node: LocalNode,
    pub defined: bool,
    pub used: Span,
}

/// A `switch` whose cases are being collected.
#[derive(Debug, Default)]
pub(super) struct Cases {
    /// First and last value, where it leads, and the label.
    pub cases: Vec<(i128, i128, LocalNode, Span)>,
    pub default: Option<(LocalNode, Span)>,
}

/// Where `break` and `continue` lead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jumps {
    pub on_break: Option<LocalNode>,
    pub on_continue: Option<LocalNode>,
}

/// The automaton under construction.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<LocalNodeInfo>,
    pub edges: Vec<LocalEdge>,
    pub decisions: Vec<LocalDecision>,
    pub conditions: Vec<LocalCondition>,
    /// Where the next edge starts.
    pub at: LocalNode,
    pub exit: LocalNode,
    pub scope: ScopeId,
    pub kinds: Kinds,
    /// The decision that is evaluated.
    pub decision: Option<DecisionId>,
    pub labels: FxHashMap<Name, Label>,
    pub switches: Vec<(Cases, crate::types::TypeId)>,
    pub jumps: Vec<Jumps>,
    /// The heads of loops as they are written, with their places: several loops may share one.
    pub loops: Vec<(LocalNode, Location)>,
    scratch: u32,
}

/// What to forget after lowering something that is not evaluated.
pub(super) struct Mark {
    nodes: usize,
    edges: usize,
    decisions: usize,
    conditions: usize,
    at: LocalNode,
}

impl Graph {
    /// The automaton of a function, its first node being where edges start.
    pub(super) fn begin(scope: ScopeId) -> Graph {
        let mut graph = Graph { scope, ..Graph::default() };
        graph.at = graph.node();
        graph.exit = graph.node();
        graph
    }

    pub(super) fn node(&mut self) -> LocalNode {
        self.nodes.push(LocalNodeInfo { scope: Some(self.scope), ..LocalNodeInfo::default() });
        LocalNode(self.nodes.len() as u32 - 1)
    }

    /// The node that stands for all nodes it was united with.
    pub(super) fn find(&self, mut node: LocalNode) -> LocalNode {
        while let Some(same) = self.nodes[node.0 as usize].same {
            node = same;
        }
        node
    }

    /// Makes two nodes one.
    pub(super) fn unite(&mut self, left: LocalNode, right: LocalNode) {
        let (left, right) = (self.find(left), self.find(right));
        if left == right {
            return;
        }
        // The smaller id stays, so that the first node of the function stays the first.
        let (kept, gone) = (left.min(right), left.max(right));
        let labels = std::mem::take(&mut self.nodes[gone.0 as usize].labels);
        let target = self.nodes[gone.0 as usize].target;
        self.nodes[gone.0 as usize].same = Some(kept);
        let info = &mut self.nodes[kept.0 as usize];
        info.labels.extend(labels);
        info.target |= target;
    }

    /// Adds an edge between two nodes.
    pub(super) fn edge(
        &mut self,
        from: LocalNode,
        to: LocalNode,
        operation: Operation,
        location: Location,
        span: Span,
    ) -> usize {
        let from = self.find(from);
        self.nodes[from.0 as usize].scope = Some(self.scope);
        let notes =
            Notes { location: Some(location), span, kinds: self.kinds, graph: self.decision, ..Notes::default() };
        self.edges.push(LocalEdge { from, to, operation, notes, births: Vec::new() });
        self.edges.len() - 1
    }

    /// Adds an edge from where we are to a new node.
    pub(super) fn emit(&mut self, operation: Operation, location: Location, span: Span) {
        let to = self.node();
        self.edge(self.at, to, operation, location, span);
        self.at = to;
    }

    /// A variable begins to live here.
    pub(super) fn birth(&mut self, variable: VariableId, location: Location, span: Span) {
        let at = self.find(self.at);
        if self.nodes[at.0 as usize].target {
            self.emit(Operation::Skip, location, span);
            let last = self.edges.len() - 1;
            self.edges[last].notes.inserted = true;
        }
        let at = self.find(self.at);
        for index in 0..self.edges.len() {
            if self.find(self.edges[index].to) == at {
                self.edges[index].births.push(variable);
            }
        }
    }

    /// Marks the place where we are as one that later edges lead to.
    pub(super) fn mark_target(&mut self) {
        let at = self.find(self.at);
        self.nodes[at.0 as usize].target = true;
    }

    pub(super) fn is_scratch(&self) -> bool {
        self.scratch > 0
    }

    /// Begins to lower something whose edges are forgotten.
    pub(super) fn begin_scratch(&mut self) -> Mark {
        let mark = Mark {
            nodes: self.nodes.len(),
            edges: self.edges.len(),
            decisions: self.decisions.len(),
            conditions: self.conditions.len(),
            at: self.at,
        };
        self.scratch += 1;
        self.at = self.node();
        mark
    }

    /// Forgets what was lowered since.
    pub(super) fn end_scratch(&mut self, mark: Mark) {
        self.scratch -= 1;
        self.nodes.truncate(mark.nodes);
        self.edges.truncate(mark.edges);
        self.decisions.truncate(mark.decisions);
        self.conditions.truncate(mark.conditions);
        self.at = mark.at;
    }

    /// Opens a decision and makes it the one that is evaluated. Returns it and the one around it.
    pub(super) fn open_decision(&mut self, kind: StatementKind, span: Span) -> (DecisionId, Option<DecisionId>) {
        let id = DecisionId(self.decisions.len() as u32);
        self.decisions.push(LocalDecision {
            kind,
            entry: self.at,
            conditions: Vec::new(),
            outcomes: 2,
            formula: None,
            span,
        });
        (id, self.decision.replace(id))
    }

    /// Sides of a decision's conditions that lead to where an outcome leads stand for it.
    pub(super) fn mark_outcomes(&mut self, first: usize, decision: DecisionId, targets: [LocalNode; 2]) {
        let targets = targets.map(|target| self.find(target));
        for index in first..self.edges.len() {
            let notes = &self.edges[index].notes;
            if notes.condition.is_none() || notes.graph != Some(decision) {
                continue;
            }
            let to = self.find(self.edges[index].to);
            let outcome = targets.iter().position(|target| *target == to);
            self.edges[index].notes.outcome =
                outcome.map(|outcome| DecisionOutcome { decision, outcome: outcome as u32 });
        }
    }

    /// The two sides of a condition. An outcome is set where a side decides.
    pub(super) fn branch(
        &mut self,
        condition: ExprId,
        (location, span): (Location, Span),
        sides: [(LocalNode, Option<DecisionOutcome>); 2],
    ) -> ConditionId {
        let decision = self.decision.expect("a condition belongs to a decision");
        let id = ConditionId(self.conditions.len() as u32);
        self.conditions.push(LocalCondition { decision, node: self.at, span });
        self.decisions[decision.0 as usize].conditions.push(id);
        for ((to, outcome), holds) in sides.into_iter().zip([true, false]) {
            let edge = self.edge(self.at, to, Operation::Assume { condition, holds }, location, span);
            self.edges[edge].notes.condition = Some(crate::program::Side { condition: id, holds });
            self.edges[edge].notes.outcome = outcome;
        }
        id
    }
}
