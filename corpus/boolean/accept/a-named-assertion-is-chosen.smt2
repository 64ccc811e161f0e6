; decision: small
(declare-const x Int)
(assert (! (or (< x 3) (> x 9)) :named small))
(assert (> x 0))
