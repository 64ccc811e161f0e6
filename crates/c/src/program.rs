//! The lowered program: variables, functions and the control-flow automaton of all functions together.
//!
//! Node and edge ids are global, and those of one function are contiguous. A call is one edge of the caller; the edges
//! of the callee are taken in between, from its entry node to its exit node.

use std::ops::Range;

use source::Span;

use crate::expr::{Base, Expr, ExprId, ExprKind, Place, PlaceId, Step};
use crate::types::{BitField, TypeId, Types};

/// A variable, among [`Program::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A function, among [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A node, among [`Program::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An edge, among [`Program::edges`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

/// A decision, among [`Program::decisions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionId(pub u32);

/// A condition, among [`Program::conditions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConditionId(pub u32);

/// A loop, among [`Program::loops`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(pub u32);

/// A scope, among [`Program::scopes`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId(pub u32);

/// A file, among [`Program::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A program as a control-flow automaton. Later phases cannot fail on it.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its types.
    pub types: Types,
    /// Its expressions, children before parents.
    pub exprs: Vec<Expr>,
    /// Its places.
    pub places: Vec<Place>,
    /// Variables of all kinds; string literals are variables too.
    pub variables: Vec<Variable>,
    /// Functions, defined or only declared.
    pub functions: Vec<Function>,
    /// Nodes of all functions.
    pub nodes: Vec<Node>,
    /// Edges of all functions.
    pub edges: Vec<Edge>,
    /// Decisions of all functions.
    pub decisions: Vec<Decision>,
    /// Conditions of all functions.
    pub conditions: Vec<Condition>,
    /// Loops, backward gotos included.
    pub loops: Vec<Loop>,
    /// Scopes; the first is that of the whole program.
    pub scopes: Vec<Scope>,
    /// The names of the files that locations refer to.
    pub files: Vec<String>,
    /// For each of them whether it is a header of the system.
    pub system_files: Vec<bool>,
    /// The nodes and edges of the program itself, if functions of the C library stand behind them.
    pub own: Option<(u32, u32)>,
}

/// A place in the user's files; line and column from 1, 0 where unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column, in the preprocessed line.
    pub column: u32,
}

/// A variable: an object with a name, or a nameless one the lowering made.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name as written; `name` of a string literal is its text in quotes, of a temporary it begins with `$`.
    pub name: String,
    /// The declared type.
    pub ty: TypeId,
    /// Where and how long it lives.
    pub storage: Storage,
    /// The function it belongs to, static locals included.
    pub function: Option<FunctionId>,
    /// Where it is declared.
    pub location: Location,
    /// What it holds before the program starts, for variables of static storage with an initialiser. Without one they
    /// are zero.
    pub initial: Option<Initial>,
    /// Whether its address is taken somewhere, so that it can change through a pointer. Arrays that are only indexed do not count.
    pub address_taken: bool,
    /// Whether other files can name it.
    pub external: bool,
    /// Bytes behind those of its type: what an initialiser gives to a flexible member at its end.
    pub behind: u64,
}

/// Where and how long a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Static storage with a name for the whole program or one file.
    Global {
        /// Whether the program defines it; `extern int x;` alone is an input.
        defined: bool,
    },
    /// A static variable of a function, a string literal or a compound literal outside functions.
    Static,
    /// A parameter, the n-th.
    Parameter(u32),
    /// A local variable or a compound literal.
    Local,
    /// Made by the lowering to hold an intermediate value; always written before it is read.
    Temporary,
}

impl Storage {
    /// Whether it lives as long as the program.
    pub fn is_static(self) -> bool {
        match self {
            Storage::Global { .. } | Storage::Static => true,
            Storage::Parameter(_) | Storage::Local | Storage::Temporary => false,
        }
    }
}

/// The value an object starts with: zero bytes, then the items in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Initial {
    /// What is stored where. For static storage the values are constants and addresses of static objects or functions.
    pub items: Vec<InitialItem>,
}

/// A scalar, structure or union stored into an object.
#[derive(Clone, Debug, PartialEq)]
pub struct InitialItem {
    /// The first byte within the object.
    pub offset: u64,
    /// The type of what is stored.
    pub ty: TypeId,
    /// The bits, if it is a bit-field.
    pub bits: Option<BitField>,
    /// The value, converted to the type.
    pub value: ExprId,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: String,
    /// The type.
    pub ty: TypeId,
    /// Where it is defined, or else declared.
    pub location: Location,
    /// Whether it is declared `static`.
    pub internal: bool,
    /// The body, if the program defines it.
    pub body: Option<Body>,
    /// Whether its address is taken, so that a call through a pointer may reach it.
    pub address_taken: bool,
    /// Whether it is declared never to return.
    pub noreturn: bool,
}

