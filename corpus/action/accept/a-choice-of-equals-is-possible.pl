% The choice is inclusive.
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('c' :: (true) => (x := 1 ; x := 1)),
 dood('c'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
