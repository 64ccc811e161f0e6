//! Calls: followed where there is a body, modelled where we know the function, inputs elsewhere.

use c::expr::{ExprId, PlaceId};
use c::interp::Fault;
use c::program::{Callee, EdgeId, FunctionId};
use c::types::{Type, TypeId};
use smt::{Op, Term};

use super::{Arrival, Dead, Entry, Machine};
use crate::input::{Behind, Given, Input, InputKind};
use crate::layout::{Cell, partition};
use crate::object::{Object, Offset};
use crate::state::State;
use crate::trace::{PointId, Step};
use crate::value::{ELSEWHERE, NULL, Value};

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
            let Ok(ended) = self.outside(id, function, &given, result, &mut state) else {
                if matches!(callee, Callee::Function(_)) {
                    self.stop_at(&state, function, step.from);
                }
                continue;
            };
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

    /// Where a function of the library is called that is not followed here, runs go on or stop: what they did before counts if a run shows
    /// it.
    fn stop_at(&mut self, state: &State, function: FunctionId, point: PointId) {
        let is_known = c::interp::has_model(&self.program.function(function).name);
        let last = self.trace.cuts.last_mut().filter(|cut| cut.guard == state.guard.term() && cut.undefined.is_none());
        if let Some(cut) = last.filter(|_| is_known && self.quiet.is_none()) {
            cut.begins = true;
            self.trace.stops.push(point);
        }
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
        if value.targets.contains(&ELSEWHERE) {
            let away = self.cells.build.points_to(&value, ELSEWHERE);
            known.push(away);
            self.unsupported(&state, away, "a function outside of the program is called")?;
        }
        let known = self.cells.build.any(&known);
        self.defined(&state, known, Fault::BadCall)?;
        Ok(chosen)
    }

    /// A function without a body: one we know, or one whose result is an input.
    fn outside(
        &mut self,
        edge: EdgeId,
        function: FunctionId,
        arguments: &[Value],
        result: Option<PlaceId>,
        state: &mut State,
    ) -> Result<Ended, Dead> {
        let name = self.program.function(function).name.clone();
        if let Some(what) = c::unsupported(&name) {
            return self.not_followed(state, what);
        }
        let modelled = !self.settings.abstracted.contains(&function);
        self.called = Some(function);
        let known = if name.starts_with("__builtin_va_") {
            Some(self.argument_list(&name, arguments, result, state)?)
        } else if modelled {
            self.library(&name, arguments, result.is_some(), state)?
        } else {
            None
        };
        let value = match known {
            Some(Outcome::Ends) => return Ok(Ended::Exits),
            Some(Outcome::Value(value)) => Some(value),
            Some(Outcome::Nothing) => return Ok(Ended::Returns),
            None => None,
        };
        if value.is_none() && self.program.function(function).noreturn {
            return Ok(Ended::Exits);
        }
        let value = match value {
            Some(value) => value,
            // A result that nobody wants is not an input, unless it has to be counted.
            None if result.is_none() && !self.results_used[function.0 as usize] => return Ok(Ended::Returns),
            None => {
                let Type::Function { result, .. } = self.program.types.kind(self.program.function(function).ty) else {
                    return Ok(Ended::Returns);
                };
                if self.program.types.size(*result).is_none() {
                    return Ok(Ended::Returns);
                }
                self.input(state, InputKind::Result { function, edge }, *result, self.settings.depth)
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
                if matches!(types.kind(target.unqualified()), Type::Function { .. }) {
                    let width = self.cells.pointer_bits;
                    let symbol = self.cells.build.terms.fresh("pointer", &value::Sort::BitVec(width));
                    return (self.given_function(state, symbol, ty), Given::Scalar { symbol, ty });
                }
                let target = if types.size(*target).is_some() { *target } else { TypeId::UCHAR };
                if depth == 0 {
                    // Null, or something that was not built.
                    let choice = self.cells.build.terms.fresh("pointer", &value::Sort::BitVec(1));
                    let zero_bit = self.cells.build.bits(1, 0);
                    let null = self.cells.build.eq(choice, zero_bit);
                    let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
                    let [nowhere, away] =
                        [NULL, ELSEWHERE].map(|object| Value::Pointer(self.cells.build.pointer(object, zero)));
                    return (self.cells.build.choose(null, &nowhere, &away), Given::Deep { choice });
                }
                let count = match types.kind(target) {
                    Type::Record(_) => 1,
                    Type::Pointer(_) => self.settings.elements.min(3),
                    _ => self.settings.elements,
                };
                let behind = self.built(state, target, count, depth - 1);
                let choice = self.cells.build.terms.fresh("pointer", &value::Sort::BitVec(2));
                let mut pick = |number: i128| {
                    let number = self.cells.build.bits(2, number);
                    self.cells.build.eq(choice, number)
                };
                let (null, built) = (pick(0), pick(1));
                let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
                let [nowhere, there, away] = [NULL, behind.object, ELSEWHERE]
                    .map(|object| Value::Pointer(self.cells.build.pointer(object, zero)));
                let value = self.cells.build.choose(built, &there, &away);
                let value = self.cells.build.choose(null, &nowhere, &value);
                (value, Given::Pointer { choice, behind: Box::new(behind) })
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

    /// The pointer to functions that a symbol stands for: null, or one of the functions that fit, which are counted from 1.
    pub(super) fn given_function(&mut self, state: &State, symbol: Term, ty: TypeId) -> Value {
        let functions = self.program.callable(ty);
        let width = self.cells.pointer_bits;
        let zero = self.cells.build.bits(width, 0);
        let nowhere = self.cells.build.pointer(NULL, zero);
        let away = self.cells.build.pointer(ELSEWHERE, zero);
        let null = self.cells.build.eq(symbol, zero);
        let mut value = self.cells.build.choose(null, &Value::Pointer(nowhere), &Value::Pointer(away));
        for (number, function) in (1i128..).zip(&functions) {
            let number = self.cells.build.bits(width, number);
            let here = self.cells.build.eq(symbol, number);
            let pointer = self.cells.build.pointer(self.functions[function], zero);
            value = self.cells.build.choose(here, &Value::Pointer(pointer), &value);
        }
        let last = self.cells.build.bits(width, functions.len() as i128);
        let known = self.cells.build.app(Op::BvUle, &[symbol, last]);
        if self.program.has_stand_in(&functions) {
            // One of them stands for all that are not of the program.
            self.facts.push((known, None));
        } else {
            let unknown = self.cells.build.not(known);
            let _ = self.unsupported(state, unknown, "a pointer to a function is an input");
        }
        value
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
