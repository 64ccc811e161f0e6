% A choice of 1 and 2.
searchDepth(10).
var([out], t).
state_def([out]).
init([0]).
input([]).
as :- methods(none),
 actions('choose' :: (true) => (out := 1 ; out := 2)),
 dood('choose'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
