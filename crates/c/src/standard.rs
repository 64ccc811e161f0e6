//! The C library in C: functions that programs call and do not define.
//!
//! What is written in C needs no model in whoever executes programs, and means the same to all of them. The nodes and edges of
//! these functions stand behind those of the program, which queries do not see.

use crate::model::DataModel;

const LIBRARY: &str = include_str!("standard/library.c");

/// The name of the file that places in the library are said to be in.
pub const FILE: &str = "<C library>";

/// Declared for every part.
const PRELUDE: &str = "void $swap(void *, void *, $size);\nvoid $unmodelled(void);\n";

/// A part of the library.
struct Part {
    name: &'static str,
    needs: Vec<&'static str>,
    text: &'static str,
}

fn parts() -> Vec<Part> {
    let mut parts = Vec::new();
    for text in LIBRARY.split("//= ").skip(1) {
        let head = text.lines().next().unwrap_or("");
        let (name, needs) = head.split_once(':').unwrap_or((head, ""));
        parts.push(Part { name: name.trim(), needs: needs.split_whitespace().collect(), text: &text[head.len()..] });
    }
    parts
}

/// Whether the library has a function in C.
pub fn has(name: &str) -> bool {
    !name.starts_with('$') && parts().iter().any(|part| part.name == name)
}

/// The functions of the library as one text, with whatever they need; nothing if none of these is there.
pub(crate) fn text(wanted: &[&str], model: &DataModel) -> Option<String> {
    source_of(wanted).map(|text| text.replace("$size", size_type(model)))
}

fn size_type(model: &DataModel) -> &'static str {
    if model.pointer == model.int {
        "unsigned int"
    } else if model.pointer == model.long {
        "unsigned long"
    } else {
        "unsigned long long"
    }
}

fn source_of(wanted: &[&str]) -> Option<String> {
    let parts = parts();
    let position = |name: &str| parts.iter().position(|part| part.name == name);
    let mut chosen = vec![false; parts.len()];
    let mut open: Vec<usize> = wanted.iter().filter_map(|name| position(name)).collect();
    if open.is_empty() {
        return None;
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut chosen[at], true) {
            open.extend(parts[at].needs.iter().filter_map(|name| position(name)));
        }
    }
    let mut text = PRELUDE.to_owned();
    parts.iter().zip(chosen).filter(|(_, chosen)| *chosen).for_each(|(part, _)| text += part.text);
    Some(text)
}

/// Functions whose behaviour the standard or the outside world leaves open, as a file for a harness: there they stand for those
/// of the compiler's library, so that tests run as they were found. Nothing if none of these is among them.
pub fn for_harness(called: &[&str]) -> Option<String> {
    let wanted: Vec<&str> = called.iter().copied().filter(|name| is_open(name)).collect();
    let mut text = source_of(&wanted)?.replace(PRELUDE, FOR_HARNESS).replace("$size", "__SIZE_TYPE__");
    for name in wanted {
        text = text.replace(&format!("${name}("), &format!("{name}("));
        // Headers of the GNU C library give these functions other names for the linker.
        let first = if name == "scanf" { "const char *" } else { "void *, const char *" };
        for renamed in ["__isoc99_", "__isoc23_"].iter().filter(|_| matches!(name, "scanf" | "fscanf")) {
            text += &format!("int {renamed}{name}({first}, ...) __attribute__((alias(\"{name}\")));\n");
        }
    }
    Some(text)
}

/// What the prelude declares, for a harness.
const FOR_HARNESS: &str = "static inline void $swap(void *left, void *right, $size size)
{
    unsigned char *one = left, *other = right;
    for (; size > 0; size--, one++, other++) {
        unsigned char byte = *one;
        *one = *other;
        *other = byte;
    }
}
static inline void $unmodelled(void) { __builtin_abort(); }
";

fn is_open(name: &str) -> bool {
    matches!(name, "qsort" | "bsearch" | "fgets" | "fgetc" | "getc" | "_IO_getc" | "fread" | "read")
        || matches!(name, "gettimeofday" | "clock_gettime" | "clock_getres" | "times" | "getrusage")
        || name.ends_with("scanf") && !name.ends_with("sscanf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_found_with_what_it_needs() {
        let parts = parts();
        assert!(40 < parts.len());
        for part in &parts {
            for need in &part.needs {
                assert!(parts.iter().any(|other| other.name == *need), "{} needs {need}", part.name);
            }
        }
        assert!(has("qsort") && !has("$next") && !has("printf"));
        assert!(text(&["fgets"], &DataModel::LP64).is_some_and(|text| text.contains("$next(void)")));
        assert!(text(&["main"], &DataModel::LP64).is_none());
    }
}
