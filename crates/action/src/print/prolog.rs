//! The Prolog notation.

use std::fmt::Write;

use crate::ast::{
    Argument, ArithmeticOp, Call, Connective, Expr, ExprKind, Initial, Loop, Model, Name, Stmt, TypeKind,
};

pub(super) fn print(model: &Model) -> String {
    let mut text = String::new();
    if let Some(depth) = model.depth {
        let _ = writeln!(text, "searchDepth({depth}).");
    }
    for group in model.variables.chunk_by(|left, right| left.kind.text == right.kind.text) {
        let names: Vec<String> = group.iter().map(|variable| name(&variable.name.text)).collect();
        let _ = writeln!(text, "var([{}], {}).", names.join(", "), name(&group[0].kind.text));
    }
    let all = |each: &dyn Fn(&crate::ast::VariableDeclaration) -> String| {
        model.variables.iter().map(each).collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(text, "state_def([{}]).", all(&|variable| name(&variable.name.text)));
    let _ = writeln!(text, "init([{}]).", all(&|variable| initial(&variable.initial)));
    let _ = writeln!(text, "input([{}]).", labels(&model.inputs));
    for invariant in model.invariants.iter() {
        let condition = expression(&invariant.condition);
        let _ = writeln!(text, "invariant({}, ({condition})).", name(&invariant.name.text));
    }
    if !model.internals.is_empty() {
        let _ = writeln!(text, "internal([{}]).", labels(&model.internals));
    }
    text.push_str("as :- methods(none),\n actions(\n");
    for (index, action) in model.actions.iter().enumerate() {
        let _ = write!(text, "  '{}'", action.name.text);
        if !action.parameters.is_empty() {
            let parameters: Vec<String> = action.parameters.iter().map(|one| name(&one.text)).collect();
            let _ = write!(text, "({})", parameters.join(", "));
        }
        let comma = if index + 1 < model.actions.len() { "," } else { "" };
        let _ = writeln!(text, " :: ({}) => ({}){comma}", expression(&action.guard), statement(&action.body));
    }
    text.push_str(" ),\n");
    if let Some(body) = &model.body {
        let _ = writeln!(text, " dood( {} ),", looped(body, 0));
    }
    text.push_str(" qdes(none).\n");
    for declared in model.types.iter() {
        let called = name(&declared.name.text);
        let _ = match &declared.kind {
            TypeKind::Interval { low, high, labels: value_names } => {
                let names =
                    if value_names.is_empty() { String::new() } else { format!(", names([{}])", labels(value_names)) };
                writeln!(text, "type({called}, X) :- X in {low}..{high}, labeling([],[X]){names}.")
            }
            TypeKind::Array { low, high, element } => {
                writeln!(text, "type({called}, X) :- X in array({low}..{high}, {}).", name(&element.text))
            }
        };
    }
    text
}

fn labels(all: &[Name]) -> String {
    all.iter().map(|one| format!("'{}'", one.text)).collect::<Vec<_>>().join(", ")
}

/// A name, quoted where it would be read as something else.
fn name(text: &str) -> String {
    let plain = !text.is_empty()
        && text.chars().all(|character| character.is_alphanumeric() || character == '_')
        && !text.starts_with(|character: char| character.is_numeric());
    let word = matches!(text, "in" | "mod" | "true" | "false" | "fail" | "skip" | "any" | "methods" | "qdes" | "none");
    if plain && !word { text.to_owned() } else { format!("'{text}'") }
}

fn initial(value: &Initial) -> String {
    match value {
        Initial::Number(number, _) => number.to_string(),
        Initial::Label(label) => name(&label.text),
        Initial::List(items, _) => format!("[{}]", items.iter().map(initial).collect::<Vec<_>>().join(", ")),
    }
}

fn looped(body: &Loop, level: u32) -> String {
    let (own, sign, parts) = match body {
        Loop::Call(called) => return call(called),
        Loop::Choice(parts) => (1, " ; ", parts),
        Loop::Priority(parts) => (2, " // ", parts),
        Loop::Sequence(parts) => (3, ", ", parts),
    };
    let inner = parts.iter().map(|part| looped(part, own + 1)).collect::<Vec<_>>().join(sign);
    if own < level { format!("({inner})") } else { inner }
}

fn call(called: &Call) -> String {
    let mut text = String::new();
    if !called.binders.is_empty() {
        let binder = |(binder, kind): &(Name, Name)| format!("{}:{}", name(&binder.text), name(&kind.text));
        let _ = write!(text, "[{}] : ", called.binders.iter().map(binder).collect::<Vec<_>>().join(", "));
    }
    let _ = write!(text, "'{}'", called.action.text);
    if !called.arguments.is_empty() {
        let argument = |argument: &Argument| match argument {
            Argument::Number(number, _) => number.to_string(),
            Argument::Name(binder) => name(&binder.text),
        };
        let _ = write!(text, "({})", called.arguments.iter().map(argument).collect::<Vec<_>>().join(", "));
    }
    text
}

pub(super) fn statement(root: &Stmt) -> String {
    placed(root, 0)
}

fn placed(root: &Stmt, level: u32) -> String {
    let (own, text) = match root {
        Stmt::Skip(_) => (5, "skip".to_owned()),
        Stmt::Assign { target, index, value } => {
            let index = index.as_ref().map_or(String::new(), |index| format!("[{}]", expression(index)));
            (5, format!("{}{index} := {}", name(&target.text), expression(value)))
        }
        Stmt::Together(parts) => (5, at_once(parts)),
        Stmt::Any { name: local, kind, body } => {
            (5, format!("any({}:{}, ({}))", name(&local.text), name(&kind.text), placed(body, 0)))
        }
        Stmt::Guarded { guard, body } => (4, format!("({}) => ({})", expression(guard), placed(body, 0))),
        Stmt::Choice(parts) => (1, joined(parts, " ; ", 2)),
        Stmt::Priority(parts) => (2, joined(parts, " // ", 3)),
        Stmt::Sequence(parts) => (3, joined(parts, ", ", 4)),
    };
    if own < level { format!("({text})") } else { text }
}

/// `[x, c[1]] := [y, 2]`.
fn at_once(parts: &[Stmt]) -> String {
    let (mut targets, mut values) = (Vec::new(), Vec::new());
    for part in parts {
        if let Stmt::Assign { target, index, value } = part {
            let index = index.as_ref().map_or(String::new(), |index| format!("[{}]", expression(index)));
            targets.push(format!("{}{index}", name(&target.text)));
            values.push(expression(value));
        }
    }
    format!("[{}] := [{}]", targets.join(", "), values.join(", "))
}

fn joined(parts: &[Stmt], sign: &str, level: u32) -> String {
    parts.iter().map(|part| placed(part, level)).collect::<Vec<_>>().join(sign)
}

pub(super) fn expression(root: &Expr) -> String {
    tight(root, 0)
}

fn tight(root: &Expr, level: u32) -> String {
    let (own, text) = match &root.kind {
        ExprKind::Number(number) => (if *number < 0 { 10 } else { 11 }, number.to_string()),
        ExprKind::Name(text) => (11, name(text)),
        ExprKind::Element(array, index) => (11, format!("{}[{}]", name(&array.text), tight(index, 0))),
        ExprKind::Negate(inner) => (10, format!("-({})", tight(inner, 0))),
        ExprKind::Absolute(inner) => (11, format!("abs({})", tight(inner, 0))),
        ExprKind::Arithmetic(operator, left, right) => match operator {
            ArithmeticOp::Minimum | ArithmeticOp::Maximum => {
                (11, format!("{}({}, {})", operator.prolog(), tight(left, 0), tight(right, 0)))
            }
            ArithmeticOp::Add | ArithmeticOp::Subtract => {
                (8, format!("{} {} {}", tight(left, 8), operator.prolog(), tight(right, 9)))
            }
            ArithmeticOp::Multiply | ArithmeticOp::Divide | ArithmeticOp::Modulo => {
                (9, format!("{} {} {}", tight(left, 9), operator.prolog(), tight(right, 10)))
            }
        },
        ExprKind::Truth(truth) => (11, truth.to_string()),
        ExprKind::Not(inner) => (6, format!("#\\ ({})", tight(inner, 0))),
        ExprKind::Compare(comparison, left, right) => {
            (7, format!("{} {} {}", tight(left, 8), comparison.prolog(), tight(right, 8)))
        }
        ExprKind::Connect(connective, parts) => {
            let own = match connective {
                Connective::Iff => 1,
                Connective::Implies | Connective::ImpliedBy => 2,
                Connective::Or => 3,
                Connective::Xor => 4,
                Connective::And => 5,
            };
            let inner = if own <= 2 { 3 } else { own + 1 };
            let between = format!(" {} ", connective.prolog());
            (own, parts.iter().map(|part| tight(part, inner)).collect::<Vec<_>>().join(&between))
        }
    };
    if own < level { format!("({text})") } else { text }
}
