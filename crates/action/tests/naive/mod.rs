//! A plain interpreter straight on the syntax tree, for comparison: no code, no regions, no sharing.

use std::collections::{BTreeMap, BTreeSet};

use action::ast::{
    Action, Argument, ArithmeticOp, Call, Comparison, Connective, Expr, ExprKind, Loop, Model, Stmt, TypeKind,
};
use action::trace::{Event, Label, Step};

type Environment = BTreeMap<String, i64>;

/// A state within a step: the variables and the events so far.
type Way = (Environment, Vec<Event>);

pub(crate) fn steps(model: &Model, state: &[i64]) -> BTreeSet<Step> {
    let names = cells(model);
    let start: Environment = names.iter().map(|(name, _, _)| name.clone()).zip(state.iter().copied()).collect();
    let ways = walk(model, model.body.as_ref().expect("a body"), (start, Vec::new()));
    let inside =
        |(environment, _): &&Way| names.iter().all(|(name, low, high)| (*low..=*high).contains(&environment[name]));
    let step = |(environment, events): &Way| {
        let post = names.iter().map(|(name, _, _)| environment[name]).collect();
        Step { label: Label(events.clone()), post }
    };
    ways.iter().filter(inside).map(step).collect()
}

fn interval(model: &Model, kind: &str) -> (i64, i64) {
    match &model.types.iter().find(|declared| declared.name.text == kind).expect("a type").kind {
        TypeKind::Interval { low, high, .. } => (*low, *high),
        TypeKind::Array { element, .. } => interval(model, &element.text),
    }
}

/// The name and the interval of every cell, in order.
fn cells(model: &Model) -> Vec<(String, i64, i64)> {
    let mut cells = Vec::new();
    for variable in model.variables.iter() {
        let (low, high) = interval(model, &variable.kind.text);
        match &model.types.iter().find(|declared| declared.name.text == variable.kind.text).expect("a type").kind {
            TypeKind::Interval { .. } => cells.push((variable.name.text.clone(), low, high)),
            TypeKind::Array { low: first, high: last, .. } => {
                cells.extend((*first..=*last).map(|index| (format!("{}[{index}]", variable.name.text), low, high)));
            }
        }
    }
    cells
}

fn walk(model: &Model, body: &Loop, way: Way) -> Vec<Way> {
    match body {
        Loop::Call(call) => invoke(model, call, way),
        Loop::Choice(parts) => parts.iter().flat_map(|part| walk(model, part, way.clone())).collect(),
        Loop::Sequence(parts) => {
            parts.iter().fold(vec![way], |ways, part| ways.into_iter().flat_map(|way| walk(model, part, way)).collect())
        }
        Loop::Priority(parts) => {
            parts.iter().map(|part| walk(model, part, way.clone())).find(|ways| !ways.is_empty()).unwrap_or_default()
        }
    }
}

fn invoke(model: &Model, call: &Call, way: Way) -> Vec<Way> {
    let mut choices: Vec<Environment> = vec![Environment::new()];
    for (binder, kind) in &call.binders {
        let (low, high) = interval(model, &kind.text);
        choices = choices
            .into_iter()
            .flat_map(|chosen| (low..=high).map(move |value| (chosen.clone(), value)))
            .map(|(mut chosen, value)| {
                chosen.insert(binder.text.clone(), value);
                chosen
            })
            .collect();
    }
    let action = model.action(&call.action.text).expect("an action");
    choices.into_iter().flat_map(|chosen| happen(model, action, call, &chosen, way.clone())).collect()
}

fn happen(
    model: &Model,
    action: &Action,
    call: &Call,
    chosen: &Environment,
    (mut environment, mut events): Way,
) -> Vec<Way> {
    let argument = |argument: &Argument| match argument {
        Argument::Number(number, _) => *number,
        Argument::Name(name) => chosen[&name.text],
    };
    let arguments: Vec<i64> = call.arguments.iter().map(argument).collect();
    for (parameter, value) in action.parameters.iter().zip(&arguments) {
        environment.insert(parameter.text.clone(), *value);
    }
    if truth(&action.guard, &environment) != Some(true) {
        return Vec::new();
    }
    events.push(Event { action: action.name.text.clone(), arguments });
    let after = execute(model, &action.body, environment);
    after.into_iter().map(|environment| (without(environment, action), events.clone())).collect()
}

fn without(mut environment: Environment, action: &Action) -> Environment {
    action.parameters.iter().for_each(|parameter| {
        environment.remove(&parameter.text);
    });
    environment
}

