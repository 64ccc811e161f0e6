% Unit model WIDE.
var([x], t).
state_def([x]).
init([1]).
input([]).
as :- methods(none),
 actions('d' :: (true) => (x := x + 5, x := x - 5)),
 dood('d'),
 qdes(none).
type(t, X) :- X in 0..2, labeling([],[X]).
