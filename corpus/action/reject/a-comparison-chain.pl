var([x], t).
state_def([x]).
init([0]).
as :- methods(none), actions('a' :: (0 #< x #< 2) => (skip)), dood('a'), qdes(none).
type(t, X) :- X in 0..1.
