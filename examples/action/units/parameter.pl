% A parameter that only grows.
searchDepth(10).
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('f'(p) :: (p #> x) => (x := p)),
 dood([A:t] : 'f'(A)),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
