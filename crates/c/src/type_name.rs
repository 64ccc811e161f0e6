//! Types in messages.

use crate::types::{IntegerKind, Type, TypeId, Types};

impl Types {
    /// The type as C writes it, more or less.
    pub fn show(&self, id: TypeId) -> String {
        let qualifiers = match (id.is_const(), id.is_volatile()) {
            (false, false) => "",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (true, true) => "const volatile ",
        };
        match self.kind(id) {
            Type::Pointer(target) => {
                let inner = self.show(*target);
                let own = qualifiers.trim_end();
                if let Type::Function { .. } = self.kind(*target) {
                    inner.replacen('(', "(*)(", 1)
                } else if let (Type::Array { .. } | Type::VariableArray { .. }, Some(at)) =
                    (self.kind(*target), inner.find('['))
                {
                    format!("{} (*{own}){}", &inner[..at], &inner[at..])
                } else {
                    format!("{inner} *{own}")
                }
            }
            Type::Array { element, .. } | Type::VariableArray { element, .. } => {
                let length = match self.kind(id) {
                    Type::Array { length, .. } => length.map_or(String::new(), |length| length.to_string()),
                    _ => "*".to_owned(),
                };
                // The outermost length comes first.
                let inner = self.show(*element);
                match inner.find('[') {
                    Some(at) => format!("{}[{length}]{}", &inner[..at], &inner[at..]),
                    None => format!("{inner}[{length}]"),
                }
            }
            Type::Function { result, parameters, variadic, .. } => {
                let mut shown: Vec<String> = parameters.iter().map(|parameter| self.show(*parameter)).collect();
                if *variadic {
                    shown.push("...".to_owned());
                }
                format!("{}({})", self.show(*result), shown.join(", "))
            }
            other => format!("{qualifiers}{}", self.plain_name(other)),
        }
    }

    fn plain_name(&self, kind: &Type) -> String {
        let name = match kind {
            Type::Void => "void",
            Type::Bool => "_Bool",
            Type::Float => "float",
            Type::Double => "double",
            Type::LongDouble => "long double",
            Type::VaList => "va_list",
            Type::Integer(kind) => match kind {
                IntegerKind::Char => "char",
                IntegerKind::SChar => "signed char",
                IntegerKind::UChar => "unsigned char",
                IntegerKind::Short => "short",
                IntegerKind::UShort => "unsigned short",
                IntegerKind::Int => "int",
                IntegerKind::UInt => "unsigned int",
                IntegerKind::Long => "long",
                IntegerKind::ULong => "unsigned long",
                IntegerKind::LLong => "long long",
                IntegerKind::ULLong => "unsigned long long",
                IntegerKind::Int128 => "__int128",
                IntegerKind::UInt128 => "unsigned __int128",
            },
            Type::Record(id) => {
                let record = self.record(*id);
                let word = if record.union { "union" } else { "struct" };
                if let (None, Some(alias)) = (&record.tag, &record.alias) {
                    return alias.clone();
                }
                return format!("{word} {}", record.tag.as_deref().unwrap_or("<unnamed>"));
            }
            Type::Enum(id) => return format!("enum {}", self.enumeration(*id).tag.as_deref().unwrap_or("<unnamed>")),
            Type::Pointer(_) | Type::Array { .. } | Type::VariableArray { .. } | Type::Function { .. } => "",
        };
        name.to_owned()
    }
}
