//! What the headers of this system must be told where a program is for another machine.
//!
//! The preprocessor predefines the widths of its own machine, and the headers of its library spell exact widths by types
//! that have them there. Macros are replaced by those of the data model; types that are known by what they mean get the
//! type that has this width in the model.

use crate::model::DataModel;
use crate::types::TypeId;

/// Options that make the preprocessor speak of a data model; none for the usual one.
pub(crate) fn predefined(model: &DataModel) -> Vec<String> {
    let mut options = Vec::new();
    // Only the widths the compiler's own headers ask for; `Fallback` stands in for a 32-bit libc that is not installed.
    if model.pointer == 4 {
        options.push("-m32".to_owned());
    }
    if !model.signed_char {
        options.push("-funsigned-char".to_owned());
    }
    if *model == (DataModel { signed_char: model.signed_char, ..DataModel::LP64 }) {
        return options;
    }
    let mut define = |name: &str, value: String| {
        options.push(format!("-U{name}"));
        options.push(format!("-D{name}={value}"));
    };
    for (name, suffix, bytes) in [
        ("SHRT", "", model.short),
        ("INT", "", model.int),
        ("LONG", "L", model.long),
        ("LONG_LONG", "LL", model.long_long),
    ] {
        define(&format!("__{name}_MAX__"), format!("{}{suffix}", (1u128 << (8 * u32::from(bytes) - 1)) - 1));
        define(&format!("__{name}_WIDTH__"), (8 * u32::from(bytes)).to_string());
    }
    for (name, bytes) in [
        ("SHORT", model.short),
        ("INT", model.int),
        ("LONG", model.long),
        ("LONG_LONG", model.long_long),
        ("POINTER", model.pointer),
        ("SIZE_T", model.pointer),
        ("PTRDIFF_T", model.pointer),
        ("LONG_DOUBLE", model.long_double),
    ] {
        define(&format!("__SIZEOF_{name}__"), bytes.to_string());
    }
    let (pointer, widest) = (model.pointer, model.long_long);
    for (signed, unsigned, bytes) in [
        ("INT8", "UINT8", 1),
        ("INT16", "UINT16", 2),
        ("INT32", "UINT32", 4),
        ("INT64", "UINT64", 8),
        ("INTPTR", "UINTPTR", pointer),
        ("PTRDIFF", "SIZE", pointer),
        ("INTMAX", "UINTMAX", widest),
    ] {
        if let Some(spelling) = spelling(model, bytes) {
            define(&format!("__{signed}_TYPE__"), spelling.to_owned());
            define(&format!("__{unsigned}_TYPE__"), format!("unsigned {}", spelling.trim_start_matches("signed ")));
        }
    }
    if model.big_endian {
        define("__BYTE_ORDER__", "__ORDER_BIG_ENDIAN__".to_owned());
        // The header of glibc that knows the machine's order is passed over.
        define("_BITS_ENDIANNESS_H", "1".to_owned());
        define("__BYTE_ORDER", "__BIG_ENDIAN".to_owned());
    }
    options
}

/// The signed type of so many bytes.
fn spelling(model: &DataModel, bytes: u8) -> Option<&'static str> {
    let types = [
        ("signed char", 1),
        ("int", model.int),
        ("long", model.long),
        ("short", model.short),
        ("long long", model.long_long),
    ];
    types.into_iter().find(|(_, size)| *size == bytes).map(|(name, _)| name)
}

/// What a name that a header of the system gives to a type has to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// The header is right.
    AsWritten,
    /// This type.
    Type(TypeId),
    /// So many bits, which no type of the model has.
    Absent(u32),
}

/// What a type's name in a header of the system means in a data model.
pub(crate) fn meant(name: &str, model: &DataModel) -> Meant {
    let Some((bytes, signed)) = width(name, model) else { return Meant::AsWritten };
    let types = [
        (TypeId::SCHAR, TypeId::UCHAR, 1),
        (TypeId::INT, TypeId::UINT, model.int),
        (TypeId::LONG, TypeId::ULONG, model.long),
        (TypeId::SHORT, TypeId::USHORT, model.short),
        (TypeId::LLONG, TypeId::ULLONG, model.long_long),
    ];
    match types.into_iter().find(|(_, _, size)| *size == bytes) {
        Some((ty, _, _)) if signed => Meant::Type(ty),
        Some((_, ty, _)) => Meant::Type(ty),
        None => Meant::Absent(8 * u32::from(bytes)),
    }
}

/// The bytes and the sign that a name of the headers promises.
fn width(name: &str, model: &DataModel) -> Option<(u8, bool)> {
    let bare = name.trim_start_matches('_').strip_suffix("_t")?;
    Some(match bare {
        "size" => (model.pointer, false),
        "ssize" | "ptrdiff" | "intptr" => (model.pointer, true),
        "uintptr" => (model.pointer, false),
        "intmax" => (model.long_long, true),
        "uintmax" => (model.long_long, false),
        _ => {
            let (signed, bare) = match (bare.strip_prefix("uint"), bare.strip_prefix("u_int")) {
                (Some(rest), _) | (None, Some(rest)) => (false, rest),
                (None, None) => (true, bare.strip_prefix("int")?),
            };
            if matches!(bare, "_fast16" | "_fast32") {
                return Some((model.pointer, signed));
            }
            let bits = bare.strip_prefix("_least").or_else(|| bare.strip_prefix("_fast")).unwrap_or(bare);
            let bytes = match bits {
                "8" => 1,
                "16" => 2,
                "32" => 4,
                "64" => 8,
                _ => return None,
            };
            (bytes, signed)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_widths_are_those_of_the_model() {
        let check = |name: &str, model: DataModel, expected: Meant| assert_eq!(meant(name, &model), expected, "{name}");
        check("uint32_t", DataModel::LP32, Meant::Type(TypeId::ULONG));
        check("__int16_t", DataModel::LP32, Meant::Type(TypeId::INT));
        check("int64_t", DataModel::LLP64, Meant::Type(TypeId::LLONG));
        check("size_t", DataModel::LLP64, Meant::Type(TypeId::ULLONG));
        check("u_int8_t", DataModel::LP32, Meant::Type(TypeId::UCHAR));
        check("uint_least32_t", DataModel::ILP32, Meant::Type(TypeId::UINT));
        check("int32_t", DataModel::ILP64, Meant::Absent(32));
        check("off_t", DataModel::LP32, Meant::AsWritten);
        check("integer_t", DataModel::LP32, Meant::AsWritten);
    }

    #[test]
    fn the_usual_machine_needs_no_options() {
        assert!(predefined(&DataModel::LP64).is_empty());
        let options = predefined(&DataModel::LP32);
        assert!(options.contains(&"-D__INT_MAX__=32767".to_owned()), "{options:?}");
        assert!(options.contains(&"-D__SIZE_TYPE__=unsigned long".to_owned()), "{options:?}");
    }
}
