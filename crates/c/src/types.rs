//! Types: interned, so that equal types have equal ids, with their sizes and layouts.
//!
//! A [`TypeId`] carries the qualifiers `const` and `volatile`; [`Types::kind`] does not see them. What a later phase
//! mostly asks is [`Types::integer`]: the width and sign of an integer type, `_Bool`, `char` and enumerations included.

use rustc_hash::FxHashMap;
use source::Span;

use crate::model::DataModel;
use crate::program::VariableId;

/// A type with its qualifiers. Equal types have equal ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(u32);

const CONST: u32 = 1;
const VOLATILE: u32 = 2;

impl TypeId {
    /// `void`.
    pub const VOID: TypeId = TypeId(0);
    /// `_Bool`.
    pub const BOOL: TypeId = TypeId(1 << 2);
    /// `char`.
    pub const CHAR: TypeId = TypeId(2 << 2);
    /// `signed char`.
    pub const SCHAR: TypeId = TypeId(3 << 2);
    /// `unsigned char`.
    pub const UCHAR: TypeId = TypeId(4 << 2);
    /// `short`.
    pub const SHORT: TypeId = TypeId(5 << 2);
    /// `unsigned short`.
    pub const USHORT: TypeId = TypeId(6 << 2);
    /// `int`.
    pub const INT: TypeId = TypeId(7 << 2);
    /// `unsigned int`.
    pub const UINT: TypeId = TypeId(8 << 2);
    /// `long`.
    pub const LONG: TypeId = TypeId(9 << 2);
    /// `unsigned long`.
    pub const ULONG: TypeId = TypeId(10 << 2);
    /// `long long`.
    pub const LLONG: TypeId = TypeId(11 << 2);
    /// `unsigned long long`.
    pub const ULLONG: TypeId = TypeId(12 << 2);
    /// `__int128`.
    pub const INT128: TypeId = TypeId(13 << 2);
    /// `unsigned __int128`.
    pub const UINT128: TypeId = TypeId(14 << 2);
    /// `float`.
    pub const FLOAT: TypeId = TypeId(15 << 2);
    /// `double`.
    pub const DOUBLE: TypeId = TypeId(16 << 2);
    /// `long double`: 80 bits, as the x87 has it.
    pub const LONG_DOUBLE: TypeId = TypeId(17 << 2);
    /// `__builtin_va_list`. Declared and laid out, but not computed with.
    pub const VA_LIST: TypeId = TypeId(18 << 2);

    /// The type without its own qualifiers.
    pub fn unqualified(self) -> TypeId {
        TypeId(self.0 & !3)
    }

    /// Whether the type is `const`.
    pub fn is_const(self) -> bool {
        self.0 & CONST != 0
    }

    /// Whether the type is `volatile`.
    pub fn is_volatile(self) -> bool {
        self.0 & VOLATILE != 0
    }

    /// The type, `const` if asked for.
    pub fn with_const(self, yes: bool) -> TypeId {
        if yes { TypeId(self.0 | CONST) } else { self }
    }

    /// The type, `volatile` if asked for.
    pub fn with_volatile(self, yes: bool) -> TypeId {
        if yes { TypeId(self.0 | VOLATILE) } else { self }
    }

    /// The type with the qualifiers of another added to its own.
    pub fn qualified_like(self, other: TypeId) -> TypeId {
        TypeId(self.0 | (other.0 & 3))
    }

    fn index(self) -> usize {
        (self.0 >> 2) as usize
    }
}

