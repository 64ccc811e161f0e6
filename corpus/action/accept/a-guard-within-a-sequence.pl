% Unit model GUARDSEQ: the guard sees the value after the first assignment.
var([x], t).
state_def([x]).
init([2]).
input([]).
as :- methods(none),
 actions('g' :: (true) => (x := x + 1, (x #= 3) => (x := 0))),
 dood('g'),
 qdes(none).
type(t, X) :- X in 0..5, labeling([],[X]).
