//! What of the language the encoding does not have: said with its place before anything is searched for.

use tessla::core::{Definition, FunctionId, NodeKind, Spec, StreamId};
use tessla::place::Origin;
use tessla::types::Type;
use tessla::value::Value;

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
        if Shape::of(&stream.element, 1).is_none() {
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
            _ if Shape::of(&node.sort, 1).is_none() => Some(format!("values of type {}", node.sort)),
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

/// Whether collections occur: then claims are about those of a limited size.
pub(super) fn has_collections(spec: &Spec) -> bool {
    let nodes = spec.functions.iter().flat_map(|function| &function.nodes).map(|node| &node.sort);
    spec.streams.iter().map(|stream| &stream.element).chain(nodes).any(holds_collection)
}

fn holds_collection(of: &Type) -> bool {
    let mut open = vec![of];
    while let Some(of) = open.pop() {
        match of {
            Type::List(_) | Type::Set(_) | Type::Map(..) => return true,
            Type::Option(inner) | Type::Events(inner) => open.push(inner),
            Type::Object(object) => open.extend(object.members.iter().map(|(_, of)| of)),
            Type::Bool | Type::Int | Type::Float | Type::String => {}
            Type::Function(_) | Type::Parameter(_) | Type::Meta(_) | Type::Opaque(..) | Type::Wrong => {}
        }
    }
    false
}

/// The elements of the largest collection that a specification writes down.
pub(super) fn largest_constant(spec: &Spec) -> usize {
    let mut open: Vec<&Value> = Vec::new();
    for node in spec.functions.iter().flat_map(|function| &function.nodes) {
        if let NodeKind::Constant(value) = &node.kind {
            open.push(value);
        }
    }
    let mut largest = 0;
    while let Some(value) = open.pop() {
        match value {
            Value::Some(inner) => open.push(inner),
            Value::Object(object) => open.extend(&object.values),
            Value::List(items) => {
                largest = largest.max(items.len());
                open.extend(items.iter());
            }
            Value::Set(items) => {
                largest = largest.max(items.len());
                open.extend(items.iter());
            }
            Value::Map(entries) => {
                largest = largest.max(entries.len());
                open.extend(entries.iter().flat_map(|(key, value)| [key, value]));
            }
            Value::Bool(_) | Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::String(_) => {}
            Value::Unit | Value::None | Value::Failure(_) => {}
        }
    }
    largest
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
