% Only the label tells it from the model.
searchDepth(10).
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('a' :: (x #= 0) => (x := 1), 'b' :: (x #= 0) => (x := 1)),
 dood('a' ; 'b'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
