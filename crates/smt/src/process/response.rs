//! Cutting a solver's output into s-expressions while it arrives.

/// Output that has arrived and was not taken yet.
#[derive(Default)]
pub(super) struct Responses {
    bytes: Vec<u8>,
    /// How far the text was scanned.
    scanned: usize,
    start: Option<usize>,
    depth: usize,
    within: Within,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    Atom,
    String,
    Quoted,
    Comment,
}

impl Responses {
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// How much has arrived without making a whole expression.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes the next whole expression. At the end of the output an atom is whole too.
    pub(super) fn take(&mut self, at_end: bool) -> Option<String> {
        while self.scanned < self.bytes.len() {
            let byte = self.bytes[self.scanned];
            if let Some(end) = self.advance(byte) {
                return Some(self.cut(end));
            }
            self.scanned += 1;
        }
        let atom = at_end && self.depth == 0 && self.within == Within::Atom;
        atom.then(|| self.cut(self.bytes.len()))
    }

    /// What has arrived so far, for a message.
    pub(super) fn rest(&self) -> String {
        String::from_utf8_lossy(&self.bytes[..self.bytes.len().min(200)]).trim().to_owned()
    }

    /// Scans one byte; returns where an expression ends, if it does.
    fn advance(&mut self, byte: u8) -> Option<usize> {
        let here = self.scanned;
        match (self.within, byte) {
            (Within::Comment, b'\n') => self.within = Within::Nothing,
            (Within::Comment, _) => {}
            (Within::String, b'"') | (Within::Quoted, b'|') => {
                self.within = Within::Nothing;
                return (self.depth == 0).then_some(here + 1);
            }
            (Within::String | Within::Quoted, _) => {}
            (Within::Atom, b'(' | b')' | b' ' | b'\t' | b'\r' | b'\n' | b';' | b'"') => {
                self.within = Within::Nothing;
                return if self.depth == 0 { Some(here) } else { self.advance(byte) };
            }
            (Within::Atom, _) => {}
            (Within::Nothing, b' ' | b'\t' | b'\r' | b'\n') => {}
            (Within::Nothing, b';') => self.within = Within::Comment,
            (Within::Nothing, b')') if self.depth <= 1 => {
                self.start.get_or_insert(here);
                return Some(here + 1);
            }
            (Within::Nothing, b')') => self.depth -= 1,
            (Within::Nothing, byte) => {
                self.start.get_or_insert(here);
                match byte {
                    b'(' => self.depth += 1,
                    b'"' => self.within = Within::String,
                    b'|' => self.within = Within::Quoted,
                    _ => self.within = Within::Atom,
                }
            }
        }
        None
    }

    fn cut(&mut self, end: usize) -> String {
        let start = self.start.take().unwrap_or(0);
        let text = String::from_utf8_lossy(&self.bytes[start..end]).into_owned();
        self.bytes.drain(..end);
        (self.scanned, self.depth, self.within) = (0, 0, Within::Nothing);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_cut_wherever_the_chunks_end() {
        let text = "sat\n((x 1) (|a )b| \"(\"\"\"))\n; note (\nunsat (error \"no\")) last";
        for size in [1, 2, 3, 7, 100] {
            let mut responses = Responses::default();
            let mut taken = Vec::new();
            for chunk in text.as_bytes().chunks(size) {
                responses.extend(chunk);
                while let Some(one) = responses.take(false) {
                    taken.push(one);
                }
            }
            taken.extend(responses.take(true));
            assert_eq!(taken, ["sat", "((x 1) (|a )b| \"(\"\"\"))", "unsat", "(error \"no\")", ")", "last"], "{size}");
        }
    }
}
