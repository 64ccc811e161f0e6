//! Small problems of every theory, as SMT-LIB text with the answer.

use smt::{Solver, Terms, Theories, read_script};

use super::{assert_all, refuted, satisfied};

struct Case {
    needs: fn(&Theories) -> bool,
    satisfiable: bool,
    script: &'static str,
}

/// Runs the cases of the theories the solver claims.
pub(super) fn run(make: &mut dyn FnMut() -> Box<dyn Solver>) {
    for case in CASES {
        let mut solver = make();
        if !(case.needs)(&solver.capabilities().theories) {
            continue;
        }
        let mut terms = Terms::new();
        let script = read_script(&mut terms, case.script).unwrap_or_else(|error| panic!("{error} in {}", case.script));
        let facts = script.assertions();
        assert_all(&mut *solver, &terms, &facts);
        if case.satisfiable {
            satisfied(&mut *solver, &terms, &facts, &[]);
        } else {
            refuted(&mut *solver, &terms, &[]);
        }
    }
}

const fn sat(needs: fn(&Theories) -> bool, script: &'static str) -> Case {
    Case { needs, satisfiable: true, script }
}

const fn unsat(needs: fn(&Theories) -> bool, script: &'static str) -> Case {
    Case { needs, satisfiable: false, script }
}

fn core(_: &Theories) -> bool {
    true
}

fn integers(theories: &Theories) -> bool {
    theories.integers
}

fn reals(theories: &Theories) -> bool {
    theories.reals
}

fn bits(theories: &Theories) -> bool {
    theories.bit_vectors
}

fn arrays(theories: &Theories) -> bool {
    theories.arrays && theories.bit_vectors
}

fn integer_arrays(theories: &Theories) -> bool {
    theories.arrays && theories.integers
}

fn enumerations(theories: &Theories) -> bool {
    theories.enumerations
}

const CASES: &[Case] = &[
    sat(core, "(declare-const |a b| Bool)(declare-const select Bool)(assert (= |a b| (not select)))"),
    sat(core, "(declare-const p Bool)(declare-const q Bool)(assert (ite p (and (not q) p) (or q p)))"),
    unsat(core, "(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)(assert (distinct p q r))"),
    unsat(core, "(declare-const p Bool)(declare-const q Bool)(assert (xor p q))(assert (=> p q))(assert (=> q p))"),
    sat(integers, "(declare-const x Int)(declare-const y Int)(assert (= (+ (* 3 x) (* 5 y)) 7))(assert (< x (- 5)))"),
    sat(integers, "(declare-const x Int)(assert (and (= (mod x 7) 3) (= (div x 7) (- 2))))"),
    sat(integers, "(declare-const x Int)(assert (and (> (abs x) 3) (< x 0) (distinct x (- 4))))"),
    unsat(integers, "(declare-const x Int)(assert (and (< 2 x) (< x 4) (distinct x 3)))"),
    unsat(integers, "(declare-const x Int)(declare-const y Int)(assert (and (> x y) (> y x)))"),
    unsat(integers, "(declare-const x Int)(assert (and (<= 0 x 20) (= (mod x 3) 3)))"),
    sat(integers, "(declare-const x Int)(assert (= (ite (= x 0) 0 (div 7 1)) x))"),
    sat(reals, "(declare-const r Real)(assert (and (< 0.25 r) (< r 0.5)))"),
    sat(reals, "(declare-const r Real)(declare-const s Real)(assert (and (< r 1) (< s 1) (> r (- 1)) (distinct r s)))"),
    unsat(reals, "(declare-const r Real)(assert (and (< r 1) (> r 1.5)))"),
    sat(bits, "(declare-const b (_ BitVec 8))(assert (= (bvmul b #x03) #x0f))(assert (bvult b #x10))"),
    sat(bits, "(declare-const b (_ BitVec 8))(assert (= (bvsdiv b #xfe) #x03))(assert (bvslt b #x00))"),
    sat(bits, "(declare-const b (_ BitVec 4))(assert (= (bvudiv b #x0) #xf))(assert (= (bvurem b #x0) #x9))"),
    sat(bits, "(declare-const b (_ BitVec 8))(assert (= (concat ((_ extract 3 0) b) ((_ extract 7 4) b)) #x5a))"),
    sat(
        bits,
        "(declare-const b (_ BitVec 8))(declare-const s (_ BitVec 8))(assert (= (bvashr b s) #xff))(assert (= (bvshl b s) #xc0))",
    ),
    sat(
        bits,
        "(declare-const b (_ BitVec 5))(assert (= ((_ rotate_left 2) b) #b01001))(assert (= ((_ sign_extend 3) b) ((_ zero_extend 3) b)))",
    ),
    unsat(bits, "(declare-const b (_ BitVec 8))(assert (distinct (bvadd b b) (bvshl b #x01)))"),
    unsat(
        bits,
        "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(assert (distinct b #x0))(assert (distinct a (bvadd (bvmul (bvudiv a b) b) (bvurem a b))))",
    ),
    unsat(bits, "(declare-const a (_ BitVec 4))(declare-const b (_ BitVec 4))(assert (and (bvslt a b) (bvsgt a b)))"),
    sat(
        bits,
        "(declare-const a (_ BitVec 4))(assert (and (bvslt a #x0) (bvugt a #xa) (= (bvsmod a #x3) #x1) (= (bvsrem a #x3) #xe)))",
    ),
    sat(
        arrays,
        "(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(declare-const i (_ BitVec 4))(assert (= (select (store a i #x07) #x3) #x08))(assert (bvult i #x5))",
    ),
    unsat(
        arrays,
        "(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(declare-const i (_ BitVec 4))(declare-const j (_ BitVec 4))(assert (= i j))(assert (distinct (select a i) (select a j)))",
    ),
    unsat(
        arrays,
        "(declare-const a (Array (_ BitVec 2) Bool))(declare-const b (Array (_ BitVec 2) Bool))(assert (distinct a b))(assert (and (= (select a #b00) (select b #b00)) (= (select a #b01) (select b #b01)) (= (select a #b10) (select b #b10)) (= (select a #b11) (select b #b11))))",
    ),
    sat(
        arrays,
        "(declare-const a (Array (_ BitVec 4) (_ BitVec 8)))(declare-const b (Array (_ BitVec 4) (_ BitVec 8)))(assert (= b (store a #x1 #x22)))(assert (distinct a b))",
    ),
    sat(
        integer_arrays,
        "(declare-const a (Array Int Int))(assert (= (select a 1) 2))(assert (= (select a (select a 1)) 5))",
    ),
    unsat(
        integer_arrays,
        "(declare-const a (Array Int Int))(declare-const i Int)(assert (= a (store a i 3)))(assert (distinct (select a i) 3))",
    ),
    sat(
        enumerations,
        "(declare-datatypes ((Color 0)) (((red) (dark))))(declare-const c Color)(assert (distinct c red))",
    ),
    unsat(
        enumerations,
        "(declare-datatypes ((Color 0)) (((red) (green) (blue))))(declare-const a Color)(declare-const b Color)(declare-const c Color)(declare-const d Color)(assert (distinct a b c d))",
    ),
    sat(
        enumerations,
        "(declare-datatype Color ((red) (green)))(declare-const a Color)(declare-const b Color)(assert (= (ite (= a red) green red) b))(assert (= b green))",
    ),
];
