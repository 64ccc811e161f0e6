; expect: sat
(declare-const a Real)
(declare-const b Real)
(declare-const c Real)
(declare-const d Real)
(assert (< 0.001 a b c d 0.002))
