//! The record of sources: every file that a suite was made from, by content.

use serde::{Deserialize, Serialize};

use crate::SourceRecord;

macro_rules! roles {
    ($($variant:ident $name:literal $words:literal;)*) => {
        /// What a file was read for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Role { $(#[doc = $words] $variant,)* }

        impl Role {
            /// Every role.
            pub const ALL: &'static [Role] = &[$(Role::$variant,)*];

            /// The name in suites.
            pub fn name(self) -> &'static str { match self { $(Role::$variant => $name,)* } }

            /// What such a file is, in words.
            pub fn words(self) -> &'static str { match self { $(Role::$variant => $words,)* } }
        }
    };
}

roles! {
    Main "main" "the specification";
    Include "include" "a file that the specification includes";
    Link "link" "a further file of the program";
    Header "header" "a header";
    Preprocessed "preprocessed" "preprocessed text";
    Mutant "mutant" "a mutant";
    Partition "partition" "the partition of the signals";
    Reference "reference" "the reference implementation";
    Query "query" "the query";
    Tests "tests" "a file of given tests";
}

/// A file that a suite was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// What it was read for.
    pub role: Role,
    /// Its name below the folder of the sources; with `/` between folders, and never outside of that folder.
    pub name: String,
    /// The fingerprint of its bytes, in hexadecimal.
    pub sha256: String,
}

/// Every file that a suite was made from, in the order in which they were opened: the main file comes first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sources(pub Vec<SourceFile>);

impl Sources {
    /// The record of a main file and of others.
    pub fn new(main: &SourceRecord, others: &[SourceFile]) -> Sources {
        let main = SourceFile { role: Role::Main, name: main.file.clone(), sha256: main.sha256.clone() };
        Sources(std::iter::once(main).chain(others.iter().cloned()).collect())
    }

    /// The file of a role and a name.
    pub fn find(&self, role: Role, name: &str) -> Option<&SourceFile> {
        self.0.iter().find(|file| file.role == role && file.name == name)
    }

    /// In what `now` differs from this record, in words, file by file; none if they are the same.
    pub fn differences(&self, now: &Sources) -> Vec<String> {
        let mut found = Vec::new();
        for file in &now.0 {
            match self.find(file.role, &file.name) {
                None => found.push(format!("{} ({}) is new", file.name, file.role.name())),
                Some(old) if old.sha256 != file.sha256 => {
                    found.push(format!("{} ({}) has changed", file.name, file.role.name()));
                }
                Some(_) => {}
            }
        }
        for file in self.0.iter().filter(|file| now.find(file.role, &file.name).is_none()) {
            found.push(format!("{} ({}) is not read any more", file.name, file.role.name()));
        }
        // A header that has changed changes the preprocessed text: the header is the news.
        let causes = |text: &String| !text.contains("(preprocessed)");
        if found.iter().any(causes) {
            found.retain(causes);
        }
        if found.is_empty() && self != now {
            found.push("the order of the files is another".to_owned());
        }
        found
    }
}

/// Whether a name stays below the folder it is joined to: plain parts with `/` between them.
pub fn is_plain(name: &str) -> bool {
    // Elsewhere these are characters of names.
    let foreign = |part: &str| cfg!(windows) && part.contains(['\\', ':']);
    let plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains('\0') && !foreign(part);
    name.len() <= 1024 && name.split('/').all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(files: &[(Role, &str, &str)]) -> Sources {
        let file = |&(role, name, sha256): &(Role, &str, &str)| SourceFile {
            role,
            name: name.to_owned(),
            sha256: sha256.to_owned(),
        };
        Sources(files.iter().map(file).collect())
    }

    #[test]
    fn every_difference_is_named() {
        let old = sources(&[(Role::Main, "a.c", "1"), (Role::Link, "b.c", "2"), (Role::Header, "h.h", "3")]);
        assert_eq!(old.differences(&old), Vec::<String>::new());
        let new = sources(&[(Role::Main, "a.c", "1"), (Role::Link, "b.c", "9"), (Role::Header, "k.h", "3")]);
        let words = ["b.c (link) has changed", "k.h (header) is new", "h.h (header) is not read any more"];
        assert_eq!(old.differences(&new), words);
        let turned = sources(&[(Role::Main, "a.c", "1"), (Role::Header, "h.h", "3"), (Role::Link, "b.c", "2")]);
        assert_eq!(old.differences(&turned), ["the order of the files is another"]);
    }

    #[test]
    fn names_stay_below_their_folder() {
        for name in ["a.c", "sub/a.h", "__/common/x.tessla", "my file.c", "…"] {
            assert!(is_plain(name), "{name}");
        }
        for name in ["", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "a/", "a\0"] {
            assert!(!is_plain(name), "{name}");
        }
    }
}
