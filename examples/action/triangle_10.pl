% Which kind of triangle do three sides make? Sides from 0 to 30.
%
% kind: 1 equilateral, 2 isosceles, 3 scalene, 4 none; each phase happens once.
searchDepth(10).
var([a, b, c], side).
var([kind], kinds).
var([equilateral, isosceles, scalene, none_at_all], flag).
var([phase], phases).
state_def([a, b, c, kind, equilateral, isosceles, scalene, none_at_all, phase]).
init([0, 0, 0, 0, 0, 0, 0, 0, 0]).
input(['Input']).
as :- methods(none),
 actions(
  'Input'(first, second, third) :: (phase #= 0) => (a := first, b := second, c := third, phase := 1),
  'Calculate' :: (phase #= 1) => (
     (  (c #>= a + b #\/ b #>= a + c #\/ a #>= b + c) => (kind := 4)
      ; (c #< a + b #/\ b #< a + c #/\ a #< b + c) => (
            (a #= b #/\ b #= c) => (kind := 1)
          ; (#\ (a #= b #/\ b #= c) #/\ (a #= b #\/ b #= c #\/ a #= c)) => (kind := 2)
          ; (a #\= b #/\ b #\= c #/\ a #\= c) => (kind := 3))),
     phase := 2),
  'Output'(answer) :: (phase #= 2 #/\ answer #= kind) => (
     (  (answer #= 1) => (equilateral := 1)
      ; (answer #= 2) => (isosceles := 1)
      ; (answer #= 3) => (scalene := 1)
      ; (answer #= 4) => (none_at_all := 1)),
     phase := 3)
 ),
 dood( [P:side, Q:side, R:side] : 'Input'(P, Q, R) ; 'Calculate' ; [K:kinds] : 'Output'(K) ),
 qdes(none).
type(flag, X) :- X in 0..1, labeling([],[X]).
type(kinds, X) :- X in 0..4, labeling([],[X]).
type(phases, X) :- X in 0..3, labeling([],[X]).
type(side, X) :- X in 0..30, labeling([],[X]).
