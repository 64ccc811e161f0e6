; expect: sat
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const b (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(declare-const j (_ BitVec 8))
(assert (= (select a i) (select b i)))
(assert (= (select a j) (select b j)))
(assert (distinct a b))
(assert (= (store a i #x07) (store b i #x07)))
