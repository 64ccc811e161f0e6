//! The automaton as text, for people and for tests.

use std::fmt::Write;

use crate::expr::{Base, BinaryOp, ExprId, ExprKind, PlaceId, Step, UnaryOp};
use crate::program::{Callee, EdgeId, FunctionId, Operation, Program, StatementKind};

/// How deep an expression is written out.
const DEPTH: u32 = 60;

/// All kinds with their names in queries.
const KINDS: &[(StatementKind, &str)] = &[
    (StatementKind::If, "if"),
    (StatementKind::For, "for"),
    (StatementKind::While, "while"),
    (StatementKind::Do, "do"),
    (StatementKind::Switch, "switch"),
    (StatementKind::Conditional, "?:"),
    (StatementKind::Assert, "assert"),
    (StatementKind::Return, "return"),
    (StatementKind::Goto, "goto"),
    (StatementKind::Break, "break"),
    (StatementKind::Continue, "continue"),
    (StatementKind::Expression, "expression"),
    (StatementKind::Declaration, "declaration"),
    (StatementKind::Aggregate, "aggregate"),
];

impl StatementKind {
    /// The kind with a name as queries write it.
    pub fn named(name: &str) -> Option<StatementKind> {
        KINDS.iter().find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// The name as queries write it.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }
}

impl Program {
    /// A function's automaton, one edge per line: `from -> to: operation  [annotations]`, nodes counted from its entry on.
    pub fn show_function(&self, function: FunctionId) -> String {
        let found = self.function(function);
        let mut text = format!("{}\n", found.name);
        let Some(body) = &found.body else {
            text.push_str("  no body\n");
            return text;
        };
        for edge in body.edges.clone() {
            let edge = EdgeId(edge);
            let (from, to) = (self.edge(edge).from.0 - body.nodes.start, self.edge(edge).to.0 - body.nodes.start);
            let notes = self.show_notes(edge);
            let _ = writeln!(
                text,
                "  {from} -> {to}: {}{}{notes}",
                self.show_operation(edge),
                if notes.is_empty() { "" } else { "  " }
            );
        }
        text
    }

    fn show_notes(&self, edge: EdgeId) -> String {
        let notes = &self.edge(edge).notes;
        let mut parts = Vec::new();
        if let Some(location) = notes.location {
            parts.push(format!("line {}", location.line));
        }
        parts.extend(KINDS.iter().filter(|(kind, _)| notes.kinds.contains(*kind)).map(|(_, name)| (*name).to_owned()));
        parts.extend(notes.labels.iter().map(|label| format!("label {label}")));
        parts.extend(notes.condition.map(|side| format!("condition {} {}", side.condition.0, side.holds)));
        parts.extend(notes.graph.map(|graph| format!("graph {}", graph.0)));
        parts.extend(notes.outcome.map(|outcome| format!("decision {}={}", outcome.decision.0, outcome.outcome)));
        for (yes, name) in
            [(notes.block_entry, "block"), (notes.loose_block_entry, "loose"), (notes.inserted, "inserted")]
        {
            if yes {
                parts.push(name.to_owned());
            }
        }
        parts.extend(notes.closes.map(|id| format!("closes {}", self.loops[id.0 as usize].name)));
        let births: Vec<&str> =
            self.edge(edge).births.iter().map(|variable| self.variable(*variable).name.as_str()).collect();
        if !births.is_empty() {
            parts.push(format!("births {}", births.join(" ")));
        }
        if parts.is_empty() { String::new() } else { format!("[{}]", parts.join(", ")) }
    }

