//! What the names of a file stand for.

use rustc_hash::FxHashMap;
use source::{Diagnostic, Source, Span};
use value::Sort;

use super::Errors;
use crate::ast::{Ast, Body, ItemKind, SortNode};
use crate::rank::WIDEST;
use crate::{Variable, codes};
use source::nearest;

/// The declared names.
pub(super) struct Names<'a> {
    pub(super) variables: Vec<Variable>,
    /// The variable of each declared input name; none where it was declared before or its sort is not known.
    pub(super) declared: Vec<Option<usize>>,
    pub(super) definitions: Vec<Definition>,
    /// The definitions that are decisions.
    pub(super) decisions: Vec<usize>,
    pub(super) sorts: FxHashMap<&'a str, Sort>,
    symbols: FxHashMap<&'a str, Symbol>,
    /// Every name, in order of declaration, for suggestions.
    spoken: Vec<&'a str>,
}

/// What a name stands for.
#[derive(Clone)]
pub(super) enum Symbol {
    Variable(usize),
    Definition(usize),
    /// A value of one or more enumerations.
    Variant(Vec<Sort>),
    /// An input whose sort is not known; reported already.
    Broken,
}

/// A `let` or a decision.
pub(super) struct Definition {
    pub(super) name: Option<Span>,
    pub(super) params: Vec<(Span, Option<Sort>)>,
    pub(super) body: Body,
}

impl Definition {
    pub(super) fn name_text<'a>(&self, source: &'a Source) -> &'a str {
        self.name.map_or("decision", |name| source.slice(name))
    }
}

impl<'a> Names<'a> {
    pub(super) fn declare(source: &'a Source, ast: &Ast, errors: &mut Errors) -> Names<'a> {
        let mut names = Names {
            variables: Vec::new(),
            declared: Vec::new(),
            definitions: Vec::new(),
            decisions: Vec::new(),
            sorts: FxHashMap::default(),
            symbols: FxHashMap::default(),
            spoken: Vec::new(),
        };
        let mut places: FxHashMap<&'a str, Span> = FxHashMap::default();
        for item in &ast.items {
            if let ItemKind::Type { name, variants } = &item.kind {
                names.enumeration(source, *name, variants, &mut places, errors);
            }
        }
        for item in &ast.items {
            match &item.kind {
                ItemKind::Type { .. } | ItemKind::Assume { .. } => {}
                ItemKind::Input { names: inputs, sort, .. } => {
                    let sort = names.sort(source, sort, errors);
                    for &name in inputs {
                        names.input(source, name, sort.clone(), &mut places, errors);
                    }
                }
                ItemKind::Let { name, params, body } => {
                    let params = params.iter().map(|(name, sort)| (*name, names.sort(source, sort, errors))).collect();
                    distinct_params(source, &params, errors);
                    let definition = Definition { name: Some(*name), params, body: *body };
                    names.definition(source, definition, &mut places, errors);
                }
                ItemKind::Decision { name, body } => {
                    let definition = Definition { name: *name, params: Vec::new(), body: *body };
                    let index = names.definition(source, definition, &mut places, errors);
                    names.decisions.push(index);
                }
            }
        }
        names
    }

    pub(super) fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.symbols.get(name)
    }

    /// "there is no …" with the nearest name.
    pub(super) fn unknown(&self, name: &str, span: Span, function: bool) -> Diagnostic {
        let what = if function { "a function" } else { "anything" };
        let error = Diagnostic::error(&codes::UNKNOWN_NAME, span, format!("`{name}` is not the name of {what}"));
        match nearest(name, self.spoken.iter().copied()) {
            Some(near) => error.help(format!("Did you mean `{near}`?")),
            None if function => error.help(format!("Define it: `let {name}(x: int) = …;`.")),
            None => error
                .help(format!("Declare it: `input {name}: bool;` for a condition, `input {name}: int;` for a number.")),
        }
    }

