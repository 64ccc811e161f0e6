//! Unfolds the occurrences of a decision into its tree.

use formula::{FormulaBuilder, NodeId};
use source::Source;

use crate::build::{Builder, ShapeId, Structure};
use crate::{Condition, ExprId};

/// The number of nodes up to which definitions are unfolded.
pub(crate) const NODE_LIMIT: usize = 2_000_000;

/// The longest text of a condition, in characters.
const TEXT_LIMIT: usize = 200;

/// The tree of a Boolean use and its conditions in the order of the text, or nothing where it has more than `limit` nodes.
pub(crate) fn unfold(
    source: &Source,
    builder: &Builder,
    root: ShapeId,
    limit: usize,
) -> Option<(formula::Formula, Vec<Condition>)> {
    let mut tree = FormulaBuilder::new();
    let mut conditions = Vec::new();
    let mut done: Vec<NodeId> = Vec::new();
    // A shape to unfold, or one whose arguments are unfolded.
    let mut stack = vec![(root, false)];
    while let Some((shape, unfolded)) = stack.pop() {
        if limit < tree.len() + stack.len() {
            return None;
        }
        match builder.shape(shape).structure {
            Structure::Constant(truth) => done.push(tree.constant(truth)),
            Structure::Atom => {
                let (node, _) = tree.leaf();
                done.push(node);
                conditions.push(condition(source, builder, shape));
            }
            Structure::Connective(connective, start, end) if unfolded => {
                let args = done.split_off(done.len() - (end - start) as usize);
                done.push(tree.apply(connective, &args));
            }
            Structure::Connective(_, start, end) => {
                stack.push((shape, true));
                stack.extend(builder.parts(start, end).iter().rev().map(|&part| (part, false)));
            }
        }
    }
    Some((tree.finish(), conditions))
}

fn condition(source: &Source, builder: &Builder, shape: ShapeId) -> Condition {
    let shape = builder.shape(shape);
    let atom: ExprId = shape.expr;
    let text = match &shape.text {
        Some(text) => text.to_string(),
        None => on_one_line(source.slice(shape.span)),
    };
    Condition { atom, text, span: shape.span }
}

/// The text with every run of white space as one blank, shortened where it is very long.
pub(crate) fn on_one_line(text: &str) -> String {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
            count += 1;
        }
        for character in word.chars() {
            line.push(character);
            count += 1;
            if TEXT_LIMIT <= count {
                line.push('…');
                return line;
            }
        }
    }
    line
}