fn execute(model: &Model, stmt: &Stmt, environment: Environment) -> Vec<Environment> {
    let execute = |stmt: &Stmt, environment: Environment| execute(model, stmt, environment);
    match stmt {
        Stmt::Together(parts) => {
            let mut after = environment.clone();
            for part in parts {
                let Stmt::Assign { target, index, value } = part else { panic!("an assignment") };
                let Some((name, value)) = assigned(&target.text, index.as_ref(), value, &environment) else {
                    return Vec::new();
                };
                after.insert(name, value);
            }
            vec![after]
        }
        Stmt::Any { name, kind, body } => {
            let (low, high) = interval(model, &kind.text);
            let one = |value: i64| {
                let mut inner = environment.clone();
                inner.insert(name.text.clone(), value);
                let mut after = execute(body, inner);
                after.iter_mut().for_each(|environment| {
                    environment.remove(&name.text);
                });
                after
            };
            (low..=high).flat_map(one).collect()
        }
        Stmt::Skip(_) => vec![environment],
        Stmt::Assign { target, index, value } => assign(&target.text, index.as_ref(), value, environment),
        Stmt::Sequence(parts) => parts.iter().fold(vec![environment], |all, part| {
            all.into_iter().flat_map(|environment| execute(part, environment)).collect()
        }),
        Stmt::Choice(parts) => parts.iter().flat_map(|part| execute(part, environment.clone())).collect(),
        Stmt::Priority(parts) => {
            parts.iter().map(|part| execute(part, environment.clone())).find(|all| !all.is_empty()).unwrap_or_default()
        }
        Stmt::Guarded { guard, body } => match truth(guard, &environment) {
            Some(true) => execute(body, environment),
            _ => Vec::new(),
        },
    }
}

fn assigned(target: &str, index: Option<&Expr>, value: &Expr, environment: &Environment) -> Option<(String, i64)> {
    let name = match index {
        None => target.to_owned(),
        Some(index) => format!("{target}[{}]", number(index, environment)?),
    };
    let value = number(value, environment)?;
    environment.contains_key(&name).then_some((name, value))
}

fn assign(target: &str, index: Option<&Expr>, value: &Expr, mut environment: Environment) -> Vec<Environment> {
    match assigned(target, index, value, &environment) {
        Some((name, value)) => {
            environment.insert(name, value);
            vec![environment]
        }
        None => Vec::new(),
    }
}

fn number(expr: &Expr, environment: &Environment) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => Some(*number),
        ExprKind::Name(name) => environment.get(name).copied(),
        ExprKind::Element(name, index) => {
            environment.get(&format!("{}[{}]", name.text, number(index, environment)?)).copied()
        }
        ExprKind::Negate(inner) => number(inner, environment).map(|value| -value),
        ExprKind::Absolute(inner) => number(inner, environment).map(i64::abs),
        ExprKind::Arithmetic(operator, left, right) => {
            let (left, right) = (number(left, environment)?, number(right, environment)?);
            match operator {
                ArithmeticOp::Add => Some(left + right),
                ArithmeticOp::Subtract => Some(left - right),
                ArithmeticOp::Multiply => Some(left * right),
                ArithmeticOp::Divide | ArithmeticOp::Modulo if right == 0 => None,
                // The quotient that leaves a remainder from 0 up to below the size of the divisor.
                ArithmeticOp::Divide => (-1000..=1000).find(|quotient| {
                    let rest = left - quotient * right;
                    0 <= rest && rest < right.abs()
                }),
                ArithmeticOp::Modulo => (0..right.abs()).find(|rest| (left - rest) % right == 0),
                ArithmeticOp::Minimum => Some(if left < right { left } else { right }),
                ArithmeticOp::Maximum => Some(if left < right { right } else { left }),
            }
        }
        _ => panic!("a number"),
    }
}

fn truth(expr: &Expr, environment: &Environment) -> Option<bool> {
    match &expr.kind {
        ExprKind::Truth(truth) => Some(*truth),
        ExprKind::Not(inner) => truth(inner, environment).map(|truth| !truth),
        ExprKind::Compare(comparison, left, right) => {
            let (left, right) = (number(left, environment)?, number(right, environment)?);
            Some(match comparison {
                Comparison::Equal => left == right,
                Comparison::Different => left != right,
                Comparison::Less => left < right,
                Comparison::AtMost => left <= right,
                Comparison::Greater => left > right,
                Comparison::AtLeast => left >= right,
            })
        }
        ExprKind::Connect(connective, parts) => connect(*connective, parts, environment),
        _ => panic!("a condition"),
    }
}

fn connect(connective: Connective, parts: &[Expr], environment: &Environment) -> Option<bool> {
    let left = truth(&parts[0], environment)?;
    match connective {
        Connective::And | Connective::Or => {
            for part in parts {
                if truth(part, environment)? == (connective == Connective::Or) {
                    return Some(connective == Connective::Or);
                }
            }
            Some(connective == Connective::And)
        }
        Connective::Xor => parts[1..].iter().try_fold(left, |odd, part| Some(odd != truth(part, environment)?)),
        Connective::Implies => {
            if left {
                truth(&parts[1], environment)
            } else {
                Some(true)
            }
        }
        Connective::ImpliedBy => {
            if left {
                Some(true)
            } else {
                Some(!truth(&parts[1], environment)?)
            }
        }
        Connective::Iff => Some(left == truth(&parts[1], environment)?),
    }
}

/// The value of a condition in a state; none where it is undefined.
#[allow(dead_code, reason = "not every test that shares this interpreter asks for conditions")]
pub(crate) fn condition(condition: &Expr, names: &[String], state: &[i64]) -> Option<bool> {
    truth(condition, &names.iter().cloned().zip(state.iter().copied()).collect())
}