    fn claim(
        &mut self,
        source: &'a Source,
        name: Span,
        places: &mut FxHashMap<&'a str, Span>,
        errors: &mut Errors,
    ) -> Option<&'a str> {
        let text = source.slice(name);
        if let Some(first) = places.get(text) {
            let message = format!("`{text}` is declared twice");
            errors.push(Diagnostic::error(&codes::DUPLICATE_NAME, name, message).also(*first, "first declared here"));
            return None;
        }
        places.insert(text, name);
        self.spoken.push(text);
        Some(text)
    }

    fn enumeration(
        &mut self,
        source: &'a Source,
        name: Span,
        variants: &[Span],
        places: &mut FxHashMap<&'a str, Span>,
        errors: &mut Errors,
    ) {
        let Some(text) = self.claim(source, name, places, errors) else { return };
        let mut own: FxHashMap<&str, Span> = FxHashMap::default();
        let mut texts = Vec::new();
        for &variant in variants {
            let text = source.slice(variant);
            if let Some(first) = own.insert(text, variant) {
                let message = format!("`{text}` is listed twice");
                let error = Diagnostic::error(&codes::DUPLICATE_NAME, variant, message);
                errors.push(error.also(first, "first listed here"));
            } else {
                texts.push(text.to_owned());
            }
        }
        let sort = Sort::enumeration(text, texts);
        self.sorts.insert(text, sort.clone());
        for &variant in variants {
            let text = source.slice(variant);
            match self.symbols.get_mut(text) {
                Some(Symbol::Variant(sorts)) => {
                    if !sorts.contains(&sort) {
                        sorts.push(sort.clone());
                    }
                }
                Some(Symbol::Variable(_) | Symbol::Definition(_) | Symbol::Broken) => {}
                None => {
                    places.entry(text).or_insert(variant);
                    self.spoken.push(text);
                    self.symbols.insert(text, Symbol::Variant(vec![sort.clone()]));
                }
            }
        }
    }

    fn input(
        &mut self,
        source: &'a Source,
        name: Span,
        sort: Option<Sort>,
        places: &mut FxHashMap<&'a str, Span>,
        errors: &mut Errors,
    ) {
        let text = self.claim(source, name, places, errors);
        self.declared.push(text.and(sort.as_ref()).map(|_| self.variables.len()));
        let Some(text) = text else { return };
        let Some(sort) = sort else {
            self.symbols.insert(text, Symbol::Broken);
            return;
        };
        self.symbols.insert(text, Symbol::Variable(self.variables.len()));
        self.variables.push(Variable { name: text.to_owned(), sort, range: None, span: name });
    }

    fn definition(
        &mut self,
        source: &'a Source,
        definition: Definition,
        places: &mut FxHashMap<&'a str, Span>,
        errors: &mut Errors,
    ) -> usize {
        let index = self.definitions.len();
        match definition.name {
            Some(name) => {
                if let Some(text) = self.claim(source, name, places, errors) {
                    self.symbols.insert(text, Symbol::Definition(index));
                }
            }
            None => {
                if let Some(&other) = self.decisions.iter().find(|&&other| self.definitions[other].name.is_none()) {
                    let message = "several decisions have no name";
                    let error = Diagnostic::error(&codes::DUPLICATE_NAME, definition.body.span, message);
                    let error = error.also(self.definitions[other].body.span, "the first of them");
                    errors.push(error.help("Name them: `decision NAME = FORMULA;`."));
                }
            }
        }
        self.definitions.push(definition);
        index
    }

    /// The sort that is written; its depth is limited by the parser.
    fn sort(&self, source: &Source, node: &SortNode, errors: &mut Errors) -> Option<Sort> {
        match node {
            SortNode::Array(index, element) => {
                if matches!(**index, SortNode::Array(..)) {
                    let message = "arrays indexed by arrays are not supported";
                    errors.push(Diagnostic::error(&codes::UNSUPPORTED, place(node), message));
                    return None;
                }
                let index = self.sort(source, index, errors);
                Some(Sort::array(index?, self.sort(source, element, errors)?))
            }
            SortNode::BitVec(width) => match source.slice(*width).parse::<u32>() {
                Ok(bits) if (1..=WIDEST).contains(&bits) => Some(Sort::BitVec(bits)),
                _ => {
                    let message = format!("the width of a bit-vector must be a number from 1 to {WIDEST}");
                    errors.push(Diagnostic::error(&codes::BAD_NUMBER, *width, message));
                    None
                }
            },
            SortNode::Named(span) => {
                let name = source.slice(*span);
                let built_in = match name {
                    "bool" | "boolean" | "Bool" => Some(Sort::Bool),
                    "int" | "integer" | "Int" => Some(Sort::Int),
                    "real" | "Real" => Some(Sort::Real),
                    "u8" => Some(Sort::BitVec(8)),
                    "u16" => Some(Sort::BitVec(16)),
                    "u32" => Some(Sort::BitVec(32)),
                    "u64" => Some(Sort::BitVec(64)),
                    _ => self.sorts.get(name).cloned(),
                };
                if built_in.is_none() {
                    let known = ["bool", "int", "real", "bitvec", "array", "u8", "u16", "u32", "u64"];
                    let error = Diagnostic::error(&codes::UNKNOWN_SORT, *span, format!("unknown sort `{name}`"));
                    let near = nearest(name, known.into_iter().chain(self.spoken.iter().copied()));
                    errors.push(match near {
                        _ if elsewhere(name).is_some() => error.help(elsewhere(name).unwrap_or_default()),
                        Some(near) => error.help(format!("Did you mean `{near}`?")),
                        None => error.help(format!("An enumeration is declared `type {name} = {{ a, b }};`.")),
                    });
                }
                built_in
            }
        }
    }
}

