//! From C programs to annotated graphs.

use c::Translation;
use c::program::{Callee, Formula, Operation, StatementKind};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use crate::codes::NO_ENTRY;
use crate::graph::{Decision, Edge, EdgeId, Function, FunctionId, Graph, Kind, Node, NodeId, Operator, Side, Variable};

/// Which edges `@BASICBLOCKENTRY` finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blocks {
    /// One edge per basic block.
    #[default]
    Strict,
    /// The edges that FShell 1.x takes for block entries: first edges of functions, edges behind joins, and both sides of
    /// every branch. The published figures count these.
    Loose,
}

/// The graph of a program, and how its edges correspond.
///
/// Edge `n` of the program is edge `n` of the graph. A call through a pointer that may reach several functions has further
/// edges in the graph, one per function but the first, behind all others.
#[derive(Clone, Debug)]
pub struct ProgramGraph {
    /// The graph.
    pub graph: Graph,
    /// The edges of calls through pointers, by edge of the program and function called.
    targets: FxHashMap<(u32, u32), EdgeId>,
}

/// The function that is tested: the one named, `main`, or the only one with a body.
///
/// # Errors
/// When there is none.
pub fn tested(translation: &Translation, name: Option<&str>) -> Result<c::program::FunctionId, Box<Diagnostic>> {
    let program = &translation.program;
    let is_own = |function: &&c::program::Function| !program.is_of_the_system(function.location);
    let defined = || program.functions.iter().filter(|function| function.body.is_some());
    let own: Vec<&str> = defined().filter(is_own).map(|function| function.name.as_str()).collect();
    let wanted = match (name, &own[..]) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) => "main",
    };
    if let Some(found) = program.function_named(wanted)
        && program.function(found).body.is_some()
    {
        return Ok(found);
    }
    let mut error = Diagnostic::error(&NO_ENTRY, Span::default(), format!("no function `{wanted}` has a body"));
    error = match &own[..] {
        [] => error.help("No function of the program has a body."),
        names => error.help(format!("Name the one to test, such as `--function {}`: {}.", names[0], names.join(", "))),
    };
    Err(error.into())
}

impl ProgramGraph {
    /// The graph of a program whose runs start in a function. Functions that were made for predicates are not part of it.
    pub fn new(translation: &c::Translation, entry: c::program::FunctionId, blocks: Blocks) -> ProgramGraph {
        ProgramGraph::with_abstracted(translation, entry, blocks, &[])
    }

    /// The same for a program in which calls of some functions do not enter their bodies.
    pub fn with_abstracted(
        translation: &c::Translation,
        entry: c::program::FunctionId,
        blocks: Blocks,
        abstracted: &[c::program::FunctionId],
    ) -> ProgramGraph {
        let program = &translation.program;
        let (nodes, edges) = extent(program);
        let mut built = ProgramGraph { graph: Graph::default(), targets: FxHashMap::default() };
        let graph = &mut built.graph;
        graph.files = program.files.clone();
        graph.nodes =
            program.nodes[..nodes].iter().map(|node| Node { function: Some(FunctionId(node.function.0)) }).collect();
        let declared = program.functions.iter().take_while(|function| !function.name.starts_with('$'));
        graph.functions = declared.map(|one| function(one, nodes)).collect();
        graph.initial = program.function(entry).body.iter().map(|body| NodeId(body.entry.0)).collect();
        let own = program.decisions.iter().filter(|decision| (decision.entry.0 as usize) < nodes);
        graph.decisions = own.map(|decision| self::decision(translation, decision)).collect();
        graph.variables = variables(program);
        let reads = Annotator { program, translation, blocks, position: positions(program) };
        graph.edges = (0..edges as u32).map(|id| reads.edge(id)).collect();
        for id in 0..edges as u32 {
            let Operation::Call { callee: Callee::Pointer { targets, .. }, .. } = &program.edges[id as usize].operation
            else {
                continue;
            };
            for (at, target) in targets.iter().enumerate() {
                let mut edge = built.graph.edges[id as usize].clone();
                edge.calls = Some(FunctionId(target.0));
                edge.enters = is_entered(program, *target).then_some(FunctionId(target.0));
                let place = if at == 0 {
                    built.graph.edges[id as usize] = edge;
                    EdgeId(id)
                } else {
                    built.graph.edges.push(edge);
                    EdgeId(built.graph.edges.len() as u32 - 1)
                };
                built.targets.insert((id, target.0), place);
            }
        }
        for edge in &mut built.graph.edges {
            edge.enters = edge.enters.filter(|function| !abstracted.iter().any(|one| one.0 == function.0));
        }
        built
    }

    /// The edge of the graph that an edge of the program is, given the function that is called where a pointer is called.
    pub fn edge(&self, edge: c::program::EdgeId, callee: Option<c::program::FunctionId>) -> EdgeId {
        let split = callee.and_then(|callee| self.targets.get(&(edge.0, callee.0)));
        split.copied().unwrap_or(EdgeId(edge.0))
    }