/// A structure or union, among [`Types::record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// An enumeration, among [`Types::enumeration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// What a type is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer type other than `_Bool` and the enumerations.
    Integer(IntegerKind),
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long double`.
    LongDouble,
    /// The type behind `va_list`.
    VaList,
    /// A pointer.
    Pointer(TypeId),
    /// An array; the length is unknown for `extern int a[];` and flexible members.
    Array {
        /// The type of an element.
        element: TypeId,
        /// The number of elements.
        length: Option<u64>,
    },
    /// An array whose length is not constant.
    VariableArray {
        /// The type of an element.
        element: TypeId,
        /// The variable that holds how many elements it has, those of elements that are such arrays themselves counted one by one; none
        /// in prototypes, where lengths are not computed.
        count: Option<VariableId>,
    },
    /// A function.
    Function {
        /// The type of the result.
        result: TypeId,
        /// The types of the parameters, adjusted: arrays and functions are pointers.
        parameters: Vec<TypeId>,
        /// Whether more arguments may follow.
        variadic: bool,
        /// Whether the parameters are declared; `int f();` says nothing about them.
        prototyped: bool,
    },
    /// A structure or union.
    Record(RecordId),
    /// An enumeration.
    Enum(EnumId),
}

/// The integer types with a rank, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum IntegerKind {
    /// `char`.
    Char,
    /// `signed char`.
    SChar,
    /// `unsigned char`.
    UChar,
    /// `short`.
    Short,
    /// `unsigned short`.
    UShort,
    /// `int`.
    Int,
    /// `unsigned int`.
    UInt,
    /// `long`.
    Long,
    /// `unsigned long`.
    ULong,
    /// `long long`.
    LLong,
    /// `unsigned long long`.
    ULLong,
    /// `__int128`.
    Int128,
    /// `unsigned __int128`.
    UInt128,
}

/// The width and sign of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Integer {
    /// Bits of the value; 8 for `_Bool`, whose values are 0 and 1.
    pub bits: u32,
    /// Whether it has a sign.
    pub signed: bool,
}

impl Integer {
    /// The value modulo two to the width, as this type reads it.
    pub fn wrap(self, value: i128) -> i128 {
        if self.bits >= 128 {
            return value;
        }
        let shift = 128 - self.bits;
        if self.signed { (value << shift) >> shift } else { ((value as u128) << shift >> shift) as i128 }
    }

    /// Whether the type holds the value. Values of 128 unsigned bits are represented by their bit pattern.
    pub fn holds(self, value: i128) -> bool {
        self.wrap(value) == value
    }

    /// The smallest value.
    pub fn min(self) -> i128 {
        if self.signed { i128::MIN >> (128 - self.bits) } else { 0 }
    }

    /// The largest value; all bits set for 128 unsigned bits.
    pub fn max(self) -> i128 {
        match (self.signed, self.bits) {
            (true, bits) => i128::MAX >> (128 - bits),
            (false, 128) => -1,
            (false, bits) => ((1u128 << bits) - 1) as i128,
        }
    }
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// Whether it is a union.
    pub union: bool,
    /// The members, once they are known.
    pub layout: Option<Layout>,
    /// Where it is declared, in the preprocessed text.
    pub span: Span,
    /// The name that a typedef gives it where it has no tag.
    pub alias: Option<String>,
}

/// The members of a structure or union and where they are.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The members in order of declaration, unnamed bit-fields left out.
    pub fields: Vec<Field>,
    /// Bytes of the whole, padding included.
    pub size: u64,
    /// The alignment in bytes.
    pub alignment: u64,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name; none for an anonymous structure or union.
    pub name: Option<String>,
    /// The declared type.
    pub ty: TypeId,
    /// The first byte, of the storage unit for a bit-field.
    pub offset: u64,
    /// The bits within the storage unit, if it is a bit-field.
    pub bits: Option<BitField>,
}

/// The bits of a bit-field within its storage unit, which has the size of the declared type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    /// The lowest bit, counted from the least significant bit of the storage unit.
    pub shift: u32,
    /// The number of bits.
    pub width: u32,
}

impl BitField {
    /// The bytes from the first of its storage unit on that it lies in, at least as many as its type has: a packed field may go on
    /// behind its unit.
    pub fn reach(self, size: u64) -> u64 {
        size.max(u64::from(self.shift + self.width).div_ceil(8))
    }
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The tag, if it has one.
    pub tag: Option<String>,
    /// The integer type that holds its values.
    pub underlying: TypeId,
    /// The names and values in order of declaration.
    pub values: Vec<(String, i128)>,
    /// Whether its values are known.
    pub complete: bool,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    kinds: Vec<Type>,
    known: FxHashMap<Type, u32>,
    records: Vec<Record>,
    enumerations: Vec<Enumeration>,
}

impl Types {
    /// The basic types on a machine.
    pub fn new(model: DataModel) -> Types {
        use IntegerKind::*;
        let mut types = Types {
            model,
            kinds: Vec::new(),
            known: FxHashMap::default(),
            records: Vec::new(),
            enumerations: Vec::new(),
        };
        types.intern(Type::Void);
        types.intern(Type::Bool);
        for kind in [Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LLong, ULLong, Int128, UInt128] {
            types.intern(Type::Integer(kind));
        }
        for kind in [Type::Float, Type::Double, Type::LongDouble, Type::VaList] {
            types.intern(kind);
        }
        types
    }

    /// The machine.
    pub fn model(&self) -> &DataModel {
        &self.model
    }

    /// The id of a type, without qualifiers.
    pub fn intern(&mut self, kind: Type) -> TypeId {
        if let Some(&index) = self.known.get(&kind) {
            return TypeId(index << 2);
        }
        let index = self.kinds.len() as u32;
        self.kinds.push(kind.clone());
        self.known.insert(kind, index);
        TypeId(index << 2)
    }

    /// The pointer to a type.
    pub fn pointer(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }

    /// The array of a type.
    pub fn array(&mut self, element: TypeId, length: Option<u64>) -> TypeId {
        self.intern(Type::Array { element, length })
    }

    /// A new structure or union whose members are not known yet.
    pub fn new_record(&mut self, record: Record) -> TypeId {
        self.records.push(record);
        self.intern(Type::Record(RecordId(self.records.len() as u32 - 1)))
    }

    /// A new enumeration.
    pub fn new_enumeration(&mut self, enumeration: Enumeration) -> TypeId {
        self.enumerations.push(enumeration);
        self.intern(Type::Enum(EnumId(self.enumerations.len() as u32 - 1)))
    }

    /// A structure or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// A structure or union, to set its members.
    pub(crate) fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// An enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enumerations[id.0 as usize]
    }

    /// An enumeration, to set its values.
    pub(crate) fn enumeration_mut(&mut self, id: EnumId) -> &mut Enumeration {
        &mut self.enumerations[id.0 as usize]
    }

    /// What a type is, qualifiers aside.
    pub fn kind(&self, id: TypeId) -> &Type {
        &self.kinds[id.index()]
    }

    /// The width and sign of an integer type, enumerations and `_Bool` included.
    pub fn integer(&self, id: TypeId) -> Option<Integer> {
        let of = |bytes: u8, signed: bool| Some(Integer { bits: 8 * u32::from(bytes), signed });
        match self.kind(id) {
            Type::Bool => of(1, false),
            Type::Integer(kind) => Some(self.width(*kind)),
            Type::Enum(id) => self.integer(self.enumeration(*id).underlying),
            Type::Void
            | Type::Float
            | Type::Double
            | Type::LongDouble
            | Type::VaList
            | Type::Pointer(_)
            | Type::Array { .. }
            | Type::VariableArray { .. }
            | Type::Function { .. }
            | Type::Record(_) => None,
        }
    }

    /// The width and sign of an integer kind on this machine.
    pub fn width(&self, kind: IntegerKind) -> Integer {
        let of = |bytes: u8, signed: bool| Integer { bits: 8 * u32::from(bytes), signed };
        match kind {
            IntegerKind::Char => of(1, self.model.signed_char),
            IntegerKind::SChar => of(1, true),
            IntegerKind::UChar => of(1, false),
            IntegerKind::Short => of(self.model.short, true),
            IntegerKind::UShort => of(self.model.short, false),
            IntegerKind::Int => of(self.model.int, true),
            IntegerKind::UInt => of(self.model.int, false),
            IntegerKind::Long => of(self.model.long, true),
            IntegerKind::ULong => of(self.model.long, false),
            IntegerKind::LLong => of(self.model.long_long, true),
            IntegerKind::ULLong => of(self.model.long_long, false),
            IntegerKind::Int128 => of(16, true),
            IntegerKind::UInt128 => of(16, false),
        }
    }

    /// Bytes of an object of this type; none while it is incomplete, where its length is not constant, and for functions and `void`.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        match self.kind(id) {
            Type::Void | Type::Function { .. } | Type::VariableArray { .. } => None,
            Type::Bool | Type::Integer(_) => self.integer(id).map(|integer| u64::from(integer.bits / 8)),
            Type::Float => Some(4),
            Type::Double => Some(8),
            Type::LongDouble => Some(u64::from(self.model.long_double)),
            Type::VaList => Some(3 * u64::from(self.model.pointer)),
            Type::Pointer(_) => Some(u64::from(self.model.pointer)),
            Type::Array { element, length } => self.size(*element)?.checked_mul((*length)?),
            Type::Record(id) => self.record(*id).layout.as_ref().map(|layout| layout.size),
            Type::Enum(id) => {
                let enumeration = self.enumeration(*id);
                if enumeration.complete { self.size(enumeration.underlying) } else { None }
            }
        }
    }

    /// The alignment of an object of this type; 1 where it has none.
    pub fn alignment(&self, id: TypeId) -> u64 {
        let wide = u64::from(self.model.wide_alignment);
        match self.kind(id) {
            Type::Void | Type::Function { .. } => 1,
            Type::Bool => 1,
            Type::Integer(kind @ (IntegerKind::LLong | IntegerKind::ULLong)) => {
                u64::from(self.width(*kind).bits / 8).min(wide)
            }
            Type::Integer(kind) => u64::from(self.width(*kind).bits / 8),
            Type::Float => 4,
            Type::Double => wide,
            Type::LongDouble => {
                if self.model.long_double == 12 {
                    4
                } else {
                    16
                }
            }
            Type::VaList | Type::Pointer(_) => u64::from(self.model.pointer),
            Type::Array { element, .. } | Type::VariableArray { element, .. } => self.alignment(*element),
            Type::Record(id) => self.record(*id).layout.as_ref().map_or(1, |layout| layout.alignment),
            Type::Enum(id) => self.alignment(self.enumeration(*id).underlying),
        }
    }

    /// The unsigned type of `sizeof`.
    pub fn size_type(&self) -> TypeId {
        if self.model.long == self.model.pointer {
            TypeId::ULONG
        } else if self.model.int == self.model.pointer {
            TypeId::UINT
        } else {
            TypeId::ULLONG
        }
    }

    /// The signed type of a pointer difference.
    pub fn difference_type(&self) -> TypeId {
        if self.model.long == self.model.pointer {
            TypeId::LONG
        } else if self.model.int == self.model.pointer {
            TypeId::INT
        } else {
            TypeId::LLONG
        }
    }

    /// What a pointer points to.
    pub fn target(&self, id: TypeId) -> Option<TypeId> {
        if let Type::Pointer(target) = self.kind(id) { Some(*target) } else { None }
    }

    /// What an array of variable length consists of in the end: elements whose size is known. Other types consist of themselves.
    pub fn plain_element(&self, mut id: TypeId) -> TypeId {
        while let Type::VariableArray { element, .. } = self.kind(id) {
            id = *element;
        }
        id
    }

    /// Whether it is an integer type.
    pub fn is_integer(&self, id: TypeId) -> bool {
        self.integer(id).is_some()
    }

    /// Whether it is a floating type.
    pub fn is_floating(&self, id: TypeId) -> bool {
        matches!(self.kind(id), Type::Float | Type::Double | Type::LongDouble)
    }

    /// Whether it is an integer or floating type.
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_floating(id)
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.kind(id), Type::Pointer(_))
    }

    /// Whether it is an arithmetic type or a pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether it is a structure or union.
    pub fn is_record(&self, id: TypeId) -> bool {
        matches!(self.kind(id), Type::Record(_))
    }
}
