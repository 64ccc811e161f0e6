var([x, y], bool).
state_def([x, y]).
init([1, 0]).
input([]).
as :- methods(none),
  actions(
    'toggle' :: (x #/\ #\ y) => (y := 1),
    'reset' :: (y) => (x := 0)
  ),
  dood('toggle' ; 'reset'),
  qdes(none).
type(bool, X) :- X in 0..1, labeling([],[X]).
