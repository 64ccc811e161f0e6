//! Calls: followed where there is a body, modelled where we know the function, inputs elsewhere.

use c::expr::{ExprId, PlaceId};
use c::program::{Callee, EdgeId, FunctionId};
use c::types::{Type, TypeId};
use smt::{Op, Term};

use super::{Arrival, Dead, Entry, Home, Machine};
use crate::c::input::{Behind, Given, Input, InputKind};
use crate::c::layout::{Cell, partition};
use crate::c::object::{Object, Offset};
use crate::c::state::State;
use crate::c::trace::Step;
use crate::c::value::{NULL, Value};

impl Machine<'_> {
    /// Takes a call edge.
    pub(super) fn call(
        &mut self,
        id: EdgeId,
        callee: &Callee,
        arguments: &[ExprId],
        result: Option<PlaceId>,
        state: State,
        step: Step,
    ) {
        let Ok(values) = self.operands(&state, arguments) else { return };
        let given: Vec<Value> = arguments.iter().map(|argument| values[argument].clone()).collect();
        let chosen = match callee {
            Callee::Function(function) => vec![(*function, state, step)],
            Callee::Pointer { pointer, .. } => match self.choices(callee, *pointer, state, step) {
                Ok(chosen) => chosen,
                Err(Dead) => return,
            },
        };
        let mut calls = Vec::new();
        for (function, mut state, step) in chosen {
            let step = Step { callee: Some(function), ..step };
            if self.is_followed(function) {
                calls.push(Entry { function, state, arguments: given.clone(), edge: id, step });
                continue;
            }
            let Ok(ended) = self.outside(id, function, arguments, &given, result, &mut state) else { continue };
            match ended {
                Ended::Returns => {
                    self.bear(&mut state, id);
                    self.arrive(self.program.edge(id).to, Arrival { state, step: Some(step) });
                }
                Ended::Exits => {
                    let node = self.program.edge(id).to;
                    let point = self.point(node, &state, vec![step]);
                    self.trace.ends.push(point);
                }
            }
        }
        calls.reverse();
        let activation = self.activations.last_mut().expect("a function is being executed");
        activation.calls.extend(calls);
    }

    /// One state for each function a pointer may point to.
    fn choices(
        &mut self,
        callee: &Callee,
        pointer: ExprId,
        state: State,
        step: Step,
    ) -> Result<Vec<(FunctionId, State, Step)>, Dead> {
        let value = self.evaluate(&state, pointer)?;
        let value = self.as_pointer(&state, &value)?;
        let mut chosen = Vec::new();
        let mut known = Vec::new();
        for function in self.targets(callee) {
            let object = self.functions[&function];
            if !value.targets.contains(&object) {
                continue;
            }
            let here = self.cells.build.points_to(&value, object);
            let Some(guard) = state.guard.with(&mut self.cells, here, Some(step.edge.unwrap_or(EdgeId(0)))) else {
                continue;
            };
            known.push(here);
            let state = State { guard, ..state.clone() };
            chosen.push((function, state, Step { condition: here, ..step }));
        }
        let known = self.cells.build.any(&known);
        self.demand(&state, known)?;
        Ok(chosen)
    }

    /// A function without a body: one we know, or one whose result is an input.
    fn outside(
        &mut self,
        edge: EdgeId,
        function: FunctionId,
        expressions: &[ExprId],
        arguments: &[Value],
        result: Option<PlaceId>,
        state: &mut State,
    ) -> Result<Ended, Dead> {
        let name = self.program.function(function).name.clone();
        let modelled = !self.settings.abstracted.contains(&function);
        let types: Vec<TypeId> = expressions.iter().map(|&expression| self.program.expr(expression).ty).collect();
        let known = if modelled { self.library(&name, &types, arguments, state)? } else { None };
        let value = match known {
            Some(Outcome::Ends) => return Ok(Ended::Exits),
            Some(Outcome::Value(value)) => Some(value),
            Some(Outcome::Nothing) => return Ok(Ended::Returns),
            None => None,
        };
        let value = match value {
            Some(value) => value,
            None => {
                let Type::Function { result, .. } = self.program.types.kind(self.program.function(function).ty) else {
                    return Ok(Ended::Returns);
                };
                if self.program.types.size(*result).is_none() {
                    return Ok(Ended::Returns);
                }
                // Every call is an input, wanted or not: the harness counts calls.
                self.input(state, InputKind::Result { function, edge }, *result, 0)
            }
        };
        match result {
            Some(place) => self.assign(state, place, value).map(|()| Ended::Returns),
            None => Ok(Ended::Returns),
        }
    }

    /// A new input of a type.
    pub(super) fn input(&mut self, state: &mut State, kind: InputKind, ty: TypeId, depth: u32) -> Value {
        let (value, given) = self.given(state, ty, depth);
        self.inputs.push(Input { kind, guard: state.guard.term(), given });
        value
    }

    fn given(&mut self, state: &mut State, ty: TypeId, depth: u32) -> (Value, Given) {
        let types = &self.program.types;
        let ty = ty.unqualified();
        match types.kind(ty) {
            Type::Pointer(target) => {
                let target = if types.size(*target).is_some() { *target } else { TypeId::UCHAR };
                let is_function = matches!(types.kind(target), Type::Function { .. });
                if depth == 0 || is_function {
                    return (self.constant(ty, 0), Given::Null);
                }
                let count = if types.is_record(target) { 1 } else { self.settings.elements };
                let behind = self.built(state, target, count, depth - 1);
                let number = self.inputs.len();
                let bit = self.cells.build.terms.fresh(&format!("present.{number}"), &value::Sort::BitVec(1));
                let one = self.cells.build.bits(1, 1);
                let present = self.cells.build.eq(bit, one);
                let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
                let there = Value::Pointer(self.cells.build.pointer(behind.object, zero));
                let null = Value::Pointer(self.cells.build.pointer(NULL, zero));
                let value = self.cells.build.choose(present, &there, &null);
                (value, Given::Pointer { present: bit, behind: Box::new(behind) })
            }
            Type::Record(_) | Type::Array { .. } => {
                let behind = self.built(state, ty, 1, depth);
                let offset = Offset::at(&mut self.cells, 0);
                let pointer = self.cells.build.pointer(behind.object, offset.term);
                let value = self.load(state, &pointer, offset, ty, None, ty).unwrap_or(Value::Unknown);
                (value, Given::Record(Box::new(behind)))
            }
            _ => {
                let bits = 8 * types.size(ty).unwrap_or(1) as u32;
                let symbol = self.cells.build.terms.fresh("input", &value::Sort::BitVec(bits));
                if matches!(types.kind(ty), Type::Bool) {
                    let one = self.cells.build.bits(8, 1);
                    let fact = self.cells.build.app(Op::BvUle, &[symbol, one]);
                    self.facts.push((fact, None));
                }
                (Value::Bits(symbol), Given::Scalar { symbol, ty })
            }
        }
    }

    /// An object of elements whose numbers are inputs and whose pointers point to objects of their own.
    fn built(&mut self, state: &mut State, element: TypeId, count: u64, depth: u32) -> Behind {
        let types = &self.program.types;
        let size = types.size(element).unwrap_or(1);
        let cells = partition(types, element, count);
        let object = Object::new(&mut self.cells, size * count, cells, false);
        let id = self.allocate(state, object, Some(element));
        let mut pointers = Vec::new();
        for (cell, ty) in pointer_cells(types, element, count) {
            let (value, given) = self.given(state, ty, depth);
            self.change(state, id, |machine, object| {
                let at = Offset::at(&mut machine.cells, cell.offset);
                let always = machine.cells.build.truth(true);
                let (changed, _) = machine.cells.write(id, object, at, cell.size, &value, always);
                *object = changed;
            });
            pointers.push((cell.offset, given));
        }
        Behind { object: id, element, count, pointers }
    }

    /// Whether a value is a pointer to one function, for library functions that take one.
    pub(super) fn only_function(&self, value: &Value) -> Option<FunctionId> {
        let Value::Pointer(pointer) = value else { return None };
        match *pointer.targets {
            [target] => match self.objects[target as usize].home {
                Home::Function(function) => Some(function),
                Home::Nowhere | Home::Global(..) | Home::Frame { .. } | Home::Heap(_) => None,
            },
            _ => None,
        }
    }
}

