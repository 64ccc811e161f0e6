//! From the automaton to the form that is executed.

use super::Settings;
use super::code::{
    Argument, AtNode, Called, Code, Entered, Instruction, Item, Location, Op, Range, Scalar, StaticObject, Target,
};
use super::models::Model;
use crate::expr::{Base, BinaryOp, ExprId, ExprKind, PlaceId, Step, UnaryOp};
use crate::program::{Callee, FunctionId, Initial, Operation, Program, Storage};
use crate::types::{Type, TypeId, Types};

/// The scalar a type is.
pub(super) fn scalar(types: &Types, ty: TypeId) -> Scalar {
    match types.kind(ty) {
        Type::Bool => Scalar::Bool,
        Type::Float => Scalar::Float,
        Type::Double => Scalar::Double,
        Type::LongDouble => Scalar::Extended(types.model().long_double),
        Type::Pointer(_) => Scalar::Pointer(types.model().pointer),
        Type::Integer(_) | Type::Enum(_) => types.integer(ty).map_or(Scalar::Other, Scalar::Integer),
        Type::Void
        | Type::VaList
        | Type::Array { .. }
        | Type::VariableArray { .. }
        | Type::Function { .. }
        | Type::Record(_) => Scalar::Other,
    }
}

pub(super) fn compile(program: &Program, settings: &Settings) -> Code {
    let devices = program.devices();
    let has_devices = !devices.is_empty() || !program.fixed_addresses().is_empty();
    let mut compiler = Compiler { program, code: Code { devices, has_devices, ..Code::default() } };
    compiler.place_variables(settings);
    for edge in &program.edges {
        let instruction = compiler.instruction(&edge.operation);
        compiler.code.instructions.push(instruction);
        compiler.code.targets.push(edge.to);
        let births = edge.births.iter().map(|variable| compiler.code.places[variable.0 as usize]).collect();
        compiler.code.births.push(births);
    }
    compiler.nodes();
    compiler.functions(settings);
    compiler.code.results_used = program.results_used();
    compiler.code
}

struct Compiler<'p> {
    program: &'p Program,
    code: Code,
}

