//! Models of the functions of the C library.

use super::arithmetic::{bits, number};
use super::code::Argument;
use super::inputs::Origin;
use super::machine::{Here, Machine, Run, Stop, Value};
use super::memory::Kind;
use super::{Ending, Fault, Limit};
use crate::types::{Integer, TypeId};

macro_rules! models {
    ($($name:ident $($spelling:literal)+;)*) => {
        /// A function of the library that has a model.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Model { $($name,)* }

        fn model(spelling: &str) -> Option<Model> {
            match spelling {
                $($($spelling)|+ => Some(Model::$name),)*
                _ => None,
            }
        }
    };
}

models! {
    Malloc "malloc"; Calloc "calloc"; Realloc "realloc"; Free "free"; Exit "exit" "_exit" "_Exit" "quick_exit"; Abort "abort" "trap"; Unreachable "unreachable";
    AssertFail "__assert_fail" "__assert" "__assert_func" "__assert_rtn" "_assert"; Abs "abs"; Labs "labs" "llabs" "imaxabs"; Atoi "atoi"; Atol "atol" "atoll"; Strtol "strtol" "strtoll"; Strtoul "strtoul" "strtoull";
    Strlen "strlen"; Strnlen "strnlen"; Strcpy "strcpy"; Stpcpy "stpcpy"; Strncpy "strncpy"; Strcat "strcat"; Strncat "strncat"; Strcmp "strcmp" "strcoll"; Strncmp "strncmp";
    Strcasecmp "strcasecmp"; Strncasecmp "strncasecmp"; Strchr "strchr" "index"; Strrchr "strrchr" "rindex"; Strstr "strstr"; Strspn "strspn"; Strcspn "strcspn"; Strpbrk "strpbrk"; Strdup "strdup";
    Memcpy "memcpy"; Mempcpy "mempcpy"; Memmove "memmove"; Memset "memset"; Memcmp "memcmp" "bcmp"; Memchr "memchr"; Bzero "bzero";
    Isalpha "isalpha"; Isdigit "isdigit"; Isalnum "isalnum"; Isspace "isspace"; Isupper "isupper"; Islower "islower"; Isxdigit "isxdigit"; Ispunct "ispunct";
    Isprint "isprint"; Isgraph "isgraph"; Iscntrl "iscntrl"; Isblank "isblank"; Toupper "toupper"; Tolower "tolower";
    Printf "printf"; Fprintf "fprintf"; Sprintf "sprintf"; Snprintf "snprintf"; Puts "puts"; Putchar "putchar"; Fputs "fputs"; Fputc "fputc" "putc"; Fflush "fflush"; Perror "perror";
    Rand "rand" "random"; Srand "srand" "srandom"; Errno "__errno_location" "__error"; Getchar "getchar";
    SetJump "setjmp" "_setjmp" "sigsetjmp" "__sigsetjmp"; LongJump "longjmp" "_longjmp" "siglongjmp";
    Sqrt "sqrt" "sqrtf"; Fabs "fabs" "fabsf"; Floor "floor" "floorf"; Ceil "ceil" "ceilf"; Trunc "trunc" "truncf"; Round "round" "roundf"; Rint "rint" "rintf" "nearbyint" "nearbyintf"; Fmod "fmod" "fmodf"; Pow "pow" "powf"; Sin "sin" "sinf"; Cos "cos" "cosf"; Tan "tan" "tanf"; Exp "exp" "expf"; Log "log" "logf"; Log2 "log2" "log2f"; Log10 "log10" "log10f"; Atan2 "atan2" "atan2f";
    Asin "asin" "asinf"; Acos "acos" "acosf"; Atan "atan" "atanf"; Sinh "sinh" "sinhf"; Cosh "cosh" "coshf"; Tanh "tanh" "tanhf"; Exp2 "exp2" "exp2f"; Expm1 "expm1" "expm1f"; Log1p "log1p" "log1pf";
    Hypot "hypot" "hypotf"; Fma "fma" "fmaf"; Remainder "remainder" "remainderf" "drem"; Fpclassify "__fpclassify"; Fpclassifyf "__fpclassifyf"; Classify "__builtin_fpclassify"; Fmin "fmin" "fminf"; Fmax "fmax" "fmaxf"; Copysign "copysign" "copysignf";
    Isnan "isnan" "__isnan" "isnanf" "__isnanf"; Isinf "isinf" "__isinf" "isinf_sign" "isinff" "__isinff"; Isfinite "isfinite" "__finite" "finite" "finitef" "__finitef"; Signbit "signbit" "__signbit" "__signbitf";
    Clz "clz" "clzl" "clzll"; Ctz "ctz" "ctzl" "ctzll"; Popcount "popcount" "popcountl" "popcountll"; Parity "parity" "parityl" "parityll"; Ffs "ffs" "ffsl" "ffsll"; Bswap "bswap16" "bswap32" "bswap64";
    Strtod "strtod"; Strtof "strtof"; Atof "atof"; Swap "$swap"; Alloca "alloca"; Array "variable array"; Length "array length"; Assembly "$assembly"; ReachingAssembly "$assembly_with_memory";
    VaStart "__builtin_va_start"; VaEnd "__builtin_va_end"; VaCopy "__builtin_va_copy"; VaArg "__builtin_va_arg";
}

