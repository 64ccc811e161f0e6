% An argument the model never uses.
searchDepth(10).
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('f'(p) :: (p #> x) => (x := p)),
 dood('f'(1) ; 'f'(3)),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
