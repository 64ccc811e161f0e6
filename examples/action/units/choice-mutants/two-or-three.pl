% Only 3 is wrong; 2 is allowed.
searchDepth(10).
var([out], t).
state_def([out]).
init([0]).
input([]).
as :- methods(none),
 actions('choose' :: (true) => (out := 2 ; out := 3)),
 dood('choose'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
