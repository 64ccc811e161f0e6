//! The names symbols, enumerations and their variants go by in a script: legal, and no two alike.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use value::EnumSort;

use crate::{Op, Term, Terms};

type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// The names given so far.
pub(crate) struct Names {
    prefix: &'static str,
    taken: HashSet<String, FxBuildHasher>,
    symbols: Map<Term, Arc<str>>,
    definitions: Map<Term, Arc<str>>,
    enumerations: Map<Arc<EnumSort>, Enumeration>,
}

/// The names of an enumeration.
#[derive(Clone)]
pub(crate) struct Enumeration {
    /// The sort's.
    pub(crate) name: Arc<str>,
    /// The variants', in order.
    pub(crate) variants: Arc<[Arc<str>]>,
}

/// Words that are not operator of ours and yet cannot be declared.
const RESERVED: &[&str] = &[
    "!",
    "_",
    "as",
    "BINARY",
    "DECIMAL",
    "exists",
    "HEXADECIMAL",
    "forall",
    "let",
    "match",
    "NUMERAL",
    "par",
    "STRING",
    "true",
    "false",
    "const",
    "lambda",
    "implies",
    "iff",
    "if",
    "ubv_to_int",
    "sbv_to_int",
    "int_to_bv",
];

impl Names {
    /// Names as close to the user's as SMT-LIB allows.
    pub(crate) fn plain() -> Names {
        Names::with_prefix("")
    }

    /// Names that are not solver's built-in function, whichever it has beyond the standard.
    pub(crate) fn prefixed() -> Names {
        Names::with_prefix("s.")
    }

    fn with_prefix(prefix: &'static str) -> Names {
        let words = Op::ALL.iter().map(|op| op.name()).chain(RESERVED.iter().copied());
        Names {
            prefix,
            taken: words.map(str::to_owned).collect(),
            symbols: Map::default(),
            definitions: Map::default(),
            enumerations: Map::default(),
        }
    }

    /// The name of a symbol, quoted where it must be.
    pub(crate) fn symbol(&mut self, terms: &Terms, symbol: Term) -> Arc<str> {
        if let Some(name) = self.symbols.get(&symbol) {
            return name.clone();
        }
        let name = self.unique(terms.name(symbol).expect("only symbols have names"));
        self.symbols.insert(symbol, name.clone());
        name
    }

    /// Whether a term is a symbol that has a name.
    pub(crate) fn is_symbol(&self, term: Term) -> bool {
        self.symbols.contains_key(&term)
    }

    /// The name of the definition that stands for a term.
    pub(crate) fn definition(&mut self, term: Term) -> Arc<str> {
        if let Some(name) = self.definitions.get(&term) {
            return name.clone();
        }
        let name = self.free(format!("${}", term.index()));
        self.definitions.insert(term, name.clone());
        name
    }

    /// A name for something that is not a term.
    pub(crate) fn fresh(&mut self, stem: &str) -> Arc<str> {
        self.free(stem.to_owned())
    }

    /// The names of an enumeration.
    pub(crate) fn enumeration(&mut self, sort: &Arc<EnumSort>) -> Enumeration {
        if let Some(names) = self.enumerations.get(sort) {
            return names.clone();
        }
        let name = self.unique(&sort.name);
        let variants = sort.variants.iter().map(|variant| self.unique(variant)).collect();
        let names = Enumeration { name, variants };
        self.enumerations.insert(sort.clone(), names.clone());
        names
    }

    fn unique(&mut self, wanted: &str) -> Arc<str> {
        let plain = self.prefix.is_empty();
        let legal = |c: char| c != '|' && c != '\\' && !c.is_control() && (plain || c.is_ascii());
        let name: String = wanted.chars().map(|c| if legal(c) { c } else { '_' }).collect();
        self.free(format!("{}{name}", self.prefix))
    }

    fn free(&mut self, stem: String) -> Arc<str> {
        let mut name = stem.clone();
        let mut count = 1;
        while !self.taken.insert(name.clone()) {
            name = format!("{stem}!{count}");
            count += 1;
        }
        quoted(&name).into()
    }
}

fn quoted(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit() && c != '@' && c != '.');
    if starts_well && name.chars().all(simple) { name.to_owned() } else { format!("|{name}|") }
}
