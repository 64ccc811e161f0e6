//! Data models: how wide and how aligned the basic types are on a machine.

/// The widths of the basic types and the order of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataModel {
    /// Bytes of `short`.
    pub short: u8,
    /// Bytes of `int`.
    pub int: u8,
    /// Bytes of `long`.
    pub long: u8,
    /// Bytes of `long long`.
    pub long_long: u8,
    /// Bytes of a pointer; also of `size_t` and `ptrdiff_t`.
    pub pointer: u8,
    /// Bytes of `long double`.
    pub long_double: u8,
    /// The largest alignment of `long long` and `double`.
    pub wide_alignment: u8,
    /// Whether plain `char` is signed.
    pub signed_char: bool,
    /// Whether the most significant byte comes first.
    pub big_endian: bool,
}

impl DataModel {
    /// 64-bit Unix: `int` 32, `long` and pointers 64 bits. The default.
    pub const LP64: DataModel = DataModel {
        short: 2,
        int: 4,
        long: 8,
        long_long: 8,
        pointer: 8,
        long_double: 16,
        wide_alignment: 8,
        signed_char: true,
        big_endian: false,
    };
    /// `int`, `long` and pointers 64 bits.
    pub const ILP64: DataModel = DataModel { int: 8, ..DataModel::LP64 };
    /// 64-bit Windows: `int` and `long` 32 bits, pointers 64.
    pub const LLP64: DataModel = DataModel { long: 4, ..DataModel::LP64 };
    /// 32-bit Unix: `int`, `long` and pointers 32 bits.
    pub const ILP32: DataModel =
        DataModel { long: 4, pointer: 4, long_double: 12, wide_alignment: 4, ..DataModel::LP64 };
    /// 16-bit machines: `int` 16, `long` and pointers 32 bits.
    pub const LP32: DataModel = DataModel { int: 2, ..DataModel::ILP32 };

    /// Machines by name: models of The Open Group, widths of `int`, and systems.
    pub const NAMES: [(&'static str, DataModel); 13] = [
        ("LP64", DataModel::LP64),
        ("ILP64", DataModel::ILP64),
        ("LLP64", DataModel::LLP64),
        ("ILP32", DataModel::ILP32),
        ("LP32", DataModel::LP32),
        ("16", DataModel::LP32),
        ("32", DataModel::ILP32),
        ("64", DataModel::ILP64),
        ("i386-linux", DataModel::ILP32),
        ("i386-macos", DataModel { long_double: 16, ..DataModel::ILP32 }),
        ("ppc-macos", DataModel { long_double: 16, big_endian: true, ..DataModel::ILP32 }),
        ("i386-win32", DataModel { wide_alignment: 8, ..DataModel::ILP32 }),
        ("winx64", DataModel::LLP64),
    ];

    /// The machine of this name, in any case.
    pub fn named(name: &str) -> Option<DataModel> {
        let found = DataModel::NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, model)| *model)
    }
}

impl Default for DataModel {
    fn default() -> DataModel {
        DataModel::LP64
    }
}
