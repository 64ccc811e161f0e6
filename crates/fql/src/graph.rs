//! The annotated graph that filters see: nodes, edges, and what is known about each edge.
//!
//! A run of a program is a sequence of edges. A call of a function with a body is one edge of the caller, and the edges
//! of the callee follow it; coming back is not a step. So between the last edge of a callee and the next edge of its
//! caller control is at two nodes, the callee's exit and the node behind the call.

use crate::bits::BitSet;

/// A node, by its position in [`Graph::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An edge, by its position in [`Graph::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

/// A function, by its position in [`Graph::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// An annotated graph.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges.
    pub edges: Vec<Edge>,
    /// The functions, defined or only declared.
    pub functions: Vec<Function>,
    /// The files.
    pub files: Vec<String>,
    /// The decisions.
    pub decisions: Vec<Decision>,
    /// Where runs start.
    pub initial: Vec<NodeId>,
    /// The variables of the program, by name and by the function they belong to, each pair once.
    pub variables: Vec<Variable>,
}

/// A variable: a name, and the function it is local to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Variable {
    /// The name.
    pub name: String,
    /// The function.
    pub function: Option<FunctionId>,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The function it belongs to.
    pub function: Option<FunctionId>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The file, by its position in [`Graph::files`].
    pub file: Option<u32>,
    /// The first and the last node, if it has a body.
    pub body: Option<(NodeId, NodeId)>,
}

/// A decision: a Boolean expression whose outcome steers control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The node where its evaluation begins.
    pub entry: NodeId,
    /// The texts of the conditions, in order of evaluation.
    pub conditions: Vec<String>,
    /// How the outcome follows from the conditions, in postfix notation; none for the choice of a `switch`.
    pub structure: Option<Vec<Operator>>,
    /// The text.
    pub text: String,
    /// The file, by its position in [`Graph::files`].
    pub file: Option<u32>,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A piece of a decision in postfix notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// A value known beforehand.
    Constant(bool),
    /// A condition, counted within its decision.
    Condition(u32),
    /// `!`.
    Not,
    /// `&&`.
    And,
    /// `||`.
    Or,
}

/// An edge and its annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads within its function; a call leads there once the callee is done.
    pub to: NodeId,
    /// The function with a body that it calls.
    pub enters: Option<FunctionId>,
    /// The functions of the program that a called function of the C library may call.
    pub calls_back: Vec<FunctionId>,
    /// The function it belongs to.
    pub function: Option<FunctionId>,
    /// The file, by its position in [`Graph::files`].
    pub file: Option<u32>,
    /// The line, 0 where there is none.
    pub line: u32,
    /// The column, 0 where there is none.
    pub column: u32,
    /// The source text, in one line.
    pub text: String,
    /// The labels of the statement it begins.
    pub labels: Vec<String>,
    /// The kinds of statements whose computation it is part of.
    pub kinds: Vec<Kind>,
    /// Whether a basic block begins with it.
    pub block_entry: bool,
    /// The condition it is a side of.
    pub condition: Option<Side>,
    /// The decision in whose evaluation it lies.
    pub decision: Option<u32>,
    /// The decision it is an outcome of, and which: 0 is false, 1 is true, or the cases of a `switch` in order.
    pub outcome: Option<(u32, u32)>,
    /// The function it calls, with a body or without.
    pub calls: Option<FunctionId>,
    /// The variables it assigns.
    pub defines: Vec<String>,
    /// The variables it reads.
    pub uses: Vec<String>,
    /// Whether it is a `return`.
    pub returns: bool,
    /// Whether it ends the run (`exit` and the like), so that nothing follows it.
    pub stops: bool,
}

/// A side of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    /// The decision, by its position in [`Graph::decisions`].
    pub decision: u32,
    /// The condition, counted within its decision.
    pub condition: u32,
    /// Whether the condition holds.
    pub holds: bool,
}

/// A kind of statement that `@STMTTYPE` can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// `if`.
    If,
    /// `for`.
    For,
    /// `while`.
    While,
    /// `do`.
    Do,
    /// `switch`.
    Switch,
    /// `?:`.
    Conditional,
    /// `assert`.
    Assert,
    /// `return`.
    Return,
    /// `goto`.
    Goto,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// An expression statement.
    Expression,
    /// A declaration with an initialiser.
    Declaration,
    /// `&&` and `||` outside the statements above.
    Aggregate,
}

