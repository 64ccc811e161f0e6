//! Goals: what a criterion asks for.

mod mumcut;

use std::fmt;

use formula::LeafId;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Source, Span};
use testcase::{Goal, Location, ObligationId, Pursuit};
use value::Sort;

use crate::obligation::{ConditionGroup, ConditionId, Literal, Obligation};
use crate::unfold::on_one_line;
use crate::{Decision, ExprId, ExprKind, Operator, Spec, codes};

/// The number of conditions up to which every combination of their values is asked for.
const COMBINATIONS: usize = 16;

/// The longest text of a place, in characters.
const LOCATION_TEXT: usize = 60;

/// A coverage criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Criterion {
    /// The decision is true once and false once.
    Decision,
    /// Every condition is true once and false once.
    Condition,
    /// Both of the above.
    ConditionDecision,
    /// Every combination of condition values.
    MultipleCondition,
    /// Each condition true and deciding, false and deciding; and both outcomes (formula 3.1 of the source).
    MaskingMcdc,
    /// As masking, by a pair of tests equal in every other condition (formula 3.2 of the source).
    UniqueCauseMcdc,
    /// Unique cause where it exists, masking where unique cause is proved impossible.
    UniqueCauseMaskingMcdc,
    /// Correlated active clause coverage: as masking, and the two tests of a condition have different outcomes.
    Cacc,
    /// General active clause coverage: as masking, without the outcomes.
    Gacc,
    /// Restricted active clause coverage: as unique cause, without the outcomes.
    Racc,
    /// MUTP, MNFP and CUTPNFP of a decision in disjunctive normal form.
    Mumcut,
}

/// What counts as a condition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConditionMode {
    /// Every occurrence on its own.
    #[default]
    Occurrence,
    /// All occurrences of an atom together.
    Variable,
}

/// What a criterion asks for on one decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goals {
    /// The conditions, in the order of the text.
    pub conditions: Vec<ConditionGroup>,
    /// The terms of the DNF, for MUMCUT; empty otherwise.
    pub terms: Vec<Vec<Literal>>,
    /// The goals; their alternatives name obligations by position.
    pub goals: Vec<Goal>,
    /// The obligations. Those no goal names must be met besides: both outcomes, for the MC/DC criteria.
    pub obligations: Vec<Obligation>,
}

/// What shapes goals besides the criterion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GoalOptions {
    /// What counts as a condition. MUMCUT always takes all occurrences of an atom together.
    pub mode: ConditionMode,
    /// Whether tests on and next to the boundary of every comparison of integers are asked for besides, and on the
    /// boundary of every comparison of reals, in which the comparison decides.
    pub boundary: bool,
}

/// What a criterion asks for on the decision at position `decision`.
///
/// # Errors
/// When the criterion is not defined on the decision, or asks for too much.
pub fn goals(
    source: &Source,
    spec: &Spec,
    decision: usize,
    criterion: Criterion,
    options: GoalOptions,
) -> Result<Goals, Vec<Diagnostic>> {
    let decision = &spec.decisions[decision];
    let mode = if criterion == Criterion::Mumcut { ConditionMode::Variable } else { options.mode };
    let mut collector = Collector::new(source, decision, groups(decision, mode));
    match criterion {
        Criterion::Decision => collector.outcomes(),
        Criterion::Condition => collector.values(),
        Criterion::ConditionDecision => {
            collector.outcomes();
            collector.values();
        }
        Criterion::MultipleCondition => collector.combinations()?,
        Criterion::MaskingMcdc => collector.each_condition("decides the outcome both ways", Collector::active, true),
        Criterion::UniqueCauseMcdc => collector.each_condition("alone changes the outcome", Collector::alone, true),
        Criterion::UniqueCauseMaskingMcdc => collector.each_condition(
            "alone changes the outcome, or decides it both ways where it cannot change alone",
            Collector::alone_or_active,
            true,
        ),
        Criterion::Cacc => {
            collector.each_condition("decides the outcome both ways, with both outcomes", Collector::correlated, true);
        }
        Criterion::Gacc => collector.each_condition("decides the outcome both ways", Collector::active, false),
        Criterion::Racc => collector.each_condition("alone changes the outcome", Collector::alone, false),
        Criterion::Mumcut => mumcut::collect(&mut collector)?,
    }
    if options.boundary {
        collector.boundaries(spec);
    }
    Ok(collector.finish())
}

