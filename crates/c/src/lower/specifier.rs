//! From specifiers and declarators to types.

use source::Span;

use super::{Checked, Lowerer, Symbol};
use crate::ast::{
    Alignment, Attributes, Basic, Declarator, Derived, Opaque, Parameters, Specifiers, TypeName, TypeSpecifier,
};
use crate::codes;
use crate::types::{Enumeration, Integer, Layout, Record, Type, TypeId};

impl Lowerer<'_> {
    pub(super) fn type_name(&mut self, name: &TypeName) -> Checked<TypeId> {
        let base = self.specified_type(&name.specifiers, false)?;
        self.declared_type(base, &name.declarator)
    }

    /// The type that specifiers name. `alone` is set where no declarator follows, so that a tag is declared anew.
    pub(super) fn specified_type(&mut self, specifiers: &Specifiers, alone: bool) -> Checked<TypeId> {
        let base = match &specifiers.ty {
            TypeSpecifier::Basic(basic) => self.basic(*basic),
            TypeSpecifier::Record(record) => self.record_type(record, alone)?,
            TypeSpecifier::Enum(written) => self.enum_type(written)?,
            TypeSpecifier::Name(name) => match self.find(*name) {
                Some(Symbol::Typedef(ty)) => {
                    if let Some(bits) =
                        self.absent.get(name).filter(|_| !self.text.in_system_header(specifiers.span.start))
                    {
                        let message = format!(
                            "`{}` does not exist on this machine: no integer has {bits} bits",
                            self.name(*name)
                        );
                        return self.error(&codes::UNKNOWN_NAME, specifiers.span, message);
                    }
                    ty
                }
                _ => {
                    let message = format!("`{}` is not a type", self.name(*name));
                    return self.error(&codes::UNKNOWN_NAME, specifiers.span, message);
                }
            },
            TypeSpecifier::TypeofExpr(expr) => self.type_of(expr)?,
            TypeSpecifier::TypeofType(name) => self.type_name(name)?,
            TypeSpecifier::Auto | TypeSpecifier::Missing => TypeId::INT,
        };
        let base = self.with_mode(base, &specifiers.attributes, specifiers.span)?;
        if self.opaque.contains(&base.unqualified()) {
            self.beyond_us("vectors and complex numbers are not supported");
        }
        Ok(base.with_const(specifiers.is_const).with_volatile(specifiers.is_volatile))
    }

    pub(super) fn basic(&self, basic: Basic) -> TypeId {
        match basic {
            Basic::Void => TypeId::VOID,
            Basic::Bool => TypeId::BOOL,
            Basic::Char => TypeId::CHAR,
            Basic::SChar => TypeId::SCHAR,
            Basic::UChar => TypeId::UCHAR,
            Basic::Short => TypeId::SHORT,
            Basic::UShort => TypeId::USHORT,
            Basic::Int => TypeId::INT,
            Basic::UInt => TypeId::UINT,
            Basic::Long => TypeId::LONG,
            Basic::ULong => TypeId::ULONG,
            Basic::LLong => TypeId::LLONG,
            Basic::ULLong => TypeId::ULLONG,
            Basic::Int128 => TypeId::INT128,
            Basic::UInt128 => TypeId::UINT128,
            Basic::Float => TypeId::FLOAT,
            Basic::Double => TypeId::DOUBLE,
            Basic::LongDouble => TypeId::LONG_DOUBLE,
            Basic::VaList => TypeId::VA_LIST,
        }
    }

    /// A vector or a complex number: so many bytes, which are declared and passed on and not looked into.
    fn opaque(&mut self, element: TypeId, kind: &Opaque, span: Span) -> Checked<TypeId> {
        let (what, size, alignment) = match kind {
            Opaque::Vector(bytes) => {
                let size = u64::try_from(self.constant_expr(bytes)?).ok();
                let Some(size) = size.filter(|size| size.is_power_of_two() && *size <= 1 << 16) else {
                    return self.error(&codes::CONSTANT, bytes.span, "the size of a vector is a power of two");
                };
                ("vector", size, size)
            }
            Opaque::Complex => {
                let size = self.types().size(element).unwrap_or(8);
                ("complex", 2 * size, self.types().alignment(element))
            }
        };
        let tag = Some(format!("<{what} of {}>", self.types().show(element)));
        let layout = Some(Layout { fields: Vec::new(), size, alignment });
        let ty = self.program.types.new_record(Record { tag, union: false, layout, span, alias: None });
        self.opaque.insert(ty);
        Ok(ty)
    }

    /// `mode(DI)`: an integer type by its width; and types that are not looked into.
    fn with_mode(&mut self, ty: TypeId, attributes: &Attributes, span: Span) -> Checked<TypeId> {
        if let Some(kind) = &attributes.opaque {
            return self.opaque(ty, kind, span);
        }
        let Some(mode) = attributes.mode else { return Ok(ty) };
        let text = self.name(mode).trim_matches('_').to_owned();
        let bits = match text.as_str() {
            "QI" | "byte" => 8,
            "HI" => 16,
            "SI" => 32,
            "DI" => 64,
            "TI" => 128,
            "word" | "pointer" | "unwind_word" => u32::from(self.types().model().pointer) * 8,
            _ => return self.unsupported(span, format!("the mode `{text}` is not supported")),
        };
        let signed = self.types().integer(ty).is_none_or(|integer| integer.signed);
        let wanted = Integer { bits, signed };
        let all = [
            TypeId::SCHAR,
            TypeId::UCHAR,
            TypeId::SHORT,
            TypeId::USHORT,
            TypeId::INT,
            TypeId::UINT,
            TypeId::LONG,
            TypeId::ULONG,
            TypeId::LLONG,
            TypeId::ULLONG,
            TypeId::INT128,
            TypeId::UINT128,
        ];
        Ok(all.into_iter().find(|candidate| self.types().integer(*candidate) == Some(wanted)).unwrap_or(ty))
    }

    /// The alignment attributes ask for, if any.
    pub(super) fn alignment(&mut self, attributes: &Attributes) -> Checked<Option<u64>> {
        let mut largest = None;
        for wanted in &attributes.aligned {
            let bytes = match wanted {
                None => 16,
                Some(Alignment::Type(name)) => {
                    let ty = self.type_name(name)?;
                    self.types().alignment(ty)
                }
                Some(Alignment::Bytes(expr)) => {
                    let bytes = self.constant_expr(expr)?;
                    match u64::try_from(bytes) {
                        Ok(0) => continue,
                        Ok(bytes) if bytes.is_power_of_two() && bytes <= 1 << 28 => bytes,
                        _ => return self.error(&codes::CONSTANT, expr.span, "an alignment is a power of two"),
                    }
                }
            };
            largest = largest.max(Some(bytes));
        }
        Ok(largest)
    }

    /// The type a declarator makes from the one before it.
    pub(super) fn declared_type(&mut self, base: TypeId, declarator: &Declarator) -> Checked<TypeId> {
        let base = self.with_mode(base, &declarator.attributes, declarator.span)?;
        self.derived_type(base, &declarator.derived, declarator.span)
    }

    /// The type that steps of a declarator make, in their order.
    pub(super) fn derived_type(&mut self, base: TypeId, steps: &[Derived], span: Span) -> Checked<TypeId> {
        let mut ty = base;
        for derived in steps {
            ty = match derived {
                Derived::Pointer { is_const, is_volatile } => {
                    self.program.types.pointer(ty).with_const(*is_const).with_volatile(*is_volatile)
                }
                Derived::Array { length, span } => self.array_type(ty, length.as_deref(), *span)?,
                Derived::Function(parameters) => self.function_type(ty, parameters, span)?,
            };
        }
        Ok(ty)
    }

    fn array_type(&mut self, element: TypeId, length: Option<&crate::ast::Expr>, span: Span) -> Checked<TypeId> {
        let sized = match self.types().kind(element) {
            Type::Void | Type::Function { .. } => false,
            Type::Array { length: None, .. } => false,
            Type::VariableArray { .. } => true,
            _ => self.types().size(element).is_some(),
        };
        if !sized {
            let message = format!("`{}` cannot be the element of an array", self.types().show(element));
            return self.error(&codes::TYPE, span, message);
        }
        let Some(length) = length else {
            return Ok(self.program.types.array(element, None));
        };
        let unknown =
            |lowerer: &mut Self| Ok(lowerer.program.types.intern(Type::VariableArray { element, count: None }));
        if self.length_of_prototype(length) {
            return unknown(self);
        }
        let rows_vary = matches!(self.types().kind(element), Type::VariableArray { .. });
        let value = self.unevaluated(|lowerer| lowerer.rvalue(length))?;
        self.require_integer(value, length.span)?;
        let Some(count) = self.constant(value).filter(|_| !rows_vary && !super::expression::changes(length)) else {
            return match (self.in_prototype, self.at_file_scope()) {
                (true, _) => unknown(self),
                (false, true) => {
                    self.error(&codes::CONSTANT, length.span, "the length of an array must be constant here")
                }
                (false, false) => self.variable_array_type(element, length),
            };
        };
        let size = self.types().size(element).unwrap_or(0);
        let count =
            u64::try_from(count).ok().filter(|count| count.checked_mul(size).is_some_and(|bytes| bytes < 1 << 47));
        match count {
            Some(count) => Ok(self.program.types.array(element, Some(count))),
            None => self.error(&codes::CONSTANT, length.span, "this length is negative or too large"),
        }
    }

    fn function_type(&mut self, result: TypeId, written: &Parameters, span: Span) -> Checked<TypeId> {
        if matches!(self.types().kind(result), Type::Array { .. } | Type::VariableArray { .. } | Type::Function { .. })
        {
            return self.error(&codes::TYPE, span, "a function cannot return an array or a function");
        }
        // Tags declared among parameters are visible there only.
        self.scopes.push(super::ScopeTable::default());
        let names = written.list.iter().filter_map(|parameter| parameter.declarator.name.map(|(name, _)| name));
        let outside = (self.prototype.clone(), self.in_prototype);
        self.prototype.extend(names);
        self.in_prototype = true;
        let parameters = self.parameter_types(written);
        (self.prototype, self.in_prototype) = outside;
        self.scopes.pop();
        let parameters = parameters?;
        let kind = Type::Function { result, parameters, variadic: written.variadic, prototyped: written.prototyped };
        Ok(self.program.types.intern(kind))
    }

    fn parameter_types(&mut self, written: &Parameters) -> Checked<Vec<TypeId>> {
        let mut types = Vec::new();
        for parameter in &written.list {
            let base = self.specified_type(&parameter.specifiers, false)?;
            let ty = self.parameter_type(base, &parameter.declarator)?;
            if ty.unqualified() == TypeId::VOID {
                let alone = written.list.len() == 1 && parameter.declarator.name.is_none() && !written.variadic;
                if alone {
                    return Ok(types);
                }
                return self.error(&codes::TYPE, parameter.declarator.span, "a parameter has the type `void`");
            }
            types.push(ty.unqualified());
        }
        Ok(types)
    }

    /// The type of a parameter: arrays and functions are pointers, and the length of an array is not evaluated.
    pub(super) fn parameter_type(&mut self, base: TypeId, declarator: &Declarator) -> Checked<TypeId> {
        let ty = match declarator.derived.split_last() {
            Some((Derived::Array { .. }, inner)) => {
                let element = self.derived_type(base, inner, declarator.span)?;
                self.program.types.pointer(element)
            }
            _ => self.declared_type(base, declarator)?,
        };
        Ok(match *self.types().kind(ty) {
            Type::Array { element, .. } | Type::VariableArray { element, .. } => {
                self.program.types.pointer(element.qualified_like(ty))
            }
            Type::Function { .. } => self.program.types.pointer(ty),
            _ => ty,
        })
    }

    fn record_type(&mut self, written: &crate::ast::RecordSpecifier, alone: bool) -> Checked<TypeId> {
        let new =
            |tag: Option<String>| Record { tag, union: written.union, layout: None, span: written.span, alias: None };
        let here = written.members.is_some() || alone;
        let known = written.tag.and_then(|tag| {
            if here {
                self.scopes.last().and_then(|scope| scope.tags.get(&tag)).copied()
            } else {
                self.scopes.iter().rev().find_map(|scope| scope.tags.get(&tag)).copied()
            }
        });
        let ty = match known {
            Some(ty) => {
                let fits = matches!(*self.types().kind(ty), Type::Record(id) if self.types().record(id).union == written.union);
                if !fits {
                    return self.error(&codes::DUPLICATE, written.span, "the tag means another kind of type");
                }
                ty
            }
            None => {
                let tag = written.tag.map(|tag| self.name(tag).to_owned());
                let ty = self.program.types.new_record(new(tag));
                if let Some(tag) = written.tag {
                    self.scope().tags.insert(tag, ty);
                }
                ty
            }
        };
        if let Some(members) = &written.members {
            let Type::Record(id) = *self.types().kind(ty) else { unreachable!("made above") };
            if self.types().record(id).layout.is_some() {
                return self.error(&codes::DUPLICATE, written.span, "the members are given a second time");
            }
            self.lay_out(id, members, &written.attributes)?;
        }
        Ok(ty)
    }

    fn enum_type(&mut self, written: &crate::ast::EnumSpecifier) -> Checked<TypeId> {
        let known = written.tag.and_then(|tag| {
            if written.values.is_some() {
                self.scopes.last().and_then(|scope| scope.tags.get(&tag)).copied()
            } else {
                self.scopes.iter().rev().find_map(|scope| scope.tags.get(&tag)).copied()
            }
        });
        let ty = match known {
            Some(ty) if matches!(self.types().kind(ty), Type::Enum(_)) => ty,
            Some(_) => return self.error(&codes::DUPLICATE, written.span, "the tag means another kind of type"),
            None => {
                let tag = written.tag.map(|tag| self.name(tag).to_owned());
                let empty = Enumeration { tag, underlying: TypeId::UINT, values: Vec::new(), complete: false };
                let ty = self.program.types.new_enumeration(empty);
                if let Some(tag) = written.tag {
                    self.scope().tags.insert(tag, ty);
                }
                ty
            }
        };
        let Some(values) = &written.values else { return Ok(ty) };
        let Type::Enum(id) = *self.types().kind(ty) else { unreachable!("made above") };
        if self.types().enumeration(id).complete {
            return self.error(&codes::DUPLICATE, written.span, "the values are given a second time");
        }
        let mut listed: Vec<(String, i128)> = Vec::new();
        let mut next = 0i128;
        for (name, span, value) in values {
            if let Some(value) = value {
                next = self.constant_expr(value)?;
            }
            let int = self.types().integer(TypeId::INT).expect("an integer");
            let constant_type = if int.holds(next) {
                TypeId::INT
            } else if (0..=i128::from(u32::MAX)).contains(&next) && int.bits >= 32 {
                TypeId::UINT
            } else if i64::try_from(next).is_ok() {
                TypeId::LONG
            } else if u64::try_from(next).is_ok() {
                TypeId::ULONG
            } else {
                return self.error(&codes::CONSTANT, *span, "no integer type holds this value");
            };
            let constant = self.int(next, constant_type);
            if self.scope().ordinary.insert(*name, Symbol::Constant(constant)).is_some() {
                let message = format!("`{}` is declared twice", self.name(*name));
                return self.error(&codes::DUPLICATE, *span, message);
            }
            listed.push((self.name(*name).to_owned(), next));
            next += 1;
        }
        let (least, most) =
            listed.iter().fold((0, 0), |(least, most), (_, value)| (*value.min(&least), *value.max(&most)));
        let candidates = if written.attributes.packed {
            vec![
                TypeId::UCHAR,
                TypeId::SCHAR,
                TypeId::USHORT,
                TypeId::SHORT,
                TypeId::UINT,
                TypeId::INT,
                TypeId::ULONG,
                TypeId::LONG,
            ]
        } else {
            vec![TypeId::UINT, TypeId::INT, TypeId::ULONG, TypeId::LONG]
        };
        let holds = |ty: &TypeId| {
            let integer = self.types().integer(*ty).expect("an integer");
            integer.min() <= least && most <= integer.max()
        };
        let Some(underlying) = candidates.into_iter().find(holds) else {
            return self.error(&codes::CONSTANT, written.span, "no integer type holds all values");
        };
        let enumeration = self.program.types.enumeration_mut(id);
        enumeration.underlying = underlying;
        enumeration.values = listed;
        enumeration.complete = true;
        Ok(ty)
    }
}
