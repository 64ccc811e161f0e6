//! Lifting: functions on values applied to streams.

use crate::core::{Definition, NodeId, StreamId};
use crate::place::Origin;
use crate::types::Type;

use super::frame::{Argument, Val};
use super::{Context, Expanded, Expander};

impl Expander<'_> {
    /// Applies an operation to values, or lifts it where some arguments are streams: what is known before the run becomes part
    /// of the function.
    pub(super) fn lift_or(
        &mut self,
        lifted: &[bool],
        arguments: Vec<Argument>,
        result: Type,
        context: Context,
        origin: Origin,
        operation: impl FnOnce(&mut Self, Vec<Argument>, Type, Context) -> Expanded<Val>,
    ) -> Expanded<Val> {
        if lifted.is_empty() {
            return operation(self, arguments, result, context);
        }
        let element = match result {
            Type::Events(element) => (*element).clone(),
            other => other,
        };
        let mut streams = Vec::new();
        let mut types = Vec::new();
        let mut places = Vec::new();
        for (argument, _) in arguments.iter().zip(lifted).filter(|(_, lifted)| **lifted) {
            let stream = self.stream_argument(argument, origin)?;
            types.push(self.element_of(argument));
            places.push(Origin { place: self.argument_place(argument, origin.place), path: context.path });
            streams.push(stream);
        }
        let builder = self.new_builder(types.clone());
        self.place_parameters(builder, &places);
        let mut next = 0;
        let mut operands = Vec::new();
        for (argument, lifted) in arguments.into_iter().zip(lifted) {
            if *lifted {
                operands.push(Argument::Ready(self.parameter(builder, next), types[next].clone()));
                next += 1;
            } else {
                operands.push(argument);
            }
        }
        let inner = Context { path: context.path, builder: Some(builder) };
        let val = operation(self, operands, element.clone(), inner)?;
        let root = self.node_of(&val, &element, builder, origin)?;
        Ok(Val::Stream(self.signal_lift(streams, builder, root, element, origin)))
    }

    pub(super) fn signal_lift(
        &mut self,
        arguments: Vec<StreamId>,
        builder: usize,
        root: NodeId,
        element: Type,
        origin: Origin,
    ) -> StreamId {
        let function = self.finish_function(builder, root, None);
        self.stream(Definition::SignalLift { arguments, function }, element, origin)
    }

    pub(super) fn stream_argument(&mut self, argument: &Argument, origin: Origin) -> Expanded<StreamId> {
        match self.argument(argument)? {
            Val::Stream(stream) => Ok(stream),
            Val::Value(_) | Val::Node(_) | Val::Object(_) | Val::Closure(_) | Val::Lifted(_) => {
                let place = self.argument_place(argument, origin.place);
                self.stop(&crate::codes::UNSUPPORTED, place, "this expression does not expand to a stream")
            }
        }
    }

    pub(super) fn element_of(&self, argument: &Argument) -> Type {
        match self.argument_type(argument) {
            Type::Events(element) => (*element).clone(),
            other => other,
        }
    }
}
