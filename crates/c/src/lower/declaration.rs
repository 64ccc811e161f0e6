//! Declarations and function definitions.

use source::Span;

use super::graph::Graph;
use super::{Checked, Lowerer, Symbol};
use crate::ast::{self, Declaration, Derived, FunctionDefinition, InitDeclarator, Specifiers};
use crate::codes;
use crate::model::DataModel;
use crate::program::{FunctionId, Operation, StatementKind, Storage, VariableId};
use crate::target::{Meant, meant};
use crate::token::Name;
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    pub(super) fn declaration(&mut self, declaration: &Declaration) -> Checked<()> {
        if let Some(assertion) = &declaration.assertion {
            return self.static_assertion(assertion);
        }
        let base = self.specified_type(&declaration.specifiers, declaration.declarators.is_empty())?;
        for declarator in &declaration.declarators {
            let declared = self.declare(&declaration.specifiers, base, declarator);
            self.note(declared);
        }
        Ok(())
    }

    pub(super) fn static_assertion(&mut self, condition: &ast::Expr) -> Checked<()> {
        if self.constant_expr(condition)? == 0 {
            return self.error(&codes::CONSTANT, condition.span, "a static assertion does not hold");
        }
        Ok(())
    }

    fn declare(&mut self, specifiers: &Specifiers, base: TypeId, written: &InitDeclarator) -> Checked<()> {
        let declarator = &written.declarator;
        let Some((name, span)) = declarator.name else {
            return self.error(&codes::SYNTAX, declarator.span, "a declaration declares no name");
        };
        let base = match (&specifiers.ty, &written.initialiser) {
            (ast::TypeSpecifier::Auto, Some(ast::Initialiser::Expr(value))) => {
                let value = self.unevaluated(|lowerer| lowerer.rvalue(value))?;
                self.ty(value)
            }
            _ => base,
        };
        let ty = self.declared_type(base, declarator)?;
        if specifiers.is_typedef {
            return self.declare_typedef(name, ty, span);
        }
        if let Type::VariableArray { .. } = self.types().kind(ty) {
            if specifiers.is_static || specifiers.is_extern {
                return self.error(&codes::CONSTANT, span, "the length of an array must be constant here");
            }
            if written.initialiser.is_some() {
                return self.error(&codes::TYPE, span, "an array of variable length has no initialiser");
            }
            return self.declare_variable_array(name, ty, declarator.span);
        }
        if let Type::Function { .. } = self.types().kind(ty) {
            if written.initialiser.is_some() {
                return self.error(&codes::TYPE, span, "a function has no initialiser");
            }
            let function = self.declare_function(name, ty, specifiers.is_static && self.at_file_scope(), span)?;
            if specifiers.attributes.noreturn || declarator.attributes.noreturn {
                self.program.functions[function.0 as usize].noreturn = true;
            }
            return Ok(());
        }
        if ty.unqualified() == TypeId::VOID {
            return self.error(&codes::TYPE, span, "a variable has the type `void`");
        }
        if self.at_file_scope() || specifiers.is_extern {
            self.declare_global(specifiers, name, ty, span, written.initialiser.as_ref())
        } else if specifiers.is_static {
            self.declare_static(name, ty, span, written.initialiser.as_ref())
        } else {
            self.declare_local(name, ty, declarator.span, written.initialiser.as_ref())
        }
    }

    fn declare_typedef(&mut self, name: Name, mut ty: TypeId, span: Span) -> Checked<()> {
        let model = *self.types().model();
        if model != DataModel::default() && self.text.in_system_header(span.start) {
            match meant(self.name(name), &model) {
                Meant::AsWritten => {}
                Meant::Type(own) => ty = own,
                Meant::Absent(bits) => {
                    self.absent.insert(name, bits);
                }
            }
        }
        if let Type::Record(id) = *self.types().kind(ty)
            && self.at_file_scope()
            && ty == ty.unqualified()
        {
            let alias = self.name(name).to_owned();
            self.program.types.record_mut(id).alias.get_or_insert(alias);
        }
        let before = self.scope().ordinary.insert(name, Symbol::Typedef(ty));
        match before {
            None => Ok(()),
            Some(Symbol::Typedef(other)) if self.types().compatible(other, ty) => Ok(()),
            Some(_) => self.twice(name, span),
        }
    }

    fn twice<T>(&self, name: Name, span: Span) -> Checked<T> {
        let message = format!("`{}` is declared differently before", self.name(name));
        self.error(&codes::DUPLICATE, span, message)
    }

    pub(super) fn declare_function(
        &mut self,
        name: Name,
        ty: TypeId,
        internal: bool,
        span: Span,
    ) -> Checked<FunctionId> {
        let here = self.scopes[0].ordinary.get(&name).copied();
        if let Some(Symbol::Variable(_) | Symbol::Typedef(_) | Symbol::Constant(_)) =
            self.scopes.last().and_then(|scope| scope.ordinary.get(&name))
        {
            return self.twice(name, span);
        }
        let known = match here {
            Some(Symbol::Function(known)) => Some(known),
            _ if internal => None,
            _ => match self.linked.get(&name) {
                Some(Symbol::Function(known)) => Some(*known),
                Some(_) => {
                    return self.error(&codes::LINK, span, format!("`{}` is a variable elsewhere", self.name(name)));
                }
                None => None,
            },
        };
        let function = match known {
            Some(known) => {
                let before = self.program.function(known).ty;
                if !self.types().compatible(before, ty) {
                    let implicit = matches!(self.types().kind(before), Type::Function { prototyped: false, .. });
                    if !implicit && !self.text.in_system_header(span.start) {
                        let (a, b) = (self.types().show(before), self.types().show(ty));
                        let message = format!("`{}` has type `{b}` here and `{a}` before", self.name(name));
                        return self.error(&codes::DUPLICATE, span, message);
                    }
                }
                let composite = self.types().composite(before, ty);
                self.program.functions[known.0 as usize].ty = composite;
                known
            }
            None => {
                let location = self.location(span);
                let text = self.name(name).to_owned();
                let function = self.new_function(&text, ty, location, internal);
                if crate::library::ends_program(&text) && !internal && !self.is_defined(name) {
                    self.program.functions[function.0 as usize].noreturn = true;
                }
                function
            }
        };
        if !internal && !self.program.function(function).internal {
            self.linked.insert(name, Symbol::Function(function));
        }
        self.scopes[0].ordinary.insert(name, Symbol::Function(function));
        self.scope().ordinary.insert(name, Symbol::Function(function));
        Ok(function)
    }

    fn declare_global(
        &mut self,
        specifiers: &Specifiers,
        name: Name,
        ty: TypeId,
        span: Span,
        initialiser: Option<&ast::Initialiser>,
    ) -> Checked<()> {
        let internal = specifiers.is_static;
        let known = match self.scopes[0].ordinary.get(&name).copied() {
            Some(Symbol::Variable(known)) => Some(known),
            Some(_) if self.at_file_scope() => return self.twice(name, span),
            _ if internal => None,
            _ => match self.linked.get(&name) {
                Some(Symbol::Variable(known)) => Some(*known),
                Some(_) => {
                    return self.error(&codes::LINK, span, format!("`{}` is a function elsewhere", self.name(name)));
                }
                None => None,
            },
        };
        let defines = !specifiers.is_extern || initialiser.is_some();
        let variable = match known {
            Some(known) => {
                let before = self.program.variable(known).ty;
                if !self.types().compatible(before, ty) {
                    return self.twice(name, span);
                }
                let composite = self.types().composite(before, ty);
                let found = &mut self.program.variables[known.0 as usize];
                found.ty = composite;
                if initialiser.is_some() && found.initial.is_some() {
                    let message = format!("`{}` is initialised twice", self.names.text(name));
                    return self.error(&codes::DUPLICATE, span, message);
                }
                if defines {
                    found.storage = Storage::Global { defined: true };
                }
                known
            }
            None => {
                let location = self.location(span);
                let text = self.name(name).to_owned();
                let current = self.current.take();
                let variable = self.new_variable(&text, ty, Storage::Global { defined: defines }, location);
                self.current = current;
                variable
            }
        };
        if !internal && known.is_none() {
            self.program.variables[variable.0 as usize].external = true;
            self.linked.insert(name, Symbol::Variable(variable));
        }
        self.scope().ordinary.insert(name, Symbol::Variable(variable));
        if self.at_file_scope() {
            if known.is_none() {
                let text = self.name(name).to_owned();
                self.show_variable(&text, variable);
            }
            self.scopes[0].ordinary.insert(name, Symbol::Variable(variable));
        }
        if let Some(initialiser) = initialiser {
            self.initialise_static(variable, initialiser)?;
        }
        self.complete(variable, specifiers.is_extern, span)
    }

    /// A defined variable has a complete type; a tentative array has one element.
    fn complete(&mut self, variable: VariableId, external: bool, span: Span) -> Checked<()> {
        let ty = self.program.variable(variable).ty;
        if external || self.types().size(ty).is_some() {
            return Ok(());
        }
        match *self.types().kind(ty) {
            // `int a[];` may be completed later in the file; if not it has one element, which nobody relies on.
            Type::Array { element, length: None } if self.at_file_scope() && self.types().size(element).is_some() => {
                Ok(())
            }
            // `struct s x;` before the members of s are given.
            Type::Record(_) | Type::Enum(_) if self.at_file_scope() => Ok(()),
            _ => {
                let message = format!("a variable has the incomplete type `{}`", self.types().show(ty));
                self.error(&codes::TYPE, span, message)
            }
        }
    }

    fn declare_static(
        &mut self,
        name: Name,
        ty: TypeId,
        span: Span,
        initialiser: Option<&ast::Initialiser>,
    ) -> Checked<()> {
        let location = self.location(span);
        let text = self.name(name).to_owned();
        let variable = self.new_variable(&text, ty, Storage::Static, location);
        self.bind(name, variable, span)?;
        if let Some(initialiser) = initialiser {
            self.initialise_static(variable, initialiser)?;
        }
        self.complete(variable, false, span)
    }

    pub(super) fn bind(&mut self, name: Name, variable: VariableId, span: Span) -> Checked<()> {
        if self.scope().ordinary.insert(name, Symbol::Variable(variable)).is_some() {
            return self.twice(name, span);
        }
        let text = self.name(name).to_owned();
        self.show_variable(&text, variable);
        Ok(())
    }

    fn declare_local(
        &mut self,
        name: Name,
        ty: TypeId,
        span: Span,
        initialiser: Option<&ast::Initialiser>,
    ) -> Checked<()> {
        let location = self.location(span);
        let text = self.name(name).to_owned();
        let variable = self.new_variable(&text, ty, Storage::Local, location);
        let bound = self.bind(name, variable, span);
        bound?;
        match initialiser {
            Some(initialiser) => {
                let kinds = self.graph.kinds;
                self.graph.kinds = kinds.with(StatementKind::Declaration);
                let done = self.initialise_local(variable, initialiser, span);
                self.graph.kinds = kinds;
                done?;
            }
            None => self.graph.birth(variable, location, span),
        }
        self.complete(variable, false, span)
    }

    pub(super) fn function(&mut self, written: &FunctionDefinition) -> Checked<()> {
        let base = self.specified_type(&written.specifiers, false)?;
        let ty = self.declared_type(base, &written.declarator)?;
        let Some((name, span)) = written.declarator.name else {
            return self.error(&codes::SYNTAX, written.declarator.span, "a function has no name");
        };
        let Some(Derived::Function(parameters)) = written.declarator.derived.last() else {
            return self.error(&codes::SYNTAX, written.declarator.span, "this is not a function");
        };
        let Type::Function { result, .. } = self.types().kind(ty).clone() else {
            return self.error(&codes::TYPE, span, "this is not a function");
        };
        // In C99 an `inline` function without `extern` is a spare definition; we take it as the definition.
        let internal = written.specifiers.is_static;
        let ty = if parameters.prototyped || parameters.names.is_empty() {
            ty
        } else {
            self.old_style_type(result, written, parameters)?
        };
        let function = self.declare_function(name, ty, internal, span)?;
        if self.program.function(function).body.is_some() {
            if written.specifiers.is_inline {
                return Ok(());
            }
            let message = format!("`{}` is defined twice", self.name(name));
            return self.error(&codes::LINK, span, message);
        }
        let location = self.location(span);
        self.program.functions[function.0 as usize].location = location;
        if written.specifiers.attributes.noreturn {
            self.program.functions[function.0 as usize].noreturn = true;
        }
        self.current = Some(function);
        self.beyond = None;
        self.frame = Vec::new();
        self.mention_opaque(ty);
        self.open_scope();
        let scope = self.scope_id();
        self.graph = Graph::begin(scope);
        let lowered = self.function_body(written, parameters, ty);
        self.close_scope();
        let checked = lowered.and_then(|()| self.undefined_labels());
        if checked.is_ok() {
            self.finish_function(function, scope);
        }
        self.current = None;
        self.graph = Graph::default();
        checked
    }

    /// Whether a function has to do with vectors or complex numbers.
    fn mention_opaque(&mut self, function: TypeId) {
        let Type::Function { result, parameters, .. } = self.types().kind(function).clone() else { return };
        if parameters.iter().chain([&result]).any(|ty| self.opaque.contains(&ty.unqualified())) {
            self.beyond_us("vectors and complex numbers are not supported");
        }
    }

    fn function_body(&mut self, written: &FunctionDefinition, parameters: &ast::Parameters, ty: TypeId) -> Checked<()> {
        let Type::Function { parameters: types, .. } = self.types().kind(ty).clone() else {
            unreachable!("a function has a function type");
        };
        let list: Vec<(Option<(Name, Span)>, Span)> = if parameters.names.is_empty() {
            parameters.list.iter().map(|parameter| (parameter.declarator.name, parameter.declarator.span)).collect()
        } else {
            parameters.names.iter().map(|(name, span)| (Some((*name, *span)), *span)).collect()
        };
        for (index, parameter) in types.iter().enumerate() {
            let (name, span) = list[index];
            let text = name.map_or_else(|| format!("$parameter{index}"), |(name, _)| self.name(name).to_owned());
            let location = self.location(span);
            // Qualifiers of a parameter are not part of the function's type.
            let qualified = match parameters.list.get(index) {
                Some(written) if parameters.names.is_empty() => {
                    let base = self.specified_type(&written.specifiers, false)?;
                    self.parameter_type(base, &written.declarator)?
                }
                _ => *parameter,
            };
            if self.types().size(qualified).is_none() {
                return self.error(&codes::TYPE, span, "a parameter has an incomplete type");
            }
            let flat = self.flat_type(qualified);
            let variable = self.new_variable(text, flat, Storage::Parameter(index as u32), location);
            if flat != qualified {
                self.declared_types.insert(variable, qualified);
            }
            if let Some((name, span)) = name {
                self.bind(name, variable, span)?;
            }
        }
        let ast::StatementKind::Block(items) = &written.body.kind else {
            unreachable!("a body is a block");
        };
        for item in items {
            let lowered = self.statement(item);
            self.note(lowered);
        }
        self.end_of_function(written);
        Ok(())
    }

    /// Control that reaches the closing brace.
    fn end_of_function(&mut self, written: &FunctionDefinition) {
        let exit = self.graph.exit;
        let at = self.graph.at;
        let brace = Span { start: written.body.span.end.saturating_sub(1), end: written.body.span.end };
        let labelled = !self.graph.nodes[self.graph.find(at).0 as usize].labels.is_empty();
        let first = self.graph.find(at).0 == 0;
        if labelled || first {
            // An empty function, or a label at the end, still takes one step.
            let location = self.location(brace);
            self.graph.edge(at, exit, Operation::Skip, location, brace);
        } else {
            self.graph.unite(at, exit);
        }
    }

    /// The type of a function whose parameters are declared behind its declarator.
    fn old_style_type(
        &mut self,
        result: TypeId,
        written: &FunctionDefinition,
        parameters: &ast::Parameters,
    ) -> Checked<TypeId> {
        let mut types: Vec<TypeId> = vec![TypeId::INT; parameters.names.len()];
        for declaration in &written.old_parameters {
            let base = self.specified_type(&declaration.specifiers, false)?;
            for declarator in &declaration.declarators {
                let Some((name, span)) = declarator.declarator.name else { continue };
                let ty = self.parameter_type(base, &declarator.declarator)?;
                match parameters.names.iter().position(|(known, _)| *known == name) {
                    Some(index) => types[index] = ty.unqualified(),
                    None => {
                        let message = format!("`{}` is not a parameter", self.name(name));
                        return self.error(&codes::UNKNOWN_NAME, span, message);
                    }
                }
            }
        }
        let kind = Type::Function { result, parameters: types, variadic: false, prototyped: true };
        Ok(self.program.types.intern(kind))
    }
}
