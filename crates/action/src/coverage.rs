//! Coverage of a guarded model: its control states, guards, conditions and actions.
//!
//! An *edge* is a guarded command, the guard of an action included; it is taken by a step on a way through it. MC/DC looks at
//! guards where they are evaluated: in the states a test visits, with every argument the actions can have there.

mod observe;

use source::Span;

use crate::ast::{Expr, ExprKind, Stmt};
use crate::spec::Spec;
use crate::{Notation, print_expression};

pub use observe::{Observation, Observer, Walked, holds};

macro_rules! criteria {
    ($($variant:ident $name:literal $words:literal;)*) => {
        /// A criterion on guarded models.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Criterion { $(#[doc = $words] $variant,)* }

        impl Criterion {
            /// Every criterion.
            pub const ALL: &'static [Criterion] = &[$(Criterion::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str { match self { $(Criterion::$variant => $name,)* } }
        }
    };
}

criteria! {
    Action "action" "Every action happens.";
    ActionPair "action-pair" "Every action happens right after every action.";
    Node "node" "The control variable takes every value of its type.";
    Edge "edge" "Every guarded command is taken.";
    EdgeMcdc "edge-mcdc" "Every condition of every guard is shown true and false where it decides the guard (masking MC/DC).";
}

/// Something to be covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// A stable name.
    pub key: String,
    /// What it is, in words.
    pub label: String,
    /// Where it comes from.
    pub span: Option<Span>,
    /// What must be seen.
    pub what: What,
}

/// What must be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// An action.
    Action(usize),
    /// An action right after another.
    Pair(usize, usize),
    /// A value of a slot.
    Node(usize, i64),
    /// A guard on the way of a step.
    Edge(usize),
    /// A condition of a guard with a value, deciding.
    Condition(usize, usize, bool),
}

/// A guard of a model: of an action, or of a guarded command.
#[derive(Clone, Debug)]
pub struct Guard {
    /// Its action.
    pub action: usize,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// The texts of its conditions.
    pub conditions: Vec<String>,
}

/// Every guard of a model: action by action, the action's own first, the others in the order of the text.
pub fn guards(spec: &Spec) -> Vec<Guard> {
    let mut guards = Vec::new();
    for (index, action) in spec.model().actions.iter().enumerate() {
        guards.push(guard(index, &action.guard));
        inner_guards(index, &action.body, &mut guards);
    }
    guards
}

fn inner_guards(action: usize, stmt: &Stmt, guards: &mut Vec<Guard>) {
    match stmt {
        Stmt::Skip(_) | Stmt::Assign { .. } | Stmt::Together(_) => {}
        Stmt::Any { body, .. } => inner_guards(action, body, guards),
        Stmt::Sequence(parts) | Stmt::Choice(parts) | Stmt::Priority(parts) => {
            parts.iter().for_each(|part| inner_guards(action, part, guards));
        }
        Stmt::Guarded { guard: condition, body } => {
            guards.push(guard(action, condition));
            inner_guards(action, body, guards);
        }
    }
}

fn guard(action: usize, expr: &Expr) -> Guard {
    let mut conditions = Vec::new();
    collect_conditions(expr, &mut conditions);
    Guard { action, text: print_expression(expr, Notation::Native), span: expr.span(), conditions }
}

fn collect_conditions(expr: &Expr, conditions: &mut Vec<String>) {
    match &expr.kind {
        ExprKind::Compare(..) => conditions.push(print_expression(expr, Notation::Native)),
        ExprKind::Not(inner) => collect_conditions(inner, conditions),
        ExprKind::Connect(_, parts) => parts.iter().for_each(|part| collect_conditions(part, conditions)),
        ExprKind::Truth(_)
        | ExprKind::Number(_)
        | ExprKind::Name(_)
        | ExprKind::Element(..)
        | ExprKind::Negate(_)
        | ExprKind::Absolute(_)
        | ExprKind::Arithmetic(..) => {}
    }
}

/// What a criterion asks for. The control variable is the slot called `control`, the first one where none is named.
///
/// # Errors
/// When no such variable exists.
pub fn targets(spec: &Spec, criterion: Criterion, control: Option<&str>) -> Result<Vec<Target>, String> {
    let actions = || spec.actions().iter().enumerate();
    Ok(match criterion {
        Criterion::Action => actions()
            .map(|(index, action)| Target {
                key: action.name.clone(),
                label: format!("{} happens", action.name),
                span: Some(spec.model().actions[index].name.span()),
                what: What::Action(index),
            })
            .collect(),
        Criterion::ActionPair => actions()
            .flat_map(|first| actions().map(move |second| (first, second)))
            .map(|((first, one), (second, two))| Target {
                key: format!("{},{}", one.name, two.name),
                label: format!("{} happens right after {}", two.name, one.name),
                span: Some(spec.model().actions[second].name.span()),
                what: What::Pair(first, second),
            })
            .collect(),
        Criterion::Node => nodes(spec, control)?,
        Criterion::Edge => numbered(spec)
            .map(|(index, guard)| Target {
                key: format!("g{}", index + 1),
                label: format!("{}: `{}` is taken", spec.actions()[guard.action].name, guard.text),
                span: Some(guard.span),
                what: What::Edge(index),
            })
            .collect(),
        Criterion::EdgeMcdc => numbered(spec).flat_map(|(index, guard)| conditions(spec, index, &guard)).collect(),
    })
}

fn numbered(spec: &Spec) -> impl Iterator<Item = (usize, Guard)> {
    guards(spec).into_iter().enumerate()
}

fn nodes(spec: &Spec, control: Option<&str>) -> Result<Vec<Target>, String> {
    let wanted = |name: &str| spec.slots().iter().position(|slot| slot.name == name);
    let slot = match control {
        None => 0,
        Some(name) => wanted(name).ok_or_else(|| format!("unknown variable `{name}`"))?,
    };
    let domain = &spec.slots()[slot];
    if 100_000 < domain.high - domain.low {
        return Err(format!("`{}` has too many values to be a control variable", domain.name));
    }
    let target = |value: i64| Target {
        key: format!("{}={}", domain.name, domain.show(value)),
        label: format!("{} is {}", domain.name, domain.show(value)),
        span: None,
        what: What::Node(slot, value),
    };
    Ok((domain.low..=domain.high).map(target).collect())
}

fn conditions(spec: &Spec, index: usize, guard: &Guard) -> Vec<Target> {
    let name = &spec.actions()[guard.action].name;
    let both =
        guard.conditions.iter().enumerate().flat_map(|(place, text)| [(place, text, true), (place, text, false)]);
    both.map(|(place, text, truth)| Target {
        key: format!("g{}.c{}={truth}", index + 1, place + 1),
        label: format!("{name}: `{text}` is {truth} and decides `{}`", guard.text),
        span: Some(guard.span),
        what: What::Condition(index, place, truth),
    })
    .collect()
}
