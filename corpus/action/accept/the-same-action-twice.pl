% Unit model CONST with a binder: f(3) stands twice.
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('f'(p) :: (p #> x) => (x := p)),
 dood([A:t] : 'f'(A) ; 'f'(3)),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
