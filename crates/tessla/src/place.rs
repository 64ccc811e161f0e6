//! Places in the files of a specification, and the chain of calls that leads to an instance.

use source::Span;

/// A file of a specification, by its position in [`crate::Files`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A span of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The span in it.
    pub span: Span,
}

/// A node of the tree of calls: how an expanded expression came to be. [`PathId::ROOT`] is the text itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId(pub u32);

/// One call on the way to an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The call around this one.
    pub parent: PathId,
    /// Where the call stands.
    pub call: Place,
    /// The name of the function called.
    pub name: String,
}

/// Where an expanded stream or value expression comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The expression in the text.
    pub place: Place,
    /// The calls through which the text was reached.
    pub path: PathId,
}

impl Place {
    /// The smallest place that holds both, which must be of one file.
    pub fn join(self, other: Place) -> Place {
        Place { file: self.file, span: self.span.join(other.span) }
    }
}

impl PathId {
    /// No call: the text of the specification itself.
    pub const ROOT: PathId = PathId(0);
}