/// The control-flow automaton of one function.
#[derive(Clone, Debug)]
pub struct Body {
    /// The parameters in order.
    pub parameters: Vec<VariableId>,
    /// Every variable that lives in the function's frame, parameters first.
    pub frame: Vec<VariableId>,
    /// The first node.
    pub entry: NodeId,
    /// The node where the function ends; it has no outgoing edge.
    pub exit: NodeId,
    /// Its nodes.
    pub nodes: Range<u32>,
    /// Its edges.
    pub edges: Range<u32>,
    /// The scope of its parameters.
    pub scope: ScopeId,
}

/// A node: a place of control.
#[derive(Clone, Debug)]
pub struct Node {
    /// The function it belongs to.
    pub function: FunctionId,
    /// The edges that leave it: none at the end of a function, one, or the two sides of a branch with the true side first.
    pub out: Vec<EdgeId>,
    /// The names visible there.
    pub scope: ScopeId,
    /// Whether the node was made to collect outcomes of a decision or to hold an inserted skip.
    pub inserted: bool,
}

/// An edge: one step of a program.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// What it does.
    pub operation: Operation,
    /// What is known about it.
    pub notes: Notes,
    /// Local variables that begin to live, with no value yet, once the edge is taken. All locals are valueless when
    /// their function is entered, so this matters where a declaration is passed again.
    pub births: Vec<VariableId>,
}

/// What an edge does.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Nothing: `break`, `continue`, `goto`, the empty statement where it is labelled, inserted edges.
    Skip,
    /// Stores a value. If both are structures or unions, all bytes are copied.
    Assign {
        /// Where.
        place: PlaceId,
        /// What, of the type of the place.
        value: ExprId,
    },
    /// Initialises a local variable: all bytes zero, then the items.
    Initialise {
        /// The variable.
        variable: VariableId,
        /// What it starts with.
        initial: Initial,
    },
    /// One side of a branch: taken if the condition, a scalar, is non-zero (`holds`) or zero (not `holds`).
    Assume {
        /// The condition.
        condition: ExprId,
        /// Which side.
        holds: bool,
    },
    /// A call.
    Call {
        /// What is called.
        callee: Callee,
        /// The arguments, converted to the types of the parameters; further ones promoted.
        arguments: Vec<ExprId>,
        /// Where the result goes; its type is that of the place.
        result: Option<PlaceId>,
    },
    /// Leaves the function; the edge leads to its exit node.
    Return {
        /// The result, converted to the type of the function's result.
        value: Option<ExprId>,
    },
    /// `assert(condition)`: the condition, a scalar, must be non-zero, or the program is aborted. Ignored where assertions are off.
    Assert {
        /// The condition.
        condition: ExprId,
    },
    /// `__CPROVER_assume(condition)` and the like: executions in which it is zero do not count.
    Restrict {
        /// The condition.
        condition: ExprId,
    },
}

/// What a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function.
    Function(FunctionId),
    /// What a pointer points to.
    Pointer {
        /// The pointer.
        pointer: ExprId,
        /// The functions it may be: those whose address is taken and whose type fits, in order of declaration.
        targets: Vec<FunctionId>,
    },
}

/// What is known about an edge (the annotations of the automaton).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// Where it comes from; none for inserted edges without one.
    pub location: Option<Location>,
    /// The place in the preprocessed text.
    pub span: Span,
    /// The kinds of statements whose computations the edge performs.
    pub kinds: Kinds,
    /// The labels of the statement, if this is its first edge.
    pub labels: Vec<String>,
    /// The condition this edge is a side of.
    pub condition: Option<Side>,
    /// The decision whose evaluation (condition graph) the edge belongs to.
    pub graph: Option<DecisionId>,
    /// The outcome of a decision that this edge stands for.
    pub outcome: Option<DecisionOutcome>,
    /// Whether it is the first edge of a basic block.
    pub block_entry: bool,
    /// Whether FShell 1.x counts it as the first edge of a block: first edges of functions, edges behind joins, both
    /// sides of every branch.
    pub loose_block_entry: bool,
    /// Whether it was inserted to represent a block or a decision outcome; it does nothing.
    pub inserted: bool,
    /// The loop this edge closes, if it leads backwards.
    pub closes: Option<LoopId>,
}

/// One side of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Side {
    /// The condition.
    pub condition: ConditionId,
    /// Whether it holds.
    pub holds: bool,
}

