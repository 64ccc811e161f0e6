//! Predicates: C expressions evaluated while a program runs.

use c::Options;
use c::interp::{Interpreter, Machine, Observer, RecordedInputs, Settings};
use c::program::{EdgeId, Operation, ScopeId};

const PROGRAM: &str = "struct pair { int a, b; };
int limit = 3;
int twice(int x) { return 2 * x; }
int f(int n) {
  int cells[3] = { 1, 2, 3 };
  struct pair pair = { 4, 5 };
  int i;
  for (i = 0; i < n; i++) {
    cells[i] += pair.b;
  }
  return cells[0];
}
";

/// How often a predicate holds behind the edges of a line.
struct Count {
    line: u32,
    predicate: c::Predicate,
    holds: usize,
    fails: usize,
}

impl Observer for Count {
    fn taken(&mut self, edge: EdgeId, machine: &mut Machine<'_>) {
        let _ = edge;
        if self.line == 0 || machine.current_function().is_none() {
            return;
        }
        match machine.holds(&self.predicate) {
            Some(true) => self.holds += 1,
            Some(false) => self.fails += 1,
            None => {}
        }
    }
}

/// The scope inside the loop.
fn inner(program: &c::Program) -> ScopeId {
    let edge = program.edges.iter().find(|edge| {
        matches!(edge.operation, Operation::Assign { .. })
            && edge.notes.location.is_some_and(|location| location.line == 9)
    });
    program.node(edge.expect("line 9 assigns").from).scope
}

fn count(predicate: &str) -> (usize, usize) {
    let mut translation = c::load_text("p.c", PROGRAM, &Options::default()).expect("a program");
    let scope = inner(&translation.program);
    let predicate = translation.predicate(scope, predicate).expect("a predicate");
    let program = &translation.program;
    let mut inputs = RecordedInputs::default();
    inputs.push("n", c::interp::InputValue::Integer(3));
    let mut count = Count { line: 9, predicate, holds: 0, fails: 0 };
    Interpreter::new(program, Settings::default()).run(
        program.function_named("f").expect("f"),
        &mut inputs,
        &mut count,
    );
    (count.holds, count.fails)
}

#[test]
fn predicates_see_locals_globals_arrays_structures_and_functions() {
    let total = count("1").0;
    assert!(total > 10);
    for (predicate, other) in [
        ("i > 0", "!(i > 0)"),
        ("cells[1] == 7", "cells[1] != 7"),
        ("pair.a + limit == 7", "pair.a + limit != 7"),
        ("twice(n) == 6 && cells[0] > 1", "!(twice(n) == 6 && cells[0] > 1)"),
    ] {
        let (holds, fails) = count(predicate);
        assert_eq!(holds + fails, total, "{predicate}");
        assert_eq!(count(other), (fails, holds), "{predicate}");
    }
    assert_eq!(count("twice(n) == 6").1, 0);
    assert!(count("cells[1] == 7").0 > 0 && count("cells[1] == 7").1 > 0);
}

#[test]
fn predicates_that_are_none_are_told_why() {
    let mut translation = c::load_text("p.c", PROGRAM, &Options::default()).expect("a program");
    let scope = inner(&translation.program);
    for (text, code) in [
        ("i >", "c-syntax"),
        ("unknown > 1", "c-unknown-name"),
        ("pair", "c-type"),
        ("", "c-syntax"),
        ("i = 'ab", "c-syntax"),
    ] {
        let error = translation.predicate(scope, text).expect_err("no predicate");
        assert_eq!(error.code.id, code, "{text}");
        assert_eq!(c::is_unknown_name(&error), code == "c-unknown-name");
        assert!(error.labels[0].span.end as usize <= text.len(), "{text}");
    }
    assert!(translation.predicate(scope, "i > 0").is_ok());
    // At file scope locals are unknown.
    assert!(translation.predicate(ScopeId(0), "i > 0").is_err());
    assert!(translation.predicate(ScopeId(0), "limit > 0").is_ok());
}