impl Kind {
    /// Every kind with its name in a query.
    pub const NAMES: [(&'static str, Kind); 14] = [
        ("if", Kind::If),
        ("for", Kind::For),
        ("while", Kind::While),
        ("do", Kind::Do),
        ("switch", Kind::Switch),
        ("?:", Kind::Conditional),
        ("assert", Kind::Assert),
        ("return", Kind::Return),
        ("goto", Kind::Goto),
        ("break", Kind::Break),
        ("continue", Kind::Continue),
        ("expr", Kind::Expression),
        ("decl", Kind::Declaration),
        ("bool", Kind::Aggregate),
    ];

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| *kind)
    }

    /// The name in a query.
    pub fn name(self) -> &'static str {
        Kind::NAMES.iter().find(|(_, kind)| *kind == self).expect("every kind has a name").0
    }
}

impl Edge {
    /// An edge without annotations.
    pub fn new(from: NodeId, to: NodeId) -> Edge {
        Edge {
            from,
            to,
            enters: None,
            calls_back: Vec::new(),
            function: None,
            file: None,
            line: 0,
            column: 0,
            text: String::new(),
            labels: Vec::new(),
            kinds: Vec::new(),
            block_entry: false,
            condition: None,
            decision: None,
            outcome: None,
            calls: None,
            defines: Vec::new(),
            uses: Vec::new(),
            returns: false,
            stops: false,
        }
    }
}

impl Graph {
    /// Which functions a run can enter, by position: those where runs start, and those that their calls lead to.
    pub fn entered(&self) -> Vec<bool> {
        let mut callees: Vec<Vec<FunctionId>> = vec![Vec::new(); self.functions.len()];
        for edge in &self.edges {
            if let Some(caller) = edge.function {
                callees[caller.0 as usize].extend(edge.enters.iter().chain(&edge.calls_back));
            }
        }
        let mut entered = vec![false; self.functions.len()];
        let starts = self.initial.iter().filter_map(|node| self.nodes[node.0 as usize].function);
        let mut waiting: Vec<FunctionId> = starts.collect();
        while let Some(function) = waiting.pop() {
            if !std::mem::replace(&mut entered[function.0 as usize], true) {
                waiting.extend(&callees[function.0 as usize]);
            }
        }
        entered
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// The functions of this name; several files may each have a static one.
    pub fn functions_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = FunctionId> + 'a {
        let numbered = self.functions.iter().enumerate();
        numbered.filter(move |(_, function)| function.name == name).map(|(at, _)| FunctionId(at as u32))
    }

    /// The node where control is right after an edge.
    pub fn after(&self, edge: EdgeId) -> NodeId {
        let edge = self.edge(edge);
        let entered = edge.enters.and_then(|function| self.function(function).body);
        entered.map_or(edge.to, |(entry, _)| entry)
    }

    /// The nodes control may come to from the exit of a function, without a step.
    pub fn returns(&self) -> Vec<(NodeId, NodeId)> {
        let mut found = Vec::new();
        for edge in &self.edges {
            if let Some((_, exit)) = edge.enters.and_then(|function| self.function(function).body) {
                found.push((exit, edge.to));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The empty set of edges.
    pub fn no_edges(&self) -> BitSet {
        BitSet::new(self.edges.len())
    }

    /// The empty set of nodes.
    pub fn no_nodes(&self) -> BitSet {
        BitSet::new(self.nodes.len())
    }

    /// `file:line` of an edge, or `NO_LOCATION`; the file without its folders.
    pub fn place(&self, edge: EdgeId) -> String {
        let edge = self.edge(edge);
        match edge.file {
            Some(file) if edge.line != 0 => format!("{}:{}", self.file_name(file), edge.line),
            _ => "NO_LOCATION".into(),
        }
    }

    /// The name of a file without its folders.
    pub fn file_name(&self, file: u32) -> &str {
        let name = &self.files[file as usize];
        name.rsplit('/').next().unwrap_or(name)
    }
}
