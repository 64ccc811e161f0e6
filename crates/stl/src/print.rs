//! Formulas as text. What is printed reads back as the same formula.

use value::RBig;

use crate::number::write_number;
use crate::spec::{Signal, Spec, names_of};
use crate::store::{Comparison, Formula, Node, Store, Window};

/// The formula as text, with as few brackets as are good for people.
pub fn print(spec: &Spec, formula: Formula) -> String {
    print_in(&spec.store, &spec.signals, formula)
}

/// The formula of a store as text.
pub fn print_in(store: &Store, signals: &[Signal], formula: Formula) -> String {
    let mut text = String::new();
    let mut stack = vec![Piece::Formula(formula)];
    while let Some(piece) = stack.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(&piece),
            Piece::Formula(formula) => {
                let mut pieces = Vec::new();
                lay_out(store, signals, formula, &mut pieces);
                stack.extend(pieces.into_iter().rev());
            }
        }
    }
    text
}

enum Piece {
    Text(String),
    Formula(Formula),
}

fn lay_out(store: &Store, signals: &[Signal], formula: Formula, pieces: &mut Vec<Piece>) {
    let node = store.node(formula);
    let infix = |operator: String, left: Formula, right: Formula, pieces: &mut Vec<Piece>| {
        // Chains of one associative connective need no brackets on the left.
        let chain = matches!((node, store.node(left)), (Node::And(..), Node::And(..)) | (Node::Or(..), Node::Or(..)));
        let premise = matches!(
            (node, store.node(left)),
            (Node::Implies(..), Node::Finally(..) | Node::Globally(..) | Node::Once(..) | Node::Historically(..))
        );
        if chain {
            pieces.push(Piece::Formula(left));
        } else if premise {
            // `G[0,1] a -> b` is easily read as `G[0,1] (a -> b)`.
            pieces.push(Piece::Text("(".into()));
            pieces.push(Piece::Formula(left));
            pieces.push(Piece::Text(")".into()));
        } else {
            operand(store, left, pieces);
        }
        pieces.push(Piece::Text(format!(" {operator} ")));
        operand(store, right, pieces);
    };
    let prefix = |operator: String, arg: Formula, pieces: &mut Vec<Piece>| {
        pieces.push(Piece::Text(operator));
        operand(store, arg, pieces);
    };
    match node {
        Node::Constant(truth) => pieces.push(Piece::Text(truth.to_string())),
        Node::Signal(signal) => pieces.push(Piece::Text(signals[signal.0 as usize].name.clone())),
        Node::Compare(comparison) => pieces.push(Piece::Text(comparison_text(signals, comparison))),
        Node::Not(arg) => {
            // `!x > 3` would read as `!(x > 3)`, but people read it otherwise.
            if let Node::Compare(_) = store.node(*arg) {
                pieces.push(Piece::Text("!(".into()));
                pieces.push(Piece::Formula(*arg));
                pieces.push(Piece::Text(")".into()));
            } else {
                prefix("!".into(), *arg, pieces);
            }
        }
        Node::Next(time, arg) => prefix(format!("N[{}] ", write_number(time)), *arg, pieces),
        Node::Finally(window, arg) => prefix(format!("F{} ", window_text(window)), *arg, pieces),
        Node::Globally(window, arg) => prefix(format!("G{} ", window_text(window)), *arg, pieces),
        Node::And(left, right) => infix("&".into(), *left, *right, pieces),
        Node::Or(left, right) => infix("|".into(), *left, *right, pieces),
        Node::Implies(left, right) => infix("->".into(), *left, *right, pieces),
        Node::Until(window, left, right) => infix(format!("U{}", window_text(window)), *left, *right, pieces),
        Node::Release(window, left, right) => infix(format!("R{}", window_text(window)), *left, *right, pieces),
        Node::Once(window, arg) => prefix(format!("O{} ", window_text(window)), *arg, pieces),
        Node::Historically(window, arg) => prefix(format!("H{} ", window_text(window)), *arg, pieces),
        Node::Since(window, left, right) => infix(format!("S{}", window_text(window)), *left, *right, pieces),
    }
}

/// An operand: bracketed when it has an infix operator.
fn operand(store: &Store, formula: Formula, pieces: &mut Vec<Piece>) {
    match store.node(formula) {
        Node::And(..) | Node::Or(..) | Node::Implies(..) | Node::Until(..) | Node::Release(..) | Node::Since(..) => {
            pieces.push(Piece::Text("(".into()));
            pieces.push(Piece::Formula(formula));
            pieces.push(Piece::Text(")".into()));
        }
        Node::Constant(_)
        | Node::Signal(_)
        | Node::Compare(_)
        | Node::Not(_)
        | Node::Next(..)
        | Node::Finally(..)
        | Node::Globally(..)
        | Node::Once(..)
        | Node::Historically(..) => pieces.push(Piece::Formula(formula)),
    }
}

/// The window as it is written: nothing for `[0,inf]`.
pub fn window_text(window: &Window) -> String {
    match &window.upper {
        Some(upper) => format!("[{},{}]", write_number(&window.lower), write_number(upper)),
        None if window.lower.is_zero() => String::new(),
        None => format!("[{},inf]", write_number(&window.lower)),
    }
}

/// The comparison as it is written.
pub fn comparison_text(signals: &[Signal], comparison: &Comparison) -> String {
    let form = form_text(signals, &comparison.form);
    if let Some(names) = names_of(signals, comparison)
        && let Some(name) = usize::try_from(comparison.bound.numerator()).ok().and_then(|place| names.get(place))
    {
        return format!("{form} {} {name}", comparison.relation.text());
    }
    format!("{form} {} {}", comparison.relation.text(), write_number(&comparison.bound))
}

/// A linear form as it is written.
pub fn form_text(signals: &[Signal], form: &[(RBig, crate::store::SignalId)]) -> String {
    let mut text = String::new();
    for (place, (coefficient, signal)) in form.iter().enumerate() {
        let negative = *coefficient < RBig::ZERO;
        let size = if negative { -coefficient.clone() } else { coefficient.clone() };
        text += match (place, negative) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        if !size.is_one() {
            text += &format!("{}*", write_number(&size));
        }
        text += &signals[signal.0 as usize].name;
    }
    text
}
