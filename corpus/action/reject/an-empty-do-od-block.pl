var([x], t).
state_def([x]).
init([0]).
as :- methods(none), actions('a' :: (true) => (skip)), dood(), qdes(none).
type(t, X) :- X in 0..1.
