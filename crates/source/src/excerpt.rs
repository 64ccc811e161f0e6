//! Excerpts: the few lines of a text that a snippet shows, cut so that even huge lines stay readable.

use std::ops::Range;

use crate::{Source, Span};

/// A line of at most this many bytes is shown whole.
const LONG_LINE: usize = 400;
/// How much is shown on either side of a place in a longer line.
const MARGIN: usize = 60;
/// A place that stretches over more lines is shown by its first one.
const MOST_LINES: u32 = 6;
/// Excerpts closer than this many bytes are shown as one.
const NEARBY: usize = 160;
/// What stands for the part of a line that is not shown.
const CUT: &str = "…";

/// A piece of the text, and the places in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The number of its first line.
    pub(crate) line: u32,
    /// The text to show.
    pub(crate) text: String,
    /// Whether its line is longer than what is shown.
    pub(crate) cut: bool,
    /// The places as byte ranges of `text`, with the position of each among the spans asked for.
    pub(crate) marks: Vec<(usize, Range<usize>)>,
}

/// A piece of the text before it is copied.
struct Piece {
    line: u32,
    bytes: Range<usize>,
    cut: bool,
    marks: Vec<(usize, Range<usize>)>,
}

/// The excerpts that show `spans`, in the order of the text.
pub(crate) fn excerpts(source: &Source, spans: &[Span]) -> Vec<Excerpt> {
    let mut pieces: Vec<Piece> = spans.iter().enumerate().map(|(at, span)| piece(source, at, *span)).collect();
    pieces.sort_by_key(|piece| (piece.bytes.start, piece.bytes.end));
    let mut merged: Vec<Piece> = Vec::new();
    for piece in pieces {
        match merged.last_mut() {
            Some(last) if joins(last, &piece) => {
                last.bytes.end = last.bytes.end.max(piece.bytes.end);
                last.marks.extend(piece.marks);
            }
            _ => merged.push(piece),
        }
    }
    merged.into_iter().map(|piece| copy(source.text(), piece)).collect()
}

fn joins(last: &Piece, next: &Piece) -> bool {
    let near = if last.cut || next.cut { 0 } else { NEARBY };
    last.cut == next.cut && next.bytes.start <= last.bytes.end + near
}

/// The piece that shows one span.
fn piece(source: &Source, at: usize, span: Span) -> Piece {
    let text = source.text();
    let start = floor(text, span.start as usize);
    let end = floor(text, span.end as usize).max(start);
    let line = source.place(start as u32).line;
    let last_line = source.place(end as u32).line;
    let first = source.line(line).range();
    let whole = first.start..if last_line < line + MOST_LINES { source.line(last_line).range().end } else { first.end };
    if whole.len() <= LONG_LINE {
        let mark = start.min(whole.end)..end.min(whole.end);
        return Piece { line, bytes: whole, cut: false, marks: vec![(at, mark)] };
    }
    let shown_end = end.min(first.end).min(start + LONG_LINE / 2);
    let bytes =
        floor(text, start.saturating_sub(MARGIN)).max(first.start)..ceil(text, shown_end + MARGIN).min(first.end);
    Piece { line, bytes, cut: true, marks: vec![(at, start..floor(text, shown_end))] }
}

fn copy(text: &str, piece: Piece) -> Excerpt {
    let bytes = piece.bytes;
    let before = if piece.cut && 0 < bytes.start && text.as_bytes()[bytes.start - 1] != b'\n' { CUT } else { "" };
    let after = if piece.cut && bytes.end < text.len() && text.as_bytes()[bytes.end] != b'\n' { CUT } else { "" };
    let shift = |place: usize| place.saturating_sub(bytes.start).min(bytes.len()) + before.len();
    let marks = piece.marks.iter().map(|(at, mark)| (*at, shift(mark.start)..shift(mark.end))).collect();
    let shown = text[bytes.clone()].trim_end_matches('\r');
    let missing = bytes.len() - shown.len();
    let mut excerpt = Excerpt { line: piece.line, text: format!("{before}{shown}{after}"), cut: piece.cut, marks };
    if 0 < missing {
        let length = before.len() + shown.len();
        for (_, mark) in &mut excerpt.marks {
            *mark = mark.start.min(length)..mark.end.min(length);
        }
    }
    excerpt
}

/// The character boundary at or before a place.
fn floor(text: &str, place: usize) -> usize {
    let mut place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// The character boundary at or after a place.
fn ceil(text: &str, place: usize) -> usize {
    let mut place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place += 1;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str, span: Span) -> Excerpt {
        let mut found = excerpts(&Source::new("x", text), &[span]);
        assert_eq!(found.len(), 1);
        found.remove(0)
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        let found = one("one\ntwo\nthree", Span::new(5, 6));
        assert_eq!((found.line, found.text.as_str(), found.marks), (2, "two", vec![(0, 1..2)]));
    }

    #[test]
    fn places_far_apart_get_excerpts_of_their_own() {
        let text = format!("a\n{}b", "x\n".repeat(500));
        let found =
            excerpts(&Source::new("x", text.clone()), &[Span::new(text.len() - 1, text.len()), Span::new(0, 1)]);
        let shown: Vec<_> =
            found.iter().map(|excerpt| (excerpt.line, excerpt.text.as_str(), excerpt.marks[0].0)).collect();
        assert_eq!(shown, [(1, "a", 1), (502, "b", 0)]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}é{}", "x".repeat(5_000_000), "ü".repeat(5_000_000));
        let found = one(&text, Span::new(5_000_000, 5_000_002));
        assert!(found.text.len() < 400 && found.text.starts_with(CUT) && found.text.ends_with(CUT));
        assert_eq!(&found.text[found.marks[0].1.clone()], "é");
    }

    #[test]
    fn a_place_over_many_lines_is_shown_by_its_first() {
        let found = one(&"line\n".repeat(100), Span::new(0, 400));
        assert_eq!((found.text.as_str(), found.marks), ("line", vec![(0, 0..4)]));
    }
}
