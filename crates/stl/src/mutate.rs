//! Mutants: formulas that differ from the one under test by one slip of the pen.
//!
//! Each of fourteen operators models a kind of mistake; each mutant is one application of one operator at one place. Equal
//! mutants are one, which remembers every operator that makes it.

mod describe;
mod operators;
mod steps;

use source::Span;

use crate::spec::Spec;
use crate::store::{Formula, Store};
use indexmap::IndexMap;

pub use operators::mutations_at;
pub use steps::{Sizes, Steps, sizes};

/// The most mutants that are made.
pub const MOST: usize = 20_000;

/// The most nodes that all mutants together may repeat: a change deep inside a formula repeats every node above it.
pub(crate) const MOST_NODES: usize = 3_000_000;

/// A mutant.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The mutated formula.
    pub formula: Formula,
    /// The operator that made it first.
    pub operator: Operator,
    /// All operators that make it.
    pub operators: Vec<Operator>,
    /// The place of the change.
    pub span: Span,
    /// The changed place in the tree of the formula.
    pub place: u32,
    /// What the change is, in a sentence.
    pub description: String,
}

macro_rules! operators {
    ($($variant:ident $name:literal $doc:literal;)*) => {
        /// A mutation operator.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Operator { $(#[doc = $doc] $variant,)* }

        impl Operator {
            /// Every operator, in order.
            pub const ALL: &'static [Operator] = &[$(Operator::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str { match self { $(Operator::$variant => $name,)* } }

            /// The mistake it models, in a few words.
            pub fn description(self) -> &'static str { match self { $(Operator::$variant => $doc,)* } }
        }
    };
}

operators! {
    OperandReplacement "oro" "A proposition is confused with another one of the formula.";
    LogicalReplacement "lro" "A logical connective is confused with another one.";
    TemporalReplacement "tro" "A temporal operator is confused with another one.";
    RelationalReplacement "rro" "A relation is confused with another one.";
    IntervalReplacement "iro" "A bound of a window is off by one step.";
    ThresholdReplacement "cro" "A number that a signal is compared with is off by one in its last place.";
    PropositionNegation "ano" "A negation of a proposition is missing.";
    ExpressionNegation "eno" "A negation is missing or superfluous.";
    StuckAt "sto" "A proposition does not matter: it is stuck at true or false.";
    MissingCondition "mco" "One side of a connective is superfluous.";
    MissingTemporal "mto" "A temporal operator is superfluous.";
    TemporalInsertion "tio" "A temporal operator is missing.";
    AssociationShift "aso" "Brackets stand elsewhere.";
    UntilReplacement "uro" "A conjunction with an eventually stands for an until, or a disjunction with an always for a release.";
}

impl Operator {
    /// The operator with this name.
    pub fn from_name(name: &str) -> Option<Operator> {
        Operator::ALL.iter().copied().find(|operator| operator.name() == name)
    }
}

/// Choices about mutants.
#[derive(Clone, Debug)]
pub struct MutationOptions {
    /// Which operators.
    pub operators: Vec<Operator>,
    /// By how much bounds are moved and how wide inserted windows are.
    pub steps: Steps,
    /// Whether brackets are also moved over temporal operators: `p -> G q` to `G(p -> q)`.
    pub shift_over_temporal: bool,
}

impl Default for MutationOptions {
    fn default() -> MutationOptions {
        MutationOptions { operators: Operator::ALL.to_vec(), steps: Steps::Written, shift_over_temporal: false }
    }
}

impl MutationOptions {
    /// The name of the operators as they were published, with the step of the formula only.
    pub const PUBLISHED: &'static str = "published";

    /// The operators as they were published: numbers are not mutated, until and release are not taken for connectives, and bounds move
    /// by the step of the formula only.
    pub fn published() -> MutationOptions {
        let later = [Operator::ThresholdReplacement, Operator::UntilReplacement];
        let operators = Operator::ALL.iter().copied().filter(|operator| !later.contains(operator));
        MutationOptions { operators: operators.collect(), steps: Steps::Divisor, shift_over_temporal: false }
    }
}

