; expect: unsat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const c (Array Int Int))
(declare-const i Int)
(assert (= a b))
(assert (= b (store c i 5)))
(assert (< (select a (+ i 0)) 5))
