% At most instead of less.
searchDepth(10).
var([x], bool).
var([y], bool).
state_def([x, y]).
init([0, 0]).
input([]).
as :- methods(none),
 actions('event1' :: (y #< 1) => (x := 1), 'event2' :: (x #=< 1) => (y := 1)),
 dood('event1' ; 'event2'),
 qdes(none).
type(bool, X) :- X in 0..1, labeling([],[X]).
