//! Evaluation of expressions during expansion.

use std::rc::Rc;
use std::sync::Arc;

use crate::check::map_type;
use crate::check::resolve_metas;
use crate::codes::{RECURSION, TOO_DEEP, UNSUPPORTED};
use crate::core::{NodeKind, StreamId};
use crate::place::{Origin, Place};
use crate::report::Report;
use crate::typed::{CheckedBody, Choice, Conversion, Kind, Typed, VariableId, VariableKind};
use crate::types::Type;
use crate::value::Value;

use super::frame::{Argument, Closure, Code, Frame, Member, MemberState, Slot, Val, frame_of};
use super::{Context, Expanded, Expander, Placeholder, Reference, Stop};

/// How deeply expansion may nest.
const DEPTH: u32 = 40_000;

impl Expander<'_> {
    pub(super) fn evaluate(&mut self, expr: &Rc<Typed>, env: &Rc<Frame>) -> Expanded<Val> {
        self.depth += 1;
        if self.depth > DEPTH {
            self.depth = 0;
            return self.stop(&TOO_DEEP, expr.place, "macros expand each other too deeply here");
        }
        let val = self.evaluate_inner(expr, env);
        self.depth = self.depth.saturating_sub(1);
        val
    }

    fn evaluate_inner(&mut self, expr: &Rc<Typed>, env: &Rc<Frame>) -> Expanded<Val> {
        let context = env.context;
        let origin = Origin { place: expr.place, path: context.path };
        match &expr.kind {
            Kind::Constant(value) => Ok(Val::Value(value.clone())),
            Kind::Variable(id, generics) => self.variable(*id, generics, expr, env),
            Kind::Lambda { owner, parameters, body } => {
                let code = Code::Lambda { owner: *owner, parameters: parameters.clone(), body: body.clone() };
                Ok(Val::Closure(Rc::new(Closure { code, env: env.clone() })))
            }
            Kind::Block { owner, body } => {
                let frame = self.frame(Frame::new(*owner, Some(env.clone()), Vec::new(), context));
                self.evaluate(body, &frame)
            }
            Kind::Object(members) => {
                let members =
                    members.iter().map(|(name, value)| (name.clone(), Member::waiting(value.clone(), env.clone())));
                Ok(Val::Object(Rc::new(members.collect())))
            }
            Kind::Member(object, name) => self.member_of(object, name, expr, env),
            Kind::Convert(inner, conversion) => {
                let val = self.evaluate(inner, env)?;
                let of = self.resolve(&inner.of, env);
                self.convert(val, conversion, &of, origin)
            }
            Kind::Operator { operator, arguments, lifted } => {
                let result = self.resolve(&expr.of, env);
                let arguments = self.waiting(arguments, env);
                let operator = *operator;
                self.lift_or(lifted, arguments, result, context, origin, |expander, arguments, result, context| {
                    expander.operate(operator, &arguments, result, context, origin)
                })
            }
            Kind::Choice { choice, arguments, lifted } => {
                let result = self.resolve(&expr.of, env);
                let arguments = self.waiting(arguments, env);
                let choice = *choice;
                self.lift_or(lifted, arguments, result, context, origin, |expander, arguments, result, context| {
                    expander.choose(choice, &arguments, result, context, origin)
                })
            }
            Kind::Call { function, generics, arguments, lifted } => {
                let callee = self.evaluate(function, env)?;
                let generics: Vec<Type> = generics.iter().map(|of| self.resolve(of, env)).collect();
                let result = self.resolve(&expr.of, env);
                let arguments = self.waiting(arguments, env);
                self.lift_or(lifted, arguments, result, context, origin, |expander, arguments, _, context| {
                    expander.apply(&callee, &generics, arguments, context, origin)
                })
            }
            Kind::Wrong => Err(Stop),
        }
    }

    fn waiting(&mut self, arguments: &[Rc<Typed>], env: &Rc<Frame>) -> Vec<Argument> {
        arguments.iter().map(|argument| Argument::Waiting(argument.clone(), env.clone())).collect()
    }

    pub(super) fn frame(&mut self, frame: Rc<Frame>) -> Rc<Frame> {
        self.frames.push(frame.clone());
        frame
    }

    pub(super) fn argument(&mut self, argument: &Argument) -> Expanded<Val> {
        match argument {
            Argument::Waiting(expr, env) => self.evaluate(expr, env),
            Argument::Ready(val, _) => Ok(val.clone()),
        }
    }

    pub(super) fn argument_type(&self, argument: &Argument) -> Type {
        match argument {
            Argument::Waiting(expr, env) => self.resolve(&expr.of, env),
            Argument::Ready(_, of) => of.clone(),
        }
    }

    pub(super) fn argument_place(&self, argument: &Argument, otherwise: Place) -> Place {
        match argument {
            Argument::Waiting(expr, _) => expr.place,
            Argument::Ready(..) => otherwise,
        }
    }

    /// A type without parameters and unknowns.
    pub(super) fn resolve(&self, of: &Type, env: &Rc<Frame>) -> Type {
        let known = resolve_metas(&self.checked.metas, of);
        map_type(&known, &|leaf| match leaf {
            Type::Parameter(parameter) => {
                let mut at = Some(env);
                while let Some(frame) = at {
                    if let Some((_, of)) = frame.types.iter().find(|(id, _)| *id == parameter.id) {
                        return Some(of.clone());
                    }
                    at = frame.parent.as_ref();
                }
                Some(Type::unit())
            }
            _ => Some(Type::unit()),
        })
    }

    fn variable(&mut self, id: VariableId, generics: &[Type], expr: &Rc<Typed>, env: &Rc<Frame>) -> Expanded<Val> {
        let variable = &self.checked.variables[id.0 as usize];
        let frame = frame_of(env, variable.owner);
        let VariableKind::Definition(Some(definition)) = &variable.kind else {
            return self.force(&frame, id, expr.place);
        };
        let definition = definition.clone();
        let types: Vec<Type> = generics.iter().map(|of| self.resolve(of, env)).collect();
        if definition.parameters.is_some() {
            let code = Code::Definition(id, definition, types);
            return Ok(Val::Closure(Rc::new(Closure { code, env: frame })));
        }
        if definition.generics.is_empty() {
            return self.force(&frame, id, expr.place);
        }
        let bindings: Vec<(u32, Type)> = definition.generics.iter().map(|generic| generic.id).zip(types).collect();
        let context =
            Context { path: self.step(env.context.path, expr.place, &variable.name), builder: env.context.builder };
        let inner = self.frame(Frame::new(definition.owner, Some(frame), bindings, context));
        match &definition.body {
            CheckedBody::Expression(body) => self.evaluate(body, &inner),
            CheckedBody::Extern(name, _) => {
                let result = self.resolve(&definition.result, &inner);
                let origin = Origin { place: expr.place, path: env.context.path };
                self.builtin(name, Vec::new(), result, env.context, origin)
            }
        }
    }

    pub(super) fn body_place(&self, id: VariableId) -> Place {
        match self.checked.definition(id).map(|definition| &definition.body) {
            Some(CheckedBody::Expression(body)) => body.place,
            Some(CheckedBody::Extern(_, place)) => *place,
            None => Place::default(),
        }
    }

    /// The meaning of a variable of a frame, evaluated when it is first needed.
    pub(super) fn force(&mut self, frame: &Rc<Frame>, id: VariableId, place: Place) -> Expanded<Val> {
        let slot = frame.slots.borrow_mut().remove(&id);
        let (expr, env) = match slot {
            Some(Slot::Done(val)) => {
                frame.set(id, val.clone());
                return Ok(val);
            }
            Some(Slot::Stopped) => {
                frame.slots.borrow_mut().insert(id, Slot::Stopped);
                return Err(Stop);
            }
            Some(Slot::Running { placeholder, body }) => return self.reenter(frame, id, placeholder, body, place),
            Some(Slot::Waiting(expr, env)) => (expr, env),
            None => match self.checked.definition(id).map(|definition| &definition.body) {
                Some(CheckedBody::Expression(body)) => (body.clone(), frame.clone()),
                Some(CheckedBody::Extern(name, _)) => {
                    let name = name.clone();
                    let result = self.checked.definition(id).expect("it is a definition").result.clone();
                    let result = self.resolve(&result, frame);
                    let origin = Origin { place, path: frame.context.path };
                    return self.builtin(&name, Vec::new(), result, frame.context, origin);
                }
                None => return Err(Stop),
            },
        };
        let body = expr.place;
        frame.slots.borrow_mut().insert(id, Slot::Running { placeholder: None, body });
        self.references.push(Reference { frame: Rc::as_ptr(frame), variable: id, place });
        let val = self.evaluate(&expr, &env);
        self.references.pop();
        let running = frame.slots.borrow_mut().remove(&id);
        match (&val, running) {
            (Ok(Val::Stream(stream)), Some(Slot::Running { placeholder: Some(placeholder), .. })) => {
                self.placeholders.get_mut(&placeholder).expect("it was made").target = Some(*stream);
            }
            (Ok(_), Some(Slot::Running { placeholder: Some(_), .. })) => {
                frame.slots.borrow_mut().insert(id, Slot::Stopped);
                return self.stop(
                    &UNSUPPORTED,
                    body,
                    "this definition depends on itself in a way that is not supported",
                );
            }
            _ => {}
        }
        match val {
            Ok(val) => {
                self.name_stream(&val, id);
                frame.set(id, val.clone());
                Ok(val)
            }
            Err(Stop) => {
                frame.slots.borrow_mut().insert(id, Slot::Stopped);
                Err(Stop)
            }
        }
    }

    fn name_stream(&mut self, val: &Val, id: VariableId) {
        let is_definition = self.checked.definition(id).is_some();
        if let (Val::Stream(stream), true) = (val, is_definition) {
            let name = &self.checked.variables[id.0 as usize].name;
            self.streams[stream.0 as usize].name.get_or_insert_with(|| name.to_string());
        }
    }

    /// A variable is needed while it is being evaluated: a stream may be, by what it will be; a value may not.
    fn reenter(
        &mut self,
        frame: &Rc<Frame>,
        id: VariableId,
        placeholder: Option<StreamId>,
        body: Place,
        place: Place,
    ) -> Expanded<Val> {
        let running = |placeholder| Slot::Running { placeholder, body };
        if let Some(stream) = placeholder {
            frame.slots.borrow_mut().insert(id, running(Some(stream)));
            return Ok(Val::Stream(stream));
        }
        let pointer = Rc::as_ptr(frame);
        let start = self.references.iter().position(|reference| reference.frame == pointer && reference.variable == id);
        let inner = &self.references[start.map_or(self.references.len(), |start| start + 1)..];
        let mut references = vec![place];
        references.extend(inner.iter().rev().map(|reference| reference.place));
        let of = self.type_of_running(frame, id);
        let Some(Type::Events(element)) = of else {
            frame.slots.borrow_mut().insert(id, running(None));
            self.report_recursion(body, &references);
            return Err(Stop);
        };
        let origin = Origin { place: body, path: frame.context.path };
        let stream = self.stream(crate::core::Definition::Nil, (*element).clone(), origin);
        frame.slots.borrow_mut().insert(id, running(Some(stream)));
        self.placeholders.insert(stream, Placeholder { target: None, body, references });
        Ok(Val::Stream(stream))
    }

    pub(super) fn report_recursion(&mut self, body: Place, references: &[Place]) {
        let mut report = Report::error(&RECURSION, body, "Infinite recursion detected");
        for reference in references.iter().take(10) {
            report = report.also(self.files, *reference, "called from here");
        }
        self.reports.push(report);
    }

    fn type_of_running(&self, frame: &Rc<Frame>, id: VariableId) -> Option<Type> {
        if let Some(definition) = self.checked.definition(id) {
            return Some(self.resolve(&definition.result, frame));
        }
        match &self.checked.variables[id.0 as usize].kind {
            VariableKind::Parameter(of) => Some(self.resolve(of, frame)),
            VariableKind::Input(..) | VariableKind::Module | VariableKind::Definition(_) => None,
        }
    }

    fn member_of(&mut self, object: &Rc<Typed>, name: &Arc<str>, expr: &Rc<Typed>, env: &Rc<Frame>) -> Expanded<Val> {
        let context = env.context;
        let origin = Origin { place: expr.place, path: context.path };
        let result = self.resolve(&expr.of, env);
        let is_stream = matches!(self.resolve(&object.of, env), Type::Events(_));
        let lifted = if is_stream { vec![true] } else { Vec::new() };
        let arguments = vec![Argument::Waiting(object.clone(), env.clone())];
        self.lift_or(&lifted, arguments, result, context, origin, |expander, arguments, result, context| {
            let val = expander.argument(&arguments[0])?;
            expander.member(val, name, result, context, origin)
        })
    }

    pub(super) fn member(
        &mut self,
        val: Val,
        name: &Arc<str>,
        of: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        match val {
            Val::Object(members) => {
                let Some((_, member)) = members.iter().find(|(member, _)| member == name) else { return Err(Stop) };
                self.force_member(member, origin.place)
            }
            Val::Value(Value::Object(object)) => Ok(Val::Value(object.member(name).cloned().unwrap_or(Value::Unit))),
            Val::Value(failure) => Ok(Val::Value(failure)),
            Val::Node(node) => {
                let builder = context.builder.expect("nodes exist in functions only");
                let object = self.import(builder, node);
                Ok(self.node(builder, NodeKind::Member(object, name.to_string()), of, origin))
            }
            Val::Stream(_) | Val::Closure(_) | Val::Lifted(_) => Err(Stop),
        }
    }

    pub(super) fn force_member(&mut self, member: &Member, place: Place) -> Expanded<Val> {
        let state = std::mem::replace(&mut *member.state.borrow_mut(), MemberState::Running);
        let val = match state {
            MemberState::Done(val) => val,
            MemberState::Running => {
                self.report_recursion(place, &[place]);
                return Err(Stop);
            }
            MemberState::Waiting(expr, env) => self.evaluate(&expr, &env)?,
        };
        *member.state.borrow_mut() = MemberState::Done(val.clone());
        Ok(val)
    }

    fn convert(&mut self, val: Val, conversion: &Conversion, of: &Type, origin: Origin) -> Expanded<Val> {
        match conversion {
            Conversion::Keep => Ok(val),
            Conversion::ToStream => match self.value_of(&val, of)? {
                Some(value) => Ok(Val::Stream(self.constant(value, of.clone(), origin))),
                None => self.stop(&UNSUPPORTED, origin.place, "this value is not known before the run"),
            },
            Conversion::Lift => match val {
                Val::Closure(closure) => Ok(Val::Lifted(closure)),
                other => Ok(other),
            },
            Conversion::Members(members) => {
                let Type::Object(object) = of else { return Err(Stop) };
                let mut converted = Vec::new();
                for (name, conversion) in members {
                    let inner = object.member(name).cloned().unwrap_or(Type::Wrong);
                    let member = self.member(
                        val.clone(),
                        name,
                        inner.clone(),
                        Context { path: origin.path, builder: None },
                        origin,
                    )?;
                    converted.push((name.clone(), Member::done(self.convert(member, conversion, &inner, origin)?)));
                }
                Ok(Val::Object(Rc::new(converted)))
            }
        }
    }

    /// A conditional or connective on values.
    pub(super) fn choose(
        &mut self,
        choice: Choice,
        arguments: &[Argument],
        of: Type,
        context: Context,
        origin: Origin,
    ) -> Expanded<Val> {
        let condition = self.argument(&arguments[0])?;
        let node = match condition {
            Val::Value(Value::Bool(known)) => {
                return match (choice, known) {
                    (Choice::If, true) | (Choice::And, true) | (Choice::Or, false) => self.argument(&arguments[1]),
                    (Choice::If, false) => self.argument(&arguments[2]),
                    (Choice::And, false) | (Choice::Or, true) => Ok(Val::Value(Value::Bool(known))),
                };
            }
            Val::Node(node) => node,
            Val::Value(failure) => return Ok(Val::Value(failure)),
            Val::Stream(_) | Val::Object(_) | Val::Closure(_) | Val::Lifted(_) => return Err(Stop),
        };
        let builder = context.builder.expect("nodes exist in functions only");
        if !of.is_value() {
            let place = origin.place;
            return self.stop(
                &UNSUPPORTED,
                place,
                "the condition must be known before the run when the branches are not values",
            );
        }
        let condition = self.import(builder, node);
        let mut operands = vec![condition];
        for argument in &arguments[1..] {
            let val = self.argument(argument)?;
            operands.push(self.node_of(&val, &of, builder, origin)?);
        }
        let kind = match choice {
            Choice::If => NodeKind::If { condition, then: operands[1], otherwise: operands[2] },
            Choice::And => NodeKind::And(condition, operands[1]),
            Choice::Or => NodeKind::Or(condition, operands[1]),
        };
        Ok(self.node(builder, kind, of, origin))
    }
}