/// What to write for a sort that has another name in other languages.
fn elsewhere(name: &str) -> Option<&'static str> {
    let help = match name.to_ascii_lowercase().as_str() {
        "float" | "double" | "decimal" | "number" | "rational" | "f32" | "f64" => {
            "Numbers with a fraction are `real`: they are exact, not rounded."
        }
        "uint8" | "uint8_t" | "byte" | "char" => "Unsigned numbers of 8 bits are `u8`.",
        "uint16" | "uint16_t" | "word" => "Unsigned numbers of 16 bits are `u16`.",
        "uint32" | "uint32_t" | "unsigned" | "uint" => "Unsigned numbers of 32 bits are `u32`.",
        "uint64" | "uint64_t" | "size_t" => "Unsigned numbers of 64 bits are `u64`.",
        "int8" | "int16" | "int32" | "int64" | "int8_t" | "int16_t" | "int32_t" | "int64_t" | "i8" | "i16" | "i32"
        | "i64" | "long" | "short" | "signed" => {
            "Signed numbers are `int`, which has no end; a range is written `input x: int in -128..127;`."
        }
        "string" | "str" | "text" => "Texts are values of an enumeration: `type Colour = { red, green };`.",
        "enum" => "An enumeration has a name: `type Colour = { red, green };`, then `input x: Colour;`.",
        "_bool" | "logical" => "Truth values are `bool`.",
        _ => return None,
    };
    Some(help)
}

fn distinct_params(source: &Source, params: &Vec<(Span, Option<Sort>)>, errors: &mut Errors) {
    let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
    for (span, _) in params {
        let text = source.slice(*span);
        if let Some(first) = seen.insert(text, *span) {
            let message = format!("two parameters are called `{text}`");
            errors.push(Diagnostic::error(&codes::DUPLICATE_NAME, *span, message).also(first, "the first of them"));
        }
    }
}

/// Where a sort begins.
fn place(node: &SortNode) -> Span {
    let mut node = node;
    loop {
        match node {
            SortNode::Named(span) | SortNode::BitVec(span) => return *span,
            SortNode::Array(index, _) => node = index,
        }
    }
}
