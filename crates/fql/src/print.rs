//! Queries as text, with as few parentheses as the grammar allows.

use std::fmt::Write;

use crate::ast::{Bound, Clause, ExprId, Filter, NodeKind, Query};

/// The text of a query; reading it again gives the same query.
pub fn print(query: &Query) -> String {
    let mut text = String::new();
    if let Some(scope) = query.scope {
        text.push_str("in ");
        expression(query, scope, &mut text);
        text.push(' ');
    }
    text.push_str("cover ");
    clause(query, query.cover, &mut text);
    if let Some(passing) = query.passing {
        text.push_str(" passing ");
        clause(query, passing, &mut text);
    }
    text
}

/// The text of a part of a query.
pub fn print_expression(query: &Query, id: ExprId) -> String {
    let mut text = String::new();
    expression(query, id, &mut text);
    text
}

/// The text of a filter function.
pub fn print_filter(filter: &Filter) -> String {
    let numbers = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    match filter {
        Filter::BasicBlockEntry => "@BASICBLOCKENTRY".into(),
        Filter::ConditionEdge => "@CONDITIONEDGE".into(),
        Filter::ConditionGraph => "@CONDITIONGRAPH".into(),
        Filter::DecisionEdge => "@DECISIONEDGE".into(),
        Filter::Calls => "@CALLS".into(),
        Filter::File(name) => format!("@FILE('{name}')"),
        Filter::Line(line) => format!("@LINE({line})"),
        Filter::Column(column) => format!("@COLUMN({column})"),
        Filter::Func(name) => format!("@FUNC({name})"),
        Filter::Entry(name) => format!("@ENTRY({name})"),
        Filter::Exit(name) => format!("@EXIT({name})"),
        Filter::Call(name) => format!("@CALL({name})"),
        Filter::Label(name) => format!("@LABEL({name})"),
        Filter::Def(name) => format!("@DEF({name})"),
        Filter::Use(name) => format!("@USE({name})"),
        Filter::StatementType(kinds) => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name()).collect();
            format!("@STMTTYPE({})", names.join(","))
        }
        Filter::Expression(text) => format!("@EXPR('{text}')"),
        Filter::Regexp(text) => format!("@REGEXP('{text}')"),
        Filter::Edge(edges) => format!("@EDGE({})", numbers(edges)),
        Filter::Node(nodes) => format!("@NODE({})", numbers(nodes)),
    }
}

/// The text of a bound.
pub(crate) fn print_bound(bound: Bound) -> String {
    match bound {
        Bound::Exactly(number) => format!("=={number}"),
        Bound::AtMost(number) => format!("<={number}"),
        Bound::AtLeast(number) => format!(">={number}"),
    }
}

fn clause(query: &Query, clause: Clause, text: &mut String) {
    if clause.at_start {
        text.push('^');
    }
    expression(query, clause.pattern, text);
    if clause.at_end {
        text.push('$');
    }
}

/// How tightly the operators bind.
const SUM: u8 = 0;
const CONCAT: u8 = 1;
const UNION: u8 = 2;
const INTERSECTION: u8 = 3;
const POSTFIX: u8 = 4;
const PRIMARY: u8 = 5;

/// What is left to print.
enum Task {
    Text(&'static str),
    Owned(String),
    Expression(ExprId, u8),
}

fn expression(query: &Query, root: ExprId, text: &mut String) {
    let mut tasks = vec![Task::Expression(root, SUM)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Text(piece) => text.push_str(piece),
            Task::Owned(piece) => text.push_str(&piece),
            Task::Expression(id, around) => {
                let (own, mut pieces) = pieces(query, id);
                if own < around {
                    pieces.insert(0, Task::Text("("));
                    pieces.push(Task::Text(")"));
                }
                tasks.extend(pieces.into_iter().rev());
            }
        }
    }
}

fn pieces(query: &Query, id: ExprId) -> (u8, Vec<Task>) {
    let binary = |level: u8, left: ExprId, sign: &'static str, right: ExprId| {
        (level, vec![Task::Expression(left, level), Task::Text(sign), Task::Expression(right, level + 1)])
    };
    let call = |name: &'static str, inner: ExprId| {
        (PRIMARY, vec![Task::Text(name), Task::Expression(inner, SUM), Task::Text(")")])
    };
    let call2 = |name: &'static str, left: ExprId, right: ExprId| {
        let parts = [Task::Text(name), Task::Expression(left, SUM), Task::Text(",")];
        (PRIMARY, parts.into_iter().chain([Task::Expression(right, SUM), Task::Text(")")]).collect())
    };
    match query.kind(id) {
        NodeKind::Sum(left, right) => binary(SUM, *left, " + ", *right),
        NodeKind::Concat(left, right) => binary(CONCAT, *left, ".", *right),
        NodeKind::Arrow(left, right) => binary(CONCAT, *left, " -> ", *right),
        NodeKind::Union(left, right) => binary(UNION, *left, " | ", *right),
        NodeKind::Intersection(left, right) => binary(INTERSECTION, *left, " & ", *right),
        NodeKind::Star(inner) => (POSTFIX, vec![Task::Expression(*inner, POSTFIX), Task::Text("*")]),
        NodeKind::Repeat(inner, bound) => {
            (POSTFIX, vec![Task::Expression(*inner, POSTFIX), Task::Owned(print_bound(*bound))])
        }
        NodeKind::Quote(inner) => (PRIMARY, vec![Task::Text("\""), Task::Expression(*inner, SUM), Task::Text("\"")]),
        NodeKind::Predicate(predicate) => (PRIMARY, vec![Task::Owned(format!("{{{predicate}}}"))]),
        NodeKind::Nodes(inner) => call("NODES(", *inner),
        NodeKind::Edges(inner) => call("EDGES(", *inner),
        NodeKind::Paths(inner, bound) => {
            let mut bounded = String::from(",");
            let _ = write!(bounded, "{bound})");
            (PRIMARY, vec![Task::Text("PATHS("), Task::Expression(*inner, SUM), Task::Owned(bounded)])
        }
        NodeKind::Filter(filter) => (PRIMARY, vec![Task::Owned(print_filter(filter))]),
        NodeKind::Identity => (PRIMARY, vec![Task::Text("ID")]),
        NodeKind::Not(inner) => call("NOT(", *inner),
        NodeKind::Compose(left, right) => call2("COMPOSE(", *left, *right),
        NodeKind::Minus(left, right) => call2("SETMINUS(", *left, *right),
    }
}
