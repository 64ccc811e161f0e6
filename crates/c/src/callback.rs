//! Functions for pointers to functions that are inputs: those of the program that fit, and one that only returns inputs.
//!
//! A function that is tested may be given a pointer to any function. The source of the method splits cases over the functions of the
//! program whose type is compatible. What lies outside of the program is stood for by one more function of each such type, without
//! a body: as with every function that nobody defines, what it returns is an input.

use std::collections::BTreeSet;

use crate::program::{Callee, Function, FunctionId, Operation, Program, Storage};
use crate::types::{Type, TypeId};

/// How the functions are called that stand for those outside of the program.
pub const STAND_IN: &str = "specimen_callback";

impl Program {
    /// Lets pointers to functions that are inputs of an entry function point to what fits them.
    pub fn offer_callbacks(&mut self, entry: FunctionId) {
        let wanted = self.function_inputs(entry);
        for (number, ty) in (1..).zip(&wanted) {
            let name = if number == 1 { STAND_IN.to_owned() } else { format!("{STAND_IN}_{number}") };
            if self.function_named(&name).is_some() {
                continue;
            }
            let location = self.function(entry).location;
            self.functions.push(Function {
                name,
                ty: *ty,
                location,
                internal: false,
                body: None,
                address_taken: true,
                noreturn: false,
            });
            for at in 0..self.functions.len() {
                let own = !self.is_library_function(FunctionId(at as u32)) && !self.functions[at].name.starts_with('$');
                let fits =
                    own && self.functions[at].body.is_some() && self.types.compatible(self.functions[at].ty, *ty);
                self.functions[at].address_taken |= fits;
            }
        }
        if !wanted.is_empty() {
            self.extend_calls();
        }
    }

    /// The functions that an input of a type may point to, if it is a pointer to functions.
    pub fn callable(&self, ty: TypeId) -> Vec<FunctionId> {
        let Some(target) = self.function_target(ty) else { return Vec::new() };
        let fits = |function: &Function| function.address_taken && self.types.compatible(function.ty, target);
        let found = (0u32..).zip(&self.functions).filter(|(_, function)| fits(function));
        found.map(|(at, _)| FunctionId(at)).collect()
    }

    /// Whether there is a function among them that stands for all outside of the program.
    pub fn has_stand_in(&self, functions: &[FunctionId]) -> bool {
        functions.iter().any(|function| self.is_stand_in(*function))
    }

    /// Whether a function stands for those outside of the program.
    pub fn is_stand_in(&self, function: FunctionId) -> bool {
        let function = self.function(function);
        function.body.is_none() && function.name.starts_with(STAND_IN)
    }

    /// The type of the functions that values of a type point to.
    pub fn function_target(&self, ty: TypeId) -> Option<TypeId> {
        let target = self.types.target(ty)?.unqualified();
        matches!(self.types.kind(target), Type::Function { .. }).then_some(target)
    }

    /// The types of functions that inputs may point to: arguments, what is reached from them, variables and results of functions
    /// that nobody defines.
    fn function_inputs(&self, entry: FunctionId) -> Vec<TypeId> {
        let parameters = self.function(entry).body.iter().flat_map(|body| &body.parameters);
        let foreign = self.variables.iter().filter(|one| one.storage == Storage::Global { defined: false });
        let called = self.edges.iter().filter_map(|edge| match &edge.operation {
            Operation::Call { callee: Callee::Function(function), .. } => Some(self.function(*function)),
            _ => None,
        });
        let nobody = |function: &&Function| function.body.is_none() && !crate::interp::has_model(&function.name);
        let results = called.filter(nobody).filter_map(|function| match self.types.kind(function.ty) {
            Type::Function { result, .. } => Some(*result),
            _ => None,
        });
        let mut pending: Vec<TypeId> = parameters.map(|id| self.variable(*id).ty).collect();
        pending.extend(foreign.map(|variable| variable.ty));
        pending.extend(results);
        pending.reverse();
        let mut seen = BTreeSet::new();
        let mut found: Vec<TypeId> = Vec::new();
        while let Some(ty) = pending.pop().map(TypeId::unqualified) {
            if !seen.insert(ty) {
                continue;
            }
            match self.types.kind(ty) {
                Type::Pointer(target) => pending.push(*target),
                Type::Array { element, .. } => pending.push(*element),
                Type::Record(id) => {
                    let fields = self.types.record(*id).layout.iter().flat_map(|layout| &layout.fields);
                    pending.extend(fields.map(|field| field.ty));
                }
                Type::Function { .. } if !found.iter().any(|other| self.types.compatible(*other, ty)) => found.push(ty),
                _ => {}
            }
        }
        found
    }

    /// Calls through pointers may reach what was offered.
    fn extend_calls(&mut self) {
        for at in 0..self.edges.len() {
            let Operation::Call { callee: Callee::Pointer { pointer, .. }, .. } = &self.edges[at].operation else {
                continue;
            };
            let found = self.callable(self.expr(*pointer).ty);
            if let Operation::Call { callee: Callee::Pointer { targets, .. }, .. } = &mut self.edges[at].operation {
                *targets = found;
            }
        }
    }
}
