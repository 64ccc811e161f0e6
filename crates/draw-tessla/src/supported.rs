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
    for (id, stream) in spec.streams() {
        if Shape::of(&stream.element).is_none() {
            found.push(Unsupported { origin: stream.origin, what: format!("events of type {}", stream.element) });
        }
        if let Some(function) = function_of(spec, id) {
            found.extend(in_function(spec, function));
        }
    }
    found.sort_by(|left, right| (left.origin, &left.what).cmp(&(right.origin, &right.what)));
    found.dedup_by(|left, right| left.origin.place == right.origin.place && left.what == right.what);
    found
}

fn in_function(spec: &Spec, function: FunctionId) -> Vec<Unsupported> {
    let mut found = Vec::new();
    for node in &spec.function(function).nodes {
        let what = match &node.kind {
            NodeKind::Call(..) => Some("recursive functions".to_owned()),
            NodeKind::Fold { .. } => Some("folds over collections".to_owned()),
            NodeKind::Apply(operator, _) if !has(*operator) => Some(format!("the operator `{}`", operator.name())),
            _ if Shape::of(&node.sort).is_none() => Some(format!("values of type {}", node.sort)),
            NodeKind::Constant(_)
            | NodeKind::Parameter(_)
            | NodeKind::If { .. }
            | NodeKind::And(..)
            | NodeKind::Or(..)
            | NodeKind::Apply(..)
            | NodeKind::Object(_)
            | NodeKind::Member(..) => None,
        };
        found.extend(what.map(|what| Unsupported { origin: node.origin, what }));
    }
    found
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
