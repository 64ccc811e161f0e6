//! The names of a model.

use std::collections::BTreeMap;

use source::{Diagnostic, nearest};

use crate::ast::{Name, TypeKind};
use crate::codes;
use crate::spec::Variable;

/// What each name of a model stands for.
#[derive(Default)]
pub(super) struct Scope<'a> {
    pub(super) types: BTreeMap<&'a str, &'a TypeKind>,
    /// The values with names of their own.
    pub(super) labels: BTreeMap<&'a str, i64>,
    pub(super) variables: BTreeMap<&'a str, Variable>,
    /// The numbers of the actions; of two with the same name the first.
    pub(super) actions: BTreeMap<&'a str, usize>,
}

/// The error about a name that stands for nothing, with the nearest one that does.
pub(super) fn unknown<'n>(what: &str, name: &Name, known: impl Iterator<Item = &'n str>) -> Diagnostic {
    let error = Diagnostic::error(&codes::UNKNOWN_NAME, name.span(), format!("unknown {what} `{}`", name.text));
    match nearest(&name.text, known) {
        Some(near) => error.help(format!("Do you mean `{near}`?")),
        None if what == "variable" => {
            error.help(format!("Declare it: `type Small = 0..5;` and `var {}: Small = 0;`.", name.text))
        }
        None => error,
    }
}