/// An outcome of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DecisionOutcome {
    /// The decision.
    pub decision: DecisionId,
    /// Which outcome: 0 false, 1 true; of a `switch` the case in order of the text, then the default.
    pub outcome: u32,
}

/// A set of statement kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Kinds(u32);

/// The kinds of statements, and of expressions that branch like statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum StatementKind {
    /// The controlling expression of an `if`.
    If,
    /// The controlling expressions of a `for`, its first part included.
    For,
    /// The controlling expression of a `while`.
    While,
    /// The controlling expression of a `do` loop.
    Do,
    /// The controlling expression of a `switch`.
    Switch,
    /// `c ? a : b`, all of it.
    Conditional,
    /// An assertion; the edge that asserts, not the computation of its condition.
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
    /// `&&` or `||` outside the controlling expression of a statement.
    Aggregate,
}

impl Kinds {
    /// The set with a kind added.
    #[must_use]
    pub fn with(self, kind: StatementKind) -> Kinds {
        Kinds(self.0 | 1 << kind as u8)
    }

    /// Whether the kind is in the set.
    pub fn contains(self, kind: StatementKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// A decision: a Boolean expression that controls a statement, the choice of a `switch`, the test of a `?:`, or an
/// aggregated Boolean expression elsewhere.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The function.
    pub function: FunctionId,
    /// The statement or expression it belongs to.
    pub kind: StatementKind,
    /// Where its evaluation starts.
    pub entry: NodeId,
    /// The conditions in order of evaluation.
    pub conditions: Vec<ConditionId>,
    /// The number of outcomes.
    pub outcomes: u32,
    /// The Boolean structure over its conditions; none for `switch`.
    pub formula: Option<Formula>,
    /// Where it is.
    pub location: Location,
    /// The text, in the preprocessed source.
    pub span: Span,
}

/// The Boolean structure of a decision, for criteria such as MC/DC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// An operand that is known when the program is compiled; it is not a condition.
    Constant(bool),
    /// A condition.
    Condition(ConditionId),
    /// `!`.
    Not(Box<Formula>),
    /// `&&`.
    And(Box<Formula>, Box<Formula>),
    /// `||`.
    Or(Box<Formula>, Box<Formula>),
}

/// A condition: an operand of a decision that has no Boolean operator but negation.
#[derive(Clone, Debug)]
pub struct Condition {
    /// The decision it belongs to.
    pub decision: DecisionId,
    /// The node where the two sides leave.
    pub node: NodeId,
    /// The text, in the preprocessed source.
    pub span: Span,
    /// Where it is.
    pub location: Location,
}

/// A loop, named like `main.0` for bounds.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The function's name, a dot and a number counted from 0 within the function.
    pub name: String,
    /// The function.
    pub function: FunctionId,
    /// The node that is entered again.
    pub head: NodeId,
    /// Where it is.
    pub location: Location,
}

/// A block scope and the variables declared in it.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The scope around it.
    pub parent: Option<ScopeId>,
    /// The variables in order of declaration.
    pub names: Vec<(String, VariableId)>,
}

impl Program {
    /// A program without anything.
    pub(crate) fn empty(model: crate::model::DataModel) -> Program {
        Program {
            types: Types::new(model),
            exprs: Vec::new(),
            places: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            nodes: Vec::new(),
            edges: Vec::new(),
            decisions: Vec::new(),
            conditions: Vec::new(),
            loops: Vec::new(),
            scopes: vec![Scope::default()],
            files: Vec::new(),
            system_files: Vec::new(),
            own: None,
        }
    }

    /// Whether an edge belongs to a function of the C library, which the program does not define itself.
    pub fn is_library(&self, edge: EdgeId) -> bool {
        self.own.is_some_and(|(_, edges)| edges <= edge.0) && !self.is_made(edge)
    }

    /// Whether an edge belongs to a function that was made for a predicate.
    fn is_made(&self, edge: EdgeId) -> bool {
        self.function(self.function_of(edge)).name.starts_with("$predicate")
    }

    /// Whether a function is one of the C library that was given a body.
    pub fn is_library_function(&self, function: FunctionId) -> bool {
        let body = self.function(function).body.as_ref();
        body.is_some_and(|body| self.is_library(EdgeId(body.edges.start)))
    }

    /// For each function whether some call uses what it returns. Whoever supplies the results of a function without a body has to count
    /// the other calls too.
    pub fn results_used(&self) -> Vec<bool> {
        let mut used: Vec<bool> = self.functions.iter().map(|function| function.address_taken).collect();
        for edge in &self.edges {
            if let Operation::Call { callee: Callee::Function(function), result: Some(_), .. } = &edge.operation {
                used[function.0 as usize] = true;
            }
        }
        used
    }

