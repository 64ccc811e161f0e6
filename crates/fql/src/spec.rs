//! A query on a program: its goals, and the automata that say which runs cover them.

use source::Diagnostic;

use crate::ast::{Filter, Query};
use crate::automaton::{Automaton, Sets};
use crate::codes::TOO_LARGE;
use crate::fragment::{Builder, Fragment, Label, eliminate};
use crate::goals::{Alphabet, Goals, Letter};
use crate::graph::{Decision, Edge, EdgeId, Graph};
use crate::normal::{Normal, normalise};
use crate::print::print_expression;

/// A query evaluated on a program.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The normal form of the query.
    pub normal: Normal,
    /// The goals, implicitly.
    pub goals: Goals,
    /// The automaton that emits the goals a run covers.
    pub coverage: Automaton,
    /// The automaton that every test must match.
    pub passing: Automaton,
    /// The sets that the automata speak of.
    pub sets: Sets,
    /// The texts of the predicates.
    pub predicates: Vec<String>,
    /// The texts of the quoted patterns.
    pub quotes: Vec<String>,
    /// How many filter expressions were evaluated; each is evaluated once.
    pub evaluations: usize,
    quoted: Vec<Fragment>,
    edges: usize,
    nodes: usize,
}

/// Evaluates a query on a program; the second part are warnings.
///
/// # Errors
/// When the query names what is not in the program, or is too large for it.
pub fn evaluate(query: &Query, graph: &Graph) -> Result<(Spec, Vec<Diagnostic>), Box<Diagnostic>> {
    let normal = normalise(query);
    let mut builder = Builder::new(graph, &normal);
    let skeleton = builder.fragment(normal.cover, true)?;
    let whole = builder.unquote(&skeleton)?;
    let passing = builder.fragment(normal.passing, false)?;
    let quotes = builder.quotes.clone();
    let quoted = quotes.iter().map(|quote| builder.fragment(*quote, false)).collect::<Result<Vec<_>, _>>()?;
    let evaluations = builder.evaluator.evaluations();
    let warnings = std::mem::take(&mut builder.evaluator.warnings);
    let sets = std::mem::take(&mut builder.sets);
    drop(builder);
    let alphabet = Alphabet::new(graph.edges.len(), graph.nodes.len(), normal.predicates.len());
    let Some(goals) = Goals::new(&skeleton, &sets, alphabet) else {
        let span = query.node(query.cover.pattern).span;
        let message = "the goals of the query overlap in too many ways to be counted";
        return Err(Diagnostic::error(&TOO_LARGE, span, message).into());
    };
    let coverage = eliminate(&whole, &sets)?;
    let passing = eliminate(&passing, &sets)?;
    let text = |id| {
        let (query, root) = normal.pattern_query(id);
        print_expression(&query, root)
    };
    let spec = Spec {
        predicates: normal.predicates.iter().map(|(text, _)| text.clone()).collect(),
        quotes: quotes.into_iter().map(text).collect(),
        goals,
        coverage,
        passing,
        sets,
        evaluations,
        quoted,
        edges: graph.edges.len(),
        nodes: graph.nodes.len(),
        normal,
    };
    Ok((spec, warnings))
}

impl Spec {
    /// The automaton of one goal: the runs that cover it, the passing clause aside.
    ///
    /// # Errors
    /// When predicates can be combined in too many ways.
    pub fn goal_automaton(&mut self, goal: &[Letter]) -> Result<Automaton, Box<Diagnostic>> {
        let mut fragment = Fragment::new();
        let mut at = Fragment::START;
        for letter in goal {
            let next = fragment.state();
            match letter {
                Letter::Edge(edge) => {
                    let mut set = crate::bits::BitSet::new(self.edges);
                    set.insert(edge.0);
                    let set = self.sets.edges(set);
                    fragment.add(at, Label::Edges(set), next, false);
                }
                Letter::Node(node) => {
                    let mut set = crate::bits::BitSet::new(self.nodes);
                    set.insert(node.0);
                    let set = self.sets.nodes(set);
                    fragment.add(at, Label::Nodes(set), next, false);
                }
                Letter::Predicate(predicate) => fragment.add(at, Label::Predicate(*predicate), next, false),
                Letter::Quote(quote) => fragment.insert(at, &self.quoted[*quote as usize], next),
            }
            at = next;
        }
        fragment.add(at, Label::Empty, Fragment::END, false);
        eliminate(&fragment, &self.sets)
    }

    pub(crate) fn edge_count(&self) -> usize {
        self.edges
    }

    pub(crate) fn node_count(&self) -> usize {
        self.nodes
    }

    /// The decision of several conditions that an edge of a goal is an outcome of, where the query asks for outcomes of decisions
    /// and not for conditions.
    pub fn decision_of<'g>(&self, graph: &'g Graph, edge: &Edge) -> Option<&'g Decision> {
        let asked = self.normal.mentions(&Filter::DecisionEdge) && !self.normal.mentions(&Filter::ConditionEdge);
        let (decision, _) = edge.outcome.filter(|_| asked)?;
        let found = graph.decisions.get(decision as usize)?;
        (found.structure.is_some() && 1 < found.conditions.len()).then_some(found)
    }

    /// Whether every run passes.
    pub fn passes_everything(&self) -> bool {
        self.passing.is_universal(&self.sets, self.edges)
    }

    /// The edges of a goal, in order.
    pub fn edges_of(goal: &[Letter]) -> Vec<EdgeId> {
        let edge = |letter: &Letter| match letter {
            Letter::Edge(edge) => Some(*edge),
            Letter::Node(_) | Letter::Predicate(_) | Letter::Quote(_) => None,
        };
        goal.iter().filter_map(edge).collect()
    }
}
