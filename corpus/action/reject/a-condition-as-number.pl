var([x], t).
state_def([x]).
init([0]).
as :- methods(none), actions('a' :: (x #= 1) => (x := x #= 1)), dood('a'), qdes(none).
type(t, X) :- X in 0..1.
