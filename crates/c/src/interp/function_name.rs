//! Names of functions as values of inputs: as small to copy as the other values.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use indexmap::IndexSet;

/// The name of a function that a pointer points to. Equal names are equal values, in whatever program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionName(u32);

/// All names that were ever values. There are as many as the programs and tests of a process name functions.
static NAMES: RwLock<Option<IndexSet<String>>> = RwLock::new(None);

impl FunctionName {
    /// The value of a name.
    pub fn new(name: &str) -> FunctionName {
        let known = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = known.as_ref().and_then(|names| names.get_index_of(name)) {
            return FunctionName(number as u32);
        }
        drop(known);
        let mut names = NAMES.write().unwrap_or_else(PoisonError::into_inner);
        let (number, _) = names.get_or_insert_with(IndexSet::new).insert_full(name.to_owned());
        FunctionName(number as u32)
    }
}

impl fmt::Display for FunctionName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.read().unwrap_or_else(PoisonError::into_inner);
        let name = names.as_ref().and_then(|names| names.get_index(self.0 as usize));
        formatter.write_str(name.map_or("?", String::as_str))
    }
}
