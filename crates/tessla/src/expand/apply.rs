//! Calls.

use std::rc::Rc;

use crate::check::resolve_metas;
use crate::core::CallResult;
use crate::place::Origin;
use crate::typed::{CheckedBody, CheckedDefinition, VariableId};
use crate::types::Type;

use super::frame::{Argument, Closure, Code, Frame, Val};
use super::{Context, Expanded, Expander, Stop};

impl Expander<'_> {
    /// Calls a function.
    pub(super) fn apply(
        &mut self,
        callee: &Val,
        generics: &[Type],
        arguments: Vec<Argument>,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        match callee {
            Val::Closure(closure) => self.apply_closure(closure, generics, arguments, context, origin),
            Val::Lifted(closure) => {
                let lifted: Vec<bool> =
                    arguments.iter().map(|argument| matches!(self.argument_type(argument), Type::Events(_))).collect();
                let result = self.lifted_result(closure, &arguments);
                self.lift_or(&lifted, arguments, result, context, origin, |expander, arguments, _, context| {
                    expander.apply_closure(closure, &[], arguments, context, origin)
                })
            }
            Val::Value(_) | Val::Node(_) | Val::Stream(_) | Val::Object(_) => Err(Stop),
        }
    }

    /// The type of the result of a liftable function that is applied to streams.
    fn lifted_result(&self, closure: &Closure, arguments: &[Argument]) -> Type {
        match &closure.code {
            Code::Definition(_, definition, generics) => {
                let element = |argument: &Argument| match self.argument_type(argument) {
                    Type::Events(element) => (*element).clone(),
                    other => other,
                };
                let types: Vec<Type> = arguments.iter().map(element).collect();
                let bindings = self.bindings(definition, generics, &types);
                self.resolve_with(&definition.result, bindings, &closure.env)
            }
            Code::Lambda { body, .. } => self.resolve(&body.of, &closure.env),
        }
    }

    pub(super) fn apply_closure(
        &mut self,
        closure: &Rc<Closure>,
        generics: &[Type],
        arguments: Vec<Argument>,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        match &closure.code {
            Code::Lambda { owner, parameters, body } => {
                let path = self.step(context.path, origin.place, "=>");
                let inner = Context { path, builder: context.builder };
                let frame = self.frame(Frame::new(*owner, Some(closure.env.clone()), Vec::new(), inner));
                for ((id, _), argument) in parameters.iter().zip(arguments) {
                    frame.put(*id, argument);
                }
                self.evaluate(body, &frame)
            }
            Code::Definition(id, definition, known) => {
                let types: Vec<Type> = arguments.iter().map(|argument| self.argument_type(argument)).collect();
                let generics = if known.is_empty() { generics } else { known };
                let bindings = self.bindings(definition, generics, &types);
                self.apply_definition(*id, definition, closure, bindings, arguments, context, origin)
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one call")]
    fn apply_definition(
        &mut self,
        id: VariableId,
        definition: &Rc<CheckedDefinition>,
        closure: &Rc<Closure>,
        bindings: Vec<(u32, Type)>,
        mut arguments: Vec<Argument>,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        match &definition.body {
            CheckedBody::Extern(name, _) => {
                let result = self.resolve_with(&definition.result, bindings, &closure.env);
                self.builtin(name, arguments, result, context, origin)
            }
            CheckedBody::Expression(body) => {
                if let Some(val) =
                    self.recursive_call(id, definition, closure, &bindings, &mut arguments, context, origin)?
                {
                    return Ok(val);
                }
                let name = self.checked.variables[id.0 as usize].name.clone();
                let path = self.step(context.path, origin.place, &name);
                let inner = Context { path, builder: context.builder };
                let frame = self.frame(Frame::new(definition.owner, Some(closure.env.clone()), bindings, inner));
                for ((parameter, _), argument) in definition.parameters.iter().flatten().zip(arguments) {
                    frame.put(*parameter, argument);
                }
                let result = self.evaluate(body, &frame)?;
                if let Val::Stream(stream) = result
                    && !self.files.is_library(origin.place.file)
                {
                    let call = Origin { place: origin.place, path: context.path };
                    self.results.push(CallResult { stream, call });
                }
                Ok(result)
            }
        }
    }

    /// The types of a definition's type parameters: those given, or those that the arguments show.
    pub(super) fn bindings(
        &self,
        definition: &CheckedDefinition,
        given: &[Type],
        arguments: &[Type],
    ) -> Vec<(u32, Type)> {
        if given.len() == definition.generics.len() {
            return definition.generics.iter().map(|generic| generic.id).zip(given.iter().cloned()).collect();
        }
        let mut bindings = Vec::new();
        for ((_, parameter), argument) in definition.parameters.iter().flatten().zip(arguments) {
            let parameter = resolve_metas(&self.checked.metas, parameter);
            show(&parameter, argument, &mut bindings);
        }
        let own = |id: u32| definition.generics.iter().any(|generic| generic.id == id);
        bindings.retain(|(id, _)| own(*id));
        bindings
    }

    pub(super) fn resolve_with(&self, of: &Type, bindings: Vec<(u32, Type)>, env: &Rc<Frame>) -> Type {
        let frame = Frame::new(env.owner, Some(env.clone()), bindings, env.context);
        self.resolve(of, &frame)
    }
}

/// What an argument's type shows about the type parameters in a parameter's type.
fn show(parameter: &Type, argument: &Type, bindings: &mut Vec<(u32, Type)>) {
    match (parameter, argument) {
        (Type::Parameter(own), _) if !bindings.iter().any(|(id, _)| *id == own.id) => {
            bindings.push((own.id, argument.clone()));
        }
        (Type::Option(one), Type::Option(other))
        | (Type::List(one), Type::List(other))
        | (Type::Set(one), Type::Set(other))
        | (Type::Events(one), Type::Events(other)) => show(one, other, bindings),
        (Type::Events(one), other) => show(one, other, bindings),
        (Type::Map(key, value), Type::Map(other_key, other_value)) => {
            show(key, other_key, bindings);
            show(value, other_value, bindings);
        }
        (Type::Object(one), Type::Object(other)) => {
            for (name, of) in &one.members {
                if let Some(found) = other.member(name) {
                    show(of, found, bindings);
                }
            }
        }
        (Type::Function(one), Type::Function(other)) => {
            for (of, found) in one.parameters.iter().zip(&other.parameters) {
                show(of, found, bindings);
            }
            show(&one.result, &other.result, bindings);
        }
        (Type::Opaque(_, ones), Type::Opaque(_, others)) => {
            for (of, found) in ones.iter().zip(others) {
                show(of, found, bindings);
            }
        }
        _ => {}
    }
}
