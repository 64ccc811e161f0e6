//! What a criterion asks for.

use source::{Diagnostic, Source};
use testcase::{Goal, Location, ObligationId};
use value::RBig;

use crate::codes;
use crate::cover::{Predicate, first_causes, inactive_clauses};
use crate::mutate::{MOST, MOST_NODES, Mutant, MutationOptions, mutants, replaced};
use crate::print::print;
use crate::spec::{Shape, Spec};
use crate::store::{Formula, Node, SignalId};

/// The most steps that a grid of all times may have.
pub const LONGEST: u32 = 20_000;

/// Where such a grid would be longer, the most sums of bounds that a goal may have.
const MOST_SUMS: usize = 250;

/// The most characters of a place's text.
const LONGEST_TEXT: usize = 60;

macro_rules! criteria {
    ($($variant:ident $name:literal $doc:literal;)*) => {
        /// A coverage criterion.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Criterion { $(#[doc = $doc] $variant,)* }

        impl Criterion {
            /// Every criterion.
            pub const ALL: &'static [Criterion] = &[$(Criterion::$variant,)*];

            /// The name on the command line.
            pub fn name(self) -> &'static str { match self { $(Criterion::$variant => $name,)* } }

            /// What it asks for, in a sentence.
            pub fn description(self) -> &'static str { match self { $(Criterion::$variant => $doc,)* } }
        }
    };
}

criteria! {
    Mutation "mutation" "For each mutant, a signal on which it and the formula differ.";
    FirstCause "ufc" "For each clause, signals on which it is the unique first cause of the verdict.";
    FirstCauseExact "ufc-exact" "As ufc, staying within the windows, so that each predicate implies the verdict.";
    Inactive "picc" "For each clause, signals on which it does not matter.";
    Flip "flip" "For each proposition, a signal on which negating it everywhere changes the verdict.";
    Outcome "outcome" "One signal that satisfies the formula and one that violates it.";
}

impl Criterion {
    /// The criterion with this name.
    pub fn from_name(name: &str) -> Option<Criterion> {
        Criterion::ALL.iter().copied().find(|criterion| criterion.name() == name)
    }
}

/// Choices about goals.
#[derive(Clone, Debug, Default)]
pub struct GoalOptions {
    /// Which mutants.
    pub mutation: MutationOptions,
    /// Whether a coverage predicate is to be told apart from the formula, instead of satisfied.
    pub distinguish: bool,
}

/// The goals of a criterion.
#[derive(Clone, Debug, Default)]
pub struct Goals {
    /// What reports count.
    pub goals: Vec<Goal>,
    /// What one signal can show.
    pub obligations: Vec<Obligation>,
    /// The mutants, one for each goal, where the criterion is mutation.
    pub mutants: Vec<Mutant>,
}

/// What one signal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// This formula and the one under test have different verdicts.
    Differ(Formula),
    /// This formula holds, and the one under test has this verdict, if one is named.
    Hold {
        /// The formula.
        predicate: Formula,
        /// The verdict.
        verdict: Option<bool>,
    },
}

/// The goals of a criterion.
///
/// # Errors
/// When there are too many.
pub fn goals(
    source: &Source,
    spec: &mut Spec,
    criterion: Criterion,
    options: &GoalOptions,
) -> Result<Goals, Vec<Diagnostic>> {
    let too_many = || {
        let message = format!(
            "the criterion {} has more than {MOST} goals here, or goals of more than {MOST_NODES} nodes together",
            criterion.name()
        );
        let whole = spec_span(source);
        vec![Diagnostic::error(&codes::TOO_MANY_GOALS, whole, message)]
    };
    let mut goals = Goals::default();
    match criterion {
        Criterion::Mutation => {
            let mutants = mutants(spec, &options.mutation).ok_or_else(too_many)?;
            for mutant in &mutants {
                let names: Vec<&str> = mutant.operators.iter().map(|operator| operator.name()).collect();
                let label = format!("{}: {}", names.join(", "), mutant.description);
                goals.push("m", label, location(source, spec, mutant.place), Obligation::Differ(mutant.formula));
            }
            goals.mutants = mutants;
        }
        Criterion::FirstCause | Criterion::FirstCauseExact => {
            let exact = criterion == Criterion::FirstCauseExact;
            let (positive, negative) = first_causes(spec, exact).ok_or_else(too_many)?;
            goals.predicates(source, spec, "p", "makes the formula true", &positive, Some(true), options);
            goals.predicates(source, spec, "n", "makes the formula false", &negative, Some(false), options);
        }
        Criterion::Inactive => {
            let predicates = inactive_clauses(spec).ok_or_else(too_many)?;
            goals.predicates(source, spec, "i", "does not matter", &predicates, None, options);
        }
        Criterion::Flip => {
            if MOST_NODES < spec.propositions().len().saturating_mul(spec.occurrences.len()) {
                return Err(too_many());
            }
            for proposition in spec.propositions() {
                let negated = spec.store.add(Node::Not(proposition));
                let flipped = replaced(&mut spec.store, spec.formula, proposition, negated);
                let label = format!("negating `{}` changes the verdict", print(spec, proposition));
                let place = spec.occurrences.iter().position(|occurrence| occurrence.formula == proposition);
                let location = place.and_then(|place| location(source, spec, place as u32));
                goals.push("f", label, location, Obligation::Differ(flipped));
            }
        }
        Criterion::Outcome => {
            for verdict in [true, false] {
                let label = format!("the formula is {verdict}");
                let root = spec.occurrences.len() as u32 - 1;
                let predicate = if verdict { spec.formula } else { spec.store.not(spec.formula) };
                goals.push("o", label, location(source, spec, root), Obligation::Hold { predicate, verdict: None });
            }
        }
    }
    if MOST < goals.goals.len() {
        return Err(too_many());
    }
    Ok(goals)
}

