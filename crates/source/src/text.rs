//! A source text with its name, and places in it as people count them.

use crate::Span;

/// A named source text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
}

/// A place in a text: line and column from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl Source {
    /// The text `text`, called `name` in messages. The text must be shorter than 4 GiB.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let text = text.into();
        assert!(u32::try_from(text.len()).is_ok(), "source texts are shorter than 4 GiB");
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place as u32 + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        Source { name: name.into(), text, line_starts }
    }

    /// The name in messages, usually the file's.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The place of a byte offset; one past the end is the place after the last character.
    pub fn place(&self, offset: u32) -> LineColumn {
        let offset = offset.min(self.text.len() as u32);
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text[start..].char_indices().take_while(|(at, _)| start + at < offset as usize).count();
        LineColumn { line: line as u32, column: column as u32 + 1 }
    }

    /// The byte range of a line, counted from 1, without its line break.
    pub fn line(&self, line: u32) -> Span {
        let start = self.line_starts[line as usize - 1] as usize;
        let end = self.text[start..].find('\n').map_or(self.text.len(), |length| start + length);
        Span::new(start, end)
    }

    /// The number of lines.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}