    /// The edge of the program that an edge of the graph is, with the function called if it is one of several.
    pub fn origin(&self, edge: EdgeId, edges: usize) -> (c::program::EdgeId, Option<c::program::FunctionId>) {
        if (edge.0 as usize) < edges && !self.targets.values().any(|place| *place == edge) {
            return (c::program::EdgeId(edge.0), None);
        }
        let mut found: Vec<(u32, u32)> =
            self.targets.iter().filter(|(_, place)| **place == edge).map(|(pair, _)| *pair).collect();
        found.sort_unstable();
        match found.first() {
            Some((id, callee)) => (c::program::EdgeId(*id), Some(c::program::FunctionId(*callee))),
            None => (c::program::EdgeId(edge.0), None),
        }
    }
}

/// A function; those of the C library have no body in the graph.
fn function(function: &c::program::Function, nodes: usize) -> Function {
    let own = function.body.as_ref().filter(|body| (body.entry.0 as usize) < nodes);
    Function {
        name: function.name.clone(),
        file: Some(function.location.file.0),
        body: own.map(|body| (NodeId(body.entry.0), NodeId(body.exit.0))),
    }
}

/// The functions that a function of the C library is given to call.
fn called_back(program: &c::Program, library: c::program::FunctionId) -> Vec<FunctionId> {
    let Some(body) = program.function(library).body.as_ref().filter(|_| program.is_library_function(library)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for edge in &program.edges[body.edges.start as usize..body.edges.end as usize] {
        if let Operation::Call { callee: Callee::Pointer { targets, .. }, .. } = &edge.operation {
            found.extend(targets.iter().map(|target| FunctionId(target.0)));
        }
    }
    found
}

/// Whether a run that calls a function goes on in the graph.
fn is_entered(program: &c::Program, function: c::program::FunctionId) -> bool {
    program.function(function).body.is_some() && !program.is_library_function(function)
}

fn decision(translation: &c::Translation, decision: &c::program::Decision) -> Decision {
    let program = &translation.program;
    let place = |condition: &c::program::ConditionId| decision.conditions.iter().position(|one| one == condition);
    let text_of =
        |condition: &c::program::ConditionId| line(translation, program.conditions[condition.0 as usize].span);
    Decision {
        entry: NodeId(entry(program, decision).0),
        conditions: decision.conditions.iter().map(text_of).collect(),
        structure: decision.formula.as_ref().map(|formula| {
            postfix(formula, |condition| Operator::Condition(place(condition).unwrap_or_default() as u32))
        }),
        text: line(translation, decision.span),
        file: Some(decision.location.file.0),
        line: decision.location.line,
        column: decision.location.column,
    }
}

/// The node where a decision is evaluated, behind the skip edge of a block that is a bare conditional.
fn entry(program: &c::Program, decision: &c::program::Decision) -> c::program::NodeId {
    let mut node = decision.entry;
    while let [only] = program.node(node).out[..] {
        let edge = program.edge(only);
        if !edge.notes.inserted || edge.notes.graph.is_some() || edge.to == decision.entry {
            break;
        }
        node = edge.to;
    }
    node
}

/// A formula in postfix notation.
fn postfix(formula: &Formula, condition: impl Fn(&c::program::ConditionId) -> Operator) -> Vec<Operator> {
    let mut found = Vec::new();
    let mut open = vec![formula];
    while let Some(formula) = open.pop() {
        match formula {
            Formula::Constant(value) => found.push(Operator::Constant(*value)),
            Formula::Condition(id) => found.push(condition(id)),
            Formula::Not(inner) => {
                found.push(Operator::Not);
                open.push(inner);
            }
            Formula::And(left, right) => {
                found.push(Operator::And);
                open.extend([&**left, &**right]);
            }
            Formula::Or(left, right) => {
                found.push(Operator::Or);
                open.extend([&**left, &**right]);
            }
        }
    }
    found.reverse();
    found
}

/// The position of every condition within its decision.
fn positions(program: &c::Program) -> Vec<u32> {
    let mut found = vec![0; program.conditions.len()];
    for decision in &program.decisions {
        for (at, condition) in decision.conditions.iter().enumerate() {
            found[condition.0 as usize] = at as u32;
        }
    }
    found
}

fn variables(program: &c::Program) -> Vec<Variable> {
    let made = |function: c::program::FunctionId| {
        program.function(function).name.starts_with('$') || program.is_library_function(function)
    };
    let known = |variable: &&c::program::Variable| {
        !variable.name.starts_with(['$', '"']) && !variable.function.is_some_and(made)
    };
    let named = program.variables.iter().filter(known);
    let pair = |variable: &c::program::Variable| Variable {
        name: variable.name.clone(),
        function: variable.function.map(|function| FunctionId(function.0)),
    };
    let mut found: Vec<Variable> = named.map(pair).collect();
    found.sort();
    found.dedup();
    found
}

/// What is known about the edges of a program.
struct Annotator<'a> {
    program: &'a c::Program,
    translation: &'a c::Translation,
    blocks: Blocks,
    position: Vec<u32>,
}

