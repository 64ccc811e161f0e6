//! Colours of source text: comments, texts, numbers and the words of a language. A reader of tokens, not of syntax: what it
//! does not know stays as it is.

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    Comment,
    Text,
    Number,
    Word,
}

impl Colour {
    pub(super) fn class(self) -> &'static str {
        match self {
            Colour::Comment => "hc",
            Colour::Text => "hs",
            Colour::Number => "hn",
            Colour::Word => "hk",
        }
    }
}

/// How a language is written.
struct Notation {
    line_comments: &'static [&'static str],
    words: &'static str,
}

const NOTATIONS: &[(&str, Notation)] = &[
    (
        "boolean",
        Notation {
            line_comments: &["//", ";;"],
            words: "input let assume decision type bool int real bv in true false if then else and or not xor \
                declare-const declare-fun define-fun assert set-logic check-sat",
        },
    ),
    (
        "c",
        Notation {
            line_comments: &["//"],
            words: "auto break case char const continue default do double else enum extern float for goto if inline int long \
                register restrict return short signed sizeof static struct switch typedef union unsigned void volatile \
                while _Bool bool true false #include #define #if #ifdef #ifndef #else #endif #undef #elif",
        },
    ),
    (
        "action",
        Notation {
            line_comments: &["//", "%"],
            words: "type var action machine let init do od when then else if end and or not any where input output internal \
                invariant requires forall exists skip const true false",
        },
    ),
    (
        "ltl",
        Notation {
            line_comments: &["//", "--"],
            words: "input output hidden assume guarantee fault on at stuck_at_0 stuck_at_1 flip G F X U W R M true false INFO MAIN \
                INPUTS OUTPUTS ASSUMPTIONS GUARANTEES INITIALLY PRESET REQUIRE ASSERT",
        },
    ),
    (
        "stl",
        Notation {
            line_comments: &["#", "//"],
            words: "title requirement param let signal G F U X H O S R always eventually until true false",
        },
    ),
    (
        "tessla",
        Notation {
            line_comments: &["#", "--"],
            words: "in out def module import liftable if then else true false type extern as",
        },
    ),
];

/// The coloured pieces of a text in a language, in their order; nothing for a language without colours.
pub(super) fn pieces(language: &str, text: &str) -> Vec<(usize, usize, Colour)> {
    let mut found = Vec::new();
    let Some((_, notation)) = NOTATIONS.iter().find(|(name, _)| *name == language) else { return found };
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let (length, colour) = piece(notation, language, rest);
        if let Some(colour) = colour {
            found.push((at, at + length, colour));
        }
        at += length;
    }
    found
}

/// The piece a text begins with: its length, never 0, and its colour.
fn piece(notation: &Notation, language: &str, rest: &str) -> (usize, Option<Colour>) {
    let first = rest.chars().next().unwrap_or(' ');
    if let Some(inside) = rest.strip_prefix("/*") {
        let end = inside.find("*/").map_or(rest.len(), |end| end + 4);
        return (end, Some(Colour::Comment));
    }
    if notation.line_comments.iter().any(|mark| rest.starts_with(mark)) {
        return (rest.find('\n').unwrap_or(rest.len()), Some(Colour::Comment));
    }
    if first == '"' || (first == '\'' && language == "c") {
        return (quoted(rest, first), Some(Colour::Text));
    }
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '#' && language == "c";
    if first.is_ascii_digit() {
        let end = rest.find(|letter: char| !is_word(letter) && letter != '.').unwrap_or(rest.len());
        // Two dots are a range, not a number.
        let end = rest[..end].find("..").unwrap_or(end);
        return (end.max(1), Some(Colour::Number));
    }
    if is_word(first) {
        let end = rest.find(|letter: char| !is_word(letter)).unwrap_or(rest.len());
        let known = notation.words.split_whitespace().any(|word| word == &rest[..end]);
        return (end, known.then_some(Colour::Word));
    }
    (first.len_utf8(), None)
}

/// The length of a text in quotes: up to the same quote or the end of the line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            '\n' => return at,
            '\\' if !escaped => escaped = true,
            letter if letter == quote && !escaped => return at + letter.len_utf8(),
            _ => escaped = false,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: &str, text: &str) -> String {
        let list = pieces(language, text);
        list.iter().map(|(start, end, colour)| format!("{}:{}|", colour.class(), &text[*start..*end])).collect()
    }

    #[test]
    fn tokens_have_their_colour() {
        assert_eq!(
            shown("c", "int x='\\''; // y\n/* a\nb */ \"s\\\"\" 0x1f"),
            "hk:int|hs:'\\''|hc:// y|hc:/* a\nb */|hs:\"s\\\"\"|hn:0x1f|"
        );
        assert_eq!(shown("boolean", "input a: int in 0..12;"), "hk:input|hk:int|hk:in|hn:0|hn:12|");
        assert_eq!(shown("tessla", "def ä = 1.5 # \"no\n"), "hk:def|hn:1.5|hc:# \"no|");
        assert_eq!(shown("cobol", "int"), "");
        assert_eq!(shown("c", "/* open"), "hc:/* open|");
    }
}
