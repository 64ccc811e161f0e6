//! Checks a model: declarations, names, arities, kinds, domains and the range of every expression.

mod range;
mod resolve;
mod revise;
mod scope;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use source::{Diagnostic, Severity, Span};

use crate::ast::{Argument, Call, Expr, Initial, Loop, Model, Name, TypeKind};
use crate::codes;
use crate::native::advice::known_elsewhere;
use crate::patched::Patched;
use crate::spec::{ActionKind, ActionSpec, Actual, Block, Condition, Invocation, Slot, Spec, Variable};
use resolve::Resolver;
use scope::{Scope, unknown};

pub use revise::Revision;

/// The most values of a type.
const LARGEST_TYPE: i128 = 1 << 40;
/// The most cells of an array.
const LARGEST_ARRAY: i128 = 65_536;
/// The most slots of a state.
const LARGEST_STATE: usize = 1 << 20;
/// Numbers lie within plus and minus this.
pub(crate) const LARGEST: i128 = 1 << 62;

/// A checked model and warnings about it, or what is wrong with it.
pub type Checked = Result<(Spec, Vec<Diagnostic>), Vec<Diagnostic>>;

/// Checks a model.
///
/// # Errors
/// What is wrong with it, at least one error.
pub fn check(model: Model) -> Checked {
    let mut checker = Checker::new(&model);
    let spec = checker.spec(&model);
    let mut found = checker.found;
    found.sort_by_key(|diagnostic| (diagnostic.labels[0].span, diagnostic.severity));
    found.dedup();
    match spec {
        Some(parts) if found.iter().all(|diagnostic| diagnostic.severity == Severity::Warning) => {
            let Parts { variables, slots, initial, actions, invariants, body } = parts;
            let (variables, slots, initial) = (variables.into(), slots.into(), initial.into());
            let (depth, body) = (model.depth, Arc::new(body));
            Ok((Spec { depth, variables, slots, initial, actions, invariants: invariants.into(), body, model }, found))
        }
        _ => {
            found.retain(|diagnostic| diagnostic.severity == Severity::Error);
            Err(found)
        }
    }
}

/// The parts of a [`Spec`] besides the model.
struct Parts {
    variables: Vec<Variable>,
    slots: Vec<Slot>,
    initial: Vec<i64>,
    actions: Patched<ActionSpec>,
    invariants: Vec<(String, Condition)>,
    body: Block,
}

struct Checker<'a> {
    scope: Scope<'a>,
    slots: Vec<Slot>,
    found: Vec<Diagnostic>,
}

