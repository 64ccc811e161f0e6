//! Formulas as text, with no more parentheses than needed. What is printed can be read again.

use omega::{Binary, Formula, Formulas, Node, Unary};

/// The text of a formula.
pub fn print(formulas: &Formulas, root: Formula) -> String {
    let mut text = String::new();
    let mut open = vec![Piece::Formula(root, 0)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Text(word) => text += word,
            Piece::Formula(formula, context) => push(formulas, formula, context, &mut text, &mut open),
        }
    }
    text
}

enum Piece {
    Text(&'static str),
    Formula(Formula, u8),
}

fn push(formulas: &Formulas, formula: Formula, context: u8, text: &mut String, open: &mut Vec<Piece>) {
    match formulas.node(formula) {
        Node::Constant(value) => *text += if value { "true" } else { "false" },
        Node::Atom(atom) => *text += &name(formulas.atom_name(atom)),
        Node::Unary(operator, argument) => {
            *text += operator.symbol();
            if operator != Unary::Not {
                text.push(' ');
            }
            open.push(Piece::Formula(argument, UNARY));
        }
        Node::Binary(operator, left, right) => {
            let own = level(operator);
            // Only `&` and `|` are written without parentheses when nested in themselves, and only on the left.
            let same = if matches!(operator, Binary::And | Binary::Or) { own } else { own + 1 };
            let pieces = [
                Piece::Formula(left, same),
                Piece::Text(" "),
                Piece::Text(operator.symbol()),
                Piece::Text(" "),
                Piece::Formula(right, own + 1),
            ];
            let needed = own < context;
            if needed {
                open.push(Piece::Text(")"));
            }
            open.extend(pieces.into_iter().rev());
            if needed {
                text.push('(');
            }
        }
    }
}

const UNARY: u8 = 7;

/// How tightly an operator binds; more is tighter.
pub(crate) fn level(operator: Binary) -> u8 {
    match operator {
        Binary::Iff => 1,
        Binary::Implies => 2,
        Binary::Xor => 3,
        Binary::Or => 4,
        Binary::And => 5,
        Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => 6,
    }
}

/// A name as it is read again: in quotes unless it is a plain name.
fn name(name: &str) -> String {
    if crate::lex::is_plain_name(name) { name.to_owned() } else { format!("\"{name}\"") }
}
