//! Writes a syntax tree as text, one declaration a line, with no more parentheses than are needed.

use source::{Source, Span};

use crate::ast::{Ast, Body, Grouping, ItemKind, NodeId, NodeKind, SortNode, Unary};

/// The level of a conditional: it binds least.
const CONDITIONAL: u8 = 0;
/// The level of prefix operators.
const PREFIX: u8 = 10;
/// The level of names, numbers, calls and indexing.
const SIMPLE: u8 = 11;

/// The text of a syntax tree whose names and numbers are in `source`. Reading it gives the same tree at other places.
pub fn print(source: &Source, ast: &Ast) -> String {
    let mut printer = Printer { source, ast, text: String::new() };
    for item in &ast.items {
        printer.item(&item.kind);
        printer.text.push_str(";\n");
    }
    printer.text
}

/// What is still to be written, the next last.
enum Piece {
    Node(NodeId, u8),
    Text(&'static str),
    Slice(Span),
}

struct Printer<'a> {
    source: &'a Source,
    ast: &'a Ast,
    text: String,
}

impl Printer<'_> {
    fn item(&mut self, item: &ItemKind) {
        match item {
            ItemKind::Type { name, variants } => {
                self.text.push_str("type ");
                self.slice(*name);
                self.text.push_str(" = { ");
                self.names(variants);
                self.text.push_str(" }");
            }
            ItemKind::Input { names, sort, range } => {
                self.text.push_str("input ");
                self.names(names);
                self.text.push_str(": ");
                self.sort(sort);
                if let Some((low, high)) = range {
                    self.text.push_str(" in ");
                    self.body(low);
                    self.text.push_str("..");
                    self.body(high);
                }
            }
            ItemKind::Let { name, params, body } => {
                self.text.push_str("let ");
                self.slice(*name);
                for (place, (param, sort)) in params.iter().enumerate() {
                    self.text.push_str(if place == 0 { "(" } else { ", " });
                    self.slice(*param);
                    self.text.push_str(": ");
                    self.sort(sort);
                }
                self.text.push_str(if params.is_empty() { " = " } else { ") = " });
                self.body(body);
            }
            ItemKind::Assume { name, body } => {
                self.text.push_str("assume ");
                if let Some(name) = name {
                    self.slice(*name);
                    self.text.push_str(": ");
                }
                self.body(body);
            }
            ItemKind::Decision { name, body } => {
                self.text.push_str("decision ");
                if let Some(name) = name {
                    self.slice(*name);
                    self.text.push_str(" = ");
                }
                self.body(body);
            }
        }
    }

    fn names(&mut self, names: &[Span]) {
        for (place, name) in names.iter().enumerate() {
            if 0 < place {
                self.text.push_str(", ");
            }
            self.slice(*name);
        }
    }

    /// The depth of sorts is limited by the parser.
    fn sort(&mut self, sort: &SortNode) {
        match sort {
            SortNode::Named(name) => self.slice(*name),
            SortNode::BitVec(width) => {
                self.text.push_str("bitvec[");
                self.slice(*width);
                self.text.push(']');
            }
            SortNode::Array(index, element) => {
                self.text.push_str("array[");
                self.sort(index);
                self.text.push_str("] of ");
                self.sort(element);
            }
        }
    }

    fn slice(&mut self, span: Span) {
        self.text.push_str(self.source.slice(span));
    }

    fn body(&mut self, body: &Body) {
        let mut stack = vec![Piece::Node(body.root, CONDITIONAL)];
        while let Some(piece) = stack.pop() {
            match piece {
                Piece::Text(text) => self.text.push_str(text),
                Piece::Slice(span) => self.slice(span),
                Piece::Node(node, level) => self.node(node, level, &mut stack),
            }
        }
    }

    fn node(&self, id: NodeId, least: u8, stack: &mut Vec<Piece>) {
        let node = self.ast.node(id);
        let (level, pieces) = match node.kind {
            NodeKind::Truth(true) => (SIMPLE, vec![Piece::Text("true")]),
            NodeKind::Truth(false) => (SIMPLE, vec![Piece::Text("false")]),
            NodeKind::Number | NodeKind::Name => (SIMPLE, vec![Piece::Slice(node.span)]),
            NodeKind::Qualified { sort, variant } => {
                (SIMPLE, vec![Piece::Slice(sort), Piece::Text("."), Piece::Slice(variant)])
            }
            NodeKind::Unary(unary, arg) => {
                let sign = match unary {
                    Unary::Not => "!",
                    Unary::Minus => "-",
                };
                (PREFIX, vec![Piece::Text(sign), Piece::Node(arg, PREFIX)])
            }
            NodeKind::Binary(binary, left, right) => {
                let level = binary.level();
                let (left_level, right_level) = match binary.grouping() {
                    Grouping::Left => (level, level + 1),
                    Grouping::Right => (level + 1, level),
                    Grouping::Never => (level + 1, level + 1),
                };
                let sign = [Piece::Text(" "), Piece::Text(binary.text()), Piece::Text(" ")];
                let mut pieces = vec![Piece::Node(left, left_level)];
                pieces.extend(sign);
                pieces.push(Piece::Node(right, right_level));
                (level, pieces)
            }
            NodeKind::Conditional(condition, then, other) => (
                CONDITIONAL,
                vec![
                    Piece::Node(condition, CONDITIONAL + 1),
                    Piece::Text(" ? "),
                    Piece::Node(then, CONDITIONAL),
                    Piece::Text(" : "),
                    Piece::Node(other, CONDITIONAL),
                ],
            ),
            NodeKind::Index(array, index) => (
                SIMPLE,
                vec![Piece::Node(array, SIMPLE), Piece::Text("["), Piece::Node(index, CONDITIONAL), Piece::Text("]")],
            ),
            NodeKind::Call { name, start, end } => {
                let mut pieces = vec![Piece::Slice(name), Piece::Text("(")];
                for (place, &arg) in self.ast.call_args(start, end).iter().enumerate() {
                    if 0 < place {
                        pieces.push(Piece::Text(", "));
                    }
                    pieces.push(Piece::Node(arg, CONDITIONAL));
                }
                pieces.push(Piece::Text(")"));
                (SIMPLE, pieces)
            }
        };
        if level < least {
            stack.push(Piece::Text(")"));
            stack.extend(pieces.into_iter().rev());
            stack.push(Piece::Text("("));
        } else {
            stack.extend(pieces.into_iter().rev());
        }
    }
}
