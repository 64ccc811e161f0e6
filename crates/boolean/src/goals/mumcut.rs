//! The goals of MUMCUT: unique true points, near false points and pairs of neighbours for every term.

use formula::dnf;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};

use super::Collector;
use crate::codes;
use crate::obligation::{ConditionId, Literal, Obligation};

/// The number of obligations up to which MUMCUT is offered.
const LIMIT: usize = 1_000_000;

/// The longest rewritten decision that is shown, in bytes.
const REWRITTEN_BYTES: usize = 1000;

pub(super) fn collect(collector: &mut Collector<'_>) -> Result<(), Vec<Diagnostic>> {
    let decision = collector.decision;
    let Some(terms) = dnf::terms(&decision.formula) else {
        let message = format!("the decision `{}` is not a disjunction of conjunctions of conditions", decision.name);
        let error = Diagnostic::error(&codes::NOT_DNF, decision.span, message);
        let error = match rewritten(collector) {
            Some(text) => error.help(format!("An equal decision of that shape is `{text}`.")),
            None => error.help("Rewrite it in the shape of `a && b || c && !d`."),
        };
        return Err(vec![error.help("Other criteria, such as `masking-mcdc`, take decisions of any shape.")]);
    };
    let mut condition_of: FxHashMap<u32, ConditionId> = FxHashMap::default();
    for (condition, group) in collector.conditions().zip(&collector.goals.conditions) {
        condition_of.extend(group.leaves.iter().map(|leaf| (leaf.0, condition)));
    }
    let mut spans = Vec::new();
    for term in &terms {
        let mut literals: Vec<Literal> = Vec::new();
        let mut seen: FxHashMap<Literal, ()> = FxHashMap::default();
        for &(leaf, positive) in term {
            let literal = Literal { condition: condition_of[&leaf.0], positive };
            if seen.insert(literal, ()).is_none() {
                literals.push(literal);
            }
        }
        spans.push(decision.conditions[term[0].0.0 as usize].span);
        collector.goals.terms.push(literals);
    }
    let literals: usize = collector.goals.terms.iter().map(Vec::len).sum();
    if LIMIT < (literals + terms.len()).saturating_mul(2 * collector.goals.conditions.len()) {
        let message = "MUMCUT asks for too many points on a decision of this size";
        return Err(vec![Diagnostic::error(&codes::TOO_MANY_COMBINATIONS, decision.span, message)]);
    }
    for (term, span) in spans.into_iter().enumerate() {
        points(collector, term as u32, span);
    }
    Ok(())
}

/// An equal disjunction of terms as text, with the conditions taken as independent; nothing where it would be long.
fn rewritten(collector: &Collector<'_>) -> Option<String> {
    let (decision, groups) = (collector.decision, &collector.goals.conditions);
    let truth = |point: u32| {
        let mut leaves = vec![false; decision.conditions.len()];
        for (place, group) in groups.iter().enumerate() {
            group.leaves.iter().for_each(|leaf| leaves[leaf.0 as usize] = point >> place & 1 == 1);
        }
        decision.formula.eval(&leaves)
    };
    let terms = dnf::irredundant(u32::try_from(groups.len()).ok()?, truth)?;
    if groups.iter().any(|group| group.label.starts_with('(')) {
        // A term of SMT-LIB; it does not mix with the signs below.
        return None;
    }
    let literal = |&(condition, positive): &(u32, bool)| {
        let label = &groups[condition as usize].label;
        let word = label.chars().all(|character| character.is_alphanumeric() || character == '_');
        match (positive, word) {
            (true, _) => label.clone(),
            (false, true) => format!("!{label}"),
            (false, false) => format!("!({label})"),
        }
    };
    let term = |term: &Vec<(u32, bool)>| term.iter().map(literal).collect::<Vec<_>>().join(" && ");
    let text = terms.iter().map(term).collect::<Vec<_>>().join(" || ");
    (!text.is_empty() && text.len() <= REWRITTEN_BYTES).then_some(text)
}

/// The goals of one term.
fn points(collector: &mut Collector<'_>, term: u32, span: Span) {
    let number = term + 1;
    let literals = collector.goals.terms[term as usize].clone();
    let outside: Vec<ConditionId> = collector
        .conditions()
        .filter(|condition| literals.iter().all(|literal| literal.condition != *condition))
        .collect();
    for free in free_choices(&outside) {
        let (suffix, words) = wording(collector, free);
        let label = format!("term {number} alone is true{words}");
        collector.single(format!("utp{number}{suffix}"), label, span, Obligation::UniqueTrue { term, free });
    }
    for literal in 0..literals.len() as u32 {
        let name = collector.named(literals[literal as usize].condition);
        for free in free_choices(&outside) {
            let (suffix, words) = wording(collector, free);
            let key = format!("nfp{number}.{}{suffix}", literal + 1);
            let label = format!("term {number} fails by {name} only and the decision is false{words}");
            collector.single(key, label, span, Obligation::NearFalse { term, literal, free });
        }
    }
    for literal in 0..literals.len() as u32 {
        let name = collector.named(literals[literal as usize].condition);
        let key = format!("pair{number}.{}", literal + 1);
        let label = format!("a true point of term {number} alone and a false point differ in {name} only");
        collector.single(key, label, span, Obligation::NeighbourPair { term, literal });
    }
}

/// Both values of every condition outside the term, or the bare point where there is none.
fn free_choices(outside: &[ConditionId]) -> Vec<Option<(ConditionId, bool)>> {
    if outside.is_empty() {
        return vec![None];
    }
    outside.iter().flat_map(|&condition| [Some((condition, true)), Some((condition, false))]).collect()
}

fn wording(collector: &Collector<'_>, free: Option<(ConditionId, bool)>) -> (String, String) {
    match free {
        None => (String::new(), String::new()),
        Some((condition, value)) => {
            (format!(":c{}={value}", condition.0 + 1), format!(", with {} {value}", collector.named(condition)))
        }
    }
}
