//! Boolean structure shared by decisions, STL and LTL: connectives, formulas as trees over numbered leaves, and normal forms.

mod connective;
pub mod dnf;
mod formula;

pub use connective::Connective;
pub use formula::{Formula, FormulaBuilder, LeafId, Node, NodeId};
