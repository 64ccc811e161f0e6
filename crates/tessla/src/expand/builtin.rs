//! What the standard library asks for by name.

use std::sync::Arc;

use crate::codes::UNSUPPORTED;
use crate::core::{Definition, NodeKind, StreamId};
use crate::operator::Operator;
use crate::place::Origin;
use crate::typed::Choice;
use crate::types::Type;
use crate::value::{Value, ValueMap, ValueSet};

use super::frame::{Argument, Val};
use super::{Context, Expanded, Expander};

impl Expander<'_> {
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: Vec<Argument>,
        result: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        if let Some(operator) = Operator::from_name(name)
            && operator.arity() == arguments.len()
        {
            return self.operate(operator, &arguments, result, context, origin);
        }
        let bare = name.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(name);
        match (bare, arguments.len()) {
            ("true", 0) => Ok(Val::Value(Value::Bool(true))),
            ("false", 0) => Ok(Val::Value(Value::Bool(false))),
            ("None", 0) => Ok(Val::Value(Value::None)),
            ("List_empty", 0) => Ok(Val::Value(Value::List(Arc::default()))),
            ("Set_empty", 0) => Ok(Val::Value(Value::Set(Arc::new(ValueSet::default())))),
            ("Map_empty", 0) => Ok(Val::Value(Value::Map(Arc::new(ValueMap::default())))),
            ("ite" | "staticite", 3) => self.choose(Choice::If, &arguments, result, context, origin),
            ("and", 2) => self.choose(Choice::And, &arguments, result, context, origin),
            ("or", 2) => self.choose(Choice::Or, &arguments, result, context, origin),
            ("List_fold" | "Set_fold" | "Map_fold", 3) => self.fold(&arguments, result, context, origin),
            _ => {
                let element = match result {
                    Type::Events(element) => (*element).clone(),
                    other => other,
                };
                let stream = self.stream_builtin(bare, &arguments, element, context, origin)?;
                Ok(Val::Stream(stream))
            }
        }
    }

    fn stream_builtin(
        &mut self,
        name: &str,
        arguments: &[Argument],
        element: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<StreamId> {
        match (name, arguments) {
            ("nil", []) => Ok(self.nil(element, origin)),
            ("time", [stream]) => {
                let stream = self.stream_argument(stream, origin)?;
                Ok(self.stream(Definition::Time(stream), Type::Int, origin))
            }
            ("last", [value, trigger]) => {
                let value = self.stream_argument(value, origin)?;
                let trigger = self.stream_argument(trigger, origin)?;
                Ok(self.stream(Definition::Last { value, trigger }, element, origin))
            }
            ("delay", [delays, resets]) => {
                let delays = self.stream_argument(delays, origin)?;
                let resets = self.stream_argument(resets, origin)?;
                Ok(self.stream(Definition::Delay { delays, resets }, Type::unit(), origin))
            }
            ("default", [stream, value]) => {
                let of = self.argument_type(value);
                let val = self.argument(value)?;
                let stream = self.stream_argument(stream, origin)?;
                match self.value_of(&val, &of)? {
                    Some(value) => {
                        let constant = self.constant(value, element.clone(), origin);
                        Ok(self.stream(Definition::Merge(vec![stream, constant]), element, origin))
                    }
                    None => self.stop(&UNSUPPORTED, origin.place, "this value is not known before the run"),
                }
            }
            ("defaultFrom", [value, default]) => {
                let value = self.stream_argument(value, origin)?;
                let default = self.stream_argument(default, origin)?;
                Ok(self.stream(Definition::DefaultFrom { value, default }, element, origin))
            }
            ("merge", [_, ..]) => {
                let mut streams = Vec::new();
                for argument in arguments {
                    streams.push(self.stream_argument(argument, origin)?);
                }
                Ok(self.stream(Definition::Merge(streams), element, origin))
            }
            ("lift" | "slift", [streams @ .., function]) if !streams.is_empty() => {
                self.lift(name == "slift", streams, function, element, context, origin)
            }
            _ => {
                let message = format!("unknown built-in `{name}` that takes {} arguments", arguments.len());
                self.stop(&UNSUPPORTED, origin.place, message)
            }
        }
    }

    fn lift(
        &mut self,
        signal: bool,
        streams: &[Argument],
        function: &Argument,
        element: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<StreamId> {
        let callee = self.argument(function)?;
        let mut arguments = Vec::new();
        let mut types = Vec::new();
        let mut places = Vec::new();
        for stream in streams {
            let of = self.element_of(stream);
            places.push(Origin { place: self.argument_place(stream, origin.place), path: context.path });
            types.push(if signal { of } else { Type::option(of) });
            arguments.push(self.stream_argument(stream, origin)?);
        }
        let builder = self.new_builder(types.clone());
        self.place_parameters(builder, &places);
        let operands = types.into_iter().enumerate();
        let operands = operands.map(|(index, of)| Argument::Ready(self.parameter(builder, index), of)).collect();
        let inner = Context { path: context.path, builder: Some(builder) };
        let place = self.argument_place(function, origin.place);
        let call = Origin { place, path: context.path };
        let val = self.apply(&callee, &[], operands, inner, call)?;
        let result = if signal { element.clone() } else { Type::option(element.clone()) };
        let root = self.node_of(&val, &result, builder, origin)?;
        if signal {
            return Ok(self.signal_lift(arguments, builder, root, element, origin));
        }
        let function = self.finish_function(builder, root, None);
        Ok(self.stream(Definition::Lift { arguments, function }, element, origin))
    }

    /// A fold over a collection: computed now if everything is known.
    fn fold(&mut self, arguments: &[Argument], result: Type, context: Context, origin: Origin) -> Expanded<Val> {
        let of = self.argument_type(&arguments[0]);
        let collection = self.argument(&arguments[0])?;
        let start = self.argument(&arguments[1])?;
        let callee = self.argument(&arguments[2])?;
        let elements: Vec<Type> = match &of {
            Type::List(element) | Type::Set(element) => vec![(**element).clone()],
            Type::Map(key, value) => vec![(**key).clone(), (**value).clone()],
            _ => return Err(super::Stop),
        };
        if let Some(items) = self.value_of(&collection, &of)? {
            return self.unrolled(items, start, &callee, &elements, result, context, origin);
        }
        let Some(outer) = context.builder else {
            return self.stop(&UNSUPPORTED, origin.place, "this value is not known before the run");
        };
        let mut types = vec![result.clone()];
        types.extend(elements);
        let builder = self.new_builder(types.clone());
        let operands = types.into_iter().enumerate();
        let operands = operands.map(|(index, of)| Argument::Ready(self.parameter(builder, index), of)).collect();
        let inner = Context { path: context.path, builder: Some(builder) };
        let val = self.apply(&callee, &[], operands, inner, origin)?;
        let root = self.node_of(&val, &result, builder, origin)?;
        let captures: Vec<_> = self.builders[builder].captures.iter().map(|(outer, _)| *outer).collect();
        let function = self.finish_function(builder, root, None);
        let captures = captures.into_iter().map(|from| self.import(outer, from)).collect();
        let collection = self.node_of(&collection, &of, outer, origin)?;
        let start = self.node_of(&start, &result, outer, origin)?;
        let kind = NodeKind::Fold { collection, start, function, captures };
        Ok(self.node(outer, kind, result, origin))
    }

    /// A fold over a collection that is known.
    #[allow(clippy::too_many_arguments, reason = "the parts of one fold")]
    fn unrolled(
        &mut self,
        items: Value,
        start: Val,
        callee: &Val,
        elements: &[Type],
        result: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        let rows: Vec<Vec<Value>> = match items {
            Value::List(items) => items.iter().map(|item| vec![item.clone()]).collect(),
            Value::Set(items) => items.iter().map(|item| vec![item.clone()]).collect(),
            Value::Map(items) => items.iter().map(|(key, value)| vec![key.clone(), value.clone()]).collect(),
            failure => return Ok(Val::Value(failure)),
        };
        let mut accumulator = start;
        for row in rows {
            let mut operands = vec![Argument::Ready(accumulator, result.clone())];
            operands
                .extend(row.into_iter().zip(elements).map(|(item, of)| Argument::Ready(Val::Value(item), of.clone())));
            accumulator = self.apply(callee, &[], operands, context, origin)?;
        }
        Ok(accumulator)
    }
}