impl Annotator<'_> {
    fn edge(&self, id: u32) -> Edge {
        let own = &self.program.edges[id as usize];
        let notes = &own.notes;
        let mut edge = Edge::new(NodeId(own.from.0), NodeId(own.to.0));
        edge.function = Some(FunctionId(self.program.node(own.from).function.0));
        if let Some(location) = notes.location {
            edge.file = Some(location.file.0);
            edge.line = location.line;
            edge.column = location.column;
        }
        edge.text = if notes.inserted { String::new() } else { line(self.translation, notes.span) };
        edge.labels = notes.labels.clone();
        edge.kinds = kinds(notes.kinds);
        edge.block_entry = match self.blocks {
            Blocks::Strict => notes.block_entry,
            Blocks::Loose => notes.loose_block_entry,
        };
        edge.condition = notes.condition.map(|side| Side {
            decision: self.program.conditions[side.condition.0 as usize].decision.0,
            condition: self.position[side.condition.0 as usize],
            holds: side.holds,
        });
        edge.decision = if notes.inserted { self.inside(own) } else { notes.graph.map(|decision| decision.0) };
        edge.outcome = notes.outcome.map(|outcome| (outcome.decision.0, outcome.outcome));
        let id = c::program::EdgeId(id);
        edge.defines = self.names(self.program.defines(id).into_iter());
        edge.uses = self.names(self.program.uses(id).into_iter());
        match &own.operation {
            Operation::Call { callee: Callee::Function(function), .. } => {
                let called = FunctionId(function.0);
                edge.calls = Some(called);
                edge.enters = is_entered(self.program, *function).then_some(called);
                edge.calls_back = called_back(self.program, *function);
            }
            Operation::Return { .. } => edge.returns = true,
            Operation::Call { callee: Callee::Pointer { .. }, .. }
            | Operation::Skip
            | Operation::Assign { .. }
            | Operation::Initialise { .. }
            | Operation::Assume { .. }
            | Operation::Assert { .. }
            | Operation::Restrict { .. } => {}
        }
        edge
    }

    /// The decision in whose evaluation an inserted edge lies: one that leads on to a further condition of it.
    fn inside(&self, edge: &c::program::Edge) -> Option<u32> {
        let next = self.program.node(edge.to).out.first()?;
        let side = self.program.edge(*next).notes.condition?;
        let decision = self.program.conditions[side.condition.0 as usize].decision;
        let entry = self.program.decisions[decision.0 as usize].entry;
        (edge.notes.outcome.is_none() && edge.from != entry && edge.to != entry).then_some(decision.0)
    }

    fn names(&self, variables: impl Iterator<Item = c::program::VariableId>) -> Vec<String> {
        let mut names: Vec<String> = variables
            .map(|variable| &self.program.variable(variable).name)
            .filter(|name| !name.starts_with(['$', '"']))
            .cloned()
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

fn kinds(kinds: c::program::Kinds) -> Vec<Kind> {
    let pairs = [
        (StatementKind::If, Kind::If),
        (StatementKind::For, Kind::For),
        (StatementKind::While, Kind::While),
        (StatementKind::Do, Kind::Do),
        (StatementKind::Switch, Kind::Switch),
        (StatementKind::Conditional, Kind::Conditional),
        (StatementKind::Assert, Kind::Assert),
        (StatementKind::Return, Kind::Return),
        (StatementKind::Goto, Kind::Goto),
        (StatementKind::Break, Kind::Break),
        (StatementKind::Continue, Kind::Continue),
        (StatementKind::Expression, Kind::Expression),
        (StatementKind::Declaration, Kind::Declaration),
        (StatementKind::Aggregate, Kind::Aggregate),
    ];
    pairs.into_iter().filter(|(kind, _)| kinds.contains(*kind)).map(|(_, kind)| kind).collect()
}

/// The text of a span in one line.
fn line(translation: &c::Translation, span: source::Span) -> String {
    // Where a macro of a header was expanded, markers of the preprocessor stand between the lines.
    let lines = translation.slice(span).lines().filter(|line| !line.trim_start().starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ").replace("((void *)0)", "NULL")
}

/// How many nodes and edges the program has without functions made for predicates, which stand last.
fn extent(program: &c::Program) -> (usize, usize) {
    if let Some((nodes, edges)) = program.own {
        return (nodes as usize, edges as usize);
    }
    let made = program.functions.iter().filter(|function| function.name.starts_with('$'));
    match made.filter_map(|function| function.body.as_ref()).min_by_key(|body| body.edges.start) {
        Some(body) => (body.nodes.start as usize, body.edges.start as usize),
        None => (program.nodes.len(), program.edges.len()),
    }
}
