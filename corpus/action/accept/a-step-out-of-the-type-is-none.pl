% x is 2 of 0..2 and cannot grow.
var([x], t).
state_def([x]).
init([2]).
input([]).
as :- methods(none),
 actions('up' :: (true) => (x := x + 1)),
 dood('up'),
 qdes(none).
type(t, X) :- X in 0..2, labeling([],[X]).
