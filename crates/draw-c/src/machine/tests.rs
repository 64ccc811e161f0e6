//! Small programs: which edges can be reached, asked of the solver.

use c::program::Operation;
use smt::{Answer, Query, Simplifier, Solver, Terms};
use smt_sat::SatSolver;

use super::*;

/// For each side of a condition, in order: whether it can be reached; then how many cuts there are.
fn sides(text: &str, bound: u32) -> (String, Vec<String>) {
    let options = c::Options::default();
    let translation = c::load_text("test.c", text, &options).expect("the program is correct");
    let program = translation.program;
    let entry = program.function_named("f").expect("there is a function f");
    let settings = Settings::new(entry);
    let (mut terms, mut simplifier, mut ranges) = (Terms::new(), Simplifier::new(), Ranges::default());
    let watched = Predicates::default();
    let executed =
        Machine::new(&mut terms, (&mut simplifier, &mut ranges), &program, &settings, &watched, bound, None).run();
    let mut solver = SatSolver::new();
    for (fact, _) in &executed.facts {
        solver.assert(&terms, *fact).expect("the solver takes facts");
    }
    let ends: Vec<Term> = executed.trace.ends.iter().map(|end| executed.trace.points[end.0 as usize].guard).collect();
    let ended = terms.or(&ends);
    let mut found = String::new();
    for (number, edge) in program.edges.iter().enumerate() {
        if !matches!(edge.operation, Operation::Assume { .. }) {
            continue;
        }
        let mut copies = Vec::new();
        for point in &executed.trace.points {
            for step in point.steps.iter().filter(|step| step.edge == Some(EdgeId(number as u32))) {
                let from = executed.trace.points[step.from.0 as usize].guard;
                copies.push(terms.and(&[from, step.condition]));
            }
        }
        let reached = terms.or(&copies);
        let answer = solver.check(&terms, Query { assumptions: &[reached, ended], ..Query::default() });
        found.push(match answer.expect("the solver answers") {
            Answer::Sat(_) => '+',
            Answer::Unsat { .. } => '-',
            Answer::Unknown(_) => '?',
        });
    }
    (found, executed.trace.cuts.iter().map(|cut| cut.reason.clone()).collect())
}

#[track_caller]
fn check(text: &str, bound: u32, expected: &str, cuts: usize) {
    let (found, reasons) = sides(text, bound);
    assert_eq!(found, expected, "{reasons:?}");
    assert_eq!(reasons.len(), cuts, "{reasons:?}");
}

#[test]
fn branches_on_arguments_are_reached() {
    check("int f(int x, int y) { if (x > y) return x; else return y + 10; }", 1, "++", 0);
    check("int f(int x) { if (x > 5) { if (x < 3) return 1; } return 0; }", 1, "++-+", 0);
}

#[test]
fn loops_with_known_bounds_are_unrolled_to_the_end() {
    check(
        "int f(int x) { int i, s = 0; for (i = 0; i < 10; i++) s += i; if (s == 45) return 1; return 0; }",
        1,
        "+++-",
        0,
    );
}

/// A branch inside does not count once the bound has grown: the sides meet again.
#[test]
fn loops_with_known_bounds_may_branch() {
    let text = "int f(int x) { int i, s = 0; for (i = 0; i < 10; i++) if (x >> i & 1) s += i; if (s == 45) return 1; return 0; }";
    check(text, 16, "++++++", 0);
    let text = "int f(int x) { int i, s = 0; for (i = 0; i < 40; i++) { if (x == i) continue; if (x > i && s < 7) s += i; } if (s == 45) return 1; return 0; }";
    check(text, 16, "++++++++-+", 0);
    let text = "int a[9]; int f(int x) { int i, s = 0; for (i = 1; i < 9; i++) if (a[i] > s) s = a[i]; if (s == 45) return 1; return 0; }";
    check(text, 16, "++-+-+", 0);
}

#[test]
fn loops_that_inputs_control_are_cut() {
    let text = "int f(int n) { int i; for (i = 0; i < n; i++) ; if (i == 3) return 1; return 0; }";
    check(text, 3, "++-+", 1);
    check(text, 4, "++++", 1);
}

#[test]
fn arrays_and_pointers_are_followed() {
    check("int a[4]; int f(int i) { a[i] = 7; if (a[2] == 7) return 1; return 0; }", 1, "++", 0);
    check(
        "int f(int i) { int a[3] = {1, 2, 3}; int *p = a + i; if (*p == 3) return 1; if (*p == 5) return 2; return 0; }",
        1,
        "++-+",
        0,
    );
    check(
        "struct s { int a; char b[4]; struct s *next; }; int f(int x) { struct s one, two; one.a = x; one.next = &two; two.a = 5; if (one.next->a == x) return 1; return 0; }",
        1,
        "++",
        0,
    );
}

#[test]
fn calls_are_followed_and_recursion_is_cut() {
    check(
        "int g(int x) { return x * 2; } int f(int x) { if (g(x) == 8) return 1; if (g(x) == 9) return 2; return 0; }",
        1,
        "++-+",
        0,
    );
    check("int f(int n) { if (n <= 0) return 0; return 1 + f(n - 1); }", 4, "++", 1);
}

#[test]
fn what_is_undefined_is_excluded() {
    check("int f(int x, int y) { int z = x / y; if (y == 0) return 1; return z; }", 1, "-+", 0);
    check("int f(int x) { int y = x + 1; if (y < x) return 1; return 0; }", 1, "-+", 0);
    check("unsigned f(unsigned x) { unsigned y = x + 1; if (y < x) return 1; return 0; }", 1, "++", 0);
}

#[test]
fn floating_numbers_are_followed() {
    check("int f(float x) { if (x * 2.0f == 3.0f) return 1; if (x != x) return 2; return 0; }", 1, "++++", 0);
    check("int f(double x) { if (x > 1.5 && x < 1.25) return 1; return 0; }", 1, "++-+", 0);
}

#[test]
fn memory_is_allocated_and_freed() {
    let text = "void *malloc(unsigned long); void free(void *); int f(int x) { int *p = malloc(3 * sizeof(int)); p[1] = x; int y = p[1]; free(p); if (y == 4) return 1; return 0; }";
    check(text, 1, "++", 0);
    let text = "void *malloc(unsigned long); void free(void *); int f(int x) { int *p = malloc(4); *p = x; if (x) free(p); if (*p == 0) return 1; return 0; }";
    check(text, 1, "-++-", 0);
}
