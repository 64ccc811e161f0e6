//! Modified condition/decision coverage: every condition is shown to decide its decision on its own.
//!
//! MC/DC is not a query: it needs pairs of evaluations. An *evaluation* of a decision is the sequence of conditions that
//! were evaluated, with their values; short-circuit operators leave the others out. Two evaluations show a condition when they
//! give it different values, have different outcomes, and agree on every other condition that both evaluated.
//! An obligation is one evaluation; a goal has one alternative per pair of evaluations.
//! The choice of a `switch` is no Boolean decision and has no MC/DC goals.

use std::collections::BTreeSet;

use source::{Diagnostic, Span};
use testcase::{Goal, Location, ObligationId, Pursuit};

use crate::automaton::Moment;
use crate::codes::TOO_LARGE;
use crate::graph::{Edge, EdgeId, Graph, Operator, Side};

/// The goals of MC/DC on a program.
#[derive(Clone, Debug)]
pub struct Mcdc {
    /// One goal per condition.
    pub goals: Vec<Goal>,
    /// The evaluations that goals speak of.
    pub obligations: Vec<Evaluation>,
    /// The obligations of each decision.
    by_decision: Vec<std::ops::Range<u32>>,
}

/// A way to evaluate a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The decision, by its position in the graph.
    pub decision: u32,
    /// The conditions that are evaluated, in order, with their values.
    pub conditions: Vec<(u32, bool)>,
    /// The outcome.
    pub outcome: bool,
}

/// The most evaluations of one decision, and the most pairs for one condition.
const MOST: usize = 4_096;
const MOST_PAIRS: usize = 100_000;

impl Mcdc {
    /// The goals of the functions that runs can enter.
    ///
    /// # Errors
    /// When a decision can be evaluated in too many ways.
    pub fn new(graph: &Graph) -> Result<Mcdc, Box<Diagnostic>> {
        Mcdc::within(graph, None)
    }

    /// The same for decisions that have a condition among some edges, where these are given.
    ///
    /// # Errors
    /// When a decision can be evaluated in too many ways.
    pub fn within(graph: &Graph, edges: Option<&BTreeSet<EdgeId>>) -> Result<Mcdc, Box<Diagnostic>> {
        let kept: Option<BTreeSet<u32>> = edges.map(|edges| {
            edges.iter().filter_map(|edge| graph.edge(*edge).condition).map(|side| side.decision).collect()
        });
        let mut mcdc = Mcdc { goals: Vec::new(), obligations: Vec::new(), by_decision: Vec::new() };
        let entered = graph.entered();
        for (at, decision) in graph.decisions.iter().enumerate() {
            let first = mcdc.obligations.len() as u32;
            let function = graph.nodes.get(decision.entry.0 as usize).and_then(|node| node.function);
            let kept = kept.as_ref().is_none_or(|kept| kept.contains(&(at as u32)));
            let structure = decision.structure.as_ref().filter(|_| kept);
            if let Some(structure) = structure.filter(|_| function.is_none_or(|function| entered[function.0 as usize]))
            {
                let found = evaluations(structure).ok_or_else(|| too_large(&decision.text))?;
                mcdc.obligations.extend(found.into_iter().map(|(conditions, outcome)| Evaluation {
                    decision: at as u32,
                    conditions,
                    outcome,
                }));
                for condition in 0..decision.conditions.len() as u32 {
                    let own = &mcdc.obligations[first as usize..];
                    let alternatives = pairs(own, first, condition).ok_or_else(|| too_large(&decision.text))?;
                    let text = &decision.conditions[condition as usize];
                    let key = format!("d{}c{}", at + 1, condition + 1);
                    let label = format!("`{text}` decides `{}`", decision.text);
                    let place = Location { line: decision.line, column: decision.column, text: text.clone() };
                    let goal = Goal::new(key, label, Some(place), alternatives);
                    mcdc.goals.push(goal.pursued(Pursuit::AllAtOnce));
                }
            }
            mcdc.by_decision.push(first..mcdc.obligations.len() as u32);
        }
        Ok(mcdc)
    }

    /// The query whose one goal is an evaluation: its conditions one after the other, with no condition of the decision between.
    pub fn query(&self, graph: &Graph, obligation: ObligationId) -> String {
        let evaluation = &self.obligations[obligation.0 as usize];
        let edges = |keep: &dyn Fn(Side) -> bool| {
            let numbered = graph.edges.iter().enumerate();
            let of =
                |edge: &Edge| edge.condition.is_some_and(|side| side.decision == evaluation.decision && keep(side));
            let list: Vec<String> = numbered.filter(|(_, edge)| of(edge)).map(|(at, _)| at.to_string()).collect();
            format!("@EDGE({})", list.join(","))
        };
        let side = |(condition, holds): &(u32, bool)| {
            edges(&|side: Side| side.condition == *condition && side.holds == *holds)
        };
        let steps: Vec<String> = evaluation.conditions.iter().map(side).collect();
        let gap = format!(".NOT({})*.", edges(&|_| true));
        format!("cover \"ID*.{}.ID*\"", steps.join(&gap))
    }

