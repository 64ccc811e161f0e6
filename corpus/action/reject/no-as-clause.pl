var([x], t).
state_def([x]).
init([0]).
type(t, X) :- X in 0..1.
