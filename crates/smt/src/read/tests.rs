//! What is read, what is refused and where.

use super::*;
use crate::{Op, print_term};

fn facts(text: &str) -> Result<String, String> {
    let mut terms = Terms::new();
    match read_script(&mut terms, text) {
        Ok(script) => {
            let printed: Vec<_> = script.assertions().iter().map(|&fact| print_term(&terms, fact)).collect();
            Ok(printed.join("\n"))
        }
        Err(error) => Err(format!("`{}`: {}", &text[error.span.range()], error.message)),
    }
}

#[test]
fn expressions_are_read_into_our_operators() {
    let declarations = "(set-logic ALL)(set-info :status sat)(declare-fun x () Int)(declare-const y Int)
        (declare-const r Real)(declare-const b (_ BitVec 8))(declare-const p Bool)(declare-const q Bool)
        (define-sort Mem (E) (Array (_ BitVec 8) E))(declare-const a (Mem Int))
        (declare-datatypes ((Color 0) (Size 0)) (((red) (green)) ((big))))(declare-const hue Color)
        (define-fun twice ((n Int)) Int (+ n n))(define-fun half ((n Real)) Real (/ n 2))";
    for (written, expected) in [
        ("(< x y 3)", "(and (< x y) (< y 3))"),
        ("(= x (- y 1 2))", "(= x (- (- y 1) 2))"),
        ("(= x (- 3))", "(= x (- 3))"),
        ("(=> p q p)", "(=> p (=> q p))"),
        ("(xor p q p)", "(xor (xor p q) p)"),
        ("(< r 1)", "(< r 1.0)"),
        ("(< r x)", "(< r (to_real x))"),
        ("(= r (/ 1 3))", "(= r (/ 1.0 3.0))"),
        ("(= r 0.50)", "(= r (/ 1.0 2.0))"),
        ("(= b (bvadd b #x01 (_ bv2 8)))", "(= b (bvadd (bvadd b #x01) #x02))"),
        ("(= ((_ extract 3 0) b) #b0101)", "(= ((_ extract 3 0) b) #x5)"),
        ("(= (select a b) (twice x))", "(= (select a b) (+ x x))"),
        ("(= (half 1) r)", "(= (/ 1.0 2.0) r)"),
        ("(= a ((as const (Mem Int)) 5))", "(= a ((as const (Array (_ BitVec 8) Int)) 5))"),
        ("(= hue (as green Color))", "(= hue green)"),
        ("((_ is red) hue)", "(= hue red)"),
        ("(let ((x y) (y x)) (< x y))", "(< y x)"),
        ("(let ((x y)) (let ((z x)) (< x z)))", "(< y y)"),
        ("(! (< x y) :named less :other (a b))", "(< x y)"),
        ("(= (ite (= y 0) 0 (div x y)) 1)", "(= (ite (= y 0) 0 (div x y)) 1)"),
        ("((_ divisible 3) x)", "(= (mod x 3) 0)"),
        ("(and p)", "p"),
        ("(= b ((_ int2bv 8) (ubv_to_int b)))", "(= b ((_ int2bv 8) (bv2nat b)))"),
    ] {
        assert_eq!(facts(&format!("{declarations}(assert {written})")), Ok(expected.to_owned()), "{written}");
    }
}

#[test]
fn total_division_is_read_back_as_one_operator() {
    let mut terms = Terms::new();
    let x = terms.symbol("x", &Sort::Int);
    let read = read_term(&mut terms, "(ite (= x 0) x (mod x x))", &[("x", x)]).unwrap();
    assert_eq!(terms.op(read), Op::Mod);
}

#[test]
fn scopes_end_with_their_declarations() {
    let text = "(declare-const p Bool)(assert p)(push 1)(declare-const q Bool)(assert q)(pop 1)\
        (declare-const q Int)(assert (< q 1))(check-sat-assuming (p (not p)))(exit)(nonsense";
    assert!(facts(text).is_err());
    assert_eq!(facts(&text.replace("(nonsense", "(nonsense)")), Ok("p\n(< q 1)".to_owned()));
}

#[test]
fn what_is_refused_is_named_and_shown() {
    for (text, expected) in [
        ("(assert x)", "`x`: `x` is not declared"),
        ("(declare-fun f (Int) Int)", "`(Int)`: functions with parameters are not supported"),
        ("(declare-sort S 0)", "`(declare-sort S 0)`: the command `declare-sort` is not supported"),
        ("(assert (forall ((x Int)) true))", "`(forall ((x Int)) true)`: `forall` is not supported"),
        ("(assert 1)", "`1`: a truth value is expected"),
        ("(assert (not 1))", "`(not 1)`: `not` needs truth values, not Int"),
        ("(assert (foo true))", "`(foo true)`: unknown function `foo`, or none we support"),
        ("(declare-const p Bool)(declare-const p Int)", "`p`: `p` is already declared"),
        ("(declare-const p Foo)", "`Foo`: unknown sort `Foo`, or none we support"),
        ("(pop 1)", "`(pop 1)`: no scope is open"),
        ("(declare-const b (_ BitVec 0))", "`(_ BitVec 0)`: bit-vectors have between 1 and 32768 bits here"),
        (
            "(declare-datatype L ((nil) (cons (h Int))))",
            "`(cons (h Int))`: only enumerations are supported: constructors without fields",
        ),
        ("(assert", "`(`: this parenthesis is never closed"),
        ("(assert true true)", "`(assert true true)`: this is not how `assert` is written"),
        (
            "(assert ((_ extract 1 2) #x0))",
            "`((_ extract 1 2) #x0)`: `extract` needs a bit-vector that has these bits, not (_ BitVec 4)",
        ),
        ("(assert ((_ not) true))", "`((_ not) true)`: `not` has no indices"),
        ("x", "`x`: a command is expected"),
        ("(define-sort A () (Array Int Int))(define-sort A () Int)", "`A`: the sort `A` is already declared"),
    ] {
        assert_eq!(facts(text), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn exponential_sorts_are_refused_quickly() {
    let mut text = String::from("(define-sort S0 () Int)");
    for level in 1..60 {
        text += &format!("(define-sort S{level} () (Array S{0} S{0}))", level - 1);
    }
    assert!(facts(&text).unwrap_err().ends_with("this sort is too large"));
}

#[test]
fn a_hundred_thousand_levels_need_no_stack() {
    let levels = 100_000;
    let nested = "(not ".repeat(levels) + "p" + &")".repeat(levels);
    let lets: String = (0..levels).map(|level| format!("(let ((x{} x{level})) ", level + 1)).collect();
    let text = format!(
        "(declare-const p Bool)(assert {nested})(assert (let ((x0 p)) {lets} x{levels}{}))",
        ")".repeat(levels)
    );
    let mut terms = Terms::new();
    let script = read_script(&mut terms, &text).unwrap();
    assert_eq!(script.assertions().len(), 2);
    assert_eq!(terms.len(), 2 + 1 + levels);
}
