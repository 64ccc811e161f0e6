//! The state of a run and the loop that drives it.

use super::code::{AtNode, Code, Instruction, Location, Scalar};
use super::memory::{Kind, Memory, ObjectId};
use super::{Blind, Ending, Fault, InputRecord, InputValue, Inputs, Limit, Observer, Origin, Outcome, Settings};
use crate::lower::Predicate;
use crate::program::{EdgeId, FunctionId, NodeId, Program, VariableId};
use crate::types::TypeId;

/// Why a run stops.
#[derive(Debug)]
pub(super) enum Stop {
    Fault(Fault),
    Ending(Ending),
    /// Control goes back to where `setjmp` was called.
    Jump {
        to: super::jump::Saved,
        value: i128,
    },
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

impl From<Limit> for Stop {
    fn from(limit: Limit) -> Stop {
        Stop::Ending(Ending::GivenUp(limit))
    }
}

pub(super) type Run<T> = Result<T, Stop>;

/// A value that a function returns.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Nothing,
    Scalar(i128),
    Bytes(Vec<u8>, Vec<bool>),
}

/// An argument behind the declared parameters.
#[derive(Clone, Debug)]
pub(super) struct Extra {
    pub value: Value,
    pub scalar: Scalar,
}

/// Where the variables of an activation are. Whoever reads, writes or begins local variables says for which activation: while a
/// call is made there are two, and none of them is "the last one".
#[derive(Clone, Copy, Debug)]
pub(super) struct Here {
    pub function: FunctionId,
    /// The first register.
    pub base: usize,
    /// The first memory object, among `frame_objects`.
    pub objects: usize,
    /// How many activations wait for this one.
    pub depth: usize,
}

impl Here {
    /// No activation, for initial values of static storage, which read no local variable.
    pub(super) const OUTSIDE: Here =
        Here { function: FunctionId(0), base: usize::MAX, objects: usize::MAX, depth: usize::MAX };

    /// Whether this is the activation that the run begins with.
    pub(super) fn is_first(self) -> bool {
        self.depth == 0
    }
}

#[derive(Debug)]
pub(super) struct Frame {
    pub here: Here,
    /// The call it was entered by.
    pub call: Option<EdgeId>,
    /// The arguments behind the declared parameters.
    pub extra: Vec<Extra>,
    /// The number of the activation, counted from 1 through the run.
    pub number: u64,
}

/// The state of a run.
pub struct Machine<'m> {
    pub(super) program: &'m Program,
    pub(super) code: &'m Code,
    pub(super) settings: &'m Settings,
    pub(super) inputs: &'m mut dyn Inputs,
    pub(super) memory: Memory,
    pub(super) stack: Vec<i128>,
    pub(super) slots: Vec<i128>,
    pub(super) known: Vec<bool>,
    pub(super) frames: Vec<Frame>,
    pub(super) frame_objects: Vec<ObjectId>,
    pub(super) statics: Vec<ObjectId>,
    pub(super) result: Value,
    pub(super) edge: EdgeId,
    pub(super) steps: u64,
    pub(super) output: Vec<u8>,
    pub(super) records: Vec<InputRecord>,
    pub(super) errno: Option<ObjectId>,
    pub(super) heap_count: u32,
    /// The memory objects of the first activation: its parameters are inputs.
    entry_objects: std::ops::Range<u32>,
    /// The activations so far.
    activations: u64,
    /// The function that was called last.
    pub(super) called: FunctionId,
    /// The operands of the last operator of two operands.
    pub(super) compared: (i128, i128),
    /// The condition of the last branch.
    pub(super) tested: i128,
    /// The first undefined behaviour that the run went on behind.
    pub(super) undefined: Option<(Fault, EdgeId)>,
    /// The call of the entry function that is running, from 0.
    pub(super) round: u32,
    /// The places that `setjmp` saved.
    pub(super) saved: Vec<super::jump::Saved>,
    /// What is remembered of a run that is watched.
    pub(super) watch: Option<super::effects::Watch>,
}

