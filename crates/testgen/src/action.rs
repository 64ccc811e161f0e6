//! Conformance of action systems with their mutants: explicit-state and symbolic search, and the tests it finds.
//!
//! A mutant that does not conform is killed by a trace of the model and a step that only the mutant can make. Every such
//! finding is replayed by the interpreter before anyone sees it, and every claim of equivalence says what it rests on.

mod campaign;
mod confirm;
mod ioco;
mod limits;
mod pair;
mod refine;
mod space;
mod symbolic;
mod verdict;

pub use campaign::{Campaign, CampaignOptions, Examined, Make, Relation, examine};
pub use limits::{Limits, Stopped};
pub use pair::{Pair, Unsupported};
pub use space::{Space, Steps};
pub use symbolic::{Assertions, SourceStrategy, bounded, strategy};
pub use verdict::{Difference, Equivalence, Kill, Seen, Verdict};
