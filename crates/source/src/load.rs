//! From the bytes of a file to a source text.

use crate::codes::{NOT_UTF8, NUL_BYTE, TOO_LARGE};
use crate::{Diagnostic, Source, Span};

/// Why the bytes of a file are not source text. The source is as much of the text as the diagnostic needs.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// What to show the diagnostic on.
    pub source: Source,
    /// What is wrong.
    pub diagnostic: Diagnostic,
}

/// Texts are shorter than this; places are 32 bits wide.
const LARGEST: usize = u32::MAX as usize;

impl Rejection {
    /// What to say of a file of `length` bytes that is too large to be read at all, if it is.
    pub fn by_length(name: &str, length: u64) -> Option<Box<Rejection>> {
        (LARGEST as u64 <= length).then(|| too_large(name, length))
    }
}

impl Source {
    /// The text in the bytes of a file. A byte order mark is skipped.
    ///
    /// # Errors
    /// When the bytes are not UTF-8, hold a NUL or are too many.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Source, Box<Rejection>> {
        decode(name, bytes, LARGEST)
    }
}

fn decode(name: &str, mut bytes: Vec<u8>, largest: usize) -> Result<Source, Box<Rejection>> {
    if largest <= bytes.len() {
        return Err(too_large(name, bytes.len() as u64));
    }
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(name, error.as_bytes(), error.utf8_error()))?;
    match text.find('\0') {
        None => Ok(Source::new(name, text)),
        Some(at) => {
            let diagnostic = Diagnostic::error(&NUL_BYTE, Span::new(at, at + 1), "the text holds a NUL byte")
                .label("this byte is 0")
                .help("Is this a text file?");
            Err(Box::new(Rejection { source: Source::new(name, text), diagnostic }))
        }
    }
}

fn too_large(name: &str, length: u64) -> Box<Rejection> {
    let message = format!("the file holds {length} bytes, 4 GiB or more");
    let diagnostic = Diagnostic::error(&TOO_LARGE, Span::default(), message);
    Box::new(Rejection { source: Source::new(name, ""), diagnostic })
}

fn not_utf8(name: &str, bytes: &[u8], error: std::str::Utf8Error) -> Box<Rejection> {
    let (valid, rest) = bytes.split_at(error.valid_up_to());
    let line_end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    // The invalid bytes become one U+FFFD, which is three bytes long; the rest of the line is for the snippet only.
    let tail = String::from_utf8_lossy(&rest[..line_end.min(200)]);
    let text = format!("{}{tail}", String::from_utf8_lossy(valid));
    let message = format!("byte {} of the file is not UTF-8: 0x{:02x}", valid.len() + 1, rest[0]);
    let span = Span::new(valid.len(), valid.len() + char::REPLACEMENT_CHARACTER.len_utf8());
    let diagnostic = Diagnostic::error(&NOT_UTF8, span, message)
        .label("not text from here on")
        .help("Convert the file to UTF-8, for instance with `iconv -t UTF-8`.");
    Box::new(Rejection { source: Source::new(name, text), diagnostic })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rejected(bytes: &[u8], largest: usize) -> (&'static str, Span) {
        let rejection = decode("x", bytes.to_vec(), largest).expect_err("the bytes are rejected");
        let _ = crate::render(&rejection.source, &rejection.diagnostic, crate::Style::Plain);
        (rejection.diagnostic.code.id, rejection.diagnostic.labels[0].span)
    }

    #[test]
    fn text_is_taken_as_it_is() {
        assert_eq!(Source::from_bytes("x", "a ∧ b\r\n".into()).expect("text").text(), "a ∧ b\r\n");
        assert_eq!(Source::from_bytes("x", Vec::new()).expect("no text").text(), "");
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(Source::from_bytes("x", b"\xef\xbb\xbfab".to_vec()).expect("text").text(), "ab");
    }

    #[test]
    fn what_is_no_text_is_rejected_with_its_place() {
        assert_eq!(rejected(b"ab\n\xff\xfe", 100), ("source-not-utf8", Span::new(3, 6)));
        assert_eq!(rejected(b"\xc3", 100), ("source-not-utf8", Span::new(0, 3)));
        assert_eq!(rejected(b"a\0b", 100), ("source-nul-byte", Span::new(1, 2)));
        assert_eq!(rejected(b"abcdef", 5), ("source-too-large", Span::new(0, 0)));
    }
}
