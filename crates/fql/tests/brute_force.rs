//! Automata, goals and meters against the definitions, on random small graphs, queries and runs.
//!
//! The reference is written from the definitions of the language: words are listed, and a word matches a run if the run can be
//! cut into pieces that share their ends and match its letters.

use std::collections::{BTreeMap, BTreeSet};

use fql::ast::{Bound, ExprId, Filter, NodeKind, Query};
use fql::automaton::Moment;
use fql::goals::Letter;
use fql::graph::{Edge, EdgeId, Graph, Node, NodeId, Side};
use fql::meter::Meter;
use fql::missing::{missing, query_for};
use fql::{evaluate, normalise, parse, print};
use proptest::prelude::*;

const NODES: u32 = 4;
const PREDICATES: [&str; 2] = ["p", "q"];

type Target = (BTreeSet<u32>, BTreeSet<u32>, BTreeSet<u32>);

/// A letter of the reference; quoted patterns are known by their text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Edge(u32),
    Node(u32),
    Predicate(String),
    Quote(String, ExprId),
}

struct Run {
    nodes: Vec<u32>,
    edges: Vec<u32>,
    truths: Vec<Vec<bool>>,
}

struct Reference<'a> {
    graph: &'a Graph,
    query: &'a Query,
}

impl Reference<'_> {
    fn ends(&self, edges: &BTreeSet<u32>) -> BTreeSet<u32> {
        edges
            .iter()
            .flat_map(|id| [self.graph.edges[*id as usize].from.0, self.graph.edges[*id as usize].to.0])
            .collect()
    }

    /// Where edges begin and none ends; in parts that are only cycles, where any edge begins.
    fn starts(&self, edges: &BTreeSet<u32>) -> BTreeSet<u32> {
        let edge = |id: &u32| &self.graph.edges[*id as usize];
        let starts: BTreeSet<u32> = edges.iter().map(|id| edge(id).from.0).collect();
        let ends: BTreeSet<u32> = edges.iter().map(|id| edge(id).to.0).collect();
        let sources = &starts - &ends;
        let mut reached = sources.clone();
        for _ in 0..NODES {
            let more = edges.iter().filter(|id| reached.contains(&edge(id).from.0)).map(|id| edge(id).to.0);
            let more: BTreeSet<u32> = more.collect();
            reached.extend(more);
        }
        &sources | &(&starts - &reached)
    }

    fn target(&self, id: ExprId, base: &Target) -> Target {
        let edge = |id: &u32| &self.graph.edges[*id as usize];
        let by = |keep: &dyn Fn(&Edge) -> bool| {
            let edges: BTreeSet<u32> = base.1.iter().copied().filter(|id| keep(edge(id))).collect();
            (self.ends(&edges), edges.clone(), self.starts(&edges))
        };
        match self.query.kind(id) {
            NodeKind::Identity => base.clone(),
            NodeKind::Filter(Filter::Edge(list)) => {
                let edges: BTreeSet<u32> = base.1.iter().copied().filter(|id| list.contains(id)).collect();
                (self.ends(&edges), edges.clone(), self.starts(&edges))
            }
            NodeKind::Filter(Filter::Node(list)) => {
                let nodes: BTreeSet<u32> = base.0.iter().copied().filter(|id| list.contains(id)).collect();
                (nodes.clone(), BTreeSet::new(), nodes)
            }
            NodeKind::Filter(Filter::ConditionEdge) => by(&|edge| edge.condition.is_some()),
            NodeKind::Filter(Filter::Line(line)) => by(&|edge| edge.line == *line),
            NodeKind::Filter(other) => panic!("{other:?} is not generated"),
            NodeKind::Compose(left, right) => self.target(*left, &self.target(*right, base)),
            NodeKind::Union(left, right) => {
                let (a, b) = (self.target(*left, base), self.target(*right, base));
                (&a.0 | &b.0, &a.1 | &b.1, &a.2 | &b.2)
            }
            NodeKind::Intersection(left, right) => {
                let (a, b) = (self.target(*left, base), self.target(*right, base));
                (&a.0 & &b.0, &a.1 & &b.1, &a.2 & &b.2)
            }
            NodeKind::Minus(left, right) => {
                let (a, b) = (self.target(*left, base), self.target(*right, base));
                let edges = &a.1 - &b.1;
                let nodes = &(&a.0 - &b.0) | &self.ends(&edges);
                let initial = &a.2 & &nodes;
                (nodes, edges, initial)
            }
            other => panic!("{other:?} is not a filter of a normal form"),
        }
    }

    fn whole(&self) -> Target {
        let initial = self.graph.initial.iter().map(|node| node.0).collect();
        ((0..NODES).collect(), (0..self.graph.edges.len() as u32).collect(), initial)
    }

    fn found(&self, id: ExprId) -> Target {
        self.target(id, &self.whole())
    }

    fn paths(&self, id: ExprId, bound: u32) -> BTreeSet<Vec<u32>> {
        let (_, edges, initial) = self.found(id);
        let mut all = BTreeSet::new();
        for start in initial {
            self.extend(&edges, vec![start], Vec::new(), bound as usize, &mut all);
        }
        all
    }

    fn extend(
        &self,
        edges: &BTreeSet<u32>,
        nodes: Vec<u32>,
        path: Vec<u32>,
        bound: usize,
        all: &mut BTreeSet<Vec<u32>>,
    ) {
        let mut extended = false;
        for id in edges {
            let edge = &self.graph.edges[*id as usize];
            let there = nodes.iter().filter(|node| **node == edge.to.0).count();
            if edge.from.0 == *nodes.last().expect("a path has a node") && there < bound {
                extended = true;
                let (mut nodes, mut path) = (nodes.clone(), path.clone());
                nodes.push(edge.to.0);
                path.push(*id);
                self.extend(edges, nodes, path, bound, all);
            }
        }
        if !extended && !path.is_empty() {
            all.insert(path);
        }
    }

    /// The words of a coverage pattern.
    fn words(&self, id: ExprId) -> BTreeSet<Vec<Symbol>> {
        let product = |left: &BTreeSet<Vec<Symbol>>, right: &BTreeSet<Vec<Symbol>>| {
            left.iter().flat_map(|one| right.iter().map(|other| [&one[..], &other[..]].concat())).collect()
        };
        match self.query.kind(id) {
            NodeKind::Sum(left, right) => &self.words(*left) | &self.words(*right),
            NodeKind::Concat(left, right) => product(&self.words(*left), &self.words(*right)),
            NodeKind::Repeat(inner, bound) => {
                let inner = self.words(*inner);
                let mut power: BTreeSet<Vec<Symbol>> = [Vec::new()].into();
                let mut sum = power.clone();
                let (count, all) = match bound {
                    Bound::Exactly(count) => (*count, false),
                    Bound::AtMost(count) => (*count, true),
                    Bound::AtLeast(_) => panic!("not in a cover clause"),
                };
                for _ in 0..count {
                    power = product(&power, &inner);
                    sum = &sum | &power;
                }
                if all { sum } else { power }
            }
            NodeKind::Quote(inner) => [vec![Symbol::Quote(fql::print_expression(self.query, *inner), *inner)]].into(),
            NodeKind::Predicate(text) => [vec![Symbol::Predicate(text.clone())]].into(),
            NodeKind::Nodes(filter) => self.found(*filter).0.into_iter().map(|node| vec![Symbol::Node(node)]).collect(),
            NodeKind::Edges(filter) => self.found(*filter).1.into_iter().map(|edge| vec![Symbol::Edge(edge)]).collect(),
            NodeKind::Paths(filter, bound) => {
                let paths = self.paths(*filter, *bound);
                paths.into_iter().map(|path| path.into_iter().map(Symbol::Edge).collect()).collect()
            }
            other => panic!("{other:?} is not in a normal cover clause"),
        }
    }

    /// Whether the part of a run between two moments matches a path pattern.
    fn matches(&self, id: ExprId, run: &Run, from: usize, to: usize) -> bool {
        match self.query.kind(id) {
            NodeKind::Sum(left, right) => self.matches(*left, run, from, to) || self.matches(*right, run, from, to),
            NodeKind::Concat(left, right) => {
                (from..=to).any(|cut| self.matches(*left, run, from, cut) && self.matches(*right, run, cut, to))
            }
            NodeKind::Star(inner) => self.many(*inner, run, from, to, 0, None),
            NodeKind::Repeat(inner, bound) => match bound {
                Bound::Exactly(count) => self.many(*inner, run, from, to, *count, Some(*count)),
                Bound::AtMost(count) => self.many(*inner, run, from, to, 0, Some(*count)),
                Bound::AtLeast(count) => self.many(*inner, run, from, to, *count, None),
            },
            NodeKind::Predicate(text) => from == to && self.truth(text, run, from),
            NodeKind::Nodes(filter) => from == to && self.found(*filter).0.contains(&run.nodes[from]),
            NodeKind::Edges(filter) => from + 1 == to && self.found(*filter).1.contains(&run.edges[from]),
            NodeKind::Paths(filter, bound) => self.paths(*filter, *bound).contains(&run.edges[from..to]),
            other => panic!("{other:?} is not a path pattern of a normal form"),
        }
    }

    fn many(&self, inner: ExprId, run: &Run, from: usize, to: usize, least: u32, most: Option<u32>) -> bool {
        if least == 0 && from == to {
            return true;
        }
        if most == Some(0) {
            return false;
        }
        let most = most.map(|most| most - 1);
        (from..=to).any(|cut| {
            let progress = from < cut || 0 < least;
            progress
                && self.matches(inner, run, from, cut)
                && self.many(inner, run, cut, to, least.saturating_sub(1), most)
        })
    }

    fn truth(&self, text: &str, run: &Run, at: usize) -> bool {
        run.truths[at][PREDICATES.iter().position(|known| *known == text).expect("a known predicate")]
    }

    fn word_matches(&self, word: &[Symbol], run: &Run, from: usize) -> bool {
        let end = run.edges.len();
        let Some((first, rest)) = word.split_first() else { return from == end };
        match first {
            Symbol::Edge(edge) => from < end && run.edges[from] == *edge && self.word_matches(rest, run, from + 1),
            Symbol::Node(node) => run.nodes[from] == *node && self.word_matches(rest, run, from),
            Symbol::Predicate(text) => self.truth(text, run, from) && self.word_matches(rest, run, from),
            Symbol::Quote(_, inner) => {
                (from..=end).any(|cut| self.matches(*inner, run, from, cut) && self.word_matches(rest, run, cut))
            }
        }
    }
}