impl Goals {
    fn push(&mut self, prefix: &str, label: String, location: Option<Location>, obligation: Obligation) {
        let last = self.goals.last().and_then(|goal| goal.key.strip_prefix(prefix)?.parse::<u32>().ok());
        let number = last.unwrap_or(0) + 1;
        let id = ObligationId(self.obligations.len() as u32);
        let key = format!("{prefix}{number}");
        self.goals.push(Goal::new(key, label, location, vec![vec![id]]));
        self.obligations.push(obligation);
    }

    #[expect(clippy::too_many_arguments, reason = "one call site per criterion, each argument a word of the goal")]
    fn predicates(
        &mut self,
        source: &Source,
        spec: &Spec,
        prefix: &str,
        words: &str,
        predicates: &[Predicate],
        verdict: Option<bool>,
        options: &GoalOptions,
    ) {
        for predicate in predicates {
            let clause = spec.occurrences[predicate.clause as usize].formula;
            let label = format!("`{}` {words}: {}", print(spec, clause), print(spec, predicate.formula));
            let obligation = match options.distinguish {
                true => Obligation::Differ(predicate.formula),
                false => Obligation::Hold { predicate: predicate.formula, verdict },
            };
            self.push(prefix, label, location(source, spec, predicate.clause), obligation);
        }
    }

    /// The formulas that the obligations are about.
    pub fn formulas(&self) -> Vec<Formula> {
        let formula = |obligation: &Obligation| match *obligation {
            Obligation::Differ(formula) | Obligation::Hold { predicate: formula, .. } => formula,
        };
        self.obligations.iter().map(formula).collect()
    }
}

/// What stands in the way of drawing tests: unbounded operators, or a horizon of too many steps.
pub fn untestable(source: &Source, spec: &Spec, goals: &Goals) -> Option<Diagnostic> {
    if spec.store.is_unbounded(spec.formula) {
        let open = |place: &&crate::spec::Occurrence| spec.store.node(place.formula).is_open_ended();
        let span = spec.occurrences.iter().find(open).map(|place| place.span).unwrap_or_default();
        let message = "a test is finite, so this operator needs a window";
        return Some(
            Diagnostic::error(&codes::UNBOUNDED, span, message)
                .help("Write for instance `[0,10]` behind it, or say with `--horizon 10` how far it looks."),
        );
    }
    if let Some(place) = spec.occurrences.iter().find(|place| mixes(spec, place.formula)) {
        let message = "a signal with steps and a straight one stand in one sum: tests cannot be drawn for it";
        return Some(
            Diagnostic::error(&codes::MIXED_SHAPES, place.span, message)
                .help("Declare all of them with `step`, or none; `--steps` takes all signals as stepping."),
        );
    }
    let mut formulas = goals.formulas();
    formulas.push(spec.formula);
    let (step, horizon) = (crate::step(&spec.store, &formulas), crate::horizon(&spec.store, &formulas));
    let many = |goal: &Formula| crate::sums(&spec.store, &[spec.formula, *goal], MOST_SUMS).is_none();
    if RBig::from(LONGEST) * &step < horizon && formulas.iter().any(many) {
        let message = format!(
            "tests would be {} long, more than {LONGEST} steps of {}",
            crate::write_number(&horizon),
            crate::write_number(&step)
        );
        return Some(Diagnostic::error(&codes::TOO_LONG, spec_span(source), message));
    }
    None
}

/// Whether a comparison is of a sum of signals with steps and straight ones.
fn mixes(spec: &Spec, formula: Formula) -> bool {
    let Node::Compare(comparison) = spec.store.node(formula) else { return false };
    let straight = |signal: &SignalId| spec.signals[signal.0 as usize].shape == Shape::Straight;
    let count = comparison.form.iter().filter(|(_, signal)| straight(signal)).count();
    0 < count && count < comparison.form.len()
}

fn spec_span(source: &Source) -> source::Span {
    source::Span::new(0, source.text().len())
}

fn location(source: &Source, spec: &Spec, place: u32) -> Option<Location> {
    let span = spec.occurrences[place as usize].span;
    if span.start == span.end || source.text().len() < span.end as usize {
        return None;
    }
    let at = source.place(span.start);
    let text: String = source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let text = match text.chars().count() <= LONGEST_TEXT {
        true => text,
        false => text.chars().take(LONGEST_TEXT - 1).chain(['…']).collect(),
    };
    Some(Location { line: at.line, column: at.column, text })
}
