//! The texts of a specification: the standard library, the main file and what it includes.

use std::sync::Arc;

use source::Source;

use crate::place::{FileId, Place};

/// The texts of a specification. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Files {
    sources: Vec<Arc<Source>>,
    library: u32,
    main: FileId,
}

impl Files {
    /// The text of a file.
    pub fn source(&self, file: FileId) -> &Source {
        &self.sources[file.0 as usize]
    }

    /// The text of a place.
    pub fn slice(&self, place: Place) -> &str {
        self.source(place.file).slice(place.span)
    }

    /// The main file.
    pub fn main(&self) -> FileId {
        self.main
    }

    /// Whether a file belongs to the standard library.
    pub fn is_library(&self, file: FileId) -> bool {
        file.0 < self.library
    }

    /// A place as people write it: `file:line:column`.
    pub fn describe(&self, place: Place) -> String {
        let source = self.source(place.file);
        let start = source.place(place.span.start);
        format!("{}:{}:{}", source.name(), start.line, start.column)
    }

    /// A place with its end: `file(line,column - line,column)`.
    pub fn extent(&self, place: Place) -> String {
        let source = self.source(place.file);
        let (start, end) = (source.place(place.span.start), source.place(place.span.end));
        format!("{}({},{} - {},{})", source.name(), start.line, start.column, end.line, end.column)
    }

    /// The file with this name, if it was read already.
    pub(crate) fn named(&self, name: &str) -> Option<FileId> {
        self.sources.iter().position(|source| source.name() == name).map(|index| FileId(index as u32))
    }

    pub(crate) fn add_library(&mut self, source: Source) -> FileId {
        self.library += 1;
        self.add(source)
    }

    pub(crate) fn add_main(&mut self, source: Source) -> FileId {
        self.main = self.add(source);
        self.main
    }

    pub(crate) fn add(&mut self, source: Source) -> FileId {
        self.sources.push(Arc::new(source));
        FileId(self.sources.len() as u32 - 1)
    }
}
