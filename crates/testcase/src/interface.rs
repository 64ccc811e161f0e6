//! The interface of what is tested: its inputs and outputs with their sorts, as a suite writes them down.

use serde::{Deserialize, Serialize};
use value::Sort;

/// The inputs and outputs of what is tested, in order of declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interface {
    /// What a test sets.
    pub inputs: Vec<Port>,
    /// What a test expects.
    pub outputs: Vec<Port>,
}

/// An input or an output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Port {
    /// Its name.
    pub name: String,
    /// Its sort, as SMT-LIB writes it; the name of an enumeration.
    pub sort: String,
    /// The values of an enumeration, in order of declaration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<String>,
}

impl Port {
    /// The port called `name` of sort `sort`.
    pub fn new(name: impl Into<String>, sort: &Sort) -> Port {
        let variants = match sort {
            Sort::Enum(sort) => sort.variants.clone(),
            Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Array(_) => Vec::new(),
        };
        Port { name: name.into(), sort: sort.to_string(), variants }
    }

    /// The sort; none for arrays and for what this version does not know.
    pub fn sort(&self) -> Option<Sort> {
        if !self.variants.is_empty() {
            return Some(Sort::enumeration(self.sort.as_str(), self.variants.clone()));
        }
        match self.sort.as_str() {
            "Bool" => Some(Sort::Bool),
            "Int" => Some(Sort::Int),
            "Real" => Some(Sort::Real),
            other => {
                let width: u32 = other.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse().ok()?;
                (0 < width).then_some(Sort::BitVec(width))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_survive_being_written_down() {
        let colour = Sort::enumeration("Colour", vec!["red".into(), "green".into()]);
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::BitVec(7), colour] {
            assert_eq!(Port::new("x", &sort).sort(), Some(sort));
        }
        assert_eq!(Port::new("x", &Sort::array(Sort::Int, Sort::Bool)).sort(), None);
    }
}
