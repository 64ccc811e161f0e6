% Unit model PATHS: four states after the step.
var([a], t).
var([b], t).
state_def([a, b]).
init([0, 0]).
input([]).
as :- methods(none),
 actions('p' :: (true) => ((a := 1 ; a := 2), (b := 1 ; b := 2))),
 dood('p'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
