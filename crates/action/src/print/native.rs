//! The native notation.

use std::fmt::Write;

use crate::ast::{
    Argument, ArithmeticOp, Call, Comparison, Connective, Expr, ExprKind, Initial, Loop, Model, Stmt, TypeKind,
};
use crate::native::is_plain_name;

pub(super) fn print(model: &Model) -> String {
    let mut text = String::new();
    if let Some(depth) = model.depth {
        line(&mut text, &format!("depth {depth};"));
    }
    for declared in model.types.iter() {
        let kind = match &declared.kind {
            TypeKind::Interval { low: 0, labels, .. } if !labels.is_empty() => format!("{{ {} }}", names(labels)),
            TypeKind::Interval { low, high, labels } if labels.is_empty() => format!("{low}..{high}"),
            TypeKind::Interval { low, high, labels } => format!("{low}..{high} {{ {} }}", names(labels)),
            TypeKind::Array { low, high, element } => format!("array {low}..{high} of {}", name(&element.text)),
        };
        line(&mut text, &format!("type {} = {kind};", name(&declared.name.text)));
    }
    for variable in model.variables.iter() {
        let (called, kind) = (name(&variable.name.text), name(&variable.kind.text));
        line(&mut text, &format!("var {called}: {kind} = {};", initial(&variable.initial)));
    }
    for invariant in model.invariants.iter() {
        let condition = expression(&invariant.condition);
        line(&mut text, &format!("invariant {}: {condition};", name(&invariant.name.text)));
    }
    if !model.inputs.is_empty() {
        line(&mut text, &format!("input {};", names(&model.inputs)));
    }
    if !model.internals.is_empty() {
        line(&mut text, &format!("internal {};", names(&model.internals)));
    }
    for action in &model.actions {
        text.push('\n');
        let _ = write!(text, "action {}", name(&action.name.text));
        if !action.parameters.is_empty() {
            let _ = write!(text, "({})", names(&action.parameters));
        }
        if !action.guard.is_true() {
            let _ = write!(text, " when {}", expression(&action.guard));
        }
        text.push(' ');
        block(&mut text, &action.body, Some(0));
        text.push('\n');
    }
    if let Some(body) = &model.body {
        let _ = write!(text, "\ndo\n  {}\nod\n", looped(body, 0));
    }
    text
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

fn name(text: &str) -> String {
    if is_plain_name(text) { text.to_owned() } else { format!("'{text}'") }
}

fn names(all: &[crate::ast::Name]) -> String {
    all.iter().map(|one| name(&one.text)).collect::<Vec<_>>().join(", ")
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
        Loop::Choice(parts) => (1, "[]", parts),
        Loop::Priority(parts) => (2, ">>", parts),
        Loop::Sequence(parts) => (3, ";", parts),
    };
    let between = if level == 0 && own == 1 { "\n  [] ".to_owned() } else { format!(" {sign} ") };
    let inner = parts.iter().map(|part| looped(part, own + 1)).collect::<Vec<_>>().join(&between);
    if own < level { format!("({inner})") } else { inner }
}

fn call(called: &Call) -> String {
    let mut text = name(&called.action.text);
    if !called.arguments.is_empty() {
        let argument = |argument: &Argument| match argument {
            Argument::Number(number, _) => number.to_string(),
            Argument::Name(binder) => name(&binder.text),
        };
        let _ = write!(text, "({})", called.arguments.iter().map(argument).collect::<Vec<_>>().join(", "));
    }
    if !called.binders.is_empty() {
        let binder = |(binder, kind): &(crate::ast::Name, crate::ast::Name)| {
            format!("{}: {}", name(&binder.text), name(&kind.text))
        };
        let _ = write!(text, " for {}", called.binders.iter().map(binder).collect::<Vec<_>>().join(", "));
    }
    text
}

/// A block; on one line where no indentation is given.
fn block(text: &mut String, body: &Stmt, indent: Option<usize>) {
    let parts = match body {
        Stmt::Sequence(parts) => parts.as_slice(),
        Stmt::Skip(_)
        | Stmt::Assign { .. }
        | Stmt::Together(_)
        | Stmt::Any { .. }
        | Stmt::Choice(_)
        | Stmt::Priority(_)
        | Stmt::Guarded { .. } => std::slice::from_ref(body),
    };
    let simple = |part: &Stmt| matches!(part, Stmt::Skip(_) | Stmt::Assign { .. } | Stmt::Together(_));
    let indent = indent.filter(|_| !(parts.iter().all(simple) && parts.len() <= 4));
    text.push('{');
    for (index, part) in parts.iter().enumerate() {
        if 0 < index {
            text.push(';');
        }
        new_line(text, indent.map(|indent| indent + 2));
        match part {
            // A sequence within a sequence keeps its braces.
            Stmt::Sequence(_) => block(text, part, indent.map(|indent| indent + 2)),
            Stmt::Skip(_)
            | Stmt::Assign { .. }
            | Stmt::Together(_)
            | Stmt::Any { .. }
            | Stmt::Choice(_)
            | Stmt::Priority(_)
            | Stmt::Guarded { .. } => {
                statement(text, part, indent.map(|indent| indent + 2));
            }
        }
    }
    new_line(text, indent);
    text.push('}');
}

