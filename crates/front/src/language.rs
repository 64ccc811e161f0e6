//! The languages: one row each.

use std::path::Path;

use action::Notation;
use boolean::Dialect;
use ltl::Dialect as LtlDialect;

use crate::action::ActionFront;
use crate::boolean::BooleanFront;
use crate::c::CFront;
use crate::failure::Failure;
use crate::front_end::FrontEnd;
use crate::ltl::LtlFront;
use crate::stl::StlFront;
use crate::tessla::TesslaFront;

macro_rules! languages {
    ($($variant:ident $name:literal $extension:literal $front:expr, $words:literal;)*) => {
        /// A language specifications are written in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Language { $(#[doc = $words] $variant,)* }

        impl Language {
            /// Every language.
            pub const ALL: &'static [Language] = &[$(Language::$variant,)*];

            /// The name on the command line and in suites.
            pub fn name(self) -> &'static str { match self { $(Language::$variant => $name,)* } }

            /// What it is, in a sentence.
            pub fn words(self) -> &'static str { match self { $(Language::$variant => $words,)* } }

            /// The extension of its files.
            pub fn extension(self) -> &'static str { match self { $(Language::$variant => $extension,)* } }

            /// What the verbs need of it.
            pub fn front(self) -> &'static dyn FrontEnd { match self { $(Language::$variant => &$front,)* } }
        }
    };
}

languages! {
    Bool "bool" "bool" BooleanFront(Dialect::Bool), "Boolean decisions, in the form for people.";
    Smtlib "smt2" "smt2" BooleanFront(Dialect::Smtlib), "Boolean decisions as SMT-LIB 2 scripts.";
    Action "as" "as" ActionFront(Notation::Native), "Action systems, in the form for people.";
    Prolog "pl" "pl" ActionFront(Notation::Prolog), "Action systems as Prolog facts.";
    Stl "stl" "stl" StlFront, "Signal temporal logic.";
    Tessla "tessla" "tessla" TesslaFront, "Stream specifications.";
    Ltl "ltl" "ltl" LtlFront(LtlDialect::Ltl), "Linear temporal logic.";
    Tlsf "tlsf" "tlsf" LtlFront(LtlDialect::Tlsf), "Linear temporal logic in the format of the synthesis competition.";
    C "c" "c" CFront, "C programs, with FQL queries.";
    Preprocessed "i" "i" CFront, "C programs that are preprocessed already.";
}

/// The front ends, each once.
pub fn front_ends() -> Vec<&'static dyn FrontEnd> {
    let mut fronts: Vec<&'static dyn FrontEnd> = Vec::new();
    for language in Language::ALL {
        if fronts.iter().all(|front| front.family() != language.front().family()) {
            fronts.push(language.front());
        }
    }
    fronts
}

/// The front end that suites call `family`.
pub fn front_of(family: &str) -> Option<&'static dyn FrontEnd> {
    front_ends().into_iter().find(|front| front.family() == family)
}

/// The names of languages for a sentence: of a family if they are all of it, with the extension otherwise.
pub fn titles(languages: &[Language]) -> String {
    let mut names: Vec<String> = Vec::new();
    for language in languages {
        let front = language.front();
        let mut family = Language::ALL.iter().filter(|other| other.front().family() == front.family());
        let name = match family.all(|other| languages.contains(other)) {
            true => front.title().to_owned(),
            false => format!("{} (.{})", front.title(), language.extension()),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match names.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

impl Language {
    /// The language called `name`.
    pub fn from_name(name: &str) -> Result<Language, String> {
        Language::ALL.iter().copied().find(|language| language.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Language::ALL.iter().map(|language| language.name()).collect();
            format!("the languages are {}", names.join(", "))
        })
    }

    /// The language of a file, by its extension.
    pub fn of(path: &Path) -> Result<Language, Failure> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
        let found = Language::ALL.iter().copied().find(|language| extension.as_deref() == Some(language.extension()));
        found.ok_or_else(|| {
            let known: Vec<String> =
                Language::ALL.iter().map(|language| format!(".{}", language.extension())).collect();
            Failure::Usage(format!(
                "the language of {} is not known by its extension ({}); say it with --lang",
                path.display(),
                known.join(", ")
            ))
        })
    }
}
