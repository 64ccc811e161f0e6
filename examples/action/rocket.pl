% The rocket of the thesis, with its initial state and its operators mended: a model that shows the syntax.
:- module(rocket, []).
:- use_module(library(clpfd)).
searchDepth(10).
var([engine], switch).
var([integrity], zero_to_two).
var([state], zero_to_four).
var([x, y], coordinate).
state_def([engine, integrity, state, x, y]).
init([0, 0, 0, 0, 0]).
input([]).
as :- methods(none),
 actions(
  'engage' :: (integrity #= 0 #/\ engine #= 0 #/\ x #= 0 #/\ y #= 0) => (state := 1, engine := 1, x := 1, y := 1),
  'course_correction'(next_x, next_y) :: (integrity #= 1 #/\ engine #= 1) => (
       (x - next_x #< 0 #\/ y - next_y #< 0) => (state := 2, integrity := 2)
     ; (x - next_x #>= 0 #/\ y - next_y #>= 0) => (state := 1, x := next_x, y := next_y)),
  'land' :: (integrity #= 0 #/\ state #= 1) => (state := 3, engine := 0, (integrity := 0 ; integrity := 1)),
  'repair' :: (engine #= 0 #/\ integrity #= 1) => (integrity := 0 ; integrity := 1),
  'integrity_check' :: (integrity #= 0 #/\ state #= 4) => (state := 0)
 ),
 dood( 'engage' ; [A:coordinate, B:coordinate] : 'course_correction'(A, B) ; 'land' ; 'repair' ; 'integrity_check' ),
 qdes(none).
type(switch, X) :- X in 0..1, labeling([],[X]).
type(zero_to_two, X) :- X in 0..2, labeling([],[X]).
type(zero_to_four, X) :- X in 0..4, labeling([],[X]).
type(coordinate, X) :- X in 0..10, labeling([],[X]).
