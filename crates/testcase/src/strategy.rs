//! Strategies of the search, and what a suite says about how it was made.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! strategies {
    ($($variant:ident $name:literal $doc:literal;)*) => {
        /// How queries are posed. With every strategy, each test retires every obligation the judge says it meets.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Strategy { $(#[doc = $doc] $variant,)* }

        impl Strategy {
            /// Every strategy.
            pub const ALL: &'static [Strategy] = &[$(Strategy::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str { match self { $(Strategy::$variant => $name,)* } }

            /// What it does, in a sentence.
            pub fn description(self) -> &'static str { match self { $(Strategy::$variant => $doc,)* } }
        }
    };
}

strategies! {
    Simple "simple" "One test that satisfies the specification, whatever it covers.";
    Hard "hard" "One test that meets every obligation at once, or none.";
    Soft "soft" "Each test meets as many open obligations as a greedy choice can add.";
    Iterative "iterative" "Each query asks for any open obligation; the last one closes all that are left.";
    Each "each" "One obligation at a time, in order.";
    Groupwise "groupwise" "Each query only excludes what was met before; where obligations do not partition the executions, as iterative.";
    Incremental "incremental" "Step by step: each test goes on from what was found before as long as that shows something new; in languages without steps, as little of the last test changes as needed.";
    Growing "growing" "Random runs first, then any open obligation within growing bounds, with a fair share for each where that is hard.";
}

impl Strategy {
    /// The strategy with this name.
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::ALL.iter().copied().find(|strategy| strategy.name() == name)
    }
}

/// How the tests of a suite came about: what its field `strategy` holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum Method {
    /// Nobody says.
    #[default]
    Unnamed,
    /// A search found them.
    Search(Strategy),
    /// A search for goals that are too many to be listed found them.
    Product,
    /// They were given, and measured.
    Measure,
    /// They are the words of a machine that was given.
    Machine,
}

impl Method {
    /// The name in a suite.
    pub fn name(self) -> &'static str {
        match self {
            Method::Unnamed => "",
            Method::Search(strategy) => strategy.name(),
            Method::Product => "product",
            Method::Measure => "measure",
            Method::Machine => "machine",
        }
    }
}

impl From<Method> for &'static str {
    fn from(method: Method) -> &'static str {
        method.name()
    }
}

impl TryFrom<String> for Method {
    type Error = String;

    fn try_from(name: String) -> Result<Method, String> {
        let others = [Method::Unnamed, Method::Product, Method::Measure, Method::Machine];
        let other = others.into_iter().find(|method| method.name() == name);
        let found = other.or_else(|| Strategy::from_name(&name).map(Method::Search));
        found.ok_or_else(|| format!("the suite has the unknown strategy `{name}`"))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
