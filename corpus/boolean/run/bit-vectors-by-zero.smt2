; criterion: condition
(declare-const v (_ BitVec 8))
(declare-const w (_ BitVec 8))
(assert (and (= (bvudiv v w) #xff) (= (bvurem v w) v) (= (bvsdiv v w) #x01) (= (bvsrem v w) v) (= (bvsmod v w) v) (= (bvshl v w) #x00)))