    /// The query for all evaluations of all Boolean decisions: multiple condition coverage. None without a decision.
    pub fn all_evaluations(&self, graph: &Graph) -> Option<String> {
        let all = (0..self.obligations.len() as u32).map(ObligationId);
        let evaluated = all.filter(|id| !self.obligations[id.0 as usize].conditions.is_empty());
        let terms: Vec<String> = evaluated.map(|id| self.query(graph, id).replacen("cover ", "", 1)).collect();
        (!terms.is_empty()).then(|| format!("cover {}", terms.join(" + ")))
    }

    /// The evaluation in words: `a=true b=false gives false`.
    pub fn describe(&self, graph: &Graph, obligation: ObligationId) -> String {
        let evaluation = &self.obligations[obligation.0 as usize];
        let texts = &graph.decisions[evaluation.decision as usize].conditions;
        let one = |(condition, holds): &(u32, bool)| format!("{}={holds}", texts[*condition as usize]);
        let list: Vec<String> = evaluation.conditions.iter().map(one).collect();
        format!("{} gives {}", list.join(" "), evaluation.outcome)
    }
}

type Ways = Vec<(Vec<(u32, bool)>, bool)>;

/// Every way to evaluate a decision with short-circuit operators; none if there are too many.
fn evaluations(structure: &[Operator]) -> Option<Ways> {
    let mut stack: Vec<Ways> = Vec::new();
    for operator in structure {
        let made = match operator {
            Operator::Constant(value) => vec![(Vec::new(), *value)],
            Operator::Condition(condition) => {
                vec![(vec![(*condition, true)], true), (vec![(*condition, false)], false)]
            }
            Operator::Not => {
                let inner = stack.pop().expect("an operand stands before its operator");
                inner.into_iter().map(|(conditions, value)| (conditions, !value)).collect()
            }
            Operator::And | Operator::Or => {
                let right = stack.pop().expect("two operands stand before their operator");
                let left = stack.pop().expect("two operands stand before their operator");
                let decides = *operator == Operator::Or;
                let mut made: Ways = Vec::new();
                for (conditions, value) in left {
                    if value == decides {
                        made.push((conditions, value));
                        continue;
                    }
                    for (more, value) in &right {
                        made.push(([&conditions[..], &more[..]].concat(), *value));
                    }
                    if MOST < made.len() {
                        return None;
                    }
                }
                made
            }
        };
        stack.push(made);
    }
    stack.pop()
}

/// The pairs of evaluations that show a condition.
fn pairs(evaluations: &[Evaluation], first: u32, condition: u32) -> Option<Vec<Vec<ObligationId>>> {
    let value = |evaluation: &Evaluation, wanted: u32| {
        evaluation.conditions.iter().find(|(condition, _)| *condition == wanted).map(|(_, value)| *value)
    };
    let with = |wanted: bool| {
        let numbered = evaluations.iter().enumerate();
        numbered.filter(move |(_, evaluation)| value(evaluation, condition) == Some(wanted)).collect::<Vec<_>>()
    };
    let (holding, failing) = (with(true), with(false));
    let mut found = Vec::new();
    for (one, left) in &holding {
        for (other, right) in &failing {
            let agrees = |(other, value): &(u32, bool)| {
                *other == condition || right.conditions.iter().all(|(also, as_well)| also != other || as_well == value)
            };
            if left.outcome != right.outcome && left.conditions.iter().all(agrees) {
                found.push(vec![ObligationId(first + *one as u32), ObligationId(first + *other as u32)]);
            }
        }
        if MOST_PAIRS < found.len() {
            return None;
        }
    }
    Some(found)
}

fn too_large(text: &str) -> Box<Diagnostic> {
    let message = format!("the decision `{text}` can be evaluated in too many ways for MC/DC");
    Diagnostic::error(&TOO_LARGE, Span::default(), message).help("Split the decision.").into()
}

/// Follows runs and collects the evaluations of decisions.
#[derive(Clone, Debug)]
pub struct McdcMeter<'a> {
    graph: &'a Graph,
    mcdc: &'a Mcdc,
    met: Vec<bool>,
    run: Vec<ObligationId>,
    /// Per frame: the decisions that are being evaluated, with the conditions so far.
    frames: Vec<Vec<Begun>>,
}

