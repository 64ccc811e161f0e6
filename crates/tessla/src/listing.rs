//! The flat core as text: what is left of a specification once macros, closures and modules are gone.

use std::fmt::Write;

use crate::core::{Assertion, Definition, Function, NodeId, NodeKind, Quantor, Spec, StreamId};
use crate::show::Shown;

/// The equations, functions, outputs and assertions, one line each: streams are `s0, s1, ...`, functions `f0, ...`, their parameters `p0, ...`
/// and nodes `n0, ...`.
pub fn listing(spec: &Spec) -> String {
    let mut text = String::new();
    for (id, stream) in spec.streams() {
        let name = stream.name.as_ref().map_or_else(String::new, |name| format!("  # {name}"));
        let _ = writeln!(text, "s{}: Events[{}] = {}{name}", id.0, stream.element, equation(&stream.definition));
    }
    for (number, function) in spec.functions.iter().enumerate() {
        write_function(&mut text, number, function);
    }
    for output in &spec.outputs {
        let name = output.name.as_ref().map_or_else(String::new, |name| format!(" as {name}"));
        let _ = writeln!(text, "out s{}{name}", output.stream.0);
    }
    for Assertion { quantor, stream, .. } in &spec.assertions {
        let quantor = match quantor {
            Quantor::Some => "some",
            Quantor::Empty => "empty",
            Quantor::Exists => "exists",
            Quantor::All => "all",
        };
        let _ = writeln!(text, "assert {quantor} s{}", stream.0);
    }
    text
}

fn streams(ids: &[StreamId]) -> String {
    ids.iter().map(|id| format!("s{}", id.0)).collect::<Vec<_>>().join(", ")
}

fn nodes(ids: &[NodeId]) -> String {
    ids.iter().map(|id| format!("n{}", id.0)).collect::<Vec<_>>().join(", ")
}

fn equation(definition: &Definition) -> String {
    match definition {
        Definition::Input(position) => format!("input {position}"),
        Definition::Nil => "nil".to_owned(),
        Definition::Unit => "unit".to_owned(),
        Definition::Time(of) => format!("time({})", streams(&[*of])),
        Definition::Last { value, trigger } => format!("last({})", streams(&[*value, *trigger])),
        Definition::Delay { delays, resets } => format!("delay({})", streams(&[*delays, *resets])),
        Definition::Merge(of) => format!("merge({})", streams(of)),
        Definition::Lift { arguments, function } => format!("lift({}, f{})", streams(arguments), function.0),
        Definition::SignalLift { arguments, function } => format!("slift({}, f{})", streams(arguments), function.0),
        Definition::DefaultFrom { value, default } => format!("defaultFrom({})", streams(&[*value, *default])),
    }
}

fn write_function(text: &mut String, number: usize, function: &Function) {
    let parameters: Vec<String> =
        function.parameters.iter().enumerate().map(|(position, of)| format!("p{position}: {of}")).collect();
    let name = function.name.as_ref().map_or_else(String::new, |name| format!("  # {name}"));
    let _ = writeln!(text, "f{number}({}): {} = n{}{name}", parameters.join(", "), function.result(), function.root.0);
    for (index, node) in function.nodes.iter().enumerate() {
        let _ = writeln!(text, "  n{index}: {} = {}", node.sort, computed(&node.kind));
    }
}

fn computed(kind: &NodeKind) -> String {
    match kind {
        NodeKind::Constant(value) => Shown(value).to_string(),
        NodeKind::Parameter(position) => format!("p{position}"),
        NodeKind::If { condition, then, otherwise } => {
            format!("if n{} then n{} else n{}", condition.0, then.0, otherwise.0)
        }
        NodeKind::And(left, right) => format!("n{} && n{}", left.0, right.0),
        NodeKind::Or(left, right) => format!("n{} || n{}", left.0, right.0),
        NodeKind::Apply(operator, operands) => format!("{}({})", operator.name(), nodes(operands)),
        NodeKind::Object(members) => format!("object({})", nodes(members)),
        NodeKind::Member(object, name) => format!("n{}.{name}", object.0),
        NodeKind::Call(function, operands) => format!("f{}({})", function.0, nodes(operands)),
        NodeKind::Fold { collection, start, function, captures } => {
            format!("fold({}, f{})", nodes(&[&[*collection, *start], captures.as_slice()].concat()), function.0)
        }
    }
}
