; Three conditions over integers, as example5.bool.
(set-logic QF_LIA)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(define-fun decision () Bool (and (> a 5) (or (> b 4) (< c 9))))
(assert decision)
(check-sat)