/// Whether a call was made that ends the program. An assertion that fails is not passed.
fn is_end(instruction: &Instruction, stop: &Stop) -> bool {
    match stop {
        Stop::Ending(Ending::Exited(_) | Ending::Aborted | Ending::Stopped { .. }) => true,
        Stop::Ending(Ending::AssertionFailed(_)) => matches!(instruction, Instruction::Call { .. }),
        Stop::Ending(_) | Stop::Fault(_) | Stop::Jump { .. } => false,
    }
}

impl std::fmt::Debug for Machine<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Machine").field("steps", &self.steps).field("edge", &self.edge).finish_non_exhaustive()
    }
}

impl<'m> Machine<'m> {
    pub(super) fn new(
        program: &'m Program,
        code: &'m Code,
        settings: &'m Settings,
        inputs: &'m mut dyn Inputs,
    ) -> Machine<'m> {
        let model = program.types.model();
        Machine {
            program,
            code,
            settings,
            inputs,
            memory: Memory::new(model.pointer, settings.memory, model.big_endian),
            stack: Vec::new(),
            slots: Vec::new(),
            known: Vec::new(),
            frames: Vec::new(),
            frame_objects: Vec::new(),
            statics: Vec::new(),
            result: Value::Nothing,
            edge: EdgeId(0),
            steps: 0,
            output: Vec::new(),
            records: Vec::new(),
            errno: None,
            heap_count: 0,
            entry_objects: 0..0,
            activations: 0,
            called: FunctionId(0),
            compared: (0, 0),
            tested: 0,
            undefined: None,
            round: 0,
            saved: Vec::new(),
            watch: None,
        }
    }

    /// Runs the entry function and says what its caller sees of that.
    pub(super) fn watched<O: Observer>(&mut self, entry: FunctionId, observer: &mut O) -> (Outcome, super::Effects) {
        self.watch = Some(super::effects::Watch::default());
        let ending = self.ended(entry, observer);
        let effects = self.effects(matches!(ending, Ending::Returned(_)).then_some(entry));
        (self.outcome(ending), effects)
    }

    pub(super) fn run<O: Observer>(&mut self, entry: FunctionId, observer: &mut O) -> Outcome {
        let ending = self.ended(entry, observer);
        self.outcome(ending)
    }

    fn ended<O: Observer>(&mut self, entry: FunctionId, observer: &mut O) -> Ending {
        let calls = self.inputs.calls().map(|calls| calls.max(1));
        if let Some(calls) = calls.filter(|calls| 1 < *calls) {
            let value = InputValue::Integer(calls.into());
            let (name, ty) = (super::CALLS.to_owned(), TypeId::INT);
            self.records.push(InputRecord { name, ty, origin: Origin::Calls, value, call: 0 });
        }
        let calls = calls.unwrap_or(self.settings.rounds);
        let mut ended = self.begin(entry).and_then(|(at, here)| {
            if self.watch.is_some() {
                self.remember_statics();
            }
            observer.begun(self);
            self.drive(at, here, observer)
        });
        while ended.is_ok() && self.round + 1 < calls {
            self.round += 1;
            self.result = Value::Nothing;
            ended = self.enter_entry(entry).and_then(|(at, here)| {
                observer.begun_again(self);
                self.drive(at, here, observer)
            });
        }
        match ended {
            Ok(()) => Ending::Returned(self.returned_value(entry)),
            Err(Stop::Ending(ending)) => ending,
            Err(Stop::Jump { .. }) => {
                Ending::Unsupported { what: "a jump out of a predicate".to_owned(), edge: self.edge }
            }
            Err(Stop::Fault(fault @ Fault::UnknownSize)) => {
                Ending::Unsupported { what: fault.text().to_owned(), edge: self.edge }
            }
            Err(Stop::Fault(fault)) => Ending::Undefined { fault, edge: self.edge },
        }
    }

    fn outcome(&mut self, ending: Ending) -> Outcome {
        Outcome {
            ending,
            output: std::mem::take(&mut self.output),
            steps: self.steps,
            undefined: self.undefined,
            inputs: std::mem::take(&mut self.records),
        }
    }

    fn returned_value(&self, entry: FunctionId) -> Option<InputValue> {
        let entered = self.code.functions[entry.0 as usize].as_ref()?;
        match (&self.result, entered.result?) {
            (Value::Scalar(value), Scalar::Float | Scalar::Double) => {
                Some(InputValue::Float(super::arithmetic::number(*value)))
            }
            (Value::Scalar(value), Scalar::Extended(_)) => {
                Some(InputValue::Float(crate::extended::to_double(*value as u128)))
            }
            (Value::Scalar(0), Scalar::Pointer(_)) => Some(InputValue::Null),
            (Value::Scalar(_), Scalar::Pointer(_)) => Some(InputValue::Object(1)),
            (Value::Scalar(value), _) => Some(InputValue::Integer(*value)),
            (Value::Nothing, _) if entered.is_main => Some(InputValue::Integer(0)),
            (Value::Nothing | Value::Bytes(..), _) => None,
        }
    }

    /// Sets up static objects and enters the entry function with parameters that are inputs.
    fn begin(&mut self, entry: FunctionId) -> Run<(NodeId, Here)> {
        for object in &self.code.statics {
            let id = self.memory.allocate(object.size, Kind::Variable(object.variable), object.known)?;
            self.statics.push(id);
        }
        for index in 0..self.code.statics.len() {
            let items = &self.code.statics[index].items;
            if !items.is_empty() {
                let address = self.memory.address(self.statics[index]);
                self.store_items(address, items)?;
            }
        }
        for (index, object) in self.code.statics.iter().enumerate() {
            let id = self.statics[index];
            self.memory.objects[id.0 as usize].constant = object.constant;
            let ty = self.program.variable(object.variable).ty;
            self.memory.objects[id.0 as usize].endless = self.program.types.size(ty).is_none();
        }
        self.enter_entry(entry)
    }

    /// Enters the entry function with parameters that are inputs.
    fn enter_entry(&mut self, entry: FunctionId) -> Run<(NodeId, Here)> {
        let Some(entered) = &self.code.functions[entry.0 as usize] else {
            let what = format!("the function `{}` has no body", self.program.function(entry).name);
            return Err(Stop::Ending(Ending::Unsupported { what, edge: EdgeId(0) }));
        };
        let start = self.memory.objects.len() as u32;
        let here = self.push_frame(entry, None, Vec::new())?;
        self.entry_objects = start..self.memory.objects.len() as u32;
        Ok((entered.entry, here))
    }

    /// Whether an object is a local variable of the first activation.
    pub(super) fn is_of_entry(&self, object: usize) -> bool {
        self.entry_objects.contains(&(object as u32))
    }

    /// Begins an activation, with the arguments behind its parameters.
    pub(super) fn push_frame(&mut self, function: FunctionId, call: Option<EdgeId>, extra: Vec<Extra>) -> Run<Here> {
        if self.frames.len() >= self.settings.calls as usize {
            return Err(Limit::Calls.into());
        }
        let entered =
            self.code.functions[function.0 as usize].as_ref().expect("only functions with bodies are entered");
        let (base, objects, depth) = (self.slots.len(), self.frame_objects.len(), self.frames.len());
        let here = Here { function, base, objects, depth };
        self.slots.resize(base + entered.slots as usize, 0);
        self.known.resize(base + entered.slots as usize, false);
        for (variable, size) in &entered.objects {
            let id = self.memory.allocate(*size, Kind::Variable(*variable), false)?;
            self.frame_objects.push(id);
        }
        self.activations += 1;
        self.frames.push(Frame { here, call, extra, number: self.activations });
        Ok(here)
    }

    /// The name that a variable is asked for by: parameters of later calls have the number of the call.
    pub(super) fn input_name(&self, variable: VariableId, first: bool) -> std::borrow::Cow<'_, str> {
        let found = self.program.variable(variable);
        match found.storage {
            crate::program::Storage::Parameter(_) if first && 0 < self.round => {
                format!("{}@{}", found.name, self.round + 1).into()
            }
            _ => found.name.as_str().into(),
        }
    }

    pub(super) fn pop_frame(&mut self) -> Frame {
        let frame = self.frames.pop().expect("a function is running");
        self.slots.truncate(frame.here.base);
        self.known.truncate(frame.here.base);
        for id in self.frame_objects.drain(frame.here.objects..) {
            self.memory.release(id);
        }
        frame
    }

    /// Runs an activation, which was just begun, to its end.
    pub(super) fn drive<O: Observer>(&mut self, mut at: NodeId, first: Here, observer: &mut O) -> Run<()> {
        let code = self.code;
        let mut here = first;
        loop {
            let edge = match code.nodes[at.0 as usize] {
                AtNode::One(edge) => {
                    self.edge = edge;
                    edge
                }
                AtNode::Branch { condition, scalar, yes, no } => {
                    self.edge = yes;
                    let value = self.eval(here, condition)?;
                    self.tested = value;
                    let holds = match scalar {
                        Scalar::Float | Scalar::Double => super::arithmetic::number(value) != 0.0,
                        Scalar::Extended(_) => !crate::extended::is_zero(value as u128),
                        Scalar::Integer(_) | Scalar::Bool | Scalar::Pointer(_) | Scalar::Other => value != 0,
                    };
                    let edge = if holds { yes } else { no };
                    self.edge = edge;
                    edge
                }
                AtNode::End => {
                    let frame = self.pop_frame();
                    if here.depth == first.depth {
                        observer.returned(frame.call, self);
                        return Ok(());
                    }
                    let call = frame.call.expect("inner frames come from calls");
                    self.edge = call;
                    here = self.running().expect("a call has a caller");
                    if self.program.function(frame.here.function).noreturn {
                        return Err(Fault::Unreachable.into());
                    }
                    self.store_result(here, call)?;
                    // What is declared right behind the call begins to live now, where the call was made.
                    self.give_birth(here, &code.births[call.0 as usize]);
                    observer.returned(frame.call, self);
                    at = code.targets[call.0 as usize];
                    continue;
                }
            };
            self.steps += 1;
            if self.steps > self.settings.steps {
                return Err(Limit::Steps.into());
            }
            let entered = match self.step(here, edge) {
                Ok(entered) => entered,
                Err(Stop::Jump { to, value }) if Machine::is_within(to, first.depth) => {
                    (at, here) = self.arrive(to, value, observer)?;
                    continue;
                }
                Err(stop) => {
                    if is_end(&code.instructions[edge.0 as usize], &stop) {
                        observer.taken(edge, self);
                    }
                    return Err(stop);
                }
            };
            match entered {
                Some((entry, callee)) => {
                    observer.taken(edge, self);
                    (at, here) = (entry, callee);
                }
                None => {
                    self.give_birth(here, &code.births[edge.0 as usize]);
                    observer.taken(edge, self);
                    at = code.targets[edge.0 as usize];
                }
            }
        }
    }

    /// Local variables of an activation that begin to live have no value.
    #[inline]
    fn give_birth(&mut self, here: Here, births: &[Location]) {
        for place in births {
            match place {
                Location::Slot(slot) => self.known[here.base + *slot as usize] = false,
                Location::Frame(index) => {
                    let id = self.frame_objects[here.objects + *index as usize];
                    let object = &mut self.memory.objects[id.0 as usize];
                    object.known.fill(false);
                    object.assembled = false;
                }
                Location::Static(_) => {}
            }
        }
    }

    /// The activation that is running: a function that was just called, or the caller once it has returned.
    fn running(&self) -> Option<Here> {
        self.frames.last().map(|frame| frame.here)
    }

    /// The function that is running.
    pub fn current_function(&self) -> Option<FunctionId> {
        self.running().map(|here| here.function)
    }

    /// The function that was called last, with a body or without.
    pub fn called_function(&self) -> FunctionId {
        self.called
    }

    /// The operands of the comparison that decided the last branch, if it is one; right after a model of the library that
    /// compares memory, the first bytes that differ. Of floating numbers the bits as `double`.
    pub fn compared(&self) -> (i128, i128) {
        self.compared
    }

    /// The value of the condition of the last branch.
    pub fn tested(&self) -> i128 {
        self.tested
    }

    /// How many calls are open.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The value of an integer variable of static storage.
    pub fn static_value(&mut self, variable: VariableId) -> Option<InputValue> {
        let found = self.program.variable(variable);
        let ty = found.ty;
        self.program.types.integer(ty).filter(|_| found.storage.is_static())?;
        match self.variable_value(Here::OUTSIDE, self.code.places[variable.0 as usize], ty) {
            Ok(Value::Scalar(number)) => Some(InputValue::Integer(number)),
            Ok(Value::Nothing | Value::Bytes(..)) | Err(_) => None,
        }
    }

    /// Whether a predicate holds now. Its arguments must be variables of the function that is running. None if evaluating it is
    /// undefined or no value is given for an input it reads.
    pub fn holds(&mut self, predicate: &Predicate) -> Option<bool> {
        let (edge, steps) = (self.edge, self.steps);
        let result = std::mem::replace(&mut self.result, Value::Nothing);
        let (floor, height) = (self.frames.len(), self.stack.len());
        let answer = self.call_predicate(predicate);
        while self.frames.len() > floor {
            self.pop_frame();
        }
        self.stack.truncate(height);
        let truth = match (answer, &self.result) {
            (Ok(()), Value::Scalar(value)) => Some(*value != 0),
            _ => None,
        };
        self.result = result;
        (self.edge, self.steps) = (edge, steps);
        truth
    }

    fn call_predicate(&mut self, predicate: &Predicate) -> Run<()> {
        let Some(here) = self.running() else { return Ok(()) };
        let mut values = Vec::new();
        for variable in &predicate.arguments {
            let ty = self.program.variable(*variable).ty;
            values.push(self.variable_value(here, self.code.places[variable.0 as usize], ty)?);
        }
        let entered = self.code.functions[predicate.function.0 as usize].as_ref();
        let Some(entered) = entered else {
            return Err(Stop::Ending(Ending::NoInput("the predicate is newer than the interpreter".to_owned())));
        };
        let (entry, parameters) = (entered.entry, entered.parameters.clone());
        let callee = self.push_frame(predicate.function, Some(self.edge), Vec::new())?;
        for (place, value) in parameters.into_iter().zip(values) {
            self.set_variable(callee, place, value)?;
        }
        self.drive(entry, callee, &mut Blind)
    }

    /// The value of a variable of an activation; of an array its address.
    fn variable_value(&mut self, here: Here, place: Location, ty: TypeId) -> Run<Value> {
        let id = match place {
            Location::Slot(slot) => return Ok(Value::Scalar(self.slot(here, slot)?)),
            Location::Frame(index) => self.frame_objects[here.objects + index as usize],
            Location::Static(index) => self.statics[index as usize],
        };
        let address = self.memory.address(id);
        if let crate::types::Type::Array { .. } = self.program.types.kind(ty) {
            return Ok(Value::Scalar(address));
        }
        match super::compile::scalar(&self.program.types, ty) {
            Scalar::Other => {
                let size = super::compile::size(&self.program.types, ty);
                self.read_bytes(address, size, Some(ty))
            }
            scalar => Ok(Value::Scalar(self.load(address, scalar, ty)?)),
        }
    }
}
