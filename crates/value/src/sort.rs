//! Sorts: what kind of value a variable or a term has.

use std::fmt;
use std::sync::Arc;

/// The sort of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Unbounded integers.
    Int,
    /// Exact rationals, standing for the reals.
    Real,
    /// Bit-vectors of a width of at least one.
    BitVec(u32),
    /// A finite set of named values.
    Enum(Arc<EnumSort>),
    /// Total maps from an index sort to an element sort.
    Array(Arc<(Sort, Sort)>),
}

/// An enumeration: a name and its variants, in order of declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumSort {
    /// The name of the sort.
    pub name: String,
    /// The names of its values; never empty.
    pub variants: Vec<String>,
}

impl Sort {
    /// The sort of arrays from `index` to `element`.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new((index, element)))
    }

    /// The enumeration `name` with `variants`, which must not be empty.
    pub fn enumeration(name: impl Into<String>, variants: Vec<String>) -> Sort {
        assert!(!variants.is_empty(), "an enumeration has at least one variant");
        Sort::Enum(Arc::new(EnumSort { name: name.into(), variants }))
    }

    /// Whether values of this sort are numbers with an order.
    pub fn is_numeric(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

impl EnumSort {
    /// The position of the variant called `name`.
    pub fn position(&self, name: &str) -> Option<u32> {
        self.variants.iter().position(|variant| variant == name).map(|index| index as u32)
    }
}

/// Prints the sort as SMT-LIB does, except that enumerations print their name.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::BitVec(width) => write!(f, "(_ BitVec {width})"),
            Sort::Enum(sort) => f.write_str(&sort.name),
            Sort::Array(parts) => write!(f, "(Array {} {})", parts.0, parts.1),
        }
    }
}
