//! Links functions of the C library that a program calls and does not define.

use super::predicate::Predicates;
use super::{Lowerer, Shape};
use crate::program::{FunctionId, Program};
use crate::standard;
use crate::text::Text;
use crate::token::Names;
use crate::types::{Type, TypeId};

/// Gives bodies to functions of the library. A program that declares them otherwise keeps them without a body.
pub(crate) fn link(program: &mut Program, text: &mut Text, names: &mut Names, known: &Predicates) {
    let model = *program.types.model();
    let open = program.functions.iter().filter(|function| function.body.is_none());
    let wanted: Vec<&str> =
        open.map(|function| function.name.as_str()).filter(|name| is_called(program, name)).collect();
    let Some(library) = standard::text(&wanted, &model) else { return };
    let part = text.add(standard::FILE, &library);
    let mut diagnostics = Vec::new();
    let tokens = crate::lex(text.text(), part, names, &mut diagnostics);
    let unit = crate::parse(text.text(), &tokens).expect("the library is correct C");
    let before = program.clone();
    let mut lowerer = Lowerer::new(text, names, model, Shape::default());
    lowerer.program = std::mem::replace(program, Program::empty(model));
    lowerer.program.files = text.files().to_vec();
    lowerer.program.system_files = text.system_files().to_vec();
    lowerer.linked = known.linked.iter().copied().collect();
    let own = (lowerer.program.nodes.len() as u32, lowerer.program.edges.len() as u32);
    lowerer.unit(&unit);
    lowerer.resolve_pointer_calls();
    let failed = lowerer.diagnostics.iter().any(|diagnostic| diagnostic.severity == source::Severity::Error);
    *program = lowerer.program;
    if failed || !move_bodies(program) {
        // The program declares something in a way of its own.
        let files = (std::mem::take(&mut program.files), std::mem::take(&mut program.system_files));
        *program = before;
        (program.files, program.system_files) = files;
        return;
    }
    program.own = Some(own);
}

/// Whether some edge calls a function of this name, or its address is taken.
fn is_called(program: &Program, name: &str) -> bool {
    use crate::program::{Callee, Operation};
    if !standard::has(name) {
        return false;
    }
    let named = |function: FunctionId| program.function(function).name == name;
    program.functions.iter().any(|function| function.name == name && function.address_taken)
        || program.edges.iter().any(|edge| match &edge.operation {
            Operation::Call { callee: Callee::Function(function), .. } => named(*function),
            _ => false,
        })
}

/// Moves the bodies of `$name` to the functions that programs call; whether all fit.
fn move_bodies(program: &mut Program) -> bool {
    for at in 0..program.functions.len() {
        let Some(name) = program.functions[at].name.strip_prefix('$').map(str::to_owned) else { continue };
        if program.functions[at].body.is_none() || !standard::has(&name) {
            continue;
        }
        let open = |function: &crate::program::Function| function.name == name && function.body.is_none();
        let Some(target) = program.functions.iter().position(open) else { continue };
        if !alike(program, program.functions[at].ty, program.functions[target].ty) {
            return false;
        }
        let (from, to) = (FunctionId(at as u32), FunctionId(target as u32));
        let body = program.functions[at].body.take().expect("it has a body");
        for node in &mut program.nodes[body.nodes.start as usize..body.nodes.end as usize] {
            node.function = to;
        }
        for variable in program.variables.iter_mut().filter(|variable| variable.function == Some(from)) {
            variable.function = Some(to);
        }
        for one in program.loops.iter_mut().filter(|one| one.function == from) {
            one.function = to;
            one.name = one.name.trim_start_matches('$').to_owned();
        }
        for decision in program.decisions.iter_mut().filter(|decision| decision.function == from) {
            decision.function = to;
        }
        program.functions[target].body = Some(body);
    }
    true
}

/// Whether values of one function's parameters and result can be taken for those of the other.
fn alike(program: &Program, library: TypeId, declared: TypeId) -> bool {
    let types = &program.types;
    let fits = |left: TypeId, right: TypeId| {
        types.is_pointer(left) == types.is_pointer(right)
            && types.is_floating(left) == types.is_floating(right)
            && types.size(left) == types.size(right)
    };
    match (types.kind(library), types.kind(declared)) {
        (
            Type::Function { result, parameters, variadic, .. },
            Type::Function { result: other, parameters: others, variadic: also, prototyped },
        ) => {
            fits(*result, *other)
                && (!prototyped
                    || variadic == also
                        && parameters.len() == others.len()
                        && parameters.iter().zip(others).all(|(left, right)| fits(*left, *right)))
        }
        _ => false,
    }
}
