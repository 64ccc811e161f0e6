//! The normal form of a query: scope, anchors, arrows and abbreviations replaced; equal parts are one part.
//!
//! `in T` reaches into the cover clause only, and there into filters and the gaps of `->`, not into the `ID*` that missing
//! anchors stand for. Repetitions stay as they are; the automaton unfolds them.

use indexmap::IndexSet;
use source::Span;

use crate::ast::{Bound, Clause, ExprId, Filter, Node, NodeKind, Query};

/// A pattern of a normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternId(pub u32);

/// A filter expression of a normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TransformerId(pub u32);

/// A query in normal form. Children stand before parents, and no two nodes are equal.
#[derive(Clone, Debug)]
pub struct Normal {
    patterns: IndexSet<Pattern>,
    transformers: IndexSet<Transformer>,
    places: Vec<Span>,
    /// The predicates: their texts, each once, and where they stand first.
    pub predicates: Vec<(String, Span)>,
    /// What to cover: every word is a goal.
    pub cover: PatternId,
    /// What every run must match.
    pub passing: PatternId,
}

impl Normal {
    /// Whether a filter function is asked for somewhere.
    pub(crate) fn mentions(&self, filter: &Filter) -> bool {
        self.transformers.iter().any(|one| matches!(one, Transformer::Filter(known) if known == filter))
    }
}

/// What a pattern is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Either.
    Sum(PatternId, PatternId),
    /// One after the other.
    Concat(PatternId, PatternId),
    /// Any number of times.
    Star(PatternId),
    /// A bounded number of times.
    Repeat(PatternId, Bound),
    /// One goal, met by any word.
    Quote(PatternId),
    /// A predicate on the current state.
    Predicate(u32),
    /// Control is at a node.
    Nodes(TransformerId),
    /// A step.
    Edges(TransformerId),
    /// The steps of a path.
    Paths(TransformerId, u32),
}

/// What a filter expression is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Transformer {
    /// Everything.
    Identity,
    /// A filter function.
    Filter(Filter),
    /// The first within what the second finds.
    Compose(TransformerId, TransformerId),
    /// What either finds.
    Union(TransformerId, TransformerId),
    /// What both find.
    Intersection(TransformerId, TransformerId),
    /// What only the first finds.
    Minus(TransformerId, TransformerId),
}

/// The normal form of a query.
pub fn normalise(query: &Query) -> Normal {
    let mut normal = Normal {
        patterns: IndexSet::new(),
        transformers: IndexSet::new(),
        places: Vec::new(),
        predicates: Vec::new(),
        cover: PatternId(0),
        passing: PatternId(0),
    };
    let identity = normal.transformer(Transformer::Identity, Span::default());
    let quoted = quoted(query);
    let mut parts: Vec<Part> = Vec::with_capacity(query.nodes.len());
    let scope_end = query.scope.map_or(0, |id| id.0 + 1);
    let mut scope = identity;
    for (at, node) in query.nodes.iter().enumerate() {
        let at = at as u32;
        if at == scope_end {
            scope = query.scope.map_or(identity, |id| parts[id.0 as usize].filter.expect("the scope is a filter"));
        }
        let cover = scope_end <= at && at <= query.cover.pattern.0;
        let context = Context { scope: if cover { scope } else { identity }, quote: cover && !quoted[at as usize] };
        let part = normal.part(node, &parts, context);
        parts.push(part);
    }
    normal.cover = normal.clause(query.cover, &parts, scope, true);
    normal.passing = match query.passing {
        Some(clause) => normal.clause(clause, &parts, identity, false),
        None => normal.anything(identity, false),
    };
    normal
}

/// What a node of the query becomes: a filter, a pattern, or a filter that is a pattern once it is asked for.
#[derive(Clone, Copy)]
struct Part {
    filter: Option<TransformerId>,
    pattern: Option<PatternId>,
}

#[derive(Clone, Copy)]
struct Context {
    scope: TransformerId,
    /// Whether the gap of an arrow is quoted.
    quote: bool,
}

/// Which nodes lie inside quotes.
fn quoted(query: &Query) -> Vec<bool> {
    let mut inside = vec![false; query.nodes.len()];
    for at in (0..query.nodes.len()).rev() {
        let here = inside[at] || matches!(query.nodes[at].kind, NodeKind::Quote(_));
        if here {
            for child in children(&query.nodes[at].kind) {
                inside[child.0 as usize] = true;
            }
        }
    }
    inside
}

