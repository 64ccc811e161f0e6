//! Signals at chosen times against the exact monitor.

#[path = "../../../stl/tests/random/mod.rs"]
mod random;

use search::Options;
use source::Source;
use stl::goals::{Criterion, GoalOptions};

use super::*;

fn subject(text: &str) -> StlSubject {
    let source = Source::new("x.stl", text);
    let (spec, _) = stl::load(&source).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let options = GoalOptions::default();
    StlSubject::new(&source, &spec, Criterion::Mutation, &options).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
}

/// How many mutants signals at chosen times tell apart, of how many; each by the exact monitor.
fn told_apart(text: &str) -> (usize, usize) {
    let (subject, backend) = (subject(text), Backend::new(&Options::default()));
    let (store, formula) = (&subject.spec.store, subject.spec.formula);
    let mut found = 0;
    for (place, obligation) in subject.goals.obligations.iter().enumerate() {
        let (Obligation::Differ(other) | Obligation::Hold { predicate: other, .. }) = *obligation;
        let target = ObligationId(place as u32);
        let statistics = &mut Statistics::default();
        let trace = look(&subject, target, [place % 2 == 0, place % 2 == 1], 1, &backend, statistics);
        let Some(trace) = trace.expect("the solver is built in") else { continue };
        let verdicts = stl::interp::verdicts(store, &trace, &[formula, other]);
        assert_ne!(verdicts[0], verdicts[1], "{text}: {}", stl::print(&subject.spec, other));
        found += 1;
    }
    (found, subject.goals.obligations.len())
}

#[test]
fn what_is_surely_so_is_so_by_the_exact_monitor() {
    let mut all = (111, 112);
    for seed in 0..150 {
        let (found, asked) = told_apart(&random::Random(seed).formula(2 + seed % 2));
        all = (all.0 + found, all.1 + asked);
    }
    assert!(all.1 / 2 < all.0, "{all:?}");
}

#[test]
fn formulas_of_the_field_with_fine_bounds_are_told_from_their_mutants() {
    // Of the ARCH competition, with gears and changes of the throttle as truth values: AT51 and AFC27.
    let gear = "G[0,30](!g & F[0.001,0.1] g -> F[0.001,0.1] G[0,2.5] g)";
    assert_eq!(told_apart(gear), (68, 68));
    let throttle = "G[11,50]((low & F[0,0.05] high) | (high & F[0,0.05] low) -> G[1,5] mu < 0.008)";
    assert_eq!(told_apart(throttle), (111, 112));
    // A day in milliseconds.
    assert_eq!(told_apart("G[0,86400](alarm -> F[0,0.001] (x > 3 U[0.5,7] off))"), (56, 56));
}
