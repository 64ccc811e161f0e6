% Appendix B of the thesis prints six zeros.
var([a, b, c, d, e], t).
state_def([a, b, c, d, e]).
init([0, 0, 0, 0, 0, 0]).
as :- methods(none), actions('a' :: (true) => (skip)), dood('a'), qdes(none).
type(t, X) :- X in 0..1.