impl Compiler<'_> {
    /// Scalars whose address nobody takes are registers; everything else is memory.
    fn place_variables(&mut self, settings: &Settings) {
        let program = self.program;
        let types = &program.types;
        let mut memory = vec![false; program.variables.len()];
        for place in &program.places {
            if let Base::Variable(variable) = place.base {
                let whole =
                    place.steps.is_empty() && place.ty.unqualified() == program.variable(variable).ty.unqualified();
                memory[variable.0 as usize] |= !whole;
            }
        }
        for expr in &program.exprs {
            if let ExprKind::Address(place) = expr.kind
                && let Base::Variable(variable) = program.place(place).base
            {
                memory[variable.0 as usize] = true;
            }
        }
        self.code.places = vec![Location::Slot(0); program.variables.len()];
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.storage.is_static() {
                self.code.places[index] = Location::Static(self.code.statics.len() as u32);
                let known = match variable.storage {
                    Storage::Global { defined } => defined && (settings.zero_globals || variable.initial.is_some()),
                    Storage::Static => settings.zero_globals || variable.initial.is_some(),
                    Storage::Parameter(_) | Storage::Local | Storage::Temporary => true,
                };
                let literal = variable.name.starts_with('"');
                self.code.statics.push(StaticObject {
                    variable: crate::program::VariableId(index as u32),
                    size: size(types, variable.ty).saturating_add(variable.behind),
                    known,
                    constant: literal || is_constant(types, variable.ty),
                    items: Vec::new(),
                });
            }
        }
        for function in &program.functions {
            let Some(body) = &function.body else { continue };
            let (mut slots, mut objects) = (0, 0);
            for variable in &body.frame {
                let found = program.variable(*variable);
                let scalar = scalar(types, found.ty);
                let place = if memory[variable.0 as usize] || scalar == Scalar::Other {
                    objects += 1;
                    Location::Frame(objects - 1)
                } else {
                    slots += 1;
                    Location::Slot(slots - 1)
                };
                self.code.places[variable.0 as usize] = place;
            }
        }
        for index in 0..program.variables.len() {
            if let (Location::Static(place), Some(initial)) =
                (self.code.places[index], &program.variables[index].initial)
            {
                self.code.statics[place as usize].items = self.items(initial);
            }
        }
    }

    fn functions(&mut self, settings: &Settings) {
        for (index, function) in self.program.functions.iter().enumerate() {
            let abstracted = settings.abstracted.contains(&FunctionId(index as u32));
            let entered = function.body.as_ref().filter(|_| !abstracted).map(|body| {
                let mut entered = Entered {
                    entry: body.entry,
                    slots: 0,
                    slot_variables: Vec::new(),
                    objects: Vec::new(),
                    parameters: body.parameters.iter().map(|variable| self.code.places[variable.0 as usize]).collect(),
                    result: None,
                    is_main: function.name == "main",
                };
                for variable in &body.frame {
                    match self.code.places[variable.0 as usize] {
                        Location::Slot(_) => {
                            entered.slots += 1;
                            entered.slot_variables.push(*variable);
                        }
                        _ => entered
                            .objects
                            .push((*variable, size(&self.program.types, self.program.variable(*variable).ty))),
                    }
                }
                if let Type::Function { result, .. } = self.program.types.kind(function.ty) {
                    entered.result =
                        Some(scalar(&self.program.types, *result)).filter(|scalar| *scalar != Scalar::Other);
                }
                entered
            });
            let model =
                if entered.is_none() && !abstracted { Model::named(&function.name, settings.library) } else { None };
            self.code.functions.push(entered);
            self.code.models.push(model);
        }
    }

    fn nodes(&mut self) {
        for node in &self.program.nodes {
            let at = match node.out.as_slice() {
                [] => AtNode::End,
                [one] => AtNode::One(*one),
                [yes, no, ..] => {
                    let condition = match &self.program.edge(*yes).operation {
                        Operation::Assume { condition, .. } => *condition,
                        _ => unreachable!("two edges leave a node only for a condition"),
                    };
                    let holds = matches!(self.program.edge(*yes).operation, Operation::Assume { holds: true, .. });
                    let (yes, no) = if holds { (*yes, *no) } else { (*no, *yes) };
                    let scalar = scalar(&self.program.types, self.program.expr(condition).ty);
                    AtNode::Branch { condition: self.expr(condition), scalar, yes, no }
                }
            };
            self.code.nodes.push(at);
        }
    }

    fn instruction(&mut self, operation: &Operation) -> Instruction {
        match operation {
            Operation::Skip | Operation::Assume { .. } => Instruction::Skip,
            Operation::Assign { place, value } => self.assign(*place, *value),
            Operation::Initialise { variable, initial } => Instruction::Initialise {
                place: self.code.places[variable.0 as usize],
                size: size(&self.program.types, self.program.variable(*variable).ty),
                items: self.items(initial),
            },
            Operation::Call { callee, arguments, result } => {
                let callee = match callee {
                    Callee::Function(function) => Called::Function(*function),
                    Callee::Pointer { pointer, .. } => {
                        let ty = self.program.types.target(self.program.expr(*pointer).ty).unwrap_or(TypeId::VOID);
                        Called::Pointer(self.expr(*pointer), ty)
                    }
                };
                let arguments = arguments.iter().map(|argument| self.argument(*argument)).collect();
                let result = result.map(|place| (self.target(place), self.program.place(place).ty));
                Instruction::Call { callee, arguments, result }
            }
            Operation::Return { value } => Instruction::Return { value: value.map(|value| self.argument(value)) },
            Operation::Assert { condition } => Instruction::Assert(self.expr(*condition)),
            Operation::Restrict { condition } => Instruction::Restrict(self.expr(*condition)),
        }
    }

    fn assign(&mut self, place: PlaceId, value: ExprId) -> Instruction {
        let ty = self.program.expr(value).ty;
        if scalar(&self.program.types, ty) == Scalar::Other {
            let size = size(&self.program.types, ty);
            let value = self.structure(value);
            return Instruction::Copy { value, target: self.address(place), size, ty };
        }
        Instruction::Assign { value: self.expr(value), target: self.target(place) }
    }

    /// The address of a structure, union or other type that is only copied.
    fn structure(&mut self, value: ExprId) -> Range {
        match self.program.expr(value).kind {
            ExprKind::Load(place) => self.address(place),
            _ => self.expr(value),
        }
    }

    fn argument(&mut self, value: ExprId) -> Argument {
        let ty = self.program.expr(value).ty;
        let scalar = scalar(&self.program.types, ty);
        if scalar == Scalar::Other {
            return Argument { value: self.structure(value), scalar, ty, size: size(&self.program.types, ty) };
        }
        Argument { value: self.expr(value), scalar, ty, size: 0 }
    }

    fn items(&mut self, initial: &Initial) -> Vec<Item> {
        let mut items = Vec::new();
        for item in &initial.items {
            let scalar = scalar(&self.program.types, item.ty);
            let structure = scalar == Scalar::Other;
            let value = if structure { self.structure(item.value) } else { self.expr(item.value) };
            let size = if structure { size(&self.program.types, item.ty) } else { 0 };
            let bits = item.bits.and_then(|bits| {
                let integer = self.program.types.integer(item.ty)?;
                Some((integer, bits.shift as u8, bits.width as u8))
            });
            items.push(Item { offset: item.offset, value, scalar, bits, size });
        }
        items
    }

    fn target(&mut self, place: PlaceId) -> Target {
        let found = self.program.place(place);
        if let Base::Variable(variable) = found.base
            && let Location::Slot(slot) = self.code.places[variable.0 as usize]
        {
            return Target::Slot(slot);
        }
        let ty = found.ty;
        let bits = found.bits;
        let scalar = scalar(&self.program.types, ty);
        let address = self.address(place);
        let whole = bits.is_none() && scalar != Scalar::Other;
        if self.program.is_at_fixed_address(place) {
            return Target::World { address, written: whole.then(|| ty.unqualified()) };
        }
        if matches!(found.base, Base::Variable(variable) if self.code.devices.contains(&variable)) {
            return Target::Device { address, scalar, ty: ty.unqualified() };
        }
        match (bits, self.program.types.integer(ty)) {
            (Some(bits), Some(integer)) => {
                Target::Bits { address, integer, shift: bits.shift as u8, width: bits.width as u8 }
            }
            _ if scalar == Scalar::Other => Target::Bytes { address },
            _ => Target::Memory { address, scalar },
        }
    }

    fn range(&mut self, emit: impl FnOnce(&mut Self)) -> Range {
        let start = self.code.ops.len() as u32;
        emit(self);
        Range { start, end: self.code.ops.len() as u32 }
    }

    fn expr(&mut self, expr: ExprId) -> Range {
        self.range(|compiler| compiler.emit(expr))
    }

    fn address(&mut self, place: PlaceId) -> Range {
        self.range(|compiler| compiler.emit_address(place))
    }

    fn op(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    fn constant(&mut self, value: i128) {
        match i32::try_from(value) {
            Ok(small) => self.op(Op::Small(small)),
            Err(_) => {
                self.code.constants.push(value);
                self.op(Op::Constant(self.code.constants.len() as u32 - 1));
            }
        }
    }

    /// The address of what is accessed.
    fn emit_address(&mut self, place: PlaceId) {
        self.emit_place(place, false);
    }

    /// An address; of a place that is only pointed to, the first step from a pointer is checked, since no access will be.
    fn emit_place(&mut self, place: PlaceId, pointed: bool) {
        let program = self.program;
        let found = program.place(place);
        let mut from_pointer = pointed && matches!(found.base, Base::Pointer(_));
        match found.base {
            Base::Variable(variable) => match self.code.places[variable.0 as usize] {
                Location::Slot(_) => unreachable!("registers have no address"),
                Location::Frame(index) => self.op(Op::Frame(index)),
                Location::Static(index) => self.op(Op::Static(index)),
            },
            Base::Pointer(pointer) => self.emit(pointer),
        }
        // The object is the array: what leaves it is seen at the access.
        let whole =
            !pointed && matches!((found.base, found.steps.as_slice()), (Base::Variable(_), [Step::Index { .. }]));
        for (at, step) in found.steps.iter().enumerate() {
            let checked = std::mem::take(&mut from_pointer);
            let places = program.places_of_index(found, at, pointed).filter(|_| !whole);
            match step {
                Step::Field { offset: 0, .. } => {}
                Step::Field { offset, .. } => self.op(Op::Advance(*offset as i64)),
                Step::Index { index, stride, .. } if checked => {
                    self.emit_index(*index, places);
                    self.op(Op::Step { stride: *stride as i64 });
                }
                Step::Index { index, stride, .. } => {
                    if let ExprKind::Integer(constant) = program.expr(*index).kind
                        && places.is_none_or(|places| (0..i128::from(places)).contains(&constant))
                        && let Some(bytes) =
                            i64::try_from(constant).ok().and_then(|index| index.checked_mul(*stride as i64))
                    {
                        if bytes != 0 {
                            self.op(Op::Advance(bytes));
                        }
                        continue;
                    }
                    self.emit_index(*index, places);
                    self.op(Op::Index { stride: *stride as i64 });
                }
            }
        }
    }

    /// An index, and the question whether it is one of so many places.
    fn emit_index(&mut self, index: ExprId, places: Option<u64>) {
        self.emit(index);
        if let Some(places) = places {
            self.op(Op::Within { places });
        }
    }

    /// Emits an expression in postfix order. The depth of expressions is limited by the parser.
    fn emit(&mut self, expr: ExprId) {
        let program = self.program;
        let types = &program.types;
        let found = program.expr(expr);
        match &found.kind {
            ExprKind::Integer(value) => self.constant(*value),
            ExprKind::Float(value) => self.constant(i128::from(value.to_bits())),
            ExprKind::Extended(bits) => self.constant(*bits as i128),
            ExprKind::Load(place) => {
                let target = program.place(*place);
                if let Base::Variable(variable) = target.base
                    && let Location::Slot(slot) = self.code.places[variable.0 as usize]
                {
                    return self.op(Op::Slot(slot));
                }
                self.emit_address(*place);
                if program.is_at_fixed_address(*place) && target.bits.is_none() {
                    return self.op(Op::World(target.ty.unqualified()));
                }
                if target.bits.is_none() && program.world(*place).is_some() {
                    return self.op(Op::Reload(scalar(types, target.ty), target.ty.unqualified()));
                }
                match (target.bits, types.integer(target.ty)) {
                    (Some(bits), Some(integer)) => {
                        self.op(Op::LoadBits {
                            integer,
                            shift: bits.shift as u8,
                            width: bits.width as u8,
                            ty: target.ty,
                        });
                    }
                    _ => self.op(Op::Load(scalar(types, target.ty), target.ty.unqualified())),
                }
            }
            ExprKind::Address(place) => self.emit_place(*place, true),
            ExprKind::Function(function) => {
                self.constant(super::memory::function_address(*function, types.model().pointer))
            }
            ExprKind::Unary(operator, operand) => {
                self.emit(*operand);
                let kind = scalar(types, found.ty);
                match (operator, kind) {
                    (UnaryOp::Complement, Scalar::Integer(integer)) => self.op(Op::Complement(integer)),
                    _ => self.op(Op::Negate(kind)),
                }
            }
            ExprKind::Binary(operator, left, right) => {
                self.emit(*left);
                self.emit(*right);
                let op = binary(types, *operator, program.expr(*left).ty);
                self.op(op);
            }
            ExprKind::Offset { pointer, index, stride, negative } => {
                self.emit(*pointer);
                self.emit(*index);
                self.op(Op::Step { stride: if *negative { -(*stride as i64) } else { *stride as i64 } });
            }
            ExprKind::Difference { left, right, stride } => {
                self.emit(*left);
                self.emit(*right);
                self.op(Op::Difference { stride: *stride as i64 });
            }
            ExprKind::Convert(operand) => {
                self.emit(*operand);
                let (from, to) = (scalar(types, program.expr(*operand).ty), scalar(types, found.ty));
                if from != to {
                    self.op(Op::Convert(from, to));
                }
            }
        }
    }
}

/// Whether an object is `const`; of an array its elements are.
fn is_constant(types: &Types, mut ty: TypeId) -> bool {
    while let Type::Array { element, .. } = types.kind(ty) {
        if ty.is_const() {
            return true;
        }
        ty = *element;
    }
    ty.is_const()
}

fn binary(types: &Types, operator: BinaryOp, operands: TypeId) -> Op {
    match scalar(types, operands) {
        Scalar::Integer(integer) if integer.bits <= 64 => Op::Integer(operator, integer),
        Scalar::Integer(integer) => Op::Wide(operator, integer),
        Scalar::Float => Op::Floating(operator, true),
        Scalar::Double => Op::Floating(operator, false),
        Scalar::Extended(_) => Op::Extended(operator),
        Scalar::Pointer(_) | Scalar::Bool | Scalar::Other => Op::Pointers(operator),
    }
}

pub(super) fn size(types: &Types, ty: TypeId) -> u64 {
    types.size(ty).unwrap_or_else(|| match types.kind(ty) {
        // `int a[];` that was never completed has one element.
        Type::Array { element, length: None } => types.size(*element).unwrap_or(1),
        _ => 1,
    })
}
