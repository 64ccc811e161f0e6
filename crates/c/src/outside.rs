//! The world outside of the program: calls whose results come from there, and memory that it can change at any time.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};

use crate::expr::{Base, ExprId, ExprKind, PlaceId, Step};
use crate::program::{Callee, EdgeId, Function, Operation, Storage, Variable, VariableId};
use crate::{Program, codes, interp, library};

/// So many functions are named.
const MOST_NAMES: usize = 5;

/// Says once which functions of the system are taken for inputs; none if there are none.
pub(crate) fn warning(program: &Program) -> Option<Diagnostic> {
    let mut names: Vec<&str> = Vec::new();
    let mut first: Option<Span> = None;
    let own = (0u32..).zip(&program.edges).filter(|(at, _)| !program.is_library(EdgeId(*at)));
    for (_, edge) in own {
        let Operation::Call { callee: Callee::Function(callee), result: Some(_), .. } = &edge.operation else {
            continue;
        };
        let function = program.function(*callee);
        if is_outside(program, function) && !names.contains(&function.name.as_str()) {
            names.push(&function.name);
            first.get_or_insert(edge.notes.span);
        }
    }
    let span = first?;
    let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(MOST_NAMES);
    let more = if 0 < more { format!(" and {more} more") } else { String::new() };
    let message = match names.len() {
        1 => format!("{} asks the world outside of the program: its result is an input", shown[0]),
        _ => format!("{}{more} ask the world outside of the program: their results are inputs", shown.join(", ")),
    };
    Some(Diagnostic::warning(&codes::ENVIRONMENT, span, message))
}

/// Whether nobody but the system says what a function does.
fn is_outside(program: &Program, function: &Function) -> bool {
    let name = function.name.as_str();
    if function.body.is_some() || interp::has_model(name) || name.starts_with("__VERIFIER_") {
        return false;
    }
    library::is_environment(name) || program.is_of_the_system(function.location)
}

/// Memory of the world: every read of it is an input of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum World {
    /// It is always the same, and is asked for by this name.
    Named(String),
    /// Which one it is depends on the run.
    Varying,
}

impl Program {
    /// Whether reads of a place are inputs, each of its own: volatile variables that nobody defines, and fixed addresses.
    pub fn world(&self, place: PlaceId) -> Option<World> {
        let found = self.place(place);
        let leaf = found.ty.unqualified();
        let whole = found.bits.is_none() && !self.types.is_record(leaf);
        let offset = self.constant_offset(&found.steps).filter(|_| whole);
        match found.base {
            Base::Variable(id) => {
                let variable = self.variable(id);
                let is_outside =
                    found.ty.is_volatile() && matches!(variable.storage, Storage::Global { defined: false });
                if !is_outside {
                    return None;
                }
                let Some(offset) = offset else { return Some(World::Varying) };
                Some(World::Named(interp::path_name(self, &variable.name, variable.ty, offset, leaf)))
            }
            Base::Pointer(pointer) => {
                let address = self.fixed_address(pointer)?;
                let Some(offset) = offset else { return Some(World::Varying) };
                Some(World::Named(self.address_name(address.wrapping_add(i128::from(offset)), leaf)))
            }
        }
    }

    /// The fixed addresses that the program reads or writes.
    pub fn fixed_addresses(&self) -> BTreeSet<u64> {
        let addresses = self.places.iter().filter_map(|place| match place.base {
            Base::Pointer(pointer) => {
                let start = self.fixed_address(pointer)?;
                let inside = self.constant_offset(&place.steps).unwrap_or(0);
                u64::try_from(start.checked_add(i128::from(inside))?).ok()
            }
            Base::Variable(_) => None,
        });
        addresses.collect()
    }

    /// The volatile variables that nobody defines and all of whose accesses are seen: single scalars, by the name of the variable.
    /// Who defines one can tell what is written to it, and in which order.
    pub fn devices(&self) -> BTreeSet<VariableId> {
        let is_outside = |variable: &Variable| matches!(variable.storage, Storage::Global { defined: false });
        let numbered = (0u32..).map(VariableId).zip(&self.variables);
        let outside =
            numbered.filter(|(_, variable)| is_outside(variable) && !self.is_of_the_system(variable.location));
        let mut found: BTreeSet<VariableId> = outside.map(|(id, _)| id).collect();
        for place in &self.places {
            if let Base::Variable(variable) = place.base
                && (!place.ty.is_volatile() || place.bits.is_some() || !self.types.is_scalar(place.ty))
            {
                found.remove(&variable);
            }
        }
        for expr in &self.exprs {
            if let ExprKind::Address(place) = expr.kind
                && let Base::Variable(variable) = self.place(place).base
            {
                found.remove(&variable);
            }
        }
        let used = |id: &VariableId| self.places.iter().any(|place| place.base == Base::Variable(*id));
        found.retain(used);
        found
    }

    /// Whether a place lies at a fixed address.
    pub fn is_at_fixed_address(&self, place: PlaceId) -> bool {
        matches!(self.place(place).base, Base::Pointer(pointer) if self.fixed_address(pointer).is_some())
    }

    /// How C would write what stands at an address.
    pub(crate) fn address_name(&self, address: i128, ty: crate::types::TypeId) -> String {
        format!("*({} *){address:#x}", self.types.show(ty))
    }

    /// The number that a pointer is made from, if it is a constant and not null.
    fn fixed_address(&self, mut pointer: ExprId) -> Option<i128> {
        let mut distance: i128 = 0;
        loop {
            match &self.expr(pointer).kind {
                ExprKind::Integer(number) => return Some(number + distance).filter(|_| *number != 0),
                ExprKind::Convert(inner) => pointer = *inner,
                ExprKind::Offset { pointer: inner, index, stride, negative } => {
                    let ExprKind::Integer(index) = self.expr(*index).kind else { return None };
                    let bytes = index.wrapping_mul(i128::from(*stride));
                    distance += if *negative { -bytes } else { bytes };
                    pointer = *inner;
                }
                ExprKind::Address(place) => {
                    let place = self.place(*place);
                    let Base::Pointer(inner) = place.base else { return None };
                    distance += i128::from(self.constant_offset(&place.steps)?);
                    pointer = inner;
                }
                ExprKind::Float(_)
                | ExprKind::Extended(_)
                | ExprKind::Load(_)
                | ExprKind::Function(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Difference { .. } => return None,
            }
        }
    }

    /// The bytes that steps go into an object, if no run decides about that.
    fn constant_offset(&self, steps: &[Step]) -> Option<u64> {
        let mut offset = 0u64;
        for step in steps {
            offset = offset.checked_add(match step {
                Step::Field { offset, .. } => *offset,
                Step::Index { index, stride, .. } => match self.expr(*index).kind {
                    ExprKind::Integer(index) => u64::try_from(index).ok()?.checked_mul(*stride)?,
                    ExprKind::Convert(inner) => match self.expr(inner).kind {
                        ExprKind::Integer(index) => u64::try_from(index).ok()?.checked_mul(*stride)?,
                        _ => return None,
                    },
                    _ => return None,
                },
            })?;
        }
        Some(offset)
    }
}
