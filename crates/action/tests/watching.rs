//! Systems followed by what can be seen of them, where there are too many ways to follow.

use action::finding::Seen;
use action::interp::Interpreter;
use action::trace::{Event, Label};
use action::watch::{Refusal, Unfollowed, Watch};
use action::{Notation, OutOfFuel, Spec, load};
use source::Source;

/// A model whose only output comes after twelve choices in sequence.
fn choices() -> Spec {
    let variables: String = (0..12).map(|one| format!("var x{one}: B = 0;\n")).collect();
    let body: Vec<String> = (0..12).map(|one| format!("choose {{ x{one} := 0 }} or {{ x{one} := 1 }}")).collect();
    let text = format!(
        "depth 5; type B = 0..1; {variables} input go; action go when x0 = 0 {{ skip }}
         action done {{ {} }} do go [] done od",
        body.join("; ")
    );
    load(&Source::new("choices.as", &text), Notation::Native).expect("the model is well formed").0
}

#[test]
fn what_takes_too_many_ways_is_not_silence() {
    let spec = choices();
    let watch = |fuel: u64| Watch::new(&spec, Interpreter::new(&spec).within(fuel)).expect("nothing is internal");
    let done = Seen::Observed(Label(vec![Event { action: "done".to_owned(), arguments: Vec::new() }]));
    assert_eq!(watch(100).silent(), Err(OutOfFuel));
    assert_eq!(watch(100).outputs(), Err(OutOfFuel));
    assert_eq!(watch(100).see(&done, Refusal::Excluded), Err(Unfollowed::TooMany));
    assert!(watch(1_000_000).silent().expect("enough").is_empty());
    assert_eq!(watch(1_000_000).outputs().expect("enough").len(), 1);
}

#[test]
fn a_system_is_not_followed_beyond_its_work() {
    let spec = choices();
    let mut watch = Watch::new(&spec, Interpreter::new(&spec)).expect("nothing is internal").within(50_000);
    let done = Seen::Observed(Label(vec![Event { action: "done".to_owned(), arguments: Vec::new() }]));
    assert_eq!(watch.see(&done, Refusal::Excluded), Ok(()));
    assert_eq!(watch.states().len(), 4_096);
    assert_eq!(watch.see(&done, Refusal::Excluded), Err(Unfollowed::TooMany));
}
