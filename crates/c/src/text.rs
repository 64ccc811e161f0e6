//! Preprocessed text and the places of the user's files it came from.

use source::Span;

use crate::program::{FileId, Location};

/// Preprocessed text of one or several units, one behind the other, with the places its line markers name.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// Where each line starts.
    starts: Vec<u32>,
    markers: Vec<Marker>,
    files: Vec<String>,
    /// For each file whether it is a header of the system wherever it is named.
    system: Vec<bool>,
    /// From an offset on, members are aligned to at most so many bytes; 0 is not a limit.
    packs: Vec<(u32, u64)>,
}

/// From a line of the text on, lines come from a file.
#[derive(Clone, Copy, Debug)]
struct Marker {
    /// The index of the first line it speaks of.
    row: u32,
    file: FileId,
    line: u32,
    /// Whether the file is a header of the system.
    system: bool,
}

impl Text {
    /// Adds a preprocessed unit, called `name` until its first line marker. Returns where it stands.
    pub fn add(&mut self, name: &str, unit: &str) -> Span {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        let start = self.text.len();
        let file = self.file(name, false);
        let row = self.starts.len() as u32;
        self.markers.push(Marker { row, file, line: 1, system: false });
        let mut offset = start;
        let mut pack = Pack::default();
        self.packs.push((start as u32, 0));
        for (row, line) in (row + 1..).zip(unit.split_inclusive('\n')) {
            self.starts.push(offset as u32);
            offset += line.len();
            if let Some(limit) = pack.read(line) {
                self.packs.push((offset as u32, limit));
            }
            if let Some((number, file, system)) = marker(line) {
                let file = match file {
                    Some(file) => self.file(&file, system),
                    None => self.markers[self.markers.len() - 1].file,
                };
                self.markers.push(Marker { row, file, line: number, system });
            }
        }
        self.text.push_str(unit);
        Span::new(start, self.text.len())
    }

    fn file(&mut self, name: &str, system: bool) -> FileId {
        let known = self.files.iter().position(|known| known == name);
        let index = known.unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.system.push(true);
            self.files.len() - 1
        });
        self.system[index] &= system;
        FileId(index as u32)
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The names of the files.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// For each file whether it is a header of the system.
    pub fn system_files(&self) -> &[bool] {
        &self.system
    }

    fn marker(&self, offset: u32) -> (u32, Marker) {
        let row = (self.starts.partition_point(|&start| start <= offset) as u32).saturating_sub(1);
        let index = self.markers.partition_point(|marker| marker.row <= row);
        (row, self.markers[index.saturating_sub(1)])
    }

    /// The place in the user's files of an offset.
    pub fn location(&self, offset: u32) -> Location {
        let (row, marker) = self.marker(offset);
        let start = self.starts.get(row as usize).copied().unwrap_or(0);
        Location { file: marker.file, line: marker.line.saturating_add(row - marker.row), column: offset - start + 1 }
    }

    /// The line of the text that holds an offset.
    pub fn line_at(&self, offset: u32) -> &str {
        let (row, _) = self.marker(offset);
        let start = self.starts.get(row as usize).copied().unwrap_or(0) as usize;
        self.text[start..].lines().next().unwrap_or("")
    }

    /// The alignment that `#pragma pack` allows members declared at an offset, if there is one.
    pub fn pack(&self, offset: u32) -> Option<u64> {
        let index = self.packs.partition_point(|(from, _)| *from <= offset);
        self.packs[..index].last().map(|(_, limit)| *limit).filter(|limit| *limit > 0)
    }

    /// Whether an offset comes from a header of the system.
    pub fn in_system_header(&self, offset: u32) -> bool {
        self.marker(offset).1.system
    }
}

/// The state of `#pragma pack`.
#[derive(Default)]
struct Pack {
    now: u64,
    saved: Vec<u64>,
}

impl Pack {
    /// The new limit, if the line is such a pragma.
    fn read(&mut self, line: &str) -> Option<u64> {
        let rest = line
            .trim_start()
            .strip_prefix('#')?
            .trim_start()
            .strip_prefix("pragma")?
            .trim_start()
            .strip_prefix("pack")?;
        let inner = rest.trim().strip_prefix('(')?.split(')').next()?;
        let mut number = None;
        for word in inner.split(',').map(str::trim) {
            match word {
                "push" => self.saved.push(self.now),
                "pop" => number = Some(self.saved.pop().unwrap_or(0)),
                word => number = word.parse().ok().or(number),
            }
        }
        self.now = if inner.trim().is_empty() { 0 } else { number.unwrap_or(self.now) };
        Some(self.now)
    }
}

/// The line number, file name and system flag of `# 12 "file.c" 1 3` or `#line 12 "file.c"`.
fn marker(line: &str) -> Option<(u32, Option<String>, bool)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(rest.len());
    let number: u32 = rest[..digits].parse().ok()?;
    let rest = rest[digits..].trim();
    let Some(quoted) = rest.strip_prefix('"') else {
        return Some((number, None, false));
    };
    let mut name = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((number, Some(name), quoted[at + 1..].split_whitespace().any(|flag| flag == "3"))),
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            other => name.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_the_users_lines() {
        let mut text = Text::default();
        text.add("a.i", "# 1 \"a.c\"\nint x;\n# 7 \"/usr/include/b.h\" 1 3 4\nint y;\n\nint z;\n");
        let at = |name: &str| text.location(text.text().find(name).expect("there") as u32);
        let y = at("int y");
        assert_eq!((text.files()[y.file.0 as usize].as_str(), y.line, y.column), ("/usr/include/b.h", 7, 1));
        assert_eq!((at("int z").line, at("int x").line), (9, 1));
        assert!(text.in_system_header(text.text().find("int z").expect("there") as u32));
    }
}
