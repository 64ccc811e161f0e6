var([x, y], t).
var([x], t).
state_def([x, z]).
init([0, 0]).
as :- methods(none), actions('a' :: (true) => (skip)), dood('a'), qdes(none).
type(t, X) :- X in 0..1.
