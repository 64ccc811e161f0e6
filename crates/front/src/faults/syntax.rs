//! What faults need to know of a language: where its comments and declarations are, and what may stand in place of what.

/// A language as faults see it.
#[derive(Debug)]
pub struct Syntax {
    /// What begins a comment that ends with its line.
    pub(super) line_comments: &'static [&'static str],
    /// What begins and ends other comments.
    pub(super) block_comment: Option<(&'static str, &'static str)>,
    /// What encloses literal texts.
    pub(super) quotes: &'static [char],
    /// The words that begin lines in which nothing is changed.
    pub(super) declaring: &'static [&'static str],
    /// Whether only what stands in braces is changed.
    pub(super) in_braces: bool,
    /// What is put in place of what.
    pub(super) replaced: &'static [Row],
    /// The words behind which a condition in brackets stands.
    pub(super) negated: &'static [&'static str],
    /// Whether there are statements to leave out.
    pub(super) has_statements: bool,
    /// The words that begin statements which are not left out.
    pub(super) kept: &'static [&'static str],
}

/// What may stand in place of an operator or a word.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) operator: &'static str,
    pub(super) from: &'static str,
    pub(super) by: &'static [&'static str],
}

macro_rules! rows {
    ($($operator:literal { $($from:literal => $($by:literal),+;)+ })+) => {
        &[$($(Row { operator: $operator, from: $from, by: &[$($by),+] },)+)+]
    };
}

/// A language without anything special.
const PLAIN: Syntax = Syntax {
    line_comments: &["//"],
    block_comment: Some(("/*", "*/")),
    quotes: &['"'],
    declaring: &[],
    in_braces: false,
    replaced: &[],
    negated: &[],
    has_statements: false,
    kept: &[],
};

impl Syntax {
    /// Boolean decisions.
    pub const BOOLEAN: Syntax = Syntax {
        declaring: &["type", "input", "assume", "#"],
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "==" => "!="; "!=" => "=="; }
            "logic" { "&&" => "||"; "||" => "&&"; "!" => ""; "->" => "<->"; "and" => "or"; "or" => "and"; "not" => ""; }
            "arithmetic" { "+" => "-"; "-" => "+"; "*" => "+"; }
            "value" { "true" => "false"; "false" => "true"; }
        },
        ..PLAIN
    };

    /// SMT-LIB scripts.
    pub const SMTLIB: Syntax = Syntax {
        line_comments: &[";"],
        block_comment: None,
        quotes: &['"', '|'],
        declaring: &["set"],
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "=" => "distinct"; "distinct" => "="; }
            "logic" { "and" => "or"; "or" => "and"; "not" => "or"; "=>" => "="; }
            "arithmetic" { "+" => "-"; "-" => "+"; "*" => "+"; }
            "value" { "true" => "false"; "false" => "true"; }
        },
        ..PLAIN
    };

    /// Signal temporal logic.
    pub const STL: Syntax = Syntax {
        line_comments: &["//", "#"],
        declaring: &["title", "requirement", "enum", "signal", "var"],
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "==" => "!="; "!=" => "=="; }
            "logic" { "&" => "|"; "|" => "&"; "&&" => "||"; "||" => "&&"; "and" => "or"; "or" => "and"; "!" => ""; "not" => ""; "->" => "<->"; "<->" => "->"; }
            "temporal" { "G" => "F"; "F" => "G"; "O" => "H"; "H" => "O"; "always" => "eventually"; "eventually" => "always"; }
            "arithmetic" { "+" => "-"; "-" => "+"; }
        },
        ..PLAIN
    };

    /// TeSSLa.
    pub const TESSLA: Syntax = Syntax {
        line_comments: &["#", "--"],
        block_comment: None,
        declaring: &["in", "include", "import", "@", "type"],
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "==" => "!="; "!=" => "=="; }
            "relation" { "<." => "<=.", ">."; "<=." => "<."; ">." => ">=.", "<."; ">=." => ">."; }
            "logic" { "&&" => "||"; "||" => "&&"; "!" => ""; }
            "arithmetic" { "+" => "-"; "-" => "+"; "*" => "+"; "/" => "*"; "%" => "/"; "+." => "-."; "-." => "+."; "*." => "+."; }
            "value" { "true" => "false"; "false" => "true"; }
            "stream" { "min" => "max"; "max" => "min"; "last" => "prev"; "merge" => "filter"; }
        },
        ..PLAIN
    };

    /// Action systems in the form for people.
    pub const ACTION: Syntax = Syntax {
        declaring: &["type", "const", "var", "input", "internal", "output", "depth", "invariant", "machine"],
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "=" => "!="; "!=" => "="; }
            "logic" { "and" => "or"; "or" => "and"; "not" => ""; }
            "arithmetic" { "+" => "-"; "-" => "+"; }
        },
        ..PLAIN
    };

    /// C: the bodies of functions.
    pub const C: Syntax = Syntax {
        quotes: &['"', '\''],
        declaring: &[
            "#", "#define", "#include", "#if", "#ifdef", "#ifndef", "#elif", "#pragma", "#undef", "#error", "typedef",
            "case",
        ],
        in_braces: true,
        replaced: rows! {
            "relation" { "<" => "<=", ">"; "<=" => "<", ">="; ">" => ">=", "<"; ">=" => ">", "<"; "==" => "!="; "!=" => "=="; }
            "logic" { "&&" => "||"; "||" => "&&"; "!" => ""; }
            "arithmetic" { "+" => "-"; "-" => "+"; "/" => "*"; "%" => "/"; "+=" => "-="; "-=" => "+="; "++" => "--"; "--" => "++"; "*=" => "+="; }
            "bits" { "&" => "|"; "|" => "&"; "^" => "|"; "<<" => ">>"; ">>" => "<<"; "|=" => "&="; "&=" => "|="; "^=" => "|="; }
            "jump" { "break" => "continue"; "continue" => "break"; }
            "value" { "true" => "false"; "false" => "true"; }
        },
        negated: &["if", "while"],
        has_statements: true,
        kept: &[
            "return", "goto", "int", "unsigned", "char", "long", "short", "signed", "float", "double", "const",
            "static", "struct", "union", "enum", "extern", "register", "volatile", "typedef",
        ],
        ..PLAIN
    };
}

/// The numbers beside one: one more and one less in the last place that is written. A decimal below zero is not written.
pub(super) fn neighbours(text: &str) -> Vec<String> {
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, behind) = text.split_at(digits);
    let is_based = number.starts_with('0') && 1 < number.len() && !number.contains('.')
        || behind.starts_with(['x', 'X', 'b', 'B']);
    if is_based || behind.starts_with(['e', 'E', 'p', 'P', '_']) {
        return Vec::new();
    }
    let places = number.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let Ok(whole) = number.replace('.', "").parse::<u128>() else { return Vec::new() };
    let written = |value: u128| {
        let digits = format!("{:0>width$}", value.to_string(), width = places + 1);
        let (before, fraction) = digits.split_at(digits.len() - places);
        match places {
            0 => format!("{before}{behind}"),
            _ => format!("{before}.{fraction}{behind}"),
        }
    };
    [whole.checked_add(1), whole.checked_sub(1)].into_iter().flatten().map(written).collect()
}
