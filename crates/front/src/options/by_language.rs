//! Options of which each language has its own: the fields of a struct, each for the languages that it names.
//!
//! A command is made for the languages of its files: it has the options of these languages and no others. Which language has which
//! option follows from the structs.

use clap::{Arg, ArgMatches, Args, Command};

use crate::language::Language;

/// Arguments with fields for single languages.
pub trait ByLanguage {
    /// The options that a language has.
    fn options(language: Language) -> Vec<Arg>;

    /// Takes the options of these languages from a command line that was made for them.
    fn take(&mut self, languages: &[Language], matches: &ArgMatches) -> Result<(), clap::Error>;
}

/// Says which fields are for which languages; the fields in brackets have such fields themselves.
#[macro_export]
macro_rules! by_language {
    ($arguments:ident { $([$($inner:ident),*])? $($field:ident: $($language:ident)|+;)* }) => {
        impl $crate::options::by_language::ByLanguage for $arguments {
            fn options(language: $crate::language::Language) -> Vec<clap::Arg> {
                let mut options = Vec::new();
                $($(options.extend($crate::options::by_language::inner(|own: &$arguments| &own.$inner, language));)*)?
                $(if matches!(language, $($crate::language::Language::$language)|+) {
                    options.extend($crate::options::by_language::own(|own: &$arguments| &own.$field));
                })*
                options
            }

            fn take(
                &mut self,
                languages: &[$crate::language::Language],
                matches: &clap::ArgMatches,
            ) -> Result<(), clap::Error> {
                $($(self.$inner.take(languages, matches)?;)*)?
                $(if languages.iter().any(|language| matches!(language, $($crate::language::Language::$language)|+)) {
                    self.$field = clap::FromArgMatches::from_arg_matches(matches)?;
                })*
                Ok(())
            }
        }
    };
}

/// The options of a field.
pub fn own<A, T: Args>(_field: fn(&A) -> &T) -> Vec<Arg> {
    T::augment_args(Command::new("options")).get_arguments().cloned().collect()
}

/// The options of a field that has options for single languages itself.
pub fn inner<A, T: ByLanguage>(_field: fn(&A) -> &T, language: Language) -> Vec<Arg> {
    T::options(language)
}

/// Arguments as they are if nothing is said.
pub fn usual<T: Args>() -> T {
    let command = T::augment_args(Command::new("usual")).no_binary_name(true);
    let matches = command.try_get_matches_from(std::iter::empty::<&str>());
    let usual = matches.and_then(|matches| T::from_arg_matches(&matches));
    usual.expect("every option has a usual value")
}
