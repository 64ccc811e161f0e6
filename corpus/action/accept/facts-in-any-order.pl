:- module(m, [a/1]).
% types first, the rest upside down
type('t', X) :- X in -1..1.
as :- methods((none)), actions(('a' :: (x = 0) => (x := -1)), (b(p) :: x =< p => x := p)), dood((a ; [P:t] : b(P))), qdes none.
input([a, 'b']).
init([0]).
state_def([x]).
var([x], t).
searchDepth(7).