fn filter() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("ID".to_owned()),
        prop::collection::vec(0u32..3, 1..3).prop_map(|list| format!("@EDGE({})", join(&list))),
        prop::collection::vec(0u32..NODES, 1..3).prop_map(|list| format!("@NODE({})", join(&list))),
        Just("@CONDITIONEDGE".to_owned()),
        (1u32..3).prop_map(|line| format!("@{line}")),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|one| format!("NOT({one})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} | {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} & {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("SETMINUS({a},{b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("COMPOSE({a},{b})")),
        ]
    })
}

fn join(list: &[u32]) -> String {
    list.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn letter() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => filter(),
        1 => filter().prop_map(|one| format!("NODES({one})")),
        1 => filter().prop_map(|one| format!("EDGES({one})")),
        1 => (filter(), 1u32..3).prop_map(|(one, bound)| format!("PATHS({one},{bound})")),
        1 => prop_oneof![Just("{p}".to_owned()), Just("{q}".to_owned())],
    ]
}

fn pattern() -> impl Strategy<Value = String> {
    letter().prop_recursive(3, 8, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}.{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} -> {b})")),
            inner.clone().prop_map(|one| format!("({one})*")),
            (inner, prop_oneof![Just("=="), Just("<="), Just(">=")], 0u32..3)
                .prop_map(|(one, sign, count)| format!("({one}){sign}{count}")),
        ]
    })
}

