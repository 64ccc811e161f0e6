//! Sorts and values: the nouns every language and every solver agree on.
//!
//! There are deliberately no operators here. Interpreters and solvers each bring their own arithmetic, so that one can
//! judge the other.

mod json;
mod sort;
mod text;
mod value;

pub use dashu_int::{IBig, UBig};
pub use dashu_ratio::RBig;
pub use json::{JsonError, from_json, to_json};
pub use sort::{EnumSort, Sort};
pub use text::{TextError, from_text, write_number};
pub use value::{ArrayValue, BitVec, EnumValue, Value};
