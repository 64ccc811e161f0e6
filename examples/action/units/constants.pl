% The same action twice.
searchDepth(10).
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('f'(p) :: (p #> x) => (x := p)),
 dood('f'(1) ; 'f'(2)),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
