% The example of the thesis: out is 1 or 2.
var([out], t).
state_def([out]).
init([0]).
input([]).
as :- methods(none),
 actions('choose' :: (true) => (out := 1 ; out := 2), 'two' :: (out #= 2) => (skip)),
 dood('choose' ; 'two'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
