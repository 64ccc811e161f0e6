//! The diagnostics about files as such, before any language looks at them.

use crate::Code;

/// Every code of this crate, in the order of the book.
pub const CODES: &[&Code] = &[&NOT_UTF8, &NUL_BYTE, &TOO_LARGE];

/// Bytes that are not text.
pub static NOT_UTF8: Code = Code {
    id: "source-not-utf8",
    title: "The file is not UTF-8 text",
    explanation: "Specifications are UTF-8 text. The file holds bytes that are not; it may be a binary file, or text in \
                  another encoding such as Latin-1 or UTF-16. Convert it, for instance with `iconv -t UTF-8`.",
};

/// A NUL in a text.
pub static NUL_BYTE: Code = Code {
    id: "source-nul-byte",
    title: "The file holds a NUL byte",
    explanation: "No specification language uses the character NUL (U+0000). A file that holds one is a binary file, a \
                  damaged file, or text in UTF-16.",
};

/// A text whose places do not fit 32 bits.
pub static TOO_LARGE: Code = Code {
    id: "source-too-large",
    title: "The file is too large",
    explanation: "Files of 4 GiB and more are rejected. Split the specification.",
};
