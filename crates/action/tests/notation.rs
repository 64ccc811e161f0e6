//! What is written with names, quantifiers, records and machines is the model one would write without them.

use action::ast::Model;
use action::interp::Interpreter;
use action::{Notation, load, parse};
use source::Source;

fn model(text: &str) -> Model {
    parse(&Source::new("model.as", text), Notation::Native).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"))
}

#[track_caller]
fn same(brief: &str, long: &str) {
    assert_eq!(model(brief), model(long));
    load(&Source::new("model.as", brief), Notation::Native).unwrap_or_else(|errors| panic!("{brief}\n{errors:?}"));
}

#[track_caller]
fn rejected(text: &str, code: &str, words: &str) {
    let errors = load(&Source::new("model.as", text), Notation::Native).expect_err("not a model");
    assert_eq!(errors[0].code.id, code, "{errors:?}");
    assert!(errors[0].message.contains(words), "{}", errors[0].message);
}

#[test]
fn definitions_stand_for_what_they_say() {
    same(
        "type T = 0..9; var x, y: T = 0; let low = x < 3; let next(n, by) = (n + by) mod 10;
         action a(p) when low and not (y = 2) { x := next(x, p); y := next(next(y, 1), 2) } do a(P) for P: T od",
        "type T = 0..9; var x, y: T = 0;
         action a(p) when x < 3 and not (y = 2) { x := (x + p) mod 10; y := ((y + 1) mod 10 + 2) mod 10 }
         do a(P) for P: T od",
    );
}

#[test]
fn a_flag_alone_is_a_condition() {
    same(
        "type B = { off, on }; type A = array 0..1 of B; var f: B = off; var c: A = off;
         action a when f and not c[0] { f := off } action b(p) when p or f { f := p } do a [] b(P) for P: B od",
        "type B = { off, on }; type A = array 0..1 of B; var f: B = off; var c: A = off;
         action a when f = 1 and not c[0] = 1 { f := off } action b(p) when p = 1 or f = 1 { f := p }
         do a [] b(P) for P: B od",
    );
}

#[test]
fn quantifiers_are_conjunctions_disjunctions_and_sums() {
    same(
        "const N = 3; type I = 0..N-1; type T = 0..4; type A = array 0..N-1 of T; var c: A = 0;
         let idle(i) = c[i] = 0;
         action a when forall i: I | idle(i) { c[0] := 1 }
         action b when exists i: 1..2 | c[i] > c[i - 1] { c[1] := min(4, sum i: I | c[i]) }
         do a [] b od",
        "type I = 0..2; type T = 0..4; type A = array 0..2 of T; var c: A = 0;
         action a when c[0] = 0 and c[1] = 0 and c[2] = 0 { c[0] := 1 }
         action b when c[1] > c[1 - 1] or c[2] > c[2 - 1] { c[1] := min(4, c[0] + c[1] + c[2]) }
         do a [] b od",
    );
}

#[test]
fn records_are_variables_with_names_of_two_parts() {
    same(
        "type T = 0..3; type B = 0..1; type P = record { x: T, up: B }; type Ps = array 1..2 of P;
         var p: P = [1, 0]; var all: Ps = 0;
         action a when p.up and all[2].x < 3 { p.x := p.x + all[1].x; all[p.x].up := 1 } do a od",
        "type T = 0..3; type B = 0..1; type 'Ps.T' = array 1..2 of T; type 'Ps.B' = array 1..2 of B;
         var 'p.x': T = 1; var 'p.up': B = 0; var 'all.x': 'Ps.T' = 0; var 'all.up': 'Ps.B' = 0;
         action a when 'p.up' = 1 and 'all.x'[2] < 3 { 'p.x' := 'p.x' + 'all.x'[1]; 'all.up'['p.x'] := 1 } do a od",
    );
}

