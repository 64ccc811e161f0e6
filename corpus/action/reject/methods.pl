var([x], t).
state_def([x]).
init([0]).
as :- methods(m), actions('a' :: (true) => (skip)), dood('a'), qdes(none).
type(t, X) :- X in 0..1.