impl Criterion {
    /// Every criterion.
    pub const ALL: &'static [Criterion] = &[
        Criterion::Decision,
        Criterion::Condition,
        Criterion::ConditionDecision,
        Criterion::MultipleCondition,
        Criterion::MaskingMcdc,
        Criterion::UniqueCauseMcdc,
        Criterion::UniqueCauseMaskingMcdc,
        Criterion::Cacc,
        Criterion::Gacc,
        Criterion::Racc,
        Criterion::Mumcut,
    ];

    /// The name on the command line and in suites.
    pub fn name(self) -> &'static str {
        match self {
            Criterion::Decision => "decision",
            Criterion::Condition => "condition",
            Criterion::ConditionDecision => "condition-decision",
            Criterion::MultipleCondition => "mcc",
            Criterion::MaskingMcdc => "masking-mcdc",
            Criterion::UniqueCauseMcdc => "unique-cause-mcdc",
            Criterion::UniqueCauseMaskingMcdc => "unique-cause-masking-mcdc",
            Criterion::Cacc => "cacc",
            Criterion::Gacc => "gacc",
            Criterion::Racc => "racc",
            Criterion::Mumcut => "mumcut",
        }
    }

    /// The criterion of a name or of a usual other name: `mcdc` is `masking-mcdc`, the form certification accepts with the
    /// fewest restrictions.
    pub fn from_name(name: &str) -> Option<Criterion> {
        let full = match name {
            "dc" => "decision",
            "cc" => "condition",
            "cdc" | "c/dc" | "dcc" => "condition-decision",
            "multiple-condition" => "mcc",
            "mcdc" | "mc/dc" | "masking" => "masking-mcdc",
            "unique-cause" | "ucmcdc" => "unique-cause-mcdc",
            "unique-cause-masking" => "unique-cause-masking-mcdc",
            other => other,
        };
        Criterion::ALL.iter().find(|criterion| criterion.name() == full).copied()
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The conditions of a decision as a mode counts them.
pub fn groups(decision: &Decision, mode: ConditionMode) -> Vec<ConditionGroup> {
    let mut groups: Vec<ConditionGroup> = Vec::new();
    let mut known: FxHashMap<ExprId, usize> = FxHashMap::default();
    for (index, condition) in decision.conditions.iter().enumerate() {
        let leaf = LeafId(index as u32);
        if mode == ConditionMode::Variable {
            if let Some(&group) = known.get(&condition.atom) {
                groups[group].leaves.push(leaf);
                continue;
            }
            known.insert(condition.atom, groups.len());
        }
        groups.push(ConditionGroup { leaves: vec![leaf], label: condition.text.clone() });
    }
    groups
}

/// Goals and obligations so far.
struct Collector<'a> {
    source: &'a Source,
    decision: &'a Decision,
    goals: Goals,
}

