% 1+2*3-4 is (1+(2*3))-4.
var([x], t).
state_def([x]).
init([0]).
input([]).
as :- methods(none),
 actions('e' :: (true) => (x := 1+2*3-4), 'd' :: (#\ x #= 1 #/\ (x #> 3 #=> x #< 2)) => (x := 7 / 2 mod 2, skip)),
 dood('e' ; 'd'),
 qdes(none).
type(t, X) :- X in 0..3, labeling([],[X]).
