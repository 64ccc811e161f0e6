//! Why an obligation of a decision cannot be met, in words a person can act on.
//!
//! The words come from a minimal contradiction. They name a category first: *coupled* (another condition always moves
//! along), *dead* (the condition can never decide), *constant* (it can never have the value), or *excluded* (possible
//! but for an assumption).

use std::collections::BTreeSet;

use boolean::goals::Goals;
use boolean::obligation::{ConditionId, Obligation};
use boolean::{Decision, Spec};
use formula::{LeafId, Node, NodeId};

use super::reason::Why;
use search::Reason;

/// At most this many conditions are named in a row.
const NAMED: usize = 4;

pub(crate) struct Explainer<'a> {
    pub(crate) spec: &'a Spec,
    pub(crate) decision: &'a Decision,
    pub(crate) goals: &'a Goals,
}

impl Explainer<'_> {
    /// The reason for an obligation, from a minimal contradiction.
    pub(crate) fn explain(&self, obligation: &Obligation, core: &[Reason]) -> String {
        let whys: BTreeSet<Why> = core.iter().map(|&reason| Why::unpack(reason)).collect();
        let text = match obligation {
            Obligation::Outcome { outcome } => format!("constant: the decision is never {outcome}"),
            Obligation::Condition { condition, value } => {
                format!("constant: {} is never {value}", self.name(*condition))
            }
            Obligation::Vector { .. } => self.vector(&whys),
            Obligation::Active { condition, value, outcome } => self.active(&whys, *condition, *value, *outcome),
            Obligation::UniqueCause { condition } => self.unique_cause(&whys, *condition),
            Obligation::UniqueTrue { term, .. } | Obligation::NearFalse { term, .. } => self.point(&whys, *term),
            Obligation::NeighbourPair { term, literal } => {
                let condition = self.goals.terms[*term as usize][*literal as usize].condition;
                match self.companions(&whys, condition) {
                    Some(text) => text,
                    None => self.point(&whys, *term),
                }
            }
            Obligation::Boundary { condition, offset } => {
                let (name, blockers) = (self.name(*condition), self.blockers(&whys));
                let decides = blockers.is_empty() && !whys.contains(&Why::Decides);
                match (decides, whys.contains(&Why::Difference)) {
                    (true, _) => format!("constant: the sides of {name} never differ by {offset}"),
                    (false, true) => format!("{name} never decides the outcome where its sides differ by {offset}"),
                    (false, false) => format!("dead: {name} never decides the outcome"),
                }
            }
        };
        self.with_assumptions(text, &whys)
    }

    fn active(&self, whys: &BTreeSet<Why>, condition: ConditionId, value: bool, outcome: Option<bool>) -> String {
        let name = self.name(condition);
        let blockers = self.blockers(whys);
        let needs_value = whys.contains(&Why::Value(condition));
        if whys.contains(&Why::Outcome) {
            let outcome = outcome.unwrap_or_default();
            return format!("{name} never decides while it is {value} and the decision is {outcome}");
        }
        match (needs_value, blockers.is_empty()) {
            (true, true) if !whys.contains(&Why::Decides) => format!("constant: {name} is never {value}"),
            (true, true) => format!("dead: {name} never decides the outcome while it is {value}"),
            (false, true) => format!("dead: {name} never decides the outcome"),
            (false, false) => {
                format!("dead: {name} never decides the outcome, since {} always override it", self.names(&blockers))
            }
            (true, false) => format!(
                "coupled with {}: while {name} is {value}, it cannot be left to decide the outcome",
                self.names(&blockers)
            ),
        }
    }

    fn unique_cause(&self, whys: &BTreeSet<Why>, condition: ConditionId) -> String {
        match self.companions(whys, condition) {
            Some(text) => text,
            None => self.active(whys, condition, true, None),
        }
    }

    /// The conditions that cannot stay the same while `condition` flips.
    fn companions(&self, whys: &BTreeSet<Why>, condition: ConditionId) -> Option<String> {
        let same: Vec<ConditionId> = whys
            .iter()
            .filter_map(|why| match why {
                Why::Same(other) => Some(*other),
                _ => None,
            })
            .collect();
        let name = self.name(condition);
        let repeats: Vec<ConditionId> =
            same.iter().copied().filter(|&other| self.atom(other) == self.atom(condition)).collect();
        if !repeats.is_empty() {
            return Some(format!(
                "coupled with {}: {name} occurs there again, and both always flip together",
                self.ids(&repeats)
            ));
        }
        if same.is_empty() {
            return None;
        }
        Some(format!("coupled with {}: {name} cannot flip alone and decide the outcome", self.names(&same)))
    }

    fn vector(&self, whys: &BTreeSet<Why>) -> String {
        let clashing: Vec<ConditionId> = whys
            .iter()
            .filter_map(|why| match why {
                Why::Value(condition) => Some(*condition),
                _ => None,
            })
            .collect();
        match clashing.as_slice() {
            [] => "no test is possible".into(),
            [only] => format!("constant: {} never has this value", self.name(*only)),
            several => format!("coupled: {} cannot have these values together", self.names(several)),
        }
    }

    fn point(&self, whys: &BTreeSet<Why>, term: u32) -> String {
        let others: Vec<String> = whys
            .iter()
            .filter_map(|why| match why {
                Why::Term(other) => Some(format!("term {}", other + 1)),
                _ => None,
            })
            .collect();
        if !others.is_empty() {
            return format!("term {} is never true while {} is false", term + 1, others.join(" and "));
        }
        if whys.contains(&Why::Outcome) {
            return format!("with this literal of term {} false, another term makes the decision true", term + 1);
        }
        self.vector(whys)
    }

    /// The conditions below the siblings that stand between a condition and the root.
    fn blockers(&self, whys: &BTreeSet<Why>) -> Vec<ConditionId> {
        let mut blockers = BTreeSet::new();
        for why in whys {
            if let Why::Passage(node) = why {
                blockers.extend(self.leaves_below(*node).into_iter().filter_map(|leaf| self.group(leaf)));
            }
        }
        blockers.into_iter().collect()
    }

    fn leaves_below(&self, node: NodeId) -> Vec<LeafId> {
        let formula = &self.decision.formula;
        let (mut leaves, mut stack) = (Vec::new(), vec![node]);
        while let Some(node) = stack.pop() {
            match formula.node(node) {
                Node::Leaf(leaf) => leaves.push(leaf),
                Node::Constant(_) => {}
                Node::Apply(_) => stack.extend(formula.args(node)),
            }
        }
        leaves
    }

    fn group(&self, leaf: LeafId) -> Option<ConditionId> {
        let found = self.goals.conditions.iter().position(|group| group.leaves.contains(&leaf));
        found.map(|index| ConditionId(index as u32))
    }

    fn atom(&self, condition: ConditionId) -> boolean::ExprId {
        let leaf = self.goals.conditions[condition.0 as usize].leaves[0];
        self.decision.conditions[leaf.0 as usize].atom
    }

    fn name(&self, condition: ConditionId) -> String {
        format!("c{} `{}`", condition.0 + 1, self.goals.conditions[condition.0 as usize].label)
    }

    fn names(&self, conditions: &[ConditionId]) -> String {
        list(conditions.iter().map(|&condition| self.name(condition)).collect())
    }

    fn ids(&self, conditions: &[ConditionId]) -> String {
        list(conditions.iter().map(|condition| format!("c{}", condition.0 + 1)).collect())
    }

    fn with_assumptions(&self, text: String, whys: &BTreeSet<Why>) -> String {
        let labels: Vec<String> = whys
            .iter()
            .filter_map(|why| match why {
                Why::Assumption(index) => Some(format!("`{}`", self.spec.assumptions[*index as usize].label)),
                _ => None,
            })
            .collect();
        match labels.is_empty() {
            true => text,
            false => format!("excluded by the assumption {}: {text}", list(labels)),
        }
    }
}

/// `a`, `a and b`, `a, b and 3 more`.
fn list(mut items: Vec<String>) -> String {
    let hidden = items.len().saturating_sub(NAMED);
    items.truncate(NAMED);
    let last = match hidden {
        0 => items.pop().unwrap_or_default(),
        hidden => format!("{hidden} more"),
    };
    match items.is_empty() {
        true => last,
        false => format!("{} and {last}", items.join(", ")),
    }
}
