; expect: unsat at 64
(declare-const x Int)
(assert (= (* x x) 3))