    /// What an edge does, as text.
    pub fn show_operation(&self, edge: EdgeId) -> String {
        match &self.edge(edge).operation {
            Operation::Skip => "skip".to_owned(),
            Operation::Assign { place, value } => format!("{} := {}", self.show_place(*place), self.show_expr(*value)),
            Operation::Initialise { variable, initial } => {
                let items: Vec<String> = initial
                    .items
                    .iter()
                    .map(|item| format!("+{}: {}", item.offset, self.show_expr(item.value)))
                    .collect();
                format!("{} := {{{}}}", self.variable(*variable).name, items.join(", "))
            }
            Operation::Assume { condition, holds: true } => format!("[{}]", self.show_expr(*condition)),
            Operation::Assume { condition, holds: false } => format!("[!({})]", self.show_expr(*condition)),
            Operation::Call { callee, arguments, result } => {
                let callee = match callee {
                    Callee::Function(function) => self.function(*function).name.clone(),
                    Callee::Pointer { pointer, .. } => format!("(*{})", self.show_expr(*pointer)),
                };
                let arguments: Vec<String> = arguments.iter().map(|argument| self.show_expr(*argument)).collect();
                let result = result.map_or(String::new(), |place| format!("{} := ", self.show_place(place)));
                format!("{result}{callee}({})", arguments.join(", "))
            }
            Operation::Return { value: None } => "return".to_owned(),
            Operation::Return { value: Some(value) } => format!("return {}", self.show_expr(*value)),
            Operation::Assert { condition } => format!("assert {}", self.show_expr(*condition)),
            Operation::Restrict { condition } => format!("assume {}", self.show_expr(*condition)),
        }
    }

    /// An expression as text, conversions included.
    pub fn show_expr(&self, expr: ExprId) -> String {
        self.show_expr_to(expr, DEPTH)
    }

    /// A place as text.
    pub fn show_place(&self, place: PlaceId) -> String {
        self.show_place_to(place, DEPTH)
    }

    fn show_expr_to(&self, id: ExprId, depth: u32) -> String {
        if depth == 0 {
            return "…".to_owned();
        }
        let below = |id: ExprId| self.show_expr_to(id, depth - 1);
        let expr = self.expr(id);
        match &expr.kind {
            ExprKind::Integer(value) if self.types.is_pointer(expr.ty) => {
                if *value == 0 {
                    "null".to_owned()
                } else {
                    format!("pointer {value}")
                }
            }
            ExprKind::Integer(value) => value.to_string(),
            ExprKind::Float(value) => format!("{value:?}"),
            ExprKind::Extended(bits) => format!("{:?}L", crate::extended::to_double(*bits)),
            ExprKind::Load(place) => self.show_place_to(*place, depth - 1),
            ExprKind::Address(place) => format!("&{}", self.show_place_to(*place, depth - 1)),
            ExprKind::Function(function) => format!("&{}", self.function(*function).name),
            ExprKind::Unary(UnaryOp::Negate, operand) => format!("-{}", below(*operand)),
            ExprKind::Unary(UnaryOp::Complement, operand) => format!("~{}", below(*operand)),
            ExprKind::Binary(operator, left, right) => {
                format!("({} {} {})", below(*left), operator.text(), below(*right))
            }
            ExprKind::Offset { pointer, index, negative, .. } => {
                format!("({} {} {})", below(*pointer), if *negative { "-" } else { "+" }, below(*index))
            }
            ExprKind::Difference { left, right, .. } => format!("({} - {})", below(*left), below(*right)),
            ExprKind::Convert(operand) => format!("({}){}", self.types.show(expr.ty), below(*operand)),
        }
    }

    fn show_place_to(&self, place: PlaceId, depth: u32) -> String {
        let place = self.place(place);
        let mut text = match place.base {
            Base::Variable(variable) => self.variable(variable).name.clone(),
            Base::Pointer(_) if depth == 0 => "…".to_owned(),
            Base::Pointer(pointer) => format!("(*{})", self.show_expr_to(pointer, depth - 1)),
        };
        for step in &place.steps {
            match step {
                Step::Field { record, field, .. } => {
                    let layout = self.types.record(*record).layout.as_ref();
                    let name = layout.and_then(|layout| layout.fields[*field as usize].name.as_deref());
                    let _ = write!(text, ".{}", name.unwrap_or("<unnamed>"));
                }
                Step::Index { .. } if depth == 0 => text.push_str("[…]"),
                Step::Index { index, .. } => {
                    let _ = write!(text, "[{}]", self.show_expr_to(*index, depth - 1));
                }
            }
        }
        text
    }
}

impl BinaryOp {
    /// How C writes it.
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Subtract => "-",
            BinaryOp::Multiply => "*",
            BinaryOp::Divide => "/",
            BinaryOp::Remainder => "%",
            BinaryOp::ShiftLeft => "<<",
            BinaryOp::ShiftRight => ">>",
            BinaryOp::And => "&",
            BinaryOp::Or => "|",
            BinaryOp::Xor => "^",
            BinaryOp::Equal => "==",
            BinaryOp::Unequal => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
        }
    }
}