impl<'a> Checker<'a> {
    fn new(model: &'a Model) -> Checker<'a> {
        let mut checker = Checker { scope: Scope::default(), slots: Vec::new(), found: Vec::new() };
        checker.declare_types(model);
        checker
    }

    fn error(&mut self, code: &'static source::Code, span: Span, message: impl Into<String>) {
        self.found.push(Diagnostic::error(code, span, message));
    }

    fn declare_types(&mut self, model: &'a Model) {
        for declared in model.types.iter() {
            let name = &declared.name;
            if self.scope.types.insert(&name.text, &declared.kind).is_some() {
                self.error(&codes::DUPLICATE_NAME, name.span(), format!("the type `{}` is declared twice", name.text));
            }
            let (low, high, largest) = match &declared.kind {
                TypeKind::Interval { low, high, .. } => (*low, *high, LARGEST_TYPE),
                TypeKind::Array { low, high, .. } => (*low, *high, LARGEST_ARRAY),
            };
            if high < low {
                self.error(&codes::NUMBER, name.span(), format!("`{low}..{high}` holds no number"));
            } else if largest < i128::from(high) - i128::from(low) + 1 {
                self.error(&codes::NUMBER, name.span(), format!("`{low}..{high}` holds more than {largest} numbers"));
            }
            if let TypeKind::Interval { low, high, labels } = &declared.kind {
                if !labels.is_empty() && labels.len() as i128 != i128::from(*high) - i128::from(*low) + 1 {
                    let message = format!("{} names for the values `{low}..{high}`", labels.len());
                    self.error(&codes::ARITY, name.span(), message);
                }
                for (label, value) in labels.iter().zip(*low..) {
                    if self.scope.labels.insert(&label.text, value).is_some() {
                        let message = format!("the value `{}` is declared twice", label.text);
                        self.error(&codes::DUPLICATE_NAME, label.span(), message);
                    }
                }
            }
        }
    }

    /// The interval of a scalar type.
    fn interval(&mut self, name: &Name) -> Option<(i64, i64, Vec<String>)> {
        match self.scope.types.get(name.text.as_str()) {
            Some(TypeKind::Interval { low, high, labels }) => {
                Some((*low, *high, labels.iter().map(|label| label.text.clone()).collect()))
            }
            Some(TypeKind::Array { .. }) => {
                self.error(
                    &codes::KIND,
                    name.span(),
                    format!("`{}` is an array, an interval is needed here", name.text),
                );
                None
            }
            None => {
                let error = unknown("type", name, self.scope.types.keys().copied());
                self.found.push(match known_elsewhere(&name.text) {
                    Some(help) => error.help(help),
                    None => error,
                });
                None
            }
        }
    }

    fn spec(&mut self, model: &'a Model) -> Option<Parts> {
        let (variables, initial) = self.declare_variables(model)?;
        let mut kinds: BTreeMap<&str, ActionKind> = BTreeMap::new();
        let defined: BTreeSet<&str> = model.actions.iter().map(|action| action.name.text.as_str()).collect();
        let groups = [(&model.inputs, ActionKind::Controllable), (&model.internals, ActionKind::Internal)];
        for (names, kind) in groups {
            for name in names.iter() {
                if kinds.insert(&name.text, kind).is_some() {
                    let message = format!("the label `{}` is listed twice", name.text);
                    self.error(&codes::DUPLICATE_NAME, name.span(), message);
                }
                if !defined.contains(name.text.as_str()) {
                    let message = format!("unknown action `{}`", name.text);
                    self.found.push(Diagnostic::warning(&codes::UNUSED, name.span(), message));
                }
            }
        }
        if model.actions.is_empty() {
            self.error(&codes::MISSING, Span::default(), "the model has no action");
        }
        for (index, action) in model.actions.iter().enumerate() {
            if *self.scope.actions.entry(&action.name.text).or_insert(index) != index {
                let message = format!("the action `{}` is defined twice", action.name.text);
                self.error(&codes::DUPLICATE_NAME, action.name.span(), message);
            }
            self.parameters(&action.parameters);
        }
        let mut resolver = Resolver::new(&self.scope);
        let kind = |name: &str| kinds.get(name).copied().unwrap_or(ActionKind::Observable);
        let resolved = model.actions.iter().map(|action| resolver.action(action, kind(&action.name.text)));
        let actions: Vec<Option<Arc<ActionSpec>>> = resolved.map(|action| action.map(Arc::new)).collect();
        let resolved = model.invariants.iter().map(|one| resolver.invariant(one));
        let invariants: Vec<Option<(String, Condition)>> = resolved.collect();
        let found = resolver.found;
        self.found.extend(found);
        for (index, one) in model.invariants.iter().enumerate() {
            if model.invariants[..index].iter().any(|other| other.name.text == one.name.text) {
                let message = format!("a second invariant `{}`", one.name.text);
                self.error(&codes::DUPLICATE_NAME, one.name.span(), message);
            }
        }
        let Some(body) = &model.body else {
            let actions: Vec<&str> = model.actions.iter().map(|action| action.name.text.as_str()).collect();
            let help = format!("It says which actions are repeated: `do {} od`.", actions.join(" [] "));
            let error = Diagnostic::error(&codes::MISSING, Span::default(), "the model has no do-od block");
            self.found.push(error.help(help));
            return None;
        };
        let block = self.block(body, model);
        let called = |block: &Block| block.calls().iter().map(|call| call.action).collect::<BTreeSet<usize>>();
        let called = block.as_ref().map(called);
        for (index, action) in model.actions.iter().enumerate() {
            if called.as_ref().is_some_and(|called| !called.contains(&index)) {
                let message = format!("the action `{}` is never called", action.name.text);
                self.found.push(Diagnostic::warning(&codes::UNUSED, action.name.span(), message));
            }
        }
        let clean = self.found.iter().all(|diagnostic| diagnostic.severity == Severity::Warning);
        if clean {
            let actions = |number: usize| &*model.actions[number];
            self.found.extend(range::ranges(&[&**body], &actions, &self.scope, &self.slots));
            let conditions: Vec<&Expr> = model.invariants.iter().map(|one| &one.condition).collect();
            self.found.extend(range::of_states(&conditions, &self.scope, &self.slots));
        }
        let slots = std::mem::take(&mut self.slots);
        let actions = actions.into_iter().collect::<Option<_>>()?;
        let invariants = invariants.into_iter().collect::<Option<_>>()?;
        Some(Parts { variables, slots, initial, actions, invariants, body: block? })
    }

    fn parameters(&mut self, parameters: &[Name]) {
        for (index, name) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|other| other.text == name.text) {
                let message = format!("the parameter `{}` is declared twice", name.text);
                self.error(&codes::DUPLICATE_NAME, name.span(), message);
            }
            if self.scope.variables.contains_key(name.text.as_str()) {
                let message = format!("the parameter `{}` has the name of a variable", name.text);
                self.error(&codes::DUPLICATE_NAME, name.span(), message);
            }
        }
    }

    fn declare_variables(&mut self, model: &'a Model) -> Option<(Vec<Variable>, Vec<i64>)> {
        let mut variables = Vec::new();
        let mut initial = Vec::new();
        for declared in model.variables.iter() {
            let name = &declared.name;
            if self.scope.variables.contains_key(name.text.as_str()) {
                self.error(
                    &codes::DUPLICATE_NAME,
                    name.span(),
                    format!("the variable `{}` is declared twice", name.text),
                );
                continue;
            }
            if self.scope.labels.contains_key(name.text.as_str()) {
                let message = format!("the variable `{}` has the name of a value", name.text);
                self.error(&codes::DUPLICATE_NAME, name.span(), message);
            }
            let (array, element) = match self.scope.types.get(declared.kind.text.as_str()) {
                Some(TypeKind::Array { low, high, element }) => {
                    let cells = (i128::from(*high) - i128::from(*low) + 1).clamp(1, LARGEST_ARRAY) as usize;
                    (Some((*low, cells)), element)
                }
                Some(TypeKind::Interval { .. }) | None => (None, &declared.kind),
            };
            let Some((low, high, labels)) = self.interval(element) else { continue };
            let count = array.map_or(1, |(_, cells)| cells);
            let first = self.slots.len();
            if LARGEST_STATE < first + count {
                self.error(&codes::NUMBER, name.span(), format!("the state has more than {LARGEST_STATE} cells"));
                return None;
            }
            for cell in 0..count {
                let index = array.map_or(String::new(), |(low, _)| format!("[{}]", low + cell as i64));
                self.slots.push(Slot { name: format!("{}{index}", name.text), low, high, labels: labels.clone() });
            }
            self.initial(&declared.initial, array, (low, high), &mut initial);
            initial.resize(self.slots.len(), low);
            let variable = Variable { name: name.text.clone(), first, array };
            self.scope.variables.insert(&name.text, variable.clone());
            variables.push(variable);
        }
        if model.variables.is_empty() {
            self.error(&codes::MISSING, Span::default(), "the model has no state variable");
            return None;
        }
        Some((variables, initial))
    }

    fn initial(&mut self, value: &Initial, array: Option<(i64, usize)>, domain: (i64, i64), values: &mut Vec<i64>) {
        match (value, array) {
            (Initial::List(items, at), Some((_, cells))) => {
                if items.len() != cells {
                    let message = format!("{} initial values for {cells} cells", items.len());
                    self.error(&codes::ARITY, at.0, message);
                }
                for item in items.iter().take(cells) {
                    self.initial(item, None, domain, values);
                }
            }
            (Initial::List(_, at), None) => self.error(&codes::KIND, at.0, "this variable is not an array"),
            (Initial::Number(number, at), array) => {
                if *number < domain.0 || domain.1 < *number {
                    let message = format!("the initial value {number} is not in `{}..{}`", domain.0, domain.1);
                    self.error(&codes::DOMAIN, at.0, message);
                }
                values.extend(std::iter::repeat_n(*number, array.map_or(1, |(_, cells)| cells)));
            }
            (Initial::Label(name), array) => match self.scope.labels.get(name.text.as_str()) {
                Some(&number) => self.initial(&Initial::Number(number, name.at), array, domain, values),
                None => self.found.push(unknown("value", name, self.scope.labels.keys().copied())),
            },
        }
    }

    fn block(&mut self, body: &Loop, model: &Model) -> Option<Block> {
        let all = |checker: &mut Self, parts: &[Loop]| -> Option<Vec<Block>> {
            let blocks: Vec<Option<Block>> = parts.iter().map(|part| checker.block(part, model)).collect();
            blocks.into_iter().collect()
        };
        Some(match body {
            Loop::Call(call) => Block::Call(self.call(call, model)?),
            Loop::Sequence(parts) => Block::Sequence(all(self, parts)?),
            Loop::Choice(parts) => Block::Choice(all(self, parts)?),
            Loop::Priority(parts) => Block::Priority(all(self, parts)?),
        })
    }

    fn call(&mut self, call: &Call, model: &Model) -> Option<Invocation> {
        let mut binders = Vec::new();
        for (index, (name, kind)) in call.binders.iter().enumerate() {
            if call.binders[..index].iter().any(|(other, _)| other.text == name.text) {
                self.error(
                    &codes::DUPLICATE_NAME,
                    name.span(),
                    format!("the binder `{}` is declared twice", name.text),
                );
            }
            let (low, high, _) = self.interval(kind)?;
            binders.push((low, high));
            let used = |argument: &Argument| matches!(argument, Argument::Name(used) if used.text == name.text);
            if !call.arguments.iter().any(used) {
                let message = format!("the binder `{}` is used by no argument", name.text);
                self.found.push(Diagnostic::warning(&codes::UNUSED, name.span(), message));
            }
        }
        let Some(action) = self.scope.actions.get(call.action.text.as_str()).copied() else {
            let known = model.actions.iter().map(|action| action.name.text.as_str());
            self.found.push(unknown("action", &call.action, known));
            return None;
        };
        let wanted = model.actions[action].parameters.len();
        if call.arguments.len() != wanted {
            let message =
                format!("`{}` has {wanted} parameters, the call {} arguments", call.action.text, call.arguments.len());
            let error = Diagnostic::error(&codes::ARITY, call.action.span(), message);
            self.found.push(error.also(model.actions[action].name.span(), "the action"));
            return None;
        }
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            arguments.push(match argument {
                Argument::Number(number, _) => Actual::Constant(*number),
                Argument::Name(name) => match call.binders.iter().position(|(binder, _)| binder.text == name.text) {
                    Some(binder) => Actual::Binder(binder),
                    None => match self.scope.labels.get(name.text.as_str()) {
                        Some(&value) => Actual::Constant(value),
                        None => {
                            let known = call.binders.iter().map(|(binder, _)| binder.text.as_str());
                            self.found.push(unknown("binder", name, known));
                            return None;
                        }
                    },
                },
            });
        }
        Some(Invocation { action, binders, arguments })
    }
}
