//! Value functions that call themselves: they stay functions in the core.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::codes::UNSUPPORTED;
use crate::core::{FunctionId, NodeId, NodeKind};
use crate::place::Origin;
use crate::typed::{Checked, CheckedBody, CheckedDefinition, Kind, VariableId};
use crate::types::Type;

use super::frame::{Argument, Closure, Frame, NodeRef, Val};
use super::{Context, Expanded, Expander};

/// What is known about recursive functions.
#[derive(Default)]
pub(super) struct Recursive {
    answers: FxHashMap<VariableId, bool>,
    functions: Vec<Instance>,
}

/// A recursive function in given surroundings.
struct Instance {
    key: Key,
    id: FunctionId,
    /// What it uses of surrounding functions, once it is finished.
    captures: Option<Vec<NodeRef>>,
}

#[derive(Clone, PartialEq)]
struct Key {
    variable: VariableId,
    env: *const Frame,
    types: Vec<Type>,
    functions: Vec<*const Closure>,
}

impl Recursive {
    /// Whether a definition calls itself, directly or through others.
    fn is_recursive(&mut self, checked: &Checked, id: VariableId) -> bool {
        if let Some(answer) = self.answers.get(&id) {
            return *answer;
        }
        let mut seen = FxHashSet::default();
        let mut open = mentioned(checked, id);
        let mut answer = false;
        while let Some(next) = open.pop() {
            if next == id {
                answer = true;
                break;
            }
            if seen.insert(next) {
                open.extend(mentioned(checked, next));
            }
        }
        self.answers.insert(id, answer);
        answer
    }
}

/// The variables that a definition mentions.
fn mentioned(checked: &Checked, id: VariableId) -> Vec<VariableId> {
    let mut found = Vec::new();
    if let Some(CheckedBody::Expression(body)) = checked.definition(id).map(|definition| &definition.body) {
        let mut open = vec![body];
        while let Some(expr) = open.pop() {
            match &expr.kind {
                Kind::Variable(id, _) => found.push(*id),
                Kind::Constant(_) | Kind::Wrong => {}
                Kind::Call { function, arguments, .. } => {
                    open.push(function);
                    open.extend(arguments);
                }
                Kind::Operator { arguments, .. } | Kind::Choice { arguments, .. } => open.extend(arguments),
                Kind::Lambda { body, .. } | Kind::Block { body, .. } => open.push(body),
                Kind::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
                Kind::Member(inner, _) | Kind::Convert(inner, _) => open.push(inner),
            }
        }
    }
    found
}

