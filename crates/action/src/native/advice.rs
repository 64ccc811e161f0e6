//! What to write in place of what other languages write.

/// What to type where the word `found` stands after the word `before`, and `wanted` was expected.
pub(super) fn advice(before: &str, found: &str, wanted: &str) -> Option<&'static str> {
    let help = match (before, found) {
        ("if", _) => {
            "Write `when CONDITION { … }`; for two ways, `choose { when x = 0 { … } } or { when x != 0 { … } }`."
        }
        ("while" | "for", _) => "There are no loops inside of an action: the `do … od` block repeats actions.",
        ("=", "=") => "One `=` compares; `:=` assigns.",
        ("<", ">") => "Write `!=` for what is different.",
        ("+", "+") | ("-", "-") => "Write `x := x + 1`.",
        ("[", _) | (_, "[") if wanted == "a number" => "A range has no brackets: `type Small = 0..5;`.",
        (_, "=") if wanted == "`:=`" => "`:=` assigns, `=` compares.",
        (_, "+" | "-" | "*") if wanted == "`:=`" => "Write `x := x + 1`.",
        (_, "true" | "false") => {
            "There are no variables of truth values: declare `type Flag = { off, on };` and `var x: Flag = off;`."
        }
        (_, "&" | "&&") => "Write `and`.",
        (_, "|" | "||") => "Write `or`.",
        (_, "!") => "Write `not`.",
        (_, ")") if wanted == "a name" => "An action without parameters has no brackets: `action a when x = 0 { … }`.",
        (_, "[") if wanted == "`{`" => "The guard of an action is written `action a when x = 0 { … }`.",
        (_, "when") => "A guard stands behind the name of its action: `action a when x = 0 { … }`.",
        (_, "int" | "bool" | "float" | "double" | "char" | "unsigned" | "string") => {
            "Variables are declared `var x: Small = 0;`, with a type such as `type Small = 0..5;`."
        }
        (_, ":=") if wanted.starts_with("`=` and an initial value") => {
            "An initial value is written `var x: Small = 0;`; `:=` assigns inside of actions."
        }
        (_, "output" | "outputs") => {
            "Outputs are not declared: an action that is neither `input` nor `internal` is an output."
        }
        (_, ";") if wanted.starts_with("`=` and an initial value") => {
            "Every variable has an initial value: `var x: Small = 0;`."
        }
        _ if wanted == "a type" => "A type has a name: write `type Small = 0..5;` before, then `var x: Small = 0;`.",
        _ if wanted == "`;`" => "Every declaration ends with `;`.",
        _ if wanted.starts_with("`const`") => {
            "A model has types, variables, inputs, actions and one `do … od` block, such as `do a [] b od`."
        }
        _ => return None,
    };
    Some(help)
}

/// What to write for the name of a type of other languages.
pub(crate) fn known_elsewhere(name: &str) -> Option<&'static str> {
    match name {
        "int" | "integer" | "nat" | "Int" | "number" | "byte" | "unsigned" | "long" => {
            Some("Numbers have a range: write `type Small = 0..5;` before, then `var x: Small = 0;`.")
        }
        "bool" | "boolean" | "Bool" => Some("Write `type Flag = { off, on };` before, then `var x: Flag = off;`."),
        "float" | "double" | "real" => Some("There are no fractions: count in smaller units, `type Tenths = 0..100;`."),
        "string" | "char" => Some("Texts are values with names: write `type Colour = { red, green };` before."),
        _ => None,
    }
}