fn coverage() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![2 => letter(), 1 => pattern().prop_map(|one| format!("\"{one}\""))];
    leaf.prop_recursive(2, 5, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} + {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}.{b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} -> {b})")),
            (inner, prop_oneof![Just("=="), Just("<=")], 0u32..3)
                .prop_map(|(one, sign, count)| format!("({one}){sign}{count}")),
        ]
    })
}

fn query() -> impl Strategy<Value = String> {
    let anchors = || (any::<bool>(), any::<bool>());
    let anchored = |(start, end): (bool, bool), text: String| {
        format!("{}{text}{}", if start { "^" } else { "" }, if end { "$" } else { "" })
    };
    let cover = (anchors(), coverage()).prop_map(move |(anchors, text)| anchored(anchors, text));
    let passing = (anchors(), pattern()).prop_map(move |(anchors, text)| anchored(anchors, text));
    (prop::option::weighted(0.2, filter()), cover, prop::option::weighted(0.4, passing)).prop_map(
        |(scope, cover, passing)| {
            let scope = scope.map(|scope| format!("in {scope} ")).unwrap_or_default();
            let passing = passing.map(|passing| format!(" passing {passing}")).unwrap_or_default();
            format!("{scope}cover {cover}{passing}")
        },
    )
}

fn graph() -> impl Strategy<Value = Graph> {
    prop::collection::vec((0..NODES, 0..NODES, any::<bool>(), 1u32..3), 3..7).prop_map(|edges| {
        let edge = |(from, to, condition, line): (u32, u32, bool, u32)| {
            let mut edge = Edge::new(NodeId(from), NodeId(to));
            edge.condition = condition.then_some(Side { decision: 0, condition: 0, holds: true });
            edge.line = line;
            edge
        };
        Graph {
            nodes: vec![Node::default(); NODES as usize],
            edges: edges.into_iter().map(edge).collect(),
            initial: vec![NodeId(0)],
            ..Graph::default()
        }
    })
}