fn children(kind: &NodeKind) -> Vec<ExprId> {
    match kind {
        NodeKind::Sum(left, right)
        | NodeKind::Concat(left, right)
        | NodeKind::Arrow(left, right)
        | NodeKind::Compose(left, right)
        | NodeKind::Union(left, right)
        | NodeKind::Intersection(left, right)
        | NodeKind::Minus(left, right) => vec![*left, *right],
        NodeKind::Star(inner)
        | NodeKind::Repeat(inner, _)
        | NodeKind::Quote(inner)
        | NodeKind::Nodes(inner)
        | NodeKind::Edges(inner)
        | NodeKind::Paths(inner, _)
        | NodeKind::Not(inner) => vec![*inner],
        NodeKind::Predicate(_) | NodeKind::Filter(_) | NodeKind::Identity => Vec::new(),
    }
}

impl Normal {
    /// A pattern.
    pub fn pattern(&self, id: PatternId) -> Pattern {
        self.patterns[id.0 as usize]
    }

    /// A filter expression.
    pub fn filter(&self, id: TransformerId) -> &Transformer {
        &self.transformers[id.0 as usize]
    }

    /// The number of filter expressions.
    pub fn transformer_count(&self) -> usize {
        self.transformers.len()
    }

    /// Where a filter expression stands in the query.
    pub fn place(&self, id: TransformerId) -> Span {
        self.places[id.0 as usize]
    }

    fn part(&mut self, node: &Node, parts: &[Part], context: Context) -> Part {
        let span = node.span;
        let filter = |id: &ExprId| parts[id.0 as usize].filter.expect("the parser lets only filters here");
        let transformer = match &node.kind {
            NodeKind::Filter(found) => Some(Transformer::Filter(found.clone())),
            NodeKind::Identity => Some(Transformer::Identity),
            NodeKind::Compose(left, right) => Some(Transformer::Compose(filter(left), filter(right))),
            NodeKind::Union(left, right) => Some(Transformer::Union(filter(left), filter(right))),
            NodeKind::Intersection(left, right) => Some(Transformer::Intersection(filter(left), filter(right))),
            NodeKind::Minus(left, right) => Some(Transformer::Minus(filter(left), filter(right))),
            NodeKind::Not(inner) => {
                let identity = self.transformer(Transformer::Identity, span);
                Some(Transformer::Minus(identity, filter(inner)))
            }
            NodeKind::Sum(..)
            | NodeKind::Concat(..)
            | NodeKind::Arrow(..)
            | NodeKind::Star(_)
            | NodeKind::Repeat(..)
            | NodeKind::Quote(_)
            | NodeKind::Predicate(_)
            | NodeKind::Nodes(_)
            | NodeKind::Edges(_)
            | NodeKind::Paths(..) => None,
        };
        if let Some(transformer) = transformer {
            return Part { filter: Some(self.transformer(transformer, span)), pattern: None };
        }
        let pattern = match &node.kind {
            NodeKind::Sum(left, right) => {
                let (left, right) = (self.of(parts, *left, context), self.of(parts, *right, context));
                Pattern::Sum(left, right)
            }
            NodeKind::Concat(left, right) => {
                Pattern::Concat(self.of(parts, *left, context), self.of(parts, *right, context))
            }
            NodeKind::Arrow(left, right) => {
                let gap = self.anything(context.scope, context.quote);
                let left = self.of(parts, *left, context);
                let head = self.intern(Pattern::Concat(left, gap));
                Pattern::Concat(head, self.of(parts, *right, context))
            }
            NodeKind::Star(inner) => Pattern::Star(self.of(parts, *inner, context)),
            NodeKind::Repeat(inner, bound) => Pattern::Repeat(self.of(parts, *inner, context), *bound),
            NodeKind::Quote(inner) => Pattern::Quote(self.of(parts, *inner, context)),
            NodeKind::Predicate(text) => Pattern::Predicate(self.predicate(text, span)),
            NodeKind::Nodes(inner) => Pattern::Nodes(self.scoped(filter(inner), context.scope, span)),
            NodeKind::Edges(inner) => Pattern::Edges(self.scoped(filter(inner), context.scope, span)),
            NodeKind::Paths(inner, bound) => Pattern::Paths(self.scoped(filter(inner), context.scope, span), *bound),
            NodeKind::Filter(_)
            | NodeKind::Identity
            | NodeKind::Compose(..)
            | NodeKind::Union(..)
            | NodeKind::Intersection(..)
            | NodeKind::Minus(..)
            | NodeKind::Not(_) => unreachable!("filters are done above"),
        };
        Part { filter: None, pattern: Some(self.intern(pattern)) }
    }

