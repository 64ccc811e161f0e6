//! The pages of the book that belong to a language, for people who write a specification without a network.

use front::language::Language;

/// The page about a language, as Markdown.
pub(super) fn manual(language: &str) -> Option<&'static str> {
    let front = Language::from_name(language).ok()?.front();
    PAGES.iter().find(|(family, _)| *family == front.family()).map(|(_, page)| *page)
}

const PAGES: &[(&str, &str)] = &[
    ("boolean", include_str!("../../../../docs/book/boolean.md")),
    ("tessla", include_str!("../../../../docs/book/tessla.md")),
    ("stl", include_str!("../../../../docs/book/stl.md")),
    ("action", include_str!("../../../../docs/book/action.md")),
    ("ltl", include_str!("../../../../docs/book/ltl.md")),
    ("c", include_str!("../../../../docs/book/c-programs.md")),
];

#[cfg(test)]
mod tests {
    use super::manual;
    use front::language::Language;

    #[test]
    fn every_language_has_a_page() {
        for language in Language::ALL {
            assert!(manual(language.name()).is_some_and(|page| page.starts_with("# ")), "{}", language.name());
        }
        assert!(manual("cobol").is_none());
    }
}
