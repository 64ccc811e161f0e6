//! Verdicts on finite traces: the counting semantics with presumable verdicts, and the others beside it.
//!
//! After F. Röck, "Building Bridges Between Formal Verification and Testing with Automatic Test Generation" (TU Graz, 2018),
//! chapter 5, with the corrections that its own tables demand. Positions count from 1.

mod cells;
mod count;
mod evaluate;
mod expect;
mod explain;
mod finite;
mod monitor;
mod polarity;
mod residual;
mod rules;
mod satisfiability;
mod settle;
mod table;
mod value;

pub use count::{Count, Pair};
pub use expect::Expectation;
pub use explain::{Explanation, Reason, Wait};
pub use monitor::{History, Monitor};
pub use polarity::{Polarity, polarities};
pub use rules::Divergence;
pub use table::Row;
pub use value::Verdict;

use crate::eval::LastNext;

macro_rules! semantics {
    ($($variant:ident $name:literal $words:literal;)*) => {
        /// A meaning of formulas on finite traces.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Semantics { $(#[doc = $words] $variant,)* }

        impl Semantics {
            /// Every semantics, the default first.
            pub const ALL: &'static [Semantics] = &[$(Semantics::$variant,)*];

            /// Its name on the command line.
            pub fn name(self) -> &'static str { match self { $(Semantics::$variant => $name,)* } }

            /// What it is.
            pub fn words(self) -> &'static str { match self { $(Semantics::$variant => $words,)* } }
        }
    };
}

semantics! {
    Counting "counting" "waits are compared with the longest that were seen to end";
    ThreeValued "ltl3" "true if every continuation satisfies the property, false if none does";
    FourValued "rv-ltl" "as ltl3, and fltl where that is inconclusive";
    Mu "mu" "as ltl3, but tautologies and contradictions are not recognised";
    Finite "fltl" "the trace is all there is; X demands a next step";
    FiniteWeak "fltl-weak" "the trace is all there is; X is true in the last step";
    Weak "weak" "the weak view: an open end satisfies everything";
    Strong "strong" "the strong view: an open end satisfies nothing";
}

impl Semantics {
    /// The semantics of a name.
    pub fn from_name(name: &str) -> Option<Semantics> {
        Semantics::ALL.iter().copied().find(|semantics| semantics.name() == name)
    }
}

impl Monitor {
    /// The verdicts of all properties in a semantics; `None` where the automata are too large to tell.
    pub fn judge(&mut self, semantics: Semantics) -> Vec<Option<Verdict>> {
        let some = |verdicts: Vec<Verdict>| verdicts.into_iter().map(Some).collect();
        match semantics {
            Semantics::Counting => some(self.verdicts()),
            Semantics::ThreeValued => self.three_valued_verdicts(),
            Semantics::FourValued => self.four_valued_verdicts(),
            Semantics::Mu => some(self.plain_verdicts()),
            Semantics::Finite => some(self.finite_verdicts(LastNext::Strong)),
            Semantics::FiniteWeak => some(self.finite_verdicts(LastNext::Weak)),
            Semantics::Weak => some(self.weak_verdicts()),
            Semantics::Strong => some(self.strong_verdicts()),
        }
    }
}
