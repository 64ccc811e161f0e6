//! What of the language the encoding does not have: said with its place before anything is searched for.

use tessla::core::{Definition, FunctionId, NodeKind, Spec, StreamId};
use tessla::place::Origin;

use super::datum::Shape;
use super::function::has;

/// Something tests cannot be drawn for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// Where it stands.
    pub origin: Origin,
    /// What it is.
    pub what: String,
}

/// What stands in the way of drawing tests, each kind of thing once for each place.
pub fn unsupported(spec: &Spec) -> Vec<Unsupported> {
    let mut found = Vec::new();
    for stream in &spec.streams {
        if Shape::of(&stream.element, 1).is_none() {
            found.push(Unsupported { origin: stream.origin, what: format!("events of type {}", stream.element) });
        }
    }
    used(spec).into_iter().for_each(|function| found.extend(in_function(spec, function)));
    found.sort_by(|left, right| (left.origin, &left.what).cmp(&(right.origin, &right.what)));
    found.dedup_by(|left, right| left.origin.place == right.origin.place && left.what == right.what);
    found
}

fn in_function(spec: &Spec, function: FunctionId) -> Vec<Unsupported> {
    let mut found = Vec::new();
    for node in &spec.function(function).nodes {
        let what = match &node.kind {
            NodeKind::Apply(operator, _) if !has(*operator) => Some(format!("the operator `{}`", operator.name())),
            _ if Shape::of(&node.sort, 1).is_none() => Some(format!("values of type {}", node.sort)),
            NodeKind::Constant(_)
            | NodeKind::Parameter(_)
            | NodeKind::If { .. }
            | NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Apply(..)
            | NodeKind::Object(_)
            | NodeKind::Member(..)
            | NodeKind::Call(..)
            | NodeKind::Fold { .. } => None,
        };
        found.extend(what.map(|what| Unsupported { origin: node.origin, what }));
    }
    found
}

/// The functions that streams apply, and those that these call.
fn used(spec: &Spec) -> Vec<FunctionId> {
    let mut open: Vec<FunctionId> = spec.streams().filter_map(|(id, _)| function_of(spec, id)).collect();
    let mut used = Vec::new();
    let mut seen = vec![false; spec.functions.len()];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.0 as usize], true) {
            continue;
        }
        used.push(id);
        for node in &spec.function(id).nodes {
            if let NodeKind::Call(function, _) | NodeKind::Fold { function, .. } = node.kind {
                open.push(function);
            }
        }
    }
    used
}

/// The function a stream applies.
pub(super) fn function_of(spec: &Spec, stream: StreamId) -> Option<FunctionId> {
    match spec.stream(stream).definition {
        Definition::Lift { function, .. } | Definition::SignalLift { function, .. } => Some(function),
        Definition::Input(_)
        | Definition::Nil
        | Definition::Unit
        | Definition::Time(_)
        | Definition::Last { .. }
        | Definition::Delay { .. }
        | Definition::Merge(_)
        | Definition::DefaultFrom { .. } => None,
    }
}
