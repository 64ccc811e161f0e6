; expect: unsat
(declare-const x (_ BitVec 5))
(declare-const n (_ BitVec 5))
(assert (bvuge n #b00101))
(assert (or (distinct (bvshl x n) #b00000) (distinct (bvlshr x n) #b00000) (distinct (bvashr x n) (bvashr x #b00100))))
