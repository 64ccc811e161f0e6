//! Turns the automaton under construction into the final one: unreachable parts go, blocks and outcomes get their edges.

use rustc_hash::FxHashMap;

use super::Lowerer;
use super::graph::{LocalEdge, LocalNode};
use crate::expr::{Base, ExprId, ExprKind};
use crate::program::{
    Body, Callee, Condition, ConditionId, Decision, DecisionId, Edge, EdgeId, Formula, FunctionId, Location, Loop,
    LoopId, Node, NodeId, Notes, Operation, ScopeId, Storage,
};

/// A node of the final automaton.
struct Draft {
    scope: ScopeId,
    inserted: bool,
}

/// The final automaton of one function, with its own ids.
struct Shaped {
    nodes: Vec<Draft>,
    edges: Vec<LocalEdge>,
    entry: LocalNode,
    exit: LocalNode,
}

impl Shaped {
    fn out(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            out[edge.from.0 as usize].push(index);
        }
        out
    }

    fn incoming(&self) -> Vec<Vec<usize>> {
        let mut incoming = vec![Vec::new(); self.nodes.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            incoming[edge.to.0 as usize].push(index);
        }
        incoming
    }

    fn insert(&mut self, like: LocalNode) -> LocalNode {
        let scope = self.nodes[like.0 as usize].scope;
        self.nodes.push(Draft { scope, inserted: true });
        LocalNode(self.nodes.len() as u32 - 1)
    }

    /// The rule of FShell 1.x, before anything is inserted.
    fn mark_loose_blocks(&mut self) {
        let (out, incoming) = (self.out(), self.incoming());
        for node in 0..self.nodes.len() {
            let first = node == self.entry.0 as usize || incoming[node].len() > 1 || out[node].len() > 1;
            for edge in out[node].iter().filter(|_| first) {
                self.edges[*edge].notes.loose_block_entry = true;
            }
        }
        for edge in &mut self.edges {
            edge.notes.loose_block_entry |= edge.notes.condition.is_some();
        }
    }

    /// Outcomes that several edges carry are collected in a node with one edge.
    fn collect_outcomes(&mut self) {
        let mut carriers: FxHashMap<(u32, u32), Vec<usize>> = FxHashMap::default();
        let mut order = Vec::new();
        for (index, edge) in self.edges.iter().enumerate() {
            if let Some(outcome) = edge.notes.outcome {
                let key = (outcome.decision.0, outcome.outcome);
                let list = carriers.entry(key).or_default();
                if list.is_empty() {
                    order.push(key);
                }
                list.push(index);
            }
        }
        for key in order {
            let edges = &carriers[&key];
            if edges.len() < 2 {
                continue;
            }
            let to = self.edges[edges[0]].to;
            let collector = self.insert(self.edges[edges[0]].from);
            let last = self.edges[edges[edges.len() - 1]].notes.clone();
            let mut births = Vec::new();
            for &edge in edges {
                self.edges[edge].to = collector;
                self.edges[edge].notes.outcome = None;
                births = std::mem::take(&mut self.edges[edge].births);
            }
            let notes = Notes { condition: None, inserted: true, loose_block_entry: false, labels: Vec::new(), ..last };
            self.edges.push(LocalEdge { from: collector, to, operation: Operation::Skip, notes, births });
        }
    }

    /// Marks the first edge of every basic block; a block that is a bare conditional gets a skip edge first.
    fn mark_blocks(&mut self, insert: bool) {
        let (out, incoming) = (self.out(), self.incoming());
        for node in 0..out.len() {
            let starts = match incoming[node].as_slice() {
                _ if node == self.entry.0 as usize => true,
                // Only branches move behind an inserted skip.
                [one] => out.get(self.edges[*one].from.0 as usize).is_none_or(|out| out.len() > 1),
                _ => true,
            };
            if !starts || out[node].is_empty() {
                continue;
            }
            if out[node].len() == 1 || !insert {
                for edge in &out[node] {
                    self.edges[*edge].notes.block_entry = true;
                }
                continue;
            }
            let at = LocalNode(node as u32);
            let behind = self.insert(at);
            let like = &self.edges[out[node][0]].notes;
            // Between conditions of one decision the skip belongs to its evaluation; before the first it does not.
            let inside =
                |edge: &usize| self.edges[*edge].notes.graph == like.graph && self.edges[*edge].notes.outcome.is_none();
            let graph = like.graph.filter(|_| incoming[node].iter().any(inside));
            let notes = Notes {
                location: like.location,
                span: like.span,
                kinds: like.kinds,
                graph,
                block_entry: true,
                inserted: true,
                ..Notes::default()
            };
            for edge in &out[node] {
                self.edges[*edge].from = behind;
            }
            self.edges.push(LocalEdge { from: at, to: behind, operation: Operation::Skip, notes, births: Vec::new() });
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn finish_function(&mut self, function: FunctionId, scope: ScopeId) {
        let mut shaped = self.reachable_part();
        shaped.mark_loose_blocks();
        if self.shape.inserted_skips {
            shaped.collect_outcomes();
        }
        shaped.mark_blocks(self.shape.inserted_skips);
        self.append(function, scope, shaped);
    }

    /// United nodes become one, and what control cannot reach goes.
    fn reachable_part(&mut self) -> Shaped {
        let mut edges = std::mem::take(&mut self.graph.edges);
        for edge in &mut edges {
            edge.from = self.graph.find(edge.from);
            edge.to = self.graph.find(edge.to);
        }
        let count = self.graph.nodes.len();
        let mut out = vec![Vec::new(); count];
        for (index, edge) in edges.iter().enumerate() {
            out[edge.from.0 as usize].push(index);
        }
        let entry = self.graph.find(LocalNode(0));
        let exit = self.graph.find(self.graph.exit);
        let mut reached = vec![false; count];
        reached[exit.0 as usize] = true;
        let mut pending = vec![entry];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut reached[node.0 as usize], true) && node != exit {
                continue;
            }
            pending.extend(
                out[node.0 as usize].iter().map(|edge| edges[*edge].to).filter(|node| !reached[node.0 as usize]),
            );
        }
        reached[entry.0 as usize] = true;
        // The exit comes last.
        let mut numbers = vec![u32::MAX; count];
        let mut nodes = Vec::new();
        let others = (0..count).filter(|node| reached[*node] && *node != exit.0 as usize);
        for node in others.chain([exit.0 as usize]) {
            numbers[node] = nodes.len() as u32;
            nodes.push(Draft { scope: self.graph.nodes[node].scope.unwrap_or_default(), inserted: false });
        }
        edges.retain(|edge| reached[edge.from.0 as usize]);
        for edge in &mut edges {
            let labels = &self.graph.nodes[edge.from.0 as usize].labels;
            edge.notes.labels = labels.iter().map(|name| self.names.text(*name).to_owned()).collect();
            edge.from = LocalNode(numbers[edge.from.0 as usize]);
            edge.to = LocalNode(numbers[edge.to.0 as usize]);
        }
        for condition in &mut self.graph.conditions {
            let mut node = condition.node;
            while let Some(same) = self.graph.nodes[node.0 as usize].same_as() {
                node = same;
            }
            condition.node = LocalNode(numbers[node.0 as usize]);
        }
        for (head, _) in &mut self.graph.loops {
            while let Some(same) = self.graph.nodes[head.0 as usize].same_as() {
                *head = same;
            }
            *head = LocalNode(numbers[head.0 as usize]);
        }
        for decision in &mut self.graph.decisions {
            let mut node = decision.entry;
            while let Some(same) = self.graph.nodes[node.0 as usize].same_as() {
                node = same;
            }
            decision.entry = LocalNode(numbers[node.0 as usize]);
        }
        Shaped { nodes, edges, entry: LocalNode(numbers[entry.0 as usize]), exit: LocalNode(numbers[exit.0 as usize]) }
    }

    fn append(&mut self, function: FunctionId, scope: ScopeId, shaped: Shaped) {
        let node_base = self.program.nodes.len() as u32;
        let edge_base = self.program.edges.len() as u32;
        let decisions = self.append_decisions(function, node_base, &shaped);
        let at = |node: LocalNode| NodeId(node_base + node.0);
        for draft in &shaped.nodes {
            self.program.nodes.push(Node { function, out: Vec::new(), scope: draft.scope, inserted: draft.inserted });
        }
        let (entry, exit) = (at(shaped.entry), at(shaped.exit));
        let (node_count, edge_count) = (shaped.nodes.len() as u32, shaped.edges.len() as u32);
        for edge in shaped.edges {
            let mut notes = edge.notes;
            notes.graph = notes.graph.and_then(|decision| decisions.decisions[decision.0 as usize]);
            notes.condition = notes.condition.and_then(|mut side| {
                side.condition = decisions.conditions[side.condition.0 as usize]?;
                Some(side)
            });
            notes.outcome = notes.outcome.and_then(|mut outcome| {
                outcome.decision = decisions.decisions[outcome.decision.0 as usize]?;
                Some(outcome)
            });
            let id = EdgeId(self.program.edges.len() as u32);
            let (from, to) = (at(edge.from), at(edge.to));
            self.program.nodes[from.0 as usize].out.push(id);
            self.program.edges.push(Edge { from, to, operation: edge.operation, notes, births: edge.births });
        }
        let frame = std::mem::take(&mut self.frame);
        let is_parameter = |variable: &&crate::program::VariableId| {
            matches!(self.program.variable(**variable).storage, Storage::Parameter(_))
        };
        let parameters = frame.iter().filter(is_parameter).copied().collect();
        let body = Body {
            parameters,
            frame,
            entry,
            exit,
            nodes: node_base..node_base + node_count,
            edges: edge_base..edge_base + edge_count,
            scope,
        };
        self.program.functions[function.0 as usize].body = Some(body);
        self.find_loops(function, entry, exit);
    }

    fn append_decisions(&mut self, function: FunctionId, node_base: u32, shaped: &Shaped) -> Renumbered {
        let mut live = vec![false; self.graph.conditions.len()];
        for edge in &shaped.edges {
            if let Some(side) = edge.notes.condition {
                live[side.condition.0 as usize] = true;
            }
        }
        // The node where a condition's sides leave may have moved behind an inserted skip.
        let mut branch_nodes = vec![None; self.graph.conditions.len()];
        for edge in &shaped.edges {
            if let Some(side) = edge.notes.condition {
                branch_nodes[side.condition.0 as usize] = Some(edge.from);
            }
        }
        let mut found =
            Renumbered { decisions: vec![None; self.graph.decisions.len()], conditions: vec![None; live.len()] };
        for (index, decision) in self.graph.decisions.iter().enumerate() {
            if decision.outcomes == 0 || !decision.conditions.iter().any(|condition| live[condition.0 as usize]) {
                continue;
            }
            let id = DecisionId(self.program.decisions.len() as u32);
            found.decisions[index] = Some(id);
            let location = self.text.location(decision.span.start);
            // Where a skip was inserted the evaluation starts behind it.
            let own = |edge: &&LocalEdge| edge.notes.graph == Some(DecisionId(index as u32));
            let from_entry = || shaped.edges.iter().filter(|edge| edge.from == decision.entry);
            let entry = if from_entry().any(|edge| own(&edge)) {
                decision.entry
            } else {
                from_entry().next().map_or(decision.entry, |edge| edge.to)
            };
            self.program.decisions.push(Decision {
                function,
                kind: decision.kind,
                entry: NodeId(node_base + entry.0),
                conditions: Vec::new(),
                outcomes: decision.outcomes,
                formula: None,
                location,
                span: decision.span,
            });
        }
        for (index, condition) in self.graph.conditions.iter().enumerate() {
            let (Some(decision), Some(node)) = (found.decisions[condition.decision.0 as usize], branch_nodes[index])
            else {
                continue;
            };
            let id = ConditionId(self.program.conditions.len() as u32);
            found.conditions[index] = Some(id);
            self.program.decisions[decision.0 as usize].conditions.push(id);
            let location = self.text.location(condition.span.start);
            self.program.conditions.push(Condition {
                decision,
                node: NodeId(node_base + node.0),
                span: condition.span,
                location,
            });
        }
        for (index, decision) in self.graph.decisions.iter().enumerate() {
            if let (Some(id), Some(formula)) = (found.decisions[index], &decision.formula) {
                self.program.decisions[id.0 as usize].formula = Some(renumber(formula, &found.conditions));
            }
        }
        found
    }

    /// Edges that lead back to a node that is being walked through close a loop.
    fn find_loops(&mut self, function: FunctionId, entry: NodeId, exit: NodeId) {
        let base = self.program.functions[function.0 as usize].body.as_ref().expect("just made").nodes.start;
        let count = (exit.0.max(entry.0).max(self.program.nodes.len() as u32 - 1) - base + 1) as usize;
        let mut state = vec![0u8; count];
        let mut stack = vec![(entry, 0usize)];
        state[(entry.0 - base) as usize] = 1;
        let mut back = Vec::new();
        while let Some((node, next)) = stack.pop() {
            let out = &self.program.nodes[node.0 as usize].out;
            let Some(&edge) = out.get(next) else {
                state[(node.0 - base) as usize] = 2;
                continue;
            };
            stack.push((node, next + 1));
            let to = self.program.edges[edge.0 as usize].to;
            match state[(to.0 - base) as usize] {
                0 => {
                    state[(to.0 - base) as usize] = 1;
                    stack.push((to, 0));
                }
                1 => back.push((to, edge)),
                _ => {}
            }
        }
        let mut heads: Vec<NodeId> = back.iter().map(|(head, _)| *head).collect();
        heads.sort_unstable();
        heads.dedup();
        let location = |lowerer: &Self, node: NodeId| {
            let edge = lowerer.program.nodes[node.0 as usize].out.first();
            edge.and_then(|edge| lowerer.program.edges[edge.0 as usize].notes.location)
        };
        heads.sort_by_key(|head| (location(self, *head).map(|location| (location.line, location.column)), *head));
        let name = self.program.function(function).name.clone();
        let mut number = 0;
        for head in &heads {
            let id = LoopId(self.program.loops.len() as u32);
            let place = location(self, *head).unwrap_or(self.program.function(function).location);
            // `for (;;) { while (…) … }` is two loops that begin at one place; the outer one was closed last.
            let written = self.graph.loops.iter().rev().filter(|(own, _)| own.0 == head.0.wrapping_sub(base));
            let mut places: Vec<Location> = written.map(|(_, location)| *location).collect();
            if places.len() < 2 {
                places = vec![place];
            }
            for location in places {
                self.program.loops.push(Loop { name: format!("{name}.{number}"), function, head: *head, location });
                number += 1;
            }
            for (_, edge) in back.iter().filter(|(to, _)| to == head) {
                self.program.edges[edge.0 as usize].notes.closes = Some(id);
            }
        }
    }

    /// Which functions a call through a pointer may reach, and whose addresses are taken.
    pub(super) fn resolve_pointer_calls(&mut self) {
        let mut roots: Vec<ExprId> = Vec::new();
        for edge in &self.program.edges {
            operands(&edge.operation, &mut roots);
        }
        let mut places = Vec::new();
        for edge in &self.program.edges {
            match &edge.operation {
                Operation::Assign { place, .. } => places.push(*place),
                Operation::Call { result, .. } => places.extend(result),
                _ => {}
            }
        }
        for place in places {
            self.program.operands_of_place(place, &mut roots);
        }
        for variable in &self.program.variables {
            roots.extend(variable.initial.iter().flat_map(|initial| initial.items.iter().map(|item| item.value)));
        }
        let mut seen = vec![false; self.program.exprs.len()];
        while let Some(expr) = roots.pop() {
            if std::mem::replace(&mut seen[expr.0 as usize], true) {
                continue;
            }
            match self.program.expr(expr).kind.clone() {
                ExprKind::Function(function) => self.program.functions[function.0 as usize].address_taken = true,
                ExprKind::Address(place) => {
                    if let Base::Variable(variable) = self.program.place(place).base {
                        self.program.variables[variable.0 as usize].address_taken = true;
                    }
                    self.program.operands_of_place(place, &mut roots);
                }
                ExprKind::Load(place) => self.program.operands_of_place(place, &mut roots),
                ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => roots.push(operand),
                ExprKind::Binary(_, left, right) | ExprKind::Difference { left, right, .. } => {
                    roots.extend([left, right])
                }
                ExprKind::Offset { pointer, index, .. } => roots.extend([pointer, index]),
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Extended(_) => {}
            }
        }
        for index in 0..self.program.edges.len() {
            let Operation::Call { callee: Callee::Pointer { pointer, .. }, .. } = &self.program.edges[index].operation
            else {
                continue;
            };
            let wanted = self.types().target(self.ty(*pointer)).expect("calls go through pointers");
            let fits = |function: &&crate::program::Function| {
                function.address_taken && self.types().compatible(function.ty, wanted)
            };
            let found = self.program.functions.iter().enumerate().filter(|(_, function)| fits(function));
            let found: Vec<FunctionId> = found.map(|(index, _)| FunctionId(index as u32)).collect();
            if let Operation::Call { callee: Callee::Pointer { targets, .. }, .. } =
                &mut self.program.edges[index].operation
            {
                *targets = found;
            }
        }
    }
}