impl Model {
    /// The model of a function with this name. What compilers build in is always modelled.
    pub(super) fn named(name: &str, library: bool) -> Option<Model> {
        let found = model(name)?;
        let builtin = matches!(
            found,
            Model::VaStart
                | Model::VaEnd
                | Model::VaCopy
                | Model::VaArg
                | Model::Clz
                | Model::Ctz
                | Model::Popcount
                | Model::Parity
                | Model::Bswap
                | Model::Swap
                | Model::Alloca
                | Model::Assembly
                | Model::ReachingAssembly
                | Model::Array
                | Model::Length
                | Model::Classify
        ) || matches!(name, "trap" | "unreachable");
        (library || builtin).then_some(found)
    }
}

/// A character of the class that a function asks for.
fn member(model: Model) -> Option<u8> {
    match model {
        Model::Isalpha | Model::Isalnum | Model::Islower | Model::Isprint | Model::Isgraph | Model::Isxdigit => {
            Some(b'a')
        }
        Model::Isdigit => Some(b'0'),
        Model::Isspace | Model::Isblank => Some(b' '),
        Model::Isupper => Some(b'A'),
        Model::Ispunct => Some(b'!'),
        Model::Iscntrl => Some(1),
        _ => None,
    }
}

/// The classes of floating numbers as the headers of the GNU C library number them.
fn class_of(class: std::num::FpCategory) -> i128 {
    match class {
        std::num::FpCategory::Nan => 0,
        std::num::FpCategory::Infinite => 1,
        std::num::FpCategory::Zero => 2,
        std::num::FpCategory::Subnormal => 3,
        std::num::FpCategory::Normal => 4,
    }
}

const NOT_A_BYTE: Fault = Fault::LibraryPrecondition;