    /// A part as a pattern: a bare filter means its edges.
    fn of(&mut self, parts: &[Part], id: ExprId, context: Context) -> PatternId {
        let part = parts[id.0 as usize];
        match (part.pattern, part.filter) {
            (Some(pattern), _) => pattern,
            (None, filter) => {
                let filter = filter.expect("a part is a pattern or a filter");
                let span = self.places[filter.0 as usize];
                let scoped = self.scoped(filter, context.scope, span);
                self.intern(Pattern::Edges(scoped))
            }
        }
    }

    fn clause(&mut self, clause: Clause, parts: &[Part], scope: TransformerId, quote: bool) -> PatternId {
        let mut pattern = self.of(parts, clause.pattern, Context { scope, quote });
        let identity = self.transformer(Transformer::Identity, Span::default());
        let gap = self.anything(identity, quote);
        if !clause.at_start {
            pattern = self.intern(Pattern::Concat(gap, pattern));
        }
        if !clause.at_end {
            pattern = self.intern(Pattern::Concat(pattern, gap));
        }
        pattern
    }

    /// `T*`, in quotes or not.
    fn anything(&mut self, scope: TransformerId, quote: bool) -> PatternId {
        let edges = self.intern(Pattern::Edges(scope));
        let star = self.intern(Pattern::Star(edges));
        if quote { self.intern(Pattern::Quote(star)) } else { star }
    }

    fn predicate(&mut self, text: &str, span: Span) -> u32 {
        if let Some(at) = self.predicates.iter().position(|(known, _)| known == text) {
            return at as u32;
        }
        self.predicates.push((text.to_owned(), span));
        self.predicates.len() as u32 - 1
    }

    fn scoped(&mut self, filter: TransformerId, scope: TransformerId, span: Span) -> TransformerId {
        self.transformer(Transformer::Compose(filter, scope), span)
    }

    fn transformer(&mut self, transformer: Transformer, span: Span) -> TransformerId {
        let simpler = match transformer {
            Transformer::Union(left, right) | Transformer::Intersection(left, right) if left == right => Some(left),
            Transformer::Compose(left, right) if *self.filter(right) == Transformer::Identity => Some(left),
            Transformer::Compose(left, right) if *self.filter(left) == Transformer::Identity => Some(right),
            Transformer::Identity
            | Transformer::Filter(_)
            | Transformer::Compose(..)
            | Transformer::Union(..)
            | Transformer::Intersection(..)
            | Transformer::Minus(..) => None,
        };
        if let Some(simpler) = simpler {
            return simpler;
        }
        let (at, new) = self.transformers.insert_full(transformer);
        if new {
            self.places.push(span);
        }
        TransformerId(at as u32)
    }

    fn intern(&mut self, pattern: Pattern) -> PatternId {
        if let Pattern::Sum(left, right) = pattern
            && left == right
        {
            return left;
        }
        PatternId(self.patterns.insert_full(pattern).0 as u32)
    }

    /// The normal form as a query, with both clauses anchored. Reading and normalising it gives the same normal form.
    pub fn to_query(&self) -> Query {
        let mut nodes: Vec<Node> = Vec::new();
        let cover = self.tree(self.cover, &mut nodes);
        let passing = self.tree(self.passing, &mut nodes);
        let clause = |pattern| Clause { pattern, at_start: true, at_end: true };
        Query { nodes, scope: None, cover: clause(cover), passing: Some(clause(passing)) }
    }