/// A decision whose evaluation has begun: its number, and the conditions so far.
type Begun = (u32, Vec<(u32, bool)>);

impl<'a> McdcMeter<'a> {
    /// A meter for the goals of a program.
    pub fn new(graph: &'a Graph, mcdc: &'a Mcdc) -> McdcMeter<'a> {
        let met = vec![false; mcdc.obligations.len()];
        McdcMeter { graph, mcdc, met, run: Vec::new(), frames: vec![Vec::new()] }
    }

    /// Begins a run.
    pub fn begin(&mut self) {
        self.run.clear();
        self.frames = vec![Vec::new()];
    }

    /// Takes a step; the moment behind it says whether functions have returned.
    pub fn step(&mut self, edge: EdgeId, after: &Moment) {
        let taken = self.graph.edge(edge);
        if let Some(side) = taken.condition {
            self.condition(side);
        }
        if taken.enters.is_some() {
            self.entered();
        }
        self.left(after.nodes.len().saturating_sub(1));
    }

    /// A function was entered.
    pub fn entered(&mut self) {
        self.frames.push(Vec::new());
    }

    /// Functions have returned, this many.
    pub fn left(&mut self, functions: usize) {
        for _ in 0..functions {
            self.frames.pop();
        }
        if self.frames.is_empty() {
            self.frames.push(Vec::new());
        }
    }

    fn condition(&mut self, side: Side) {
        let frame = self.frames.last_mut().expect("there is always a frame");
        let at = frame.iter().position(|(decision, _)| *decision == side.decision).unwrap_or_else(|| {
            frame.push((side.decision, Vec::new()));
            frame.len() - 1
        });
        let so_far = &mut frame[at].1;
        if so_far.iter().any(|(condition, _)| *condition == side.condition) {
            so_far.clear();
        }
        so_far.push((side.condition, side.holds));
        let range = self.mcdc.by_decision[side.decision as usize].clone();
        let complete = range.into_iter().find(|id| self.mcdc.obligations[*id as usize].conditions == *so_far);
        if let Some(id) = complete {
            frame.swap_remove(at);
            if !self.run.contains(&ObligationId(id)) {
                self.run.push(ObligationId(id));
            }
        }
    }

    /// Ends the run: the obligations it meets, ascending.
    pub fn finish(&mut self) -> Vec<ObligationId> {
        let mut met = std::mem::take(&mut self.run);
        met.sort_unstable();
        for id in &met {
            self.met[id.0 as usize] = true;
        }
        met
    }

    /// Which goals are covered so far.
    pub fn covered(&self) -> Vec<bool> {
        let met = |id: &ObligationId| self.met[id.0 as usize];
        self.mcdc.goals.iter().map(|goal| goal.alternatives.iter().any(|pair| pair.iter().all(met))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Decision, NodeId};

    fn goals(conditions: u32, structure: Vec<Operator>) -> Mcdc {
        let decision = Decision {
            entry: NodeId(0),
            conditions: (0..conditions).map(|at| format!("c{at}")).collect(),
            structure: Some(structure),
            text: "d".into(),
            file: None,
            line: 1,
            column: 1,
        };
        Mcdc::new(&Graph { decisions: vec![decision], ..Graph::default() }).expect("small")
    }

    #[test]
    fn short_circuit_operators_leave_conditions_out() {
        use Operator::{And, Condition, Not, Or};
        let mcdc = goals(3, vec![Condition(0), Condition(1), And, Condition(2), Or]);
        let graph = Graph::default();
        assert_eq!(graph.decisions.len(), 0);
        let texts: Vec<String> = mcdc
            .obligations
            .iter()
            .map(|one| {
                let list: Vec<String> = one.conditions.iter().map(|(c, v)| format!("{c}{}", u8::from(*v))).collect();
                format!("{}={}", list.join(" "), u8::from(one.outcome))
            })
            .collect();
        assert_eq!(texts, ["01 11=1", "01 10 21=1", "01 10 20=0", "00 21=1", "00 20=0"]);
        let pairs: Vec<usize> = mcdc.goals.iter().map(|goal| goal.alternatives.len()).collect();
        assert_eq!(pairs, [1, 1, 2]);
        let negated = goals(2, vec![Condition(0), Condition(1), Or, Not]);
        assert_eq!(negated.goals.iter().map(|goal| goal.alternatives.len()).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn constants_are_no_conditions() {
        let mcdc = goals(1, vec![Operator::Condition(0), Operator::Constant(false), Operator::And]);
        assert_eq!(mcdc.goals[0].alternatives.len(), 0);
    }
}
