; expect: unsat
(declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
(define-fun zeros () (Array (_ BitVec 1) (_ BitVec 4)) ((as const (Array (_ BitVec 1) (_ BitVec 4))) #x0))
(assert (= a (store (store ((as const (Array (_ BitVec 1) (_ BitVec 4))) #x1) #b0 #x0) #b1 #x0)))
(assert (distinct a zeros))