    /// The function with a body, or else the declaration, of this name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let found = |defined: bool| {
            self.functions.iter().position(|function| function.name == name && (function.body.is_some() || !defined))
        };
        found(true).or_else(|| found(false)).map(|index| FunctionId(index as u32))
    }

    /// The variable that a name means in a scope.
    pub fn variable_named(&self, scope: ScopeId, name: &str) -> Option<VariableId> {
        let mut at = Some(scope);
        while let Some(scope) = at {
            let scope = &self.scopes[scope.0 as usize];
            if let Some((_, variable)) = scope.names.iter().rev().find(|(known, _)| known == name) {
                return Some(*variable);
            }
            at = scope.parent;
        }
        None
    }

    /// An expression.
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// A place.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// A variable.
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// A function.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The function an edge belongs to.
    pub fn function_of(&self, edge: EdgeId) -> FunctionId {
        self.node(self.edge(edge).from).function
    }

    /// The variable an edge assigns, initialises or stores a result in, wholly or in part.
    pub fn defines(&self, edge: EdgeId) -> Option<VariableId> {
        let based = |place: PlaceId| match self.place(place).base {
            Base::Variable(variable) => Some(variable),
            Base::Pointer(_) => None,
        };
        match &self.edge(edge).operation {
            Operation::Assign { place, .. } => based(*place),
            Operation::Initialise { variable, .. } => Some(*variable),
            Operation::Call { result, .. } => result.and_then(based),
            Operation::Skip
            | Operation::Assume { .. }
            | Operation::Return { .. }
            | Operation::Assert { .. }
            | Operation::Restrict { .. } => None,
        }
    }

    /// The variables an edge reads, in order of their ids. What is only written, or only has its address taken, is not read; an index is.
    pub fn uses(&self, edge: EdgeId) -> Vec<VariableId> {
        let mut exprs = Vec::new();
        let mut written = Vec::new();
        match &self.edge(edge).operation {
            Operation::Skip => {}
            Operation::Assign { place, value } => {
                exprs.push(*value);
                written.push(*place);
            }
            Operation::Initialise { initial, .. } => exprs.extend(initial.items.iter().map(|item| item.value)),
            Operation::Assume { condition, .. }
            | Operation::Assert { condition }
            | Operation::Restrict { condition } => {
                exprs.push(*condition);
            }
            Operation::Call { callee, arguments, result } => {
                exprs.extend(arguments);
                written.extend(result);
                if let Callee::Pointer { pointer, .. } = callee {
                    exprs.push(*pointer);
                }
            }
            Operation::Return { value } => exprs.extend(value),
        }
        for place in written {
            self.operands_of_place(place, &mut exprs);
        }
        self.reads(exprs)
    }

    /// The variables that expressions read.
    pub fn reads(&self, mut pending: Vec<ExprId>) -> Vec<VariableId> {
        let mut found = Vec::new();
        while let Some(id) = pending.pop() {
            match &self.expr(id).kind {
                ExprKind::Integer(_) | ExprKind::Float(_) | ExprKind::Extended(_) | ExprKind::Function(_) => {}
                ExprKind::Load(place) => {
                    if let Base::Variable(variable) = self.place(*place).base {
                        found.push(variable);
                    }
                    self.operands_of_place(*place, &mut pending);
                }
                ExprKind::Address(place) => self.operands_of_place(*place, &mut pending),
                ExprKind::Unary(_, operand) | ExprKind::Convert(operand) => pending.push(*operand),
                ExprKind::Binary(_, left, right) | ExprKind::Difference { left, right, .. } => {
                    pending.extend([*left, *right])
                }
                ExprKind::Offset { pointer, index, .. } => pending.extend([*pointer, *index]),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The expressions a place is found with: its pointer and its indices.
    pub fn operands_of_place(&self, place: PlaceId, operands: &mut Vec<ExprId>) {
        let place = self.place(place);
        if let Base::Pointer(pointer) = place.base {
            operands.push(pointer);
        }
        for step in &place.steps {
            if let Step::Index { index, .. } = step {
                operands.push(*index);
            }
        }
    }

    /// `file:line` of a location; the file without its folders.
    pub fn place_text(&self, location: Location) -> String {
        let file = &self.files[location.file.0 as usize];
        format!("{}:{}", file.rsplit('/').next().unwrap_or(file), location.line)
    }
}
