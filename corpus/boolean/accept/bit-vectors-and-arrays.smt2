(declare-const v (_ BitVec 8))
(declare-const w (_ BitVec 8))
(declare-const m (Array (_ BitVec 4) Int))
(define-fun decision () Bool
  (or (bvult (bvadd v #x01 w) (_ bv7 8)) (= (concat #b1 ((_ extract 6 0) v)) w)
      (> (select (store m #x3 4) ((_ extract 3 0) v)) 2) (= m ((as const (Array (_ BitVec 4) Int)) 0)) ((_ divisible 3) (bv2nat v))))
(assert decision)
