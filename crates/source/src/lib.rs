//! Source text, places in it, and what we say about them.
//!
//! Nothing here knows a language or prints: diagnostics are data, and [`render`] turns them into text for those who
//! print it.

pub mod codes;
mod diagnostic;
mod excerpt;
mod load;
mod render;
mod room;
mod sexpr;
mod span;
mod suggest;
mod text;
mod words;

pub use codes::CODES;
pub use diagnostic::{Code, Diagnostic, Label, Severity};
pub use load::Rejection;
pub use render::{Style, render, render_json};
pub use room::{NoRoom, with_room};
pub use sexpr::{SExpr, SExprError, SExprKind, SExprs};
pub use span::Span;
pub use suggest::nearest;
pub use text::{LineColumn, Source};
pub use words::{LexError, block_comment};