impl Expander<'_> {
    /// A call of a recursive function on values that depend on events. Other calls are left to be expanded.
    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    pub(super) fn recursive_call(
        &mut self,
        id: VariableId,
        definition: &Rc<CheckedDefinition>,
        closure: &Rc<Closure>,
        bindings: &[(u32, Type)],
        arguments: &mut [Argument],
        context: Context,
        origin: Origin,
    ) -> Expanded<Option<Val>> {
        let Some(builder) = context.builder else { return Ok(None) };
        if !self.recursive.is_recursive(self.checked, id) {
            return Ok(None);
        }
        let result = self.resolve_with(&definition.result, bindings.to_vec(), &closure.env);
        if !result.is_value() {
            return Ok(None);
        }
        let mut known = true;
        let mut functions = Vec::new();
        for argument in arguments.iter_mut() {
            let of = self.argument_type(argument);
            let val = self.argument(argument)?;
            match &val {
                Val::Closure(closure) => functions.push(Rc::as_ptr(closure)),
                _ => known &= self.value_of(&val, &of)?.is_some(),
            }
            *argument = Argument::Ready(val, of);
        }
        if known {
            return Ok(None);
        }
        let types = bindings.iter().map(|(_, of)| of.clone()).collect();
        let key = Key { variable: id, env: Rc::as_ptr(&closure.env), types, functions };
        let instance = match self.recursive.functions.iter().position(|instance| instance.key == key) {
            Some(instance) => instance,
            None => self.recursive_function(key, definition, closure, bindings, arguments, context, origin)?,
        };
        let mut operands = Vec::new();
        for argument in arguments.iter() {
            if let Argument::Ready(val, of) = argument
                && of.is_value()
            {
                let (val, of) = (val.clone(), of.clone());
                operands.push(self.node_of(&val, &of, builder, origin)?);
            }
        }
        let id = self.recursive.functions[instance].id;
        match self.recursive.functions[instance].captures.clone() {
            Some(captures) => {
                for outer in captures {
                    operands.push(self.import(builder, outer));
                }
                Ok(Some(self.node(builder, NodeKind::Call(id, operands), result, origin)))
            }
            None => {
                let node = self.raw_node(builder, NodeKind::Call(id, operands), result, origin);
                self.builders[builder].open_calls.push((node, id));
                Ok(Some(Val::Node(NodeRef { builder, node })))
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    fn recursive_function(
        &mut self,
        key: Key,
        definition: &Rc<CheckedDefinition>,
        closure: &Rc<Closure>,
        bindings: &[(u32, Type)],
        arguments: &[Argument],
        context: Context,
        origin: Origin,
    ) -> Expanded<usize> {
        let CheckedBody::Expression(body) = &definition.body else { panic!("built-in functions are not recursive") };
        let name = self.checked.variables[key.variable.0 as usize].name.to_string();
        let id = self.new_function();
        self.recursive.functions.push(Instance { key, id, captures: None });
        let position = self.recursive.functions.len() - 1;
        let parameters: Vec<(VariableId, Type)> = definition
            .parameters
            .iter()
            .flatten()
            .map(|(parameter, of)| (*parameter, self.resolve_with(of, bindings.to_vec(), &closure.env)))
            .collect();
        let types = parameters.iter().map(|(_, of)| of.clone()).filter(Type::is_value).collect();
        let builder = self.new_builder(types);
        let path = self.step(context.path, origin.place, &name);
        let inner = Context { path, builder: Some(builder) };
        let frame = self.frame(Frame::new(definition.owner, Some(closure.env.clone()), bindings.to_vec(), inner));
        let mut next = 0;
        for ((parameter, of), argument) in parameters.iter().zip(arguments) {
            if of.is_value() {
                frame.set(*parameter, self.parameter(builder, next));
                next += 1;
            } else {
                frame.put(*parameter, argument.clone());
            }
        }
        let val = self.evaluate(body, &frame)?;
        let result = self.resolve_with(&definition.result, bindings.to_vec(), &closure.env);
        let root = self.node_of(&val, &result, builder, origin)?;
        self.close_calls(id, builder, origin)?;
        let captures = self.builders[builder].captures.iter().map(|(outer, _)| *outer).collect();
        self.finish_as(id, builder, root, Some(name), true);
        self.recursive.functions[position].captures = Some(captures);
        Ok(position)
    }

    /// Adds what a function uses of its surroundings to the calls made before that was known.
    fn close_calls(&mut self, id: FunctionId, own: usize, origin: Origin) -> Expanded<()> {
        let captures: Vec<NodeRef> = self.builders[own].captures.iter().map(|(outer, _)| *outer).collect();
        for builder in own..self.builders.len() {
            let calls = std::mem::take(&mut self.builders[builder].open_calls);
            let (mine, others): (Vec<(NodeId, FunctionId)>, _) =
                calls.into_iter().partition(|(_, called)| *called == id);
            self.builders[builder].open_calls = others;
            if mine.is_empty() || captures.is_empty() {
                continue;
            }
            if self.builders[builder].finished {
                let message = "functions that call each other may not use values of a function around them";
                return self.stop(&UNSUPPORTED, origin.place, message);
            }
            let extra: Vec<NodeId> = captures.iter().map(|outer| self.import(builder, *outer)).collect();
            for (node, _) in mine {
                if let NodeKind::Call(_, operands) = &mut self.builders[builder].nodes[node.0 as usize].kind {
                    operands.extend(&extra);
                }
            }
        }
        Ok(())
    }
}
