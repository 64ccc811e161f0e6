//! Models as text, in either notation; reading the text gives the model again.

mod native;
mod prolog;

use crate::Notation;
use crate::ast::{Expr, Model};

/// The model in a notation.
pub fn print(model: &Model, notation: Notation) -> String {
    match notation {
        Notation::Native => native::print(model),
        Notation::Prolog => prolog::print(model),
    }
}

/// An expression in a notation, for messages.
pub fn print_expression(expression: &Expr, notation: Notation) -> String {
    match notation {
        Notation::Native => native::expression(expression),
        Notation::Prolog => prolog::expression(expression),
    }
}

/// A statement on one line, for messages.
pub fn print_statement(statement: &crate::ast::Stmt, notation: Notation) -> String {
    match notation {
        Notation::Native => {
            let mut text = String::new();
            native::statement(&mut text, statement, None);
            text
        }
        Notation::Prolog => prolog::statement(statement),
    }
}
