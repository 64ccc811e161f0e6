//! Queries of unusual size, and texts that are not queries at all.

use fql::graph::{Edge, Graph, Node, NodeId};
use fql::shell::Session;
use fql::{evaluate, normalise, parse, print};
use proptest::prelude::*;

fn ring() -> Graph {
    let edge = |from: u32, to: u32, line: u32| Edge { line, ..Edge::new(NodeId(from), NodeId(to)) };
    Graph {
        nodes: vec![Node::default(); 3],
        edges: vec![edge(0, 1, 1), edge(1, 2, 2), edge(2, 0, 3)],
        initial: vec![NodeId(0)],
        ..Graph::default()
    }
}

#[test]
fn a_hundred_thousand_terms_need_no_stack() {
    let sum = format!("cover {}", vec!["@1"; 100_000].join(" + "));
    let query = parse(&sum).expect("a query");
    assert_eq!(evaluate(&query, &ring()).expect("small").0.goals.count(), Some(1));
    let union = format!("cover {}", vec!["@1"; 50_000].join(" | @2 | "));
    let query = parse(&union).expect("a query");
    assert!(parse(&print(&query)).expect("a query").same(&query));
    assert_eq!(evaluate(&query, &ring()).expect("small").0.goals.count(), Some(2));
    let stars = format!("cover @1 passing @1{}", "*".repeat(100_000));
    let query = parse(&stars).expect("a query");
    assert!(print(&normalise(&query).to_query()).len() > 100_000);
}

#[test]
fn long_products_are_counted_or_too_many() {
    let query = |count: usize| format!("cover {}", vec!["ID"; count].join(" -> "));
    let count = |text: &str| evaluate(&parse(text).expect("a query"), &ring()).expect("small").0.goals.count();
    assert_eq!(count(&query(80)), 3u128.checked_pow(80));
    assert_eq!(count(&query(81)), None);
    assert_eq!(count("cover ID<=3"), Some(1 + 3 + 9 + 27));
    assert_eq!(count("cover (ID + ID.ID)==2"), Some(9 + 27 + 81));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_fall(text in "\\PC{0,60}") {
        let _ = parse(&text);
        let _ = Session::default().interpret(&text);
    }

    #[test]
    fn no_words_make_the_reader_fall(words in prop::collection::vec(prop_oneof![
        Just("cover"), Just("passing"), Just("in"), Just("ID"), Just("@"), Just("@1"), Just("("), Just(")"), Just("+"), Just("."),
        Just("->"), Just("*"), Just("=="), Just("3"), Just("\""), Just("{x}"), Just("{"), Just("}"), Just("^"), Just("$"), Just("|"),
        Just("&"), Just("NOT"), Just("NODES"), Just("PATHS"), Just(","), Just("@FUNC"), Just("f"), Just("'x'"), Just("#define"),
    ], 0..20)) {
        let text = words.join(" ");
        if let Ok(query) = parse(&text) {
            prop_assert!(parse(&print(&query)).expect("what is printed can be read").same(&query));
        }
        let mut session = Session::default();
        let _ = session.interpret("#define f(x) ( x . f(x) )");
        let _ = session.interpret(&text);
    }
}