struct Renumbered {
    decisions: Vec<Option<DecisionId>>,
    conditions: Vec<Option<ConditionId>>,
}

fn renumber(formula: &Formula, conditions: &[Option<ConditionId>]) -> Formula {
    let below = |formula: &Formula| Box::new(renumber(formula, conditions));
    match formula {
        Formula::Constant(truth) => Formula::Constant(*truth),
        // A condition that control never reaches does not matter.
        Formula::Condition(id) => conditions[id.0 as usize].map_or(Formula::Constant(false), Formula::Condition),
        Formula::Not(inner) => Formula::Not(below(inner)),
        Formula::And(left, right) => Formula::And(below(left), below(right)),
        Formula::Or(left, right) => Formula::Or(below(left), below(right)),
    }
}

/// The expressions an operation evaluates, places aside.
fn operands(operation: &Operation, found: &mut Vec<ExprId>) {
    match operation {
        Operation::Skip => {}
        Operation::Assign { value, .. } => found.push(*value),
        Operation::Initialise { initial, .. } => found.extend(initial.items.iter().map(|item| item.value)),
        Operation::Assume { condition, .. } | Operation::Assert { condition } | Operation::Restrict { condition } => {
            found.push(*condition)
        }
        Operation::Call { callee, arguments, .. } => {
            found.extend(arguments);
            if let Callee::Pointer { pointer, .. } = callee {
                found.push(*pointer);
            }
        }
        Operation::Return { value } => found.extend(value),
    }
}