impl Machine<'_> {
    /// Runs a model. Arguments are scalars.
    pub(super) fn model(
        &mut self,
        here: Here,
        model: Model,
        arguments: &[Argument],
        result: Option<TypeId>,
    ) -> Run<Value> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(here, argument.value)?);
        }
        let at = |index: usize| values.get(index).copied().unwrap_or(0);
        let size = |index: usize| u64::try_from(at(index)).unwrap_or(u64::MAX);
        let float = |index: usize| number(at(index));
        let single = result == Some(TypeId::FLOAT);
        let rounded = |value: f64| Value::Scalar(bits(if single { f64::from(value as f32) } else { value }));
        // The functions on `float` are functions of their own: they are not those on `double`, rounded.
        let of_one = |wide: fn(f64) -> f64, narrow: fn(f32) -> f32| {
            Value::Scalar(bits(if single { f64::from(narrow(float(0) as f32)) } else { wide(float(0)) }))
        };
        let of_two = |wide: fn(f64, f64) -> f64, narrow: fn(f32, f32) -> f32| {
            let (left, right) = (float(0), float(1));
            Value::Scalar(bits(if single { f64::from(narrow(left as f32, right as f32)) } else { wide(left, right) }))
        };
        let truth = |yes: bool| Value::Scalar(i128::from(yes));
        let byte = || u8::try_from(at(0)).ok().or(if at(0) == -1 { Some(255) } else { None }).ok_or(NOT_A_BYTE);
        // What is true of end-of-file is true of no character.
        let class = |test: fn(&u8) -> bool| -> Result<Value, Fault> {
            byte().map(|byte| Value::Scalar(i128::from(at(0) >= 0 && test(&byte))))
        };
        if let Some(wanted) = member(model) {
            // What would turn the answer, for whoever asks what was compared.
            self.compared = (at(0), wanted.into());
        }
        Ok(match model {
            Model::Malloc => Value::Scalar(self.allocate(size(0), false)?),
            Model::Calloc => match size(0).checked_mul(size(1)) {
                Some(bytes) => Value::Scalar(self.allocate(bytes, true)?),
                None => Value::Scalar(0),
            },
            Model::Realloc => Value::Scalar(self.reallocate(at(0), size(1))?),
            Model::Free => {
                self.free(at(0))?;
                Value::Nothing
            }
            Model::Exit => return Err(Stop::Ending(Ending::Exited(at(0) as i32))),
            Model::Abort => return Err(Stop::Ending(Ending::Aborted)),
            Model::Unreachable => return Err(Fault::Unreachable.into()),
            Model::SetJump => self.set_jump(here, at(0))?,
            Model::LongJump => return self.long_jump(at(0), at(1)),
            Model::Assembly => {
                for (argument, address) in arguments.iter().zip(&values) {
                    let target = self.program.types.target(argument.ty).unwrap_or(TypeId::VOID);
                    let size = super::compile::size(&self.program.types, target);
                    let (object, offset) = self.memory.check(*address, size)?;
                    let object = &mut self.memory.objects[object];
                    object.assembled = true;
                    object.known[offset..offset + size as usize].fill(false);
                }
                Value::Nothing
            }
            Model::ReachingAssembly => {
                let what = "inline assembly that changes memory or jumps".to_owned();
                return Err(Stop::Ending(Ending::Unsupported { what, edge: self.edge }));
            }
            // Who calls it without the macro does so whether assertions are on or not.
            Model::AssertFail => return Err(Stop::Ending(Ending::AssertionFailed(self.edge))),
            Model::Abs => self.absolute(at(0), 32)?,
            Model::Labs => self.absolute(at(0), 64)?,
            Model::Atoi => self.parsed_integer(at(0), 32)?,
            Model::Atol => self.parsed_integer(at(0), 64)?,
            Model::Strtol => self.scanned_integer(at(0), at(1), at(2), true)?,
            Model::Strtoul => self.scanned_integer(at(0), at(1), at(2), false)?,
            Model::Strlen
            | Model::Strnlen
            | Model::Strcpy
            | Model::Stpcpy
            | Model::Strncpy
            | Model::Strcat
            | Model::Strncat
            | Model::Strcmp
            | Model::Strncmp
            | Model::Strcasecmp
            | Model::Strncasecmp
            | Model::Strchr
            | Model::Strrchr
            | Model::Strstr
            | Model::Strspn
            | Model::Strcspn
            | Model::Strpbrk
            | Model::Strdup
            | Model::Memcpy
            | Model::Mempcpy
            | Model::Memmove
            | Model::Memset
            | Model::Memcmp
            | Model::Memchr
            | Model::Bzero => self.string_model(model, &values)?,
            Model::Isalpha => class(u8::is_ascii_alphabetic)?,
            Model::Isdigit => class(u8::is_ascii_digit)?,
            Model::Isalnum => class(u8::is_ascii_alphanumeric)?,
            Model::Isspace => class(|byte| matches!(byte, b' ' | 9..=13))?,
            Model::Isupper => class(u8::is_ascii_uppercase)?,
            Model::Islower => class(u8::is_ascii_lowercase)?,
            Model::Isxdigit => class(u8::is_ascii_hexdigit)?,
            Model::Ispunct => class(u8::is_ascii_punctuation)?,
            Model::Isprint => class(|byte| (32..127).contains(byte))?,
            Model::Isgraph => class(u8::is_ascii_graphic)?,
            Model::Iscntrl => class(u8::is_ascii_control)?,
            Model::Isblank => class(|byte| matches!(byte, b' ' | b'\t'))?,
            Model::Toupper => byte().map(|byte| {
                if at(0) < 0 { Value::Scalar(-1) } else { Value::Scalar(byte.to_ascii_uppercase().into()) }
            })?,
            Model::Tolower => byte().map(|byte| {
                if at(0) < 0 { Value::Scalar(-1) } else { Value::Scalar(byte.to_ascii_lowercase().into()) }
            })?,
            Model::Printf => {
                let text = self.format(at(0), &arguments[1..], &values[1..])?;
                self.print(&text);
                Value::Scalar(text.len() as i128)
            }
            Model::Fprintf => {
                let text = self.format(at(1), &arguments[2.min(arguments.len())..], &values[2.min(values.len())..])?;
                self.print(&text);
                Value::Scalar(text.len() as i128)
            }
            Model::Sprintf => {
                let mut text =
                    self.format(at(1), &arguments[2.min(arguments.len())..], &values[2.min(values.len())..])?;
                let length = text.len();
                text.push(0);
                self.put_bytes(at(0), &text)?;
                Value::Scalar(length as i128)
            }
            Model::Snprintf => {
                let mut text =
                    self.format(at(2), &arguments[3.min(arguments.len())..], &values[3.min(values.len())..])?;
                let length = text.len();
                if size(1) > 0 {
                    text.truncate(usize::try_from(size(1) - 1).unwrap_or(usize::MAX));
                    text.push(0);
                    self.put_bytes(at(0), &text)?;
                }
                Value::Scalar(length as i128)
            }
            Model::Puts => {
                let mut text = self.string(at(0))?;
                text.push(b'\n');
                self.print(&text);
                Value::Scalar(1)
            }
            Model::Fputs => {
                let text = self.string(at(0))?;
                self.print(&text);
                Value::Scalar(1)
            }
            Model::Putchar | Model::Fputc => {
                self.print(&[at(0) as u8]);
                Value::Scalar(i128::from(at(0) as u8))
            }
            Model::Fflush => Value::Scalar(0),
            Model::Perror | Model::Srand => Value::Nothing,
            Model::Rand => self.ranged_input("rand()", 0..=i128::from(i32::MAX))?,
            Model::Getchar => self.ranged_input("getchar()", -1..=255)?,
            Model::Errno => Value::Scalar(self.errno_address()?),
            Model::Sqrt => rounded(float(0).sqrt()),
            Model::Fabs => rounded(float(0).abs()),
            Model::Floor => rounded(float(0).floor()),
            Model::Ceil => rounded(float(0).ceil()),
            Model::Trunc => rounded(float(0).trunc()),
            Model::Round => rounded(float(0).round()),
            Model::Rint => rounded(float(0).round_ties_even()),
            Model::Fmod => rounded(float(0) % float(1)),
            Model::Pow => of_two(f64::powf, f32::powf),
            Model::Sin => of_one(f64::sin, f32::sin),
            Model::Cos => of_one(f64::cos, f32::cos),
            Model::Tan => of_one(f64::tan, f32::tan),
            Model::Exp => of_one(f64::exp, f32::exp),
            Model::Log => of_one(f64::ln, f32::ln),
            Model::Log2 => of_one(f64::log2, f32::log2),
            Model::Log10 => of_one(f64::log10, f32::log10),
            Model::Atan2 => of_two(f64::atan2, f32::atan2),
            Model::Asin => of_one(f64::asin, f32::asin),
            Model::Acos => of_one(f64::acos, f32::acos),
            Model::Atan => of_one(f64::atan, f32::atan),
            Model::Sinh => of_one(f64::sinh, f32::sinh),
            Model::Cosh => of_one(f64::cosh, f32::cosh),
            Model::Tanh => of_one(f64::tanh, f32::tanh),
            Model::Exp2 => of_one(f64::exp2, f32::exp2),
            Model::Expm1 => of_one(f64::exp_m1, f32::exp_m1),
            Model::Log1p => of_one(f64::ln_1p, f32::ln_1p),
            Model::Hypot => of_two(f64::hypot, f32::hypot),
            Model::Fma if single => rounded(f64::from((float(0) as f32).mul_add(float(1) as f32, float(2) as f32))),
            Model::Fma => rounded(float(0).mul_add(float(1), float(2))),
            Model::Remainder => rounded(super::arithmetic::remainder(float(0), float(1))),
            Model::Classify => {
                // The names of the classes come first: not a number, infinite, normal, subnormal, zero.
                let narrow = arguments.get(5).is_some_and(|argument| argument.scalar == super::code::Scalar::Float);
                let class = if narrow { (float(5) as f32).classify() } else { float(5).classify() };
                Value::Scalar(at([0, 1, 4, 3, 2][class_of(class) as usize]))
            }
            Model::Fpclassify => Value::Scalar(class_of(float(0).classify())),
            Model::Fpclassifyf => Value::Scalar(class_of((float(0) as f32).classify())),
            Model::Fmin => rounded(float(0).min(float(1))),
            Model::Fmax => rounded(float(0).max(float(1))),
            Model::Copysign => rounded(float(0).copysign(float(1))),
            Model::Isnan => truth(float(0).is_nan()),
            Model::Isinf => Value::Scalar(if float(0).is_infinite() { if float(0) > 0.0 { 1 } else { -1 } } else { 0 }),
            Model::Isfinite => truth(float(0).is_finite()),
            Model::Signbit => truth(float(0).is_sign_negative()),
            Model::Clz | Model::Ctz => {
                if at(0) == 0 {
                    return Err(Fault::LibraryPrecondition.into());
                }
                let width = arguments[0].scalar.size() as u32 * 8;
                let value = at(0) as u64;
                Value::Scalar(i128::from(if model == Model::Ctz {
                    value.trailing_zeros()
                } else {
                    value.leading_zeros() - (64 - width)
                }))
            }
            Model::Popcount => Value::Scalar(i128::from((at(0) as u64).count_ones())),
            Model::Parity => Value::Scalar(i128::from((at(0) as u64).count_ones() % 2)),
            Model::Ffs => Value::Scalar(if at(0) == 0 { 0 } else { i128::from(at(0).trailing_zeros()) + 1 }),
            Model::Bswap => {
                let width = arguments[0].scalar.size() as u32 * 8;
                Value::Scalar(i128::from((at(0) as u64).swap_bytes() >> (64 - width)))
            }
            Model::VaStart => {
                self.start_list(here, at(0))?;
                Value::Nothing
            }
            Model::Strtod | Model::Strtof => {
                let (number, length) = self.scanned_float(at(0))?;
                if at(1) != 0 {
                    let end = at(0) + length as i128;
                    let pointer = super::code::Scalar::Pointer(self.program.types.model().pointer);
                    self.store(at(1), pointer, end)?;
                }
                rounded(number)
            }
            Model::Atof => rounded(self.scanned_float(at(0))?.0),
            Model::Swap => {
                let (left, right) = (self.read_bytes(at(0), size(2), None)?, self.read_bytes(at(1), size(2), None)?);
                if let (Value::Bytes(left, known), Value::Bytes(right, also)) = (left, right) {
                    self.write_bytes(at(0), &right, &also)?;
                    self.write_bytes(at(1), &left, &known)?;
                }
                Value::Nothing
            }
            Model::Alloca => {
                let id = self.memory.allocate(size(0), Kind::Internal, false)?;
                Value::Scalar(self.memory.address(id))
            }
            Model::Array | Model::Length => {
                let largest = i128::MAX >> (128 - 8 * u32::from(self.program.types.model().pointer));
                // No object is larger than half of the address space: such lengths are negative ones, converted.
                if at(0) == 0 || largest < at(0) {
                    return Err(Fault::ArrayLength.into());
                }
                if model == Model::Length {
                    return Ok(Value::Nothing);
                }
                let bytes = size(0).checked_mul(size(1)).ok_or(Limit::Memory)?;
                let id = self.memory.allocate(bytes, Kind::Internal, false)?;
                Value::Scalar(self.memory.address(id))
            }
            Model::VaEnd => Value::Nothing,
            Model::VaCopy => {
                if let Value::Bytes(bytes, known) = self.read_bytes(at(1), 16, None)? {
                    self.write_bytes(at(0), &bytes, &known)?;
                }
                Value::Nothing
            }
            Model::VaArg => self.next_argument(at(0), result)?,
        })
    }

    fn errno_address(&mut self) -> Run<i128> {
        let id = match self.errno {
            Some(id) => id,
            None => {
                let id = self.memory.allocate(4, Kind::Internal, true)?;
                self.errno = Some(id);
                id
            }
        };
        Ok(self.memory.address(id))
    }

    pub(super) fn set_errno(&mut self, value: i128) -> Run<()> {
        let address = self.errno_address()?;
        self.store(address, super::code::Scalar::Integer(Integer { bits: 32, signed: true }), value)
    }

    fn allocate(&mut self, bytes: u64, zero: bool) -> Run<i128> {
        // Requests no machine could serve fail as the library lets them fail.
        if bytes > 1 << 40 {
            return Ok(0);
        }
        self.heap_count += 1;
        let id = self.memory.allocate(bytes, Kind::Heap, zero)?;
        Ok(self.memory.address(id))
    }

    fn heap_object(&self, address: i128) -> Run<usize> {
        let Some((id, 0)) = self.memory.resolve(address) else {
            return Err(Fault::BadFree.into());
        };
        let object = &self.memory.objects[id.0 as usize];
        match object.kind {
            Kind::Heap | Kind::Input { .. } if object.alive => Ok(id.0 as usize),
            Kind::Heap | Kind::Input { .. } => Err(Fault::Dangling.into()),
            Kind::Variable(_) | Kind::Internal => Err(Fault::BadFree.into()),
        }
    }

    fn free(&mut self, address: i128) -> Run<()> {
        if address != 0 {
            let object = self.heap_object(address)?;
            self.memory.release(super::memory::ObjectId(object as u32));
        }
        Ok(())
    }

    fn reallocate(&mut self, address: i128, bytes: u64) -> Run<i128> {
        if address == 0 {
            return self.allocate(bytes, false);
        }
        let object = self.heap_object(address)?;
        let new = self.allocate(bytes, false)?;
        if new == 0 {
            return Ok(0);
        }
        let kept = self.memory.objects[object].bytes.len().min(bytes as usize);
        if let Value::Bytes(data, known) = self.read_bytes(address, kept as u64, None)? {
            self.write_bytes(new, &data, &known)?;
        }
        self.free(address)?;
        Ok(new)
    }

    fn absolute(&mut self, value: i128, bits: u32) -> Run<Value> {
        let width = Integer { bits, signed: true };
        if !width.holds(value.abs()) {
            self.go_on(Fault::SignedOverflow, self.settings.wrap)?;
        }
        Ok(Value::Scalar(width.wrap(value.abs())))
    }

    fn parsed_integer(&mut self, address: i128, bits: u32) -> Run<Value> {
        let text = self.string(address)?;
        let text = String::from_utf8_lossy(&text);
        let text = text.trim_start_matches([' ', '\t', '\n', '\r', '\x0b', '\x0c']);
        let signs = usize::from(text.starts_with(['+', '-']));
        let end = text[signs..]
            .find(|character: char| !character.is_ascii_digit())
            .map_or(text.len(), |length| length + signs);
        let value: i128 = text[..end].trim_start_matches('+').parse().unwrap_or(0);
        // A number that does not fit is undefined for `atoi`.
        if (Integer { bits, signed: true }).holds(value) {
            Ok(Value::Scalar(value))
        } else {
            Err(Fault::LibraryPrecondition.into())
        }
    }

    /// An input of type `int` that the library only gives within a range; other values cannot happen.
    fn ranged_input(&mut self, name: &str, range: std::ops::RangeInclusive<i128>) -> Run<Value> {
        let plain = name.trim_end_matches("()");
        let function = self.program.function_named(plain).unwrap_or(crate::program::FunctionId(0));
        let value = self.ask(Origin::Result(function), name, TypeId::INT, 0)?;
        if range.contains(&value) { Ok(Value::Scalar(value)) } else { Err(Stop::Ending(Ending::Excluded(self.edge))) }
    }

    pub(super) fn print(&mut self, text: &[u8]) {
        let room = self.settings.output.saturating_sub(self.output.len());
        self.output.extend_from_slice(&text[..text.len().min(room)]);
    }

    /// A list of arguments holds the number of the activation and of the next argument.
    fn start_list(&mut self, here: Here, list: i128) -> Run<()> {
        let mut bytes = self.frames[here.depth].number.to_le_bytes().to_vec();
        bytes.extend(0u64.to_le_bytes());
        self.write_bytes(list, &bytes, &[true; 16])
    }

    fn list(&mut self, list: i128) -> Run<(u64, usize)> {
        let (object, offset) = self.memory.check(list, 16)?;
        let found = &self.memory.objects[object];
        if found.known[offset..offset + 16].contains(&false) {
            return Err(Fault::Uninitialised.into());
        }
        let half = |at: usize| {
            let bytes: [u8; 8] = found.bytes[offset + at..offset + at + 8].try_into().expect("eight bytes");
            u64::from_le_bytes(bytes)
        };
        Ok((half(0), half(8) as usize))
    }

    fn next_argument(&mut self, list: i128, wanted: Option<TypeId>) -> Run<Value> {
        let (number, index) = self.list(list)?;
        // Numbers of activations grow from the outermost to the innermost.
        let Ok(at) = self.frames.binary_search_by_key(&number, |frame| frame.number) else {
            return Err(Fault::Dangling.into());
        };
        let Some(extra) = self.frames[at].extra.get(index) else {
            return Err(Fault::LibraryPrecondition.into());
        };
        let extra = extra.clone();
        self.write_bytes(list + 8, &(index as u64 + 1).to_le_bytes(), &[true; 8])?;
        let scalar = wanted.map(|ty| super::compile::scalar(&self.program.types, ty));
        // Integers of the other sign are allowed where both types hold the value.
        let fits = match (scalar, &extra.value) {
            (Some(super::code::Scalar::Other) | None, _) => true,
            (Some(scalar), Value::Scalar(_)) => scalar.size() == extra.scalar.size(),
            (Some(_), Value::Bytes(..) | Value::Nothing) => false,
        };
        if !fits {
            return Err(Fault::LibraryPrecondition.into());
        }
        Ok(match (extra.value, scalar) {
            (Value::Scalar(value), Some(super::code::Scalar::Integer(integer))) => Value::Scalar(integer.wrap(value)),
            (value, _) => value,
        })
    }
}