#[test]
fn a_machine_is_an_array_and_a_parameter() {
    same(
        "type Mode = { closed, opened }; type T = 0..2; var token: T = 0;
         machine Door(d: 0..2) {
           var mode: Mode = closed;
           input push;
           action push when mode = closed and mode[(d + 1) mod 3] = closed { mode := opened }
           action shut when mode = opened { mode := closed; token := d }
         }
         do Door od",
        "type Mode = { closed, opened }; type T = 0..2; type Door = 0..2; type 'Door.Mode' = array 0..2 of Mode;
         var token: T = 0; var mode: 'Door.Mode' = closed; input push;
         action push(d) when mode[d] = closed and mode[(d + 1) mod 3] = closed { mode[d] := opened }
         action shut(d) when mode[d] = opened { mode[d] := closed; token := d }
         do push(I) for I: Door [] shut(I) for I: Door od",
    );
}

#[test]
fn what_happens_at_once_reads_the_values_before() {
    let text = "type T = 0..3; type A = array 0..1 of T; var x: T = 1; var y: T = 2; var c: A = [0, 3];
        action swap { x, y := y, x } action rotate { c[0], c[1], x := c[1], x, c[0] }
        action pick { any l: T where l != x and l > 0 { y := l } } do swap [] rotate [] pick od";
    let (spec, warnings) = load(&Source::new("model.as", text), Notation::Native).expect("a model");
    assert!(warnings.is_empty());
    let steps = Interpreter::new(&spec).steps(spec.initial()).expect("fuel");
    let found: Vec<(String, Vec<i64>)> =
        steps.into_iter().map(|(step, _)| (step.label.to_string(), step.post)).collect();
    let expected: [(&str, Vec<i64>); 4] = [
        ("pick", vec![1, 2, 0, 3]),
        ("pick", vec![1, 3, 0, 3]),
        ("rotate", vec![0, 2, 3, 1]),
        ("swap", vec![2, 1, 0, 3]),
    ];
    assert_eq!(found, expected.map(|(label, post)| (label.to_owned(), post)));
}

#[test]
fn mistakes_with_them_are_named() {
    let with = |item: &str, guard: &str| {
        format!("type T = 0..3; var x: T = 0; {item} action a(p) when {guard} {{ skip }} do a(P) for P: T od")
    };
    rejected(&with("", "x"), "action-kind", "`x` is a number from 0 to 3");
    rejected(&with("let f = p + 1;", "f = 2"), "action-unknown-name", "`p` is not declared");
    rejected(&with("let f(q) = q;", "f(1, 2) = 2"), "action-arity", "1 parameters, here are 2");
    rejected(&with("let f = x; let f = 1;", "f = 2"), "action-duplicate-name", "a second definition");
    rejected(&with("let x = 1;", "true"), "action-duplicate-name", "has a meaning already");
    rejected(&with("", "forall i: 0..9999 | x = i"), "action-number", "more than 4096");
    rejected(&with("type R = record { f: T, f: T };", "true"), "action-duplicate-name", "a second field");
    rejected(&with("invariant i: x < 2; invariant i: x < 3;", "true"), "action-duplicate-name", "a second invariant");
    let body = |body: &str| format!("type T = 0..3; var x, y: T = 0; action a {{ {body} }} do a od");
    rejected(&body("x, y := 1"), "action-arity", "1 values for 2 variables");
    rejected(&body("x, x := 1, 2"), "action-duplicate-name", "assigned twice at once");
    rejected(&body("any x: T { y := x }"), "action-duplicate-name", "`x` has a meaning already");
    rejected(&body("any l: T { l := 1 }"), "action-kind", "cannot be assigned");
    let mut doubling = "type T = 0..1; var x: T = 0; let f0 = x + x;".to_owned();
    (1..40).for_each(|n| doubling += &format!(" let f{n} = f{} + f{};", n - 1, n - 1));
    rejected(
        &format!("{doubling} action a when f39 = 1 {{ skip }} do a od"),
        "action-nested",
        "more than 100000 parts",
    );
}
