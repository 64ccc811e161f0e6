//! Calls, assertions, assumptions and what compilers build in.

use source::Span;

use super::build::Lowered;
use super::expression::{changes, stores};
use super::{Checked, Lowerer, Symbol};
use crate::ast::{self, Expr, ExprKind, Statement, StatementKind as Written};
use crate::codes;
use crate::expr::{ExprId, ExprKind as Pure};
use crate::library;
use crate::program::{Callee, FunctionId, Operation, StatementKind};
use crate::types::{Type, TypeId};

impl Lowerer<'_> {
    /// A call. Its result is in a temporary variable, or nowhere if it is not wanted.
    pub(super) fn call(
        &mut self,
        span: Span,
        function: &Expr,
        arguments: &[Expr],
        discarded: bool,
    ) -> Checked<Lowered> {
        if let ExprKind::Name(name) = function.kind
            && let Some(lowered) = self.special_call(span, name, arguments)?
        {
            return Ok(lowered);
        }
        let callee = self.callee(function, arguments)?;
        let ty = match callee {
            Lowered::Function(function) => self.program.function(function).ty,
            Lowered::Value(value) => self.types().target(self.ty(value)).unwrap_or(TypeId::VOID),
            Lowered::Place(place) => self.program.place(place).ty,
        };
        let Type::Function { result, parameters, variadic, prototyped } = self.types().kind(ty).clone() else {
            let message = format!("`{}` is called but is not a function", self.types().show(ty));
            return self.error(&codes::TYPE, function.span, message);
        };
        let values = self.arguments(span, arguments, &parameters, variadic || !prototyped)?;
        let callee = match callee {
            Lowered::Function(function) => Callee::Function(function),
            Lowered::Value(pointer) => Callee::Pointer { pointer, targets: Vec::new() },
            Lowered::Place(_) => unreachable!("a callee is a function or a value"),
        };
        let noreturn = matches!(callee, Callee::Function(function) if self.program.function(function).noreturn);
        if result.unqualified() == TypeId::VOID || discarded {
            self.emit(Operation::Call { callee, arguments: values, result: None }, span);
            self.after_call(noreturn);
            return Ok(Lowered::Value(self.nothing()));
        }
        if self.types().size(result).is_none() {
            return self.error(&codes::TYPE, span, "the result has an incomplete type");
        }
        let variable = self.temporary(result, span);
        let place = self.variable_place(variable);
        self.emit(Operation::Call { callee, arguments: values, result: Some(place) }, span);
        self.after_call(noreturn);
        Ok(Lowered::Value(self.load_variable(variable)))
    }

    /// Behind a call that never returns nothing happens.
    fn after_call(&mut self, noreturn: bool) {
        if noreturn {
            let edge = self.graph.edges.len() - 1;
            self.graph.edges[edge].to = self.graph.exit;
            self.graph.at = self.graph.node();
        }
    }

    fn callee(&mut self, function: &Expr, arguments: &[Expr]) -> Checked<Lowered> {
        if let ExprKind::Name(name) = function.kind
            && self.find(name).is_none()
        {
            let text = self.name(name).to_owned();
            if let Some(builtin) = self.builtin_function(&text, function.span) {
                return Ok(Lowered::Function(builtin));
            }
            if !text.starts_with("__VERIFIER_") {
                self.warn(&codes::IMPLICIT, function.span, format!("`{text}` is called without a declaration"));
            }
            return Ok(Lowered::Function(self.implicit_function(name, function.span)));
        }
        let lowered = match self.lower(function)? {
            Lowered::Place(place) => {
                let value = self.load(place);
                Lowered::Value(value)
            }
            other => other,
        };
        if let Lowered::Value(value) = lowered {
            if let Pure::Function(function) = self.program.expr(value).kind
                && self.types().target(self.ty(value)) == Some(self.program.function(function).ty)
            {
                return Ok(Lowered::Function(function));
            }
            if arguments.iter().any(changes) && stores(function) {
                return Ok(Lowered::Value(self.saved(value, function.span)));
            }
        }
        Ok(lowered)
    }

    /// `int name();` at file scope.
    fn implicit_function(&mut self, name: crate::token::Name, span: Span) -> FunctionId {
        let text = self.name(name).to_owned();
        let result = library::nondet_type(&text).map_or(TypeId::INT, |basic| self.basic(basic));
        let ty = self.program.types.intern(Type::Function {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototyped: false,
        });
        let location = self.location(span);
        let function = match self.linked.get(&name) {
            Some(Symbol::Function(known)) => *known,
            _ => self.new_function(&text, ty, location, false),
        };
        self.linked.insert(name, Symbol::Function(function));
        self.scopes[0].ordinary.insert(name, Symbol::Function(function));
        function
    }

    fn arguments(&mut self, span: Span, arguments: &[Expr], parameters: &[TypeId], open: bool) -> Checked<Vec<ExprId>> {
        let count = arguments.len();
        let fits = count == parameters.len() || open && count >= parameters.len();
        if !fits {
            let message = format!("the function takes {} arguments, not {count}", parameters.len());
            return self.error(&codes::TYPE, span, message);
        }
        let mut values = Vec::new();
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.rvalue(argument)?;
            let value = match parameters.get(index) {
                Some(ty) => self.convert_for(value, *ty, argument.span, "argument")?,
                None => self.default_promotion(value, argument.span)?,
            };
            let value = if stores(argument) && arguments[index + 1..].iter().any(changes) {
                self.saved(value, argument.span)
            } else {
                value
            };
            values.push(value);
        }
        Ok(values)
    }

    fn default_promotion(&mut self, value: ExprId, span: Span) -> Checked<ExprId> {
        let ty = self.ty(value);
        if ty == TypeId::VOID {
            return self.error(&codes::TYPE, span, "an argument has no value");
        }
        if ty == TypeId::FLOAT {
            return Ok(self.convert(value, TypeId::DOUBLE));
        }
        Ok(if self.types().is_integer(ty) { self.promote(value) } else { value })
    }

    /// Calls that are not calls: assertions, assumptions, and what is known when the program is compiled.
    fn special_call(&mut self, span: Span, name: crate::token::Name, arguments: &[Expr]) -> Checked<Option<Lowered>> {
        let text = self.name(name).to_owned();
        let defined = match self.find(name) {
            Some(Symbol::Function(_)) | None => self.is_defined(name),
            Some(_) => return Ok(None),
        };
        let lowered = match (text.as_str(), arguments) {
            ("assert" | "__CPROVER_assert", [condition, ..]) if !defined => {
                self.assertion(span, condition)?;
                self.nothing()
            }
            ("__CPROVER_assume" | "__VERIFIER_assume" | "__builtin_assume", [condition]) if !defined => {
                let value = self.rvalue(condition)?;
                self.require_scalar(value, span)?;
                self.emit(Operation::Restrict { condition: value }, span);
                self.nothing()
            }
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, ..]) => {
                let value = self.rvalue(value)?;
                self.require_integer(value, span)?;
                self.convert(value, TypeId::LONG)
            }
            ("__builtin_constant_p", [value]) => {
                let value = self.unevaluated(|lowerer| lowerer.rvalue(value))?;
                let known = matches!(self.program.expr(value).kind, Pure::Integer(_) | Pure::Float(_));
                self.int(i128::from(known), TypeId::INT)
            }
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, _]) => {
                let ty = self.types().size_type();
                let all = self.types().integer(ty).expect("an integer").max();
                self.int(all, ty)
            }
            ("__builtin_huge_val" | "__builtin_inf", []) => self.push(Pure::Float(f64::INFINITY), TypeId::DOUBLE),
            ("__builtin_huge_valf" | "__builtin_inff", []) => self.push(Pure::Float(f64::INFINITY), TypeId::FLOAT),
            ("__builtin_nan", [_]) => self.push(Pure::Float(f64::NAN), TypeId::DOUBLE),
            ("__builtin_nanf", [_]) => self.push(Pure::Float(f64::NAN), TypeId::FLOAT),
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_va_copy", _) => {
                self.va_call(&text, span, arguments)?
            }
            ("__builtin_add_overflow" | "__builtin_sub_overflow" | "__builtin_mul_overflow", [left, right, target]) => {
                return self.overflow_call(&text, span, left, right, target).map(Some);
            }
            ("alloca" | "__builtin_alloca", [size]) if !defined => {
                let size = self.rvalue(size)?;
                self.require_integer(size, span)?;
                self.stack_memory(size, span)
            }
            _ if text.starts_with("__sync_") || text.starts_with("__atomic_") => {
                self.atomic_call(&text, span, arguments)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Lowered::Value(lowered)))
    }

    /// `assert(condition)`. Only the edge that asserts is of its kind.
    pub(super) fn assertion(&mut self, span: Span, condition: &Expr) -> Checked<()> {
        let value = self.rvalue(condition)?;
        self.require_scalar(value, span)?;
        let kinds = self.graph.kinds;
        self.graph.kinds = crate::program::Kinds::default().with(StatementKind::Assert);
        self.emit(Operation::Assert { condition: value }, span);
        self.graph.kinds = kinds;
        Ok(())
    }

    /// The condition, if this is what the macro `assert` of a C library expands to.
    pub(super) fn as_assertion<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match &expr.kind {
            _ if self.shape.open_assertions => None,
            // ((void) sizeof (…), __extension__ ({ if (e) ; else __assert_fail (…); }))
            ExprKind::Comma(left, right) if matches!(left.kind, ExprKind::Cast(..)) => self.as_assertion(right),
            ExprKind::Block(block) => match &block.kind {
                Written::Block(items) => match items.as_slice() {
                    [Statement { kind: Written::If(test, then, Some(otherwise)), .. }] => {
                        let empty = matches!(then.kind, Written::Expr(None));
                        let fails = matches!(&otherwise.kind, Written::Expr(Some(expr)) if self.fails(expr));
                        (empty && fails).then_some(test)
                    }
                    _ => None,
                },
                _ => None,
            },
            // ((e) ? (void) (0) : __assert_fail (…))
            ExprKind::Conditional(test, Some(_), otherwise) if self.fails(otherwise) => Some(match &test.kind {
                ExprKind::Cast(name, inner)
                    if matches!(name.specifiers.ty, ast::TypeSpecifier::Basic(ast::Basic::Bool)) =>
                {
                    inner
                }
                _ => test,
            }),
            _ => None,
        }
    }

    fn fails(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call(function, _) => {
                matches!(function.kind, ExprKind::Name(name) if library::reports_assertion(self.name(name)) && !self.is_defined(name))
            }
            _ => false,
        }
    }

    /// A function that compilers know without a declaration.
    pub(super) fn builtin_function(&mut self, text: &str, span: Span) -> Option<FunctionId> {
        let plain = text.strip_prefix("__builtin_")?;
        let plain = plain.strip_prefix("__").and_then(|rest| rest.strip_suffix("_chk")).unwrap_or(plain);
        let (signature, name) = match library::signature(plain) {
            Some(signature) => (signature, plain.to_owned()),
            None => (library::signature(text)?, text.to_owned()),
        };
        let interned = self.names.intern(&name);
        if let Some(Symbol::Function(known)) = self.linked.get(&interned) {
            return Some(*known);
        }
        let ty = self.signature_type(signature);
        let location = self.location(span);
        let function = self.new_function(&name, ty, location, false);
        self.program.functions[function.0 as usize].noreturn = library::never_returns(&name);
        self.linked.insert(interned, Symbol::Function(function));
        Some(function)
    }

    fn signature_type(&mut self, signature: &str) -> TypeId {
        let size = self.types().size_type();
        let mut types = Vec::new();
        for letter in signature.bytes().filter(|letter| *letter != b':' && *letter != b'.') {
            types.push(match letter {
                b'v' => TypeId::VOID,
                b'i' => TypeId::INT,
                b'u' => TypeId::UINT,
                b'l' => TypeId::LONG,
                b'm' => TypeId::ULONG,
                b'x' => TypeId::LLONG,
                b'y' => TypeId::ULLONG,
                b'h' => TypeId::USHORT,
                b'f' => TypeId::FLOAT,
                b'd' => TypeId::DOUBLE,
                b'z' => size,
                b'p' => self.program.types.pointer(TypeId::VOID),
                b'P' => self.program.types.pointer(TypeId::VOID.with_const(true)),
                b's' => self.program.types.pointer(TypeId::CHAR),
                _ => self.program.types.pointer(TypeId::CHAR.with_const(true)),
            });
        }
        let parameters = types.split_off(1);
        self.program.types.intern(Type::Function {
            result: types[0],
            parameters,
            variadic: signature.contains('.'),
            prototyped: true,
        })
    }

    /// A function of ours that takes what it is given, for operations on argument lists.
    pub(super) fn internal_function(&mut self, text: &str, span: Span) -> FunctionId {
        let name = self.names.intern(text);
        if let Some(Symbol::Function(known)) = self.linked.get(&name) {
            return *known;
        }
        let ty = Type::Function { result: TypeId::VOID, parameters: Vec::new(), variadic: true, prototyped: false };
        let ty = self.program.types.intern(ty);
        let location = self.location(span);
        let function = self.new_function(text, ty, location, false);
        self.linked.insert(name, Symbol::Function(function));
        function
    }

    fn va_call(&mut self, text: &str, span: Span, arguments: &[Expr]) -> Checked<ExprId> {
        let taken = if text == "__builtin_va_copy" { 2 } else { 1 };
        let mut values = Vec::new();
        for argument in arguments.iter().take(taken) {
            values.push(self.list_address(argument)?);
        }
        let callee = Callee::Function(self.internal_function(text, span));
        self.emit(Operation::Call { callee, arguments: values, result: None }, span);
        Ok(self.nothing())
    }

    fn list_address(&mut self, list: &Expr) -> Checked<ExprId> {
        let place = self.place(list)?;
        let ty = self.program.place(place).ty;
        if ty.unqualified() != TypeId::VA_LIST {
            return self.error(&codes::TYPE, list.span, "this is not a list of arguments");
        }
        let pointer = self.program.types.pointer(ty);
        Ok(self.push(Pure::Address(place), pointer))
    }

    pub(super) fn va_arg(&mut self, span: Span, list: &Expr, name: &ast::TypeName) -> Checked<Lowered> {
        let ty = self.type_name(name)?;
        let list = self.list_address(list)?;
        let variable = self.temporary(ty, span);
        let result = Some(self.variable_place(variable));
        let callee = Callee::Function(self.internal_function("__builtin_va_arg", span));
        self.emit(Operation::Call { callee, arguments: vec![list], result }, span);
        Ok(Lowered::Value(self.load_variable(variable)))
    }

    /// `__builtin_add_overflow(a, b, &result)`: computed in 128 bits, which hold every exact result of narrower types.
    fn overflow_call(&mut self, text: &str, span: Span, left: &Expr, right: &Expr, target: &Expr) -> Checked<Lowered> {
        use crate::expr::BinaryOp;
        let (left, right) = self.operands(left, right)?;
        self.require_integer(left, span)?;
        self.require_integer(right, span)?;
        let pointer = self.rvalue(target)?;
        let ty = self.types().target(self.ty(pointer)).filter(|ty| self.types().is_integer(*ty));
        let wide = [self.ty(left), self.ty(right)]
            .iter()
            .any(|ty| self.types().integer(*ty).is_some_and(|integer| integer.bits > 64));
        let Some(ty) = ty.filter(|_| !wide) else {
            return self.unsupported(span, "this use of an overflow function is not supported");
        };
        let operator = match text {
            "__builtin_add_overflow" => BinaryOp::Add,
            "__builtin_sub_overflow" => BinaryOp::Subtract,
            _ => BinaryOp::Multiply,
        };
        let (left, right) = (self.convert(left, TypeId::INT128), self.convert(right, TypeId::INT128));
        // The product of two unsigned 64-bit numbers may need all 128 bits, so multiplication is done without a sign.
        let exact = if operator == BinaryOp::Multiply {
            let (a, b) = (self.convert(left, TypeId::UINT128), self.convert(right, TypeId::UINT128));
            let product = self.binary_operator(operator, a, b, span)?;
            self.convert(product, TypeId::INT128)
        } else {
            self.binary_operator(operator, left, right, span)?
        };
        let exact = self.saved(exact, span);
        let narrow = self.convert(exact, ty);
        let place = self.dereference(pointer, ty);
        self.assign(place, narrow, span);
        let back = self.convert(narrow, TypeId::INT128);
        let differs = self.binary_operator(BinaryOp::Unequal, exact, back, span)?;
        Ok(Lowered::Value(self.convert(differs, TypeId::BOOL)))
    }
}
