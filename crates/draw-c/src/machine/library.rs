//! What is known of the C library.

use c::interp::Fault;
use c::types::TypeId;
use smt::{Op, Term};

use super::call::Outcome;
use super::{Dead, Machine};
use crate::input::InputKind;
use crate::object::Object;
use crate::state::State;
use crate::trace::Cut;
use crate::value::{NULL, Value};

/// The most bytes of memory of unknown size that are followed.
const MOST_BYTES: u64 = 256;

/// The bytes that a function on characters accepts.
fn class(name: &str) -> Option<&'static [(u8, u8)]> {
    Some(match name {
        "isalpha" => &[(b'A', b'Z'), (b'a', b'z')],
        "isdigit" => &[(b'0', b'9')],
        "isalnum" => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
        "isspace" => &[(9, 13), (b' ', b' ')],
        "isupper" => &[(b'A', b'Z')],
        "islower" => &[(b'a', b'z')],
        "isxdigit" => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
        "ispunct" => &[(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        "isprint" => &[(32, 126)],
        "isgraph" => &[(33, 126)],
        "iscntrl" => &[(0, 31), (127, 127)],
        "isblank" => &[(b'\t', b'\t'), (b' ', b' ')],
        _ => return None,
    })
}

impl Machine<'_> {
    /// A function of the C library, if we know it.
    pub(super) fn library(
        &mut self,
        name: &str,
        arguments: &[Value],
        wanted: bool,
        state: &mut State,
    ) -> Result<Option<Outcome>, Dead> {
        Ok(Some(match (name, arguments) {
            ("exit" | "_exit" | "_Exit" | "abort" | "quick_exit" | "trap", _) => Outcome::Ends,
            ("malloc", [size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.memory(state, size, false)?)
            }
            ("calloc", [count, size]) => {
                let (count, size) = (self.integer(state, count)?, self.integer(state, size)?);
                if self.cells.build.constant(count).is_none() || self.cells.build.constant(size).is_none() {
                    let fits = self.fits(count, size);
                    let large = self.cells.build.not(fits);
                    self.unsupported(state, large, "very much memory is allocated")?;
                }
                let size = self.cells.build.app(Op::BvMul, &[count, size]);
                Outcome::Value(self.memory(state, size, true)?)
            }
            ("realloc", [old, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.reallocated(state, old, size)?)
            }
            ("alloca", [size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.room(state, size, false)?)
            }
            ("array length", [count]) => {
                let count = self.integer(state, count)?;
                self.positive(state, count)?;
                Outcome::Nothing
            }
            ("variable array", [count, bytes]) => {
                let (count, bytes) = (self.integer(state, count)?, self.integer(state, bytes)?);
                self.positive(state, count)?;
                if self.cells.build.constant(count).is_none() {
                    let fits = self.fits(count, bytes);
                    let large = self.cells.build.not(fits);
                    self.unsupported(state, large, "very much memory is allocated")?;
                }
                let size = self.cells.build.app(Op::BvMul, &[count, bytes]);
                Outcome::Value(self.room(state, size, false)?)
            }
            ("$swap", [left, right, size]) => {
                let size = self.integer(state, size)?;
                self.swapped_bytes(state, left, right, size)?;
                Outcome::Nothing
            }
            ("free", [pointer]) => {
                self.free(state, pointer)?;
                Outcome::Nothing
            }
            ("abs" | "labs" | "llabs", [number]) => {
                let bits = self.integer(state, number)?;
                let width = self.cells.build.width(bits);
                let smallest = self.cells.build.bits(width, i128::MIN >> (128 - width));
                let overflow = self.cells.build.eq(bits, smallest);
                let fine = self.cells.build.not(overflow);
                self.fits_or_wraps(state, fine, Fault::SignedOverflow)?;
                let negative = self.cells.build.bit(bits, width - 1);
                let opposite = self.cells.build.app(Op::BvNeg, &[bits]);
                Outcome::Value(Value::Bits(self.cells.build.ite(negative, opposite, bits)))
            }
            ("strlen", [text]) => Outcome::Value(self.string_length(state, text)?),
            ("strcmp" | "strcoll", [left, right]) => Outcome::Value(self.compared(state, left, right, None, true)?),
            ("strncmp", [left, right, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.compared(state, left, right, Some(size), true)?)
            }
            ("memcmp", [left, right, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.compared(state, left, right, Some(size), false)?)
            }
            ("strcpy", [target, source]) => Outcome::Value(self.copied_string(state, target, source)?),
            ("strchr", [text, wanted]) => {
                let wanted = self.integer(state, wanted)?;
                Outcome::Value(self.found_byte(state, text, wanted)?)
            }
            ("memcpy" | "memmove", [target, source, size]) => {
                let size = self.integer(state, size)?;
                Outcome::Value(self.copied_bytes(state, target, source, size)?)
            }
            ("memset", [target, byte, size]) => {
                let (byte, size) = (self.integer(state, byte)?, self.integer(state, size)?);
                Outcome::Value(self.filled_bytes(state, target, byte, size)?)
            }
            ("puts" | "fputs" | "perror", [text, ..]) => {
                self.string_length(state, text)?;
                let one = self.cells.build.bits(32, 1);
                Outcome::Value(Value::Bits(one))
            }
            ("putchar" | "fputc" | "putc", [byte, ..]) => {
                let byte = self.integer(state, byte)?;
                let low = self.cells.build.resize(byte, 8, false);
                Outcome::Value(Value::Bits(self.cells.build.resize(low, 32, false)))
            }
            ("fflush", _) => Outcome::Value(Value::Bits(self.cells.build.bits(32, 0))),
            ("srand" | "srandom", _) => Outcome::Nothing,
            ("printf", [_, rest @ ..]) | ("fprintf", [_, _, rest @ ..]) if !wanted => {
                // Strings that are printed are read to their end.
                for argument in rest {
                    if matches!(argument, Value::Pointer(_)) {
                        self.string_length(state, argument)?;
                    }
                }
                Outcome::Nothing
            }
            ("rand" | "random", []) => return self.ranged(state, 0, i128::from(i32::MAX)).map(Some),
            ("getchar", []) => return self.ranged(state, -1, 255).map(Some),
            (name, [byte]) if class(name).is_some() || matches!(name, "toupper" | "tolower") => {
                let byte = self.integer(state, byte)?;
                Outcome::Value(Value::Bits(self.character(state, name, byte)?))
            }
            ("fabs" | "fabsf", [number]) => {
                let bits = self.integer(state, number)?;
                let width = self.cells.build.width(bits);
                let magnitude = self.cells.build.extract(bits, width - 2, 0);
                let plus = self.cells.build.bits(1, 0);
                Outcome::Value(Value::Bits(self.cells.build.concat(plus, magnitude)))
            }
            ("unreachable" | "__builtin_unreachable", []) => {
                let never = self.cells.build.truth(false);
                self.defined(state, never, Fault::Unreachable)?;
                Outcome::Ends
            }
            ("__assert_fail" | "__assert" | "__assert_func" | "__assert_rtn" | "_assert", _) => Outcome::Ends,
            ("$assembly" | "$assembly_with_memory", _) => {
                return self.not_followed(state, "inline assembly is executed");
            }
            (name, _) if c::interp::has_model(name) => {
                // What the interpreter computes is not an input, even where it is not followed here.
                return self.not_followed(state, &format!("`{name}` is called"));
            }
            _ => return Ok(None),
        }))
    }

    /// An input within a range.
    fn ranged(&mut self, state: &mut State, least: i128, most: i128) -> Result<Outcome, Dead> {
        let function = self.called.expect("a function is being called");
        let edge = self.edge.expect("an edge is being taken");
        let value = self.input(state, InputKind::Result { function, edge }, TypeId::INT, 0);
        let bits = self.integer(state, &value)?;
        let width = self.cells.build.width(bits);
        let (least, most) = (self.cells.build.bits(width, least), self.cells.build.bits(width, most));
        let above = self.cells.build.app(Op::BvSle, &[least, bits]);
        let below = self.cells.build.app(Op::BvSle, &[bits, most]);
        let inside = self.cells.build.and(above, below);
        self.demand(state, inside)?;
        Ok(Outcome::Value(value))
    }

    /// `isalpha`, `toupper` and the like, on bytes and end-of-file.
    fn character(&mut self, state: &State, name: &str, byte: Term) -> Result<Term, Dead> {
        let width = self.cells.build.width(byte);
        let within = |machine: &mut Self, low: i128, high: i128| {
            let (low, high) = (machine.cells.build.bits(width, low), machine.cells.build.bits(width, high));
            let above = machine.cells.build.app(Op::BvSle, &[low, byte]);
            let below = machine.cells.build.app(Op::BvSle, &[byte, high]);
            machine.cells.build.and(above, below)
        };
        let known = within(self, -1, 255);
        self.defined(state, known, Fault::LibraryPrecondition)?;
        if let Some(ranges) = class(name) {
            let mut parts = Vec::new();
            for &(low, high) in ranges {
                parts.push(within(self, i128::from(low), i128::from(high)));
            }
            let member = self.cells.build.any(&parts);
            return Ok(self.cells.build.truth_bits(member, width));
        }
        let (low, high, distance) = if name == "toupper" { (b'a', b'z', -32) } else { (b'A', b'Z', 32) };
        let changes = within(self, i128::from(low), i128::from(high));
        let distance = self.cells.build.bits(width, distance);
        let changed = self.cells.build.app(Op::BvAdd, &[byte, distance]);
        Ok(self.cells.build.ite(changes, changed, byte))
    }

    /// The length of an array of variable length, converted to a size, is positive.
    fn positive(&mut self, state: &State, count: Term) -> Result<(), Dead> {
        let zero = self.cells.build.bits(self.cells.build.width(count), 0);
        let positive = self.cells.build.app(Op::BvSgt, &[count, zero]);
        self.defined(state, positive, Fault::ArrayLength)
    }

    /// Whether the product of two sizes is far from overflow.
    fn fits(&mut self, left: Term, right: Term) -> Term {
        let limit = self.cells.build.bits(self.cells.build.width(left), 1 << 12);
        let (left, right) =
            (self.cells.build.app(Op::BvUle, &[left, limit]), self.cells.build.app(Op::BvUle, &[right, limit]));
        self.cells.build.and(left, right)
    }

    /// New memory of a size, or null.
    pub(super) fn memory(&mut self, state: &mut State, size: Term, zeroed: bool) -> Result<Value, Dead> {
        let found = self.room(state, size, zeroed)?;
        if self.quiet.is_some() {
            return Ok(found);
        }
        // The call may fail, but no test can make it fail.
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        let none = Value::Pointer(self.cells.build.pointer(NULL, zero));
        let fails = self.cells.build.terms.fresh("fails", &value::Sort::Bool);
        let guard = self.cells.build.and(state.guard.term(), fails);
        let name = self.called.map_or("malloc", |function| self.program.function(function).name.as_str());
        self.trace.unreal.push(Cut {
            guard,
            reason: format!("`{name}` fails"),
            bound: false,
            nodes: Vec::new(),
            begins: false,
            undefined: None,
        });
        Ok(self.cells.build.choose(fails, &none, &found))
    }

    /// New memory of a size.
    fn room(&mut self, state: &mut State, size: Term, zeroed: bool) -> Result<Value, Dead> {
        let capacity = match self.cells.build.constant(size) {
            Some(bytes) => u64::try_from(bytes).unwrap_or(u64::MAX),
            None => MOST_BYTES,
        };
        if (1 << 20) < capacity {
            return self.not_followed(state, "very much memory is allocated");
        }
        let limit = self.cells.build.bits(self.cells.build.width(size), i128::from(capacity));
        let small = self.cells.build.app(Op::BvUle, &[size, limit]);
        let large = self.cells.build.not(small);
        self.unsupported(state, large, &format!("more than {capacity} bytes are allocated at once"))?;
        let mut object = Object::new(&mut self.cells, capacity, None, zeroed);
        object.size = self.cells.build.resize(size, self.cells.pointer_bits, false);
        let id = self.allocate(state, object, None);
        let zero = self.cells.build.bits(self.cells.pointer_bits, 0);
        Ok(Value::Pointer(self.cells.build.pointer(id, zero)))
    }

    /// Only null and the beginning of living memory from `malloc` may be freed.
    pub(super) fn free(&mut self, state: &mut State, pointer: &Value) -> Result<(), Dead> {
        let pointer = self.as_pointer(state, pointer)?;
        let start = {
            let away = self.cells.build.non_zero(pointer.offset);
            self.cells.build.not(away)
        };
        let mut valid = Vec::new();
        for &target in pointer.targets.iter() {
            let here = self.cells.build.points_to(&pointer, target);
            if target == NULL {
                valid.push(here);
                continue;
            }
            if !self.is_allocated(target) {
                continue;
            }
            let Some(alive) = self.object(state, target).map(|object| object.alive) else { continue };
            valid.push(self.cells.build.and(here, alive));
            let spared = self.cells.build.not(here);
            let alive = self.cells.build.and(alive, spared);
            self.change(state, target, |_, object| object.alive = alive);
        }
        let valid = self.cells.build.any(&valid);
        let valid = self.cells.build.and(valid, start);
        self.defined(state, valid, Fault::BadFree)
    }

    fn is_allocated(&self, target: u32) -> bool {
        matches!(self.objects[target as usize].home, super::Home::Heap(_))
    }
}
