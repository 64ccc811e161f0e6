//! The diagnostics of projects.

use source::Code;

/// Every diagnostic.
pub const CODES: &[&Code] = &[&SYNTAX, &PATTERN, &NO_FILES, &DATABASE, &TWICE, &OPTION, &REASON];

pub(crate) const SYNTAX: Code = Code {
    id: "project-syntax",
    title: "The project file is not understood",
    explanation: "`specimen.toml` is TOML with the tables `project`, `units` and `exclude`. `specimen init` writes one with remarks, and the book's \
                  page on projects lists every key.",
};

pub(crate) const PATTERN: Code = Code {
    id: "project-pattern",
    title: "A pattern of file names is not understood",
    explanation: "Files are named relative to the folder of `specimen.toml`: `*` stands for any characters of one name, `**` for any folders, `?` for one \
                  character. A pattern that leads out of the folder is refused.",
};

pub(crate) const NO_FILES: Code = Code {
    id: "project-no-files",
    title: "A set of units has no files",
    explanation: "None of the patterns of the set finds a file. Patterns are relative to the folder of `specimen.toml`.",
};

pub(crate) const DATABASE: Code = Code {
    id: "project-database",
    title: "A compile database cannot be used",
    explanation: "`database` names a `compile_commands.json`, as CMake, Meson and Bear write it: a list of objects with `directory`, `file`, and `arguments` \
                  or `command`.",
};

pub(crate) const TWICE: Code = Code {
    id: "project-unit-twice",
    title: "Two sets make the same unit",
    explanation: "A file may be in several sets, for example for two criteria, if all but one of the sets have a `name`: it becomes part of the names of \
                  their units, which must differ.",
};

pub(crate) const OPTION: Code = Code {
    id: "project-option",
    title: "An option of a set cannot be used",
    explanation: "The options of a set are those of `specimen generate`, by their long names, with the values they have on the command line; options that \
                  may be given several times take a list. Options of other languages are refused, and so are `out`, `force`, `shard` and \
                  `interactive`, which the project decides itself, and `execute`, `solver-command`, `smt2-out` and `results`: a project may come from a stranger, \
                  and whoever opens it runs none of its commands and writes only to its folder.",
};

pub(crate) const REASON: Code = Code {
    id: "project-no-reason",
    title: "An exclusion has no reason",
    explanation: "Whoever excludes a goal writes down why: the reason stands in every report.",
};
