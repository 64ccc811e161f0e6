% The last assignment counts.
searchDepth(10).
var([out], t).
state_def([out]).
init([0]).
input([]).
as :- methods(none),
 actions('two' :: (true) => (out := 1, out := 2)),
 dood('two'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