/// A walk through the graph that follows the choices.
fn walk(graph: &Graph, choices: &[(u32, bool, bool)]) -> Run {
    let truth = |choice: Option<&(u32, bool, bool)>| choice.map_or(vec![true, false], |(_, p, q)| vec![*p, *q]);
    let mut run = Run { nodes: vec![0], edges: Vec::new(), truths: vec![truth(choices.first())] };
    for (at, (choice, ..)) in choices.iter().enumerate() {
        let here = *run.nodes.last().expect("a path has a node");
        let out: Vec<u32> =
            (0..graph.edges.len() as u32).filter(|id| graph.edges[*id as usize].from.0 == here).collect();
        if out.is_empty() {
            break;
        }
        let edge = out[*choice as usize % out.len()];
        run.edges.push(edge);
        run.nodes.push(graph.edges[edge as usize].to.0);
        run.truths.push(truth(choices.get(at + 1)));
    }
    run
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn goals_automata_and_meter_follow_the_definitions(
        graph in graph(),
        text in query(),
        walks in prop::collection::vec(prop::collection::vec((0u32..8, any::<bool>(), any::<bool>()), 0..5), 1..4),
    ) {
        let query = parse(&text).map_err(|error| TestCaseError::fail(format!("{text}: {}", error.message)))?;
        prop_assert!(parse(&print(&query)).unwrap().same(&query), "{}", print(&query));
        let normal = normalise(&query).to_query();
        let again = normalise(&parse(&print(&normal)).unwrap()).to_query();
        prop_assert_eq!(print(&again), print(&normal));
        let reference = Reference { graph: &graph, query: &normal };
        let words = reference.words(normal.cover.pattern);
        prop_assume!(words.len() <= 3000);
        let (mut spec, _) = evaluate(&query, &graph).map_err(|error| TestCaseError::fail(format!("{text}: {}", error.message)))?;
        let distinct: BTreeSet<Vec<String>> = words.iter().map(|word| word.iter().map(name).collect()).collect();
        prop_assert_eq!(spec.goals.count(), Some(distinct.len() as u128), "{}", &text);
        prop_assert!(spec.goals.count() <= spec.goals.count_with_repetitions());
        let by_name: BTreeMap<Vec<String>, &Vec<Symbol>> =
            words.iter().map(|word| (word.iter().map(name).collect(), word)).collect();
        let mut goals = Vec::new();
        for (index, goal) in spec.goals.iter().enumerate() {
            prop_assert_eq!(spec.goals.index(&goal), Some(index as u128));
            let named: Vec<String> = goal.iter().map(|letter| letter_name(letter, &spec)).collect();
            let word = by_name.get(&named);
            prop_assert!(word.is_some(), "{} has no word {:?}", &text, named);
            goals.push((goal, *word.unwrap()));
        }
        let runs: Vec<Run> = walks.iter().map(|choices| walk(&graph, choices)).collect();
        let passing = normal.passing.unwrap().pattern;
        let mut expected: Vec<Vec<u128>> = Vec::new();
        for run in &runs {
            let passes = reference.matches(passing, run, 0, run.edges.len());
            let moments = moments(&spec.predicates, run);
            let edges: Vec<EdgeId> = run.edges.iter().copied().map(EdgeId).collect();
            prop_assert_eq!(spec.passing.accepts(&spec.sets, &moments, &edges), passes, "{} on {:?}", &text, run.edges);
            let covered = goals.iter().enumerate().filter(|(_, (_, word))| passes && reference.word_matches(word, run, 0));
            expected.push(covered.map(|(index, _)| index as u128).collect());
            for (index, (goal, word)) in goals.iter().enumerate().take(40) {
                let automaton = spec.goal_automaton(goal).unwrap();
                let matches = reference.word_matches(word, run, 0);
                prop_assert_eq!(automaton.accepts(&spec.sets, &moments, &edges), matches, "{} goal {} {:?} on {:?}", &text, index, goal, run.edges);
            }
        }
        // The automaton of what is left, behind nothing and behind the first run.
        for covered in [&Vec::new(), &expected[0]] {
            let alphabet = spec.goals.alphabet();
            let symbols = |goal: &Vec<Letter>| goal.iter().map(|letter| alphabet.symbol(*letter)).collect::<Vec<u32>>();
            let words = covered.iter().map(|index| symbols(&goals[*index as usize].0)).collect();
            let automaton = spec.uncovered(words).unwrap();
            for run in &runs {
                let is_new = |(index, (_, word)): (usize, &(Vec<Letter>, &Vec<Symbol>))| {
                    !covered.contains(&(index as u128)) && reference.word_matches(word, run, 0)
                };
                let expected = goals.iter().enumerate().any(is_new);
                let edges: Vec<EdgeId> = run.edges.iter().copied().map(EdgeId).collect();
                let moments = moments(&spec.predicates, run);
                let accepts = automaton.states != 0 && automaton.accepts(&spec.sets, &moments, &edges);
                prop_assert_eq!(accepts, expected, "{} behind {:?} on {:?}", &text, covered, run.edges);
            }
        }
        let mut meter = Meter::new(&spec);
        let mut all = BTreeSet::new();
        for (run, expected) in runs.iter().zip(&expected) {
            let mut moments = moments(&spec.predicates, run).into_iter();
            meter.begin(moments.next().unwrap());
            for (edge, moment) in run.edges.iter().zip(moments) {
                meter.step(EdgeId(*edge), moment);
            }
            let coverage = meter.finish();
            prop_assert_eq!(&meter.goals_of(coverage, usize::MAX), expected, "{} on {:?}", &text, run.edges);
            all.extend(expected.iter().copied());
        }
        prop_assert_eq!(meter.covered_goals(usize::MAX), all.iter().copied().collect::<Vec<_>>());
        prop_assert_eq!(meter.covered_count(), Some(all.len() as u128));
        let missing = missing(&meter, usize::MAX);
        let expected: Vec<u128> = (0..goals.len() as u128).filter(|index| !all.contains(index)).collect();
        prop_assert_eq!((missing.count, &missing.goals), (Some(expected.len() as u128), &expected));
        let rest = query_for(&graph, &meter, &missing.goals);
        prop_assert_eq!(rest.is_some(), !expected.is_empty());
        if let Some(rest) = rest {
            let parsed = parse(&rest).map_err(|error| TestCaseError::fail(format!("{rest}: {}", error.message)))?;
            let (other, _) = evaluate(&parsed, &graph).map_err(|error| TestCaseError::fail(format!("{rest}: {}", error.message)))?;
            let named = |spec: &fql::Spec, goal: &[Letter]| goal.iter().map(|letter| letter_name(letter, spec)).collect::<Vec<_>>();
            let left: BTreeSet<Vec<String>> = other.goals.iter().map(|goal| named(&other, &goal)).collect();
            let right: BTreeSet<Vec<String>> = expected.iter().map(|index| named(&spec, &goals[*index as usize].0)).collect();
            prop_assert_eq!(left, right, "{} of {}", &rest, &text);
            let passing = |query: &Query| print(query).split(" passing ").nth(1).map(str::to_owned);
            if !spec.passes_everything() {
                prop_assert_eq!(passing(&normalise(&parsed).to_query()), passing(&normal));
            }
        }
    }
}

fn moments(predicates: &[String], run: &Run) -> Vec<Moment> {
    let truth = |truths: &Vec<bool>, text: &String| {
        truths[PREDICATES.iter().position(|known| known == text).expect("a known predicate")]
    };
    let moment = |(node, truths): (&u32, &Vec<bool>)| Moment {
        nodes: vec![NodeId(*node)],
        truths: predicates.iter().map(|text| truth(truths, text)).collect(),
    };
    run.nodes.iter().zip(&run.truths).map(moment).collect()
}

fn name(symbol: &Symbol) -> String {
    match symbol {
        Symbol::Edge(edge) => format!("e{edge}"),
        Symbol::Node(node) => format!("n{node}"),
        Symbol::Predicate(text) => format!("{{{text}}}"),
        Symbol::Quote(text, _) => format!("\"{text}\""),
    }
}

fn letter_name(letter: &Letter, spec: &fql::Spec) -> String {
    match letter {
        Letter::Edge(edge) => format!("e{}", edge.0),
        Letter::Node(node) => format!("n{}", node.0),
        Letter::Predicate(at) => format!("{{{}}}", spec.predicates[*at as usize]),
        Letter::Quote(at) => format!("\"{}\"", spec.quotes[*at as usize]),
    }
}