    /// Copies a pattern into a tree, children first.
    fn tree(&self, root: PatternId, nodes: &mut Vec<Node>) -> ExprId {
        let mut done: Vec<ExprId> = Vec::new();
        let mut tasks = vec![(root, false)];
        while let Some((id, ready)) = tasks.pop() {
            let pattern = self.pattern(id);
            let children = match pattern {
                Pattern::Sum(left, right) | Pattern::Concat(left, right) => vec![left, right],
                Pattern::Star(inner) | Pattern::Repeat(inner, _) | Pattern::Quote(inner) => vec![inner],
                Pattern::Predicate(_) | Pattern::Nodes(_) | Pattern::Edges(_) | Pattern::Paths(..) => Vec::new(),
            };
            if !ready && !children.is_empty() {
                tasks.push((id, true));
                tasks.extend(children.iter().rev().map(|child| (*child, false)));
                continue;
            }
            let mut take = || done.pop().expect("children are done first");
            let kind = match pattern {
                Pattern::Sum(..) => {
                    let right = take();
                    NodeKind::Sum(take(), right)
                }
                Pattern::Concat(..) => {
                    let right = take();
                    NodeKind::Concat(take(), right)
                }
                Pattern::Star(_) => NodeKind::Star(take()),
                Pattern::Repeat(_, bound) => NodeKind::Repeat(take(), bound),
                Pattern::Quote(_) => NodeKind::Quote(take()),
                Pattern::Predicate(at) => NodeKind::Predicate(self.predicates[at as usize].0.clone()),
                Pattern::Nodes(filter) => NodeKind::Nodes(self.filter_tree(filter, nodes)),
                Pattern::Edges(filter) => NodeKind::Edges(self.filter_tree(filter, nodes)),
                Pattern::Paths(filter, bound) => NodeKind::Paths(self.filter_tree(filter, nodes), bound),
            };
            nodes.push(Node { kind, span: Span::default() });
            done.push(ExprId(nodes.len() as u32 - 1));
        }
        done.pop().expect("the root is done last")
    }

    fn filter_tree(&self, root: TransformerId, nodes: &mut Vec<Node>) -> ExprId {
        let mut done: Vec<ExprId> = Vec::new();
        let mut tasks = vec![(root, false)];
        while let Some((id, ready)) = tasks.pop() {
            let children = match self.filter(id) {
                Transformer::Compose(left, right)
                | Transformer::Union(left, right)
                | Transformer::Intersection(left, right)
                | Transformer::Minus(left, right) => Some((*left, *right)),
                Transformer::Identity | Transformer::Filter(_) => None,
            };
            if let (false, Some((left, right))) = (ready, children) {
                tasks.extend([(id, true), (right, false), (left, false)]);
                continue;
            }
            let mut pair = || {
                let right = done.pop().expect("children are done first");
                (done.pop().expect("children are done first"), right)
            };
            let kind = match self.filter(id) {
                Transformer::Identity => NodeKind::Identity,
                Transformer::Filter(filter) => NodeKind::Filter(filter.clone()),
                Transformer::Compose(..) => {
                    let (left, right) = pair();
                    NodeKind::Compose(left, right)
                }
                Transformer::Union(..) => {
                    let (left, right) = pair();
                    NodeKind::Union(left, right)
                }
                Transformer::Intersection(..) => {
                    let (left, right) = pair();
                    NodeKind::Intersection(left, right)
                }
                Transformer::Minus(..) => {
                    let (left, right) = pair();
                    NodeKind::Minus(left, right)
                }
            };
            nodes.push(Node { kind, span: Span::default() });
            done.push(ExprId(nodes.len() as u32 - 1));
        }
        done.pop().expect("the root is done last")
    }

    /// A pattern as the cover clause of a query, and where it is in it.
    pub(crate) fn pattern_query(&self, id: PatternId) -> (Query, ExprId) {
        let mut nodes = Vec::new();
        let root = self.tree(id, &mut nodes);
        let clause = Clause { pattern: root, at_start: false, at_end: false };
        (Query { nodes, scope: None, cover: clause, passing: None }, root)
    }

    /// The text of a filter expression.
    pub fn filter_text(&self, id: TransformerId) -> String {
        let mut nodes = Vec::new();
        let root = self.filter_tree(id, &mut nodes);
        let clause = Clause { pattern: root, at_start: false, at_end: false };
        crate::print::print_expression(&Query { nodes, scope: None, cover: clause, passing: None }, root)
    }
}
