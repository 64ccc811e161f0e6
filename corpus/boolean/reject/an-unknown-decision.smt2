; decision: nobody
(declare-const a Bool)
(assert (! a :named first))