/// The mutants of a specification, each once and none equal to the formula; none if there are more than [`MOST`] or if
/// they are too large together.
pub fn mutants(spec: &mut Spec, options: &MutationOptions) -> Option<Vec<Mutant>> {
    let sizes = sizes(spec, options);
    let parents = parents(spec);
    let depths = depths(&parents);
    let mut nodes = 0;
    let mut found: IndexMap<Formula, Mutant> = IndexMap::new();
    for &operator in &options.operators {
        for place in preorder(spec) {
            for (changed, description) in mutations_at(spec, operator, place, &parents, &sizes, options) {
                nodes += depths[place as usize];
                if MOST_NODES < nodes {
                    return None;
                }
                let formula = rebuilt(spec, &parents, place, changed);
                if formula == spec.formula {
                    continue;
                }
                let span = spec.occurrences[place as usize].span;
                let entry = found.entry(formula).or_insert_with(|| Mutant {
                    formula,
                    operator,
                    operators: Vec::new(),
                    span,
                    place,
                    description,
                });
                if !entry.operators.contains(&operator) {
                    entry.operators.push(operator);
                }
                if MOST < found.len() {
                    return None;
                }
            }
        }
    }
    Some(found.into_values().collect())
}

/// The parent of each place, and which operand of it the place is.
pub(crate) fn parents(spec: &Spec) -> Vec<Option<(u32, usize)>> {
    let mut parents = vec![None; spec.occurrences.len()];
    for (place, occurrence) in spec.occurrences.iter().enumerate() {
        for (operand, &arg) in occurrence.args.iter().enumerate() {
            parents[arg as usize] = Some((place as u32, operand));
        }
    }
    parents
}

/// How many places each place lies below. Parents have higher numbers than their operands.
fn depths(parents: &[Option<(u32, usize)>]) -> Vec<usize> {
    let mut depths = vec![0; parents.len()];
    for place in (0..parents.len()).rev() {
        depths[place] = parents[place].map_or(0, |(parent, _)| depths[parent as usize] + 1);
    }
    depths
}

/// The places, a formula before its operands.
fn preorder(spec: &Spec) -> Vec<u32> {
    let mut order = Vec::with_capacity(spec.occurrences.len());
    let mut stack = vec![spec.occurrences.len() as u32 - 1];
    while let Some(place) = stack.pop() {
        order.push(place);
        stack.extend(spec.occurrences[place as usize].args.iter().rev());
    }
    order
}

/// The whole formula with `changed` at `place`.
pub(crate) fn rebuilt(
    spec: &mut Spec,
    parents: &[Option<(u32, usize)>],
    mut place: u32,
    mut changed: Formula,
) -> Formula {
    while let Some((parent, operand)) = parents[place as usize] {
        let node = spec.store.node(spec.occurrences[parent as usize].formula);
        let mut args = node.args();
        args[operand] = changed;
        let node = node.with_args(&args);
        changed = spec.store.add(node);
        place = parent;
    }
    changed
}

/// The formula with every occurrence of a subformula replaced.
pub(crate) fn replaced(store: &mut Store, root: Formula, old: Formula, new: Formula) -> Formula {
    let mut images: Vec<(Formula, Formula)> = Vec::new();
    for formula in store.below(&[root]) {
        let image = if formula == old {
            new
        } else {
            let find = |arg: &Formula| {
                let place = images.binary_search_by_key(arg, |pair| pair.0).expect("operands come first");
                images[place].1
            };
            let args: Vec<Formula> = store.node(formula).args().iter().map(find).collect();
            let node = store.node(formula).with_args(&args);
            store.add(node)
        };
        images.push((formula, image));
    }
    images.last().expect("a formula is below itself").1
}