/// How a call outside the program ends.
enum Ended {
    Returns,
    Exits,
}

/// What a library function does.
pub(super) enum Outcome {
    /// It returns a value.
    Value(Value),
    /// It returns nothing.
    Nothing,
    /// It ends the program.
    Ends,
}

/// The pointers in a row of elements, with their types.
fn pointer_cells(types: &c::types::Types, element: TypeId, count: u64) -> Vec<(Cell, TypeId)> {
    let size = types.size(element).unwrap_or(1);
    let mut found = Vec::new();
    let mut pending: Vec<(TypeId, u64)> = (0..count).rev().map(|at| (element, at * size)).collect();
    while let Some((ty, offset)) = pending.pop() {
        match types.kind(ty) {
            Type::Pointer(_) => {
                found.push((Cell { offset, size: types.size(ty).unwrap_or(8) }, ty));
            }
            Type::Array { element, length: Some(length) } if *length < 4096 => {
                let size = types.size(*element).unwrap_or(1);
                pending.extend((0..*length).rev().map(|at| (*element, offset + at * size)));
            }
            Type::Record(id) if !types.record(*id).union => {
                let fields = types.record(*id).layout.iter().flat_map(|layout| layout.fields.iter().rev());
                pending.extend(fields.map(|field| (field.ty, offset + field.offset)));
            }
            _ => {}
        }
    }
    found
}

impl Machine<'_> {
    /// The constant number of a value.
    pub(super) fn known_number(&self, value: &Value) -> Option<u128> {
        match value {
            Value::Bits(bits) => self.cells.build.constant(*bits),
            _ => None,
        }
    }

    /// Whether a condition holds in all executions of a state, as far as one can see.
    pub(super) fn is_certain(&self, condition: Term) -> bool {
        self.cells.build.is_true(condition)
    }
}
