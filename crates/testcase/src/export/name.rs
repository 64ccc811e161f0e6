//! Names of a specification as identifiers of a programming language.

use std::collections::BTreeSet;

/// The rules of a language's identifiers.
pub(super) struct Rules {
    /// The words that are not identifiers, separated by spaces; an identifier that would be one gets an underscore.
    pub(super) keywords: &'static str,
}

/// The identifiers of one scope: different names get different identifiers.
pub(super) struct Scope {
    rules: &'static Rules,
    used: BTreeSet<String>,
}

impl Scope {
    /// A scope in which nothing is named yet.
    pub(super) fn new(rules: &'static Rules) -> Scope {
        Scope { rules, used: BTreeSet::new() }
    }

    /// A fresh identifier close to `name`.
    pub(super) fn name(&mut self, name: &str) -> String {
        let base = identifier(self.rules, name);
        let mut candidate = base.clone();
        let mut number = 2;
        while !self.used.insert(candidate.clone()) {
            candidate = format!("{base}_{number}");
            number += 1;
        }
        candidate
    }
}

fn identifier(rules: &Rules, name: &str) -> String {
    let keep = |character: char| if character.is_ascii_alphanumeric() { character } else { '_' };
    let mut text: String = name.chars().map(keep).collect();
    let starts_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    if !starts_well {
        text.insert(0, 'v');
    }
    if rules.keywords.split(' ').any(|keyword| keyword == text) {
        text.push('_');
    }
    text
}

/// `snake_case` or `some name` as `SnakeCase` and `SomeName`.
pub(super) fn camel(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    let joined: String = words.map(capital).collect();
    if joined.is_empty() { "V".to_owned() } else { joined }
}

/// The file's name without its extension.
pub(super) fn stem(file: &str) -> &str {
    match file.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => file,
    }
}

/// Text that can stand in a comment of any language: one line, no end of a comment.
pub fn comment(text: &str) -> String {
    let plain = |character: char| if character.is_control() || "*/\\".contains(character) { ' ' } else { character };
    text.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static RULES: Rules = Rules { keywords: "for if" };

    #[test]
    fn names_become_identifiers() {
        let mut scope = Scope::new(&RULES);
        let named: Vec<String> = ["age", "for", "for_", "a.b", "a b", "1st", "", "größe", "_x"]
            .iter()
            .map(|name| scope.name(name))
            .collect();
        assert_eq!(named, ["age", "for_", "for__2", "a_b", "a_b_2", "v1st", "v", "gr__e", "v_x"]);
    }

    #[test]
    fn camel_case_for_types() {
        assert_eq!(camel("access_kind of-thing"), "AccessKindOfThing");
        assert_eq!(camel("日本"), "V");
    }
}
