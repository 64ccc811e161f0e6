//! A source text with its name, and places in it as people count them.

use crate::Span;

/// A named source text.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    text: String,
    line_starts: Vec<u32>,
    /// How many characters begin before each block of the text.
    marks: Vec<u32>,
}

/// The length of a block, in bytes: a place is found by counting in one block, however long its line is.
const BLOCK: usize = 4096;

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
        let mut marks = vec![0];
        for block in text.as_bytes().chunks(BLOCK) {
            marks.push(marks[marks.len() - 1] + characters(block));
        }
        Source { name: name.into(), text, line_starts, marks }
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
        let column = self.characters_before(offset) - self.characters_before(self.line_starts[line - 1]) + 1;
        LineColumn { line: line as u32, column }
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let block = offset as usize / BLOCK;
        self.marks[block] + characters(&self.text.as_bytes()[block * BLOCK..offset as usize])
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

/// How many characters begin in a piece of a text.
fn characters(piece: &[u8]) -> u32 {
    let begins = |byte: &&u8| **byte & 0b1100_0000 != 0b1000_0000;
    piece.iter().filter(begins).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_long_lines_are_those_that_counting_gives() {
        let text = format!("a\n{}\nb∧c", "xé∧\u{1f40c}".repeat(3 * BLOCK / 10));
        let source = Source::new("long", text.as_str());
        let (mut line, mut column) = (1, 1);
        for (offset, character) in text.char_indices() {
            assert_eq!(source.place(offset as u32), LineColumn { line, column }, "{offset}");
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        assert_eq!(source.place(u32::MAX), LineColumn { line, column });
    }
}
