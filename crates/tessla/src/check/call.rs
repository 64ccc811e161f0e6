//! Calls: arguments in their places, type arguments found, lifting.

use std::rc::Rc;

use crate::ast::{Argument, Expr, TypeExpr};
use crate::codes::{ARITY, UNKNOWN_NAME};
use crate::place::Place;
use crate::typed::{Kind, Typed};
use crate::types::Type;

use super::Checker;
use super::scope::{ScopeId, State};
use super::type_expr::substitute;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        function: &Expr,
        generics: &[TypeExpr],
        arguments: Option<&[Argument]>,
        place: Place,
        scope: ScopeId,
    ) -> Rc<Typed> {
        let types: Vec<Type> = generics.iter().map(|generic| self.type_expr(generic, scope)).collect();
        let awaited = self.awaited.len();
        let mut callee = self.infer(function, scope);
        if !generics.is_empty() {
            // What is written down need not be found.
            self.awaited.truncate(awaited);
        }
        let mut types = Some(types).filter(|types| !types.is_empty());
        if let (Kind::Variable(id, metas), Some(given)) = (&callee.kind, &types)
            && !metas.is_empty()
        {
            // A generic definition that is not a function takes the types; what follows is a call of its value.
            callee = self.instance(*id, given, callee.place, place, arguments.is_none());
            types = None;
        }
        let Some(arguments) = arguments else {
            return self.partial(callee, types, place);
        };
        let of = self.shallow(&callee.of);
        let Type::Function(signature) = of else {
            if !matches!(of, Type::Wrong) {
                self.mismatch(function.place, "function", &of);
            }
            for argument in arguments {
                self.infer(&argument.value, scope);
            }
            return self.wrong(place);
        };
        let name = self.files.slice(function.place).to_owned();
        let ordered = self.ordered(function, &name, arguments, signature.parameters.len(), place, scope);
        let Some(ordered) = ordered else {
            for argument in arguments {
                self.infer(&argument.value, scope);
            }
            return self.wrong(place);
        };
        let bindings = match types {
            None => self.instantiate_at(&signature.generics, function.place),
            Some(types) => match self.bound(&signature.generics, types, &name, place) {
                Some(bindings) => bindings,
                None => return self.wrong(place),
            },
        };
        let operands: Vec<Rc<Typed>> = ordered.iter().map(|argument| self.infer(&argument.value, scope)).collect();
        let expected: Vec<Type> = signature.parameters.iter().map(|of| substitute(of, &bindings)).collect();
        // An argument for a bare type parameter must be a value whatever type was asked for.
        for (operand, parameter) in operands.iter().zip(&signature.parameters) {
            let is_bare = matches!(parameter, Type::Parameter(own) if bindings.iter().any(|(id, _)| *id == own.id));
            let found = self.resolved(&operand.of);
            if is_bare && !found.is_value() && !(signature.liftable && matches!(found, Type::Events(_))) {
                self.mismatch(operand.place, "value type", &found);
            }
        }
        let before = self.reports.len();
        let (arguments, lifted) = self.lifted_arguments(operands, &expected, signature.liftable);
        self.drop_repeated(before);
        let result = substitute(&signature.result, &bindings);
        let of = if lifted.is_empty() { result } else { Type::events(result) };
        let generics = bindings.into_iter().map(|(_, of)| of).collect();
        Rc::new(Typed { kind: Kind::Call { function: callee, generics, arguments, lifted }, of, place })
    }

    /// Removes reports made since `before` at places that were reported already.
    fn drop_repeated(&mut self, before: usize) {
        let fresh = self.reports.split_off(before);
        for report in fresh {
            let same = |other: &crate::report::Report| {
                other.file == report.file && other.diagnostic.labels[0].span == report.diagnostic.labels[0].span
            };
            if !self.reports.iter().any(same) {
                self.reports.push(report);
            }
        }
    }

    /// A generic definition with given types.
    fn instance(
        &mut self,
        id: crate::typed::VariableId,
        given: &[Type],
        own: Place,
        whole: Place,
        takes_whole: bool,
    ) -> Rc<Typed> {
        let scheme = self.type_of(id);
        let place = if takes_whole { whole } else { own };
        let name = self.entry(id).name.clone();
        let Some(bindings) = self.bound(&scheme.generics, given.to_vec(), &name, place) else {
            return self.wrong(place);
        };
        let of = substitute(&scheme.of, &bindings);
        let generics = bindings.into_iter().map(|(_, of)| of).collect();
        Rc::new(Typed { kind: Kind::Variable(id, generics), of, place })
    }

    /// `f[T]` without arguments: a function of fewer type parameters.
    fn partial(&mut self, callee: Rc<Typed>, types: Option<Vec<Type>>, place: Place) -> Rc<Typed> {
        let Some(types) = types else { return callee };
        let of = self.shallow(&callee.of);
        let Type::Function(signature) = &of else {
            if !matches!(of, Type::Wrong) {
                let name = self.files.slice(callee.place).to_owned();
                let message =
                    format!("Wrong number of type arguments for {name}. Expected: 0, actual: {}", types.len());
                self.report(&ARITY, place, message);
            }
            return self.wrong(place);
        };
        let name = self.files.slice(callee.place).to_owned();
        let Some(bindings) = self.bound(&signature.generics, types, &name, place) else {
            return self.wrong(place);
        };
        let plain = crate::types::FunctionType { generics: Vec::new(), ..(**signature).clone() };
        let of = substitute(&Type::Function(std::sync::Arc::new(plain)), &bindings);
        let generics = bindings.into_iter().map(|(_, of)| of).collect();
        let Kind::Variable(id, _) = &callee.kind else { return self.wrong(place) };
        Rc::new(Typed { kind: Kind::Variable(*id, generics), of, place })
    }

    fn bound(
        &mut self,
        generics: &[crate::types::TypeParameter],
        types: Vec<Type>,
        name: &str,
        place: Place,
    ) -> Option<Vec<(u32, Type)>> {
        if generics.len() != types.len() {
            let (expected, actual) = (generics.len(), types.len());
            let message = format!("Wrong number of type arguments for {name}. Expected: {expected}, actual: {actual}");
            self.report(&ARITY, place, message);
            return None;
        }
        Some(generics.iter().map(|generic| generic.id).zip(types).collect())
    }

    /// The arguments in the order of the parameters.
    fn ordered<'e>(
        &mut self,
        function: &Expr,
        name: &str,
        arguments: &'e [Argument],
        expected: usize,
        place: Place,
        scope: ScopeId,
    ) -> Option<Vec<&'e Argument>> {
        let names = self.parameter_names(function, scope);
        let mut slots: Vec<Option<&Argument>> = vec![None; expected.max(arguments.len())];
        let mut named = false;
        for (index, argument) in arguments.iter().enumerate() {
            named |= argument.name.is_some();
            let position = match &argument.name {
                None if named => {
                    self.report(
                        &ARITY,
                        argument.value.place,
                        "An argument without a name cannot follow one with a name",
                    );
                    return None;
                }
                None => index,
                Some(given) => match names.iter().position(|parameter| *parameter == given.text) {
                    Some(position) => position,
                    None => {
                        let message = format!("Undefined keyword argument {}", given.text);
                        self.report(&UNKNOWN_NAME, given.place, message);
                        return None;
                    }
                },
            };
            if slots.get(position).is_some_and(Option::is_some) {
                let message = format!("The parameter {} is given twice", names[position]);
                self.report(&ARITY, argument.name.as_ref().map_or(argument.value.place, |name| name.place), message);
                return None;
            }
            if position >= slots.len() {
                break;
            }
            slots[position] = Some(argument);
        }
        let filled: Vec<&Argument> = slots.iter().copied().flatten().collect();
        if arguments.len() != expected || filled.len() != expected {
            let actual = arguments.len();
            let message = format!("Wrong number of arguments for {name}. Expected: {expected}, actual: {actual}");
            self.report(&ARITY, place, message);
            return None;
        }
        Some(filled)
    }

    fn parameter_names(&mut self, function: &Expr, scope: ScopeId) -> Vec<std::sync::Arc<str>> {
        let Some(id) = self.named_variable(function, scope) else { return Vec::new() };
        match &self.entry(id).state {
            State::Definition(state) => {
                let parameters = state.syntax.parameters.iter().flatten();
                parameters.map(|parameter| parameter.name.text.clone()).collect()
            }
            State::Input(..) | State::Parameter(_) | State::Module(_) => Vec::new(),
        }
    }

    /// Arguments made to fit. The flags say which are streams where values are expected; they are empty if none is.
    pub(super) fn lifted_arguments(
        &mut self,
        operands: Vec<Rc<Typed>>,
        expected: &[Type],
        liftable: bool,
    ) -> (Vec<Rc<Typed>>, Vec<bool>) {
        let mut lifted = vec![false; operands.len()];
        let mut arguments = Vec::new();
        for (index, operand) in operands.into_iter().enumerate() {
            let wanted = &expected[index];
            let found = self.shallow(&operand.of);
            let wants_value = !matches!(self.shallow(wanted), Type::Events(_) | Type::Function(_));
            if let (true, true, Type::Events(element)) = (liftable, wants_value, &found) {
                lifted[index] = true;
                if !self.fit(element, wanted).is_some_and(|conversion| conversion.is_keep()) {
                    let expectation = Type::events(self.resolved(wanted));
                    self.mismatch(operand.place, &expectation.to_string(), &found);
                }
                arguments.push(operand);
                continue;
            }
            arguments.push(self.coerced(operand, wanted));
        }
        let any = lifted.iter().any(|flag| *flag);
        (arguments, if any { lifted } else { Vec::new() })
    }
}
