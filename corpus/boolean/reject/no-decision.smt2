(declare-const a Bool)
(check-sat)
