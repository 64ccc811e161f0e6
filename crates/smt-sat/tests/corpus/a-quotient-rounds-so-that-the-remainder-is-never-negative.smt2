; expect: unsat
(declare-const x Int)
(declare-const y Int)
(assert (<= (- 20) x 20))
(assert (<= (- 5) y 5))
(assert (distinct y 0))
(assert (not (and (= x (+ (* y (div x y)) (mod x y))) (<= 0 (mod x y)) (< (mod x y) (abs y)))))
