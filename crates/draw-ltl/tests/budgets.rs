//! Budgets that end anywhere: whatever is cut, no answer is wrong. What a budget leaves undecided is open and says why.

use std::time::Duration;

use draw_ltl::StrategySubject;
use ltl::faults::{Selection, faults};
use ltl::{Dialect, load};
use search::{Backend, Options, Session, Subject};
use source::Source;
use testcase::GoalStatus;

/// Small enough for hundreds of searches; some of their faults are exposed, some hidden, some impossible.
const SPECIFICATIONS: [&str; 4] = [
    "input a; output x, y; G (X x <-> a); G (a -> F y);",
    "input p, q; output d, e; G (p & X q -> X X d); G (q -> X (e | d)); G !(d & e);",
    "input r; output g, h; assume G F r; G (r -> F g); G (g -> X !g); !h;",
    "input i; output o; G (o <-> i); fault lost: (o' & !o) on o; fault other: (!o' & o) on o;",
];

/// What becomes of every goal.
fn statuses(text: &str, options: Options) -> Vec<(String, GoalStatus)> {
    let source = Source::new("test.ltl", text);
    let (mut spec, _) = load(&source, Dialect::Ltl).expect("well formed");
    let selection = if text.contains("fault") { Selection::Declared } else { Selection::All };
    let faults = faults(&mut spec, selection).expect("well formed");
    let subject = StrategySubject::new(&source, spec, faults);
    let backend = Backend::new(&options);
    let mut session = Session::new(&subject, &backend, options).expect("it begins");
    while session.pull().unwrap_or_else(|error| panic!("{text}: {error}")).is_some() {}
    let outcome = session.finish().unwrap_or_else(|error| panic!("{text}: {error}"));
    let names = subject.goals().iter().map(|goal| goal.key.clone());
    names.zip(outcome.statuses).collect()
}

#[test]
fn searches_with_tiny_budgets_say_nothing_wrong() {
    let mut open = 0;
    for text in SPECIFICATIONS {
        let whole = statuses(text, Options::default());
        let mut steps: u64 = 1;
        while steps < 3_000_000 {
            let goal_timeout = Some(Duration::from_nanos(steps * 100));
            for ((name, status), (_, known)) in
                statuses(text, Options { goal_timeout, ..Options::default() }).into_iter().zip(&whole)
            {
                match status {
                    GoalStatus::Unknown(reason) => {
                        assert!(reason.contains("budget"), "{text}: {name} with {steps} steps: {reason}");
                        open += 1;
                    }
                    GoalStatus::Infeasible(_) | GoalStatus::InfeasibleUpTo(_) => {
                        assert_ne!(*known, GoalStatus::Covered, "{text}: {name} with {steps} steps");
                    }
                    GoalStatus::Covered => {
                        assert!(!matches!(known, GoalStatus::Infeasible(_)), "{text}: {name} with {steps} steps");
                    }
                    GoalStatus::OnlyUndefined { .. } => panic!("{text}: {name}: nothing is undefined here"),
                }
            }
            steps = steps * 3 + 1;
        }
    }
    assert!(0 < open, "no budget was too small");
}
