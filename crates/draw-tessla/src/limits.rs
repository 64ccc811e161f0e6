//! What limits the claims of the search beside the number of moments, and whether a run keeps within it.

use tessla::core::{FunctionId, NodeKind, Spec};
use tessla::extent::Extent;
use tessla::types::Type;
use tessla::value::Value;

use super::Room;
use super::effort::{UNROLLED, usual};
use super::integer::{BITS, looks_at_bits};
use super::supported::function_of;

/// What occurs in a specification of which only a part is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Lists, sets or maps.
    collections: bool,
    /// Recursive functions or folds.
    calls: bool,
    /// Operations on the bits of integers.
    bits: bool,
}

impl Limits {
    /// Those of a specification.
    pub(super) fn of(spec: &Spec) -> Limits {
        let nodes = || spec.functions.iter().flat_map(|function| &function.nodes);
        let sorts = spec.streams.iter().map(|stream| &stream.element).chain(nodes().map(|node| &node.sort));
        Limits {
            collections: { sorts }.any(holds_collection),
            calls: nodes().any(|node| matches!(node.kind, NodeKind::Call(..) | NodeKind::Fold { .. })),
            bits: nodes().any(|node| matches!(node.kind, NodeKind::Apply(operator, _) if looks_at_bits(operator))),
        }
    }

    /// Whether everything is looked at.
    pub(super) fn are_none(self) -> bool {
        self == Limits::default()
    }

    /// Whether a run keeps within them.
    pub(super) fn hold(self, run: &Extent, room: Room) -> bool {
        (!self.collections || run.elements <= room.places)
            && (!self.calls || run.depth <= room.depth)
            && (!self.bits || !run.large)
    }

    /// What a claim is limited to, as `, up to 5 elements in each collection`; nothing without limits.
    pub(super) fn describe(self, room: Room) -> String {
        let mut parts = Vec::new();
        if self.collections {
            parts.push(format!("up to {} elements in each collection", room.places));
        }
        if self.calls {
            parts.push(format!("calls up to {} deep", room.depth));
        }
        if self.bits {
            parts.push(format!("operations on bits of numbers of {BITS} bits"));
        }
        parts.join(", ")
    }
}

/// The room as it is asked for, with places for all collections that the specification writes down, and with calls no deeper than can be
/// unrolled with reasonable effort.
pub(super) fn affordable(spec: &Spec, room: Room) -> Room {
    let places = room.places.max(1).max(largest_constant(spec));
    let lifted: Vec<FunctionId> = spec.streams().filter_map(|(id, _)| function_of(spec, id)).collect();
    // What each function costs if its calls go so deep, from none on.
    let mut costs: Vec<usize> = spec.functions.iter().map(|function| function.nodes.len()).collect();
    let mut depth = 0;
    while depth < room.depth {
        let cost = |function: &tessla::core::Function| {
            let calls = function.nodes.iter().map(|node| match node.kind {
                NodeKind::Call(called, _) => costs[called.0 as usize],
                NodeKind::Fold { function, .. } => costs[function.0 as usize].saturating_mul(places),
                _ => 0,
            });
            calls.fold(function.nodes.len(), usize::saturating_add)
        };
        let deeper: Vec<usize> = spec.functions.iter().map(cost).collect();
        let all = lifted.iter().map(|id| deeper[id.0 as usize]).fold(0, usize::saturating_add);
        if depth != 0 && usual(UNROLLED) < all {
            break;
        }
        depth += 1;
        costs = deeper;
    }
    Room { places, depth: depth.max(1) }
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
fn largest_constant(spec: &Spec) -> usize {
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
