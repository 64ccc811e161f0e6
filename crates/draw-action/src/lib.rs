//! Conformance of action systems with their mutants: explicit-state and symbolic search, and the tests it finds.
//!
//! A mutant that does not conform is killed by a trace of the model and a step that only the mutant can make. Every such
//! finding is replayed by the interpreter before anyone sees it, and every claim of equivalence says what it rests on.

mod campaign;
mod cone;
mod coverage;
pub mod effort;
mod engine;
mod invariants;
mod ioco;
mod judge;
mod labels;
mod limits;
mod moves;
mod open_inputs;
mod pair;
mod picture;
mod refine;
mod silence;
mod space;
mod store;
mod subject;
mod suspension;
mod symbolic;
mod verdict;
mod walk;

pub use action::finding::{Difference, Kill, Relation, Seen};
pub use action::trial::{Trial, known_label};
pub use campaign::{Campaign, CampaignOptions, Examined, Make, examine};
pub use coverage::CoverageSubject;
pub use engine::{Record, Way};
pub use invariants::{Broken, Checked, invariants};
pub use limits::{Limits, Stopped};
pub use open_inputs::{OpenInput, OpenInputs, open_inputs};
pub use pair::{Base, Pair, Unsupported};
pub use picture::{Paths, graph, paths};
pub use space::{Space, Steps};
pub use subject::{ActionSubject, Entry, Origin, Report};
pub use symbolic::{Assertions, SourceStrategy, bounded, strategy, translate};
pub use verdict::{Back, Conformance, Proof, Verdict};
