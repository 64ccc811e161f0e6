//! What is known about the functions of the C library: types for those that compilers build in, and who never returns.

use crate::ast::Basic;

/// The type of a function that compilers know without a declaration: result, colon, parameters. `i` int, `u` unsigned, `l`
/// long, `m` unsigned long, `x` and `y` long long, `h` unsigned short, `f` float, `d` double, `z` size_t, `p` and `P`
/// pointers to void and to constants, `s` and `S` strings, `v` void, `.` further arguments.
pub(crate) fn signature(name: &str) -> Option<&'static str> {
    Some(match name {
        "alloca" => "p:z",
        // Arrays of variable length: how many elements, and their size.
        "variable array" => "p:zz",
        "abs" | "isalpha" | "isdigit" | "isalnum" | "isspace" | "isupper" | "islower" | "toupper" | "tolower"
        | "isxdigit" | "ispunct" | "isprint" | "isgraph" | "iscntrl" | "putchar" => "i:i",
        "labs" => "l:l",
        "llabs" => "x:x",
        "memcpy" | "memmove" | "mempcpy" => "p:pPz",
        "memset" => "p:piz",
        "memcmp" => "i:PPz",
        "memchr" => "p:Piz",
        "strlen" => "z:S",
        "strcpy" | "strcat" | "stpcpy" => "s:sS",
        "strncpy" | "strncat" => "s:sSz",
        "strcmp" => "i:SS",
        "strncmp" => "i:SSz",
        "strchr" | "strrchr" => "s:Si",
        "strstr" | "strpbrk" => "s:SS",
        "strspn" | "strcspn" => "z:SS",
        "malloc" => "p:z",
        "calloc" => "p:zz",
        "realloc" => "p:pz",
        "free" => "v:p",
        "exit" => "v:i",
        "abort" | "trap" | "unreachable" => "v:",
        "printf" => "i:S.",
        "puts" => "i:S",
        "sprintf" => "i:sS.",
        "snprintf" => "i:szS.",
        "sqrt" | "fabs" | "floor" | "ceil" | "trunc" | "round" | "sin" | "cos" | "tan" | "exp" | "log" | "log2"
        | "log10" | "rint" => "d:d",
        "sqrtf" | "fabsf" | "floorf" | "ceilf" | "truncf" | "roundf" => "f:f",
        "pow" | "fmod" | "fmin" | "fmax" | "atan2" | "copysign" => "d:dd",
        "isnan" | "isinf" | "isfinite" | "signbit" => "i:d",
        "isinf_sign" => "i:d",
        "clz" | "ctz" | "popcount" | "parity" => "i:u",
        "clzl" | "ctzl" | "popcountl" | "parityl" => "i:m",
        "clzll" | "ctzll" | "popcountll" | "parityll" => "i:y",
        "ffs" => "i:i",
        "ffsl" => "i:l",
        "ffsll" => "i:x",
        "bswap16" => "h:h",
        "bswap32" => "u:u",
        "bswap64" => "m:m",
        _ => return None,
    })
}

/// What a call of a function begins with that stands for something that is not supported; what follows says what.
pub(crate) const UNSUPPORTED: &str = "not supported: ";

/// Whether a function that compilers build in never returns; `trap` and `unreachable` have no other names here.
pub(crate) fn never_returns(name: &str) -> bool {
    ends_program(name) || matches!(name, "trap" | "unreachable")
}

/// Whether a function ends the program by its name alone, if nobody defines it: functions of the library, and the error call of
/// software verification.
pub(crate) fn ends_program(name: &str) -> bool {
    matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit" | "abort" | "__VERIFIER_error") || reports_assertion(name)
}

/// Whether a function is what the macro `assert` of a C library calls where an assertion fails.
pub(crate) fn reports_assertion(name: &str) -> bool {
    matches!(name, "__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" | "_assert")
}

/// Whether a function of the library changes memory through its arguments and has no model: to take its result as an input
/// and ignore the rest would be wrong.
pub fn writes_unmodelled(name: &str) -> bool {
    if name.starts_with(UNSUPPORTED) {
        return true;
    }
    matches!(
        name,
        "qsort"
            | "scanf"
            | "fscanf"
            | "sscanf"
            | "ungetc"
            | "$unmodelled"
            | "vscanf"
            | "vfscanf"
            | "vsscanf"
            | "__isoc99_scanf"
            | "__isoc99_fscanf"
            | "__isoc99_sscanf"
            | "fgets"
            | "gets"
            | "fread"
            | "read"
            | "recv"
            | "getline"
            | "getdelim"
            | "strtok"
            | "strtok_r"
            | "strsep"
            | "memccpy"
            | "strxfrm"
            | "vsprintf"
            | "vsnprintf"
            | "swprintf"
            | "mbstowcs"
            | "wcstombs"
            | "mbtowc"
            | "wcscpy"
            | "wcscat"
            | "wmemcpy"
            | "wmemset"
            | "frexp"
            | "modf"
            | "gmtime_r"
            | "localtime_r"
            | "strftime"
            | "asprintf"
            | "vasprintf"
            | "posix_memalign"
            | "getcwd"
            | "stat"
            | "fstat"
    )
}

/// What stands for inline assembly that writes places it names, and for such that may change anything.
pub(crate) const ASSEMBLY: &str = "$assembly";
pub(crate) const REACHING_ASSEMBLY: &str = "$assembly_with_memory";

/// What is not supported, if a call of this function stands for that.
pub fn unsupported(name: &str) -> Option<&str> {
    name.strip_prefix(UNSUPPORTED)
}

/// The type of what `__VERIFIER_nondet_…` returns, for programs that do not declare it.
pub(crate) fn nondet_type(name: &str) -> Option<Basic> {
    Some(match name.strip_prefix("__VERIFIER_nondet_")? {
        "bool" | "_Bool" => Basic::Bool,
        "char" => Basic::Char,
        "schar" => Basic::SChar,
        "uchar" | "u8" => Basic::UChar,
        "short" => Basic::Short,
        "ushort" | "u16" => Basic::UShort,
        "int" => Basic::Int,
        "uint" | "unsigned" | "u32" => Basic::UInt,
        "long" => Basic::Long,
        "ulong" | "size_t" => Basic::ULong,
        "longlong" => Basic::LLong,
        "ulonglong" | "u64" => Basic::ULLong,
        "float" => Basic::Float,
        "double" => Basic::Double,
        _ => return None,
    })
}