impl<'a> Collector<'a> {
    fn new(source: &'a Source, decision: &'a Decision, conditions: Vec<ConditionGroup>) -> Collector<'a> {
        let goals = Goals { conditions, terms: Vec::new(), goals: Vec::new(), obligations: Vec::new() };
        Collector { source, decision, goals }
    }

    fn finish(self) -> Goals {
        self.goals
    }

    fn conditions(&self) -> impl Iterator<Item = ConditionId> + use<> {
        (0..self.goals.conditions.len() as u32).map(ConditionId)
    }

    fn oblige(&mut self, obligation: Obligation) -> ObligationId {
        self.goals.obligations.push(obligation);
        ObligationId(self.goals.obligations.len() as u32 - 1)
    }

    fn goal(&mut self, key: String, label: String, span: Span, alternatives: Vec<Vec<ObligationId>>, pursuit: Pursuit) {
        let place = self.source.place(span.start);
        let text = shortened(&on_one_line(self.source.slice(span)));
        let location = Some(Location { line: place.line, column: place.column, text });
        self.goals.goals.push(Goal::new(key, label, location, alternatives).pursued(pursuit));
    }

    /// A goal that is one obligation.
    fn single(&mut self, key: String, label: String, span: Span, obligation: Obligation) {
        let obligation = self.oblige(obligation);
        self.goal(key, label, span, vec![vec![obligation]], Pursuit::OneByOne);
    }

    /// Where a condition stands first.
    fn span(&self, condition: ConditionId) -> Span {
        let leaf = self.goals.conditions[condition.0 as usize].leaves[0];
        self.decision.conditions[leaf.0 as usize].span
    }

    /// "condition 3 `age > 21`".
    fn named(&self, condition: ConditionId) -> String {
        let number = condition.0 + 1;
        format!("condition {number} `{}`", shortened(&self.goals.conditions[condition.0 as usize].label))
    }

    fn outcomes(&mut self) {
        for outcome in [true, false] {
            let label = format!("the decision `{}` is {outcome}", self.decision.name);
            self.single(format!("decision={outcome}"), label, self.decision.span, Obligation::Outcome { outcome });
        }
    }

    fn values(&mut self) {
        for condition in self.conditions() {
            for value in [true, false] {
                let label = format!("{} is {value}", self.named(condition));
                let key = format!("c{}={value}", condition.0 + 1);
                self.single(key, label, self.span(condition), Obligation::Condition { condition, value });
            }
        }
    }

    fn combinations(&mut self) -> Result<(), Vec<Diagnostic>> {
        let count = self.goals.conditions.len();
        if COMBINATIONS < count {
            let message = format!("{count} conditions have more combinations of values than can be listed");
            let error = Diagnostic::error(&codes::TOO_MANY_COMBINATIONS, self.decision.span, message);
            return Err(vec![error.help("Choose `masking-mcdc`, which needs about one test per condition.")]);
        }
        for number in 0..1u32 << count {
            // The first combination has every condition true, the last every condition false.
            let values: Vec<bool> = (0..count).rev().map(|place| number >> place & 1 == 0).collect();
            let letters: String = values.iter().map(|&value| if value { 'T' } else { 'F' }).collect();
            let label = format!("the conditions have the values {letters}");
            self.single(format!("vector={letters}"), label, self.decision.span, Obligation::Vector { values });
        }
        Ok(())
    }

    /// One goal per condition, and both outcomes besides where `outcomes` says so.
    fn each_condition(
        &mut self,
        does: &str,
        alternatives: fn(&mut Self, ConditionId) -> Vec<Vec<ObligationId>>,
        outcomes: bool,
    ) {
        for condition in self.conditions() {
            let label = format!("{} {does}", self.named(condition));
            let alternatives = alternatives(self, condition);
            // Unique cause first, masking where that is infeasible.
            let pursuit = match alternatives.as_slice() {
                [first, _] if first.len() == 1 => Pursuit::InOrder,
                _ => Pursuit::OneByOne,
            };
            self.goal(format!("c{}", condition.0 + 1), label, self.span(condition), alternatives, pursuit);
        }
        if outcomes {
            self.oblige(Obligation::Outcome { outcome: true });
            self.oblige(Obligation::Outcome { outcome: false });
        }
    }

    fn active_as(&mut self, condition: ConditionId, value: bool, outcome: Option<bool>) -> ObligationId {
        self.oblige(Obligation::Active { condition, value, outcome })
    }

    fn active(&mut self, condition: ConditionId) -> Vec<Vec<ObligationId>> {
        vec![vec![self.active_as(condition, true, None), self.active_as(condition, false, None)]]
    }

    fn alone(&mut self, condition: ConditionId) -> Vec<Vec<ObligationId>> {
        vec![vec![self.oblige(Obligation::UniqueCause { condition })]]
    }

    fn alone_or_active(&mut self, condition: ConditionId) -> Vec<Vec<ObligationId>> {
        let mut alternatives = self.alone(condition);
        alternatives.extend(self.active(condition));
        alternatives
    }

    fn correlated(&mut self, condition: ConditionId) -> Vec<Vec<ObligationId>> {
        let same = [true, false].map(|value| self.active_as(condition, value, Some(value)));
        let opposite = [true, false].map(|value| self.active_as(condition, value, Some(!value)));
        vec![same.to_vec(), opposite.to_vec()]
    }

    fn boundaries(&mut self, spec: &Spec) {
        for condition in self.conditions() {
            let leaf = self.goals.conditions[condition.0 as usize].leaves[0];
            let atom = self.decision.conditions[leaf.0 as usize].atom;
            let Some((_, _, sort)) = sides(spec, atom) else { continue };
            let offsets: &[i8] = if sort == Sort::Int { &[-1, 0, 1] } else { &[0] };
            for &offset in offsets {
                let sign = if offset == 1 { "+" } else { "" };
                let key = format!("c{}:{sign}{offset}", condition.0 + 1);
                let place = match offset {
                    0 => "on the boundary".to_owned(),
                    _ => format!("next to the boundary ({sign}{offset})"),
                };
                let label = format!("{} decides {place}", self.named(condition));
                self.single(key, label, self.span(condition), Obligation::Boundary { condition, offset });
            }
        }
    }
}

/// The two sides of a comparison of numbers, and their sort.
pub fn sides(spec: &Spec, atom: ExprId) -> Option<(ExprId, ExprId, Sort)> {
    let ExprKind::Apply { operator, args, .. } = &spec.exprs[atom.0 as usize].kind else { return None };
    let compares = matches!(
        operator,
        Operator::Lt | Operator::Le | Operator::Gt | Operator::Ge | Operator::Eq | Operator::Distinct
    );
    let [left, right] = args[..] else { return None };
    let sort = spec.exprs[left.0 as usize].sort.clone();
    (compares && sort.is_numeric()).then_some((left, right, sort))
}

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(LOCATION_TEXT).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}