fn new_line(text: &mut String, indent: Option<usize>) {
    match indent {
        Some(indent) => {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
        }
        None => text.push(' '),
    }
}

pub(super) fn statement(text: &mut String, statement: &Stmt, indent: Option<usize>) {
    match statement {
        Stmt::Skip(_) => text.push_str("skip"),
        Stmt::Assign { .. } => at_once(text, std::slice::from_ref(statement)),
        Stmt::Together(parts) => at_once(text, parts),
        Stmt::Any { name: local, kind, body } => {
            let _ = write!(text, "any {}: {} ", name(&local.text), name(&kind.text));
            match &**body {
                Stmt::Guarded { guard, body } => {
                    let _ = write!(text, "where {} ", expression(guard));
                    block(text, body, indent);
                }
                body => block(text, body, indent),
            }
        }
        Stmt::Guarded { guard, body } => {
            let _ = write!(text, "when {} ", expression(guard));
            block(text, body, indent);
        }
        Stmt::Sequence(_) => block(text, statement, indent),
        Stmt::Choice(parts) => blocks(text, "choose ", " or ", parts, indent),
        Stmt::Priority(parts) => blocks(text, "try ", " else ", parts, indent),
    }
}

/// `x := e`, or `x, c[1] := e, f`.
fn at_once(text: &mut String, parts: &[Stmt]) {
    let (mut targets, mut values) = (Vec::new(), Vec::new());
    for part in parts {
        if let Stmt::Assign { target, index, value } = part {
            let index = index.as_ref().map_or(String::new(), |index| format!("[{}]", expression(index)));
            targets.push(format!("{}{index}", name(&target.text)));
            values.push(expression(value));
        }
    }
    let _ = write!(text, "{} := {}", targets.join(", "), values.join(", "));
}

fn blocks(text: &mut String, first: &str, next: &str, parts: &[Stmt], indent: Option<usize>) {
    for (index, part) in parts.iter().enumerate() {
        text.push_str(if index == 0 { first } else { next });
        block(text, part, indent);
    }
}

pub(super) fn expression(root: &Expr) -> String {
    tight(root, 0)
}

/// An expression in a place where operators bind at least this tightly.
fn tight(root: &Expr, level: u32) -> String {
    let (own, text) = match &root.kind {
        ExprKind::Number(number) => (if *number < 0 { 10 } else { 11 }, number.to_string()),
        ExprKind::Name(text) => (11, name(text)),
        ExprKind::Element(array, index) => (11, format!("{}[{}]", name(&array.text), tight(index, 0))),
        // A number right behind the sign would be read as one word with it.
        ExprKind::Negate(inner) => (10, format!("-({})", tight(inner, 0))),
        ExprKind::Absolute(inner) => (11, format!("abs({})", tight(inner, 0))),
        ExprKind::Arithmetic(operator, left, right) => match operator {
            ArithmeticOp::Minimum | ArithmeticOp::Maximum => {
                (11, format!("{}({}, {})", operator.native(), tight(left, 0), tight(right, 0)))
            }
            ArithmeticOp::Add | ArithmeticOp::Subtract => {
                (8, format!("{} {} {}", tight(left, 8), operator.native(), tight(right, 9)))
            }
            ArithmeticOp::Multiply | ArithmeticOp::Divide | ArithmeticOp::Modulo => {
                (9, format!("{} {} {}", tight(left, 9), operator.native(), tight(right, 10)))
            }
        },
        ExprKind::Truth(truth) => (11, truth.to_string()),
        ExprKind::Not(inner) => (6, format!("not {}", tight(inner, 6))),
        ExprKind::Compare(comparison, left, right) => (7, compare(*comparison, left, right)),
        ExprKind::Connect(connective, parts) => {
            let own = match connective {
                Connective::Iff => 1,
                Connective::Implies | Connective::ImpliedBy => 2,
                Connective::Or => 3,
                Connective::Xor => 4,
                Connective::And => 5,
            };
            let between = format!(" {} ", connective.native());
            // Mixed implications are easily misread: their parts always get parentheses.
            let inner = if own <= 2 { 3 } else { own + 1 };
            (own, parts.iter().map(|part| tight(part, inner)).collect::<Vec<_>>().join(&between))
        }
    };
    if own < level { format!("({text})") } else { text }
}

fn compare(comparison: Comparison, left: &Expr, right: &Expr) -> String {
    format!("{} {} {}", tight(left, 8), comparison.native(), tight(right, 8))
}
