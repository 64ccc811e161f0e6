//! Boolean structure shared by decisions, STL and LTL: connectives, and formulas as trees over numbered leaves.

mod connective;
mod formula;

pub use connective::Connective;
pub use formula::{Formula, FormulaBuilder, LeafId, Node, NodeId};
